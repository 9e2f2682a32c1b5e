// Ops of the nn family that enlarge images and volumes.
// Source: TVM 0.9, src/relay/op/nn/upsampling.cc and topi/image/resize.py.
#include <algorithm>
#include <cmath>

#include "engine/ops/converted.h"
#include "engine/ops/families.h"
#include "engine/ops/interpolation_c.h"
#include "engine/ops/nn_spatial.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"

namespace partita {

namespace {

Result<int64_t> scaled_extent(int64_t extent, double scale, const char* name) {
    if (extent == kDynamicDim) return kDynamicDim;
    double result = std::round(double(extent) * scale);
    if (!(scale > 0) || !(result < 0x1p40)) return error(std::string(name) + " must be positive and not too large");
    return int64_t(result);
}

Result<TypeId> upsampling_relation(const TypeQuery& query, std::string_view axes, std::span<const char* const> scales) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    auto layout = Layout::parse(query.attributes.string("layout"));
    if (!layout) return layout.error();
    auto sizes = plain_sizes(query, *layout, axes);
    if (!sizes) return sizes.error();
    for (size_t i = 0; i < scales.size(); ++i) {
        auto extent = scaled_extent((*sizes)[i + 2], query.attributes.real(scales[i]), scales[i]);
        if (!extent) return extent.error();
        (*sizes)[i + 2] = *extent;
    }
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), layout->shape_of(axes, *sizes));
}

Result<TypeId> upsampling2d_relation(const TypeQuery& query) {
    static const char* const scales[] = {"scale_h", "scale_w"};
    const std::string& method = query.attributes.string("method");
    if (method != "nearest_neighbor" && method != "bilinear" && method != "bicubic")
        return error("method must be \"nearest_neighbor\", \"bilinear\" or \"bicubic\", not \"" + method + "\"");
    return upsampling_relation(query, "NCHW", scales);
}

Result<TypeId> upsampling3d_relation(const TypeQuery& query) {
    static const char* const scales[] = {"scale_d", "scale_h", "scale_w"};
    const std::string& method = query.attributes.string("method");
    if (method != "nearest_neighbor" && method != "trilinear")
        return error("method must be \"nearest_neighbor\" or \"trilinear\", not \"" + method + "\"");
    const std::string& mode = query.attributes.string("coordinate_transformation_mode");
    if (mode != "half_pixel" && mode != "align_corners" && mode != "asymmetric")
        return error(
            "coordinate_transformation_mode must be \"half_pixel\", \"align_corners\" or \"asymmetric\", not \"" +
            mode + "\"");
    return upsampling_relation(query, "NCDHW", scales);
}

enum class Interpolation { Nearest, Linear, Cubic };

/// The data along one axis whose weighted sum is a result element.
struct Taps {
    int count = 1;
    int64_t index[4] = {};
    double weight[4] = {1, 0, 0, 0};
};

double source_place(int64_t index, int64_t extent, int64_t result_extent, const std::string& transformation) {
    if (transformation == "align_corners")
        return result_extent > 1 ? double(extent - 1) / double(result_extent - 1) * double(index) : 0.0;
    double scale = double(extent) / double(result_extent);
    return transformation == "half_pixel" ? (double(index) + 0.5) * scale - 0.5 : double(index) * scale;
}

/// Sets the cubic weights of Keys with a = -0.5, TVM's default.
void set_cubic_weights(double t, double weight[4]) {
    constexpr double a = -0.5;
    double t2 = t * t, t3 = t2 * t;
    weight[0] = a * (t3 - 2 * t2 + t);
    weight[1] = (a + 2) * t3 - (3 + a) * t2 + 1;
    weight[2] = -(a + 2) * t3 + (3 + 2 * a) * t2 - a * t;
    weight[3] = -a * t3 + a * t2;
}

Taps taps_at(int64_t index, int64_t extent, int64_t result_extent, Interpolation interpolation,
             const std::string& transformation) {
    double place = source_place(index, extent, result_extent, transformation);
    Taps taps;
    if (interpolation == Interpolation::Nearest) {
        taps.index[0] = int64_t(transformation == "align_corners" ? std::round(place) : std::floor(place + 1e-5));
    } else {
        double whole = std::floor(place), t = place - whole;
        taps.count = interpolation == Interpolation::Linear ? 2 : 4;
        for (int i = 0; i < taps.count; ++i) taps.index[i] = int64_t(whole) + i - (taps.count == 4 ? 1 : 0);
        taps.weight[0] = 1 - t;
        taps.weight[1] = t;
        if (taps.count == 4) set_cubic_weights(t, taps.weight);
    }
    for (int64_t& at : taps.index) at = std::clamp<int64_t>(at, 0, extent - 1);
    return taps;
}

/// Sums over the taps of the spatial axes from `axis` on.
template <class T>
double weighted_sum(const T* data, const ImageOffsets& offsets, const std::vector<const Taps*>& taps, size_t axis,
                    int64_t base) {
    if (axis == taps.size()) return double(data[base]);
    double sum = 0;
    for (int i = 0; i < taps[axis]->count; ++i)
        sum += taps[axis]->weight[i] *
               weighted_sum(data, offsets, taps, axis + 1, base + offsets.data[axis + 2][size_t(taps[axis]->index[i])]);
    return sum;
}

Status upsample(const KernelCall& call, std::string_view axes, Interpolation interpolation,
                const std::string& transformation) {
    auto offsets = image_offsets(call, axes);
    if (!offsets) return offsets.error();
    if (call.outputs[0].size() == 0) return Nothing();
    size_t rank = axes.size() - 2;
    std::vector<std::vector<Taps>> taps(rank);
    int64_t positions = 1;
    for (size_t a = 0; a < rank; ++a) {
        int64_t count = offsets->result_sizes[a + 2];
        if (offsets->data_sizes[a + 2] == 0) return error("there is nothing to enlarge");
        for (int64_t i = 0; i < count; ++i)
            taps[a].push_back(taps_at(i, offsets->data_sizes[a + 2], count, interpolation, transformation));
        positions *= count;
    }
    return with_real_type(call.inputs[0].dtype, [&](auto tag) -> Status {
        using T = typename decltype(tag)::type;
        ConvertedInput<T> data(call.inputs[0], call.threads);
        ConvertedOutput<T> result(call.outputs[0]);
        if (!data.data() || !result.data()) return unsupported_types(call);
        int64_t planes = offsets->result_sizes[0] * offsets->result_sizes[1];
        call.threads.parallel_for(planes * positions, 4096, [&](int64_t begin, int64_t end) {
            std::vector<const Taps*> at(rank);
            for (int64_t element = begin; element < end; ++element) {
                size_t plane = size_t(element / positions), channels = size_t(offsets->result_sizes[1]);
                size_t n = plane / channels, c = plane % channels;
                int64_t rest = element % positions, target = offsets->result[0][n] + offsets->result[1][c];
                for (size_t a = rank; a-- > 0;) {
                    size_t index = size_t(rest % offsets->result_sizes[a + 2]);
                    rest /= offsets->result_sizes[a + 2];
                    at[a] = &taps[a][index];
                    target += offsets->result[a + 2][index];
                }
                result.data()[target] =
                    T(weighted_sum(data.data(), *offsets, at, 0, offsets->data[0][n] + offsets->data[1][c]));
            }
        });
        result.store(call.threads);
        return Nothing();
    });
}

Interpolation interpolation_of(const AttributesView& attributes) {
    const std::string& method = attributes.string("method");
    if (method == "bilinear" || method == "trilinear") return Interpolation::Linear;
    return method == "bicubic" ? Interpolation::Cubic : Interpolation::Nearest;
}

std::string transformation2d(const AttributesView& attributes) {
    return attributes.boolean("align_corners") ? "align_corners" : "asymmetric";
}

std::string transformation3d(const AttributesView& attributes) {
    return attributes.string("coordinate_transformation_mode");
}

Status upsampling2d_kernel(const KernelCall& call) {
    return upsample(call, "NCHW", interpolation_of(call.attributes), transformation2d(call.attributes));
}

Status upsampling3d_kernel(const KernelCall& call) {
    return upsample(call, "NCDHW", interpolation_of(call.attributes), transformation3d(call.attributes));
}

Status upsampling_in_c(const CLoops& loops, std::string_view axes, const std::string& transformation) {
    auto layout = Layout::parse(loops.attributes.string("layout"));
    if (!layout) return layout.error();
    if (layout->is_blocked())
        return error(loops.attributes.op().name + " of the layout " + layout->text() + " can't be written in C");
    const std::vector<int64_t> from = row_major_strides(loops.inputs[0].shape),
                               to = row_major_strides(loops.outputs[0].shape);
    std::vector<PlainAxis> plain;
    std::vector<WeightedAxis> weighted;
    for (size_t i = 0; i < axes.size(); ++i) {
        const size_t at = size_t(layout->position(axes[i]));
        const int64_t extent = loops.inputs[0].shape[at], result_extent = loops.outputs[0].shape[at];
        if (i < 2) {
            plain.push_back({extent, from[at], to[at]});
            continue;
        }
        if (extent == 0) return error("there is nothing to enlarge");
        WeightedAxis made{{}, to[at]};
        for (int64_t index = 0; index < result_extent; ++index) {
            const Taps taps = taps_at(index, extent, result_extent, interpolation_of(loops.attributes), transformation);
            std::vector<WeightedAxis::Tap>& list = made.taps.emplace_back();
            for (int k = 0; k < taps.count; ++k) list.push_back({taps.index[k] * from[at], taps.weight[k]});
        }
        weighted.push_back(std::move(made));
    }
    return write_weighted_sums(loops, plain, weighted, kFloat64);
}

Status upsampling2d_in_c(const CLoops& loops) {
    return upsampling_in_c(loops, "NCHW", transformation2d(loops.attributes));
}
Status upsampling3d_in_c(const CLoops& loops) {
    return upsampling_in_c(loops, "NCDHW", transformation3d(loops.attributes));
}

}  // namespace

std::vector<OpRecord> nn_upsampling_ops() {
    using enum AttributeKind;
    std::vector<OpRecord> ops;
    auto add = [&ops](OpRecord record, Kernel kernel, CLoopsEmitter c_loops, std::vector<AttributeField> fields) {
        record.kernel = kernel;
        record.c_loops = c_loops;
        record.attributes = std::move(fields);
        ops.push_back(std::move(record));
    };
    add(spatial_record("nn.upsampling", "Enlarges an image.", {"data"}, OpPattern::Injective, upsampling2d_relation,
                       "fn (%x: Tensor[(1, 2, 3, 3), float32]) { nn.upsampling(%x, scale_h=2f, scale_w=2f) }"),
        upsampling2d_kernel, upsampling2d_in_c,
        {required_field("scale_h", Double, "factor of the height"),
         required_field("scale_w", Double, "factor of the width"),
         optional_field("layout", String, "NCHW", "order of the data's dimensions"),
         optional_field("method", String, "nearest_neighbor", "nearest_neighbor, bilinear or bicubic"),
         optional_field("align_corners", Bool, false, "whether the corners of data and result coincide")});
    add(spatial_record("nn.upsampling3d", "Enlarges a volume.", {"data"}, OpPattern::Injective, upsampling3d_relation,
                       "fn (%x: Tensor[(1, 2, 2, 3, 3), float32]) "
                       "{ nn.upsampling3d(%x, scale_d=2f, scale_h=2f, scale_w=2f) }"),
        upsampling3d_kernel, upsampling3d_in_c,
        {required_field("scale_d", Double, "factor of the depth"),
         required_field("scale_h", Double, "factor of the height"),
         required_field("scale_w", Double, "factor of the width"),
         optional_field("layout", String, "NCDHW", "order of the data's dimensions"),
         optional_field("method", String, "nearest_neighbor", "nearest_neighbor or trilinear"),
         optional_field("coordinate_transformation_mode", String, "half_pixel",
                        "half_pixel, align_corners or asymmetric")});
    return ops;
}

}  // namespace partita
