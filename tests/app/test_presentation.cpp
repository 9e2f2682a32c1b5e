// Presentations, by real events.
#include "window_fixture.h"

#include <QLabel>
#include <QMenuBar>
#include <QTextBrowser>

#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "tests/app/own_home.h"
#include "tests/registry.h"

namespace test_presentation {

using namespace partita;

class TestPresentation : public QObject {
    Q_OBJECT

private slots:
    void init() {
        use_own_empty_home(testing::name_of_test());
        fixture_ = std::make_unique<WindowFixture>();
    }
    void cleanup() { fixture_.reset(); }

    /// A clicker has two keys.
    void pageDownTurnsThePageOfAPresentationAndFitsTheGraph() {
        MainWindow& window = *fixture_->window;
        LessonsPanel& lessons = window.panels().lessons();
        lessons.start(1);
        QVERIFY(fixture_->settle());
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        fixture_->view().setZoom(3, QPointF(0, 0));
        QTest::keyClick(&fixture_->view(), Qt::Key_PageDown);
        QVERIFY(fixture_->settle());
        QCOMPARE(lessons.currentPage(), 1);
        QVERIFY(fixture_->view().visibleArea().contains(fixture_->view().geometry().bounds));
        QTest::keyClick(&fixture_->view(), Qt::Key_PageUp);
        QVERIFY(fixture_->settle());
        QCOMPARE(lessons.currentPage(), 0);
        QTest::keyClick(&window, Qt::Key_Escape);
    }

    void aClassIsGivenTimeToAnswer() {
        MainWindow& window = *fixture_->window;
        window.panels().lessons().start(1);
        QVERIFY(fixture_->settle());
        auto* clock = window.findChild<QLabel*>("presentation-clock");
        QVERIFY(!window.action("answer-time")->isEnabled());
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        QVERIFY(!clock->isVisible());
        QTest::keyClick(&fixture_->view(), Qt::Key_Q, Qt::ShiftModifier);
        QVERIFY2(clock->isVisible() && clock->text().contains("2:00"), qPrintable(clock->text()));
        QTest::keyClick(&fixture_->view(), Qt::Key_Q, Qt::ShiftModifier);
        QVERIFY2(clock->text().contains("3:00"), qPrintable(clock->text()));
        fixture_->picture("19e-presented-time");
        QTRY_VERIFY_WITH_TIMEOUT(clock->text().contains("2:5"), 5000);
        QTest::keyClick(&fixture_->view(), Qt::Key_PageDown);  // it ends with the page
        QVERIFY(!clock->isVisible());
        QTest::keyClick(&window, Qt::Key_Escape);
    }

    void aPresentationShowsTheLessonAndItsQuestionAfterAKey() {
        MainWindow& window = *fixture_->window;
        window.panels().lessons().start(1);
        QVERIFY(fixture_->settle());
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        auto* page = window.findChild<QTextBrowser*>("presentation-page");
        QVERIFY2(page->isVisible() && page->toPlainText().contains("has two users"), qPrintable(page->toPlainText()));
        window.action("lesson-next")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(page->toPlainText(), QStringLiteral("Predict"));
        fixture_->picture("19b-presented-lesson");
        QTest::keyClick(&window, Qt::Key_Q);
        QVERIFY2(page->toPlainText().contains("Which operators will be"), qPrintable(page->toPlainText()));
        QVERIFY(!window.action("whole-flow")->isEnabled());
        QVERIFY(fixture_->settle());
        fixture_->picture("19c-presented-question");
        // It stands below the graph where the screen is hardly wider than high.
        window.resize(1000, 800);
        QVERIFY(fixture_->settle());
        QVERIFY(page->mapTo(&window, QPoint(0, 0)).y() >=
                fixture_->view().mapTo(&window, QPoint(0, fixture_->view().height())).y());
        // It stands beside the graph on a wide screen, and no word of it is cut.
        window.resize(1280, 775);
        QVERIFY(fixture_->settle());
        QVERIFY(page->mapTo(&window, QPoint(page->width(), 0)).x() <=
                fixture_->view().mapTo(&window, QPoint(0, 0)).x());
        QVERIFY(page->height() <= page->parentWidget()->height());
        fixture_->picture("19d-presented-wide");
        // So do the choices of a reason.
        window.panels().lessons().start(2);
        QVERIFY(fixture_->settle());
        window.action("lesson-next")->trigger();
        window.action("lesson-next")->trigger();
        QTest::keyClick(&window, Qt::Key_Q);
        QVERIFY2(page->toPlainText().contains("too many combinations"), qPrintable(page->toPlainText()));
        QTest::keyClick(&window, Qt::Key_Escape);
        QVERIFY(!page->isVisible());
    }

    void aPresentationLeavesTheDocksAsWideAsTheyWere() {
        MainWindow& window = *fixture_->window;
        window.resize(1280, 775);
        QTest::keyClick(&window, Qt::Key_F2);
        window.panels().lessons().start(0);
        QVERIFY(fixture_->settle());
        const auto widths = [&] {
            return std::pair(window.panels().lessons().parentWidget()->width(),
                             window.panels().inspector().parentWidget()->width());
        };
        const auto before = widths();
        for (int twice = 0; twice < 2; ++twice) {
            QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(fixture_->settle());
            QTest::keyClick(&window, Qt::Key_Escape);
            window.resize(1280, 775);  // as a desktop does; without one, large type leaves it as narrow as it may be
            QVERIFY(fixture_->settle());
            QCOMPARE(widths(), before);
        }
    }

    void aPresentationIsTheGraphAloneInLargeType() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(&window, Qt::Key_F9);
        QVERIFY(fixture_->settle());
        const double type = window.font().pointSizeF();
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        auto* caption = window.findChild<QLabel*>("presentation-caption");
        const QWidget* centre = window.pages().parentWidget();
        QCOMPARE(caption->parentWidget(), centre->parentWidget());
        QCOMPARE(caption->geometry().top(), centre->geometry().bottom() + 1);
        // A sentence of two lines has room without moving the graph.
        const QString keys = caption->text();
        const auto height_with = [caption](const QString& text) {
            caption->setText(text);
            QTest::qWait(50);
            return caption->height();
        };
        const int room = height_with("one"), taken = height_with("one\ntwo");
        QCOMPARE(taken, room);
        caption->setText(keys);
        QVERIFY(window.font().pointSizeF() > type * 1.5);
        QVERIFY(!window.menuBar()->isVisible() && !window.panels().outline().isVisible() &&
                !window.panels().steps().isVisible());
        QVERIFY(caption->isVisible());
        QTest::keyClick(&window, Qt::Key_F11);
        QVERIFY(fixture_->settle());
        QVERIFY2(caption->text().contains("multiply #1 goes to"), qPrintable(caption->text()));
        QVERIFY(!window.panels().steps().isVisible());
        // The keys stay readable below the sentence, and stand alone again when the steps end.
        auto* hint = window.findChild<QLabel*>("presentation-hint");
        QVERIFY(hint->isVisible());
        QVERIFY2(hint->text().contains("Esc leaves"), qPrintable(hint->text()));
        fixture_->picture("19-presentation");
        window.panels().steps().stop();
        QVERIFY2(caption->isVisible() && caption->text().contains("Esc leaves"), qPrintable(caption->text()));
        QVERIFY(!hint->isVisible());
        QTest::keyClick(&window, Qt::Key_F11);
        QVERIFY(fixture_->settle());
        // The hint says that Esc leaves: at once, with whatever is selected.
        fixture_->click(fixture_->nodeOf("add"));
        QVERIFY(!window.document().selection().empty());
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(fixture_->settle());
        QCOMPARE(window.font().pointSizeF(), type);
        QVERIFY(window.menuBar()->isVisible() && window.panels().outline().isVisible() && !caption->isVisible() &&
                !hint->isVisible());
        QVERIFY(!window.document().selection().empty());
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(window.document().selection().empty());
        // Who had moved or zoomed finds that again.
        GraphView& view = fixture_->view();
        view.setZoom(1.7, QPointF(0, 0));
        const QPointF middle = view.visibleArea().center();
        QTest::keyClick(&window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::qWait(250);
        QVERIFY(std::abs(view.zoom() - 1.7) > 0.01);
        QTest::keyClick(&window, Qt::Key_Escape);
        QTRY_COMPARE(view.zoom(), 1.7);
        QVERIFY((view.visibleArea().center() - middle).manhattanLength() < 5);
    }

private:
    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestPresentation)

}  // namespace test_presentation

#include "test_presentation.moc"
