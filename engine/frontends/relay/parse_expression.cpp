#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <unordered_set>
#include <utility>

#include "engine/frontends/relay/parser_state.h"
#include "engine/frontends/relay/value_text.h"
#include "engine/support/spelling.h"

namespace partita::relay {

namespace {

/// Infix operators of TVM's parser; all are left-associative.
struct Infix {
    const char* op;
    int precedence;
};

bool may_be_infix(TokenKind kind) {
    return kind >= TokenKind::Plus || kind == TokenKind::Integer || kind == TokenKind::Float;
}

std::optional<Infix> infix_of(const Token& token) {
    switch (token.kind) {
        case TokenKind::Star: return Infix{"multiply", 12};
        case TokenKind::Slash: return Infix{"divide", 12};
        case TokenKind::Plus: return Infix{"add", 10};
        case TokenKind::Minus: return Infix{"subtract", 10};
        case TokenKind::Less: return Infix{"less", 8};
        case TokenKind::LessEqual: return Infix{"less_equal", 8};
        case TokenKind::Greater: return Infix{"greater", 8};
        case TokenKind::GreaterEqual: return Infix{"greater_equal", 8};
        case TokenKind::EqualEqual: return Infix{"equal", 7};
        case TokenKind::NotEqual: return Infix{"not_equal", 7};
        // `%x -1` is a subtraction, though `-1` is lexed as a number.
        case TokenKind::Integer:
        case TokenKind::Float:
            if (token.text.starts_with('-')) return Infix{"subtract", 10};
            return std::nullopt;
        default: return std::nullopt;
    }
}

Tensor scalar_tensor(DataType dtype, const Token& token) {
    Tensor tensor(dtype, {});
    switch (dtype.code) {
        case DataType::Code::Int:
            if (dtype.bits == 16) *tensor.data<int16_t>() = int16_t(token.integer);
            else if (dtype.bits == 32) *tensor.data<int32_t>() = int32_t(token.integer);
            else *tensor.data<int64_t>() = token.integer;
            break;
        case DataType::Code::Float:
            if (dtype.bits == 16) *tensor.data<uint16_t>() = float_to_half(float(token.real));
            else if (dtype.bits == 32) *tensor.data<float>() = float(token.real);
            else *tensor.data<double>() = token.real;
            break;
        default: *tensor.data<uint8_t>() = uint8_t(token.integer); break;
    }
    return tensor;
}

constexpr size_t kMostScopeChecks = 20'000'000;
constexpr int64_t kMostPlaceholderBytes = int64_t(1) << 31;

}  // namespace

/// Parses bindings and the expression after them. `a; b` is a let of an unnamed variable.
ExprId Parser::parse_body() {
    Nesting nesting(*this);
    size_t first_let = lets_.size(), scope = variables_.mark();
    temporaries_.open_scope();
    ExprId body;
    while (!body.valid()) {
        check_cancelled();
        switch (kind()) {
            case TokenKind::Let: parse_let(); continue;
            case TokenKind::FreeVar: parse_free_variable(); continue;
            case TokenKind::Graph:
                if (lexer_.equals_follows()) {
                    parse_binding();
                    continue;
                }
                break;
            default: break;
        }
        SourcePosition position = token().position;
        ExprId value = parse_infix();
        if (take(TokenKind::Semicolon)) lets_.push_back({at(position, module_.add_var("")), value, position});
        else body = value;
    }
    temporaries_.close_scope();
    variables_.leave(scope);
    return lets_.size() > first_let ? close_lets(first_let, body) : body;
}

ExprId Parser::close_lets(size_t first, ExprId body) {
    for (; lets_.size() > first; lets_.pop_back()) {
        const PendingLet& let = lets_.back();
        body = at(let.position, module_.add_let(let.variable, let.value, body));
    }
    return body;
}

ExprId Parser::parse_block() {
    expect(TokenKind::OpenBrace, "before a body");
    ExprId body = parse_body();
    expect(TokenKind::CloseBrace, "after a body");
    return body;
}

void Parser::parse_binding() {
    Token name = token();
    advance();
    advance();
    ExprId value = parse_infix();
    if (ExprId earlier = temporaries_.bind(name.integer, value); earlier.valid())
        fail(name.position, describe(name) +
                                " is defined twice in one scope: expected another number, the value of the first "
                                "definition is on line " +
                                std::to_string(module_.position(earlier).line));
    expect(TokenKind::Semicolon, "after a binding");
}

void Parser::parse_let() {
    SourcePosition position = token().position;
    advance();
    if (kind() != TokenKind::Local) fail_expected("a variable such as `%x`", "after `let`");
    NameId name = module_.names().intern(token().text);
    SourcePosition name_position = token().position;
    advance();
    TypeId type = take(TokenKind::Colon) ? parse_type() : TypeId();
    ExprId variable = at(name_position, module_.add_var(module_.names().text(name), type));
    expect(TokenKind::Equal, "in a let");
    // A function may call itself; in any other value the name keeps its earlier meaning.
    bool recursive = kind() == TokenKind::Fn;
    if (recursive) variables_.bind(name, variable);
    ExprId value = parse_infix();
    if (!recursive) variables_.bind(name, variable);
    expect(TokenKind::Semicolon, "after a let");
    if (is_unknown(value)) unknown_.insert(variable);
    lets_.push_back({variable, value, position});
}

void Parser::parse_free_variable() {
    advance();
    if (kind() != TokenKind::Local) fail_expected("a variable such as `%x`", "after `free_var`");
    Token name = token();
    NameId id = module_.names().intern(name.text);
    advance();
    TypeId type = take(TokenKind::Colon) ? parse_type() : TypeId();
    ExprId variable = at(name.position, module_.add_var(module_.names().text(id), type));
    if (!free_by_name_.emplace(id, variable).second)
        fail(name.position, describe(name) + " is declared twice: expected one `free_var` for each name");
    free_variables_.push_back(variable);
    if (!take(TokenKind::Semicolon)) fail_expected("`;`", "after a free variable");
}

ExprId Parser::parse_infix() {
    SourcePosition begin = token().position;
    ExprId left = parse_operand();
    return may_be_infix(kind()) && infix_of(token()) ? parse_infix_after(left, begin) : left;
}

ExprId Parser::parse_infix_after(ExprId left, SourcePosition begin) {
    struct Waiting {
        ExprId left;
        Infix infix;
    };
    std::vector<Waiting> waiting;
    auto join = [&](ExprId right) {
        const OpRegistry& registry = op_registry();
        OpId op = registry.find(waiting.back().infix.op);
        if (!op.valid()) fail(begin, std::string("the operator `") + waiting.back().infix.op + "` is not known");
        AttributesId attributes = default_attributes(registry[op], op, begin);
        ExprId arguments[] = {waiting.back().left, right};
        waiting.pop_back();
        return at(begin, module_.add_call(module_.add_op(op), arguments, attributes));
    };
    while (std::optional<Infix> infix = infix_of(token())) {
        while (!waiting.empty() && infix->precedence <= waiting.back().infix.precedence) left = join(left);
        waiting.push_back({left, *infix});
        check_cancelled();
        if (kind() == TokenKind::Integer || kind() == TokenKind::Float) {
            Token number = token();
            if (number.integer == std::numeric_limits<int64_t>::min())
                fail(number.position, describe(number) + " is too large");
            left = parse_number();
            // Without its sign.
            number.integer = -number.integer;
            number.real = -number.real;
            DataType dtype = module_.constant(left).dtype();
            left = at(number.position, module_.add_constant(scalar_tensor(dtype, number)));
        } else {
            advance();
            left = parse_operand();
        }
    }
    while (!waiting.empty()) left = join(left);
    return left;
}

/// Parses an atom with its calls and projections.
ExprId Parser::parse_operand() {
    SourcePosition position = token().position;
    ExprId value = parse_atom();
    while (true) {
        if (kind() == TokenKind::OpenParen) {
            value = parse_call(value, position);
        } else if (kind() == TokenKind::Period) {
            Token index = lexer_.take_index();
            advance();
            if (module_.kind(value) == ExprKind::Tuple && size_t(index.integer) >= module_.operands(value).size())
                fail(index.position, "the tuple has " + std::to_string(module_.operands(value).size()) +
                                         " fields, there is none with the index " + std::to_string(index.integer));
            if (is_unknown(value) && module_.kind(value) != ExprKind::Tuple)
                fail(index.position,
                     "nothing states how many results there are: write their types behind the call, as TVM does: "
                     "`/* ty=(Tensor[(1), int32], Tensor[(2), int32]) */`");
            value = at(position, module_.add_projection(value, uint32_t(index.integer)));
        } else {
            return value;
        }
    }
}

ExprId Parser::parse_atom() {
    SourcePosition position = token().position;
    switch (kind()) {
        case TokenKind::Integer:
        case TokenKind::Float:
        case TokenKind::Boolean: return parse_number();
        case TokenKind::Local: return parse_local();
        case TokenKind::Graph: return parse_temporary();
        case TokenKind::Identifier: return parse_operator_call();
        case TokenKind::MetaReference: return parse_meta_constant();
        case TokenKind::OpenParen: return parse_parenthesized();
        case TokenKind::OpenBrace: {
            size_t scope = variables_.mark();
            ExprId body = parse_block();
            variables_.leave(scope);
            return body;
        }
        case TokenKind::If: return parse_if();
        case TokenKind::Ref:
        case TokenKind::RefRead:
        case TokenKind::RefWrite: return parse_reference(kind());
        case TokenKind::Fn: advance(); return parse_function(position);
        case TokenKind::Global: {
            size_t known = module_.size();
            ExprId function = module_.add_global_var(token().text);
            if (module_.size() > known) function_uses_.push_back({module_.name_id(function), position});
            advance();
            return function;
        }
        case TokenKind::Match: fail(position, "`match` and algebraic data types are not supported");
        default: fail_expected("an expression", "here");
    }
}

ExprId Parser::parse_number() {
    const Token number = token();
    DataType dtype = kBool;
    if (number.kind == TokenKind::Integer) dtype = {DataType::Code::Int, number.bits, 1};
    if (number.kind == TokenKind::Float) dtype = {DataType::Code::Float, number.bits, 1};
    advance();
    uint64_t bits = number.kind == TokenKind::Float ? std::bit_cast<uint64_t>(number.real) : uint64_t(number.integer);
    uint64_t key = bits * 0x9e3779b97f4a7c15ULL ^ (uint64_t(dtype.code) << 8 | dtype.bits);
    Tensor tensor = scalar_tensor(dtype, number);
    // Equal literals share their tensor; each stays an expression of its own.
    auto [known, added] = constants_.literals.try_emplace(key);
    if (!added) {
        ExprId shared = module_.add_constant(known->second);
        if (module_.constant(shared).identical(tensor)) return at(number.position, shared);
    }
    ExprId constant = module_.add_constant(std::move(tensor));
    known->second = module_.constant_id(constant);
    return at(number.position, constant);
}

ExprId Parser::parse_local() {
    NameId name = module_.names().find(token().text);
    ExprId variable = name.valid() ? variables_.find(name) : ExprId();
    if (!variable.valid() && name.valid()) {
        auto free = free_by_name_.find(name);
        if (free != free_by_name_.end()) variable = free->second;
    }
    if (!variable.valid()) fail_unbound(token());
    advance();
    return variable;
}

ExprId Parser::parse_temporary() {
    ExprId value = temporaries_.find(token().integer);
    if (!value.valid()) fail_unbound(token());
    if (!temporaries_.in_open_scope(token().integer)) check_scope(value, token());
    advance();
    return value;
}

/// Checks that a temporary used beyond its scope contains no variable that is no longer bound.
void Parser::check_scope(ExprId value, const Token& use) {
    std::unordered_set<uint32_t> bound, seen;
    for (ExprId variable : variables_.variables())
        if (variable.valid()) bound.insert(variable.value);
    for (ExprId variable : free_variables_) bound.insert(variable.value);
    std::vector<ExprId> stack = {value}, found;
    while (!stack.empty()) {
        ExprId id = stack.back();
        stack.pop_back();
        if (!seen.insert(id.value).second) continue;
        if (++scope_checks_ > kMostScopeChecks)
            fail(
                use.position,
                describe(use) + " is used beyond its scope in too large a text: expected its definition in this scope");
        if (module_.kind(id) == ExprKind::Var) found.push_back(id);
        if (module_.kind(id) == ExprKind::Let) bound.insert(module_.operands(id)[0].value);
        if (module_.kind(id) == ExprKind::Function)
            for (ExprId parameter : module_.parameters(id)) bound.insert(parameter.value);
        for (ExprId operand : module_.operands(id)) stack.push_back(operand);
    }
    for (ExprId variable : found)
        if (!bound.count(variable.value))
            fail(use.position, describe(use) + " is used beyond its scope: it depends on " +
                                   quoted("%" + std::string(module_.name(variable))) + ", which is not bound here");
}

/// Reports whether a name is defined further down, or suggests a similar one.
void Parser::fail_unbound(const Token& missing) {
    std::string name =
        missing.kind == TokenKind::Graph ? "%" + std::to_string(missing.integer) : "%" + std::string(missing.text);
    std::string_view rest = lexer_.rest();
    for (size_t at = rest.find(name); at != std::string_view::npos; at = rest.find(name, at + 1)) {
        size_t after = rest.find_first_not_of(" \t", at + name.size());
        if (after == std::string_view::npos) break;
        bool whole = after > at + name.size() || rest[after] == '=' || rest[after] == ':';
        bool defines = rest[after] == '=' && !rest.substr(after).starts_with("==");
        bool let = rest.substr(0, at).ends_with("let ") && (rest[after] == '=' || rest[after] == ':');
        if (whole && (defines || let)) {
            uint32_t line =
                missing.position.line + uint32_t(std::count(rest.begin(), rest.begin() + ptrdiff_t(at), '\n'));
            fail(missing.position, quoted(name) + " is used before its definition on line " + std::to_string(line));
        }
    }
    if (missing.kind == TokenKind::Graph)
        fail(missing.position, quoted(name) + " is not bound: expected `" + name + " = ...;` before its use");
    constexpr size_t kMostNames = 10'000;
    std::vector<std::string_view> names;
    for (NameId id : variables_.names(kMostNames)) names.push_back(module_.names().text(id));
    std::string_view nearest = nearest_spelling(missing.text, names);
    fail(missing.position, quoted(name) + " is not bound: " +
                               (nearest.empty() ? std::string("expected a parameter or a let of that name")
                                                : "did you mean `%" + std::string(nearest) + "`?"));
}

/// Parses `()`, `(a)` which is a itself, `(a,)`, `(a, b)`.
ExprId Parser::parse_parenthesized() {
    SourcePosition position = token().position;
    advance();
    size_t first = operands_.size();
    bool is_tuple = kind() == TokenKind::CloseParen;
    while (kind() != TokenKind::CloseParen) {
        operands_.push_back(parse_body());
        if (!take(TokenKind::Comma)) break;
        is_tuple = true;
    }
    if (kind() != TokenKind::CloseParen) fail_expected("`,` or `)`", "after an expression in parentheses");
    advance();
    ExprId value = operands_.size() > first ? operands_.back() : ExprId();
    if (is_tuple) value = at(position, module_.add_tuple(std::span<const ExprId>(operands_).subspan(first)));
    operands_.resize(first);
    return value;
}

ExprId Parser::parse_if() {
    SourcePosition position = token().position;
    advance();
    expect(TokenKind::OpenParen, "before a condition");
    ExprId condition = parse_body();
    expect(TokenKind::CloseParen, "after a condition");
    ExprId then_branch = parse_block();
    expect(TokenKind::Else, "after the first branch of an `if`");
    ExprId else_branch = parse_block();
    return at(position, module_.add_if(condition, then_branch, else_branch));
}

ExprId Parser::parse_reference(TokenKind which) {
    SourcePosition position = token().position;
    advance();
    expect(TokenKind::OpenParen, "before the operands of a reference");
    ExprId first = parse_body();
    ExprId value;
    if (which == TokenKind::RefWrite) {
        expect(TokenKind::Comma, "between a reference and the value that is written");
        value = parse_body();
    }
    expect(TokenKind::CloseParen, "after the operands of a reference");
    if (which == TokenKind::RefWrite) return at(position, module_.add_ref_write(first, value));
    return at(position, which == TokenKind::Ref ? module_.add_ref_create(first) : module_.add_ref_read(first));
}

/// Parses from the parameter list on.
ExprId Parser::parse_function(SourcePosition position) {
    if (kind() == TokenKind::OpenBracket) fail(token().position, "type parameters are not supported: expected `(`");
    expect(TokenKind::OpenParen, "before a function's parameters");
    size_t scope = variables_.mark(), first_expression = module_.size();
    std::vector<ExprId> parameters;
    FunctionInfo info;
    while (kind() != TokenKind::CloseParen) {
        if (kind() == TokenKind::Identifier && lexer_.equals_follows()) {
            parse_function_attributes(info);
            break;
        }
        parameters.push_back(parse_parameter(first_expression));
        if (!take(TokenKind::Comma)) break;
    }
    if (kind() != TokenKind::CloseParen) fail_expected("`,` or `)`", "after a parameter");
    advance();
    if (take(TokenKind::Arrow)) info.return_type = parse_type();
    ExprId body = parse_block();
    variables_.leave(scope);
    return at(position, module_.add_function(parameters, body, std::move(info)));
}

ExprId Parser::parse_parameter(size_t first_expression) {
    if (kind() != TokenKind::Local) fail_expected("a parameter such as `%x: Tensor[(2, 3), float32]`", "here");
    Token name = token();
    NameId id = module_.names().intern(name.text);
    ExprId earlier = variables_.find(id);
    if (earlier.valid() && earlier.value >= first_expression)
        fail(name.position, "the parameter " + describe(name) + " is defined twice: expected another name");
    advance();
    if (kind() == TokenKind::OpenBrace)
        fail(token().position, "virtual devices are not supported: expected `:` or `,`");
    TypeId type = take(TokenKind::Colon) ? parse_type() : TypeId();
    ExprId variable = at(name.position, module_.add_var(module_.names().text(id), type));
    variables_.bind(id, variable);
    return variable;
}

void Parser::parse_function_attributes(FunctionInfo& info) {
    constexpr size_t kFew = 16;
    std::unordered_set<std::string> many;  // the keys, if there are more than a few
    const auto is_given = [&](const std::string& key) {
        if (info.attributes.size() <= kFew) return info.attribute(key) != nullptr;
        if (many.empty())
            for (const auto& [given, value] : info.attributes) many.insert(given.text());
        return !many.insert(key).second;
    };
    while (kind() == TokenKind::Identifier) {
        SourcePosition position = token().position;
        std::string key(token().text);
        if (is_given(key)) fail(position, "the function attribute " + quoted(key) + " is given twice");
        advance();
        expect(TokenKind::Equal, "after a function attribute's name");
        if (key == "virtual_device_" && kind() == TokenKind::MetaReference) {
            note(Severity::Warning, position, "the virtual device of this function is ignored");
            advance();
        } else {
            info.attributes.emplace_back(std::move(key), parse_attribute_value());
        }
        if (!take(TokenKind::Comma)) break;
    }
}

/// Parses `meta[relay.Constant][i]`. Two references to one entry are the same expression.
ExprId Parser::parse_meta_constant() {
    Token reference = token();
    if (reference.text != "relay.Constant")
        fail(reference.position, describe(reference) + " is no expression: expected `meta[relay.Constant][...]`");
    if (!metadata_.has(reference.text)) return constant_without_section(reference.position);
    uint32_t node = metadata_.find(reference.text, reference.integer, reference.position);
    advance();
    ExprId& constant = constants_.of_section[node];
    if (constant.valid()) return constant;
    uint32_t tensor = metadata_.tensor_index(node);
    auto [known, added] = constants_.by_tensor.try_emplace(tensor);
    if (added) {
        constant = module_.add_constant(metadata_.tensor(tensor));
        known->second = module_.constant_id(constant);
    } else {
        constant = module_.add_constant(known->second);
    }
    return at(reference.position, constant);
}

/// A text without its metadata section still gives each constant's type, in a comment: zeros replace the value.
ExprId Parser::constant_without_section(SourcePosition place) {
    Token reference = token();
    std::string_view rest = lexer_.rest();
    constexpr std::string_view kOpening = " /* ty=";
    ExprId& constant = constants_.of_section[uint32_t(reference.integer)];
    if (!constant.valid()) {
        if (!rest.starts_with(kOpening))
            fail(place, (metadata_.present() ? "the metadata section has no entries of `relay.Constant`, so "
                                             : "the text has no metadata section, so ") +
                            describe(reference) + " has no value" +
                            (metadata_.present() ? "" : ": expected `#[metadata]` at the end of the text"));
        SourcePosition comment = lexer_.position();
        comment.column += uint32_t(kOpening.size());
        Lexer outer = std::exchange(lexer_, Lexer(rest.substr(kOpening.size()), comment));
        advance();
        TypeId type = parse_type();
        lexer_ = outer;
        if (!module_.types().is_tensor(type))
            fail(comment, "the type of " + describe(reference) + " is not a tensor's");
        DataType dtype = module_.types().dtype(type);
        std::span<const int64_t> shape = module_.types().shape(type);
        std::optional<int64_t> count = element_count(shape);
        if (!count || *count > kMostPlaceholderBytes / int64_t(dtype.bytes()) ||
            (constants_.placeholder_bytes += *count * int64_t(dtype.bytes())) > kMostPlaceholderBytes)
            fail(comment, "the text has no metadata section, and its constants are too large to be replaced by zeros");
        if (constants_.of_section.size() == 1)
            note(Severity::Warning, place, "the values of the constants are not in the text: they are read as zeros");
        constant = at(place, module_.add_constant(Tensor(dtype, {shape.begin(), shape.end()})));
        module_.set_label(constant, std::string(kMissingValue));
    }
    advance();
    return constant;
}

}  // namespace partita::relay
