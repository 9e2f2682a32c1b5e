// nn.conv2d and nn.dense on `default` beside the oneDNN primitive that does the same, on the shapes of ResNet-18 and
// MobileNet: the ratio of the two is what the backend `default` promises (at most 10).
//
//   cmake --preset release -DPARTITA_BENCHMARKS=ON && cmake --build --preset release --target bench_kernels
//   OMP_NUM_THREADS=1 build/release/tests/bench_kernels
#include <benchmark/benchmark.h>
#include <dnnl.hpp>

#include <array>

#include "engine/ops/registry.h"

using namespace partita;

namespace {

struct Convolution {
    const char* name;
    int64_t in, out, extent, kernel, stride, groups;
    int64_t padding() const { return kernel / 2; }
    int64_t result() const { return (extent + 2 * padding() - kernel) / stride + 1; }
    double flops() const { return 2.0 * double(out) * double(in / groups) * double(kernel * kernel * result() * result()); }
};

constexpr Convolution kConvolutions[] = {
    {"conv 7x7/2 3>64 224", 3, 64, 224, 7, 2, 1},    {"conv 3x3 64 56", 64, 64, 56, 3, 1, 1},
    {"conv 3x3/2 64>128 56", 64, 128, 56, 3, 2, 1},  {"conv 3x3 128 28", 128, 128, 28, 3, 1, 1},
    {"conv 3x3 256 14", 256, 256, 14, 3, 1, 1},      {"conv 3x3 512 7", 512, 512, 7, 3, 1, 1},
    {"conv 1x1/2 256>512 14", 256, 512, 14, 1, 2, 1}, {"conv 1x1 256 28", 256, 256, 28, 1, 1, 1},
    {"depthwise 3x3 128 56", 128, 128, 56, 3, 1, 128}, {"depthwise 3x3/2 256 28", 256, 256, 28, 3, 2, 256},
};

AttributeValue pair_of(int64_t value) {
    return AttributeValue::List{Integer{value, 32}, Integer{value, 32}};
}

Tensor filled(std::vector<int64_t> shape) {
    Tensor tensor(kFloat32, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.data<float>()[i] = float(i % 17) * 0.1f - 0.8f;
    return tensor;
}

TensorView view_of(const Tensor& tensor) {
    return {const_cast<void*>(tensor.bytes()), tensor.dtype(), tensor.shape()};
}

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
                filled({c.out, c.in / c.groups, c.kernel, c.kernel}), filled({1, c.out, c.result(), c.result()}), c.flops());
}

/// The primitive in the layouts that it chooses, its operands reordered beforehand: the best that oneDNN can do.
void dnnl_convolution(benchmark::State& state, Convolution c) {
    using namespace dnnl;
    using Tag = memory::format_tag;
    engine cpu(engine::kind::cpu, 0);
    stream queue(cpu);
    auto any = [](memory::dims dims) { return memory::desc(dims, memory::data_type::f32, Tag::any); };
    memory::dims weight = c.groups == 1 ? memory::dims{c.out, c.in, c.kernel, c.kernel}
                                        : memory::dims{c.groups, c.out / c.groups, c.in / c.groups, c.kernel, c.kernel};
    convolution_forward::desc desc(prop_kind::forward_inference, algorithm::convolution_direct,
                                   any({1, c.in, c.extent, c.extent}), any(weight), any({1, c.out, c.result(), c.result()}),
                                   {c.stride, c.stride}, {c.padding(), c.padding()}, {c.padding(), c.padding()});
    convolution_forward::primitive_desc primitive_desc(desc, cpu);
    memory src(primitive_desc.src_desc(), cpu), weights(primitive_desc.weights_desc(), cpu), dst(primitive_desc.dst_desc(), cpu);
    for (memory* each : {&src, &weights}) {
        float* values = static_cast<float*>(each->get_data_handle());
        for (size_t i = 0; i < each->get_desc().get_size() / sizeof(float); ++i) values[i] = float(i % 17) * 0.1f - 0.8f;
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

void dnnl_dense(benchmark::State& state, Dense d) {
    using namespace dnnl;
    engine cpu(engine::kind::cpu, 0);
    stream queue(cpu);
    auto any = [](memory::dims dims) { return memory::desc(dims, memory::data_type::f32, memory::format_tag::any); };
    inner_product_forward::desc desc(prop_kind::forward_inference, any({d.rows, d.depth}), any({d.units, d.depth}),
                                     any({d.rows, d.units}));
    inner_product_forward::primitive_desc primitive_desc(desc, cpu);
    memory src(primitive_desc.src_desc(), cpu), weights(primitive_desc.weights_desc(), cpu), dst(primitive_desc.dst_desc(), cpu);
    for (memory* each : {&src, &weights}) {
        float* values = static_cast<float*>(each->get_data_handle());
        for (size_t i = 0; i < each->get_desc().get_size() / sizeof(float); ++i) values[i] = float(i % 17) * 0.1f - 0.8f;
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
        benchmark::RegisterBenchmark((std::string(c.name) + " oneDNN").c_str(), dnnl_convolution, c)->UseRealTime();
    }
    for (const Dense& d : kDense) {
        benchmark::RegisterBenchmark((std::string(d.name) + " default").c_str(), default_dense, d)->UseRealTime();
        benchmark::RegisterBenchmark((std::string(d.name) + " oneDNN").c_str(), dnnl_dense, d)->UseRealTime();
    }
    return true;
}();

}  // namespace
