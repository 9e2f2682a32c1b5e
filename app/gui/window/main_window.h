// The main window: puts the document, the pages, the panels and the commands together, and owns them.
#pragma once

#include <memory>
#include <optional>

#include <QMainWindow>

#include "app/gui/document/document.h"
#include "app/gui/jobs/job_runner.h"
#include "app/gui/window/commands.h"
#include "app/gui/window/exports.h"
#include "app/gui/window/handouts.h"
#include "app/gui/window/leaving.h"
#include "app/gui/window/look_dialogs.h"
#include "app/gui/window/pages.h"
#include "app/gui/window/panels.h"
#include "app/gui/window/settings.h"
#include "engine/support/place_link.h"

namespace partita {

class GraphEditor;
class PlacesSeen;
class Presentation;
class ReportFiles;
class RunInputs;
class StatusLine;
class ToolBars;
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
    OutlinePanel& outline() { return panels_->outline(); }
    InspectorPanel& inspector() { return panels_->inspector(); }
    TimingPanel& timing() { return panels_->timing(); }
    TextPanel& text() { return panels_->text(); }
    CodePanel& code() { return panels_->code(); }
    LessonsPanel& lessons() const { return panels_->lessons(); }
    LessonEditor& lessonEditor() const { return panels_->lessonEditor(); }
    StepsPanel& steps() { return panels_->steps(); }
    ProblemsPanel& problems() { return panels_->problems(); }
    RulesPanel& rules() { return panels_->rules(); }
    CoveragePanel& coverage() { return panels_->coverage(); }
    Exports& exports() { return *exports_; }
    Handouts& handouts() { return *handouts_; }
    Leaving& leaving() { return *leaving_; }
    void showPanel(QWidget* panel) { panels_->show(panel); }
    void enterPanel(QWidget* panel) { panels_->enter(panel); }
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
    /// Asks what to do with what a crash left behind, if there is something; else goes on with what was kept for this
    /// start. True if one of them is opened: `file`, which was to be opened, waits until somebody asks for it again.
    bool offerRecovery(const QString& file = {});
    /// Returns the name of what is open, for a title; "" where nothing is.
    QString modelName() const;
    void endPresentation();

public slots:
    void openFile(const QString& path);
    /// Two are compared; of more the first is opened, and the others are among the recent ones.
    void openFiles(const QStringList& paths);
    /// The other is held against it as soon as it is open; "" for none.
    void openAndCompare(const QString& path, const QString& other, const QStringList& reports = {},
                        const PlaceLink& place = {});
    /// Opens the file of a link, unless it is open, and goes to the place.
    void openLink(const PlaceLink& link);
    void chooseFile();
    void chooseLink();
    /// Asks for the values of the model's symbolic dimensions, and reads it again with them.
    void chooseDimensions();
    /// Writes the project; asks for a name where there is none. False if the person gave none.
    bool save();
    bool saveAs();
    void runModule();

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
    void connectPages();
    void connectPanels();
    void connectDocument();
    void connectSaving();
    void connectEditing();

    // The table of commands, by menu: menu_*.cpp.
    Command fileMenu();
    std::vector<Command> openingCommands();
    std::vector<Command> savingCommands();
    std::vector<Command> exportCommands();
    Command editMenu();
    std::vector<Command> undoCommands();
    std::vector<Command> selectionCommands();
    Command flowMenu();
    Command passSwitch(const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                       const QString& step, bool FlowChoice::*field);
    std::vector<Command> passCommands();
    Command partitionerMenu();
    void choosePartitioner(const std::string& name);
    std::vector<Command> passOptions();
    std::vector<Command> runCommands();
    std::vector<Command> placingCommands();
    std::vector<Command> checkingCommands();
    Command backendMenu();
    std::vector<Command> givingCommands();
    QStringList givingIds() const;
    void nameBackend(QAction& action, int place);
    Command graphMenu();
    Command editorCommand(const char* id, const QString& text, const QList<QKeySequence>& keys, const QString& tip,
                          void (GraphEditor::*work)(), QString (GraphEditor::*obstacle)() const);
    std::vector<Command> operatorCommands();
    std::vector<Command> edgeCommands();
    std::vector<Command> pasteCommands();
    Command viewMenu();
    std::vector<Command> zoomCommands();
    Command canvasSwitch(const char* id, const QString& text, const QList<QKeySequence>& keys,
                         const std::function<bool&(CanvasOptions&)>& option);
    std::vector<Command> showingCommands();
    void chooseLook(const std::function<QDialog*(const ChangeLook&)>& make);
    std::vector<Command> hidingCommands();
    std::vector<Command> groupCommands();
    std::vector<Command> tabCommands();
    std::vector<Command> modelCommands();
    std::vector<Command> placeCommands();
    std::vector<Command> bookmarkCommands();
    std::vector<Command> stepCommands();
    Command helpMenu();
    // Why a command can't be run now; "" where it can.
    Command::Reason needs(QString (MainWindow::*what)() const) const;
    QString needsModule() const;
    QString needsOtherModel() const;
    /// Also says that an open question of a lesson would be answered.
    QString needsModuleToDivide() const;
    QString needsLesson() const;
    QString needsLessonToEdit() const;
    QString needsHiddenQuestion() const;
    QString needsGraph() const;
    QString needsSelection() const;
    QString needsTwoNodes() const;
    QString needsOwnAnnotations() const;
    QString needsOperators() const;
    QString needsBackends() const;
    QString needsSteps() const;
    QString needsRegionsOfRun() const;

    // Following the document.
    void updateCommands();
    void tellOfEdge();
    void tellOfGroup();
    void updateBackends();
    void updateTitle();
    void keepRecentFiles();
    void updateRecentFiles();
    void fillRecent(QMenu& menu);
    void fillSamples(QMenu& menu);
    void showOpened();
    QString askForRecovery();
    void tellNotOpened(const QString& path, const QString& message);
    void applyTheme();
    void turnPresented(bool forward);
    void showCentre();
    void buildWelcome();
    void listLessons();

    // Commands.
    void changeChoice(const QString& name, const std::function<void(FlowChoice&)>& change);
    void switchPass(const QString& step, bool FlowChoice::*field);
    void applyOwnFlow();
    void nextPass();
    void startOver();
    void predict();
    void newLesson();
    void editLesson();
    void giveSelection(std::optional<int> backend);
    void selectRegion(int region);
    void selectRegions(const QVariantList& regions);
    void selectAlike();
    void selectRegionOfSelection();
    void selectSame();
    void setHeat(bool on);
    void togglePath();
    void stepBookmark(int by);
    void fillBookmarks(QMenu& menu);
    void writeNote();
    void showStep(const std::vector<ExprId>& subjects, const std::vector<ExprId>& related,
                  const std::shared_ptr<const DecorationInput>& state);
    void showPrediction(const std::shared_ptr<const DecorationInput>& state);
    void showContextMenu(const QPoint& place);
    void copyPicture();
    void copyText();
    std::vector<int> slotsOfBackends();
    void tellColours();
    void printGraph();
    /// The colours of what is printed and of pictures in files.
    Theme paperTheme() const;
    std::optional<GraphPaper> shownPaper();
    void chooseBackends();
    std::vector<Command> backendChoices();
    void tellBackendsOfItsKind();
    void keepBackends();
    void chooseSettings();
    void openCommandPalette();
    void showOperator();
    void showAbout();
    void showHelp();
    void tell(const QString& title, const QString& message);

    Settings settings_;
    Theme theme_;
    QHash<QString, int> backend_slots_;  ///< places in the palette, by name of backend, as long as a module is open
    JobRunner jobs_;
    Document document_;
    struct {
        QString compared;                 ///< the file that is held against the one being opened
        std::optional<SessionView> view;  ///< that is shown again
        QStringList reports;              ///< of other programs, on the file being opened
        PlaceLink place;                  ///< that is gone to
    } when_opened_;

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
    Commands* commands_ = nullptr;
    ToolBars* tool_bars_ = nullptr;
    RunInputs* run_inputs_ = nullptr;
    ReportFiles* report_files_ = nullptr;
};

}  // namespace partita
