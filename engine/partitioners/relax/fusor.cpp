#include "engine/partitioners/relax/fusor.h"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/frontends/relax/printer.h"

namespace partita::relax {

namespace {

using Kind = Expression::Kind;

Expression variable(VariableNumber number) {
    Expression expression;
    expression.kind = Kind::Variable;
    expression.index = number;
    return expression;
}

Expression projection(Expression tuple, uint32_t field) {
    Expression expression;
    expression.kind = Kind::Projection;
    expression.index = field;
    expression.operands.push_back(std::move(tuple));
    return expression;
}

/// Symbolic dimensions that a program's types and texts name, in order.
class Symbols {
public:
    explicit Symbols(const Program& program) : program_(program) {}

    void add_text(std::string_view text) {
        if (!text.starts_with('"'))
            for (std::string& name : symbols_of(text)) add(std::move(name));
    }
    void add_type(TypeNumber number) {
        if (number == kNone) return;
        const Type& type = program_.types[number];
        for (const std::string& dim : type.dims) add_text(dim);
        for (TypeNumber field : type.fields) add_type(field);
    }
    void add_expression(const Expression& expression) {
        if (expression.is(Kind::Text)) add_text(expression.text);
        for (const Keyword& keyword : expression.keywords) {
            if (keyword.text.starts_with("R.shape")) add_text(keyword.text);
            for (TypeNumber type : keyword.types) add_type(type);
        }
        for (const Expression& operand : expression.operands) add_expression(operand);
    }
    std::vector<std::string> found;

private:
    void add(std::string name) {
        static const std::set<std::string, std::less<>> kWords{"True", "False", "None", "R", "T"};
        if (!kWords.count(name) && seen_.insert(name).second) found.push_back(std::move(name));
    }
    const Program& program_;
    std::set<std::string> seen_;
};

/// A function of one group.
class FunctionMaker {
public:
    FunctionMaker(Rewriting& rewriting, bool lifts_constants, bool version_26,
                  const std::unordered_map<VariableNumber, const Binding*>& outer)
        : rewriting_(rewriting), outer_(outer), lifts_constants_(lifts_constants), version_26_(version_26) {}

    std::string name = "fused";
    std::vector<const Binding*> bindings;
    std::vector<VariableNumber> outputs;
    std::unordered_map<VariableNumber, uint32_t> place_of_output;
    std::vector<Expression> arguments;

    void append(const Binding& binding) {
        const Expression& value = binding.value;
        if (value.is(Kind::Call)) append_call(value);
        else if (value.is(Kind::Projection)) append_projection(value);
        if (binding.variable != kNone) {
            defined_.insert(binding.variable);
            if (!program().variables[binding.variable].is_dataflow) add_output(binding.variable);
        }
        bindings.push_back(&binding);
    }

    void add_output(VariableNumber output) {
        if (place_of_output.emplace(output, uint32_t(outputs.size())).second) outputs.push_back(output);
    }

    /// To be called once, when all bindings and outputs are known; there must be an output.
    Function make(Attributes attributes) {
        expand_tuples();
        Function function;
        function.is_private = true;
        function.attributes = std::move(attributes);
        function.attributes.emplace_back("Primitive", program().dialect == Dialect::A ? "1" : "True");
        function.parameters = parameters_;
        function.blocks.emplace_back();
        function.blocks[0].is_dataflow = true;
        for (const Binding* binding : bindings) add_body(*binding, function.blocks[0]);
        finish(function);
        return function;
    }

private:
    const Program& program() const { return rewriting_.program; }

    void append_call(const Expression& call) {
        const Expression& callee = call.operands[0];
        if (callee.is(Kind::Operator) && (callee.text == "relax.call_tir" || callee.text == "relax.call_tir_inplace")) {
            name += "_" + call.operands[1].text;
            if (call.operands.size() > 2)
                for (const Expression& field : call.operands[2].operands) need(field);
            return;
        }
        if (callee.is(Kind::Operator)) name += "_" + callee.text;
        if (callee.is(Kind::Global))
            name += "_" + (callee.text.starts_with("fused_") ? callee.text.substr(6) : callee.text);
        for (size_t i = 1; i < call.operands.size(); ++i) {
            const Expression& argument = call.operands[i];
            if (!argument.is(Kind::Tuple)) need(argument);
            else if (is_one_parameter(argument)) add_parameter(argument, "param_" + std::to_string(unnamed_++));
            else
                for (const Expression& field : argument.operands) need(field);
            if (argument.is(Kind::Variable)) partly_used_.erase(argument.index);
        }
    }

    /// Up to v0.25 a tuple among the arguments is a parameter; later its fields are.
    bool is_one_parameter(const Expression& tuple) const {
        return !version_26_ && !is_static(tuple) &&
               std::none_of(tuple.operands.begin(), tuple.operands.end(), [&](const Expression& field) {
                   return !field.operands.empty() || (field.is(Kind::Variable) && defined_.count(field.index));
               });
    }

    void add_parameter(const Expression& expression, const std::string& hint) {
        parameters_.push_back(rewriting_.program.add_variable(hint, type_of(expression)));
        places_.emplace(key_of(expression), arguments.size());
        arguments.push_back(expression);
    }

    void append_projection(const Expression& value) {
        need(value.operands[0]);
        if (!value.operands[0].is(Kind::Variable)) return;
        const auto found = partly_used_.find(value.operands[0].index);
        if (found != partly_used_.end()) found->second.push_back(value.index);
    }

    bool is_static(const Expression& expression) const {
        if (expression.is(Kind::Tuple))
            return std::all_of(expression.operands.begin(), expression.operands.end(),
                               [&](const Expression& field) { return is_static(field); });
        if (!expression.is(Kind::Text)) return false;
        Symbols symbols(program());
        symbols.add_text(expression.text);
        return symbols.found.empty();
    }

    /// Makes a parameter of what is not defined inside.
    void need(const Expression& expression) {
        if (expression.is(Kind::Global)) return;
        if (argument_of(expression)) return;
        const bool is_variable = expression.is(Kind::Variable);
        if (is_variable && (defined_.count(expression.index) || is_inlined(expression.index))) return;
        if (expression.is(Kind::Constant) && !lifts_constants_) return;
        const std::string hint =
            is_variable ? program().variables[expression.index].name : "param_" + std::to_string(unnamed_++);
        if (is_static(expression)) return;
        add_parameter(expression, hint);
        const TypeNumber type = type_of(expression);
        if (is_variable && type != kNone && program().types[type].kind == Type::Kind::Tuple)
            partly_used_[expression.index] = {};
    }

    static std::string key_of(const Expression& expression) {
        // Two tuples are two arguments, though they have the same fields.
        if (expression.is(Kind::Tuple)) return "t" + std::to_string(reinterpret_cast<uintptr_t>(&expression));
        return char('0' + int(expression.kind)) + std::to_string(expression.index) + expression.text;
    }

    /// Returns its place in `arguments`, if it is one.
    std::optional<size_t> argument_of(const Expression& expression) const {
        if (!expression.operands.empty() && !expression.is(Kind::Tuple)) return {};
        const auto found = places_.find(key_of(expression));
        return found == places_.end() ? std::nullopt : std::optional(found->second);
    }

    bool is_inlined(VariableNumber number) {
        if (!version_26_) return false;
        for (auto found = outer_.find(number); found != outer_.end();) {
            const Expression& value = found->second->value;
            if (value.is(Kind::Variable)) {
                found = outer_.find(value.index);
                continue;
            }
            if (is_static(value)) inlined_.emplace(number, value);
            return is_static(value);
        }
        return false;
    }

    TypeNumber type_of(const Expression& expression) {
        if (expression.is(Kind::Tuple)) {
            Type tuple;
            tuple.kind = Type::Kind::Tuple;
            for (const Expression& field : expression.operands) tuple.fields.push_back(type_of(field));
            return rewriting_.program.add_type(std::move(tuple));
        }
        if (expression.is(Kind::Constant)) return constant_type(program().constants[expression.index].value);
        if (!expression.is(Kind::Text)) return program().type_of(expression);
        Type type;
        type.kind = expression.text.starts_with("R.shape") ? Type::Kind::Shape : Type::Kind::Prim;
        type.text = "int64";
        if (type.kind == Type::Kind::Shape) {
            type.text.clear();
            type.has_dims = true;
            const size_t begin = expression.text.find('[') + 1;
            std::string_view rest = std::string_view(expression.text).substr(begin, expression.text.rfind(']') - begin);
            while (!rest.empty()) {
                const size_t comma = std::min(rest.find(", "), rest.size());
                type.dims.emplace_back(rest.substr(0, comma));
                rest.remove_prefix(std::min(comma + 2, rest.size()));
            }
        }
        return rewriting_.program.add_type(std::move(type));
    }

    TypeNumber constant_type(const Tensor& value) {
        if (!value.defined()) return kNone;
        Type type;
        type.kind = Type::Kind::Tensor;
        type.has_dims = true;
        type.text = value.dtype().to_string();
        for (int64_t size : value.shape()) type.dims.push_back(std::to_string(size));
        return rewriting_.program.add_type(std::move(type));
    }

    /// A tuple of which only fields are used: these become the parameters.
    void expand_tuples() {
        std::vector<size_t> after(arguments.size());  // where each argument stands when tuples are gone
        size_t more = 0;
        for (size_t i = 0; i < arguments.size(); ++i) {
            after[i] = i + more;
            const auto used =
                arguments[i].is(Kind::Variable) ? partly_used_.find(arguments[i].index) : partly_used_.end();
            if (used != partly_used_.end() && !used->second.empty()) more += used->second.size() - 1;
        }
        for (size_t i = 0; i < arguments.size(); ++i) {
            const auto used =
                arguments[i].is(Kind::Variable) ? partly_used_.find(arguments[i].index) : partly_used_.end();
            if (used == partly_used_.end() || used->second.empty()) continue;
            const VariableNumber tuple = arguments[i].index;
            const Type type = program().types[program().variables[tuple].type];
            const std::string hint = program().variables[parameters_[i]].name;
            std::vector<Expression> fields;
            std::vector<VariableNumber> field_parameters;
            for (uint32_t field : used->second) {
                if (field >= type.fields.size()) continue;
                fields.push_back(projection(variable(tuple), field));
                field_parameters.push_back(
                    rewriting_.program.add_variable(hint + "_" + std::to_string(field), type.fields[field]));
                fields_[{tuple, field}] = field_parameters.back();
            }
            const auto at = ptrdiff_t(i);
            i += fields.size();
            arguments.erase(arguments.begin() + at);
            arguments.insert(arguments.begin() + at, fields.begin(), fields.end());
            parameters_.erase(parameters_.begin() + at);
            parameters_.insert(parameters_.begin() + at, field_parameters.begin(), field_parameters.end());
            --i;
        }
        std::erase_if(places_, [](const auto& place) { return place.first[0] != 't'; });
        for (auto& [_, place] : places_) place = after[place];
        for (size_t i = 0; i < arguments.size(); ++i)
            if (arguments[i].operands.empty()) places_.emplace(key_of(arguments[i]), i);
    }

    void add_body(const Binding& binding, Block& block) {
        const Expression& value = binding.value;
        if (value.is(Kind::Projection) && value.operands[0].is(Kind::Variable)) {
            const auto field = fields_.find({value.operands[0].index, value.index});
            if (field != fields_.end()) {
                inside_[binding.variable] = field->second;
                return;
            }
        }
        Binding made = binding;
        made.value = inside(value);
        if (binding.variable != kNone) {
            const Variable& before = program().variables[binding.variable];
            const bool is_output = place_of_output.count(binding.variable) > 0;
            made.variable = rewriting_.program.add_variable(is_output ? "gv" : before.name, before.type, !is_output);
            inside_[binding.variable] = made.variable;
        }
        block.bindings.push_back(std::move(made));
    }

    /// The same in terms of the function's own variables.
    Expression inside(const Expression& expression) {
        if (const auto place = argument_of(expression)) return variable(parameters_[*place]);
        if (expression.is(Kind::Variable)) {
            if (const auto found = inlined_.find(expression.index); found != inlined_.end()) return found->second;
            const auto found = inside_.find(expression.index);
            return found == inside_.end() ? expression : variable(found->second);
        }
        Expression made = expression;
        for (size_t i = 0; i < made.operands.size(); ++i) made.operands[i] = inside(expression.operands[i]);
        return made;
    }

    void finish(Function& function) {
        std::vector<TypeNumber> types;
        for (VariableNumber output : outputs) {
            types.push_back(program().variables[output].type);
            function.result.operands.push_back(variable(inside_.at(output)));
        }
        if (outputs.size() == 1) {
            function.result_type = types[0];
            const Expression result = function.result.operands[0];
            function.result = result;
        } else {
            function.result.kind = Kind::Tuple;
            Type tuple;
            tuple.kind = Type::Kind::Tuple;
            tuple.fields = types;
            function.result_type = rewriting_.program.add_type(std::move(tuple));
        }
        add_symbols(function);
    }

    /// Symbolic sizes that no parameter's type states become a parameter of their own.
    void add_symbols(Function& function) {
        Symbols all(program());
        std::set<std::string> stated;
        for (VariableNumber parameter : function.parameters) {
            const TypeNumber type = program().variables[parameter].type;
            all.add_type(type);
            if (type == kNone) continue;
            for (const std::string& dim : program().types[type].dims) stated.insert(dim);
        }
        all.add_type(function.result_type);
        for (const Binding& binding : function.blocks[0].bindings) {
            all.add_expression(binding.value);
            if (binding.variable != kNone) all.add_type(program().variables[binding.variable].type);
        }
        Type type;
        type.kind = Type::Kind::Shape;
        type.has_dims = true;
        std::string text;
        for (const std::string& name : all.found)
            if (!stated.count(name)) {
                type.dims.push_back(name);
                text += (text.empty() ? "" : ", ") + name;
            }
        if (type.dims.empty()) return;
        function.parameters.push_back(
            rewriting_.program.add_variable("tir_vars", rewriting_.program.add_type(std::move(type))));
        Expression shape;
        shape.text = "R.shape([" + text + "])";
        arguments.push_back(std::move(shape));
    }

    Rewriting& rewriting_;
    const std::unordered_map<VariableNumber, const Binding*>& outer_;
    const bool lifts_constants_, version_26_;
    std::vector<VariableNumber> parameters_;
    std::unordered_map<std::string, size_t> places_;  ///< of arguments, by key
    std::set<VariableNumber> defined_;
    std::unordered_map<VariableNumber, Expression> inlined_;
    std::map<VariableNumber, std::vector<uint32_t>> partly_used_;
    std::map<std::pair<VariableNumber, uint32_t>, VariableNumber> fields_;
    std::unordered_map<VariableNumber, VariableNumber> inside_;
    uint32_t unnamed_ = 0;
};

/// One dataflow block.
class BlockFusor {
public:
    BlockFusor(Rewriting& rewriting, const Groups& groups, uint32_t first, const Block& block,
               std::unordered_map<VariableNumber, uint32_t>& place_of, bool lifts_constants, bool version_26,
               const std::unordered_map<VariableNumber, const Binding*>& outer)
        : rewriting_(rewriting), groups_(groups), first_(first), block_(block), place_of_(place_of),
          lifts_constants_(lifts_constants), version_26_(version_26), outer_(outer) {}

    Block run() {
        collect();
        note_uses();
        Block made;
        made.is_dataflow = true;
        for (uint32_t group : in_order())
            for (const Binding* binding : members_[group]) {
                const auto maker = makers_.find(group);
                if (maker == makers_.end()) made.bindings.push_back(*binding);
                else if (binding == members_[group].back() && !maker->second.outputs.empty())
                    add_call(made, group, maker->second);
            }
        return made;
    }

private:
    const Program& program() const { return rewriting_.program; }
    uint32_t group_at(uint32_t place) const { return groups_.of[place]; }

    void collect() {
        for (uint32_t i = 0; i < block_.bindings.size(); ++i) {
            const uint32_t group = group_at(first_ + i);
            members_[group].push_back(&block_.bindings[i]);
            order_.push_back(group);
            if (!groups_.becomes.count(group)) continue;
            makers_.try_emplace(group, rewriting_, lifts_constants_, version_26_, outer_)
                .first->second.append(block_.bindings[i]);
        }
    }

    /// What another group uses is an output; it also must come first.
    void note_uses() {
        for (uint32_t i = 0; i < block_.bindings.size(); ++i) {
            const uint32_t user = group_at(first_ + i);
            for_each_variable(block_.bindings[i].value, [&](VariableNumber used) {
                const auto place = place_of_.find(used);
                if (place == place_of_.end()) return;
                const uint32_t group = group_at(place->second);
                if (group == user || place->second < first_) return;
                needs_[user].push_back(group);
                if (const auto maker = makers_.find(group); maker != makers_.end()) maker->second.add_output(used);
            });
        }
    }

    /// Each group behind those that it needs, else in the order of the text.
    std::vector<uint32_t> in_order() {
        std::vector<uint32_t> order;
        std::unordered_map<uint32_t, size_t> next;
        std::vector<uint32_t> stack;
        for (uint32_t group : order_) {
            if (next.count(group)) continue;
            stack.push_back(group);
            next[group] = 0;
            while (!stack.empty()) {
                const uint32_t at = stack.back();
                const std::vector<uint32_t>& needs = needs_[at];
                size_t& index = next[at];
                if (index == needs.size()) {
                    order.push_back(at);
                    stack.pop_back();
                    continue;
                }
                const uint32_t needed = needs[index++];
                if (next.emplace(needed, 0).second) stack.push_back(needed);
            }
        }
        return order;
    }

    void add_call(Block& made, uint32_t group, FunctionMaker& maker) {
        std::vector<uint32_t> sources;
        for (const Binding* binding : maker.bindings)
            for (uint32_t source : rewriting_.sources_of(*binding)) sources.push_back(source);
        Function function = maker.make(groups_.becomes.at(group));
        const TypeNumber type = function.result_type;
        Binding call;
        call.position = maker.bindings.front()->position;
        call.source = rewriting_.add_part(std::move(sources));
        call.value.kind = Kind::Call;
        call.value.operands.emplace_back();
        call.value.operands[0].kind = Kind::Global;
        call.value.operands[0].text = rewriting_.add(std::move(function), maker.name);
        for (const Expression& argument : maker.arguments) call.value.operands.push_back(argument_of(argument, made));
        if (maker.outputs.size() == 1) {
            call.variable = maker.outputs[0];
            made.bindings.push_back(std::move(call));
            return;
        }
        const VariableNumber tuple = call.variable = rewriting_.program.add_variable("lv", type, true);
        made.bindings.push_back(std::move(call));
        for (const Binding* binding : maker.bindings) {
            const auto output = maker.place_of_output.find(binding->variable);
            if (output == maker.place_of_output.end()) continue;
            Binding field;
            field.variable = output->first;
            field.value = projection(variable(tuple), output->second);
            made.bindings.push_back(std::move(field));
        }
    }

    /// A field of a tuple is bound first, as TVM normalizes it.
    Expression argument_of(const Expression& argument, Block& made) {
        if (!argument.is(Kind::Projection)) return argument;
        Binding field;
        field.variable = rewriting_.program.add_variable("lv", program().type_of(argument), true);
        field.value = argument;
        made.bindings.push_back(field);
        return variable(field.variable);
    }

    Rewriting& rewriting_;
    const Groups& groups_;
    const uint32_t first_;
    const Block& block_;
    const std::unordered_map<VariableNumber, uint32_t>& place_of_;
    const bool lifts_constants_, version_26_;
    const std::unordered_map<VariableNumber, const Binding*>& outer_;
    std::vector<uint32_t> order_;
    std::unordered_map<uint32_t, std::vector<const Binding*>> members_;
    std::unordered_map<uint32_t, FunctionMaker> makers_;
    std::unordered_map<uint32_t, std::vector<uint32_t>> needs_;
};

bool may_be_shared(const Function& function) {
    return !function.attribute("Primitive").empty() || !function.attribute("Composite").empty() ||
           !function.attribute("Codegen").empty();
}

}  // namespace

Rewriting::Rewriting(Program made) : program(std::move(made)), first_part(program.bindings) {
    for (size_t i = 0; i < program.functions.size(); ++i) {
        const Function& function = *program.functions[i];
        index_[function.name] = i;
        if (!may_be_shared(function)) continue;
        const auto [found, is_new] = structures_.emplace(structure_of(program, function), function.name);
        if (!is_new) found->second = std::min(found->second, function.name);
    }
}

std::vector<uint32_t> Rewriting::sources_of(const Binding& binding) const {
    if (binding.source == kNone) return {};
    return binding.source < first_part ? std::vector<uint32_t>{binding.source} : parts[binding.source - first_part];
}

uint32_t Rewriting::add_part(std::vector<uint32_t> sources) {
    parts.push_back(std::move(sources));
    return first_part + uint32_t(parts.size() - 1);
}

std::string Rewriting::free_name(const std::string& hint) {
    std::string base = hint;
    std::replace(base.begin(), base.end(), '.', '_');
    const auto is_taken = [&](const std::string& name) {
        return index_.count(name) || std::any_of(program.prim_funcs.begin(), program.prim_funcs.end(),
                                                 [&](const auto& function) { return function.first == name; });
    };
    std::string name = base;
    for (uint32_t& next = next_number_[base]; is_taken(name);) name = base + std::to_string(++next);
    return name;
}

std::string Rewriting::add(Function function, const std::string& hint) {
    const auto [found, is_new] = structures_.emplace(structure_of(program, function), std::string());
    if (!is_new) return found->second;
    function.name = found->second = free_name(hint);
    index_[function.name] = program.functions.size();
    program.functions.push_back(shared(std::move(function)));
    return found->second;
}

void Rewriting::replace(size_t index, Function function) { program.functions[index] = shared(std::move(function)); }

void Rewriting::keep_only(const std::unordered_set<std::string>& names) {
    std::erase_if(program.functions, [&](const auto& function) { return !names.count(function->name); });
    std::erase_if(program.prim_funcs, [&](const auto& function) {
        return function.second.find("private=True") < function.second.find("def ") && !names.count(function.first);
    });
    index_.clear();
    for (size_t i = 0; i < program.functions.size(); ++i) index_[program.functions[i]->name] = i;
}

const Function* Rewriting::find(const std::string& name) const {
    const auto found = index_.find(name);
    return found == index_.end() ? nullptr : program.functions[found->second].get();
}

Function Rewriting::copied(const Function& function, std::unordered_map<VariableNumber, VariableNumber> renamed) {
    const auto renew = [&](VariableNumber number) {
        const Variable before = program.variables[number];
        return renamed[number] = program.add_variable(before.name, before.type, before.is_dataflow);
    };
    Function made = function;
    for (VariableNumber& parameter : made.parameters) parameter = renew(parameter);
    for (Block& block : made.blocks)
        for (Binding& binding : block.bindings) {
            binding.value = copied(binding.value, renamed);
            if (binding.variable != kNone) binding.variable = renew(binding.variable);
        }
    made.result = copied(made.result, renamed);
    return made;
}

Expression Rewriting::copied(const Expression& expression,
                             std::unordered_map<VariableNumber, VariableNumber>& renamed) {
    Expression made = expression;
    if (made.is(Kind::Variable))
        if (const auto found = renamed.find(made.index); found != renamed.end()) made.index = found->second;
    for (Expression& operand : made.operands) operand = copied(operand, renamed);
    for (auto& inner : made.functions) inner = shared(copied(*inner, renamed));
    return made;
}

Function fuse(Rewriting& rewriting, const Function& function, const Groups& groups, bool lifts_constants,
              bool version_26) {
    Function made = function;
    if (groups.becomes.empty()) return made;
    std::unordered_map<VariableNumber, uint32_t> place_of;
    std::unordered_map<VariableNumber, const Binding*> outer;
    uint32_t place = 0;
    for (const Block& block : function.blocks)
        for (const Binding& binding : block.bindings) {
            if (binding.variable != kNone) {
                place_of[binding.variable] = place;
                outer[binding.variable] = &binding;
            }
            ++place;
        }
    place = 0;
    for (size_t i = 0; i < function.blocks.size(); ++i) {
        const Block& block = function.blocks[i];
        if (block.is_dataflow)
            made.blocks[i] =
                BlockFusor(rewriting, groups, place, block, place_of, lifts_constants, version_26, outer).run();
        place += uint32_t(block.bindings.size());
    }
    return made;
}

}  // namespace partita::relax
