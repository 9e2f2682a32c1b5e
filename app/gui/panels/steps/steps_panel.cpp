#include "app/gui/panels/steps/steps_panel.h"

#include <algorithm>
#include <utility>

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QStackedLayout>
#include <QTextDocumentFragment>
#include <QVBoxLayout>

#include "app/gui/panels/steps/step_bar.h"
#include "app/gui/panels/steps/step_delegate.h"
#include "app/gui/panels/steps/step_list.h"
#include "app/gui/panels/steps/step_replay.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/explain/explain.h"
#include "engine/ops/registry.h"
#include "engine/rules/pattern.h"

namespace partita {

namespace {

/// Steps of graphs with more expressions are replayed on a worker.
constexpr size_t kReplayedAtOnce = 100000;
/// More decisions are compared on a worker.
constexpr size_t kComparedAtOnce = 10000;

}  // namespace

StepsPanel::StepsPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), term_questions_(document, *this), miss_questions_(document, *this),
      reach_questions_(document, *this), walk_questions_(document, *this),
      theme_(make_theme(false, PaletteChoice::OkabeIto)), stack_(new QStackedLayout(this)), bar_(new StepBar),
      list_(new StepList), delegate_(new StepDelegate(model_, list_)), sentence_(new QLabel), terms_(new QLabel) {
    auto* nothing = new QLabel(tr("Annotate, merge or partition: each decision appears here and can be played."));
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setWordWrap(true);
    stack_->addWidget(nothing);
    buildContent();
    followBar();
    timer_.setInterval(700);
    connect(&timer_, &QTimer::timeout, this, &StepsPanel::tick);
    model_.setBreakpoints(breakpoints_);
    connect(&breakpoints_, &RuleBreakpoints::rulesChanged, this, [this] {
        const int before = model_.rowCount();
        model_.setBreakpoints(breakpoints_);
        if (model_.rowCount() != before) stop();
        findMisses();
        findReaching();
        updateControls();
        list_->viewport()->update();
    });
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (now.isValid()) goTo(now.row());
    });
    connect(&document_, &Document::flowChanged, this, &StepsPanel::refresh);
    connect(&document_, &Document::opened, this, &StepsPanel::refresh);
}

void StepsPanel::buildContent() {
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    sentence_->setWordWrap(true);
    sentence_->setTextFormat(Qt::PlainText);
    sentence_->setMargin(8);
    sentence_->setAccessibleName(tr("What is decided in this step"));
    sentence_->setMinimumHeight(36);
    terms_->setTextFormat(Qt::RichText);
    terms_->setWordWrap(true);
    terms_->setContentsMargins(8, 0, 8, 8);
    terms_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::LinksAccessibleByMouse);
    terms_->setAccessibleName(tr("The terms of the rule, with their values"));
    terms_->hide();
    connect(terms_, &QLabel::linkActivated, this, [this](const QString& link) {
        if (link.startsWith(QLatin1String("line:")))
            emit lineWanted(link.section(QLatin1Char(':'), 1, 1).toInt(), link.section(QLatin1Char(':'), 2).toInt());
        else document_.setSelection({ExprId(link.toUInt())});
    });
    list_->setModel(&model_);
    list_->setItemDelegate(delegate_);
    list_->installEventFilter(this);
    list_->viewport()->installEventFilter(this);
    list_->setAccessibleName(tr("Decisions"));
    column->addWidget(bar_);
    column->addWidget(sentence_);
    column->addWidget(terms_);
    column->addWidget(list_, 1);
    stack_->addWidget(content);
}

void StepsPanel::followBar() {
    connect(bar_, &StepBar::firstWanted, this, &StepsPanel::jumpToStart);
    connect(bar_, &StepBar::backWanted, this, &StepsPanel::stepBack);
    connect(bar_, &StepBar::playWanted, this, &StepsPanel::togglePlaying);
    connect(bar_, &StepBar::forwardWanted, this, &StepsPanel::stepForward);
    connect(bar_, &StepBar::breakpointWanted, this, &StepsPanel::jumpToBreakpoint);
    connect(bar_, &StepBar::lastWanted, this, &StepsPanel::jumpToEnd);
    connect(bar_, &StepBar::resultWanted, this, &StepsPanel::stop);
    connect(bar_, &StepBar::rowWanted, this, &StepsPanel::goTo);
    connect(bar_, &StepBar::filterChosen, this, [this](int filter) {
        stop();
        model_.setFilter(StepFilter(filter));
        updateControls();
    });
    connect(bar_, &StepBar::intervalChosen, &timer_, qOverload<int>(&QTimer::setInterval));
}

void StepsPanel::setTheme(const Theme& theme) {
    theme_ = theme;
    model_.setTheme(theme);
    bar_->setTheme(theme);
    updateControls();
}

void StepsPanel::refresh() {
    timer_.stop();
    row_ = -1;
    cancelReplay();
    model_.setFlow(document_.flow(), document_.named(), descriptions_of(document_.choice()),
                   document_.partitioned() != nullptr);
    findAlike();
    findMisses();
    findReaching();
    stack_->setCurrentIndex(document_.flow() ? 1 : 0);
    updateControls();
    emit stepShown({}, {}, nullptr);
}

void StepsPanel::goTo(int row) {
    if (row < 0 || row >= model_.rowCount() || row == row_) return;
    row_ = row;
    const QSignalBlocker block_list(list_->selectionModel());
    list_->setCurrentIndex(model_.index(row));
    // When the terms below the sentence have taken their room.
    QTimer::singleShot(0, list_, [this] { list_->scrollTo(list_->currentIndex()); });
    list_->viewport()->update();
    const StepShown step = shownOf(row);
    updateControls();
    cancelReplay();
    const FlowPtr flow = model_.flow();
    const StepsUpTo steps = model_.stepsThrough(row);
    if (flow->input->size() <= kReplayedAtOnce) return showState(step, replay(*flow, steps));
    replay_job_ = document_.jobs().start<ReplayedState>(
        tr("Replaying the steps"), this, [flow, steps](const JobContext&) { return replay(*flow, steps); },
        [this, step](const ReplayedState& state) {
            replay_job_ = 0;
            showState(step, state);
        });
}

StepsPanel::StepShown StepsPanel::shownOf(int row) const {
    StepShown step;
    for (const Decision* decision : model_.decisions(row)) {
        step.related.insert(step.related.end(), decision->path.begin(), decision->path.end());
        const bool of_shown = decision->kind != DecisionKind::Rewritten;  // that is of the module before
        if (of_shown && decision->subject.valid()) step.subjects.push_back(decision->subject);
        if (decision->other.valid()) step.related.push_back(decision->other);
        // Regions go by an operator, as in the sentence. Of two that became one, the name of the whole comes last.
        if (decision->other_region >= 0) step.named_by.push_back(decision->other);
        if (of_shown && decision->region >= 0) step.named_by.push_back(decision->subject);
    }
    return step;
}

void StepsPanel::setOpen(int row, bool open) {
    row = model_.groupRow(row);
    if (!model_.isGroup(row) || model_.isOpen(row) == open) return;
    timer_.stop();
    const int before = model_.rowCount(), shown = row_;
    {
        const QSignalBlocker block_list(list_->selectionModel());
        model_.setOpen(row, open);
    }
    const int added = model_.rowCount() - before;
    row_ = -1;  // what a row stands for is another now
    if (shown < 0) return updateControls();
    const bool inside = shown >= row && shown <= row - std::min(added, 0);
    goTo(shown < row ? shown : inside ? row : shown + added);
}

/// The arrow of a row opens and closes it, and so do the keys of a tree.
bool StepsPanel::eventFilter(QObject* watched, QEvent* event) {
    const auto on_arrow = [&] {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        return watched == list_->viewport() && mouse->button() == Qt::LeftButton &&
               delegate_->isArrow(*list_, mouse->position().toPoint());
    };
    const auto toggle = [this](int row) { setOpen(row, !model_.isOpen(row)); };
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            if (!on_arrow()) break;
            toggle(list_->indexAt(static_cast<QMouseEvent*>(event)->position().toPoint()).row());
            return true;
        case QEvent::MouseButtonDblClick: {
            const QModelIndex index = list_->indexAt(static_cast<QMouseEvent*>(event)->position().toPoint());
            if (watched != list_->viewport() || !index.isValid() || !model_.isGroup(index.row())) break;
            toggle(index.row());
            return true;
        }
        case QEvent::KeyPress: {
            const auto* key = static_cast<QKeyEvent*>(event);
            const int row = list_->currentIndex().row();
            if (watched != list_ || key->modifiers() != Qt::NoModifier || row < 0) break;
            if (key->key() != Qt::Key_Right && key->key() != Qt::Key_Left) break;
            if (!model_.isGroup(row) && !model_.isInGroup(row)) break;
            setOpen(row, key->key() == Qt::Key_Right);
            return true;
        }
        default: break;
    }
    return QWidget::eventFilter(watched, event);
}

/// What is alike in the blocks of a deep model stands in one row. Of very many decisions a worker finds that.
void StepsPanel::findAlike() {
    if (alike_job_) document_.jobs().cancel(std::exchange(alike_job_, 0));
    const FlowPtr flow = model_.flow();
    const NamedModulePtr named = document_.named();
    if (!flow || !named || named->module != flow->input || named->blocks.empty()) return;
    const auto find = [flow, named] { return std::make_shared<const AlikeSteps>(alike_steps(*flow, named->blocks)); };
    if (flow->log.decisions().size() <= kComparedAtOnce) return model_.setAlike(find());
    alike_job_ = document_.jobs().start<AlikeStepsPtr>(
        tr("Comparing the steps of blocks"), this, [find](const JobContext&) -> AlikeStepsPtr { return find(); },
        [this](const AlikeStepsPtr& alike) {
            alike_job_ = 0;
            stop();
            model_.setAlike(alike);
            updateControls();
        });
}

void StepsPanel::showState(const StepShown& step, const ReplayedState& now) {
    auto state = std::make_shared<DecorationInput>();
    state->flow = now.flow;
    state->named = document_.named();
    state->refused = now.refused;
    for (ExprId expression : step.named_by) {
        const int32_t region =
            expression.value < now.flow->region_of.size() ? now.flow->region_of[expression.value] : -1;
        const uint32_t number = document_.names().number(expression);
        if (region < 0 || number == 0) continue;
        while (state->region_marks.size() <= region) state->region_marks.append(QString());
        state->region_marks[region] = QStringLiteral("#%1").arg(number);
    }
    for (const BackendPtr& backend : document_.choice().backends) state->backends.push_back(backend->name);
    emit stepShown(step.subjects, step.related, state);
}

void StepsPanel::cancelReplay() {
    if (replay_job_) document_.jobs().cancel(std::exchange(replay_job_, 0));
}

void StepsPanel::updateControls() {
    const bool any = model_.rowCount() > 0;
    bar_->showState({row_, model_.rowCount(), timer_.isActive(), breakpoints_.any()});
    if (row_ >= 0) sentence_->setText(model_.sentence(row_) + watched());
    showTerms();
    if (row_ < 0)
        sentence_->setText(any ? tr("%n decision(s). Play them, or choose one.", nullptr, model_.rowCount())
                               : tr("No decision of this kind."));
}

void StepsPanel::tick() {
    if (replay_job_) return;  // the step before is not shown yet
    if (row_ + 1 >= model_.rowCount()) {
        timer_.stop();
        return updateControls();
    }
    const int next = row_ + 1;
    if (model_.isGroup(next) && model_.stopsAt(next)) {
        setOpen(next, true);
        timer_.start();
    }
    stepForward();
    if (!model_.stopsAt(row_)) return;
    timer_.stop();
    updateControls();
}

QString StepsPanel::sentence() const { return row_ >= 0 ? sentence_->text() : QString(); }

QString StepsPanel::terms() const {
    return terms_->isHidden() ? QString() : QTextDocumentFragment::fromHtml(terms_->text()).toPlainText();
}

void StepsPanel::showTerms() {
    const bool stopped = row_ >= 0 && row_ < model_.rowCount() && model_.stopsAt(row_);
    terms_->setVisible(stopped);
    term_questions_.cancel();
    walk_questions_.cancel();
    if (!std::exchange(walk_, {}).steps.empty()) {
        emit lineReached(-1, 0, {});
        emit pathWalked(-1, {});
    }
    if (!stopped) return;
    const Decision decision = model_.decision(row_);
    const QString head = headOf(row_);
    terms_text_ = head;
    terms_->setText(terms_text_);
    if (model_.reachesLine(row_)) askForWalk(decision);
    if (!decision.subject.valid()) return;
    term_questions_.ask<std::optional<StepCause>>(
        tr("Explaining"),
        [decision](FlowExplainer& explainer) -> std::optional<StepCause> {
            const bool match = decision.pass == PassKind::Composite;
            if (!match && decision.backend < 0) return std::nullopt;
            StepCause said{
                match ? explainer.explain_match(decision) : explainer.explain_rule(decision.backend, decision.subject),
                {}};
            said.at = explainer.names().name(said.cause.at);
            return said;
        },
        [this, head](const std::optional<StepCause>& said) {
            if (!said) return;
            terms_text_ = head + termsOf(*said);
            showLine();
        });
}

/// Where patterns with a breakpoint look and do not fit. Not in modules that would take long.
void StepsPanel::findMisses() {
    constexpr size_t kMostOfOne = 2000;
    std::vector<std::string> patterns;
    if (model_.flow() && model_.flow()->input->size() <= kExplainedAtOnce)
        for (const auto& [place, _] : breakpoints_.rules())
            if (!place.second.startsWith(QLatin1String("ops."))) patterns.push_back(place.second.toStdString());
    miss_questions_.cancel();
    if (patterns.empty()) return showMisses({});
    miss_questions_.ask<std::vector<Decision>>(
        tr("Explaining"),
        [patterns](FlowExplainer& explainer) {
            std::vector<Decision> misses;
            for (const std::string& pattern : patterns)
                for (Decision& miss : explainer.explain_near_misses(pattern, kMostOfOne))
                    misses.push_back(std::move(miss));
            return misses;
        },
        [this](std::vector<Decision> misses) { showMisses(std::move(misses)); });
}

void StepsPanel::showMisses(std::vector<Decision> misses) {
    const int before = model_.rowCount();
    model_.setMisses(std::move(misses));
    if (model_.rowCount() != before) stop();
}

/// The rule that the step asks, and which of the stops it is.
QString StepsPanel::headOf(int row) const {
    const QString head = QStringLiteral("<b style='color:%1'>●</b> <code>%2</code>")
                             .arg(theme_.error.name(), shown_name(model_.decision(row).rule).toHtmlEscaped());
    const auto [stop, stops] = model_.stopNumber(row);
    return stops == 0 ? head : head + QStringLiteral(" &nbsp; ") + tr("stop %1 of %2").arg(stop).arg(stops);
}

/// The rule's terms and their values; what a value is of is a link.
QString StepsPanel::termsOf(const StepCause& step) const {
    const CallCause& cause = step.cause;
    const bool refused = cause.kind == CallCause::Kind::RuleFailed || cause.kind == CallCause::Kind::PatternFailed;
    QString text;
    int alternative = 0;
    for (const RuleTerm& term : cause.terms) {
        if (term.alternative != alternative) text += QStringLiteral("<br><i>%1</i>").arg(tr("or"));
        alternative = term.alternative;
        text += QStringLiteral("<br>") + termText(term, refused);
    }
    if (!cause.terms.empty()) return text;
    QString said = shown_name(say(cause.reason)).toHtmlEscaped();
    if (cause.line) {
        const QString place = shown_name(cause.place).toHtmlEscaped();
        const QString link =
            QStringLiteral("<a href='line:%1:%2'>%3</a>").arg(cause.backend).arg(cause.line).arg(place);
        return QStringLiteral("<br>✗ ") + said.replace(place, link);
    }
    if (cause.at.valid()) {
        const QString name = shown_name(step.at).toHtmlEscaped();
        const QString link = QStringLiteral("<a href='%1'>%2</a>").arg(cause.at.value).arg(name);
        const qsizetype named = said.indexOf(name);
        return QStringLiteral("<br>✗ ") +
               (named < 0 ? said + QStringLiteral(" &nbsp; ") + link : said.replace(named, name.size(), link));
    }
    if (cause.kind != CallCause::Kind::Composite) return QStringLiteral("<br>") + said;
    return QStringLiteral("<br>") +
           (said.isEmpty() ? tr("it matches; there is no check") : tr("it matches, and its check holds: %1").arg(said));
}

QString StepsPanel::termText(const RuleTerm& term, bool refused) const {
    QStringList values;
    for (const RuleTerm::Operand& operand : term.operands) {
        const QString name = shown_name(operand.text).toHtmlEscaped();
        const QString linked =
            operand.expr.valid() ? QStringLiteral("<a href='%1'>%2</a>").arg(operand.expr.value).arg(name) : name;
        values
            << tr("%1 is %2").arg(linked, QStringLiteral("<b>%1</b>").arg(shown_name(operand.value).toHtmlEscaped()));
    }
    if (!term.error.empty()) values << shown_name(term.error).toHtmlEscaped();
    const QString sign = refused ? QStringLiteral("✗") : QStringLiteral("✓");
    const QString words =
        QStringLiteral("%1 <code>%2</code>").arg(sign, shown_name(term.stated(!refused)).toHtmlEscaped());
    return values.isEmpty() ? words : words + QStringLiteral(" &nbsp; ") + values.join(QStringLiteral(", "));
}

void StepsPanel::togglePlaying() {
    if (timer_.isActive()) {
        timer_.stop();
    } else if (model_.rowCount() > 0) {
        if (row_ + 1 >= model_.rowCount()) row_ = -1;
        timer_.start();
        tick();
    }
    updateControls();
}

void StepsPanel::stepForward() { goTo(row_ + 1); }
void StepsPanel::stepBack() { goTo(row_ - 1); }
void StepsPanel::jumpToBreakpoint() {
    timer_.stop();
    int row = row_ + 1;
    for (; row < model_.rowCount(); ++row) {
        if (!model_.stopsAt(row)) continue;
        if (!model_.isGroup(row)) return goTo(row);
        setOpen(row, true);  // somebody closed it: each of its calls is asked
    }
    updateControls();
    if (!breakpoints_.any()) return sentence_->setText(tr("No breakpoint is set."));
    sentence_->setText(QStringList({tr("No rule with a breakpoint is asked after this step."), whyNeverAsked()})
                           .join(QLatin1Char(' '))
                           .trimmed());
}

/// What the graph lacks for a rule with a breakpoint; "" where it has what all of them need.
QString StepsPanel::whyNeverAsked() const {
    const std::vector<OpCount>& ops = document_.summary().ops;
    const auto is_there = [&ops](std::string_view op) {
        return std::any_of(ops.begin(), ops.end(), [op](const OpCount& count) { return count.op == op; });
    };
    for (const auto& [place, _] : breakpoints_.rules()) {
        const auto& [backend, rule] = place;
        const int index = document_.choice().backend_index(backend.toStdString());
        if (index < 0) continue;
        if (rule.startsWith(QLatin1String("ops."))) {
            if (!is_there(rule.mid(4).toStdString())) return tr("This graph has no %1.").arg(shown_name(rule.mid(4)));
            continue;
        }
        // Patterns may share a name: one whose root is there is enough.
        const OpRecord* missing = nullptr;
        bool can_match = false;
        for (const CompositePattern& pattern : document_.choice().backends[size_t(index)]->patterns) {
            if (QString::fromStdString(pattern.name) != rule) continue;
            const std::vector<OpId>& roots = pattern.pattern->root_ops();
            can_match =
                can_match || pattern.pattern->any_root() ||
                std::any_of(roots.begin(), roots.end(), [&](OpId op) { return is_there(op_registry()[op].name); });
            if (!roots.empty()) missing = &op_registry()[roots.front()];
        }
        if (missing && !can_match)
            return tr("The root of %1 is %2, and this graph has no %2.")
                .arg(shown_name(rule), QString::fromUtf8(missing->name));
    }
    return {};
}

void StepsPanel::jumpToStart() { goTo(0); }
void StepsPanel::jumpToEnd() { goTo(model_.rowCount() - 1); }

void StepsPanel::stop() {
    timer_.stop();
    row_ = -1;
    cancelReplay();
    list_->clearSelection();
    updateControls();
    emit stepShown({}, {}, nullptr);
}

}  // namespace partita
