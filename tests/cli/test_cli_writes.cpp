// Everything that the command line writes: nothing of a person's is lost, whatever comes between. The options are taken
// from the manual page, so that a new one that writes must be added here.
#include <csignal>
#include <functional>

#include <QRegularExpression>
#include <QTest>
#include <QThread>

#include "tests/cli/cli_process.h"
#include "tests/engine/litert_writer.h"
#include "tests/registry.h"

namespace test_cli_writes {

namespace {

struct Output {
    const char* name;       ///< command and option
    const char* file;       ///< what is written
    QStringList arguments;  ///< MODEL and OUT stand for files
    bool is_folder = false;
};

/// Each option that names what is written. An option may stand here several times, for its forms.
const QList<Output>& outputs() {
    static const QList<Output> all{
        {"partition --output", "o.relay", {"partition", "MODEL", "--backends", "ccompiler", "-o", "OUT"}},
        {"pass --output", "o.relay", {"pass", "fold-constants", "MODEL", "-o", "OUT"}},
        {"render --output", "o.svg", {"render", "MODEL", "-o", "OUT"}},
        {"report --output", "o.html", {"report", "MODEL", "--repeat", "1", "-o", "OUT"}},
        {"report --output", "o.md", {"report", "MODEL", "--no-run", "-o", "OUT"}},
        {"export --output", "o.onnx", {"export", "MODEL", "-o", "OUT"}},
        {"export --output", "o.json", {"export", "MODEL", "--backends", "ccompiler", "-o", "OUT"}},
        {"export --output", "o-c", {"export", "MODEL", "--form", "c", "-o", "OUT"}, true},
        {"export --split", "o-split", {"export", "MODEL", "--backends", "ccompiler", "--split", "OUT"}, true},
        {"run --trace", "t.json", {"run", "MODEL", "--repeat", "1", "--trace", "OUT"}},
        {"run --memory", "m.json", {"run", "MODEL", "--repeat", "1", "--memory", "OUT"}},
        {"run --save-run", "r.json", {"run", "MODEL", "--repeat", "1", "--save-run", "OUT"}},
        {"run --output-dir", "o-run", {"run", "MODEL", "--repeat", "1", "--output-dir", "OUT"}, true},
        {"place --output",
         "p.json",
         {"place", "MODEL", "--backends", "ccompiler", "--measure-seconds", "0", "--costs", "c0.json", "-o", "OUT"}},
        {"place --costs",
         "c.json",
         {"place", "MODEL", "--backends", "ccompiler", "--measure-seconds", "0.2", "--costs", "OUT"}},
        {"coverage --write-baseline",
         "b.json",
         {"coverage", "MODEL", "--backends", "ccompiler", "--write-baseline", "OUT"}},
        {"coverage --junit", "j.xml", {"coverage", "MODEL", "--backends", "ccompiler", "--junit", "OUT"}},
        {"divide --tags", "t.json", {"divide", "MODEL", "--backends", "ccompiler", "--tags", "OUT"}},
        {"divide --tags", "t.py", {"divide", "MODEL", "--backends", "ccompiler", "--tags", "OUT"}},
        {"divide --output",
         "o.tflite",
         {"divide", "MODEL.tflite", "--partitioner", "litert-plugin", "--verdicts", "v.json", "-o", "OUT"}},
        {"rules convert -o", "x.json", {"rules", "convert", "MODEL.py", "--allow-commands", "-o", "OUT"}},
        {"rules diff --keep-tests",
         "k.json",
         {"rules", "diff", "ccompiler", "ccompiler", "MODEL", "--keep-tests", "OUT"}},
        {"rules from -o", "f.json", {"rules", "from", "MODEL", "--verdicts", "v0.json", "-o", "OUT"}},
        {"rules export -o", "x.py", {"rules", "export", "dnnl", "-o", "OUT"}}};
    return all;
}

/// Options with values that name nothing that is written.
const QStringList& others() {
    static const QStringList all{
        "--compiler", "--dim",         "--float16",     "--backends",      "--override",      "--placement",
        "--require",  "--until",       "--style",       "--node",          "--module-name",   "--best",
        "--by",       "--backend",     "--backends-a",  "--backends-b",    "--numbers",       "--input",
        "--seed",     "--threads",     "--warmup",      "--repeat",        "--cache-dir",     "--time-limit",
        "--decode",   "--tolerance",   "--compare-run", "--model",         "--max-ratio",     "--measure-seconds",
        "--check",    "--pareto",      "--group",       "--paper",         "--form",          "--format",
        "--language", "--modules",     "--partitioner", "--partitioner-a", "--partitioner-b", "--option",
        "--verdicts", "--placement-a", "--placement-b", "--from",          "--wanted",        "--from-a",
        "--from-b",   "--steer",       "--min",         "--min-work",      "--at-least",      "--most-regions",
        "--forbid",   "--baseline",    "--completion",  "--lessons"};
    return all;
}

/// Returns "COMMAND --option" for each option with a value, from the manual page.
QStringList options_with_values() {
    QStringList found;
    QString command;
    QString page = QString::fromUtf8(run_cli({"--manual"}).output).replace("\\-", "-").replace("\\e", "\\");
    static const QRegularExpression option(R"(^\\fB(?:.*, )?(-[^ ,\\]+)\\fR \\fI)");
    static const QRegularExpression inner(R"(^\\fB([a-z]+ [a-z]+)\\fR: )");
    for (const QString& line : page.split('\n')) {
        if (line.startsWith(".SS ")) command = line.mid(4);
        if (const auto match = inner.match(line); match.hasMatch()) command = match.captured(1);
        if (const auto match = option.match(line); match.hasMatch()) found << command + ' ' + match.captured(1);
    }
    return found;
}

}  // namespace

class TestCliWrites : public QObject {
    Q_OBJECT

    /// A folder with a model and rules, in which commands run.
    struct Place {
        QTemporaryDir folder;

        Place() {
            QFile::copy(sample("one-divide.relay"), path("model.relay"));
            write_content(path("rules.py"),
                          content_of(QStringLiteral(PARTITA_SOURCE_DIR "/samples/annotator/tile_npu.py")));
            partita::litert_testing::Model model;
            const int x = model.tensor("x", partita::litert_testing::Float32, {2}),
                      y = model.tensor("y", partita::litert_testing::Float32, {2});
            model.op(101, {x}, {y});
            write_content(path("model.tflite"), QByteArray::fromStdString(model.file({x}, {y})));
            write_content(path("v.json"), "{\"backend\": \"npu\", \"taken\": [\"y\"]}");
            write_content(path("v0.json"), "{\"backend\": \"npu\", \"taken\": []}");
            write_content(path("c0.json"), "");
            QFile::remove(path("c0.json"));
        }
        QString path(const QString& name) const { return folder.filePath(name); }
        /// With the model replaced by another, if it is named.
        QStringList arguments(const Output& output, const QString& out, const QString& model = {}) const {
            QStringList all = output.arguments;
            for (QString& each : all) {
                if (each == "MODEL") each = model.isEmpty() ? "model.relay" : model;
                else if (each == "MODEL.py") each = model.isEmpty() ? "rules.py" : model + ".py";
                else if (each == "MODEL.tflite") each = model.isEmpty() ? "model.tflite" : model + ".tflite";
                else if (each == "OUT") each = out;
            }
            return all;
        }
        CliRun run(const QStringList& arguments) const { return run_cli(arguments, folder.path()); }
        /// What unfinished writing would leave.
        QStringList rests() const {
            QStringList rests;
            for (const QString& inside :
                 {QStringLiteral("."), QStringLiteral("o-c"), QStringLiteral("o-split"), QStringLiteral("o-run")})
                for (const QString& name :
                     QDir(path(inside)).entryList({".partita-*"}, QDir::Files | QDir::Hidden | QDir::Dirs))
                    if (QRegularExpression("^\\.partita-[A-Za-z0-9]{6}$").match(name).hasMatch() &&
                        name != ".partita-export")
                        rests << inside + "/" + name;
            return rests;
        }
    };

    static void add_rows(const std::function<bool(const Output&)>& wanted = [](const Output&) { return true; }) {
        QTest::addColumn<int>("number");
        for (int i = 0; i < outputs().size(); ++i)
            if (wanted(outputs()[i])) QTest::addRow("%s %s", outputs()[i].name, outputs()[i].file) << i;
    }

    /// One that has ended has no number; 0 would be this program and all that were started with it.
    static bool signalled(const QProcess& process, int signal) {
        const auto number = pid_t(process.processId());
        return number > 0 && ::kill(number, signal) == 0;
    }

    static bool reads_a_file(const Output& output) {
        return output.arguments.contains("MODEL") || output.arguments.contains("MODEL.py") ||
               output.arguments.contains("MODEL.tflite");
    }

private slots:
    void eachOptionWithAValueIsKnownToWriteOrNot() {
        QSet<QString> writing;
        for (const Output& output : outputs()) writing << output.name;
        QSet<QString> seen;
        const QStringList options = options_with_values();
        QVERIFY(options.size() > 60);
        for (const QString& option : options) {
            if (writing.contains(option)) seen << option;
            else if (option == "bisect --output-dir") continue;  // writes only what is found: aCulpritIsWrittenWhole
            else QVERIFY2(others().contains(option.mid(option.lastIndexOf(' ') + 1)), qPrintable(option));
        }
        QCOMPARE(seen, writing);
    }

    /// A library that is not there is a compiler that refuses.
    void aCulpritIsWrittenWhole() {
        const Place place;
        write_content(place.path("mine.json"),
                      "{\"name\": \"mine\", \"ops\": {\"divide\": true, \"add\": true}, "
                      "\"codegen\": \"plugin:./missing.so\"}");
        const auto bisect = [&](const QString& folder) {
            return place.run(
                {"bisect", "model.relay", "--backends", "mine.json", "--allow-commands", "--output-dir", folder});
        };
        const CliRun missing = bisect("no/such");
        QVERIFY(missing.status != 0 && !missing.output.contains("refused in"));
        const CliRun found = bisect("out");
        QCOMPARE(found.status, 1);
        QVERIFY2(found.output.contains("refused in mine"), found.output.constData());
        QVERIFY(content_of(place.path("out/region.relay")).contains("Compiler=\"mine\""));
        const QStringList before = QDir(place.path("out")).entryList(QDir::Files | QDir::Hidden);
        QCOMPARE(bisect("out").status, 1);
        QCOMPARE(QDir(place.path("out")).entryList(QDir::Files | QDir::Hidden), before);
        QVERIFY(QDir().mkdir(place.path("mine")));
        write_content(place.path("mine/region.relay"), "my own");
        QVERIFY(bisect("mine").status != 0);
        QCOMPARE(content_of(place.path("mine/region.relay")), QByteArray("my own"));
    }

    void aMissingFolderIsRefusedBeforeAnyWork_data() { add_rows(); }
    void aMissingFolderIsRefusedBeforeAnyWork() {
        QFETCH(int, number);
        const Output& output = outputs()[number];
        const Place place;
        // The model is not there either: what is told first was looked at first.
        const CliRun run = place.run(place.arguments(output, "no/such/folder/out", "missing"));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("there is no folder no/such/folder"), run.errors.constData());
        QVERIFY(!QFile::exists(place.path("no")));
    }

    void whatWasThereStaysIfTheCommandFails_data() { add_rows(reads_a_file); }
    void whatWasThereStaysIfTheCommandFails() {
        QFETCH(int, number);
        const Output& output = outputs()[number];
        const Place place;
        QCOMPARE(place.run(place.arguments(output, output.file)).status, 0);
        const QString written = output.is_folder ? QDir(place.path(output.file)).entryList(QDir::Files).value(0) : "";
        const QString file = place.path(output.file) + (output.is_folder ? "/" + written : "");
        const QByteArray before = content_of(file);
        QVERIFY(!before.isEmpty());
        write_content(place.path("bad"), "#[version = \"0.0.5\"]\ndef @main(");
        write_content(place.path("bad.py"), "def f(:\n");
        // Where 1 means that two versions differ, a model that can't be read is 2.
        QCOMPARE(place.run(place.arguments(output, output.file, "bad")).status,
                 qstrcmp(output.name, "rules diff --keep-tests") == 0 ? 2 : 1);
        QCOMPARE(content_of(file), before);
        QCOMPARE(place.rests(), QStringList());
        // And it is replaced by what succeeds.
        QCOMPARE(place.run(place.arguments(output, output.file)).status, 0);
    }

    void aFolderIsNoPlaceForAFileAndAFileNoneForAFolder_data() { add_rows(); }
    void aFolderIsNoPlaceForAFileAndAFileNoneForAFolder() {
        QFETCH(int, number);
        const Output& output = outputs()[number];
        const Place place;
        const QString name = "there" + QString(output.file);
        if (output.is_folder) write_content(place.path(name), "mine");
        else QVERIFY(QDir(place.folder.path()).mkdir(name));
        const CliRun run = place.run(place.arguments(output, name, "missing"));
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("can't write") && run.errors.contains("folder"), run.errors.constData());
    }

    void anInputIsNotWrittenOver_data() {
        add_rows([](const Output& output) { return !output.is_folder && output.arguments.contains("MODEL"); });
    }
    void anInputIsNotWrittenOver() {
        QFETCH(int, number);
        const Output& output = outputs()[number];
        const Place place;
        const QString model = QString("both") + QFileInfo(output.file).suffix().prepend('.');
        QFile::copy(place.path("model.relay"), place.path(model));
        const QByteArray before = content_of(place.path(model));
        for (const QString& same : {model, "./" + model, place.path(model)}) {
            const CliRun run = place.run(place.arguments(output, same, model));
            QCOMPARE(run.status, 1);
            const QByteArray named = qstrcmp(output.name, "rules diff --keep-tests") == 0 ? "MODELS" : "FILE";
            QVERIFY2(run.errors.contains("it is named as " + named + ", too"), run.errors.constData());
            QCOMPARE(content_of(place.path(model)), before);
        }
    }

    void aFolderWithFilesOfOthersIsRefused_data() {
        add_rows([](const Output& output) { return output.is_folder; });
    }
    void aFolderWithFilesOfOthersIsRefused() {
        QFETCH(int, number);
        const Output& output = outputs()[number];
        const Place place;
        QVERIFY(QDir(place.folder.path()).mkdir("mine"));
        // Of a run's outputs only those of their names are in the way.
        const QStringList mine{"mine/output_7.npy", "mine/README.md", "mine/main.c", "mine/manifest.json"};
        for (const QString& name : mine) write_content(place.path(name), "mine");
        const CliRun refused = place.run(place.arguments(output, "mine", "missing"));
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.errors.contains("it holds other files") && refused.errors.contains("--force"),
                 refused.errors.constData());
        for (const QString& name : mine) QCOMPARE(content_of(place.path(name)), QByteArray("mine"));
        QCOMPARE(place.run(place.arguments(output, "mine") + QStringList{"--force"}).status, 0);
        QCOMPARE(content_of(place.path("mine/output_7.npy")), QByteArray("mine"));
    }

    void aFileThatAPersonChangedIsNotWrittenOver_data() {
        add_rows([](const Output& output) { return output.is_folder; });
    }
    void aFileThatAPersonChangedIsNotWrittenOver() {
        QFETCH(int, number);
        const Output& output = outputs()[number];
        const Place place;
        const QStringList arguments = place.arguments(output, output.file);
        QCOMPARE(place.run(arguments).status, 0);
        QCOMPARE(place.run(arguments).status, 0);
        const QString file =
            place.path(output.file) + "/" + QDir(place.path(output.file)).entryList(QDir::Files).value(0);
        write_content(file, content_of(file) + "\n");
        const QByteArray changed = content_of(file);
        const CliRun refused = place.run(arguments);
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.errors.contains("was changed since it was written"), refused.errors.constData());
        QCOMPARE(content_of(file), changed);
        QCOMPARE(place.run(arguments + QStringList{"--force"}).status, 0);
        QVERIFY(content_of(file) != changed);
        // What is gone may be written again.
        QVERIFY(QFile::remove(file));
        QCOMPARE(place.run(arguments).status, 0);
        QVERIFY(QFile::exists(file));
    }

    void anotherExportReplacesTheWholeFolder() {
        const Place place;
        QCOMPARE(place.run({"export", "model.relay", "--backends", "ccompiler", "--split", "s"}).status, 0);
        const QStringList before = QDir(place.path("s")).entryList(QDir::Files);
        QVERIFY(before.filter("ccompiler").size() >= 1);
        QCOMPARE(place.run({"export", sample("diamond.relay"), "--split", "s"}).status, 0);
        QVERIFY(QDir(place.path("s")).entryList(QDir::Files).filter("ccompiler").isEmpty());
    }

    void picturesBesideAReportAreItsOwnOrNobodys() {
        const Place place;
        write_content(place.path("r.graph.svg"), "mine");
        const QStringList arguments{"report", "model.relay", "--no-run", "-o", "r.md"};
        const CliRun refused = place.run(arguments);
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.errors.contains("r.graph.svg beside it is another file"), refused.errors.constData());
        QCOMPARE(content_of(place.path("r.graph.svg")), QByteArray("mine"));
        QVERIFY(!QFile::exists(place.path("r.md")));
        QVERIFY(QFile::remove(place.path("r.graph.svg")));
        QCOMPARE(place.run(arguments).status, 0);
        QCOMPARE(place.run(arguments).status, 0);
    }

    void twoOutputsAreNotTheSameFile() {
        const Place place;
        const CliRun run = place.run({"run", "missing", "--trace", "a.json", "--memory", "./a.json"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("it is named as"), run.errors.constData());
    }

    void aSignalLeavesTheOldOrTheNewAndNoRest_data() { add_rows(); }
    void aSignalLeavesTheOldOrTheNewAndNoRest() {
        QFETCH(int, number);
        const Output& output = outputs()[number];
        const Place place;
        const QString model = QStringLiteral(PARTITA_BINARY_DIR "/models/squeezenet.relay");
        QStringList arguments = place.arguments(output, output.file, QFile::exists(model) ? model : "random:3000");
        if (!output.arguments.contains("MODEL")) arguments = place.arguments(output, output.file);
        const auto list = [&] {
            QStringList names = QDir(place.path(output.file)).entryList(QDir::Files);
            return output.is_folder ? names : QStringList();
        };
        QCOMPARE(place.run(place.arguments(output, output.file)).status, 0);
        const QByteArray old = content_of(place.path(output.file));
        const QStringList old_list = list();
        int wait = 2;
        for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGTERM, SIGINT, SIGHUP}) {
            QProcess process;
            process.setWorkingDirectory(place.folder.path());
            process.start(PARTITA_CLI, arguments);
            QVERIFY(process.waitForStarted());
            QThread::msleep(ulong(wait *= 3));
            if (!signalled(process, signal)) break;  // it was done before
            QVERIFY(process.waitForFinished(60000));
            QCOMPARE(place.rests(), QStringList());
            const QByteArray now = content_of(place.path(output.file));
            if (process.exitStatus() == QProcess::NormalExit) break;  // it was done before
            if (!output.is_folder && now != old) QVERIFY(now.size() > 10);
            if (output.is_folder && list() != old_list) QVERIFY(list().size() > 1);
        }
    }

    void aSignalTakesAwayWhatIsHalfWritten() {
        const QString model = QStringLiteral(PARTITA_BINARY_DIR "/models/resnet18.relay");
        if (!QFile::exists(model)) QSKIP("the models are not there");
        for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
            const Place place;
            QProcess process;
            process.setWorkingDirectory(place.folder.path());
            // Until it writes: a fast machine may be done before anybody looks.
            bool seen = false;
            for (int attempt = 0; attempt < 100 && !seen; ++attempt) {
                process.start(PARTITA_CLI, {"export", model, "--split", "o-split"});
                while (process.state() != QProcess::NotRunning && !seen) {
                    seen = !place.rests().isEmpty();
                    if (!seen) process.waitForFinished(0);
                }
            }
            if (seen && process.state() != QProcess::NotRunning) QVERIFY(signalled(process, signal));
            QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(60000));
            QVERIFY(seen);
            QCOMPARE(place.rests(), QStringList());
            if (process.exitStatus() == QProcess::CrashExit) QCOMPARE(process.exitCode(), signal);
        }
    }

    void placingThatIsStoppedKeepsWhatItMeasured() {
        const Place place;
        QProcess process;
        process.setWorkingDirectory(place.folder.path());
        process.start(PARTITA_CLI, {"place", "model.relay", "--backends", "ccompiler,dnnl", "--measure-seconds", "60",
                                    "--repeat", "2000", "--costs", "costs.json"});
        QVERIFY(process.waitForStarted());
        // Progress is told before something is measured: with the second word of it, the first is done.
        QByteArray told;
        while (told.count('\n') < 3 && process.state() != QProcess::NotRunning) {
            process.waitForReadyRead(1000);
            told += process.readAllStandardError();
        }
        QVERIFY2(signalled(process, SIGINT), told.constData());
        QVERIFY(process.waitForFinished(60000));
        const QJsonObject costs = QJsonDocument::fromJson(content_of(place.path("costs.json"))).object();
        QVERIFY2(!costs.isEmpty(), told.constData());
        QCOMPARE(place.rests(), QStringList());
    }
};

PARTITA_TEST(TestCliWrites)

}  // namespace test_cli_writes

#include "test_cli_writes.moc"
