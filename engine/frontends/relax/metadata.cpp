#include "engine/frontends/relax/metadata.h"

#include "engine/frontends/relay/metadata.h"
#include "engine/support/json_reader.h"

namespace partita::relax {

namespace {

constexpr std::string_view kConstants = "relax.expr.Constant";

std::vector<Tensor> read_as_relay(std::string_view json, SourcePosition begin) {
    const relay::Metadata metadata(json, begin, json.size());
    std::vector<Tensor> tensors;
    if (!metadata.has(kConstants)) return tensors;
    const size_t count = metadata.entries(kConstants);
    for (size_t i = 0; i < count; ++i)
        tensors.push_back(metadata.tensor(metadata.tensor_index(metadata.find(kConstants, int64_t(i), begin))));
    return tensors;
}

/// The form of tvm-ffi: nodes {"type", "data"}; in a map's data keys and values alternate.
class FfiGraph {
public:
    FfiGraph(std::string_view json, SourcePosition begin) : begin_(begin) {
        Result<JsonValue> read = read_json(json);
        if (!read) throw SyntaxError{begin, "bad metadata: " + read.error().message};
        json_ = std::move(*read);
        nodes_ = member(json_, "nodes", JsonValue::Kind::Array);
    }

    std::vector<Tensor> constants() const {
        std::vector<Tensor> tensors;
        const JsonValue* map = data(node(*member(json_, "root_index", JsonValue::Kind::Number)));
        for (size_t i = 0; i + 1 < map->items.size(); i += 2) {
            if (data(node(map->items[i]))->text != kConstants) continue;
            for (const JsonValue& constant : data(node(map->items[i + 1]))->items) {
                const JsonValue* tensor = member(*data(node(constant)), "data", JsonValue::Kind::Number);
                tensors.push_back(relay::decode_tensor(data(node(*tensor))->text, begin_));
            }
        }
        return tensors;
    }

private:
    [[noreturn]] void fail(const std::string& expected) const {
        throw SyntaxError{begin_, "bad metadata: expected " + expected};
    }
    const JsonValue* member(const JsonValue& object, std::string_view key, JsonValue::Kind kind) const {
        const JsonValue* found = object.is(JsonValue::Kind::Object) ? object.member(key) : nullptr;
        if (!found || !found->is(kind)) fail("\"" + std::string(key) + "\"");
        return found;
    }
    const JsonValue& node(const JsonValue& index) const {
        const double number = index.is(JsonValue::Kind::Number) ? index.number : -1;
        if (number < 0 || number >= double(nodes_->items.size())) fail("the number of a node");
        return nodes_->items[size_t(number)];
    }
    const JsonValue* data(const JsonValue& node) const {
        const JsonValue* found = node.is(JsonValue::Kind::Object) ? node.member("data") : nullptr;
        if (!found) fail("a node with \"data\"");
        return found;
    }

    SourcePosition begin_;
    JsonValue json_;
    const JsonValue* nodes_ = nullptr;
};

}  // namespace

std::vector<Tensor> read_metadata_constants(std::string_view json, SourcePosition begin) {
    constexpr size_t kHead = 200;
    const bool is_ffi = json.substr(0, kHead).find("root_index") != std::string_view::npos ||
                        json.find("\"root_index\"") != std::string_view::npos;
    return is_ffi ? FfiGraph(json, begin).constants() : read_as_relay(json, begin);
}

}  // namespace partita::relax
