// Activations and additions of the nn family. Source: TVM 0.9, src/relay/op/nn/nn.cc and topi/nn.h.
#include <cmath>

#include "engine/ops/c_writer.h"
#include "engine/ops/converted.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/families.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

Result<TypeId> channel_vector_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    auto axis = checked_axis(query.attributes.integer("axis"), data.size());
    if (!axis) return axis.error();
    if (Status fits = expect_tensor(query, 1, types.dtype(query.arguments[0]), {data[size_t(*axis)]}); !fits)
        return fits.error();
    return query.arguments[0];
}

Result<TypeId> batch_flatten_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]);
    if (data.empty()) return error("the data must have at least one axis");
    int64_t features = 1;
    for (int64_t dim : data.subspan(1)) {
        auto product = checked_multiply(features, dim);
        if (!product) return error("the flattened axis is too large");
        features = *product;
    }
    return checked_tensor(types, types.dtype(query.arguments[0]), std::vector<int64_t>{data[0], features});
}

Result<TypeId> cross_entropy_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> predictions = types.shape(query.arguments[0]);
    if (predictions.size() != 2) return error("the predictions must have rank 2");
    if (Status fits = expect_tensor(query, 1, types.dtype(query.arguments[1]), predictions); !fits) return fits.error();
    return types.tensor(types.dtype(query.arguments[0]), {});
}

// ---- Kernels ----

/// NaN becomes 0, as in TVM, whose max returns the second operand if the first is not larger.
struct Relu {
    template <class W>
    W operator()(W x) const {
        return x > W(0) ? x : W(0);
    }
};

struct LeakyRelu {
    double alpha;
    template <class W>
    W operator()(W x) const {
        if constexpr (std::is_floating_point_v<W>) return x > W(0) ? x : x * W(alpha);
        else return x > W(0) ? x : convert<W>(double(x) * alpha);
    }
};

template <class Function>
Status map_elements(const KernelCall& call, Function function) {
    bool known = with_element_type(call.inputs[0].dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T* from = call.inputs[0].as<T>();
        T* to = call.outputs[0].as<T>();
        call.threads.parallel_for(call.outputs[0].size(), kCheapGrain, [=](int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i) to[i] = T(function(Wide<T>(from[i])));
        });
    });
    return known ? Status(Nothing()) : Status(unsupported_types(call));
}

Status relu_kernel(const KernelCall& call) { return map_elements(call, Relu()); }
Status leaky_relu_kernel(const KernelCall& call) {
    return map_elements(call, LeakyRelu{call.attributes.real("alpha")});
}

struct AddBias {
    template <class W>
    W operator()(W x, W bias) const {
        if constexpr (std::is_floating_point_v<W>) return x + bias;
        else return W(uint64_t(x) + uint64_t(bias));
    }
};

struct ScaleNegative {
    template <class W>
    W operator()(W x, W slope) const {
        if constexpr (std::is_floating_point_v<W>) return x > W(0) ? x : x * slope;
        else return x > W(0) ? x : W(uint64_t(x) * uint64_t(slope));
    }
};

/// Calls function(element, vector's element at the index along the op's axis).
template <class Function>
Status map_with_vector(const KernelCall& call, Function function) {
    std::span<const int64_t> shape = call.inputs[0].shape;
    size_t axis = size_t(*normalized_axis(call.attributes.integer("axis"), shape.size()));
    int64_t inner = 1;
    for (size_t d = axis + 1; d < shape.size(); ++d) inner *= shape[d];
    int64_t extent = shape[axis], size = call.outputs[0].size();
    if (size == 0) return Nothing();
    bool known = with_element_type(call.inputs[0].dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        const T *from = call.inputs[0].as<T>(), *vector = call.inputs[1].as<T>();
        T* to = call.outputs[0].as<T>();
        // Rows run along the vector if it is innermost, else along the axes inside it.
        int64_t length = inner == 1 ? extent : inner;
        call.threads.parallel_for(size / length, std::max<int64_t>(1, kCheapGrain / length),
                                  [=](int64_t begin, int64_t end) {
                                      for (int64_t row = begin; row < end; ++row) {
                                          const T* row_from = from + row * length;
                                          T* row_to = to + row * length;
                                          if (inner == 1) {
                                              for (int64_t i = 0; i < length; ++i)
                                                  row_to[i] = T(function(Wide<T>(row_from[i]), Wide<T>(vector[i])));
                                              continue;
                                          }
                                          const Wide<T> value = Wide<T>(vector[row % extent]);
                                          for (int64_t i = 0; i < length; ++i)
                                              row_to[i] = T(function(Wide<T>(row_from[i]), value));
                                      }
                                  });
    });
    return known ? Status(Nothing()) : Status(unsupported_types(call));
}

Status bias_add_kernel(const KernelCall& call) { return map_with_vector(call, AddBias()); }
Status prelu_kernel(const KernelCall& call) { return map_with_vector(call, ScaleNegative()); }

template <bool logits>
Status cross_entropy_kernel(const KernelCall& call) {
    return with_real_type(call.inputs[0].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> predictions(call.inputs[0], call.threads), targets(call.inputs[1], call.threads);
        ConvertedOutput<T> result(call.outputs[0]);
        if (!predictions.data() || !targets.data() || !result.data()) return unsupported_types(call);
        double sum = 0;
        for (int64_t i = 0; i < call.inputs[0].size(); ++i) {
            double prediction = double(predictions.data()[i]);
            sum += (logits ? prediction : std::log(prediction)) * double(targets.data()[i]);
        }
        *result.data() = T(-sum / double(call.inputs[0].shape[0]));
        result.store(call.threads);
        return Nothing();
    });
}

// ---- C ----

template <bool logits>
Status cross_entropy_in_c(const CLoops& loops) {
    const CTensor &predictions = loops.inputs[0], &targets = loops.inputs[1], &result = loops.outputs[0];
    if (!predictions.dtype.is_float()) return error(loops.attributes.op().name + " of integers can't be written in C");
    std::string prediction = "(double)" + predictions.name + "[i]";
    CWriter code(loops.code, loops.indent);
    code.open("");
    code.line("double sum = 0;");
    code.open_loop("i", element_count(predictions.shape).value_or(0));
    code.line("sum += " + (logits ? prediction : "log(" + prediction + ")") + " * (double)" + targets.name + "[i];");
    code.close();
    code.line(result.name + "[0] = (" + c_type(result.dtype) + ")(-sum / " +
              c_constant(kFloat64, double(predictions.shape[0])) + ");");
    code.close();
    return Nothing();
}

std::string relu_element(const CElement& element) {
    return fill_c_template("%a > 0 ? %a : 0", element.operands, element.operand_dtype);
}

std::string leaky_relu_element(const CElement& element) {
    DataType dtype = element.operand_dtype;
    const std::string& x = element.operands[0];
    double alpha = element.attributes.real("alpha");
    if (dtype.is_float()) return "((" + x + ") > 0 ? (" + x + ") : (" + x + ") * " + c_constant(dtype, alpha) + ")";
    std::string scaled = "(double)(" + x + ") * " + c_constant(kFloat64, alpha);
    return "((" + x + ") > 0 ? (" + x + ") : " + c_saturate(scaled, kFloat64, dtype) + ")";
}

/// Writes loops over (outer, extent, inner) that store `value`, in which `x` is the element and `v` the vector's.
Status map_with_vector_in_c(const CLoops& loops, const std::string& value) {
    const CTensor &data = loops.inputs[0], &vector = loops.inputs[1], &result = loops.outputs[0];
    if (data.dtype.is_bool()) return error(loops.attributes.op().name + " of bool can't be written in C");
    size_t axis = size_t(*normalized_axis(loops.attributes.integer("axis"), data.shape.size()));
    int64_t outer = 1, inner = 1;
    for (size_t d = 0; d < data.shape.size(); ++d)
        if (d != axis) (d < axis ? outer : inner) *= data.shape[d];
    std::string extent = std::to_string(data.shape[axis]), type = c_type(data.dtype);
    CWriter code(loops.code, loops.indent);
    code.share_among_threads(2);
    code.open_loop("o", outer);
    code.open_loop("a", data.shape[axis]);
    code.line("const " + type + " v = " + vector.name + "[a];");
    code.open_loop("i", inner);
    std::string place = "(o * " + extent + " + a) * " + std::to_string(inner) + " + i";
    code.line("const " + type + " x = " + data.name + "[" + place + "];");
    code.line(result.name + "[" + place + "] = (" + type + ")(" + value + ");");
    code.close();
    code.close();
    code.close();
    return Nothing();
}

/// Returns an operation on two integers in the unsigned type in which they wrap.
std::string wrapping(DataType dtype, const std::string& left, char operation, const std::string& right) {
    if (dtype.is_float()) return left + " " + operation + " " + right;
    std::string type = dtype.bits == 64 ? "(uint64_t)" : "(uint32_t)";
    return type + left + " " + operation + " " + type + right;
}

Status bias_add_in_c(const CLoops& loops) {
    return map_with_vector_in_c(loops, wrapping(loops.inputs[0].dtype, "x", '+', "v"));
}

Status prelu_in_c(const CLoops& loops) {
    DataType dtype = loops.inputs[0].dtype;
    return map_with_vector_in_c(loops, "x > 0 ? x : (" + c_type(dtype) + ")(" + wrapping(dtype, "x", '*', "v") + ")");
}

// ---- Records ----

OpRecord record_of(std::string name, std::string summary, std::vector<std::string> inputs, OpPattern pattern,
                   TypeRelation relation, Kernel kernel, std::string example) {
    OpRecord record;
    record.name = std::move(name);
    record.summary = std::move(summary);
    record.inputs = std::move(inputs);
    record.pattern = pattern;
    record.relation = relation;
    record.kernel = kernel;
    record.example = std::move(example);
    return record;
}

}  // namespace

std::vector<OpRecord> nn_activation_ops() {
    using enum AttributeKind;
    std::vector<OpRecord> ops;
    auto add = [&ops](OpRecord record, std::vector<AttributeField> fields = {}, CElementEmitter element = nullptr,
                      CLoopsEmitter loops = nullptr) {
        record.attributes = std::move(fields);
        record.c_element = element;
        record.c_loops = loops;
        ops.push_back(std::move(record));
    };
    add(record_of("nn.relu", "The larger of the data and zero.", {"data"}, OpPattern::Elementwise, identity_relation,
                  relu_kernel, "fn (%x: Tensor[(2, 3), float32]) { nn.relu(%x) }"),
        {}, relu_element);
    add(record_of("nn.leaky_relu", "The data where positive, else alpha times it.", {"data"}, OpPattern::Elementwise,
                  identity_relation, leaky_relu_kernel,
                  "fn (%x: Tensor[(2, 3), float32]) { nn.leaky_relu(%x, alpha=0.1f) }"),
        {optional_field("alpha", Double, 0.25, "slope of the negative part")}, leaky_relu_element);
    add(record_of("nn.prelu", "The data where positive, else its channel's slope times it.", {"data", "alpha"},
                  OpPattern::Broadcast, channel_vector_relation, prelu_kernel,
                  "fn (%x: Tensor[(2, 3, 4), float32], %a: Tensor[(3), float32]) { nn.prelu(%x, %a) }"),
        {optional_field("axis", Int, 1, "the channels' axis")}, nullptr, prelu_in_c);
    add(record_of("nn.bias_add", "Adds a vector along one axis.", {"data", "bias"}, OpPattern::Broadcast,
                  channel_vector_relation, bias_add_kernel,
                  "fn (%x: Tensor[(2, 3, 4), float32], %b: Tensor[(3), float32]) { nn.bias_add(%x, %b) }"),
        {optional_field("axis", Int, 1, "the axis that the vector runs along")}, nullptr, bias_add_in_c);
    add(record_of("nn.batch_flatten", "Joins all axes but the first.", {"data"}, OpPattern::Injective,
                  batch_flatten_relation, copy_kernel, "fn (%x: Tensor[(2, 3, 4), float32]) { nn.batch_flatten(%x) }"));
    ops.back().same_bytes = true;
    add(record_of("nn.cross_entropy", "Mean cross entropy of probabilities.", {"x", "y"}, OpPattern::Opaque,
                  cross_entropy_relation, cross_entropy_kernel<false>,
                  "fn (%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { nn.cross_entropy(%x, %y) }"),
        {}, nullptr, cross_entropy_in_c<false>);
    add(record_of(
            "nn.cross_entropy_with_logits", "Mean cross entropy of logarithms of probabilities.", {"x", "y"},
            OpPattern::Opaque, cross_entropy_relation, cross_entropy_kernel<true>,
            "fn (%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) { nn.cross_entropy_with_logits(%x, %y) }"),
        {}, nullptr, cross_entropy_in_c<true>);
    return ops;
}

}  // namespace partita
