#include "engine/explain/rule_tests.h"

#include <filesystem>

#include "engine/frontends/relay/parser.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_composite.h"
#include "engine/rules/pattern_matcher.h"
#include "engine/support/file.h"
#include "engine/support/one_line.h"
#include "engine/support/path_inside.h"

namespace partita {

namespace {

bool is_text(const std::string& module) {
    return module.find("def @") != std::string::npos || module.find("#[version") != std::string::npos ||
           module.find('{') != std::string::npos;
}

Result<Module> read_module(const std::string& module, const std::string& base_folder) {
    RelayParseOptions options;
    std::string text = module;
    if (!is_text(module)) {
        Result<std::string> path = path_inside(base_folder, module, "the folder of the tests' modules");
        if (!path) return error("the module " + in_quotes(module) + " " + path.error().message);
        Result<std::string> content = read_file(*path);
        if (!content) return error("the module " + in_quotes(module) + ": " + content.error().message);
        text = std::move(*content);
        options.file = (std::filesystem::path(base_folder) / module).string();
    }
    Result<Module> parsed = parse_relay(text, options);
    if (!parsed) return parsed;
    if (Status typed = infer_types(*parsed); !typed) return typed.error();
    return parsed;
}

ExprId find_call(const Module& module, const RuleExpectation& test) {
    ExprId main = module.find_function("main");
    if (!main.valid()) return {};
    int number = 0;
    for (ExprId id : post_order(module, main)) {
        if (module.kind(id) != ExprKind::Call) continue;
        ++number;
        const OpRecord* op = called_op_record(module, id);
        if (test.node ? number == test.node : op && op->name == test.op) return id;
    }
    return {};
}

/// Returns the name of the composite that holds the call, or "".
std::string composite_around(const Module& merged, ExprId call) {
    ExprId main = merged.find_function("main");
    for (ExprId id : post_order(merged, main)) {
        std::string_view name = composite_name(merged, id);
        if (name.empty()) continue;
        for (ExprId inner : post_order(merged, merged.body(merged.callee(id))))
            if (merged.kind(inner) == ExprKind::Call && merged.origin(inner) == call) return std::string(name);
    }
    return {};
}

/// Returns "" if the expectation holds.
std::string check(const BackendDescription& description, const RuleExpectation& test, const std::string& base_folder) {
    Result<Module> module = read_module(test.module, base_folder);
    if (!module) return module.error().to_string();
    ExprId call = find_call(*module, test);
    if (!call.valid())
        return test.node ? "@main has no call " + std::to_string(test.node) : "@main has no call of " + test.op;
    Result<Module> merged = merge_composite(*module, description.patterns);
    if (!merged) return merged.error().to_string();
    std::string composite = composite_around(*merged, call);
    bool owned = composite.starts_with(description.name + ".");
    Verdict verdict = judge(description, *module, call, true);
    if (verdict.reason == Verdict::Reason::NoRule)
        verdict.text = "no rule for " + std::string(test.op.empty() ? "the operator" : test.op);
    bool supported = owned || verdict.supported();
    std::string text = owned ? "it is part of " + composite : verdict.text;
    if (supported != test.supported)
        return std::string(supported ? "it is supported" : "it is not supported") + (text.empty() ? "" : ": " + text);
    if (!test.composite.empty() && composite != test.composite)
        return composite.empty() ? "it is in no composite" : "it is part of " + composite;
    if (!test.because.empty() && text.find(test.because) == std::string::npos)
        return "the cause is another one: " + text;
    return {};
}

}  // namespace

std::vector<RuleTestResult> run_rule_tests(const BackendDescription& description, const std::string& base_folder) {
    std::vector<RuleTestResult> results;
    for (size_t i = 0; i < description.expectations.size(); ++i) {
        const RuleExpectation& test = description.expectations[i];
        RuleTestResult result;
        result.name =
            "expect[" + std::to_string(i) + "]: " + (test.node ? "call " + std::to_string(test.node) : test.op);
        result.message = check(description, test, base_folder);
        result.passed = result.message.empty();
        result.position = test.position;
        results.push_back(std::move(result));
    }
    return results;
}

}  // namespace partita
