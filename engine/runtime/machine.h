// The peak performance of this machine: the two lines of a roofline (Williams, Waterman and Patterson, "Roofline",
// 2009).
#pragma once

#include "engine/runtime/run.h"

namespace partita {

struct MachineLimits {
    int threads = 0;
    double flops = 0;      ///< float32 operations per second; a multiply-add counts as two
    double bandwidth = 0;  ///< bytes per second of a triad a[i] = b[i] + s * c[i], counted as STREAM does: three arrays
};

/// Measures the machine in about a fifth of a second; 0 threads means one for each core.
MachineLimits measure_machine(int threads, const CancelToken& cancel = {});

/// A region, or another timed part, relative to the machine.
struct RooflinePoint {
    double flops = 0;             ///< achieved operations per second
    double bandwidth = 0;         ///< achieved bytes per second, counting inputs and outputs once
    double intensity = 0;         ///< operations per byte
    double attainable_flops = 0;  ///< the roofline at this intensity
    double share = 0;             ///< of the binding limit: bandwidth below the ridge, operations above it
    bool memory_bound = false;
};
RooflinePoint roofline(const MachineLimits& machine, double flops, double bytes, double milliseconds);

}  // namespace partita
