#include "app/gui/canvas/query_legend.h"

#include "app/gui/style/foreign_text.h"

namespace partita {

QueryLegend::QueryLegend(QWidget* parent) : QLabel(parent), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    setObjectName(QStringLiteral("query-legend"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setTextFormat(Qt::RichText);
    setMargin(6);
    hide();
}

void QueryLegend::setTheme(const Theme& theme) {
    theme_ = theme;
    write();
}

void QueryLegend::tell(const QStringList& queries, const std::vector<size_t>& counts) {
    queries_ = queries;
    counts_ = counts;
    write();
}

void QueryLegend::write() {
    constexpr qsizetype kMostLetters = 48;
    QStringList lines;
    for (qsizetype i = 0; i < queries_.size(); ++i) {
        if (queries_[i].trimmed().isEmpty()) continue;
        QString line = QStringLiteral("<span style='color:%1'>\u25a0</span> %2")
                           .arg(theme_.tint(int(i)).name(), shortened(queries_[i], kMostLetters).toHtmlEscaped());
        if (size_t(i) < counts_.size()) line += QStringLiteral(" (%1)").arg(counts_[size_t(i)]);
        lines << line;
    }
    setText(lines.join(QStringLiteral("<br>")));
    setStyleSheet(QStringLiteral("background:%1; color:%2; border:1px solid %3; border-radius:4px")
                      .arg(theme_.panel.name(), theme_.text.name(), theme_.border.name()));
    setVisible(!lines.isEmpty());
    adjustSize();
}

}  // namespace partita
