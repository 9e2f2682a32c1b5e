// Starts the annotators of the document's backends: asks the person first, once for each content of a file, and puts
// what became of a description in its place. That is no step of undo: after going back the same is put in again.
// Processes of annotators that are no longer chosen are ended; they start again when they are asked.
#pragma once

#include <memory>
#include <vector>

#include <QMainWindow>
#include <QObject>

#include "app/gui/document/annotator_permits.h"
#include "app/gui/document/document.h"

class QAction;
class QLabel;
class QToolBar;

namespace partita {

class RulesPanel;

class AnnotatorStarter : public QObject {
    Q_OBJECT

public:
    AnnotatorStarter(Document& document, RulesPanel& rules, QMainWindow& window);
    /// How many descriptions are remembered with what became of them, for tests: those that somebody still holds.
    size_t known() const { return known_.size(); }

private:
    /// A description as it was read, for as long as the choice or a step of undo holds it.
    struct Known {
        std::weak_ptr<const BackendDescription> described;
        BackendPtr running;  ///< null: the person was asked, or the start is under way, or failed
        quint64 job = 0;
    };
    void buildBar(QMainWindow& window);
    void look();
    void forgetUnused();
    void restUnused();
    Known* find(const BackendPtr& described);
    void readAndAsk(const std::vector<BackendPtr>& backends);
    void start(const BackendPtr& described, const AnnotatorPermit& permit);
    void offer(const QString& file);
    void offerToStart();
    void startStopped();

    Document& document_;
    RulesPanel& rules_;
    QWidget& window_;
    std::vector<Known> known_;
    std::vector<std::weak_ptr<Annotator>> awake_;
    QToolBar* bar_ = nullptr;
    QLabel* text_ = nullptr;
    QAction *run_ = nullptr, *start_ = nullptr;
};

}  // namespace partita
