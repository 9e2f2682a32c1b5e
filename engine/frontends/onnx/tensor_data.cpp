// The values of TensorProto messages, in the model's file or beside it.
#include <array>
#include <charconv>
#include <cstring>

#include "engine/frontends/onnx/model.h"
#include "engine/ir/file_part.h"
#include "engine/support/hash.h"
#include "engine/support/one_line.h"
#include "engine/support/path_inside.h"

namespace partita::onnx {

namespace {

constexpr size_t kMostOpenFiles = 64;

/// Bytes of a file that could not be read when the model was opened.
class MissingPart : public DeferredBytes {
public:
    MissingPart(std::string fault, uint64_t identity) : fault_(std::move(fault)), identity_(identity | 1) {}

    uint64_t identity() const override { return identity_; }

private:
    std::shared_ptr<void> read() override { throw DataMissing(fault_); }

    std::string fault_;
    uint64_t identity_;
};

struct TypeName {
    std::string_view name;
    DataType dtype;
};

// By TensorProto.DataType.
const std::array<TypeName, 27> kTypes = {{
    {"UNDEFINED", kVoid},
    {"FLOAT", kFloat32},
    {"UINT8", kUInt8},
    {"INT8", kInt8},
    {"UINT16", kUInt16},
    {"INT16", kInt16},
    {"INT32", kInt32},
    {"INT64", kInt64},
    {"STRING", kVoid},
    {"BOOL", kBool},
    {"FLOAT16", kFloat16},
    {"DOUBLE", kFloat64},
    {"UINT32", kUInt32},
    {"UINT64", kUInt64},
    {"COMPLEX64", kVoid},
    {"COMPLEX128", kVoid},
    {"BFLOAT16", kBFloat16},
    {"FLOAT8E4M3FN", kFloat8E4M3FN},
    {"FLOAT8E4M3FNUZ", kFloat8E4M3FNUZ},
    {"FLOAT8E5M2", kFloat8E5M2},
    {"FLOAT8E5M2FNUZ", kFloat8E5M2FNUZ},
    {"UINT4", kUInt4},
    {"INT4", kInt4},
    {"FLOAT4E2M1", kFloat4E2M1FN},
    {"FLOAT8E8M0", kFloat8E8M0FNU},
    {"UINT2", kUInt2},
    {"INT2", kInt2},
}};

Status check_size(const TensorProto& proto, DataType dtype, int64_t count, size_t given) {
    size_t wanted = stored_bytes(dtype, count);
    if (given == wanted) return Nothing();
    return error("the tensor " + in_quotes(proto.name) + " of shape " + shape_to_string(proto.dims) + " needs " +
                 std::to_string(wanted) + " bytes, but has " + std::to_string(given));
}

Tensor of_bytes(const TensorProto& proto, DataType dtype, std::string_view bytes) {
    Tensor tensor(dtype, proto.dims);
    if (is_packed(dtype))
        unpack_elements(reinterpret_cast<const uint8_t*>(bytes.data()), dtype,
                        {tensor.data<uint8_t>(), size_t(tensor.size())});
    else if (!bytes.empty()) std::memcpy(tensor.bytes(), bytes.data(), bytes.size());
    return tensor;
}

Result<Tensor> from_bytes(const TensorProto& proto, DataType dtype, int64_t count) {
    std::string_view bytes = proto.raw_data;
    if (Status good = check_size(proto, dtype, count, bytes.size()); !good) return good.error();
    if (proto.unread) return tensor_in_file(dtype, proto.dims, proto.unread->file(), proto.unread->place_of(bytes));
    return of_bytes(proto, dtype, bytes);
}

Result<Tensor> from_values(const TensorProto& proto, DataType dtype, int64_t count) {
    bool half = dtype == kFloat16 || dtype == kBFloat16;
    size_t given = dtype == kFloat32   ? proto.float_data.size()
                   : dtype == kFloat64 ? proto.double_data.size()
                                       : proto.int_data.size();
    const size_t wanted = is_packed(dtype) ? stored_bytes(dtype, count) : size_t(count);
    if (given != wanted)
        return error("the tensor " + in_quotes(proto.name) + " of shape " + shape_to_string(proto.dims) + " needs " +
                     std::to_string(wanted) + " values, but has " + std::to_string(given));
    if (is_packed(dtype)) {
        std::string bytes;
        for (int64_t value : proto.int_data) bytes += char(value);
        return of_bytes(proto, dtype, bytes);
    }
    Tensor tensor(dtype, proto.dims);
    for (int64_t i = 0; i < count; ++i) {
        if (dtype == kFloat32) tensor.data<float>()[i] = proto.float_data[size_t(i)];
        else if (dtype == kFloat64) tensor.data<double>()[i] = proto.double_data[size_t(i)];
        else if (half) tensor.data<uint16_t>()[i] = uint16_t(proto.int_data[size_t(i)]);
        else {
            // Integers are little endian: the low bytes are the narrower integer.
            std::memcpy(static_cast<char*>(tensor.bytes()) + size_t(i) * dtype.bytes(), &proto.int_data[size_t(i)],
                        dtype.bytes());
        }
    }
    return tensor;
}

std::string_view external_entry(const TensorProto& proto, std::string_view key) {
    for (const auto& [name, value] : proto.external_data)
        if (name == key) return value;
    return {};
}

Result<uint64_t> external_number(const TensorProto& proto, std::string_view key, uint64_t fallback) {
    std::string_view text = external_entry(proto, key);
    if (text.empty()) return fallback;
    uint64_t value = 0;
    auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (fault != std::errc() || end != text.data() + text.size())
        return error("the external data of " + in_quotes(proto.name) + " has a bad " + std::string(key));
    return value;
}

/// Returns a tensor whose values nobody can use: a model is shown and divided without its weights.
Tensor missing_tensor(const TensorProto& proto, DataType dtype, std::string_view location, const std::string& reason,
                      const ExternalData& external) {
    external.missing.emplace(location.substr(0, 1000), reason);
    uint64_t identity = std::hash<std::string_view>()(location);
    for (const auto& [name, value] : proto.external_data)
        identity = hash_combine(identity, std::hash<std::string_view>()(value));
    return Tensor(dtype, proto.dims,
                  std::make_shared<MissingPart>(
                      "the values of " + in_quotes(proto.name) + " are missing: " + in_quotes(location) + " " + reason,
                      identity));
}

Result<Tensor> from_external(const TensorProto& proto, DataType dtype, int64_t count, const ExternalData& external) {
    if (external.folder.empty())
        return error("the tensor " + in_quotes(proto.name) + " has external data, which this file can't have");
    const std::string_view location = external_entry(proto, "location");
    Result<std::string> path = path_inside(external.folder, location, "the model's folder");
    if (!path && path.error().message.starts_with("can't be read"))
        return missing_tensor(proto, dtype, location, path.error().message, external);
    if (!path) return error("external data at " + in_quotes(location) + " " + path.error().message);
    auto known = external.files.find(*path);
    Result<std::shared_ptr<const SourceFile>> file =
        known != external.files.end() ? known->second : SourceFile::open(*path);
    if (!file) return missing_tensor(proto, dtype, location, file.error().message, external);
    Result<uint64_t> offset = external_number(proto, "offset", 0);
    if (!offset) return offset.error();
    Result<uint64_t> length = external_number(proto, "length", stored_bytes(dtype, count));
    if (!length) return length.error();
    if (*offset > (*file)->size() || *length > (*file)->size() - *offset)
        return error("the external data of " + in_quotes(proto.name) + " lies beyond the end of its file");
    if (Status good = check_size(proto, dtype, count, size_t(*length)); !good) return good.error();
    const bool keeps = known != external.files.end() || external.files.size() < kMostOpenFiles;
    if (keeps) external.files.emplace(*path, *file);
    if (keeps && *length >= kReadLater) return tensor_in_file(dtype, proto.dims, *file, size_t(*offset));
    Tensor tensor(dtype, proto.dims);
    std::string packed(is_packed(dtype) ? size_t(*length) : 0, '\0');
    void* target = is_packed(dtype) ? packed.data() : tensor.bytes();
    if (Status done = (*file)->read(size_t(*offset), size_t(*length), target); !done)
        return error("external data at " + in_quotes(location) + ": " + done.error().message);
    return is_packed(dtype) ? of_bytes(proto, dtype, packed) : std::move(tensor);
}

}  // namespace

DataType data_type_of(int32_t onnx_type) {
    return onnx_type >= 0 && size_t(onnx_type) < kTypes.size() ? kTypes[size_t(onnx_type)].dtype : kVoid;
}

std::string_view data_type_name(int32_t onnx_type) {
    return onnx_type >= 0 && size_t(onnx_type) < kTypes.size() ? kTypes[size_t(onnx_type)].name : "UNKNOWN";
}

Result<Tensor> tensor_value(const TensorProto& proto, const ExternalData& external) {
    DataType dtype = data_type_of(proto.data_type);
    if (dtype.is_void())
        return error("the tensor " + in_quotes(proto.name) + " has the type " +
                     std::string(data_type_name(proto.data_type)) + ", which is not supported");
    for (int64_t dim : proto.dims)
        if (dim < 0)
            return error("the tensor " + in_quotes(proto.name) + " has the negative dimension " + std::to_string(dim));
    std::optional<int64_t> count = element_count(proto.dims);
    int64_t bytes = 0;
    if (!count || __builtin_mul_overflow(*count, int64_t(dtype.bytes()), &bytes))
        return error("the tensor " + in_quotes(proto.name) + " has the impossible shape " +
                     shape_to_string(proto.dims));
    if (!proto.external && !proto.has_raw_data) return from_values(proto, dtype, *count);
    const char* place = proto.external ? external_entry(proto, "location").data() : proto.raw_data.data();
    if (auto known = external.values.find(place); place && known != external.values.end()) return known->second;
    Result<Tensor> value =
        proto.external ? from_external(proto, dtype, *count, external) : from_bytes(proto, dtype, *count);
    if (value && place && *count > 0) external.values.emplace(place, *value);
    return value;
}

}  // namespace partita::onnx
