// An ONNX model as it stands in its file (onnx.proto3 of ONNX 1.12, IR version 8). Strings and data are views into the
// model's bytes, which must live as long.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/frontends/onnx/model_bytes.h"
#include "engine/ir/tensor.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita::onnx {

/// From this size on data of files are read when they are wanted. Smaller ones are worth no descriptor and no lock, and
/// what is looked at while a model is opened is small.
constexpr size_t kReadLater = size_t(1) << 16;

struct TensorProto {
    std::string_view name;
    std::vector<int64_t> dims;
    int32_t data_type = 0;
    std::string_view raw_data;
    bool has_raw_data = false;
    const ModelBytes* unread = nullptr;  ///< set where raw_data are a part of its file that is not read yet
    std::vector<float> float_data;
    std::vector<int64_t> int_data;  ///< int32_data, int64_data and uint64_data
    std::vector<double> double_data;
    std::vector<std::string_view> string_data;
    bool external = false;
    std::vector<std::pair<std::string_view, std::string_view>> external_data;
};

struct Dimension {
    int64_t value = -1;  ///< -1 where it is symbolic or unknown
    std::string_view symbol;
};

struct ValueInfo {
    std::string_view name;
    bool is_tensor = false;
    std::string_view kind;  ///< of what is no tensor: "sequence", "map", "optional", "sparse tensor"
    int32_t data_type = 0;
    bool has_shape = false;
    std::vector<Dimension> shape;
};

struct Graph;

/// AttributeProto.AttributeType.
enum class AttributeType : int32_t { Float = 1, Int, String, Tensor, Graph, Floats, Ints, Strings };

struct Attribute {
    std::string_view name;
    int32_t type = 0;  ///< an AttributeType; 0 in old files
    float f = 0;
    int64_t i = 0;
    std::string_view s;
    std::vector<float> floats;
    std::vector<int64_t> ints;
    std::vector<std::string_view> strings;
    std::vector<TensorProto> tensors;  ///< `t` or `tensors`
    std::vector<Graph> graphs;         ///< `g` or `graphs`
    std::string_view reference;        ///< ref_attr_name: inside functions, the attribute of the call
};

struct Node {
    std::string_view name, op_type, domain;
    std::vector<std::string_view> inputs, outputs;  ///< "" stands for a left-out one
    std::vector<Attribute> attributes;

    const Attribute* attribute(std::string_view name) const;
};

struct Graph {
    std::string_view name;
    std::vector<Node> nodes;
    std::vector<TensorProto> initializers;
    std::vector<ValueInfo> inputs, outputs, value_infos;
    bool has_sparse_initializers = false;
};

struct OperatorSet {
    std::string_view domain;
    int64_t version = 0;
};

struct Function {
    std::string_view name, domain;
    std::vector<std::string_view> inputs, outputs, attributes;
    std::vector<Node> nodes;
    std::vector<OperatorSet> operator_sets;
};

struct Model {
    int64_t ir_version = 0;
    std::string_view producer;
    std::vector<OperatorSet> operator_sets;
    Graph graph;
    std::vector<std::pair<std::string_view, std::string_view>> metadata;
    std::vector<Function> functions;
};

/// Refuses truncated files, wrong wire types and nesting of graphs over 64 levels, naming the message at fault. Of a
/// file large raw data are left unread.
Result<Model> parse_model(ModelBytes& bytes, const CancelToken& cancel = {});
Result<Model> parse_model(std::string_view bytes);
/// A TensorProto by itself, as in the .pb files of ONNX's tests.
Result<TensorProto> parse_tensor(std::string_view bytes);
/// A SequenceProto of tensors.
Result<std::vector<TensorProto>> parse_sequence(std::string_view bytes);

/// void for types that Partita does not have (string, complex).
DataType data_type_of(int32_t onnx_type);
/// "FLOAT", "STRING"... for messages.
std::string_view data_type_name(int32_t onnx_type);

/// Where the bytes of external data may lie.
struct ExternalData {
    std::string folder;  ///< of the model file; "" forbids external data
    /// By path: those whose data will be read later, up to a number that leaves descriptors for others.
    mutable std::map<std::string, std::shared_ptr<const SourceFile>> files = {};
    /// What was read, by its place in the model: bodies of loops and functions are read again and again.
    mutable std::map<const char*, Tensor> values = {};
};
/// The tensor's values. Large data of a file are read when they are first asked for. Data that are bytes of a file are
/// shared between all that come from the same place.
Result<Tensor> tensor_value(const TensorProto& proto, const ExternalData& external);

}  // namespace partita::onnx
