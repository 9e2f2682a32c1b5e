#include "engine/annotators/annotator.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/annotators/expression_json.h"
#include "engine/ir/json_of.h"
#include "engine/ops/registry.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/json_text.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"
#include "engine/support/process.h"
#include "engine/support/stopwatch.h"
#include "engine/support/utf8.h"

namespace partita {

namespace {

using Json = nlohmann::json;

constexpr std::string_view kCommand = "command:";
constexpr size_t kMostAnswers = size_t(1) << 20;  ///< that are kept
constexpr uint32_t kMostEnds = 100;               ///< of its process, after which it is not asked any more
constexpr uint64_t kAnyRule = ~uint64_t(0);
constexpr int kDepthOfFailures = 16;  ///< levels of operands that a call without an answer is known again by
/// Bytes of expressions in a request. Python parses a request in one go, and functions of this process hold its lock
/// meanwhile: an interrupt would wait.
constexpr size_t kRequestSize = size_t(1) << 19;

/// Reads the package from the first line and hands over to it.
constexpr const char* kBoot = R"(
import importlib.abc, importlib.util, json, os, sys, types

def take(size):
    data = b""
    while len(data) < size:
        part = os.read(0, size - len(data))
        if not part:
            sys.exit("the program went away")
        data += part
    return data

texts = json.loads(take(int(take(12))))
package = types.ModuleType("partita_annotator")
package.__path__ = []
sys.modules[package.__name__] = package

class Texts(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        package, _, last = name.rpartition(".")
        known = package == "partita_annotator" and last + ".py" in texts
        return importlib.util.spec_from_loader(name, self) if known else None

    def exec_module(self, module):
        file = module.__name__.rpartition(".")[2] + ".py"
        exec(compile(texts[file], "partita_annotator/" + file, "exec"), vars(module))

sys.meta_path.insert(0, Texts())
from partita_annotator.host import main
main()
)";

std::string python_file(std::string_view annotator) { return std::string(annotator.substr(kPythonAnnotator.size())); }

std::vector<std::string> arguments_of(std::string_view annotator) {
    if (annotator.starts_with(kPythonAnnotator)) return {"python3", "-I", "-B", "-c", kBoot};
    return split_arguments(annotator.substr(kCommand.size()));
}

/// The package for Python, as its boot reads it: twelve digits of size, then an object of files.
std::string python_package() {
    Json files = Json::object();
    for (const EmbeddedText& file : embedded_python()) files[std::string(file.name)] = std::string(file.text);
    const std::string text = json_text(files);
    char size[16];
    std::snprintf(size, sizeof size, "%12zu", text.size());
    return size + text;
}

/// What a file's rules are converted with: the operators' arguments and attributes.
Json operators() {
    Json all = Json::object();
    for (const OpRecord& op : op_registry().records())
        all[op.name] = {
            {"inputs", op.inputs.size()}, {"variadic", op.variadic}, {"attributes", kinds_of_attributes(op)}};
    return all;
}

std::string line_of(const Json& json) { return json_text(json, -1, JsonLetters::Ascii) + "\n"; }

uint64_t number_of(const AskedRule& rule) {
    return rule.check >= 0 ? uint64_t(1) << 32 | uint64_t(rule.check) : rule.op.value;
}

AnnotatorAnswer unanswered(const std::string& why) {
    AnnotatorAnswer answer;
    answer.answered = false;
    answer.reason = why;
    return answer;
}

/// PARTITA_ANNOTATOR_SECONDS: that a rule may take over a call.
double answer_seconds() {
    constexpr double kDefault = 5;
    const char* given = std::getenv("PARTITA_ANNOTATOR_SECONDS");
    const double seconds = given ? number_at_start(given) : 0;
    return seconds > 0 ? std::min(seconds, 1e6) : kDefault;
}

}  // namespace

std::string annotator_command(std::string_view annotator) {
    if (annotator.starts_with(kPythonAnnotator)) return "python3 " + python_file(annotator);
    return annotator.starts_with(kCommand) ? std::string(annotator.substr(kCommand.size())) : std::string();
}

Result<std::shared_ptr<Annotator>> Annotator::start(const std::string& annotator, const std::string& backend,
                                                    const CancelToken& cancel, const CoprocessLimits& limits,
                                                    std::shared_ptr<const AnnotatorFiles> files) {
    std::shared_ptr<Annotator> made(new Annotator(annotator, backend, limits, std::move(files)));
    if (const Status known = made->introduce(cancel); !known) {
        Diagnostic fault = known.error();
        if (fault.file.empty())
            fault.message = "the annotator '" + annotator_command(annotator) + "': " + fault.message;
        return fault;
    }
    return made;
}

Result<std::shared_ptr<Annotator>> Annotator::start(AnnotatorService service, const std::string& backend,
                                                    const CancelToken& cancel) {
    CoprocessLimits limits;
    limits.silence_seconds = 1e9;
    std::shared_ptr<Annotator> made(new Annotator("", backend, limits, nullptr));
    made->service_ = std::move(service);
    if (const Status known = made->introduce(cancel); !known) return known.error();
    return made;
}

Status Annotator::parse(const std::string& annotator, std::shared_ptr<const AnnotatorFiles> files,
                        const CancelToken& cancel) {
    // cppcheck-suppress accessMoved
    const Result<std::string> line = Annotator(annotator, "", {}, std::move(files)).begin_with("parse", cancel);
    if (!line) return line.error();
    const Result<AnnotatorSelf> self = read_annotator_self(*line);
    return self ? Status(Nothing()) : Status(self.error());
}

Result<std::string> Annotator::convert(const std::string& annotator, const std::string& backend,
                                       std::vector<std::string>& left_out) {
    const Result<std::string> line = Annotator(annotator, backend, {}, nullptr).begin_with("convert", {});
    if (!line) return line.error();
    nlohmann::ordered_json reply = ordered_json_of_text(*line);
    if (!reply.is_object() || !reply.contains("description")) {
        const Result<AnnotatorSelf> fault = read_annotator_self(*line);
        return fault ? error("it can't be converted") : fault.error();
    }
    for (const auto& left : reply["left"])
        left_out.push_back(on_one_line(left.value("rule", "") + ": " + left.value("why", "")));
    return json_text(reply["description"], 2) + "\n";
}

bool Annotator::rest() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock) process_.reset();
    return bool(lock);
}

Diagnostic Annotator::with_errors(Diagnostic fault) const {
    if (!process_ || process_->error_output().empty()) return fault;
    std::string_view said = process_->error_output();
    while (said.ends_with('\n')) said.remove_suffix(1);
    fault.message += ": " + on_one_line(said.substr(said.rfind('\n') + 1));
    return fault;
}

/// Seconds that it may take over an answer.
double Annotator::patience(uint64_t rule) const {
    const bool is_default = limits_.silence_seconds == CoprocessLimits().silence_seconds;
    const double seconds = is_default ? answer_seconds() : limits_.silence_seconds;
    constexpr double kShare = 0.1;  // of a rule that was too slow before
    return slow_.contains(rule) ? seconds * kShare : seconds;
}

void Annotator::note_end(uint64_t rule, double seconds) {
    ++ends_;
    lost_seconds_ += seconds;
    if (seconds >= patience(rule)) slow_.insert(rule);
}

/// Returns whether its process ended so often, or was silent for so long, that it is not asked any more; says why.
bool Annotator::is_given_up(std::string& why) const {
    constexpr double kMostTimes = 6;
    if (ends_ < kMostEnds && lost_seconds_ <= kMostTimes * patience(kAnyRule)) return false;
    why = "it is not asked any more: its process ended " + std::to_string(ends_) + " times";
    return true;
}

/// Begins for the first time, and keeps what the process says of itself.
Status Annotator::introduce(const CancelToken& cancel) {
    Result<AnnotatorSelf> self = begin(cancel);
    if (!self) return self.error();
    self_ = std::move(*self);
    return Nothing();
}

Result<AnnotatorSelf> Annotator::begin(const CancelToken& cancel) {
    const Result<std::string> line = begin_with("describe", cancel);
    Result<AnnotatorSelf> self = line ? read_annotator_self(*line) : Result<AnnotatorSelf>(line.error());
    if (!self) process_.reset();
    return self;
}

Result<std::unique_ptr<Coprocess>> Annotator::connect() const {
    int requests = -1, replies = -1;
    Result<std::unique_ptr<Coprocess>> connected = Coprocess::connect(requests, replies, limits_);
    if (connected) service_(requests, replies);
    return connected;
}

/// Starts the process and gives its first line. The mutex is held, or nobody else knows the annotator yet.
Result<std::string> Annotator::begin_with(const char* request_name, const CancelToken& cancel) {
    Result<std::unique_ptr<Coprocess>> started =
        service_ ? connect() : Coprocess::start(arguments_of(annotator_), limits_);
    if (!started) {
        Diagnostic fault = started.error();
        if (annotator_.starts_with(kPythonAnnotator)) fault.message += "; an annotator in Python needs python3";
        return fault;
    }
    process_ = std::move(*started);
    ++processes_;
    Json request{{"do", request_name}, {"version", 1}, {"backend", backend_}};
    std::string text;
    if (annotator_.starts_with(kPythonAnnotator)) {
        text = python_package();
        request["file"] = python_file(annotator_);
        request["texts"] = Json::object();
        // What can't be read, or is no UTF-8, Python names better.
        for (const auto& [path, file] : files_->texts)
            if (utf8::is_valid(path) && utf8::is_valid(file)) request["texts"][path] = file;
        if (request_name == std::string_view("convert")) request["operators"] = operators();
    }
    Status written = process_->write(text + line_of(request), cancel);
    Result<std::string> line =
        written ? process_->read_line(cancel, limits_.silence_seconds) : Result<std::string>(written.error());
    return line ? line : Result<std::string>(with_errors(line.error()));
}

struct AnnotatorSession::Waiting {
    std::vector<AnnotatorQuestion> questions;
    std::vector<std::optional<AnnotatorAnswer>> answers;
    size_t begin = 0, end = 0;  ///< of the questions that are asked next
    double seconds = 0;         ///< for each of them
    bool faulty = false;        ///< it said that it can answer nothing
    size_t next = 0;            ///< the first without an answer; answers mostly come in order
    Json walk;                  ///< which lines are asked for; null: none
    size_t unexpected = 0;      ///< answers about what was not asked
    std::unordered_multimap<ExprId, size_t> by_call;

    std::optional<size_t> find(ExprId call) {
        while (next < answers.size() && answers[next]) ++next;
        if (next < questions.size() && questions[next].call == call) return next;
        if (by_call.empty())
            for (size_t i = 0; i < questions.size(); ++i) by_call.emplace(questions[i].call, i);
        std::optional<size_t> found;
        const auto [begin, end] = by_call.equal_range(call);
        for (auto it = begin; it != end; ++it)
            if (!answers[it->second] && (!found || it->second < *found)) found = it->second;
        return found;
    }
};

std::optional<AnnotatorAnswer> AnnotatorSession::known(const AnnotatorQuestion& question, bool explain) {
    const uint64_t rule = number_of(question.rule);
    const auto depths = annotator_->depths_.find(rule);
    if (depths == annotator_->depths_.end()) return {};
    const auto& answers = explain ? annotator_->explained_ : annotator_->answers_;
    for (int depth : depths->second) {
        const ContentKey key = keys_.key(question.call, depth, hash_combine(rule, uint64_t(depth)));
        if (const auto found = answers.find(key); found != answers.end()) return found->second;
        if (explain) continue;
        if (const auto found = annotator_->explained_.find(key); found != annotator_->explained_.end())
            return found->second;
    }
    return {};
}

void AnnotatorSession::keep(const AnnotatorQuestion& question, bool explain, const AnnotatorAnswer& answer) {
    if (answer.depth < 0) return;
    const uint64_t rule = number_of(question.rule);
    std::vector<int>& depths = annotator_->depths_[rule];
    if (std::find(depths.begin(), depths.end(), answer.depth) == depths.end()) depths.push_back(answer.depth);
    const ContentKey key = keys_.key(question.call, answer.depth, hash_combine(rule, uint64_t(answer.depth)));
    auto& answers = explain ? annotator_->explained_ : annotator_->answers_;
    if (answers.size() >= kMostAnswers) answers.clear();
    answers.emplace(key, answer);
}

/// A timed mutex would wait better, but the thread sanitizer of g++ 12 does not see that it is taken.
std::unique_lock<std::mutex> AnnotatorSession::take_turn(const CancelToken& cancel) const {
    constexpr std::chrono::milliseconds kPause(1);
    std::unique_lock lock(annotator_->mutex_, std::defer_lock);
    while (!cancel.cancelled() && !lock.try_lock()) std::this_thread::sleep_for(kPause);
    return lock;
}

std::vector<AnnotatorAnswer> AnnotatorSession::ask(std::span<const AnnotatorQuestion> questions, bool explain,
                                                   const CancelToken& cancel) {
    const std::unique_lock lock = take_turn(cancel);
    if (!lock) return std::vector<AnnotatorAnswer>(questions.size(), unanswered("cancelled"));
    std::vector<AnnotatorAnswer> answers(questions.size());
    std::vector<size_t> open;
    Waiting waiting;
    for (size_t i = 0; i < questions.size(); ++i) {
        if (std::optional<AnnotatorAnswer> answer = known(questions[i], explain)) {
            answers[i] = std::move(*answer);
            continue;
        }
        open.push_back(i);
        waiting.questions.push_back(questions[i]);
    }
    if (open.empty()) return answers;
    const std::string why = ask_all(waiting, explain, cancel);
    for (size_t i = 0; i < open.size(); ++i) {
        const bool answered = bool(waiting.answers[i]);
        if (answered && waiting.answers[i]->answered) keep(waiting.questions[i], explain, *waiting.answers[i]);
        answers[open[i]] = answered ? std::move(*waiting.answers[i]) : unanswered(why);
    }
    return answers;
}

std::vector<AnnotatorAnswer> AnnotatorSession::walk(std::span<const AnnotatorQuestion> questions,
                                                    std::span<const int> lines, const CancelToken& cancel) {
    std::vector<AnnotatorAnswer> answers(questions.size());
    const std::unique_lock lock = take_turn(cancel);
    if (!lock || questions.empty()) return answers;
    Waiting waiting;
    std::vector<size_t> asked;
    for (size_t i = 0; i < questions.size(); ++i) {
        const std::optional<AnnotatorAnswer> before = known(questions[i], true);
        if (before && !before->answered) continue;  // it would end the process
        asked.push_back(i);
        waiting.questions.push_back(questions[i]);
    }
    waiting.walk = lines.empty() ? Json(true) : Json(std::vector<int>(lines.begin(), lines.end()));
    ask_all(waiting, false, cancel);
    for (size_t i = 0; i < asked.size(); ++i)
        if (waiting.answers[i]) answers[asked[i]] = std::move(*waiting.answers[i]);
    return answers;
}

/// All at once; if that fails, what is open one by one, so that only a call at which the process ends has no answer.
std::string AnnotatorSession::ask_all(Waiting& waiting, bool explain, const CancelToken& cancel) {
    waiting.answers.resize(waiting.questions.size());
    waiting.end = waiting.questions.size();
    std::string why = "it gave no answer";
    if (annotator_->is_given_up(why)) return why;
    const Status asked = ask_process(waiting, explain, cancel);
    if (!asked) {
        why = asked.error().message;
        annotator_->process_.reset();
        if (!waiting.faulty) ask_singly(waiting, explain, why, cancel);
    }
    if (waiting.unexpected > 0) why += "; it answered about calls that it was not asked about";
    return why;
}

void AnnotatorSession::ask_singly(Waiting& waiting, bool explain, std::string& why, const CancelToken& cancel) {
    for (size_t i = 0; i < waiting.questions.size() && !waiting.faulty; ++i) {
        if (waiting.answers[i]) continue;
        if (cancel.cancelled() || annotator_->is_given_up(why)) return;
        const bool fresh = !annotator_->process_;
        if (fresh)
            if (const Result<AnnotatorSelf> self = annotator_->begin(cancel); !self) {
                why = self.error().message;
                return;
            }
        waiting.begin = i;
        waiting.end = i + 1;
        const Stopwatch watch;
        Status asked = ask_process(waiting, explain, cancel);
        if (!asked && !fresh && !cancel.cancelled()) {  // it may have ended after the call before
            annotator_->process_.reset();
            asked = ask_process(waiting, explain, cancel);
        }
        if (cancel.cancelled()) return;
        if (!asked) annotator_->process_.reset();
        if (waiting.answers[i]) continue;
        const uint64_t rule = number_of(waiting.questions[i].rule);
        const double seconds = watch.milliseconds() / 1000, given = annotator_->patience(rule);
        std::string said = asked ? "it gave no answer" : asked.error().message;
        if (!asked && annotator_->slow_.contains(rule) && seconds >= given)
            said = "it was silent for " + general_text(annotator_->patience(kAnyRule)) +
                   " s; it was ended; after that, it had " + general_text(given) + " s for this call";
        if (!asked) annotator_->note_end(rule, seconds);
        give_up(waiting, i, said);
    }
}

/// The call at which the process ended is not asked about again: that would cost another process.
void AnnotatorSession::give_up(Waiting& waiting, size_t at, const std::string& why) {
    AnnotatorAnswer answer = unanswered(why);
    answer.depth = kDepthOfFailures;
    if (waiting.walk.is_null()) keep(waiting.questions[at], true, answer);
    waiting.answers[at] = std::move(answer);
}

Status AnnotatorSession::ask_process(Waiting& waiting, bool explain, const CancelToken& cancel) {
    Annotator& annotator = *annotator_;
    if (!annotator.process_)
        if (Result<AnnotatorSelf> self = annotator.begin(cancel); !self) return self.error();
    if (of_process_ != annotator.processes_ || number_ != annotator.sessions_) {
        of_process_ = annotator.processes_;
        number_ = ++annotator.sessions_;
        sent_.clear();
        writer_.emplace(module_);
    }
    const bool single = waiting.end == waiting.begin + 1;
    waiting.seconds = annotator.patience(single ? number_of(waiting.questions[waiting.begin].rule) : kAnyRule);
    if (Status sent = send_expressions(waiting, cancel); !sent) return annotator.with_errors(sent.error());
    if (Status sent = send(waiting, explain, cancel); !sent) return annotator.with_errors(sent.error());
    Status received = receive(waiting, cancel);
    return received ? received : Status(annotator.with_errors(received.error()));
}

/// All that the calls are computed from, as far as the process does not have it.
Status AnnotatorSession::send_expressions(const Waiting& waiting, const CancelToken& cancel) {
    sent_.resize(module_.size());
    std::vector<ExprId> unsent;
    const auto want = [&](ExprId id) {
        if (!sent_[id.value]) unsent.push_back(id);
        sent_[id.value] = true;
    };
    for (size_t i = waiting.begin; i < waiting.end; ++i)
        if (!waiting.answers[i]) want(waiting.questions[i].call);
    // Rules about the operators of a file look at users, too.
    if (annotator_->self().of_file)
        for (const GlobalFunction& global : module_.functions()) want(module_.body(global.function));
    for (size_t i = 0; i < unsent.size(); ++i)
        for (ExprId operand : module_.operands(unsent[i])) want(operand);
    std::sort(unsent.begin(), unsent.end());  // operands have smaller ids than their users
    const std::string begin = "{\"do\":\"module\",\"module\":" + std::to_string(number_) + ",\"expressions\":[";
    std::string text;
    const auto write = [&]() -> Status {
        if (text.empty()) return Nothing();
        return annotator_->process_->write(begin + std::exchange(text, {}) + "]," + writer_->take_tables() + "}\n",
                                           cancel);
    };
    for (ExprId id : unsent) {
        if (!text.empty()) text += ',';
        writer_->append(text, id);
        if (text.size() < kRequestSize) continue;
        if (Status written = write(); !written) return written;
    }
    return write();
}

Status AnnotatorSession::send(const Waiting& waiting, bool explain, const CancelToken& cancel) {
    std::string text = "{\"do\":\"ask\",\"module\":" + std::to_string(number_) +
                       ",\"trace\":" + (explain ? "true" : "false") +
                       (waiting.walk.is_null() ? "" : ",\"walk\":" + json_text(waiting.walk)) +
                       ",\"seconds\":" + general_text(waiting.seconds) + ",\"questions\":[";
    bool any = false;
    for (size_t i = waiting.begin; i < waiting.end; ++i) {
        if (waiting.answers[i]) continue;
        const AnnotatorQuestion& question = waiting.questions[i];
        text += std::exchange(any, true) ? ",[" : "[";
        if (question.rule.check >= 0) text += std::to_string(question.rule.check);
        else text += '"' + op_registry()[question.rule.op].name + '"';
        text += "," + std::to_string(question.call.value) + "]";
        ++annotator_->asked_;
    }
    return annotator_->process_->write(text + "]}\n", cancel);
}

Status AnnotatorSession::receive(Waiting& waiting, const CancelToken& cancel) {
    const size_t most = 2 * waiting.questions.size() + 16;
    // The host of files in Python stops a rule by itself; this is for what it can't stop.
    const bool stops_itself = annotator_->annotator_.starts_with(kPythonAnnotator);
    const double seconds = stops_itself ? 2 * waiting.seconds + 1 : waiting.seconds;
    for (size_t lines = 0;; ++lines) {
        Result<std::string> line = annotator_->process_->read_line(cancel, seconds);
        if (!line) return line.error();
        Result<AnnotatorReply> reply = read_annotator_reply(*line);
        if (!reply) return reply.error();
        switch (reply->kind) {
            case AnnotatorReply::Kind::Done: return Nothing();
            case AnnotatorReply::Kind::Fault: waiting.faulty = true; return reply->fault;
            case AnnotatorReply::Kind::Need:
                if (Status given = give_values(reply->number, cancel); !given) return given;
                break;
            case AnnotatorReply::Kind::Answer:
                if (const std::optional<size_t> at = waiting.find(ExprId(reply->number)))
                    waiting.answers[*at] = std::move(reply->answer);
                else if (++waiting.unexpected > most)
                    return error("it answers on and on about calls that it was not asked about");
        }
    }
}

Status AnnotatorSession::give_values(uint32_t constant, const CancelToken& cancel) {
    const ExprId id(constant);
    if (constant >= sent_.size() || !sent_[constant] || module_.kind(id) != ExprKind::Constant)
        return error("it asked for the values of a constant that is not there");
    try {
        const Tensor& tensor = module_.constant(id);
        const std::string data = tensor.defined() ? base64_of(tensor) : std::string();
        return annotator_->process_->write("{\"data\":\"" + data + "\"}\n", cancel);
    } catch (const DataLost& lost) {
        return error(lost.what());
    }
}

}  // namespace partita
