#include "engine/ir/type.h"

#include <algorithm>

#include "engine/support/hash.h"

namespace partita {

TypeId TypeTable::tensor(DataType dtype, std::span<const int64_t> shape) {
    uint64_t hash = hash_combine(uint64_t(dtype.code) << 32 | uint64_t(dtype.bits) << 16 | dtype.lanes, 1);
    for (int64_t dim : shape) hash = hash_combine(hash, uint64_t(dim));
    return intern({TypeKind::Tensor, dtype, uint32_t(dims_.size()), uint32_t(shape.size()), hash}, shape, {});
}

TypeId TypeTable::tuple(std::span<const TypeId> fields) {
    uint64_t hash = 2;
    for (TypeId field : fields) hash = hash_combine(hash, field.value);
    return intern({TypeKind::Tuple, kVoid, uint32_t(parts_.size()), uint32_t(fields.size()), hash}, {}, fields);
}

TypeId TypeTable::function(std::span<const TypeId> parameters, TypeId result) {
    constexpr size_t kMost = 16;
    TypeId few[kMost];
    std::vector<TypeId> many;
    if (parameters.size() >= kMost) many.resize(parameters.size() + 1);
    const std::span<TypeId> all(many.empty() ? few : many.data(), parameters.size() + 1);
    std::copy(parameters.begin(), parameters.end(), all.begin());
    all.back() = result;
    uint64_t hash = 3;
    for (TypeId part : all) hash = hash_combine(hash, part.value);
    return intern({TypeKind::Function, kVoid, uint32_t(parts_.size()), uint32_t(all.size()), hash}, {}, all);
}

TypeId TypeTable::reference(TypeId value) {
    return intern({TypeKind::Reference, kVoid, uint32_t(parts_.size()), 1, hash_combine(4, value.value)}, {},
                  std::span(&value, 1));
}

bool TypeTable::equal(const Record& record, std::span<const int64_t> shape, std::span<const TypeId> parts,
                      const Record& other) const {
    if (record.kind != other.kind || !(record.dtype == other.dtype) || record.count != other.count) return false;
    if (record.kind == TypeKind::Tensor) return std::equal(shape.begin(), shape.end(), dims_.begin() + other.begin);
    return std::equal(parts.begin(), parts.end(), parts_.begin() + other.begin);
}

TypeId TypeTable::intern(const Record& record, std::span<const int64_t> shape, std::span<const TypeId> parts) {
    auto [first, last] = by_hash_.equal_range(record.hash);
    for (auto it = first; it != last; ++it)
        if (equal(record, shape, parts, records_[it->second.value])) return it->second;
    TypeId type(uint32_t(records_.size()));
    // The arguments may point into the tables that grow here.
    std::vector<int64_t> new_dims(shape.begin(), shape.end());
    std::vector<TypeId> new_parts(parts.begin(), parts.end());
    records_.push_back(record);
    dims_.insert(dims_.end(), new_dims.begin(), new_dims.end());
    parts_.insert(parts_.end(), new_parts.begin(), new_parts.end());
    by_hash_.emplace(record.hash, type);
    return type;
}

std::span<const int64_t> TypeTable::shape(TypeId type) const {
    const Record& record = records_[type.value];
    return {dims_.data() + record.begin, record.count};
}

std::span<const TypeId> TypeTable::parts(TypeId type) const {
    const Record& record = records_[type.value];
    return {parts_.data() + record.begin, record.count};
}

std::string TypeTable::to_string(TypeId type, size_t most) const {
    std::string text;
    append(type, text, most);
    return text;
}

// The parser bounds the nesting of types.
void TypeTable::append(TypeId type, std::string& text, size_t most) const {
    if (!type.valid()) {
        text += "?";
        return;
    }
    auto append_list = [&](std::span<const TypeId> list, bool comma_after_one) {
        text += "(";
        for (size_t i = 0; i < list.size() && text.size() <= most; ++i) {
            if (i) text += ", ";
            append(list[i], text, most);
        }
        text += comma_after_one && list.size() == 1 ? ",)" : ")";
    };
    switch (kind(type)) {
        case TypeKind::Tensor:
            if (shape(type).empty()) {
                text += dtype(type).to_string();
            } else {
                text += "Tensor[(";
                const char* comma = "";
                for (int64_t dim : shape(type)) {
                    if (text.size() > most) break;
                    text.append(comma).append(dim < 0 ? "?" : std::to_string(dim));
                    comma = ", ";
                }
                text += "), " + dtype(type).to_string() + "]";
            }
            break;
        case TypeKind::Tuple: append_list(parts(type), true); break;
        case TypeKind::Function:
            text += "fn ";
            append_list(parameters(type), false);
            text += " -> ";
            append(result(type), text, most);
            break;
        case TypeKind::Reference:
            text += "ref(";
            append(parts(type)[0], text, most);
            text += ")";
            break;
    }
}

}  // namespace partita
