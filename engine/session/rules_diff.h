// Two versions of a backend's rules on one module: which calls they take differently, why, and what that changes.
#pragma once

#include <string>
#include <vector>

#include "engine/blocks/module_blocks.h"
#include "engine/flow/flow.h"
#include "engine/flow/names.h"
#include "engine/session/divide.h"

namespace partita {

/// What a division comes to.
struct DivisionSize {
    size_t calls = 0;  ///< that have a backend
    size_t regions = 0;
    double flops = 0, boundary_bytes = 0;
};

/// Calls of one operator with the same change for the same reason.
struct VerdictChange {
    std::string op;
    bool taken = false;  ///< by the new rules; else by the old ones alone
    std::string rule;    ///< of the version that refuses: "ops.nn.conv2d", a pattern's name; "": none
    std::string reason;  ///< of that version, without values
    std::vector<ExprId> calls;
    uint32_t blocks = 0;  ///< in how many blocks of a repeated structure they are; 0: in none
};

struct RulesDiff {
    DivisionSize before, after;
    double flops = 0;                    ///< of the module
    size_t calls = 0;                    ///< of operators in it
    std::vector<VerdictChange> changes;  ///< most calls first

    bool identical() const;  ///< no verdict and no region differs
};

/// Both divide the same module; both need their log of decisions.
RulesDiff diff_rules(const FlowResult& before, std::span<const BackendDescription> before_backends,
                     const FlowResult& after, std::span<const BackendDescription> after_backends);

/// A model and what another version of the rules changes on it.
struct ModelRulesDiff {
    std::string file;
    ModulePtr module;  ///< that the calls of `diff` are of
    std::shared_ptr<const ExpressionNames> names;
    RulesDiff diff;
};
/// The endings of models that a folder of them is looked through for.
inline constexpr std::string_view kModelEndings[] = {".relay", ".onnx", ".tflite", ".pt2"};
/// Divides a module by the rules of each of two backends. `request` has all but the backends.
Result<ModelRulesDiff> diff_rules_on(const OpenedInput& input, DivideRequest request, const BackendPtr& before,
                                     const BackendPtr& after, std::vector<Diagnostic>& notes);

/// A text like "- 27 nn.conv2d: ops.nn.conv2d: attrs.groups == 1: nn.conv2d #4, nn.conv2d #10 and 25 more".
std::string to_text(const VerdictChange& change, const ExpressionNames& names);

/// Returns what a test in a description calls a model: it must be Relay text in its folder or below.
Result<std::string> model_of_test(const std::string& description_file, const std::string& model);
/// Returns the description with a test for each change, that its first call has the verdict of the old (`wants_new`: of
/// the new) rules; what else it says stays as it is written. `module`: as model_of_test returns it.
Result<std::string> with_tests(const std::string& description, const std::string& module, const RulesDiff& diff,
                               const ExpressionNames& names, bool wants_new);

}  // namespace partita
