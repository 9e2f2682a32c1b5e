#include "engine/frontends/relay/printer.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "engine/frontends/relay/attribute_texts.h"
#include "engine/frontends/relay/kept_texts.h"
#include "engine/frontends/relay/metadata_writer.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/unique_names.h"
#include "engine/frontends/relay/value_text.h"
#include "engine/ops/registry.h"
#include "engine/support/large_memory.h"

namespace partita::relay {

namespace {

constexpr uint32_t kIndent = 2;
constexpr uint32_t kDeepestIndent = kIndent * kDeepestNesting;  // deeper text cannot be read back, and is all spaces
constexpr size_t kPrintedBytesPerExpression = 90, kBytesPerFunction = 64;  // of printed text, for reserving

void append_number(std::string& out, uint64_t number) {
    char buffer[20];
    auto [end, failure] = std::to_chars(buffer, buffer + sizeof buffer, number);
    out.append(buffer, size_t(end - buffer));
}

void append_indent(std::string& out, uint32_t indent) { out.append(std::min(indent, kDeepestIndent), ' '); }

/// Walks expressions in TVM's order and renders each after its operands. Rendering an expression first emits, as `%k =
/// ...;`, those of its operands that cannot be printed inside it: a temporary gets its number when the first expression
/// that uses it is rendered, not when it is visited.
///
/// Calls, tuples, projections and references are rendered when they are emitted. Functions, ifs and lets have a scope
/// of their own: their text is made when they are visited and kept until they are emitted.
///
/// A temporary that is defined in a kept text may be used outside of it. Where TVM would print such a use before the
/// kept text, which nothing can read back, that text is emitted first.
class Printer {
public:
    /// With `eager`, emits a text where something first needs it instead of in the scope where it waits: see
    /// has_conflict.
    Printer(const Module& module, const RelayPrintOptions& options, bool eager)
        : module_(module), options_(options), eager_(eager), comments_(options.types && module.typed()),
          metadata_(module), attributes_(module, metadata_, options.show_metadata), state_(module.size(), kUnvisited),
          use_count_(module.size(), 0) {}

    /// Returns whether the text is wrong: a text that should wait in an outer scope was used before it, and emitted in
    /// the inner one. TVM's text of such a module cannot be read back either.
    bool has_conflict() const { return conflict_; }

    std::string print() {
        std::vector<GlobalFunction> functions = module_.functions_by_name();
        count_uses(functions);
        std::string out = "#[version = \"0.0.5\"]\n";
        // Growing would copy the text, and hold both; untouched memory costs nothing.
        out.reserve(module_.size() * kPrintedBytesPerExpression + functions.size() * kBytesPerFunction);
        prefer_large_pages(out.data(), out.capacity());
        for (size_t i = 0; i < functions.size(); ++i) {
            if (i) out += '\n';
            out += "def @";
            out += module_.names().text(functions[i].name);
            out = print_definition(std::move(out), functions[i].function);
            out += '\n';
        }
        append_metadata(out);
        return out;
    }

private:
    static constexpr uint32_t kUnvisited = 0xffffffff;
    static constexpr uint32_t kVisited = 0xfffffffe;  ///< without a number; else: the number of a temporary, the index
                                                      ///< of a variable's name, the index of a constant's meta entry

    struct Scope {
        Text text;
        uint32_t indent;
        uint32_t first_temporary;             ///< temporaries from here on are defined in the text
        std::vector<TemporaryRange> earlier;  ///< also defined here, by a text that was kept when the scope was opened
        std::vector<uint32_t> needs;  ///< temporaries whose definitions wait in outer scopes and must come first
    };

    enum class Task : uint8_t { Visit, Scope };

    struct Frame {
        ExprId id;
        ExprId current = {};  ///< for a let: the current one of the chain
        uint32_t step = 0;
        uint32_t indent = 0;  ///< of the lines inside a function, if or let
        Task task = Task::Visit;
        bool wrapped = false;  ///< for a let: in parentheses
    };

    /// Returns whether the expression is printed inside its user, however often.
    static bool always_inline(ExprKind kind) {
        return kind == ExprKind::Var || kind == ExprKind::Constant || kind == ExprKind::Op ||
               kind == ExprKind::GlobalVar;
    }
    bool is_unique(ExprId id) const { return use_count_[id.value] < 2; }

    /// Operands precede their users in the table, so one backward loop finds what is reachable.
    void count_uses(std::span<const GlobalFunction> functions) {
        std::vector<bool> reachable(module_.size());
        for (const GlobalFunction& global : functions) reachable[global.function.value] = true;
        for (uint32_t i = uint32_t(module_.size()); i-- > 0;) {
            if (!reachable[i]) continue;
            for (ExprId operand : module_.operands(ExprId(i))) {
                reachable[operand.value] = true;
                uint8_t& count = use_count_[operand.value];
                if (count < 2) ++count;
            }
        }
    }

    std::string print_definition(std::string before, ExprId function) {
        append_header(before, function);
        before += "{\n";
        open_scope(std::move(before), kIndent);
        frames_.push_back({.id = module_.body(function), .task = Task::Scope});
        run();
        std::string text = std::move(pop_scope().text).joined();
        text += "\n}";
        return text;
    }

    void run() {
        while (!frames_.empty()) {
            Frame& frame = frames_.back();
            if (frame.task == Task::Scope) {
                step_scope(frame);
                continue;
            }
            switch (module_.kind(frame.id)) {
                case ExprKind::Function: step_function(frame); break;
                case ExprKind::If: step_if(frame); break;
                case ExprKind::Let: step_let(frame); break;
                case ExprKind::RefWrite: step_reference_write(frame); break;
                default: step_dataflow(frame); break;
            }
        }
    }

    Scope& scope() { return scopes_.back(); }
    /// Returns the text that is being written.
    std::string& text() { return scope().text.end; }
    void open_scope(std::string text, uint32_t indent) {
        scopes_.push_back({{std::move(text), {}}, indent, next_temporary_, {}, {}});
    }
    Scope pop_scope() {
        Scope closed = std::move(scopes_.back());
        scopes_.pop_back();
        return closed;
    }

    /// Makes a leaf's name or number, or pushes a frame for any other unvisited expression. May move the frames.
    void visit(ExprId id) { visit(id, scope().indent, true); }
    void visit(ExprId id, uint32_t indent, bool wrapped) {
        if (state_[id.value] != kUnvisited) return;
        switch (module_.kind(id)) {
            case ExprKind::Op:
            case ExprKind::GlobalVar: state_[id.value] = kVisited; break;
            case ExprKind::Var:
                allocate_name(id);
                free_.insert(id.value);
                break;
            case ExprKind::Constant:
                state_[id.value] = is_literal(module_.constant(id)) ? kVisited : metadata_.add_constant(id);
                break;
            default: frames_.push_back({.id = id, .current = id, .indent = indent, .wrapped = wrapped}); break;
        }
    }

    void step_dataflow(Frame& frame) {
        std::span<const ExprId> operands = module_.operands(frame.id);
        size_t frames = frames_.size();
        while (frame.step < operands.size()) {
            visit(operands[frame.step++]);
            if (frames_.size() != frames) return;
        }
        ExprId id = frame.id;
        render_operands(id);
        state_[id.value] = kVisited;
        frames_.pop_back();
    }

    /// Emits the operands that need a line of their own: arguments first, then the callee.
    void render_operands(ExprId id) {
        std::span<const ExprId> operands = module_.operands(id);
        if (module_.kind(id) != ExprKind::Call) {
            for (ExprId operand : operands) emit(operand);
            return;
        }
        for (ExprId argument : operands.subspan(1)) emit(argument);
        if (module_.attributes_id(id).valid()) attributes_.refer_to_metadata(id);
        emit(operands[0]);
    }

    /// Unlike a call, a write emits its reference before it visits the value.
    void step_reference_write(Frame& frame) {
        ExprId id = frame.id;
        uint32_t step = frame.step++;
        if (step > 0) emit(module_.operands(id)[step - 1]);
        if (step < 2) return visit(module_.operands(id)[step]);
        state_[id.value] = kVisited;
        frames_.pop_back();
    }

    /// Emits a line `%k = ...;` for an operand that cannot be inside its user and has no line yet.
    void emit(ExprId id) {
        ExprKind kind = module_.kind(id);
        if (kind == ExprKind::Var && !free_.empty() && free_.erase(id.value)) emit_free_variable(id);
        if (always_inline(kind) || state_[id.value] != kVisited) return;
        if (kept_.any_waits()) emit_what_it_needs(id);
        emit_line(id);
    }

    void emit_line(ExprId id) {
        uint32_t number = next_temporary_++;
        append_indent(text(), scope().indent);
        text() += '%';
        append_number(text(), number);
        text() += " = ";
        append_expression(id);
        text() += ";\n";
        state_[id.value] = number;
    }

    /// Emits texts that wait in this scope and define what `id` uses, after those that they need. Records in the scope
    /// those that wait further out. Two texts that need each other are a conflict.
    void emit_what_it_needs(ExprId id) {
        std::vector<ExprId> stack{id};
        std::unordered_set<uint32_t> entered;
        while (!stack.empty()) {
            ExprId needed = first_need(stack.back());
            if (needed.valid() && needed != id && entered.insert(needed.value).second) {
                stack.push_back(needed);
                continue;
            }
            conflict_ |= needed.valid();
            if (stack.size() > 1) emit_line(stack.back());
            stack.pop_back();
        }
    }

    /// Returns the first text in this scope that has to be emitted before the expression, or invalid.
    ExprId first_need(ExprId id) {
        if (const KeptTexts::Kept* kept = kept_.find(id)) {
            for (uint32_t temporary : kept->needs)
                if (ExprId need = text_waiting_here(temporary); need.valid()) return need;
        } else {
            for (ExprId operand : module_.operands(id))
                if (ExprId need = definition_waiting_here(operand); need.valid()) return need;
        }
        return {};
    }

    bool is_temporary(ExprId id) const { return !always_inline(module_.kind(id)) && state_[id.value] < kVisited; }

    ExprId definition_waiting_here(ExprId operand) {
        return is_temporary(operand) ? text_waiting_here(state_[operand.value]) : ExprId();
    }

    /// Returns what has to be emitted before a use of a temporary. Invalid if there is nothing, or if it waits further
    /// out: then this scope's text has to wait for it.
    ExprId text_waiting_here(uint32_t temporary) {
        const KeptTexts::Waiting* entry = kept_.definition_of(temporary);
        if (!entry) return {};
        if (eager_ || entry->scope == scopes_.size() - 1) return entry->id;
        needs_noted_ = true;
        std::vector<uint32_t>& needs = scope().needs;
        if (std::find(needs.begin(), needs.end(), temporary) == needs.end()) needs.push_back(temporary);
        return {};
    }

    /// Moves the definitions in a kept text into this scope.
    void take_definitions(std::span<const TemporaryRange> definitions) {
        for (TemporaryRange range : definitions) {
            if (range.first < scope().first_temporary) scope().earlier.push_back(range);
            if (!needs_noted_) continue;
            for (const Scope& open : scopes_)
                for (uint32_t temporary : open.needs) conflict_ |= temporary >= range.first && temporary < range.last;
        }
    }

    void emit_free_variable(ExprId id) {
        append_indent(text(), scope().indent);
        text() += "free_var ";
        append_declaration(text(), id);
        text() += ";\n";
    }

    /// For an expression that ends a scope, or is the value of a let: it is written in place unless it is shared.
    void prepare_last(ExprId id) {
        ExprKind kind = module_.kind(id);
        if (kind == ExprKind::Var || (!always_inline(kind) && !is_unique(id))) emit(id);
    }
    /// Call it before the text or number is written into the scope.
    void prepare_use(ExprId id) {
        if (!kept_.any_waits()) return;
        if (is_temporary(id)) {
            if (ExprId need = definition_waiting_here(id); need.valid()) emit(need);
        } else if (!always_inline(module_.kind(id))) {
            emit_what_it_needs(id);
        }
    }
    void append_last(ExprId id) {
        if (state_[id.value] == kVisited && !always_inline(module_.kind(id))) append_expression(id);
        else append_operand(text(), id);
    }

    void step_scope(Frame& frame) {
        ExprId body = frame.id;
        if (frame.step++ == 0) {
            visit(body, scope().indent, !is_unique(body));
            return;
        }
        prepare_last(body);
        prepare_use(body);
        append_indent(text(), scope().indent);
        append_last(body);
        frames_.pop_back();
    }

    void enter_scope(std::string text, ExprId body, uint32_t indent) {
        open_scope(std::move(text), indent);
        frames_.push_back({.id = body, .task = Task::Scope});
    }

    /// Keeps the text of an expression whose scope was popped.
    void finish(ExprId id, Scope closed) {
        std::vector<TemporaryRange> definitions;
        if (closed.first_temporary != next_temporary_) definitions.push_back({closed.first_temporary, next_temporary_});
        definitions.insert(definitions.end(), closed.earlier.begin(), closed.earlier.end());
        kept_.keep(id, {std::move(closed.text), std::move(closed.needs), std::move(definitions)}, scopes_.size() - 1);
        state_[id.value] = kVisited;
        frames_.pop_back();
    }

    void step_function(Frame& frame) {
        ExprId id = frame.id;
        uint32_t indent = frame.indent;
        if (frame.step++ == 0) {
            std::string header = "fn ";
            append_header(header, id);
            header += "{\n";
            enter_scope(std::move(header), module_.body(id), indent + kIndent);
            return;
        }
        finish(id, pop_braces(indent));
    }

    Scope pop_braces(uint32_t indent) {
        Scope closed = pop_scope();
        closed.text.end += '\n';
        append_indent(closed.text.end, indent);
        closed.text.end += '}';
        return closed;
    }

    void step_if(Frame& frame) {
        ExprId id = frame.id;
        uint32_t indent = frame.indent;
        std::span<const ExprId> parts = module_.operands(id);
        switch (frame.step++) {
            case 0: visit(parts[0]); return;
            case 1: {
                emit(parts[0]);
                std::string text = "if (";
                append_operand(text, parts[0]);
                text += ") {\n";
                enter_scope(std::move(text), parts[1], indent + kIndent);
                prepare_use(parts[0]);
                return;
            }
            case 2:
                scopes_.push_back(pop_braces(indent));
                text() += " else {\n";
                frames_.push_back({.id = parts[2], .task = Task::Scope});
                return;
            default: finish(id, pop_braces(indent));
        }
    }

    /// Handles a chain of lets as one loop. What the first value needs is emitted before the chain, the others' inside
    /// it.
    void step_let(Frame& frame) {
        enum Step : uint32_t { Begin, Value, Body };
        ExprId id = frame.id;
        bool wrapped = frame.wrapped;
        uint32_t indent = frame.indent, inner = indent + (wrapped ? kIndent : 0);
        if (frame.step == Begin) {
            frame.step = Value;
            begin_let(id, inner);
            return;
        }
        if (frame.step == Value) {
            ExprId let = frame.current;
            append_let_line(let, let == id, wrapped, inner);
            ExprId body = module_.operands(let)[2];
            if (module_.kind(body) == ExprKind::Let) {
                frame.current = body;
                begin_let(body, inner);
            } else {
                frame.step = Body;
                visit(body, inner, !is_unique(body));
            }
            return;
        }
        ExprId body = module_.operands(frame.current)[2];
        prepare_last(body);
        prepare_use(body);
        append_indent(text(), inner);
        append_last(body);
        Scope closed = pop_scope();
        if (wrapped) {
            closed.text.end += '\n';
            append_indent(closed.text.end, indent);
            closed.text.end += ')';
        }
        finish(id, std::move(closed));
    }

    void begin_let(ExprId let, uint32_t indent) {
        allocate_name(module_.operands(let)[0]);
        visit(module_.operands(let)[1], indent, true);
    }

    void append_let_line(ExprId let, bool first, bool wrapped, uint32_t indent) {
        ExprId variable = module_.operands(let)[0], value = module_.operands(let)[1];
        prepare_last(value);
        if (first) open_scope(wrapped ? "(\n" : "", indent);
        prepare_use(value);
        if (!first || wrapped) append_indent(text(), indent);
        text() += "let ";
        append_declaration(text(), variable);
        text() += " = ";
        append_last(value);
        text() += ";\n";
    }

    void allocate_name(ExprId variable) {
        if (state_[variable.value] == kUnvisited) state_[variable.value] = names_.allocate(module_.name(variable));
    }

    /// Appends `(%x: T, ..., key=value) -> R `, from the parenthesis on.
    void append_header(std::string& out, ExprId function) {
        const FunctionInfo& info = module_.function_info(function);
        out += '(';
        bool first = true;
        for (ExprId parameter : module_.parameters(function)) {
            if (!first) out += ", ";
            first = false;
            allocate_name(parameter);
            append_declaration(out, parameter);
        }
        for (const auto& [key, value] : info.attributes) {
            if (!first) out += ", ";
            first = false;
            out += key;
            out += '=';
            append_value(out, value);
        }
        out += ") ";
        if (info.return_type.valid()) {
            out += "-> ";
            out += type_text(info.return_type);
            out += ' ';
        }
    }

    void append_declaration(std::string& out, ExprId variable) {
        out += '%';
        out += names_.text(state_[variable.value]);
        TypeId type = module_.type(variable);
        if (type.valid()) {
            out += ": ";
            out += type_text(type);
        }
        append_comment(out, variable);
    }

    std::string_view type_text(TypeId type) {
        if (comment_by_type_.size() < module_.types().size()) comment_by_type_.resize(module_.types().size());
        std::string& comment = comment_by_type_[type.value];
        if (comment.empty()) comment = " /* ty=" + module_.types().to_string(type) + " */";
        constexpr size_t kBefore = 7, kAfter = 3;
        return std::string_view(comment).substr(kBefore, comment.size() - kBefore - kAfter);
    }

    void append_comment(std::string& out, ExprId id) { append_comment(out, id, comments_); }
    void append_comment(std::string& out, ExprId id, bool wanted) {
        TypeId type = module_.type(id);
        if (!wanted || !type.valid()) return;
        type_text(type);
        out += comment_by_type_[type.value];
    }

    /// Appends an expression's form inside another one: its name, its number or its text.
    void append_operand(std::string& out, ExprId id) {
        switch (module_.kind(id)) {
            case ExprKind::Var:
                out += '%';
                out += names_.text(state_[id.value]);
                break;
            case ExprKind::Constant: append_constant(out, id); break;
            case ExprKind::Op: {
                const OpRecord& op = registry_[OpId(module_[id].payload)];
                out += op.foreign ? "opaque" : op.name;
                break;
            }
            case ExprKind::GlobalVar:
                out += '@';
                out += module_.name(id);
                break;
            default: out += '%'; append_number(out, state_[id.value]);
        }
    }

    void append_operands(std::string& out, std::span<const ExprId> operands) {
        for (size_t i = 0; i < operands.size(); ++i) {
            if (i) out += ", ";
            append_operand(out, operands[i]);
        }
    }

    void append_constant(std::string& out, ExprId id) {
        if (is_literal(module_.constant(id))) {
            append_literal(out, module_.constant(id));
        } else {
            out += "meta[relay.Constant][";
            append_number(out, state_[id.value]);
            out += ']';
        }
        // The text of a constant without a value gives only its type.
        append_comment(out, id, comments_ || module_.label(id) == kMissingValue);
    }

    /// Appends the text of an expression itself, with its comment.
    void append_expression(ExprId id) {
        std::string& out = text();
        std::span<const ExprId> operands = module_.operands(id);
        switch (module_.kind(id)) {
            case ExprKind::Call: append_call(out, id); break;
            case ExprKind::Tuple:
                out += '(';
                append_operands(out, operands);
                out += operands.size() == 1 ? ",)" : ")";
                break;
            case ExprKind::Projection:
                append_operand(out, operands[0]);
                out += '.';
                append_number(out, module_.projection_index(id));
                break;
            case ExprKind::RefCreate: return append_reference(out, "ref(", operands);
            case ExprKind::RefRead: return append_reference(out, "ref_read(", operands);
            case ExprKind::RefWrite: return append_reference(out, "ref_write(", operands);
            default: return take_text(id);
        }
        append_comment(out, id, comments_ || is_called_by_name(id));
    }

    /// Appends the kept text of a function, an if or a let.
    void take_text(ExprId id) {
        KeptTexts::Kept kept = kept_.take(id);
        scope().text.take(std::move(kept.text));
        take_definitions(kept.definitions);
        if (module_.kind(id) == ExprKind::Function) append_comment(text(), id);
    }

    void append_reference(std::string& out, const char* word, std::span<const ExprId> operands) {
        out += word;
        append_operands(out, operands);
        out += ')';
    }

    bool is_called_by_name(ExprId id) const {
        const OpRecord* op = called_op_record(module_, id);
        return op && op->foreign && is_written_by_name(*op, module_.attributes(module_.attributes_id(id)));
    }

    void append_call(std::string& out, ExprId id) {
        if (is_called_by_name(id)) out += called_op_record(module_, id)->name;
        else append_operand(out, module_.callee(id));
        out += '(';
        std::span<const ExprId> arguments = module_.arguments(id);
        append_operands(out, arguments);
        if (module_.attributes_id(id).valid()) {
            std::string_view attributes = attributes_.of(id);
            if (arguments.empty() && !attributes.empty()) attributes.remove_prefix(2);
            out += attributes;
        }
        out += ')';
    }

    void append_metadata(std::string& out) {
        if (metadata_.empty()) return;
        if (options_.show_metadata) {
            if (!metadata_.has_content()) return;
            out += "\n#[metadata]\n";
            metadata_.write(out);
        } else {
            out +=
                "\n/* For debugging purposes the metadata section has been omitted.\n"
                " * If you would like to see the full metadata section you can set the \n"
                " * option to `True` when invoking `astext`. \n */";
        }
    }

    const Module& module_;
    const OpRegistry& registry_ = op_registry();
    const RelayPrintOptions& options_;
    bool eager_;
    bool needs_noted_ = false, conflict_ = false;
    bool comments_;
    MetadataWriter metadata_;
    AttributeTexts attributes_;
    UniqueNames names_;
    std::vector<uint32_t> state_;     ///< by ExprId
    std::vector<uint8_t> use_count_;  ///< by ExprId: 0, 1, or 2 for more
    std::vector<std::string> comment_by_type_;
    KeptTexts kept_;                     ///< of functions, ifs and lets, until they are emitted
    std::unordered_set<uint32_t> free_;  ///< unbound variables that are not declared yet
    std::vector<Frame> frames_;
    std::vector<Scope> scopes_;
    uint32_t next_temporary_ = 0;
};

}  // namespace

}  // namespace partita::relay

namespace partita {

std::string print_relay(const Module& module, const RelayPrintOptions& options) {
    relay::Printer printer(module, options, false);
    std::string text = printer.print();
    return printer.has_conflict() ? relay::Printer(module, options, true).print() : text;
}

}  // namespace partita
