// What the panels, dialogs and pages are made of: words, hints, states and layouts of their widgets before somebody
// works in them, held against tests/golden/widgets.txt. `PARTITA_UPDATE_GOLDEN=1 build/release/tests/test_widgets`
// writes it anew.
#include "window_fixture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QBoxLayout>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFormLayout>
#include <QLabel>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSplitter>
#include <QStatusBar>
#include <QTextEdit>

#include "app/gui/diff/diff_page.h"
#include "app/gui/editing/fault_bubble.h"
#include "app/gui/editing/function_attribute_dialog.h"
#include "app/gui/panels/lessons/editor/lesson_editor.h"
#include "app/gui/window/dimensions_dialog.h"
#include "app/gui/window/dock_title.h"
#include "app/gui/window/settings_dialog.h"
#include "app/gui/window/welcome_page.h"
#include "tests/registry.h"

namespace test_widgets {

using namespace partita;

namespace {

NamedDimension named(const std::string& name, int64_t value, const std::string& relation = "") {
    NamedDimension dimension;
    dimension.name = name;
    dimension.value = value;
    dimension.relation = relation;
    if (!relation.empty()) dimension.source = NamedDimension::Source::Derived;
    return dimension;
}

/// Writes a line for each widget and layout below a widget.
class WidgetList {
public:
    explicit WidgetList(QStringList& lines) : lines_(lines) {}

    void add(const QString& title, const QWidget& widget) {
        lines_ << QStringLiteral("== ") + title;
        describe(widget, 0, {});
    }

private:
    void write(int depth, const QStringList& words) {
        lines_ << QString(depth * 2, ' ') + words.join(' ').replace('\n', QStringLiteral("\\n"));
    }

    static QString quoted(const QString& text) {
        return text.size() > 70 ? QStringLiteral("\"%1…\"").arg(text.left(69)) : QStringLiteral("\"%1\"").arg(text);
    }

    /// Returns its margins, and what it keeps between its items.
    static QString gaps_of(const QLayout& layout) {
        const QMargins margins = layout.contentsMargins();
        QString gaps = QStringLiteral("margins %1 %2 %3 %4")
                           .arg(margins.left())
                           .arg(margins.top())
                           .arg(margins.right())
                           .arg(margins.bottom());
        if (auto* form = qobject_cast<const QFormLayout*>(&layout))
            return gaps + QStringLiteral(" gaps %1 %2").arg(form->horizontalSpacing()).arg(form->verticalSpacing());
        return gaps + QStringLiteral(" gap %1").arg(layout.spacing());
    }

    static QStringList words_of(const QWidget& widget) {
        const QMetaObject* kind = widget.metaObject();
        while (QByteArrayView(kind->className()).startsWith("partita::")) kind = kind->superClass();
        QStringList words{QString::fromLatin1(kind->className())};
        if (auto* box = qobject_cast<const QComboBox*>(&widget))
            for (int i = 0; i < box->count(); ++i) words << quoted(box->itemText(i));
        else if (auto* number = qobject_cast<const QAbstractSpinBox*>(&widget)) words << quoted(number->text());
        for (const char* text : {"text", "placeholderText", "toolTip", "accessibleName"})
            if (const QString value = widget.property(text).toString(); !value.isEmpty())
                words << QStringLiteral("%1=%2").arg(text, quoted(value));
        for (const char* state : {"wordWrap", "readOnly", "checkable", "checked", "autoRaise", "childrenCollapsible"})
            if (widget.property(state).toBool()) words << state;
        if (widget.isHidden()) words << "hidden";
        if (!widget.isEnabledTo(widget.parentWidget())) words << "disabled";
        if (qobject_cast<const QAbstractButton*>(&widget) && widget.focusPolicy() == Qt::NoFocus) words << "no focus";
        return words;
    }

    void describe(const QWidget& widget, int depth, const QString& place) {
        write(depth, words_of(widget) << place);
        const bool has_parts_of_its_own =
            qobject_cast<const QComboBox*>(&widget) || qobject_cast<const QAbstractSpinBox*>(&widget) ||
            qobject_cast<const QAbstractItemView*>(&widget) || qobject_cast<const QTextEdit*>(&widget) ||
            qobject_cast<const QAbstractButton*>(&widget) || widget.inherits("QPlainTextEdit") ||
            widget.inherits("QLineEdit") || widget.inherits("QTabBar") || widget.inherits("partita::WelcomePage");
        if (has_parts_of_its_own) return;
        seen_ << &widget;
        if (widget.layout()) describe(*widget.layout(), depth + 1);
        for (const QObject* child : widget.children())
            if (auto* part = qobject_cast<const QWidget*>(child);
                part && !part->isWindow() && !seen_.contains(part) && !part->objectName().endsWith("container"))
                describe(*part, depth + 1, {});
    }

    void describe(const QLayout& layout, int depth) {
        if (layout.inherits("QStackedLayout") || layout.inherits("QMainWindowLayout")) return;
        write(depth, {layout.metaObject()->className(), gaps_of(layout)});
        auto* box = qobject_cast<const QBoxLayout*>(&layout);
        for (int i = 0; i < layout.count(); ++i) {
            QLayoutItem& item = *layout.itemAt(i);
            // Of one that stretches among others that don't, the factor does not matter.
            const QString place = box && box->stretch(i) ? QStringLiteral("stretches") : QString();
            if (const QWidget* widget = item.widget()) {
                seen_ << widget;
                describe(*widget, depth + 1, place);
            } else if (const QLayout* inner = item.layout()) {
                describe(*inner, depth + 1);
            } else if (QSpacerItem* spacer = item.spacerItem()) {
                write(depth + 1,
                      {QStringLiteral("space %1x%2").arg(spacer->sizeHint().width()).arg(spacer->sizeHint().height()),
                       place});
            }
        }
    }

    QStringList& lines_;
    QSet<const QWidget*> seen_;
};

}  // namespace

class TestWidgets : public QObject {
    Q_OBJECT

    std::unique_ptr<WindowFixture> fixture_;
    MainWindow& window() { return *fixture_->window; }

    QStringList all() {
        QStringList lines;
        WidgetList list(lines);
        list.add("centre", *window().centralWidget());
        list.add("title of a panel", *window().findChild<DockTitle*>());
        QList<QDockWidget*> docks = window().findChildren<QDockWidget*>();
        std::sort(docks.begin(), docks.end(), [](auto* a, auto* b) { return a->objectName() < b->objectName(); });
        for (QDockWidget* dock : docks) {
            list.add(dock->objectName(), *dock->widget());
        }
        list.add("settings", SettingsDialog(Settings(), &window()));
        list.add(
            "dimensions",
            DimensionsDialog("a model", {named("batch", 2), named("?", 7), named("total", 9, "batch + 7")}, &window()));
        auto* attribute = new FunctionAttributeDialog("@main", {}, &window());
        list.add("attribute of a function", *attribute);
        delete attribute;
        return lines;
    }

private slots:
    void init() { fixture_ = std::make_unique<WindowFixture>(); }
    void cleanup() { fixture_.reset(); }

    void dialogsEndByTheirButtons() {
        for (const bool settings : {true, false})
            for (const auto& [button, result] : {std::pair(QDialogButtonBox::Ok, QDialog::Accepted),
                                                 std::pair(QDialogButtonBox::Cancel, QDialog::Rejected)}) {
                std::unique_ptr<QDialog> dialog;
                if (settings) dialog = std::make_unique<SettingsDialog>(Settings(), &window());
                else dialog = std::make_unique<DimensionsDialog>("a model", std::vector{named("batch", 2)}, &window());
                QSignalSpy finished(dialog.get(), &QDialog::finished);
                dialog->open();
                dialog->findChild<QDialogButtonBox*>()->button(button)->click();
                QCOMPARE(finished.value(0), QVariantList{int(result)});
            }
    }

    void allIsMadeOfWhatTheFileSays() {
        QStringList now = all();
        if (!fixture_->openOneDivide()) QFAIL("no graph");
        WidgetList list(now);
        list.add("page of a graph", *window().currentPage());
        FaultBubble::show(*window().currentPage(), {}, "no", fixture_->view().theme());
        list.add("refusal", *fixture_->view().findChild<FaultBubble*>());
        window().pages().compare();
        QVERIFY(fixture_->settle());
        list.add("comparison", *window().findChild<DiffPage*>());
        window().panels().lessonEditor().begin();
        list.add("lesson that is written", window().panels().lessonEditor());
        QFile file(PARTITA_SOURCE_DIR "/tests/golden/widgets.txt");
        if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN") && file.open(QIODevice::WriteOnly)) {
            file.write((now.join('\n') + '\n').toUtf8());
            return;
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QStringList known = QString::fromUtf8(file.readAll()).split('\n');
        known.removeLast();
        for (qsizetype i = 0; i < std::min(now.size(), known.size()); ++i) QCOMPARE(now[i], known[i]);
        QCOMPARE(now.size(), known.size());
    }
};

PARTITA_TEST(TestWidgets)

}  // namespace test_widgets

#include "test_widgets.moc"
