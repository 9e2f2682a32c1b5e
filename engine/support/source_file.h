// A file that stays open and is read in parts. Reading fails if the file has changed on the disk since it was opened.
//
// Not mapped: if another program shortens a mapped file, reading the mapping kills the process.
#pragma once

#include <memory>
#include <string>

#include <sys/stat.h>

#include "engine/support/diagnostic.h"

namespace partita {

class SourceFile {
public:
    /// Refuses folders and devices.
    static Result<std::shared_ptr<const SourceFile>> open(const std::string& path);
    ~SourceFile();
    SourceFile(const SourceFile&) = delete;
    SourceFile& operator=(const SourceFile&) = delete;

    const std::string& path() const { return path_; }
    /// Returns the bytes when it was opened.
    size_t size() const { return size_t(status_.st_size); }
    /// Stands for the file as it was when it was opened: for the same numbers the same bytes are read. Never 0.
    uint64_t identity() const;
    /// Copies `count` bytes from `place` on, which must lie inside size(). Thread-safe.
    Status read(size_t place, size_t count, void* into) const;

private:
    SourceFile(std::string path, int descriptor, const struct stat& status)
        : path_(std::move(path)), descriptor_(descriptor), status_(status) {}
    bool unchanged() const;

    std::string path_;
    int descriptor_;
    struct stat status_;  ///< when it was opened
};

}  // namespace partita
