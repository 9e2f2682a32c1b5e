// Asks of which calls a breakpoint stops.
#pragma once

#include <QString>

class QWidget;

namespace partita {

class RuleBreakpoints;

/// Of a rule, by its name; the breakpoint is set where there was none.
void ask_condition(RuleBreakpoints& breakpoints, const QString& backend, const QString& rule, QWidget& parent);
/// Of a line of the backend's file in Python.
void ask_condition(RuleBreakpoints& breakpoints, const QString& backend, int line, QWidget& parent);

}  // namespace partita
