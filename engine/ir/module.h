// A module: global functions and their expressions.
//
// Expressions live in one table and are named by ids. An expression can only refer to expressions that were added
// before it, so ids are a topological order, and a graph of any depth is traversed and freed without recursion. Two
// expressions are the same node exactly if their ids are equal, like pointer identity in TVM's Relay.
//
// A module is built (by a frontend, an edit or a pass) and then shared as `std::shared_ptr<const Module>`; a change
// makes a new module. Nothing here locks: one thread builds a module, any thread may read a const one. An expression
// costs 28 bytes, and 4 for each operand.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/ir/attributes.h"
#include "engine/ir/tensor.h"
#include "engine/ir/type.h"
#include "engine/support/diagnostic.h"
#include "engine/support/id.h"
#include "engine/support/name_table.h"

namespace partita {

using ExprId = Id<struct ExprTag>;
using OpId = Id<struct OpTag>;  ///< an index into the op registry, engine/ops/registry.h
using AttributesId = Id<struct AttributesTag>;
using ConstantId = Id<struct ConstantTag>;
using FunctionInfoId = Id<struct FunctionInfoTag>;

enum class ExprKind : uint8_t {
    Var,         ///< a parameter or a let-bound name; payload: NameId (names may repeat: the id is the identity)
    Constant,    ///< payload: ConstantId
    GlobalVar,   ///< a function of the module by its name; payload: NameId. One expression per name
    Op,          ///< as the callee of a call; payload: OpId. One expression per op
    Call,        ///< operands: callee, arguments; payload: AttributesId or invalid
    Tuple,       ///< operands: fields
    Projection,  ///< field of a tuple; operands: the tuple; payload: the index
    Let,         ///< operands: var, value, body
    If,          ///< operands: condition, then, else
    Function,    ///< operands: parameters, body; payload: FunctionInfoId
    RefCreate,   ///< operands: value
    RefRead,     ///< operands: reference
    RefWrite,    ///< operands: reference, value
};

struct Expr {
    ExprKind kind;
    uint32_t payload;
    uint32_t operands_begin;
    uint32_t operand_count;
    TypeId type;  ///< of a Var before inference: its declared type; of others: invalid until inferred
};

/// What a function holds besides its parameters and body.
struct FunctionInfo {
    TypeId return_type;              ///< invalid if neither declared nor inferred
    AttributeDictionary attributes;  ///< `Compiler`, `Composite`, `Primitive`, `global_symbol`, ...

    const AttributeValue* attribute(std::string_view key) const;
    /// Returns the text of a string attribute, or "".
    std::string_view string_attribute(std::string_view key) const;
};

struct GlobalFunction {
    NameId name;
    ExprId function;
};

class Module {
public:
    /// Returns an empty module with the tables (types, names, attributes, constants) of another, so that ids
    /// are valid in both. A pass starts its result with it.
    static Module with_tables_of(const Module& other);

    TypeTable& types() { return types_; }
    const TypeTable& types() const { return types_; }
    NameTable& names() { return names_; }
    const NameTable& names() const { return names_; }

    AttributesId add_attributes(AttributeList list);
    const AttributeList& attributes(AttributesId id) const { return attributes_[id.value]; }

    // Adding expressions. Operands must have been added before (asserted).
    ExprId add_var(std::string_view name, TypeId declared = {});
    ExprId add_constant(Tensor value);
    ExprId add_constant(ConstantId value);  ///< adds another expression for a constant of the table
    ExprId add_global_var(std::string_view name) { return add_global_var(names_.intern(name)); }
    ExprId add_global_var(NameId name);
    ExprId add_op(OpId op);
    ExprId add_call(ExprId callee, std::span<const ExprId> arguments, AttributesId attributes = {}, TypeId type = {});
    ExprId add_call(ExprId callee, std::initializer_list<ExprId> arguments, AttributesId attributes = {},
                    TypeId type = {}) {
        return add_call(callee, std::span<const ExprId>(arguments.begin(), arguments.size()), attributes, type);
    }
    ExprId add_tuple(std::span<const ExprId> fields, TypeId type = {});
    ExprId add_projection(ExprId tuple, uint32_t index, TypeId type = {});
    ExprId add_let(ExprId var, ExprId value, ExprId body, TypeId type = {});
    ExprId add_if(ExprId condition, ExprId then_branch, ExprId else_branch, TypeId type = {});
    ExprId add_function(std::span<const ExprId> parameters, ExprId body, FunctionInfo info = {}, TypeId type = {});
    ExprId add_ref_create(ExprId value, TypeId type = {});
    ExprId add_ref_read(ExprId reference, TypeId type = {});
    ExprId add_ref_write(ExprId reference, ExprId value, TypeId type = {});
    /// Adds an expression of the same kind and payload as `like` (an id of `source`, a module that shares tables with
    /// this one) with other operands; keeps its type, position and origin. The basic step of a rewrite. A Var or
    /// Constant becomes a new node; a GlobalVar or Op the existing node of its name.
    ExprId add_like(const Module& source, ExprId like, std::span<const ExprId> operands);

    /// Adds or replaces a global function. `function` must be a Function.
    void set_function(std::string_view name, ExprId function) { set_function(names_.intern(name), function); }
    void set_function(NameId name, ExprId function);
    void remove_function(std::string_view name);

    size_t size() const { return exprs_.size(); }
    const Expr& operator[](ExprId id) const { return exprs_[id.value]; }
    ExprKind kind(ExprId id) const { return exprs_[id.value].kind; }
    std::span<const ExprId> operands(ExprId id) const {
        const Expr& expr = exprs_[id.value];
        return {operands_.data() + expr.operands_begin, expr.operand_count};
    }
    TypeId type(ExprId id) const { return exprs_[id.value].type; }
    void set_type(ExprId id, TypeId type) { exprs_[id.value].type = type; }

    // For a call.
    ExprId callee(ExprId call) const { return operands(call)[0]; }
    std::span<const ExprId> arguments(ExprId call) const { return operands(call).subspan(1); }
    AttributesId attributes_id(ExprId call) const { return AttributesId(exprs_[call.value].payload); }
    /// Returns the op that an expression calls; invalid if it is not a call of an op.
    OpId called_op(ExprId id) const {
        if (kind(id) != ExprKind::Call) return OpId();
        const Expr& target = exprs_[callee(id).value];
        return target.kind == ExprKind::Op ? OpId(target.payload) : OpId();
    }
    // For a function.
    std::span<const ExprId> parameters(ExprId function) const {
        return operands(function).first(operands(function).size() - 1);
    }
    ExprId body(ExprId function) const { return operands(function).back(); }
    const FunctionInfo& function_info(ExprId function) const { return function_infos_[exprs_[function.value].payload]; }
    FunctionInfo& function_info(ExprId function) { return function_infos_[exprs_[function.value].payload]; }
    // For a var or global var.
    NameId name_id(ExprId id) const { return NameId(exprs_[id.value].payload); }
    std::string_view name(ExprId id) const { return names_.text(name_id(id)); }
    // For a constant.
    ConstantId constant_id(ExprId id) const { return ConstantId(exprs_[id.value].payload); }
    // The reference stays valid while constants are added.
    const Tensor& constant(ExprId id) const { return constants_[exprs_[id.value].payload]; }
    const Tensor& constant_value(ConstantId id) const { return constants_[id.value]; }
    /// Returns all constants, by ConstantId.
    const std::deque<Tensor>& constants() const { return constants_; }
    // For a projection.
    uint32_t projection_index(ExprId id) const { return exprs_[id.value].payload; }

    /// Returns the functions in the order in which they were added.
    std::span<const GlobalFunction> functions() const { return functions_; }
    /// Returns the functions sorted by name in byte order, as Relay prints them.
    std::vector<GlobalFunction> functions_by_name() const;
    /// Returns the function of a name, or an invalid id.
    ExprId find_function(std::string_view name) const { return find_function(names_.find(name)); }
    ExprId find_function(NameId name) const;

    /// Returns whether type inference has run, so that every reachable expression has a type and `/* ty= */` is
    /// printed.
    bool typed() const { return typed_; }
    void set_typed(bool typed) { typed_ = typed; }

    /// Returns the expression's position in the text that was read; unknown (0) for generated expressions.
    SourcePosition position(ExprId id) const {
        return id.value < positions_.size() ? positions_[id.value] : SourcePosition();
    }
    void set_position(ExprId id, SourcePosition position);

    /// Returns the expression of the flow's first module that this one stands for: itself in that module; invalid for
    /// expressions that a pass invented (annotations, calls of sub-functions). Maps decisions, regions and times back
    /// to what the user sees.
    ExprId origin(ExprId id) const {
        if (!derived_) return id;
        return id.value < origins_.size() ? origins_[id.value] : ExprId();
    }
    void set_origin(ExprId id, ExprId origin);
    /// Returns true for a module that a pass made from another one.
    bool derived() const { return derived_; }
    /// Makes each expression its own origin; what that was before is its source. For the module that a flow starts
    /// from.
    void make_root();
    /// Returns what the expression stood for in the module that this one was made from before make_root; invalid if
    /// nothing or unknown.
    ExprId source(ExprId id) const { return id.value < sources_.size() ? sources_[id.value] : ExprId(); }

    /// Returns the expression's name for people, such as an ONNX node's name; "" if it has none.
    std::string_view label(ExprId id) const;
    void set_label(ExprId id, std::string label);

    /// Frees the values of constants that no function reaches; their ids stay valid but hold nothing.
    void drop_unreachable_constants();

    void reserve(size_t expressions, size_t operands);
    /// Reserves space for more functions, and for `names` names of `letters` letters in total.
    void reserve_functions(size_t functions, size_t names, size_t letters);
    /// Returns the bytes held by the tables, without the tensors' data.
    size_t memory_bytes() const;

private:
    ExprId add(ExprKind kind, uint32_t payload, std::span<const ExprId> operands, TypeId type);

    std::vector<Expr> exprs_;
    std::vector<ExprId> operands_;
    std::vector<SourcePosition> positions_;  ///< may be shorter than exprs_
    std::vector<ExprId> origins_;            ///< may be shorter than exprs_
    std::vector<ExprId> sources_;            ///< may be shorter than exprs_
    bool derived_ = false;
    bool typed_ = false;

    TypeTable types_;
    NameTable names_;
    std::vector<AttributeList> attributes_;
    std::unordered_multimap<uint64_t, AttributesId> attributes_by_hash_;
    std::deque<Tensor> constants_;  ///< adding one leaves references to others valid
    std::vector<FunctionInfo> function_infos_;
    std::vector<GlobalFunction> functions_;
    std::vector<Id<GlobalFunction>> function_by_name_;  ///< by NameId: index into functions_
    std::vector<ExprId> global_vars_;                   ///< by NameId
    std::vector<ExprId> op_exprs_;                      ///< by OpId
    std::unordered_map<ExprId, std::string> labels_;
};

using ModulePtr = std::shared_ptr<const Module>;

}  // namespace partita
