// What a division of a module costs by a table of measured costs, as a problem of labels that has an exact solution.
//
// A label is a backend: 0 for default, i + 1 for backend i. The cost of a division is the sum of
// - each operator's time on its backend: alone, or right after the operator that makes its first operand;
// - each value that is laid out anew, once for each layout: see layout_costs.h;
// - for each value and each other backend that uses it, one crossing; a region of the same backend counts as another
//   where regions were not merged.
// What depends on constants and weights alone is computed once before the runs, and costs nothing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/costs/cost_table.h"
#include "engine/flow/flow.h"
#include "engine/placement/cost_problem.h"

namespace partita {

using Labels = std::vector<uint16_t>;  ///< by operator of a CostModel

/// A division of a module as far as it decides the cost.
struct CostedDivision {
    Labels labels;
    std::vector<int32_t> regions;  ///< by operator; -1: default, or unknown and then one for each backend
};

/// A part of a cost, or of a difference of costs.
struct CostTerm {
    enum class Kind : uint8_t {
        Unit,      ///< the operator's time
        Crossing,  ///< a value goes from one backend to another, or from one region to another of its backend
        Layout,    ///< a value is laid out anew
    };
    Kind kind = Kind::Unit;
    uint32_t op = 0;            ///< the operator, or the one that makes the value, or uses it first if none does
    uint16_t from = 0, to = 0;  ///< labels; of a Unit both are its own
    double mb = 0;              ///< size of the value
    double ms = 0;

    auto operator<=>(const CostTerm&) const = default;
};

class CostModel {
public:
    /// An operand that is not the same in every run.
    struct Operand {
        uint32_t position;  ///< among the flattened operands
        uint32_t value;
    };
    struct Operator {
        ExprId expr;                 ///< in the flow's input
        std::string key;             ///< of the cost table
        int32_t before = -1;         ///< the operator that makes its first operand that is not a constant
        double mb = 0;               ///< size of operands and result
        double weight_mb = 0;        ///< of it: what is the same in every run
        std::vector<bool> accepted;  ///< by label
        std::vector<Operand> inputs;
        std::vector<int32_t> outputs;  ///< values by flattened result; -1: nothing uses it
        bool by_element = false;       ///< computes each element from those in the same place of `inputs`
    };
    /// A value that crosses if a user's backend is not its producer's.
    struct Value {
        int32_t producer = -1;  ///< -1: an input of the module
        double mb = 0;
        std::vector<uint32_t> users;  ///< operators, each once
        bool is_result = false;       ///< of the module: used by default, too
        std::string type;
    };

    /// Describes a module. `module` is the flow's input: typed, without control flow and regions, else an error says
    /// so. Runs the flow once for each backend to learn which operators its rules take.
    static Result<CostModel> make(const ModulePtr& module, const FlowOptions& flow);

    const std::vector<Operator>& operators() const { return operators_; }
    const std::vector<Value>& values() const { return values_; }
    uint16_t labels() const { return uint16_t(names_.size()); }
    const std::string& name(uint16_t label) const { return names_[label]; }

    /// Returns the divisions' operators in the flow's result.
    CostedDivision division_of(const FlowResult& flow) const;
    /// Returns the choice of a backend for every operator, including those that are computed once.
    Overrides overrides_of(const Labels& labels) const;
    /// Returns the labels of a choice; default for operators without one.
    Labels labels_of(const Overrides& overrides) const;
    /// Returns a name for the module's operators, how they are connected, and the backend of each.
    std::string division_key(const Labels& labels) const;
    /// Returns whether the rules allow these labels, each match of a pattern as a whole.
    bool allows(const Labels& labels) const;
    /// Puts operators that only a match makes acceptable back on default where the match is not whole.
    void make_allowed(Labels& labels) const;

    /// Returns the labels' problem. Its first variables are the operators.
    CostProblem problem(const CostTable& table) const;
    /// Returns what a division costs. At least what the problem's labels cost.
    double price(const CostTable& table, const CostedDivision& division) const;
    /// Calls each(value, from, to) for every crossing that the price counts.
    void each_crossing(const CostedDivision& division,
                       const std::function<void(const Value& value, uint16_t from, uint16_t to)>& each) const;
    /// Returns what a value of `mb` costs that crosses; between two regions of one backend, too.
    double crossing(const CostTable& table, uint16_t from, uint16_t to, double mb) const;
    /// Returns what an operator takes, alone or after the operator that makes its first operand. `layouts`: as UnitKey.
    double unit(const CostTable& table, uint32_t op, uint16_t label, bool after, const std::string& layouts = {}) const;
    /// Returns what a crossing is taken to cost before any was measured.
    static CrossingCost unmeasured_crossing(uint16_t from, uint16_t to);
    /// Returns the terms that add up to the price.
    std::vector<CostTerm> terms(const CostTable& table, const CostedDivision& division) const;

private:
    /// Operators that a backend takes as a whole or not at all.
    struct Match {
        uint16_t label;
        uint32_t needs;  ///< the operator that only the match makes acceptable
        std::vector<uint32_t> others;
    };
    friend class CostModelBuilder;

    void add_units(CostProblem& problem, const CostTable& table, const std::vector<bool>& has_time) const;
    void add_layout_terms(const CostTable& table, const CostedDivision& division, std::vector<CostTerm>& terms) const;
    void add_value(CostProblem& problem, const CostTable& table, const Value& value) const;

    std::vector<std::string> names_;
    std::vector<Operator> operators_;
    std::vector<Value> values_;
    std::vector<Match> matches_;
    std::vector<std::pair<ExprId, int32_t>> computed_once_;  ///< with the operator that uses it first, or -1
    std::vector<int32_t> operator_of_;                       ///< by ExprId
};

/// Returns the key of a call in a cost table: `nn.dense(Tensor[(128, 768), float32], weight Tensor[(768, 768),
/// float32]), units=768`. `fixed`: by argument, whether it is the same in every run.
std::string operator_key(const Module& module, ExprId call, const std::vector<bool>& fixed);

}  // namespace partita
