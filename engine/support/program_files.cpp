#include "engine/support/program_files.h"

#include <dlfcn.h>
#include <fontconfig/fontconfig.h>
#include <link.h>

#include <cstdlib>

namespace partita {

namespace fs = std::filesystem;

fs::path folder_of_program() {
    Dl_info found{};
    link_map* loaded = nullptr;
    // Of the program itself the loader knows no name.
    const auto here = reinterpret_cast<void*>(&folder_of_program);
    if (dladdr1(here, &found, reinterpret_cast<void**>(&loaded), RTLD_DL_LINKMAP) && loaded && *loaded->l_name)
        return fs::path(loaded->l_name).parent_path();
    std::error_code failure;
    return fs::read_symlink("/proc/self/exe", failure).parent_path();
}

fs::path folder_of_libraries() {
    Dl_info library{};
    std::error_code failure;
    if (!dladdr(reinterpret_cast<void*>(&FcInit), &library)) return {};
    return fs::absolute(library.dli_fname, failure).parent_path();
}

void use_fonts_of_program() {
    std::error_code failure;
    if (fs::exists("/etc/fonts/fonts.conf", failure)) return;
    const fs::path fonts = folder_of_libraries() / "fonts" / "fonts.conf";
    if (fs::exists(fonts, failure)) setenv("FONTCONFIG_FILE", fonts.c_str(), 0);
}

}  // namespace partita
