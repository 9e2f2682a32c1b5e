// The hints of a question: for each wrong answer what is said of it.
#pragma once

#include <vector>

#include <QWidget>

#include "engine/lessons/lesson_graph.h"

class QVBoxLayout;

namespace partita {

class HintList : public QWidget {
    Q_OBJECT

public:
    explicit HintList(QWidget* parent = nullptr);
    /// `graph` names the calls; it may be null.
    void setQuestion(const LessonQuestion& question, const LessonGraph* graph);
    const std::vector<LessonHint>& hints() const { return hints_; }
    /// Puts the rows between two widgets in the order of the Tab key: they are made later than these.
    void setTabPlace(QWidget* before, QWidget* after);

signals:
    void changed();

private:
    QWidget* makeRow(size_t hint, const QString& answer);

    QVBoxLayout* column_;
    QWidget* rows_ = nullptr;
    std::vector<LessonHint> hints_;
    QStringList answers_;  ///< in words, as they are shown
};

}  // namespace partita
