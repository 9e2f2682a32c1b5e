// Nothing blocks the window for more than 50 ms: opening, dividing, partitioning, toggling, running and saving models
// and large generated graphs, with the meter on the window's thread.
//
// A virtual machine counts what its host does meanwhile as time of the thread, and what runs beside takes the caches.
// The first hits one step or another, what the program does hits the same one again: a walk with a step that took too
// long is repeated, and what took too long in each of three walks fails. The second makes all slower: where a fixed
// piece of work takes longer, too, right after a step, the step may take longer by as much.
#include "stall_meter.h"
#include "window_fixture.h"

#include <map>

#include <QLineEdit>
#include <QTreeView>

#include "app/gui/canvas/search_bar.h"
#include "app/gui/editing/graph_editor.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/relay/printer.h"
#include "tests/registry.h"

namespace test_responsive {

using namespace partita;

namespace {

constexpr double kLongest = 50;  ///< ms of processor time
constexpr double kFrame = 16;    ///< of what follows the pointer
#ifdef _GLIBCXX_ASSERTIONS
constexpr double kChecks = 2;  ///< what looks at each index twice takes as much longer; the limits are without
#else
constexpr double kChecks = 1;
#endif
constexpr int kWalks = 3;
constexpr double kQuiet = 2.0;  ///< ms of the fixed piece of work on the machine that the limits are meant for, at rest

/// How many times as long as on that machine at rest work takes at the moment; 1 at least.
double slowness() {
    std::vector<double> times;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const double begin = MeteredApplication::cpu_now();
        // As the window's work: many small blocks, looked up in no order.
        std::map<uint32_t, std::string> texts;
        uint32_t number = 1;
        for (int i = 0; i < 10000; ++i) texts[number = number * 1664525 + 1013904223] = std::string(40, 'x');
        times.push_back(MeteredApplication::cpu_now() - begin);
    }
    std::nth_element(times.begin(), times.begin() + 2, times.end());
    return std::max(1.0, times[2] / kQuiet);
}

}  // namespace

class TestResponsive : public QObject {
    Q_OBJECT

private slots:
    void cleanup() { fixture_.reset(); }

    void nothingBlocksTheWindow_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<bool>("runs");
        QTest::newRow("resnet18") << "resnet18" << true;
        QTest::newRow("vgg16") << "vgg16" << false;
        QTest::newRow("mobilenet_v1_int8") << "mobilenet_v1_int8" << false;
        QTest::newRow("random:1000") << "random:1000" << false;
        QTest::newRow("random:10000") << "random:10000" << true;
        QTest::newRow("random:100000") << "random:100000" << false;
        QTest::newRow("chain:100000") << "chain:100000" << qEnvironmentVariableIsSet("PARTITA_LARGE");
    }
    void nothingBlocksTheWindow() {
        QFETCH(QString, model);
        QFETCH(bool, runs);
        if (!model.contains(QLatin1Char(':')) && pathOf(model).isEmpty()) QSKIP("the reference data is not there");
        holdWhatRepeats([&] { walk(model, runs); });
    }

    void hardInputsBlockNothingEither_data() {
        QTest::addColumn<QString>("input");
        QTest::addColumn<bool>("opens");
        for (const char* refused : {"a million parentheses", "a size that overflows"})
            QTest::newRow(refused) << QString::fromLatin1(refused) << false;
        for (const char* opened : {"100,000 functions", "a tensor of 4 TB", "a name of 10 MB", "a list of a million"})
            QTest::newRow(opened) << QString::fromLatin1(opened) << true;
        if (qEnvironmentVariableIsSet("PARTITA_LARGE"))
            QTest::newRow("a million ops") << QStringLiteral("a million ops") << true;
    }
    void hardInputsBlockNothingEither() {
        QFETCH(QString, input);
        QFETCH(bool, opens);
        holdWhatRepeats([&] { walkHardInput(input, opens); });
    }

private:
    void holdWhatRepeats(const std::function<void()>& walk) {
        QMap<QString, QString> always;
        for (int i = 0; i < kWalks; ++i) {
            fixture_.reset();
            fixture_ = std::make_unique<WindowFixture>();
            too_long_.clear();
            walk();
            if (QTest::currentTestFailed()) return;
            if (i == 0) always = too_long_;
            always.removeIf([this](const auto& step) { return !too_long_.contains(step.key()); });
            if (always.isEmpty()) return;
            qInfo("too long in each of %d walks: %s", i + 1, qPrintable(always.values().join(QStringLiteral("; "))));
        }
        QFAIL(qPrintable(always.values().join(QStringLiteral("; "))));
    }

    void walk(const QString& model, bool runs) {
        const QString path = pathOf(model);
        MainWindow& window = *fixture_->window;
        measure("open", [&] { window.opening().openFile(path); });
        QVERIFY(window.document().isOpen());
        for (const char* command : {"annotate", "merge", "partition"})
            measure(command, [&] { window.action(QLatin1String(command))->trigger(); });
        QVERIFY(window.document().partitioned());
        if (window.currentPage()->hasGroups()) {
            const int64_t group = groupNode();
            QVERIFY(group >= 0);
            const size_t before = fixture_->view().model()->nodes.size();
            measure("open a group", [&] { window.currentPage()->expandGroup(uint32_t(group)); });
            QVERIFY(fixture_->view().model()->nodes.size() > before);
        }
        if (window.currentPage()->hasGroups()) measure("open all", [&] { window.currentPage()->expandAll(); });
        measure("compare", [&] { window.pages().compare(); });
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
        measure("text", [&] { window.panels().show(&window.panels().text()); });
        measure("step", [&] { window.action(QStringLiteral("step-forward"))->trigger(); });
        measure("steps to the end", [&] { window.panels().steps().jumpToEnd(); });
        if (runs) {
            Settings settings = window.settings();
            settings.run.warmup = 0;
            settings.run.repeat = 1;
            settings.run.compare = false;
            window.applySettings(settings, false);
            measure("run", [&] { window.action(QStringLiteral("run"))->trigger(); });
            QVERIFY2(window.document().runOutcome(), qPrintable(fixture_->takeMessage()));
            measure("heat", [&] { window.action(QStringLiteral("heat"))->trigger(); });
            window.panels().show(&window.panels().timing());
            for (int view = 0; view < window.panels().timing().views().count(); ++view)
                measure("view of the run", [&, view] { window.panels().timing().views().setCurrentIndex(view); });
            measure("show a region", [&] {
                window.panels().timing().table().expand(window.panels().timing().table().model()->index(0, 0));
            });
            for (int column : {TimingModel::Name, TimingModel::Minimum})
                measure("sort",
                        [&, column] { window.panels().timing().table().sortByColumn(column, Qt::AscendingOrder); });
            measure("run again", [&] { window.action(QStringLiteral("run"))->trigger(); });
            measure("copy", [&] { window.panels().timing().copyCsv(); });
            measureKeys("give all", [&] {
                window.action(QStringLiteral("select-all"))->trigger();
                QTest::keyClick(&fixture_->view(), Qt::Key_1);
            });
        }
        QTemporaryDir folder;
        measure("save", [&] { window.document().saveProject(folder.filePath(QStringLiteral("project.partita"))); });
        QVERIFY(QFile::exists(folder.filePath(QStringLiteral("project.partita"))));
        measure("open another", [&] { window.opening().openFile(fixture_->file("one-divide.relay", kOneDivide)); });
    }

    void walkHardInput(const QString& input, bool opens) {
        MainWindow& window = *fixture_->window;
        const QString path = fixture_->file(QStringLiteral("hard.relay"), hardInput(input));
        measure("open", [&] { window.opening().openFile(path); });
        QCOMPARE(window.document().isOpen(), opens);
        const QString message = fixture_->takeMessage();
        QVERIFY2(message.isEmpty() == opens && message.size() < 5000, qPrintable(message.left(5000)));
        if (opens) {
            measure("whole flow", [&] { window.action(QStringLiteral("whole-flow"))->trigger(); });
            measure("select all", [&] { window.action(QStringLiteral("select-all"))->trigger(); });
            measureKeys("select one", [&] {
                for (const Qt::Key key : {Qt::Key_Home, Qt::Key_Down, Qt::Key_2})
                    QTest::keyClick(&fixture_->view(), key);
            });
            for (QWidget* panel : std::initializer_list<QWidget*>{&window.panels().text(), &window.panels().rules(),
                                                                  &window.panels().coverage()})
                measure("panel", [&] { window.panels().show(panel); });
            measure("step", [&] { window.action(QStringLiteral("step-forward"))->trigger(); });
            measure("steps to the end", [&] { window.panels().steps().jumpToEnd(); });
            window.action(QStringLiteral("find"))->trigger();
            measureKeys("search", [&] { QTest::keyClicks(window.currentPage()->searchBar().edit(), "tanh"); });
            measure("compare", [&] { window.pages().compare(); });
            measure("run", [&] { window.action(QStringLiteral("run"))->trigger(); });
            (void)fixture_->takeMessage();
        }
        measure("open another", [&] { window.opening().openFile(fixture_->file("one-divide.relay", kOneDivide)); });
    }

    static QByteArray hardInput(const QString& name) {
        const QByteArray version = "#[version = \"0.0.5\"]\n";
        const auto main = [&version](const QByteArray& shape, const QByteArray& body) {
            return version + "def @main(%x: Tensor[" + shape + ", float32]) {\n" + body + "\n}\n";
        };
        if (name == QLatin1String("a million parentheses"))
            return main("(4)", QByteArray(1000000, '(') + "%x" + QByteArray(1000000, ')'));
        if (name == QLatin1String("a size that overflows"))
            return main("(4294967296, 4294967296, 4294967296)", "tanh(%x)");
        if (name == QLatin1String("a tensor of 4 TB")) return main("(1000000, 1000000)", "tanh(%x)");
        if (name == QLatin1String("a list of a million"))
            return main("(4)", "reshape(%x, newshape=[" + QByteArray("1, ").repeated(1000000) + "4])");
        if (name == QLatin1String("a name of 10 MB")) {
            const QByteArray parameter = "%" + QByteArray(10 << 20, 'x');
            return version + "def @main(" + parameter + ": Tensor[(4), float32]) {\n  tanh(" + parameter + ")\n}\n";
        }
        QByteArray text;
        if (name == QLatin1String("100,000 functions")) {
            for (int i = 0; i < 100000; ++i)
                text += "def @f" + QByteArray::number(i) + "(%x: Tensor[(4), float32]) {\n  tanh(%x)\n}\n\n";
            return version + text + "def @main(%x: Tensor[(4), float32]) {\n  @f7(%x)\n}\n";
        }
        text = "  %0 = tanh(%x);\n";
        for (int i = 1; i < 1000000; ++i)
            text += "  %" + QByteArray::number(i) + " = tanh(%" + QByteArray::number(i - 1) + ");\n";
        return main("(4)", text + "  tanh(%999999)");
    }

    int64_t groupNode() {
        const std::vector<GraphNode>& nodes = fixture_->view().model()->nodes;
        for (size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].kind == GraphNodeKind::Group) return int64_t(i);
        return -1;
    }

    QString pathOf(const QString& model) {
        if (!model.contains(QLatin1Char(':')))
            return reference_file(QStringLiteral("relay-models/%1.input.relay").arg(model));
        Result<GraphName> name = *parse_graph_name(model.toStdString());
        Result<Module> module = generate_graph(name->kind, name->operators, 1);
        if (!module) return {};
        return fixture_->file(QString(model).replace(QLatin1Char(':'), QLatin1Char('-')) + QStringLiteral(".relay"),
                              QByteArray::fromStdString(print_relay(*module)));
    }

    /// The head of an edge out of the last operators over many others: each picture asks who may take it. Dropped on
    /// nothing.
    void measureDrag() {
        GraphView& view = fixture_->view();
        const GraphModel& model = *view.model();
        for (uint32_t edge = uint32_t(model.edges.size()); edge-- > 0;) {
            if (model.nodes[model.edges[edge].to].kind == GraphNodeKind::Group ||
                view.geometry().edges[edge].size() < 4)
                continue;
            view.reveal({model.edges[edge].from, model.edges[edge].to});
            view.setZoom(0.7, view.toWidget(view.geometry().edges[edge].back()));
            (void)fixture_->settle();
            const QPoint head = view.toWidget(view.geometry().edges[edge].back() - QPointF(0, 4)).toPoint();
            QTest::mouseMove(&view, head);
            if (view.edgeAt(head) != int64_t(edge)) continue;
            measureKeys(
                "drag an edge",
                [&] {
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
                },
                kFrame);
            measureAsking(edge);
            return;
        }
    }

    /// Where an edge is held over many operators in one frame, what it may not feed is looked up once for the edge, not
    /// for each.
    void measureAsking(uint32_t edge) {
        const GraphEditor& editor = *fixture_->window->findChild<GraphEditor*>();
        const GraphPage& page = *fixture_->window->currentPage();
        const uint32_t nodes = uint32_t(fixture_->view().model()->nodes.size());
        measureKeys(
            "ask 100 times",
            [&] {
                QTimer::singleShot(0, fixture_->window.get(), [&] {
                    for (uint32_t i = 1; i <= 100; ++i)
                        (void)editor.inputAt(page, edge, nodes - 1 - (i * 37) % std::min(nodes, 1000u), 0.5);
                });
                QTest::qWait(1);
                QTimer::singleShot(0, fixture_->window.get(), [&] {
                    for (uint32_t i = 1; i <= 100; ++i)
                        (void)editor.obstacleToSource(page, edge, nodes - 1 - (i * 37) % std::min(nodes, 1000u));
                });
                QTest::qWait(1);
            },
            kFrame);
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
        qInfo("%-16s %6lld ms, longest event %5.1f ms (wall %5.1f) %s%s", what, (long long)timer.elapsed(),
              longest.cpu_ms, longest.wall_ms, longest.cpu_ms > 0 ? qPrintable(longest.what) : "",
              settled ? "" : "  NOT SETTLED");
        limit *= qEnvironmentVariableIsSet("PARTITA_SLOW_MACHINE") ? 10 : kChecks;
        const QString step = QLatin1String(what);
        if (longest.cpu_ms <= limit) return;
        const double slow = slowness();
        qInfo("%-16s the machine takes %.1f times as long as at rest", what, slow);
        if (longest.cpu_ms > limit * slow)
            too_long_[step] = QStringLiteral("%1: %2 ms in %3").arg(step).arg(longest.cpu_ms).arg(longest.what);
    }

    std::unique_ptr<WindowFixture> fixture_;
    QMap<QString, QString> too_long_;  ///< the last walk's steps and what is said of them
};

int run(int argc, char** argv) {
    MeteredApplication application(argc, argv);
    TestResponsive test;
    return QTest::qExec(&test, argc, argv);
}

PARTITA_TEST_MAIN(run)

}  // namespace test_responsive

#include "test_responsive.moc"
