// Rules and patterns as text in Python. What is the same in all of TVM's forms stands here; a form says the rest.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/rules/pattern.h"
#include "engine/rules/rule_program.h"

namespace partita {

/// A text as a literal of Python: whatever it holds stays text.
std::string python_text(std::string_view text);
/// A name of anything as an identifier.
std::string python_identifier(std::string_view name);

/// What a rule calls a node of its pattern.
struct PythonName {
    std::string text;              ///< "": Python can't reach it
    const OpRecord* op = nullptr;  ///< that the node calls, where that is known
};

/// A rule as an expression in Python.
class PythonRuleWriter {
public:
    PythonRuleWriter(const RuleProgram& program, const std::vector<PythonName>& bound)
        : program_(program), bound_(bound) {}
    virtual ~PythonRuleWriter() = default;

    /// Refuses by name what the form has no words for.
    Result<std::string> write();

protected:
    virtual std::string subject() const { return "call"; }
    virtual std::string field(const RuleNode& at) = 0;
    virtual std::string op_name(const RuleNode& at) = 0;
    virtual std::string arguments(const RuleNode& at) = 0;
    virtual std::string own_attribute(const RuleNode& at, const std::string& name) = 0;
    virtual std::string named_attribute(const RuleNode& at) = 0;

    const RuleNode& node(uint32_t id) const { return program_.nodes[id]; }
    std::string child(const RuleNode& at, uint32_t index) { return expression(program_.child(at, index)); }
    /// The expression that a field, `op`, `attrs` or `args` is of: the call where none is named.
    std::string owner(const RuleNode& at) { return at.child_count ? child(at, 0) : subject(); }
    /// Notes that there are no words for it.
    std::string lack(const RuleNode& at);

    const RuleProgram& program_;
    const std::vector<PythonName>& bound_;

private:
    std::string joined(const RuleNode& at, const char* between);
    std::string constant(const RuleValue& value);
    std::string loop(const RuleNode& at, const char* function);
    std::string relation(const RuleNode& at);
    std::string aggregate(const RuleNode& at);
    std::string expression(uint32_t id);

    std::string lacks_;
};

/// Parses and checks a rule for a form's writer.
template <typename Writer>
Result<std::string> python_rule(const std::string& text, const RuleContext& context,
                                const std::vector<PythonName>& bound) {
    Result<std::unique_ptr<RuleProgram>> program = parse_rule(text);
    if (!program) return program.error();
    (*program)->context = context;
    if (Status checked = check_rule(**program); !checked) return checked.error();
    return Writer(**program, bound).write();
}

/// A pattern as statements that end in its expression.
class PythonPatternWriter {
public:
    explicit PythonPatternWriter(const Pattern& pattern);
    virtual ~PythonPatternWriter() = default;

    /// Refuses by name what the form has no words for.
    Result<std::string> write(std::string& statements);

protected:
    virtual std::string expression(uint32_t id) = 0;

    /// `expression`, or the variable that stands for it: what is used more than once is the same node.
    std::string part(uint32_t id);
    const std::string& variable_of(uint32_t id) const { return variables_.at(id); }
    std::string list(const PatternNode& node, size_t from);
    /// `2f`, `1i64`, `True` as a call of `function`.
    std::string literal(uint32_t id, const char* function) const;
    static std::string attribute_test(const PatternNode& node);
    std::string lack(uint32_t id);
    const PatternNode& node(uint32_t id) const { return pattern_.nodes()[id]; }
    const OpRecord* op_of(const PatternNode& call) const;

    const Pattern& pattern_;
    std::vector<int> uses_;  ///< by node

private:
    std::map<uint32_t, std::string> variables_;
    std::string statements_, lacks_;
};

}  // namespace partita
