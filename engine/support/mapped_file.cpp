#include "engine/support/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

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
    ::close(descriptor);
    if (memory == MAP_FAILED) return fault(std::string("can't map the file: ") + std::strerror(errno));
    return std::shared_ptr<const MappedFile>(new MappedFile({static_cast<const char*>(memory), size}));
}

void MappedFile::forget(std::string_view part) const {
    if (part.data() < bytes_.data() || part.data() + part.size() > bytes_.data() + bytes_.size()) return;
    const size_t page = size_t(::sysconf(_SC_PAGESIZE));
    size_t begin = (size_t(part.data() - bytes_.data()) + page - 1) / page * page;
    size_t end = size_t(part.data() + part.size() - bytes_.data()) / page * page;
    if (begin < end) ::madvise(const_cast<char*>(bytes_.data()) + begin, end - begin, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

}  // namespace partita
