// The outline: a filter and a tree; a click selects, Enter or a double click opens.
#pragma once

#include <QWidget>

#include "app/gui/panels/outline/outline_model.h"

class QLineEdit;
class QTreeView;

namespace partita {

class OutlinePanel : public QWidget {
    Q_OBJECT

public:
    explicit OutlinePanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QTreeView& tree() { return *tree_; }
    /// Functions only, as if nothing were divided.
    void setRegionsHidden(bool hidden);
    bool hidesRegions() const { return regions_hidden_; }

signals:
    void functionOpened(const QString& name, bool partitioned);
    void regionSelected(int region);
    /// A row that stands for several.
    void regionsSelected(const QVariantList& regions);

private:
    void refresh();
    void activate(const QModelIndex& index);
    void select(const QModelIndex& index);

    Document& document_;
    OutlineModel model_;
    quint64 job_ = 0;
    bool regions_hidden_ = false;
    QLineEdit* filter_;
    QTreeView* tree_;
};

}  // namespace partita
