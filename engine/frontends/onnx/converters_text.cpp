// TfIdfVectorizer over numbers: counts the n-grams of a pool in a sequence (Operators.md of ONNX 1.12).
#include <algorithm>

#include "engine/frontends/onnx/converter.h"

namespace partita::onnx {

namespace {

using Exprs = std::vector<ExprId>;

/// The most comparisons of one length and skip, all of which are in memory at once.
constexpr int64_t kMostComparisons = int64_t(1) << 28;
constexpr int64_t kMostColumns = int64_t(1) << 24;

/// The n-grams of one length: `grams[k]` holds the k-th element of each.
struct Pool {
    std::vector<Integers> grams;
    int64_t count() const { return int64_t(grams[0].size()); }
};

/// Returns the pools by length, without empty ones.
std::vector<Pool> pools_of(NodeContext& n) {
    const Integers pool = n.integers("pool_int64s"), starts = n.integers("ngram_counts");
    if (n.has_attribute("pool_strings") || pool.empty()) throw Fault{"only pools of integers are supported", {}};
    std::vector<Pool> pools;
    for (size_t length = 1; length <= starts.size(); ++length) {
        const int64_t begin = starts[length - 1], end = length < starts.size() ? starts[length] : int64_t(pool.size());
        if (begin < 0 || end < begin || end > int64_t(pool.size()) || (end - begin) % int64_t(length) != 0)
            throw Fault{"ngram_counts does not divide the pool into n-grams", {}};
        if (begin == end) continue;
        Pool one;
        one.grams.resize(length);
        for (int64_t i = begin; i < end; ++i) one.grams[size_t(i - begin) % length].push_back(pool[size_t(i)]);
        pools.push_back(std::move(one));
    }
    return pools;
}

/// Returns how often each n-gram occurs in the rows of `x`, with its elements `step` apart; invalid if the rows are too
/// short.
ExprId counted(NodeContext& n, ExprId x, const Pool& pool, int64_t step) {
    const Integers shape = n.build.shape(x);
    const int64_t places = shape[1] - int64_t(pool.grams.size() - 1) * step;
    if (places < 1) return {};
    const int64_t comparisons[] = {shape[0], places, pool.count()};
    if (element_count(comparisons).value_or(kMostComparisons + 1) > kMostComparisons)
        throw Fault{"the pool is too large for the input", {}};
    ExprId all;
    for (size_t k = 0; k < pool.grams.size(); ++k) {
        const int64_t begin = int64_t(k) * step;
        const int64_t rows[] = {shape[0], places, 1};
        ExprId part = n.build.reshape(n.build.slice(x, 1, begin, begin + places), rows);
        ExprId same = n.build.call("equal", {part, n.build.integers(pool.grams[k])});
        all = all.valid() ? n.build.call("logical_and", {all, same}) : same;
    }
    return n.build.call("sum", {n.build.cast(all, kFloat32)}, {{"axis", AttributeValue::List{1}}});
}

/// Puts the counts into the columns given by ngram_indexes; other columns are zero.
ExprId placed(NodeContext& n, ExprId counts, const Integers& indexes, int64_t rows) {
    const int64_t width = *std::max_element(indexes.begin(), indexes.end()) + 1;
    Integers columns(size_t(width), int64_t(indexes.size()));
    for (size_t i = 0; i < indexes.size(); ++i) columns[size_t(indexes[i])] = int64_t(i);
    const ExprId parts[] = {counts, n.build.constant(Tensor(kFloat32, {rows, 1}))};
    return n.build.call("take", {n.build.concatenate(parts, 1), n.build.integers(columns)}, {{"axis", 1}});
}

ExprId weighted(NodeContext& n, ExprId counts, size_t pool_size) {
    const std::string mode = n.string("mode", "");
    std::vector<double> weights = n.reals("weights");
    if (mode == "TF") return counts;
    if (mode != "IDF" && mode != "TFIDF") throw Fault{"the mode " + mode + " is not known", {}};
    if (weights.empty()) weights.assign(pool_size, 1);
    if (weights.size() != pool_size) throw Fault{"there must be a weight for each n-gram", {}};
    Tensor tensor(kFloat32, {int64_t(pool_size)});
    for (size_t i = 0; i < pool_size; ++i) tensor.set(int64_t(i), weights[i]);
    if (mode == "IDF") counts = n.build.cast(n.build.cast(counts, kBool), kFloat32);
    return n.build.multiply(counts, n.build.constant(std::move(tensor)));
}

Exprs tf_idf(NodeContext& n) {
    const Integers given = n.build.static_shape(n.input(0)), indexes = n.integers("ngram_indexes");
    if (given.empty() || given.size() > 2) throw Fault{"the input must be of rank 1 or 2", {}};
    const std::vector<Pool> pools = pools_of(n);
    const int64_t shortest = n.integer("min_gram_length", 1), longest = n.integer("max_gram_length", 1);
    const int64_t rows = given.size() == 2 ? given[0] : 1,
                  skips = std::clamp<int64_t>(n.integer("max_skip_count", 0), 0, given.back());
    const int64_t flat[] = {rows, given.back()};
    ExprId x = n.build.cast(n.build.reshape(n.input(0), flat), kInt64);
    Exprs counts;
    size_t pool_size = 0;
    for (const Pool& pool : pools) {
        const int64_t length = int64_t(pool.grams.size());
        pool_size += size_t(pool.count());
        const int64_t places[] = {rows, pool.count()};
        if (!n.build.may_hold(kFloat32, places)) throw Fault{"the pool is too large for the input", {}};
        ExprId sum = n.build.constant(Tensor(kFloat32, {rows, pool.count()}));
        for (int64_t skip = 0; skip <= (length == 1 ? 0 : skips) && length >= shortest && length <= longest; ++skip)
            if (ExprId more = counted(n, x, pool, skip + 1); more.valid()) sum = n.build.add(sum, more);
        counts.push_back(sum);
    }
    if (indexes.size() != pool_size || pool_size == 0)
        throw Fault{"ngram_indexes must name a place for each n-gram", {}};
    for (int64_t index : indexes)
        if (index < 0 || index > kMostColumns) throw Fault{"ngram_indexes are out of range", {}};
    ExprId result = placed(n, weighted(n, n.build.concatenate(counts, 1), pool_size), indexes, rows);
    Integers shape = n.build.shape(result);
    if (given.size() == 1) shape.erase(shape.begin());
    return {n.build.reshape(result, shape)};
}

const ConverterEntry kTextConverters[] = {{"TfIdfVectorizer", tf_idf}};

}  // namespace

std::span<const ConverterEntry> text_converters() { return kTextConverters; }

}  // namespace partita::onnx
