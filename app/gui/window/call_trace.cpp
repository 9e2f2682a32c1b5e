#include "app/gui/window/call_trace.h"

#include <QDialog>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "engine/explain/call_trace.h"

namespace partita {

namespace {

QString rich(const std::string& text) { return shown_name(text).toHtmlEscaped(); }

QString term_row(const RuleTerm& term) {
    QStringList values;
    for (const RuleTerm::Operand& operand : term.operands)
        values << QStringLiteral("%1 = <b>%2</b>").arg(rich(operand.text), rich(operand.value));
    if (!term.error.empty()) values << rich(term.error);
    return QStringLiteral("<tr><td>%1</td><td><code>%2</code></td><td>%3</td></tr>")
        .arg(term.value ? QStringLiteral("✓") : QStringLiteral("✗"), rich(term.text),
             values.join(QStringLiteral(", ")));
}

/// `line`: as FlowExplainer writes it for programs. Values are shown where they changed.
QString line_row(const nlohmann::json& line, const nlohmann::json& before, int backend) {
    QStringList values;
    for (const auto& [name, value] : line["values"].items())
        if (!before.contains(name) || before[name] != value)
            values << QStringLiteral("%1 = <b>%2</b>")
                          .arg(rich(name), rich(value.is_string() ? value.get<std::string>() : value.dump()));
    const int number = line["line"].get<int>();
    return QStringLiteral(
               "<tr><td align='right'><a href='line:%1/%2'>%2</a></td><td><code>%3</code></td><td>%4</td></tr>")
        .arg(backend)
        .arg(number)
        .arg(rich(line["text"].get<std::string>()), values.join(QStringLiteral(", ")));
}

QString html_of(FlowExplainer& explainer, CallTracer& tracer, const std::vector<RuleTrace>& traces) {
    QString html;
    for (const RuleTrace& trace : traces) {
        html += QStringLiteral("<p><b>%1</b> <code>%2</code>: %3</p><table cellpadding='2'>")
                    .arg(rich(explainer.backend_name(trace.backend)), rich(trace.rule),
                         trace.accepted ? CallTrace::tr("accepted") : CallTrace::tr("refused"));
        for (const RuleTerm& term : trace.terms) html += term_row(term);
        nlohmann::json before;
        const nlohmann::json asked = tracer.to_json(trace);
        for (const nlohmann::json& line : asked["lines"]) {
            html += line_row(line, before, trace.backend);
            before = line["values"];
        }
        html += QStringLiteral("</table>");
        if (trace.terms.empty() && trace.lines.empty())
            html += QStringLiteral("<p>%1</p>").arg(CallTrace::tr("without a condition"));
    }
    return html.isEmpty() ? CallTrace::tr("No backend has a rule for it.") : html;
}

}  // namespace

CallTrace::CallTrace(Document& document, QWidget& window)
    : QObject(&window), document_(document), window_(window), questions_(document, *this) {}

CallTrace::Traced CallTrace::trace(FlowExplainer& explainer, const FlowResult& flow,
                                   const std::vector<BackendDescription>& backends, ExprId call) {
    CallTracer tracer(explainer, flow, backends);
    const std::vector<RuleTrace> traces = tracer.trace(call);
    Traced traced{html_of(explainer, tracer, traces), -1, {}};
    for (const RuleTrace& each : traces) {
        if (each.lines.empty() || traced.backend >= 0) continue;
        traced.backend = each.backend;
        for (const AnnotatorStep& step : each.lines) traced.lines.push_back(step.line);
    }
    return traced;
}

ExprId CallTrace::selectedCall() const {
    for (ExprId each : document_.selection())
        if (document_.shownModule()->kind(each) == ExprKind::Call) return each;
    return {};
}

QString CallTrace::obstacle() const {
    if (!document_.flow() || document_.choice().backends.empty())
        return tr("Rules were not asked: annotate first (F6)");
    return selectedCall().valid() ? QString() : tr("Select an operator first");
}

void CallTrace::show() {
    const ExprId call = selectedCall();
    if (!obstacle().isEmpty()) return;
    const QString title = tr("What was asked about %1").arg(shown_name(document_.names().name(call)));
    questions_.ask<Traced>(
        tr("Asking the rules"),
        [call, flow = document_.flow(),
         backends = flow_options(document_.choice(), document_.annotated(), {}).backends](FlowExplainer& explainer) {
            return trace(explainer, *flow, backends, call);
        },
        [this, title](const Traced& traced) {
            showText(title, traced.html);
            emit pathWalked(traced.backend, traced.lines);
        });
}

void CallTrace::showText(const QString& title, const QString& html) {
    if (!dialog_) {
        dialog_ = new QDialog(&window_);
        dialog_->setAttribute(Qt::WA_DeleteOnClose);
        dialog_->resize(760, 420);
        text_ = new QTextBrowser;
        text_->setObjectName(QStringLiteral("call-trace"));
        text_->setAccessibleName(tr("What the rules were asked"));
        text_->setOpenLinks(false);
        connect(text_, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
            const QStringList parts = url.path().split(QLatin1Char('/'));
            if (parts.size() == 2) emit lineWanted(parts[0].toInt(), parts[1].toInt());
        });
        (new QVBoxLayout(dialog_))->addWidget(text_);
    }
    dialog_->setWindowTitle(title);
    text_->setHtml(html);
    dialog_->show();
    dialog_->raise();
}

}  // namespace partita
