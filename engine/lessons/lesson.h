// A lesson: a small graph, its backends, and pages of text; some pages ask a question or claim what can be computed.
// Read from JSON (resources/partita-lesson.schema.json), with every fault and its line and column.
//
// The same in another language stands in a file beside it, NAME.LANGUAGE.json ("1-regions.de.json"): texts alone, page
// by page. What is missing there stays as it is in the lesson.
//
// Values only; reading costs parsing the graph. A file of more than kLongestLesson bytes is refused.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/flow/flow_choice.h"
#include "engine/support/diagnostic.h"

namespace partita {

inline constexpr size_t kLongestLesson = 4 << 20;

/// Rules as they were changed, by backend and operator; "false" where one was taken out.
using ChangedRules = std::map<std::string, std::map<std::string, std::string>>;

/// What a learner gives. Each kind of question reads one of these; calls go by their numbers, as on the screen.
struct LessonAnswer {
    std::vector<uint32_t> calls;
    std::map<uint32_t, std::string> backends;    ///< assigned by call; "default" for none
    std::vector<std::string> order;              ///< of backends, by name; empty: as in the lesson
    std::vector<std::vector<uint32_t>> regions;  ///< all regions, as calls
    int64_t number = -1;                         ///< counted, or the place of a choice from 0
    std::string text;                            ///< a rule
    ChangedRules rules = {};                     ///< to reach something with

    bool operator==(const LessonAnswer&) const = default;
};

enum class QuestionKind : uint8_t {
    Select,   ///< the calls in one region with a call
    Assign,   ///< the backend of each of some calls
    Path,     ///< a path that forbids merging the regions of two calls
    Count,    ///< how many regions; or inputs or outputs of one
    Reason,   ///< one of several choices
    Rule,     ///< a rule or pattern that takes some calls and leaves others
    Faster,   ///< assignments, or an order of backends, with few regions or bytes moved
    Regions,  ///< all regions
};

/// What is said of a typical wrong answer.
struct LessonHint {
    LessonAnswer answer;
    std::string text;  ///< Markdown
};

/// Another graph on which a rule must hold, too, so that one that fits the graph on the screen by chance is not right.
struct RuleVariant {
    std::string graph;  ///< Relay text
    std::vector<uint32_t> takes, leaves;
    std::string what = {};  ///< for people: "a depthwise convolution"; "" for nothing to say
};

/// What a division has to reach beside few regions and bytes moved; negative: no limit.
struct ReachLimits {
    double share = -1;         ///< at least this percentage of the operations on backends
    double weight_bytes = -1;  ///< at most, in any region
    double time = -1;          ///< of a run, as a ratio to that of the page's division, by the lesson's speeds
    double changed_rules = 0;  ///< how many may be changed at most

    bool any() const { return share >= 0 || weight_bytes >= 0 || time >= 0; }
};
/// One of the limits by its name in files.
struct ReachLimitField {
    const char* name;
    double ReachLimits::*value;
};
inline constexpr ReachLimitField kReachLimits[] = {{"least_share", &ReachLimits::share},
                                                   {"most_weights", &ReachLimits::weight_bytes},
                                                   {"most_time", &ReachLimits::time},
                                                   {"most_rules", &ReachLimits::changed_rules}};

struct LessonQuestion {
    QuestionKind kind = QuestionKind::Select;
    /// Select: one, or none and the solution says it; Path: the two; Assign: all; Count: at most one.
    std::vector<uint32_t> calls;
    std::string counted;  ///< Count: "regions", "inputs", "outputs", or "number": the solution says it
    std::vector<std::string> choices;
    std::string backend;                  ///< Rule: whose description is completed
    std::vector<std::string> place;       ///< Rule: keys in the description, such as "ops", "nn.conv2d"
    std::vector<uint32_t> takes, leaves;  ///< Rule, and Faster by rules: what any backend may take, and what none may
    std::vector<RuleVariant> variants;    ///< likewise
    int most_regions = -1;                ///< Faster
    double most_bytes = -1;               ///< Faster: moved across boundaries of regions
    ReachLimits reach;                    ///< Faster
    LessonAnswer solution;                ///< Reason, Rule, Faster, given ones; others compute it
    std::string right, wrong;             ///< Markdown
    std::string more;                     ///< said with `wrong` from the second wrong answer on
    std::vector<LessonHint> hints;
    SourcePosition position;
};

/// What divides, as a page, a claim or an answer has it: overrides by call, the order of backends, changed rules, and
/// the partitioner.
struct LessonSetting {
    std::map<uint32_t, std::string> backends;
    std::vector<std::string> order;
    ChangedRules rules = {};
    PartitionerChoice partitioner = {};

    bool empty() const { return backends.empty() && order.empty() && rules.empty() && partitioner.is_own(); }
    bool operator==(const LessonSetting&) const = default;
};

/// What a page says of the graph, to be computed; members that are not claimed are empty or negative.
struct LessonClaim {
    LessonSetting with;
    int regions = -1;
    double moved_bytes = -1, share = -1, weight_bytes = -1, time = -1;  ///< as in ReachLimits; rounded
    std::map<uint32_t, std::string> backend_of;
    std::vector<std::vector<uint32_t>> together, apart;
    double times = 0;  ///< measured: so many times faster than with `than`, at least
    LessonSetting than;
    SourcePosition position;
};

/// A row of a page's table of divisions: of a setting, or of the answer to the question of another page.
struct ComparedDivision {
    std::string name;
    LessonSetting with;
    int answer_to = 0;    ///< a page from 1: what the learner answered
    int solution_of = 0;  ///< a page from 1: the best known answer
};

struct LessonPage {
    std::string text;  ///< Markdown
    bool annotate = false, merge = false, partition = false;
    LessonSetting with;          ///< assignments and an order of backends that the page begins with
    std::vector<uint32_t> show;  ///< calls that the view goes to
    std::optional<LessonQuestion> question;
    std::vector<LessonClaim> claims;
    std::vector<ComparedDivision> compare;
    SourcePosition position;

    /// Returns whether all regions shall be marked.
    bool predict() const { return question && question->kind == QuestionKind::Regions; }
};

/// What a machine does in a second, as its maker says: for times that are predicted.
struct BackendSpeed {
    double gflops = 1;   ///< operations, in 1e9
    double gbytes = 1;   ///< bytes that operators read and write, in 1e9
    double call_us = 0;  ///< what it takes to call a region, in microseconds
};
struct LessonSpeeds {
    std::map<std::string, BackendSpeed> backends;  ///< "default" among them
    double link_gbytes = 1;                        ///< values that go into regions and come out of them
};

/// Rules in Python that come with a lesson, as a file. It runs only after a person allowed it.
struct LessonScript {
    std::string name, text;
};

struct Lesson {
    std::string title;
    std::string line;  ///< its aim
    std::string chapter;
    std::string graph;  ///< Relay text
    std::vector<BackendPtr> backends;
    std::optional<LessonSpeeds> speeds;
    std::optional<LessonScript> script;
    std::vector<LessonPage> pages;
};

/// A lesson, or all its faults in the order of the text.
struct CheckedLesson {
    std::optional<Lesson> lesson;  ///< nothing if there is a fault
    Lesson as_read;                ///< what could be read in spite of faults, for who mends them
    std::vector<Diagnostic> faults;
};
/// Checks the form alone. What questions and claims say of the graph is checked by check_lesson.
CheckedLesson read_lesson(std::string_view text, const std::string& file);
/// Puts the texts of another language in place. A translation with faults changes nothing.
void translate_lesson(Lesson& lesson, std::string_view text);

}  // namespace partita
