// User-defined backends: the sample, and libraries that refuse, crash, hang, lie or write out of bounds.
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "engine/backends/plugin/region_json.h"
#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "engine/runtime/run.h"

#include <fcntl.h>
#include <unistd.h>

#include "tests/registry.h"

namespace test_plugin {

using namespace partita;

namespace {

constexpr const char* kModule = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) {
  %0 = @mine_main_0(%x, %y);
  negative(%0)
}
def @mine_main_0(%a: Tensor[(2, 3), float32], %b: Tensor[(2, 3), float32], Compiler="mine", global_symbol="mine_main_0", Primitive=1) -> Tensor[(2, 3), float32] {
  %1 = subtract(%a, %b);
  nn.relu(%1)
}
)";

ModulePtr module(const std::string& text = kModule) {
    Result<Module> parsed = parse_relay(text);
    if (!parsed) qFatal("%s", parsed.error().to_string().c_str());
    if (Status typed = infer_types(*parsed); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::make_shared<const Module>(std::move(*parsed));
}

/// Returns a library whose `run` and `compile` have these bodies.
QByteArray misbehaving(const char* compile, const char* run) {
    return QByteArray(
               "#include <stdlib.h>\n#include <string.h>\n#include <unistd.h>\n#include \"partita_plugin.h\"\n"
               "static partita_region *compile(const partita_function *f, char *m, size_t n) { (void)f; (void)m; "
               "(void)n; ") +
           compile + " }\n" +
           "static int32_t run(partita_region *r, const partita_tensor *in, const partita_tensor *out, char *m, size_t "
           "n) { (void)r; (void)in; (void)out; (void)m; (void)n; " +
           run + " }\n" +
           "static void release(partita_region *r) { (void)r; }\n"
           "const partita_plugin *partita_plugin_entry(void) { static const partita_plugin p = "
           "{PARTITA_PLUGIN_VERSION, \"bad\", 0, compile, run, release}; return &p; }\n";
}

}  // namespace

class TestPlugin : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString build(const QString& name, const QByteArray& source) {
        QString path = folder_.filePath(name + ".c"), library = folder_.filePath(name + ".so");
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) return {};
        file.write(source);
        file.close();
        int status = QProcess::execute("cc", {"-O1", "-shared", "-fPIC", "-Wall", "-I",
                                              PARTITA_SOURCE_DIR "/engine/backends/plugin", "-o", library, path});
        return status == 0 ? library : QString();
    }

    QString build_sample() {
        QFile sample(PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c");
        return sample.open(QIODevice::ReadOnly) ? build("sample", sample.readAll()) : QString();
    }

    Result<RunReport> run_with(const QString& codegen) {
        RunOptions options;
        options.warmup = 0;
        options.repeat = 2;
        options.codegen["mine"] = codegen.toStdString();
        for (const char* name : {"x", "y"}) {
            Tensor tensor(kFloat32, {2, 3});
            for (int64_t i = 0; i < 6; ++i) tensor.set(i, name[0] == 'x' ? double(i) : 2.0);
            options.inputs[name] = tensor;
        }
        return run_module(module(), options);
    }

    void check(const Result<RunReport>& report, const QString& executed_by, const QString& notice) {
        QVERIFY2(bool(report), report ? "" : report.error().to_string().c_str());
        for (int64_t i = 0; i < 6; ++i) QCOMPARE(report->outputs[0].at(i) + 0.0, -std::max(double(i) - 2, 0.0) + 0.0);
        const RegionTiming& region = report->regions.back();
        QCOMPARE(QString::fromStdString(region.executed_by), executed_by);
        QVERIFY2(notice.isEmpty() ? region.notice.empty() : QString::fromStdString(region.notice).contains(notice),
                 region.notice.c_str());
    }

private slots:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", folder_.path().toUtf8());
        qputenv("PARTITA_PLUGIN_SECONDS", "2");
    }

    void theSampleRunsItsRegion() {
        const QString library = build_sample();
        QVERIFY(!library.isEmpty());
        check(run_with("plugin:" + library), "plugin:" + library, "");
    }

    void theValuesOfAStepAreNumberedInTheirOrder() {
        const ModulePtr divided = module(
            "def @main(%x: Tensor[(2, 4), float32]) {\n  %0 = split(%x, "
            "indices_or_sections=2, axis=1);\n  add(%0.0, exp(%0.1))\n}\n");
        const Result<FlatGraph> graph = flatten(*divided, divided->find_function("main"), true);
        QVERIFY(graph);
        const nlohmann::json steps = region_to_json(*divided, *graph, "region")["steps"];
        QCOMPARE(steps.size(), size_t(3));
        const nlohmann::json parts = steps[0]["outputs"];
        QCOMPARE(parts.size(), size_t(2));
        QCOMPARE(parts[1].get<int>(), parts[0].get<int>() + 1);
        QVERIFY(steps[1]["inputs"][0] == parts[1]);
    }

    /// The first socket is descriptor 0 then.
    void withoutStandardInputNothingIsLeftOpen() {
        const QString library = build_sample();
        const int kept = ::dup(0);
        ::close(0);
        const auto report = run_with("plugin:" + library);
        const bool is_open = ::fcntl(0, F_GETFD) >= 0;
        ::dup2(kept, 0);
        ::close(kept);
        check(report, "plugin:" + library, "");
        QVERIFY(!is_open);
    }

    void aPluginThatMisbehavesCostsOnlyItsRegion_data() {
        QTest::addColumn<QByteArray>("compile");
        QTest::addColumn<QByteArray>("run");
        QTest::addColumn<QString>("notice");
        auto row = [](const char* name, const char* compile, const char* run, const char* notice) {
            QTest::newRow(name) << QByteArray(compile) << QByteArray(run) << QString(notice);
        };
        row("refuses", "strncpy(m, \"not this one\", n); return 0;", "return 0;", "not this one");
        row("crashes when compiling", "abort(); return 0;", "return 0;", "crashed");
        row("hangs when compiling", "for (;;) sleep(1); return 0;", "return 0;", "took longer than 2 s");
        row("crashes when running", "return (partita_region *)m;", "*(volatile int *)8 = 1; return 0;", "crashed");
        row("hangs when running", "return (partita_region *)m;", "for (;;) sleep(1); return 0;",
            "took longer than 2 s");
        row("fails when running", "return (partita_region *)m;", "strncpy(m, \"no power\", n); return 1;", "no power");
        row("exits when running", "return (partita_region *)m;", "exit(3); return 0;", "status 3");
        row("writes behind its output", "return (partita_region *)m;", "memset(out[0].data, 0, 400); return 0;",
            "outside its tensors");
        row("sends half an answer", "return (partita_region *)m;",
            "(void)!write(3, m, 5); for (;;) sleep(1); return 0;", "took longer than 2 s");
        row("sends nonsense", "return (partita_region *)m;", "memset(m, 255, n); (void)!write(3, m, n); return 0;",
            "answer is invalid");
        row("closes its connection", "return (partita_region *)m;", "close(3); for (;;) sleep(1); return 0;",
            "closed its connection");
        row("writes before its input", "return (partita_region *)m;", "memset((char *)in[0].data - 8, 0, 8); return 0;",
            "outside its tensors");
    }
    void aPluginThatMisbehavesCostsOnlyItsRegion() {
        QFETCH(QByteArray, compile);
        QFETCH(QByteArray, run);
        QFETCH(QString, notice);
        QString library =
            build("bad" + QString::number(qHash(compile + run)), misbehaving(compile.constData(), run.constData()));
        QVERIFY(!library.isEmpty());
        check(run_with("plugin:" + library), "default", notice);
    }

    void aPluginFindsNothingToRead() {
        int pipe_ends[2];
        QVERIFY(::pipe(pipe_ends) == 0 && ::write(pipe_ends[1], "input", 5) == 5);
        const int before = ::dup(0);
        ::dup2(pipe_ends[0], 0);
        auto report =
            run_with("plugin:" + build("reads", misbehaving("if (read(0, m, 1) != 0) strncpy(m, \"it reads\", n); "
                                                            "else strncpy(m, \"it is alone\", n); return 0;",
                                                            "return 0;")));
        ::dup2(before, 0);
        for (int end : {pipe_ends[0], pipe_ends[1], before}) ::close(end);
        check(report, "default", "it is alone");
    }

    void aFileThatIsNoLibraryFallsBack() {
        QString path = folder_.filePath("text.so");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("hello");
        file.close();
        check(run_with("plugin:" + path), "default", "text.so");
        check(run_with("plugin:" + folder_.filePath("missing.so")), "default", "missing.so");
    }

    void aLibraryOfAnotherVersionFallsBack() {
        QFile sample(PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c");
        QVERIFY(sample.open(QIODevice::ReadOnly));
        check(run_with("plugin:" + build("version", sample.readAll().replace("{PARTITA_PLUGIN_VERSION,", "{77,"))),
              "default", "for version 77");
    }

    void aModuleCanNotNameAProgramToRun() {
        for (const QString& codegen :
             {"command:touch " + folder_.filePath("ran"), "plugin:" + folder_.filePath("sample.so")}) {
            std::string text =
                QString(kModule).replace("Compiler=\"mine\"", "Compiler=\"" + codegen + "\"").toStdString();
            Result<RunReport> report = run_module(module(text), {});
            QVERIFY(bool(report));
            QCOMPARE(report->regions.back().executed_by, std::string("default"));
        }
        QVERIFY(!QFile::exists(folder_.filePath("ran")));
    }

    void copiesOverTheBorderAreCountedAndTimed() {
        QFile sample(PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c");
        QVERIFY(sample.open(QIODevice::ReadOnly));
        Result<RunReport> report = run_with("plugin:" + build("copies", sample.readAll()));
        QVERIFY(bool(report));
        const RegionTiming& region = report->regions.back();
        QCOMPARE(region.copies, 2);  // in and out
        QVERIFY(region.copy_time.median > 0 && region.copy_time.median <= region.time.median);
        QCOMPARE(region.layout_changes, 0);
    }

    void whatACommandWritesMayIncludeTheInterface() {
        check(run_with("command:cat '" PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c'"),
              "command:cat '" PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c'", "");
    }

    void theSampleCodeGeneratorWritesWhatRuns() {
        if (QStandardPaths::findExecutable("python3").isEmpty()) QSKIP("python3 is not installed");
        QString codegen = "command:python3 '" PARTITA_SOURCE_DIR "/samples/plugin/elementwise_codegen.py'";
        check(run_with(codegen), codegen, "");
    }

    void aCommandMayWriteCSource() {
        QString script = folder_.filePath("generate.sh");
        QFile file(script);
        QVERIFY(file.open(QIODevice::WriteOnly));
        // It also checks that it received the region.
        file.write("grep -q '\"op\":\"subtract\"' || exit 5\ncat '" PARTITA_SOURCE_DIR
                   "/engine/backends/plugin/partita_plugin.h'\n"
                   "sed '/#include \"partita_plugin.h\"/d' '" PARTITA_SOURCE_DIR
                   "/samples/plugin/elementwise_plugin.c'\n");
        file.close();
        QString codegen = "command:sh '" + script + "'";
        check(run_with(codegen), codegen, "");
        check(run_with("command:true"), "default", "wrote nothing");
        check(run_with("command:"), "default", "names no program");
        check(run_with("command:yes"), "default", "wrote more than 64 MB");
        check(run_with("command:echo hello"), "default", "refused the generated source");
        check(run_with("command:false"), "default", "status 1");
        check(run_with("command:sleep 30"), "default", "took longer than 2 s");
        check(run_with("command:/nowhere/to/be/found"), "default", "can't be started");
    }
};

PARTITA_TEST(TestPlugin)

}  // namespace test_plugin

#include "test_plugin.moc"
