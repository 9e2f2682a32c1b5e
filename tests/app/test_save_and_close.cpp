// What is asked and kept when a document is left, saved, read again, or changes on the disk, by real events.
#include <csignal>

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QPushButton>
#include <QSessionManager>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>

#include "app/gui/document/autosave.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/window/file_watch.h"
#include "app/gui/window/recovery_dialog.h"
#include "app/gui/window/session_view.h"
#include "engine/support/file.h"
#include "tests/app/window_fixture.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_save_and_close {

using namespace partita;

class TestSaveAndClose : public QObject {
    Q_OBJECT

private slots:
    void whatOneLookedAtIsKept() {
        SessionView view;
        view.module = "module.relay";
        view.pages.resize(2);
        view.pages[0].function = "first";
        view.pages[1].in_front = true;
        view.pages[1].sight = PageSight{2, QPointF(3, 4), 5};
        view.save();
        const SessionView read = SessionView::load();
        QCOMPARE(read.module, view.module);
        QCOMPARE(read.pages.size(), size_t(2));
        QCOMPARE(read.pages[0].function, view.pages[0].function);
        QVERIFY(!read.pages[0].sight && !read.pages[0].in_front);  // where one looked is left to the program
        QVERIFY(read.pages[1].sight && read.pages[1].in_front);
        QCOMPARE(read.pages[1].sight->zoom, 2.0);
        QCOMPARE(read.pages[1].sight->centre, QPointF(3, 4));
        QCOMPARE(read.pages[1].sight->nodes, qint64(5));
        SessionView().save();
        QVERIFY(SessionView::load().pages.empty());
    }

    void bookmarksOfAProjectAreWorkToSave() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        MainWindow& window = *fixture.window;
        const QString project = fixture.file(QStringLiteral("marked.partita"), {});
        window.document().saveProject(project);
        QVERIFY(fixture.settle());
        QVERIFY(!window.isWindowModified());
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_M);
        QVERIFY(window.isWindowModified());
        QTest::keyClick(&fixture.view(), Qt::Key_M);
        QVERIFY(!window.isWindowModified());
        QTest::keyClick(&fixture.view(), Qt::Key_M);
        window.action(QStringLiteral("save"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(!window.isWindowModified());
        QVERIFY(fixture.open(project));
        QCOMPARE(window.document().bookmarks().size(), size_t(1));
        QVERIFY(!window.document().isUnsaved());
    }

    /// The session alone keeps what was not saved at the end, and the next file takes its place there.
    void workOfTheLastSessionIsNotLostToTheNextFile() {
        QTemporaryDir folder;  // of both sessions
        const QString mine = folder.filePath(QStringLiteral("mine.relay"));
        {
            WindowFixture fixture;
            QVERIFY(QFile::copy(fixture.file(QStringLiteral("one-divide.relay"), kOneDivide), mine));
            QVERIFY(fixture.open(mine));
            MainWindow& window = *fixture.window;
            fixture.click(fixture.nodeOf(QStringLiteral("add")));
            window.document().giveToBackend(window.document().selection(), 1);
            QVERIFY(fixture.settle());
            QVERIFY(!window.close());
            auto* box = window.findChild<QMessageBox*>(QStringLiteral("leave-document"));
            QVERIFY(box);
            box->button(QMessageBox::Cancel)->click();
            QTest::qWait(20);
            QVERIFY(window.isVisible());
            QVERIFY(!window.close());
            box = window.findChild<QMessageBox*>(QStringLiteral("leave-document"));
            QVERIFY(box);
            box->button(QMessageBox::Discard)->click();
            QTRY_VERIFY(!window.isVisible());
            QVERIFY(fixture.settle());
        }
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        window.action(QStringLiteral("continue"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(window.document().choice().overrides->size(), size_t(1));
        window.opening().openFile(fixture.file(QStringLiteral("next.relay"), kOneDivide));
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("leave-document"));
        QVERIFY(box);
        box->button(QMessageBox::Cancel)->click();
        QVERIFY(fixture.settle());
        QCOMPARE(window.document().choice().overrides->size(), size_t(1));
    }

    /// Who opens a file after a crash is asked first; the file must not take the place of what goes on.
    void whatIsRecoveredIsNotThrownOverByTheFileThatWasNamed() {
        WindowFixture fixture;
        MainWindow& window = *fixture.window;
        // Other tests, which may run beside this one, leave things behind, too.
        const QString program = QApplication::applicationName();
        QApplication::setApplicationName(QStringLiteral("PartitaTestRecovery"));
        QDir(Autosave::defaultFolder()).removeRecursively();
        const QString lost = fixture.file(QStringLiteral("lost.relay"), kOneDivide),
                      named = fixture.file(QStringLiteral("named.relay"), kOneDivide);
        QDir().mkpath(Autosave::defaultFolder());
        const QString left = Autosave::defaultFolder() + QStringLiteral("/left-behind.partita");
        const QJsonObject project{{"format", "partita"}, {"version", 2}, {"module", lost}};
        QVERIFY(write_file(left.toStdString(), QJsonDocument(project).toJson().toStdString()));
        QTimer answering;
        connect(&answering, &QTimer::timeout, &window, [&window] {
            const auto* dialog = window.findChild<RecoveryDialog*>();
            if (!dialog || !dialog->isVisible()) return;
            for (QPushButton* button : dialog->findChildren<QPushButton*>())
                if (button->text() == QStringLiteral("Go on")) return button->click();
        });
        answering.start(50);
        QVERIFY(window.opening().offerRecovery(named));
        answering.stop();
        QVERIFY(fixture.settle());
        QCOMPARE(window.document().title(), QStringLiteral("lost.relay"));
        QVERIFY(window.settings().recent_files.contains(named));
        QVERIFY(fixture.takeMessage().contains(QStringLiteral("recovered")));
        Autosave::discard(left);
        // Without anything left behind the file is opened as ever.
        QVERIFY(!window.opening().offerRecovery(named));
        QApplication::setApplicationName(program);
    }

    void filesThatComeWhileSavingIsAskedForAskOnce() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        MainWindow& window = *fixture.window;
        window.document().editModule(QStringLiteral("rename"), [](const Module& module) {
            return rename_expression(module, module.parameters(module.find_function("main"))[0], "image");
        });
        QVERIFY(fixture.settle());
        QStringList paths;
        for (const char* name : {"first.relay", "second.relay", "third.relay"}) {
            paths << fixture.file(QLatin1String(name),
                                  "#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(10, 10), float32]) { nn.relu(%a) }\n");
            QVERIFY(fixture.drop({paths.back()}));
        }
        const auto boxes = [&] {
            const QList<QMessageBox*> all = window.findChildren<QMessageBox*>(QStringLiteral("leave-document"));
            return std::count_if(all.begin(), all.end(), [](QMessageBox* box) { return box->isVisible(); });
        };
        QCOMPARE(boxes(), 1);
        window.findChild<QMessageBox*>(QStringLiteral("leave-document"))->button(QMessageBox::Discard)->click();
        QVERIFY(fixture.settle());
        QCOMPARE(boxes(), 0);
        QCOMPARE(window.document().path(), paths.back());
    }

    void aFileThatTakesTheWorksPlaceAsksFirst() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        MainWindow& window = *fixture.window;
        const QString other =
            fixture.file(QStringLiteral("other.relay"),
                         "#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(10, 10), float32]) { nn.relu(%a) }\n");
        const QString mine = fixture.file(QStringLiteral("mine.relay"), kOneDivide);
        const auto asked = [&](QMessageBox::StandardButton button) {
            auto* box = window.findChild<QMessageBox*>(QStringLiteral("leave-document"));
            if (!box) return false;
            box->button(button)->click();
            return fixture.settle();
        };
        // Passes are soon made again.
        window.action(QStringLiteral("merge"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.open(mine));
        QCOMPARE(window.document().path(), mine);
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QTest::keyClick(&fixture.view(), Qt::Key_L);
        fixture.answer(QStringLiteral("image"));
        window.opening().openFile(other);
        QVERIFY(asked(QMessageBox::Cancel));
        QVERIFY(fixture.nodeOf(QStringLiteral("%image")) >= 0);
        window.panels().lessons().start(0);
        QVERIFY(asked(QMessageBox::Cancel));
        QVERIFY(!window.panels().lessons().isInLesson());
        QVERIFY(fixture.nodeOf(QStringLiteral("%image")) >= 0);
        const QString project = QFileInfo(mine).dir().filePath(QStringLiteral("mine.partita"));
        window.document().saveProject(project);
        QVERIFY(fixture.settle());
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        window.document().giveToBackend(window.document().selection(), 1);
        QVERIFY(fixture.settle());
        window.opening().openFile(other);
        QVERIFY(asked(QMessageBox::Save));
        QTRY_COMPARE(window.document().path(), other);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.open(project));
        QCOMPARE(window.document().choice().overrides->size(), size_t(1));
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        window.document().giveToBackend(window.document().selection(), -1);
        QVERIFY(fixture.settle());
        window.opening().openFile(other);
        QVERIFY(asked(QMessageBox::Discard));
        QCOMPARE(window.document().path(), other);
    }

    void whatWasRecoveredIsMarkedAsUnsaved() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        MainWindow& window = *fixture.window;
        const QString project = QFileInfo(window.document().path()).dir().filePath(QStringLiteral("mine.partita"));
        window.document().saveProject(project);
        QVERIFY(fixture.settle());
        QVERIFY(!window.isWindowModified());
        // What a crash leaves behind.
        QFile saved(project);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QJsonObject text = QJsonDocument::fromJson(saved.readAll()).object();
        text.insert(QStringLiteral("module"), window.document().path());
        text.insert(QStringLiteral("recovers"), project);
        QDir().mkpath(Autosave::defaultFolder());
        const QString left = Autosave::defaultFolder() + QStringLiteral("/left.partita");
        QVERIFY(write_file(left.toStdString(), QJsonDocument(text).toJson().toStdString()));
        QVERIFY(fixture.open(left));
        QCOMPARE(window.document().projectPath(), project);
        QVERIFY(window.isWindowModified());
        window.action(QStringLiteral("save"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(!window.isWindowModified());
        QVERIFY(!QFile::exists(left));
    }

    void whatWasToldOfAModuleGoesWithIt() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.window->statusBar()->currentMessage().isEmpty());
        QVERIFY(fixture.open(
            fixture.file(QStringLiteral("relu.relay"),
                         "#[version = \"0.0.5\"]\ndef @main(%a: Tensor[(10, 10), float32]) { nn.relu(%a) }\n")));
        QCOMPARE(fixture.window->statusBar()->currentMessage(), QString());
    }

    void anEditedModuleIsSavedWithItsProject() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("subtract")));
        QTest::keyClick(&fixture.view(), Qt::Key_Delete);
        QVERIFY(fixture.settle());
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        QTest::keyClick(&fixture.view(), Qt::Key_2);
        QVERIFY(fixture.settle());
        const QString project = fixture.file(QStringLiteral("edited.partita"), "");
        fixture.window->document().saveProject(project);
        QVERIFY(fixture.settle());
        const std::string saved = fixture.printed();
        QVERIFY(fixture.open(project));
        QCOMPARE(fixture.printed(), saved);
        QVERIFY(fixture.window->document().isEdited());
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("multiply"))), QStringLiteral("dnnl"));
    }

    void aFileThatChangesDuringAPresentationIsOfferedAfterIt() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        auto* watch = fixture.window->findChild<FileWatch*>();
        fixture.window->action(QStringLiteral("presentation"))->trigger();
        fixture.file(QStringLiteral("one-divide.relay"),
                     QByteArray(kOneDivide).replace("subtract(%0, %w2)", "tanh(%0)"));
        QTest::qWait(1500);
        QVERIFY(!watch->offers());
        QTest::keyClick(fixture.window.get(), Qt::Key_Escape);
        QVERIFY(QTest::qWaitFor([&] { return watch->offers(); }, 5000));
    }

    void aFileThatChangedOnDiskIsOfferedAgainAndKeepsTheChoices() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        QTest::keyClick(&fixture.view(), Qt::Key_2);
        QVERIFY(fixture.settle());
        auto* watch = fixture.window->findChild<FileWatch*>();
        QVERIFY(watch && !watch->offers());
        fixture.file(QStringLiteral("one-divide.relay"),
                     QByteArray(kOneDivide).replace("subtract(%0, %w2)", "tanh(%0)"));
        QVERIFY(QTest::qWaitFor([&] { return watch->offers(); }, 5000));
        fixture.picture(QStringLiteral("file-changed"));
        fixture.window->findChild<QAction*>(QStringLiteral("reload-changed"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.nodeOf(QStringLiteral("tanh")) >= 0);
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("multiply"))), QStringLiteral("dnnl"));
        QVERIFY(!fixture.window->document().isEdited());
        fixture.window->action(QStringLiteral("undo"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.nodeOf(QStringLiteral("subtract")) >= 0);
    }

    void readingAgainKeepsTheDimensionsThatWereChosen() {
        namespace w = onnx_writer;
        WindowFixture fixture;
        const w::GraphParts parts{
            {w::node("Relu", {"x"}, {"y"})}, {}, {w::value_info("x", {-1, 3})}, {w::value_info("y", {-1, 3})}};
        Document& document = fixture.window->document();
        document.openWithDimensions(
            fixture.file(QStringLiteral("open.onnx"), QByteArray::fromStdString(w::model(parts))), {{"N", 5}});
        QVERIFY(fixture.settle());
        const auto input = [&document] {
            const Module& module = *document.shownModule();
            return module.types().to_string(module.type(module.parameters(module.find_function("main"))[0]));
        };
        QCOMPARE(input(), std::string("Tensor[(5, 3), float32]"));
        fixture.window->action(QStringLiteral("reload"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(input(), std::string("Tensor[(5, 3), float32]"));
    }

    void aMissingBackendStaysInTheProjectUntilItIsFound() {
        WindowFixture fixture;
        const QByteArray description = R"({"name": "mine", "ops": {"divide": true}})";
        const QString there = fixture.file(QStringLiteral("mine.json"), description);
        fixture.window->setBackends({QStringLiteral("dnnl"), there, QStringLiteral("ccompiler")});
        QVERIFY(fixture.openOneDivide());
        Document& document = fixture.window->document();
        fixture.click(fixture.nodeOf(QStringLiteral("divide")));
        document.giveToBackend(document.selection(), 1);
        QVERIFY(fixture.settle());
        const QString project = fixture.file(QStringLiteral("mine.partita"), {});
        document.saveProject(project);
        QVERIFY(fixture.settle());
        const QString elsewhere = fixture.file(QStringLiteral("moved.json"), description);
        QVERIFY(QFile::remove(there));

        QVERIFY(fixture.open(project));
        QToolBar* bar = fixture.window->findChild<QToolBar*>(QStringLiteral("missing-backend"));
        QVERIFY(bar && bar->isVisible());
        fixture.picture("missing-backend");
        QCOMPARE(document.problems().size(), size_t(1));
        // A presentation is the graph alone.
        fixture.window->action(QStringLiteral("presentation"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(!bar->isVisible());
        fixture.window->action(QStringLiteral("presentation"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(bar->isVisible());
        const auto names_in = [&] {
            QFile file(project);
            QStringList names;
            if (file.open(QIODevice::ReadOnly))
                for (const QJsonValue& name :
                     QJsonDocument::fromJson(file.readAll()).object()[QStringLiteral("backends")].toArray())
                    names << name.toString();
            return names;
        };
        document.saveProject(project);
        QVERIFY(fixture.settle());
        QCOMPARE(names_in(),
                 (QStringList{QStringLiteral("dnnl"), QStringLiteral("mine.json"), QStringLiteral("ccompiler")}));

        fixture.window->findChild<QAction*>(QStringLiteral("find-backend"))->trigger();
        auto* dialog = fixture.window->findChild<QFileDialog*>(QStringLiteral("find-backend-dialog"));
        QVERIFY(dialog);
        dialog->selectFile(elsewhere);
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open)->click();
        QVERIFY(fixture.settle());
        QVERIFY(!bar->isVisible());
        QCOMPARE(document.choice().backend_index("mine"), 1);
        QVERIFY(document.problems().empty());
        QCOMPARE(document.choice().overrides->size(), size_t(1));
        document.undoStack().undo();
        QVERIFY(fixture.settle());
        QVERIFY(bar->isVisible());
        fixture.window->findChild<QAction*>(QStringLiteral("leave-backend-out"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(!bar->isVisible());
        document.saveProject(project);
        QVERIFY(fixture.settle());
        QCOMPARE(names_in(), (QStringList{QStringLiteral("dnnl"), QStringLiteral("ccompiler")}));
    }

    /// The session is kept in a folder of its own, where "mine.json" would be another file.
    void aDescriptionNamedFromTheFolderOfTheStartIsFoundByTheSession() {
        WindowFixture fixture;
        const QString there = fixture.file(QStringLiteral("mine.json"), R"({"name": "mine", "ops": {"divide": true}})");
        const QString before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(QFileInfo(there).path()));
        fixture.window->setBackends({QStringLiteral("mine.json")});
        QDir::setCurrent(before);
        QVERIFY(fixture.openOneDivide());
        QCOMPARE(QFileInfo(QString::fromStdString(fixture.window->document().choice().backends[0]->file))
                     .canonicalFilePath(),
                 QFileInfo(there).canonicalFilePath());
        QTemporaryDir other;
        const QString project = other.filePath(QStringLiteral("kept.partita"));
        fixture.window->document().saveProject(project);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.open(project));
        QVERIFY(fixture.window->document().choice().missing.empty());
        QCOMPARE(fixture.window->document().choice().backend_index("mine"), 0);
    }

    void aProjectGivesTheSameFilesOnTheCommandLine_data() {
        QTest::addColumn<bool>("simplify");
        QTest::addColumn<bool>("partition");
        QTest::newRow("partitioned") << false << true;
        QTest::newRow("merged only") << false << false;
        QTest::newRow("simplified") << true << true;
    }
    void aProjectGivesTheSameFilesOnTheCommandLine() {
        QFETCH(bool, simplify);
        QFETCH(bool, partition);
        WindowFixture fixture;
        const QString mine =
            fixture.file(QStringLiteral("mine.json"), R"({"name": "mine", "ops": {"divide": true, "add": true}})");
        fixture.window->setBackends({QStringLiteral("dnnl"), mine});
        QVERIFY(fixture.openOneDivide());
        Document& document = fixture.window->document();
        FlowChoice choice = document.choice();
        choice.annotate = choice.merge = true;
        choice.partition = partition;
        choice.simplify = simplify;
        document.changeChoice(choice, QStringLiteral("divide"));
        QVERIFY(fixture.settle());
        std::vector<ExprId> calls = document.names().calls();
        document.giveToBackend({calls[1], calls[2]}, 1);
        document.giveToBackend({calls[3]}, -1);
        document.separateRegion({calls[1]});
        QVERIFY(fixture.settle());
        const QString project = fixture.file(QStringLiteral("mine.partita"), {});
        document.saveProject(project);
        QVERIFY(fixture.settle());

        QTemporaryDir folder;
        const auto content = [](const QString& path) {
            QFile file(path);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        const auto run = [&](const QStringList& arguments) {
            QProcess program;
            program.start(QStringLiteral(PARTITA_BINARY_DIR "/partita-cli"),
                          QStringList{QStringLiteral("export"), project} + arguments);
            const bool done = program.waitForFinished(60000) && program.exitCode() == 0;
            return done ? QByteArray() : program.readAllStandardError() + "failed";
        };
        // Not the drawn ones: where Graphviz puts things depends on what it laid out in this process before.
        for (const char* ending : {"relay", "json", "onnx", "dot", "md"}) {
            const QString window_file = folder.filePath(QStringLiteral("window.") + QLatin1String(ending)),
                          cli_file = folder.filePath(QStringLiteral("cli.") + QLatin1String(ending));
            fixture.window->exports().write(window_file);
            QVERIFY(fixture.settle());
            const QByteArray fault = run({QStringLiteral("-o"), cli_file});
            QVERIFY2(fault.isEmpty(), fault.constData());
            QVERIFY2(!content(window_file).isEmpty(), ending);
            QVERIFY2(content(window_file).replace("window.", "cli.") == content(cli_file), ending);
        }
        for (const char* form : {"c", "onnx-split"}) {
            const QString window_folder = folder.filePath(QLatin1String(form)),
                          cli_folder = folder.filePath(QStringLiteral("cli-") + QLatin1String(form));
            fixture.window->exports().write(window_folder, QLatin1String(form));
            QVERIFY(fixture.settle());
            const QByteArray fault =
                form == std::string_view("c")
                    ? run({QStringLiteral("--form"), QLatin1String(form), QStringLiteral("-o"), cli_folder})
                    : run({QStringLiteral("--split"), cli_folder});
            QVERIFY2(fault.isEmpty(), fault.constData());
            const QStringList names = QDir(window_folder).entryList(QDir::Files | QDir::Hidden);
            QVERIFY(!names.isEmpty());
            for (const QString& name : names)
                QVERIFY2(
                    content(window_folder + QLatin1Char('/') + name) == content(cli_folder + QLatin1Char('/') + name),
                    qPrintable(name));
        }
    }

    void weightsThatAreNoMoreAreToldAndTheDocumentStays() {
        namespace w = onnx_writer;
        WindowFixture fixture;
        const w::GraphParts parts{{w::node("Add", {"x", "w"}, {"y"})},
                                  {w::tensor("w", {100000}, std::vector<float>(100000, 0.5f))},
                                  {w::value_info("x", {100000})},
                                  {w::value_info("y", {100000})}};
        const QString path = fixture.file(QStringLiteral("large.onnx"), QByteArray::fromStdString(w::model(parts)));
        QVERIFY(fixture.open(path));
        QVERIFY(QFile::resize(path, 4096));
        QTemporaryDir folder;
        fixture.window->exports().write(folder.filePath(QStringLiteral("c")), QStringLiteral("c"));
        QVERIFY(fixture.settle());
        QVERIFY(fixture.takeMessage().contains(QLatin1String("has changed since it was opened")));
        fixture.window->action(QStringLiteral("run"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.takeMessage().contains(QLatin1String("has changed since it was opened")));
        QVERIFY(fixture.window->document().isOpen());
        QVERIFY(fixture.nodeOf(QStringLiteral("add")) >= 0);
    }

    void aSignalIsARegularEndAndTheNextStartGoesOn_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGHUP") << SIGHUP;
        QTest::newRow("SIGINT") << SIGINT;
    }
    void aSignalIsARegularEndAndTheNextStartGoesOn() {
        QFETCH(int, number);
        QTemporaryDir home;
        const QString module = home.filePath("mine.relay");
        QVERIFY(write_file(module.toStdString(), kOneDivide));
        const auto files = [&](const QString& pattern) {
            return QDir(home.filePath("Partita/Partita/autosave")).entryList({pattern}, QDir::Files);
        };
        const auto end = [&](QProcess& program) {
            ::kill(pid_t(program.processId()), number);
            return program.waitForFinished(30000) && program.exitStatus() == QProcess::NormalExit &&
                   program.exitCode() == 0;
        };
        {
            QProcess program;
            start(program, home, {"--backends", "ccompiler,dnnl", "--do", "select-all,backend-1", module});
            QTRY_COMPARE_WITH_TIMEOUT(files("*.partita").size(), 1, 30000);
            QVERIFY(end(program));
        }
        QCOMPARE(files("*").size(), 1);
        QVERIFY2(files("*")[0].startsWith("kept-"), qPrintable(files("*")[0]));
        {
            // Nobody is asked: it is there, as unsaved as it was, and kept under this process's name.
            QProcess program;
            start(program, home, {});
            QTRY_VERIFY_WITH_TIMEOUT(
                files("kept-*").isEmpty() && files("*.partita").size() == 1 && files("*.lock").size() == 1, 30000);
            QVERIFY(end(program));
        }
        QCOMPARE(files("kept-*.partita").size(), 1);
        QFile kept(home.filePath("Partita/Partita/autosave/" + files("kept-*.partita")[0]));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(QJsonDocument::fromJson(kept.readAll()).object().value("assignments").toArray().size(), 6);
    }

    void whatNobodyWorksInLeavesNothingBehind() {
        QTemporaryDir home;
        const QString module = home.filePath("mine.relay");
        QVERIFY(write_file(module.toStdString(), kOneDivide));
        QProcess program;
        start(program, home, {"--backends", "ccompiler", "--do", "select-all,backend-1,merge,run", "--quit", module});
        QVERIFY(program.waitForFinished(60000));
        QCOMPARE(program.exitCode(), 0);
        QVERIFY(QDir(home.filePath("Partita/Partita/autosave")).entryList(QDir::Files).isEmpty());
        QVERIFY(!QFile::exists(home.filePath("Partita/Partita/session.partita")));
    }

    void workThatWasThrownAwayIsNotOfferedAtTheNextStart() {
        WindowFixture fixture;
        QDir(Autosave::defaultFolder()).removeRecursively();
        QVERIFY(fixture.openOneDivide());
        MainWindow& window = *fixture.window;
        const auto kept = [] { return QDir(Autosave::defaultFolder()).entryList({"*.partita"}, QDir::Files).size(); };
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        QTest::keyClick(&fixture.view(), Qt::Key_1);
        QVERIFY(fixture.settle());
        QTRY_COMPARE_WITH_TIMEOUT(kept(), 1, 10000);
        window.close();
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("leave-document"));
        QVERIFY(box);
        QTest::mouseClick(box->button(QMessageBox::Discard), Qt::LeftButton);
        QVERIFY(!window.isVisible());
        fixture.window.reset();
        QCOMPARE(kept(), 0);
        fixture.startAgain();
        QVERIFY(Autosave::leftBehind().empty());
    }

    void theEndOfTheDesktopsSessionAsksNothing() {
        WindowFixture fixture;
        QDir(Autosave::defaultFolder()).removeRecursively();
        QVERIFY(fixture.openOneDivide());
        MainWindow& window = *fixture.window;
        const auto end_session = [] {
            alignas(QSessionManager) char unused[sizeof(QSessionManager)] = {};  // only Qt makes one
            emit qApp->commitDataRequest(reinterpret_cast<QSessionManager&>(unused));
        };
        const auto kept = [] {
            return QDir(Autosave::defaultFolder()).entryList({"kept-*.partita"}, QDir::Files).size();
        };
        fixture.click(fixture.nodeOf(QStringLiteral("add")));
        window.document().giveToBackend(window.document().selection(), 1);
        QVERIFY(fixture.settle());
        end_session();
        QCOMPARE(kept(), 1);
        // Another program stopped the end, and the work goes on: now the window asks again.
        window.document().giveToBackend(window.document().selection(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(kept(), 0, 5000);
        QVERIFY(!window.close());
        auto* box = window.findChild<QMessageBox*>(QStringLiteral("leave-document"));
        QVERIFY(box);
        box->button(QMessageBox::Cancel)->click();
        end_session();
        QVERIFY(window.close());
        QVERIFY(fixture.settle());
        fixture.window.reset();
        QCOMPARE(kept(), 1);
        QVERIFY(Autosave::leftBehind().empty());
        fixture.window = std::make_unique<MainWindow>();
        fixture.window->show();
        QVERIFY(fixture.window->opening().offerRecovery());
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().choice().overrides->size(), size_t(1));
        QVERIFY(fixture.window->document().isUnsaved());
        QCOMPARE(kept(), 0);
        fixture.window->document().forgetAutosave();
    }

private:
    /// The program itself, with a home of its own.
    static void start(QProcess& program, const QTemporaryDir& home, const QStringList& arguments) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* place : {"XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"})
            environment.insert(place, home.path());
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        program.setProcessEnvironment(environment);
        program.setProcessChannelMode(QProcess::ForwardedChannels);
        program.start(PARTITA_PROGRAM, arguments);
        QVERIFY(program.waitForStarted());
    }
};

PARTITA_TEST(TestSaveAndClose)

}  // namespace test_save_and_close

#include "test_save_and_close.moc"
