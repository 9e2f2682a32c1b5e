// Types of expressions, interned: equal types of one table have equal ids, so comparing types is comparing integers.
//
// A table belongs to one module and is copied with it; its ids are meaningless in another. Interning costs a hash of
// the type; looking up costs an index.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/data_type.h"
#include "engine/support/id.h"

namespace partita {

using TypeId = Id<struct TypeTag>;

enum class TypeKind : uint8_t {
    Tensor,     ///< dtype and shape; rank 0 is a scalar
    Tuple,      ///< fields
    Function,   ///< parameters, then the result
    Reference,  ///< the type of the value referred to
};

/// A dimension that is unknown before the run; printed as `?`.
inline constexpr int64_t kDynamicDim = -1;

class TypeTable {
public:
    TypeId tensor(DataType dtype, std::span<const int64_t> shape);
    TypeId tensor(DataType dtype, std::initializer_list<int64_t> shape) {
        return tensor(dtype, std::span<const int64_t>(shape.begin(), shape.size()));
    }
    TypeId tuple(std::span<const TypeId> fields);
    TypeId function(std::span<const TypeId> parameters, TypeId result);
    TypeId reference(TypeId value);

    TypeKind kind(TypeId type) const { return records_[type.value].kind; }
    bool is_tensor(TypeId type) const { return type.valid() && kind(type) == TypeKind::Tensor; }
    bool is_tuple(TypeId type) const { return type.valid() && kind(type) == TypeKind::Tuple; }
    bool is_function(TypeId type) const { return type.valid() && kind(type) == TypeKind::Function; }
    bool is_reference(TypeId type) const { return type.valid() && kind(type) == TypeKind::Reference; }

    /// For a tensor type.
    DataType dtype(TypeId type) const { return records_[type.value].dtype; }
    std::span<const int64_t> shape(TypeId type) const;
    /// Returns the fields of a tuple; the parameters and then the result of a function; the value of a reference.
    std::span<const TypeId> parts(TypeId type) const;
    std::span<const TypeId> parameters(TypeId function) const {
        return parts(function).first(parts(function).size() - 1);
    }
    TypeId result(TypeId function) const { return parts(function).back(); }

    /// Returns the type as Relay prints it: `Tensor[(1, 3), float32]`, `float32` for rank 0, `(A, B)`, `(A,)`, `fn (A)
    /// -> B`, `ref(A)`. An invalid id gives "?".
    /// A text of more than `most` characters may lack what stands behind them: types have up to millions of sizes.
    std::string to_string(TypeId type, size_t most = std::string::npos) const;
    size_t size() const { return records_.size(); }

private:
    struct Record {
        TypeKind kind;
        DataType dtype;
        uint32_t begin;  ///< into dims_ for tensors, into parts_ for others
        uint32_t count;
        uint64_t hash;
    };

    TypeId intern(const Record& record, std::span<const int64_t> shape, std::span<const TypeId> parts);
    bool equal(const Record& record, std::span<const int64_t> shape, std::span<const TypeId> parts,
               const Record& other) const;
    void append(TypeId type, std::string& text, size_t most) const;

    std::vector<Record> records_;
    std::vector<int64_t> dims_;
    std::vector<TypeId> parts_;
    std::unordered_multimap<uint64_t, TypeId> by_hash_;
};

}  // namespace partita
