#include "tests/fuzz/targets.h"

#include <cstdio>
#include <cstdlib>

namespace partita::fuzz {

std::span<const Target> targets() {
    static constexpr Target list[] = {
        {"relay", "Relay text", fuzz_relay},
        {"relax", "Relax text", fuzz_relax},
        {"metadata", "the metadata section of Relay text", fuzz_metadata},
        {"module", "modules as JSON", fuzz_module},
        {"onnx", "ONNX models", fuzz_onnx},
        {"rule", "rules", fuzz_rule},
        {"pattern", "patterns", fuzz_pattern},
        {"description", "backend descriptions", fuzz_description},
        {"project", "project files", fuzz_project},
        {"annotator", "what annotators write", fuzz_annotator},
        {"npy", ".npy and .npz files", fuzz_npy},
        {"lesson", "lessons and files of answers", fuzz_lesson},
        {"blocks", "blocks of graphs", fuzz_blocks},
        {"report", "what other programs said of a model", fuzz_report},
        {"litert", "LiteRT models", fuzz_litert},
        {"torch", "exported and lowered programs of PyTorch", fuzz_torch},
        {"graph", "plain graphs and Model Explorer's, as JSON", fuzz_graph},
        {"flow", "random modules, edits, division, run, comparison", fuzz_flow},
    };
    return list;
}

const Target* find_target(std::string_view name) {
    for (const Target& target : targets())
        if (name == target.name) return &target;
    return nullptr;
}

void require(bool kept, const char* promise, std::string_view detail) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n%.*s\n", promise, int(detail.size()), detail.data());
    std::abort();
}

}  // namespace partita::fuzz
