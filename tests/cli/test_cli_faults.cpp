// Invalid input: each fault gives one clear message with its position, and exit status 1.
#include <QRegularExpression>
#include <QTest>

#include "tests/cli/cli_process.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_cli_faults {

namespace {

const char* kHeader = "#[version = \"0.0.5\"]\n";
const char* kType = "Tensor[(2, 3), float32]";

QByteArray with_main(const QByteArray& parameters, const QByteArray& body) {
    return QByteArray(kHeader) + "def @main(" + parameters + ") {\n" + body + "\n}\n";
}

QByteArray npy(const QByteArray& descr, const QByteArray& shape, const QByteArray& data) {
    const QByteArray head =
        ("{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }").leftJustified(117, ' ') + "\n";
    return QByteArray("\x93NUMPY\x01\x00", 8) + char(head.size()) + QByteArray(1, '\0') + head + data;
}

}  // namespace

class TestCliFaults : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

    /// Checks for one line on standard error, and nothing on standard output.
    void check_one_message(const CliRun& run, const QByteArray& expected) {
        QCOMPARE(run.status, 1);
        QVERIFY(run.output.isEmpty());
        QVERIFY2(run.errors.count('\n') == 1, run.errors.constData());
        QVERIFY2(run.errors.contains("error: "), run.errors.constData());
        QVERIFY2(run.errors.contains(expected), (run.errors + "\nexpected: " + expected).constData());
    }

private slots:
    void aTextWithAFaultIsRefusedAtItsPlace_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("expected");
        QByteArray x = QByteArray("%x: ") + kType;
        QTest::newRow("empty file") << QByteArray() << QByteArray("file.relay");
        QTest::newRow("binary") << QByteArray(
                                       "\x7f"
                                       "ELF\0\1\2\xff\xfe\0\0",
                                       11)
                                << QByteArray("file is binary");
        QTest::newRow("truncated") << QByteArray(kHeader) + "def @main(" + x + ") {\n  nn.relu(%x"
                                   << QByteArray("file.relay:3:");
        QTest::newRow("unknown op") << with_main(x, "  nn.rleu(%x)") << QByteArray("file.relay:3:");
        QTest::newRow("nearest op") << with_main(x, "  nn.rleu(%x)") << QByteArray("nn.relu");
        QTest::newRow("wrong arity") << with_main(x, "  add(%x)") << QByteArray("file.relay:3:");
        QTest::newRow("wrong types") << with_main(x + ", %y: Tensor[(5), float32]", "  add(%x, %y)")
                                     << QByteArray("file.relay:3:");
        QTest::newRow("unbound variable") << with_main(x, "  add(%x, %1)") << QByteArray("file.relay:3:");
        QTest::newRow("duplicate definition") << with_main(x, "  %x") + "\ndef @main(" + x + ") {\n  %x\n}\n"
                                              << QByteArray("file.relay:6:");
        QTest::newRow("use before definition")
            << with_main(x, "  %0 = nn.relu(%1);\n  %1 = tanh(%x);\n  %0") << QByteArray("file.relay:3:");
        QTest::newRow("unknown attribute") << with_main(x, "  nn.softmax(%x, axes=1)") << QByteArray("axes");
        QTest::newRow("bad metadata") << with_main("", "  meta[relay.Constant][0]") +
                                             "\n#[metadata]\n{\"root\": 1, \"nodes\": ["
                                      << QByteArray("file.relay");
        QTest::newRow("no such metadata") << with_main("", "  meta[relay.Constant][0]") << QByteArray("file.relay:3:");
        QTest::newRow("wrong version") << QByteArray("#[version = \"9.9\"]\ndef @main() { 1 }")
                                       << QByteArray("file.relay:1:");
        QTest::newRow("huge tensor") << with_main("%x: Tensor[(9223372036854775807, 9223372036854775807), float32]",
                                                  "  nn.relu(%x)")
                                     << QByteArray("file.relay");
    }
    void aTextWithAFaultIsRefusedAtItsPlace() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, expected);
        write_content(path("file.relay"), text);
        check_one_message(run_cli({"info", path("file.relay")}), expected);
    }

    void aModuleOfMoreBackendsThanThereCanBeIsRefused() {
        QByteArray text = "#[version = \"0.0.5\"]\n", body;
        for (int i = 0; i < 1200; ++i) {
            const QByteArray n = QByteArray::number(i);
            text += "def @f" + n + "(%a: Tensor[(2), float32], Compiler=\"c" + n + "\", global_symbol=\"f" + n +
                    "\") { exp(%a) }\n";
            body += "  %" + n + " = @f" + n + "(" + (i ? "%" + QByteArray::number(i - 1) : "%x") + ");\n";
        }
        write_content(path("many.relay"), text + "def @main(%x: Tensor[(2), float32]) {\n" + body + "  %1199\n}\n");
        for (const char* command : {"partition", "coverage", "explain"})
            check_one_message(run_cli({command, path("many.relay")}), "more than 1000 backends");
    }

    void whatIsNoReadableFileIsRefused() {
        check_one_message(run_cli({"info", path("missing.relay")}), "No such file");
        check_one_message(run_cli({"info", folder_.path()}), "folder");
        check_one_message(run_cli({"info", "/dev/zero"}), "not a regular file");
    }

    void aBackendThatIsUnknownOrMalformedIsRefused() {
        QString file = sample("diamond.relay");
        write_content(path("bad.json"), "{\"name\": \"mine\",\n \"ops\": {\"add\": \"args[0].dtype = 'float32'\"}}");
        check_one_message(run_cli({"partition", file, "--backends", path("bad.json")}), "bad.json:2:");
        write_content(path("bad.json"), "{\"name\": \"mine\",\n \"ops\": [");
        check_one_message(run_cli({"partition", file, "--backends", path("bad.json")}), "bad.json:2:");
        write_content(path("bad.json"), "{\"name\": \"mine\", \"ops\": {\"ad\": true}}");
        check_one_message(run_cli({"partition", file, "--backends", path("bad.json")}), "bad.json:1:");
    }

    void aFileThatCantBeWrittenIsReported() {
        check_one_message(run_cli({"partition", sample("diamond.relay"), "-o", path("no/such/folder/out.relay")}),
                          "can't write");
        check_one_message(run_cli({"render", sample("diamond.relay"), "-o", path("no/such/folder/out.svg")}),
                          "can't write");
    }

    void aLinkToNothingYetIsWrittenThrough() {
        QTemporaryDir folder;
        QVERIFY(QFile::link("there.json", folder.filePath("link.json")));
        QCOMPARE(run_cli({"export", sample("diamond.relay"), "-o", "link.json"}, folder.path()).status, 0);
        QVERIFY(QFileInfo(folder.filePath("link.json")).isSymLink() && QFile::exists(folder.filePath("there.json")));
        QVERIFY(QFile::link("circle.json", folder.filePath("circle.json")));
        const CliRun run = run_cli({"export", sample("diamond.relay"), "-o", "circle.json"}, folder.path());
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("its links form a cycle"), run.errors.constData());
    }

    void wrongUsageSaysWhatIsWrong() {
        const QList<std::pair<QStringList, QByteArray>> cases{
            {{"exprt"}, "did you mean 'export'?"},
            {{"rules", "chek"}, "there is no command rules 'chek'; did you mean 'check'?"},
            {{"rules"}, "give a command of rules: check, convert, export, diff, from or test"},
            {{"explain", sample("diamond.relay"), "--backend", "dnnl"},
             "there is no option '--backend' of explain; did you mean '--backends'?"},
            {{"info", sample("diamond.relay"), "again"}, "there is one argument too many of info: 'again'"},
            {{"partition", sample("diamond.relay"), "--until", "anotate"},
             "expects simplify, composite, annotate, merge or partition, not 'anotate'; did you mean 'annotate'?"},
            {{"render", sample("diamond.relay"), "-o", path("x.pdf"), "--paper", "a5"},
             "--paper: expects a4 or letter, not 'a5'"},
            {{"render", sample("diamond.relay"), "-o", path("x.svg"), "--group", "all"},
             "--group: expects auto or none, not 'all'"},
            {{"run", sample("diamond.relay"), "--tolerance", "nan"}, "expected a number of 0 or more"},
            {{"run", sample("diamond.relay"), "--seed", "-1"}, "expected a whole number"},
            {{"compare-runs", "a", "b", "--max-ratio", "0"}, "expected a number above 0"}};
        for (const auto& [arguments, message] : cases) {
            const CliRun run = run_cli(arguments);
            QCOMPARE(run.status, 2);
            QVERIFY2(run.errors.contains(message), run.errors.constData());
        }
    }

    void jsonThatIsNoModuleIsRefused_data() {
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("no format") << QByteArray(R"("made by": "partita-module", "version": 1)")
                                   << QByteArray("its \"format\" is not \"partita-module\"");
        QTest::newRow("another format") << QByteArray(R"("format": "partita", "like": "partita-module", "version": 1)")
                                        << QByteArray("its \"format\" is not \"partita-module\"");
        QTest::newRow("a later version") << QByteArray(R"("format": "partita-module", "version": 2)")
                                         << QByteArray("it was written by another version of Partita");
    }
    void jsonThatIsNoModuleIsRefused() {
        QFETCH(QByteArray, head);
        QFETCH(QByteArray, message);
        write_content(path("m.json"), "{" + head + R"(, "functions": [], "expressions": []})");
        check_one_message(run_cli({"info", path("m.json")}), message);
    }

    void aModuleAsJsonIsRefusedAtItsPlace_data() {
        QTest::addColumn<QByteArray>("expressions");
        QTest::addColumn<QByteArray>("message");
        const QByteArray x = R"({"kind": "var", "name": "x", "type": {"dtype": "float32", "shape": [4]}})";
        QTest::newRow("kind") << QByteArray(R"({"kind": "fly"})")
                              << QByteArray("2:1: error: bad module: `fly` is no kind of expression");
        QTest::newRow("operator") << x + ",\n" + R"({"kind": "op", "name": "tanhh"})"
                                  << QByteArray(
                                         "3:1: error: bad module: unknown operator `tanhh`; did you mean `tanh`?");
        QTest::newRow("operand") << x + ",\n" + R"({"kind": "tuple", "operands": [0, 1]})"
                                 << QByteArray("3:35: error: bad module: an operand must stand before");
        QTest::newRow("a lone operator") << QByteArray(
                                                R"({"kind": "op", "name": "tanh"}, {"kind": "tuple", "operands": [0]})")
                                         << QByteArray("can only be called");
        QTest::newRow("size") << QByteArray(
                                     R"({"kind": "var", "name": "x", "type": {"dtype": "float32", "shape": [-4]}})")
                              << QByteArray("`-4` is no size of a dimension");
        QTest::newRow("many elements")
            << QByteArray(
                   R"({"kind": "var", "name": "x", "type": {"dtype": "float32", "shape": [9223372036854775807, 3]}})")
            << QByteArray("too many elements");
        QTest::newRow("data")
            << QByteArray(
                   R"({"kind": "constant", "data": "AAAA", "type": {"dtype": "float32", "shape": [1000000000000]}})")
            << QByteArray("the data of this constant are not those of a");
        auto nested = [](int depth) {
            return QByteArray(R"({"kind": "var", "name": "x", "type": )") +
                   QByteArray(R"({"tuple": [)").repeated(depth) + R"({"dtype": "float32", "shape": []})" +
                   QByteArray("]}").repeated(depth) + "}";
        };
        QTest::newRow("nested types") << nested(33) << QByteArray("types nest too deeply");
        QTest::newRow("types as deep as they may be") << nested(32) << QByteArray("@main is no function");
        QTest::newRow("no function") << x << QByteArray("@main is no function");
        QTest::newRow("ends") << QByteArray(R"({"kind": "var")") << QByteArray("bad module: expected");
        const QByteArray of_x = x + ",\n" + R"({"kind": "function", "operands": [0, 0]})";
        QTest::newRow("bound twice") << of_x + ",\n" + R"({"kind": "function", "operands": [0, 1]})"
                                     << QByteArray("binds %x again");
        QTest::newRow("out of sight") << x + ",\n" + R"({"kind": "function", "operands": [0]})"
                                      << QByteArray("3:1: error: unsound module: %1 (function) uses %x where");
        QTest::newRow("a type") << x + ",\n" + R"({"kind": "projection", "operands": [0], "index": 1})" + ",\n" +
                                       R"({"kind": "function", "operands": [0, 1]})"
                                << QByteArray("3:1: error: bad module: .1 needs a tuple");
        QTest::newRow("no such function") << x + ",\n" + R"({"kind": "global_var", "name": "f"})" + ",\n" +
                                                 R"({"kind": "function", "operands": [0, 1]})"
                                          << QByteArray("3:1: error: bad module: there is no function @f");
        QTest::newRow("a name that is none") << QByteArray(R"({"kind": "global_var", "name": "a\nb"})")
                                             << QByteArray("2:1: error: bad module: `a?b` is no name");
        QByteArray deep = x;
        for (int i = 0; i < 900; ++i)
            deep += ",\n" + QByteArray(R"({"kind": "function", "operands": [)") + QByteArray::number(i) + "]}";
        QTest::newRow("deep") << deep << QByteArray("803:1: error: bad module: functions, ifs and lets nest deeper");
    }
    void aModuleAsJsonIsRefusedAtItsPlace() {
        QFETCH(QByteArray, expressions);
        QFETCH(QByteArray, message);
        const int last = int(expressions.count("\"kind\"")) - 1;
        QByteArray text =
            R"({"format": "partita-module", "version": 1, "functions": [{"name": "main", "expression": LAST}], "expressions": [
ALL]})";
        write_content(path("m.json"), text.replace("LAST", QByteArray::number(last)).replace("ALL", expressions));
        check_one_message(run_cli({"info", path("m.json")}), message);
    }

    void inputsAreNamedAsTheModelNamesThem() {
        namespace w = onnx_writer;
        const w::GraphParts parts{{w::node("Relu", {"gpu_0/data_0"}, {"y"})},
                                  {},
                                  {w::value_info("gpu_0/data_0", {3})},
                                  {w::value_info("y", {3})}};
        write_content(path("named.onnx"), QByteArray::fromStdString(w::model(parts)));
        write_content(path("three.npy"), npy("<f4", "(3,)", QByteArray(12, '\0')));
        for (const char* name : {"gpu_0/data_0", "gpu_0_data_0"})
            QCOMPARE(run_cli({"run", path("named.onnx"), "--repeat", "1", "--input",
                              QString(name) + "=" + path("three.npy")})
                         .status,
                     0);
        const CliRun unknown = run_cli({"run", path("named.onnx"), "--input", "nothing_like_it=" + path("three.npy")});
        QCOMPARE(unknown.status, 1);
        QVERIFY2(unknown.errors.contains("no parameter of that name; there are gpu_0/data_0"),
                 unknown.errors.constData());
    }

    /// The header describes a member; unpacking it first could take a thousand times the archive's size.
    void anArchiveIsNotUnpackedForAParameterThatCantTakeIt() {
        const QString script =
            "import zipfile,sys\nz=zipfile.ZipFile(sys.argv[1],'w',zipfile.ZIP_DEFLATED)\n"
            "h=b\"{'descr': '<f4', 'fortran_order': False, 'shape': (250000000,), }\".ljust(117)+b'\\n'\n"
            "f=z.open('x.npy','w',force_zip64=True)\nf.write(b'\\x93NUMPY\\x01\\x00'+bytes([len(h),0])+h)\n"
            "for i in range(1000): f.write(bytes(1000000))\nf.close()\nz.close()\n";
        if (QProcess::execute("python3", {"-c", script, path("bomb.npz")}) != 0)
            QSKIP("python3 is not there to pack an archive");
        write_content(path("three.relay"),
                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(3), float32]) { add(%x, %x) }\n");
        const CliRun run = run_cli({"run", path("three.relay"), "--input", path("bomb.npz")});
        QCOMPARE(run.status, 1);
        QVERIFY2(
            run.errors.contains("the value has the shape (250000000)") && run.errors.contains("Tensor[(3), float32]"),
            run.errors.constData());
    }

    void anUnknownDimensionIsRefused() {
        namespace w = onnx_writer;
        const w::GraphParts parts{
            {w::node("Relu", {"x"}, {"y"})}, {}, {w::value_info("x", {-1})}, {w::value_info("y", {-1})}};
        write_content(path("symbolic.onnx"), QByteArray::fromStdString(w::model(parts)));
        QCOMPARE(run_cli({"info", path("symbolic.onnx"), "--dim", "N=3"}).status, 0);
        const CliRun run = run_cli({"info", path("symbolic.onnx"), "--dim", "x=3"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.errors.contains("no symbolic dimension 'x'; there are N"), run.errors.constData());
    }

    void aFaultOfAnOptionIsNotTheFiles() {
        CliRun run = run_cli({"partition", sample("diamond.relay"), "--backends", "fly"});
        QCOMPARE(run.status, 2);
        QVERIFY2(run.errors.startsWith("--backends fly: error: there is no built-in backend"), run.errors.constData());
        for (const char* list : {"dnnl,", ",dnnl", "dnnl,,ccompiler", ""})
            QCOMPARE(run_cli({"partition", sample("diamond.relay"), "--backends", list}).status, 2);
        QVERIFY(!run_cli({"run", "--help"}).output.contains("F.npz ..."));
    }

    /// As --backends does: a backend that nothing gave is wrong usage, a selector that finds nothing is the file's.
    void aMisspeltBackendIsWrongUsage() {
        for (const char* command : {"check", "test", "export"}) {
            CliRun run = run_cli({"rules", command, "dnl"});
            QCOMPARE(run.status, 2);
            QVERIFY2(run.errors.contains("did you mean \"dnnl\"?"), run.errors.constData());
        }
        const QString model = sample("diamond.relay");
        for (const char* option : {"--require=dnl", "--override=op:add=dnl"}) {
            CliRun run = run_cli({"partition", model, "--backends", "dnnl", option});
            QCOMPARE(run.status, 2);
            QVERIFY2(run.errors.contains("did you mean 'dnnl'?"), run.errors.constData());
        }
        for (const char* option : {"--require=dnnl=op:ad", "--override=op:ad=dnnl"}) {
            CliRun run = run_cli({"partition", model, "--backends", "dnnl", option});
            QCOMPARE(run.status, 1);
            QVERIFY2(run.errors.contains("the selector matches no call"), run.errors.constData());
        }
    }

    void countsAreWholeNumbersInJson() {
        const QByteArray all =
            run_cli({"info", sample("residual-block.relay"), "--json"}).output +
            run_cli({"explain", sample("diamond.relay"), "--backends", "ccompiler", "--json"}).output +
            run_cli({"coverage", sample("diamond.relay"), "--backends", "ccompiler", "--json"}).output +
            run_cli({"run", sample("diamond.relay"), "--backends", "ccompiler", "--repeat", "1", "--json"}).output;
        static const QRegularExpression fraction(QStringLiteral("(flops|bytes|regions|calls)\": [0-9.]*\\."));
        const auto found = fraction.match(QString::fromUtf8(all));
        QVERIFY2(!found.hasMatch(), qPrintable(found.captured()));
    }

    void badInputsOfARunAreRefused() {
        QString file = sample("diamond.relay");
        check_one_message(run_cli({"run", file, "--input", "x=" + path("missing.npy")}), "missing.npy");
        write_content(path("bad.npy"), "not a tensor");
        check_one_message(run_cli({"run", file, "--input", "x=" + path("bad.npy")}), "bad.npy");
        write_content(
            path("small.npy"),
            QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) +
                QByteArray("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }").leftJustified(117, ' ') + "\n" +
                QByteArray(4, '\0'));
        check_one_message(run_cli({"run", file, "--input", "x=" + path("small.npy")}), "x");
    }

    void hostileNamesDoNotReachTheTerminal() {
        QString name = path("evil\x1b[31m\u202e.relay");
        write_content(name, with_main("%x: Tensor[(2), float32]", "  nn.rleu(%x)"));
        CliRun run = run_cli({"info", name});
        QCOMPARE(run.status, 1);
        QVERIFY(!run.errors.contains('\x1b'));
        QVERIFY(!run.errors.contains("\u202e"));
        QVERIFY(run.errors.contains("\\x1b[31m\\u202e"));
    }

    void hostileStringsDoNoHarmInPictures() {
        QByteArray evil = "</text><script>alert(1)</script>]]>&quot; \\N %s \x1b[31m";
        write_content(path("evil.relay"),
                      QByteArray(kHeader) +
                          "def @main(%x: Tensor[(2), float32]) {\n  %0 = fn (%a: Tensor[(2), float32], "
                          "Composite=\"" +
                          evil + "\") { nn.relu(%a) };\n  %0(%x)\n}\n");
        for (const char* form : {"svg", "dot", "report", "markdown"}) {
            CliRun run = run_cli({"export", path("evil.relay"), "--form", form, "-o", "-"});
            QVERIFY2(run.status == 0, run.errors.constData());
            QVERIFY2(!run.output.contains("<script>") || form == QByteArray("dot"), form);
            QVERIFY2(!run.output.contains('\x1b'), form);
        }
    }

    void deepAndLongInputsAreTakenOrRefusedWithoutCrash() {
        QByteArray deep =
            with_main("%x: Tensor[(2), float32]", "  " + QByteArray(1000000, '(') + "%x" + QByteArray(1000000, ')'));
        write_content(path("deep.relay"), deep);
        QVERIFY(run_cli({"info", path("deep.relay")}).status == 1);
        QByteArray longest = with_main("%" + QByteArray(10000000, 'x') + ": Tensor[(2), float32]", "  1");
        write_content(path("long.relay"), longest);
        QVERIFY(run_cli({"partition", path("long.relay"), "-o", path("long.svg")}).status == 0);
        QCOMPARE(run_cli({"partition", "chain:200000", "--backends", "ccompiler", "-o", path("chain.relay")}).status,
                 0);
    }
};

PARTITA_TEST(TestCliFaults)

}  // namespace test_cli_faults

#include "test_cli_faults.moc"
