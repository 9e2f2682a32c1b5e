#include "engine/frontends/relay/parser_state.h"

namespace partita::relay {

/// Returns an invalid id for `_`, which leaves the type to inference.
TypeId Parser::parse_type() {
    Nesting nesting(*this);
    switch (kind()) {
        case TokenKind::OpenParen: return module_.types().tuple(parse_type_list());
        case TokenKind::Fn: {
            advance();
            if (kind() == TokenKind::OpenBracket) fail(token().position, "type parameters are not supported");
            std::vector<TypeId> parameters = parse_type_list();
            expect(TokenKind::Arrow, "between a function type's parameters and its result");
            return module_.types().function(parameters, parse_type());
        }
        case TokenKind::Ref: {
            advance();
            expect(TokenKind::OpenParen, "after `ref`");
            TypeId value = parse_type();
            expect(TokenKind::CloseParen, "after the type that is referred to");
            return module_.types().reference(value);
        }
        case TokenKind::Underscore: advance(); return TypeId();
        case TokenKind::Identifier: return parse_named_type();
        default: fail_expected("a type", "such as `Tensor[(2, 3), float32]`");
    }
}

std::vector<TypeId> Parser::parse_type_list() {
    std::vector<TypeId> list;
    expect(TokenKind::OpenParen, "before a list of types");
    while (kind() != TokenKind::CloseParen) {
        SourcePosition place = token().position;
        list.push_back(parse_type());
        if (!list.back().valid()) fail(place, "`_` can't be a part of a type: expected a type");
        if (!take(TokenKind::Comma)) break;
    }
    expect(TokenKind::CloseParen, "after a list of types");
    return list;
}

TypeId Parser::parse_named_type() {
    if (token().text == "Tensor") return parse_tensor_type();
    if (DataType::parse(token().text)) return module_.types().tensor(parse_dtype(), {});
    fail(token().position, "unknown type " + describe(token()) +
                               ": expected `Tensor[(2, 3), float32]`, a name such as "
                               "`float32`, a tuple or a function type (algebraic data types are not supported)");
}

DataType Parser::parse_dtype() {
    if (kind() != TokenKind::Identifier && kind() != TokenKind::String)
        fail_expected("an element type", "such as `float32`");
    std::optional<DataType> dtype = DataType::parse(token().text);
    if (!dtype || dtype->is_void())
        fail(token().position,
             "unknown element type " + describe(token()) + ": expected one such as `float32`, `int8`, `bool`");
    advance();
    return *dtype;
}

TypeId Parser::parse_tensor_type() {
    advance();
    expect(TokenKind::OpenBracket, "after `Tensor`");
    SourcePosition place = token().position;
    std::vector<int64_t> shape = parse_shape();
    expect(TokenKind::Comma, "between a tensor's shape and its element type");
    DataType dtype = parse_dtype();
    expect(TokenKind::CloseBracket, "after a tensor's element type");
    std::vector<int64_t> known;
    for (int64_t dim : shape)
        if (dim != kDynamicDim) known.push_back(dim);
    if (!element_count(known)) fail(place, "the shape " + shape_to_string(shape) + " has too many elements");
    return module_.types().tensor(dtype, shape);
}

std::vector<int64_t> Parser::parse_shape() {
    std::vector<int64_t> shape;
    expect(TokenKind::OpenParen, "before a tensor's shape");
    while (kind() != TokenKind::CloseParen) {
        if (kind() == TokenKind::Question) {
            shape.push_back(kDynamicDim);
        } else if (kind() == TokenKind::MetaReference && metadata_.present()) {
            uint32_t node = metadata_.find(token().text, token().integer, token().position);
            if (metadata_.node(node).type_key == "tir.Any") {
                shape.push_back(kDynamicDim);
            } else {
                AttributeValue value = metadata_.value(node);
                if (!value.as_integer() || value.as_integer()->value < 0)
                    fail(token().position, describe(token()) + " is no size of a dimension");
                shape.push_back(value.as_integer()->value);
            }
        } else if (kind() == TokenKind::Integer && token().integer >= 0) {
            shape.push_back(token().integer);
        } else {
            fail_expected("the size of a dimension", "such as `3`, or `?`");
        }
        advance();
        if (!take(TokenKind::Comma)) break;
    }
    expect(TokenKind::CloseParen, "after a tensor's shape");
    return shape;
}

}  // namespace partita::relay
