// The text of a lesson's page: as high as its content, so that what follows it stands right below.
#pragma once

#include <QTextBrowser>

namespace partita {

/// Shows Markdown; tables have thin lines.
void show_markdown(QTextBrowser& browser, const QString& markdown);

class PageText : public QTextBrowser {
    Q_OBJECT

public:
    explicit PageText(QWidget* parent = nullptr);
    void showMarkdown(const QString& markdown);

protected:
    void resizeEvent(QResizeEvent* event) override;
    /// What is round it scrolls.
    void wheelEvent(QWheelEvent* event) override;
    /// Links and code keep the colour and the size that they were made with: they are made anew.
    void changeEvent(QEvent* event) override;

private:
    void fit();

    QString markdown_;
};

}  // namespace partita
