#include "engine/explain/what_if_float16.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "engine/ir/file_operators.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

constexpr size_t kMostKinds = 12, kMostSingle = 12;

/// Returns the operators of the file, if it says which of its constants could have 16 bits.
std::shared_ptr<const FileOperators> operators_of(const FlowOptions& options) {
    for (const BackendDescription& backend : options.backends)
        if (backend.operators && backend.operators->narrowable().as_float16) return backend.operators;
    return nullptr;
}

/// Lists the constants with the operators that read them.
class Constants {
public:
    Constants(const Graph& graph, const Module& module, const std::vector<std::string>& names) : module_(module) {
        const std::unordered_set<std::string_view> wanted(names.begin(), names.end());
        std::unordered_map<std::string_view, std::vector<ExprId>> calls;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (computed_op(module, ExprId(i))) calls[module.label(ExprId(i))].push_back(ExprId(i));
        for (const PlainNode& node : graph.nodes)
            for (GraphValueId input : node.inputs) {
                if (!input.valid() || !wanted.contains(graph[input].name)) continue;
                const std::vector<ExprId>& readers = calls[node.name];
                note(all_, graph[input], readers);
                note(kinds_[node.op], graph[input], readers);
                auto [known, is_new] = place_of_.emplace(graph[input].name, singles_.size());
                if (is_new) singles_.emplace_back();
                note(singles_[known->second], graph[input], readers);
            }
    }

    /// What is said twice is left out.
    std::vector<WhatIf> rows() {
        std::vector<WhatIf> rows;
        const auto add = [&](Some& constants, Sentence title) {
            const auto same = [&](const WhatIf& row) { return row.float16 == constants.names; };
            if (constants.names.empty() || std::any_of(rows.begin(), rows.end(), same)) return;
            rows.push_back(row_of(constants, std::move(title)));
        };
        const bool single = all_.names.size() == 1;
        if (!single) add(all_, {SENTENCE("Engine", "float16 for every float32 constant"), {}});
        std::vector<std::pair<std::string, Some>> kinds(kinds_.begin(), kinds_.end());
        std::stable_sort(kinds.begin(), kinds.end(),
                         [](const auto& a, const auto& b) { return a.second.elements > b.second.elements; });
        std::stable_sort(singles_.begin(), singles_.end(),
                         [](const Some& a, const Some& b) { return a.elements > b.elements; });
        for (size_t i = 0; i < std::min(kinds.size(), kMostKinds); ++i)
            if (kinds[i].second.names.size() > 1)
                add(kinds[i].second, {SENTENCE("Engine", "float16 for the constants of %1"), {kinds[i].first}});
        for (size_t i = 0; i < std::min(singles_.size(), kMostSingle); ++i)
            add(singles_[i], {SENTENCE("Engine", "float16 for the constant %1"), {singles_[i].names.front()}});
        return rows;
    }

private:
    struct Some {
        std::vector<std::string> names;
        std::vector<ExprId> readers;
        double elements = 0;
        std::unordered_set<std::string_view> known;
    };

    static void note(Some& constants, const PlainValue& value, const std::vector<ExprId>& readers) {
        if (constants.known.insert(value.name).second) {
            constants.names.push_back(value.name);
            constants.elements += double(element_count(value.shape).value_or(0));
        }
        constants.readers.insert(constants.readers.end(), readers.begin(), readers.end());
    }

    WhatIf row_of(Some& constants, Sentence title) const {
        std::sort(constants.readers.begin(), constants.readers.end());
        constants.readers.erase(std::unique(constants.readers.begin(), constants.readers.end()),
                                constants.readers.end());
        WhatIf row;
        row.cause.reason = std::move(title);
        row.cause.calls = constants.readers;
        for (ExprId call : constants.readers) row.cause.flops += call_flops(module_, call);
        row.float16 = constants.names;
        return row;
    }

    const Module& module_;
    Some all_;
    std::map<std::string, Some> kinds_;
    std::vector<Some> singles_;
    std::unordered_map<std::string, size_t> place_of_;
};

Result<FlowFigures> figures_with(const FileForm& form, const FlowOptions& options) {
    FlowOptions changed = options;
    changed.graph = form.graph;
    changed.log_decisions = false;
    changed.until = FlowStage::Partition;
    for (BackendDescription& backend : changed.backends)
        if (backend.operators) backend.operators = form.operators;
    const Result<FlowResult> flow = run_flow(form.module, changed);
    if (!flow) return flow.error();
    return figures_of(*flow);
}

}  // namespace

Result<std::vector<WhatIf>> what_if_float16(const FlowResult& flow, const FlowOptions& options) {
    const std::shared_ptr<const FileOperators> operators = operators_of(options);
    const bool by_hand = !options.overrides.empty() || !options.region_groups.empty() || options.reported;
    if (!operators || !options.graph || by_hand || flow.annotated_before) return std::vector<WhatIf>();
    const NarrowableConstants& narrowable = operators->narrowable();
    std::vector<WhatIf> rows = Constants(*options.graph, *flow.input, narrowable.names).rows();
    const FlowFigures before = figures_of(flow);
    std::vector<WhatIf> measured;
    for (WhatIf& row : rows) {
        const Result<FileForm> form = narrowable.as_float16(row.float16, options.cancel);
        const Result<FlowFigures> after = form ? figures_with(*form, options) : Result<FlowFigures>(form.error());
        if (options.cancel.cancelled()) return error("cancelled");
        if (!after) continue;  // a file that can't be divided so
        row.before = before;
        row.after = *after;
        if (measured.empty() || !(row.before == row.after)) measured.push_back(std::move(row));
    }
    return measured;
}

}  // namespace partita
