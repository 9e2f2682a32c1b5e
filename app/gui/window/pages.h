// The tabs: graphs of functions and a comparison. Which are open, and what is marked on all of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <QTabWidget>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "app/gui/window/session_view.h"
#include "engine/session/placing.h"

namespace partita {

class DiffPage;

class Pages : public QTabWidget {
    Q_OBJECT

public:
    explicit Pages(Document& document);

    /// The page in front, or null.
    GraphPage* current() const { return qobject_cast<GraphPage*>(currentWidget()); }
    std::vector<GraphPage*> graphs() const;
    void openFunction(const QString& name, bool partitioned);
    /// Opens the function from which the page in front was opened, `depth` steps from the first.
    void openBreadcrumb(GraphPage& page, int depth);
    void openCaller();
    /// The tab that compares stages and files; made if there is none.
    DiffPage* compare();
    /// Shows the first function of what was opened; `view` is what is shown as soon as its division is there.
    void begin(std::optional<SessionView> view);
    /// The division changed: tabs of functions that are gone close.
    void followDivision();
    void closeCurrent() { emit tabCloseRequested(currentIndex()); }
    /// Goes `by` tabs on, round.
    void step(int by);
    /// Remembers the tabs and where one looks on them, for who goes on with the session.
    void keepView() const;
    void forCurrentView(const std::function<void(GraphView&)>& work);
    /// Of a comparison, the first graph: the other follows.
    void lookAround(const std::function<void(GraphView&)>& work);

    // What is shown on all of them.
    void setTheme(const Theme& theme);
    void setCanvasOptions(const CanvasOptions& options);
    void setPresented(bool presented);
    void setHeat(bool on);
    /// Colours operators by these numbers from 0 to 1, by expression of the shown module; null: not.
    void showHeat(std::shared_ptr<const std::vector<float>> heat);
    /// Colours operators by what a run would take more if they were elsewhere, if the open module was placed by time.
    void setRegretHeat(bool on);
    bool showsRegretHeat() const { return heat_ && heat_of_ == HeatOf::Regrets; }
    bool hasPlaced() const { return placed_ != nullptr; }
    void setPlaced(PlacedModulePtr placed);
    /// Of the times of a run.
    bool showsHeat() const { return heat_ && heat_of_ == HeatOf::Times; }
    bool showsHeatOfNumbers() const { return heat_ && heat_of_ == HeatOf::Numbers; }
    /// A step of the passes; `caption` says which. A null state: none.
    void showStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                  const std::shared_ptr<const DecorationInput>& state, const QString& caption);
    bool showsStep() const { return step_shown_; }
    /// Regions that a person predicts; null: as the document is divided.
    void showPrediction(const std::shared_ptr<const DecorationInput>& state, const QString& caption);
    /// Marks the expressions of a way until something else is selected; empty: none.
    void showPath(const std::vector<ExprId>& path);

signals:
    /// A page was made, and is not shown yet.
    void made(partita::GraphPage* page);
    /// Another page is in front.
    void changed();
    void contextMenuRequested(const QPoint& place);
    /// The reader wants the result back in place of a step or a prediction.
    void resultWanted();

private:
    GraphPage* openPage(const PageTarget& target);
    void openAt(const QString& name, bool partitioned, ExprId expr);
    PageTarget firstPage() const;
    void activateNode(GraphPage& page, quint32 node);
    void closeVanished();
    void restoreView();
    void restorePage(const SessionView::Page& entry);

    enum class HeatOf : uint8_t { Times, Regrets, Numbers };

    Document& document_;
    Theme theme_;
    CanvasOptions options_;
    std::shared_ptr<const std::vector<float>> heat_;
    HeatOf heat_of_ = HeatOf::Times;
    PlacedModulePtr placed_;
    std::optional<SessionView> view_to_restore_;
    bool presented_ = false, step_shown_ = false, path_shown_ = false;
};

}  // namespace partita
