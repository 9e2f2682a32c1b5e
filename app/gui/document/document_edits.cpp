// The document's module changes by hand: undo keeps the state before.
#include <algorithm>
#include <set>

#include <QUndoCommand>

#include "app/gui/document/open_document.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/flow/reported_division.h"
#include "engine/ops/annotations.h"
#include "engine/session/diff.h"
#include "engine/session/project.h"

namespace partita {

namespace {

/// From the images of an edit, those of the way back.
std::vector<ExprId> turned_round(const std::vector<ExprId>& image, size_t size) {
    std::vector<ExprId> back(size);
    for (uint32_t i = 0; i < image.size(); ++i)
        if (image[i].valid() && image[i].value < size) back[image[i].value] = ExprId(i);
    return back;
}

/// What was said of expressions goes along with them.
FlowChoice carried_over(const FlowChoice& choice, const std::vector<ExprId>& image) {
    FlowChoice result = choice.after_rewriting();  // what is edited is what is shown
    result.graph_of_file = nullptr;                // and no longer what the file says
    result.overrides = choice.overrides->carriedOver(image);
    result.groups = carried_over(*choice.groups, image);
    if (choice.reported) result.reported = carried_over(choice.reported, image);
    return result;
}

}  // namespace

class EditCommand : public QUndoCommand {
public:
    EditCommand(Document& document, ModuleStatePtr before, ModuleStatePtr after, std::vector<ExprId> image,
                const QString& name)
        : QUndoCommand(name + QLatin1Char('\n') + without_keys(name)), document_(document), before_(std::move(before)),
          after_(std::move(after)), image_(std::move(image)) {}
    void undo() override {
        document_.applyModule(*before_, text(), turned_round(image_, after_->named->module->size()));
    }
    void redo() override { document_.applyModule(*after_, text(), image_); }

private:
    Document& document_;
    ModuleStatePtr before_, after_;
    std::vector<ExprId> image_;
};

void Document::editModule(const QString& name, ModuleEdit edit) {
    startEdit(
        shortened(name, 120),
        [edit = std::move(edit)](const Module& module, const CancelToken&) { return edit(module); }, false);
}

void Document::reload() {
    const std::string compiler = firstCompiler();
    const auto read_again = [path = path(), compiler, dimensions = free_sizes(symbolicDimensions())](
                                const Module& module, const CancelToken& cancel) -> EditResult {
        Result<OpenedModule> opened = open_model(path, compiler, dimensions, cancel);
        if (!opened) return EditFault{opened.error(), {}};
        ModuleDiff diff = diff_modules(module, *opened->module);
        return EditedModule{opened->module, std::move(diff.after_of), {}};
    };
    startEdit(tr("read %1 again").arg(title()), read_again, true);
}

void Document::startEdit(const QString& name, StoppableEdit edit, bool from_file) {
    if (!isOpen() || running_.edit) return;
    struct Edited {
        std::optional<EditResult> result;
        std::shared_ptr<ModuleState> state;
    };
    const ModulePtr shown = shownModule();
    running_.edit = jobs_.start<Edited>(
        name, this,
        [shown, edit = std::move(edit), digest = open_.content.digest,
         read = from_file ? path().toStdString() : std::string()](const JobContext& context) {
            Edited edited{edit(*shown, context.cancel), nullptr};
            if (!*edited.result) return edited;
            edited.state = std::make_shared<ModuleState>();
            edited.state->module = (*edited.result)->module;
            edited.state->named = std::make_shared<NamedModule>(edited.state->module);
            edited.state->annotated = has_annotations(*edited.state->module);
            edited.state->choice.carries_regions = carries_regions(*edited.state->module);
            edited.state->digest = read.empty() ? digest : digest_of_file(read, context.cancel);
            return edited;
        },
        [this, name, shown, from_file](Edited edited) {
            running_.edit = 0;
            if (shown != shownModule()) return;  // something else came first
            if (!*edited.result) {
                const EditFault& fault = edited.result->fault();
                const Diagnostic& why = fault.diagnostic;
                const QString message = QString::fromStdString(why.file.empty() ? why.message : why.to_string());
                emit editRefused(fault.said.empty() ? message : say(fault.said), fault.place);
                return;
            }
            EditedModule& made = **edited.result;
            ModuleState& state = *edited.state;
            const bool carries_regions = state.choice.carries_regions;
            state.choice = carried_over(choice(), made.image);
            state.choice.carries_regions = carries_regions;
            state.selection = made.made;
            for (const Bookmark& mark : bookmarks()) {
                if (mark.expression.value >= made.image.size()) continue;
                const ExprId now = made.image[mark.expression.value];
                if (now.valid()) state.bookmarks.push_back({now, state.named->names.name(now), mark.note});
            }
            state.edited = !from_file;
            state.opened = from_file ? state.module : openedModule();
            (void)named();  // undo gives it back
            push(new EditCommand(*this, std::make_shared<ModuleState>(open_.content), edited.state,
                                 std::move(made.image), name));
        });
}

void Document::applyModule(const ModuleState& state, const QString& name, std::vector<ExprId> image) {
    const ModulePtr before = shownModule();
    cancelFlow();
    open_.divided_step = OpenedState::kNoStep;
    cancelRun();
    forgetDivision();
    open_.runs.last = nullptr;
    open_.runs.flowed = nullptr;
    open_.content = state;
    open_.last_change = {before, state.named->module, std::move(image)};
    ++revision_;
    emit edited(name);
    emit bookmarksChanged();
    emit choiceChanged();
    emit selectionChanged();
    startFlow();
}

void Document::separateRegion(const std::vector<ExprId>& expressions) {
    if (!isOpen() || expressions.empty()) return;
    FlowChoice choice = this->choice();
    choice.groups.change([&expressions](ExpressionMap<int>& groups) {
        int group = 0;
        for (const auto& [expr, known] : groups) group = std::max(group, known);
        groups.set(expressions, group + 1);
    });
    choice.merge = true;
    changeChoice(std::move(choice), tr("split %n operator(s) off", nullptr, int(expressions.size())));
}

void Document::joinRegions(const std::vector<ExprId>& expressions) {
    if (!isOpen() || expressions.empty()) return;
    FlowChoice choice = this->choice();
    // All become what the first one on a backend is: there are no regions of default.
    const auto on_backend =
        std::find_if(expressions.begin(), expressions.end(), [this](ExprId id) { return backendOf(id) >= 0; });
    if (on_backend == expressions.end()) return;
    const int backend = backendOf(*on_backend);
    choice.groups.change([&expressions](ExpressionMap<int>& groups) {
        // Several groups become one; a group by itself goes back to the rest of its region.
        std::set<int> joined;
        for (ExprId id : expressions) {
            const int* known = groups.find(id);
            joined.insert(known ? *known : 0);
        }
        groups.set(expressions, joined.size() > 1 && *joined.begin() > 0 ? *joined.begin() : 0);
    });
    std::vector<ExprId> elsewhere;
    for (ExprId id : expressions)
        if (backendOf(id) != backend) elsewhere.push_back(id);
    choice.overrides.change([&](HandPlacement& placement) { placement.give(elsewhere, choice.backend_name(backend)); });
    choice.merge = true;
    changeChoice(std::move(choice), tr("join %n operator(s)", nullptr, int(expressions.size())));
}

QString Document::nameNow(const QString& function) const {
    const auto& [before, after, image] = open_.last_change;
    const ExprId known = before ? before->find_function(function.toStdString()) : ExprId();
    if (!known.valid() || known.value >= image.size()) return function;
    for (const GlobalFunction& global : after->functions()) {
        if (global.function != image[known.value]) continue;
        const std::string_view name = after->names().text(global.name);
        return QString::fromUtf8(name.data(), qsizetype(name.size()));
    }
    return function;
}

const std::vector<ExprId>* Document::imagesBetween(const ModulePtr& before, const ModulePtr& after) const {
    const LastChange& last = open_.last_change;
    return before && last.before == before && last.after == after ? &last.image : nullptr;
}

}  // namespace partita
