// A draft of a new module: the expressions of one module, some with other operands, and new ones. Edits record changes;
// `finish` builds the new module in one walk, infers its types and checks it.
//
// Memory is proportional to the changes; `finish` is linear in the module. Internal to this folder.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/edits/edits.h"

namespace partita {

class Draft {
public:
    explicit Draft(const Module& before);

    const Module& before() const { return before_; }
    /// Returns the new module, whose tables intern types, attributes and constants.
    Module& tables() { return after_; }
    bool is_new(ExprId id) const { return id.value >= before_.size(); }
    ExprKind kind(ExprId id) const { return is_new(id) ? added_[id.value - before_.size()].kind : before_.kind(id); }
    /// Returns the operands after all changes except `replace_uses`.
    std::span<const ExprId> operands(ExprId id) const;
    const FunctionInfo& function_info(ExprId id) const;

    // Changes. Ids are those of the old module, or of added expressions.
    void set_operands(ExprId id, std::vector<ExprId> operands) { operands_[id.value] = std::move(operands); }
    void set_operand(ExprId id, uint32_t index, ExprId by);
    /// Makes all users that are neither new nor changed by `set_operand` use `by`. Follows chains of replacements.
    void replace_uses(ExprId of, ExprId by) { instead_[of.value] = by; }
    /// Returns the expression that users of `id` will use.
    ExprId value_used_for(ExprId id) const { return resolve(id); }
    void set_attributes(ExprId call, AttributesId attributes) { payloads_[call.value] = attributes.value; }
    void set_name(ExprId var, std::string name) { names_[var.value] = std::move(name); }
    void set_label(ExprId id, std::string label) { labels_[id.value] = std::move(label); }
    void set_declared_type(ExprId var, TypeId type) { declared_[var.value] = type; }
    void set_function_info(ExprId function, FunctionInfo info) { infos_[function.value] = std::move(info); }

    ExprId add(ExprKind kind, uint32_t payload, std::vector<ExprId> operands, ExprId like = {});
    ExprId add_var(std::string name, TypeId type, ExprId like = {});
    ExprId add_constant(Tensor value);
    ExprId add_op_call(OpId op, AttributesId attributes, std::vector<ExprId> arguments);
    ExprId add_global_var(std::string name);
    ExprId add_global_call(std::string name, std::vector<ExprId> arguments);
    ExprId add_function(std::vector<ExprId> parameters, ExprId body, FunctionInfo info, ExprId like = {});
    /// Copies everything reachable from `root` whose image is not set; `image` is by ExprId of the old module.
    ExprId copy(ExprId root, std::unordered_map<uint32_t, ExprId>& image);

    void set_function(std::string name, ExprId function);
    void remove_function(std::string_view name);
    void rename_function(std::string_view from, std::string to);
    ExprId find_function(std::string_view name) const;
    /// Appends a parameter to those of a function; `operands` does not include it.
    void add_parameter(ExprId function, ExprId var) { parameters_[function.value].push_back(var); }
    /// Returns the parameters added to a function.
    std::span<const ExprId> new_parameters(ExprId function) const;
    std::string_view var_name(ExprId var) const {
        return is_new(var) ? std::string_view(added_[var.value - before_.size()].name) : before_.name(var);
    }

    /// Builds the new module. `at`: where errors in new expressions are reported. `made`: draft ids whose images go to
    /// the result.
    EditResult finish(ExprId at, std::span<const ExprId> made);

private:
    struct Added {
        ExprKind kind;
        uint32_t payload;
        std::string name;  ///< name of a var or global var
        TypeId type;       ///< type of a var
        ExprId like;       ///< source of its position and label
    };
    enum class Walk : uint8_t { New, Open, Done };

    ExprId resolve(ExprId id) const;
    std::vector<ExprId> final_operands(ExprId id) const;
    std::optional<EditFault> build(ExprId at);
    std::optional<EditFault> build_from(ExprId root, ExprId at);
    ExprId emit(ExprId id, std::span<const ExprId> operands);
    ExprId emit_new(const Added& added, ExprId id, std::span<const ExprId> operands);
    void forget_inferred_types(Module& module) const;
    ExprId place_of(ExprId made, ExprId at) const;

    const Module& before_;
    Module after_;
    std::vector<Added> added_;
    std::unordered_map<uint32_t, std::vector<ExprId>> operands_;
    std::unordered_map<uint32_t, std::vector<ExprId>> parameters_;  ///< added parameters, by function
    std::unordered_map<uint32_t, ExprId> instead_;
    std::unordered_map<uint32_t, uint32_t> payloads_;
    std::unordered_map<uint32_t, std::string> names_, labels_;
    std::unordered_map<uint32_t, TypeId> declared_;
    std::unordered_map<uint32_t, FunctionInfo> infos_;
    struct Global {
        std::string name;
        ExprId function;
    };
    std::vector<Global> globals_;
    std::unordered_map<std::string, std::string> renamed_;
    std::vector<ExprId> image_;  ///< by draft id
    std::vector<Walk> walk_;
};

}  // namespace partita
