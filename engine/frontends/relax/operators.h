// The operators that Relax and the engine both have, and the form in which the engine has a call of Relax.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/relax/program.h"
#include "engine/ops/op.h"

namespace partita::relax {

/// An operator that both have.
struct RelaxOp {
    std::string_view relay, relax;
    std::string_view attributes;  ///< those of the same name and meaning, each between blanks
    int tensors = -1;             ///< arguments of Relay's; Relax has attributes behind them. -1: the same arguments
    bool alone = true;            ///< a call of its own can be told from others
};

/// Returns null if Relax has no such operator.
const RelaxOp* relax_op(std::string_view relay);

/// Returns the names by which the engine may know an operator: itself, and of the table. Without "relax.".
std::string_view engine_name(std::string_view relax);

/// Returns whether a word of a pattern names an operator of Relax: "relax.NAME", or a NAME that only Relax has.
bool is_operator(std::string_view word);
/// Returns the engine's operator for such a word, or "opaque".
std::string_view pattern_op(std::string_view word);
/// Returns how many arguments Relax has behind the tensors of one of the engine's operators.
size_t arguments_behind(std::string_view op);

/// Reads a value as Python writes it; nothing for what is no literal, such as a symbolic size.
std::optional<AttributeValue> read_value(std::string_view python);

/// A call in the engine's terms.
struct EngineCall {
    OpId op;
    AttributeList attributes;
};
/// Returns nothing if attributes or meaning differ. `ranks`: of the arguments that are tensors, -1 of others;
/// `values`: the arguments that are numbers, shapes and tuples of these, in order.
std::optional<EngineCall> engine_call(std::string_view relax, std::span<const int> ranks,
                                      std::span<const AttributeValue> values, std::span<const Keyword> keywords);

}  // namespace partita::relax
