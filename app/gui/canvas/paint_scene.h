// What the painters of one picture share: the graph, how it is marked, in which colours and at which scale. A value
// that refers to what paint_graph was given; lives as long as that call.
#pragma once

#include <algorithm>

#include <QFontMetricsF>
#include <QPainter>

#include "app/gui/canvas/graph_painter.h"
#include "app/gui/canvas/reading_room.h"
#include "engine/exporters/picture.h"

namespace partita {

// Scales below which details are left out, in device pixels for one unit.
inline constexpr double kDetailScale = kReadable, kBoxScale = 0.12;

class PaintScene {
public:
    PaintScene(QPainter& painter, const GraphModel& model, const GraphGeometry& geometry,
               const GraphDecoration& decoration, const PaintMarks& marks, const Theme& theme,
               const PaintOptions& options)
        : painter_(painter), model_(model), geometry_(geometry), decoration_(decoration), marks_(marks), theme_(theme),
          options_(options) {
        title_font_.setPixelSize(13);
        title_font_.setBold(true);
        detail_font_.setPixelSize(11);
        badge_font_.setPixelSize(10);
        badge_font_.setBold(true);
        for (int backend = -1; backend < int(decoration.backend_names.size()); ++backend) {
            backend_colours_.push_back(theme.backend_colours(backend));
            const std::string name = decoration.backend_name(backend).toStdString();
            badges_ << QString::fromStdString(std::string(badge_text(name)));
        }
    }

protected:
    bool far() const { return options_.scale < kBoxScale; }

    const BackendColours& colours(int backend) const {
        return backend_colours_[size_t(std::clamp<int>(backend + 1, 0, int(backend_colours_.size()) - 1))];
    }

    const QString& badge(int backend) const {
        return badges_[std::clamp<qsizetype>(backend + 1, 0, badges_.size() - 1)];
    }

    int backend_of(uint32_t node) const { return node < decoration_.backend.size() ? decoration_.backend[node] : -2; }

    bool selected(uint32_t node) const { return node < marks_.selected.size() && marks_.selected[node]; }

    int highlight(uint32_t node) const { return node < marks_.highlighted.size() ? marks_.highlighted[node] : 0; }

    double hair(double pixels) const { return pixels / options_.scale; }

    QPainter& painter_;
    const GraphModel& model_;
    const GraphGeometry& geometry_;
    const GraphDecoration& decoration_;
    const PaintMarks& marks_;
    const Theme& theme_;
    const PaintOptions& options_;
    QFont title_font_, detail_font_, badge_font_;
    std::vector<BackendColours> backend_colours_;
    QStringList badges_;  ///< as backend_colours_: default's first
};

}  // namespace partita
