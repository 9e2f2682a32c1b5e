#include "app/gui/style/icons.h"

#include <algorithm>

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// Q_INIT_RESOURCE declares a function and therefore must stand outside of any namespace.
static void init_partita_resources() { Q_INIT_RESOURCE(partita); }

namespace partita {

namespace {

QByteArray coloured(QByteArray svg, const QColor& colour) {
    return svg.replace("currentColor", colour.name().toLatin1());
}

/// A square in whatever room there is, sharp at any scale: pixmaps are stretched by views whose rows are lower than
/// wide.
class SwatchEngine : public QIconEngine {
public:
    SwatchEngine(const QColor& fill, const QColor& line, const QColor& disabled)
        : fill_(fill), line_(line), disabled_(disabled) {}

    void paint(QPainter* painter, const QRect& room, QIcon::Mode mode, QIcon::State) override {
        const double side = 0.75 * std::min(room.width(), room.height()), pen = std::max(1.0, side / 8);
        QRectF square(0, 0, side, side);
        square.moveCenter(QRectF(room).center());
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        const bool enabled = mode != QIcon::Disabled;
        painter->setBrush(enabled ? fill_ : Qt::transparent);
        painter->setPen(QPen(enabled ? line_ : disabled_, pen));
        painter->drawRoundedRect(square.adjusted(pen / 2, pen / 2, -pen / 2, -pen / 2), side / 5, side / 5);
        painter->restore();
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        if (size.isEmpty()) return {};  // nothing can be painted on it
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }
    QIconEngine* clone() const override { return new SwatchEngine(*this); }

private:
    QColor fill_, line_, disabled_;
};

/// Drawn anew for each size: pixmaps of a few sizes would grow with the type in leaps, and blur.
class DrawingEngine : public QIconEngine {
public:
    DrawingEngine(const QByteArray& svg, const QColor& colour, const QColor& disabled)
        : svg_(coloured(svg, colour)), disabled_(coloured(svg, disabled)) {}

    void paint(QPainter* painter, const QRect& room, QIcon::Mode mode, QIcon::State) override {
        const int side = std::min(room.width(), room.height());
        QRectF square(0, 0, side, side);
        square.moveCenter(QRectF(room).center());
        QSvgRenderer(mode == QIcon::Disabled ? disabled_ : svg_).render(painter, square);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        if (size.isEmpty()) return {};
        QPixmap& picture = pictures_[{size.width(), size.height() * 2 + (mode == QIcon::Disabled)}];
        if (!picture.isNull()) return picture;
        picture = QPixmap(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return picture;
    }
    QIconEngine* clone() const override { return new DrawingEngine(*this); }

private:
    QByteArray svg_, disabled_;
    QHash<std::pair<int, int>, QPixmap> pictures_;
};

}  // namespace

void load_resources() { init_partita_resources(); }

QIcon themed_icon(const QString& name, const Theme& theme) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return QIcon(new DrawingEngine(file.readAll(), theme.text, blend(theme.text, theme.panel, 0.35)));
}

QIcon backend_icon(int backend, const Theme& theme) {
    const QColor strong = theme.backend_colours(backend).strong;
    return QIcon(new SwatchEngine(backend < 0 ? theme.node : strong, strong, blend(theme.text, theme.panel, 0.35)));
}

QIcon application_icon() { return QIcon(QStringLiteral(":/icons/partita.svg")); }

}  // namespace partita
