// What the window writes and prints looks as the canvas does.
#include "window_fixture.h"

#include <QFileDialog>
#include <QMenu>
#include <QPainter>
#include <QPainterPath>
#include <QPrintPreviewDialog>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/canvas/graph_paper.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/lessons/lesson_files.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/window/exports.h"
#include "app/gui/window/picture_file.h"
#include "engine/edits/edits.h"
#include "engine/exporters/picture.h"
#include "engine/session/export.h"
#include "tests/registry.h"

namespace test_exports_in_window {

using namespace partita;

class TestExportsInWindow : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    /// Of a model that has names of its own: those that a person gave win.
    void namesGivenInTheWindowAreInTheModelThatIsWritten() {
        QVERIFY(fixture_->openOneDivide());
        QVERIFY(fixture_->open(fixture_->file("named.onnx", exported("first.onnx"))));
        fixture_->click(fixture_->nodeOf("%x"));
        fixture_->window->action("rename")->trigger();
        fixture_->answer("image");
        const Module& renamed = *fixture_->window->document().module();
        const ExprId result = renamed.body(renamed.find_function("main"));
        const auto& nodes = fixture_->view().model()->nodes;
        const auto node = std::ranges::find(nodes, result, &GraphNode::expr);
        QVERIFY(node != nodes.end());
        fixture_->click(node - nodes.begin());
        QVERIFY(fixture_->settle());
        QVERIFY2(inspected().contains("Output"), qPrintable(inspected()));
        fixture_->window->action("rename-output")->trigger();
        fixture_->answer("scores");
        QVERIFY(fixture_->open(fixture_->file("renamed.onnx", exported("second.onnx"))));
        QVERIFY(fixture_->nodeOf("%image") >= 0 && fixture_->nodeOf("%x") < 0);
        const Module& module = *fixture_->window->document().module();
        QCOMPARE(output_names(module, module.find_function("main")), std::vector<std::string>{"scores"});
    }

    void aPictureInPixelsEqualsTheCanvasWithoutTheSelection() {
        QVERIFY(openDivided());
        GraphView& view = fixture_->view();
        Theme paper = make_theme(false, PaletteChoice::OkabeIto);
        paper.backend_slots = view.theme().backend_slots;
        paper.canvas = Qt::white;
        const GraphPaper shown = view.paper(paper);
        const QSizeF size = shown.area().size() * 2;
        QImage expected(size.toSize(), QImage::Format_RGB32);
        expected.fill(Qt::white);
        QPainter painter(&expected);
        painter.setRenderHint(QPainter::Antialiasing);
        shown.paint(painter, QRectF(expected.rect()), shown.area());
        painter.end();
        fixture_->click(fixture_->nodeOf("add"));
        const QImage written = QImage::fromData(exported("out.png"));
        QVERIFY(written.width() >= expected.width() && written.height() > expected.height());
        const QImage part = written.copy((written.width() - expected.width()) / 2, written.height() - expected.height(),
                                         expected.width(), expected.height());
        int different = 0;
        for (int y = 0; y < part.height(); ++y)
            for (int x = 0; x < part.width(); ++x)
                different += std::abs(qGray(part.pixel(x, y)) - qGray(expected.pixel(x, y))) > 60;
        QVERIFY2(different < part.width() * part.height() / 500, qPrintable(QString::number(different)));
        // Thin lines are few pixels: each must be there.
        const QPointF corner = shown.area().topLeft();
        for (const std::vector<QPointF>& edge : view.geometry().edges) {
            QPainterPath curve(edge[0]);
            for (size_t i = 1; i + 2 < edge.size(); i += 3) curve.cubicTo(edge[i], edge[i + 1], edge[i + 2]);
            const QPoint middle = ((curve.pointAtPercent(0.5) - corner) * 2).toPoint();
            int darkest = 255;
            for (int y = -3; y <= 3; ++y)
                for (int x = -3; x <= 3; ++x) darkest = std::min(darkest, qGray(part.pixel(middle + QPoint(x, y))));
            QVERIFY2(darkest < 200, qPrintable(QString::number(darkest)));
        }
    }

    void aPictureHasGroupsAttributesAndALegendAsTheCanvas() {
        QVERIFY(openDivided());
        const QString svg = QString::fromUtf8(exported("out.svg"));
        for (const GraphNode& node : fixture_->view().model()->nodes)
            for (const QString& text : {node.title, node.detail, node.type})
                QVERIFY2(text.isEmpty() || svg.contains(text.toHtmlEscaped()), qPrintable(text));
        QVERIFY(!svg.contains("tvmgen"));
        for (const char* text : {"one-divide.relay", ">ccompiler<", ">default<"}) QVERIFY2(svg.contains(text), text);
    }

    void aPictureForPrintIsOnPaper() {
        QVERIFY(openDivided());
        const QByteArray pdf = exported("out.pdf");
        const bool letter = chosen_paper().id() == QPageSize::Letter;
        QVERIFY(pdf.contains(letter ? "/MediaBox [0 0 612" : "/MediaBox [0 0 59"));
    }

    /// So that one picture does not differ from the other: the command line draws what the window shows, operator by
    /// operator. (What is grouped at first sight depends on the window's size.)
    void theCommandLineDrawsTheSameNodes() {
        for (const char* sample : {"attention-block", "residual-block", "quantized-block", "one-divide"}) {
            QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/%1.relay").arg(sample)));
            fixture_->window->action("group-none")->trigger();
            QVERIFY(fixture_->settle());
            ExportSubject subject = export_subject(fixture_->window->document().shownModule(), sample);
            const Picture picture = picture_graph(subject);
            QStringList drawn, shown;
            for (const PictureNode& node : picture.nodes)
                drawn << QString::fromStdString(node.name + "|" + node.attributes + "|" + node.type);
            for (const GraphNode& node : fixture_->view().model()->nodes)
                shown << node.title + "|" + node.detail + "|" + node.type;
            drawn.sort();
            shown.sort();
            for (qsizetype i = 0; i < std::min(drawn.size(), shown.size()); ++i)
                if (!drawn[i].contains(QChar(0x2026))) QCOMPARE(drawn[i], shown[i]);
            QCOMPARE(drawn.size(), shown.size());
        }
    }

    void bothDrawInTheSameColours() {
        const Theme theme = make_theme(false, PaletteChoice::OkabeIto);
        for (int backend = 0; backend < 8; ++backend) {
            const PictureColour colour = picture_colour(backend);
            const BackendColours shown = theme.backend_colours(backend);
            QCOMPARE(QColor(colour.line), shown.strong);
            QCOMPARE(QColor(colour.area).name(), shown.fill.name());
            QCOMPARE(QColor(colour.on_line).name(), shown.on_strong.name());
            QCOMPARE(QColor(colour.quiet).name(), shown.quiet.name());
        }
    }

    void handOutsAreOfTheGraphTheLessonItsChapterAndAll() {
        QVERIFY(openDivided());
        Handouts& handouts = fixture_->window->handouts();
        handouts.writeGraph(folder_.filePath("graph.pdf"));
        QVERIFY(fixture_->settle());
        fixture_->window->panels().lessons().start(1);
        QVERIFY(fixture_->settle());
        QMenu* menu = fixture_->window->findChild<QMenu*>("export-handout");
        QVERIFY(menu);
        emit menu->aboutToShow();
        QStringList offered;
        for (const QAction* action : menu->actions()) offered << action->text();
        const QString all = offered.join('|');
        for (const char* wanted : {"predict", "lesson…", "How regions come about", "all lessons"})
            QVERIFY2(all.contains(wanted), qPrintable(all));
        handouts.writeLessons({find_lessons()[0], find_lessons()[1]}, folder_.filePath("two.pdf"));
        QVERIFY(fixture_->settle());
        QVERIFY(pagesIn("graph.pdf") == 2);
        // The paper that is chosen in the menu holds from then on, for pictures, too.
        for (const auto& [paper, box] : {std::pair("Letter", "[ 0 0 612"), std::pair("A4", "[ 0 0 595")}) {
            menu->clear();
            emit menu->aboutToShow();
            for (QAction* action : menu->actions())
                if (action->text().endsWith(QLatin1String(paper))) action->trigger();
            handouts.writeGraph(folder_.filePath("paper.pdf"));
            QVERIFY(fixture_->settle());
            QFile file(folder_.filePath("paper.pdf"));
            QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll().contains(box));
        }
        QVERIFY(pagesIn("two.pdf") > 4);
        // All lessons are written by the menu itself.
        menu->clear();
        emit menu->aboutToShow();
        const QList<QAction*> actions = menu->actions();
        const auto of_all =
            std::ranges::find_if(actions, [](const QAction* action) { return action->text().contains("all lessons"); });
        QVERIFY(of_all != actions.end());
        QTimer::singleShot(0, this, [this] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog);
            dialog->setOption(QFileDialog::DontConfirmOverwrite);
            dialog->selectFile(folder_.filePath("all.pdf"));
            QMetaObject::invokeMethod(dialog, "accept");
        });
        (*of_all)->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(pagesIn("all.pdf") > pagesIn("two.pdf"));
    }

    void thePreviewShowsTheButtonThatPrints() {
        QVERIFY(openDivided());
        bool seen = false;
        QTimer::singleShot(300, this, [&seen] {
            auto* preview = qobject_cast<QPrintPreviewDialog*>(QApplication::activeModalWidget());
            if (!preview) return;
            auto* buttons = preview->findChild<QToolBar*>();
            for (QAction* action : buttons->actions()) {
                QWidget* button = action->text() == QLatin1String("Print") ? buttons->widgetForAction(action) : nullptr;
                seen |= button && button->isVisible() && buttons->rect().contains(button->geometry());
            }
            preview->close();
        });
        fixture_->window->action("print")->trigger();
        QVERIFY(seen);
    }

private:
    bool openDivided() {
        if (!fixture_->openOneDivide()) return false;
        fixture_->window->action("whole-flow")->trigger();
        return fixture_->settle();
    }

    qsizetype pagesIn(const QString& name) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::ReadOnly)) return -1;
        const QByteArray bytes = file.readAll();
        return bytes.count("/Type /Page") - bytes.count("/Type /Pages");
    }

    QByteArray exported(const QString& name) {
        fixture_->window->exports().write(folder_.filePath(name));
        if (!fixture_->settle()) return {};
        QFile file(folder_.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    QTemporaryDir folder_;
    QString inspected() { return fixture_->window->panels().inspector().text().toPlainText(); }

    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestExportsInWindow)

}  // namespace test_exports_in_window

#include "test_exports_in_window.moc"
