// What a person is used to: language, settings, keys, names for everything, help, by real events.
#include "window_fixture.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <QToolButton>

#include "app/gui/document/annotator_permits.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/outline/outline_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/style/number_text.h"
#include "app/gui/window/command_palette.h"
#include "app/gui/window/file_watch.h"
#include "app/gui/window/help_window.h"
#include "app/gui/window/settings_dialog.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_language_and_settings {

using namespace partita;
namespace w = onnx_writer;

namespace {

QByteArray relu_model() {
    w::GraphParts parts{
        {w::node("Relu", {"x"}, {"y"})}, {}, {w::value_info("x", {2, 3})}, {w::value_info("y", {2, 3})}};
    return QByteArray::fromStdString(w::model(parts));
}

}  // namespace

class TestLanguageAndSettings : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void withoutADisplayTheProgramSaysSoAndStillPrints() {
        const QString program = QStringLiteral(PARTITA_BINARY_DIR "/app/gui/partita");
        if (!QFile::exists(program)) QSKIP("the window's program is not built");
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
            environment.remove(QLatin1String(name));
        process.setProcessEnvironment(environment);
        const auto run = [&](const QStringList& arguments) {
            process.start(program, arguments);
            return process.waitForFinished(30000) && process.exitStatus() == QProcess::NormalExit ? process.exitCode()
                                                                                                  : -1;
        };
        QCOMPARE(run({}), 1);
        QVERIFY(process.readAllStandardError().contains("there is no display"));
        QCOMPARE(run({QStringLiteral("--version")}), 0);
        QVERIFY(process.readAllStandardOutput().startsWith("Partita "));
        QCOMPARE(run({QStringLiteral("--help")}), 0);
        QVERIFY(process.readAllStandardOutput().contains("--backends"));
    }

    void anUnattendedStartEndsWithAMessageWhereItCannotGoOn_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* arguments, int status, const char* message) {
            QTest::newRow(arguments) << QString::fromLatin1(arguments).split(QLatin1Char(' ')) << status
                                     << QString::fromLatin1(message);
        };
        row("--time-first-picture not-there.relay", 1, "not-there.relay");
        row("--quit not-there.relay", 1, "not-there.relay");
        row("--do annotate --quit not-there.relay", 1, "not-there.relay");
        row("--do no-such-command --quit", 1, "no-such-command");
        row("--time-first-picture", 2, "needs a FILE");
        row("--theme blue --quit", 2, "'blue'");
        row("--size wide --quit", 2, "'wide'");
        row("--size 99999x99999 --quit", 2, "'99999x99999'");
        row("--panel nowhere --quit", 2, "expected outline, inspector, lessons, lesson-editor, steps, timing");
        row("--no-such-option", 1, "no-such-option");
        row("--quit", 0, "");
    }
    void anUnattendedStartEndsWithAMessageWhereItCannotGoOn() {
        QFETCH(QStringList, arguments);
        QFETCH(int, status);
        QFETCH(QString, message);
        const QString program = QStringLiteral(PARTITA_BINARY_DIR "/app/gui/partita");
        if (!QFile::exists(program)) QSKIP("the window's program is not built");
        QProcess process;
        QProcessEnvironment english = QProcessEnvironment::systemEnvironment();
        english.insert(QStringLiteral("LC_ALL"), QStringLiteral("C.UTF-8"));
        english.remove(QStringLiteral("LANGUAGE"));
        process.setProcessEnvironment(english);
        process.start(program, arguments);
        QVERIFY2(process.waitForFinished(30000), "it goes on");
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), status);
        const QString said = QString::fromUtf8(process.readAllStandardError());
        QVERIFY2(said.contains(message), qPrintable(said));
    }

    void theManPageHasEveryOption() {
        const QString program = QStringLiteral(PARTITA_BINARY_DIR "/app/gui/partita");
        if (!QFile::exists(program)) QSKIP("the window's program is not built");
        QProcess process;
        process.start(program, {QStringLiteral("--help")});
        QVERIFY(process.waitForFinished(30000));
        QFile page(QStringLiteral(PARTITA_SOURCE_DIR "/resources/man/partita.1"));
        QVERIFY(page.open(QIODevice::ReadOnly));
        const QString text = QString::fromUtf8(page.readAll()).remove(QLatin1Char('\\'));
        auto options = QRegularExpression(QStringLiteral("--[a-z-]+"))
                           .globalMatch(QString::fromUtf8(process.readAllStandardOutput()));
        QVERIFY(options.hasNext());
        while (options.hasNext()) {
            const QString option = options.next().captured();
            if (option != QLatin1String("--help-all"))
                QVERIFY2(text.contains(option), qPrintable(option));  // Qt's own options
        }
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

    void theHelpLeadsToThePagesForDevelopers() {
        fixture_->window->action("help")->trigger();
        auto* help = fixture_->window->findChild<HelpWindow*>();
        QVERIFY(help);
        QTextBrowser* text = &help->text();
        int tables = 0;
        for (const char* page : {"rules.md", "architecture.md", "extending.md"}) {
            QVERIFY2(text->toHtml().contains(QStringLiteral("href=\"%1\"").arg(page)),
                     qPrintable(text->toMarkdown().right(600)));
            text->setSource(QUrl(page));
            QVERIFY2(text->toPlainText().contains("operator"), page);
            for (QTextFrame* frame : text->document()->rootFrame()->childFrames())
                if (const auto* table = qobject_cast<QTextTable*>(frame)) {
                    QVERIFY2(table->format().borderCollapse(), page);  // one thin line between its cells
                    ++tables;
                }
            text->setSource(QUrl("en.md"));
        }
        QVERIFY(tables > 0);
        help->close();
    }

    void theDrawingOfTheFoldersFitsTheTheme() {
        QImage drawings[2];
        for (const bool dark : {false, true}) {
            Settings settings = fixture_->window->settings();
            settings.theme_of_this_start = dark ? ThemeChoice::Dark : ThemeChoice::Light;
            fixture_->window->applySettings(settings, false);
            fixture_->window->action("help")->trigger();
            auto* help = fixture_->window->findChild<HelpWindow*>();
            help->text().setSource(QUrl("architecture.md"));
            const QVariant drawing =
                help->text().loadResource(QTextDocument::ImageResource, QUrl("../pictures/layers.svg"));
            drawings[dark] = QImage::fromData(drawing.toByteArray());
            QVERIFY(!drawings[dark].isNull());
            QDir(PARTITA_BINARY_DIR).mkpath("screenshots");
            help->grab().save(dark ? PARTITA_BINARY_DIR "/screenshots/help-dark.png"
                                   : PARTITA_BINARY_DIR "/screenshots/help.png");
            delete help;
        }
        QVERIFY(drawings[0] != drawings[1]);
    }

    void theGuidesNameKeysOfCommands_data() {
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "de", "zh"}) QTest::newRow(language) << QString::fromLatin1(language);
    }
    void theGuidesNameKeysOfCommands() {
        QFETCH(QString, language);
        QSet<QString> keys;
        for (const QAction* command : fixture_->window->commands().all())
            for (const QKeySequence& key : command->shortcuts()) keys << key.toString(QKeySequence::PortableText);
        QFile guide(QStringLiteral(":/help/%1.md").arg(language));
        QVERIFY(guide.open(QIODevice::ReadOnly));
        const QString text =
            QString::fromUtf8(guide.readAll()).replace("Strg+", "Ctrl+").replace("Umschalt+", "Shift+");
        static const QRegularExpression named(
            QStringLiteral("Ctrl\\+(?:(?:Shift|Alt)\\+)?(?:F[0-9]+|[A-Z0-9](?![a-z])|,)|(?:Shift\\+)?F[0-9]{1,2}"));
        QStringList unknown;
        int count = 0;
        for (auto match = named.globalMatch(text); match.hasNext(); ++count)
            if (const QString key = match.next().captured(); !keys.contains(key)) unknown << key;
        QCOMPARE(unknown.join(u' '), QString());
        QVERIFY2(count > 35, qPrintable(QString::number(count)));
    }

    void theHelpOpensAtWhatIsWorkedInAndIsSearched() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.panels().show(&window.panels().rules());
        window.panels().rules().findChild<QPlainTextEdit*>()->setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
        auto* help = window.findChild<HelpWindow*>();
        QVERIFY(help);
        QCOMPARE(help->headings().currentItem()->text(), QStringLiteral("Changing rules"));
        QTRY_COMPARE(help->text().textCursor().block().text(), QStringLiteral("Changing rules"));
        QVERIFY(help->text().cursorRect().top() < 60);
        QTest::keyClick(help, Qt::Key_F, Qt::ControlModifier);
        QTest::keyClicks(&help->search(), "region");
        QCOMPARE(help->text().textCursor().selectedText().toLower(), QStringLiteral("region"));
        const int first = help->text().textCursor().position();
        QTest::keyClick(&help->search(), Qt::Key_Return);
        QVERIFY(help->text().textCursor().position() != first);
        // The list names the heading above what was found.
        QTextBlock above = help->text().textCursor().block();
        while (above.isValid() && above.blockFormat().headingLevel() != 2) above = above.previous();
        QCOMPARE(help->headings().currentItem()->text(), above.text());
        fixture_->picture(QStringLiteral("help"));
        QTest::keyClick(help, Qt::Key_Escape);
        // The headings of the guides are the topics, in each language.
        const QMap<QString, QStringList> expected{{"en", {"Changing rules", "Where the time goes", "Lessons"}},
                                                  {"de", {"Regeln ändern", "Wohin die Zeit geht", "Lektionen"}},
                                                  {"zh", {"修改规则", "时间花在哪里", "课程"}}};
        for (const QString& language : expected.keys()) {
            QFile guide(QStringLiteral(":/help/%1.md").arg(language));
            QVERIFY(guide.open(QIODevice::ReadOnly));
            const QStringList headings = QString::fromUtf8(guide.readAll())
                                             .split(QLatin1Char('\n'))
                                             .filter(QRegularExpression(QStringLiteral("^## ")));
            QVERIFY2(headings.size() > int(HelpTopic::Presenting), qPrintable(language));
            QStringList found;
            for (const HelpTopic topic : {HelpTopic::Rules, HelpTopic::Timing, HelpTopic::Lessons})
                found << headings[int(topic)].mid(3);
            QCOMPARE(found, expected[language]);
        }
    }

    void aBarAboutAVanishedFileDoesNotComeBackAtTheNextStart() {
        const QString path = fixture_->file(QStringLiteral("vanishing.relay"), kOneDivide);
        QVERIFY(fixture_->open(path));
        QVERIFY(QFile::remove(path));
        auto* watch = fixture_->window->findChild<FileWatch*>();
        QTRY_VERIFY(watch->offers());
        fixture_->window->close();
        MainWindow next;
        next.show();
        QVERIFY(!next.findChild<FileWatch*>()->offers());
    }

    void theCommandPaletteRunsACommandByName() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* palette = fixture_->window->findChild<CommandPalette*>();
        QVERIFY(palette);
        const int middle = fixture_->window->mapToGlobal(fixture_->window->rect().center()).x();
        QVERIFY2(std::abs(palette->geometry().center().x() - middle) < 4,
                 qPrintable(QString::number(palette->geometry().center().x() - middle)));
        QTest::keyClicks(&palette->edit(), "zzz");
        QCOMPARE(palette->list().count(), 1);
        QCOMPARE(palette->list().item(0)->text(), QStringLiteral("No command has these words in its name or its tip."));
        QTest::keyClick(&palette->edit(), Qt::Key_Return);
        QVERIFY(palette->isVisible());
        // What can't be done now is no trap for Enter.
        palette->edit().setText("edit");
        QVERIFY(!(palette->list().item(0)->flags() & Qt::ItemIsEnabled));
        palette->edit().setText("heat");
        QVERIFY(palette->list()
                    .item(0)
                    ->data(Qt::AccessibleTextRole)
                    .toString()
                    .contains(QStringLiteral("Run the module first")));
        palette->edit().setText("edit");
        QVERIFY(palette->list().currentItem()->flags() & Qt::ItemIsEnabled);
        // The arrows go through the list from the field, and stay in it.
        const int chosen = palette->list().currentRow();
        QTest::keyClick(&palette->edit(), Qt::Key_Down);
        QCOMPARE(palette->list().currentRow(), chosen + 1);
        QTest::keyClick(&palette->edit(), Qt::Key_Up);
        QCOMPARE(palette->list().currentRow(), chosen);
        for (int i = 0; i < palette->list().count(); ++i) QTest::keyClick(&palette->edit(), Qt::Key_Up);
        QCOMPARE(palette->list().currentRow(), 0);
        // By what its tip says, behind those that are called so.
        palette->edit().setText("c sources");
        QCOMPARE(palette->list().count(), 1);
        QVERIFY(palette->list().item(0)->text().contains("Export as C"));
        palette->edit().setText("whole");
        QCOMPARE(palette->list().count(), 2);
        QVERIFY(palette->list().item(0)->text().contains("Whole flow"));
        QTest::keyClick(&palette->edit(), Qt::Key_Return);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->window->document().partitioned());
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
        QCOMPARE(bytes_text(1536), QStringLiteral("1,54 kB"));
        QCOMPARE(duration_text(0.0029), QStringLiteral("2,90\u00a0µs"));
        const TimingModel& model = window.panels().timing().model();
        const QModelIndex rate = model.index(0, TimingModel::Flops, {});
        const QString shown = rate.data().toString(), copied = csv_of(*model.report());
        QLocale::setDefault(before);
        QVERIFY2(shown.contains(QLatin1Char(',')) && !shown.contains(QLatin1Char('.')), qPrintable(shown));
        for (const QString& line : copied.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            QCOMPARE(line.count(QLatin1Char(',')), 15);
    }

    void whatIsOpenedNextBeginsWithTheBackendsLastInUse() {
        MainWindow& window = *fixture_->window;
        const auto names = [&window] {
            QStringList all;
            for (const BackendPtr& backend : window.document().choice().backends)
                all << QString::fromStdString(backend->name);
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
        window.panels().lessons().start(0);
        QVERIFY(fixture_->settle());
        QCOMPARE(names(), QStringLiteral("teach_a"));
        window.document().setBackends({std::make_shared<const BackendDescription>(*builtin_backend("ccompiler"))});
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(names(), QStringLiteral("conv1x1_engine"));
        // So does a project.
        const QString project = QFileInfo(window.document().path()).dir().filePath(QStringLiteral("own.partita"));
        window.document().saveProject(project);
        QVERIFY(fixture_->settle());
        window.document().setBackends({std::make_shared<const BackendDescription>(*builtin_backend("ccompiler"))});
        QVERIFY(fixture_->open(project));
        QCOMPARE(names(), QStringLiteral("conv1x1_engine"));
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(names(), QStringLiteral("ccompiler"));
    }

    void theNextStartBeginsWithTheBackendsLastChosen() {
        MainWindow& window = *fixture_->window;
        QVERIFY(fixture_->openOneDivide());
        QTimer::singleShot(300, &window, [] {
            auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            auto* list = dialog->findChild<QListWidget*>();
            QVERIFY(list && list->count() > 1);
            const QList<QListWidgetItem*> dnnl = list->findItems(QStringLiteral("dnnl"), Qt::MatchStartsWith);
            QVERIFY(!dnnl.isEmpty());
            for (int i = 0; i < list->count(); ++i)
                list->item(i)->setCheckState(list->item(i) == dnnl.front() ? Qt::Checked : Qt::Unchecked);
            dialog->accept();
        });
        window.action(QStringLiteral("backends"))->trigger();
        MainWindow next;
        QCOMPARE(next.document().choice().backends.size(), size_t(1));
        QCOMPARE(QString::fromStdString(next.document().choice().backends.front()->name), QStringLiteral("dnnl"));
    }

    void aModelBeginsWithBackendsForSpeedWhileNoneWereChosen() {
        const QString model = fixture_->file(QStringLiteral("relu.onnx"), relu_model());
        const QString text = fixture_->file(QStringLiteral("text.relay"), kOneDivide);
        MainWindow window;
        window.startWithSize(QSize(1320, 860));
        window.show();
        const auto names_of = [&](const QString& file) {
            if (!file.isEmpty()) window.opening().openFile(file);
            QTest::qWait(0);
            if (!window.waitUntilSettled(60000)) return QString();
            QStringList all;
            for (const BackendPtr& backend : window.document().choice().backends)
                all << QString::fromStdString(backend->name);
            return all.join(QLatin1Char(' '));
        };
        const QString speed = QStringLiteral("dnnl_all ccompiler_wide"), tvm = QStringLiteral("dnnl ccompiler");
        QCOMPARE(names_of(model), speed);
        QVERIFY(window.statusBar()->currentMessage().contains(QStringLiteral("dnnl_all and ccompiler_wide")));
        QVERIFY(window.action(QStringLiteral("backends-for-speed"))->isChecked());
        QCOMPARE(names_of(text), tvm);
        QVERIFY(window.statusBar()->currentMessage().contains(QStringLiteral("dnnl and ccompiler, as in TVM")));
        // One click, of this one file, which can be undone.
        window.action(QStringLiteral("backends-for-speed"))->trigger();
        QCOMPARE(names_of({}), speed);
        window.document().undoStack().undo();
        QCOMPARE(names_of({}), tvm);
        QCOMPARE(names_of(model), speed);
        QTest::keyClick(&window, Qt::Key_T, Qt::ControlModifier | Qt::AltModifier);
        QCOMPARE(names_of({}), tvm);
        QCOMPARE(names_of(model), speed);
        // Whoever chooses keeps the choice, whatever is opened.
        window.setBackends({QStringLiteral("dnnl"), QStringLiteral("ccompiler")});
        QCOMPARE(names_of(model), tvm);
        QVERIFY(window.statusBar()->currentMessage().isEmpty());
        window.setBackends({QStringLiteral("ccompiler")});
        QCOMPARE(names_of(model), QStringLiteral("ccompiler"));
        QCOMPARE(names_of(text), QStringLiteral("ccompiler"));
        window.leaving().keepNothing();
    }

    void aTextWithManyWeightsIsAModelToo() {
        w::GraphParts parts{{w::node("MatMul", {"x", "weights"}, {"y"})},
                            {w::tensor("weights", {512, 512}, std::vector<float>(512 * 512))},
                            {w::value_info("x", {1, 512})},
                            {w::value_info("y", {1, 512})}};
        const QString model =
            fixture_->file(QStringLiteral("weights.onnx"), QByteArray::fromStdString(w::model(parts)));
        const Result<OpenedModule> read = open_module(model.toStdString(), {});
        QVERIFY(read);
        const QString text =
            fixture_->file(QStringLiteral("weights.relay"), QByteArray::fromStdString(print_relay(*read->module)));
        MainWindow window;
        window.opening().openFile(text);
        QVERIFY(window.waitUntilSettled(60000));
        QCOMPARE(window.document().backendName(0), QStringLiteral("dnnl_all"));
        window.leaving().keepNothing();
    }

    void theButtonsOfTheSettingsAreOnTheScreenInLargeType() {
        Settings settings = fixture_->window->settings();
        settings.text_scale = 2.5;
        fixture_->window->applySettings(settings);
        SettingsDialog dialog(settings, fixture_->window.get());
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const int screen = dialog.screen()->availableSize().height();
        const auto fits = [&] {
            const auto* buttons = dialog.findChild<QDialogButtonBox*>();
            return dialog.height() <= screen &&
                   buttons->mapTo(&dialog, QPoint(0, buttons->height())).y() <= dialog.height();
        };
        QVERIFY2(fits(), qPrintable(QStringLiteral("%1 of %2").arg(dialog.height()).arg(screen)));
        const int wide = dialog.width();
        settings.text_scale = 1;
        fixture_->window->applySettings(settings);
        (void)fixture_->settle();
        QVERIFY(fits());
        QVERIFY(dialog.width() < wide);
        dialog.move(dialog.x(), dialog.screen()->availableGeometry().bottom() - dialog.frameGeometry().height());
        settings.text_scale = 1.5;
        fixture_->window->applySettings(settings);
        QTRY_VERIFY(dialog.frameGeometry().bottom() <= dialog.screen()->availableGeometry().bottom());
        QVERIFY(fits());
        settings.text_scale = 1;
        fixture_->window->applySettings(settings);
    }

    void theGraphsTextGrowsWithTheWindows() {
        QVERIFY(fixture_->openOneDivide());
        GraphView& view = fixture_->view();
        Settings settings = fixture_->window->settings();
        const auto scale_to = [&](double text_scale) {
            settings.text_scale = text_scale;
            fixture_->window->applySettings(settings, false);
        };
        view.zoomToActualSize();
        QCOMPARE(view.zoom(), 1.0);
        const QPointF middle = view.visibleArea().center();
        scale_to(1.5);
        QCOMPARE(view.zoom(), 1.5);
        QVERIFY(view.visibleArea().contains(middle));  // panels grow, too
        view.setZoom(0.3, QPointF(0, 0));
        view.zoomToActualSize();
        QCOMPARE(view.zoom(), 1.5);
        view.setZoom(0.1, QPointF(0, 0));  // too small to read: what is gone to is shown larger
        view.reveal({0});
        const double read = view.zoom();
        scale_to(1);
        QVERIFY(std::abs(view.zoom() * 1.5 - read) < 1e-9);
        view.setZoom(0.1, QPointF(0, 0));
        view.reveal({0});
        QVERIFY(std::abs(view.zoom() * 1.5 - read) < 1e-9);
    }

    void whatWasAllowedToRunIsForgottenWithOkAlone() {
        forget_permits();
        const AnnotatorPermit permit{{}, QStringLiteral("annotator x")};
        const auto choose = [&](bool forget, QDialogButtonBox::StandardButton button) {
            SettingsDialog dialog(fixture_->window->settings(), nullptr);
            dialog.show();
            auto* box = dialog.findChild<QCheckBox*>(QStringLiteral("forget-permissions"));
            const bool offered = box->isEnabled();
            if (forget) QTest::mouseClick(box, Qt::LeftButton, {}, {8, box->height() / 2});
            QTest::mouseClick(dialog.findChild<QDialogButtonBox*>()->button(button), Qt::LeftButton);
            return offered;
        };
        QVERIFY(!choose(false, QDialogButtonBox::Ok));
        give_permit(permit);
        QVERIFY(choose(true, QDialogButtonBox::Cancel));
        QVERIFY(is_permitted(permit));
        QVERIFY(choose(false, QDialogButtonBox::Ok));
        QVERIFY(is_permitted(permit));
        QVERIFY(choose(true, QDialogButtonBox::Ok));
        QVERIFY(!is_permitted(permit));
    }

    void whatWasAllowedLongestAgoIsForgottenFirst() {
        forget_permits();
        constexpr int kKept = 500;
        const auto permit = [](int i) { return AnnotatorPermit{{}, QStringLiteral("annotator %1").arg(i)}; };
        for (int i = 0; i < kKept + 2; ++i) give_permit(permit(i));
        QVERIFY(!is_permitted(permit(0)) && !is_permitted(permit(1)));
        for (int i = 2; i < kKept + 2; ++i) QVERIFY2(is_permitted(permit(i)), qPrintable(permit(i).key));
        forget_permits();
    }

    void theLanguageIsChosenInTheSettings() {
        Settings settings = fixture_->window->settings();
        SettingsDialog dialog(settings, nullptr);
        connect(&dialog, &SettingsDialog::changed, this, [&settings](const Settings& now) { settings = now; });
        auto* box = dialog.findChild<QComboBox*>(QStringLiteral("language"));
        QStringList names;
        for (int i = 0; i < box->count(); ++i) names << box->itemText(i);
        QVERIFY2(names.contains("English") && names.contains("Deutsch"), qPrintable(names.join(' ')));
        QCOMPARE(box->currentData().toString(), QString());
        box->setCurrentIndex(box->findData("de"));
        QCOMPARE(settings.language, QStringLiteral("de"));
        QVERIFY(settings.save());
        QCOMPARE(Settings::load().language, QStringLiteral("de"));
        settings.language.clear();
        QVERIFY(settings.save());
    }

    void theSizeOfTextIsKeptForTheNextStart() {
        const int before = fixture_->window->menuBar()->fontMetrics().height();
        const auto* code = fixture_->window->findChild<TextPanel*>()->findChild<QPlainTextEdit*>();
        const double code_before = code->font().pointSizeF();
        Settings settings = fixture_->window->settings();
        settings.text_scale = 1.75;
        fixture_->window->applySettings(settings);
        const int large = fixture_->window->menuBar()->fontMetrics().height();
        QVERIFY(large > before * 1.5);
        QVERIFY(code->font().pointSizeF() > code_before * 1.5);
        settings.text_scale = 1;
        fixture_->window->applySettings(settings, false);  // the application's type is as at a start
        QCOMPARE(fixture_->window->menuBar()->fontMetrics().height(), before);
        {
            MainWindow next;
            next.show();
            QCOMPARE(next.settings().text_scale, 1.75);
            QCOMPARE(next.menuBar()->fontMetrics().height(), large);
            QCOMPARE(next.panels().outline().fontMetrics().height(), large);
            QCOMPARE(next.findChild<QWidget*>(QStringLiteral("dock-title"))->fontMetrics().height(), large);
            // And it still fits a small screen.
            next.resize(1280, 800);
            next.opening().openFile(fixture_->file(QStringLiteral("small.relay"), kOneDivide));
            QVERIFY(next.waitUntilSettled(60000));
            next.pages().compare();
            QVERIFY(next.waitUntilSettled(60000));
            QVERIFY2(next.width() <= 1280 && next.height() <= 800,
                     qPrintable(QStringLiteral("%1 x %2").arg(next.width()).arg(next.height())));
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
        QVERIFY(
            QFile::exists(QFileInfo(window.document().path()).dir().filePath(QStringLiteral("one-divide-c/model.c"))));
    }

    void noTwoCommandsHaveOneKey() {
        QHash<QString, QString> taken;
        for (QAction* action : fixture_->window->findChildren<QAction*>())
            for (const QKeySequence& key : action->shortcuts()) {
                const QString text = key.toString();
                QVERIFY2(
                    !taken.contains(text) || taken[text] == action->objectName(),
                    qPrintable(QStringLiteral("%1: %2 and %3").arg(text, taken.value(text), action->objectName())));
                taken[text] = action->objectName();
            }
    }

    void whatIsDisabledSaysWhy() {
        const auto check = [this](const QString& state) {
            for (QAction* action : fixture_->window->findChildren<QAction*>()) {
                if (!action->property("group").isValid() || action->isEnabled() || !action->isVisible()) continue;
                QVERIFY2(
                    action->toolTip().contains(QLatin1Char('\n')),
                    qPrintable(state + QLatin1Char(' ') + action->objectName() + QLatin1Char(' ') + action->text()));
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
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible() ||
                widget->objectName().startsWith(QLatin1String("qt_")))
                continue;
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            QVERIFY(face);
            const bool named =
                !face->text(QAccessible::Name).isEmpty() || qobject_cast<QTabBar*>(widget) || widget->focusProxy();
            QVERIFY2(named,
                     qPrintable(QStringLiteral("%1 in %2")
                                    .arg(QString::fromLatin1(widget->metaObject()->className()),
                                         QString::fromLatin1(widget->parentWidget()->metaObject()->className()))));
        }
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

private:
    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestLanguageAndSettings)

}  // namespace test_language_and_settings

#include "test_language_and_settings.moc"
