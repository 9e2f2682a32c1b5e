#include "engine/support/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace partita {

namespace {

class FileDescriptor {
public:
    explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
    ~FileDescriptor() {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;
    int get() const { return descriptor_; }

private:
    int descriptor_;
};

Diagnostic system_fault(const std::string& what) { return error(what + ": " + std::strerror(errno)); }

bool write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content.remove_prefix(size_t(written));
    }
    return true;
}

bool write_all(int descriptor, std::span<const std::string_view> pieces) {
    return std::all_of(pieces.begin(), pieces.end(),
                       [&](std::string_view piece) { return write_all(descriptor, piece); });
}

/// Makes a rename in a folder outlive a power cut. File systems that can't are left alone.
void flush_folder(const std::string& path) {
    std::string folder = std::filesystem::path(path).parent_path().string();
    FileDescriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

/// The permissions that the written file gets: those of the file it replaces, or the process's default.
mode_t mode_for(const std::string& path) {
    struct stat status;
    if (::stat(path.c_str(), &status) == 0) return status.st_mode & 07777;
    mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

}  // namespace

Result<std::string> read_file(const std::string& path) {
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return system_fault("can't read the file");
    struct stat status;
    if (::fstat(file.get(), &status) != 0) return system_fault("can't read the file");
    if (S_ISDIR(status.st_mode)) return error("this is a folder; expected a file");
    if (!S_ISREG(status.st_mode)) return error("this is not a regular file");
    std::string content(size_t(status.st_size), '\0');
    size_t done = 0;
    while (done < content.size()) {
        ssize_t got = ::read(file.get(), content.data() + done, content.size() - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return system_fault("can't read the file");
        if (got == 0) break;
        done += size_t(got);
    }
    content.resize(done);
    return content;
}

Status write_file(const std::string& path, std::string_view content) { return write_file(path, std::span(&content, 1)); }

Status write_file(const std::string& path, std::span<const std::string_view> pieces) {
    std::error_code ignored;
    // A link is followed, so that the file it names is replaced and not the link.
    std::string target =
        std::filesystem::is_symlink(path, ignored) ? std::filesystem::weakly_canonical(path, ignored).string() : path;
    if (std::filesystem::is_directory(target, ignored)) return error("can't write " + path + ": it is a folder");
    if (std::filesystem::exists(target, ignored) && !std::filesystem::is_regular_file(target, ignored)) {
        // A device such as /dev/stdout can't be replaced; it is written to.
        FileDescriptor device(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
        if (device.get() < 0 || !write_all(device.get(), pieces)) return system_fault("can't write " + path);
        return Nothing();
    }
    // A short name of its own: the file's name may be as long as names can be.
    std::string temporary = (std::filesystem::path(target).parent_path() / ".partita-XXXXXX").string();
    FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (file.get() < 0) return system_fault("can't write " + path);
    bool written = write_all(file.get(), pieces) && ::fchmod(file.get(), mode_for(target)) == 0 &&
                   ::fsync(file.get()) == 0 && ::rename(temporary.c_str(), target.c_str()) == 0;
    if (written) {
        flush_folder(target);
        return Nothing();
    }
    Diagnostic fault = system_fault("can't write " + path);
    ::unlink(temporary.c_str());
    return fault;
}

}  // namespace partita
