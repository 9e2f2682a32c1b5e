// Hostile names in every input do no harm: outputs are well-formed, contain no control characters that a terminal or an
// editor would interpret, and no program runs.
//
// Names reach the program in Relay text (variables, functions, attributes, constants' labels), ONNX, descriptions of
// backends, and file names.
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QXmlStreamReader>

#include "tests/cli/cli_process.h"
#include "tests/hostile_module.h"
#include "tests/registry.h"

namespace test_cli_injection {

namespace {

/// Returns texts, each of which would do harm in some form if it were not escaped.
const QList<QByteArray>& hostile_texts() {
    static const QList<QByteArray> texts{"*/ system(\"touch PWNED\"); /*",
                                         "`touch PWNED`",
                                         "$(touch PWNED)",
                                         "%s%n%x%s",
                                         "../../PWNED",
                                         "<script>alert(1)</script>",
                                         "'\"><img src=x onerror=alert(1)>",
                                         "\\N\\G\\E\\l\\r\\n",
                                         "\"]; PWNED [label=\"",
                                         "\x1b]0;PWNED\x07\x1b[31mred\x1b[2J",
                                         "a\nb\rc",
                                         "\xe2\x80\xaegnp.exe\xe2\x81\xa6",
                                         "]]><!--",
                                         "|{a|b}|<x>",
                                         "#include \"/etc/passwd\"",
                                         "?"
                                         "?/\\\n",
                                         "[click](javascript:alert(1)) | x |",
                                         "\xff\xfe\x80",
                                         "; rm -rf ~ #",
                                         "\\u202e \\x1b"};
    return texts;
}

/// Returns a Relay string literal of bytes.
QByteArray quoted(const QByteArray& text) {
    QByteArray result = "\"";
    for (char letter : text) {
        auto byte = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') result += QByteArray("\\") + letter;
        else if (letter == '\n') result += "\\n";
        else if (letter == '\r') result += "\\r";
        else if (byte < 0x20) result += "\\x" + QByteArray::number(byte, 16).rightJustified(2, '0');
        else result += letter;
    }
    return result + "\"";
}

QByteArray module_with(const QByteArray& text) { return partita::testing::module_naming(quoted(text)); }

bool has_control(const QByteArray& text) {
    for (char letter : text) {
        auto byte = static_cast<unsigned char>(letter);
        if ((byte < 0x20 && letter != '\n' && letter != '\t') || byte == 0x7f) return true;
    }
    static const QRegularExpression marks("[\\x{202a}-\\x{202e}\\x{2066}-\\x{2069}\\x{200e}\\x{200f}\\x{061c}]");
    return QString::fromUtf8(text).contains(marks);
}

QByteArray run_in(const QString& folder, const QString& program, const QStringList& arguments,
                  const QByteArray& input = {}) {
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(300000)) return "it did not end";
    return process.exitCode() == 0 ? QByteArray() : process.readAll() + " failed";
}

}  // namespace

class TestCliInjection : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

    /// Returns whether no command in a name was executed: there is no file PWNED.
    bool clean() const {
        return QDir(folder_.path()).entryList({"*PWNED*"}).isEmpty() && !QFile::exists(folder_.path() + "/../PWNED") &&
               !QFile::exists("PWNED");
    }

private slots:
    void hostileTextsDoNoHarm_data() {
        QTest::addColumn<QByteArray>("text");
        for (int i = 0; i < hostile_texts().size(); ++i) QTest::addRow("%d", i) << hostile_texts()[i];
    }
    void hostileTextsDoNoHarm() {
        QFETCH(QByteArray, text);
        write_content(path("module.relay"), module_with(text));
        CliRun info = run_cli({"info", path("module.relay")}, folder_.path());
        QVERIFY2(info.status == 0 || info.status == 1, info.errors.constData());
        QVERIFY(!has_control(info.errors));
        if (info.status != 0) return;  // invalid UTF-8, for example: refused with a clean message

        for (const QStringList& command : {QStringList{"info"},
                                           {"partition", "--annotated"},
                                           {"explain", "--backends", "dnnl"},
                                           {"coverage", "--backends", "ccompiler"},
                                           {"run", "--repeat", "1"}}) {
            CliRun run = run_cli(QStringList{command[0], path("module.relay")} + command.mid(1), folder_.path());
            QVERIFY2(run.status >= 0, qPrintable(command[0]));
            QVERIFY2(!has_control(run.output), run.output.constData());
            QVERIFY2(!has_control(run.errors), run.errors.constData());
        }
        for (const char* form : {"svg", "report", "dot", "json", "relay", "markdown"}) {
            QString out = path(QString("out.") + form);
            CliRun run = run_cli({"export", path("module.relay"), "--form", form, "-o", out}, folder_.path());
            QVERIFY2(run.status == 0, run.errors.constData());
        }
        QXmlStreamReader svg(content_of(path("out.svg")));
        while (!svg.atEnd()) {
            svg.readNext();
            QVERIFY2(svg.name() != QLatin1String("script") && svg.name() != QLatin1String("img"),
                     "no element comes from a name");
        }
        QVERIFY2(!svg.hasError(), qPrintable(svg.errorString()));
        for (const char* page : {"out.svg", "out.report", "out.markdown", "out.dot", "out.json"}) {
            QByteArray content = content_of(path(page));
            QVERIFY2(!has_control(content), page);
            if (!strcmp(page, "out.dot") || !strcmp(page, "out.json"))
                continue;  // not HTML: Graphviz escapes labels itself
            QVERIFY2(!content.contains("<script") && !content.contains("<img src=x") && !content.contains("<!--"),
                     page);
        }
        if (!QStandardPaths::findExecutable("dot").isEmpty())
            QCOMPARE(run_in(folder_.path(), "dot", {"-Tdot", "-o", "/dev/null"}, content_of(path("out.dot"))),
                     QByteArray());
        QVERIFY(!QJsonDocument::fromJson(content_of(path("out.json"))).isNull());
        // The written file reads back as the same module.
        QCOMPARE(run_cli({"info", path("out.relay")}).status, 0);
        QVERIFY(clean());
    }

    void hostileTextsInCBundlesDoNoHarm() {
        for (const QByteArray& text : hostile_texts()) {
            write_content(path("module.relay"), module_with(text));
            QDir(path("bundle")).removeRecursively();
            CliRun run = run_cli({"export", path("module.relay"), "--form", "c", "-o", path("bundle")}, folder_.path());
            if (run.status != 0) {
                QVERIFY2(!has_control(run.errors), run.errors.constData());
                continue;
            }
            QVERIFY(!has_control(content_of(path("bundle/README.md"))));
            QCOMPARE(run_in(path("bundle"), "sh",
                            {"-c", "cc -std=c11 -Wall -Wextra -Werror -O0 *.c -lm -o model_run && ./model_run"}),
                     QByteArray());
            QVERIFY(clean());
        }
    }

    void hostileDescriptionsDoNoHarm() {
        for (const QByteArray& text : hostile_texts()) {
            QJsonObject description{
                {"name", QString::fromUtf8(text)},
                {"ops", QJsonObject{{"add", true}, {QString::fromUtf8(text), QString::fromUtf8(text)}}},
                {"codegen", QString::fromUtf8(text)}};
            write_content(path("hostile.json"), QJsonDocument(description).toJson());
            for (const char* command : {"explain", "partition", "run"}) {
                CliRun run =
                    run_cli({command, sample("diamond.relay"), "--backends", path("hostile.json")}, folder_.path());
                QVERIFY2(run.status >= 0, command);
                QVERIFY2(!has_control(run.errors), run.errors.constData());
                QVERIFY2(!has_control(run.output), run.output.constData());
            }
            QVERIFY(clean());
        }
    }

    /// Names of nodes, providers and reasons in what another program said.
    void hostileReportsDoNoHarm() {
        for (const QByteArray& text : hostile_texts()) {
            const QString name = QString::fromUtf8(text);
            const auto node = [&](const char* of, const char* in, const char* out) {
                return QJsonObject{
                    {"name", of + name}, {"op", name}, {"inputs", QJsonArray{in}}, {"outputs", QJsonArray{out}}};
            };
            const QJsonObject graph{{"format", "partita-graph"},
                                    {"version", 1},
                                    {"inputs", QJsonArray{"x"}},
                                    {"outputs", QJsonArray{"z"}},
                                    {"nodes", QJsonArray{node("a", "x", "y"), node("b", "y", "z")}}};
            write_content(path("graph.json"), QJsonDocument(graph).toJson());
            const auto part = [&](const QString& provider, const char* of) {
                return QJsonObject{{"ep", provider},
                                   {"nodes", QJsonArray{QJsonObject{{"name", of + name}, {"op_type", name}}}}};
            };
            const QJsonObject dump{
                {"ep_subgraphs", QJsonArray{part(name, "a"), part("CPUExecutionProvider", "b"), part(name, "lost")}}};
            write_content(path("dump.json"), QJsonDocument(dump).toJson());
            write_content(path("said.log"), "x [W:onnxruntime:, a.cc:1 f] " + QByteArray(text).replace('\n', ' ') +
                                                "\nx Force fallback to CPU execution for node: a" + text + " because " +
                                                text + "\n");
            const QStringList from{"--from", path("dump.json"), "--from", path("said.log")};
            for (const char* command : {"info", "coverage", "explain", "divide"}) {
                const CliRun run = run_cli(QStringList{command, path("graph.json")} + from, folder_.path());
                QVERIFY2(run.status >= 0, command);
                QVERIFY2(!has_control(run.output), run.output.constData());
                QVERIFY2(!has_control(run.errors), run.errors.constData());
            }
            for (const char* form : {"report", "page", "dot", "svg"}) {
                const QString out = path(QString("told.") + form);
                QFile::remove(out);
                const CliRun run = run_cli(QStringList{"export", path("graph.json"), "--form", form, "-o", out} + from,
                                           folder_.path());
                if (run.status != 0) continue;
                const QByteArray content = content_of(out);
                QVERIFY2(!has_control(content), form);
                if (strcmp(form, "dot") != 0)
                    QVERIFY2(!content.contains("<script>alert") && !content.contains("<img src=x"), form);
            }
            QVERIFY(clean());
        }
    }

    void hostileFileNamesDoNoHarm() {
        for (const QByteArray& text : hostile_texts()) {
            QByteArray name = QByteArray(text).replace('/', '_') + ".relay";
            const QString file = path(QString::fromUtf8(name));
            if (!QFile::copy(sample("diamond.relay"), file) && !QFile::exists(file)) continue;
            for (const QStringList& command :
                 {QStringList{"info"}, {"partition", "--backends", "ccompiler"}, {"run", "--repeat", "1"}}) {
                CliRun run = run_cli(QStringList{command[0], file} + command.mid(1), folder_.path());
                QVERIFY2(run.status == 0, run.errors.constData());
                QVERIFY2(!has_control(run.errors), run.errors.constData());
            }
            CliRun report = run_cli({"export", file, "--form", "report", "-o", path("page.html")});
            QCOMPARE(report.status, 0);
            QVERIFY(!content_of(path("page.html")).contains("<script"));
            QVERIFY(!content_of(path("page.html")).contains("<img src=x"));
            QFile::remove(file);
            QVERIFY(clean());
        }
    }

    /// Compiler flags and commands come from the user's environment, never from an opened file.
    void openingAndPartitioningRunNoProgram() {
        write_content(path("trap.sh"), "#!/bin/sh\ntouch PWNED\n");
        QFile::setPermissions(path("trap.sh"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QJsonObject description{
            {"name", "trap"}, {"ops", QJsonObject{{"add", true}}}, {"codegen", "command:" + path("trap.sh")}};
        write_content(path("trap.json"), QJsonDocument(description).toJson());
        for (const char* command : {"explain", "partition", "coverage"})
            QCOMPARE(
                run_cli({command, sample("diamond.relay"), "--backends", path("trap.json")}, folder_.path()).status, 0);
        QVERIFY(clean());
    }

    // ---- Limits ----

    /// Descriptions bring code along, so one that a module names by its path must not be loaded.
    void aModuleNamesNoDescriptionByItsFile() {
        QTemporaryDir folder;
        write_content(folder.filePath("evil.json"),
                      R"({"name": "evil", "codegen": "plugin:evil.so", "ops": {"tanh": true}})");
        write_content(folder.filePath("m.relay"), R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32], compiler="./evil.json") {
  tanh(%x)
}
)");
        for (const QStringList& command : {QStringList{"run", "m.relay"}, QStringList{"partition", "m.relay", "-q"},
                                           QStringList{"report", "m.relay", "-o", "r.html"}}) {
            const CliRun run = run_cli(command, folder.path());
            QCOMPARE(run.status, 1);
            QVERIFY2(run.errors.contains("there is no built-in backend"), run.errors.constData());
        }
    }

    void aNameWithLineEndsPassesForNoMessage() {
        QTemporaryDir folder;
        write_content(folder.filePath("m.relay"),
                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32], compiler=\"a\\nerror: all is "
                      "well\") {\n  tanh(%x)\n}\n");
        write_content(folder.filePath("a\nerror: b.relay"), "no module");
        for (const QString& file : {QStringLiteral("m.relay"), QStringLiteral("a\nerror: b.relay")}) {
            const CliRun run = run_cli({"partition", file}, folder.path());
            QCOMPARE(run.status, 1);
            QVERIFY2(!run.errors.contains("\nerror:"), run.errors.constData());
        }
    }

    void whatIsTooLargeIsRefusedWithAClearMessage_data() {
        QTest::addColumn<QByteArray>("body");
        QTest::addColumn<QByteArray>("message");
        QByteArray parameter = "def @main(%x: Tensor[(2), float32]) {\n  ";
        QTest::newRow("a million parentheses")
            << parameter + QByteArray(1000000, '(') + "%x" + QByteArray(1000000, ')') + "\n}\n"
            << QByteArray("brackets nest deeper");
        QTest::newRow("elements overflow")
            << QByteArray("def @main(%x: Tensor[(4294967296, 4294967296, 4294967296), float32]) {\n  %x\n}\n")
            << QByteArray("too many elements");
        QTest::newRow("a dimension overflows")
            << QByteArray("def @main(%x: Tensor[(99999999999999999999), float32]) {\n  %x\n}\n")
            << QByteArray("too large for an integer");
        QTest::newRow("a million numbers")
            << parameter + "reshape(%x, newshape=[1" + QByteArray(", 1").repeated(999999) + "])\n}\n"
            << QByteArray("can't have the shape");
    }
    void whatIsTooLargeIsRefusedWithAClearMessage() {
        QFETCH(QByteArray, body);
        QFETCH(QByteArray, message);
        write_content(path("large.relay"), "#[version = \"0.0.5\"]\n" + body);
        CliRun run = run_cli({"info", path("large.relay")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains(message), run.errors.left(400).constData());
        QVERIFY2(run.errors.size() < 5000, "the message itself is short");
        QVERIFY(run.errors.contains("large.relay:"));
    }

    void moreThanMemoryIsRefusedAtTheRun() {
        write_content(
            path("big.relay"),
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1000000, 1000000), float32]) {\n  nn.relu(%x)\n}\n");
        QCOMPARE(run_cli({"info", path("big.relay")}).status, 0);
        CliRun run = run_cli({"run", path("big.relay")});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("memory"), run.errors.constData());
    }

    void namesOfTenMegabytesAreTaken() {
        QByteArray name(10000000, 'x');
        write_content(path("name.relay"), "#[version = \"0.0.5\"]\ndef @main(%" + name +
                                              ": Tensor[(2), float32]) {\n  nn.relu(%" + name + ")\n}\n");
        QCOMPARE(run_cli({"partition", path("name.relay"), "--backends", "dnnl", "-o", path("out.relay")}).status, 0);
        QCOMPARE(run_cli({"render", path("name.relay"), "-o", path("name.svg")}).status, 0);
        QVERIFY(QFileInfo(path("name.svg")).size() < 200000);
    }
};

PARTITA_TEST(TestCliInjection)

}  // namespace test_cli_injection

#include "test_cli_injection.moc"
