// A partitioned module as one ONNX model for each region, one for each stretch of what lies between them, and a
// manifest of their connections.
//
// What no backend took is divided by how many regions, one after the other, must have run before: so each model can
// run once the ones before it in the list have.
#pragma once

#include <string>
#include <vector>

#include "engine/exporters/onnx/message.h"
#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita::onnx_export {

struct SplitFile {
    std::string name;  ///< within the folder
    std::vector<Piece> pieces;
};

/// The models, and last the manifest, `manifest.json`:
/// {"format": "partita-onnx-split", "version": 1,
///  "inputs": [{"name", "type", "shape"}], "outputs": [...],
///  "models": [{"file", "backend", "function", "inputs": {NAME OF THE MODEL'S INPUT: VALUE}, "outputs": {...}}]}
/// A value is named by the input or the model's output that makes it; models stand in an order in which they can run.
Result<std::vector<SplitFile>> split_models(const Module& module, const CancelToken& cancel);

}  // namespace partita::onnx_export
