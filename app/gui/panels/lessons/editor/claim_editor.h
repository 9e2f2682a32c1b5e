// The claims of a page: what its text says of the graph, held against the graph whenever the lesson is checked. Each is
// recorded from the window: buttons claim what is so of the graph as it is divided now, or of the selected operators.
#pragma once

#include <functional>
#include <vector>

#include <QWidget>

#include "app/gui/panels/lessons/editor/lesson_draft.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace partita {

class ClaimEditor : public QWidget {
    Q_OBJECT

public:
    ClaimEditor(LessonDraft& draft, Document& document, QWidget* parent = nullptr);
    /// Shows the claims of a page.
    void showPage(int page);
    /// Names, and what can be claimed, may be others.
    void refresh();

private:
    /// A row: a sentence, with a number to change if it has one.
    struct Row {
        QString text;
        size_t claim = 0;
        std::function<void(LessonClaim&)> remove;
        double LessonClaim::*number = nullptr;  ///< of a claim with one, as `regions` for whole numbers
        int LessonClaim::*whole = nullptr;
        bool measured = false;
        bool operator==(const Row& other) const { return text == other.text && claim == other.claim; }
    };

    void buildButtons(QVBoxLayout& column);
    void addButton(QVBoxLayout& column, const char* name, const QString& text, const QString& tip,
                   void (ClaimEditor::*claim)(), bool of_selection);
    void claimRegions();
    void claimBytes();
    void claimTogether();
    void claimBackends();
    void claimTimes();
    /// Changes the claim about the division that the window has now; makes it if there is none.
    void add(const std::function<void(LessonClaim&, const LessonGraph&)>& change);
    void edit(const std::function<void(std::vector<LessonClaim>&)>& change);
    const std::vector<LessonClaim>& claims() const;
    QString stateText(const LessonSetting& setting) const;
    std::vector<Row> rowsNow() const;
    void fill();
    QWidget* makeRow(const Row& row);
    QWidget* makeNumber(const Row& row);
    void recordOther(size_t claim);

    LessonDraft& draft_;
    Document& document_;
    int page_ = -1;
    std::vector<Row> shown_;                              ///< what the rows say
    std::vector<std::pair<QPushButton*, bool>> buttons_;  ///< with whether they claim of the selection
    QVBoxLayout* column_;
    QWidget* rows_ = nullptr;
    bool stale_ = true;  ///< the rows are to be made anew
};

}  // namespace partita
