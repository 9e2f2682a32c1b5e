// Colours a backend description: keys, texts, and inside a text the words of rules and patterns.
#pragma once

#include <vector>

#include <QRegularExpression>
#include <QSyntaxHighlighter>

#include "app/gui/style/theme.h"

namespace partita {

class DescriptionHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    DescriptionHighlighter(QObject* parent, const Theme& theme);
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
