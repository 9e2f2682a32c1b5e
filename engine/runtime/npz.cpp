// Archives of tensors: see npy.h. The central directory at the end of the file is what counts, as for every zip reader.
#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "engine/runtime/npy.h"
#include "engine/support/file.h"

namespace partita {

namespace {

constexpr uint32_t kLocalHeader = 0x04034b50, kCentralHeader = 0x02014b50, kEndRecord = 0x06054b50;
constexpr uint32_t kEndRecord64 = 0x06064b50, kEndLocator64 = 0x07064b50;
constexpr uint16_t kExtra64 = 1;
constexpr size_t kEndRecordSize = 22, kEndLocator64Size = 20, kCentralHeaderSize = 46, kLocalHeaderSize = 30;
/// Deflate's best ratio is 1032 to 1: a member that claims more lies.
constexpr uint64_t kDeflateBestRatio = 1032;
constexpr uint16_t kStored = 0, kDeflated = 8;

template <class T>
T read_at(std::string_view bytes, size_t at) {
    T value;
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

bool fits(std::string_view bytes, uint64_t at, uint64_t size) { return at <= bytes.size() && size <= bytes.size() - at; }

struct Directory {
    uint64_t offset = 0, entries = 0;
};

struct Member {
    std::string name;
    uint16_t method = 0, flags = 0;
    uint32_t crc = 0;
    uint64_t packed = 0, size = 0, header = 0;
};

std::optional<Directory> find_directory(std::string_view bytes) {
    if (bytes.size() < kEndRecordSize) return std::nullopt;
    // Behind the record there may be a comment of up to 65535 bytes.
    size_t lowest = bytes.size() - std::min<size_t>(bytes.size(), kEndRecordSize + 65535);
    for (size_t at = bytes.size() - kEndRecordSize + 1; at-- > lowest;) {
        if (read_at<uint32_t>(bytes, at) != kEndRecord) continue;
        Directory directory{read_at<uint32_t>(bytes, at + 16), read_at<uint16_t>(bytes, at + 10)};
        if (directory.offset != UINT32_MAX && directory.entries != UINT16_MAX) return directory;
        if (at < kEndLocator64Size || read_at<uint32_t>(bytes, at - kEndLocator64Size) != kEndLocator64) return directory;
        uint64_t record = read_at<uint64_t>(bytes, at - kEndLocator64Size + 8);
        if (!fits(bytes, record, 56) || read_at<uint32_t>(bytes, record) != kEndRecord64) return std::nullopt;
        return Directory{read_at<uint64_t>(bytes, record + 48), read_at<uint64_t>(bytes, record + 32)};
    }
    return std::nullopt;
}

/// Sizes that don't fit 32 bits stand in an extra field, in this order, each only where it is needed.
bool read_wide_sizes(std::string_view extra, Member& member) {
    for (size_t at = 0; at + 4 <= extra.size();) {
        size_t size = read_at<uint16_t>(extra, at + 2);
        if (at + 4 + size > extra.size()) return false;
        if (read_at<uint16_t>(extra, at) == kExtra64) {
            std::string_view field = extra.substr(at + 4, size);
            for (uint64_t* wide : {&member.size, &member.packed, &member.header}) {
                if (*wide != UINT32_MAX) continue;
                if (field.size() < 8) return false;
                *wide = read_at<uint64_t>(field, 0);
                field.remove_prefix(8);
            }
            return true;
        }
        at += 4 + size;
    }
    return true;
}

/// The member at `at` of the directory; `at` moves to the next.
std::optional<Member> read_member(std::string_view bytes, uint64_t& at) {
    if (!fits(bytes, at, kCentralHeaderSize) || read_at<uint32_t>(bytes, at) != kCentralHeader) return std::nullopt;
    Member member;
    member.flags = read_at<uint16_t>(bytes, at + 8);
    member.method = read_at<uint16_t>(bytes, at + 10);
    member.crc = read_at<uint32_t>(bytes, at + 16);
    member.packed = read_at<uint32_t>(bytes, at + 20);
    member.size = read_at<uint32_t>(bytes, at + 24);
    member.header = read_at<uint32_t>(bytes, at + 42);
    size_t name = read_at<uint16_t>(bytes, at + 28), extra = read_at<uint16_t>(bytes, at + 30);
    size_t comment = read_at<uint16_t>(bytes, at + 32);
    if (!fits(bytes, at + kCentralHeaderSize, name + extra + comment)) return std::nullopt;
    member.name = bytes.substr(at + kCentralHeaderSize, name);
    if (!read_wide_sizes(bytes.substr(at + kCentralHeaderSize + name, extra), member)) return std::nullopt;
    at += kCentralHeaderSize + name + extra + comment;
    return member;
}

/// The first `wanted` bytes of the content.
Result<std::string> inflate_first(size_t wanted, std::string_view packed, const Member& member, const std::string& where) {
    if (member.size / kDeflateBestRatio > packed.size() + 1) return array_file_error(where, "the member '" + member.name + "' claims a size that it can't have");
    std::string content(wanted, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return array_file_error(where, "zlib could not be started");
    size_t taken = 0, made = 0;
    int status = Z_OK;
    while (status == Z_OK) {  // in pieces: zlib counts in 32 bits
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + taken));
        stream.avail_in = uInt(std::min<size_t>(packed.size() - taken, 1 << 30));
        stream.next_out = reinterpret_cast<Bytef*>(content.data() + made);
        stream.avail_out = uInt(std::min<size_t>(content.size() - made, 1 << 30));
        uInt given = stream.avail_in, room = stream.avail_out;
        status = inflate(&stream, Z_NO_FLUSH);
        taken += given - stream.avail_in;
        made += room - stream.avail_out;
        if (made == content.size() && wanted < member.size) break;
        if (status == Z_OK && given == stream.avail_in && room == stream.avail_out) break;
    }
    inflateEnd(&stream);
    const bool whole = wanted < member.size || status == Z_STREAM_END;
    if (!whole || made != content.size()) return array_file_error(where, "the member '" + member.name + "' is damaged");
    return content;
}

uint32_t checksum(std::string_view content) {
    return uint32_t(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

/// The first `wanted` bytes of a member's content.
Result<std::string> unpack_first(uint64_t wanted, std::string_view bytes, const Member& member, const std::string& where) {
    wanted = std::min(wanted, member.size);
    if (member.flags & 1) return array_file_error(where, "the member '" + member.name + "' is encrypted");
    if (!fits(bytes, member.header, kLocalHeaderSize) || read_at<uint32_t>(bytes, member.header) != kLocalHeader)
        return array_file_error(where, "the member '" + member.name + "' is not where the archive's directory says");
    uint64_t begin = member.header + kLocalHeaderSize + read_at<uint16_t>(bytes, member.header + 26) + read_at<uint16_t>(bytes, member.header + 28);
    if (!fits(bytes, begin, member.packed)) return array_file_error(where, "the member '" + member.name + "' is cut short");
    std::string_view packed = bytes.substr(begin, member.packed);
    Result<std::string> content = error("");
    if (member.method == kStored && member.packed == member.size) content = std::string(packed.substr(0, wanted));
    else if (member.method == kDeflated) content = inflate_first(wanted, packed, member, where);
    else return array_file_error(where, "the member '" + member.name + "' is packed by method " + std::to_string(member.method) + "; stored and deflated ones can be read");
    if (content && wanted == member.size && checksum(*content) != member.crc) return array_file_error(where, "the member '" + member.name + "' is damaged: its checksum is wrong");
    return content;
}

/// Asks about a member by its header alone, for its content may be a thousand times as large as the archive.
Status ask(const AcceptArray& accept, const std::string& key, std::string_view bytes, const Member& member, const std::string& where) {
    constexpr uint64_t kLongestHeader = 1 << 17;
    if (!accept) return Nothing();
    const Result<std::string> head = unpack_first(kLongestHeader, bytes, member, where);
    if (!head) return head.error();
    const Result<NpyHeader> header = parse_npy_header(*head, where + ":" + member.name);
    if (!header) return header.error();
    return accept(key, header->dtype, header->shape);
}

template <class T>
void append(std::string& bytes, T value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

/// What a local header and a directory entry have in common, with the wide sizes that this writer always gives.
void append_entry(std::string& bytes, const std::string& name, uint32_t crc, bool central) {
    append<uint16_t>(bytes, 45);  // needs zip64
    append<uint16_t>(bytes, 0x800);  // the name is UTF-8
    append<uint16_t>(bytes, kStored);
    append<uint16_t>(bytes, 0);       // midnight,
    append<uint16_t>(bytes, 0x21);    // 1 January 1980: the same tensors give the same file
    append<uint32_t>(bytes, crc);
    append<uint32_t>(bytes, UINT32_MAX);
    append<uint32_t>(bytes, UINT32_MAX);
    append<uint16_t>(bytes, uint16_t(name.size()));
    append<uint16_t>(bytes, central ? 28 : 20);
}

}  // namespace

Result<std::map<std::string, Tensor>> parse_npz(std::string_view bytes, const std::string& name, const AcceptArray& accept) {
    std::optional<Directory> directory = find_directory(bytes);
    if (!directory || directory->offset > bytes.size()) return array_file_error(name, "this is no .npz file: it has no zip directory");
    std::map<std::string, Tensor> tensors;
    uint64_t at = directory->offset, total = 0;
    for (uint64_t i = 0; i < directory->entries; ++i) {
        std::optional<Member> member = read_member(bytes, at);
        if (!member) return array_file_error(name, "the directory of the .npz file is damaged");
        if (member->name.ends_with("/")) continue;
        // Members may share bytes of the archive, so that each alone is possible and all together are not.
        if (__builtin_add_overflow(total, member->size, &total) || total / kDeflateBestRatio > bytes.size())
            return array_file_error(name, "the members of the .npz file claim more than it can hold");
        std::string key = member->name.ends_with(".npy") ? member->name.substr(0, member->name.size() - 4) : member->name;
        if (Status accepted = ask(accept, key, bytes, *member, name); !accepted) return accepted.error();
        Result<std::string> content = unpack_first(member->size, bytes, *member, name);
        if (!content) return content.error();
        Result<Tensor> tensor = parse_npy(*content, name + ":" + member->name);
        if (!tensor) return tensor.error();
        if (!tensors.emplace(key, std::move(*tensor)).second) return array_file_error(name, "the .npz file has two members '" + key + "'");
    }
    return tensors;
}

Result<std::map<std::string, Tensor>> read_npz(const std::string& path, const AcceptArray& accept) {
    Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse_npz(*bytes, path, accept);
}

Status write_npz(const std::string& path, const std::map<std::string, Tensor>& tensors) {
    std::string bytes, directory;
    for (const auto& [key, tensor] : tensors) {
        std::string name = key + ".npy", content = format_npy(tensor);
        if (name.size() > UINT16_MAX) return error("a tensor's name is too long for an .npz file");
        uint32_t crc = checksum(content);
        uint64_t header = bytes.size(), size = content.size();
        append<uint32_t>(bytes, kLocalHeader);
        append_entry(bytes, name, crc, false);
        bytes += name;
        append<uint16_t>(bytes, kExtra64);
        append<uint16_t>(bytes, 16);
        append<uint64_t>(bytes, size);
        append<uint64_t>(bytes, size);
        bytes += content;

        append<uint32_t>(directory, kCentralHeader);
        append<uint16_t>(directory, 45);
        append_entry(directory, name, crc, true);
        append<uint16_t>(directory, 0);  // no comment,
        append<uint16_t>(directory, 0);  // first disk,
        append<uint16_t>(directory, 0);  // a binary file
        append<uint32_t>(directory, 0);
        append<uint32_t>(directory, UINT32_MAX);
        directory += name;
        append<uint16_t>(directory, kExtra64);
        append<uint16_t>(directory, 24);
        append<uint64_t>(directory, size);
        append<uint64_t>(directory, size);
        append<uint64_t>(directory, header);
    }
    uint64_t directory_at = bytes.size(), record_at = directory_at + directory.size();
    bytes += directory;
    append<uint32_t>(bytes, kEndRecord64);
    append<uint64_t>(bytes, 44);
    append<uint16_t>(bytes, 45);
    append<uint16_t>(bytes, 45);
    append<uint32_t>(bytes, 0);
    append<uint32_t>(bytes, 0);
    append<uint64_t>(bytes, tensors.size());
    append<uint64_t>(bytes, tensors.size());
    append<uint64_t>(bytes, directory.size());
    append<uint64_t>(bytes, directory_at);
    append<uint32_t>(bytes, kEndLocator64);
    append<uint32_t>(bytes, 0);
    append<uint64_t>(bytes, record_at);
    append<uint32_t>(bytes, 1);
    append<uint32_t>(bytes, kEndRecord);
    append<uint16_t>(bytes, 0);
    append<uint16_t>(bytes, 0);
    append<uint16_t>(bytes, UINT16_MAX);
    append<uint16_t>(bytes, UINT16_MAX);
    append<uint32_t>(bytes, UINT32_MAX);
    append<uint32_t>(bytes, UINT32_MAX);
    append<uint16_t>(bytes, 0);
    return write_file(path, bytes);
}

}  // namespace partita
