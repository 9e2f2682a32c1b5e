#include "engine/session/diff.h"

#include "engine/flow/names.h"

namespace partita {

std::string diff_summary(const ModuleDiff& diff) {
    const auto count = [](size_t number, const char* what) { return std::to_string(number) + " " + what; };
    std::string text = count(diff.added.size(), "added") + ", " + count(diff.removed.size(), "removed") + ", " +
                       count(diff.changed.size(), "changed");
    if (!diff.affected.empty()) text += ", " + count(diff.affected.size(), "of another type");
    return text + ", " + count(diff.same, "the same");
}

std::string diff_text(const ModuleDiff& diff, const Module& before, const Module& after, bool affected) {
    const ExpressionNames left(before), right(after);
    const auto typed = [](const Module& module, const ExpressionNames& names, ExprId id) {
        return names.name(id) + ": " + module.types().to_string(module.type(id));
    };
    std::string text;
    for (ExprId id : diff.removed) text += "- " + typed(before, left, id) + "\n";
    for (ExprId id : diff.added) text += "+ " + typed(after, right, id) + "\n";
    const auto write = [&](const char* mark, const NodeChange& change) {
        const std::string from = left.name(change.before), to = right.name(change.after);
        text += mark + (from == to ? from : from + " = " + to) + ": ";
        for (size_t i = 0; i < change.what.size(); ++i) text += (i ? "; " : "") + change.what[i].text();
        text += "\n";
    };
    for (const NodeChange& change : diff.changed) write("~ ", change);
    if (affected)
        for (const NodeChange& change : diff.affected) write("  ", change);
    for (const Sentence& output : diff.outputs_changed) text += "~ " + output.text() + "\n";
    for (const std::string& name : diff.functions_removed) text += "- @" + name + "\n";
    for (const std::string& name : diff.functions_added) text += "+ @" + name + "\n";
    return text + diff_summary(diff) + "\n";
}

}  // namespace partita
