#include "engine/backends/ccompiler/c_source.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "engine/backends/ccompiler/loop_plan.h"
#include "engine/ops/c_helpers.h"
#include "engine/ops/c_writer.h"
#include "engine/ops/registry.h"
#include "engine/ops/writable_c.h"
#include "engine/support/number_text.h"

namespace partita {

namespace {

/// A loop of fewer elements is not worth waking threads for.
constexpr int64_t kElementsWorthThreads = 1 << 15;

/// Returns null if C has no name for the type.
const char* c_name(DataType dtype) {
    if (dtype.lanes != 1) return nullptr;
    if (dtype.is_bool()) return "uint8_t";
    if (dtype == kFloat32) return "float";
    if (dtype == kFloat64) return "double";
    if (!dtype.is_integer()) return nullptr;
    bool is_signed = dtype.code == DataType::Code::Int;
    switch (dtype.bits) {
        case 8: return is_signed ? "int8_t" : "uint8_t";
        case 16: return is_signed ? "int16_t" : "uint16_t";
        case 32: return is_signed ? "int32_t" : "uint32_t";
        case 64: return is_signed ? "int64_t" : "uint64_t";
        default: return nullptr;
    }
}

std::string float_literal(double value, bool is_double) {
    if (std::isnan(value)) return "NAN";
    if (std::isinf(value)) return value > 0 ? "INFINITY" : "-INFINITY";
    std::string literal = general_text(value, is_double ? 17 : 9);
    if (literal.find_first_of(".e") == std::string::npos) literal += ".0";
    if (!is_double) literal += "f";
    return value < 0 ? "(" + literal + ")" : literal;
}

std::string integer_literal(const Tensor& tensor) {
    DataType dtype = tensor.dtype();
    if (dtype == kUInt64) return std::to_string(*tensor.data<uint64_t>()) + "ULL";
    int64_t value = dtype == kInt64 ? *tensor.data<int64_t>() : int64_t(tensor.at(0));
    if (value == std::numeric_limits<int64_t>::min()) return "INT64_MIN";
    if (value == std::numeric_limits<int32_t>::min()) return "INT32_MIN";
    std::string literal = std::to_string(value) + (dtype == kInt64 ? "LL" : dtype == kUInt32 ? "U" : "");
    return value < 0 ? "(" + literal + ")" : literal;
}

class Writer {
public:
    Writer(const Module& module, const FlatGraph& graph, const CStandalone* standalone = nullptr)
        : module_(module), types_(module.types()), graph_(graph), standalone_(standalone) {}

    Result<CSource> run() {
        if (Status fit = check(); !fit) return fit.error();
        uses_ = graph_.use_counts();
        plan_ = plan_loops(types_, graph_);
        source_.workspace_bytes = plan_.workspace_bytes;
        for (uint32_t i = 0; i < plan_.loops.size(); ++i) {
            Status written = plan_.loops[i].elementwise ? write_elementwise(i) : write_op(i);
            if (!written) return written.error();
        }
        if (standalone_ && !unwritten_.empty()) return refuse_unwritten();
        if (standalone_) write_standalone_entry();
        else write_entry();
        const std::string before = (standalone_ ? "" : head()) + c_helpers(functions_);
        number_lines(before);
        source_.text = before + functions_ + entry_;
        source_.workspace_bytes += callee_bytes_;
        source_.loops = int(plan_.loops.size());
        return std::move(source_);
    }

private:
    bool is_call_of_region(uint32_t step) const { return !graph_.steps[step].op.valid(); }
    /// Returns an empty record for a call of a sub-function.
    const OpRecord& op(uint32_t step) const {
        static const OpRecord none;
        return is_call_of_region(step) ? none : op_registry()[graph_.steps[step].op];
    }
    DataType dtype(ValueId value) const { return types_.dtype(graph_.values[value].type); }
    std::span<const int64_t> shape(ValueId value) const { return types_.shape(graph_.values[value].type); }
    int64_t size(ValueId value) const { return element_count(shape(value)).value_or(0); }

    Status check() const {
        bool any = graph_.steps.empty();
        for (uint32_t i = 0; i < graph_.steps.size(); ++i) {
            bool written = has_c(op(i)) || is_call_of_region(i);
            any |= written;
            if (!written && !standalone_ && !op(i).kernel)
                return error(op(i).name + " can't be written in C and has no kernel",
                             module_.position(graph_.steps[i].expr));
        }
        if (!any && !standalone_) return error("no operator of the region can be written in C: " + op(0).name);
        for (const FlatValue& value : graph_.values)
            if (!c_name(types_.dtype(value.type)))
                return error("values of type " + types_.dtype(value.type).to_string() + " can't be written in C");
        return Nothing();
    }

    /// Returns the C expression of a value's address in the entry function.
    std::string address(ValueId value) {
        ValueId owner = plan_.memory_of[value];
        const FlatValue& made = graph_.values[owner];
        switch (made.source) {
            case FlatValue::Source::Input: return "inputs[" + std::to_string(made.index) + "]";
            case FlatValue::Source::Constant:
                if (standalone_)
                    return "weights + " + std::to_string(standalone_->weight_offset(ConstantId(made.index)));
                return "constants[" + std::to_string(constant_number(ConstantId(made.index))) + "]";
            default: break;
        }
        if (plan_.output_of[owner] != CLoopPlan::kNone)
            return "outputs[" + std::to_string(plan_.output_of[owner]) + "]";
        return "memory + " + std::to_string(plan_.offset[owner]);
    }

    size_t constant_number(ConstantId constant) {
        auto it = std::find(source_.constants.begin(), source_.constants.end(), constant);
        if (it == source_.constants.end()) it = source_.constants.insert(it, constant);
        return size_t(it - source_.constants.begin());
    }

    /// Returns whether the value is a constant of one element, which is written as a number.
    bool is_number(ValueId value) const {
        return graph_.values[value].source == FlatValue::Source::Constant && size(value) == 1;
    }
    std::string number(ValueId value) const {
        const Tensor& tensor = module_.constant_value(ConstantId(graph_.values[value].index));
        return tensor.dtype().is_float() ? float_literal(tensor.at(0), tensor.dtype() == kFloat64)
                                         : integer_literal(tensor);
    }

    /// A parameter of a loop's function for a tensor in memory.
    struct Parameter {
        ValueId value;
        std::string name;
        bool written;
    };

    static std::string parameter_list(const std::vector<std::string>& parts) {
        std::string text;
        for (const std::string& part : parts) text += (text.empty() ? "" : ", ") + part;
        return text.empty() ? "void" : text;
    }

    void finish_function(uint32_t loop, const std::vector<Parameter>& parameters, const std::string& comment,
                         const std::string& body) {
        std::vector<std::string> declared, passed;
        for (const Parameter& parameter : parameters) {
            std::string type = c_name(dtype(parameter.value));
            declared.push_back((parameter.written ? "" : "const ") + type + " *restrict " + parameter.name);
            passed.push_back(std::string("(") + (parameter.written ? "" : "const ") + type + " *)(" +
                             address(parameter.value) + ")");
        }
        std::string name = (standalone_ ? standalone_->name + "_loop_" : "loop_") + std::to_string(loop);
        // A body contains no name of a module, so this is a statement.
        const bool refuses = body.find(CWriter::kRefusal) != std::string::npos;
        const std::string text = "/* " + comment + " */\nstatic " + (refuses ? "int " : "void ") + name + "(" +
                                 parameter_list(declared) + ")\n{\n" + body + (refuses ? "    return 0;\n" : "") +
                                 "}\n";
        note_lines(loop, text);
        functions_ += text + "\n";
        const std::string call = name + "(" + (passed.empty() ? "" : parameter_list(passed)) + ")";
        calls_ += refuses ? "    if (" + call + " != 0) return 1;\n" : "    " + call + ";\n";
    }

    static uint32_t count_lines(std::string_view text) { return uint32_t(std::ranges::count(text, '\n')); }

    /// Notes where the function of a loop computes its steps: of an elementwise one the line of each, else all lines.
    void note_lines(uint32_t loop, std::string_view text) {
        const uint32_t begin = lines_of_functions_;
        lines_of_functions_ += count_lines(text) + 1;
        size_t searched = 0;
        for (const uint32_t step : plan_.loops[loop].steps) {
            CSource::Lines lines{begin + 1, begin + count_lines(text), step};
            if (plan_.loops[loop].elementwise) {
                // Statements stand in the order of the steps.
                const std::string variable = " v" + std::to_string(graph_.steps[step].first_output) + " = ";
                searched = std::min(text.find(variable, searched), text.size());
                lines.first = lines.last = begin + count_lines(text.substr(0, searched)) + 1;
            }
            source_.lines.push_back(lines);
        }
    }

    /// Counts the noted lines from the beginning of the text. Steps that the host computes stand in the entry function.
    void number_lines(std::string_view before) {
        const uint32_t first = count_lines(before);
        for (CSource::Lines& lines : source_.lines) {
            lines.first += first;
            lines.last += first;
        }
        const size_t calls_begin = calls_.empty() ? std::string::npos : entry_.find(calls_);
        if (calls_begin == std::string::npos) return;
        const uint32_t calls =
            first + lines_of_functions_ + count_lines(std::string_view(entry_).substr(0, calls_begin));
        for (const CSource::Lines& lines : lines_in_calls_)
            source_.lines.push_back({calls + lines.first, calls + lines.last, lines.step});
    }

    std::string comment_of(uint32_t loop) const {
        std::string text;
        for (size_t i = 0; i < plan_.loops[loop].steps.size() && i < 12; ++i)
            text += (text.empty() ? "" : ", ") + op(plan_.loops[loop].steps[i]).name;
        if (plan_.loops[loop].steps.size() > 12) text += ", ...";
        return text + ": " + shape_to_string(shape(graph_.steps[plan_.loops[loop].steps[0]].first_output));
    }

    /// Returns the strides of an operand in the loop's dimensions, 0 if it is broadcast.
    std::vector<int64_t> strides_of(ValueId value, std::span<const int64_t> loop_shape) const {
        std::span<const int64_t> own = shape(value);
        std::vector<int64_t> strides(loop_shape.size(), 0);
        int64_t stride = 1;
        for (size_t d = own.size(); d-- > 0;) {
            if (own[d] != 1) strides[d + loop_shape.size() - own.size()] = stride;
            stride *= own[d];
        }
        return strides;
    }

    /// Joins neighbouring dimensions that are contiguous in all operands; drops those of extent 1.
    static void join_dimensions(std::vector<int64_t>& extents, std::vector<std::vector<int64_t>>& strides) {
        for (size_t d = extents.size(); d-- > 0;) {
            bool drop = extents[d] == 1 && extents.size() > 1;
            if (drop) {
                extents.erase(extents.begin() + long(d));
                for (auto& s : strides) s.erase(s.begin() + long(d));
            }
        }
        for (size_t d = extents.size(); d-- > 1;) {
            bool even =
                std::all_of(strides.begin(), strides.end(), [&](auto& s) { return s[d - 1] == s[d] * extents[d]; });
            if (!even) continue;
            extents[d - 1] *= extents[d];
            for (auto& s : strides) s[d - 1] = s[d];
            extents.erase(extents.begin() + long(d));
            for (auto& s : strides) s.erase(s.begin() + long(d));
        }
    }

    static std::string index_expression(const std::vector<int64_t>& strides) {
        std::string text;
        for (size_t d = 0; d < strides.size(); ++d) {
            if (strides[d] == 0) continue;
            text += (text.empty() ? "i" : " + i") + std::to_string(d);
            if (strides[d] != 1) text += " * " + std::to_string(strides[d]);
        }
        return text.empty() ? "0" : text;
    }

    Status write_elementwise(uint32_t loop) {
        std::span<const int64_t> loop_shape = types_.shape(plan_.loops[loop].shape);
        std::vector<Parameter> parameters;
        std::map<ValueId, std::string> reads;  // memory operands and the variables that hold their elements
        std::string statements;
        std::vector<ValueId> writes;
        for (uint32_t i : plan_.loops[loop].steps) {
            const FlatStep& step = graph_.steps[i];
            std::vector<std::string> operands;
            for (ValueId value : graph_.step_inputs(step)) {
                if (is_number(value)) operands.push_back(number(value));
                else if (plan_.loop_of[value] == loop && plan_.memory_of[value] == value)
                    operands.push_back("v" + std::to_string(value));
                else {
                    auto [entry, added] = reads.try_emplace(value, "x" + std::to_string(value));
                    if (added) parameters.push_back({value, "p" + std::to_string(value), false});
                    operands.push_back(entry->second);
                }
            }
            ValueId result = step.first_output;
            DataType operand_dtype = step.input_count ? dtype(graph_.step_inputs(step)[0]) : dtype(result);
            std::string expression =
                op(i).c_element({operands, operand_dtype, dtype(result), attributes_of(module_, step.expr)});
            if (expression.empty())
                return error(op(i).name + " of these types can't be written in C", module_.position(step.expr));
            statements += std::string("const ") + c_name(dtype(result)) + " v" + std::to_string(result) + " = " +
                          expression + ";\n";
            writes.push_back(result);
        }
        size_t read_count = parameters.size();
        for (ValueId value : writes)
            if (plan_.stored[value]) parameters.push_back({value, "p" + std::to_string(value), true});
        finish_function(loop, parameters, comment_of(loop),
                        elementwise_body(loop_shape, parameters, read_count, statements, writes));
        return Nothing();
    }

    std::string elementwise_body(std::span<const int64_t> loop_shape, const std::vector<Parameter>& parameters,
                                 size_t read_count, const std::string& statements,
                                 const std::vector<ValueId>& writes) const {
        std::vector<int64_t> extents(loop_shape.begin(), loop_shape.end());
        if (extents.empty()) extents.push_back(1);
        std::vector<std::vector<int64_t>> strides;
        for (const Parameter& parameter : parameters) strides.push_back(strides_of(parameter.value, extents));
        join_dimensions(extents, strides);

        std::string body, indent = "    ";
        const bool refuses = statements.find(kElementRefusal) != std::string::npos;
        if (refuses) body += indent + "int refused = 0;\n";
        int64_t total = element_count(loop_shape).value_or(0);
        if (total >= kElementsWorthThreads) {
            bool flat = extents.size() == 1;
            body += "#ifdef _OPENMP\n#pragma omp parallel for ";
            body += flat ? "simd " : extents.size() > 2 ? "collapse(" + std::to_string(extents.size() - 1) + ") " : "";
            body += refuses ? "reduction(|:refused) " : "";
            body += "schedule(static)\n#endif\n";
        }
        for (size_t d = 0; d < extents.size(); ++d) {
            std::string i = "i" + std::to_string(d);
            body += indent + "for (int64_t " + i + " = 0; " + i + " < " + std::to_string(extents[d]) + "; ++" + i + ")";
            if (d + 1 == extents.size()) body += " {";
            body += "\n";
            indent += "    ";
        }
        for (size_t k = 0; k < read_count; ++k) {
            if (!has_word(statements, "x" + std::to_string(parameters[k].value))) {  // only its shape matters
                body += indent + "(void)" + parameters[k].name + ";\n";
                continue;
            }
            body += indent + "const " + c_name(dtype(parameters[k].value)) + " x" +
                    std::to_string(parameters[k].value) + " = " + parameters[k].name + "[" +
                    index_expression(strides[k]) + "];\n";
        }
        for (size_t begin = 0; begin < statements.size();) {
            size_t end = statements.find('\n', begin);
            body += indent + statements.substr(begin, end - begin + 1);
            begin = end + 1;
        }
        for (size_t k = read_count; k < parameters.size(); ++k)
            body += indent + parameters[k].name + "[" + index_expression(strides[k]) + "] = v" +
                    std::to_string(parameters[k].value) + ";\n";
        // A value that becomes unused in a later version of the module must not cause a warning.
        for (ValueId value : writes)
            if (!plan_.stored[value] && uses_[value] == 0) body += indent + "(void)v" + std::to_string(value) + ";\n";
        indent.resize(indent.size() - 4);
        body += indent + "}\n";
        if (refuses) CWriter(body, 1).refuse_where("refused");
        return body;
    }

    static bool has_word(const std::string& text, const std::string& word) {
        for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
            bool starts = at == 0 || !std::isalnum(static_cast<unsigned char>(text[at - 1]));
            size_t end = at + word.size();
            if (starts && (end == text.size() || !std::isalnum(static_cast<unsigned char>(text[end])))) return true;
        }
        return false;
    }

    /// Writes a step that the runtime computes with the op's kernel.
    void call_host(uint32_t number) {
        const FlatStep& step = graph_.steps[number];
        std::vector<std::string> inputs, outputs;
        for (ValueId value : graph_.step_inputs(step)) inputs.push_back(address(value));
        for (uint32_t k = 0; k < step.output_count; ++k) outputs.push_back(address(step.first_output + k));
        if (inputs.empty()) inputs.push_back("0");
        const uint32_t begin = count_lines(calls_);
        calls_ += "    { /* " + op(number).name + " */\n        const void *const in[] = {" + parameter_list(inputs) +
                  "};\n        void *const out[] = {" + parameter_list(outputs) +
                  "};\n        if (host->run_step(host, " + std::to_string(source_.host_steps.size()) +
                  ", in, out) != 0) return 1;\n    }\n";
        lines_in_calls_.push_back({begin + 1, count_lines(calls_), number});
        source_.host_steps.push_back(number);
    }

    /// Writes a step whose sub-function is another function of the bundle.
    void call_region(uint32_t number) {
        const FlatStep& step = graph_.steps[number];
        CStandalone::Callee callee = standalone_->callee(step.function);
        std::vector<std::string> inputs, outputs;
        for (ValueId value : graph_.step_inputs(step)) inputs.push_back(address(value));
        for (uint32_t k = 0; k < step.output_count; ++k) outputs.push_back(address(step.first_output + k));
        if (inputs.empty()) inputs.push_back("0");
        if (outputs.empty()) outputs.push_back("0");
        size_t begin = (source_.workspace_bytes + 63) / 64 * 64;
        callee_bytes_ = std::max(callee_bytes_, begin - source_.workspace_bytes + callee.workspace_bytes);
        calls_ += "    {\n        const void *const in[] = {" + parameter_list(inputs) +
                  "};\n        void *const out[] = {" + parameter_list(outputs) + "};\n        if (" + callee.name +
                  "(in, out, weights, memory + " + std::to_string(begin) + ") != 0) return 1;\n    }\n";
    }

    /// Handles a step without C: the runtime computes it, or an exported bundle cannot be made.
    void leave_to_host(uint32_t step) {
        if (standalone_) unwritten_.emplace(op(step).name, graph_.steps[step].expr);
        else call_host(step);
    }

    Diagnostic refuse_unwritten() const {
        std::string names;
        for (const auto& [name, expr] : unwritten_) names += (names.empty() ? "" : ", ") + name;
        return error("these operators can't be written in C: " + names, module_.position(unwritten_.begin()->second));
    }

    Status write_op(uint32_t loop) {
        uint32_t i = plan_.loops[loop].steps[0];
        if (is_call_of_region(i)) {
            call_region(i);
            return Nothing();
        }
        if (!op(i).c_loops) {
            leave_to_host(i);
            return Nothing();
        }
        const FlatStep& step = graph_.steps[i];
        std::vector<Parameter> parameters;
        std::vector<CTensor> inputs, outputs;
        auto add = [&](ValueId value, bool written) {
            std::string name = (written ? "out" : "in") + std::to_string(written ? outputs.size() : inputs.size());
            parameters.push_back({value, name, written});
            (written ? outputs : inputs).push_back({name, dtype(value), shape(value)});
        };
        for (ValueId value : graph_.step_inputs(step)) add(value, false);
        for (uint32_t k = 0; k < step.output_count; ++k) add(step.first_output + k, true);
        std::string body;
        for (const Parameter& parameter : parameters)
            if (!parameter.written) body += "    (void)" + parameter.name + ";\n";
        Status written = op(i).c_loops({inputs, outputs, attributes_of(module_, step.expr), body, 1});
        if (!written && op(i).kernel) {
            leave_to_host(i);  // not for these types or attributes
            return Nothing();
        }
        if (!written) {
            Diagnostic failure = written.error();
            if (!failure.position.line) failure.position = module_.position(step.expr);
            return failure;
        }
        finish_function(loop, parameters, comment_of(loop), body);
        return Nothing();
    }

    std::string copies_of_outputs() {
        std::string copies;
        for (auto [output, value] : plan_.copies)
            copies += "    memcpy(outputs[" + std::to_string(output) + "], " + address(value) + ", " +
                      std::to_string(size_t(size(value)) * dtype(value).bytes()) + ");\n";
        return copies;
    }

    void write_standalone_entry() {
        std::string copies = copies_of_outputs();
        entry_ = "int " + standalone_->name +
                 "(const void *const *inputs, void *const *outputs, const unsigned char *weights, unsigned char "
                 "*memory)\n{\n"
                 "    (void)inputs;\n    (void)outputs;\n    (void)weights;\n    (void)memory;\n" +
                 calls_ + copies + "    return 0;\n}\n";
    }

    void write_entry() {
        std::string copies = copies_of_outputs();
        entry_ =
            "int32_t partita_region(const void *const *inputs, void *const *outputs,\n"
            "                       const void *const *constants, void *workspace, const partita_host *host)\n{\n"
            "    char *memory = workspace;\n"
            "    (void)inputs;\n    (void)outputs;\n    (void)constants;\n    (void)memory;\n    (void)host;\n" +
            calls_ + copies + "    return 0;\n}\n";
    }

    static std::string head() {
        return "/* Written by Partita from a region of a module. */\n"
               "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n"
               "typedef struct partita_host {\n"
               "    int32_t (*run_step)(const struct partita_host *host, int32_t step, const void *const *inputs, void "
               "*const *outputs);\n"
               "} partita_host;\n\n"
               "int32_t partita_region(const void *const *inputs, void *const *outputs,\n"
               "                       const void *const *constants, void *workspace, const partita_host *host);\n\n";
    }

    const Module& module_;
    const TypeTable& types_;
    const FlatGraph& graph_;
    const CStandalone* standalone_;            ///< null: for the runtime
    std::map<std::string, ExprId> unwritten_;  ///< ops without C, with the first call
    size_t callee_bytes_ = 0;                  ///< workspace of called sub-functions, after its own
    CLoopPlan plan_;
    std::vector<uint32_t> uses_;
    std::string functions_, calls_, entry_;
    uint32_t lines_of_functions_ = 0;
    std::vector<CSource::Lines> lines_in_calls_;  ///< as CSource::lines, counted in calls_
    CSource source_;
};

}  // namespace

Result<CSource> write_c_source(const Module& module, const FlatGraph& graph) { return Writer(module, graph).run(); }

Result<CSource> write_standalone_c(const Module& module, const FlatGraph& graph, const CStandalone& form) {
    return Writer(module, graph, &form).run();
}

}  // namespace partita
