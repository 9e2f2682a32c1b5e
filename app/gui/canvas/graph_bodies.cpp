#include "app/gui/canvas/graph_bodies.h"

#include <algorithm>
#include <set>

#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

/// Gathers what a function's body uses, without what lies in functions that stand in it.
class BodyWalk {
public:
    explicit BodyWalk(const Module& module) : module_(module), met_(module.size()) {}

    std::vector<uint32_t> inside(ExprId function) {
        std::vector<uint32_t> found;
        for (ExprId parameter : module_.parameters(function)) add(parameter, found);
        open_.push_back(module_.body(function));
        while (!open_.empty()) {
            const ExprId id = open_.back();
            open_.pop_back();
            if (!add(id, found) || module_.kind(id) == ExprKind::Function) continue;
            const std::span<const ExprId> operands = module_.operands(id);
            open_.insert(open_.end(), operands.begin(), operands.end());
        }
        std::sort(found.begin(), found.end());
        return found;
    }

private:
    bool add(ExprId id, std::vector<uint32_t>& found) {
        if (met_[id.value]) return false;
        met_[id.value] = true;
        found.push_back(id.value);
        return true;
    }

    const Module& module_;
    std::vector<bool> met_;
    std::vector<ExprId> open_;
};

bool any_bodies(const Module& module) {
    for (uint32_t i = 0; i < module.size(); ++i)
        if (!bodies_of(module, ExprId(i)).empty()) return true;
    return false;
}

}  // namespace

std::vector<GraphBody> bodies_within(const Module& module, ExprId function) {
    constexpr int kDeepest = 16;
    if (!any_bodies(module)) return {};
    std::vector<GraphBody> bodies;
    std::vector<int> depth;
    BodyWalk walk(module);
    std::set<ExprId> met{function};
    const auto find_in = [&](const std::vector<uint32_t>& expressions, int32_t outer, int deep) {
        for (uint32_t i : expressions)
            for (CallBody& body : bodies_of(module, ExprId(i))) {
                if (deep > kDeepest || !met.insert(body.function).second) continue;
                bodies.push_back({std::move(body), ExprId(i), {}, outer});
                depth.push_back(deep);
            }
    };
    find_in(walk.inside(function), -1, 1);
    for (size_t i = 0; i < bodies.size(); ++i) {
        bodies[i].inside = walk.inside(bodies[i].function);
        find_in(std::vector<uint32_t>(bodies[i].inside), int32_t(i), depth[i] + 1);
    }
    for (size_t i = bodies.size(); i-- > 0;) {
        if (bodies[i].outer < 0) continue;
        std::vector<uint32_t>& around = bodies[size_t(bodies[i].outer)].inside;
        around.insert(around.end(), bodies[i].inside.begin(), bodies[i].inside.end());
        std::sort(around.begin(), around.end());
    }
    return bodies;
}

}  // namespace partita
