#include "app/gui/panels/rules/rules_panel.h"

#include <algorithm>
#include <map>
#include <utility>

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QSplitter>
#include <QTextDocumentFragment>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/description_files.h"
#include "app/gui/panels/rules/find_bar.h"
#include "app/gui/style/foreign_text.h"

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
      theme_(make_theme(false, PaletteChoice::OkabeIto)), files_(new DescriptionFiles(this)),
      edit_(new DescriptionEdit), find_(new FindBar(*edit_)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildBar());
    column->addWidget(buildConflict());
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    split->addWidget(buildText());
    split->addWidget(buildRules());
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    split->setSizes({640, 380});
    column->addWidget(split, 1);
    edit_->setPlaceholderText(tr("No backend is chosen: choose backends (Ctrl+B), or write one of your own with New."));

    later_.setSingleShot(true);
    later_.setInterval(kTypingPause);
    connect(&later_, &QTimer::timeout, this, &RulesPanel::startCheck);
    connect(edit_, &QPlainTextEdit::textChanged, this, [this] {
        if (setting_ || edit_->toPlainText() == text_) return;
        text_ = edit_->toPlainText();
        chosen_ = true;
        read_again_ = false;
        later_.start();
        updateState();
    });
    connect(edit_, &DescriptionEdit::breakpointToggled, this, [this](const QString& rule) {
        if (shown_) breakpoints_.toggle(QString::fromStdString(shown_->name), rule);
    });
    connect(&breakpoints_, &RuleBreakpoints::rulesChanged, this, &RulesPanel::showBreakpoints);
    connect(edit_, &DescriptionEdit::findWanted, find_, &FindBar::open);
    connect(files_, &DescriptionFiles::touched, this, &RulesPanel::lookAtFiles);
    connect(&document_, &Document::opened, this, [this] {
        saved_.clear();
        telling_ = read_again_ = false;
        flow_before_ = nullptr;
        say(QString());  // what was told is of the graph before
        fillRules();
    });
    takeKeptDrafts();
    connect(&document_, &Document::choiceChanged, this, &RulesPanel::followChoice);
    connect(&document_, &Document::flowChanged, this, [this] {
        tellChange();
        fillRules();
    });
    followChoice();
}

QWidget* RulesPanel::buildBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(4);
    backends_ = new QComboBox;
    backends_->setAccessibleName(tr("Whose rules"));
    backends_->setMinimumContentsLength(14);
    origin_ = make_plain_label();
    origin_->setForegroundRole(QPalette::PlaceholderText);
    summary_ = new QLabel;
    summary_->setAccessibleName(tr("What the last edit changed"));
    summary_->setTextFormat(Qt::RichText);
    summary_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(summary_, &QLabel::linkActivated, this, [this](const QString& which) {
        const std::vector<ExprId>& calls = which == QLatin1String("gained") ? change_.gained.calls
                                           : which == QLatin1String("lost") ? change_.lost.calls
                                                                            : change_.moved.calls;
        if (changed_module_ == document_.shownModule()) document_.setSelection(calls);
    });
    const auto button = [](const QString& text, const QString& tip) {
        auto* made = new QToolButton;
        made->setText(text);
        made->setToolTip(tip);
        made->setAutoRaise(true);
        return made;
    };
    add_ = button(tr("New"), tr("A new backend, asked first"));
    save_ = button(tr("Save"), tr("Save the description to its file"));
    save_as_ = button(tr("Save as…"), tr("Save the description to another file"));
    revert_ = button(QString(), QString());
    row->addWidget(backends_);
    row->addWidget(origin_);
    row->addSpacing(8);
    row->addWidget(summary_, 1);
    for (QToolButton* each : {add_, save_, save_as_, revert_}) row->addWidget(each);
    connect(backends_, &QComboBox::activated, this, [this](int index) {
        chosen_ = true;
        show(index);
    });
    connect(save_, &QToolButton::clicked, this, &RulesPanel::save);
    connect(save_as_, &QToolButton::clicked, this, &RulesPanel::saveAs);
    connect(revert_, &QToolButton::clicked, this, &RulesPanel::revert);
    connect(add_, &QToolButton::clicked, this, &RulesPanel::addBackend);
    return bar;
}

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
    column->addWidget(find_);
    column->addWidget(edit_, 1);
    column->addWidget(faults_);
    return text;
}

void RulesPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    edit_->setTheme(theme);
    summary_->setPalette(QPalette());
    fillRules();
}

QString RulesPanel::textOf(const BackendDescription& description) {
    return QString::fromStdString(description.source).replace(QLatin1String("\r\n"), QLatin1String("\n"));
}

QString RulesPanel::summary() const { return QTextDocumentFragment::fromHtml(summary_->text()).toPlainText(); }

bool RulesPanel::modified() const { return index_ >= 0 && edit_->toPlainText() != original_; }

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
        if (chosen_ && backends[size_t(i)] == shown_) found = i;
    for (int i = 0; i < int(backends.size()) && found < 0 && shown_; ++i)
        if (backends[size_t(i)]->name == shown_->name) found = i;
    if (found < 0 && index_ >= 0 && index_ < int(backends.size())) found = index_;
    if (found < 0 && !backends.empty()) found = 0;
    const QSignalBlocker block(backends_);
    backends_->clear();
    for (const BackendPtr& backend : backends) backends_->addItem(shortened(shown_name(backend->name), 48));
    edit_->setEnabled(found >= 0);
    followFiles();
    show(found);
}

void RulesPanel::show(int index) {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    if (index < 0 || size_t(index) >= backends.size()) {
        keepDraft();
        index_ = -1;
        shown_ = nullptr;
        original_.clear();
        setText(QString());
        setFaults({});
        showConflict();
        places_.clear();
        fillRules();
        updateState();
        return;
    }
    const BackendPtr backend = backends[size_t(index)];
    const bool other = !shown_ || index != index_;
    index_ = index;
    backends_->setCurrentIndex(index);
    if (shown_ == backend) return updateState();
    const bool same_file = shown_ && !other && shown_->file == backend->file && shown_->name == backend->name;
    if (!same_file) keepDraft();
    shown_ = backend;
    const auto draft = drafts_.find(draftKey(*backend));
    const bool had_draft = draft != drafts_.end() && !same_file;
    // What was written on another text of the file is a conflict with it.
    if (had_draft && !file().isEmpty()) files_->setKnown(file(), draft->second.original);
    original_ = originalOf(*backend);
    setText(had_draft ? draft->second.text : textOf(*backend));
    if (!same_file) edit_->document()->clearUndoRedoStacks();  // undo must not bring another's text here
    setFaults({});
    places_ = outline_description(backend->source);
    if (!telling_) say(QString());
    fillRules();
    updateState();
    if (had_draft) {
        drafts_.erase(draft);
        startCheck();
    }
    if (!file().isEmpty() && files_->changed(file())) lookAtFiles();
    else showConflict();
}

/// A text that is not valid stands in no choice: it waits until its description is shown again.
void RulesPanel::keepDraft() {
    const QString text = edit_->toPlainText();
    if (shown_ && text != textOf(*shown_)) drafts_[draftKey(*shown_)] = {text, original_};
}

void RulesPanel::setText(const QString& text) {
    later_.stop();
    setting_ = true;
    edit_->replaceText(text);
    text_ = text;
    setting_ = false;
}

void RulesPanel::startCheck() {
    if (!shown_) return;
    if (check_job_) document_.jobs().cancel(check_job_);
    const QString text = edit_->toPlainText();
    check_job_ = document_.jobs().start<Checked>(
        tr("Checking the rules"), this,
        [text = text.toStdString(), file = shown_->file](const JobContext&) {
            CheckedDescription checked = check_backend_description(text, file);
            Checked result{nullptr, std::move(checked.faults), outline_description(text)};
            if (checked.description)
                result.description = std::make_shared<const BackendDescription>(std::move(*checked.description));
            return result;
        },
        [this, text](Checked checked) {
            check_job_ = 0;
            accept(text, std::move(checked));
        });
}

void RulesPanel::accept(const QString& text, Checked checked) {
    if (text != edit_->toPlainText() || !shown_) return;  // typed on meanwhile: the next look counts
    if (checked.description) {
        const std::vector<BackendPtr>& backends = document_.choice().backends;
        for (size_t i = 0; i < backends.size(); ++i)
            if (int(i) != index_ && backends[i]->name == checked.description->name) {
                checked.faults.push_back(error(tr("there is a backend named %1 already")
                                                   .arg(QString::fromStdString(backends[i]->name))
                                                   .toStdString(),
                                               {1, 1}));
                checked.description = nullptr;
                break;
            }
    }
    if (!checked.places.empty() || checked.description) places_ = std::move(checked.places);
    setFaults(std::move(checked.faults));
    if (checked.description && checked.description->source != shown_->source) apply(checked.description);
    else if (checked.description) say(read_again_ ? tr("Read again; nothing moved.") : QString());
    if (!telling_) read_again_ = false;
    fillRules();
    updateState();
}

/// Puts the description in place of the one before: one step of undo.
void RulesPanel::apply(const BackendPtr& description) {
    FlowChoice choice = document_.choice();
    const BackendPtr before = shown_;
    flow_before_ = document_.flow();
    backends_before_ = names_of(choice.backends);
    choice.backends[size_t(index_)] = description;
    if (description->name != before->name)
        choice.overrides.change([&](HandPlacement& placement) { placement.rename(before->name, description->name); });
    // Rules count once the graph is annotated: who edits them wants to see what they do.
    if (document_.isOpen() && !document_.annotated() && !choice.annotate) {
        if (!choice.active(false)) choice.merge = true;
        choice.annotate = true;
    }
    shown_ = description;
    telling_ = true;
    if (document_.isOpen()) {
        document_.changeChoice(std::move(choice), editName(*before, *description));
        return;
    }
    telling_ = false;
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
    if (!telling_ || !document_.flowIsCurrent()) return;
    telling_ = false;
    const bool again = std::exchange(read_again_, false);
    const FlowPtr before = std::move(flow_before_), now = document_.flow();
    flow_before_ = nullptr;
    if (document_.annotated()) return say(tr("The file carries its annotations already: rules are not asked."));
    if (!now) return say(tr("The graph could not be divided: see Problems."), true);
    change_ = compare_flows(before.get(), backends_before_, *now, names_of(document_.choice().backends));
    changed_module_ = now->input;
    if (change_.nothing()) return say(again ? tr("Read again; nothing moved.") : tr("Valid; nothing moved."));
    QStringList parts;
    const auto add = [&](const FlowChange::Calls& calls, const QString& link, const QString& words) {
        if (!calls.calls.empty())
            parts << QStringLiteral("<a href='%1'>%2</a> (%3)").arg(link, words, calls_text(calls).toHtmlEscaped());
    };
    add(change_.gained, QStringLiteral("gained"), tr("%n gained", nullptr, int(change_.gained.calls.size())));
    add(change_.lost, QStringLiteral("lost"), tr("%n lost", nullptr, int(change_.lost.calls.size())));
    add(change_.moved, QStringLiteral("moved"), tr("%n moved", nullptr, int(change_.moved.calls.size())));
    parts << tr("regions %1 → %2").arg(change_.regions_before).arg(change_.regions_after);
    if (again) parts.prepend(tr("read again"));
    say(parts.join(QStringLiteral(" &nbsp;·&nbsp; ")));
}

void RulesPanel::say(const QString& text, bool fault) {
    summary_->setText(text);
    summary_->setToolTip(summary());
    QPalette palette = summary_->palette();
    palette.setColor(QPalette::WindowText, fault ? theme_.error : theme_.text);
    summary_->setPalette(palette);
}

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
    const bool any = shown_ != nullptr;
    save_->setEnabled(any && (modified() || original_.isEmpty()));
    save_as_->setEnabled(any);
    const bool in_file = !file().isEmpty();
    revert_->setText(in_file ? tr("Reload") : tr("Revert"));
    revert_->setToolTip(in_file ? tr("Read the file again; undo takes it back") : tr("Back to what ships"));
    revert_->setEnabled(in_file || (any && modified() && !original_.isEmpty()));
    if (!any) return origin_->setText(tr("No backend is chosen"));
    if (const QString file = this->file(); !file.isEmpty()) {
        origin_->setText(shown_name(QFileInfo(file).fileName()) + (modified() ? QStringLiteral(" •") : QString()));
        return origin_->setToolTip(shown_name(file));
    }
    const bool shipped = !original_.isEmpty();
    origin_->setText(shipped && !modified() ? tr("shipped") : tr("not saved"));
    origin_->setToolTip(!shipped     ? QString()
                        : modified() ? tr("a copy of what ships, not saved")
                                     : tr("ships with the program; an edit makes a copy"));
}

void RulesPanel::writeRule(int backend, const QString& op) {
    if (backend < 0 || size_t(backend) >= document_.choice().backends.size()) return;
    chosen_ = true;
    show(backend);
    for (const RulePlace& place : places_)
        if (place.rule.starts_with("ops.")) return edit_->insertEntry(place.position, op, QStringLiteral("true"));
    say(tr("Write \"%1\": true under \"ops\".").arg(op));
    edit_->setFocus();
}

}  // namespace partita
