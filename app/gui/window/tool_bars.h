// The tool bars: the most frequent commands, and the backends that the selection can go to.
#pragma once

#include <QObject>
#include <QStringList>

class QMainWindow;
class QToolBar;

namespace partita {

class Commands;
struct Theme;

class ToolBars : public QObject {
    Q_OBJECT

public:
    ToolBars(QMainWindow& window, const Commands& commands, const QStringList& backend_commands);
    void setIconSize(int pixels);
    /// A narrow window has two rows of tools: what falls off the end of one is not found.
    void fit();

protected:
    bool eventFilter(QObject* bar, QEvent* event) override;

private:
    QToolBar* add(const QString& name, const QString& title);

    QMainWindow& window_;
    QToolBar *tools_, *backends_;
};

}  // namespace partita
