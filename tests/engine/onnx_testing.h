// Small ONNX graphs, and what tests ask of an import.
#pragma once

#include "engine/frontends/onnx/importer.h"
#include "engine/ops/registry.h"
#include "tests/engine/onnx_writer.h"

namespace partita {

inline std::string refusal(const std::string& bytes, const OnnxOptions& options = {}) {
    Result<OnnxImport> imported = import_onnx(bytes, options);
    return imported ? "" : imported.error().message;
}

inline onnx_writer::GraphParts relu_graph() {
    return {{onnx_writer::node("Relu", {"x"}, {"y"}, {}, "first")},
            {},
            {onnx_writer::value_info("x", {2, 3})},
            {onnx_writer::value_info("y", {2, 3})}};
}

inline const OpRecord* op_of_output(const Module& module) {
    return called_op_record(module, module.body(module.find_function("main")));
}

}  // namespace partita
