// `lessons list`: the lessons that ship; `lessons show`: the file of one; `lessons check`: all faults of a lesson.
#include <algorithm>
#include <memory>

#include "app/cli/command.h"
#include "app/cli/lesson_text.h"
#include "app/cli/terminal.h"
#include "engine/lessons/check_lesson.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/file.h"
#include "engine/support/natural_order.h"

namespace partita::cli {

Result<std::string> lesson_text(const std::string& name_or_path) {
    for (const EmbeddedText& lesson : embedded_lessons())
        if (lesson.name == name_or_path) return std::string(lesson.text);
    return read_file(name_or_path);
}

namespace {

/// Returns the ending of the translations in a language.
std::string ending_of(const std::string& language) { return language == "zh" ? "zh_CN" : language; }

/// Returns the translation of a lesson; "" if there is none.
std::string translation_of(const std::string& name_or_path, const std::string& language) {
    const std::string beginning =
        name_or_path.ends_with(".json") ? name_or_path.substr(0, name_or_path.size() - 5) : name_or_path;
    const std::string wanted = beginning + "." + ending_of(language);
    for (const EmbeddedText& text : embedded_lesson_translations())
        if (text.name == wanted) return std::string(text.text);
    if (beginning == name_or_path) return {};
    for (const std::string& path : {wanted + ".json", beginning + "." + language + ".json"})
        if (const Result<std::string> text = read_file(path)) return *text;
    return {};
}

}  // namespace

CheckedLesson open_lesson(const std::string& text, const std::string& name_or_path, const std::string& language) {
    CheckedLesson read = read_lesson(text, name_or_path);
    if (read.lesson && !language.empty()) translate_lesson(*read.lesson, translation_of(name_or_path, language));
    return read;
}

std::vector<std::string> lessons_of_chapter(const std::string& title, const std::string& language) {
    std::vector<std::string> names;
    for (const EmbeddedText& embedded : embedded_lessons()) {
        const std::string name(embedded.name), text(embedded.text);
        const CheckedLesson english = open_lesson(text, name, {}), other = open_lesson(text, name, language);
        if (title == "course" || english.as_read.chapter == title || (other.lesson && other.lesson->chapter == title))
            names.push_back(name);
    }
    std::sort(names.begin(), names.end(), natural_less);
    return names;
}

namespace {

int list_lessons() {
    Table table({"lesson", "title", "aim"});
    for (const EmbeddedText& embedded : embedded_lessons())
        if (const CheckedLesson read = read_lesson(embedded.text, std::string(embedded.name)); read.lesson)
            table.add({std::string(embedded.name), read.lesson->title, read.lesson->line});
    print(table.text());
    return kDone;
}

int show_lesson(const std::string& name) {
    const Result<std::string> text = lesson_text(name);
    if (!text) return refuse(text.error(), name);
    print(*text);
    return kDone;
}

int check_lessons(const std::vector<std::string>& files, bool measure) {
    int status = kDone;
    for (const std::string& file : files) {
        const Result<std::string> text = lesson_text(file);
        if (!text) return refuse(text.error(), file);
        const std::vector<Diagnostic> faults = check_lesson(*text, file, measure);
        for (const Diagnostic& fault : faults) report(fault);
        if (!faults.empty()) status = kRefused;
        else print(file + ": no fault\n");
    }
    return status;
}

}  // namespace

void add_lessons_command(CLI::App& app, int& status) {
    CLI::App* command = app.add_subcommand("lessons", "list, show and check lessons");
    command->require_subcommand(1);
    CLI::App* list = command->add_subcommand("list", "list the lessons that ship, with their aims");
    list->callback([&status] { status = list_lessons(); });
    auto name = std::make_shared<std::string>();
    CLI::App* show = command->add_subcommand("show", "print the file of a lesson, to begin one's own with");
    show->add_option("LESSON", *name, "the name of a lesson that ships")->required();
    show->callback([name, &status] { status = show_lesson(*name); });
    auto files = std::make_shared<std::vector<std::string>>();
    auto measure = std::make_shared<bool>(false);
    CLI::App* check = command->add_subcommand("check", "list all faults of lessons: form, questions, hints and claims");
    check->add_option("F.json", *files, "the lesson's file, or the name of one that ships")->required();
    check->add_flag("--measure", *measure, "also run the graphs to check what claims say about times");
    check->callback([files, measure, &status] { status = check_lessons(*files, *measure); });
}

}  // namespace partita::cli
