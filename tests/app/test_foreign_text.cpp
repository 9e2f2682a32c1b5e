// Names that files bring along, and names of files: shown as they are, never taken for HTML, and kept by the settings.
#include <QAbstractButton>
#include <QAbstractItemView>
#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <QTabBar>
#include <QTextEdit>
#include <QToolTip>

#include "app/gui/jobs/job_runner.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/dimensions_dialog.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/passes/infer_types.h"
#include "tests/app/window_fixture.h"
#include "tests/engine/onnx_writer.h"
#include "tests/hostile_module.h"
#include "tests/registry.h"

namespace test_foreign_text {

using namespace partita;
namespace w = onnx_writer;

namespace {

const char* const kHostile = "<img src='x.png'><b>bold</b>&lt;`$(id)`%s%n\"*/\x1b[31m\xe2\x80\xae";

/// An unknown operator, a known one, a parameter and a dimension of that name.
QByteArray hostile_model() {
    const std::string dims = w::bytes(1, w::bytes(2, kHostile)) + w::bytes(1, w::number(1, 3));
    const std::string input = w::bytes(1, kHostile) + w::bytes(2, w::bytes(1, w::number(1, 1) + w::bytes(2, dims)));
    w::GraphParts parts{
        {w::node("Relu", {kHostile}, {"t"}, {}, kHostile), w::node(kHostile, {"t"}, {"y"}, {}, kHostile, kHostile)},
        {},
        {input},
        {w::value_info("y", {-1, 3})}};
    return QByteArray::fromStdString(w::model(parts));
}

/// What shows the text as HTML somewhere; "" where nothing does.
QString taken_for_html() {
    for (const QWidget* widget : QApplication::allWidgets()) {
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            const bool rich = label->textFormat() == Qt::RichText ||
                              (label->textFormat() == Qt::AutoText && Qt::mightBeRichText(label->text()));
            if (rich && label->text().contains(QLatin1String("<img"))) return label->text();
        }
        if (const auto* edit = qobject_cast<const QTextEdit*>(widget))
            if (edit->toHtml().contains(QLatin1String("<img"))) return edit->toPlainText();
    }
    return {};
}

bool hides_something(const QString& text) {
    return std::any_of(text.begin(), text.end(), [](QChar letter) {
        return letter != QLatin1Char('\n') && letter != QLatin1Char('\t') &&
               (letter.category() == QChar::Other_Control || letter.category() == QChar::Other_Format);
    });
}

void add_rows(const QAbstractItemModel& model, const QModelIndex& parent, QStringList& texts) {
    for (int row = 0; row < model.rowCount(parent); ++row)
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            texts << index.data(Qt::DisplayRole).toString() << index.data(Qt::ToolTipRole).toString();
            if (column == 0) add_rows(model, index, texts);
        }
}

/// All that the widgets that exist say, or would say if they were asked.
QStringList said_texts() {
    QStringList texts;
    for (QWidget* widget : QApplication::allWidgets()) {
        texts << widget->windowTitle() << widget->toolTip() << widget->statusTip() << widget->accessibleName();
        for (const QAction* action : widget->actions())
            texts << action->text() << action->toolTip() << action->statusTip();
        if (const auto* label = qobject_cast<const QLabel*>(widget)) texts << label->text();
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) texts << button->text();
        if (const auto* bar = qobject_cast<const QStatusBar*>(widget)) texts << bar->currentMessage();
        if (const auto* edit = qobject_cast<const QTextEdit*>(widget)) texts << edit->toPlainText();
        if (const auto* tabs = qobject_cast<const QTabBar*>(widget))
            for (int i = 0; i < tabs->count(); ++i) texts << tabs->tabText(i) << tabs->tabToolTip(i);
        if (const auto* items = qobject_cast<const QAbstractItemView*>(widget); items && items->model())
            add_rows(*items->model(), {}, texts);
        if (const auto* view = qobject_cast<const GraphView*>(widget); view && view->hasGraph()) {
            for (const GraphNode& node : view->model()->nodes) texts << node.title << node.detail << node.type;
            texts << view->decoration()->backend_names;
            for (const auto& region : view->decoration()->regions) texts << region.label;
        }
    }
    return texts;
}

/// The first text that hides a character, as ASCII; "" where none does.
QByteArray hidden_in_a_text() {
    for (const QString& text : said_texts())
        if (hides_something(text)) return text.toUtf8().toPercentEncoding(" ,.:'\"()<>=/%@&;");
    return {};
}

/// Marks of regions, composites and text attributes with `kHostile`, and a line end.
QByteArray hostile_text() {
    QByteArray literal = kHostile;
    literal.replace('\\', "\\\\").replace('"', "\\\"").replace('\x1b', "\\x1b");
    literal = '"' + literal + "\\n&second\"";
    return partita::testing::module_naming(literal);
}

}  // namespace

class TestForeignText : public QObject {
    Q_OBJECT

private slots:
    void namesOfAModelAreShownAsTheyAre() {
        WindowFixture fixture;
        const QString path = fixture.file(QStringLiteral("<img src=x><b>model.onnx"), hostile_model());
        QVERIFY(fixture.open(path));
        auto* dialog = fixture.window->findChild<DimensionsDialog*>();
        QVERIFY(dialog);
        QVERIFY2(taken_for_html().isEmpty(), qPrintable(taken_for_html()));
        dialog->accept();
        QVERIFY(fixture.settle());
        for (const char* command : {"annotate", "merge", "partition"}) {
            fixture.window->action(QLatin1String(command))->trigger();
            QVERIFY(fixture.settle());
        }
        for (int64_t node = 0; node < int64_t(fixture.view().model()->nodes.size()); ++node) {
            fixture.click(node);
            QVERIFY2(taken_for_html().isEmpty(), qPrintable(taken_for_html()));
        }
        // A refusal names the operator in a box.
        fixture.window->action(QStringLiteral("run"))->trigger();
        QVERIFY(fixture.settle());
        QVERIFY2(taken_for_html().isEmpty(), qPrintable(taken_for_html()));
        (void)fixture.takeMessage();
    }

    void nothingThatIsSaidHidesACharacter() {
        WindowFixture fixture;
        const QString backend =
            fixture.file(QStringLiteral("hostile.json"),
                         "{\"name\": \"hostile\", \"summary\": \"\\u202e\\u0007<img src=x>&x\", "
                         "\"ops\": {\"exp\": true, \"tanh\": \"false\"}, \"patterns\": "
                         "[{\"name\": \"hostile.\\u202e%2<b>\", \"pattern\": \"is_op(\\\"abs\\\")(wildcard())\"}]}");
        fixture.window->setBackends({backend, QStringLiteral("ccompiler")});
        QByteArray labelled = hostile_model();
        for (const auto& [name, content] : {std::pair{QStringLiteral("<b>x&y\u202e[*].relay"), hostile_text()},
                                            std::pair{QStringLiteral("<b>x&y\u202e[*].onnx"), labelled}}) {
            QVERIFY(fixture.open(fixture.file(name, content)));
            if (auto* dialog = fixture.window->findChild<DimensionsDialog*>()) {
                QCOMPARE(hidden_in_a_text(), QByteArray());
                dialog->accept();
                QVERIFY(fixture.settle());
            }
            QVERIFY2(fixture.window->windowTitle().contains(QLatin1String("[*][*]")),
                     qPrintable(fixture.window->windowTitle()));
            for (const char* command : {"annotate", "merge", "partition", "run"}) {
                fixture.window->action(QLatin1String(command))->trigger();
                QVERIFY(fixture.settle());
                QCOMPARE(hidden_in_a_text(), QByteArray());
                (void)fixture.takeMessage();
            }
            for (int64_t node = 0; node < int64_t(fixture.view().model()->nodes.size()); ++node) {
                fixture.click(node);
                QVERIFY(fixture.settle());
                fixture.window->action(QStringLiteral("bookmark"))->trigger();
                QCOMPARE(hidden_in_a_text(), QByteArray());
                QVERIFY2(taken_for_html().isEmpty(), qPrintable(taken_for_html()));
            }
            for (int64_t node = 0; node < int64_t(fixture.view().model()->nodes.size()); ++node) {
                emit fixture.view().nodeActivated(quint32(node));
                QVERIFY(fixture.settle());
                QCOMPARE(hidden_in_a_text(), QByteArray());
                fixture.window->action(QStringLiteral("up"))->trigger();
                QVERIFY(fixture.settle());
            }
            for (QMenu* menu : fixture.window->findChildren<QMenu*>()) emit menu->aboutToShow();
            QCOMPARE(hidden_in_a_text(), QByteArray());
        }
        const QList<QAction*> recent = fixture.window->findChild<QMenu*>(QStringLiteral("recent"))->actions();
        QVERIFY2(recent.front()->text().contains(QLatin1String("&&y\\u202e")), qPrintable(recent.front()->text()));
    }

    void textCopiedFromThePanelReadsBack() {
        for (const auto& [name, content] : {std::pair{QStringLiteral("hostile.relay"), hostile_text()},
                                            std::pair{QStringLiteral("hostile.onnx"), hostile_model()}}) {
            WindowFixture fixture;
            QVERIFY(fixture.open(fixture.file(name, content)));
            if (auto* dialog = fixture.window->findChild<DimensionsDialog*>()) dialog->accept();
            fixture.window->action(QStringLiteral("whole-flow"))->trigger();
            fixture.window->panels().show(&fixture.window->panels().text());
            QVERIFY(fixture.settle());
            for (QPlainTextEdit* side :
                 {&fixture.window->panels().text().before(), &fixture.window->panels().text().after()}) {
                side->setFocus();
                QTest::keyClick(side, Qt::Key_A, Qt::ControlModifier);
                QTest::keyClick(side, Qt::Key_C, Qt::ControlModifier);
                const std::string copied = QApplication::clipboard()->text().toStdString();
                Result<Module> parsed = parse_relay(copied, {});
                QVERIFY2(parsed, parsed ? "" : parsed.error().message.c_str());
                RelayPrintOptions options;
                QVERIFY(infer_types(*parsed));
                QVERIFY2(copied.find(print_relay(*parsed, options)) != std::string::npos, copied.c_str());
            }
        }
    }

    void aLongNameDoesNotWidenTheWindow() {
        WindowFixture fixture;
        const QByteArray name(5000, 'n');
        const QString backend =
            fixture.file(QStringLiteral("long.json"), "{\"name\": \"" + name + "\", \"ops\": {\"exp\": true}}");
        fixture.window->setBackends({backend, QStringLiteral("ccompiler")});
        QVERIFY(fixture.open(fixture.file(QStringLiteral("long.relay"),
                                          "#[version = \"0.0.5\"]\ndef @" + name + "(%" + name +
                                              ": Tensor[(2, 3), float32]) {\n  nn.relu(%" + name +
                                              ")\n}\n\n"
                                              "def @main(%x: Tensor[(2, 3), float32]) {\n  %0 = exp(%x);\n  %1 = @" +
                                              name +
                                              "(%0);\n"
                                              "  %2 = fn (%p: Tensor[(2, 3), float32], Composite=\"" +
                                              name + "\") {\n    tanh(%p)\n  };\n  %2(%1)\n}\n")));
        for (const char* command : {"annotate", "merge", "partition", "run"}) {
            fixture.window->action(QLatin1String(command))->trigger();
            QVERIFY(fixture.settle());
            (void)fixture.takeMessage();
        }
        for (int64_t node = 0; node < int64_t(fixture.view().model()->nodes.size()); ++node) {
            fixture.click(node);
            fixture.window->action(QStringLiteral("bookmark"))->trigger();
            emit fixture.view().nodeActivated(quint32(node));
            QVERIFY(fixture.settle());
            QVERIFY2(fixture.window->minimumSizeHint().width() <= 1320,
                     qPrintable(QString::number(fixture.window->minimumSizeHint().width())));
            fixture.window->action(QStringLiteral("up"))->trigger();
            QVERIFY(fixture.settle());
        }
        for (QMenu* menu : fixture.window->findChildren<QMenu*>()) {
            emit menu->aboutToShow();
            QVERIFY2(menu->sizeHint().width() < 1320, qPrintable(menu->title()));
        }
        QCOMPARE(fixture.window->width(), 1320);
    }

    void aFileThatCantBeOpenedIsNamedAsItIs() {
        WindowFixture fixture;
        fixture.window->opening().openFile(
            fixture.file(QStringLiteral("<img src=x>bad.relay"), "def @main(%x) { nowhere(%x) }"));
        QVERIFY(fixture.settle());
        QVERIFY2(taken_for_html().isEmpty(), qPrintable(taken_for_html()));
        const QString message = fixture.takeMessage();
        QVERIFY2(message.contains(QLatin1String("&lt;img")), qPrintable(message));
    }

    void toolTipsAreNoHtml() {
        WindowFixture fixture;
        QToolTip::showText(fixture.window->mapToGlobal(QPoint(50, 50)), QString::fromUtf8(kHostile),
                           fixture.window.get());
        bool shown = false;
        for (const QWidget* widget : QApplication::allWidgets())
            if (widget->inherits("QTipLabel")) {
                shown = true;
                QCOMPARE(static_cast<const QLabel*>(widget)->textFormat(), Qt::PlainText);
            }
        QVERIFY(shown);
        QToolTip::hideText();
    }

    void settingsKeepAnyNameOfAFile() {
        for (const QString& name : {QStringLiteral("a,b;c=d.relay"), QStringLiteral("%1 %s %n.relay"),
                                    QStringLiteral("[*] \"quoted\" 'x'.relay"), QStringLiteral("back\\slash.relay"),
                                    QStringLiteral("line\nbreak\ttab.relay"), QStringLiteral("@Variant(x).relay"),
                                    QStringLiteral("\u202e bidi \u00e9 \U0001F600.relay"),
                                    QStringLiteral("-option.relay"), QStringLiteral("$(id)`id`;&|.relay")}) {
            WindowFixture fixture;
            const QString path = fixture.file(name, kOneDivide);
            QVERIFY2(fixture.open(path), qPrintable(name));
            QVERIFY(fixture.window->windowTitle().contains(QLatin1String("Partita")));
            QCOMPARE(Settings::load().recent_files.value(0), path);
            // The project beside it, with a name of the same kind, opens again.
            const QString project = path + QStringLiteral(".partita");
            fixture.window->document().saveProject(project);
            QVERIFY(fixture.settle());
            QVERIFY2(fixture.open(project), qPrintable(project));
            QCOMPARE(fixture.window->document().path(), path);
        }
    }

    void aJobWithoutEnoughMemoryIsGivenUpWithAMessage() {
        WindowFixture fixture;
        QVERIFY(fixture.openOneDivide());
        bool done = false;
        fixture.window->document().jobs().start<int>(
            QStringLiteral("Something large"), fixture.window.get(),
            [](const JobContext&) -> int { throw std::bad_alloc(); }, [&](int) { done = true; });
        QVERIFY(fixture.settle());
        QVERIFY(!done);
        QVERIFY(fixture.takeMessage().contains(QLatin1String("Something large")));
        QVERIFY(fixture.view().hasGraph());
    }
};

PARTITA_TEST(TestForeignText)

}  // namespace test_foreign_text

#include "test_foreign_text.moc"
