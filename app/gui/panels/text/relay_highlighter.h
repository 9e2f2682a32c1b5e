// Colours Relay text: comments with types, temporaries, globals, operators, literals, keywords.
#pragma once

#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextLayout>
#include <vector>

#include "app/gui/style/theme.h"

namespace partita {

/// The colours of one line at a time; a value, for any thread.
class RelayColours {
public:
    explicit RelayColours(const Theme& theme);
    QList<QTextLayout::FormatRange> of(const QString& line) const;

private:
    struct Rule {
        QRegularExpression pattern;
        QTextCharFormat format;
    };
    std::vector<Rule> rules_;
};

class RelayHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    RelayHighlighter(QTextDocument* document, const Theme& theme);
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& text) override;

private:
    RelayColours colours_;
};

}  // namespace partita
