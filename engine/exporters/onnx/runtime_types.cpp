#include "engine/exporters/onnx/runtime_types.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace partita::onnx_export {

namespace {

/// `types`: their names between spaces.
struct Lack {
    std::string_view op_types, types;
};
constexpr Lack kLacks[] = {
    {" Abs Add Div Greater GreaterOrEqual Less LessOrEqual Mod Mul Sign Sub ", " bool "},
    {" Acos Acosh Asin Asinh Atan Atanh Conv ConvTranspose Cosh Det Erf GlobalAveragePool GlobalMaxPool "
     "InstanceNormalization LRN Sinh Tan ",
     " float64 "},
    {" ArgMax ArgMin ", " bool int16 uint16 uint32 uint64 "},
    {" AveragePool ", " bool int8 uint8 int16 uint16 int32 uint32 int64 uint64 float64 "},
    {" BitShift ", " bool uint16 "},
    {" Clip Max Min ", " bool int16 uint16 "},
    {" CumSum Pow ", " bool int8 uint8 int16 uint16 uint32 uint64 "},
    {" DepthToSpace SpaceToDepth ", " bool int16 uint16 int32 uint32 int64 uint64 "},
    {" IsInf ", " float16 "},
    {" MatMul ", " bool int16 uint16 "},
    {" MaxPool ", " bool int16 uint16 int32 uint32 int64 uint64 "},
    {" Neg ", " bool uint8 uint16 uint32 uint64 "},
    {" OneHot ", " bool int8 uint8 int16 uint16 int32 uint32 "},
    {" PRelu ", " bool int8 uint8 int16 uint16 uint32 uint64 "},
    {" Pad ", " int16 uint16 "},
    {" ReduceMax ReduceMin ", " bool int16 uint16 uint32 uint64 "},
    {" ReduceMean ReduceProd ReduceSum ", " bool int8 uint8 int16 uint16 uint32 uint64 "},
    {" Relu ", " bool uint8 int16 uint16 uint32 int64 uint64 "},
    {" Resize ", " bool int16 uint16 uint32 int64 uint64 float64 "},
    {" TopK ", " bool uint16 uint32 uint64 "},
    {" Trilu ", " int8 uint8 int16 uint16 uint32 uint64 "},
    {" Where ", " bool int8 int16 uint16 uint32 uint64 "},
};

constexpr std::string_view kChoosing =
    " ArgMax ArgMin Clip DepthToSpace Greater GreaterOrEqual IsInf Less LessOrEqual Max MaxPool Min OneHot Pad "
    "ReduceMax ReduceMin Relu SpaceToDepth TopK Trilu Where ";

bool has(std::string_view words, std::string_view word) {
    return words.find(' ' + std::string(word) + ' ') != std::string_view::npos;
}

bool is_unsigned(DataType dtype) { return dtype.is_bool() || dtype.code == DataType::Code::UInt; }

bool holds_all(DataType wide, DataType dtype) {
    if (dtype.is_float()) return wide.is_float() && wide.bits >= dtype.bits;
    const int bits = dtype.is_bool() ? 1 : dtype.bits;
    if (wide.is_float()) return bits <= (wide == kFloat64 ? 53 : 24);
    return is_unsigned(wide) ? is_unsigned(dtype) && bits <= wide.bits : bits + is_unsigned(dtype) <= wide.bits;
}

}  // namespace

size_t typed_operand(std::string_view op_type) { return op_type == "Where" ? 1 : op_type == "OneHot" ? 2 : 0; }

bool runtime_lacks(std::string_view op_type, DataType dtype) {
    return std::any_of(std::begin(kLacks), std::end(kLacks), [&](const Lack& lack) {
        return has(lack.op_types, op_type) && has(lack.types, dtype.to_string());
    });
}

bool only_chooses(std::string_view op_type) { return has(kChoosing, op_type); }

bool is_chosen_from(std::string_view op_type, size_t operand) {
    if (op_type == "Where") return operand > 0;
    if (op_type == "OneHot") return operand == 2;
    if (op_type == "Pad") return operand != 1;
    return operand == 0 || has(" Clip Greater GreaterOrEqual Less LessOrEqual Max Min ", op_type);
}

DataType type_that_holds(std::string_view op_type, DataType dtype) {
    for (DataType wide : {kUInt8, kInt32, kInt64, kFloat32, kFloat64})
        if (holds_all(wide, dtype) && !runtime_lacks(op_type, wide)) return wide;
    return {};
}

DataType result_of(std::string_view op_type, DataType operand) {
    if (has(" Equal Greater GreaterOrEqual Less LessOrEqual IsInf IsNaN Not And Or Xor ", op_type)) return kBool;
    if (has(" ArgMax ArgMin Shape Size ", op_type)) return kInt64;
    if (has(" ConvInteger MatMulInteger ", op_type)) return kInt32;
    return has(" QuantizeLinear DequantizeLinear ConstantOfShape Cast ", op_type) ? DataType() : operand;
}

}  // namespace partita::onnx_export
