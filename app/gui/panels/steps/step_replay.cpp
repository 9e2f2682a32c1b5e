#include "app/gui/panels/steps/step_replay.h"

#include <map>
#include <numeric>

namespace partita {

namespace {

class Replay {
public:
    explicit Replay(const FlowResult& flow)
        : flow_(flow), state_(freed_on_worker(std::make_unique<FlowResult>())), group_(flow.input->size()) {
        state_->input = flow.input;
        state_->backend_of.assign(flow.input->size(), -1);
        state_->region_of.assign(flow.input->size(), -1);
        std::iota(group_.begin(), group_.end(), 0u);
        placed_.assign(flow.input->size(), false);
    }

    void apply(const Decision& decision) {
        switch (decision.kind) {
            case DecisionKind::Accepted:
            case DecisionKind::Overridden:
            case DecisionKind::ByCost:
            case DecisionKind::Inherited: place(decision.subject, decision.backend); break;
            case DecisionKind::SizeLimit: place(decision.subject, -1); break;
            case DecisionKind::Merged: join(decision.subject, decision.other); break;
            case DecisionKind::WouldCloseCycle: refused_->push_back({decision.other, decision.subject}); break;
            default: break;
        }
    }

    ReplayedState finish() {
        std::vector<int32_t> number(group_.size(), -1);  // by root
        for (uint32_t i = 0; i < group_.size(); ++i) {
            if (!placed_[i] || state_->backend_of[i] < 0) continue;
            int32_t& region = number[root(i)];
            if (region < 0) {
                region = int32_t(state_->regions.size());
                state_->regions.emplace_back().backend = state_->backend_of[i];
            }
            state_->region_of[i] = region;
            state_->regions[size_t(region)].expressions.emplace_back(i);
        }
        name_backends();
        return {state_, refused_};
    }

private:
    void name_backends() {
        std::map<int, std::string> names;
        for (const RegionInfo& region : flow_.regions) names.try_emplace(region.backend, region.backend_name);
        for (RegionInfo& region : state_->regions) region.backend_name = names[region.backend];
    }

    void place(ExprId expr, int32_t backend) {
        if (!expr.valid()) return;
        state_->backend_of[expr.value] = int16_t(backend);
        placed_[expr.value] = true;
    }

    uint32_t root(uint32_t i) {
        while (group_[i] != i) i = group_[i] = group_[group_[i]];
        return i;
    }

    void join(ExprId a, ExprId b) {
        if (!a.valid() || !b.valid()) return;
        group_[root(b.value)] = root(a.value);
    }

    const FlowResult& flow_;
    std::shared_ptr<FlowResult> state_;
    std::shared_ptr<RefusedMerges> refused_ = std::make_shared<RefusedMerges>();
    std::vector<uint32_t> group_;
    std::vector<bool> placed_;
};

}  // namespace

ReplayedState replay(const FlowResult& flow, const StepsUpTo& steps) {
    Replay state(flow);
    const std::vector<Decision>& decisions = flow.log.decisions();
    for (size_t i = 0; i < decisions.size(); ++i)
        if (steps.holds(i)) state.apply(decisions[i]);
    return state.finish();
}

}  // namespace partita
