// Descriptions as files, in the window, by real mouse and key events: saved, changed elsewhere, faulty, gone, added.
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSaveFile>

#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/window/backends_dialog.h"
#include "tests/app/rules_editing.h"
#include "tests/registry.h"

namespace test_rules_files {

using namespace partita;

class TestRulesFiles : public RulesEditing {
    Q_OBJECT

private slots:
    void init() {
        fixture_ = std::make_unique<WindowFixture>();
        QVERIFY(fixture_->openOneDivide());
    }
    void cleanup() { fixture_.reset(); }

    void aDescriptionThatIsChangedElsewhereIsReadAgain() {
        const QString path = openMine();
        fixture_->file("mine.json", mine().replace("\"ops\": {", "\"ops\": {\"divide\": true, "));
        QTRY_COMPARE_WITH_TIMEOUT(divideIsOn(), QStringLiteral("mine"), 10000);
        QVERIFY(settleEdit());
        QVERIFY2(rules().summary().contains("read again") && rules().summary().contains("2 gained"),
                 qPrintable(rules().summary()));
        QVERIFY(rules().edit().toPlainText().contains("divide"));
        QVERIFY(!rules().modified() && !conflict()->isVisible());
        stack().undo();
        QVERIFY(settleEdit());
        QCOMPARE(divideIsOn(), QStringLiteral("default"));
        QVERIFY(rules().modified());
        // Nobody changed the file since: what the person sees is what is written.
        rules().save();
        QVERIFY(!fixture_->window->findChild<QMessageBox*>("description-changed"));
        QVERIFY(!load_backend(path.toStdString())->ops.count("divide"));
    }

    void whatIsUnsavedIsNotThrownOverByAChangeOnDisk() {
        const QString path = openMine();
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        const QByteArray theirs = mine().replace("\"ops\": {", "\"ops\": {\"exp\": true, ");
        fixture_->file("mine.json", theirs);
        QTRY_VERIFY_WITH_TIMEOUT(conflict()->isVisible(), 10000);
        QVERIFY(rules().edit().toPlainText().contains("divide"));
        fixture_->picture("30-rules-conflict");
        clickButton(*conflict(), "Take theirs");
        QVERIFY(settleEdit());
        QCOMPARE(rules().edit().toPlainText(), QString::fromUtf8(theirs));
        QVERIFY(!conflict()->isVisible() && !rules().modified());
        stack().undo();
        QVERIFY(settleEdit());
        QVERIFY(rules().edit().toPlainText().contains("divide"));
        // And again, with mine.
        fixture_->file("mine.json", mine());
        QTRY_VERIFY_WITH_TIMEOUT(conflict()->isVisible(), 10000);
        clickButton(*conflict(), "Keep mine");
        QVERIFY(!conflict()->isVisible() && rules().modified());
        rules().save();
        QVERIFY(!fixture_->window->findChild<QMessageBox*>("description-changed"));
        QVERIFY(load_backend(path.toStdString())->ops.count("divide"));
    }

    void rulesThatWereNotSavedAreAskedForAtTheEnd() {
        openMine();
        MainWindow& window = *fixture_->window;
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        // They go along to the next file, but not to the next start.
        QVERIFY(!window.close());
        auto* box = window.findChild<QMessageBox*>("leave-document");
        QVERIFY(box);
        box->button(QMessageBox::Cancel)->click();
        QTRY_VERIFY(!window.findChild<QMessageBox*>("leave-document"));
        rules().save();
        QVERIFY(settleEdit());
        QVERIFY(window.close());
    }

    void aFaultyTextIsAskedForBeforeTheWindowCloses() {
        const QString path = openMine();
        MainWindow& window = *fixture_->window;
        typeAfter("\"ops\": {", "\"addd\": true, ");
        QVERIFY(settleEdit());
        const QString faulty = rules().edit().toPlainText();
        const auto answer = [&](QMessageBox::StandardButton button) {
            QVERIFY(!window.close());
            auto* box = window.findChild<QMessageBox*>("leave-rules");
            QVERIFY(box);
            QVERIFY2(box->text().contains("mine"), qPrintable(box->text()));
            box->button(button)->click();
            QTRY_VERIFY(!window.findChild<QMessageBox*>("leave-rules"));
        };
        // Its tab may be closed, and another description be shown.
        auto* dock = qobject_cast<QDockWidget*>(rules().parentWidget());
        QVERIFY(dock);
        dock->close();
        answer(QMessageBox::Cancel);
        openRules();
        QCOMPARE(rules().edit().toPlainText(), faulty);
        rules().backends().setFocus();
        QTest::keyClick(&rules().backends(), Qt::Key_Down);
        QVERIFY(settleEdit());
        answer(QMessageBox::Cancel);
        // Or another choice of backends, which no longer has it.
        window.setBackends({QStringLiteral("dnnl")});
        QVERIFY(settleEdit());
        answer(QMessageBox::Cancel);
        window.setBackends({path, QStringLiteral("dnnl")});
        QVERIFY(settleEdit());
        rules().showRule(0, QStringLiteral("ops.add"));
        QCOMPARE(rules().edit().toPlainText(), faulty);
        QVERIFY(settleEdit());
        QCOMPARE(rules().faults().count(), 1);
        QVERIFY(!conflict()->isVisible());
        answer(QMessageBox::Save);
        QCOMPARE(contentOf(path), faulty.toUtf8());
        QVERIFY(!rules().modified());
    }

    void aFaultyTextThatIsNotShownIsSavedOnlyOverWhatItWasWrittenOn() {
        const QString path = openMine();
        MainWindow& window = *fixture_->window;
        typeAfter("\"ops\": {", "\"addd\": true, ");
        QVERIFY(settleEdit());
        const QString faulty = rules().edit().toPlainText();
        rules().backends().setFocus();
        QTest::keyClick(&rules().backends(), Qt::Key_Down);
        QVERIFY(settleEdit());
        fixture_->file("mine.json", mine().replace("\"ops\": {", "\"ops\": {\"divide\": true, "));
        QTRY_COMPARE_WITH_TIMEOUT(divideIsOn(), QStringLiteral("mine"), 10000);
        QTest::keyClick(&rules().backends(), Qt::Key_Up);
        QVERIFY(settleEdit());
        QCOMPARE(rules().edit().toPlainText(), faulty);
        QVERIFY(conflict()->isVisible());
        QVERIFY(!window.close());
        auto* box = window.findChild<QMessageBox*>("leave-rules");
        QVERIFY(box);
        box->button(QMessageBox::Save)->click();
        auto* question = window.findChild<QMessageBox*>("description-changed");
        QVERIFY(question && question->isVisible());
        question->button(QMessageBox::Cancel)->click();
        QVERIFY(contentOf(path).contains("divide"));
    }

    void aFaultyTextComesBackAfterTheEndOfTheSession() {
        const QString path = openMine();
        typeAfter("\"ops\": {", "\"addd\": true, ");
        QVERIFY(settleEdit());
        const QString faulty = rules().edit().toPlainText();
        fixture_->window->leaving().keepForNextStart();
        QVERIFY(fixture_->window->close());
        fixture_->window = std::make_unique<MainWindow>();
        fixture_->window->show();
        fixture_->window->setBackends({path});
        QVERIFY(settleEdit());
        QCOMPARE(rules().edit().toPlainText(), faulty);
        QCOMPARE(rules().faults().count(), 1);
        QVERIFY(rules().modified());
        // Once: what was taken is not kept.
        fixture_->window->leaving().keepNothing();
        fixture_->window = std::make_unique<MainWindow>();
        fixture_->window->setBackends({path});
        QVERIFY(!rules().modified());
    }

    /// Many programs write another file and give it the name; what is written into that one counts, too.
    void aFileThatWasReplacedIsStillFollowed() {
        const QString path = openMine();
        QSaveFile same(path);
        QVERIFY(same.open(QIODevice::WriteOnly) && same.write(mine()) > 0 && same.commit());
        QTest::qWait(600);  // longer than until files are looked at
        QVERIFY(!rules().edit().toPlainText().contains("divide"));
        QFile other(path);
        QVERIFY(other.open(QIODevice::WriteOnly));
        other.write(mine().replace("\"ops\": {", "\"ops\": {\"divide\": true, "));
        other.close();
        QTRY_VERIFY(rules().edit().toPlainText().contains("divide"));
    }

    /// A rule of another program may never end: then the division is cancelled, not what was written or taken.
    void aCancelledDivisionTakesNoTextBack() {
        const QString path = openMine();
        typeAfter("\"ops\": {", "\"divide\": true, ");
        const QString typed = rules().edit().toPlainText();
        Document& document = fixture_->window->document();
        // The choice is there before its division, which is cancelled at once.
        connect(
            &document, &Document::choiceChanged, this, [&document] { document.jobs().cancelAll(); },
            Qt::QueuedConnection);
        QVERIFY(settleEdit());
        disconnect(&document, &Document::choiceChanged, this, nullptr);
        QCOMPARE(rules().edit().toPlainText(), typed);
        QVERIFY(rules().modified());
        QCOMPARE(divideIsOn(), QStringLiteral("default"));
        rules().save();
        QCOMPARE(contentOf(path), typed.toUtf8());
    }

    void whatCannotBeReadAgainIsSaidAsAFault() {
        const QString path = openMine();
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        QVERIFY(QFile::remove(path));
        rules().revert();
        QCOMPARE(rules().summary(), QStringLiteral("mine.json can't be read."));
        for (const QLabel* label : rules().findChildren<QLabel*>())
            if (label->text() == rules().summary())
                QCOMPARE(label->palette().color(QPalette::WindowText), fixture_->view().theme().error);
        QVERIFY(rules().edit().toPlainText().contains("divide"));
    }

    void savingOverAFileThatWasChangedAsks() {
        const QString path = openMine();
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        const QByteArray theirs = mine().replace("\"ops\": {", "\"ops\": {\"exp\": true, ");
        const auto save = [&](const QString& answer) {
            clickButton(rules(), "Save");
            auto* box = fixture_->window->findChild<QMessageBox*>("description-changed");
            QVERIFY(box && box->isVisible());
            for (QAbstractButton* button : box->buttons())
                if (button->text().remove('&') == answer) QTest::mouseClick(button, Qt::LeftButton);
            QTRY_VERIFY(!fixture_->window->findChild<QMessageBox*>("description-changed"));
        };
        // At once: the watch has not told yet.
        fixture_->file("mine.json", theirs);
        save("Cancel");
        QVERIFY(load_backend(path.toStdString())->ops.count("exp"));
        QVERIFY(rules().edit().toPlainText().contains("divide"));
        save("Keep mine");
        QVERIFY(load_backend(path.toStdString())->ops.count("divide"));
        typeAfter("\"ops\": {", "\"tanh\": true, ");
        QVERIFY(settleEdit());
        fixture_->file("mine.json", theirs);
        save("Take theirs");
        QVERIFY(settleEdit());
        QCOMPARE(rules().edit().toPlainText(), QString::fromUtf8(theirs));
    }

    void aFileThatIsGoneIsWrittenAgain() {
        const QString path = openMine();
        QVERIFY(QFile::remove(path));
        QTRY_VERIFY_WITH_TIMEOUT(conflict()->isVisible(), 10000);
        QVERIFY(conflict()->findChild<QLabel*>()->text().contains("no longer there"));
        rules().save();
        QVERIFY(!conflict()->isVisible());
        QVERIFY(load_backend(path.toStdString()));
    }

    void aFaultyTextOnDiskLeavesTheLastValidRules() {
        openMine();
        const QByteArray faulty = mine().replace("\"ops\": {", "\"ops\": {\"addd\": true, ");
        fixture_->file("mine.json", faulty);
        QTRY_COMPARE_WITH_TIMEOUT(rules().faults().count(), 1, 10000);
        QCOMPARE(fixture_->backendOf(fixture_->nodeOf("add")), QStringLiteral("mine"));
        // It waits while another description is shown.
        rules().backends().setFocus();
        QTest::keyClick(&rules().backends(), Qt::Key_Down);
        QVERIFY(settleEdit());
        QVERIFY(!rules().edit().toPlainText().contains("addd"));
        QTest::keyClick(&rules().backends(), Qt::Key_Up);
        QVERIFY(settleEdit());
        QCOMPARE(rules().edit().toPlainText(), QString::fromUtf8(faulty));
        QCOMPARE(rules().faults().count(), 1);
    }

    void aDescriptionThatIsNotShownIsReadAgain() {
        openMine();
        rules().backends().setFocus();
        QTest::keyClick(&rules().backends(), Qt::Key_Down);
        QVERIFY(settleEdit());
        fixture_->file("mine.json", mine().replace("\"ops\": {", "\"ops\": {\"divide\": true, "));
        QTRY_COMPARE_WITH_TIMEOUT(divideIsOn(), QStringLiteral("mine"), 10000);
        QCOMPARE(stack().undoText(), QStringLiteral("read mine again"));
    }

    void aFileOfTwoCharactersAtItsLineEndsIsNotChanged() {
        const QString path = openMine(mine().replace("\n", "\r\n"));
        QVERIFY(!rules().modified());
        QVERIFY(!conflict()->isVisible());
        // Nor when it is saved: only the line that was written changes.
        typeAfter("\"ops\": {", "\"divide\": true, ");
        QVERIFY(settleEdit());
        rules().save();
        const QByteArray expected = mine().replace("\"ops\": {", "\"ops\": {\"divide\": true, ").replace("\n", "\r\n");
        QCOMPARE(contentOf(path), expected);
        QVERIFY(!rules().modified() && !conflict()->isVisible());
        // A copy has the line ends of what it is a copy of; a file that is there keeps its own.
        const QString copy = QFileInfo(path).dir().filePath("copy.json"), other = fixture_->file("other.json", mine());
        QVERIFY(rules().saveTo(copy));
        QCOMPARE(contentOf(copy), expected);
        QVERIFY(rules().saveTo(other));
        QCOMPARE(contentOf(other), QByteArray(expected).replace("\r\n", "\n"));
        // The project asks the file for the rules, whatever ends its lines.
        QVERIFY(rules().saveTo(path));
        fixture_->window->document().saveProject(QFileInfo(path).dir().filePath("p.partita"));
        QVERIFY(fixture_->settle());
        QVERIFY(!contentOf(QFileInfo(path).dir().filePath("p.partita")).contains("\"text\""));
    }

    void aFileIsAddedReadAgainAndOfferedAfterItWasUnticked() {
        const QString path = fixture_->file("mine.json", mine());
        const auto at_file_dialog = [this, path] {
            auto* files = QApplication::activeModalWidget()->findChild<QFileDialog*>();
            if (!files) files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            QVERIFY(files);
            files->findChild<QLineEdit*>()->setText(path);
            QTest::keyClick(files->findChild<QLineEdit*>(), Qt::Key_Return);
        };
        const auto press = [](QWidget* dialog, const QString& text) {
            for (QPushButton* button : dialog->findChildren<QPushButton*>())
                if (button->text() == text) return QTest::mouseClick(button, Qt::LeftButton);
            QFAIL(qPrintable(text));
        };
        const auto names = [](QListWidget* list) {
            QStringList checked;
            for (int i = 0; i < list->count(); ++i)
                if (list->item(i)->checkState() == Qt::Checked) checked << list->item(i)->text();
            return checked;
        };
        const auto in_dialog = [this](const std::function<void(BackendsDialog*)>& work) {
            QTimer::singleShot(100, this, [work] {
                const QPointer<BackendsDialog> dialog =
                    qobject_cast<BackendsDialog*>(QApplication::activeModalWidget());
                work(dialog);
                if (dialog) dialog->close();  // a check that failed leaves it open
            });
            fixture_->window->action("backends")->trigger();
            QVERIFY(fixture_->settle());
        };
        in_dialog([&](BackendsDialog* dialog) {
            auto* list = dialog->findChild<QListWidget*>();
            QTimer::singleShot(200, this, at_file_dialog);
            press(dialog, "Add a file…");
            QVERIFY(names(list).contains("mine"));
            // The same file once more, changed meanwhile: read again, and chosen.
            list->findItems("mine", Qt::MatchExactly)[0]->setCheckState(Qt::Unchecked);
            fixture_->file("mine.json", mine().replace("\"ops\": {", "\"ops\": {\"divide\": true, "));
            QTimer::singleShot(200, this, at_file_dialog);
            press(dialog, "Add a file…");
            QVERIFY(!dialog->findChild<QMessageBox*>());
            QCOMPARE(names(list).count("mine"), 1);
            // Broken meanwhile: said, and the list stays.
            const QByteArray whole = mine().replace("\"ops\": {", "\"ops\": {\"divide\": true, ");
            fixture_->file("mine.json", "{");
            QString said;
            QTimer::singleShot(200, this, at_file_dialog);
            QTimer::singleShot(600, this, [&said] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                said = box ? box->text() : QStringLiteral("nothing");
                if (box) box->accept();
            });
            press(dialog, "Add a file…");
            QVERIFY2(said.contains("mine.json"), qPrintable(said));
            QCOMPARE(names(list).count("mine"), 1);
            fixture_->file("mine.json", whole);
            QCOMPARE(dialog->focusWidget(), dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok));
            QTest::keyClick(dialog->focusWidget(), Qt::Key_Return);
        });
        const auto& backends = fixture_->window->document().choice().backends;
        QCOMPARE(backends.back()->name, std::string("mine"));
        QVERIFY(backends.back()->ops.count("divide"));
        for (int turn = 0; turn < 2; ++turn)
            in_dialog([&](BackendsDialog* dialog) {
                auto* list = dialog->findChild<QListWidget*>();
                const QList<QListWidgetItem*> items = list->findItems("mine", Qt::MatchExactly);
                QCOMPARE(items.size(), 1);
                QCOMPARE(items[0]->checkState(), turn == 0 ? Qt::Checked : Qt::Unchecked);
                items[0]->setCheckState(Qt::Unchecked);
                dialog->accept();
            });
        QCOMPARE(fixture_->window->document().choice().backend_index("mine"), -1);
    }

    void aSavedDescriptionIsMarkedAsSavedAtOnce() {
        openMine();
        const QList<QToolButton*> buttons = rules().findChildren<QToolButton*>();
        const auto save =
            std::find_if(buttons.begin(), buttons.end(), [](auto* each) { return each->text() == "Save"; });
        QVERIFY(save != buttons.end() && !(*save)->isEnabled());
        QTest::keyClick(&rules().edit(), Qt::Key_Space);
        QVERIFY(settleEdit());
        QVERIFY((*save)->isEnabled());
        QTest::mouseClick(*save, Qt::LeftButton);
        QVERIFY(!rules().modified());
        QVERIFY(!(*save)->isEnabled());
    }
};

PARTITA_TEST(TestRulesFiles)

}  // namespace test_rules_files

#include "test_rules_files.moc"
