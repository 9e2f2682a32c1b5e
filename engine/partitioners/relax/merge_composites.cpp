#include <algorithm>
#include <numeric>

#include "engine/partitioners/relax/passes.h"
#include "engine/passes/ordered_list.h"
#include "engine/support/sentence.h"

namespace partita::relax {

namespace {

using Kind = Expression::Kind;

/// Groups of @main's bindings. A binding is named by its number; a group by one of its bindings.
class CompositeGroups {
public:
    CompositeGroups(const Rewriting& rewriting, const Function& function, const PassOptions& options,
                    std::vector<PassNote>& notes)
        : rewriting_(rewriting), notes_(notes), version_26_(options.version_26) {
        for (const Block& block : function.blocks)
            for (const Binding& binding : block.bindings) {
                if (binding.variable != kNone) place_of_[binding.variable] = uint32_t(bindings_.size());
                bindings_.push_back(&binding);
            }
        const uint32_t count = uint32_t(bindings_.size());
        parent_.resize(count);
        std::iota(parent_.begin(), parent_.end(), 0);
        next_.assign(count, kNone);
        last_ = parent_;
        seen_.assign(count, 0);
        from_.assign(count, kNone);
        compilers_.resize(count);
        kept_apart_.resize(count);
        for (uint32_t place = 0; options.group_of && place < count; ++place)
            for (uint32_t source : rewriting.sources_of(*bindings_[place]))
                kept_apart_[place] = std::max(kept_apart_[place], options.group_of(source));
        for (uint32_t place = 0; place < count; ++place) uses_.push_back(uses_of(place));
        order_ = std::make_unique<OrderedList>(parent_);
        if (version_26_) find_plain_tuples(function);
    }

    Groups find(const CancelToken& cancel) {
        for (uint32_t place = 0; place < bindings_.size() && !cancel.cancelled(); ++place) {
            const Expression& value = bindings_[place]->value;
            if (value.is(Kind::Call)) add_call(place);
            else if (value.is(Kind::Variable)) follow(place, value.index);
            else if (version_26_ && value.is(Kind::Tuple)) add_tuple(place);
            else if (version_26_ && value.is(Kind::Projection)) add_projection(place);
        }
        Groups found;
        for (uint32_t place = 0; place < bindings_.size(); ++place) {
            const uint32_t group = root(place);
            found.of.push_back(group);
            if (!compilers_[group].empty()) found.becomes[group] = {{"Codegen", python_quoted(compilers_[group])}};
        }
        return found;
    }

private:
    std::vector<uint32_t> uses_of(uint32_t place) const {
        std::vector<uint32_t> places;
        for_each_variable(bindings_[place]->value, [&](VariableNumber used) {
            if (const auto found = place_of_.find(used); found != place_of_.end()) places.push_back(found->second);
        });
        return places;
    }

    uint32_t root(uint32_t place) {
        while (parent_[place] != place) place = parent_[place] = parent_[parent_[place]];
        return place;
    }

    std::string compiler_called(uint32_t place) const {
        const Expression& value = bindings_[place]->value;
        if (!value.is_call_of(Kind::Global)) return {};
        const Function* function = rewriting_.find(value.operands[0].text);
        return function ? compiler_of(function->attribute("Composite")) : std::string();
    }

    uint32_t source(uint32_t place) const {
        const std::vector<uint32_t> sources = rewriting_.sources_of(*bindings_[place]);
        return sources.empty() ? kNone : sources.back();
    }

    void note(uint32_t place, uint32_t argument, const char* form, std::vector<uint32_t> named = {}) {
        for (uint32_t& each : named) each = source(each);
        std::erase(named, kNone);
        // A binding that is no call of the text, such as a tuple, has no name there.
        if (named.empty()) form = SENTENCE("Engine", "the argument's region is needed by another argument");
        notes_.push_back({source(place), source(argument), form, std::move(named)});
    }

    void add_call(uint32_t place) {
        compilers_[place] = compiler_called(place);
        if (compilers_[place].empty()) return;
        std::vector<uint32_t> merged;
        for (size_t i = 1; i < bindings_[place]->value.operands.size(); ++i) {
            const Expression& argument = bindings_[place]->value.operands[i];
            const auto found = argument.is(Kind::Variable) ? place_of_.find(argument.index) : place_of_.end();
            if (found == place_of_.end()) continue;
            const uint32_t group = root(found->second);
            if (compilers_[group] != compilers_[place] ||
                std::find(merged.begin(), merged.end(), group) != merged.end())
                continue;
            if (kept_apart_[group] != kept_apart_[place]) {
                notes_.push_back({source(place), source(found->second), SENTENCE("Engine", "you keep them apart"), {}});
                continue;
            }
            const uint32_t needs = needed_by_argument(place, group);
            if (needs == kNone) merged.push_back(group);
            else
                note(place, found->second,
                     SENTENCE("Engine", "the argument's region is needed by another argument, through %1"), {needs});
        }
        uint32_t group = place;
        for (uint32_t other : merged) group = unite(group, root(other));
    }

    /// Searches back from the call's other arguments for the group. Returns what leads to it, or kNone.
    uint32_t needed_by_argument(uint32_t place, uint32_t group) {
        begin_search();
        for (uint32_t used : uses_[place])
            if (root(used) != group) reach(root(used), used, group);
        while (!open_.empty()) {
            const uint32_t at = open_.back();
            open_.pop_back();
            for (uint32_t member = at; member != kNone; member = next_[member])
                for (uint32_t used : uses_[member]) {
                    const uint32_t of = root(used);
                    if (of == group) return from_[at];
                    reach(of, used, group);
                }
        }
        return kNone;
    }

    void begin_search() {
        ++search_;
        open_.clear();
        reached_.clear();
    }

    /// Only what stands behind `limit` can need it.
    void reach(uint32_t group, uint32_t through, uint32_t limit) {
        if (seen_[group] == search_ || order_->before(group, limit) || group == limit) return;
        seen_[group] = search_;
        from_[group] = through;
        open_.push_back(group);
        reached_.push_back(group);
    }

    /// Makes one of two groups of which neither needs the other through a third. What the later one needs moves before
    /// the earlier one, so that the order stays right.
    uint32_t unite(uint32_t a, uint32_t b) {
        if (a == b) return a;
        if (order_->before(b, a)) std::swap(a, b);
        begin_search();
        seen_[b] = search_;
        open_.push_back(b);
        while (!open_.empty()) {
            const uint32_t at = open_.back();
            open_.pop_back();
            for (uint32_t member = at; member != kNone; member = next_[member])
                for (uint32_t used : uses_[member]) reach(root(used), used, a);
        }
        std::sort(reached_.begin(), reached_.end(), [&](uint32_t x, uint32_t y) { return order_->before(x, y); });
        for (uint32_t each : reached_) order_->move_before(each, a);
        parent_[b] = a;
        next_[last_[a]] = b;
        last_[a] = last_[b];
        if (compilers_[a].empty()) {
            compilers_[a] = compilers_[b];
            kept_apart_[a] = kept_apart_[b];
        }
        return a;
    }

    /// A name for something else belongs to its group.
    void follow(uint32_t place, VariableNumber used) {
        const auto found = place_of_.find(used);
        if (found != place_of_.end()) unite(place, root(found->second));
    }

    // ---- tuples, from v0.26 on

    bool is_flat(TypeNumber number) const {
        if (number == kNone) return false;
        const Type& type = rewriting_.program.types[number];
        return type.kind == Type::Kind::Tuple && !type.fields.empty() &&
               std::all_of(type.fields.begin(), type.fields.end(), [&](TypeNumber field) {
                   return rewriting_.program.types[field].kind == Type::Kind::Tensor;
               });
    }

    /// A tuple whose fields all lie in one region joins it, if only fields of it are used.
    void add_tuple(uint32_t place) {
        const Binding& binding = *bindings_[place];
        if (!is_flat(rewriting_.program.variables[binding.variable].type) || !is_plain(place)) return;
        uint32_t group = kNone;
        for (const Expression& field : binding.value.operands) {
            const auto found = field.is(Kind::Variable) ? place_of_.find(field.index) : place_of_.end();
            if (found == place_of_.end()) return;
            if (group != kNone && root(found->second) != group) return;
            group = root(found->second);
        }
        if (group != kNone && !compilers_[group].empty()) unite(place, group);
    }

    void add_projection(uint32_t place) {
        const Expression& tuple = bindings_[place]->value.operands[0];
        const auto found = tuple.is(Kind::Variable) ? place_of_.find(tuple.index) : place_of_.end();
        if (found == place_of_.end() || !is_flat(rewriting_.program.type_of(tuple)) || !is_plain(found->second)) return;
        const uint32_t group = root(found->second);
        if (!compilers_[group].empty()) unite(place, group);
    }

    uint32_t original(uint32_t place) const {
        while (bindings_[place]->value.is(Kind::Variable)) {
            const auto found = place_of_.find(bindings_[place]->value.index);
            if (found == place_of_.end()) break;
            place = found->second;
        }
        return place;
    }

    bool is_plain(uint32_t place) const {
        const uint32_t of = original(place);
        return projected_[of] && !escapes_[of];
    }

    /// Which values are used by projections only, through all their names, and are not what the function returns.
    void find_plain_tuples(const Function& function) {
        escapes_.assign(bindings_.size(), false);
        projected_.assign(bindings_.size(), false);
        for (uint32_t place = 0; place < bindings_.size(); ++place) {
            const Binding& binding = *bindings_[place];
            if (binding.variable != kNone && !rewriting_.program.variables[binding.variable].is_dataflow)
                escapes_[original(place)] = true;
            if (binding.value.is(Kind::Variable)) continue;
            const bool projects = binding.value.is(Kind::Projection);
            for (uint32_t used : uses_[place]) (projects ? projected_ : escapes_)[original(used)] = true;
        }
        for_each_variable(function.result, [&](VariableNumber used) {
            if (const auto found = place_of_.find(used); found != place_of_.end())
                escapes_[original(found->second)] = true;
        });
    }

    const Rewriting& rewriting_;
    std::vector<PassNote>& notes_;
    const bool version_26_;
    std::vector<const Binding*> bindings_;
    std::unordered_map<VariableNumber, uint32_t> place_of_;
    std::vector<std::vector<uint32_t>> uses_;
    std::vector<uint32_t> parent_, next_, last_;  ///< the group of a binding; its members as a list
    std::vector<std::string> compilers_;          ///< by group; "": none
    std::vector<int> kept_apart_;                 ///< by group: a person's
    std::unique_ptr<OrderedList> order_;          ///< of groups: each behind those that it needs
    std::vector<bool> escapes_, projected_;
    std::vector<uint32_t> seen_, from_, open_, reached_;
    uint32_t search_ = 0;
};

/// Puts the composites that a region calls into it, each once, and makes its block an ordinary one.
Function with_composites_inside(Rewriting& rewriting, const Function& region) {
    Function made = region;
    std::erase_if(made.attributes, [](const auto& attribute) { return attribute.first == "Primitive"; });
    made.is_private = false;
    std::unordered_map<std::string, VariableNumber> local;
    Block inside;
    for (const Block& block : region.blocks)
        for (const Binding& binding : block.bindings) {
            Binding copy = binding;
            if (copy.variable != kNone) rewriting.program.variables[copy.variable].is_dataflow = false;
            const Function* composite =
                copy.value.is_call_of(Kind::Global) ? rewriting.find(copy.value.operands[0].text) : nullptr;
            if (composite && !composite->attribute("Composite").empty()) {
                const auto [found, is_new] = local.emplace(composite->name, kNone);
                if (is_new) {
                    Function inner = rewriting.copied(*composite);
                    inner.is_private = false;
                    std::erase_if(inner.attributes, [](const auto& a) { return a.first == "Primitive"; });
                    Binding closure;
                    closure.variable = found->second = rewriting.program.add_variable("gv", kNone);
                    closure.value.kind = Kind::Function;
                    closure.value.functions.push_back(shared(std::move(inner)));
                    inside.bindings.push_back(std::move(closure));
                }
                copy.value.operands[0] = {};
                copy.value.operands[0].kind = Kind::Variable;
                copy.value.operands[0].index = found->second;
            }
            inside.bindings.push_back(std::move(copy));
        }
    made.blocks = {std::move(inside)};
    return made;
}

/// Names regions for their compilers, and drops what nothing calls.
class Finisher {
public:
    explicit Finisher(Rewriting& rewriting) : rewriting_(rewriting) {}

    void finish(size_t main) {
        rewriting_.begin_pass();
        Function function = *rewriting_.program.functions[main];
        for (Block& block : function.blocks)
            for (Binding& binding : block.bindings) name_region(binding.value);
        drop_unused(function);
        rewriting_.replace(main, std::move(function));
        drop_functions();
    }

private:
    void name_region(Expression& call) {
        if (!call.is_call_of(Kind::Global)) return;
        const Function* region = rewriting_.find(call.operands[0].text);
        if (!region || region->attribute("Codegen").empty() || region->attribute("Primitive").empty()) return;
        const auto [found, is_new] = renamed_.emplace(region->name, std::string());
        if (is_new) {
            const std::string name = region->name + "_" + std::string(region->attribute("Codegen"));
            found->second = rewriting_.add(with_composites_inside(rewriting_, Function(*region)), name);
        }
        call.operands[0].text = found->second;
    }

    /// From the last binding up: what nothing uses goes, but for what has an effect.
    void drop_unused(Function& function) {
        std::unordered_set<VariableNumber> used;
        const auto use = [&](VariableNumber variable) { used.insert(variable); };
        for_each_variable(function.result, use);
        for (size_t i = function.blocks.size(); i-- > 0;) {
            std::vector<Binding>& bindings = function.blocks[i].bindings;
            std::vector<Binding> kept;
            for (size_t k = bindings.size(); k-- > 0;) {
                const Expression& value = bindings[k].value;
                const bool has_effect =
                    value.is_call_of(Kind::Operator) &&
                    (value.operands[0].text == "relax.call_packed" || value.operands[0].text == "relax.print");
                if (bindings[k].variable != kNone && !used.count(bindings[k].variable) && !has_effect) continue;
                for_each_variable(value, use);
                kept.push_back(std::move(bindings[k]));
            }
            std::reverse(kept.begin(), kept.end());
            bindings = std::move(kept);
        }
    }

    /// Those that others can see stay, with all that they call.
    void drop_functions() {
        std::unordered_set<std::string> kept;
        std::vector<std::string> open;
        const auto keep = [&](const std::string& name) {
            if (kept.insert(name).second) open.push_back(name);
        };
        for (const auto& function : rewriting_.program.functions)
            if (!function->is_private) keep(function->name);
        while (!open.empty()) {
            const Function* function = rewriting_.find(open.back());
            open.pop_back();
            if (function) keep_called(*function, keep);
        }
        rewriting_.keep_only(kept);
    }

    template <class Keep>
    static void keep_called(const Function& function, const Keep& keep) {
        for (const Block& block : function.blocks)
            for (const Binding& binding : block.bindings) keep_called(binding.value, keep);
        keep_called(function.result, keep);
    }
    template <class Keep>
    static void keep_called(const Expression& expression, const Keep& keep) {
        if (expression.is(Kind::Global)) keep(expression.text);
        for (const Expression& operand : expression.operands) keep_called(operand, keep);
        for (const auto& inner : expression.functions) keep_called(*inner, keep);
    }

    Rewriting& rewriting_;
    std::unordered_map<std::string, std::string> renamed_;
};

size_t main_of(const Program& program) {
    for (size_t i = 0; i < program.functions.size(); ++i)
        if (program.functions[i]->name == "main") return i;
    return 0;
}

void add_regions(const Rewriting& rewriting, const Function& function, std::vector<CompilerRegion>& regions) {
    for (const Block& block : function.blocks)
        for (const Binding& binding : block.bindings) {
            if (!binding.value.is_call_of(Kind::Global)) continue;
            const Function* called = rewriting.find(binding.value.operands[0].text);
            if (!called || called->attribute("Codegen").empty()) continue;
            regions.push_back({std::string(called->attribute("Codegen")), rewriting.sources_of(binding)});
        }
}

}  // namespace

void merge_composites(Rewriting& rewriting, const PassOptions& options, std::vector<PassNote>& notes) {
    rewriting.begin_pass();
    const size_t main = main_of(rewriting.program);
    if (main >= rewriting.program.functions.size()) return;
    const std::shared_ptr<const Function> function = rewriting.program.functions[main];
    const Groups groups = CompositeGroups(rewriting, *function, options, notes).find(options.cancel);
    rewriting.replace(main, fuse(rewriting, *function, groups, true, options.version_26));
    Finisher(rewriting).finish(main);
}

Result<PassResult> run_passes(const Program& program, std::span<const FusionPattern> patterns,
                              const PassOptions& options) {
    Rewriting rewriting(program);
    PassResult result;
    fuse_by_pattern(rewriting, patterns, options, result);
    if (options.annotates_codegen) annotate_codegen(rewriting);
    else merge_composites(rewriting, options, result.notes);
    if (options.cancel.cancelled()) return error("cancelled");
    const size_t main = main_of(rewriting.program);
    if (main < rewriting.program.functions.size())
        add_regions(rewriting, *rewriting.program.functions[main], result.regions);
    result.program = std::move(rewriting.program);
    return result;
}

}  // namespace partita::relax
