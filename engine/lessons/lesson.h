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

/// What a learner gives. Each kind of question reads one of these; calls go by their numbers, as on the screen.
struct LessonAnswer {
    std::vector<uint32_t> calls;
    std::map<uint32_t, std::string> backends;    ///< assigned by call; "default" for none
    std::vector<std::string> order;              ///< of backends, by name; empty: as in the lesson
    std::vector<std::vector<uint32_t>> regions;  ///< all regions, as calls
    int64_t number = -1;                         ///< counted, or the place of a choice from 0
    std::string text;                            ///< a rule

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
};

struct LessonQuestion {
    QuestionKind kind = QuestionKind::Select;
    std::vector<uint32_t> calls;  ///< Select: one; Path: the two; Assign: all; Count: at most one
    std::string counted;          ///< Count: "regions", "inputs", "outputs"
    std::vector<std::string> choices;
    std::string backend;                  ///< Rule: whose description is completed
    std::vector<std::string> place;       ///< Rule: keys in the description, such as "ops", "nn.conv2d"
    std::vector<uint32_t> takes, leaves;  ///< Rule
    std::vector<RuleVariant> variants;    ///< Rule
    int most_regions = -1;                ///< Faster
    double most_bytes = -1;               ///< Faster: moved across boundaries of regions
    LessonAnswer solution;                ///< Reason, Rule, Faster; others compute it
    std::string right, wrong;             ///< Markdown
    std::vector<LessonHint> hints;
    SourcePosition position;
};

/// Backends as a page, a claim or an answer has them: overrides by call, and their order.
struct LessonSetting {
    std::map<uint32_t, std::string> backends;
    std::vector<std::string> order;

    bool empty() const { return backends.empty() && order.empty(); }
    bool operator==(const LessonSetting&) const = default;
};

/// What a page says of the graph, to be computed; members that are not claimed are empty or negative.
struct LessonClaim {
    LessonSetting with;
    int regions = -1;
    double moved_bytes = -1;
    std::map<uint32_t, std::string> backend_of;
    std::vector<std::vector<uint32_t>> together, apart;
    double times = 0;  ///< measured: so many times faster than with `than`, at least
    LessonSetting than;
    SourcePosition position;
};

struct LessonPage {
    std::string text;  ///< Markdown
    bool annotate = false, merge = false, partition = false;
    LessonSetting with;          ///< assignments and an order of backends that the page begins with
    std::vector<uint32_t> show;  ///< calls that the view goes to
    std::optional<LessonQuestion> question;
    std::vector<LessonClaim> claims;
    SourcePosition position;

    /// Returns whether all regions shall be marked.
    bool predict() const { return question && question->kind == QuestionKind::Regions; }
};

struct Lesson {
    std::string title;
    std::string line;  ///< its aim
    std::string chapter;
    std::string graph;  ///< Relay text
    std::vector<BackendPtr> backends;
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
