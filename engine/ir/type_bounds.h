// What the types of a module's expressions may come to. A short file can nest types deeply, double them again and
// again, or give one that is large to many expressions; types are walked by recursion, and written out for each
// expression.
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

    /// One expression more has the type, which is valid. The error says which bound that breaks, and of no place.
    Status take(TypeId type);
    /// From here expressions are counted anew.
    void restart() { in_large_types_ = 0; }

private:
    struct Extent {
        uint32_t depth = 0;  ///< 0: not known yet
        uint64_t tensors = 0, dimensions = 0;
    };
    Extent extent(TypeId type);

    const TypeTable& types_;
    std::vector<Extent> extents_;  ///< by TypeId
    uint64_t in_large_types_ = 0;  ///< tensors and dimensions
};

}  // namespace partita
