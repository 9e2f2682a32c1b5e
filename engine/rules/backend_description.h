// A backend as its users describe it: which calls it supports, which patterns it takes whole, its limits, and what
// executes it. Read from JSON (resources/backend-description.schema.json) or built in.
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
class Pattern;          // engine/rules/pattern.h

struct CompositePattern {
    std::string name;  ///< "dnnl.conv2d_bias_relu"
    std::shared_ptr<const Pattern> pattern;
    std::shared_ptr<const Rule> check;  ///< null: always true
    std::string pattern_text, check_text;
    std::vector<OpId> transparent;         ///< ops that the match looks through; they are left out of the composite
    std::shared_ptr<Annotator> annotator;  ///< is asked instead of `check`, where there is one
    int32_t annotator_check = -1;          ///< the pattern's number there
};

struct OpRule {
    std::string op;
    std::shared_ptr<const Rule> rule;  ///< null: always supported
    std::string text;                  ///< as written; "true" where there is no condition
    bool by_annotator = false;         ///< the backend's annotator is asked instead
};

struct RegionLimits {
    int min_ops = 0;  ///< smaller regions go back to default
    double min_flops = 0;
    int max_inputs = 0;  ///< 0: no limit
    int max_outputs = 0;
};

/// A test that a description brings along; run by run_rule_tests (engine/explain/rule_tests.h).
struct RuleExpectation {
    std::string module;  ///< Relay text, or a file's name
    int node = 0;        ///< the call's number in @main from 1; 0: the first call of `op`
    std::string op;
    bool supported = true;
    std::string composite;    ///< that is to take the call; "" = any or none
    std::string because;      ///< a part of the explanation; "" = any
    SourcePosition position;  ///< in the description
};

struct BackendDescription {
    std::string name;
    std::string summary;
    std::unordered_map<std::string, OpRule> ops;
    std::vector<CompositePattern> patterns;  ///< in the order in which they are tried
    std::vector<std::string> transparent;    ///< ops that belong to the region of their neighbours
    std::vector<std::string> optimize;       ///< passes for its sub-functions, in order: "fold_constants"
    RegionLimits limits;
    bool whole_graph = false;            ///< every call goes to this backend
    std::string codegen = "default";     ///< what executes it: a name known to the runtime
    std::string annotator;               ///< "python:FILE.py", "command:PROGRAM ..."; "": rules and patterns stand here
    std::shared_ptr<Annotator> running;  ///< what that became; null before start_annotators
    std::shared_ptr<const AnnotatorFiles> annotator_files;  ///< that it runs with; null: as they are when it is started
    std::vector<RuleExpectation> expectations;
    std::string file;    ///< where it was read from; "" if built in
    std::string source;  ///< the text that it was read from

    bool is_transparent(std::string_view op) const;
};

/// What a backend says of a call, and why.
struct Verdict {
    enum class Reason : uint8_t { Accepted, RuleFailed, NoRule };
    Reason reason = Reason::NoRule;
    std::string rule;             ///< the rule's place in the description: "ops.nn.conv2d"
    std::string text;             ///< RuleFailed, where it was asked for: the terms that decided, with their values
    std::vector<RuleTerm> terms;  ///< the same: what would have to be otherwise, see RuleExplanation
    std::string place;            ///< RuleFailed by an annotator: the condition without values
    bool supported() const { return reason == Reason::Accepted; }
};

/// Whether the backend's rules accept a call. `explain` asks for the text, which costs more. Rules that ask for users
/// or the function around the call need `facts` of the module; where null they are made anew for each question.
Verdict judge(const BackendDescription& backend, const Module& module, ExprId call, bool explain,
              ModuleFacts* facts = nullptr);

/// The same, of an annotator's answer.
Verdict verdict_of(const std::string& op, const AnnotatorAnswer& answer);

/// `text` is JSON; of a file FILE.py it is Python, and that is the backend's annotator. Faults have line and column.
/// The error is the first fault, and says how many more there are.
Result<BackendDescription> parse_backend_description(std::string_view text, const std::string& file);

/// A description, or everything that is wrong with it in the order of the text; a fault in the JSON itself stands
/// alone.
struct CheckedDescription {
    std::optional<BackendDescription> description;  ///< nothing where there is a fault
    std::vector<Diagnostic> faults;
};
CheckedDescription check_backend_description(std::string_view text, const std::string& file);

/// The descriptions that ship: ccompiler, dnnl, and the teaching examples.
std::vector<std::string> builtin_backend_names();
/// The text of one that ships; "" where there is none of that name.
std::string_view builtin_backend_source(std::string_view name);
Result<BackendDescription> builtin_backend(std::string_view name);
/// A file's path, or the name of a built-in one. A file FILE.py is a backend whose annotator it is.
Result<BackendDescription> load_backend(const std::string& name_or_path);

}  // namespace partita
