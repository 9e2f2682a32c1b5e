// The code that is made of the region of what is selected, or what its backend is given instead; lines and operators
// follow each other. Made by a job, only while the panel is seen.
#pragma once

#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/session/region_code.h"

class QLabel;
class QPlainTextEdit;
class QToolButton;

namespace partita {

class LargeText;
class LineHighlighter;

class CodePanel : public QWidget {
    Q_OBJECT

public:
    explicit CodePanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Whether a person sees it: a panel behind another tab is not hidden as Qt sees it.
    void setOnScreen(bool on_screen);
    /// The region of a function that is looked at, until an operator of another one is selected.
    void showRegion(const QString& function);
    QPlainTextEdit& text() { return *edit_; }
    QLabel& title() { return *title_; }

private:
    void followSelection();
    void refresh();
    void accept(const Result<RegionCode>& code);
    void showMessage(const QString& message);
    QString describe(const RegionCode& code) const;
    void markSelection();
    void selectFromLine();

    Document& document_;
    Theme theme_;
    QLabel* title_;
    QToolButton* copy_;
    QPlainTextEdit* edit_;
    LineHighlighter* highlighter_;
    LargeText* large_;
    std::string function_;  ///< "" for none
    struct {
        ModulePtr module;
        std::string function;
        RegionCode code;
    } shown_;
    quint64 job_ = 0;
    bool marking_ = false, on_screen_ = false;
};

}  // namespace partita
