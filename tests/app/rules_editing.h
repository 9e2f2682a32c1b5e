// What tests of the panels of rules share: a window with a module, typing into descriptions, clicks on words.
#pragma once

#include <QTextBrowser>
#include <QTextCursor>
#include <QToolButton>

#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/rules_panel.h"
#include "app/gui/panels/steps/steps_panel.h"
#include "tests/app/window_fixture.h"

namespace partita {

class RulesEditing : public QObject {
protected:
    /// A description of its own file: what ccompiler takes.
    static QByteArray mine() {
        const std::string_view text = builtin_backend_source("ccompiler");
        return QByteArray(text.data(), qsizetype(text.size())).replace("\"name\": \"ccompiler\"", "\"name\": \"mine\"");
    }
    QString openMine(const QByteArray& text = mine()) {
        const QString path = fixture_->file("mine.json", text);
        fixture_->window->setBackends({path, QStringLiteral("dnnl")});
        annotate();
        openRules();
        return path;
    }
    QString divideIsOn() { return fixture_->backendOf(fixture_->nodeOf("divide")); }
    static QByteArray contentOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QWidget* conflict() { return rules().findChild<QWidget*>("description-conflict"); }
    RulesPanel& rules() { return fixture_->window->panels().rules(); }
    StepsPanel& steps() { return fixture_->window->panels().steps(); }
    QUndoStack& stack() { return fixture_->window->document().undoStack(); }

    void openRules() {
        fixture_->window->action("edit-rules")->trigger();
        QVERIFY(fixture_->settle());
        QVERIFY(rules().edit().isVisible());
        rules().edit().setFocus();
    }
    void annotate() {
        fixture_->window->action("annotate")->trigger();
        QVERIFY(fixture_->settle());
    }
    /// The pause after typing, then the check and the flow.
    bool settleEdit() {
        QTest::qWait(450);
        return fixture_->settle();
    }
    void typeAfter(const QString& place, const QString& text) {
        QTextCursor cursor = rules().edit().document()->find(place);
        QVERIFY2(!cursor.isNull(), qPrintable(place));
        cursor.setPosition(cursor.selectionEnd());
        rules().edit().setTextCursor(cursor);
        QTest::keyClicks(&rules().edit(), text);
    }
    void replace(const QString& old, const QString& text) {
        QTextCursor cursor = rules().edit().document()->find(old);
        QVERIFY2(!cursor.isNull(), qPrintable(old));
        rules().edit().setTextCursor(cursor);
        QTest::keyClick(&rules().edit(), Qt::Key_Delete);
        QTest::keyClicks(&rules().edit(), text);
    }
    void clickButton(QWidget& panel, const QString& text) {
        for (QToolButton* button : panel.findChildren<QToolButton*>())
            if (button->text() == text) return QTest::mouseClick(button, Qt::LeftButton);
        QFAIL(qPrintable(text));
    }
    /// A click on words of the inspector, the last or an earlier place of them.
    void clickLink(QTextBrowser& text, const QString& words, int skip = 0) {
        QTextCursor cursor = text.document()->find(words);
        while (skip-- && !cursor.isNull()) cursor = text.document()->find(words, cursor);
        QVERIFY2(!cursor.isNull(), qPrintable(words));
        cursor.setPosition(cursor.selectionStart() + 2);
        text.setTextCursor(cursor);
        text.ensureCursorVisible();
        QTest::mouseClick(text.viewport(), Qt::LeftButton, Qt::NoModifier, text.cursorRect(cursor).center());
        QCoreApplication::processEvents();
    }

    std::unique_ptr<WindowFixture> fixture_;
};

}  // namespace partita
