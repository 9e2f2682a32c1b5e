#include "engine/passes/region_groups.h"

#include <algorithm>

#include "engine/ir/traversal.h"
#include "engine/ops/annotations.h"

namespace partita {

namespace {

/// Separates a backend's name from its group's number; no Relay text or description can contain it.
constexpr char kSeparator = '\x1f';

std::string_view without_group(std::string_view name) { return name.substr(0, name.find(kSeparator)); }

/// Returns the group in the name of a backend that counts as one; 0 for another name.
int group_in(const std::string& name) {
    const size_t separator = name.find(kSeparator);
    return separator == std::string::npos ? 0 : std::stoi(name.substr(separator + 1));
}

int group_of(const Module& module, ExprId call, const RegionGroups& groups) {
    auto found = groups.find(module.origin(call));
    if (found != groups.end()) return found->second;
    if (!is_composite(module, module.callee(call))) return 0;
    for (ExprId inner : post_order(module, module.body(module.callee(call)))) {
        found = groups.find(module.origin(inner));
        if (found != groups.end()) return found->second;
    }
    return 0;
}

}  // namespace

std::string backend_of_group(const std::string& backend, int group) {
    return group == 0 ? backend : backend + kSeparator + std::to_string(group);
}

Placement with_region_groups(const Module& module, const Placement& placement, const RegionGroups& groups) {
    Placement result = placement;
    std::map<std::pair<int16_t, int>, int16_t> known;
    for (uint32_t i = 0; i < module.size(); ++i) {
        int16_t& backend = result.backend_of[i];
        const ExprId call(i);
        if (backend < 0 || module.kind(call) != ExprKind::Call) continue;
        const int group = group_of(module, call, groups);
        if (group == 0) continue;
        auto [entry, added] = known.try_emplace({backend, group}, int16_t(result.backends.size()));
        if (added) result.backends.push_back(backend_of_group(placement.backends[size_t(backend)], group));
        backend = entry->second;
    }
    return result;
}

Module without_region_groups(const Module& module) {
    Module made = Module::with_tables_of(module);
    ModuleCopier copier(module, made);
    CompilerNames names;
    MarkReader reader(module, names);
    std::vector<ExprId> roots;
    for (const GlobalFunction& global : module.functions()) roots.push_back(global.function);
    for (ExprId id : post_order(module, roots)) {
        const ExprId copy = copier.copy(id);
        if (reader.mark(id) == Mark::None) continue;
        const AttributeList& list = module.attributes(module.attributes_id(id));
        const std::string* compiler = list.empty() ? nullptr : list[0].as_string();
        if (!compiler || compiler->find(kSeparator) == std::string::npos) continue;
        AttributeList plain = list;
        plain[0] = AttributeValue(std::string(without_group(*compiler)));
        const ExprId mark = made.add_call(made.callee(copy), made.arguments(copy),
                                          made.add_attributes(std::move(plain)), made.type(copy));
        made.set_origin(mark, made.origin(copy));
        copier.set_image(id, mark);
    }
    for (const GlobalFunction& global : module.functions())
        made.set_function(module.names().text(global.name), copier.image(global.function));
    made.set_typed(module.typed());
    return made;
}

Sentence kept_apart(const std::string& one, const std::string& other) {
    if (one == other || without_group(one) != without_group(other)) return {};
    return {std::max(group_in(one), group_in(other)) < Placement::kFirstRuleGroup
                ? SENTENCE("Engine", "you keep them apart")
                : SENTENCE("Engine", "the backend's rules keep them apart"),
            {}};
}

void forget_groups(DecisionLog& log, size_t first) {
    log.change_from(first, [](Decision& decision) { decision.rule = std::string(without_group(decision.rule)); });
}

}  // namespace partita
