#include "engine/ops/transform.h"

#include <iterator>

#include "engine/ops/families.h"

namespace partita {

std::vector<OpRecord> transform_ops() {
    std::vector<OpRecord> all;
    for (auto family : {transform_shape_ops, transform_move_ops, transform_slice_ops, transform_make_ops,
                        transform_gather_ops, transform_sort_ops}) {
        std::vector<OpRecord> ops = family();
        std::move(ops.begin(), ops.end(), std::back_inserter(all));
    }
    return all;
}

}  // namespace partita
