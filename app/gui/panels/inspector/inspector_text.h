// What the inspector says of the selection, as rich text made from values. Links are `expr:ID`, `region:INDEX`.
#pragma once

#include <QString>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"

namespace partita {

QString inspector_text(const Document& document, const Theme& theme);

}  // namespace partita
