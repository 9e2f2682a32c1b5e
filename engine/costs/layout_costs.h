// What layouts of values cost, by a table: backends that plan a run as a whole leave values in layouts of their own
// from operator to operator, and lay a value out anew only where an operator takes another layout than it has.
//
// The table tells, for each operator on each backend, which layouts it takes and makes for those it is given. Given the
// backends of all operators, the layouts of all values follow, from the inputs, which are row-major, to the results.
// What the table does not tell is taken to be as in what is nearest.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/costs/cost_model.h"

namespace partita {

/// A layout, as a number of one LayoutCosts; 0 is row-major.
using LayoutId = uint16_t;

/// How an operator takes and makes its values: by operand that differs from run to run, and by result.
struct OperatorLayouts {
    std::vector<LayoutId> given, taken, made;
};

/// The layouts that follow from the backends of all operators.
struct DivisionLayouts {
    std::vector<OperatorLayouts> operators;
    std::vector<LayoutId> of_value;
    /// The value that is laid out anew, from what it is to another layout. Once, whatever the number of users.
    struct Change {
        uint32_t value;
        int32_t user;  ///< an operator that takes it so; -1: it is a result of the module
        LayoutId to;
    };
    std::vector<Change> changes;
};

class LayoutCosts {
public:
    /// Both outlive this.
    LayoutCosts(const CostModel& model, const CostTable& table);

    /// Returns whether the table knows of any layout but row-major for this model.
    bool any() const { return any_; }
    const std::string& name(LayoutId layout) const { return names_[layout]; }

    OperatorLayouts layouts_of(uint32_t op, uint16_t label, const std::vector<LayoutId>& given) const;
    DivisionLayouts lay_out(const Labels& labels) const;
    /// Returns what an operator takes, alone or after the operator that makes its first operand.
    double unit(uint32_t op, uint16_t label, bool after, const OperatorLayouts& layouts) const;
    double change(uint32_t value, LayoutId from, LayoutId to) const;

private:
    bool number_all(const std::vector<std::string>& layouts, std::vector<LayoutId>& numbers);
    void read_rules();
    const std::vector<OperatorLayouts>& rules(uint32_t op, uint16_t label) const {
        return rules_[op * model_.labels() + label];
    }
    OperatorLayouts guess(uint32_t op, uint16_t label, const std::vector<LayoutId>& given) const;
    static OperatorLayouts keeping(OperatorLayouts layouts);
    static OperatorLayouts like(const std::vector<OperatorLayouts>& known, OperatorLayouts layouts);
    std::string text_of(const OperatorLayouts& layouts) const;

    const CostModel& model_;
    const CostTable& table_;
    bool any_ = false;
    std::vector<std::string> names_ = {""};
    std::map<std::string, LayoutId> numbers_ = {{"", 0}};
    std::vector<std::vector<OperatorLayouts>> rules_;  ///< by operator and label
    /// By operator's name, label and layouts that are given; nothing where its operators differ.
    std::map<std::tuple<std::string, uint16_t, std::vector<LayoutId>>, std::optional<OperatorLayouts>> by_name_;
    std::vector<bool> plans_;  ///< by label: whether values have layouts there
};

/// Adds to a problem whose first variables are the operators what they take in their layouts, and what laying values
/// out anew costs. Returns, by operator, whether its time is in: those that know row-major alone are left out.
std::vector<bool> add_layouts(CostProblem& problem, const CostModel& model, const LayoutCosts& layouts);

}  // namespace partita
