#include "engine/lessons/lesson_writer.h"

#include "engine/lessons/answer_json.h"
#include "engine/lessons/question_kinds.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

using WrittenJson = nlohmann::ordered_json;

/// Collects the members of an object that say something.
class Members {
public:
    template <class T>
    Members& add(const char* key, const T& value, bool says = true) {
        if (says) json_[key] = value;
        return *this;
    }
    Members& text(const char* key, const std::string& value) { return add(key, value, !value.empty()); }
    template <class T>
    Members& list(const char* key, const std::vector<T>& values) {
        return add(key, values, !values.empty());
    }
    Members& backends(const char* key, const std::map<uint32_t, std::string>& backends) {
        return add(key, backends_json(backends), !backends.empty());
    }
    const WrittenJson& json() const { return json_; }

private:
    WrittenJson json_ = WrittenJson::object();
};

WrittenJson setting_members(const LessonSetting& setting) {
    return Members()
        .backends("backends", setting.backends)
        .list("order", setting.order)
        .add("rules", setting.rules, !setting.rules.empty())
        .add("partitioner", setting.partitioner.name, !setting.partitioner.is_own())
        .add("options", setting.partitioner.options, !setting.partitioner.options.empty())
        .json();
}

void add_subject(Members& members, const LessonQuestion& question) {
    const std::vector<uint32_t>& calls = question.calls;
    if (question.kind == QuestionKind::Path) {
        members.add("from", calls.empty() ? 0 : calls[0], !calls.empty());
        members.add("to", calls.size() < 2 ? 0 : calls[1], calls.size() > 1);
    } else if (question.kind == QuestionKind::Select || question.kind == QuestionKind::Count) {
        members.add("region_of", calls.empty() ? 0 : calls[0], !calls.empty());
    } else {
        members.list("calls", calls);
    }
}

WrittenJson variants_json(const LessonQuestion& question) {
    WrittenJson variants = WrittenJson::array();
    for (const RuleVariant& variant : question.variants)
        variants.push_back(Members()
                               .text("what", variant.what)
                               .add("graph", variant.graph)
                               .list("takes", variant.takes)
                               .list("leaves", variant.leaves)
                               .json());
    return variants;
}

WrittenJson question_members(const LessonQuestion& question) {
    Members members;
    members.add("kind", row_of(question.kind).name);
    add_subject(members, question);
    members.text("count", question.counted)
        .list("choices", question.choices)
        .text("backend", question.backend)
        .list("place", question.place)
        .list("takes", question.takes)
        .list("leaves", question.leaves)
        .add("variants", variants_json(question), !question.variants.empty())
        .add("most_regions", question.most_regions, question.most_regions >= 0)
        .add("most_bytes", question.most_bytes, question.most_bytes >= 0);
    for (const ReachLimitField& field : kReachLimits)
        members.add(field.name, question.reach.*field.value, question.reach.*field.value != ReachLimits().*field.value);
    const WrittenJson solution = answer_json(question.solution);
    members.add("answer", solution, !solution.empty()).add("right", question.right).add("wrong", question.wrong);
    members.text("more", question.more);
    WrittenJson hints = WrittenJson::array();
    for (const LessonHint& hint : question.hints)
        hints.push_back({{"answer", answer_json(hint.answer)}, {"text", hint.text}});
    return members.add("hints", hints, !hints.empty()).json();
}

WrittenJson claim_members(const LessonClaim& claim) {
    const WrittenJson with = setting_members(claim.with), than = setting_members(claim.than);
    return Members()
        .add("with", with, !with.empty())
        .add("regions", claim.regions, claim.regions >= 0)
        .add("moved_bytes", claim.moved_bytes, claim.moved_bytes >= 0)
        .add("share", claim.share, claim.share >= 0)
        .add("weight_bytes", claim.weight_bytes, claim.weight_bytes >= 0)
        .add("time", claim.time, claim.time >= 0)
        .backends("backend_of", claim.backend_of)
        .list("together", claim.together)
        .list("apart", claim.apart)
        .add("times", claim.times, claim.times > 0)
        .add("than", than, !than.empty())
        .json();
}

WrittenJson page_members(const LessonPage& page) {
    std::vector<std::string> stages;
    if (page.annotate) stages.emplace_back("annotate");
    if (page.merge) stages.emplace_back("merge");
    if (page.partition) stages.emplace_back("partition");
    const WrittenJson with = setting_members(page.with);
    Members members;
    members.add("text", page.text).list("do", stages).add("with", with, !with.empty()).list("show", page.show);
    if (page.question && page.question->kind == QuestionKind::Regions && page.question->right.empty())
        members.add("predict", true);
    else if (page.question) members.add("question", question_members(*page.question));
    WrittenJson claims = WrittenJson::array();
    for (const LessonClaim& claim : page.claims) claims.push_back(claim_members(claim));
    WrittenJson compared = WrittenJson::array();
    for (const ComparedDivision& row : page.compare) {
        const WrittenJson setting = setting_members(row.with);
        compared.push_back(Members()
                               .add("name", row.name)
                               .add("with", setting, !setting.empty())
                               .add("answer_to", row.answer_to, row.answer_to > 0)
                               .add("solution_of", row.solution_of, row.solution_of > 0)
                               .json());
    }
    return members.add("claims", claims, !claims.empty()).add("compare", compared, !compared.empty()).json();
}

WrittenJson speeds_members(const LessonSpeeds& speeds) {
    WrittenJson backends = WrittenJson::object();
    for (const auto& [name, speed] : speeds.backends)
        backends[name] = {{"gflops", speed.gflops}, {"gbytes", speed.gbytes}, {"call_us", speed.call_us}};
    return {{"backends", backends}, {"link_gbytes", speeds.link_gbytes}};
}

/// Returns a backend's name if it ships as it is, else its description.
Result<WrittenJson> backend_entry(const BackendDescription& backend) {
    if (backend.source == builtin_backend_source(backend.name)) return WrittenJson(backend.name);
    WrittenJson description = ordered_json_of_text(backend.source);
    if (description.is_object() && backend.annotator.empty()) return description;
    return error("a lesson can't hold the backend \"" + backend.name +
                 "\": its rules are a program. Write them as a description in JSON");
}

}  // namespace

Result<std::string> format_lesson(const Lesson& lesson) {
    WrittenJson backends = WrittenJson::array();
    for (const BackendPtr& backend : lesson.backends) {
        Result<WrittenJson> entry = backend_entry(*backend);
        if (!entry) return entry.error();
        backends.push_back(std::move(*entry));
    }
    WrittenJson pages = WrittenJson::array();
    for (const LessonPage& page : lesson.pages) pages.push_back(page_members(page));
    Members members;
    members.add("title", lesson.title)
        .text("line", lesson.line)
        .text("chapter", lesson.chapter)
        .add("graph", lesson.graph)
        .add("backends", backends, !backends.empty());
    if (lesson.speeds) members.add("speeds", speeds_members(*lesson.speeds));
    if (lesson.script) members.add("script", WrittenJson{{"name", lesson.script->name}, {"text", lesson.script->text}});
    members.add("pages", pages);
    return json_text(members.json(), 2) + "\n";
}

}  // namespace partita
