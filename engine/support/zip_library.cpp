#include "engine/support/zip_library.h"

#include <dlfcn.h>

#include <type_traits>

namespace partita {

const ZipLibrary& ZipLibrary::get() {
    static const ZipLibrary zip;
    return zip;
}

ZipLibrary::ZipLibrary() {
    void* handle = dlopen(PARTITA_LIBZIP, RTLD_NOW | RTLD_LOCAL);
    const auto find = [&](auto& function, const char* name) {
        function = handle ? reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(handle, name)) : nullptr;
        if (function || !problem_.empty()) return;
        const char* why = dlerror();
        problem_ = why ? why : name;
    };
    find(source_buffer_create, "zip_source_buffer_create");
    find(source_free, "zip_source_free");
    find(open_from_source, "zip_open_from_source");
    find(discard, "zip_discard");
    find(strerror, "zip_strerror");
    find(get_num_entries, "zip_get_num_entries");
    find(stat_index, "zip_stat_index");
    find(fopen_index, "zip_fopen_index");
    find(fread, "zip_fread");
    find(file_strerror, "zip_file_strerror");
    find(fclose, "zip_fclose");
}

ZipArchive open_zip(const ZipLibrary& zip, std::string_view bytes) {
    ZipArchive archive(nullptr, zip.discard);
    if (bytes.empty()) return archive;  // libzip would open an empty archive
    zip_source_t* source = zip.source_buffer_create(bytes.data(), bytes.size(), 0, nullptr);
    if (!source) return archive;
    archive.reset(zip.open_from_source(source, ZIP_RDONLY | ZIP_CHECKCONS, nullptr));
    if (!archive) zip.source_free(source);
    return archive;
}

}  // namespace partita
