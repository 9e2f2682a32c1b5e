// An annotator: a program of the user's that says which calls its backend takes. It runs in a process of its own, is
// asked about many calls at once, and whatever it does (no JSON, silence, a crash), only the calls that it left
// unanswered stay on default, with the reason.
//
// Answers are kept by what they depend on: the rule and the part of the graph that the annotator looked at. Asking
// about calls that did not change costs no process. Any thread may ask; one is served at a time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/annotators/annotator_files.h"
#include "engine/annotators/answer.h"
#include "engine/annotators/content_key.h"
#include "engine/annotators/expression_json.h"
#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/coprocess.h"
#include "engine/support/hash.h"

namespace partita {

/// "python:FILE.py", or "command:PROGRAM ARGUMENT ...".
inline constexpr std::string_view kPythonAnnotator = "python:";

/// The program and its arguments that would run, for whoever gives permission; "" where it is no annotator.
std::string annotator_command(std::string_view annotator);

/// A rule of an annotator: that for calls of an op, or the check of a pattern by its number.
struct AskedRule {
    OpId op;
    int32_t check = -1;
};

struct AnnotatorQuestion {
    AskedRule rule;
    ExprId call;
};

class AnnotatorSession;

/// Has a thread of this process read requests from one descriptor and write replies to the other until the first ends;
/// owns both.
using AnnotatorService = std::function<void(int requests, int replies)>;

class Annotator {
public:
    /// Starts it, and asks what it has rules for. `backend` is the name that it is wanted for; "": its own. `files` are
    /// those that a file in Python runs with, now and whenever its process is started again; null: as they are on disk.
    static Result<std::shared_ptr<Annotator>> start(const std::string& annotator, const std::string& backend,
                                                    const CancelToken& cancel = {}, const CoprocessLimits& limits = {},
                                                    std::shared_ptr<const AnnotatorFiles> files = nullptr);
    /// The same of functions of this process. Those that are silent are waited for until a cancel.
    static Result<std::shared_ptr<Annotator>> start(AnnotatorService service, const std::string& backend,
                                                    const CancelToken& cancel = {});
    /// Checks the syntax of a file in Python; nothing of it runs.
    static Status parse(const std::string& annotator, std::shared_ptr<const AnnotatorFiles> files = nullptr,
                        const CancelToken& cancel = {});
    /// What a file in Python says, as the text of a description: what can't be said in one is named in `left_out`.
    static Result<std::string> convert(const std::string& annotator, const std::string& backend,
                                       std::vector<std::string>& left_out);
    const AnnotatorSelf& self() const { return self_; }
    /// Ends the process; the next question that needs one starts another. Does nothing while somebody asks: false then.
    bool rest();
    /// How many questions reached the process, for tests: the others were known.
    size_t asked() const { return asked_; }

private:
    friend class AnnotatorSession;
    Annotator(std::string annotator, std::string backend, const CoprocessLimits& limits,
              std::shared_ptr<const AnnotatorFiles> files)
        : annotator_(std::move(annotator)), backend_(std::move(backend)), limits_(limits), files_(std::move(files)) {
        if (!files_) files_ = std::make_shared<AnnotatorFiles>(read_annotator_files(annotator_));
    }

    struct KeyHash {
        size_t operator()(const ContentKey& key) const { return size_t(key.high); }
    };
    using Answers = std::unordered_map<ContentKey, AnnotatorAnswer, KeyHash>;

    Status introduce(const CancelToken& cancel);
    Result<AnnotatorSelf> begin(const CancelToken& cancel);
    Result<std::string> begin_with(const char* request, const CancelToken& cancel);
    Result<std::unique_ptr<Coprocess>> connect() const;
    Diagnostic with_errors(Diagnostic fault) const;
    double patience(uint64_t rule) const;
    void note_end(uint64_t rule, double seconds);
    bool is_given_up(std::string& why) const;

    const std::string annotator_, backend_;
    const CoprocessLimits limits_;
    AnnotatorService service_;  ///< instead of a process
    AnnotatorSelf self_;
    std::shared_ptr<const AnnotatorFiles> files_;
    std::mutex mutex_;  ///< of all below
    std::unique_ptr<Coprocess> process_;
    uint32_t processes_ = 0;  ///< that were started
    uint32_t sessions_ = 0;   ///< whose expressions were sent; the process holds those of the last one
    uint32_t ends_ = 0;       ///< of the process, each at a call that was asked about alone
    double lost_seconds_ = 0;
    std::set<uint64_t> slow_;  ///< rules at which it was silent for too long
    std::atomic<size_t> asked_ = 0;
    Answers answers_, explained_;
    std::unordered_map<uint64_t, std::vector<int>> depths_;  ///< by rule: those that answers depended on
};

/// Questions about one module, which may grow meanwhile. Belongs to one thread.
class AnnotatorSession {
public:
    AnnotatorSession(std::shared_ptr<Annotator> annotator, const Module& module)
        : annotator_(std::move(annotator)), module_(module), keys_(module) {}

    /// An answer for each question. `explain` asks for the condition that decided, which costs more.
    std::vector<AnnotatorAnswer> ask(std::span<const AnnotatorQuestion> questions, bool explain,
                                     const CancelToken& cancel = {});

    /// The lines that the rules reach: which of `lines`, or all with their values where these are none. Each question
    /// is asked anew, and of answers without an optional `walk` nothing is known.
    std::vector<AnnotatorAnswer> walk(std::span<const AnnotatorQuestion> questions, std::span<const int> lines,
                                      const CancelToken& cancel = {});

private:
    struct Waiting;
    /// Waits until it is this session's turn; nothing where that was cancelled.
    std::unique_lock<std::mutex> take_turn(const CancelToken& cancel) const;
    /// Asks about all that waits; returns why the rest has no answer.
    std::string ask_all(Waiting& waiting, bool explain, const CancelToken& cancel);
    void ask_singly(Waiting& waiting, bool explain, std::string& why, const CancelToken& cancel);
    void give_up(Waiting& waiting, size_t at, const std::string& why);
    std::optional<AnnotatorAnswer> known(const AnnotatorQuestion& question, bool explain);
    void keep(const AnnotatorQuestion& question, bool explain, const AnnotatorAnswer& answer);
    Status ask_process(Waiting& waiting, bool explain, const CancelToken& cancel);
    Status send(const Waiting& waiting, bool explain, const CancelToken& cancel);
    Status send_expressions(const Waiting& waiting, const CancelToken& cancel);
    Status receive(Waiting& waiting, const CancelToken& cancel);
    Status give_values(uint32_t constant, const CancelToken& cancel);

    const std::shared_ptr<Annotator> annotator_;
    const Module& module_;
    ContentKeys keys_;
    uint32_t number_ = 0, of_process_ = 0;
    std::vector<bool> sent_;  ///< by expression
    std::optional<ExpressionWriter> writer_;
};

}  // namespace partita
