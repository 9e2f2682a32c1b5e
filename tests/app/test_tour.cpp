// One walk through the whole program, as on a first afternoon: no step may say anything on the console.
#include "window_fixture.h"

#include <QDialog>
#include <QLineEdit>
#include <QMutex>
#include <QPushButton>
#include <QTabWidget>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "tests/registry.h"

namespace test_tour {

using namespace partita;

namespace {

QMutex lock;
QStringList messages;

/// The platform without a screen says what it lacks; that is not the program's.
void keep(QtMsgType, const QMessageLogContext&, const QString& text) {
    if (text.startsWith(QLatin1String("This plugin does not support"))) return;
    const QMutexLocker guard(&lock);
    messages << text;
}

/// Closes the dialog that the next command opens and waits in.
void closeNextDialog() {
    QTimer::singleShot(400, qApp, [] {
        if (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
    });
}

}  // namespace

class TestTour : public QObject {
    Q_OBJECT

private slots:
    void theWholeTourIsSilentOnTheConsole_data() {
        QTest::addColumn<int>("theme");
        QTest::newRow("light") << int(ThemeChoice::Light);
        QTest::newRow("dark") << int(ThemeChoice::Dark);
    }
    void theWholeTourIsSilentOnTheConsole() {
        QFETCH(int, theme);
        messages.clear();
        const QtMessageHandler before = qInstallMessageHandler(keep);
        walk(ThemeChoice(theme));
        qInstallMessageHandler(before);
        QVERIFY2(messages.isEmpty(), qPrintable(messages.join(QLatin1Char('\n'))));
    }

    void theTourNoticesAMessage() {
        messages.clear();
        const QtMessageHandler before = qInstallMessageHandler(keep);
        qWarning("QObject::connect: no such signal");
        qInstallMessageHandler(before);
        QCOMPARE(messages.size(), 1);
    }

private:
    void trigger(const char* name) {
        QAction* action = fixture_->window->action(QLatin1String(name));
        QVERIFY2(action && action->isEnabled(), name);
        action->trigger();
        QVERIFY(fixture_->settle());
    }

    void walk(ThemeChoice theme) {
        WindowFixture fixture;
        fixture_ = &fixture;
        MainWindow& window = *fixture.window;
        Settings settings = window.settings();
        settings.theme = theme;
        settings.text_scale = 1.25;
        window.applySettings(settings);
        QVERIFY(fixture.open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/residual-block.relay")));
        walkThroughBackendsAndFlow(window);
        walkThroughPanels(window);
        walkThroughReading(window);
        walkThroughLessons(window);
        walkThroughFiles(window);
        QVERIFY(window.close());
        fixture_ = nullptr;
    }

    void walkThroughBackendsAndFlow(MainWindow& window) {
        closeNextDialog();
        window.action(QStringLiteral("backends"))->trigger();
        for (const char* name : {"simplify", "annotate", "merge", "partition", "composite", "composite", "non-call",
                                 "non-call", "run", "heat", "heat"})
            trigger(name);
        for (const char* name : {"step-forward", "step-forward", "step-back"}) trigger(name);
        trigger("play");
        QTest::qWait(900);
        trigger("play");
        window.panels().steps().stop();
        QTest::keyClick(&fixture_->view(), Qt::Key_Home);
        QTest::keyClick(&fixture_->view(), Qt::Key_Down);  // the first is a parameter, which goes nowhere
        for (const char* name : {"backend-2", "undo", "redo", "undo"}) trigger(name);
    }

    void walkThroughPanels(MainWindow& window) {
        for (QWidget* panel : std::initializer_list<QWidget*>{&window.panels().text(), &window.panels().rules(),
                                                              &window.panels().coverage(), &window.panels().problems(),
                                                              &window.panels().timing()}) {
            window.panels().show(panel);
            QVERIFY(fixture_->settle());
        }
        for (int view = 0; view < window.panels().timing().views().count(); ++view) {
            window.panels().timing().views().setCurrentIndex(view);
            QVERIFY(fixture_->settle());
        }
        for (const QSize& size : {QSize(1024, 768), QSize(1700, 1000), QSize(1320, 860)}) {
            window.resize(size);
            QVERIFY(fixture_->settle());
        }
        trigger("compare");
        trigger("close-tab");
    }

    void walkThroughReading(MainWindow& window) {
        trigger("find");
        QLineEdit* line = window.currentPage()->searchBar().edit();
        QTest::keyClicks(line, QStringLiteral("op:nn.*"));
        QTest::keyClick(line, Qt::Key_Return);
        QTest::keyClick(line, Qt::Key_Escape);
        for (const char* name : {"fit", "zoom-in", "zoom-out", "zoom-actual", "weights", "weights", "edge-types",
                                 "edge-types", "minimap", "minimap", "select-region", "select-same", "select-producers",
                                 "select-users", "bookmark", "next-bookmark", "presentation"})
            trigger(name);
        QTest::qWait(300);
        trigger("presentation");
        window.pages().openFunction(QString::fromStdString(window.document().flow()->regions.front().function), true);
        QVERIFY(fixture_->settle());
        trigger("close-tab");
        closeNextDialog();
        window.action(QStringLiteral("settings"))->trigger();
        trigger("help");
        trigger("commands");
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<QDialog*>(widget)) dialog->close();
        QVERIFY(fixture_->settle());
    }

    void walkThroughLessons(MainWindow& window) {
        trigger("lessons");
        for (int lesson = 0; lesson < window.panels().lessons().list().count(); ++lesson) {
            window.panels().lessons().start(lesson);
            QVERIFY(fixture_->settle());
            for (QPushButton* button : window.panels().lessons().findChildren<QPushButton*>())
                if (button->text() == QLatin1String("Next"))
                    for (int page = 0; page < 12 && button->isEnabled(); ++page) {
                        QTest::mouseClick(button, Qt::LeftButton);
                        QVERIFY(fixture_->settle());
                    }
        }
    }

    void walkThroughFiles(MainWindow& window) {
        QTemporaryDir folder;
        for (const char* ending : {"relay", "json", "svg", "png", "pdf", "dot", "html", "md", "onnx"}) {
            window.exports().write(folder.filePath(QStringLiteral("out.") + QLatin1String(ending)));
            QVERIFY(fixture_->settle());
            QVERIFY2(fixture_->takeMessage().isEmpty(), ending);
        }
        window.exports().write(folder.filePath(QStringLiteral("c")), QStringLiteral("c"));
        QVERIFY(fixture_->settle());
        trigger("copy-picture");
        const QString project = folder.filePath(QStringLiteral("tour.partita"));
        window.document().saveProject(project);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->open(project));
    }

    WindowFixture* fixture_ = nullptr;
};

PARTITA_TEST(TestTour)

}  // namespace test_tour

#include "test_tour.moc"
