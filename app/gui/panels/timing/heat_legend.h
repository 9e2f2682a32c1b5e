// What the colours of the heat overlay stand for: the scale from no time to the longest operator's.
#pragma once

#include <QWidget>

#include "app/gui/style/theme.h"

namespace partita {

class HeatLegend : public QWidget {
    Q_OBJECT

public:
    explicit HeatLegend(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// The time that the hottest colour stands for.
    void setLongest(double milliseconds);
    double longest() const { return longest_; }
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme theme_;
    double longest_ = 0;
};

}  // namespace partita
