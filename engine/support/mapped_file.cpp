#include "engine/support/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "engine/support/one_line.h"

namespace partita {

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path) {
    auto fault = [&](const std::string& what) {
        Diagnostic diagnostic = error(what);
        diagnostic.file = path;
        return diagnostic;
    };
    int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return fault(std::string("can't read the file: ") + std::strerror(errno));
    struct stat status;
    bool known = ::fstat(descriptor, &status) == 0;
    if (!known || !S_ISREG(status.st_mode)) {
        ::close(descriptor);
        return fault(known && S_ISDIR(status.st_mode) ? "this is a folder; expected a file"
                                                      : "this is not a regular file");
    }
    size_t size = size_t(status.st_size);
    void* memory = size ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0) : nullptr;
    if (memory == MAP_FAILED) {
        Diagnostic failure = fault(std::string("can't map the file: ") + std::strerror(errno));
        ::close(descriptor);
        return failure;
    }
    return std::shared_ptr<const MappedFile>(new MappedFile(path, descriptor, status, {static_cast<const char*>(memory), size}));
}

bool MappedFile::unchanged() const {
    struct stat now;
    return ::fstat(descriptor_, &now) == 0 && now.st_size == status_.st_size &&
           now.st_mtim.tv_sec == status_.st_mtim.tv_sec && now.st_mtim.tv_nsec == status_.st_mtim.tv_nsec;
}

Status MappedFile::read(std::string_view part, void* into) const {
    auto refuse = [&](const std::string& why) {
        return error("the data of " + in_quotes(path_) + " can't be read any more: " + why + "; open the model again");
    };
    off_t place = part.data() - bytes_.data();
    for (size_t done = 0; done < part.size();) {
        ssize_t count = ::pread(descriptor_, static_cast<char*>(into) + done, part.size() - done, place + off_t(done));
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return refuse(std::strerror(errno));
        if (count == 0) break;
        done += size_t(count);
    }
    // Afterwards, so that what changed while it was read is refused, too.
    if (!unchanged()) return refuse("the file has changed since it was opened");
    return Nothing();
}

void MappedFile::forget() const {
    if (!bytes_.empty()) ::madvise(const_cast<char*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
    ::close(descriptor_);
}

}  // namespace partita
