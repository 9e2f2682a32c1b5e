#include "app/gui/window/placement_curve.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/panels/inspector/inspector_costs.h"
#include "app/gui/style/number_text.h"

namespace partita {

namespace {

constexpr double kPointRadius = 4;

}  // namespace

CurveChart::CurveChart() {
    setAccessibleName(tr("Curve of placements"));
    setMinimumHeight(8 * fontMetrics().lineSpacing());
}

void CurveChart::setPoints(std::vector<QPointF> points, const QString& across, const QString& up) {
    points_ = std::move(points);
    across_ = across;
    up_ = up;
    chosen_ = -1;
    update();
}

void CurveChart::choose(int point) {
    chosen_ = point;
    update();
}

QSize CurveChart::sizeHint() const { return {400, 12 * fontMetrics().lineSpacing()}; }

/// Both axes begin at 0, so that distances can be compared.
QPointF CurveChart::placeOf(const QPointF& point) const {
    const int line = fontMetrics().lineSpacing();
    double widest = 1e-9, highest = 1e-9;
    for (const QPointF& each : points_) {
        widest = std::max(widest, each.x());
        highest = std::max(highest, each.y());
    }
    const QRectF area(1.5 * line, 1.5 * line, width() - 3.0 * line, height() - 3.5 * line);
    return {area.left() + point.x() / widest * area.width(), area.bottom() - point.y() / highest * area.height()};
}

void CurveChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int line = fontMetrics().lineSpacing();
    const QPointF origin = placeOf({0, 0});
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(origin, QPointF(width() - line, origin.y()));
    painter.drawLine(origin, QPointF(origin.x(), line));
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(QRectF(0, 0, width(), line), Qt::AlignLeft, up_);
    painter.drawText(QRectF(0, height() - line, width() - line, line), Qt::AlignRight, across_);
    QPolygonF way;
    for (const QPointF& point : points_) way << placeOf(point);
    painter.setPen(QPen(palette().color(QPalette::Highlight), 1.5));
    painter.drawPolyline(way);
    for (int i = 0; i < way.size(); ++i) {
        const bool is_chosen = i == chosen_;
        painter.setBrush(is_chosen ? palette().color(QPalette::Highlight) : palette().color(QPalette::Base));
        painter.drawEllipse(way[i], kPointRadius + (is_chosen ? 2 : 0), kPointRadius + (is_chosen ? 2 : 0));
    }
}

void CurveChart::mousePressEvent(QMouseEvent* event) {
    int nearest = -1;
    double distance = 0;
    for (int i = 0; i < int(points_.size()); ++i) {
        const QPointF way = placeOf(points_[size_t(i)]) - event->position();
        const double length = QPointF::dotProduct(way, way);
        if (nearest < 0 || length < distance) {
            nearest = i;
            distance = length;
        }
    }
    if (nearest >= 0) emit chosen(nearest);
}

PlacementCurve::PlacementCurve(PlacedModulePtr placed)
    : placed_(std::move(placed)), goal_(new QComboBox), chart_(new CurveChart), table_(new QTreeWidget),
      open_(new QPushButton(tr("&Use this point"))) {
    goal_->addItems({tr("Fewer regions"), tr("Fewer weights on backends")});
    goal_->setAccessibleName(tr("What there should be less of"));
    table_->setRootIsDecorated(false);
    table_->setAccessibleName(tr("Placements of the curve"));
    auto* column = new QVBoxLayout(this);
    auto* row = new QHBoxLayout;
    row->addWidget(goal_);
    row->addStretch(1);
    row->addWidget(open_);
    column->addLayout(row);
    column->addWidget(chart_, 2);
    column->addWidget(table_, 1);
    connect(goal_, &QComboBox::currentIndexChanged, this, &PlacementCurve::fill);
    connect(chart_, &CurveChart::chosen, this,
            [this](int point) { table_->setCurrentItem(table_->topLevelItem(point)); });
    connect(table_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        open_->setEnabled(item != nullptr);
        chart_->choose(table_->indexOfTopLevelItem(item));
    });
    connect(table_, &QTreeWidget::itemActivated, this, &PlacementCurve::open);
    connect(open_, &QPushButton::clicked, this, &PlacementCurve::open);
    fill();
}

bool PlacementCurve::byWeights() const { return goal_->currentIndex() == 1; }

const std::vector<ParetoPoint>& PlacementCurve::points() const {
    return byWeights() ? placed_->by_weights : placed_->by_regions;
}

void PlacementCurve::fill() {
    std::vector<QPointF> places;
    table_->clear();
    table_->setHeaderLabels({tr("Predicted"), tr("Regions"), tr("Weights on backends")});
    for (const ParetoPoint& point : points()) {
        places.emplace_back(byWeights() ? point.weight_mb : point.regions, point.predicted_ms);
        auto* item = new QTreeWidgetItem(
            table_, {cost_text(point.predicted_ms), QString::number(point.regions), bytes_text(point.weight_mb * 1e6)});
        for (int column = 0; column < 3; ++column) item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    }
    for (int column = 0; column < 3; ++column)
        table_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    table_->header()->setSectionResizeMode(QHeaderView::Stretch);
    chart_->setPoints(std::move(places), byWeights() ? tr("MB of weights on backends") : tr("regions"),
                      tr("predicted ms"));
    table_->setCurrentItem(table_->topLevelItem(0));
}

void PlacementCurve::open() {
    const int row = table_->indexOfTopLevelItem(table_->currentItem());
    if (row >= 0) emit placementWanted(points()[size_t(row)].labels);
}

}  // namespace partita
