#include "engine/passes/region_set.h"

#include <algorithm>
#include <numeric>

#include "engine/support/large_memory.h"

namespace partita {

void RegionSet::open(ExprId begin, int32_t compiler, int32_t function, int32_t number) {
    int32_t region = opened_++;
    begins_[size_t(region)] = begin;
    numbers_[size_t(region)] = number;
    functions_[size_t(region)] = function;
    compilers_[size_t(region)] = compiler;
    region_of_[begin.value] = region;
}

void RegionSet::close(ExprId end, int32_t root) {
    int32_t item = int32_t(unions_.ends.size());
    unions_.ends.push_back({end, kNone});
    if (unions_.first_end[size_t(root)] == kNone) unions_.first_end[size_t(root)] = item;
    else unions_.ends[size_t(unions_.last_end[size_t(root)])].next = item;
    unions_.last_end[size_t(root)] = item;
}

void RegionSet::unite(int32_t from, int32_t into) {
    if (from == into) return;
    unions_.parent[size_t(from)] = into;
    // The list of `into` begins with its own begin, so that the concatenation keeps TVM's order.
    unions_.next_begin[size_t(unions_.last_begin[size_t(into)])] = from;
    unions_.last_begin[size_t(into)] = unions_.last_begin[size_t(from)];
    if (unions_.first_end[size_t(from)] == kNone) return;
    if (unions_.first_end[size_t(into)] == kNone) unions_.first_end[size_t(into)] = unions_.first_end[size_t(from)];
    else unions_.ends[size_t(unions_.last_end[size_t(into)])].next = unions_.first_end[size_t(from)];
    unions_.last_end[size_t(into)] = unions_.last_end[size_t(from)];
}

void RegionSet::settle() {
    // After the last region comes the answer for kNone, so that the long loop has no branch.
    std::vector<int32_t> roots;
    reserve_in_large_pages(roots, size_t(size()) + 1);
    for (int32_t region = 0; region < size(); ++region) roots.push_back(find(region));
    roots.push_back(kNone);
    for (int32_t& region : region_of_) region = roots[std::min(uint32_t(region), uint32_t(size()))];
}

/// Returns whether an operand of a region's expression may bring in a value from outside.
template <class View>
bool RegionSet::enters_without_begin(const View& view, ExprId operand) {
    ExprKind kind = view.module().kind(operand);
    return kind == ExprKind::Var || !view.module().operands(operand).empty();
}

template <class View>
Status RegionSet::join(const View& view, ExprId id) {
    bool is_call = view.module().kind(id) == ExprKind::Call && !view.is_tuple_of_ends(id);
    int32_t region = kNone;
    bool by_begins = !is_call || view.module().kind(view.operands(id)[0]) == ExprKind::Op;
    for (ExprId operand : view.operands(id).subspan(is_call)) {
        int32_t of_operand = region_of(operand);
        if (of_operand == kNone || view.mark(operand) == Mark::End) {
            by_begins = by_begins && !enters_without_begin(view, operand);
            continue;
        }
        if (of_operand == region) continue;
        if (region == kNone) {
            region = of_operand;
        } else if (compiler(region) != compiler(of_operand)) {
            return error("the operands of one expression are open for different compilers: a compiler_end is missing",
                         view.module().position(id));
        } else {
            unite(of_operand, region);
        }
    }
    if (region == kNone) return Nothing();
    region_of_[id.value] = region;
    entered_by_begins_ = entered_by_begins_ && by_begins;
    return Nothing();
}

/// Adds `listed` to the ends of the region of `operand`, after checking that `end` fits it.
template <class View>
Status RegionSet::close_region_of(const View& view, ExprId end, ExprId operand, ExprId listed) {
    int32_t region = region_of(operand);
    if (region == kNone) return error("a compiler_end has no matching compiler_begin", view.module().position(end));
    if (compiler(region) != view.compiler(end))
        return error("a compiler_end names another compiler than the compiler_begin of its region",
                     view.module().position(end));
    close(listed, region);
    if (listed == end) region_of_[end.value] = region;
    return Nothing();
}

/// Makes all regions, each on its own; `open` fills them in. Counts the marks of the whole module, which a walk in
/// memory order does several times faster; too many if some are in functions that are not visited.
template <class View>
void RegionSet::make_regions(const View& view) {
    size_t begins = 0, ends = 0;
    for (uint32_t i = 0; i < view.module().size(); ++i) {
        Mark mark = view.mark(ExprId(i));
        begins += mark == Mark::Begin;
        ends += mark == Mark::End;
    }
    fill_in_large_pages(begins_, begins);
    for (std::vector<int32_t>* list :
         {&numbers_, &functions_, &compilers_, &unions_.next_begin, &unions_.first_end, &unions_.last_end})
        fill_in_large_pages(*list, begins, kNone);
    for (std::vector<int32_t>* list : {&unions_.parent, &unions_.last_begin}) {
        fill_in_large_pages(*list, begins);
        std::iota(list->begin(), list->end(), 0);
    }
    reserve_in_large_pages(unions_.ends, ends);
}

void RegionSet::forget_unopened() {
    if (opened_ == size()) return;
    begins_.resize(size_t(opened_));
    for (std::vector<int32_t>* list : {&numbers_, &functions_, &compilers_, &unions_.parent, &unions_.next_begin,
                                       &unions_.last_begin, &unions_.first_end, &unions_.last_end})
        list->resize(size_t(opened_));
}

template <class View>
Result<RegionSet> RegionSet::build(const View& view, std::span<const ExprId> roots, std::span<const ExprId> order) {
    const Module& module = view.module();
    RegionSet set;
    fill_in_large_pages(set.region_of_, module.size(), kNone);
    set.make_regions(view);
    int32_t function = 0, number = 0;
    for (ExprId id : order) {
        switch (module.kind(id)) {
            case ExprKind::Call: {
                if (view.is_tuple_of_ends(id)) {
                    if (view.compiler(id) == CompilerNames::kDefault) break;
                    for (ExprId field : view.operands(id)) {
                        if (Status closed = set.close_region_of(view, id, field, field); !closed) return closed.error();
                    }
                    break;
                }
                Mark mark = view.mark(id);
                if (mark == Mark::Begin) {
                    set.open(id, view.compiler(id), function, number++);
                } else if (mark == Mark::End) {
                    if (Status closed = set.close_region_of(view, id, view.operands(id)[1], id); !closed)
                        return closed.error();
                } else if (Status joined = set.join(view, id); !joined) {
                    return joined.error();
                }
                break;
            }
            case ExprKind::Tuple:
            case ExprKind::Projection:
            case ExprKind::RefCreate:
            case ExprKind::RefRead:
            case ExprKind::RefWrite:
                if (Status joined = set.join(view, id); !joined) return joined.error();
                break;
            case ExprKind::Function:
                if (size_t(function) < roots.size() && id == roots[size_t(function)]) {
                    ++function;
                    number = 0;
                }
                break;
            default: break;
        }
    }
    set.forget_unopened();
    return set;
}

template Result<RegionSet> RegionSet::build(const MarkedModule&, std::span<const ExprId>, std::span<const ExprId>);
template Result<RegionSet> RegionSet::build(const NormalizedView&, std::span<const ExprId>, std::span<const ExprId>);

}  // namespace partita
