// The element type of a tensor, as DLPack and TVM describe it: a code, a width in bits, a number of lanes.
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
    };

    Code code = Code::Void;
    uint8_t bits = 0;
    uint16_t lanes = 0;

    bool operator==(const DataType&) const = default;

    bool is_void() const { return code == Code::Void; }
    bool is_bool() const { return code == Code::UInt && bits == 1; }
    bool is_float() const { return code == Code::Float || code == Code::BFloat; }
    bool is_integer() const { return code == Code::Int || code == Code::UInt; }
    /// Returns the bytes of one element in memory; a bool takes one byte.
    size_t bytes() const { return (size_t(bits) * lanes + 7) / 8; }

    /// Returns "float32", "int8", "bool", "bfloat16"; "" for void.
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

}  // namespace partita
