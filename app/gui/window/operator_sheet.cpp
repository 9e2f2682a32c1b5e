#include "app/gui/window/operator_sheet.h"

#include <QTextBrowser>
#include <QVBoxLayout>

#include "app/gui/document/document.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/ops/registry.h"
#include "engine/session/operator_page.h"

namespace partita {

namespace {

QString escaped(const std::string& text) { return shown_name(text).toHtmlEscaped(); }
QString code(const std::string& text) {
    return QStringLiteral("<code>%1</code>").arg(shown_message(text).toHtmlEscaped());
}

QString heading(const QString& text) {
    return QStringLiteral("<p style='margin-top:14px; margin-bottom:4px'><b>%1</b></p>").arg(text.toHtmlEscaped());
}

QString kind_text(AttributeKind kind) {
    switch (kind) {
        case AttributeKind::Int: return OperatorSheet::tr("integer");
        case AttributeKind::Bool: return OperatorSheet::tr("True or False");
        case AttributeKind::Double: return OperatorSheet::tr("number");
        case AttributeKind::String: return OperatorSheet::tr("text");
        case AttributeKind::DType: return OperatorSheet::tr("element type");
        case AttributeKind::IntegerList: return OperatorSheet::tr("integers");
        case AttributeKind::Object: break;
    }
    return OperatorSheet::tr("any value");
}

QString relation_text(OpPattern pattern) {
    switch (pattern) {
        case OpPattern::Elementwise: return OperatorSheet::tr("one element of the result from one of each operand");
        case OpPattern::Broadcast: return OperatorSheet::tr("one element from one of each operand, after broadcasting");
        case OpPattern::Injective: return OperatorSheet::tr("each element of the result is one of an operand");
        case OpPattern::Reduction: return OperatorSheet::tr("one element of the result from many");
        case OpPattern::Complex:
            return OperatorSheet::tr("sums of products: elementwise operators can follow in its loop");
        case OpPattern::Opaque: break;
    }
    return OperatorSheet::tr("nothing is known: it is never fused");
}

QString shapes_here(const Module& module, ExprId call, const OpRecord& record) {
    const auto type_of = [&](ExprId id) {
        return module.type(id).valid() ? module.types().to_string(module.type(id)) : std::string("?");
    };
    QString text;
    const std::span<const ExprId> arguments = module.arguments(call);
    for (size_t i = 0; i < arguments.size(); ++i) {
        const std::string name =
            record.inputs.empty() ? std::string() : record.inputs[std::min(i, record.inputs.size() - 1)] + ": ";
        text += code(name + type_of(arguments[i])) + QStringLiteral("<br/>");
    }
    return text + QStringLiteral("→ ") + code(type_of(call));
}

QString attributes_here(const Module& module, ExprId call, const OpRecord& record) {
    const AttributeList& values = attributes_of(module, call).values();
    QString rows = QStringLiteral(
                       "<tr><th align='left'>%1</th><th align='left'>%2</th><th align='left'>%3</th>"
                       "<th align='left'>%4</th><th align='left'>%5</th></tr>")
                       .arg(OperatorSheet::tr("Attribute"), OperatorSheet::tr("Here"), OperatorSheet::tr("Default"),
                            OperatorSheet::tr("Kind"), OperatorSheet::tr("Meaning"));
    for (size_t i = 0; i < record.attributes.size(); ++i) {
        const AttributeField& field = record.attributes[i];
        const std::string here = i < values.size() ? values[i].to_string() : std::string();
        const bool differs = field.required || here != field.default_value.to_string();
        rows += QStringLiteral("<tr><td>%1</td><td>%2</td><td>%3</td><td>%4</td><td>%5</td></tr>")
                    .arg(code(field.name), differs ? QStringLiteral("<b>%1</b>").arg(code(here)) : code(here),
                         field.required ? OperatorSheet::tr("must be given").toHtmlEscaped()
                                        : code(field.default_value.to_string()),
                         kind_text(field.kind).toHtmlEscaped(), say_summary(field.summary).toHtmlEscaped());
    }
    return QStringLiteral("<table cellspacing='0' cellpadding='4'>%1</table>").arg(rows);
}

QString names(const OperatorPage& page) {
    QString onnx;
    for (const std::string& name : page.onnx) onnx += (onnx.isEmpty() ? QString() : QStringLiteral(", ")) + code(name);
    if (onnx.isEmpty()) onnx = OperatorSheet::tr("cannot be written as ONNX").toHtmlEscaped();
    return QStringLiteral("Relay: %1<br/>ONNX: %2").arg(code(page.name), onnx);
}

QString executors(const OperatorPage& page) {
    if (page.runs && page.writes_c) return OperatorSheet::tr("runs on default; generated C can compute it");
    if (page.runs) return OperatorSheet::tr("runs on default; generated C can't compute it");
    return OperatorSheet::tr("nothing here can run it");
}

}  // namespace

OperatorSheet::OperatorSheet(Document& document, QWidget* parent)
    : QDialog(parent), document_(document), text_(new QTextBrowser) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Operator"));
    resize(fontMetrics().averageCharWidth() * 120, fontMetrics().height() * 34);
    text_->setAccessibleName(tr("What the operator is"));
    text_->setOpenLinks(false);
    text_->setFrameShape(QFrame::NoFrame);
    text_->document()->setDocumentMargin(16);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(text_);
    connect(&document, &Document::selectionChanged, this, &OperatorSheet::follow);
    follow();
}

ExprId OperatorSheet::selected_call(const Document& document) {
    if (!document.isOpen()) return {};
    const Module& module = *document.shownModule();
    for (ExprId id : document.selection())
        if (called_op_record(module, id)) return id;
    return {};
}

void OperatorSheet::follow() {
    const ExprId call = selected_call(document_);
    if (!call.valid() || (call == shown_ && module_ == document_.shownModule())) return;
    shown_ = call;
    module_ = document_.shownModule();
    text_->setHtml(page(call));
    setWindowTitle(tr("Operator %1").arg(QString::fromStdString(called_op_record(*module_, call)->name)));
}

QString OperatorSheet::page(ExprId call) const {
    const OpRecord& record = *called_op_record(*module_, call);
    const OperatorPage known = operator_page(record);
    QString html =
        QStringLiteral("<h2>%1</h2><p>%2</p>").arg(escaped(known.name), say_summary(known.summary).toHtmlEscaped());
    html += heading(tr("Shapes here")) + shapes_here(*module_, call, record);
    if (!record.attributes.empty()) html += heading(tr("Attributes")) + attributes_here(*module_, call, record);
    if (!known.formula.empty()) html += heading(tr("One element of the result, in C")) + code(known.formula);
    html += heading(tr("Result and operands")) + relation_text(record.pattern).toHtmlEscaped();
    html += heading(tr("Names")) + names(known);
    html += heading(tr("Executors")) + executors(known).toHtmlEscaped();
    if (!known.call.empty()) {
        QString types;
        for (const std::string& operand : known.operands) types += code(operand) + QStringLiteral("<br/>");
        html += heading(tr("Example")) + code(known.call) + QStringLiteral("<br/>") + types + QStringLiteral("→ ") +
                code(known.result);
    }
    return html;
}

}  // namespace partita
