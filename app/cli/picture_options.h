// What commands that draw pictures share.
#pragma once

#include "app/cli/command.h"
#include "engine/exporters/exporter.h"

namespace partita::cli {

/// Adds `--paper`, the size of a PDF's pages.
void add_paper_option(CLI::App& command, PaperSize& paper);
/// Adds `--group`, whether pictures draw deep graphs by blocks.
void add_group_option(CLI::App& command, PictureGrouping& grouping);
bool is_picture(const ExportForm& form);

}  // namespace partita::cli
