#include "engine/support/source_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>

#include "engine/support/hash.h"
#include "engine/support/system_reason.h"

namespace partita {

Result<std::shared_ptr<const SourceFile>> SourceFile::open(const std::string& path) {
    auto fault = [&](const std::string& what) {
        Diagnostic diagnostic = error(what);
        diagnostic.file = path;
        return diagnostic;
    };
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return fault("can't read the file: " + system_reason(errno));
    struct stat status;
    bool known = ::fstat(descriptor, &status) == 0;
    if (!known || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return fault(known && S_ISDIR(status.st_mode) ? "this is a folder; expected a file"
                                                      : "this is not a regular file");
    }
    return std::shared_ptr<const SourceFile>(new SourceFile(path, descriptor, status));
}

bool SourceFile::unchanged() const {
    struct stat now;
    return ::fstat(descriptor_, &now) == 0 && now.st_size == status_.st_size &&
           now.st_mtim.tv_sec == status_.st_mtim.tv_sec && now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec;
}

Status SourceFile::read(size_t place, size_t count, void* into) const {
    assert(place <= size() && count <= size() - place);
    for (size_t done = 0; done < count;) {
        ssize_t got = ::pread(descriptor_, static_cast<char*>(into) + done, count - done, off_t(place + done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return error("can't read the file: " + system_reason(errno));
        if (got == 0) break;
        done += size_t(got);
    }
    // After reading, to refuse a file that changed meanwhile, too.
    if (!unchanged()) return error("the file has changed since it was opened");
    return Nothing();
}

SourceFile::~SourceFile() { ::close(descriptor_); }

uint64_t SourceFile::identity() const {
    uint64_t hash = hash_combine(uint64_t(status_.st_dev), uint64_t(status_.st_ino));
    hash = hash_combine(hash, uint64_t(status_.st_size));
    hash = hash_combine(hash, uint64_t(status_.st_mtim.tv_sec));
    return hash_combine(hash, uint64_t(status_.st_mtim.tv_nsec)) | 1;
}

}  // namespace partita
