// Of the rules panel: files of descriptions, written, gone back to, begun anew.
#include "app/gui/panels/rules/rules_panel.h"

#include <algorithm>

#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QSettings>

#include "app/gui/document/annotator_permits.h"
#include "app/gui/panels/rules/description_conflict.h"
#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/description_files.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/save_path.h"
#include "engine/rules/annotated_backend.h"
#include "engine/support/file.h"

namespace partita {

namespace {

const QString kKeptDrafts = QStringLiteral("rules/drafts");

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

QString RulesPanel::fileOf(const BackendDescription& description) const {
    if (!description.file.empty()) return QString::fromStdString(description.file);
    const auto saved = remembered_.saved.find(description.name);
    return saved == remembered_.saved.end() ? QString() : QString::fromStdString(saved->second);
}

QString RulesPanel::originalOf(const BackendDescription& description) const {
    if (const QString file = fileOf(description); !file.isEmpty()) return files_->known(file);
    const std::string_view shipped = builtin_backend_source(description.name);
    return QString::fromUtf8(shipped.data(), qsizetype(shipped.size()));
}

QString RulesPanel::suggestedFile() const {
    if (QString file = this->file(); !file.isEmpty()) return file;
    return suggestedFile(shown_.description->name);
}

QString RulesPanel::suggestedFile(const std::string& name) const {
    return QFileInfo(document_.path()).dir().filePath(QString::fromStdString(name) + QStringLiteral(".json"));
}

void RulesPanel::save() {
    if (!shown_.description) return;
    if (file().isEmpty()) return saveAs();
    if (files_->changed(file()) && DescriptionFiles::read(file())) return askWhichStays();
    saveTo(file());
}

void RulesPanel::saveAs() {
    if (!shown_.description) return;
    if (const QString path = askForFile(suggestedFile()); !path.isEmpty()) saveTo(path);
}

QString RulesPanel::askForFile(const QString& suggested) {
    if (!edit_->isPython())
        return QFileDialog::getSaveFileName(this, tr("Save the description"), suggested,
                                            tr("Backend descriptions (*.json);;All files (*)"));
    return ask_where_to_save(this, tr("Save the rules"), suggested, tr("Python (*.py)"), QStringLiteral(".py"),
                             Ending::Always);
}

bool RulesPanel::write(const QString& path, const QString& text, const QString& before) {
    const Status written = files_->write(path, text, before);
    if (written) return true;
    const QString fault = QString::fromStdString(written.error().to_string());
    QMessageBox::warning(this, tr("The description was not saved"), as_plain(fault));
    return false;
}

bool RulesPanel::saveTo(const QString& path) {
    if (!shown_.description) return false;
    const QString text = edit_->toPlainText();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    if (!write(absolute, text, file())) return false;
    shown_.original = text;
    remembered_.saved[shown_.description->name] = absolute.toStdString();
    if (shown_.description->file != absolute.toStdString()) {
        BackendDescription moved = *shown_.description;
        moved.file = absolute.toStdString();
        if (isPython(*shown_.description)) {  // its places name the file: it starts again
            moved = annotator_backend(moved.source, moved.file);
            if (shown_.description->running) give_permit(permit_for(moved));
        }
        FlowChoice choice = document_.choice();
        shown_.description = std::make_shared<const BackendDescription>(std::move(moved));
        choice.backends[size_t(shown_.index)] = shown_.description;
        if (document_.isOpen())
            document_.changeChoice(std::move(choice),
                                   tr("keep the rules of %1 in a file").arg(shown_name(shown_.description->name)));
        else document_.setBackends(choice.backends);
    }
    keepPermission();
    emit saved();
    if (edit_->toPlainText().toStdString() != shown_.description->source)
        say(tr("Saved as it is; the last valid rules stay."), true);
    else say(tr("Saved."));
    updateState();
    showConflict();
    return true;
}

void RulesPanel::revert() {
    if (!shown_.description) return;
    if (file().isEmpty()) {
        if (shown_.original.isEmpty()) return;
        edit_->replaceText(shown_.original);
        later_.stop();
        return startCheck();
    }
    const std::optional<QString> text = DescriptionFiles::read(file());
    if (!text) return say(tr("%1 can't be read.").arg(shown_name(QFileInfo(file()).fileName())), true);
    readAgain(shown_.index, *text);
}

void RulesPanel::followFiles() {
    QStringList files;
    for (const BackendPtr& backend : document_.choice().backends) {
        if (const QString file = fileOf(*backend); !file.isEmpty()) files << file;
        files << filesBeside(*backend);
    }
    files_->follow(files);
    // What was read in another way, as from the dialog of backends, is no conflict.
    for (const BackendPtr& backend : document_.choice().backends) {
        const QString file = fileOf(*backend);
        if (file.isEmpty() || backend->source == files_->known(file).toStdString()) continue;
        if (backend == shown_.description && edit_->toPlainText() != textOf(*backend)) continue;
        const Result<std::string> text = read_file(file.toStdString());
        if (text && *text == backend->source) files_->setKnown(file, *DescriptionFiles::read(file));
    }
}

void RulesPanel::lookAtFiles() {
    followFiles();
    const std::vector<BackendPtr> backends = document_.choice().backends;
    for (int i = 0; i < int(backends.size()); ++i) {
        const QString file = fileOf(*backends[size_t(i)]);
        if (file.isEmpty() || !files_->changed(file)) continue;
        const std::optional<QString> now = DescriptionFiles::read(file);
        if (!now) continue;
        QString mine = i == shown_.index ? edit_->toPlainText() : QString::fromStdString(backends[size_t(i)]->source);
        mine.replace(QLatin1String("\r\n"), QLatin1String("\n"));
        if (mine == *now) files_->setKnown(file, *now);
        else if (mine == files_->known(file)) readAgain(i, *now);
    }
    lookAtFilesBeside();
    if (shown_.description) shown_.original = originalOf(*shown_.description);
    updateState();
    showConflict();
}

/// One step of undo where the text is valid. A faulty text stands in the editor with its faults.
void RulesPanel::readAgain(int backend, const QString& text) {
    shown_.foreign = shown_.foreign || backend == shown_.index;
    if (backend != shown_.index) return readHidden(document_.choice().backends[size_t(backend)], text);
    files_->setKnown(file(), text);
    shown_.original = text;
    edit_->replaceText(text);
    later_.stop();
    effect_.read_again = true;
    startCheck();
    updateState();
    showConflict();
}

/// A faulty text of a description that is not shown waits until it is.
void RulesPanel::readHidden(const BackendPtr& before, const QString& text) {
    document_.jobs().start<Checked>(
        tr("Checking the rules"), this,
        [text = text.toStdString(), before](const JobContext& context) {
            return check(text, before, false, context.cancel);
        },
        [this, before, text](const Checked& checked) {
            const BackendPtr& made = checked.description;
            FlowChoice choice = document_.choice();
            const auto at = std::find(choice.backends.begin(), choice.backends.end(), before);
            if (at == choice.backends.end() || before == shown_.description) return;
            if (checked.may_not_run) return askToRun(before, text);
            if (!made || made->name != before->name) return;
            *at = made;
            files_->setKnown(fileOf(*before), text);
            if (document_.isOpen())
                document_.changeChoice(std::move(choice), tr("read %1 again").arg(shown_name(before->name)));
            else document_.setBackends(std::move(choice.backends));
        });
}

void RulesPanel::showConflict() {
    const QString file = this->file();
    conflict_->tell(!file.isEmpty() && files_->changed(file) ? file : QString());
}

/// From now on the text is compared with the file as it is.
void RulesPanel::keepMine() {
    if (file().isEmpty()) return;
    shown_.original = DescriptionFiles::read(file()).value_or(QString());
    files_->setKnown(file(), shown_.original);
    updateState();
    showConflict();
}

void RulesPanel::askWhichStays() {
    auto* box = new QMessageBox(
        QMessageBox::Question, tr("The file was changed"),
        as_plain(tr("%1 was changed on disk since it was read here.").arg(shown_name(QFileInfo(file()).fileName()))),
        QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("description-changed"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setInformativeText(tr("Saving writes over what is there."));
    QPushButton* mine = box->addButton(tr("Keep mine"), QMessageBox::AcceptRole);
    QPushButton* theirs = box->addButton(tr("Take theirs"), QMessageBox::DestructiveRole);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(mine, &QPushButton::clicked, this, [this, asked = file()] {
        if (file() == asked) saveTo(asked);
    });
    connect(theirs, &QPushButton::clicked, this, [this, asked = file()] {
        if (file() == asked) revert();
    });
    box->open();
}

/// The names of descriptions whose texts stand neither in the choice nor in their files.
std::vector<std::string> RulesPanel::faultyTexts() const {
    std::vector<std::string> names;
    if (shown_.description && modified() && edit_->toPlainText() != textOf(*shown_.description))
        names.push_back(shown_.description->name);
    for (const auto& [key, draft] : drafts_)
        if (draft.text != draft.original) names.push_back(key.first);
    return names;
}

void RulesPanel::leave(std::function<void()> go_on) {
    const std::vector<std::string> names = faultyTexts();
    if (names.empty()) return go_on();
    const bool asked = go_on_ != nullptr;
    go_on_ = std::move(go_on);
    if (asked) return;
    QStringList shown;
    for (const std::string& name : names) shown << shown_name(name);
    const QString all = shown.join(QStringLiteral(", "));
    auto* box = new QMessageBox(QMessageBox::Question, tr("Save the rules?"),
                                as_plain(tr("The text of %1 has faults and was not saved.").arg(all)),
                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setObjectName(QStringLiteral("leave-rules"));
    box->setInformativeText(tr("A project keeps the rules that were valid last."));
    box->setDefaultButton(QMessageBox::Save);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::finished, this, [this](int answer) {
        const std::function<void()> go_on = std::exchange(go_on_, nullptr);
        if (answer == QMessageBox::Discard || (answer == QMessageBox::Save && saveFaultyTexts())) go_on();
    });
    box->open();
}

/// Returns false where one was not saved: nobody named a file, it can't be written, or another's change stands in it.
bool RulesPanel::saveFaultyTexts() {
    for (const auto& [key, draft] : std::map(drafts_)) {  // a question for a file lets others change them
        if (draft.text == draft.original) continue;
        const QString own = QString::fromStdString(key.second);
        const bool free = !own.isEmpty() && DescriptionFiles::read(own).value_or(draft.original) == draft.original;
        const QString path = free ? own : askForFile(own.isEmpty() ? suggestedFile(key.first) : own);
        if (path.isEmpty() || !write(path, draft.text, own)) return false;
        if (const auto kept = drafts_.find(key); kept != drafts_.end()) kept->second.original = draft.text;
    }
    if (faultyTexts().empty()) return true;
    if (!file().isEmpty() && files_->changed(file()) && DescriptionFiles::read(file())) {
        askWhichStays();
        return false;
    }
    const QString path = file().isEmpty() ? askForFile(suggestedFile()) : file();
    return !path.isEmpty() && saveTo(path);
}

void RulesPanel::keepDraftsForNextStart() {
    keepDraft();
    QSettings store;
    store.beginWriteArray(kKeptDrafts);
    int index = 0;
    for (const auto& [key, draft] : drafts_) {
        if (draft.text == draft.original) continue;
        store.setArrayIndex(index++);
        store.setValue(QStringLiteral("name"), QString::fromStdString(key.first));
        store.setValue(QStringLiteral("file"), QString::fromStdString(key.second));
        store.setValue(QStringLiteral("text"), draft.text);
        store.setValue(QStringLiteral("original"), draft.original);
    }
    store.endArray();
}

void RulesPanel::takeKeptDrafts() {
    QSettings store;
    const int count = store.beginReadArray(kKeptDrafts);
    for (int i = 0; i < count; ++i) {
        store.setArrayIndex(i);
        const auto text = [&](const char* key) { return store.value(QLatin1String(key)).toString(); };
        drafts_[{text("name").toStdString(), text("file").toStdString()}] = {text("text"), text("original")};
    }
    store.endArray();
    store.remove(kKeptDrafts);
}

void RulesPanel::addBackend() {
    const std::vector<BackendPtr>& backends = document_.choice().backends;
    QString name = QStringLiteral("mine");
    for (int i = 2; document_.choice().backend_index(name.toStdString()) >= 0; ++i)
        name = QStringLiteral("mine%1").arg(i);
    Result<BackendDescription> made =
        parse_backend_description(QString::fromLatin1(kNewDescription).arg(name).toStdString(), std::string());
    if (!made) return;
    std::vector<BackendPtr> with_it{std::make_shared<const BackendDescription>(std::move(*made))};
    with_it.insert(with_it.end(), backends.begin(), backends.end());
    keepDraft();
    keepPlace();
    chosen_ = true;
    shown_.description = with_it.front();
    shown_.index = 0;
    shown_.original.clear();
    edit_->setPython(false);
    setText(QString::fromStdString(shown_.description->source), true);
    offerPython();
    shown_.places = outline_description(shown_.description->source);
    setFaults({});
    document_.setBackends(std::move(with_it));
    fillRules();
    edit_->setFocus();
}

}  // namespace partita
