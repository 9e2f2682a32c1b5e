#include "app/gui/panels/rules/breakpoint_condition.h"

#include <QCoreApplication>

#include "app/gui/document/rule_breakpoints.h"
#include "app/gui/editing/ask_dialog.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

class BreakpointQuestion {
    Q_DECLARE_TR_FUNCTIONS(partita::BreakpointQuestion)

public:
    /// `of`: the rule's name, or the line's number.
    template <class Place>
    static void ask(RuleBreakpoints& breakpoints, const QString& backend, const Place& of, const QString& place,
                    const QString& now, QWidget& parent) {
        auto* dialog =
            new AskDialog(tr("Stop only where"),
                          tr("The breakpoint on %1 stops at calls for which this holds, such as attrs.groups > 1 && "
                             "args[0].shape[1] == 96. Empty: at all.")
                              .arg(place),
                          now, &parent);
        dialog->setWork([dialog, &breakpoints, backend, of](const QString& text) {
            Result<BreakpointCondition> condition = BreakpointCondition::compile(text);
            if (!condition) return dialog->refuse(shown_message(condition.error().message));
            breakpoints.setCondition(backend, of, std::move(*condition));
            dialog->succeed();
        });
        dialog->open();
    }
    static QString nameOf(int line) { return tr("line %1").arg(line); }
};

}  // namespace

void ask_condition(RuleBreakpoints& breakpoints, const QString& backend, const QString& rule, QWidget& parent) {
    const BreakpointCondition* now = breakpoints.find(backend, rule);
    BreakpointQuestion::ask(breakpoints, backend, rule, shown_name(rule), now ? now->text() : QString(), parent);
}

void ask_condition(RuleBreakpoints& breakpoints, const QString& backend, int line, QWidget& parent) {
    const auto lines = breakpoints.conditionsOf(backend);
    const auto now = lines.find(line);
    BreakpointQuestion::ask(breakpoints, backend, line, BreakpointQuestion::nameOf(line),
                            now == lines.end() ? QString() : now->second.text(), parent);
}

}  // namespace partita
