// Replaces calls of some operators by others, each by a function of a table: what passes such as SimplifyInference have
// in common.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "engine/ir/decision_log.h"
#include "engine/passes/op_builder.h"

namespace partita {

/// The input of a rewrite: the new module's arguments of the call, and the old call's attributes and type.
struct Rewrite {
    OpBuilder& builder;
    std::vector<ExprId> arguments;
    AttributesView attributes;
    const TypeTable& types;
    TypeId data_type;  ///< of the first argument
    TypeId type;       ///< of the call
    /// What rewrites in the same function made for others, under a key that they choose. Empty where functions are
    /// nested.
    std::map<std::vector<int64_t>, ExprId>& shared;

    DataType dtype() const { return types.dtype(data_type); }
    std::vector<int64_t> shape() const {
        std::span<const int64_t> shape = types.shape(data_type);
        return {shape.begin(), shape.end()};
    }
    size_t rank() const { return types.shape(data_type).size(); }
    /// The attribute `axis`, counted from the front.
    int64_t axis() const {
        const int64_t axis = attributes.integer("axis");
        return axis < 0 ? axis + int64_t(rank()) : axis;
    }
    /// Makes a vector along the axis broadcastable by appending axes of 1.
    ExprId along_axis(ExprId vector) {
        const auto behind = int(int64_t(rank()) - axis() - 1);
        if (behind <= 0) return vector;
        return builder.call("expand_dims", {vector}, {{"axis", 1}, {"num_newaxis", behind}});
    }
    /// TVM keeps epsilon as a single-precision number whatever the data's type.
    ExprId epsilon(const char* name = "epsilon") {
        return builder.scalar(dtype(), double(float(attributes.real(name))));
    }
};

struct CallRewrite {
    const char* op;
    bool first_of_tuple;  ///< the op gives a tuple, whose field 0 is rewritten
    /// Returns an invalid id if the call stays; then it has made nothing.
    ExprId (*rewrite)(Rewrite&);
    const char* message;  ///< the form of a Sentence
};

/// A list of 32-bit integers, as attributes have it.
AttributeValue::List integer_list_of(const std::vector<int64_t>& values);

enum class RewriteReach : uint8_t {
    OutsideRegions,  ///< functions of backends stay as they are
    Everywhere,
};

/// Returns the module with the calls of the table's operators rewritten. Linear. The result is typed if the module is.
Result<Module> rewrite_calls(const Module& module, std::span<const CallRewrite> table, DecisionLog* log,
                             RewriteReach reach = RewriteReach::OutsideRegions);

}  // namespace partita
