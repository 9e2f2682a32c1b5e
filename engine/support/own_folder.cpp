#include "engine/support/own_folder.h"

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "engine/support/system_reason.h"

namespace partita {

namespace {

namespace fs = std::filesystem;

/// The 64-bit hash of Fowler, Noll and Vo (FNV-1a): tells changed files, not forged ones.
class ContentHash {
public:
    void add(std::string_view bytes) {
        for (const char byte : bytes) value_ = (value_ ^ uint8_t(byte)) * 0x100000001b3ULL;
    }
    std::string text() const {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value_));
        return digits;
    }

private:
    uint64_t value_ = 0xcbf29ce484222325ULL;
};
constexpr size_t kHashLetters = 16;

/// Files by name, with the hashes of their content.
using FileList = std::map<std::string, std::string>;

std::string list_name(const OwnFolder& folder) {
    return folder.prefix.empty() ? ".partita-export" : ".partita-" + folder.prefix + "list";
}

/// Returns "" for what can't be read.
std::string hash_of_file(const fs::path& path) {
    std::error_code failure;
    std::ifstream file(path, std::ios::binary);
    if (!fs::is_regular_file(path, failure) || !file) return "";
    ContentHash hash;
    std::vector<char> block(1 << 16);
    while (file.read(block.data(), std::streamsize(block.size())) || file.gcount() > 0)
        hash.add({block.data(), size_t(file.gcount())});
    return hash.text();
}

/// Returns what the folder's list names. Lines that are none, and names that are paths, mean nothing.
FileList listed_files(const OwnFolder& folder) {
    FileList files;
    const Result<std::string> list = read_file((fs::path(folder.path) / list_name(folder)).string());
    if (!list) return files;
    std::istringstream lines(*list);
    for (std::string line; std::getline(lines, line);) {
        if (line.size() < kHashLetters + 2 || line[kHashLetters] != ' ') continue;
        const std::string name = line.substr(kHashLetters + 1);
        if (name != "." && name != ".." && name.find('/') == std::string::npos)
            files[name] = line.substr(0, kHashLetters);
    }
    return files;
}

bool is_there(const fs::path& path) {
    std::error_code failure;
    return fs::symlink_status(path, failure).type() != fs::file_type::not_found;
}

Diagnostic refusal(const OwnFolder& folder, const std::string& what) {
    return error("can't write into the folder " + folder.path + ": " + what +
                 "\n  choose another folder, or allow that files of these names are replaced (--force)");
}

/// Refuses if one of the files that were written earlier is another now: it is a person's.
Status check_listed(const OwnFolder& folder, const FileList& listed) {
    for (const auto& [name, hash] : listed) {
        const fs::path path = fs::path(folder.path) / name;
        std::error_code failure;
        if (fs::is_directory(path, failure)) return error("can't write " + path.string() + ": it is a folder");
        if (is_there(path) && hash_of_file(path) != hash)
            return refusal(folder, "its file " + name + " was changed since it was written");
    }
    return Nothing();
}

/// Refuses files of a person where the program's would lie: of these names, or any in a folder that shall be its own.
Status check_others(const OwnFolder& folder, const FileList& listed) {
    const bool was_written = is_there(fs::path(folder.path) / list_name(folder));
    if (was_written && folder.prefix.empty()) return Nothing();
    std::error_code failure;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.path, failure)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(folder.prefix) && !listed.contains(name))
            return refusal(folder, "it holds other files: " + name);
    }
    if (failure) return error("can't read the folder " + folder.path + ": " + system_reason(failure.value()));
    return Nothing();
}

/// Refuses files in the way that the folder's list does not name.
Status check_names(const OwnFolder& folder, const FileList& listed, std::span<const NewFile> files) {
    for (const NewFile& file : files)
        if (!listed.contains(file.name) && is_there(fs::path(folder.path) / file.name))
            return refusal(folder, "it has another file " + file.name);
    return Nothing();
}

/// Refuses what is no folder, and one in a folder that is not there.
Status check_place(const OwnFolder& folder) {
    std::error_code failure;
    const fs::path path(folder.path);
    if (fs::exists(path, failure))
        return fs::is_directory(path, failure)
                   ? Status(Nothing())
                   : error("can't write " + folder.path + ": it exists and is not a folder");
    const fs::path whole = path.has_filename() ? path : path.parent_path();
    if (whole.has_parent_path() && !fs::is_directory(whole.parent_path(), failure))
        return error("can't create the folder " + folder.path + ": there is no folder " + whole.parent_path().string());
    return Nothing();
}

/// Returns the earlier files that are gone now.
std::vector<std::string> left_over(const OwnFolder& folder, const FileList& listed, const FileList& now) {
    std::vector<std::string> names;
    for (const auto& [name, hash] : listed)
        if (!now.contains(name) && hash_of_file(fs::path(folder.path) / name) == hash) names.push_back(name);
    return names;
}

std::string list_text(const FileList& files) {
    std::string text = "files that Partita wrote here, and may replace\n";
    for (const auto& [name, hash] : files) text += hash + " " + name + "\n";
    return text;
}

}  // namespace

Status check_own_folder(const OwnFolder& folder) {
    if (Status place = check_place(folder); !place) return place;
    if (folder.force || !is_there(folder.path)) return Nothing();
    const FileList listed = listed_files(folder);
    if (Status checked = check_listed(folder, listed); !checked) return checked;
    return check_others(folder, listed);
}

Status write_own_folder(const OwnFolder& folder, std::span<const NewFile> files) {
    if (Status checked = check_own_folder(folder); !checked) return checked;
    const FileList listed = listed_files(folder);
    if (Status names = check_names(folder, listed, files); !names && !folder.force) return names;
    std::error_code failure;
    fs::create_directory(folder.path, failure);
    if (failure) return error("can't create the folder " + folder.path + ": " + system_reason(failure.value()));
    std::vector<ContentHash> hashes(files.size());
    std::vector<NewFile> all;
    FileList now;
    std::string list;
    for (size_t i = 0; i < files.size(); ++i) {
        now[files[i].name];
        all.push_back({files[i].name, files[i].count, [&files, &hashes, i](size_t piece) {
                           const std::string_view bytes = files[i].piece(piece);
                           hashes[i].add(bytes);
                           return bytes;
                       }});
    }
    all.push_back({list_name(folder), 1, [&](size_t) {
                       for (size_t i = 0; i < files.size(); ++i) now[files[i].name] = hashes[i].text();
                       return std::string_view(list = list_text(now));
                   }});
    return write_files(folder.path, all, left_over(folder, listed, now));
}

Status write_with_files_beside(const std::string& path, std::span<const NewFile> files, bool force) {
    if (files.size() == 1) return write_file(path, files[0].count, files[0].piece);
    const fs::path folder = fs::path(path).parent_path();
    const Result<std::string> before = read_file(path);
    for (const NewFile& file : files.first(files.size() - 1)) {
        const bool is_named = before && before->find(file.name) != std::string::npos;
        if (!force && !is_named && is_there(folder / file.name))
            return error("can't write " + path + ": " + file.name +
                         " beside it is another file\n  choose another name, or allow that it is replaced (--force)");
    }
    return write_files(folder.empty() ? "." : folder.string(), files);
}

}  // namespace partita
