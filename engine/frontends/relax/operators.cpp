#include "engine/frontends/relax/operators.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "engine/frontends/relay/fitted_attribute.h"
#include "engine/ops/registry.h"
#include "engine/support/number_text.h"
#include "engine/support/syntax_error.h"

namespace partita::relax {

namespace {

constexpr std::string_view kWindow = " strides padding dilation groups data_layout kernel_layout out_layout out_dtype ";
constexpr std::string_view kPool = " pool_size strides padding dilation ceil_mode layout out_layout ";
constexpr std::string_view kAveragePool =
    " pool_size strides padding dilation ceil_mode count_include_pad layout out_layout ";
constexpr std::string_view kReduce = " axis keepdims ";

/// From include/tvm/relax/attrs and python/tvm/relax/op. nn.dense is a product with a transposed matrix; nn.bias_add is
/// an addition, which only what it is added to tells from others.
constexpr RelaxOp kRelaxOps[] = {
    {"abs", "abs", ""},
    {"acos", "acos", ""},
    {"acosh", "acosh", ""},
    {"add", "add", ""},
    {"argmax", "argmax", kReduce},
    {"argmin", "argmin", kReduce},
    {"asin", "asin", ""},
    {"asinh", "asinh", ""},
    {"atan", "atan", ""},
    {"atanh", "atanh", ""},
    {"broadcast_to", "broadcast_to", "", 1},
    {"cast", "astype", " dtype "},
    {"ceil", "ceil", ""},
    {"clip", "clip", "", 1},
    {"concatenate", "concat", " axis "},
    {"cos", "cos", ""},
    {"cosh", "cosh", ""},
    {"divide", "divide", ""},
    {"equal", "equal", ""},
    {"erf", "erf", ""},
    {"exp", "exp", ""},
    {"expand_dims", "expand_dims", ""},
    {"floor", "floor", ""},
    {"floor_divide", "floor_divide", ""},
    {"greater", "greater", ""},
    {"greater_equal", "greater_equal", ""},
    {"less", "less", ""},
    {"less_equal", "less_equal", ""},
    {"log", "log", ""},
    {"logical_and", "logical_and", ""},
    {"logical_not", "logical_not", ""},
    {"logical_or", "logical_or", ""},
    {"logical_xor", "logical_xor", ""},
    {"max", "max", kReduce},
    {"maximum", "maximum", ""},
    {"mean", "mean", kReduce},
    {"min", "min", kReduce},
    {"minimum", "minimum", ""},
    {"multiply", "multiply", ""},
    {"negative", "negative", ""},
    {"nn.avg_pool1d", "nn.avg_pool1d", kAveragePool},
    {"nn.avg_pool2d", "nn.avg_pool2d", kAveragePool},
    {"nn.avg_pool3d", "nn.avg_pool3d", kAveragePool},
    {"nn.batch_norm", "nn.batch_norm", " axis epsilon center scale "},
    {"nn.bias_add", "add", "", -1, false},
    {"nn.conv1d", "nn.conv1d", kWindow},
    {"nn.conv1d_transpose", "nn.conv1d_transpose", kWindow},
    {"nn.conv2d", "nn.conv2d", kWindow},
    {"nn.conv2d_transpose", "nn.conv2d_transpose", kWindow},
    {"nn.conv3d", "nn.conv3d", kWindow},
    {"nn.conv3d_transpose", "nn.conv3d_transpose", kWindow},
    {"nn.dense", "matmul", " out_dtype "},
    {"nn.dropout", "nn.dropout", " rate "},
    {"nn.layer_norm", "nn.layer_norm", " epsilon center scale "},
    {"nn.leaky_relu", "nn.leakyrelu", " alpha "},
    {"nn.log_softmax", "nn.log_softmax", " axis "},
    {"nn.max_pool1d", "nn.max_pool1d", kPool},
    {"nn.max_pool2d", "nn.max_pool2d", kPool},
    {"nn.max_pool3d", "nn.max_pool3d", kPool},
    {"nn.prelu", "nn.prelu", " axis "},
    {"nn.relu", "nn.relu", ""},
    {"nn.softmax", "nn.softmax", " axis "},
    {"not_equal", "not_equal", ""},
    {"power", "power", ""},
    {"prod", "prod", kReduce},
    {"repeat", "repeat", " repeats axis "},
    {"reshape", "reshape", "", 1},
    {"round", "round", ""},
    {"rsqrt", "rsqrt", ""},
    {"sigmoid", "sigmoid", ""},
    {"sign", "sign", ""},
    {"sin", "sin", ""},
    {"sinh", "sinh", ""},
    {"split", "split", " indices_or_sections axis "},
    {"sqrt", "sqrt", ""},
    {"squeeze", "squeeze", " axis "},
    {"std", "std", kReduce},
    {"subtract", "subtract", ""},
    {"sum", "sum", kReduce},
    {"take", "take", " axis ", 2},
    {"tan", "tan", ""},
    {"tanh", "tanh", ""},
    {"tile", "tile", ""},
    {"transpose", "permute_dims", " axes "},
    {"trunc", "trunc", ""},
    {"variance", "variance", kReduce},
    {"where", "where", ""},
};

/// Operators that only Relax has, and a pattern names without "relax.".
constexpr std::string_view kOnlyRelax[] = {"call_tir",
                                           "call_dps_packed",
                                           "dequantize",
                                           "einsum",
                                           "flip",
                                           "full_like",
                                           "gather_elements",
                                           "image.resize2d",
                                           "index_tensor",
                                           "linspace",
                                           "log_add_exp",
                                           "nn.attention",
                                           "nn.attention_bias",
                                           "nn.gelu",
                                           "nn.gelu_tanh",
                                           "nn.group_norm",
                                           "nn.rms_norm",
                                           "nn.selu",
                                           "nn.silu",
                                           "nn.softplus",
                                           "ones",
                                           "outer",
                                           "quantize",
                                           "scatter_elements",
                                           "square",
                                           "tril",
                                           "triu",
                                           "zeros"};

/// Which attributes of the engine's operator Relax has as arguments behind the tensors, in order.
struct ArgumentsAsAttributes {
    std::string_view relax;
    std::vector<std::string_view> attributes;
};
const std::vector<ArgumentsAsAttributes>& arguments_as_attributes() {
    static const std::vector<ArgumentsAsAttributes> table{{"clip", {"a_min", "a_max"}},
                                                          {"reshape", {"newshape"}},
                                                          {"broadcast_to", {"shape"}},
                                                          {"strided_slice", {"axes", "begin", "end", "strides"}}};
    return table;
}

/// Reads Python's literals; nesting is bounded.
class ValueReader {
public:
    explicit ValueReader(std::string_view text) : text_(text) {}

    std::optional<AttributeValue> read() {
        std::optional<AttributeValue> value = item(0);
        skip();
        return at_ == text_.size() ? value : std::nullopt;
    }

private:
    void skip() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool take(std::string_view word) {
        skip();
        if (!text_.substr(at_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    std::optional<AttributeValue> item(int depth) {
        constexpr int kDeepest = 20;
        if (depth > kDeepest) return {};
        for (std::string_view call : {"R.shape(", "R.prim_value(", "R.dtype(", "R.str(", "T.int64(", "T.int32(",
                                      "T.bool(", "T.float32(", "T.float64("})
            if (take(call)) {
                std::optional<AttributeValue> value = item(depth + 1);
                return take(")") ? value : std::nullopt;
            }
        if (take("[")) return list("]", depth);
        if (take("(")) return list(")", depth);
        if (take("None")) return AttributeValue();
        if (take("True")) return AttributeValue(true);
        if (take("False")) return AttributeValue(false);
        if (take("\"")) return string();
        return number();
    }

    std::optional<AttributeValue> list(std::string_view end, int depth) {
        AttributeValue::List items;
        while (!take(end)) {
            std::optional<AttributeValue> value = item(depth + 1);
            if (!value) return {};
            items.push_back(std::move(*value));
            skip();
            if (!take(",") && !text_.substr(at_).starts_with(end)) return {};
        }
        return AttributeValue(std::move(items));
    }

    std::optional<AttributeValue> string() {
        const size_t end = text_.find('"', at_);
        if (end == std::string_view::npos || text_.substr(at_, end - at_).find('\\') != std::string_view::npos)
            return {};
        AttributeValue value(std::string(text_.substr(at_, end - at_)));
        at_ = end + 1;
        return value;
    }

    std::optional<AttributeValue> number() {
        skip();
        const size_t end = std::min(text_.find_first_not_of("+-0123456789.einfa", at_), text_.size());
        const std::string_view digits = text_.substr(at_, end - at_);
        if (digits.empty()) return {};
        at_ = end;
        int64_t whole = 0;
        const auto [last, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), whole);
        if (fault == std::errc() && last == digits.data() + digits.size())
            return whole == int32_t(whole) ? AttributeValue(int(whole)) : AttributeValue(whole);
        if (digits.find_first_of("0123456789") == std::string_view::npos) return {};
        return AttributeValue(number_at_start(std::string(digits)));
    }

    std::string_view text_;
    size_t at_ = 0;
};

/// Whether an attribute that the engine does not have says only what the engine does anyway.
bool says_nothing(std::string_view name, const AttributeValue& value) {
    if (name == "momentum" || name == "assume_inbound") return true;
    if (name == "training" || name == "exclude" || name == "exclusive") return value == AttributeValue(false);
    return value.is_none() || name == "out_dtype";
}

bool is_one_item(const AttributeValue& value) { return value.as_list() && value.as_list()->size() == 1; }

/// Fills in the attributes of one call.
class CallWriter {
public:
    CallWriter(const OpRecord& op, std::string_view relax)
        : op_(op), relax_(relax), values_(op.default_attributes()), given_(values_.size()) {}

    bool set(std::string_view name, AttributeValue value) {
        if (name == "out_dtype" && (value.is_none() || value == AttributeValue("void") || value == AttributeValue("")))
            return true;
        if ((relax_ == "nn.layer_norm" || relax_ == "nn.rms_norm") && name == "axes") name = "axis";
        if (name == "count_include_pad" && relax_.starts_with("nn.max_pool")) return true;
        const int index = op_.attribute_index(name);
        if (index < 0) return says_nothing(name, value);
        const AttributeField& field = op_.attributes[size_t(index)];
        const bool takes_list = field.kind == AttributeKind::IntegerList || field.kind == AttributeKind::Object;
        if (!takes_list && is_one_item(value)) value = AttributeValue(value.as_list()->front());
        try {
            values_[size_t(index)] = relay::fitted_attribute(op_, field, std::move(value), {});
        } catch (const SyntaxError&) {
            return false;
        }
        given_[size_t(index)] = true;
        return true;
    }

    std::optional<AttributeList> finish() {
        if (relax_ == "strided_slice" && op_.attribute_index("strides") >= 0) {
            const size_t strides = size_t(op_.attribute_index("strides")), axes = size_t(op_.attribute_index("axes"));
            if (!given_[strides] && values_[axes].as_list()) {
                values_[strides] = AttributeValue::List(values_[axes].as_list()->size(), AttributeValue(1));
                given_[strides] = true;
            }
        }
        for (size_t i = 0; i < values_.size(); ++i)
            if (op_.attributes[i].required && !given_[i]) return {};
        return std::move(values_);
    }

private:
    const OpRecord& op_;
    std::string_view relax_;
    AttributeList values_;
    std::vector<bool> given_;
};

/// Relax has one product; the engine one for each kind of operands.
std::string_view product_name(std::span<const int> ranks) {
    if (ranks.size() != 2) return {};
    if (ranks[1] == 2 && ranks[0] >= 2) return "nn.matmul";
    return ranks[0] == 3 && ranks[1] == 3 ? "nn.batch_matmul" : std::string_view();
}

}  // namespace

const RelaxOp* relax_op(std::string_view relay) {
    const RelaxOp* found = std::ranges::find(kRelaxOps, relay, &RelaxOp::relay);
    return found == std::end(kRelaxOps) ? nullptr : found;
}

std::string_view engine_name(std::string_view relax) {
    static const auto names = [] {
        std::unordered_map<std::string_view, std::string_view> names;
        for (const RelaxOp& op : kRelaxOps)
            if (op.alone && op.relay != "nn.dense") names.emplace(op.relax, op.relay);
        return names;
    }();
    const auto found = names.find(relax);
    return found == names.end() ? relax : found->second;
}

bool is_operator(std::string_view word) {
    if (word.starts_with("relax.")) return true;
    const auto is_it = [&](const RelaxOp& op) { return op.relax == word; };
    return std::any_of(std::begin(kRelaxOps), std::end(kRelaxOps), is_it) ||
           std::find(std::begin(kOnlyRelax), std::end(kOnlyRelax), word) != std::end(kOnlyRelax);
}

std::string_view pattern_op(std::string_view word) {
    if (word.starts_with("relax.")) word.remove_prefix(6);
    const std::string_view engine = word == "matmul" ? "nn.matmul" : engine_name(word);
    return op_registry().find(engine).valid() ? engine : "opaque";
}

size_t arguments_behind(std::string_view op) {
    for (const ArgumentsAsAttributes& each : arguments_as_attributes())
        if (engine_name(each.relax) == op) return each.attributes.size();
    return 0;
}

std::optional<AttributeValue> read_value(std::string_view python) { return ValueReader(python).read(); }

std::optional<EngineCall> engine_call(std::string_view relax, std::span<const int> ranks,
                                      std::span<const AttributeValue> values, std::span<const Keyword> keywords) {
    const std::string_view name = relax == "matmul" ? product_name(ranks) : engine_name(relax);
    const OpId id = op_registry().find(name);
    if (!id.valid() || name == "opaque") return {};
    const OpRecord& op = op_registry()[id];
    if (op.variadic ? ranks.size() < op.inputs.size() - 1 : ranks.size() != op.inputs.size()) return {};
    CallWriter writer(op, relax);
    const auto& table = arguments_as_attributes();
    const auto row = std::find_if(table.begin(), table.end(), [&](const auto& each) { return each.relax == relax; });
    if (values.size() > (row == table.end() ? 0 : row->attributes.size())) return {};
    for (size_t i = 0; i < values.size(); ++i)
        if (!writer.set(row->attributes[i], values[i])) return {};
    if (name == "nn.batch_matmul" && !writer.set("transpose_b", false)) return {};
    if (name == "nn.matmul" && !writer.set("units", AttributeValue())) return {};
    for (const Keyword& keyword : keywords) {
        const std::optional<AttributeValue> value = read_value(keyword.text);
        if (!value || !writer.set(keyword.name, *value)) return {};
    }
    std::optional<AttributeList> attributes = writer.finish();
    if (!attributes) return {};
    return EngineCall{id, std::move(*attributes)};
}

}  // namespace partita::relax
