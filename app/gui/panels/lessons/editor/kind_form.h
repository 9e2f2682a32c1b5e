// Rows of a form that are shown for some kinds of questions.
#pragma once

#include <vector>

#include <QFormLayout>

#include "engine/lessons/question_kinds.h"

namespace partita {

class KindForm {
public:
    /// Lays out the rows in `parent`.
    explicit KindForm(QWidget* parent) : layout_(new QFormLayout(parent)) {
        layout_->setContentsMargins(0, 0, 0, 0);
        layout_->setRowWrapPolicy(QFormLayout::WrapAllRows);
        layout_->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    }
    KindForm(const KindForm&) = delete;
    KindForm& operator=(const KindForm&) = delete;
    /// Adds a row that stays.
    void add(QWidget* widget) { layout_->addRow(widget); }
    /// `label`: empty where the widget says itself what it is.
    void add(const QString& label, QWidget* widget, std::vector<QuestionKind> kinds);
    /// Shows the rows of a question's kind; of none for null.
    void showRowsOf(const LessonQuestion* question) const;

private:
    struct Row {
        QWidget* label;  ///< null: there is none
        QWidget* widget;
        std::vector<QuestionKind> kinds;
    };

    QFormLayout* layout_;
    std::vector<Row> rows_;
};

}  // namespace partita
