// A partitioned module as one ONNX model for each region, one for each stretch between regions, and a manifest of their
// connections.
//
// Nodes outside regions are divided by the number of regions that must run before them in sequence, so that each model
// can run after those before it in the list.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/exporters/onnx/message.h"
#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita::onnx_export {

struct SplitFile {
    std::string name;  ///< relative to the folder
    std::vector<Piece> pieces;
};

/// Returns the models, and last the manifest, `manifest.json`:
/// {"format": "partita-onnx-split", "version": 1,
///  "inputs": [{"name", "type", "shape"}], "outputs": [...],
///  "models": [{"file", "backend", "function", "short_name",
///              "inputs": {NAME OF THE MODEL'S INPUT: VALUE}, "outputs": {...}}]}
/// A value is named after the input or the model's output that makes it. The models are in topological order.
/// `short_names`: of regions ("dnnl #17"), by the names of their functions.
Result<std::vector<SplitFile>> split_models(const Module& module, const CancelToken& cancel,
                                            const std::map<std::string, std::string>& short_names = {});

}  // namespace partita::onnx_export
