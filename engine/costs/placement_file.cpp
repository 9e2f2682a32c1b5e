#include "engine/costs/placement_file.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "engine/ops/registry.h"
#include "engine/support/json_fields.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kPlacementVersion = 1;

void read_operators(JsonFields& take, const JsonValue& list, PlacementFile& placement) {
    for (const JsonValue& item : list.items) {
        PlacedOperator op{uint32_t(take.whole(item, "number")), take.text_or(item, "name", ""),
                          take.text(item, "operator"), take.text(item, "backend")};
        if (take.fault()) return;
        if (!placement.operators.empty() && op.number <= placement.operators.back().number)
            return take.fail(item, "operators must stand in the order of their numbers, each once");
        placement.operators.push_back(std::move(op));
    }
}

/// Gives operators of the module the entries that no operator has under its number.
class Finder {
public:
    Finder(const Module& module, FittedPlacement& fitted) : module_(module), names_(module), fitted_(fitted) {}

    void fit(const PlacementFile& placement) {
        for (ExprId call : names_.calls())
            if (called_op_record(module_, call)) waiting_.emplace(call, operator_key(module_, call, {}));
        if (has_same_kinds(placement)) return take_resized(placement);
        std::vector<const PlacedOperator*> left;
        for (const PlacedOperator& op : placement.operators) {
            const auto found = waiting_.find(names_.numbered(op.number));
            if (found != waiting_.end() && found->second == op.key) take(found->first, op);
            else left.push_back(&op);
        }
        left = take_by(
            left, [&](ExprId call) { return std::string(module_.label(call)) + "\n" + waiting_[call]; },
            [](const PlacedOperator& op) { return op.name.empty() ? "" : op.name + "\n" + op.key; });
        left = take_by(
            left, [&](ExprId call) { return waiting_[call]; }, [](const PlacedOperator& op) { return op.key; });
        for (const PlacedOperator* op : left)
            fitted_.missing.push_back("there is no operator " + std::to_string(op->number) + ", " + op->key);
        for (ExprId call : names_.calls())
            if (waiting_.count(call)) fitted_.missing.push_back(names_.name(call) + " has no entry");
    }

private:
    static std::string_view kind_of(std::string_view key) { return key.substr(0, key.find('(')); }

    /// Returns whether the operators are of the same kinds under the same numbers: then they differ in sizes at most.
    bool has_same_kinds(const PlacementFile& placement) const {
        if (placement.operators.size() != waiting_.size()) return false;
        return std::all_of(placement.operators.begin(), placement.operators.end(), [&](const PlacedOperator& op) {
            const auto found = waiting_.find(names_.numbered(op.number));
            return found != waiting_.end() && kind_of(found->second) == kind_of(op.key);
        });
    }

    void take_resized(const PlacementFile& placement) {
        for (const PlacedOperator& op : placement.operators) {
            const ExprId call = names_.numbered(op.number);
            fitted_.resized += waiting_[call] != op.key;
            take(call, op);
        }
    }

    void take(ExprId call, const PlacedOperator& op) {
        fitted_.overrides[call] = op.backend;
        waiting_.erase(call);
    }

    /// Takes what is equal in a property, in order. Returns the entries that are left.
    template <class OfCall, class OfEntry>
    std::vector<const PlacedOperator*> take_by(const std::vector<const PlacedOperator*>& entries, OfCall of_call,
                                               OfEntry of_entry) {
        std::unordered_map<std::string, std::deque<ExprId>> free;
        for (ExprId call : names_.calls())
            if (waiting_.count(call)) free[of_call(call)].push_back(call);
        std::vector<const PlacedOperator*> left;
        for (const PlacedOperator* entry : entries) {
            const std::string property = of_entry(*entry);
            const auto found = free.find(property);
            if (property.empty() || found == free.end() || found->second.empty()) {
                left.push_back(entry);
                continue;
            }
            take(found->second.front(), *entry);
            found->second.pop_front();
            ++fitted_.moved;
        }
        return left;
    }

    const Module& module_;
    const ExpressionNames names_;
    FittedPlacement& fitted_;
    std::unordered_map<ExprId, std::string> waiting_;  ///< operators without an entry, with their keys
};

}  // namespace

std::vector<PlacedOperator> placed_operators(const Module& module, const Overrides& overrides) {
    const ExpressionNames names(module);
    std::vector<PlacedOperator> operators;
    for (const auto& [call, backend] : overrides)
        operators.push_back(
            {names.number(call), std::string(module.label(call)), operator_key(module, call, {}), backend});
    std::sort(operators.begin(), operators.end(), [](const auto& a, const auto& b) { return a.number < b.number; });
    return operators;
}

std::string format_placement(const PlacementFile& placement) {
    Json json{{"partita_placement", kPlacementVersion}, {"title", placement.title},
              {"backends", placement.backends},         {"lower", placement.lower},
              {"simplify", placement.simplify},         {"fold", placement.fold},
              {"measured_ms", placement.measured_ms},   {"predicted_ms", placement.predicted_ms},
              {"bound_ms", placement.bound_ms}};
    Json operators = Json::array();
    for (const PlacedOperator& op : placement.operators) {
        Json item{{"number", op.number}};
        if (!op.name.empty()) item["name"] = op.name;
        item["operator"] = op.key;
        item["backend"] = op.backend;
        operators.push_back(std::move(item));
    }
    json["operators"] = std::move(operators);
    return json_text(json, 1) + "\n";
}

Result<PlacementFile> parse_placement(std::string_view text, const std::string& name) {
    const Result<JsonValue> read = read_json(text, name);
    if (!read) return read.error();
    const JsonValue& json = *read;
    JsonFields take("a placement", name);
    take.kind_and_version(json, "partita_placement", kPlacementVersion);
    PlacementFile placement;
    placement.title = take.text(json, "title");
    for (const JsonValue& backend : take.part(json, "backends", JsonValue::Kind::Array).items) {
        if (!backend.is(JsonValue::Kind::String)) take.fail(backend, "a backend's name is a string");
        placement.backends.push_back(backend.text);
    }
    const auto flag = [&json](const char* key) {
        const JsonValue* value = json.is(JsonValue::Kind::Object) ? json.member(key) : nullptr;
        return value && value->boolean;
    };
    placement.lower = flag("lower");
    placement.simplify = flag("simplify");
    placement.fold = flag("fold");
    placement.measured_ms = take.number(json, "measured_ms", kLongestCost);
    placement.predicted_ms = take.number(json, "predicted_ms", kLongestCost);
    placement.bound_ms = take.number(json, "bound_ms", kLongestCost);
    read_operators(take, take.part(json, "operators", JsonValue::Kind::Array), placement);
    if (take.fault()) return *take.fault();
    return placement;
}

FittedPlacement fit_placement(const PlacementFile& placement, const Module& module) {
    FittedPlacement fitted;
    Finder(module, fitted).fit(placement);
    return fitted;
}

}  // namespace partita
