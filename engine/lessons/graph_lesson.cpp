#include "engine/lessons/graph_lesson.h"

#include "engine/frontends/relay/printer.h"

namespace partita {

Lesson lesson_of_graph(const Module& module, const std::string& title, std::vector<BackendPtr> backends) {
    RelayPrintOptions options;
    options.show_metadata = false;
    options.types = false;
    Lesson lesson;
    lesson.title = title;
    lesson.graph = print_relay(module, options);
    lesson.backends = std::move(backends);
    lesson.pages.emplace_back();
    lesson.pages.back().question.emplace();
    lesson.pages.back().question->kind = QuestionKind::Regions;
    return lesson;
}

}  // namespace partita
