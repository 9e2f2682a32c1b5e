#include "engine/diff/flat_view.h"

#include <cstring>
#include <string_view>
#include <unordered_map>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/support/hash.h"

namespace partita {

namespace {

uint64_t hash_text(std::string_view text) {
    uint64_t hash = text.size();
    for (char c : text) hash = hash_combine(hash, uint8_t(c));
    return hash;
}

/// Eight bytes at a time: weights are megabytes.
uint64_t hash_bytes(const void* bytes, size_t count) {
    const char* at = static_cast<const char*>(bytes);
    uint64_t hash = count;
    for (; count >= 8; at += 8, count -= 8) {
        uint64_t word;
        std::memcpy(&word, at, 8);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29;
    }
    for (; count > 0; ++at, --count) hash = hash_combine(hash, uint8_t(*at));
    return hash_mix(hash);
}

uint64_t hash_tensor(const Tensor& tensor, const std::unordered_set<uint64_t>& known) {
    uint64_t hash = hash_text(tensor.dtype().to_string());
    for (int64_t dim : tensor.shape()) hash = hash_combine(hash, uint64_t(dim));
    if (known.count(tensor.identity())) return hash_combine(hash, tensor.identity());
    return tensor.defined() ? hash_combine(hash, hash_bytes(tensor.lent_bytes().get(), tensor.byte_size())) : hash;
}

bool is_mark(const Module& module, ExprId id) {
    const OpRecord* op = called_op_record(module, id);
    return op && (op->name == "annotation.compiler_begin" || op->name == "annotation.compiler_end");
}

/// Functions other than @main that are called at one place only, with as many arguments as they have parameters.
class SingleCalls {
public:
    /// `order` is the post-order of `functions`, the global functions of the module.
    SingleCalls(const Module& module, std::span<const ExprId> functions, std::span<const ExprId> order)
        : module_(module) {
        for (const GlobalFunction& global : module.functions()) by_name_[global.name] = global.function;
        count_uses(order);
        leave_out_unreachable(functions);
    }

    bool has(ExprId function) const { return calls_.count(function) > 0; }
    /// Returns the only call of each function.
    const std::unordered_map<ExprId, ExprId>& calls() const { return calls_; }

private:
    /// Returns the function that an expression is or names; invalid if there is none.
    ExprId function_of(ExprId id) const {
        if (module_.kind(id) == ExprKind::Function) return id;
        if (module_.kind(id) != ExprKind::GlobalVar) return ExprId();
        const auto found = by_name_.find(module_.name_id(id));
        return found == by_name_.end() ? ExprId() : found->second;
    }

    void count_uses(std::span<const ExprId> order) {
        std::unordered_map<ExprId, int> uses;
        for (ExprId id : order) {
            const std::span<const ExprId> operands = module_.operands(id);
            for (size_t i = 0; i < operands.size(); ++i) {
                const ExprId function = function_of(operands[i]);
                if (!function.valid()) continue;
                ++uses[function];
                if (module_.kind(id) == ExprKind::Call && i == 0) calls_[function] = id;
            }
        }
        const ExprId main = module_.find_function("main");
        std::erase_if(calls_, [&](const auto& entry) {
            const auto& [function, call] = entry;
            return uses[function] != 1 || function == main ||
                   module_.parameters(function).size() != module_.arguments(call).size();
        });
    }

    /// Drops functions that only recursion reaches: each chain of callers must end at a root.
    void leave_out_unreachable(std::span<const ExprId> functions) {
        const std::unordered_map<ExprId, ExprId> callers = find_callers(functions);
        for (ExprId function : functions) {
            ExprId at = function;
            size_t steps = 0;
            for (auto caller = callers.find(at); caller != callers.end() && steps <= functions.size(); ++steps) {
                at = caller->second;
                caller = callers.find(at);
            }
            if (steps > functions.size()) calls_.erase(function);
        }
    }

    /// Returns, for each function, the global function that contains its only call.
    std::unordered_map<ExprId, ExprId> find_callers(std::span<const ExprId> functions) const {
        std::unordered_map<ExprId, ExprId> callers;
        std::vector<bool> seen(module_.size());
        std::vector<ExprId> stack;
        for (ExprId function : functions) {
            stack.push_back(module_.body(function));
            while (!stack.empty()) {
                const ExprId id = stack.back();
                stack.pop_back();
                if (seen[id.value]) continue;
                seen[id.value] = true;
                if (module_.kind(id) == ExprKind::Call && module_.kind(module_.callee(id)) == ExprKind::GlobalVar)
                    if (const ExprId called = function_of(module_.callee(id)); called.valid() && has(called))
                        callers[called] = function;
                for (ExprId operand : module_.operands(id)) stack.push_back(operand);
            }
        }
        return callers;
    }

    const Module& module_;
    std::unordered_map<NameId, ExprId> by_name_;
    std::unordered_map<ExprId, ExprId> calls_;
};

}  // namespace

std::unordered_set<uint64_t> FlatView::identities(const Module& module) {
    std::unordered_set<uint64_t> found;
    for (uint32_t i = 0; i < module.size(); ++i)
        if (module.kind(ExprId(i)) == ExprKind::Constant) found.insert(module.constant(ExprId(i)).identity());
    found.erase(0);
    return found;
}

FlatView::FlatView(const Module& module, std::unordered_set<uint64_t> known)
    : module_(module), known_(std::move(known)), alias_(module.size()), node_of_(module.size(), -1),
      place_of_(module.size(), -2), region_of_(module.size()) {
    find_aliases();
    first_alias_ = alias_;
    for (size_t i = 0; i < roots_.size(); ++i) {
        for (ExprId parameter : module_.parameters(roots_[i]))
            if (node_of_[parameter.value] == -1) add_node(parameter, {});
        const ExprId body = resolve(module_.body(roots_[i]));
        walk(body);
        if (module_.kind(body) == ExprKind::Tuple) {
            uint32_t index = 0;
            for (ExprId field : module_.operands(body)) {
                const int32_t node = node_of_[resolve(field).value];
                if (node >= 0) outputs_.push_back({root_names_[i], index, uint32_t(node)});
                ++index;
            }
        } else if (node_of_[body.value] >= 0) {
            outputs_.push_back({root_names_[i], 0, uint32_t(node_of_[body.value])});
        }
    }
    // The value of a let is evaluated even if nothing uses it.
    for (ExprId value : let_values_) walk(resolve(value));
    index_uses();
    mark_places();
}

/// Resolves lets, annotations, and functions with a single call to the expressions that they stand for.
void FlatView::find_aliases() {
    std::vector<ExprId> functions;
    for (const GlobalFunction& global : module_.functions_by_name()) functions.push_back(global.function);
    const std::vector<ExprId> order = post_order(module_, functions);
    for (ExprId id : order) {
        const std::span<const ExprId> operands = module_.operands(id);
        if (is_mark(module_, id)) alias_[id.value] = operands[1];
        if (module_.kind(id) != ExprKind::Let) continue;
        alias_[operands[0].value] = operands[1];
        alias_[id.value] = operands[2];
        let_values_.push_back(operands[1]);
    }
    const SingleCalls single(module_, functions, order);
    for (const auto& [function, call] : single.calls()) {
        const std::span<const ExprId> parameters = module_.parameters(function), arguments = module_.arguments(call);
        for (size_t i = 0; i < parameters.size(); ++i) alias_[parameters[i].value] = arguments[i];
        alias_[call.value] = module_.body(function);
    }
    for (const GlobalFunction& global : module_.functions_by_name()) {
        if (single.has(global.function)) continue;
        roots_.push_back(global.function);
        root_names_.emplace_back(module_.names().text(global.name));
    }
    place_functions(order);
}

/// Records which expressions lie in functions of backends.
void FlatView::place_functions(std::span<const ExprId> order) {
    for (ExprId id : order) {
        if (module_.kind(id) != ExprKind::Function) continue;
        const std::string_view compiler = module_.function_info(id).string_attribute("Compiler");
        if (compiler.empty()) continue;
        const int32_t place = place_index(compiler);
        for (ExprId inner : post_order(module_, module_.body(id))) {
            if (place_of_[inner.value] != -2) continue;
            place_of_[inner.value] = place;
            region_of_[inner.value] = id;
        }
    }
}

int32_t FlatView::place_index(std::string_view name) {
    if (name.empty() || name == "default") return -1;
    const auto [known, is_new] = place_numbers_.try_emplace(std::string(name), int32_t(places_.size()));
    if (is_new) places_.emplace_back(name);
    return known->second;
}

ExprId FlatView::step(ExprId id) const { return alias_[id.value]; }

/// Returns the expression that `id` stands for, and compresses the path to it.
ExprId FlatView::resolve(ExprId id) {
    std::vector<ExprId> path;
    for (;;) {
        if (ExprId next = step(id); next.valid()) {
            path.push_back(id);
            id = next;
            continue;
        }
        if (module_.kind(id) != ExprKind::Projection) break;
        // A projection of a known tuple is the field itself.
        ExprId tuple = module_.operands(id)[0];
        std::vector<ExprId> below;
        for (ExprId next = step(tuple); next.valid(); next = step(tuple)) {
            below.push_back(tuple);
            tuple = next;
        }
        for (ExprId passed : below) alias_[passed.value] = tuple;
        if (module_.kind(tuple) == ExprKind::Projection) {
            // For a tuple in a tuple, the inner field comes first. Tuples nest no deeper than types do.
            const ExprId inner = resolve(tuple);
            if (inner == tuple) break;
            tuple = inner;
        }
        if (module_.kind(tuple) != ExprKind::Tuple) break;
        path.push_back(id);
        id = module_.operands(tuple)[module_.projection_index(id)];
    }
    for (ExprId passed : path) alias_[passed.value] = id;
    return id;
}

void FlatView::walk(ExprId root) {
    struct Frame {
        ExprId id;
        uint32_t next;
    };
    std::vector<Frame> stack;
    std::vector<uint32_t> operands;
    const auto is_leaf = [this](ExprId id) {
        const ExprKind kind = module_.kind(id);
        return kind == ExprKind::Op || kind == ExprKind::GlobalVar;
    };
    const auto push = [&](ExprId id) {
        if (!is_leaf(id) && node_of_[id.value] == -1) {
            node_of_[id.value] = -2;
            stack.push_back({id, 0});
        }
    };
    push(resolve(root));
    while (!stack.empty()) {
        Frame& frame = stack.back();
        std::span<const ExprId> below = module_.operands(frame.id);
        if (frame.next < below.size()) {
            const ExprId operand = resolve(below[frame.next++]);
            push(operand);
            continue;
        }
        const ExprId id = frame.id;
        stack.pop_back();
        operands.clear();
        for (ExprId operand : below) {
            const ExprId value = resolve(operand);
            // A name within its own value (a recursive function) is not an operand.
            if (is_leaf(value) || node_of_[value.value] < 0) continue;
            operands.push_back(uint32_t(node_of_[value.value]));
            parted_.push_back(mark_on_the_way(operand).valid());
        }
        add_node(id, operands);
    }
}

void FlatView::add_node(ExprId id, std::span<const uint32_t> operands) {
    FlatNode node;
    node.expr = id;
    node.label = label_of(id);
    node.name = name_of(id);
    node.operands_begin = uint32_t(operands_.size());
    node.operand_count = uint32_t(operands.size());
    operands_.insert(operands_.end(), operands.begin(), operands.end());
    node_of_[id.value] = int32_t(nodes_.size());
    nodes_.push_back(node);
}

uint64_t FlatView::label_of(ExprId id) const {
    uint64_t hash = uint64_t(module_.kind(id)) + 1;
    switch (module_.kind(id)) {
        case ExprKind::Constant: return hash_combine(hash, hash_tensor(module_.constant(id), known_));
        case ExprKind::Projection: return hash_combine(hash, module_.projection_index(id));
        case ExprKind::Call: {
            const ExprId callee = module_.callee(id);
            if (module_.kind(callee) == ExprKind::GlobalVar) return hash_combine(hash, hash_text(module_.name(callee)));
            if (module_.kind(callee) != ExprKind::Op) return hash;
            hash = hash_combine(hash, hash_text(op_registry()[OpId(module_[callee].payload)].name));
            if (module_.attributes_id(id).valid())
                for (const AttributeValue& value : module_.attributes(module_.attributes_id(id)))
                    hash = hash_combine(hash, value.hash());
            return hash;
        }
        default: return hash;
    }
}

uint64_t FlatView::name_of(ExprId id) const {
    if (module_.kind(id) == ExprKind::Var) return hash_text(module_.name(id)) | 1;
    const std::string_view label = module_.label(id);
    return label.empty() ? 0 : hash_text(label) | 1;
}

void FlatView::index_uses() {
    uses_begin_.assign(nodes_.size() + 1, 0);
    for (uint32_t operand : operands_) ++uses_begin_[operand + 1];
    for (size_t i = 1; i < uses_begin_.size(); ++i) uses_begin_[i] += uses_begin_[i - 1];
    uses_.resize(operands_.size());
    std::vector<uint32_t> next(uses_begin_.begin(), uses_begin_.end() - 1);
    for (uint32_t node = 0; node < nodes_.size(); ++node) {
        std::span<const uint32_t> below = operands(node);
        for (uint32_t k = 0; k < below.size(); ++k) uses_[next[below[k]]++] = {node, k};
    }
}

ExprId FlatView::mark_on_the_way(ExprId operand) const {
    constexpr int kLongestWay = 256;
    for (int steps = 0; operand.valid() && steps < kLongestWay; ++steps) {
        if (is_mark(module_, operand)) return operand;
        operand = first_alias_[operand.value];
    }
    return {};
}

int32_t FlatView::place_on_the_way(ExprId operand) {
    const ExprId mark = mark_on_the_way(operand);
    if (!mark.valid() || called_op_record(module_, mark)->name != "annotation.compiler_begin") return -2;
    if (!module_.attributes_id(mark).valid()) return -2;
    const std::string* compiler = module_.attributes(module_.attributes_id(mark))[0].as_string();
    return compiler ? place_index(*compiler) : -1;
}

bool FlatView::in_one_region(uint32_t node, uint32_t k) const {
    const FlatNode &user = nodes_[node], &operand = nodes_[operands(node)[k]];
    return user.place >= 0 && user.place == operand.place &&
           region_of_[user.expr.value] == region_of_[operand.expr.value] && !parted_[user.operands_begin + k];
}

/// Sets the backend of each node: that of its function; in an annotated module, that of the begin marks between the
/// node and its operands, or of an operand in the same region.
void FlatView::mark_places() {
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
        FlatNode& node = nodes_[i];
        if (place_of_[node.expr.value] >= 0) node.place = place_of_[node.expr.value];
        const ExprKind kind = module_.kind(node.expr);
        if (kind != ExprKind::Call && kind != ExprKind::Tuple && kind != ExprKind::Projection) continue;
        for (ExprId operand : module_.operands(node.expr)) {
            if (int32_t place = place_on_the_way(operand); place != -2) {
                node.place = place;
                break;
            }
            const int32_t before = node_of_[operand.value];
            if (called_op_record(module_, operand) && before >= 0 && nodes_[size_t(before)].place >= 0)
                node.place = nodes_[size_t(before)].place;
        }
    }
}

int64_t FlatView::node_of(ExprId expr) const {
    if (!expr.valid() || expr.value >= node_of_.size()) return -1;
    for (size_t steps = 0; steps <= alias_.size(); ++steps) {
        if (node_of_[expr.value] >= 0) return node_of_[expr.value];
        if (!alias_[expr.value].valid()) return -1;
        expr = alias_[expr.value];
    }
    return -1;
}

}  // namespace partita
