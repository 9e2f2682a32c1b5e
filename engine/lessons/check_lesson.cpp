#include "engine/lessons/check_lesson.h"

#include <algorithm>
#include <cmath>

#include "engine/lessons/lesson_fields.h"
#include "engine/lessons/question_kinds.h"
#include "engine/rules/codegen.h"
#include "engine/session/session.h"
#include "engine/support/number_text.h"

namespace partita {

namespace {

class LessonChecker {
public:
    LessonChecker(const Lesson& lesson, const std::shared_ptr<const LessonGraph>& graph, LessonFields& fields,
                  bool measure)
        : lesson_(lesson), graph_(graph), fields_(fields), measure_(measure) {}

    void check() {
        for (const LessonPage& page : lesson_.pages) {
            know(page.show, page.position);
            if (const auto graph = LessonGraph::of(graph_, page); !graph)
                fields_.fail(page.position, graph.error().message);
            else if (page.question) check_question(**graph, *page.question);
            for (const LessonClaim& claim : page.claims) check_claim(claim);
            for (const ComparedDivision& row : page.compare)
                if (const auto graph = graph_->with(row.with); !graph)
                    fields_.fail(page.position, row.name + ": " + graph.error().message);
        }
    }

private:
    bool know(const std::vector<uint32_t>& calls, SourcePosition position) {
        for (uint32_t call : calls)
            if (!graph_->has(call)) {
                fields_.fail(position, "the graph has no call #" + std::to_string(call));
                return false;
            }
        return true;
    }

    void check_question(const LessonGraph& graph, const LessonQuestion& question) {
        if (!know(question.calls, question.position) || !know(question.takes, question.position) ||
            !know(question.leaves, question.position))
            return;
        const LessonAnswer solution = solution_of(graph, question);
        const Result<LessonVerdict> verdict = judge_answer(graph, question, solution);
        if (!verdict) fields_.fail(question.position, "the right answer can't be judged: " + verdict.error().message);
        else if (!verdict->right) fields_.fail(question.position, "the right answer is refused");
        for (size_t i = 0; i < question.hints.size(); ++i) check_hint(graph, question, i);
    }

    void check_hint(const LessonGraph& graph, const LessonQuestion& question, size_t index) {
        const LessonHint& hint = question.hints[index];
        const std::string which = "the answer of hint " + std::to_string(index + 1);
        const Result<LessonVerdict> verdict = judge_answer(graph, question, hint.answer);
        if (!verdict) fields_.fail(question.position, which + " can't be judged: " + verdict.error().message);
        else if (verdict->right) fields_.fail(question.position, which + " is right");
        else if (verdict->hint != hint.text) fields_.fail(question.position, which + " gets another hint");
    }

    void check_claim(const LessonClaim& claim) {
        const Result<std::shared_ptr<const LessonGraph>> graph = graph_->with(claim.with);
        if (!graph) return fields_.fail(claim.position, graph.error().message);
        const LessonGraph& divided = **graph;
        if (const int regions = int(divided.flow().regions.size()); claim.regions >= 0 && claim.regions != regions)
            fields_.fail(claim.position, "claimed are " + std::to_string(claim.regions) + " regions; there are " +
                                             std::to_string(regions));
        if (claim.moved_bytes >= 0 && claim.moved_bytes != divided.moved_bytes())
            fields_.fail(claim.position, "claimed are " + fixed_text(claim.moved_bytes, 0) +
                                             " bytes moved; there are " + fixed_text(divided.moved_bytes(), 0));
        check_figures(claim, divided);
        for (const auto& [call, backend] : claim.backend_of)
            if (know({call}, claim.position) && divided.backend_of(call) != backend)
                fields_.fail(claim.position,
                             "#" + std::to_string(call) + " goes to " + divided.backend_of(call) + ", not " + backend);
        for (const std::vector<uint32_t>& calls : claim.together) check_together(divided, calls, true, claim.position);
        for (const std::vector<uint32_t>& calls : claim.apart) check_together(divided, calls, false, claim.position);
        if (measure_ && claim.times > 0) check_times(claim, divided);
    }

    /// Figures are claimed as people read them: rounded.
    void check_figures(const LessonClaim& claim, const LessonGraph& divided) {
        if (claim.share < 0 && claim.weight_bytes < 0 && claim.time < 0) return;
        const DivisionFigures figures = divided.figures();
        const auto hold = [&](double claimed, double computed, int decimals, const char* what) {
            if (claimed >= 0 && fixed_text(claimed, decimals) != fixed_text(computed, decimals))
                fields_.fail(claim.position, std::string("claimed is ") + what + " of " +
                                                 fixed_text(claimed, decimals) + "; it is " +
                                                 fixed_text(computed, decimals));
        };
        hold(claim.share, figures.share, 1, "a share");
        hold(claim.weight_bytes, figures.weight_bytes, 0, "a largest amount of weights");
        if (claim.time < 0) return;
        const Result<std::shared_ptr<const LessonGraph>> other = graph_->with(claim.than);
        if (!other) return fields_.fail(claim.position, other.error().message);
        hold(claim.time, figures.time_us / (*other)->figures().time_us, 2, "a ratio of times");
    }

    void check_together(const LessonGraph& graph, const std::vector<uint32_t>& calls, bool together,
                        SourcePosition position) {
        if (!know(calls, position)) return;
        for (size_t i = 1; i < calls.size(); ++i) {
            const int a = graph.region_of(calls[0]), b = graph.region_of(calls[i]);
            if ((a >= 0 && a == b) != together)
                fields_.fail(position, "#" + std::to_string(calls[0]) + " and #" + std::to_string(calls[i]) +
                                           (together ? " are not in one region" : " are in one region"));
        }
    }

    void check_times(const LessonClaim& claim, const LessonGraph& divided) {
        const Result<std::shared_ptr<const LessonGraph>> other = graph_->with(claim.than);
        if (!other) return fields_.fail(claim.position, other.error().message);
        const Result<double> fast = median_ms(divided), slow = median_ms(**other);
        if (!fast || !slow) return fields_.fail(claim.position, (fast ? slow : fast).error().message);
        if (*slow < *fast * claim.times)
            fields_.fail(claim.position, "claimed is " + general_text(claim.times, 3) +
                                             " times as fast; measured are " + general_text(*fast, 3) + " ms against " +
                                             general_text(*slow, 3) + " ms");
    }

    static Result<double> median_ms(const LessonGraph& graph) {
        RunOptions options;
        options.steady = true;
        for (const BackendPtr& backend : graph.backends()) {
            if (foreign_code(backend->codegen) != ForeignCode::None)
                return error("what runs code of its own is not measured here: " + backend->codegen);
            options.codegen[backend->name] = backend->codegen;
        }
        Result<RunReport> report = run_partitioned(graph.flow().last(), options);
        if (!report) return report.error();
        return report->time.median;
    }

    const Lesson& lesson_;
    const std::shared_ptr<const LessonGraph> graph_;
    LessonFields& fields_;
    const bool measure_;
};

}  // namespace

std::vector<Diagnostic> check_lesson(std::string_view text, const std::string& file, bool measure) {
    CheckedLesson checked = read_lesson(text, file);
    if (!checked.lesson) return std::move(checked.faults);
    LessonFields fields(file, checked.faults);
    const Result<std::shared_ptr<const LessonGraph>> graph = LessonGraph::of(*checked.lesson);
    if (!graph) {
        const Result<JsonValue> document = read_json(text);
        const JsonValue* relay = document ? document->member("graph") : nullptr;
        fields.fail(relay ? relay->position : SourcePosition(), "graph: " + graph.error().to_string());
        return std::move(checked.faults);
    }
    LessonChecker(*checked.lesson, *graph, fields, measure).check();
    return std::move(checked.faults);
}

}  // namespace partita
