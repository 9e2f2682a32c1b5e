#include "engine/frontends/torch/program.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "engine/support/one_line.h"
#include "engine/support/utf8.h"

namespace partita::torch {

namespace {

constexpr size_t kMostFaults = 4;
/// What a name or target may have.
constexpr size_t kLongestName = 1000;

const JsonValue kNothing;

using Json = JsonValue::Kind;

const JsonValue& member(const JsonValue& object, std::string_view key) {
    const JsonValue* found = object.member(key);
    return found ? *found : kNothing;
}

std::string text_of(const JsonValue& value) { return value.is(Json::String) ? value.text.substr(0, kLongestName) : ""; }

/// Whether the value of a union's member has the form that its tag asks for. What a later schema adds has any.
bool fits(std::string_view tag, const JsonValue& value) {
    const auto all = [&](auto each) {
        return value.is(Json::Array) && std::all_of(value.items.begin(), value.items.end(), each);
    };
    const auto is_named = [](const JsonValue& item) {
        return item.is(Json::Object) && member(item, "name").is(Json::String);
    };
    const auto is_object = [](const JsonValue& item) { return item.is(Json::Object); };
    const auto is_whole = [](const JsonValue& item) { return item.is(Json::Number); };
    const auto is_real = [](const JsonValue& item) { return real(item).has_value(); };
    if (tag == "tensor" || tag == "custom_obj") return is_named(value);
    if (tag == "tensors") return all(is_named);
    if (tag == "int" || tag == "scalar_type" || tag == "memory_format" || tag == "layout") return is_whole(value);
    if (tag == "ints") return all(is_whole);
    if (tag == "float") return is_real(value);
    if (tag == "floats") return all(is_real);
    if (tag == "string") return value.is(Json::String);
    if (tag == "strings") return all([](const JsonValue& item) { return item.is(Json::String); });
    if (tag == "bool") return value.is(Json::Bool);
    if (tag == "bools") return all([](const JsonValue& item) { return item.is(Json::Bool); });
    if (tag == "sym_int" || tag == "sym_bool" || tag == "sym_float" || tag == "device" || tag == "graph")
        return is_object(value);
    if (tag == "sym_ints" || tag == "sym_bools" || tag == "sym_floats" || tag == "optional_tensors")
        return all(is_object);
    return true;
}

Size read_size(const JsonValue& json) {
    Size read;
    read.value = -1;
    if (json.is(Json::Number)) read.value = whole(json);
    const JsonValue& number = member(json, "as_int");
    const JsonValue& expression = member(json, "as_expr");
    if (number.is(Json::Number)) read.value = whole(number);
    else if (expression.is(Json::Object)) {
        read.expression = member(expression, "expr_str").is(Json::String) ? member(expression, "expr_str").text : "?";
        const JsonValue& hint = member(expression, "hint");
        const JsonValue& given = hint.is(Json::Object) ? member(hint, "as_int") : hint;
        if (given.is(Json::Number)) read.hint = whole(given);
    }
    return read;
}

class Reader {
public:
    Reader(Program& program, bool of_executorch) : program_(program), of_executorch_(of_executorch) {}

    void read() {
        const JsonValue& json = program_.json;
        const JsonValue& module = member(json, "graph_module");
        if (!module.is(Json::Object) || !member(module, "graph").is(Json::Object))
            throw Refused{"this is no exported program: it has no \"graph_module\" with a \"graph\""};
        read_version(member(json, "schema_version"));
        program_.graph = graph(member(module, "graph"), "");
        check_order(program_.graph);
        read_signature(member(module, "signature"));
        for (const JsonMember& range : member(json, "range_constraints").members) {
            auto& [low, high] = program_.ranges[range.key];
            if (member(range.value, "min_val").is(Json::Number)) low = whole(member(range.value, "min_val"));
            if (member(range.value, "max_val").is(Json::Number)) high = whole(member(range.value, "max_val"));
        }
        if (faults_.empty()) return;
        std::string all;
        for (size_t i = 0; i < std::min(faults_.size(), kMostFaults); ++i) all += (i ? "; " : "") + faults_[i];
        if (faults_.size() > kMostFaults) all += "; and " + std::to_string(faults_.size() - kMostFaults) + " more";
        throw Refused{all};
    }

private:
    void fault(std::string text) { faults_.push_back(std::move(text)); }

    void read_version(const JsonValue& version) {
        const int64_t major = version.is(Json::Object) ? whole(member(version, "major")) : whole(version);
        const int64_t minor = version.is(Json::Object) ? whole(member(version, "minor")) : 0;
        program_.schema = std::to_string(major) + "." + std::to_string(minor);
        constexpr int64_t kNewestMajor = 8, kNewestMinor = 20;
        if (major < 0 || major > kNewestMajor)
            throw Refused{"the program is of schema " + program_.schema + "; known are those up to " +
                          std::to_string(kNewestMajor)};
        if (major == kNewestMajor && minor > kNewestMinor)
            program_.warnings.push_back("the program is of schema " + program_.schema + "; known is " +
                                        std::to_string(kNewestMajor) + "." + std::to_string(kNewestMinor) +
                                        ": what it adds is shown as it stands there");
    }

    /// The one member of a union that is set; the oldest files write the others, too, as null.
    Argument argument(const JsonValue& json, const std::string& where) {
        Argument found;
        if (!json.is(Json::Object)) {
            fault(where + " must be an object, not " + std::string(json.kind_name()));
            return {"none", &kNothing};
        }
        for (const JsonMember& each : json.members) {
            if (each.value.is(Json::Null) || !each.key.starts_with("as_")) continue;
            if (found.value)
                fault(where + " is both " + on_one_line("as_" + std::string(found.tag)) + " and " +
                      on_one_line(each.key));
            found = {std::string_view(each.key).substr(3), &each.value};
        }
        if (!found.value) return {"none", &kNothing};
        if (!fits(found.tag, *found.value)) {
            fault(where + ": " + on_one_line("as_" + std::string(found.tag)) + " can't be " +
                  std::string(found.value->kind_name()) + " like this");
            return {"none", &kNothing};
        }
        return found;
    }

    std::vector<Argument> arguments(const JsonValue& list, const std::string& where) {
        std::vector<Argument> read;
        for (size_t i = 0; i < list.items.size(); ++i)
            read.push_back(argument(list.items[i], where + " " + std::to_string(i)));
        return read;
    }

    Graph graph(const JsonValue& json, std::string name) {  // at most kJsonDepth levels: read_json
        Graph read;
        read.name = std::move(name);
        read.inputs = arguments(member(json, "inputs"), "input");
        read.outputs = arguments(member(json, "outputs"), "output");
        for (const JsonMember& tensor : member(json, "tensor_values").members) {
            const JsonValue* meta = tensor.value.member("meta");  // in the oldest files
            read.tensors.emplace(tensor.key, tensor_meta(meta ? *meta : tensor.value, of_executorch_));
        }
        for (std::string_view key : {"sym_int_values", "sym_bool_values", "sym_float_values"})
            for (const JsonMember& number : member(json, key).members)
                read.numbers.emplace(number.key, read_size(number.value));
        std::unordered_map<std::string, size_t> unnamed;
        for (const JsonValue& item : member(json, "nodes").items) read.nodes.push_back(node(item, unnamed));
        return read;
    }

    Node node(const JsonValue& json, std::unordered_map<std::string, size_t>& unnamed) {
        Node read;
        read.target = text_of(member(json, "target"));
        read.name = text_of(member(json, "name"));
        const std::string where = "the node " + in_quotes(read.name.empty() ? read.target : read.name);
        if (read.target.empty()) fault(where + " has no target");
        const JsonValue& inputs = member(json, "inputs");
        read.written = std::string_view(program_.text).substr(inputs.offset, inputs.end - inputs.offset);
        for (const JsonValue& input : inputs.items) {
            const JsonValue& name = member(input, "name");
            const std::string_view known = name.is(Json::String) ? std::string_view(name.text) : std::string_view();
            read.inputs.push_back({known, argument(member(input, "arg"), where + ", argument " + in_quotes(known))});
            if (const Argument& given = read.inputs.back().argument; given.is("graph"))
                read.graphs.push_back(std::make_shared<const Graph>(subgraph(*given.value)));
        }
        read.outputs = arguments(member(json, "outputs"), where + ", output");
        for (const JsonMember& entry : member(json, "metadata").members)
            if (entry.value.is(Json::String)) read.metadata.emplace_back(entry.key, entry.value.text);
        const JsonValue& single = member(json, "is_hop_single_tensor_return");
        read.returns_tuple =
            read.outputs.size() != 1 || read.outputs[0].is("tensors") || (single.is(Json::Bool) && !single.boolean);
        if (read.name.empty()) read.name = derived_name(read, unnamed);
        return read;
    }

    Graph subgraph(const JsonValue& json) {
        Graph read = graph(member(json, "graph"), text_of(member(json, "name")));
        check_order(read);
        return read;
    }

    /// Older files don't name nodes: what has one result is called like it, others like their operator.
    static std::string derived_name(const Node& node, std::unordered_map<std::string, size_t>& unnamed) {
        const std::vector<std::string_view> results = node.results();
        if (!node.returns_tuple && results.size() == 1) return std::string(results[0]);
        for (std::string_view result : results)
            if (const size_t at = result.find("_unused_"); at != std::string_view::npos)
                return std::string(result.substr(0, at));
        std::string op = node.target;
        for (std::string_view overload : {".default", ".Tensor", ".int"})
            if (op.ends_with(overload)) op.resize(op.size() - overload.size());
        op = op.substr(op.rfind('.') + 1);
        const size_t again = unnamed[op]++;
        return again ? op + "_" + std::to_string(again) : op;
    }

    /// Each value is defined once, before it is used.
    void check_order(const Graph& graph) {
        std::unordered_map<std::string_view, const Node*> makers;  // null: an input
        const auto define = [&](std::string_view name, const Node* by) {
            const auto [found, is_new] = makers.emplace(name, by);
            if (is_new) return;
            const auto title = [](const Node* node) { return node ? "the node " + in_quotes(node->name) : "an input"; };
            fault("the value " + in_quotes(name) + " is defined twice: by " + title(found->second) + " and by " +
                  title(by));
        };
        for (const Argument& input : graph.inputs)
            for (std::string_view name : names_in(input)) define(name, nullptr);
        for (const Node& node : graph.nodes)
            for (std::string_view name : node.results()) define(name, &node);
        std::unordered_set<const Node*> ran{nullptr};
        for (const Node& node : graph.nodes) {
            for (const NamedArgument& input : node.inputs)
                for (std::string_view name : names_in(input.argument)) {
                    const auto maker = makers.find(name);
                    const std::string uses = "the node " + in_quotes(node.name) + " uses ";
                    if (maker == makers.end()) fault(uses + "the value " + in_quotes(name) + ", which nothing defines");
                    else if (maker->second == &node) fault(uses + "its own result " + in_quotes(name));
                    else if (!ran.contains(maker->second))
                        fault(uses + "the value " + in_quotes(name) + ", which the node " +
                              in_quotes(maker->second->name) + " behind it makes");
                }
            ran.insert(&node);
        }
        for (const Argument& output : graph.outputs)
            for (std::string_view name : names_in(output))
                if (!makers.contains(name)) fault("the output " + in_quotes(name) + " is made by nothing");
    }

    void read_signature(const JsonValue& signature) {
        const auto spec_of = [](const JsonValue& json) -> const JsonMember* {
            for (const JsonMember& each : json.members)
                if (each.value.is(Json::Object)) return &each;
            return nullptr;
        };
        const std::vector<JsonValue>& inputs = member(signature, "input_specs").items;
        if (inputs.size() != program_.graph.inputs.size())
            program_.warnings.push_back("the signature names " + std::to_string(inputs.size()) + " inputs of " +
                                        std::to_string(program_.graph.inputs.size()) + ": the others are the user's");
        for (size_t i = 0; i < program_.graph.inputs.size(); ++i) {
            InputSpec spec{"user_input", {}};
            const JsonMember* given = i < inputs.size() ? spec_of(inputs[i]) : nullptr;
            if (given) spec.kind = given->key;
            for (std::string_view key : {"parameter_name", "buffer_name", "tensor_constant_name", "custom_obj_name"})
                if (const JsonValue* name = given ? given->value.member(key) : nullptr; name && name->is(Json::String))
                    spec.name = name->text;
            program_.inputs.push_back(spec);
        }
        const JsonValue* outputs = signature.member("output_specs");
        if (!outputs) program_.outputs = program_.graph.outputs;
        for (const JsonValue& json : (outputs ? *outputs : kNothing).items)
            if (const JsonMember* spec = spec_of(json))
                if (spec->key == "user_output" || spec->key == "loss_output") {
                    const JsonValue& arg = member(spec->value, "arg");
                    // A loss is named without a union around it.
                    if (!arg.member("name")) program_.outputs.push_back(argument(arg, "an output of the signature"));
                    else program_.outputs.push_back({"tensor", &arg});
                }
    }

    Program& program_;
    bool of_executorch_;
    std::vector<std::string> faults_;
};

}  // namespace

std::string_view Node::meta(std::string_view key) const {
    for (const auto& [name, text] : metadata)
        if (name == key) return text;
    return {};
}

std::vector<std::string_view> Node::results() const {
    std::vector<std::string_view> names;
    for (const Argument& output : outputs)
        for (std::string_view name : names_in(output)) names.push_back(name);
    return names;
}

int64_t whole(const JsonValue& value) {
    if (!value.is(Json::Number) || std::isnan(value.number)) return -1;
    constexpr double kMost = 0x1p63;
    if (value.number >= kMost) return std::numeric_limits<int64_t>::max();
    return value.number < -kMost ? std::numeric_limits<int64_t>::min() : int64_t(value.number);
}

std::optional<double> real(const JsonValue& value) {
    if (value.is(Json::Number)) return value.number;
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    if (!value.is(Json::String)) return std::nullopt;
    if (value.text == "Infinity") return kInfinite;
    if (value.text == "-Infinity") return -kInfinite;
    if (value.text == "NaN") return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

std::vector<std::string_view> names_in(const Argument& argument) {
    std::vector<std::string_view> names;
    const auto add = [&](const JsonValue& json, std::string_view key) {
        if (const JsonValue* name = json.member(key); name && name->is(Json::String)) names.push_back(name->text);
    };
    const JsonValue& value = *argument.value;
    if (argument.is("tensor") || argument.is("custom_obj")) add(value, "name");
    if (argument.is("sym_int") || argument.is("sym_bool") || argument.is("sym_float")) add(value, "as_name");
    if (argument.is("optional_tensor")) add(member(value, "as_tensor"), "name");
    for (const JsonValue& item : value.items) {
        if (argument.is("tensors")) add(item, "name");
        if (argument.is("sym_ints") || argument.is("sym_bools") || argument.is("sym_floats")) add(item, "as_name");
        if (argument.is("optional_tensors")) add(member(item, "as_tensor"), "name");
        if (argument.is("nested_tensors"))
            for (const JsonValue& inner : item.items) add(inner, "name");
    }
    return names;
}

TensorMeta element_type(int64_t number, bool of_executorch) {
    struct Type {
        int number;
        const char* name;
        DataType dtype;
    };
    static const std::array<Type, 25> types = {{
        {1, "uint8", kUInt8},
        {2, "int8", kInt8},
        {3, "int16", kInt16},
        {4, "int32", kInt32},
        {5, "int64", kInt64},
        {6, "float16", kFloat16},
        {7, "float32", kFloat32},
        {8, "float64", kFloat64},
        {9, "complex32", kVoid},
        {10, "complex64", kVoid},
        {11, "complex128", kVoid},
        {12, "bool", kBool},
        {13, "bfloat16", kBFloat16},
        {28, "uint16", kUInt16},
        {29, "float8_e4m3fn", kFloat8E4M3FN},
        {30, "float8_e5m2", kFloat8E5M2},
        {31, "float8_e4m3fnuz", kFloat8E4M3FNUZ},
        {32, "float8_e5m2fnuz", kFloat8E5M2FNUZ},
        {33, "float8_e8m0fnu", kFloat8E8M0FNU},
        {34, "uint32", kUInt32},
        {35, "uint64", kUInt64},
    }};
    if (of_executorch && number >= 14 && number <= 16) number = number == 14 ? 28 : number == 15 ? 30 : 29;
    for (const Type& type : types)
        if (type.name && type.number == number) return {type.name, type.dtype, {}};
    return {"dtype " + std::to_string(number), kVoid, {}};
}

TensorMeta tensor_meta(const JsonValue& json, bool of_executorch, Layout* layout) {
    TensorMeta meta = element_type(whole(member(json, "dtype")), of_executorch);
    for (const JsonValue& size : member(json, "sizes").items) meta.sizes.push_back(read_size(size));
    if (!layout) return meta;
    for (const JsonValue& stride : member(json, "strides").items) layout->strides.push_back(read_size(stride));
    layout->offset = read_size(member(json, "storage_offset"));
    return meta;
}

Result<JsonValue> read_python_json(std::string& text) {
    if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
    if (const size_t bad = utf8::find_invalid(std::string_view(text)); bad != std::string::npos)
        return error("the JSON is not UTF-8: byte " + std::to_string(bad));
    std::string quoted;
    size_t done = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
        if (in_string && text[i] == '\\') ++i;
        else if (text[i] == '"') in_string = !in_string;
        else if (!in_string && (text[i] == 'N' || text[i] == 'I')) {
            const std::string_view word = text[i] == 'N' ? "NaN" : "Infinity";
            if (text.compare(i, word.size(), word) != 0) continue;
            const size_t begin = i > done && text[i - 1] == '-' ? i - 1 : i;
            quoted.append(text, done, begin - done).append("\"").append(text, begin, i + word.size() - begin) += '"';
            done = i + word.size();
            i = done - 1;
        }
    }
    if (done > 0) text = quoted.append(text, done);
    return read_json(text);
}

Result<std::unique_ptr<const Program>> read_program(std::string text, bool of_executorch) {
    auto program = std::make_unique<Program>();
    program->text = std::move(text);
    Result<JsonValue> json = read_python_json(program->text);
    if (!json) return json.error();
    program->json = std::move(*json);
    try {
        Reader(*program, of_executorch).read();
    } catch (const Refused& refused) {
        return error(refused.message);
    }
    return std::unique_ptr<const Program>(std::move(program));
}

}  // namespace partita::torch
