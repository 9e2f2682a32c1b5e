// Of the steps panel: breakpoints on lines of files in Python, and the lines that a rule reaches.
#include <algorithm>
#include <map>

#include <QLabel>

#include "app/gui/editing/ask_dialog.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/style/foreign_text.h"
#include "engine/rules/rule_trace.h"

namespace partita {

int StepsPanel::backendOf(const Decision& decision) const {
    if (decision.pass != PassKind::Composite) return decision.backend;
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    const auto has_it = [&](const BackendPtr& backend) { return decision.rule.starts_with(backend->name + "."); };
    const auto found = std::find_if(backends.begin(), backends.end(), has_it);
    return found == backends.end() ? -1 : int(found - backends.begin());
}

std::map<int, BreakpointCondition> StepsPanel::linesOf(int backend) const {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    if (backend < 0 || size_t(backend) >= backends.size() || !backends[size_t(backend)]->running) return {};
    return breakpoints_.conditionsOf(QString::fromStdString(backends[size_t(backend)]->name));
}

/// Asks every rule of a file with breakpoints on lines which of them it reaches.
void StepsPanel::findReaching() {
    std::map<int, std::map<int, BreakpointCondition>> lines;
    for (int i = 0; i < int(document_.choice().backends.size()); ++i)
        if (auto of_backend = linesOf(i); !of_backend.empty()) lines[i] = std::move(of_backend);
    reach_questions_.cancel();
    model_.setReaching({});
    if (lines.empty()) return;
    reach_questions_.ask<std::vector<uint32_t>>(
        tr("Looking which calls reach the lines"),
        [lines, flow = document_.flow()](FlowExplainer& explainer) {
            std::vector<uint32_t> reaching;
            ModuleFacts facts(*flow->input);
            const auto ask = [&](int backend, const std::vector<int>& wanted, const BreakpointCondition& condition) {
                if (wanted.empty()) return;
                for (uint32_t index : explainer.decisions_reaching(backend, wanted))
                    if (condition.holds(facts, flow->log.decisions()[index].subject)) reaching.push_back(index);
            };
            for (const auto& [backend, wanted] : lines) {
                std::vector<int> always;  // are asked about together
                for (const auto& [line, condition] : wanted)
                    if (condition.text().isEmpty()) always.push_back(line);
                    else ask(backend, {line}, condition);
                ask(backend, always, {});
            }
            std::sort(reaching.begin(), reaching.end());
            reaching.erase(std::unique(reaching.begin(), reaching.end()), reaching.end());
            return reaching;
        },
        [this](std::vector<uint32_t> reaching) {
            const int before = model_.rowCount();
            model_.setReaching(std::move(reaching));
            if (model_.rowCount() != before) stop();
            else updateControls();
        });
}

/// Stands before the first line with a breakpoint.
void StepsPanel::askForWalk(const Decision& decision) {
    const int backend = backendOf(decision);
    walk_questions_.ask<std::vector<AnnotatorStep>>(
        tr("Explaining"), [decision](FlowExplainer& explainer) { return explainer.walk(decision); },
        [this, backend, call = decision.subject](std::vector<AnnotatorStep> steps) {
            const std::map<int, BreakpointCondition> lines = linesOf(backend);
            ModuleFacts facts(*document_.flow()->input);
            const auto first = std::find_if(steps.begin(), steps.end(), [&](const AnnotatorStep& step) {
                const auto line = lines.find(step.line);
                return line != lines.end() && line->second.holds(facts, call);
            });
            walk_ = {backend, first == steps.end() ? 0 : int(first - steps.begin()), std::move(steps)};
            std::vector<int> path;
            for (const AnnotatorStep& step : walk_.steps) path.push_back(step.line);
            emit pathWalked(backend, path);
            showLine();
        });
}

QString StepsPanel::watch(const QString& expression) {
    if (const FlowPtr flow = model_.flow(); flow && !expression.isEmpty()) {
        const Result<std::string> tried = expression_value(expression.toStdString(), {*flow->input, ExprId()});
        if (!tried) return QString::fromStdString(tried.error().message);
    }
    watch_ = expression;
    updateControls();
    return {};
}

void StepsPanel::askForWatch() {
    auto* dialog = new AskDialog(tr("Watch"),
                                 tr("An expression of the rule language, such as attrs.groups or args[0].shape: each "
                                    "step tells what it is for its call. Empty: none."),
                                 watch_, this);
    dialog->setWork([this, dialog](const QString& text) {
        const QString fault = watch(text);
        if (fault.isEmpty()) dialog->succeed();
        else dialog->refuse(shown_message(fault));
    });
    dialog->open();
}

/// Of a row that stands for many blocks, each value once.
QString StepsPanel::watched() const {
    constexpr qsizetype kShown = 4;
    const FlowPtr flow = model_.flow();
    if (watch_.isEmpty() || row_ < 0 || !flow) return {};
    QStringList values;
    ModuleFacts facts(*flow->input);
    for (const Decision* decision : model_.decisions(row_)) {
        if (!decision->subject.valid() || flow->input->kind(decision->subject) != ExprKind::Call) continue;
        const Result<std::string> value =
            expression_value(watch_.toStdString(), {*flow->input, decision->subject, &facts});
        const QString text = value ? shown_name(*value) : QString();
        if (!text.isEmpty() && !values.contains(text)) values << text;
        if (values.size() > kShown) break;
    }
    if (values.size() > kShown) values.last() = QStringLiteral("…");
    return values.isEmpty()
               ? QString()
               : QStringLiteral("\n") + tr("%1: %2").arg(shown_name(watch_), values.join(QStringLiteral(", ")));
}

QString StepsPanel::valuesOf(const AnnotatorStep& step) {
    QStringList values;
    for (const auto& [name, value] : step.values)
        values << QStringLiteral("%1 = %2").arg(shown_name(name), shown_name(value));
    return values.join(QStringLiteral(", "));
}

void StepsPanel::showLine() {
    if (walk_.steps.empty()) return terms_->setText(terms_text_);
    const AnnotatorStep& step = walk_.steps[size_t(walk_.at)];
    const QString values = valuesOf(step);
    const QString place = QStringLiteral("<a href='line:%1:%2'>%3</a>")
                              .arg(walk_.backend)
                              .arg(step.line)
                              .arg(tr("Before line %1").arg(step.line));
    const bool last = walk_.at + 1 == int(walk_.steps.size());
    terms_->setText(QStringLiteral("%1<br>▸ %2 &nbsp; <code>%3</code> &nbsp; %4")
                        .arg(terms_text_, place, values.toHtmlEscaped(),
                             last ? tr("the rule ends here")
                                  : QStringLiteral("<a href='next'>%1</a>").arg(tr("next line (Ctrl+F11)"))));
    emit lineReached(walk_.backend, step.line, values);
}

void StepsPanel::nextLine() {
    if (walk_.at + 1 >= int(walk_.steps.size())) return;
    ++walk_.at;
    showLine();
}

}  // namespace partita
