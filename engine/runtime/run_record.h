// A saved run: its times and what is needed to judge them later, in a file of its own.
//
// The file is JSON, described in resources/partita-run.schema.json. It contains no tensors, no trace, and no path
// except the title. Reading checks everything, because a file may come from anyone. Unknown members are preserved when
// a run that was read is saved again.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/runtime/machine.h"
#include "engine/runtime/run.h"

namespace partita {

struct RunRecord {
    std::string title;      ///< the file that was run
    std::string backends;   ///< "dnnl,ccompiler"
    std::string made;       ///< time of the run: "2024-05-01T12:00:00Z"
    std::string model;      ///< model_key of what was run, before it was divided; "" if it is not known
    MachineLimits machine;  ///< zero if it was not measured
    RunReport report;       ///< without outputs, differences and trace
    std::string source;     ///< the text it was read from, used to write it again; "" for a run of this program
};

/// Shared, not copied, because a record may contain the times of a million operators.
using RunRecordPtr = std::shared_ptr<const RunRecord>;

std::string format_run_record(const RunRecord& record);
/// Parses a record. Messages call it `name`.
Result<RunRecord> parse_run_record(std::string_view text, const std::string& name);

Status save_run(const std::string& path, const RunRecord& record);
Result<RunRecord> load_run(const std::string& path);

/// Returns a hash of a module's calls, how they are connected, and their types: the same whatever divides it.
std::string model_key(const Module& module);
/// Whether two runs are of one model, in the same sizes: by their keys, or their titles where one has no key.
bool are_of_one_model(const RunRecord& a, const RunRecord& b);

/// Returns the present time in the format of RunRecord::made.
std::string time_stamp();

}  // namespace partita
