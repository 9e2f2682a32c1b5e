// Builds typed Relay expressions call by call: each call's type is inferred at once, and a call of constants is
// computed at once, so that computed shapes are known while the import goes on.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ir/type_bounds.h"
#include "engine/support/diagnostic.h"
#include "engine/support/thread_pool.h"

namespace partita::onnx {

/// Why a node can't be converted. Thrown inside this folder only; the importer makes it an opaque node or a diagnostic.
struct Fault {
    std::string message;
    std::string needed_constant;  ///< the value that would have to be known, where that is the reason
};

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

    /// Throws Fault where the op is unknown, its type relation refuses, or the types become too large.
    ExprId call(std::string_view op, std::span<const ExprId> arguments,
                std::initializer_list<AttributeInit> attributes = {});
    ExprId call(std::string_view op, std::initializer_list<ExprId> arguments,
                std::initializer_list<AttributeInit> attributes = {}) {
        return call(op, std::span<const ExprId>(arguments.begin(), arguments.size()), attributes);
    }
    ExprId tuple(std::span<const ExprId> fields);
    ExprId projection(ExprId tuple, uint32_t index);

    /// Throw Fault where the expression is no tensor.
    DataType dtype(ExprId expr) const;
    std::vector<int64_t> shape(ExprId expr) const;
    int64_t rank(ExprId expr) const { return int64_t(shape(expr).size()); }
    /// Like `shape`, but throws where a dimension is unknown.
    std::vector<int64_t> static_shape(ExprId expr) const;
    /// Null where the value is not known.
    const Tensor* value(ExprId expr) const;

    // Short forms that ONNX ops are made of.
    ExprId cast(ExprId expr, DataType dtype);  ///< nothing where it has that type already
    ExprId reshape(ExprId expr, std::span<const int64_t> shape);
    ExprId transpose(ExprId expr, std::span<const int64_t> axes);
    ExprId add(ExprId a, ExprId b) { return call("add", {a, b}); }
    ExprId subtract(ExprId a, ExprId b) { return call("subtract", {a, b}); }
    ExprId multiply(ExprId a, ExprId b) { return call("multiply", {a, b}); }
    ExprId divide(ExprId a, ExprId b) { return call("divide", {a, b}); }
    /// A part: [begin, end) of one axis.
    ExprId slice(ExprId expr, int64_t axis, int64_t begin, int64_t end);
    ExprId concatenate(std::span<const ExprId> parts, int64_t axis);

    /// Whether another constant of so many bytes may be computed; it counts then. A small file must not fill the
    /// memory.
    bool may_hold(DataType dtype, std::span<const int64_t> shape);

    /// So much more came from files: constants that are computed of it may be larger together.
    void note_given(int64_t bytes);

    /// The ONNX name that calls made from now on carry.
    void set_label(std::string label) { label_ = std::move(label); }

private:
    ExprId fold(ExprId call);
    TypeId bounded(TypeId type);

    Module& module_;
    TypeBounds bounds_;
    ThreadPool threads_;
    std::string label_;
    int64_t computed_bytes_ = 0, most_computed_;
    double work_ = 0;
};

/// A list attribute of 32-bit integers, as Relay's Python frontend makes them.
AttributeValue integer_attribute(std::span<const int64_t> values);

}  // namespace partita::onnx
