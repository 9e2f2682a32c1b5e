#include "engine/explain/two_divisions.h"

#include <algorithm>
#include <unordered_set>

#include "engine/explain/explain.h"

namespace partita {

namespace {

std::string_view backend_of(const DivisionSide& side, ExprId call) {
    const int backend = call.value < side.flow.backend_of.size() ? side.flow.backend_of[call.value] : -1;
    return backend < 0 ? std::string_view() : std::string_view(side.backends[size_t(backend)].name);
}

bool are_together(const DivisionSide& side, ExprId a, ExprId b) {
    return side.flow.region_of[a.value] == side.flow.region_of[b.value];
}

/// The calls whose values a call uses, through tuples, too.
std::vector<ExprId> used_calls(const Module& module, ExprId call) {
    std::vector<ExprId> used, left(module.arguments(call).begin(), module.arguments(call).end());
    std::unordered_set<ExprId> seen;  // tuples share fields
    while (!left.empty()) {
        const ExprId at = left.back();
        left.pop_back();
        if (!seen.insert(at).second) continue;
        const ExprKind kind = module.kind(at);
        if (kind == ExprKind::Call) used.push_back(at);
        if (kind == ExprKind::Tuple || kind == ExprKind::Projection)
            for (ExprId operand : module.operands(at)) left.push_back(operand);
    }
    std::sort(used.begin(), used.end());
    return used;
}

/// The first call of each region, as its name in both divisions. Calls are asked about in order.
class FirstCalls {
public:
    explicit FirstCalls(const DivisionSide& side) : side_(side), first_(side.flow.regions.size()) {}
    ExprId first(ExprId call) {
        ExprId& first = first_[size_t(side_.flow.region_of[call.value])];
        return first = first.valid() ? first : call;
    }

private:
    const DivisionSide& side_;
    std::vector<ExprId> first_;
};

}  // namespace

TwoDivisions compare_divisions(const DivisionSide& a, const DivisionSide& b) {
    TwoDivisions found;
    const Module& module = *a.flow.input;
    FirstCalls first_of_a(a), first_of_b(b);
    std::vector<TwoDivisions::Border> regrouped;
    const ExpressionNames names(module);
    for (ExprId call : names.calls()) {
        if (backend_of(a, call) != backend_of(b, call)) {
            found.elsewhere.push_back(call);
            continue;
        }
        if (backend_of(a, call).empty()) continue;
        if (first_of_a.first(call) != first_of_b.first(call)) {
            const bool in_a = first_of_a.first(call) < first_of_b.first(call);
            regrouped.push_back({(in_a ? first_of_a : first_of_b).first(call), call, in_a});
        }
        for (ExprId used : used_calls(module, call)) {
            const bool is_on_both =
                backend_of(a, used) == backend_of(a, call) && backend_of(b, used) == backend_of(b, call);
            if (is_on_both && are_together(a, used, call) != are_together(b, used, call))
                found.borders.push_back({used, call, are_together(a, used, call)});
        }
    }
    if (found.nothing()) found.regrouped = std::move(regrouped);
    return found;
}

Sentence why_apart(const DivisionSide& side, const TwoDivisions::Border& border) {
    return FlowExplainer(side.flow, side.backends)
        .explain_regions(side.flow.region_of[border.from.value], side.flow.region_of[border.to.value])
        .reason;
}

}  // namespace partita
