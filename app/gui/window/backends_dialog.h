// Which backends a module may go to, and in what order they are asked.
#pragma once

#include <QDialog>
#include <QStringList>

#include "engine/flow/flow_choice.h"

class QHBoxLayout;
class QLabel;
class QListWidget;
class QListWidgetItem;
class QPushButton;

namespace partita {

class BackendsDialog : public QDialog {
    Q_OBJECT

public:
    /// `chosen` are taken, in order of priority; built-in ones that are not chosen and `recent` files are offered below
    /// them.
    BackendsDialog(const std::vector<BackendPtr>& chosen, const QStringList& recent, QWidget* parent);
    std::vector<BackendPtr> chosen() const;
    /// The files of all that are listed, the first last.
    QStringList files() const;

private:
    QHBoxLayout* buildPresets();
    /// Checks these, in this order, before all others.
    void choose(const QStringList& names);
    void addItem(const BackendPtr& backend, bool checked);
    void addRecent(const QStringList& files);
    void chooseFile();
    void addFile(const QString& file);
    const BackendPtr& backendAt(int row) const;
    int rowOf(const std::string& name) const;
    void move(int by);
    static QString rulesText(const BackendDescription& backend);
    void updateButtons();

    QListWidget* list_;
    QPushButton *up_, *down_, *ok_ = nullptr;
    QLabel* details_;
    std::vector<BackendPtr> backends_;  ///< by Qt::UserRole of the items
};

/// Loads backends by name or file; what can't be loaded is left out and its reason appended to `faults`.
std::vector<BackendPtr> load_backends(const QStringList& names_or_files, std::vector<Diagnostic>& faults);

}  // namespace partita
