// The pages of a lesson that is being written, as a list: which one is shown, adding, removing and moving them.
#pragma once

#include <optional>
#include <utility>

#include <QWidget>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QListWidget;
class QPushButton;

namespace partita {

class LessonPages : public QWidget {
    Q_OBJECT

public:
    explicit LessonPages(LessonDraft& draft, QWidget* parent = nullptr);
    int current() const { return current_; }
    /// Marks another page, or the one nearest to that number. Emits nothing.
    void setCurrent(int page);
    /// Shows the pages of another draft.
    void fill();
    /// Adds a page after the current one.
    void add(LessonPage page);
    /// Shows the first line of the current page again.
    void refreshTitle();

signals:
    /// Another page shall be shown.
    void pageWanted(int page);
    void additionWanted();

private:
    void buildButtons();
    /// Removes the page; the same button brings it back.
    void remove();
    void move(int by);
    void list();
    void refreshButtons();

    LessonDraft& draft_;
    int current_ = 0;
    bool filling_ = false;
    std::optional<std::pair<int, LessonPage>> removed_;  ///< a page and its place
    QListWidget* pages_;
    QPushButton *remove_, *up_, *down_;
};

}  // namespace partita
