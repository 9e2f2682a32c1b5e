// Variations of each op's example: another type of one argument, another attribute, or another element type. For tests
// of all ops.
#pragma once

#include <cctype>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "tests/engine/op_testing.h"

namespace partita::testing {

/// A call of an op, with the values of its arguments.
struct Variation {
    std::string what;
    std::vector<Argument> arguments;
    AttributeList attributes;
};

/// Returns whole numbers for indices and lengths, otherwise distinct values, so that a value from a wrong position
/// shows.
inline Tensor some_tensor(DataType dtype, std::vector<int64_t> shape) {
    Tensor tensor(dtype, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i)
        tensor.set(i, dtype.is_float() ? double(i * 7 % 11) * 0.0625 + 0.125 : double(i % 2));
    return tensor;
}

/// Returns the example of an op's record; nothing if an argument has no static tensor type.
inline std::optional<Variation> example_of(const OpRecord& op) {
    Result<Module> module = parse_relay(op.example);
    if (!module || !infer_types(*module)) return std::nullopt;
    for (uint32_t i = 0; i < module->size(); ++i) {
        const OpRecord* called = called_op_record(*module, ExprId(i));
        if (!called || (called->name != op.name && !(called->foreign && op.name == "opaque"))) continue;
        Variation example{"example", {}, attributes_of(*module, ExprId(i)).values()};
        for (ExprId argument : module->arguments(ExprId(i))) {
            const TypeTable& types = module->types();
            if (module->kind(argument) == ExprKind::Constant) {
                example.arguments.emplace_back(module->constant(argument));
                continue;
            }
            bool is_tuple = types.is_tuple(module->type(argument));
            std::vector<TypeId> fields{module->type(argument)};
            if (is_tuple) fields.assign(types.parts(fields[0]).begin(), types.parts(module->type(argument)).end());
            std::vector<Tensor> tensors;
            for (TypeId field : fields) {
                if (!types.is_tensor(field)) return std::nullopt;
                std::vector<int64_t> shape(types.shape(field).begin(), types.shape(field).end());
                for (int64_t dim : shape)
                    if (dim == kDynamicDim) return std::nullopt;
                tensors.push_back(some_tensor(types.dtype(field), shape));
            }
            if (is_tuple) example.arguments.emplace_back(tensors);
            else example.arguments.emplace_back(tensors[0]);
        }
        return example;
    }
    return std::nullopt;
}

inline std::vector<std::vector<int64_t>> other_shapes(const std::vector<int64_t>& shape) {
    std::vector<std::vector<int64_t>> others{shape, shape};
    others[0].push_back(1);
    others[1].insert(others[1].begin(), 2);
    if (shape.empty()) return others;
    others.emplace_back(shape.begin() + 1, shape.end());
    for (size_t axis = 0; axis < shape.size(); ++axis) {
        others.push_back(shape);
        others.back()[axis] += 1;
        others.push_back(shape);
        others.back()[axis] = 1;
    }
    others.push_back(shape);
    others.back().back() = 0;
    return others;
}

inline std::vector<AttributeValue> other_values(const AttributeValue& value, const std::set<std::string>& words) {
    std::vector<AttributeValue> others;
    auto integers_like = [](const Integer& integer) {
        std::vector<AttributeValue> near;
        for (int64_t other : {int64_t(-5), int64_t(-2), int64_t(-1), int64_t(0), int64_t(1), int64_t(2), int64_t(3),
                              int64_t(4), int64_t(1) << 40})
            if (other != integer.value) near.push_back(Integer{other, integer.bits});
        return near;
    };
    if (const bool* flag = value.as_bool()) others = {!*flag};
    else if (const Integer* integer = value.as_integer()) others = integers_like(*integer);
    else if (const double* real = value.as_double()) others = {*real + 0.5, -*real - 0.25, 0.0};
    else if (value.as_string()) others.assign(words.begin(), words.end());
    else if (value.as_dtype()) others = {kInt16, kInt32, kFloat16, kFloat64, kBool};
    else if (value.is_none()) others = {AttributeValue(1), AttributeValue(AttributeValue::List{AttributeValue(0)})};
    else if (const AttributeValue::List* list = value.as_list()) {
        AttributeValue::List longer = *list, shorter = *list;
        longer.push_back(list->empty() ? AttributeValue(1) : list->back());
        others.push_back(longer);
        if (list->empty()) return others;
        shorter.pop_back();
        others.push_back(shorter);
        for (size_t i = 0; i < list->size(); ++i) {
            AttributeValue::List changed = *list;
            const Integer* integer = (*list)[i].as_integer();
            for (int64_t step : {-1, 1, -9}) {
                if (!integer) continue;
                changed[i] = Integer{integer->value + step, integer->bits};
                others.push_back(changed);
            }
        }
    }
    return others;
}

/// Returns the values of an attribute of this kind and name in all examples, and an unknown word.
inline std::set<std::string> words_of(const std::string& attribute) {
    static const std::map<std::string, std::set<std::string>> all = [] {
        std::map<std::string, std::set<std::string>> found;
        for (const OpRecord& op : op_registry().records()) {
            std::optional<Variation> example = example_of(op);
            for (size_t i = 0; example && i < op.attributes.size(); ++i) {
                if (const std::string* word = example->attributes[i].as_string())
                    found[op.attributes[i].name].insert(*word);
                if (const std::string* word = op.attributes[i].default_value.as_string())
                    found[op.attributes[i].name].insert(*word);
            }
        }
        return found;
    }();
    std::set<std::string> words = all.contains(attribute) ? all.at(attribute) : std::set<std::string>{};
    words.insert({"bogus", ""});
    if (attribute.find("layout") != std::string::npos) words.insert({"NCHW", "NHWC", "OIHW", "HWIO", "NCHW4c", "NCW"});
    if (attribute == "mode" || attribute == "pad_mode")
        words.insert({"wrap", "clip", "fast", "constant", "edge", "reflect", "SYMMETRIC", "REFLECT", "update", "add",
                      "mul", "min", "max"});
    if (attribute == "slice_mode") words.insert("size");
    if (attribute == "method") words.insert({"nearest_neighbor", "linear", "cubic"});
    if (attribute == "coordinate_transformation_mode") words.insert({"half_pixel", "align_corners", "asymmetric"});
    if (attribute == "rounding_method")
        words.insert({"round", "floor", "ceil", "round_prefer_floor", "round_prefer_ceil"});
    return words;
}

inline const DataType kOtherTypes[] = {kBool, kUInt8, kInt8, kInt16, kInt32, kInt64, kFloat16, kFloat32, kFloat64};

/// Adds variations that give another type to all tensors of the first one's type, as binary ops require.
inline void add_other_types(std::vector<Variation>& all, const Variation& example) {
    const Tensor* first = nullptr;
    int count = 0;
    for (const Argument& argument : example.arguments)
        for (const Tensor& tensor : argument.tensors) {
            if (!first) first = &tensor;
            count += tensor.dtype() == first->dtype();
        }
    if (count < 2) return;
    for (DataType dtype : kOtherTypes) {
        if (dtype == first->dtype()) continue;
        Variation other = example;
        other.what = "all of " + dtype.to_string();
        for (Argument& argument : other.arguments)
            for (Tensor& tensor : argument.tensors)
                if (tensor.dtype() == first->dtype()) tensor = some_tensor(dtype, tensor.shape());
        all.push_back(std::move(other));
    }
}

inline std::vector<Variation> variations_of(const OpRecord& op) {
    std::optional<Variation> example = example_of(op);
    if (!example) return {};
    std::vector<Variation> all{*example};
    for (size_t i = 0; i < op.attributes.size(); ++i)
        for (const AttributeValue& value : other_values(example->attributes[i], words_of(op.attributes[i].name))) {
            all.push_back(*example);
            all.back().what = op.attributes[i].name + "=" + value.to_string();
            all.back().attributes[i] = value;
        }
    for (size_t a = 0; a < example->arguments.size(); ++a)
        for (size_t t = 0; t < example->arguments[a].tensors.size(); ++t) {
            const Tensor& given = example->arguments[a].tensors[t];
            auto put = [&](const Tensor& tensor) {
                all.push_back(*example);
                all.back().what = "argument " + std::to_string(a) + "." + std::to_string(t) + " " +
                                  tensor.dtype().to_string() + shape_to_string(tensor.shape());
                all.back().arguments[a].tensors[t] = tensor;
            };
            for (const std::vector<int64_t>& shape : other_shapes(given.shape()))
                put(some_tensor(given.dtype(), shape));
            for (DataType dtype : kOtherTypes)
                if (!(dtype == given.dtype())) put(some_tensor(dtype, given.shape()));
        }
    add_other_types(all, *example);
    return all;
}

/// Replaces numbers by #, as in golden files.
inline std::string without_figures(const std::string& message) {
    std::string text;
    for (char c : message)
        if (!std::isdigit(static_cast<unsigned char>(c))) text += c;
        else if (!text.ends_with('#')) text += '#';
    return text;
}

/// Returns the paragraphs of a golden file by op. Each begins with the op; its other lines are indented.
inline std::map<std::string, std::string> golden_by_op(const std::string& path) {
    std::map<std::string, std::string> known;
    std::ifstream file(path);
    std::string op;
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with(" ")) op = line.substr(0, line.find(':'));
        known[op] += line + "\n";
    }
    return known;
}

inline Result<TypeId> type_of(const OpRecord& op, const Variation& variation, TypeTable& types) {
    std::vector<TypeId> arguments;
    for (const Argument& argument : variation.arguments) {
        std::vector<TypeId> fields;
        for (const Tensor& tensor : argument.tensors) fields.push_back(types.tensor(tensor.dtype(), tensor.shape()));
        arguments.push_back(argument.is_tuple ? types.tuple(fields) : fields[0]);
    }
    return op.relation({types, arguments, AttributesView(op, variation.attributes)});
}

}  // namespace partita::testing
