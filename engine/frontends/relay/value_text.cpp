#include "engine/frontends/relay/value_text.h"

#include <cmath>

#include "engine/frontends/relay/strings.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"
#include "engine/support/number_text.h"

namespace partita::relay {

namespace {

/// Appends a number with six digits, as C++ streams and TVM do, or as many more as it takes to read the same one back.
void append_real(std::string& out, double value, DataType dtype) {
    constexpr int kFewest = 6, kMost = 17;
    for (int digits = kFewest; digits <= kMost; ++digits) {
        const std::string text = general_text(value, digits);
        Tensor read(dtype, {});
        read.set(0, number_at_start(text));
        if (read.at(0) != value && !std::isnan(value) && digits < kMost) continue;
        out += text;
        return;
    }
}

/// TVM treats real numbers that differ by less than this as equal.
bool equals_default(const AttributeValue& value, const AttributeValue& fallback) {
    constexpr double kNear = 1e-9;
    const double* a = value.as_double();
    const double* b = fallback.as_double();
    if (a && b) return *a == *b || std::abs(*a - *b) < kNear;
    return value == fallback;
}

void append_field(std::string& out, AttributeKind kind, const AttributeValue& value) {
    const Integer* integer = value.as_integer();
    if (kind == AttributeKind::Int && integer) out += std::to_string(integer->value);
    else append_value(out, value);
}

}  // namespace

bool is_literal(const Tensor& constant) {
    if (constant.rank() != 0) return false;
    DataType dtype = constant.dtype();
    return dtype == kInt16 || dtype == kInt32 || dtype == kInt64 || dtype == kFloat16 || dtype == kFloat32 ||
           dtype == kFloat64 || dtype == kBool;
}

void append_literal(std::string& out, const Tensor& constant) {
    DataType dtype = constant.dtype();
    if (dtype == kBool) {
        out += *constant.data<uint8_t>() ? "True" : "False";
    } else if (dtype == kInt64) {
        out += std::to_string(*constant.data<int64_t>()) + "i64";
    } else if (dtype == kInt32) {
        out += std::to_string(*constant.data<int32_t>());
    } else if (dtype == kInt16) {
        out += std::to_string(*constant.data<int16_t>()) + "i16";
    } else {
        append_real(out, constant.at(0), dtype);
        out += dtype == kFloat16 ? "f16" : dtype == kFloat64 ? "f64" : "f";
    }
}

void append_value(std::string& out, const AttributeValue& value) {
    if (const Integer* integer = value.as_integer()) {
        out += std::to_string(integer->value);
        if (integer->bits == 64) out += "i64";
    } else if (const bool* flag = value.as_bool()) {
        out += *flag ? "True" : "False";
    } else if (const double* number = value.as_double()) {
        append_real(out, *number, kFloat64);
        out += 'f';
    } else if (const std::string* text = value.as_string()) {
        append_quoted(out, *text);
    } else if (const DataType* dtype = value.as_dtype()) {
        append_quoted(out, dtype->to_string());
    } else if (const AttributeValue::List* list = value.as_list()) {
        out += '[';
        for (size_t i = 0; i < list->size(); ++i) {
            if (i) out += ", ";
            append_value(out, (*list)[i]);
        }
        out += ']';
    } else {
        out += "None";
    }
}

namespace {

bool is_word(std::string_view text) {
    const auto is_letter = [](char c) { return std::isalpha(uint8_t(c)) || c == '_'; };
    return !text.empty() && is_letter(text[0]) && text.back() != '.' && text != "_" &&
           std::all_of(text.begin(), text.end(),
                       [&](char c) { return is_letter(c) || std::isdigit(uint8_t(c)) || c == '.'; });
}

}  // namespace

bool is_written_by_name(const OpRecord& op, const AttributeList& values) {
    constexpr std::string_view kKeywords[] = {"let",    "fn",       "def", "if",       "else",      "type", "match",
                                              "extern", "free_var", "ref", "ref_read", "ref_write", "True", "False"};
    if (!op.foreign) return false;
    const AttributesView view(op, values);
    if (view.string("op_type") != op.name || !view.string("domain").empty() || !view.integers("absent").empty() ||
        !is_word(op.name) || op_registry().find(op.name).valid() ||
        std::find(std::begin(kKeywords), std::end(kKeywords), op.name) != std::end(kKeywords))
        return false;
    bool good = true;
    for_each_foreign_attribute(view, [&](const std::string& name, const AttributeValue* value) {
        good = good && value && is_word(name) && name.find('.') == std::string::npos;
    });
    return good;
}

void append_call_attributes(std::string& out, const OpRecord& op, const AttributeList& values) {
    if (is_written_by_name(op, values))
        return for_each_foreign_attribute({op, values}, [&](const std::string& name, const AttributeValue* value) {
            out += ", " + name + "=";
            append_field(out, AttributeKind::Object, *value);
        });
    for (size_t i = 0; i < op.attributes.size() && i < values.size(); ++i) {
        const AttributeField& field = op.attributes[i];
        if (!field.required && equals_default(values[i], field.default_value)) continue;
        out += ", ";
        out += field.name;
        out += '=';
        append_field(out, field.kind, values[i]);
    }
}

}  // namespace partita::relay
