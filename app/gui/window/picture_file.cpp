#include "app/gui/window/picture_file.h"

#include <algorithm>
#include <cmath>

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QLocale>
#include <QPainter>
#include <QPdfWriter>
#include <QSettings>
#include <QSvgGenerator>

#include "app/gui/canvas/graph_paper.h"
#include "app/gui/window/print_graph.h"
#include "engine/support/file.h"

namespace partita {

namespace {

const QString kPaperKey = QStringLiteral("paper"), kA4 = QStringLiteral("A4"), kLetter = QStringLiteral("Letter");

QString ending_of(const QString& path) { return QFileInfo(path).suffix().toLower(); }

QSizeF sheet_of(const GraphPaper& paper) {
    constexpr double kSmallest = 240;  // for the title
    const double width = std::max(paper.area().width(), kSmallest);
    return QSizeF(width, paper.headingHeight(width - 36) + 12 + paper.area().height());
}

void paint_sheet(QPainter& painter, const GraphPaper& paper, const QSizeF& sheet) {
    painter.fillRect(QRectF(QPointF(), sheet), Qt::white);
    painter.setRenderHint(QPainter::Antialiasing);
    paper.paintHeading(painter, QRectF(18, 12, sheet.width() - 36, 0));
    const QRectF area = paper.area();
    const double top = sheet.height() - area.height();
    paper.paint(painter, QRectF((sheet.width() - area.width()) / 2, top, area.width(), area.height()), area);
}

void draw_svg(QIODevice& device, const GraphPaper& paper) {
    const QSizeF sheet = sheet_of(paper);
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setTitle(paper.title);
    generator.setSize(sheet.toSize());
    generator.setViewBox(QRectF(QPointF(), sheet));
    generator.setResolution(96);
    QPainter painter(&generator);
    paint_sheet(painter, paper, sheet);
}

bool draw_png(QIODevice& device, const GraphPaper& paper) {
    constexpr double kSharpness = 2, kLargestSide = 16000, kLargestArea = 60e6;
    const QSizeF sheet = sheet_of(paper);
    const double scale = std::min({kSharpness, kLargestSide / std::max(sheet.width(), sheet.height()),
                                   std::sqrt(kLargestArea / (sheet.width() * sheet.height()))});
    QImage image((sheet * scale).toSize().expandedTo(QSize(1, 1)), QImage::Format_RGB32);
    if (image.isNull()) return false;
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.scale(scale, scale);
    paint_sheet(painter, paper, sheet);
    painter.end();
    return image.save(&device, "PNG");
}

void draw_pdf(QIODevice& device, const GraphPaper& paper, const QPageSize& page) {
    QPdfWriter writer(&device);
    writer.setTitle(paper.title);
    const QRectF area = paper.area();
    writer.setPageLayout(QPageLayout(page,
                                     area.width() > area.height() ? QPageLayout::Landscape : QPageLayout::Portrait,
                                     QMarginsF(12, 12, 12, 12), QPageLayout::Millimeter));
    print_graph(writer, paper);
}

}  // namespace

bool is_picture_file(const QString& path) {
    const QString ending = ending_of(path);
    return ending == QLatin1String("svg") || ending == QLatin1String("png") || ending == QLatin1String("pdf");
}

QPageSize chosen_paper() {
    const QString chosen = QSettings().value(kPaperKey).toString();
    if (chosen == kLetter) return QPageSize(QPageSize::Letter);
    if (chosen == kA4) return QPageSize(QPageSize::A4);
    return QPageSize(QLocale().measurementSystem() == QLocale::ImperialUSSystem ? QPageSize::Letter : QPageSize::A4);
}

void choose_paper(QPageSize::PageSizeId paper) {
    QSettings().setValue(kPaperKey, paper == QPageSize::Letter ? kLetter : kA4);
}

Status write_picture(const GraphPaper& paper, const QString& path, const QPageSize& page) {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QString ending = ending_of(path);
    if (ending == QLatin1String("svg")) draw_svg(buffer, paper);
    else if (ending == QLatin1String("pdf")) draw_pdf(buffer, paper, page);
    else if (!draw_png(buffer, paper)) return error("the picture is too large");
    return write_file(path.toStdString(), bytes.toStdString());
}

}  // namespace partita
