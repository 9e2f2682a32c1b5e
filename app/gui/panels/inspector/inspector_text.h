// What the inspector says of the selection, as rich text made from values. Links are `expr:ID`, `region:INDEX`.
#pragma once

#include <algorithm>
#include <string_view>

#include <QString>

#include "app/gui/document/document.h"
#include "app/gui/panels/inspector/inspector_why.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/theme.h"
#include "engine/flow/names.h"

namespace partita {

/// For rich text.
inline QString escaped(std::string_view text) {
    constexpr size_t kLongest = 2000;  // bytes: names may be of any length, and HTML is laid out at once
    return shown_name(text.substr(0, kLongest)).toHtmlEscaped() +
           (text.size() > kLongest ? QStringLiteral("…") : QString());
}

/// `names` are of the document's shown module. What decided stands before attributes and
/// inputs, what `why` says beside that after them. `tells_regions`: else only backends.
QString inspector_text(const Document& document, const ExpressionNames& names, const Theme& theme, const WhyText& why,
                       bool tells_regions);

}  // namespace partita
