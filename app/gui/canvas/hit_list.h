// The hits of a search as a list to click, over all functions of the module: below the line of the query.
#pragma once

#include <QTreeWidget>
#include <QWidget>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/canvas/graph_model.h"

class QLabel;

namespace partita {

struct SearchHit {
    QString function;  ///< without "@"
    ExprId expr;
    QString title, name, type;
};

struct SearchHits {
    std::vector<SearchHit> hits;  ///< the first thousand
    size_t found = 0;
    size_t functions_left_out = 0;  ///< that were not searched, because the module has too many
};

/// Searches the functions of a module one after the other: the time of the shown graph for each, up to a limit of all
/// work. What is found on cancel is to be dropped.
SearchHits search_module(const ModulePtr& module, const QString& query, const DecorationInput& input,
                         const CancelToken& cancel);

class HitList : public QWidget {
    Q_OBJECT

public:
    explicit HitList(QWidget* parent = nullptr);
    void list(SearchHits hits);
    QTreeWidget& rows() { return *rows_; }

signals:
    void chosen(const QString& function, partita::ExprId expr);
    /// Esc: back to the query.
    void left();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void choose(QTreeWidgetItem* item);

    SearchHits hits_;
    QTreeWidget* rows_;
    QLabel* note_;
};

}  // namespace partita
