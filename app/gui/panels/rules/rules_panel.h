// Rules: the descriptions of the chosen backends as text. Each edit that is valid is applied to the graph at once as
// one named step of undo, and what it changed is told; a faulty one leaves the last valid state. A description that
// ships is edited as a copy; saving asks for a file then. A file that another program changes is read again where
// nothing is unsaved here; else a person says which of the two texts stays.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <QTimer>
#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/document/rule_breakpoints.h"
#include "app/gui/style/theme.h"
#include "engine/explain/flow_change.h"
#include "engine/rules/description_outline.h"

class QComboBox;
class QListWidget;
class QListWidgetItem;
class QTreeWidget;
class QTreeWidgetItem;

namespace partita {

class DescriptionConflict;
class DescriptionEdit;
class DescriptionFiles;
class DescriptionTexts;
class RulesBar;

class RulesPanel : public QWidget {
    Q_OBJECT

public:
    RulesPanel(Document& document, RuleBreakpoints& breakpoints, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    DescriptionEdit& edit() { return *edit_; }
    DescriptionTexts& texts() { return *texts_; }
    QComboBox& backends();
    QListWidget& faults() { return *faults_; }
    QTreeWidget& rules() { return *rules_; }
    /// What the last edit did.
    QString summary() const;
    /// Whether the text differs from its file, or from what ships.
    bool modified() const;
    /// Whether a text of the chosen backends stands in no file of its own and does not ship.
    bool hasUnsavedRules() const;
    /// Goes on at once where all texts are valid or as their files have them; else asks first whether they are saved.
    /// They stand in no project, for it has what was valid last.
    void leave(std::function<void()> go_on);
    /// `obstacle` returns why rules must stay as they are now; "" if they may be changed.
    void setObstacle(std::function<QString()> obstacle) { obstacle_ = std::move(obstacle); }
    bool hasFaultyTexts() const { return !faultyTexts().empty(); }
    /// Where nobody can be asked, as at the end of a desktop's session: they stand here again at the next start.
    void keepDraftsForNextStart();
    /// Writes the text to a file, which the description is of from then on. Tells of a failure; false then.
    bool saveTo(const QString& path);

public slots:
    /// Goes to a rule of a backend: "ops.add", or a pattern's name.
    void showRule(int backend, const QString& rule);
    /// Goes to a line of a backend's file in Python, and marks it.
    void showLine(int backend, int line);
    /// Marks a line of a backend's file in Python, with values beside it; 0: none.
    void markLine(int backend, int line, const QString& values);
    /// Marks the lines that a rule of a backend's file in Python reached for a call; no backend: none.
    void showPath(int backend, const std::vector<int>& lines);
    /// Runs the text in Python that waits for permission.
    void allowToRun();
    /// Writes a rule without a condition for an operator, to be narrowed.
    void writeRule(int backend, const QString& op);
    void save();
    void saveAs();
    /// Takes the file's text as it is on disk, or what ships.
    void revert();
    void addBackend();

signals:
    /// The text of a description was written to a file.
    void saved();
    /// The text of a file in Python is new, and nobody permitted yet that it runs; "": none waits any more.
    void permissionWanted(const QString& file);

protected:
    QSize sizeHint() const override { return QSize(900, 300); }

private:
    struct Checked {
        BackendPtr description;  ///< null where there are faults
        std::vector<Diagnostic> faults;
        std::vector<RulePlace> places;
        std::vector<Diagnostic> notes;
        bool may_not_run = false;  ///< a text in Python that nobody permitted yet
    };
    static CheckedDescription read(const std::string& text, const std::string& file);
    static Checked check(const std::string& text, const BackendPtr& before, bool by_hand, const CancelToken& cancel);

    struct ShownDescription {
        int index = -1;          ///< in the choice's list
        BackendPtr description;  ///< what was applied last; the text may be ahead of it
        QString text;            ///< in the editor: colours that change are no change of the text
        QString original;        ///< the text of its file, or what ships
        std::vector<RulePlace> places;
        bool foreign = false;  ///< the text in Python came from elsewhere, and edits of it are no permission
        int opened_at = 0;     ///< the line at which the program opened the text in Python; 0: a person chose
    };
    struct Remembered {
        std::map<std::string, std::string> saved;                  ///< backend, file: what was saved here
        std::map<std::pair<std::string, std::string>, int> lines;  ///< backend, file: where it was read last
    };
    /// A text in Python that waits for permission.
    struct Waiting {
        BackendPtr before;
        QString text;
    };
    /// What an edit does, told when its flow is there.
    struct Effect {
        FlowPtr flow_before;
        std::vector<std::string> backends_before;
        bool awaited = false;
        bool read_again = false;  ///< the text came from the file
        FlowChange change;        ///< that the bar tells of
        ModulePtr module;
    };
    /// A text that is not valid, and what its file said when it was begun.
    struct Draft {
        QString text, original;
    };
    using DraftKey = std::pair<std::string, std::string>;  ///< the description's name and file
    static DraftKey draftKey(const BackendDescription& description) { return {description.name, description.file}; }

    void buildColumn();
    void followBar();
    void followEdit();
    void followDocument();
    QWidget* buildText();
    QWidget* buildRules();
    void followChoice();
    void show(int index);
    void setText(const QString& text, bool other);
    void offerPython();
    DraftKey pythonKey() const;
    void keepPlace();
    void restorePlace();
    void openAtRules();
    void startCheck();
    void accept(const QString& text, Checked checked);
    void apply(const BackendPtr& description);
    QString editName(const BackendDescription& before, const BackendDescription& after) const;
    void tellChange();
    std::vector<RuleFault> faultsOfShown() const;
    QString toldFaults() const;
    void selectFailed();
    void setFaults(std::vector<Diagnostic> faults);
    void say(const QString& text, bool fault = false);
    void fillRules();
    void showCounts();
    void selectRefusedAt(int line);
    void showBreakpoints();
    static std::vector<RulePlace> placesOf(const BackendDescription& description);
    static bool isPython(const BackendDescription& description);
    static QString fileBeside(const BackendDescription& description);
    static QStringList filesBeside(const BackendDescription& description);
    static bool sameProgram(const BackendDescription& a, const BackendDescription& b);
    void askToRun(const BackendPtr& before, const QString& text);
    void keepPermission();
    void tellAbsence(QTreeWidgetItem* item);
    void updateState();
    /// The file of a description: one that was saved stays its file's, also after undo. "": none.
    QString fileOf(const BackendDescription& description) const;
    QString file() const { return shown_.description ? fileOf(*shown_.description) : QString(); }
    /// What the text of a description is compared with: its file's, or what ships; "" where there is neither.
    QString originalOf(const BackendDescription& description) const;
    void followFiles();
    void lookAtFiles();
    void lookAtFilesBeside();
    void runAgain(int backend);
    void readAgain(int backend, const QString& text);
    void keepTyped(const BackendPtr& backend);
    void readHidden(const BackendPtr& backend, const QString& text);
    void showConflict();
    void keepMine();
    void askWhichStays();
    QString suggestedFile() const;
    QString suggestedFile(const std::string& name) const;
    /// Asks for a file; "" where nobody named one.
    QString askForFile(const QString& suggested);
    void keepDraft();
    std::vector<std::string> faultyTexts() const;
    bool saveFaultyTexts();
    void takeKeptDrafts();
    /// Tells of a failure; false then.
    bool write(const QString& path, const QString& text, const QString& before);
    /// The text as the editor has it: a file's line ends may be of two characters.
    static QString textOf(const BackendDescription& description);

    Document& document_;
    RuleBreakpoints& breakpoints_;
    Theme theme_;

    bool chosen_ = false;  ///< by a person; before that the first backend is shown
    ShownDescription shown_;
    Remembered remembered_;
    DescriptionFiles* files_;
    Waiting waiting_;
    std::map<DraftKey, Draft> drafts_;  ///< of descriptions that are not shown
    std::function<QString()> obstacle_ = [] { return QString(); };
    std::function<void()> go_on_;  ///< when it was answered what becomes of faulty texts
    bool setting_ = false;         ///< the text is being put in by the program
    quint64 check_job_ = 0;
    QTimer later_{this};  ///< an edit is looked at when the typing pauses
    Effect effect_;
    std::pair<int, std::set<int>> path_{-1, {}};  ///< backend, lines

    RulesBar* bar_;
    DescriptionConflict* conflict_;
    DescriptionTexts* texts_;
    DescriptionEdit* edit_;  ///< the description's own text
    QListWidget* faults_;
    QTreeWidget* rules_;
};

}  // namespace partita
