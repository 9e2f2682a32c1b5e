// The inspector: what is selected, its attributes and types, and why it goes where it goes.
#pragma once

#include <QTextBrowser>
#include <QTimer>
#include <QWidget>

#include "app/gui/document/document.h"
#include "app/gui/style/theme.h"
#include "engine/session/names.h"

namespace partita {

class InspectorPanel : public QWidget {
    Q_OBJECT

public:
    explicit InspectorPanel(Document& document, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    QTextBrowser& text() { return *text_; }

signals:
    void regionSelected(int region);

private:
    void refresh();

    Document& document_;
    Theme theme_;
    QTextBrowser* text_;
    QTimer later_;  ///< several changes in one turn of the loop are written once
};

}  // namespace partita
