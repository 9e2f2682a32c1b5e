// Several models side by side: a window for each, in tabs of one window on the desktop. With one model there are no
// tabs to see.
#pragma once

#include <QWidget>

class QStackedWidget;
class QTabBar;

namespace partita {

class MainWindow;

class ModelTabs : public QWidget {
    Q_OBJECT

public:
    /// Begins with one window.
    ModelTabs();

    int count() const;
    MainWindow& window(int tab) const;
    MainWindow& current() const;
    /// A further tab, which comes to the front.
    MainWindow& add();
    /// Before it is shown.
    void startWithSize(const QSize& size);
    /// Leaves the program without a question, with all kept for the next start.
    void end();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void bringToFront(int tab);
    void step(int by);
    void closeTab(int tab);
    void forget(MainWindow& window);
    void tellTitles();
    void showTabs();

    QTabBar* tabs_;
    QStackedWidget* windows_;
    MainWindow* front_ = nullptr;
    bool closing_all_ = false;  ///< the window is closed when the last question is answered
};

}  // namespace partita
