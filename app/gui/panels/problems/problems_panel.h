// Problems: what was wrong or worth saying in the file, the division and the run.
#pragma once

#include <QAbstractTableModel>
#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"

class QTreeView;

namespace partita {

class ProblemsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    explicit ProblemsModel(Document& document, QObject* parent = nullptr);
    void setTheme(const Theme& theme);
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Document& document_;
    Theme theme_;
};

class ProblemsPanel : public QWidget {
    Q_OBJECT

public:
    explicit ProblemsPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme) { model_.setTheme(theme); }
    const ProblemsModel& model() const { return model_; }

signals:
    /// A row was activated.
    void problemChosen(const Problem& problem);

private:
    ProblemsModel model_;
    QTreeView* view_;
};

}  // namespace partita
