// Builds typed Relay expressions call by call. Infers the type of each call at once and computes calls of constants at
// once, so that computed shapes are known during the import.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/frontends/onnx/integers.h"
#include "engine/ir/module.h"
#include "engine/ir/type_bounds.h"
#include "engine/ops/foreign.h"
#include "engine/ops/op.h"
#include "engine/support/diagnostic.h"
#include "engine/support/thread_pool.h"

namespace partita::onnx {

using AttributeInit = std::pair<std::string_view, AttributeValue>;

class Builder {
public:
    explicit Builder(Module& module);

    Module& module() { return module_; }
    const TypeTable& types() const { return module_.types(); }

    ExprId constant(Tensor value);
    ExprId constant(int64_t value, DataType dtype);
    ExprId real(double value, DataType dtype);
    ExprId integers(std::span<const int64_t> values, DataType dtype = kInt64);  ///< of rank 1

    /// Makes a call. Throws Fault if the op is unknown, its type relation refuses, or the types become too large.
    ExprId call(std::string_view op, std::span<const ExprId> arguments,
                std::initializer_list<AttributeInit> attributes = {});
    ExprId call(std::string_view op, std::initializer_list<ExprId> arguments,
                std::initializer_list<AttributeInit> attributes = {}) {
        return call(op, std::span<const ExprId>(arguments.begin(), arguments.size()), attributes);
    }
    ExprId foreign(const ForeignCall& call, std::span<const ExprId> arguments);
    ExprId tuple(std::span<const ExprId> fields);
    ExprId projection(ExprId tuple, uint32_t index);
    /// Of branches of one type.
    ExprId conditional(ExprId condition, ExprId then_value, ExprId else_value);

    /// Returns the element type. As the next ones, throws Fault if the expression is not a tensor.
    DataType dtype(ExprId expr) const;
    Integers shape(ExprId expr) const;
    int64_t rank(ExprId expr) const { return int64_t(shape(expr).size()); }
    /// Returns the shape. Throws Fault if a dimension is unknown.
    Integers static_shape(ExprId expr) const;
    /// Returns the value of an expression; null if it is unknown.
    const Tensor* value(ExprId expr) const;

    // Short forms used by many ONNX ops.
    ExprId cast(ExprId expr, DataType dtype);  ///< the expression itself if it has that type
    ExprId reshape(ExprId expr, std::span<const int64_t> shape);
    ExprId transpose(ExprId expr, std::span<const int64_t> axes);
    ExprId add(ExprId a, ExprId b) { return call("add", {a, b}); }
    ExprId subtract(ExprId a, ExprId b) { return call("subtract", {a, b}); }
    ExprId multiply(ExprId a, ExprId b) { return call("multiply", {a, b}); }
    ExprId divide(ExprId a, ExprId b) { return call("divide", {a, b}); }
    /// Returns the part [begin, end) of one axis.
    ExprId slice(ExprId expr, int64_t axis, int64_t begin, int64_t end);
    ExprId concatenate(std::span<const ExprId> parts, int64_t axis);

    /// Returns whether another constant of this size may be computed, and counts it if so. Keeps a small file from
    /// filling the memory.
    bool may_hold(DataType dtype, std::span<const int64_t> shape);

    /// Adds bytes read from files, which raises the limit for constants computed from them.
    void note_given(int64_t bytes);

    /// While it lives, a call that was made before in such a scope is not made again: masks and positions are the same
    /// in each layer. Elsewhere that holds for large results of constants only.
    class SharedCalls {
    public:
        explicit SharedCalls(Builder& builder) : builder_(builder) { ++builder_.sharing_; }
        ~SharedCalls() { --builder_.sharing_; }
        SharedCalls(const SharedCalls&) = delete;
        SharedCalls& operator=(const SharedCalls&) = delete;

    private:
        Builder& builder_;
    };

    /// While it lives, calls get this label (the ONNX name).
    class Label {
    public:
        Label(Builder& builder, std::string label) : builder_(builder), outer_(std::move(builder.label_)) {
            builder_.label_ = std::move(label);
        }
        ~Label() { builder_.label_ = std::move(outer_); }
        Label(const Label&) = delete;
        Label& operator=(const Label&) = delete;

    private:
        Builder& builder_;
        std::string outer_;
    };
    const std::string& label() const { return label_; }

private:
    /// A call, with the fields of tuples among its operands and an invalid id behind those of each argument.
    struct MadeCall {
        OpId op;
        AttributeList attributes;
        std::vector<ExprId> operands;
        ExprId result = {};
    };
    MadeCall description_of(OpId op, const AttributeList& attributes, std::span<const ExprId> arguments) const;
    uint64_t hash_of(const MadeCall& call) const;
    bool are_same(const MadeCall& a, const MadeCall& b) const;
    bool is_known(ExprId argument) const;
    bool is_shared(bool of_constants, TypeId type) const;
    ExprId make(OpId op, std::span<const ExprId> arguments, AttributeList attributes, TypeId type, bool of_constants);
    ExprId fold(ExprId call);
    ExprId deferred(ExprId call, const OpRecord& record);
    /// Counts bytes of constants; false where they are too many.
    bool may_count(int64_t bytes);
    TypeId bounded(TypeId type);

    Module& module_;
    TypeBounds bounds_;
    ThreadPool threads_;
    std::string label_;
    std::unordered_multimap<uint64_t, MadeCall> shared_;
    int sharing_ = 0;
    int64_t computed_bytes_ = 0, most_computed_;
    double work_ = 0;
};

/// Returns a list attribute of 32-bit integers, the type that Relay's Python frontend uses.
AttributeValue integer_attribute(std::span<const int64_t> values);

}  // namespace partita::onnx
