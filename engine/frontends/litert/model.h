// A `.tflite` file as plain values: what stands in it, checked, and nothing else. Names are views of the file's bytes.
//
// The reader refuses what LiteRT's own builder refuses or dies of, except where a model can be shown all the same: then
// it notes what is wrong. No buffer is read but those of metadata that are wanted.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/frontends/litert/schema.h"
#include "engine/support/cancel.h"
#include "engine/support/flat_buffer.h"

namespace partita::litert {

/// How integers stand for real numbers: real = scale * (number - zero point).
struct Quantization {
    std::vector<float> scales;  ///< one, or one for each index of the axis; none: not quantized
    std::vector<int64_t> zero_points;
    int axis = 0;
    std::string_view details;  ///< "blockwise", ...: then the scales are tensors, or unknown
    int64_t block_size = 0;
};

/// A part of the file.
struct DataPlace {
    uint64_t begin = 0, bytes = 0;
};

/// How the elements of a sparse constant lie: the tree of its dimensions and blocks, in the order of traversal.
struct Sparsity {
    struct Dimension {
        bool compressed = false;
        int32_t size = 0;                        ///< of a dense one
        std::vector<int64_t> segments, indices;  ///< of a compressed one
    };
    std::vector<int32_t> order, blocks;
    std::vector<Dimension> dimensions;
};

/// Where a constant lies in another file.
struct ExternalPlace {
    std::string_view file;
    DataPlace data;
    std::string_view packing;
};

struct TensorInfo {
    std::string_view name;
    int type = 0;                   ///< see data_type, type_name
    std::vector<int64_t> shape;     ///< dimensions that the file leaves open stand as 1
    std::vector<bool> open_dims;    ///< which these are; empty if none is
    bool variable = false;          ///< a state that one run leaves to the next; zero at first
    bool narrowed = false;          ///< of float16, from float32 in the file
    std::optional<DataPlace> data;  ///< of constants in this file
    std::optional<ExternalPlace> external;
    std::optional<Sparsity> sparsity;
    Quantization quantization;

    bool constant() const { return data || external; }
};

/// A subgraph that an operator runs.
struct SubgraphUse {
    std::string_view role;  ///< "cond", "body", "then", ...
    uint32_t subgraph;
};

struct Operator {
    std::string_view kind;  ///< "CONV_2D", or the name of a custom one
    bool custom = false;
    int version = 1;
    std::vector<int32_t> inputs;  ///< tensors; -1: left out
    std::vector<int32_t> outputs;
    std::vector<int32_t> intermediates;
    Options options;
    std::string_view custom_options;  ///< the bytes that they were read from
    std::vector<SubgraphUse> uses;
};

struct Subgraph {
    std::string_view name;
    std::vector<TensorInfo> tensors;
    std::vector<int32_t> inputs, outputs;
    std::vector<Operator> operators;
    /// Pairs of operators of which the first must run before the second; absent where the file has no such list, which
    /// is not the same as an empty one.
    std::optional<std::vector<std::pair<uint32_t, uint32_t>>> control_edges;
};

struct Signature {
    std::string_view key;
    uint32_t subgraph = 0;
    std::vector<std::pair<std::string_view, uint32_t>> inputs, outputs;  ///< name and tensor
};

struct Model {
    std::string_view description;
    std::vector<Subgraph> subgraphs;  ///< at least one
    std::vector<Signature> signatures;
    std::vector<std::string> notes;      ///< what is wrong and was passed over
    std::string compiled_for;            ///< of a model that LiteRT compiled: maker and chip
    std::vector<std::string> metadata;   ///< names
    std::deque<std::string> made_names;  ///< of operators without one
};

/// Reads the structure of a model. Throws flat::Fault for what is refused, std::bad_alloc.
Model read_model(flat::Bytes& bytes, const CancelToken& cancel);

/// Returns "CONV_2D #4".
std::string operator_title(const Operator& op, size_t index);

}  // namespace partita::litert
