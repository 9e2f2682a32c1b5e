// All operators. The table is built once from the families listed in registry.cpp and never changes. Operators of other
// programs that a file names are entered behind it when they are met, and stay: see foreign.h.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>

#include "engine/ops/op.h"

namespace partita {

class OpRegistry {
public:
    explicit OpRegistry(std::vector<OpRecord> records);
    const OpRecord& operator[](OpId op) const {
        const size_t foreign = op.value - records_.size();
        return op.value < records_.size() ? records_[op.value] : (*foreign_[foreign / kChunk])[foreign % kChunk];
    }
    /// Returns an invalid id if there is no op of that name.
    OpId find(std::string_view name) const;
    /// Returns the known name nearest to a misspelt one, or "" if none is near.
    std::string_view nearest(std::string_view name) const;
    /// Returns the operator that another program calls `name`, also where one of this table has that name, too. Made
    /// when it is first met; `opaque` itself once there are kMostForeign. Thread-safe.
    OpId foreign(std::string_view name) const;
    /// Returns the operators of this table.
    std::span<const OpRecord> records() const { return records_; }

private:
    struct NameHash {
        size_t operator()(std::string_view name) const;
    };

    static constexpr size_t kChunk = 256, kMostForeign = 256 * kChunk;

    std::vector<OpRecord> records_;
    std::unordered_map<std::string_view, uint32_t, NameHash> by_name_;
    // Records stay where they are made, so that they are read without a lock.
    mutable std::mutex mutex_;
    mutable std::array<std::unique_ptr<std::array<OpRecord, kChunk>>, kMostForeign / kChunk> foreign_;
    mutable std::unordered_map<std::string, uint32_t> foreign_by_name_;  ///< as the other program writes it
};

const OpRegistry& op_registry();

/// Returns the record of the op that an expression calls, or null.
const OpRecord* called_op_record(const Module& module, ExprId id);
/// Returns the attributes of a call of an op. Calls of ops with a schema always have them.
AttributesView attributes_of(const Module& module, ExprId call);

}  // namespace partita
