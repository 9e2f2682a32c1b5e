// Asks for the values of an ONNX model's symbolic dimensions (batch, sequence length, ...): the module's shapes are
// fixed by them when it is read.
#pragma once

#include <QDialog>

#include "app/gui/document/document.h"

class QSpinBox;

namespace partita {

class DimensionsDialog : public QDialog {
    Q_OBJECT

public:
    /// `title` is the model's name; `taken` has the sizes that it was read with.
    DimensionsDialog(const QString& title, const std::vector<NamedDimension>& taken, QWidget* parent = nullptr);

    /// Returns the chosen sizes. Those that follow from others are not among them.
    Dimensions dimensions() const;

private:
    QWidget* fieldFor(const NamedDimension& dimension, const QString& name);

    std::vector<std::pair<std::string, QSpinBox*>> boxes_;
};

}  // namespace partita
