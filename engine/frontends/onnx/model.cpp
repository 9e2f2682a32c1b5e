#include "engine/frontends/onnx/model.h"

#include <string>

#include "engine/frontends/onnx/wire.h"
#include "engine/support/available_memory.h"
#include "engine/support/cancel_check.h"

namespace partita::onnx {

namespace {

constexpr int kDeepestNesting = 64;

/// Reads messages. The first fault ends reading and is kept with the name of its message.
class Parser {
public:
    explicit Parser(ModelBytes& bytes, const CancelToken& cancel = {}) : bytes_(bytes), cancelled_(cancel) {}

    Model model(std::string_view bytes);
    TensorProto tensor(std::string_view bytes);
    TensorProto sparse_tensor(std::string_view bytes);
    std::vector<TensorProto> sequence(std::string_view bytes);
    bool failed() const { return !fault_.empty(); }
    const std::string& fault() const { return fault_; }

private:
    Graph graph(std::string_view bytes);
    Node node(std::string_view bytes);
    Attribute attribute(std::string_view bytes);
    ValueInfo value_info(std::string_view bytes);
    void type(std::string_view bytes, ValueInfo& info);
    void tensor_type(std::string_view bytes, ValueInfo& info);
    void shape(std::string_view bytes, ValueInfo& info);
    Dimension dimension(std::string_view bytes);
    Function function(std::string_view bytes);
    OperatorSet operator_set(std::string_view bytes);
    std::pair<std::string_view, std::string_view> string_pair(std::string_view bytes);

    /// Calls `take` for each field of a message.
    template <class Take>
    void fields(std::string_view bytes, const char* message, Take take) {
        if (failed()) return;
        WireReader reader(bytes, bytes_);
        while (!failed() && reader.next()) {
            if (cancelled_()) fault_ = "cancelled";
            else take(reader);
        }
        if (reader.failed() && !failed() && !bytes_.fault().empty()) fault_ = bytes_.fault();
        if (reader.failed() && !failed())
            fault_ = std::string("the file is damaged or is no ONNX model: bad data in ") + message;
    }

    ModelBytes& bytes_;
    CancelCheck cancelled_;
    std::string fault_;
    int depth_ = 0;
};

OperatorSet Parser::operator_set(std::string_view bytes) {
    OperatorSet set;
    fields(bytes, "OperatorSetIdProto", [&](WireReader& r) {
        if (r.field() == 1) set.domain = r.bytes();
        if (r.field() == 2) set.version = r.integer();
    });
    return set;
}

std::pair<std::string_view, std::string_view> Parser::string_pair(std::string_view bytes) {
    std::pair<std::string_view, std::string_view> pair;
    fields(bytes, "StringStringEntryProto", [&](WireReader& r) {
        if (r.field() == 1) pair.first = r.bytes();
        if (r.field() == 2) pair.second = r.bytes();
    });
    return pair;
}

Dimension Parser::dimension(std::string_view bytes) {
    Dimension dimension;
    fields(bytes, "TensorShapeProto.Dimension", [&](WireReader& r) {
        if (r.field() == 1) dimension.value = r.integer();
        if (r.field() == 2) dimension.symbol = r.bytes();
    });
    return dimension;
}

void Parser::shape(std::string_view bytes, ValueInfo& info) {
    info.has_shape = true;
    fields(bytes, "TensorShapeProto", [&](WireReader& r) {
        if (r.field() == 1) append_checked(info.shape, dimension(r.unread_bytes()));
    });
}

void Parser::tensor_type(std::string_view bytes, ValueInfo& info) {
    info.is_tensor = true;
    fields(bytes, "TypeProto.Tensor", [&](WireReader& r) {
        if (r.field() == 1) info.data_type = int32_t(r.integer());
        if (r.field() == 2) shape(r.unread_bytes(), info);
    });
}

void Parser::type(std::string_view bytes, ValueInfo& info) {
    fields(bytes, "TypeProto", [&](WireReader& r) {
        switch (r.field()) {
            case 1: tensor_type(r.unread_bytes(), info); break;
            case 4: info.kind = "sequence"; break;
            case 5: info.kind = "map"; break;
            case 8: info.kind = "sparse tensor"; break;
            case 9: info.kind = "optional"; break;
            default: break;
        }
    });
}

ValueInfo Parser::value_info(std::string_view bytes) {
    ValueInfo info;
    fields(bytes, "ValueInfoProto", [&](WireReader& r) {
        if (r.field() == 1) info.name = r.bytes();
        if (r.field() == 2) type(r.unread_bytes(), info);
    });
    return info;
}

TensorProto Parser::tensor(std::string_view bytes) {
    TensorProto tensor;
    fields(bytes, "TensorProto", [&](WireReader& r) {
        switch (r.field()) {
            case 1: r.append_integers(tensor.dims); break;
            case 2: tensor.data_type = int32_t(r.integer()); break;
            case 4: r.append_floats(tensor.float_data); break;
            case 5:
            case 7:
            case 11: r.append_integers(tensor.int_data); break;
            case 6: append_checked(tensor.string_data, r.bytes()); break;
            case 8: tensor.name = r.bytes(); break;
            case 9:
                tensor.has_raw_data = true;
                tensor.unread = bytes_.file() && r.unread_bytes().size() >= kReadLater ? &bytes_ : nullptr;
                tensor.raw_data = tensor.unread ? r.unread_bytes() : r.bytes();
                break;
            case 10: r.append_doubles(tensor.double_data); break;
            case 13: append_checked(tensor.external_data, string_pair(r.unread_bytes())); break;
            case 14: tensor.external = r.integer() == 1; break;
            default: break;
        }
    });
    return tensor;
}

/// Reads the values of a SparseTensorProto, which have its name.
TensorProto Parser::sparse_tensor(std::string_view bytes) {
    TensorProto values;
    fields(bytes, "SparseTensorProto", [&](WireReader& r) {
        if (r.field() == 1) values = tensor(r.unread_bytes());
    });
    return values;
}

std::vector<TensorProto> Parser::sequence(std::string_view bytes) {
    std::vector<TensorProto> tensors;
    fields(bytes, "SequenceProto", [&](WireReader& r) {
        if (r.field() == 3) append_checked(tensors, tensor(r.unread_bytes()));
        if (r.field() > 3) fault_ = "only sequences of tensors are supported";
    });
    return tensors;
}

Attribute Parser::attribute(std::string_view bytes) {
    Attribute attribute;
    fields(bytes, "AttributeProto", [&](WireReader& r) {
        switch (r.field()) {
            case 1: attribute.name = r.bytes(); break;
            case 2: attribute.f = r.real(); break;
            case 3: attribute.i = r.integer(); break;
            case 4: attribute.s = r.bytes(); break;
            case 5:
            case 10: append_checked(attribute.tensors, tensor(r.unread_bytes())); break;
            case 6:
            case 11: append_checked(attribute.graphs, graph(r.unread_bytes())); break;
            case 7: r.append_floats(attribute.floats); break;
            case 8: r.append_integers(attribute.ints); break;
            case 9: append_checked(attribute.strings, r.bytes()); break;
            case 20: attribute.type = int32_t(r.integer()); break;
            case 21: attribute.reference = r.bytes(); break;
            default: break;
        }
    });
    return attribute;
}

Node Parser::node(std::string_view bytes) {
    Node node;
    fields(bytes, "NodeProto", [&](WireReader& r) {
        switch (r.field()) {
            case 1: append_checked(node.inputs, r.bytes()); break;
            case 2: append_checked(node.outputs, r.bytes()); break;
            case 3: node.name = r.bytes(); break;
            case 4: node.op_type = r.bytes(); break;
            case 5: append_checked(node.attributes, attribute(r.unread_bytes())); break;
            case 7: node.domain = r.bytes(); break;
            case 8: node.overload = r.bytes(); break;
            case 9:
                if (const auto [key, value] = string_pair(r.unread_bytes()); key == "layer_ann") node.layer = value;
                break;
            default: break;
        }
    });
    return node;
}

Graph Parser::graph(std::string_view bytes) {
    Graph graph;
    if (++depth_ > kDeepestNesting)
        fault_ = "graphs are nested over " + std::to_string(kDeepestNesting) + " levels deep";
    fields(bytes, "GraphProto", [&](WireReader& r) {
        switch (r.field()) {
            case 1: append_checked(graph.nodes, node(r.unread_bytes())); break;
            case 2: graph.name = r.bytes(); break;
            case 5: append_checked(graph.initializers, tensor(r.unread_bytes())); break;
            case 11: append_checked(graph.inputs, value_info(r.unread_bytes())); break;
            case 12: append_checked(graph.outputs, value_info(r.unread_bytes())); break;
            case 13: append_checked(graph.value_infos, value_info(r.unread_bytes())); break;
            case 15: append_checked(graph.sparse_initializers, sparse_tensor(r.unread_bytes())); break;
            default: break;
        }
    });
    --depth_;
    return graph;
}

Function Parser::function(std::string_view bytes) {
    Function function;
    fields(bytes, "FunctionProto", [&](WireReader& r) {
        switch (r.field()) {
            case 1: function.name = r.bytes(); break;
            case 4: append_checked(function.inputs, r.bytes()); break;
            case 5: append_checked(function.outputs, r.bytes()); break;
            case 6: append_checked(function.attributes, r.bytes()); break;
            case 7: append_checked(function.nodes, node(r.unread_bytes())); break;
            case 9: append_checked(function.operator_sets, operator_set(r.unread_bytes())); break;
            case 10: function.domain = r.bytes(); break;
            case 11: append_checked(function.defaults, attribute(r.unread_bytes())); break;
            case 13: function.overload = r.bytes(); break;
            default: break;
        }
    });
    return function;
}

Model Parser::model(std::string_view bytes) {
    Model model;
    fields(bytes, "ModelProto", [&](WireReader& r) {
        switch (r.field()) {
            case 1: model.ir_version = r.integer(); break;
            case 2: model.producer = r.bytes(); break;
            case 7: model.graph = graph(r.unread_bytes()); break;
            case 8: append_checked(model.operator_sets, operator_set(r.unread_bytes())); break;
            case 14: model.metadata.push_back(string_pair(r.unread_bytes())); break;
            case 25: append_checked(model.functions, function(r.unread_bytes())); break;
            default: break;
        }
    });
    return model;
}

}  // namespace

const Attribute* Node::attribute(std::string_view wanted) const {
    for (const Attribute& attribute : attributes)
        if (attribute.name == wanted) return &attribute;
    return nullptr;
}

Result<Model> parse_model(ModelBytes& bytes, const CancelToken& cancel) {
    if (bytes.all().empty()) return error("the file is empty; expected an ONNX model");
    Parser parser(bytes, cancel);
    Model model = parser.model(bytes.all());
    if (parser.failed()) return error(parser.fault());
    if (model.graph.nodes.empty() && model.graph.outputs.empty())
        return error("there is no graph in the file; expected an ONNX model");
    return model;
}

Result<Model> parse_model(std::string_view bytes) {
    ModelBytes block(bytes);
    return parse_model(block);
}

Result<std::vector<TensorProto>> parse_sequence(std::string_view bytes) {
    ModelBytes block(bytes);
    Parser parser(block);
    std::vector<TensorProto> tensors = parser.sequence(bytes);
    if (parser.failed()) return error(parser.fault());
    return tensors;
}

Result<TensorProto> parse_tensor(std::string_view bytes) {
    ModelBytes block(bytes);
    Parser parser(block);
    TensorProto tensor = parser.tensor(bytes);
    if (parser.failed()) return error(parser.fault());
    return tensor;
}

}  // namespace partita::onnx
