#include "engine/lessons/lesson_handout.h"

#include <algorithm>

#include "engine/lessons/question_kinds.h"
#include "engine/session/export.h"

namespace partita {

namespace {

using Kind = HandoutBlock::Kind;

/// Collects the blocks of one lesson.
class HandoutOfLesson {
public:
    HandoutOfLesson(const Lesson& lesson, const LessonGraph& graph, const LessonHandoutWords& words,
                    std::shared_ptr<const Picture> picture)
        : lesson_(lesson), graph_(graph), words_(words), picture_(std::move(picture)) {}

    Handout make() {
        handout_.title = lesson_.title;
        handout_.line = lesson_.line;
        const auto asks = [](const LessonPage& page) { return page.question.has_value(); };
        const auto last = std::find_if(lesson_.pages.rbegin(), lesson_.pages.rend(), asks).base();
        for (auto page = lesson_.pages.begin(); page != last; ++page) add(*page);
        if (!picture_shown_) add(Kind::Empty);
        handout_.solutions.push_back({Kind::Picture, {}, 0, picture_});
        for (const HandoutBlock& block : answers_) handout_.solutions.push_back(block);
        // What is said after the last question says the answers.
        for (auto page = last; page != lesson_.pages.end(); ++page)
            handout_.solutions.push_back({Kind::Text, page->text, 0, nullptr});
        return std::move(handout_);
    }

private:
    void add(Kind kind, const std::string& text = {}, int lines = 0) {
        handout_.exercises.push_back({kind, text, lines, kind == Kind::Empty ? picture_ : nullptr});
    }
    void answer(Kind kind, const std::string& text) { answers_.push_back({kind, text, 0, nullptr}); }

    void add(const LessonPage& page) {
        if (!page.question) return add(Kind::Text, page.text);
        add(Kind::Question, heading_of(page.text));
        add(Kind::Text, without_heading(page.text));
        ask(*page.question);
        answer(Kind::Question, heading_of(page.text));
        answer(Kind::Text, words_.answer + " " + solution_text(*page.question));
        answer(Kind::Text, page.question->right);
    }

    void ask(const LessonQuestion& question) {
        switch (question.kind) {
            case QuestionKind::Select: return draw(words_.select);
            case QuestionKind::Assign: return draw(words_.assign);
            case QuestionKind::Path: return draw(words_.path);
            case QuestionKind::Regions: return draw(words_.regions);
            case QuestionKind::Count: return add(Kind::Lines, words_.answer, 1);
            case QuestionKind::Rule: add(Kind::Note, words_.rule); return add(Kind::Lines, {}, 3);
            case QuestionKind::Faster: add(Kind::Lines, words_.answer, 2); return draw(words_.faster);
            case QuestionKind::Reason:
                add(Kind::Note, words_.reason);
                for (const std::string& choice : question.choices) add(Kind::Choice, choice);
                return;
        }
    }

    void draw(const std::string& note) {
        add(Kind::Note, note);
        add(Kind::Empty);
        picture_shown_ = true;
    }

    std::string solution_text(const LessonQuestion& question) const {
        const LessonAnswer solution = solution_of(graph_, question);
        std::string text;
        const auto more = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
        if (question.kind == QuestionKind::Reason && size_t(solution.number) < question.choices.size())
            return question.choices[size_t(solution.number)];
        if (question.kind == QuestionKind::Rule) return "`" + solution.text + "`";
        if (solution.number >= 0) return std::to_string(solution.number);
        for (uint32_t call : solution.calls) more(name_of(call));
        for (const auto& [call, backend] : solution.backends)
            more(name_of(call) + " → **" + markdown_text(backend) + "**");
        for (const std::vector<uint32_t>& region : solution.regions) {
            std::string calls;
            for (uint32_t call : region) calls += (calls.empty() ? "" : ", ") + name_of(call);
            more("{" + calls + "}");
        }
        std::string order;
        for (const std::string& backend : solution.order) order += (order.empty() ? "" : ", ") + markdown_text(backend);
        if (!order.empty()) more(words_.order + " " + order);
        return text;
    }

    std::string name_of(uint32_t call) const {
        return markdown_text(expression_name(graph_.module(), graph_.id(call)));
    }

    static std::string heading_of(const std::string& text) {
        if (!text.starts_with("#")) return {};
        const size_t begin = std::min(text.find_first_not_of("# "), text.size());
        return text.substr(begin, std::min(text.find('\n', begin), text.size()) - begin);
    }
    static std::string without_heading(const std::string& text) {
        return text.starts_with("#") ? text.substr(std::min(text.find('\n'), text.size())) : text;
    }

    const Lesson& lesson_;
    const LessonGraph& graph_;
    const LessonHandoutWords& words_;
    const std::shared_ptr<const Picture> picture_;
    Handout handout_;
    std::vector<HandoutBlock> answers_;
    bool picture_shown_ = false;
};

}  // namespace

bool looks_like_lesson(std::string_view text) {
    return text.find("\"pages\"") != std::string_view::npos && text.find("\"graph\"") != std::string_view::npos;
}

Result<Handout> handout_of(const Lesson& lesson, const LessonHandoutWords& words, const CancelToken& cancel) {
    Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(lesson);
    if (!graph) return graph.error();
    std::vector<BackendDescription> backends;
    for (const BackendPtr& backend : (*graph)->backends()) backends.push_back(*backend);
    ExportSubject subject = export_subject((*graph)->flow(), backends, lesson.title);
    subject.numbered = true;
    subject.cancel = cancel;
    Result<Picture> picture = make_picture(subject);
    if (!picture) return picture.error();
    return HandoutOfLesson(lesson, **graph, words, std::make_shared<const Picture>(std::move(*picture))).make();
}

}  // namespace partita
