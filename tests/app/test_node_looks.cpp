// What a person chooses about the look of nodes: attributes that stand on them, colours for what queries find. And the
// values that flowed out of regions, which the inspector tells.
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>

#include "app/gui/canvas/query_legend.h"
#include "app/gui/panels/inspector/inspector_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/window/look_dialogs.h"
#include "engine/ops/registry.h"
#include "tests/app/window_fixture.h"
#include "tests/registry.h"

namespace test_node_looks {

using namespace partita;

namespace {

const char* const kSoftmax = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 4), float32]) {
  nn.relu(nn.softmax(%x))
}
)";

}  // namespace

class TestNodeLooks : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> fixture_;
    MainWindow& window() { return *fixture_->window; }

    QString detailOf(const char* title) {
        return fixture_->view().model()->nodes[size_t(fixture_->nodeOf(QString::fromLatin1(title)))].detail;
    }
    void trigger(const char* command) {
        window().action(QLatin1String(command))->trigger();
        QVERIFY(fixture_->settle());
    }
    /// As PARTITA_PICTURES says, for a person to look at.
    void picture(QWidget& widget, const char* name) {
        const QByteArray folder = qgetenv("PARTITA_PICTURES");
        if (folder.isEmpty()) return;
        window().resize(1280, 800);
        for (const ThemeChoice theme : {ThemeChoice::Dark, ThemeChoice::Light}) {
            Settings settings = window().settings();
            settings.theme = theme;
            window().applySettings(settings, false);
            QVERIFY(fixture_->settle());
            const QString suffix = theme == ThemeChoice::Dark ? QStringLiteral("-dark.png") : QStringLiteral(".png");
            widget.grab().save(QString::fromLocal8Bit(folder) + QLatin1Char('/') + QLatin1String(name) + suffix);
        }
    }

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void chosenAttributesStandOnTheNodesAndAreKept() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("softmax.relay"), kSoftmax)));
        QCOMPARE(detailOf("nn.softmax"), QString());
        trigger("node-attributes");
        auto* dialog = fixture_->dialog<NodeAttributesDialog>();
        QVERIFY(dialog);
        auto* tree = dialog->findChild<QTreeWidget*>();
        QCOMPARE(tree->topLevelItemCount(), 1);  // nn.relu has none
        QTreeWidgetItem* axis = tree->topLevelItem(0)->child(0);
        QCOMPARE(axis->text(0), QStringLiteral("axis"));
        QCOMPARE(axis->checkState(0), Qt::PartiallyChecked);
        // A click on the box goes on from "where it is not at its default" to "always".
        tree->expandAll();
        const QRect row = tree->visualItemRect(axis);
        QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, QPoint(row.left() + 10, row.center().y()));
        QVERIFY(fixture_->settle());
        QCOMPARE(axis->checkState(0), Qt::Checked);
        QCOMPARE(detailOf("nn.softmax"), QStringLiteral("axis -1"));
        QCOMPARE(Settings::load().canvas.model.attributes.value(QStringLiteral("nn.softmax.axis")), true);
        picture(*dialog, "node-attributes");
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("&As usual")) QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(fixture_->settle());
        QCOMPARE(detailOf("nn.softmax"), QString());
        QVERIFY(Settings::load().canvas.model.attributes.isEmpty());
    }

    void anAttributeThatIsNeverShownIsGone() {
        QVERIFY(fixture_->open(fixture_->file(QStringLiteral("axis.relay"),
                                              QByteArray(kSoftmax).replace("softmax(%x)", "softmax(%x, axis=0)"))));
        QCOMPARE(detailOf("nn.softmax"), QStringLiteral("axis 0"));
        Settings settings = window().settings();
        settings.canvas.model.attributes[QStringLiteral("nn.softmax.axis")] = false;
        window().applySettings(settings, false);
        QVERIFY(fixture_->settle());
        QCOMPARE(detailOf("nn.softmax"), QString());
    }

    void attributesThatWereChosenMayTakeTwoLines() {
        QVERIFY(fixture_->open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/residual-block.relay")));
        const auto show = [this](bool all) {
            Settings settings = window().settings();
            settings.canvas.model.show_attributes = true;
            auto& chosen = settings.canvas.model.attributes;
            chosen.clear();
            for (const AttributeField& attribute : op_registry()[op_registry().find("nn.conv2d")].attributes)
                if (all) chosen[QString::fromStdString("nn.conv2d." + attribute.name)] = true;
            window().applySettings(settings, false);
            QVERIFY(fixture_->settle());
        };
        show(false);
        QVERIFY2(detailOf("nn.conv2d").size() <= 40, qPrintable(detailOf("nn.conv2d")));
        show(true);
        QCOMPARE(detailOf("nn.conv2d").size(), qsizetype(80));
        QVERIFY2(detailOf("nn.conv2d").endsWith(QStringLiteral("…")), qPrintable(detailOf("nn.conv2d")));
    }

    void aQueryGivesWhatItFindsItsColour() {
        QVERIFY(fixture_->openOneDivide());
        trigger("whole-flow");
        trigger("query-colours");
        auto* dialog = fixture_->dialog<QueryColoursDialog>();
        QVERIFY(dialog);
        const QList<QLineEdit*> fields = dialog->findChildren<QLineEdit*>();
        QCOMPARE(fields.size(), int(Theme::kTints));
        fields[0]->setFocus();
        QTest::keyClicks(fields[0], QStringLiteral("op:divide"));
        QTest::keyClick(fields[0], Qt::Key_Tab);
        fields[1]->setFocus();
        QTest::keyClicks(fields[1], QStringLiteral("backend:ccompiler"));
        QTest::keyClick(fields[1], Qt::Key_Tab);
        QVERIFY(fixture_->settle());
        const auto tint = [this](const char* title) {
            return int(fixture_->view().decoration()->tint.at(size_t(fixture_->nodeOf(QString::fromLatin1(title)))));
        };
        QCOMPARE(tint("divide"), 1);
        QCOMPARE(tint("subtract"), 2);
        QCOMPARE(tint("%x"), 0);
        auto* legend = window().currentPage()->findChild<QueryLegend*>();
        QVERIFY(legend && legend->isVisible());
        QVERIFY2(legend->text().contains(QStringLiteral("op:divide (2)")), qPrintable(legend->text()));
        picture(window(), "query-colours");
        picture(*dialog, "query-colours-dialog");
        // A query of backends follows the division.
        trigger("reset");
        QCOMPARE(tint("subtract"), 0);
        // What can't be read is said, and colours nothing.
        fields[2]->setFocus();
        QTest::keyClicks(fields[2], QStringLiteral("flops:>many"));
        QTest::keyClick(fields[2], Qt::Key_Tab);
        QVERIFY(fixture_->settle());
        const QList<QLabel*> labels = dialog->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(),
                            [](const QLabel* label) { return label->text().contains(QStringLiteral("flops:>many")); }));
        QCOMPARE(Settings::load().canvas.query_colours.value(0), QStringLiteral("op:divide"));
        for (QLineEdit* field : fields) field->clear();
        dialog->close();
        Settings settings = window().settings();
        settings.canvas.query_colours.clear();
        window().applySettings(settings);
        QVERIFY(fixture_->settle());
        QVERIFY(legend->isHidden());
        QVERIFY(fixture_->view().decoration()->tint.empty());
    }

    void theInspectorTellsTheValuesThatFlowedOutOfARegion() {
        QVERIFY(fixture_->openOneDivide());
        trigger("whole-flow");
        trigger("run");
        fixture_->click(fixture_->nodeOf(QStringLiteral("subtract")));
        QVERIFY(fixture_->settle());
        const auto told = [this] { return window().panels().inspector().text().toPlainText(); };
        QVERIFY(!told().contains(QStringLiteral("Values that flowed")));
        trigger("compare-regions");
        fixture_->click(fixture_->nodeOf(QStringLiteral("subtract")));
        QVERIFY(fixture_->settle());
        QVERIFY2(told().contains(QStringLiteral("Values that flowed")), qPrintable(told()));
        QVERIFY2(told().contains(QStringLiteral("Furthest from default")), qPrintable(told()));
        QVERIFY2(told().contains(QStringLiteral("Mean")) && told().contains(QStringLiteral("First")),
                 qPrintable(told()));
        const FlowedValuesPtr values = window().document().flowedValues();
        QVERIFY(values && values->places.count(window().document().selection().front()) == 1);
        picture(window(), "flowed");
        // The next run's values are others.
        trigger("run");
        QVERIFY(!told().contains(QStringLiteral("Values that flowed")));
    }
};

PARTITA_TEST(TestNodeLooks)

}  // namespace test_node_looks

#include "test_node_looks.moc"
