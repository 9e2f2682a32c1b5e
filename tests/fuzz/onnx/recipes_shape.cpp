// Shapes, indexing, rearranging, resizing and sampling.
#include <algorithm>
#include <numeric>

#include "tests/fuzz/onnx/attributes.h"
#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

namespace {

using Maker = GraphMaker;

const std::vector<int> kMoved = {kReal, kReal, kReal, kLong, kInteger, kTruth, kByte, kDouble};

Value moved(Maker& m, int least_rank = 0, int greatest_rank = 4, bool non_empty = false) {
    return m.data({.types = kMoved, .least_rank = least_rank, .greatest_rank = greatest_rank, .non_empty = non_empty});
}

int64_t count_of(const Shape& shape) {
    return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
}

/// Returns indices into an extent; rarely one out of range.
Value indices(Maker& m, const Shape& shape, int64_t extent, bool may_be_negative = true) {
    const bool bad = m.chance(0.03);
    return m.filled(
        m.one_of({kInteger, kLong}), shape,
        [=, &m](int64_t) {
            if (bad && m.chance(0.4)) return double(m.one_of({extent, -extent - 1, int64_t(99)}));
            int64_t index = m.between(0, extent - 1);
            return double(may_be_negative && m.chance(0.25) ? index - extent : index);
        },
        m.chance(0.3));
}

void reshape(Maker& m, std::string_view op) {
    Value x = moved(m);
    Shape wanted;
    int64_t rest = count_of(x.shape);
    for (int i = 0; i < 3 && rest > 1; ++i) {
        Shape divisors;
        for (int64_t d = 1; d <= rest && d < 20; ++d)
            if (rest % d == 0) divisors.push_back(d);
        wanted.push_back(m.one_of(divisors));
        rest /= wanted.back();
    }
    if (rest != 1) wanted.push_back(rest);
    if (m.chance(0.5) && !wanted.empty() && count_of(x.shape) > 0)
        wanted[size_t(m.between(0, int64_t(wanted.size()) - 1))] = -1;
    if (m.chance(0.2)) wanted = x.shape, std::replace(wanted.begin(), wanted.end(), int64_t(1), int64_t(0));
    const bool keeps_zero = count_of(x.shape) == 0 && m.opset() >= 14;
    m.node(op, {x.name, m.integers(wanted).name}, keeps_zero ? Attributes{attribute("allowzero", 1)} : Attributes{},
           Effect::Exact);
}

void transpose(Maker& m, std::string_view op) {
    Value x = moved(m, 0, 5);
    Shape axes(x.shape.size());
    std::iota(axes.begin(), axes.end(), 0);
    for (size_t i = axes.size(); i-- > 1;) std::swap(axes[i], axes[size_t(m.between(0, int64_t(i)))]);
    m.node(op, {x.name}, m.chance(0.2) || axes.empty() ? Attributes{} : Attributes{attribute("perm", axes)},
           Effect::Exact);
}

void concat(Maker& m, std::string_view op) {
    Value x = moved(m, 1);
    const int64_t axis = m.axis(x.rank(), m.opset() >= 11), at = axis < 0 ? axis + x.rank() : axis;
    std::vector<std::string> inputs{x.name};
    for (int64_t more = m.between(0, 3); more > 0; --more) {
        Shape shape = x.shape;
        shape[size_t(at)] = m.extent();
        inputs.push_back(m.chance(0.2) ? x.name : m.fresh(x.type, shape).name);
    }
    m.node(op, inputs, {attribute("axis", axis)}, Effect::Exact);
}

void split(Maker& m, std::string_view op) {
    Value x = moved(m, 1, 4, true);
    const int64_t axis = m.axis(x.rank(), m.opset() >= 11);
    int64_t rest = x.shape[size_t(axis < 0 ? axis + x.rank() : axis)];
    int parts = int(m.between(1, std::min<int64_t>(3, rest)));
    Attributes attributes{attribute("axis", axis)};
    std::vector<std::string> inputs{x.name};
    if (m.chance(0.5) || (rest % parts && m.opset() < 18)) {
        Shape sizes;
        for (int i = 0; i + 1 < parts; ++i)
            sizes.push_back(m.between(m.chance(0.1) ? 0 : 1, rest - (parts - 1 - i))), rest -= sizes.back();
        sizes.push_back(rest);
        if (m.opset() >= 13) inputs.push_back(m.integers(sizes).name);
        else attributes.push_back(attribute("split", sizes));
    } else if (m.opset() >= 18) {
        // The runtime refuses parts of which the last is empty.
        const int64_t each = (rest + parts - 1) / parts;
        if (rest > 0) parts = int((rest + each - 1) / each);
        attributes.push_back(attribute("num_outputs", parts));
    }
    m.node(op, inputs, attributes, Effect::Exact, parts);
}

void slice(Maker& m, std::string_view op) {
    Value x = moved(m, 1);
    Shape starts, ends, axes, steps;
    for (int axis = 0; axis < x.rank(); ++axis) {
        if (m.chance(0.4)) continue;
        const int64_t extent = x.shape[size_t(axis)];
        int64_t step = m.opset() >= 10 ? m.one_of({1, 1, 2, 3, -1, -2}) : 1;
        // Avoids an end far below, which the runtime and NumPy interpret differently.
        int64_t begin = m.between(-extent - 2, extent + 2), end = m.between(-extent - 2, extent + 2);
        if (m.chance(0.2)) end = step > 0 ? INT64_MAX : INT64_MIN;
        starts.push_back(begin), ends.push_back(end),
            axes.push_back(m.opset() >= 10 && m.chance(0.3) ? axis - x.rank() : axis), steps.push_back(step);
    }
    if (axes.empty()) axes = {0}, starts = {0}, ends = {2}, steps = {1};
    if (m.opset() < 10)
        return void(m.node(op, {x.name},
                           {attribute("starts", starts), attribute("ends", ends), attribute("axes", axes)},
                           Effect::Exact));
    m.node(op, {x.name, m.integers(starts).name, m.integers(ends).name, m.integers(axes).name, m.integers(steps).name},
           {}, Effect::Exact);
}

void squeeze(Maker& m, std::string_view op) {
    Shape shape = m.shape(1, 4), axes;
    for (int i = 0; i < int(shape.size()); ++i)
        if (m.chance(0.5))
            shape[size_t(i)] = 1, axes.push_back(m.opset() >= 11 && m.chance(0.3) ? i - int(shape.size()) : i);
    Value x = m.fresh(m.one_of(kMoved), shape);
    std::vector<std::string> inputs{x.name};
    Attributes attributes;
    if (!axes.empty() && m.chance(0.8)) {
        if (m.opset() >= 13) inputs.push_back(m.integers(axes).name);
        else attributes.push_back(attribute("axes", axes));
    }
    m.node(op, inputs, attributes, Effect::Exact);
}

void unsqueeze(Maker& m, std::string_view op) {
    Value x = moved(m, 0, 3);
    const int64_t added = m.between(1, 2), rank = x.rank() + added;
    Shape axes;
    while (int64_t(axes.size()) < added) {
        int64_t axis = m.between(0, rank - 1);
        if (std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
    }
    if (m.opset() >= 11)
        for (int64_t& axis : axes) axis = m.chance(0.3) ? axis - rank : axis;
    std::vector<std::string> inputs{x.name};
    if (m.opset() >= 13) inputs.push_back(m.integers(axes).name);
    m.node(op, inputs, m.opset() >= 13 ? Attributes{} : Attributes{attribute("axes", axes)}, Effect::Exact);
}

void expand(Maker& m, std::string_view op) {
    Value x = moved(m);
    Shape wanted = x.shape;
    for (int64_t& dim : wanted)
        if (dim == 1 && m.chance(0.6)) dim = m.extent();
        else if (m.chance(0.3)) dim = 1;
    if (m.chance(0.3)) wanted.insert(wanted.begin(), m.extent(false));
    m.node(op, {x.name, m.integers(wanted).name}, {}, Effect::Exact);
}

void tile(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kLong, kInteger, kTruth}, .least_rank = 1});
    Shape times;
    for (int i = 0; i < x.rank(); ++i) times.push_back(m.chance(0.03) ? 0 : m.between(1, 3));
    m.node(op, {x.name, m.integers(times).name}, {}, Effect::Exact);
}

void shape_of(Maker& m, std::string_view op) {
    Attributes attributes;
    if (op == "Shape" && m.opset() >= 15 && m.chance(0.5))
        attributes = {attribute("start", m.between(-3, 2)), attribute("end", m.between(-3, 5))};
    m.node(op, {moved(m).name}, attributes, Effect::Exact);
}

void gather(Maker& m, std::string_view op) {
    Value x = moved(m, 1, 4, true);
    const int64_t axis = m.axis(x.rank()), at = axis < 0 ? axis + x.rank() : axis;
    m.node(op, {x.name, indices(m, m.shape(0, 2), x.shape[size_t(at)], m.opset() >= 11).name},
           {attribute("axis", axis)}, Effect::Exact);
}

void gather_elements(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kReal, kLong, kInteger}, .least_rank = 1, .non_empty = true});
    const int64_t axis = m.axis(x.rank()), at = axis < 0 ? axis + x.rank() : axis;
    Shape shape = x.shape;
    shape[size_t(at)] = m.extent();
    for (int64_t& dim : shape)
        if (m.chance(0.05) && dim > 1) --dim;
    m.node(op, {x.name, indices(m, shape, x.shape[size_t(at)]).name}, {attribute("axis", axis)}, Effect::Exact);
}

/// Returns tuples of indices into the leading axes of a shape, from `first` on.
Value tuples(Maker& m, Shape shape, const Shape& data, size_t first, int64_t coordinates) {
    shape.push_back(coordinates);
    const bool bad = m.chance(0.03);
    return m.filled(
        kLong, shape,
        [&, coordinates, first, bad](int64_t i) {
            const int64_t extent = data[first + size_t(i % coordinates)];
            if (bad && m.chance(0.3)) return double(extent + 3);
            return double(m.between(m.opset() >= 12 ? -extent : 0, extent - 1));
        },
        m.chance(0.3));
}

void gather_nd(Maker& m, std::string_view op) {
    Value x = moved(m, 1, 4, true);
    const int64_t batch = m.opset() >= 12 && x.rank() > 1 ? m.between(0, x.rank() - 1) : 0,
                  coordinates = m.between(1, x.rank() - batch);
    Shape shape(x.shape.begin(), x.shape.begin() + batch);
    if (batch == 0 || m.chance(0.5)) shape.push_back(m.extent(false));
    m.node(op, {x.name, tuples(m, shape, x.shape, size_t(batch), coordinates).name},
           batch ? Attributes{attribute("batch_dims", batch)} : Attributes{}, Effect::Exact);
}

void scatter_elements(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kReal, kLong, kInteger}, .least_rank = 1, .non_empty = true});
    const int64_t axis = m.axis(x.rank()), at = axis < 0 ? axis + x.rank() : axis, extent = x.shape[size_t(at)];
    Shape shape = x.shape;
    shape[size_t(at)] = m.between(1, extent);
    Attributes attributes{attribute("axis", axis)};
    std::string reduction = "none";
    if (op == "ScatterElements" && m.opset() >= 16 && m.chance(0.6))
        reduction = m.opset() >= 18 ? m.one_of({"none", "add", "mul", "max", "min"}) : m.one_of({"none", "add", "mul"});
    if (reduction != "none") attributes.push_back(attribute("reduction", reduction));
    // The result is unspecified if one element is set twice.
    int64_t inner = 1;
    for (size_t i = size_t(at) + 1; i < shape.size(); ++i) inner *= shape[i];
    const int64_t taken = shape[size_t(at)];
    Value places = reduction != "none"
                       ? indices(m, shape, extent, m.opset() >= 11)
                       : m.filled(
                             kLong, shape, [=](int64_t i) { return double(i / inner % taken); }, m.chance(0.3));
    m.node(op, {x.name, places.name, m.fresh(x.type, shape).name}, attributes,
           reduction == "none" ? Effect::Exact : Effect::Wild);
}

void scatter_nd(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kReal, kLong, kInteger}, .least_rank = 1, .non_empty = true});
    const int64_t coordinates = m.between(1, x.rank());
    Attributes attributes;
    std::string reduction = "none";
    if (m.opset() >= 16 && m.chance(0.6))
        reduction = m.opset() >= 18 ? m.one_of({"none", "add", "mul", "max", "min"}) : m.one_of({"none", "add", "mul"});
    if (reduction != "none") attributes.push_back(attribute("reduction", reduction));
    Shape shape{reduction == "none" ? 1 : m.between(1, 3)}, updates = shape;
    updates.insert(updates.end(), x.shape.begin() + coordinates, x.shape.end());
    m.node(op, {x.name, tuples(m, shape, x.shape, 0, coordinates).name, m.fresh(x.type, updates).name}, attributes,
           reduction == "none" ? Effect::Exact : Effect::Wild);
}

void one_hot(Maker& m, std::string_view op) {
    const int64_t depth = m.between(1, 5);
    Shape shape = m.shape(0, 3);
    Value places = m.filled(
        m.one_of({kInteger, kLong, kReal}), shape, [&](int64_t) { return double(m.between(-depth - 1, depth)); },
        m.chance(0.3));
    Value values = m.filled(
        m.one_of({kReal, kLong}), {2}, [](int64_t i) { return double(i * 3 - 1); }, m.chance(0.5));
    Attributes attributes;
    if (m.chance(0.6)) attributes.push_back(attribute("axis", m.axis(int(shape.size()) + 1)));
    m.node(op, {places.name, m.scalar(kLong, double(depth)).name, values.name}, attributes, Effect::Exact);
}

void top_k(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kReal, kLong}, .least_rank = 1, .exact = true, .tame = true, .non_empty = true});
    if (m.opset() < 11 && x.type != kReal) x = m.fresh(kReal, x.shape, true);
    const int64_t axis = m.axis(x.rank(), m.opset() >= 11), extent = x.shape[size_t(axis < 0 ? axis + x.rank() : axis)],
                  k = m.between(1, extent);
    Attributes attributes{attribute("axis", axis)};
    std::vector<std::string> inputs{x.name};
    if (m.opset() >= 10) inputs.push_back(m.integers({k}).name);
    else attributes.push_back(attribute("k", k));
    if (m.opset() >= 11 && m.chance(0.5)) attributes.push_back(attribute("largest", m.between(0, 1)));
    m.node(op, inputs, attributes, Effect::Exact, 2);
}

void trilu(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kLong, kTruth}, .least_rank = 2});
    std::vector<std::string> inputs{x.name};
    if (m.chance(0.6)) inputs.push_back(m.scalar(kLong, double(m.between(-3, 3))).name);
    m.node(op, inputs, m.chance(0.6) ? Attributes{attribute("upper", m.between(0, 1))} : Attributes{}, Effect::Exact);
}

void reverse_sequence(Maker& m, std::string_view op) {
    Value x = m.data({.types = {kReal, kLong}, .least_rank = 2, .non_empty = true});
    const int64_t time = m.between(0, 1), longest = x.shape[size_t(time)];
    const bool bad = m.chance(0.05);
    Value lengths = m.filled(
        kLong, {x.shape[size_t(1 - time)]}, [&](int64_t) { return double(bad ? longest + 3 : m.between(1, longest)); },
        m.chance(0.4));
    m.node(op, {x.name, lengths.name}, {attribute("time_axis", time), attribute("batch_axis", 1 - time)},
           Effect::Exact);
}

void compress(Maker& m, std::string_view op) {
    Value x = moved(m, 1, 3);
    Attributes attributes;
    int64_t extent = count_of(x.shape);
    if (m.chance(0.6)) {
        const int64_t axis = m.axis(x.rank(), m.opset() >= 11);
        attributes.push_back(attribute("axis", axis));
        extent = x.shape[size_t(axis < 0 ? axis + x.rank() : axis)];
    }
    Value kept = m.filled(kTruth, {m.between(std::min<int64_t>(1, extent), extent)},
                          [&](int64_t) { return double(m.between(0, 1)); });
    m.node(op, {x.name, kept.name}, attributes, Effect::Exact);
}

void of_known(Maker& m, std::string_view op) {
    // The runtime treats NonZero of a scalar like that of a vector; ONNX has no coordinates there.
    Shape shape = m.shape(1, 3, false);
    Value x = m.filled(m.one_of({kReal, kLong}), shape, [&](int64_t) { return double(m.between(-1, 2)); });
    if (op == "NonZero") return void(m.node(op, {x.name}, {}, Effect::Exact));
    Attributes attributes;
    if (m.chance(0.5)) attributes.push_back(attribute("axis", m.axis(x.rank())));
    if (m.chance(0.5)) attributes.push_back(attribute("sorted", m.between(0, 1)));
    m.node(op, {x.name}, attributes, Effect::Exact, m.chance(0.5) ? 4 : 1);
}

void range(Maker& m, std::string_view op) {
    const int type = m.one_of({kReal, kLong, kInteger});
    const double delta = m.one_of({1.0, 2.0, -1.0, type == kReal ? 0.25 : 3.0}), start = double(m.between(-3, 3)),
                 end = double(m.between(-9, 9));
    m.node(op, {m.scalar(type, start).name, m.scalar(type, end).name, m.scalar(type, delta).name}, {}, Effect::Exact);
}

std::string tensor_attribute(std::string_view name, int type, const Tensor& tensor) {
    std::string dims;
    for (int64_t dim : tensor.shape()) dims += onnx_writer::number(1, dim);
    std::string_view raw(static_cast<const char*>(tensor.bytes()), tensor.byte_size());
    std::string message = dims + onnx_writer::number(2, type) + onnx_writer::bytes(9, raw);
    return onnx_writer::bytes(1, name) + onnx_writer::bytes(5, message) + onnx_writer::number(20, 4);
}

void constant(Maker& m, std::string_view op) {
    if (op == "EyeLike") {
        Attributes attributes;
        if (m.chance(0.5)) attributes.push_back(attribute("k", m.between(-3, 3)));
        if (m.chance(0.5)) attributes.push_back(attribute("dtype", m.one_of({kReal, kLong, kDouble})));
        return void(m.node(op, {m.data({kReal, kLong}, 2, 2).name}, attributes, Effect::Exact));
    }
    if (op == "ConstantOfShape") {
        Attributes attributes;
        Tensor value(kFloat32, {1});
        value.set(0, 1.5);
        if (m.chance(0.7)) attributes.push_back(tensor_attribute("value", kReal, value));
        return void(m.node(op, {m.integers(m.shape(0, 3)).name}, attributes, Effect::Exact));
    }
    Tensor value(kInt64, {3});
    value.set(1, 7);
    const int64_t form = m.opset() >= 12 ? m.between(0, 4) : 0;
    std::string given = form == 0   ? tensor_attribute("value", kLong, value)
                        : form == 1 ? attribute("value_float", 1.25)
                        : form == 2 ? attribute("value_int", 42)
                        : form == 3 ? attribute("value_ints", Shape{4, -5})
                                    : attribute("value_floats", std::vector<double>{0.5, -1});
    m.node(op, {}, {given}, Effect::Exact);
}

void pad(Maker& m, std::string_view op) {
    Value x = m.data(
        {.types = m.opset() >= 11 ? std::vector<int>{kReal, kReal, kLong, kInteger, kDouble} : std::vector<int>{kReal},
         .least_rank = 1});
    std::string mode = m.one_of({"constant", "constant", "reflect", "edge"});
    if (count_of(x.shape) == 0) mode = "constant";
    Shape pads;
    for (int side = 0; side < 2; ++side)
        for (int64_t dim : x.shape)
            pads.push_back(m.between(mode == "constant" && dim > 2 && m.chance(0.15) ? -1 : 0,
                                     mode == "reflect" ? std::min<int64_t>(2, dim - 1) : 2));
    Attributes attributes;
    if (mode != "constant" || m.chance(0.5)) attributes.push_back(attribute("mode", mode));
    if (m.opset() < 11) {
        attributes.push_back(attribute("pads", pads));
        if (m.chance(0.5)) attributes.push_back(attribute("value", 1.5));
        return void(m.node(op, {x.name}, attributes, Effect::Exact));
    }
    std::vector<std::string> inputs{x.name, m.integers(pads).name};
    if (mode == "constant" && m.chance(0.6))
        inputs.push_back(m.filled(
                              x.type, {}, [](int64_t) { return 3.0; }, m.chance(0.7))
                             .name);
    m.node(op, inputs, attributes, Effect::Exact);
}

void flatten(Maker& m, std::string_view op) {
    Value x = moved(m, 0, 4);
    Attributes attributes;
    if (m.chance(0.7)) attributes.push_back(attribute("axis", m.between(m.opset() >= 11 ? -x.rank() : 0, x.rank())));
    m.node(op, {x.name}, attributes, Effect::Exact);
}

void blocks(Maker& m, std::string_view op) {
    const int64_t size = m.between(1, 3);
    Shape shape{m.extent(), m.between(1, 3), m.between(1, 3), m.between(1, 3)};
    if (op == "DepthToSpace") shape[1] *= size * size;
    else shape[2] *= size, shape[3] *= size;
    Attributes attributes{attribute("blocksize", size)};
    if (op == "DepthToSpace" && m.opset() >= 11 && m.chance(0.6))
        attributes.push_back(attribute("mode", m.one_of({"DCR", "CRD"})));
    m.node(op, {m.fresh(kReal, shape).name}, attributes, Effect::Exact);
}

// --- resizing and sampling --------------------------------------------------------------------------------------

void upsample(Maker& m, std::string_view op) {
    // Removed in operator set 10.
    const std::string mode = m.one_of({"nearest", "linear"});
    // The runtime multiplies NaN of neighbours by 0.
    Value x = m.fresh(kReal, m.shape(4, 4, false), mode == "linear");
    std::vector<double> scales{1, 1, m.one_of({1.0, 1.5, 2.0, 3.0}), m.one_of({1.0, 2.0, 2.5})};
    Attributes attributes{attribute("mode", mode)};
    std::vector<std::string> inputs{x.name};
    if (m.opset() >= 9) inputs.push_back(m.filled(kReal, {4}, [&](int64_t i) { return scales[size_t(i)]; }).name);
    else attributes.push_back(attribute("scales", scales));
    m.node(op, inputs, attributes);
}

void resize(Maker& m, std::string_view op) {
    const std::string mode = m.one_of({"nearest", "linear", "cubic"});
    Shape shape = m.shape(mode == "nearest" ? 1 : 4, 4, false);
    Value x = m.data({.types = {kReal},
                      .least_rank = int(shape.size()),
                      .greatest_rank = int(shape.size()),
                      .tame = true,
                      .non_empty = true});
    const size_t rank = size_t(x.rank()), from = mode == "nearest" ? 0 : rank - 2;
    std::vector<double> scales(rank, 1);
    Shape sizes = x.shape;
    Attributes attributes{attribute("mode", mode)};
    std::string coordinates = "half_pixel";
    if (m.opset() >= 11)
        coordinates = m.one_of({"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric",
                                m.opset() < 13 ? "tf_half_pixel_for_nn" : "asymmetric", "tf_crop_and_resize"});
    if (mode == "cubic" && m.opset() < 11) return resize(m, op);
    // ONNX's data and the runtime disagree if these occur with a truncated length.
    const bool whole =
        coordinates == "align_corners" || coordinates == "tf_crop_and_resize" || coordinates == "pytorch_half_pixel";
    for (size_t i = from; i < rank; ++i) {
        const double scale = m.one_of({1.0, 0.5, 2.0, 1.5, 2.6, 0.75, 3.0});
        sizes[i] = std::max<int64_t>(1, int64_t(double(x.shape[i]) * scale));
        scales[i] = whole || double(x.shape[i]) * scale < 1 ? double(sizes[i]) / double(x.shape[i]) : scale;
        if (whole && double(float(scales[i])) * double(x.shape[i]) < double(sizes[i]))
            scales[i] = 1, sizes[i] = x.shape[i];
    }
    auto reals = [&](const std::vector<double>& values) {
        return m.filled(kReal, {int64_t(values.size())}, [&](int64_t i) { return values[size_t(i)]; }).name;
    };
    if (m.opset() < 11) return void(m.node(op, {x.name, reals(scales)}, attributes));
    attributes.push_back(attribute("coordinate_transformation_mode", coordinates));
    if (mode == "nearest")
        attributes.push_back(
            attribute("nearest_mode", m.one_of({"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})));
    if (mode == "cubic" && m.chance(0.5)) attributes.push_back(attribute("cubic_coeff_a", -0.5));
    if (mode == "cubic" && m.chance(0.5)) attributes.push_back(attribute("exclude_outside", m.between(0, 1)));
    std::string roi;
    if (coordinates == "tf_crop_and_resize") {
        std::vector<double> regions(rank * 2, 0);
        for (size_t i = 0; i < rank; ++i) regions[i + rank] = 1;
        // The runtime does not look at the region of an axis that keeps its length.
        for (size_t i = from; i < rank; ++i) {
            if (sizes[i] == x.shape[i]) continue;
            regions[i] = m.one_of({0.0, 0.25, -0.25}), regions[i + rank] = m.one_of({1.0, 0.75, 1.5});
        }
        roi = reals(regions);
        if (m.chance(0.5)) attributes.push_back(attribute("extrapolation_value", 9.0));
    }
    if (m.opset() < 13 && roi.empty()) roi = reals({});
    if (m.chance(0.5)) return void(m.node(op, {x.name, roi, reals(scales)}, attributes));
    m.node(op, {x.name, roi, m.opset() < 13 ? reals({}) : "", m.integers(sizes).name}, attributes);
}

void grid_sample(Maker& m, std::string_view op) {
    Shape shape = m.shape(4, 4, false);
    // Positions away from where the nearest element or the padding changes.
    Value grid = m.filled(
        kReal, {shape[0], m.between(1, 4), m.between(1, 4), 2}, [&](int64_t) { return m.real(-1.4, 1.4); }, false);
    Attributes attributes;
    const bool renamed = m.opset() >= 20;
    if (m.chance(0.8))
        attributes.push_back(
            attribute("mode", m.one_of({renamed ? "linear" : "bilinear", "nearest", renamed ? "cubic" : "bicubic"})));
    if (m.chance(0.8)) attributes.push_back(attribute("padding_mode", m.one_of({"zeros", "border", "reflection"})));
    if (m.chance(0.6)) attributes.push_back(attribute("align_corners", m.between(0, 1)));
    m.node(op, {m.fresh(kReal, shape, true).name, grid.name}, attributes);
}

void roi_align(Maker& m, std::string_view op) {
    Shape shape{m.between(1, 2), m.between(1, 3), m.between(4, 9), m.between(4, 9)};
    const int64_t count = m.between(1, 3);
    // Rarely below a pixel, or turned round.
    const double far = m.chance(0.2) ? 0 : 4;
    Value regions = m.filled(
        kReal, {count, 4}, [&](int64_t i) { return i % 4 < 2 ? m.real(0, 2) : m.real(far, 9); }, m.chance(0.7));
    Value batches = m.filled(
        kLong, {count}, [&](int64_t) { return double(m.between(0, shape[0] - 1)); }, m.chance(0.7));
    Attributes attributes{attribute("output_height", m.between(1, 3)), attribute("output_width", m.between(1, 3)),
                          attribute("sampling_ratio", m.between(0, 2)),
                          attribute("spatial_scale", m.one_of({1.0, 0.5}))};
    if (m.chance(0.3)) attributes.push_back(attribute("mode", m.one_of({"avg", "max"})));
    if (m.opset() >= 16 && m.chance(0.5))
        attributes.push_back(
            attribute("coordinate_transformation_mode", m.one_of({"half_pixel", "output_half_pixel"})));
    m.node(op, {m.fresh(kReal, shape, true).name, regions.name, batches.name}, attributes);
}

void max_unpool(Maker& m, std::string_view op) {
    const Shape shape{m.between(1, 2), m.between(1, 2), m.between(2, 4) * 2, m.between(2, 4) * 2};
    Value x = m.fresh(kReal, shape, true);
    const std::vector<std::string> pooled =
        m.node("MaxPool", {x.name}, {attribute("kernel_shape", Shape{2, 2}), attribute("strides", Shape{2, 2})},
               Effect::Exact, 2);
    std::vector<std::string> inputs{pooled[0], pooled[1]};
    if (m.chance(0.3)) inputs.push_back(m.integers(shape).name);
    m.node(op, inputs, {attribute("kernel_shape", Shape{2, 2}), attribute("strides", Shape{2, 2})}, Effect::Exact);
}

const Recipe kRecipes[] = {
    {{"Reshape"}, 7, reshape},
    {{"Transpose"}, 7, transpose},
    {{"Concat"}, 7, concat},
    {{"Split"}, 7, split},
    {{"Slice"}, 7, slice},
    {{"Squeeze"}, 7, squeeze},
    {{"Unsqueeze"}, 7, unsqueeze},
    {{"Expand"}, 8, expand},
    {{"Tile"}, 7, tile},
    {{"Shape", "Size"}, 7, shape_of},
    {{"Gather"}, 7, gather},
    {{"GatherElements"}, 11, gather_elements},
    {{"GatherND"}, 11, gather_nd},
    {{"Scatter"}, 9, scatter_elements, 10},
    {{"ScatterElements"}, 11, scatter_elements},
    {{"ScatterND"}, 11, scatter_nd},
    {{"OneHot"}, 9, one_hot},
    {{"TopK"}, 7, top_k},
    {{"Trilu"}, 14, trilu},
    {{"ReverseSequence"}, 10, reverse_sequence},
    {{"Compress"}, 9, compress},
    {{"NonZero"}, 9, of_known},
    {{"Unique"}, 11, of_known},
    {{"Range"}, 11, range},
    {{"Constant", "ConstantOfShape", "EyeLike"}, 9, constant},
    {{"Pad"}, 7, pad},
    {{"Flatten"}, 7, flatten},
    {{"DepthToSpace", "SpaceToDepth"}, 7, blocks},
    {{"Upsample"}, 7, upsample, 9},
    {{"Resize"}, 10, resize},
    {{"GridSample"}, 16, grid_sample},
    {{"RoiAlign"}, 10, roi_align},
    {{"MaxUnpool"}, 9, max_unpool},
};

}  // namespace

std::span<const Recipe> shape_recipes() { return kRecipes; }

}  // namespace partita::fuzz
