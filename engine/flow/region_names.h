// Short names of regions: "dnnl #17", the backend and the number of the first operator.
//
// A region has its name from the moment its operators are placed: each operator is a region at first, and one that
// others join keeps the number of the first of them. Partitioning and running change nothing, and a change of other
// regions does not either, as long as the operators are the same. The names of sub-functions, in contrast, count all
// regions anew.
#pragma once

#include <string>

#include "engine/flow/flow.h"
#include "engine/flow/names.h"
#include "engine/ops/registry.h"

namespace partita {

/// Returns the operator of a region with the lowest number; invalid if it has none.
ExprId first_operator(const RegionInfo& region, const ExpressionNames& names);
/// Returns "dnnl #17". A region without operators has the name of its function. `names` are those of the flow's input.
std::string region_name(const RegionInfo& region, const ExpressionNames& names);
/// Returns the operator that a call computes; null for other expressions, annotations' marks, and calls of functions.
const OpRecord* computed_op(const Module& module, ExprId call);
/// Returns how many operators a call stands for: one, or those in the composite that it calls.
int operators_in(const Module& module, ExprId call);
/// Returns how many operators a region has; `input` is the flow's.
int operator_count(const RegionInfo& region, const Module& input);
/// Returns "nn.dense", "nn.dense +2": the first operator, and how many more there are; "" without one.
std::string region_content(const RegionInfo& region, const ExpressionNames& names);

}  // namespace partita
