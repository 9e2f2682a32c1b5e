// Expressions as an annotator is given them: the objects of resources/partita-module.schema.json with an id, one after
// the other. Operands keep their ids; types and attributes are numbers in tables; large constants come without their
// values.
#pragma once

#include <string>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "engine/ir/module.h"
#include "engine/ops/op.h"

namespace partita {

/// Bytes of a constant up to which its values go with it; more are sent where they are asked for.
inline constexpr size_t kInlineConstant = 64;

class ExpressionWriter {
public:
    explicit ExpressionWriter(const Module& module) : module_(module) {}
    void append(std::string& text, ExprId id);
    /// What was added to the tables since this was last asked, as the members `types` and `attributes`.
    std::string take_tables();

private:
    size_t type_number(TypeId type);
    size_t attributes_number(ExprId call);
    void append_own(std::string& text, ExprId id);

    const Module& module_;
    std::unordered_map<TypeId, size_t> types_;
    std::unordered_map<uint64_t, size_t> attributes_;  ///< by op and list
    std::string new_types_, new_attributes_;
};

/// What kind of value each attribute of an op has, by its name.
nlohmann::ordered_json kinds_of_attributes(const OpRecord& op);

}  // namespace partita
