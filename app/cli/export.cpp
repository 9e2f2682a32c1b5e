// `export`: a module, partitioned if backends are given, in any form.
#include <memory>
#include <optional>
#include <span>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/lesson_text.h"
#include "app/cli/output_options.h"
#include "app/cli/picture_options.h"
#include "app/cli/terminal.h"
#include "engine/lessons/lesson_handout.h"
#include "engine/session/export.h"
#include "engine/session/project.h"
#include "engine/support/file.h"

namespace partita::cli {
namespace {

struct ExportArguments {
    FlowArguments flow;
    std::string form, output, split_folder, language;
    std::vector<std::string> more;  ///< lessons of one hand-out
    PaperSize paper = PaperSize::A4;
    PictureGrouping grouping = PictureGrouping::Automatic;
    bool force = false;
};

std::vector<std::string> form_names() {
    std::vector<std::string> names;
    for (const ExportForm& form : export_forms()) names.emplace_back(form.name);
    return names;
}

/// Returns the name of a form of which another is given.
std::string canonical_form(const std::string& name) { return name == "c-bundle" ? "c" : name; }

std::string form_help() {
    std::string text = "the form; by default the ending of OUT determines it:";
    for (const ExportForm& form : export_forms()) {
        text += "\n  " + std::string(form.name) + ": " + std::string(form.summary);
    }
    return text;
}

/// Returns whether no division is requested: the module is then written unchanged.
bool stays_as_it_is(const FlowArguments& arguments) {
    return arguments.backends.empty() && arguments.until.empty() && !arguments.divide.annotated &&
           !is_project(arguments.file);
}

/// Runs the flow; for a project as far as the project goes, because its window exports the last stage requested.
std::optional<FlowOutcome> run_export_flow(const FlowArguments& arguments, bool log_decisions) {
    std::optional<FlowOutcome> outcome = open_and_run_flow(arguments, log_decisions);
    if (!outcome || !check_required(arguments, *outcome)) return std::nullopt;
    FlowResult& result = outcome->result;
    if (!outcome->partition && arguments.until.empty()) result.partitioned = nullptr;
    return outcome;
}

/// Returns whether a form is written as a folder; `named` holds its name, if it was given.
bool is_folder(const std::vector<std::string>& named) {
    if (named.empty()) return false;
    const ExportForm* form = find_export_form(canonical_form(named.front()));
    return form && !form->write;
}

int run_split(const ExportArguments& arguments) {
    std::optional<FlowOutcome> outcome = run_export_flow(arguments.flow, false);
    if (!outcome) return kRefused;
    ExportSubject subject = export_subject(outcome->result, outcome->backends, outcome->title);
    subject.force = arguments.force;
    Result<std::vector<std::string>> files = write_onnx_split(subject, arguments.split_folder);
    if (!files) return refuse(files.error());
    for (const std::string& file : *files) print(file + "\n");
    return kDone;
}

int write_pages(std::span<const Handout> handouts, const ExportArguments& arguments, const LessonHandoutWords& words) {
    const Result<std::string> pages = write_handouts(handouts, arguments.paper, words, CancelToken());
    if (!pages) return refuse(pages.error());
    if (arguments.output == "-") {
        print(*pages);
        return kDone;
    }
    const Status written = write_file(arguments.output, *pages);
    return written ? kDone : refuse(written.error());
}

/// Returns the text of the lesson that the arguments name; "" if they name something else.
std::string named_lesson(const std::string& name) {
    const bool may_be_lesson = name.ends_with(".json") || name.find_first_of("./:") == std::string::npos;
    const Result<std::string> text = may_be_lesson ? lesson_text(name) : Result<std::string>(std::string());
    return text && text->size() <= kLongestLesson && looks_like_lesson(*text) ? *text : std::string();
}

/// Returns the lessons that the arguments name, by names or files; those of chapters in order. Empty: the first names
/// no lesson. Reports another that names none.
std::optional<std::vector<std::string>> lessons_of(const ExportArguments& arguments) {
    std::vector<std::string> wanted{arguments.flow.file}, names;
    wanted.insert(wanted.end(), arguments.more.begin(), arguments.more.end());
    for (const std::string& name : wanted) {
        std::vector<std::string> chapter = lessons_of_chapter(name, arguments.language);
        if (chapter.empty() && !named_lesson(name).empty()) chapter = {name};
        if (chapter.empty() && (!names.empty() || wanted.size() > 1)) {
            report_error("no lesson, and no chapter of lessons: " + name);
            return std::nullopt;
        }
        names.insert(names.end(), chapter.begin(), chapter.end());
    }
    return names;
}

/// Writes the hand-outs of lessons, each after the other, as one file.
int run_lessons(const ExportArguments& arguments, const std::vector<std::string>& lessons) {
    const LessonHandoutWords words = handout_words(arguments.language);
    std::vector<Handout> handouts;
    for (const std::string& name : lessons) {
        const CheckedLesson read = open_lesson(named_lesson(name), name, arguments.language);
        for (const Diagnostic& fault : read.faults) report(fault);
        if (!read.lesson) return kRefused;
        Result<Handout> handout = handout_of(*read.lesson, words, CancelToken());
        if (!handout) return refuse(handout.error(), name);
        handouts.push_back(std::move(*handout));
    }
    return write_pages(handouts, arguments, words);
}

/// Writes what is to be predicted of a model.
int run_prediction(const ExportArguments& arguments, const ExportSubject& subject) {
    const LessonHandoutWords words = handout_words(arguments.language);
    const Result<Handout> handout = predict_handout(subject, words);
    return handout ? write_pages({&*handout, 1}, arguments, words) : refuse(handout.error());
}

int refuse_more() {
    report_error("only a hand-out is of several lessons; one module is exported at a time");
    return kWrongUsage;
}

int run(const ExportArguments& arguments) {
    if (!arguments.split_folder.empty()) return arguments.more.empty() ? run_split(arguments) : refuse_more();
    const ExportForm* form =
        arguments.form.empty() ? export_form_of_file(arguments.output) : find_export_form(arguments.form);
    if (!form) {
        report_error("can't tell the form from the name " + arguments.output + "; give --form, or one of " +
                     export_endings());
        return kWrongUsage;
    }
    const bool is_handout = form->name == "handout";
    if (!is_handout && !arguments.more.empty()) return refuse_more();
    if (is_handout) {
        const std::optional<std::vector<std::string>> lessons = lessons_of(arguments);
        if (!lessons) return kRefused;
        if (!lessons->empty()) return run_lessons(arguments, *lessons);
    }
    std::optional<FlowOutcome> outcome =
        run_export_flow(arguments.flow, form->name == "report" || form->name == "markdown" || is_picture(*form));
    if (!outcome) return kRefused;
    FlowResult& result = outcome->result;
    if (stays_as_it_is(arguments.flow)) {
        result.stages.clear();
        result.partitioned = nullptr;
    }
    ExportSubject subject = export_subject(result, outcome->backends, outcome->title);
    subject.plain = outcome->graph;
    subject.paper = arguments.paper;
    subject.grouping = arguments.grouping;
    subject.force = arguments.force;
    if (is_handout) return run_prediction(arguments, subject);
    if (const size_t unknown = calls_unknown_to_tvm(subject, *form))
        report({Severity::Warning,
                arguments.flow.file,
                {},
                std::to_string(unknown) + (unknown == 1 ? " call is of an operator" : " calls are of operators") +
                    " that TVM does not have; --lower writes such calls as Relay's own"});
    Status written = export_to_file(subject, arguments.output, form);
    return written ? kDone : refuse(written.error());
}

}  // namespace

void add_paper_option(CLI::App& command, PaperSize& paper) {
    take_one_of(
        command
            .add_option_function<std::string>(
                "--paper",
                [&paper](const std::string& size) { paper = size == "letter" ? PaperSize::Letter : PaperSize::A4; },
                "the paper of a PDF: a4 or letter; default a4")
            ->type_name("SIZE"),
        {"a4", "letter"})
        ->transform(CLI::detail::to_lower);
}

void add_group_option(CLI::App& command, PictureGrouping& grouping) {
    take_one_of(
        command
            .add_option_function<std::string>(
                "--group",
                [&grouping](const std::string& how) {
                    grouping = how == "none" ? PictureGrouping::None : PictureGrouping::Automatic;
                },
                "how a picture shows blocks that come again and again: auto draws them as closed groups where the "
                "graph has too many nodes to be read; none draws every node; default auto")
            ->type_name("HOW"),
        {"auto", "none"})
        ->transform(CLI::detail::to_lower);
}

bool is_picture(const ExportForm& form) {
    return form.name == "svg" || form.name == "png" || form.name == "pdf" || form.name == "dot";
}

void add_export_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "export",
        "write a module in another form: divided if backends are given or a project divides it, else unchanged");
    auto arguments = std::make_shared<ExportArguments>();
    add_file_options(*command, arguments->flow);
    command
        ->add_option("LESSON", arguments->more,
                     "for a hand-out, FILE and these may be lessons: names, files, chapters by their titles, or "
                     "`course` for all that ship; they become one PDF")
        ->type_name("");
    add_backend_options(*command, arguments->flow);
    add_partition_options(*command, arguments->flow);
    const CLI::Option* form =
        take_one_of(command->add_option("--form,--format", arguments->form, form_help())->type_name("FORM"),
                    form_names())
            ->transform(canonical_form);
    CLI::Option_group* where = command->add_option_group("where");
    add_output(*where, "-o,--output", arguments->output,
               "the output file; - is standard output. For the form c, the folder",
               [form] { return is_folder(form->results()); })
        ->type_name("OUT");
    add_output_folder(*where, "--split", arguments->split_folder,
                      "write a folder instead: an ONNX model for each region and for each part between them, and "
                      "a manifest.json of their connections")
        ->type_name("DIR");
    where->require_option(1);
    add_force_flag(*command, arguments->force);
    add_paper_option(*command, arguments->paper);
    add_group_option(*command, arguments->grouping);
    take_one_of(command
                    ->add_option("--language", arguments->language,
                                 "the language of a hand-out: en, de or zh, default en; lessons without a translation "
                                 "stay as they are")
                    ->type_name("LANG"),
                {"en", "de", "zh"});
    command->callback([arguments, &status] { status = run(*arguments); });
}

}  // namespace partita::cli
