// Writing a lesson in the window, by real events: from a graph to a lesson that a learner goes through.
#include "window_fixture.h"

#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTextBrowser>

#include "app/gui/panels/lessons/editor/hint_list.h"
#include "app/gui/panels/lessons/editor/lesson_editor.h"
#include "app/gui/panels/lessons/editor/question_editor.h"
#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/question_view.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "engine/lessons/check_lesson.h"
#include "engine/lessons/grade.h"
#include "engine/support/file.h"
#include "tests/app/own_home.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_lesson_editor {

using namespace partita;

class TestLessonEditor : public QObject {
    Q_OBJECT

private slots:
    void init() {
        use_own_empty_home(testing::name_of_test());
        fixture_ = std::make_unique<WindowFixture>();
    }
    void cleanup() { fixture_.reset(); }

    void aLessonIsWrittenTriedAndSavedWithoutATextEditor() {
        begin();
        QCOMPARE(pages().count(), 1);
        write("lesson-title", "Divides in the way");
        write("lesson-line", "What no backend takes separates regions.");
        writeText("## The graph\n\nThe **divides** run on default.");
        settle();
        fixture_->picture("lesson-editor-text");
        QVERIFY2(editor().findChild<QTextBrowser*>("lesson-preview")->toPlainText().contains("The divides run"), "");
        // The second page shows what the window shows when it is added.
        window().action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        press("lesson-add-page");
        writeText("## Which belong together?\n\nSelect the region of the subtract.");
        QVERIFY2(label("lesson-state").contains("annotated."), qPrintable(label("lesson-state")));
        chooseKind(QuestionKind::Select);
        QVERIFY2(label("question-solution").contains("not known"), qPrintable(label("question-solution")));
        QVERIFY(!button("lesson-try")->isEnabled() || !editor().draft().checked().faults.empty());
        fixture_->click(fixture_->nodeOf("subtract"));
        take("question-call");
        QVERIFY2(label("question-solution").contains("add #2, subtract #3"), qPrintable(label("question-solution")));
        typeInto("question-right", "Edges join them.");
        typeInto("question-wrong", "Follow the edges.");
        // A hint is for the answer that stands on the graph.
        fixture_->click(fixture_->nodeOf("subtract"));
        fixture_->click(fixture_->nodeOf("multiply"), Qt::ControlModifier);
        press("add-hint");
        auto* hint = editor().findChild<QLineEdit*>("hint-0");
        QVERIFY(hint);
        QTest::keyClicks(hint, "No edge joins these.");
        settle();
        // From a hint, made late, Tab goes on to what stands below it.
        for (int i = 0; i < 2; ++i) QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("question-right"));
        QVERIFY2(editor().draft().checked().faults.empty(), qPrintable(faults()));
        fixture_->picture("lesson-editor-question");
        // As a learner, wrong and right; then it is saved, and stands in the list.
        press("lesson-try");
        QVERIFY(fixture_->settle());
        LessonsPanel& lessons = window().panels().lessons();
        QVERIFY(lessons.isInLesson() && lessons.isVisible());
        lessons.next();
        QVERIFY(fixture_->settle());
        QVERIFY(window().document().choice().annotate);
        fixture_->click(fixture_->nodeOf("multiply"));
        fixture_->click(fixture_->nodeOf("subtract"), Qt::ControlModifier);
        lessons.check();
        QVERIFY2(lessons.answerText().contains("No edge joins these."), qPrintable(lessons.answerText()));
        fixture_->click(fixture_->nodeOf("add"));
        fixture_->click(fixture_->nodeOf("subtract"), Qt::ControlModifier);
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Right.") && lessons.answerText().contains("Edges join them."),
                 qPrintable(lessons.answerText()));
        window().panels().show(&editor());
        press("primary");
        QCOMPARE(editor().draft().path(), own_lessons_folder() + "/divides-in-the-way.json");
        QVERIFY(!editor().draft().isUnsaved());
        QVERIFY(placeOf(lessons, "Divides in the way") >= 0);
        const std::string text = *read_file(editor().draft().path().toStdString());
        QVERIFY(check_lesson(text, "f", false).empty());
        QCOMPARE(read_lesson(text, "f").lesson->pages[1].question->hints[0].answer.calls,
                 (std::vector<uint32_t>{1, 3}));
    }

    /// A lesson of four pages with two questions, two hints and a claim, by clicks and keys alone: ten minutes are
    /// enough at two seconds for a click and two letters a second.
    void aLessonIsWrittenInTenMinutes() {
        begin();
        int clicks = 1, letters = 0;
        const auto click_on = [&](QWidget* widget) {
            QVERIFY2(widget && widget->isVisible() && widget->isEnabled(),
                     widget ? qPrintable(widget->objectName()) : "");
            QTest::mouseClick(widget, Qt::LeftButton);
            ++clicks;
            settle();
        };
        const auto press_it = [&](const char* name) { click_on(button(name)); };
        const auto type = [&](const QString& text) {
            QWidget* field = QApplication::focusWidget();
            QVERIFY(field);
            for (const QString& line : text.split(QLatin1Char('\n'))) {
                if (line != text.section(QLatin1Char('\n'), 0, 0)) QTest::keyClick(field, Qt::Key_Return);
                QTest::keyClicks(field, line);
            }
            letters += int(text.size());
            settle();
        };
        const auto point = [&](const QStringList& operators) {
            for (const QString& name : operators) {
                fixture_->click(fixture_->nodeOf(name),
                                name == operators.front() ? Qt::NoModifier : Qt::ControlModifier);
                ++clicks;
            }
            settle();
        };
        const auto tab = [&](int index) {
            QTabBar* bar = editor().findChild<QTabWidget*>("lesson-tabs")->tabBar();
            QTest::mouseClick(bar, Qt::LeftButton, Qt::NoModifier, bar->tabRect(index).center());
            ++clicks;
            settle();
        };
        const auto kind = [&](QuestionKind wanted) {
            auto* choice = editor().findChild<QComboBox*>("question-kind");
            choice->setFocus();
            for (int i = 0; i <= int(wanted); ++i) QTest::keyClick(choice, Qt::Key_Down);
            ++clicks;
            settle();
        };
        auto* title = editor().findChild<QLineEdit*>("lesson-title");
        click_on(title);
        title->selectAll();
        type("What no backend takes");
        click_on(editor().findChild<QLineEdit*>("lesson-line"));
        type("Operators on default separate regions.");
        click_on(editor().findChild<QPlainTextEdit*>("lesson-text"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_A, Qt::ControlModifier);
        type("## The graph\nTwo divides: **ccompiler** has no rule for them.");
        // Its words are typed over what a new page says.
        window().action("annotate")->trigger();
        ++clicks;
        settle();
        press_it("lesson-add-page");
        type("## Which belong together?\nSelect the operators in one region with subtract.");
        tab(1);
        kind(QuestionKind::Select);
        point({"subtract"});
        click_on(editor().findChild<QWidget*>("question-call")->findChild<QPushButton*>());
        point({"subtract", "multiply"});
        press_it("add-hint");
        type("No edge joins these two.");
        click_on(editor().findChild<QPlainTextEdit*>("question-right"));
        type("An edge joins them, and nothing lies between.");
        click_on(editor().findChild<QPlainTextEdit*>("question-wrong"));
        type("Follow the edges from subtract.");
        press_it("lesson-add-page");
        type("## How many?\nHow many regions will there be?");
        tab(1);
        kind(QuestionKind::Count);
        click_on(editor().findChild<QPlainTextEdit*>("question-right"));
        type("Each divide separates what is above it from what is below.");
        click_on(editor().findChild<QPlainTextEdit*>("question-wrong"));
        type("Count what has the colour of ccompiler and hangs together.");
        window().action("merge")->trigger();
        ++clicks;
        settle();
        press_it("lesson-add-page");
        type("## The regions\nThree regions, and add and subtract in one of them.");
        tab(2);
        press_it("claim-regions");
        point({"add", "subtract"});
        press_it("claim-together");
        QVERIFY2(editor().draft().checked().faults.empty(), qPrintable(faults()));
        press_it("lesson-try");
        window().panels().show(&editor());
        press_it("primary");
        QVERIFY(QFile::exists(editor().draft().path()));
        const std::vector<LessonPage>& pages = editor().draft().lesson().pages;
        QCOMPARE(pages.size(), size_t(4));
        QCOMPARE(pages[0].text, std::string("## The graph\nTwo divides: **ccompiler** has no rule for them."));
        QVERIFY(pages[1].annotate && !pages[1].merge && pages[3].merge);
        QCOMPARE(pages[1].question->hints.size(), size_t(1));
        QCOMPARE(pages[3].claims.size(), size_t(1));
        const int seconds = 2 * clicks + letters / 2;
        qInfo("%d clicks and %d letters: %d seconds", clicks, letters, seconds);
        QVERIFY(seconds < 600);
    }

    void eachKindOfQuestionIsWrittenByPointing() {
        begin();
        const auto page = [&](QuestionKind kind) {
            press("lesson-add-page");
            writeText("## A question");
            chooseKind(kind);
            typeIfThere("question-right", "r");
            typeIfThere("question-wrong", "w");
        };
        const auto asked = [&] { return *editor().draft().lesson().pages[size_t(editor().currentPage())].question; };
        page(QuestionKind::Assign);
        fixture_->click(fixture_->nodeOf("add"));
        fixture_->click(fixture_->nodeOf("divide"), Qt::ControlModifier);
        take("question-calls");
        QCOMPARE(asked().calls, (std::vector<uint32_t>{2, 4}));
        QVERIFY2(label("question-solution").contains("divide #4 → default"), qPrintable(label("question-solution")));
        page(QuestionKind::Path);
        fixture_->click(fixture_->nodeOf("multiply"));
        fixture_->click(fixture_->nodeOf("add", 1), Qt::ControlModifier);
        take("question-ends");
        QCOMPARE(asked().calls, (std::vector<uint32_t>{1, 5}));
        page(QuestionKind::Count);
        QVERIFY2(label("question-solution").contains("3"), qPrintable(label("question-solution")));
        page(QuestionKind::Reason);
        typeInto("question-choices", "No edge\nTwo backends");
        auto choices = editor().findChildren<QRadioButton*>();
        QCOMPARE(choices.size(), 2);
        choices[0]->click();
        press("answer-is-right");
        QVERIFY2(label("question-solution").contains("No edge"), qPrintable(label("question-solution")));
        page(QuestionKind::Rule);
        chooseItem("question-backend", "ccompiler");
        chooseItem("question-place", "divide");
        fixture_->click(fixture_->nodeOf("divide"));
        take("question-takes");
        auto* rule = editor().findChild<QLineEdit*>("lesson-rule");
        QVERIFY(rule);
        QTest::keyClicks(rule, "true");
        press("answer-is-right");
        QCOMPARE(asked().solution.text, std::string("true"));
        page(QuestionKind::Faster);
        editor().findChild<QSpinBox*>("question-most-regions")->setValue(3);
        settle();
        press("answer-is-right");
        page(QuestionKind::Regions);
        QVERIFY2(label("question-solution").contains("{add #2, subtract #3}"), qPrintable(label("question-solution")));
        settle();
        fixture_->picture("lesson-editor-regions");
        // The path alone can't be right: nothing forbids these to merge but default between them.
        for (size_t i = 0; i < editor().draft().checked().faults.size(); ++i)
            qInfo("%s", editor().draft().checked().faults[i].to_string().c_str());
        QCOMPARE(pages().count(), 8);
    }

    void claimsAreRecordedFromTheWindowAndHeldAgainstIt() {
        begin();
        press("lesson-add-page");
        editor().findChild<QTabWidget*>("lesson-tabs")->setCurrentIndex(2);
        const auto claims = [&] { return editor().draft().lesson().pages[1].claims; };
        QVERIFY(!button("claim-together")->isEnabled());  // of nothing that is selected
        press("claim-regions");
        press("claim-bytes");
        QCOMPARE(claims().size(), size_t(1));
        QCOMPARE(claims()[0].regions, 3);
        QVERIFY(claims()[0].moved_bytes > 0);
        fixture_->click(fixture_->nodeOf("add"));
        fixture_->click(fixture_->nodeOf("subtract"), Qt::ControlModifier);
        fixture_->click(fixture_->nodeOf("divide"), Qt::ControlModifier);
        press("claim-together");
        press("claim-together");  // says nothing new
        press("claim-backends");
        QCOMPARE(claims()[0].together, (std::vector<std::vector<uint32_t>>{{2, 3}}));
        QCOMPARE(claims()[0].apart, (std::vector<std::vector<uint32_t>>{{2, 4}}));
        QCOMPARE(claims()[0].backend_of.at(4), std::string("default"));
        QVERIFY2(editor().draft().checked().faults.empty(), qPrintable(faults()));
        // Of three that lie apart each is held against each.
        fixture_->click(fixture_->nodeOf("multiply"));
        fixture_->click(fixture_->nodeOf("divide"), Qt::ControlModifier);
        fixture_->click(fixture_->nodeOf("add", 1), Qt::ControlModifier);
        press("claim-together");
        QCOMPARE(claims()[0].apart, (std::vector<std::vector<uint32_t>>{{2, 4}, {1, 4, 5}, {4, 5}}));
        QVERIFY2(editor().draft().checked().faults.empty(), qPrintable(faults()));
        // What the window has by hand is what the claim is about.
        fixture_->click(fixture_->nodeOf("subtract"));
        window().document().giveToBackend(window().document().selection(), -1);
        settle();
        press("claim-regions");
        QCOMPARE(claims().size(), size_t(2));
        QCOMPARE(claims()[1].with.backends, (std::map<uint32_t, std::string>{{3, "default"}}));
        fixture_->picture("lesson-editor-claims");
        // That there are no regions is a claim, too.
        const auto claim_regions = [&](int regions) {
            QDoubleSpinBox* field = editor().findChildren<QDoubleSpinBox*>("claim-number").last();
            field->setFocus();
            field->selectAll();
            QTest::keyClicks(field, QString::number(regions));
            QTest::keyClick(field, Qt::Key_Return);
            settle();
        };
        const int there = claims()[1].regions;
        claim_regions(0);
        QCOMPARE(claims().size(), size_t(2));
        QCOMPARE(claims()[1].regions, 0);
        claim_regions(there);
        // A number that is not so is a fault, and keeps the lesson from being tried.
        auto* number = editor().findChild<QDoubleSpinBox*>("claim-number");
        QVERIFY(number);
        number->setFocus();
        number->selectAll();
        QTest::keyClicks(number, "7");
        QTest::keyClick(number, Qt::Key_Return);
        settle();
        QVERIFY2(faults().contains("claimed are 7 regions; there are 3"), qPrintable(faults()));
        QVERIFY(!button("lesson-try")->isEnabled());
        // A click on a fault leads to its page.
        auto* list = editor().findChild<QListWidget*>("lesson-faults");
        QListWidgetItem* claimed = list->findItems("claimed are 7 regions", Qt::MatchContains).value(0);
        QVERIFY(claimed);
        pages().setCurrentRow(0);
        QCOMPARE(editor().currentPage(), 0);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(claimed).center());
        QCOMPARE(editor().currentPage(), 1);
        press("claim-remove");
        QVERIFY2(editor().draft().checked().faults.empty(), qPrintable(faults()));
        QVERIFY(button("lesson-try")->isEnabled());
        // Another page has none of them.
        pages().setCurrentRow(0);
        settle();
        QCOMPARE(editor().findChildren<QPushButton*>("claim-remove").size(), 0);
    }

    void aClaimAboutTimesIsMeasured() {
        begin();
        editor().findChild<QTabWidget*>("lesson-tabs")->setCurrentIndex(2);
        press("claim-times");
        const auto claim = [&] { return editor().draft().lesson().pages[0].claims.at(0); };
        QVERIFY(claim().with.empty() && claim().times > 0);
        fixture_->click(fixture_->nodeOf("subtract"));
        window().document().giveToBackend(window().document().selection(), -1);
        settle();
        press("claim-other");
        QCOMPARE(claim().than.backends, (std::map<uint32_t, std::string>{{3, "default"}}));
        QSignalSpy told(&editor(), &LessonEditor::told);
        editor().findChild<QDoubleSpinBox*>("claim-number")->setValue(0.01);
        settle();
        press("claim-measure");
        QTRY_COMPARE_WITH_TIMEOUT(told.size(), 1, 60000);
        editor().findChild<QDoubleSpinBox*>("claim-number")->setValue(1000);
        settle();
        press("claim-measure");
        QTRY_VERIFY_WITH_TIMEOUT(faults().contains("times as fast; measured are"), 60000);
        QCOMPARE(told.size(), 1);
    }

    void aGraphWithLargeWeightsIsNoLesson() {
        namespace w = onnx_writer;
        const w::GraphParts parts{{w::node("Add", {"x", "w"}, {"y"})},
                                  {w::tensor("w", {200000}, std::vector<float>(200000, 0.5f))},
                                  {w::value_info("x", {200000})},
                                  {w::value_info("y", {200000})}};
        QVERIFY(fixture_->open(fixture_->file("large.onnx", QByteArray::fromStdString(w::model(parts)))));
        QVERIFY(window().document().summary().constant_bytes > 512 << 10);
        window().action("lesson-new")->trigger();
        settle();
        QVERIFY(!editor().draft().isOpen());
        const QString message = fixture_->takeMessage();
        QVERIFY2(message.contains("too large for a lesson"), qPrintable(message));
    }

    void aGraphOfFiveThousandExpressionsIsALessonAndALargerOneIsNot() {
        constexpr size_t kMost = 5000;
        const auto open_chain = [this](size_t calls) {
            QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = exp(%x);\n";
            for (size_t i = 1; i + 1 < calls; ++i)
                text += "  %" + QByteArray::number(qulonglong(i)) + " = exp(%" + QByteArray::number(qulonglong(i - 1)) +
                        ");\n";
            text += "  exp(%" + QByteArray::number(qulonglong(calls - 2)) + ")\n}\n";
            return fixture_->open(fixture_->file("chain.relay", text)) ? window().document().shownModule()->size() : 0;
        };
        const size_t others = open_chain(10) - 10;
        QCOMPARE(open_chain(kMost - others + 1), kMost + 1);
        window().action("lesson-new")->trigger();
        settle();
        QVERIFY(!editor().draft().isOpen());
        const QString message = fixture_->takeMessage();
        QVERIFY2(message.contains("more than 5000 expressions"), qPrintable(message));
        QCOMPARE(open_chain(kMost - others), kMost);
        window().action("lesson-new")->trigger();
        settle();
        QCOMPARE(fixture_->takeMessage(), QString());
        QVERIFY(editor().draft().isOpen());
    }

    /// Tab goes on to the next field, also in a text of several lines.
    void textsAreLeftByTab() {
        begin();
        editor().findChild<QTabWidget*>("lesson-tabs")->setCurrentIndex(1);
        chooseKind(QuestionKind::Count);
        int texts = 0;
        for (QPlainTextEdit* text : editor().findChildren<QPlainTextEdit*>()) {
            if (!text->isVisible() || !text->property("field").toBool()) continue;
            text->setFocus();
            const QString before = text->toPlainText();
            QTest::keyClick(text, Qt::Key_Tab);
            QVERIFY2(!text->hasFocus(), qPrintable(text->objectName()));
            QCOMPARE(text->toPlainText(), before);
            ++texts;
        }
        QVERIFY(texts > 0);
    }

    void whatIsTypedCanBeSavedAtOnce() {
        begin();
        press("primary");
        QVERIFY(!button("primary")->isEnabled());
        QTest::keyClick(editor().findChild<QLineEdit*>("lesson-title"), Qt::Key_A);
        QVERIFY(button("primary")->isEnabled());
        press("primary");
        QVERIFY(!editor().draft().isUnsaved());
    }

    void aPageRecordsWhatOneDoesInTheWindow() {
        begin();
        window().action("whole-flow")->trigger();
        fixture_->click(fixture_->nodeOf("subtract"));
        window().document().giveToBackend(window().document().selection(), -1);
        settle();
        const LessonPage& page = editor().draft().lesson().pages[0];
        QVERIFY(page.annotate && page.merge && page.partition);
        QCOMPARE(page.with.backends, (std::map<uint32_t, std::string>{{3, "default"}}));
        QVERIFY(!button("lesson-record")->isEnabled());
        take("lesson-shown");
        QCOMPARE(editor().draft().lesson().pages[0].show, std::vector<uint32_t>{3});
        // The next page takes it back; going to the first one brings it again, in the editor and for the learner.
        press("lesson-add-page");
        window().document().undoStack().undo();
        window().action("partition")->trigger();
        settle();
        // Beside a question what one does may be an answer.
        editor().findChild<QTabWidget*>("lesson-tabs")->setCurrentIndex(1);
        window().action("merge")->trigger();
        settle();
        QVERIFY(!editor().draft().lesson().pages[1].with.backends.contains(3));
        QVERIFY(editor().draft().lesson().pages[1].merge);
        QVERIFY2(label("lesson-state").contains("otherwise"), qPrintable(label("lesson-state")));
        press("lesson-record");
        QVERIFY(!editor().draft().lesson().pages[1].merge);
        editor().findChild<QTabWidget*>("lesson-tabs")->setCurrentIndex(0);
        pages().setCurrentRow(0);
        settle();
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("subtract")), QStringLiteral("default"));
        pages().setCurrentRow(1);
        settle();
        QVERIFY(fixture_->backendOf(fixture_->nodeOf("subtract")) != QStringLiteral("default"));
        press("lesson-try");
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("subtract")), QStringLiteral("default"));
        QCOMPARE(window().document().selection().size(), size_t(1));
        window().panels().lessons().next();
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->backendOf(fixture_->nodeOf("subtract")) != QStringLiteral("default"));
    }

    void aLessonsFileHasNoPointInItsName() {
        QCOMPARE(LessonDraft::lessonPath("/x.y/mine"), QStringLiteral("/x.y/mine.json"));
        QCOMPARE(LessonDraft::lessonPath("/x/mine.v2.json"), QStringLiteral("/x/mine-v2.json"));
        QCOMPARE(LessonDraft::lessonPath("/x/mine.json"), QStringLiteral("/x/mine.json"));
        // What nobody chose is not written over.
        const QString there = fixture_->file("a-b.json", "{}");
        QCOMPARE(LessonDraft::lessonPath(QFileInfo(there).path() + "/a.b.json"),
                 QFileInfo(there).path() + "/a-b-2.json");
    }

    void pagesMoveAndOneThatWasRemovedComesBack() {
        begin();
        writeText("## One");
        press("lesson-add-page");
        writeText("## Two");
        press("lesson-page-up");
        QVERIFY(pages().item(0)->text().contains("Two"));
        press("lesson-remove-page");
        QCOMPARE(pages().count(), 1);
        QVERIFY(pages().item(0)->text().contains("One"));
        press("lesson-remove-page");
        QCOMPARE(pages().count(), 2);
        QVERIFY(pages().item(0)->text().contains("Two"));
    }

    void whatWasNotSavedIsThereAtTheNextStart() {
        begin();
        write("lesson-title", "Half done");
        settle();
        fixture_.reset();
        fixture_ = std::make_unique<WindowFixture>();
        // A new one does not write over it unasked.
        QVERIFY(fixture_->openOneDivide());
        window().action("lesson-new")->trigger();
        editor().findChild<QMessageBox*>("leave-lesson")->button(QMessageBox::Cancel)->click();
        QCOMPARE(editor().draft().lesson().title, std::string("Half done"));
        settle();
        fixture_.reset();
        fixture_ = std::make_unique<WindowFixture>();
        window().panels().show(&editor());
        press("lesson-go-on");
        QCOMPARE(editor().draft().lesson().title, std::string("Half done"));
        QVERIFY(editor().draft().isUnsaved());
        // Another lesson asks first.
        QVERIFY(fixture_->openOneDivide());
        window().action("lesson-new")->trigger();
        auto* box = editor().findChild<QMessageBox*>("leave-lesson");
        QVERIFY(box);
        box->button(QMessageBox::Cancel)->click();
        QCOMPARE(editor().draft().lesson().title, std::string("Half done"));
        window().action("lesson-new")->trigger();
        editor().findChild<QMessageBox*>("leave-lesson")->button(QMessageBox::Save)->click();
        QVERIFY(QFile::exists(own_lessons_folder() + "/half-done.json"));
        QCOMPARE(editor().draft().lesson().title, std::string("My lesson"));
    }

    void anotherGraphThanTheLessonsIsToldAndCanBeTaken() {
        begin();
        auto* take_it = button("lesson-take-graph");
        QVERIFY(!take_it->isVisible());
        QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/diamond.relay")));
        settle();
        QVERIFY(take_it->isVisible());
        press("lesson-open-graph");
        QVERIFY(fixture_->settle());
        QVERIFY(!take_it->isVisible());
        QVERIFY(fixture_->nodeOf("divide") >= 0);
        QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/diamond.relay")));
        press("lesson-take-graph");
        settle();
        QVERIFY(!take_it->isVisible());
        QVERIFY(editor().draft().lesson().graph.find("exp") != std::string::npos);
    }

    void whoReadsALessonSeesItAnewWhenItIsSaved() {
        begin();
        press("lesson-add-page");
        press("primary");
        LessonsPanel& lessons = window().panels().lessons();
        lessons.start(placeOf(lessons, "My lesson"));
        QVERIFY(fixture_->settle());
        lessons.next();
        window().panels().show(&editor());
        writeText("## Said better");
        settle();
        press("primary");
        QTRY_COMPARE(lessons.pageText(), QStringLiteral("## Said better"));
        QCOMPARE(lessons.currentPage(), 1);
    }

    void aLessonThatShipsIsEditedAsACopy() {
        window().panels().lessons().start(1);
        QVERIFY(fixture_->settle());
        window().action("lesson-edit")->trigger();
        settle();
        QVERIFY(editor().isVisible());
        QVERIFY(editor().draft().path().isEmpty());
        QCOMPARE(pages().count(), 4);
        QVERIFY(!window().panels().lessons().isInLesson());  // no open question keeps commands from its author
        QVERIFY(window().action("merge")->isEnabled());
        press("primary");
        QVERIFY2(editor().draft().path().startsWith(own_lessons_folder()), qPrintable(editor().draft().path()));
    }

    void faultsOfLessonsStayInProblemsUntilTheyAreMended() {
        QDir().mkpath(own_lessons_folder());
        window().panels().lessons().reload();
        const QString path = own_lessons_folder() + "/own.json";
        QVERIFY(write_file(path.toStdString(), "{\"title\": 3,\n \"graph\": \"x\", \"pages\": [{}]}"));
        QTRY_COMPARE(window().document().problems().size(), size_t(2));
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(window().document().problems().size(), size_t(2));
        QCOMPARE(window().document().problems()[0].position.line, 1u);
        const auto* dock = qobject_cast<QDockWidget*>(window().panels().problems().parentWidget());
        QCOMPARE(dock->windowTitle(), QStringLiteral("Problems (2)"));
        QCOMPARE(dock->toggleViewAction()->text(), QStringLiteral("Problems"));
        // What a question says of the graph is held against it, too.
        QVERIFY(write_file(path.toStdString(),
                           "{\"title\": \"t\", \"graph\": \"#[version = \\\"0.0.5\\\"]\\ndef @main(%x: Tensor[(2), "
                           "float32]) { exp(%x) }\",\n \"pages\": [{\"text\": \"t\", \"show\": [7]}]}"));
        QTRY_COMPARE(window().document().problems().size(), size_t(1));
        QVERIFY2(window().document().problems()[0].text.contains("no call #7"),
                 qPrintable(window().document().problems()[0].text));
        // Of many the panel of lessons shows some, and says where all are.
        const auto* text = window().panels().lessons().findChild<QTextBrowser*>();
        QVERIFY(text && !text->toPlainText().contains("lists all"));
        QByteArray pages;
        for (int page = 0; page < 12; ++page) pages += page ? ", {}" : "{}";
        QVERIFY(write_file(path.toStdString(),
                           "{\"title\": \"t\", \"graph\": \"x\", \"pages\": [" + pages.toStdString() + "]}"));
        QTRY_VERIFY(window().document().problems().size() > 8);
        const size_t faults = window().document().problems().size();
        QVERIFY2(text->toPlainText().contains(QStringLiteral("The panel Problems lists all %1 faults.").arg(faults)),
                 qPrintable(text->toPlainText()));
        QFile::remove(path);
        QTRY_VERIFY(window().document().problems().empty());
        QCOMPARE(dock->windowTitle(), QStringLiteral("Problems"));
    }

private:
    /// -1: it is not in the list.
    static int placeOf(LessonsPanel& lessons, const QString& title) {
        const std::vector<ListedLesson>& all = lessons.list().lessons();
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const ListedLesson& lesson) { return lesson.title == title; });
        return found == all.end() ? -1 : int(found - all.begin());
    }
    MainWindow& window() { return *fixture_->window; }
    LessonEditor& editor() { return window().panels().lessonEditor(); }
    QListWidget& pages() { return *editor().findChild<QListWidget*>("lesson-pages"); }
    QPushButton* button(const char* name) { return editor().findChild<QPushButton*>(name); }
    QString label(const char* name) { return editor().findChild<QLabel*>(name)->text(); }
    QString faults() {
        QString all;
        for (const Diagnostic& fault : editor().draft().checked().faults)
            all += QString::fromStdString(fault.to_string()) + "\n";
        return all;
    }
    void begin() {
        QVERIFY(fixture_->openOneDivide());
        window().action("lesson-new")->trigger();
        settle();
        QVERIFY(editor().isVisible() && editor().draft().isOpen());
    }
    /// Until it is checked.
    void settle() {
        QVERIFY(fixture_->settle());
        QTest::qWait(1);  // rows that were taken away go
    }
    void press(const char* name) {
        QPushButton* pressed = button(name);
        QVERIFY2(pressed && pressed->isEnabled() && pressed->isVisible(), name);
        QTest::mouseClick(pressed, Qt::LeftButton);
        settle();
    }
    void write(const char* name, const QString& text) {
        auto* field = editor().findChild<QLineEdit*>(name);
        field->selectAll();
        QTest::keyClicks(field, text);
    }
    void writeText(const QString& text) {
        editor().findChild<QTabWidget*>("lesson-tabs")->setCurrentIndex(0);
        auto* field = editor().findChild<QPlainTextEdit*>("lesson-text");
        field->selectAll();
        field->insertPlainText(text);
    }
    void typeInto(const char* name, const QString& text) {
        editor().findChild<QPlainTextEdit*>(name)->setPlainText(text);
        settle();
    }
    void typeIfThere(const char* name, const QString& text) {
        if (editor().findChild<QPlainTextEdit*>(name)->isVisible()) typeInto(name, text);
    }
    void chooseKind(QuestionKind kind) {
        editor().findChild<QTabWidget*>("lesson-tabs")->setCurrentIndex(1);
        auto* choice = editor().findChild<QComboBox*>("question-kind");
        choice->setCurrentIndex(int(kind) + 1);
        emit choice->activated(int(kind) + 1);
        settle();
    }
    void chooseItem(const char* name, const QString& text) {
        auto* choice = editor().findChild<QComboBox*>(name);
        choice->setCurrentText(text);
        QCOMPARE(choice->currentText(), text);
        emit choice->activated(choice->currentIndex());
        settle();
    }
    /// Presses the button that takes what is selected on the graph.
    void take(const char* name) {
        auto* pointed = editor().findChild<QWidget*>(name);
        auto* use = pointed->findChild<QPushButton*>();
        QVERIFY2(use->isVisible() && use->isEnabled(), name);
        QTest::mouseClick(use, Qt::LeftButton);
        settle();
    }

    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestLessonEditor)

}  // namespace test_lesson_editor

#include "test_lesson_editor.moc"
