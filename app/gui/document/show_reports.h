// What other programs said of the module that is open, as its division and as a run.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/support/diagnostic.h"

class QObject;

namespace partita {

class Document;
struct Reports;

using ReportsRead = std::function<void(const Result<std::shared_ptr<const Reports>>&)>;

/// Reads reports on a worker, divides the module as they tell, which is one step of undo, and shows their times as a
/// run. What could not be matched stands among the problems. `done` is called for a living `receiver`; where reading
/// failed the document is as it was.
void show_reports(Document& document, const std::vector<std::string>& files, QObject& receiver, ReportsRead done);

}  // namespace partita
