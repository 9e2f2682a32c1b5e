// Several models side by side, in tabs of one window: opened, switched, closed and asked about by keys and clicks.
#include "window_fixture.h"

#include <QMenuBar>
#include <QStackedWidget>
#include <QTabBar>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/window/model_tabs.h"
#include "tests/registry.h"

namespace test_model_tabs {

using namespace partita;

class TestModelTabs : public QObject {
    Q_OBJECT

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();  // settings and files of its own; its window stays aside
        fixture_->window->hide();
        tabs_ = std::make_unique<ModelTabs>();
        tabs_->startWithSize(QSize(1280, 800));
        tabs_->show();
        tabs_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(tabs_.get()));
    }
    void cleanup() {
        tabs_.reset();
        fixture_.reset();
    }

    void oneModelHasNoTabs() {
        QCOMPARE(tabs_->count(), 1);
        QVERIFY(!bar().isVisible());
        QVERIFY(!tabs_->current().action("close-model")->isEnabled());
        QVERIFY(!tabs_->current().action("next-model")->isEnabled());
        QVERIFY(open("one.relay"));
        QCOMPARE(tabs_->windowTitle(), tabs_->current().windowTitle());
        QVERIFY2(tabs_->windowTitle().contains("one.relay"), qPrintable(tabs_->windowTitle()));
    }

    void asManyAsOneLikesStandSideBySide() {
        QVERIFY(open("one.relay"));
        key(Qt::Key_T, Qt::ControlModifier);
        QCOMPARE(tabs_->count(), 2);
        QVERIFY(bar().isVisible());
        QCOMPARE(bar().tabText(1), QStringLiteral("Start page"));
        QVERIFY(!tabs_->current().document().isOpen());
        QVERIFY(open("a&b.relay"));
        QCOMPARE(bar().tabText(0), QStringLiteral("one.relay"));
        QCOMPARE(bar().tabText(1), QStringLiteral("a&&b.relay"));
        QVERIFY(tabs_->windowTitle().contains("a&b.relay"));
        tabs_->grab().save(QStringLiteral(PARTITA_BINARY_DIR "/screenshots/model-tabs.png"));
        // A key counts for what is seen.
        key(Qt::Key_F6);
        QVERIFY(settle());
        QVERIFY(tabs_->window(1).document().choice().annotate);
        QVERIFY(!tabs_->window(0).document().choice().annotate);
        QTest::mouseClick(&bar(), Qt::LeftButton, Qt::NoModifier, bar().tabRect(0).center());
        QCOMPARE(&tabs_->current(), &tabs_->window(0));
        QVERIFY(tabs_->window(0).isVisible() && !tabs_->window(1).isVisible());
        key(Qt::Key_F7);
        QVERIFY(settle());
        QVERIFY(tabs_->window(0).document().choice().merge && !tabs_->window(1).document().choice().merge);
        key(Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(bar().currentIndex(), 1);
        key(Qt::Key_Tab, Qt::ControlModifier);
        QCOMPARE(bar().currentIndex(), 0);
    }

    void whatIsSetInOneHoldsInTheNext() {
        key(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(open("one.relay"));
        Settings settings = tabs_->current().settings();
        settings.theme = ThemeChoice::Dark;
        settings.run.repeat = 17;
        tabs_->current().applySettings(settings);
        bar().setCurrentIndex(0);
        QCOMPARE(tabs_->current().settings().theme, ThemeChoice::Dark);
        QCOMPARE(tabs_->current().settings().run.repeat, 17);
        QVERIFY(tabs_->current().settings().recent_files.first().endsWith("one.relay"));
        // Closing the one that did not make the change loses nothing either.
        bar().setCurrentIndex(1);
        closeTab(0);
        QVERIFY(tabs_->close());
        QCOMPARE(Settings::load().run.repeat, 17);
        QVERIFY(Settings::load().recent_files.first().endsWith("one.relay"));
        tabs_->current().applySettings(fixture_->window->settings());
    }

    void aTabClosesAndAsksFirst() {
        QVERIFY(open("one.relay"));
        key(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(open("two.relay"));
        work();
        bar().setCurrentIndex(0);
        closeTab(1);
        auto* question = tabs_->window(1).findChild<QMessageBox*>("leave-document");
        QVERIFY(question);
        QCOMPARE(bar().currentIndex(), 1);  // what is asked about is seen
        question->button(QMessageBox::Cancel)->click();
        QCOMPARE(tabs_->count(), 2);
        key(Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        question = tabs_->window(1).findChild<QMessageBox*>("leave-document");
        QVERIFY(question);
        question->button(QMessageBox::Discard)->click();
        QTRY_COMPARE(tabs_->count(), 1);
        QVERIFY(!bar().isVisible());
        QVERIFY2(tabs_->windowTitle().contains("one.relay"), qPrintable(tabs_->windowTitle()));
        QVERIFY(!tabs_->current().action("close-model")->isEnabled());
        QVERIFY(tabs_->isVisible());
    }

    void leavingTheProgramAsksForEachAndStopsWhereOneStays() {
        QVERIFY(open("one.relay"));
        work();
        key(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(open("two.relay"));
        work();
        key(Qt::Key_T, Qt::ControlModifier);
        key(Qt::Key_Q, Qt::ControlModifier);
        QCOMPARE(tabs_->count(), 2);  // the start page needs no question
        answer(QMessageBox::Cancel);
        QVERIFY(tabs_->isVisible());
        QCOMPARE(tabs_->count(), 2);
        // Whoever closes one tab after that does not leave the program.
        closeTab(1);
        answer(QMessageBox::Discard);
        QTRY_COMPARE(tabs_->count(), 1);
        QTest::qWait(20);
        QVERIFY(tabs_->isVisible());
        QVERIFY(!tabs_->current().findChild<QMessageBox*>("leave-document"));
        key(Qt::Key_Q, Qt::ControlModifier);
        answer(QMessageBox::Discard);
        QTRY_VERIFY(!tabs_->isVisible());
    }

    void afterEachAnswerTheNextIsAskedUntilAllAreClosed() {
        QVERIFY(open("one.relay"));
        work();
        key(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(open("two.relay"));
        work();
        tabs_->close();
        answer(QMessageBox::Discard);
        QTRY_COMPARE(tabs_->count(), 1);
        QTRY_VERIFY(tabs_->current().findChild<QMessageBox*>("leave-document"));
        answer(QMessageBox::Discard);
        QTRY_VERIFY(!tabs_->isVisible());
    }

    void aPresentationHidesTheTabsAndEndsWithThem() {
        key(Qt::Key_T, Qt::ControlModifier);
        QVERIFY(open("one.relay"));
        tabs_->current().action("presentation")->trigger();
        QVERIFY(settle());
        QVERIFY(tabs_->isFullScreen() && !bar().isVisible());
        key(Qt::Key_Tab, Qt::ControlModifier);
        QVERIFY(settle());
        QTRY_VERIFY(!tabs_->isFullScreen() && bar().isVisible());
        QVERIFY(!tabs_->window(1).action("presentation")->isChecked());
        QVERIFY(tabs_->window(0).menuBar()->isVisible());
    }

private:
    QTabBar& bar() { return *tabs_->findChild<QTabBar*>("model-tabs"); }
    bool settle() { return tabs_->current().waitUntilSettled(60000); }
    bool open(const QString& name) {
        tabs_->current().opening().openFile(fixture_->file(name, kOneDivide));
        return settle() && tabs_->current().document().isOpen();
    }
    /// Something that no project holds.
    void work() {
        Document& document = tabs_->current().document();
        const Module& module = *document.shownModule();
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.called_op(ExprId(i)).valid()) {
                document.giveToBackend({ExprId(i)}, -1);
                break;
            }
        QVERIFY(settle());
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        tabs_->activateWindow();  // after a question
        QVERIFY(QTest::qWaitForWindowActive(tabs_.get()));
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : tabs_.get(), key, modifiers);
    }
    void closeTab(int tab) { emit bar().tabCloseRequested(tab); }
    void answer(QMessageBox::StandardButton button) {
        auto* question = tabs_->current().findChild<QMessageBox*>("leave-document");
        QVERIFY(question);
        question->button(button)->click();
    }
    std::unique_ptr<WindowFixture> fixture_;
    std::unique_ptr<ModelTabs> tabs_;
};

PARTITA_TEST(TestModelTabs)

}  // namespace test_model_tabs

#include "test_model_tabs.moc"
