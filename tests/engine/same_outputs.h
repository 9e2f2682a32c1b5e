// Compares the outputs of two modules bit for bit, for generated inputs.
#pragma once

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "engine/runtime/run.h"

namespace partita::testing {

inline Result<std::vector<Tensor>> outputs_of(const Module& module, const std::map<std::string, Tensor>& inputs) {
    RunOptions options;
    options.inputs = inputs;
    options.threads = 1;
    options.warmup = 0;
    options.repeat = 1;
    Result<RunReport> report = run_module(std::make_shared<const Module>(module), options);
    if (!report) return report.error();
    return std::move(report->outputs);
}

/// Returns the first difference; "" if there is none.
inline std::string difference_of_outputs(const Module& input, const Module& partitioned) {
    std::map<std::string, Tensor> inputs = make_inputs(input, 7, {});
    Result<std::vector<Tensor>> expected = outputs_of(input, inputs), found = outputs_of(partitioned, inputs);
    if (!expected) return "the input does not run: " + expected.error().message;
    if (!found) return "does not run: " + found.error().message;
    if (expected->size() != found->size()) return "another number of outputs";
    for (size_t i = 0; i < found->size(); ++i) {
        const Tensor &a = (*found)[i], &b = (*expected)[i];
        if (a.byte_size() != b.byte_size() || std::memcmp(a.bytes(), b.bytes(), a.byte_size()) != 0)
            return "computes something else in output " + std::to_string(i);
    }
    return {};
}

}  // namespace partita::testing
