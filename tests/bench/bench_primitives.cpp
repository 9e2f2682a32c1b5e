// Compares a run with oneDNN's own best: the sum of the module's primitives, each run alone and repeatedly.
//
//   bench_primitives [--threads 1,2] [--backends dnnl] [--rounds N] [--verbose] FILE...
//
//   cmake --build --preset release --target bench_primitives
//   build/release/tests/bench_primitives build/onnxruntime/{squeezenet,resnet50}.onnx
//
// The primitives are those of the whole module given to oneDNN, without reorders. Layout changes, copies and the
// executor count against the run, and so does everything that the run leaves to `default` because of its backend's
// rules. Each primitive is tried in all implementations that oneDNN has for it, with operands in the layouts that the
// implementation prefers; convolutions directly. (Those on the program's own kernels have no primitive.) The fastest is
// timed alternately with whole runs, in the same process. There are two sums:
//
//   warm   each primitive repeatedly: all its operands are in the cache, as in benchdnn by default;
//   cold   one primitive after the other in the order of the graph, its data touched before: its data are in the
//          cache, as a producer leaves them, and its weights as far away as in a whole model, as in benchdnn
//          with --cold-cache=wei. A run can't do better than that.
//
// Rounds in which other programs took the processors are repeated, up to five times as many. Prints a Markdown table of
// medians over rounds. With --verbose, also each primitive.
#include <omp.h>
#include <dnnl.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <string>

#include "engine/backends/dnnl/lowering.h"
#include "engine/program/parameters.h"
#include "engine/runtime/spin_watch.h"
#include "engine/runtime/timing.h"
#include "engine/session/session.h"
#include "engine/support/stopwatch.h"

namespace partita {

namespace {

using dnnl::memory;
using onednn::Program;
using onednn::ProgramStep;

struct Options {
    std::vector<int> threads{1, 2};
    std::string backend = "dnnl";
    int rounds = 5;
    bool verbose = false;
    std::vector<std::string> files;
};

std::string implementation_of(const_dnnl_primitive_desc_t description) {
    const char* name = nullptr;
    dnnl_primitive_desc_query(description, dnnl_query_impl_info_str, 0, &name);
    return name ? name : "";
}

/// Returns how long threads of this process have been ready to run without a processor since they started.
double milliseconds_without_processor() {
    double sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task")) {
        std::ifstream file(entry.path() / "schedstat");
        double ran = 0, waited = 0;
        if (file >> ran >> waited) sum += waited / 1e6;
    }
    return sum;
}

/// A primitive with operands of its own.
class LonePrimitive {
public:
    /// `like`: the corresponding step of a program, which defines the arguments.
    LonePrimitive(dnnl_primitive_desc_t description, const ProgramStep& like, const dnnl::engine& engine)
        : implementation_(implementation_of(description)), like_(&like) {
        dnnl_primitive_t primitive = nullptr;
        dnnl::error::wrap_c_api(dnnl_primitive_create(&primitive, description), "no primitive");
        primitive_ = dnnl::primitive(primitive);
        for (const auto& [argument, given] : like.arguments)
            if (argument != DNNL_ARG_SCRATCHPAD)
                take(argument, dnnl_primitive_desc_query_md(description, dnnl_query_exec_arg_md, argument), engine);
        take(DNNL_ARG_SCRATCHPAD, dnnl_primitive_desc_query_md(description, dnnl_query_scratchpad_md, 0), engine);
    }

    const std::string& implementation() const { return implementation_; }

    /// Times executions, repeated until they take this long together.
    Timing time(dnnl::stream& stream, double at_least) {
        execute(stream);
        std::vector<double> times;
        for (double sum = 0; sum < at_least || times.size() < 3; sum += times.back()) {
            Stopwatch watch;
            execute(stream);
            times.push_back(watch.milliseconds());
        }
        return summarize_times(times);
    }

    /// Returns the time of one execution, in ms, after its data were read, but not its weights.
    double time_with_cold_weights(dnnl::stream& stream) {
        for (const auto& [data, bytes] : data_) touch(data, bytes);
        Stopwatch watch;
        execute(stream);
        return watch.milliseconds();
    }

private:
    static void touch(const void* data, size_t bytes) {
        constexpr size_t kCacheLine = 64;
        const volatile char* at = static_cast<const volatile char*>(data);
        // Each thread reads a part, like that which a producer wrote; this also keeps the threads awake, as in a run.
#pragma omp parallel for schedule(static)
        for (size_t i = 0; i < bytes; i += kCacheLine) static_cast<void>(at[i]);
    }

    void take(int argument, const dnnl_memory_desc_t* wanted, const dnnl::engine& engine) {
        if (!wanted || wanted->ndims == 0) return;
        memory::desc desc(*wanted);
        size_t bytes = desc.get_size();
        void* data = pool_.take(std::max<size_t>(bytes, 1));
        if (desc.data_type() == memory::data_type::f32)
            std::fill_n(static_cast<float*>(data), bytes / sizeof(float), 0.01f);
        else std::memset(data, 1, bytes);
        arguments_[argument] = memory(desc, engine, data);
        bool is_weights = argument == DNNL_ARG_WEIGHTS || argument == DNNL_ARG_BIAS;
        if (!is_weights) data_.emplace_back(data, bytes);
    }
    void execute(dnnl::stream& stream) {
        primitive_.execute(stream, arguments_);
        stream.wait();
    }

    std::string implementation_;
    const ProgramStep* like_;
    dnnl::primitive primitive_;
    std::unordered_map<int, memory> arguments_;
    std::vector<std::pair<const void*, size_t>> data_;  ///< everything except weights
    MemoryPool pool_;
};

/// The operation of a step's primitive, with unspecified layouts of its weights.
class Descriptions {
public:
    explicit Descriptions(const_dnnl_primitive_desc_t chosen) {
        const_dnnl_op_desc_t asked = nullptr;
        if (dnnl_primitive_desc_query(chosen, dnnl_query_op_d, 0, &asked) != dnnl_success || !asked) return;
        dnnl_primitive_kind_t kind{};
        dnnl_primitive_desc_query(chosen, dnnl_query_primitive_kind, 0, &kind);
        if (kind == dnnl_convolution) {
            convolution_ = *static_cast<const dnnl_convolution_desc_t*>(asked);
            convolution_.alg_kind = dnnl_convolution_direct;
            list_.push_back(&convolution_);
        } else if (kind == dnnl_inner_product) {
            inner_product_ = *static_cast<const dnnl_inner_product_desc_t*>(asked);
            inner_product_.weights_desc.format_kind = dnnl_format_kind_any;
            list_ = {asked, &inner_product_};
        } else {
            list_.push_back(asked);
        }
    }
    std::span<const const_dnnl_op_desc_t> list() const { return list_; }

private:
    dnnl_convolution_desc_t convolution_{};
    dnnl_inner_product_desc_t inner_product_{};
    std::vector<const_dnnl_op_desc_t> list_;
};

/// The fastest implementation of a step's operation.
class BestImplementation {
public:
    BestImplementation(const ProgramStep& step, Program& program) : step_(step), program_(program) {}

    std::unique_ptr<LonePrimitive> find() {
        const_dnnl_primitive_desc_t chosen = step_.primitive.get_primitive_desc();
        dnnl_primitive_desc_t same = nullptr;
        dnnl_primitive_desc_clone(&same, chosen);
        offer(same);
        const_dnnl_primitive_attr_t attributes = nullptr;
        dnnl_primitive_desc_get_attr(chosen, &attributes);
        Descriptions descriptions(chosen);
        for (const_dnnl_op_desc_t description : descriptions.list()) offer_all(description, attributes);
        return std::move(best_);
    }

private:
    void offer_all(const_dnnl_op_desc_t description, const_dnnl_primitive_attr_t attributes) {
        dnnl_primitive_desc_iterator_t iterator = nullptr;
        if (dnnl_primitive_desc_iterator_create(&iterator, description, attributes, program_.engine().get(), nullptr) !=
            dnnl_success)
            return;
        do offer(dnnl_primitive_desc_iterator_fetch(iterator));
        while (dnnl_primitive_desc_iterator_next(iterator) == dnnl_success);
        dnnl_primitive_desc_iterator_destroy(iterator);
    }

    /// Tries an implementation. Takes ownership of the description.
    void offer(dnnl_primitive_desc_t description) {
        if (!description) return;
        constexpr double kMeasured = 4;
        bool slow = best_ && implementation_of(description).starts_with("ref");
        if (!slow) {
            auto candidate = std::make_unique<LonePrimitive>(description, step_, program_.engine());
            double time = candidate->time(program_.stream(), kMeasured).minimum;
            if (!best_ || time < best_ms_) {
                best_ = std::move(candidate);
                best_ms_ = time;
            }
        }
        dnnl_primitive_desc_destroy(description);
    }

    const ProgramStep& step_;
    Program& program_;
    std::unique_ptr<LonePrimitive> best_;
    double best_ms_ = 0;
};

Result<ModulePtr> partition(const ModulePtr& module, const std::string& backend) {
    FlowOptions options;
    options.log_decisions = false;
    Result<BackendDescription> description = load_backend(backend);
    if (!description) return description.error();
    options.backends.push_back(std::move(*description));
    Result<FlowResult> flow = run_flow(module, options);
    if (!flow) return flow.error();
    return flow->last();
}

/// The module as a single oneDNN program.
class LoneProgram {
public:
    static Result<std::unique_ptr<LoneProgram>> make(ModulePtr module, const std::map<std::string, Tensor>& inputs,
                                                     int threads) {
        ExprId main = module->find_function("main");
        Result<FlatGraph> graph = flatten(*module, main, false);
        if (!graph) return graph.error();
        if (!graph->straight_line) return error("oneDNN can't run a module with control flow");
        std::unique_ptr<LoneProgram> made(new LoneProgram(std::move(module), std::move(*graph), inputs));
        if (Status done = made->lower(main, threads); !done) return done.error();
        return made;
    }

    Program& program() { return program_; }

    /// Returns the median time of each step in the sequence.
    Result<std::vector<double>> step_times(int threads) {
        std::vector<Tensor> outputs;
        std::vector<TensorView> input_views, output_views;
        for (const std::string& name : graph_.input_names) input_views.push_back(view(inputs_.at(name)));
        for (ValueId value : graph_.outputs) {
            std::span<const int64_t> shape = module_->types().shape(graph_.values[value].type);
            outputs.emplace_back(module_->types().dtype(graph_.values[value].type),
                                 std::vector<int64_t>(shape.begin(), shape.end()));
        }
        for (Tensor& output : outputs) output_views.push_back(view(output));
        ThreadPool pool(threads);
        MemoryPool memory;
        void* workspace = memory.take(std::max<size_t>(program_.workspace_bytes(), 1));
        std::vector<std::vector<double>> samples(program_.steps().size());
        for (int turn = 0; turn < 15; ++turn) {
            std::vector<OpTime> times;
            if (Status done = program_.run({input_views, output_views, pool, &times, {}, workspace}); !done)
                return done.error();
            for (size_t i = 0; turn >= 3 && i < times.size(); ++i) samples[i].push_back(times[i].milliseconds);
        }
        std::vector<double> medians;
        for (const std::vector<double>& list : samples) medians.push_back(summarize_times(list).median);
        return medians;
    }

private:
    static TensorView view(Tensor& tensor) { return {tensor.bytes(), tensor.dtype(), tensor.shape()}; }

    LoneProgram(ModulePtr module, FlatGraph graph, std::map<std::string, Tensor> inputs)
        : module_(std::move(module)), graph_(std::move(graph)), inputs_(std::move(inputs)),
          program_(dnnl::engine(dnnl::engine::kind::cpu, 0)) {}

    Status lower(ExprId main, int threads) {
        std::vector<Parameter> parameters = classify_parameters(*module_, main, graph_);
        std::vector<TensorView> known;
        for (size_t i = 0; i < graph_.inputs.size(); ++i) {
            TypeId type = graph_.values[graph_.inputs[i]].type;
            auto input = inputs_.find(graph_.input_names[i]);
            bool is_known = is_fixed(parameters[i]) && input != inputs_.end();
            known.push_back({is_known ? input->second.bytes() : nullptr, module_->types().dtype(type),
                             module_->types().shape(type)});
        }
        ThreadPool pool(threads);
        fold_known(*module_, graph_, known, pool, {});
        return onednn::Lowering(*module_, graph_, known, program_).run();
    }

    ModulePtr module_;
    FlatGraph graph_;
    std::map<std::string, Tensor> inputs_;
    Program program_;
};

class Comparison {
public:
    Comparison(ModulePtr divided, ModulePtr whole, int threads, const Options& options)
        : divided_(std::move(divided)), whole_(std::move(whole)), threads_(threads), options_(options) {}

    Status measure() {
        omp_set_num_threads(threads_);  // primitives divide their work when they are created
        std::map<std::string, Tensor> inputs = make_inputs(*whole_, 0, {});
        Result<std::unique_ptr<LoneProgram>> program = LoneProgram::make(whole_, inputs, threads_);
        if (!program) return program.error();
        find_primitives((*program)->program());
        std::vector<std::vector<double>> times(primitives_.size()), cold_times(primitives_.size());
        for (int tries = 0; tries < 5 * options_.rounds && int(runs_.size()) < options_.rounds; ++tries) {
            double waited = milliseconds_without_processor();
            Stopwatch watch;
            Result<Timing> run = run_whole(inputs);
            if (!run) return run.error();
            std::vector<double> alone = time_primitives((*program)->program());
            std::vector<double> cold = time_in_turn((*program)->program());
            bool last_try = tries + 1 == 5 * options_.rounds && runs_.empty();
            constexpr double kDisturbed = 0.02;
            if (milliseconds_without_processor() - waited > kDisturbed * watch.milliseconds() && !last_try) continue;
            for (size_t i = 0; i < alone.size(); ++i) {
                times[i].push_back(alone[i]);
                cold_times[i].push_back(cold[i]);
            }
            runs_.push_back(run->median);
            warm_.add(std::accumulate(alone.begin(), alone.end(), 0.0), run->median);
            cold_.add(std::accumulate(cold.begin(), cold.end(), 0.0), run->median);
        }
        return options_.verbose ? list(**program, times, cold_times) : Nothing();
    }

    void print(const std::string& name) const {
        std::printf("| %s | %d | %zu | %.2f | %s | %s | %zu |\n", name.c_str(), threads_, primitives_.size(),
                    median(runs_), warm_.text().c_str(), cold_.text().c_str(), runs_.size());
        std::fflush(stdout);
    }

private:
    static double median(const std::vector<double>& list) { return summarize_times(list).median; }

    /// What runs are compared with.
    struct Bound {
        std::vector<double> sums, ratios;

        void add(double sum, double run) {
            sums.push_back(sum);
            ratios.push_back(run / sum);
        }
        /// Returns the median sum, and the ratio with its range.
        std::string text() const {
            auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
            char text[100];
            std::snprintf(text, sizeof text, "%.2f | %.2f (%.2f to %.2f)", median(sums), median(ratios), *least, *most);
            return text;
        }
    };

    static bool is_primitive(const ProgramStep& step) {
        return !step.op && !step.other && !step.what.starts_with("reorder");
    }

    void find_primitives(Program& program) {
        for (const ProgramStep& step : program.steps())
            if (is_primitive(step)) primitives_.push_back(BestImplementation(step, program).find());
    }

    std::vector<double> time_primitives(Program& program) const {
        constexpr double kMeasured = 5;
        omp_set_num_threads(threads_);
        SpinWatch spins(threads_);  // as in a run
        std::vector<double> times;
        for (const auto& primitive : primitives_) {
            spins.look();
            times.push_back(primitive->time(program.stream(), kMeasured).median);
        }
        return times;
    }

    /// Returns the median time of each primitive over several passes through all of them.
    std::vector<double> time_in_turn(Program& program) const {
        constexpr int kTurns = 15, kToWarmUp = 3;
        SpinWatch spins(threads_);
        std::vector<std::vector<double>> samples(primitives_.size());
        for (int turn = 0; turn < kTurns; ++turn) {
            spins.look();
            for (size_t i = 0; i < primitives_.size(); ++i) {
                double time = primitives_[i]->time_with_cold_weights(program.stream());
                if (turn >= kToWarmUp) samples[i].push_back(time);
            }
        }
        std::vector<double> times;
        for (const std::vector<double>& list : samples) times.push_back(median(list));
        return times;
    }

    Result<Timing> run_whole(const std::map<std::string, Tensor>& inputs) const {
        RunOptions options;
        options.threads = threads_;
        options.inputs = inputs;
        options.warmup = 3;
        options.repeat = 15;
        Result<RunReport> report = run_partitioned(divided_, options);
        if (!report) return report.error();
        return report->time;
    }

    Status list(LoneProgram& whole, const std::vector<std::vector<double>>& times,
                const std::vector<std::vector<double>>& cold) const {
        Result<std::vector<double>> in_program = whole.step_times(threads_);
        if (!in_program) return in_program.error();
        std::printf("in the run, warm, cold, ms\n");
        size_t next = 0;
        for (size_t i = 0; i < in_program->size(); ++i) {
            const ProgramStep& step = whole.program().steps()[i];
            if (!is_primitive(step)) {
                std::printf("%9.3f         -         - %s\n", (*in_program)[i], step.what.c_str());
                continue;
            }
            std::printf("%9.3f %9.3f %9.3f %s; alone by %s\n", (*in_program)[i], median(times[next]),
                        median(cold[next]), step.what.c_str(), primitives_[next]->implementation().c_str());
            ++next;
        }
        return Nothing();
    }

    const ModulePtr divided_, whole_;
    const int threads_;
    const Options& options_;
    std::vector<std::unique_ptr<LonePrimitive>> primitives_;
    std::vector<double> runs_;
    Bound warm_, cold_;
};

Status compare(const std::string& file, const Options& options) {
    Result<OpenedModule> opened = open_module(file);
    if (!opened) return opened.error();
    Result<ModulePtr> divided = partition(opened->module, options.backend);
    if (!divided) return divided.error();
    for (int threads : options.threads) {
        Comparison comparison(*divided, opened->module, threads, options);
        if (Status done = comparison.measure(); !done) return done;
        comparison.print(file.substr(file.rfind('/') + 1));
    }
    return Nothing();
}

std::vector<int> parse_list(const std::string& text) {
    std::vector<int> list;
    for (size_t at = 0; at <= text.size(); at = std::min(text.find(',', at), text.size()) + 1)
        list.push_back(std::max(1, std::atoi(text.c_str() + at)));
    return list;
}

std::optional<Options> parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        std::string argument = arguments[i];
        const char* value = i + 1 < count ? arguments[i + 1] : nullptr;
        if (argument == "--verbose") {
            options.verbose = true;
            continue;
        }
        if (!argument.starts_with("--")) {
            options.files.push_back(argument);
            continue;
        }
        if (!value) return std::nullopt;
        ++i;
        if (argument == "--backends") options.backend = value;
        else if (argument == "--rounds") options.rounds = std::max(1, std::atoi(value));
        else if (argument == "--threads") options.threads = parse_list(value);
        else return std::nullopt;
    }
    if (options.files.empty()) return std::nullopt;
    return options;
}

}  // namespace

}  // namespace partita

int main(int count, char** arguments) {
    using namespace partita;
    std::optional<Options> options = parse(count, arguments);
    if (!options) {
        std::fprintf(stderr,
                     "usage: bench_primitives [--threads 1,2] [--backends dnnl] [--rounds N] [--verbose] FILE...\n");
        return 2;
    }
    std::printf(
        "| model | threads | primitives | run, ms | warm, ms | ratio | cold, ms | ratio | rounds |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (const std::string& file : options->files) {
        if (Status done = compare(file, *options); !done) {
            std::fprintf(stderr, "%s: %s\n", file.c_str(), done.error().message.c_str());
            return 1;
        }
    }
    return 0;
}
