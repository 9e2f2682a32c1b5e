// Which colour on the canvas stands for which query, and how many nodes each found. Lets the mouse through.
#pragma once

#include <vector>

#include <QLabel>

#include "app/gui/style/theme.h"

namespace partita {

class QueryLegend : public QLabel {
    Q_OBJECT

public:
    explicit QueryLegend(QWidget* parent);
    void setTheme(const Theme& theme);
    /// Empty queries have no entry; without any it is hidden. `counts` may be empty: not known yet.
    void tell(const QStringList& queries, const std::vector<size_t>& counts);

private:
    void write();

    Theme theme_;
    QStringList queries_;
    std::vector<size_t> counts_;
};

}  // namespace partita
