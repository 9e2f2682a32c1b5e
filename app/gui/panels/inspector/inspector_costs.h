// What another backend for the selected operator would cost in time, as rich text, for a module that was placed by
// time. Links: `move:OP/LABEL` moves this operator, `movewith:OP/LABEL` also those that then belong elsewhere.
#pragma once

#include <QString>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/flow/names.h"
#include "engine/session/placing.h"

namespace partita {

/// Returns terms as a sum: "add #3 on dnnl: 0.12 + 3.2 MB from dnnl to default: 0.18". Long sums end in their number.
QString cost_terms_text(const PlacedModule& placed, const ExpressionNames& names, const std::vector<CostTerm>& terms);

/// Returns a time in ms without its unit; a dash for 0: it was not measured.
QString cost_text(double ms);
/// Says that an operator moved alone leaves the division as it is.
QString moved_alone_text();
/// Returns a difference of times with its sign.
QString cost_difference_text(double ms);

QString costs_text(const PlacedModule& placed, const OperatorCosts& costs, const Document& document,
                   const Theme& theme);

}  // namespace partita
