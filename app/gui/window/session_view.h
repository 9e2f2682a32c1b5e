// What was looked at when the program ended: the tabs, and where one looked on each. Beside the session, which holds
// the work itself: losing this loses nothing.
#pragma once

#include <optional>
#include <vector>

#include <QPointF>
#include <QString>

namespace partita {

struct PageSight {
    double zoom = 1;
    QPointF centre;    ///< in the graph's coordinates
    qint64 nodes = 0;  ///< of the graph: another one has other places
};

struct SessionView {
    struct Page {
        bool partitioned = false;
        QString function;
        std::optional<PageSight> sight;  ///< none where the person left it to the program
        bool in_front = false;
    };
    QString module;  ///< its file: the session may be of a later one
    std::vector<Page> pages;

    /// Of the last end; without pages where there is none.
    static SessionView load();
    void save() const;
};

}  // namespace partita
