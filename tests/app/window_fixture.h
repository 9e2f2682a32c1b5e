// What the window tests share: a window with settings of its own, sample texts in files, pictures.
#pragma once

#include <QtTest>

#include <QApplication>
#include <QDir>
#include <QDropEvent>
#include <QInputDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QTemporaryDir>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/style/icons.h"
#include "app/gui/style/language.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/model_tabs.h"
#include "engine/frontends/relay/printer.h"
#include "tests/app/own_fonts.h"
#include "tests/app/own_home.h"
#include "tests/registry.h"

namespace partita {

/// x, two branches, join: with a diamond of add (backend) and divide (default) in it.
inline const char* const kOneDivide = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(10, 10), float32], %w0: Tensor[(10, 10), float32], %w1: Tensor[(10, 10), float32], %w2: Tensor[(10, 10), float32], %w3: Tensor[(10, 10), float32], %w4: Tensor[(10, 10), float32]) -> Tensor[(10, 10), float32] {
  %0 = add(%x, %w1);
  %1 = multiply(%x, %w0);
  %2 = subtract(%0, %w2);
  %3 = divide(%1, %2);
  %4 = add(%3, %w3);
  divide(%4, %w4)
}
)";

/// Unlike QTest's for widgets it can't reach a window that is hidden and happens to lie there, too.
inline void move_pointer(QWidget& widget, const QPoint& place) {
    QTest::mouseMove(widget.window()->windowHandle(), widget.mapTo(widget.window(), place));
}

class WindowFixture {
public:
    WindowFixture() {
        use_own_home();
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
        QApplication::setOrganizationName(QStringLiteral("PartitaTest"));
        // Programs that run beside each other have a session and a journal each.
        QApplication::setApplicationName(testing::name_of_test());
        QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
        load_resources();
        static const bool language = (load_language(*qApp, QStringLiteral("en")), true);
        Q_UNUSED(language);
        window = std::make_unique<MainWindow>();
        Settings settings = window->settings();
        settings.theme = ThemeChoice::Light;
        settings.run.repeat = 2;
        window->applySettings(settings);
        window->setBackends({QStringLiteral("ccompiler"), QStringLiteral("dnnl")});
        showWindow();
    }

    /// Another window with the same settings and files; the old one goes without closing.
    void startAgain() {
        window.reset();
        window = std::make_unique<MainWindow>();
        showWindow();
    }

    QString file(const QString& name, const QByteArray& content) const {
        const QString path = folder_.filePath(name);
        QFile out(path);
        if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size())
            qFatal("can't write %s", qPrintable(path));
        return path;
    }

    /// What was open is thrown away.
    bool open(const QString& path) {
        window->opening().openFile(path);
        if (auto* question = window->findChild<QMessageBox*>(QStringLiteral("leave-document")))
            question->button(QMessageBox::Discard)->click();
        return window->waitUntilSettled(60000) && window->document().isOpen() && view().hasGraph();
    }
    bool openOneDivide() { return open(file(QStringLiteral("one-divide.relay"), kOneDivide)); }
    bool settle() { return shown().waitUntilSettled(60000); }

    /// The window that somebody works in: the one in front where there are tabs of models.
    MainWindow& shown() { return tabs ? tabs->current() : *window; }
    GraphView& view() { return shown().currentPage()->view(); }
    /// From now on with tabs of models; `window`, whose settings and files they use, stays aside.
    void showTabs() {
        window->hide();
        tabs = std::make_unique<ModelTabs>();
        tabs->startWithSize(window->size());
        tabs->show();
        tabs->activateWindow();
        (void)QTest::qWaitForWindowActive(tabs.get());
    }
    int64_t nodeOf(const QString& title, int skip = 0) {
        const GraphModel& model = *view().model();
        for (size_t i = 0; i < model.nodes.size(); ++i)
            if (model.nodes[i].title == title && skip-- == 0) return int64_t(i);
        return -1;
    }
    QPoint placeOf(int64_t node) { return view().toWidget(view().geometry().nodes[size_t(node)].center()).toPoint(); }
    void click(int64_t node, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        view().reveal({uint32_t(node)});
        QTest::mouseClick(&view(), Qt::LeftButton, modifiers, placeOf(node));
    }
    /// The backend of an operator on the screen.
    QString backendOf(int64_t node) {
        return view().decoration()->backend_name(view().decoration()->backend[size_t(node)]);
    }

    /// Saves the window for people, in the folder of the build, or with the settings where that is not the user's.
    /// Of the window, or of a dialog.
    void picture(const QString& name, QWidget* dialog = nullptr) {
        QDir folder(QStringLiteral(PARTITA_BINARY_DIR "/screenshots"));
        folder.mkpath(QStringLiteral("."));
        if (!QFileInfo(folder.path()).isWritable()) folder.setPath(folder_.path());
        QVERIFY((dialog ? dialog : window.get())->grab().save(folder.filePath(name + QStringLiteral(".png"))));
    }

    /// The dialog of a kind that a command opened.
    template <class T>
    T* dialog() {
        T* found = nullptr;
        (void)QTest::qWaitFor([&] { return (found = window->findChild<T*>()) && found->isVisible(); }, 5000);
        return found;
    }

    /// To the question for a line of text, and waits for what comes of it.
    void answer(const QString& text) {
        auto* ask = dialog<QInputDialog>();
        QVERIFY(ask);
        ask->setTextValue(text);
        QTest::keyClick(ask, Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return !window->document().isEditing(); }, 5000));
        QVERIFY(settle());
        window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
    }

    /// Drags files onto the window and lets go of them, if it would take them.
    bool drop(const QStringList& paths) {
        QMimeData data;
        QList<QUrl> urls;
        for (const QString& path : paths) urls << QUrl::fromLocalFile(path);
        data.setUrls(urls);
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        if (!enter.isAccepted()) return false;
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &drop);
        return true;
    }

    /// The module as Relay text without types.
    std::string printed() const {
        RelayPrintOptions options;
        options.types = false;
        return print_relay(*window->document().module(), options);
    }

    /// The text of the message box that is open, which is closed; empty if none is.
    QString takeMessage() {
        for (QWidget* widget : QApplication::topLevelWidgets()) {
            auto* box = qobject_cast<QMessageBox*>(widget);
            if (!box || !box->isVisible()) continue;
            const QString text = box->informativeText();
            box->close();
            return text;
        }
        return {};
    }

    std::unique_ptr<MainWindow> window;
    std::unique_ptr<ModelTabs> tabs;  ///< null without showTabs

private:
    void showWindow() {
        // With large text there has to be as much room for it.
        const double text = std::max(1.0, window->screen()->logicalDotsPerInch() / 96);
        window->startWithSize(QSize(1320, 860) * text);
        window->show();
        window->activateWindow();
        (void)QTest::qWaitForWindowActive(window.get());
    }

    QTemporaryDir folder_;
};

/// A file of the reference data, or "" where it is not there.
inline QString reference_file(const QString& name) {
    QString folder = qEnvironmentVariable("PARTITA_REFERENCE");
    if (folder.isEmpty()) folder = QStringLiteral(PARTITA_SOURCE_DIR "/../shared/reference");
    const QString path = folder + QLatin1Char('/') + name;
    return QFile::exists(path) ? path : QString();
}

}  // namespace partita
