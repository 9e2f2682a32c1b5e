#include "app/gui/style/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPalette>
#include <QStyleFactory>

namespace partita {

namespace {

constexpr std::array<QRgb, 8> kOkabeIto = {0xff0072b2, 0xffe69f00, 0xff009e73, 0xffcc79a7,
                                           0xffd55e00, 0xff56b4e9, 0xffb8a600, 0xff7a5cc0};
constexpr std::array<QRgb, 8> kHighContrast = {0xff0050d0, 0xffd08000, 0xff007040, 0xffb0308a,
                                               0xffb03000, 0xff0090c0, 0xff807000, 0xff6030b0};

double linear(double channel) {
    return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour) {
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

constexpr double kReadable = 4.5;  ///< contrast of text of ordinary size: WCAG 2, level AA

/// A quiet text's colour, as much nearer to that of plain text as its ground needs.
QColor quiet_on(const QColor& ground, const Theme& theme) {
    QColor colour = theme.muted_text;
    for (double share = 0.1; contrast(colour, ground) < kReadable && share < 1.05; share += 0.1)
        colour = blend(theme.text, theme.muted_text, std::min(share, 1.0));
    return colour;
}

QPalette qt_palette(const Theme& theme) {
    QPalette palette;
    palette.setColor(QPalette::Window, theme.window);
    palette.setColor(QPalette::WindowText, theme.text);
    palette.setColor(QPalette::Base, theme.base);
    palette.setColor(QPalette::AlternateBase, blend(theme.text, theme.base, 0.035));
    palette.setColor(QPalette::Text, theme.text);
    palette.setColor(QPalette::PlaceholderText, theme.muted_text);
    palette.setColor(QPalette::Button, theme.panel);
    palette.setColor(QPalette::ButtonText, theme.text);
    palette.setColor(QPalette::BrightText, theme.error);
    palette.setColor(QPalette::ToolTipBase, theme.dark ? theme.panel : QColor(0xff2a303a));
    palette.setColor(QPalette::ToolTipText, theme.dark ? theme.text : QColor(Qt::white));
    palette.setColor(QPalette::Highlight, theme.accent);
    palette.setColor(QPalette::HighlightedText, theme.on_accent);
    palette.setColor(QPalette::Link, theme.accent);
    palette.setColor(QPalette::LinkVisited, theme.accent);
    palette.setColor(QPalette::Light, blend(Qt::white, theme.window, theme.dark ? 0.08 : 0.6));
    palette.setColor(QPalette::Midlight, theme.border);
    palette.setColor(QPalette::Mid, theme.border);
    palette.setColor(QPalette::Dark, blend(Qt::black, theme.border, 0.25));
    palette.setColor(QPalette::Shadow, QColor(0, 0, 0, 90));
    for (auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, blend(theme.text, theme.window, 0.38));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, blend(theme.accent, theme.window, 0.3));
    return palette;
}

QString style_sheet(const Theme& theme) {
    QFile file(QStringLiteral(":/window.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QString text = QString::fromUtf8(file.readAll());
    const std::array<std::pair<const char*, QColor>, 15> colours = {{
        {"@onaccent", theme.on_accent},
        {"@accent", theme.accent},
        {"@panel", theme.panel},
        {"@border", theme.border},
        {"@base", theme.base},
        {"@text", theme.text},
        {"@muted", theme.muted_text},
        {"@error", theme.error},
        {"@right", QColor(theme.dark ? 0xff4cae79 : 0xff1e7e45)},
        {"@faint", blend(theme.text, theme.window, 0.38)},
        {"@hover", blend(theme.text, theme.panel, 0.07)},
        {"@pressed", blend(theme.text, theme.panel, 0.14)},
        {"@checked", blend(theme.accent, theme.base, theme.dark ? 0.32 : 0.16)},
        {"@thumb", blend(theme.text, theme.base, 0.24)},
        {"@check", theme.dark ? QColor(0xff1f6fb5) : theme.accent},
    }};
    for (const auto& [name, colour] : colours) text.replace(QLatin1String(name), colour.name());
    constexpr double kBox = 14;  // pixels, of check boxes
    text.replace(QLatin1String("@box"), QStringLiteral("%1px").arg(std::lround(kBox * theme.type_size)));
    return text;
}

}  // namespace

QColor blend(const QColor& over, const QColor& under, double opacity) {
    auto mix = [opacity](float a, float b) { return float(a * opacity + b * (1 - opacity)); };
    return QColor::fromRgbF(mix(over.redF(), under.redF()), mix(over.greenF(), under.greenF()),
                            mix(over.blueF(), under.blueF()));
}

double contrast(const QColor& a, const QColor& b) {
    const auto [low, high] = std::minmax({luminance(a), luminance(b)});
    return (high + 0.05) / (low + 0.05);
}

QColor readable_on(const QColor& background) {
    // On every colour one of white and black reaches 4.58; the softer black is enough for most.
    for (const QRgb text : {0xffffffff, 0xff15191f})
        if (contrast(QColor(text), background) >= kReadable) return QColor(text);
    return QColor(Qt::black);
}

BackendColours Theme::backend_colours(int backend) const {
    if (backend < 0) return {node, muted_text, readable_on(muted_text), quiet_on(node, *this)};
    const auto& table = palette == PaletteChoice::OkabeIto ? kOkabeIto : kHighContrast;
    const size_t slot =
        size_t(backend) < backend_slots.size() ? size_t(backend_slots[size_t(backend)]) : size_t(backend);
    QColor strong(table[slot % table.size()]);
    if (dark) strong = blend(Qt::white, strong, 0.12);
    const QColor fill = blend(strong, node, dark ? 0.30 : 0.17);
    return {fill, strong, readable_on(strong), quiet_on(fill, *this)};
}

QColor Theme::tint(int index) const {
    // Of Paul Tol's "muted" scheme, for colour-blind people, too; darker on dark ground.
    static constexpr std::array<QRgb, kTints> colours = {0xffddcc77, 0xffcc6677, 0xff44aa99,
                                                         0xffaa4499, 0xff88ccee, 0xff999933};
    const QColor colour(colours[size_t(std::clamp(index, 0, kTints - 1))]);
    return this->dark ? blend(colour, canvas, 0.75) : colour;
}

QColor Theme::heat(double fraction) const {
    // Five stops of the "inferno"-like order from light to strong: monotone in lightness, so readable without hue.
    static const std::array<QRgb, 5> on_light = {0xfffff6e0, 0xfffdd49e, 0xfffc8d59, 0xffd7301f, 0xff7f0000};
    static const std::array<QRgb, 5> on_dark = {0xff2b2030, 0xff5c2a4a, 0xffa3344c, 0xffe8703a, 0xffffd34d};
    const auto& stops = dark ? on_dark : on_light;
    double place = std::clamp(fraction, 0.0, 1.0) * double(stops.size() - 1);
    size_t lower = std::min(size_t(place), stops.size() - 2);
    return blend(QColor(stops[lower + 1]), QColor(stops[lower]), place - double(lower));
}

Theme make_theme(bool dark, PaletteChoice palette) {
    Theme theme;
    theme.dark = dark;
    theme.palette = palette;
    if (dark) {
        theme.window = QColor(0xff1d2127);
        theme.panel = QColor(0xff23282f);
        theme.base = QColor(0xff191d22);
        theme.text = QColor(0xffe3e7ec);
        theme.muted_text = QColor(0xff9aa5b3);
        theme.border = QColor(0xff363d47);
        theme.accent = QColor(0xff5aa9f0);
        theme.on_accent = QColor(0xff0c1420);
        theme.canvas = QColor(0xff15181c);
        theme.node = QColor(0xff262c34);
        theme.node_border = QColor(0xff4a5361);
        theme.edge = QColor(0xff76818f);
        theme.selection = QColor(0xfff4f7fa);
        theme.focus = QColor(0xffff8ad8);
        theme.incoming = QColor(0xff6cb6ff);
        theme.outgoing = QColor(0xffff9d5c);
        theme.search_hit = QColor(0xffffd447);
        theme.refused = QColor(0xffff7a6b);
        theme.warning = QColor(0xffe8b339);
        theme.error = QColor(0xffff7a6b);
    } else {
        theme.window = QColor(0xfff3f5f7);
        theme.panel = QColor(0xfffbfcfd);
        theme.base = QColor(0xffffffff);
        theme.text = QColor(0xff1b222b);
        theme.muted_text = QColor(0xff5c6875);
        theme.border = QColor(0xffd8dde3);
        theme.accent = QColor(0xff1668b8);
        theme.on_accent = QColor(0xffffffff);
        theme.canvas = QColor(0xfff3f5f8);
        theme.node = QColor(0xffffffff);
        theme.node_border = QColor(0xffb6bfca);
        theme.edge = QColor(0xff808b98);
        theme.selection = QColor(0xff1b222b);
        theme.focus = QColor(0xffb8007f);
        theme.incoming = QColor(0xff1668b8);
        theme.outgoing = QColor(0xffb34a00);
        theme.search_hit = QColor(0xffd08a00);
        theme.refused = QColor(0xffc4281b);
        theme.warning = QColor(0xff946200);
        theme.error = QColor(0xffc4281b);
    }
    return theme;
}

bool system_is_dark() {
    static const bool dark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    return dark;
}

void prepare_look(QApplication& application, const QFont& font) {
    if (!application.styleSheet().isEmpty()) return;
    QApplication::setFont(font);
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
}

void apply_look(QApplication& application, const Theme& theme, const QFont& font) {
    // Each of these polishes all widgets anew, which takes longer than all else at the start.
    const QString sheet = style_sheet(theme);
    if (application.styleSheet() == sheet && QApplication::font() == font) return;
    QApplication::setFont(font);
    application.setPalette(qt_palette(theme));
    application.setStyleSheet(sheet);
}

QFont code_font() {
    QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
    font.setPointSizeF(QApplication::font().pointSizeF());
    return font;
}

}  // namespace partita
