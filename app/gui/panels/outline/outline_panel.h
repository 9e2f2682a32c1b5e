// The outline: a filter and a tree; a click selects, Enter or a double click opens.
#pragma once

#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"

class QLineEdit;
class QTreeView;

namespace partita {

class OutlinePanel : public QWidget {
    Q_OBJECT

public:
    explicit OutlinePanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QTreeView& tree() { return *tree_; }

signals:
    void functionOpened(const QString& name, bool partitioned);
    void regionSelected(int region);

private:
    void refresh();
    void activate(const QModelIndex& index);
    void select(const QModelIndex& index);

    Document& document_;
    Theme theme_;
    QStandardItemModel model_;
    QSortFilterProxyModel filtered_;
    QLineEdit* filter_;
    QTreeView* tree_;
};

}  // namespace partita
