#include "engine/session/reason.h"

namespace partita {

namespace {

/// As the passes write them. Of two that may fit the longer comes first.
constexpr const char* kForms[] = {
    // engine/passes/region_limits.cpp
    SENTENCE("Engine", "together they would have %1 inputs, at most 1 is allowed"),
    SENTENCE("Engine", "together they would have %1 inputs, at most %2 are allowed"),
    SENTENCE("Engine", "together they would have %1 outputs, at most 1 is allowed"),
    SENTENCE("Engine", "together they would have %1 outputs, at most %2 are allowed"),
    // engine/session/flow.cpp
    SENTENCE("Engine", "its region %1, and %2, and %3, and %4"),
    SENTENCE("Engine", "its region %1, and %2, and %3"),
    SENTENCE("Engine", "its region %1, and %2"),
    SENTENCE("Engine", "its region %1"),
    SENTENCE("Engine", "has 1 call, at least %1 are wanted"),
    SENTENCE("Engine", "has %1 calls, at least 1 is wanted"),
    SENTENCE("Engine", "has %1 calls, at least %2 are wanted"),
    SENTENCE("Engine", "takes %1 operations, at least %2 are wanted"),
    SENTENCE("Engine", "has %1 inputs, at most 1 is allowed"),
    SENTENCE("Engine", "has %1 inputs, at most %2 are allowed"),
    SENTENCE("Engine", "has %1 outputs, at most 1 is allowed"),
    SENTENCE("Engine", "has %1 outputs, at most %2 are allowed"),
    // engine/passes/region_groups.cpp, merge_compiler_regions.cpp
    SENTENCE("Engine", "you keep them apart"),
    SENTENCE("Engine", "the regions stand in different functions or branches"),
    // engine/rules/explain_regions.cpp
    SENTENCE("Engine", "they could be merged, but at first %1 and %2 were in one region with one of them, which depended on itself through %3 and was taken apart; what was decided before holds, and then a path led from %4 to %5, which were in the regions of the two: through %6"),
    // engine/passes/fold_constants.cpp
    SENTENCE("Engine", "%1 of constants became a constant"),
    // engine/passes/simplify_inference.cpp
    SENTENCE("Engine", "nn.batch_norm became a multiplication and an addition"),
    SENTENCE("Engine", "nn.dropout became its argument"),
    SENTENCE("Engine", "nn.layer_norm became mean, variance and arithmetic"),
    SENTENCE("Engine", "nn.group_norm became mean, variance and arithmetic"),
};

}  // namespace

std::optional<Sentence> read_reason(std::string_view text) {
    for (const char* form : kForms)
        if (std::optional<Sentence> read = read_sentence(form, text)) return read;
    return std::nullopt;
}

}  // namespace partita
