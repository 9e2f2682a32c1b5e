// The document's module changes by hand: undo keeps the state before.
#include <algorithm>
#include <set>

#include <QUndoCommand>

#include "app/gui/document/open_document.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/ops/annotations.h"
#include "engine/session/diff.h"
#include "engine/session/project.h"

namespace partita {

/// All that an edit exchanges.
struct ModuleState {
    ModulePtr module, simplified, opened;
    NamedModulePtr named;
    std::string digest;  ///< as Document::digest_
    FlowChoice choice;
    bool annotated = false;
    bool edited = false;
    std::vector<ExprId> selection;
    std::vector<Bookmark> bookmarks;
};
using ModuleStatePtr = std::shared_ptr<const ModuleState>;

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
    FlowChoice result = choice;
    result.simplify = false;  // what is edited is what is shown
    result.overrides = choice.overrides->carriedOver(image);
    result.groups = carried_over(*choice.groups, image);
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

ModuleStatePtr Document::moduleState() const {
    auto state = std::make_shared<ModuleState>();
    state->module = module_;
    state->simplified = simplified_;
    state->opened = opened_;
    state->named = named();
    state->digest = digest_;
    state->choice = choice_;
    state->annotated = annotated_;
    state->edited = edited_;
    state->selection = selection_;
    state->bookmarks = bookmarks_;
    return state;
}

void Document::editModule(const QString& name, ModuleEdit edit) {
    startEdit(
        shortened(name, 120),
        [edit = std::move(edit)](const Module& module, const CancelToken&) { return edit(module); }, false);
}

void Document::reload() {
    const std::string compiler = usual_backends_.empty() ? std::string() : usual_backends_.front()->name;
    const auto read_again = [path = path_, compiler, dimensions = symbolic_dimensions_](
                                const Module& module, const CancelToken& cancel) -> EditResult {
        Result<OpenedModule> opened = open_model(path, compiler, dimensions, cancel);
        if (!opened) return EditFault{opened.error(), {}};
        ModuleDiff diff = diff_modules(module, *opened->module);
        return EditedModule{opened->module, std::move(diff.after_of), {}};
    };
    startEdit(tr("read %1 again").arg(title()), read_again, true);
}

void Document::startEdit(const QString& name, StoppableEdit edit, bool from_file) {
    if (!isOpen() || edit_job_) return;
    struct Edited {
        std::optional<EditResult> result;
        std::shared_ptr<ModuleState> state;
    };
    const ModulePtr shown = shownModule();
    edit_job_ = jobs_.start<Edited>(
        name, this,
        [shown, edit = std::move(edit), digest = digest_,
         read = from_file ? path_.toStdString() : std::string()](const JobContext& context) {
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
            edit_job_ = 0;
            if (shown != shownModule()) return;  // something else came first
            if (!*edited.result) {
                const EditFault& fault = edited.result->fault();
                const Diagnostic& why = fault.diagnostic;
                const QString message = QString::fromStdString(why.file.empty() ? why.message : why.to_string());
                emit editRefused(fault.said.empty() ? message : say(fault.said), fault.place);
                return;
            }
            EditedModule& made = **edited.result;
            const bool carries_regions = edited.state->choice.carries_regions;
            edited.state->choice = carried_over(choice_, made.image);
            edited.state->choice.carries_regions = carries_regions;
            edited.state->selection = made.made;
            for (const Bookmark& mark : bookmarks_)
                if (mark.expression.value < made.image.size() && made.image[mark.expression.value].valid())
                    edited.state->bookmarks.push_back(
                        {made.image[mark.expression.value],
                         edited.state->named->names.name(made.image[mark.expression.value])});
            edited.state->edited = !from_file;
            edited.state->opened = from_file ? edited.state->module : opened_;
            acceptEdit(name, edited.state, std::move(made.image));
        });
}

void Document::acceptEdit(const QString& name, ModuleStatePtr after, std::vector<ExprId> image) {
    push(new EditCommand(*this, moduleState(), std::move(after), std::move(image), name));
}

void Document::applyModule(const ModuleState& state, const QString& name, std::vector<ExprId> image) {
    const ModulePtr before = shownModule();
    if (flow_job_) jobs_.cancel(flow_job_);
    flow_job_ = 0;
    divided_step_ = kNoStep;
    cancelRun();
    releaseResults();
    module_ = state.module;
    simplified_ = state.simplified;
    opened_ = state.opened;
    named_ = state.named;
    digest_ = state.digest;
    annotated_ = state.annotated;
    edited_ = state.edited;
    choice_ = state.choice;
    selection_ = state.selection;
    bookmarks_ = state.bookmarks;
    last_change_ = {before, named_->module, std::move(image)};
    ++revision_;
    emit edited(name);
    emit bookmarksChanged();
    emit choiceChanged();
    emit selectionChanged();
    startFlow();
}

void Document::separateRegion(const std::vector<ExprId>& expressions) {
    if (!isOpen() || expressions.empty()) return;
    FlowChoice choice = choice_;
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
    FlowChoice choice = choice_;
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
    choice.overrides.change(
        [&](HandPlacement& placement) { placement.give(elsewhere, choice_.backend_name(backend)); });
    choice.merge = true;
    changeChoice(std::move(choice), tr("join %n operator(s)", nullptr, int(expressions.size())));
}

QString Document::nameNow(const QString& function) const {
    const ExprId before = last_change_.before ? last_change_.before->find_function(function.toStdString()) : ExprId();
    if (!before.valid() || before.value >= last_change_.image.size()) return function;
    for (const GlobalFunction& global : last_change_.after->functions()) {
        if (global.function != last_change_.image[before.value]) continue;
        const std::string_view name = last_change_.after->names().text(global.name);
        return QString::fromUtf8(name.data(), qsizetype(name.size()));
    }
    return function;
}

const std::vector<ExprId>* Document::imagesBetween(const ModulePtr& before, const ModulePtr& after) const {
    return before && last_change_.before == before && last_change_.after == after ? &last_change_.image : nullptr;
}

}  // namespace partita
