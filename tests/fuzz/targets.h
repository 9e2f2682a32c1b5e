// The fuzz targets: each passes any bytes to one reader of untrusted input and checks what that reader guarantees. A
// violated guarantee aborts.
//
// The same function serves two programs: libFuzzer's (fuzz_main.cpp, preset `fuzz`) and the replay among the tests.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace partita::fuzz {

using Bytes = std::string_view;

struct Target {
    const char* name;  ///< also the folder of its corpus
    const char* summary;
    void (*run)(Bytes bytes);
};

std::span<const Target> targets();
const Target* find_target(std::string_view name);

// One function for each target; texts.cpp, models.cpp, lessons.cpp, blocks.cpp, whole_flow.cpp,
// reports.cpp, program_files.cpp.
void fuzz_relay(Bytes bytes);
void fuzz_relax(Bytes bytes);
void fuzz_metadata(Bytes bytes);
void fuzz_module(Bytes bytes);
void fuzz_onnx(Bytes bytes);
void fuzz_rule(Bytes bytes);
void fuzz_pattern(Bytes bytes);
void fuzz_description(Bytes bytes);
void fuzz_project(Bytes bytes);
void fuzz_annotator(Bytes bytes);
void fuzz_npy(Bytes bytes);
void fuzz_lesson(Bytes bytes);
void fuzz_blocks(Bytes bytes);
void fuzz_flow(Bytes bytes);
void fuzz_report(Bytes bytes);
void fuzz_litert(Bytes bytes);
void fuzz_torch(Bytes bytes);
void fuzz_graph(Bytes bytes);

/// Aborts with a message if a guarantee is violated, in every build.
void require(bool kept, const char* promise, std::string_view detail = {});

}  // namespace partita::fuzz
