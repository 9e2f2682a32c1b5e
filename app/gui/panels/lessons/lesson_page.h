// How a page of a lesson shows its graph.
#pragma once

#include <QString>

#include "engine/flow/flow_choice.h"
#include "engine/flow/names.h"
#include "engine/lessons/lesson.h"

namespace partita {

/// Returns `now` with the stage of a page, and where a page of the lesson has them, its assignments and its order of
/// backends. Returns `now` as it is if that is what it says already.
FlowChoice choice_of_page(const Lesson& lesson, int page, const FlowChoice& now, const ExpressionNames& names);
bool same_division(const FlowChoice& a, const FlowChoice& b);
/// Returns the assignments of a choice, and its order of backends if that is not the lesson's.
LessonSetting setting_of(const Lesson& lesson, const FlowChoice& choice, const ExpressionNames& names);
/// Records in a page what a choice says.
void record_choice(LessonPage& page, const Lesson& lesson, const FlowChoice& choice, const ExpressionNames& names);

}  // namespace partita
