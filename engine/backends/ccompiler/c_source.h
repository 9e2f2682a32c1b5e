// Writes a region as C11 that a person can read: chains of elementwise ops fused into one loop nest for each shape,
// broadcasting resolved to strides, other ops as the loops of their own emitters.
//
// The source exports one function:
//
//     int32_t partita_region(const void *const *inputs, void *const *outputs,
//                            const void *const *constants, void *workspace, const partita_host *host);
//
// Tensors are dense and row-major, in the order of the region's flattened parameters and results; `constants` are those
// of `CSource::constants`; `workspace` has `workspace_bytes`, aligned to 64. Steps without C are calls of
// `host->run_step(host, k, inputs, outputs)`, where k is an index into `CSource::host_steps`. It returns 0, or another
// value if a step failed or refused its operands: an index out of range, a divisor of 0. The source contains no names
// from a module: identifiers are numbered, comments hold names of ops from the registry.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/program/flat_graph.h"

namespace partita {

/// The differences of an exported bundle's source from that of a region which the runtime loads: it is self-contained.
///
///     int NAME(const void *const *inputs, void *const *outputs, const unsigned char *weights, unsigned char *memory);
struct CStandalone {
    std::string name;  ///< of the function
    /// Returns the offset of a constant's bytes in the weights.
    std::function<size_t(ConstantId)> weight_offset;
    /// The C function of a step that calls a sub-function, and the bytes of workspace it needs.
    struct Callee {
        std::string name;
        size_t workspace_bytes = 0;
    };
    std::function<Callee(ExprId function)> callee;
};

/// As declared in the source.
struct CHost {
    int32_t (*run_step)(const CHost* host, int32_t step, const void* const* inputs, void* const* outputs);
};

struct CSource {
    /// Lines that compute a step of the graph; they count from 1.
    struct Lines {
        uint32_t first = 0, last = 0, step = 0;
    };
    std::string text;
    std::vector<Lines> lines;  ///< in the order of the text
    std::vector<ConstantId> constants;
    std::vector<uint32_t> host_steps;  ///< steps of the flat graph that run on `default`
    size_t workspace_bytes = 0;
    int loops = 0;  ///< loop nests and op loops, for people
};

/// Fails if C has no name for a type, or no step of the region can be written in C.
Result<CSource> write_c_source(const Module& module, const FlatGraph& graph);
/// Writes only the functions, without includes and host: fails if a step cannot be written in C, naming all such ops.
/// Steps may call sub-functions.
Result<CSource> write_standalone_c(const Module& module, const FlatGraph& graph, const CStandalone& form);

}  // namespace partita
