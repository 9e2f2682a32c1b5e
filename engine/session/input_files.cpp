#include "engine/session/input_files.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/runtime/npy.h"
#include "engine/runtime/run.h"
#include "engine/session/inputs.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

constexpr int64_t kLargestSide = 16384;

Diagnostic in_input_file(Diagnostic fault, const std::string& path) {
    if (fault.file.empty()) fault.file = path;
    return fault;
}

Diagnostic of_parameter(const std::string& parameter, Diagnostic fault) {
    fault.message = "input " + parameter + ": " + fault.message;
    return fault;
}

std::string ending_of(const std::string& path) {
    std::string ending = std::filesystem::path(path).extension().string();
    std::transform(ending.begin(), ending.end(), ending.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return ending;
}
bool is_npz(const std::string& path) { return ending_of(path) == ".npz"; }
bool is_array(const std::string& path) { return ending_of(path) == ".npy"; }

/// Returns the least and the greatest number that an integer type holds exactly in a double.
std::pair<double, double> bounds_of(DataType dtype) {
    if (dtype.is_bool()) return {0, 1};
    if (dtype.code == DataType::Code::UInt) return {0, std::exp2(std::min<int>(dtype.bits, 53)) - 1};
    const double half = std::exp2(std::min<int>(dtype.bits, 53) - 1);
    return {-half, half - 1};
}

/// The layout that fits a parameter; NCHW if both do.
std::optional<ImageForm::Layout> layout_for(const TypeTable& types, TypeId type) {
    for (ImageForm::Layout layout : {ImageForm::Layout::NCHW, ImageForm::Layout::NHWC})
        if (image_size(types, type, layout)) return layout;
    return std::nullopt;
}

/// Pixels as they are for integers, from 0 to 1 for real numbers: what most models expect.
ImageForm usual_form(const TypeTable& types, TypeId type, ImageForm::Layout layout) {
    ImageForm form;
    form.layout = layout;
    if (!types.dtype(type).is_integer()) form.scale = {255, 255, 255};
    return form;
}

std::string no_image(const TypeTable& types, TypeId type) {
    return "an image needs the shape (N, C, H, W) or (N, H, W, C) with one or three channels, but the parameter is of "
           "type " +
           types.to_string(type);
}

Result<Tensor> read_image_file(const Module& module, TypeId type, const std::string& path, const ImageForm& form,
                               const ReadImage& read_image) {
    if (!read_image) return error("this is an image, which only the window reads");
    const std::optional<ImageSize> size = image_size(module.types(), type, form.layout);
    if (!size) return error(no_image(module.types(), type));
    Result<Pixels> pixels = read_image(path, size->width, size->height);
    if (!pixels) return pixels.error();
    return tensor_of_pixels(*pixels, module.types(), type, form);
}

Result<Tensor> read_array(const ParameterNames& names, const InputFile& file) {
    Result<Tensor> tensor = error("");
    if (is_npz(file.path)) {
        Result<std::map<std::string, Tensor>> archive = read_npz(file.path);
        if (!archive) return archive.error();
        const auto member = archive->find(file.member);
        if (member == archive->end()) return error("the archive has no array " + in_quotes(file.member) + " any more");
        tensor = std::move(member->second);
    } else tensor = read_npy(file.path);
    if (!tensor) return tensor.error();
    if (Status fits = names.accept(file.parameter, tensor->shape(), tensor->dtype()); !fits) return fits.error();
    return tensor;
}

Result<Tensor> read_one(const Module& module, const ParameterNames& names, const InputFile& file,
                        const ReadImage& read_image) {
    const Result<ExprId> parameter = names.find(file.parameter);
    if (!parameter) return parameter.error();
    if (!file.image) return read_array(names, file);
    return read_image_file(module, module.type(*parameter), file.path, *file.image, read_image);
}

/// Returns the inputs of data that take what `fits` accepts, by name.
template <typename Fits>
std::vector<std::string> inputs_that_fit(const Module& module, Fits fits) {
    std::vector<std::string> fitting;
    const ParameterNames names(module);
    for (const auto& [name, made] : made_inputs(module, {})) {
        const Result<ExprId> parameter = names.find(name);
        if (parameter && fits(name, module.type(*parameter))) fitting.push_back(name);
    }
    return fitting;
}

/// Returns "there are x: Tensor[(1, 3), float32], y: ...".
std::string data_inputs_text(const Module& module) {
    constexpr size_t kMostShown = 6;
    const ParameterNames names(module);
    std::string text;
    size_t count = 0;
    for (const auto& [name, made] : made_inputs(module, {})) {
        const Result<ExprId> parameter = names.find(name);
        if (!parameter || ++count > kMostShown) continue;
        text += (text.empty() ? "" : ", ") + name + ": " + module.types().to_string(module.type(*parameter));
    }
    if (count > kMostShown) text += " and " + std::to_string(count - kMostShown) + " more";
    return text.empty() ? "there is no input of data" : "there are " + text;
}

Result<std::string> the_only_one(const Module& module, const std::vector<std::string>& fitting, const std::string& what,
                                 const std::string& path) {
    if (fitting.size() == 1) return fitting.front();
    const std::string stem = std::filesystem::path(path).stem().string();
    if (std::find(fitting.begin(), fitting.end(), stem) != fitting.end()) return stem;
    if (fitting.empty()) return error("no input takes " + what + "; " + data_inputs_text(module));
    std::string all;
    for (size_t i = 0; i < std::min<size_t>(fitting.size(), 6); ++i) all += (i ? ", " : "") + fitting[i];
    return error(what + " fits several inputs (" + all + "): say for which one it is");
}

Result<InputFile> assign_array(const Module& module, const std::string& path, const std::string& parameter) {
    const Result<Tensor> tensor = read_npy(path);
    if (!tensor) return tensor.error();
    const ParameterNames names(module);
    std::string name = parameter;
    if (name.empty()) {
        const Result<std::string> only = the_only_one(
            module,
            inputs_that_fit(module, [&](const std::string& each,
                                        TypeId) { return bool(names.accept(each, tensor->shape(), tensor->dtype())); }),
            tensor->dtype().to_string() + shape_to_string(tensor->shape()), path);
        if (!only) return only.error();
        name = *only;
    }
    if (Status fits = names.accept(name, tensor->shape(), tensor->dtype()); !fits)
        return of_parameter(name, fits.error());
    return InputFile{name, path, {}, {}};
}

Result<std::vector<InputFile>> assign_archive(const Module& module, const std::string& path,
                                              const std::string& parameter) {
    const ParameterNames names(module);
    const Result<std::map<std::string, Tensor>> archive = read_npz(path);
    if (!archive) return archive.error();
    if (archive->empty()) return error("the archive holds no array");
    std::vector<InputFile> files;
    for (const auto& [member, tensor] : *archive) {
        const std::string wanted = !parameter.empty() && archive->size() == 1 ? parameter : member;
        if (Status fits = names.accept(wanted, tensor.shape(), tensor.dtype()); !fits)
            return of_parameter(wanted, fits.error());
        files.push_back({std::string(module.name(*names.find(wanted))), path, member, {}});
    }
    return files;
}

Result<InputFile> assign_image(const Module& module, const std::string& path, const std::string& parameter,
                               const ReadImage& read_image) {
    if (!read_image) return error("this is neither an .npy nor an .npz file");
    const TypeTable& types = module.types();
    std::string name = parameter;
    if (name.empty()) {
        const auto takes_images = [&](const std::string&, TypeId type) { return layout_for(types, type).has_value(); };
        const Result<std::string> only = the_only_one(module, inputs_that_fit(module, takes_images), "an image", path);
        if (!only) return only.error();
        name = *only;
    }
    const Result<ExprId> found = ParameterNames(module).find(name);
    if (!found) return found.error();
    const TypeId type = module.type(*found);
    const std::optional<ImageForm::Layout> layout = layout_for(types, type);
    if (!layout) return of_parameter(name, error(no_image(types, type)));
    const ImageForm form = usual_form(types, type, *layout);
    if (Result<Tensor> tensor = read_image_file(module, type, path, form, read_image); !tensor) return tensor.error();
    return InputFile{name, path, {}, form};
}

}  // namespace

std::optional<ImageSize> image_size(const TypeTable& types, TypeId type, ImageForm::Layout layout) {
    if (!type.valid() || !types.is_tensor(type)) return std::nullopt;
    std::span<const int64_t> shape = types.shape(type);
    if (shape.size() != 3 && shape.size() != 4) return std::nullopt;
    ImageSize size;
    if (shape.size() == 4) {
        size.batch = shape[0];
        shape = shape.subspan(1);
    }
    const bool channels_first = layout == ImageForm::Layout::NCHW;
    size.channels = channels_first ? shape[0] : shape[2];
    size.height = channels_first ? shape[1] : shape[0];
    size.width = channels_first ? shape[2] : shape[1];
    const auto is_side = [](int64_t side) { return side >= 1 && side <= kLargestSide; };
    const bool fits = size.batch >= 1 && (size.channels == 1 || size.channels == 3) && is_side(size.height) &&
                      is_side(size.width) && element_count(types.shape(type));
    return fits ? std::optional(size) : std::nullopt;
}

Result<Tensor> tensor_of_pixels(const Pixels& pixels, const TypeTable& types, TypeId type, const ImageForm& form) {
    const std::optional<ImageSize> size = image_size(types, type, form.layout);
    if (!size) return error(no_image(types, type));
    const int64_t area = size->height * size->width;
    if (int64_t(pixels.size()) != 3 * area) return error("the image has another size than asked for");
    const DataType dtype = types.dtype(type);
    const auto [least, greatest] = bounds_of(dtype);
    const std::span<const int64_t> shape = types.shape(type);
    Tensor tensor(dtype, std::vector<int64_t>(shape.begin(), shape.end()));
    const bool channels_first = form.layout == ImageForm::Layout::NCHW;
    const int64_t channels = size->channels, per_image = channels * area;
    for (int64_t i = 0; i < area; ++i) {
        const auto colour = [&](int64_t c) { return double(uint8_t(pixels[size_t(3 * i + c)])); };
        for (int64_t c = 0; c < channels; ++c) {
            // Luma of ITU-R BT.601, as most libraries make grey.
            const double pixel = channels == 3 ? colour(c) : 0.299 * colour(0) + 0.587 * colour(1) + 0.114 * colour(2);
            double value = (pixel - form.mean[size_t(c)]) / form.scale[size_t(c)];
            if (dtype.is_integer() || dtype.is_bool()) value = std::clamp(std::nearbyint(value), least, greatest);
            const int64_t at = channels_first ? c * area + i : i * channels + c;
            for (int64_t n = 0; n < size->batch; ++n) tensor.set(n * per_image + at, value);
        }
    }
    return tensor;
}

Result<std::map<std::string, Tensor>> read_input_files(const Module& module, std::span<const InputFile> files,
                                                       const ReadImage& read_image, const CancelToken& cancel) {
    const ParameterNames names(module);
    std::map<std::string, Tensor> values;
    for (const InputFile& file : files) {
        if (cancel.cancelled()) return error("cancelled");
        Result<Tensor> tensor = read_one(module, names, file, read_image);
        if (!tensor) return in_input_file(of_parameter(file.parameter, tensor.error()), file.path);
        values[std::string(module.name(*names.find(file.parameter)))] = std::move(*tensor);
    }
    return values;
}

Result<std::vector<InputFile>> assign_input_file(const Module& module, const std::string& path,
                                                 const std::string& parameter, const ReadImage& read_image) {
    if (is_npz(path)) {
        Result<std::vector<InputFile>> files = assign_archive(module, path, parameter);
        if (!files) return in_input_file(files.error(), path);
        return files;
    }
    Result<InputFile> file =
        is_array(path) ? assign_array(module, path, parameter) : assign_image(module, path, parameter, read_image);
    if (!file) return in_input_file(file.error(), path);
    return std::vector<InputFile>{std::move(*file)};
}

Result<std::map<std::string, Tensor>> read_input_archive(const Module& module, const std::string& path) {
    const ParameterNames names(module);
    const auto accept = [&names](const std::string& name, DataType, const std::vector<int64_t>& shape) -> Status {
        const Status fits = names.accept(name, shape);
        return fits ? fits : Status(of_parameter(name, fits.error()));
    };
    Result<std::map<std::string, Tensor>> archive = read_npz(path, accept);
    if (!archive) return in_input_file(archive.error(), path);
    std::map<std::string, Tensor> values;
    for (auto& [name, tensor] : *archive) values[std::string(module.name(*names.find(name)))] = std::move(tensor);
    return values;
}

}  // namespace partita
