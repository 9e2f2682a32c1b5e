#include "app/gui/panels/inspector/inspector_edge.h"

#include <algorithm>

#include <QCoreApplication>
#include <QStringList>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

struct Edge {
    Q_DECLARE_TR_FUNCTIONS(Edge)
};

constexpr int kMostUsers = 20;

QString link_to(const ExpressionNames& names, ExprId id) {
    return QStringLiteral("<a href='expr:%1'>%2</a>").arg(id.value).arg(shown_name(names.name(id)).toHtmlEscaped());
}

QString edge_row(const QString& name, const QString& rich) {
    return QStringLiteral("<tr><td class='whole' width='36%' valign='top'>%1</td><td>%2</td></tr>")
        .arg(name.toHtmlEscaped(), rich);
}

/// "weight of nn.conv2d #3"
QString input_text(const ExpressionNames& names, const ShownEdge& edge) {
    const Module& module = names.module();
    const bool is_call = module.kind(edge.user) == ExprKind::Call;
    const uint32_t index = edge.operand - (is_call && edge.operand > 0 ? 1 : 0);
    const OpRecord* op = called_op_record(module, edge.user);
    const QString name =
        op && index < op->inputs.size() ? QString::fromStdString(op->inputs[index]) : QString::number(index);
    return QStringLiteral("%1 <span class='m'>(%2)</span>").arg(link_to(names, edge.user), name.toHtmlEscaped());
}

}  // namespace

QString edge_text(const ExpressionNames& names, const ShownEdge& edge, const Theme& theme) {
    const Module& module = names.module();
    QStringList users;
    int more = 0;
    for (uint32_t i = edge.value.value + 1; i < module.size(); ++i) {
        const ExprId user(i);
        if (module.kind(user) == ExprKind::Function || user == edge.user) continue;
        if (module.kind(user) == ExprKind::Call && names.number(user) == 0) continue;  // no function leads to it
        const std::span<const ExprId> operands = module.operands(user);
        if (std::find(operands.begin(), operands.end(), edge.value) == operands.end()) continue;
        if (users.size() < kMostUsers) users << link_to(names, user);
        else ++more;
    }
    if (more) users << Edge::tr("and %n more", nullptr, more);
    const std::string_view label = module.label(edge.value);
    QString html = QStringLiteral("<h2>%1</h2><table cellspacing='0' width='100%'>").arg(Edge::tr("Value on an edge"));
    if (!label.empty()) html += edge_row(Edge::tr("Name"), shown_name(label).toHtmlEscaped());
    const TypeId type = module.type(edge.value);
    constexpr size_t kMostShown = 600;
    html += edge_row(
        Edge::tr("Type"),
        QStringLiteral("<code>%1</code>")
            .arg(shortened(shown_name(module.types().to_string(type, kMostShown)), int(kMostShown)).toHtmlEscaped()));
    if (const double bytes = type_bytes(module.types(), type); bytes > 0)
        html += edge_row(Edge::tr("Size"), bytes_text(bytes));
    const QString mark = QStringLiteral("<span style='color:%1'>%2</span> %3");
    html +=
        edge_row(Edge::tr("From"), mark.arg(theme.outgoing.name(), QStringLiteral("●"), link_to(names, edge.value)));
    html += edge_row(Edge::tr("To"), mark.arg(theme.incoming.name(), QStringLiteral("●"), input_text(names, edge)));
    if (!users.isEmpty()) html += edge_row(Edge::tr("Also used by"), users.join(QStringLiteral("<br>")));
    return html +
           QStringLiteral("</table><p class='m'>%1</p>").arg(Edge::tr("E chooses the next edge that enters the node."));
}

}  // namespace partita
