// Why an expression goes where it goes, and why its region ends where it ends, as rich text. Links: `expr:ID` selects
// what a term names, `region:INDEX`, and `path:INDEX` of `paths` shows the way that forbids a merge.
#pragma once

#include <vector>

#include <QString>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/explain/explain.h"

namespace partita {

struct WhyText {
    QString html;   ///< what decided
    QString group;  ///< of a selected group: its title and in what its blocks differ
    QString edge;   ///< where an edge is shown in place of what is selected: what is said of it
    QString more;   ///< what was tried beside it, and the neighbouring regions: sections of their own
    std::vector<std::vector<ExprId>> paths;
};

/// What the text depends on beside the flow: values, for it is made on a worker where an annotator is asked.
struct WhySubject {
    FlowPtr flow;
    ExprId id;
    bool annotated = false;  ///< the file has annotations already
    bool asked = false;      ///< rules decide
    bool backends = false;   ///< there are any
};

WhyText why_text(FlowExplainer& explainer, const WhySubject& subject, const Theme& theme);

}  // namespace partita
