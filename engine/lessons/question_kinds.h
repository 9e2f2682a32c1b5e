// The kinds of questions in one table: how each is called, what it needs, its right answer, and how an answer is
// judged. A new kind is a row here, with its functions in question_kinds.cpp and its members in lesson_reader.cpp.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "engine/lessons/lesson_graph.h"

namespace partita {

/// What an answer is worth.
struct LessonVerdict {
    bool right = false;
    std::string hint;                                         ///< of a wrong answer: Markdown
    std::vector<uint32_t> missed, extra;                      ///< calls that the answer lacks, or has too many
    std::vector<uint32_t> missed_elsewhere, extra_elsewhere;  ///< Rule: the same on its variants of the graph
    std::string elsewhere;                                    ///< what is special in the first of those; "" for nothing
    int regions = -1;                                         ///< Faster: with the answer
    double moved_bytes = -1;
    DivisionFigures reached;  ///< Faster
    double time_ratio = -1;   ///< Faster, where the lesson has speeds: to the page's division
    int changed_rules = 0;    ///< Faster
};

struct QuestionKindRow {
    QuestionKind kind;
    std::string_view name;  ///< in files
    /// Returns the right answer, from the flow where it follows from that.
    LessonAnswer (*solve)(const LessonGraph&, const LessonQuestion&);
    /// Judges without hints. Fails where an answer can't be judged, such as a rule with a syntax error.
    Result<LessonVerdict> (*judge)(const LessonGraph&, const LessonQuestion&, const LessonAnswer&);
    /// Returns whether two wrong answers are the same mistake.
    bool (*alike)(const LessonGraph&, const LessonQuestion&, const LessonAnswer&, const LessonAnswer&);
};

std::span<const QuestionKindRow> question_kinds();
const QuestionKindRow& row_of(QuestionKind kind);

/// Returns what a question lacks, such as `"choices"`; one that lacks something can't be solved.
std::vector<std::string> lacks_of(const LessonQuestion& question);
/// Returns the right answer.
LessonAnswer solution_of(const LessonGraph& graph, const LessonQuestion& question);
/// Returns the graph as the answer to a question leaves it: with the rule, or with the assignments; else the graph.
Result<std::shared_ptr<const LessonGraph>> with_answer(const std::shared_ptr<const LessonGraph>& graph,
                                                       const LessonQuestion& question, const LessonAnswer& answer);
/// Judges an answer; a wrong one gets the hint of the same mistake, or the question's `wrong`.
Result<LessonVerdict> judge_answer(const LessonGraph& graph, const LessonQuestion& question,
                                   const LessonAnswer& answer);

/// A row of a page's table of divisions.
struct ComparedRow {
    std::string name;
    std::optional<DivisionFigures> reached;  ///< nothing: the question is not answered yet
    std::string fault;                       ///< of a partitioner that does not divide this graph
};
/// Divides the graph as the table of a page says. `answer_to` returns the learner's right answer to the question of a
/// page, from 1; without one, the best known answer is not shown either.
std::vector<ComparedRow> compare_divisions(const std::shared_ptr<const LessonGraph>& graph, const Lesson& lesson,
                                           const LessonPage& page,
                                           const std::function<const LessonAnswer*(int page)>& answer_to);

}  // namespace partita
