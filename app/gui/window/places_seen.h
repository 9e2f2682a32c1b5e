// The places that a reader went to, one after the other: a function and what was selected there. Back and forward
// through them, as in a browser.
#pragma once

#include <vector>

#include <QObject>

#include "app/gui/document/document.h"
#include "app/gui/window/pages.h"

namespace partita {

class PlacesSeen : public QObject {
    Q_OBJECT

public:
    PlacesSeen(Document& document, Pages& pages, QObject* parent = nullptr);
    bool canGo(int by) const { return at_ + by >= 0 && at_ + by < int(places_.size()); }
    /// Shows the place `by` steps from the one that is shown.
    void go(int by);

signals:
    /// Other places can be gone to.
    void changed();

private:
    struct Place {
        PageTarget target;
        std::vector<ExprId> selection;  ///< of the module that was shown
    };
    void note();
    void forget();
    void followEdit();

    Document& document_;
    Pages& pages_;
    std::vector<Place> places_;
    ModulePtr module_;  ///< that the places are in
    int at_ = -1;       ///< the place that is shown
    bool going_ = false;
};

}  // namespace partita
