// All operators. The table is built once from the families listed in registry.cpp and never changes.
#pragma once

#include <span>
#include <string_view>

#include "engine/ops/op.h"

namespace partita {

class OpRegistry {
public:
    explicit OpRegistry(std::vector<OpRecord> records);
    const OpRecord& operator[](OpId op) const { return records_[op.value]; }
    /// Returns an invalid id if there is no op of that name.
    OpId find(std::string_view name) const;
    /// Returns the known name nearest to a misspelt one, or "" if none is near.
    std::string_view nearest(std::string_view name) const;
    std::span<const OpRecord> records() const { return records_; }

private:
    struct NameHash {
        size_t operator()(std::string_view name) const;
    };

    std::vector<OpRecord> records_;
    std::unordered_map<std::string_view, uint32_t, NameHash> by_name_;
};

const OpRegistry& op_registry();

/// Returns the record of the op that an expression calls, or null.
const OpRecord* called_op_record(const Module& module, ExprId id);
/// Returns the attributes of a call of an op. Calls of ops with a schema always have them.
AttributesView attributes_of(const Module& module, ExprId call);

}  // namespace partita
