// What a widget paints: words with their places and colours, dots, and each drawing operation as a line of text.
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPainterPath>
#include <QWidget>

namespace partita {

struct PaintedWords {
    QString words;
    QRectF box;
    QColor colour;
};

/// Takes down what is painted on it.
class Painted : public QPaintDevice {
public:
    explicit Painted(QWidget& widget, QWidget::RenderFlags what = QWidget::DrawWindowBackground | QWidget::DrawChildren)
        : engine_(*this), size_(widget.size()) {
        widget.render(this, QPoint(), QRegion(), what);
    }

    std::vector<PaintedWords> words;
    std::vector<QRectF> dots;
    /// Shape or words, place in whole pixels, pen, brush, clip: what makes a difference on the screen.
    QStringList operations;

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
        void drawPixmap(const QRectF& box, const QPixmap& pixmap, const QRectF& part) override {
            drawImage(box, pixmap.toImage(), part, Qt::AutoColor);
        }
        void drawImage(const QRectF& box, const QImage& image, const QRectF& part, Qt::ImageConversionFlags) override {
            note(QStringLiteral("image ") + text(mapped(box)) + ' ' + contentOf(image.copy(part.toAlignedRect())),
                 false);
        }
        void drawPath(const QPainterPath& path) override {
            QString line = QStringLiteral("path");
            const QTransform transform = painter()->combinedTransform();
            for (int i = 0; i < path.elementCount(); ++i) {
                const QPainterPath::Element element = path.elementAt(i);
                line += QStringLiteral(" mlcc")[1 + int(element.type)] + text(transform.map(QPointF(element)));
            }
            note(line, true);
        }
        void drawPolygon(const QPointF* points, int count, PolygonDrawMode mode) override {
            QString line = mode == PolylineMode ? QStringLiteral("line") : QStringLiteral("polygon");
            const QTransform transform = painter()->combinedTransform();
            for (int i = 0; i < count; ++i) line += ' ' + text(transform.map(points[i]));
            note(line, true, mode != PolylineMode);
        }
        void drawEllipse(const QRectF& box) override {
            painted_.dots.push_back(mapped(box));
            note(QStringLiteral("ellipse ") + text(mapped(box)), true);
        }
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            const QRectF box(at.x(), at.y() - item.ascent(), item.width(), item.ascent() + item.descent());
            painted_.words.push_back({item.text(), mapped(box), painter()->pen().color()});
            const QFont font = item.font();
            note(QStringLiteral("words \"%1\" %2 %3 %4%5 %6")
                     .arg(item.text(), text(mapped(box)))
                     .arg(qRound(font.pointSizeF() * 10))
                     .arg(font.weight())
                     .arg(QStringLiteral(" italic").left(font.italic() ? -1 : 0) +
                              QStringLiteral(" under").left(font.underline() ? -1 : 0) +
                              QStringLiteral(" struck").left(font.strikeOut() ? -1 : 0),
                          painter()->pen().color().name(QColor::HexArgb)),
                 false);
        }

    private:
        QRectF mapped(const QRectF& box) const { return painter()->combinedTransform().mapRect(box); }
        // A hundredth more: halves, which are common, all go one way.
        static QString number(double value) { return QString::number(qRound64(value + 0.01)); }
        static QString text(const QPointF& point) { return number(point.x()) + ',' + number(point.y()); }
        static QString text(const QRectF& box) { return text(box.topLeft()) + '-' + text(box.bottomRight()); }
        static QString text(const QBrush& brush) {
            QString line = brush.color().name(QColor::HexArgb);
            if (brush.style() != Qt::SolidPattern) line += QStringLiteral(" style %1").arg(int(brush.style()));
            if (const QGradient* gradient = brush.gradient())
                for (const QGradientStop& stop : gradient->stops()) line += ' ' + stop.second.name(QColor::HexArgb);
            return line;
        }
        /// Few colours at few places: enough to tell icons apart, and what no rounding changes.
        static QString contentOf(const QImage& image) {
            const QImage small = image.scaled(6, 6, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                                     .convertToFormat(QImage::Format_ARGB32);
            size_t hash = 0;
            for (int i = 0; i < 36; ++i) {
                const QRgb at = small.isNull() ? 0 : small.pixel(i % 6, i / 6);
                for (const int channel : {qRed(at), qGreen(at), qBlue(at), qAlpha(at)})
                    hash = hash * 31 + size_t(channel + 8) / 32;
            }
            return QStringLiteral("%1x%2 %3").arg(image.width()).arg(image.height()).arg(hash, 0, 16);
        }
        void note(QString line, bool shape, bool filled = true) {
            if (shape) {
                const QPen pen = painter()->pen();
                const QBrush brush = painter()->brush();
                const bool has_pen = pen.style() != Qt::NoPen, has_brush = filled && brush.style() != Qt::NoBrush;
                if (!has_pen && !has_brush) return;
                if (has_pen)
                    line += QStringLiteral(" pen %1 %2 %3")
                                .arg(text(pen.brush()))
                                .arg(qRound(pen.widthF() * 10))
                                .arg(int(pen.style()));
                if (has_brush) line += QStringLiteral(" brush ") + text(brush);
            }
            if (painter()->opacity() < 1) line += QStringLiteral(" opacity %1").arg(qRound(painter()->opacity() * 100));
            if (painter()->hasClipping())
                line += QStringLiteral(" clip ") + text(mapped(painter()->clipBoundingRect()));
            painted_.operations << line;
        }

        Painted& painted_;
    };

    mutable Engine engine_;
    QSize size_;
};

}  // namespace partita
