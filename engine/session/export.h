// Exporting the results of a session: the interface of engine/exporters to the window and the command line.
#pragma once

#include <string>
#include <string_view>

#include "engine/exporters/exporter.h"
#include "engine/flow/flow_choice.h"
#include "engine/runtime/machine.h"
#include "engine/session/session.h"

namespace partita {

/// Returns the subject for a module as it is, without backends; with a run as below.
ExportSubject export_subject(ModulePtr module, const std::string& title, const RunReport* run = nullptr,
                             const MachineLimits* machine = nullptr);
/// Returns the subject for the last stage of a flow: its picture with backends and regions, and the tables of its
/// report. `flow` and what `backends` are of must outlive the subject where its form tells reasons. With a run, adds
/// its times and their pictures; with the machine's limits, also the roofline.
ExportSubject export_subject(const FlowResult& flow, std::span<const BackendDescription> backends,
                             const std::string& title, const RunReport* run = nullptr,
                             const MachineLimits* machine = nullptr);

/// Adds the notes of bookmarks to a report.
void add_notes(ExportSubject& subject, const std::vector<Bookmark>& bookmarks);

/// Returns how many calls of a module in a form for TVM are of operators that TVM does not have; 0 for other forms.
size_t calls_unknown_to_tvm(const ExportSubject& subject, const ExportForm& form);

/// Writes a file in a form; if `form` is null, the file's ending determines it. "-" writes to standard output. The file
/// is replaced as a whole or not at all. If the form is a folder, `path` names the folder. The pictures of a Markdown
/// report become files beside it.
Status export_to_file(const ExportSubject& subject, const std::string& path, const ExportForm* form = nullptr);

}  // namespace partita
