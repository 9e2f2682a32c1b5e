#include "app/gui/window/file_watch.h"

#include <QAction>
#include <QFileInfo>
#include <QLabel>
#include <QToolBar>

#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr int kSettleMilliseconds = 350;

}  // namespace

FileWatch::FileWatch(Document& document, QMainWindow& window)
    : QObject(&window), document_(document), bar_(new QToolBar(tr("File changed"), &window)), text_(new QLabel) {
    bar_->setObjectName(QStringLiteral("file-changed"));
    bar_->setMovable(false);
    bar_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    text_->setContentsMargins(8, 0, 12, 0);
    bar_->addWidget(text_);
    read_ = bar_->addAction(tr("Read it again"), this, &FileWatch::reload);
    read_->setToolTip(tr("One step that can be undone; choices stay with the operators that are still there"));
    read_->setObjectName(QStringLiteral("reload-changed"));
    bar_->addAction(tr("Keep what is open"), this, &FileWatch::ignore)->setObjectName(QStringLiteral("keep-opened"));
    window.addToolBarBreak();
    window.addToolBar(bar_);
    bar_->toggleViewAction()->setVisible(false);
    bar_->hide();
    later_.setSingleShot(true);
    later_.setInterval(kSettleMilliseconds);
    connect(&later_, &QTimer::timeout, this, &FileWatch::look);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] { later_.start(); });
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this] { later_.start(); });
    connect(&document_, &Document::opened, this, &FileWatch::watch);
}

FileWatch::Stamp FileWatch::stampOf(const QString& path) {
    const QFileInfo file(path);
    return file.exists() ? Stamp{file.size(), file.lastModified()} : Stamp();
}

void FileWatch::watch() {
    bar_->hide();
    if (!watcher_.files().isEmpty()) watcher_.removePaths(watcher_.files());
    if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
    const QString path = document_.path();
    known_ = stampOf(path);
    if (known_.size < 0) return;  // a lesson stands in no file
    watcher_.addPath(path);
    // Many programs write another file and give it the name: then the old one vanishes from the watch.
    watcher_.addPath(QFileInfo(path).absolutePath());
}

void FileWatch::look() {
    const QString path = document_.path();
    const Stamp now = stampOf(path);
    if (now.size >= 0 && !watcher_.files().contains(path)) watcher_.addPath(path);
    if (now == known_ || held_) return bar_->hide();
    const bool gone = now.size < 0;
    const QString words =
        gone ? tr("<b>%1</b> is no longer there. What is open is whole: a project or an export keeps it.")
             : tr("<b>%1</b> was changed on disk.");
    text_->setText(words.arg(shown_name(QFileInfo(path).fileName()).toHtmlEscaped()));
    read_->setVisible(!gone);
    bar_->show();
}

void FileWatch::hold(bool held) {
    held_ = held;
    if (document_.isOpen()) look();
}

bool FileWatch::offers() const { return bar_->isVisible(); }

void FileWatch::reload() {
    known_ = stampOf(document_.path());
    bar_->hide();
    document_.reload();
}

void FileWatch::ignore() {
    known_ = stampOf(document_.path());
    bar_->hide();
}

}  // namespace partita
