// Algorithms that divide a graph, as a table: what other programs decide and what a person may want to try. Each is one
// file here, with the source of its algorithm, and one line in partitioners.cpp.
//
// A partitioner is a pure function of a graph, verdicts and options. It may be called on any thread.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/division/division.h"
#include "engine/rules/backend_description.h"
#include "engine/support/cancel.h"
#include "engine/support/sentence.h"

namespace partita {

/// What each backend, in order of priority, says of each node.
struct Verdicts {
    struct OfBackend {
        std::string name;
        std::vector<bool> takes;  ///< by NodeId
    };
    std::vector<OfBackend> backends;
    /// By NodeId: the backend that a person gives it to, or "default"; "" where nobody did. Empty: nobody gave any. It
    /// is in `takes`, and for partitioners that match patterns themselves.
    std::vector<std::string> by_hand = {};
    std::vector<bool> dropped = {};  ///< by NodeId: nobody may have it, since its region exceeds limits; empty: none
    /// By NodeId: groups that a person keeps apart, for partitioners that merge regions themselves; empty: none.
    std::vector<int> groups = {};

    /// Returns the first backend that takes the node; -1 if none does.
    int first(NodeId node) const;
};

struct PartitionerOption {
    std::string_view name;
    std::string_view values;  ///< "yes|no", "FILE", "1|2|...|all"; the first of a list is the default
    std::string_view summary;
};

/// What is divided. All of it must outlive the call.
struct PartitionerInput {
    const Graph& graph;
    const NodeLinks& links;
    const Verdicts& verdicts;
    std::map<std::string, std::string, std::less<>> options;  ///< those given, checked against the partitioner's list
    CancelToken cancel;
    /// For a partitioner that matches patterns itself, because what one match takes decides what others find: the
    /// backends in order of priority, and the module of the nodes' expressions, on which checks are evaluated.
    std::span<const BackendDescription> backends = {};
    const Module* module = nullptr;

    /// Returns an option's value, or "".
    std::string_view option(std::string_view name) const;
};

struct Partitioner {
    std::string_view name;
    std::string_view title;   ///< one line
    std::string_view source;  ///< where the algorithm is from: program and version, paper, specification
    std::span<const PartitionerOption> options;
    bool asks_backends;  ///< false: the division is stated, no verdict is needed
    /// Fails for wrong options and "cancelled". Regions need no inputs and outputs: they are filled in where missing.
    Result<Division> (*run)(const PartitionerInput& input);
    /// It divides the nodes of the file, though the module may have others. Else the module's calls are nodes.
    bool divides_file = false;
    /// It matches the backends' patterns and rules, which are in the operators of calls: it divides those of another
    /// program's graph that is not its own.
    bool matches_calls = false;
};

/// Returns all, in display order.
std::span<const Partitioner> partitioners();
/// Returns null if there is none of that name.
const Partitioner* find_partitioner(std::string_view name);

/// Checks the options, runs the partitioner and completes the boundaries of its regions. Of a graph with scopes each is
/// divided by itself (scopes.h).
Result<Division> run_partitioner(const Partitioner& partitioner, const PartitionerInput& input);

/// Adds a note for each use of a node by one of the same backend in another region. `why(from, to)` returns the form
/// and the nodes that it names; an empty form for a border that it did not decide.
template <class Why>
void note_borders(const PartitionerInput& input, Division& division, Why why) {
    const std::vector<int32_t> region_of = regions_by_node(input.graph, division);
    for (uint32_t to = 0; to < region_of.size(); ++to) {
        if (region_of[to] < 0) continue;
        for (NodeId from : input.links.before(NodeId(to))) {
            const int32_t of_from = region_of[from.value];
            if (of_from < 0 || of_from == region_of[to] ||
                division.regions[size_t(of_from)].backend != division.regions[size_t(region_of[to])].backend)
                continue;
            DivisionNote note = why(from, NodeId(to));
            note.subject = NodeId(to);
            note.other = from;
            if (*note.form) division.notes.push_back(std::move(note));
        }
    }
}

// One function for each, in the file of its name.
Result<Division> divide_each(const PartitionerInput& input);
Result<Division> divide_into_components(const PartitionerInput& input);
/// The same beside regions that were made before, which are kept whole: `made` is -1 or the number of one for each
/// node. Returns the others.
Result<Division> divide_rest_into_components(const PartitionerInput& input, const std::vector<int32_t>& made);
Result<Division> divide_as_onnxruntime(const PartitionerInput& input);
Result<Division> divide_as_tflite(const PartitionerInput& input);
Result<Division> divide_as_litert_plugin(const PartitionerInput& input);
Result<Division> divide_as_litert_weak(const PartitionerInput& input);
Result<Division> divide_as_torch_fx(const PartitionerInput& input);
Result<Division> divide_as_executorch_groups(const PartitionerInput& input);
Result<Division> divide_as_xnnpack_configs(const PartitionerInput& input);
Result<Division> divide_as_torch_tensorrt(const PartitionerInput& input);
Result<Division> divide_as_relax(const PartitionerInput& input);
Result<Division> divide_as_given(const PartitionerInput& input);

}  // namespace partita
