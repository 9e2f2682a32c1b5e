#include "engine/exporters/handout.h"

#include "engine/exporters/drawing.h"
#include "engine/exporters/handout_page.h"
#include "engine/flow/names.h"

namespace partita {
namespace {

/// A page that takes a while to draw is of no use on paper.
constexpr size_t kMostHandoutNodes = 2000;

/// A question stands on the page of its picture, if there is room for both on one.
void keep_together(HandoutPages& pages, std::span<const HandoutBlock> question) {
    constexpr double kTexts = 110, kLine = 24;
    double height = kTexts;
    for (size_t i = 1; i < question.size() && question[i].kind != HandoutBlock::Kind::Question; ++i) {
        height += kLine * question[i].lines;
        if (question[i].kind == HandoutBlock::Kind::Empty) return pages.need_for(*question[i].picture, height);
    }
}

void write_block(HandoutPages& pages, const HandoutBlock& block, int& question) {
    switch (block.kind) {
        case HandoutBlock::Kind::Text: return pages.markdown(block.text);
        case HandoutBlock::Kind::Note: return pages.note(block.text);
        case HandoutBlock::Kind::Question:
            return pages.heading(std::to_string(++question) + (block.text.empty() ? "" : ". " + block.text));
        case HandoutBlock::Kind::Picture: return pages.picture(*block.picture);
        case HandoutBlock::Kind::Empty: return pages.picture(empty_picture(*block.picture));
        case HandoutBlock::Kind::Choice: return pages.choice(block.text);
        case HandoutBlock::Kind::Lines: return pages.lines(block.text, block.lines);
    }
}

void write_blocks(HandoutPages& pages, std::span<const HandoutBlock> blocks) {
    int question = 0;
    for (size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i].kind == HandoutBlock::Kind::Question) keep_together(pages, blocks.subspan(i));
        write_block(pages, blocks[i], question);
    }
}

/// What each backend takes, a line for each.
std::string calls_by_backend(const ExportSubject& subject, const HandoutWords& words) {
    const ExpressionNames names(*subject.graph);
    std::string text;
    const auto backend_of = [&](ExprId call) {
        return call.value < subject.backend_of.size() ? int(subject.backend_of[call.value]) : -1;
    };
    for (int backend = -1; backend < int(subject.backends.size()); ++backend) {
        std::string calls;
        for (ExprId call : names.calls())
            if (backend_of(call) == backend) calls += (calls.empty() ? "" : ", ") + markdown_text(names.name(call));
        if (!calls.empty())
            text += "- **" + markdown_text(backend < 0 ? words.none : subject.backends[size_t(backend)]) +
                    "**: " + calls + "\n";
    }
    return text;
}

}  // namespace

Result<std::string> write_handouts(std::span<const Handout> handouts, PaperSize paper, const HandoutWords& words,
                                   const CancelToken& cancel) {
    HandoutPages pages(paper, handouts.empty() ? std::string() : handouts.front().title);
    for (const Handout& handout : handouts) {
        if (cancel.cancelled()) return error("cancelled");
        pages.begin_page(handout.title);
        pages.fields(words.name, words.date);
        pages.title(handout.title, handout.line);
        write_blocks(pages, handout.exercises);
    }
    for (const Handout& handout : handouts) {
        if (cancel.cancelled()) return error("cancelled");
        pages.begin_page(words.solutions + " · " + handout.title);
        pages.title(handout.title, words.solutions);
        write_blocks(pages, handout.solutions);
    }
    return pages.finish();
}

Result<Handout> predict_handout(const ExportSubject& given, const HandoutWords& words) {
    ExportSubject subject = given;
    subject.numbered = true;
    subject.grouping = PictureGrouping::None;  // each operator is to be drawn on
    Result<Picture> drawn = make_picture(subject);
    if (!drawn) return drawn.error();
    if (drawn->nodes.size() > kMostHandoutNodes)
        return error("the graph has " + std::to_string(drawn->nodes.size()) + " nodes; a hand-out shows at most " +
                     std::to_string(kMostHandoutNodes));
    const auto picture = std::make_shared<const Picture>(std::move(*drawn));
    Handout handout;
    handout.title = subject.title;
    using Kind = HandoutBlock::Kind;
    handout.exercises = {{Kind::Text, words.predict, 0, nullptr}, {Kind::Note, words.draw, 0, nullptr}};
    std::string backends;
    for (const std::string& name : subject.backends)
        backends += (backends.empty() ? "" : ", ") + ("**" + markdown_text(name) + "**");
    if (!backends.empty()) handout.exercises.push_back({Kind::Text, words.backends + ": " + backends, 0, nullptr});
    handout.exercises.push_back({Kind::Empty, {}, 0, picture});
    handout.solutions = {{Kind::Picture, {}, 0, picture}, {Kind::Text, calls_by_backend(subject, words), 0, nullptr}};
    return handout;
}

Result<std::string> write_handout(const ExportSubject& subject) {
    const HandoutWords words;
    Result<Handout> handout = predict_handout(subject, words);
    if (!handout) return handout.error();
    return write_handouts({&*handout, 1}, subject.paper, words, subject.cancel);
}

}  // namespace partita
