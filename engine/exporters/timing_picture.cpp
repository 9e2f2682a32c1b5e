#include "engine/exporters/timing_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "engine/exporters/picture.h"
#include "engine/exporters/xml.h"
#include "engine/support/amount.h"
#include "engine/support/number_text.h"

namespace partita {
namespace {

constexpr double kWidth = 760, kRowHeight = 20, kNameRoom = 230;
constexpr size_t kMostBars = 40, kMostBoxes = 4000, kMostNames = 6;
constexpr const char* kFont = "font-family=\"sans-serif\" font-size=\"11\"";

int colour_of(const RegionTiming& region, std::span<const std::string> backends) {
    auto found = std::find(backends.begin(), backends.end(), region.backend);
    return found == backends.end() ? -1 : int(found - backends.begin());
}

std::string begin(double height, const char* title) {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"" + xml_number(kWidth) + "\" height=\"" +
           xml_number(height) + "\" viewBox=\"0 0 " + xml_number(kWidth) + " " + xml_number(height) + "\">\n<title>" +
           title + "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
}

std::string label(double x, double y, std::string_view text, const char* anchor = "start",
                  const char* colour = "#111111") {
    return "<text x=\"" + xml_number(x) + "\" y=\"" + xml_number(y) + "\" text-anchor=\"" + anchor + "\" fill=\"" +
           colour + "\" " + kFont + ">" + xml_text(text) + "</text>\n";
}

/// The approximate width of a character of kFont.
constexpr double kCharacter = 6.2;

/// Returns the part of a name that fits into a box, as text; "" if that would be unreadable.
std::string name_inside(double x, double y, double width, const std::string& name) {
    size_t room = size_t(std::max(width - 8, 0.0) / kCharacter);
    return room < 4 ? "" : label(x + 4, y + 14, shortened(clean_text(name), room));
}

/// Returns a box with a tooltip.
std::string box(double x, double y, double width, double height, PictureColour colour, std::string_view tip) {
    return "<rect x=\"" + xml_number(x) + "\" y=\"" + xml_number(y) + "\" width=\"" + xml_number(std::max(width, 0.5)) +
           "\" height=\"" + xml_number(height) + "\" fill=\"" + colour.area + "\" stroke=\"" + colour.line +
           "\" stroke-width=\"0.8\"><title>" + xml_text(tip) + "</title></rect>\n";
}

std::string line(double x1, double y1, double x2, double y2, const char* colour, const char* more = "") {
    return "<line x1=\"" + xml_number(x1) + "\" y1=\"" + xml_number(y1) + "\" x2=\"" + xml_number(x2) + "\" y2=\"" +
           xml_number(y2) + "\" stroke=\"" + colour + "\" " + more + "/>\n";
}

/// A logarithmic axis of whole decades.
struct Decades {
    int first, last;  ///< exponents
    double from, to;  ///< places

    static Decades over(double least, double most, double from, double to) {
        const auto exponent = [](double value) { return std::clamp(std::log10(value), -300.0, 300.0); };
        const int first = int(std::floor(exponent(least)));
        return {first, std::max(int(std::ceil(exponent(most))), first + 1), from, to};
    }
    double place(double value) const {
        double share = (std::log10(std::max(value, 1e-300)) - first) / (last - first);
        return from + std::clamp(share, 0.0, 1.0) * (to - from);
    }
};

std::string power_of_ten(int exponent) { return "1e" + std::to_string(exponent); }

struct RooflineEntry {
    const RegionTiming* region;
    RooflinePoint point;
};

std::string roofline_axes(const Decades& x, const Decades& y) {
    std::string svg;
    for (int e = x.first; e <= x.last; ++e) {
        double place = x.place(std::pow(10, e));
        svg += line(place, y.from, place, y.to, "#dddddd") +
               label(place, y.from + 16, power_of_ten(e), "middle", "#555555");
    }
    for (int e = y.first; e <= y.last; ++e) {
        double place = y.place(std::pow(10, e));
        svg += line(x.from, place, x.to, place, "#dddddd") +
               label(x.from - 6, place + 4, power_of_ten(e), "end", "#555555");
    }
    svg += label((x.from + x.to) / 2, y.from + 34, "operations for each byte moved", "middle", "#555555");
    return svg + label(x.from - 48, y.to - 10, "operations a second", "start", "#555555");
}

}  // namespace

std::string time_bars_svg(const RunReport& run, std::span<const std::string> backends) {
    std::vector<size_t> order(run.regions.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return run.regions[a].time.median > run.regions[b].time.median; });
    size_t shown = std::min(order.size(), kMostBars);
    double longest = shown ? std::max(run.regions[order[0]].time.median, 1e-9) : 1;
    std::string svg = begin(double(shown + (shown < order.size() ? 1 : 0)) * kRowHeight + 10, "Time of each region");
    double y = 5;
    for (size_t i = 0; i < shown; i++, y += kRowHeight) {
        const RegionTiming& region = run.regions[order[i]];
        double width = (kWidth - kNameRoom - 100) * region.time.median / longest;
        std::string tip = region.shown() + " (" + region.backend + "): " + time_text(region.time.median);
        svg += label(kNameRoom - 8, y + 14, shortened(clean_text(region.shown()), 34), "end");
        svg += box(kNameRoom, y + 3, width, kRowHeight - 6, picture_colour(colour_of(region, backends)), tip);
        svg += label(kNameRoom + width + 6, y + 14, time_text(region.time.median), "start", "#555555");
    }
    if (shown < order.size())
        svg += label(kNameRoom, y + 14, "and " + std::to_string(order.size() - shown) + " shorter ones", "start",
                     "#555555");
    return svg + "</svg>\n";
}

std::string timeline_svg(const RunReport& run, std::span<const std::string> backends) {
    if (run.trace.empty()) return {};
    double end = 1e-9;
    int threads = 0;
    for (const TraceEvent& event : run.trace) end = std::max(end, event.start_ms + event.duration_ms);
    for (const ThreadSpan& span : run.thread_spans) threads = std::max(threads, span.thread + 1);
    constexpr double kLeft = 80, kTop = 20;
    double scale = (kWidth - kLeft - 10) / end, row = kRowHeight + 2;
    std::string svg = begin(kTop + row * (2 + threads) + 8, "One run");
    svg += label(kLeft, 13, "0 ms", "start", "#555555") + label(kWidth - 10, 13, time_text(end), "end", "#555555");
    svg += label(6, kTop + 15, "regions") + label(6, kTop + row + 15, "operators");
    for (int thread = 0; thread < threads; ++thread)
        svg += label(6, kTop + row * (2 + thread) + 15, "thread " + std::to_string(thread + 1));
    size_t drawn = 0;
    for (const TraceEvent& event : run.trace) {
        if (event.duration_ms * scale < 0.15 || ++drawn > kMostBoxes) continue;
        bool known = event.region >= 0 && size_t(event.region) < run.regions.size();
        PictureColour colour = picture_colour(known ? colour_of(run.regions[size_t(event.region)], backends) : -1);
        double y = kTop + (event.kind == TraceEvent::Kind::Region ? 0 : row);
        svg += box(kLeft + event.start_ms * scale, y, event.duration_ms * scale, kRowHeight, colour,
                   event.name + ": " + time_text(event.duration_ms));
        svg += name_inside(kLeft + event.start_ms * scale, y, event.duration_ms * scale, event.name);
    }
    drawn = 0;
    for (const ThreadSpan& span : run.thread_spans) {
        if (span.duration_ms * scale < 0.15 || ++drawn > kMostBoxes) continue;
        svg += box(kLeft + span.start_ms * scale, kTop + row * (2 + span.thread), span.duration_ms * scale, kRowHeight,
                   {"#b8c4cc", "#667788", "#ffffff", "#111111"}, "busy: " + time_text(span.duration_ms));
    }
    return svg + "</svg>\n";
}

std::string roofline_svg(const RunReport& run, const MachineLimits& machine, std::span<const std::string> backends) {
    std::vector<RooflineEntry> entries;
    for (const RegionTiming& region : run.regions) {
        RooflinePoint point = roofline(machine, region.flops, region.bytes, region.time.median);
        if (point.flops > 0 && point.intensity > 0) entries.push_back({&region, point});
    }
    if (entries.empty() || machine.flops <= 0 || machine.bandwidth <= 0) return {};
    double ridge = machine.flops / machine.bandwidth;
    double least_x = ridge / 10, most_x = ridge * 10, least_y = machine.flops / 100, most_y = machine.flops * 1.5;
    for (const RooflineEntry& entry : entries) {
        least_x = std::min(least_x, entry.point.intensity);
        most_x = std::max(most_x, entry.point.intensity);
        least_y = std::min(least_y, entry.point.flops);
        most_y = std::max(most_y, entry.point.flops);
    }
    constexpr double kHeight = 380;
    Decades x = Decades::over(least_x, most_x, 70, kWidth - 20), y = Decades::over(least_y, most_y, kHeight - 50, 30);
    std::string svg = begin(kHeight, "Roofline") + roofline_axes(x, y);
    double left = std::pow(10, x.first), right = std::pow(10, x.last);
    double least_flops = std::max(left * machine.bandwidth, std::pow(10, y.first));
    svg += line(x.place(least_flops / machine.bandwidth), y.place(least_flops), x.place(ridge), y.place(machine.flops),
                "#333333", "stroke-width=\"1.6\"");
    svg += line(x.place(ridge), y.place(machine.flops), x.place(right), y.place(machine.flops), "#333333",
                "stroke-width=\"1.6\"");
    std::stable_sort(entries.begin(), entries.end(), [](const RooflineEntry& a, const RooflineEntry& b) {
        return a.region->time.median > b.region->time.median;
    });
    for (size_t i = 0; i < std::min(entries.size(), kMostNames); ++i) {
        const RooflineEntry& entry = entries[i];
        double place = x.place(entry.point.intensity);
        bool left_side = place > kWidth / 2;
        svg += label(place + (left_side ? -9 : 9), y.place(entry.point.flops) + 4,
                     shortened(clean_text(entry.region->name), 34), left_side ? "end" : "start", "#555555");
    }
    svg += label(x.to - 4, y.place(machine.flops) - 5, "compute bound", "end", "#555555");
    for (const RooflineEntry& entry : entries) {
        PictureColour colour = picture_colour(colour_of(*entry.region, backends));
        svg += "<circle cx=\"" + xml_number(x.place(entry.point.intensity)) + "\" cy=\"" +
               xml_number(y.place(entry.point.flops)) + "\" r=\"5\" fill=\"" + colour.area + "\" stroke=\"" +
               colour.line + "\"><title>" +
               xml_text(entry.region->name + ": " + xml_number(entry.point.share * 100) + " % of the " +
                        (entry.point.memory_bound ? "memory" : "compute") + " bound") +
               "</title></circle>\n";
    }
    return svg + "</svg>\n";
}

}  // namespace partita
