// Files with values for the inputs of a module's @main: arrays of NumPy (`.npy`, `.npz`), and images, which are turned
// into tensors. The other inputs get made values (make_inputs).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/ir/tensor.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// How pixels, which are from 0 to 255, become elements: (pixel - mean) / scale.
struct ImageForm {
    enum class Layout : uint8_t { NCHW, NHWC };
    Layout layout = Layout::NCHW;
    std::array<double, 3> mean = {0, 0, 0};   ///< of red, green and blue; the first one of a grey image
    std::array<double, 3> scale = {1, 1, 1};  ///< as `mean`; none is 0
    bool operator==(const ImageForm&) const = default;
};

/// The size of the images that an input takes.
struct ImageSize {
    int64_t batch = 1, channels = 0, height = 0, width = 0;
};
/// Returns the size for a parameter's type: [N,C,H,W] or [N,H,W,C] or either without N, with one or three channels.
/// Returns nothing if the type is no image's, or one of more than 16384 pixels a side.
std::optional<ImageSize> image_size(const TypeTable& types, TypeId type, ImageForm::Layout layout);

/// Red, green and blue of each pixel, row by row from the top: 3 * width * height bytes.
using Pixels = std::string;
/// Reads an image and makes it so large. The engine has no readers of its own. Thread-safe.
using ReadImage = std::function<Result<Pixels>(const std::string& path, int64_t width, int64_t height)>;

/// Makes a tensor of a parameter's type; each image of a batch is the same one. Elements are rounded and clamped to
/// what an integer type holds.
Result<Tensor> tensor_of_pixels(const Pixels& pixels, const TypeTable& types, TypeId type, const ImageForm& form);

/// A value that somebody chose for an input.
struct InputFile {
    std::string parameter;           ///< its own name in the module
    std::string path;                ///< absolute
    std::string member;              ///< of an `.npz`: the name of the array; else ""
    std::optional<ImageForm> image;  ///< if the file is an image
    bool operator==(const InputFile&) const = default;
};

/// Reads the values by the parameters' names. Refuses, by name, what does not fit, and says what was wanted. Without
/// `read_image` images are refused.
Result<std::map<std::string, Tensor>> read_input_files(const Module& module, std::span<const InputFile> files,
                                                       const ReadImage& read_image = {},
                                                       const CancelToken& cancel = {});

/// Finds the inputs that a file is for, and reads it once to see that it fits. The arrays of an `.npz` go to the inputs
/// of their names. Another file goes to `parameter`, or if that is "" to the only input of data that it fits.
Result<std::vector<InputFile>> assign_input_file(const Module& module, const std::string& path,
                                                 const std::string& parameter = {}, const ReadImage& read_image = {});

/// Reads all arrays of an `.npz`, by the parameters' own names; refuses one that fits no parameter.
Result<std::map<std::string, Tensor>> read_input_archive(const Module& module, const std::string& path);

}  // namespace partita
