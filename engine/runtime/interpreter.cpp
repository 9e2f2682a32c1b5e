#include "engine/runtime/interpreter.h"

#include <memory>
#include <unordered_set>
#include <variant>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

/// Deeper recursion that is not a loop is considered an error in the module.
constexpr size_t kMaximumCallDepth = 1000000;

struct Value;
using ValuePtr = std::shared_ptr<const Value>;
using Environment = std::unordered_map<ExprId, ValuePtr>;

struct Closure {
    ExprId function;
    std::shared_ptr<const Environment> captured;
    ExprId self;  ///< the let-bound name for recursive calls; may be invalid
};

struct Reference {
    std::shared_ptr<ValuePtr> cell;
};

struct Value {
    std::variant<Tensor, std::vector<ValuePtr>, Closure, Reference> content;
};

template <class T>
ValuePtr make_value(T content) {
    return std::make_shared<const Value>(Value{std::move(content)});
}

class Interpreter {
public:
    Interpreter(const Module& module, RegionTable& regions, ThreadPool& threads, const CancelToken& cancel,
                InterpretedTimes* times)
        : module_(module), regions_(regions), threads_(threads), cancel_(cancel), times_(times) {}

    Result<std::vector<Tensor>> run(ExprId function, const std::vector<Tensor>& inputs) {
        Frame frame{module_.body(function), ExprId(), {}, {}};
        size_t next = 0;
        for (ExprId parameter : module_.parameters(function)) {
            Result<ValuePtr> value = assemble(module_.type(parameter), inputs, next, parameter);
            if (!value) return value.error();
            frame.values[parameter] = *value;
        }
        push(std::move(frame));
        while (!frames_.empty()) {
            if (cancel_.cancelled()) return error("cancelled");
            if (Status done = advance(); !done) return done.error();
        }
        std::vector<Tensor> outputs;
        if (!flatten_value(result_, outputs))
            return error("@main gives a function or a reference, which can't be shown");
        return outputs;
    }

private:
    struct PendingExpression {
        ExprId id;
        uint8_t stage;
    };
    struct Frame {
        ExprId root;  ///< its value is the result of the frame
        ExprId call;  ///< in the caller's frame
        Environment values;
        std::vector<PendingExpression> pending;
    };

    void push(Frame frame) {
        frame.pending.push_back({frame.root, 0});
        frames_.push_back(std::move(frame));
    }
    Frame& frame() { return frames_.back(); }
    bool has(ExprId id) { return frame().values.count(id) != 0; }
    const ValuePtr& value(ExprId id) { return frame().values.at(id); }
    void finish(ExprId id, ValuePtr made) {
        frame().values[id] = std::move(made);
        frame().pending.pop_back();
    }
    Diagnostic refuse(ExprId id, std::string message) const { return error(std::move(message), module_.position(id)); }
    /// Returns whether this expression is the last one of the frame.
    bool is_tail(ExprId id) { return frame().pending.size() == 1 && frame().root == id; }

    Status advance() {
        if (frame().pending.empty()) {
            Frame done = std::move(frames_.back());
            frames_.pop_back();
            result_ = done.values.at(done.root);
            if (!frames_.empty()) frame().values[done.call] = result_;
            return Nothing();
        }
        PendingExpression pending = frame().pending.back();
        if (has(pending.id)) {
            frame().pending.pop_back();
            return Nothing();
        }
        std::span<const ExprId> operands = module_.operands(pending.id);
        switch (module_.kind(pending.id)) {
            case ExprKind::Var:
                return refuse(pending.id,
                              "the variable %" + std::string(module_.name(pending.id)) + " has no value here");
            case ExprKind::Constant: finish(pending.id, make_value(module_.constant(pending.id))); return Nothing();
            case ExprKind::Function: finish(pending.id, make_value(close(pending.id, ExprId()))); return Nothing();
            case ExprKind::GlobalVar: return take_global(pending.id);
            case ExprKind::Op: return refuse(pending.id, "an operator that isn't called can't be run");
            case ExprKind::Let: return take_let(pending, operands);
            case ExprKind::If: return take_if(pending, operands);
            default: break;
        }
        if (!operands_ready(pending, operands)) return Nothing();
        switch (module_.kind(pending.id)) {
            case ExprKind::Tuple: {
                std::vector<ValuePtr> fields;
                for (ExprId field : operands) fields.push_back(value(field));
                finish(pending.id, make_value(std::move(fields)));
                return Nothing();
            }
            case ExprKind::Projection: {
                auto* fields = std::get_if<std::vector<ValuePtr>>(&value(operands[0])->content);
                uint32_t index = module_.projection_index(pending.id);
                if (!fields || index >= fields->size()) return refuse(pending.id, "projection of no such field");
                ValuePtr field = (*fields)[index];
                finish(pending.id, std::move(field));
                return Nothing();
            }
            case ExprKind::RefCreate:
                finish(pending.id, make_value(Reference{std::make_shared<ValuePtr>(value(operands[0]))}));
                return Nothing();
            case ExprKind::RefRead:
            case ExprKind::RefWrite: return take_reference(pending.id, operands);
            default: return take_call(pending.id);
        }
    }

    bool operands_ready(PendingExpression pending, std::span<const ExprId> operands) {
        if (pending.stage != 0) return true;
        frame().pending.back().stage = 1;
        size_t before = frame().pending.size();
        for (size_t i = operands.size(); i-- > 0;)
            if (module_.kind(operands[i]) != ExprKind::Op && !has(operands[i]))
                frame().pending.push_back({operands[i], 0});
        return frame().pending.size() == before;
    }

    Status take_global(ExprId id) {
        ExprId function = module_.find_function(module_.name(id));
        if (!function.valid()) return refuse(id, "there is no function @" + std::string(module_.name(id)));
        finish(id, make_value(Closure{function, std::make_shared<const Environment>(), ExprId()}));
        return Nothing();
    }

    Status take_let(PendingExpression pending, std::span<const ExprId> parts) {
        ExprId var = parts[0], bound = parts[1], body = parts[2];
        if (pending.stage == 0) {
            frame().pending.back().stage = 1;
            if (module_.kind(bound) == ExprKind::Function) frame().values[var] = make_value(close(bound, var));
            else if (!has(bound)) frame().pending.push_back({bound, 0});
            return Nothing();
        }
        if (pending.stage == 1) {
            if (module_.kind(bound) != ExprKind::Function) frame().values[var] = value(bound);
            continue_with(pending.id, body);
            return Nothing();
        }
        finish(pending.id, value(body));
        return Nothing();
    }

    Status take_if(PendingExpression pending, std::span<const ExprId> parts) {
        if (pending.stage == 0) {
            frame().pending.back().stage = 1;
            if (!has(parts[0])) frame().pending.push_back({parts[0], 0});
            return Nothing();
        }
        const Tensor* condition = std::get_if<Tensor>(&value(parts[0])->content);
        if (!condition || condition->size() < 1) return refuse(pending.id, "the condition of an if is no scalar");
        ExprId branch = condition->at(0) != 0 ? parts[1] : parts[2];
        if (pending.stage == 1) {
            continue_with(pending.id, branch);
            return Nothing();
        }
        finish(pending.id, value(branch));
        return Nothing();
    }

    /// Makes the value of `id`, on top of the stack, that of `next`.
    void continue_with(ExprId id, ExprId next) {
        if (is_tail(id)) {
            frame().root = next;
            frame().pending.back() = {next, 0};
            return;
        }
        frame().pending.back().stage = 2;
        if (!has(next)) frame().pending.push_back({next, 0});
    }

    Status take_reference(ExprId id, std::span<const ExprId> operands) {
        auto* reference = std::get_if<Reference>(&value(operands[0])->content);
        if (!reference) return refuse(id, "this is no reference");
        if (module_.kind(id) == ExprKind::RefRead) {
            finish(id, *reference->cell);
        } else {
            *reference->cell = value(operands[1]);
            finish(id, make_value(std::vector<ValuePtr>()));
        }
        return Nothing();
    }

    Status take_call(ExprId call) {
        if (const OpRecord* op = called_op_record(module_, call)) return call_op(call, *op);
        auto* closure = std::get_if<Closure>(&value(module_.callee(call))->content);
        if (!closure) return refuse(call, "what is called is no function");
        if (is_region_function(module_, closure->function)) {
            Region& region = regions_.compile(closure->function, {});
            if (region.compiled) return call_region(call, region);
        }
        return call_function(call, *closure);
    }

    Status call_function(ExprId call, const Closure& closure) {
        std::span<const ExprId> parameters = module_.parameters(closure.function), arguments = module_.arguments(call);
        if (parameters.size() != arguments.size())
            return refuse(call, "a function of " + std::to_string(parameters.size()) + " parameters is called with " +
                                    std::to_string(arguments.size()) + " arguments");
        if (frames_.size() >= kMaximumCallDepth)
            return refuse(call, "calls are nested more than " + std::to_string(kMaximumCallDepth) + " deep");
        Frame inner{module_.body(closure.function), call, *closure.captured, {}};
        if (closure.self.valid()) inner.values[closure.self] = value(module_.callee(call));
        for (size_t i = 0; i < parameters.size(); ++i) {
            if (!has(arguments[i])) return refuse(call, "an argument of the call has no value here");
            inner.values[parameters[i]] = value(arguments[i]);
        }
        if (is_tail(call)) {
            inner.call = frame().call;
            frames_.pop_back();
        }
        push(std::move(inner));
        return Nothing();
    }

    /// Returns the arguments' tensors, flattened.
    Status gather(ExprId call, std::vector<Tensor>& inputs) {
        for (ExprId argument : module_.arguments(call))
            if (!flatten_value(value(argument), inputs)) return refuse(call, "an argument is no tensor");
        return Nothing();
    }

    /// Makes zeroed tensors for the parts of a type.
    Status make_outputs(ExprId call, std::vector<Tensor>& outputs) {
        std::vector<TypeId> leaves;
        if (!flatten_type(module_.types(), module_.type(call), leaves)) return refuse(call, "the result is no tensor");
        for (TypeId leaf : leaves) {
            std::span<const int64_t> shape = module_.types().shape(leaf);
            if (!element_count(shape))
                return refuse(call, "can't run: the shape " + shape_to_string(shape) + " is not known before the run");
            outputs.emplace_back(module_.types().dtype(leaf), std::vector<int64_t>(shape.begin(), shape.end()));
        }
        return Nothing();
    }

    static std::vector<TensorView> views(std::vector<Tensor>& tensors) {
        std::vector<TensorView> list;
        for (Tensor& tensor : tensors) list.push_back({tensor.bytes(), tensor.dtype(), tensor.shape()});
        return list;
    }

    template <class Execute>
    Status execute(ExprId call, Execute&& body) {
        std::vector<Tensor> inputs, outputs;
        if (Status gathered = gather(call, inputs); !gathered) return gathered;
        if (Status made = make_outputs(call, outputs); !made) return made;
        std::vector<TensorView> input_views = views(inputs), output_views = views(outputs);
        Stopwatch watch;
        if (Status done = body(input_views, output_views); !done) return done;
        if (times_) (*times_)[call] += watch.milliseconds();
        size_t next = 0;
        Result<ValuePtr> result = assemble(module_.type(call), outputs, next, call);
        if (!result) return result.error();
        finish(call, *result);
        return Nothing();
    }

    Status call_op(ExprId call, const OpRecord& op) {
        if (!op.kernel) return refuse(call, op.name + " has no kernel on default");
        return execute(call, [&](std::span<const TensorView> inputs, std::span<const TensorView> outputs) {
            return op.kernel({inputs, outputs, attributes_of(module_, call), threads_});
        });
    }

    Status call_region(ExprId call, Region& region) {
        return execute(call, [&](std::span<const TensorView> inputs, std::span<const TensorView> outputs) {
            Tensor workspace(kUInt8, {int64_t(region.compiled->workspace_bytes())});
            return region.compiled->run({inputs, outputs, threads_, nullptr, cancel_, workspace.bytes()});
        });
    }

    /// Builds a value of a type from the next tensors of a list. Types nest no deeper than the parser allows.
    Result<ValuePtr> assemble(TypeId type, const std::vector<Tensor>& tensors, size_t& next, ExprId where) const {
        const TypeTable& types = module_.types();
        if (types.is_tensor(type) && next < tensors.size()) return make_value(tensors[next++]);
        if (!types.is_tuple(type))
            return refuse(where, "can't run: a value of type " + types.to_string(type) + " can't be given");
        std::vector<ValuePtr> fields;
        for (TypeId field : types.parts(type)) {
            Result<ValuePtr> made = assemble(field, tensors, next, where);
            if (!made) return made;
            fields.push_back(*made);
        }
        return make_value(std::move(fields));
    }

    static bool flatten_value(const ValuePtr& root, std::vector<Tensor>& tensors) {
        std::vector<const Value*> stack{root.get()};
        while (!stack.empty()) {
            const Value* top = stack.back();
            stack.pop_back();
            if (auto* tensor = std::get_if<Tensor>(&top->content)) {
                tensors.push_back(*tensor);
            } else if (auto* fields = std::get_if<std::vector<ValuePtr>>(&top->content)) {
                for (size_t i = fields->size(); i-- > 0;) stack.push_back((*fields)[i].get());
            } else {
                return false;
            }
        }
        return true;
    }

    /// Returns variables that a function uses and does not bind.
    const std::vector<ExprId>& free_variables(ExprId function) {
        auto [entry, added] = free_variables_.try_emplace(function);
        if (!added) return entry->second;
        std::unordered_set<ExprId> bound;
        std::vector<ExprId> order = post_order(module_, function);
        for (ExprId id : order) {
            if (module_.kind(id) == ExprKind::Let) bound.insert(module_.operands(id)[0]);
            if (module_.kind(id) == ExprKind::Function)
                for (ExprId parameter : module_.parameters(id)) bound.insert(parameter);
        }
        for (ExprId id : order)
            if (module_.kind(id) == ExprKind::Var && !bound.count(id)) entry->second.push_back(id);
        return entry->second;
    }

    Closure close(ExprId function, ExprId self) {
        auto captured = std::make_shared<Environment>();
        for (ExprId var : free_variables(function))
            if (auto it = frame().values.find(var); it != frame().values.end()) captured->insert(*it);
        return {function, captured, self};
    }

    const Module& module_;
    RegionTable& regions_;
    ThreadPool& threads_;
    const CancelToken& cancel_;
    InterpretedTimes* times_;
    std::vector<Frame> frames_;
    ValuePtr result_;
    std::unordered_map<ExprId, std::vector<ExprId>> free_variables_;
};

}  // namespace

Result<std::vector<Tensor>> interpret(const Module& module, ExprId function, const std::vector<Tensor>& inputs,
                                      RegionTable& regions, ThreadPool& threads, const CancelToken& cancel,
                                      InterpretedTimes* times) {
    return Interpreter(module, regions, threads, cancel, times).run(function, inputs);
}

}  // namespace partita
