#include "engine/passes/region_limits.h"

#include <algorithm>

#include "engine/ops/annotations.h"
#include "engine/ops/cost.h"

namespace partita {

namespace {

/// For a limit of one, and for larger ones.
constexpr const char* kTooManyInputs[] = {
    SENTENCE("Engine", "together they would have %1 inputs, at most 1 is allowed"),
    SENTENCE("Engine", "together they would have %1 inputs, at most %2 are allowed")};
constexpr const char* kTooManyOutputs[] = {
    SENTENCE("Engine", "together they would have %1 outputs, at most 1 is allowed"),
    SENTENCE("Engine", "together they would have %1 outputs, at most %2 are allowed")};

constexpr const char* kTooManyWeights[] = {
    SENTENCE("Engine", "together they would read %1 bytes of weights, at most 1 is allowed"),
    SENTENCE("Engine", "together they would read %1 bytes of weights, at most %2 are allowed")};

constexpr const char* kTooManyLive[] = {
    SENTENCE("Engine", "together they would hold %1 bytes at once, at most 1 is allowed"),
    SENTENCE("Engine", "together they would hold %1 bytes at once, at most %2 are allowed")};

Sentence refusal_of(const char* const (&forms)[2], int64_t count, int64_t most) {
    return {forms[most == 1 ? 0 : 1], {std::to_string(count), std::to_string(most)}};
}

bool is_of(const char* const (&forms)[2], const Sentence& refusal) {
    return refusal.form == forms[0] || refusal.form == forms[1];
}

}  // namespace

std::optional<ExceededLimit> exceeded_limit(const Sentence& refusal) {
    const char* limit = is_of(kTooManyInputs, refusal)    ? "max_inputs"
                        : is_of(kTooManyOutputs, refusal) ? "max_outputs"
                        : is_of(kTooManyWeights, refusal) ? "max_weight_bytes"
                        : is_of(kTooManyLive, refusal)    ? "max_live_bytes"
                                                          : nullptr;
    if (!limit) return {};
    return ExceededLimit{limit, double(std::stoll(refusal.values[0].name))};
}

RegionLimiter::RegionLimiter(const Module& module, RegionSet& regions, MarkReader& reader, CompilerNames& names,
                             std::span<const ExprId> order, const MergeLimits& limits)
    : module_(module), regions_(regions), reader_(reader) {
    for (const RegionLimit& limit : limits.of_compilers) {
        if (!limit.any()) continue;
        size_t compiler = size_t(names.number(limit.compiler));
        if (by_compiler_.size() <= compiler) by_compiler_.resize(compiler + 1);
        by_compiler_[compiler] = limit;
    }
    if (by_compiler_.empty()) return;
    users_.emplace(module, order);
    const auto limits_live = [](const RegionLimit& limit) { return limit.max_live_bytes > 0; };
    if (std::any_of(by_compiler_.begin(), by_compiler_.end(), limits_live))
        live_ = std::make_unique<LiveRegions>(module, regions, reader, *users_,
                                              [this](ExprId value) { return is_weight(value); });
    const auto limits_weights = [](const RegionLimit& limit) { return limit.max_weight_bytes > 0; };
    if (std::any_of(by_compiler_.begin(), by_compiler_.end(), limits_weights)) note_inner_constants(order);
    const ExprId main = module.find_function("main");
    if (!main.valid()) return;
    for (ExprId parameter : module.parameters(main))
        if (limits.weights.contains(module.name(parameter))) weights_.push_back(parameter);
    std::sort(weights_.begin(), weights_.end());
}

/// Constants that patterns took into composites enter by no begin.
void RegionLimiter::note_inner_constants(std::span<const ExprId> order) {
    for (ExprId call : order) {
        if (module_.kind(call) != ExprKind::Call || module_.kind(module_.callee(call)) != ExprKind::Function) continue;
        const int32_t region = regions_.settled_region_of(call);
        if (region < 0) continue;
        for (ExprId inner : post_order(module_, module_.callee(call)))
            if (module_.kind(inner) == ExprKind::Constant) inner_constants_[region].push_back(inner);
    }
}

/// Returns null if there is none.
const RegionLimit* RegionLimiter::limit_of(int32_t region) const {
    size_t compiler = size_t(regions_.compiler(region));
    if (compiler >= by_compiler_.size()) return nullptr;
    const RegionLimit& limit = by_compiler_[compiler];
    return limit.any() ? &limit : nullptr;
}

Sentence RegionLimiter::refusal(int32_t producer, int32_t region) {
    const RegionLimit* known = limit_of(region);
    if (!known) return {};
    const RegionLimit& limit = *known;
    if (limit.max_inputs > 0)
        if (int count = inputs(producer, region); count > limit.max_inputs)
            return refusal_of(kTooManyInputs, count, limit.max_inputs);
    if (limit.max_outputs > 0)
        if (int count = outputs(producer, region); count > limit.max_outputs)
            return refusal_of(kTooManyOutputs, count, limit.max_outputs);
    if (limit.max_weight_bytes > 0)
        if (double bytes = weight_bytes(producer, region); bytes > limit.max_weight_bytes)
            return refusal_of(kTooManyWeights, int64_t(bytes), int64_t(limit.max_weight_bytes));
    if (limit.max_live_bytes > 0)
        if (double bytes = live_->most_of_both(producer, region); bytes > limit.max_live_bytes)
            return refusal_of(kTooManyLive, int64_t(bytes), int64_t(limit.max_live_bytes));
    return {};
}

ExprId RegionLimiter::unmarked(ExprId id) const {
    while (reader_.mark(id) != Mark::None) id = reader_.operand(id);
    return id;
}

bool RegionLimiter::is_weight(ExprId value) const {
    return module_.kind(value) == ExprKind::Constant || std::binary_search(weights_.begin(), weights_.end(), value);
}

void RegionLimiter::find_entering(int32_t producer, int32_t region) {
    found_.clear();
    for (int32_t root : {producer, region})
        for (int32_t b = root; b != RegionSet::kNone; b = regions_.next_begin(b)) {
            ExprId operand = reader_.operand(regions_.begin(b));
            int32_t from = regions_.region_of(operand);
            if (from == producer || from == region) continue;
            found_.push_back(unmarked(operand));
        }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
}

int RegionLimiter::inputs(int32_t producer, int32_t region) {
    find_entering(producer, region);
    return int(std::count_if(found_.begin(), found_.end(),
                             [&](ExprId value) { return module_.kind(value) != ExprKind::Constant; }));
}

double RegionLimiter::weight_bytes(int32_t producer, int32_t region) {
    find_entering(producer, region);
    if (!inner_constants_.empty()) {
        for (int32_t root : {producer, region})
            for (int32_t b = root; b != RegionSet::kNone; b = regions_.next_begin(b))
                if (const auto inner = inner_constants_.find(b); inner != inner_constants_.end())
                    found_.insert(found_.end(), inner->second.begin(), inner->second.end());
        std::sort(found_.begin(), found_.end());
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    }
    double bytes = 0;
    for (ExprId value : found_)
        if (is_weight(value)) bytes += type_bytes(module_.types(), module_.type(value));
    return bytes;
}

bool RegionLimiter::leaves(ExprId end, int32_t producer, int32_t region) {
    const auto is_inside = [&](ExprId user) {
        if (reader_.mark(user) != Mark::Begin) return false;
        const int32_t by = regions_.region_of(user);
        return by == producer || by == region;
    };
    const std::span<const ExprId> users = users_->users(end);
    return users.empty() || !std::all_of(users.begin(), users.end(), is_inside);
}

/// Counts the different tensors that something outside both uses.
int RegionLimiter::outputs(int32_t producer, int32_t region) {
    found_.clear();
    for (int32_t root : {producer, region})
        for (int32_t e = regions_.first_end(root); e != RegionSet::kNone; e = regions_.next_end(e)) {
            const ExprId end = regions_.end(e), value = reader_.operand(end);
            if (!leaves(end, producer, region)) continue;
            if (module_.kind(value) == ExprKind::Tuple)
                found_.insert(found_.end(), module_.operands(value).begin(), module_.operands(value).end());
            else found_.push_back(value);
        }
    std::sort(found_.begin(), found_.end());
    found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
    int count = 0;
    for (ExprId value : found_) count += tensor_count(module_.types(), module_.type(value));
    return count;
}

}  // namespace partita
