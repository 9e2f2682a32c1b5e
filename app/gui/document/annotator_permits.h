// Which annotators may run: what a person allowed is remembered in the settings, of a file in Python by its content and
// that of the files that it may import.
#pragma once

#include <QString>

#include "engine/annotators/annotator_files.h"
#include "engine/rules/backend_description.h"

namespace partita {

/// Where codes and annotators that were allowed stand, as a list of texts.
QString permits_key();

/// An annotator with the content that would run.
struct AnnotatorPermit {
    BackendDescription described;  ///< with the files
    QString key;
};
/// Reads the files that the annotator would run. Takes the time of reading them.
AnnotatorPermit permit_for(const BackendDescription& backend);
bool is_permitted(const AnnotatorPermit& permit);
/// Remembers it; of the oldest that were allowed some are forgotten where there are many.
void give_permit(const AnnotatorPermit& permit);

/// Whether there is a code or an annotator that was allowed.
bool is_anything_permitted();
/// Forgets everything that was allowed.
void forget_permits();

}  // namespace partita
