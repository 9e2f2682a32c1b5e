#include "engine/runtime/ran_where.h"

#include <algorithm>

namespace partita {

bool fell_back(const RegionTiming& region) {
    return region.backend != "default" && region.executed_by == "default" && !region.notice.empty();
}

std::vector<RanRegions> count_regions(const RunReport& report) {
    std::vector<RanRegions> counts;
    for (const RegionTiming& region : report.regions) {
        if (region.backend == "default") continue;
        auto known = std::find_if(counts.begin(), counts.end(),
                                  [&](const RanRegions& each) { return each.backend == region.backend; });
        if (known == counts.end()) known = counts.insert(counts.end(), RanRegions{region.backend});
        ++known->regions;
        if (fell_back(region)) ++known->fell_back;
        else if (region.executed_by == "default") ++known->on_default;
    }
    return counts;
}

namespace {

Sentence sentence_of(const RanRegions& count) {
    const std::string all = std::to_string(count.regions);
    if (count.fell_back > 0)
        return {SENTENCE("Engine", "%1 of %2 regions ran on %3, %4 fell back to default"),
                {std::to_string(count.ran()), all, count.backend, std::to_string(count.fell_back)}};
    if (count.on_default == 1) return {SENTENCE("Engine", "1 region of %1 ran on default"), {count.backend}};
    if (count.on_default > 1) return {SENTENCE("Engine", "%1 regions of %2 ran on default"), {all, count.backend}};
    if (count.regions == 1) return {SENTENCE("Engine", "1 region ran on %1"), {count.backend}};
    return {SENTENCE("Engine", "%1 regions ran on %2"), {all, count.backend}};
}

}  // namespace

std::vector<Sentence> ran_where(const RunReport& report) {
    std::vector<Sentence> sentences;
    for (const RanRegions& count : count_regions(report)) sentences.push_back(sentence_of(count));
    return sentences;
}

bool all_fell_back(const RunReport& report) {
    const std::vector<RanRegions> counts = count_regions(report);
    return !counts.empty() && std::all_of(counts.begin(), counts.end(),
                                          [](const RanRegions& each) { return each.fell_back == each.regions; });
}

}  // namespace partita
