// Attributes, parameters and functions are edited in the window.
#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStatusBar>
#include <QTabWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <QTranslator>

#include "app/gui/editing/ask_dialog.h"
#include "app/gui/editing/function_attribute_dialog.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_editing_attributes {

using namespace partita;

class TestEditingAttributes : public QObject {
    Q_OBJECT

private slots:
    void anAttributeTooLongForItsFieldIsLeftAsItIs() {
        // Qt's fields cut at 32,767 letters: what they hold must never become the value.
        WindowFixture fixture;
        const QByteArray shape = QByteArray("1, ").repeated(20000) + "4";
        QVERIFY(fixture.open(
            fixture.file(QStringLiteral("long.relay"),
                         "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) { reshape(%x, newshape=[" +
                             shape + "]) }\n")));
        const std::string before = fixture.printed();
        fixture.click(fixture.nodeOf(QStringLiteral("reshape")));
        QLineEdit* field = nullptr;
        QVERIFY(QTest::qWaitFor(
            [&] {
                return (field = fixture.window->findChild<QLineEdit*>(QStringLiteral("attribute-newshape"))) &&
                       field->isVisible();
            },
            5000));
        QVERIFY(field->isReadOnly());
        QVERIFY(field->text().endsWith(QLatin1String("(too long to be changed here)")));
        field->setFocus();
        QTest::keyClick(field, Qt::Key_Return);
        fixture.view().setFocus();
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.window->document().undoStack().canUndo());
        QVERIFY(fixture.printed() == before);
    }

    void attributesAreChangedInTypedFields() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(
            QStringLiteral("softmax.relay"),
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 8), float32]) { nn.softmax(nn.relu(%x)) }\n")));
        fixture.click(fixture.nodeOf(QStringLiteral("nn.softmax")));
        QLineEdit* axis = nullptr;
        QVERIFY(QTest::qWaitFor(
            [&] {
                return (axis = fixture.window->findChild<QLineEdit*>(QStringLiteral("attribute-axis"))) &&
                       axis->isVisible();
            },
            5000));
        axis->setFocus();
        axis->selectAll();
        QTest::keyClicks(axis, QStringLiteral("0"));
        fixture.picture(QStringLiteral("edit-attributes"));
        QTest::keyClick(axis, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY2(fixture.printed().find("axis=0") != std::string::npos, fixture.printed().c_str());
        // A value that the op can't take is refused at the field.
        QVERIFY(QTest::qWaitFor(
            [&] {
                return (axis = fixture.window->findChild<QLineEdit*>(QStringLiteral("attribute-axis"))) &&
                       axis->isVisible();
            },
            5000));
        axis->setFocus();
        axis->selectAll();
        QTest::keyClicks(axis, QStringLiteral("9"));
        QTest::keyClick(axis, Qt::Key_Return);
        QLabel* fault = nullptr;
        QVERIFY(QTest::qWaitFor(
            [&] { return (fault = fixture.window->findChild<QLabel*>(QStringLiteral("fault"))) && fault->isVisible(); },
            5000));
        QVERIFY(fixture.printed().find("axis=0") != std::string::npos);
    }

    void whatSeveralCallsDifferInHasNoValue() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("two.relay"),
                                          "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 8), float32]) { "
                                          "nn.softmax(exp(nn.softmax(%x, axis=0)), axis=1) }\n")));
        fixture.click(fixture.nodeOf(QStringLiteral("exp")));
        std::vector<uint32_t> both;
        const auto& nodes = fixture.view().model()->nodes;
        for (uint32_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].title == QLatin1String("nn.softmax")) both.push_back(i);
        QCOMPARE(both.size(), size_t(2));
        fixture.click(both[0]);
        fixture.click(both[1], Qt::ControlModifier);
        QLineEdit* axis = nullptr;
        QVERIFY(QTest::qWaitFor(
            [&] {
                return (axis = fixture.window->findChild<QLineEdit*>(QStringLiteral("attribute-axis"))) &&
                       axis->isVisible();
            },
            5000));
        QVERIFY(axis->text().isEmpty());
        QCOMPARE(axis->placeholderText(), QStringLiteral("different values"));
        // Left as it is, nothing changes; the value of the first one is one to choose, too.
        const std::string before = fixture.printed();
        axis->setFocus();
        QTest::keyClick(axis, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.printed() == before);
        QTest::keyClicks(axis, QStringLiteral("0"));
        QTest::keyClick(axis, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY2(fixture.printed().find("axis=1") == std::string::npos, fixture.printed().c_str());
        // What is not of one operator has no attributes in common.
        const auto has_axis = [&fixture] {
            const auto* field = fixture.window->findChild<QLineEdit*>(QStringLiteral("attribute-axis"));
            return field && field->isVisible();
        };
        for (const char* other : {"exp", "%x"}) {
            fixture.click(fixture.nodeOf(QStringLiteral("nn.softmax")));
            QVERIFY(QTest::qWaitFor(has_axis, 5000));
            fixture.click(fixture.nodeOf(QLatin1String(other)), Qt::ControlModifier);
            QVERIFY2(QTest::qWaitFor([&] { return !has_axis(); }, 5000), other);
        }
    }

    void aSelectionBecomesAFunctionAndIsInlinedAgain() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("multiply")));
        fixture.click(fixture.nodeOf(QStringLiteral("divide")), Qt::ControlModifier);
        QTest::keyClick(fixture.window.get(), Qt::Key_G, Qt::ControlModifier);
        fixture.answer(QStringLiteral("head"));
        QVERIFY(fixture.window->document().module()->find_function("head").valid());
        QVERIFY(fixture.nodeOf(QStringLiteral("@head")) >= 0);
        fixture.picture(QStringLiteral("edit-function"));
        fixture.click(fixture.nodeOf(QStringLiteral("@head")));
        QTest::keyClick(fixture.window.get(), Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(fixture.settle());
        QVERIFY(!fixture.window->document().module()->find_function("head").valid());
        QVERIFY(fixture.nodeOf(QStringLiteral("multiply")) >= 0);
    }

    void aParameterIsRenamed() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QTest::keyClick(&fixture.view(), Qt::Key_L);
        fixture.answer(QStringLiteral("image"));
        QVERIFY(fixture.nodeOf(QStringLiteral("%image")) >= 0);
        // And where it is shown.
        auto* name = fixture.window->findChild<QLineEdit*>(QStringLiteral("parameter-name"));
        QVERIFY(name && name->isVisible());
        QCOMPARE(name->text(), QStringLiteral("image"));
        name->setFocus();
        const int steps = fixture.window->document().undoStack().count();
        QTest::keyClick(name, Qt::Key_Return);  // of what is there already nothing is made
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().undoStack().count(), steps);
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("photo"));
        QTest::keyClick(name, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY(fixture.nodeOf(QStringLiteral("%photo")) >= 0);
    }

    void aRenamedFunctionKeepsItsTab() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        auto* tabs = qobject_cast<QTabWidget*>(fixture.window->currentPage()->parentWidget()->parentWidget());
        QVERIFY(tabs);
        fixture.window->pages().compare();  // a second tab
        QVERIFY(fixture.settle());
        tabs->setCurrentIndex(0);
        fixture.view().setFocus();
        QTest::keyClick(&fixture.view(), Qt::Key_L);
        fixture.answer(QStringLiteral("network"));
        QCOMPARE(tabs->tabText(0), QStringLiteral("@network"));
        QCOMPARE(fixture.window->currentPage()->target().function, QStringLiteral("network"));
        fixture.window->action(QStringLiteral("annotate"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.backendOf(fixture.nodeOf(QStringLiteral("add"))), QStringLiteral("ccompiler"));
        for (int i = 0; i < 2; ++i) fixture.window->document().undoStack().undo();
        QVERIFY(fixture.settle());
        QCOMPARE(tabs->count(), 2);
        QCOMPARE(tabs->tabText(0), QStringLiteral("@main"));
        QCOMPARE(fixture.view().model()->module, fixture.window->document().shownModule());
    }

    void whyAnEditIsRefusedIsSaidInTheWindowsLanguage() {
        QTranslator german;
        QVERIFY(german.load(QStringLiteral(":/translations/partita_de.qm")));
        QCoreApplication::installTranslator(&german);
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        QSignalSpy refused(&fixture.window->document(), &Document::editRefused);
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QTest::keyClick(&fixture.view(), Qt::Key_Delete);
        QVERIFY(refused.wait(5000));
        QCOMPARE(refused[0][0].toString(), QStringLiteral("%x wird noch benutzt"));
        for (const char* name : {"multiply", "add"})
            fixture.click(fixture.nodeOf(QLatin1String(name)), Qt::ControlModifier);
        fixture.click(fixture.nodeOf(QStringLiteral("%x")), Qt::ControlModifier);
        fixture.window->action(QStringLiteral("extract"))->trigger();
        fixture.answer(QStringLiteral("part"));
        QVERIFY(fixture.nodeOf(QStringLiteral("Feld 0")) >= 0);
        QCoreApplication::removeTranslator(&german);
    }

    void anAttributeOfTheFunctionIsSetAndTakenAway() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        Document& document = fixture.window->document();
        const auto value = [&document] {
            const Module& module = *document.shownModule();
            return QString::fromUtf8(module.function_info(module.find_function("main")).string_attribute("Compiler"));
        };
        const auto open = [&fixture] {
            fixture.window->action(QStringLiteral("function-attribute"))->trigger();
            return fixture.dialog<FunctionAttributeDialog>();
        };
        FunctionAttributeDialog* dialog = open();
        QVERIFY(dialog);
        QVERIFY(dialog->windowTitle().contains(QStringLiteral("@main")));
        auto* name = dialog->findChild<QComboBox*>();
        auto* text = dialog->findChildren<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly).value(0);
        QVERIFY(name && text);
        const auto button = [](FunctionAttributeDialog* of, QDialogButtonBox::ButtonRole role) {
            QDialogButtonBox* box = of->findChild<QDialogButtonBox*>();
            for (QAbstractButton* each : box->buttons())
                if (box->buttonRole(each) == role) return each;
            return static_cast<QAbstractButton*>(nullptr);
        };
        name->setCurrentText(QString());
        QVERIFY(!button(dialog, QDialogButtonBox::AcceptRole)->isEnabled());
        name->setCurrentText(QStringLiteral("Other"));
        QVERIFY(button(dialog, QDialogButtonBox::AcceptRole)->isEnabled());
        // Of another name the value of the one before is no longer there.
        QTest::keyClicks(text, QStringLiteral("1"));
        name->setCurrentText(QStringLiteral("Inline"));
        QCOMPARE(text->text(), QString());
        // What is no name is said where it stands.
        name->setCurrentText(QStringLiteral("no name"));
        QVERIFY(!button(dialog, QDialogButtonBox::DestructiveRole)->isEnabled());
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(dialog->isVisible());
        const auto* fault = dialog->findChild<QLabel*>(QStringLiteral("ask-fault"));
        QVERIFY(fault->text().contains(QStringLiteral("no name")));
        QTest::qWait(50);
        QVERIFY(fault->y() >= text->geometry().bottom());
        QVERIFY(fault->geometry().bottom() <= button(dialog, QDialogButtonBox::AcceptRole)->parentWidget()->y());
        // However much there is to say, the dialog is as wide as it was.
        const int width = dialog->width();
        name->setCurrentText(QStringLiteral("no name ").repeated(30));
        QTest::keyClick(text, Qt::Key_Return);
        QTest::qWait(50);
        QCOMPARE(dialog->width(), width);
        name->setCurrentText(QStringLiteral("Compiler"));
        QTest::keyClicks(text, QStringLiteral("dnnl"));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return value() == QStringLiteral("dnnl"); }, 5000));
        QVERIFY(fixture.settle());
        // Now it is there: its value is shown, and it can be taken away.
        fixture.window->activateWindow();
        dialog = open();
        QVERIFY(dialog);
        QCOMPARE(dialog->name(), QStringLiteral("Compiler"));
        QCOMPARE(dialog->findChildren<QLineEdit*>(QString(), Qt::FindDirectChildrenOnly).value(0)->text(),
                 QStringLiteral("\"dnnl\""));
        QTest::mouseClick(button(dialog, QDialogButtonBox::DestructiveRole), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return value().isEmpty(); }, 5000));
        document.undoStack().undo();
        QVERIFY(QTest::qWaitFor([&] { return value() == QStringLiteral("dnnl"); }, 5000));
    }

    void theAttributesOfACalledFunctionAreReachedFromItsCall() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("called.relay"), R"(#[version = "0.0.5"]
def @part(%a: Tensor[(2), float32], Compiler="dnnl") { tanh(%a) }
def @main(%x: Tensor[(2), float32], Inline=1) { exp(@part(%x)) }
)")));
        const auto shown = [&fixture](const QString& node) {
            fixture.click(fixture.nodeOf(node));
            fixture.window->action(QStringLiteral("function-attribute"))->trigger();
            auto* dialog = fixture.dialog<FunctionAttributeDialog>();
            if (!dialog) return QString();
            const QString said = dialog->windowTitle() + " " + dialog->findChild<QComboBox*>()->itemText(0);
            QTest::keyClick(dialog, Qt::Key_Escape);
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
            return said;
        };
        QCOMPARE(shown(QStringLiteral("@part")), QStringLiteral("Attribute of @part Compiler"));
        QCOMPARE(shown(QStringLiteral("exp")), QStringLiteral("Attribute of @main Inline"));
    }

    void aCalledFunctionIsRenamedFromItsCall() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("called.relay"), R"(#[version = "0.0.5"]
def @part(%a: Tensor[(2), float32]) { tanh(%a) }
def @main(%x: Tensor[(2), float32]) { exp(@part(%x)) }
)")));
        fixture.click(fixture.nodeOf(QStringLiteral("@part")));
        QTest::keyClick(&fixture.view(), Qt::Key_L);
        auto* ask = fixture.dialog<QInputDialog>();
        QVERIFY(ask);
        QCOMPARE(ask->textValue(), QStringLiteral("part"));
        fixture.answer(QStringLiteral("piece"));
        QVERIFY(fixture.nodeOf(QStringLiteral("@piece")) >= 0);
    }

    void aSwitchedAttributeAndATypedTypeAreTaken() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(
            QStringLiteral("sum.relay"),
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 8), float32]) { sum(nn.relu(%x), axis=[1]) }\n")));
        fixture.click(fixture.nodeOf(QStringLiteral("sum")));
        QVERIFY(fixture.settle());
        auto* keeps = fixture.window->findChild<QCheckBox*>(QStringLiteral("attribute-keepdims"));
        QVERIFY(keeps && !keeps->isChecked());
        keeps->click();
        QVERIFY(fixture.settle());
        QVERIFY2(fixture.printed().find("keepdims=True") != std::string::npos, fixture.printed().c_str());
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QVERIFY(fixture.settle());
        auto* type = fixture.window->findChild<QLineEdit*>(QStringLiteral("parameter-type-text"));
        QVERIFY(type && type->isVisible());
        type->setFocus();
        const int steps = fixture.window->document().undoStack().count();
        QTest::keyClick(type, Qt::Key_Return);  // of what is there already nothing is made
        QVERIFY(fixture.settle());
        QCOMPARE(fixture.window->document().undoStack().count(), steps);
        type->selectAll();
        QTest::keyClicks(type, QStringLiteral("Tensor[(4, 8), float32]"));
        QTest::keyClick(type, Qt::Key_Return);
        QVERIFY(fixture.settle());
        QVERIFY2(fixture.printed().find("%x: Tensor[(4, 8), float32]") != std::string::npos, fixture.printed().c_str());
    }

    void theBreadcrumbFollowsAFunctionsNewName() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(QStringLiteral("nested.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32]) { @outer(%x) }
def @outer(%a: Tensor[(4), float32]) -> Tensor[(4), float32] { %0 = @inner(%a); add(%0, %a) }
def @inner(%b: Tensor[(4), float32]) -> Tensor[(4), float32] { tanh(%b) }
)")));
        MainWindow& window = *fixture.window;
        for (const char* name : {"@outer", "@inner"}) {
            emit fixture.view().nodeActivated(quint32(fixture.nodeOf(QLatin1String(name))));
            QVERIFY(fixture.settle());
        }
        QCOMPARE(window.currentPage()->target().path, (QStringList{"@main", "@outer"}));
        window.document().editModule(QStringLiteral("rename"),
                                     [](const Module& module) { return rename_function(module, "outer", "first"); });
        QVERIFY(fixture.settle());
        QCOMPARE(window.currentPage()->target().title(), QStringLiteral("@inner"));
        QCOMPARE(window.currentPage()->target().path, (QStringList{"@main", "@first"}));
        QToolButton* crumb = nullptr;
        for (QToolButton* button : window.currentPage()->findChildren<QToolButton*>())
            if (button->text() == QLatin1String("@first")) crumb = button;
        QVERIFY(crumb);
        QCOMPARE(crumb->toolTip(), QStringLiteral("Go to @first"));
        QTest::mouseClick(crumb, Qt::LeftButton);
        QVERIFY(fixture.settle());
        QCOMPARE(window.currentPage()->target().title(), QStringLiteral("@first"));
        QVERIFY(fixture.nodeOf(QStringLiteral("add")) >= 0);
        window.action(QStringLiteral("undo"))->trigger();
        QVERIFY(fixture.settle());
        QCOMPARE(window.currentPage()->target().title(), QStringLiteral("@outer"));
    }

    void aRefusedValueIsMarkedUntilItIsMendedAndNothingMoves() {
        WindowFixture fixture;
        QVERIFY(fixture.open(
            fixture.file(QStringLiteral("conv.relay"),
                         "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 3, 16, 16), float32], %w: Tensor[(8, 3, 3, "
                         "3), float32]) {\n"
                         "  nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3])\n}\n")));
        QUndoStack& steps = fixture.window->document().undoStack();
        const auto field = [&](const char* name) {
            return fixture.window->findChild<QLineEdit*>(QStringLiteral("attribute-") + QLatin1String(name));
        };
        const auto type = [&](const char* name, const char* text) {
            field(name)->setFocus();
            field(name)->selectAll();
            QTest::keyClicks(field(name), QLatin1String(text));
            QTest::keyClick(field(name), Qt::Key_Return);
            (void)fixture.settle();
        };
        fixture.click(fixture.nodeOf(QStringLiteral("nn.conv2d")));
        QVERIFY(fixture.settle());
        const auto place = [&](const char* name) { return field(name)->mapTo(fixture.window.get(), QPoint(0, 0)); };
        const auto is_marked = [&](const char* name) {
            return field(name)->property("refused").toBool() && !field(name)->accessibleDescription().isEmpty();
        };
        const QPoint before = place("strides"), below = place("padding");
        type("strides", "abc");
        const auto* fault = fixture.window->panels().inspector().findChild<QLabel*>(QStringLiteral("fault"));
        QVERIFY(fault->isVisible() && !fault->visibleRegion().isEmpty());
        fixture.picture(QStringLiteral("edit-refused"));
        // Nothing moves under the mouse, and nothing lies over the fields.
        QCOMPARE(place("strides"), before);
        QCOMPARE(place("padding"), below);
        QVERIFY(fault->mapTo(fixture.window.get(), QPoint(0, fault->height())).y() <= before.y());
        QCOMPARE(QApplication::focusWidget(), field("strides"));
        // The mark stays while other fields are used, until the value is mended.
        QVERIFY(is_marked("strides"));
        type("padding", "1");
        QCOMPARE(steps.count(), 1);
        QVERIFY(is_marked("strides"));
        QCOMPARE(field("strides")->text(), QStringLiteral("abc"));
        QVERIFY(fault->isVisible());
        steps.undo();
        QVERIFY(fixture.settle());
        // Esc puts the true value back.
        QVERIFY(is_marked("strides"));
        field("strides")->setFocus();
        QTest::keyClick(field("strides"), Qt::Key_Escape);
        QCOMPARE(field("strides")->text(), QStringLiteral("[1, 1]"));
        QVERIFY(!is_marked("strides"));
        QVERIFY(!fault->isVisible());
        // So does typing it.
        type("strides", "abc");
        QVERIFY(is_marked("strides"));
        type("strides", "[1, 1]");
        QVERIFY(!is_marked("strides"));
        QVERIFY(!fault->isVisible());
        type("groups", "7");
        QVERIFY(is_marked("groups"));
        QTest::keyClick(field("groups"), Qt::Key_Escape);
        QCOMPARE(field("groups")->text(), QStringLiteral("1"));
        QVERIFY(!is_marked("groups"));
        // What is refused is of the calls that are selected.
        type("strides", "abc");
        fixture.click(fixture.nodeOf(QStringLiteral("%x")));
        QVERIFY(fixture.settle());
        QVERIFY(!fault->isVisible());
        fixture.click(fixture.nodeOf(QStringLiteral("nn.conv2d")));
        QVERIFY(fixture.settle());
        QVERIFY(!is_marked("strides"));
        QCOMPARE(field("strides")->text(), QStringLiteral("[1, 1]"));
        // And of the module that is open.
        type("strides", "abc");
        QVERIFY(is_marked("strides"));
        QVERIFY(fixture.open(fixture.window->document().path()));
        fixture.click(fixture.nodeOf(QStringLiteral("nn.conv2d")));
        QVERIFY(fixture.settle());
        QVERIFY(!is_marked("strides"));
        // One way to write it is as good as another, and leaving the field is no second step.
        type("strides", "2,2");
        QCOMPARE(field("strides")->text(), QStringLiteral("[2, 2]"));
        QCOMPARE(steps.count(), 1);
        QCOMPARE(QApplication::focusWidget(), field("strides"));
        QTest::keyClick(field("strides"), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), field("padding"));
        QCOMPARE(steps.count(), 1);
        // In a field in which nothing was typed the key of undo is the graph's.
        QTest::keyClick(field("padding"), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(fixture.settle());
        QCOMPARE(steps.index(), 0);
        QCOMPARE(field("strides")->text(), QStringLiteral("[1, 1]"));
        // What the types refuse is forgotten with the next edit.
        type("groups", "7");
        QVERIFY2(fixture.window->statusBar()->currentMessage().contains(QStringLiteral("7 groups")),
                 qPrintable(fixture.window->statusBar()->currentMessage()));
        type("groups", "1");
        type("padding", "0");
        QCOMPARE(steps.index(), 1);
        QCOMPARE(fixture.window->statusBar()->currentMessage(), QString());
    }

    /// Both branches of a shortcut change their stride: one alone would not fit the other.
    void whatMustChangeTogetherIsChangedAtOnce() {
        WindowFixture fixture;
        QVERIFY(fixture.open(fixture.file(
            QStringLiteral("shortcut.relay"),
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8, 16, 16), float32], %a: Tensor[(8, 8, 1, 1), float32], "
            "%b: Tensor[(8, 8, 1, 1), float32]) {\n"
            "  %0 = nn.conv2d(%x, %a, padding=[0, 0, 0, 0], channels=8, kernel_size=[1, 1]);\n"
            "  %1 = nn.conv2d(%x, %b, padding=[0, 0, 0, 0], channels=8, kernel_size=[1, 1]);\n  add(%0, %1)\n}\n")));
        const auto field = [&] { return fixture.window->findChild<QLineEdit*>(QStringLiteral("attribute-strides")); };
        const auto type = [&] {
            field()->setFocus();
            field()->selectAll();
            QTest::keyClicks(field(), QStringLiteral("2, 2"));
            QTest::keyClick(field(), Qt::Key_Return);
            (void)fixture.settle();
        };
        fixture.click(fixture.nodeOf(QStringLiteral("nn.conv2d")));
        QVERIFY(fixture.settle());
        type();
        QCOMPARE(fixture.window->document().undoStack().count(), 0);
        const auto* fault = fixture.window->panels().inspector().findChild<QLabel*>(QStringLiteral("fault"));
        QVERIFY2(fault->text().contains(QStringLiteral("select them all")), qPrintable(fault->text()));
        fixture.click(fixture.nodeOf(QStringLiteral("nn.conv2d"), 1), Qt::ControlModifier);
        QVERIFY(fixture.settle());
        type();
        QCOMPARE(fixture.window->document().undoStack().count(), 1);
        QCOMPARE(QString::fromStdString(fixture.printed()).count(QStringLiteral("strides=[2, 2]")), 2);
    }
};

PARTITA_TEST(TestEditingAttributes)

}  // namespace test_editing_attributes

#include "test_editing_attributes.moc"
