#include "app/gui/style/number_text.h"

#include <QLocale>

namespace partita {

namespace {

QLocale plain_locale() {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale;
}

}  // namespace

QString number_text(double value, int decimals) { return plain_locale().toString(value, 'f', decimals); }
QString significant_text(double value, int digits) { return plain_locale().toString(value, 'g', digits); }
QString percent_text(double fraction, int decimals) { return number_text(100 * fraction, decimals) + QStringLiteral("\u00a0%"); }
QString bytes_text(double bytes) { return plain_locale().formattedDataSize(qint64(bytes), 1); }

}  // namespace partita
