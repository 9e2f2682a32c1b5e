#include "app/gui/document/read_image.h"

#include <QImageReader>

namespace partita {

Result<Pixels> read_image(const std::string& path, int64_t width, int64_t height) {
    QImageReader reader(QString::fromStdString(path));
    reader.setAutoTransform(true);
    reader.setDecideFormatFromContent(true);
    const QImage read = reader.read();
    if (read.isNull())
        return error("this is neither an .npy nor an .npz file, nor an image that can be read: " +
                     reader.errorString().toStdString());
    const QImage image = read.convertToFormat(QImage::Format_RGB888)
                             .scaled(int(width), int(height), Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                             .convertToFormat(QImage::Format_RGB888);  // scaling may have made another one
    if (image.isNull()) return error("there is not enough memory for the image");
    Pixels pixels;
    pixels.reserve(size_t(3 * width * height));
    for (int row = 0; row < image.height(); ++row)
        pixels.append(reinterpret_cast<const char*>(image.constScanLine(row)), size_t(3 * width));
    return pixels;
}

}  // namespace partita
