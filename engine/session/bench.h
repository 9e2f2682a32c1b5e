// The program's own timings: the cost of each step on a module, from text to picture.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/session/session.h"

namespace partita {

struct BenchOptions {
    std::vector<BackendDescription> backends;
    int repeat = 5;       ///< at most; at least one round runs
    double seconds = 20;  ///< no further round begins after this time
    bool layout = true;
};

struct BenchReport {
    /// The name and median in milliseconds of each step: parse, infer, simplify, composite, annotate, merge, partition,
    /// print, layout.
    std::vector<std::pair<std::string, double>> times;
    int calls = 0;
    size_t text_bytes = 0;  ///< size of the parsed Relay text; 0 for ONNX
    size_t printed_bytes = 0;
    int repeats = 0;
    long peak_kb = 0;       ///< peak resident size of the process so far
    long flow_peak_kb = 0;  ///< increase of the peak by the flow in the first round; 0 if unknown

    double time(std::string_view step) const;
    /// Returns the time of dividing: annotate, merge and partition together.
    double divide() const { return time("annotate") + time("merge") + time("partition"); }
    /// Returns megabytes of Relay text parsed per second; 0 if none was parsed.
    double parse_rate() const { return rate(text_bytes, time("parse")); }
    double print_rate() const { return rate(printed_bytes, time("print")); }
    double flow_bytes_per_call() const { return calls ? double(flow_peak_kb) * 1024 / calls : 0; }

private:
    static double rate(size_t bytes, double milliseconds) {
        return milliseconds > 0 ? double(bytes) / 1e3 / milliseconds : 0;
    }
};

/// Times the steps on a module. Reads a `file` once a round. For a generated graph (`random:N` and so on), prints the
/// text to parse before the timing starts.
Result<BenchReport> bench(const std::string& file, const BenchOptions& options);

}  // namespace partita
