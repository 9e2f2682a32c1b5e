// Starts the annotators of the document's backends: asks the person first, once for each content of a file, and puts
// what became of a description in its place. That is no step of undo: after going back the same is put in again.
#pragma once

#include <map>
#include <set>

#include <QObject>

#include "app/gui/document/document.h"

class QWidget;

namespace partita {

class AnnotatorStarter : public QObject {
    Q_OBJECT

public:
    AnnotatorStarter(Document& document, QWidget& window);

private:
    void look();
    void start(const std::vector<BackendPtr>& backends);
    void put(const BackendPtr& described, BackendPtr running);

    Document& document_;
    QWidget& window_;
    std::map<BackendPtr, BackendPtr> running_;  ///< by the description as it was read
    std::set<BackendPtr> asked_;                ///< the person was, or the start is under way, or failed
};

}  // namespace partita
