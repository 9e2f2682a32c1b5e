// What is seen of a graph before a key is pressed, and of a group that was opened: that it can be read.
#include <QLabel>
#include <QStatusBar>
#include <QtTest>

#include "app/gui/canvas/graph_groups.h"
#include "tests/app/window_fixture.h"

namespace test_first_sight {

using namespace partita;

namespace {

/// Blocks of a residual network, with three operators before and after them.
QByteArray residualBlocks(int count) {
    QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4, 4), float32], %y: Tensor[(4, 4), float32]) {\n";
    int next = 0, value = 0;
    const auto call = [&](const QByteArray& what) {
        text += "  %" + QByteArray::number(next) + " = " + what + ";\n";
        return next++;
    };
    const auto name = [](int number) { return "%" + QByteArray::number(number); };
    value = call("tanh(%x)");
    value = call("exp(" + name(value) + ")");
    for (int i = 0; i < count; ++i) {
        const int first = call("multiply(" + name(value) + ", %y)"), second = call("add(" + name(first) + ", %y)"),
                  third = call("nn.relu(" + name(second) + ")"), fourth = call("subtract(" + name(third) + ", %y)");
        value = call("nn.relu(" + name(call("add(" + name(fourth) + ", " + name(value) + ")")) + ")");
    }
    return text + "  sigmoid(" + name(value) + ")\n}\n";
}

constexpr double kTitle = 13;  // pixels, at a zoom of one

}  // namespace

class TestFirstSight : public QObject {
    Q_OBJECT

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        Settings settings = fixture_->window->settings();
        settings.canvas.animated = false;
        fixture_->window->applySettings(settings, false);
        fixture_->window->resize(1280, 800);
    }
    void cleanup() { fixture_.reset(); }

    void namesAreReadWithAllOfTheGraphInSight_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("71 calls") << residualBlocks(11);
        QTest::newRow("141 calls") << residualBlocks(22);
    }
    void namesAreReadWithAllOfTheGraphInSight() {
        QFETCH(QByteArray, text);
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("net.relay"), text)));
        const auto read = [this] {
            const GraphView& view = fixture_->view();
            return view.visibleArea().contains(view.geometry().bounds) && view.zoom() * kTitle >= 7.8;
        };
        QVERIFY2(QTest::qWaitFor(read, 5000), qPrintable(QString::number(fixture_->view().zoom())));
        fixture_->picture(QStringLiteral("first-sight-") + QLatin1String(QTest::currentDataTag()));
    }

    /// A graph that is too small to be folded and too tall for the canvas stands in columns, each operator seen.
    void theAttentionBlockIsReadAsAWhole() {
        QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/attention-block.relay")));
        const auto read = [this] {
            const GraphView& view = fixture_->view();
            return view.visibleArea().contains(view.geometry().bounds) && view.zoom() * kTitle >= 7.8;
        };
        for (const char* action : {"", "whole-flow"}) {
            if (*action) fixture_->window->action(QLatin1String(action))->trigger();
            QVERIFY(fixture_->settle());
            QVERIFY2(QTest::qWaitFor(read, 5000), qPrintable(QString::number(fixture_->view().zoom())));
            QVERIFY(!fixture_->window->currentPage()->hasGroups());
        }
    }

    /// Who learns on a small graph sees each of its operators.
    void aSmallGraphIsNotGrouped() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("net.relay"), residualBlocks(1))));
        QVERIFY(!fixture_->window->currentPage()->hasGroups());
    }

    void groupsThatWereChosenAreForTheOpenFileAlone() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("net.relay"), residualBlocks(4))));
        fixture_->window->action(QStringLiteral("group-structure"))->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(fixture_->window->currentPage()->hasGroups());
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("other.relay"), residualBlocks(1))));
        QVERIFY(!fixture_->window->currentPage()->hasGroups());
        QVERIFY(fixture_->window->action(QStringLiteral("group-automatic"))->isChecked());
    }

    /// A group that holds operators of two regions does not take them from the count of either.
    void aRegionCountsAllOfItsOperatorsInGroups() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("net.relay"), residualBlocks(11))));
        QTest::keyClick(fixture_->window.get(), Qt::Key_F9);
        QVERIFY(fixture_->settle());
        const GraphDecoration& shown = *fixture_->view().decoration();
        const FlowPtr flow = fixture_->window->document().flow();
        for (const RegionMark& region : shown.regions) {
            if (region.label.isEmpty()) continue;
            const int said = region.label.section(QStringLiteral(" · "), -1).section(QLatin1Char(' '), 0, 0).toInt();
            const auto same = std::find_if(flow->regions.begin(), flow->regions.end(), [&](const RegionInfo& each) {
                return int(each.expressions.size()) == said;
            });
            QVERIFY2(same != flow->regions.end(), qPrintable(region.label));
        }
    }

    void anOpenedGroupIsReadFromItsBeginning() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("net.relay"), residualBlocks(40))));
        GraphPage& page = *fixture_->window->currentPage();
        QVERIFY(page.hasGroups());
        const auto run = [&] {
            const GraphModel& model = *fixture_->view().model();
            for (uint32_t i = 0; i < model.nodes.size(); ++i)
                if (model.nodes[i].group >= 0 && model.groups->groups[size_t(model.nodes[i].group)].times > 1) return i;
            return uint32_t(UINT32_MAX);
        };
        const uint32_t blocks = run();
        QVERIFY(blocks != UINT32_MAX);
        page.expandGroup(blocks);
        QVERIFY(fixture_->settle());
        const GraphModel& model = *fixture_->view().model();
        const GraphView& view = fixture_->view();
        QCOMPARE(model.frames.size(), size_t(1));
        QStringList titles;
        for (const GraphNode& node : model.nodes)
            if (node.group >= 0) titles << node.title;
        QCOMPARE(titles.removeDuplicates(), qsizetype(0));  // blocks are told apart
        QVERIFY2(view.zoom() * kTitle >= 9, qPrintable(QString::number(view.zoom())));
        QVERIFY(view.visibleArea().contains(view.geometry().frames[0].topLeft()));
        QVERIFY(fixture_->window->document().selection().empty());
        fixture_->picture(QStringLiteral("opened-group"));
        // One that can't be read as a whole stands in columns.
        QVERIFY(!view.geometry().more_frames.empty());
    }

    /// Each operator that goes to a backend would be a region of its own: colours say as much.
    void beforeMergingColoursAloneTellTheBackends() {
        QVERIFY(fixture_->openOneDivide());
        QTest::keyClick(fixture_->window.get(), Qt::Key_F6);
        QVERIFY(fixture_->settle());
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf(QStringLiteral("add"))), QStringLiteral("ccompiler"));
        QVERIFY(fixture_->view().decoration()->regions.empty());
        const auto counts = [this] {
            QString all;
            for (const QLabel* label : fixture_->window->statusBar()->findChildren<QLabel*>()) all += label->text();
            return all;
        };
        QVERIFY2(!counts().contains(QStringLiteral("region")), qPrintable(counts()));
        QTest::keyClick(fixture_->window.get(), Qt::Key_F7);
        QVERIFY(fixture_->settle());
        QVERIFY(!fixture_->view().decoration()->regions.empty());
        QVERIFY2(counts().contains(QStringLiteral("region")), qPrintable(counts()));
    }

    void theSidesOfAConditionHaveABox() {
        QVERIFY(fixture_->open(fixture_->file(
            QStringLiteral("if.relay"),
            "#[version = \"0.0.5\"]\ndef @main(%c: bool, %x: Tensor[(4), float32]) {\n  %0 = add(%x, %x);\n"
            "  %1 = if (%c) {\n    %2 = multiply(%0, %x);\n    subtract(%2, %x)\n  } else {\n    exp(%0)\n  };\n"
            "  add(%1, %x)\n}\n")));
        const GraphModel& model = *fixture_->view().model();
        QCOMPARE(model.branches.size(), size_t(2));
        QCOMPARE(inFrame("then"), (QStringList{"multiply", "subtract"}));
        QCOMPARE(inFrame("else"), QStringList{"exp"});
        fixture_->picture(QStringLiteral("branches"));
    }

    /// What another program's loop repeats stands in a frame, with what it takes from around it.
    void theBodyOfALoopHasAFrame() {
        QVERIFY(fixture_->open(fixture_->file(
            QStringLiteral("loop.relay"),
            "#[version = \"0.0.5\"]\ndef @body(%i: int64, %again: bool, %s: Tensor[(4), float32], %outer: Tensor[(4), "
            "float32]) {\n  %0 = add(%s, %outer);\n  (%again, %0)\n}\n"
            "def @main(%c: bool, %x: Tensor[(4), float32]) {\n  %1 = exp(%x);\n  %2 = opaque(%c, %x, %1, "
            "op_type=\"Loop\", absent=[0], bodies=[[\"body\", \"body\"]], captured=1, shapes=[[4]], "
            "dtypes=[\"float32\"]) /* ty=Tensor[(4), float32] */;\n  nn.relu(%2)\n}\n")));
        const GraphModel& model = *fixture_->view().model();
        QCOMPARE(model.branches.size(), size_t(1));
        QCOMPARE(inFrame("body"), (QStringList{"%again", "%s", "add", "tuple of 2"}));
        QStringList edges;
        for (const GraphEdge& edge : model.edges)
            edges << model.nodes[edge.from].title + QStringLiteral(" > ") + model.nodes[edge.to].title;
        edges.sort();
        QCOMPARE(edges, (QStringList{"%again > tuple of 2", "%c > %again", "%s > add", "%x > %s", "%x > exp",
                                     "Loop > nn.relu", "add > tuple of 2", "exp > add", "tuple of 2 > Loop"}));
        fixture_->picture(QStringLiteral("loop"));
    }

    /// Relax's patterns match within a dataflow block only, so its border is seen where something stands outside.
    void aDataflowBlockHasABorder() {
        const QString text = QStringLiteral(
            "@I.ir_module\nclass Module:\n    @R.function\n"
            "    def main(x: R.Tensor((4,), dtype=\"float32\")) -> R.Tensor((4,), dtype=\"float32\"):\n"
            "        with R.dataflow():\n"
            "            a: R.Tensor((4,), dtype=\"float32\") = R.exp(x)\n"
            "            b: R.Tensor((4,), dtype=\"float32\") = R.nn.relu(a)\n"
            "            R.output(b)\n%1"
            "        return b\n");
        QVERIFY(fixture_->open(
            fixture_->file(QStringLiteral("outside.py"),
                           text.arg("        b: R.Tensor((4,), dtype=\"float32\") = R.sqrt(b)\n").toUtf8())));
        QCOMPARE(inFrame("dataflow"), (QStringList{"exp", "nn.relu"}));
        QVERIFY(!fixture_->view().decoration()->regions.size());
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("whole.py"), text.arg(QString()).toUtf8())));
        QVERIFY(fixture_->view().model()->branches.empty());  // a border round all tells nothing
    }

private:
    QStringList inFrame(const std::string& label) const {
        const GraphModel& model = *fixture_->view().model();
        QStringList titles;
        for (const GraphBranch& branch : model.branches)
            for (uint32_t node : branch.nodes)
                if (branch.label == label) titles << model.nodes[node].title;
        titles.sort();
        return titles;
    }

    std::unique_ptr<WindowFixture> fixture_;
};

PARTITA_TEST(TestFirstSight)

}  // namespace test_first_sight

#include "test_first_sight.moc"
