// A file's bytes, mapped read-only into memory: opening costs nothing for its size, pages are read when touched.
#pragma once

#include <memory>
#include <string>
#include <string_view>

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
    /// Gives back the memory of a part that was read and is not needed soon: it is read again when touched.
    void forget(std::string_view part) const;

private:
    explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}
    std::string_view bytes_;
};

}  // namespace partita
