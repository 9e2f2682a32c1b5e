// Backends whose rules are asked of an annotator (engine/annotators): how one comes from a file, and what the annotator
// says of itself becomes rules and patterns.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/annotators/annotator_files.h"
#include "engine/rules/backend_description.h"
#include "engine/rules/description_outline.h"
#include "engine/support/cancel.h"

namespace partita {

/// The backend of a file in Python, named as its text names the target; nothing of it runs yet.
BackendDescription annotator_backend(std::string_view text, const std::string& file);
/// Returns the annotator with a Python file's relative path as seen from the folder of the description.
std::string annotator_beside(const std::string& annotator, const std::string& description);

/// The texts that its annotator would run now; of a description FILE.py its own text, which may differ from the file.
AnnotatorFiles files_of_annotator(const BackendDescription& backend);

/// Starts the annotators of the descriptions that name one and whose is not running; whoever calls this has permission.
/// Their rules and patterns are added, what they warn of goes to `notes`.
Status start_annotators(std::span<BackendDescription> backends, std::vector<Diagnostic>& notes,
                        const CancelToken& cancel = {});

/// Adds what an annotator that was started has rules and patterns for.
void take_annotator(BackendDescription& backend, std::shared_ptr<Annotator> annotator, std::vector<Diagnostic>& notes);

/// The line of the backend's own file in Python that the place of an answer names (AnnotatorAnswer::place); 0 where it
/// is another file's, or none.
int own_line(const BackendDescription& backend, std::string_view place);

/// Whether its text is a file in Python, which is its annotator.
bool is_python(const BackendDescription& backend);
/// Returns the rule for an operator, without a condition, that may be put at the end of the backend's text in Python.
std::string python_rule(const BackendDescription& backend, const std::string& op);

/// Where the rules of a file in Python are named first in its text, for the backend that runs it.
std::vector<RulePlace> outline_annotator(const BackendDescription& backend);

/// The answer about each match of a pattern, by its root.
std::vector<AnnotatorAnswer> ask_about_matches(const CompositePattern& pattern, ModuleFacts& facts,
                                               std::span<const ExprId> roots, bool explain,
                                               const CancelToken& cancel = {});

}  // namespace partita
