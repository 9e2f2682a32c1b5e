#include "engine/lessons/lesson_handout.h"

#include <algorithm>

#include "engine/lessons/answer_text.h"
#include "engine/lessons/question_kinds.h"
#include "engine/session/export.h"

namespace partita {

namespace {

using Kind = HandoutBlock::Kind;

/// Collects the blocks of one lesson.
class HandoutOfLesson {
public:
    HandoutOfLesson(const Lesson& lesson, std::shared_ptr<const LessonGraph> graph, const LessonHandoutWords& words,
                    const CancelToken& cancel)
        : lesson_(lesson), words_(words), cancel_(cancel), form_{words.order, true}, graph_(std::move(graph)) {}

    Result<Handout> make() {
        handout_.title = lesson_.title;
        handout_.line = lesson_.line;
        Result<PicturePtr> picture = picture_of(*graph_);
        if (!picture) return picture.error();
        picture_ = *picture;
        const auto asks = [](const LessonPage& page) { return page.question.has_value(); };
        const auto last = std::find_if(lesson_.pages.rbegin(), lesson_.pages.rend(), asks).base();
        for (auto page = lesson_.pages.begin(); page != last; ++page)
            if (Status added = add(*page); !added) return added.error();
        if (!picture_shown_) add(Kind::Empty);
        // What is answered by another division has a picture of its own.
        if (std::any_of(lesson_.pages.begin(), last,
                        [&](const LessonPage& page) { return asks(page) && !changes(page); }))
            handout_.solutions.push_back({Kind::Picture, {}, 0, picture_});
        for (const HandoutBlock& block : answers_) handout_.solutions.push_back(block);
        // What is said after the last question says the answers.
        for (auto page = last; page != lesson_.pages.end(); ++page)
            handout_.solutions.push_back({Kind::Text, page->text, 0, nullptr});
        return std::move(handout_);
    }

private:
    using PicturePtr = std::shared_ptr<const Picture>;
    static constexpr size_t kMostDrawnOn = 30;  ///< calls

    Result<PicturePtr> picture_of(const LessonGraph& graph) const {
        std::vector<BackendDescription> backends;
        for (const BackendPtr& backend : graph.backends()) backends.push_back(*backend);
        ExportSubject subject = export_subject(graph.flow(), backends, lesson_.title);
        subject.numbered = true;
        subject.grouping = large_ ? PictureGrouping::Automatic : PictureGrouping::None;
        subject.cancel = cancel_;
        Result<Picture> picture = make_picture(subject);
        if (!picture) return picture.error();
        return std::make_shared<const Picture>(std::move(*picture));
    }

    /// Whether the answer to its question divides the graph anew.
    static bool changes(const LessonPage& page) {
        return page.question->kind == QuestionKind::Rule || page.question->kind == QuestionKind::Faster;
    }

    void add(Kind kind, const std::string& text = {}, int lines = 0) {
        handout_.exercises.push_back({kind, text, lines, kind == Kind::Empty ? picture_ : nullptr});
    }
    void answer(Kind kind, const std::string& text) { answers_.push_back({kind, text, 0, nullptr}); }

    Status add(const LessonPage& page) {
        if (!page.question) {
            add(Kind::Text, page.text);
            return Nothing();
        }
        const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(graph_, page);
        if (!graph) return graph.error();
        add(Kind::Question, heading_of(page.text));
        add(Kind::Text, without_heading(page.text));
        const std::string given = setting_text(page.with, **graph, form_);
        if (!given.empty()) add(Kind::Text, words_.given + " " + given);
        ask(*page.question);
        answer(Kind::Question, heading_of(page.text));
        answer(Kind::Text,
               words_.answer + " " + answer_text(solution_of(**graph, *page.question), *page.question, **graph, form_));
        answer(Kind::Text, page.question->right);
        const auto solved = with_answer(*graph, *page.question, solution_of(**graph, *page.question));
        if (!solved) return solved.error();
        if (*solved == graph_ || large_) return Nothing();
        Result<PicturePtr> picture = picture_of(**solved);
        if (!picture) return picture.error();
        answers_.push_back({Kind::Picture, {}, 0, *picture});
        return Nothing();
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
        if (!large_ || !picture_shown_) add(Kind::Empty);
        picture_shown_ = true;
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
    const LessonHandoutWords& words_;
    const CancelToken& cancel_;
    const AnswerForm form_;
    const std::shared_ptr<const LessonGraph> graph_;
    /// Its picture stands there once, to be read; on small ones is drawn.
    const bool large_ = graph_->calls().size() > kMostDrawnOn;
    PicturePtr picture_;
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
    return HandoutOfLesson(lesson, *graph, words, cancel).make();
}

}  // namespace partita
