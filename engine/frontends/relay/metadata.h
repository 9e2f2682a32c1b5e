// The metadata section of Relay text: a JSON graph of nodes and a list of tensors in base64, in which `meta[KEY][i]` is
// looked up (TVM's src/node/serialization.cc).
//
// Reading costs one pass over the JSON; strings stay views of the text, and a tensor is decoded on demand. The section
// is untrusted: indices, sizes and letters are checked on use.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/attributes.h"
#include "engine/ir/tensor.h"
#include "engine/support/diagnostic.h"

namespace partita::relay {

/// The first bytes of a tensor in the section (kTVMNDArrayMagic in include/tvm/runtime/ndarray.h).
inline constexpr uint64_t kTensorMagic = 0xDD5E40F096B4A13F;

struct MetadataNode {
    std::string_view type_key;  ///< "" is null
    std::string_view text;      ///< for a string: its bytes
    SourcePosition position;
    uint32_t attributes_begin = 0, attributes_count = 0;
    uint32_t keys_begin = 0, keys_count = 0;
    uint32_t data_begin = 0, data_count = 0;
};

/// Decodes a tensor as TVM saves one. Throws SyntaxError at `position`.
Tensor decode_tensor(std::string_view base64, SourcePosition position);

class Metadata {
public:
    /// An absent section.
    Metadata() = default;
    /// Throws SyntaxError. `section` must outlive this. `text_size` is that of the whole text, in bytes.
    Metadata(std::string_view section, SourcePosition begin, size_t text_size);

    bool present() const { return present_; }
    bool has(std::string_view key) const;
    /// Returns the number of entries of a key.
    size_t entries(std::string_view key) const;
    /// Returns the node of `meta[key][index]`. Throws SyntaxError at `place`.
    uint32_t find(std::string_view key, int64_t index, SourcePosition place) const;
    const MetadataNode& node(uint32_t index) const { return nodes_[index]; }

    /// Returns the number of the tensor of a constant, Relay's or Relax's; two constants may share it.
    uint32_t tensor_index(uint32_t constant) const;
    Tensor tensor(uint32_t index) const;
    size_t tensor_count() const { return tensors_.size(); }

    /// Returns the text of a node's field. Throws if there is none.
    std::string_view field(uint32_t node, std::string_view name) const;
    /// Returns all fields of a node.
    std::vector<std::pair<std::string_view, std::string_view>> fields(uint32_t node) const;
    /// Returns a node as an attribute value: numbers, strings, lists of these, None. Lists may share their items, and
    /// many references a value, so that a small section can mean a huge module: the total taken from it is bounded.
    AttributeValue value(uint32_t node);
    /// Counts a field's text, too. Throws SyntaxError at `place` if the total exceeds the bound.
    void take(std::string_view field, SourcePosition place);
    /// Reads a node index from the text of a field.
    uint32_t node_index(std::string_view digits, SourcePosition place) const;

private:
    friend class MetadataReader;

    AttributeValue value(uint32_t node, int depth);

    struct TensorText {
        std::string_view base64;
        SourcePosition position;
    };

    bool present_ = false;
    uint32_t root_ = 0;
    size_t budget_ = 0;  ///< remaining values and bytes of text
    std::vector<MetadataNode> nodes_;
    std::vector<std::pair<std::string_view, std::string_view>> attributes_;
    std::vector<std::string_view> keys_;
    std::unordered_map<std::string_view, uint32_t> place_of_key_;  ///< in the root's keys
    std::vector<uint32_t> data_;
    std::vector<TensorText> tensors_;
    std::deque<std::string> unescaped_;
};

}  // namespace partita::relay
