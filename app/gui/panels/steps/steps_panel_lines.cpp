// Of the steps panel: breakpoints on lines of files in Python, and the lines that a rule reaches.
#include <algorithm>
#include <map>

#include <QLabel>

#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

int StepsPanel::backendOf(const Decision& decision) const {
    if (decision.pass != PassKind::Composite) return decision.backend;
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    const auto has_it = [&](const BackendPtr& backend) { return decision.rule.starts_with(backend->name + "."); };
    const auto found = std::find_if(backends.begin(), backends.end(), has_it);
    return found == backends.end() ? -1 : int(found - backends.begin());
}

std::vector<int> StepsPanel::linesOf(int backend) const {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    if (backend < 0 || size_t(backend) >= backends.size() || !backends[size_t(backend)]->running) return {};
    return breakpoints_.linesOf(QString::fromStdString(backends[size_t(backend)]->name));
}

/// Asks every rule of a file with breakpoints on lines which of them it reaches.
void StepsPanel::findReaching() {
    std::map<int, std::vector<int>> lines;
    for (int i = 0; i < int(document_.choice().backends.size()); ++i)
        if (std::vector<int> of_backend = linesOf(i); !of_backend.empty()) lines[i] = std::move(of_backend);
    reach_questions_.cancel();
    model_.setReaching({});
    if (lines.empty()) return;
    reach_questions_.ask<std::vector<uint32_t>>(
        tr("Looking which calls reach the lines"),
        [lines](FlowExplainer& explainer) {
            std::vector<uint32_t> reaching;
            for (const auto& [backend, wanted] : lines) {
                const std::vector<uint32_t> found = explainer.decisions_reaching(backend, wanted);
                reaching.insert(reaching.end(), found.begin(), found.end());
            }
            std::sort(reaching.begin(), reaching.end());
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
        [this, backend](std::vector<AnnotatorStep> steps) {
            const std::vector<int> lines = linesOf(backend);
            const auto first = std::find_if(steps.begin(), steps.end(), [&](const AnnotatorStep& step) {
                return std::find(lines.begin(), lines.end(), step.line) != lines.end();
            });
            walk_ = {backend, first == steps.end() ? 0 : int(first - steps.begin()), std::move(steps)};
            showLine();
        });
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
