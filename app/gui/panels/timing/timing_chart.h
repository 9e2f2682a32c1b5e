// Bars of the regions' times, longest first, in their backends' colours. A click or Enter chooses a region.
#pragma once

#include <QAbstractScrollArea>
#include <vector>

#include "app/gui/style/telling_names.h"
#include "app/gui/style/theme.h"
#include "engine/session/session.h"

namespace partita {

struct TimingBar {
    QString name;
    double milliseconds = 0;
    int region = 0;  ///< index into the report
};
/// The regions of a run, longest first. For a worker.
std::vector<TimingBar> bars_of(const RunReport& report);

class TimingChart : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TimingChart(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void setBars(std::vector<TimingBar> bars);
    /// For each region of the report the index of its colour.
    void setBackends(std::vector<int> backends);
    void setCurrentRegion(int region);

signals:
    void regionChosen(int region);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    void updateRange();
    int barAt(int y) const;
    void choose(int bar);

    Theme theme_;
    std::vector<TimingBar> bars_;
    TellingNames names_;
    std::vector<int> backends_;
    int current_ = -1;  ///< index into bars_
};

}  // namespace partita
