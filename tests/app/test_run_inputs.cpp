// One's own inputs: dropped or chosen in the dialog, told with the run, kept in the project, refused by name.
#include <QComboBox>
#include <QFileDialog>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>

#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/window/inputs_dialog.h"
#include "engine/runtime/npy.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_run_inputs {

using namespace partita;

namespace {

const char* const kPicture = R"(#[version = "0.0.5"]
def @main(%image: Tensor[(1, 3, 2, 2), float32], %ids: Tensor[(2), float32]) {
  (nn.relu(%image), add(%ids, %ids))
}
)";

QString array(const WindowFixture& fixture, const QString& name, const std::vector<int64_t>& shape, double first) {
    Tensor tensor(kFloat32, shape);
    tensor.set(0, first);
    const std::string bytes = format_npy(tensor);
    return fixture.file(name, QByteArray(bytes.data(), qsizetype(bytes.size())));
}

double output(WindowFixture& fixture, size_t which) {
    return fixture.window->document().runOutcome()->report.outputs.at(which).at(0);
}

QString summary(WindowFixture& fixture) {
    return fixture.window->panels().timing().findChild<QLabel*>(QStringLiteral("timing-summary"))->text();
}

}  // namespace

class TestRunInputs : public QObject {
    Q_OBJECT

private slots:
    void aDroppedArrayIsWhatARunAndTheComparisonTake() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("m.relay"), kPicture)));
        QVERIFY(fixture.drop({array(fixture, QStringLiteral("seven.npy"), {2}, 7)}));
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().path().section(QLatin1Char('/'), -1), QStringLiteral("m.relay"));
        QCOMPARE(fixture.window->document().inputs().size(), size_t(1));
        fixture.window->action(QStringLiteral("whole-flow"))->trigger();
        QVERIFY(fixture.settle());
        QTest::keyClick(fixture.window.get(), Qt::Key_F5);
        QVERIFY(fixture.settle());
        QCOMPARE(output(fixture, 1), 14.0);
        QCOMPARE(fixture.window->document().runOutcome()->reference->outputs.at(1).at(0), 14.0);
        QVERIFY2(summary(fixture).contains(QStringLiteral("ids = seven.npy")), qPrintable(summary(fixture)));
        fixture.window->panels().timing().compareBoundaries();
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->panels().timing().boundaries() &&
                !first_wrong(*fixture.window->panels().timing().boundaries()));
    }

    void whatDoesNotFitIsRefusedByNameAndChangesNothing() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("m.relay"), kPicture)));
        QVERIFY(fixture.drop({array(fixture, QStringLiteral("long.npy"), {5}, 1)}));
        QVERIFY(fixture.settle());
        const QString told = fixture.takeMessage();
        QVERIFY2(
            told.contains(QStringLiteral("long.npy")) && told.contains(QStringLiteral("ids: Tensor[(2), float32]")),
            qPrintable(told));
        QVERIFY(fixture.window->document().inputs().empty());
        QVERIFY(fixture.drop({fixture.file(QStringLiteral("broken.png"), "no picture")}));
        QVERIFY(fixture.settle());
        QVERIFY(fixture.takeMessage().contains(QStringLiteral("broken.png")));
    }

    void anImageIsReadAsItsFieldsSay() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("m.relay"), kPicture)));
        const QString path = fixture.file(QStringLiteral("red.png"), {});
        QImage red(8, 8, QImage::Format_RGB32);
        red.fill(Qt::red);
        QVERIFY(red.save(path));
        QVERIFY(fixture.drop({path}));
        QVERIFY(fixture.settle());
        fixture.window->action(QStringLiteral("run"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(output(fixture, 0), 1.0);  // from 0 to 1, as most models want it

        QTest::keyClick(fixture.window.get(), Qt::Key_I, Qt::ControlModifier);
        auto* dialog = fixture.dialog<InputsDialog>();
        QVERIFY(dialog);
        QVERIFY(fixture.settle());
        auto* table = dialog->findChild<QTreeWidget*>();
        QCOMPARE(table->topLevelItemCount(), 2);
        QCOMPARE(table->topLevelItem(0)->text(2), QStringLiteral("red.png"));
        QVERIFY(table->topLevelItem(1)->text(2).contains(QStringLiteral("standard normal")));
        const QList<QLineEdit*> fields = dialog->findChildren<QLineEdit*>();
        QLineEdit *mean = fields.at(0), *scale = fields.at(1);
        QCOMPARE(scale->text(), QStringLiteral("255"));
        mean->setFocus();
        mean->selectAll();
        QTest::keyClicks(mean, QStringLiteral("55, 0, 0"));
        QTest::keyClick(mean, Qt::Key_Tab);
        scale->setFocus();
        scale->selectAll();
        QTest::keyClicks(scale, QStringLiteral("0"));
        QTest::keyClick(scale, Qt::Key_Tab);
        QVERIFY(fixture.window->document().inputs().at(0).image->scale[0] != 0);
        scale->setFocus();
        scale->selectAll();
        QTest::keyClicks(scale, QStringLiteral("100"));
        QTest::keyClick(scale, Qt::Key_Tab);
        const QByteArray pictures = qgetenv("PARTITA_PICTURES");
        if (!pictures.isEmpty()) dialog->grab().save(QString::fromLocal8Bit(pictures) + QLatin1String("/inputs.png"));
        dialog->accept();
        fixture.window->action(QStringLiteral("run"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(output(fixture, 0), 2.0);
    }

    void theyAreKeptInTheProjectAndCanBeMadeAgain() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("m.relay"), kPicture)));
        const QString path = array(fixture, QStringLiteral("seven.npy"), {2}, 7);
        QVERIFY(fixture.drop({path}));
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->document().isUnsaved());
        const QString project = QFileInfo(path).dir().filePath(QStringLiteral("p.partita"));
        fixture.window->document().saveProject(project);
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.window->document().isUnsaved());
        fixture.openOneDivide();
        QVERIFY(fixture.window->document().inputs().empty());
        QVERIFY(fixture.open(project));
        QCOMPARE(fixture.window->document().inputs().size(), size_t(1));
        fixture.window->action(QStringLiteral("run-inputs"))->trigger();
        auto* dialog = fixture.dialog<InputsDialog>();
        QVERIFY(dialog);
        QVERIFY(fixture.settle());
        auto* table = dialog->findChild<QTreeWidget*>();
        table->setCurrentItem(table->topLevelItem(1));
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("&Make it")) QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(fixture.window->document().inputs().empty());
        dialog->accept();
    }

    /// A run says which file is gone, and the one before it stays.
    void aFileThatIsGoneIsNamed() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("m.relay"), kPicture)));
        const QString path = array(fixture, QStringLiteral("gone.npy"), {2}, 7);
        QVERIFY(fixture.drop({path}));
        QVERIFY(fixture.settle());
        QVERIFY(QFile::remove(path));
        QSignalSpy failed(&fixture.window->document(), &Document::runFailed);
        fixture.window->action(QStringLiteral("run"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(failed.size(), 1);
        QVERIFY(failed.at(0).at(0).toString().contains(QStringLiteral("gone.npy")));
        // Nothing runs any more: the panel says so.
        const auto labels = fixture.window->panels().timing().findChildren<QLabel*>();
        QVERIFY(std::none_of(labels.begin(), labels.end(),
                             [](const QLabel* label) { return label->text().contains(QStringLiteral("is running")); }));
        fixture.takeMessage();
    }
};

PARTITA_TEST(TestRunInputs)

}  // namespace test_run_inputs

#include "test_run_inputs.moc"
