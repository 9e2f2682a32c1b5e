#include "app/gui/window/placing.h"

#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "app/gui/window/code_permission.h"
#include "app/gui/window/placement_dialog.h"
#include "engine/rules/codegen.h"

namespace partita {

namespace {

constexpr double kMeasureSeconds = 60;

/// The whole flow by the rules: what a placement starts from. An earlier placement is forgotten.
FlowChoice choice_to_place(FlowChoice choice) {
    if (choice.by_cost) choice.overrides.clear();
    choice.annotate = choice.merge = choice.partition = true;
    return choice;
}

}  // namespace

Placing::Placing(Document& document, std::function<RunRequest()> request, QWidget& window)
    : QObject(&window), document_(document), request_(std::move(request)), window_(window) {
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 id) {
        if (id != job_) return;
        job_ = 0;
        emit ended(tr("Placing was cancelled; what was measured is kept"));
    });
    connect(&document_, &Document::opened, this, [this] {
        placed_.reset();
        emit placedChanged(placed_);
    });
}

PlacementDialog* Placing::dialog() const { return dialog_; }

PlacedModulePtr Placing::placed() const {
    return placed_ && document_.isOpen() && placed_->task.module == document_.shownModule() ? placed_ : nullptr;
}

QString Placing::obstacle() const {
    if (job_ != 0) return tr("Placing is going on");
    if (document_.choice().backends.empty()) return tr("Choose backends first (Ctrl+B)");
    if (document_.annotated()) return tr("The file has annotations of its own");
    if (document_.choice().rewrites() && !document_.flowIsCurrent()) return tr("The module is being divided");
    return {};
}

void Placing::start(bool anew) {
    if (!obstacle().isEmpty()) return;
    with_permitted_code(&window_, document_.choice().backends,
                        [this, anew](const QStringList& trusted) { measure(trusted, anew); });
}

void Placing::measure(const QStringList& trusted, bool anew) {
    PlacingRequest request;
    request.module = document_.shownModule();
    request.flow = flow_options(choice_to_place(document_.choice()), false, {});
    request.flow.lower = request.flow.simplify = false;  // the module that is shown is simplified already
    for (BackendDescription& backend : request.flow.backends)
        if (foreign_code(backend.codegen) != ForeignCode::None &&
            !trusted.contains(QString::fromStdString(backend.codegen)))
            backend.codegen = "default";
    const RunRequest run = request_();
    request.place.run.seed = run.seed;
    request.place.run.threads = run.threads;
    request.place.measure_seconds = kMeasureSeconds;
    request.place.measure_again = anew;
    request.curves = true;
    const quint64 revision = document_.revision();
    job_ = document_.jobs().start<Result<PlacedModule>>(
        tr("Place by time"), this,
        [request](const JobContext& context) {
            PlacingRequest mine = request;
            mine.place.cancel = context.cancel;
            mine.place.progress = [&context](double fraction, const std::string& what) {
                context.progress(fraction, QString::fromStdString(what));
            };
            return place_module(std::move(mine));
        },
        [this, revision](Result<PlacedModule> placed) { accept(revision, std::move(placed)); });
}

void Placing::accept(quint64 revision, Result<PlacedModule> placed) {
    job_ = 0;
    if (!placed) {
        document_.report(placed.error());
        return emit ended(shown_message(placed.error().message));
    }
    for (const Diagnostic& note : placed->notes) document_.report(note);
    if (revision != document_.revision())
        return emit ended(tr("The module or its division was changed while it was measured; place again"));
    show(std::move(*placed));
}

void Placing::show(PlacedModule placed) {
    placed_ = std::make_shared<const PlacedModule>(std::move(placed));
    const PlacementAnswer& answer = placed_->answer;
    const int before = document_.undoStack().index();
    take(answer.chosen.labels, tr("place by time"));
    emit placedChanged(placed_);
    const PlacedCandidate* rules = answer.find("rules");
    emit ended(answer.rules_stay() || !rules
                   ? tr("Placed by time: the rules' placement stays, none was faster by more than the noise")
                   : tr("Placed by time: %1 instead of %2 by the rules")
                         .arg(significant_text(answer.chosen.measured_ms, 3), significant_text(rules->measured_ms, 3)));
    openDialog(before);
}

void Placing::showDialog() { openDialog(-1); }

void Placing::openDialog(int step_before) {
    if (!placed_) return;
    if (dialog_) dialog_->close();
    step_before_ = step_before;
    dialog_ = new PlacementDialog(document_, *this, placed_, &window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    dialog_->show();
}

void Placing::take(const Labels& labels, const QString& name) {
    FlowChoice choice = choice_to_place(document_.choice());
    choice.overrides = HandPlacement(placed_->task.model.overrides_of(labels));
    choice.by_cost = true;
    if (document_.undoStack().index() != last_step_) step_before_ = -1;  // something else was changed between
    document_.changeChoice(std::move(choice), name);
    last_step_ = document_.undoStack().index();
}

bool Placing::canTakeBack() const {
    const int now = document_.undoStack().index();
    return placed() && step_before_ >= 0 && step_before_ < now && now == last_step_;
}

void Placing::takeBack() {
    if (canTakeBack()) document_.undoStack().setIndex(step_before_);
    step_before_ = -1;
}

void Placing::moveTo(uint32_t op, uint16_t to, bool with_others) {
    const PlacedModulePtr placed = this->placed();
    if (!placed || op >= placed->task.model.operators().size() || to >= placed->task.model.labels()) return;
    const ExprId expr = placed->task.model.operators()[op].expr;
    if (!with_others) {
        const bool alone = last_step_ == document_.undoStack().index();
        document_.giveToBackend({expr}, document_.choice().backend_index(placed->task.model.name(to)));
        if (alone) last_step_ = document_.undoStack().index();
        return;
    }
    const QString name = tr("move %1 with others").arg(shown_name(document_.names().name(expr)));
    document_.jobs().start<Labels>(
        tr("Place by time"), this,
        [placed, op, to](const JobContext& context) {
            return best_labels_with(placed->task, placed->table, placed->answer.reentries, op, to, context.cancel);
        },
        [this, placed, name](const Labels& labels) {
            if (this->placed() == placed && !labels.empty()) take(labels, name);
        });
}

}  // namespace partita
