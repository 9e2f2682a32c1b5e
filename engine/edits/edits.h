// Edits: manual changes of a module. Each edit is a function from a module and a request to a new module, or to a fault
// that names an expression; the given module stays unchanged. The new module is typed and checked: no cycles, every
// name in scope.
//
// An edit costs one walk over the module and type inference: linear. `image` maps each expression to its successor, so
// that selections, assignments to backends and positions on the screen carry over.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ops/op.h"
#include "engine/support/sentence.h"

namespace partita {

struct EditedModule {
    ModulePtr module;           ///< typed; its expressions are their own origins
    std::vector<ExprId> image;  ///< by ExprId of the old module; invalid if removed
    std::vector<ExprId> made;   ///< what the edit created or changed, for the selection
};

struct EditFault {
    Diagnostic diagnostic;
    ExprId place;        ///< of the old module; invalid if no expression is at fault
    Sentence said = {};  ///< the diagnostic's message; empty if it comes from reading a text or a type
};

/// Either the new module, or the reason why there is none.
class [[nodiscard]] EditResult {
public:
    EditResult(EditedModule edited) : edited_(std::move(edited)) {}
    EditResult(EditFault fault) : fault_(std::move(fault)) {}
    explicit operator bool() const { return edited_.has_value(); }
    EditedModule& operator*() { return *edited_; }
    const EditedModule& operator*() const { return *edited_; }
    EditedModule* operator->() { return &*edited_; }
    const EditedModule* operator->() const { return &*edited_; }
    const EditFault& fault() const { return fault_; }

private:
    std::optional<EditedModule> edited_;
    EditFault fault_;
};

EditFault edit_fault(Sentence said, ExprId place = {});

// --- operators ---

/// One operand of a call to be made.
struct NewOperand {
    enum class Kind : uint8_t {
        Value,      ///< an expression of the module
        Parameter,  ///< a new parameter of the enclosing global function
        Constant,   ///< a new constant, filled with one value
        Tuple,      ///< a new tuple of expressions of the module
    };
    Kind kind = Kind::Value;
    ExprId value;
    TypeId type;                 ///< type of a parameter or constant
    std::string name;            ///< name of a parameter
    double fill = 0;             ///< value of a constant
    std::vector<ExprId> fields;  ///< fields of a tuple
};

struct NewCall {
    OpId op;
    AttributeList attributes;  ///< in schema order; empty: defaults
    std::vector<NewOperand> operands;
};

/// An edge, named by its user and operand. `index` counts operands as Module::operands does (the callee of a call is
/// 0). The body of a function is its last operand, so its output is an edge, too.
struct EditEdge {
    ExprId user;
    uint32_t index = 0;
};

/// Returns a call of `op` with `data` as first operand, one that type-checks if one can be found. Attributes come from
/// the defaults or, where there is none, from the op's example; the other operands are new parameters of fitting types.
/// Interns types, so it takes a table of the caller's own: a copy of the module's.
NewCall propose_call(TypeTable& types, const Module& module, OpId op, ExprId data);
/// Returns such a call with several given operands, in order.
NewCall propose_call(TypeTable& types, const Module& module, OpId op, std::span<const ExprId> data);

/// Returns the type of the call, or the rule that it breaks, according to its op.
Result<TypeId> type_of_call(TypeTable& types, const Module& module, const NewCall& call);

/// Inserts a call on an edge. `types`: the table of the call's types, which began as a copy of the module's.
EditResult insert_on_edge(const Module& module, EditEdge edge, const NewCall& call, const TypeTable& types);
/// Makes all users of `value` use the new call instead. The call reads its own operands.
EditResult insert_after(const Module& module, ExprId value, const NewCall& call, const TypeTable& types);
/// Adds the new call as an output of the function: its result becomes a tuple, or a longer tuple.
EditResult add_output(const Module& module, ExprId function, const NewCall& call, const TypeTable& types);

/// Removes calls, tuples, projections and unused parameters. Users of a removed call use its first operand of the same
/// type instead, else its first operand; users of a projection of a removed tuple use the field.
EditResult remove_expressions(const Module& module, std::span<const ExprId> expressions);
EditResult replace_operand(const Module& module, EditEdge edge, ExprId by);
/// Cuts the graph at an edge: a new parameter of the same type replaces the operand.
EditResult cut_edge(const Module& module, EditEdge edge, const std::string& name);
/// Sets one attribute of one or more calls whose ops have it. The value must fit the schema of the op.
EditResult set_attribute(const Module& module, std::span<const ExprId> calls, std::string_view name,
                         const AttributeValue& value);
/// Replaces the op of a call and keeps its operands; attributes of the same name and kind are kept.
EditResult change_op(const Module& module, ExprId call, OpId op);

// --- names, types, functions ---

/// Renames a var, or sets the label of an expression that has no name in the text.
EditResult rename_expression(const Module& module, ExprId expression, std::string_view name);
/// Returns the names of a function's results: those of an ONNX model, else "output", or "output_0", ...
std::vector<std::string> output_names(const Module& module, ExprId function);
/// Returns which result of a function an expression is, the first if it is several; nothing if it is none.
std::optional<size_t> output_of(const Module& module, ExprId function, ExprId expression);
/// Renames a result.
EditResult rename_output(const Module& module, ExprId function, size_t output, std::string_view name);
/// Renames a function and all its calls.
EditResult rename_function(const Module& module, std::string_view from, std::string_view to);
/// Sets the type of a parameter, given as in Relay text: `Tensor[(1, 3, 224, 224), float32]`.
EditResult set_parameter_type(const Module& module, ExprId parameter, std::string_view type);
/// Sets an attribute of a function; no value removes it.
EditResult set_function_attribute(const Module& module, ExprId function, std::string_view key,
                                  std::optional<AttributeValue> value);
/// Removes a global function that nothing calls.
EditResult remove_function(const Module& module, std::string_view name);

/// Extracts the selected calls, tuples and projections into the global function `name`, and calls it in their place.
/// Several results become a tuple. Fails if the selection is not convex: a path leaves it and comes back.
EditResult extract_function(const Module& module, std::span<const ExprId> selection, std::string_view name);
/// Replaces a call by the body of the called function. Removes a global function that nothing calls any more.
EditResult inline_call(const Module& module, ExprId call);

// --- text ---

/// Returns the selection as a function in Relay text: what it reads from outside becomes parameters.
Result<std::string> copy_as_text(const Module& module, std::span<const ExprId> selection);

enum class PasteAs : uint8_t {
    Output,     ///< the result becomes another output of the function
    Successor,  ///< users of the first argument use the result instead
};
/// Inlines the body of the text's @main (or only function) into `function`. `arguments` become its first parameters;
/// each remaining parameter becomes the function's parameter of that name and type, or else a new one. Other functions
/// of the text are added, renamed if their names exist.
EditResult paste_text(const Module& module, ExprId function, std::string_view text, std::span<const ExprId> arguments,
                      PasteAs as = PasteAs::Output);

/// Reads an attribute value as a person types it: `2`, `1, 1`, `[1, 1]`, `NCHW`, `"NCHW"`, `True`, `float32`, `None`.
Result<AttributeValue> read_attribute(const AttributeField& field, std::string_view text);
/// Returns a text that `read_attribute` reads back.
std::string write_attribute(const AttributeField& field, const AttributeValue& value);

// --- queries ---

/// Returns the global function that contains an expression; invalid if there is none. Linear.
ExprId function_of(const Module& module, ExprId expression);
/// Returns a name like `base`, `base_1`, ... that no global function has.
std::string free_function_name(const Module& module, std::string_view base);
/// Returns whether a name consists of letters, digits and `_`, in parts joined by `.` or `/`, and does not begin with a
/// digit.
bool is_valid_name(std::string_view name);

}  // namespace partita
