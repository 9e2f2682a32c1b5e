// On a desktop whose numbers have a decimal comma, everything is written and read as elsewhere. QApplication sets the
// locale of the whole process.
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <limits>
#include <map>
#include <regex>

#include "engine/layout/graph_layout.h"
#include "engine/session/export.h"
#include "engine/support/amount.h"
#include "engine/support/number_text.h"
#include "engine/support/system_reason.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_german_desktop {

using namespace partita;

namespace {

constexpr std::string_view kModule = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32]) -> Tensor[(2, 3), float32] {
  %0 = clip(%x, a_min=-0.25f, a_max=1.5f);
  %1 = add(%0, 0.375f);
  %2 = nn.leaky_relu(%1, alpha=0.0625f);
  multiply(%2, 0.5f)
}
)";

std::string printed(double value, const char* form) {
    char text[400];
    std::snprintf(text, sizeof text, form, value);
    return text;
}

FlowResult flow_of(ModulePtr module) {
    FlowOptions options;
    for (const char* name : {"dnnl", "ccompiler"}) options.backends.push_back(load_backend(name).value());
    Result<FlowResult> flow = run_flow(std::move(module), options);
    if (!flow) qFatal("%s", flow.error().to_string().c_str());
    return std::move(*flow);
}

/// Returns what each form writes of the module: by form, or by form and file.
std::map<std::string, std::string> exports() {
    const ModulePtr module = open_text(kModule, "module.relay").value().module;
    const FlowResult flow = flow_of(module);
    const std::vector<BackendDescription> backends{load_backend("dnnl").value(), load_backend("ccompiler").value()};
    const ExportSubject subject = export_subject(flow, backends, "module");
    std::map<std::string, std::string> written;
    for (const ExportForm& form : export_forms()) {
        const std::string name(form.name);
        if (form.write) {
            Result<std::string> text = form.write(subject);
            written[name] = text ? *text : text.error().to_string();
        } else if (form.write_folder) {
            Result<std::vector<ExportFile>> files = form.write_folder(subject);
            if (!files) qFatal("%s", files.error().to_string().c_str());
            for (const ExportFile& file : *files) written[name + "/" + file.name] = file.content;
        }
    }
    // The second in which a PDF was written stands in it.
    for (auto& [name, content] : written)
        if (content.starts_with("%PDF"))
            content = std::regex_replace(content, std::regex("CreationDate \\([^)]*\\)"), "");
    return written;
}

std::vector<float> outputs() {
    const FlowResult flow = flow_of(open_text(kModule, "module.relay").value().module);
    Result<RunReport> report = run_partitioned(flow.last(), {});
    if (!report) qFatal("%s", report.error().to_string().c_str());
    const Tensor& output = report->outputs.at(0);
    return {output.data<float>(), output.data<float>() + output.size()};
}

LayoutResult laid_out() {
    LayoutGraph graph;
    for (int i = 0; i < 4; ++i) graph.nodes.push_back({80.5, 30.25, -1});
    graph.edges = {{0, 1}, {0, 2}, {1, 3}, {2, 3}};
    return lay_out(graph, LayoutEngine::Dot, CancelToken()).value();
}

}  // namespace

class TestGermanDesktop : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    /// Sets the locale, made in a folder of the test's own; false where the machine can't make it.
    bool speakGerman() {
        const QString name = folder_.filePath(QStringLiteral("de_DE.UTF-8"));
        if (!QFileInfo::exists(name))
            QProcess::execute(QStringLiteral("localedef"), {"--quiet", "-i", "de_DE", "-f", "UTF-8", name});
        qputenv("LOCPATH", folder_.path().toLocal8Bit());
        return std::setlocale(LC_ALL, "de_DE.UTF-8") && printed(0.5, "%g") == "0,5";
    }

#define SPEAK_GERMAN() \
    if (!speakGerman()) QSKIP("localedef made no German locale: the Debian package locales is missing")

private slots:
    void init() { std::setlocale(LC_ALL, "C"); }  // Qt Test speaks the language of the desktop
    void cleanup() { std::setlocale(LC_ALL, "C"); }

    void numbersAreThoseOfTheCLocale_data() {
        QTest::addColumn<double>("value");
        for (double value : {0.0, -0.0, 1.0, 0.5, -0.1, 1.0 / 3, 123456.5, 1234567.5, 1e-5, 1e100, 5e-324,
                             std::numeric_limits<double>::max(), std::numeric_limits<double>::infinity(),
                             -std::numeric_limits<double>::infinity(), std::nan("")})
            QTest::newRow(printed(value, "%a").c_str()) << value;
    }
    void numbersAreThoseOfTheCLocale() {
        QFETCH(double, value);
        std::map<const char*, std::string> expected;
        for (const char* form : {"%g", "%.3g", "%.9g", "%.17g", "%.0f", "%.3f", "%a"})
            expected[form] = printed(value, form);
        speakGerman();
        QCOMPARE(general_text(value), expected["%g"]);
        QCOMPARE(general_text(value, 3), expected["%.3g"]);
        QCOMPARE(general_text(value, 9), expected["%.9g"]);
        QCOMPARE(general_text(value, 17), expected["%.17g"]);
        QCOMPARE(fixed_text(value, 0), expected["%.0f"]);
        QCOMPARE(fixed_text(value, 3), expected["%.3f"]);
        QCOMPARE(exact_text(value), expected["%a"]);
        const double again = number_at_start(expected["%.17g"] + " ms");
        QVERIFY(again == value || (std::isnan(again) && std::isnan(value)));
    }

    void aFloatIsWrittenWithAsFewDigitsAsNameIt() {
        speakGerman();
        QCOMPARE(fewest_digits(1e-5F), 1e-5);
        QCOMPARE(fewest_digits(-0.1F), -0.1);
        for (float value : {0.0F, 16777217.0F, 1.0F / 3, 1e-45F, std::numeric_limits<float>::max()})
            QCOMPARE(float(fewest_digits(value)), value);
        QVERIFY(std::isinf(fewest_digits(std::numeric_limits<float>::infinity())));
        QVERIFY(std::isnan(fewest_digits(std::numeric_limits<float>::quiet_NaN())));
    }

    void amountsHaveAPoint() {
        SPEAK_GERMAN();
        QCOMPARE(amount_text(1234567, "B"), std::string("1.23 MB"));
    }

    void reasonsOfTheSystemAreEnglish() {
        SPEAK_GERMAN();
        QCOMPARE(system_reason(ENOENT), std::string("No such file or directory"));
        QCOMPARE(system_reason(987654), std::string("error 987654"));
        QCOMPARE(signal_name(SIGSEGV), std::string("Segmentation fault"));
        QCOMPARE(signal_name(987654), std::string("signal 987654"));
    }

    void everyFormOfExportIsTheSame() {
        const std::map<std::string, std::string> plain = exports();
        QVERIFY(plain.contains("relay"));
        SPEAK_GERMAN();
        const std::map<std::string, std::string> german = exports();
        QCOMPARE(german.size(), plain.size());
        for (const auto& [name, content] : plain)
            QVERIFY2(german.at(name) == content, (name + " differs:\n" + german.at(name).substr(0, 4000)).c_str());
    }

    void aPrintedModuleIsReadAgain() {
        SPEAK_GERMAN();
        QCOMPARE(reprinted(reprinted(kModule)), reprinted(kModule));
        QVERIFY(reprinted(kModule).find("0.0625") != std::string::npos);
    }

    void aRunGivesTheSameNumbers() {
        const std::vector<float> plain = outputs();
        SPEAK_GERMAN();
        QCOMPARE(outputs(), plain);
    }

    void graphvizDrawsTheSame() {
        const LayoutResult plain = laid_out();
        SPEAK_GERMAN();
        const LayoutResult german = laid_out();
        QCOMPARE(german.width, plain.width);
        QCOMPARE(german.height, plain.height);
        for (size_t i = 0; i < plain.nodes.size(); ++i) {
            QCOMPARE(german.nodes[i].x, plain.nodes[i].x);
            QCOMPARE(german.nodes[i].y, plain.nodes[i].y);
        }
    }
};

PARTITA_TEST(TestGermanDesktop)

}  // namespace test_german_desktop

#include "test_german_desktop.moc"
