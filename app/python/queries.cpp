#include "app/python/queries.h"

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "app/python/run.h"
#include "app/python/waiting.h"
#include "engine/explain/what_if.h"
#include "engine/flow/region_names.h"
#include "engine/session/gates.h"
#include "engine/session/placing.h"
#include "engine/support/file.h"
#include "engine/support/in_file.h"
#include "engine/support/json_text.h"

namespace partita::python {
namespace {

using Json = nlohmann::ordered_json;

std::string ascii_text(const Json& json) { return json_text(json, -1, JsonLetters::Ascii); }

std::string plain_graph(ExportSubject subject) {
    return value_or_raise(wait_for(subject.cancel, [&] { return write_plain_graph(subject); }));
}

template <class Gate>
std::vector<Gate> gates_of(const std::vector<std::string>& texts, Result<Gate> (*read)(std::string_view)) {
    std::vector<Gate> gates;
    for (const std::string& text : texts) gates.push_back(value_or_raise(read(text)));
    return gates;
}

}  // namespace

std::string graph_text(const OpenedInput& opened) {
    ExportSubject subject = export_subject(opened.module, title_of(opened));
    subject.plain = opened.graph;
    return plain_graph(std::move(subject));
}

std::string graph_text(const Division& division) {
    ExportSubject subject = export_subject(division.flow().input, title_of(*division.opened));
    if (division.flow().input == division.opened->module) subject.plain = division.opened->graph;
    return plain_graph(std::move(subject));
}

std::string calls_text(const Division& division, const std::string& query) {
    const FlowResult& flow = division.flow();
    const ForbiddenCalls asked = value_or_raise(read_forbidden(query.empty() ? "op:*" : query));
    return wait_for({}, [&] {
        const ExpressionNames names(*flow.input);
        const std::vector<std::string> by_node = node_names(*flow.input);
        std::vector<const RegionInfo*> region_of(flow.input->size());
        for (const RegionInfo& region : flow.regions)
            for (const ExprId id : region.expressions)
                if (id.value < region_of.size()) region_of[id.value] = &region;
        Json list = Json::array();
        for (const ExprId call : find_calls(flow, division.backends(), asked.query)) {
            const int backend = flow.backend_of[call.value];
            const RegionInfo* region = region_of[call.value];
            list.push_back({{"name", by_node[call.value]},
                            {"number", names.number(call)},
                            {"call", names.name(call)},
                            {"op", names.callee(call)},
                            {"backend", backend < 0 ? "default" : division.backends()[size_t(backend)].name},
                            {"region", region ? Json(region_name(*region, names)) : Json(nullptr)}});
        }
        return ascii_text(list);
    });
}

std::string check_gates_text(const Division& division, const GateTexts& texts) {
    Gates gates{gates_of(texts.at_least, read_share_gate), gates_of(texts.most_regions, read_region_gate),
                gates_of(texts.forbid, read_forbidden), std::nullopt};
    if (!texts.baseline.empty()) gates.baseline = value_or_raise(read_baseline(texts.baseline));
    const FlowResult& flow = division.flow();
    const CancelToken cancel;
    std::vector<GateResult> results = value_or_raise(wait_for(cancel, [&]() -> Result<std::vector<GateResult>> {
        const CoverageReport coverage = report_coverage(flow, division.backends(), cancel);
        if (!texts.write_baseline.empty()) {
            const std::string text = baseline_text(flow, division.backends(), coverage, title_of(*division.opened));
            if (Status written = write_file(texts.write_baseline, text); !written)
                return in_file(written.error(), texts.write_baseline);
        }
        return check_gates(gates, flow, division.backends(), coverage);
    }));
    for (const std::string& text : texts.require)
        results.push_back(value_or_raise(check_requirement(text, flow, division.backends(), divide_words())));
    const ExpressionNames names(*flow.input);
    Json list = Json::array();
    for (const auto& [gate, faults] : results) {
        Json said = Json::array();
        for (const GateFault& fault : faults)
            said.push_back({{"text", fault.text}, {"number", fault.call.valid() ? names.number(fault.call) : 0}});
        list.push_back({{"gate", gate}, {"faults", std::move(said)}});
    }
    return ascii_text(list);
}

std::string what_if_text_of(const Division& division, size_t best, const std::string& by) {
    const auto goal = std::find(goal_names().begin(), goal_names().end(), by);
    if (goal == goal_names().end()) throw Refusal{error("by is 'regions', 'boundary', 'calls' or 'work'")};
    if (division.flow().annotated_before)
        throw Refusal{
            error("what_if evaluates other rules, but this file has annotations already, so no rule applies")};
    const auto wanted = WhatIfGoal(goal - goal_names().begin());
    const FlowOptions& options = division.divided.options;
    const std::vector<WhatIf> list = value_or_raise(wait_for(options.cancel, [&] {
        return best > 0 ? best_changes(division.flow(), options, best, wanted)
                        : what_if(division.flow(), options, wanted);
    }));
    return ascii_text(Json(what_if_json(list, division.backends())));
}

std::string place_text(const Division& division, const PlaceSettings& settings) {
    require_permission(division);
    PlacingRequest request{division.flow().input, division.divided.options, {}, settings.costs, "", false};
    RunSettings run;
    run.threads = settings.threads;
    run.warmup = 1;
    run.repeat = 5;
    request.place.measure_seconds = settings.seconds;
    request.place.run = run_options(run, division.backends());
    request.place.cancel = request.place.run.cancel;
    const PlacedModule placed =
        value_or_raise(wait_for(request.place.cancel, [&] { return place_module(std::move(request)); }));
    const PlacementAnswer& answer = placed.answer;
    Json operators = Json::array();
    for (const PlacedOperator& op :
         placed_operators(*placed.task.module, placed.task.model.overrides_of(answer.chosen.labels)))
        operators.push_back({{"number", op.number}, {"backend", op.backend}});
    const Json measured = answer.chosen.measured_ms > 0 ? Json(answer.chosen.measured_ms) : Json(nullptr);
    return ascii_text({{"predicted_ms", answer.chosen.predicted_ms},
                       {"chosen_ms", measured},
                       {"bound_ms", answer.bound_ms},
                       {"gap", answer.gap},
                       {"rules_stay", answer.rules_stay()},
                       {"regions", answer.chosen.regions},
                       {"operators", std::move(operators)}});
}

}  // namespace partita::python
