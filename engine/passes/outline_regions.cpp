#include "engine/passes/outline_regions.h"

#include <algorithm>
#include <unordered_map>

#include "engine/ir/post_order.h"
#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/ops/registry.h"
#include "engine/passes/sub_function_names.h"

namespace partita {

namespace {

constexpr int32_t kNone = -1;

class Outliner {
public:
    Outliner(const Module& module, const RegionsToOutline& regions, const PartitionOptions& options, DecisionLog* log)
        : from_(module), regions_(regions), options_(options), log_(log), to_(Module::with_tables_of(module)),
          numbers_(compiler_numbers()), names_(module, to_, options, compilers_), copier_(module, to_),
          region_of_(module.size(), kNone), outside_(module.size()), state_(module.size()),
          members_(regions.backends.size()), outputs_(regions.backends.size()), region_state_(regions.backends.size()) {
    }

    Result<Module> run() {
        if (Status bound = bind_lets(); !bound) return bound.error();
        std::vector<ExprId> roots;
        for (const GlobalFunction& global : from_.functions()) roots.push_back(global.function);
        order_ = post_order_of(from_.size(), roots, [this](ExprId id) { return operands(id); });
        assign_regions();
        for (const GlobalFunction& global : from_.functions()) names_.add_function(from_.names().text(global.name));
        for (uint32_t i = 0; i < from_.functions().size(); ++i)
            if (from_.names().text(from_.functions()[i].name) == "main") function_ = int32_t(i);
        for (ExprId id : order_)
            if (Status made = make(id); !made) return made.error();
        set_functions();
        to_.set_typed(from_.typed());
        return std::move(to_);
    }

private:
    enum class State : uint8_t { New, Entered, Done };
    /// What is being made: a region, or an expression of none; and how far its operands have been looked at.
    struct Frame {
        int32_t region;
        ExprId expression;
        size_t member = 0, operand = 0;
    };

    std::vector<int32_t> compiler_numbers() {
        std::vector<int32_t> numbers;
        for (const std::string& backend : regions_.backends) numbers.push_back(compilers_.number(backend));
        return numbers;
    }

    Status bind_lets() {
        for (uint32_t i = 0; i < from_.size(); ++i) {
            const ExprId id(i);
            const ExprKind kind = from_.kind(id);
            if (kind == ExprKind::RefCreate || kind == ExprKind::RefRead || kind == ExprKind::RefWrite)
                return error(
                    "a module with references keeps the order of its text: only the partitioner tvm divides "
                    "it",
                    from_.position(id));
            if (kind == ExprKind::Let) let_of_.emplace(from_.operands(id)[0], id);
        }
        return Nothing();
    }

    /// Returns what must be made before an expression; a variable of a let needs the let's value.
    std::span<const ExprId> operands(ExprId id) const {
        if (from_.kind(id) == ExprKind::Let) return from_.operands(id).subspan(1, 2);
        if (const auto let = let_of_.find(id); let != let_of_.end()) return from_.operands(let->second).subspan(1, 1);
        return from_.operands(id);
    }

    void assign_regions() {
        const std::vector<bool> inner = inside_composites();
        for (ExprId id : order_)
            if (from_.kind(id) == ExprKind::Call && !inner[id.value]) region_of_[id.value] = region_of_call(id);
        for (ExprId id : order_)
            if (from_.kind(id) == ExprKind::Projection) region_of_[id.value] = region_of_[from_.operands(id)[0].value];
        assign_tuples();
        for (ExprId id : order_)
            if (region_of_[id.value] != kNone) members_[size_t(region_of_[id.value])].push_back(id);
        find_outputs();
    }

    std::vector<bool> inside_composites() const {
        std::vector<bool> inner(from_.size());
        for (ExprId id : order_) {
            if (from_.kind(id) != ExprKind::Call || !is_composite(from_, from_.callee(id))) continue;
            for (ExprId part : post_order(from_, from_.body(from_.callee(id)))) inner[part.value] = true;
        }
        return inner;
    }

    int32_t region_at(ExprId origin) const { return origin.valid() ? regions_.region_of[origin.value] : kNone; }

    int32_t region_of_call(ExprId call) const {
        const int32_t own = region_at(from_.origin(call));
        if (own != kNone || !is_composite(from_, from_.callee(call))) return own;
        for (ExprId part : post_order(from_, from_.body(from_.callee(call))))
            if (from_.kind(part) == ExprKind::Call)
                if (const int32_t region = region_at(from_.origin(part)); region != kNone) return region;
        return kNone;
    }

    /// A tuple that only one region uses is made there.
    void assign_tuples() {
        constexpr int32_t kUnused = -2;
        std::vector<int32_t> user(from_.size(), kUnused);
        for (size_t i = order_.size(); i-- > 0;) {
            const ExprId id = order_[i];
            if (from_.kind(id) == ExprKind::Tuple && user[id.value] >= 0) region_of_[id.value] = user[id.value];
            for (ExprId operand : operands(id)) {
                int32_t& known = user[operand.value];
                known = known == kUnused || known == region_of_[id.value] ? region_of_[id.value] : kNone;
            }
        }
    }

    bool stands_for_another(ExprId id) const { return from_.kind(id) == ExprKind::Let || let_of_.count(id) > 0; }
    /// Returns the expression whose value a let's name, or a let, has.
    ExprId meant(ExprId id) const {
        for (;;) {
            if (from_.kind(id) == ExprKind::Let) id = from_.operands(id)[2];
            else if (const auto let = let_of_.find(id); let != let_of_.end()) id = from_.operands(let->second)[1];
            else return id;
        }
    }

    void find_outputs() {
        std::vector<bool> known(from_.size());
        for (ExprId id : order_) {
            if (stands_for_another(id)) continue;
            for (ExprId operand : from_.operands(id)) {
                const ExprId value = meant(operand);
                const int32_t region = region_of_[value.value];
                if (region == kNone || region == region_of_[id.value] || known[value.value]) continue;
                known[value.value] = true;
                outputs_[size_t(region)].push_back(value);
            }
        }
    }

    State& state(const Frame& frame) {
        return frame.region == kNone ? state_[frame.expression.value] : region_state_[size_t(frame.region)];
    }
    std::span<const ExprId> members(const Frame& frame) const {
        if (frame.region == kNone) return {&frame.expression, 1};
        return members_[size_t(frame.region)];
    }
    Frame frame_of(ExprId id) const { return {region_of_[id.value], id}; }

    /// Makes an expression, and before it all that it needs, with the regions that those are in.
    Status make(ExprId root) {
        std::vector<Frame> stack;
        if (Frame first = frame_of(root); state(first) == State::New) stack.push_back(first);
        while (!stack.empty()) {
            Frame& frame = stack.back();
            state(frame) = State::Entered;
            if (const ExprId needed = next_needed(frame); needed.valid()) {
                const Frame inner = frame_of(needed);
                if (state(inner) == State::Entered) return depends_on_itself(inner);
                stack.push_back(inner);
                continue;
            }
            const Frame done = frame;
            stack.pop_back();
            Status made = done.region == kNone ? make_expression(done.expression) : make_function(done.region);
            if (!made) return made;
            state(done) = State::Done;
        }
        return Nothing();
    }

    /// Returns an operand that is not made yet and lies outside of the frame's own region; invalid if there is none.
    ExprId next_needed(Frame& frame) {
        const std::span<const ExprId> all = members(frame);
        for (; frame.member < all.size(); ++frame.member, frame.operand = 0) {
            if (stands_for_another(all[frame.member])) continue;
            const std::span<const ExprId> of = from_.operands(all[frame.member]);
            for (; frame.operand < of.size(); ++frame.operand) {
                const ExprId needed = meant(of[frame.operand]);
                const Frame inner = frame_of(needed);
                const bool own = inner.region != kNone && inner.region == frame.region;
                if (!own && state(inner) != State::Done) return needed;
            }
        }
        return {};
    }

    Status depends_on_itself(const Frame& frame) const {
        if (frame.region == kNone)
            return error("a function calls itself: only the partitioner tvm divides such a module",
                         from_.position(frame.expression));
        return error("region " + std::to_string(frame.region) + " (" + regions_.backends[size_t(frame.region)] +
                         ") depends on itself: it would have to run before and after itself",
                     from_.position(members_[size_t(frame.region)].front()));
    }

    /// Returns what an expression of `region` (or of none) uses for an operand.
    ExprId value_for(ExprId operand, int32_t region) {
        const ExprId value = meant(operand);
        const int32_t of_value = region_of_[value.value];
        if (of_value == region) return copier_.image(value);
        const ExprId outer = of_value == kNone ? copier_.image(value) : outside_[value.value];
        return region == kNone ? outer : parameter(value, outer, region);
    }

    bool is_constant(ExprId made) const {
        const auto constant = [this](ExprId id) { return to_.kind(id) == ExprKind::Constant; };
        if (to_.kind(made) != ExprKind::Tuple) return constant(made);
        const std::span<const ExprId> fields = to_.operands(made);
        return std::all_of(fields.begin(), fields.end(), constant);
    }

    ExprId parameter(ExprId value, ExprId outer, int32_t region) {
        const ExprKind kind = to_.kind(outer);
        if (kind == ExprKind::Op || kind == ExprKind::GlobalVar || kind == ExprKind::Function) return outer;
        const auto [known, is_new] = inputs_.try_emplace(value, outer);
        if (!is_new) return known->second;
        if (options_.bind_constants && is_constant(outer)) {
            note(DecisionKind::ConstantBound, to_.origin(outer), region, {});
            return outer;
        }
        known->second = to_.add_var(names_.parameter(numbers_[size_t(region)], region, int32_t(parameters_.size())),
                                    from_.type(value));
        parameters_.push_back(known->second);
        arguments_.push_back(outer);
        return known->second;
    }

    bool is_dropped(ExprId id, int32_t region) const {
        if (region == kNone || options_.transparent.empty() || from_.kind(id) != ExprKind::Call) return false;
        const auto ops = options_.transparent.find(regions_.backends[size_t(region)]);
        const OpRecord* op = called_op_record(from_, id);
        return op && ops != options_.transparent.end() && from_.operands(id).size() == 2 &&
               std::find(ops->second.begin(), ops->second.end(), op->name) != ops->second.end() &&
               from_.type(id) == from_.type(from_.operands(id)[1]);
    }

    Status make_expression(ExprId id) {
        if (stands_for_another(id)) return Nothing();
        if (const std::string* name =
                from_.kind(id) == ExprKind::GlobalVar ? names_.renamed(from_.name_id(id)) : nullptr) {
            const ExprId made = to_.add_global_var(*name);
            to_.set_type(made, from_.type(id));
            copier_.set_image(id, made);
        } else {
            copy(id, kNone);
        }
        return Nothing();
    }

    void copy(ExprId id, int32_t region) {
        if (is_dropped(id, region)) {
            copier_.set_image(id, value_for(from_.operands(id)[1], region));
            return;
        }
        operands_.clear();
        for (ExprId operand : from_.operands(id)) operands_.push_back(value_for(operand, region));
        copier_.set_image(id, to_.add_like(from_, id, operands_));
    }

    Status make_function(int32_t region) {
        const std::vector<ExprId>& outputs = outputs_[size_t(region)];
        inputs_.clear();
        parameters_.clear();
        arguments_.clear();
        for (ExprId member : members_[size_t(region)]) copy(member, region);
        if (outputs.empty()) return Nothing();  // nobody uses it
        std::vector<ExprId> fields;
        std::vector<TypeId> types;
        for (ExprId output : outputs) {
            fields.push_back(copier_.image(output));
            types.push_back(from_.type(output));
        }
        const bool single = fields.size() == 1;
        const bool typed = std::all_of(types.begin(), types.end(), [](TypeId type) { return type.valid(); });
        const TypeId type = single ? types[0] : typed ? to_.types().tuple(types) : TypeId();
        const ExprId body = single ? fields[0] : to_.add_tuple(fields, type);
        const int32_t compiler = numbers_[size_t(region)];
        const std::string name = names_.region(function_, compiler, region);
        const Result<ExprId> callee = names_.add(name, compiler, parameters_, body);
        if (!callee)
            return error("region " + std::to_string(region) + " can't become a function: " + callee.error().message);
        note(DecisionKind::SubFunctionMade, from_.origin(outputs[0]), region, name);
        const ExprId call = to_.add_call(*callee, arguments_, {}, type);
        for (size_t i = 0; i < outputs.size(); ++i)
            outside_[outputs[i].value] = single ? call : to_.add_projection(call, uint32_t(i), types[i]);
        return Nothing();
    }

    void note(DecisionKind kind, ExprId subject, int32_t region, std::string detail) {
        if (!log_) return;
        Decision decision{};
        decision.pass = PassKind::Partition;
        decision.kind = kind;
        decision.subject = subject;
        decision.region = region;
        decision.rule = regions_.backends[size_t(region)];
        decision.detail = as_it_is(std::move(detail));
        log_->add(std::move(decision));
    }

    void set_functions() {
        for (const GlobalFunction& global : from_.functions()) {
            const ExprId made = copier_.image(global.function);
            const std::string* renamed = names_.renamed(global.name);
            if (renamed)
                for (auto& [key, value] : to_.function_info(made).attributes)
                    if (key == "global_symbol") value = AttributeValue(*renamed);
            to_.set_function(renamed ? *renamed : std::string(from_.names().text(global.name)), made);
        }
    }

    const Module& from_;
    const RegionsToOutline& regions_;
    const PartitionOptions& options_;
    DecisionLog* log_;
    Module to_;
    CompilerNames compilers_;
    std::vector<int32_t> numbers_;  ///< by region: its compiler
    SubFunctionNames names_;
    ModuleCopier copier_;  ///< images inside a region's function, or of what is in none
    int32_t function_ = 0;
    std::unordered_map<ExprId, ExprId> let_of_;  ///< by the variable that it binds
    std::vector<ExprId> order_;
    std::vector<int32_t> region_of_;
    std::vector<ExprId> outside_;  ///< by output of a region: its value in the caller
    std::vector<State> state_;
    std::vector<std::vector<ExprId>> members_, outputs_;  ///< by region, in order
    std::vector<State> region_state_;
    // Of the region that is being made.
    std::unordered_map<ExprId, ExprId> inputs_;
    std::vector<ExprId> parameters_, arguments_, operands_;
};

}  // namespace

Result<Module> outline_regions(const Module& module, const RegionsToOutline& regions, const PartitionOptions& options,
                               DecisionLog* log) {
    return Outliner(module, regions, options, log).run();
}

}  // namespace partita
