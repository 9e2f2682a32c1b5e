#include "app/gui/panels/lessons/lesson_page.h"

#include <algorithm>

#include "engine/lessons/lesson_graph.h"

namespace partita {

namespace {

std::vector<std::string> names_of(const std::vector<BackendPtr>& backends) {
    std::vector<std::string> names;
    for (const BackendPtr& backend : backends) names.push_back(backend->name);
    return names;
}

std::vector<BackendPtr> in_order(std::vector<BackendPtr> backends, const std::vector<std::string>& order) {
    const auto place = [&](const BackendPtr& backend) {
        return std::find(order.begin(), order.end(), backend->name) - order.begin();
    };
    std::stable_sort(backends.begin(), backends.end(),
                     [&](const BackendPtr& a, const BackendPtr& b) { return place(a) < place(b); });
    return backends;
}

}  // namespace

bool same_division(const FlowChoice& a, const FlowChoice& b) {
    return a.annotate == b.annotate && a.merge == b.merge && a.partition == b.partition && a.backends == b.backends &&
           a.partitioner == b.partitioner && a.overrides->overrides() == b.overrides->overrides();
}

FlowChoice choice_of_page(const Lesson& lesson, int page, const FlowChoice& now, const ExpressionNames& names) {
    const LessonPage& shown = lesson.pages[size_t(page)];
    FlowChoice choice = now;
    choice.annotate = shown.annotate;
    choice.merge = shown.merge;
    choice.partition = shown.partition;
    // Where no page has assignments, those of the learner stay from page to page.
    if (std::all_of(lesson.pages.begin(), lesson.pages.end(), [](const LessonPage& each) { return each.with.empty(); }))
        return choice;
    Overrides overrides;
    for (const auto& [call, backend] : shown.with.backends)
        if (const ExprId id = names.numbered(call); id.valid()) overrides[id] = backend;
    choice.overrides = HandPlacement(overrides);
    choice.backends =
        in_order(choice.backends, shown.with.order.empty() ? names_of(lesson.backends) : shown.with.order);
    choice.partitioner = shown.with.partitioner;
    if (auto changed = with_rules(choice.backends, shown.with.rules)) choice.backends = std::move(*changed);
    return choice;
}

LessonSetting setting_of(const Lesson& lesson, const FlowChoice& choice, const ExpressionNames& names) {
    LessonSetting setting;
    for (const auto& [id, backend] : choice.overrides->overrides())
        if (const uint32_t call = names.number(id)) setting.backends[call] = backend;
    if (std::vector<std::string> order = names_of(choice.backends); order != names_of(lesson.backends))
        setting.order = std::move(order);
    setting.rules = changed_rules(lesson.backends, choice.backends);
    setting.partitioner = choice.partitioner;
    return setting;
}

void record_choice(LessonPage& page, const Lesson& lesson, const FlowChoice& choice, const ExpressionNames& names) {
    page.annotate = choice.annotate;
    page.merge = choice.merge;
    page.partition = choice.partition;
    page.with = setting_of(lesson, choice, names);
}

}  // namespace partita
