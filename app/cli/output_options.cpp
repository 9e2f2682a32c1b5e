#include "app/cli/output_options.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "engine/support/own_folder.h"
#include "engine/support/system_reason.h"

namespace partita::cli {
namespace {

namespace fs = std::filesystem;

/// Values that are no files, or files that are read whole before they are replaced on purpose.
constexpr std::array kMayBeTheSame{"--form", "--compare-run", "--check"};

bool is_same_file(const fs::path& a, const fs::path& b) {
    std::error_code ignored;
    const auto place = [&ignored](const fs::path& path) { return fs::weakly_canonical(fs::absolute(path), ignored); };
    return fs::equivalent(a, b, ignored) || place(a) == place(b);
}

/// Returns whether a value is the file, or a list or NAME=FILE with it.
bool names_file(std::string_view value, const std::string& file) {
    for (size_t begin = 0; begin <= value.size();) {
        const size_t end = std::min(value.find(',', begin), value.size());
        const std::string_view item = value.substr(begin, end - begin);
        for (const std::string_view path : {item, item.substr(item.rfind('=') + 1)})
            if (!path.empty() && is_same_file(path, file)) return true;
        begin = end + 1;
    }
    return false;
}

/// Returns the command that an option belongs to, which may stand in a group of it.
const CLI::App& command_of(const CLI::App& app) {
    const CLI::App* command = &app;
    while (command->get_name().empty() && command->get_parent()) command = command->get_parent();
    return *command;
}

/// Returns the option that names the same file; null if none does.
const CLI::Option* other_use(const CLI::App& app, const CLI::Option* output, const std::string& path) {
    for (const CLI::Option* option : app.get_options()) {
        const bool may =
            std::find(kMayBeTheSame.begin(), kMayBeTheSame.end(), option->get_name()) != kMayBeTheSame.end();
        if (option == output || may) continue;
        for (const std::string& value : option->results())
            if (names_file(value, path)) return option;
    }
    for (const CLI::App* group : app.get_subcommands([](const CLI::App* each) { return each->get_name().empty(); }))
        if (const CLI::Option* found = other_use(*group, output, path)) return found;
    return nullptr;
}

Status check_output_file(const std::string& path) {
    std::error_code failure;
    if (path == "-") return Nothing();
    const auto refused = [&path](const std::string& why) { return error("can't write " + path + ": " + why); };
    if (fs::is_directory(path, failure)) return refused("it is a folder");
    if (fs::exists(path, failure) && !fs::is_regular_file(path, failure)) return Nothing();  // such as /dev/stdout
    const fs::path folder = fs::path(path).parent_path();
    if (!folder.empty() && !fs::is_directory(folder, failure)) return refused("there is no folder " + folder.string());
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
        return refused("its folder: " + system_reason(errno));
    return Nothing();
}

Status check_not_read(const CLI::App& command, const CLI::Option* output, const std::string& path) {
    // A plain word may be the value of any option.
    if (path.find_first_of("./") == std::string::npos || path == "-") return Nothing();
    const CLI::Option* other = other_use(command, output, path);
    if (!other) return Nothing();
    return error("can't write " + path + ": it is named as " + other->get_name() + ", too; give another name");
}

bool is_forced(const CLI::App& command) {
    const CLI::Option* force = command.get_option_no_throw("--force");
    return force && force->count() > 0;
}

/// Makes an option refuse a bad place before the command does any work.
void check_early(CLI::App& app, CLI::Option* option, const std::function<Status(const std::string&)>& check) {
    option->check([&app, option, check](const std::string& path) -> std::string {
        if (Status good = check(path); !good) throw OutputRefused{good.error()};
        if (Status other = check_not_read(command_of(app), option, path); !other) throw OutputRefused{other.error()};
        return {};
    });
}

}  // namespace

CLI::Option* add_output_file(CLI::App& command, const std::string& names, std::string& path, const std::string& help) {
    CLI::Option* option = command.add_option(names, path, help);
    check_early(command, option, check_output_file);
    return option;
}

CLI::Option* add_output_folder(CLI::App& command, const std::string& names, std::string& path, const std::string& help,
                               const std::string& prefix) {
    CLI::Option* option = command.add_option(names, path, help);
    check_early(command, option, [&command, prefix](const std::string& folder) {
        return check_own_folder({folder, prefix, is_forced(command_of(command))});
    });
    return option;
}

CLI::Option* add_output(CLI::App& command, const std::string& names, std::string& path, const std::string& help,
                        const std::function<bool()>& is_folder) {
    CLI::Option* option = command.add_option(names, path, help);
    check_early(command, option, [&command, is_folder](const std::string& place) {
        return is_folder() && place != "-" ? check_own_folder({place, {}, is_forced(command_of(command))})
                                           : check_output_file(place);
    });
    return option;
}

void add_force_flag(CLI::App& command, bool& force) {
    command.add_flag("--force", force,
                     "write also into a folder that holds other files, and over files there that were not written by "
                     "this program");
}

}  // namespace partita::cli
