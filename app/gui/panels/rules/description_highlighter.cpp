#include "app/gui/panels/rules/description_highlighter.h"

#include "app/gui/panels/rules/code_colours.h"
#include "engine/rules/rule.h"

namespace partita {

namespace {

QRegularExpression any_word(std::span<const RuleWord> words) {
    QStringList alternatives;
    for (const RuleWord& word : words) alternatives << QString::fromUtf8(word.word.data(), qsizetype(word.word.size()));
    return QRegularExpression(QStringLiteral(R"(\b(?:%1)\b)").arg(alternatives.join(QLatin1Char('|'))));
}

}  // namespace

DescriptionHighlighter::DescriptionHighlighter(QObject* parent, const Theme& theme) : QSyntaxHighlighter(parent) {
    setTheme(theme);
}

void DescriptionHighlighter::setTheme(const Theme& theme) {
    const CodeColours colours(theme);
    // Later ones win: a text's own colour comes first, then what stands in it.
    rules_ = {
        {QRegularExpression(QStringLiteral(R"("(?:[^"\\]|\\.)*"?)")), format_of(theme.text)},
        {QRegularExpression(QStringLiteral(R"(\b[a-z_]\w*(?:\.[a-z]\w*)*(?=\())")), format_of(colours.call)},
        {any_word(rule_names()), format_of(colours.name)},
        {QRegularExpression(QStringLiteral(R"(\.[a-z_]\w*\b(?![(\w.]))")), format_of(colours.name)},
        {QRegularExpression(QStringLiteral(R"((?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b)")),
         format_of(colours.literal)},
        {QRegularExpression(QStringLiteral(R"(\b(?:true|false|null|constant|var|in)\b)")), format_of(colours.literal)},
        {QRegularExpression(QStringLiteral(R"('[^'"]*')")), format_of(colours.literal)},
        {QRegularExpression(QStringLiteral(R"("(?:[^"\\]|\\.)*"(?=\s*:))")), format_of(colours.key, true)},
        // What is written for people holds no code.
        {QRegularExpression(QStringLiteral(R"re("(?:summary|because)"\s*:\s*\K"(?:[^"\\]|\\.)*"?)re")),
         format_of(theme.text)},
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
