// Colours Relay text: comments with types, temporaries, globals, operators, literals, keywords.
#pragma once

#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <vector>

#include "app/gui/style/theme.h"

namespace partita {

class RelayHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    RelayHighlighter(QTextDocument* document, const Theme& theme);
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& text) override;

private:
    struct Rule {
        QRegularExpression pattern;
        QTextCharFormat format;
    };
    std::vector<Rule> rules_;
};

}  // namespace partita
