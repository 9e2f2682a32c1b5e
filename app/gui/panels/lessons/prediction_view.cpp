#include "app/gui/panels/lessons/prediction_view.h"

#include <algorithm>

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QListWidget>
#include <QPushButton>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>

#include "app/gui/panels/lessons/page_text.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

PredictionView::PredictionView(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), list_(new QListWidget), answer_(new PageText),
      mark_(new QPushButton(tr("Mark as a region"))), unmark_(new QPushButton(tr("Take out"))),
      compare_(new QPushButton(tr("Compare"))), mine_(new QToolButton), theirs_(new QToolButton), sides_(new QWidget) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    list_->setAccessibleName(tr("Marked regions"));
    list_->setWordWrap(true);
    list_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* marked = new QHBoxLayout;
    marked->addWidget(unmark_);
    marked->addWidget(compare_, 1);
    column->addWidget(mark_);
    column->addWidget(list_);
    column->addLayout(marked);
    answer_->setAccessibleName(tr("Comparison"));
    answer_->setOpenLinks(false);
    answer_->document()->setDocumentMargin(8);
    column->addWidget(answer_);
    compare_->setObjectName(QStringLiteral("primary"));
    auto* sides = new QHBoxLayout(sides_);
    sides->setContentsMargins(0, 0, 0, 0);
    auto* either = new QButtonGroup(this);
    mine_->setText(tr("My regions"));
    theirs_->setText(tr("Partita's regions"));
    for (QToolButton* button : {mine_, theirs_}) {
        button->setCheckable(true);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        either->addButton(button);
        sides->addWidget(button);
    }
    column->addWidget(sides_);
    column->addStretch(1);
    connect(mark_, &QPushButton::clicked, this, &PredictionView::markSelection);
    connect(unmark_, &QPushButton::clicked, this, &PredictionView::unmarkSelection);
    connect(compare_, &QPushButton::clicked, this, &PredictionView::compare);
    connect(mine_, &QToolButton::clicked, this, &PredictionView::showMine);
    connect(theirs_, &QToolButton::clicked, this, &PredictionView::showTheirs);
    connect(list_, &QListWidget::currentRowChanged, this, [this](int row) {
        if (row >= 0 && size_t(row) < marked_.size()) document_.setSelection(marked_[size_t(row)]);
    });
    connect(answer_, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const size_t finding = link.path().toULongLong();
        if (result_ && finding < result_->findings.size()) document_.setSelection(result_->findings[finding].operators);
    });
    connect(&document_, &Document::selectionChanged, this, &PredictionView::update);
    connect(&document_, &Document::flowChanged, this, [this] {
        if (!predicting_) return;
        if (document_.shownModule() != module_) start();
        else if (mine_->isChecked()) showMine();  // with the colours of the new division
    });
    connect(&document_.jobs(), &JobRunner::jobCancelled, this, [this](quint64 job) {
        if (job != job_) return;
        job_ = 0;
        update();
    });
    update();
}

void PredictionView::start() {
    if (job_) document_.jobs().cancel(job_);
    job_ = 0;
    predicting_ = document_.isOpen();
    paused_ = answered_ = false;
    module_ = document_.shownModule();
    marked_.clear();
    changed();
    emit predictingChanged();
}

void PredictionView::finish() {
    pause();
    paused_ = false;
    module_ = nullptr;
    marked_.clear();
    result_.reset();
}

void PredictionView::pause() {
    if (!predicting_) return;
    if (job_) document_.jobs().cancel(job_);
    job_ = 0;
    predicting_ = false;
    paused_ = true;
    emit shown(nullptr);
    emit predictingChanged();
}

bool PredictionView::resume() {
    if (!paused_ || !document_.isOpen() || module_ != document_.shownModule()) return false;
    paused_ = false;
    predicting_ = true;
    update();
    emit predictingChanged();
    if (result_ && theirs_->isChecked()) showTheirs();
    else showMine();
    return true;
}

std::vector<ExprId> PredictionView::selectedOperators() const {
    std::vector<ExprId> operators;
    if (!module_ || module_ != document_.shownModule()) return operators;
    for (ExprId id : document_.selection())
        if (module_->called_op(id).valid()) operators.push_back(id);
    return operators;
}

void PredictionView::takeOut(std::vector<ExprId> operators) {
    std::sort(operators.begin(), operators.end());
    for (std::vector<ExprId>& region : marked_)
        std::erase_if(region, [&](ExprId id) { return std::binary_search(operators.begin(), operators.end(), id); });
    std::erase_if(marked_, [](const std::vector<ExprId>& region) { return region.empty(); });
}

void PredictionView::markSelection() {
    std::vector<ExprId> operators = selectedOperators();
    if (!predicting_ || operators.empty()) return;
    takeOut(operators);
    marked_.push_back(std::move(operators));
    changed();
}

void PredictionView::unmarkSelection() {
    if (!predicting_) return;
    takeOut(selectedOperators());
    changed();
}

/// An answer is of the marks that it was given for.
void PredictionView::changed() {
    result_.reset();
    const QSignalBlocker block(list_);
    list_->clear();
    for (size_t i = 0; i < marked_.size(); ++i)
        list_->addItem(QStringLiteral("%1: %2").arg(i + 1).arg(operatorNames(marked_[i])));
    if (marked_.empty()) {  // it stands there from the start, so that no button moves with the first mark
        list_->addItem(tr("No region is marked yet."));
        list_->item(0)->setFlags(Qt::NoItemFlags);
    }
    fitList();
    update();
    showMine();
}

/// All marked regions are seen; the page scrolls, not the list.
void PredictionView::fitList() {
    list_->doItemsLayout();
    int height = 2 * list_->frameWidth() + 2;
    for (int row = 0; row < list_->count(); ++row) height += list_->visualItemRect(list_->item(row)).height();
    list_->setFixedHeight(std::max(height, 3 * list_->fontMetrics().lineSpacing()));
}

void PredictionView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitList();
}

void PredictionView::update() {
    // A button that is disabled hands the keyboard's focus on to the list, which makes its first row the current one.
    const QSignalBlocker nobody_chose_it(list_);
    const bool any = predicting_ && !selectedOperators().empty();
    const QString select = tr("Select operators on the graph first: click, Ctrl+click, or a frame with Shift");
    mark_->setEnabled(any);
    mark_->setToolTip(any ? tr("The selected operators are one region (G)") : select);
    unmark_->setEnabled(any && !marked_.empty());
    unmark_->setToolTip(any ? tr("The selected operators are in no region") : select);
    compare_->setEnabled(predicting_ &&
                         !marked_.empty());  // while it works, too: the keyboard's focus would go on to Next
    compare_->setToolTip(marked_.empty() ? tr("Mark a region first")
                                         : tr("Hold your regions against what the backends' rules and merging give"));
    answer_->setEnabled(result_.has_value());
    if (!result_)
        answer_->setPlainText(
            tr("What is right and what is not appears here. The panels that tell of the regions, such as Steps, come "
               "back with it."));
    sides_->setVisible(result_.has_value());
}

QString PredictionView::operatorNames(const std::vector<ExprId>& operators) const {
    constexpr size_t kMost = 12;
    QStringList names;
    for (size_t i = 0; i < operators.size() && i < kMost; ++i)
        names << shown_name(document_.names().name(operators[i]));
    if (operators.size() > kMost) names << QStringLiteral("…");
    return names.join(QStringLiteral(", "));
}

void PredictionView::compare() {
    if (!predicting_ || marked_.empty() || job_) return;
    job_ = document_.jobs().start<Result<PredictionResult>>(
        tr("Comparing the prediction"), this,
        [module = module_, choice = document_.choice(), annotated = document_.annotated(),
         marked = marked_](const JobContext& context) {
            return compare_prediction(module, choice, annotated, marked, context.cancel);
        },
        [this](Result<PredictionResult> result) {
            job_ = 0;
            accept(std::move(result));
        });
    update();
}

void PredictionView::accept(Result<PredictionResult> result) {
    if (!predicting_) return;
    if (!result) {
        return answer_->setPlainText(shown_message(result.error().message));
    }
    result_ = std::move(*result);
    answered_ = true;
    emit predictingChanged();
    QString html =
        QStringLiteral("<p><b>%1</b></p>")
            .arg(result_->all_right()
                     ? tr("All right.")
                     : tr("%1 of %n region(s) right.", nullptr, int(result_->regions.size())).arg(result_->right));
    for (size_t i = 0; i < result_->findings.size(); ++i) {
        const PredictionFinding& finding = result_->findings[i];
        const QString sign = finding.kind == PredictionFinding::Kind::Right ? QStringLiteral("✓") : QStringLiteral("✗");
        html += QStringLiteral("<p style='margin-top:5px; margin-bottom:0'>%1 %2 <a href='find:%3'>%4</a></p>")
                    .arg(sign, finding.text.toHtmlEscaped(), QString::number(i), tr("show"));
    }
    answer_->setHtml(html);
    update();
    showTheirs();
}

QString PredictionView::resultText() const { return result_ ? answer_->toPlainText() : QString(); }

/// A division with these regions, as the canvas takes it.
std::shared_ptr<DecorationInput> PredictionView::stateOf(const MarkedRegions& regions, bool letters) const {
    auto state = std::make_shared<DecorationInput>();
    for (const BackendPtr& backend : document_.choice().backends) state->backends.push_back(backend->name);
    auto division = std::make_shared<FlowResult>();
    division->input = module_;
    division->region_of.assign(module_->size(), -1);
    division->backend_of.assign(module_->size(), -1);
    const FlowPtr known = letters && result_ ? FlowPtr(result_->flow) : document_.flow();
    if (known && known->input == module_) division->backend_of = known->backend_of;
    for (size_t i = 0; i < regions.size(); ++i) {
        RegionInfo region;
        region.backend = division->backend_of[regions[i].front().value];
        region.expressions = regions[i];
        for (ExprId id : regions[i]) division->region_of[id.value] = int32_t(i);
        division->regions.push_back(std::move(region));
        state->region_marks << (letters ? region_letter(i) : QString::number(i + 1));
    }
    state->flow = std::move(division);
    return state;
}

void PredictionView::showMine() {
    mine_->setChecked(true);
    if (predicting_) emit shown(stateOf(marked_, false));
}

void PredictionView::showTheirs() {
    if (!predicting_ || !result_) return;
    theirs_->setChecked(true);
    emit shown(stateOf(result_->regions, true));
}

}  // namespace partita
