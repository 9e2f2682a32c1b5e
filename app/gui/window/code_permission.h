// Code that backend descriptions bring along, a program or a library, runs only with a person's permission. It is asked
// for once, with the code shown; what was allowed is remembered in the settings, word for word, of a file in Python
// also by its content.
#pragma once

#include <functional>

#include <QStringList>

#include "app/gui/document/annotator_permits.h"
#include "engine/flow/flow_choice.h"

class QWidget;

namespace partita {

/// Calls `go` with the codegens that may run: at once where there is nothing to ask, otherwise when the person has
/// answered. Not called if the person changed their mind.
void with_permitted_code(QWidget* parent, const std::vector<BackendPtr>& backends,
                         const std::function<void(const QStringList& trusted)>& go);

/// Says whether all of these annotators may run: at once, or when the person has answered. Not called if the person
/// changed their mind.
void with_permitted_annotators(QWidget* parent, const std::vector<AnnotatorPermit>& annotators,
                               const std::function<void(bool allowed)>& answered);

}  // namespace partita
