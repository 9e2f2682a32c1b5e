// The main window: puts the document, the canvas tabs and the panels together, and owns them.
#pragma once

#include <QMainWindow>

#include "app/gui/canvas/graph_page.h"
#include "app/gui/document/document.h"
#include "app/gui/jobs/job_runner.h"
#include "app/gui/window/session_view.h"
#include "app/gui/window/settings.h"

class QLabel;
class QProgressBar;
class QStackedWidget;
class QTabWidget;
class QToolBar;
class QTimer;
class QToolButton;

namespace partita {

class CoveragePanel;
class DiffPage;
class GraphEditor;
class InspectorPanel;
class LessonsPanel;
class OutlinePanel;
class ProblemsPanel;
class RulesPanel;
class StepsPanel;
class TextPanel;
class TimingPanel;
class WelcomePage;
class FileWatch;
class MissingBackends;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return document_; }
    JobRunner& jobs() { return jobs_; }
    /// The page in front, or null.
    GraphPage* currentPage() const;
    QTabWidget& pages() { return *pages_; }
    OutlinePanel& outline() { return *outline_; }
    InspectorPanel& inspector() { return *inspector_; }
    TimingPanel& timing() { return *timing_; }
    TextPanel& text() { return *text_; }
    LessonsPanel& lessons() { return *lessons_; }
    StepsPanel& steps() { return *steps_; }
    ProblemsPanel& problems() { return *problems_; }
    RulesPanel& rules() { return *rules_; }
    CoveragePanel& coverage() { return *coverage_; }
    const Settings& settings() const { return settings_; }
    /// `remembered`: also for the next start.
    void applySettings(const Settings& settings, bool remembered = true);
    /// An action by its object name ("annotate", "run", ...), or null.
    QAction* action(const QString& name) const { return findChild<QAction*>(name); }
    void setBackends(const QStringList& names_or_files);
    /// Before it is shown.
    void startWithSize(const QSize& size);
    /// Waits until jobs and animations are over. For tests and pictures.
    bool waitUntilSettled(int milliseconds);
    /// Asks what to do with what a crash left behind, if there is something; else goes on with what was kept for this
    /// start. True if one of them is opened: `file`, which was to be opened, waits until somebody asks for it again.
    bool offerRecovery(const QString& file = {});
    /// Keeps unsaved work for the next start, which brings it back. Closing the window then asks nothing, until
    /// something changes.
    void keepForNextStart();
    /// Leaves the program without a question, with all kept for the next start.
    void end();
    bool isEnding() const { return ending_; }
    /// Writes neither the journal nor the session from now on: nobody works here.
    void keepNothing();
    /// Writes what a form of the engine writes; tells of a failure in a dialog.
    /// `form` is the name of an export form; "": the one that the path's ending stands for.
    void exportTo(const QString& path, const QString& form = {});

public slots:
    void openFile(const QString& path);
    /// Two are compared; of more the first is opened, and the others are among the recent ones.
    void openFiles(const QStringList& paths);
    /// The other is held against it as soon as it is open; "" for none.
    void openAndCompare(const QString& path, const QString& other);
    void chooseFile();
    void chooseExport();
    void chooseReport();
    void chooseCExport();
    /// Asks for a folder that gets one ONNX model for each region, and their manifest.
    void chooseOnnxExport();
    /// Asks for the values of the model's symbolic dimensions, and reads it again with them.
    void chooseDimensions();
    /// Writes the project; asks for a name where there is none. False if the person gave none.
    bool save();
    bool saveAs();
    /// Writes the project to a file, on a worker; tells of a failure.
    void saveTo(const QString& path);
    void openFunction(const QString& name, bool partitioned);
    void runModule();
    void showPanel(QWidget* panel);
    /// The tab that compares stages and files; made if there is none.
    partita::DiffPage* compare();

signals:
    void exported(const QString& path);
    void exportFailed(const QString& message);

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void childEvent(QChildEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // Building, once.
    void buildCentre();
    void buildPanels();
    QDockWidget* addPanel(const QString& name, const QString& title, QWidget* panel, Qt::DockWidgetArea area);
    void sizePanels();
    void keepOutlineWidth(bool lessons_shown);
    void buildStatusBar();
    void buildActions();
    void buildFileActions();
    void buildEditActions();
    void buildGraphActions();
    void buildFlowActions();
    void buildViewActions();
    void buildReadingActions(QMenu& view);
    void buildHelpActions();
    void buildToolBar();
    QAction* addCommand(QMenu& menu, const QString& name, const QString& text, const QKeySequence& shortcut,
                        const QString& tip, std::function<void()> work, const QString& icon = QString());
    void connectDocument();

    // Following the document.
    void updateActions();
    void updateGraphActions();
    void setObstacle(const QString& name, const QString& obstacle);
    void addGraphActions(QMenu& menu);
    void updateTitle();
    void updateBackendActions();
    void fitToolBars();
    void updateRecentFiles();
    void forgetRecent(const QString& path);
    void tellNotOpened(const QString& path, const QString& message);
    void updateJobs();
    PageTarget firstPage() const;
    void closeVanishedPages();
    /// Remembers the tabs and where one looks on them, for who goes on with the session.
    void keepView() const;
    /// Once the division of what was opened is there, and with it its sub-functions.
    void restoreView();
    void applyTheme();

    // Leaving what is open.
    bool hasWorkToSave() const;
    /// The same at the end of the program: rules go along to the next file, but not to the next start.
    bool hasWorkToSaveAtTheEnd() const;
    /// Asks about work that no project holds, then goes on; at once where there is none.
    void leaveDocument(std::function<void()> go_on);
    void askToSave(std::function<void()> go_on);
    QString askForRecovery();

    // Pages.
    GraphPage* openPage(const PageTarget& target);
    void activateNode(GraphPage& page, quint32 node);
    void openBreadcrumb(GraphPage& page, int depth);
    void showContextMenu(const QPoint& place);
    void forCurrentView(const std::function<void(GraphView&)>& work);
    /// Of a comparison, the first graph: the other follows.
    void lookAround(const std::function<void(GraphView&)>& work);

    // Commands.
    void giveSelection(std::optional<int> backend);
    void changeChoice(const QString& name, const std::function<void(FlowChoice&)>& change);
    void nextPass();
    void selectRegion(int region);
    void setHeat(bool on);
    void fillCaption();
    /// The steps' panel, unless the caption of a presentation tells of them.
    void showSteps();
    void showStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                  const std::shared_ptr<const DecorationInput>& state);
    /// Marks the canvas as a prediction says; null: as the document is divided.
    void showPrediction(const std::shared_ptr<const DecorationInput>& state);
    /// While a person predicts, no panel tells the regions.
    void hideAnswers();
    std::vector<QWidget*> panelsThatTellRegions() const;
    /// Why what tells regions can't be had now; empty where it can.
    QString obstacleToAnswers() const;
    /// The graph alone, large, in full screen; the decision that is played stands below it.
    void setPresenting(bool on);
    void printGraph();
    void stepBookmark(int by);
    void fillBookmarkMenu(QMenu& menu);
    /// Marks the expressions of a way on the canvas until something else is selected; empty: none.
    void showPath(const std::vector<ExprId>& path);
    QString chooseFolder(const QString& title, const QString& ending);
    void chooseBackends();
    void keepBackends();
    void chooseSettings();
    void openCommandPalette();
    void showAbout();
    void showHelp();
    void tellBriefly(const QString& sentence);
    void fitToldToRoom();
    QString toldInRoom() const;
    void tell(const QString& title, const QString& message);
    void tellNotWritten(const QString& path, const QString& message, const QString& again);

    Settings settings_;
    Theme theme_;
    JobRunner jobs_;
    Document document_;

    QStackedWidget* centre_ = nullptr;
    WelcomePage* welcome_ = nullptr;
    QTabWidget* pages_ = nullptr;
    OutlinePanel* outline_ = nullptr;
    InspectorPanel* inspector_ = nullptr;
    TimingPanel* timing_ = nullptr;
    TextPanel* text_ = nullptr;
    LessonsPanel* lessons_ = nullptr;
    StepsPanel* steps_ = nullptr;
    ProblemsPanel* problems_ = nullptr;
    RulesPanel* rules_ = nullptr;
    CoveragePanel* coverage_ = nullptr;
    QMenu *recent_menu_ = nullptr, *backend_menu_ = nullptr, *panels_menu_ = nullptr;
    QToolBar *tools_ = nullptr, *palette_bar_ = nullptr;
    QLabel *job_text_ = nullptr, *counts_ = nullptr;
    QProgressBar* job_progress_ = nullptr;
    QToolButton* job_cancel_ = nullptr;
    std::vector<QAction*> backend_actions_;  ///< 0: default, then the backends in order
    std::vector<std::pair<QAction*, QString>> icons_;
    std::shared_ptr<const std::vector<float>> heat_;
    QLabel* caption_ = nullptr;  ///< of a presentation: the hint on its keys, or the step's sentence
    QLabel* hint_ = nullptr;     ///< the same hint, small, below a step's sentence
    int outline_width_ = 0;      ///< before the lessons took its place; 0 where they did not
    std::vector<QDockWidget*> docks_before_predicting_;  ///< that tell of the regions and were open
    QByteArray before_presenting_;                       ///< the window's state; empty while nothing is presented
    Qt::WindowStates shape_before_presenting_;
    struct {
        GraphPage* page = nullptr;  ///< compared only: it may be gone
        double zoom = 1;
        QPointF centre;
    } sight_before_presenting_;  ///< of the page in front, where a person had moved or zoomed
    bool steps_shown_ = false, path_shown_ = false;
    QString told_, told_in_room_;  ///< what the status bar was given to tell, and as much of it as is shown
    QString compared_when_opened_;
    std::optional<SessionView> view_when_opened_, view_to_restore_;
    GraphEditor* graph_editor_ = nullptr;
    bool keeps_ = true;             ///< what is not saved, for a crash and for the next start
    bool ending_ = false;           ///< all is kept for the next start
    bool rules_left_ = false;       ///< what becomes of faulty rules is answered
    bool closing_ = false;          ///< what was to be asked before the window's end is answered
    bool panels_restored_ = false;  ///< as they were when the window was last left
    FileWatch* file_watch_ = nullptr;
    MissingBackends* missing_backends_ = nullptr;
    std::function<void()> go_on_;       ///< what waits for the answer whether to save
    std::function<void()> when_saved_;  ///< what waits until the project is written: the window's end, or another file
    QTimer* session_timer_ = nullptr;
    double base_point_size_ = 9;
};

}  // namespace partita
