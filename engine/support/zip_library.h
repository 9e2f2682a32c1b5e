// The functions of libzip. It is loaded when the first archive is read: it brings libcrypto, whose loading alone takes
// longer than the rest of a short command.
#pragma once

#include <zip.h>

#include <memory>
#include <string>
#include <string_view>

namespace partita {

class ZipLibrary {
public:
    static const ZipLibrary& get();

    /// Why it can't be loaded; empty if it can.
    const std::string& problem() const { return problem_; }

    decltype(&zip_source_buffer_create) source_buffer_create = nullptr;
    decltype(&zip_source_free) source_free = nullptr;
    decltype(&zip_open_from_source) open_from_source = nullptr;
    decltype(&zip_discard) discard = nullptr;
    decltype(&zip_strerror) strerror = nullptr;
    decltype(&zip_get_num_entries) get_num_entries = nullptr;
    decltype(&zip_stat_index) stat_index = nullptr;
    decltype(&zip_fopen_index) fopen_index = nullptr;
    decltype(&zip_fread) fread = nullptr;
    decltype(&zip_file_strerror) file_strerror = nullptr;
    decltype(&zip_fclose) fclose = nullptr;

private:
    ZipLibrary();

    std::string problem_;
};

using ZipArchive = std::unique_ptr<zip_t, decltype(&zip_discard)>;
using ZipMember = std::unique_ptr<zip_file_t, decltype(&zip_fclose)>;

/// Opens an archive in bytes that outlive it; null if they are not one.
ZipArchive open_zip(const ZipLibrary& zip, std::string_view bytes);

}  // namespace partita
