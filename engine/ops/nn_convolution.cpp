#include <cstring>
#include <memory>

#include "engine/ops/converted.h"
#include "engine/ops/convolution_c.h"
#include "engine/ops/convolution_kernel.h"
#include "engine/ops/families.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

template <size_t rank, bool transposed>
Result<TypeId> convolution_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    auto geometry = convolution_geometry(query.attributes, rank, transposed, types.shape(query.arguments[0]),
                                         types.shape(query.arguments[1]));
    if (!geometry) return geometry.error();
    DataType dtype = query.attributes.dtype("out_dtype");
    if (dtype.is_void()) dtype = types.dtype(query.arguments[0]);
    return checked_tensor(types, dtype, geometry->out_layout.shape_of(geometry->data_axes, geometry->output_sizes()));
}

template <size_t rank, bool transposed>
double convolution_flops(const TypeTable& types, std::span<const TypeId> arguments, TypeId,
                         const AttributesView& attributes) {
    auto geometry =
        convolution_geometry(attributes, rank, transposed, types.shape(arguments[0]), types.shape(arguments[1]));
    return geometry ? 2.0 * double(geometry->batch) * geometry->multiplications() : 0.0;
}

// ---- Kernel ----

Layout plain_layout(const std::string& axes) { return Layout::parse(axes).value(); }

/// A tensor converted to another layout; the tensor itself if the layouts are the same.
class LaidOutInput {
public:
    LaidOutInput(const TensorView& tensor, const Layout& layout, const Layout& wanted, std::span<const int64_t> shape,
                 ThreadPool& threads)
        : shape_(shape.begin(), shape.end()), view_{tensor.data, tensor.dtype, shape_} {
        if (layout.text() == wanted.text()) return;
        bytes_.reset(new std::byte[view_.byte_size()]());
        view_.data = bytes_.get();
        convert_layout(tensor.data, {layout, tensor.shape}, bytes_.get(), {wanted, shape_}, tensor.dtype.bytes(),
                       threads);
    }
    const TensorView& view() const { return view_; }

private:
    std::vector<int64_t> shape_;
    std::unique_ptr<std::byte[]> bytes_;
    TensorView view_;
};

template <class T>
Status compute_plain(const KernelCall& call, const ConvolutionGeometry& geometry, const TensorView& data,
                     const TensorView& weight, const TensorView& result) {
    ConvertedInput<T> data_values(data, call.threads), weight_values(weight, call.threads);
    ConvertedOutput<T> result_values(result);
    if (!data_values.data() || !weight_values.data() || !result_values.data()) return unsupported_types(call);
    const T* weights = weight_values.data();
    std::unique_ptr<T[]> flipped;
    if (geometry.transposed) {
        flipped.reset(new T[size_t(weight.size())]);
        flip_transposed_weight(geometry, weights, flipped.get());
        weights = flipped.get();
    }
    convolve(plain_equivalent(geometry), data_values.data(), weights, result_values.data(), call.threads);
    result_values.store(call.threads);
    return Nothing();
}

template <size_t rank, bool transposed>
Status convolution_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &weight = call.inputs[1], &result = call.outputs[0];
    auto found = convolution_geometry(call.attributes, rank, transposed, data.shape, weight.shape);
    if (!found) return found.error();
    const ConvolutionGeometry& geometry = *found;
    for (const TensorView* tensor : {&data, &weight, &result})
        if (tensor->dtype.bytes() > 8 || tensor->dtype.bits % 8 != 0) return unsupported_types(call);

    Layout data_plain = plain_layout(geometry.data_axes), weight_plain = plain_layout(geometry.kernel_axes);
    auto data_sizes = geometry.data_layout.sizes_of(geometry.data_axes, data.shape);
    auto weight_sizes = geometry.kernel_layout.sizes_of(geometry.kernel_axes, weight.shape);
    if (!data_sizes || !weight_sizes) return error("the shapes do not fit the layouts");
    LaidOutInput data_in(data, geometry.data_layout, data_plain, *data_sizes, call.threads);
    LaidOutInput weight_in(weight, geometry.kernel_layout, weight_plain, *weight_sizes, call.threads);

    std::vector<int64_t> result_sizes = geometry.output_sizes();
    TensorView plain_result{result.data, result.dtype, result_sizes};
    std::unique_ptr<std::byte[]> bytes;
    bool in_place = geometry.out_layout.text() == data_plain.text();
    if (!in_place) {
        bytes.reset(new std::byte[plain_result.byte_size()]);
        plain_result.data = bytes.get();
    }
    if (loses_fractions(data.dtype, weight.dtype, result.dtype)) return unsupported_types(call);
    Status computed = with_product_type(data.dtype, weight.dtype, result.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        return compute_plain<T>(call, geometry, data_in.view(), weight_in.view(), plain_result);
    });
    if (!computed || in_place) return computed;
    std::memset(result.data, 0, result.byte_size());
    convert_layout(bytes.get(), {data_plain, result_sizes}, result.data, {geometry.out_layout, result.shape},
                   result.dtype.bytes(), call.threads);
    return Nothing();
}

template <size_t rank, bool transposed>
Status convolution_in_c(const CLoops& loops) {
    return transposed ? write_transposed_convolution_in_c(loops, rank) : write_convolution_in_c(loops, rank);
}

// ---- Records ----

constexpr const char* kStrides = "how far the window moves, for each spatial axis";
constexpr const char* kPadding = "zeros around the data: one value, one for each axis, or one for each side";
constexpr const char* kDilation = "distance of the kernel's elements, for each spatial axis";
constexpr const char* kGroups = "into how many separate groups the channels are divided";
constexpr const char* kChannels = "number of output channels; None: as the weight has them";
constexpr const char* kKernelSize = "extents of the kernel; None: as the weight has them";

struct LayoutNames {
    const char* data;
    const char* kernel;
};
constexpr LayoutNames kLayouts[] = {{"", ""}, {"NCW", "OIW"}, {"NCHW", "OIHW"}, {"NCDHW", "OIDHW"}};

void append_layout_fields(std::vector<AttributeField>& fields, size_t rank) {
    using enum AttributeKind;
    fields.push_back(optional_field("data_layout", String, kLayouts[rank].data, "order of the data's dimensions"));
    fields.push_back(
        optional_field("kernel_layout", String, kLayouts[rank].kernel, "order of the weight's dimensions"));
    fields.push_back(
        optional_field("out_layout", String, "", "order of the result's dimensions; empty: as data_layout"));
    fields.push_back(optional_field("out_dtype", DType, kVoid, "the result's type; empty: the data's"));
}

std::vector<AttributeField> convolution_fields(size_t rank) {
    using enum AttributeKind;
    std::vector<AttributeField> fields{
        optional_field("strides", IntegerList, repeated(rank, 1), kStrides),
        optional_field("padding", IntegerList, repeated(rank == 1 ? 2 : rank, 0), kPadding),
        optional_field("dilation", IntegerList, repeated(rank, 1), kDilation),
        optional_field("groups", Int, 1, kGroups),
        optional_field("channels", Object, {}, kChannels),
        optional_field("kernel_size", IntegerList, {}, kKernelSize),
    };
    append_layout_fields(fields, rank);
    return fields;
}

std::vector<AttributeField> transposed_fields(size_t rank) {
    using enum AttributeKind;
    std::vector<AttributeField> fields{
        optional_field("channels", Object, {}, kChannels),
        optional_field("kernel_size", IntegerList, {}, kKernelSize),
        optional_field("strides", IntegerList, repeated(rank, 1), kStrides),
        optional_field("output_padding", IntegerList, repeated(rank, 0), "elements added at the end of each axis"),
        optional_field("padding", IntegerList, repeated(rank, 0), "what is cut off the result at each side"),
        optional_field("dilation", IntegerList, repeated(rank, 1), kDilation),
        optional_field("groups", Int, 1, kGroups),
    };
    append_layout_fields(fields, rank);
    return fields;
}

template <size_t rank, bool transposed>
OpRecord convolution_record(std::string example) {
    OpRecord record;
    record.name = "nn.conv" + std::to_string(rank) + "d" + (transposed ? "_transpose" : "");
    record.summary = std::string(transposed ? "Transposed convolution" : "Convolution") + " over " +
                     std::to_string(rank) + (rank == 1 ? " spatial axis." : " spatial axes.");
    record.inputs = {"data", "weight"};
    record.pattern = OpPattern::Complex;
    record.attributes = transposed ? transposed_fields(rank) : convolution_fields(rank);
    record.relation = convolution_relation<rank, transposed>;
    record.kernel = convolution_kernel<rank, transposed>;
    record.c_loops = convolution_in_c<rank, transposed>;
    record.flops = convolution_flops<rank, transposed>;
    record.example = std::move(example);
    return record;
}

}  // namespace

std::vector<OpRecord> nn_convolution_ops() {
    std::vector<OpRecord> ops;
    ops.push_back(convolution_record<1, false>(
        "fn (%x: Tensor[(1, 3, 8), float32], %w: Tensor[(4, 3, 3), float32]) { nn.conv1d(%x, %w, padding=[1, 1]) }"));
    ops.push_back(convolution_record<2, false>(
        "fn (%x: Tensor[(1, 3, 6, 6), float32], %w: Tensor[(4, 3, 3, 3), float32]) "
        "{ nn.conv2d(%x, %w, strides=[2, 2], padding=[1, 1, 1, 1], channels=4, kernel_size=[3, 3]) }"));
    ops.push_back(convolution_record<3, false>(
        "fn (%x: Tensor[(1, 2, 4, 4, 4), float32], %w: Tensor[(3, 2, 2, 2, 2), float32]) { nn.conv3d(%x, %w) }"));
    ops.push_back(
        convolution_record<1, true>("fn (%x: Tensor[(1, 3, 5), float32], %w: Tensor[(3, 4, 3), float32]) "
                                    "{ nn.conv1d_transpose(%x, %w, channels=4, kernel_size=[3], strides=[2]) }"));
    ops.push_back(convolution_record<2, true>(
        "fn (%x: Tensor[(1, 3, 4, 4), float32], %w: Tensor[(3, 2, 3, 3), float32]) "
        "{ nn.conv2d_transpose(%x, %w, channels=2, kernel_size=[3, 3], strides=[2, 2], padding=[1, 1, 1, 1], "
        "kernel_layout=\"IOHW\") }"));
    ops.push_back(
        convolution_record<3, true>("fn (%x: Tensor[(1, 2, 3, 3, 3), float32], %w: Tensor[(2, 3, 2, 2, 2), float32]) "
                                    "{ nn.conv3d_transpose(%x, %w, channels=3, kernel_size=[2, 2, 2]) }"));
    return ops;
}

}  // namespace partita
