// Writing a lesson in the window, by real events: from a graph to a lesson that a learner goes through.
#include "window_fixture.h"

#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QRadioButton>
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

using namespace partita;

class TestLessonEditor : public QObject {
    Q_OBJECT

private slots:
    void init() {
        QStandardPaths::setTestModeEnabled(true);
        QDir(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/PartitaTest")
            .removeRecursively();
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
        QVERIFY2(editor().draft().checked().faults.empty(), qPrintable(faults()));
        fixture_->picture("lesson-editor-question");
        // As a learner, wrong and right; then it is saved, and stands in the list.
        press("lesson-try");
        QVERIFY(fixture_->settle());
        LessonsPanel& lessons = window().lessons();
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
        window().showPanel(&editor());
        press("primary");
        QCOMPARE(editor().draft().path(), own_lessons_folder() + "/divides-in-the-way.json");
        QVERIFY(!editor().draft().isUnsaved());
        QVERIFY(lessons.lessonTitles().contains("Divides in the way"));
        const std::string text = *read_file(editor().draft().path().toStdString());
        QVERIFY(check_lesson(text, "f", false).empty());
        QCOMPARE(read_lesson(text, "f").lesson->pages[1].question->hints[0].answer.calls,
                 (std::vector<uint32_t>{1, 3}));
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

    void aPageRecordsWhatOneDoesInTheWindow() {
        begin();
        window().action("whole-flow")->trigger();
        fixture_->click(fixture_->nodeOf("subtract"));
        window().document().giveToBackend(window().document().selection(), -1);
        settle();
        QVERIFY(button("lesson-record")->isEnabled());
        press("lesson-record");
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
        press("lesson-record");
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
        window().lessons().next();
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
        window().showPanel(&editor());
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
        LessonsPanel& lessons = window().lessons();
        lessons.start(int(lessons.lessonTitles().indexOf("My lesson")));
        QVERIFY(fixture_->settle());
        lessons.next();
        window().showPanel(&editor());
        writeText("## Said better");
        settle();
        press("primary");
        QTRY_COMPARE(lessons.pageText(), QStringLiteral("## Said better"));
        QCOMPARE(lessons.currentPage(), 1);
    }

    void aLessonThatShipsIsEditedAsACopy() {
        window().lessons().start(1);
        QVERIFY(fixture_->settle());
        window().action("lesson-edit")->trigger();
        settle();
        QVERIFY(editor().isVisible());
        QVERIFY(editor().draft().path().isEmpty());
        QCOMPARE(pages().count(), 4);
        QVERIFY(!window().lessons().isInLesson());  // no open question keeps commands from its author
        QVERIFY(window().action("merge")->isEnabled());
        press("primary");
        QVERIFY2(editor().draft().path().startsWith(own_lessons_folder()), qPrintable(editor().draft().path()));
    }

    void faultsOfLessonsStayInProblemsUntilTheyAreMended() {
        QDir().mkpath(own_lessons_folder());
        window().lessons().reload();
        const QString path = own_lessons_folder() + "/own.json";
        QVERIFY(write_file(path.toStdString(), "{\"title\": 3,\n \"graph\": \"x\", \"pages\": [{}]}"));
        QTRY_COMPARE(window().document().problems().size(), size_t(2));
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(window().document().problems().size(), size_t(2));
        QCOMPARE(window().document().problems()[0].position.line, 1u);
        const auto* dock = qobject_cast<QDockWidget*>(window().problems().parentWidget());
        QCOMPARE(dock->windowTitle(), QStringLiteral("Problems (2)"));
        QCOMPARE(dock->toggleViewAction()->text(), QStringLiteral("Problems"));
        // What a question says of the graph is held against it, too.
        QVERIFY(write_file(path.toStdString(),
                           "{\"title\": \"t\", \"graph\": \"#[version = \\\"0.0.5\\\"]\\ndef @main(%x: Tensor[(2), "
                           "float32]) { exp(%x) }\",\n \"pages\": [{\"text\": \"t\", \"show\": [7]}]}"));
        QTRY_COMPARE(window().document().problems().size(), size_t(1));
        QVERIFY2(window().document().problems()[0].text.contains("no call #7"),
                 qPrintable(window().document().problems()[0].text));
        QFile::remove(path);
        QTRY_VERIFY(window().document().problems().empty());
        QCOMPARE(dock->windowTitle(), QStringLiteral("Problems"));
    }

private:
    MainWindow& window() { return *fixture_->window; }
    LessonEditor& editor() { return window().lessonEditor(); }
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
        QTest::qWait(350);
        QVERIFY(fixture_->settle());
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

QTEST_MAIN(TestLessonEditor)
#include "test_lesson_editor.moc"
