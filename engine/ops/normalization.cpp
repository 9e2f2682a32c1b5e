#include "engine/ops/normalization.h"

#include <algorithm>
#include <cmath>

namespace partita {

namespace {

/// The start of a run along the last of the inner axes: in the data, the statistics, and gamma.
struct RowPlace {
    int64_t data = 0, statistic = 0, channel = 0;
};

/// The axes after the outermost kept ones, visited row by row.
class InnerLoops {
public:
    explicit InnerLoops(std::vector<NormalizationAxis> axes) : axes_(std::move(axes)) {
        if (axes_.empty()) axes_.push_back({1, true, 0});
        data_strides_.resize(axes_.size());
        statistic_strides_.resize(axes_.size());
        for (size_t d = axes_.size(); d-- > 0;) {
            data_strides_[d] = size_;
            size_ *= axes_[d].extent;
            statistic_strides_[d] = axes_[d].reduced ? 0 : statistics_;
            if (axes_[d].reduced) reduced_ *= axes_[d].extent;
            else statistics_ *= axes_[d].extent;
        }
    }

    int64_t size() const { return size_; }
    int64_t statistics() const { return statistics_; }
    /// Returns the number of elements of one statistic.
    int64_t reduced() const { return reduced_; }
    int64_t row_length() const { return axes_.back().extent; }
    int64_t statistic_step() const { return statistic_strides_.back(); }
    int64_t channel_step() const { return axes_.back().channel_stride; }

    template <class Body>
    void for_each_row(const Body& body) const {
        if (size_ == 0) return;
        int64_t rows = size_ / row_length();
        for (int64_t row = 0; row < rows; ++row) {
            RowPlace place;
            int64_t rest = row;
            for (size_t d = axes_.size() - 1; d-- > 0;) {
                int64_t index = rest % axes_[d].extent;
                rest /= axes_[d].extent;
                place.data += index * data_strides_[d];
                place.statistic += index * statistic_strides_[d];
                place.channel += index * axes_[d].channel_stride;
            }
            body(place);
        }
    }

private:
    std::vector<NormalizationAxis> axes_;
    std::vector<int64_t> data_strides_, statistic_strides_;
    int64_t size_ = 1, statistics_ = 1, reduced_ = 1;
};

/// Adds term(element, statistic) over every element of a part to the statistics.
template <class T, class Term>
void sum_terms(const InnerLoops& loops, const T* data, std::vector<double>& sums, const Term& term) {
    int64_t step = loops.statistic_step(), length = loops.row_length();
    std::fill(sums.begin(), sums.end(), 0.0);
    loops.for_each_row([&](const RowPlace& place) {
        const T* row = data + place.data;
        if (step == 0) {
            double sum = 0;
            for (int64_t i = 0; i < length; ++i) sum += term(double(row[i]), place.statistic);
            sums[size_t(place.statistic)] += sum;
        } else {
            for (int64_t i = 0; i < length; ++i)
                sums[size_t(place.statistic + i * step)] += term(double(row[i]), place.statistic + i * step);
        }
    });
}

template <class T>
void normalize_part(const Normalization<T>& normalization, const InnerLoops& loops, const T* data, T* result,
                    int64_t first_channel) {
    std::vector<double> means(static_cast<size_t>(loops.statistics()), 0.0), factors(means.size());
    if (normalization.kind == NormalizationKind::Standardize) {
        sum_terms(loops, data, means, [](double x, int64_t) { return x; });
        for (double& mean : means) mean /= double(loops.reduced());
        sum_terms(loops, data, factors, [&means](double x, int64_t statistic) {
            double difference = x - means[size_t(statistic)];
            return difference * difference;
        });
    } else {
        sum_terms(loops, data, factors, [](double x, int64_t) { return x * x; });
    }
    const bool is_length = normalization.kind == NormalizationKind::UnitLength;
    for (double& factor : factors)
        factor = 1 / std::sqrt(is_length ? std::max(factor, normalization.epsilon)
                                         : factor / double(loops.reduced()) + normalization.epsilon);
    loops.for_each_row([&](const RowPlace& place) {
        for (int64_t i = 0; i < loops.row_length(); ++i) {
            size_t statistic = size_t(place.statistic + i * loops.statistic_step());
            int64_t channel = first_channel + place.channel + i * loops.channel_step();
            double value = (double(data[place.data + i]) - means[statistic]) * factors[statistic];
            if (normalization.gamma) value *= double(normalization.gamma[channel]);
            if (normalization.beta) value += double(normalization.beta[channel]);
            result[place.data + i] = T(value);
        }
    });
}

}  // namespace

template <class T>
void normalize(const Normalization<T>& normalization, ThreadPool& threads) {
    const std::vector<NormalizationAxis>& axes = normalization.axes;
    size_t kept =
        size_t(std::find_if(axes.begin(), axes.end(), [](const auto& axis) { return axis.reduced; }) - axes.begin());
    InnerLoops loops(std::vector<NormalizationAxis>(axes.begin() + ptrdiff_t(kept), axes.end()));
    int64_t parts = 1;
    for (size_t d = 0; d < kept; ++d) parts *= axes[d].extent;
    int64_t grain = std::max<int64_t>(1, 8192 / std::max<int64_t>(1, loops.size()));
    threads.parallel_for(parts, grain, [&](int64_t begin, int64_t end) {
        for (int64_t part = begin; part < end; ++part) {
            int64_t channel = 0, rest = part;
            for (size_t d = kept; d-- > 0;) {
                channel += rest % axes[d].extent * axes[d].channel_stride;
                rest /= axes[d].extent;
            }
            normalize_part(normalization, loops, normalization.data + part * loops.size(),
                           normalization.result + part * loops.size(), channel);
        }
    });
}

template void normalize(const Normalization<float>&, ThreadPool&);
template void normalize(const Normalization<double>&, ThreadPool&);

}  // namespace partita
