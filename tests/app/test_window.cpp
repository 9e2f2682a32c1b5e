// The window by real mouse and key events, each main state with a picture in screenshots/ of the build folder.
#include "window_fixture.h"

#include <QAccessible>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBrowser>
#include <QTranslator>
#include <QTreeView>
#include <QXmlStreamReader>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lesson.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/problems/problems_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/number_text.h"
#include "app/gui/window/command_palette.h"
#include "app/gui/window/welcome_page.h"

using namespace partita;

class TestWindow : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void withoutAModuleTheWelcomePageIsShown() {
        fixture_->picture("01-welcome");
        QVERIFY(!fixture_->window->action("merge")->isEnabled());
        QVERIFY2(fixture_->window->action("merge")->toolTip().contains("Open a module first"),
                 qPrintable(fixture_->window->action("merge")->toolTip()));
        QVERIFY(fixture_->window->currentPage() == nullptr);
    }

    void theLineOfEachSampleIsTranslated() {
        QTranslator german;
        QVERIFY(german.load(QStringLiteral(":/translations/partita_de.qm")));
        QCoreApplication::installTranslator(&german);
        const std::vector<Sample> translated = find_samples();
        QCoreApplication::removeTranslator(&german);
        const std::vector<Sample> plain = find_samples();
        QVERIFY(!plain.empty());
        for (size_t i = 0; i < plain.size(); ++i) QVERIFY2(translated[i].line != plain[i].line, qPrintable(plain[i].line));
    }

    void openingShowsTheGraph() {
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(fixture_->view().model()->nodes.size(), size_t(12));
        fixture_->picture("02-opened");
    }

    void aKeyGivesTheSelectedOperatorToABackendAndUndoTakesItBack() {
        QVERIFY(fixture_->openOneDivide());
        const int64_t add = fixture_->nodeOf("add");
        fixture_->click(add);
        QCOMPARE(fixture_->window->document().selection().size(), size_t(1));
        QTest::keyClick(&fixture_->view(), Qt::Key_1);
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("ccompiler"));  // at once, before any job
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("ccompiler"));
        QCOMPARE(fixture_->window->document().flow()->regions.size(), size_t(1));
        fixture_->picture("03-by-hand");
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("default"));
        QVERIFY(!fixture_->window->document().flow());
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(add), QStringLiteral("ccompiler"));
    }

    void passesOneAtATimeAndThenASubFunctionIsOpened() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        QTest::keyClick(&window, Qt::Key_F4);
        QVERIFY(fixture_->settle());
        QVERIFY(window.action("annotate")->isChecked());
        const size_t unmerged = window.document().flow()->regions.size();
        fixture_->picture("04-annotated");
        QTest::keyClick(&window, Qt::Key_F4);
        QVERIFY(fixture_->settle());
        QVERIFY(window.action("merge")->isChecked());
        QVERIFY(window.document().flow()->regions.size() < unmerged);
        fixture_->picture("05-merged");
        QVERIFY(!window.document().partitioned());
        QTest::keyClick(&window, Qt::Key_F4);
        QVERIFY(fixture_->settle());
        QVERIFY(window.document().partitioned());
        const QString name = QString::fromStdString(window.document().flow()->regions.front().function);
        window.openFunction(name, true);
        QVERIFY(fixture_->settle());
        QCOMPARE(window.currentPage()->target().function, name);
        QVERIFY(fixture_->view().hasGraph());
        fixture_->picture("06-sub-function");
        // Taking the partition back closes the tab of a function that is gone.
        window.document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(window.pages().count(), 1);
    }

    void theInspectorSaysWhyAnOperatorStaysOnDefault() {
        QVERIFY(fixture_->openOneDivide());
        fixture_->window->action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("divide"));
        QVERIFY(fixture_->settle());
        const QString text = fixture_->window->inspector().text().toPlainText();
        QVERIFY2(text.contains("divide"), qPrintable(text));
        QVERIFY2(text.contains("does not go to ccompiler"), qPrintable(text));
        fixture_->picture("07-inspector");
    }

    void searchFindsStepsAndSelects() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        SearchBar& bar = fixture_->window->currentPage()->searchBar();
        QVERIFY(bar.isVisible());
        QTest::keyClicks(bar.edit(), "op:div*");
        QCOMPARE(int(std::count(fixture_->view().decoration()->search_hit.begin(), fixture_->view().decoration()->search_hit.end(), 1)), 2);
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        const int64_t first = fixture_->view().currentNode();
        QTest::keyClick(bar.edit(), Qt::Key_Return);
        QVERIFY(fixture_->view().currentNode() != first);
        fixture_->picture("08-search");
        QTest::keyClick(bar.edit(), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(fixture_->window->document().selection().size(), size_t(2));
        QTest::keyClick(bar.edit(), Qt::Key_Escape);
        QVERIFY(!bar.isVisible());
    }

    void digitsInTheSearchLineAreTextAndNotCommands() {
        QVERIFY(fixture_->openOneDivide());
        fixture_->click(fixture_->nodeOf("add"));
        QTest::keyClick(fixture_->window.get(), Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(fixture_->window->currentPage()->searchBar().edit(), "10");
        QCOMPARE(fixture_->window->currentPage()->searchBar().query(), QStringLiteral("10"));
        QCOMPARE(fixture_->window->document().undoStack().count(), 0);
    }

    void rubberBandAndControlClickSelect() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        const int64_t add = fixture_->nodeOf("add"), multiply = fixture_->nodeOf("multiply");
        view.fit();
        fixture_->click(add);
        fixture_->click(multiply, Qt::ControlModifier);
        QCOMPARE(view.selectedNodes().size(), size_t(2));
        QTest::keyClick(&view, Qt::Key_Escape);
        QVERIFY(view.selectedNodes().empty());
        QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, QPoint(3, 3));
        QTest::mouseMove(&view, QPoint(view.width() / 2, view.height() / 2));
        QTest::mouseMove(&view, QPoint(view.width() - 3, view.height() - 3));
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier, QPoint(view.width() - 3, view.height() - 3));
        QVERIFY(view.selectedNodes().size() >= 10);
    }

    void arrowKeysFollowEdges() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        fixture_->click(fixture_->nodeOf("subtract"));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.model()->nodes[size_t(view.currentNode())].title, QStringLiteral("divide"));
        QTest::keyClick(&view, Qt::Key_Down);
        QCOMPARE(view.model()->nodes[size_t(view.currentNode())].title, QStringLiteral("add"));
    }

    void draggingAndTheWheelMoveTheView() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        const QPointF before = view.visibleArea().center();
        QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, QPoint(4, 4));
        QTest::mouseMove(&view, QPoint(40, 50));
        QTest::mouseMove(&view, QPoint(64, 84));
        QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, QPoint(64, 84));
        QVERIFY(view.visibleArea().center().y() < before.y());
        const double zoom = view.zoom();
        QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.zoom() > zoom);
        QTest::keyClick(&view, Qt::Key_F);
        QVERIFY(view.visibleArea().contains(view.geometry().bounds));
    }

    void thePictureStaysSensibleWhenTheDivisionChanges() {
        const QString path = QStringLiteral(PARTITA_BINARY_DIR "/models/resnet18.relay");
        if (!QFile::exists(path)) QSKIP("the build writes this model with the target 'models'");
        QVERIFY(fixture_->open(path));
        MainWindow& window = *fixture_->window;
        const auto seen = [&] {
            const QRectF visible = fixture_->view().visibleArea();
            return std::count_if(fixture_->view().geometry().nodes.begin(), fixture_->view().geometry().nodes.end(),
                                 [&](const QRectF& node) { return node.intersects(visible); });
        };
        for (const char* step : {"simplify", "whole-flow", "partition", "merge", "simplify"}) {
            window.action(step)->trigger();
            QVERIFY(fixture_->settle());
            QVERIFY2(seen() >= 8, step);
            QVERIFY2(fixture_->view().zoom() > 0.2, qPrintable(QString::number(fixture_->view().zoom())));
        }
        // Nothing but empty canvas in sight: the next layout brings the graph back.
        fixture_->view().setZoom(1, QPointF());
        fixture_->view().centreOn(fixture_->view().geometry().bounds.bottomLeft() + QPointF(-300, 0));
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(seen() > 0);
        // Who let the whole graph be fitted sees the whole graph again.
        fixture_->view().fit();
        window.action("partition")->trigger();
        window.action("merge")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->view().visibleArea().contains(fixture_->view().geometry().bounds));
    }

    void aSelectionFarApartIsShownAtItsNearestNode() {
        const QString path = QStringLiteral(PARTITA_BINARY_DIR "/models/resnet18.relay");
        if (!QFile::exists(path)) QSKIP("the build writes this model with the target 'models'");
        QVERIFY(fixture_->open(path));
        GraphView& view = fixture_->view();
        std::vector<uint32_t> all;
        for (int i = 0; fixture_->nodeOf("nn.relu", i) >= 0; ++i) all.push_back(uint32_t(fixture_->nodeOf("nn.relu", i)));
        view.fit();
        QVERIFY(view.zoom() < 0.2);
        view.reveal(all);
        QVERIFY2(view.zoom() >= 0.5, qPrintable(QString::number(view.zoom())));
        const bool any = std::any_of(all.begin(), all.end(), [&](uint32_t node) { return view.visibleArea().contains(view.geometry().nodes[node]); });
        QVERIFY(any);
        // One dot among thousands is no answer: it is shown large enough to read.
        view.fit();
        view.reveal({all.back()});
        QVERIFY(view.zoom() >= 0.5);
        QVERIFY(view.visibleArea().contains(view.geometry().nodes[all.back()]));
    }

    void aThemeForOneStartIsNotRemembered() {
        MainWindow& window = *fixture_->window;
        Settings settings = window.settings();
        settings.theme_of_this_start = ThemeChoice::Dark;
        window.applySettings(settings, false);
        QVERIFY(fixture_->window->palette().color(QPalette::Window).lightness() < 128);
        // Whatever is remembered later, this is not.
        settings = window.settings();
        settings.canvas.minimap = !settings.canvas.minimap;
        window.applySettings(settings);
        QVERIFY(fixture_->window->palette().color(QPalette::Window).lightness() < 128);
        QCOMPARE(int(Settings::load().theme), int(ThemeChoice::Light));
        QVERIFY(!Settings::load().theme_of_this_start.has_value());
        // A theme that a person chooses counts at once and stays.
        settings = window.settings();
        settings.theme = ThemeChoice::Dark;
        window.applySettings(settings);
        QCOMPARE(int(Settings::load().theme), int(ThemeChoice::Dark));
    }

    void runningShowsTimesAndHeat() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QTest::keyClick(&window, Qt::Key_F5);
        QVERIFY(fixture_->settle());
        QVERIFY2(window.document().runOutcome().has_value(), qPrintable(fixture_->takeMessage()));
        QVERIFY(window.timing().model().rowCount() > 0);
        window.timing().heatSwitch().setChecked(true);
        QVERIFY(!fixture_->view().decoration()->heat.empty());
        fixture_->picture("09-run");
        window.timing().table().setCurrentIndex(window.timing().table().model()->index(0, 0));
        QVERIFY(!window.document().selection().empty());
        for (const OutputDifference& difference : window.document().runOutcome()->report.differences)
            QVERIFY(difference.within_tolerance);
    }

    void stepsReplayTheDecisions() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(window.steps().rowCount() > 5);
        window.showPanel(&window.steps());
        QTest::keyClick(&window, Qt::Key_F11);
        QCOMPARE(window.steps().currentRow(), 0);
        for (int i = 0; i < 4; ++i) QTest::keyClick(&window, Qt::Key_F11);
        QCOMPARE(window.steps().currentRow(), 4);
        fixture_->picture("10-steps");
        const auto placed = [&] {
            const std::vector<int16_t>& backend = fixture_->view().decoration()->backend;
            return std::count_if(backend.begin(), backend.end(), [](int16_t b) { return b >= 0; });
        };
        const auto at_step = placed();
        window.steps().stop();
        QVERIFY(placed() > at_step);
    }

    void textShowsBeforeAndAfterAndFollowsTheSelection() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("whole-flow")->trigger();
        window.showPanel(&window.text());
        QVERIFY(fixture_->settle());
        QVERIFY(window.text().before().toPlainText().contains("divide"));
        QVERIFY(window.text().after().toPlainText().contains("Compiler=\"ccompiler\""));
        fixture_->click(fixture_->nodeOf("subtract"));
        QVERIFY(fixture_->settle());
        QVERIFY(!window.text().before().extraSelections().isEmpty());
        fixture_->picture("11-text");
    }

    void exportWritesEveryForm_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("begins");
        QTest::newRow("relay") << "out.relay" << QByteArray("#[version");
        QTest::newRow("json") << "out.json" << QByteArray("{");
        QTest::newRow("svg") << "out.svg" << QByteArray("<");
        QTest::newRow("png") << "out.png" << QByteArray("\x89PNG");
        QTest::newRow("pdf") << "out.pdf" << QByteArray("%PDF");
        QTest::newRow("dot") << "out.dot" << QByteArray("digraph");
    }
    void exportWritesEveryForm() {
        QFETCH(QString, name);
        QFETCH(QByteArray, begins);
        QVERIFY(fixture_->openOneDivide());
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QTemporaryDir folder;
        fixture_->window->exportTo(folder.filePath(name));
        QVERIFY(fixture_->settle());
        QFile file(folder.filePath(name));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(fixture_->takeMessage()));
        QVERIFY(file.readAll().contains(begins));
    }

    void aBadFileGivesAMessageAndTheOldDocumentStays() {
        QVERIFY(fixture_->openOneDivide());
        const QString before = fixture_->window->document().path();
        fixture_->window->openFile(fixture_->file("bad.relay", "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n  no.such_op(%x)\n}\n"));
        QVERIFY(fixture_->settle());
        fixture_->picture("12-bad-file");
        const QString message = fixture_->takeMessage();
        QVERIFY2(message.contains("bad.relay:3"), qPrintable(message));
        QCOMPARE(fixture_->window->document().path(), before);
        QVERIFY(fixture_->view().hasGraph());
        QCOMPARE(fixture_->window->document().problems().size(), size_t(1));
        QCOMPARE(fixture_->window->document().problems()[0].position.line, 3u);
        fixture_->window->openFile("/nonexistent/file.relay");
        QVERIFY(fixture_->settle());
        QVERIFY(!fixture_->takeMessage().isEmpty());
        QCOMPARE(fixture_->window->document().path(), before);
    }

    void aSavedProjectBringsTheDivisionBack() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("merge")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("divide"));
        QTest::keyClick(&fixture_->view(), Qt::Key_2);
        QVERIFY(fixture_->settle());
        QTemporaryDir folder;
        const QString path = folder.filePath("work.partita");
        window.saveTo(path);
        QVERIFY(fixture_->settle());
        QCOMPARE(window.document().projectPath(), path);
        window.document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("divide")), QStringLiteral("default"));
        QVERIFY(fixture_->open(path));
        QVERIFY2(window.document().problems().empty(), qPrintable(window.document().problems().empty() ? QString() : window.document().problems()[0].text));
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("divide")), QStringLiteral("dnnl"));
        QVERIFY(window.document().choice().merge);
        // One that names another module's operators gives a message and changes nothing.
        window.openFile(fixture_->file("broken.partita", "{\"format\": \"partita\", \"version\": 99}"));
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->takeMessage().contains("newer version"));
        QCOMPARE(window.document().projectPath(), path);
    }

    void theHelpLeadsToThePagesForDevelopers() {
        fixture_->window->action("help")->trigger();
        auto* dialog = fixture_->window->findChild<QDialog*>("help-window");
        QVERIFY(dialog);
        auto* text = dialog->findChild<QTextBrowser*>();
        for (const char* page : {"rules.md", "architecture.md", "extending.md"}) {
            QVERIFY2(text->toHtml().contains(QStringLiteral("href=\"%1\"").arg(page)), qPrintable(text->toMarkdown().right(600)));
            text->setSource(QUrl(page));
            QVERIFY2(text->toPlainText().contains("operator"), page);
            text->setSource(QUrl("en.md"));
        }
        dialog->close();
    }

    void annotationsWithoutMetadataAreTakenForTheFirstBackend() {
        QVERIFY(fixture_->open(fixture_->file("annotated.relay", R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) {
  %0 = annotation.compiler_begin(%x, meta[relay.attrs.CompilerAttrs][0]);
  %1 = exp(%0);
  annotation.compiler_end(%1, meta[relay.attrs.CompilerAttrs][0])
}
)")));
        MainWindow& window = *fixture_->window;
        QCOMPARE(window.document().problems().size(), size_t(1));
        QVERIFY(!window.action("annotate")->isEnabled());
        window.action("partition")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(window.document().flow()->regions.size(), size_t(1));
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("exp")), QStringLiteral("ccompiler"));
    }

    void aDroppedFileIsOpened() {
        const QString path = fixture_->file("dropped.relay", kOneDivide);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture_->window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(fixture_->window.get(), &drop);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().path(), path);
    }

    void theCommandPaletteRunsACommandByName() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = fixture_->window->findChild<CommandPalette*>();
        QVERIFY(palette);
        QTest::keyClicks(&palette->edit(), "whole");
        QCOMPARE(palette->list().count(), 1);
        QTest::keyClick(&palette->edit(), Qt::Key_Return);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->window->document().partitioned());
    }

    void aLessonSpeaksTheLanguageOfThePersonWhereSomebodyWroteThat() {
        const QString path = QStringLiteral(":/lessons/1-regions.json");
        const Result<Lesson> english = open_lesson(path);
        const QLocale before;
        QLocale::setDefault(QLocale(QStringLiteral("de_AT")));
        Result<Lesson> german = open_lesson(path);
        QLocale::setDefault(QLocale(QStringLiteral("zh_CN")));
        const Result<Lesson> chinese = open_lesson(path);
        QLocale::setDefault(QLocale(QStringLiteral("fr_FR")));
        const Result<Lesson> untranslated = open_lesson(path);
        QLocale::setDefault(before);
        QVERIFY(english && german && chinese && untranslated);
        QCOMPARE(english->title, QStringLiteral("1. What a region is"));
        QCOMPARE(german->title, QStringLiteral("1. Was eine Region ist"));
        QVERIFY(chinese->title.contains(QStringLiteral("区域")));
        QCOMPARE(untranslated->title, english->title);
        QCOMPARE(german->graph, english->graph);
        QCOMPARE(german->pages.size(), english->pages.size());
        QVERIFY(german->pages[2].question && german->pages[2].question->region_of == english->pages[2].question->region_of);
        QVERIFY(german->pages[2].question->right != english->pages[2].question->right);
        // What a translation lacks, or gets wrong, stays as it was.
        const QString title = german->title;
        for (const char* text : {"", "[1", "[]", R"({"title": 3, "pages": [1, {"text": []}, {}, {}, {}, {}, {}, {"text": "more"}]})"}) translate_lesson(*german, text);
        QCOMPARE(german->title, title);
        // Each lesson and translation of the sources is in the program itself; so is the help.
        for (const QFileInfo& file : QDir(QStringLiteral(PARTITA_SOURCE_DIR "/resources/lessons")).entryInfoList({QStringLiteral("*.json")}))
            QVERIFY2(QFile::exists(QStringLiteral(":/lessons/") + file.fileName()), qPrintable(file.fileName()));
        for (const char* help : {"en", "de", "zh"}) QVERIFY(QFile::exists(QStringLiteral(":/help/%1.md").arg(QLatin1String(help))));
        // They are no lessons of their own.
        for (const QString& lesson : find_lessons()) QVERIFY2(!QFileInfo(lesson).completeBaseName().contains(QLatin1Char('.')), qPrintable(lesson));
    }

    void eachLessonIsTranslatedWhole() {
        const QLocale before;
        for (const QString& file : find_lessons()) {
            QLocale::setDefault(QLocale(QStringLiteral("en_US")));
            const Result<Lesson> english = open_lesson(file);
            for (const char* language : {"de_DE", "zh_CN"}) {
                QLocale::setDefault(QLocale(QLatin1String(language)));
                const Result<Lesson> lesson = open_lesson(file);
                QLocale::setDefault(before);
                QVERIFY(english && lesson);
                QVERIFY2(lesson->title != english->title, qPrintable(file));
                for (size_t page = 0; page < english->pages.size(); ++page) {
                    QVERIFY2(lesson->pages[page].text != english->pages[page].text, qPrintable(file));
                    if (!english->pages[page].question) continue;
                    QVERIFY2(lesson->pages[page].question->right != english->pages[page].question->right, qPrintable(file));
                    QVERIFY2(lesson->pages[page].question->wrong != english->pages[page].question->wrong, qPrintable(file));
                }
            }
        }
    }

    void theLastPageOfALessonLeadsToTheNext() {
        LessonsPanel& lessons = fixture_->window->lessons();
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
        QCOMPARE(fixture_->window->document().title(), lessons.lessonTitles()[1]);
        QCOMPARE(lessons.currentPage(), 0);
        QCOMPARE(next->text(), QStringLiteral("Next"));
        lessons.start(lessons.lessonCount() - 1);
        QVERIFY(fixture_->settle());
        for (int page = 1; page < lessons.pageCount(); ++page) lessons.next();
        QVERIFY(!next->isEnabled());
        lessons.next();
        QCOMPARE(lessons.currentPage(), lessons.pageCount() - 1);
    }

    void figuresFollowTheLocaleButWhatIsCopiedDoesNot() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture_->settle());
        window.action(QStringLiteral("run"))->trigger();
        QVERIFY(fixture_->settle());
        const QLocale before;
        QLocale::setDefault(QLocale(QStringLiteral("de_DE")));
        QCOMPARE(number_text(1234.5, 2), QStringLiteral("1234,50"));
        QCOMPARE(percent_text(0.333), QStringLiteral("33,3\u00a0%"));
        QCOMPARE(bytes_text(1536), QStringLiteral("1,5 KiB"));
        const TimingModel& model = window.timing().model();
        const QModelIndex median = model.index(0, TimingModel::Median, {});
        const QString shown = median.data().toString(), copied = model.toCsv();
        QLocale::setDefault(before);
        QVERIFY2(shown.contains(QLatin1Char(',')) && !shown.contains(QLatin1Char('.')), qPrintable(shown));
        for (const QString& line : copied.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) QCOMPARE(line.count(QLatin1Char(',')), 14);
    }

    void whatIsOpenedNextBeginsWithTheBackendsLastInUse() {
        MainWindow& window = *fixture_->window;
        const auto names = [&window] {
            QStringList all;
            for (const BackendPtr& backend : window.document().choice().backends) all << QString::fromStdString(backend->name);
            return all.join(QLatin1Char(' '));
        };
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(names(), QStringLiteral("ccompiler dnnl"));
        window.document().setBackends({std::make_shared<const BackendDescription>(*builtin_backend("conv1x1_engine"))});
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(names(), QStringLiteral("conv1x1_engine"));
        window.document().setBackends({std::make_shared<const BackendDescription>(*builtin_backend("dnnl"))});
        window.document().undoStack().undo();
        // A lesson brings its own, and a change of those stays in it.
        window.lessons().start(0);
        QVERIFY(fixture_->settle());
        QCOMPARE(names(), QStringLiteral("teach_a"));
        window.document().setBackends({std::make_shared<const BackendDescription>(*builtin_backend("ccompiler"))});
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(names(), QStringLiteral("conv1x1_engine"));
        // So does a project.
        const QString project = QFileInfo(window.document().path()).dir().filePath(QStringLiteral("own.partita"));
        window.saveTo(project);
        QVERIFY(fixture_->settle());
        window.document().setBackends({std::make_shared<const BackendDescription>(*builtin_backend("ccompiler"))});
        QVERIFY(fixture_->open(project));
        QCOMPARE(names(), QStringLiteral("conv1x1_engine"));
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(names(), QStringLiteral("ccompiler"));
    }

    void theSizeOfTextIsKeptForTheNextStart() {
        const int before = fixture_->window->menuBar()->fontMetrics().height();
        Settings settings = fixture_->window->settings();
        settings.text_scale = 1.75;
        fixture_->window->applySettings(settings);
        const int large = fixture_->window->menuBar()->fontMetrics().height();
        QVERIFY(large > before * 1.5);
        settings.text_scale = 1;
        fixture_->window->applySettings(settings, false);  // the application's type is as at a start
        QCOMPARE(fixture_->window->menuBar()->fontMetrics().height(), before);
        {
            MainWindow next;
            next.show();
            QCOMPARE(next.settings().text_scale, 1.75);
            QCOMPARE(next.menuBar()->fontMetrics().height(), large);
            QCOMPARE(next.outline().fontMetrics().height(), large);
            QCOMPARE(next.findChild<QWidget*>(QStringLiteral("dock-title"))->fontMetrics().height(), large);
            // And it still fits a small screen.
            next.resize(1280, 800);
            next.openFile(fixture_->file(QStringLiteral("small.relay"), kOneDivide));
            QVERIFY(next.waitUntilSettled(60000));
            next.compare();
            QVERIFY(next.waitUntilSettled(60000));
            QVERIFY2(next.width() <= 1280 && next.height() <= 800, qPrintable(QStringLiteral("%1 x %2").arg(next.width()).arg(next.height())));
        }
        fixture_->window->applySettings(settings);
    }

    void aFolderThatIsNotThereYetCanBeChosenByTheButton() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        bool enabled = false;
        QTimer::singleShot(600, &window, [&enabled] {
            QWidget* dialog = QApplication::activeModalWidget();
            if (!dialog) return;
            for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
                if (!button->text().contains(QLatin1String("Write"))) continue;
                enabled = button->isEnabled();
                button->click();
            }
            dialog->close();
        });
        window.action(QStringLiteral("export-c"))->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(enabled);
        QVERIFY(QFile::exists(QFileInfo(window.document().path()).dir().filePath(QStringLiteral("one-divide-c/model.c"))));
    }

    void theInspectorTellsWhatDecidedBeforeAllElse() {
        QVERIFY(fixture_->open(fixture_->file("relu.relay", R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4, 8), float32]) {
  %0 = nn.leaky_relu(%x, alpha=0.5f);
  nn.relu(%0)
}
)")));
        MainWindow& window = *fixture_->window;
        window.setBackends({QStringLiteral("dnnl")});
        window.action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("nn.relu"));
        QVERIFY(fixture_->settle());
        const QString text = window.inspector().findChild<QTextBrowser*>()->toPlainText();
        const qsizetype decided = text.indexOf("ops.nn.relu accepts it"), inputs = text.indexOf("Inputs"),
                        vain = text.indexOf("Patterns that do not fit");
        QVERIFY2(decided >= 0 && decided < inputs && inputs < vain, qPrintable(text));
    }

    void stepsTellOfPartitioningOnlyWhereThatWasAskedFor() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        const auto tells = [&window] {
            const QAbstractItemModel& list = *window.steps().findChild<QListView*>()->model();
            for (int row = 0; row < list.rowCount(); ++row)
                if (list.index(row, 0).data().toString().contains(QLatin1String("Partition"))) return true;
            return false;
        };
        window.action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(window.steps().rowCount() > 0 && !tells());
        window.action(QStringLiteral("partition"))->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(tells());
    }

    void aLessonOpensItsGraphAsksAndCompares() {
        MainWindow& window = *fixture_->window;
        QTest::keyClick(&window, Qt::Key_F2);
        LessonsPanel& lessons = window.lessons();
        QCOMPARE(lessons.lessonCount(), 7);
        for (int lesson = 0; lesson < lessons.lessonCount(); ++lesson) {
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
        fixture_->click(fixture_->nodeOf("subtract"));
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Missing: add"), qPrintable(lessons.answerText()));
        fixture_->picture("17-lesson");
        fixture_->click(fixture_->nodeOf("add"), Qt::ControlModifier);
        lessons.check();
        QVERIFY2(lessons.answerText().contains("Right"), qPrintable(lessons.answerText()));
    }

    void aPredictionOfAllRegionsIsComparedAndExplained() {
        MainWindow& window = *fixture_->window;
        QTest::keyClick(&window, Qt::Key_F2);
        window.lessons().start(6);
        QVERIFY(fixture_->settle());
        PredictionView& prediction = window.lessons().prediction();
        QVERIFY(prediction.isPredicting());
        const auto mark = [&](std::vector<int64_t> nodes) {
            for (size_t i = 0; i < nodes.size(); ++i) fixture_->click(nodes[i], i ? Qt::ControlModifier : Qt::NoModifier);
            QTest::keyClick(&fixture_->view(), Qt::Key_G);
        };
        // add, multiply and subtract round exp, which no backend takes; sqrt without tanh.
        mark({fixture_->nodeOf("add"), fixture_->nodeOf("exp"), fixture_->nodeOf("subtract")});
        mark({fixture_->nodeOf("multiply")});
        mark({fixture_->nodeOf("sqrt")});
        mark({fixture_->nodeOf("add", 1)});
        QCOMPARE(prediction.marked().size(), size_t(4));
        QCOMPARE(fixture_->view().decoration()->regions.size(), size_t(4));
        prediction.compare();
        QVERIFY(fixture_->settle());
        const QString text = prediction.resultText();
        QVERIFY2(text.contains("1 of 4 regions right"), qPrintable(text));
        QVERIFY2(text.contains("Region 4 is right: add #7"), qPrintable(text));
        QVERIFY2(text.contains("On default: exp #2. teach_a: no rule for exp. teach_b: no rule for exp."), qPrintable(text));
        QVERIFY2(text.contains("Region 1 is two: add #1 (A) and subtract #4 (B). Together they would depend on themselves:"), qPrintable(text));
        QVERIFY2(text.contains("exp #2"), qPrintable(text));
        QVERIFY2(text.contains("add #1, multiply #3 belong together (A), but stand in regions 1, 2"), qPrintable(text));
        QVERIFY2(text.contains("Missing in region 3: tanh #5. Taken by teach_b."), qPrintable(text));
        fixture_->picture("17b-prediction");
        // Marked anew, what was there before is given up.
        mark({fixture_->nodeOf("add"), fixture_->nodeOf("multiply")});
        mark({fixture_->nodeOf("subtract")});
        mark({fixture_->nodeOf("tanh"), fixture_->nodeOf("sqrt")});
        fixture_->click(fixture_->nodeOf("exp"));
        prediction.unmarkSelection();
        prediction.compare();
        QVERIFY(fixture_->settle());
        QVERIFY2(prediction.resultText().contains("All right."), qPrintable(prediction.resultText()));
        // Without a lesson, on any graph; and the canvas is as it was when another one is opened.
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(!prediction.isPredicting());
        QVERIFY(!window.action("mark-region")->isEnabled());
        QTest::keyClick(&window, Qt::Key_F2, Qt::ShiftModifier);
        QVERIFY(prediction.isPredicting());
        mark({fixture_->nodeOf("add"), fixture_->nodeOf("subtract")});
        prediction.compare();
        QVERIFY(fixture_->settle());
        QVERIFY2(prediction.resultText().contains("Region 1 is right"), qPrintable(prediction.resultText()));
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(fixture_->view().decoration()->regions.empty());
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
        QVERIFY(window.font().pointSizeF() > type * 1.5);
        QVERIFY(!window.menuBar()->isVisible() && !window.outline().isVisible() && !window.steps().isVisible());
        QVERIFY(caption->isVisible());
        QTest::keyClick(&window, Qt::Key_F11);
        QVERIFY(fixture_->settle());
        QVERIFY2(caption->text().contains("multiply #1 goes to"), qPrintable(caption->text()));
        QVERIFY(!window.steps().isVisible());
        fixture_->picture("19-presentation");
        QTest::keyClick(&fixture_->view(), Qt::Key_Escape);
        QVERIFY(fixture_->settle());
        QCOMPARE(window.font().pointSizeF(), type);
        QVERIFY(window.menuBar()->isVisible() && window.outline().isVisible() && !caption->isVisible());
    }

    void everyTextIsTranslatedWithItsPlaceholders() {
        static const QRegularExpression place(QStringLiteral("%(L?[0-9]+|n)"));
        const auto places = [](const QString& text) {
            QSet<QString> found;
            for (auto match = place.globalMatch(text); match.hasNext();) found.insert(match.next().captured());
            return found;
        };
        for (const char* language : {"de", "zh_CN", "en"}) {
            QFile file(QStringLiteral(PARTITA_SOURCE_DIR "/resources/translations/partita_%1.ts").arg(QLatin1String(language)));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QXmlStreamReader reader(&file);
            QString source;
            int texts = 0;
            while (!reader.atEnd()) {
                if (reader.readNext() != QXmlStreamReader::StartElement) continue;
                if (reader.name() == QLatin1String("source")) source = reader.readElementText();
                else if (reader.name() == QLatin1String("translation")) {
                    QVERIFY2(!reader.attributes().hasAttribute("type"), qPrintable(QLatin1String(language) + QStringLiteral(" lacks: ") + source));
                    const QString translation = reader.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
                    QVERIFY2(!translation.isEmpty(), qPrintable(source));
                    QVERIFY2(places(translation) == places(source), qPrintable(source + QStringLiteral(": ") + translation));
                    ++texts;
                }
            }
            QVERIFY(!reader.hasError());
            QVERIFY2(texts >= 20, language);
        }
    }

    void noTwoCommandsHaveOneKey() {
        QHash<QString, QString> taken;
        for (QAction* action : fixture_->window->findChildren<QAction*>())
            for (const QKeySequence& key : action->shortcuts()) {
                const QString text = key.toString();
                QVERIFY2(!taken.contains(text) || taken[text] == action->objectName(),
                         qPrintable(QStringLiteral("%1: %2 and %3").arg(text, taken.value(text), action->objectName())));
                taken[text] = action->objectName();
            }
    }

    void whatIsDisabledSaysWhy() {
        const auto check = [this](const QString& state) {
            for (QAction* action : fixture_->window->findChildren<QAction*>()) {
                if (!action->property("group").isValid() || action->isEnabled() || !action->isVisible()) continue;
                QVERIFY2(action->toolTip().contains(QLatin1Char('\n')), qPrintable(state + QLatin1Char(' ') + action->objectName() + QLatin1Char(' ') + action->text()));
            }
        };
        check(QStringLiteral("empty"));
        QVERIFY(fixture_->openOneDivide());
        check(QStringLiteral("opened"));
        QTest::keyClick(fixture_->window.get(), Qt::Key_F9);
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("add"));
        check(QStringLiteral("divided"));
    }

    void everythingOneCanReachHasAName() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_F9);
        QVERIFY(fixture_->settle());
        for (QWidget* widget : fixture_->window->findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible() || widget->objectName().startsWith(QLatin1String("qt_"))) continue;
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            QVERIFY(face);
            const bool named = !face->text(QAccessible::Name).isEmpty() || qobject_cast<QTabBar*>(widget) || widget->focusProxy();
            QVERIFY2(named, qPrintable(QStringLiteral("%1 in %2").arg(QString::fromLatin1(widget->metaObject()->className()),
                                                                      QString::fromLatin1(widget->parentWidget()->metaObject()->className()))));
        }
    }

    void aDiamondShowsTheRefusedMerge() {
        MainWindow& window = *fixture_->window;
        window.lessons().start(1);
        QVERIFY(fixture_->settle());
        window.action("merge")->trigger();
        QVERIFY(fixture_->settle());
        const std::vector<uint8_t>& refused = fixture_->view().decoration()->refused_edge;
        QVERIFY(std::count(refused.begin(), refused.end(), 1) >= 1);
        fixture_->click(fixture_->nodeOf("add", 1));
        QVERIFY(fixture_->settle());
        QVERIFY2(window.inspector().text().toPlainText().contains("they would depend on themselves"), qPrintable(window.inspector().text().toPlainText()));
        fixture_->picture("18-refused");
    }

    void theDarkThemeKeepsEverythingReadable() {
        QVERIFY(fixture_->openOneDivide());
        fixture_->window->action("whole-flow")->trigger();
        Settings settings = fixture_->window->settings();
        settings.theme = ThemeChoice::Dark;
        fixture_->window->applySettings(settings);
        QVERIFY(fixture_->settle());
        fixture_->click(fixture_->nodeOf("add"));
        QVERIFY(fixture_->settle());
        fixture_->picture("13-dark");
        const Theme& theme = fixture_->view().theme();
        QVERIFY(theme.text.lightness() - theme.node.lightness() > 100);
    }

    void resnetShowsWithinASecondAndDivides() {
        const QString path = reference_file("relay-models/resnet18.input.relay");
        if (path.isEmpty()) QSKIP("the reference data is not there");
        fixture_->window->setBackends({QStringLiteral("dnnl")});
        QElapsedTimer timer;
        timer.start();
        QSignalSpy shown(&fixture_->window->document(), &Document::opened);
        fixture_->window->openFile(path);
        while (!(fixture_->window->currentPage() && fixture_->view().hasGraph()) && timer.elapsed() < 30000) QTest::qWait(1);
        qInfo("ResNet-18 from the file to the screen: %lld ms", (long long)timer.elapsed());
        QVERIFY(fixture_->settle());
        fixture_->picture("14-resnet18");
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        fixture_->picture("15-resnet18-partitioned");
        QTest::keyClick(&fixture_->view(), Qt::Key_F);
        QVERIFY(fixture_->settle());
        fixture_->picture("16-resnet18-fit");
    }

private:
    std::unique_ptr<WindowFixture> fixture_;
};

QTEST_MAIN(TestWindow)
#include "test_window.moc"
