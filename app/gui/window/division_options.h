// Flow > Options of the division: a field for each option of the partitioner, from the table of partitioners. A change
// divides again at once, and can be undone.
#pragma once

#include <functional>
#include <vector>

#include <QDialog>

#include "app/gui/document/document.h"
#include "engine/partitioners/partitioner.h"

class QFormLayout;
class QLabel;

namespace partita {

class DivisionOptions : public QDialog {
    Q_OBJECT

public:
    DivisionOptions(Document& document, QWidget& window);

    /// Returns why there is nothing to choose; "" if there is.
    static QString obstacle(const Document& document);

private:
    void fill();
    QWidget* fieldFor(const PartitionerOption& option);
    QWidget* choiceField(const PartitionerOption& option, const QStringList& values);
    QWidget* textField(const PartitionerOption& option);
    QWidget* fileField(const PartitionerOption& option);
    QString valueOf(const PartitionerOption& option) const;
    void change(const PartitionerOption& option, const QString& value);

    Document& document_;
    const Partitioner* partitioner_ = nullptr;
    std::vector<std::function<void()>> refresh_;  ///< of the fields, after undo
    QFormLayout* form_;
    QLabel* source_;
};

}  // namespace partita
