#include "engine/lessons/question_kinds.h"

#include <algorithm>
#include <iterator>

#include "engine/explain/region_graph.h"
#include "engine/session/session.h"

namespace partita {

namespace {

std::vector<uint32_t> sorted(std::vector<uint32_t> calls) {
    std::sort(calls.begin(), calls.end());
    calls.erase(std::unique(calls.begin(), calls.end()), calls.end());
    return calls;
}

std::vector<uint32_t> without(const std::vector<uint32_t>& all, const std::vector<uint32_t>& some) {
    std::vector<uint32_t> rest;
    std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest));
    return rest;
}

LessonVerdict compared(const std::vector<uint32_t>& right, const std::vector<uint32_t>& given) {
    LessonVerdict verdict;
    verdict.missed = without(right, given);
    verdict.extra = without(given, right);
    verdict.right = verdict.missed.empty() && verdict.extra.empty();
    return verdict;
}

LessonAnswer of_calls(std::vector<uint32_t> calls) {
    LessonAnswer answer;
    answer.calls = std::move(calls);
    return answer;
}

LessonAnswer of_number(int64_t number) {
    LessonAnswer answer;
    answer.number = number;
    return answer;
}

LessonVerdict plain(bool right) {
    LessonVerdict verdict;
    verdict.right = right;
    return verdict;
}

bool same_answer(const LessonGraph&, const LessonQuestion&, const LessonAnswer& a, const LessonAnswer& b) {
    return a == b;
}

bool same_calls(const LessonGraph&, const LessonQuestion&, const LessonAnswer& a, const LessonAnswer& b) {
    return sorted(a.calls) == sorted(b.calls);
}

// Select

LessonAnswer solve_select(const LessonGraph& graph, const LessonQuestion& question) {
    if (question.calls.empty()) return of_calls(sorted(question.solution.calls));
    return of_calls(graph.calls_of(graph.region_of(question.calls.front())));
}

Result<LessonVerdict> judge_select(const LessonGraph& graph, const LessonQuestion& question,
                                   const LessonAnswer& answer) {
    return compared(solve_select(graph, question).calls, sorted(answer.calls));
}

// Assign

LessonAnswer solve_assign(const LessonGraph& graph, const LessonQuestion& question) {
    LessonAnswer answer;
    for (uint32_t call : question.calls) answer.backends[call] = graph.backend_of(call);
    return answer;
}

Result<LessonVerdict> judge_assign(const LessonGraph& graph, const LessonQuestion& question,
                                   const LessonAnswer& answer) {
    LessonVerdict verdict;
    for (const auto& [call, backend] : solve_assign(graph, question).backends) {
        const auto given = answer.backends.find(call);
        if (given == answer.backends.end()) verdict.missed.push_back(call);
        else if (given->second != backend) verdict.extra.push_back(call);
    }
    verdict.right = verdict.missed.empty() && verdict.extra.empty();
    return verdict;
}

// Path

/// Returns whether `to` uses `from`, directly or through tuples and projections.
bool is_edge(const LessonGraph& graph, ExprId from, ExprId to) {
    std::vector<ExprId> open{to};
    for (size_t next = 0; next < open.size() && next < 100; ++next)
        for (ExprId operand : graph.module().operands(open[next])) {
            if (operand == from) return true;
            if (operand.value > from.value && !graph.module().called_op(operand).valid()) open.push_back(operand);
        }
    return false;
}

LessonAnswer solve_path(const LessonGraph& graph, const LessonQuestion& question) {
    const FlowResult& flow = graph.flow();
    RegionGraph regions(graph.module(), flow.region_of, flow.regions.size());
    LessonAnswer answer;
    const int from = graph.region_of(question.calls[0]), to = graph.region_of(question.calls[1]);
    if (from < 0 || to < 0 || from == to) return answer;
    const ExpressionNames names(graph.module());
    for (ExprId id : regions.path_around(from, to))
        if (graph.module().called_op(id).valid()) answer.calls.push_back(names.number(id));
    answer.calls = sorted(std::move(answer.calls));
    return answer;
}

Result<LessonVerdict> judge_path(const LessonGraph& graph, const LessonQuestion& question, const LessonAnswer& answer) {
    const int from = graph.region_of(question.calls[0]), to = graph.region_of(question.calls[1]);
    std::vector<uint32_t> path = answer.calls;
    std::sort(path.begin(), path.end(), [&](uint32_t a, uint32_t b) { return graph.id(a) < graph.id(b); });
    bool outside = false;
    for (size_t i = 0; i < path.size(); ++i) {
        const int region = graph.region_of(path[i]);
        outside |= region != from && region != to;
        const bool same_region = i > 0 && region >= 0 && region == graph.region_of(path[i - 1]);
        if (!graph.has(path[i]) || (i > 0 && !same_region && !is_edge(graph, graph.id(path[i - 1]), graph.id(path[i]))))
            return plain(false);
    }
    return plain(outside && graph.region_of(path.front()) == from && graph.region_of(path.back()) == to);
}

// Count

LessonAnswer solve_count(const LessonGraph& graph, const LessonQuestion& question) {
    const std::vector<RegionInfo>& regions = graph.flow().regions;
    if (question.counted == "regions") return of_number(int64_t(regions.size()));
    if (question.counted == "number") return of_number(question.solution.number);
    const int region = graph.region_of(question.calls.front());
    if (region < 0) return {};
    return of_number(question.counted == "inputs" ? regions[size_t(region)].inputs : regions[size_t(region)].outputs);
}

Result<LessonVerdict> judge_count(const LessonGraph& graph, const LessonQuestion& question,
                                  const LessonAnswer& answer) {
    return plain(answer.number == solve_count(graph, question).number);
}

// Reason

LessonAnswer solve_given(const LessonGraph&, const LessonQuestion& question) { return question.solution; }

Result<LessonVerdict> judge_reason(const LessonGraph&, const LessonQuestion& question, const LessonAnswer& answer) {
    return plain(answer.number == question.solution.number);
}

// Rule

/// Returns the graph with the learner's rule in the description.
Result<std::shared_ptr<const LessonGraph>> with_rule(const LessonGraph& graph, const LessonQuestion& question,
                                                     const std::string& rule) {
    for (const BackendPtr& backend : graph.backends()) {
        if (backend->name != question.backend) continue;
        Result<BackendPtr> changed = with_rule(backend, question.place, rule);
        if (!changed) return changed.error();
        return graph.with_backend(*changed);
    }
    return error("the lesson has no backend \"" + question.backend + "\"");
}

/// The calls that a backend should take and does not, and those that it should leave. "" stands for any backend.
void compare_taken(const LessonGraph& graph, const std::string& backend, const std::vector<uint32_t>& takes,
                   const std::vector<uint32_t>& leaves, std::vector<uint32_t>& missed, std::vector<uint32_t>& extra) {
    const auto takes_it = [&](uint32_t call) {
        const std::string now = graph.backend_of(call);
        return backend.empty() ? now != "default" : now == backend;
    };
    for (uint32_t call : takes)
        if (!takes_it(call)) missed.push_back(call);
    for (uint32_t call : leaves)
        if (takes_it(call)) extra.push_back(call);
}

/// Holds backends against the graphs that are not shown.
Status compare_elsewhere(const LessonQuestion& question, const std::vector<BackendPtr>& backends,
                         LessonVerdict& verdict) {
    for (const RuleVariant& variant : question.variants) {
        Result<OpenedModule> opened = open_text(variant.graph, "a variant of the lesson's graph");
        if (!opened) return opened.error();
        const auto other = LessonGraph::of(std::move(opened->module), backends);
        if (!other) return other.error();
        const bool fine = verdict.missed_elsewhere.empty() && verdict.extra_elsewhere.empty();
        compare_taken(**other, question.backend, variant.takes, variant.leaves, verdict.missed_elsewhere,
                      verdict.extra_elsewhere);
        if (fine && !(verdict.missed_elsewhere.empty() && verdict.extra_elsewhere.empty()))
            verdict.elsewhere = variant.what;
    }
    return Nothing();
}

Result<LessonVerdict> judge_rule(const LessonGraph& graph, const LessonQuestion& question, const LessonAnswer& answer) {
    Result<std::shared_ptr<const LessonGraph>> changed = with_rule(graph, question, answer.text);
    if (!changed) return changed.error();
    LessonVerdict verdict;
    compare_taken(**changed, question.backend, question.takes, question.leaves, verdict.missed, verdict.extra);
    if (Status compared = compare_elsewhere(question, (*changed)->backends(), verdict); !compared)
        return compared.error();
    verdict.right = verdict.missed.empty() && verdict.extra.empty() && verdict.missed_elsewhere.empty() &&
                    verdict.extra_elsewhere.empty();
    return verdict;
}

/// Two rules are one mistake if they take the same calls.
bool same_rule(const LessonGraph& graph, const LessonQuestion& question, const LessonAnswer& a, const LessonAnswer& b) {
    if (a.text == b.text) return true;
    const Result<LessonVerdict> of_a = judge_rule(graph, question, a), of_b = judge_rule(graph, question, b);
    return of_a && of_b && of_a->missed == of_b->missed && of_a->extra == of_b->extra &&
           of_a->missed_elsewhere == of_b->missed_elsewhere && of_a->extra_elsewhere == of_b->extra_elsewhere;
}

// Faster

LessonSetting setting_of(const LessonAnswer& answer) { return {answer.backends, answer.order, answer.rules, {}}; }

bool within(const LessonQuestion& question, const LessonVerdict& verdict) {
    const ReachLimits& reach = question.reach;
    return (question.most_regions < 0 || verdict.regions <= question.most_regions) &&
           (question.most_bytes < 0 || verdict.moved_bytes <= question.most_bytes) &&
           (reach.share < 0 || verdict.reached.share >= reach.share) &&
           (reach.weight_bytes < 0 || verdict.reached.weight_bytes <= reach.weight_bytes) &&
           (reach.time < 0 || (verdict.time_ratio >= 0 && verdict.time_ratio <= reach.time)) &&
           verdict.changed_rules <= reach.changed_rules;
}

Result<LessonVerdict> judge_faster(const LessonGraph& graph, const LessonQuestion& question,
                                   const LessonAnswer& answer) {
    LessonVerdict verdict;
    const Result<std::shared_ptr<const LessonGraph>> changed = graph.with(setting_of(answer));
    if (!changed) return changed.error();
    for (const auto& [call, name] : answer.backends) {  // an assignment that no rule accepts is a lie
        const BackendDescription* backend = (*changed)->backend(name);
        if (name == "default" || !graph.has(call)) continue;
        if (!backend || !judge(*backend, graph.module(), graph.id(call), false).supported())
            verdict.extra.push_back(call);
    }
    for (const auto& [backend, rules] : answer.rules) verdict.changed_rules += int(rules.size());
    compare_taken(**changed, question.backend, question.takes, question.leaves, verdict.missed, verdict.extra);
    if (Status compared = compare_elsewhere(question, (*changed)->backends(), verdict); !compared)
        return compared.error();
    verdict.reached = (*changed)->figures();
    verdict.regions = verdict.reached.regions;
    verdict.moved_bytes = verdict.reached.moved_bytes;
    if (const double before = graph.figures().time_us; before > 0)
        verdict.time_ratio = verdict.reached.time_us / before;
    verdict.right = verdict.missed.empty() && verdict.extra.empty() && verdict.missed_elsewhere.empty() &&
                    verdict.extra_elsewhere.empty() && within(question, verdict);
    return verdict;
}

bool same_faster(const LessonGraph&, const LessonQuestion&, const LessonAnswer& a, const LessonAnswer& b) {
    return a.backends == b.backends && a.rules == b.rules && (a.order.empty() || b.order.empty() || a.order == b.order);
}

// Regions

std::vector<std::vector<uint32_t>> in_order(const std::vector<std::vector<uint32_t>>& regions) {
    std::vector<std::vector<uint32_t>> ordered;
    for (const std::vector<uint32_t>& region : regions) ordered.push_back(sorted(region));
    std::sort(ordered.begin(), ordered.end());
    return ordered;
}

LessonAnswer solve_regions(const LessonGraph& graph, const LessonQuestion&) {
    LessonAnswer answer;
    answer.regions = graph.regions();
    return answer;
}

Result<LessonVerdict> judge_regions(const LessonGraph& graph, const LessonQuestion&, const LessonAnswer& answer) {
    return plain(in_order(answer.regions) == graph.regions());
}

constexpr QuestionKindRow kKinds[] = {
    {QuestionKind::Select, "select", solve_select, judge_select, same_calls},
    {QuestionKind::Assign, "assign", solve_assign, judge_assign, same_answer},
    {QuestionKind::Path, "path", solve_path, judge_path, same_calls},
    {QuestionKind::Count, "count", solve_count, judge_count, same_answer},
    {QuestionKind::Reason, "reason", solve_given, judge_reason, same_answer},
    {QuestionKind::Rule, "rule", solve_given, judge_rule, same_rule},
    {QuestionKind::Faster, "faster", solve_given, judge_faster, same_faster},
    {QuestionKind::Regions, "regions", solve_regions, judge_regions, same_answer},
};

}  // namespace

std::span<const QuestionKindRow> question_kinds() { return kKinds; }

const QuestionKindRow& row_of(QuestionKind kind) { return kKinds[size_t(kind)]; }

std::vector<std::string> lacks_of(const LessonQuestion& question) {
    std::vector<std::string> lacks;
    const auto needs = [&](bool has, const char* what) {
        if (!has) lacks.emplace_back(what);
    };
    switch (question.kind) {
        case QuestionKind::Select:
            needs(question.calls.size() == 1 || (question.calls.empty() && !question.solution.calls.empty()),
                  "an operator: \"region_of\", the number of its call");
            break;
        case QuestionKind::Assign: needs(!question.calls.empty(), "\"calls\""); break;
        case QuestionKind::Path: needs(question.calls.size() == 2, "\"from\" and \"to\""); break;
        case QuestionKind::Count:
            needs(question.counted == "regions" || (question.counted == "number" && question.solution.number >= 0) ||
                      ((question.counted == "inputs" || question.counted == "outputs") && question.calls.size() == 1),
                  "\"count\": \"regions\", or \"inputs\" or \"outputs\" with \"region_of\", or \"number\" with an "
                  "\"answer\"");
            break;
        case QuestionKind::Reason:
            needs(question.choices.size() >= 2 && question.choices.size() <= 12, "2 to 12 \"choices\"");
            needs(question.solution.number >= 0 && question.solution.number < int64_t(question.choices.size()),
                  "an \"answer\" with the \"number\" of a choice from 0");
            break;
        case QuestionKind::Rule:
            needs(!question.backend.empty() && !question.place.empty(), "\"backend\" and \"place\"");
            needs(!question.takes.empty() && !question.solution.text.empty(), "\"takes\" and an \"answer\"");
            break;
        case QuestionKind::Faster:
            needs(question.most_regions >= 0 || question.most_bytes >= 0 || question.reach.any(),
                  "\"most_regions\" or \"most_bytes\", \"least_share\", \"most_weights\" or \"most_time\"");
            break;
        case QuestionKind::Regions: break;
    }
    return lacks;
}

LessonAnswer solution_of(const LessonGraph& graph, const LessonQuestion& question) {
    return row_of(question.kind).solve(graph, question);
}

Result<std::shared_ptr<const LessonGraph>> with_answer(const std::shared_ptr<const LessonGraph>& graph,
                                                       const LessonQuestion& question, const LessonAnswer& answer) {
    if (question.kind == QuestionKind::Rule) return with_rule(*graph, question, answer.text);
    if (question.kind == QuestionKind::Faster) return graph->with(setting_of(answer));
    return graph;
}

Result<LessonVerdict> judge_answer(const LessonGraph& graph, const LessonQuestion& question,
                                   const LessonAnswer& answer) {
    const QuestionKindRow& row = row_of(question.kind);
    Result<LessonVerdict> verdict = row.judge(graph, question, answer);
    if (!verdict || verdict->right) return verdict;
    verdict->hint = question.wrong;
    for (const LessonHint& hint : question.hints)
        if (row.alike(graph, question, hint.answer, answer)) {
            verdict->hint = hint.text;
            break;
        }
    return verdict;
}

std::vector<ComparedRow> compare_divisions(const std::shared_ptr<const LessonGraph>& graph, const Lesson& lesson,
                                           const LessonPage& page,
                                           const std::function<const LessonAnswer*(int page)>& answer_to) {
    std::vector<ComparedRow> rows;
    for (const ComparedDivision& wanted : page.compare) {
        ComparedRow row;
        row.name = wanted.name;
        const int asked = std::max(wanted.answer_to, wanted.solution_of);
        const LessonAnswer* given = asked > 0 ? answer_to(asked) : nullptr;
        if (asked == 0 || given) {
            const LessonQuestion* question = asked > 0 ? &*lesson.pages[size_t(asked) - 1].question : nullptr;
            const auto divided =
                !question ? graph->with(wanted.with)
                          : with_answer(graph, *question, wanted.answer_to > 0 ? *given : question->solution);
            if (divided) row.reached = (*divided)->figures();
            else row.fault = divided.error().message;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace partita
