#include "engine/backends/dnnl/integer_chain.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace partita::onednn {

namespace {

constexpr double kUnlimited = 1e300;

}  // namespace

bool IntegerChainBuilder::is_exact(int64_t limit) const {
    return std::all_of(largest_.begin(), largest_.end(), [limit](int64_t largest) { return largest < limit; });
}

bool IntegerChainBuilder::append(dnnl::algorithm algorithm, float alpha, float beta) {
    // oneDNN 2.6 gives two operations of one algorithm the same constants.
    if (std::find(used_.begin(), used_.end(), algorithm) != used_.end()) return false;
    used_.push_back(algorithm);
    post_ops_.append_eltwise(1, algorithm, alpha, beta);
    return true;
}

bool IntegerChainBuilder::append_offset() {
    float offset = float(offset_);
    offset_ = 0;
    return offset == 0 || append(dnnl::algorithm::eltwise_linear, 1, offset);
}

bool IntegerChainBuilder::add(std::vector<int64_t> values) {
    if (shifted_ || converted_ || (values.size() != 1 && values.size() != largest_.size())) return false;
    for (size_t c = 0; c < largest_.size(); ++c) largest_[c] += std::abs(values[values.size() == 1 ? 0 : c]);
    if (!is_exact(kExactInFloat)) return false;
    low_ = -kUnlimited;
    high_ = kUnlimited;
    if (used_.empty()) {
        for (size_t c = 0; c < bias_.size(); ++c) bias_[c] += values[values.size() == 1 ? 0 : c];
        biased_ = true;
        return true;
    }
    if (values.size() != 1) return false;
    offset_ += values[0];  // a following shift may include it
    return true;
}

bool IntegerChainBuilder::relu() {
    low_ = std::max(low_, 0.0);
    return !converted_ && append_offset() && append(dnnl::algorithm::eltwise_relu, 0, 0);
}

bool IntegerChainBuilder::clip(double low, double high) {
    if (converted_ || std::floor(low) != low || std::floor(high) != high ||
        std::max(std::fabs(low), std::fabs(high)) >= double(kExactInFloat))
        return false;
    low_ = std::max(low, std::min(low_, high));
    high_ = std::min(high, std::max(high_, low));
    return append_offset() && append(dnnl::algorithm::eltwise_clip, float(low), float(high));
}

bool IntegerChainBuilder::shift_right(int64_t bits) {
    if (shifted_ || converted_ || bits < 1 || bits > 24 || !is_exact(kExactInFloat / 2)) return false;
    double unit = std::ldexp(1.0, int(-bits)), beta = double(offset_) * unit - 0.5 + unit / 2;
    offset_ = 0;
    shifted_ = true;
    low_ = -kUnlimited;
    high_ = kUnlimited;
    return double(float(beta)) == beta && append(dnnl::algorithm::eltwise_linear, float(unit), float(beta));
}

bool IntegerChainBuilder::convert(double lowest, double highest) {
    if (converted_ || low_ < lowest || high_ > highest) return false;
    converted_ = true;
    return append_offset();
}

std::optional<IntegerChain> IntegerChainBuilder::finish() {
    if (!append_offset()) return std::nullopt;
    IntegerChain chain;
    if (biased_) chain.bias.assign(bias_.begin(), bias_.end());
    chain.post_ops = post_ops_;
    return chain;
}

}  // namespace partita::onednn
