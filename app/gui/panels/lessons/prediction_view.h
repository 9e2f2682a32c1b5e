// "Predict": a person marks the regions of the whole graph, then compares them with the program's. Part of the lessons
// panel; what it marks is shown on the canvas by whoever listens to `shown`.
#pragma once

#include <QWidget>

#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/panels/lessons/prediction.h"

class QLabel;
class QListWidget;
class QPushButton;
class QToolButton;

namespace partita {

class PageText;

class PredictionView : public QWidget {
    Q_OBJECT

public:
    explicit PredictionView(Document& document, QWidget* parent = nullptr);
    /// Marks nothing and shows the marks; or lets go of the canvas.
    void start();
    void finish();
    /// The canvas is as it was, and the marks wait: as while the panel is hidden.
    void pause();
    /// Goes on with the marks that wait, if they are of this graph; else false.
    bool resume();
    bool isPredicting() const { return predicting_; }
    bool isPaused() const { return paused_; }
    /// Until the first comparison.
    bool awaitsComparison() const { return predicting_ && !answered_; }
    /// What else tells of the regions would give them away.
    bool hidesAnswers() const { return awaitsComparison() && document_.choice().active(document_.annotated()); }
    const MarkedRegions& marked() const { return marked_; }
    const std::optional<PredictionResult>& result() const { return result_; }
    QString resultText() const;

public slots:
    /// The selected operators become a region; they leave those that they were in.
    void markSelection();
    /// The selected operators are in no region any more.
    void unmarkSelection();
    void compare();
    void showMine();
    void showTheirs();

signals:
    /// How the canvas shall be marked; null: as it is.
    void shown(std::shared_ptr<const partita::DecorationInput> state);
    void predictingChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitList();
    std::vector<ExprId> selectedOperators() const;
    void takeOut(std::vector<ExprId> operators);
    void changed();
    void update();
    void accept(Result<PredictionResult> result);
    std::shared_ptr<DecorationInput> stateOf(const MarkedRegions& regions, bool letters) const;
    QString operatorNames(const std::vector<ExprId>& operators) const;

    Document& document_;
    bool predicting_ = false;
    bool paused_ = false;
    bool answered_ = false;  ///< compared once since the start
    MarkedRegions marked_;
    ModulePtr module_;  ///< that the marks are of
    std::optional<PredictionResult> result_;
    quint64 job_ = 0;
    QListWidget* list_;
    PageText* answer_;
    QPushButton *mark_, *unmark_, *compare_;
    QToolButton *mine_, *theirs_;
    QWidget* sides_;
};

}  // namespace partita
