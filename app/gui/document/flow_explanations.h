// A flow's explainer with what it is about: the flow and the descriptions that it was made with.
#pragma once

#include "app/gui/document/document.h"
#include "engine/explain/explain.h"

namespace partita {

/// Belongs to one thread at a time.
struct FlowExplanations {
    /// Costs a walk over the module.
    FlowExplanations(FlowPtr of, std::vector<BackendDescription> with)
        : flow(std::move(of)), backends(std::move(with)), explainer(*flow, backends) {}

    const FlowPtr flow;
    const std::vector<BackendDescription> backends;
    FlowExplainer explainer;
};
using FlowExplanationsPtr = std::shared_ptr<FlowExplanations>;

/// The descriptions that the document's flow was made with; call it where the flow is current.
inline std::vector<BackendDescription> backends_of_flow(const Document& document) {
    return flow_options(document.choice(), document.annotated(), {}).backends;
}
/// Modules up to this size are explained at once; for larger ones a worker makes the explainer.
inline constexpr size_t kExplainedAtOnce = 20000;

}  // namespace partita
