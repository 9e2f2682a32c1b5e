// A division of an ONNX file as what ONNX Runtime or OpenVINO is told, so that it divides the same.
#pragma once

#include <string>
#include <vector>

#include "engine/division/division.h"
#include "engine/session/file_graph.h"

namespace partita {

/// The forms: "layers" (annotations in the model, and rules for them), "names" (rules for the names of nodes),
/// "devices" (device_configurations of IR version 11), "openvino" (a map of nodes to devices).
inline constexpr std::string_view kSteeringForms[] = {"layers", "names", "devices", "openvino"};

struct Steering {
    std::string model;     ///< the bytes of the model with what it is told; "" for a form that leaves it as it is
    std::string settings;  ///< what the session is given: "KEY=VALUE", or the map as JSON; "" for nothing
    std::vector<std::string> warnings;  ///< what the runtime will not do as the division says, and why
};

/// What is in no region goes to ONNX Runtime's CPU. Rules are played as 1.30 takes them before they are returned: where
/// they give a node to another provider, a warning names it.
Result<Steering> steer_onnx(const std::string& path, const FileGraph& file, const Division& division,
                            std::string_view form);

}  // namespace partita
