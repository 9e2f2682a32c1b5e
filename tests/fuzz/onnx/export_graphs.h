// Each operator of the registry with each element type that its type relation takes, written as ONNX: what the export
// does not refuse, ONNX Runtime must load and compute equally.
#pragma once

#include "tests/fuzz/onnx/differential.h"

namespace partita::fuzz {

/// Returns how many operators with element types there are.
uint64_t export_cases();

/// An operator in a function of its own, and values for its parameters. A number beyond export_cases() is a case with
/// other values.
struct ExportCase {
    GeneratedGraph graph;  ///< without a model
    ModulePtr module;
};
ExportCase make_export_case(uint64_t seed, uint64_t number);

/// Returns how the export differs from the module's own run.
Verdict export_verdict(const ExportCase& one, OnnxRuntime* runtime);

}  // namespace partita::fuzz
