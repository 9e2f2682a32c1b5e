// Exporting what a session made: the face of engine/exporters to the window and the command line.
#pragma once

#include <string>
#include <string_view>

#include "engine/exporters/exporter.h"
#include "engine/runtime/machine.h"
#include "engine/session/session.h"

namespace partita {

/// A module as it is, without backends; with a run as below.
ExportSubject export_subject(ModulePtr module, const std::string& title, const RunReport* run = nullptr,
                             const MachineLimits* machine = nullptr);
/// The last stage of a flow, its picture with backends and regions, and the tables of its report; with a run, also the
/// times and their pictures; with the machine's limits, also the roofline.
ExportSubject export_subject(const FlowResult& flow, std::span<const BackendDescription> backends,
                             const std::string& title, const RunReport* run = nullptr,
                             const MachineLimits* machine = nullptr);

/// Writes a file in a form; with `form` null in the one that the file's ending stands for. "-" writes to standard
/// output. The file is replaced as a whole or not at all. Of a form that is a folder, `path` names the folder; pictures
/// of a Markdown report go into files beside it.
Status export_to_file(const ExportSubject& subject, const std::string& path, const ExportForm* form = nullptr);

}  // namespace partita
