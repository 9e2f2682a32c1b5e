// The main window: puts the document, the pages, the panels and the menus together, and owns them.
#pragma once

#include <memory>

#include <QMainWindow>

#include "app/gui/document/document.h"
#include "app/gui/jobs/job_runner.h"
#include "app/gui/window/commands.h"
#include "app/gui/window/exports.h"
#include "app/gui/window/file_opening.h"
#include "app/gui/window/handouts.h"
#include "app/gui/window/leaving.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"
#include "app/gui/window/settings.h"

namespace partita {

class BackendMenu;
class EditMenu;
class FileMenu;
class FlowMenu;
class GraphEditor;
class GraphMenu;
class PlacesSeen;
class Presentation;
class RunInputs;
class StatusLine;
class ToolBars;
class ViewMenu;
class WelcomePage;

/// Puts the style and the type of the settings in force. Before there is a widget: in a style sheet, widgets take the
/// type of those that they lie in, and what was made before keeps its own.
void put_look_in_force();

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    Document& document() { return document_; }
    JobRunner& jobs() { return jobs_; }
    Pages& pages() { return *pages_; }
    Panels& panels() const { return *panels_; }
    /// The page in front, or null.
    GraphPage* currentPage() const { return pages_->current(); }
    FileOpening& opening() { return *opening_; }
    Exports& exports() { return *exports_; }
    Handouts& handouts() { return *handouts_; }
    Leaving& leaving() { return *leaving_; }
    const Settings& settings() const { return settings_; }
    /// `remembered`: also for the next start.
    void applySettings(const Settings& settings, bool remembered = true);
    /// A command by its id ("annotate", "run", ...), or null.
    QAction* action(const QString& id) const { return commands_->action(id); }
    const Commands& commands() const { return *commands_; }
    void setBackends(const QStringList& names_or_files);
    /// Before it is shown.
    void startWithSize(const QSize& size);
    /// Waits until jobs and animations are over. For tests and pictures.
    bool waitUntilSettled(int milliseconds);
    /// Returns the name of what is open, for a title; "" where nothing is.
    QString modelName() const;
    void endPresentation();

signals:
    /// A further window for another model, beside this one; it opens `files`.
    void tabWanted(const QStringList& files);
    /// The window that many tabs on shall come to the front.
    void tabStepWanted(int by);
    void closed();

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
    void buildCommands();
    void connectOpening();
    void connectPages();
    void connectPanels();
    void connectDocument();
    void connectSaving();
    void connectEditing();

    // Following the document.
    void showCentre();
    void buildWelcome();
    void listLessons();
    void showOpened();
    void tellBackendsOfItsKind();
    void updateCommands();
    void updateBackends();
    void updateTitle();
    void updateRecentFiles();
    void tellOfEdge();
    void tellOfGroup();
    void showStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                  const std::shared_ptr<const DecorationInput>& state);
    void showPrediction(const std::shared_ptr<const DecorationInput>& state);
    void turnPresented(bool forward);

    // Colours.
    void applyTheme();
    std::vector<int> slotsOfBackends();
    void tellColours();

    Settings settings_;
    Theme theme_;
    QHash<QString, int> backend_slots_;  ///< places in the palette, by name of backend, as long as a module is open
    JobRunner jobs_;
    Document document_;

    WelcomePage* welcome_ = nullptr;  ///< made where nothing is open
    Pages* pages_;
    Panels* panels_ = nullptr;
    StatusLine* status_;
    PlacesSeen* places_seen_ = nullptr;
    Presentation* presentation_ = nullptr;
    GraphEditor* graph_editor_ = nullptr;
    Exports* exports_ = nullptr;
    Handouts* handouts_ = nullptr;
    Leaving* leaving_ = nullptr;
    FileOpening* opening_ = nullptr;
    RunInputs* run_inputs_ = nullptr;
    Commands* commands_ = nullptr;
    ToolBars* tool_bars_ = nullptr;
    struct {
        FileMenu* file = nullptr;
        EditMenu* edit = nullptr;
        FlowMenu* flow = nullptr;
        BackendMenu* backend = nullptr;
        GraphMenu* graph = nullptr;
        ViewMenu* view = nullptr;
    } menus_;
};

}  // namespace partita
