// Runs every fuzz target on its corpus, which contains inputs that once caused failures, and on random mutations of it
// for a short time. PARTITA_FUZZ_SECONDS sets the time for each target (default 1), PARTITA_FUZZ_SEED the seed,
// PARTITA_FUZZ_CORPUS a further corpus, such as tests/fuzz/run leaves.
//
// Prints an input that crashes in hexadecimal before the program ends.
#include <csignal>
#include <random>

#include <QDir>
#include <QElapsedTimer>
#include <QTest>

#include <unistd.h>

#include "tests/fuzz/targets.h"
#include "tests/registry.h"

namespace test_fuzz_replay {

using namespace partita;

namespace {

std::string current;  ///< the current input, for the report of a crash

void report_crash(int signal) {
    static const char digits[] = "0123456789abcdef";
    static const char head[] = "\nthe input that crashed, in hexadecimal:\n";
    (void)!::write(STDERR_FILENO, head, sizeof head - 1);
    for (unsigned char byte : current) {
        const char pair[] = {digits[byte >> 4], digits[byte & 15]};
        (void)!::write(STDERR_FILENO, pair, 2);
    }
    (void)!::write(STDERR_FILENO, "\n", 1);
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

std::vector<std::string> corpus_of(const QString& target) {
    std::vector<std::string> inputs{""};
    QStringList folders{PARTITA_SOURCE_DIR "/tests/fuzz/corpus/" + target};
    if (qEnvironmentVariableIsSet("PARTITA_FUZZ_CORPUS"))
        folders << qEnvironmentVariable("PARTITA_FUZZ_CORPUS") + "/" + target;
    for (const QDir folder : folders)
        for (const QString& name : folder.entryList(QDir::Files)) {
            QFile file(folder.filePath(name));
            if (file.open(QIODevice::ReadOnly)) inputs.push_back(file.readAll().toStdString());
        }
    return inputs;
}

/// Returns an input with one to eight changes: bytes, ranges deleted, repeated or moved, parts of other inputs.
std::string mutated(const std::vector<std::string>& corpus, std::mt19937_64& random) {
    constexpr size_t kLongest = 4096;
    std::string input = corpus[random() % corpus.size()];
    for (uint64_t change = 0, count = 1 + random() % 8; change < count; ++change) {
        size_t at = input.empty() ? 0 : random() % input.size(),
               length = std::min<size_t>(1 + random() % 16, input.size() - at);
        const std::string& other = corpus[random() % corpus.size()];
        switch (random() % 6) {
            case 0:
                if (!input.empty()) input[at] = char(random());
                break;
            case 1: input.erase(at, length); break;
            case 2: input.insert(at, input.substr(at, length)); break;
            case 3: input.insert(at, 1, char(random())); break;
            case 4:
                if (!input.empty()) input[at] = char(input[at] + (random() % 2 ? 1 : -1));
                break;
            default:
                if (!other.empty()) input.insert(at, other.substr(random() % other.size(), 1 + random() % 64));
        }
    }
    if (input.size() > kLongest) input.resize(kLongest);
    return input;
}

}  // namespace

class TestFuzzReplay : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        for (int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGBUS, SIGILL}) std::signal(signal, report_crash);
    }

    void inputsBreakNothing_data() {
        QTest::addColumn<QString>("name");
        for (const fuzz::Target& target : fuzz::targets()) QTest::newRow(target.name) << target.name;
    }
    void inputsBreakNothing() {
        QFETCH(QString, name);
        const fuzz::Target* target = fuzz::find_target(name.toStdString());
        std::vector<std::string> corpus = corpus_of(name);
        QVERIFY2(corpus.size() > 1, "the corpus is there");
        constexpr qint64 kLongestMs = 10000;
        QElapsedTimer timer;
        auto run = [&](std::string input) {
            current = std::move(input);
            timer.start();
            target->run(current);
            return timer.elapsed() <= kLongestMs;
        };
        for (const std::string& input : corpus) QVERIFY2(run(input), "an input took too long");
        qInfo("%s: %zu inputs", qPrintable(name), corpus.size());

        std::mt19937_64 random(uint64_t(qEnvironmentVariableIntValue("PARTITA_FUZZ_SEED")) + 1);
        double seconds = qEnvironmentVariable("PARTITA_FUZZ_SECONDS", "1").toDouble();
        QElapsedTimer total;
        total.start();
        int count = 0;
        for (; total.elapsed() < qint64(seconds * 1000); ++count)
            if (!run(mutated(corpus, random)))
                QFAIL(qPrintable("an input took too long: " + QByteArray::fromStdString(current).toHex()));
        qInfo("%s: %d mutations", qPrintable(name), count);
    }
};

PARTITA_TEST(TestFuzzReplay)

}  // namespace test_fuzz_replay

#include "test_fuzz_replay.moc"
