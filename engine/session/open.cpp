#include <algorithm>
#include <new>

#include "engine/ir/file_operators.h"
#include "engine/session/front_ends.h"
#include "engine/session/report_readers.h"
#include "engine/support/in_file.h"
#include "engine/support/large_memory.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

/// The number of bytes that determine the kind of a file.
constexpr size_t kHead = 4096;

bool looks_like_text(std::string_view bytes) {
    // Text has no NUL; binary files have one early.
    return bytes.substr(0, kHead).find('\0') == std::string_view::npos;
}

/// Returns the first of the table that recognizes what a file begins with, among those that `fit`.
template <class Fits>
const FrontEnd* recognized(std::string_view head, Fits fits) {
    for (const FrontEnd& each : front_ends())
        if (fits(each) && each.recognizes(head)) return &each;
    return nullptr;
}

Diagnostic not_read(const FrontEnd& format, const std::string& file) {
    return in_file(error(std::string(format.title) + ": this format is not read; " + std::string(format.advice)), file);
}

constexpr const char* kExpected = "; expected Relay text, which begins with #[version = \"0.0.5\"]";

}  // namespace

Result<OpenedModule> open_text(std::string_view text, const std::string& name, const OpenOptions& options) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return in_file(error(std::string("the file is empty") + kExpected), name);
    if (!looks_like_text(text)) return in_file(error(std::string("the file is binary") + kExpected), name);
    const FrontEnd* format = recognized(text, [](const FrontEnd& each) { return !each.open_file; });
    return format->open_text ? format->open_text(text, name, options) : not_read(*format, name);
}

namespace {

/// The first bytes of a file, in a buffer of their own.
struct Block {
    std::shared_ptr<void> memory;
    std::string_view bytes;
};

Result<Block> read_block(const SourceFile& file, size_t count) {
    Block block;
    block.memory = allocate_large(count);
    if (Status done = file.read(0, count, block.memory.get()); !done)
        return in_file(error(done.error().message + "; open it again"), file.path());
    block.bytes = {static_cast<const char*>(block.memory.get()), count};
    return block;
}

Result<OpenedModule> open_file(const std::shared_ptr<const SourceFile>& file, const OpenOptions& options) {
    Result<Block> read = read_block(*file, std::min(file->size(), kHead));
    if (!read) return read.error();
    const bool text = looks_like_text(read->bytes);
    const FrontEnd* format = recognized(read->bytes, [](const FrontEnd& each) { return !each.open_text; });
    // A damaged file is told what is wrong in the words of the format that it is named after.
    if (!format && (!text || file->size() == 0))
        for (const FrontEnd& each : front_ends())
            if (each.open_file && has_ending_of(each, file->path())) format = &each;
    if (format) return format->open_file ? format->open_file(file, options) : not_read(*format, file->path());
    if (text) read = read_block(*file, file->size());
    if (!read) return read.error();
    return open_text(read->bytes, file->path(), options);
}

}  // namespace

Result<OpenedModule> open_module(const std::string& path, const OpenOptions& options) {
    Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path);
    if (!file) return in_file(file.error(), path);
    try {
        Result<OpenedModule> opened = open_file(*file, options);
        if (!opened && is_report_file(path))
            return in_file(error("it is what another program said of a model, not a model: open the model, and give "
                                 "this file with --from, or drop it on the window"),
                           path);
        return opened;
    } catch (const std::bad_alloc&) {
        return in_file(error("the model needs more memory than there is"), path);
    }
}

Status check_dimensions(const OpenedModule& opened, const std::map<std::string, int64_t>& dimensions) {
    for (const auto& [name, size] : dimensions) {
        if (find_dimension(opened.dimensions, name)) continue;
        std::string known;
        for (const NamedDimension& each : opened.dimensions)
            known += (known.empty() ? "there are " : ", ") + on_one_line(each.name);
        return error("the file has no symbolic dimension " + in_quotes(name) + "; " +
                     (known.empty() ? "it has none" : known));
    }
    return Nothing();
}

Status check_float16(const OpenedModule& opened, const std::vector<std::string>& float16) {
    const bool is_known = opened.operators && opened.operators->narrowable().as_float16;
    return float16.empty() || is_known ? Status(Nothing()) : error("float16 is for LiteRT models: this file is none");
}

Status check_sizes_known(const std::vector<NamedDimension>& dimensions, const std::string& option) {
    std::string names;
    for (const NamedDimension& each : dimensions) {
        const bool batch =
            std::all_of(each.inputs.begin(), each.inputs.end(), [](const auto& place) { return place.second == 0; });
        if (each.source != NamedDimension::Source::Assumed || batch) continue;
        names += (names.empty() ? "" : ", ") + in_quotes(each.name);
        if (!each.inputs.empty())
            names +=
                " (dimension " + std::to_string(each.inputs[0].second) + " of " + in_quotes(each.inputs[0].first) + ")";
    }
    if (names.empty()) return Nothing();
    return error("a run needs the sizes of the symbolic dimensions, and nothing says that of " + names +
                 ": give it with " + option);
}

std::map<std::string, int64_t> free_sizes(const std::vector<NamedDimension>& dimensions) {
    std::map<std::string, int64_t> sizes;
    for (const NamedDimension& each : dimensions)
        if (each.source != NamedDimension::Source::Derived) sizes[each.name] = each.value;
    return sizes;
}

}  // namespace partita
