#include "engine/backends/dnnl/library_faults.h"

#include <algorithm>
#include <numeric>

namespace partita::onednn {

namespace {

bool has_blocks(const dnnl::memory::desc& layout) {
    return layout.data.format_kind == dnnl_blocked && layout.data.format_desc.blocking.inner_nblks > 0;
}

bool is_filled_up(const dnnl::memory::desc& layout) {
    const dnnl_memory_desc_t& data = layout.data;
    return !std::equal(data.dims, data.dims + data.ndims, data.padded_dims);
}

bool has_avx512() {
    return (unsigned(dnnl::get_effective_cpu_isa()) & unsigned(dnnl::cpu_isa::avx512_core)) ==
           unsigned(dnnl::cpu_isa::avx512_core);
}

bool has_avx2() {
    return (unsigned(dnnl::get_effective_cpu_isa()) & unsigned(dnnl::cpu_isa::avx2)) == unsigned(dnnl::cpu_isa::avx2);
}

}  // namespace

bool spoils_filling_channels(const dnnl::memory::desc& layout, double epsilon) {
    return epsilon == 0 && has_blocks(layout) && is_filled_up(layout);
}

std::vector<int> order_with_blocks_second(const dnnl::memory::desc& layout) {
    std::vector<int> order(size_t(layout.data.ndims));
    std::iota(order.begin(), order.end(), 0);
    if (!has_blocks(layout)) return order;
    const dnnl_blocking_desc_t& blocking = layout.data.format_desc.blocking;
    const size_t axis = size_t(blocking.inner_idxs[blocking.inner_nblks - 1]);
    for (size_t i = 1; i < axis; ++i) order[i] = int(i) + 1;
    if (axis > 1) order[axis] = 1;
    return order;
}

bool spoils_chain_of_binary(const dnnl::memory::desc& first, const dnnl::memory::desc& second) {
    if (!has_blocks(first) || !has_blocks(second)) return false;
    const dnnl_blocking_desc_t& blocking = first.data.format_desc.blocking;
    const dnnl_dim_t lanes = has_avx512() ? 16 : has_avx2() ? 8 : 4;
    const dnnl_dim_t block = blocking.inner_blks[blocking.inner_nblks - 1];
    if (is_filled_up(first)) return block != lanes || lanes == 4;
    return block % lanes != 0;
}

bool spoils_sum(const ConvolutionGeometry& geometry) {
    if (!has_avx512()) return false;
    const Window& window = geometry.window;
    for (size_t axis = 0; axis < 3; ++axis) {
        const int64_t last = (geometry.output[axis] - 1) * window.stride[axis] - window.pad_before[axis];
        if (window.reach(axis) <= window.pad_before[axis] || last >= geometry.input[axis]) return true;
    }
    return false;
}

bool shares_constants(std::span<const ChainLink> links, const ChainLink& link) {
    return link.kind == ChainLink::Kind::Eltwise &&
           std::any_of(links.begin(), links.end(), [&](const ChainLink& other) {
               return other.kind == ChainLink::Kind::Eltwise && other.algorithm == link.algorithm &&
                      (other.alpha != link.alpha || other.beta != link.beta);
           });
}

}  // namespace partita::onednn
