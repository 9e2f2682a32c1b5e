// A function without control flow as a flat list of steps over numbered values: the input of every backend compiler.
//
// Tuples are flattened, let bindings become values, and calls of composite function literals and of plain global
// functions are inlined. The remaining steps call ops and, on request, partitioned sub-functions. Building one is
// linear in the number of steps and iterative: depth costs memory, never stack.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ops/op.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// The number of a value within one FlatGraph.
using ValueId = uint32_t;

struct FlatValue {
    enum class Source : uint8_t {
        Input,     ///< index: position among the flattened parameters
        Constant,  ///< index: a ConstantId of the module
        Step,      ///< index: the step that computes it
        Folded,    ///< index into FlatGraph::folded
    };
    TypeId type;  ///< a tensor of known shape
    Source source;
    uint32_t index;
};

struct FlatStep {
    ExprId expr;            ///< the call
    OpId op;                ///< the called op; invalid for a sub-function
    ExprId function;        ///< the called sub-function; invalid for an op
    uint32_t group;         ///< index into FlatGraph::groups, or kNoGroup
    uint32_t region;        ///< index into FlatGraph::regions, or kNoGroup: its sub-function before inlining
    uint32_t inputs_begin;  ///< index into FlatGraph::operands
    uint32_t input_count;
    ValueId first_output;  ///< output numbers are consecutive
    uint32_t output_count;
};

/// A call of a composite function literal whose steps were inlined.
struct FlatGroup {
    std::string name;  ///< the attribute `Composite`
    ExprId call;
};

/// A call of a partitioned sub-function whose steps were inlined.
struct FlatRegion {
    ExprId function, call;
    std::vector<ValueId> outputs = {};  ///< its flattened result
};

struct FlatGraph {
    static constexpr uint32_t kNoGroup = UINT32_MAX;

    /// False if the function has control flow, references or functions as values; the rest is then empty.
    bool straight_line = true;
    std::vector<FlatValue> values;
    std::vector<FlatStep> steps;
    std::vector<ValueId> operands;
    std::vector<FlatGroup> groups;
    std::vector<FlatRegion> regions;
    std::vector<ValueId> inputs;    ///< values of the flattened parameters
    std::vector<ValueId> outputs;   ///< values of the flattened result, with repetitions
    std::vector<ValueId> observed;  ///< values that a plan returns as further outputs without computing them specially
    std::vector<Tensor> folded;     ///< computed by fold_known
    std::vector<std::string> input_names;  ///< names of the parameters; a tuple's fields are `name.0`, ...

    std::span<const ValueId> step_inputs(const FlatStep& step) const {
        return {operands.data() + step.inputs_begin, step.input_count};
    }
    /// Returns the number of uses of each value, as a step operand or graph output.
    std::vector<uint32_t> use_counts() const;
};

/// Returns whether a function is a sub-function for a backend: it has the attribute `Compiler`.
bool is_region_function(const Module& module, ExprId function);

/// Appends the tensor types that a type consists of, tuples flattened. Returns false if it has another part, such as a
/// function.
bool flatten_type(const TypeTable& types, TypeId type, std::vector<TypeId>& leaves);

/// Flattens a function. With `keep_regions`, calls of sub-functions stay steps; otherwise they are inlined. Fails if a
/// shape is unknown, a variable is unbound, or a call does not match its function.
Result<FlatGraph> flatten(const Module& module, ExprId function, bool keep_regions);
/// Flattens a function and keeps calls of those sub-functions for which `keeps` returns true.
Result<FlatGraph> flatten(const Module& module, ExprId function, std::function<bool(ExprId function)> keeps);

/// Computes the steps that depend on constants and known inputs only, and removes them. `known_inputs` has a view for
/// each input, without data if it is unknown. Steps without operands (zeros) stay: computing them is cheaper than
/// storing the result. Steps whose kernels fail stay, too. Returns the removed steps.
std::vector<ExprId> fold_known(const Module& module, FlatGraph& graph, std::span<const TensorView> known_inputs,
                               ThreadPool& threads, const CancelToken& cancel);

}  // namespace partita
