// What this machine can do at best: the two lines of a roofline (Williams, Waterman and Patterson, "Roofline", 2009).
#pragma once

#include "engine/runtime/run.h"

namespace partita {

struct MachineLimits {
    int threads = 0;
    double flops = 0;      ///< float32 operations a second, a multiply-add counted as two
    double bandwidth = 0;  ///< bytes a second of a triad a[i] = b[i] + s * c[i], counted as STREAM does: three arrays
};

/// Measures for about a fifth of a second; 0 threads means as many as the machine has cores.
MachineLimits measure_machine(int threads, const CancelToken& cancel = {});

/// A region, or anything else that was timed, against the machine.
struct RooflinePoint {
    double flops = 0;             ///< operations a second that were reached
    double bandwidth = 0;         ///< bytes a second that were reached, counting inputs and outputs once
    double intensity = 0;         ///< operations for each byte
    double attainable_flops = 0;  ///< what the roofline allows at this intensity
    double share = 0;             ///< of the limit that binds: bandwidth below the ridge, operations above it
    bool memory_bound = false;
};
RooflinePoint roofline(const MachineLimits& machine, double flops, double bytes, double milliseconds);

}  // namespace partita
