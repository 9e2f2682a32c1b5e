// A module as the diff compares it: the graph of its operators alone. The view inlines functions that are called once
// and skips annotations, let-bound names and projections of known tuples, so that a module and its partitioned form are
// the same graph except for the backends. Internal to this folder.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/ir/module.h"

namespace partita {

struct FlatNode {
    ExprId expr;
    uint64_t label = 0;  ///< operator, attributes, constant; without the operands
    uint64_t name = 0;   ///< name of a var or a labelled expression; 0: none
    uint32_t operands_begin = 0, operand_count = 0;
    int32_t place = -1;  ///< index of its backend in FlatView::places; -1 default
};

class FlatView {
public:
    /// `known`: identities of constants that both modules have, which are compared without reading them.
    explicit FlatView(const Module& module, std::unordered_set<uint64_t> known = {});
    /// Returns the identities of a module's constants (Tensor::identity), as far as they are known.
    static std::unordered_set<uint64_t> identities(const Module& module);

    const Module& module() const { return module_; }
    /// Returns the nodes, operands before users.
    const std::vector<FlatNode>& nodes() const { return nodes_; }
    std::span<const uint32_t> operands(uint32_t node) const {
        return {operands_.data() + nodes_[node].operands_begin, nodes_[node].operand_count};
    }
    /// A use of a node: user and operand index. The outputs of functions that are not inlined count as users, too: see
    /// `outputs`.
    struct Use {
        uint32_t user, index;
    };
    std::span<const Use> users(uint32_t node) const {
        return {uses_.data() + uses_begin_[node], uses_begin_[node + 1] - uses_begin_[node]};
    }
    struct Output {
        std::string function;
        uint32_t index;  ///< index of a tuple's field
        uint32_t node;
    };
    const std::vector<Output>& outputs() const { return outputs_; }
    /// Returns the backend of a node, or "default".
    std::string_view place(uint32_t node) const {
        return nodes_[node].place < 0 ? std::string_view("default")
                                      : std::string_view(places_[size_t(nodes_[node].place)]);
    }
    /// Returns whether a node and its k-th operand go to one backend with no boundary between them.
    bool in_one_region(uint32_t node, uint32_t k) const;
    /// Returns the node of an expression, or of the one it stands for; -1 if there is none.
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
    /// Returns the annotation between a node and this operand; invalid if there is none.
    ExprId mark_on_the_way(ExprId operand) const;
    /// Returns the backend of that annotation; -1 default, -2 if there is none.
    int32_t place_on_the_way(ExprId operand);
    void index_uses();

    const Module& module_;
    const std::unordered_set<uint64_t> known_;
    std::vector<ExprId> alias_;        ///< by expression; invalid: itself. Compressed by use
    std::vector<ExprId> first_alias_;  ///< before compression: holds what lies on the paths
    std::vector<ExprId> let_values_;
    std::vector<int32_t> node_of_;   ///< by expression
    std::vector<int32_t> place_of_;  ///< by expression, from the enclosing functions
    std::vector<ExprId> region_of_;  ///< by expression: the enclosing function with a compiler
    std::vector<ExprId> roots_;      ///< functions that are not inlined
    std::vector<std::string> root_names_;
    std::vector<FlatNode> nodes_;
    std::vector<uint32_t> operands_;
    std::vector<bool> parted_;  ///< parallel to operands_: an annotation lies between
    std::vector<uint32_t> uses_begin_;
    std::vector<Use> uses_;
    std::vector<Output> outputs_;
    std::vector<std::string> places_;
    std::unordered_map<std::string, int32_t> place_numbers_;  ///< by name: index into places_
};

}  // namespace partita
