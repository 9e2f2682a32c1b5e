#include "engine/session/json.h"

#include "engine/support/whole_number.h"

namespace partita {
namespace {

using Json = nlohmann::ordered_json;

Json expression_json(const DiffedModule& names, ExprId id) {
    Json json;
    json["expression"] = id.value;
    if (names.number(id)) json["number"] = names.number(id);
    json["name"] = names.name(id);
    json["type"] = names.module().types().to_string(names.module().type(id));
    return json;
}

std::vector<std::string> texts(const std::vector<Sentence>& sentences) {
    std::vector<std::string> texts;
    for (const Sentence& sentence : sentences) texts.push_back(sentence.text());
    return texts;
}

}  // namespace

Json summary_json(const ModuleSummary& summary) {
    Json json{{"functions", summary.functions},       {"calls", summary.calls},
              {"parameters", summary.parameters},     {"parameter_bytes", whole_number(summary.parameter_bytes)},
              {"constants", summary.constants},       {"constant_bytes", whole_number(summary.constant_bytes)},
              {"flops", whole_number(summary.flops)}, {"inputs", Json::array()},
              {"output", summary.output_type},        {"operators", Json::array()}};
    for (const auto& [name, type] : summary.inputs) json["inputs"].push_back({{"name", name}, {"type", type}});
    for (const OpCount& op : summary.ops) {
        json["operators"].push_back({{"op", op.op.empty() ? "(function call)" : op.op},
                                     {"calls", op.calls},
                                     {"flops", whole_number(op.flops)}});
    }
    return json;
}

Json dimensions_json(const std::vector<NamedDimension>& dimensions) {
    Json list = Json::array();
    for (const NamedDimension& each : dimensions) {
        const bool derived = each.source == NamedDimension::Source::Derived;
        const bool given = each.source == NamedDimension::Source::Given;
        Json entry{{"name", each.name},
                   {"size", each.value},
                   {"source", given     ? "given"
                              : derived ? "derived"
                                        : "assumed"}};
        if (!each.relation.empty()) entry["relation"] = each.relation;
        if (!each.found_at.empty()) entry["found_at"] = each.found_at;
        entry["inputs"] = Json::array();
        for (const auto& [input, axis] : each.inputs) entry["inputs"].push_back({{"input", input}, {"axis", axis}});
        list.push_back(std::move(entry));
    }
    return list;
}

Json diff_json(const ModuleDiff& diff, const DiffedModule& before, const DiffedModule& after) {
    Json json;
    json["identical"] = diff.identical();
    json["same"] = diff.same;
    for (const char* list : {"removed", "added", "changed", "affected"}) json[list] = Json::array();
    for (ExprId id : diff.removed) json["removed"].push_back(expression_json(before, id));
    for (ExprId id : diff.added) json["added"].push_back(expression_json(after, id));
    const auto change_json = [&](const NodeChange& change) {
        Json entry;
        entry["before"] = expression_json(before, change.before);
        entry["after"] = expression_json(after, change.after);
        entry["what"] = texts(change.what);
        return entry;
    };
    for (const NodeChange& change : diff.changed) json["changed"].push_back(change_json(change));
    for (const NodeChange& change : diff.affected) json["affected"].push_back(change_json(change));
    json["outputs_changed"] = texts(diff.outputs_changed);
    json["functions_removed"] = diff.functions_removed;
    json["functions_added"] = diff.functions_added;
    return json;
}

}  // namespace partita
