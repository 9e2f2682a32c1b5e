// Flow > Divide by, with the mouse: the graph is divided by another algorithm, which undo and projects keep.
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>

#include "tests/app/window_fixture.h"
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

private:
    static QAction* actionIn(const QWidget& menu, const QString& name) {
        for (QAction* action : menu.actions())
            if (action->objectName() == name || action->text().remove('&') == name) return action;
        return nullptr;
    }
    static QMenu* popup() { return qobject_cast<QMenu*>(QApplication::activePopupWidget()); }
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
