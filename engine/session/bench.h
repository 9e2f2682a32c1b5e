// The program's own timings: what each step costs on a module, once from text to picture.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/session/session.h"

namespace partita {

struct BenchOptions {
    std::vector<BackendDescription> backends;
    int repeat = 5;       ///< at the most; at least one
    double seconds = 20;  ///< no further turn begins after this time
    bool layout = true;
};

struct BenchReport {
    /// Name and median in milliseconds: parse, infer, simplify, composite, annotate, merge, partition, print, layout.
    std::vector<std::pair<std::string, double>> times;
    int calls = 0;
    size_t text_bytes = 0;  ///< of the Relay text that was parsed; 0 for ONNX
    size_t printed_bytes = 0;
    int repeats = 0;
    long peak_kb = 0;  ///< largest resident size of the process so far
    long flow_peak_kb =
        0;  ///< how much of that the flow added at its peak, in the first turn; 0 where it can't be told

    double time(std::string_view step) const;
    /// What dividing takes: annotate, merge and partition together.
    double divide() const { return time("annotate") + time("merge") + time("partition"); }
    /// Megabytes of Relay text in a second; 0 where none was parsed.
    double parse_rate() const { return rate(text_bytes, time("parse")); }
    double print_rate() const { return rate(printed_bytes, time("print")); }
    double flow_bytes_per_call() const { return calls ? double(flow_peak_kb) * 1024 / calls : 0; }

private:
    static double rate(size_t bytes, double milliseconds) {
        return milliseconds > 0 ? double(bytes) / 1e3 / milliseconds : 0;
    }
};

/// `file` is read once a turn where it is a file. For a generated graph (`random:N` and so on) the text that is parsed
/// is printed first, outside the times.
Result<BenchReport> bench(const std::string& file, const BenchOptions& options);

}  // namespace partita
