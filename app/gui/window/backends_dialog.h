// Which backends a module may go to, and in what order they are asked.
#pragma once

#include <QDialog>
#include <QStringList>

#include "engine/session/flow_choice.h"

class QListWidget;
class QListWidgetItem;
class QPushButton;
class QLabel;

namespace partita {

class BackendsDialog : public QDialog {
    Q_OBJECT

public:
    /// `chosen` are taken, in order of priority; built-in ones that are not chosen are offered below them.
    BackendsDialog(const std::vector<BackendPtr>& chosen, QWidget* parent);
    std::vector<BackendPtr> chosen() const;

private:
    void addItem(const BackendPtr& backend, bool checked);
    void addFile();
    void move(int by);
    void updateButtons();

    QListWidget* list_;
    QPushButton *up_, *down_;
    QLabel* details_;
    std::vector<BackendPtr> backends_;  ///< by Qt::UserRole of the items
};

/// Loads backends by name or file; what can't be loaded is left out and its reason appended to `faults`.
std::vector<BackendPtr> load_backends(const QStringList& names_or_files, std::vector<Diagnostic>& faults);

}  // namespace partita
