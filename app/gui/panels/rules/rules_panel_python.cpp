// Of the rules panel: files in Python, which run where that is permitted, and whose lines refuse calls.
#include "app/gui/panels/rules/rules_panel.h"

#include <map>
#include <utility>

#include <QFileInfo>

#include "app/gui/document/annotator_permits.h"
#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/style/foreign_text.h"
#include "engine/annotators/annotator.h"
#include "engine/ops/registry.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

bool RulesPanel::isPython(const BackendDescription& description) {
    return description.annotator == std::string(kPythonAnnotator) + description.file;
}

std::vector<RulePlace> RulesPanel::placesOf(const BackendDescription& description) {
    return isPython(description) ? outline_annotator(description) : outline_description(description.source);
}

/// Of no description: nothing waits any more.
void RulesPanel::askToRun(const BackendPtr& before, const QString& text) {
    if (!before && !waiting_.before) return;
    waiting_ = {before, text};
    if (before) say(tr("Not run yet; the rules stay as they were."));
    emit permissionWanted(before ? fileOf(*before) : QString());
}

void RulesPanel::allowToRun() {
    const auto [before, text] = std::exchange(waiting_, {});
    emit permissionWanted(QString());
    if (!before) return;
    BackendDescription described = annotator_backend(text.toStdString(), before->file);
    document_.jobs().start<bool>(
        tr("Reading rules"), this,
        [described](const JobContext&) {
            give_permit(permit_for(described));
            return true;
        },
        [this, before, text](bool) {
            if (before == shown_.description) startCheck();
            else readHidden(before, text);
        });
}

/// What was changed here and saved may run again at the next start.
void RulesPanel::keepPermission() {
    if (!isPython(*shown_.description) || !shown_.description->running) return;
    if (edit_->toPlainText() != textOf(*shown_.description)) return;
    document_.jobs().startQuietly([description = shown_.description] { give_permit(permit_for(*description)); });
}

/// How many calls ended at each line, while the text is the one that said so.
void RulesPanel::showCounts() {
    constexpr size_t kShownOps = 6;
    std::map<int, DescriptionEdit::Count> counts;
    const RefusedAtLinePtr refused = document_.refusedAtLine();
    const FlowPtr flow = document_.flow();
    const bool current =
        refused && flow && shown_.description && edit_->isPython() && shown_.text == textOf(*shown_.description);
    if (!current) return edit_->setCounts({});
    for (auto at = refused->lower_bound({shown_.index, 0}); at != refused->end() && at->first.first == shown_.index;
         ++at) {
        std::map<std::string, int> ops;
        for (ExprId call : at->second)
            if (const OpRecord* op = called_op_record(*flow->input, call)) ++ops[op->name];
        QStringList words;
        for (const auto& [op, count] : ops)
            if (words.size() < qsizetype(kShownOps))
                words << QStringLiteral("%1 %2").arg(QString::fromStdString(op)).arg(count);
        if (ops.size() > kShownOps) words << QStringLiteral("…");
        counts[at->first.second] = {int(at->second.size()),
                                    tr("%n call(s) refused at this line", nullptr, int(at->second.size())) +
                                        QStringLiteral(": %1\n").arg(words.join(QStringLiteral(", "))) +
                                        tr("A click selects them.")};
    }
    edit_->setCounts(std::move(counts));
}

void RulesPanel::selectRefusedAt(int line) {
    const RefusedAtLinePtr refused = document_.refusedAtLine();
    const FlowPtr flow = document_.flow();
    if (!refused || !flow || flow->input != document_.shownModule()) return;
    const auto found = refused->find({shown_.index, line});
    if (found != refused->end()) document_.setSelection(found->second);
}

void RulesPanel::showLine(int backend, int line) {
    if (backend < 0 || size_t(backend) >= document_.choice().backends.size()) return;
    chosen_ = true;
    show(backend);
    edit_->setMarked(line, {});
    edit_->goTo({uint32_t(line), 1});
}

void RulesPanel::markLine(int backend, int line, const QString& values) {
    if (line <= 0 || size_t(backend) >= document_.choice().backends.size()) return edit_->setMarked(0, {});
    if (backend != shown_.index && edit_->hasFocus()) return;  // somebody writes
    show(backend);
    edit_->setMarked(line, values);
    edit_->look({uint32_t(line), 1});
}

}  // namespace partita
