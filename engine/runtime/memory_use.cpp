#include "engine/runtime/memory_use.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/runtime/run.h"
#include "engine/support/json_text.h"

namespace partita {

std::vector<size_t> MemoryUse::live_bytes() const {
    std::vector<size_t> live(steps.size());
    std::vector<size_t> freed(steps.size() + 1);
    for (const Block& block : blocks) {
        if (block.first >= steps.size()) continue;
        live[block.first] += block.bytes;
        freed[std::min<size_t>(block.last, steps.size() - 1) + 1] += block.bytes;
    }
    size_t now = 0;
    for (size_t i = 0; i < live.size(); ++i) now = live[i] = now - freed[i] + live[i];
    return live;
}

size_t MemoryUse::peak_step() const {
    const std::vector<size_t> live = live_bytes();
    return live.empty() ? 0 : size_t(std::max_element(live.begin(), live.end()) - live.begin());
}

std::vector<uint32_t> MemoryUse::live_at(size_t step) const {
    std::vector<uint32_t> live;
    for (uint32_t i = 0; i < blocks.size(); ++i)
        if (blocks[i].first <= step && step <= blocks[i].last) live.push_back(i);
    std::stable_sort(live.begin(), live.end(),
                     [this](uint32_t a, uint32_t b) { return blocks[a].bytes > blocks[b].bytes; });
    return live;
}

namespace {

nlohmann::json json_of_step(const MemoryUse::Step& step, const RunReport& report) {
    nlohmann::json json{{"name", step.name}};
    if (step.number) json["number"] = step.number;
    if (step.region >= 0 && size_t(step.region) < report.regions.size()) {
        const RegionTiming& region = report.regions[size_t(step.region)];
        json["region"] = region.name;
        if (!region.short_name.empty()) json["region_short_name"] = region.short_name;
    }
    return json;
}

}  // namespace

std::string memory_json(const RunReport& report) {
    const MemoryUse& memory = report.memory;
    const std::vector<size_t> live = memory.live_bytes();
    const size_t peak = memory.peak_step();
    nlohmann::json document{{"partita_memory", 1}, {"planned_bytes", report.peak_bytes}};
    nlohmann::json& steps = document["steps"] = nlohmann::json::array();
    for (size_t i = 0; i < memory.steps.size(); ++i) {
        steps.push_back(json_of_step(memory.steps[i], report));
        steps.back()["live_bytes"] = live[i];
    }
    nlohmann::json& blocks = document["blocks"] = nlohmann::json::array();
    for (const MemoryUse::Block& block : memory.blocks) {
        blocks.push_back(json_of_step(block.owner, report));
        blocks.back().update({{"bytes", block.bytes},
                              {"offset", block.offset},
                              {"first", block.first},
                              {"last", block.last},
                              {"workspace", block.workspace}});
    }
    if (!memory.empty())
        document["peak"] = {{"step", peak}, {"live_bytes", live[peak]}, {"blocks", memory.live_at(peak)}};
    return json_text(document, 2) + "\n";
}

}  // namespace partita
