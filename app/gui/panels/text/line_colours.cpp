#include "app/gui/panels/text/line_colours.h"

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

LineColours::LineColours(const Theme& theme, TextLanguage language) {
    const bool dark = theme.dark;
    const QColor op(dark ? 0xff7cc0ff : 0xff0b5cad), temporary(dark ? 0xffd7a8ff : 0xff7a3fb0),
        global(dark ? 0xffffc66d : 0xff9a5b00), literal(dark ? 0xff8fd694 : 0xff1d7a36);
    const auto add = [this](const char* pattern, const QTextCharFormat& format) {
        rules_.push_back({QRegularExpression(QString::fromLatin1(pattern)), format});
    };
    switch (language) {
        case TextLanguage::Plain: break;
        case TextLanguage::Relay:
            add(R"(\b[a-z_][\w]*(?:\.[\w]+)*(?=\())", format_of(op));
            add(R"(\b(?:def|fn|let|if|else|True|False|free_var|meta)\b)", format_of(theme.text, true));
            add(R"(\b-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?:f|i\d+)?\b)", format_of(literal));
            add(R"(%[\w.]+)", format_of(temporary));
            add(R"(@[\w.]+)", format_of(global, true));
            add(R"("[^"]*")", format_of(literal));
            add(R"(/\*.*?\*/|^#\[.*\])", format_of(theme.muted_text));
            break;
        case TextLanguage::C:
            add(R"(\b[A-Za-z_]\w*(?=\())", format_of(op));
            add(R"(\b(?:break|const|continue|else|for|if|restrict|return|sizeof|static|struct|typedef|while)\b)",
                format_of(theme.text, true));
            add(R"(\b(?:void|char|double|float|int|u?int(?:8|16|32|64)_t|partita_host)\b)", format_of(temporary));
            add(R"(\b(?:\d[\w.]*(?:e[-+]?\d+f?)?|NAN|INFINITY)\b)", format_of(literal));
            add(R"(^\s*#.*)", format_of(global));
            add(R"(/\*.*?\*/)", format_of(theme.muted_text));
            break;
        case TextLanguage::Json:
            add(R"((?<![\w"])(?:-?\d[\w.+-]*|true|false|null)\b)", format_of(literal));
            add(R"("(?:[^"\\]|\\.)*")", format_of(literal));
            add(R"("(?:[^"\\]|\\.)*"(?=\s*:))", format_of(op));
            break;
    }
}

QList<QTextLayout::FormatRange> LineColours::of(const QString& line) const {
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

LineHighlighter::LineHighlighter(QTextDocument* document, const Theme& theme, TextLanguage language)
    : QSyntaxHighlighter(document), language_(language), colours_(theme, language) {
    rehighlight();
}

void LineHighlighter::setLanguage(const Theme& theme, TextLanguage language) {
    if (language == language_) return;
    language_ = language;
    setTheme(theme);
}

void LineHighlighter::setColours(LineColours colours) {
    colours_ = std::move(colours);
    rehighlight();
}

void LineHighlighter::highlightBlock(const QString& text) {
    if (text.isEmpty()) return;  // patterns are compiled when they are first asked
    for (const QTextLayout::FormatRange& range : colours_.of(text)) setFormat(range.start, range.length, range.format);
}

}  // namespace partita
