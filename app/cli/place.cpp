// `place`: chooses the backend of every operator by measured cost, and shows what other choices would cost.
#include <cmath>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/costs/pareto.h"
#include "engine/session/placing.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

struct PlaceArguments {
    FlowArguments flow;
    RunSettings run;
    std::string costs_file, output_file, check_file, pareto;
    double measure_seconds = 60;
    bool json = false, quiet = false;
};

/// What was found, and what it is about.
struct PlaceOutput {
    const PlacementTask& task;
    const PlacementAnswer& answer;
    const ExpressionNames& names;
    std::vector<ParetoPoint> curve;
};

std::string milliseconds(double ms) {
    if (ms == 0) return "-";
    return fixed_text(ms, ms < 1 ? 4 : ms < 100 ? 3 : 1);
}

std::string operator_name(const PlaceOutput& output, uint32_t op) {
    return output.names.name(output.task.model.operators()[op].expr);
}

std::string term_text(const PlaceOutput& output, const CostTerm& term) {
    const CostModel& model = output.task.model;
    if (term.kind == CostTerm::Kind::Unit)
        return operator_name(output, term.op) + " on " + model.name(term.from) + " " + milliseconds(term.ms);
    return "from " + model.name(term.from) + " to " + model.name(term.to) + ", " + fixed_text(term.mb, 3) + " MB, " +
           milliseconds(term.ms);
}

std::string terms_text(const PlaceOutput& output, const std::vector<CostTerm>& terms) {
    std::string text;
    for (const CostTerm& term : terms) text += (text.empty() ? "" : " + ") + term_text(output, term);
    return text;
}

std::string candidates_text(const PlaceOutput& output) {
    Table table({"placement", "regions", "measured ms", "predicted ms"});
    const auto add = [&](const PlacedCandidate& candidate, const std::string& name) {
        table.add({name, std::to_string(candidate.regions), milliseconds(candidate.measured_ms),
                   milliseconds(candidate.predicted_ms)});
    };
    add(output.answer.chosen, "chosen");
    for (const PlacedCandidate& candidate : output.answer.others) add(candidate, candidate.name);
    return table.text();
}

std::string contested_text(const PlaceOutput& output) {
    std::string text;
    for (const FlipCost& flip : output.answer.contested) {
        const std::string& here = output.task.model.name(output.answer.chosen.labels[flip.op]);
        text += operator_name(output, flip.op) + " is on " + here + "; on " + output.task.model.name(flip.to) + " " +
                (flip.ms < 0 ? "" : "+") + fixed_text(flip.ms, 4) + " ms, " + (flip.regret_ms < 0 ? "" : "+") +
                fixed_text(flip.regret_ms, 4) + " ms if others follow\n    now:  " + terms_text(output, flip.before) +
                "\n    then: " + terms_text(output, flip.after) + "\n";
    }
    return text;
}

std::string place_text(const PlaceOutput& output) {
    const PlacementAnswer& answer = output.answer;
    std::string text = "chosen: " + std::to_string(answer.chosen.regions) + " regions, ";
    if (answer.chosen.measured_ms > 0) text += milliseconds(answer.chosen.measured_ms) + " ms measured, ";
    text += milliseconds(answer.chosen.predicted_ms) + " ms predicted\n";
    text += "by these costs no placement takes less than " + milliseconds(answer.bound_ms) + " ms (gap " +
            fixed_text(100 * answer.gap, 2) + " %)";
    if (answer.error_median > 0)
        text += "; predictions are off by " + fixed_text(100 * answer.error_median, 1) + " % in the median";
    text += "\n\n" + candidates_text(output);
    if (!answer.contested.empty())
        text += "\ncontested operators, the smallest regret first:\n" + contested_text(output);
    if (output.curve.empty()) return text;
    Table table({"regions", "weights on backends MB", "predicted ms"});
    for (const ParetoPoint& point : output.curve)
        table.add({std::to_string(point.regions), fixed_text(point.weight_mb, 3), milliseconds(point.predicted_ms)});
    return text + "\nwhat less costs:\n" + table.text();
}

Json terms_json(const PlaceOutput& output, const std::vector<CostTerm>& terms) {
    Json list = Json::array();
    for (const CostTerm& term : terms) {
        const bool unit = term.kind == CostTerm::Kind::Unit;
        Json item{{"kind", unit ? "operator" : "crossing"},
                  {"number", output.names.number(output.task.model.operators()[term.op].expr)},
                  {"from", output.task.model.name(term.from)},
                  {"to", output.task.model.name(term.to)}};
        if (!unit) item["mb"] = term.mb;
        item["ms"] = term.ms;
        list.push_back(std::move(item));
    }
    return list;
}

Json measured(double ms) { return ms > 0 ? Json(ms) : Json(nullptr); }

Json candidate_json(const PlacedCandidate& candidate) {
    return {{"name", candidate.name},
            {"regions", candidate.regions},
            {"measured_ms", measured(candidate.measured_ms)},
            {"predicted_ms", candidate.predicted_ms}};
}

Json place_json(const PlaceOutput& output, const std::string& file) {
    const PlacementAnswer& answer = output.answer;
    const CostModel& model = output.task.model;
    const PlacedCandidate* rules = answer.find("rules");
    Json json{{"file", file},
              {"chosen_ms", measured(answer.chosen.measured_ms)},
              {"predicted_ms", answer.chosen.predicted_ms},
              {"bound_ms", answer.bound_ms},
              {"gap", answer.gap},
              {"rules_ms", measured(rules->measured_ms)},
              {"rules_predicted_ms", rules->predicted_ms},
              {"regions", answer.chosen.regions}};
    Json singles = Json::object();
    for (uint16_t label = 0; label < model.labels(); ++label)
        if (const PlacedCandidate* single = answer.find(model.name(label)))
            singles[model.name(label)] = {{"measured_ms", measured(single->measured_ms)},
                                          {"predicted_ms", single->predicted_ms}};
    json["singles"] = std::move(singles);
    json["placements"] = Json::array({candidate_json(answer.chosen)});
    for (const PlacedCandidate& candidate : answer.others) json["placements"].push_back(candidate_json(candidate));
    json["contested"] = Json::array();
    for (const FlipCost& flip : answer.contested)
        json["contested"].push_back({{"number", output.names.number(model.operators()[flip.op].expr)},
                                     {"name", operator_name(output, flip.op)},
                                     {"backend", model.name(answer.chosen.labels[flip.op])},
                                     {"to", model.name(flip.to)},
                                     {"flip_ms", flip.ms},
                                     {"regret_ms", flip.regret_ms},
                                     {"before", terms_json(output, flip.before)},
                                     {"after", terms_json(output, flip.after)}});
    json["error_median"] = answer.error_median > 0 ? Json(answer.error_median) : Json(nullptr);
    for (const ParetoPoint& point : output.curve)
        json["curve"].push_back(
            {{"regions", point.regions}, {"weight_mb", point.weight_mb}, {"predicted_ms", point.predicted_ms}});
    json["operators"] = Json::array();
    for (const PlacedOperator& op : placed_operators(*output.task.module, model.overrides_of(answer.chosen.labels)))
        json["operators"].push_back({{"number", op.number}, {"backend", op.backend}});
    return json;
}

PlaceOptions place_options(const PlaceArguments& arguments, const FlowOutcome& outcome) {
    PlaceOptions options;
    options.measure_seconds = arguments.measure_seconds;
    options.run = run_options(arguments.run, outcome);
    options.cancel = options.run.cancel;
    if (!arguments.quiet && !arguments.json)
        options.progress = [&](double fraction, const std::string& what) {
            report({Severity::Note, "", {}, fixed_text(100 * fraction, 0) + " %: " + what});
        };
    return options;
}

Status write_placement(const PlaceArguments& arguments, const FlowOutcome& outcome, const PlacedModule& placed) {
    if (arguments.output_file.empty()) return Nothing();
    std::vector<std::string> backends;
    for (const BackendDescription& backend : outcome.backends)
        backends.push_back(backend.file.empty() ? backend.name : backend.file);
    return save_placement(arguments.output_file, placement_of(placed, outcome.title, std::move(backends),
                                                              outcome.options.simplify, outcome.options.fold));
}

/// Returns whether the placement of --check is as good as any that was found, but for noise; reports it if not.
bool check_given(const PlaceArguments& arguments, const PlacementAnswer& answer) {
    if (arguments.check_file.empty()) return true;
    const PlacedCandidate& given = *answer.find("given");
    const bool measured_both = given.measured_ms > 0 && answer.chosen.measured_ms > 0;
    const double mine = measured_both ? given.measured_ms : given.predicted_ms;
    const double best = measured_both ? answer.chosen.measured_ms : answer.chosen.predicted_ms;
    if (answer.given_holds) return true;
    report({Severity::Error,
            arguments.check_file,
            {},
            "a better placement was found: " + milliseconds(best) + " ms instead of " + milliseconds(mine) + " ms"});
    return false;
}

int place(const PlaceArguments& arguments) {
    std::optional<FlowOutcome> outcome = open_and_run_flow(arguments.flow, false);
    if (!outcome) return kRefused;
    if (!check_code(arguments.flow, *outcome)) return kRefused;
    if (outcome->backends.empty()) return refuse(error("there is nothing to choose from: give --backends"));
    PlacingRequest request{outcome->result.input, outcome->options, place_options(arguments, *outcome),
                           arguments.costs_file, arguments.check_file};
    request.flow.simplify = false;  // the flow has done it
    const TimeLimit limit(arguments.run.time_limit, request.place.cancel);
    Result<PlacedModule> placed = place_module(std::move(request));
    if (!placed) return refuse(limit.explain(placed.error()), arguments.flow.file);
    for (const Diagnostic& note : placed->notes) report(note);
    const ExpressionNames names(*placed->task.module);
    PlaceOutput output{placed->task, placed->answer, names, {}};
    if (!arguments.pareto.empty()) {
        Result<std::vector<ParetoPoint>> curve = pareto_curve(
            placed->task, placed->table, arguments.pareto == "weights" ? ParetoGoal::Weights : ParetoGoal::Regions);
        if (!curve) return refuse(curve.error(), arguments.flow.file);
        output.curve = std::move(*curve);
    }
    print(arguments.json ? json_text(place_json(output, arguments.flow.file)) : place_text(output));
    if (Status written = write_placement(arguments, *outcome, *placed); !written) return refuse(written.error());
    return check_given(arguments, placed->answer) ? kDone : kRefused;
}

}  // namespace

void add_place_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "place", "choose the backend of every operator by measured cost, and show what other choices would cost");
    auto arguments = std::make_shared<PlaceArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    command
        ->add_option("--costs", arguments->costs_file,
                     "the table of measured costs: read, completed and written. Without it, one in the cache folder")
        ->type_name("F");
    command
        ->add_option("--measure-seconds", arguments->measure_seconds,
                     "how long to measure; 0: measure nothing, and predict from the table of costs (default 60)")
        ->check([](const std::string& text) { return check_number(text, true); })
        ->type_name("N");
    command->add_option("-o,--output", arguments->output_file, "write the placement, for --placement of other commands")
        ->type_name("F");
    command
        ->add_option("--check", arguments->check_file,
                     "fail if a placement is found that is better than the one in F by more than the noise")
        ->type_name("F");
    command
        ->add_option("--pareto", arguments->pareto,
                     "also print the placements with fewer regions, or with fewer weights on backends, that cost least")
        ->check(CLI::IsMember({"regions", "weights"}))
        ->type_name("GOAL");
    command->add_flag("--json", arguments->json, "print JSON");
    command->add_flag("--quiet", arguments->quiet, "do not report progress");
    add_run_settings(*command, arguments->run);
    command->callback([arguments, &status] { status = place(*arguments); });
}

}  // namespace partita::cli
