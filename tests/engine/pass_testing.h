// Helpers that run the partitioning passes on Relay text in tests.
#pragma once

#include <QtTest>

#include <string>
#include <vector>

#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ops/registry.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/partition_graph.h"
#include "engine/placement/placement.h"
#include "engine/rules/pattern.h"

namespace partita::testing {

/// Returns the typed module of a text. Aborts with the message if the text is invalid.
inline Module module_of(const std::string& text) {
    Result<Module> module = parse_relay("#[version = \"0.0.5\"]\n" + text);
    if (!module) qFatal("%s", module.error().to_string().c_str());
    Status typed = infer_types(*module);
    if (!typed) qFatal("%s", typed.error().to_string().c_str());
    return std::move(*module);
}

/// Returns the text without version line and types, for comparison.
inline std::string text_of(const Module& module) {
    RelayPrintOptions options;
    options.types = false;
    options.show_metadata = false;
    std::string text = print_relay(module, options);
    size_t meta = text.find("\n/* For debugging");
    text = text.substr(0, meta);
    return text.substr(text.find('\n') + 1);
}

/// Returns a pattern with a check, given as text.
inline CompositePattern composite(const std::string& name, const std::string& text, const std::string& check = {}) {
    CompositePattern result;
    result.name = name;
    auto pattern = Pattern::parse(text);
    if (!pattern) qFatal("%s: %s", text.c_str(), pattern.error().to_string().c_str());
    result.pattern = *pattern;
    if (!check.empty()) {
        auto rule = Rule::compile(check, {(*pattern)->root_op(), (*pattern)->names()});
        if (!rule) qFatal("%s: %s", check.c_str(), rule.error().to_string().c_str());
        result.check = *rule;
    }
    return result;
}

struct BackendOps {
    std::string name;
    std::vector<std::string> ops;
};

inline std::vector<BackendDescription> backends_of(const std::vector<BackendOps>& list) {
    std::vector<BackendDescription> backends;
    for (const BackendOps& one : list) {
        BackendDescription backend;
        backend.name = one.name;
        for (const std::string& op : one.ops) backend.ops[op] = {op, nullptr, "true"};
        backends.push_back(backend);
    }
    return backends;
}

inline Module annotated(const Module& module, const std::vector<BackendOps>& backends, bool non_call_ops = true) {
    AnnotateOptions options;
    options.include_non_call_ops = non_call_ops;
    Result<Module> made = annotate_target(module, place(module, backends_of(backends)), options);
    if (!made) qFatal("%s", made.error().message.c_str());
    return std::move(*made);
}

inline Module merged(const Module& module, DecisionLog* log = nullptr) {
    Result<Module> made = merge_compiler_regions(module, log);
    if (!made) qFatal("%s", made.error().message.c_str());
    return std::move(*made);
}

inline Module partitioned(const Module& module, const PartitionOptions& options = {}, DecisionLog* log = nullptr) {
    Result<Module> made = partition_graph(module, options, log);
    if (!made) qFatal("%s", made.error().message.c_str());
    return std::move(*made);
}

/// Returns the names of the ops on a path.
inline std::string ops_of(const Module& module, const std::vector<ExprId>& path) {
    std::string names;
    for (ExprId id : path) {
        const OpRecord* op = called_op_record(module, id);
        names += (names.empty() ? "" : " ") + (op ? op->name : std::string("?"));
    }
    return names;
}

}  // namespace partita::testing
