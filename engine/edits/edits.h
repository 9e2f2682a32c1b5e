// Edits: what a person changes in a module by hand. Each is a function  module x wish -> new module, or a fault that
// names the place; the module that was given stays as it is. The new module is typed and checked: no cycles, every name
// visible where it is used.
//
// An edit costs one walk over the module and type inference: linear. `image` says what became of each expression, so
// that selections, assignments to backends and places on the screen go along.
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
    std::vector<ExprId> image;  ///< by ExprId of the module before; invalid where it is gone
    std::vector<ExprId> made;   ///< what the edit made or changed, for the selection
};

struct EditFault {
    Diagnostic diagnostic;
    ExprId place;        ///< of the module before; invalid where no expression is at fault
    Sentence said = {};  ///< the diagnostic's message; empty where a text's or a type's fault is passed on
};

/// Either the new module, or why there is none.
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

/// One operand of a call that is to be made.
struct NewOperand {
    enum class Kind : uint8_t {
        Value,      ///< an expression of the module
        Parameter,  ///< a new parameter of the global function in which the call stands
        Constant,   ///< a new constant, filled with one value
        Tuple,      ///< a new tuple of expressions of the module
    };
    Kind kind = Kind::Value;
    ExprId value;
    TypeId type;                 ///< of the module; of a parameter or constant
    std::string name;            ///< of a parameter
    double fill = 0;             ///< of a constant
    std::vector<ExprId> fields;  ///< of a tuple
};

struct NewCall {
    OpId op;
    AttributeList attributes;  ///< in schema order; empty: the defaults
    std::vector<NewOperand> operands;
};

/// An operand's place: `index` counts the user's operands as Module::operands does (a call's callee is 0). The body of
/// a function is its last operand: so the output, too, is an edge.
struct EditEdge {
    ExprId user;
    uint32_t index = 0;
};

/// A call of `op` with the first operand `data` that type-checks where one can be found: attributes from the defaults
/// and, where some have none, from the op's example; the other operands as new parameters of fitting types. Interns
/// types, so it works on a table of the caller's: a copy of the module's.
NewCall propose_call(TypeTable& types, const Module& module, OpId op, ExprId data);
/// The same with several operands that are there already, in order.
NewCall propose_call(TypeTable& types, const Module& module, OpId op, std::span<const ExprId> data);

/// What the call would give, as far as its op says: its type, or the rule that is broken.
Result<TypeId> type_of_call(TypeTable& types, const Module& module, const NewCall& call);

/// `types`: the table that the call's types are of; one that began as a copy of the module's.
EditResult insert_on_edge(const Module& module, EditEdge edge, const NewCall& call, const TypeTable& types);
/// All users of `value` use the new call instead. The new call reads what its operands say.
EditResult insert_after(const Module& module, ExprId value, const NewCall& call, const TypeTable& types);
/// The new call becomes one more output of the function: its result becomes a tuple, or a longer tuple.
EditResult add_output(const Module& module, ExprId function, const NewCall& call, const TypeTable& types);

/// Takes calls, tuples, projections and unused parameters out. Users of a call get its first operand of the same type
/// instead, else its first operand; users of a projection out of a removed tuple get the field.
EditResult remove_expressions(const Module& module, std::span<const ExprId> expressions);
EditResult replace_operand(const Module& module, EditEdge edge, ExprId by);
/// The operand becomes a new parameter of the same type: cuts the graph there.
EditResult cut_edge(const Module& module, EditEdge edge, const std::string& name);
/// One attribute of one or more calls of ops that have it. The value must fit the op's schema.
EditResult set_attribute(const Module& module, std::span<const ExprId> calls, std::string_view name,
                         const AttributeValue& value);
/// Calls another op with the same operands; attributes of the same name and kind are kept.
EditResult change_op(const Module& module, ExprId call, OpId op);

// --- names, types, functions ---

/// A var, or the label of anything else that has no name in the text.
EditResult rename_expression(const Module& module, ExprId expression, std::string_view name);
/// And all that call it.
EditResult rename_function(const Module& module, std::string_view from, std::string_view to);
/// `type` as in Relay text: `Tensor[(1, 3, 224, 224), float32]`.
EditResult set_parameter_type(const Module& module, ExprId parameter, std::string_view type);
/// No value takes the attribute away.
EditResult set_function_attribute(const Module& module, ExprId function, std::string_view key,
                                  std::optional<AttributeValue> value);
/// Takes a global function away that nothing calls.
EditResult remove_function(const Module& module, std::string_view name);

/// The selected calls, tuples and projections become the global function `name`, called in their place. Several results
/// become a tuple. Refused where a path leaves the selection and comes back.
EditResult extract_function(const Module& module, std::span<const ExprId> selection, std::string_view name);
/// Puts the body of the function that is called in the call's place. A global function that nothing calls any more
/// goes.
EditResult inline_call(const Module& module, ExprId call);

// --- text ---

/// The selection as a function in Relay text: what it reads from outside becomes parameters.
Result<std::string> copy_as_text(const Module& module, std::span<const ExprId> selection);

enum class PasteAs : uint8_t {
    Output,     ///< the result becomes one more output of the function
    Successor,  ///< the users of the first argument use the result instead
};
/// Puts the body of the text's @main (or only function) into `function`. `arguments` become its first parameters;
/// a parameter that is left takes the function's own parameter of that name and type, else becomes a new one. Other
/// functions of the text come along, under new names where theirs are taken.
EditResult paste_text(const Module& module, ExprId function, std::string_view text, std::span<const ExprId> arguments,
                      PasteAs as = PasteAs::Output);

/// Reads an attribute's value as a person types it: `2`, `1, 1`, `[1, 1]`, `NCHW`, `"NCHW"`, `True`, `float32`, `None`.
Result<AttributeValue> read_attribute(const AttributeField& field, std::string_view text);
/// The text that `read_attribute` reads again.
std::string write_attribute(const AttributeField& field, const AttributeValue& value);

// --- questions ---

/// The global function whose body an expression stands in, or invalid. Linear.
ExprId function_of(const Module& module, ExprId expression);
/// A name like `base`, `base_1`, ... that no global function has.
std::string free_function_name(const Module& module, std::string_view base);
/// Letters, digits, `_`, not beginning with a digit; parts joined by `.` or `/`.
bool is_valid_name(std::string_view name);

}  // namespace partita
