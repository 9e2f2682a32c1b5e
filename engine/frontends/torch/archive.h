// A zip archive as PyTorch and ExecuTorch write them: members by name, small ones read whole, stored ones as places in
// their file, so that weights are not read before somebody wants them.
//
// The directory is read here, because libzip does not tell where a member stands; what is deflated is left to libzip.
// Untrusted: sizes are checked against the file before memory is taken, members must not share bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/support/diagnostic.h"
#include "engine/support/source_file.h"

namespace partita::torch {

struct Member {
    std::string name;
    uint64_t size = 0, packed = 0;
    uint64_t place = 0;  ///< of its bytes in the file
    uint32_t crc = 0;
    uint16_t method = 0;  ///< 0: stored

    bool is_stored() const { return method == 0; }
};

class Archive {
public:
    static Result<Archive> open(std::shared_ptr<const SourceFile> file);
    /// An archive that is a stored member of another.
    Result<Archive> inside(const Member& member) const;

    /// Returns null if there is no such member.
    const Member* find(std::string_view name) const;
    const std::vector<Member>& members() const { return members_; }
    const std::shared_ptr<const SourceFile>& file() const { return file_; }
    /// Returns the bytes of a member, of which the checksum is right.
    Result<std::string> read(const Member& member) const;

private:
    Archive(std::shared_ptr<const SourceFile> file, uint64_t begin, uint64_t size)
        : file_(std::move(file)), begin_(begin), size_(size) {}
    Status read_directory();
    Status add_members(std::string_view directory, uint64_t count);
    Status find_places(uint64_t directory_place);
    Result<std::string> bytes(uint64_t place, uint64_t count) const;

    std::shared_ptr<const SourceFile> file_;
    uint64_t begin_, size_;  ///< where the archive lies in the file
    std::vector<Member> members_;
    std::unordered_map<std::string_view, size_t> by_name_;
};

}  // namespace partita::torch
