// Convolutions and dense layers of 8-bit integers.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "engine/backends/dnnl/integer_chain.h"
#include "engine/backends/dnnl/lowering.h"
#include "engine/ops/registry.h"

namespace partita::onednn {

using dnnl::memory;

namespace {

/// Without these, oneDNN adds pairs of products in 16 bits, where they can overflow.
bool has_vector_neural_instructions() {
    using dnnl::cpu_isa;
    cpu_isa isa = dnnl::get_effective_cpu_isa();
    return isa == cpu_isa::avx512_core_vnni || isa == cpu_isa::avx512_core_bf16 || isa == cpu_isa::avx512_core_amx ||
           isa == cpu_isa::avx2_vnni;
}

}  // namespace

std::optional<std::vector<int32_t>> Lowering::zero_points(const Step& step, size_t operand) const {
    if (!step.op.name.starts_with("qnn.")) return std::vector<int32_t>{0};
    ValueId zeros = step.inputs[2 + operand];
    const auto* known = static_cast<const int32_t*>(known_bytes(zeros));
    if (!known) return std::nullopt;
    return std::vector<int32_t>(known, known + element_count(shape_of(zeros)).value_or(0));
}

std::optional<memory> Lowering::centered_weights(const Step& step, const Desc& described,
                                                 const std::vector<int32_t>& zeros, int64_t channels) {
    if (zeros.size() != 1 && int64_t(zeros.size()) != channels) return std::nullopt;
    // Groups and output channels are the first dimensions.
    memory given(described, program_.engine(), const_cast<void*>(known_bytes(step.inputs[1])));
    memory rows(row_major(described.dims(), described.data_type()), program_.engine());
    dnnl::reorder(given, rows).execute(program_.stream(), given, rows);
    program_.stream().wait();
    memory centered(row_major(described.dims(), memory::data_type::s8), program_.engine());
    bool is_unsigned = described.data_type() == memory::data_type::u8;
    const void* from = rows.get_data_handle();
    auto* to = static_cast<int8_t*>(centered.get_data_handle());
    auto count = int64_t(centered.get_desc().get_size()), row = count / channels;
    for (int64_t i = 0; i < count; ++i) {
        int number = is_unsigned ? int(static_cast<const uint8_t*>(from)[i]) : int(static_cast<const int8_t*>(from)[i]);
        int64_t difference = int64_t(number) - zeros[zeros.size() == 1 ? 0 : size_t(i / row)];
        if (difference < INT8_MIN || difference > INT8_MAX) return std::nullopt;
        to[i] = int8_t(difference);
    }
    return centered;
}

bool Lowering::take_integer_link(IntegerChainBuilder& chain, const Step& step, const ChainLink& link,
                                 size_t channel_axis) const {
    const std::string& name = step.op.name;
    if (name == "nn.relu") return chain.relu();
    if (name == "clip") return chain.clip(step.attributes.real("a_min"), step.attributes.real("a_max"));
    if (name == "cast") return dtype_of(step.output) == kInt8 ? chain.convert(-128, 127) : chain.convert(0, 255);
    const auto* known = static_cast<const int32_t*>(known_bytes(link.operand));
    if (!known || dtype_of(link.operand) != kInt32) return false;
    int64_t count = element_count(shape_of(link.operand)).value_or(0);
    if (name == "right_shift") return count == 1 && chain.shift_right(known[0]);
    bool by_channel = count == shape_of(step.output)[channel_axis] &&
                      channel_axis_of(module_, graph_, step.number, link.operand) == channel_axis;
    return (count == 1 || by_channel) && chain.add(std::vector<int64_t>(known, known + count));
}

std::optional<Lowering::IntegerProduct> Lowering::fold_integers(const Step& step, Links links, const Desc& weight,
                                                                size_t channel_axis, DataZero data_zero) {
    if (dtype_of(step.output) != kInt32 || !has_vector_neural_instructions()) return std::nullopt;
    std::optional<std::vector<int32_t>> of_data = zero_points(step, 0), of_weight = zero_points(step, 1);
    if (!of_data || !of_weight || of_data->size() != 1 || std::abs(int64_t(of_data->front())) > 255)
        return std::nullopt;
    int64_t zero = of_data->front(), channels = shape_of(step.output)[channel_axis];
    Dims dims = weight.dims();
    int64_t row = std::accumulate(dims.begin(), dims.end(), int64_t(1), std::multiplies<>()) / channels;
    IntegerProduct product;
    if (is_known(step.inputs[1])) {
        product.weights = centered_weights(step, weight, *of_weight, channels);
        if (!product.weights) return std::nullopt;
    } else {
        bool without = std::all_of(of_weight->begin(), of_weight->end(), [](int32_t number) { return number == 0; });
        if (!without || type_of(step.inputs[1]) != memory::data_type::s8 || (zero && data_zero == DataZero::InBias))
            return std::nullopt;
    }
    bool taken_off = data_zero == DataZero::ByPrimitive;
    if (taken_off) product.data_zero = int32_t(zero);
    bool is_unsigned = type_of(step.inputs[0]) == memory::data_type::u8;
    int64_t lowest = (is_unsigned ? 0 : -128) - product.data_zero,
            highest = (is_unsigned ? 255 : 127) - product.data_zero;
    int64_t largest_datum = std::max(std::abs(lowest), std::abs(highest));
    std::vector<int64_t> largest(size_t(channels), row * 128 * largest_datum), sums(size_t(channels), 0);
    if (product.weights) {
        const auto* numbers = static_cast<const int8_t*>(product.weights->get_data_handle());
        std::fill(largest.begin(), largest.end(), 0);
        for (int64_t i = 0; i < channels * row; ++i) {
            largest[size_t(i / row)] += std::abs(int(numbers[i])) * largest_datum;
            sums[size_t(i / row)] -= zero * numbers[i];
        }
    }
    if (std::any_of(largest.begin(), largest.end(), [](int64_t sum) { return sum > kExactInFloat; }))
        return std::nullopt;
    IntegerChainBuilder chain(std::move(largest));
    if (zero && !taken_off && !chain.add(sums)) return std::nullopt;
    for (const ChainLink& link : links)
        if (!take_integer_link(chain, step_of(link.step), link, channel_axis)) return std::nullopt;
    std::optional<IntegerChain> finished = chain.finish();
    if (!finished) return std::nullopt;
    product.chain = std::move(*finished);
    return product;
}

}  // namespace partita::onednn
