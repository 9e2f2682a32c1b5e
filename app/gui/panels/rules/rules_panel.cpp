#include "app/gui/panels/rules/rules_panel.h"

#include <algorithm>
#include <map>
#include <utility>

#include <QComboBox>
#include <QListWidget>
#include <QSplitter>
#include <QVBoxLayout>

#include "app/gui/panels/rules/breakpoint_condition.h"
#include "app/gui/panels/rules/description_conflict.h"
#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/description_files.h"
#include "app/gui/panels/rules/description_texts.h"
#include "app/gui/panels/rules/python_check.h"
#include "app/gui/panels/rules/rules_bar.h"
#include "app/gui/style/foreign_text.h"
#include "engine/annotators/annotator.h"
#include "engine/explain/explain.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

namespace {

constexpr int kTypingPause = 350;  ///< ms
constexpr int kShownFaults = 50;
std::vector<std::string> names_of(const std::vector<BackendPtr>& backends) {
    std::vector<std::string> names;
    for (const BackendPtr& backend : backends) names.push_back(backend->name);
    return names;
}

QString calls_text(const FlowChange::Calls& calls) {
    constexpr size_t kShown = 4;
    QStringList ops;
    for (size_t i = 0; i < calls.by_op.size() && i < kShown; ++i)
        ops << QStringLiteral("%1 %2").arg(shown_name(calls.by_op[i].first), QString::number(calls.by_op[i].second));
    if (calls.by_op.size() > kShown) ops << QStringLiteral("…");
    return ops.join(QStringLiteral(", "));
}

}  // namespace

RulesPanel::RulesPanel(Document& document, RuleBreakpoints& breakpoints, QWidget* parent)
    : QWidget(parent), document_(document), breakpoints_(breakpoints),
      theme_(make_theme(false, PaletteChoice::OkabeIto)), files_(new DescriptionFiles(this)), bar_(new RulesBar),
      conflict_(new DescriptionConflict), texts_(new DescriptionTexts), edit_(&texts_->own()) {
    buildColumn();
    followBar();
    followEdit();
    takeKeptDrafts();
    followDocument();
    followChoice();
}

void RulesPanel::buildColumn() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar_);
    column->addWidget(conflict_);
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    split->addWidget(buildText());
    split->addWidget(buildRules());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({640, 380});
    column->addWidget(split, 1);
    edit_->setPlaceholderText(tr("No backend is chosen: choose backends (Ctrl+B), or write one of your own with New."));
}

void RulesPanel::followBar() {
    connect(bar_, &RulesBar::linkActivated, this, [this](const QString& which) {
        if (which.startsWith(QLatin1String("line:"))) return showLine(shown_.index, which.mid(5).toInt());
        if (which == QLatin1String("failed")) return selectFailed();
        const std::vector<ExprId>& calls = which == QLatin1String("gained") ? effect_.change.gained.calls
                                           : which == QLatin1String("lost") ? effect_.change.lost.calls
                                                                            : effect_.change.moved.calls;
        if (effect_.module == document_.shownModule()) document_.setSelection(calls);
    });
    connect(bar_, &RulesBar::backendChosen, this, [this](int index) {
        chosen_ = true;
        show(index);
    });
    connect(bar_, &RulesBar::saveWanted, this, &RulesPanel::save);
    connect(bar_, &RulesBar::saveAsWanted, this, &RulesPanel::saveAs);
    connect(bar_, &RulesBar::revertWanted, this, &RulesPanel::revert);
    connect(bar_, &RulesBar::newWanted, this, &RulesPanel::addBackend);
    connect(conflict_, &DescriptionConflict::theirsWanted, this, &RulesPanel::revert);
    connect(conflict_, &DescriptionConflict::mineWanted, this, &RulesPanel::keepMine);
    connect(files_, &DescriptionFiles::touched, this, &RulesPanel::lookAtFiles);
}

void RulesPanel::followEdit() {
    later_.setSingleShot(true);
    later_.setInterval(kTypingPause);
    connect(&later_, &QTimer::timeout, this, &RulesPanel::startCheck);
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
        if (setting_ || edit_->toPlainText() == shown_.text) return;
        shown_.text = edit_->toPlainText();
        chosen_ = true;
        effect_.read_again = false;
        if (edit_->isPython()) shown_.opened_at = 0;
        later_.start();
        showCounts();
        updateState();
    });
    connect(edit_, &DescriptionEdit::breakpointToggled, this, [this](const QString& rule) {
        if (shown_.description) breakpoints_.toggle(QString::fromStdString(shown_.description->name), rule);
    });
    for (DescriptionEdit* edit : texts_->findChildren<DescriptionEdit*>()) {
        connect(edit, &DescriptionEdit::conditionWanted, this, [this, edit](int line) {
            if (!shown_.description) return;
            const QString backend = QString::fromStdString(shown_.description->name);
            if (edit->isPython()) ask_condition(breakpoints_, backend, line, *this);
            else ask_condition(breakpoints_, backend, edit->ruleInLine(line), *this);
        });
        connect(edit, &DescriptionEdit::lineToggled, this, [this](int line) {
            if (shown_.description) breakpoints_.toggleLine(QString::fromStdString(shown_.description->name), line);
        });
        connect(edit, &DescriptionEdit::breakpointLinesMoved, this, [this](const std::vector<int>& lines) {
            if (shown_.description) breakpoints_.moveLines(QString::fromStdString(shown_.description->name), lines);
        });
        connect(edit, &DescriptionEdit::countClicked, this, &RulesPanel::selectRefusedAt);
    }
    connect(&breakpoints_, &RuleBreakpoints::rulesChanged, this, &RulesPanel::showBreakpoints);
}

void RulesPanel::followDocument() {
    connect(&document_, &Document::opened, this, [this] {
        remembered_.saved.clear();
        effect_.awaited = effect_.read_again = false;
        effect_.flow_before = nullptr;
        say(QString());  // what was told is of the graph before
        fillRules();
    });
    connect(&document_, &Document::choiceChanged, this, &RulesPanel::followChoice);
    connect(&document_, &Document::flowChanged, this, [this] {
        showPath(-1, {});  // it was of another flow
        tellChange();
        fillRules();
    });
}

QComboBox& RulesPanel::backends() { return bar_->backends(); }

/// The text, and under it what is wrong with it.
QWidget* RulesPanel::buildText() {
    auto* text = new QWidget;
    auto* column = new QVBoxLayout(text);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    faults_ = new QListWidget;
    faults_->setAccessibleName(tr("Faults"));
    faults_->setTextElideMode(Qt::ElideRight);
    faults_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    faults_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(faults_, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        const QPoint place = item->data(Qt::UserRole).toPoint();
        edit_->goTo({uint32_t(place.y()), uint32_t(place.x())});
    });
    connect(faults_, &QListWidget::itemClicked, faults_, &QListWidget::itemActivated);
    faults_->hide();
    column->addWidget(texts_, 1);
    column->addWidget(faults_);
    return text;
}

void RulesPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    texts_->setTheme(theme);
    bar_->resetColours();
    fillRules();
}

QString RulesPanel::textOf(const BackendDescription& description) {
    return QString::fromStdString(description.source).replace(QLatin1String("\r\n"), QLatin1String("\n"));
}

QString RulesPanel::summary() const { return bar_->said(); }

bool RulesPanel::modified() const { return shown_.index >= 0 && edit_->toPlainText() != shown_.original; }

bool RulesPanel::hasUnsavedRules() const {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    return modified() || std::any_of(backends.begin(), backends.end(), [this](const BackendPtr& backend) {
               return drafts_.contains(draftKey(*backend)) || textOf(*backend) != originalOf(*backend);
           });
}

/// Keeps to the description that is shown through undo, a new order and new names; its text follows it.
void RulesPanel::followChoice() {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    int found = chosen_ || backends.empty() ? -1 : 0;
    for (int i = 0; i < int(backends.size()); ++i)
        if (chosen_ && backends[size_t(i)] == shown_.description) found = i;
    for (int i = 0; i < int(backends.size()) && found < 0 && shown_.description; ++i)
        if (backends[size_t(i)]->name == shown_.description->name) found = i;
    if (found < 0 && !backends.empty()) found = std::clamp(shown_.index, 0, int(backends.size()) - 1);
    const QSignalBlocker block(this->backends());
    this->backends().clear();
    for (const BackendPtr& backend : backends) this->backends().addItem(shortened(shown_name(backend->name), 48));
    edit_->setEnabled(found >= 0);
    followFiles();
    show(found);
}

void RulesPanel::show(int index) {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    if (index < 0 || size_t(index) >= backends.size()) {
        keepDraft();
        keepPlace();
        shown_.index = -1;
        shown_.description = nullptr;
        shown_.original.clear();
        setText(QString(), true);
        offerPython();
        setFaults({});
        showConflict();
        shown_.places.clear();
        fillRules();
        updateState();
        return;
    }
    const BackendPtr backend = backends[size_t(index)];
    const bool other = !shown_.description || index != shown_.index;
    shown_.index = index;
    this->backends().setCurrentIndex(index);
    if (shown_.description == backend) return updateState();
    const bool same_file = shown_.description && !other && shown_.description->file == backend->file &&
                           shown_.description->name == backend->name;
    if (same_file && document_.isGoingBack()) return keepTyped(backend);
    if (!same_file) {
        keepDraft();
        keepPlace();
    }
    shown_.description = backend;
    const auto draft = drafts_.find(draftKey(*backend));
    const bool had_draft = draft != drafts_.end() && !same_file;
    // What was written on another text of the file is a conflict with it.
    if (had_draft && !file().isEmpty()) files_->setKnown(file(), draft->second.original);
    shown_.original = originalOf(*backend);
    shown_.foreign = had_draft;
    edit_->setPython(isPython(*backend));
    setText(had_draft ? draft->second.text : textOf(*backend), !same_file);
    offerPython();
    if (path_.first == index) texts_->lines().setPath(path_.second);
    setFaults({});
    shown_.places = placesOf(*backend);
    if (!same_file) restorePlace();
    if (!effect_.awaited) say(QString());
    fillRules();
    updateState();
    if (had_draft) {
        drafts_.erase(draft);
        startCheck();
    }
    if (!file().isEmpty() && files_->changed(file())) lookAtFiles();
    else showConflict();
}

/// A division that was cancelled takes its rules back, not what a person wrote, or took from the file.
void RulesPanel::keepTyped(const BackendPtr& backend) {
    shown_.description = backend;
    effect_.awaited = false;
    if (edit_->toPlainText() != textOf(*backend))
        say(tr("Dividing was cancelled: the graph keeps its rules, the text stays as it is here."), true);
    updateState();
    showConflict();
}

/// A text that is not valid stands in no choice: it waits until its description is shown again.
void RulesPanel::keepDraft() {
    const QString text = edit_->toPlainText();
    if (shown_.description && text != textOf(*shown_.description))
        drafts_[draftKey(*shown_.description)] = {text, shown_.original};
}

/// Of an `other` description: undo must not bring the text before here.
void RulesPanel::setText(const QString& text, bool other) {
    later_.stop();
    setting_ = true;
    if (other) edit_->openText(text);
    else edit_->replaceText(text);
    shown_.text = text;
    setting_ = false;
}

/// The path of its annotator is as seen from the folder of the description.
CheckedDescription RulesPanel::read(const std::string& text, const std::string& file) {
    CheckedDescription checked = check_backend_description(text, file);
    if (checked.description) checked.description->annotator = annotator_beside(checked.description->annotator, file);
    return checked;
}

RulesPanel::Checked RulesPanel::check(const std::string& text, const BackendPtr& before, bool by_hand,
                                      const CancelToken& cancel) {
    CheckedDescription checked = read(text, before->file);
    const auto runs_on = [&](const BackendDescription& made) {
        return before->running && made.annotator == before->annotator && made.annotator.starts_with(kPythonAnnotator);
    };
    if (checked.description && (isPython(*checked.description) || runs_on(*checked.description))) {
        PythonCheck python = check_python(*checked.description, by_hand ? before : nullptr, cancel);
        Checked result{python.description, std::move(python.faults), {}, std::move(python.notes), python.may_not_run};
        if (result.description) result.places = placesOf(*result.description);
        return result;
    }
    Checked result{nullptr, std::move(checked.faults), outline_description(text), {}, false};
    if (checked.description)
        result.description = std::make_shared<const BackendDescription>(std::move(*checked.description));
    return result;
}

void RulesPanel::startCheck() {
    if (!shown_.description) return;
    if (check_job_) document_.jobs().cancel(check_job_);
    const QString text = edit_->toPlainText();
    check_job_ = document_.jobs().start<Checked>(
        tr("Checking the rules"), this,
        [text = text.toStdString(), before = shown_.description, by_hand = !shown_.foreign](const JobContext& context) {
            return check(text, before, by_hand, context.cancel);
        },
        [this, text](Checked checked) {
            check_job_ = 0;
            accept(text, std::move(checked));
        });
}

void RulesPanel::accept(const QString& text, Checked checked) {
    if (text != edit_->toPlainText() || !shown_.description) return;  // typed on meanwhile: the next look counts
    for (const Diagnostic& note : checked.notes) document_.report(note);
    if (checked.may_not_run) {
        setFaults({});
        return askToRun(shown_.description, text);
    }
    if (checked.description) {
        const std::vector<BackendPtr>& backends = document_.choice().backends;
        for (size_t i = 0; i < backends.size(); ++i)
            if (int(i) != shown_.index && backends[i]->name == checked.description->name) {
                checked.faults.push_back(error(tr("there is a backend named %1 already")
                                                   .arg(QString::fromStdString(backends[i]->name))
                                                   .toStdString(),
                                               {1, 1}));
                checked.description = nullptr;
                break;
            }
    }
    if (!checked.places.empty() || checked.description) shown_.places = std::move(checked.places);
    setFaults(std::move(checked.faults));
    if (checked.description) askToRun(nullptr, {});
    const QString obstacle = obstacle_();
    if (checked.description && !obstacle.isEmpty()) say(obstacle, true);
    else if (checked.description && !sameProgram(*checked.description, *shown_.description)) apply(checked.description);
    else if (checked.description) say(effect_.read_again ? tr("Read again; nothing moved.") : QString());
    if (!effect_.awaited) effect_.read_again = false;
    fillRules();
    updateState();
}

/// Puts the description in place of the one before: one step of undo.
void RulesPanel::apply(const BackendPtr& description) {
    FlowChoice choice = document_.choice();
    const BackendPtr before = shown_.description;
    effect_.flow_before = document_.flow();
    effect_.backends_before = names_of(choice.backends);
    choice.backends[size_t(shown_.index)] = description;
    if (description->name != before->name)
        choice.overrides.change([&](HandPlacement& placement) { placement.rename(before->name, description->name); });
    // Rules count once the graph is annotated: who edits them wants to see what they do.
    if (document_.isOpen() && !document_.annotated() && !choice.annotate) {
        if (!choice.active(false)) choice.merge = true;
        choice.annotate = true;
    }
    shown_.description = description;
    offerPython();
    shown_.foreign = false;
    effect_.awaited = true;
    if (document_.isOpen()) {
        document_.changeChoice(std::move(choice), editName(*before, *description));
        return;
    }
    effect_.awaited = false;
    document_.setBackends(choice.backends);
    say(tr("The text is valid. Open a module to see what it does."));
}

/// The one rule that an edit changed, if it is one.
QString RulesPanel::editName(const BackendDescription& before, const BackendDescription& after) const {
    std::vector<std::string> changed;
    for (const auto& [op, rule] : after.ops)
        if (auto old = before.ops.find(op); old == before.ops.end() || old->second.text != rule.text)
            changed.push_back(op);
    for (const auto& [op, _] : before.ops)
        if (!after.ops.count(op)) changed.push_back(op);
    std::map<std::string, std::string> patterns;
    for (const CompositePattern& pattern : before.patterns)
        patterns[pattern.name] += pattern.pattern_text + "\n" + pattern.check_text;
    std::map<std::string, std::string> patterns_after;
    for (const CompositePattern& pattern : after.patterns)
        patterns_after[pattern.name] += pattern.pattern_text + "\n" + pattern.check_text;
    for (const auto& [name, text] : patterns_after)
        if (auto old = patterns.find(name); old == patterns.end() || old->second != text) changed.push_back(name);
    for (const auto& [name, _] : patterns)
        if (!patterns_after.count(name)) changed.push_back(name);
    const QString backend = shown_name(after.name);
    return changed.size() == 1 ? tr("change the rule %1 of %2").arg(shown_name(changed[0]), backend)
                               : tr("edit the rules of %1").arg(backend);
}

void RulesPanel::tellChange() {
    if (!effect_.awaited || !document_.flowIsCurrent()) return;
    effect_.awaited = false;
    const bool again = std::exchange(effect_.read_again, false);
    const FlowPtr before = std::move(effect_.flow_before), now = document_.flow();
    effect_.flow_before = nullptr;
    if (document_.annotated()) return say(tr("The file carries its annotations already: rules are not asked."));
    if (!now) return say(tr("The graph could not be divided: see Problems."), true);
    effect_.change = compare_flows(before.get(), effect_.backends_before, *now, names_of(document_.choice().backends));
    effect_.module = now->input;
    const QString faults = toldFaults();
    if (effect_.change.nothing() && faults.isEmpty())
        return say(again ? tr("Read again; nothing moved.") : tr("Valid; nothing moved."));
    QStringList parts;
    const auto add = [&](const FlowChange::Calls& calls, const QString& link, const QString& words) {
        if (!calls.calls.empty())
            parts << QStringLiteral("<a href='%1'>%2</a> (%3)").arg(link, words, calls_text(calls).toHtmlEscaped());
    };
    add(effect_.change.gained, QStringLiteral("gained"),
        tr("%n gained", nullptr, int(effect_.change.gained.calls.size())));
    add(effect_.change.lost, QStringLiteral("lost"), tr("%n lost", nullptr, int(effect_.change.lost.calls.size())));
    add(effect_.change.moved, QStringLiteral("moved"), tr("%n moved", nullptr, int(effect_.change.moved.calls.size())));
    if (!effect_.change.nothing())
        parts << tr("regions %1 → %2").arg(effect_.change.regions_before).arg(effect_.change.regions_after);
    if (again) parts.prepend(tr("read again"));
    if (!faults.isEmpty()) parts.prepend(faults);
    say(parts.join(QStringLiteral(" &nbsp;·&nbsp; ")), !faults.isEmpty());
}

/// The rules of the shown description that failed instead of deciding, the one with most calls first.
std::vector<RuleFault> RulesPanel::faultsOfShown() const {
    std::vector<RuleFault> faults;
    if (const RuleFaultsPtr all = document_.ruleFaults())
        for (const RuleFault& fault : *all)
            if (fault.backend == shown_.index) faults.push_back(fault);
    std::stable_sort(faults.begin(), faults.end(),
                     [](const RuleFault& a, const RuleFault& b) { return a.calls.size() > b.calls.size(); });
    return faults;
}

QString RulesPanel::toldFaults() const {
    const std::vector<RuleFault> faults = faultsOfShown();
    if (faults.empty()) return {};
    const QString first = fault_text(faults.front(), true);
    return faults.size() == 1 ? first : tr("%1, and %n more: see Problems", nullptr, int(faults.size()) - 1).arg(first);
}

void RulesPanel::selectFailed() {
    const std::vector<RuleFault> faults = faultsOfShown();
    const FlowPtr flow = document_.flow();
    if (!faults.empty() && flow && flow->input == document_.shownModule()) document_.setSelection(faults.front().calls);
}

void RulesPanel::say(const QString& text, bool fault) { bar_->say(text, fault, theme_); }

void RulesPanel::setFaults(std::vector<Diagnostic> faults) {
    edit_->setFaults(faults);
    faults_->clear();
    for (int i = 0; i < int(faults.size()) && i < kShownFaults; ++i) {
        const Diagnostic& fault = faults[size_t(i)];
        auto* item = new QListWidgetItem(
            tr("%1:%2  %3").arg(fault.position.line).arg(fault.position.column).arg(shown_name(fault.message)));
        item->setData(Qt::UserRole, QPoint(int(fault.position.column), int(fault.position.line)));
        item->setForeground(theme_.error);
        item->setToolTip(shown_message(fault.message));
        faults_->addItem(item);
    }
    constexpr int kRows = 3;
    const int rows = std::min(kRows, faults_->count());
    faults_->setFixedHeight(rows * faults_->sizeHintForRow(0) + 2 * faults_->frameWidth());
    faults_->setVisible(!faults.empty());
    if (!faults.empty()) say(tr("%n fault(s); the last valid rules stay.", nullptr, int(faults.size())), true);
}

void RulesPanel::updateState() {
    bar_->showState({shown_.description != nullptr, modified(), !shown_.original.isEmpty(), file()});
}

void RulesPanel::writeRule(int backend, const QString& op) {
    if (backend < 0 || size_t(backend) >= document_.choice().backends.size()) return;
    chosen_ = true;
    show(backend);
    if (isPython(*shown_.description)) {
        BackendDescription now = *shown_.description;
        now.source = edit_->toPlainText().toStdString();
        const std::string rule = python_rule(now, op.toStdString());
        return edit_->appendText(QString::fromStdString(rule), QStringLiteral("True"));
    }
    for (const RulePlace& place : shown_.places)
        if (place.rule.starts_with("ops.")) return edit_->insertEntry(place.position, op, QStringLiteral("true"));
    say(tr("Write \"%1\": true under \"ops\".").arg(op));
    edit_->setFocus();
}

}  // namespace partita
