#include "app/gui/window/backends_dialog.h"

#include <algorithm>

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/style/foreign_text.h"

namespace partita {

BackendsDialog::BackendsDialog(const std::vector<BackendPtr>& chosen, const QStringList& recent, QWidget* parent)
    : QDialog(parent), list_(new QListWidget), up_(new QPushButton(tr("Earlier"))), down_(new QPushButton(tr("Later"))),
      details_(new QLabel) {
    setWindowTitle(tr("Backends"));
    resize(560, 420);
    auto* column = new QVBoxLayout(this);
    auto* words =
        new QLabel(tr("Backends are asked from top to bottom; an operator goes to the first whose rules accept it. "
                      "What is opened next begins with the same ones."));
    words->setWordWrap(true);
    column->addWidget(words);
    column->addLayout(buildPresets());
    auto* row = new QHBoxLayout;
    list_->setAccessibleName(tr("Backends in order of priority"));
    list_->setDragDropMode(QAbstractItemView::InternalMove);
    row->addWidget(list_, 1);
    auto* side = new QVBoxLayout;
    auto* add = new QPushButton(tr("Add a file…"));
    side->addWidget(up_);
    side->addWidget(down_);
    side->addWidget(add);
    side->addStretch();
    row->addLayout(side);
    column->addLayout(row, 1);
    details_->setTextFormat(Qt::RichText);
    details_->setWordWrap(true);
    details_->setMinimumHeight(56);
    details_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    column->addWidget(details_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    column->addWidget(buttons);
    ok_ = buttons->button(QDialogButtonBox::Ok);
    for (QPushButton* button : {up_, down_, add}) button->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(up_, &QPushButton::clicked, this, [this] { move(-1); });
    connect(down_, &QPushButton::clicked, this, [this] { move(1); });
    connect(add, &QPushButton::clicked, this, &BackendsDialog::chooseFile);
    connect(list_, &QListWidget::currentRowChanged, this, &BackendsDialog::updateButtons);

    for (const BackendPtr& backend : chosen) addItem(backend, true);
    for (const std::string& name : builtin_backend_names()) {
        if (std::any_of(chosen.begin(), chosen.end(), [&](const BackendPtr& b) { return b->name == name; })) continue;
        if (Result<BackendDescription> loaded = builtin_backend(name))
            addItem(std::make_shared<BackendDescription>(std::move(*loaded)), false);
    }
    addRecent(recent);
    list_->setCurrentRow(0);
    updateButtons();
}

/// Usual choices, one click each.
QHBoxLayout* BackendsDialog::buildPresets() {
    auto* row = new QHBoxLayout;
    const auto add = [this, row](const QString& text, const QString& tip, const QStringList& names) {
        auto* button = new QPushButton(text);
        button->setToolTip(tip);
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, [this, names] { choose(names); });
        row->addWidget(button);
    };
    add(tr("For &speed"), tr("dnnl_all takes all that oneDNN can run, ccompiler_wide the rest as generated C"),
        {QStringLiteral("dnnl_all"), QStringLiteral("ccompiler_wide")});
    add(tr("As in &TVM"),
        tr("dnnl and ccompiler take what TVM 0.9 gives them: few operators, as lessons and books show it"),
        {QStringLiteral("dnnl"), QStringLiteral("ccompiler")});
    row->addStretch();
    return row;
}

void BackendsDialog::choose(const QStringList& names) {
    for (int i = 0; i < list_->count(); ++i) list_->item(i)->setCheckState(Qt::Unchecked);
    for (int i = 0; i < names.size(); ++i) {
        const int row = rowOf(names[i].toStdString());
        if (row < 0) continue;
        QListWidgetItem* item = list_->takeItem(row);
        list_->insertItem(std::min(i, list_->count()), item);
        item->setCheckState(Qt::Checked);
    }
    list_->setCurrentRow(0);
}

void BackendsDialog::addItem(const BackendPtr& backend, bool checked) {
    auto* item = new QListWidgetItem(shown_name(backend->name));
    item->setData(Qt::UserRole, int(backends_.size()));
    item->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
    backends_.push_back(backend);
    list_->addItem(item);
}

/// What can't be read now is left out: it may come back.
void BackendsDialog::addRecent(const QStringList& files) {
    for (const QString& file : files) {
        if (Result<BackendDescription> loaded = load_backend(file.toStdString()); loaded && rowOf(loaded->name) < 0)
            addItem(std::make_shared<BackendDescription>(std::move(*loaded)), false);
    }
}

const BackendPtr& BackendsDialog::backendAt(int row) const {
    return backends_[size_t(list_->item(row)->data(Qt::UserRole).toInt())];
}

int BackendsDialog::rowOf(const std::string& name) const {
    for (int i = 0; i < list_->count(); ++i)
        if (backendAt(i)->name == name) return i;
    return -1;
}

void BackendsDialog::chooseFile() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Add a backend"), QString(),
                                                      tr("Backend descriptions (*.json *.py);;All files (*)"));
    if (!file.isEmpty()) addFile(file);
    ok_->setFocus();  // Enter takes what was chosen
}

/// A file that is listed already is read again.
void BackendsDialog::addFile(const QString& file) {
    Result<BackendDescription> loaded = load_backend(file.toStdString());
    if (!loaded) {
        QMessageBox::warning(this, tr("Not a backend description"),
                             as_plain(shown_message(loaded.error().to_string())));
        return;
    }
    const int row = rowOf(loaded->name);
    if (row < 0) {
        addItem(std::make_shared<BackendDescription>(std::move(*loaded)), true);
        return list_->setCurrentRow(list_->count() - 1);
    }
    const std::string& there = backendAt(row)->file;
    if (there.empty() || QFileInfo(QString::fromStdString(there)) != QFileInfo(file)) {
        const QString from = there.empty() ? tr("It ships with the program, or is not saved yet.")
                                           : tr("It is from %1.").arg(shown_name(there));
        QMessageBox::warning(
            this, tr("The name is taken"),
            as_plain(tr("There is a backend named %1 already. %2\nGive one of the two another \"name\".")
                         .arg(list_->item(row)->text(), from)));
        return;
    }
    backends_[size_t(list_->item(row)->data(Qt::UserRole).toInt())] =
        std::make_shared<BackendDescription>(std::move(*loaded));
    list_->item(row)->setCheckState(Qt::Checked);
    list_->setCurrentRow(row);
    updateButtons();
}

void BackendsDialog::move(int by) {
    const int row = list_->currentRow();
    if (row < 0 || row + by < 0 || row + by >= list_->count()) return;
    list_->insertItem(row + by, list_->takeItem(row));
    list_->setCurrentRow(row + by);
}

/// What a program's rules are is known once it was started, with permission.
QString BackendsDialog::rulesText(const BackendDescription& backend) {
    if (!backend.annotator.empty() && !backend.has_rules()) return tr("its rules are a program that has not run yet");
    return tr("%n operator(s)", nullptr, int(backend.ops.size())) + QStringLiteral(", ") +
           tr("%n pattern(s)", nullptr, int(backend.patterns.size()));
}

void BackendsDialog::updateButtons() {
    const int row = list_->currentRow();
    up_->setEnabled(row > 0);
    down_->setEnabled(row >= 0 && row + 1 < list_->count());
    if (row < 0) return details_->clear();
    const BackendPtr& backend = backendAt(row);
    QString text = shown_name(backend->summary).toHtmlEscaped();
    if (!text.isEmpty()) text += QStringLiteral("<br>");
    text += rulesText(*backend) + QStringLiteral("; ") +
            tr("executed by %1").arg(shown_name(backend->codegen).toHtmlEscaped());
    if (!backend->file.empty()) text += QStringLiteral("<br>") + shown_name(backend->file).toHtmlEscaped();
    details_->setText(text);
}

std::vector<BackendPtr> BackendsDialog::chosen() const {
    std::vector<BackendPtr> result;
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->checkState() == Qt::Checked) result.push_back(backendAt(i));
    return result;
}

QStringList BackendsDialog::files() const {
    QStringList files;
    for (int i = 0; i < list_->count(); ++i)
        if (!backendAt(i)->file.empty()) files.prepend(QString::fromStdString(backendAt(i)->file));
    return files;
}

std::vector<BackendPtr> load_backends(const QStringList& names_or_files, std::vector<Diagnostic>& faults) {
    std::vector<BackendPtr> backends;
    for (const QString& name : names_or_files) {
        Result<BackendDescription> loaded = load_backend(name.toStdString());
        if (!loaded) {
            faults.push_back(loaded.error());
            continue;
        }
        // A session is kept in another folder than the one that the program was started in.
        const QFileInfo file(QString::fromStdString(loaded->file));
        if (!loaded->file.empty()) loaded->file = file.absoluteFilePath().toStdString();
        backends.push_back(std::make_shared<BackendDescription>(std::move(*loaded)));
    }
    return backends;
}

}  // namespace partita
