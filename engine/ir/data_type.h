// The element type of a tensor, as DLPack (1.1, dlpack.h) and TVM describe it: a code, a width in bits, a number of
// lanes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace partita {

struct DataType {
    enum class Code : uint8_t {
        Int = 0,
        UInt = 1,
        Float = 2,
        BFloat = 4,
        Void = 5,  ///< "not given": the default of attributes such as out_dtype
        Float8E4M3FN = 10,
        Float8E4M3FNUZ = 11,
        Float8E5M2 = 12,
        Float8E5M2FNUZ = 13,
        Float8E8M0FNU = 14,
        Float4E2M1FN = 17,
    };

    Code code = Code::Void;
    uint8_t bits = 0;
    uint16_t lanes = 0;

    bool operator==(const DataType&) const = default;

    bool is_void() const { return code == Code::Void; }
    bool is_bool() const { return code == Code::UInt && bits == 1; }
    bool is_float() const { return code == Code::Float || code == Code::BFloat; }
    bool is_integer() const { return code == Code::Int || code == Code::UInt; }
    /// A floating-point type of one byte or less (engine/ir/narrow_types.h): neither is_float() nor is_integer(),
    /// because nothing is computed in it.
    bool is_narrow_float() const { return uint8_t(code) >= uint8_t(Code::Float8E4M3FN); }
    /// An integer of less than a byte that is no bool.
    bool is_narrow_integer() const { return is_integer() && bits < 8 && bits > 1; }
    /// Returns the bytes of one element in memory; a bool takes one byte, a narrow type too.
    size_t bytes() const { return (size_t(bits) * lanes + 7) / 8; }

    /// Returns "float32", "int8", "bool", "bfloat16", "float8_e4m3fn"; "" for void.
    std::string to_string() const;
    static std::optional<DataType> parse(std::string_view text);
};

inline constexpr DataType kVoid{};
inline constexpr DataType kBool{DataType::Code::UInt, 1, 1};
inline constexpr DataType kInt8{DataType::Code::Int, 8, 1};
inline constexpr DataType kInt16{DataType::Code::Int, 16, 1};
inline constexpr DataType kInt32{DataType::Code::Int, 32, 1};
inline constexpr DataType kInt64{DataType::Code::Int, 64, 1};
inline constexpr DataType kUInt8{DataType::Code::UInt, 8, 1};
inline constexpr DataType kUInt16{DataType::Code::UInt, 16, 1};
inline constexpr DataType kUInt32{DataType::Code::UInt, 32, 1};
inline constexpr DataType kUInt64{DataType::Code::UInt, 64, 1};
inline constexpr DataType kFloat16{DataType::Code::Float, 16, 1};
inline constexpr DataType kFloat32{DataType::Code::Float, 32, 1};
inline constexpr DataType kFloat64{DataType::Code::Float, 64, 1};
inline constexpr DataType kBFloat16{DataType::Code::BFloat, 16, 1};
inline constexpr DataType kInt2{DataType::Code::Int, 2, 1};
inline constexpr DataType kInt4{DataType::Code::Int, 4, 1};
inline constexpr DataType kUInt2{DataType::Code::UInt, 2, 1};
inline constexpr DataType kUInt4{DataType::Code::UInt, 4, 1};
inline constexpr DataType kFloat8E4M3FN{DataType::Code::Float8E4M3FN, 8, 1};
inline constexpr DataType kFloat8E4M3FNUZ{DataType::Code::Float8E4M3FNUZ, 8, 1};
inline constexpr DataType kFloat8E5M2{DataType::Code::Float8E5M2, 8, 1};
inline constexpr DataType kFloat8E5M2FNUZ{DataType::Code::Float8E5M2FNUZ, 8, 1};
inline constexpr DataType kFloat8E8M0FNU{DataType::Code::Float8E8M0FNU, 8, 1};
inline constexpr DataType kFloat4E2M1FN{DataType::Code::Float4E2M1FN, 4, 1};

}  // namespace partita
