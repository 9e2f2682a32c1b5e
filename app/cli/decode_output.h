// The tokens that a decoder generated and the time of each, as JSON and as text.
#pragma once

#include <string>
#include <vector>

#include "app/cli/run_output.h"

namespace partita::cli {

struct DecodeStep {
    int64_t past = 0, length = 0;  ///< length of the cache before the step, and tokens read
    std::vector<int64_t> tokens;   ///< the new token of each row of the batch
    double prepare_ms = 0;         ///< for the module of this length
    RunOutput output;
};

struct DecodeOutput {
    std::string file;
    std::vector<DecodeStep> steps;  ///< at least one
};

Json decode_json(const DecodeOutput& output);
std::string decode_text(const DecodeOutput& output);

}  // namespace partita::cli
