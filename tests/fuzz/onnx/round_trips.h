// Exports of a generated graph, undivided and divided, read back and run: JSON and Relay text in Partita, ONNX in
// Partita and in ONNX Runtime.
#pragma once

#include "tests/fuzz/onnx/differential.h"

namespace partita::fuzz {

/// Returns what comes back otherwise than `expected`, the outputs of the graph itself; "" if nothing does. What a form
/// refuses to write is no difference. `runtime` may be null.
std::string round_trip_difference(const GeneratedGraph& graph, const Answer& expected, OnnxRuntime* runtime);

/// The parts: runs a module on the graph's inputs; writes it; says how a model that was written, read back and, if
/// there is one, in the runtime, differs from `expected`.
Answer answer_of_module(const GeneratedGraph& graph, const ModulePtr& module);
Result<std::string> export_as_onnx(const ModulePtr& module);
std::string imported_difference(const std::string& what, const GeneratedGraph& exported, const Answer& expected,
                                OnnxRuntime* runtime);

}  // namespace partita::fuzz
