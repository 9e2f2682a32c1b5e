#include "app/gui/panels/rules/python_highlighter.h"

#include "app/gui/panels/rules/code_colours.h"

namespace partita {

PythonHighlighter::PythonHighlighter(QObject* parent) : QSyntaxHighlighter(parent) {}

void PythonHighlighter::setTheme(const Theme& theme) {
    const CodeColours colours(theme);
    words_ = {
        {QRegularExpression(QStringLiteral(R"(\b(?:\d[\w.]*)\b)")), format_of(colours.literal)},
        {QRegularExpression(QStringLiteral(R"(\b(?:True|False|None|self)\b)")), format_of(colours.literal)},
        {QRegularExpression(QStringLiteral(
             R"(\b(?:and|as|assert|async|await|break|class|continue|def|del|elif|else|except|finally|for|from|global|)"
             R"(if|import|in|is|lambda|nonlocal|not|or|pass|raise|return|try|while|with|yield)\b)")),
         format_of(colours.key, true)},
        {QRegularExpression(QStringLiteral(R"((?<=\bdef )\s*\w+|(?<=\bclass )\s*\w+)")), format_of(colours.name)},
        {QRegularExpression(QStringLiteral(R"(^\s*@[\w.]+)")), format_of(colours.call)},
    };
    string_ = format_of(colours.literal);
    comment_ = format_of(theme.muted_text);
    comment_.setFontItalic(true);
    rehighlight();
}

qsizetype PythonHighlighter::colourString(const QString& text, qsizetype begin, qsizetype inside, QChar quote,
                                          bool triple) {
    const QString end = QString(triple ? 3 : 1, quote);
    qsizetype at = inside;
    while (at < text.size()) {
        if (text[at] == QLatin1Char('\\')) {
            at += 2;
        } else if (QStringView(text).mid(at).startsWith(end)) {
            at += end.size();
            setFormat(int(begin), int(at - begin), string_);
            return at;
        } else {
            ++at;
        }
    }
    setFormat(int(begin), int(text.size() - begin), string_);
    if (triple) setCurrentBlockState(quote == QLatin1Char('"') ? InDoubles : InSingles);
    return text.size();
}

void PythonHighlighter::highlightBlock(const QString& text) {
    setCurrentBlockState(Plain);
    if (text.size() <= kLongestColouredLine)
        for (const Words& words : words_) {
            QRegularExpressionMatchIterator matches = words.pattern.globalMatch(text);
            while (matches.hasNext()) {
                const QRegularExpressionMatch match = matches.next();
                setFormat(int(match.capturedStart()), int(match.capturedLength()), words.format);
            }
        }
    qsizetype at = 0;
    if (previousBlockState() > Plain)
        at = colourString(text, 0, 0, QLatin1Char(previousBlockState() == InDoubles ? '"' : '\''), true);
    while (at < text.size()) {
        const QChar here = text[at];
        if (here == QLatin1Char('#')) return setFormat(int(at), int(text.size() - at), comment_);
        if (here != QLatin1Char('"') && here != QLatin1Char('\'')) {
            ++at;
            continue;
        }
        const bool triple = QStringView(text).mid(at).startsWith(QString(3, here));
        at = colourString(text, at, at + (triple ? 3 : 1), here, triple);
    }
}

}  // namespace partita
