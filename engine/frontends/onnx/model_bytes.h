// A model's bytes while it is parsed: those of a memory block, or of a file of which only what is asked for is read.
//
// A file's parts are laid where they would be if the whole file were in memory, so that views of them can be kept and
// say their place in the file. What nobody asks for, above all the weights, costs addresses only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/support/source_file.h"

namespace partita::onnx {

class ModelBytes {
public:
    explicit ModelBytes(std::string_view bytes) : bytes_(bytes), loaded_(bytes.data() + bytes.size()) {}
    /// Throws std::bad_alloc where there are no addresses left.
    explicit ModelBytes(std::shared_ptr<const SourceFile> file);
    ~ModelBytes();
    ModelBytes(const ModelBytes&) = delete;
    ModelBytes& operator=(const ModelBytes&) = delete;

    /// All of the model; of a file, what was loaded reads as it is in the file, the rest as zeros.
    std::string_view all() const { return bytes_; }
    /// Reads a part. Parts must be asked for in rising order: what was passed over stays unread. False where the file
    /// can't be read or has changed: fault() says why. Throws std::bad_alloc where the memory is not there.
    bool load(const char* begin, const char* end) { return end <= loaded_ || read_more(begin, end); }
    const std::string& fault() const { return fault_; }

    /// Null for a memory block.
    const std::shared_ptr<const SourceFile>& file() const { return file_; }
    size_t place_of(std::string_view part) const { return size_t(part.data() - bytes_.data()); }

private:
    bool read_more(const char* begin, const char* end);

    std::shared_ptr<const SourceFile> file_;
    std::string_view bytes_;
    const char* loaded_;  ///< all before it was read, or passed over
    std::string fault_;
};

}  // namespace partita::onnx
