// Names that are shortened: what tells them apart is seen, in a table as it is painted.
#include <QAbstractItemView>
#include <QProxyStyle>
#include <QStyleOptionViewItem>
#include <QTreeWidget>
#include <QtTest>

#include "app/gui/style/elided_combo_box.h"
#include "app/gui/style/telling_names.h"
#include "tests/registry.h"

namespace test_telling_names {

using namespace partita;

namespace {

/// Keeps the texts of items as they are painted.
class RecordingStyle : public QProxyStyle {
public:
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override {
        if (element == CE_ItemViewItem) texts << static_cast<const QStyleOptionViewItem*>(option)->text;
        QProxyStyle::drawControl(element, option, painter, widget);
    }
    mutable QStringList texts;
};

const QStringList kRegions{"@main", "@tvmgen_default_teach_a_main_0", "@tvmgen_default_teach_a_main_4",
                           "@tvmgen_default_teach_b_main_2"};

}  // namespace

class TestTellingNames : public QObject {
    Q_OBJECT

private slots:
    /// However narrow the box is, its list has room for what it offers.
    void aListIsAsWideAsWhatItOffers() {
        ElidedComboBox box;
        box.addItems(kRegions);
        box.resize(40, box.sizeHint().height());
        box.show();
        box.showPopup();
        const int wanted = box.view()->sizeHintForColumn(0);
        QVERIFY(wanted > 100);
        QVERIFY(box.view()->minimumWidth() > wanted);
        box.hidePopup();
    }

    void whatIsCommonIsLeftOutFirst() {
        const QFontMetrics metrics{QFont()};
        const TellingNames names(kRegions);
        const QString& name = kRegions[1];
        const auto shown = [&](const QString& room) {
            return names.elided(name, metrics, metrics.horizontalAdvance(room));
        };
        QCOMPARE(shown(name), name);
        QCOMPARE(shown("…default_teach_a_main_0"), QStringLiteral("…default_teach_a_main_0"));
        QCOMPARE(shown("…teach_a_main_0"), QStringLiteral("…teach_a_main_0"));
        // With too little room for that the rest loses its middle.
        const QString narrow = shown("…a_main_0");
        QVERIFY2(narrow.startsWith(QStringLiteral("…")) || narrow.startsWith(QStringLiteral("t")), qPrintable(narrow));
        QVERIFY2(narrow.endsWith(QStringLiteral("0")), qPrintable(narrow));
        // One that begins unlike all others, or is none of them, is shortened in its middle.
        const QString other =
            names.elided("encoder/layer/attention", metrics, metrics.horizontalAdvance("encoder…tion"));
        QVERIFY2(other.startsWith("enc") && other.endsWith("ion"), qPrintable(other));
        const QString none = names.elided("@tvmgen_other_names", metrics, metrics.horizontalAdvance("@tvmgen_o…es"));
        QVERIFY2(none.endsWith("s"), qPrintable(none));
        QVERIFY(TellingNames().elided(name, metrics, 0).size() <= 1);
    }

    void namesOfOneRowsNeighboursCount() {
        QTreeWidget table;
        RecordingStyle style;
        table.setStyle(&style);
        table.setItemDelegate(new NameDelegate(table));
        table.setHeaderHidden(true);
        table.setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        for (const QString& name : kRegions) new QTreeWidgetItem(&table, {name});
        auto* below = new QTreeWidgetItem(table.topLevelItem(0), {"/encoder/layer.0/query"});
        new QTreeWidgetItem(table.topLevelItem(0), {"/encoder/layer.1/query"});
        table.expandAll();
        table.resize(table.fontMetrics().horizontalAdvance("…teach_a_main_0") + 2 * table.indentation() + 12, 300);
        table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        style.texts.clear();
        table.grab();
        const QString all = style.texts.join('|');
        for (const char* wanted : {"@main", "main_0", "main_4", "teach_b", "0/query", "1/query"})
            QVERIFY2(all.contains(wanted), qPrintable(all));
        QVERIFY2(!all.contains("tvmgen"), qPrintable(all));
        // Names that come or change are known at once.
        below->setText(0, "/decoder/layer.7/query");
        style.texts.clear();
        table.grab();
        QVERIFY2(style.texts.join('|').contains("/query"), qPrintable(style.texts.join('|')));
        table.setStyle(nullptr);
    }

    void aBoxOfNamesKeepsWhatTellsThemApart() {
        ElidedComboBox box(ElidedComboBox::Texts::Names);
        box.addItems(kRegions);
        box.setCurrentIndex(3);
        box.resize(box.fontMetrics().horizontalAdvance("…teach_b_main_2") + 60, box.sizeHint().height());
        QVERIFY2(box.shownText().contains("teach_b_main_2"), qPrintable(box.shownText()));
        QVERIFY(!box.shownText().contains("tvmgen"));
    }
};

PARTITA_TEST(TestTellingNames)

}  // namespace test_telling_names

#include "test_telling_names.moc"
