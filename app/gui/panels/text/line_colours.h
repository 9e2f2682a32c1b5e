// Colours text that is read line by line: Relay, generated C, JSON.
#pragma once

#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextLayout>
#include <vector>

#include "app/gui/style/theme.h"

namespace partita {

enum class TextLanguage { Plain, Relay, C, Json };

/// The colours of one line at a time; a value, for any thread.
class LineColours {
public:
    LineColours(const Theme& theme, TextLanguage language);
    QList<QTextLayout::FormatRange> of(const QString& line) const;

private:
    struct Rule {
        QRegularExpression pattern;
        QTextCharFormat format;
    };
    std::vector<Rule> rules_;
};

class LineHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    LineHighlighter(QTextDocument* document, const Theme& theme, TextLanguage language = TextLanguage::Relay);
    void setTheme(const Theme& theme) { setColours(LineColours(theme, language_)); }
    /// Before the text is set: what stands there is coloured anew.
    void setLanguage(const Theme& theme, TextLanguage language);

protected:
    void highlightBlock(const QString& text) override;

private:
    void setColours(LineColours colours);

    TextLanguage language_;
    LineColours colours_;
};

}  // namespace partita
