// Two versions of rules over a folder of models, in the window: what changed by model and rule, the way to a call, and
// changes that are kept as tests.
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTreeWidget>

#include "app/gui/window/rules_diff_dialog.h"
#include "tests/app/rules_editing.h"
#include "tests/registry.h"

namespace test_rules_diff {

using namespace partita;

class TestRulesDiff : public RulesEditing {
    Q_OBJECT

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        QVERIFY(fixture_->openOneDivide());
        fixture_->file("two-adds.relay",
                       "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { %0 = "
                       "add(%x, %x); add(%0, %x) }");
        path_ = openMine();
        // The rule of add is taken back, that of divide is new.
        QByteArray text = mine();
        text.replace("\"add\": true", "\"divide\": true");
        QVERIFY2(text != mine(), text.constData());
        rules().edit().replaceText(QString::fromUtf8(text));
        QVERIFY(settleEdit());
    }
    void cleanup() { fixture_.reset(); }

    void changesStandByModelAndRule() {
        RulesDiffDialog& dialog = *compared();
        auto& table = *dialog.findChild<QTreeWidget*>("rules-diff");
        QCOMPARE(dialog.findChild<QLineEdit*>("rules-before")->text(), path_);
        QCOMPARE(table.topLevelItemCount(), 2);
        QCOMPARE(table.topLevelItem(0)->text(0), QStringLiteral("one-divide.relay"));
        QCOMPARE(table.topLevelItem(0)->text(1), QStringLiteral("4"));
        QCOMPARE(changes(table, 0), QStringList({"− 2 add: no rule for add", "+ 2 divide: no rule for divide"}));
        QCOMPARE(table.topLevelItem(1)->text(1), QStringLiteral("2 → 0"));
        QCOMPARE(table.topLevelItem(1)->text(2), QStringLiteral("1 → 0"));
        fixture_->picture("68-rules-diff", &dialog);
    }

    void aChangeLeadsToItsCallInAnotherModel() {
        RulesDiffDialog& dialog = *compared();
        auto& table = *dialog.findChild<QTreeWidget*>("rules-diff");
        QTreeWidgetItem* change = table.topLevelItem(1)->child(0);
        QTest::mouseClick(table.viewport(), Qt::LeftButton, Qt::NoModifier, table.visualItemRect(change).center());
        QTest::mouseDClick(table.viewport(), Qt::LeftButton, Qt::NoModifier, table.visualItemRect(change).center());
        if (auto* question = fixture_->window->findChild<QMessageBox*>(QStringLiteral("leave-document")))
            question->button(QMessageBox::Discard)->click();
        QVERIFY(fixture_->settle());
        Document& document = fixture_->window->document();
        QVERIFY2(document.path().endsWith("two-adds.relay"), qPrintable(document.path()));
        QCOMPARE(document.selection().size(), size_t(1));
        QCOMPARE(document.names().name(document.selection()[0]), std::string("add #1"));
    }

    void aChangeIsKeptAsATestThatUndoTakesBack() {
        RulesDiffDialog& dialog = *compared();
        auto& table = *dialog.findChild<QTreeWidget*>("rules-diff");
        auto& as_before = *dialog.findChild<QPushButton*>("test-as-before");
        QVERIFY(as_before.isEnabled());  // the first change is selected
        table.setCurrentItem(table.topLevelItem(1));
        QVERIFY(!as_before.isEnabled());  // a model is no change
        table.setCurrentItem(table.topLevelItem(1)->child(0));
        QVERIFY(as_before.isEnabled());
        const QString before = rules().edit().toPlainText();
        QTest::mouseClick(&as_before, Qt::LeftButton);
        QVERIFY(settleEdit());
        const QString text = rules().edit().toPlainText();
        QVERIFY2(text.contains(R"({"module":"two-adds.relay","node":1,"supported":true})"), qPrintable(text));
        const Result<BackendDescription> kept = parse_backend_description(text.toStdString(), path_.toStdString());
        QVERIFY(kept);
        QCOMPARE(kept->expectations.size(), size_t(1));
        stack().undo();
        QVERIFY(fixture_->settle());
        QCOMPARE(rules().edit().toPlainText(), before);
    }

    void backendsFollowTheChoice() {
        RulesDiffDialog& dialog = *compared();
        auto& backends = *dialog.findChild<QComboBox*>();
        QCOMPARE(backends.currentText(), QStringLiteral("mine"));
        fixture_->window->setBackends({QStringLiteral("dnnl"), path_});
        QVERIFY(fixture_->settle());
        QTRY_COMPARE(backends.itemText(0), QStringLiteral("dnnl"));
        QCOMPARE(backends.currentText(), QStringLiteral("mine"));
        fixture_->window->setBackends({QStringLiteral("dnnl")});
        QVERIFY(fixture_->settle());
        QTRY_COMPARE(backends.currentText(), QStringLiteral("dnnl"));
        QCOMPARE(dialog.findChild<QLineEdit*>("rules-before")->text(), QStringLiteral("dnnl"));
        QVERIFY(!dialog.findChild<QPushButton*>("test-as-before")->isEnabled());
    }

    void whatCanNotBeReadIsNamedAndTheOthersAreCompared() {
        fixture_->file("broken.onnx", "nothing");
        RulesDiffDialog& dialog = *compared();
        QCOMPARE(dialog.findChild<QTreeWidget*>("rules-diff")->topLevelItemCount(), 2);
        QVERIFY(told(dialog).contains("broken.onnx"));
        dialog.findChild<QLineEdit*>("rules-before")->setText("no/such.json");
        dialog.compare(QFileInfo(path_).path());
        QVERIFY2(told(dialog).contains("no/such.json"), qPrintable(told(dialog)));
    }

private:
    RulesDiffDialog* compared() {
        fixture_->window->action("rules-diff")->trigger();
        auto* dialog = fixture_->dialog<RulesDiffDialog>();
        if (!dialog) qFatal("no dialog");
        QTest::mouseClick(dialog->findChild<QPushButton*>("compare-rules"), Qt::LeftButton);
        if (!fixture_->settle()) qFatal("not compared");
        return dialog;
    }
    static QStringList changes(const QTreeWidget& table, int model) {
        QStringList list;
        for (int i = 0; i < table.topLevelItem(model)->childCount(); ++i)
            list << table.topLevelItem(model)->child(i)->text(0);
        return list;
    }
    static QString told(const QDialog& dialog) {
        QStringList all;
        for (const QLabel* label : dialog.findChildren<QLabel*>()) all << label->text();
        return all.join(QLatin1Char('\n'));
    }

    QString path_;
};

PARTITA_TEST(TestRulesDiff)

}  // namespace test_rules_diff

#include "test_rules_diff.moc"
