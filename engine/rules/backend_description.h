// A backend as its users describe it: the calls and patterns that it supports, its limits, and what executes it. Read
// from JSON (resources/backend-description.schema.json) or built in.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/annotators/answer.h"
#include "engine/ir/module.h"
#include "engine/rules/rule.h"
#include "engine/support/diagnostic.h"

namespace partita {

class Annotator;        // engine/annotators/annotator.h
struct AnnotatorFiles;  // engine/annotators/annotator_files.h
class FileOperators;    // engine/ir/file_operators.h
class Pattern;          // engine/rules/pattern.h

struct CompositePattern {
    std::string name;  ///< "dnnl.conv2d_bias_relu"
    std::shared_ptr<const Pattern> pattern;
    std::shared_ptr<const Rule> check;  ///< null: always true
    std::string pattern_text, check_text;
    std::vector<OpId> transparent;         ///< ops that are transparent to the match and not part of the composite
    std::shared_ptr<Annotator> annotator;  ///< replaces `check`, if there is one
    int32_t annotator_check = -1;          ///< the pattern's number there
};

struct OpRule {
    std::string op;
    std::shared_ptr<const Rule> rule;  ///< null: always supported
    std::string text;                  ///< as written; "true" if there is no condition
    bool by_annotator = false;         ///< the backend's annotator decides instead
};

/// What a region has to be; smaller and larger ones go back to default. 0: no limit.
struct RegionLimits {
    double min_ops = 0, min_flops = 0;
    double max_inputs = 0, max_outputs = 0;
    double max_weight_bytes = 0;  ///< of constants and weights that one region reads
    double max_live_bytes = 0;    ///< of values alive at once in one region: see LiveBytes
    double weight_bytes = 0;      ///< of constants and weights that all regions of the backend read

    bool any() const;
};
/// One of the limits by its name.
struct RegionLimitField {
    const char* name;
    double RegionLimits::*value;
    double largest;
    const char* meaning;
};
std::span<const RegionLimitField> region_limit_fields();
/// Returns null if there is none of that name.
const RegionLimitField* find_region_limit(std::string_view name);

/// A test in a description; run by run_rule_tests (engine/explain/rule_tests.h).
struct RuleExpectation {
    std::string module;  ///< Relay text, or a file's name
    int node = 0;        ///< the call's number in @main from 1; 0: the first call of `op`
    std::string op;
    bool supported = true;
    std::string composite;    ///< the expected composite; "" = any or none
    std::string because;      ///< a part of the explanation; "" = any
    SourcePosition position;  ///< in the description
};

struct BackendDescription {
    std::string name;
    std::string summary;
    std::unordered_map<std::string, OpRule> ops;
    std::vector<CompositePattern> patterns;  ///< in the order in which they are tried
    std::vector<std::string> transparent;    ///< ops that join the region of their neighbours
    std::vector<std::string> optimize;       ///< passes for its sub-functions, in order: "fold_constants"
    RegionLimits limits;
    bool whole_graph = false;     ///< every call goes to this backend
    bool halves_refused = false;  ///< "fallback": "halve": of a region that its codegen refuses, parts run on it
    /// Its rules are about the operators that the model's file states, not about the calls that those became.
    bool of_file = false;
    std::shared_ptr<const FileOperators> operators;  ///< those; null: the module's calls are asked about
    /// What a condition that stands so in a rule means, for people.
    std::vector<std::pair<std::string, std::string>> reasons;
    std::string codegen = "default";     ///< what executes it: a name known to the runtime
    std::string annotator;               ///< "python:FILE.py", "command:PROGRAM ..."; "": `ops` and `patterns` apply
    std::shared_ptr<Annotator> running;  ///< the started annotator; null before start_annotators
    std::shared_ptr<const AnnotatorFiles> annotator_files;  ///< that it runs with; null: read when it starts
    std::vector<RuleExpectation> expectations;
    std::string file;    ///< source file; "" if built in
    std::string source;  ///< text of the source

    /// Returns the rule for an operator; for a foreign one that is not named itself that for `opaque`. Null if none.
    const OpRule* rule_for(const OpRecord& op) const;
    bool is_transparent(std::string_view op) const;
    /// One without rules takes only what a person assigns to it.
    bool has_rules() const { return whole_graph || !ops.empty() || !patterns.empty(); }
};

/// What a backend is asked about, in whose place: a call, or the operator of the file that it came from.
struct AskedCall {
    const Module& module;
    ExprId call;  ///< invalid: nothing; the file has no such operator
    ModuleFacts* facts;
};
AskedCall asked_call(const BackendDescription& backend, const Module& module, ExprId call, ModuleFacts* facts);

/// A backend's decision on a call, and why.
struct Verdict {
    enum class Reason : uint8_t { Accepted, RuleFailed, NoRule };
    Reason reason = Reason::NoRule;
    std::string rule;               ///< the rule's place in the description: "ops.nn.conv2d"
    std::string text;               ///< RuleFailed, if requested: the terms that decided, with their values
    std::vector<RuleTerm> terms;    ///< likewise: what would have to change, see RuleExplanation
    std::string place;              ///< RuleFailed by an annotator: the condition without values
    ConditionPlace condition = {};  ///< of the place, if that is known
    bool supported() const { return reason == Reason::Accepted; }
};

/// Returns whether the backend's rules accept a call. `explain` requests the text, which costs more. Rules that read
/// users or the function around the call need `facts` of the module; if null, they are built again for each call.
Verdict judge(const BackendDescription& backend, const Module& module, ExprId call, bool explain,
              ModuleFacts* facts = nullptr);

/// Returns the terms that decided a rule for a call, in expressions of the module.
RuleExplanation explain_rule(const BackendDescription& backend, const Rule& rule, const Module& module, ExprId call,
                             ModuleFacts* facts);

/// The same for an annotator's answer.
Verdict verdict_of(const std::string& op, const AnnotatorAnswer& answer);

/// `text` is JSON; for a file FILE.py it is Python, and the file is the backend's annotator. Faults have line and
/// column. The error is the first fault, and counts the others.
Result<BackendDescription> parse_backend_description(std::string_view text, const std::string& file);

/// A description, or all its faults in the order of the text; a syntax error in the JSON is the only fault.
struct CheckedDescription {
    std::optional<BackendDescription> description;  ///< nothing if there is a fault
    std::vector<Diagnostic> faults;
};
CheckedDescription check_backend_description(std::string_view text, const std::string& file);

/// Returns the descriptions that ship: ccompiler, dnnl, and the teaching examples.
std::vector<std::string> builtin_backend_names();
/// Returns the text of a description that ships; "" for an unknown name.
std::string_view builtin_backend_source(std::string_view name);
Result<BackendDescription> builtin_backend(std::string_view name);
/// Loads a file by its path, or a built-in description by its name. A file FILE.py is the annotator of a backend.
Result<BackendDescription> load_backend(const std::string& name_or_path);

}  // namespace partita
