// One side of a comparison: a function of its module as a graph and as text, with what is different marked in both.
#pragma once

#include <QStackedWidget>
#include <QWidget>

#include "app/gui/canvas/graph_view.h"
#include "app/gui/diff/diff_marks.h"
#include "app/gui/jobs/job_runner.h"
#include "app/gui/panels/text/text_panel.h"

class QComboBox;
class QPlainTextEdit;

namespace partita {

class DiffSide : public QWidget {
    Q_OBJECT

public:
    DiffSide(JobRunner& jobs, const QString& name, QWidget* parent = nullptr);
    ~DiffSide() override;

    void setTheme(const Theme& theme);
    /// Those that are offered to be shown. For a worker: it sorts the names of all.
    static QStringList functionsOf(const Module& module);
    /// `marks` are by expression of the module; `refused` by mark_refused_by_origin, null where none are shown.
    void show(ModulePtr module, std::vector<DiffMark> marks, const QStringList& functions, ModulePlaces places,
              const QStringList& backends = {}, RefusedMergesPtr refused = nullptr);
    void showText(bool text);
    /// Shows an expression, in its function; selects it.
    void reveal(ExprId expr);
    GraphView& graph() { return *graph_; }
    QPlainTextEdit& text() { return *text_; }
    const ModulePtr& module() const { return module_; }
    bool shows(ExprId expr) const;
    /// The expression nearest to the middle of the graph that counts, with its place in the widget; invalid where there
    /// is none.
    std::pair<ExprId, QPointF> middle(const std::function<bool(ExprId)>& counts) const;
    /// Moves the graph so that the expression's node is at a place of the widget.
    void placeAt(ExprId expr, const QPointF& place, double zoom);
    /// Of the first line in sight that holds one.
    ExprId topExpression() const;
    void scrollTo(ExprId expr);

signals:
    void looked();
    /// A graph is there that was not.
    void laidOut();
    void scrolled();
    void expressionClicked(partita::ExprId expr);

private:
    void layOut();
    /// Makes the text where it is looked at.
    void print();
    void markLines();
    int lineOf(ExprId expr) const;

    JobRunner& jobs_;
    Theme theme_;
    QString name_;
    ModulePtr module_;
    std::vector<DiffMark> marks_;
    ModulePlaces places_;
    RefusedMergesPtr refused_;
    QStringList backends_;  ///< names, in order of their colours
    QComboBox* function_;
    QStackedWidget* stack_;
    GraphView* graph_;
    QPlainTextEdit* text_;
    class LineHighlighter* highlighter_;
    class LargeText* large_;
    ModulePtr printed_;  ///< whose text is there, or on its way
    std::vector<std::pair<uint32_t, uint32_t>> lines_;
    ExprId wanted_;
    quint64 layout_job_ = 0, print_job_ = 0;
};

}  // namespace partita
