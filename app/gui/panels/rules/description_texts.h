// The texts of a description as tabs: its own, and the file in Python that it names as its annotator, which can be read
// here. A description without such a file has no tabs.
#pragma once

#include <QWidget>

#include "app/gui/style/theme.h"

class QStackedWidget;
class QTabBar;

namespace partita {

class DescriptionEdit;

class DescriptionTexts : public QWidget {
    Q_OBJECT

public:
    DescriptionTexts();
    void setTheme(const Theme& theme);
    DescriptionEdit& own() { return *own_; }
    /// The text whose lines are those of rules in Python, if there is one: the file beside, or the description's own.
    DescriptionEdit& lines() { return beside_.isEmpty() ? *own_ : *python_; }
    /// The file beside; "" where there is none.
    const QString& beside() const { return beside_; }
    /// Offers a file beside; "" withdraws it.
    void offer(const QString& own, const QString& beside, const QString& text);
    void showOwn();
    void showLines();

private:
    DescriptionEdit *own_, *python_;
    QTabBar* tabs_;
    QStackedWidget* pages_;
    QString beside_;
};

}  // namespace partita
