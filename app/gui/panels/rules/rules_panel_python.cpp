// Of the rules panel: files in Python, which run where that is permitted, and whose lines refuse calls.
#include "app/gui/panels/rules/rules_panel.h"

#include <map>
#include <utility>

#include <QFileInfo>

#include "app/gui/document/annotator_permits.h"
#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/description_files.h"
#include "app/gui/panels/rules/description_texts.h"
#include "app/gui/style/foreign_text.h"
#include "engine/annotators/annotator.h"
#include "engine/ops/registry.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

bool RulesPanel::isPython(const BackendDescription& description) { return is_python(description); }

std::vector<RulePlace> RulesPanel::placesOf(const BackendDescription& description) {
    return isPython(description) ? outline_annotator(description) : outline_description(description.source);
}

/// The file in Python that a description names as its annotator; "" where that is its own text, or another program.
QString RulesPanel::fileBeside(const BackendDescription& description) {
    if (isPython(description) || !description.annotator.starts_with(kPythonAnnotator)) return {};
    return QString::fromStdString(description.annotator.substr(kPythonAnnotator.size()));
}

/// All files that run with the rules of a description, but its own.
QStringList RulesPanel::filesBeside(const BackendDescription& description) {
    QStringList files;
    if (!description.annotator_files) return files;
    for (const auto& [path, _] : description.annotator_files->texts)
        if (path != description.file) files << QString::fromStdString(path);
    return files;
}

/// Whether the same would run: what is running counts, too.
bool RulesPanel::sameProgram(const BackendDescription& a, const BackendDescription& b) {
    if (a.source != b.source || (a.running && !b.running)) return false;
    return !a.annotator_files || !b.annotator_files || a.annotator_files->texts == b.annotator_files->texts;
}

/// Shows the file beside, with the text that runs.
void RulesPanel::offerPython() {
    if (!shown_.description) return texts_->offer({}, {}, {});
    const BackendDescription& shown = *shown_.description;
    const QString beside = fileBeside(shown);
    if (beside.isEmpty()) return texts_->offer({}, {}, {});
    const auto runs = [&] {
        const auto& texts = shown.annotator_files->texts;
        const auto found = texts.find(beside.toStdString());
        return found == texts.end() ? QString() : QString::fromStdString(found->second);
    };
    QString text = shown.annotator_files ? runs() : DescriptionFiles::read(beside).value_or(QString());
    texts_->offer(fileOf(shown), beside, text.replace(QLatin1String("\r\n"), QLatin1String("\n")));
}

RulesPanel::DraftKey RulesPanel::pythonKey() const {
    const std::string beside = texts_->beside().toStdString();
    return beside.empty() ? draftKey(*shown_.description) : DraftKey(shown_.description->name, beside);
}

void RulesPanel::keepPlace() {
    if (!shown_.description) return;
    if (!edit_->isPython()) remembered_.lines[draftKey(*shown_.description)] = edit_->cursorLine();
    const DescriptionEdit& lines = texts_->lines();
    if (lines.isPython() && lines.cursorLine() != shown_.opened_at) remembered_.lines[pythonKey()] = lines.cursorLine();
}

void RulesPanel::restorePlace() {
    const auto look = [this](DescriptionEdit& edit, const DraftKey& key) {
        const auto found = remembered_.lines.find(key);
        if (found != remembered_.lines.end()) edit.look({uint32_t(found->second), 1});
        return found != remembered_.lines.end();
    };
    look(*edit_, draftKey(*shown_.description));
    shown_.opened_at = look(texts_->lines(), pythonKey()) ? 0 : 1;
}

/// A file in Python begins with a licence and imports: it opens where a call was refused, before that is known at its
/// first rule. Where a person has gone elsewhere, it stays there.
void RulesPanel::openAtRules() {
    DescriptionEdit& lines = texts_->lines();
    if (!shown_.description || !lines.isPython() || lines.cursorLine() != shown_.opened_at) return;
    int line = lines.firstCount();
    const bool final = line > 0;
    for (const RulePlace& place : shown_.places)
        if (!final && &lines == edit_ && place.position.line > 1 && (!line || int(place.position.line) < line))
            line = int(place.position.line);
    if (line == 0) return;
    lines.look({uint32_t(line), 1});
    shown_.opened_at = final ? 0 : line;
}

/// What another program makes of a file that is imported, or named as annotator, is a new program.
void RulesPanel::lookAtFilesBeside() {
    const std::vector<BackendPtr> backends = document_.choice().backends;
    QStringList changed;
    std::vector<int> affected;
    for (int i = 0; i < int(backends.size()); ++i) {
        QStringList files = filesBeside(*backends[size_t(i)]);
        files.removeIf([this](const QString& file) { return !files_->changed(file); });
        if (files.isEmpty()) continue;
        changed << files;
        affected.push_back(i);
    }
    for (const QString& file : changed) files_->setKnown(file, DescriptionFiles::read(file).value_or(QString()));
    for (int backend : affected) runAgain(backend);
}

void RulesPanel::runAgain(int backend) {
    const BackendPtr again = document_.choice().backends[size_t(backend)];
    if (backend != shown_.index) return readHidden(again, textOf(*again));
    shown_.foreign = true;
    effect_.read_again = true;
    later_.stop();
    startCheck();
}

/// Of no description: nothing waits any more.
void RulesPanel::askToRun(const BackendPtr& before, const QString& text) {
    if (!before && !waiting_.before) return;
    waiting_ = {before, text};
    if (before) say(tr("Not run yet; the rules stay as they were."));
    const QString beside = before ? fileBeside(*before) : QString();
    emit permissionWanted(before && beside.isEmpty() ? fileOf(*before) : beside);
}

void RulesPanel::allowToRun() {
    const Waiting waiting = std::exchange(waiting_, {});
    emit permissionWanted(QString());
    if (!waiting.before) return;
    const CheckedDescription allowed = read(waiting.text.toStdString(), waiting.before->file);
    if (!allowed.description) return;
    document_.jobs().start<bool>(
        tr("Reading rules"), this,
        [described = *allowed.description](const JobContext&) {
            give_permit(permit_for(described));
            return true;
        },
        [this, waiting](bool) {
            if (waiting.before == shown_.description) startCheck();
            else readHidden(waiting.before, waiting.text);
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
    DescriptionEdit& lines = texts_->lines();
    const bool as_it_runs = shown_.description && (&lines != edit_ || shown_.text == textOf(*shown_.description));
    if (&lines != edit_) edit_->setCounts({});
    if (!refused || !flow || !lines.isPython() || !as_it_runs) {
        lines.setCounts({});
        return openAtRules();
    }
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
    lines.setCounts(std::move(counts));
    openAtRules();
}

void RulesPanel::selectRefusedAt(int line) {
    const RefusedAtLinePtr refused = document_.refusedAtLine();
    const FlowPtr flow = document_.flow();
    if (!refused || !flow || flow->input != document_.shownModule()) return;
    const auto found = refused->find({shown_.index, line});
    if (found != refused->end()) document_.setSelection(found->second);
}

void RulesPanel::showPath(int backend, const std::vector<int>& lines) {
    path_ = {backend, {lines.begin(), lines.end()}};
    texts_->lines().setPath(backend == shown_.index ? path_.second : std::set<int>());
}

void RulesPanel::showLine(int backend, int line) {
    if (backend < 0 || size_t(backend) >= document_.choice().backends.size()) return;
    chosen_ = true;
    show(backend);
    texts_->showLines();
    shown_.opened_at = 0;
    texts_->lines().setMarked(line, {});
    texts_->lines().goTo({uint32_t(line), 1});
}

void RulesPanel::markLine(int backend, int line, const QString& values) {
    if (line <= 0 || size_t(backend) >= document_.choice().backends.size()) return texts_->lines().setMarked(0, {});
    if (backend != shown_.index && edit_->hasFocus()) return;  // somebody writes
    show(backend);
    texts_->showLines();
    shown_.opened_at = 0;
    texts_->lines().setMarked(line, values);
    texts_->lines().look({uint32_t(line), 1});
}

}  // namespace partita
