// A function without control flow as a flat list of steps over numbered values: what every backend compiles from.
//
// Tuples are taken apart, let bindings become values, calls of composite function literals and of plain global
// functions are written out in place. What is left is calls of ops and, on request, calls of partitioned
// sub-functions. Making one is linear in the number of steps and iterative: depth costs memory, never stack.
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
        Step,      ///< index: the step that makes it
        Folded,    ///< index into FlatGraph::folded
    };
    TypeId type;  ///< a tensor of known shape
    Source source;
    uint32_t index;
};

struct FlatStep {
    ExprId expr;            ///< the call
    OpId op;                ///< what it calls; invalid where it calls a sub-function
    ExprId function;        ///< the sub-function, valid where `op` is not
    uint32_t group;         ///< index into FlatGraph::groups, or kNoGroup
    uint32_t region;        ///< index into FlatGraph::regions, or kNoGroup: the sub-function that it stood in
    uint32_t inputs_begin;  ///< into FlatGraph::operands
    uint32_t input_count;
    ValueId first_output;  ///< the outputs' numbers are consecutive
    uint32_t output_count;
};

/// A call of a composite function literal, whose steps were written out in place.
struct FlatGroup {
    std::string name;  ///< the attribute `Composite`
    ExprId call;
};

/// A call of a partitioned sub-function, whose steps were written out in place.
struct FlatRegion {
    ExprId function, call;
    std::vector<ValueId> outputs = {};  ///< its flattened result
};

struct FlatGraph {
    static constexpr uint32_t kNoGroup = UINT32_MAX;

    /// False: the function has control flow, references or functions as values, and the rest of this is empty.
    bool straight_line = true;
    std::vector<FlatValue> values;
    std::vector<FlatStep> steps;
    std::vector<ValueId> operands;
    std::vector<FlatGroup> groups;
    std::vector<FlatRegion> regions;
    std::vector<ValueId> inputs;    ///< the values of the flattened parameters
    std::vector<ValueId> outputs;   ///< the flattened result; a value may stand there twice
    std::vector<ValueId> observed;  ///< what a plan gives as further outputs, without being made otherwise for it
    std::vector<Tensor> folded;     ///< what fold_known computed
    std::vector<std::string> input_names;  ///< of the parameters; a tuple's fields are `name.0`, ...

    std::span<const ValueId> step_inputs(const FlatStep& step) const {
        return {operands.data() + step.inputs_begin, step.input_count};
    }
    /// How many step operands and graph outputs each value has.
    std::vector<uint32_t> use_counts() const;
};

/// Whether the callee is a sub-function that goes to a backend: has the attribute `Compiler`.
bool is_region_function(const Module& module, ExprId function);

/// Appends the tensor types of which a type consists, tuples flattened. False where it has another kind of part, such
/// as a function.
bool flatten_type(const TypeTable& types, TypeId type, std::vector<TypeId>& leaves);

/// Flattens a function. With `keep_regions`, calls of sub-functions stay steps; otherwise they are written out too.
/// Fails where a shape is not known, a variable is unbound, or a call doesn't fit its function.
Result<FlatGraph> flatten(const Module& module, ExprId function, bool keep_regions);
/// The same, where calls stay steps of those sub-functions for which `keeps` says so.
Result<FlatGraph> flatten(const Module& module, ExprId function, std::function<bool(ExprId function)> keeps);

/// Computes once what depends on constants and known inputs alone, and takes those steps out; `known_inputs` has a view
/// for each input, without data where the input is not known. What depends on constants and no operand (zeros) stays:
/// it is cheaper to make than to keep. Steps whose kernels refuse stay too. Returns the steps that were taken out.
std::vector<ExprId> fold_known(const Module& module, FlatGraph& graph, std::span<const TensorView> known_inputs,
                               ThreadPool& threads, const CancelToken& cancel);

}  // namespace partita
