#include "app/gui/document/flow_explanations.h"

#include <algorithm>
#include <utility>

namespace partita {

bool FlowExplanations::answersAtOnce() const {
    const auto asks = [](const BackendDescription& backend) { return backend.running != nullptr; };
    if (std::any_of(backends_.begin(), backends_.end(), asks)) return false;
    if (flow_->input->size() <= kExplainedAtOnce) return true;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    return lock && explainer_;
}

bool FlowQuestions::prepare() {
    const FlowPtr flow = document_.flow();
    if (!flow) return false;
    if (explanations_ && explanations_->flow() == flow) return true;
    if (!document_.flowIsCurrent()) return false;
    explanations_ =
        std::make_shared<FlowExplanations>(flow, flow_options(document_.choice(), document_.annotated(), {}).backends);
    return true;
}

void FlowQuestions::cancel() {
    if (job_) document_.jobs().cancel(std::exchange(job_, 0));
}

}  // namespace partita
