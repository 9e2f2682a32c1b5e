// A learner's guess of a graph's regions held against what the program makes of it: which are right, and for each
// difference the reason, from the same explanations as the inspector's. Values only; runs on a worker.
#pragma once

#include <vector>

#include <QString>

#include "engine/flow/flow_choice.h"

namespace partita {

/// Operators by region, as a person marked them. Each operator is in one region at most.
using MarkedRegions = std::vector<std::vector<ExprId>>;

struct PredictionFinding {
    enum class Kind : uint8_t {
        Right,     ///< a marked region is one of the program's
        NotTaken,  ///< marked, but no backend takes it
        Apart,     ///< marked as one region, but they are in two
        Together,  ///< marked as two regions, but they are one
        Missed,    ///< not marked, but a backend takes them
    };
    Kind kind = Kind::Right;
    std::vector<ExprId> operators;  ///< what it is about
    QString text;                   ///< a sentence with the reason
};

struct PredictionResult {
    std::vector<PredictionFinding> findings;  ///< right ones first
    MarkedRegions regions;                    ///< the program's, operators only
    std::shared_ptr<const FlowResult> flow;
    int right = 0;  ///< regions that were marked exactly

    bool all_right() const { return right == int(regions.size()) && size_t(right) == findings.size(); }
};

/// "A", "B", ... "Z", "AA": how the program's regions are called beside the learner's numbers.
QString region_letter(size_t index);

/// Divides the module by the choice's backends, annotated and merged, and compares. Costs a flow, and a search for the
/// reason of each of at most some tens of differences.
Result<PredictionResult> compare_prediction(const ModulePtr& module, const FlowChoice& choice, bool annotated,
                                            const MarkedRegions& marked, const CancelToken& cancel);

}  // namespace partita
