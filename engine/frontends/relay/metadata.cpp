#include "engine/frontends/relay/metadata.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>

#include "engine/frontends/relay/syntax_error.h"
#include "engine/support/base64.h"
#include "engine/support/json_cursor.h"

namespace partita::relay {

namespace {

constexpr int kDeepestValue = 32;
constexpr size_t kLeastBudget = 1'000'000;  // a larger text has its size as budget: a legitimate one holds no more
constexpr uint32_t kMostFields = 1000;      // of a node; TVM's have a few dozen, and they are searched linearly
constexpr size_t kTensorHeader = 8 + 8 + 4 + 4 + 4 + 4;  // magic, reserved, device, its id, rank, dtype
constexpr int32_t kGreatestRank = 32;

template <class T>
T read_little_endian(const uint8_t* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
}

/// Returns the element type if a tensor's bytes can be read as it.
std::optional<DataType> checked_dtype(uint8_t code, uint8_t bits, uint16_t lanes) {
    DataType dtype{DataType::Code(code), bits, lanes};
    if (lanes != 1) return std::nullopt;
    switch (dtype.code) {
        case DataType::Code::Int:
            if (bits == 8 || bits == 16 || bits == 32 || bits == 64) return dtype;
            break;
        case DataType::Code::UInt:
            if (bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64) return dtype;
            break;
        case DataType::Code::Float:
            if (bits == 16 || bits == 32 || bits == 64) return dtype;
            break;
        case DataType::Code::BFloat:
            if (bits == 16) return dtype;
            break;
        default: break;
    }
    return std::nullopt;
}

std::string number(size_t value) { return std::to_string(value); }

}  // namespace

class MetadataReader {
public:
    MetadataReader(Metadata& metadata, std::string_view text, SourcePosition begin)
        : metadata_(metadata), json_(text, begin, metadata.unescaped_, "bad metadata: ") {
        json_.allow_control_characters();
    }

    void read() {
        json_.peek();
        SourcePosition begin = json_.position();
        bool has_root = false;
        json_.object("the metadata section", [&](std::string_view key) {
            if (key == "root") {
                metadata_.root_ = json_.index();
                has_root = true;
            } else if (key == "nodes") {
                json_.array("the list of nodes", [&] { read_node(); });
            } else if (key == "b64ndarrays") {
                json_.array("the list of tensors", [&] { read_tensor(); });
            } else {
                json_.skip_value();
            }
        });
        json_.expect_end("the section");
        if (!has_root || metadata_.root_ >= metadata_.nodes_.size())
            fail(begin, "bad metadata: expected `\"root\"` to be the index of a node");
        for (uint32_t index : metadata_.data_)
            if (index >= metadata_.nodes_.size())
                fail(begin, "bad metadata: node " + number(index) + " is referred to, but there are " +
                                number(metadata_.nodes_.size()));
        note_keys();
        metadata_.present_ = true;
    }

private:
    void note_keys() {
        const MetadataNode& map = metadata_.nodes_[metadata_.root_];
        for (uint32_t i = 0; i < map.keys_count; ++i)
            metadata_.place_of_key_.emplace(metadata_.keys_[map.keys_begin + i], i);
    }

    void read_tensor() {
        json_.peek();
        SourcePosition position = json_.position();
        metadata_.tensors_.push_back({json_.string(), position});
    }

    void read_node() {
        json_.peek();
        MetadataNode node;
        node.position = json_.position();
        json_.object("a node", [&](std::string_view key) {
            if (key == "type_key") node.type_key = json_.string();
            else if (key == "repr_str") node.text = json_.string();
            else if (key == "repr_b64") node.text = decode(json_.string(), node.position);
            else if (key == "attrs") read_attributes(node);
            else if (key == "keys") read_keys(node);
            else if (key == "data") read_data(node);
            else json_.skip_value();
        });
        metadata_.nodes_.push_back(node);
    }

    void read_attributes(MetadataNode& node) {
        node.attributes_begin = uint32_t(metadata_.attributes_.size());
        json_.object("a node's fields",
                     [&](std::string_view key) { metadata_.attributes_.emplace_back(key, json_.string()); });
        node.attributes_count = uint32_t(metadata_.attributes_.size()) - node.attributes_begin;
        if (node.attributes_count > kMostFields)
            fail(node.position, "bad metadata: this node has over " + number(kMostFields) + " fields");
    }

    void read_keys(MetadataNode& node) {
        node.keys_begin = uint32_t(metadata_.keys_.size());
        json_.array("a map's keys", [&] { metadata_.keys_.push_back(json_.string()); });
        node.keys_count = uint32_t(metadata_.keys_.size()) - node.keys_begin;
    }

    void read_data(MetadataNode& node) {
        node.data_begin = uint32_t(metadata_.data_.size());
        json_.array("a list of indices", [&] { metadata_.data_.push_back(json_.index()); });
        node.data_count = uint32_t(metadata_.data_.size()) - node.data_begin;
    }

    std::string_view decode(std::string_view base64, SourcePosition place) {
        int64_t size = base64_decoded_size(base64);
        std::string& bytes = metadata_.unescaped_.emplace_back(size_t(std::max<int64_t>(size, 0)), '\0');
        if (size < 0 || !base64_decode(base64, 0, {reinterpret_cast<uint8_t*>(bytes.data()), bytes.size()}))
            fail(place, "bad metadata: the string of this node is no base64");
        // The string follows its length of eight bytes.
        return std::string_view(bytes).substr(std::min<size_t>(8, bytes.size()));
    }

    Metadata& metadata_;
    JsonCursor json_;
};

Metadata::Metadata(std::string_view section, SourcePosition begin, size_t text_size)
    : budget_(std::max(kLeastBudget, text_size)) {
    MetadataReader(*this, section, begin).read();
}

bool Metadata::has(std::string_view key) const { return place_of_key_.contains(key); }

size_t Metadata::entries(std::string_view key) const {
    const auto known = place_of_key_.find(key);
    const MetadataNode& map = nodes_[root_];
    return known == place_of_key_.end() || known->second >= map.data_count
               ? 0
               : nodes_[data_[map.data_begin + known->second]].data_count;
}

uint32_t Metadata::find(std::string_view key, int64_t index, SourcePosition place) const {
    const MetadataNode& map = nodes_[root_];
    const auto known = place_of_key_.find(key);
    if (known == place_of_key_.end() || known->second >= map.data_count)
        fail(place, "the metadata section has no entries of " + quoted(key));
    const MetadataNode& list = nodes_[data_[map.data_begin + known->second]];
    if (index < 0 || index >= int64_t(list.data_count))
        fail(place, "the metadata section has " + number(list.data_count) + " entries of " + quoted(key) +
                        ", there is none with the index " + std::to_string(index));
    return data_[list.data_begin + uint32_t(index)];
}

std::string_view Metadata::field(uint32_t node, std::string_view name) const {
    const MetadataNode& record = nodes_[node];
    for (uint32_t i = 0; i < record.attributes_count; ++i) {
        const auto& [key, value] = attributes_[record.attributes_begin + i];
        if (key == name) return value;
    }
    fail(record.position, "bad metadata: this node, a " + quoted(record.type_key) + ", has no field " + quoted(name));
}

std::vector<std::pair<std::string_view, std::string_view>> Metadata::fields(uint32_t node) const {
    const MetadataNode& record = nodes_[node];
    auto begin = attributes_.begin() + record.attributes_begin;
    return {begin, begin + record.attributes_count};
}

uint32_t Metadata::node_index(std::string_view digits, SourcePosition place) const {
    uint32_t index = 0;
    auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (failure != std::errc() || end != digits.data() + digits.size() || index >= nodes_.size())
        fail(place, "bad metadata: " + quoted(digits) + " is no index of a node");
    return index;
}

void Metadata::take(std::string_view field, SourcePosition place) {
    if (budget_ <= field.size()) fail(place, "bad metadata: the values that the text uses are too large in total");
    budget_ -= field.size() + 1;
}

AttributeValue Metadata::value(uint32_t node) { return value(node, 0); }

AttributeValue Metadata::value(uint32_t node, int depth) {
    const MetadataNode& record = nodes_[node];
    if (depth > kDeepestValue) fail(record.position, "bad metadata: values nest too deeply");
    take(record.text, record.position);
    if (record.type_key.empty()) return {};
    if (record.type_key == "runtime.String") return std::string(record.text);
    if (record.type_key == "IntImm") {
        std::string_view digits = field(node, "value"), dtype = field(node, "dtype");
        Integer integer;
        auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), integer.value);
        if (failure != std::errc()) fail(record.position, "bad metadata: " + quoted(digits) + " is no integer");
        if (dtype == "bool") return integer.value != 0;
        integer.bits = dtype == "int64" ? 64 : 32;
        return integer;
    }
    if (record.type_key == "FloatImm") {
        std::string_view digits = field(node, "value");
        double real = 0;
        auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
        if (failure == std::errc::invalid_argument)
            fail(record.position, "bad metadata: " + quoted(digits) + " is no number");
        return real;
    }
    if (record.type_key == "Array") {
        AttributeValue::List list;
        for (uint32_t i = 0; i < record.data_count; ++i) list.push_back(value(data_[record.data_begin + i], depth + 1));
        return list;
    }
    fail(record.position, "a metadata entry of " + quoted(record.type_key) + " can't be the value of an attribute");
}

uint32_t Metadata::tensor_index(uint32_t constant) const {
    const MetadataNode& record = nodes_[constant];
    if (record.type_key != "relay.Constant" && record.type_key != "relax.expr.Constant")
        fail(record.position, "bad metadata: expected a relay.Constant, found " + quoted(record.type_key));
    std::string_view digits = field(constant, "data");
    uint32_t index = 0;
    auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    if (failure != std::errc() || index >= tensors_.size())
        fail(record.position,
             "bad metadata: tensor " + quoted(digits) + " is referred to, but there are " + number(tensors_.size()));
    return index;
}

Tensor Metadata::tensor(uint32_t index) const {
    return decode_tensor(tensors_[index].base64, tensors_[index].position);
}

Tensor decode_tensor(std::string_view base64, SourcePosition position) {
    auto refuse = [position](const std::string& why) { fail(position, "bad metadata: " + why); };
    int64_t total = base64_decoded_size(base64);
    uint8_t header[kTensorHeader];
    if (total < int64_t(kTensorHeader) || !base64_decode(base64, 0, header))
        refuse("this tensor is no base64, or is cut short");
    if (read_little_endian<uint64_t>(header) != kTensorMagic)
        refuse("this tensor does not begin with TVM's magic number");
    int32_t rank = read_little_endian<int32_t>(header + 24);
    if (rank < 0 || rank > kGreatestRank) refuse("this tensor's rank is " + std::to_string(rank));
    auto dtype = checked_dtype(header[28], header[29], read_little_endian<uint16_t>(header + 30));
    if (!dtype) refuse("this tensor's element type is unknown");

    std::vector<uint8_t> tail(size_t(rank) * 8 + 8);
    if (!base64_decode(base64, kTensorHeader, tail)) refuse("this tensor is cut short");
    std::vector<int64_t> shape;
    for (int32_t i = 0; i < rank; ++i) shape.push_back(read_little_endian<int64_t>(tail.data() + size_t(i) * 8));
    int64_t bytes = read_little_endian<int64_t>(tail.data() + size_t(rank) * 8);
    size_t begin = kTensorHeader + tail.size();
    std::optional<int64_t> count = element_count(shape);
    // Compares by division, so that a huge count cannot overflow.
    int64_t available = total - int64_t(begin);
    if (!count || *count > available / int64_t(dtype->bytes()) || *count * int64_t(dtype->bytes()) != bytes ||
        bytes != available)
        refuse("this tensor's shape " + shape_to_string(shape) + " of " + dtype->to_string() + " does not fit its " +
               std::to_string(std::max<int64_t>(available, 0)) + " bytes of data");
    Tensor tensor(*dtype, shape);
    if (!base64_decode(base64, begin, {static_cast<uint8_t*>(tensor.bytes()), tensor.byte_size()}))
        refuse("this tensor is no base64");
    return tensor;
}

}  // namespace partita::relay
