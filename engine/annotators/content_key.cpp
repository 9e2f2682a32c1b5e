#include "engine/annotators/content_key.h"

#include <functional>
#include <string>

#include "engine/annotators/expression_json.h"
#include "engine/support/hash.h"

namespace partita {

namespace {

uint64_t hash_text(std::string_view text) { return hash_mix(std::hash<std::string_view>()(text) + 1); }

}  // namespace

uint64_t ContentKeys::of_type(TypeId type) {
    if (!type.valid()) return 1;
    auto [found, added] = types_.try_emplace(type);
    if (added) found->second = hash_text(module_.types().to_string(type));
    return found->second;
}

uint64_t ContentKeys::make_own(ExprId id) {
    uint64_t hash = hash_combine(uint64_t(module_.kind(id)) + 1, of_type(module_.type(id)));
    switch (module_.kind(id)) {
        case ExprKind::Var:
        case ExprKind::GlobalVar: return hash_combine(hash, hash_text(module_.name(id)));
        case ExprKind::Op:
        case ExprKind::Projection: return hash_combine(hash, module_[id].payload);
        case ExprKind::Constant: {
            const Tensor& tensor = module_.constant(id);
            const bool is_sent = tensor.defined() && tensor.byte_size() <= kInlineConstant;
            return is_sent
                       ? hash_combine(hash, hash_text({static_cast<const char*>(tensor.bytes()), tensor.byte_size()}))
                       : hash;
        }
        case ExprKind::Call: {
            hash = hash_combine(hash, own(module_.callee(id)));
            if (!module_.attributes_id(id).valid()) return hash;
            for (const AttributeValue& value : module_.attributes(module_.attributes_id(id)))
                hash = hash_combine(hash, value.hash());
            return hash;
        }
        case ExprKind::Function:
            for (const auto& [key, value] : module_.function_info(id).attributes)
                hash = hash_combine(hash_combine(hash, hash_text(key.text())), value.hash());
            return hash;
        default: return hash;
    }
}

uint64_t ContentKeys::own(ExprId id) {
    if (id.value >= own_.size()) own_.resize(module_.size(), 0);
    if (own_[id.value] == 0) {
        const uint64_t made = make_own(id);
        own_[id.value] = made ? made : 1;
    }
    return own_[id.value];
}

ContentKey ContentKeys::key(ExprId root, int levels, uint64_t seed) {
    queue_.assign(1, root);
    number_.clear();
    number_.emplace(root, 0);
    ContentKey key{hash_combine(seed, own(root)), hash_combine(~seed, own(root))};
    size_t next = 0;
    for (int level = 0; level < levels; ++level) {
        for (const size_t end = queue_.size(); next < end; ++next) {
            for (ExprId operand : module_.operands(queue_[next])) {
                auto [found, added] = number_.try_emplace(operand, uint32_t(queue_.size()));
                if (added) queue_.push_back(operand);
                const uint64_t seen = added ? own(operand) : found->second;
                key.high = hash_combine(key.high, seen);
                key.low = hash_combine(key.low ^ uint64_t(added), seen);
            }
            key.high = hash_combine(key.high, 0);
        }
    }
    return key;
}

}  // namespace partita
