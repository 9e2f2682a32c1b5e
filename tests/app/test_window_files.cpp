// Files in the window: opened, dropped, saved as projects, exported; bad ones.
#include "window_fixture.h"

#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QTextBrowser>
#include <QTreeView>

#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/text/text_panel.h"
#include "tests/registry.h"

namespace test_window_files {

using namespace partita;

class TestWindowFiles : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

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
        fixture_->window->exports().write(folder.filePath(name));
        QVERIFY(fixture_->settle());
        QFile file(folder.filePath(name));
        QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(fixture_->takeMessage()));
        QVERIFY(file.readAll().contains(begins));
    }

    void aBadFileGivesAMessageAndTheOldDocumentStays() {
        QVERIFY(fixture_->openOneDivide());
        const QString before = fixture_->window->document().path();
        fixture_->window->opening().openFile(fixture_->file(
            "bad.relay", "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n  nn.rellu(%x)\n}\n"));
        QVERIFY(fixture_->settle());
        fixture_->picture("12-bad-file");
        const QString message = fixture_->takeMessage();
        QVERIFY2(message.contains("bad.relay:3"), qPrintable(message));
        QCOMPARE(fixture_->window->document().path(), before);
        QVERIFY(fixture_->view().hasGraph());
        QCOMPARE(fixture_->window->document().problems().size(), size_t(1));
        QCOMPARE(fixture_->window->document().problems()[0].position.line, 3u);
        fixture_->window->opening().openFile("/nonexistent/file.relay");
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
        window.document().saveProject(path);
        QVERIFY(fixture_->settle());
        QCOMPARE(window.document().projectPath(), path);
        window.document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("divide")), QStringLiteral("default"));
        QVERIFY(fixture_->open(path));
        QVERIFY2(window.document().problems().empty(),
                 qPrintable(window.document().problems().empty() ? QString() : window.document().problems()[0].text));
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("divide")), QStringLiteral("dnnl"));
        QVERIFY(window.document().choice().merge);
        // One that names another module's operators gives a message and changes nothing.
        window.opening().openFile(fixture_->file("broken.partita", "{\"format\": \"partita\", \"version\": 99}"));
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->takeMessage().contains("newer version"));
        QCOMPARE(window.document().projectPath(), path);
    }

    /// While a division is under way, names are of another module than what is saved.
    void whatIsSavedDuringADivisionIsOfTheRightOperators() {
        QVERIFY(fixture_->open(fixture_->file("dropout.relay", R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32]) {
  %0 = nn.dropout(%x);
  %1 = %0.0;
  %2 = exp(%1);
  %3 = nn.dropout(%2);
  %4 = %3.0;
  %5 = add(%4, %x);
  tanh(%5)
}
)")));
        MainWindow& window = *fixture_->window;
        window.action("annotate")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("add")), QStringLiteral("ccompiler"));
        window.action("simplify")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->nodeOf("nn.dropout"), int64_t(-1));
        fixture_->click(fixture_->nodeOf("add"));
        QTest::keyClick(&fixture_->view(), Qt::Key_2);
        QVERIFY(fixture_->settle());
        window.action("simplify")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->nodeOf("nn.dropout") >= 0);
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("divided.partita"));
        window.action("undo")->trigger();
        window.document().saveProject(path);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->open(path));
        QCOMPARE(fixture_->nodeOf("nn.dropout"), int64_t(-1));
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("add")), QStringLiteral("dnnl"));
        const std::vector<uint8_t>& given = fixture_->view().decoration()->overridden;
        QCOMPARE(int(std::count(given.begin(), given.end(), 1)), 1);
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
        QVERIFY(fixture_->drop({path}));
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().path(), path);
    }

    void twoDroppedFilesAreCompared() {
        const QString before = fixture_->file("before.relay", kOneDivide);
        const QString after =
            fixture_->file("after.relay", QByteArray(kOneDivide).replace("subtract(%0, %w2)", "tanh(%0)"));
        QVERIFY(fixture_->drop({before, after}));
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().path(), before);
        auto* page = fixture_->window->findChild<DiffPage*>();
        QVERIFY(page && page->isVisible());
        QVERIFY2(page->summary().text().contains("changed"), qPrintable(page->summary().text()));
        QCOMPARE(page->source(DiffSideName::After).currentText(), QStringLiteral("after.relay"));
        // A file that can't be opened takes what was to be compared with it along.
        QVERIFY(fixture_->drop({fixture_->file("broken.relay", "def"), after}));
        QVERIFY(fixture_->settle());
        (void)fixture_->takeMessage();
        QVERIFY(fixture_->open(before));
        QVERIFY(!fixture_->window->findChild<DiffPage*>());
    }

    void aLinkLeadsBackToTheOperatorAndItsDivision() {
        QVERIFY(fixture_->openOneDivide());
        MainWindow& window = *fixture_->window;
        window.action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        const std::vector<ExprId> fourth = window.document().names().select("#4");
        window.document().setSelection(fourth);
        window.action("copy-link")->trigger();
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(copied.endsWith("?backends=ccompiler,dnnl&until=partition&select=%234"), qPrintable(copied));
        const QString path = window.document().path();

        QVERIFY(fixture_->open(fixture_->file("other.relay", "def @main(%x: float32) { exp(%x) }")));
        window.opening().openLink(
            *read_place_link(copied.toStdString() + "&panel=why"));  // found among the recent files
        if (auto* question = window.findChild<QMessageBox*>(QStringLiteral("leave-document")))
            question->button(QMessageBox::Discard)->click();
        QVERIFY(fixture_->settle());
        QCOMPARE(window.document().path(), path);
        QVERIFY(window.document().partitioned() != nullptr);
        QCOMPARE(window.document().selection(), window.document().names().select("#4"));

        window.opening().openLink({"nowhere.relay", {}, {}, {}, {}, {}});
        QVERIFY(fixture_->takeMessage().contains("nowhere.relay"));
    }

    void ofSeveralDroppedFilesOneIsOpenedAndTheOthersAreAtHand() {
        QStringList paths;
        for (const char* name : {"one.relay", "two.relay", "three.relay"}) paths << fixture_->file(name, kOneDivide);
        QVERIFY(fixture_->drop(paths));
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->window->document().path(), paths[0]);
        QVERIFY(!fixture_->window->findChild<DiffPage*>());
        QCOMPARE(fixture_->window->settings().recent_files.first(3), paths);
    }

private:
    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestWindowFiles)

}  // namespace test_window_files

#include "test_window_files.moc"
