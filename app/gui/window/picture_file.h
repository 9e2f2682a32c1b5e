// Writes what a canvas shows as a file: SVG and PNG at its own size with title and legend, PDF on pages.
#pragma once

#include <QPageSize>
#include <QString>

#include "engine/support/diagnostic.h"

namespace partita {

struct GraphPaper;

/// Whether the ending is that of a picture that is drawn here.
bool is_picture_file(const QString& path);
/// The paper of pages that are written: A4 or Letter, as it was chosen, else that of the person's country.
QPageSize chosen_paper();
/// Chooses it, also for later starts.
void choose_paper(QPageSize::PageSizeId paper);
/// The file is replaced as a whole or not at all. Takes a second for tens of thousands of nodes; for a worker.
Status write_picture(const GraphPaper& paper, const QString& path, const QPageSize& page);

}  // namespace partita
