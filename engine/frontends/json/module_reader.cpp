#include "engine/frontends/json/module_reader.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <optional>

#include "engine/frontends/relay/fitted_attribute.h"
#include "engine/frontends/relay/json_cursor.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/frontends/relay/syntax_error.h"
#include "engine/ir/kind_name.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/support/base64.h"

namespace partita {

namespace {

using relay::fail;
using relay::quoted;

constexpr int kDeepestValue = 32;

/// The kinds with what they may be made of.
struct Kind {
    ExprKind kind;
    size_t least, most;  ///< operands
};
constexpr size_t kAny = SIZE_MAX;
constexpr Kind kKinds[] = {{ExprKind::Var, 0, 0},         {ExprKind::Constant, 0, 0},  {ExprKind::GlobalVar, 0, 0},
                           {ExprKind::Op, 0, 0},          {ExprKind::Call, 1, kAny},   {ExprKind::Tuple, 0, kAny},
                           {ExprKind::Projection, 1, 1},  {ExprKind::Let, 3, 3},       {ExprKind::If, 3, 3},
                           {ExprKind::Function, 1, kAny}, {ExprKind::RefCreate, 1, 1}, {ExprKind::RefRead, 1, 1},
                           {ExprKind::RefWrite, 2, 2}};

/// What an entry of "expressions" says, before it is known what kind it is of.
struct Entry {
    SourcePosition place;
    std::string_view kind, name, label, data;
    TypeId type;
    uint32_t index = 0;
    bool has_index = false, has_data = false;
    std::vector<std::pair<std::string_view, AttributeValue>> attributes;
    std::vector<ExprId> operands;
};

class Reader {
public:
    explicit Reader(std::string_view text, const CancelToken& cancel)
        : json_(text, {1, 1}, unescaped_, "bad module: "), cancel_(cancel) {}

    Module read() {
        bool known = false;
        std::vector<std::pair<std::string_view, uint32_t>> functions;
        json_.object("the module", [&](std::string_view key) {
            if (key == "format") known = json_.string() == "partita-module";
            else if (key == "version") check_version();
            else if (key == "functions")
                json_.array("the list of functions", [&] { functions.push_back(read_function()); });
            else if (key == "expressions") json_.array("the list of expressions", [&] { read_expression(); });
            else json_.skip_value();
        });
        if (json_.peek() != '\0') fail(json_.position(), "bad module: expected the end of the text after the module");
        if (!known) fail({1, 1}, "bad module: its \"format\" is not \"partita-module\"");
        for (const auto& [name, index] : functions) {
            if (index >= made_.size() || module_.kind(made_[index]) != ExprKind::Function)
                fail({1, 1}, "bad module: @" + std::string(name.substr(0, 200)) + " is no function");
            module_.set_function(name, made_[index]);
        }
        return std::move(module_);
    }

private:
    void check_version() {
        const SourcePosition place = json_.position();
        if (json_.index() != uint32_t(kModuleJsonVersion))
            fail(place, "bad module: it was written by another version of Partita");
    }

    std::pair<std::string_view, uint32_t> read_function() {
        std::pair<std::string_view, uint32_t> function{{}, UINT32_MAX};
        json_.object("a function", [&](std::string_view key) {
            if (key == "name") function.first = json_.string();
            else if (key == "expression") function.second = json_.index();
            else json_.skip_value();
        });
        return function;
    }

    void read_expression() {
        if (cancel_.cancelled()) fail({}, "cancelled");
        json_.peek();
        Entry entry;
        entry.place = json_.position();
        json_.object("an expression", [&](std::string_view key) {
            if (key == "kind") entry.kind = json_.string();
            else if (key == "name") entry.name = json_.string();
            else if (key == "label") entry.label = json_.string();
            else if (key == "type") entry.type = read_type(0);
            else if (key == "index") entry.index = json_.index(), entry.has_index = true;
            else if (key == "data") entry.data = json_.string(), entry.has_data = true;
            else if (key == "attributes")
                json_.object("attributes",
                             [&](std::string_view name) { entry.attributes.emplace_back(name, read_value(0)); });
            else if (key == "operands") json_.array("operands", [&] { entry.operands.push_back(read_operand()); });
            else json_.skip_value();
        });
        const ExprId made = make(entry);
        if (!entry.label.empty()) module_.set_label(made, std::string(entry.label));
        made_.push_back(made);
    }

    ExprId read_operand() {
        json_.peek();
        const SourcePosition place = json_.position();
        const uint32_t index = json_.index();
        if (index >= made_.size()) fail(place, "bad module: an operand must stand before the expression that uses it");
        return made_[index];
    }

    TypeId read_type(int depth) {
        if (json_.peek() == 'n') return json_.scalar(), TypeId();
        const SourcePosition place = json_.position();
        if (depth > kDeepestValue) fail(place, "bad module: types nest too deeply");
        std::string_view dtype;
        std::vector<int64_t> shape;
        std::vector<TypeId> parts;
        TypeId result;
        enum { Nothing, Tensor, Tuple, Function, Reference } form = Nothing;
        json_.object("a type", [&](std::string_view key) {
            if (key == "dtype") dtype = json_.string();
            else if (key == "shape") form = Tensor, json_.array("a shape", [&] { shape.push_back(read_extent()); });
            else if (key == "tuple")
                form = Tuple, json_.array("a tuple's type", [&] { parts.push_back(read_type(depth + 1)); });
            else if (key == "parameters")
                form = Function, json_.array("a function's type", [&] { parts.push_back(read_type(depth + 1)); });
            else if (key == "result") result = read_type(depth + 1);
            else if (key == "reference") form = Reference, result = read_type(depth + 1);
            else json_.skip_value();
        });
        const bool whole = std::all_of(parts.begin(), parts.end(), [](TypeId part) { return part.valid(); });
        if (form == Tensor) return tensor_type(dtype, shape, place);
        if (form == Tuple && whole) return module_.types().tuple(parts);
        if (form == Function && whole && result.valid()) return module_.types().function(parts, result);
        if (form == Reference && result.valid()) return module_.types().reference(result);
        fail(place, "bad module: this is no type");
    }

    int64_t read_extent() {
        json_.peek();
        const SourcePosition place = json_.position();
        const std::string_view text = json_.scalar();
        if (text == "null") return kDynamicDim;
        int64_t value = 0;
        const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failure != std::errc() || stop != text.data() + text.size() || value < 0)
            fail(place, "bad module: " + quoted(text) + " is no size of a dimension");
        return value;
    }

    TypeId tensor_type(std::string_view dtype, const std::vector<int64_t>& shape, SourcePosition place) {
        constexpr std::string_view known[] = {"float16", "bfloat16", "float32", "float64", "int8",   "int16", "int32",
                                              "int64",   "uint8",    "uint16",  "uint32",  "uint64", "bool"};
        if (std::find(std::begin(known), std::end(known), dtype) == std::end(known))
            fail(place, "bad module: unknown element type " + quoted(dtype));
        std::vector<int64_t> sizes;
        std::copy_if(shape.begin(), shape.end(), std::back_inserter(sizes),
                     [](int64_t dim) { return dim != kDynamicDim; });
        if (!element_count(sizes))
            fail(place, "bad module: the shape " + shape_to_string(shape) + " has too many elements");
        return module_.types().tensor(*DataType::parse(dtype), shape);
    }

    AttributeValue read_value(int depth) {
        const char first = json_.peek();
        const SourcePosition place = json_.position();
        if (depth > kDeepestValue) fail(place, "bad module: values nest too deeply");
        if (first == '"') return std::string(json_.string());
        if (first == '[') {
            AttributeValue::List list;
            json_.array("a list", [&] { list.push_back(read_value(depth + 1)); });
            return list;
        }
        const std::string_view text = json_.scalar();
        if (text == "null") return {};
        if (text == "true" || text == "false") return text == "true";
        const char* end = text.data() + text.size();
        int64_t whole = 0;
        if (const auto [stop, failure] = std::from_chars(text.data(), end, whole);
            failure == std::errc() && stop == end)
            return Integer{whole, uint8_t(whole == int32_t(whole) ? 32 : 64)};
        double real = 0;
        if (const auto [stop, failure] = std::from_chars(text.data(), end, real); failure == std::errc() && stop == end)
            return real;
        fail(place, "bad module: " + quoted(text) + " is no value");
    }

    ExprId make(Entry& entry) {
        const Kind* kind = std::find_if(std::begin(kKinds), std::end(kKinds),
                                        [&](const Kind& each) { return kind_name(each.kind) == entry.kind; });
        if (kind == std::end(kKinds))
            fail(entry.place, "bad module: " + quoted(entry.kind) + " is no kind of expression");
        if (entry.operands.size() < kind->least || entry.operands.size() > kind->most)
            fail(entry.place, "bad module: a " + quoted(entry.kind) + " can't have " +
                                  std::to_string(entry.operands.size()) + " operands");
        for (size_t i = 0; i < entry.operands.size(); ++i) {
            const bool called = kind->kind == ExprKind::Call && i == 0;
            if (module_.kind(entry.operands[i]) == ExprKind::Op && !called)
                fail(entry.place, "bad module: an operator is no value, it can only be called");
        }
        const std::span<const ExprId> operands(entry.operands);
        switch (kind->kind) {
            case ExprKind::Var: return module_.add_var(entry.name, entry.type);
            case ExprKind::Constant: return make_constant(entry);
            case ExprKind::GlobalVar: return module_.add_global_var(entry.name);
            case ExprKind::Op: return make_op(entry);
            case ExprKind::Call: return module_.add_call(operands[0], operands.subspan(1), call_attributes(entry));
            case ExprKind::Tuple: return module_.add_tuple(operands);
            case ExprKind::Projection:
                if (!entry.has_index) fail(entry.place, "bad module: a projection needs an \"index\"");
                return module_.add_projection(operands[0], entry.index);
            case ExprKind::Let:
                if (module_.kind(operands[0]) != ExprKind::Var) fail(entry.place, "bad module: a let binds a var");
                return module_.add_let(operands[0], operands[1], operands[2]);
            case ExprKind::If: return module_.add_if(operands[0], operands[1], operands[2]);
            case ExprKind::Function: return make_function(entry);
            case ExprKind::RefCreate: return module_.add_ref_create(operands[0]);
            case ExprKind::RefRead: return module_.add_ref_read(operands[0]);
            case ExprKind::RefWrite: return module_.add_ref_write(operands[0], operands[1]);
        }
        return {};
    }

    ExprId make_constant(const Entry& entry) {
        TypeTable& types = module_.types();
        if (!types.is_tensor(entry.type) || !entry.has_data)
            fail(entry.place, "bad module: a constant needs a tensor's \"type\" and \"data\"");
        const std::span<const int64_t> shape = types.shape(entry.type);
        const DataType dtype = types.dtype(entry.type);
        const std::optional<int64_t> count = element_count(shape);
        int64_t bytes = 0;
        if (!count || __builtin_mul_overflow(*count, int64_t(dtype.bytes()), &bytes) ||
            relay::base64_decoded_size(entry.data) != bytes)
            fail(entry.place,
                 "bad module: the data of this constant are not those of a " + types.to_string(entry.type));
        Tensor value(dtype, std::vector<int64_t>(shape.begin(), shape.end()));
        if (!relay::base64_decode(entry.data, 0, {static_cast<uint8_t*>(value.bytes()), size_t(bytes)}))
            fail(entry.place, "bad module: the data of this constant are no base64");
        return module_.add_constant(std::move(value));
    }

    ExprId make_op(const Entry& entry) {
        const OpId op = op_registry().find(entry.name);
        if (op.valid()) return module_.add_op(op);
        const std::string_view near = op_registry().nearest(entry.name);
        fail(entry.place, "bad module: unknown operator " + quoted(entry.name) +
                              (near.empty() ? "" : "; did you mean " + quoted(near) + "?"));
    }

    AttributesId call_attributes(Entry& entry) {
        const ExprId callee = entry.operands[0];
        if (module_.kind(callee) != ExprKind::Op) return {};
        const OpRecord& record = op_registry()[OpId(module_[callee].payload)];
        if (record.attributes.empty()) return {};
        AttributeList values = record.default_attributes();
        std::vector<bool> given(values.size());
        for (auto& [name, value] : entry.attributes) {
            const int index = record.attribute_index(name);
            if (index < 0)
                fail(entry.place, "bad module: " + quoted(record.name) + " has no attribute " + quoted(name));
            values[size_t(index)] =
                relay::fitted_attribute(record, record.attributes[size_t(index)], std::move(value), entry.place);
            given[size_t(index)] = true;
        }
        for (size_t i = 0; i < values.size(); ++i)
            if (record.attributes[i].required && !given[i])
                fail(entry.place, "bad module: " + quoted(record.name) + " needs the attribute " +
                                      quoted(record.attributes[i].name));
        return module_.add_attributes(std::move(values));
    }

    ExprId make_function(Entry& entry) {
        const std::span<const ExprId> parameters =
            std::span<const ExprId>(entry.operands).first(entry.operands.size() - 1);
        for (ExprId parameter : parameters)
            if (module_.kind(parameter) != ExprKind::Var)
                fail(entry.place, "bad module: a function's parameter must be a var");
        FunctionInfo info;
        const TypeTable& types = module_.types();
        if (types.is_function(entry.type)) info.return_type = types.result(entry.type);
        for (auto& [name, value] : entry.attributes) info.attributes.emplace_back(name, std::move(value));
        return module_.add_function(parameters, entry.operands.back(), std::move(info));
    }

    std::deque<std::string> unescaped_;
    relay::JsonCursor json_;
    const CancelToken& cancel_;
    Module module_;
    std::vector<ExprId> made_;  ///< by index in "expressions"
};

std::vector<ExprId> order_of(const Module& module) {
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions_by_name()) roots.push_back(global.function);
    return post_order(module, roots);
}

Diagnostic in_file(Diagnostic fault, const std::string& file) {
    fault.file = file;
    return fault;
}

}  // namespace

bool looks_like_module_json(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || text[begin] != '{') return false;
    return text.substr(begin, 4096).find("\"partita-module\"") != std::string_view::npos;
}

Result<Module> read_module_json(std::string_view text, const std::string& file, const CancelToken& cancel) {
    std::optional<Module> said;
    try {
        said = Reader(text, cancel).read();
    } catch (const relay::SyntaxError& fault) {
        return in_file(error(fault.message, fault.position), file);
    }
    // Names, scopes and types are held to what Relay's reader takes.
    RelayParseOptions options;
    options.file = file;
    options.cancel = cancel;
    const auto refused = [&](Diagnostic fault) {
        fault.position = {};
        fault.message = "bad module: " + fault.message;
        return in_file(std::move(fault), file);
    };
    Result<Module> module = parse_relay(print_relay(*said), options);
    if (!module) return refused(module.error());
    const std::vector<ExprId> before = order_of(*said), after = order_of(*module);
    for (size_t i = 0; before.size() == after.size() && i < before.size(); ++i)
        if (const std::string_view label = said->label(before[i]); !label.empty())
            module->set_label(after[i], std::string(label));
    return module;
}

}  // namespace partita
