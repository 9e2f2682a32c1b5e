// Walks through the window (tests/golden/walks): what somebody does, and what became different for whoever sits in
// front of it. A walk contains
//
//   # a comment
//   with KEY VALUE       language, text or theme in which the window starts; before all steps
//   file NAME [base64]   a file with the indented lines that follow, from here on
//   > VERB ...           a step (walk_steps.h), in a folder of its own with the samples
//   > by-chance SEED ROOM   an update puts a step of its own choice in its place (walk_chance.h)
//
// and, indented below each step, what changed: words that a widget paints, a hash and the number of its drawing
// operations, tool tips, names for screen readers, commands, the document, settings and files (walk_record.h).
// `PARTITA_UPDATE_GOLDEN=1 ctest --preset release -j2 -R window_walks` updates them, in parts as they are run: what
// one walk leaves behind may show in the next. Read the changes. Where a step shows something else than before,
// build/.../screenshots/walks holds its picture and all that was painted.
#include <QtTest>

#include <QStatusBar>

#include <sys/types.h>
#include <unistd.h>

#include "tests/app/walk_chance.h"
#include "tests/app/walk_steps.h"
#include "tests/registry.h"

namespace test_window_walks {

using namespace partita;

namespace {

/// Of the walks; tests/fuzz/window has others.
QString walks_folder() {
    return qEnvironmentVariable("PARTITA_WALKS_FOLDER", PARTITA_SOURCE_DIR "/tests/golden/walks");
}
constexpr const char* kQt = "6.4.2";  ///< with which the walks were recorded

QString text_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

/// An unindented line, and the indented lines after it.
struct WalkBlock {
    QString head;
    QStringList body;
};

std::vector<WalkBlock> blocks_of(const QString& walk) {
    std::vector<WalkBlock> blocks;
    for (const QString& line : walk.split('\n')) {
        if (line.startsWith("#") || line.startsWith("> ") || line.startsWith("file ") || line.startsWith("with "))
            blocks.push_back({line, {}});
        else if (!blocks.empty()) blocks.back().body << line;
    }
    for (WalkBlock& block : blocks)
        while (!block.body.isEmpty() && block.body.last().isEmpty()) block.body.removeLast();
    return blocks;
}

/// A folder whose name is as long and as wide in each run.
class WalkFolder {
public:
    WalkFolder() : path_(QStringLiteral("/tmp/walk-%1").arg(qint64(getpid()) % 100000000, 8, 10, QLatin1Char('0'))) {
        QDir(path_).removeRecursively();
        QDir().mkpath(path_ + "/home");
        for (const QFileInfo& file : QDir(PARTITA_SOURCE_DIR "/samples").entryInfoList({"*.relay"}))
            QFile::copy(file.filePath(), path_ + '/' + file.fileName());
        qputenv("HOME", (path_ + "/home").toLocal8Bit());
        qputenv(kHasOwnHome, "1");
        QDir::setCurrent(path_);
    }
    ~WalkFolder() {
        QDir::setCurrent("/");
        QDir(path_).removeRecursively();
    }
    const QString& path() const { return path_; }

private:
    QString path_;
};

}  // namespace

class TestWindowWalks : public QObject {
    Q_OBJECT

    // A step may open a dialog that has an event loop of its own: each step, and what follows it, is an event.
    struct Walk {
        std::vector<WalkBlock> blocks;
        size_t next = 0;
        bool is_by_chance = false, is_given_up = false;  ///< the step that is taken, and one that could not be
        std::vector<RecordedPart> shown;
        QStringList known;
        QString name;
    } walk_;
    WindowFixture* fixture_ = nullptr;
    WalkSteps* steps_ = nullptr;
    WalkRecord* record_ = nullptr;
    QString folder_, fault_;
    QEventLoop* loop_ = nullptr;

    void goOn() {
        while (walk_.next < walk_.blocks.size() && !walk_.blocks[walk_.next].head.startsWith("> ")) {
            const WalkBlock& block = walk_.blocks[walk_.next++];
            if (block.head.startsWith("file ")) writeFile(block);
        }
        if (walk_.next >= walk_.blocks.size() || (!fault_.isEmpty() && !isUpdated())) return end();
        fixture_->shown().statusBar()->clearMessage();  // it would go away by itself, at some time
        if (walk_.blocks[walk_.next].head.startsWith("> by-chance ") && isUpdated()) takeAChance();
        const QString step = walk_.blocks[walk_.next].head;
        steps_->prepare(step.mid(2));
        // In two steps: a dialog that is being closed leaves its loop between them.
        QTimer::singleShot(10, this, [this] { QTimer::singleShot(5, this, &TestWindowWalks::finishStep); });
        const QString problem = steps_->run(step.mid(2));
        walk_.is_given_up = walk_.is_by_chance && !problem.isEmpty();
        if (!problem.isEmpty() && !walk_.is_by_chance)
            fault_ += QStringLiteral("%1: %2: %3\n").arg(walk_.name, step, problem);
    }

    void takeAChance() {
        QString& head = walk_.blocks[walk_.next].head;
        head = "> " + WalkChance::step(*fixture_, head.section(' ', 2, 2).toUInt(), head.section(' ', 3));
        walk_.is_by_chance = true;
        qInfo("%s", qPrintable(head));  // the last one, should the program end here
    }

    /// A menu or a dialog with a loop of its own would keep the walk's from ending.
    void end() {
        while (QWidget* menu = QApplication::activePopupWidget()) menu->close();
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<QDialog*>(widget); dialog && dialog->isVisible()) dialog->reject();
        loop_->quit();
    }

    void finishStep() {
        if (!fixture_->settle()) fault_ = "is not settled: " + walk_.blocks[walk_.next].head;
        if (steps_->fixTimes()) fixture_->settle();
        if (std::exchange(walk_.is_by_chance, false) && std::exchange(walk_.is_given_up, false)) {
            walk_.blocks.erase(walk_.blocks.begin() + ptrdiff_t(walk_.next));
            walk_.shown = steadyRecord();
            return QTimer::singleShot(0, this, &TestWindowWalks::goOn);
        }
        WalkBlock& block = walk_.blocks[walk_.next++];
        walk_.known = std::exchange(block.body, {});
        std::vector<RecordedPart> now = steadyRecord();
        for (const QString& line : WalkRecord::difference(walk_.shown, now)) block.body << "  " + line;
        if (block.body != walk_.known && !isUpdated() && fault_.isEmpty()) tellDifference(block, now);
        walk_.shown = std::move(now);
        QTimer::singleShot(0, this, &TestWindowWalks::goOn);
    }

    /// On a busy machine what follows from something, such as another layout, may take a while.
    std::vector<RecordedPart> steadyRecord() {
        constexpr int kMostTurns = 10;
        std::vector<RecordedPart> now = record_->take();
        for (int i = 0; i < kMostTurns; ++i) {
            QTest::qWait(15);
            std::vector<RecordedPart> next = record_->take();
            if (WalkRecord::difference(now, next).isEmpty()) break;
            now = std::move(next);
        }
        return now;
    }

    static bool isUpdated() { return qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN"); }

    void writeFile(const WalkBlock& block) {
        QFile file(folder_ + '/' + block.head.section(' ', 1, 1));
        QDir().mkpath(QFileInfo(file).path());
        if (!file.open(QIODevice::WriteOnly)) fault_ = "can't write " + file.fileName();
        const bool coded = block.head.section(' ', 2) == "base64";
        for (const QString& line : block.body)
            file.write(coded ? QByteArray::fromBase64(line.mid(2).toLatin1()) : line.mid(2).toUtf8() + '\n');
    }

    void tellDifference(const WalkBlock& block, const std::vector<RecordedPart>& now) {
        qsizetype i = 0;
        while (i < block.body.size() && i < walk_.known.size() && block.body[i] == walk_.known[i]) ++i;
        const QString path =
            QStringLiteral(PARTITA_BINARY_DIR "/screenshots/walks/%1-%2").arg(walk_.name).arg(walk_.next);
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path + ".txt");
        if (file.open(QIODevice::WriteOnly))
            for (const RecordedPart& part : now)
                file.write((QStringList{part.name + ": " + part.painted} + part.lines + part.operations)
                               .join("\n    ")
                               .toUtf8() +
                           '\n');
        fixture_->shown().window()->grab().save(path + ".png");
        fault_ = QStringLiteral("%1, step %2: %3\n%4\ninstead of:\n%5\nsee %6.txt")
                     .arg(walk_.name)
                     .arg(walk_.next)
                     .arg(block.head, block.body.mid(i, 5).join('\n'), walk_.known.mid(i, 5).join('\n'), path);
    }

    /// As each walk begins, and with what it asks for.
    static void prepare(WindowFixture& fixture, const std::vector<WalkBlock>& blocks) {
        QHash<QString, QString> wanted;
        for (const WalkBlock& block : blocks)
            if (block.head.startsWith("with ")) wanted[block.head.section(' ', 1, 1)] = block.head.section(' ', 2);
        if (wanted.contains("language")) {
            load_language(*qApp, wanted["language"]);
            fixture.startAgain();
        }
        Settings settings = fixture.window->settings();
        settings.canvas.animated = false;
        settings.run.threads = 1;
        if (wanted.contains("text")) settings.text_scale = wanted["text"].toDouble() / 100;
        if (wanted["theme"] == "dark") settings.theme = ThemeChoice::Dark;
        if (wanted.contains("palette")) settings.palette = PaletteChoice(wanted["palette"].toInt());
        fixture.window->applySettings(settings);
    }

    QStringList documentNow() {
        for (const RecordedPart& part : record_->take())
            if (part.name == "document")
                return part.lines.filter(QRegularExpression("^(module|backends|regions|partitioned)"));
        return {};
    }

    /// Whatever was done: all of it undone and done again comes to the same.
    void undoAndRedoAll() {
        Document& document = fixture_->shown().document();
        const int steps = document.undoStack().index();
        if (!document.isOpen() || steps == 0 || document.isRunning()) return;
        const QStringList before = documentNow();
        for (const int index : {0, steps}) {
            document.undoStack().setIndex(index);
            if (!fixture_->settle()) fault_ = "undone and done again it is not settled";
        }
        const QStringList after = documentNow();
        qInfo("%d steps undone and done again", steps);
        if (after != before)
            fault_ += QStringLiteral("undone and done again, %1 steps, it is another:\n%2\ninstead of:\n%3")
                          .arg(steps)
                          .arg(after.join('\n'), before.join('\n'));
    }

    /// Goes through a walk in a window and a folder of its own.
    void play(const QString& path) {
        WalkFolder folder;
        folder_ = folder.path();
        fault_.clear();
        QApplication::clipboard()->clear();
        const std::vector<WalkBlock> blocks = blocks_of(text_of(path));
        WindowFixture fixture;
        prepare(fixture, blocks);
        // Wherever the walk before left the pointer, nothing is under it here.
        QCursor::setPos(fixture.shown().mapToGlobal(fixture.shown().rect().bottomRight() - QPoint(2, 2)));
        if (!fixture.settle()) fault_ = "the window is not settled";
        fixture_ = &fixture;
        WalkRecord record(fixture, folder_);
        WalkSteps steps(fixture, folder_, record);
        record_ = &record;
        steps_ = &steps;
        walk_ = {.blocks = blocks, .shown = record.take(), .known = {}, .name = QFileInfo(path).baseName()};
        if (walk_.name == "start") walk_.shown.clear();
        QEventLoop loop;
        loop_ = &loop;
        QTimer::singleShot(0, this, &TestWindowWalks::goOn);
        loop.exec();
        if (qEnvironmentVariableIsSet("PARTITA_WALKS_FOLDER")) undoAndRedoAll();
        for (QWidget* widget : QApplication::topLevelWidgets())
            if (widget->isVisible() && widget != fixture.shown().window()) widget->close();
        load_language(*qApp, QStringLiteral("en"));
        QFile file(path);
        if (isUpdated() && (!file.open(QIODevice::WriteOnly) || file.write(text().toUtf8()) < 0))
            fault_ = "can't write " + path;
    }

    QString text() const {
        QString result;
        QChar before;
        for (const WalkBlock& block : walk_.blocks) {
            if (!result.isEmpty() && block.head[0] == '#' && before != '#') result += "\n";
            before = block.head[0];
            result += block.head + "\n" + (block.body.isEmpty() ? QString() : block.body.join('\n') + "\n");
        }
        return result;
    }

private slots:
    void initTestCase() {
        // Another version paints the same widgets with other operations.
        if (qVersion() != QByteArray(kQt)) QSKIP(qPrintable(QStringLiteral("recorded with Qt %1").arg(kQt)));
        // What a run keeps in memory is that of the oldest processors with AVX2, whatever this one has.
        qputenv("PARTITA_VECTOR_UNIT", "baseline");
        qputenv("DNNL_MAX_CPU_ISA", "AVX2");
        QApplication::setCursorFlashTime(0);
        for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo,
                                          Qt::UI_AnimateTooltip, Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox})
            QApplication::setEffectEnabled(effect, false);
    }

    void init() { QTest::failOnWarning(QRegularExpression("^QPainter")); }

    void showWhatTheyShowed_data() {
        QTest::addColumn<QString>("path");
        // "1/2": the second half of two; "chance": those by chance, which are no part of the halves; all without it.
        const QString wanted = qEnvironmentVariable("PARTITA_WALKS", "all");
        const QStringList part = wanted.split('/');
        const int parts = std::max(part.value(1).toInt(), 1);
        int number = 0;
        for (const QFileInfo& file : QDir(walks_folder()).entryInfoList({"*.txt"}, QDir::Files, QDir::Name)) {
            const bool by_chance = file.baseName().startsWith("chance-");
            const bool is_wanted =
                wanted == "all" ||
                (wanted == "chance" ? by_chance : !by_chance && number % parts == part.value(0).toInt());
            if (is_wanted) QTest::newRow(qPrintable(file.baseName())) << file.filePath();
            number += by_chance ? 0 : 1;
        }
    }
    /// On a busy machine a step may be told before it has come to its end: what differs does so each time.
    void showWhatTheyShowed() {
        QFETCH(QString, path);
        constexpr int kTimes = 5;
        for (int i = 0; i < kTimes && (i == 0 || !fault_.isEmpty()); ++i) {
            if (i > 0) qWarning("once more, because of: %s", qPrintable(fault_));
            play(path);
            if (isUpdated()) break;
        }
        QVERIFY2(fault_.isEmpty(), qPrintable(fault_));
    }
};

PARTITA_TEST(TestWindowWalks)

}  // namespace test_window_walks

#include "test_window_walks.moc"
