#include "app/gui/panels/lessons/prediction.h"

#include <algorithm>
#include <map>
#include <set>

#include <QCoreApplication>
#include <QStringList>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/explain/explain.h"
#include "engine/flow/describe.h"
#include "engine/support/sentence.h"

namespace partita {

namespace {

constexpr size_t kMostFindings = 60;
constexpr size_t kMostNames = 8;

QString words(std::string_view text) { return shown_name(text); }

class PredictionComparer {
    Q_DECLARE_TR_FUNCTIONS(Prediction)

public:
    PredictionComparer(std::shared_ptr<const FlowResult> flow, const std::vector<BackendDescription>& backends,
                       const MarkedRegions& marked)
        : flow_(*flow), marked_(marked), explainer_(flow_, backends) {
        result_.flow = std::move(flow);
        region_of_.assign(flow_.input->size(), -1);
        mark_of_.assign(flow_.input->size(), -1);
        collectRegions();
        for (size_t i = 0; i < marked.size(); ++i)
            for (ExprId id : marked[i])
                if (id.value < mark_of_.size()) mark_of_[id.value] = int(i);
    }

    PredictionResult compare() {
        for (size_t i = 0; i < result_.regions.size(); ++i) compareRegion(i);
        for (size_t i = 0; i < marked_.size(); ++i) compareMarked(i);
        // What is right comes first; then by the learner's numbers.
        const auto place = [this](const PredictionFinding& finding) {
            int mark = int(marked_.size());
            for (ExprId id : finding.operators)
                if (mark_of_[id.value] >= 0) mark = std::min(mark, mark_of_[id.value]);
            return std::pair(finding.kind != Kind::Right, mark);
        };
        std::stable_sort(result_.findings.begin(), result_.findings.end(),
                         [&](const auto& a, const auto& b) { return place(a) < place(b); });
        return std::move(result_);
    }

private:
    using Kind = PredictionFinding::Kind;

    /// The flow's regions that hold operators, numbered as they are shown.
    void collectRegions() {
        for (size_t region = 0; region < flow_.regions.size(); ++region) {
            std::vector<ExprId> operators;
            for (ExprId id : flow_.regions[region].expressions)
                if (flow_.input->called_op(id).valid()) operators.push_back(id);
            if (operators.empty()) continue;
            std::sort(operators.begin(), operators.end(), [this](ExprId a, ExprId b) {
                return explainer_.names().number(a) < explainer_.names().number(b);
            });
            for (ExprId id : operators) region_of_[id.value] = int(result_.regions.size());
            flow_region_.push_back(int(region));
            result_.regions.push_back(std::move(operators));
        }
    }

    void add(Kind kind, std::vector<ExprId> operators, QString text) {
        if (result_.findings.size() < kMostFindings)
            result_.findings.push_back({kind, std::move(operators), std::move(text)});
    }

    QString name(ExprId id) const { return words(explainer_.names().name(id)); }
    QString names(const std::vector<ExprId>& ids) const {
        QStringList list;
        for (size_t i = 0; i < ids.size() && i < kMostNames; ++i) list << name(ids[i]);
        if (ids.size() > kMostNames) list << tr("%n more", nullptr, int(ids.size() - kMostNames));
        return list.join(QStringLiteral(", "));
    }
    QString backendOf(size_t region) const {
        return words(explainer_.backend_name(flow_.regions[size_t(flow_region_[region])].backend));
    }

    /// What became of one of the program's regions: found, torn apart, or not marked in part.
    void compareRegion(size_t region) {
        const std::vector<ExprId>& operators = result_.regions[region];
        std::set<int> marks;
        std::vector<ExprId> missed;
        for (ExprId id : operators) {
            if (mark_of_[id.value] < 0) missed.push_back(id);
            else marks.insert(mark_of_[id.value]);
        }
        if (marks.size() == 1 && missed.empty() && marked_[size_t(*marks.begin())].size() == operators.size()) {
            ++result_.right;
            return add(Kind::Right, operators,
                       tr("Region %1 is right: %2.").arg(*marks.begin() + 1).arg(names(operators)));
        }
        if (!missed.empty()) addMissed(region, missed, marks);
        if (marks.size() > 1) addTogether(region, marks);
    }

    void addMissed(size_t region, const std::vector<ExprId>& missed, const std::set<int>& marks) {
        const QString letter = region_letter(region);
        const QString backend = backendOf(region), why = tr("Taken by %1.").arg(backend);
        if (marks.empty()) {
            add(Kind::Missed, missed,
                missed.size() == 1
                    ? tr("Not marked: %1 is a region of its own (%2). %3").arg(names(missed), letter, why)
                    : tr("Not marked: %1 are a region (%2). %3").arg(names(missed), letter, why));
        } else {
            add(Kind::Missed, missed,
                tr("Missing in region %1: %2, also taken by %3 and joined to the rest by edges.")
                    .arg(*marks.begin() + 1)
                    .arg(names(missed), backend));
        }
    }

    void addTogether(size_t region, const std::set<int>& marks) {
        QStringList numbers;
        for (int mark : marks) numbers << QString::number(mark + 1);
        add(Kind::Together, result_.regions[region],
            tr("%1 belong together (%2), but stand in regions %3: all go to %4, edges join them, and no path leaves "
               "them and comes back.")
                .arg(names(result_.regions[region]), region_letter(region), numbers.join(QStringLiteral(", ")),
                     backendOf(region)));
    }

    /// What of a marked region is in no region or in several.
    void compareMarked(size_t mark) {
        std::map<int, std::vector<ExprId>> parts;
        for (ExprId id : marked_[mark])
            if (id.value < region_of_.size()) parts[region_of_[id.value]].push_back(id);
        for (auto part = parts.begin(); part != parts.end(); ++part) {
            if (part->first < 0) {
                addNotTaken(part->second);
                continue;
            }
            const auto next = std::next(part);
            if (next != parts.end()) addApart(mark, *part, *next);
        }
    }

    void addNotTaken(const std::vector<ExprId>& operators) {
        std::map<QString, std::vector<ExprId>> by_reason;
        for (ExprId id : operators) by_reason[refusals(id)].push_back(id);
        for (auto& [reason, ids] : by_reason)
            add(Kind::NotTaken, ids, tr("On default: %1. %2").arg(names(ids), reason));
    }

    QString refusals(ExprId call) {
        QStringList reasons;
        for (const CallCause& cause : explainer_.explain_call(call).causes) {
            if (cause.reason.empty()) continue;
            reasons << QStringLiteral("%1: %2.").arg(words(explainer_.backend_name(cause.backend)),
                                                     shown_name(say(cause.reason)));
        }
        reasons.removeDuplicates();
        return reasons.mid(0, 3).join(QLatin1Char(' '));
    }

    void addApart(size_t mark, const std::pair<const int, std::vector<ExprId>>& a,
                  const std::pair<const int, std::vector<ExprId>>& b) {
        std::vector<ExprId> both = a.second;
        both.insert(both.end(), b.second.begin(), b.second.end());
        add(Kind::Apart, std::move(both),
            tr("Region %1 is two: %2 (%3) and %4 (%5). %6")
                .arg(QString::number(mark + 1), names(a.second), region_letter(size_t(a.first)), names(b.second),
                     region_letter(size_t(b.first)), reasonApart(size_t(a.first), size_t(b.first))));
    }

    QString reasonApart(size_t a, size_t b) {
        using Pair = RegionPairExplanation::Kind;
        if (flow_.regions[size_t(flow_region_[a])].backend != flow_.regions[size_t(flow_region_[b])].backend)
            return tr("A region has one backend: these go to %1 and %2.").arg(backendOf(a), backendOf(b));
        RegionPairExplanation pair = explainer_.explain_regions(flow_region_[a], flow_region_[b]);
        if (pair.kind == Pair::NotNeighbours) pair = explainer_.explain_regions(flow_region_[b], flow_region_[a]);
        if (pair.kind == Pair::NotNeighbours) return tr("No edge joins them: regions grow along edges.");
        if (pair.kind != Pair::WouldCloseCycle || pair.path.empty())
            return shown_name(say(pair.reason)) + QLatin1Char('.');
        return tr("Together they would depend on themselves: %1.")
            .arg(shown_name(say(path_sentence(pair.path, pair.hops, explainer_.names()))));
    }

    const FlowResult& flow_;
    const MarkedRegions& marked_;
    FlowExplainer explainer_;
    PredictionResult result_;
    std::vector<int> flow_region_;          ///< by region of the result: the flow's
    std::vector<int> region_of_, mark_of_;  ///< by expression; -1: none
};

}  // namespace

QString region_letter(size_t index) {
    QString letters;
    for (size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26)
        letters.prepend(QChar(char16_t('A' + (rest - 1) % 26)));
    return letters;
}

Result<PredictionResult> compare_prediction(const ModulePtr& module, const FlowChoice& choice, bool annotated,
                                            const MarkedRegions& marked, const CancelToken& cancel) {
    FlowChoice whole = choice;
    whole.annotate = whole.merge = true;
    whole.lower = whole.simplify = false;  // the module is what the learner saw
    const FlowOptions options = flow_options(whole, annotated, cancel);
    Result<FlowResult> flow = run_flow(module, options);
    if (!flow) return flow.error();
    return PredictionComparer(std::make_shared<const FlowResult>(std::move(*flow)), options.backends, marked).compare();
}

}  // namespace partita
