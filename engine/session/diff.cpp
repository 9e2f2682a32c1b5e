#include "engine/session/diff.h"

#include "engine/session/diff_blocks.h"

namespace partita {

namespace {

class DiffTextWriter {
public:
    DiffTextWriter(const ModuleDiff& diff, const DiffedModule& before, const DiffedModule& after)
        : diff_(diff), left_(before), right_(after) {}

    std::string write(bool affected) {
        for (const AlikeDifferences& each : alike_differences(diff_))
            if (affected || each.list != DiffList::Affected) write(each);
        for (const Sentence& output : diff_.outputs_changed) text_ += "~ " + output.text() + "\n";
        for (const std::string& name : diff_.functions_removed) text_ += "- @" + name + "\n";
        for (const std::string& name : diff_.functions_added) text_ += "+ @" + name + "\n";
        return text_ + diff_summary(diff_) + "\n";
    }

private:
    void write(const AlikeDifferences& differences) {
        const uint32_t first = differences.members.front();
        const Sentence place = place_among_blocks(differences);
        const std::string where = place.empty() ? "" : place.text() + ": ";
        switch (differences.list) {
            case DiffList::Removed: text_ += "- " + where + typed(left_, diff_.removed[first]); break;
            case DiffList::Added: text_ += "+ " + where + typed(right_, diff_.added[first]); break;
            case DiffList::Changed: text_ += "~ " + where + changes(diff_.changed[first]); break;
            case DiffList::Affected: text_ += "  " + where + changes(diff_.affected[first]); break;
        }
        text_ += "\n";
    }

    static std::string typed(const DiffedModule& names, ExprId id) {
        return names.name(id) + ": " + names.module().types().to_string(names.module().type(id));
    }

    std::string changes(const NodeChange& change) const {
        const std::string from = left_.name(change.before), to = right_.name(change.after);
        std::string text = (from == to ? from : from + " = " + to) + ": ";
        for (size_t i = 0; i < change.what.size(); ++i) text += (i ? "; " : "") + change.what[i].text();
        return text;
    }

    const ModuleDiff& diff_;
    const DiffedModule &left_, &right_;
    std::string text_;
};

}  // namespace

DiffedModule::DiffedModule(const Module& module, const Module* started_from) : own_(module) {
    if (started_from && started_from != &module && module.derived()) first_.emplace(*started_from);
}

ExprId DiffedModule::first(ExprId id) const {
    return first_ && id.valid() && own_.module().kind(id) != ExprKind::Constant ? own_.module().origin(id) : ExprId();
}

std::string DiffedModule::name(ExprId id) const {
    const ExprId origin = first(id);
    return origin.valid() ? first_->name(origin) : own_.name(id);
}

uint32_t DiffedModule::number(ExprId id) const {
    const ExprId origin = first(id);
    return origin.valid() ? first_->number(origin) : own_.number(id);
}

std::string diff_summary(const ModuleDiff& diff) {
    const auto count = [](size_t number, const char* what) { return std::to_string(number) + " " + what; };
    std::string text = count(diff.added.size(), "added") + ", " + count(diff.removed.size(), "removed") + ", " +
                       count(diff.changed.size(), "changed");
    if (!diff.affected.empty()) text += ", " + count(diff.affected.size(), "of another type");
    return text + ", " + count(diff.same, "the same");
}

std::string diff_text(const ModuleDiff& diff, const DiffedModule& before, const DiffedModule& after, bool affected) {
    return DiffTextWriter(diff, before, after).write(affected);
}

}  // namespace partita
