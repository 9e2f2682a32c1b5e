#include "app/gui/panels/rules/description_highlighter.h"

#include "engine/rules/rule.h"

namespace partita {

namespace {

/// Longer lines stay plain: patterns over them would hold the window up.
constexpr int kLongestColouredLine = 4000;

QTextCharFormat format_of(const QColor& colour, bool bold = false) {
    QTextCharFormat format;
    format.setForeground(colour);
    if (bold) format.setFontWeight(QFont::DemiBold);
    return format;
}

QRegularExpression any_word(std::span<const RuleWord> words) {
    QStringList alternatives;
    for (const RuleWord& word : words) alternatives << QString::fromUtf8(word.word.data(), qsizetype(word.word.size()));
    return QRegularExpression(QStringLiteral(R"(\b(?:%1)\b)").arg(alternatives.join(QLatin1Char('|'))));
}

}  // namespace

DescriptionHighlighter::DescriptionHighlighter(QTextDocument* document, const Theme& theme)
    : QSyntaxHighlighter(document) {
    setTheme(theme);
}

void DescriptionHighlighter::setTheme(const Theme& theme) {
    const bool dark = theme.dark;
    const QColor key(dark ? 0xff7cc0ff : 0xff0b5cad), name(dark ? 0xffd7a8ff : 0xff7a3fb0),
        call(dark ? 0xffffc66d : 0xff9a5b00), literal(dark ? 0xff8fd694 : 0xff1d7a36);
    // Later ones win: a text's own colour comes first, then what stands in it.
    rules_ = {
        {QRegularExpression(QStringLiteral(R"("(?:[^"\\]|\\.)*"?)")), format_of(theme.text)},
        {QRegularExpression(QStringLiteral(R"(\b[a-z_]\w*(?:\.[a-z]\w*)*(?=\())")), format_of(call)},
        {any_word(rule_names()), format_of(name)},
        {QRegularExpression(QStringLiteral(R"(\.[a-z_]\w*\b(?![(\w.]))")), format_of(name)},
        {QRegularExpression(QStringLiteral(R"((?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)")), format_of(literal)},
        {QRegularExpression(QStringLiteral(R"(\b(?:true|false|null|constant|var|in)\b)")), format_of(literal)},
        {QRegularExpression(QStringLiteral(R"('[^'"]*')")), format_of(literal)},
        {QRegularExpression(QStringLiteral(R"("(?:[^"\\]|\\.)*"(?=\s*:))")), format_of(key, true)},
    };
    rehighlight();
}

void DescriptionHighlighter::highlightBlock(const QString& text) {
    if (text.size() > kLongestColouredLine) return;
    for (const Rule& rule : rules_) {
        QRegularExpressionMatchIterator matches = rule.pattern.globalMatch(text);
        while (matches.hasNext()) {
            const QRegularExpressionMatch match = matches.next();
            setFormat(int(match.capturedStart()), int(match.capturedLength()), rule.format);
        }
    }
}

}  // namespace partita
