// `grade`: the points of files of answers to a lesson, or of a class to the course, by learner and by question.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/flow_arguments.h"
#include "app/cli/lesson_text.h"
#include "app/cli/terminal.h"
#include "engine/lessons/course_grade.h"
#include "engine/lessons/graph_lesson.h"
#include "engine/support/file.h"
#include "engine/support/folder_files.h"
#include "engine/support/number_text.h"

namespace partita::cli {
namespace {

struct GradeArguments {
    std::string lesson;
    std::vector<std::string> answers;
    std::vector<std::string> own;       ///< lessons beside the course
    std::string by;                     ///< "students", "questions"; "" for both
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

std::optional<CourseLesson> open_lesson(const std::string& name) {
    const Result<std::string> text = lesson_text(name);
    if (!text) return refuse(text.error(), name), std::nullopt;
    CheckedLesson checked = read_lesson(*text, name);
    for (const Diagnostic& fault : checked.faults) report(fault);
    if (!checked.lesson) return std::nullopt;
    const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(*checked.lesson);
    if (!graph) return refuse(graph.error(), name), std::nullopt;
    return CourseLesson{std::filesystem::path(name).stem().string(), std::move(*checked.lesson), *graph};
}

/// A graph asks for its regions.
std::optional<CourseLesson> open_graph(const GradeArguments& arguments) {
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
    return CourseLesson{"", lesson_of_graph(*module, file_title(arguments.lesson), backends), *graph};
}

/// A file as a learner handed it in.
struct HandedIn {
    std::string file;
    CourseFile answers;

    bool of_one_lesson() const { return answers.most_points == 0; }
};

/// Reports those that can't be read. Files of one lesson each, of the same name, are one learner's.
std::vector<HandedIn> read_answers(const std::vector<std::string>& paths, bool together, int& status) {
    std::vector<HandedIn> all;
    static constexpr std::string_view kAnswerEndings[] = {".json"};
    for (const std::string& file : files_in(paths, kAnswerEndings)) {
        const Result<std::string> text = read_file(file);
        Result<CourseFile> answers = text ? parse_course(*text, file) : Result<CourseFile>(text.error());
        if (!answers) {
            status = refuse(answers.error(), file);
            continue;
        }
        HandedIn read{std::filesystem::path(file).filename().string(), std::move(*answers)};
        const auto same = std::find_if(all.begin(), all.end(), [&](const HandedIn& other) {
            return !read.answers.who.empty() && other.answers.who == read.answers.who && other.of_one_lesson();
        });
        if (!together || !read.of_one_lesson() || same == all.end()) {
            all.push_back(std::move(read));
            continue;
        }
        same->file += ", " + read.file;
        same->answers.unchanged &= read.answers.unchanged;
        same->answers.lessons.push_back(std::move(read.answers.lessons.front()));
    }
    if (all.empty() && status == kDone) {
        report_error("there is no file of answers");
        status = kRefused;
    }
    return all;
}

void print_table(const GradeArguments& arguments, const std::vector<std::vector<std::string>>& lines) {
    Table table(lines.front());
    std::string csv;
    for (size_t i = 0; i < lines.size(); ++i) {
        if (i > 0) table.add(lines[i]);
        csv += csv_line(lines[i]);
    }
    print(arguments.csv ? csv : table.text());
}

/// Returns the answers to one lesson. Those to another one are given where the file has no others: that is remarked.
AnswerFile answers_to(const CourseLesson& asked, const CourseFile& course) {
    const std::string of = checksum_of(asked.lesson);
    const AnswerFile* found = course.lessons.size() == 1 ? &course.lessons.front() : nullptr;
    for (const AnswerFile& file : course.lessons)
        if (file.of == of || (!found && file.lesson == asked.lesson.title)) found = &file;
    AnswerFile none;
    none.of = of;
    none.who = course.who;
    none.unchanged = course.unchanged;
    return found ? *found : none;
}

std::string lesson_number(const std::string& name) { return name.substr(0, name.find('-')); }

std::vector<std::string> learner_line(const HandedIn& in, const LearnerGrade& learner, int most_points) {
    std::vector<std::string> cells{in.file, learner.who};
    for (const Grade& grade : learner.lessons) {
        const bool any = std::any_of(grade.answers.begin(), grade.answers.end(), [](const auto& a) { return a.given; });
        cells.push_back(any ? std::to_string(grade.points()) : "-");
    }
    cells.push_back(std::to_string(learner.points()));
    cells.push_back(std::to_string(most_points));
    cells.push_back(fixed_text(learner.seconds() / 60, 1));
    std::string remark = learner.unchanged ? "" : "changed after saving";
    if (learner.unknown > 0)
        remark += std::string(remark.empty() ? "" : "; ") + std::to_string(learner.unknown) +
                  (learner.unknown == 1 ? " lesson" : " lessons") + " of another course";
    cells.push_back(remark);
    return cells;
}

std::string heading(const CourseLesson& asked, int page) {
    const std::string& text = asked.lesson.pages[size_t(page) - 1].text;
    const size_t begin = std::min(text.find_first_not_of("# "), text.size());
    return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
}

std::vector<std::string> question_line(const std::vector<CourseLesson>& lessons, const QuestionGrade& question) {
    constexpr size_t kMostShown = 3;
    const CourseLesson& asked = lessons[question.lesson];
    std::string wrong;
    for (size_t i = 0; i < question.wrong_ones.size() && i < kMostShown; ++i)
        wrong +=
            (i ? " | " : "") + std::to_string(question.wrong_ones[i].second) + " x " + question.wrong_ones[i].first;
    const int answered = question.answered();
    return {asked.name,
            std::to_string(question.page),
            heading(asked, question.page),
            std::to_string(question.at_once),
            std::to_string(question.later),
            std::to_string(question.wrong),
            std::to_string(question.missing),
            fixed_text(answered ? question.seconds / 60 / answered : 0, 1),
            wrong};
}

void print_questions(const GradeArguments& arguments, const std::vector<CourseLesson>& lessons,
                     const CourseGrader& grader) {
    std::vector<std::vector<std::string>> lines{
        {"lesson", "page", "question", "at once", "later", "wrong", "no answer", "minutes", "typical wrong answers"}};
    for (const QuestionGrade& question : grader.questions())
        if (arguments.csv || question.failed_share() > 0) lines.push_back(question_line(lessons, question));
    if (lines.size() > 1) print_table(arguments, lines);
    else print("Every answer was right at the first attempt.\n");
}

/// `one`: the table by page of a single lesson, else by lesson.
int grade_lessons(const GradeArguments& arguments, const std::vector<CourseLesson>& lessons, bool one) {
    int status = kDone;
    const std::vector<HandedIn> all = read_answers(arguments.answers, !one, status);
    CourseGrader grader(lessons);
    std::vector<std::vector<std::string>> lines{{"file", "name"}};
    for (const CourseLesson& lesson : lessons) lines[0].push_back(lesson_number(lesson.name));
    for (const char* name : {"points", "of", "minutes", "remark"}) lines[0].emplace_back(name);
    if (one) lines[0] = header(pages_with_questions(lessons.front().lesson));
    for (const HandedIn& in : all) {
        const LearnerGrade learner = grader.add(in.answers);
        const CourseLesson& first = lessons.front();
        lines.push_back(one ? row(in.file, grade(first.lesson, first.graph, answers_to(first, in.answers)))
                            : learner_line(in, learner, grader.most_points()));
    }
    if (all.empty()) return status;
    const bool questions = arguments.by == "questions" || (arguments.by.empty() && !one && !arguments.csv);
    if (arguments.by != "questions") print_table(arguments, lines);
    if (questions && arguments.by.empty()) print("\n");
    if (questions) print_questions(arguments, lessons, grader);
    return status;
}

bool is_file_of_answers(const std::string& path) {
    std::error_code fault;
    if (std::filesystem::is_directory(path, fault)) return true;
    const Result<std::string> text = read_file(path);
    return text && (text->find("\"partita_course\"") != std::string::npos ||
                    text->find("\"partita_answers\"") != std::string::npos);
}

int grade_answers(GradeArguments arguments) {
    std::vector<std::string> names = lessons_of_chapter(arguments.lesson, {});
    const bool course = !names.empty() || is_file_of_answers(arguments.lesson);
    if (course && names.empty()) {
        arguments.answers.insert(arguments.answers.begin(), arguments.lesson);
        names = lessons_of_chapter("course", {});
    }
    if (!course) names = {arguments.lesson};
    names.insert(names.end(), arguments.own.begin(), arguments.own.end());
    if (arguments.answers.empty()) {
        report_error("files of answers are missing");
        return kWrongUsage;
    }
    std::vector<CourseLesson> lessons;
    for (const std::string& name : names) {
        std::optional<CourseLesson> lesson = arguments.backends.empty() ? open_lesson(name) : open_graph(arguments);
        if (!lesson) return kRefused;
        lessons.push_back(std::move(*lesson));
    }
    return grade_lessons(arguments, lessons, !course && lessons.size() == 1);
}

}  // namespace

void add_grade_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand(
        "grade",
        "grade answers to a lesson or the course: 2 points for a right answer at the first attempt, 1 for a later one");
    auto arguments = std::make_shared<GradeArguments>();
    command
        ->add_option(
            "LESSON", arguments->lesson,
            "the lesson's file, or the name of one that ships, a chapter, or course; a folder of answers, or a file of "
            "them, stands for course; with --backends, the graph whose regions were predicted")
        ->required();
    command->add_option("ANSWERS", arguments->answers, "files of answers that the window saved, or folders of them");
    command->add_option("--lessons", arguments->own, "also grade these lessons of one's own")
        ->delimiter(',')
        ->type_name("F.json,...");
    command
        ->add_option("--by", arguments->by,
                     "one table alone: students, or questions, those first that most got wrong; default both of a "
                     "course, students of a lesson and with --csv")
        ->check(CLI::IsMember({"students", "questions"}))
        ->type_name("WHAT");
    add_backend_list(*command, "--backends", arguments->backends,
                     "grade predictions of a graph: the backends that it was divided among, in order of priority");
    command->add_flag("--lower", arguments->lower, "operators that Relay does not have were lowered first");
    command->add_flag("--simplify", arguments->simplify, "the graph was simplified first");
    command->add_flag("--fold", arguments->fold, "constants of the graph were folded first");
    command->add_flag("--csv", arguments->csv, "print one table as CSV for a spreadsheet");
    command->callback([arguments, &status] { status = grade_answers(*arguments); });
}

}  // namespace partita::cli
