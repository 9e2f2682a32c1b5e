// What stands in place of the times while there are none: a button that runs the module, and one for kept runs.
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace partita {

class Document;

class TimingInvitation : public QWidget {
    Q_OBJECT

public:
    explicit TimingInvitation(Document& document);
    /// `kept` runs are of the project.
    void refresh(int kept);

signals:
    void runWanted();
    void keptWanted();

private:
    Document& document_;
    QLabel* text_;
    QPushButton *run_, *kept_;
};

}  // namespace partita
