// What can be done with a run's times, for the window and the command line: hold it against another run or the machine,
// keep it in a file, write it as a trace.
#pragma once

#include "engine/runtime/compare_runs.h"
#include "engine/runtime/machine.h"
#include "engine/runtime/ran_where.h"
#include "engine/runtime/run_record.h"
#include "engine/runtime/trace.h"
