#include "app/gui/window/missing_backends.h"

#include <QAction>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QToolBar>

#include "app/gui/style/foreign_text.h"

namespace partita {

MissingBackends::MissingBackends(Document& document, QMainWindow& window)
    : QObject(&window), document_(document), window_(window), bar_(new QToolBar(tr("Missing backend"), &window)),
      text_(new QLabel) {
    bar_->setObjectName(QStringLiteral("missing-backend"));
    bar_->setMovable(false);
    bar_->setToolButtonStyle(Qt::ToolButtonTextOnly);
    text_->setContentsMargins(8, 0, 12, 0);
    text_->setTextFormat(Qt::RichText);
    bar_->addWidget(text_);
    bar_->addAction(tr("Find it…"), this, &MissingBackends::chooseFile)->setObjectName(QStringLiteral("find-backend"));
    bar_->addAction(tr("Leave it out"), this, &MissingBackends::leaveOut)
        ->setObjectName(QStringLiteral("leave-backend-out"));
    window.addToolBarBreak();
    window.addToolBar(bar_);
    bar_->toggleViewAction()->setVisible(false);
    bar_->hide();
    connect(&document_, &Document::choiceChanged, this, &MissingBackends::tell);
}

QString MissingBackends::name() const {
    return shown_name(QFileInfo(QString::fromStdString(document_.choice().missing.front().name)).fileName());
}

void MissingBackends::tell() {
    const std::vector<MissingBackend>& missing = document_.choice().missing;
    bar_->setVisible(!missing.empty() && !held_);
    if (missing.empty()) return;
    text_->setText(
        tr("The backend <b>%1</b> of this project can't be loaded. The project keeps it.").arg(name().toHtmlEscaped()));
    text_->setToolTip(as_plain(shown_message(missing.front().fault)));
}

void MissingBackends::hold(bool held) {
    held_ = held;
    tell();
}

void MissingBackends::chooseFile() {
    const QString beside = document_.projectPath().isEmpty() ? document_.path() : document_.projectPath();
    auto* dialog = new QFileDialog(&window_, tr("Find %1").arg(name()), QFileInfo(beside).path(),
                                   tr("Backend descriptions (*.json);;All files (*)"));
    dialog->setObjectName(QStringLiteral("find-backend-dialog"));
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QFileDialog::fileSelected, this, &MissingBackends::find);
    dialog->open();
}

void MissingBackends::find(const QString& file) {
    FlowChoice choice = document_.choice();
    if (choice.missing.empty()) return;
    Result<BackendDescription> loaded = load_backend(file.toStdString());
    QString fault;
    if (!loaded) fault = shown_message(loaded.error().to_string());
    else if (choice.backend_index(loaded->name) >= 0)
        fault = tr("There is a backend named %1 already.").arg(shown_name(loaded->name));
    if (!fault.isEmpty()) {
        QMessageBox::warning(&window_, tr("Not the backend that is missing"), as_plain(fault));
        return;
    }
    const QString step = tr("find %1").arg(name());
    document_.withdraw(choice.missing.front().name);
    choice.find_missing(0, std::make_shared<BackendDescription>(std::move(*loaded)));
    document_.changeChoice(std::move(choice), step);
}

void MissingBackends::leaveOut() {
    FlowChoice choice = document_.choice();
    if (choice.missing.empty()) return;
    const QString step = tr("leave %1 out").arg(name());
    document_.withdraw(choice.missing.front().name);
    choice.missing.erase(choice.missing.begin());
    document_.changeChoice(std::move(choice), step);
}

}  // namespace partita
