// `place`: chooses the backend of every operator by measured cost, and shows what other choices would cost.
#include <cmath>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/end_signals.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "engine/costs/over_sizes.h"
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
    bool measure_again = false;
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
    if (term.kind == CostTerm::Kind::Layout)
        return "laid out anew for " + model.name(term.to) + ", " + fixed_text(term.mb, 3) + " MB, " +
               milliseconds(term.ms);
    const std::string way = term.from == term.to ? "between regions of " + model.name(term.from)
                                                 : "from " + model.name(term.from) + " to " + model.name(term.to);
    return way + ", " + fixed_text(term.mb, 3) + " MB, " + milliseconds(term.ms);
}

std::string terms_text(const PlaceOutput& output, const std::vector<CostTerm>& terms) {
    std::string text = terms.empty() ? "nothing" : "";
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
        const std::string& here = output.task.model.name(flip.from);
        text += operator_name(output, flip.op) + " is on " + here + "; on " + output.task.model.name(flip.to) + " " +
                (flip.ms < 0 ? "" : "+") + fixed_text(flip.ms, 4) + " ms, " + (flip.regret_ms < 0 ? "" : "+") +
                fixed_text(flip.regret_ms, 4) + " ms if others follow\n";
        text += flip.changes_nothing() ? "    moved alone, it changes nothing: the flow divides as before\n"
                                       : "    now:  " + terms_text(output, flip.before) +
                                             "\n    then: " + terms_text(output, flip.after) + "\n";
    }
    return text;
}

std::string place_text(const PlaceOutput& output) {
    const PlacementAnswer& answer = output.answer;
    std::string text = "chosen: " + std::to_string(answer.chosen.regions) + " regions, ";
    if (answer.chosen.measured_ms > 0) text += milliseconds(answer.chosen.measured_ms) + " ms measured, ";
    text += milliseconds(answer.chosen.predicted_ms) + " ms predicted\n";
    if (answer.rules_stay())
        text += answer.chosen.measured_ms > 0 ? "the rules' placement stays: none was faster by more than the noise\n"
                                              : "the rules' placement stays: none is predicted to take less\n";
    text += "by the costs of operators, no placement is predicted to take less than " + milliseconds(answer.bound_ms) +
            " ms (gap " + fixed_text(100 * answer.gap, 2) + " %)";
    if (answer.error_median > 0)
        text += "; predictions are off by " + fixed_text(100 * answer.error_median, 1) +
                " % of measurements in the "
                "median";
    if (answer.without_budgets_ms > 0)
        text += "\nwith room for all weights (limits.weight_bytes) that would be " +
                milliseconds(answer.without_budgets_ms) + " ms";
    text += "\n\n" + candidates_text(output);
    if (!answer.contested.empty())
        text += "\ncontested operators by predicted cost, the smallest loss first:\n" + contested_text(output);
    if (output.curve.empty()) return text;
    Table table({"regions", "weights on backends MB", "predicted ms"});
    for (const ParetoPoint& point : output.curve)
        table.add({std::to_string(point.regions), fixed_text(point.weight_mb, 3), milliseconds(point.predicted_ms)});
    return text + "\nwhat less costs:\n" + table.text();
}

const char* kind_name(CostTerm::Kind kind) {
    switch (kind) {
        case CostTerm::Kind::Unit: return "operator";
        case CostTerm::Kind::Layout: return "layout";
        case CostTerm::Kind::Crossing: break;
    }
    return "crossing";
}

Json terms_json(const PlaceOutput& output, const std::vector<CostTerm>& terms) {
    Json list = Json::array();
    for (const CostTerm& term : terms) {
        const bool unit = term.kind == CostTerm::Kind::Unit;
        Json item{{"kind", kind_name(term.kind)},
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
              {"without_budgets_ms", answer.without_budgets_ms > 0 ? Json(answer.without_budgets_ms) : Json(nullptr)},
              {"gap", answer.gap},
              {"rules_stay", answer.rules_stay()},
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
                                     {"backend", model.name(flip.from)},
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
    options.measure_again = arguments.measure_again;
    options.run = run_options(arguments.run, outcome);
    options.cancel = options.run.cancel;
    if (!arguments.quiet && !arguments.json)
        options.progress = [&](double fraction, const std::string& what) {
            report({Severity::Note, "", {}, fixed_text(100 * fraction, 0) + " %: " + what});
        };
    return options;
}

Status write_placement(const PlaceArguments& arguments, const FlowOutcome& outcome, const PlacedModule& placed,
                       const PlacedCandidate& written) {
    if (arguments.output_file.empty()) return Nothing();
    std::vector<std::string> backends;
    for (const BackendDescription& backend : outcome.backends)
        backends.push_back(backend.file.empty() ? backend.name : backend.file);
    return save_placement(arguments.output_file,
                          placement_of(placed, written, outcome.title, std::move(backends), outcome.options.lower,
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

/// A module that was placed, and the flow that it came from.
struct PlacedFile {
    FlowOutcome outcome;
    PlacedModule placed;
    std::vector<ParetoPoint> curve;
};

/// Opens, measures, places. Reports every error; returns nothing if there was one.
std::optional<PlacedFile> place_file(const PlaceArguments& arguments) {
    std::optional<FlowOutcome> outcome = open_and_run_flow(arguments.flow, false);
    if (!outcome || !check_code(arguments.flow, *outcome)) return {};
    const auto failed = [&](const Diagnostic& fault) -> std::optional<PlacedFile> {
        refuse(fault, arguments.flow.file);
        return {};
    };
    if (Status known = check_sizes_known(outcome->dimensions, kDimOption); !known) return failed(known.error());
    if (outcome->backends.empty()) return failed(error("there is nothing to choose from: give --backends"));
    PlacingRequest request{outcome->result.input, outcome->options, place_options(arguments, *outcome),
                           arguments.costs_file, arguments.check_file};
    request.flow.lower = request.flow.simplify = false;  // the flow has done it
    const TimeLimit limit(arguments.run.time_limit, request.place.cancel);
    const CancelOnSignal stop(request.place.cancel);  // what was measured is kept
    Result<PlacedModule> placed = place_module(std::move(request));
    if (!placed) return failed(limit.explain(placed.error()));
    for (const Diagnostic& note : placed->notes) report(note);
    PlacedFile file{std::move(*outcome), std::move(*placed), {}};
    if (arguments.pareto.empty()) return file;
    Result<std::vector<ParetoPoint>> curve = pareto_curve(
        file.placed.task, file.placed.table, arguments.pareto == "weights" ? ParetoGoal::Weights : ParetoGoal::Regions);
    if (!curve) return failed(curve.error());
    file.curve = std::move(*curve);
    return file;
}

int place_once(const PlaceArguments& arguments) {
    const std::optional<PlacedFile> file = place_file(arguments);
    if (!file) return kRefused;
    const PlacedModule& placed = file->placed;
    const ExpressionNames names(*placed.task.module);
    const PlaceOutput output{placed.task, placed.answer, names, file->curve};
    print(arguments.json ? json_text(place_json(output, arguments.flow.file)) : wrapped(place_text(output)));
    if (Status written = write_placement(arguments, file->outcome, placed, placed.answer.chosen); !written)
        return refuse(written.error());
    return check_given(arguments, placed.answer) ? kDone : kRefused;
}

std::string size_name(const FlowArguments& flow) {
    std::string name;
    for (const std::string& dimension : flow.dimensions) name += (name.empty() ? "" : " ") + dimension;
    return name;
}

/// The placements of one module for several sizes.
struct PlacedSizes {
    std::vector<std::string> names;
    std::vector<PlacedFile> files;
    OverSizes all;
};

std::string sizes_text(const PlacedSizes& sizes) {
    Table table({"sizes", "regions", "measured ms", "predicted ms", "rules ms", "best over all ms"});
    for (size_t i = 0; i < sizes.files.size(); ++i) {
        const PlacementAnswer& answer = sizes.files[i].placed.answer;
        table.add({sizes.names[i], std::to_string(answer.chosen.regions), milliseconds(answer.chosen.measured_ms),
                   milliseconds(answer.chosen.predicted_ms), milliseconds(answer.find("rules")->measured_ms),
                   milliseconds(sizes.all.predicted_ms[i])});
    }
    const PlacementTask& task = sizes.files[0].placed.task;
    const ExpressionNames names(*task.module);
    std::string text = table.text() + "\n" + std::to_string(sizes.all.size_decides.size()) +
                       " operators are on another backend for another size\n";
    for (uint32_t op : sizes.all.size_decides) {
        text += names.name(task.model.operators()[op].expr) + ":";
        for (size_t i = 0; i < sizes.files.size(); ++i)
            text += (i > 0 ? ", " : " ") + task.model.name(sizes.files[i].placed.answer.chosen.labels[op]) + " with " +
                    sizes.names[i];
        text += "; best over all: " + task.model.name(sizes.all.labels[op]) + "\n";
    }
    return text;
}

Json sizes_json(const PlacedSizes& sizes, const std::string& file) {
    Json json{{"file", file}, {"sizes", Json::array()}};
    for (size_t i = 0; i < sizes.files.size(); ++i) {
        const PlacedModule& placed = sizes.files[i].placed;
        const ExpressionNames names(*placed.task.module);
        Json size = place_json({placed.task, placed.answer, names, sizes.files[i].curve}, file);
        size["dimensions"] = sizes.names[i];
        size["best_over_all_ms"] = sizes.all.predicted_ms[i];
        json["sizes"].push_back(std::move(size));
    }
    const PlacementTask& task = sizes.files[0].placed.task;
    const ExpressionNames names(*task.module);
    json["size_decides"] = Json::array();
    for (uint32_t op : sizes.all.size_decides)
        json["size_decides"].push_back(names.number(task.model.operators()[op].expr));
    json["operators"] = Json::array();
    for (const PlacedOperator& op : placed_operators(*task.module, task.model.overrides_of(sizes.all.labels)))
        json["operators"].push_back({{"number", op.number}, {"backend", op.backend}});
    return json;
}

/// Places the module for each size, and prints where the placements differ and which one is best over all.
int place_sizes(const PlaceArguments& arguments, const std::vector<FlowArguments>& sizes) {
    if (!arguments.check_file.empty())
        return refuse(error("--check is for one size, but --dim gives several"), arguments.flow.file);
    PlacedSizes placed;
    for (const FlowArguments& size : sizes) {
        PlaceArguments once = arguments;
        once.flow = size;
        std::optional<PlacedFile> file = place_file(once);
        if (!file) return kRefused;
        placed.names.push_back(size_name(size));
        placed.files.push_back(std::move(*file));
    }
    std::vector<SizedPlacement> parts;
    for (const PlacedFile& file : placed.files) {
        const PlacedCandidate& chosen = file.placed.answer.chosen;
        parts.push_back({&file.placed.task, &file.placed.table, chosen.labels, chosen.predicted_ms});
    }
    Result<OverSizes> all = place_over_sizes(parts, {});
    if (!all) return refuse(all.error(), arguments.flow.file);
    placed.all = std::move(*all);
    print(arguments.json ? json_text(sizes_json(placed, arguments.flow.file)) : wrapped(sizes_text(placed)));
    PlacedCandidate best;
    best.labels = placed.all.labels;
    best.predicted_ms = placed.all.predicted_ms[0];
    if (Status written = write_placement(arguments, placed.files[0].outcome, placed.files[0].placed, best); !written)
        return refuse(written.error());
    return kDone;
}

int place(const PlaceArguments& arguments) {
    const Result<std::vector<FlowArguments>> sizes = with_each_size(arguments.flow);
    if (!sizes) return refuse(sizes.error(), arguments.flow.file);
    return sizes->size() > 1 ? place_sizes(arguments, *sizes) : place_once(arguments);
}

}  // namespace

void add_place_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "place", "choose the backend of every operator by measured cost, and show what other choices would cost");
    auto arguments = std::make_shared<PlaceArguments>();
    add_file_options(*command, arguments->flow);
    add_backend_options(*command, arguments->flow);
    add_output_file(*command, "--costs", arguments->costs_file,
                    "the table of measured costs: read, completed and written. Without it, one in the cache folder")
        ->type_name("F");
    command
        ->add_option("--measure-seconds", arguments->measure_seconds,
                     "how long to measure; 0: measure nothing, and predict from the table of costs (default 60)")
        ->check([](const std::string& text) { return check_number(text, true); })
        ->type_name("N");
    command->add_flag("--measure-again", arguments->measure_again,
                      "measure also what the table of costs knows of this module");
    add_output_file(*command, "-o,--output", arguments->output_file,
                    "write the placement, for --placement of other commands")
        ->type_name("F");
    command
        ->add_option("--check", arguments->check_file,
                     "fail if a placement is found that is better than the one in F by more than the noise")
        ->type_name("F");
    take_one_of(command
                    ->add_option("--pareto", arguments->pareto,
                                 "also print the placements with fewer regions, or with fewer weights on backends, "
                                 "that cost least")
                    ->type_name("GOAL"),
                {"regions", "weights"});
    command->add_flag("--json", arguments->json, "print JSON");
    command->add_flag("--quiet", arguments->quiet, "do not report progress");
    add_run_settings(*command, arguments->run);
    command->callback([arguments, &status] { status = place(*arguments); });
}

}  // namespace partita::cli
