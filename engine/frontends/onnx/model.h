// An ONNX model as stored in its file (onnx.proto3 of ONNX 1.12, IR version 8). Strings and data are views into the
// bytes of the model, which must outlive it.
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

/// Data of this size or more are read on first use. Smaller ones are not worth a descriptor and a lock, and opening a
/// model reads little of them.
constexpr size_t kReadLater = size_t(1) << 16;

struct TensorProto {
    std::string_view name;
    std::vector<int64_t> dims;
    int32_t data_type = 0;
    std::string_view raw_data;
    bool has_raw_data = false;
    const ModelBytes* unread = nullptr;  ///< set if raw_data is a part of its file that has not been read
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
    std::string_view kind;  ///< of a value that is not a tensor: "sequence", "map", "optional", "sparse tensor"
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
    std::string_view reference;        ///< ref_attr_name: inside functions, the referenced attribute of the call
};

struct Node {
    std::string_view name, op_type, domain, overload;
    std::vector<std::string_view> inputs, outputs;  ///< "" for an omitted one
    std::vector<Attribute> attributes;
    std::string_view layer;  ///< "layer_ann" of metadata_props

    const Attribute* attribute(std::string_view name) const;
};

struct Graph {
    std::string_view name;
    std::vector<Node> nodes;
    std::vector<TensorProto> initializers;
    std::vector<ValueInfo> inputs, outputs, value_infos;
    std::vector<TensorProto> sparse_initializers;  ///< their values, with their names; the places are not read
};

struct OperatorSet {
    std::string_view domain;
    int64_t version = 0;
};

struct Function {
    std::string_view name, domain, overload;
    std::vector<std::string_view> inputs, outputs, attributes;
    std::vector<Attribute> defaults;  ///< attributes that a call may leave out, with the values that they then have
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

/// Parses a model. Refuses truncated files, wrong wire types and graphs nested more than 64 levels, naming the message.
/// Leaves large raw data of a file unread.
Result<Model> parse_model(ModelBytes& bytes, const CancelToken& cancel = {});
Result<Model> parse_model(std::string_view bytes);
/// Parses a single TensorProto, as in the .pb files of ONNX's tests.
Result<TensorProto> parse_tensor(std::string_view bytes);
/// Parses a SequenceProto of tensors.
Result<std::vector<TensorProto>> parse_sequence(std::string_view bytes);

/// Returns the element type; void for types that Partita lacks (string, complex).
DataType data_type_of(int32_t onnx_type);
/// Returns "FLOAT", "STRING", ... for messages.
std::string_view data_type_name(int32_t onnx_type);

/// Thrown if bytes are used that were missing when the model was opened.
class DataMissing : public DataLost {
public:
    using DataLost::DataLost;
};

/// The allowed location of external data.
struct ExternalData {
    std::string folder;  ///< of the model file; "" forbids external data
    /// By path: files whose data will be read later, up to a number that leaves descriptors for others.
    mutable std::map<std::string, std::shared_ptr<const SourceFile>> files = {};
    /// Values read, by position in the model, because bodies of loops and functions are read repeatedly.
    mutable std::map<const char*, Tensor> values = {};
    mutable std::map<std::string, std::string> missing = {};  ///< locations of files that can't be read, and why
};
/// Returns the values of a tensor. Reads large data of a file on first use. Tensors from the same bytes of a file share
/// their data.
Result<Tensor> tensor_value(const TensorProto& proto, const ExternalData& external);

}  // namespace partita::onnx
