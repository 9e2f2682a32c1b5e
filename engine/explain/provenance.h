// Where an operator came from, and what became of it, over the stages of a flow.
//
// The stages are called "opened" (as it was read: only if it was rewritten then), "input" (what the flow started from),
// as FlowResult calls them, and "partitioned".
//
// Building the index costs a walk over each stage, a question a search in each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/flow/flow.h"

namespace partita {

/// An expression of a stage.
struct StagePlace {
    ExprId expr;                   ///< in the stage's module
    std::string name;              ///< of its operator, or of the composite that it calls, or of its kind
    std::string function;          ///< the global function in which it stands
    std::string composite;         ///< the composite inside which it stands; "" for none
    SourcePosition position = {};  ///< in the text that was read; of "opened" and "input" only
    std::string label = {};        ///< its name in an ONNX model; of "opened" and "input" only
    std::string stated = {};       ///< its operator in the file, and the user's line that made it, as far as it says so
};
struct StagePlaces {
    std::string stage;
    std::vector<StagePlace> places;  ///< none: nothing of it is left
};

class Provenance {
public:
    /// `opened`: what the flow's input was rewritten from; null if that is what was read.
    /// `operators` are those of the file; null: it states none.
    Provenance(const FlowResult& flow, ModulePtr opened, std::shared_ptr<const FileOperators> operators = nullptr);

    const ModulePtr& opened() const { return opened_; }
    /// Returns the stages that were made, in order, with what an expression of the input is there.
    std::vector<StagePlaces> of(ExprId expr) const;
    /// Returns the other expressions of the input that came from the same one of the opened module.
    std::vector<ExprId> siblings(ExprId expr) const;

private:
    struct Entry {
        ExprId origin, expr;
        NameId function;
        ExprId composite;  ///< the function literal; invalid for none
        bool operator<(const Entry& other) const {
            return origin != other.origin ? origin < other.origin : expr < other.expr;
        }
    };
    struct Stage {
        std::string name;
        ModulePtr module;
        std::vector<Entry> entries;  ///< by origin
    };
    void add(const std::string& name, const ModulePtr& module);
    StagePlace place(const Stage& stage, const Entry& entry) const;

    std::shared_ptr<const FileOperators> operators_;
    ModulePtr opened_;
    ModulePtr input_;
    std::vector<Stage> stages_;
    std::vector<std::pair<ExprId, ExprId>> by_source_;  ///< source and expression of the input, if there is `opened_`
};

}  // namespace partita
