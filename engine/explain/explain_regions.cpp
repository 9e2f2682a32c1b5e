// The part of FlowExplainer that explains why two neighbouring regions stay apart.
#include <algorithm>
#include <set>
#include <unordered_map>

#include "engine/explain/explain.h"
#include "engine/flow/describe.h"
#include "engine/flow/region_names.h"
#include "engine/ir/traversal.h"

namespace partita {

namespace {

std::string_view pair_name(RegionPairExplanation::Kind kind) {
    switch (kind) {
        case RegionPairExplanation::Kind::SameRegion: return "same_region";
        case RegionPairExplanation::Kind::DifferentBackend: return "different_backend";
        case RegionPairExplanation::Kind::WouldCloseCycle: return "would_close_cycle";
        case RegionPairExplanation::Kind::NotMerged: return "not_merged";
        case RegionPairExplanation::Kind::Limit: return "limit";
        case RegionPairExplanation::Kind::KeptApart: return "kept_apart";
        case RegionPairExplanation::Kind::TakenApart: return "taken_apart";
        case RegionPairExplanation::Kind::NotNeighbours: return "not_neighbours";
        case RegionPairExplanation::Kind::Unmerged: return "unmerged";
        case RegionPairExplanation::Kind::FromFile: return "from_file";
        case RegionPairExplanation::Kind::AcrossLet: return "across_let";
        case RegionPairExplanation::Kind::OtherScope: return "other_scope";
        case RegionPairExplanation::Kind::SplitAfter: return "split_after";
        case RegionPairExplanation::Kind::Partitioner: return "partitioner";
        case RegionPairExplanation::Kind::Earlier: return "earlier";
        case RegionPairExplanation::Kind::Unknown: return "unknown";
    }
    return "";
}

/// The ways of values into regions through variables of `let`, tuples and projections that lie in no region.
class LetWays {
public:
    LetWays(const Module& module, std::span<const int32_t> region_of) : module_(module), region_of_(region_of) {
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Let)
                bound_[module.operands(ExprId(i))[0]] = module.operands(ExprId(i))[1];
    }
    bool none() const { return bound_.empty(); }

    /// Returns the ways, each from an expression of a region to `user`; only those with a variable.
    std::vector<std::vector<ExprId>> into(ExprId user) const {
        constexpr size_t kMostSteps = 64;
        std::vector<Way> open;
        for (ExprId operand : module_.operands(user)) open.push_back({{user, operand}, {}, false});
        std::vector<std::vector<ExprId>> found;
        for (size_t steps = 0; !open.empty() && steps < kMostSteps; ++steps) {
            Way way = std::move(open.back());
            open.pop_back();
            if (region_of_[way.path.back().value] < 0) {
                step(std::move(way), open);
            } else if (way.crossed) {
                std::reverse(way.path.begin(), way.path.end());
                found.push_back(std::move(way.path));
            }
        }
        return found;
    }

private:
    struct Way {
        std::vector<ExprId> path;      ///< from the user back
        std::vector<uint32_t> fields;  ///< of tuples to come, the last one's first
        bool crossed;                  ///< it passes through a variable
    };

    void step(Way way, std::vector<Way>& open) const {
        const ExprId at = way.path.back();
        const auto go = [&](ExprId to, Way from) {
            from.path.push_back(to);
            open.push_back(std::move(from));
        };
        if (const auto value = bound_.find(at); value != bound_.end()) {
            way.crossed = true;
            go(value->second, std::move(way));
        } else if (module_.kind(at) == ExprKind::Projection) {
            way.fields.push_back(uint32_t(module_.projection_index(at)));
            go(module_.operands(at)[0], std::move(way));
        } else if (module_.kind(at) == ExprKind::Tuple) {
            if (way.fields.empty()) {
                for (ExprId field : module_.operands(at)) go(field, way);
                return;
            }
            const uint32_t field = way.fields.back();
            way.fields.pop_back();
            go(module_.operands(at)[field], std::move(way));
        }
    }

    const Module& module_;
    std::span<const int32_t> region_of_;
    std::unordered_map<ExprId, ExprId> bound_;  ///< by variable
};

}  // namespace

Sentence unexplained() {
    return {
        SENTENCE("Engine",
                 "no recorded decision explains this: it is a fault of the program; please report it with the file, "
                 "the backends and what explain --json prints"),
        {}};
}

RegionGraph& FlowExplainer::region_graph() {
    if (!region_graph_) region_graph_.emplace(module_, flow_.region_of, flow_.regions.size());
    return *region_graph_;
}

/// Also collects the merge pass's refusals that do not depend on paths, by their classes.
MergeClasses& FlowExplainer::merge_classes() {
    if (merge_classes_) return *merge_classes_;
    merge_classes_.emplace(MergeClasses::of_result(flow_));
    for (const Decision& decision : flow_.log.decisions()) {
        const bool says_why = !decision.detail.empty() || decision.kind == DecisionKind::WouldCloseCycle;
        if (decision.pass != PassKind::Merge || !says_why || !decision.subject.valid() || !decision.other.valid())
            continue;
        int32_t producer = merge_classes_->class_of(decision.other),
                consumer = merge_classes_->class_of(decision.subject);
        if (producer < 0 || consumer < 0) continue;
        const Decision*& known = refusals_[{producer, consumer}];  // the last one counts; a path may be gone by now
        if (!known || decision.path.empty() || !known->path.empty()) known = &decision;
    }
    return *merge_classes_;
}

std::vector<RegionPairExplanation> FlowExplainer::explain_neighbours() {
    std::vector<RegionPairExplanation> explanations;
    for (const RegionNeighbours& pair : region_graph().neighbours()) explanations.push_back(explain_pair(pair));
    explain_across_let(explanations, -1);
    return explanations;
}

std::vector<RegionPairExplanation> FlowExplainer::explain_neighbours_of(int region) {
    std::vector<RegionPairExplanation> explanations;
    for (const RegionNeighbours& pair : region_graph().neighbours())
        if (pair.producer == region || pair.consumer == region) explanations.push_back(explain_pair(pair));
    explain_across_let(explanations, region);
    return explanations;
}

RegionPairExplanation FlowExplainer::explain_regions(int producer, int consumer) {
    RegionPairExplanation explanation;
    explanation.producer = producer;
    explanation.consumer = consumer;
    if (producer == consumer) {
        explanation.kind = RegionPairExplanation::Kind::SameRegion;
        explanation.reason = {SENTENCE("Engine", "they are one region"), {}};
        return explanation;
    }
    if (const RegionNeighbours* pair = region_graph().find(producer, consumer)) return explain_pair(*pair);
    std::vector<RegionPairExplanation> by_let;
    explain_across_let(by_let, consumer);
    for (RegionPairExplanation& pair : by_let)
        if (pair.producer == producer && pair.consumer == consumer) return std::move(pair);
    explanation.reason = {SENTENCE("Engine", "the second uses no value of the first"), {}};
    return explanation;
}

RegionPairExplanation FlowExplainer::explain_pair(const RegionNeighbours& pair) {
    RegionPairExplanation explanation;
    explanation.producer = pair.producer;
    explanation.consumer = pair.consumer;
    explanation.edge = {pair.from, pair.to};
    if (flow_.regions[size_t(pair.producer)].backend_name != flow_.regions[size_t(pair.consumer)].backend_name)
        return different_backends(std::move(explanation));
    if (is_carried(pair.producer) || is_carried(pair.consumer)) {
        explanation.kind = RegionPairExplanation::Kind::FromFile;
        explanation.reason = {
            is_carried(pair.producer) && is_carried(pair.consumer)
                ? SENTENCE("Engine", "the file has made functions of both already, which stay as they are")
                : SENTENCE("Engine", "the file has made a function of one of them already, which stays as it is"),
            {}};
        return explanation;
    }
    if (flow_.partitioner != PartitionerChoice::kOwn) return put_apart(std::move(explanation));
    explanation.path = region_graph().path_around(pair.producer, pair.consumer);
    explanation.hops = region_graph().hops(explanation.path);
    if (!explanation.path.empty()) {
        explanation.kind = RegionPairExplanation::Kind::WouldCloseCycle;
        explanation.reason = {
            SENTENCE("Engine", "together they would depend on themselves: a path leads out and back in through %1"),
            {names_on(explanation.path, explanation.hops)}};
    } else if (!flow_.stage("merged")) {
        explanation.kind = RegionPairExplanation::Kind::NotMerged;
        explanation.reason = {SENTENCE("Engine", "merging has not run yet"), {}};
    } else {
        explain_refusal(explanation);
    }
    return explanation;
}

bool FlowExplainer::are_in_other_scopes(const std::vector<ExprId>& edge) {
    if (!scopes_) {
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : module_.functions()) roots.push_back(global.function);
        scopes_.emplace(module_, post_order(module_, roots));
    }
    return edge.size() == 2 && scopes_->place(edge[0]) != scopes_->place(edge[1]);
}

/// Repeats what the partitioner recorded of a use between the two.
RegionPairExplanation FlowExplainer::put_apart(RegionPairExplanation explanation) {
    using Kind = RegionPairExplanation::Kind;
    if (!put_apart_) {
        put_apart_.emplace();
        for (const Decision& decision : flow_.log.decisions())
            if (decision.kind == DecisionKind::PutApart)
                put_apart_->try_emplace(
                    {flow_.region_of[decision.other.value], flow_.region_of[decision.subject.value]}, &decision);
    }
    explanation.kind = Kind::Unknown;
    explanation.reason = {SENTENCE("Engine", "the partitioner %1 recorded no reason"), {flow_.partitioner}};
    if (const auto found = put_apart_->find({explanation.producer, explanation.consumer}); found != put_apart_->end()) {
        explanation.kind = Kind::Partitioner;
        explanation.edge = {found->second->other, found->second->subject};
        explanation.reason = found->second->detail;
    } else if (are_in_other_scopes(explanation.edge)) {
        explanation.kind = Kind::OtherScope;
        explanation.reason = {SENTENCE("Engine", "the regions are in different functions or branches"), {}};
    }
    return explanation;
}

/// Explains two regions whose merge no path of the module itself forbids. The merge pass, like TVM's, also treats
/// connected calls on default as regions, and refuses merges that would put such a region on a cycle.
void FlowExplainer::explain_refusal(RegionPairExplanation& explanation) {
    using Kind = RegionPairExplanation::Kind;
    MergeClasses& classes = merge_classes();
    const int32_t producer = classes.class_of(explanation.edge[0]), consumer = classes.class_of(explanation.edge[1]);
    auto found = refusals_.find({producer, consumer});
    const Decision* refusal = found == refusals_.end() ? nullptr : found->second;
    if (producer >= 0 && producer == consumer) {
        explanation.kind = Kind::SplitAfter;
        explanation.reason = {
            SENTENCE("Engine",
                     "they were merged, but the tuple at the end of the region was split into its values again"),
            {}};
        return;
    }
    if (refusal && refusal->kind == DecisionKind::DifferentBackend) {
        explanation.kind = Kind::KeptApart;
        explanation.reason = refusal->detail;
        return;
    }
    if (refusal && refusal->kind == DecisionKind::WouldCloseCycle && refusal->path.empty()) {
        explanation.kind = Kind::OtherScope;
        explanation.reason = refusal->detail;
        return;
    }
    if (producer >= 0 && consumer >= 0) explanation.path = classes.path_around(producer, consumer);
    explanation.hops = classes.hops(explanation.path);
    if (!explanation.path.empty()) {
        explanation.kind = Kind::Unmerged;
        explanation.reason = {SENTENCE("Engine",
                                       "they could be merged, but calls on default are taken together as regions too, "
                                       "and through those a path leads out and back in: %1"),
                              {names_on(explanation.path, explanation.hops)}};
    } else if (refusal && refusal->kind == DecisionKind::MergeLimit) {
        explanation.kind = Kind::Limit;
        explanation.reason = refusal->detail;
    } else {
        explain_taken_apart(explanation);
    }
}

/// TVM's algorithm put one of the two into a region that depended on itself. Such a region is split and merged again
/// with the others of its cycle; towards all others, the decision of the first round remains.
void FlowExplainer::explain_taken_apart(RegionPairExplanation& explanation) {
    explanation.kind = RegionPairExplanation::Kind::Unknown;
    explanation.reason = unexplained();
    if (flow_.log.first_merge_round().region_of.empty()) return explain_earlier(explanation);
    if (!first_round_) {
        first_round_.emplace(MergeClasses::of_first_round(flow_, true));
        first_round_alone_.emplace(MergeClasses::of_first_round(flow_, false));
    }
    const int32_t producer = first_round_->class_of(explanation.edge[0]);
    const int32_t consumer = first_round_->class_of(explanation.edge[1]);
    if (producer < 0 || consumer < 0) return;
    for (ExprId end : explanation.edge) {
        const int32_t region = first_round_alone_->class_of(end);
        explanation.cycle = first_round_alone_->path_around(region, region);
        if (!explanation.cycle.empty()) break;
    }
    explanation.path = first_round_->path_around(producer, consumer);
    if (explanation.cycle.empty() || explanation.path.empty()) {
        explanation.path.clear();
        explanation.cycle.clear();
        return explain_earlier(explanation);
    }
    explanation.kind = RegionPairExplanation::Kind::TakenApart;
    explanation.hops = first_round_->hops(explanation.path);
    explanation.cycle_hops = first_round_alone_->hops(explanation.cycle);
    explanation.reason = {
        SENTENCE("Engine",
                 "they could be merged, but at first %1 and %2 were in one region with one of them, which depended on "
                 "itself through %3 and was split; the earlier decision still holds: a path then led from %4 to %5, "
                 "which were in the regions of the two, through %6"),
        {names_.name(explanation.cycle.front()), names_.name(explanation.cycle.back()),
         names_on(explanation.cycle, explanation.cycle_hops), names_.name(explanation.path.front()),
         names_.name(explanation.path.back()), names_on(explanation.path, explanation.hops)}};
}

/// A path was there when the pass decided, and merges since have made it part of one of the two.
void FlowExplainer::explain_earlier(RegionPairExplanation& explanation) {
    const auto found =
        refusals_.find({merge_classes().class_of(explanation.edge[0]), merge_classes().class_of(explanation.edge[1])});
    if (found == refusals_.end() || found->second->kind != DecisionKind::WouldCloseCycle) return;
    explanation.kind = RegionPairExplanation::Kind::Earlier;
    explanation.path = found->second->path;
    explanation.hops = found->second->hops;
    explanation.reason = {
        SENTENCE("Engine",
                 "they could be merged now, but when this was decided, a path led out and back in through %1"),
        {path_sentence(explanation.path, explanation.hops, names_)}};
}

/// Returns the names between the ends.
Sentence FlowExplainer::names_on(std::span<const ExprId> path, std::span<const PathHop> hops) const {
    if (path.size() < 3) return {};
    return path_sentence(path.subspan(1, path.size() - 2), hops.subspan(1, hops.size() - 2), names_);
}

/// Returns whether the region was a function in the input.
bool FlowExplainer::is_carried(int region) const {
    const std::vector<ExprId>& expressions = flow_.regions[size_t(region)].expressions;
    return !flow_.carried.empty() && !expressions.empty() && flow_.carried[expressions.front().value];
}

/// Adds the pairs whose values pass through variables of `let`, of one region or (-1) of all. TVM's regions do not
/// extend across a variable, so that the merge pass decides nothing about them.
void FlowExplainer::explain_across_let(std::vector<RegionPairExplanation>& explanations, int region) {
    const LetWays ways(module_, flow_.region_of);
    if (ways.none()) return;
    std::set<std::pair<int, int>> known;
    for (const RegionPairExplanation& pair : explanations) known.emplace(pair.producer, pair.consumer);
    for (int consumer = 0; consumer < int(flow_.regions.size()); ++consumer)
        for (ExprId user : flow_.regions[size_t(consumer)].expressions) {
            if (flow_.region_of[user.value] != consumer) continue;  // a copy; it counts where it stands itself
            for (std::vector<ExprId>& path : ways.into(user)) {
                const int producer = flow_.region_of[path.front().value];
                const bool wanted = region < 0 || producer == region || consumer == region;
                if (producer == consumer || !wanted || !known.emplace(producer, consumer).second) continue;
                explanations.push_back(across_let(producer, consumer, std::move(path)));
            }
        }
}

RegionPairExplanation FlowExplainer::across_let(int producer, int consumer, std::vector<ExprId> path) const {
    RegionPairExplanation explanation;
    explanation.producer = producer;
    explanation.consumer = consumer;
    explanation.edge = {path.front(), path.back()};
    explanation.hops.assign(path.size() - 1, PathHop::Data);
    explanation.path = std::move(path);
    if (flow_.regions[size_t(producer)].backend_name != flow_.regions[size_t(consumer)].backend_name)
        return different_backends(std::move(explanation));
    explanation.kind = RegionPairExplanation::Kind::AcrossLet;
    explanation.reason = {
        SENTENCE("Engine", "the value passes through %1, and no region extends across a variable of let"),
        {names_on(explanation.path, explanation.hops)}};
    return explanation;
}

RegionPairExplanation FlowExplainer::different_backends(RegionPairExplanation explanation) const {
    explanation.kind = RegionPairExplanation::Kind::DifferentBackend;
    explanation.reason = {SENTENCE("Engine", "they go to different backends, %1 and %2"),
                          {flow_.regions[size_t(explanation.producer)].backend_name,
                           flow_.regions[size_t(explanation.consumer)].backend_name}};
    return explanation;
}

nlohmann::json FlowExplainer::to_json(const RegionPairExplanation& explanation) const {
    nlohmann::json json{{"kind", pair_name(explanation.kind)},
                        {"producer", flow_.regions[size_t(explanation.producer)].function},
                        {"consumer", flow_.regions[size_t(explanation.consumer)].function},
                        {"producer_short_name", name_of_region(explanation.producer)},
                        {"consumer_short_name", name_of_region(explanation.consumer)},
                        {"text", explanation.reason.text()}};
    for (ExprId id : explanation.edge) json["edge"].push_back(expression_json(id));
    for (ExprId id : explanation.path) json["path"].push_back(expression_json(id));
    for (PathHop hop : explanation.hops) json["hops"].push_back(hop == PathHop::Inside ? "inside" : "data");
    for (ExprId id : explanation.cycle) json["cycle"].push_back(expression_json(id));
    return json;
}

}  // namespace partita
