// Runs of the opened module: what is asked for, what one gave, and the times of those before.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include <QStringList>

#include "engine/flow/flow_choice.h"
#include "engine/runtime/compare_runs.h"
#include "engine/runtime/machine.h"
#include "engine/runtime/run_record.h"
#include "engine/session/input_files.h"

namespace partita {

using FlowPtr = std::shared_ptr<const FlowResult>;

/// What a run gave, with the flow whose module was run.
struct RunOutcome {
    FlowPtr flow;  ///< null: the opened module was run as it is
    RunReport report;
    std::optional<RunReport> reference;  ///< of the unpartitioned module, if a comparison was asked for
    quint64 revision = 0;                ///< of the choice that was run
    int threads = 0;
    RunOptions options;                    ///< with which it was run
    std::vector<InputFile> inputs;         ///< from which values were read; the others were made
    RunRecordPtr record;                   ///< what is kept of it
    std::vector<uint32_t> places_by_name;  ///< of the report's regions, in natural order
    /// By expression of the module that was shown, as fractions of the longest time; -1 where none is known.
    std::vector<float> heat;
};
/// Of the times of a million operators none are copied, or freed on the window's thread.
using RunOutcomePtr = std::shared_ptr<const RunOutcome>;

/// Returns times of a run as RunOutcome::heat.
std::vector<float> heat_of_run(const RunOutcome& run, size_t expressions);
/// Returns the places of a report's regions as RunOutcome::places_by_name.
std::vector<uint32_t> order_names(const std::vector<RegionTiming>& regions);
/// Returns what is kept of a run: the times without the tensors, which may be large, and without the trace.
RunRecordPtr record_of(RunOutcome& outcome, const FlowChoice& choice, const MachineLimits& machine,
                       const std::string& title, const Module& original);

struct RunRequest {
    bool compare = true;
    int threads = 0;
    int warmup = 1;
    int repeat = 5;
    uint64_t seed = 0;
    MachineLimits machine;  ///< on which it runs; zero where it was not measured
    /// Codegens of descriptions that may run though they are code that the description brings along; see ForeignCode.
    QStringList trusted_code;
};

/// The values of regions' results, by expression of the module that was shown, with the region and its place in it.
struct FlowedValues {
    std::vector<RegionDifference> regions;
    std::map<ExprId, std::pair<uint32_t, uint32_t>> places;
};
using FlowedValuesPtr = std::shared_ptr<const FlowedValues>;

/// The last run, and the times of the last few, the oldest first, which are kept in the project.
struct RunHistory {
    RunOutcomePtr last;      ///< null without one, or after an edit
    FlowedValuesPtr flowed;  ///< when its regions were compared; else null
    std::vector<RunRecordPtr> records;

    /// Adds the times of a run, unless they are of more than kMostKeptTimes regions and operators.
    void keep(RunRecordPtr record);
};

}  // namespace partita
