#include "engine/support/file.h"
#include "engine/support/system_reason.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

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

Diagnostic system_fault(const std::string& what) { return error(what + ": " + system_reason(errno)); }

bool write_all(int descriptor, std::string_view content) {
    while (!content.empty()) {
        ssize_t written = ::write(descriptor, content.data(), content.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        content.remove_prefix(size_t(written));
    }
    return true;
}

/// What a file is made of, one after the other; a piece lasts until the next is asked for.
struct Pieces {
    size_t count;
    const std::function<std::string_view(size_t)>& piece;
};

bool write_all(int descriptor, const Pieces& pieces) {
    for (size_t i = 0; i < pieces.count; ++i)
        if (!write_all(descriptor, pieces.piece(i))) return false;
    return true;
}

/// Makes a rename in a folder survive a power cut. Ignores file systems that do not support it.
void flush_folder(const std::string& path) {
    std::string folder = std::filesystem::path(path).parent_path().string();
    FileDescriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

/// Returns the final target of a link, even if it does not exist yet; any other path unchanged.
std::string followed(std::filesystem::path path) {
    constexpr int kMostLinks = 40;  // as Linux
    std::error_code ignored;
    for (int i = 0; i < kMostLinks && std::filesystem::is_symlink(path, ignored); ++i)
        path = path.parent_path() / std::filesystem::read_symlink(path, ignored);
    return path.string();
}

/// Returns the permissions of the file to be replaced, or the process's default.
mode_t mode_for(const std::string& path) {
    struct stat status;
    if (::stat(path.c_str(), &status) == 0) return status.st_mode & 07777;
    mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

/// The files of this process that have temporary names.
struct UnfinishedFiles {
    std::mutex mutex;  ///< held while files get or lose such a name
    std::set<std::string> paths;
};

UnfinishedFiles& unfinished_files() {
    static auto* const files = new UnfinishedFiles;  // stays: a signal may come while the process ends
    return *files;
}

/// A file that is written beside its target under another name. Removed unless it is put in its place.
class FileBeside {
public:
    explicit FileBeside(std::string target) : target_(std::move(target)) {}
    FileBeside(FileBeside&& other) noexcept
        : target_(std::move(other.target_)), path_(std::exchange(other.path_, std::string())) {}
    ~FileBeside() {
        std::lock_guard lock(unfinished_files().mutex);
        if (unfinished_files().paths.erase(path_) > 0) ::unlink(path_.c_str());
    }

    /// Flushes it to the disk only if `at_once`.
    Status write(const Pieces& pieces, bool at_once) {
        // A short name of its own, because the file's name may have the maximum length.
        std::string path = (std::filesystem::path(target_).parent_path() / ".partita-XXXXXX").string();
        std::unique_lock lock(unfinished_files().mutex);
        FileDescriptor file(::mkostemp(path.data(), O_CLOEXEC));
        if (file.get() < 0) return system_fault("can't write " + target_);
        path_ = *unfinished_files().paths.insert(path).first;
        lock.unlock();
        const bool written = write_all(file.get(), pieces) && ::fchmod(file.get(), mode_for(target_)) == 0 &&
                             (!at_once || ::fsync(file.get()) == 0);
        return written ? Status(Nothing()) : system_fault("can't write " + target_);
    }

    /// The mutex is held.
    Status put_in_place() {
        if (::rename(path_.c_str(), target_.c_str()) != 0) return system_fault("can't write " + target_);
        unfinished_files().paths.erase(path_);
        return Nothing();
    }

private:
    std::string target_, path_;
};

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

Status write_file(const std::string& path, std::string_view content) {
    return write_file(path, 1, [content](size_t) { return content; });
}

Status write_file(const std::string& path, size_t count, const std::function<std::string_view(size_t)>& piece) {
    const Pieces pieces{count, piece};
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return error("can't write " + path + ": it is a folder");
    if (std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored)) {
        // A device such as /dev/stdout cannot be replaced; write to it.
        FileDescriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (device.get() < 0 || !write_all(device.get(), pieces)) return system_fault("can't write " + path);
        return Nothing();
    }
    // Follow a link, so that its target is replaced and not the link.
    const std::string target = followed(path);
    if (std::filesystem::is_symlink(target, ignored)) return error("can't write " + path + ": its links form a cycle");
    FileBeside file(target);
    if (Status written = file.write(pieces, true); !written) return written;
    {
        std::lock_guard lock(unfinished_files().mutex);
        if (Status placed = file.put_in_place(); !placed) return placed;
    }
    flush_folder(target);
    return Nothing();
}

Status write_files(const std::string& folder, std::span<const NewFile> files, std::span<const std::string> old) {
    std::vector<FileBeside> written;
    std::error_code ignored;
    for (const NewFile& file : files) {
        const std::string target = followed(std::filesystem::path(folder) / file.name);
        if (std::filesystem::is_directory(target, ignored)) return error("can't write " + target + ": it is a folder");
        written.emplace_back(target);
        if (Status done = written.back().write({file.count, file.piece}, false); !done) return done;
    }
    // One flush for all: one per file takes a minute for 40,000 files.
    FileDescriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() < 0 || ::syncfs(descriptor.get()) != 0) return system_fault("can't write " + folder);
    std::unique_lock lock(unfinished_files().mutex);  // a signal meanwhile waits: no mixture of old and new stays
    for (FileBeside& file : written)
        if (Status placed = file.put_in_place(); !placed) {
            lock.unlock();
            return placed;
        }
    for (const std::string& name : old) std::filesystem::remove(std::filesystem::path(folder) / name, ignored);
    lock.unlock();
    ::fsync(descriptor.get());
    return Nothing();
}

void give_up_unfinished_files() {
    unfinished_files().mutex.lock();  // for ever
    for (const std::string& path : unfinished_files().paths) ::unlink(path.c_str());
}

}  // namespace partita
