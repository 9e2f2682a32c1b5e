// Flow > Divide by, with the mouse: the graph is divided by another algorithm, which undo and projects keep.
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSlider>

#include "tests/app/window_fixture.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_divide_by {

using namespace partita;

class TestDivideBy : public QObject {
    Q_OBJECT

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        fixture_->window->setBackends({QStringLiteral("ccompiler")});
        QVERIFY(fixture_->openOneDivide());
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        as_tvm_ = regions();
        QVERIFY(as_tvm_.size() > 1);
    }
    void cleanup() { fixture_.reset(); }

    void aClickDividesAndUndoGoesBack() {
        choose("each");
        QCOMPARE(chosen(), QString("partitioner-each"));
        QVERIFY(regions() != as_tvm_);
        for (const std::vector<ExprId>& region : regions()) QCOMPARE(region.size(), size_t(1));
        QVERIFY(fixture_->window->document().undoStack().undoText().startsWith("divide by each"));
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(chosen(), QString("partitioner-tvm"));
        QVERIFY(regions() == as_tvm_);
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(chosen(), QString("partitioner-each"));
    }

    /// By itself, and by its own blocks: what stands outside of them is in no region.
    void aRelaxFileIsDividedAsRelaxDoes() {
        QVERIFY(fixture_->open(
            fixture_->file("m.py",
                           "@I.ir_module\nclass Module:\n    @R.function\n"
                           "    def main(x: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((4,), dtype=\"float32\"):\n"
                           "        with R.dataflow():\n"
                           "            a: R.Tensor((4,), dtype=\"float32\") = R.add(x, x)\n"
                           "            b: R.Tensor((4,), dtype=\"float32\") = R.multiply(a, x)\n"
                           "            R.output(b)\n"
                           "        c: R.Tensor((4,), dtype=\"float32\") = R.add(b, x)\n"
                           "        return c\n")));
        QCOMPARE(chosen(), QString("partitioner-relax"));
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        QCOMPARE(regions().size(), size_t(1));
        QCOMPARE(regions().front().size(), size_t(2));
        choose("tvm");
        QCOMPARE(regions().size(), size_t(1));
        QCOMPARE(regions().front().size(), size_t(3));
    }

    /// Softsign is three calls here, of which the backend takes the sum, and one node of the file.
    void onnxRuntimeDividesTheFilesNodes() {
        QVERIFY(fixture_->open(fixture_->file("softsign.onnx", withSoftsign())));
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        choose("components");
        QVERIFY(labelsInRegions().contains("softsign"));
        choose("onnxruntime");
        QCOMPARE(labelsInRegions(), (QStringList{"add", "mul"}));
        QCOMPARE(regions().size(), size_t(2));
    }

    void aProjectKeepsIt() {
        choose("each");
        const std::vector<std::vector<ExprId>> before = regions();
        const QString project = fixture_->file("each.partita", {});
        fixture_->window->document().saveProject(project);
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->openOneDivide());
        QCOMPARE(chosen(), QString("partitioner-tvm"));
        QVERIFY(fixture_->open(project));
        QCOMPARE(chosen(), QString("partitioner-each"));
        QVERIFY(regions() == before);
    }

    void aDivisionComesFromAFile() {
        const QString file = fixture_->file(
            "division.json",
            R"({"regions": [{"backend": "ccompiler", "nodes": [1]}, {"backend": "ccompiler", "nodes": [2]}]})");
        chooseFile(file);
        QCOMPARE(chosen(), QString("partitioner-given"));
        QCOMPARE(regions().size(), size_t(2));
    }

    /// The division before stays.
    void aFileThatIsNoneIsNamed() {
        chooseFile(fixture_->file("none.json", R"({"regions": 3})"));
        const auto& problems = fixture_->window->document().problems();
        QVERIFY(std::ranges::any_of(problems, [](const Problem& problem) {
            return problem.text.contains("a division has \"regions\", a list") && problem.file.endsWith("none.json");
        }));
        fixture_->takeMessage();
        fixture_->window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(fixture_->window.get()));
        QTest::keyClick(fixture_->window.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture_->settle());
        QCOMPARE(chosen(), QString("partitioner-tvm"));
        QVERIFY(regions() == as_tvm_);
    }

    /// Each option is a field; what it is set to divides again, and undo takes it back.
    void optionsAreFields() {
        QVERIFY(!fixture_->window->action("division-options")->isEnabled());  // of tvm
        choose("torch-fx");
        const QPointer<QDialog> dialog = options();
        QVERIFY(dialog);
        QCOMPARE(dialog->windowTitle(), QString("Options of torch-fx"));
        const auto field = [&](const char* name) {
            return dialog->findChild<QWidget*>(QLatin1String("option-") + name);
        };
        auto* release = qobject_cast<QComboBox*>(field("torch"));
        QVERIFY(release);
        QCOMPARE(release->currentText(), QString("main"));
        release->setFocus();
        QTest::keyClick(release, Qt::Key_Down);
        emit release->activated(release->currentIndex());
        QVERIFY(fixture_->settle());
        QCOMPARE(chosenOption("torch"), std::string("2.6"));
        auto* single = qobject_cast<QComboBox*>(field("single-nodes"));
        QVERIFY(single);
        single->setFocus();
        QTest::keyClick(single, Qt::Key_Down);
        emit single->activated(single->currentIndex());
        QVERIFY(fixture_->settle());
        QCOMPARE(chosenOption("single-nodes"), std::string("yes"));
        fixture_->window->document().undoStack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(chosenOption("single-nodes"), std::string());
        single = qobject_cast<QComboBox*>(field("single-nodes"));
        QCOMPARE(single->currentText(), QString("no"));

        choose("tflite");
        QTRY_COMPARE(dialog->windowTitle(), QString("Options of tflite"));
        QVERIFY(!regions().empty());
        auto* most = qobject_cast<QLineEdit*>(field("min-nodes"));
        QVERIFY(most);
        most->setFocus();
        QTest::keyClicks(most, "99");
        QTest::keyClick(most, Qt::Key_Return);
        QVERIFY(fixture_->settle());
        QCOMPARE(regions().size(), size_t(0));
        choose("each");  // has none
        QTRY_VERIFY(!dialog);
    }

    void aBudgetIsASlider() {
        fixture_->window->setBackends({fixture_->file(
            "cuda.json",
            R"({"name": "CUDAExecutionProvider", "ops": {"add": true, "multiply": true, "subtract": true, "divide": true}})")});
        QVERIFY(fixture_->settle());
        choose("onnxruntime");
        QVERIFY(!regions().empty());
        const QPointer<QDialog> dialog = options();
        QVERIFY(dialog);
        auto* slider = dialog->findChild<QSlider*>();
        QVERIFY(slider);
        QCOMPARE(slider->value(), slider->maximum());
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Home);
        QTRY_COMPARE(chosenOption("budget"), std::string("0,"));
        QVERIFY(fixture_->settle());
        QVERIFY(regions().empty());
        const QStringList said = texts(*dialog);
        QVERIFY2(said.contains("session.resource_cuda_partitioning_settings = \"0,\""), qPrintable(said.join('\n')));
        QVERIFY(std::ranges::any_of(said,
                                    [](const QString& text) { return text.endsWith("behind the end of the budget"); }));
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            if (button->text() == "Co&py") QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), QString("session.resource_cuda_partitioning_settings = \"0,\""));
        slider = dialog->findChild<QSlider*>();
        QTest::keyClick(slider, Qt::Key_End);
        QTRY_COMPARE(chosenOption("budget"), std::string());
        QVERIFY(fixture_->settle());
        QVERIFY(!regions().empty());
    }

    /// The statistics are of the nodes that the file names.
    void aBudgetGoesByTheStatisticsOfTheFilesNodes() {
        fixture_->window->setBackends({fixture_->file(
            "cuda.json", R"({"name": "CUDAExecutionProvider", "ops": {"multiply": true, "add": true}})")});
        QVERIFY(fixture_->open(fixture_->file("softsign.onnx", withSoftsign())));
        fixture_->window->action("whole-flow")->trigger();
        QVERIFY(fixture_->settle());
        choose("onnxruntime");
        const QString statistics =
            fixture_->file("stats.csv",
                           "#name,input_sizes,initializers_sizes,total_dynamic_sizes,total_temp\n"
                           "mul_1,1024,0,0,0\nsoftsign_2,0,0,0,4096\nadd_3,2048,0,0,0\n");
        FlowChoice choice = fixture_->window->document().choice();
        choice.partitioner.options["budget"] = "1," + statistics.toStdString();
        fixture_->window->document().changeChoice(choice, "a budget");
        QVERIFY(fixture_->settle());
        QCOMPARE(labelsInRegions(), QStringList{"mul"});
        const QPointer<QDialog> dialog = options();
        QVERIFY(dialog && fixture_->settle());
        auto* slider = dialog->findChild<QSlider*>();
        QCOMPARE(slider->value(), 1);
        QCOMPARE(slider->maximum(), 8);  // 7 KiB, rounded up
    }

private:
    static QByteArray withSoftsign() {
        using namespace onnx_writer;
        return QByteArray::fromStdString(
            model({{node("Mul", {"x", "x"}, {"a"}, {}, "mul"), node("Softsign", {"a"}, {"b"}, {}, "softsign"),
                    node("Add", {"b", "x"}, {"y"}, {}, "add")},
                   {},
                   {value_info("x", {2, 3})},
                   {value_info("y", {2, 3})}}));
    }
    QPointer<QDialog> options() {
        fixture_->window->action("division-options")->trigger();
        auto* dialog = fixture_->window->findChild<QDialog*>("division-options");
        return dialog && QTest::qWaitForWindowExposed(dialog) ? dialog : nullptr;
    }
    std::string chosenOption(const char* name) {
        const auto& options = fixture_->window->document().choice().partitioner.options;
        const auto found = options.find(name);
        return found == options.end() ? std::string() : found->second;
    }
    static QStringList texts(const QWidget& dialog) {
        QStringList all;
        for (const QLabel* label : dialog.findChildren<QLabel*>()) all << label->text();
        return all;
    }
    static QAction* actionIn(const QWidget& menu, const QString& name) {
        for (QAction* action : menu.actions())
            if (action->objectName() == name || action->text().remove('&') == name) return action;
        return nullptr;
    }
    static QMenu* popup() { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); }
    QStringList labelsInRegions() {
        QStringList labels;
        for (const std::vector<ExprId>& region : regions())
            for (ExprId call : region)
                labels.append(
                    QString::fromStdString(std::string(fixture_->window->document().flow()->input->label(call))));
        labels.removeDuplicates();
        labels.sort();
        return labels;
    }

    static void clickIn(QMenu* menu, const QString& name) {
        QVERIFY(menu);
        QAction* action = actionIn(*menu, name);
        QVERIFY2(action && action->isEnabled(), qPrintable(name));
        QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(action).center());
    }
    void click(const char* name) {
        QMenuBar* bar = fixture_->window->menuBar();
        QTest::mouseClick(bar, Qt::LeftButton, {}, bar->actionGeometry(actionIn(*bar, "Flow")).center());
        QMenu* flow = popup();
        clickIn(flow, "Divide by");
        QTRY_VERIFY(popup() && popup() != flow);
        clickIn(popup(), QStringLiteral("partitioner-") + QLatin1String(name));
        QTRY_VERIFY(!popup());
    }
    void choose(const char* name) {
        click(name);
        QVERIFY(fixture_->settle());
    }
    void chooseFile(const QString& file) {
        QTimer typist;
        connect(&typist, &QTimer::timeout, this, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            auto* name = dialog ? dialog->findChild<QLineEdit*>("fileNameEdit") : nullptr;
            if (!name || !dialog->isVisible()) return;
            typist.stop();
            name->setText(file);
            QTest::keyClick(name, Qt::Key_Return);
        });
        typist.start(50);
        choose("given");
    }
    /// Of the switches in the menu the one that is on.
    QString chosen() {
        QStringList on;
        for (const QAction* action : fixture_->window->findChildren<QAction*>())
            if (action->objectName().startsWith("partitioner-") && action->isChecked()) on << action->objectName();
        return on.join(',');
    }
    std::vector<std::vector<ExprId>> regions() {
        std::vector<std::vector<ExprId>> all;
        if (const FlowPtr flow = fixture_->window->document().flow())
            for (const RegionInfo& region : flow->regions) all.push_back(region.expressions);
        return all;
    }

    std::unique_ptr<WindowFixture> fixture_;
    std::vector<std::vector<ExprId>> as_tvm_;
};

PARTITA_TEST(TestDivideBy)

}  // namespace test_divide_by

#include "test_divide_by.moc"
