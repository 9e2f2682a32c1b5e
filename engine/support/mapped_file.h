// A file's bytes, mapped read-only into memory: opening costs nothing for its size, pages are read when touched.
//
// Where another program shortens the file, touching the mapping ends the process. So it is for the time of opening a
// model; what is wanted later is read.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <sys/stat.h>

#include "engine/support/diagnostic.h"

namespace partita {

class MappedFile {
public:
    /// Refuses folders and devices. The bytes live as long as a copy of the pointer.
    static Result<std::shared_ptr<const MappedFile>> open(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::string_view bytes() const { return bytes_; }
    /// Copies a part of `bytes()` by reading it. Refuses where the file has changed since it was opened.
    Status read(std::string_view part, void* into) const;
    /// Gives back the memory of what was touched: it is read again when touched.
    void forget() const;

private:
    MappedFile(std::string path, int descriptor, const struct stat& status, std::string_view bytes)
        : path_(std::move(path)), descriptor_(descriptor), status_(status), bytes_(bytes) {}
    bool unchanged() const;

    std::string path_;
    int descriptor_;
    struct stat status_;  ///< when it was opened
    std::string_view bytes_;
};

}  // namespace partita
