// A module as the diff compares it: the graph of its operators alone. Annotations, tuples that are taken apart again,
// let-bound names and functions that are called once are looked through, so that a module and its partitioned form are
// the same graph but for the backends. Not part of the room's face.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

struct FlatNode {
    ExprId expr;
    uint64_t label = 0;  ///< operator, attributes, constant; not the operands
    uint64_t name = 0;   ///< of a var or a labelled expression; 0: none
    uint32_t operands_begin = 0, operand_count = 0;
    int32_t place = -1;  ///< index into FlatView::places: the backend it is in; -1 default
};

class FlatView {
public:
    explicit FlatView(const Module& module);

    const Module& module() const { return module_; }
    /// Operands before users.
    const std::vector<FlatNode>& nodes() const { return nodes_; }
    std::span<const uint32_t> operands(uint32_t node) const {
        return {operands_.data() + nodes_[node].operands_begin, nodes_[node].operand_count};
    }
    /// What uses a node: user and operand index. The outputs of functions that are not looked through are users, too:
    /// see `outputs`.
    struct Use {
        uint32_t user, index;
    };
    std::span<const Use> users(uint32_t node) const {
        return {uses_.data() + uses_begin_[node], uses_begin_[node + 1] - uses_begin_[node]};
    }
    struct Output {
        std::string function;
        uint32_t index;  ///< of a tuple's fields
        uint32_t node;
    };
    const std::vector<Output>& outputs() const { return outputs_; }
    /// The backend of a node, or "default".
    std::string_view place(uint32_t node) const {
        return nodes_[node].place < 0 ? std::string_view("default")
                                      : std::string_view(places_[size_t(nodes_[node].place)]);
    }
    /// Whether a node and its k-th operand go to one backend without a boundary between them.
    bool in_one_region(uint32_t node, uint32_t k) const;
    /// The node that an expression is, or that stands for it; -1 where there is none.
    int64_t node_of(ExprId expr) const;

private:
    void find_aliases();
    void place_functions(std::span<const ExprId> order);
    ExprId resolve(ExprId id);
    ExprId step(ExprId id) const;
    void walk(ExprId root);
    void add_node(ExprId id, std::span<const uint32_t> operands);
    uint64_t label_of(ExprId id) const;
    uint64_t name_of(ExprId id) const;
    int32_t place_index(std::string_view name);
    void mark_places();
    /// The annotation that lies between a node and what it reads; invalid where none does.
    ExprId mark_on_the_way(ExprId operand) const;
    /// The backend of that annotation; -1 default, -2 where there is none.
    int32_t place_on_the_way(ExprId operand);
    void index_uses();

    const Module& module_;
    std::vector<ExprId> alias_;        ///< by expression; invalid: itself. Paths get shorter as they are used
    std::vector<ExprId> first_alias_;  ///< before they get shorter: what lies on them
    std::vector<ExprId> let_values_;
    std::vector<int32_t> node_of_;   ///< by expression
    std::vector<int32_t> place_of_;  ///< by expression, from the functions round it
    std::vector<ExprId> region_of_;  ///< by expression: the function with a compiler that it stands in
    std::vector<ExprId> roots_;      ///< functions that are not looked through
    std::vector<std::string> root_names_;
    std::vector<FlatNode> nodes_;
    std::vector<uint32_t> operands_;
    std::vector<bool> parted_;  ///< in step with operands_: an annotation lies between
    std::vector<uint32_t> uses_begin_;
    std::vector<Use> uses_;
    std::vector<Output> outputs_;
    std::vector<std::string> places_;
    std::unordered_map<std::string, int32_t> place_numbers_;  ///< by name: index into places_
};

}  // namespace partita
