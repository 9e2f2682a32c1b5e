#include "app/gui/panels/rules/python_check.h"

#include <algorithm>

#include "app/gui/document/annotator_permits.h"
#include "engine/annotators/annotator.h"
#include "engine/rules/annotated_backend.h"

namespace partita {

namespace {

/// Whether all files but the description's own are those that run already.
bool same_beside(const AnnotatorFiles& now, const BackendDescription& running) {
    if (!running.running || !running.annotator_files) return false;
    const auto& before = running.annotator_files->texts;
    return std::all_of(now.texts.begin(), now.texts.end(), [&](const auto& file) {
        const auto known = before.find(file.first);
        return file.first == running.file || (known != before.end() && known->second == file.second);
    });
}

Diagnostic in_text(Diagnostic fault, const std::string& file) {
    if (fault.file != file) {
        fault.message = fault.to_string();
        fault.position = {};
    }
    fault.position = {std::max(1u, fault.position.line), std::max(1u, fault.position.column)};
    return fault;
}

}  // namespace

PythonCheck check_python(const BackendDescription& made, const BackendPtr& by_hand, const CancelToken& cancel) {
    PythonCheck check;
    AnnotatorPermit permit = permit_for(made);
    const bool allowed = (by_hand && same_beside(*permit.described.annotator_files, *by_hand)) || is_permitted(permit);
    if (!allowed) {
        const Status parsed = Annotator::parse(made.annotator, permit.described.annotator_files, cancel);
        check.may_not_run = bool(parsed);
        if (!parsed) check.faults.push_back(in_text(parsed.error(), made.file));
        return check;
    }
    const Status started = start_annotators({&permit.described, 1}, check.notes, cancel);
    if (started) check.description = std::make_shared<const BackendDescription>(std::move(permit.described));
    else check.faults.push_back(in_text(started.error(), made.file));
    return check;
}

}  // namespace partita
