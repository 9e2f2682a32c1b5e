// What becomes of a lesson that is being written: its faults, its file, saving it and trying it.
#pragma once

#include <QWidget>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QLabel;
class QListWidget;
class QPushButton;

namespace partita {

class LessonFileBar : public QWidget {
    Q_OBJECT

public:
    explicit LessonFileBar(LessonDraft& draft, QWidget* parent = nullptr);

signals:
    void saveWanted();
    void saveAsWanted();
    void trialWanted();
    /// The page of a fault shall be shown.
    void pageWanted(int page);

private:
    void buildFaults();
    void buildButtons();
    void showFaults();
    void refresh();

    LessonDraft& draft_;
    QListWidget* faults_;
    QLabel* file_;
    QPushButton *save_, *try_;
};

}  // namespace partita
