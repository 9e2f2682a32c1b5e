#include "app/gui/panels/inspector/inspector_costs.h"

#include <cmath>

#include <QCoreApplication>
#include <QStringList>

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

constexpr int kMostTerms = 8;

class CostsWriter {
    Q_DECLARE_TR_FUNCTIONS(Inspector)

public:
    CostsWriter(const PlacedModule& placed, const OperatorCosts& costs, const Document& document, const Theme& theme)
        : placed_(placed), costs_(costs), document_(document), theme_(theme) {}

    QString write() {
        html_ = QStringLiteral("<h3>%1</h3>").arg(tr("By time").toHtmlEscaped());
        html_ +=
            QStringLiteral("<p>%1</p>")
                .arg(
                    tr("It is on %1. What a run takes more or less with it elsewhere, by the costs that were measured:")
                        .arg(chip(costs_.here)));
        html_ += QStringLiteral("<table cellspacing='0' width='100%'>");
        for (const FlipCost& flip : costs_.flips) write_flip(flip);
        html_ += QStringLiteral("</table>");
        for (uint16_t label : costs_.refusing)
            html_ += QStringLiteral("<p class='m'>%1</p>").arg(tr("No rule of %1 takes it.").arg(chip(label)));
        return html_;
    }

    static QString moved_alone() { return tr("Moved alone, it changes nothing: the graph is divided as before."); }

    static QString terms(const PlacedModule& placed, const ExpressionNames& names, const std::vector<CostTerm>& terms) {
        const CostModel& model = placed.task.model;
        QStringList parts;
        for (const CostTerm& term : terms) {
            if (parts.size() == kMostTerms) {
                parts << tr("%n more", nullptr, int(terms.size()) - kMostTerms);
                break;
            }
            const QString from = QString::fromStdString(model.name(term.from)),
                          to = QString::fromStdString(model.name(term.to)), ms = duration_text(term.ms);
            const QString bytes = bytes_text(term.mb * 1e6);
            if (term.kind == CostTerm::Kind::Unit)
                parts << tr("%1 on %2: %3").arg(shown_name(names.name(model.operators()[term.op].expr)), from, ms);
            else if (term.kind == CostTerm::Kind::Layout) parts << tr("%1 laid out anew for %2: %3").arg(bytes, to, ms);
            else if (term.from == term.to) parts << tr("%1 between regions of %2: %3").arg(bytes, from, ms);
            else parts << tr("%1 from %2 to %3: %4").arg(bytes, from, to, ms);
        }
        return parts.isEmpty() ? tr("nothing") : parts.join(QStringLiteral(" + "));
    }

private:
    QString chip(uint16_t label) const {
        const std::string& name = placed_.task.model.name(label);
        const BackendColours colours = theme_.backend_colours(document_.choice().backend_index(name));
        return QStringLiteral("<span style='background-color:%1; color:%2'>&nbsp;%3&nbsp;</span>")
            .arg(colours.strong.name(), colours.on_strong.name(), QString::fromStdString(name).toHtmlEscaped());
    }

    QString link(const char* scheme, const FlipCost& flip, const QString& text) const {
        return QStringLiteral("<a href='%1:%2/%3'>%4</a>")
            .arg(QLatin1String(scheme))
            .arg(flip.op)
            .arg(flip.to)
            .arg(text.toHtmlEscaped());
    }

    QString difference(double ms) const {
        const QString text = cost_difference_text(ms);
        const bool noise = std::abs(ms) < placed_.answer.noise_ms;
        return noise ? QStringLiteral("%1 <span class='m'>(%2)</span>").arg(text, tr("within the noise")) : text;
    }

    QString terms_of(const FlipCost& flip) const {
        if (flip.changes_nothing()) return moved_alone_text().toHtmlEscaped();
        return tr("now: %1").arg(terms(placed_, document_.names(), flip.before)).toHtmlEscaped() +
               QStringLiteral("<br>") +
               tr("then: %1").arg(terms(placed_, document_.names(), flip.after)).toHtmlEscaped();
    }

    void write_flip(const FlipCost& flip) {
        html_ += QStringLiteral(
                     "<tr><td valign='top' width='30%'>%1</td><td>%2 · %3<br>%4 · %5"
                     "<br><span class='m'>%6</span></td></tr>")
                     .arg(chip(flip.to), tr("alone %1").arg(difference(flip.ms)), link("move", flip, tr("Move it")),
                          tr("with others %1").arg(difference(flip.regret_ms)),
                          link("movewith", flip, tr("Move with others")), terms_of(flip));
    }

    const PlacedModule& placed_;
    const OperatorCosts& costs_;
    const Document& document_;
    const Theme& theme_;
    QString html_;
};

}  // namespace

QString cost_terms_text(const PlacedModule& placed, const ExpressionNames& names, const std::vector<CostTerm>& terms) {
    return CostsWriter::terms(placed, names, terms);
}

QString moved_alone_text() { return CostsWriter::moved_alone(); }

QString cost_text(double ms) { return ms > 0 ? duration_text(ms) : QStringLiteral("–"); }

QString cost_difference_text(double ms) {
    return (ms < 0 ? QStringLiteral("−") : QStringLiteral("+")) + duration_text(std::abs(ms));
}

QString costs_text(const PlacedModule& placed, const OperatorCosts& costs, const Document& document,
                   const Theme& theme) {
    return CostsWriter(placed, costs, document, theme).write();
}

}  // namespace partita
