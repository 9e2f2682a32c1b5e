// Tables of a flatbuffer (flatbuffers.dev/internals), read where they stand: in a block of bytes, or in a file of which
// only the parts that are asked for are read, so that weights are not.
//
// The library's own verifier would need all bytes in memory first. Here each access is checked when it is made, and
// what is read in total is bounded by the size of the file: a table that stands once may be named a million times, but
// a file that does so is refused. A fault is thrown as `flat::Fault`; a reader of a format makes a diagnostic of it.
//
// One thread reads; views of bytes stay valid as long as the `Bytes`.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/source_file.h"

namespace partita::flat {

/// What is wrong with the file, and at which byte.
struct Fault {
    std::string message;
};

class Bytes {
public:
    /// The bytes must outlive this.
    explicit Bytes(std::string_view bytes) : bytes_(bytes), room_(room_for(bytes.size())) {}
    /// Throws std::bad_alloc if no address range is free.
    explicit Bytes(std::shared_ptr<const SourceFile> file);
    ~Bytes();
    Bytes(const Bytes&) = delete;
    Bytes& operator=(const Bytes&) = delete;

    size_t size() const { return bytes_.size(); }
    /// Returns a part, which is read if it was not. Throws Fault if it does not lie inside, or can't be read.
    std::string_view part(uint64_t place, uint64_t count);
    /// Throws Fault if a part does not lie inside. Reads nothing.
    void require_inside(uint64_t place, uint64_t count) const;
    /// Counts bytes of tables and vectors. Throws Fault if they are more than so large a file can have.
    void count(uint64_t bytes);

    /// Returns the file; null for a block of bytes.
    const std::shared_ptr<const SourceFile>& file() const { return file_; }

private:
    static uint64_t room_for(size_t size) { return uint64_t(size) * 8 + 65536; }

    std::shared_ptr<const SourceFile> file_;
    std::string_view bytes_;
    std::vector<bool> read_;  ///< by block of the file
    uint64_t room_;
};

class Vector;

/// A table, or none: then every field has its default.
class Table {
public:
    Table() = default;
    /// Returns the root table of a flatbuffer that begins at `begin`. Throws Fault if the identifier is another one
    /// ("" for none).
    static Table root(Bytes& bytes, std::string_view identifier, uint64_t begin = 0);

    explicit operator bool() const { return bytes_ != nullptr; }
    uint64_t place() const { return place_; }
    bool has(int field) const { return place_of(field, 1) != 0; }
    template <class T>
    T number(int field, T fallback = T()) const {
        const uint64_t at = place_of(field, sizeof(T));
        if (at == 0) return fallback;
        T value;
        std::memcpy(&value, bytes_->part(at, sizeof(T)).data(), sizeof(T));
        return value;
    }
    bool flag(int field, bool fallback = false) const { return number<uint8_t>(field, fallback) != 0; }
    std::string_view text(int field) const;  ///< "" if it is left out
    Table table(int field) const;
    /// Returns a vector of elements of so many bytes: numbers, structs, or offsets (4). Empty if it is left out. Ask
    /// once: each time it is counted.
    Vector vector(int field, size_t element = 4) const;

private:
    friend class Vector;
    Table(Bytes& bytes, uint64_t place);
    /// Returns where a field of so many bytes stands; 0 where it is left out.
    uint64_t place_of(int field, size_t bytes) const;
    uint64_t target_of(int field) const;

    Bytes* bytes_ = nullptr;
    uint64_t place_ = 0, fields_ = 0;
    uint16_t field_bytes_ = 0, table_bytes_ = 0;
};

class Vector {
public:
    Vector() = default;
    size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    /// Returns the place of the first element in the file.
    uint64_t place() const { return place_; }

    /// Returns a number: of the element, or `offset` bytes into a struct.
    template <class T>
    T number(size_t index, size_t offset = 0) const {
        T value;
        std::memcpy(&value, bytes_->part(element_at(index) + offset, sizeof(T)).data(), sizeof(T));
        return value;
    }
    template <class T>
    std::vector<T> numbers() const {
        std::vector<T> list(size_);
        if (size_) std::memcpy(list.data(), bytes_->part(place_, size_ * sizeof(T)).data(), size_ * sizeof(T));
        return list;
    }
    std::string_view bytes() const { return size_ ? bytes_->part(place_, size_ * element_) : std::string_view(); }
    Table table(size_t index) const;
    std::string_view text(size_t index) const;

private:
    friend class Table;
    Vector(Bytes& bytes, uint64_t place, size_t element, bool counted);
    uint64_t element_at(size_t index) const;

    Bytes* bytes_ = nullptr;
    uint64_t place_ = 0;
    size_t size_ = 0, element_ = 1;
};

}  // namespace partita::flat
