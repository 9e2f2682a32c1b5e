// `lessons` and `grade` on the command line.
#include <QTemporaryDir>
#include <QtTest>

#include "engine/lessons/grade.h"
#include "engine/lessons/graph_lesson.h"
#include "engine/lessons/question_kinds.h"
#include "engine/session/session.h"
#include "engine/support/embedded_texts.h"
#include "engine/support/file.h"
#include "tests/cli/cli_process.h"
#include "tests/registry.h"

namespace test_cli_lessons {

using namespace partita;

class TestCliLessons : public QObject {
    Q_OBJECT

private slots:
    void theLessonsThatShipAreListedShownAndWithoutFault() {
        const CliRun list = run_cli({"lessons", "list"});
        QCOMPARE(list.status, 0);
        QVERIFY2(list.output.contains("2-diamond") && list.output.contains("Why a diamond must not merge"),
                 list.output.constData());
        const CliRun shown = run_cli({"lessons", "show", "2-diamond"});
        QVERIFY(shown.output.contains("\"region_of\": 1"));
        const CliRun checked = run_cli({"lessons", "check", "2-diamond", "9-rule"});
        QCOMPARE(checked.status, 0);
        QCOMPARE(checked.output.count("no fault"), 2);
    }

    void aLessonIsHandedOut() {
        const QString path = folder_.filePath("lesson.pdf");
        for (const char* paper : {"a4", "Letter"}) {
            const CliRun made = run_cli({"export", "--form", "handout", "1-regions", "-o", path, "--paper", paper});
            QVERIFY2(made.status == 0, made.errors.constData());
            QFile file(path);
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray pdf = file.readAll();
            QVERIFY(pdf.startsWith("%PDF") && pdf.contains(*paper == 'a' ? "[ 0 0 595" : "[ 0 0 612"));
        }
        const QString mine = folder_.filePath("faulty.json");
        QVERIFY(write_file(mine.toStdString(), "{\"title\": 3,\n \"graph\": \"\", \"pages\": []}"));
        const CliRun refused = run_cli({"export", "--form", "handout", mine, "-o", path});
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.errors.contains("faulty.json:1:11: error: \"title\""), refused.errors.constData());
        const CliRun graph = run_cli({"export", "--form", "handout", PARTITA_SOURCE_DIR "/samples/diamond.relay",
                                      "--backends", "dnnl", "-o", path});
        QVERIFY2(graph.status == 0, graph.errors.constData());
        QCOMPARE(run_cli({"export", "1-regions", "--form", "handout", "-o", path, "--paper", "a5"}).status, 2);
    }

    void aChapterAndTheCourseAreOneFile() {
        const QString path = folder_.filePath("several.pdf");
        const auto pages_of = [&](const QStringList& arguments) {
            const CliRun made = run_cli(QStringList{"export", "--form", "handout", "-o", path} + arguments);
            QFile file(path);
            if (made.status != 0 || !file.open(QIODevice::ReadOnly)) return -1;
            const QByteArray pdf = file.readAll();
            return int(pdf.count("/Type /Page") - pdf.count("/Type /Pages"));
        };
        const int one = pages_of({"1-regions"}), other = pages_of({"2-diamond"});
        QVERIFY(one > 1 && other > 1);
        QCOMPARE(pages_of({"1-regions", "2-diamond"}), one + other);
        const int chapter = pages_of({"What it costs"});
        QVERIFY(chapter > one);
        QCOMPARE(pages_of({"What it costs", "1-regions"}), chapter + one);
        QVERIFY(pages_of({"course"}) > 2 * chapter);
        // The title of the chapter in the language that is asked for, too.
        QVERIFY(pages_of({"Was es kostet", "--language", "de"}) > one);
        QVERIFY(pages_of({"1-regions", "--language", "zh"}) > 1);
        const CliRun unknown = run_cli({"export", "--form", "handout", "1-regions", "no such", "-o", path});
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.errors.contains("no lesson, and no chapter of lessons: no such"), unknown.errors.constData());
        const CliRun several =
            run_cli({"export", PARTITA_SOURCE_DIR "/samples/diamond.relay", "1-regions", "-o", path + ".svg"});
        QCOMPARE(several.status, 2);
        QVERIFY2(several.errors.contains("only a hand-out is of several lessons"), several.errors.constData());
        QCOMPARE(run_cli({"export", "1-regions", "--form", "handout", "-o", path, "--language", "fr"}).status, 2);
    }

    void aTranslationBesideTheFileIsTaken() {
        const QString path = folder_.filePath("own.json"), pdf = folder_.filePath("own.pdf");
        const QByteArray lesson =
            "{\"title\": \"Mine\", \"graph\": \"#[version = \\\"0.0.5\\\"]\\ndef @main(%x: Tensor[(2), float32]) "
            "{ exp(%x) }\", \"pages\": [{\"text\": \"t\"}]}";
        QVERIFY(write_file(path.toStdString(), lesson.toStdString()));
        QVERIFY(write_file(folder_.filePath("own.de.json").toStdString(), "{\"title\": \"Meine\"}"));
        for (const auto& [language, title] :
             {std::pair("en", "Mine"), std::pair("de", "Meine"), std::pair("zh", "Mine")}) {
            const CliRun made = run_cli({"export", "--form", "handout", path, "--language", language, "-o", pdf});
            QVERIFY2(made.status == 0, made.errors.constData());
            QFile file(pdf);
            QVERIFY(file.open(QIODevice::ReadOnly));
            QVERIFY2(file.readAll().contains(QByteArray("/Title (") + title + ")"), language);
        }
    }

    void aFaultyLessonIsRefusedWithAllItsFaults() {
        const QString path = folder_.filePath("mine.json");
        QVERIFY(write_file(path.toStdString(), "{\"title\": 3,\n \"pages\": []}"));
        const CliRun checked = run_cli({"lessons", "check", path});
        QCOMPARE(checked.status, 1);
        QVERIFY2(checked.errors.contains("mine.json:1:11: error: \"title\" can't be a number"),
                 checked.errors.constData());
        QVERIFY2(checked.errors.contains("\"graph\" is missing here"), checked.errors.constData());
        QVERIFY2(checked.errors.contains("at least one of \"pages\""), checked.errors.constData());
    }

    void whatIsSaidAboutTimesIsMeasuredOnRequest() {
        QByteArray lesson = run_cli({"lessons", "show", "14-boundaries"}).output;
        QVERIFY(lesson.contains("\"times\": 1.3,"));
        lesson.replace("\"times\": 1.3,", "\"times\": 1e6,");
        const QString path = folder_.filePath("boast.json");
        QVERIFY(write_file(path.toStdString(), lesson.toStdString()));
        const CliRun believed = run_cli({"lessons", "check", path});
        QVERIFY2(believed.status == 0, believed.errors.constData());
        const CliRun measured = run_cli({"lessons", "check", path, "--measure"});
        QCOMPARE(measured.status, 1);
        QVERIFY2(measured.errors.contains("times as fast; measured are"), measured.errors.constData());
    }

    void aClassOfThreeIsGradedAsATableAndAsCsv() {
        std::string_view text;
        for (const EmbeddedText& embedded : embedded_lessons())
            if (embedded.name == "2-diamond") text = embedded.text;
        const Lesson lesson = *read_lesson(text, "l").lesson;
        const auto graph = *LessonGraph::of(lesson);
        QStringList files;
        for (const char* who : {"Ada", "=1", "Cleo"}) {
            AnswerFile file;
            file.of = checksum_of(lesson);
            file.who = who;
            const bool wrong = *who == '=';
            for (int page : pages_with_questions(lesson)) {
                const LessonQuestion& question = *lesson.pages[size_t(page) - 1].question;
                put_answer(file, {page, wrong ? question.hints[0].answer : solution_of(*graph, question),
                                  *who == 'C' ? 2 : 1, 30});
            }
            std::string content = format_answers(file);
            if (*who == 'C') content.replace(content.find("\"attempts\": 2"), 13, "\"attempts\": 1");
            files << folder_.filePath(QString("%1.json").arg(files.size()));
            QVERIFY(write_file(files.back().toStdString(), content));
        }
        const CliRun table = run_cli(QStringList{"grade", "2-diamond"} + files);
        QCOMPARE(table.status, 0);
        QVERIFY2(table.output.contains("changed after saving"), table.output.constData());
        QCOMPARE(table.output.count("wrong"), 2);
        // Numbers stand under the end of their heads, those of one digit, too.
        const QList<QByteArray> lines = table.output.split('\n');
        for (const char* head : {"points", " of", "minutes"}) {
            const qsizetype end = lines[0].indexOf(head) + qsizetype(std::strlen(head));
            for (qsizetype line = 0; line + 1 < lines.size(); ++line)
                QVERIFY2(lines[line].size() >= end && lines[line][end - 1] != ' ', table.output.constData());
        }
        const CliRun csv = run_cli(QStringList{"grade", "2-diamond", "--csv"} + files);
        QVERIFY2(csv.output.contains("\"0.json\",\"Ada\",\"right\",\"right\",\"4\",\"4\",\"1.0\",\"\""),
                 csv.output.constData());
        QVERIFY2(csv.output.contains("\"'=1\""), csv.output.constData());  // no formula
        QVERIFY(write_file(files[0].toStdString(), "{\"partita_answers\": 1,\n \"lesson\": 3}"));
        const CliRun refused = run_cli(QStringList{"grade", "2-diamond"} + files);
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.errors.contains("0.json:2:12: error: \"lesson\" can't be a number"),
                 refused.errors.constData());
        QVERIFY(refused.output.contains("Cleo"));
    }

    /// Answers to lessons as they are right, and those to one page as they are wrong.
    AnswerFile answered(std::string_view name, bool wrong) {
        std::string_view text;
        for (const EmbeddedText& embedded : embedded_lessons())
            if (embedded.name == name) text = embedded.text;
        const Lesson lesson = *read_lesson(text, "l").lesson;
        const auto graph = *LessonGraph::of(lesson);
        AnswerFile file;
        file.lesson = lesson.title;
        file.of = checksum_of(lesson);
        for (int page : pages_with_questions(lesson)) {
            const LessonQuestion& question = *lesson.pages[size_t(page) - 1].question;
            GivenAnswer given{page, solution_of(*graph, question), 1, 30, true, {}};
            if (wrong) given.wrong.push_back(question.hints[0].answer);
            if (wrong) given.attempts = 2;
            put_answer(file, std::move(given));
        }
        return file;
    }

    void aClassIsGradedFromAFolderOfCourseFilesByStudentAndByQuestion() {
        QVERIFY(QDir(folder_.path()).mkdir("class"));
        const auto hand_in = [&](const QString& name, const std::string& content) {
            return bool(write_file(folder_.filePath("class/" + name).toStdString(), content));
        };
        for (const char* who : {"Ada", "Ben", "Cleo"}) {
            CourseFile course;
            course.who = who;
            course.most_points = 90;
            course.lessons = {answered("1-regions", *who != 'A'), answered("2-diamond", false)};
            std::string content = format_course(course);
            if (*who == 'C') content.replace(content.find("\"attempts\": 2"), 13, "\"attempts\": 1");
            QVERIFY(hand_in(QString::fromLatin1(who).toLower() + ".json", content));
        }
        for (const char* lesson : {"1-regions", "4-outputs"}) {  // as they were saved before there was one file
            AnswerFile file = answered(lesson, false);
            file.who = "Dan";
            QVERIFY(hand_in(QString("dan-%1.json").arg(lesson), format_answers(file)));
        }
        AnswerFile foreign = answered("1-regions", false);
        foreign.of = "of another text";
        foreign.who = "Eve";
        QVERIFY(hand_in("eve.json", format_answers(foreign)));
        const QString folder = folder_.filePath("class");
        const CliRun table = run_cli({"grade", folder});
        QVERIFY2(table.status == 0, table.errors.constData());
        const auto line_of = [](const QByteArray& output, const char* what) {
            for (const QByteArray& line : output.split('\n'))
                if (line.simplified().contains(what)) return line.simplified();
            return QByteArray();
        };
        const QByteArray all = table.output;
        QVERIFY2(line_of(all, "ada.json").contains("ada.json Ada 4 4 -"), all.constData());
        QVERIFY2(line_of(all, "ben.json").contains("ben.json Ben 2 4 -"), all.constData());
        QVERIFY2(line_of(all, "Cleo").endsWith("changed after saving"), all.constData());
        QVERIFY2(line_of(all, "Dan").contains("Dan 4 - - 4"), all.constData());  // both files are one line
        QVERIFY2(line_of(all, "Eve").endsWith("1 lesson of another course"), all.constData());
        // The questions that most got wrong come first, with their wrong answers; what nobody got wrong is left out.
        QVERIFY2(all.contains("typical wrong answers"), all.constData());
        const QByteArray first = line_of(all, "1-regions 3 ");
        QVERIFY2(first.startsWith("1-regions 3 Predict 3 1 0 1"), first.constData());
        QVERIFY2(first.endsWith("2 x multiply #1, add #2, subtract #3"), all.constData());
        QVERIFY2(!all.contains("2-diamond"), all.constData());
        const QByteArray csv = run_cli({"grade", folder, "--csv"}).output;
        QVERIFY2(csv.startsWith("\"file\",\"name\",\"1\",\"2\"") && !csv.contains("typical"), csv.constData());
        const QByteArray questions = run_cli({"grade", folder, "--csv", "--by", "questions"}).output;
        QVERIFY2(questions.startsWith("\"lesson\",\"page\",\"question\"") && questions.contains("\"2-diamond\""),
                 questions.constData());
        // One lesson of course files, page by page; and a chapter.
        const CliRun one = run_cli({"grade", "2-diamond", folder + "/ada.json", "--csv"});
        QVERIFY2(one.output.contains("\"ada.json\",\"Ada\",\"right\",\"right\",\"4\",\"4\""), one.output.constData());
        const CliRun chapter = run_cli({"grade", "What it costs", folder, "--csv"});
        QVERIFY2(chapter.output.contains("\"ada.json\",\"Ada\",\"-\""), chapter.output.constData());
        QCOMPARE(run_cli({"grade", "course"}).status, 2);
        QVERIFY(QDir(folder_.path()).mkdir("empty"));
        QCOMPARE(run_cli({"grade", folder_.filePath("empty")}).status, 1);
    }

    void aPredictionOfAGraphIsGraded() {
        const QString graph = QStringLiteral(PARTITA_SOURCE_DIR "/samples/diamond.relay");
        const ModulePtr module = open_text(*read_file(graph.toStdString()), "diamond")->module;
        const std::vector<BackendPtr> backends{std::make_shared<BackendDescription>(*builtin_backend("ccompiler"))};
        const Lesson asked = lesson_of_graph(*module, "diamond", backends);
        const auto divided = *LessonGraph::of(module, backends);
        AnswerFile file;
        file.of = checksum_of(asked);
        file.who = "Ada";
        put_answer(file, {1, solution_of(*divided, *asked.pages[0].question), 1, 60});
        const QString path = folder_.filePath("ada.json");
        QVERIFY(write_file(path.toStdString(), format_answers(file)));
        const CliRun graded = run_cli({"grade", graph, path, "--backends", "ccompiler", "--csv"});
        QVERIFY2(graded.output.contains("\"ada.json\",\"Ada\",\"right\",\"2\",\"2\",\"1.0\",\"\""),
                 (graded.output + graded.errors).constData());
        // Other backends divide it otherwise: that is another question.
        const CliRun other = run_cli({"grade", graph, path, "--backends", "dnnl"});
        QVERIFY2(other.output.contains("of another lesson"), other.output.constData());
    }

private:
    QTemporaryDir folder_;
};

PARTITA_TEST(TestCliLessons)

}  // namespace test_cli_lessons

#include "test_cli_lessons.moc"
