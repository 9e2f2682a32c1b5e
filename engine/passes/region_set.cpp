#include "engine/passes/region_set.h"

namespace partita {

int32_t RegionSet::open(ExprId begin, int32_t compiler, int32_t function, int32_t number) {
    int32_t region = size();
    begins_.push_back(begin);
    parent_.push_back(region);
    numbers_.push_back(number);
    functions_.push_back(function);
    compilers_.push_back(compiler);
    next_begin_.push_back(kNone);
    last_begin_.push_back(region);
    first_end_.push_back(kNone);
    last_end_.push_back(kNone);
    region_of_[begin.value] = region;
    return region;
}

void RegionSet::close(ExprId end, int32_t root) {
    int32_t item = int32_t(ends_.size());
    ends_.push_back({end, kNone});
    if (first_end_[size_t(root)] == kNone) first_end_[size_t(root)] = item;
    else ends_[size_t(last_end_[size_t(root)])].next = item;
    last_end_[size_t(root)] = item;
    region_of_[end.value] = root;
}

void RegionSet::unite(int32_t from, int32_t into) {
    if (from == into) return;
    parent_[size_t(from)] = into;
    // The list of `into` begins with its own begin, so that the concatenation keeps TVM's order.
    next_begin_[size_t(last_begin_[size_t(into)])] = from;
    last_begin_[size_t(into)] = last_begin_[size_t(from)];
    if (first_end_[size_t(from)] == kNone) return;
    if (first_end_[size_t(into)] == kNone) first_end_[size_t(into)] = first_end_[size_t(from)];
    else ends_[size_t(last_end_[size_t(into)])].next = first_end_[size_t(from)];
    last_end_[size_t(into)] = last_end_[size_t(from)];
}

void RegionSet::settle() {
    for (int32_t& region : region_of_)
        if (region != kNone) region = find(region);
}

Status RegionSet::join(const Module& module, ExprId id, MarkReader& reader) {
    std::span<const ExprId> operands = module.operands(id);
    if (module.kind(id) == ExprKind::Call) operands = operands.subspan(1);
    int32_t region = kNone;
    for (ExprId operand : operands) {
        int32_t of_operand = region_of(operand);
        if (of_operand == kNone || of_operand == region || reader.mark(operand) == Mark::End) continue;
        if (region == kNone) {
            region = of_operand;
        } else if (compiler(region) != compiler(of_operand)) {
            return error("the operands of one expression are open for different compilers: a compiler_end is missing",
                         module.position(id));
        } else {
            unite(of_operand, region);
        }
    }
    if (region != kNone) region_of_[id.value] = region;
    return Nothing();
}

Result<RegionSet> RegionSet::build(const Module& module, std::span<const ExprId> roots,
                                   std::span<const ExprId> order, MarkReader& reader) {
    RegionSet set(module.size());
    int32_t function = 0, number = 0;
    for (ExprId id : order) {
        switch (module.kind(id)) {
            case ExprKind::Call: {
                Mark mark = reader.mark(id);
                if (mark == Mark::Begin) {
                    set.open(id, reader.compiler(id), function, number++);
                    break;
                }
                if (mark == Mark::End) {
                    int32_t region = set.region_of(reader.operand(id));
                    if (region == kNone)
                        return error("a compiler_end has no matching compiler_begin", module.position(id));
                    if (set.compiler(region) != reader.compiler(id))
                        return error("a compiler_end names another compiler than the compiler_begin of its region",
                                     module.position(id));
                    set.close(id, region);
                    break;
                }
                if (Status joined = set.join(module, id, reader); !joined) return joined.error();
                break;
            }
            case ExprKind::Tuple:
            case ExprKind::Projection:
            case ExprKind::RefCreate:
            case ExprKind::RefRead:
            case ExprKind::RefWrite:
                if (Status joined = set.join(module, id, reader); !joined) return joined.error();
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
    return set;
}

}  // namespace partita
