#include "app/gui/panels/steps/steps_model.h"

#include <algorithm>

#include <QRegularExpression>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/flow/describe.h"

namespace partita {

namespace {

QString pass_name(PassKind pass) {
    switch (pass) {
        case PassKind::Simplify: return StepsModel::tr("Simplify");
        case PassKind::FoldConstants: return StepsModel::tr("Fold");
        case PassKind::Composite: return StepsModel::tr("Composite");
        case PassKind::Place: return StepsModel::tr("Place");
        case PassKind::Annotate: return StepsModel::tr("Annotate");
        case PassKind::Merge: return StepsModel::tr("Merge");
        case PassKind::Partition: return StepsModel::tr("Partition");
    }
    return {};
}

bool is_refusal(DecisionKind kind) {
    return kind == DecisionKind::RuleFailed || kind == DecisionKind::NoRule || kind == DecisionKind::WouldCloseCycle ||
           kind == DecisionKind::DifferentBackend || kind == DecisionKind::PatternRefused ||
           kind == DecisionKind::SizeLimit || kind == DecisionKind::MergeLimit;
}

/// The numbers of a text apart from what stands between them.
struct NumberedText {
    QStringList between;
    QList<double> numbers;

    explicit NumberedText(const QString& text) {
        static const QRegularExpression number(QStringLiteral("(?<![\\w.])\\d+(\\.\\d+)?(?![\\w])"));
        qsizetype at = 0;
        for (const QRegularExpressionMatch& match : number.globalMatch(text)) {
            between << text.mid(at, match.capturedStart() - at);
            numbers << match.captured().toDouble();
            at = match.capturedEnd();
        }
        between << text.mid(at);
    }
};

/// One text for several: where they differ in a number it has "96 to 960"; texts that differ otherwise are not one.
QString text_of_all(const QStringList& texts) {
    const NumberedText first(texts[0]);
    QList<double> least = first.numbers, most = first.numbers;
    for (const QString& text : texts) {
        const NumberedText each(text);
        if (each.between != first.between) return StepsModel::tr("%1, and others").arg(texts[0]);
        for (qsizetype i = 0; i < least.size(); ++i) {
            least[i] = std::min(least[i], each.numbers[i]);
            most[i] = std::max(most[i], each.numbers[i]);
        }
    }
    QString text = first.between[0];
    for (qsizetype i = 0; i < least.size(); ++i) {
        const QString from = QString::number(least[i], 'g', 15), to = QString::number(most[i], 'g', 15);
        text += (from == to ? from : StepsModel::tr("%1 to %2").arg(from, to)) + first.between[i + 1];
    }
    return text;
}

bool passes(const Decision& decision, StepFilter filter) {
    switch (filter) {
        case StepFilter::All: return true;
        case StepFilter::Placement: return decision.pass == PassKind::Place || decision.pass == PassKind::Annotate;
        case StepFilter::Merging: return decision.pass == PassKind::Merge;
        case StepFilter::Refusals: return is_refusal(decision.kind);
    }
    return true;
}

}  // namespace

StepsModel::StepsModel(QObject* parent)
    : QAbstractListModel(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)) {}

void StepsModel::setFlow(FlowPtr flow, NamedModulePtr named, std::vector<BackendDescription> backends,
                         bool partitioned) {
    beginResetModel();
    flow_ = std::move(flow);
    facts_.reset();
    stops_at_.reset();
    partitioned_ = partitioned;
    backends_ = std::move(backends);
    named_ = std::move(named);
    misses_.clear();
    reaching_.clear();
    alike_.reset();
    open_.clear();
    rebuild();
    endResetModel();
}

void StepsModel::setFilter(StepFilter filter) {
    beginResetModel();
    filter_ = filter;
    rebuild();
    endResetModel();
}

void StepsModel::rebuild() {
    rows_.clear();
    row_count_ = 0;
    if (!flow_) return;
    // The passes come one after the other.
    const std::vector<Decision>& decisions = flow_->log.decisions();
    const auto until = [&decisions](PassKind pass) {
        return size_t(std::partition_point(decisions.begin(), decisions.end(),
                                           [pass](const Decision& decision) { return decision.pass <= pass; }) -
                      decisions.begin());
    };
    before_misses_ = until(PassKind::Composite);
    const size_t wanted = partitioned_ ? decisions.size() : until(PassKind::Merge);
    if (filter_ == StepFilter::All && misses_.empty() && !alike_) {
        row_count_ = wanted;
        return;
    }
    auto add_misses = [this] {
        for (uint32_t i = 0; i < misses_.size(); ++i) rows_.push_back({i, Row::Miss});
    };
    for (uint32_t i = 0; i < wanted; ++i) {
        if (i == before_misses_) add_misses();
        const bool shown = passes(decisions[i], filter_) || isBreakpoint(decisions[i]);
        if (shown || reaches(i)) addRow(i, !shown);
    }
    if (before_misses_ >= wanted) add_misses();
    row_count_ = rows_.size();
}

/// What is alike stands where the first of it is.
void StepsModel::addRow(uint32_t index, bool alone) {
    const int32_t group = alike_ && !alone ? alike_->group(index) : -1;
    if (group < 0) return rows_.push_back({index, Row::Single});
    const std::vector<uint32_t>& all = alike_->groups[size_t(group)].decisions;
    if (all.front() != index) return;
    rows_.push_back({index, Row::Group});
    if (open_.count(group))
        for (uint32_t member : all) rows_.push_back({member, Row::Member});
}

void StepsModel::setAlike(AlikeStepsPtr alike) {
    beginResetModel();
    alike_ = alike && !alike->empty() ? std::move(alike) : nullptr;
    open_.clear();
    openWhereItStops();
    rebuild();
    endResetModel();
}

void StepsModel::setOpen(int row, bool open) {
    if (!isGroup(row) || isOpen(row) == open) return;
    beginResetModel();
    if (open) open_.insert(groupOf(row));
    else open_.erase(groupOf(row));
    rebuild();
    endResetModel();
}

int StepsModel::groupRow(int row) const {
    while (row > 0 && isInGroup(row)) --row;
    return row;
}

uint32_t StepsModel::spokenOf(int row) const {
    const Row at = rowAt(row);
    if (at.kind != Row::Group || reaching_.empty()) return at.index;
    const std::vector<uint32_t>& all = alike_->groups[size_t(groupOf(row))].decisions;
    const auto found = std::find_if(all.begin(), all.end(), [this](uint32_t index) { return reaches(index); });
    return found == all.end() ? at.index : *found;
}

std::vector<const Decision*> StepsModel::decisions(int row) const {
    if (!isGroup(row)) return {&decision(row)};
    std::vector<const Decision*> all;
    for (uint32_t index : alike_->groups[size_t(groupOf(row))].decisions) all.push_back(&flow_->log.decisions()[index]);
    return all;
}

StepsUpTo StepsModel::stepsThrough(int row) const {
    const Row at = rowAt(row);
    switch (at.kind) {
        case Row::Miss: return {alike_, int64_t(before_misses_), -1};
        case Row::Single: return {alike_, at.index, at.index};
        case Row::Member: return {alike_, int64_t(alike_->first(at.index)), at.index};
        // Of one that is open, each follows as a step of its own.
        case Row::Group: return {alike_, at.index, isOpen(row) ? -1 : int64_t(flow_->log.decisions().size())};
    }
    return {};
}

void StepsModel::setMisses(std::vector<Decision> misses) {
    if (misses.empty() && misses_.empty()) return;
    beginResetModel();
    misses_ = std::move(misses);
    rebuild();
    endResetModel();
}

void StepsModel::setReaching(std::vector<uint32_t> reaching) {
    reaching_ = std::move(reaching);
    stops_at_.reset();
    if (openWhereItStops() || filter_ != StepFilter::All) setFilter(filter_);  // rows come and go
}

/// Returns whether a group was closed.
bool StepsModel::openWhereItStops() {
    if (!alike_) return false;
    const size_t before = open_.size();
    for (size_t group = 0; group < alike_->groups.size(); ++group)
        for (uint32_t index : alike_->groups[group].decisions)
            if (reaches(index) || isBreakpoint(flow_->log.decisions()[index])) {
                open_.insert(int32_t(group));
                break;
            }
    return open_.size() > before;
}

bool StepsModel::reaches(uint32_t index) const { return std::binary_search(reaching_.begin(), reaching_.end(), index); }

void StepsModel::setBreakpoints(const RuleBreakpoints& breakpoints) {
    breakpoints_ = &breakpoints;
    stops_at_.reset();
    if (openWhereItStops() || filter_ != StepFilter::All) setFilter(filter_);  // rows come and go
}

std::pair<size_t, size_t> StepsModel::stopNumber(int row) const {
    if (!flow_ || isMiss(row)) return {};
    if (!stops_at_) {
        stops_at_.emplace();
        for (uint32_t i = 0; i < flow_->log.decisions().size(); ++i)
            if (reaches(i) || isBreakpoint(flow_->log.decisions()[i])) stops_at_->push_back(i);
    }
    const auto found = std::lower_bound(stops_at_->begin(), stops_at_->end(), spokenOf(row));
    if (found == stops_at_->end() || *found != spokenOf(row)) return {};
    return {size_t(found - stops_at_->begin()) + 1, stops_at_->size()};
}

bool StepsModel::stops(const QString& backend, const QString& rule, const Decision& decision) const {
    const BreakpointCondition* condition = breakpoints_->find(backend, rule);
    if (!condition) return false;
    if (!facts_) facts_.emplace(*flow_->input);
    return condition->holds(*facts_, decision.subject);
}

/// A backend's rule is asked when calls are placed, a pattern's when composites are made.
bool StepsModel::isBreakpoint(const Decision& decision) const {
    if (!breakpoints_ || breakpoints_->rules().empty() || decision.rule.empty()) return false;
    const QString rule = QString::fromStdString(decision.rule);
    const bool placed = decision.pass == PassKind::Place &&
                        (decision.kind == DecisionKind::Accepted || decision.kind == DecisionKind::RuleFailed);
    if (placed && decision.backend >= 0 && size_t(decision.backend) < backends_.size())
        return rule.startsWith(QLatin1String("ops.")) &&
               stops(QString::fromStdString(backends_[size_t(decision.backend)].name), rule, decision);
    if (decision.pass != PassKind::Composite) return false;
    for (const BackendDescription& backend : backends_)
        for (const CompositePattern& pattern : backend.patterns)
            if (pattern.name == decision.rule && stops(QString::fromStdString(backend.name), rule, decision))
                return true;
    return false;
}

QString StepsModel::sentence(int row) const {
    const Decision& step = decision(row);
    if (isMiss(row))
        return tr("%1 does not fit the pattern %2: %3.")
            .arg(shown_name(named_->names.name(step.subject)), shown_name(step.rule), shown_name(say(step.detail)));
    QString said = shown_name(say(sentence_of(isGroup(row) ? ofAll(row) : step, named_->names, backends_)));
    if (isInGroup(row)) return tr("Block %1: %2").arg(named_->blocks.place(step.subject).block + 1).arg(said);
    if (!isGroup(row)) return said;
    const AlikeSteps::Group& group = alike_->groups[size_t(groupOf(row))];
    return group.blocks == group.of
               ? tr("In each of %n block(s): %1", nullptr, int(group.of)).arg(said)
               : tr("In %1 of %n block(s): %2", nullptr, int(group.of)).arg(group.blocks).arg(said);
}

/// The first step of a group with the values of all.
Decision StepsModel::ofAll(int row) const {
    Decision all = decision(row);
    if (all.detail.empty()) return all;
    QStringList texts;
    for (uint32_t step : alike_->groups[size_t(groupOf(row))].decisions)
        texts << say(flow_->log.decisions()[step].detail);
    all.detail = as_it_is(text_of_all(texts).toStdString());
    return all;
}

QString StepsModel::numberText(int row) const {
    return isMiss(row) ? QStringLiteral("–") : QString::number(rowAt(row).index + 1);
}

QString StepsModel::passName(int row) const { return pass_name(decision(row).pass); }

QStringList StepsModel::passNames() {
    QStringList names;
    for (int pass = 0; pass <= int(PassKind::Partition); ++pass) names << pass_name(PassKind(pass));
    return names;
}

int StepsModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int(row_count_); }

QVariant StepsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !flow_ || size_t(index.row()) >= row_count_) return {};
    const Decision& step = decision(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return QStringLiteral("%1   %2   %3")
                .arg(numberText(index.row()), passName(index.row()), sentence(index.row()));
        case Qt::ToolTipRole: return sentence(index.row());
        case Qt::ForegroundRole:
            if (step.kind == DecisionKind::WouldCloseCycle || step.kind == DecisionKind::RuleFailed ||
                step.kind == DecisionKind::MergeLimit)
                return theme_.refused;
            if (is_refusal(step.kind)) return theme_.muted_text;
            return {};
        default: return {};
    }
}

}  // namespace partita
