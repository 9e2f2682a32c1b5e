// Runs for Python: values in and out, and what was measured.
#pragma once

#include <pybind11/pybind11.h>

#include "app/python/division.h"

namespace partita::python {

/// How a module is run; see RunOptions.
struct RunSettings {
    uint64_t seed = 0;
    int threads = 0, warmup = 0, repeat = 1;
    double tolerance = 1e-4;
    bool compare = false;  ///< also runs the unpartitioned module on default
};

RunOptions run_options(const RunSettings& settings, std::span<const BackendDescription> backends);
/// Raises what keeps a division from running: code without permission, sizes that nobody gave.
void require_permission(const Division& division);

/// Runs the last stage of a division. `inputs`: arrays by the names of @main's parameters.
/// Returns {"outputs": [array], "time": {...}, "regions": [...], "differences": [...], ...}; times are in milliseconds.
pybind11::dict run_division(const Division& division, const pybind11::dict& inputs, const RunSettings& settings);

/// Searches what a backend computes otherwise than default. Returns the fields of partita.Culprit.
pybind11::dict bisect_division(const Division& division, const pybind11::dict& inputs, const RunSettings& settings);

}  // namespace partita::python
