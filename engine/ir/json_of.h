// Types, attribute values and constants as they stand in the program's JSON: of modules
// (resources/partita-module.schema.json), of plug-ins' regions and of annotators' questions.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "engine/ir/attributes.h"
#include "engine/ir/tensor.h"
#include "engine/ir/type.h"

namespace partita {

/// Null where the type is not known; an unknown extent is null. Recurses over the type's depth, which its maker bounds.
nlohmann::ordered_json json_of(const TypeTable& types, TypeId type);
nlohmann::ordered_json json_of(const AttributeValue& value);
/// Returns the bytes in base64. Throws DataLost where they can't be read.
std::string base64_of(const Tensor& tensor);

}  // namespace partita
