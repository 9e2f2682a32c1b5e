#include "app/cli/decode_output.h"
#include "engine/support/number_text.h"

#include <algorithm>

namespace partita::cli {
namespace {

double median_of(std::vector<double> values) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

/// The times of a decoder, in milliseconds.
struct DecodeTimes {
    double first = 0;                             ///< until the first token: the prompt's run
    double median = 0, minimum = 0, maximum = 0;  ///< of the others; 0 if there are none
    double prepare = 0;                           ///< median of all
};

DecodeTimes times_of(const DecodeOutput& output) {
    DecodeTimes times;
    std::vector<double> later, prepare;
    for (const DecodeStep& step : output.steps) {
        prepare.push_back(step.prepare_ms);
        if (&step != &output.steps.front()) later.push_back(step.output.report.time.median);
    }
    times.first = output.steps.front().output.report.time.median;
    times.median = median_of(later);
    times.prepare = median_of(prepare);
    if (later.empty()) return times;
    const auto [least, most] = std::minmax_element(later.begin(), later.end());
    times.minimum = *least;
    times.maximum = *most;
    return times;
}

std::string tokens_text(const std::vector<int64_t>& tokens) {
    constexpr size_t kMost = 8;
    std::string text;
    for (size_t i = 0; i < tokens.size() && i < kMost; ++i) text += (i ? " " : "") + std::to_string(tokens[i]);
    return tokens.size() > kMost ? text + " ..." : text;
}

std::string summary_text(const DecodeOutput& output) {
    const DecodeTimes times = times_of(output);
    const RunReport& report = output.steps.front().output.report;
    const int64_t prompt = output.steps.front().length;
    std::string text = "first token: " + fixed_text(times.first, 3) + " ms, with a prompt of " +
                       std::to_string(prompt) + (prompt == 1 ? " token\n" : " tokens\n");
    if (output.steps.size() > 1)
        text += "each further token: " + fixed_text(times.median, 3) + " ms (median; " + fixed_text(times.minimum, 3) +
                " to " + fixed_text(times.maximum, 3) + "), " +
                fixed_text(times.median > 0 ? 1000 / times.median : 0, 1) + " tokens/s\n";
    text += "each length of the cache is a module of its own, prepared in " + fixed_text(times.prepare, 1) +
            " ms (median), which these times do not contain\n";
    return text + std::to_string(report.threads) + (report.threads == 1 ? " thread; " : " threads; ") +
           std::to_string(report.warmup) + " warm-up, " + std::to_string(report.repeat) + " measured for each token\n";
}

}  // namespace

Json decode_json(const DecodeOutput& output) {
    const DecodeTimes times = times_of(output);
    Json json{{"file", output.file}, {"prompt_tokens", output.steps.front().length}};
    json["first_token_ms"] = times.first;
    json["token_ms"] = output.steps.size() > 1 ? Json(times.median) : Json();
    json["prepare_ms"] = times.prepare;
    json["tokens"] = Json::array();
    for (const DecodeStep& step : output.steps) {
        Json run = run_json(step.output);
        for (const char* known : {"file", "outputs", "dimensions"}) run.erase(known);
        json["tokens"].push_back({{"cache", step.past},
                                  {"read", step.length},
                                  {"token", step.tokens},
                                  {"prepare_ms", step.prepare_ms},
                                  {"run", std::move(run)}});
    }
    return json;
}

std::string decode_text(const DecodeOutput& output) {
    const bool compared = output.steps.front().output.compared;
    std::vector<std::string> header{"token", "cache", "read", "median ms", "min ms", "prepare ms"};
    if (compared) header.emplace_back("result");
    Table table(header);
    for (const DecodeStep& step : output.steps) {
        const Timing& time = step.output.report.time;
        std::vector<std::string> row{tokens_text(step.tokens),    std::to_string(step.past),
                                     std::to_string(step.length), fixed_text(time.median, 3),
                                     fixed_text(time.minimum, 3), fixed_text(step.prepare_ms, 1)};
        if (compared) row.emplace_back(all_within(step.output.report) ? "equal" : "DIFFERENT");
        table.add(row);
    }
    return table.text() + summary_text(output);
}

}  // namespace partita::cli
