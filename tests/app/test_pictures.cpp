// How the window looks in its main states, light and dark, beside small pictures of how it looked when somebody last
// judged it (tests/golden/pictures). They are scaled down so far that letters are grey and a machine's fonts hardly
// count: what is noticed is a panel that is gone, colours that changed, something that no longer fits.
//
// After a change that is meant: PARTITA_REFRESH_PICTURES=1 test_pictures, then look at build/.../screenshots and
// commit.
#include "window_fixture.h"

#include <cmath>
#include <utility>

#include <QCheckBox>
#include <QTextDocumentFragment>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/diff/diff_page.h"
#include "app/gui/panels/coverage/coverage_panel.h"
#include "app/gui/panels/lessons/lessons_panel.h"
#include "app/gui/panels/lessons/prediction_view.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "app/gui/panels/text/text_panel.h"
#include "app/gui/panels/timing/timing_panel.h"
#include "app/gui/window/welcome_page.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/relay/printer.h"
#include "tests/registry.h"

namespace test_pictures {

using namespace partita;

namespace {

constexpr QSize kSmall(110, 72);
// Times of runs move the mean by 0.1 of 255 at most, another panel in front by 3, regions that are not shown by 7.
constexpr double kLargestMean = 2;
// Places that differ by more than a sixth of the range: a button or a node that moved.
constexpr double kLargestShare = 0.012;

struct Difference {
    double mean = 0, share = 0;
};

Difference difference_of(const QImage& a, const QImage& b) {
    Difference difference;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x) {
            const QRgb p = a.pixel(x, y), q = b.pixel(x, y);
            const int most =
                std::max({std::abs(qRed(p) - qRed(q)), std::abs(qGreen(p) - qGreen(q)), std::abs(qBlue(p) - qBlue(q))});
            difference.mean += most;
            difference.share += most > 255 / 6;
        }
    const double pixels = a.width() * a.height();
    return {difference.mean / pixels, difference.share / pixels};
}

}  // namespace

class TestPictures : public QObject {
    Q_OBJECT

private slots:
    void theMainStatesLookAsTheyWereJudged_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void theMainStatesLookAsTheyWereJudged() {
        QFETCH(bool, dark);
        dark_ = dark;
        WindowFixture fixture;
        fixture_ = &fixture;
        MainWindow& window = *fixture.window;
        Settings settings = window.settings();
        settings.theme = dark ? ThemeChoice::Dark : ThemeChoice::Light;
        settings.canvas.animated = false;
        window.applySettings(settings, false);
        window.setBackends({QStringLiteral("ccompiler")});
        window.findChild<WelcomePage*>()->setSession(true,
                                                     QStringLiteral("diamond.relay"));  // whatever was open here before
        compare("welcome");
        QVERIFY(fixture.open(QStringLiteral(PARTITA_SOURCE_DIR "/samples/diamond.relay")));
        compare("opened");
        window.action("whole-flow")->trigger();
        QVERIFY(fixture.settle());
        compare("divided");
        fixture.click(fixture.nodeOf("exp"));
        window.panels().steps().stepForward();
        QVERIFY(fixture.settle());
        compare("step");
        window.panels().steps().stop();
        window.panels().show(&window.panels().text());
        compare("text");
        window.panels().show(&window.panels().rules());
        compare("rules");
        window.panels().show(&window.panels().coverage());
        compare("coverage");
        window.action("run")->trigger();
        QVERIFY(fixture.settle());
        compare("timing");
        window.panels().timing().heatSwitch().click();
        showSteadyHeat(*window.currentPage());
        compare("heat");
        window.panels().timing().heatSwitch().click();
        window.action("compare")->trigger();
        compare("comparison");
        window.action("close-tab")->trigger();
        window.action("predict")->trigger();
        fixture.click(fixture.nodeOf("add"));
        fixture.click(fixture.nodeOf("multiply"), Qt::ControlModifier);
        window.panels().lessons().prediction().markSelection();
        window.panels().lessons().prediction().compare();
        compare("prediction");
        window.action("presentation")->trigger();
        compare("presentation");
        window.action("presentation")->trigger();
        QVERIFY2(faults_.isEmpty(), qPrintable(faults_.join(QLatin1Char('\n'))));
    }

    /// What is seen of a deep model before a key is pressed. Models that are not on this machine are skipped.
    void theFirstSightOfDeepModels_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("inception") << PARTITA_BINARY_DIR "/models/inception_v1.relay";
        QTest::newRow("densenet") << PARTITA_BINARY_DIR "/models/densenet121.relay";
        QTest::newRow("bert") << "/tmp/models/bert_base.onnx";
        QTest::newRow("decoder") << "/tmp/models/llm.onnx";
        QTest::newRow("chain") << "";
    }
    void theFirstSightOfDeepModels() {
        QFETCH(QString, path);
        const QString name = QString::fromLatin1(QTest::currentDataTag());
        WindowFixture fixture;
        fixture_ = &fixture;
        dark_ = false;
        faults_.clear();
        Settings settings = fixture.window->settings();
        settings.theme = ThemeChoice::Light;
        settings.canvas.animated = false;
        fixture.window->applySettings(settings, false);
        if (path.isEmpty()) {
            Result<Module> chain = generate_graph(GraphKind::Chain, 100000, 1);
            QVERIFY(chain);
            path = fixture.file(QStringLiteral("chain.relay"), QByteArray::fromStdString(print_relay(*chain)));
        }
        if (!QFileInfo::exists(path)) QSKIP(qPrintable(path + " is not there"));
        fixture.window->resize(1280, 800);
        QVERIFY(fixture.open(path));
        compare(qPrintable("deep-" + name));
        for (const QSize& size : {QSize(1280, 800), QSize(1600, 1000)}) {
            fixture.window->resize(size);
            QVERIFY(QTest::qWaitFor([&] { return runIsRead(fixture.view()); }, 5000));
            fixture.picture(QStringLiteral("deep-%1-%2").arg(name).arg(size.width()));
        }
        QVERIFY2(faults_.isEmpty(), qPrintable(faults_.join(QLatin1Char('\n'))));
    }

    /// What commands, panels and columns are called in the pictures of README and help, the program calls them still.
    void picturesShowNamesThatAreUsed() {
        QFile texts(QStringLiteral(PARTITA_SOURCE_DIR "/resources/translations/partita_de.ts"));
        QVERIFY(texts.open(QIODevice::ReadOnly));
        QSet<QString> used;
        static const QRegularExpression source(QStringLiteral("<source>([^<]*)</source>"));
        const QString all = QString::fromUtf8(texts.readAll());
        for (auto found = source.globalMatch(all); found.hasNext();)
            used << QTextDocumentFragment::fromHtml(found.next().captured(1)).toPlainText().remove('&');
        int pictures = 0;
        for (const QFileInfo& file :
             QDir(QStringLiteral(PARTITA_SOURCE_DIR "/resources/pictures")).entryInfoList({"*.png"})) {
            const QStringList names = QImage(file.filePath()).text("Names").split('\n', Qt::SkipEmptyParts);
            QVERIFY2(names.size() > 10, qPrintable(file.fileName() + ": made before names were noted"));
            for (QString name : names) {
                name.remove('&').replace(QRegularExpression("^(Undo|Redo) .*"), "\\1");  // of what
                // Signs, and what the file names: functions, places of backends.
                const bool is_word = name.contains(QRegularExpression("\\p{L}{2}"));
                const bool is_of_file = !is_word || name.contains(QRegularExpression("[0-9@%_.]"));
                QVERIFY2(is_of_file || used.contains(name), qPrintable(file.fileName() + " shows " + name));
            }
            ++pictures;
        }
        QVERIFY(pictures >= 3);
    }

private:
    /// Whether all is in sight, a run of blocks among it, so large that what nodes say can be read.
    static bool runIsRead(const GraphView& view) {
        const GraphModel& model = *view.model();
        const bool run = std::any_of(model.nodes.begin(), model.nodes.end(), [&model](const GraphNode& node) {
            return node.group >= 0 && model.groups->groups[size_t(node.group)].times > 1;
        });
        return run && view.zoom() >= kReadable && view.visibleArea().contains(view.geometry().bounds);
    }
    /// The operators that were timed in the colours of times that are the same in each run: of operators that take a
    /// microsecond, another program on the machine makes any one the longest.
    void showSteadyHeat(GraphPage& page) {
        auto heat = std::make_shared<std::vector<float>>(fixture_->window->document().runOutcome()->heat);
        float next = 1;
        for (float& value : *heat)
            if (value >= 0) value = std::exchange(next, next * 0.6F);
        page.setHeat(heat);
    }
    void compare(const char* state) {
        QVERIFY(fixture_->settle());
        const QString name = QLatin1String(state) + (dark_ ? QStringLiteral("-dark") : QStringLiteral("-light"));
        fixture_->picture(QStringLiteral("state-") + name);
        const QImage now = fixture_->window->grab()
                               .toImage()
                               .scaled(kSmall, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                               .convertToFormat(QImage::Format_RGB32);
        const QString path = QStringLiteral(PARTITA_SOURCE_DIR "/tests/golden/pictures/%1.png").arg(name);
        if (qEnvironmentVariableIsSet("PARTITA_REFRESH_PICTURES")) {
            QVERIFY(now.save(path));
            return;
        }
        const QImage judged = QImage(path).convertToFormat(QImage::Format_RGB32);
        QVERIFY2(judged.size() == kSmall, qPrintable(path));
        const Difference difference = difference_of(now, judged);
        qInfo("%-24s mean %.2f, places %.2f %%", qPrintable(name), difference.mean, difference.share * 100);
        if (difference.mean > kLargestMean || difference.share > kLargestShare)
            faults_ << QStringLiteral("%1: mean difference %2, %3 % of the places")
                           .arg(name)
                           .arg(difference.mean)
                           .arg(difference.share * 100);
    }

    WindowFixture* fixture_ = nullptr;
    bool dark_ = false;
    QStringList faults_;
};

PARTITA_TEST(TestPictures)

}  // namespace test_pictures

#include "test_pictures.moc"
