#include "engine/passes/partition_graph.h"

#include <algorithm>
#include <cassert>
#include <memory>
#include <optional>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"
#include "engine/ops/registry.h"
#include "engine/passes/normalized_view.h"
#include "engine/passes/region_parameters.h"
#include "engine/passes/region_set.h"
#include "engine/passes/scopes.h"
#include "engine/passes/sub_function_names.h"
#include "engine/support/large_memory.h"

namespace partita {

namespace {

constexpr size_t kNamesInMessage = 8;

bool all_known(std::span<const TypeId> types) {
    return std::all_of(types.begin(), types.end(), [](TypeId type) { return type.valid(); });
}

/// The regions that become functions: their begins, the values that leave them, and their progress.
class RegionTable {
public:
    enum class Making : uint8_t { No, Now, Made };
    struct Entry {
        int32_t begins = 0;                           ///< and additional parameters
        int32_t first_output = -1, last_output = -1;  ///< see output(); distinct
        Making making = Making::No;
    };
    static constexpr int32_t kNoOutput = -1;

    void list_roots(const RegionSet& set) {
        fill_in_large_pages(dense_, size_t(set.size()), -1);
        size_t roots = 0;
        for (int32_t region = 0; region < set.size(); ++region) roots += set.is_root(region);
        reserve_in_large_pages(entries_, roots);
        for (int32_t region = 0; region < set.size(); ++region) {
            if (!set.is_root(region)) continue;
            dense_[size_t(region)] = int32_t(entries_.size());
            entries_.emplace_back();
        }
    }
    size_t size() const { return entries_.size(); }
    size_t output_count() const { return outputs_.size(); }
    /// Returns the region's number among the roots.
    size_t dense(int32_t region) const { return size_t(dense_[size_t(region)]); }
    Entry& operator[](int32_t region) { return entries_[dense(region)]; }
    const Entry& operator[](int32_t region) const { return entries_[dense(region)]; }

    void add_output(int32_t region, ExprId value) {
        const auto output = int32_t(outputs_.size());
        outputs_.push_back({value, kNoOutput});
        Entry& entry = (*this)[region];
        (entry.first_output < 0 ? entry.first_output : outputs_[size_t(entry.last_output)].next) = output;
        entry.last_output = output;
    }
    // for (o = table[region].first_output; o != kNoOutput; o = next_output(o)) use output(o).
    ExprId output(int32_t output) const { return outputs_[size_t(output)].value; }
    int32_t next_output(int32_t output) const { return outputs_[size_t(output)].next; }

private:
    struct Output {
        ExprId value;
        int32_t next;
    };
    std::vector<int32_t> dense_;  ///< by root region: index into entries_
    std::vector<Entry> entries_;
    std::vector<Output> outputs_;
};

/// Rewrites functions whose annotations NormalizedView shows. The walk is depth first, as TVM's: when it leaves the
/// first end of a region, it goes through all outputs of the region, and makes the region's function.
///
/// An expression in a region has an image inside the region's function. An output has a second one, the value that the
/// rest of the caller sees: the call of the sub-function, or a projection of it.
class Partitioner {
public:
    Partitioner(const Module& module, const PartitionOptions& options, DecisionLog* log)
        : from_(module), options_(options), log_(log), to_(Module::with_tables_of(module)),
          names_(module, to_, options, compilers_), copier_(module, to_), reader_(module, compilers_),
          view_(module, reader_) {
        fill_in_large_pages(state_, module.size(), State::New);
    }

    Result<Module> run();

private:
    enum class State : uint8_t { New, Entered, Done };
    enum class Demand : uint8_t {
        Ready,   ///< the walk has left it
        Pushed,  ///< a frame was pushed to walk it first
        Failed,  ///< failure_ has the reason
    };

    /// Either an expression whose operands are being walked, or a region whose outputs are.
    struct Frame {
        uint32_t what;
        uint32_t next = 0;  ///< number of an operand, or an output of the region
        bool is_region = false;
    };

    /// What is copied: all but marks.
    struct Copied {
        size_t expressions = 0, operands = 0;
    };

    Status prepare(std::span<const ExprId> roots);
    void number_begins();
    Copied find_outputs(std::span<const ExprId> order);
    Status refuse_branches(std::span<const ExprId> roots) const;
    void find_transparent();
    void reserve(const Copied& copied);

    Status walk(ExprId root);
    void pop_frame();
    bool step_expression();
    bool step_region();
    Demand demand(ExprId id);
    /// The same for an expression that `region` (or kNone) uses: a value from another region needs that region's
    /// function.
    Demand demand_operand(ExprId id, int32_t region);
    Demand demand_function(int32_t region);
    Demand fail(Diagnostic diagnostic) {
        failure_ = std::move(diagnostic);
        return Demand::Failed;
    }

    void leave(ExprId id);
    void leave_begin(ExprId id, int32_t region);
    ExprId strip_inner_marks(ExprId id, int32_t region) const;
    ExprId outside_value(ExprId id) const;
    ExprId inside_value(ExprId id, int32_t region);
    ExprId parameter(int32_t region, ExprId origin, ExprId argument, int32_t index, TypeId type);
    ExprId origin_of(ExprId id) const;
    void log_constant(int32_t region, ExprId constant);
    bool is_dropped(ExprId id, int32_t region) const;
    bool is_constant(ExprId made) const;
    bool make_function(int32_t region);
    ExprId make_callee(int32_t region, ExprId body);
    void collect_parameters(int32_t region);
    void collect_outputs(int32_t region);
    std::string description(int32_t region) const;
    Diagnostic depends_on_itself(ExprId id, int32_t region) const;
    void log_function(int32_t region, const std::string& name);

    const std::string& compiler_name(int32_t region) const { return compilers_.name(set_->compiler(region)); }

    const Module& from_;
    const PartitionOptions& options_;
    DecisionLog* log_;
    Module to_;
    CompilerNames compilers_;
    SubFunctionNames names_;
    ModuleCopier copier_;
    MarkReader reader_;
    NormalizedView view_;
    std::vector<State> state_;
    std::unique_ptr<RegionSet> set_;
    RegionTable regions_;
    std::unique_ptr<RegionParameters> region_parameters_;  ///< by index into regions_
    /// By expression. For a begin that the walk has not left: its place in its region. For an output of a region whose
    /// function is made: its value outside the region, an ExprId.
    std::vector<uint32_t> place_or_outside_;
    std::vector<std::vector<OpId>> transparent_;  ///< by compiler
    std::vector<Frame> stack_;
    Diagnostic failure_;
    struct {
        std::vector<ExprId> operands, parameters, arguments, outputs, fields;
        std::vector<TypeId> types;
    } making_;  ///< parts of the current expression or function
};

Status Partitioner::prepare(std::span<const ExprId> roots) {
    std::vector<ExprId> order = view_.post_order(roots);
    Result<RegionSet> set = RegionSet::build(view_, roots, order);
    if (!set) return set.error();
    set_ = std::make_unique<RegionSet>(std::move(*set));
    set_->settle();
    number_begins();
    const Copied copied = find_outputs(order);
    if (Status refused = refuse_branches(roots); !refused) return refused;
    set_->drop_lists();
    find_transparent();
    reserve(copied);
    return Nothing();
}

/// Reserves enough for one parameter per begin.
void Partitioner::reserve(const Copied& copied) {
    if (log_) log_->expect(regions_.size());
    size_t begins = size_t(set_->size()), outputs = regions_.output_count(), regions = regions_.size();
    size_t more = outputs > regions ? 2 * outputs : 0;
    to_.reserve(to_.size() + copied.expressions + begins + 3 * regions + more,
                copied.operands + 2 * begins + 2 * regions + more);
    if (regions == 0) return;
    size_t digits = std::to_string(begins).size(), prefix = names_.prefix(0, set_->compiler(0)).size();
    size_t compiler = compiler_name(0).size();
    to_.reserve_functions(regions, regions + begins, regions * (prefix + digits) + begins * (compiler + digits + 4));
}

void Partitioner::number_begins() {
    if (set_->size() == 0) return;
    fill_in_large_pages(place_or_outside_, from_.size());
    regions_.list_roots(*set_);
    for (int32_t root = 0; root < set_->size(); ++root) {
        if (!set_->is_root(root)) continue;
        for (int32_t b = root; b != RegionSet::kNone; b = set_->next_begin(b))
            place_or_outside_[set_->begin(b).value] = uint32_t(regions_[root].begins++);
    }
    region_parameters_ = std::make_unique<RegionParameters>(regions_.size());
}

/// Returns how much of the order is copied; nothing if there are no regions.
Partitioner::Copied Partitioner::find_outputs(std::span<const ExprId> order) {
    Copied copied;
    if (set_->size() == 0) return copied;
    std::vector<bool> used_outside(from_.size());  // ends that do more than join two parts of one region
    std::vector<std::pair<int32_t, ExprId>> without_end;
    for (ExprId id : order) {
        int32_t region = set_->settled_region_of(id);
        if (view_.mark(id) == Mark::None) {
            ++copied.expressions;
            copied.operands += view_.operands(id).size();
        }
        bool marks_operands = view_.is_tuple_of_ends(id) && view_.compiler(id) != CompilerNames::kDefault;
        for (ExprId operand : view_.operands(id)) {
            int32_t of_operand = set_->settled_region_of(operand);
            if (of_operand == RegionSet::kNone || of_operand == region) continue;
            if (marks_operands || view_.mark(operand) == Mark::End) used_outside[operand.value] = true;
            else without_end.push_back({of_operand, operand});
        }
    }
    std::vector<bool> known(from_.size());
    auto add_output = [&](int32_t region, ExprId output) {
        output = strip_inner_marks(output, region);
        if (known[output.value]) return;
        known[output.value] = true;
        regions_.add_output(region, output);
    };
    for (int32_t root = 0; root < set_->size(); ++root) {
        if (!set_->is_root(root)) continue;
        for (int32_t e = set_->first_end(root); e != RegionSet::kNone; e = set_->next_end(e))
            if (used_outside[set_->end(e).value]) add_output(root, set_->end(e));
    }
    for (auto [region, output] : without_end) add_output(region, output);
    return copied;
}

/// A region's function computes all of its outputs: some of one branch and some of another, or of none, would make it
/// run where it is not taken.
Status Partitioner::refuse_branches(std::span<const ExprId> roots) const {
    size_t functions = 0;
    bool any = false;
    for (ExprId id(0); id.value < from_.size() && !any; ++id.value) {
        functions += from_.kind(id) == ExprKind::Function && !is_composite(from_, id);
        any = from_.kind(id) == ExprKind::If || functions > from_.functions().size();
    }
    if (!any || regions_.size() == 0) return Nothing();
    const ScopeTable scopes(from_, post_order(from_, roots));
    for (int32_t root = 0; root < set_->size(); ++root) {
        if (!set_->is_root(root)) continue;
        std::optional<uint32_t> place;
        for (int32_t o = regions_[root].first_output; o != RegionTable::kNoOutput; o = regions_.next_output(o)) {
            ExprId value = regions_.output(o);
            while (reader_.mark(value) == Mark::End) value = reader_.operand(value);
            if (place.value_or(scopes.place(value)) != scopes.place(value))
                return error(description(root) +
                                 " has operators of a branch together with others: the branch would run where it is "
                                 "not taken",
                             from_.position(set_->begin(root)));
            place = scopes.place(value);
        }
    }
    return Nothing();
}

void Partitioner::find_transparent() {
    transparent_.resize(compilers_.size());
    for (const auto& [backend, ops] : options_.transparent) {
        size_t compiler = size_t(compilers_.number(backend));
        if (compiler >= transparent_.size()) transparent_.resize(compiler + 1);
        for (const std::string& op : ops)
            if (OpId id = op_registry().find(op); id.valid()) transparent_[compiler].push_back(id);
    }
}

ExprId Partitioner::strip_inner_marks(ExprId id, int32_t region) const {
    while (region != RegionSet::kNone && set_->settled_region_of(id) == region && view_.mark(id) == Mark::End)
        id = view_.marked(id);
    return id;
}

ExprId Partitioner::outside_value(ExprId id) const {
    int32_t region = set_->settled_region_of(id);
    if (region == RegionSet::kNone) return copier_.image(id);
    return ExprId(place_or_outside_[strip_inner_marks(id, region).value]);
}

bool Partitioner::is_constant(ExprId made) const {
    if (to_.kind(made) == ExprKind::Constant) return true;
    if (to_.kind(made) != ExprKind::Tuple) return false;
    std::span<const ExprId> fields = to_.operands(made);
    return std::all_of(fields.begin(), fields.end(),
                       [&](ExprId field) { return to_.kind(field) == ExprKind::Constant; });
}

/// Returns the value of `argument` inside a region: one parameter for each origin, or the constant itself.
ExprId Partitioner::parameter(int32_t region, ExprId origin, ExprId argument, int32_t index, TypeId type) {
    if (ExprId known = region_parameters_->find(regions_.dense(region), origin); known.valid()) return known;
    assert(regions_[region].making != RegionTable::Making::Made);
    if (options_.bind_constants && is_constant(argument)) {
        if (log_) log_constant(region, argument);
        region_parameters_->add(regions_.dense(region), {origin, argument, ExprId()});
        return argument;
    }
    ExprId var = to_.add_var(names_.parameter(set_->compiler(region), set_->number(region), index), type);
    region_parameters_->add(regions_.dense(region), {origin, var, argument});
    return var;
}

void Partitioner::log_constant(int32_t region, ExprId constant) {
    Decision decision;
    decision.pass = PassKind::Partition;
    decision.kind = DecisionKind::ConstantBound;
    decision.subject = to_.origin(constant);
    decision.region = set_->number(region);
    decision.rule = compiler_name(region);
    log_->add(std::move(decision));
}

/// Returns the value inside of marks.
ExprId Partitioner::origin_of(ExprId id) const {
    while (view_.mark(id) != Mark::None) id = view_.marked(id);
    return id;
}

/// Makes the parameter for a begin.
void Partitioner::leave_begin(ExprId id, int32_t region) {
    ExprId operand = strip_inner_marks(view_.marked(id), region);
    if (set_->settled_region_of(operand) == region) {
        copier_.set_image(id, copier_.image(operand));
        return;
    }
    ExprId made = parameter(region, origin_of(operand), outside_value(operand), int32_t(place_or_outside_[id.value]),
                            from_.type(id));
    copier_.set_image(id, made);
}

/// Returns the value of an operand of an expression in `region` (or in none).
ExprId Partitioner::inside_value(ExprId id, int32_t region) {
    id = strip_inner_marks(id, region);
    int32_t of_operand = set_->settled_region_of(id);
    if (of_operand == region) return copier_.image(id);
    ExprId value = outside_value(id);
    if (region == RegionSet::kNone) return value;
    switch (to_.kind(value)) {
        case ExprKind::Op:
        case ExprKind::GlobalVar:
        case ExprKind::Function:
        case ExprKind::Constant: return value;
        default: break;
    }
    return parameter(region, origin_of(id), value, regions_[region].begins++, from_.type(id));
}

bool Partitioner::is_dropped(ExprId id, int32_t region) const {
    if (region == RegionSet::kNone || from_.kind(id) != ExprKind::Call || from_.operands(id).size() != 2) return false;
    const std::vector<OpId>& ops = transparent_[size_t(set_->compiler(region))];
    return !ops.empty() && std::find(ops.begin(), ops.end(), from_.called_op(id)) != ops.end() &&
           from_.type(id) == from_.type(view_.operands(id)[1]);
}

void Partitioner::leave(ExprId id) {
    int32_t region = set_->settled_region_of(id);
    Mark mark = view_.mark(id);
    if (mark == Mark::Begin && region != RegionSet::kNone) {
        leave_begin(id, region);
    } else if (mark == Mark::End && region != RegionSet::kNone) {
        // An end has no image: its users call outside_value.
    } else if (is_dropped(id, region)) {
        copier_.set_image(id, inside_value(view_.operands(id)[1], region));
    } else if (const std::string* name =
                   from_.kind(id) == ExprKind::GlobalVar ? names_.renamed(from_.name_id(id)) : nullptr) {
        ExprId made = to_.add_global_var(*name);
        to_.set_type(made, from_.type(id));
        copier_.set_image(id, made);
    } else {
        making_.operands.clear();
        for (ExprId operand : view_.operands(id)) making_.operands.push_back(inside_value(operand, region));
        ExprId like = view_.is_tuple_of_ends(id) ? view_.tuple(id) : id;
        copier_.set_image(id, to_.add_like(from_, like, making_.operands));
    }
}

Partitioner::Demand Partitioner::demand(ExprId id) {
    State state = state_[id.value];
    if (state == State::Done) return Demand::Ready;
    if (state == State::Entered) return fail(depends_on_itself(id, set_->settled_region_of(id)));
    if (view_.operands(id).empty()) {
        leave(id);
        state_[id.value] = State::Done;
        return Demand::Ready;
    }
    state_[id.value] = State::Entered;
    stack_.push_back({id.value});
    return Demand::Pushed;
}

Partitioner::Demand Partitioner::demand_function(int32_t region) {
    RegionTable::Making& making = regions_[region].making;
    if (making == RegionTable::Making::Made) return Demand::Ready;
    if (making == RegionTable::Making::Now) return fail(depends_on_itself(ExprId(), region));
    making = RegionTable::Making::Now;
    stack_.push_back({uint32_t(region), uint32_t(regions_[region].first_output), true});
    return Demand::Pushed;
}

Partitioner::Demand Partitioner::demand_operand(ExprId id, int32_t region) {
    id = strip_inner_marks(id, region);
    Demand left = demand(id);
    if (left != Demand::Ready) return left;
    int32_t of_operand = set_->settled_region_of(id);
    if (of_operand == RegionSet::kNone || of_operand == region) return Demand::Ready;
    return demand_function(of_operand);
}

/// Frees the memory of a deep stack on the way out, when functions begin to need it.
void Partitioner::pop_frame() {
    constexpr size_t kKept = size_t(1) << 12;
    stack_.pop_back();
    if (stack_.capacity() <= kKept || stack_.size() * 4 > stack_.capacity()) return;
    std::vector<Frame> smaller;
    smaller.reserve(stack_.size() * 2);
    smaller.assign(stack_.begin(), stack_.end());
    stack_ = std::move(smaller);
}

bool Partitioner::step_expression() {
    ExprId id(stack_.back().what);
    int32_t region = set_->settled_region_of(id);
    std::span<const ExprId> operands = view_.operands(id);
    size_t frame = stack_.size() - 1;
    for (uint32_t next = stack_[frame].next; next < operands.size(); ++next) {
        Demand demanded = demand_operand(operands[next], region);
        if (demanded == Demand::Ready) continue;
        stack_[frame].next = next;
        return demanded != Demand::Failed;
    }
    leave(id);
    state_[id.value] = State::Done;
    pop_frame();
    return true;
}

bool Partitioner::step_region() {
    int32_t region = int32_t(stack_.back().what);
    for (int32_t output = int32_t(stack_.back().next); output != RegionTable::kNoOutput;
         output = regions_.next_output(output)) {
        stack_.back().next = uint32_t(output);
        Demand demanded = demand(regions_.output(output));
        if (demanded != Demand::Ready) return demanded != Demand::Failed;
    }
    pop_frame();
    return make_function(region);
}

Status Partitioner::walk(ExprId root) {
    demand(root);
    while (!stack_.empty()) {
        bool stepped = stack_.back().is_region ? step_region() : step_expression();
        if (!stepped) return failure_;
    }
    return Nothing();
}

/// Makes the function of making_.parameters with the given body. Returns the callee; invalid if its name is taken.
ExprId Partitioner::make_callee(int32_t region, ExprId body) {
    const std::string name = names_.region(set_->function(region), set_->compiler(region), set_->number(region));
    if (log_) log_function(region, name);
    const Result<ExprId> callee = names_.add(name, set_->compiler(region), making_.parameters, body);
    if (callee) return *callee;
    fail(error("region " + std::to_string(set_->number(region)) + " of @" + names_.function(set_->function(region)) +
               " can't become a function: " + callee.error().message));
    return ExprId();
}

void Partitioner::collect_parameters(int32_t region) {
    making_.parameters.clear();
    making_.arguments.clear();
    region_parameters_->for_each(regions_.dense(region), [&](const RegionParameters::Parameter& parameter) {
        if (!parameter.argument.valid()) return;
        making_.parameters.push_back(parameter.value);
        making_.arguments.push_back(parameter.argument);
    });
}

void Partitioner::collect_outputs(int32_t region) {
    making_.outputs.clear();
    making_.fields.clear();
    making_.types.clear();
    for (int32_t o = regions_[region].first_output; o != RegionTable::kNoOutput; o = regions_.next_output(o)) {
        making_.outputs.push_back(regions_.output(o));
        making_.fields.push_back(copier_.image(making_.outputs.back()));
        making_.types.push_back(from_.type(making_.outputs.back()));
    }
}

bool Partitioner::make_function(int32_t region) {
    collect_parameters(region);
    collect_outputs(region);
    ExprId body = making_.fields[0];
    TypeId type = making_.types[0];
    if (making_.fields.size() > 1) {
        type = all_known(making_.types) ? to_.types().tuple(making_.types) : TypeId();
        body = to_.add_tuple(making_.fields, type);
    }
    ExprId callee = make_callee(region, body);
    if (!callee.valid()) return false;
    ExprId call = to_.add_call(callee, making_.arguments, {}, type);
    if (making_.fields.size() == 1) {
        place_or_outside_[making_.outputs[0].value] = call.value;
    } else {
        for (size_t i = 0; i < making_.fields.size(); ++i)
            place_or_outside_[making_.outputs[i].value] =
                to_.add_projection(call, uint32_t(i), from_.type(making_.outputs[i])).value;
    }
    region_parameters_->release(regions_.dense(region));
    regions_[region].making = RegionTable::Making::Made;
    return true;
}

void Partitioner::log_function(int32_t region, const std::string& name) {
    Decision decision;
    decision.pass = PassKind::Partition;
    decision.kind = DecisionKind::SubFunctionMade;
    decision.subject = from_.origin(making_.outputs[0]);
    if (!decision.subject.valid()) {
        const ExprId passed = origin_of(making_.outputs[0]);
        decision.other = from_.origin(view_.is_tuple_of_ends(passed) ? view_.tuple(passed) : passed);
    }
    decision.region = set_->number(region);
    decision.rule = compiler_name(region);
    decision.detail = as_it_is(name);
    log_->add(std::move(decision));
}

std::string Partitioner::description(int32_t region) const {
    return "region " + std::to_string(set_->number(region)) + " of @" + names_.function(set_->function(region)) + " (" +
           compiler_name(region) + ")";
}

/// Reports the cycle: the regions that the walk is inside of, from the region (or expression) on.
Diagnostic Partitioner::depends_on_itself(ExprId id, int32_t region) const {
    std::string path;
    size_t names = 0;
    for (size_t i = stack_.size(); i-- > 0 && names <= kNamesInMessage;) {
        const Frame& frame = stack_[i];
        bool is_start = id.valid() ? !frame.is_region && ExprId(frame.what) == id
                                   : frame.is_region && int32_t(frame.what) == region;
        if (is_start) break;
        if (frame.is_region) continue;
        const OpRecord* op = called_op_record(from_, ExprId(frame.what));
        bool is_mark = view_.mark(ExprId(frame.what)) != Mark::None || view_.is_tuple_of_ends(ExprId(frame.what));
        if (!op || is_mark) continue;
        path += names == 0 ? "" : names == kNamesInMessage ? ", ..." : ", ";
        if (names++ < kNamesInMessage) path += op->name;
    }
    if (region == RegionSet::kNone)
        return error("an expression depends on itself" + (path.empty() ? "" : " through " + path));
    std::string message = description(region) + " depends on itself";
    if (!path.empty()) message += " through " + path;
    return error(message + ": it would have to run before and after itself", from_.position(set_->begin(region)));
}

Result<Module> Partitioner::run() {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : from_.functions()) {
        if (is_opaque_function(from_, global.function)) continue;
        roots.push_back(global.function);
        names_.add_function(from_.names().text(global.name));
    }
    if (Status prepared = prepare(roots); !prepared) return prepared.error();
    for (const GlobalFunction& global : from_.functions()) {
        if (Status walked = walk(global.function); !walked) return walked.error();
        ExprId made = copier_.image(global.function);
        const std::string* renamed = names_.renamed(global.name);
        if (!renamed) {
            to_.set_function(from_.names().text(global.name), made);
            continue;
        }
        for (auto& [key, value] : to_.function_info(made).attributes)
            if (key == "global_symbol") value = AttributeValue(*renamed);
        to_.set_function(*renamed, made);
    }
    to_.set_typed(from_.typed());
    return std::move(to_);
}

}  // namespace

Result<Module> partition_graph(const Module& module, const PartitionOptions& options, DecisionLog* log) {
    return Partitioner(module, options, log).run();
}

}  // namespace partita
