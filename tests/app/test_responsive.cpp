// Nothing blocks the window for more than 50 ms: opening, dividing, partitioning, toggling, running and saving models
// and large generated graphs, with the meter on the window's thread.
#include "stall_meter.h"
#include "window_fixture.h"

#include <QLineEdit>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/generate.h"

using namespace partita;

namespace {

constexpr double kLongest = 50;  ///< ms of processor time
constexpr double kFrame = 16;    ///< of what follows the pointer

}  // namespace

class TestResponsive : public QObject {
    Q_OBJECT

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() {
        fixture_.reset();
        too_long_.clear();
    }

    void nothingBlocksTheWindow_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("runs");
        QTest::newRow("resnet18") << "resnet18" << true;
        QTest::newRow("vgg16") << "vgg16" << false;
        QTest::newRow("mobilenet_v1_int8") << "mobilenet_v1_int8" << false;
        QTest::newRow("random:1000") << "random:1000" << false;
        QTest::newRow("random:10000") << "random:10000" << false;
        QTest::newRow("random:100000") << "random:100000" << false;
        QTest::newRow("chain:100000") << "chain:100000" << false;
    }
    void nothingBlocksTheWindow() {
        QFETCH(QString, model);
        QFETCH(bool, runs);
        const QString path = pathOf(model);
        if (path.isEmpty()) QSKIP("the reference data is not there");
        MainWindow& window = *fixture_->window;
        measure("open", [&] { window.openFile(path); });
        QVERIFY(window.document().isOpen());
        for (const char* command : {"annotate", "merge", "partition"}) measure(command, [&] { window.action(QLatin1String(command))->trigger(); });
        QVERIFY(window.document().partitioned());
        if (window.currentPage()->hasGroups()) {
            const int64_t group = groupNode();
            QVERIFY(group >= 0);
            const size_t before = fixture_->view().model()->nodes.size();
            measure("open a group", [&] { window.currentPage()->expandGroup(uint32_t(group)); });
            QVERIFY(fixture_->view().model()->nodes.size() > before);
        }
        if (window.currentPage()->hasGroups()) measure("open all", [&] { window.currentPage()->expandAll(); });
        measure("compare", [&] { window.compare(); });
        measure("close comparison", [&] { window.action(QStringLiteral("close-tab"))->trigger(); });
        measureDrag();
        auto heat = std::make_shared<std::vector<float>>(window.document().shownModule()->size(), 0.5f);
        measure("heat of all", [&] { window.currentPage()->setHeat(heat); });
        measure("no heat", [&] { window.currentPage()->setHeat(nullptr); });
        if (window.currentPage()->hasGroups()) measure("close all", [&] { window.currentPage()->collapseAll(); });
        measureKeys("give an operator", [&] {
            for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Down, Qt::Key_2}) QTest::keyClick(&fixture_->view(), key);
        });
        measure("undo", [&] { window.document().undoStack().undo(); });
        measure("select all", [&] { window.action(QStringLiteral("select-all"))->trigger(); });
        window.action(QStringLiteral("find"))->trigger();
        measureKeys("search", [&] { QTest::keyClicks(window.currentPage()->searchBar().edit(), "add -op:nn.*"); });
        measure("text", [&] { window.showPanel(&window.text()); });
        measure("step", [&] { window.action(QStringLiteral("step-forward"))->trigger(); });
        measure("steps to the end", [&] { window.steps().jumpToEnd(); });
        if (runs) {
            Settings settings = window.settings();
            settings.run.warmup = 0;
            settings.run.repeat = 1;
            settings.run.compare = false;
            window.applySettings(settings, false);
            measure("run", [&] { window.action(QStringLiteral("run"))->trigger(); });
            measure("heat", [&] { window.action(QStringLiteral("heat"))->trigger(); });
        }
        QTemporaryDir folder;
        measure("save", [&] { window.saveTo(folder.filePath(QStringLiteral("project.partita"))); });
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("project.partita"))));
        measure("open another", [&] { window.openFile(fixture_->file("one-divide.relay", kOneDivide)); });
        QVERIFY2(too_long_.isEmpty(), qPrintable(too_long_.join(QStringLiteral("; "))));
    }

private:
    int64_t groupNode() {
        const std::vector<GraphNode>& nodes = fixture_->view().model()->nodes;
        for (size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].kind == GraphNodeKind::Group) return int64_t(i);
        return -1;
    }

    QString pathOf(const QString& model) {
        if (!model.contains(QLatin1Char(':'))) return reference_file(QStringLiteral("relay-models/%1.input.relay").arg(model));
        Result<GraphName> name = *parse_graph_name(model.toStdString());
        Result<Module> module = generate_graph(name->kind, name->operators, 1);
        if (!module) return {};
        return fixture_->file(QString(model).replace(QLatin1Char(':'), QLatin1Char('-')) + QStringLiteral(".relay"),
                              QByteArray::fromStdString(print_relay(*module)));
    }

    /// The head of an edge out of the last operators over many others: each picture asks who may take it. Dropped on nothing.
    void measureDrag() {
        GraphView& view = fixture_->view();
        const GraphModel& model = *view.model();
        for (uint32_t edge = uint32_t(model.edges.size()); edge-- > 0;) {
            if (model.nodes[model.edges[edge].to].kind == GraphNodeKind::Group || view.geometry().edges[edge].size() < 4) continue;
            view.reveal({model.edges[edge].from, model.edges[edge].to});
            view.setZoom(0.7, view.toWidget(view.geometry().edges[edge].back()));
            (void)fixture_->settle();
            const QPoint head = view.toWidget(view.geometry().edges[edge].back() - QPointF(0, 4)).toPoint();
            QTest::mouseMove(&view, head);
            if (view.edgeAt(head) != int64_t(edge)) continue;
            measureKeys("drag an edge", [&] {
                QTest::mousePress(&view, Qt::LeftButton, Qt::NoModifier, head);
                for (size_t node = model.nodes.size(), seen = 0; node-- > 0 && seen < 30;) {
                    const QPoint place = view.toWidget(view.geometry().nodes[node].center()).toPoint();
                    if (!view.rect().contains(place)) continue;
                    ++seen;
                    QTest::mouseMove(&view, place);
                    QTest::qWait(20);
                }
                QPoint nothing(1, 1);
                while (view.nodeAt(nothing) >= 0) nothing.rx() += 5;
                QTest::mouseRelease(&view, Qt::LeftButton, Qt::NoModifier, nothing);
            }, kFrame);
            return;
        }
    }

    /// `work` as an event of its own, so that what a command does at once is measured too.
    void measure(const char* what, const std::function<void()>& work) {
        measureKeys(what, [&] {
            QTimer::singleShot(0, fixture_->window.get(), work);
            QTest::qWait(1);
        });
    }

    /// `work` sends events of its own, each of which is measured.
    void measureKeys(const char* what, const std::function<void()>& work, double limit = kLongest) {
        auto& meter = *static_cast<MeteredApplication*>(qApp);
        meter.startMeter();
        QElapsedTimer timer;
        timer.start();
        work();
        const bool settled = fixture_->window->waitUntilSettled(300000);
        const Stall longest = meter.longest();
        qInfo("%-16s %6lld ms, longest event %5.1f ms (wall %5.1f) %s%s", what, (long long)timer.elapsed(), longest.cpu_ms,
              longest.wall_ms, longest.cpu_ms > 0 ? qPrintable(longest.what) : "", settled ? "" : "  NOT SETTLED");
        if (longest.cpu_ms > limit) too_long_ << QStringLiteral("%1: %2 ms in %3").arg(QLatin1String(what)).arg(longest.cpu_ms).arg(longest.what);
    }

    std::unique_ptr<WindowFixture> fixture_;
    QStringList too_long_;
};

int main(int argc, char** argv) {
    MeteredApplication application(argc, argv);
    TestResponsive test;
    return QTest::qExec(&test, argc, argv);
}

#include "test_responsive.moc"
