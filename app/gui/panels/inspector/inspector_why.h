// Why an expression goes where it goes, and why its region ends where it ends, as rich text. Links: `expr:ID` selects
// what a term names, `region:INDEX`, and `path:INDEX` of `paths` shows the way that forbids a merge.
#pragma once

#include <vector>

#include <QString>

#include "app/gui/document/flow_explanations.h"
#include "app/gui/style/theme.h"

namespace partita {

struct WhyText {
    QString html;  ///< what decided
    QString more;  ///< what was tried beside it, and the neighbouring regions: sections of their own
    std::vector<std::vector<ExprId>> paths;
};

WhyText why_text(const Document& document, FlowExplanations& explanations, ExprId id, const Theme& theme);

}  // namespace partita
