// Archives of tensors: see npy.h.
#include <algorithm>

#include "engine/runtime/npy.h"
#include "engine/support/file.h"
#include "engine/support/zip_library.h"

namespace partita {

namespace {

/// Deflate's best ratio is 1032 to 1; an archive that claims more is invalid.
constexpr uint64_t kDeflateBestRatio = 1032;
constexpr uint64_t kLongestHeader = 1 << 17;

struct Member {
    std::string name;
    uint64_t index = 0, size = 0;
};

/// Reads the first `wanted` bytes of a member; if these are all, libzip verifies the checksum.
Result<std::string> unpack_first(uint64_t wanted, zip_t* archive, const Member& member, const std::string& where) {
    const auto damaged = [&](const char* why) {
        return array_file_error(where, "the member '" + member.name + "' can't be unpacked: " + why);
    };
    const ZipLibrary& zip = ZipLibrary::get();
    const ZipMember file(zip.fopen_index(archive, member.index, 0), zip.fclose);
    if (!file) return damaged(zip.strerror(archive));
    std::string content(std::min(wanted, member.size), '\0');
    if (zip.fread(file.get(), content.data(), content.size()) != zip_int64_t(content.size()))
        return damaged(zip.file_strerror(file.get()));
    char more;
    if (content.size() == member.size && zip.fread(file.get(), &more, 1) != 0)
        return damaged(zip.file_strerror(file.get()));
    return content;
}

/// Passes the header of a member to `accept`, because its content may be a thousand times as large as the archive.
Status ask(const AcceptArray& accept, const std::string& key, zip_t* archive, const Member& member,
           const std::string& where) {
    if (!accept) return Nothing();
    const Result<std::string> head = unpack_first(kLongestHeader, archive, member, where);
    if (!head) return head.error();
    const Result<NpyHeader> header = parse_npy_header(*head, where + ":" + member.name);
    if (!header) return header.error();
    return accept(key, header->dtype, header->shape);
}

}  // namespace

Result<std::map<std::string, Tensor>> parse_npz(std::string_view bytes, const std::string& name,
                                                const AcceptArray& accept) {
    const ZipLibrary& zip = ZipLibrary::get();
    if (!zip.problem().empty()) return array_file_error(name, "archives can't be read: " + zip.problem());
    const ZipArchive archive = open_zip(zip, bytes);
    if (!archive) return array_file_error(name, "this is not an .npz file: it is not a zip archive, or it is damaged");
    std::map<std::string, Tensor> tensors;
    uint64_t total = 0;
    for (uint64_t i = 0; i < uint64_t(zip.get_num_entries(archive.get(), 0)); ++i) {
        zip_stat_t stat;
        constexpr zip_uint64_t kNeeded = ZIP_STAT_NAME | ZIP_STAT_SIZE;
        if (zip.stat_index(archive.get(), i, 0, &stat) != 0 || (stat.valid & kNeeded) != kNeeded)
            return array_file_error(name, "the directory of the .npz file is damaged");
        const Member member{stat.name, i, stat.size};
        if (member.name.ends_with("/")) continue;
        // Members may share bytes of the archive, so that each alone is possible and all together are not.
        if (__builtin_add_overflow(total, member.size, &total) || total / kDeflateBestRatio > bytes.size())
            return array_file_error(name, "the members of the .npz file claim more than it can hold");
        const std::string key =
            member.name.ends_with(".npy") ? member.name.substr(0, member.name.size() - 4) : member.name;
        if (Status accepted = ask(accept, key, archive.get(), member, name); !accepted) return accepted.error();
        const Result<std::string> content = unpack_first(member.size, archive.get(), member, name);
        if (!content) return content.error();
        Result<Tensor> tensor = parse_npy(*content, name + ":" + member.name);
        if (!tensor) return tensor.error();
        if (!tensors.emplace(key, std::move(*tensor)).second)
            return array_file_error(name, "the .npz file has two members '" + key + "'");
    }
    return tensors;
}

Result<std::map<std::string, Tensor>> read_npz(const std::string& path, const AcceptArray& accept) {
    Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse_npz(*bytes, path, accept);
}

}  // namespace partita
