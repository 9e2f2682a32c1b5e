#include "app/gui/window/model_tabs.h"

#include <utility>

#include <QApplication>
#include <QCloseEvent>
#include <QSettings>
#include <QStackedWidget>
#include <QTabBar>
#include <QTimer>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"
#include "app/gui/window/main_window.h"

namespace partita {

ModelTabs::ModelTabs() : QWidget((put_look_in_force(), nullptr)), tabs_(new QTabBar), windows_(new QStackedWidget) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(tabs_);
    column->addWidget(windows_, 1);
    tabs_->setObjectName(QStringLiteral("model-tabs"));
    tabs_->setAccessibleName(tr("Open models"));
    tabs_->setDocumentMode(true);
    tabs_->setTabsClosable(true);
    tabs_->setExpanding(false);
    tabs_->setElideMode(Qt::ElideMiddle);
    tabs_->setUsesScrollButtons(true);
    tabs_->setFocusPolicy(Qt::NoFocus);
    connect(tabs_, &QTabBar::currentChanged, this, &ModelTabs::bringToFront);
    connect(tabs_, &QTabBar::tabCloseRequested, this, &ModelTabs::closeTab);
    add();
    resize(current().size());
    restoreGeometry(QSettings().value(QStringLiteral("window/geometry")).toByteArray());
}

int ModelTabs::count() const { return windows_->count(); }
MainWindow& ModelTabs::window(int tab) const { return *static_cast<MainWindow*>(windows_->widget(tab)); }
MainWindow& ModelTabs::current() const { return *front_; }

MainWindow& ModelTabs::add() {
    auto* window = new MainWindow(windows_);
    windows_->addWidget(window);
    window->installEventFilter(this);
    connect(window, &QWidget::windowTitleChanged, this, &ModelTabs::tellTitles);
    connect(window, &MainWindow::tabWanted, this,
            [this](const QStringList& files) { add().opening().openFiles(files); });
    connect(window, &MainWindow::tabStepWanted, this, &ModelTabs::step);
    connect(window, &MainWindow::closed, this, [this, window] { forget(*window); });
    const int tab = tabs_->addTab(QString());
    tabs_->setCurrentIndex(tab);
    bringToFront(tab);
    tellTitles();
    showTabs();
    return *window;
}

void ModelTabs::startWithSize(const QSize& size) {
    resize(size);
    current().startWithSize(size);
}

/// What was set in one window holds in the next.
void ModelTabs::bringToFront(int tab) {
    if (tab < 0 || tab >= count() || front_ == &window(tab)) return;
    MainWindow* before = std::exchange(front_, &window(tab));
    if (before) {
        before->endPresentation();
        front_->applySettings(before->settings(), false);
    }
    windows_->setCurrentWidget(front_);
    tabs_->setFont(front_->font());  // they are older than the type that its settings chose
    QWidget* focus = front_->focusWidget();
    (focus ? focus : front_)->setFocus();
    tellTitles();
}

void ModelTabs::step(int by) { tabs_->setCurrentIndex((tabs_->currentIndex() + by + count()) % count()); }

void ModelTabs::closeTab(int tab) {
    closing_all_ = false;
    tabs_->setCurrentIndex(tab);  // it may ask, about what is seen then
    window(tab).close();
}

/// A window that closed goes; the last one takes this one along.
void ModelTabs::forget(MainWindow& window) {
    const int tab = windows_->indexOf(&window);
    if (tab < 0) return;
    if (count() == 1) {
        if (isVisible()) QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
        return;
    }
    if (front_ == &window) tabs_->setCurrentIndex(tab > 0 ? tab - 1 : 1);
    windows_->removeWidget(&window);
    tabs_->removeTab(tab);
    window.deleteLater();
    showTabs();
    front_->applySettings(front_->settings(), false);  // its commands may know of no other model
    if (closing_all_) QMetaObject::invokeMethod(this, &QWidget::close, Qt::QueuedConnection);
}

void ModelTabs::closeEvent(QCloseEvent* event) {
    closing_all_ = false;
    while (count() > 1 && current().close()) {
    }
    if (count() == 1 && (current().isHidden() || current().close())) return event->accept();
    closing_all_ = true;
    event->ignore();
}

void ModelTabs::end() {
    for (int tab = 0; tab < count(); ++tab) window(tab).leaving().keepForNextStart();
    close();
    QApplication::exit(0);
}

void ModelTabs::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::WindowStateChange) showTabs();
}

bool ModelTabs::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::ModifiedChange) tellTitles();
    // Afterwards: a style sheet that is set anew gives the tabs back the font that they were made with.
    if ((event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) && watched == front_)
        QTimer::singleShot(0, tabs_, [this] { tabs_->setFont(front_->font()); });
    return QWidget::eventFilter(watched, event);
}

void ModelTabs::tellTitles() {
    for (int tab = 0; tab < count(); ++tab) {
        const QString name = window(tab).modelName();
        QString shown = name.isEmpty() ? tr("Start page") : name;
        tabs_->setTabToolTip(tab, as_plain(shown));
        shown.replace(QLatin1Char('&'), QLatin1String("&&"));
        tabs_->setTabText(tab, window(tab).isWindowModified() ? shown + QStringLiteral(" *") : shown);
    }
    setWindowTitle(current().windowTitle());
    setWindowModified(current().isWindowModified());
    setWindowFilePath(current().windowFilePath());
}

void ModelTabs::showTabs() { tabs_->setVisible(count() > 1 && !isFullScreen()); }

}  // namespace partita
