#include "app/gui/style/number_text.h"

#include <QLocale>

#include "engine/support/amount.h"

namespace partita {

namespace {

QLocale plain_locale() {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale;
}

QString with_unit(double amount, const char* unit) {
    const ScaledAmount shown = scaled(amount);
    return number_text(shown.value, shown.decimals) + QLatin1Char(' ') + QLatin1String(shown.prefix) +
           QLatin1String(unit);
}

}  // namespace

QString number_text(double value, int decimals) { return plain_locale().toString(value, 'f', decimals); }
QString significant_text(double value, int digits) { return plain_locale().toString(value, 'g', digits); }
QString percent_text(double fraction, int decimals) {
    return number_text(100 * fraction, decimals) + QStringLiteral("\u00a0%");
}
QString bytes_text(double bytes) { return with_unit(bytes, "B"); }
QString duration_text(double milliseconds) {
    const ScaledTime shown = scaled_time(milliseconds);
    return number_text(shown.value, shown.decimals) + QStringLiteral("\u00a0") + QString::fromUtf8(shown.unit);
}
QString work_text(double flops) { return with_unit(flops, "FLOP"); }

}  // namespace partita
