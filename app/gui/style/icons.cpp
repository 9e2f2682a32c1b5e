#include "app/gui/style/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

// Q_INIT_RESOURCE declares a function and therefore must stand outside of any namespace.
static void init_partita_resources() { Q_INIT_RESOURCE(partita); }

namespace partita {

namespace {

QPixmap render(const QByteArray& svg, int size) {
    QPixmap pixmap(size, size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(svg).render(&painter);
    return pixmap;
}

QByteArray coloured(QByteArray svg, const QColor& colour) {
    return svg.replace("currentColor", colour.name().toLatin1());
}

}  // namespace

void load_resources() { init_partita_resources(); }

QIcon themed_icon(const QString& name, const Theme& theme) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QByteArray svg = file.readAll();
    QIcon icon;
    for (int size : {16, 20, 24, 32, 48}) {
        icon.addPixmap(render(coloured(svg, theme.text), size), QIcon::Normal);
        icon.addPixmap(render(coloured(svg, blend(theme.text, theme.panel, 0.35)), size), QIcon::Disabled);
        icon.addPixmap(render(coloured(svg, theme.text), size), QIcon::Active);
    }
    return icon;
}

QIcon backend_icon(int backend, const Theme& theme) {
    QPixmap pixmap(32, 32);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    BackendColours colours = theme.backend_colours(backend);
    painter.setBrush(backend < 0 ? theme.node : colours.strong);
    painter.setPen(QPen(colours.strong, 3));
    painter.drawRoundedRect(QRectF(4, 4, 24, 24), 6, 6);
    return QIcon(pixmap);
}

QIcon application_icon() { return QIcon(QStringLiteral(":/icons/partita.svg")); }

}  // namespace partita
