#include "engine/frontends/relax/type_reader.h"

#include <algorithm>

#include "engine/support/number_text.h"
#include "engine/support/one_line.h"

namespace partita::relax {

namespace {

bool is_operand(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
           static_cast<unsigned char>(c) >= 0x80;
}

/// Numbers, names and arithmetic between them, with commas only between the arguments of a function.
bool is_size(std::string_view text) {
    int open = 0;
    bool wants_operand = true;
    for (size_t i = 0; i < text.size(); ++i) {
        const char c = text[i], after = i + 1 < text.size() ? text[i + 1] : ' ';
        if (c == ' ') continue;
        if (is_operand(c)) {
            if (!wants_operand) return false;
            while (i + 1 < text.size() && is_operand(text[i + 1])) ++i;
            wants_operand = false;
        } else if (c == '"') {  // T.float32("inf")
            i = std::min(text.find('"', i + 1), text.size());
            if (!wants_operand || open == 0 || i == text.size()) return false;
            wants_operand = false;
        } else if (c == '(') {
            ++open;
            wants_operand = true;
        } else if (c == ')') {
            if (wants_operand || --open < 0) return false;
        } else if (c == '+' || c == '-') {
            wants_operand = true;
        } else if (std::string_view("*/%<>,").find(c) == std::string_view::npos || wants_operand ||
                   (c == ',' && open == 0)) {
            return false;
        } else {
            if ((after == c && (c == '*' || c == '/')) || (after == '=' && (c == '<' || c == '>'))) ++i;
            wants_operand = true;
        }
    }
    return open == 0 && !wants_operand;
}

}  // namespace

std::string TypeReader::arithmetic(std::string text, const Token& at) const {
    if (!is_size(text)) fail_at(at, "expected a number or arithmetic, found " + in_quotes(text));
    return text;
}

std::string TypeReader::size_in_quotes() {
    const Token at = take();
    std::string text = canonical(at.text, at);
    if (!is_size(text)) fail_at(at, "expected a size, found " + in_quotes(text));
    return text;
}

TypeNumber TypeReader::read_type() {
    const Level level(*this);
    const Token at = next();
    Type type;
    if (at.is("T")) {
        take();
        expect(".");
        type.kind = Type::Kind::Prim;
        type.text = expect_name("an element type");
        if (program_.dialect == Dialect::A) program_.dialect = Dialect::B;
        if (next().is("(")) text_in_brackets();
        return program_.add_type(std::move(type));
    }
    if (!at.is("R")) fail("expected a type, such as R.Tensor((1, 3), dtype=\"float32\")");
    const std::string name = dotted();
    if (name == "R.Tensor") return tensor_type();
    if (name == "R.Tuple") return tuple_type();
    if (name == "R.Shape") return shape_type();
    if (name == "R.Prim") return prim_type();
    if (name == "R.Any" && program_.dialect == Dialect::A) program_.dialect = Dialect::B;
    if (name == "R.Callable") {
        type.kind = Type::Kind::Callable;
        if (next().is("(")) type.text = text_in_brackets();
    } else if (name == "R.Object" || name == "R.Any") {
        if (take_if("(")) expect(")");
    } else {
        fail_at(at,
                "expected R.Tensor, R.Tuple, R.Shape, R.Prim, R.Object, R.Any or R.Callable, found " + in_quotes(name));
    }
    return program_.add_type(std::move(type));
}

std::vector<std::string> TypeReader::read_dims(std::string_view end) {
    std::vector<std::string> dims;
    while (!take_if(end)) {
        const Token at = next();
        dims.push_back(at.kind == Token::Kind::String ? size_in_quotes() : rest_of_item());
        if (!is_size(dims.back())) fail_at(at, "expected a size, found " + in_quotes(dims.back()));
        if (!is_number(dims.back()))
            for (std::string& symbol : symbols_of(dims.back())) add_symbol(std::move(symbol));
        if (!next().is(end)) expect(",");
    }
    return dims;
}

TypeNumber TypeReader::tensor_type() {
    Type type;
    type.kind = Type::Kind::Tensor;
    if (!take_if("(")) return program_.add_type(std::move(type));
    bool dtype_came = false;
    while (!take_if(")")) {
        if (take_if("(") || take_if("[")) {
            type.has_dims = true;
            type.dims = read_dims(")");
        } else {
            const Token key = expect_kind(Token::Kind::Name, "the sizes in brackets, dtype=, ndim= or vdevice=");
            expect("=");
            if (key.is("dtype")) {
                type.text = element_type();
                dtype_came = true;
            } else if (key.is("ndim")) {
                if (dtype_came && program_.dialect == Dialect::A) program_.dialect = Dialect::B;
                type.rank = read_rank();
            } else if (key.is("vdevice")) {
                type.device = rest_of_item();
            } else {
                fail_at(key, "expected dtype=, ndim= or vdevice=, found " + in_quotes(key.text));
            }
        }
        if (!next().is(")")) expect(",");
    }
    return program_.add_type(std::move(type));
}

/// Its name, which need not be known here: "custom[posites2]32".
std::string TypeReader::element_type() {
    const Token at = expect_kind(Token::Kind::String, "an element type as a string");
    const auto fits = [](char c) { return (is_operand(c) && c != '.') || c == '[' || c == ']'; };
    if (!std::all_of(at.text.begin(), at.text.end(), fits))
        fail_at(at, "expected an element type, found " + in_quotes(at.text));
    return std::string(at.text);
}

int32_t TypeReader::read_rank() {
    const Token at = next();
    const std::string text = rest_of_item();
    constexpr int32_t kMostDims = 64;
    const double rank = number_at_start(text);
    if (text == "-1") return -1;
    if (!is_number(text) || rank > kMostDims) fail_at(at, "expected a number of dimensions, found " + in_quotes(text));
    return int32_t(rank);
}

TypeNumber TypeReader::shape_type() {
    Type type;
    type.kind = Type::Kind::Shape;
    if (!take_if("(")) return program_.add_type(std::move(type));
    if (take_if("[")) {
        type.has_dims = true;
        type.dims = read_dims("]");
    } else if (take_if("ndim")) {
        expect("=");
        type.rank = read_rank();
    }
    expect(")");
    return program_.add_type(std::move(type));
}

TypeNumber TypeReader::tuple_type() {
    Type type;
    type.kind = Type::Kind::Tuple;
    if (!take_if("(")) return program_.add_type(std::move(type));
    while (!take_if(")")) {
        type.fields.push_back(read_type());
        if (!next().is(")")) expect(",");
    }
    if (type.fields.empty()) type.text = "()";
    return program_.add_type(std::move(type));
}

TypeNumber TypeReader::prim_type() {
    Type type;
    type.kind = Type::Kind::Prim;
    expect("(");
    if (take_if("value")) {
        expect("=");
        type.dims.push_back(next().kind == Token::Kind::String ? size_in_quotes() : rest_of_item());
    } else {
        if (take_if("dtype")) expect("=");
        type.text = element_type();
    }
    expect(")");
    return program_.add_type(std::move(type));
}

}  // namespace partita::relax
