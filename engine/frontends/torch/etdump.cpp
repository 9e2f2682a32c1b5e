// ETDump: the times of a run of ExecuTorch (devtools/etdump of cff6f4d). An event belongs to an instruction; those of a
// delegate to what its debug map says, or, where a backend leaves that empty (XNNPACK), to nodes of its kind in order.
#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include <nlohmann/json.hpp>

#include "engine/frontends/torch/reports.h"
#include "engine/support/flat_buffer.h"
#include "engine/support/json_text.h"

namespace partita::torch {

namespace {

constexpr std::string_view kDelegateCall = "DELEGATE_CALL", kOperatorCall = "OPERATOR_CALL", kKernel = "native_call_",
                           kInside = "inside of a delegate";
constexpr double kTicksOfAMicrosecond = 1000;  // nanoseconds, unless a device counts otherwise

/// What the names of a delegate's events mean: words of the names of nodes.
struct KindOfEvent {
    std::string_view begin;
    std::array<std::string_view, 3> words;
};
constexpr KindOfEvent kKinds[] = {
    {"Convolution", {"conv"}},
    {"Deconvolution", {"conv"}},
    {"Max Pooling", {"max_pool"}},
    {"ArgMax Pooling", {"max_pool"}},
    {"Global Average Pooling", {"mean", "avg_pool"}},
    {"Average Pooling", {"avg_pool", "mean"}},
    {"Fully Connected", {"linear", "addmm", "mm"}},
    {"Batch Matrix Multiply", {"bmm", "matmul"}},
    {"Clamp", {"hardtanh", "relu", "clamp"}},
    {"Add", {"add"}},
    {"Subtract", {"sub"}},
    {"Multiply", {"mul"}},
    {"Divide", {"div"}},
    {"Softmax", {"softmax"}},
    {"Sigmoid", {"sigmoid"}},
    {"HardSwish", {"hardswish"}},
    {"Leaky ReLU", {"leaky_relu"}},
    {"PReLU", {"prelu"}},
    {"ELU", {"elu"}},
    {"Mean", {"mean"}},
    {"Convert", {"quantize", "to_copy"}},
    {"Transpose", {"permute", "transpose"}},
    {"Copy", {"view", "slice", "cat"}},
    {"Concatenate", {"cat"}},
    {"Constant Pad", {"pad"}},
    {"Resize Bilinear", {"upsample"}},
    {"Maximum", {"maximum"}},
    {"Minimum", {"minimum"}},
    {"Square Root", {"sqrt"}},
    {"Negate", {"neg"}},
    {"Floor", {"floor"}},
    {"Ceiling", {"ceil"}},
    {"Absolute Value", {"abs"}},
};

bool is_of_kind(std::string_view event, std::string_view op) {
    for (const KindOfEvent& kind : kKinds)
        if (event.starts_with(kind.begin))
            return std::any_of(kind.words.begin(), kind.words.end(), [&](std::string_view word) {
                return !word.empty() && op.find(word) != std::string_view::npos;
            });
    return false;
}

class DumpReader {
public:
    explicit DumpReader(std::string_view bytes) : all_(bytes), bytes_(bytes) {}

    ProgramReport read() {
        const bool prefixed = all_.substr(8, 4) == "ED00";
        if (prefixed) {
            const uint32_t size = flat_number();
            if (size > all_.size() - 4)
                throw flat::Fault{"its size prefix says " + std::to_string(size) + " bytes; the file has " +
                                  std::to_string(all_.size() - 4)};
        }
        const flat::Table root = flat::Table::root(bytes_, "ED00", prefixed ? 4 : 0);
        const flat::Vector runs = root.vector(1);
        ProgramReport report;
        report.runs = 0;
        for (size_t r = 0; r < runs.size(); ++r) {
            const flat::Vector events = runs.table(r).vector(3);
            bool has_node = false;  // others tell of loading
            for (size_t e = 0; e < events.size(); ++e)
                if (const flat::Table event = events.table(e).table(0)) has_node |= add(event);
            report.runs += has_node;
        }
        report.runs = std::max(report.runs, 1);
        report.has_times = true;
        report.rows = std::move(rows_);
        return report;
    }

private:
    uint32_t flat_number() const {
        uint32_t value;
        std::memcpy(&value, all_.data(), 4);
        return value;
    }

    /// Returns whether the event is of a node.
    bool add(const flat::Table& event) {
        const int32_t instruction = event.number<int32_t>(2, -1), id = event.number<int32_t>(3, -1);
        std::string name(event.text(0).substr(0, 200)), debug_id(event.text(4).substr(0, 200));
        if (id >= 0) debug_id = std::to_string(id);
        const bool is_inside = !debug_id.empty();
        // A kernel has two events, of which one encloses the other; loading and the whole run are no nodes.
        if (instruction < 0 || name == kOperatorCall) return false;
        if (!is_inside && name != kDelegateCall && !name.starts_with(kKernel)) return false;
        const uint64_t start = event.number<uint64_t>(6), end = event.number<uint64_t>(7);
        const double time = end > start ? double(end - start) / kTicksOfAMicrosecond : 0;
        const auto [found, is_new] = by_key_.try_emplace({instruction, name, debug_id}, rows_.size());
        if (is_new) {
            ReportRow row;
            row.name = std::move(name);
            row.op = std::move(debug_id);
            row.backend = is_inside ? kInside : "";
            row.index = instruction;
            row.count = 0;
            rows_.push_back(std::move(row));
        }
        ReportRow& row = rows_[found->second];
        ++row.count;
        row.time_us += time;
        if (!is_inside) row.total_us += time;
        return true;
    }

    std::string_view all_;
    flat::Bytes bytes_;
    std::vector<ReportRow> rows_;
    std::map<std::tuple<int32_t, std::string, std::string>, size_t> by_key_;
};

/// What a node says of the run: its instruction, its delegate, and what it is called in there.
struct RunPlace {
    const FileNode* node;
    std::string delegate;
    std::vector<std::string> ids;
    bool used = false;
};

class DumpMatcher {
public:
    explicit DumpMatcher(const std::vector<FileNode>& nodes) {
        for (const FileNode& node : nodes) {
            if (node.said.find("\"instruction\"") == std::string::npos) continue;
            const nlohmann::json said = json_of_text(node.said);
            if (!said.is_object() || !said.contains("instruction") || !said["instruction"].is_number_integer())
                continue;
            RunPlace place{&node, {}, {}};
            if (said.contains("delegate") && said["delegate"].is_string()) place.delegate = said["delegate"];
            if (said.contains("delegate_ids") && said["delegate_ids"].is_array())
                for (const nlohmann::json& id : said["delegate_ids"])
                    if (id.is_string()) place.ids.push_back(id);
            places_[said["instruction"].get<int64_t>()].push_back(std::move(place));
        }
    }

    MatchedReport match(const ProgramReport& report) {
        matched_.runs = report.runs;
        for (const ReportRow& row : report.rows)
            if (row.backend == kInside) add(row, inside(row));
        for (const ReportRow& row : report.rows)
            if (row.backend != kInside) add(row, outside(row));
        return std::move(matched_);
    }

private:
    /// The node of a delegate's event; null where none is known to be meant.
    RunPlace* inside(const ReportRow& row) {
        const auto places = places_.find(row.index);
        if (places == places_.end()) return nullptr;
        for (RunPlace& place : places->second)
            for (const std::string& id : place.ids)
                if (id == row.op || (!row.op.empty() && row.op.find(id) != std::string::npos))
                    return found_inside(row, place);
        // Those behind the last one that was found come first: delegates run in the order of the nodes.
        std::vector<RunPlace>& all = places->second;
        for (size_t i = 0; i < all.size(); ++i) {
            RunPlace& place = all[(last_inside_[row.index] + i) % all.size()];
            const bool is_meant = is_of_kind(row.name, place.node->op) || is_of_kind(row.op, place.node->op);
            if (!place.ids.empty() || place.used || !is_meant) continue;
            place.used = true;
            last_inside_[row.index] = size_t(&place - all.data()) + 1;
            return found_inside(row, place);
        }
        return nullptr;
    }
    RunPlace* found_inside(const ReportRow& row, RunPlace& place) {
        joined_inside_.insert(row.index);
        return &place;
    }

    /// The node of a kernel. Of a call of a delegate its first; the time is told of its nodes where they have times.
    RunPlace* outside(const ReportRow& row) {
        const auto places = places_.find(row.index);
        if (places == places_.end() || places->second.empty()) return nullptr;
        if (row.name.starts_with(kKernel)) {
            // "native_call_add.out" is no call of another operator.
            std::string_view kernel = std::string_view(row.name).substr(kKernel.size());
            kernel = kernel.substr(0, kernel.rfind('.'));
            if (places->second.front().node->op.find(kernel) == std::string::npos) return nullptr;
        }
        for (const RunPlace& place : places->second)
            if (!place.delegate.empty()) matched_.nodes[place.node->name].backend = place.delegate;
        return &places->second.front();
    }

    void add(const ReportRow& row, const RunPlace* place) {
        matched_.rows += row.count;
        matched_.time_us += row.total_us;
        if (!place) {
            const std::string title = row.op.empty() || row.op == row.name ? row.name : row.name + " " + row.op;
            const std::string at = "instruction " + std::to_string(row.index) + ": " + title;
            if (told_.insert(at).second) matched_.unmatched.push_back(at);
            return;
        }
        matched_.matched_rows += row.count;
        matched_.matched_time_us += row.total_us;
        NodeReport& of = matched_.nodes[place->node->name];
        const bool is_told = row.backend != kInside && joined_inside_.contains(row.index);
        if (!is_told) of.time_us += row.time_us;
        if (!place->delegate.empty()) of.backend = place->delegate;
    }

    std::map<int64_t, std::vector<RunPlace>> places_;
    std::map<int64_t, size_t> last_inside_;
    std::set<int64_t> joined_inside_;
    std::set<std::string> told_;
    MatchedReport matched_;
};

}  // namespace

bool is_etdump(std::string_view bytes) {
    return bytes.size() >= 12 && (bytes.substr(4, 4) == "ED00" || bytes.substr(8, 4) == "ED00");
}

Result<ProgramReport> read_etdump(std::string_view bytes) {
    try {
        return DumpReader(bytes).read();
    } catch (const flat::Fault& fault) {
        return error(fault.message);
    }
}

Result<MatchedReport> match_etdump(const ProgramReport& report, const std::vector<FileNode>& nodes) {
    MatchedReport matched = DumpMatcher(nodes).match(report);
    if (matched.matched_rows * 5 < matched.rows)
        return error("of its " + std::to_string(matched.rows) + " events " + std::to_string(matched.matched_rows) +
                     " belong to an instruction of this file: open the .pte, or the ETRecord with its maps");
    return matched;
}

}  // namespace partita::torch
