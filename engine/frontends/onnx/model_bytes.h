// The bytes of a model while it is parsed: a memory block, or a file that is read in parts on demand.
//
// Parts of a file are placed at their offsets in an address range as large as the file, so that views of them stay
// valid and give their position. Unread parts, above all weights, cost addresses only.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/support/source_file.h"

namespace partita::onnx {

class ModelBytes {
public:
    explicit ModelBytes(std::string_view bytes) : bytes_(bytes), loaded_(bytes.data() + bytes.size()) {}
    /// Throws std::bad_alloc if no address range is free.
    explicit ModelBytes(std::shared_ptr<const SourceFile> file);
    ~ModelBytes();
    ModelBytes(const ModelBytes&) = delete;
    ModelBytes& operator=(const ModelBytes&) = delete;

    /// Returns all bytes of the model. Loaded parts of a file have its content, the rest is zero.
    std::string_view all() const { return bytes_; }
    /// Reads a part. Parts must be requested in ascending order; skipped ones stay unread. Returns false if the file
    /// cannot be read or has changed: fault() has the reason. Throws std::bad_alloc if memory runs out.
    bool load(const char* begin, const char* end) { return end <= loaded_ || read_more(begin, end); }
    const std::string& fault() const { return fault_; }

    /// Returns the file; null for a memory block.
    const std::shared_ptr<const SourceFile>& file() const { return file_; }
    size_t place_of(std::string_view part) const { return size_t(part.data() - bytes_.data()); }

private:
    bool read_more(const char* begin, const char* end);

    std::shared_ptr<const SourceFile> file_;
    std::string_view bytes_;
    const char* loaded_;  ///< everything before it was read or skipped
    std::string fault_;
};

}  // namespace partita::onnx
