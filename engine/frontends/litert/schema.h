// What the numbers in a `.tflite` file mean: operators, element types, tables of options. Everything about the format
// that is a list stands here; nothing else of this folder knows a number of a field of options.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/data_type.h"
#include "engine/support/flat_buffer.h"

namespace partita::litert {

/// A field of an operator's options, as the file has it or its default.
struct Option {
    std::string name;
    std::string_view type;          ///< as the schema calls it: "int", "[int]", "Padding", or a flexbuffer's "map"
    std::vector<int64_t> integers;  ///< also of bool and enumerations
    std::vector<double> reals;
    std::vector<std::string> texts;  ///< of enumerations: the names
};

struct Options {
    bool given = false;
    std::string_view name;  ///< of the table, without "Options"; "" if it has no fields or is not known
    std::vector<Option> list;
};

/// Returns "CONV_2D" for 3; "" for numbers that no operator has.
std::string_view operator_name(int64_t code);
/// Returns "float32", "resource", ...; "unknown" for other numbers.
std::string_view type_name(int type);
/// Returns void for what is no number, or a kind of number that Partita lacks.
DataType data_type(int type);
/// Reads a table of options: the first union's or the second's. Throws flat::Fault.
Options read_options(const flat::Table& table, int number, bool second);
/// Reads the options of a custom operator: a flexbuffer whose root is a map. Others are one option "bytes".
Options read_custom_options(std::string_view bytes);

}  // namespace partita::litert
