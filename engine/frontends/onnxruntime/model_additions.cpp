// Fields of nodes in a model (onnx.proto3): metadata_props 9 with the key "layer_ann", which the runtime reads from IR
// version 10 on, and device_configurations 10 of IR version 11.
#include <algorithm>
#include <deque>

#include "engine/frontends/onnxruntime/steering.h"

namespace partita::onnxruntime {

namespace {

constexpr std::string_view kConfiguration = "partita";

struct Field {
    uint32_t number = 0;
    bool is_bytes = false;
    std::string_view whole, payload;
    uint64_t integer = 0;
};

bool take_varint(std::string_view& rest, uint64_t& value) {
    value = 0;
    for (int shift = 0; shift < 64 && !rest.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(rest.front());
        rest.remove_prefix(1);
        value |= uint64_t(byte & 127) << shift;
        if (byte < 128) return true;
    }
    return false;
}

/// Takes a field off a message; false at its end, and where it is damaged.
bool take_field(std::string_view& rest, Field& field) {
    const std::string_view before = rest;
    uint64_t key = 0, length = 0;
    if (!take_varint(rest, key)) return false;
    field = {uint32_t(key >> 3), (key & 7) == 2, {}, {}, 0};
    switch (key & 7) {
        case 0:
            if (!take_varint(rest, field.integer)) return false;
            break;
        case 1: length = 8; break;
        case 2:
            if (!take_varint(rest, length)) return false;
            break;
        case 5: length = 4; break;
        default: return false;
    }
    if (length > rest.size()) return false;
    field.payload = rest.substr(0, size_t(length));
    rest.remove_prefix(size_t(length));
    field.whole = before.substr(0, before.size() - rest.size());
    return true;
}

std::string varint(uint64_t value) {
    std::string text;
    for (; value >= 128; value >>= 7) text += char(128 | (value & 127));
    return text += char(value);
}
std::string integer_field(uint32_t number, uint64_t value) { return varint(uint64_t(number) << 3) + varint(value); }
std::string bytes_field(uint32_t number, std::string_view bytes) {
    return varint(uint64_t(number) << 3 | 2) + varint(bytes.size()) + std::string(bytes);
}

/// Returns the payload of the first field of a number; "" if there is none.
std::string_view member(std::string_view message, uint32_t number) {
    for (Field field; take_field(message, field);)
        if (field.number == number) return field.payload;
    return {};
}

/// A walk over the nodes of a model in the order of FileModel.
class Walk {
public:
    explicit Walk(const std::vector<std::string>* additions) : additions_(additions) {}

    /// Returns the graph with additions; pieces are views of it, or of what the walk keeps.
    std::vector<std::string_view> graph(std::string_view message, int depth = 0) {
        std::vector<std::string_view> pieces;
        for (Field field; take_field(message, field);) {
            if (field.number != 1 || !field.is_bytes) pieces.push_back(field.whole);
            else pieces.push_back(made_.emplace_back(bytes_field(1, node(field.payload, depth))));
        }
        return pieces;
    }
    size_t nodes() const { return number_; }

private:
    static bool is_replaced(const Field& field) {
        return (field.number == 9 && member(field.payload, 1) == "layer_ann") ||
               (field.number == 10 && member(field.payload, 1) == kConfiguration);
    }

    std::string node(std::string_view message, int depth) {
        constexpr int kDeepest = 64;  // as the model's reader
        if (member(message, 4) == "Constant" || depth > kDeepest) return std::string(message);
        const size_t own = number_++;
        std::vector<Field> fields;
        for (Field field; take_field(message, field);) fields.push_back(field);
        std::vector<size_t> bodies;
        for (size_t i = 0; i < fields.size(); ++i)
            if (fields[i].number == 5 && fields[i].is_bytes) bodies.push_back(i);
        std::stable_sort(bodies.begin(), bodies.end(), [&](size_t a, size_t b) {
            return member(fields[a].payload, 1) < member(fields[b].payload, 1);
        });
        std::vector<std::string> attributes(fields.size());
        for (size_t i : bodies) attributes[i] = attribute(fields[i].payload, depth);
        std::string made;
        for (size_t i = 0; i < fields.size(); ++i) {
            if (additions_ && own < additions_->size() && is_replaced(fields[i])) continue;
            made += attributes[i].empty() ? std::string(fields[i].whole) : bytes_field(5, attributes[i]);
        }
        return additions_ && own < additions_->size() ? made + (*additions_)[own] : made;
    }

    std::string attribute(std::string_view message, int depth) {
        std::string made;
        for (Field field; take_field(message, field);) {
            const bool is_graph = field.is_bytes && (field.number == 6 || field.number == 11);
            if (!is_graph) {
                made += field.whole;
                continue;
            }
            std::string body;
            for (std::string_view piece : graph(field.payload, depth + 1)) body += piece;
            made += bytes_field(field.number, body);
        }
        return made;
    }

    const std::vector<std::string>* additions_;
    std::deque<std::string> made_;
    size_t number_ = 0;
};

}  // namespace

std::string layer_annotation(const std::string& layer) {
    return bytes_field(9, bytes_field(1, "layer_ann") + bytes_field(2, layer));
}

std::string device_of_node(const FileNode& node, size_t device, size_t stage) {
    std::string configuration = bytes_field(1, kConfiguration);
    for (const std::string& output : node.outputs)
        if (!output.empty()) configuration += bytes_field(2, bytes_field(1, output) + integer_field(2, device));
    return bytes_field(10, configuration + (stage ? integer_field(3, stage) : ""));
}

std::string device_list(const std::vector<std::string>& devices) {
    std::string configuration = bytes_field(1, kConfiguration) + integer_field(2, devices.size());
    for (const std::string& device : devices) configuration += bytes_field(3, device);
    return bytes_field(26, configuration);
}

Result<std::string> with_additions(std::string_view model, const ModelAdditions& additions) {
    Walk walk(&additions.to_nodes);
    uint64_t ir = 0;
    std::string_view graph;
    std::vector<Field> others;
    std::string_view rest = model;
    for (Field field; take_field(rest, field);) {
        if (field.number == 1) ir = field.integer;
        else if (field.number == 7) graph = field.payload;
        else if (field.number != 26 || member(field.payload, 1) != kConfiguration) others.push_back(field);
    }
    if (!rest.empty() || graph.empty()) return error("this is no ONNX model, or it is damaged");
    const std::vector<std::string_view> pieces = walk.graph(graph);
    if (walk.nodes() != additions.to_nodes.size()) return error("the model has other nodes than when it was read");
    uint64_t size = 0;
    for (std::string_view piece : pieces) size += piece.size();
    std::string made = integer_field(1, std::max(ir, uint64_t(additions.least_ir)));
    made.reserve(size_t(size) + model.size() - graph.size() + additions.to_model.size() + 64);
    made += varint(7 << 3 | 2) + varint(size);
    for (std::string_view piece : pieces) made += piece;
    for (const Field& field : others) made += field.whole;
    return made + additions.to_model;
}

namespace {

/// Adds what a graph's nodes say; bodies stand in the rows behind what holds them.
void add_rows(std::string_view graph, const std::vector<std::string>& devices, int depth, ProgramReport& report) {
    constexpr int kDeepest = 64;
    int64_t index = 0;
    for (Field field; depth <= kDeepest && take_field(graph, field);) {
        if (field.number != 1 || !field.is_bytes || member(field.payload, 4) == "Constant") continue;
        ReportRow row;
        row.name = member(field.payload, 3);
        row.op = member(field.payload, 4);
        row.index = depth == 0 ? index : -1;
        ++index;
        std::string_view rest = field.payload;
        std::vector<std::string_view> bodies;
        for (Field of_node; take_field(rest, of_node);) {
            if (of_node.number == 5)
                for (uint32_t number : {6u, 11u})
                    if (const std::string_view body = member(of_node.payload, number); !body.empty())
                        bodies.push_back(body);
            if (of_node.number != 10) continue;
            std::string_view configuration = of_node.payload;
            for (Field field; take_field(configuration, field);) {
                if (field.number == 3) row.group = int(std::min<uint64_t>(field.integer, INT32_MAX));
                if (field.number != 2) continue;
                std::string_view spec = field.payload;
                for (Field of_spec; take_field(spec, of_spec);) {
                    if (of_spec.number != 2 || !row.backend.empty()) continue;
                    std::string_view packed = of_spec.payload;
                    if (of_spec.is_bytes && !take_varint(packed, of_spec.integer)) continue;
                    if (of_spec.integer < devices.size()) row.backend = devices[size_t(of_spec.integer)];
                }
            }
        }
        if (!row.backend.empty()) report.rows.push_back(std::move(row));
        for (std::string_view body : bodies) add_rows(body, devices, depth + 1, report);
    }
}

std::vector<std::string> devices_of(std::string_view model) {
    std::vector<std::string> devices;
    std::string_view configuration;
    for (Field field; take_field(model, field);)
        if (field.number == 26 && configuration.empty()) configuration = field.payload;
    for (Field field; take_field(configuration, field);)
        if (field.number == 3) devices.emplace_back(field.payload);
    return devices;
}

}  // namespace

/// A model's first bytes are its IR version; its list of devices may stand behind its weights.
bool is_device_configuration(std::string_view bytes) {
    return bytes.size() > 2 && bytes[0] == 8 && (bytes[1] & 128) == 0 && bytes[1] >= 11 && !devices_of(bytes).empty();
}

Result<ProgramReport> read_device_configuration(std::string_view bytes) {
    ProgramReport report;
    const std::vector<std::string> devices = devices_of(bytes);
    for (Field field; take_field(bytes, field);)
        if (field.number == 7) add_rows(field.payload, devices, 0, report);
    return report;
}

}  // namespace partita::onnxruntime
