// A lesson: a small graph, its backends, and pages of text, some with a question that is answered on the canvas. Read
// from JSON; a teacher can add files without building (resources/lessons beside the program, or the user's folder).
//
//   {"title": "...", "graph": "def @main(...) {...}", "backends": ["dnnl", {"name": "a", "ops": {"add": true}}],
//    "pages": [{"text": "Markdown", "do": ["annotate", "merge", "partition"],
//               "question": {"region_of": 3, "right": "Markdown", "wrong": "Markdown"}},
//              {"text": "Markdown", "predict": true}]}
//
// The same in another language stands beside it, in NAME.LANGUAGE.json ("1-regions.de.json"): title and texts alone,
// page by page. What is missing there stays as it is in the lesson.
//
// `region_of` names a call by its number: asked is which operators end up in one region with it. `predict` asks for all
// regions of the graph.
#pragma once

#include <optional>
#include <vector>

#include <QString>

#include "engine/flow/flow_choice.h"

namespace partita {

struct LessonQuestion {
    uint32_t region_of = 0;
    QString right, wrong;
};

struct LessonPage {
    QString text;  ///< Markdown
    bool annotate = false, merge = false, partition = false;
    bool predict = false;  ///< all regions shall be marked
    std::optional<LessonQuestion> question;
};

struct Lesson {
    QString title;
    QString graph;
    std::vector<BackendPtr> backends;
    std::vector<LessonPage> pages;
};

Result<Lesson> read_lesson(const std::string& text, const std::string& file);
/// A lesson's file, in the language of the default locale where somebody wrote that.
Result<Lesson> open_lesson(const QString& path);
/// Puts the texts of another language in place. A translation with faults changes nothing.
void translate_lesson(Lesson& lesson, const std::string& text);

/// The files of all lessons: built in, beside the program, the user's; sorted by name, the last of a name counts.
QStringList find_lessons();

/// What an answer was worth: the operators that belong to the region and were not selected, and the other way round.
struct Comparison {
    std::vector<ExprId> region, missed, extra;
    bool right() const { return missed.empty() && extra.empty(); }
};
/// Compares a selection with the region that the lesson's rules and merging give. Runs the flow: small graphs only.
Result<Comparison> check_answer(const Lesson& lesson, const LessonQuestion& question, const ModulePtr& module,
                                const std::vector<ExprId>& selection);

}  // namespace partita
