// ONNX models that leave dimensions open: the window asks once, reads the model with the answer, and remembers it.
#include <QLabel>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>

#include "app/gui/window/dimensions_dialog.h"
#include "tests/app/window_fixture.h"
#include "tests/engine/tiny_decoder.h"
#include "tests/registry.h"

namespace test_window_dimensions {

using namespace partita;
namespace w = onnx_writer;

namespace {

/// y = Relu(x) with x of N rows.
QByteArray open_model() {
    w::GraphParts parts{
        {w::node("Relu", {"x"}, {"y"})}, {}, {w::value_info("x", {-1, 3})}, {w::value_info("y", {-1, 3})}};
    return QByteArray::fromStdString(w::model(parts));
}

std::string type_of_input(MainWindow& window) { return window.document().summary().inputs.at(0).second; }

}  // namespace

class TestWindowDimensions : public QObject {
    Q_OBJECT

private slots:
    void anOpenDimensionIsAskedForOnceAndRemembered() {
        WindowFixture fixture;
        const QString path = fixture.file(QStringLiteral("open.onnx"), open_model());
        QVERIFY(fixture.open(path));
        auto* dialog = fixture.window->findChild<DimensionsDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        const QByteArray pictures = qgetenv("PARTITA_PICTURES");
        for (ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            if (pictures.isEmpty()) break;
            Settings settings = fixture.window->settings();
            settings.theme = theme;
            fixture.window->applySettings(settings);
            const char* name = theme == ThemeChoice::Dark ? "/dimensions-dark.png" : "/dimensions.png";
            dialog->grab().save(QString::fromLocal8Bit(pictures) + QLatin1String(name));
        }
        QCOMPARE(type_of_input(*fixture.window), std::string("Tensor[(1, 3), float32]"));
        dialog->findChild<QSpinBox*>()->setValue(7);
        dialog->accept();
        QVERIFY(fixture.settle());
        QCOMPARE(type_of_input(*fixture.window), std::string("Tensor[(7, 3), float32]"));
        QVERIFY(fixture.window->action(QStringLiteral("dimensions"))->isEnabled());

        // Opened again, in this window and in a new one, it is not asked for.
        QVERIFY(fixture.open(path));
        QCOMPARE(type_of_input(*fixture.window), std::string("Tensor[(7, 3), float32]"));
        QCOMPARE(Settings::load().dimensions.size(), size_t(1));
        for (auto* other : fixture.window->findChildren<DimensionsDialog*>()) QVERIFY(!other->isVisible());
    }

    void manyDimensionsAreScrolledInOneDirection() {
        w::GraphParts parts;
        for (int i = 0; i < 24; ++i) {
            const std::string number = std::to_string(i);
            const std::string name = "a_dimension_whose_name_is_very_very_long_as_exporters_make_them_" + number;
            parts.nodes.push_back(w::node("Relu", {"x" + number}, {"y" + number}));
            parts.inputs.push_back(w::named_value_info("x" + number, {name, "3"}));
            parts.outputs.push_back(w::named_value_info("y" + number, {name, "3"}));
        }
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("many.onnx"), QByteArray::fromStdString(w::model(parts)))));
        auto* dialog = fixture.window->findChild<DimensionsDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto* scroll = dialog->findChild<QScrollArea*>();
        QVERIFY(scroll->verticalScrollBar()->isVisible());
        QVERIFY(!scroll->horizontalScrollBar()->isVisible());
        for (const QSpinBox* box : dialog->findChildren<QSpinBox*>())
            QVERIFY(box->mapTo(scroll->viewport(), QPoint(box->width(), 0)).x() <= scroll->viewport()->width());
        // The middle of a long name is left out, and its tool tip has the whole.
        const QString name = QStringLiteral("a_dimension_whose_name_is_very_very_long_as_exporters_make_them_0");
        const QList<QLabel*> labels = dialog->findChildren<QLabel*>();
        const auto label =
            std::find_if(labels.begin(), labels.end(), [&](QLabel* each) { return each->toolTip().startsWith(name); });
        QVERIFY(label != labels.end());
        QVERIFY((*label)->text().startsWith(QStringLiteral("a_dimension")) &&
                (*label)->text().endsWith(QStringLiteral("make_them_0")) && (*label)->text().contains(u'…'));
    }

    void keepingTheValuesIsAnAnswerToo() {
        WindowFixture fixture;
        const QString path = fixture.file(QStringLiteral("open.onnx"), open_model());
        QVERIFY(fixture.open(path));
        fixture.window->findChild<DimensionsDialog*>()->reject();
        QVERIFY(fixture.settle());
        QCOMPARE(type_of_input(*fixture.window), std::string("Tensor[(1, 3), float32]"));
        QCOMPARE(fixture.window->settings().dimensions.size(), size_t(1));
        QVERIFY(fixture.open(path));
        QVERIFY(fixture.window->document().dimensionsChosen());
    }

    void whatFollowsFromOthersIsNotAskedFor() {
        WindowFixture fixture;
        QVERIFY(fixture.open(
            fixture.file(QStringLiteral("decoder.onnx"), QByteArray::fromStdString(tiny_decoder::model()))));
        auto* dialog = fixture.window->findChild<DimensionsDialog*>();
        QVERIFY(dialog);
        const QList<QSpinBox*> boxes = dialog->findChildren<QSpinBox*>();
        QCOMPARE(boxes.size(), 3);
        const QList<QLabel*> labels = dialog->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel* label) { return label->text() == QLatin1String("past + seq"); }));
        for (QSpinBox* box : boxes)
            if (box->accessibleName() == QLatin1String("past")) box->setValue(6);
        dialog->accept();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().summary().inputs.at(1).second, std::string("Tensor[(1, 7), int64]"));
    }

    void aRememberedSizeThatContradictsIsCorrected() {
        WindowFixture fixture;
        const QString path =
            fixture.file(QStringLiteral("decoder.onnx"), QByteArray::fromStdString(tiny_decoder::model()));
        fixture.window->document().openWithDimensions(path, {{"batch", 1}, {"seq", 1}, {"past", 3}, {"total", 1}});
        QVERIFY(fixture.settle());
        QVERIFY(fixture.window->document().isOpen());
        QCOMPARE(fixture.window->document().summary().inputs.at(1).second, std::string("Tensor[(1, 4), int64]"));
        const std::vector<Problem>& problems = fixture.window->document().problems();
        QVERIFY(std::any_of(problems.begin(), problems.end(), [](const Problem& each) {
            return each.text.contains(QLatin1String("'total' was given as 1, which contradicts the model"));
        }));
    }

    void aProjectKeepsItsDimensions() {
        WindowFixture fixture;
        const QString model = fixture.file(QStringLiteral("open.onnx"), open_model()),
                      project = fixture.file(QStringLiteral("a.partita"), {});
        QVERIFY(fixture.open(model));
        auto* dialog = fixture.window->findChild<DimensionsDialog*>();
        dialog->findChild<QSpinBox*>()->setValue(5);
        dialog->accept();
        QVERIFY(fixture.settle());
        fixture.window->document().saveProject(project);
        QVERIFY(fixture.settle());

        // On another machine nothing is remembered: the project says it, and nobody is asked.
        Settings settings = fixture.window->settings();
        settings.dimensions.clear();
        fixture.window->applySettings(settings);
        QVERIFY(fixture.open(project));
        QCOMPARE(type_of_input(*fixture.window), std::string("Tensor[(5, 3), float32]"));
        for (auto* other : fixture.window->findChildren<DimensionsDialog*>()) QVERIFY(!other->isVisible());
        QVERIFY(!fixture.window->document().isUnsaved());

        // Chosen anew they are a change of the project, until it is saved.
        fixture.window->opening().chooseDimensions();
        for (auto* other : fixture.window->findChildren<DimensionsDialog*>())
            if (other->isVisible()) {
                other->findChild<QSpinBox*>()->setValue(6);
                other->accept();
            }
        QVERIFY(fixture.settle());
        QCOMPARE(type_of_input(*fixture.window), std::string("Tensor[(6, 3), float32]"));
        QVERIFY(fixture.window->document().isUnsaved());
        fixture.window->document().saveProject(project);
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.window->document().isUnsaved());
        QVERIFY(fixture.open(project));
        QCOMPARE(type_of_input(*fixture.window), std::string("Tensor[(6, 3), float32]"));
    }

    void modulesWithoutOpenDimensionsAreNotAskedAbout() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        QVERIFY(!fixture.window->findChild<DimensionsDialog*>());
        QVERIFY(!fixture.window->action(QStringLiteral("dimensions"))->isEnabled());
    }
};

PARTITA_TEST(TestWindowDimensions)

}  // namespace test_window_dimensions

#include "test_window_dimensions.moc"
