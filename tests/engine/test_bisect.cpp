// Sixty faults planted into a plug-in: the search names the operator, or the fewest that show it.
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

#include "engine/flow/names.h"
#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "engine/rules/backend_description.h"
#include "engine/rules/pattern.h"
#include "engine/runtime/compare_runs.h"
#include "engine/session/bisect.h"
#include "tests/registry.h"

namespace test_bisect {

using namespace partita;

namespace {

/// The sample plug-in, in which `subtract` is what a mode, PLANTED, says.
QByteArray faulty_plugin() {
    QFile file(PARTITA_SOURCE_DIR "/samples/plugin/elementwise_plugin.c");
    if (!file.open(QIODevice::ReadOnly)) return {};
    QByteArray source = file.readAll();
    const QByteArray planted = R"(
static const char *mode(void) { const char *text = getenv("PLANTED"); return text ? text : ""; }
static int is_output(const partita_region *region, int32_t value)
{
    for (int32_t i = 0; i < region->output_count; ++i)
        if (region->outputs[i] == value) return 1;
    return 0;
}
static void plant(partita_region *region, int32_t at)
{
    const instruction *step = &region->steps[at];
    float *result = region->values[step->result];
    if (strcmp(mode(), "wrong") == 0 && step->what == SUBTRACT) result[0] += 100;
    if (strcmp(mode(), "nan") == 0 && step->what == SUBTRACT) result[0] = 0.0f / 0.0f;
    if (strcmp(mode(), "large") == 0 && step->what == SUBTRACT && region->step_count > 8) result[0] += 100;
    if (strcmp(mode(), "fused") == 0 && step->what == RELU && !is_output(region, step->left))
        for (int32_t i = 0; i < at; ++i)
            if (region->steps[i].what == SUBTRACT && region->steps[i].result == step->left) result[0] += 100;
}
static int refuses(const partita_function *function)
{
    int subtracts = 0;
    for (int32_t i = 0; i < function->step_count; ++i) subtracts += strcmp(function->steps[i].op, "subtract") == 0;
    return strcmp(mode(), "refuses") == 0 && subtracts > 0;
}
)";
    source.replace("static int32_t run(", planted + "\nstatic int32_t run(");
    source.replace("compute(&region->steps[i], region->values, region->elements);",
                   "{ compute(&region->steps[i], region->values, region->elements); plant(region, i); }");
    source.replace("static partita_region *compile(",
                   "static int refuses(const partita_function *function);\nstatic partita_region *compile(");
    source.replace("{\n    partita_region *region = calloc(1, sizeof *region);",
                   "{\n    if (refuses(function)) { snprintf(message, message_size, \"no subtract\"); return NULL; }\n"
                   "    partita_region *region = calloc(1, sizeof *region);");
    return source;
}

/// Returns a module of `size` operators, of which each uses the one before, with subtracts at these places, each used
/// by `behind` alone. Values neither grow nor vanish.
std::string module_text(int size, const std::vector<int>& subtracts, const std::string& behind) {
    std::string text = "def @main(%x: Tensor[(3, 4), float32], %half: Tensor[(3, 4), float32]) {\n";
    const auto is_planted = [&](int i) { return std::find(subtracts.begin(), subtracts.end(), i) != subtracts.end(); };
    const auto name = [](int i) { return i < 0 ? "%x" : "%" + std::to_string(i); };
    for (int i = 0; i < size; ++i) {
        const int earlier = is_planted(i - 2) ? i - 1 : i - 2;
        const std::string last = name(i - 1);
        text += "  " + name(i) + " = ";
        if (is_planted(i)) text += "subtract(" + last + ", %half)";
        else if (is_planted(i - 1)) text += behind == "nn.relu" ? "nn.relu(" + last + ")" : "add(" + last + ", %x)";
        else if (i % 3 == 0) text += "multiply(" + last + ", %half)";
        else text += "add(" + last + ", " + (i % 3 == 1 ? "%x" : name(earlier)) + ")";
        text += ";\n";
    }
    return text + "  add(" + name(size - 1) + ", %x)\n}\n";
}

ModulePtr module_of(const std::string& text) {
    Result<Module> parsed = parse_relay(text);
    if (!parsed) qFatal("%s", parsed.error().to_string().c_str());
    if (Status typed = infer_types(*parsed); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::make_shared<const Module>(std::move(*parsed));
}

}  // namespace

class TestBisect : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    QString library_;
    std::vector<std::pair<std::string, std::string>> patterns_;  ///< of the backend

    struct Found {
        Culprit culprit;
        QStringList names;
        bool ok = false;
    };
    Found search(const std::string& text) {
        const ModulePtr module = module_of(text);
        FlowOptions flow;
        BackendDescription backend;
        backend.name = "mine";
        for (const char* op : {"add", "subtract", "multiply", "nn.relu"}) backend.ops[op] = {};
        for (const auto& [name, pattern] : patterns_) {
            CompositePattern& composite = backend.patterns.emplace_back();
            composite.name = name;
            composite.pattern = *Pattern::parse(pattern);
        }
        flow.backends.push_back(backend);
        Result<FlowResult> divided = run_flow(module, flow);
        Found found;
        if (!divided) return qWarning("%s", divided.error().message.c_str()), found;
        RunOptions options;
        options.codegen["mine"] = "plugin:" + library_.toStdString();
        for (ExprId parameter : module->parameters(module->find_function("main"))) {
            const std::string input(module->name(parameter));
            Tensor tensor(kFloat32, {3, 4});
            for (int64_t i = 0; i < 12; ++i) tensor.set(i, input[0] == 'h' ? 0.5 : double(i + 1) / 8);
            options.inputs[input] = tensor;
        }
        Result<Culprit> culprit = find_culprit(*divided, options, 1e-4);
        if (!culprit) return qWarning("%s", culprit.error().message.c_str()), found;
        found.culprit = std::move(*culprit);
        const ExpressionNames names(*divided->input);
        for (ExprId call : found.culprit.calls) found.names << QString::fromStdString(names.callee(call));
        found.ok = true;
        return found;
    }

private slots:
    void initTestCase() {
        qputenv("XDG_CACHE_HOME", folder_.path().toUtf8());
        const QString source = folder_.filePath("faulty.c");
        library_ = folder_.filePath("faulty.so");
        QFile file(source);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(faulty_plugin()) > 0);
        file.close();
        QCOMPARE(QProcess::execute("cc", {"-O1", "-shared", "-fPIC", "-Wall", "-Werror", "-I",
                                          PARTITA_SOURCE_DIR "/engine/backends/plugin", "-o", library_, source}),
                 0);
    }

    void plantedFaultsAreFound_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("at");
        for (const char* mode : {"wrong", "nan", "fused", "large", "refuses"})
            for (int size : {9, 20, 60, 300})
                for (int place : {1, 2, 3})
                    QTest::addRow("%s %d %d", mode, size, place)
                        << QString::fromLatin1(mode) << size << (size * place) / 4;
    }
    void plantedFaultsAreFound() {
        QFETCH(QString, mode);
        QFETCH(int, size);
        QFETCH(int, at);
        qputenv("PLANTED", mode.toLatin1());
        const Found found = search(module_text(size, {at}, mode == "nan" ? "add" : "nn.relu"));
        QVERIFY(found.ok);
        const QStringList expected = mode == "fused" ? QStringList{"subtract", "nn.relu"} : QStringList{"subtract"};
        const int most = int(3 * std::log2(size) + 5);
        QString log;
        for (const Culprit::Step& step : found.culprit.steps) log += "\n" + QString::fromStdString(step.what.text());
        if (mode == "large") {
            QVERIFY2(found.names.contains("subtract"), qPrintable(found.names.join(", ") + log));
        } else {
            QVERIFY2(found.names == expected, qPrintable(found.names.join(", ") + log));
        }
        QVERIFY2(found.culprit.runs <= most, qPrintable(QString::number(found.culprit.runs) + log));
        QVERIFY2(found.culprit.smallest, qPrintable(log));
    }

    /// A composite is one step of its region, but its operators are searched, too.
    void compositesAreSearchedInside_data() {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QStringList>("found");
        QTest::newRow("wrong by itself") << "wrong" << QStringList{"subtract"};
        QTest::newRow("refused") << "refuses" << QStringList{"subtract"};
        QTest::newRow("wrong as a whole") << "fused" << QStringList{"subtract", "nn.relu"};
    }
    void compositesAreSearchedInside() {
        QFETCH(QString, mode);
        QFETCH(QStringList, found);
        qputenv("PLANTED", mode.toLatin1());
        patterns_ = {{"mine.three", "nn.relu(subtract(add(*, *), *))"}};
        const Found result = search(module_text(20, {8}, "nn.relu"));
        patterns_.clear();
        QVERIFY(result.ok);
        QString log;
        for (const Culprit::Step& step : result.culprit.steps) log += "\n" + QString::fromStdString(step.what.text());
        QVERIFY2(result.names == found, qPrintable(result.names.join(", ") + log));
        QVERIFY2(result.culprit.smallest, qPrintable(log));
        QVERIFY2(result.culprit.runs <= 3 * std::log2(20) + 5, qPrintable(log));
    }

    /// Of a region that is refused for one operator, the parts around it run on the backend, and compute the same.
    void refusedRegionsAreHalvedWhereTheDescriptionSaysSo_data() {
        QTest::addColumn<int>("size");
        for (int size : {3, 9, 60}) QTest::addRow("%d", size) << size;
    }
    void refusedRegionsAreHalvedWhereTheDescriptionSaysSo() {
        QFETCH(int, size);
        qputenv("PLANTED", "refuses");
        FlowOptions flow;
        Result<BackendDescription> backend = parse_backend_description(
            "{\"name\": \"mine\", \"fallback\": \"halve\", \"ops\": {\"add\": true, \"subtract\": true, "
            "\"multiply\": true}}",
            "t.json");
        QVERIFY(backend && backend->halves_refused);
        flow.backends = {*backend};
        const Result<FlowResult> divided = run_flow(module_of(module_text(size, {size / 2}, "add")), flow);
        QVERIFY(divided);
        RunOptions options;
        options.codegen["mine"] = "plugin:" + library_.toStdString();
        const Result<RunReport> whole = run_module(divided->partitioned, options);
        options.halved = {"mine"};
        const Result<RunReport> halved = run_module(divided->partitioned, options);
        QVERIFY(whole && halved);
        QCOMPARE(whole->regions.back().executed_by, std::string("default"));
        const RegionTiming& region = halved->regions.back();
        QVERIFY(region.executed_by != "default");
        QVERIFY2(QString::fromStdString(region.notice)
                     .contains(QString("no subtract; %1 of %2 operators run on it, in ").arg(size).arg(size + 1)),
                 region.notice.c_str());
        QVERIFY(all_within(compare_outputs(halved->outputs, whole->outputs)));
    }

    void eachStepIsDrawn() {
        qputenv("PLANTED", "wrong");
        const Found found = search(module_text(9, {4}, "add"));
        QVERIFY(found.ok);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("smallest").toStdString();
        QVERIFY(write_smallest(found.culprit, path));
        for (size_t i = 1; i <= found.culprit.steps.size(); ++i) {
            QFile picture(QString::fromStdString(path) + QString("/step_%1.svg").arg(i, 2, 10, QChar('0')));
            QVERIFY2(picture.open(QIODevice::ReadOnly), qPrintable(picture.fileName()));
            QVERIFY(picture.readAll().contains(found.culprit.steps[i - 1].what.text().substr(0, 16).c_str()));
        }
    }

    void independentFaultsAreBothFound() {
        qputenv("PLANTED", "wrong");
        const Found found = search(
            "def @main(%x: Tensor[(3, 4), float32], %y: Tensor[(3, 4), float32]) {\n  %0 = subtract(%x, %y);\n"
            "  %1 = nn.relu(%0);\n  %2 = subtract(%y, %x);\n  add(%1, nn.relu(%2))\n}\n");
        QVERIFY(found.ok);
        QCOMPARE(found.names, (QStringList{"subtract", "subtract"}));
    }

    void withoutAFaultThereIsNoCulprit() {
        qputenv("PLANTED", "");
        const Found found = search(module_text(20, {5}, "nn.relu"));
        QVERIFY(found.ok);
        QCOMPARE(found.culprit.fault, Culprit::Fault::None);
        QVERIFY(found.names.isEmpty());
        QCOMPARE(found.culprit.runs, 1);
    }
};

PARTITA_TEST(TestBisect)

}  // namespace test_bisect

#include "test_bisect.moc"
