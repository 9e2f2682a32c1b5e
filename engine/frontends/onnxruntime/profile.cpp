// Profiles of ONNX Runtime: an array of events, one a line, as profiler.cc:113-165 writes it.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>

#include "engine/frontends/onnxruntime/reports.h"
#include "engine/support/json_reader.h"

namespace partita::onnxruntime {

namespace {

constexpr const char* kDeviceNote =
    "times of nodes on a GPU are those of handing them over; the device's own are not told by node";
constexpr std::string_view kSuffix = "_kernel_time";

/// When an event happened, on which thread.
struct Span {
    double thread;
    double begin, end;
    uint32_t row;
};

std::string_view without_space(std::string_view text) {
    while (!text.empty() &&
           (text.front() == ' ' || text.front() == '\t' || text.front() == '\n' || text.front() == '\r'))
        text.remove_prefix(1);
    return text;
}

/// As std::string_view::find, which is slow where the first letter, a quote, is in every word.
size_t find(std::string_view text, std::string_view part, size_t from = 0) {
    if (from >= text.size()) return std::string_view::npos;
    const void* found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
    return found ? size_t(static_cast<const char*>(found) - text.data()) : std::string_view::npos;
}

/// Returns what stands behind a key, which is given with its quotes, and a colon; nothing if the key is not there.
std::optional<std::string_view> behind_key(std::string_view event, std::string_view key) {
    for (size_t at = find(event, key); at != std::string_view::npos; at = find(event, key, at + 1)) {
        const std::string_view rest = without_space(event.substr(at + key.size()));
        if (!rest.empty() && rest.front() == ':') return without_space(rest.substr(1));
    }
    return std::nullopt;
}

std::string_view text_of(std::string_view event, std::string_view key) {
    const std::optional<std::string_view> rest = behind_key(event, key);
    if (!rest || rest->empty() || rest->front() != '"') return {};
    return rest->substr(1, std::min(rest->find('"', 1), rest->size()) - 1);
}

/// A number that may stand in quotes; 0 for anything else, and for what is no time: negative or not finite.
double number_of(std::string_view event, std::string_view key) {
    std::optional<std::string_view> rest = behind_key(event, key);
    if (!rest) return 0;
    if (!rest->empty() && rest->front() == '"') rest->remove_prefix(1);
    double number = 0;
    if (std::from_chars(rest->data(), rest->data() + rest->size(), number).ec != std::errc()) return 0;
    return std::isfinite(number) && number > 0 ? number : 0;
}

/// The name ends before the arguments, or with the event, whatever quotes are in it.
std::string_view name_of(std::string_view event) {
    const std::optional<std::string_view> rest = behind_key(event, "\"name\"");
    if (!rest || rest->empty() || rest->front() != '"') return {};
    size_t end = find(*rest, "\"args\"");
    std::string_view name = rest->substr(1, end == std::string_view::npos ? end : end - 1);
    end = name.rfind('"');
    if (const size_t suffix = name.rfind(std::string(kSuffix) + '"'); suffix != std::string_view::npos)
        end = suffix + kSuffix.size();
    return name.substr(0, std::min(end, name.size()));
}

int64_t index_of(std::string_view event) {
    std::optional<std::string_view> rest = behind_key(event, "\"node_index\"");
    if (rest && !rest->empty() && rest->front() == '"') rest->remove_prefix(1);
    int64_t index = -1;
    if (!rest || std::from_chars(rest->data(), rest->data() + rest->size(), index).ec != std::errc()) return -1;
    return index;
}

/// Shapes stand in a list: `"output_type_shape" : [{"float":[1,3]}]`.
std::vector<std::string> shapes_of(std::string_view event, std::string_view key) {
    std::vector<std::string> shapes;
    constexpr size_t kMostShapes = 100;
    std::string_view list = behind_key(event, key).value_or("");
    list = list.substr(0, find(list, "]}]"));
    for (size_t at = list.find(":["); at != std::string_view::npos && shapes.size() < kMostShapes;
         at = list.find(":[", at + 1)) {
        const std::string_view sizes = list.substr(at + 2, list.find(']', at) - at - 2);
        if (sizes.find_first_not_of("0123456789,") != std::string_view::npos) return {};
        std::string& shape = shapes.emplace_back("[");
        for (char letter : sizes) shape += letter == ',' ? ", " : std::string(1, letter);
        shape += ']';
    }
    return shapes;
}

bool holds_others(const ReportRow& row) { return row.op == "If" || row.op == "Loop" || row.op == "Scan"; }

/// Adds up the times that stand within no If, Loop or Scan of their thread.
void add_totals(std::vector<ReportRow>& rows, const std::vector<Span>& spans) {
    std::map<double, std::vector<std::pair<double, double>>> outer;  // by thread, sorted, none within another
    for (const Span& span : spans)
        if (holds_others(rows[span.row])) outer[span.thread].emplace_back(span.begin, -span.end);
    for (auto& [_, list] : outer) {
        std::sort(list.begin(), list.end());
        std::vector<std::pair<double, double>> largest;
        for (const auto& [begin, end] : list)
            if (largest.empty() || -end > largest.back().second) largest.emplace_back(begin, -end);
        list = std::move(largest);
    }
    const auto is_inner = [&](const Span& span) {
        const auto found = outer.find(span.thread);
        if (found == outer.end()) return false;
        const auto& list = found->second;
        const auto at = std::upper_bound(list.begin(), list.end(), std::pair(span.begin, HUGE_VAL));
        if (at == list.begin()) return false;
        const auto& [begin, end] = *std::prev(at);
        const bool is_itself = holds_others(rows[span.row]) && span.begin == begin && span.end == end;
        return !is_itself && span.end <= end;
    };
    for (const Span& span : spans)
        if (!is_inner(span)) rows[span.row].total_us += span.end - span.begin;
}

class ProfileReader {
public:
    void add(std::string_view event) {
        const std::string_view category = text_of(event, "\"cat\"");
        if (category == "Session" && name_of(event) == "model_run") ++runs_;
        if (category == "Api") report.notes = {kDeviceNote};
        if (category != "Node") return;
        std::string_view name = name_of(event);
        if (!name.ends_with(kSuffix)) return;  // _fence_before and _fence_after of versions up to 1.10
        name.remove_suffix(kSuffix.size());
        const std::string_view op = text_of(event, "\"op_name\""), provider = text_of(event, "\"provider\"");
        const int64_t index = index_of(event);
        key_.assign(name).append(1, '\0').append(op).append(1, '\0').append(provider).append(std::to_string(index));
        const auto [found, is_new] = by_key_.try_emplace(key_, uint32_t(report.rows.size()));
        if (is_new) {
            ReportRow made;
            made.name = name;
            made.op = op;
            made.backend = provider;
            made.index = index;
            made.count = 0;
            made.types = shapes_of(event, "\"output_type_shape\"");
            report.rows.push_back(std::move(made));
        }
        ReportRow& row = report.rows[found->second];
        const double time = number_of(event, "\"dur\""), begin = number_of(event, "\"ts\"");
        ++row.count;
        row.time_us += time;
        spans.push_back({number_of(event, "\"tid\""), begin, begin + time, found->second});
    }

    /// Returns how often the model ran; of an old or a cut profile how often most nodes did.
    int runs() const {
        size_t most = 1;
        for (const ReportRow& row : report.rows) most = std::max(most, row.count);
        return runs_ ? runs_ : int(std::min(most, size_t(INT_MAX)));
    }

    ProgramReport report;
    std::vector<Span> spans;

private:
    std::unordered_map<std::string, uint32_t> by_key_;
    std::string key_;
    int runs_ = 0;
};

/// Returns where the next event begins: `{` and `"cat"`.
size_t next_event(std::string_view text, size_t from) {
    for (size_t key = find(text, "\"cat\"", from); key != std::string_view::npos;
         key = find(text, "\"cat\"", key + 1)) {
        size_t at = key;
        while (at > from &&
               (text[at - 1] == ' ' || text[at - 1] == '\n' || text[at - 1] == '\r' || text[at - 1] == '\t'))
            --at;
        if (at > from && text[at - 1] == '{') return at - 1;
    }
    return text.size();
}

/// Events whose members another program has sorted.
std::vector<std::string_view> events_of_json(std::string_view text) {
    std::vector<std::string_view> events;
    const Result<JsonValue> json = read_json(text);
    if (!json) return events;
    const JsonValue* list = json->is(JsonValue::Kind::Array) ? &*json : json->member("traceEvents");
    if (!list) return events;
    for (const JsonValue& item : list->items)
        if (item.is(JsonValue::Kind::Object)) events.push_back(text.substr(item.offset, item.end - item.offset));
    return events;
}

}  // namespace

bool is_profile(std::string_view text) {
    const size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && (text[begin] == '{' || text[begin] == '[') && behind_key(text, "\"cat\"");
}

Result<ProgramReport> read_profile(std::string_view text) {
    ProfileReader reader;
    for (size_t begin = next_event(text, 0); begin < text.size();) {
        const size_t end = next_event(text, begin + 1);
        reader.add(text.substr(begin, end - begin));
        begin = end;
    }
    constexpr size_t kLargestSorted = size_t(64) << 20;
    if (reader.report.rows.empty() && text.size() < kLargestSorted && find(text, kSuffix) != std::string_view::npos)
        for (std::string_view event : events_of_json(text)) reader.add(event);
    reader.report.has_times = true;
    reader.report.runs = reader.runs();
    add_totals(reader.report.rows, reader.spans);
    return std::move(reader.report);
}

}  // namespace partita::onnxruntime
