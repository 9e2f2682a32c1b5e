#include "engine/runtime/measuring_turns.h"

#include <algorithm>

#include "engine/runtime/timing.h"

namespace partita {

namespace {

constexpr double kWarmMs = 80;
constexpr int kFewestWarmups = 2;  ///< the first run also faults the memory in
constexpr size_t kBlocks = 5, kMostBlocks = 15;
constexpr double kBlockMs = 25;       ///< a block of short runs lasts so long
constexpr size_t kMostOfBlock = 200;  ///< counted runs
constexpr double kAgree = 0.04;       ///< medians of blocks that differ by less agree
constexpr double kLongestMs = 2500;   ///< of measuring on because they do not agree

}  // namespace

MeasuringTurns::MeasuringTurns(int warmup, int repeat, bool steady)
    : warmup_(std::max({warmup, steady ? kFewestWarmups : 0})), repeat_(std::max(repeat, 1)), steady_(steady),
      warm_(warmup_ == 0) {}

void MeasuringTurns::took(double ms) {
    phase_ms_ += ms;
    if (!warm_) return warmed();
    measuring_ms_ += ms;
    if (!resting_) counted(ms);
    if (steady_ && resting_ && phase_ms_ >= kBlockMs) end_block();
}

void MeasuringTurns::warmed() {
    ++warmups_;
    warm_ = warmups_ >= warmup_ && (!steady_ || phase_ms_ >= kWarmMs);
    if (warm_) phase_ms_ = 0;
}

void MeasuringTurns::counted(double ms) {
    ++measured_;
    if (!steady_) {
        done_ = measured_ >= repeat_;
        return;
    }
    block_.push_back(ms);
    const size_t fewest = (size_t(repeat_) + kBlocks - 1) / kBlocks;
    resting_ = block_.size() >= fewest && (block_.size() >= kMostOfBlock || phase_ms_ >= kBlockMs / 2);
}

void MeasuringTurns::end_block() {
    medians_.push_back(summarize_times(block_).median);
    block_.clear();
    resting_ = false;
    phase_ms_ = 0;
    if (medians_.size() < kBlocks) return;
    const auto [least, most] = std::minmax_element(medians_.begin(), medians_.end());
    done_ = *most - *least <= kAgree * *least || medians_.size() >= kMostBlocks || measuring_ms_ >= kLongestMs;
}

double MeasuringTurns::fraction() const {
    if (!steady_) return double(warmups_ + measured_) / double(warmup_ + repeat_);
    return std::min(1.0, double(medians_.size() + (warm_ ? 1 : 0)) / double(kBlocks + 1));
}

}  // namespace partita
