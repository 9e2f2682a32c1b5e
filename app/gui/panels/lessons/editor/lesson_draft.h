// A lesson that is being written: its content, its file, and what follows from it: faults, right answers.
//
// What was not saved is kept in a file of its own, also for the next start. Checking runs on a worker.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include <QObject>
#include <QString>
#include <QTimer>

#include "app/gui/document/document.h"
#include "engine/lessons/lesson_graph.h"

namespace partita {

/// What follows from a lesson.
struct CheckedDraft {
    std::vector<Diagnostic> faults;
    std::vector<int> fault_pages;                        ///< by fault: its page, or -1
    std::shared_ptr<const LessonGraph> graph;            ///< null where the lesson's graph has a fault
    std::vector<std::optional<LessonAnswer>> solutions;  ///< by page
};

class LessonDraft : public QObject {
    Q_OBJECT

public:
    explicit LessonDraft(Document& document, QObject* parent = nullptr);
    ~LessonDraft() override;

    bool isOpen() const { return !lesson_.pages.empty(); }
    const Lesson& lesson() const { return lesson_; }
    /// Returns the lesson's file; "" while it was not saved.
    const QString& path() const { return path_; }
    bool isUnsaved() const { return isOpen() && unsaved_; }
    const CheckedDraft& checked() const { return checked_; }

    /// Begins a lesson of one page with the graph that is open, its backends and its division.
    Status begin();
    /// Opens a lesson's file, with faults, too. What is not in the folder of own lessons becomes a copy.
    Status open(const QString& path);
    /// Takes another graph and other backends: those that are open.
    Status takeGraph();
    void close();
    /// Changes the lesson.
    void edit(const std::function<void(Lesson&)>& change);
    Status save(const QString& path);
    /// Returns a new name in the folder of own lessons, after the title.
    QString suggestedPath() const;

    /// Returns a chosen path with the ending of lessons and no other point in its name, the mark of a translation.
    /// Where that is another file that exists, the name gets a number.
    static QString lessonPath(const QString& chosen);

    /// Returns whether the graph that is open is the lesson's, so that one can point at it.
    bool isGraphShown();

    /// Returns the numbers of the selected calls of operators, sorted; none while another graph is open.
    std::vector<uint32_t> selectedCalls();
    /// Checks what is claimed of times, too: runs the graphs, on a worker.
    void measure() { check(true); }

    /// Whether a lesson was left unsaved; restoring goes on with it.
    static bool hasKept();
    Status restore();

signals:
    /// Another lesson, or none.
    void opened();
    void edited();
    /// Faults and right answers are known.
    void wasChecked();
    /// What was measured has no fault.
    void measured();

private:
    void start(Lesson lesson, const QString& path, bool unsaved);
    void check(bool measure = false);
    void keep() const;
    static QString keptPath();

    Document& document_;
    Lesson lesson_;
    QString path_;
    bool unsaved_ = false;
    CheckedDraft checked_;
    ModulePtr compared_;  ///< that `same_graph_` is about
    bool same_graph_ = false;
    QTimer later_{this};
    quint64 job_ = 0;
};

/// Returns an answer in words, with the names of calls.
QString shown_answer(const LessonAnswer& answer, const LessonQuestion& question, const LessonGraph& graph);
/// Returns assignments and an order of backends in words.
QString shown_setting(const LessonSetting& setting, const LessonGraph& graph);
/// Returns the names of calls, separated by commas.
QString call_names(const std::vector<uint32_t>& calls, const LessonGraph* graph);

}  // namespace partita
