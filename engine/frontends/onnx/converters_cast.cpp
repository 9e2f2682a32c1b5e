// Cast and CastLike, with what opset 19 and later say of numbers that a narrow type does not reach.
#include <limits>

#include "engine/frontends/onnx/converter.h"
#include "engine/frontends/onnx/expressions.h"
#include "engine/ir/narrow_types.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

/// Where a narrow type ends for who does not want its largest number for all beyond.
struct Overflow {
    double first;  ///< the least number that is rounded beyond the largest one
    DataType dtype;
    uint8_t above, below;  ///< the codes of what is beyond, and of what is beyond on the negative side
};

constexpr Overflow kOverflows[] = {
    {464.0, kFloat8E4M3FN, 0x7f, 0xff},
    {248.0, kFloat8E4M3FNUZ, 0x80, 0x80},
    {61440.0, kFloat8E5M2, 0x7c, 0xfc},
    {61440.0, kFloat8E5M2FNUZ, 0x80, 0x80},
};

ExprId narrow_constant(NodeContext& n, DataType dtype, uint8_t code) {
    return n.build.constant(Tensor::scalar(dtype, code));
}

/// A cast to float8 by which numbers beyond the largest one become NaN or infinite.
ExprId without_saturation(NodeContext& n, ExprId x, const Overflow& overflow) {
    // 464 lies between 448, whose code is even, and the next: it is still rounded to 448.
    const char *beyond = overflow.dtype == kFloat8E4M3FN ? "greater" : "greater_equal",
               *below = overflow.dtype == kFloat8E4M3FN ? "less" : "less_equal";
    const ExprId wide = n.build.cast(x, kFloat32);
    const ExprId kept =
        n.build.call("where", {n.build.call(below, {wide, like(n, wide, -overflow.first)}),
                               narrow_constant(n, overflow.dtype, overflow.below), n.build.cast(x, overflow.dtype)});
    return n.build.call("where", {n.build.call(beyond, {wide, like(n, wide, overflow.first)}),
                                  narrow_constant(n, overflow.dtype, overflow.above), kept});
}

ExprId cast_of(NodeContext& n, DataType dtype) {
    if (n.choice("round_mode", {"up", "nearest", "down"}) != "up" && dtype == kFloat8E8M0FNU)
        throw Fault{"a cast to float8e8m0 with round_mode '" + n.string("round_mode", "") + "' is not supported", {}};
    const ExprId x = n.input(0);
    if (n.integer("saturate", 1) || !dtype.is_narrow_float() || n.build.dtype(x) == dtype)
        return n.build.cast(x, dtype);
    for (const Overflow& overflow : kOverflows)
        if (overflow.dtype == dtype) return without_saturation(n, x, overflow);
    throw Fault{"a cast to " + dtype.to_string() + " without saturation is not supported", {}};
}

Exprs cast_to(NodeContext& n) {
    const int32_t type = int32_t(n.integer("to", 0));
    if (data_type_of(type).is_void())
        throw Fault{"a cast to " + std::string(data_type_name(type)) + " is not supported", {}};
    return {cast_of(n, data_type_of(type))};
}

Exprs cast_like(NodeContext& n) { return {cast_of(n, n.build.dtype(n.input(1)))}; }

const ConverterEntry kCastConverters[] = {
    {"Cast", cast_to},
    {"CastLike", cast_like},
};

}  // namespace

std::span<const ConverterEntry> cast_converters() { return kCastConverters; }

}  // namespace partita::onnx
