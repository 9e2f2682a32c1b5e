// `grade`: the points of files of answers to a lesson.
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/lesson_text.h"
#include "app/cli/terminal.h"
#include "engine/lessons/grade.h"
#include "engine/lessons/graph_lesson.h"
#include "engine/support/file.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

struct GradeArguments {
    std::string lesson;
    std::vector<std::string> answers;
    std::vector<std::string> backends;  ///< of a graph; none: `lesson` is a lesson
    bool lower = false, simplify = false, fold = false;
    bool csv = false;
};

std::string cell(const GradedAnswer& answer) {
    if (!answer.given) return "-";
    return (answer.right ? "right" : "wrong") + std::string(answer.attempts > 1 ? " (" : "") +
           (answer.attempts > 1 ? std::to_string(answer.attempts) + ")" : "");
}

/// Returns what makes the answers doubtful.
std::string remark(const Grade& grade) {
    std::string text = grade.unchanged ? "" : "changed after saving";
    if (!grade.same_lesson) text += std::string(text.empty() ? "" : "; ") + "of another lesson";
    return text;
}

std::vector<std::string> header(const std::vector<int>& pages) {
    std::vector<std::string> names{"file", "name"};
    for (int page : pages) names.push_back("page " + std::to_string(page));
    for (const char* name : {"points", "of", "minutes", "remark"}) names.emplace_back(name);
    return names;
}

std::vector<std::string> row(const std::string& file, const Grade& grade) {
    std::vector<std::string> cells{std::filesystem::path(file).filename().string(), grade.who};
    for (const GradedAnswer& answer : grade.answers) cells.push_back(cell(answer));
    cells.push_back(std::to_string(grade.points()));
    cells.push_back(std::to_string(kPointsAtOnce * int(grade.answers.size())));
    cells.push_back(fixed_text(grade.seconds() / 60, 1));
    cells.push_back(remark(grade));
    return cells;
}

/// Returns a line of CSV. A name that a spreadsheet would take for a formula gets an apostrophe.
std::string csv_line(const std::vector<std::string>& cells) {
    std::string line;
    for (const std::string& cell : cells) {
        std::string text = cell;
        if (text.size() > 1 && std::string_view("=+-@\t").find(text[0]) != std::string_view::npos) text = "'" + text;
        std::string quoted;
        for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
        line += (line.empty() ? "\"" : ",\"") + quoted + "\"";
    }
    return line + "\n";
}

/// What was asked.
struct Asked {
    Lesson lesson;
    std::shared_ptr<const LessonGraph> graph;
};

std::optional<Asked> open_lesson(const std::string& name) {
    const Result<std::string> text = lesson_text(name);
    if (!text) return refuse(text.error(), name), std::nullopt;
    CheckedLesson checked = read_lesson(*text, name);
    for (const Diagnostic& fault : checked.faults) report(fault);
    if (!checked.lesson) return std::nullopt;
    const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(*checked.lesson);
    if (!graph) return refuse(graph.error(), name), std::nullopt;
    return Asked{std::move(*checked.lesson), *graph};
}

/// A graph asks for its regions.
std::optional<Asked> open_graph(const GradeArguments& arguments) {
    FlowArguments flow;
    flow.file = arguments.lesson;
    flow.backends = arguments.backends;
    flow.divide.lower = arguments.lower;
    flow.divide.simplify = arguments.simplify;
    flow.divide.fold = arguments.fold;
    const std::optional<FlowOutcome> outcome = open_and_run_flow(flow, false);
    if (!outcome) return std::nullopt;
    std::vector<BackendPtr> backends;
    for (const BackendDescription& backend : outcome->backends)
        backends.push_back(std::make_shared<const BackendDescription>(backend));
    const ModulePtr& module = outcome->result.input;
    const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(module, backends);
    if (!graph) return refuse(graph.error(), arguments.lesson), std::nullopt;
    return Asked{lesson_of_graph(*module, file_title(arguments.lesson), backends), *graph};
}

int grade_answers(const GradeArguments& arguments) {
    const std::optional<Asked> asked =
        arguments.backends.empty() ? open_lesson(arguments.lesson) : open_graph(arguments);
    if (!asked) return kRefused;
    const std::vector<std::string> names = header(pages_with_questions(asked->lesson));
    Table table(names);
    std::string csv = csv_line(names);
    int status = kDone;
    for (const std::string& file : arguments.answers) {
        const Result<std::string> given = read_file(file);
        const Result<AnswerFile> answers = given ? parse_answers(*given, file) : Result<AnswerFile>(given.error());
        if (!answers) {
            status = refuse(answers.error(), file);
            continue;
        }
        const std::vector<std::string> cells = row(file, grade(asked->lesson, asked->graph, *answers));
        table.add(cells);
        csv += csv_line(cells);
    }
    print(arguments.csv ? csv : table.text());
    return status;
}

}  // namespace

void add_grade_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "grade", "grade answers to a lesson: 2 points for a right answer at the first attempt, 1 for a later one");
    auto arguments = std::make_shared<GradeArguments>();
    command
        ->add_option(
            "LESSON", arguments->lesson,
            "the lesson's file, or the name of one that ships; with --backends, the graph whose regions were predicted")
        ->required();
    command->add_option("ANSWERS", arguments->answers, "files of answers that the window saved")->required();
    add_backend_list(*command, "--backends", arguments->backends,
                     "grade predictions of a graph: the backends that it was divided among, in order of priority");
    command->add_flag("--lower", arguments->lower, "operators that Relay does not have were lowered first");
    command->add_flag("--simplify", arguments->simplify, "the graph was simplified first");
    command->add_flag("--fold", arguments->fold, "constants of the graph were folded first");
    command->add_flag("--csv", arguments->csv, "print CSV for a spreadsheet");
    command->callback([arguments, &status] { status = grade_answers(*arguments); });
}

}  // namespace partita::cli
