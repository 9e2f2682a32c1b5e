// Names that files bring along, and names of files: shown as they are, never taken for HTML, and kept by the settings.
#include <QLabel>
#include <QTextEdit>
#include <QToolTip>

#include "app/gui/jobs/job_runner.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/window/dimensions_dialog.h"
#include "tests/app/window_fixture.h"
#include "tests/engine/onnx_writer.h"

using namespace partita;
namespace w = onnx_writer;

namespace {

const char* const kHostile = "<img src='x.png'><b>bold</b>&lt;`$(id)`%s%n\"*/\x1b[31m\xe2\x80\xae";

/// An unknown operator, a known one, a parameter and a dimension of that name.
QByteArray hostile_model() {
    const std::string dims = w::bytes(1, w::bytes(2, kHostile)) + w::bytes(1, w::number(1, 3));
    const std::string input = w::bytes(1, kHostile) + w::bytes(2, w::bytes(1, w::number(1, 1) + w::bytes(2, dims)));
    w::GraphParts parts{{w::node("Relu", {kHostile}, {"t"}, {}, kHostile), w::node(kHostile, {"t"}, {"y"}, {}, kHostile, kHostile)},
                        {},
                        {input},
                        {w::value_info("y", {-1, 3})}};
    return QByteArray::fromStdString(w::model(parts));
}

/// What shows the text as HTML somewhere; "" where nothing does.
QString taken_for_html() {
    for (const QWidget* widget : QApplication::allWidgets()) {
        if (const auto* label = qobject_cast<const QLabel*>(widget)) {
            const bool rich = label->textFormat() == Qt::RichText || (label->textFormat() == Qt::AutoText && Qt::mightBeRichText(label->text()));
            if (rich && label->text().contains(QLatin1String("<img"))) return label->text();
        }
        if (const auto* edit = qobject_cast<const QTextEdit*>(widget))
            if (edit->toHtml().contains(QLatin1String("<img"))) return edit->toPlainText();
    }
    return {};
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

    void aFileThatCantBeOpenedIsNamedAsItIs() {
        WindowFixture fixture;
        fixture.window->openFile(fixture.file(QStringLiteral("<img src=x>bad.relay"), "def @main(%x) { nowhere(%x) }"));
        QVERIFY(fixture.settle());
        QVERIFY2(taken_for_html().isEmpty(), qPrintable(taken_for_html()));
        const QString message = fixture.takeMessage();
        QVERIFY2(message.contains(QLatin1String("&lt;img")), qPrintable(message));
    }

    void toolTipsAreNoHtml() {
        WindowFixture fixture;
        QToolTip::showText(fixture.window->mapToGlobal(QPoint(50, 50)), QString::fromUtf8(kHostile), fixture.window.get());
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
        for (const QString& name : {QStringLiteral("a,b;c=d.relay"), QStringLiteral("%1 %s %n.relay"), QStringLiteral("[*] \"quoted\" 'x'.relay"),
                                    QStringLiteral("back\\slash.relay"), QStringLiteral("line\nbreak\ttab.relay"), QStringLiteral("@Variant(x).relay"),
                                    QStringLiteral("\u202e bidi \u00e9 \U0001F600.relay"), QStringLiteral("-option.relay"), QStringLiteral("$(id)`id`;&|.relay")}) {
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
            QStringLiteral("Something large"), fixture.window.get(), [](const JobContext&) -> int { throw std::bad_alloc(); }, [&](int) { done = true; });
        QVERIFY(fixture.settle());
        QVERIFY(!done);
        QVERIFY(fixture.takeMessage().contains(QLatin1String("Something large")));
        QVERIFY(fixture.view().hasGraph());
    }
};

QTEST_MAIN(TestForeignText)
#include "test_foreign_text.moc"
