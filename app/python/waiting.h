// Long work of the engine for a caller in Python: other threads of Python run meanwhile, and Ctrl+C cancels it.
#pragma once

#include <chrono>
#include <future>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

#include <pybind11/pybind11.h>

#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita::python {

/// What partita.Error is made of.
struct Refusal {
    Diagnostic diagnostic;
};

template <class T>
T value_or_raise(Result<T> result) {
    if (!result) throw Refusal{result.error()};
    return std::move(*result);
}

/// Returns what `work` returns; raises what it throws. The caller has Python's lock, `work` must not touch Python.
/// Where a signal's handler raises, as for Ctrl+C, `cancel` is set, and the exception is raised once `work` has ended.
template <class Work>
auto wait_for(const CancelToken& cancel, Work work) {
    using Value = std::invoke_result_t<Work>;
    constexpr auto kPatience = std::chrono::milliseconds(20);
    std::optional<pybind11::error_already_set> interrupt;
    std::packaged_task<Value()> task(std::move(work));
    std::future<Value> done = task.get_future();
    {
        const pybind11::gil_scoped_release others_run;
        // Signals are handled on the main thread alone, so it only waits.
        std::thread worker(std::move(task));
        while (done.wait_for(kPatience) == std::future_status::timeout) {
            const pybind11::gil_scoped_acquire lock;
            if (PyErr_CheckSignals() == 0) continue;
            cancel.cancel();
            interrupt.emplace();
        }
        worker.join();
    }
    if (interrupt) throw std::move(*interrupt);
    return done.get();
}

}  // namespace partita::python
