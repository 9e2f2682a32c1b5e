// Says at a node why an edit was refused. Goes when something else is done, or by itself.
#pragma once

#include <QLabel>
#include <QTimer>

#include "app/gui/canvas/graph_page.h"

namespace partita {

class FaultBubble : public QLabel {
    Q_OBJECT

public:
    /// Shows the message at the expression's node on the page, or at the top of the page where it has none.
    static void show(GraphPage& page, ExprId place, const QString& message, const Theme& theme);

private:
    FaultBubble(GraphView& view, int64_t node, const QString& message, const Theme& theme);
    void place();

    GraphView& view_;
    int64_t node_;
};

}  // namespace partita
