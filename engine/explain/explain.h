// Explains why a call goes where it goes, and why two neighbouring regions stay apart: from the module, the
// descriptions and the flow's result. The causes hold: a rule's cause names the terms that would have to change; a
// refused merge names an existing path.
//
// Building a FlowExplainer costs a walk over the module; explaining a call costs its rules and the patterns that it
// could be the root of, a pair a search over the expressions between the two regions (region_graph.h).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/explain/merge_classes.h"
#include "engine/explain/region_graph.h"
#include "engine/flow/flow.h"
#include "engine/flow/names.h"
#include "engine/passes/scopes.h"
#include "engine/rules/backend_description.h"
#include "engine/rules/dataflow_graph.h"
#include "engine/rules/module_facts.h"
#include "engine/rules/pattern_matcher.h"
#include "engine/support/json_stream.h"
#include "engine/support/sentence.h"

namespace partita {

/// Why one backend does or does not take a call.
struct CallCause {
    enum class Kind : uint8_t {
        Overridden,     ///< a person decided
        ByCost,         ///< a placement by measured cost decided
        Partitioner,    ///< the partitioner left it out of all regions, though a backend takes it
        Annotated,      ///< the file's own annotations decided, whatever the rules; `backend` is -1 if there is none
        Composite,      ///< it is part of a composite of the backend
        Accepted,       ///< its rule accepts the call
        RuleFailed,     ///< its rule refuses the call
        NoRule,         ///< it has no rule for the op
        PatternFailed,  ///< a pattern of the backend that could begin here does not match, or its match was refused
        Transparent,    ///< it goes where its neighbours go, or the other calls of the file's node
        SizeLimit,      ///< its region exceeds the backend's limits
        Reserved,       ///< the enclosing function is for another backend
        NotAsked,       ///< the backend, or its patterns, were not asked about the call; `rule` may name what took it
        Reported,       ///< another program decided, as its report says, or a division that was given
        Unknown,        ///< no recorded decision explains it
    };
    Kind kind = Kind::NoRule;
    int backend = -1;                               ///< index into the flow's list
    std::string rule;                               ///< "ops.nn.conv2d", or the pattern's name
    Sentence reason;                                ///< the deciding facts, with values
    std::vector<RuleTerm> terms;                    ///< RuleFailed, Accepted; for a match those of the pattern's check
    ExprId at = {};                                 ///< PatternFailed: the expression at which it failed
    std::string place = {};                         ///< for an annotator: the condition that decided, without values
    int line = 0;                                   ///< of the place, if that is in the backend's own file in Python
    PatternRefusal refusal = PatternRefusal::None;  ///< PatternFailed
    ConditionPlace condition = {};                  ///< of the place: what could be otherwise there
};
std::string_view cause_name(CallCause::Kind kind);

struct CallExplanation {
    ExprId call;
    int backend = -1;
    int region = -1;                ///< index into FlowResult::regions
    std::vector<CallCause> causes;  ///< backends in order; for each first its composite, rule, then patterns
};

/// Why a region is separate from the one that feeds it.
struct RegionPairExplanation {
    enum class Kind : uint8_t {
        SameRegion,
        DifferentBackend,
        WouldCloseCycle,  ///< `path` leads from the producer out and back into the consumer
        NotMerged,        ///< the flow did not merge
        Limit,            ///< together they would exceed the backend's limits
        KeptApart,        ///< a person decided
        TakenApart,  ///< refused for `path` while one of the two was in a region that was then split because of `cycle`
        NotNeighbours,
        Unmerged,     ///< as WouldCloseCycle, but `path` exists only while calls on default are regions too, as in TVM
        FromFile,     ///< the file has made a function of one of them, which stays as it is
        AcrossLet,    ///< the value passes through a variable of `let`: `path` leads through it
        OtherScope,   ///< they are in different functions or branches
        Partitioner,  ///< the partitioner put them apart
        Earlier,  ///< when it was decided, `path` (without the ends) led out and back in; merges since have changed it
        SplitAfter,  ///< the merge pass united them, but the tuple that ends the region was split again
        Unknown,     ///< no recorded decision explains it
    };
    Kind kind = Kind::NotNeighbours;
    int producer = -1, consumer = -1;  ///< indices into FlowResult::regions
    std::vector<ExprId> edge;          ///< an expression of the producer and one of the consumer that uses it
    std::vector<ExprId> path;          ///< from the producer's last expression to the consumer's first, both included
    std::vector<PathHop> hops;         ///< between path[i] and path[i + 1]
    /// TakenApart: from an expression of that region out and back into one, both included. Such a region is TVM's first
    /// result; `path` is between such regions, too.
    std::vector<ExprId> cycle;
    std::vector<PathHop> cycle_hops;
    Sentence reason;
};

/// A rule of an annotator that failed instead of deciding: it raised, never ended, or ended its process.
struct RuleFault {
    int backend = -1;
    std::string rule;    ///< "ops.add", or a pattern's name
    std::string reason;  ///< what it raised, or how it ended
    std::string place;   ///< "rules.py:7"; "": not known
    int line = 0;        ///< of the backend's own file in Python; 0: another's, or not known
    std::vector<ExprId> calls;
};

/// Where in a pattern a call of an operator could stand, and how far the pattern matches with it there.
struct PatternPlace {
    int backend = -1;
    std::string pattern, part;   ///< its name, and the text of the part that the call could be: "nn.conv2d(*, *)"
    size_t matched = 0, of = 0;  ///< calls of operators in the pattern, and how many of them were found
    bool whole = false;          ///< all that the pattern needs was found; it may lack what is optional
    ExprId at;                   ///< where it ends, or would go on
    Sentence reason;  ///< why it goes no further, or is no composite; empty for a composite with all that is optional

    size_t missing() const { return whole ? 0 : of - matched; }
};

/// Returns what is said where no recorded decision explains: no cause, and how to report it.
Sentence unexplained();

class FlowExplainer {
public:
    /// Both must outlive this. Expressions are those of flow.input.
    FlowExplainer(const FlowResult& flow, std::span<const BackendDescription> backends);
    /// Sets the token that stops annotators from now on: their calls then have no answer.
    void set_cancel(const CancelToken& cancel);

    /// The patterns to match again to explain why they did not match.
    enum class Patterns : uint8_t {
        None,
        OfRoot,      ///< those that could begin at a call that no rule took
        NearMisses,  ///< also at one that a rule took, and those without a root in the graph of which a part matches
    };
    CallExplanation explain_call(ExprId call, Patterns patterns = Patterns::NearMisses);
    /// Returns what a backend's rule for the call's op says about it, whether or not the call went there.
    CallCause explain_rule(int backend, ExprId call);
    /// Explains the outcome of a match that the composite pass found, with the terms of the pattern's check if it was
    /// evaluated. The reason of an accepted match is the check's text; empty if the pattern has none.
    CallCause explain_match(const Decision& match);
    /// Returns the lines that the Python file of a decision's backend reaches to decide it, with what is known at
    /// each; none if none was asked. A pattern's check gets the calls as they are in the input.
    std::vector<AnnotatorStep> walk(const Decision& decision);
    /// Returns the decisions of the log, by their numbers, that reach any of these lines of a backend's file.
    std::vector<uint32_t> decisions_reaching(int backend, std::span<const int> lines);
    /// Returns the rules that failed, with their calls. What they said while the flow was made is known to their
    /// annotators, which are asked again only about calls whose answers can't be kept.
    std::vector<RuleFault> rule_faults();
    /// Returns calls that a pattern could begin at but does not match: decisions that the composite pass does not log,
    /// with the expression at which the match ends as `other`, and the reason as `detail`. At most `most`; costs a
    /// match for each.
    std::vector<Decision> explain_near_misses(const std::string& pattern, size_t most);
    /// Returns, for each pattern that has a call of the operator anywhere, the place at which most of the pattern is
    /// found around the call; what needs the smallest change first. Costs a few matches for each pattern.
    std::vector<PatternPlace> pattern_places(ExprId call);
    /// If no call of the graph can be the root of a pattern: names the missing one, and what is most often found in its
    /// place. "" if there is one. Costs a match for each call that another part of the pattern matches.
    Sentence explain_absence(const CompositePattern& composite);
    RegionPairExplanation explain_regions(int producer, int consumer);
    /// Explains each pair of regions of which one uses a value of the other, by their numbers.
    std::vector<RegionPairExplanation> explain_neighbours();
    /// Explains the pairs of one region.
    std::vector<RegionPairExplanation> explain_neighbours_of(int region);

    const ExpressionNames& names() const { return names_; }
    /// Returns region_name(): that looks at all of a region.
    const std::string& name_of_region(int32_t region) const { return region_names_[size_t(region)]; }
    std::string backend_name(int backend) const;
    std::string to_text(const CallExplanation& explanation) const;
    nlohmann::json to_json(const CallExplanation& explanation) const;
    nlohmann::json to_json(const RegionPairExplanation& explanation) const;
    std::string to_text(const PatternPlace& place) const;
    nlohmann::json to_json(const PatternPlace& place) const;

private:
    class PlaceSearch;
    void explain_whole(const CompositePattern& composite, ExprId root, const PatternMatcher& matcher,
                       PatternPlace& place);
    struct Walked;
    struct Asked;
    /// What the file of a backend was asked for a decision; nothing where it was not asked.
    std::optional<Walked> asked_for(const Decision& decision);
    std::vector<Asked> all_asked(int backend);
    void note_composites();
    void note_decisions();
    std::span<const Decision* const> decisions_on(ExprId call) const;
    RegionGraph& region_graph();
    MergeClasses& merge_classes();
    RegionPairExplanation explain_pair(const RegionNeighbours& pair);
    RegionPairExplanation put_apart(RegionPairExplanation explanation);
    bool are_in_other_scopes(const std::vector<ExprId>& edge);
    void explain_refusal(RegionPairExplanation& explanation);
    void explain_taken_apart(RegionPairExplanation& explanation);
    void explain_earlier(RegionPairExplanation& explanation);
    void explain_across_let(std::vector<RegionPairExplanation>& explanations, int region);
    RegionPairExplanation across_let(int producer, int consumer, std::vector<ExprId> path) const;
    RegionPairExplanation different_backends(RegionPairExplanation explanation) const;
    Sentence names_on(std::span<const ExprId> path, std::span<const PathHop> hops) const;
    bool is_carried(int region) const;
    ExprId in_input(const Module& module, ExprId id) const;
    void explain_decisions(ExprId call, std::vector<CallCause>& causes) const;
    bool was_asked(int backend, ExprId call) const;
    const Decision* accepted_before(int backend, ExprId call) const;
    CallCause why_not_asked(int backend, ExprId call);
    CallCause explain_root(const CompositePattern& composite, ExprId root, size_t& matched);
    CallCause explain_any_root(const CompositePattern& composite, ExprId call, size_t& matched);
    CallCause why_no_composite(const CompositePattern& composite, ExprId root, const PatternMatcher& matcher) const;
    bool is_before(const std::string& pattern, const std::string& other) const;
    bool explain_backend(int index, Patterns patterns, CallExplanation& explanation);
    void explain_patterns(int backend, ExprId call, bool near_misses, std::vector<CallCause>& causes);
    Sentence no_rule(const BackendDescription& backend, ExprId call) const;
    CallCause explain_composite(int backend, ExprId call, const std::string& name);
    CallCause explain_mismatch(const CompositePattern& composite, ExprId call, size_t& matched);
    bool follows_neighbours(int backend, ExprId call) const;
    /// A call that a part of a pattern matches, but that has no user of the op that the pattern expects next.
    struct MissingUser {
        std::string wanted;  ///< the op
        ExprId after;
        ExprId found;        ///< what uses it; invalid: nothing does
        size_t matched = 0;  ///< nodes of the pattern
        Sentence reason(const ExpressionNames& names) const;
    };
    bool has_root(const Pattern& pattern);
    std::optional<MissingUser> find_missing_user(const CompositePattern& composite, ExprId after);
    std::optional<MissingUser> find_missing_user_around(const CompositePattern& composite, ExprId call);
    void name_in_input(const Module& module, std::vector<RuleTerm>& terms) const;
    DataflowGraph* dataflow_around(ExprId call);
    nlohmann::json expression_json(ExprId id) const;

    const FlowResult& flow_;
    std::span<const BackendDescription> backends_;
    const Module& module_;
    const Module& placed_;  ///< the module that rules were evaluated on: with composites, if there are any
    ExpressionNames names_;
    std::vector<std::string> region_names_;
    ModuleFacts facts_;
    ModuleFacts placed_facts_;
    std::vector<ExprId> placed_as_;  ///< by expression of the input: the call of placed_ for it
    struct CompositeUse {
        std::string name;
        ExprId call;  ///< the call in its place in the input; decisions on the composite name it
    };
    std::unordered_map<ExprId, CompositeUse> composite_of_;  ///< by expression of the input
    std::unordered_map<ExprId, std::vector<const Decision*>>
        decisions_;                            ///< the composite pass's decisions on single calls
    std::unordered_set<OpId> called_ops_;      ///< built when first needed
    std::optional<RegionGraph> region_graph_;  ///< built for the first pair
    PositionTable positions_;
    std::optional<DataflowGraph> dataflow_;  ///< of the last requested function, for patterns with a dominator
    int dataflow_function_ = -1;
    std::optional<MergeClasses> merge_classes_;  ///< built for the first pair that no path keeps apart
    std::optional<MergeClasses> first_round_, first_round_alone_;      ///< with default's regions, and without
    std::map<std::pair<int32_t, int32_t>, const Decision*> refusals_;  ///< by classes; built with merge_classes_
    /// By regions, producer first: what a partitioner recorded first; built when it is first asked.
    std::optional<std::map<std::pair<int32_t, int32_t>, const Decision*>> put_apart_;
    std::optional<ScopeTable> scopes_;  ///< built for the first pair of which a partitioner recorded nothing
};

/// Returns the text for all calls and then the neighbouring regions; or for the selected calls, with the near misses of
/// patterns.
std::string explain_text(const FlowResult& flow, std::span<const BackendDescription> backends,
                         std::span<const ExprId> chosen = {});
/// Writes the same as the members `calls` and `neighbours` of the open object in `json`.
void write_explanations(JsonStream& json, const FlowResult& flow, std::span<const BackendDescription> backends,
                        std::span<const ExprId> chosen = {});

}  // namespace partita
