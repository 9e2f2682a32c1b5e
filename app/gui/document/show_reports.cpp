#include "app/gui/document/show_reports.h"

#include <algorithm>
#include <cmath>

#include <QFileInfo>

#include "app/gui/document/document.h"
#include "app/gui/style/foreign_text.h"
#include "engine/session/reported_run.h"
#include "engine/session/reports.h"

namespace partita {

namespace {

/// What reports came to, made on a worker.
struct ShownReports {
    std::shared_ptr<const Reports> reports;
    FlowChoice choice;
    std::shared_ptr<RunOutcome> run;  ///< null where they have no times
};

/// The whole flow of the file as it is.
FlowChoice choice_of(const FlowChoice& before, const ReportedPtr& reported) {
    FlowChoice choice = before.after_rewriting();
    choose_reported(choice, reported);
    choice.overrides.clear();
    choice.groups.clear();
    choice.partitioner = {};
    choice.annotate = choice.merge = choice.partition = true;
    choice.by_cost = false;
    return choice;
}

Result<ShownReports> read(const OpenedInput& input, const std::vector<std::string>& files, const FlowChoice& before,
                          const CancelToken& cancel) {
    Result<std::shared_ptr<const Reports>> reports = read_reports(input, files);
    if (!reports) return reports.error();
    ShownReports shown{*reports, choice_of(before, (*reports)->reported), nullptr};
    if (!shown.choice.reported->has_times) return shown;
    Result<FlowResult> flow = run_flow(input.module, flow_options(shown.choice, false, cancel));
    if (!flow) return flow.error();
    shown.run = std::make_shared<RunOutcome>();
    shown.run->flow = std::make_shared<const FlowResult>(std::move(*flow));
    shown.run->report = reported_run(*shown.run->flow);
    const auto timed = std::find_if((*reports)->read.begin(), (*reports)->read.end(),
                                    [](const ReadReport& report) { return report.has_times; });
    const std::string title = QFileInfo(QString::fromStdString(timed->file)).fileName().toStdString();
    shown.run->record = record_of(*shown.run, shown.choice, {}, title, *input.module);
    shown.run->places_by_name = order_names(shown.run->report.regions);
    shown.run->heat = heat_of_run(*shown.run, input.module->size());
    return shown;
}

QString share_text(double part, double whole) {
    if (whole <= 0) return {};
    return Document::tr(", %1 % of their time").arg(std::lround(100 * part / whole));
}

/// What was matched and what was not, each with its share of the time.
void tell_of(const ReadReport& report, Document& document) {
    constexpr size_t kMostTold = 20;
    const MatchedReport& matched = report.matched;
    const QString program = shown_name(report.program);
    document.withdraw(report.file);
    const auto tell = [&](Severity severity, const QString& text) {
        document.report({severity, report.file, {}, text.toStdString()});
    };
    const size_t lost = matched.rows - matched.matched_rows - matched.inserted_rows;
    const double lost_us = matched.time_us - matched.matched_time_us - matched.inserted_time_us;
    tell(Severity::Note, Document::tr("%1: %2 of %3 rows are of operators here%4")
                             .arg(program)
                             .arg(matched.matched_rows)
                             .arg(matched.rows)
                             .arg(share_text(matched.matched_time_us, matched.time_us)));
    if (matched.inserted_rows > 0)
        tell(Severity::Note, Document::tr("%1: rows of operators that it put in: %2%3")
                                 .arg(program)
                                 .arg(matched.inserted_rows)
                                 .arg(share_text(matched.inserted_time_us, matched.time_us)));
    if (lost > 0)
        tell(Severity::Warning, Document::tr("%1: rows of no operator here: %2%3; they are below")
                                    .arg(program)
                                    .arg(lost)
                                    .arg(share_text(lost_us, matched.time_us)));
    for (size_t i = 0; i < std::min(matched.unmatched.size(), kMostTold); ++i)
        tell(Severity::Note, Document::tr("no operator here: %1").arg(shown_name(matched.unmatched[i])));
    if (matched.unmatched.size() > kMostTold)
        tell(Severity::Note, Document::tr("and %1 more").arg(matched.unmatched.size() - kMostTold));
    for (const std::string& note : matched.notes)
        tell(Severity::Note, QStringLiteral("%1: %2").arg(program, shown_message(note)));
}

void show(ShownReports& shown, Document& document) {
    const QString program = shown_name(shown.choice.reported->program);
    document.changeChoice(std::move(shown.choice), Document::tr("divide as %1 did").arg(program));
    for (const ReadReport& report : shown.reports->read) tell_of(report, document);
    if (!shown.run) return;
    shown.run->revision = document.revision();
    document.acceptRun(std::move(shown.run));
}

}  // namespace

void show_reports(Document& document, const std::vector<std::string>& files, QObject& receiver, ReportsRead done) {
    OpenedInput input;
    input.module = input.base = document.module();
    input.graph = document.graph();
    input.path = document.path().toStdString();
    document.jobs().start<Result<ShownReports>>(
        Document::tr("Reading reports"), &receiver,
        [input, files, before = document.choice()](const JobContext& context) {
            return read(input, files, before, context.cancel);
        },
        [&document, module = document.module(), done = std::move(done)](Result<ShownReports> shown) {
            if (module != document.module()) return;
            if (!shown) return done(shown.error());
            show(*shown, document);
            done(shown->reports);
        });
}

}  // namespace partita
