#include "app/gui/panels/steps/steps_panel.h"

#include <algorithm>
#include <utility>

#include <QLabel>
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

}  // namespace

StepsPanel::StepsPanel(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), term_questions_(document, *this), miss_questions_(document, *this),
      reach_questions_(document, *this), walk_questions_(document, *this),
      theme_(make_theme(false, PaletteChoice::OkabeIto)), stack_(new QStackedLayout(this)), bar_(new StepBar),
      list_(new StepList), sentence_(new QLabel), terms_(new QLabel) {
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
    list_->setItemDelegate(new StepDelegate(model_, list_));
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
    std::vector<BackendDescription> backends;
    for (const BackendPtr& backend : document_.choice().backends) backends.push_back(*backend);
    model_.setFlow(document_.flow(), document_.named(), std::move(backends), document_.partitioned() != nullptr);
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
    const Decision& decision = model_.decision(row);
    StepShown step;
    step.related = decision.path;
    const bool of_shown = decision.kind != DecisionKind::Rewritten;  // that is of the module before
    if (of_shown && decision.subject.valid()) step.subjects.push_back(decision.subject);
    if (decision.other.valid()) step.related.push_back(decision.other);
    // Regions go by an operator, as in the sentence. Of two that became one, the name of the whole comes last.
    if (decision.other_region >= 0) step.named_by.push_back(decision.other);
    if (of_shown && decision.region >= 0) step.named_by.push_back(decision.subject);
    updateControls();
    cancelReplay();
    const FlowPtr flow = model_.flow();
    const size_t count = model_.decisionsThrough(row);
    if (flow->input->size() <= kReplayedAtOnce) return showState(step, replay(*flow, count));
    replay_job_ = document_.jobs().start<ReplayedState>(
        tr("Replaying the steps"), this, [flow, count](const JobContext&) { return replay(*flow, count); },
        [this, step](const ReplayedState& state) {
            replay_job_ = 0;
            showState(step, state);
        });
}

void StepsPanel::showState(const StepShown& step, const ReplayedState& now) {
    auto state = std::make_shared<DecorationInput>();
    state->flow = now.flow;
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
    if (row_ >= 0) sentence_->setText(model_.sentence(row_));
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
    if (!std::exchange(walk_, {}).steps.empty()) emit lineReached(-1, 0, {});
    if (!stopped) return;
    const Decision decision = model_.decision(row_);
    terms_text_ = headOf(decision);
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
            if (said.cause.at.valid()) said.at = explainer.names().name(said.cause.at);
            return said;
        },
        [this, decision](const std::optional<StepCause>& said) {
            if (!said) return;
            terms_text_ = headOf(decision) + termsOf(*said);
            showLine();
        });
}

/// Where patterns with a breakpoint look and do not fit. Not in modules that would take long.
void StepsPanel::findMisses() {
    constexpr size_t kMostOfOne = 2000;
    std::vector<std::string> patterns;
    if (model_.flow() && model_.flow()->input->size() <= kExplainedAtOnce)
        for (const auto& [backend, rule] : breakpoints_.rules())
            if (!rule.startsWith(QLatin1String("ops."))) patterns.push_back(rule.toStdString());
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

/// The rule that the step asks.
QString StepsPanel::headOf(const Decision& decision) const {
    return QStringLiteral("<b style='color:%1'>●</b> <code>%2</code>")
        .arg(theme_.error.name(), shown_name(decision.rule).toHtmlEscaped());
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
    if (cause.kind == CallCause::Kind::PatternFailed && cause.at.valid()) {
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
    while (row < model_.rowCount() && !model_.stopsAt(row)) ++row;
    if (row < model_.rowCount()) return goTo(row);
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
    for (const auto& [backend, rule] : breakpoints_.rules()) {
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
