#include "app/gui/panels/text/relay_highlighter.h"

namespace partita {

namespace {

/// Longer lines (a signature with a thousand parameters) stay plain: patterns over them would hold the window up.
constexpr int kLongestColouredLine = 4000;

QTextCharFormat format_of(const QColor& colour, bool bold = false) {
    QTextCharFormat format;
    format.setForeground(colour);
    if (bold) format.setFontWeight(QFont::DemiBold);
    return format;
}

}  // namespace

RelayColours::RelayColours(const Theme& theme) {
    const bool dark = theme.dark;
    const QColor op(dark ? 0xff7cc0ff : 0xff0b5cad), temporary(dark ? 0xffd7a8ff : 0xff7a3fb0),
        global(dark ? 0xffffc66d : 0xff9a5b00), literal(dark ? 0xff8fd694 : 0xff1d7a36);
    rules_ = {
        {QRegularExpression(QStringLiteral(R"(\b[a-z_][\w]*(?:\.[\w]+)*(?=\())")), format_of(op)},
        {QRegularExpression(QStringLiteral(R"(\b(?:def|fn|let|if|else|True|False|free_var|meta)\b)")),
         format_of(theme.text, true)},
        {QRegularExpression(QStringLiteral(R"(\b-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?:f|i\d+)?\b)")), format_of(literal)},
        {QRegularExpression(QStringLiteral(R"(%[\w.]+)")), format_of(temporary)},
        {QRegularExpression(QStringLiteral(R"(@[\w.]+)")), format_of(global, true)},
        {QRegularExpression(QStringLiteral(R"("[^"]*")")), format_of(literal)},
        {QRegularExpression(QStringLiteral(R"(/\*.*?\*/|^#\[.*\])")), format_of(theme.muted_text)},
    };
}

QList<QTextLayout::FormatRange> RelayColours::of(const QString& line) const {
    QList<QTextLayout::FormatRange> ranges;
    if (line.size() > kLongestColouredLine) return ranges;
    for (const Rule& rule : rules_) {
        QRegularExpressionMatchIterator matches = rule.pattern.globalMatch(line);
        while (matches.hasNext()) {
            const QRegularExpressionMatch match = matches.next();
            ranges.append({int(match.capturedStart()), int(match.capturedLength()), rule.format});
        }
    }
    return ranges;
}

RelayHighlighter::RelayHighlighter(QTextDocument* document, const Theme& theme)
    : QSyntaxHighlighter(document), colours_(theme) {
    rehighlight();
}

void RelayHighlighter::setTheme(const Theme& theme) {
    colours_ = RelayColours(theme);
    rehighlight();
}

void RelayHighlighter::highlightBlock(const QString& text) {
    for (const QTextLayout::FormatRange& range : colours_.of(text)) setFormat(range.start, range.length, range.format);
}

}  // namespace partita
