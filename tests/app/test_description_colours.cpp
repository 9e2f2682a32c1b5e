// The colours of a backend's description: code in rules has them, prose has none.
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>
#include <QtTest>

#include "app/gui/panels/rules/code_colours.h"
#include "app/gui/panels/rules/description_highlighter.h"
#include "tests/registry.h"

namespace test_description_colours {

using namespace partita;

class TestDescriptionColours : public QObject {
    Q_OBJECT

private slots:
    void proseHasNoColoursOfCode() {
        const Theme theme = make_theme(false, PaletteChoice::OkabeIto);
        QTextDocument document;
        document.setPlainText("\"summary\": \"at 0.9, says 'yes' (true)\",\n\"add\": \"attrs.n == 0.9\"");
        DescriptionHighlighter highlighter(nullptr, theme);
        highlighter.setDocument(&document);
        highlighter.rehighlight();
        const auto colour_at = [](const QTextBlock& line, const char* text) {
            const int place = int(line.text().indexOf(QLatin1String(text)));
            for (const QTextLayout::FormatRange& range : line.layout()->formats())
                if (place >= range.start && place < range.start + range.length)
                    return range.format.foreground().color();
            return QColor();
        };
        for (const char* word : {"0.9", "'yes'", "true", "says"})
            QCOMPARE(colour_at(document.firstBlock(), word), theme.text);
        QVERIFY(colour_at(document.firstBlock(), "summary") != theme.text);
        QVERIFY(colour_at(document.lastBlock(), "0.9") != theme.text);
    }

    void veryLongLinesHaveNoColours() {
        for (const qsizetype more : {0, 1}) {
            QTextDocument document;
            document.setPlainText(QStringLiteral("0.9").leftJustified(kLongestColouredLine + more, QLatin1Char(' ')));
            DescriptionHighlighter highlighter(nullptr, make_theme(false, PaletteChoice::OkabeIto));
            highlighter.setDocument(&document);
            highlighter.rehighlight();
            QCOMPARE(document.firstBlock().layout()->formats().isEmpty(), more > 0);
        }
    }
};

PARTITA_TEST(TestDescriptionColours)

}  // namespace test_description_colours

#include "test_description_colours.moc"
