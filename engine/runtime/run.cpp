#include "engine/runtime/run.h"

#include <algorithm>
#include <deque>
#include <new>
#include <numeric>
#include <unordered_map>

#include "engine/backends/backends.h"
#include "engine/ir/narrow_types.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"
#include "engine/program/parameters.h"
#include "engine/program/straight_line.h"
#include "engine/runtime/interpreter.h"
#include "engine/runtime/measuring_turns.h"
#include "engine/runtime/missing_operators.h"
#include "engine/runtime/region_table.h"
#include "engine/runtime/spin_watch.h"
#include "engine/runtime/timing.h"
#include "engine/runtime/yardstick.h"
#include "engine/support/amount.h"
#include "engine/support/available_memory.h"
#include "engine/support/spelling.h"
#include "engine/support/stopwatch.h"
#include "engine/support/thread_activity.h"

namespace partita {

namespace {

/// The names of a parameter's flattened parts in the module, with their types.
struct InputSlot {
    std::string name;
    TypeId type;
};

/// Of a trace, and steps whose memory is told.
constexpr size_t kMostEvents = 200000;

class ModuleRun {
public:
    ModuleRun(ModulePtr module, const RunOptions& options)
        : module_(std::move(module)), options_(within_limits(options)), threads_(options_.threads),
          spins_(threads_.threads()), regions_(*module_, options_) {}

    Result<RunReport> run() {
        CancelLoops stop(options_.cancel);
        main_ = module_->find_function("main");
        if (!main_.valid()) return error("the module has no function @main to run");
        if (!module_->typed()) return error("the module has no types: run type inference first");
        if (Status known = check_operators(*module_, main_); !known) return known.error();
        if (Status taken = take_inputs(); !taken) return taken.error();
        report_.threads = threads_.threads();
        report_.warmup = std::max(options_.warmup, 0);
        report_.repeat = repeats();
        Result<FlatGraph> graph = flatten(*module_, main_, true);
        if (!graph) return graph.error();
        if (Status fits = check_weights(); !fits) return fits.error();
        bool compiled = false;
        Stopwatch watch;
        if (graph->straight_line) {
            fold(*graph);
            if (options_.keep_region_outputs) keep_region_outputs(*graph);
            compiled = plan_jointly(*graph) || compile_regions(*graph);
        }
        Status done = compiled ? run_straight(std::move(*graph), watch) : run_interpreted();
        if (!done) return done.error();
        if (options_.cancel.cancelled()) return error("cancelled");  // the last kernel may have stopped half-way
        return std::move(report_);
    }

private:
    static RunOptions within_limits(RunOptions options) {
        constexpr int kMostThreads = 256;
        options.threads = std::clamp(options.threads, 0, kMostThreads);
        return options;
    }
    void progress(double fraction, const std::string& what) const {
        if (options_.progress) options_.progress(fraction, what);
    }
    int repeats() const { return std::max(options_.repeat, 1); }

    /// Refuses a run whose weights can't be in memory at once: found out on the way it takes a minute, or the process.
    Status check_weights() const {
        size_t bytes = 0;
        for (const Tensor& tensor : module_->constants())
            if (!tensor.in_memory()) bytes += tensor.byte_size();
        const size_t available = available_memory();
        if (bytes <= available) return Nothing();
        return error("the run needs " + amount_text(double(bytes), "B") + " of memory for its weights; there are " +
                     amount_text(double(available), "B"));
    }

    Status take_inputs() {
        std::vector<InputSlot> slots;
        const TypeTable& types = module_->types();
        for (ExprId parameter : module_->parameters(main_)) {
            std::vector<TypeId> leaves;
            TypeId type = module_->type(parameter);
            std::string name(module_->name(parameter));
            if (!type.valid() || !flatten_type(types, type, leaves))
                return error("the parameter %" + name + " has the type " + types.to_string(type) +
                             ", which can't be given");
            for (TypeId leaf : leaves)
                if (!has_numbers(types.dtype(leaf)))
                    return error("the parameter %" + name + " has the element type " + types.dtype(leaf).to_string() +
                                 ", in which nothing can be computed");
            for (size_t i = 0; i < leaves.size(); ++i)
                slots.push_back({types.is_tuple(type) ? name + "." + std::to_string(i) : name, leaves[i]});
        }
        for (const auto& [name, tensor] : options_.inputs)
            if (std::none_of(slots.begin(), slots.end(),
                             [&, &n = name](const InputSlot& slot) { return slot.name == n; }))
                return unknown_input(name, slots);
        std::map<std::string, Tensor> values = make_inputs(*module_, options_.seed, options_.inputs);
        for (const InputSlot& slot : slots) {
            auto value = values.find(slot.name);
            if (value == values.end()) return no_value(slot);
            const Tensor& tensor = value->second;
            std::span<const int64_t> shape = types.shape(slot.type);
            if (!(tensor.dtype() == types.dtype(slot.type)) ||
                !std::equal(shape.begin(), shape.end(), tensor.shape().begin(), tensor.shape().end()))
                return error("the input for %" + slot.name + " is " + tensor.dtype().to_string() +
                             shape_to_string(tensor.shape()) + ", but the parameter is " + types.to_string(slot.type));
            inputs_.push_back(tensor);
        }
        return Nothing();
    }

    Diagnostic no_value(const InputSlot& slot) const {
        Result<FlatGraph> graph = flatten(*module_, main_, false);
        if (!graph) return graph.error();  // generating inputs fails for a graph that cannot run
        return error("the parameter %" + slot.name + " of type " + module_->types().to_string(slot.type) +
                     " has no value");
    }

    static Diagnostic unknown_input(const std::string& name, const std::vector<InputSlot>& slots) {
        std::vector<std::string_view> names;
        for (const InputSlot& slot : slots) names.push_back(slot.name);
        std::string_view nearest = nearest_spelling(name, names);
        std::string hint = nearest.empty() ? "" : "; did you mean %" + std::string(nearest) + "?";
        return error("@main has no parameter %" + name + hint);
    }

    TensorView view(Tensor& tensor) const { return {tensor.bytes(), tensor.dtype(), tensor.shape()}; }

    /// Records parameters that stay the same from run to run as views; others have no data.
    void find_known_inputs() {
        Result<FlatGraph> written_out = flatten(*module_, main_, false);
        std::vector<Parameter> parameters;
        if (written_out && written_out->straight_line) parameters = classify_parameters(*module_, main_, *written_out);
        for (size_t i = 0; i < inputs_.size(); ++i) {
            known_inputs_.push_back(view(inputs_[i]));
            if (i >= parameters.size() || !is_fixed(parameters[i])) known_inputs_.back().data = nullptr;
        }
    }

    void fold(FlatGraph& graph) {
        find_known_inputs();
        folded_ = fold_known(*module_, graph, known_inputs_, threads_, options_.cancel);
        report_.folded_calls = int(folded_.size());
    }

    /// Appends the results of regions to the outputs of @main.
    void keep_region_outputs(FlatGraph& graph) {
        for (const FlatStep& step : graph.steps) {
            if (step.op.valid()) continue;
            kept_regions_.push_back({step.expr, step.function, step.output_count});
            for (uint32_t k = 0; k < step.output_count; ++k) graph.outputs.push_back(step.first_output + k);
        }
    }

    /// Marks the values of these outputs in a graph with inlined regions. Returns false if a value is missing.
    bool observe_kept_regions(FlatGraph& written_out) const {
        // A call in a function that was inlined several times occurs several times here, always in the same order.
        std::unordered_map<ExprId, std::deque<std::vector<ValueId>>> made;
        for (const FlatRegion& region : written_out.regions) made[region.call].push_back(region.outputs);
        for (const FlatStep& step : written_out.steps) {
            if (step.op.valid()) continue;
            std::vector<ValueId>& values = made[step.expr].emplace_back(step.output_count);
            std::iota(values.begin(), values.end(), step.first_output);
        }
        for (const KeptRegion& region : kept_regions_) {
            std::deque<std::vector<ValueId>>& values = made[region.call];
            if (values.empty() || values.front().size() != region.count) return false;
            written_out.observed.insert(written_out.observed.end(), values.front().begin(), values.front().end());
            values.pop_front();
        }
        return true;
    }

    void split_outputs() {
        size_t kept = 0;
        for (const KeptRegion& region : kept_regions_) kept += region.count;
        size_t next = report_.outputs.size() - kept;
        for (const KeptRegion& region : kept_regions_) {
            const Region& ran = *regions_.find(region.function);
            RegionOutputs outputs{region.call, ran.report.name, {}, {}};
            for (uint32_t k = 0; k < region.count; ++k) outputs.outputs.push_back(report_.outputs[next++]);
            if (ran.beside_default) outputs.own_outputs = ran.beside_default->take_outputs();
            report_.region_outputs.push_back(std::move(outputs));
        }
        report_.outputs.resize(report_.outputs.size() - kept);
    }

    const void* known_data(const FlatGraph& graph, ValueId id) const {
        const FlatValue& value = graph.values[id];
        switch (value.source) {
            case FlatValue::Source::Input: return known_inputs_[value.index].data;
            case FlatValue::Source::Constant: return module_->constant_value(ConstantId(value.index)).bytes();
            case FlatValue::Source::Folded: return graph.folded[value.index].bytes();
            case FlatValue::Source::Step: break;
        }
        return nullptr;
    }

    /// Compiles the regions. Returns false if even `default` cannot compile one: the interpreter then runs the module.
    bool compile_regions(const FlatGraph& graph) {
        std::unordered_map<ExprId, std::vector<TensorView>> known;  // by function
        std::vector<ExprId> functions;
        for (const FlatStep& step : graph.steps) {
            if (step.op.valid()) continue;
            auto [entry, first] = known.try_emplace(step.function);
            if (first) functions.push_back(step.function);
            std::span<const ValueId> values = graph.step_inputs(step);
            for (size_t i = 0; i < values.size(); ++i) {
                void* data = const_cast<void*>(known_data(graph, values[i]));
                TypeId type = graph.values[values[i]].type;
                if (first) entry->second.push_back({data, module_->types().dtype(type), module_->types().shape(type)});
                else if (entry->second[i].data != data) entry->second[i].data = nullptr;  // calls pass different ones
            }
        }
        bool complete = true;
        for (size_t i = 0; i < functions.size(); ++i) {
            if (options_.cancel.cancelled()) return true;  // the run reports it
            progress(0.3 * double(i) / double(functions.size()), "compiling");
            complete &= regions_.compile(functions[i], std::move(known[functions[i]])).compiled != nullptr;
        }
        return complete;
    }

    /// Returns the backend of a region that can plan several together; null if there is none.
    std::unique_ptr<Backend> find_planner(const FlatGraph& graph, std::string& name) const {
        if (options_.beside_default) return nullptr;
        for (const FlatStep& step : graph.steps) {
            if (step.op.valid()) continue;
            name = regions_.executor(step.function);
            std::unique_ptr<Backend> backend = make_backend(name);
            if (backend && backend->makes_plans()) return backend;
        }
        return nullptr;
    }

    /// Compiles the regions of one backend together with everything between them. Returns false if that is not
    /// possible; each region is then compiled alone.
    bool plan_jointly(const FlatGraph& graph) {
        std::string planner;
        std::unique_ptr<Backend> backend = find_planner(graph, planner);
        if (!backend) return false;
        for (const FlatStep& step : graph.steps)
            if (!step.op.valid()) regions_.add(step.function);
        Result<FlatGraph> written_out =
            flatten(*module_, main_, [&](ExprId function) { return regions_.executor(function) != planner; });
        if (!written_out || !written_out->straight_line) return false;
        if (!observe_kept_regions(*written_out)) return false;
        fold_known(*module_, *written_out, known_inputs_, threads_, options_.cancel);
        if (!compile_regions(*written_out)) return false;
        std::vector<CompiledRegion*> kept(written_out->steps.size());
        for (size_t i = 0; i < kept.size(); ++i)
            if (!written_out->steps[i].op.valid())
                kept[i] = regions_.find(written_out->steps[i].function)->compiled.get();
        CompileOptions options;
        options.threads = options_.threads;
        options.cancel = options_.cancel;
        options.known_inputs = known_inputs_;
        Result<std::unique_ptr<CompiledPlan>> plan = backend->compile_plan(*module_, *written_out, kept, options);
        if (!plan) return false;
        for (uint32_t i = 0; i < written_out->regions.size(); ++i) {
            Region& region = regions_.add(written_out->regions[i].function);
            region.report.compile_ms += (*plan)->compile_ms(i);
            region.report.executed_by = backend->name();
            if (!region.compiled) region.compiled = JointPlan::stand_in((*plan)->notices(i));
        }
        joint_plan_ = std::make_unique<JointPlan>(std::move(*plan), std::move(written_out->regions));
        return true;
    }

    Status run_straight(FlatGraph graph, Stopwatch& watch) {
        std::vector<CompiledRegion*> regions(graph.steps.size());
        for (size_t i = 0; i < graph.steps.size(); ++i) {
            if (options_.cancel.cancelled()) return error("cancelled");
            if (!graph.steps[i].op.valid()) regions[i] = regions_.find(graph.steps[i].function)->compiled.get();
        }
        Result<std::unique_ptr<StraightLine>> made = StraightLine::make(*module_, std::move(graph), regions);
        if (!made) return made.error();
        StraightLine& line = **made;
        if (joint_plan_) line.use_plan(std::move(joint_plan_));
        add_up_compiling();
        report_.prepare_ms = std::max(0.0, watch.milliseconds() - report_.compile_ms);

        Tensor workspace(kUInt8, {int64_t(line.workspace_bytes())});
        std::vector<TensorView> input_views, output_views;
        for (Tensor& input : inputs_) input_views.push_back(view(input));
        for (ValueId value : line.graph().outputs) {
            TypeId type = line.graph().values[value].type;
            std::span<const int64_t> shape = module_->types().shape(type);
            report_.outputs.emplace_back(module_->types().dtype(type),
                                         std::vector<int64_t>(shape.begin(), shape.end()));
        }
        for (Tensor& output : report_.outputs) output_views.push_back(view(output));
        report_.peak_bytes = line.workspace_bytes();
        report_.unshared_bytes = line.unshared_bytes();
        report_.copied_bytes = line.copied_bytes();
        report_.copies = int(line.copies());

        std::vector<OpTime> op_times;  // tells regions to measure
        RegionRun run{input_views, output_views, threads_, &op_times, options_.cancel, workspace.bytes()};
        std::vector<double> step_ms(line.graph().steps.size());
        MeasuringTurns turns(report_.warmup, repeats(), options_.steady);
        ThreadActivity activity;
        ThreadActivity::Clock::time_point began;
        for (bool traced = false; !traced;) {  // after a steady measurement one more run, which does not count
            progress(0.3 + 0.7 * turns.fraction(), "running");
            spins_.look();
            traced = options_.steady ? !turns.more() : turns.last();
            if (turns.begins_block()) yardstick_ms_.push_back(yardstick_.measure());
            const bool counts = turns.more() && turns.counts();
            RecordThreads record(traced ? &activity : nullptr);
            began = ThreadActivity::Clock::now();
            Stopwatch whole;
            if (Status done = line.run(run, step_ms.data()); !done) return done;
            const double ms = note_run(whole.milliseconds(), counts);
            if (turns.more()) turns.took(ms);
            if (!counts) continue;
            collect(line, step_ms);
        }
        note_turns(turns);
        split_outputs();
        add_thread_spans(activity, began);
        make_trace(line, step_ms);
        make_memory_use(line);
        make_report(line.graph());
        if (line.joint_plan()) report_layouts(*line.joint_plan());
        return Nothing();
    }

    void note_turns(const MeasuringTurns& turns) {
        report_.warmup = turns.warmups();
        report_.repeat = turns.measured();
        report_.yardstick = summarize_times(yardstick_ms_);
    }

    double note_run(double ms, bool counts) {
        if (report_.first_run_ms == 0) report_.first_run_ms = ms;
        if (counts) whole_ms_.push_back(ms);
        return ms;
    }

    void add_up_compiling() {
        for (const Region& region : regions_.regions()) report_.compile_ms += region.report.compile_ms;
    }

    void add_thread_spans(const ThreadActivity& activity, ThreadActivity::Clock::time_point began) {
        using Milliseconds = std::chrono::duration<double, std::milli>;
        for (const ThreadActivity::Span& span : activity.spans())
            report_.thread_spans.push_back(
                {span.thread, Milliseconds(span.begin - began).count(), Milliseconds(span.end - span.begin).count()});
    }

    /// Collects the times of one run: by step for `default`, by function and its ops for regions.
    void collect(const StraightLine& line, const std::vector<double>& step_ms) {
        std::unordered_map<ExprId, double> region_ms;
        std::unordered_map<ExprId, double> op_ms;
        double default_ms = 0;
        const std::vector<FlatStep>& steps = line.graph().steps;
        for (size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].op.valid()) {
                default_ms += step_ms[i];
                continue;
            }
            region_ms[steps[i].function] += step_ms[i];
            for (const OpTime& op : line.region_op_times()[i]) {
                if (op.expr.valid()) op_ms[op.expr] += op.milliseconds;
                else (op.is_copy ? copies_ : layout_changes_)[steps[i].function].add(op.milliseconds, whole_ms_.size());
            }
        }
        step_samples_.insert(step_samples_.end(), step_ms.begin(), step_ms.end());
        default_samples_.push_back(default_ms);
        copy_samples_.push_back(line.copy_milliseconds());
        if (line.joint_plan()) collect_changes(*line.joint_plan());
        for (auto [function, time] : region_ms) region_samples_[function].push_back(time);
        for (auto [expr, time] : op_ms) op_samples_[expr].push_back(time);
    }

    void collect_changes(const JointPlan& plan) {
        change_samples_.resize(plan.plan().layouts().changes.size());
        for (const OpTime& time : plan.times())
            if (time.change < change_samples_.size()) change_samples_[time.change].push_back(time.milliseconds);
    }

    void report_layouts(const JointPlan& plan) {
        report_.layouts = plan.plan().layouts();
        for (PlanLayouts::Step& step : report_.layouts.steps) step.expr = module_->origin(step.expr);
        for (PlanLayouts::Change& change : report_.layouts.changes)
            if (change.maker.valid()) change.maker = module_->origin(change.maker);
        for (const std::vector<double>& samples : change_samples_)
            report_.layout_change_times.push_back(summarize_times(samples));
    }

    /// Work between ops, any number of times in a run.
    struct Extra {
        std::vector<double> samples;  ///< the sum for each run
        int count = 0;                ///< in the last run

        void add(double milliseconds, size_t runs) {
            if (samples.size() < runs) {
                samples.resize(runs);
                count = 0;
            }
            samples.back() += milliseconds;
            ++count;
        }
    };

    /// Returns the index of each region in the report, where they follow `default`, if it is present.
    std::unordered_map<ExprId, int> region_places(const FlatGraph& graph) const {
        bool has_default = regions_.regions().empty();
        for (const FlatStep& step : graph.steps) has_default |= step.op.valid();
        std::unordered_map<ExprId, int> index;
        int next = has_default ? 1 : 0;
        for (const Region& region : regions_.regions()) index[region.function] = next++;
        return index;
    }

    /// Names what the plan of the memory is for.
    void make_memory_use(const StraightLine& line) {
        const PlannedMemory planned = line.memory();
        if (planned.steps.size() > kMostEvents) return;
        const std::unordered_map<ExprId, int> places = region_places(line.graph());
        std::vector<ExprId> function_of;  // by step: the sub-function that it runs, or that it is inside of
        for (const PlannedMemory::Step& step : planned.steps) {
            const bool inside = step.region != FlatGraph::kNoGroup && step.region < line.plan_regions().size();
            function_of.push_back(inside ? line.plan_regions()[step.region].function : called_region(step.expr));
            MemoryUse::Step& told =
                report_.memory.steps.emplace_back(memory_step(step.expr, function_of.back(), 0, places));
            if (!inside && function_of.back().valid()) {
                told.name = regions_.find(function_of.back())->report.name;
                told.origin = ExprId();
            }
        }
        for (const PlannedMemory::Block& block : planned.blocks) {
            const size_t first = std::min<size_t>(block.first, planned.steps.size() - 1);
            MemoryUse::Step owner = memory_step(planned.steps[first].expr, function_of[first], block.output, places);
            report_.memory.blocks.push_back(
                {std::move(owner), block.bytes, block.offset, block.first, block.last, block.workspace});
        }
    }

    /// Returns the sub-function that a call is of; invalid for another expression.
    ExprId called_region(ExprId expr) const {
        const bool is_call = expr.valid() && module_->kind(expr) == ExprKind::Call && !module_->called_op(expr).valid();
        const ExprId function = is_call ? region_of_call(expr) : ExprId();
        return function.valid() && regions_.contains(function) ? function : ExprId();
    }

    /// What a region gives comes from what its function gives.
    MemoryUse::Step memory_step(ExprId expr, ExprId function, uint32_t output,
                                const std::unordered_map<ExprId, int>& places) const {
        MemoryUse::Step step;
        const auto place = places.find(function);
        step.region = place == places.end() ? 0 : place->second;
        ExprId made = expr;
        if (expr.valid() && function.valid() && called_region(expr) == function) {
            made = module_->body(function);
            if (module_->kind(made) == ExprKind::Tuple && output < module_->operands(made).size())
                made = module_->operands(made)[output];
        }
        if (!made.valid()) {
            step.name = "change of layout";
            return step;
        }
        const OpRecord* op = called_op_record(*module_, made);
        step.name = op ? op->name : "call";
        step.origin = module_->origin(made);
        return step;
    }

    /// Makes the trace.
    void make_trace(const StraightLine& line, const std::vector<double>& step_ms) {
        const std::vector<FlatStep>& steps = line.graph().steps;
        std::unordered_map<ExprId, int> index = region_places(line.graph());
        double at = 0;
        for (size_t i = 0; i < steps.size() && report_.trace.size() < kMostEvents; ++i) {
            if (steps[i].op.valid()) trace_op(steps[i], at, step_ms[i]);
            else trace_region(steps[i], at, step_ms[i], index[steps[i].function], line.region_op_times()[i]);
            at += step_ms[i];
        }
        if (line.copies() > 0)
            report_.trace.push_back(
                {"copies of outputs", at, line.copy_milliseconds(), -1, TraceEvent::Kind::Copy, {}});
    }

    void trace_op(const FlatStep& step, double start, double milliseconds) {
        report_.trace.push_back(
            {op_registry()[step.op].name, start, milliseconds, 0, TraceEvent::Kind::Op, module_->origin(step.expr)});
    }

    void trace_region(const FlatStep& step, double start, double milliseconds, int region,
                      const std::vector<OpTime>& inside) {
        report_.trace.push_back(
            {regions_.find(step.function)->report.name, start, milliseconds, region, TraceEvent::Kind::Region, {}});
        double at = start;
        for (const OpTime& op : inside) {
            report_.trace.push_back(event_inside(op, at, region));
            at += op.milliseconds;
        }
    }

    TraceEvent event_inside(const OpTime& op, double start, int region) const {
        if (op.expr.valid()) {
            const OpRecord* record = called_op_record(*module_, op.expr);
            return {record ? record->name : "call", start, op.milliseconds, region, TraceEvent::Kind::Op,
                    module_->origin(op.expr)};
        }
        if (op.is_copy) return {"copy over the border", start, op.milliseconds, region, TraceEvent::Kind::Copy, {}};
        return {"change of layout", start, op.milliseconds, region, TraceEvent::Kind::LayoutChange, {}};
    }

    OpTiming op_timing(ExprId expr, const std::vector<double>& samples) const {
        const OpRecord* op = called_op_record(*module_, expr);
        return {expr,
                module_->origin(expr),
                op ? op->name : "call",
                summarize_times(samples),
                call_flops(*module_, expr),
                bytes_of(expr)};
    }

    double bytes_of(ExprId call) const {
        double bytes = type_bytes(module_->types(), module_->type(call));
        for (ExprId operand : module_->arguments(call)) bytes += type_bytes(module_->types(), module_->type(operand));
        return bytes;
    }
    void add_op(RegionTiming& region, ExprId call, const std::vector<double>& samples) const {
        region.ops.push_back(op_timing(call, samples));
        region.flops += region.ops.back().flops;
        region.bytes += region.ops.back().bytes;
    }
    RegionTiming start_default_region() const {
        RegionTiming region;
        region.name = region.backend = region.executed_by = "default";
        region.time = summarize_times(default_samples_);
        return region;
    }

    void make_report(const FlatGraph& graph) {
        report_.time = summarize_times(whole_ms_);
        report_.copy_time = summarize_times(copy_samples_);
        RegionTiming region = start_default_region();
        size_t count = graph.steps.size();
        std::vector<double> samples;
        for (size_t i = 0; i < count; ++i) {
            if (!graph.steps[i].op.valid()) continue;
            samples.clear();
            for (size_t run = 0; run < whole_ms_.size(); ++run) samples.push_back(step_samples_[run * count + i]);
            add_op(region, graph.steps[i].expr, samples);
        }
        region.calls = int(region.ops.size());
        if (region.calls > 0 || regions_.regions().empty()) report_.regions.push_back(std::move(region));
        add_region_reports();
    }

    void add_region_reports() {
        for (Region& region : regions_.regions()) {
            RegionTiming& timing = region.report;
            timing.time = summarize_times(region_samples_[region.function]);
            Extra &changes = layout_changes_[region.function], &copies = copies_[region.function];
            timing.layout_time = summarize_times(changes.samples);
            timing.layout_changes = changes.count;
            timing.copy_time = summarize_times(copies.samples);
            timing.copies = copies.count;
            if (region.compiled) {
                for (const std::string& notice : region.compiled->notices())
                    timing.notice += (timing.notice.empty() ? "" : "; ") + notice;
                if (region.compiled->fell_back()) timing.executed_by = "default";
            }
            for (ExprId op : region.ops) {
                auto samples = op_samples_.find(op);
                if (samples == op_samples_.end()) continue;
                timing.ops.push_back(op_timing(op, samples->second));
                op_samples_.erase(samples);  // listed once, even if it is called in several places
            }
            report_.regions.push_back(std::move(timing));
        }
    }

    Status run_interpreted() {
        std::unordered_map<ExprId, std::vector<double>> samples;
        MeasuringTurns turns(report_.warmup, repeats(), options_.steady);
        while (turns.more()) {
            progress(turns.fraction(), "running");
            spins_.look();
            if (turns.begins_block()) yardstick_ms_.push_back(yardstick_.measure());
            const bool counts = turns.counts();
            InterpretedTimes times;
            Stopwatch whole;
            Result<std::vector<Tensor>> outputs =
                interpret(*module_, main_, inputs_, regions_, threads_, options_.cancel, &times);
            if (!outputs) return outputs.error();
            report_.outputs = std::move(*outputs);
            turns.took(note_run(whole.milliseconds(), counts));
            if (!counts) continue;
            for (auto [call, time] : times) samples[call].push_back(time);
        }
        note_turns(turns);
        add_up_compiling();
        // The caller may change one of two outputs that are the same tensor, or an input.
        for (Tensor& output : report_.outputs) output = output.clone();
        report_interpreted(samples);
        return Nothing();
    }

    void report_interpreted(std::unordered_map<ExprId, std::vector<double>>& samples) {
        report_.time = summarize_times(whole_ms_);
        std::vector<ExprId> calls;
        for (const auto& [call, times] : samples) calls.push_back(call);
        std::sort(calls.begin(), calls.end());
        default_samples_.assign(whole_ms_.size(), 0);
        RegionTiming region = start_default_region();
        for (ExprId call : calls) {
            const std::vector<double>& times = samples[call];
            if (!module_->called_op(call).valid()) {
                ExprId function = region_of_call(call);
                std::vector<double>& sums = region_samples_[function];
                sums.resize(whole_ms_.size());
                for (size_t i = 0; i < times.size(); ++i) sums[i] += times[i];
                continue;
            }
            for (size_t i = 0; i < times.size(); ++i) default_samples_[i] += times[i];
            add_op(region, call, times);
        }
        region.time = summarize_times(default_samples_);
        region.calls = int(region.ops.size());
        if (region.calls > 0 || regions_.regions().empty()) report_.regions.push_back(std::move(region));
        add_region_reports();
    }

    ExprId region_of_call(ExprId call) const {
        ExprId callee = module_->callee(call);
        return module_->kind(callee) == ExprKind::GlobalVar ? module_->find_function(module_->name(callee)) : callee;
    }

    const ModulePtr module_;
    const RunOptions options_;
    ThreadPool threads_;
    Yardstick yardstick_{threads_};
    std::vector<double> yardstick_ms_;
    SpinWatch spins_;
    RegionTable regions_;
    ExprId main_;
    std::vector<Tensor> inputs_;
    std::vector<TensorView> known_inputs_;
    std::vector<ExprId> folded_;
    std::unique_ptr<JointPlan> joint_plan_;
    RunReport report_;
    std::vector<double> whole_ms_, default_samples_, step_samples_, copy_samples_;
    std::unordered_map<ExprId, std::vector<double>> region_samples_, op_samples_;
    std::unordered_map<ExprId, Extra> layout_changes_, copies_;  // by function
    std::vector<std::vector<double>> change_samples_;            // by change of layout
    struct KeptRegion {
        ExprId call, function;
        uint32_t count;
    };
    std::vector<KeptRegion> kept_regions_;
};

}  // namespace

Result<RunReport> run_module(ModulePtr module, const RunOptions& options) {
    if (!module) return error("there is no module to run");
    try {
        return ModuleRun(std::move(module), options).run();
    } catch (const DataLost& lost) {
        return error(lost.what());
    } catch (const std::bad_alloc&) {
        return error("there is not enough memory for the module's tensors");
    }
}

}  // namespace partita
