#include <algorithm>
#include <charconv>

#include "engine/frontends/relay/fitted_attribute.h"
#include "engine/frontends/relay/parser_state.h"
#include "engine/frontends/relay/strings.h"
#include "engine/support/spelling.h"

namespace partita::relay {

namespace {

/// Returns the text up to the parenthesis that closes the call, if it is easy to find: on one line, without comments.
std::string_view attributes_text(std::string_view text) {
    constexpr size_t kLongest = 1000;
    int depth = 0;
    for (size_t i = 0; i < text.size() && i < kLongest; ++i) {
        switch (text[i]) {
            case '(': ++depth; break;
            case ')':
                if (depth-- == 0) return text.substr(0, i);
                break;
            case '"':
                for (++i; i < text.size() && text[i] != '"'; ++i)
                    if (text[i] == '\\' || text[i] == '\n') return {};
                break;
            case '/':
            case '\n': return {};
            default: break;
        }
    }
    return {};
}

std::string kind_name(AttributeKind kind) {
    switch (kind) {
        case AttributeKind::Int: return "an integer";
        case AttributeKind::Bool: return "`True` or `False`";
        case AttributeKind::Double: return "a number such as `0.1f`";
        case AttributeKind::String: return "a string";
        case AttributeKind::DType: return "an element type such as \"float32\"";
        case AttributeKind::IntegerList: return "a list of integers such as `[1, 1]`";
        case AttributeKind::Object: return "a number, a string or a list";
    }
    return "another value";
}

bool is_integer_list(const AttributeValue::List& list) {
    for (const AttributeValue& item : list) {
        if (const AttributeValue::List* inner = item.as_list()) {
            if (!is_integer_list(*inner)) return false;
        } else if (!item.as_integer() && !item.is_none()) {
            return false;
        }
    }
    return true;
}

/// The input that may be repeated may be missing, too, if it is not the only one.
size_t fewest_inputs(const OpRecord& record) {
    const size_t count = record.inputs.size();
    return record.variadic && count > 1 ? count - 1 : count;
}

/// Returns "3 arguments (data, weight, bias)".
std::string inputs_text(const OpRecord& record) {
    size_t count = record.inputs.size(), fewest = fewest_inputs(record);
    std::string text =
        (record.variadic ? "at least " : "") + std::to_string(fewest) + (fewest == 1 ? " argument" : " arguments");
    if (count == 0) return "no arguments";
    text += " (";
    for (size_t i = 0; i < count; ++i) text += (i ? ", " : "") + record.inputs[i];
    return text + ")";
}

}  // namespace

ExprId Parser::parse_operator_call() {
    Token name = token();
    const OpRegistry& registry = op_registry();
    OpId op = registry.find(name.text);
    if (!op.valid()) return parse_foreign_call(name);
    advance();
    if (kind() != TokenKind::OpenParen) fail_expected("`(`", ("after the operator " + quoted(name.text)).c_str());
    const OpRecord& record = registry[op];
    ExprId callee = module_.add_op(op);
    size_t first = operands_.size();
    AttributesId attributes;
    parse_arguments(&record, op, attributes);
    advance();
    check_arity(record, operands_.size() - first, name.position);
    if (!attributes.valid()) attributes = default_attributes(record, op, name.position);
    const std::span<const ExprId> arguments = std::span<const ExprId>(operands_).subspan(first);
    if (record.name == "opaque")
        callee =
            module_.add_op(registry.foreign(AttributesView(record, module_.attributes(attributes)).string("op_type")));
    const bool unknown = std::any_of(arguments.begin(), arguments.end(), [this](ExprId id) { return is_unknown(id); });
    ExprId call =
        unknown ? behind_unknown(record, attributes, arguments) : module_.add_call(callee, arguments, attributes);
    operands_.resize(first);
    return at(name.position, call);
}

/// Parses a call of an operator that is not known here. Its type is the one that the comment behind it states, as TVM
/// writes one behind every call.
ExprId Parser::parse_foreign_call(const Token& name) {
    advance();
    if (kind() != TokenKind::OpenParen) fail_unknown_operator(name);
    ForeignCall call{std::string(name.text), {}, 1, {}, {}, {}};
    size_t first = operands_.size();
    AttributesId none;
    parse_arguments(nullptr, OpId(), none, &call);
    const TypeId stated = parse_stated_type();
    call.results = result_tensors(module_.types(), stated);
    const bool known = !call.results.empty() || (stated.valid() && module_.types().is_tuple(stated));
    if (!known) {
        if (!op_registry().nearest(name.text).empty()) fail_unknown_operator(name);
        call.results = {unknown_type()};
        if (options_.notes)
            options_.notes->push_back({Severity::Warning, options_.file, name.position,
                                       "unknown operator " + describe(name) +
                                           ": nothing states the type of its result, which is shown without one; a "
                                           "comment behind the call would: `/* ty=Tensor[(2, 3), float32] */`"});
    }
    advance();
    const ExprId made = add_foreign_call(module_, call, std::span<const ExprId>(operands_).subspan(first));
    if (!known) unknown_.insert(made);
    operands_.resize(first);
    return at(name.position, made);
}

void Parser::fail_unknown_operator(const Token& name) {
    const std::string_view nearest = op_registry().nearest(name.text);
    fail(name.position,
         "unknown operator " + describe(name) +
             (nearest.empty() ? ": expected the name of an operator" : ": did you mean " + quoted(nearest) + "?"));
}

TypeId Parser::unknown_type() { return module_.types().tensor(kFloat32, std::vector<int64_t>{kDynamicDim}); }

bool Parser::is_unknown(ExprId id) const {
    if (unknown_.empty()) return false;
    if (module_.kind(id) != ExprKind::Tuple) return unknown_.contains(id);
    const std::span<const ExprId> fields = module_.operands(id);
    return std::any_of(fields.begin(), fields.end(), [this](ExprId field) { return unknown_.contains(field); });
}

/// What takes a value whose type nobody states has no known type either: it is kept by its name.
ExprId Parser::behind_unknown(const OpRecord& record, AttributesId attributes, std::span<const ExprId> arguments) {
    ForeignCall call{record.name, {}, 1, {}, {}, {unknown_type()}};
    if (attributes.valid())
        for_each_shown_attribute({record, module_.attributes(attributes)},
                                 [&](const std::string& name, const AttributeValue* value, bool is_default) {
                                     if (value && !is_default) call.attributes.emplace_back(name, *value);
                                 });
    const ExprId made = add_foreign_call(module_, call, arguments);
    unknown_.insert(made);
    return made;
}

/// Returns the type in a comment ` /* ty=... */` behind the closing parenthesis; invalid if there is none that can be
/// read.
TypeId Parser::parse_stated_type() {
    constexpr std::string_view kBegin = "/* ty=";
    std::string_view text = lexer_.rest();
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with(kBegin)) return {};
    text = text.substr(kBegin.size(), text.find("*/") - kBegin.size());
    const Lexer after = lexer_;
    TypeId type;
    try {
        lexer_ = Lexer(text, after.position());
        advance();
        type = parse_type();
    } catch (const SyntaxError&) {
        type = {};
    }
    lexer_ = after;
    return type;
}

ExprId Parser::parse_call(ExprId callee, SourcePosition position) {
    size_t first = operands_.size();
    AttributesId none;
    parse_arguments(nullptr, OpId(), none);
    advance();
    std::span<const ExprId> arguments = std::span<const ExprId>(operands_).subspan(first);
    if (module_.kind(callee) == ExprKind::Function && module_.parameters(callee).size() != arguments.size())
        fail(position, "the function takes " + std::to_string(module_.parameters(callee).size()) +
                           " arguments, found " + std::to_string(arguments.size()));
    ExprId call = at(position, module_.add_call(callee, arguments));
    operands_.resize(first);
    if (module_.kind(callee) == ExprKind::GlobalVar) calls_of_functions_.push_back(call);
    return call;
}

/// Pushes the arguments on operands_, up to the closing parenthesis. `record` is null for calls of anything but the
/// engine's operators.
void Parser::parse_arguments(const OpRecord* record, OpId op, AttributesId& attributes, ForeignCall* foreign) {
    advance();
    while (kind() != TokenKind::CloseParen) {
        if (kind() == TokenKind::Identifier && lexer_.equals_follows()) {
            if (foreign) {
                parse_foreign_attributes(*foreign);
                break;
            }
            if (!record)
                fail(token().position,
                     "only operators have attributes: expected an argument or `)`, found " + describe(token()));
            attributes = parse_attributes(*record, op);
            break;
        }
        if (kind() == TokenKind::MetaReference && record && token().text.starts_with("relay.attrs.")) {
            attributes = parse_meta_attributes(*record, op);
            take(TokenKind::Comma);
            break;
        }
        ExprId argument = parse_body();
        operands_.push_back(argument);
        if (!take(TokenKind::Comma)) break;
    }
    if (kind() != TokenKind::CloseParen) fail_expected("`,` or `)`", "in a call");
}

/// The attributes of an operator that is not known here, as they are written.
void Parser::parse_foreign_attributes(ForeignCall& call) {
    while (kind() == TokenKind::Identifier) {
        std::string name(token().text);
        advance();
        expect(TokenKind::Equal, "after an attribute's name");
        call.attributes.emplace_back(std::move(name), parse_attribute_value());
        if (!take(TokenKind::Comma)) break;
    }
}

void Parser::check_arity(const OpRecord& record, size_t count, SourcePosition position) {
    size_t wanted = record.inputs.size();
    if (count == wanted || (record.variadic && count >= fewest_inputs(record))) return;
    fail(position, quoted(record.name) + " takes " + inputs_text(record) + ", found " + std::to_string(count));
}

void Parser::check_required(const OpRecord& record, const AttributeList& values, const std::vector<bool>& given,
                            SourcePosition position) {
    for (size_t i = 0; i < values.size(); ++i)
        if (record.attributes[i].required && !(i < given.size() && given[i]))
            fail(position, quoted(record.name) + " needs the attribute " + quoted(record.attributes[i].name) +
                               ", expected " + kind_name(record.attributes[i].kind));
}

AttributesId Parser::default_attributes(const OpRecord& record, OpId op, SourcePosition position) {
    if (record.attributes.empty()) return {};
    if (op.value >= attributes_.defaults.size()) attributes_.defaults.resize(op.value + 1);
    AttributesId& known = attributes_.defaults[op.value];
    if (known.valid()) return known;
    AttributeList values = record.default_attributes();
    if (!record.metadata_key.empty() && !options_.compiler.empty())
        return attributes_without_section(record, op, token());
    if (!record.metadata_key.empty()) tell_lack_of_compiler();
    check_required(record, values, {}, position);
    return known = module_.add_attributes(std::move(values));
}

AttributesId Parser::parse_attributes(const OpRecord& record, OpId op) {
    std::string_view text = attributes_text(lexer_.from_token());
    if (!text.empty()) {
        auto known = attributes_.by_text.find({op.value, text});
        if (known != attributes_.by_text.end()) {
            lexer_.skip_to(text.data() + text.size());
            advance();
            return known->second;
        }
    }
    SourcePosition begin = token().position;
    AttributeList values = record.default_attributes();
    std::vector<bool> given(values.size());
    while (kind() == TokenKind::Identifier) {
        Token name = token();
        int index = record.attribute_index(name.text);
        if (index < 0 && name.text != "attrs_type_key") {
            std::vector<std::string_view> names;
            for (const AttributeField& field : record.attributes) names.push_back(field.name);
            std::string_view nearest = nearest_spelling(name.text, names);
            fail(name.position, quoted(record.name) + " has no attribute " + describe(name) +
                                    (names.empty()     ? ": expected none"
                                     : nearest.empty() ? ": expected one of " + joined(names)
                                                       : ": did you mean " + quoted(nearest) + "?"));
        }
        advance();
        expect(TokenKind::Equal, "after an attribute's name");
        SourcePosition place = token().position;
        AttributeValue value = parse_attribute_value();
        if (index >= 0) {
            if (given[size_t(index)]) fail(name.position, "the attribute " + describe(name) + " is given twice");
            given[size_t(index)] = true;
            values[size_t(index)] = fitted_attribute(record, record.attributes[size_t(index)], std::move(value), place);
        }
        if (!take(TokenKind::Comma)) break;
    }
    if (kind() != TokenKind::CloseParen) fail_expected("`,` or `)`", "after an attribute");
    check_required(record, values, given, begin);
    AttributesId attributes = record.attributes.empty() ? AttributesId() : module_.add_attributes(std::move(values));
    if (!text.empty()) attributes_.by_text.emplace(AttributesText{op.value, text}, attributes);
    return attributes;
}

AttributeValue Parser::parse_attribute_value() {
    Token value = token();
    switch (value.kind) {
        case TokenKind::Integer: advance(); return Integer{value.integer, uint8_t(value.bits == 64 ? 64 : 32)};
        case TokenKind::Float: advance(); return value.real;
        case TokenKind::Boolean: advance(); return value.integer != 0;
        case TokenKind::String: advance(); return unescaped(value.text);
        case TokenKind::OpenBracket: advance(); return parse_attribute_list(TokenKind::CloseBracket);
        case TokenKind::OpenParen: {
            advance();
            AttributeValue list = parse_attribute_list(TokenKind::CloseParen);
            // `(3)` is 3; `(3, 3)` is a list.
            if (list.as_list()->size() == 1) return AttributeValue(list.as_list()->front());
            return list;
        }
        case TokenKind::MetaReference: {
            if (!metadata_.present())
                fail(value.position, "the text has no metadata section, so " + describe(value) + " has no value");
            uint32_t node = metadata_.find(value.text, value.integer, value.position);
            advance();
            return metadata_.value(node);
        }
        case TokenKind::Identifier:
            if (value.text == "None" || value.text == "nullptr") {
                advance();
                return {};
            }
            if (std::optional<DataType> dtype = DataType::parse(value.text)) {
                advance();
                return *dtype;
            }
            break;
        default: break;
    }
    fail_expected("an attribute's value", "such as a number, a string, a list or `None`");
}

AttributeValue Parser::parse_attribute_list(TokenKind close) {
    Nesting nesting(*this);
    AttributeValue::List list;
    while (kind() != close) {
        list.push_back(parse_attribute_value());
        if (!take(TokenKind::Comma)) break;
    }
    expect(close, "after a list");
    return list;
}

AttributeValue fitted_attribute(const OpRecord& record, const AttributeField& field, AttributeValue value,
                                SourcePosition place) {
    const Integer* integer = value.as_integer();
    const bool* flag = value.as_bool();
    // Lists and objects are references in TVM: any of them can be null.
    bool is_reference = field.kind == AttributeKind::IntegerList || field.kind == AttributeKind::Object;
    if (value.is_none() && (is_reference || (!field.required && field.default_value.is_none()))) return value;
    switch (field.kind) {
        case AttributeKind::Int:
            if (integer) return value;
            if (flag) return AttributeValue(int(*flag));
            break;
        case AttributeKind::Bool:
            if (value.as_bool()) return value;
            if (integer) return AttributeValue(integer->value != 0);
            break;
        case AttributeKind::Double:
            if (value.as_double()) return value;
            if (integer) return AttributeValue(double(integer->value));
            break;
        case AttributeKind::String:
            if (value.as_string()) return value;
            if (const DataType* dtype = value.as_dtype()) return AttributeValue(dtype->to_string());
            break;
        case AttributeKind::DType:
            if (value.as_dtype()) return value;
            if (const std::string* text = value.as_string())
                if (std::optional<DataType> dtype = DataType::parse(*text == "void" ? "" : *text))
                    return AttributeValue(*dtype);
            break;
        case AttributeKind::IntegerList:
            if (integer) return AttributeValue(AttributeValue::List{value});
            if (const AttributeValue::List* list = value.as_list(); list && is_integer_list(*list)) return value;
            break;
        case AttributeKind::Object:
            if (const DataType* dtype = value.as_dtype()) return AttributeValue(dtype->to_string());
            return value;
    }
    fail(place, "the attribute " + quoted(field.name) + " of " + quoted(record.name) + " is wrong: expected " +
                    kind_name(field.kind) + ", found " + quoted(value.to_string()));
}

/// Parses `meta[relay.attrs.X][i]` as the last argument of a call.
AttributesId Parser::parse_meta_attributes(const OpRecord& record, OpId op) {
    Token reference = token();
    if (record.attributes.empty())
        fail(reference.position,
             quoted(record.name) + " has no attributes: expected an argument or `)`, found " + describe(reference));
    if (!metadata_.present()) {
        AttributesId attributes = attributes_without_section(record, op, reference);
        advance();
        return attributes;
    }
    uint32_t node = metadata_.find(reference.text, reference.integer, reference.position);
    advance();
    if (record.metadata_key.empty()) return attributes_of_section(record, node);
    // Annotations: each has an entry, but there are few different compilers.
    if (metadata_.node(node).type_key != record.metadata_key)
        fail(reference.position, describe(reference) + " is a " + quoted(metadata_.node(node).type_key) +
                                     ", expected a " + quoted(record.metadata_key));
    AttributesText key{op.value, metadata_.field(node, record.attributes[0].name)};
    metadata_.take(key.text, reference.position);
    auto known = attributes_.marks.find(key);
    if (known != attributes_.marks.end()) return known->second;
    AttributesId attributes = attributes_of_section(record, node);
    attributes_.marks.emplace(key, attributes);
    return attributes;
}

AttributesId Parser::attributes_without_section(const OpRecord& record, OpId, const Token& reference) {
    if (record.metadata_key.empty() || options_.compiler.empty()) {
        if (!record.metadata_key.empty()) tell_lack_of_compiler();
        fail(reference.position,
             "the text has no metadata section, so " + describe(reference) + " has no value: " +
                 (record.metadata_key.empty() ? "expected `#[metadata]` at the end of the text"
                                              : "expected the compiler's name, give it with --compiler"));
    }
    AttributeList values = record.default_attributes();
    values[0] = AttributeValue(options_.compiler);
    return module_.add_attributes(std::move(values));
}

AttributesId Parser::attributes_of_section(const OpRecord& record, uint32_t node) {
    AttributeList values = record.default_attributes();
    std::vector<bool> given(values.size());
    SourcePosition place = metadata_.node(node).position;
    for (const auto& [name, text] : metadata_.fields(node)) {
        int index = record.attribute_index(name);
        if (index < 0) fail(place, "bad metadata: " + quoted(record.name) + " has no attribute " + quoted(name));
        const AttributeField& field = record.attributes[size_t(index)];
        values[size_t(index)] = fitted_attribute(record, field, section_field(field, text, place), place);
        given[size_t(index)] = true;
    }
    check_required(record, values, given, place);
    return module_.add_attributes(std::move(values));
}

/// In the section numbers and strings are text; other values are indices of nodes.
AttributeValue Parser::section_field(const AttributeField& field, std::string_view text, SourcePosition place) {
    const char* end = text.data() + text.size();
    metadata_.take(text, place);
    switch (field.kind) {
        case AttributeKind::String: return std::string(text);
        case AttributeKind::DType: {
            std::optional<DataType> dtype = DataType::parse(text);
            if (!dtype) fail(place, "bad metadata: " + quoted(text) + " is no element type");
            return *dtype;
        }
        case AttributeKind::Int:
        case AttributeKind::Bool: {
            int64_t value = 0;
            auto [stop, failure] = std::from_chars(text.data(), end, value);
            if (failure != std::errc() || stop != end) fail(place, "bad metadata: " + quoted(text) + " is no integer");
            return Integer{value, 32};
        }
        case AttributeKind::Double: {
            double value = 0;
            auto [stop, failure] = std::from_chars(text.data(), end, value);
            if (failure == std::errc::invalid_argument || stop != end)
                fail(place, "bad metadata: " + quoted(text) + " is no number");
            return value;
        }
        case AttributeKind::IntegerList:
        case AttributeKind::Object: return metadata_.value(metadata_.node_index(text, place));
    }
    return {};
}

}  // namespace partita::relay
