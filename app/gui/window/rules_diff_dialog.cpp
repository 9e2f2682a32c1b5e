#include "app/gui/window/rules_diff_dialog.h"

#include <algorithm>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/style/fitted_columns.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/number_text.h"
#include "app/gui/window/code_permission.h"
#include "engine/support/folder_files.h"
#include "engine/support/place_link.h"

namespace partita {

namespace {

enum Column { kWhat, kCalls, kRegions, kWork, kBoundary };
constexpr int kModelRole = Qt::UserRole, kChangeRole = Qt::UserRole + 1;

/// "12", or "12 → 14".
QString from_to(const QString& before, const QString& after) {
    return before == after ? before : QStringLiteral("%1 → %2").arg(before, after);
}

QString share(double part, double whole) { return whole > 0 ? percent_text(part / whole) : QStringLiteral("–"); }

/// A description that stands nowhere else is compared with a file that is chosen.
QString saved_as(const BackendDescription& backend) {
    if (!backend.file.empty()) return QString::fromStdString(backend.file);
    return builtin_backend(backend.name) ? QString::fromStdString(backend.name) : QString();
}

/// "− 27 nn.conv2d, in 27 blocks: ops.nn.conv2d: attrs.groups == 1"
QString words(const VerdictChange& change) {
    QString text = QStringLiteral("%1 %2 %3")
                       .arg(change.taken ? QStringLiteral("+") : QStringLiteral("−"))
                       .arg(change.calls.size())
                       .arg(shown_name(change.op));
    if (change.blocks > 1) text += RulesDiffDialog::tr(", in %n blocks", nullptr, int(change.blocks));
    for (const std::string* part : {&change.rule, &change.reason})
        if (!part->empty()) text += QStringLiteral(": ") + shown_name(*part);
    return text;
}

}  // namespace

RulesDiffDialog::RulesDiffDialog(Document& document, QWidget* window)
    : QDialog(window), document_(document), backends_(new QComboBox), rules_(new QLineEdit), models_(new QLineEdit),
      compare_(new QPushButton(tr("&Compare"))), want_old_(new QPushButton(tr("Test: as &before"))),
      want_new_(new QPushButton(tr("Test: as &now"))), table_(new QTreeWidget), told_(make_plain_label()) {
    setWindowTitle(tr("Compare rules on models"));
    resize(780, 540);
    auto* column = new QVBoxLayout(this);
    auto* purpose =
        new QLabel(tr("What the rules, as they stand in the window, change against those of before. "
                      "Double-click a change to see its first operator."));
    purpose->setWordWrap(true);
    column->addWidget(purpose);
    column->addLayout(makeChoices());
    table_->setObjectName(QStringLiteral("rules-diff"));
    table_->setAccessibleName(tr("Changes by model and rule"));
    table_->setHeaderLabels({tr("Model, change"), tr("Calls"), tr("Regions"), tr("Work"), tr("Boundary")});
    for (int column = kCalls; column <= kBoundary; ++column)
        table_->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    table_->setUniformRowHeights(true);
    table_->header()->setStretchLastSection(false);
    table_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table_->header()->setSectionResizeMode(kWhat, QHeaderView::Stretch);
    column->addWidget(table_, 1);
    told_->setWordWrap(true);
    column->addWidget(told_);
    column->addLayout(makeButtons());
    models_->setText(QFileInfo(document_.path()).absolutePath());
    listBackends();
    // The choice is in the middle of its change when the signal comes.
    connect(&document_, &Document::choiceChanged, this, &RulesDiffDialog::listBackends, Qt::QueuedConnection);
    connect(backends_, &QComboBox::currentIndexChanged, this, &RulesDiffDialog::nameRules);
    connect(table_, &QTreeWidget::currentItemChanged, this, &RulesDiffDialog::updateButtons);
    connect(table_, &QTreeWidget::itemActivated, this, &RulesDiffDialog::showPlace);
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 id) {
        if (id != job_) return;
        job_ = 0;
        told_->setText(tr("The comparison was cancelled"));
        updateButtons();
    });
}

QLayout* RulesDiffDialog::makeChoices() {
    auto* form = new QFormLayout;
    const auto with_button = [this](QLineEdit* field, void (RulesDiffDialog::*choose)()) {
        auto* row = new QHBoxLayout;
        auto* button = new QPushButton(tr("Choose…"));
        button->setAutoDefault(false);
        connect(button, &QPushButton::clicked, this, choose);
        row->addWidget(field, 1);
        row->addWidget(button);
        return row;
    };
    rules_->setObjectName(QStringLiteral("rules-before"));
    models_->setObjectName(QStringLiteral("rules-models"));
    rules_->setPlaceholderText(tr("a description, rules in Python, or a built-in name"));
    form->addRow(tr("B&ackend:"), backends_);
    form->addRow(tr("&Rules before:"), with_button(rules_, &RulesDiffDialog::chooseRules));
    form->addRow(tr("&Models:"), with_button(models_, &RulesDiffDialog::chooseModels));
    if (auto* label = qobject_cast<QLabel*>(form->itemAt(1, QFormLayout::LabelRole)->widget())) label->setBuddy(rules_);
    if (auto* label = qobject_cast<QLabel*>(form->itemAt(2, QFormLayout::LabelRole)->widget()))
        label->setBuddy(models_);
    return form;
}

QLayout* RulesDiffDialog::makeButtons() {
    auto* row = new QHBoxLayout;
    compare_->setObjectName(QStringLiteral("compare-rules"));
    compare_->setDefault(true);
    want_old_->setObjectName(QStringLiteral("test-as-before"));
    want_new_->setObjectName(QStringLiteral("test-as-now"));
    for (QPushButton* button : {want_old_, want_new_}) button->setAutoDefault(false);
    auto* close = new QPushButton(tr("Close"));
    close->setAutoDefault(false);
    row->addWidget(compare_);
    row->addStretch();
    row->addWidget(want_old_);
    row->addWidget(want_new_);
    row->addWidget(close);
    connect(close, &QPushButton::clicked, this, &QDialog::close);
    connect(compare_, &QPushButton::clicked, this, [this] { compare(models_->text()); });
    connect(want_old_, &QPushButton::clicked, this, [this] { keepTest(false); });
    connect(want_new_, &QPushButton::clicked, this, [this] { keepTest(true); });
    return row;
}

/// The dialog stays open while backends are chosen.
void RulesDiffDialog::listBackends() {
    const QVariant chosen = backends_->currentData();
    {
        const QSignalBlocker blocked(backends_);
        backends_->clear();
        for (const BackendPtr& backend : document_.choice().backends)
            backends_->addItem(shown_name(backend->name), QString::fromStdString(backend->name));
        backends_->setCurrentIndex(std::max(0, backends_->findData(chosen)));
    }
    if (backends_->currentData() != chosen) nameRules();
    updateButtons();
}

int RulesDiffDialog::backend() const {
    return backends_->currentIndex() < 0
               ? -1
               : document_.choice().backend_index(backends_->currentData().toString().toStdString());
}

void RulesDiffDialog::nameRules() {
    if (backend() >= 0) rules_->setText(saved_as(*document_.choice().backends[size_t(backend())]));
}

void RulesDiffDialog::chooseRules() {
    const QString file = QFileDialog::getOpenFileName(this, tr("The rules before"), QFileInfo(rules_->text()).path(),
                                                      tr("Rules (*.json *.py)"));
    if (!file.isEmpty()) rules_->setText(file);
}

void RulesDiffDialog::chooseModels() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder of models"), models_->text());
    if (!folder.isEmpty()) models_->setText(folder);
}

void RulesDiffDialog::compare(const QString& models) {
    models_->setText(models);
    if (backend() < 0 || job_ != 0) return;
    const Result<BackendDescription> before = load_backend(rules_->text().trimmed().toStdString());
    if (!before) return told_->setText(shown_message(before.error().to_string()));
    std::vector<AnnotatorPermit> permits;
    for (const BackendDescription* each : {&*before, document_.choice().backends[size_t(backend())].get()})
        if (!each->annotator.empty() && !each->running) permits.push_back(permit_for(*each));
    with_permitted_annotators(this, permits, [this, before = *before](bool allowed) {
        if (allowed) start(std::make_shared<const BackendDescription>(before));
        else told_->setText(tr("Rules in Python are compared once they may run"));
    });
}

void RulesDiffDialog::start(const BackendPtr& before) {
    const BackendPtr after = document_.choice().backends[size_t(backend())];
    compared_backend_ = after->name;
    DivideRequest request;
    request.allow_commands = true;  // asked before
    request.lower = document_.choice().lower;
    request.simplify = document_.choice().simplify;
    request.fold = document_.choice().fold;
    request.partitioner = document_.choice().partitioner;
    told_->setText(tr("Comparing…"));
    job_ = document_.jobs().start<Compared>(
        tr("Comparing rules"), this,
        [before, after, request, models = models_->text().toStdString()](const JobContext& context) {
            const std::vector<std::string> files = files_in({models}, kModelEndings);
            Compared compared;
            for (size_t i = 0; i < files.size() && !context.cancel.cancelled(); ++i) {
                context.progress(double(i) / double(files.size()),
                                 shown_name(QFileInfo(QString::fromStdString(files[i])).fileName()));
                OpenOptions options;
                options.cancel = context.cancel;
                Result<OpenedInput> opened = open_input_file(files[i], options);
                DivideRequest each = request;
                each.cancel = context.cancel;
                std::vector<Diagnostic> notes;
                Result<ModelRulesDiff> made = opened ? diff_rules_on(*opened, each, before, after, notes)
                                                     : Result<ModelRulesDiff>(opened.error());
                if (made) compared.models.push_back(std::move(*made));
                else compared.faults << shown_message(made.error().to_string());
            }
            return compared;
        },
        [this](Compared compared) { take(std::move(compared)); });
    updateButtons();
}

void RulesDiffDialog::take(Compared compared) {
    job_ = 0;
    compared_ = std::move(compared);
    table_->clear();
    size_t lost = 0, gained = 0;
    int differing = 0;
    for (size_t i = 0; i < compared_.models.size(); ++i) {
        addModel(i);
        differing += !compared_.models[i].diff.identical();
        for (const VerdictChange& change : compared_.models[i].diff.changes)
            (change.taken ? gained : lost) += change.calls.size();
    }
    for (int i = 0; i < table_->topLevelItemCount() && !table_->currentItem(); ++i)
        if (QTreeWidgetItem* first = table_->topLevelItem(i)->child(0)) table_->setCurrentItem(first);
    QStringList told{compared_.models.empty()
                         ? tr("No model was found there")
                         : tr("%1 of %2 models differ: %3 calls lost, %4 taken")
                               .arg(QString::number(differing), QString::number(compared_.models.size()),
                                    QString::number(lost), QString::number(gained))};
    constexpr qsizetype kMostFaults = 3;
    told << compared_.faults.mid(0, kMostFaults);
    if (compared_.faults.size() > kMostFaults)
        told << tr("and %n other file(s) can't be compared", nullptr, int(compared_.faults.size() - kMostFaults));
    told_->setText(told.join(QLatin1Char('\n')));
    updateButtons();
}

void RulesDiffDialog::addModel(size_t index) {
    const ModelRulesDiff& model = compared_.models[index];
    const RulesDiff& diff = model.diff;
    const QString file = QString::fromStdString(model.file);
    auto* item =
        new QTreeWidgetItem({shown_name(QFileInfo(file).fileName()),
                             from_to(QString::number(diff.before.calls), QString::number(diff.after.calls)),
                             from_to(QString::number(diff.before.regions), QString::number(diff.after.regions)),
                             from_to(share(diff.before.flops, diff.flops), share(diff.after.flops, diff.flops)),
                             from_to(bytes_text(diff.before.boundary_bytes), bytes_text(diff.after.boundary_bytes))});
    item->setToolTip(kWhat, shown_name(file));
    item->setData(kWhat, kModelRole, int(index));
    item->setData(kWhat, kChangeRole, -1);
    for (int column = kCalls; column <= kBoundary; ++column)
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    table_->addTopLevelItem(item);
    for (size_t i = 0; i < diff.changes.size(); ++i) {
        auto* change = new QTreeWidgetItem(item, {words(diff.changes[i])});
        change->setToolTip(kWhat, words(diff.changes[i]));
        change->setData(kWhat, kModelRole, int(index));
        change->setData(kWhat, kChangeRole, int(i));
        change->setFirstColumnSpanned(true);
    }
    item->setExpanded(true);
}

const VerdictChange* RulesDiffDialog::selected(const ModelRulesDiff** model) const {
    const QTreeWidgetItem* item = table_->currentItem();
    if (!item) return nullptr;
    const ModelRulesDiff& of = compared_.models[size_t(item->data(kWhat, kModelRole).toInt())];
    if (model) *model = &of;
    const int change = item->data(kWhat, kChangeRole).toInt();
    return change < 0 ? nullptr : &of.diff.changes[size_t(change)];
}

QString RulesDiffDialog::obstacleToTest() const {
    const ModelRulesDiff* model = nullptr;
    if (!selected(&model)) return tr("Select a change first");
    const int index = document_.choice().backend_index(compared_backend_);
    if (index < 0) return tr("The backend is no longer chosen");
    const BackendDescription& backend = *document_.choice().backends[size_t(index)];
    if (backend.file.ends_with(".py"))
        return tr("Tests are kept in a description in JSON: choose one that names this file as its annotator");
    if (backend.file.empty()) return tr("Save the description in a file first: a test names models beside it");
    const Result<std::string> name = model_of_test(backend.file, model->file);
    return name ? QString() : shown_message(name.error().message);
}

void RulesDiffDialog::updateButtons() {
    compare_->setEnabled(job_ == 0 && backend() >= 0);
    const QString obstacle = obstacleToTest();
    for (QPushButton* button : {want_old_, want_new_}) button->setEnabled(obstacle.isEmpty());
    want_old_->setToolTip(obstacle.isEmpty() ? tr("A test of the description that wants the old rules' verdict")
                                             : obstacle);
    want_new_->setToolTip(obstacle.isEmpty() ? tr("A test of the description that wants the new rules' verdict")
                                             : obstacle);
}

/// Opens the model, if another one is open, and selects the operator.
void RulesDiffDialog::showPlace(QTreeWidgetItem* item) {
    table_->setCurrentItem(item);
    const ModelRulesDiff* model = nullptr;
    const VerdictChange* change = selected(&model);
    if (!model) return;
    PlaceLink link;
    link.file = QFileInfo(QString::fromStdString(model->file)).absoluteFilePath().toStdString();
    if (change) link.select = "#" + std::to_string(model->names->number(change->calls.front()));
    emit placeWanted(link);
}

void RulesDiffDialog::keepTest(bool wants_new) {
    const ModelRulesDiff* model = nullptr;
    const VerdictChange* change = selected(&model);
    if (!change || !obstacleToTest().isEmpty()) return;
    FlowChoice choice = document_.choice();
    BackendPtr& backend = choice.backends[size_t(choice.backend_index(compared_backend_))];
    RulesDiff one;
    one.changes = {*change};
    const Result<std::string> text =
        with_tests(backend->source, *model_of_test(backend->file, model->file), one, *model->names, wants_new);
    Result<BackendDescription> parsed =
        text ? parse_backend_description(*text, backend->file) : Result<BackendDescription>(text.error());
    if (!parsed) return told_->setText(shown_message(parsed.error().to_string()));
    // The rules are the same, so what answers for them goes on.
    BackendDescription tested = *backend;
    tested.source = std::move(parsed->source);
    tested.expectations = std::move(parsed->expectations);
    backend = std::make_shared<const BackendDescription>(std::move(tested));
    document_.changeChoice(std::move(choice), tr("keep as a test"));
    told_->setText(tr("%1 has a test that wants %2 %3. Save the rules to keep it; \"rules test\" runs it.")
                       .arg(shown_name(compared_backend_), shown_name(model->names->name(change->calls.front())),
                            change->taken == wants_new ? tr("taken") : tr("refused")));
}

}  // namespace partita
