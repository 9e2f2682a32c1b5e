#include "engine/frontends/relax/to_module.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "engine/frontends/relax/batch_norm.h"
#include "engine/frontends/relax/operators.h"
#include "engine/frontends/relax/printer.h"
#include "engine/graph/graph_of_module.h"
#include "engine/ir/json_of.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"
#include "engine/support/json_text.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"
#include "engine/support/syntax_error.h"

namespace partita::relax {

namespace {

using Kind = Expression::Kind;

std::string relax_name(const Expression& callee) { return callee.text.substr(callee.text.find('.') + 1); }

/// What local functions hold is made once for each call of them.
constexpr size_t kMostExpressions = 10'000'000;

class ModuleMaker {
public:
    explicit ModuleMaker(Program program) : text_(std::make_shared<Text>()) {
        text_->program = std::move(program);
        text_->expressions.resize(text_->program.bindings);
        of_variable_.resize(text_->program.variables.size());
        local_.resize(text_->program.variables.size());
    }

    MadeModule make() {
        for (const auto& function : program().functions) functions_.emplace(function->name, function.get());
        for (const auto& function : program().functions)
            if (function->attribute("Composite").empty()) add_global(*function);
        for (const auto& function : program().functions)
            if (!function->attribute("Composite").empty() && !copied_.count(function.get())) add_global(*function);
        made_.module = std::move(module_);
        made_.module.make_root();
        return std::move(made_);
    }

    /// The nodes of the graph, which are only those that the result needs, in the order of the text.
    Graph graph_of(const Module& module) {
        Graph graph = graph_of_module(module, [&](ExprId id) { return std::string(module.label(id)); });
        std::sort(graph.nodes.begin(), graph.nodes.end(),
                  [](const PlainNode& a, const PlainNode& b) { return a.expression < b.expression; });
        drop_helpers(graph);
        for (uint32_t i = 0; i < graph.nodes.size(); ++i)
            for (GraphValueId output : graph.nodes[i].outputs) graph.values[output.value].producer = NodeId(i);
        name_nodes(graph);
        return graph;
    }

private:
    const Program& program() const { return text_->program; }

    [[noreturn]] static void fail(SourcePosition at, const std::string& message) { throw SyntaxError{at, message}; }

    // ---- types

    TypeId type_of(TypeNumber number, SourcePosition at) {
        if (number == kNone) return module_.types().tensor(kInt64, {});
        if (types_.size() <= number) types_.resize(program().types.size());
        if (!types_[number].valid()) types_[number] = made_type(program().types[number], at);
        return types_[number];
    }

    TypeId made_type(const Type& type, SourcePosition at) {
        TypeTable& types = module_.types();
        if (type.kind == Type::Kind::Tuple) {
            std::vector<TypeId> fields;
            for (TypeNumber field : type.fields) fields.push_back(type_of(field, at));
            return types.tuple(fields);
        }
        const KnownTensor known = known_tensor(type);
        std::vector<int64_t> sizes;
        for (int64_t size : known.shape)
            if (size != kDynamicDim) sizes.push_back(size);
        if (!element_count(sizes)) fail(at, "this type has too many elements");
        const std::optional<DataType> dtype = DataType::parse(known.dtype);
        return types.tensor(dtype && !dtype->is_void() ? *dtype : kFloat32, known.shape);
    }

    // ---- functions

    void add_global(const Function& function) {
        active_.insert(&function);
        within_ = function.name == "main" ? "" : function.name + "/";
        module_.set_function(function.name, made_function(function, true));
        active_.erase(&function);
    }

    ExprId made_function(const Function& function, bool is_global) {
        std::vector<ExprId> parameters;
        for (VariableNumber number : function.parameters) {
            const Variable& variable = program().variables[number];
            parameters.push_back(module_.add_var(variable.name, type_of(variable.type, function.position)));
            of_variable_[number] = parameters.back();
            module_.set_position(parameters.back(), function.position);
        }
        const ExprId body = made_body(function);
        FunctionInfo info;
        for (const auto& [key, value] : function.attributes) add_attribute(info, key, value);
        const std::string_view compiler = function.attribute("Codegen");
        if (!compiler.empty()) {
            info.attributes.emplace_back("Compiler", std::string(compiler));
            info.attributes.emplace_back("Primitive", 1);
            if (is_global) info.attributes.emplace_back("global_symbol", function.name);
        }
        if (!function.attribute("Composite").empty()) info.attributes.emplace_back("PartitionedFromPattern", "");
        const ExprId made = module_.add_function(parameters, body, std::move(info));
        module_.set_position(made, function.position);
        return made;
    }

    static void add_attribute(FunctionInfo& info, const std::string& key, const std::string& text) {
        if (key == "Primitive" || key == "global_symbol" || key == "Compiler") return;
        const std::optional<AttributeValue> value = read_value(text);
        info.attributes.emplace_back(key, value ? *value : AttributeValue(text));
    }

    ExprId made_body(const Function& function) {
        for (const Block& block : function.blocks)
            for (const Binding& binding : block.bindings) add_binding(binding);
        return made_expression(function.result, function.position, kNone);
    }

    void add_binding(const Binding& binding) {
        const Expression& value = binding.value;
        if (value.is(Kind::Function)) {
            local_[binding.variable] = value.functions[0].get();
            return;
        }
        const bool is_local = value.is(Kind::Variable) && local_[value.index];
        if (is_local && binding.variable != kNone) {
            local_[binding.variable] = local_[value.index];
            return;
        }
        const TypeNumber type = binding.variable == kNone ? kNone : program().variables[binding.variable].type;
        binding_ = &binding;
        const ExprId made = made_expression(value, binding.position, type);
        const ExprId node = node_.valid() ? std::exchange(node_, ExprId()) : made;
        if (!module_.position(node).line) module_.set_position(node, binding.position);
        const bool is_node = value.is(Kind::Call) || value.is(Kind::If);
        if (!text_->expressions[binding.source].valid()) text_->expressions[binding.source] = node;
        if (binding.variable == kNone) return;
        of_variable_[binding.variable] = made;
        if (is_node) {
            const std::string label = within_ + program().variables[binding.variable].name;
            module_.set_label(node, label);
            for (ExprId helper : helpers_) module_.set_label(helper, label);
            helper_calls_.insert(helpers_.begin(), helpers_.end());
        }
        helpers_.clear();
        if (binding.is_cast || type == kNone) return;
        // A variable without a type, such as the alias of a parameter, keeps its own.
        if (!module_.type(made).valid()) module_.set_type(made, type_of(type, binding.position));
    }

    // ---- expressions

    ExprId made_expression(const Expression& value, SourcePosition at, TypeNumber type) {
        if (++expressions_ > kMostExpressions) fail(at, "functions inside functions are called too often");
        switch (value.kind) {
            case Kind::Variable:
                if (!of_variable_[value.index].valid()) return made_text(program().variables[value.index].name, at);
                return of_variable_[value.index];
            case Kind::Constant: return made_constant(value, type);
            case Kind::Tuple: return made_tuple(value, at);
            case Kind::Projection: return made_projection(value, at);
            case Kind::Call: return made_call(value, at, type);
            case Kind::If: return made_if(value, at);
            default: return made_text(value.text, at);
        }
    }

    /// A shape, a number or a function as a value, for which the engine has no kind of its own.
    ExprId made_text(const std::string& text, SourcePosition at) {
        const std::optional<AttributeValue> value = read_value(text);
        if (value && value->as_integer())
            return typed(module_.add_constant(Tensor::scalar(kInt64, value->as_integer()->value)));
        if (value && value->as_list()) {
            Tensor shape(kInt64, {int64_t(value->as_list()->size())});
            bool is_whole = true;
            for (size_t i = 0; i < value->as_list()->size(); ++i) {
                const Integer* size = (*value->as_list())[i].as_integer();
                is_whole = is_whole && size;
                if (size) shape.data<int64_t>()[i] = size->value;
            }
            if (is_whole) return typed(module_.add_constant(std::move(shape)));
        }
        (void)at;
        return opaque(text, {}, module_.types().tensor(kInt64, {}), "");
    }

    ExprId typed(ExprId constant) {
        const Tensor& value = module_.constant(constant);
        module_.set_type(constant, module_.types().tensor(value.dtype(), value.shape()));
        return constant;
    }

    /// Without its values a constant is still one: its type is that of what it is bound to, if anything.
    ExprId made_constant(const Expression& value, TypeNumber type) {
        const auto [found, is_new] = constants_.emplace(value.index, ExprId());
        if (!is_new) return found->second;
        const Constant& constant = program().constants[value.index];
        if (constant.value.defined()) return found->second = typed(module_.add_constant(constant.value));
        TypeNumber stated = type;
        if (stated == kNone)
            return found->second =
                       opaque(constant_name(constant), {}, module_.types().tensor(kFloat32, {kDynamicDim}), "");
        return found->second = opaque(constant_name(constant), {}, type_of(stated, {}), "");
    }
    static std::string constant_name(const Constant& constant) {
        return "relax.expr.Constant " + std::to_string(constant.number);
    }

    ExprId made_tuple(const Expression& value, SourcePosition at) {
        std::vector<ExprId> fields;
        std::vector<TypeId> types;
        for (const Expression& operand : value.operands) {
            fields.push_back(made_expression(operand, at, kNone));
            types.push_back(module_.type(fields.back()));
        }
        return module_.add_tuple(fields, module_.types().tuple(types));
    }

    ExprId made_projection(const Expression& value, SourcePosition at) {
        const ExprId tuple = made_expression(value.operands[0], at, kNone);
        const TypeId type = module_.type(tuple);
        const TypeTable& types = module_.types();
        if (!types.is_tuple(type)) fail(at, "expected a tuple to take field " + std::to_string(value.index) + " of");
        if (value.index >= types.parts(type).size())
            fail(at, "expected a field below " + std::to_string(types.parts(type).size()) + ", found " +
                         std::to_string(value.index));
        return module_.add_projection(tuple, value.index, types.parts(type)[value.index]);
    }

    ExprId made_if(const Expression& value, SourcePosition at) {
        const ExprId condition = made_expression(value.operands[0], at, kNone);
        const ExprId then_branch = made_body(*value.functions[0]), else_branch = made_body(*value.functions[1]);
        return module_.add_if(condition, then_branch, else_branch, module_.type(then_branch));
    }

    ExprId made_call(const Expression& value, SourcePosition at, TypeNumber type) {
        const Expression& callee = value.operands[0];
        if (callee.is(Kind::Operator)) return made_operator(value, at, type);
        const std::vector<ExprId> arguments = made_arguments(value, at);
        const Function* function = nullptr;
        if (callee.is(Kind::Variable)) function = local_[callee.index];
        if (callee.is(Kind::Global)) {
            const auto found = functions_.find(callee.text);
            function = found == functions_.end() ? nullptr : found->second;
        }
        if (!function || arguments.size() != function->parameters.size()) {
            const std::string name = callee.is(Kind::Global) ? callee.text : "call";
            return opaque(name, arguments, result_type(type, at), "", true);
        }
        const TypeId result = result_type(type != kNone ? type : function->result_type, at);
        const bool is_literal = callee.is(Kind::Variable) || !function->attribute("Composite").empty();
        if (!is_literal || !active_.insert(function).second)
            return module_.add_call(module_.add_global_var(function->name), arguments, {}, result);
        copied_.insert(function);
        // Names of different functions may be the same.
        const std::string within = std::exchange(within_, within_ + function->name + "/");
        const ExprId made = module_.add_call(made_function(*function, false), arguments, {}, result);
        within_ = within;
        active_.erase(function);
        return made;
    }

    /// What is no tensor is left out.
    std::vector<ExprId> made_arguments(const Expression& call, SourcePosition at) {
        std::vector<ExprId> arguments;
        for (size_t i = 1; i < call.operands.size(); ++i)
            arguments.push_back(made_expression(call.operands[i], at, kNone));
        return arguments;
    }

    TypeId result_type(TypeNumber type, SourcePosition at) { return type_of(type, at); }

    ExprId made_operator(const Expression& call, SourcePosition at, TypeNumber type) {
        const std::string name = relax_name(call.operands[0]);
        if (name == "call_dps_packed")
            if (const ExprId region = finished_region(call, at, type); region.valid()) return region;
        if (const ExprId known = engine_call_of(call, name, at, type); known.valid()) return known;
        if (const ExprId product = name == "matmul" ? made_product(call, at, type) : ExprId(); product.valid())
            return product;
        if (const ExprId made = name == "nn.batch_norm" ? made_batch_norm(call, at, type) : ExprId(); made.valid())
            return made;
        if (type == kNone && call.keywords.empty())
            fail(at,
                 "expected the type of the result, NAME: R.Tensor(...) = ..., which is not inferred for relax." + name);
        std::string op_type = call.operands[0].text;
        std::vector<ExprId> arguments;
        nlohmann::ordered_json attributes = nlohmann::ordered_json::object();
        for (size_t i = 1; i < call.operands.size(); ++i) {
            const Expression& operand = call.operands[i];
            const bool packs = i == 2 && operand.is(Kind::Tuple) && name.starts_with("call_");
            if (operand.is(Kind::Global)) op_type += "(" + operand.text + ")";
            else if (operand.is(Kind::Text) && i == 1 && name.starts_with("call_"))
                op_type += "(" + operand.text.substr(1, operand.text.size() - 2) + ")";
            else if (is_value(operand)) attributes["argument " + std::to_string(i)] = text_of_value(operand);
            else if (packs)
                for (const Expression& field : operand.operands) arguments.push_back(made_expression(field, at, kNone));
            else arguments.push_back(made_expression(operand, at, kNone));
        }
        for (const Keyword& keyword : call.keywords)
            if (keyword.types.empty()) attributes[keyword.name] = keyword_json(keyword);
        return opaque(op_type, arguments, type_of(type, at), attributes.empty() ? "" : json_text(attributes));
    }

    /// After RunCodegen a region is a call of a compiled function, whose name ends with the compiler's: it is shown as
    /// a sub-function with nothing known inside.
    ExprId finished_region(const Expression& call, SourcePosition at, TypeNumber type) {
        if (call.operands.size() < 3 || !call.operands[1].is(Kind::Text) || !call.operands[2].is(Kind::Tuple))
            return {};
        const std::string& quotes = call.operands[1].text;
        const std::string symbol = quotes.size() > 2 ? quotes.substr(1, quotes.size() - 2) : "";
        const size_t suffix = symbol.rfind('_');
        if (!symbol.starts_with("fused_") || suffix + 1 == symbol.size() || functions_.count(symbol)) return {};
        std::vector<ExprId> arguments;
        std::vector<TypeId> signature{type_of(type, at)};
        for (const Expression& field : call.operands[2].operands) {
            arguments.push_back(made_expression(field, at, kNone));
            signature.push_back(module_.type(arguments.back()));
        }
        const auto [found, is_new] = finished_.emplace(symbol, signature);
        if (!is_new && found->second != signature) return {};
        if (is_new) {
            std::vector<ExprId> parameters;
            for (size_t i = 1; i < signature.size(); ++i)
                parameters.push_back(module_.add_var("p" + std::to_string(i - 1), signature[i]));
            FunctionInfo info;
            info.attributes = {{"Compiler", symbol.substr(suffix + 1)}, {"Primitive", 1}, {"global_symbol", symbol}};
            const ExprId body = opaque("relax.call_dps_packed(" + symbol + ")", parameters, signature[0], "");
            module_.set_function(symbol, module_.add_function(parameters, body, std::move(info)));
        }
        return module_.add_call(module_.add_global_var(symbol), arguments, {}, signature[0]);
    }

    static nlohmann::ordered_json keyword_json(const Keyword& keyword) {
        const std::optional<AttributeValue> value = read_value(keyword.text);
        return value ? json_of(*value) : nlohmann::ordered_json(keyword.text);
    }

    static std::string text_of_value(const Expression& operand) {
        if (operand.is(Kind::Text)) return operand.text;
        std::string text;
        for (const Expression& field : operand.operands) text += (text.empty() ? "" : ", ") + text_of_value(field);
        return "(" + text + ")";
    }

    /// Invalid where the engine has no such call, or infers another type.
    ExprId engine_call_of(const Expression& call, const std::string& name, SourcePosition at, TypeNumber type) {
        std::vector<ExprId> arguments;
        std::vector<TypeId> types;
        std::vector<int> ranks;
        std::vector<AttributeValue> values;
        for (size_t i = 1; i < call.operands.size(); ++i) {
            const Expression& operand = call.operands[i];
            if (is_value(operand)) {
                std::optional<AttributeValue> value = read_value(text_of_value(operand));
                if (!value) return {};
                values.push_back(std::move(*value));
                continue;
            }
            if (!values.empty() || operand.is(Kind::Global)) return {};
            arguments.push_back(made_expression(operand, at, kNone));
            types.push_back(module_.type(arguments.back()));
            ranks.push_back(module_.types().is_tensor(types.back()) ? int(module_.types().shape(types.back()).size())
                                                                    : -1);
        }
        std::optional<EngineCall> engine = engine_call(name, ranks, values, call.keywords);
        if (!engine) return {};
        const OpRecord& record = op_registry()[engine->op];
        const Result<TypeId> inferred =
            record.relation({module_.types(), types, AttributesView(record, engine->attributes)});
        if (!inferred) return {};
        if (type != kNone && !agrees(*inferred, type_of(type, at))) {
            if (made_.notes.size() < kMostNotes)
                made_.notes.push_back({Severity::Warning,
                                       {},
                                       at,
                                       "the text says that the result of relax." + name + " is " +
                                           module_.types().to_string(type_of(type, at), 200) +
                                           ", and inference gives " + module_.types().to_string(*inferred, 200) +
                                           "; the text is followed"});
            return {};
        }
        return module_.add_call(module_.add_op(engine->op), arguments,
                                module_.add_attributes(std::move(engine->attributes)), *inferred);
    }

    /// Products of matrices in several dimensions are those of one dimension of matrices.
    ExprId made_product(const Expression& call, SourcePosition at, TypeNumber type) {
        if (call.operands.size() != 3 || type == kNone) return {};
        ExprId operands[2];
        std::vector<int64_t> shapes[2];
        for (size_t i = 0; i < 2; ++i) {
            operands[i] = made_expression(call.operands[1 + i], at, kNone);
            if (!module_.types().is_tensor(module_.type(operands[i]))) return {};
            const std::span<const int64_t> shape = module_.types().shape(module_.type(operands[i]));
            shapes[i].assign(shape.begin(), shape.end());
        }
        const size_t rank = shapes[0].size();
        const bool fits = rank > 3 && shapes[1].size() == rank && element_count(shapes[0]) &&
                          element_count(shapes[1]) &&
                          std::equal(shapes[0].begin(), shapes[0].end() - 2, shapes[1].begin());
        if (!fits) return {};
        const int64_t count = std::accumulate(shapes[0].begin(), shapes[0].end() - 2, int64_t(1), std::multiplies<>());
        for (size_t i = 0; i < 2; ++i)
            operands[i] = reshaped(operands[i], {count, shapes[i][rank - 2], shapes[i][rank - 1]});
        const std::vector<int> ranks{3, 3};
        std::optional<EngineCall> product = engine_call("matmul", ranks, {}, call.keywords);
        if (!product) return {};
        const std::vector<TypeId> types{module_.type(operands[0]), module_.type(operands[1])};
        const OpRecord& record = op_registry()[product->op];
        const Result<TypeId> inferred =
            record.relation({module_.types(), types, AttributesView(record, product->attributes)});
        if (!inferred) return {};
        const ExprId made = module_.add_call(module_.add_op(product->op), {operands[0], operands[1]},
                                             module_.add_attributes(std::move(product->attributes)), *inferred);
        helpers_ = {operands[0], operands[1], made};
        const std::span<const int64_t> result = module_.types().shape(type_of(type, at));
        return reshaped(made, {result.begin(), result.end()});
    }

    /// Of a normalization by the batch only the first field can be had: who takes the new statistics sees a call that
    /// nobody knows.
    ExprId made_batch_norm(const Expression& call, SourcePosition at, TypeNumber type) {
        const bool fits = binding_ && &binding_->value == &call && binding_->variable != kNone && type != kNone &&
                          call.operands.size() == 6 && !needs_more_than_first(binding_->variable);
        if (!fits) return {};
        std::vector<ExprId> arguments;
        for (size_t i = 1; i < call.operands.size(); ++i)
            arguments.push_back(made_expression(call.operands[i], at, kNone));
        std::vector<ExprId> helpers;
        const ExprId made = normalized_by_batch(module_, std::span(arguments).first(3), call.keywords, helpers);
        const TypeId stated = type_of(type, at);
        if (!made.valid() || !module_.types().is_tuple(stated) || module_.types().parts(stated).size() != 3) return {};
        helpers_ = std::move(helpers);
        node_ = made;
        return module_.add_tuple(std::vector{made, arguments[3], arguments[4]}, stated);
    }

    bool needs_more_than_first(VariableNumber variable) {
        if (needs_more_.empty()) {
            used_.resize(program().variables.size());
            needs_more_.resize(program().variables.size());
            for (const auto& function : program().functions) note_uses(*function);
            for (const auto& function : program().functions) note_needs(*function);
        }
        return needs_more_[variable];
    }
    void note_uses(const Function& function) {
        for (const Block& block : function.blocks)
            for (const Binding& binding : block.bindings) note_uses(binding.value);
        note_uses(function.result);
    }
    void note_uses(const Expression& value) {
        if (value.is(Kind::Variable)) used_[value.index] = true;
        for (const Expression& operand : value.operands) note_uses(operand);
        for (const auto& inner : value.functions) note_uses(*inner);
    }
    /// TVM names each field of a tuple, whether it is used or not.
    void note_needs(const Function& function) {
        for (const Block& block : function.blocks)
            for (const Binding& binding : block.bindings)
                if (!binding.value.is(Kind::Projection) || binding.variable == kNone || used_[binding.variable])
                    note_needs(binding.value);
        note_needs(function.result);
    }
    void note_needs(const Expression& value) {
        if (value.is(Kind::Variable)) needs_more_[value.index] = true;
        const bool is_first = value.is(Kind::Projection) && value.index == 0 && value.operands[0].is(Kind::Variable);
        if (is_first) return;
        for (const Expression& operand : value.operands) note_needs(operand);
        for (const auto& inner : value.functions) note_needs(*inner);
    }

    ExprId reshaped(ExprId of, const std::vector<int64_t>& shape) {
        AttributeValue::List sizes;
        for (int64_t size : shape) sizes.push_back(int(size));
        const std::vector<AttributeValue> values{AttributeValue(std::move(sizes))};
        const std::vector<int> ranks{1};
        std::optional<EngineCall> call = engine_call("reshape", ranks, values, {});
        const TypeId type = module_.types().tensor(module_.types().dtype(module_.type(of)), shape);
        return module_.add_call(module_.add_op(call->op), {of}, module_.add_attributes(std::move(call->attributes)),
                                type);
    }

    /// Whether an inferred type says nothing else than the annotation; sizes may be unknown on one side only.
    bool agrees(TypeId inferred, TypeId stated) const {
        const TypeTable& types = module_.types();
        if (inferred == stated) return true;
        if (types.is_tuple(inferred) && types.is_tuple(stated) &&
            types.parts(inferred).size() == types.parts(stated).size()) {
            for (size_t i = 0; i < types.parts(inferred).size(); ++i)
                if (!agrees(types.parts(inferred)[i], types.parts(stated)[i])) return false;
            return true;
        }
        if (!types.is_tensor(inferred) || !types.is_tensor(stated) || types.dtype(inferred) != types.dtype(stated))
            return false;
        const std::span<const int64_t> a = types.shape(inferred), b = types.shape(stated);
        return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                          [](int64_t x, int64_t y) { return x == y || x == kDynamicDim || y == kDynamicDim; });
    }

    // ---- operators that the engine does not know

    ExprId opaque(const std::string& name, std::vector<ExprId> arguments, TypeId type,
                  const std::string& attributes_text, bool = false) {
        if (arguments.empty()) arguments.push_back(module_.add_tuple({}, module_.types().tuple({})));
        ForeignCall foreign{name, "relax", 1, {}, {}, {}};
        if (!attributes_text.empty()) {
            const nlohmann::ordered_json attributes = nlohmann::ordered_json::parse(attributes_text);
            for (const auto& [field, value] : attributes.items())
                foreign.attributes.emplace_back(field, attribute_of_json(value));
        }
        tensors_of(type, foreign.results);
        const std::vector<TypeId>& flat = foreign.results;
        const TypeId made_type = flat.size() == 1 ? flat.front() : module_.types().tuple(flat);
        const ExprId call = add_foreign_call(module_, foreign, arguments);
        if (made_type == type) return call;
        size_t next = 0;
        return rebuilt(call, type, flat.size(), next);
    }

    void tensors_of(TypeId type, std::vector<TypeId>& tensors) const {
        if (!module_.types().is_tuple(type)) return tensors.push_back(type);
        for (TypeId field : module_.types().parts(type)) tensors_of(field, tensors);
    }

    /// A tuple inside a tuple, of the flat tuple that the call makes. Types nest as deep as the reader allows.
    ExprId rebuilt(ExprId call, TypeId type, size_t count, size_t& next) {
        if (!module_.types().is_tuple(type))
            return count == 1 ? call : module_.add_projection(call, uint32_t(next++), type);
        std::vector<ExprId> fields;
        const std::vector<TypeId> parts(module_.types().parts(type).begin(), module_.types().parts(type).end());
        for (TypeId field : parts) fields.push_back(rebuilt(call, field, count, next));
        return module_.add_tuple(fields, type);
    }

    // ---- the graph

    /// A binding that became several calls is one node: the last of them, which takes what the others take.
    void drop_helpers(Graph& graph) {
        if (helper_calls_.empty()) return;
        std::vector<PlainNode> nodes;
        std::vector<GraphValueId> taken;
        std::vector<bool> is_inner(graph.values.size());
        for (PlainNode& node : graph.nodes) {
            const bool is_helper = helper_calls_.count(node.expression) > 0;
            taken.insert(taken.end(), node.inputs.begin(), node.inputs.end());
            if (is_helper)
                for (GraphValueId output : node.outputs) is_inner[output.value] = true;
            if (is_helper) continue;
            if (std::erase_if(taken, [&](GraphValueId input) { return is_inner[input.value]; }) > 0)
                graph.values[node.outputs[0].value].name = node.name;
            node.inputs = std::exchange(taken, {});
            nodes.push_back(std::move(node));
        }
        graph.nodes = std::move(nodes);
        std::vector<GraphValueId> place(graph.values.size());
        std::vector<PlainValue> values;
        for (uint32_t i = 0; i < place.size(); ++i) {
            place[i] = GraphValueId(uint32_t(values.size()));
            if (!is_inner[i]) values.push_back(std::move(graph.values[i]));
        }
        graph.values = std::move(values);
        for (PlainNode& node : graph.nodes)
            for (auto* ids : {&node.inputs, &node.outputs})
                for (GraphValueId& id : *ids) id = place[id.value];
        for (auto* ids : {&graph.inputs, &graph.outputs})
            for (GraphValueId& id : *ids) id = place[id.value];
    }

    /// Nodes have the operators and attributes of the text.
    void name_nodes(Graph& graph) {
        std::unordered_map<ExprId, NodeId> node_of;
        for (uint32_t i = 0; i < graph.nodes.size(); ++i) node_of.emplace(graph.nodes[i].expression, NodeId(i));
        text_->nodes.resize(program().bindings);
        for (const auto& function : program().functions)
            for (const Block& block : function->blocks) {
                NodeFrame frame{"dataflow", {}};
                for (const Binding& binding : block.bindings)
                    if (name_node(graph, binding, node_of)) frame.nodes.push_back(text_->nodes[binding.source]);
                const bool has_border = !frame.nodes.empty() && frame.nodes.size() < graph.nodes.size();
                if (block.is_dataflow && has_border) graph.frames.push_back(std::move(frame));
            }
        graph.relax = text_;
    }

    /// Returns whether the binding is a node.
    bool name_node(Graph& graph, const Binding& binding, const std::unordered_map<ExprId, NodeId>& node_of) {
        const auto found = node_of.find(text_->expressions[binding.source]);
        if (found == node_of.end() || !(binding.value.is(Kind::Call) || binding.value.is(Kind::If))) return false;
        text_->nodes[binding.source] = found->second;
        PlainNode& node = graph.nodes[found->second.value];
        if (!binding.value.is_call_of(Kind::Operator)) return true;
        node.op = binding.value.operands[0].text;
        nlohmann::ordered_json attributes = nlohmann::ordered_json::object();
        for (const Keyword& keyword : binding.value.keywords)
            if (keyword.types.empty()) attributes[keyword.name] = keyword_json(keyword);
        node.attributes = attributes.empty() ? "" : json_text(attributes);
        return true;
    }

    static constexpr size_t kMostNotes = 100;

    std::shared_ptr<Text> text_;
    Module module_;
    MadeModule made_;
    std::unordered_map<std::string_view, const Function*> functions_;  ///< by name
    std::unordered_set<const Function*> active_, copied_;
    std::vector<ExprId> of_variable_;
    std::vector<const Function*> local_;                   ///< by variable: the function that it names
    std::vector<TypeId> types_;                            ///< by TypeNumber
    std::map<std::string, std::vector<TypeId>> finished_;  ///< regions of RunCodegen: result and parameters
    std::vector<ExprId> helpers_;                          ///< further calls that the binding became
    std::unordered_set<ExprId> helper_calls_;
    const Binding* binding_ = nullptr;  ///< that is made
    ExprId node_;                       ///< what it is in the graph, where that is not its value
    std::vector<bool> used_;            ///< by variable: anywhere
    std::vector<bool> needs_more_;      ///< by variable: of a tuple more is used than its first field
    std::string within_;                ///< the function around, before the names of its bindings
    std::unordered_map<uint32_t, ExprId> constants_;
    size_t expressions_ = 0;
};

}  // namespace

KnownTensor known_tensor(const Type& type) {
    KnownTensor known;
    known.dtype = type.text;
    switch (type.kind) {
        case Type::Kind::Tensor:
            known.has_shape = type.has_dims;
            for (const std::string& dim : type.dims)
                known.shape.push_back(is_number(dim) && dim.size() < 19 ? int64_t(number_at_start(dim)) : kDynamicDim);
            if (!type.has_dims) known.shape.assign(size_t(std::max(type.rank, 1)), kDynamicDim);
            if (!type.has_dims && type.rank == 0) known.shape.clear();
            break;
        case Type::Kind::Shape:
            known.dtype = "int64";
            known.shape = {type.has_dims ? int64_t(type.dims.size()) : int64_t(type.rank)};
            break;
        case Type::Kind::Prim: break;
        default: known.dtype = "int64"; break;
    }
    return known;
}

Result<MadeModule> make_module(Program program) {
    try {
        ModuleMaker maker(std::move(program));
        MadeModule made = maker.make();
        made.graph = maker.graph_of(made.module);
        return made;
    } catch (const SyntaxError& fault) {
        return error(fault.message, fault.position);
    }
}

}  // namespace partita::relax
