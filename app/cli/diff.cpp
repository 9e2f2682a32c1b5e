// `diff`: the differences between two modules, or between two divisions of one.
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/terminal.h"
#include "engine/explain/explain.h"
#include "engine/explain/two_divisions.h"
#include "engine/flow/region_names.h"
#include "engine/session/diff.h"
#include "engine/session/json.h"
#include "engine/session/project.h"

namespace partita::cli {
namespace {

struct DiffArguments {
    FlowArguments before, after;
    FlowArguments both;  ///< what applies to either side
    bool json = false, affected = false, quiet = false;
};

struct Side {
    ModulePtr module;        ///< divided if backends are given; null if an error was reported
    ModulePtr started_from;  ///< of a divided one
    Json regions = Json::array();
    std::optional<FlowOutcome> divided = {};
};

/// The names that regions have, as other commands tell them.
Json regions_json(const FlowResult& flow) {
    const ExpressionNames names(*flow.input);
    Json list = Json::array();
    for (const RegionInfo& region : flow.regions)
        list.push_back({{"function", region.function},
                        {"short_name", region_name(region, names)},
                        {"backend", region.backend_name}});
    return list;
}

Side module_of(const FlowArguments& arguments) {
    const DivideRequest& divide = arguments.divide;
    const bool rewrites = divide.simplify || divide.lower || divide.fold;
    const bool is_divided =
        !arguments.backends.empty() || !divide.placement.empty() || !divide.from.empty() || is_project(arguments.file);
    if (!is_divided && !rewrites) {
        Result<OpenedInput> opened = open_input(arguments);
        if (!opened) {
            refuse(opened.error(), arguments.file);
            return {};
        }
        return {opened->module, nullptr, Json::array()};
    }
    FlowArguments asked = arguments;
    if (!is_divided) asked.until = "simplify";
    std::optional<FlowOutcome> outcome = open_and_run_flow(asked, true);
    if (!outcome) return {};
    Side made{outcome->result.last(), outcome->result.input, regions_json(outcome->result)};
    if (is_divided) made.divided = std::move(outcome);
    return made;
}

/// Two divisions of one model, with what is said of them.
class Divisions {
public:
    Divisions(const FlowOutcome& a, const FlowOutcome& b)
        : a_{a.result, a.backends}, b_{b.result, b.backends}, names_(*a.result.input),
          found_(compare_divisions(a_, b_)) {}

    std::string text() const {
        if (found_.nothing()) return "\ndivisions: the same, " + regions(a_) + "\n";
        return "\ndivisions: " + regions(a_) + " in A, " + regions(b_) + " in B; " +
               counted(found_.elsewhere.size(), "call goes elsewhere", "calls go elsewhere") + ", " +
               counted(found_.borders.size(), "pair of neighbours is in one region in one of them only",
                       "pairs of neighbours are in one region in one of them only") +
               "\n" + first();
    }

    Json json() const {
        Json json{{"elsewhere", Json::array()}, {"borders", Json::array()}, {"first", Json()}};
        for (ExprId call : found_.elsewhere)
            json["elsewhere"].push_back({{"node", names_.number(call)}, {"name", names_.name(call)}});
        for (const TwoDivisions::Border& border : found_.borders)
            json["borders"].push_back({{"from", names_.number(border.from)},
                                       {"to", names_.number(border.to)},
                                       {"apart_in", border.apart_in_b ? "B" : "A"}});
        if (!found_.nothing()) json["first"] = first();
        return json;
    }

private:
    /// Where they first differ, and why.
    std::string first() const {
        const std::string begin = "they first differ ";
        if (!found_.regrouped.empty()) {
            const TwoDivisions::Border& group = found_.regrouped.front();
            return begin + "at " + names_.name(group.to) + ": " + (group.apart_in_b ? "A" : "B") +
                   " puts it into one region with " + names_.name(group.from) + ", which it does not use\n";
        }
        if (!found_.begins_with_border()) {
            const ExprId call = found_.elsewhere.front();
            return begin + "at " + names_.name(call) + "\n  A: " + indented(why_there(a_, call)) +
                   "  B: " + indented(why_there(b_, call));
        }
        const TwoDivisions::Border& border = found_.borders.front();
        return begin + "between " + names_.name(border.from) + " and " + names_.name(border.to) + ", together in " +
               (border.apart_in_b ? "A" : "B") + ", apart in " + (border.apart_in_b ? "B" : "A") + ": " +
               why_apart(border.apart_in_b ? b_ : a_, border).text() + "\n";
    }
    static std::string regions(const DivisionSide& side) {
        return counted(side.flow.regions.size(), "region", "regions");
    }
    static std::string why_there(const DivisionSide& side, ExprId call) {
        FlowExplainer explainer(side.flow, side.backends);
        return explainer.to_text(explainer.explain_call(call, FlowExplainer::Patterns::None));
    }
    static std::string indented(const std::string& text) {
        std::string indented;
        for (size_t at = 0; at < text.size();) {
            const size_t end = std::min(text.find('\n', at), text.size());
            indented += (at ? "    " : "") + text.substr(at, end - at) + "\n";
            at = end + 1;
        }
        return indented;
    }
    static std::string counted(size_t count, const char* one, const char* many) {
        return std::to_string(count) + " " + (count == 1 ? one : many);
    }

    DivisionSide a_, b_;
    ExpressionNames names_;
    TwoDivisions found_;
};

/// Divisions of different models have no calls in common.
std::optional<Divisions> divisions_of(const Side& a, const Side& b) {
    if (!a.divided || !b.divided || a.started_from->size() != b.started_from->size() ||
        model_key(*a.started_from) != model_key(*b.started_from))
        return std::nullopt;
    return std::optional<Divisions>(std::in_place, *a.divided, *b.divided);
}

/// A side, with the options that apply to both.
FlowArguments side(const FlowArguments& own, const FlowArguments& both) {
    FlowArguments all = own;
    const std::string placement = own.divide.placement.empty() ? both.divide.placement : own.divide.placement;
    all.divide = both.divide;
    all.divide.placement = placement;
    all.divide.from.insert(all.divide.from.end(), own.divide.from.begin(), own.divide.from.end());
    all.divide.partitioner = own.divide.partitioner;
    all.dimensions = both.dimensions;
    return all;
}

int run(const DiffArguments& arguments) {
    const Side a = module_of(side(arguments.before, arguments.both));
    const Side b = a.module ? module_of(side(arguments.after, arguments.both)) : Side();
    if (!a.module || !b.module) return kWrongUsage;  // 1 means that they differ
    const ModuleDiff diff = diff_modules(*a.module, *b.module);
    const DiffedModule before(*a.module, a.started_from.get()), after(*b.module, b.started_from.get());
    if (arguments.json) {
        Json json = diff_json(diff, before, after);
        json["regions"] = {{"before", a.regions}, {"after", b.regions}};
        if (const std::optional<Divisions> both = divisions_of(a, b)) json["divisions"] = both->json();
        print(json_text(json));
    } else if (!arguments.quiet) {
        const std::optional<Divisions> both = divisions_of(a, b);
        print(diff_text(diff, before, after, arguments.affected) + (both ? both->text() : ""));
    }
    return diff.identical() ? kDone : kRefused;
}

}  // namespace

void add_diff_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "diff",
        "show which operators were added, removed and changed from A to B, and of two divisions of one model "
        "where they first differ and why; exit status 1 if they differ, 2 if one can't be read or divided");
    auto arguments = std::make_shared<DiffArguments>();
    command->add_option("A", arguments->before.file, "the module before: a file, or random:N and so on")->required();
    command->add_option("B", arguments->after.file, "the module after")->required();
    add_backend_list(*command, "--backends-a", arguments->before.backends, "divide A among these backends first");
    add_backend_list(*command, "--backends-b", arguments->after.backends, "divide B among these backends first");
    add_partitioner_option(*command, "--partitioner-a", arguments->before.divide, "divide A by this algorithm");
    add_partitioner_option(*command, "--partitioner-b", arguments->after.divide, "divide B by this one");
    command
        ->add_option("--placement-a", arguments->before.divide.placement,
                     "divide A as a placement says that `place` wrote")
        ->type_name("F");
    command->add_option("--placement-b", arguments->after.divide.placement, "divide B so")->type_name("F");
    DivideRequest& divide = arguments->both.divide;
    command->add_option("--placement", divide.placement, "divide both so")->type_name("F");
    add_from_option(*command, "--from-a", arguments->before.divide.from);
    add_from_option(*command, "--from-b", arguments->after.divide.from);
    add_from_option(*command, "--from", divide.from);
    add_dimension_option(*command, arguments->both);
    add_allow_option(*command, arguments->both);
    command->add_flag("--lower", divide.lower,
                      "first write operators that Relay does not have as Relay's own, in both");
    command->add_flag("--simplify", divide.simplify,
                      "first decompose batch_norm, remove dropout and fold constants, in both");
    command->add_flag("--affected", arguments->affected, "also list operators that differ only in their type");
    CLI::Option* json = command->add_flag("--json", arguments->json, "print JSON");
    command->add_flag("--quiet", arguments->quiet, "print nothing; the exit status is the answer")->excludes(json);
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
