#include "engine/frontends/relax/printer.h"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "engine/support/number_text.h"

namespace partita::relax {

namespace {

using Kind = Expression::Kind;

class Printer {
public:
    /// `canonical`: variables are numbered in the order of their definitions.
    Printer(const Program& program, bool canonical) : program_(program), canonical_(canonical) {}

    std::string module() {
        for (const std::string& line : program_.declarations) out_ += "    " + line + "\n";
        for (const auto& [name, text] : program_.prim_funcs) add_indented(text);
        for (const auto& function : in_order()) {
            names_.clear();
            next_.clear();
            taken_ = {"cls", "R", "T", "I", "metadata", program_.name};
            print_function(*function, 4, function->name, {});
            out_ += '\n';
        }
        if (program_.metadata.empty() && left_out_)
            out_ += "# Metadata omitted. Use show_meta=True in script() method to show it.\n";
        return head() + out_;
    }

    std::string structure(const Function& function) {
        print_function(function, 0, "f", {});
        return std::move(out_);
    }

    std::string type(TypeNumber number, bool quotes) const {
        if (number == kNone) return program_.dialect == Dialect::A ? "R.Object" : "R.Any";
        const Type& type = program_.types[number];
        switch (type.kind) {
            case Type::Kind::Tensor: return tensor(type, quotes);
            case Type::Kind::Shape:
                if (type.has_dims) return "R.Shape([" + dims(type, quotes) + "])";
                return type.rank < 0 ? "R.Shape" : "R.Shape(ndim=" + std::to_string(type.rank) + ")";
            case Type::Kind::Tuple: return tuple(type, quotes);
            case Type::Kind::Object: return program_.dialect == Dialect::A ? "R.Object" : "R.Any";
            case Type::Kind::Prim:
                if (!type.dims.empty()) return "R.Prim(value=" + dims(type, quotes) + ")";
                return program_.dialect == Dialect::A ? "R.Prim(\"" + type.text + "\")" : "T." + type.text;
            case Type::Kind::Callable: return "R.Callable" + type.text;
        }
        return {};
    }

private:
    void add_indented(const std::string& text) {
        for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
            end = text.find('\n', begin);
            if (end > begin) out_ += "    " + text.substr(begin, end - begin);
            out_ += '\n';
        }
        out_ += '\n';
    }

    /// As TVM: main is the last, the others by name.
    std::vector<std::shared_ptr<const Function>> in_order() const {
        std::vector<std::shared_ptr<const Function>> order = program_.functions;
        std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
            return std::pair(a->name == "main", a->name) < std::pair(b->name == "main", b->name);
        });
        return order;
    }

    /// What stands in front, by what the rest needs.
    std::string head() const {
        std::string text = "# from tvm.script import ir as I\n";
        if (out_.find("T.") != std::string::npos) text += "# from tvm.script import tir as T\n";
        text += "# from tvm.script import relax as R\n\n";
        if (!program_.metadata.empty()) {
            const std::string quotes = program_.metadata.find("\"\"\"") == std::string::npos ? "\"\"\"" : "'''";
            text += "metadata = tvm.ir.load_json(" + quotes + program_.metadata + quotes + ")\n";
        }
        if (program_.dialect == Dialect::C)
            for (const std::string& name : program_.symbols) text += name + " = TypeVar(\"" + name + "\")\n";
        text += "@I.ir_module\nclass " + program_.name + ":\n";
        return text;
    }

    std::string dims(const Type& type, bool quotes) const {
        std::string text;
        for (const std::string& dim : type.dims) {
            text += text.empty() ? "" : ", ";
            const bool in_quotes = quotes && program_.dialect != Dialect::C && !is_number(dim);
            text += in_quotes ? python_quoted(dim) : dim;
        }
        return text;
    }

    std::string tensor(const Type& type, bool quotes) const {
        std::vector<std::string> parts;
        if (type.has_dims) parts.push_back("(" + dims(type, quotes) + (type.dims.size() == 1 ? ",)" : ")"));
        const std::string rank = "ndim=" + std::to_string(type.rank);
        const bool has_rank = !type.has_dims && type.rank >= 0;
        if (has_rank && program_.dialect == Dialect::A) parts.push_back(rank);
        if (!type.text.empty()) parts.push_back("dtype=\"" + type.text + "\"");
        if (has_rank && program_.dialect != Dialect::A) parts.push_back(rank);
        if (!type.device.empty()) parts.push_back("vdevice=" + type.device);
        std::string text;
        for (const std::string& part : parts) text += (text.empty() ? "(" : ", ") + part;
        return "R.Tensor" + (text.empty() ? text : text + ")");
    }

    std::string tuple(const Type& type, bool quotes) const {
        if (type.fields.empty()) return type.text.empty() ? "R.Tuple" : "R.Tuple()";
        return "R.Tuple(" + list(type.fields, [&](TypeNumber field) { return this->type(field, quotes); }) + ")";
    }

    template <class List, class Text>
    static std::string list(const List& items, Text text_of) {
        std::string text;
        for (const auto& item : items) text += (text.empty() ? "" : ", ") + text_of(item);
        return text;
    }

    std::string define(VariableNumber variable) {
        const std::string hint = canonical_ ? "v" + std::to_string(names_.size()) : program_.variables[variable].name;
        std::string name = hint;
        for (uint32_t& next = next_[hint]; !taken_.insert(name).second;) name = hint + "_" + std::to_string(++next);
        return names_[variable] = name;
    }

    std::string name_of(VariableNumber variable) const {
        const auto found = names_.find(variable);
        return found == names_.end() ? program_.variables[variable].name : found->second;
    }

    void line(int indent, const std::string& text) { out_ += std::string(size_t(indent), ' ') + text + "\n"; }

    /// `outer`: symbolic names that a function around this one has.
    void print_function(const Function& function, int indent, const std::string& name, std::set<std::string> outer) {
        std::string flags = function.is_pure ? "" : "pure=False";
        if (function.is_private) flags += flags.empty() ? "private=True" : ", private=True";
        line(indent, "@R.function" + (flags.empty() ? flags : "(" + flags + ")"));
        const std::string parameters = list(function.parameters, [&](VariableNumber parameter) {
            return define(parameter) + ": " + type(program_.variables[parameter].type, true);
        });
        const std::string result =
            function.result_type == kNone ? std::string() : " -> " + type(function.result_type, true);
        line(indent, "def " + name + "(" + parameters + ")" + result + ":");
        indent += 4;
        if (program_.dialect != Dialect::C)
            for (const std::string& symbol : symbols_in(function))
                if (outer.insert(symbol).second) line(indent, symbol + " = T.int64()");
        if (!function.attributes.empty()) {
            Attributes sorted = function.attributes;
            std::sort(sorted.begin(), sorted.end());
            line(indent, "R.func_attr({" + list(sorted, [](const auto& attribute) {
                             return "\"" + attribute.first + "\": " + attribute.second;
                         }) + "})");
        }
        if (!canonical_ && indent == 8 && uses_globals(function)) line(indent, "cls = " + program_.name);
        print_blocks(function, indent, outer);
        line(indent, "return " + expression(function.result, true));
    }

    /// In the order of their first use in types and shapes, without those of functions inside.
    std::vector<std::string> symbols_in(const Function& function) const {
        std::vector<std::string> found;
        std::set<std::string> seen;
        const auto add = [&](std::string_view dimension) {
            for (std::string& name : symbols_of(dimension))
                if (seen.insert(name).second) found.push_back(std::move(name));
        };
        std::vector<TypeNumber> open;
        for (VariableNumber parameter : function.parameters) open.push_back(program_.variables[parameter].type);
        open.push_back(function.result_type);
        for (const Block& block : function.blocks)
            for (const Binding& binding : block.bindings) {
                if (binding.variable != kNone) open.push_back(program_.variables[binding.variable].type);
                for (const Keyword& keyword : binding.value.keywords)
                    open.insert(open.end(), keyword.types.begin(), keyword.types.end());
            }
        std::set<TypeNumber> done;
        for (size_t i = 0; i < open.size(); ++i) {
            if (open[i] == kNone || !done.insert(open[i]).second) continue;
            const Type& type = program_.types[open[i]];
            for (const std::string& dim : type.dims) add(dim);
            open.insert(open.end(), type.fields.begin(), type.fields.end());
        }
        return found;
    }

    static bool uses_globals(const Function& function) {
        const auto uses = [](const auto& self, const Expression& expression) -> bool {
            if (expression.is(Kind::Global)) return true;
            for (const auto& inner : expression.functions)
                if (uses_globals(*inner)) return true;
            return std::any_of(expression.operands.begin(), expression.operands.end(),
                               [&](const Expression& operand) { return self(self, operand); });
        };
        for (const Block& block : function.blocks)
            for (const Binding& binding : block.bindings)
                if (uses(uses, binding.value)) return true;
        return uses(uses, function.result);
    }

    void print_blocks(const Function& function, int indent, const std::set<std::string>& outer) {
        for (const Block& block : function.blocks) {
            if (block.is_dataflow) line(indent, "with R.dataflow():");
            const int inside = block.is_dataflow ? indent + 4 : indent;
            std::vector<VariableNumber> outputs;
            for (const Binding& binding : block.bindings) {
                print_binding(binding, inside, outer);
                if (block.is_dataflow && binding.variable != kNone && !program_.variables[binding.variable].is_dataflow)
                    outputs.push_back(binding.variable);
            }
            if (block.is_dataflow)
                line(inside, "R.output(" + list(outputs, [&](VariableNumber output) { return name_of(output); }) + ")");
        }
    }

    void print_binding(const Binding& binding, int indent, const std::set<std::string>& outer) {
        const Expression& value = binding.value;
        if (value.is(Kind::Function)) {
            out_ += canonical_ ? "" : "\n";
            print_function(*value.functions[0], indent, define(binding.variable), outer);
            out_ += canonical_ ? "" : "\n";
            return;
        }
        if (value.is(Kind::If)) return print_if(binding, indent, outer);
        std::string text = expression(value, false);
        if (binding.is_cast)
            text = "R.match_cast(" + text + ", " + type(program_.variables[binding.variable].type, false) + ")";
        line(indent, binding.variable == kNone ? text : left_side(binding) + " = " + text);
    }

    /// The type is left out where the value states the same, as TVM does.
    std::string left_side(const Binding& binding) {
        const TypeNumber number = program_.variables[binding.variable].type;
        const std::string name = define(binding.variable), stated = type(number, false);
        const auto states = [&](const Keyword& keyword) {
            const bool is_result = keyword.name == "out_sinfo" || keyword.name == "out_ty";
            return is_result && !keyword.types.empty() && stated == type_of_list(keyword);
        };
        const std::vector<Keyword>& keywords = binding.value.keywords;
        const bool left_out = number == kNone || std::any_of(keywords.begin(), keywords.end(), states);
        return left_out ? name : name + ": " + stated;
    }

    /// The type of a result of which a keyword lists the parts.
    std::string type_of_list(const Keyword& keyword) const {
        if (!keyword.is_list) return type(keyword.types.front(), false);
        return "R.Tuple(" + list(keyword.types, [&](TypeNumber part) { return type(part, false); }) + ")";
    }

    void print_if(const Binding& binding, int indent, const std::set<std::string>& outer) {
        const std::string left = left_side(binding);
        for (size_t i = 0; i < 2; ++i) {
            line(indent, i == 0 ? "if " + expression(binding.value.operands[0], true) + ":" : "else:");
            print_blocks(*binding.value.functions[i], indent + 4, outer);
            line(indent + 4, left + " = " + expression(binding.value.functions[i]->result, false));
        }
    }

    /// `brackets`: a tuple stands in brackets; on the right of '=' it does not.
    std::string expression(const Expression& value, bool brackets) {
        const auto inner = [&](const Expression& operand) { return expression(operand, true); };
        switch (value.kind) {
            case Kind::Variable: return name_of(value.index);
            case Kind::Constant: return constant(value.index);
            case Kind::Global: return canonical_ ? "@" + value.text : "cls." + value.text;
            case Kind::Operator: return "R." + value.text.substr(value.text.find('.') + 1);
            case Kind::Tuple: {
                if (value.operands.empty()) return "R.tuple()";
                const std::string fields = list(value.operands, inner);
                if (value.operands.size() == 1) return "(" + fields + ",)";
                return brackets ? "(" + fields + ")" : fields;
            }
            case Kind::Projection: return inner(value.operands[0]) + "[" + std::to_string(value.index) + "]";
            case Kind::Call: return call(value);
            default: return value.text;
        }
    }

    std::string call(const Expression& value) {
        std::vector<std::string> parts;
        for (size_t i = 1; i < value.operands.size(); ++i) parts.push_back(expression(value.operands[i], true));
        for (const Keyword& keyword : value.keywords) {
            std::string text = keyword.text;
            if (!keyword.types.empty() || keyword.is_list) {
                text = list(keyword.types, [&](TypeNumber number) { return type(number, false); });
                if (keyword.name.ends_with("_args")) text = text.empty() ? "()" : "(" + text + ",)";
                else if (keyword.is_list) text = "[" + text + "]";
            }
            parts.push_back(keyword.name + "=" + text);
        }
        return expression(value.operands[0], true) + "(" + list(parts, [](const std::string& part) { return part; }) +
               ")";
    }

    std::string constant(uint32_t index) {
        const Constant& constant = program_.constants[index];
        if (constant.is_literal) {
            const std::string value = constant.value.dtype() == kBool ? (constant.value.at(0) != 0 ? "True" : "False")
                                      : constant.value.dtype().is_float() ? python_float(constant.value)
                                                                          : general_text(constant.value.at(0), 17);
            return "R.const(" + value + ", \"" + constant.value.dtype().to_string() + "\")";
        }
        left_out_ = true;
        return "metadata[\"relax.expr.Constant\"][" + std::to_string(constant.number) + "]";
    }

    static std::string python_float(const Tensor& value) {
        std::string text = general_text(value.at(0), value.dtype().bits > 32 ? 17 : 9);
        if (text.find_first_of(".en") == std::string::npos) text += ".0";
        return text;
    }

    const Program& program_;
    const bool canonical_;
    std::string out_;
    bool left_out_ = false;  ///< a constant of the metadata is named
    std::unordered_map<VariableNumber, std::string> names_;
    std::unordered_set<std::string> taken_;
    std::unordered_map<std::string, uint32_t> next_;
};

}  // namespace

std::string print(const Program& program) { return Printer(program, false).module(); }

std::string type_text(const Program& program, TypeNumber type, bool quotes) {
    return Printer(program, false).type(type, quotes);
}

std::string structure_of(const Program& program, const Function& function) {
    return Printer(program, true).structure(function);
}

}  // namespace partita::relax
