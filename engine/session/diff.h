// The differences between two modules as text: the interface of engine/diff to the window and the command line.
#pragma once

#include <optional>
#include <string>

#include "engine/diff/module_diff.h"
#include "engine/flow/flow.h"
#include "engine/flow/names.h"

namespace partita {

/// A side of a comparison. Passes number calls anew: what stands for an operator of the module that they started from
/// has its name there, as every other command calls it.
class DiffedModule {
public:
    DiffedModule(const Module& module, const Module* started_from = nullptr);
    /// What a flow made last.
    explicit DiffedModule(const FlowResult& flow) : DiffedModule(*flow.last(), flow.input.get()) {}

    const Module& module() const { return own_.module(); }
    std::string name(ExprId id) const;
    uint32_t number(ExprId id) const;

private:
    /// What it stands for; invalid: its own name counts.
    ExprId first(ExprId id) const;

    ExpressionNames own_;
    std::optional<ExpressionNames> first_;
};

/// Returns a line for each difference and a summary: `- relu #3` removed, `+ tanh #4` added, `~ softmax #5: axis: 1 →
/// 0` changed. Those that are alike in the blocks of a deep model are one line, the first of them: `~ in each of 12
/// blocks: nn.softmax #31: backend: dnnl → default`. `affected`: includes operators of which only the type differs.
std::string diff_text(const ModuleDiff& diff, const DiffedModule& before, const DiffedModule& after,
                      bool affected = false);
/// Returns the summary, such as "2 added, 1 removed, 3 changed, 40 the same".
std::string diff_summary(const ModuleDiff& diff);

}  // namespace partita
