#include "engine/rules/tvm_python.h"

#include <map>

#include "engine/ops/registry.h"
#include "engine/rules/python_writers.h"
#include "engine/rules/tvm_form.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

class TvmPythonWriter {
public:
    TvmPythonWriter(const BackendDescription& backend, const TvmForm& form) : backend_(backend), form_(form) {}

    TvmPython write() && {
        const std::map<std::string, OpRule> ops(backend_.ops.begin(), backend_.ops.end());
        std::string text;
        for (const auto& [op, rule] : ops) text += op_text(op, rule);
        for (size_t i = 0; i < backend_.patterns.size(); ++i) text += pattern_text(backend_.patterns[i], i);
        if (backend_.limits.any()) left_out_.push_back("limits");
        std::string lacks;
        for (const std::string& rule : left_out_) lacks += "# left out: " + on_one_line(rule) + "\n";
        return {"# The rules of " + on_one_line(backend_.name) + ", written by partita-cli rules export.\n" + lacks +
                    form_.head() + text + form_.table(backend_, op_rows_, pattern_rows_),
                std::move(left_out_)};
    }

private:
    std::string op_text(const std::string& name, const OpRule& rule) {
        const OpRecord& op = op_registry()[op_registry().find(name)];
        std::string row;
        Result<std::string> text = error("it is asked of a program already");
        if (!rule.by_annotator) text = form_.op(backend_, op, rule, row);
        return part("ops." + name, text, row, op_rows_);
    }

    std::string pattern_text(const CompositePattern& composite, size_t index) {
        std::string row;
        Result<std::string> text = error("it is asked of a program already");
        if (!composite.annotator)
            text = form_.pattern(composite, python_identifier(composite.name) + "_" + std::to_string(index), row);
        return part(composite.name, text, row, pattern_rows_);
    }

    std::string part(const std::string& name, const Result<std::string>& text, const std::string& row,
                     std::vector<std::string>& rows) {
        if (!text) {
            left_out_.push_back(name + ": " + text.error().message);
            return "";
        }
        if (!row.empty()) rows.push_back(row);
        return "\n\n" + *text;
    }

    const BackendDescription& backend_;
    const TvmForm& form_;
    std::vector<std::string> left_out_, op_rows_, pattern_rows_;
};

}  // namespace

Result<TvmPython> to_tvm_python(const BackendDescription& backend, const std::string& form) {
    if (backend.whole_graph) return error("whole_graph has no form in Python");
    if (!backend.transparent.empty()) return error("transparent has no form in Python");
    return TvmPythonWriter(backend, form == "tvm-relax" ? *tvm_relax_form() : *tvm_relay_form()).write();
}

}  // namespace partita
