// NumPy's files: `.npy` holds one tensor, `.npz` is a zip archive of named tensors.
//
// Format: numpy/lib/format.py (versions 1.0 to 3.0, C order, and Fortran order when reading); zip archives by libzip.
// Files are untrusted: sizes are checked against the file's size before memory is allocated, and a deflated member may
// not claim more than deflate can hold.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/ir/tensor.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// Returns an error about the file `name`, for both formats.
Diagnostic array_file_error(const std::string& name, const std::string& message);

/// The header at the beginning of an `.npy` file.
struct NpyHeader {
    DataType dtype;
    bool big_endian = false, fortran_order = false;
    std::vector<int64_t> shape;
    size_t size = 0;  ///< size of the header, which is the offset of the data
};
Result<NpyHeader> parse_npy_header(std::string_view bytes, const std::string& name);
/// Reads the bytes of an `.npy` file. Messages call it `name`.
Result<Tensor> parse_npy(std::string_view bytes, const std::string& name);
/// Returns the bytes of an `.npy` file, version 1.0. bfloat16 is written as float32, since NumPy has none.
std::string format_npy(const Tensor& tensor);

Result<Tensor> read_npy(const std::string& path);
Status write_npy(const std::string& path, const Tensor& tensor);

/// Decides about each member, by its name without `.npy`, before its memory is allocated; an error ends the reading.
using AcceptArray = std::function<Status(const std::string& name, DataType dtype, const std::vector<int64_t>& shape)>;
/// Reads the tensors by member name without `.npy`.
Result<std::map<std::string, Tensor>> parse_npz(std::string_view bytes, const std::string& name,
                                                const AcceptArray& accept = {});
Result<std::map<std::string, Tensor>> read_npz(const std::string& path, const AcceptArray& accept = {});

}  // namespace partita
