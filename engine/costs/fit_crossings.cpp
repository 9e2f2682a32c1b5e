#include "engine/costs/fit_crossings.h"

#include <algorithm>
#include <utility>

namespace partita {

namespace {

/// Least squares without negative coefficients, drawn a little towards expected values; by coordinate descent.
class NonNegativeFit {
public:
    explicit NonNegativeFit(std::vector<double> expected) : expected_(std::move(expected)), found_(expected_) {}

    /// A row: sum of features times coefficients should be `target`. Rows count by 1 / weight.
    void add(std::vector<double> features, double target, double weight) {
        for (double& feature : features) feature /= weight;
        rows_.push_back({std::move(features), target / weight});
    }

    const std::vector<double>& solve() {
        constexpr int kRounds = 300;
        constexpr double kPull = 0.01;  // of an expected value, against a relative error of 1
        for (int round = 0; round < kRounds; ++round)
            for (size_t k = 0; k < found_.size(); ++k) {
                // Relative to what was found: between processes a crossing may take a hundred times what was expected.
                const double size = std::max(expected_[k], found_[k]);
                const double pull = kPull / (size * size);
                double above = pull * expected_[k], below = pull;
                for (const Row& row : rows_) {
                    above += row.features[k] * (row.target - sum(row) + row.features[k] * found_[k]);
                    below += row.features[k] * row.features[k];
                }
                found_[k] = std::max(0.0, above / below);
            }
        return found_;
    }

private:
    struct Row {
        std::vector<double> features;
        double target;
    };
    double sum(const Row& row) const {
        double sum = 0;
        for (size_t k = 0; k < found_.size(); ++k) sum += row.features[k] * found_[k];
        return sum;
    }

    std::vector<double> expected_, found_;
    std::vector<Row> rows_;
};

}  // namespace

void fit_crossings(const CostModel& model, std::span<const MeasuredDivision> runs, CostTable& table) {
    std::vector<std::pair<uint16_t, uint16_t>> pairs;
    std::vector<double> expected;
    CostTable without = table;
    for (uint16_t from = 0; from < model.labels(); ++from)
        for (uint16_t to = 0; to < model.labels(); ++to) {
            without.crossings[{model.name(from), model.name(to)}] = {};
            if (from == 0 && to == 0) continue;
            const CrossingCost copy = CostModel::unmeasured_crossing(from, to);
            pairs.emplace_back(from, to);
            expected.push_back(copy.ms);
            expected.push_back(copy.ms_per_mb);
        }
    NonNegativeFit fit(std::move(expected));
    for (const MeasuredDivision& run : runs) {
        std::vector<double> features(2 * pairs.size());
        model.each_crossing(run.division, [&](const CostModel::Value& value, uint16_t from, uint16_t to) {
            const size_t at = size_t(std::find(pairs.begin(), pairs.end(), std::pair(from, to)) - pairs.begin());
            features[2 * at] += 1;
            features[2 * at + 1] += value.mb;
        });
        fit.add(std::move(features), run.ms - model.price(without, run.division), run.ms);
    }
    const std::vector<double>& found = fit.solve();
    for (size_t i = 0; i < pairs.size(); ++i)
        table.crossings[{model.name(pairs[i].first), model.name(pairs[i].second)}] = {found[2 * i], found[2 * i + 1]};
}

}  // namespace partita
