// NormalizeAnnotations: what PartitionGraph does to annotations before it forms regions, as TVM 0.9's
// FlattenTupleOutputs and RemoveDefaultAnnotations (src/relay/transforms/partition_graph.cc): an end round a tuple
// becomes a tuple of ends, marks of `default` vanish. Beyond TVM: a begin that is the value of a let is taken off; it
// has no end that belongs to it, and TVM leaves a region's parameter behind in its place.
//
// Linear. The result is typed.
#pragma once

#include "engine/ir/module.h"

namespace partita {

Module normalize_annotations(const Module& module);

}  // namespace partita
