#include "engine/frontends/json/module_reader.h"

#include <algorithm>
#include <charconv>
#include <deque>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include "engine/frontends/relay/fitted_attribute.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/syntax_error.h"
#include "engine/frontends/relay/unique_names.h"
#include "engine/ir/kind_name.h"
#include "engine/ir/narrow_types.h"
#include "engine/ir/traversal.h"
#include "engine/ops/foreign.h"
#include "engine/ops/op_named.h"
#include "engine/ops/registry.h"
#include "engine/support/base64.h"
#include "engine/support/json_cursor.h"

namespace partita {

namespace {

using relay::fail;
using relay::quoted;

constexpr int kDeepestValue = 32;

/// The kinds of expressions, with their allowed members.
struct Kind {
    ExprKind kind;
    size_t least, most;  ///< numbers of operands
};
constexpr size_t kAny = SIZE_MAX;
constexpr Kind kKinds[] = {{ExprKind::Var, 0, 0},         {ExprKind::Constant, 0, 0},  {ExprKind::GlobalVar, 0, 0},
                           {ExprKind::Op, 0, 0},          {ExprKind::Call, 1, kAny},   {ExprKind::Tuple, 0, kAny},
                           {ExprKind::Projection, 1, 1},  {ExprKind::Let, 3, 3},       {ExprKind::If, 3, 3},
                           {ExprKind::Function, 1, kAny}, {ExprKind::RefCreate, 1, 1}, {ExprKind::RefRead, 1, 1},
                           {ExprKind::RefWrite, 2, 2}};

struct FunctionEntry {
    SourcePosition place;
    std::string_view name;
    uint32_t expression;
};

/// The members of an entry of "expressions", before its kind is known.
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
        std::vector<FunctionEntry> functions;
        json_.object("the module", [&](std::string_view key) {
            if (key == "format") known = json_.string() == "partita-module";
            else if (key == "version") check_version();
            else if (key == "functions")
                json_.array("the list of functions", [&] { functions.push_back(read_function()); });
            else if (key == "expressions") json_.array("the list of expressions", [&] { read_expression(); });
            else json_.skip_value();
        });
        json_.expect_end("the module");
        if (!known) fail({1, 1}, "bad module: its \"format\" is not \"partita-module\"");
        for (const FunctionEntry& function : functions) set_function(function);
        for (ExprId id : made_)
            if (module_.kind(id) == ExprKind::GlobalVar && !module_.find_function(module_.name_id(id)).valid())
                fail(module_.position(id), "bad module: there is no function @" + std::string(module_.name(id)));
        return std::move(module_);
    }

private:
    void check_version() {
        const SourcePosition place = json_.position();
        if (json_.index() != uint32_t(kModuleJsonVersion))
            fail(place, "bad module: it was written by another version of Partita");
    }

    FunctionEntry read_function() {
        json_.peek();
        FunctionEntry function{json_.position(), {}, UINT32_MAX};
        json_.object("a function", [&](std::string_view key) {
            if (key == "name") function.name = json_.string();
            else if (key == "expression") function.expression = json_.index();
            else json_.skip_value();
        });
        check_name(function.name, function.place);
        return function;
    }

    void set_function(const FunctionEntry& function) {
        const std::string name = "bad module: @" + std::string(function.name.substr(0, 200));
        if (function.expression >= made_.size() || module_.kind(made_[function.expression]) != ExprKind::Function)
            fail(function.place, name + " is no function");
        const ExprId expression = made_[function.expression];
        if (module_.find_function(function.name).valid()) fail(function.place, name + " is defined twice");
        if (std::exchange(used_[expression.value], 1))
            fail(function.place, name + " is a function that is used elsewhere, too");
        module_.set_function(function.name, expression);
    }

    /// Checks a function name, which Relay text and generated code use unchanged.
    static void check_name(std::string_view name, SourcePosition place) {
        const auto is_letter = [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '/';
        };
        const auto fits = [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); };
        if (name.empty() || !is_letter(name[0]) || !std::all_of(name.begin(), name.end(), fits))
            fail(place, "bad module: " + quoted(name) + " is no name");
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
        module_.set_position(made, entry.place);
        made_.push_back(made);
        used_.resize(module_.size());
        for (ExprId operand : entry.operands) used_[operand.value] = true;
        check_nesting(made, entry.place);
    }

    /// Limits nesting, so that the module can be written as Relay text and read back.
    void check_nesting(ExprId id, SourcePosition place) {
        nesting_.resize(module_.size());
        uint32_t deepest = 0;
        for (ExprId operand : module_.operands(id)) {
            const bool chain = module_.kind(operand) == ExprKind::Let && operand == module_.operands(id).back();
            const bool opens = module_.kind(id) == ExprKind::Function || module_.kind(id) == ExprKind::If ||
                               (module_.kind(id) == ExprKind::Let && !chain);
            deepest = std::max(deepest, nesting_[operand.value] + opens);
        }
        if (deepest > uint32_t(kDeepestNesting))
            fail(place, "bad module: functions, ifs and lets nest deeper than " + std::to_string(kDeepestNesting));
        nesting_[id.value] = deepest;
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
        constexpr std::string_view known[] = {"float16", "bfloat16", "float32", "float64", "int8",   "int16",
                                              "int32",   "int64",    "uint8",   "uint16",  "uint32", "uint64",
                                              "bool",    "int4",     "uint4",   "int2",    "uint2"};
        const std::optional<DataType> parsed = DataType::parse(dtype);
        const bool is_known = std::find(std::begin(known), std::end(known), dtype) != std::end(known);
        if (!parsed || (!is_known && !parsed->is_narrow_float()))
            fail(place, "bad module: unknown element type " + quoted(dtype));
        std::vector<int64_t> sizes;
        std::copy_if(shape.begin(), shape.end(), std::back_inserter(sizes),
                     [](int64_t dim) { return dim != kDynamicDim; });
        if (!element_count(sizes))
            fail(place, "bad module: the shape " + shape_to_string(shape) + " has too many elements");
        return module_.types().tensor(*parsed, shape);
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
            case ExprKind::Var: return module_.add_var(relay::UniqueNames::valid_name(entry.name), entry.type);
            case ExprKind::Constant: return make_constant(entry);
            case ExprKind::GlobalVar: check_name(entry.name, entry.place); return module_.add_global_var(entry.name);
            case ExprKind::Op: return make_op(entry);
            case ExprKind::Call: return make_call(entry, operands);
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
        if (dtype.is_narrow_integer())  // only its low bits count
            for (uint8_t& element : std::span(value.data<uint8_t>(), size_t(bytes)))
                element = uint8_t(wrapped_to_narrow(dtype, element));
        return module_.add_constant(std::move(value));
    }

    ExprId make_op(const Entry& entry) {
        const OpId op = op_named(entry.name);
        if (op.valid()) return module_.add_op(op);
        fail(entry.place, "bad module: unknown operator " + quoted(entry.name) + "; did you mean " +
                              quoted(op_registry().nearest(entry.name)) + "?");
    }

    ExprId make_call(Entry& entry, std::span<const ExprId> operands) {
        const OpRecord* op = called_record(operands[0]);
        const AttributesId attributes = op && op->foreign ? foreign_attributes_of(entry, *op) : call_attributes(entry);
        ExprId callee = operands[0];
        if (op && (op->foreign || op->name == "opaque"))
            callee = module_.add_op(
                op_registry().foreign(AttributesView(*op, module_.attributes(attributes)).string("op_type")));
        return module_.add_call(callee, operands.subspan(1), attributes);
    }

    const OpRecord* called_record(ExprId callee) const {
        return module_.kind(callee) == ExprKind::Op ? &op_registry()[OpId(module_[callee].payload)] : nullptr;
    }

    /// The operator is not known: its attributes are as they stand there, its type is the one that is stated.
    AttributesId foreign_attributes_of(Entry& entry, const OpRecord& op) {
        const auto is_op_type = [](const auto& attribute) { return attribute.first == "op_type"; };
        if (std::any_of(entry.attributes.begin(), entry.attributes.end(), is_op_type)) return call_attributes(entry);
        ForeignCall call{op.name, {}, 1, {}, {}, result_tensors(module_.types(), entry.type)};
        if (!entry.type.valid())
            fail(entry.place,
                 "bad module: unknown operator " + quoted(op.name) + ": the \"type\" of its call is missing");
        for (auto& [name, value] : entry.attributes) call.attributes.emplace_back(std::string(name), std::move(value));
        return module_.add_attributes(foreign_attributes(module_.types(), call));
    }

    AttributesId call_attributes(Entry& entry) {
        const ExprId callee = entry.operands[0];
        if (module_.kind(callee) != ExprKind::Op) return {};
        const OpRecord& record = *called_record(callee);
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
        std::unordered_set<std::string_view> names;
        for (ExprId parameter : parameters) {
            if (module_.kind(parameter) != ExprKind::Var)
                fail(entry.place, "bad module: a function's parameter must be a var");
            if (!names.insert(module_.name(parameter)).second)
                fail(entry.place, "bad module: two parameters of a function are named " +
                                      quoted("%" + std::string(module_.name(parameter))));
        }
        FunctionInfo info;
        const TypeTable& types = module_.types();
        if (types.is_function(entry.type)) info.return_type = types.result(entry.type);
        for (auto& [name, value] : entry.attributes) {
            check_name(name, entry.place);
            info.attributes.emplace_back(name, std::move(value));
        }
        return module_.add_function(parameters, entry.operands.back(), std::move(info));
    }

    std::deque<std::string> unescaped_;
    JsonCursor json_;
    const CancelToken& cancel_;
    Module module_;
    std::vector<ExprId> made_;       ///< by index in "expressions"
    std::vector<uint8_t> used_;      ///< by expression: whether it is an operand or a global function
    std::vector<uint32_t> nesting_;  ///< by expression
};

}  // namespace

bool looks_like_module_json(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos || text[begin] != '{') return false;
    return text.substr(begin, 4096).find("\"partita-module\"") != std::string_view::npos;
}

Result<Module> read_module_json(std::string_view text, const std::string& file, const CancelToken& cancel) {
    try {
        Module module = copy_module(Reader(text, cancel).read());  // drops what no function reaches
        module.make_root();
        return module;
    } catch (const SyntaxError& fault) {
        Diagnostic refusal = error(fault.message, fault.position);
        refusal.file = file;
        return refusal;
    }
}

}  // namespace partita
