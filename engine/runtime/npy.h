// NumPy's files: `.npy` holds one tensor, `.npz` is a zip archive of them by name.
//
// Format: numpy/lib/format.py (versions 1.0 to 3.0, C order, and Fortran order when reading); zip archives
// by libzip. Files come from anyone: sizes are checked against the file's before memory is taken, a deflated member may
// not claim more than deflate can hold.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "engine/ir/tensor.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// An error about the file `name`, for messages of both formats.
Diagnostic array_file_error(const std::string& name, const std::string& message);

/// What the header at the beginning of an `.npy` file says.
struct NpyHeader {
    DataType dtype;
    bool big_endian = false, fortran_order = false;
    std::vector<int64_t> shape;
    size_t size = 0;  ///< of the header itself, up to the data
};
Result<NpyHeader> parse_npy_header(std::string_view bytes, const std::string& name);
/// Reads the bytes of an `.npy` file. `name` stands in messages.
Result<Tensor> parse_npy(std::string_view bytes, const std::string& name);
/// The bytes of an `.npy` file, version 1.0. bfloat16 is written as float32, since NumPy has none.
std::string format_npy(const Tensor& tensor);

Result<Tensor> read_npy(const std::string& path);
Status write_npy(const std::string& path, const Tensor& tensor);

/// Asked for each member, by its name without `.npy`, before memory is taken for it; what it refuses ends the reading.
using AcceptArray = std::function<Status(const std::string& name, DataType dtype, const std::vector<int64_t>& shape)>;
/// Returns the tensors by member name without `.npy`.
Result<std::map<std::string, Tensor>> parse_npz(std::string_view bytes, const std::string& name,
                                                const AcceptArray& accept = {});
Result<std::map<std::string, Tensor>> read_npz(const std::string& path, const AcceptArray& accept = {});

}  // namespace partita
