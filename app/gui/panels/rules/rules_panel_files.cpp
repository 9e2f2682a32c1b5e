// Of the rules panel: files of descriptions, written, gone back to, begun anew.
#include "app/gui/panels/rules/rules_panel.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/style/foreign_text.h"
#include "engine/support/file.h"

namespace partita {

namespace {

const char* const kNewDescription = R"({
  "name": "%1",
  "summary": "",
  "ops": {
    "add": "args[0].dtype == 'float32'"
  },
  "codegen": "default"
}
)";

}  // namespace

QString RulesPanel::file() const {
    if (!shown_) return {};
    if (!shown_->file.empty()) return QString::fromStdString(shown_->file);
    const auto saved = saved_.find(shown_->name);
    return saved == saved_.end() ? QString() : QString::fromStdString(saved->second);
}

QString RulesPanel::suggestedFile() const {
    if (QString file = this->file(); !file.isEmpty()) return file;
    return QFileInfo(document_.path()).dir().filePath(QString::fromStdString(shown_->name) + QStringLiteral(".json"));
}

void RulesPanel::save() {
    if (!shown_) return;
    if (file().isEmpty()) return saveAs();
    saveTo(file());
}

void RulesPanel::saveAs() {
    if (!shown_) return;
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the description"), suggestedFile(),
                                                      tr("Backend descriptions (*.json);;All files (*)"));
    if (!path.isEmpty()) saveTo(path);
}

bool RulesPanel::saveTo(const QString& path) {
    if (!shown_) return false;
    const QString text = edit_->toPlainText();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (Status written = write_file(absolute.toStdString(), text.toStdString()); !written) {
        QMessageBox::warning(this, tr("The description was not saved"), as_plain(QString::fromStdString(written.error().to_string())));
        return false;
    }
    original_ = text;
    saved_[shown_->name] = absolute.toStdString();
    if (shown_->file != absolute.toStdString()) {
        BackendDescription moved = *shown_;
        moved.file = absolute.toStdString();
        FlowChoice choice = document_.choice();
        shown_ = std::make_shared<const BackendDescription>(std::move(moved));
        choice.backends[size_t(index_)] = shown_;
        if (document_.isOpen()) document_.changeChoice(std::move(choice), tr("keep the rules of %1 in a file").arg(shown_name(shown_->name)));
        else document_.setBackends(choice.backends);
    }
    emit saved();
    if (edit_->toPlainText().toStdString() != shown_->source) say(tr("Saved as it is; the last valid rules stay."), true);
    else say(tr("Saved."));
    updateState();
    return true;
}

void RulesPanel::revert() {
    if (original_.isEmpty()) return;
    edit_->replaceText(original_);
    later_.stop();
    startCheck();
}

void RulesPanel::addBackend() {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    QString name = QStringLiteral("mine");
    for (int i = 2; document_.choice().backend_index(name.toStdString()) >= 0; ++i) name = QStringLiteral("mine%1").arg(i);
    Result<BackendDescription> made = parse_backend_description(QString::fromLatin1(kNewDescription).arg(name).toStdString(), std::string());
    if (!made) return;
    std::vector<BackendPtr> with_it{std::make_shared<const BackendDescription>(std::move(*made))};
    with_it.insert(with_it.end(), backends.begin(), backends.end());
    chosen_ = true;
    shown_ = with_it.front();
    index_ = 0;
    original_.clear();
    setText(QString::fromStdString(shown_->source));
    edit_->document()->clearUndoRedoStacks();
    places_ = outline_description(shown_->source);
    setFaults({});
    document_.setBackends(std::move(with_it));
    fillRules();
    updateState();
    edit_->setFocus();
}

}  // namespace partita
