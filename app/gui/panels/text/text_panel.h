// Relay text before and after, side by side. Text is printed by a job, only while the panel is seen.
#pragma once

#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/explain/provenance.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;

namespace partita {

class LargeText;
class LineHighlighter;

/// Relay text with, for each line, an expression that stands there: line (from 1) and ExprId, sorted by line.
struct PrintedModule {
    QString text;
    std::vector<std::pair<uint32_t, uint32_t>> lines;
};
/// The expressions are those of `shown`, by origin where it is another module. Takes a while: for workers.
PrintedModule print_module(const ModulePtr& module, const ModulePtr& shown, bool types);

class TextPanel : public QWidget {
    Q_OBJECT

public:
    explicit TextPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Whether a person sees it: a panel behind another tab is not hidden as Qt sees it.
    void setOnScreen(bool on_screen);
    /// Shows a stage on the right, with the lines of what is selected.
    void showStage(const QString& stage);
    QPlainTextEdit& before() { return *sides_[0].edit; }
    QPlainTextEdit& after() { return *sides_[1].edit; }

private:
    struct Side {
        QComboBox* stage = nullptr;
        QPlainTextEdit* edit = nullptr;
        LineHighlighter* highlighter = nullptr;
        LargeText* large = nullptr;
        ModulePtr shown;
        bool types = true;
        bool chosen = false;                               ///< somebody chose the stage: it stays
        std::vector<std::pair<uint32_t, uint32_t>> lines;  ///< expression of the shown module -> line, by line
        quint64 job = 0;
    };
    ModulePtr moduleOf(int stage) const;
    void refresh();
    void refreshSide(Side& side);
    void showText(Side& side, const QString& text);
    void markSelection(Side& side);
    void selectFromLine(Side& side);

    Document& document_;
    Theme theme_;
    Side sides_[2];
    bool marking_ = false;
    bool on_screen_ = false;
};

}  // namespace partita
