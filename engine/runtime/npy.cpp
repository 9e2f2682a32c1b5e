#include "engine/runtime/npy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "engine/support/file.h"

namespace partita {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaximumRank = 64;

static_assert(std::endian::native == std::endian::little, "the readers below copy little-endian bytes as they are");

/// The content of the header's dictionary.
struct Header {
    std::string descr;
    bool fortran_order = false;
    std::vector<int64_t> shape;
};

/// Reads the Python literal `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`.
class HeaderParser {
public:
    explicit HeaderParser(std::string_view text) : text_(text) {}

    std::optional<Header> parse() {
        Header header;
        bool has_descr = false, has_order = false, has_shape = false;
        if (!take('{')) return std::nullopt;
        while (!take('}')) {
            std::optional<std::string> key = string();
            if (!key || !take(':')) return std::nullopt;
            if (*key == "descr") {
                std::optional<std::string> descr = string();
                if (!descr) return std::nullopt;
                header.descr = *descr;
                has_descr = true;
            } else if (*key == "fortran_order") {
                if (word("True")) header.fortran_order = true;
                else if (!word("False")) return std::nullopt;
                has_order = true;
            } else if (*key == "shape") {
                if (!shape(header.shape)) return std::nullopt;
                has_shape = true;
            } else {
                return std::nullopt;
            }
            take(',');
        }
        if (!has_descr || !has_order || !has_shape) return std::nullopt;
        return header;
    }

private:
    void skip_space() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }
    bool take(char expected) {
        skip_space();
        if (at_ >= text_.size() || text_[at_] != expected) return false;
        ++at_;
        return true;
    }
    bool word(std::string_view expected) {
        skip_space();
        if (!text_.substr(at_).starts_with(expected)) return false;
        at_ += expected.size();
        return true;
    }
    std::optional<std::string> string() {
        skip_space();
        if (at_ >= text_.size() || (text_[at_] != '\'' && text_[at_] != '"')) return std::nullopt;
        char quote = text_[at_++];
        size_t end = text_.find(quote, at_);
        if (end == std::string_view::npos) return std::nullopt;
        std::string content(text_.substr(at_, end - at_));
        at_ = end + 1;
        return content;
    }
    bool shape(std::vector<int64_t>& dims) {
        if (!take('(')) return false;
        while (!take(')')) {
            skip_space();
            int64_t dim = 0;
            size_t begin = at_;
            for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
                if (__builtin_mul_overflow(dim, 10, &dim) || __builtin_add_overflow(dim, text_[at_] - '0', &dim))
                    return false;
            if (at_ == begin || dims.size() == kMaximumRank) return false;
            dims.push_back(dim);
            take(',');
        }
        return true;
    }

    std::string_view text_;
    size_t at_ = 0;
};

struct ElementFormat {
    DataType dtype;
    bool big_endian = false;
};

std::optional<ElementFormat> parse_descr(const std::string& descr) {
    if (descr.size() < 3) return std::nullopt;
    ElementFormat format;
    format.big_endian = descr[0] == '>';
    if (std::string_view("<>|=").find(descr[0]) == std::string_view::npos) return std::nullopt;
    std::string_view kind = std::string_view(descr).substr(1);
    constexpr std::pair<std::string_view, DataType> known[] = {
        {"f4", kFloat32}, {"f8", kFloat64}, {"f2", kFloat16}, {"i1", kInt8},   {"i2", kInt16},  {"i4", kInt32},
        {"i8", kInt64},   {"u1", kUInt8},   {"u2", kUInt16},  {"u4", kUInt32}, {"u8", kUInt64}, {"b1", kBool}};
    for (const auto& [name, dtype] : known)
        if (kind == name) {
            format.dtype = dtype;
            return format;
        }
    return std::nullopt;
}

std::string descr_of(DataType dtype) {
    if (dtype.is_bool()) return "|b1";
    char kind = dtype.is_float() ? 'f' : dtype.code == DataType::Code::Int ? 'i' : 'u';
    return (dtype.bytes() == 1 ? "|" : "<") + std::string(1, kind) + std::to_string(dtype.bytes());
}

void reverse_bytes(Tensor& tensor) {
    size_t width = tensor.dtype().bytes();
    auto* bytes = tensor.data<std::byte>();
    for (int64_t i = 0; i < tensor.size(); ++i) std::reverse(bytes + size_t(i) * width, bytes + size_t(i + 1) * width);
}

/// Converts a tensor from column-major to row-major order.
Tensor from_fortran_order(const Tensor& columns) {
    Tensor rows(columns.dtype(), columns.shape());
    size_t width = columns.dtype().bytes(), rank = columns.rank();
    std::vector<int64_t> index(rank, 0);
    for (int64_t i = 0; i < columns.size(); ++i) {  // `index` runs with the first dimension fastest
        int64_t place = 0;
        for (size_t d = 0; d < rank; ++d) place = place * columns.shape()[d] + index[d];
        std::memcpy(rows.data<std::byte>() + size_t(place) * width, columns.data<std::byte>() + size_t(i) * width,
                    width);
        for (size_t d = 0; d < rank && ++index[d] == columns.shape()[d]; ++d) index[d] = 0;
    }
    return rows;
}

}  // namespace

Diagnostic array_file_error(const std::string& name, const std::string& message) {
    Diagnostic diagnostic = error(message);
    diagnostic.file = name;
    return diagnostic;
}

Result<NpyHeader> parse_npy_header(std::string_view bytes, const std::string& name) {
    if (!bytes.starts_with(kMagic) || bytes.size() < 10)
        return array_file_error(name, "this is not an .npy file: it doesn't begin with \\x93NUMPY");
    int version = uint8_t(bytes[6]);
    if (version < 1 || version > 3)
        return array_file_error(name, "the .npy version " + std::to_string(version) + " is not known (1 to 3 are)");
    size_t length_bytes = version == 1 ? 2 : 4;
    if (bytes.size() < 8 + length_bytes) return array_file_error(name, "the .npy file ends in its header");
    uint32_t header_length = 0;
    std::memcpy(&header_length, bytes.data() + 8, length_bytes);
    if (header_length > bytes.size() - 8 - length_bytes)
        return array_file_error(name, "the .npy file ends in its header");
    std::optional<Header> header = HeaderParser(bytes.substr(8 + length_bytes, header_length)).parse();
    if (!header) return array_file_error(name, "the header of the .npy file can't be read");
    std::optional<ElementFormat> format = parse_descr(header->descr);
    if (!format)
        return array_file_error(name, "elements of type '" + header->descr.substr(0, 40) +
                                          "' can't be read; expected f2, f4, f8, i1 to i8, u1 to u8 or b1");
    return NpyHeader{format->dtype, format->big_endian, header->fortran_order, std::move(header->shape),
                     8 + length_bytes + header_length};
}

Result<Tensor> parse_npy(std::string_view bytes, const std::string& name) {
    Result<NpyHeader> header = parse_npy_header(bytes, name);
    if (!header) return header.error();
    std::string_view data = bytes.substr(header->size);
    std::optional<int64_t> count = element_count(header->shape);
    int64_t size = 0;
    if (!count || __builtin_mul_overflow(*count, int64_t(header->dtype.bytes()), &size) || uint64_t(size) > data.size())
        return array_file_error(name, "the .npy file is cut short: its header says " + shape_to_string(header->shape) +
                                          " of " + header->dtype.to_string());
    if (uint64_t(size) < data.size())
        return array_file_error(name, "there are " + std::to_string(data.size() - uint64_t(size)) +
                                          " bytes behind the elements of the .npy file");
    Tensor tensor(header->dtype, header->shape);
    if (size) std::memcpy(tensor.bytes(), data.data(), size_t(size));
    if (header->big_endian) reverse_bytes(tensor);
    if (header->dtype.is_bool())
        for (int64_t i = 0; i < tensor.size(); ++i) tensor.data<uint8_t>()[i] = tensor.data<uint8_t>()[i] != 0;
    return header->fortran_order && tensor.rank() > 1 ? from_fortran_order(tensor) : tensor;
}

std::string format_npy(const Tensor& tensor) {
    if (tensor.dtype().code == DataType::Code::BFloat || tensor.dtype().is_narrow_float()) {
        Tensor wide(kFloat32, tensor.shape());
        for (int64_t i = 0; i < tensor.size(); ++i) wide.data<float>()[i] = float(tensor.at(i));
        return format_npy(wide);
    }
    std::string shape = "(";
    for (int64_t dim : tensor.shape()) shape += std::to_string(dim) + ", ";
    if (tensor.rank() > 1) shape.resize(shape.size() - 2);
    else if (tensor.rank() == 1) shape.resize(shape.size() - 1);
    std::string header =
        "{'descr': '" + descr_of(tensor.dtype()) + "', 'fortran_order': False, 'shape': " + shape + "), }";
    // The data begin at a multiple of 64; the header ends with a line feed.
    size_t used = kMagic.size() + 4 + header.size() + 1;
    header.append((64 - used % 64) % 64, ' ');
    header += '\n';
    std::string bytes(kMagic);
    bytes += {'\x01', '\x00', char(header.size() & 0xff), char(header.size() >> 8 & 0xff)};
    bytes += header;
    bytes.append(static_cast<const char*>(tensor.bytes()), tensor.byte_size());
    return bytes;
}

Result<Tensor> read_npy(const std::string& path) {
    Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    return parse_npy(*bytes, path);
}

Status write_npy(const std::string& path, const Tensor& tensor) { return write_file(path, format_npy(tensor)); }

}  // namespace partita
