// Source of the formulas: TVM 0.9, topi/nn/softmax.py, topi/nn/local_response_norm.h, simplify_inference.cc.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/families.h"
#include "engine/ops/normalization.h"
#include "engine/ops/normalization_c.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/vector_units.h"

namespace partita {

namespace {

/// Checks that the arguments after the first are vectors as long as the data's axis; returns that length.
Result<int64_t> check_channel_vectors(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto axis = checked_axis(query.attributes.integer("axis"), data.size());
    if (!axis) return axis;
    int64_t channels = data[size_t(*axis)];
    for (size_t i = 1; i < query.arguments.size(); ++i)
        if (Status fits = expect_tensor(query, i, types.dtype(query.arguments[0]), {channels}); !fits)
            return fits.error();
    return channels;
}

Result<TypeId> batch_norm_relation(const TypeQuery& query) {
    auto channels = check_channel_vectors(query);
    if (!channels) return channels.error();
    TypeId vector = query.types.tensor(query.types.dtype(query.arguments[0]), {*channels});
    TypeId fields[] = {query.arguments[0], vector, vector};
    return query.types.tuple(fields);
}

Result<TypeId> channel_norm_relation(const TypeQuery& query) {
    auto channels = check_channel_vectors(query);
    if (!channels) return channels.error();
    return query.arguments[0];
}

Result<TypeId> group_norm_relation(const TypeQuery& query) {
    auto channels = check_channel_vectors(query);
    if (!channels) return channels.error();
    int64_t groups = query.attributes.integer("num_groups");
    if (groups < 1 || (*channels != kDynamicDim && *channels % groups != 0))
        return error("num_groups must be positive and divide the " + std::to_string(*channels) + " channels, not " +
                     std::to_string(groups));
    return query.arguments[0];
}

Result<TypeId> one_axis_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto axis = checked_axis(query.attributes.integer("axis"), query.types.shape(query.arguments[0]).size());
    if (!axis) return axis.error();
    return query.arguments[0];
}

Result<TypeId> lrn_relation(const TypeQuery& query) {
    int64_t size = query.attributes.integer("size");
    if (size < 1 || size > std::numeric_limits<int32_t>::max()) return error("size must be positive");
    return one_axis_relation(query);
}

Result<TypeId> l2_normalize_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    for (int64_t axis : query.attributes.integers("axis"))
        if (auto checked = checked_axis(axis, query.types.shape(query.arguments[0]).size()); !checked)
            return checked.error();
    return query.arguments[0];
}

Result<TypeId> dropout_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeId fields[] = {query.arguments[0], query.arguments[0]};
    return query.types.tuple(fields);
}

// ---- Kernels ----

/// A tensor as (outer, axis, inner).
struct AxisSplit {
    int64_t outer = 1, extent = 1, inner = 1;

    AxisSplit(std::span<const int64_t> shape, int64_t axis) {
        size_t at = size_t(axis < 0 ? axis + int64_t(shape.size()) : axis);
        for (size_t d = 0; d < shape.size(); ++d) (d < at ? outer : d == at ? extent : inner) *= shape[d];
    }
};

/// Elements that justify a thread if one costs about a call of exp.
constexpr int64_t kElementsWorthAThread = 4096;

Status batch_norm_kernel(const KernelCall& call) {
    return with_real_type(call.inputs[0].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        const TensorView& data = call.inputs[0];
        ConvertedInput<T> x(data, call.threads), gamma(call.inputs[1], call.threads),
            beta(call.inputs[2], call.threads), mean(call.inputs[3], call.threads),
            variance(call.inputs[4], call.threads);
        ConvertedOutput<T> result(call.outputs[0]);
        if (!x.data() || !result.data()) return unsupported_types(call);
        AxisSplit split(data.shape, call.attributes.integer("axis"));
        double epsilon = double(float(call.attributes.real("epsilon")));
        bool center = call.attributes.boolean("center"), scale = call.attributes.boolean("scale");
        int64_t grain = std::max<int64_t>(1, 32768 / std::max<int64_t>(1, split.inner));
        call.threads.parallel_for(split.outer * split.extent, grain, [&](int64_t begin, int64_t end) {
            for (int64_t row = begin; row < end; ++row) {
                int64_t channel = row % split.extent;
                double wide = 1 / std::sqrt(double(variance.data()[channel]) + epsilon);
                if (scale) wide *= double(gamma.data()[channel]);
                double offset = -double(mean.data()[channel]) * wide;
                if (center) offset += double(beta.data()[channel]);
                const T factor = T(wide), shift = T(offset);
                const T* from = x.data() + row * split.inner;
                T* to = result.data() + row * split.inner;
                for (int64_t i = 0; i < split.inner; ++i) to[i] = from[i] * factor + shift;
            }
        });
        result.store(call.threads);
        std::memcpy(call.outputs[1].data, call.inputs[3].data, call.inputs[3].byte_size());
        std::memcpy(call.outputs[2].data, call.inputs[4].data, call.inputs[4].byte_size());
        return Nothing();
    });
}

/// Normalizes the first input over the given loops.
Status normalization_kernel(const KernelCall& call, std::vector<NormalizationAxis> axes, NormalizationKind kind,
                            double epsilon) {
    return with_real_type(call.inputs[0].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> x(call.inputs[0], call.threads);
        ConvertedOutput<T> result(call.outputs[0]);
        if (!x.data() || !result.data()) return unsupported_types(call);
        Normalization<T> normalization;
        normalization.axes = std::move(axes);
        normalization.kind = kind;
        normalization.epsilon = double(float(epsilon));
        normalization.data = x.data();
        normalization.result = result.data();
        std::unique_ptr<ConvertedInput<T>> gamma, beta;
        const size_t inputs = call.inputs.size();
        if (inputs == 2 || (inputs == 3 && call.attributes.boolean("scale"))) {
            gamma = std::make_unique<ConvertedInput<T>>(call.inputs[1], call.threads);
            normalization.gamma = gamma->data();
        }
        if (inputs == 3 && call.attributes.boolean("center")) {
            beta = std::make_unique<ConvertedInput<T>>(call.inputs[2], call.threads);
            normalization.beta = beta->data();
        }
        normalize(normalization, call.threads);
        result.store(call.threads);
        return Nothing();
    });
}

std::vector<NormalizationAxis> loops_over(std::span<const int64_t> shape) {
    std::vector<NormalizationAxis> axes;
    for (int64_t extent : shape) axes.push_back({extent, false, 0});
    return axes;
}

/// Returns the axes of an op's normalization, from the data's shape and the attributes.
using AxesOfNorm = std::vector<NormalizationAxis> (*)(std::span<const int64_t> shape, const AttributesView& attributes);

size_t channel_axis(std::span<const int64_t> shape, const AttributesView& attributes) {
    return size_t(*normalized_axis(attributes.integer("axis"), shape.size()));
}

std::vector<NormalizationAxis> layer_norm_axes(std::span<const int64_t> shape, const AttributesView& attributes) {
    auto axes = loops_over(shape);
    size_t channels = channel_axis(shape, attributes);
    axes[channels] = {axes[channels].extent, true, 1};
    return axes;
}

std::vector<NormalizationAxis> instance_norm_axes(std::span<const int64_t> shape, const AttributesView& attributes) {
    auto axes = loops_over(shape);
    size_t channels = channel_axis(shape, attributes);
    for (size_t d = 1; d < axes.size(); ++d) axes[d].reduced = d != channels;
    axes[channels].channel_stride = 1;
    return axes;
}

/// Splits the channels' axis in two, groups and channels of a group; all from the second on are reduced.
std::vector<NormalizationAxis> group_norm_axes(std::span<const int64_t> shape, const AttributesView& attributes) {
    auto axes = loops_over(shape);
    size_t channels = channel_axis(shape, attributes);
    int64_t groups = attributes.integer("num_groups"), each = axes[channels].extent / groups;
    axes[channels] = {groups, false, each};
    for (size_t d = channels + 1; d < axes.size(); ++d) axes[d].reduced = true;
    axes.insert(axes.begin() + ptrdiff_t(channels) + 1, NormalizationAxis{each, true, 1});
    return axes;
}

std::vector<NormalizationAxis> l2_normalize_axes(std::span<const int64_t> shape, const AttributesView& attributes) {
    auto axes = loops_over(shape);
    std::vector<int64_t> reduced = attributes.integers("axis");
    for (int64_t axis : reduced) axes[size_t(*normalized_axis(axis, axes.size()))].reduced = true;
    // No axis means all of them, as for a sum.
    if (reduced.empty())
        for (NormalizationAxis& axis : axes) axis.reduced = true;
    return axes;
}

double epsilon_of(const AttributesView& attributes, NormalizationKind kind) {
    return attributes.real(kind == NormalizationKind::UnitLength ? "eps" : "epsilon");
}

template <AxesOfNorm axes_of, NormalizationKind kind>
Status axes_norm_kernel(const KernelCall& call) {
    return normalization_kernel(call, axes_of(call.inputs[0].shape, call.attributes), kind,
                                epsilon_of(call.attributes, kind));
}

template <AxesOfNorm axes_of, NormalizationKind kind>
Status axes_norm_in_c(const CLoops& loops) {
    return write_normalization_in_c(loops, axes_of(loops.inputs[0].shape, loops.attributes), kind,
                                    epsilon_of(loops.attributes, kind));
}

/// Computes one line of softmax: elements `stride` apart.
template <class T, bool logarithm>
void softmax_line(const T* from, T* to, int64_t count, int64_t stride) {
    T largest = from[0];
    for (int64_t i = 1; i < count; ++i) largest = std::max(largest, from[i * stride]);
    T sum = 0;
    for (int64_t i = 0; i < count; ++i) {
        T power = std::exp(from[i * stride] - largest);
        if (!logarithm) to[i * stride] = power;
        sum += power;
    }
    T scale = logarithm ? std::log(sum) + largest : 1 / sum;
    for (int64_t i = 0; i < count; ++i) to[i * stride] = logarithm ? from[i * stride] - scale : to[i * stride] * scale;
}

template <bool logarithm>
Status softmax_kernel(const KernelCall& call) {
    return with_real_type(call.inputs[0].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> x(call.inputs[0], call.threads);
        ConvertedOutput<T> result(call.outputs[0]);
        if (!x.data() || !result.data()) return unsupported_types(call);
        AxisSplit split(call.inputs[0].shape, call.attributes.integer("axis"));
        if (split.extent == 0) return Nothing();
        int64_t grain = std::max<int64_t>(1, kElementsWorthAThread / split.extent);
        call.threads.parallel_for(split.outer * split.inner, grain, [&](int64_t begin, int64_t end) {
            for (int64_t line = begin; line < end; ++line) {
                int64_t at = line / split.inner * split.extent * split.inner + line % split.inner;
                softmax_line<T, logarithm>(x.data() + at, result.data() + at, split.extent, split.inner);
            }
        });
        result.store(call.threads);
        return Nothing();
    });
}

/// A row of nn.lrn's result. Of an even size, one row more follows than goes before, as in ONNX: data[i] / (bias +
/// alpha * (sum over the neighbouring rows of squares) / size)^beta.
template <class T>
struct LrnRow {
    const T* neighbours;  ///< the first of `count` rows
    int64_t count, inner;
    const T* data;
    T* sums;  ///< space for a row
    T* result;
    T alpha, beta, bias, size;
};

template <class T>
__attribute__((always_inline)) inline void normalize_row(const LrnRow<T>& row) {
    const T *data = row.data, *values = row.neighbours;
    T* __restrict sums = row.sums, * __restrict result = row.result;
    for (int64_t i = 0; i < row.inner; ++i) sums[i] = values[i] * values[i];
    for (int64_t neighbour = 1; neighbour < row.count; ++neighbour) {
        values += row.inner;
        for (int64_t i = 0; i < row.inner; ++i) sums[i] += values[i] * values[i];
    }
    for (int64_t i = 0; i < row.inner; ++i) sums[i] = row.bias + row.alpha * sums[i] / row.size;
    // Roots are vector instructions, powers are not: nearly every model has 0.75.
    if (row.beta == T(0.75)) {
        for (int64_t i = 0; i < row.inner; ++i) {
            T root = std::sqrt(sums[i]);
            result[i] = data[i] / (root * std::sqrt(root));
        }
    } else {
        for (int64_t i = 0; i < row.inner; ++i) result[i] = data[i] / std::pow(sums[i], row.beta);
    }
}

template <class T>
PARTITA_TARGET_AVX512 void normalize_row_avx512(const LrnRow<T>& row) {
    normalize_row(row);
}
template <class T>
PARTITA_TARGET_AVX2 void normalize_row_avx2(const LrnRow<T>& row) {
    normalize_row(row);
}
template <class T>
void normalize_row_baseline(const LrnRow<T>& row) {
    normalize_row(row);
}

template <class T>
auto normalize_row_kernel() {
    switch (vector_unit()) {
        case VectorUnit::Avx512: return normalize_row_avx512<T>;
        case VectorUnit::Avx2: return normalize_row_avx2<T>;
        case VectorUnit::Baseline: break;
    }
    return normalize_row_baseline<T>;
}

Status lrn_kernel(const KernelCall& call) {
    return with_real_type(call.inputs[0].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> x(call.inputs[0], call.threads);
        ConvertedOutput<T> result(call.outputs[0]);
        if (!x.data() || !result.data()) return unsupported_types(call);
        AxisSplit split(call.inputs[0].shape, call.attributes.integer("axis"));
        int64_t size = call.attributes.integer("size"), half = (size - 1) / 2;
        T alpha = T(call.attributes.real("alpha")), beta = T(call.attributes.real("beta")),
          bias = T(call.attributes.real("bias"));
        int64_t grain = std::max<int64_t>(1, kElementsWorthAThread / std::max<int64_t>(1, split.inner));
        auto normalize = normalize_row_kernel<T>();
        call.threads.parallel_for(split.outer * split.extent, grain, [&](int64_t begin, int64_t end) {
            std::vector<T> sums(static_cast<size_t>(split.inner));
            for (int64_t row = begin; row < end; ++row) {
                int64_t channel = row % split.extent, first = row - channel;
                int64_t low = std::max<int64_t>(0, channel - half),
                        high = std::min(split.extent - 1, channel - half + size - 1);
                normalize({x.data() + (first + low) * split.inner, high - low + 1, split.inner,
                           x.data() + row * split.inner, sums.data(), result.data() + row * split.inner, alpha, beta,
                           bias, T(size)});
            }
        });
        result.store(call.threads);
        return Nothing();
    });
}

/// Inference drops nothing: returns the data, and a mask of ones.
Status dropout_kernel(const KernelCall& call) {
    std::memcpy(call.outputs[0].data, call.inputs[0].data, call.inputs[0].byte_size());
    bool known = with_element_type(call.outputs[1].dtype, [&](auto tag) {
        using Element = typename decltype(tag)::type;
        std::fill_n(call.outputs[1].as<Element>(), call.outputs[1].size(), Element(Wide<Element>(1)));
    });
    return known ? Status(Nothing()) : Status(unsupported_types(call));
}

// ---- C ----

bool has_c_reals(const CLoops& loops) {
    DataType dtype = loops.inputs[0].dtype;
    return dtype == kFloat32 || dtype == kFloat64;
}

Status refuse_in_c(const CLoops& loops) {
    return error(loops.attributes.op().name + " of " + loops.inputs[0].dtype.to_string() + " can't be written in C");
}

template <bool logarithm>
Status softmax_in_c(const CLoops& loops) {
    if (!has_c_reals(loops)) return refuse_in_c(loops);
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    AxisSplit split(data.shape, loops.attributes.integer("axis"));
    std::string type = c_type(data.dtype), suffix = data.dtype == kFloat32 ? "f" : "",
                inner = std::to_string(split.inner);
    if (split.extent == 0) return Nothing();
    CWriter code(loops.code, loops.indent);
    code.share_among_threads(2);
    code.open_loop("o", split.outer);
    code.open_loop("i", split.inner);
    std::string first = "o * " + std::to_string(split.extent * split.inner) + " + i";
    code.line("const " + type + " *from = " + data.name + " + " + first + ";");
    code.line(type + " *to = " + result.name + " + " + first + ";");
    code.line(type + " largest = from[0], sum = 0;");
    code.open_loop("k", "1", std::to_string(split.extent));
    code.line("largest = from[k * " + inner + "] > largest ? from[k * " + inner + "] : largest;");
    code.close();
    code.open_loop("k", split.extent);
    std::string power = "exp" + suffix + "(from[k * " + inner + "] - largest)";
    code.line(logarithm ? "sum += " + power + ";" : "sum += to[k * " + inner + "] = " + power + ";");
    code.close();
    if (logarithm) code.line("const " + type + " total = log" + suffix + "(sum) + largest;");
    code.open_loop("k", split.extent);
    code.line(logarithm ? "to[k * " + inner + "] = from[k * " + inner + "] - total;" : "to[k * " + inner + "] /= sum;");
    code.close();
    code.close();
    code.close();
    return Nothing();
}

Status lrn_in_c(const CLoops& loops) {
    if (!has_c_reals(loops)) return refuse_in_c(loops);
    const CTensor &data = loops.inputs[0], &result = loops.outputs[0];
    AxisSplit split(data.shape, loops.attributes.integer("axis"));
    int64_t size = loops.attributes.integer("size"), half = (size - 1) / 2;
    auto real = [&](const char* name) { return c_constant(data.dtype, loops.attributes.real(name)); };
    std::string type = c_type(data.dtype), extent = std::to_string(split.extent), inner = std::to_string(split.inner);
    CWriter code(loops.code, loops.indent);
    code.share_among_threads(2);
    code.open_loop("o", split.outer);
    code.open_loop("c", split.extent);
    code.line("const int64_t first = c < " + std::to_string(half) + " ? 0 : c - " + std::to_string(half) + ";");
    code.line("const int64_t end = c + " + std::to_string(size - half) + " < " + extent + " ? c + " +
              std::to_string(size - half) + " : " + extent + ";");
    code.open_loop("i", split.inner);
    code.line(type + " sum = 0;");
    code.open_loop("k", "first", "end");
    code.line("const " + type + " v = " + data.name + "[(o * " + extent + " + k) * " + inner + " + i];");
    code.line("sum += v * v;");
    code.close();
    std::string place = "[(o * " + extent + " + c) * " + inner + " + i]",
                power = data.dtype == kFloat32 ? "powf(" : "pow(";
    code.line(result.name + place + " = " + data.name + place + " / " + power + real("bias") + " + " + real("alpha") +
              " * sum / " + std::to_string(size) + ", " + real("beta") + ");");
    for (int depth = 0; depth < 3; ++depth) code.close();
    return Nothing();
}

Status dropout_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &mask = loops.outputs[1];
    int64_t count = element_count(data.shape).value_or(0);
    CWriter code(loops.code, loops.indent);
    code.line("memcpy(" + loops.outputs[0].name + ", " + data.name + ", " +
              std::to_string(size_t(count) * data.dtype.bytes()) + ");");
    code.open_loop("i", count);
    code.line(mask.name + "[i] = 1;");
    code.close();
    return Nothing();
}

Status batch_norm_in_c(const CLoops& loops) {
    if (!has_c_reals(loops)) return refuse_in_c(loops);
    const CTensor& data = loops.inputs[0];
    AxisSplit split(data.shape, loops.attributes.integer("axis"));
    std::string type = c_type(data.dtype), root = data.dtype == kFloat32 ? "sqrtf" : "sqrt";
    std::string epsilon = c_constant(data.dtype, double(float(loops.attributes.real("epsilon"))));
    CWriter code(loops.code, loops.indent);
    code.share_among_threads(2);
    code.open_loop("o", split.outer);
    code.open_loop("c", split.extent);
    std::string scale = "1 / " + root + "(" + loops.inputs[4].name + "[c] + " + epsilon + ")";
    if (loops.attributes.boolean("scale")) scale += " * " + loops.inputs[1].name + "[c]";
    code.line("const " + type + " scale = " + scale + ";");
    std::string shift = "-" + loops.inputs[3].name + "[c] * scale";
    if (loops.attributes.boolean("center")) shift += " + " + loops.inputs[2].name + "[c]";
    code.line("const " + type + " shift = " + shift + ";");
    code.open_loop("i", split.inner);
    std::string place = "[(o * " + std::to_string(split.extent) + " + c) * " + std::to_string(split.inner) + " + i]";
    code.line(loops.outputs[0].name + place + " = " + data.name + place + " * scale + shift;");
    code.close();
    code.close();
    code.close();
    for (size_t i : {1, 2})
        code.line("memcpy(" + loops.outputs[i].name + ", " + loops.inputs[i + 2].name + ", " +
                  std::to_string(size_t(split.extent) * data.dtype.bytes()) + ");");
    return Nothing();
}

// ---- Records ----

template <int each>
double flops_for_each_element(const TypeTable& types, std::span<const TypeId> arguments, TypeId,
                              const AttributesView&) {
    double count = each;
    for (int64_t dim : types.shape(arguments[0])) count *= double(dim);
    return count;
}

std::vector<AttributeField> norm_fields(int axis) {
    using enum AttributeKind;
    return {
        optional_field("axis", Int, axis, "the channels' axis"),
        optional_field("epsilon", Double, 1e-5, "added to the variance"),
        optional_field("center", Bool, true, "whether beta is added"),
        optional_field("scale", Bool, true, "whether gamma is a factor"),
    };
}

OpRecord norm_record(std::string name, std::string summary, Kernel kernel, std::string example) {
    OpRecord record;
    record.name = std::move(name);
    record.summary = std::move(summary);
    record.inputs = {"data", "gamma", "beta"};
    record.attributes = norm_fields(1);
    record.relation = channel_norm_relation;
    record.kernel = kernel;
    record.flops = flops_for_each_element<8>;
    record.example = std::move(example);
    return record;
}

OpRecord softmax_record(std::string name, std::string summary, Kernel kernel, CLoopsEmitter loops) {
    OpRecord record;
    record.name = std::move(name);
    record.summary = std::move(summary);
    record.inputs = {"data"};
    record.attributes = {optional_field("axis", AttributeKind::Int, -1, "the axis that sums to one")};
    record.relation = one_axis_relation;
    record.kernel = kernel;
    record.c_loops = loops;
    record.flops = flops_for_each_element<5>;
    record.example = "fn (%x: Tensor[(2, 5), float32]) { " + record.name + "(%x) }";
    return record;
}

OpRecord batch_norm_record() {
    OpRecord record = norm_record(
        "nn.batch_norm", "Normalisation by given means and variances; a tuple of result, mean and variance.",
        batch_norm_kernel,
        "fn (%x: Tensor[(1, 3, 4, 4), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32], "
        "%m: Tensor[(3), float32], %v: Tensor[(3), float32]) { nn.batch_norm(%x, %g, %b, %m, %v) }");
    record.inputs = {"data", "gamma", "beta", "moving_mean", "moving_var"};
    record.relation = batch_norm_relation;
    record.c_loops = batch_norm_in_c;
    record.flops = flops_for_each_element<2>;
    return record;
}

OpRecord group_norm_record() {
    OpRecord record =
        norm_record("nn.group_norm", "Normalisation over groups of channels.",
                    axes_norm_kernel<group_norm_axes, NormalizationKind::Standardize>,
                    "fn (%x: Tensor[(2, 4, 3, 3), float32], %g: Tensor[(4), float32], %b: Tensor[(4), float32]) "
                    "{ nn.group_norm(%x, %g, %b, num_groups=2) }");
    record.attributes.insert(
        record.attributes.begin(),
        optional_field("num_groups", AttributeKind::Int, 0, "into how many groups the channels are divided"));
    record.relation = group_norm_relation;
    record.c_loops = axes_norm_in_c<group_norm_axes, NormalizationKind::Standardize>;
    return record;
}

/// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization" (2019); Relax's R.nn.rms_norm.
OpRecord rms_norm_record() {
    OpRecord record =
        norm_record("nn.rms_norm", "Division by the root of the mean square along one axis, times gamma.",
                    axes_norm_kernel<layer_norm_axes, NormalizationKind::RootMeanSquare>,
                    "fn (%x: Tensor[(2, 3, 4), float32], %g: Tensor[(4), float32]) { nn.rms_norm(%x, %g) }");
    record.inputs = {"data", "gamma"};
    record.attributes = norm_fields(-1);
    record.attributes.resize(2);
    record.attributes[1].summary = "added to the mean square";
    record.c_loops = axes_norm_in_c<layer_norm_axes, NormalizationKind::RootMeanSquare>;
    record.flops = flops_for_each_element<4>;
    return record;
}

OpRecord lrn_record() {
    using enum AttributeKind;
    OpRecord record;
    record.name = "nn.lrn";
    record.summary = "Local response normalisation: divides by the strength of neighbouring channels.";
    record.inputs = {"data"};
    record.attributes = {
        optional_field("size", Int, 5, "how many neighbours count"),
        optional_field("axis", Int, 1, "the channels' axis"),
        optional_field("bias", Double, 2.0, "added to the sum"),
        optional_field("alpha", Double, 0.0001, "factor of the sum"),
        optional_field("beta", Double, 0.75, "exponent"),
    };
    record.relation = lrn_relation;
    record.kernel = lrn_kernel;
    record.c_loops = lrn_in_c;
    record.flops = flops_for_each_element<15>;
    record.example = "fn (%x: Tensor[(1, 6, 3, 3), float32]) { nn.lrn(%x) }";
    return record;
}

OpRecord l2_normalize_record() {
    OpRecord record;
    record.name = "nn.l2_normalize";
    record.summary = "Divides by the Euclidean norm over some axes.";
    record.inputs = {"data"};
    record.attributes = {
        required_field("eps", AttributeKind::Double, "smallest sum of squares"),
        required_field("axis", AttributeKind::IntegerList, "the axes of the norm"),
    };
    record.relation = l2_normalize_relation;
    record.kernel = axes_norm_kernel<l2_normalize_axes, NormalizationKind::UnitLength>;
    record.c_loops = axes_norm_in_c<l2_normalize_axes, NormalizationKind::UnitLength>;
    record.flops = flops_for_each_element<3>;
    record.example = "fn (%x: Tensor[(2, 5), float32]) { nn.l2_normalize(%x, eps=0.001f, axis=[1]) }";
    return record;
}

OpRecord dropout_record() {
    OpRecord record;
    record.name = "nn.dropout";
    record.summary = "Drops elements in training; a tuple of the data and a mask, for inference the data and ones.";
    record.inputs = {"data"};
    record.attributes = {optional_field("rate", AttributeKind::Double, 0.5, "how likely an element is dropped")};
    record.relation = dropout_relation;
    record.kernel = dropout_kernel;
    record.c_loops = dropout_in_c;
    record.flops = flops_for_each_element<0>;
    record.example = "fn (%x: Tensor[(2, 5), float32]) { nn.dropout(%x) }";
    return record;
}

}  // namespace

std::vector<OpRecord> nn_norm_ops() {
    std::vector<OpRecord> ops;
    ops.push_back(batch_norm_record());
    OpRecord layer =
        norm_record("nn.layer_norm", "Normalisation over one axis.",
                    axes_norm_kernel<layer_norm_axes, NormalizationKind::Standardize>,
                    "fn (%x: Tensor[(2, 3, 4), float32], %g: Tensor[(4), float32], %b: Tensor[(4), float32]) "
                    "{ nn.layer_norm(%x, %g, %b) }");
    layer.attributes = norm_fields(-1);
    layer.c_loops = axes_norm_in_c<layer_norm_axes, NormalizationKind::Standardize>;
    ops.push_back(layer);
    ops.push_back(rms_norm_record());
    OpRecord instance =
        norm_record("nn.instance_norm", "Normalisation of each channel of each example.",
                    axes_norm_kernel<instance_norm_axes, NormalizationKind::Standardize>,
                    "fn (%x: Tensor[(2, 3, 4, 4), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32]) "
                    "{ nn.instance_norm(%x, %g, %b) }");
    instance.c_loops = axes_norm_in_c<instance_norm_axes, NormalizationKind::Standardize>;
    ops.push_back(instance);
    ops.push_back(group_norm_record());
    ops.push_back(softmax_record("nn.softmax", "Exponentials divided by their sum along an axis.",
                                 softmax_kernel<false>, softmax_in_c<false>));
    ops.push_back(softmax_record("nn.fast_softmax", "Softmax whose exponential may be approximate.",
                                 softmax_kernel<false>, softmax_in_c<false>));
    ops.push_back(softmax_record("nn.log_softmax", "Logarithm of softmax.", softmax_kernel<true>, softmax_in_c<true>));
    ops.push_back(lrn_record());
    ops.push_back(l2_normalize_record());
    ops.push_back(dropout_record());
    return ops;
}

}  // namespace partita
