// Turns C source into a loaded shared library: the system's compiler with an argument list, and a cache on disk.
//
// The compiler and its flags come from the environment: PARTITA_CC (`cc`) and PARTITA_CFLAGS (see kDefaultFlags). A
// library is cached under the hash of source, compiler, flags and processor; its checksum reveals damage, and a damaged
// library is built again. Programs may compile the same source at once: each writes a file of its own and renames it.
#pragma once

#include <memory>
#include <string>

#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

class SharedLibrary {
public:
    /// Takes ownership of a handle of dlopen.
    explicit SharedLibrary(void* handle) : handle_(handle) {}
    ~SharedLibrary();
    SharedLibrary(const SharedLibrary&) = delete;
    SharedLibrary& operator=(const SharedLibrary&) = delete;
    /// Returns null if there is no such symbol.
    void* symbol(const char* name) const;

private:
    void* handle_;
};

struct LibraryOptions {
    std::string cache_folder;  ///< "" = the user's, as `user_cache_folder` finds it
    double time_limit_seconds = 120;
    CancelToken cancel;
};

struct CompiledLibrary {
    std::unique_ptr<SharedLibrary> library;
    bool from_cache = false;
};

Result<CompiledLibrary> compile_c(const std::string& source, const LibraryOptions& options);
/// Does the same, but returns the library's path for others to load.
Result<std::string> compile_c_to_file(const std::string& source, const LibraryOptions& options);

/// Returns the folder for files that can be made again; creates it if needed, accessible only to the user. "" is
/// XDG_CACHE_HOME/partita, or ~/.cache/partita; where that can't be used, a folder of the user's in the temporary one.
Result<std::string> user_cache_folder(const std::string& wanted);

}  // namespace partita
