#include "app/gui/window/places_seen.h"

#include <utility>

namespace partita {

namespace {

constexpr size_t kMostPlaces = 100;
/// Of larger selections the first operator stands for all.
constexpr size_t kLargestSelection = 1000;

}  // namespace

PlacesSeen::PlacesSeen(Document& document, Pages& pages, QObject* parent)
    : QObject(parent), document_(document), pages_(pages) {
    connect(&document_, &Document::selectionChanged, this, &PlacesSeen::note);
    connect(&pages_, &Pages::changed, this, &PlacesSeen::note);
    connect(&document_, &Document::opened, this, &PlacesSeen::forget);
    connect(&document_, &Document::edited, this, &PlacesSeen::followEdit);
}

void PlacesSeen::forget() {
    places_.clear();
    at_ = -1;
    module_ = document_.shownModule();
    emit changed();
}

/// What was seen goes along with what an edit left; where that is not known, nothing is.
void PlacesSeen::followEdit() {
    const ModulePtr now = document_.shownModule();
    const std::vector<ExprId>* images = document_.imagesBetween(module_, now);
    if (!images) return forget();
    module_ = now;
    for (Place& place : places_) {
        std::vector<ExprId> kept;
        for (ExprId expr : place.selection)
            if (expr.value < images->size() && (*images)[expr.value].valid()) kept.push_back((*images)[expr.value]);
        place.selection = std::move(kept);
    }
    std::erase_if(places_, [](const Place& place) { return place.selection.empty(); });
    at_ = int(places_.size()) - 1;
    emit changed();
}

/// Notes what is selected now as a place. Leaving a selection is none.
void PlacesSeen::note() {
    const GraphPage* page = pages_.current();
    if (going_ || !page || !document_.isOpen() || document_.selection().empty() || page->target().literal.valid())
        return;
    Place place{page->target(), document_.selection()};
    if (place.selection.size() > kLargestSelection) place.selection.resize(1);
    if (at_ >= 0 && places_[size_t(at_)].target == place.target && places_[size_t(at_)].selection == place.selection)
        return;
    places_.resize(size_t(at_) + 1);
    places_.push_back(std::move(place));
    if (places_.size() > kMostPlaces) places_.erase(places_.begin());
    at_ = int(places_.size()) - 1;
    emit changed();
}

void PlacesSeen::go(int by) {
    if (!canGo(by)) return;
    at_ += by;
    const Place place = places_[size_t(at_)];
    going_ = true;
    pages_.openFunction(place.target.function, place.target.source == PageTarget::Source::Partitioned);
    document_.setSelection(place.selection);
    if (GraphPage* page = pages_.current()) page->showOrigin(place.selection.front());
    document_.setSelection(place.selection);
    going_ = false;
    emit changed();
}

}  // namespace partita
