// What another program decided about the nodes of a file, as its reports tell: a division that is stated, with the
// program's own reasons and times. Missing is unknown, never "no".
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/sentence.h"

namespace partita {

struct ReportedNode {
    int16_t backend = -1;  ///< index into ReportedDivision::backends; -1: no report says it
    int32_t region = -1;   ///< index into ReportedDivision::regions
    double time_us = -1;   ///< negative: no report says it
    std::string reason;    ///< why a backend did not take it, in the program's words; "": no report says it
    int16_t asked = -1;    ///< the backend that `verdict` is of
    int32_t row = -1;      ///< nodes of one number were timed together; -1: this one on its own, or not at all
    int8_t verdict = -1;   ///< 1: it would take it, 0: it would not, -1: no report says it
};

struct ReportedDivision {
    std::string program;                ///< "ONNX Runtime"
    std::vector<std::string> backends;  ///< in order of priority; what takes the rest comes last
    std::vector<int16_t> regions;       ///< the backend of each
    std::vector<ReportedNode> nodes;
    std::unordered_map<std::string, uint32_t> by_label;  ///< by Module::label of a call
    std::unordered_map<ExprId, uint32_t> by_expression;  ///< of the opened module: of calls without a label
    bool has_verdicts = false, has_times = false;
    int runs = 1;                    ///< that the times are the sum of
    std::vector<std::string> files;  ///< the reports

    /// Returns null for a call that is of no node.
    const ReportedNode* find(const Module& module, ExprId call) const;
    /// Returns whether a backend would take a node or, where no report says that, took it.
    bool takes(const ReportedNode& node, std::string_view backend) const;
    /// Returns the name of what takes all that nothing else takes, as the CPU provider; "" if nothing does.
    std::string_view last_resort() const;
};
using ReportedPtr = std::shared_ptr<const ReportedDivision>;

/// Returns the same for a new module; `image` maps each expression to its successor.
ReportedPtr carried_over(const ReportedPtr& reported, const std::vector<ExprId>& image);

/// Says where the program put a call and what it gave as its reason, or that no report says it.
Sentence reported_sentence(const ReportedDivision& reported, const ReportedNode* node);

}  // namespace partita
