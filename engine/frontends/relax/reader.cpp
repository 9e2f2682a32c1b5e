#include "engine/frontends/relax/reader.h"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <unordered_set>

#include "engine/frontends/relax/metadata.h"
#include "engine/frontends/relax/type_reader.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"

namespace partita::relax {

namespace {

using Kind = Expression::Kind;

bool is_type_keyword(std::string_view name) {
    return name == "out_sinfo" || name == "out_ty" || name == "sinfo_args" || name == "ty_args";
}

class Reader : TypeReader {
public:
    Reader(std::string_view text, const CancelToken& cancel) : TypeReader(text), cancel_(cancel) {}

    Program read() {
        while (next().kind != Token::Kind::End) {
            if (next().is("from") || next().is("import")) skip_line();
            else if (next().is("metadata")) read_metadata();
            else if (next().is("@")) read_decorated();
            else if (next().kind == Token::Kind::Name && scanner_.after().is("=")) read_type_variable();
            else fail("expected @I.ir_module or @R.function");
        }
        if (program_.functions.empty()) fail("expected a function, @R.function");
        read_constants();
        return std::move(program_);
    }

private:
    // ---- the file

    void read_metadata() {
        take();
        expect("=");
        while (!next().is("(")) {
            if (next().kind == Token::Kind::LineEnd || next().kind == Token::Kind::End) fail("expected '('");
            take();
        }
        take();
        metadata_at_ = next().position;
        program_.metadata = std::string(expect_kind(Token::Kind::String, "the metadata as a string").text);
        expect(")");
        expect_line_end();
    }

    void read_type_variable() {
        const Token name = take();
        expect("=");
        if (!take_if("TypeVar")) fail_at(name, "expected @I.ir_module or @R.function, found " + in_quotes(name.text));
        program_.dialect = Dialect::C;
        add_symbol(std::string(name.text));
        skip_line();
    }

    void read_decorated() {
        const Token at = next();
        const Token owner = scanner_.after();
        if (owner.is("R")) return read_function_at(at);
        if (owner.is("T")) return read_prim_func();
        take();
        const std::string name = dotted();
        if (name != "I.ir_module" && name != "tvm.script.ir_module" && name != "ir_module")
            fail_at(owner, "expected I.ir_module, R.function or T.prim_func, found " + in_quotes(name));
        if (next().is("(")) text_in_brackets();
        expect_line_end();
        expect("class");
        program_.name = expect_name("the module's name");
        if (next().is("(")) text_in_brackets();
        expect(":");
        expect_line_end();
        const uint32_t outside = at.indent;
        while (next().kind != Token::Kind::End && next().indent > outside) read_member();
    }

    void read_member() {
        const Token owner = next().is("@") ? scanner_.after() : next();
        if (next().is("@") && owner.is("R")) return read_function_at(Token(next()));
        if (next().is("@") && owner.is("T")) return read_prim_func();
        const bool is_attribute = next().is("I") && scanner_.after().is(".");
        if (is_attribute || scanner_.after().is("=")) {
            std::string text;
            while (next().kind != Token::Kind::LineEnd && next().kind != Token::Kind::End) append(text, take());
            program_.declarations.push_back(std::move(text));
            return expect_line_end();
        }
        if (take_if("pass")) return expect_line_end();
        fail("expected @R.function, @T.prim_func or I.module_attrs");
    }

    /// Keeps the text, its first line unindented; what it says is not looked at.
    void read_prim_func() {
        const Token at = next();
        size_t end = at.offset;
        const auto pass_line = [&] {
            while (next().kind != Token::Kind::LineEnd && next().kind != Token::Kind::End) take();
            end = next().offset;
            expect_line_end();
        };
        pass_line();
        while (next().is("@")) pass_line();
        expect("def");
        std::string name = expect_name("the function's name");
        pass_line();
        while (next().kind != Token::Kind::End && next().indent > at.indent) pass_line();
        std::string text = moved_left(scanner_.text().substr(at.offset, end - at.offset), at.indent);
        program_.prim_funcs.emplace_back(std::move(name), std::move(text));
    }

    // ---- functions

    void read_function_at(const Token& at) {
        if (cancel_.cancelled()) fail_at(at, "cancelled");
        scope_.clear();
        undo_.clear();
        Function function = read_function();
        if (!function_names_.insert(function.name).second)
            fail_at(at, "the function " + in_quotes(function.name) + " stands twice");
        program_.functions.push_back(shared(std::move(function)));
    }

    /// From the decorator to the end of the body.
    Function read_function() {
        const Level level(*this);
        Function function;
        const Token at = take();
        function.position = at.position;
        if (const std::string name = dotted(); name != "R.function")
            fail_at(at, "expected @R.function, found " + in_quotes("@" + name));
        if (take_if("(")) {
            while (!take_if(")")) {
                const std::string flag = expect_name("pure=False or private=True");
                expect("=");
                const bool value = expect_name("True or False") == "True";
                if (flag == "pure") function.is_pure = value;
                if (flag == "private") function.is_private = value;
                if (!next().is(")")) expect(",");
            }
        }
        expect_line_end();
        expect("def");
        function.name = expect_name("the function's name");
        if (take_if("[")) {
            program_.dialect = Dialect::C;
            while (!take_if("]")) {
                add_symbol(expect_name("a symbolic dimension"));
                if (!next().is("]")) expect(",");
            }
        }
        read_parameters(function);
        if (take_if("->")) function.result_type = read_type();
        expect(":");
        expect_line_end();
        if (next().indent <= at.indent) fail("expected the function's body, indented");
        const uint32_t indent = next().indent;
        const std::string body_of = function.name;
        bool returned = false;
        while (next().kind != Token::Kind::End && next().indent > at.indent) {
            check_indent(indent);
            if (returned) fail("expected the function's end behind its return");
            returned = read_statement(function, false);
        }
        if (!returned) fail_at(at, "expected a return in the function " + in_quotes(body_of));
        return function;
    }

    void check_indent(uint32_t indent) {
        if (next().indent != indent) fail("expected a line with " + std::to_string(indent) + " blanks before it");
    }

    void read_parameters(Function& function) {
        expect("(");
        while (!take_if(")")) {
            const Token name = expect_kind(Token::Kind::Name, "a parameter");
            TypeNumber type = kNone;
            if (take_if(":")) type = read_type();
            function.parameters.push_back(define(std::string(name.text), type, false));
            if (!next().is(")")) expect(",");
        }
    }

    VariableNumber define(const std::string& name, TypeNumber type, bool is_dataflow) {
        check_free(name);
        if (type != kNone && program_.types[type].kind == Type::Kind::Shape)
            for (const std::string& dim : program_.types[type].dims)
                for (std::string& symbol : symbols_of(dim)) add_symbol(std::move(symbol));
        const VariableNumber variable = program_.add_variable(name, type, is_dataflow);
        const auto [found, is_new] = scope_.emplace(name, variable);
        undo_.emplace_back(name, is_new ? kNone : found->second);
        found->second = variable;
        return variable;
    }

    /// Forgets the names of a function or branch.
    void leave_scope(size_t mark) {
        for (; undo_.size() > mark; undo_.pop_back()) {
            if (undo_.back().second == kNone) scope_.erase(undo_.back().first);
            else scope_[undo_.back().first] = undo_.back().second;
        }
    }

    Block& block_of(Function& function, bool is_dataflow) {
        if (function.blocks.empty() || function.blocks.back().is_dataflow || is_dataflow) {
            function.blocks.emplace_back();
            function.blocks.back().is_dataflow = is_dataflow;
        }
        return function.blocks.back();
    }

    /// Returns whether it was a return.
    bool read_statement(Function& function, bool in_dataflow) {
        if (next().is("return")) {
            if (in_dataflow) fail("expected R.output(...) at the end of the dataflow block");
            take();
            function.result = read_values();
            expect_line_end();
            return true;
        }
        if (next().is("with")) {
            if (in_dataflow) fail("expected no dataflow block in another");
            read_dataflow(function);
        } else if (next().is("@")) {
            read_local_function(in_dataflow ? function.blocks.back() : block_of(function, false), in_dataflow);
        } else if (next().is("if")) {
            if (in_dataflow) fail("expected no 'if' in a dataflow block");
            read_if(block_of(function, false));
        } else if (next().is("R") && next_words("R.func_attr")) {
            expect("(");
            function.attributes = read_dictionary();
            expect(")");
            expect_line_end();
        } else if (next().is("pass")) {
            take();
            expect_line_end();
        } else {
            read_assignment(function, in_dataflow);
        }
        return false;
    }

    /// Takes the words if they are next.
    bool next_words(std::string_view dotted_name) {
        Scanner ahead = scanner_;
        std::string text;
        while (ahead.next().kind == Token::Kind::Name || ahead.next().is(".")) text += ahead.take().text;
        if (text != dotted_name) return false;
        scanner_ = ahead;
        return true;
    }

    void read_dataflow(Function& function) {
        const Token with = take();
        const Level level(*this);
        if (const std::string name = dotted(); name != "R.dataflow")
            fail_at(with, "expected 'with R.dataflow():', found " + in_quotes("with " + name));
        expect("(");
        expect(")");
        expect(":");
        expect_line_end();
        if (next().indent <= with.indent) fail("expected the block's bindings, indented");
        const uint32_t indent = next().indent;
        block_of(function, true);
        while (next().kind != Token::Kind::End && next().indent > with.indent) {
            check_indent(indent);
            if (!(next().is("R") && next_words("R.output"))) {
                read_statement(function, true);
                continue;
            }
            expect("(");
            while (!take_if(")")) {
                const Token name = expect_kind(Token::Kind::Name, "an output's name");
                program_.variables[variable_of(name)].is_dataflow = false;
                if (!next().is(")")) expect(",");
            }
            expect_line_end();
        }
    }

    void add_binding(Block& block, VariableNumber variable, Expression value, const Token& at, bool is_cast = false) {
        block.bindings.push_back({variable, std::move(value), is_cast, at.position, program_.bindings++});
    }

    void read_local_function(Block& block, bool in_dataflow) {
        const Token at = next();
        const size_t outer = undo_.size();
        Function function = read_function();
        leave_scope(outer);
        Expression value;
        value.kind = Kind::Function;
        const std::string name = function.name;
        value.functions.push_back(shared(std::move(function)));
        add_binding(block, define(name, kNone, in_dataflow), std::move(value), at);
    }

    void read_if(Block& block) {
        const Token at = take();
        const Level level(*this);
        Expression value;
        value.kind = Kind::If;
        value.operands.push_back(read_expression());
        std::string name;
        TypeNumber type = kNone;
        for (int branch = 0; branch < 2; ++branch) {
            if (branch == 1) {
                if (!next().is("else") || next().indent != at.indent) fail("expected the 'else' of the 'if'");
                take();
            }
            expect(":");
            expect_line_end();
            const size_t outer = undo_.size();
            Function made;
            made.position = at.position;
            if (next().indent <= at.indent) fail("expected the branch, indented");
            for (const uint32_t indent = next().indent; next().kind != Token::Kind::End && next().indent > at.indent;) {
                check_indent(indent);
                if (read_statement(made, false)) fail_at(at, "expected no return in a branch");
            }
            if (made.blocks.empty() || made.blocks.back().is_dataflow || made.blocks.back().bindings.empty() ||
                made.blocks.back().bindings.back().variable == kNone)
                fail("expected a binding as the last line of the branch");
            Binding last = std::move(made.blocks.back().bindings.back());
            made.blocks.back().bindings.pop_back();
            made.result = std::move(last.value);
            name = program_.variables[last.variable].name;
            type = program_.variables[last.variable].type;
            value.functions.push_back(shared(std::move(made)));
            leave_scope(outer);
        }
        add_binding(block, define(name, type, false), std::move(value), at);
    }

    void read_assignment(Function& function, bool in_dataflow) {
        const Token at = next();
        const Token behind = at.kind == Token::Kind::Name ? scanner_.after() : at;
        const bool binds = behind.is("=") || behind.is(":");
        if (!binds) {
            Expression value = read_values();
            if (!value.is(Kind::Call)) fail_at(at, "expected a statement: NAME: type = value");
            add_binding(in_dataflow ? function.blocks.back() : block_of(function, false), kNone, std::move(value), at);
            return expect_line_end();
        }
        const std::string name(take().text);
        TypeNumber type = kNone;
        if (take_if(":")) type = read_type();
        if (type != kNone && next().kind == Token::Kind::LineEnd)
            fail_at(at,
                    "expected a value for " + in_quotes(name) +
                        ": TVM prints a name alone where a module is not well formed, since it is used before it is "
                        "bound");
        expect("=");
        if (next().is("T") && read_symbol(name)) return;
        if (type == kNone && next().kind == Token::Kind::Name && next().text == program_.name) {
            const Token behind_module = scanner_.after();
            if (behind_module.kind == Token::Kind::LineEnd) {
                aliases_.insert(name);
                take();
                return expect_line_end();
            }
        }
        bool is_cast = false;
        Expression value;
        if (next().is("R") && next_words("R.match_cast")) {
            is_cast = true;
            expect("(");
            value = read_expression();
            expect(",");
            type = read_type();
            take_if(",");
            expect(")");
        } else {
            value = read_values();
        }
        expect_line_end();
        if (type == kNone) type = stated_type(value);
        const VariableNumber variable = define(name, type, in_dataflow);
        add_binding(in_dataflow ? function.blocks.back() : block_of(function, false), variable, std::move(value), at,
                    is_cast);
    }

    /// The type that a call of a PrimFunc or of a packed function states, or that what is bound has.
    TypeNumber stated_type(const Expression& value) {
        for (const Keyword& keyword : value.keywords) {
            if (keyword.types.empty()) continue;
            if (!keyword.is_list) return keyword.types.front();
            Type tuple;
            tuple.kind = Type::Kind::Tuple;
            tuple.fields = keyword.types;
            return program_.add_type(std::move(tuple));
        }
        return program_.type_of(value);
    }

    /// `n = T.int64()`
    bool read_symbol(const std::string& name) {
        if (!next_words("T.int64") && !next_words("T.int32") && !next_words("T.Var")) return false;
        if (next().is("(")) text_in_brackets();
        add_symbol(name);
        expect_line_end();
        return true;
    }

    // ---- expressions

    VariableNumber variable_of(const Token& name) const {
        const auto found = scope_.find(std::string(name.text));
        if (found == scope_.end()) fail_at(name, "expected a name that is bound before, found " + in_quotes(name.text));
        return found->second;
    }

    /// One, or a tuple without brackets.
    Expression read_values() {
        Expression first = read_expression();
        if (!next().is(",")) return first;
        Expression tuple;
        tuple.kind = Kind::Tuple;
        tuple.operands.push_back(std::move(first));
        while (take_if(","))
            if (next().kind != Token::Kind::LineEnd) tuple.operands.push_back(read_expression());
        return tuple;
    }

    static Expression text_of(std::string text) {
        Expression value;
        value.text = std::move(text);
        return value;
    }

    Expression read_expression() {
        const Level level(*this);
        const Token at = next();
        Expression value = read_primary();
        for (int suffixes = 0; next().is("[") || next().is("("); ++suffixes) {
            if (suffixes + depth_ > kDeepest) fail("brackets and functions are nested too deep");
            value = next().is("[") ? projection(std::move(value)) : call(std::move(value));
        }
        if (next().kind == Token::Kind::Symbol && is_arithmetic(next().text)) {
            const std::string text = canonical(scanner_.text().substr(at.offset, next().offset - at.offset), at);
            return text_of(arithmetic(canonical(text + " " + rest_of_item(), at), at));
        }
        return value;
    }

    Expression read_primary() {
        const Token at = next();
        if (take_if("(")) return brackets();
        if (at.kind == Token::Kind::Number || at.is("-") || at.is("T")) return text_of(arithmetic(rest_of_item(), at));
        if (at.kind == Token::Kind::String) {
            take();
            return text_of(quoted_as_is(at.text));
        }
        if (at.kind != Token::Kind::Name) fail("expected an expression");
        if (at.is("True") || at.is("False") || at.is("None")) return text_of(std::string(take().text));
        if (at.is("R")) return relax_expression();
        if (at.is("metadata")) return constant();
        const bool is_module = at.text == "cls" || at.text == program_.name || aliases_.count(std::string(at.text));
        if (is_module && scanner_.after().is(".")) {
            take();
            take();
            Expression global;
            global.kind = Kind::Global;
            global.text = expect_name("a function of the module");
            return global;
        }
        if (!scope_.count(std::string(at.text)) && symbols_.count(std::string(at.text)))
            return text_of(arithmetic(rest_of_item(), at));
        Expression variable;
        variable.kind = Kind::Variable;
        variable.index = variable_of(at);
        take();
        return variable;
    }

    Expression brackets() {
        Expression tuple;
        tuple.kind = Kind::Tuple;
        bool comma = false;
        while (!take_if(")")) {
            tuple.operands.push_back(read_expression());
            if (!next().is(")")) {
                expect(",");
                comma = true;
            }
        }
        if (tuple.operands.size() == 1 && !comma) {
            Expression inner = std::move(tuple.operands.front());
            return inner;
        }
        return tuple;
    }

    Expression projection(Expression tuple) {
        take();
        const Token number = expect_kind(Token::Kind::Number, "the number of a field");
        Expression value;
        value.kind = Kind::Projection;
        const auto [end, fault] =
            std::from_chars(number.text.data(), number.text.data() + number.text.size(), value.index);
        if (fault != std::errc() || end != number.text.data() + number.text.size())
            fail_at(number, "expected the number of a field, found " + in_quotes(number.text));
        expect("]");
        value.operands.push_back(std::move(tuple));
        return value;
    }

    Expression relax_expression() {
        const Token at = next();
        const std::string name = dotted();
        if (!name.starts_with("R.")) fail("expected an operator behind 'R'");
        if (name == "R.tuple" || name == "R.Tuple") {
            expect("(");
            Expression tuple = brackets();
            if (tuple.is(Kind::Tuple)) return tuple;
            Expression of_one;
            of_one.kind = Kind::Tuple;
            of_one.operands.push_back(std::move(tuple));
            return of_one;
        }
        if (name == "R.const") return literal(at);
        if (name == "R.shape" || name == "R.prim_value" || name == "R.str" || name == "R.dtype")
            return text_of(name + text_in_brackets());
        Expression callee;
        callee.kind = Kind::Operator;
        callee.text = "relax." + name.substr(2);
        if (!next().is("(")) fail("expected '(' behind the operator");
        return call(std::move(callee));
    }

    Expression literal(const Token& at) {
        expect("(");
        std::string value;
        while (next().is("-")) value += take().text;
        const Token number = take();
        if (number.kind != Token::Kind::Number && number.kind != Token::Kind::Name)
            fail_at(number, "expected a number, found " + in_quotes(number.text));
        value += number.text;
        std::string dtype = number.kind == Token::Kind::Name ? "bool" : "float32";
        if (take_if(",")) {
            if (take_if("dtype")) expect("=");
            dtype = std::string(expect_kind(Token::Kind::String, "an element type").text);
        }
        expect(")");
        const std::optional<DataType> type = DataType::parse(dtype);
        if (!type || type->is_void()) fail_at(at, "expected an element type, found " + in_quotes(dtype));
        Constant made;
        made.is_literal = true;
        made.value = Tensor(*type, {});
        const std::string_view digits = std::string_view(value).substr(value.starts_with('-'));
        const double magnitude = digits == "True" ? 1 : number_at_start(std::string(digits));
        made.value.set(0, value.starts_with('-') ? -magnitude : magnitude);
        program_.constants.push_back(std::move(made));
        Expression constant;
        constant.kind = Kind::Constant;
        constant.index = uint32_t(program_.constants.size() - 1);
        return constant;
    }

    /// metadata["relax.expr.Constant"][3]
    Expression constant() {
        take();
        expect("[");
        expect_kind(Token::Kind::String, "\"relax.expr.Constant\"");
        expect("]");
        Expression number = projection({});
        const auto [found, is_new] = constants_.emplace(number.index, uint32_t(program_.constants.size()));
        if (is_new) {
            program_.constants.emplace_back();
            program_.constants.back().number = number.index;
        }
        Expression constant;
        constant.kind = Kind::Constant;
        constant.index = found->second;
        return constant;
    }

    Expression call(Expression callee) {
        Expression value;
        value.kind = Kind::Call;
        value.operands.push_back(std::move(callee));
        expect("(");
        while (!take_if(")")) {
            const bool is_keyword = next().kind == Token::Kind::Name && scanner_.after().is("=");
            if (is_keyword) value.keywords.push_back(keyword());
            else value.operands.push_back(read_expression());
            if (!next().is(")")) expect(",");
        }
        return value;
    }

    Keyword keyword() {
        Keyword keyword;
        keyword.name = std::string(take().text);
        take();
        const bool is_later = keyword.name == "out_ty" || keyword.name == "ty_args";
        if (is_later && program_.dialect == Dialect::A) program_.dialect = Dialect::B;
        if (!is_type_keyword(keyword.name)) {
            keyword.text = rest_of_item();
            return keyword;
        }
        keyword.is_list = next().is("[") || next().is("(");
        if (!keyword.is_list) {
            keyword.types.push_back(read_type());
            return keyword;
        }
        const std::string_view end = next().is("[") ? "]" : ")";
        take();
        while (!take_if(end)) {
            keyword.types.push_back(read_type());
            if (!next().is(end)) expect(",");
        }
        return keyword;
    }

    Attributes read_dictionary() {
        Attributes attributes;
        expect("{");
        while (!take_if("}")) {
            const Token key = expect_kind(Token::Kind::String, "an attribute's name as a string");
            expect(":");
            attributes.emplace_back(escaped(key.text), rest_of_item());
            if (!next().is("}")) expect(",");
        }
        return attributes;
    }

    // ---- constants

    void read_constants() {
        if (program_.metadata.empty()) return;
        std::vector<Tensor> tensors = read_metadata_constants(program_.metadata, metadata_at_);
        for (Constant& constant : program_.constants)
            if (!constant.is_literal && constant.number < tensors.size()) constant.value = tensors[constant.number];
    }

    const CancelToken& cancel_;
    SourcePosition metadata_at_;
    std::unordered_map<std::string, VariableNumber> scope_;
    std::vector<std::pair<std::string, VariableNumber>> undo_;  ///< what names of the scope meant before
    std::unordered_map<uint32_t, uint32_t> constants_;          ///< by number in the metadata
    std::unordered_set<std::string> aliases_, function_names_;
};

}  // namespace

bool looks_like_relax(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        const size_t begin = line.find_first_not_of(" \t\r\xEF\xBB\xBF");
        const std::string_view words = begin == std::string_view::npos ? std::string_view() : line.substr(begin);
        for (std::string_view first :
             {"@I.ir_module", "@R.function", "@tvm.script.ir_module", "metadata = tvm.ir.load_json("})
            if (words.starts_with(first)) return true;
        if (words.find(" = TypeVar(") != std::string_view::npos) return true;
        const bool may_precede = words.empty() || words.starts_with("# ") || words == "#" ||
                                 words.starts_with("from ") || words.starts_with("import ");
        if (!may_precede) return false;
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return false;
}

Result<Program> read(std::string_view text, const CancelToken& cancel) {
    try {
        return Reader(text, cancel).read();
    } catch (const SyntaxError& fault) {
        return error(fault.message, fault.position);
    }
}

}  // namespace partita::relax
