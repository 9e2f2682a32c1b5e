#include "app/gui/window/bisecting.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include "app/gui/document/read_image.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "app/gui/window/code_permission.h"
#include "engine/rules/codegen.h"
#include "engine/session/inputs.h"

namespace partita {

namespace {

constexpr double kTolerance = 1e-4;  // as the comparison of a run

struct BisectRequest {
    ModulePtr module;
    FlowOptions flow;
    RunOptions run;
    std::vector<InputFile> inputs;
};

Result<Culprit> find_in(BisectRequest request, const JobContext& context) {
    Result<FlowResult> flow = run_flow(request.module, std::move(request.flow));
    if (!flow) return flow.error();
    Result<std::map<std::string, Tensor>> values =
        read_input_files(*request.module, request.inputs, read_image, context.cancel);
    if (!values) return values.error();
    request.run.cancel = context.cancel;
    request.run.inputs = make_inputs(*request.module, request.run.seed, std::move(*values));
    return find_culprit(*flow, request.run, kTolerance,
                        [&context](const Culprit::Step& step) { context.progress(-1, say(step.what)); });
}

QString names_of(const Document& document, const std::vector<ExprId>& calls) {
    constexpr size_t kMost = 8;
    QStringList names;
    for (size_t i = 0; i < std::min(calls.size(), kMost); ++i) names << shown_name(document.names().name(calls[i]));
    const QString list = names.join(QStringLiteral(", "));
    return calls.size() > kMost ? Bisecting::tr("%1 and %n more", nullptr, int(calls.size() - kMost)).arg(list) : list;
}

}  // namespace

Bisecting::Bisecting(Document& document, std::function<RunRequest()> request, QWidget& window)
    : QObject(&window), document_(document), request_(std::move(request)), window_(window) {
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 id) {
        if (id != job_) return;
        job_ = 0;
        emit ended(tr("The search was cancelled"));
    });
}

QDialog* Bisecting::dialog() const { return dialog_; }

QString Bisecting::obstacle() const {
    if (job_ != 0) return tr("The search is going on");
    if (!document_.choice().active(document_.annotated())) return tr("Nothing goes to a backend: annotate first (F6)");
    if (document_.choice().rewrites() && !document_.flowIsCurrent()) return tr("The module is being divided");
    return {};
}

void Bisecting::start() {
    if (!obstacle().isEmpty()) return;
    with_permitted_code(&window_, document_.backendsThatRun(), [this](const QStringList& trusted) { search(trusted); });
}

void Bisecting::search(const QStringList& trusted) {
    FlowChoice choice = document_.choice();
    choice.partition = true;
    BisectRequest request;
    request.module = document_.shownModule();
    request.flow = flow_options(choice, document_.annotated(), {});
    request.flow.lower = request.flow.simplify = request.flow.fold = false;  // the module that is shown is so already
    for (const BackendPtr& backend : choice.backends) {
        const bool may = foreign_code(backend->codegen) == ForeignCode::None ||
                         trusted.contains(QString::fromStdString(backend->codegen));
        request.run.codegen[backend->name] = may ? backend->codegen : "default";
    }
    request.run.seed = request_().seed;
    request.run.threads = request_().threads;
    request.inputs = document_.inputs();
    job_ = document_.jobs().start<Result<Culprit>>(
        tr("Bisecting"), this,
        [request = std::move(request)](const JobContext& context) mutable {
            request.flow.cancel = context.cancel;
            return find_in(std::move(request), context);
        },
        [this, module = document_.shownModule()](const Result<Culprit>& culprit) { accept(module, culprit); });
}

void Bisecting::accept(const ModulePtr& module, const Result<Culprit>& culprit) {
    job_ = 0;
    if (!culprit) {
        document_.report(culprit.error());
        return emit ended(shown_message(culprit.error().message));
    }
    if (module != document_.shownModule()) return emit ended(tr("The module was changed during the search"));
    if (culprit->fault == Culprit::Fault::None)
        return emit ended(tr("No region differs from default, and none was refused"));
    select(module, culprit->calls);
    show(module, *culprit);
    emit ended(tr("Found after %n run(s): %1", nullptr, culprit->runs).arg(names_of(document_, culprit->calls)));
}

void Bisecting::show(const ModulePtr& module, const Culprit& culprit) {
    if (dialog_) dialog_->close();
    dialog_ = new QDialog(&window_);
    dialog_->setAttribute(Qt::WA_DeleteOnClose);
    dialog_->setWindowTitle(tr("Bisect"));
    dialog_->resize(620, 420);
    auto* column = new QVBoxLayout(dialog_);
    const bool refused = culprit.fault == Culprit::Fault::Refused;
    auto* words = make_plain_label();
    words->setText((refused ? tr("The compiler of %1 refuses %2") : tr("Of %1, this is not what default computes: %2"))
                       .arg(shown_name(culprit.title), names_of(document_, culprit.calls)) +
                   (culprit.notice.empty() ? QString() : QLatin1Char('\n') + shown_message(culprit.notice)));
    words->setWordWrap(true);
    column->addWidget(words);
    auto* steps = new QListWidget;
    steps->setAccessibleName(tr("Steps"));
    steps->setObjectName(QStringLiteral("culprit-steps"));
    steps->setWordWrap(true);
    steps->setToolTip(tr("A step selects its operators on the graph"));
    for (const Culprit::Step& step : culprit.steps)
        steps->addItem(QStringLiteral("%1  %2. %3")
                           .arg(step.shows ? QStringLiteral("✗") : QStringLiteral("✓"))
                           .arg(steps->count() + 1)
                           .arg(shown_message(say(step.what))));
    steps->setCurrentRow(steps->count() - 1);  // that names what was found; the first row would take its place
    connect(steps, &QListWidget::currentRowChanged, this, [this, module, list = culprit.steps](int row) {
        if (row >= 0 && size_t(row) < list.size()) select(module, list[size_t(row)].calls);
    });
    column->addWidget(steps, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* save = buttons->addButton(tr("&Save the smallest region…"), QDialogButtonBox::ActionRole);
    save->setToolTip(tr("A module with its inputs, for those who wrote the backend"));
    save->setEnabled(culprit.smallest != nullptr);
    connect(save, &QPushButton::clicked, this, [this, culprit] { this->save(culprit); });
    connect(buttons, &QDialogButtonBox::rejected, dialog_, &QDialog::reject);
    column->addWidget(buttons);
    dialog_->show();
}

void Bisecting::select(const ModulePtr& module, const std::vector<ExprId>& calls) {
    if (module == document_.shownModule() && !calls.empty()) document_.setSelection(calls);
}

void Bisecting::save(const Culprit& culprit) {
    const QString folder = QFileDialog::getExistingDirectory(dialog_, tr("A folder for the module and its inputs"),
                                                             QFileInfo(document_.path()).path());
    if (folder.isEmpty()) return;
    const Status saved = write_smallest(culprit, folder.toStdString());
    emit ended(saved ? tr("Saved in %1").arg(shown_name(folder)) : shown_message(saved.error().message));
}

}  // namespace partita
