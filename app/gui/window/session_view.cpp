#include "app/gui/window/session_view.h"

#include <algorithm>

#include <QSettings>

namespace partita {

namespace {

constexpr int kMostKeptTabs = 50;

}  // namespace

SessionView SessionView::load() {
    QSettings store;
    SessionView view;
    view.module = store.value(QStringLiteral("session/module")).toString();
    const int pages = std::min(store.beginReadArray(QStringLiteral("session/pages")), kMostKeptTabs);
    for (int i = 0; i < pages; ++i) {
        store.setArrayIndex(i);
        Page page{store.value(QStringLiteral("partitioned")).toBool(),
                  store.value(QStringLiteral("function")).toString(),
                  {},
                  store.value(QStringLiteral("front")).toBool()};
        if (const double zoom = store.value(QStringLiteral("zoom")).toDouble(); zoom > 0)
            page.sight = PageSight{zoom, store.value(QStringLiteral("centre")).toPointF(),
                                   store.value(QStringLiteral("nodes")).toLongLong()};
        view.pages.push_back(std::move(page));
    }
    store.endArray();
    return view;
}

void SessionView::save() const {
    QSettings store;
    store.remove(QStringLiteral("session"));
    store.setValue(QStringLiteral("session/module"), module);
    store.beginWriteArray(QStringLiteral("session/pages"));
    for (int i = 0; i < std::min(int(pages.size()), kMostKeptTabs); ++i) {
        const Page& page = pages[size_t(i)];
        store.setArrayIndex(i);
        store.setValue(QStringLiteral("partitioned"), page.partitioned);
        store.setValue(QStringLiteral("function"), page.function);
        store.setValue(QStringLiteral("front"), page.in_front);
        if (!page.sight) continue;
        store.setValue(QStringLiteral("zoom"), page.sight->zoom);
        store.setValue(QStringLiteral("centre"), page.sight->centre);
        store.setValue(QStringLiteral("nodes"), page.sight->nodes);
    }
    store.endArray();
}

}  // namespace partita
