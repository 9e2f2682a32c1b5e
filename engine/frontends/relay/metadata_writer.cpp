#include "engine/frontends/relay/metadata_writer.h"

#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>

#include "engine/frontends/relay/metadata.h"
#include "engine/frontends/relay/value_text.h"
#include "engine/ops/registry.h"
#include "engine/support/available_memory.h"
#include "engine/support/base64.h"

namespace partita::relay {

namespace {

constexpr std::string_view kConstantKey = "relay.Constant";
constexpr std::string_view kTvmVersion = "0.9.0";
constexpr size_t kLongestLine = 10;  // longer lists of numbers get a line for each number

using Fields = std::vector<std::pair<std::string_view, std::string>>;

void append_json_string(std::string& out, std::string_view text) {
    out += '"';
    for (char letter : text) switch (letter) {
            case '"': out += "\\\""; break;
            case '\\': out += "\\\\"; break;
            case '\n': out += "\\n"; break;
            case '\r': out += "\\r"; break;
            case '\t': out += "\\t"; break;
            default: out += letter;
        }
    out += '"';
}

/// Writes the nodes of the section in order; each is two levels deep in the JSON.
class NodeWriter {
public:
    explicit NodeWriter(std::string& out) : out_(out) {}

    void node(std::string_view type_key, const Fields& fields = {}, std::span<const uint32_t> data = {},
              std::span<const std::string_view> keys = {}) {
        out_ += first_ ? "\n    {\n      \"type_key\": " : ", \n    {\n      \"type_key\": ";
        first_ = false;
        append_json_string(out_, type_key);
        if (!fields.empty()) write_fields(fields);
        if (!keys.empty()) write_keys(keys);
        if (!data.empty()) write_data(data);
        out_ += "\n    }";
    }

private:
    void write_fields(const Fields& fields) {
        bool lines = fields.size() > 1;
        out_ += ", \n      \"attrs\": {";
        for (size_t i = 0; i < fields.size(); ++i) {
            if (lines) out_ += i ? ", \n        " : "\n        ";
            append_json_string(out_, fields[i].first);
            out_ += ": ";
            append_json_string(out_, fields[i].second);
        }
        out_ += lines ? "\n      }" : "}";
    }

    void write_keys(std::span<const std::string_view> keys) {
        out_ += ", \n      \"keys\": [";
        for (size_t i = 0; i < keys.size(); ++i) {
            out_ += i ? ", \n        " : "\n        ";
            append_json_string(out_, keys[i]);
        }
        out_ += "\n      ]";
    }

    void write_data(std::span<const uint32_t> data) {
        bool lines = data.size() > kLongestLine;
        out_ += ", \n      \"data\": [";
        for (size_t i = 0; i < data.size(); ++i) {
            if (lines) out_ += i ? ", \n        " : "\n        ";
            else if (i) out_ += ", ";
            out_ += std::to_string(data[i]);
        }
        out_ += lines ? "\n      ]" : "]";
    }

    std::string& out_;
    bool first_ = true;
};

/// Writes nodes in TVM's order: each after the one that refers to it first, depth first.
class GraphWriter {
public:
    GraphWriter(const Module& module, std::string& out) : module_(module), nodes_(out) {}

    void null_node() { nodes_.node(""); }

    void map(std::span<const std::string_view> keys, std::span<const uint32_t> arrays) {
        nodes_.node("Map", {}, arrays, keys);
    }
    void array(std::span<const uint32_t> entries) { nodes_.node("Array", {}, entries); }

    /// Returns the number of nodes of an entry.
    uint32_t node_count(std::string_view key, ExprId entry, bool first_constant) const {
        if (key != kConstantKey) return 1;
        uint32_t type_nodes = module_.typed() ? 2 + uint32_t(module_.constant(entry).rank()) : 0;
        return 1 + (first_constant ? 2 : 0) + type_nodes;
    }

    void constant(ExprId id, uint32_t index, bool first) {
        if (first) device_ = index + 1;
        uint32_t type = first ? index + 3 : index + 1;
        nodes_.node(kConstantKey, {{"_checked_type_", std::to_string(module_.typed() ? type : 0)},
                                   {"data", std::to_string(tensor_number(module_.constant_id(id)))},
                                   {"span", "0"},
                                   {"virtual_device_", std::to_string(device_)}});
        if (first) {
            nodes_.node("VirtualDevice", {{"device_type_int", "-1"},
                                          {"memory_scope", std::to_string(index + 2)},
                                          {"target", "0"},
                                          {"virtual_device_id", "-1"}});
            nodes_.node("runtime.String");
        }
        if (module_.typed()) tensor_type(module_.constant(id), type);
    }

    void attributes(std::string_view key, ExprId call) {
        AttributesView view = attributes_of(module_, call);
        Fields fields;
        for (size_t i = 0; i < view.values().size(); ++i) {
            const AttributeValue& value = view.values()[i];
            const std::string* text = value.as_string();
            fields.emplace_back(view.op().attributes[i].name, text ? *text : value.to_string());
        }
        nodes_.node(key, fields);
    }

    size_t tensor_count() const { return tensor_numbers_.size(); }

private:
    void tensor_type(const Tensor& tensor, uint32_t index) {
        nodes_.node("relay.TensorType",
                    {{"dtype", tensor.dtype().to_string()}, {"shape", std::to_string(index + 1)}, {"span", "0"}});
        std::vector<uint32_t> dims(tensor.rank());
        for (size_t i = 0; i < dims.size(); ++i) dims[i] = index + 2 + uint32_t(i);
        nodes_.node("Array", {}, dims);
        for (int64_t dim : tensor.shape())
            nodes_.node("IntImm", {{"dtype", "int32"}, {"span", "0"}, {"value", std::to_string(dim)}});
    }

    uint32_t tensor_number(ConstantId constant) {
        return tensor_numbers_.try_emplace(constant, uint32_t(tensor_numbers_.size())).first->second;
    }

    const Module& module_;
    NodeWriter nodes_;
    uint32_t device_ = 0;
    std::unordered_map<ConstantId, uint32_t> tensor_numbers_;
};

/// Appends the bytes of a tensor as TVM saves it (runtime::SaveDLTensor), little endian.
void append_tensor(std::string& out, const Tensor& tensor) {
    std::vector<uint8_t> header;
    auto put = [&header](auto value) {
        uint8_t bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        header.insert(header.end(), bytes, bytes + sizeof value);
    };
    put(kTensorMagic);
    put(uint64_t(0));
    put(int32_t(1));  // the device: a CPU
    put(int32_t(0));
    put(int32_t(tensor.rank()));
    put(uint8_t(tensor.dtype().code));
    put(tensor.dtype().bits);
    put(tensor.dtype().lanes);
    for (int64_t dim : tensor.shape()) put(dim);
    put(int64_t(tensor.byte_size()));
    Base64Writer writer(out);
    writer.write(header);
    check_available(tensor.byte_size() / 3 * 4 + out.size());  // out may move when it grows
    const std::shared_ptr<const void> bytes = tensor.lent_bytes();
    writer.write({static_cast<const uint8_t*>(bytes.get()), tensor.byte_size()});
    writer.finish();
}

}  // namespace

MetadataWriter::Section& MetadataWriter::section(std::string_view key) {
    for (Section& section : sections_)
        if (section.key == key) return section;
    return sections_.emplace_back(Section{key, {}});
}

uint32_t MetadataWriter::add_constant(ExprId constant) {
    std::vector<ExprId>& entries = section(kConstantKey).entries;
    if (module_.label(constant) != kMissingValue) values_known_ = true;
    entries.push_back(constant);
    return uint32_t(entries.size() - 1);
}

uint32_t MetadataWriter::add_attributes(std::string_view key, ExprId call) {
    std::vector<ExprId>& entries = section(key).entries;
    entries.push_back(call);
    return uint32_t(entries.size() - 1);
}

/// TVM's hash table iterates over its keys last first.
std::vector<const MetadataWriter::Section*> MetadataWriter::written() const {
    std::vector<const Section*> order;
    for (size_t i = sections_.size(); i-- > 0;)
        if (values_known_ || sections_[i].key != kConstantKey) order.push_back(&sections_[i]);
    return order;
}

void MetadataWriter::write(std::string& out) const {
    GraphWriter graph(module_, out);
    std::vector<const Section*> order = written();
    out += "{\n  \"root\": 1, \n  \"nodes\": [";
    graph.null_node();
    uint32_t next = 2;
    bool first_constant = true;
    std::vector<std::string_view> keys;
    std::vector<uint32_t> arrays;
    std::vector<std::vector<uint32_t>> entries;
    for (const Section* section : order) {
        keys.push_back(section->key);
        arrays.push_back(next++);
        std::vector<uint32_t> indices;
        for (ExprId entry : section->entries) {
            indices.push_back(next);
            next += graph.node_count(section->key, entry, first_constant);
            if (section->key == kConstantKey) first_constant = false;
        }
        entries.push_back(std::move(indices));
    }
    graph.map(keys, arrays);
    first_constant = true;
    std::vector<ExprId> constants;
    for (size_t i = 0; i < order.size(); ++i) {
        graph.array(entries[i]);
        for (size_t k = 0; k < order[i]->entries.size(); ++k) {
            ExprId entry = order[i]->entries[k];
            if (order[i]->key == kConstantKey) {
                graph.constant(entry, entries[i][k], first_constant);
                if (graph.tensor_count() > constants.size()) constants.push_back(entry);
                first_constant = false;
            } else {
                graph.attributes(order[i]->key, entry);
            }
        }
    }
    out += "\n  ], \n  \"b64ndarrays\": [";
    for (size_t i = 0; i < constants.size(); ++i) {
        out += i ? ", \n    \"" : "\n    \"";
        append_tensor(out, module_.constant(constants[i]));
        out += '"';
    }
    out += constants.empty() ? "], \n" : "\n  ], \n";
    out += "  \"attrs\": {\"tvm_version\": ";
    append_json_string(out, kTvmVersion);
    out += "}\n}";
}

}  // namespace partita::relay
