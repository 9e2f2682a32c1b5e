// Links to a place in a module: made of what is selected, and followed.
#pragma once

#include <QString>

#include "engine/support/place_link.h"

namespace partita {

class Document;
class MainWindow;

/// Returns the link to what is open and selected there, for others: with the name of the file alone.
QString link_to_selection(const Document& document);

/// Selects and shows what a link names in the module that is open, as soon as its graph is there, and opens the panel.
/// Returns what to tell where nothing matches; "" else.
QString go_to_place(MainWindow& window, const PlaceLink& place);

/// Returns where the file of a link is: as it stands, else the latest of `recent` with its name; "" if nowhere.
QString file_of_link(const PlaceLink& place, const QStringList& recent);

}  // namespace partita
