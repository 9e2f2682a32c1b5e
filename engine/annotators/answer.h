// What an annotator writes, read line by line (resources/partita-annotator.schema.json). It may be anything: what does
// not fit is refused in words, what is long is cut, and nothing of it is taken for more than text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/support/diagnostic.h"

namespace partita {

/// A line that a rule reached, with the names that were known before it ran.
struct AnnotatorStep {
    int line = 0;
    std::vector<std::pair<std::string, std::string>> values;
};

/// Where a condition stands in a file in Python.
struct ConditionPlace {
    std::string file;
    std::vector<int> span;  ///< line, byte in it, last line, byte behind the condition; empty: not known
    bool holds = false;     ///< whether it was true

    bool operator==(const ConditionPlace&) const = default;
};

/// Whether a call is accepted; where not, the condition that decided, with what it found.
struct AnnotatorAnswer {
    bool accepted = false;
    bool answered = true;    ///< false: there is none, for `reason`
    std::string reason;      ///< in the annotator's own words; of a rule that raised, what
    std::string file, text;  ///< the condition's file and line
    int line = 0;            ///< 0: not known
    std::vector<std::pair<std::string, std::string>> values;
    std::vector<std::string> traceback;  ///< the innermost place last
    int group = 0;                       ///< calls of one group are to be in one region; 0: none
    int depth = -1;                      ///< levels of operands that it depends on; -1: not known
    std::vector<AnnotatorStep> walk;     ///< where it was asked for, in order
    std::vector<int> span;               ///< ConditionPlace::span of the condition
    bool holds = false;                  ///< the condition

    /// "arm_compute_lib.py:342: if attrs.groups != 1:": the same for all calls that end there.
    std::string place() const;
    ConditionPlace condition() const { return {file, span, holds}; }
    /// The place with the values.
    std::string to_string() const;
};

/// A line in answer to questions.
struct AnnotatorReply {
    enum class Kind : uint8_t {
        Answer,  ///< `answer` is about `number`
        Need,    ///< the values of constant `number`
        Done,    ///< there are no more answers
        Fault,   ///< nothing can be answered: `fault`
    };
    Kind kind = Kind::Done;
    uint32_t number = 0;
    AnnotatorAnswer answer;
    Diagnostic fault;
};
/// The error says what is wrong with the line.
Result<AnnotatorReply> read_annotator_reply(std::string_view line);

struct AnnotatorPattern {
    std::string name, text;
    bool check = false;  ///< whether the annotator is asked about a match
};

/// The flow that a file means its rules for: `partition_for_X`.
struct AnnotatorFlow {
    std::string function;
    int line = 0;
    std::vector<std::string> passes, left_out;
    bool simplify = false, fold = false, composite = true, annotate = true, include_non_call_ops = true;
    bool merge = true, bind_constants = true;
};

/// What an annotator says of itself.
struct AnnotatorSelf {
    std::string name;              ///< of the backend; "" where it has none of its own
    std::vector<std::string> ops;  ///< that it has rules for
    bool all_ops = false;          ///< it is asked about every call of an operator
    bool of_file = false;          ///< its rules are about the operators that the model's file states
    std::vector<AnnotatorPattern> patterns;
    std::optional<AnnotatorFlow> flow;
    std::vector<Diagnostic> warnings;
};
Result<AnnotatorSelf> read_annotator_self(std::string_view line);

}  // namespace partita
