// nn.conv2d and nn.dense on `default` and in generated C beside the oneDNN primitive that does the same, on the shapes
// of ResNet-18 and MobileNet: `default` promises a ratio of at most 10, `ccompiler` aims at 5. And a chain of
// elementwise ops in generated C beside a STREAM triad of the same size (McCalpin, 1995), both with two arrays read and
// one written: at least 80 % of its bandwidth.
//
//   cmake --preset release -DPARTITA_BENCHMARKS=ON && cmake --build --preset release --target bench_kernels
//   OMP_NUM_THREADS=1 build/release/tests/bench_kernels
#include <benchmark/benchmark.h>
#include <dnnl.hpp>

#include <array>

#include "engine/backends/backends.h"
#include "engine/frontends/relay/parser.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"

using namespace partita;

namespace {

struct Convolution {
    const char* name;
    int64_t in, out, extent, kernel, stride, groups;
    int64_t padding() const { return kernel / 2; }
    int64_t result() const { return (extent + 2 * padding() - kernel) / stride + 1; }
    double flops() const {
        return 2.0 * double(out) * double(in / groups) * double(kernel * kernel * result() * result());
    }
};

constexpr Convolution kConvolutions[] = {
    {"conv 7x7/2 3>64 224", 3, 64, 224, 7, 2, 1},      {"conv 3x3 64 56", 64, 64, 56, 3, 1, 1},
    {"conv 3x3/2 64>128 56", 64, 128, 56, 3, 2, 1},    {"conv 3x3 128 28", 128, 128, 28, 3, 1, 1},
    {"conv 3x3 256 14", 256, 256, 14, 3, 1, 1},        {"conv 3x3 512 7", 512, 512, 7, 3, 1, 1},
    {"conv 1x1/2 256>512 14", 256, 512, 14, 1, 2, 1},  {"conv 1x1 256 28", 256, 256, 28, 1, 1, 1},
    {"depthwise 3x3 128 56", 128, 128, 56, 3, 1, 128}, {"depthwise 3x3/2 256 28", 256, 256, 28, 3, 2, 256},
};

AttributeValue pair_of(int64_t value) { return AttributeValue::List{Integer{value, 32}, Integer{value, 32}}; }

Tensor filled(std::vector<int64_t> shape) {
    Tensor tensor(kFloat32, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.data<float>()[i] = float(i % 17) * 0.1f - 0.8f;
    return tensor;
}

TensorView view_of(const Tensor& tensor) { return {const_cast<void*>(tensor.bytes()), tensor.dtype(), tensor.shape()}; }

void report(benchmark::State& state, double flops) {
    state.counters["GFLOP/s"] = benchmark::Counter(flops * 1e-9, benchmark::Counter::kIsIterationInvariantRate);
}

int thread_count() {
    const char* text = std::getenv("OMP_NUM_THREADS");
    return text ? std::max(1, std::atoi(text)) : 0;
}

void run_default(benchmark::State& state, const char* op_name, const AttributeList& attributes, const Tensor& data,
                 const Tensor& weight, const Tensor& result, double flops) {
    const OpRecord& op = op_registry()[op_registry().find(op_name)];
    ThreadPool threads(thread_count());
    TensorView inputs[] = {view_of(data), view_of(weight)}, outputs[] = {view_of(result)};
    for (auto _ : state)
        if (!op.kernel({inputs, outputs, AttributesView(op, attributes), threads})) state.SkipWithError("refused");
    report(state, flops);
}

void default_convolution(benchmark::State& state, Convolution c) {
    const OpRecord& op = op_registry()[op_registry().find("nn.conv2d")];
    AttributeList attributes = op.default_attributes();
    attributes[size_t(op.attribute_index("strides"))] = pair_of(c.stride);
    attributes[size_t(op.attribute_index("padding"))] = pair_of(c.padding());
    attributes[size_t(op.attribute_index("groups"))] = Integer{c.groups, 32};
    run_default(state, "nn.conv2d", attributes, filled({1, c.in, c.extent, c.extent}),
                filled({c.out, c.in / c.groups, c.kernel, c.kernel}), filled({1, c.out, c.result(), c.result()}),
                c.flops());
}

/// Runs @main of a module as a region of generated C.
void run_generated(benchmark::State& state, const std::string& text, const std::vector<Tensor>& data,
                   const Tensor& result) {
    Result<Module> module = parse_relay("#[version = \"0.0.5\"]\n" + text);
    if (!module || !infer_types(*module)) return state.SkipWithError("not a module");
    CompileOptions options;
    options.threads = thread_count();
    Result<std::unique_ptr<CompiledRegion>> region =
        make_backend("ccompiler")->compile(*module, module->find_function("main"), options);
    if (!region) return state.SkipWithError(region.error().message.c_str());
    ThreadPool threads(options.threads);
    std::vector<TensorView> inputs, outputs{view_of(result)};
    for (const Tensor& tensor : data) inputs.push_back(view_of(tensor));
    Tensor workspace(kUInt8, {int64_t((*region)->workspace_bytes())});
    for (auto _ : state)
        if (!(*region)->run({inputs, outputs, threads, nullptr, {}, workspace.bytes()})) state.SkipWithError("refused");
}

std::string tensor_type(std::initializer_list<int64_t> shape) {
    std::string dims;
    for (int64_t extent : shape) dims += (dims.empty() ? "" : ", ") + std::to_string(extent);
    return "Tensor[(" + dims + "), float32]";
}

void generated_convolution(benchmark::State& state, Convolution c) {
    auto pair = [](int64_t value) { return "[" + std::to_string(value) + ", " + std::to_string(value) + "]"; };
    std::string text = "def @main(%x: " + tensor_type({1, c.in, c.extent, c.extent}) +
                       ", %w: " + tensor_type({c.out, c.in / c.groups, c.kernel, c.kernel}) +
                       ") { nn.conv2d(%x, %w, strides=" + pair(c.stride) + ", padding=" + pair(c.padding()) +
                       ", groups=" + std::to_string(c.groups) + ", channels=" + std::to_string(c.out) +
                       ", kernel_size=" + pair(c.kernel) + ") }\n";
    run_generated(state, text,
                  {filled({1, c.in, c.extent, c.extent}), filled({c.out, c.in / c.groups, c.kernel, c.kernel})},
                  filled({1, c.out, c.result(), c.result()}));
    report(state, c.flops());
}

/// Runs the primitive in its preferred layouts, with its operands reordered beforehand: the best that oneDNN can do.
void dnnl_convolution(benchmark::State& state, Convolution c) {
    using namespace dnnl;
    using Tag = memory::format_tag;
    engine cpu(engine::kind::cpu, 0);
    stream queue(cpu);
    auto any = [](memory::dims dims) { return memory::desc(dims, memory::data_type::f32, Tag::any); };
    memory::dims weight = c.groups == 1 ? memory::dims{c.out, c.in, c.kernel, c.kernel}
                                        : memory::dims{c.groups, c.out / c.groups, c.in / c.groups, c.kernel, c.kernel};
    convolution_forward::desc desc(prop_kind::forward_inference, algorithm::convolution_direct,
                                   any({1, c.in, c.extent, c.extent}), any(weight),
                                   any({1, c.out, c.result(), c.result()}), {c.stride, c.stride},
                                   {c.padding(), c.padding()}, {c.padding(), c.padding()});
    convolution_forward::primitive_desc primitive_desc(desc, cpu);
    memory src(primitive_desc.src_desc(), cpu), weights(primitive_desc.weights_desc(), cpu),
        dst(primitive_desc.dst_desc(), cpu);
    for (memory* each : {&src, &weights}) {
        float* values = static_cast<float*>(each->get_data_handle());
        for (size_t i = 0; i < each->get_desc().get_size() / sizeof(float); ++i)
            values[i] = float(i % 17) * 0.1f - 0.8f;
    }
    convolution_forward primitive(primitive_desc);
    for (auto _ : state) {
        primitive.execute(queue, {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, dst}});
        queue.wait();
    }
    report(state, c.flops());
}

struct Dense {
    const char* name;
    int64_t rows, depth, units;
    double flops() const { return 2.0 * double(rows) * double(depth) * double(units); }
};

constexpr Dense kDense[] = {{"dense 1x512>1000", 1, 512, 1000}, {"dense 128x768>3072", 128, 768, 3072}};

void default_dense(benchmark::State& state, Dense d) {
    const OpRecord& op = op_registry()[op_registry().find("nn.dense")];
    run_default(state, "nn.dense", op.default_attributes(), filled({d.rows, d.depth}), filled({d.units, d.depth}),
                filled({d.rows, d.units}), d.flops());
}

void generated_dense(benchmark::State& state, Dense d) {
    std::string text = "def @main(%x: " + tensor_type({d.rows, d.depth}) + ", %w: " + tensor_type({d.units, d.depth}) +
                       ") { nn.dense(%x, %w, units=" + std::to_string(d.units) + ") }\n";
    run_generated(state, text, {filled({d.rows, d.depth}), filled({d.units, d.depth})}, filled({d.rows, d.units}));
    report(state, d.flops());
}

/// Far beyond any cache.
constexpr int64_t kTriadElements = int64_t(1) << 24;

void report_bandwidth(benchmark::State& state) {
    state.counters["GB/s"] = benchmark::Counter(3e-9 * sizeof(float) * double(kTriadElements),
                                                benchmark::Counter::kIsIterationInvariantRate);
}

void stream_triad(benchmark::State& state) {
    Tensor to = filled({kTriadElements}), x = filled({kTriadElements}), y = filled({kTriadElements});
    ThreadPool threads(thread_count());
    for (auto _ : state)
        threads.parallel_for(kTriadElements, 1 << 16, [&](int64_t begin, int64_t end) {
            float *a = to.data<float>(), *b = x.data<float>(), *c = y.data<float>();
            for (int64_t i = begin; i < end; ++i) a[i] = b[i] + 3.0f * c[i];
        });
    report_bandwidth(state);
}

void generated_chain(benchmark::State& state) {
    std::string type = tensor_type({kTriadElements});
    std::string text = "def @main(%x: " + type + ", %y: " + type +
                       ") {\n  %0 = multiply(%x, 0.5f);\n  %1 = add(%0, %y);\n  %2 = nn.relu(%1);\n"
                       "  %3 = subtract(%2, %x);\n  clip(%3, a_min=-2f, a_max=2f)\n}\n";
    run_generated(state, text, {filled({kTriadElements}), filled({kTriadElements})}, filled({kTriadElements}));
    report_bandwidth(state);
}

void dnnl_dense(benchmark::State& state, Dense d) {
    using namespace dnnl;
    engine cpu(engine::kind::cpu, 0);
    stream queue(cpu);
    auto any = [](memory::dims dims) { return memory::desc(dims, memory::data_type::f32, memory::format_tag::any); };
    inner_product_forward::desc desc(prop_kind::forward_inference, any({d.rows, d.depth}), any({d.units, d.depth}),
                                     any({d.rows, d.units}));
    inner_product_forward::primitive_desc primitive_desc(desc, cpu);
    memory src(primitive_desc.src_desc(), cpu), weights(primitive_desc.weights_desc(), cpu),
        dst(primitive_desc.dst_desc(), cpu);
    for (memory* each : {&src, &weights}) {
        float* values = static_cast<float*>(each->get_data_handle());
        for (size_t i = 0; i < each->get_desc().get_size() / sizeof(float); ++i)
            values[i] = float(i % 17) * 0.1f - 0.8f;
    }
    inner_product_forward primitive(primitive_desc);
    for (auto _ : state) {
        primitive.execute(queue, {{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, dst}});
        queue.wait();
    }
    report(state, d.flops());
}

const bool registered = [] {
    for (const Convolution& c : kConvolutions) {
        benchmark::RegisterBenchmark((std::string(c.name) + " default").c_str(), default_convolution, c)->UseRealTime();
        benchmark::RegisterBenchmark((std::string(c.name) + " ccompiler").c_str(), generated_convolution, c)
            ->UseRealTime();
        benchmark::RegisterBenchmark((std::string(c.name) + " oneDNN").c_str(), dnnl_convolution, c)->UseRealTime();
    }
    for (const Dense& d : kDense) {
        benchmark::RegisterBenchmark((std::string(d.name) + " default").c_str(), default_dense, d)->UseRealTime();
        benchmark::RegisterBenchmark((std::string(d.name) + " ccompiler").c_str(), generated_dense, d)->UseRealTime();
        benchmark::RegisterBenchmark((std::string(d.name) + " oneDNN").c_str(), dnnl_dense, d)->UseRealTime();
    }
    benchmark::RegisterBenchmark("STREAM triad", stream_triad)->UseRealTime();
    benchmark::RegisterBenchmark("elementwise chain ccompiler", generated_chain)->UseRealTime();
    return true;
}();

}  // namespace
