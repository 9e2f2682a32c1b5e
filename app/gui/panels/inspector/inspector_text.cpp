#include "app/gui/panels/inspector/inspector_text.h"

#include <algorithm>
#include <map>

#include <QCoreApplication>
#include <QStringList>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/editing/attribute_fields.h"
#include "app/gui/panels/inspector/inspector_edge.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "app/gui/style/number_text.h"
#include "engine/edits/edits.h"
#include "engine/flow/region_names.h"
#include "engine/ops/cost.h"
#include "engine/ops/foreign.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

/// The context of what is translated here.
struct Inspector {
    Q_DECLARE_TR_FUNCTIONS(Inspector)
};

class InspectorWriter {
    Q_DECLARE_TR_FUNCTIONS(Inspector)

public:
    InspectorWriter(const Document& document, const ExpressionNames& names, const Theme& theme, const WhyText& why,
                    bool tells_regions)
        : document_(document), theme_(theme), module_(*document.shownModule()), names_(names), why_(why),
          tells_regions_(tells_regions) {}

    QString write() {
        const std::vector<ExprId>& selection = document_.selection();
        if (!why_.edge.isEmpty()) html_ += why_.edge + why_.more;
        else if (selection.empty()) write_module();
        else if (selection.size() == 1) write_expression(selection.front());
        else {
            html_ += why_.group;
            write_many(selection);
        }
        return QStringLiteral(
                   "<style>td { padding: 1px 10px 1px 0; } h3 { margin-top: 12px; margin-bottom: 4px; } "
                   "h2 { font-size: large; } a { text-decoration: none; color: %1; } .m { color: %2; } "
                   ".whole { color: %2; white-space: nowrap; }</style>%3")
            .arg(theme_.accent.name(), theme_.muted_text.name(), html_);
    }

private:
    void heading(const QString& text) { html_ += QStringLiteral("<h3>%1</h3>").arg(text.toHtmlEscaped()); }
    void open_table() { html_ += QStringLiteral("<table cellspacing='0' width='100%' style='margin-top: 4px'>"); }
    void close_table() { html_ += QStringLiteral("</table>"); }
    /// `value` is rich text.
    void row(const QString& name, const QString& value, int name_percent = 36) {
        constexpr int kLongName = 24;  // shorter ones are not broken inside a word
        constexpr double kLargeType = 1.4;
        constexpr qsizetype kFitsInLargeType = 17;
        if (theme_.type_size >= kLargeType && name.size() + letters_of(value) > kFitsInLargeType) {
            html_ += QStringLiteral("<tr><td colspan='2' class='m'>%1</td></tr><tr><td colspan='2'>%2</td></tr>")
                         .arg(name.toHtmlEscaped(), value);
            return;
        }
        html_ += QStringLiteral("<tr><td class='%4' width='%3%' valign='top'>%1</td><td>%2</td></tr>")
                     .arg(name.toHtmlEscaped(), value, QString::number(name_percent),
                          name.size() > kLongName ? QStringLiteral("m") : QStringLiteral("whole"));
    }

    /// Of rich text: those that are seen.
    static qsizetype letters_of(const QString& html) {
        qsizetype count = 0;
        bool in_tag = false;
        for (const QChar letter : html) {
            if (letter == QLatin1Char('<')) in_tag = true;
            count += !in_tag;
            if (letter == QLatin1Char('>')) in_tag = false;
        }
        return count;
    }

    QString chip(int backend) const {
        const BackendColours colours = theme_.backend_colours(backend);
        return QStringLiteral("<span style='background-color:%1; color:%2'>&nbsp;%3&nbsp;</span>")
            .arg(colours.strong.name(), colours.on_strong.name(), document_.backendName(backend).toHtmlEscaped());
    }

    QString link(ExprId id) const {
        return QStringLiteral("<a href='expr:%1'>%2</a>").arg(id.value).arg(escaped(names_.name(id)));
    }

    static constexpr int kMostOfType = 240;

    QString type_of(ExprId id) const { return code_of(module_.types().to_string(module_.type(id), kMostOfType)); }

    /// A function's type may be pages long, and is cut before it is looked at letter by letter.
    static QString code_of(const std::string& type) {
        const QString shown = shown_name(type.substr(0, kMostOfType + 1));
        return QStringLiteral("<code>%1</code>").arg(shortened(shown, kMostOfType).toHtmlEscaped());
    }

    void write_module() {
        const ModuleSummary& summary = document_.summary();
        html_ += QStringLiteral("<h2>%1</h2>").arg(shown_name(document_.title()).toHtmlEscaped());
        open_table();
        row(tr("Calls"), QString::number(summary.calls));
        row(tr("Functions"), QString::number(summary.functions));
        row(tr("Parameters"),
            QStringLiteral("%1 (%2)").arg(summary.parameters).arg(bytes_text(summary.parameter_bytes)));
        row(tr("Constants"), QStringLiteral("%1 (%2)").arg(summary.constants).arg(bytes_text(summary.constant_bytes)));
        row(tr("Work"), work_text(summary.flops));
        if (!summary.output_type.empty()) row(tr("Result"), code_of(summary.output_type));
        close_table();
        write_coverage();
        heading(tr("Operators"));
        open_table();
        for (const OpCount& op : summary.ops)
            row(op.op.empty() ? tr("(function call)") : QString::fromStdString(op.op),
                tr("%n call(s)", nullptr, op.calls), 60);
        close_table();
        html_ += QStringLiteral("<p class='m'>%1</p>")
                     .arg(tr("Select an operator to see its attributes, types, and why it goes where it goes."));
    }

    /// How much of the module each backend takes.
    void write_coverage() {
        const FlowPtr flow = document_.flow();
        if (!flow) return;
        std::map<int, int64_t> calls;
        int64_t all = 0;
        const FunctionUses& uses = document_.named()->uses;
        for (ExprId call : names_.calls()) {  // an imported module holds others, too, which nothing uses
            const OpRecord* op = called_op_record(module_, call);
            if (!op || op->name.starts_with("annotation.compiler_")) continue;  // those compute nothing
            calls[document_.backendOf(call)] += uses.times(call);
            all += uses.times(call);
        }
        heading(tr("Coverage"));
        open_table();
        for (const auto& [backend, count] : calls)
            row(document_.backendName(backend), tr("%1 of %2 calls (%3)")
                                                    .arg(count)
                                                    .arg(all)
                                                    .arg(percent_text(double(count) / std::max(double(all), 1.0))));
        if (tells_regions_ && shows_regions(*flow)) row(tr("Regions"), QString::number(flow->regions.size()));
        close_table();
    }

    void write_expression(ExprId id) {
        html_ += QStringLiteral("<h2>%1</h2>").arg(escaped(names_.name(id)));
        const OpRecord* op = called_op_record(module_, id);
        if (op && !op->summary.empty())
            html_ += QStringLiteral("<p class='m'>%1</p>").arg(escaped(say_summary(op->summary).toStdString()));
        open_table();
        row(tr("Backend"), chip(document_.backendOf(id)));
        if (tells_regions_) write_region(id);
        write_output(id);
        row(tr("Type"), type_of(id));
        if (const double bytes = type_bytes(module_.types(), module_.type(id)); bytes > 0)
            row(tr("Size"), bytes_text(bytes));
        close_table();
        write_note(id);
        write_reasons();
        if (op) write_attributes(id, *op);
        write_operands(id, op);
        write_users(id);
        html_ += why_.more;
    }

    /// What a result of the module is called in files.
    void write_output(ExprId id) {
        const ExprId main = module_.find_function("main");
        if (!main.valid()) return;
        if (const std::optional<size_t> output = output_of(module_, main, id))
            row(tr("Output"), escaped(output_names(module_, main)[*output]));
    }

    void write_note(ExprId id) {
        const std::string& note = document_.note(id);
        if (note.empty()) return;
        heading(tr("Note"));
        html_ += QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(shown_message(note).toHtmlEscaped());
    }

    void write_region(ExprId id) {
        const FlowPtr flow = document_.flow();
        if (!flow || id.value >= flow->region_of.size() || flow->region_of[id.value] < 0) return;
        const int index = flow->region_of[id.value];
        const RegionInfo& region = flow->regions[size_t(index)];
        row(tr("Region"), QStringLiteral("<a href='region:%1'>%2</a>, %3")
                              .arg(index)
                              .arg(shown_name(region_name(region, names_)).toHtmlEscaped(),
                                   tr("%n expression(s)", nullptr, int(region.expressions.size()))));
    }

    void write_attributes(ExprId id, const OpRecord& op) {
        if (op.attributes.empty() || !module_.attributes_id(id).valid()) return;
        heading(tr("Attributes"));
        open_table();
        for_each_shown_attribute(
            attributes_of(module_, id), [&](const std::string& name, const AttributeValue* value, bool is_default) {
                const QString text = !value             ? tr("not kept")
                                     : value->is_none() ? QStringLiteral("None")
                                                        : escaped(beginning_of(*value).to_string());
                row(escaped(name), is_default ? QStringLiteral("<span class='m'>%1</span>").arg(text)
                                              : QStringLiteral("<b>%1</b>").arg(text));
            });
        close_table();
    }

    void write_operands(ExprId id, const OpRecord* op) {
        std::span<const ExprId> operands = module_.operands(id);
        const bool is_call = module_.kind(id) == ExprKind::Call;
        if (is_call) operands = operands.subspan(1);
        if (operands.empty()) return;
        heading(tr("Inputs"));
        open_table();
        for (size_t i = 0; i < operands.size(); ++i) {
            const QString name =
                op && i < op->inputs.size() ? QString::fromStdString(op->inputs[i]) : QString::number(i);
            row(name, QStringLiteral("%1<br>%2").arg(link(operands[i]), type_of(operands[i])));
        }
        close_table();
    }

    /// A call that no function leads to.
    bool isLeftOver(ExprId id) const { return module_.kind(id) == ExprKind::Call && names_.number(id) == 0; }

    void write_users(ExprId id) {
        constexpr int kMostUsers = 20;
        QStringList users;
        int more = 0;
        for (uint32_t i = id.value + 1; i < module_.size(); ++i) {
            const ExprId user(i);
            if (module_.kind(user) == ExprKind::Function || isLeftOver(user)) continue;
            std::span<const ExprId> operands = module_.operands(user);
            if (std::find(operands.begin(), operands.end(), id) == operands.end()) continue;
            if (users.size() < kMostUsers) users << link(user);
            else ++more;
        }
        if (users.isEmpty()) return;
        if (more) users << tr("and %n more", nullptr, more);
        heading(tr("Used by"));
        html_ += QStringLiteral("<p>%1</p>").arg(users.join(QStringLiteral("<br>")));
    }

    void write_reasons() {
        heading(tr("Why"));
        html_ += document_.flow() ? why_.html
                                  : QStringLiteral("<p class='m'>%1</p>")
                                        .arg(tr("Nothing was decided yet: annotate, or give it to a backend."));
    }

    void write_many(const std::vector<ExprId>& selection) {
        html_ += QStringLiteral("<h2>%1</h2>").arg(tr("%n selected", nullptr, int(selection.size())));
        std::map<const OpRecord*, int> counts;  // all operators of a large graph may be selected
        std::map<int, int> backends;
        for (ExprId id : selection) {
            ++counts[called_op_record(module_, id)];
            if (module_.kind(id) == ExprKind::Call) ++backends[document_.backendOf(id)];
        }
        std::map<QString, int> ops;
        for (const auto& [op, count] : counts) ops[op ? QString::fromStdString(op->name) : tr("other")] = count;
        heading(tr("Backends"));
        open_table();
        for (const auto& [backend, count] : backends)
            row(document_.backendName(backend), tr("%n call(s)", nullptr, count));
        close_table();
        heading(tr("Operators"));
        open_table();
        for (const auto& [op, count] : ops) row(op, QString::number(count), 60);
        close_table();
        html_ += QStringLiteral("<p class='m'>%1</p>")
                     .arg(tr("Press 0 to 9 to give them to a backend, A to leave them to the rules."));
    }

    const Document& document_;
    const Theme& theme_;
    const Module& module_;
    const ExpressionNames& names_;
    const WhyText& why_;
    const bool tells_regions_;
    QString html_;
};

}  // namespace

QString inspector_text(const Document& document, const ExpressionNames& names, const Theme& theme, const WhyText& why,
                       bool tells_regions) {
    return InspectorWriter(document, names, theme, why, tells_regions).write();
}

}  // namespace partita
