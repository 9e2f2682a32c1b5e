#include "engine/session/decode.h"

#include <algorithm>
#include <optional>

#include "engine/program/flat_graph.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

const std::string kTokens = "input_ids", kLogits = "logits";

/// Returns the name that a model gives a parameter.
std::string given_name(const Module& module, ExprId parameter) {
    const std::string_view label = module.label(parameter);
    return std::string(label.empty() ? module.name(parameter) : label);
}

std::vector<std::string> output_names(const Module& module, ExprId main) {
    std::vector<std::string> names;
    for (const auto& [key, value] : module.function_info(main).attributes) {
        const AttributeValue::List* list = key == "output_tensor_names" ? value.as_list() : nullptr;
        if (!list) continue;
        for (const AttributeValue& name : *list) names.push_back(name.as_string() ? *name.as_string() : std::string());
    }
    return names;
}

/// Returns what follows the first of the beginnings that a name has.
std::optional<std::string> rest_after(const std::string& name, std::initializer_list<std::string_view> beginnings) {
    for (std::string_view beginning : beginnings)
        if (name.starts_with(beginning)) return name.substr(beginning.size());
    return {};
}

std::vector<int64_t> shape_of(const Module& module, TypeId type) {
    const TypeTable& types = module.types();
    if (!types.is_tensor(type)) return {};
    const std::span<const int64_t> shape = types.shape(type);
    return {shape.begin(), shape.end()};
}

/// The parameters of @main and the names of their dimensions, by the names that the model gives them.
struct NamedInputs {
    explicit NamedInputs(const OpenedModule& opened) {
        const Module& module = *opened.module;
        for (ExprId parameter : module.parameters(module.find_function("main")))
            parameters.emplace(given_name(module, parameter), parameter);
        for (const NamedDimension& each : opened.dimensions)
            for (const auto& place : each.inputs) dimensions.emplace(place, each.name);
    }

    ExprId parameter(const std::string& name) const {
        const auto found = parameters.find(name);
        return found == parameters.end() ? ExprId() : found->second;
    }
    /// Returns "" if the model gives the size.
    std::string dimension(const std::string& input, int axis) const {
        const auto found = dimensions.find({input, axis});
        return found == dimensions.end() ? std::string() : found->second;
    }

    std::map<std::string, ExprId> parameters;
    std::map<std::pair<std::string, int>, std::string> dimensions;
};

/// Returns the axis along which an output is longer than the input, if that is the only difference.
std::optional<size_t> growing_axis(const std::vector<int64_t>& input, const std::vector<int64_t>& output) {
    std::optional<size_t> found;
    if (input.size() != output.size()) return {};
    for (size_t axis = 0; axis < input.size(); ++axis) {
        if (input[axis] == output[axis]) continue;
        if (found || output[axis] < input[axis]) return {};
        found = axis;
    }
    return found;
}

Tensor filled(DataType dtype, const std::vector<int64_t>& shape, double value) {
    Tensor tensor(dtype, shape);
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, value);
    return tensor;
}

/// Returns the index of the largest of `count` values from `begin`; the first of equal ones.
int64_t index_of_largest(const Tensor& tensor, int64_t begin, int64_t count) {
    int64_t best = 0;
    for (int64_t i = 1; i < count; ++i)
        if (tensor.at(begin + i) > tensor.at(begin + best)) best = i;
    return best;
}

}  // namespace

Status Decoder::find_caches(const OpenedModule& opened) {
    const Module& module = *opened.module;
    const ExprId main = module.find_function("main");
    const std::vector<std::string> names = output_names(module, main);
    std::map<std::string, size_t> outputs;
    for (size_t i = 0; i < names.size(); ++i)
        if (const auto rest = rest_after(names[i], {"present_key_values", "present"})) outputs.emplace(*rest, i);
    for (ExprId parameter : module.parameters(main)) {
        const std::string name = given_name(module, parameter);
        const auto rest = rest_after(name, {"past_key_values", "past"});
        if (!rest) continue;
        const auto output = outputs.find(*rest);
        if (output == outputs.end())
            return error("no output belongs to the input " + in_quotes(name) + ": none is called " +
                         in_quotes("present" + *rest));
        caches_[name].output = output->second;
    }
    if (caches_.empty()) return error("the model has no cache: no input is called past...");
    if (caches_.size() != outputs.size())
        return error("there are " + std::to_string(outputs.size()) + " outputs present..., but " +
                     std::to_string(caches_.size()) + " inputs past...");
    const auto logits = std::find(names.begin(), names.end(), kLogits);
    if (logits == names.end()) return error("no output is called 'logits'");
    logits_ = size_t(logits - names.begin());
    return Nothing();
}

Status Decoder::find_lengths(const OpenedModule& opened) {
    const Module& module = *opened.module;
    const ExprId main = module.find_function("main");
    std::vector<TypeId> outputs;
    flatten_type(module.types(), module.function_info(main).return_type, outputs);
    const NamedInputs inputs(opened);
    const ExprId tokens = inputs.parameter(kTokens);
    if (!tokens.valid()) return error("no input is called 'input_ids'");
    const std::vector<int64_t> shape = shape_of(module, module.type(tokens));
    if (shape.size() != 2 || !module.types().dtype(module.type(tokens)).is_integer())
        return error("'input_ids' is not a matrix of integers");
    length_name_ = inputs.dimension(kTokens, 1);
    if (length_name_.empty() && shape[1] != 1)
        return error("'input_ids' always takes " + std::to_string(shape[1]) + " tokens, not one a step");
    for (const auto& [input, cache] : caches_) {
        const std::vector<int64_t> before = shape_of(module, module.type(inputs.parameter(input)));
        const std::vector<int64_t> after =
            cache.output < outputs.size() ? shape_of(module, outputs[cache.output]) : std::vector<int64_t>();
        const std::optional<size_t> axis = growing_axis(before, after);
        if (!axis || after[*axis] != before[*axis] + shape[1])
            return error("the cache " + in_quotes(input) + " of shape " + shape_to_string(before) +
                         " does not become longer by the tokens read: its output has the shape " +
                         shape_to_string(after));
        const std::string name = inputs.dimension(input, int(*axis));
        if (name.empty() || name == length_name_)
            return error("the length of the cache " + in_quotes(input) + " has no name of its own in the model");
        if (!past_name_.empty() && past_name_ != name)
            return error("caches have lengths of different names: " + in_quotes(past_name_) + " and " +
                         in_quotes(name));
        past_name_ = name;
    }
    return Nothing();
}

Status Decoder::find_prompt(const OpenedModule& opened, const std::map<std::string, Tensor>& given, uint64_t seed) {
    const Module& module = *opened.module;
    for (ExprId parameter : module.parameters(module.find_function("main"))) {
        const auto value = given.find(std::string(module.name(parameter)));
        if (value != given.end()) given_[given_name(module, parameter)] = value->second;
    }
    for (const auto& [input, cache] : caches_)
        if (given_.contains(input)) return error("the cache starts empty: " + in_quotes(input) + " can't be given");
    const auto prompt = given_.find(kTokens);
    if (prompt != given_.end()) {
        tokens_ = prompt->second;
        if (tokens_.rank() != 2 || !tokens_.dtype().is_integer() || tokens_.size() == 0)
            return error("the prompt 'input_ids' must be a matrix of integers");
        if (length_name_.empty() && tokens_.shape()[1] != 1) return error("'input_ids' takes one token a step");
        given_.erase(prompt);
        return Nothing();
    }
    const std::string name(module.name(NamedInputs(opened).parameter(kTokens)));
    tokens_ = make_inputs(module, seed, given)[name];
    return tokens_.size() > 0 ? Status(Nothing()) : error("the prompt has no token");
}

Result<Decoder> Decoder::make(const OpenedModule& opened, const std::map<std::string, Tensor>& given, uint64_t seed) {
    Decoder decoder;
    if (!opened.module->find_function("main").valid()) return error("the module has no function @main");
    if (Status found = decoder.find_caches(opened); !found) return found.error();
    if (Status found = decoder.find_lengths(opened); !found) return found.error();
    if (Status found = decoder.find_prompt(opened, given, seed); !found) return found.error();
    return decoder;
}

std::vector<std::string> Decoder::dimensions() const {
    std::vector<std::string> names{past_name_};
    if (!length_name_.empty()) names.push_back(length_name_);
    return names;
}

std::map<std::string, int64_t> Decoder::sizes() const {
    std::map<std::string, int64_t> sizes{{past_name_, past_}};
    if (!length_name_.empty()) sizes[length_name_] = length();
    return sizes;
}

Result<Tensor> Decoder::value_of(const Module& module, ExprId parameter) const {
    const std::string name = given_name(module, parameter);
    const TypeId type = module.type(parameter);
    const std::vector<int64_t> shape = shape_of(module, type);
    if (!module.types().is_tensor(type) || !element_count(shape))
        return error("the input " + in_quotes(name) + " is not a tensor of known shape");
    const DataType dtype = module.types().dtype(type);
    const int64_t total = past_ + length();
    if (name == kTokens) return tokens_;
    if (name == "attention_mask") return filled(dtype, shape, 1);
    if (name == "seqlens_k") return filled(dtype, shape, double(total - 1));
    if (name == "total_sequence_length") return filled(dtype, shape, double(total));
    if (name == "position_ids") {
        if (shape.empty() || shape.back() != length())
            return error("'position_ids' has the shape " + shape_to_string(shape) + ", not one position for each of " +
                         std::to_string(length()) + " tokens");
        Tensor positions(dtype, shape);
        for (int64_t i = 0; i < positions.size(); ++i) positions.set(i, double(past_ + i % length()));
        return positions;
    }
    if (const auto cache = caches_.find(name); cache != caches_.end())
        return cache->second.value.defined() ? cache->second.value : Tensor(dtype, shape);
    if (const auto given = given_.find(name); given != given_.end()) return given->second;
    return error("it is not known what to give the input " + in_quotes(name) + ": --input gives it");
}

Result<std::map<std::string, Tensor>> Decoder::inputs(const Module& module) const {
    std::map<std::string, Tensor> values;
    for (ExprId parameter : module.parameters(module.find_function("main"))) {
        Result<Tensor> value = value_of(module, parameter);
        if (!value) return value.error();
        const std::vector<int64_t> wanted = shape_of(module, module.type(parameter));
        if (value->shape() != wanted || value->dtype() != module.types().dtype(module.type(parameter)))
            return error("the input " + in_quotes(given_name(module, parameter)) + " is " +
                         module.types().to_string(module.type(parameter)) + " at a cache of " + std::to_string(past_) +
                         ", but its value has the shape " + shape_to_string(value->shape()) + " and the type " +
                         value->dtype().to_string());
        values.emplace(std::string(module.name(parameter)), std::move(*value));
    }
    return values;
}

Result<std::vector<int64_t>> Decoder::take(const std::vector<Tensor>& outputs) {
    const int64_t rows = tokens_.shape()[0];
    if (logits_ >= outputs.size()) return error("the run has too few outputs");
    const Tensor& logits = outputs[logits_];
    if (logits.rank() < 2 || logits.rank() > 3 || logits.shape()[0] != rows || logits.size() == 0)
        return error("'logits' has the shape " + shape_to_string(logits.shape()));
    const int64_t words = logits.shape().back(), of_row = logits.size() / rows;
    std::vector<int64_t> next;
    for (int64_t row = 0; row < rows; ++row)
        next.push_back(index_of_largest(logits, (row + 1) * of_row - words, words));
    for (auto& [input, cache] : caches_) {
        if (cache.output >= outputs.size()) return error("the run has too few outputs");
        cache.value = outputs[cache.output];
    }
    past_ += length();
    Tensor tokens(tokens_.dtype(), {rows, 1});
    for (int64_t row = 0; row < rows; ++row) tokens.set(row, double(next[size_t(row)]));
    tokens_ = std::move(tokens);
    return next;
}

}  // namespace partita
