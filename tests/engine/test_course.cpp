// The lessons that ship, held to what they say; the kinds of questions; files of answers and their grades.
#include <QtTest>

#include <algorithm>
#include <random>
#include <set>

#include "engine/frontends/relay/printer.h"
#include "engine/lessons/check_lesson.h"
#include "engine/lessons/grade.h"
#include "engine/lessons/lesson_writer.h"
#include "engine/lessons/question_kinds.h"
#include "engine/rules/annotated_backend.h"
#include "engine/session/session.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/file.h"
#include "tests/registry.h"

namespace test_course {

using namespace partita;

namespace {

Lesson lesson(std::string_view name) {
    for (const EmbeddedText& embedded : embedded_lessons())
        if (embedded.name == name) return *read_lesson(embedded.text, std::string(name)).lesson;
    qFatal("no such lesson");
}

std::string faults_of(std::string_view text) {
    std::string all;
    for (const Diagnostic& fault : check_lesson(text, "f.json", false)) all += fault.to_string() + "\n";
    return all;
}

/// Fills in a lesson round one page.
std::string with_page(const std::string& page) {
    const std::string graph = "#[version = \\\"0.0.5\\\"]\\ndef @main(%x: Tensor[(2), float32]) { exp(add(%x, %x)) }";
    return "{\"title\": \"t\", \"graph\": \"" + graph +
           "\",\n \"backends\": [{\"name\": \"a\", \"ops\": {\"add\": true}}], \"pages\": [" + page + "]}";
}

}  // namespace

class TestCourse : public QObject {
    Q_OBJECT

private slots:
    void theCourseHasFiveChaptersAndEachLessonAnAimAndAQuestion() {
        std::map<std::string, int> chapters;
        std::set<QuestionKind> kinds;
        for (const EmbeddedText& embedded : embedded_lessons()) {
            const CheckedLesson read = read_lesson(embedded.text, std::string(embedded.name));
            QVERIFY2(read.lesson, std::string(embedded.name).c_str());
            QVERIFY2(!read.lesson->line.empty(), read.lesson->title.c_str());
            ++chapters[read.lesson->chapter];
            bool claims = false;
            for (const LessonPage& page : read.lesson->pages) {
                claims |= !page.claims.empty();
                if (!page.question) continue;
                kinds.insert(page.question->kind);
                QVERIFY2(page.predict() || !page.question->hints.empty(), read.lesson->title.c_str());
            }
            QVERIFY2(claims, read.lesson->title.c_str());
            QVERIFY2(!pages_with_questions(*read.lesson).empty(), read.lesson->title.c_str());
        }
        QVERIFY(embedded_lessons().size() >= 14);
        QCOMPARE(chapters.size(), size_t(5));
        QCOMPARE(kinds.size(), question_kinds().size());
    }

    void everyLessonHoldsWhatItClaimsAndAcceptsItsAnswers() {
        for (const EmbeddedText& embedded : embedded_lessons()) {
            std::string all;
            for (const Diagnostic& fault : check_lesson(embedded.text, std::string(embedded.name), false))
                all += fault.to_string() + "\n";
            QVERIFY2(all.empty(), all.c_str());
        }
    }

    /// Real tries on the machine that runs the tests: what else runs on it may spoil one.
    void whatLessonsSayOfTimesIsMeasured() {
        constexpr int kTries = 3;
        for (const EmbeddedText& embedded : embedded_lessons()) {
            if (embedded.text.find("\"times\"") == std::string_view::npos) continue;
            std::vector<Diagnostic> faults;
            for (int tries = 0; tries < kTries && (tries == 0 || !faults.empty()); ++tries)
                faults = check_lesson(embedded.text, std::string(embedded.name), true);
            QVERIFY2(faults.empty(), faults.empty() ? "" : faults[0].to_string().c_str());
        }
    }

    void eachKindOfQuestionHasARowOfItsOwn() {
        for (size_t i = 0; i < question_kinds().size(); ++i) QCOMPARE(size_t(question_kinds()[i].kind), i);
    }

    void aPathIsRightOnlyIfItLeavesAndComesBack() {
        const Lesson diamond = lesson("2-diamond");
        const auto graph = *LessonGraph::of(diamond);
        const LessonQuestion& question = *diamond.pages[2].question;
        const auto right = [&](std::vector<uint32_t> calls) {
            LessonAnswer answer;
            answer.calls = std::move(calls);
            return judge_answer(*graph, question, answer)->right;
        };
        QCOMPARE(question_kinds()[size_t(question.kind)].solve(*graph, question).calls,
                 (std::vector<uint32_t>{1, 2, 4}));
        QVERIFY(right({1, 2, 4}));
        QVERIFY(right({4, 1, 2}));  // the order of clicks does not matter
        for (const std::vector<uint32_t>& wrong :
             std::vector<std::vector<uint32_t>>{{}, {2}, {1, 2}, {2, 4}, {1, 4}, {1, 3, 4}, {1, 99, 4}})
            QVERIFY(!right(wrong));
    }

    /// Also into the region that is numbered first.
    void aPathEndsInAnyRegion() {
        const CheckedLesson made = read_lesson(
            "{\"title\": \"t\", \"graph\": \"#[version = \\\"0.0.5\\\"]\\ndef @main(%x: Tensor[(2), float32]) { "
            "%0 = add(%x, %x); %1 = abs(%x); %2 = add(%1, %1); %3 = exp(%2); add(%0, %3) }\", "
            "\"backends\": [{\"name\": \"a\", \"ops\": {\"add\": true}}], \"pages\": [{\"text\": \"t\", "
            "\"do\": [\"annotate\", \"merge\"], "
            "\"question\": {\"kind\": \"path\", \"from\": 3, \"to\": 5, \"right\": \"r\", \"wrong\": \"w\"}}]}",
            "t");
        QVERIFY(made.lesson);
        const auto graph = *LessonGraph::of(*made.lesson);
        const LessonQuestion& question = *made.lesson->pages[0].question;
        QCOMPARE(graph->region_of(5), 0);
        QVERIFY(graph->region_of(3) > 0);
        QCOMPARE(question_kinds()[size_t(question.kind)].solve(*graph, question).calls,
                 (std::vector<uint32_t>{3, 4, 5}));
    }

    void aRuleIsJudgedByWhatItTakesAndASyntaxErrorIsToldAsOne() {
        const Lesson rule = lesson("9-rule");
        const auto graph = *LessonGraph::of(rule);
        const LessonQuestion& question = *rule.pages[1].question;
        LessonAnswer answer;
        answer.text = "attrs.kernel_size[0] == 3";
        QVERIFY(judge_answer(*graph, question, answer)->right);
        answer.text = "attrs.channels == 8";  // takes all, as `true` does: its hint
        const Result<LessonVerdict> verdict = judge_answer(*graph, question, answer);
        QVERIFY(verdict && !verdict->right);
        QCOMPARE(verdict->hint, question.hints[0].text);
        QCOMPARE(verdict->extra, std::vector<uint32_t>{1});
        for (const char* broken : {"attrs.groups ==", "", "\"", "attrs.nonsense == 1", "\xff"}) {
            answer.text = broken;
            const Result<LessonVerdict> refused = judge_answer(*graph, question, answer);
            QVERIFY2(!refused || !refused->right, broken);
        }
    }

    void aRuleThatFitsTheGraphByChanceIsWrong() {
        const Lesson rule = lesson("9-rule");
        const auto graph = *LessonGraph::of(rule);
        const LessonQuestion& question = *rule.pages[1].question;
        for (const char* by_chance : {"attrs.padding == [1, 1, 1, 1]", "attrs.padding[0] == 1",
                                      "args[1].shape[2] == 3 && attrs.strides == [1, 1]"}) {
            LessonAnswer answer;
            answer.text = by_chance;
            const Result<LessonVerdict> verdict = judge_answer(*graph, question, answer);
            QVERIFY2(verdict && !verdict->right, by_chance);
            QVERIFY2(verdict->missed.empty() && verdict->extra.empty() && !verdict->missed_elsewhere.empty(),
                     by_chance);
        }
        LessonAnswer padded;
        padded.text = "attrs.padding == [1, 1, 1, 1]";
        QCOMPARE(judge_answer(*graph, question, padded)->hint, question.hints.back().text);
        // The right rule changes the graph, and it can be written and read again.
        const auto solved = with_answer(graph, question, question.solution);
        QVERIFY(solved);
        QCOMPARE((*solved)->backend_of(1), std::string("default"));
        QCOMPARE((*solved)->backend_of(3), std::string("engine"));
        const CheckedLesson again = read_lesson(*format_lesson(rule), "again");
        QVERIFY(again.lesson);
        QCOMPARE(again.lesson->pages[1].question->variants.size(), size_t(1));
        QCOMPARE(again.lesson->pages[1].question->variants[0].takes, question.variants[0].takes);
    }

    void anAssignmentThatNoRuleAcceptsDoesNotMakeAGraphFaster() {
        const Lesson by_hand = lesson("12-by-hand");
        const auto graph = *LessonGraph::of(by_hand);
        LessonAnswer answer;
        answer.backends = {{3, "teach_a"}};
        const Result<LessonVerdict> verdict = judge_answer(*graph, *by_hand.pages[1].question, answer);
        QVERIFY(verdict && !verdict->right);
        QCOMPARE(verdict->regions, 1);
        QCOMPARE(verdict->extra, std::vector<uint32_t>{3});
        answer.backends = {{3, "nobody"}};
        QVERIFY(!judge_answer(*graph, *by_hand.pages[1].question, answer));
    }

    void allFaultsOfALessonAreListedAtOnceWithTheirPlaces() {
        const std::string faults = faults_of(
            "{\"title\": 3,\n \"graph\": \"x\",\n \"colour\": 1,\n"
            " \"backends\": [{\"name\": \"a\",\n   \"ops\": {\"nn.rellu\": true}}, \"nobody\"],\n"
            " \"pages\": [{\"text\": \"t\", \"do\": [\"fly\"]},\n  {\"question\": {\"kind\": \"count\"}}]}");
        for (const char* part :
             {"f.json:1:11: error: \"title\" can't be a number", "f.json:3:2: error: unknown member \"colour\"",
              "f.json:5:", "nn.rellu", "nobody", "f.json:6:33: error: \"annotate\", \"merge\" or \"partition\"",
              "f.json:7:3: error: \"text\" is missing here", "f.json:7:16: error: this question needs \"count\""})
            QVERIFY2(faults.find(part) != std::string::npos, (faults + "lacks " + part).c_str());
        QCOMPARE(faults_of(with_page(R"({"text": "t"})")), std::string());
        QVERIFY(faults_of(with_page("3")).find("a page is an object") != std::string::npos);
        const std::string inner = faults_of(with_page(R"({"text": "t", "with": {"backend": "a"}})"));
        QVERIFY2(inner.find("unknown member \"backend\"") != std::string::npos, inner.c_str());
    }

    void claimsAndAnswersThatDoNotHoldAreFaults() {
        const std::string claims = faults_of(with_page(R"({"text": "t", "claims": [{"regions": 2, "moved_bytes": 1, )"
                                                       R"("backend_of": {"2": "a"}, "together": [[1, 2]]}]})"));
        for (const char* part : {"claimed are 2 regions; there are 1", "there are 16", "#2 goes to default, not a",
                                 "#1 and #2 are not in one region"})
            QVERIFY2(claims.find(part) != std::string::npos, claims.c_str());
        const std::string hints =
            faults_of(with_page(R"({"text": "t", "question": {"region_of": 1, "right": "r", "wrong": "w", )"
                                R"("hints": [{"answer": {"calls": [1]}, "text": "h"}]}})"));
        QVERIFY2(hints.find("the answer of hint 1 is right") != std::string::npos, hints.c_str());
        const std::string unknown =
            faults_of(with_page(R"({"text": "t", "question": {"region_of": 9, "right": "r", "wrong": "w"}})"));
        QVERIFY2(unknown.find("the graph has no call #9") != std::string::npos, unknown.c_str());
    }

    void damagedLessonsAndAnswersAreRefusedOrReadButNeverCrash() {
        const std::string text(embedded_lessons()[0].text);
        AnswerFile file;
        file.lesson = "l";
        put_answer(file, {1, {{1, 2}, {{3, "a"}}, {"b"}, {{1}, {2, 3}}, 4, "t"}, 2, 3.5});
        const std::string answers = format_answers(file);
        std::mt19937 random(1);
        for (int turn = 0; turn < 2000; ++turn) {
            std::string damaged = turn % 2 ? answers : text;
            for (int i = 0; i < 1 + turn % 4; ++i) damaged[random() % damaged.size()] = char(random() % 256);
            if (turn % 3 == 0) damaged.resize(random() % damaged.size());
            if (turn % 2) {
                const Result<AnswerFile> read = parse_answers(damaged, "a.json");
                if (!read) QCOMPARE(read.error().file, std::string("a.json"));
            } else {
                const CheckedLesson read = read_lesson(damaged, "l.json");
                QVERIFY(read.lesson.has_value() == read.faults.empty());
            }
        }
        QVERIFY(!read_lesson(std::string(kLongestLesson + 1, ' '), "l").lesson);
        QVERIFY(!parse_answers(std::string(kLongestAnswers + 1, ' '), "a"));
    }

    void aChangedFileOfAnswersIsTold() {
        AnswerFile file;
        file.lesson = "l";
        file.of = "x";
        file.who = "A \"name\"\n\xff";
        put_answer(file, {2, {{1, 2}, {}, {}, {}, -1, ""}, 3, 12.34});
        std::string text = format_answers(file);
        const Result<AnswerFile> read = parse_answers(text, "a.json");
        QVERIFY(read && read->unchanged);
        QCOMPARE(format_answers(*read), text);
        QCOMPARE(read->answers[0].attempts, 3);
        text.replace(text.find("\"attempts\": 3"), 13, "\"attempts\": 1");
        const Result<AnswerFile> changed = parse_answers(text, "a.json");
        QVERIFY(changed && !changed->unchanged);
    }

    void aLessonIsWrittenAsItWasRead() {
        for (const EmbeddedText& embedded : embedded_lessons()) {
            const Lesson read = lesson(embedded.name);
            const Result<std::string> written = format_lesson(read);
            QVERIFY(written);
            const std::vector<Diagnostic> faults = check_lesson(*written, "written.json", false);
            QVERIFY2(faults.empty(), faults.empty() ? "" : faults[0].to_string().c_str());
            const Lesson again = *read_lesson(*written, "written.json").lesson;
            QCOMPARE(*format_lesson(again), *written);
            QCOMPARE(checksum_of(again), checksum_of(read));
            QCOMPARE(again.pages.size(), read.pages.size());
            for (size_t page = 0; page < read.pages.size(); ++page) {
                QCOMPARE(again.pages[page].text, read.pages[page].text);
                QCOMPARE(again.pages[page].claims.size(), read.pages[page].claims.size());
            }
        }
    }

    void theCapstonesAreJudgedByWhatTheyReach() {
        const auto placed = [](std::vector<uint32_t> on_default) {
            LessonAnswer answer;
            for (uint32_t call : on_default) answer.backends[call] = "default";
            return answer;
        };
        const auto ruled = [](std::map<std::string, std::string> rules) {
            LessonAnswer answer;
            answer.rules["npu"] = std::move(rules);
            return answer;
        };
        struct Capstone {
            const char* lesson;
            size_t page;  ///< from 0
            std::vector<LessonAnswer> right, wrong;
        };
        std::vector<uint32_t> attention, attention_and_queries;
        for (uint32_t layer = 0; layer < 4; ++layer)
            for (uint32_t call : {2, 4, 5, 6, 7}) {
                attention_and_queries.push_back(call + 18 * layer);
                if (call != 2) attention.push_back(call + 18 * layer);
            }
        const std::string add = "args[0].shape == result.shape", mean = "attrs.axis == [-1]";
        const Capstone capstones[] = {
            {"21-mobilenet",
             2,
             {placed({112, 129, 138, 146}), placed({118, 132, 141, 146}), placed({90, 112, 129, 138, 146})},
             {placed({}), placed({129}), placed({112, 129, 136, 146}), placed({118, 136, 146})}},
            {"22-bert",
             2,
             {ruled({{"add", add}, {"mean", mean}}),
              ruled({{"add", "args[1].shape == args[0].shape || args[1].rank < args[0].rank"},
                     {"mean", "attrs.axis[0] == -1"}})},
             {ruled({{"add", add}}), ruled({{"add", "true"}, {"mean", mean}}), ruled({{"add", add}, {"mean", "true"}}),
              ruled({{"add", add}, {"erf", "true"}}), ruled({{"add", add}, {"mean", mean}, {"power", "false"}})}},
            {"24-decoder", 2, {placed(attention), placed(attention_and_queries)}, {placed({}), placed({4, 5, 6, 7})}},
        };
        for (const Capstone& capstone : capstones) {
            const Lesson asked = lesson(capstone.lesson);
            const auto graph = *LessonGraph::of(asked);
            const LessonQuestion& question = *asked.pages[capstone.page].question;
            for (const LessonAnswer& answer : capstone.right)
                QVERIFY2(judge_answer(*graph, question, answer)->right, capstone.lesson);
            for (const LessonAnswer& answer : capstone.wrong)
                QVERIFY2(!judge_answer(*graph, question, answer)->right, capstone.lesson);
        }
    }

    void aChangedRuleIsTriedOnGraphsThatAreNotShown() {
        const Lesson bert = lesson("22-bert");
        const auto graph = *LessonGraph::of(bert);
        const LessonQuestion& question = *bert.pages[2].question;
        LessonAnswer answer;
        answer.rules["npu"] = {{"add", "true"}, {"mean", "attrs.axis == [-1]"}};
        const LessonVerdict verdict = *judge_answer(*graph, question, answer);
        QVERIFY(!verdict.right && verdict.missed.empty() && verdict.extra.empty());
        QVERIFY(verdict.regions <= question.most_regions);  // on what is shown it reaches all
        QCOMPARE(verdict.elsewhere, std::string("an addition whose first operand is the smaller one"));
        QCOMPARE(verdict.extra_elsewhere.size(), size_t(1));
    }

    void theCapstonesStandAmongTheSampleModels() {
        for (const auto& [name, model] :
             {std::pair("21-mobilenet", "mobilenet_v2"), std::pair("22-bert", "bert_small"),
              std::pair("23-annotator", "detector"), std::pair("24-decoder", "decoder_step")}) {
            const std::string path = std::string(PARTITA_BINARY_DIR "/models/") + model + ".relay";
            const ModulePtr made = open_text(*read_file(path), path)->module;
            QVERIFY2(print_relay(*open_text(lesson(name).graph, name)->module) == print_relay(*made), name);
        }
    }

    /// The lesson's backend says in rules what the script says with its line mended.
    void oneLineOfTheDetectorsScriptIsWrong() {
        const Lesson detector = lesson("23-annotator");
        const auto as_rules = *LessonGraph::of(detector);
        const auto taken = [&](const std::string& text) {
            QTemporaryDir folder;
            const std::string path = folder.filePath("npu_rules.py").toStdString();
            if (!write_file(path, text)) return std::vector<uint32_t>();
            std::vector<BackendDescription> backends{*load_backend(path)};
            std::vector<Diagnostic> notes;
            if (!start_annotators(backends, notes)) return std::vector<uint32_t>();
            const auto graph = *LessonGraph::of(open_text(detector.graph, "g")->module,
                                                {std::make_shared<const BackendDescription>(backends[0])});
            std::vector<uint32_t> calls;
            for (uint32_t call : graph->calls())
                if (graph->backend_of(call) == "npu") calls.push_back(call);
            return calls;
        };
        std::vector<uint32_t> wanted;
        for (uint32_t call : as_rules->calls())
            if (as_rules->backend_of(call) == "npu") wanted.push_back(call);
        std::string script = detector.script->text;
        std::vector<uint32_t> before = taken(script);
        const size_t wrong = script.find("shape[-3], tensor.shape[-2]");
        QVERIFY(wrong != std::string::npos);
        QCOMPARE(std::count(script.begin(), script.begin() + std::ptrdiff_t(wrong), '\n') + 1,
                 detector.pages[1].question->solution.number);
        script.replace(wrong, 27, "shape[-2], tensor.shape[-1]");
        const std::vector<uint32_t> after = taken(script);
        QCOMPARE(after, wanted);
        std::vector<uint32_t> gained;
        std::set_difference(after.begin(), after.end(), before.begin(), before.end(), std::back_inserter(gained));
        QCOMPARE(gained, detector.pages[2].question->solution.calls);
        QVERIFY(std::includes(after.begin(), after.end(), before.begin(), before.end()));
    }

    void aPageComparesDivisionsWithTheAnswerThatWasGiven() {
        const Lesson mobilenet = lesson("21-mobilenet");
        const auto graph = *LessonGraph::of(mobilenet);
        const LessonPage& page = mobilenet.pages.back();
        const auto unanswered = compare_divisions(graph, mobilenet, page, [](int) { return nullptr; });
        QCOMPARE(unanswered.size(), page.compare.size());
        QVERIFY(!unanswered[0].reached && !unanswered[1].reached && unanswered[2].reached);
        LessonAnswer mine;
        for (uint32_t call : {118, 132, 141, 146}) mine.backends[call] = "default";
        const auto rows = compare_divisions(graph, mobilenet, page, [&](int) { return &mine; });
        QCOMPARE(rows[0].reached->regions, 5);
        QCOMPARE(rows[0].reached->values_bytes, rows[2].reached->values_bytes);
        QVERIFY(rows[1].reached->values_bytes < rows[0].reached->values_bytes);
        QCOMPARE(rows[3].reached->regions, 4);
    }

    void noBytesAtAllAreALimitToo() {
        Lesson boundaries = lesson("14-boundaries");
        const int page = pages_with_questions(boundaries).back();
        boundaries.pages[size_t(page) - 1].question->most_bytes = 0;
        QVERIFY(format_lesson(boundaries)->find("\"most_bytes\": 0") != std::string::npos);
    }

    void aFaultInABackendOfALessonStandsWhereItIs() {
        const std::string faults = faults_of(
            "{\"title\": \"t\",\n \"backends\": [\n  {\"name\": \"a\",\n   \"ops\": {\n"
            "    \"add\": \"flops >\"}}],\n \"pages\": [{\"text\": \"t\"}]}");
        QVERIFY2(faults.find("f.json:5:") != std::string::npos, faults.c_str());
    }

    void aPageIsAskedOfTheDivisionThatItBeginsWith() {
        const std::string page = R"({"text": "t", "with": {"backends": {"1": "default"}}, "show": [2],
            "question": {"kind": "count", "count": "regions", "right": "r", "wrong": "w"}})";
        QCOMPARE(faults_of(with_page(page)), std::string());
        const Lesson read = *read_lesson(with_page(page), "f.json").lesson;
        QCOMPARE(read.pages[0].show, std::vector<uint32_t>{2});
        QVERIFY(read.pages[0].question->most_bytes < 0 && read.pages[0].question->most_regions < 0);  // no limits
        const auto graph = *LessonGraph::of(read);
        QCOMPARE(solution_of(*graph, *read.pages[0].question).number, 1);
        QCOMPARE(solution_of(**LessonGraph::of(graph, read.pages[0]), *read.pages[0].question).number, 0);
        AnswerFile none;
        LessonAnswer zero;
        zero.number = 0;
        put_answer(none, {1, zero, 1, 10});
        QCOMPARE(grade(read, graph, none).right(), 1);
        // What the page names has to be there.
        const std::string faults = faults_of(with_page(R"({"text": "t", "with": {"order": ["b"]}, "show": [9]})"));
        for (const char* part : {"the lesson has no backend \"b\"", "the graph has no call #9"})
            QVERIFY2(faults.find(part) != std::string::npos, faults.c_str());
    }

    void aClassIsGraded() {
        const Lesson diamond = lesson("2-diamond");
        const auto graph = *LessonGraph::of(diamond);
        AnswerFile good, late, none;
        for (AnswerFile* file : {&good, &late, &none}) file->of = checksum_of(diamond);
        for (int page : pages_with_questions(diamond)) {
            const LessonQuestion& question = *diamond.pages[size_t(page) - 1].question;
            put_answer(good, {page, solution_of(*graph, question), 1, 10});
            put_answer(late, {page, solution_of(*graph, question), 2, 20});
        }
        put_answer(late, {2, diamond.pages[1].question->hints[0].answer, 4, 60});
        QCOMPARE(grade(diamond, graph, good).points(), 4);
        QCOMPARE(grade(diamond, graph, late).points(), 1);
        QCOMPARE(grade(diamond, graph, late).seconds(), 80.0);
        QCOMPARE(grade(diamond, graph, none).right(), 0);
        QVERIFY(grade(diamond, graph, good).same_lesson);
        QVERIFY(!grade(lesson("1-regions"), *LessonGraph::of(lesson("1-regions")), good).same_lesson);
    }
};

PARTITA_TEST(TestCourse)

}  // namespace test_course

#include "test_course.moc"
