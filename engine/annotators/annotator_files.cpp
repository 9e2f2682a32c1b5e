#include "engine/annotators/annotator_files.h"

#include <cctype>
#include <filesystem>
#include <set>
#include <vector>

#include "engine/annotators/annotator.h"
#include "engine/support/file.h"

namespace partita {

namespace {

std::set<std::string, std::less<>> words_of(std::string_view text) {
    std::set<std::string, std::less<>> words;
    const auto in_word = [&](size_t i) {
        return isalnum(uint8_t(text[i])) || text[i] == '_' || uint8_t(text[i]) >= 128;
    };
    for (size_t begin = 0; begin < text.size();) {
        size_t end = begin;
        while (end < text.size() && in_word(end)) ++end;
        if (end > begin) words.emplace(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return words;
}

/// The names without `.py` of the files in a folder.
std::set<std::string, std::less<>> python_files_in(const std::string& folder) {
    constexpr size_t kMostEntries = 100000;
    std::set<std::string, std::less<>> names;
    std::error_code fault;
    size_t entries = 0;
    for (std::filesystem::directory_iterator at(folder, fault), end; !fault && at != end && ++entries < kMostEntries;
         at.increment(fault))
        if (at->path().extension() == ".py") names.insert(at->path().stem().string());
    return names;
}

}  // namespace

std::string AnnotatorFiles::content() const {
    std::string all;
    for (const auto& [path, text] : texts)
        all += std::to_string(path.size()) + " " + std::to_string(text.size()) + " " + path + text;
    return all;
}

AnnotatorFiles read_annotator_files(std::string_view annotator, const std::optional<std::string>& text) {
    constexpr size_t kMostFiles = 256;
    AnnotatorFiles files;
    if (!annotator.starts_with(kPythonAnnotator)) return files;
    const std::string own(annotator.substr(kPythonAnnotator.size()));
    const std::string folder = own.find('/') == std::string::npos ? std::string() : own.substr(0, own.rfind('/') + 1);
    const std::set<std::string, std::less<>> beside = python_files_in(folder.empty() ? "." : folder);
    std::vector<std::string> waiting{own};
    while (!waiting.empty() && files.texts.size() < kMostFiles) {
        const std::string path = std::move(waiting.back());
        waiting.pop_back();
        if (files.texts.contains(path)) continue;
        std::optional<std::string> read = path == own ? text : std::nullopt;
        if (!read)
            if (Result<std::string> found = read_file(path); found) read = std::move(*found);
        if (!read) continue;
        for (const std::string& word : words_of(*read))
            if (beside.contains(word)) waiting.push_back(folder + word + ".py");
        files.texts.emplace(path, std::move(*read));
    }
    return files;
}

}  // namespace partita
