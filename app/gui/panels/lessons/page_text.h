// The text of a lesson's page: as high as its content, so that what follows it stands right below.
#pragma once

#include <QTextBrowser>

namespace partita {

class PageText : public QTextBrowser {
    Q_OBJECT

public:
    explicit PageText(QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;
    /// What is round it scrolls.
    void wheelEvent(QWheelEvent* event) override;

private:
    void fit();
};

}  // namespace partita
