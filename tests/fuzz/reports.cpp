// What other programs left behind of a model: profiles, logs, dumps, tables, rules.
#include <cmath>

#include "engine/frontends/onnxruntime/steering.h"
#include "engine/session/report_readers.h"
#include "tests/fuzz/targets.h"

namespace partita::fuzz {

namespace {

/// Named, unnamed, with a body, with parts.
const std::vector<FileNode>& nodes() {
    static const std::vector<FileNode> all = [] {
        std::vector<FileNode> made;
        const char* const ops[] = {"Conv", "Relu", "MatMul", "Add", "If", "Abs", "HardSwish", "HardSigmoid", "Mul"};
        for (int64_t i = 0; i < 9; ++i) {
            FileNode node;
            node.op = ops[i];
            node.is_named = i % 2 == 0;
            node.name = node.is_named ? "n" + std::to_string(i) : node.op + "_" + std::to_string(i);
            node.index = i == 5 || i > 6 ? -1 : i;
            node.inputs = {i ? "v" + std::to_string(i - 1) : "x"};
            node.outputs = {"v" + std::to_string(i)};
            node.label = node.name;
            node.holder = i == 5 ? 4 : -1;
            node.scope = i == 5;
            node.part_of = i > 6 ? 6 : -1;
            node.has_late_parts = i == 6;
            node.layer = i % 3 == 0 ? "enc.0" : "";
            made.push_back(std::move(node));
        }
        return made;
    }();
    return all;
}

void check(const MatchedReport& matched) {
    require(matched.matched_rows + matched.inserted_rows <= matched.rows, "rows are counted once");
    require(std::isfinite(matched.time_us) && matched.time_us >= 0, "times are times");
    for (const ReportedGroup& group : matched.groups)
        for (size_t node : group.nodes) require(node < nodes().size(), "groups are of nodes that are there");
}

}  // namespace

/// The first byte says by which reader.
void fuzz_report(Bytes bytes) {
    if (bytes.empty()) return;
    const auto readers = report_readers();
    const size_t choice = static_cast<unsigned char>(bytes[0]) % (readers.size() + 2);
    bytes.remove_prefix(1);
    if (choice == readers.size()) {
        const Result<onnxruntime::LayerRules> rules = onnxruntime::read_layer_rules(bytes);
        if (!rules || rules->rules.empty()) return;
        for (const FileNode& node : nodes()) (void)rules->rule_of(node.name);
        return;
    }
    if (choice == readers.size() + 1) {
        (void)onnxruntime::with_additions(bytes, {11, {onnxruntime::layer_annotation("a")}, ""});
        return;
    }
    if (!readers[choice].recognizes(bytes)) return;  // as whoever reads one asks first
    const Result<ProgramReport> report = readers[choice].read(bytes);
    if (!report) return;
    if (const Result<MatchedReport> matched = readers[choice].match(*report, nodes())) check(*matched);
}

}  // namespace partita::fuzz
