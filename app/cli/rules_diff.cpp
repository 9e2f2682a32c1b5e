// `rules diff`: what another version of the rules changes on models; `rules from`: rules from verdicts.
#include <algorithm>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/json.h"
#include "app/cli/output_options.h"
#include "app/cli/terminal.h"
#include "engine/explain/rules_from_verdicts.h"
#include "engine/partitioners/given.h"
#include "engine/session/graph_division.h"
#include "engine/session/reports.h"
#include "engine/session/rules_diff.h"
#include "engine/support/amount.h"
#include "engine/support/file.h"
#include "engine/support/folder_files.h"
#include "engine/support/in_file.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

struct RulesDiffArguments {
    std::string before, after;
    std::vector<std::string> models;
    FlowArguments flow;  ///< what applies to each model
    std::string tests_file, keep = "old";
    bool json = false;
};

std::optional<ModelRulesDiff> compare(const RulesDiffArguments& arguments, const BackendPtr& before,
                                      const BackendPtr& after, const std::string& file) {
    FlowArguments flow = arguments.flow;
    flow.file = file;
    const Result<OpenedInput> opened = open_input(flow);
    if (!opened) return refuse(opened.error(), file), std::nullopt;
    Result<DivideRequest> request = divide_request(flow);
    if (!request) return refuse(request.error(), file), std::nullopt;
    std::vector<Diagnostic> notes;
    Result<ModelRulesDiff> compared = diff_rules_on(*opened, std::move(*request), before, after, notes);
    for (const Diagnostic& note : notes) report(note);
    if (!compared) return refuse(compared.error(), file), std::nullopt;
    compared->file = file;
    return std::move(*compared);
}

std::string from_to(const std::string& what, const std::string& before, const std::string& after) {
    return what + " " + (before == after ? before : before + " -> " + after);
}

std::string share(double part, double whole) { return fixed_text(whole > 0 ? 100 * part / whole : 0, 1) + " %"; }

void print_text(const ModelRulesDiff& compared) {
    const RulesDiff& diff = compared.diff;
    std::string text = compared.file + ": ";
    if (diff.identical()) return print(text + "no difference\n");
    text +=
        from_to("calls", std::to_string(diff.before.calls), std::to_string(diff.after.calls)) + " of " +
        std::to_string(diff.calls) + ", " +
        from_to("regions", std::to_string(diff.before.regions), std::to_string(diff.after.regions)) + ", " +
        from_to("FLOP", share(diff.before.flops, diff.flops), share(diff.after.flops, diff.flops)) + ", " +
        from_to("boundary", amount_text(diff.before.boundary_bytes, "B"), amount_text(diff.after.boundary_bytes, "B")) +
        "\n";
    const ExpressionNames& names = *compared.names;
    for (const VerdictChange& change : diff.changes) text += "  " + to_text(change, names) + "\n";
    print(wrapped(text));
}

Json size_json(const DivisionSize& size) {
    return {{"calls", size.calls},
            {"regions", size.regions},
            {"flops", size.flops},
            {"boundary_bytes", size.boundary_bytes}};
}

Json json_of(const ModelRulesDiff& compared) {
    const RulesDiff& diff = compared.diff;
    const ExpressionNames& names = *compared.names;
    Json json{{"file", compared.file},   {"identical", diff.identical()},    {"calls", diff.calls},
              {"flops", diff.flops},     {"before", size_json(diff.before)}, {"after", size_json(diff.after)},
              {"changes", Json::array()}};
    for (const VerdictChange& change : diff.changes) {
        Json calls = Json::array();
        for (ExprId call : change.calls) calls.push_back(names.name(call));
        json["changes"].push_back({{"op", change.op},
                                   {"taken", change.taken},
                                   {"rule", change.rule},
                                   {"reason", change.reason},
                                   {"blocks", change.blocks},
                                   {"calls", calls}});
    }
    return json;
}

/// Adds tests to the text of the new description that hold what changed for one model.
Status keep_tests(const RulesDiffArguments& arguments, const ModelRulesDiff& compared, std::string& description) {
    if (compared.diff.changes.empty()) return Nothing();
    const Result<std::string> model = model_of_test(arguments.tests_file, compared.file);
    if (!model) return model.error();
    Result<std::string> text = with_tests(description, *model, compared.diff, *compared.names, arguments.keep == "new");
    if (text) description = *text;
    return text ? Status(Nothing()) : text.error();
}

int rules_diff(const RulesDiffArguments& arguments) {
    require_known_backend("", arguments.before);
    require_known_backend("", arguments.after);
    const std::vector<std::string> files = files_in(arguments.models, kModelEndings);
    const auto loaded = [](const std::string& name) -> BackendPtr {
        Result<BackendDescription> backend = load_backend(name);
        if (!backend) return refuse(backend.error(), name), nullptr;
        return std::make_shared<const BackendDescription>(std::move(*backend));
    };
    const BackendPtr before = loaded(arguments.before), after = before ? loaded(arguments.after) : nullptr;
    if (!after) return kWrongUsage;
    size_t differing = 0, lost = 0, gained = 0;
    Json list = Json::array();
    std::string description;
    for (const std::string& file : files) {
        const std::optional<ModelRulesDiff> compared = compare(arguments, before, after, file);
        if (!compared) return kWrongUsage;  // 1 means that they differ
        differing += !compared->diff.identical();
        for (const VerdictChange& change : compared->diff.changes)
            (change.taken ? gained : lost) += change.calls.size();
        if (arguments.json) list.push_back(json_of(*compared));
        else print_text(*compared);
        if (arguments.tests_file.empty()) continue;
        if (description.empty()) description = after->source;
        if (Status kept = keep_tests(arguments, *compared, description); !kept)
            return refuse(kept.error(), arguments.tests_file), kWrongUsage;
    }
    if (arguments.json)
        print(json_text({{"models", list}, {"differing", differing}, {"lost", lost}, {"taken", gained}}));
    else
        print("together: " + std::to_string(lost) + " calls lost, " + std::to_string(gained) + " taken, in " +
              std::to_string(differing) + " of " + std::to_string(files.size()) +
              (files.size() == 1 ? " model\n" : " models\n"));
    if (!arguments.tests_file.empty())
        if (Status written = write_file(arguments.tests_file, description); !written)
            return refuse(written.error(), arguments.tests_file), kWrongUsage;
    return differing ? kRefused : kDone;
}

struct RulesFromArguments {
    FlowArguments flow;
    std::string verdicts, backend, out;
    bool json = false;
};

void print_text(const ProposedRule& rule, const ExpressionNames& names) {
    std::string text = rule.op + ": " + std::to_string(rule.taken) + " taken, " + std::to_string(rule.refused) +
                       " refused: " + (rule.rule.empty() ? "no rule" : rule.rule) + "\n";
    for (const ProposedRule::Witness& witness : rule.witnesses)
        text += "  without " + witness.term + ": otherwise for " + names.name(witness.call) + "\n";
    for (ExprId call : rule.inseparable)
        text +=
            "  refused though it was taken, nothing tells it from calls that were refused: " + names.name(call) + "\n";
    print(wrapped(text));
}

Json json_of(const ProposedRule& rule, const ExpressionNames& names) {
    Json json{{"op", rule.op},
              {"taken", rule.taken},
              {"refused", rule.refused},
              {"rule", rule.rule.empty() ? Json() : Json(rule.rule)},
              {"witnesses", Json::array()},
              {"inseparable", Json::array()}};
    for (const ProposedRule::Witness& witness : rule.witnesses)
        json["witnesses"].push_back({{"term", witness.term}, {"call", names.name(witness.call)}});
    for (ExprId call : rule.inseparable) json["inseparable"].push_back(names.name(call));
    return json;
}

/// Verdicts of one backend, and its name.
struct GivenVerdicts {
    std::string backend;
    std::vector<CallVerdict> calls;
};

Result<GivenVerdicts> verdicts_of_file(const OpenedInput& opened, const std::string& file) {
    const std::shared_ptr<const Graph> graph = graph_of(opened);
    const Result<std::string> text = read_file(file);
    if (!text) return in_file(text.error(), file);
    const Result<Verdicts> read = read_verdicts(*graph, *text, file);
    if (!read) return in_file(read.error(), file);
    if (read->backends.size() != 1) return in_file(error("verdicts of one backend are needed"), file);
    GivenVerdicts given{read->backends[0].name, {}};
    for (uint32_t i = 0; i < graph->nodes.size(); ++i)
        if (graph->nodes[i].expression.valid())
            given.calls.push_back({graph->nodes[i].expression, read->backends[0].takes[i]});
    return given;
}

Result<GivenVerdicts> verdicts_of_reports(const OpenedInput& opened, const RulesFromArguments& arguments) {
    const Result<std::shared_ptr<const Reports>> reports = read_reports(opened, arguments.flow.divide.from);
    if (!reports) return reports.error();
    const ReportedDivision& reported = *(*reports)->reported;
    std::string list;
    for (const std::string& name : reported.backends) list += (list.empty() ? "" : ", ") + name;
    const std::string backend = arguments.backend.empty() && reported.backends.size() <= 2 && !reported.backends.empty()
                                    ? reported.backends.front()
                                    : arguments.backend;
    if (std::find(reported.backends.begin(), reported.backends.end(), backend) == reported.backends.end())
        return error("--backend says whose rules are wanted: " + list);
    return GivenVerdicts{backend, verdicts_of(reported, *opened.module, backend)};
}

int rules_from(const RulesFromArguments& arguments) {
    const std::string& file = arguments.flow.file;
    if (arguments.verdicts.empty() == arguments.flow.divide.from.empty()) {
        report_error("rules from needs either --verdicts, a table, or --from, what another program made");
        return kWrongUsage;
    }
    const Result<OpenedInput> opened = open_input(arguments.flow);
    if (!opened) return refuse(opened.error(), file);
    const Result<GivenVerdicts> given = arguments.verdicts.empty() ? verdicts_of_reports(*opened, arguments)
                                                                   : verdicts_of_file(*opened, arguments.verdicts);
    if (!given) return refuse(given.error(), file);
    const std::vector<ProposedRule> rules = rules_from_verdicts(*opened->module, given->calls);
    const ExpressionNames names(*opened->module);
    Json list = Json::array();
    size_t left = 0;
    for (const ProposedRule& rule : rules) {
        left += rule.inseparable.size();
        if (arguments.json) list.push_back(json_of(rule, names));
        else print_text(rule, names);
    }
    if (arguments.json) print(json_text({{"backend", given->backend}, {"rules", list}}));
    if (!arguments.out.empty())
        if (Status written = write_file(arguments.out, description_of(given->backend, rules)); !written)
            return refuse(written.error(), arguments.out);
    return left ? kRefused : kDone;
}

}  // namespace

void add_rules_diff_command(CLI::App& rules, int& status) {
    CLI::App* command = rules.add_subcommand(
        "diff",
        "what another version of the rules changes on models: calls, regions, bytes, by rule and by model; exit "
        "status 1 if anything differs, 2 if something can't be read or divided");
    auto arguments = std::make_shared<RulesDiffArguments>();
    command
        ->add_option("OLD", arguments->before, "the rules before: a description, rules in Python, or a built-in name")
        ->required();
    command->add_option("NEW", arguments->after, "the rules after")->required();
    command->add_option("MODELS", arguments->models, "models, and folders with .relay, .onnx, .tflite and .pt2 files")
        ->required();
    add_dimension_option(*command, arguments->flow);
    add_allow_option(*command, arguments->flow);
    command->add_flag("--simplify", arguments->flow.divide.simplify,
                      "first decompose batch_norm, remove dropout and fold constants");
    add_output_file(
        *command, "--keep-tests", arguments->tests_file,
        "write the new description with a test for each change, which holds the verdict that --wanted names; "
        "the models are Relay text in its folder or below")
        ->type_name("F.json");
    take_one_of(command->add_option("--wanted", arguments->keep, "whose verdicts the tests want; default old")
                    ->type_name("WHOSE"),
                {"old", "new"});
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = rules_diff(*arguments); });
}

void add_rules_from_command(CLI::App& rules, int& status) {
    CLI::App* command = rules.add_subcommand(
        "from",
        "propose the shortest rules that say the same as verdicts on the calls of a model; exit status 1 if some "
        "can't be told apart");
    auto arguments = std::make_shared<RulesFromArguments>();
    add_file_options(*command, arguments->flow);
    command
        ->add_option("--verdicts", arguments->verdicts,
                     "a file with the nodes that the backend takes: {\"backend\": NAME, \"taken\": [NAME, ...]}")
        ->type_name("V.json");
    add_from_option(*command, "--from", arguments->flow.divide.from);
    command
        ->add_option("--backend", arguments->backend,
                     "with --from: the backend whose rules are wanted; needed where the files tell of more than one "
                     "and of what takes the rest")
        ->type_name("NAME");
    add_output_file(*command, "-o", arguments->out, "the description's file")->type_name("F.json");
    command->add_flag("--json", arguments->json, "print JSON");
    command->callback([arguments, &status] { status = rules_from(*arguments); });
}

}  // namespace partita::cli
