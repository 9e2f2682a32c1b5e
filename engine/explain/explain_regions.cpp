// The part of FlowExplainer that explains why two neighbouring regions stay apart.
#include <algorithm>

#include "engine/explain/explain.h"

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
    }
    return "";
}

}  // namespace

RegionGraph& FlowExplainer::region_graph() {
    if (!region_graph_) region_graph_.emplace(module_, flow_.region_of, flow_.regions.size());
    return *region_graph_;
}

/// Also collects the merge pass's refusals that do not depend on paths, by their classes.
MergeClasses& FlowExplainer::merge_classes() {
    if (merge_classes_) return *merge_classes_;
    merge_classes_.emplace(MergeClasses::of_result(flow_));
    for (const Decision& decision : flow_.log.decisions()) {
        if (decision.pass != PassKind::Merge || decision.detail.empty() || !decision.subject.valid() ||
            !decision.other.valid())
            continue;
        int32_t producer = merge_classes_->class_of(decision.other),
                consumer = merge_classes_->class_of(decision.subject);
        if (producer >= 0 && consumer >= 0) refusals_[{producer, consumer}] = &decision;  // the last one counts
    }
    return *merge_classes_;
}

std::vector<RegionPairExplanation> FlowExplainer::explain_neighbours() {
    std::vector<RegionPairExplanation> explanations;
    for (const RegionNeighbours& pair : region_graph().neighbours()) explanations.push_back(explain_pair(pair));
    return explanations;
}

std::vector<RegionPairExplanation> FlowExplainer::explain_neighbours_of(int region) {
    std::vector<RegionPairExplanation> explanations;
    for (const RegionNeighbours& pair : region_graph().neighbours())
        if (pair.producer == region || pair.consumer == region) explanations.push_back(explain_pair(pair));
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
    explanation.reason = {SENTENCE("Engine", "the second uses no value of the first"), {}};
    return explanation;
}

RegionPairExplanation FlowExplainer::explain_pair(const RegionNeighbours& pair) {
    RegionPairExplanation explanation;
    explanation.producer = pair.producer;
    explanation.consumer = pair.consumer;
    explanation.edge = {pair.from, pair.to};
    const RegionInfo& producer = flow_.regions[size_t(pair.producer)];
    const RegionInfo& consumer = flow_.regions[size_t(pair.consumer)];
    if (producer.backend_name != consumer.backend_name) {
        explanation.kind = RegionPairExplanation::Kind::DifferentBackend;
        explanation.reason = {SENTENCE("Engine", "they go to different backends, %1 and %2"),
                              {producer.backend_name, consumer.backend_name}};
        return explanation;
    }
    explanation.path = region_graph().path_around(pair.producer, pair.consumer);
    if (!explanation.path.empty()) {
        explanation.kind = RegionPairExplanation::Kind::WouldCloseCycle;
        explanation.reason = {
            SENTENCE("Engine", "together they would depend on themselves: a path leads out and back in through %1"),
            {names_on(explanation.path)}};
    } else if (!flow_.merged) {
        explanation.kind = RegionPairExplanation::Kind::NotMerged;
        explanation.reason = {SENTENCE("Engine", "merging has not run yet"), {}};
    } else {
        explain_refusal(explanation);
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
    const bool kept_apart = refusal && refusal->kind == DecisionKind::DifferentBackend;
    if (!kept_apart && producer >= 0 && consumer >= 0) explanation.path = classes.path_around(producer, consumer);
    if (!explanation.path.empty()) {
        explanation.kind = Kind::Unmerged;
        explanation.reason = {SENTENCE("Engine",
                                       "they could be merged, but calls on default are taken together as regions too, "
                                       "and through those a path leads out and back in: %1"),
                              {names_on(explanation.path)}};
    } else if (refusal) {
        explanation.kind = kept_apart                                  ? Kind::KeptApart
                           : refusal->kind == DecisionKind::MergeLimit ? Kind::Limit
                                                                       : Kind::Unmerged;
        explanation.reason = refusal->detail;
    } else {
        explain_taken_apart(explanation);
    }
}

/// TVM's algorithm put one of the two into a region that depended on itself. Such a region is split and merged again
/// with the others of its cycle; towards all others, the decision of the first round remains.
void FlowExplainer::explain_taken_apart(RegionPairExplanation& explanation) {
    explanation.kind = RegionPairExplanation::Kind::TakenApart;
    explanation.reason = {SENTENCE("Engine", "they could be merged, but earlier merges ruled it out"), {}};
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
    if (explanation.cycle.empty() || explanation.path.empty()) return;
    explanation.reason = {
        SENTENCE("Engine",
                 "they could be merged, but at first %1 and %2 were in one region with one of them, which depended on "
                 "itself through %3 and was split; the earlier decision still holds: a path then led from %4 to %5, "
                 "which were in the regions of the two, through %6"),
        {names_.name(explanation.cycle.front()), names_.name(explanation.cycle.back()), names_on(explanation.cycle),
         names_.name(explanation.path.front()), names_.name(explanation.path.back()), names_on(explanation.path)}};
}

/// Returns the names between the ends.
std::string FlowExplainer::names_on(std::span<const ExprId> path) const {
    std::string text;
    for (size_t i = 1; i + 1 < path.size(); ++i) text += (i > 1 ? ", " : "") + names_.name(path[i]);
    return text;
}

nlohmann::json FlowExplainer::to_json(const RegionPairExplanation& explanation) const {
    nlohmann::json json{{"kind", pair_name(explanation.kind)},
                        {"producer", flow_.regions[size_t(explanation.producer)].function},
                        {"consumer", flow_.regions[size_t(explanation.consumer)].function},
                        {"text", explanation.reason.text()}};
    for (ExprId id : explanation.edge) json["edge"].push_back(expression_json(id));
    for (ExprId id : explanation.path) json["path"].push_back(expression_json(id));
    for (ExprId id : explanation.cycle) json["cycle"].push_back(expression_json(id));
    return json;
}

}  // namespace partita
