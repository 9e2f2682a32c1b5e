// Types, attribute values and constants in the program's JSON: of modules (resources/partita-module.schema.json),
// regions for plug-ins and questions to annotators.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "engine/ir/attributes.h"
#include "engine/ir/tensor.h"
#include "engine/ir/type.h"

namespace partita {

/// Returns null for an unknown type; an unknown extent is null. Recurses over the type's depth, which its creator
/// bounds.
nlohmann::ordered_json json_of(const TypeTable& types, TypeId type);
nlohmann::ordered_json json_of(const AttributeValue& value);
/// The reverse; an object becomes its text. Recurses over the depth of lists, which the reader of the text bounds.
AttributeValue attribute_of_json(const nlohmann::ordered_json& json);
/// Returns the bytes in base64. Throws DataLost if they cannot be read.
std::string base64_of(const Tensor& tensor);

}  // namespace partita
