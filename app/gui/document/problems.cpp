#include "app/gui/document/problems.h"

#include <utility>

#include "app/gui/document/document.h"
#include "app/gui/style/foreign_text.h"
#include "engine/explain/explain.h"

namespace partita {

Problem problem_of(const Diagnostic& diagnostic) {
    return {diagnostic.severity, shown_message(diagnostic.message), QString::fromStdString(diagnostic.file),
            diagnostic.position, ExprId()};
}

QString fault_text(const RuleFault& fault, bool linked) {
    const auto shown = [linked](const std::string& text) {
        return linked ? shown_name(text).toHtmlEscaped() : shown_name(text);
    };
    const auto link = [linked](const QString& target, const QString& words) {
        return linked ? QStringLiteral("<a href='%1'>%2</a>").arg(target, words) : words;
    };
    const QString rule = shown(fault.rule.starts_with("ops.") ? fault.rule.substr(4) : fault.rule);
    const QString calls = link(QStringLiteral("failed"), Document::tr("%n call(s)", nullptr, int(fault.calls.size())));
    if (fault.place.empty()) return Document::tr("The rule %1 failed for %2: %3").arg(rule, calls, shown(fault.reason));
    const QString place = shown(fault.place);
    return Document::tr("The rule %1 failed for %2: %3 (%4)")
        .arg(rule, calls, shown(fault.reason),
             fault.line ? link(QStringLiteral("line:%1").arg(fault.line), place) : place);
}

void Problems::set(Source source, std::vector<Problem> problems) {
    by_source_[source] = std::move(problems);
    join();
}

void Problems::add(Source source, Problem problem) {
    by_source_[source].push_back(std::move(problem));
    join();
}

void Problems::withdraw(const QString& file) {
    if (file.isEmpty()) return;
    std::erase_if(by_source_[Files], [&file](const Problem& problem) { return problem.file == file; });
    join();
}

void Problems::join() {
    all_.clear();
    for (const std::vector<Problem>& problems : by_source_) all_.insert(all_.end(), problems.begin(), problems.end());
}

}  // namespace partita
