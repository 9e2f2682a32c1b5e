// A run that is kept: its times with what is needed to judge them later, as a file of its own.
//
// The file is JSON, described in resources/partita-run.schema.json. It holds no tensors, no trace, and no path but the
// title. Reading one checks everything: a kept run may come from anyone. Members that this version does not know are
// written back wherever a run that was read is kept again.
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
    std::string made;       ///< when: "2024-05-01T12:00:00Z"
    MachineLimits machine;  ///< zero where it was not measured
    RunReport report;       ///< without outputs, differences and trace
    std::string source;     ///< what it was read from, which is what is written again; "" for a run of this program
};

/// A record may hold the times of a million operators: it is shared, not copied.
using RunRecordPtr = std::shared_ptr<const RunRecord>;

std::string format_run_record(const RunRecord& record);
/// `name` stands in messages.
Result<RunRecord> parse_run_record(std::string_view text, const std::string& name);

Status save_run(const std::string& path, const RunRecord& record);
Result<RunRecord> load_run(const std::string& path);

/// Now, as RunRecord::made has it.
std::string time_stamp();

}  // namespace partita
