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
    /// `title` is the model's name; `taken` has the values that it was read with.
    DimensionsDialog(const QString& title, const Dimensions& taken, QWidget* parent = nullptr);

    Dimensions dimensions() const;

private:
    std::vector<std::pair<std::string, QSpinBox*>> boxes_;
};

}  // namespace partita
