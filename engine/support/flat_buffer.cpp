#include "engine/support/flat_buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "engine/support/available_memory.h"

namespace partita::flat {

namespace {

constexpr size_t kBlock = size_t(1) << 16;

std::string at_byte(uint64_t place) { return " at byte " + std::to_string(place); }

/// An offset counts from where it stands.
uint64_t followed(Bytes& bytes, uint64_t place) {
    uint32_t offset;
    std::memcpy(&offset, bytes.part(place, sizeof(offset)).data(), sizeof(offset));
    if (offset == 0) throw Fault{"the offset" + at_byte(place) + " leads nowhere"};
    return place + offset;
}

std::string_view text_at(Bytes& bytes, uint64_t place) {
    uint32_t length;
    std::memcpy(&length, bytes.part(place, sizeof(length)).data(), sizeof(length));
    bytes.count(length);
    return bytes.part(place + sizeof(length), length);
}

}  // namespace

Bytes::Bytes(std::shared_ptr<const SourceFile> file) : file_(std::move(file)), room_(room_for(file_->size())) {
    const size_t size = file_->size();
    if (size == 0) return;
    // Parts are placed at their offsets in an address range as large as the file; unread ones cost addresses only.
    void* memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    bytes_ = {static_cast<const char*>(memory), size};
#ifdef MADV_NOHUGEPAGE
    ::madvise(memory, size, MADV_NOHUGEPAGE);
#endif
    read_.resize(size / kBlock + 1);
}

Bytes::~Bytes() {
    if (!read_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

void Bytes::require_inside(uint64_t place, uint64_t count) const {
    if (place <= size() && count <= size() - place) return;
    throw Fault{"what it says to stand" + at_byte(place) + " (" + std::to_string(count) +
                " bytes) lies beyond its end, which is" + at_byte(size())};
}

std::string_view Bytes::part(uint64_t place, uint64_t count) {
    require_inside(place, count);
    for (size_t block = place / kBlock; !read_.empty() && count > 0 && block <= (place + count - 1) / kBlock; ++block) {
        if (read_[block]) continue;
        const size_t begin = block * kBlock, bytes = std::min(kBlock, size() - begin);
        check_available(bytes);
        // The range belongs to this object and is writable.
        if (Status done = file_->read(begin, bytes, const_cast<char*>(bytes_.data()) + begin); !done)
            throw Fault{done.error().message + "; open it again"};
        read_[block] = true;
    }
    return bytes_.substr(place, count);
}

void Bytes::count(uint64_t bytes) {
    if (bytes > room_)
        throw Fault{"its tables name each other so often that they would come to many times its " +
                    std::to_string(size()) + " bytes"};
    room_ -= bytes;
}

Table Table::root(Bytes& bytes, std::string_view identifier, uint64_t begin) {
    bytes.require_inside(begin, 8);
    if (!identifier.empty() && bytes.part(begin + 4, identifier.size()) != identifier)
        throw Fault{"its identifier" + at_byte(begin + 4) + " is not " + std::string(identifier)};
    return Table(bytes, followed(bytes, begin));
}

Table::Table(Bytes& bytes, uint64_t place) : bytes_(&bytes), place_(place) {
    int32_t back;
    std::memcpy(&back, bytes.part(place, sizeof(back)).data(), sizeof(back));
    const int64_t fields = int64_t(place) - back;
    if (fields < 0) throw Fault{"the fields of the table" + at_byte(place) + " lie before the file"};
    fields_ = uint64_t(fields);
    std::memcpy(&field_bytes_, bytes.part(fields_, 2).data(), 2);
    std::memcpy(&table_bytes_, bytes.part(fields_ + 2, 2).data(), 2);
    if (field_bytes_ < 4 || field_bytes_ % 2 != 0 || table_bytes_ < 4)
        throw Fault{"the list of fields" + at_byte(fields_) + " has an impossible size"};
    bytes.require_inside(fields_, field_bytes_);
    bytes.require_inside(place, table_bytes_);
    bytes.count(table_bytes_);
}

uint64_t Table::place_of(int field, size_t bytes) const {
    const size_t entry = 4 + 2 * size_t(field);
    if (!bytes_ || entry + 2 > field_bytes_) return 0;
    uint16_t offset;
    std::memcpy(&offset, bytes_->part(fields_ + entry, 2).data(), 2);
    if (offset == 0) return 0;
    // Only where it begins: lists of fields are shared, also with tables of which the last field is shorter (flatc).
    if (offset < 4 || offset >= table_bytes_)
        throw Fault{"field " + std::to_string(field) + " of the table" + at_byte(place_) + " lies outside of it"};
    bytes_->require_inside(place_ + offset, bytes);
    return place_ + offset;
}

uint64_t Table::target_of(int field) const {
    const uint64_t at = place_of(field, 4);
    return at == 0 ? 0 : followed(*bytes_, at);
}

std::string_view Table::text(int field) const {
    const uint64_t at = target_of(field);
    return at == 0 ? std::string_view() : text_at(*bytes_, at);
}

Table Table::table(int field) const {
    const uint64_t at = target_of(field);
    return at == 0 ? Table() : Table(*bytes_, at);
}

Vector Table::vector(int field, size_t element) const {
    const uint64_t at = target_of(field);
    return at == 0 ? Vector() : Vector(*bytes_, at, element, element > 1);
}

Vector::Vector(Bytes& bytes, uint64_t place, size_t element, bool counted)
    : bytes_(&bytes), place_(place + 4), element_(element) {
    uint32_t count;
    std::memcpy(&count, bytes.part(place, sizeof(count)).data(), sizeof(count));
    size_ = count;
    bytes.require_inside(place_, uint64_t(size_) * element);
    if (counted) bytes.count(uint64_t(size_) * element);
}

uint64_t Vector::element_at(size_t index) const {
    if (index >= size_)
        throw Fault{"element " + std::to_string(index) + " of the list" + at_byte(place_) + " does not exist"};
    return place_ + index * element_;
}

Table Vector::table(size_t index) const { return Table(*bytes_, followed(*bytes_, element_at(index))); }

std::string_view Vector::text(size_t index) const { return text_at(*bytes_, followed(*bytes_, element_at(index))); }

}  // namespace partita::flat
