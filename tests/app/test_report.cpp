// Reports with times, and pictures in pixels: beside golden files of tests/golden, which
// `PARTITA_UPDATE_GOLDEN=1 build/release/tests/test_report` writes anew. The times are made up.
#include <QImage>
#include <QtTest>

#include "engine/runtime/machine.h"
#include "engine/session/export.h"
#include "engine/session/session.h"
#include "tests/app/own_fonts.h"
#include "tests/registry.h"

namespace test_report {

using namespace partita;

namespace {

constexpr QSize kSmall(60, 120);

Timing made_up_time(double milliseconds) {
    Timing time;
    time.median = milliseconds;
    time.minimum = milliseconds * 0.9;
    time.spread = milliseconds * 0.05;
    time.samples = 10;
    return time;
}

RegionTiming made_up_region(int i) {
    RegionTiming region;
    region.name = i ? "tvmgen_default_dnnl_main_" + std::to_string(i) + " <&>" : "default";
    region.backend = i ? "dnnl" : "default";
    region.executed_by = i == 2 ? "default" : region.backend;
    if (i == 2) region.notice = "the code was not \"allowed\" <here>";
    region.time = made_up_time(0.25 * ((i * 7) % 5 + 1));
    region.calls = i + 1;
    region.flops = 1e6 * i;
    region.bytes = 2e4 * (i + 1);
    return region;
}

/// Of more regions than the picture shows.
RunReport made_up_run() {
    RunReport run;
    run.time = made_up_time(12.5);
    for (int i = 0; i < 48; ++i) run.regions.push_back(made_up_region(i));
    run.threads = 2;
    run.repeat = 10;
    run.peak_bytes = 123456;
    return run;
}

Result<ExportSubject> subject_of_sample(const char* sample, const RunReport* run, const MachineLimits* machine) {
    Result<OpenedModule> opened = open_module(std::string(PARTITA_SOURCE_DIR "/samples/") + sample);
    if (!opened) return opened.error();
    FlowOptions options;
    for (const char* name : {"dnnl", "ccompiler"}) {
        Result<BackendDescription> backend = builtin_backend(name);
        if (!backend) return backend.error();
        options.backends.push_back(*backend);
    }
    Result<FlowResult> flow = run_flow(opened->module, options);
    if (!flow) return flow.error();
    return export_subject(*flow, options.backends, sample, run, machine);
}

bool updates() { return qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN"); }

void compare_with_file(const std::string& text, const QString& name) {
    QFile file(PARTITA_SOURCE_DIR "/tests/golden/" + name);
    if (updates()) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.data(), qint64(text.size()));
        return;
    }
    QVERIFY(file.open(QIODevice::ReadOnly));
    QStringList now = QString::fromStdString(text).split('\n'), known = QString::fromUtf8(file.readAll()).split('\n');
    for (qsizetype i = 0; i < std::min(now.size(), known.size()); ++i) QCOMPARE(now[i], known[i]);
    QCOMPARE(now.size(), known.size());
}

}  // namespace

class TestReport : public QObject {
    Q_OBJECT

private slots:
    void reportsWithTimesReadAsTheFilesSay() {
        RunReport run = made_up_run();
        MachineLimits machine{2, 5e10, 1e10};
        Result<ExportSubject> subject = subject_of_sample("diamond.relay", &run, &machine);
        if (!subject) QFAIL(subject.error().message.c_str());
        Result<std::string> html = find_export_form("report")->write(*subject),
                            markdown = find_export_form("markdown")->write(*subject);
        QVERIFY(html && markdown);
        compare_with_file(*html, "report.html");
        compare_with_file(*markdown, "report.md");
    }

    /// Scaled down, so that the letters of any font look alike.
    void picturesInPixelsLookAsTheyWereJudged() {
        Result<ExportSubject> subject = subject_of_sample("residual-block.relay", nullptr, nullptr);
        if (!subject) QFAIL(subject.error().message.c_str());
        Result<std::string> png = find_export_form("png")->write(*subject);
        QVERIFY(png);
        QImage now = QImage::fromData(QByteArray::fromStdString(*png), "PNG");
        QVERIFY(now.width() > 100 && now.height() > 300);
        now = now.scaled(kSmall, Qt::IgnoreAspectRatio, Qt::SmoothTransformation).convertToFormat(QImage::Format_RGB32);
        const QString path = PARTITA_SOURCE_DIR "/tests/golden/pictures/exported.png";
        if (updates()) QVERIFY(now.save(path));
        const QImage judged = QImage(path).convertToFormat(QImage::Format_RGB32);
        QCOMPARE(judged.size(), now.size());
        double sum = 0;
        int most = 0;
        for (int y = 0; y < now.height(); ++y)
            for (int x = 0; x < now.width(); ++x) {
                int difference = std::abs(qGray(now.pixel(x, y)) - qGray(judged.pixel(x, y)));
                sum += difference;
                most = std::max(most, difference);
            }
        QVERIFY2(sum / (now.width() * now.height()) < 1.5 && most < 70,
                 qPrintable(QString("mean %1, most %2").arg(sum / (now.width() * now.height())).arg(most)));
    }

    void documentsForPrintHoldTheWholePicture() {
        Result<ExportSubject> subject = subject_of_sample("residual-block.relay", nullptr, nullptr);
        if (!subject) QFAIL(subject.error().message.c_str());
        Result<std::string> pdf = find_export_form("pdf")->write(*subject);
        QVERIFY(pdf && pdf->starts_with("%PDF-") && pdf->find("%%EOF") != std::string::npos);
        QVERIFY(pdf->size() > 5000);
    }
};

PARTITA_TEST(TestReport)

}  // namespace test_report

#include "test_report.moc"
