// What a widget paints, as a person sees it: words with their places and colours, and dots.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QWidget>

namespace partita {

struct PaintedWords {
    QString words;
    QRectF box;
    QColor colour;
};

/// Takes down what is painted on it; areas and lines leave nothing.
class Painted : public QPaintDevice {
public:
    explicit Painted(QWidget& widget) : engine_(*this), size_(widget.size()) { widget.render(this); }

    std::vector<PaintedWords> words;
    std::vector<QRectF> dots;

    QStringList texts() const {
        QStringList all;
        for (const PaintedWords& each : words) all << each.words;
        return all;
    }
    /// Where words stand; empty if they don't.
    QRectF placeOf(const QString& text) const {
        for (const PaintedWords& each : words)
            if (each.words == text) return each.box;
        return {};
    }

    QPaintEngine* paintEngine() const override { return &engine_; }

protected:
    int metric(PaintDeviceMetric what) const override {
        switch (what) {
            case PdmWidth: return size_.width();
            case PdmHeight: return size_.height();
            case PdmDepth: return 32;
            case PdmDevicePixelRatio: return 1;
            case PdmDevicePixelRatioScaled: return int(devicePixelRatioFScale());
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY: return 96;
            default: return 0;
        }
    }

private:
    class Engine : public QPaintEngine {
    public:
        explicit Engine(Painted& painted) : QPaintEngine(AllFeatures), painted_(painted) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        Type type() const override { return User; }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawEllipse(const QRectF& box) override {
            painted_.dots.push_back(painter()->combinedTransform().mapRect(box));
        }
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            const QRectF box(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
            painted_.words.push_back(
                {item.text(), painter()->combinedTransform().mapRect(box), painter()->pen().color()});
        }

    private:
        Painted& painted_;
    };

    mutable Engine engine_;
    QSize size_;
};

}  // namespace partita
