// Source: TVM 0.9, src/relay/op/vision/rcnn_op.cc and topi/vision/rcnn/roi_align.py; Mask R-CNN, He et al. 2017.
#include "engine/ops/vision.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/ops/c_writer.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"

namespace partita {

namespace {

Result<TypeId> roi_align_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]), regions = types.shape(query.arguments[1]);
    if (query.attributes.string("layout") != "NCHW") return error("only the layout NCHW is supported");
    const std::string& mode = query.attributes.string("mode");
    if (mode != "avg" && mode != "max" && mode != "max_part")
        return error("mode must be avg, max or max_part, not \"" + mode + "\"");
    if (data.size() != 4) return error("the data must be of rank 4");
    if (regions.size() != 2 || regions[1] != 5)
        return error("the regions must be rows of a batch index and four corners, not of shape " +
                     shape_to_string(regions));
    // More would let one bin take minutes.
    constexpr int64_t kMostRatio = 1024;
    if (query.attributes.integer("sample_ratio") > kMostRatio)
        return error("sample_ratio must be at most " + std::to_string(kMostRatio));
    auto size = checked_integers(query.attributes, "pooled_size", 2, 1);
    if (!size) return size.error();
    return checked_tensor(types, types.dtype(query.arguments[0]),
                          std::vector<int64_t>{regions[0], data[1], (*size)[0], (*size)[1]});
}

/// One image plane and values between its elements.
struct Plane {
    const float* data;
    int64_t rows, columns;

    /// Returns what the four elements around a point give to it; zeros outside.
    std::array<float, 4> parts(float y, float x) const {
        if (y < -1 || y > float(rows) || x < -1 || x > float(columns)) return {};
        y = std::clamp(y, 0.0f, float(rows - 1));
        x = std::clamp(x, 0.0f, float(columns - 1));
        int64_t y0 = int64_t(y), x0 = int64_t(x), y1 = std::min(y0 + 1, rows - 1), x1 = std::min(x0 + 1, columns - 1);
        float down = y - float(y0), right = x - float(x0);
        return {data[y0 * columns + x0] * (1 - right) * (1 - down), data[y0 * columns + x1] * right * (1 - down),
                data[y1 * columns + x0] * (1 - right) * down, data[y1 * columns + x1] * right * down};
    }
};

struct Bins {
    float top, left, height, width;  ///< of the region, and of one bin
    int64_t down, right;             ///< samples in a bin
};

Bins bins_of(const float* region, const KernelCall& call, int64_t rows, int64_t columns) {
    const bool aligned = call.attributes.boolean("aligned");
    const float scale = float(call.attributes.real("spatial_scale")), offset = aligned ? 0.5f : 0.0f;
    int64_t ratio = call.attributes.integer("sample_ratio");
    float height = (region[4] - region[2]) * scale, width = (region[3] - region[1]) * scale;
    if (!aligned) height = std::max(height, 1.0f), width = std::max(width, 1.0f);
    Bins bins{};
    bins.top = region[2] * scale - offset, bins.left = region[1] * scale - offset;
    bins.height = height / float(rows), bins.width = width / float(columns);
    bins.down = bins.right = ratio;
    if (ratio <= 0) {
        // Hostile corners must not make a bin endless.
        constexpr float kMostSamples = 1 << 14;
        bins.down = int64_t(std::min(std::ceil(bins.height), kMostSamples));
        bins.right = int64_t(std::min(std::ceil(bins.width), kMostSamples));
    }
    return bins;
}

/// 0 where there are no samples, as in a region that ends before it begins.
float bin_value(const Plane& plane, const Bins& bins, int64_t row, int64_t column, std::string_view mode) {
    if (bins.down < 1 || bins.right < 1) return 0;
    float total = 0, most = -INFINITY;
    for (int64_t i = 0; i < bins.down; ++i)
        for (int64_t j = 0; j < bins.right; ++j) {
            float y = bins.top + (float(row) + (float(i) + 0.5f) / float(bins.down)) * bins.height;
            float x = bins.left + (float(column) + (float(j) + 0.5f) / float(bins.right)) * bins.width;
            const std::array<float, 4> parts = plane.parts(y, x);
            float value = parts[0] + parts[1] + (parts[2] + parts[3]);
            total += value;
            most = std::max(most, mode == "max_part" ? *std::max_element(parts.begin(), parts.end()) : value);
        }
    return mode != "avg" ? most : total / float(bins.down * bins.right);
}

Status roi_align_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &regions = call.inputs[1], &output = call.outputs[0];
    if (!(data.dtype == kFloat32) || !(regions.dtype == kFloat32))
        return error("vision.roi_align of " + data.dtype.to_string() + " is not supported on default");
    if (output.size() == 0) return Nothing();
    if (data.size() == 0) return error("there is no image to take regions from");
    int64_t channels = data.shape[1], plane_size = data.shape[2] * data.shape[3];
    int64_t rows = output.shape[2], columns = output.shape[3];
    const std::string& mode = call.attributes.string("mode");
    for (int64_t r = 0; r < regions.shape[0]; ++r) {
        float batch = regions.as<float>()[r * 5];
        if (!(batch >= 0) || batch >= float(data.shape[0]))
            return error("the region " + std::to_string(r) + " names an image that does not exist");
        for (int i = 1; i < 5; ++i)
            if (!std::isfinite(regions.as<float>()[r * 5 + i]))
                return error("the region " + std::to_string(r) + " is not finite");
    }
    call.threads.parallel_for(regions.shape[0] * channels, 1, [&](int64_t begin, int64_t end) {
        for (int64_t task = begin; task < end; ++task) {
            const float* region = regions.as<float>() + task / channels * 5;
            Bins bins = bins_of(region, call, rows, columns);
            int64_t image = int64_t(region[0]) * channels + task % channels;
            Plane plane{data.as<float>() + image * plane_size, data.shape[2], data.shape[3]};
            for (int64_t i = 0; i < rows; ++i)
                for (int64_t j = 0; j < columns; ++j)
                    output.as<float>()[(task * rows + i) * columns + j] = bin_value(plane, bins, i, j, mode);
        }
    });
    return Nothing();
}

/// Writes `part`: what the four elements around sample (i, j) of a cell give to it; zeros outside.
void write_sample(CWriter& code, std::span<const int64_t> shape) {
    const std::string rows = std::to_string(shape[2]), columns = std::to_string(shape[3]);
    code.line("float y = corner[1] + ((float)row + ((float)i + 0.5f) / (float)high) * height;");
    code.line("float x = corner[0] + ((float)column + ((float)j + 0.5f) / (float)wide) * width;");
    code.line("float part[4] = {0.0f, 0.0f, 0.0f, 0.0f};");
    code.open("if (y >= -1 && y <= " + rows + " && x >= -1 && x <= " + columns + ")");
    code.line("y = fminf(fmaxf(y, 0.0f), " + std::to_string(shape[2] - 1) + ");");
    code.line("x = fminf(fmaxf(x, 0.0f), " + std::to_string(shape[3] - 1) + ");");
    code.line("const int64_t y0 = (int64_t)y, x0 = (int64_t)x;");
    code.line("const int64_t y1 = y0 + 1 < " + rows + " ? y0 + 1 : y0, x1 = x0 + 1 < " + columns + " ? x0 + 1 : x0;");
    code.line("const float down = y - (float)y0, right = x - (float)x0;");
    for (const char* part :
         {"0] = plane[y0 * %c + x0] * (1 - right) * (1 - down);", "1] = plane[y0 * %c + x1] * right * (1 - down);",
          "2] = plane[y1 * %c + x0] * (1 - right) * down;", "3] = plane[y1 * %c + x1] * right * down;"}) {
        std::string line = part;
        code.line("part[" + line.replace(line.find("%c"), 2, columns));
    }
    code.close();
}

Status roi_align_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &regions = loops.inputs[1], &output = loops.outputs[0];
    if (!(data.dtype == kFloat32) || !(regions.dtype == kFloat32))
        return error("vision.roi_align of other types than float32 can't be written in C");
    if (element_count(output.shape).value_or(0) == 0) return Nothing();
    if (element_count(data.shape).value_or(0) == 0)
        return error("vision.roi_align of an empty tensor can't be written in C");
    const std::string channels = number(data.shape[1]);
    const std::string down = number(output.shape[2]), right = number(output.shape[3]);
    const std::string scale = c_constant(kFloat32, loops.attributes.real("spatial_scale"));
    const bool aligned = loops.attributes.boolean("aligned");
    const auto extent = [&](const std::string& from, const std::string& to) {
        return aligned ? "(" + to + " - " + from + ")" : "fmaxf(" + to + " - " + from + ", 1.0f)";
    };
    int64_t ratio = loops.attributes.integer("sample_ratio");
    auto samples = [&](const char* size) {
        return ratio > 0 ? number(ratio) : "(int64_t)fminf(ceilf(" + std::string(size) + "), 16384.0f)";
    };
    CWriter code(loops.code, loops.indent);
    code.open_loop("task", regions.shape[0] * data.shape[1]);
    code.line("const float *region = " + regions.name + " + task / " + channels + " * 5;");
    code.line("float corner[4];");
    code.refuse_where("!(region[0] >= 0) || region[0] >= " + number(data.shape[0]));
    code.line("const int64_t image = (int64_t)region[0];");
    code.open_loop("i", 4);
    code.refuse_where("!isfinite(region[i + 1])");
    code.line("corner[i] = region[i + 1] * " + scale + (aligned ? " - 0.5f;" : ";"));
    code.close();
    code.line("const float *plane = " + data.name + " + (image * " + channels + " + task % " + channels + ") * " +
              number(data.shape[2] * data.shape[3]) + ";");
    code.line("const float height = " + extent("corner[1]", "corner[3]") + " / " + down +
              ", width = " + extent("corner[0]", "corner[2]") + " / " + right + ";");
    code.line("const int64_t high = " + samples("height") + ", wide = " + samples("width") + ";");
    code.open_loop("row", "0", down);
    code.open_loop("column", "0", right);
    code.line("float total = 0.0f, most = -INFINITY;");
    code.open_loop("i", "0", "high");
    code.open_loop("j", "0", "wide");
    write_sample(code, data.shape);
    const std::string& mode = loops.attributes.string("mode");
    if (mode == "max_part") code.line("for (int k = 0; k < 4; ++k) most = fmaxf(most, part[k]);");
    else code.line("const float value = part[0] + part[1] + (part[2] + part[3]);");
    if (mode == "avg") code.line("total += value;");
    if (mode == "max") code.line("most = fmaxf(most, value);");
    code.close();
    code.close();
    bool maximum = mode != "avg";
    code.line(output.name + "[(task * " + down + " + row) * " + right + " + column] = high < 1 || wide < 1 ? 0.0f : " +
              (maximum ? "most" : "total / (float)(high * wide)") + ";");
    if (maximum) code.line("(void)total;");
    else code.line("(void)most;");
    for (int i = 0; i < 3; ++i) code.close();
    return Nothing();
}

}  // namespace

std::vector<OpRecord> vision_ops() {
    OpRecord op;
    op.name = "vision.roi_align";
    op.summary = "Regions of images, each sampled on a grid of bins.";
    op.inputs = {"data", "rois"};
    op.pattern = OpPattern::Complex;
    op.attributes = {
        required_field("pooled_size", AttributeKind::IntegerList, "rows and columns of bins"),
        required_field("spatial_scale", AttributeKind::Double, "what the corners are multiplied by"),
        integer_field("sample_ratio", -1, "samples along each side of a bin; not positive: as many as it is large"),
        string_field("layout", "NCHW", "order of the data's dimensions"),
        string_field("mode", "avg", "avg or max of the samples; max_part, as ONNX: the largest share of one element"),
        bool_field("aligned", false,
                   "corners lie half a pixel before those given; a region may be smaller than a pixel")};
    op.relation = roi_align_relation;
    op.kernel = roi_align_kernel;
    op.c_loops = roi_align_in_c;
    op.example =
        "fn (%x: Tensor[(1, 2, 6, 6), float32], %r: Tensor[(2, 5), float32]) "
        "{ vision.roi_align(%x, %r, pooled_size=[2, 2], spatial_scale=2f, sample_ratio=2) }";
    return {op};
}

}  // namespace partita
