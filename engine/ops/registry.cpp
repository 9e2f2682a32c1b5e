#include "engine/ops/registry.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "engine/ops/families.h"
#include "engine/ops/foreign.h"
#include "engine/ops/nn_attention.h"
#include "engine/ops/vision.h"
#include "engine/support/spelling.h"

namespace partita {

namespace {

std::vector<OpRecord> all_ops() {
    std::vector<OpRecord> all;
    auto append = [&all](std::vector<OpRecord> family) {
        std::move(family.begin(), family.end(), std::back_inserter(all));
    };
    append(opaque_ops());
    append(annotation_ops());
    append(elementwise_ops());
    append(reduce_ops());
    append(transform_ops());
    append(nn_convolution_ops());
    append(nn_dense_ops());
    append(nn_expert_dense_ops());
    append(nn_pool_ops());
    append(nn_norm_ops());
    append(nn_activation_ops());
    append(nn_attention_ops());
    append(nn_linear_attention_ops());
    append(nn_rotary_ops());
    append(nn_spatial_ops());
    append(nn_upsampling_ops());
    append(qnn_ops());
    append(image_ops());
    append(vision_ops());
    append(linear_algebra_ops());
    return all;
}

}  // namespace

/// Names of operators differ in their first or their last letters.
size_t OpRegistry::NameHash::operator()(std::string_view name) const {
    if (name.empty()) return 0;
    uint64_t first = 0, last = 0;
    const size_t count = std::min(name.size(), sizeof first);
    std::memcpy(&first, name.data(), count);
    std::memcpy(&last, name.data() + name.size() - count, count);
    return (first ^ std::rotl(last, 23) ^ name.size()) * 0x9e3779b97f4a7c15ull >> 20;
}

OpRegistry::OpRegistry(std::vector<OpRecord> records) : records_(std::move(records)) {
    for (size_t i = 0; i < records_.size(); ++i) by_name_.emplace(records_[i].name, uint32_t(i));
}

OpId OpRegistry::find(std::string_view name) const {
    auto it = by_name_.find(name);
    return it == by_name_.end() ? OpId() : OpId(it->second);
}

OpId OpRegistry::foreign(std::string_view name) const {
    constexpr size_t kLongest = 200;
    const std::string text(name.substr(0, kLongest));
    const std::scoped_lock lock(mutex_);
    if (const auto known = foreign_by_name_.find(text); known != foreign_by_name_.end()) return OpId(known->second);
    const OpId opaque = find("opaque");
    const size_t number = foreign_by_name_.size();
    if (number == kMostForeign || text.empty()) return opaque;
    auto& chunk = foreign_[number / kChunk];
    if (!chunk) chunk = std::make_unique<std::array<OpRecord, kChunk>>();
    (*chunk)[number % kChunk] = foreign_record((*this)[opaque], text);
    const OpId made(uint32_t(records_.size() + number));
    foreign_by_name_.emplace(text, made.value);
    return made;
}

std::string_view OpRegistry::nearest(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const OpRecord& record : records_) names.push_back(record.name);
    return nearest_spelling(name, names);
}

const OpRegistry& op_registry() {
    static const OpRegistry registry(all_ops());
    return registry;
}

const OpRecord* called_op_record(const Module& module, ExprId id) {
    OpId op = module.called_op(id);
    return op.valid() ? &op_registry()[op] : nullptr;
}

AttributesView attributes_of(const Module& module, ExprId call) {
    static const AttributeList none;
    AttributesId id = module.attributes_id(call);
    return {op_registry()[module.called_op(call)], id.valid() ? module.attributes(id) : none};
}

}  // namespace partita
