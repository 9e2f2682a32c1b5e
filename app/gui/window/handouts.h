// Hand-outs of the window: of the graph that is open, of a lesson, of a chapter, or of all lessons; as pages of a PDF
// in the reader's language.
#pragma once

#include <QObject>
#include <QStringList>

#include "engine/lessons/lesson_handout.h"

class QMenu;

namespace partita {

class Document;
class Exports;
class LessonsPanel;

class Handouts : public QObject {
    Q_OBJECT

public:
    Handouts(Document& document, LessonsPanel& lessons, Exports& exports, QWidget& window);

    /// Offers what there is: the open graph, the open lesson, its chapter, all lessons.
    void fill(QMenu& menu);
    /// Writes what a person is to predict of the open graph.
    void writeGraph(const QString& path);
    /// Writes lessons, by their files.
    void writeLessons(const QStringList& lessons, const QString& path);

private:
    void choose(const QString& name, const std::function<void(const QString&)>& write);
    void addPapers(QMenu& menu);
    void chooseLessons(const QString& name, const QStringList& lessons);

    Document& document_;
    LessonsPanel& lessons_;
    Exports& exports_;
    QWidget& window_;
};

}  // namespace partita
