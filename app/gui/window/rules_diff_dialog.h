// What the rules, as they stand in the window, change against another version of them: on a folder of models, by model
// and by rule. A change leads to its call, and is kept as a test of the description.
#pragma once

#include <QDialog>
#include <QStringList>

#include "app/gui/document/document.h"
#include "engine/session/rules_diff.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace partita {

struct PlaceLink;  // engine/support/place_link.h

class RulesDiffDialog : public QDialog {
    Q_OBJECT

public:
    RulesDiffDialog(Document& document, QWidget* window);

    /// Compares, as the button does. `models`: a folder, or a file.
    void compare(const QString& models);

signals:
    /// A call of a model is to be shown.
    void placeWanted(const PlaceLink& link);

private:
    struct Compared {
        std::vector<ModelRulesDiff> models;
        QStringList faults;  ///< of files that can't be read or divided
    };

    QLayout* makeChoices();
    QLayout* makeButtons();
    void chooseRules();
    void chooseModels();
    void listBackends();
    void nameRules();
    int backend() const;
    void start(const BackendPtr& before);
    void take(Compared compared);
    void addModel(size_t index);
    void updateButtons();
    void showPlace(QTreeWidgetItem* item);
    /// Why the selected change can't be a test; "" if it can.
    QString obstacleToTest() const;
    void keepTest(bool wants_new);
    const VerdictChange* selected(const ModelRulesDiff** model = nullptr) const;

    Document& document_;
    QComboBox* backends_;
    QLineEdit *rules_, *models_;
    QPushButton *compare_, *want_old_, *want_new_;
    QTreeWidget* table_;
    QLabel* told_;
    Compared compared_;
    std::string compared_backend_;  ///< its name
    quint64 job_ = 0;
};

}  // namespace partita
