// Transcripts of the command line (tests/golden/cli): commands with their output. A transcript contains
//
//   # a comment
//   file NAME            a file with the indented lines that follow
//   $ partita-cli ...    run in a folder of its own with the samples and models; `< NAME` makes a file its standard
//                        input; `| digest` shows the number of lines and a hash of what it prints
//   $ cat NAME           the content of a file that a command wrote
//   $ digest NAME        the number of lines and a hash of a long file
//
// and, indented, the output of each: standard output, standard error, and an exit status other than 0.
// `PARTITA_UPDATE_GOLDEN=1 build/release/tests/test_cli_transcripts` updates them; read the changes.
#include <QtTest>

#include "tests/cli/cli_process.h"
#include "tests/digest.h"
#include "tests/registry.h"

namespace test_cli_transcripts {

namespace {

const QString kFolder = PARTITA_SOURCE_DIR "/tests/golden/cli/";

QString indented(const QByteArray& text) {
    QString result;
    QStringList lines = QString::fromUtf8(text).split('\n');
    if (!lines.isEmpty() && lines.last().isEmpty()) lines.removeLast();
    for (const QString& line : lines) result += line.isEmpty() ? "\n" : "  " + line + "\n";
    return result;
}

QString digest_of(const QByteArray& content) {
    const uint32_t hash = partita::fnv_digest({content.data(), size_t(content.size())});
    return QString("  %1 lines, %2\n").arg(content.count('\n')).arg(hash, 8, 16, QChar('0'));
}

/// Returns the output of a command as in a transcript.
QString answer(const QString& command, const QString& folder) {
    QStringList words = QProcess::splitCommand(command);
    QString program = words.isEmpty() ? QString() : words.takeFirst();
    if (program == "cat") return indented(content_of(folder + "/" + words.value(0)));
    if (program == "digest") return digest_of(content_of(folder + "/" + words.value(0)));
    if (program != "partita-cli") return "  no such command\n";
    const bool is_long = words.size() >= 2 && words.last() == "digest" && words[words.size() - 2] == "|";
    if (is_long) words.resize(words.size() - 2);
    QString input;
    if (words.size() >= 2 && words[words.size() - 2] == "<") {
        input = folder + "/" + words.takeLast();
        words.removeLast();
    }
    CliRun run = run_cli(words, folder, input);
    QString text = indented(run.output) + indented(run.errors);
    text.replace(folder + "/", "");
    if (is_long) text = digest_of(text.toUtf8());
    return run.status == 0 ? text : text + QString("  [exit %1]\n").arg(run.status);
}

/// An unindented line, and the indented lines after it.
struct Block {
    QString head;
    QStringList body;
};

std::vector<Block> blocks_of(const QString& transcript) {
    std::vector<Block> blocks;
    for (const QString& line : transcript.split('\n')) {
        if (line.startsWith("#") || line.startsWith("$ ") || line.startsWith("file ")) blocks.push_back({line, {}});
        else if (!blocks.empty()) blocks.back().body << line;
    }
    for (Block& block : blocks)
        while (!block.body.isEmpty() && block.body.last().isEmpty()) block.body.removeLast();
    return blocks;
}

/// Returns the transcript with the present output of its commands.
QString played(const QString& transcript, const QString& folder) {
    QString result;
    QChar before;
    for (const Block& block : blocks_of(transcript)) {
        QString body = block.body.join('\n') + "\n";
        if (block.head.startsWith("$ ")) body = answer(block.head.mid(2), folder);
        else if (block.head.startsWith("file "))
            write_content(folder + "/" + block.head.mid(5), body.replace("\n  ", "\n").mid(2).toUtf8());
        else body.clear();
        if (!result.isEmpty() && block.head[0] == '#' && before != '#') result += "\n";
        before = block.head[0];
        result += block.head + "\n" + (block.head.startsWith("file ") ? block.body.join('\n') + "\n" : body);
    }
    return result;
}

/// Returns the first lines that differ, for the message of a failure.
QString first_difference(const QString& now, const QString& known) {
    QStringList a = now.split('\n'), b = known.split('\n');
    qsizetype i = 0;
    while (i < a.size() && i < b.size() && a[i] == b[i]) ++i;
    return QString("line %1:\n%2\ninstead of:\n%3").arg(i + 1).arg(a.mid(i, 5).join('\n'), b.mid(i, 5).join('\n'));
}

}  // namespace

class TestCliTranscripts : public QObject {
    Q_OBJECT

private slots:
    void commandsPrintWhatTheTranscriptSays_data() {
        QTest::addColumn<QString>("path");
        for (const QFileInfo& file : QDir(kFolder).entryInfoList({"*.txt"}))
            QTest::newRow(qPrintable(file.baseName())) << file.filePath();
    }
    void commandsPrintWhatTheTranscriptSays() {
        QFETCH(QString, path);
        QTemporaryDir folder;
        for (const QFileInfo& file : QDir(PARTITA_SOURCE_DIR "/samples").entryInfoList({"*.relay"}))
            QVERIFY(QFile::copy(file.filePath(), folder.filePath(file.fileName())));
        for (const QFileInfo& file : QDir(PARTITA_BINARY_DIR "/models").entryInfoList({"*.relay"}))
            QVERIFY(QFile::copy(file.filePath(), folder.filePath(file.fileName())));
        for (const QFileInfo& file : QDir(PARTITA_SOURCE_DIR "/tests/golden/costs").entryInfoList({"*.json"}))
            QVERIFY(QFile::copy(file.filePath(), folder.filePath("costs-" + file.fileName())));
        QString known = QString::fromUtf8(content_of(path)), now = played(known, folder.path());
        if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) write_content(path, now.toUtf8());
        else QVERIFY2(now == known, qPrintable(first_difference(now, known)));
    }
};

PARTITA_TEST(TestCliTranscripts)

}  // namespace test_cli_transcripts

#include "test_cli_transcripts.moc"
