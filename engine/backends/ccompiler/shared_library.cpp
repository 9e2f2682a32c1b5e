#include "engine/backends/ccompiler/shared_library.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/support/file.h"
#include "engine/support/hash.h"
#include "engine/support/process.h"
#include "engine/support/system_reason.h"

namespace partita {

namespace {

namespace fs = std::filesystem;

constexpr const char* kDefaultCompiler = "cc";
constexpr const char* kDefaultFlags = "-O3 -march=native -fno-math-errno -fno-trapping-math -fopenmp";
/// Ends each cached library, followed by the hash of the bytes before it.
constexpr std::string_view kSeal = "PARTITA-SEAL-1 ";
constexpr size_t kHashDigits = 16;

std::string hex(uint64_t value) {
    char text[kHashDigits + 1];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

uint64_t hash_text(std::string_view text, uint64_t seed) {
    size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) {
        uint64_t word;
        std::memcpy(&word, text.data() + i, 8);
        seed = hash_combine(seed, word);
    }
    for (; i < text.size(); ++i) seed = hash_combine(seed, uint8_t(text[i]));
    return hash_combine(seed, text.size());
}

std::string environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value && *value ? value : otherwise;
}

/// Returns what `-march=native` depends on: different machines may share a home folder.
std::string processor_features() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("flags") || line.starts_with("Features")) return line;
    return "";
}

class Compilation {
public:
    Compilation(const std::string& source, const LibraryOptions& options, std::string folder)
        : source_(source), options_(options), folder_(std::move(folder)) {
        compiler_ = split_arguments(environment("PARTITA_CC", kDefaultCompiler));
        flags_ = split_arguments(environment("PARTITA_CFLAGS", kDefaultFlags));
        key_ = make_key();
    }

    std::string path() const { return folder_ + "/" + key_ + ".so"; }

    Result<std::string> make_file() {
        if (is_sealed(path())) return path();
        if (Status made = compile(path()); !made) return made.error();
        return path();
    }

    Result<CompiledLibrary> run() {
        std::string path = this->path();
        if (std::unique_ptr<SharedLibrary> cached = load_sealed(path)) return CompiledLibrary{std::move(cached), true};
        std::error_code ignored;
        fs::remove(path, ignored);
        if (Status made = compile(path); !made) return made.error();
        std::unique_ptr<SharedLibrary> library = load_sealed(path);
        if (!library) return error("the library that '" + compiler_[0] + "' made can't be loaded: " + load_error_);
        return CompiledLibrary{std::move(library), false};
    }

private:
    /// Returns two independent hashes, 128 bits.
    std::string make_key() const {
        std::string all = source_;
        for (const std::vector<std::string>* list : {&compiler_, &flags_})
            for (const std::string& word : *list) all += '\0' + word;
        all += '\0' + processor_features();
        return hex(hash_text(all, 1)) + hex(hash_text(all, 2));
    }

    bool is_sealed(const std::string& path) {
        Result<std::string> bytes = read_file(path);
        if (!bytes) {
            load_error_ = bytes.error().message;
            return false;
        }
        size_t seal_size = kSeal.size() + kHashDigits;
        load_error_ = "it is damaged";
        if (bytes->size() < seal_size) return false;
        std::string_view content(*bytes);
        std::string_view seal = content.substr(content.size() - seal_size);
        content.remove_suffix(seal_size);
        return seal.starts_with(kSeal) && seal.substr(kSeal.size()) == hex(hash_text(content, 3));
    }

    std::unique_ptr<SharedLibrary> load_sealed(const std::string& path) {
        if (!is_sealed(path)) return nullptr;
        void* handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!handle) {
            load_error_ = ::dlerror();
            return nullptr;
        }
        return std::make_unique<SharedLibrary>(handle);
    }

    Status compile(const std::string& path) {
        if (compiler_.empty()) return error("PARTITA_CC names no compiler");
        static std::atomic<unsigned> counter{0};
        std::string stem = folder_ + "/" + key_ + "." + std::to_string(::getpid()) + "." + std::to_string(counter++);
        std::string source_path = stem + ".c", library_path = stem + ".so";
        struct Cleaner {
            std::string a, b;
            ~Cleaner() {
                std::error_code ignored;
                fs::remove(a, ignored);
                fs::remove(b, ignored);
            }
        } cleaner{source_path, library_path};
        if (Status written = write_file(source_path, source_); !written) return written;

        std::vector<std::string> arguments = compiler_;
        arguments.insert(arguments.end(), flags_.begin(), flags_.end());
        for (const char* fixed : {"-std=c11", "-shared", "-fPIC", "-o"}) arguments.push_back(fixed);
        arguments.insert(arguments.end(), {library_path, source_path, "-lm"});
        ProcessOptions process;
        process.time_limit_seconds = options_.time_limit_seconds;
        process.cancel = options_.cancel;
        process.output_limit = 1 << 20;
        Result<ProcessResult> ran = run_process(arguments, process);
        if (!ran) return ran.error();
        if (ran->cancelled) return error("cancelled");
        if (ran->timed_out)
            return error("'" + compiler_[0] + "' took longer than " + std::to_string(int(options_.time_limit_seconds)) +
                         " s");
        if (ran->exit_status != 0)
            return error("'" + compiler_[0] + "' refused the generated source: " + first_lines(ran->error_output));

        Result<std::string> bytes = read_file(library_path);
        if (!bytes) return bytes.error();
        return write_file(path, *bytes + std::string(kSeal) + hex(hash_text(*bytes, 3)));
    }

    static std::string first_lines(const std::string& text) {
        constexpr size_t kMost = 600;
        return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
    }

    const std::string& source_;
    const LibraryOptions& options_;
    std::string folder_, key_, load_error_;
    std::vector<std::string> compiler_, flags_;
};

}  // namespace

SharedLibrary::~SharedLibrary() {
    if (handle_) ::dlclose(handle_);
}

void* SharedLibrary::symbol(const char* name) const { return ::dlsym(handle_, name); }

namespace {

/// Makes a folder that only the user can write to, or finds it to be so: code from here is loaded.
Result<std::string> private_folder(const std::string& folder) {
    std::error_code failure;
    fs::path parent = fs::path(folder).parent_path();
    if (!parent.empty()) fs::create_directories(parent, failure);
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return error("the folder " + folder + " can't be made: " + system_reason(errno));
    struct stat info {};
    if (::stat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return error(folder + " is no folder");
    if (info.st_uid != ::geteuid() || (info.st_mode & S_IWOTH))
        return error("the folder " + folder + " belongs to somebody else or can be written by everybody");
    if (::access(folder.c_str(), W_OK) != 0) return error("the folder " + folder + " can't be written");
    return folder;
}

/// Returns "" if the environment names no place.
std::string usual_cache_folder() {
    const std::string base = environment("XDG_CACHE_HOME", "");
    if (!base.empty() && base[0] == '/') return base + "/partita";
    const std::string home = environment("HOME", "");
    return home.empty() ? "" : home + "/.cache/partita";
}

}  // namespace

Result<std::string> user_cache_folder(const std::string& wanted) {
    if (!wanted.empty()) return private_folder(wanted);
    if (const std::string usual = usual_cache_folder(); !usual.empty())
        if (Result<std::string> folder = private_folder(usual)) return folder;
    std::error_code failure;
    const fs::path temporary = fs::temp_directory_path(failure);
    return private_folder((failure ? fs::path("/tmp") : temporary) / ("partita-" + std::to_string(::geteuid())));
}

Result<std::string> compile_c_to_file(const std::string& source, const LibraryOptions& options) {
    Result<std::string> folder = user_cache_folder(options.cache_folder);
    if (!folder) return folder.error();
    return Compilation(source, options, *folder).make_file();
}

Result<CompiledLibrary> compile_c(const std::string& source, const LibraryOptions& options) {
    Result<std::string> folder = user_cache_folder(options.cache_folder);
    if (!folder) return folder.error();
    return Compilation(source, options, *folder).run();
}

}  // namespace partita
