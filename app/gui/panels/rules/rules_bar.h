// The bar above the rules: whose they are and where they come from, what the last edit did, and their file's commands.
#pragma once

#include <QLabel>
#include <QWidget>

#include "app/gui/style/theme.h"

class QComboBox;
class QToolButton;

namespace partita {

class RulesBar : public QWidget {
    Q_OBJECT

public:
    RulesBar();

    QComboBox& backends() { return *backends_; }
    /// Says something in place of what the last edit did; rich text.
    void say(const QString& text, bool fault, const Theme& theme);
    /// Lets go of the colours of another theme.
    void resetColours() { said_->setPalette(QPalette()); }
    /// What is said, as plain text.
    QString said() const;

    struct State {
        bool any = false;       ///< a description is shown
        bool modified = false;  ///< its text differs from the original
        bool original = false;  ///< there is one: in its file, or shipped
        QString file;           ///< "": none
    };
    void showState(const State& state);

signals:
    void backendChosen(int index);
    void saveWanted();
    void saveAsWanted();
    void revertWanted();
    void newWanted();
    void linkActivated(const QString& link);

private:
    QToolButton* addButton(const QString& text, const QString& tip, void (RulesBar::*wanted)());

    QComboBox* backends_;
    QLabel *origin_, *said_;
    QToolButton *new_, *save_, *save_as_, *revert_;
};

}  // namespace partita
