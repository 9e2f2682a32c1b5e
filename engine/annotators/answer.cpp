#include "engine/annotators/answer.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

using Json = nlohmann::json;

constexpr size_t kMostItems = 100000, kMostValues = 32, kMostFrames = 16;

/// The member as text on one line, or "".
std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? on_one_line(found->get_ref<const std::string&>())
                                                       : std::string();
}

bool flag_of(const Json& object, const char* key, bool otherwise) {
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() ? found->get<bool>() : otherwise;
}

constexpr int kMostLines = 10000000;

/// The member where it is a whole number within bounds.
int64_t number_of(const Json& object, const char* key, int64_t smallest, int64_t largest, int64_t otherwise) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number_integer()) return otherwise;
    if (found->is_number_unsigned() && found->get<uint64_t>() > uint64_t(largest)) return otherwise;
    const int64_t number = found->get<int64_t>();
    return number < smallest || number > largest ? otherwise : number;
}

std::vector<std::string> texts_of(const Json& object, const char* key, size_t most) {
    std::vector<std::string> texts;
    const auto found = object.find(key);
    if (found == object.end() || !found->is_array()) return texts;
    for (const Json& item : *found)
        if (item.is_string() && texts.size() < most) texts.push_back(on_one_line(item.get_ref<const std::string&>()));
    return texts;
}

/// Pairs of texts, or an object of texts.
std::vector<std::pair<std::string, std::string>> values_in(const Json& json) {
    std::vector<std::pair<std::string, std::string>> values;
    const auto add = [&values](const std::string& name, const Json& value) {
        if (values.size() == kMostValues) return;
        const std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
        values.emplace_back(on_one_line(name), on_one_line(text));
    };
    if (json.is_object())
        for (const auto& [name, value] : json.items()) add(name, value);
    if (json.is_array())
        for (const Json& pair : json)
            if (pair.is_array() && pair.size() == 2 && pair[0].is_string()) add(pair[0].get<std::string>(), pair[1]);
    return values;
}

std::vector<std::pair<std::string, std::string>> values_of(const Json& object) {
    const auto found = object.find("values");
    return found == object.end() ? std::vector<std::pair<std::string, std::string>>() : values_in(*found);
}

std::vector<AnnotatorStep> walk_of(const Json& object) {
    constexpr size_t kMostSteps = 10000;
    std::vector<AnnotatorStep> walk;
    const auto found = object.find("walk");
    if (found == object.end() || !found->is_array()) return walk;
    for (const Json& step : *found)
        if (step.is_array() && step.size() == 2 && step[0].is_number_unsigned() && walk.size() < kMostSteps &&
            step[0].get<uint64_t>() - 1 < uint64_t(kMostLines))
            walk.push_back({int(step[0].get<uint64_t>()), values_in(step[1])});
    return walk;
}

AnnotatorAnswer answer_of(const Json& object) {
    constexpr int kMostLevels = 1000;
    AnnotatorAnswer answer;
    answer.accepted = flag_of(object, "accepted", false);
    answer.reason = text_of(object, "error");
    if (answer.reason.empty()) answer.reason = text_of(object, "reason");
    answer.file = text_of(object, "file");
    answer.text = text_of(object, "text");
    answer.line = int(number_of(object, "line", 0, kMostLines, 0));
    answer.group = int(number_of(object, "group", 0, kMostLines, 0));
    answer.depth = int(number_of(object, "depth", -1, kMostLevels, -1));
    answer.values = values_of(object);
    answer.walk = walk_of(object);
    answer.traceback = texts_of(object, "traceback", kMostFrames);
    answer.holds = flag_of(object, "holds", false);
    const auto span = object.find("span");
    if (span != object.end() && span->is_array() && span->size() == 4)
        for (const Json& item : *span)
            if (item.is_number_integer()) answer.span.push_back(int(item.get<int64_t>() & 0x7fffffff));
    return answer;
}

Diagnostic fault_of(const Json& object) {
    Diagnostic fault = error(text_of(object, "error"));
    fault.file = text_of(object, "file");
    fault.position.line = uint32_t(number_of(object, "line", 0, 10000000, 0));
    return fault;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

Result<Json> object_in(std::string_view line) {
    Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) return error("it wrote what is no JSON: " + in_quotes(line));
    if (!json.is_object()) return error("it wrote what is no JSON object: " + in_quotes(line));
    return json;
}

AnnotatorFlow flow_of(const Json& object) {
    AnnotatorFlow flow;
    flow.function = text_of(object, "function");
    flow.line = int(number_of(object, "line", 0, 10000000, 0));
    flow.passes = texts_of(object, "passes", 1000);
    flow.left_out = texts_of(object, "left_out", 1000);
    flow.simplify = flag_of(object, "simplify", false);
    flow.fold = flag_of(object, "fold", false);
    flow.composite = flag_of(object, "composite", true);
    flow.annotate = flag_of(object, "annotate", true);
    flow.include_non_call_ops = flag_of(object, "include_non_call_ops", true);
    flow.merge = flag_of(object, "merge", true);
    flow.bind_constants = flag_of(object, "bind_constants", true);
    return flow;
}

}  // namespace

std::string AnnotatorAnswer::place() const {
    if (!answered) return "the annotator gave no answer: " + reason;
    std::string said;
    if (!file.empty()) said = base_name(file) + (line ? ":" + std::to_string(line) : "");
    if (!text.empty()) said += (said.empty() ? "" : ": ") + text;
    if (!reason.empty()) said += (said.empty() ? "" : said.ends_with(':') ? " " : ": ") + reason;
    return said.empty() ? "it gives no reason" : said;
}

std::string AnnotatorAnswer::to_string() const {
    std::string said = place();
    for (size_t i = 0; i < values.size(); ++i)
        said += (i ? ", " : said.ends_with(':') ? " " : ": ") + values[i].first + " = " + values[i].second;
    if (traceback.size() > 1)
        for (const std::string& frame : traceback) said += "\n      " + frame;
    return said;
}

Result<AnnotatorReply> read_annotator_reply(std::string_view line) {
    const Result<Json> read = object_in(line);
    if (!read) return read.error();
    const Json& object = *read;
    constexpr int64_t kMost = 0xfffffffe;
    AnnotatorReply reply;
    if (object.contains("done")) return reply;
    const int64_t call = number_of(object, "call", 0, kMost, -1), need = number_of(object, "need", 0, kMost, -1);
    if (call >= 0) {
        reply.kind = AnnotatorReply::Kind::Answer;
        reply.number = uint32_t(call);
        reply.answer = answer_of(object);
        return reply;
    }
    if (need >= 0) {
        reply.kind = AnnotatorReply::Kind::Need;
        reply.number = uint32_t(need);
        return reply;
    }
    if (!object.contains("error")) return error("it wrote what is no answer: " + in_quotes(line));
    reply.kind = AnnotatorReply::Kind::Fault;
    reply.fault = fault_of(object);
    return reply;
}

Result<AnnotatorSelf> read_annotator_self(std::string_view line) {
    const Result<Json> read = object_in(line);
    if (!read) return read.error();
    const Json& object = *read;
    if (object.contains("error")) return fault_of(object);
    AnnotatorSelf self;
    self.name = text_of(object, "name");
    self.all_ops = !object.contains("ops");
    self.ops = texts_of(object, "ops", kMostItems);
    self.of_file = text_of(object, "operators") == "file";
    if (const auto list = object.find("patterns"); list != object.end() && list->is_array())
        for (const Json& item : *list) {
            if (!item.is_object() || self.patterns.size() == kMostItems) continue;
            const auto text = item.find("pattern");
            const bool whole = text != item.end() && text->is_string();
            self.patterns.push_back({text_of(item, "name"), whole ? text->get<std::string>() : std::string(),
                                     flag_of(item, "check", false)});
        }
    if (const auto flow = object.find("flow"); flow != object.end() && flow->is_object()) self.flow = flow_of(*flow);
    if (const auto list = object.find("warnings"); list != object.end() && list->is_array())
        for (const Json& item : *list) {
            if (!item.is_object() || self.warnings.size() == kMostValues) continue;
            Diagnostic warning{Severity::Warning, text_of(item, "file"), {}, text_of(item, "text")};
            warning.position.line = uint32_t(number_of(item, "line", 0, 10000000, 0));
            self.warnings.push_back(std::move(warning));
        }
    return self;
}

}  // namespace partita
