#include "engine/passes/region_limits.h"

#include <algorithm>

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

Sentence refusal_of(const char* const (&forms)[2], int count, int most) {
    return {forms[most == 1 ? 0 : 1], {std::to_string(count), std::to_string(most)}};
}

bool is_of(const char* const (&forms)[2], const Sentence& refusal) {
    return refusal.form == forms[0] || refusal.form == forms[1];
}

}  // namespace

std::optional<ExceededLimit> exceeded_limit(const Sentence& refusal) {
    const bool of_outputs = is_of(kTooManyOutputs, refusal);
    if (!of_outputs && !is_of(kTooManyInputs, refusal)) return {};
    return ExceededLimit{of_outputs, std::stoi(refusal.values[0].name)};
}

RegionLimiter::RegionLimiter(const Module& module, RegionSet& regions, MarkReader& reader, CompilerNames& names,
                             std::span<const ExprId> order, std::span<const RegionLimit> limits)
    : module_(module), regions_(regions), reader_(reader) {
    for (const RegionLimit& limit : limits) {
        if (limit.max_inputs <= 0 && limit.max_outputs <= 0) continue;
        size_t compiler = size_t(names.number(limit.compiler));
        if (by_compiler_.size() <= compiler) by_compiler_.resize(compiler + 1);
        by_compiler_[compiler] = limit;
    }
    if (!by_compiler_.empty()) users_.emplace(module, order);
}

/// Returns null if there is none.
const RegionLimit* RegionLimiter::limit_of(int32_t region) const {
    size_t compiler = size_t(regions_.compiler(region));
    if (compiler >= by_compiler_.size()) return nullptr;
    const RegionLimit& limit = by_compiler_[compiler];
    return limit.max_inputs > 0 || limit.max_outputs > 0 ? &limit : nullptr;
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
    return {};
}

ExprId RegionLimiter::unmarked(ExprId id) const {
    while (reader_.mark(id) != Mark::None) id = reader_.operand(id);
    return id;
}

/// Counts the different values that enter from outside both.
int RegionLimiter::inputs(int32_t producer, int32_t region) {
    found_.clear();
    for (int32_t root : {producer, region})
        for (int32_t b = root; b != RegionSet::kNone; b = regions_.next_begin(b)) {
            ExprId operand = reader_.operand(regions_.begin(b));
            int32_t from = regions_.region_of(operand);
            if (from == producer || from == region) continue;
            ExprId value = unmarked(operand);
            if (module_.kind(value) != ExprKind::Constant) found_.push_back(value);
        }
    std::sort(found_.begin(), found_.end());
    return int(std::unique(found_.begin(), found_.end()) - found_.begin());
}

/// Counts the different tensors that something outside both uses.
int RegionLimiter::outputs(int32_t producer, int32_t region) {
    auto is_inside = [&](ExprId user) {
        if (reader_.mark(user) != Mark::Begin) return false;
        int32_t by = regions_.region_of(user);
        return by == producer || by == region;
    };
    found_.clear();
    for (int32_t root : {producer, region})
        for (int32_t e = regions_.first_end(root); e != RegionSet::kNone; e = regions_.next_end(e)) {
            ExprId end = regions_.end(e), value = reader_.operand(end);
            std::span<const ExprId> users = users_->users(end);
            if (!users.empty() && std::all_of(users.begin(), users.end(), is_inside)) continue;
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
