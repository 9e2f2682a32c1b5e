#include "engine/edits/draft.h"

#include <algorithm>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/scope_check.h"

namespace partita {

EditFault edit_fault(Sentence said, ExprId place) { return {error(said.text()), place, std::move(said)}; }

Draft::Draft(const Module& before) : before_(before), after_(Module::with_tables_of(before)) {
    for (const GlobalFunction& global : before.functions())
        globals_.push_back({std::string(before.names().text(global.name)), global.function});
}

std::span<const ExprId> Draft::operands(ExprId id) const {
    auto changed = operands_.find(id.value);
    return changed == operands_.end() ? before_.operands(id) : std::span<const ExprId>(changed->second);
}

const FunctionInfo& Draft::function_info(ExprId id) const {
    auto changed = infos_.find(id.value);
    return changed == infos_.end() ? before_.function_info(id) : changed->second;
}

void Draft::set_operand(ExprId id, uint32_t index, ExprId by) {
    std::span<const ExprId> now = operands(id);
    std::vector<ExprId> changed(now.begin(), now.end());
    changed[index] = by;
    operands_[id.value] = std::move(changed);
}

ExprId Draft::add(ExprKind kind, uint32_t payload, std::vector<ExprId> operands, ExprId like) {
    ExprId id(uint32_t(before_.size() + added_.size()));
    added_.push_back({kind, payload, {}, {}, like});
    operands_[id.value] = std::move(operands);
    return id;
}

ExprId Draft::add_var(std::string name, TypeId type, ExprId like) {
    ExprId id = add(ExprKind::Var, 0, {}, like);
    added_.back().name = std::move(name);
    added_.back().type = type;
    return id;
}

ExprId Draft::add_constant(Tensor value) {
    // The tensor lies in the table; `finish` makes the expression in order.
    ExprId held = after_.add_constant(std::move(value));
    return add(ExprKind::Constant, after_.constant_id(held).value, {});
}

ExprId Draft::add_op_call(OpId op, AttributesId attributes, std::vector<ExprId> arguments) {
    ExprId callee = add(ExprKind::Op, op.value, {});
    arguments.insert(arguments.begin(), callee);
    return add(ExprKind::Call, attributes.value, std::move(arguments));
}

ExprId Draft::add_global_var(std::string name) {
    ExprId id = add(ExprKind::GlobalVar, 0, {});
    added_.back().name = std::move(name);
    return id;
}

ExprId Draft::add_global_call(std::string name, std::vector<ExprId> arguments) {
    arguments.insert(arguments.begin(), add_global_var(std::move(name)));
    return add(ExprKind::Call, AttributesId::kInvalid, std::move(arguments));
}

ExprId Draft::add_function(std::vector<ExprId> parameters, ExprId body, FunctionInfo info, ExprId like) {
    parameters.push_back(body);
    ExprId id = add(ExprKind::Function, 0, std::move(parameters), like);
    infos_[id.value] = std::move(info);
    return id;
}

ExprId Draft::copy(ExprId root, std::unordered_map<uint32_t, ExprId>& image) {
    struct Frame {
        ExprId id;
        uint32_t next;
    };
    auto stays = [&](ExprId id) {
        const ExprKind kind = before_.kind(id);
        return kind == ExprKind::Op || kind == ExprKind::GlobalVar || image.count(id.value) > 0;
    };
    std::vector<Frame> stack;
    if (!stays(root)) stack.push_back({root, 0});
    while (!stack.empty()) {
        Frame& frame = stack.back();
        std::span<const ExprId> operands = before_.operands(frame.id);
        if (frame.next < operands.size()) {
            ExprId operand = operands[frame.next++];
            if (!stays(operand)) stack.push_back({operand, 0});
            continue;
        }
        const ExprId id = frame.id;
        stack.pop_back();
        if (image.count(id.value)) continue;
        std::vector<ExprId> images;
        for (ExprId operand : operands) {
            auto found = image.find(operand.value);
            images.push_back(found == image.end() ? operand : found->second);
        }
        ExprId made = add(before_.kind(id), before_[id].payload, std::move(images), id);
        if (before_.kind(id) == ExprKind::Var) {
            added_.back().name = std::string(before_.name(id));
            added_.back().type = before_.type(id);
        }
        if (before_.kind(id) == ExprKind::Function) infos_[made.value] = before_.function_info(id);
        image[id.value] = made;
    }
    auto found = image.find(root.value);
    return found == image.end() ? root : found->second;
}

void Draft::set_function(std::string name, ExprId function) {
    for (Global& global : globals_)
        if (global.name == name) {
            global.function = function;
            return;
        }
    globals_.push_back({std::move(name), function});
}

void Draft::remove_function(std::string_view name) {
    std::erase_if(globals_, [name](const Global& global) { return global.name == name; });
}

void Draft::rename_function(std::string_view from, std::string to) {
    for (Global& global : globals_)
        if (global.name == from) global.name = to;
    renamed_[std::string(from)] = std::move(to);
}

ExprId Draft::find_function(std::string_view name) const {
    for (const Global& global : globals_)
        if (global.name == name) return global.function;
    return {};
}

std::span<const ExprId> Draft::new_parameters(ExprId function) const {
    auto found = parameters_.find(function.value);
    return found == parameters_.end() ? std::span<const ExprId>() : std::span<const ExprId>(found->second);
}

ExprId Draft::resolve(ExprId id) const {
    for (size_t steps = 0; steps <= instead_.size(); ++steps) {
        auto found = instead_.find(id.value);
        if (found == instead_.end()) return id;
        id = found->second;
    }
    return id;
}

std::vector<ExprId> Draft::final_operands(ExprId id) const {
    std::span<const ExprId> now = operands(id);
    std::vector<ExprId> result(now.begin(), now.end());
    if (!instead_.empty() && !operands_.count(id.value)) {
        // Names bound here are not uses.
        size_t first = kind(id) == ExprKind::Function ? result.size() - 1 : kind(id) == ExprKind::Let ? 1 : 0;
        for (size_t i = first; i < result.size(); ++i) result[i] = resolve(result[i]);
    }
    auto more = parameters_.find(id.value);
    if (more != parameters_.end()) result.insert(result.end() - 1, more->second.begin(), more->second.end());
    return result;
}

ExprId Draft::emit_new(const Added& added, ExprId id, std::span<const ExprId> operands) {
    ExprId made;
    switch (added.kind) {
        case ExprKind::Var: made = after_.add_var(added.name, added.type); break;
        case ExprKind::Constant: made = after_.add_constant(ConstantId(added.payload)); break;
        case ExprKind::GlobalVar: return after_.add_global_var(added.name);
        case ExprKind::Op: return after_.add_op(OpId(added.payload));
        case ExprKind::Call: {
            auto changed = payloads_.find(id.value);
            made = after_.add_call(operands[0], operands.subspan(1),
                                   AttributesId(changed == payloads_.end() ? added.payload : changed->second));
            break;
        }
        case ExprKind::Tuple: made = after_.add_tuple(operands); break;
        case ExprKind::Projection: made = after_.add_projection(operands[0], added.payload); break;
        case ExprKind::Let: made = after_.add_let(operands[0], operands[1], operands[2]); break;
        case ExprKind::If: made = after_.add_if(operands[0], operands[1], operands[2]); break;
        case ExprKind::Function:
            made = after_.add_function(operands.first(operands.size() - 1), operands.back(), infos_.at(id.value));
            break;
        case ExprKind::RefCreate: made = after_.add_ref_create(operands[0]); break;
        case ExprKind::RefRead: made = after_.add_ref_read(operands[0]); break;
        case ExprKind::RefWrite: made = after_.add_ref_write(operands[0], operands[1]); break;
    }
    if (added.like.valid() && !is_new(added.like)) {
        if (SourcePosition position = before_.position(added.like); position.line) after_.set_position(made, position);
        if (std::string_view label = before_.label(added.like); !label.empty())
            after_.set_label(made, std::string(label));
    }
    return made;
}

ExprId Draft::emit(ExprId id, std::span<const ExprId> operands) {
    ExprId made;
    const ExprKind kind = this->kind(id);
    const bool changed = payloads_.count(id.value) || names_.count(id.value) || declared_.count(id.value) ||
                         infos_.count(id.value) || (kind == ExprKind::GlobalVar && !renamed_.empty());
    if (is_new(id)) {
        made = emit_new(added_[id.value - before_.size()], id, operands);
    } else if (!changed) {
        made = after_.add_like(before_, id, operands);
    } else {
        Added like{kind, before_[id].payload, {}, before_.type(id), id};
        if (auto found = payloads_.find(id.value); found != payloads_.end()) like.payload = found->second;
        if (kind == ExprKind::Var || kind == ExprKind::GlobalVar) like.name = std::string(before_.name(id));
        if (auto found = names_.find(id.value); found != names_.end()) like.name = found->second;
        if (auto found = renamed_.find(like.name); kind == ExprKind::GlobalVar && found != renamed_.end())
            like.name = found->second;
        if (auto found = declared_.find(id.value); found != declared_.end()) like.type = found->second;
        if (kind == ExprKind::Function) infos_.try_emplace(id.value, before_.function_info(id));
        made = emit_new(like, id, operands);
    }
    if (auto found = labels_.find(id.value); found != labels_.end()) after_.set_label(made, found->second);
    return made;
}

std::optional<EditFault> Draft::build_from(ExprId root, ExprId at) {
    struct Frame {
        ExprId id;
        uint32_t next;
        std::vector<ExprId> operands;
    };
    std::vector<ExprId> images;
    std::vector<Frame> stack;
    auto enter = [&](ExprId id) {
        walk_[id.value] = Walk::Open;
        stack.push_back({id, 0, final_operands(id)});
    };
    if (walk_[root.value] == Walk::New) enter(root);
    while (!stack.empty()) {
        Frame& frame = stack.back();
        if (frame.next < frame.operands.size()) {
            const ExprId operand = frame.operands[frame.next++];
            if (walk_[operand.value] == Walk::Open)
                return edit_fault({SENTENCE("Engine", "the result would depend on itself"), {}},
                                  is_new(operand) ? at : operand);
            if (walk_[operand.value] == Walk::New) enter(operand);
            continue;
        }
        images.clear();
        for (ExprId operand : frame.operands) images.push_back(image_[operand.value]);
        image_[frame.id.value] = emit(frame.id, images);
        walk_[frame.id.value] = Walk::Done;
        stack.pop_back();
    }
    return {};
}

std::optional<EditFault> Draft::build(ExprId at) {
    image_.assign(before_.size() + added_.size(), ExprId());
    walk_.assign(image_.size(), Walk::New);
    after_.reserve(after_.size() + before_.size() + added_.size(), before_.size() * 3);
    for (const Global& global : globals_)
        if (std::optional<EditFault> fault = build_from(global.function, at)) return fault;
    for (const Global& global : globals_) after_.set_function(global.name, image_[global.function.value]);
    return {};
}

/// Resets inferred types to undeclared, because an edit may change them.
void Draft::forget_inferred_types(Module& module) const {
    for (uint32_t i = 0; i < module.size(); ++i) {
        const ExprId id(i);
        const ExprKind kind = module.kind(id);
        if (kind == ExprKind::Function) module.function_info(id).return_type = TypeId();
        if (kind == ExprKind::Let) module.set_type(module.operands(id)[0], {});
        if (kind == ExprKind::Call && module.kind(module.callee(id)) == ExprKind::Function)
            for (ExprId parameter : module.parameters(module.callee(id))) module.set_type(parameter, {});
    }
}

/// Returns the expression of the old module that stands for one of the new module.
ExprId Draft::place_of(ExprId made, ExprId at) const {
    for (uint32_t i = 0; i < before_.size(); ++i)
        if (image_[i] == made) return ExprId(i);
    return at;
}

EditResult Draft::finish(ExprId at, std::span<const ExprId> made) {
    if (std::optional<EditFault> fault = build(at)) return *fault;
    bool may_recurse = false;
    for (uint32_t i = 0; i < after_.size(); ++i) {
        const ExprKind kind = after_.kind(ExprId(i));
        may_recurse |= kind == ExprKind::GlobalVar || kind == ExprKind::Let;
        if (kind != ExprKind::Var && kind != ExprKind::Constant) after_.set_type(ExprId(i), {});
    }
    if (std::optional<ScopeFault> fault = find_scope_fault(after_))
        return edit_fault({SENTENCE("Engine", "%1 is not visible there"), {"%" + std::string(after_.name(fault->var))}},
                          place_of(fault->user, at));
    // A recursive function needs its former return type; inference finds those of others.
    std::optional<Module> with_declared;
    if (may_recurse) with_declared = after_;
    forget_inferred_types(after_);
    ExprId where;
    Status typed = infer_types(after_, &where);
    if (!typed && with_declared) {
        if (Status again = infer_types(*with_declared); again) {
            after_ = std::move(*with_declared);
            typed = again;
        }
    }
    if (!typed) return EditFault{error(typed.error().message), place_of(where, at)};
    after_.make_root();
    after_.drop_unreachable_constants();
    EditedModule edited;
    edited.image.assign(image_.begin(), image_.begin() + ptrdiff_t(before_.size()));
    for (ExprId id : made)
        if (image_[id.value].valid()) edited.made.push_back(image_[id.value]);
    edited.module = std::make_shared<const Module>(std::move(after_));
    return edited;
}

}  // namespace partita
