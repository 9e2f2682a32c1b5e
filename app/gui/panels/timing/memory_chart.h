// The memory that a run's plan keeps at each step: one area for each backend, stacked. A click or the arrow keys choose
// a step, P the one with the peak.
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "app/gui/style/theme.h"
#include "engine/runtime/run.h"

namespace partita {

/// What a run keeps in memory, added up for the eye.
struct MemoryPicture {
    struct Layer {
        std::string backend;
        std::vector<size_t> bytes;  ///< by step
    };
    std::shared_ptr<const RunReport> report;
    std::vector<Layer> layers;  ///< in the order in which backends occur
    std::vector<size_t> live;   ///< by step: of all layers
    size_t peak = 0;            ///< the step with the most
};
/// For a worker.
MemoryPicture memory_picture(std::shared_ptr<const RunReport> report);
/// "add #3".
QString memory_name(const MemoryUse::Step& step);

class MemoryChart : public QWidget {
    Q_OBJECT

public:
    explicit MemoryChart(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `colours`: for each layer the index of its backend.
    void setPicture(std::shared_ptr<const MemoryPicture> picture, std::vector<int> colours);
    void setStep(size_t step);
    size_t step() const { return step_; }
    QSize sizeHint() const override { return {360, 140}; }

signals:
    void stepChosen(size_t step);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    size_t steps() const { return picture_ ? picture_->live.size() : 0; }
    QRectF area() const;
    double xOf(size_t step) const;
    size_t stepAt(double x) const;
    void choose(size_t step);
    void paintLayers(QPainter& painter, double top) const;
    void paintAxes(QPainter& painter, double top) const;

    Theme theme_;
    std::shared_ptr<const MemoryPicture> picture_;
    std::vector<int> colours_;
    size_t step_ = 0;
};

}  // namespace partita
