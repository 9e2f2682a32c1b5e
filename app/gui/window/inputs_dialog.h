// The inputs of @main and the values that a run gives them: made ones, or files that a person chooses or drops on a
// row.
#pragma once

#include <map>

#include <QDialog>

#include "engine/session/input_files.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace partita {

class Document;
class RunInputs;

class InputsDialog : public QDialog {
    Q_OBJECT

public:
    InputsDialog(Document& document, RunInputs& inputs, QWidget* parent = nullptr);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    /// An input of @main as it stands in the table.
    struct Row {
        std::string name, label, type;
        Sentence made;  ///< which values are made; empty for weights, which are not listed while they are made
    };

    QWidget* buildImage();
    void readRows();
    void fill();
    void followRow();
    void chooseFile();
    void changeImage();
    const InputFile* chosen(const std::string& parameter) const;
    std::string currentParameter() const;

    Document& document_;
    RunInputs& inputs_;
    std::vector<Row> rows_;
    QTreeWidget* table_;
    QPushButton *choose_, *make_;
    QWidget* image_;
    QComboBox* layout_;
    QLineEdit *mean_, *scale_;
    QLabel* fault_;
};

}  // namespace partita
