// Convolutions and dense layers of 8-bit integers.
#include <algorithm>
#include <cstdlib>

#include "engine/backends/dnnl/integer_chain.h"
#include "engine/backends/dnnl/lowering.h"
#include "engine/ops/registry.h"

namespace partita::onednn {

using dnnl::memory;

namespace {

/// oneDNN's int8 kernels carry their sums through float32: integers below 2^24 stay exact.

/// Without these, oneDNN adds pairs of products in 16 bits, where they can overflow.
bool has_vector_neural_instructions() {
    using dnnl::cpu_isa;
    cpu_isa isa = dnnl::get_effective_cpu_isa();
    return isa == cpu_isa::avx512_core_vnni || isa == cpu_isa::avx512_core_bf16 || isa == cpu_isa::avx512_core_amx ||
           isa == cpu_isa::avx2_vnni;
}

}  // namespace

std::optional<int32_t> Lowering::zero_point(const Step& step) const {
    if (!step.op.name.starts_with("qnn.")) return 0;
    ValueId of_data = step.inputs[2], of_weight = step.inputs[3];
    const auto* data = static_cast<const int32_t*>(states_[of_data].known);
    const auto* weight = static_cast<const int32_t*>(states_[of_weight].known);
    if (!data || !weight || element_count(shape_of(of_data)) != 1) return std::nullopt;
    int64_t count = element_count(shape_of(of_weight)).value_or(0);
    if (!std::all_of(weight, weight + count, [](int32_t zero) { return zero == 0; })) return std::nullopt;
    if (*data < -255 || *data > 255) return std::nullopt;
    return *data;
}

std::vector<int64_t> Lowering::largest_sums(const Step& step, const Desc& weight, int64_t channels, int64_t products) {
    int64_t zero = zero_point(step).value_or(0);
    bool is_unsigned = type_of(step.inputs[0]) == memory::data_type::u8;
    int64_t largest_datum = std::max(std::abs((is_unsigned ? 0 : -128) - zero), std::abs((is_unsigned ? 255 : 127) - zero));
    const void* known = states_[step.inputs[1]].known;
    if (!known) return std::vector<int64_t>(size_t(channels), products * 128 * largest_datum);
    // Rows of one output channel, one after the other: groups and output channels are the first dimensions.
    memory from(weight, program_.engine(), const_cast<void*>(known)), rows(row_major(weight.dims(), weight.data_type()), program_.engine());
    dnnl::reorder(from, rows).execute(program_.stream(), from, rows);
    program_.stream().wait();
    const auto* values = static_cast<const int8_t*>(rows.get_data_handle());
    std::vector<int64_t> sums(static_cast<size_t>(channels), 0);
    for (int64_t i = 0; i < channels * products; ++i) sums[size_t(i / products)] += std::abs(int(values[i]));
    for (int64_t& sum : sums) sum *= largest_datum;
    return sums;
}

bool Lowering::take_integer_link(IntegerChainBuilder& chain, const Step& step, const ChainLink& link, size_t channel_axis) const {
    const std::string& name = step.op.name;
    if (name == "nn.relu") return chain.relu();
    if (name == "clip") return chain.clip(step.attributes.real("a_min"), step.attributes.real("a_max"));
    if (name == "cast") return dtype_of(step.output) == kInt8 ? chain.convert(-128, 127) : chain.convert(0, 255);
    const auto* known = static_cast<const int32_t*>(states_[link.operand].known);
    if (!known || dtype_of(link.operand) != kInt32) return false;
    int64_t count = element_count(shape_of(link.operand)).value_or(0);
    if (name == "right_shift") return count == 1 && chain.shift_right(known[0]);
    bool by_channel = count == shape_of(step.output)[channel_axis] && channel_axis_of(module_, graph_, step.number, link.operand) == channel_axis;
    return (count == 1 || by_channel) && chain.add(std::vector<int64_t>(known, known + count));
}

std::optional<IntegerChain> Lowering::fold_integers(const Step& step, Links links, const Desc& weight, size_t channel_axis, int64_t products) {
    if (type_of(step.inputs[1]) != memory::data_type::s8 || dtype_of(step.output) != kInt32 || !has_vector_neural_instructions()) return std::nullopt;
    if (!zero_point(step)) return std::nullopt;
    std::vector<int64_t> sums = largest_sums(step, weight, shape_of(step.output)[channel_axis], products);
    if (std::any_of(sums.begin(), sums.end(), [](int64_t sum) { return sum > kExactInFloat; })) return std::nullopt;
    IntegerChainBuilder chain(std::move(sums));
    for (const ChainLink& link : links)
        if (!take_integer_link(chain, step_of(link.step), link, channel_axis)) return std::nullopt;
    return chain.finish();
}

}  // namespace partita::onednn
