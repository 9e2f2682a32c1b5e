// Lessons, by real events.
#include "window_fixture.h"

#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPushButton>
#include <QRadioButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QStatusBar>
#include <QTextBrowser>
#include <QTextTable>
#include <QTreeView>

#include <set>

#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lesson_end.h"
#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/panels/lessons/lesson_page.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/page_text.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/lessons/question_view.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "engine/lessons/grade.h"
#include "engine/lessons/graph_lesson.h"
#include "tests/app/own_home.h"
#include "tests/registry.h"

namespace test_lessons {

using namespace partita;

class TestLessons : public QObject {
    Q_OBJECT

private slots:
    void init() {
        use_own_empty_home(testing::name_of_test());
        fixture_ = std::make_unique<WindowFixture>();
    }
    void cleanup() { fixture_.reset(); }

    void aLessonSpeaksTheLanguageOfThePersonWhereSomebodyWroteThat() {
        const QString path = QStringLiteral(":/lessons/1-regions.json");
        const auto in = [&](const char* locale) {
            const QLocale before;
            QLocale::setDefault(QLocale(QString::fromLatin1(locale)));
            const CheckedLesson lesson = open_lesson(path);
            QLocale::setDefault(before);
            return *lesson.lesson;
        };
        const Lesson english = in("en_US"), chinese = in("zh_CN"), untranslated = in("fr_FR");
        Lesson german = in("de_AT");
        QCOMPARE(english.title, std::string("1. What a region is"));
        QCOMPARE(german.title, std::string("1. Was eine Region ist"));
        QVERIFY(QString::fromStdString(chinese.title).contains(QStringLiteral("区域")));
        QCOMPARE(untranslated.title, english.title);
        QCOMPARE(german.graph, english.graph);
        QCOMPARE(checksum_of(german), checksum_of(english));
        QCOMPARE(german.pages.size(), english.pages.size());
        QVERIFY(german.pages[2].question && german.pages[2].question->calls == english.pages[2].question->calls);
        QVERIFY(german.pages[2].question->right != english.pages[2].question->right);
        // What a translation lacks, or gets wrong, stays as it was.
        const std::string title = german.title;
        for (const char* text :
             {"", "[1", "[]", R"({"title": 3, "pages": [1, {"text": []}, {}, {}, {}, {}, {}, {"text": "more"}]})"})
            translate_lesson(german, text);
        QCOMPARE(german.title, title);
        // Each lesson and translation of the sources is in the program itself; so is the help.
        for (const QFileInfo& file :
             QDir(QStringLiteral(PARTITA_SOURCE_DIR "/resources/lessons")).entryInfoList({QStringLiteral("*.json")}))
            QVERIFY2(QFile::exists(QStringLiteral(":/lessons/") + file.fileName()), qPrintable(file.fileName()));
        for (const char* help : {"en", "de", "zh"})
            QVERIFY(QFile::exists(QStringLiteral(":/help/%1.md").arg(QLatin1String(help))));
        // They are no lessons of their own.
        for (const QString& lesson : find_lessons())
            QVERIFY2(!QFileInfo(lesson).completeBaseName().contains(QLatin1Char('.')), qPrintable(lesson));
    }

    void eachLessonIsTranslatedWhole() {
        const auto in = [](const char* locale, const QString& file) {
            const QLocale before;
            QLocale::setDefault(QLocale(QString::fromLatin1(locale)));
            const CheckedLesson lesson = open_lesson(file);
            QLocale::setDefault(before);
            return *lesson.lesson;
        };
        for (const QString& file : find_lessons()) {
            const Lesson english = in("en_US", file);
            for (const char* language : {"de_DE", "zh_CN"}) {
                const Lesson lesson = in(language, file);
                QVERIFY2(lesson.title != english.title && lesson.line != english.line, qPrintable(file));
                QVERIFY2(lesson.chapter != english.chapter, qPrintable(file));
                for (size_t page = 0; page < english.pages.size(); ++page) {
                    QVERIFY2(lesson.pages[page].text != english.pages[page].text, qPrintable(file));
                    const auto &asked = english.pages[page].question, &other = lesson.pages[page].question;
                    if (!asked || english.pages[page].predict()) continue;
                    QVERIFY2(other->right != asked->right && other->wrong != asked->wrong, qPrintable(file));
                    for (size_t i = 0; i < asked->hints.size(); ++i)
                        QVERIFY2(other->hints[i].text != asked->hints[i].text, qPrintable(file));
                    for (size_t i = 0; i < asked->choices.size(); ++i)
                        QVERIFY2(other->choices[i] != asked->choices[i], qPrintable(file));
                }
            }
        }
    }

    void theLastPageOfALessonLeadsToTheNext() {
        LessonsPanel& lessons = fixture_->window->panels().lessons();
        lessons.start(0);
        QVERIFY(fixture_->settle());
        for (int page = 1; page < lessons.pageCount(); ++page) lessons.next();
        QVERIFY(fixture_->settle());
        QPushButton* next = nullptr;
        for (QPushButton* button : lessons.findChildren<QPushButton*>())
            if (button->text() == QLatin1String("Next lesson")) next = button;
        QVERIFY(next && next->isEnabled());
        next->click();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().title(), lessons.list()[1].title);
        QCOMPARE(lessons.currentPage(), 0);
        QCOMPARE(next->text(), QStringLiteral("Next"));
        lessons.start(lessons.list().count() - 1);
        QVERIFY(fixture_->settle());
        for (int page = 1; page < lessons.pageCount(); ++page) lessons.next();
        QVERIFY(!next->isEnabled());
        lessons.next();
        QCOMPARE(lessons.currentPage(), lessons.pageCount() - 1);
    }

    void aLessonThatIsLeftWhileItsGraphIsReadIsLeft() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        lessons.start(0);
        window.opening().openFile(fixture_->file("one-divide.relay", kOneDivide));
        QVERIFY(fixture_->settle());
        QCOMPARE(window.document().title(), QStringLiteral("one-divide.relay"));
        QCOMPARE(lessons.pageCount(), 0);
        // A question is asked of the open graph while the next one is read.
        lessons.start(1);
        lessons.next();
        window.action("predict")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(window.document().title(), lessons.list()[1].title);
        QCOMPARE(lessons.pageCount(), 0);
    }

    void aLessonOpensItsGraphAsksAndCompares() {
        MainWindow& window = *fixture_->window;
        QTest::keyClick(&window, Qt::Key_F2);
        LessonsPanel& lessons = window.panels().lessons();
        QVERIFY(lessons.list().count() >= 14);
        for (int lesson = 0; lesson < lessons.list().count(); ++lesson) {
            lessons.start(lesson);
            QVERIFY(fixture_->settle());
            QVERIFY2(fixture_->takeMessage().isEmpty(), qPrintable(QString::number(lesson)));
            for (int page = 1; page < lessons.pageCount(); ++page) {
                lessons.next();
                QVERIFY(fixture_->settle());
                QVERIFY2(window.document().problems().empty(), qPrintable(QString::number(lesson)));
            }
        }
        lessons.start(0);
        QVERIFY(fixture_->settle());
        lessons.next();
        lessons.next();
        QVERIFY(fixture_->settle());
        auto* selected = lessons.findChild<QLabel*>(QStringLiteral("lesson-selection"));
        QVERIFY(selected && selected->isVisible() && selected->text().contains("Nothing is selected"));
        fixture_->click(fixture_->nodeOf("subtract"));
        QCOMPARE(selected->text(), QStringLiteral("Selected: subtract #3."));
        // The first wrong answer gets a hint, the second one is told what is missing.
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Missing: 1, too many: 0."), qPrintable(lessons.answerText()));
        QVERIFY2(!lessons.answerText().contains("[add"), qPrintable(lessons.answerText()));
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Missing: [add"), qPrintable(lessons.answerText()));
        fixture_->picture("17-lesson");
        // Which of several is meant is seen by its link.
        auto* answer = lessons.findChild<QLabel*>(QStringLiteral("lesson-answer"));
        QVERIFY(answer);
        QSignalSpy followed(answer, &QLabel::linkActivated);
        const QString missing =
            QStringLiteral("node:%1").arg(fixture_->view().model()->nodes[size_t(fixture_->nodeOf("add"))].expr.value);
        QVERIFY2(answer->text().contains(missing), qPrintable(answer->text()));
        QCOMPARE(answer->textFormat(), Qt::MarkdownText);  // else its links would be brackets
        emit answer->linkActivated(missing);
        QCOMPARE(selected->text(), QStringLiteral("Selected: add #2."));
        fixture_->click(fixture_->nodeOf("subtract"));
        fixture_->click(fixture_->nodeOf("add"), Qt::ControlModifier);
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Right"), qPrintable(lessons.answerText()));
        // Each page begins with the hint.
        lessons.back();
        lessons.next();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("subtract"));
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Missing: 1, too many: 0."), qPrintable(lessons.answerText()));
    }

    void theRulesOfALessonHaveNoFileToBeWrittenOver() {
        for (const QString& path : find_lessons()) {
            const CheckedLesson lesson = open_lesson(path);
            QVERIFY(lesson.lesson);
            for (const BackendPtr& backend : lesson.lesson->backends) {
                QVERIFY2(backend->file.empty(), backend->file.c_str());
                QVERIFY2(backend->source.find('\n') != std::string::npos, backend->source.c_str());  // to be read
            }
        }
        const CheckedLesson broken = read_lesson(
            R"({"title": "a", "graph": "b", "backends": [{"name": 3}], "pages": [{"text": ""}]})", "mine.json");
        QVERIFY(!broken.lesson);
        QCOMPARE(broken.faults.front().file, std::string("mine.json"));
    }

    void noCommandShowsTheAnswerOfAnOpenQuestion() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        lessons.start(1);
        QVERIFY(fixture_->settle());
        QVERIFY(window.action("merge")->isEnabled());
        lessons.next();
        QVERIFY(fixture_->settle());
        for (const char* name : {"annotate", "merge", "partition", "next-pass", "whole-flow", "run", "predict"})
            QVERIFY2(!window.action(name)->isEnabled(), name);
        QTest::keyClick(&window, Qt::Key_F9);
        QVERIFY(fixture_->settle());
        QVERIFY(!window.document().choice().merge);
        QVERIFY2(window.action("merge")->toolTip().contains("answer its question first"),
                 qPrintable(window.action("merge")->toolTip()));
        const ExpressionNames& names = window.document().names();
        window.document().setSelection({names.numbered(1), names.numbered(3)});
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Right"), qPrintable(lessons.answerText()));
        QVERIFY(window.action("merge")->isEnabled());
    }

    void noPlaceTellsTheNumberThatIsAskedFor() {
        MainWindow& window = *fixture_->window;
        window.panels().lessons().start(13);
        QVERIFY(fixture_->settle());
        const auto told = [&] {
            QString all = window.panels().inspector().text().toPlainText();
            for (const QLabel* label : window.statusBar()->findChildren<QLabel*>()) all += label->text();
            return all;
        };
        QVERIFY2(!told().contains("egions"), qPrintable(told()));  // nothing is divided yet
        window.panels().lessons().next();
        QVERIFY(fixture_->settle());
        QVERIFY2(!told().contains("egions"), qPrintable(told()));
        QCOMPARE(window.panels().outline().tree().model()->rowCount(), 1);
        LessonAnswer five;
        five.number = 5;
        window.panels().lessons().questionView().give(five);
        window.panels().lessons().check();
        window.panels().lessons().next();
        QVERIFY(fixture_->settle());
        QVERIFY2(told().contains("egions"), qPrintable(told()));
    }

    void eachKindOfQuestionIsAnsweredWrongAndRightInThePanel() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        const QStringList files = find_lessons();
        std::set<QuestionKind> kinds;
        for (int number = 0; number < lessons.list().count(); ++number) {
            const Lesson lesson = *open_lesson(files[number]).lesson;
            const auto graph = *LessonGraph::of(lesson);
            lessons.start(number);
            QVERIFY(fixture_->settle());
            for (int page = 0; page < lessons.pageCount(); ++page) {
                if (page > 0) lessons.next();
                QVERIFY(fixture_->settle());
                const auto& asked = lesson.pages[size_t(page)].question;
                if (!asked || asked->kind == QuestionKind::Regions) continue;
                kinds.insert(asked->kind);
                const auto answered = [&](const LessonAnswer& answer) {
                    std::vector<ExprId> selected;
                    for (uint32_t call : answer.calls) selected.push_back(window.document().names().numbered(call));
                    if (!selected.empty()) window.document().setSelection(selected);
                    lessons.questionView().give(answer);
                    if (asked->kind == QuestionKind::Faster) {
                        for (const auto& [call, backend] : answer.backends)
                            window.document().giveToBackend({window.document().names().numbered(call)},
                                                            window.document().choice().backend_index(backend));
                        if (!answer.rules.empty())
                            window.document().setBackendsOfThis(*with_rules(lesson.backends, answer.rules), "rules");
                        if (!answer.order.empty()) {
                            FlowChoice choice = window.document().choice();
                            std::reverse(choice.backends.begin(), choice.backends.end());
                            window.document().changeChoice(std::move(choice), "turn round");
                        }
                    }
                    (void)fixture_->settle();
                    lessons.check();
                    return lessons.answerText();
                };
                if (asked->kind != QuestionKind::Faster) {
                    const QString text = answered(asked->hints[0].answer);
                    QVERIFY2(text.contains(QString::fromStdString(asked->hints[0].text)), qPrintable(text));
                }
                const auto divided = *LessonGraph::of(graph, lesson.pages[size_t(page)]);
                const QString right = answered(solution_of(*divided, *asked));
                QVERIFY2(right.contains("Right."), qPrintable(right + files[number]));
            }
            // Regions are not marked here.
            const bool asks_regions = std::any_of(lesson.pages.begin(), lesson.pages.end(), [](const LessonPage& page) {
                return page.question && page.question->kind == QuestionKind::Regions;
            });
            QVERIFY2(lessons.list()[number].done || asks_regions, qPrintable(files[number]));
        }
        QCOMPARE(kinds.size(), question_kinds().size() - 1);
    }

    void answersAreKeptScoredSavedAndForgotten() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        lessons.start(3);
        QVERIFY(fixture_->settle());
        lessons.next();
        LessonAnswer two;
        two.number = 1;
        lessons.questionView().give(two);
        lessons.check();
        lessons.start(3);  // tries are counted on
        QVERIFY(fixture_->settle());
        lessons.next();
        two.number = 2;
        lessons.questionView().give(two);
        lessons.check();
        lessons.next();
        lessons.questionView().give(two);
        lessons.check();
        QVERIFY(lessons.list()[3].done);
        lessons.next();
        auto* score = lessons.findChild<QLabel*>("lesson-score");
        QVERIFY2(score->isVisibleTo(&lessons) && score->text().startsWith("2 of 2 questions right, 3 of 4 points"),
                 qPrintable(score->text()));
        const QString path = fixture_->file("answers.json", "");
        QVERIFY(lessons.saveAnswersTo(path, "Ada"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Result<CourseFile> saved = parse_course(file.readAll().toStdString(), "answers.json");
        QVERIFY(saved && saved->unchanged && saved->who == "Ada" && saved->lessons.size() == 1);
        QVERIFY(!saved->made.empty());
        const std::vector<GivenAnswer>& answers = saved->lessons[0].answers;
        QCOMPARE(answers.size(), size_t(2));
        QCOMPARE(answers[0].attempts, 2);
        QCOMPARE(answers[0].wrong.size(), size_t(1));
        QCOMPARE(answers[0].wrong[0].number, int64_t(1));
        QVERIFY(answers[1].wrong.empty());
        lessons.start(3);
        QVERIFY(fixture_->settle());
        lessons.next();
        QVERIFY2(lessons.answerText().contains("Right"), qPrintable(lessons.answerText()));
        lessons.startAgain();
        QVERIFY(fixture_->settle());
        QVERIFY(!lessons.list()[3].done);
        lessons.next();
        QVERIFY(lessons.answerText().isEmpty());
    }

    void aLessonOfOnesOwnIsReadWhenItIsSavedAndItsFaultsStay() {
        QDir().mkpath(own_lessons_folder());
        LessonsPanel& lessons = fixture_->window->panels().lessons();
        const int before = lessons.list().count();
        QFile own(own_lessons_folder() + "/99-own.json");
        const auto save = [&](const QByteArray& text) {
            QVERIFY(own.open(QIODevice::WriteOnly));
            own.write(text);
            own.close();
        };
        lessons.reload();  // the folder is watched from now on
        save("{\"title\": \"Mine\", \"pages\": 3}");
        QTRY_VERIFY(lessons.choiceText().contains("99-own.json:1:28"));
        QCOMPARE(lessons.list().count(), before);
        save("{\"title\": \"Mine\", \"graph\": \"x\", \"pages\": [{\"text\": \"t\"}]}");
        QTRY_COMPARE(lessons.list().lessons().back().title, QStringLiteral("Mine"));
        QVERIFY(!lessons.choiceText().contains("99-own.json"));
        own.remove();
        QTRY_COMPARE(lessons.list().count(), before);
    }

    void tablesHaveOneLineBetweenTheirCells() {
        QTextBrowser browser;
        show_markdown(browser, QStringLiteral("| a | b |\n| --- | --- |\n| 1 | 2 |\n"));
        const QList<QTextFrame*> frames = browser.document()->rootFrame()->childFrames();
        QCOMPARE(frames.size(), 1);
        const auto* table = qobject_cast<QTextTable*>(frames[0]);
        QVERIFY(table && table->format().borderCollapse() && table->format().border() == 1);
    }

    void theTextOfAChoiceChoosesItAndEnterChecks() {
        LessonsPanel& lessons = fixture_->window->panels().lessons();
        fixture_->window->panels().show(&lessons);
        lessons.start(2);
        QVERIFY(fixture_->settle());
        lessons.next();
        lessons.next();
        QVERIFY(fixture_->settle());
        const auto choices = lessons.questionView().findChildren<QRadioButton*>();
        QCOMPARE(choices.size(), 3);
        for (QLabel* text : lessons.questionView().findChildren<QLabel*>())
            if (text->buddy() == choices[1]) QTest::mouseClick(text, Qt::LeftButton);
        QVERIFY(choices[1]->isChecked());
        QTest::keyClick(choices[1], Qt::Key_Return);
        QVERIFY2(lessons.answerText().contains("Right"), qPrintable(lessons.answerText()));
        lessons.start(3);
        QVERIFY(fixture_->settle());
        lessons.next();
        auto* number = lessons.findChild<QSpinBox*>("lesson-number");
        number->setValue(2);
        QTest::keyClick(number, Qt::Key_Enter);
        QVERIFY2(lessons.answerText().contains("Right"), qPrintable(lessons.answerText()));
    }

    /// What the text says of the rule is what the graph shows, and the page before has the old one.
    void aRuleThatIsRightDividesTheGraphFromThenOn() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        lessons.start(8);
        QVERIFY(fixture_->settle());
        const auto taken = [this] {
            QStringList backends;
            for (int i = 0; i < 3; ++i) backends << fixture_->backendOf(fixture_->nodeOf("nn.conv2d", i));
            return backends.join(' ');
        };
        QCOMPARE(taken(), QStringLiteral("engine engine default"));
        lessons.next();
        QVERIFY(fixture_->settle());
        LessonAnswer rule;
        rule.text = "attrs.kernel_size[0] == 3";
        lessons.questionView().give(rule);
        lessons.check();
        QVERIFY(fixture_->settle());
        QCOMPARE(taken(), QStringLiteral("default engine engine"));
        lessons.next();
        QVERIFY(fixture_->settle());
        QCOMPARE(taken(), QStringLiteral("default engine engine"));
        lessons.back();
        lessons.back();
        QVERIFY(fixture_->settle());
        QCOMPARE(taken(), QStringLiteral("engine engine default"));
    }

    void aCapstoneIsJudgedByWhatItReachesAndComparedWithTheBestKnown() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        const auto begin = [&](const char* file, int page) {
            lessons.start(lessons.list().indexOf(QStringLiteral(PARTITA_SOURCE_DIR "/resources/lessons/") + file));
            (void)fixture_->settle();
            for (int i = 0; i < page; ++i) lessons.next();
            (void)fixture_->settle();
        };
        const auto to_default = [&](std::initializer_list<uint32_t> calls) {
            std::vector<ExprId> given;
            for (uint32_t call : calls) given.push_back(window.document().names().numbered(call));
            window.document().giveToBackend(given, -1);
            (void)fixture_->settle();
        };
        QTest::keyClick(&window, Qt::Key_F2);
        begin("21-mobilenet.json", 2);
        to_default({129});
        lessons.check();
        QVERIFY2(lessons.answerText().contains("✗ 4.80 MB of weights in the largest region; at most 2.50 MB"),
                 qPrintable(lessons.answerText()));
        QVERIFY(lessons.answerText().contains("✓ 2 regions; at most 6"));
        fixture_->picture("17e-capstone-wrong");
        to_default({131});
        lessons.check();  // no hint of its own: the second level
        QVERIFY2(lessons.answerText().contains("Try `add #112`"), qPrintable(lessons.answerText()));
        lessons.next();
        QVERIFY2(lessons.pageText().contains("**yours**  \n—"), qPrintable(lessons.pageText()));
        lessons.back();
        (void)fixture_->settle();
        to_default({112, 138, 146});
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Well cut"), qPrintable(lessons.answerText()));
        lessons.next();
        QVERIFY(fixture_->settle());
        QVERIFY2(lessons.pageText().contains("**yours**  \nregions 6 · "), qPrintable(lessons.pageText()));
        QVERIFY2(lessons.pageText().contains("**best known**  \nregions 5 · "), qPrintable(lessons.pageText()));
        fixture_->picture("17f-capstone-compared");
        begin("22-bert.json", 2);
        LessonAnswer answer;
        answer.rules["npu"] = {{"add", "true"}, {"mean", "attrs.axis == [-1]"}};
        const Lesson bert = *open_lesson(lessons.lessonFile()).lesson;
        window.document().setBackendsOfThis(*with_rules(bert.backends, answer.rules), "rules");
        QVERIFY(fixture_->settle());
        lessons.check();
        QVERIFY2(
            lessons.answerText().contains("Right here, but on an addition whose first operand is the smaller one it "
                                          "takes too much."),
            qPrintable(lessons.answerText()));
        fixture_->picture("17g-capstone-elsewhere");
    }

    void theScriptOfALessonIsWrittenForTheLearnerAndAsksBeforeItRuns() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        lessons.start(
            lessons.list().indexOf(QStringLiteral(PARTITA_SOURCE_DIR "/resources/lessons/23-annotator.json")));
        QVERIFY(fixture_->settle());
        QVERIFY(window.document().choice().backends.empty());  // they would say the answer
        auto* text = lessons.findChild<PageText*>();
        emit text->anchorClicked(QUrl("script:"));
        QVERIFY(fixture_->settle());
        QCOMPARE(window.document().choice().backends.size(), size_t(1));
        const BackendPtr backend = window.document().choice().backends[0];
        QVERIFY2(backend->file.ends_with("npu_rules.py"), backend->file.c_str());
        QVERIFY(!backend->running);
        fixture_->picture("17h-capstone-script");
    }

    void thePanelOfAKeyGetsTheKeyboardAndTheGraphGetsItBack() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        fixture_->view().setFocus();
        for (int i = 0; i < 2; ++i) {  // opened, and open already
            QTest::keyClick(&window, Qt::Key_F2);
            QVERIFY(QApplication::focusWidget() && window.panels().lessons().isAncestorOf(QApplication::focusWidget()));
            QVERIFY(QApplication::focusWidget()->findChild<QWidget*>("focus-ring"));
            QTest::keyClick(&window, Qt::Key_J, Qt::ControlModifier);
            QCOMPARE(QApplication::focusWidget(), &fixture_->view());
        }
        // Esc ends the steps.
        QTest::keyClick(&window, Qt::Key_F9);
        QVERIFY(fixture_->settle());
        QTest::keyClick(&window, Qt::Key_F11);
        QVERIFY(window.pages().showsStep());
        fixture_->view().clearSelection();
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(!window.pages().showsStep());
    }

    void aDoubleClickOnTheBoxOfARegionOpensItsFunction() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        GraphView& view = fixture_->view();
        const QRectF box = view.geometry().clusters[0];
        QPoint inside = view.toWidget(box.topLeft() + QPointF(4, 4)).toPoint();
        QCOMPARE(view.nodeAt(inside), int64_t(-1));
        QTest::mouseDClick(&view, Qt::LeftButton, Qt::NoModifier, inside);
        QVERIFY(fixture_->settle());
        QVERIFY2(window.currentPage()->target().title().contains("tvmgen_default_ccompiler_main_"),
                 qPrintable(window.currentPage()->target().title()));
    }

    void theCourseIsOneFileWithItsScoreAndTheNameAskedOnce() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        enum { kOutputs = 3, kDiamond = 1 };
        QTest::keyClick(&window, Qt::Key_F2);
        auto* score = lessons.findChild<QLabel*>("lesson-score");
        QVERIFY(!score->isVisibleTo(&lessons));  // before the first answer there is none
        LessonAnswer two;
        two.number = 2;
        lessons.start(kOutputs);
        QVERIFY(fixture_->settle());
        lessons.next();
        lessons.questionView().give(two);
        lessons.check();
        lessons.start(kDiamond);
        QVERIFY(fixture_->settle());
        lessons.next();
        const ExpressionNames& names = window.document().names();
        window.document().setSelection({names.numbered(1), names.numbered(3)});
        lessons.check();
        QVERIFY(fixture_->openOneDivide());  // out of the lesson: the chooser, with the course's score below
        QVERIFY2(score->isVisibleTo(&lessons) && score->text().startsWith("The course: 4 of "),
                 qPrintable(score->text()));
        auto* name = lessons.findChild<QLineEdit*>("learner-name");
        auto* save = lessons.findChild<QPushButton*>("save-answers");
        QVERIFY(name->text().isEmpty());
        save->click();  // no dialog before there is a name
        QCOMPARE(name->placeholderText(), QStringLiteral("Write your name first"));
        name->setText("Ada");
        fixture_->picture("17d-course-score");
        const QString path = fixture_->file("course.json", "");
        QVERIFY(lessons.saveAnswersTo(path, name->text()));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Result<CourseFile> saved = parse_course(file.readAll().toStdString(), "course.json");
        QVERIFY(saved && saved->unchanged);
        QCOMPARE(saved->lessons.size(), size_t(2));
        QCOMPARE(saved->points, 4);
        QVERIFY(saved->most_points > 4);
        const LessonEnd other;  // of the next lesson, or after the next start
        QCOMPARE(other.name(), QStringLiteral("Ada"));
    }

    void theOutlineGetsItsWidthBackAfterTheLessons() {
        const auto width = [this] { return fixture_->window->panels().outline().parentWidget()->width(); };
        const int before = width();
        QAction* lessons =
            qobject_cast<QDockWidget*>(fixture_->window->panels().lessons().parentWidget())->toggleViewAction();
        lessons->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->window->panels().lessons().width() > before);
        lessons->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(width(), before);
    }

    void aStepNamesItsRegionsOnTheCanvas() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/diamond.relay")));
        window.setBackends({"ccompiler"});
        QVERIFY(fixture_->settle());
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        while (!window.panels().steps().sentence().contains("must not be merged")) {
            const int before = window.panels().steps().currentRow();
            QTest::keyClick(&window, Qt::Key_F11);
            QVERIFY(fixture_->settle());
            QVERIFY(window.panels().steps().currentRow() > before);
        }
        const QRegularExpressionMatch numbers =
            QRegularExpression("egion of \\S+ (#\\d+) must not be merged into the region of \\S+ (#\\d+)")
                .match(window.panels().steps().sentence());
        QVERIFY2(numbers.hasMatch(), qPrintable(window.panels().steps().sentence()));
        const GraphDecoration& marked = *fixture_->view().decoration();
        const auto mark_of = [&](const char* op) {
            return marked.regions[size_t(marked.region[size_t(fixture_->nodeOf(op))])].mark;
        };
        QCOMPARE(mark_of("add"), numbers.captured(1));
        QCOMPARE(mark_of("multiply"), numbers.captured(1));
        QCOMPARE(mark_of("subtract"), numbers.captured(2));
        QVERIFY(std::count(marked.refused_edge.begin(), marked.refused_edge.end(), 1) > 0);
        fixture_->picture("step-regions");
    }

private:
    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestLessons)

}  // namespace test_lessons

#include "test_lessons.moc"
