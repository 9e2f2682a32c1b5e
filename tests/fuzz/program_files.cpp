// Files of other programs: LiteRT's, PyTorch's and ExecuTorch's, plain graphs and Model Explorer's.
#include <sys/mman.h>
#include <unistd.h>

#include "engine/frontends/litert/importer.h"
#include "engine/frontends/model_explorer/reader.h"
#include "engine/frontends/torch/importer.h"
#include "engine/frontends/torch/pte.h"
#include "engine/graph/graph_json.h"
#include "tests/engine/torch_archives.h"
#include "tests/fuzz/targets.h"

namespace partita::fuzz {

namespace {

/// A file that is only in memory.
class MemoryFile {
public:
    explicit MemoryFile(Bytes bytes) : descriptor_(::memfd_create("fuzz", MFD_CLOEXEC)) {
        require(::write(descriptor_, bytes.data(), bytes.size()) == ssize_t(bytes.size()), "the file is written");
        Result<std::shared_ptr<const SourceFile>> opened =
            SourceFile::open("/proc/self/fd/" + std::to_string(descriptor_));
        require(bool(opened), "the file is opened");
        file_ = *opened;
    }
    MemoryFile(const MemoryFile&) = delete;
    ~MemoryFile() { ::close(descriptor_); }
    const std::shared_ptr<const SourceFile>& file() const { return file_; }

private:
    const int descriptor_;
    std::shared_ptr<const SourceFile> file_;
};

template <class Import>
void check(const Result<Import>& imported) {
    if (!imported) require(!imported.error().message.empty(), "a refusal has a message");
    else if constexpr (requires { imported->module.typed(); })
        require(imported->module.typed(), "an imported module is typed");
}

/// A program's JSON in an archive as PyTorch 2.9 makes it, with one record of weights.
std::string archive_of(Bytes program) {
    return testing::stored_zip({{"m/archive_format", "pt2"},
                                {"m/archive_version", "0"},
                                {"m/models/model.json", std::string(program)},
                                {"m/data/weights/model_weights_config.json", "{\"config\":{}}"}});
}

}  // namespace

void fuzz_litert(Bytes bytes) {
    (void)looks_like_litert(bytes);
    check(import_litert(MemoryFile(bytes).file(), {}));
    LitertOptions narrowed;
    narrowed.float16 = {"*"};
    check(import_litert(MemoryFile(bytes).file(), narrowed));
}

/// The first byte says what follows: an archive, a program's JSON, a lowered program, its weights.
void fuzz_torch(Bytes bytes) {
    if (bytes.empty()) return;
    const int choice = static_cast<unsigned char>(bytes[0]) % 4;
    bytes.remove_prefix(1);
    if (choice == 0) check(import_torch(MemoryFile(bytes).file(), {}));
    if (choice == 1) check(import_torch(MemoryFile(archive_of(bytes)).file(), {}));
    if (choice == 2) check(import_pte(MemoryFile(bytes).file()));
    if (choice == 3) check(import_ptd(MemoryFile(bytes).file()));
}

void fuzz_graph(Bytes bytes) {
    if (looks_like_model_explorer(bytes)) check(read_model_explorer(bytes));
    const Result<Graph> graph = read_graph_json(bytes);
    if (!graph) return check(graph);
    const Result<Graph> again = read_graph_json(write_graph_json(*graph));
    require(bool(again) && write_graph_json(*again) == write_graph_json(*graph), "what is written reads back");
}

}  // namespace partita::fuzz
