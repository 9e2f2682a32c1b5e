// "Predict" on any graph as a lesson of one question: which are its regions? So that its answers are files like others.
#pragma once

#include "engine/lessons/lesson.h"

namespace partita {

/// Writing the graph as text, without weights, is the cost. The text tells one graph from another; the lesson can't be
/// opened by it.
Lesson lesson_of_graph(const Module& module, const std::string& title, std::vector<BackendPtr> backends);

}  // namespace partita
