// Colours a file in Python: keywords, strings, also those over several lines, comments, numbers, decorators and the
// names of what is defined.
#pragma once

#include <vector>

#include <QRegularExpression>
#include <QSyntaxHighlighter>

#include "app/gui/style/theme.h"

namespace partita {

class PythonHighlighter : public QSyntaxHighlighter {
    Q_OBJECT

public:
    explicit PythonHighlighter(QObject* parent);
    void setTheme(const Theme& theme);

protected:
    void highlightBlock(const QString& text) override;

private:
    /// Where a block ends: in plain text, or in a string of three quotes.
    enum State { Plain = 0, InSingles = 1, InDoubles = 2 };
    /// Colours a string from `begin`, whose text starts at `inside`; returns where it ends.
    qsizetype colourString(const QString& text, qsizetype begin, qsizetype inside, QChar quote, bool triple);

    struct Words {
        QRegularExpression pattern;
        QTextCharFormat format;
    };
    std::vector<Words> words_;
    QTextCharFormat string_, comment_;
};

}  // namespace partita
