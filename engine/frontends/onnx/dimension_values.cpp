#include "engine/frontends/onnx/dimension_values.h"

#include <algorithm>
#include <set>

#include "engine/support/one_line.h"

namespace partita::onnx {

namespace {

constexpr size_t kLongestSymbol = 200;
constexpr size_t kShownSizes = 12;

/// Returns the term of a dimension: its name or its size.
Monomial term_of(const Dimension& dimension) {
    if (dimension.value >= 0) return {dimension.value, {}};
    return {1, {symbol_of(dimension)}};
}

std::string text_of(const Dimension& dimension) {
    return dimension.value >= 0 ? std::to_string(dimension.value) : symbol_of(dimension);
}

using Inputs = std::span<const ValueInfo* const>;

const ValueInfo* input_named(Inputs inputs, std::initializer_list<std::string_view> names) {
    for (const ValueInfo* info : inputs)
        if (std::find(names.begin(), names.end(), info->name) != names.end() && info->shape.size() >= 2) return info;
    return nullptr;
}

/// Returns the length of a decoder's cache: the last dimension but one of its first input `past...`.
const Dimension* cache_length(Inputs inputs) {
    for (const ValueInfo* info : inputs)
        if (info->name.starts_with("past") && info->shape.size() >= 4) return &info->shape[info->shape.size() - 2];
    return nullptr;
}

}  // namespace

std::string symbol_of(const Dimension& dimension) {
    return dimension.symbol.empty() ? "?" : std::string(dimension.symbol.substr(0, kLongestSymbol));
}

DimensionValues::DimensionValues(std::span<const ValueInfo* const> inputs, const DimensionSizes& given)
    : given_(given) {
    for (const ValueInfo* info : inputs)
        for (size_t axis = 0; axis < info->shape.size(); ++axis) {
            if (info->shape[axis].value != -1) continue;
            const std::string symbol = symbol_of(info->shape[axis]);
            add_symbol(symbol);
            dimensions_[places_.at(symbol)].inputs.emplace_back(std::string(info->name.substr(0, kLongestSymbol)),
                                                                int(axis));
        }
    add_usual_relation(inputs);
    for (size_t i = 0; i < relations_.size(); ++i)
        for (const std::string& symbol : symbols_of(relations_[i])) relations_of_[symbol].push_back(i);
}

void DimensionValues::add_symbol(const std::string& symbol) {
    if (!places_.emplace(symbol, dimensions_.size()).second) return;
    dimensions_.push_back({symbol, 1, NamedDimension::Source::Assumed, {}, {}, {}});
    std::optional<DimensionRelation> relation = parse_dimension(symbol);
    if (!relation) return;
    for (const Monomial& term : relation->terms)
        for (const std::string& part : term.symbols) add_symbol(part);
    relations_.push_back(std::move(*relation));
}

void DimensionValues::add_usual_relation(std::span<const ValueInfo* const> inputs) {
    const ValueInfo* mask = input_named(inputs, {"attention_mask"});
    const ValueInfo* tokens = input_named(inputs, {"input_ids", "inputs_embeds"});
    const Dimension* past = cache_length(inputs);
    if (!mask || mask->shape.size() != 2 || !tokens || !past) return;
    const Dimension &total = mask->shape[1], &length = tokens->shape[1];
    const std::string symbol = symbol_of(total);
    if (total.value != -1 || total.symbol.empty() || symbol == symbol_of(*past) || symbol == symbol_of(length)) return;
    if (parse_dimension(symbol)) return;
    for (const Dimension* each : {past, &length})
        if (each->value < -1 || (each->value == -1 && each->symbol.empty())) return;
    relations_.push_back({symbol, {term_of(*past), term_of(length)}, text_of(*past) + " + " + text_of(length), false});
}

void DimensionValues::determine(const std::string& symbol, int64_t size, NamedDimension::Source source,
                                std::string relation) {
    if (!sizes_.emplace(symbol, size).second) return;
    NamedDimension& dimension = dimensions_[places_.at(symbol)];
    dimension.value = size;
    dimension.source = source;
    dimension.relation = std::move(relation);
    for (size_t relation_of_symbol : relations_of_[symbol]) waiting_.push_back(relation_of_symbol);
}

Status DimensionValues::apply(const DimensionRelation& relation) {
    std::vector<std::string> unknown;
    for (const std::string& symbol : symbols_of(relation))
        if (!sizes_.contains(symbol)) unknown.push_back(symbol);
    if (unknown.size() > 1) return Nothing();
    const std::string text = in_quotes(relation.symbol) + (relation.stated ? "" : " is " + relation.text);
    if (unknown.empty()) {
        const std::optional<int64_t> sum = sum_of(relation, sizes_);
        const int64_t size = sizes_.find(relation.symbol)->second;
        // What names usually mean is no reason to refuse; the graph's own sizes are compared after the import.
        if (!relation.stated || sum == size) return Nothing();
        return error("the symbolic dimension " + text + " can't be " + std::to_string(size) + " with " +
                     others(relation.symbol));
    }
    if (!is_solvable(relation, unknown[0])) return Nothing();
    const std::optional<int64_t> found = onnx::solve(relation, unknown[0], sizes_);
    if (!found && !relation.stated) return Nothing();
    if (!found)
        return error("no size of " + in_quotes(unknown[0]) + " agrees with the symbolic dimension " + text + " and " +
                     others(unknown[0]));
    const bool forwards = unknown[0] == relation.symbol;
    determine(unknown[0], *found, NamedDimension::Source::Derived,
              forwards ? relation.text : relation.symbol + " = " + relation.text);
    return Nothing();
}

Status DimensionValues::follow() {
    while (!waiting_.empty()) {
        const size_t next = waiting_.front();
        waiting_.pop_front();
        if (Status done = apply(relations_[next]); !done) return done;
    }
    return Nothing();
}

Status DimensionValues::solve() {
    using enum NamedDimension::Source;
    sizes_.clear();
    waiting_.clear();
    for (const NamedDimension& dimension : dimensions_) {
        const auto given = given_.find(dimension.name);
        if (given != given_.end()) determine(dimension.name, given->second, Given, {});
    }
    for (const auto& [symbol, found] : derived_) {
        determine(symbol, found.size, Derived, {});
        dimensions_[places_.at(symbol)].found_at = found.where;
    }
    for (size_t i = 0; i < relations_.size(); ++i) waiting_.push_back(i);
    if (Status done = follow(); !done) return done;
    // What a relation gives is assumed last: total follows from past and seq rather than being 1.
    std::set<std::string> sums;
    for (const DimensionRelation& relation : relations_) sums.insert(relation.symbol);
    for (bool last : {false, true})
        for (size_t i = 0; i < dimensions_.size(); ++i) {
            const std::string name = dimensions_[i].name;
            if (sums.contains(name) != last) continue;
            determine(name, 1, Assumed, {});
            if (Status done = follow(); !done) return done;
        }
    return Nothing();
}

void DimensionValues::forget_sums() {
    for (const DimensionRelation& relation : relations_)
        if (relation.stated) given_.erase(relation.symbol);
}

void DimensionValues::derive(const DimensionMismatch& found) {
    given_.erase(found.symbol);
    derived_[found.symbol] = found;
}

const NamedDimension* DimensionValues::named(std::string_view symbol) const {
    const auto place = places_.find(symbol);
    return place == places_.end() ? nullptr : &dimensions_[place->second];
}

int64_t DimensionValues::size(const Dimension& dimension) const {
    return dimension.value >= 0 ? dimension.value : find(symbol_of(dimension)).value_or(1);
}

std::optional<int64_t> DimensionValues::find(std::string_view symbol) const {
    const NamedDimension* found = named(symbol);
    return found ? std::optional(found->value) : std::nullopt;
}

NamedDimension::Source DimensionValues::source(std::string_view symbol) const {
    const NamedDimension* found = named(symbol);
    return found ? found->source : NamedDimension::Source::Assumed;
}

std::string DimensionValues::others(std::string_view symbol) const {
    std::string text;
    size_t shown = 0;
    for (const NamedDimension& dimension : dimensions_) {
        if (dimension.name == symbol || !sizes_.contains(dimension.name) || ++shown > kShownSizes) continue;
        text += (text.empty() ? "" : ", ") + on_one_line(dimension.name) + " = " + std::to_string(dimension.value);
    }
    return text.empty() ? "no other" : text;
}

}  // namespace partita::onnx
