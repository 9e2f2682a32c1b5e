// A record for each operator: attribute schema, type relation, kernel and C emitter.
//
// Records are grouped in families, one file for each (elementwise.cpp, nn_convolution.cpp, ...); a family is a function
// that returns its records, and engine/ops/registry.cpp lists the families. Adding an op touches one file. Parser,
// printer, inspector, palette, rules and importers read an op from its record.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/diagnostic.h"
#include "engine/support/thread_pool.h"

namespace partita {

/// The declared kind of an attribute: decides which text is accepted and how a value is printed.
enum class AttributeKind : uint8_t {
    Int,          ///< prints bare: `3`
    Bool,         ///< `True`, `False`
    Double,       ///< `0.1f`
    String,       ///< `"NCHW"`
    DType,        ///< `"int8"`; void prints as `""`
    IntegerList,  ///< `[1, 1]`; each element prints with its own width: `[2i64, 3i64]`
    Object,       ///< anything Relay allows there: an Integer (`2`, `2i64`), a list, a string, None
};

struct AttributeField {
    std::string name;
    AttributeKind kind = AttributeKind::Int;
    AttributeValue default_value;
    bool required = false;  ///< has no default: must be in the text and is always printed
    std::string summary;    ///< one line for the inspector and rule completion; may be empty
};

struct OpRecord;

/// A call's attributes by name. Values are checked against the schema when a module is built, so the accessors assert.
class AttributesView {
public:
    AttributesView(const OpRecord& op, const AttributeList& values) : op_(&op), values_(&values) {}

    /// Returns null if there is no such attribute. A foreign operator's own come before those of its schema.
    const AttributeValue* find(std::string_view name) const;
    const AttributeValue& operator[](std::string_view name) const;
    int64_t integer(std::string_view name) const;
    bool boolean(std::string_view name) const;
    double real(std::string_view name) const;
    const std::string& string(std::string_view name) const;
    DataType dtype(std::string_view name) const;
    /// Returns a list, or a single integer as a list of one. Empty for None.
    std::vector<int64_t> integers(std::string_view name) const;
    bool is_none(std::string_view name) const { return (*this)[name].is_none(); }
    const OpRecord& op() const { return *op_; }
    const AttributeList& values() const { return *values_; }

private:
    const OpRecord* op_;
    const AttributeList* values_;
};

/// The input of a type relation: the types of the arguments and the attributes.
struct TypeQuery {
    TypeTable& types;
    std::span<const TypeId> arguments;
    AttributesView attributes;
};
/// Returns the result's type, or the violated rule, as a phrase without the expression and its operands' types (type
/// inference adds those): "the operands' shapes (2, 3) and (4) can't be broadcast".
using TypeRelation = Result<TypeId> (*)(const TypeQuery& query);

/// A dense row-major tensor in memory that it does not own.
struct TensorView {
    void* data = nullptr;
    DataType dtype;
    std::span<const int64_t> shape;

    template <class T>
    T* as() const {
        return static_cast<T*>(data);
    }
    int64_t size() const {
        int64_t count = 1;
        for (int64_t dim : shape) count *= dim;
        return count;
    }
    size_t byte_size() const { return size_t(size()) * dtype.bytes(); }
};

/// A call to compute. Tuple arguments and results are flattened in `inputs` and `outputs`. The relation has checked the
/// types. Outputs do not overlap inputs.
struct KernelCall {
    std::span<const TensorView> inputs;
    std::span<const TensorView> outputs;
    AttributesView attributes;
    ThreadPool& threads;
};
/// Fails only if the kernel does not support the types ("nn.conv2d of bfloat16 is not supported on default").
using Kernel = Status (*)(const KernelCall& call);

/// One element of an elementwise op in C: the result as an expression of the operands' C expressions.
struct CElement {
    std::span<const std::string> operands;
    DataType operand_dtype;  ///< of the first operand
    DataType result_dtype;
    AttributesView attributes;
};
using CElementEmitter = std::string (*)(const CElement& element);

/// A tensor in generated C: a pointer's name and what it points to.
struct CTensor {
    std::string name;
    DataType dtype;
    std::span<const int64_t> shape;
};
/// Loops for an op that is not elementwise: appends statements that fill `outputs` from `inputs`. Names are valid C
/// identifiers; statements may open a block and use any names of their own inside it.
struct CLoops {
    std::span<const CTensor> inputs;
    std::span<const CTensor> outputs;
    AttributesView attributes;
    std::string& code;
    int indent = 1;
};
using CLoopsEmitter = Status (*)(const CLoops& loops);

/// Returns the floating-point (or integer) operations of one call, counting a multiply-add as two.
using FlopCount = double (*)(const TypeTable& types, std::span<const TypeId> arguments, TypeId result,
                             const AttributesView& attributes);

/// The relation of an op's result to its operands, as TVM's TOpPattern.
enum class OpPattern : uint8_t {
    Elementwise,  ///< one to one
    Broadcast,    ///< one to one after broadcasting
    Injective,    ///< each result element is one operand element
    Reduction,    ///< many to one
    Complex,      ///< such as convolution: elementwise ops can follow in the same loop
    Opaque,       ///< nothing known
};

struct OpRecord {
    std::string name;
    std::string summary;              ///< one sentence for help and the palette
    std::vector<std::string> inputs;  ///< the arguments' names; their number is the arity
    bool variadic = false;            ///< the last input may be repeated, or missing if it is not the only one
    OpPattern pattern = OpPattern::Opaque;
    std::vector<AttributeField> attributes;
    /// Printed as `meta[KEY][i]` instead of as attributes: TVM declares no attributes type for these ops.
    std::string metadata_key;
    TypeRelation relation = nullptr;
    Kernel kernel = nullptr;
    CElementEmitter c_element = nullptr;  ///< at most one of the two emitters is set
    CLoopsEmitter c_loops = nullptr;
    FlopCount flops = nullptr;  ///< null: one for each element of the result
    /// A call of the op inside a small function, in Relay text, for the tests of every op: `fn (%x: Tensor[(2, 3),
    /// float32]) { nn.relu(%x) }`.
    std::string example;
    /// An operator of another program that the engine knows by its name alone: see engine/ops/foreign.h.
    bool foreign = false;
    /// The result has the bytes of the first operand and only another type (reshape): the runtime need not copy.
    bool same_bytes = false;

    /// Returns -1 if there is no such attribute.
    int attribute_index(std::string_view attribute) const;
    /// Returns default values in schema order; required fields are None.
    AttributeList default_attributes() const;
};

}  // namespace partita
