// `explain`: every decision of the passes with its cause.
#include <memory>
#include <set>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/reports_text.h"
#include "app/cli/terminal.h"
#include "engine/explain/call_trace.h"
#include "engine/explain/coverage.h"
#include "engine/explain/explain.h"
#include "engine/explain/provenance.h"
#include "engine/flow/describe.h"
#include "engine/flow/names.h"
#include "engine/flow/region_names.h"
#include "engine/flow/reported_division.h"
#include "engine/support/one_line.h"
#include "engine/support/whole_number.h"

namespace partita::cli {
namespace {

struct ExplainArguments {
    FlowArguments flow;
    std::string node;
    bool all = false, json = false, stages = false, trace = false, patterns = false;
};

const char* pass_name(PassKind pass) {
    switch (pass) {
        case PassKind::Simplify: return "simplify";
        case PassKind::FoldConstants: return "fold_constants";
        case PassKind::Composite: return "composite";
        case PassKind::Place: return "place";
        case PassKind::Annotate: return "annotate";
        case PassKind::Merge: return "merge";
        case PassKind::Partition: return "partition";
    }
    return "";
}

const char* kind_name(DecisionKind kind) {
    switch (kind) {
        case DecisionKind::Rewritten: return "rewritten";
        case DecisionKind::PatternMatched: return "pattern_matched";
        case DecisionKind::PatternRefused: return "pattern_refused";
        case DecisionKind::Accepted: return "accepted";
        case DecisionKind::RuleFailed: return "rule_failed";
        case DecisionKind::NoRule: return "no_rule";
        case DecisionKind::Overridden: return "overridden";
        case DecisionKind::ByCost: return "by_cost";
        case DecisionKind::Inherited: return "inherited";
        case DecisionKind::SizeLimit: return "size_limit";
        case DecisionKind::Merged: return "merged";
        case DecisionKind::DifferentBackend: return "different_backend";
        case DecisionKind::WouldCloseCycle: return "would_close_cycle";
        case DecisionKind::MergeLimit: return "merge_limit";
        case DecisionKind::PutApart: return "put_apart";
        case DecisionKind::LeftOut: return "left_out";
        case DecisionKind::FromFile: return "from_file";
        case DecisionKind::SubFunctionMade: return "sub_function_made";
        case DecisionKind::ConstantBound: return "constant_bound";
    }
    return "";
}

class DecisionList {
public:
    DecisionList(const FlowOutcome& outcome, const ExpressionNames& names, const std::vector<ExprId>& chosen)
        : outcome_(outcome), names_(names), chosen_(chosen.begin(), chosen.end()) {}

    void write_regions(JsonStream& json) const {
        json.begin_list("regions");
        for (const RegionInfo& region : outcome_.result.regions) {
            Json nodes = Json::array();
            for (ExprId id : region.expressions) {
                if (names_.number(id) > 0) nodes.push_back(names_.number(id));
            }
            json.item(Json{{"function", region.function},
                           {"short_name", region_name(region, names_)},
                           {"backend", region.backend_name},
                           {"nodes", nodes},
                           {"inputs", region.inputs},
                           {"outputs", region.outputs},
                           {"boundary_bytes", whole_number(region.boundary_bytes)},
                           {"flops", whole_number(region.flops)}});
        }
        json.end();
    }

    void write_decisions(JsonStream& json) const {
        json.begin_list("decisions");
        for (const Decision& decision : outcome_.result.log.decisions()) {
            if (chosen_.empty() || chosen_.count(decision.subject) > 0) json.item(to_json(decision));
        }
        json.end();
    }

private:
    Json to_json(const Decision& decision) const {
        Json json{{"pass", pass_name(decision.pass)}, {"kind", kind_name(decision.kind)}};
        if (decision.subject.valid()) json["subject"] = to_json(decision.subject);
        if (decision.other.valid()) json["other"] = to_json(decision.other);
        if (decision.backend >= 0) json["backend"] = outcome_.backends[size_t(decision.backend)].name;
        if (!decision.rule.empty()) json["rule"] = decision.rule;
        if (decision.region >= 0) json["region"] = decision.region;
        if (decision.other_region >= 0) json["other_region"] = decision.other_region;
        const Sentence text =
            decision.kind == DecisionKind::PatternRefused ? refusal_sentence(decision, names_) : decision.detail;
        if (!text.empty()) json["text"] = text.text();
        for (ExprId id : decision.path) json["path"].push_back(to_json(id));
        json["sentence"] = describe(decision, names_, outcome_.backends);
        return json;
    }
    Json to_json(ExprId id) const {
        Json json{{"name", names_.name(id)}};
        if (names_.number(id) > 0) json["node"] = names_.number(id);
        return json;
    }

    const FlowOutcome& outcome_;
    const ExpressionNames& names_;
    std::set<ExprId> chosen_;
};

/// The calls that were chosen; all of them if none was.
std::vector<ExprId> asked_for(const ExpressionNames& names, const std::vector<ExprId>& chosen) {
    return chosen.empty() ? names.calls() : chosen;
}

Json place_json(const StagePlace& place) {
    Json json{{"name", place.name}, {"function", place.function}};
    if (!place.composite.empty()) json["composite"] = place.composite;
    if (!place.label.empty()) json["label"] = place.label;
    if (!place.stated.empty()) json["stated"] = place.stated;
    if (place.position.line) json["line"] = place.position.line;
    return json;
}

void write_stages(JsonStream& json, const Provenance& provenance, const ExpressionNames& names,
                  const std::vector<ExprId>& chosen) {
    json.begin_list("stages");
    for (const ExprId call : asked_for(names, chosen)) {
        Json item{{"name", names.name(call)}, {"node", names.number(call)}};
        for (const StagePlaces& stage : provenance.of(call)) {
            Json& list = item[stage.stage] = Json::array();
            for (const StagePlace& place : stage.places) list.push_back(place_json(place));
        }
        for (const ExprId other : provenance.siblings(call)) item["came_with"].push_back(names.name(other));
        json.item(item);
    }
    json.end();
}

std::string place_text(const StagePlace& place) {
    std::string text = place.name;
    if (!place.label.empty()) text += " '" + place.label + "'";
    if (!place.stated.empty()) text += ", from " + on_one_line(place.stated);
    if (place.position.line) text += ", line " + std::to_string(place.position.line);
    if (!place.composite.empty()) text += " inside " + place.composite;
    return text + " in @" + place.function;
}

std::string stages_text(const Provenance& provenance, const ExpressionNames& names, const std::vector<ExprId>& chosen) {
    std::string text;
    for (const ExprId call : asked_for(names, chosen)) {
        text += names.name(call) + "\n";
        for (const StagePlaces& stage : provenance.of(call)) {
            text += "  " + stage.stage + ":";
            for (size_t i = 0; i < stage.places.size(); ++i) text += (i ? "; " : " ") + place_text(stage.places[i]);
            text += stage.places.empty() ? " nothing of it\n" : "\n";
        }
    }
    return text;
}

/// Calls `tell` with what the rules were asked about each call that was chosen, or all.
template <class Tell>
void for_each_trace(const FlowOutcome& outcome, const ExpressionNames& names, const std::vector<ExprId>& chosen,
                    Tell tell) {
    FlowExplainer explainer(outcome.result, outcome.backends);
    CallTracer tracer(explainer, outcome.result, outcome.backends);
    for (const ExprId call : asked_for(names, chosen))
        if (computed_op(*outcome.result.input, call)) tell(call, tracer.trace(call), tracer);
}

void write_traces(JsonStream& json, const FlowOutcome& outcome, const ExpressionNames& names,
                  const std::vector<ExprId>& chosen) {
    json.begin_list("traces");
    for_each_trace(outcome, names, chosen, [&](ExprId call, const auto& traces, const CallTracer& tracer) {
        Json item{{"name", names.name(call)}, {"node", names.number(call)}, {"asked", Json::array()}};
        for (const RuleTrace& trace : traces) item["asked"].push_back(Json(tracer.to_json(trace)));
        json.item(item);
    });
    json.end();
}

std::string traces_text(const FlowOutcome& outcome, const ExpressionNames& names, const std::vector<ExprId>& chosen) {
    std::string text;
    for_each_trace(outcome, names, chosen, [&](ExprId call, const auto& traces, const CallTracer& tracer) {
        text += names.name(call) + (traces.empty() ? ": no rule was asked\n" : "\n");
        for (const RuleTrace& trace : traces) text += tracer.to_text(trace);
    });
    return text;
}

void write_places(JsonStream& json, FlowExplainer& explainer, const std::vector<ExprId>& chosen) {
    json.begin_list("patterns");
    for (const ExprId call : asked_for(explainer.names(), chosen)) {
        Json item{{"name", explainer.names().name(call)},
                  {"node", explainer.names().number(call)},
                  {"places", Json::array()}};
        for (const PatternPlace& place : explainer.pattern_places(call))
            item["places"].push_back(Json(explainer.to_json(place)));
        json.item(item);
    }
    json.end();
}

std::string places_text(FlowExplainer& explainer, const std::vector<ExprId>& chosen) {
    std::string text;
    for (const ExprId call : asked_for(explainer.names(), chosen)) {
        const std::vector<PatternPlace> places = explainer.pattern_places(call);
        text += explainer.names().name(call) + (places.empty() ? ": no pattern has such an operator\n" : "\n");
        for (const PatternPlace& place : places) text += "    " + explainer.to_text(place) + "\n";
    }
    return text;
}

void print_json(const ExplainArguments& arguments, const FlowOutcome& outcome, const ExpressionNames& names,
                const std::vector<ExprId>& chosen, const Provenance* provenance) {
    DecisionList list(outcome, names, chosen);
    JsonStream json = stream_json();
    json.begin_object();
    json.member("file", Json(arguments.flow.file));
    write_explanations(json, outcome.result, outcome.backends, chosen);
    list.write_regions(json);
    list.write_decisions(json);
    if (provenance) write_stages(json, *provenance, names, chosen);
    if (arguments.trace) write_traces(json, outcome, names, chosen);
    if (arguments.patterns) {
        FlowExplainer explainer(outcome.result, outcome.backends);
        write_places(json, explainer, chosen);
    }
    if (outcome.reports) json.member("from", reports_json(*outcome.reports));
    json.end();
}

int run(const ExplainArguments& arguments) {
    std::optional<FlowOutcome> outcome = open_and_run_flow(arguments.flow, true);
    if (!outcome) return kRefused;
    ExpressionNames names(*outcome->result.input);
    std::vector<ExprId> chosen;
    if (!arguments.node.empty()) chosen = names.select(arguments.node);
    if (!arguments.node.empty() && chosen.empty()) {
        report({Severity::Error, arguments.flow.file, {}, "--node " + arguments.node + ": no call matches"});
        return kRefused;
    }
    std::string places;
    if (arguments.patterns && !arguments.json) {
        FlowExplainer explainer(outcome->result, outcome->backends);
        places = folded(wrapped(places_text(explainer, chosen)), arguments.all) + "\n";
    }
    std::optional<Provenance> provenance;
    if (arguments.stages) provenance.emplace(outcome->result, outcome->opened, outcome->operators);
    if (arguments.json) print_json(arguments, *outcome, names, chosen, provenance ? &*provenance : nullptr);
    else
        print(folded(wrapped(explain_text(outcome->result, outcome->backends, chosen)), arguments.all) + "\n" +
              (provenance ? folded(stages_text(*provenance, names, chosen), arguments.all) + "\n" : "") +
              (arguments.trace ? folded(wrapped(traces_text(*outcome, names, chosen)), arguments.all) + "\n" : "") +
              places + placement_summary(*outcome) + "\n" +
              (outcome->reports ? reported_calls_text(*outcome->reports, names, asked_for(names, chosen)) : ""));
    return check_required(arguments.flow, *outcome) ? kDone : kRefused;
}

}  // namespace

void add_explain_command(CLI::App& app, int& status) {
    CLI::App* command =
        app.add_subcommand("explain", "show where each call goes and why, and why regions did not merge");
    auto arguments = std::make_shared<ExplainArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    command
        ->add_option("--node", arguments->node,
                     "only these calls: a number (12), an op's name or a pattern of names (op:nn.conv2d*), or "
                     "name:PATTERN for the "
                     "names that an ONNX model gives its nodes; also shows the "
                     "backends' patterns that could begin there, and where they fail")
        ->type_name("N");
    command->add_flag("--stages", arguments->stages,
                      "also show where each call came from and what became of it at each stage");
    command->add_flag(
        "--trace", arguments->trace,
        "also show all that the rules asked about each call, taken or refused, in order: terms with their "
        "values, and of rules in Python the lines that were reached");
    command->add_flag("--patterns", arguments->patterns,
                      "also show the patterns that have an operator of the call's kind anywhere: which part of each it "
                      "could be, how much of the pattern is there, and what is missing");
    command->add_flag("--all", arguments->all, "print long lists whole on a terminal, too");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
