#include "engine/runtime/run.h"

#include <algorithm>
#include <new>
#include <unordered_map>

#include "engine/backends/backends.h"
#include "engine/ir/quantized_matrix.h"
#include "engine/program/straight_line.h"
#include "engine/runtime/interpreter.h"
#include "engine/runtime/kept_regions.h"
#include "engine/runtime/measuring_turns.h"
#include "engine/runtime/missing_operators.h"
#include "engine/runtime/parameter_values.h"
#include "engine/runtime/region_table.h"
#include "engine/runtime/run_events.h"
#include "engine/runtime/run_times.h"
#include "engine/runtime/spin_watch.h"
#include "engine/runtime/timing.h"
#include "engine/runtime/yardstick.h"
#include "engine/support/amount.h"
#include "engine/support/available_memory.h"
#include "engine/support/stopwatch.h"
#include "engine/support/thread_activity.h"

namespace partita {

namespace {

class ModuleRun {
public:
    ModuleRun(ModulePtr module, const RunOptions& options)
        : module_(std::move(module)), options_(within_limits(options)), threads_(options_.threads),
          spins_(threads_.threads()), regions_(*module_, options_), times_(*module_, regions_) {}

    Result<RunReport> run() {
        CancelLoops stop(options_.cancel);
        main_ = module_->find_function("main");
        if (!main_.valid()) return error("the module has no function @main to run");
        if (!module_->typed()) return error("the module has no types: run type inference first");
        if (Status known = check_operators(*module_, main_); !known) return known.error();
        Result<std::vector<Tensor>> inputs = parameter_values(*module_, main_, options_);
        if (!inputs) return inputs.error();
        inputs_ = *std::move(inputs);
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
            if (options_.keep_region_outputs) kept_regions_.keep(*graph);
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

    /// A backend may multiply by weights of a few bits as they are.
    static size_t least_bytes(const Tensor& weights) {
        const QuantizedMatrix* matrix = weights.quantized();
        return matrix ? matrix->integers.byte_size() + matrix->scales.byte_size() : weights.byte_size();
    }

    /// Refuses a run whose weights can't be in memory at once: found out on the way it takes a minute, or the process.
    Status check_weights() const {
        size_t bytes = 0;
        for (const Tensor& tensor : module_->constants())
            if (!tensor.in_memory()) bytes += least_bytes(tensor);
        const size_t available = available_memory();
        if (bytes <= available) return Nothing();
        return error("the run needs " + amount_text(double(bytes), "B") + " of memory for its weights; there are " +
                     amount_text(double(available), "B"));
    }

    TensorView view(Tensor& tensor) const { return {tensor.bytes(), tensor.dtype(), tensor.shape()}; }

    void fold(FlatGraph& graph) {
        known_inputs_ = values_known_before(*module_, main_, inputs_);
        report_.folded_calls = int(fold_known(*module_, graph, known_inputs_, threads_, options_.cancel).size());
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
        if (!kept_regions_.observe(*written_out)) return false;
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
        measure_yardstick();
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
            times_.add_steps(line, step_ms);
        }
        note_turns(turns);
        kept_regions_.split(report_, regions_);
        add_thread_spans(activity, began);
        const RunEvents events(*module_, regions_);
        report_.trace = events.trace(line, step_ms);
        report_.memory = events.memory_use(line);
        times_.report_steps(line.graph(), report_);
        if (line.joint_plan()) times_.report_layouts(*line.joint_plan(), report_);
        return Nothing();
    }

    /// Before the first and after the last run, so that it disturbs none.
    void measure_yardstick() {
        constexpr int kTimes = 5;
        for (int i = 0; i < kTimes && options_.yardstick && !options_.steady; ++i)
            yardstick_ms_.push_back(yardstick_.measure());
    }

    void note_turns(const MeasuringTurns& turns) {
        measure_yardstick();
        report_.warmup = turns.warmups();
        report_.repeat = turns.measured();
        report_.yardstick = summarize_times(yardstick_ms_);
    }

    double note_run(double ms, bool counts) {
        if (report_.first_run_ms == 0) report_.first_run_ms = ms;
        if (counts) times_.add_run(ms);
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

    Status run_interpreted() {
        MeasuringTurns turns(report_.warmup, repeats(), options_.steady);
        measure_yardstick();
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
            if (counts) times_.add_calls(times);
        }
        note_turns(turns);
        add_up_compiling();
        // The caller may change one of two outputs that are the same tensor, or an input.
        for (Tensor& output : report_.outputs) output = output.clone();
        times_.report_calls(report_);
        return Nothing();
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
    std::unique_ptr<JointPlan> joint_plan_;
    RunReport report_;
    KeptRegions kept_regions_;
    RunTimes times_;
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
