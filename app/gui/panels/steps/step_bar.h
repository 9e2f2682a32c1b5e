// The bar above the steps: buttons to go through them, a slider, which decisions are shown and how fast they are
// played.
#pragma once

#include <map>

#include <QWidget>

#include "app/gui/style/theme.h"

class QComboBox;
class QHBoxLayout;
class QSlider;
class QToolButton;

namespace partita {

class StepBar : public QWidget {
    Q_OBJECT

public:
    StepBar();

    struct State {
        int row = -1;  ///< -1: no step is shown
        int rows = 0;
        bool playing = false;
        bool breakpoints = false;  ///< at least one is set
    };
    /// Enables what can be done.
    void showState(const State& state);
    void setTheme(const Theme& theme);

signals:
    void firstWanted();
    void backWanted();
    void playWanted();
    void forwardWanted();
    void breakpointWanted();
    void lastWanted();
    void resultWanted();
    void rowWanted(int row);
    void filterChosen(int filter);
    /// Milliseconds between two steps.
    void intervalChosen(int milliseconds);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void addButton(const QString& icon, const QString& text, const QString& tip, void (StepBar::*wanted)());
    void fit();

    Theme theme_;
    QHBoxLayout *bar_, *choices_;
    QSlider* slider_;
    QComboBox *filter_, *speed_;
    std::map<QString, QToolButton*> buttons_;  ///< by their icons
};

}  // namespace partita
