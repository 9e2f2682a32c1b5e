// Calls of a lesson's graph that one points at: their names, and a button that takes the selected ones.
#pragma once

#include <vector>

#include <QWidget>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QLabel;
class QPushButton;

namespace partita {

class PointedCalls : public QWidget {
    Q_OBJECT

public:
    /// `most`: how many calls there can be; 0: any number. `what` says what they are for.
    PointedCalls(LessonDraft& draft, const QString& what, int most, QWidget* parent = nullptr);
    const std::vector<uint32_t>& calls() const { return calls_; }
    void setCalls(std::vector<uint32_t> calls);
    /// Names and what can be taken may be others.
    void refresh();

signals:
    void changed();

private:
    void takeSelection();

    LessonDraft& draft_;
    const QString what_;
    const int most_;
    std::vector<uint32_t> calls_;
    QLabel* names_;
    QPushButton* take_;
};

}  // namespace partita
