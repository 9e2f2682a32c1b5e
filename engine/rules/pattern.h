// Dataflow patterns: small graphs to be found in large ones, with the meaning of Relay's dataflow pattern language
// (TVM 0.9, python/tvm/relay/dataflow_pattern, src/relay/ir/dataflow_matcher.cc) and a text of our own for it.
//
//   pattern      ::= { NAME '=' pattern ';' } alternative         definitions first; a name stands for the same node
//   alternative  ::= postfix { '|' postfix }                      the left one is tried first
//   postfix      ::= [ NAME ':' ] primary { suffix }
//   primary      ::= '*'                                          anything
//                  | OP                                           the op itself: nn.relu
//                  | NAME                                         what was defined under that name: the same expression
//                  | '_'                                          inside optional(): what the option is put on
//                  | 'constant' | 'var' [ '("' NAME '")' ]
//                  | NUMBER | 'True' | 'False'                    that scalar constant: 0, 1i64, 2f
//                  | '@' NAME                                     a global function
//                  | '(' ')' | '(' p ',' ')' | '(' p ',' q ')' | 'tuple' '(' '...' ')'
//                  | 'if' '(' c ',' t ',' e ')' | 'let' '(' v ',' value ',' body ')'
//                  | 'fn' '(' p ',' ... ')' '{' body '}'          also fn(...) { body }: any parameters
//                  | '(' pattern ')'
//   suffix       ::= '(' p ',' ... ')' | '(' '...' ')'            a call; with any arguments
//                  | '.' NUMBER | '.' '*'                         a projection; of any field
//                  | '.has_attr(' NAME '=' VALUE ',' ... ')'      of a call, an op (TOpPattern) or a function
//                  | '.has_dtype("float32")' | '.has_shape(1, 3, ?)' | '.has_type("Tensor[(1, 3), float32]")'
//                  | '.optional(' pattern with _ ')'              the option, or what it is put on alone
//                  | '.dominates(' child [',' path] ')'           path: what lies between, '*' if left out
//
//   conv = nn.conv2d(*, *); nn.relu(add(conv, bias: constant) | conv)
//
// A pattern is immutable once parsed and may be used from several threads.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ops/op.h"
#include "engine/rules/rule.h"
#include "engine/support/diagnostic.h"

namespace partita {

enum class PatternKind : uint8_t {
    Wildcard,
    Constant,  ///< any constant
    Scalar,    ///< a constant equal to `scalar`
    Var,       ///< of that name, or any if the name is empty
    Op,        ///< the op itself, not a call of it
    GlobalVar,
    Call,         ///< children: callee, arguments; any_operands: only callee
    Tuple,        ///< children: fields
    Projection,   ///< child: the tuple; index -1: any
    If,           ///< children: condition, then, else
    Let,          ///< children: var, value, body
    Function,     ///< children: parameters, body; any_operands: only body
    Alternative,  ///< children: left, right
    Attributes,   ///< child
    DType,        ///< child
    Shape,        ///< child
    Type,         ///< child
    Dominator,    ///< children: parent, path, child
};

struct PatternNode {
    PatternKind kind = PatternKind::Wildcard;
    bool any_operands = false;
    OpId op;             ///< for Op
    int32_t index = -1;  ///< for Projection
    std::vector<uint32_t> children;
    std::string text;  ///< name of Var and GlobalVar; text of Type; of an Op Relax's name where it is given by that
    Tensor scalar;
    DataType dtype;
    std::vector<int64_t> shape;  ///< kDynamicDim for ?
    std::vector<std::pair<std::string, AttributeValue>> attributes;
    uint32_t begin = 0, end = 0;  ///< byte range in the pattern's text
};

class Pattern {
public:
    /// The diagnostic's position counts from the pattern's own first character.
    static Result<std::shared_ptr<const Pattern>> parse(std::string_view text);

    /// Returns the nodes in the order of TVM's visitor: operands before users, each once; the root is the last.
    std::span<const PatternNode> nodes() const { return nodes_; }
    uint32_t root() const { return uint32_t(nodes_.size() - 1); }
    const std::string& text() const { return text_; }
    std::string_view source(uint32_t node) const {
        return std::string_view(text_).substr(nodes_[node].begin, nodes_[node].end - nodes_[node].begin);
    }

    /// Returns the names that the text binds, for the check; names()[i] is bound to nodes()[named_nodes()[i]].
    const std::vector<RuleName>& names() const { return names_; }
    const std::vector<uint32_t>& named_nodes() const { return named_nodes_; }
    /// Returns the op that the root calls, if there is only one.
    const OpRecord* root_op() const;
    /// Returns the ops whose calls the root can match; empty with `any_root()` if it may match other expressions.
    const std::vector<OpId>& root_ops() const { return root_ops_; }
    bool any_root() const { return any_root_; }
    bool has_dominator() const { return has_dominator_; }

private:
    friend class PatternParser;
    void find_roots(uint32_t node);

    std::string text_;
    std::vector<PatternNode> nodes_;
    std::vector<RuleName> names_;
    std::vector<uint32_t> named_nodes_;
    std::vector<OpId> root_ops_;
    bool any_root_ = false;
    bool has_dominator_ = false;
};

/// A word of the pattern language with a line of help, for completion.
std::span<const RuleWord> pattern_words();

}  // namespace partita
