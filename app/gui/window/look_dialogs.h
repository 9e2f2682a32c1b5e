// What a person chooses about the look of nodes while the canvas shows it: attributes that stand on them, colours of
// what queries find.
#pragma once

#include <functional>

#include <QDialog>

#include "app/gui/canvas/graph_page.h"

class QLabel;
class QLineEdit;
class QTreeWidget;

namespace partita {

/// Applies a change to the canvas's options, and keeps it for the next start.
using ChangeLook = std::function<void(const std::function<void(CanvasOptions&)>& change)>;

class NodeAttributesDialog : public QDialog {
    Q_OBJECT

public:
    /// Lists the operators of the open module, and those that something was chosen for before.
    NodeAttributesDialog(const Document& document, QMap<QString, bool> chosen, ChangeLook change, QWidget* parent);

private:
    void fill(const QStringList& operators);
    void take();

    QMap<QString, bool> chosen_;
    ChangeLook change_;
    QTreeWidget* tree_;
    bool filling_ = false;
};

class QueryColoursDialog : public QDialog {
    Q_OBJECT

public:
    QueryColoursDialog(const QStringList& queries, const Theme& theme, ChangeLook change, QWidget* parent);

private:
    void take();

    ChangeLook change_;
    std::vector<QLineEdit*> fields_;
    QLabel* fault_;
};

}  // namespace partita
