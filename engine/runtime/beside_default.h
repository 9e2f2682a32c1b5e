// A region that runs on its backend and on `default` with the same inputs. The results of `default` are passed on,
// those of the backend are kept.
#pragma once

#include <algorithm>
#include <deque>

#include "engine/program/backend.h"

namespace partita {

class RegionBesideDefault : public CompiledRegion {
public:
    RegionBesideDefault(std::unique_ptr<CompiledRegion> own, std::unique_ptr<CompiledRegion> reference)
        : own_(std::move(own)), reference_(std::move(reference)) {}

    Status run(const RegionRun& run) override {
        std::vector<Tensor> outputs;
        std::vector<TensorView> views;
        for (const TensorView& view : run.outputs)
            outputs.emplace_back(view.dtype, std::vector<int64_t>(view.shape.begin(), view.shape.end()));
        for (Tensor& output : outputs) views.push_back({output.bytes(), output.dtype(), output.shape()});
        const RegionRun own{run.inputs, views, run.threads, nullptr, run.cancel, run.workspace};
        if (Status done = own_->run(own); !done) return done;
        kept_.push_back(std::move(outputs));
        return reference_->run(run);
    }
    size_t workspace_bytes() const override { return std::max(own_->workspace_bytes(), reference_->workspace_bytes()); }
    std::vector<std::string> notices() const override { return own_->notices(); }
    bool fell_back() const override { return own_->fell_back(); }

    /// Returns the backend's results of the oldest call that has not been taken yet.
    std::vector<Tensor> take_outputs() {
        if (kept_.empty()) return {};
        std::vector<Tensor> outputs = std::move(kept_.front());
        kept_.pop_front();
        return outputs;
    }

private:
    std::unique_ptr<CompiledRegion> own_, reference_;
    std::deque<std::vector<Tensor>> kept_;
};

}  // namespace partita
