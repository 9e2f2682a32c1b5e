// An answer in words, with the names of calls: for authors in the window, and for solutions on paper.
#pragma once

#include <string>

#include "engine/lessons/lesson_graph.h"

namespace partita {

struct AnswerForm {
    std::string order = "order of backends:";  ///< in the reader's language
    bool markdown = false;                     ///< names are escaped, backends bold, rules code
};

/// Returns the answer to a question; "—" for an empty one.
std::string answer_text(const LessonAnswer& answer, const LessonQuestion& question, const LessonGraph& graph,
                        const AnswerForm& form);
/// Returns assignments and an order of backends: "add #3 → dnnl; order of backends: dnnl, ccompiler"; "" for none.
std::string setting_text(const LessonSetting& setting, const LessonGraph& graph, const AnswerForm& form);

}  // namespace partita
