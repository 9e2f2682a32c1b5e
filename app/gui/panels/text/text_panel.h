// Relay text before and after, side by side. Text is printed by a job, only while the panel is seen.
#pragma once

#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"

class QComboBox;
class QLabel;
class QPlainTextEdit;

namespace partita {

class RelayHighlighter;

class TextPanel : public QWidget {
    Q_OBJECT

public:
    explicit TextPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QPlainTextEdit& before() { return *sides_[0].edit; }
    QPlainTextEdit& after() { return *sides_[1].edit; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Side {
        QComboBox* stage = nullptr;
        QPlainTextEdit* edit = nullptr;
        RelayHighlighter* highlighter = nullptr;
        ModulePtr shown;
        bool types = true;
        std::vector<std::pair<uint32_t, uint32_t>> lines;  ///< expression of the shown module -> line, by line
        quint64 job = 0;
    };
    struct Printed {
        QString text;
        std::vector<std::pair<uint32_t, uint32_t>> lines;
    };

    ModulePtr moduleOf(int stage) const;
    void refresh();
    void refreshSide(Side& side);
    void markSelection(Side& side);
    void selectFromLine(Side& side);
    static Printed print(const ModulePtr& module, const ModulePtr& shown, bool types);

    Document& document_;
    Theme theme_;
    Side sides_[2];
    bool marking_ = false;
};

}  // namespace partita
