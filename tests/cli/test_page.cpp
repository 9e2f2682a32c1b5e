// The page to send: one file, without network, in which no name of a module runs. Debian's chromium opens it, clicks
// and types, where it is installed.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include "tests/cli/page_browser.h"
#include "tests/hostile_module.h"
#include "tests/registry.h"

namespace test_page {

using namespace partita::testing;

namespace {

const char* const kDiamond = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(10, 10), float32], %w: Tensor[(10, 10), float32]) -> Tensor[(10, 10), float32] {
  %0 = add(%x, %w);
  %1 = divide(%0, %w);
  %2 = add(%1, %0);
  nn.relu(%2)
}
)";

QByteArray blocks(int count) {
    QByteArray text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4, 8), float32]) {\n  %0 = floor(%x);\n";
    int last = 0;
    const auto add = [&](const char* op, bool twice) {
        const QByteArray input = "%" + QByteArray::number(last++);
        text += "  %" + QByteArray::number(last) + " = " + op + "(" + input + (twice ? ", " + input : "") + ");\n";
    };
    for (int i = 0; i < count; ++i) {
        for (const char* op : {"exp", "tanh", "sigmoid", "sqrt"}) add(op, false);
        add("add", true);
    }
    return text + "  negative(%" + QByteArray::number(last) + ")\n}\n";
}

}  // namespace

class TestPage : public QObject {
    Q_OBJECT

private slots:
    void itIsOneFileThatNeedsNoNetwork() {
        const QByteArray page = export_page(kDiamond);
        QVERIFY(page.startsWith("<!DOCTYPE html>"));
        QVERIFY(page.contains("default-src 'none'"));
        for (const char* outside : {"src=\"", "href=\"", "@import", "fetch(", "XMLHttpRequest", "innerHTML"})
            QVERIFY2(!page.contains(outside), outside);
        QCOMPARE(page.count("http://"), page.count("http://www.w3.org/2000/svg"));
    }

    void reasonsAndRefusedMergesStandInIt() {
        const QByteArray page = export_page(kDiamond);
        QVERIFY(page.contains("no rule for divide"));
        QVERIFY(page.contains("\"refused\":[{"));
        QVERIFY(page.contains("ops.add accepts it"));
    }

    /// A module may call its parts as it likes: the page's elements end where the program ends them.
    void noNameEndsAnElement_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("script") << QByteArray("\"</script><script>document.title='owned'</script>\"");
        QTest::newRow("comment") << QByteArray("\"<!--<script>\"");
        QTest::newRow("quotes") << QByteArray("\"' onload='document.title=1' x='&lt;\"");
    }
    void noNameEndsAnElement() {
        QFETCH(QByteArray, name);
        const QByteArray page = export_page(partita::testing::module_naming(name), {QStringLiteral("--annotated")});
        QCOMPARE(page.count("<script"), 2);
        QCOMPARE(page.count("</script>"), 2);
        QVERIFY(!page.contains("<!--"));
        if (browser().isEmpty()) return;
        const QByteArray dom = opened(page, {});
        QVERIFY(dom.contains("data-ready=\"1\""));
        QVERIFY(!dom.contains("<title>owned") && !dom.contains("<title>1"));
    }

    void aBrowserShowsIt() {
        if (browser().isEmpty()) QSKIP("chromium is not installed");
        const QByteArray dom = opened(export_page(kDiamond), {});
        QVERIFY(dom.contains("data-ready=\"1\""));
        QVERIFY(dom.contains("data-shown=\"6\""));
        QVERIFY(dom.contains("class=\"edge refused\""));
    }

    void aClickTellsWhy() {
        if (browser().isEmpty()) QSKIP("chromium is not installed");
        const QByteArray dom = opened(export_page(kDiamond), R"(
            const divide = [...document.querySelectorAll('g.node')].find(g => g.textContent.startsWith("divide"));
            divide.dispatchEvent(new MouseEvent('click', {bubbles: true}));)");
        QVERIFY(dom.contains("<h2>divide #2</h2>"));
        QVERIFY(dom.contains("no rule for divide"));
        QVERIFY(dom.contains("edge in"));
        QVERIFY(dom.contains("edge out"));
    }

    void searchListsHits() {
        if (browser().isEmpty()) QSKIP("chromium is not installed");
        const QByteArray dom = opened(export_page(kDiamond), R"(
            const line = document.getElementById('search');
            line.value = 'add dnnl';
            line.dispatchEvent(new Event('input', {bubbles: true}));)");
        QVERIFY(dom.contains("<h2>2 hits</h2>"));
    }

    /// Keys open a group and close it; a link in the address opens the groups that a node lies in.
    void groupsOpenByKeys() {
        if (browser().isEmpty()) QSKIP("chromium is not installed");
        const QByteArray page = export_page(blocks(40));
        QByteArray dom = opened(page, {});
        QVERIFY(dom.contains("Block A ×40"));
        const int closed = shown(dom);
        QVERIFY2(closed < 10, QByteArray::number(closed));
        const QByteArray open = R"(
            const press = key => document.getElementById('canvas').dispatchEvent(new KeyboardEvent('keydown', {key}));
            const group = document.querySelector('g.node.group');
            group.dispatchEvent(new MouseEvent('click', {bubbles: true}));
            press('Enter');)";
        dom = opened(page, open);
        QVERIFY(dom.contains("Block A, 7 of 40"));
        QCOMPARE(shown(dom), closed + 39);
        QCOMPARE(shown(opened(page, open + "press('c');")), closed);
        dom = opened(page, {}, QStringLiteral("#node=100"));
        QVERIFY(dom.contains(" #100</h2>"));
    }

    /// Fingers: one moves the picture, two make it larger, a tap selects, two taps open.
    void fingersMoveAndOpen() {
        if (browser().isEmpty()) QSKIP("chromium is not installed");
        const QString page = write(QStringLiteral("touched.html"), export_page(blocks(40)));
        Chromium chromium(browser());
        QVERIFY(chromium.open(QStringLiteral("file://") + page));
        const QString at_first = chromium.view();
        const int closed = chromium.shown();
        chromium.touch("touchStart", {{100, 300}});
        chromium.touch("touchMove", {{120, 340}});
        chromium.touch("touchMove", {{160, 400}});
        chromium.touch("touchEnd", {});
        const QString moved = chromium.view();
        QVERIFY(moved != at_first);
        QCOMPARE(zoom_of(moved), zoom_of(at_first));
        chromium.touch("touchStart", {{300, 300}});
        chromium.touch("touchStart", {{300, 300}, {400, 300}});
        chromium.touch("touchMove", {{275, 300}, {425, 300}});
        chromium.touch("touchEnd", {});
        QVERIFY2(std::abs(zoom_of(chromium.view()) - 1.5 * zoom_of(moved)) < 0.2, qPrintable(chromium.view()));
        QVERIFY2(!chromium.text("#panel h2").contains("operators"), "nothing is selected by moving");
        chromium.value(QStringLiteral("document.getElementById('fit').click()"));
        chromium.tap(chromium.place(QStringLiteral("Block A")));
        QVERIFY2(chromium.text("#panel h2").endsWith("200 operators"), qPrintable(chromium.text("#panel h2")));
        QThread::msleep(600);
        QCOMPARE(chromium.shown(), closed);
        chromium.tap(chromium.place(QStringLiteral("Block A")));
        chromium.tap(chromium.place(QStringLiteral("Block A")));
        QCOMPARE(chromium.shown(), closed + 39);
    }

    void firefoxShowsItByMouseAndKeys() {
        const QString program = QStandardPaths::findExecutable(QStringLiteral("firefox-esr"));
        if (program.isEmpty()) QSKIP("firefox-esr is not installed");
        const QString page = write(QStringLiteral("fox.html"), export_page(blocks(40)));
        Firefox firefox(program);
        QVERIFY(firefox.open(QStringLiteral("file://") + page));
        const int closed = firefox.shown();
        QVERIFY2(closed < 10, QByteArray::number(closed));
        const QString at_first = firefox.view();
        firefox.drag({100, 200}, {160, 260});
        const QString moved = firefox.view();
        QVERIFY(moved != at_first);
        firefox.roll({100, 200}, 120);
        QVERIFY(firefox.view() != moved);
        firefox.value(QStringLiteral("document.getElementById('fit').click()"));
        firefox.click(firefox.place(QStringLiteral("Block A")), 2);
        QCOMPARE(firefox.shown(), closed + 39);
        // Arrows go on, C closes, Enter opens.
        firefox.click(firefox.place(QStringLiteral("Block A, 1 of 40")));
        QVERIFY2(firefox.text("#panel h2").startsWith("Block A, 1 of 40"), qPrintable(firefox.text("#panel h2")));
        firefox.press(QString(QChar(0xE015)));
        QVERIFY2(firefox.text("#panel h2").startsWith("Block A, 2 of 40"), qPrintable(firefox.text("#panel h2")));
        firefox.press(QStringLiteral("c"));
        QCOMPARE(firefox.shown(), closed);
        firefox.press(QString(QChar(0xE007)));
        QCOMPARE(firefox.shown(), closed + 39);
        firefox.press(QString(QChar(0xE00C)));
        QVERIFY2(!firefox.text("#panel h2").contains("operators"), qPrintable(firefox.text("#panel h2")));
        firefox.press(QStringLiteral("/negative") + QChar(0xE007));
        QCOMPARE(firefox.text("#panel h2"), QStringLiteral("negative #202"));
        firefox.press(QString(QChar(0xE004)));
        QVERIFY(firefox.value(QStringLiteral("document.activeElement.id")).toString() != QLatin1String("search"));
        // Light and dark.
        const QString theme = QStringLiteral("document.documentElement.dataset.theme");
        const QString before = firefox.value(theme).toString();
        firefox.value(QStringLiteral("document.getElementById('theme').click()"));
        QVERIFY(firefox.value(theme).toString() != before);
    }

    void aLargeGraphIsRefused() {
        QProcess program;
        program.start(QStringLiteral(PARTITA_CLI),
                      {QStringLiteral("export"), QStringLiteral("chain:40000"), QStringLiteral("--form"),
                       QStringLiteral("page"), QStringLiteral("-o"), folder_.filePath(QStringLiteral("x.html"))});
        QVERIFY(program.waitForFinished(60000));
        QCOMPARE(program.exitCode(), 1);
        QVERIFY(program.readAllStandardError().contains("a page shows at most 30000"));
    }

private:
    static double zoom_of(const QString& view) {
        return view.section(QStringLiteral("scale("), 1).section(')', 0, 0).toDouble();
    }

    static QString browser() { return QStandardPaths::findExecutable(QStringLiteral("chromium")); }

    static int shown(const QByteArray& dom) {
        static const QRegularExpression count(QStringLiteral("data-shown=\"(\\d+)\""));
        return count.match(QString::fromUtf8(dom)).captured(1).toInt();
    }

    QString write(const QString& name, const QByteArray& content) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) qFatal("can't write");
        return file.fileName();
    }

    QByteArray export_page(const QByteArray& module, const QStringList& further = {}) {
        const QString in = write(QStringLiteral("module.relay"), module),
                      out = folder_.filePath(QStringLiteral("module.page.html"));
        QFile::remove(out);
        QProcess program;
        program.start(
            QStringLiteral(PARTITA_CLI),
            QStringList{QStringLiteral("export"), in, QStringLiteral("-o"), out} +
                (further.isEmpty() ? QStringList{QStringLiteral("--backends"), QStringLiteral("dnnl")} : further));
        program.waitForFinished(60000);
        if (program.exitCode() != 0) qWarning("%s", program.readAllStandardError().constData());
        QFile file(out);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    /// The page as the browser has it after a script of the test ran at its end.
    QByteArray opened(QByteArray page, const QByteArray& script, const QString& fragment = {}) {
        page.replace("</body>", "<script>" + script + "</script></body>");
        const QString path = write(QStringLiteral("opened.html"), page);
        QProcess program;
        program.start(browser(), {QStringLiteral("--headless"), QStringLiteral("--no-sandbox"),
                                  QStringLiteral("--disable-gpu"), QStringLiteral("--disable-dev-shm-usage"),
                                  QStringLiteral("--user-data-dir=") + folder_.filePath(QStringLiteral("browser")),
                                  QStringLiteral("--virtual-time-budget=3000"), QStringLiteral("--dump-dom"),
                                  QStringLiteral("file://") + path + fragment});
        if (!program.waitForFinished(120000)) program.kill();
        return program.readAllStandardOutput();
    }

    QTemporaryDir folder_;
};

PARTITA_TEST(TestPage)

}  // namespace test_page

#include "test_page.moc"
