#include "engine/frontends/torch/archive.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/support/one_line.h"
#include "engine/support/zip_library.h"

namespace partita::torch {

namespace {

// Sizes and signatures of the records of a zip file (APPNOTE.TXT 6.3.10, 4.3).
constexpr uint64_t kLocal = 30, kEntry = 46, kEnd = 22, kLocator = 20, kEnd64 = 56, kLongestComment = 0xFFFF;
constexpr uint64_t kLargestRead = uint64_t(1) << 30;
/// Text that is deflated shrinks to a fiftieth; what claims more unpacks to nothing of use.
constexpr uint64_t kMostTimes = 200, kAlwaysUnpacked = uint64_t(1) << 20;

template <class T>
T number_at(std::string_view bytes, size_t at) {
    T value = 0;
    if (at + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}
uint16_t u16(std::string_view bytes, size_t at) { return number_at<uint16_t>(bytes, at); }
uint32_t u32(std::string_view bytes, size_t at) { return number_at<uint32_t>(bytes, at); }
uint64_t u64(std::string_view bytes, size_t at) { return number_at<uint64_t>(bytes, at); }

uint32_t crc32_of(std::string_view bytes) {
    static const std::array<uint32_t, 256> table = [] {
        std::array<uint32_t, 256> made{};
        for (uint32_t i = 0; i < 256; ++i) {
            made[i] = i;
            for (int bit = 0; bit < 8; ++bit) made[i] = (made[i] >> 1) ^ (made[i] & 1 ? 0xEDB88320u : 0);
        }
        return made;
    }();
    uint32_t crc = ~0u;
    for (unsigned char byte : bytes) crc = (crc >> 8) ^ table[(crc ^ byte) & 0xFF];
    return ~crc;
}

void put(std::string& to, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; ++i) to += char(value >> (8 * i));
}

/// An archive of one deflated member, for libzip.
std::string archive_of_one(const Member& member, std::string_view packed) {
    std::string common, bytes;
    put(common, 20, 2);  // version
    put(common, 0, 2);   // flags
    put(common, member.method, 2);
    put(common, 0, 4);  // time
    put(common, member.crc, 4);
    put(common, member.packed, 4);
    put(common, member.size, 4);
    put(common, 1, 2);  // length of the name
    put(common, 0, 2);  // of more
    put(bytes, 0x04034b50, 4);
    bytes += common + "m";
    bytes += packed;
    const uint64_t directory = bytes.size();
    put(bytes, 0x02014b50, 4);
    put(bytes, 20, 2);
    bytes += common;
    bytes.append(14, '\0');
    bytes += "m";
    const uint64_t length = bytes.size() - directory;
    put(bytes, 0x06054b50, 4);
    put(bytes, 0, 4);
    put(bytes, 1, 2);
    put(bytes, 1, 2);
    put(bytes, length, 4);
    put(bytes, directory, 4);
    put(bytes, 0, 2);
    return bytes;
}

Result<std::string> unpacked(const Member& member, std::string_view packed) {
    const ZipLibrary& zip = ZipLibrary::get();
    if (!zip.problem().empty()) return error("archives can't be read: " + zip.problem());
    const std::string one = archive_of_one(member, packed);
    const ZipArchive archive = open_zip(zip, one);
    const ZipMember file(archive ? zip.fopen_index(archive.get(), 0, 0) : nullptr, zip.fclose);
    std::string content(member.size, '\0');
    char more;
    if (!file || zip.fread(file.get(), content.data(), content.size()) != zip_int64_t(content.size()) ||
        zip.fread(file.get(), &more, 1) != 0)
        return error("the member " + in_quotes(member.name) + " can't be unpacked: it is damaged");
    return content;
}

}  // namespace

Result<std::string> Archive::bytes(uint64_t place, uint64_t count) const {
    if (place > size_ || count > size_ - place) return error("a part of the archive lies behind its end");
    std::string read(count, '\0');
    if (Status done = file_->read(begin_ + place, count, read.data()); !done) return done.error();
    return read;
}

Result<Archive> Archive::open(std::shared_ptr<const SourceFile> file) {
    const uint64_t size = file->size();
    Archive archive(std::move(file), 0, size);
    if (Status read = archive.read_directory(); !read) return read.error();
    return archive;
}

Result<Archive> Archive::inside(const Member& member) const {
    if (!member.is_stored()) return error("the member " + in_quotes(member.name) + " is compressed");
    Archive archive(file_, member.place, member.size);
    if (Status read = archive.read_directory(); !read) return read.error();
    return archive;
}

Status Archive::read_directory() {
    const Diagnostic not_whole = error("this is not a whole zip archive: it has no directory at its end");
    if (size_ < kEnd) return not_whole;
    const uint64_t tail_size = std::min(size_, kEnd + kLongestComment);
    const Result<std::string> tail = bytes(size_ - tail_size, tail_size);
    if (!tail) return tail.error();
    const size_t end = tail->rfind("PK\5\6", tail->size() - kEnd);
    if (end == std::string::npos) return not_whole;
    uint64_t count = u16(*tail, end + 10), length = u32(*tail, end + 12), place = u32(*tail, end + 16);
    if (count == 0xFFFF || length == 0xFFFFFFFF || place == 0xFFFFFFFF) {
        const uint64_t at = size_ - tail_size + end;
        const Result<std::string> locator = at >= kLocator ? bytes(at - kLocator, kLocator) : Result<std::string>("");
        if (!locator) return locator.error();
        if (!locator->starts_with("PK\6\7"))
            return error("the end of the zip archive is damaged: it claims more than 4 GiB, and says not where");
        const Result<std::string> large = bytes(u64(*locator, 8), kEnd64);
        if (!large) return large.error();
        if (!large->starts_with("PK\6\6")) return error("the end of the zip archive is damaged");
        count = u64(*large, 32), length = u64(*large, 40), place = u64(*large, 48);
    }
    if (length > kLargestRead || count > length / kEntry)
        return error("the directory of the zip archive is damaged: it claims more than it can hold");
    const Result<std::string> directory = bytes(place, length);
    if (!directory) return directory.error();
    if (Status added = add_members(*directory, count); !added) return added;
    if (Status found = find_places(place); !found) return found;
    for (size_t i = 0; i < members_.size(); ++i)
        if (!by_name_.emplace(members_[i].name, i).second)
            return error("the archive has two members " + in_quotes(members_[i].name));
    return Nothing();
}

Status Archive::add_members(std::string_view directory, uint64_t count) {
    members_.reserve(count);
    for (uint64_t i = 0, at = 0; i < count; ++i) {
        const std::string_view entry = directory.substr(std::min<size_t>(at, directory.size()));
        const size_t name = u16(entry, 28), extra = u16(entry, 30), comment = u16(entry, 32);
        if (!entry.starts_with("PK\1\2") || entry.size() < kEntry + name + extra + comment)
            return error("the directory of the zip archive is damaged");
        Member member;
        member.name = entry.substr(kEntry, name);
        member.method = u16(entry, 10);
        member.crc = u32(entry, 16);
        member.packed = u32(entry, 20);
        member.size = u32(entry, 24);
        member.place = u32(entry, 42);
        if (u16(entry, 8) & 1) return error("the member " + in_quotes(member.name) + " is encrypted");
        std::string_view more = entry.substr(kEntry + name, extra);
        while (more.size() >= 4) {
            const size_t length = std::min<size_t>(u16(more, 2), more.size() - 4);
            const std::string_view field = more.substr(4, length);
            size_t next = 0;
            for (uint64_t* value : {&member.size, &member.packed, &member.place})
                if (u16(more, 0) == 1 && *value == 0xFFFFFFFF) *value = u64(field, next), next += 8;
            more.remove_prefix(4 + length);
        }
        members_.push_back(std::move(member));
        at += kEntry + name + extra + comment;
    }
    return Nothing();
}

/// Reads where the bytes of each member begin; none may lie in another's.
Status Archive::find_places(uint64_t directory_place) {
    std::vector<std::pair<uint64_t, uint64_t>> parts;
    for (Member& member : members_) {
        const auto damaged = [&](const char* why) {
            return error("the member " + in_quotes(member.name) + " of the zip archive " + why);
        };
        if (member.method != 0 && member.method != 8) return damaged("is packed in a way that is not known");
        if (member.is_stored() && member.packed != member.size) return damaged("is stored with two sizes");
        const uint64_t local = member.place;
        const Result<std::string> head = bytes(local, kLocal);
        if (!head || !head->starts_with("PK\3\4")) return damaged("is not where the directory says");
        const Result<std::string> name = bytes(local + kLocal, u16(*head, 26));
        if (!name || *name != member.name) return damaged("has another name in front of its bytes");
        const uint64_t begin = local + kLocal + u16(*head, 26) + u16(*head, 28);
        if (begin > directory_place || member.packed > directory_place - begin)
            return damaged("does not fit in front of the directory");
        parts.emplace_back(local, begin + member.packed);
        member.place = begin_ + begin;
    }
    std::sort(parts.begin(), parts.end());
    for (size_t i = 1; i < parts.size(); ++i)
        if (parts[i].first < parts[i - 1].second) return error("members of the zip archive share bytes");
    return Nothing();
}

const Member* Archive::find(std::string_view name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? nullptr : &members_[found->second];
}

Result<std::string> Archive::read(const Member& member) const {
    if (member.size > kLargestRead)
        return error("the member " + in_quotes(member.name) + " is too large: " + std::to_string(member.size) +
                     " bytes");
    if (member.size > kAlwaysUnpacked && member.size / kMostTimes > member.packed)
        return error("the member " + in_quotes(member.name) + " claims to unpack from " +
                     std::to_string(member.packed) + " bytes to " + std::to_string(member.size));
    Result<std::string> packed = bytes(member.place - begin_, member.packed);
    if (!packed || !member.is_stored()) return packed ? unpacked(member, *packed) : packed;
    if (crc32_of(*packed) != member.crc)
        return error("the member " + in_quotes(member.name) +
                     " is damaged: its checksum (CRC-32) is not that of its "
                     "bytes");
    return packed;
}

}  // namespace partita::torch
