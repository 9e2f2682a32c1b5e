// Bounds on the size of types of a module's expressions. A short file can nest types deeply, double them again and
// again, or give a large one to many expressions; types are traversed by recursion, and written for each expression.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/ir/type.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// Counts for one module. `types` must outlive it and may grow.
class TypeBounds {
public:
    explicit TypeBounds(const TypeTable& types) : types_(types) {}

    /// Counts one more expression of a valid type. The error says which bound that exceeds, without a position.
    Status take(TypeId type);
    /// Restarts the count of expressions.
    void restart() { in_large_types_ = 0; }

private:
    struct Extent {
        uint32_t depth = 0;  ///< 0: not known yet
        uint64_t tensors = 0, dimensions = 0;
    };
    Extent extent(TypeId type);

    const TypeTable& types_;
    std::vector<Extent> extents_;  ///< by TypeId
    uint64_t in_large_types_ = 0;  ///< total of tensors and dimensions
};

}  // namespace partita
