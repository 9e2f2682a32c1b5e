#include "engine/ir/tensor_statistics.h"

#include <algorithm>
#include <cmath>

#include "engine/ir/narrow_types.h"

namespace partita {

namespace {

constexpr int64_t kPart = 1 << 20;  ///< values between two looks at the cancel token
constexpr int64_t kFirst = 16;

/// Calls `visit` with each value as a double; false on cancel.
template <class Stored, class ToDouble, class Visit>
bool visit_all(const void* bytes, int64_t count, const CancelToken& cancel, ToDouble to_double, Visit visit) {
    const auto* values = static_cast<const Stored*>(bytes);
    for (int64_t begin = 0; begin < count; begin += kPart) {
        if (cancel.cancelled()) return false;
        const int64_t end = std::min(count, begin + kPart);
        for (int64_t i = begin; i < end; ++i) visit(double(to_double(values[i])));
    }
    return true;
}

template <class Visit>
bool visit_values(DataType dtype, const void* bytes, int64_t count, const CancelToken& cancel, const Visit& visit) {
    const auto plain = [&](auto of_type) {
        using T = decltype(of_type);
        return visit_all<T>(
            bytes, count, cancel, [](T value) { return value; }, visit);
    };
    if (!has_numbers(dtype)) return true;
    const bool is_signed = dtype.code == DataType::Code::Int;
    if (dtype.code == DataType::Code::BFloat) return visit_all<uint16_t>(bytes, count, cancel, bfloat_to_float, visit);
    if (dtype == kFloat16) return visit_all<uint16_t>(bytes, count, cancel, half_to_float, visit);
    if (dtype.is_narrow_float()) {
        const auto number = [&](uint8_t code) { return narrow_to_float(dtype, code); };
        return visit_all<uint8_t>(bytes, count, cancel, number, visit);
    }
    if (dtype.is_float()) return dtype.bits == 64 ? plain(double()) : plain(float());
    switch (dtype.bytes()) {
        case 1: return is_signed ? plain(int8_t()) : plain(uint8_t());
        case 2: return is_signed ? plain(int16_t()) : plain(uint16_t());
        case 4: return is_signed ? plain(int32_t()) : plain(uint32_t());
        default: return is_signed ? plain(int64_t()) : plain(uint64_t());
    }
}

size_t bin_of(double value, const TensorStatistics& statistics) {
    const double width = statistics.largest - statistics.least;
    if (!(width > 0)) return 0;
    const double place = (value - statistics.least) / width * double(TensorStatistics::kBins);
    return std::min(size_t(place), TensorStatistics::kBins - 1);
}

}  // namespace

std::optional<TensorStatistics> tensor_statistics(const Tensor& tensor, const CancelToken& cancel) {
    TensorStatistics found;
    found.count = tensor.size();
    const std::shared_ptr<const void> bytes = tensor.lent_bytes();
    double mean = 0, squares = 0;  // of Welford: no sum grows beyond the values
    int64_t finite = 0;
    const bool first_walk = visit_values(tensor.dtype(), bytes.get(), tensor.size(), cancel, [&](double value) {
        if (int64_t(found.first.size()) < kFirst) found.first.push_back(value);
        found.zeros += value == 0;
        if (!std::isfinite(value)) return void(++found.not_finite);
        found.least = finite == 0 ? value : std::min(found.least, value);
        found.largest = finite == 0 ? value : std::max(found.largest, value);
        const double away = value - mean;
        mean += away / double(++finite);
        squares += away * (value - mean);
    });
    if (!first_walk) return {};
    found.mean = mean;
    found.deviation = finite > 0 ? std::sqrt(squares / double(finite)) : 0;
    const bool second_walk = visit_values(tensor.dtype(), bytes.get(), tensor.size(), cancel, [&](double value) {
        if (std::isfinite(value)) ++found.histogram[bin_of(value, found)];
    });
    return second_walk ? std::optional(found) : std::nullopt;
}

}  // namespace partita
