#include "app/gui/diff/diff_page.h"

#include <algorithm>

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "app/gui/document/open_document.h"
#include "app/gui/style/elided_combo_box.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/telling_names.h"

namespace partita {

namespace {

constexpr size_t kMostEntries = 1000;  // each is an object of its own in the list

QIcon mark_icon(DiffMark mark, const Theme& theme) {
    QPixmap picture(32, 32);
    picture.setDevicePixelRatio(2);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor colour = diff_colour(mark, theme);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawEllipse(QRectF(0.5, 0.5, 15, 15));
    QFont font = painter.font();
    font.setPixelSize(12);
    font.setBold(true);
    painter.setFont(font);
    painter.setPen(readable_on(colour));
    painter.drawText(QRectF(0, 0, 16, 16), Qt::AlignCenter, diff_sign(mark));
    return picture;
}

/// Counts that are none are left out: there is room for what is.
QString summary_of(const ModuleDiff& diff) {
    if (diff.identical()) return DiffPage::tr("No difference");
    QStringList parts;
    const auto add = [&parts](const QString& text, size_t count) {
        if (count > 0) parts << text.arg(count);
    };
    add(DiffPage::tr("%1 added"), diff.added.size());
    add(DiffPage::tr("%1 removed"), diff.removed.size());
    add(DiffPage::tr("%1 changed"), diff.changed.size());
    add(DiffPage::tr("%1 of another type"), diff.affected.size());
    if (const int functions = int(diff.functions_added.size()))
        parts << DiffPage::tr("%n function(s) added", nullptr, functions);
    if (const int functions = int(diff.functions_removed.size()))
        parts << DiffPage::tr("%n function(s) removed", nullptr, functions);
    add(DiffPage::tr("%1 the same"), diff.same);
    return parts.join(QStringLiteral(", "));
}

QString word_of(DiffMark mark) {
    switch (mark) {
        case DiffMark::Added: return DiffPage::tr("added");
        case DiffMark::Removed: return DiffPage::tr("removed");
        case DiffMark::Changed: return DiffPage::tr("changed");
        default: return DiffPage::tr("another type");
    }
}

}  // namespace

DiffPage::DiffPage(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)), list_(new QListWidget),
      summary_(make_plain_label()), as_text_(new QToolButton) {
    sides_[0] = new DiffSide(document_.jobs(), tr("before"));
    sides_[1] = new DiffSide(document_.jobs(), tr("after"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildTop());
    auto* split = new QSplitter;
    split->setChildrenCollapsible(false);
    for (DiffSide* side : sides_) split->addWidget(side);
    split->addWidget(buildDifferences());
    split->setStretchFactor(0, 5);
    split->setStretchFactor(1, 5);
    split->setStretchFactor(2, 2);
    split->setSizes({450, 450, 210});
    column->addWidget(split, 1);

    for (int i = 0; i < 2; ++i) {
        connect(sides_[i], &DiffSide::looked, this, [this, i] { follow(i, false); });
        connect(sides_[i], &DiffSide::laidOut, this, &DiffPage::lookAtBoth);
        connect(sides_[i], &DiffSide::scrolled, this, [this, i] { follow(i, true); });
        connect(sides_[i], &DiffSide::expressionClicked, this,
                [this, i](ExprId expr) { sides_[1 - i]->reveal(counterpart(i, expr)); });
    }
    connect(list_, &QListWidget::currentRowChanged, this, &DiffPage::showEntry);
    connect(list_, &QListWidget::activated, this, [this](const QModelIndex& index) {
        setOpen(index.row(), size_t(index.row()) < rows_.size() && !open_.count(rows_[size_t(index.row())]));
    });
    list_->installEventFilter(this);
    connect(&document_, &Document::flowChanged, this, &DiffPage::refresh);
    connect(&document_, &Document::edited, this, &DiffPage::refresh);
    const bool divided = document_.partitioned() != nullptr;
    const QSignalBlocker left(sources_[0]), right(sources_[1]);
    sources_[0]->setCurrentIndex(document_.isEdited() ? Opened : Input);
    sources_[1]->setCurrentIndex(document_.isEdited() ? Input
                                 : divided            ? Partitioned
                                 : document_.flow()   ? Merged
                                                      : Input);
    for (int side = 0; side < 2; ++side) chosen_[side] = sources_[side]->currentIndex();
    refresh();
}

DiffPage::~DiffPage() {
    if (job_) document_.jobs().cancel(job_);
    for (DiffSide* side : sides_) side->disconnect(this);
    JobRunner& jobs = document_.jobs();
    jobs.release(std::make_shared<Compared>(std::move(result_)));
    for (int side = 0; side < 2; ++side) {
        sides_[side]->show(nullptr, {}, {}, {});  // lets go of the module before it is given away
        jobs.release(std::exchange(files_[side], nullptr));
        jobs.release(std::exchange(compared_[side], nullptr));
    }
}

QWidget* DiffPage::buildTop() {
    auto* top = new QWidget;
    auto* row = new QHBoxLayout(top);
    row->setContentsMargins(8, 5, 8, 5);
    row->setSpacing(8);
    for (int i = 0; i < 2; ++i) {
        sources_[i] = new ElidedComboBox(ElidedComboBox::Texts::Names);
        sources_[i]->addItems({tr("As it was opened"), tr("The module now"), tr("After composite"),
                               tr("After annotate"), tr("After merge"), tr("After partition"), tr("A file…")});
        // They give way before the window has to grow.
        sources_[i]->setMinimumContentsLength(10);
        sources_[i]->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        sources_[i]->setAccessibleName(i == 0 ? tr("Compare what") : tr("Compare with what"));
        connect(sources_[i], &QComboBox::activated, this, [this, i](int index) { chooseSource(i, index); });
        if (i == 1) row->addWidget(new QLabel(QStringLiteral("→")));
        row->addWidget(sources_[i], 1);
    }
    return top;
}

/// How they are shown, and from one difference to the next.
QLayout* DiffPage::buildTools() {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(4, 0, 4, 0);
    as_text_->setText(tr("As text"));
    as_text_->setCheckable(true);
    as_text_->setObjectName(QStringLiteral("diff-as-text"));
    as_text_->setToolTip(tr("Relay text instead of the graph"));
    connect(as_text_, &QToolButton::toggled, this, &DiffPage::showText);
    row->addWidget(as_text_);
    row->addStretch(1);
    for (const int by : {-1, 1}) {
        auto* step = new QToolButton;
        step->setText(by < 0 ? QStringLiteral("▲") : QStringLiteral("▼"));
        step->setToolTip(by < 0 ? tr("The difference before") : tr("The next difference"));
        step->setAccessibleName(step->toolTip());
        connect(step, &QToolButton::clicked, this, [this, by] { goToChange(by); });
        row->addWidget(step);
    }
    return row;
}

/// How many differences there are, and each: beside the graphs, where a long sentence wraps instead of being cut.
QWidget* DiffPage::buildDifferences() {
    auto* differences = new QWidget;
    auto* column = new QVBoxLayout(differences);
    column->setContentsMargins(0, 3, 0, 0);
    column->setSpacing(4);
    column->addLayout(buildTools());
    summary_->setAccessibleName(tr("Summary"));
    summary_->setWordWrap(true);
    summary_->setContentsMargins(8, 5, 8, 2);
    column->addWidget(summary_);
    list_->setAccessibleName(tr("Differences"));
    list_->setObjectName(QStringLiteral("differences"));
    list_->setWordWrap(true);
    list_->setIconSize(QSize(16, 16));
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setTextElideMode(Qt::ElideMiddle);
    list_->setItemDelegate(new NameDelegate(*list_));
    list_->setSpacing(1);
    column->addWidget(list_, 1);
    return differences;
}

void DiffPage::setTheme(const Theme& theme) {
    const bool other_type = theme.type_size != theme_.type_size;
    theme_ = theme;
    for (DiffSide* side : sides_) side->setTheme(theme);
    // Each would grow, and the other follow it. When the panels have their new sizes, one is fitted and the other
    // follows.
    if (other_type) QTimer::singleShot(0, this, [this] { sides_[0]->graph().fit(); });
    fillList();
}

ModulePtr DiffPage::moduleOf(int side) const {
    const FlowPtr flow = document_.flow();
    switch (sources_[side]->currentIndex()) {
        case Opened: return document_.openedModule();
        case Input: return document_.shownModule();
        case Composite: return flow ? flow->stage("composite") : nullptr;
        case Annotated: return flow ? flow->stage("annotated") : nullptr;
        case Merged: return flow ? flow->stage("merged") : nullptr;
        case Partitioned: return document_.partitioned();
        default: return files_[side];
    }
}

/// A merge is refused when regions are merged: in what was made before, all still lie apart.
RefusedMergesPtr DiffPage::refusedIn(const ModulePtr& module) const {
    const FlowPtr flow = document_.flow();
    const bool merged = flow && module && (module == flow->stage("merged") || module == document_.partitioned());
    return merged && module != flow->stage("annotated") ? document_.refusedMerges() : nullptr;
}

void DiffPage::chooseSource(int side, int index) {
    if (index != File) {
        chosen_[side] = index;
        return refresh();
    }
    const QString path = QFileDialog::getOpenFileName(this, tr("A module to compare with"),
                                                      QFileInfo(document_.path()).path(), filter_of_modules());
    sources_[side]->setCurrentIndex(chosen_[side]);  // until the file is read; for good where none is
    if (!path.isEmpty()) openFile(DiffSideName(side), path);
}

void DiffPage::openFile(DiffSideName name, const QString& path) {
    const int side = int(name);
    document_.jobs().start<Result<ModulePtr>>(
        tr("Opening %1").arg(QFileInfo(path).fileName()), this,
        [path](const JobContext& context) { return read_to_compare(path, context.cancel); },
        [this, side, path](Result<ModulePtr> opened) {
            if (!opened)
                return summary_->setText(QStringLiteral("⚠ %1").arg(shown_message(opened.error().to_string())));
            files_[side] = *opened;
            sources_[side]->setItemText(File, shown_name(QFileInfo(path).fileName()));
            sources_[side]->setCurrentIndex(chosen_[side] = File);
            refresh();
        });
}

void DiffPage::refresh() {
    if (job_) document_.jobs().cancel(job_);
    job_ = 0;
    const ModulePtr before = moduleOf(0), after = moduleOf(1);
    if (!before || !after) {
        summary_->setText(tr("%1 was not made yet").arg(sources_[before ? 1 : 0]->currentText()));
        for (DiffSide* side : sides_) side->show(nullptr, {}, {}, {});
        compared_[0] = compared_[1] = nullptr;
        open_.clear();
        result_ = {};
        return fillList();
    }
    if (before == compared_[0] && after == compared_[1]) return;
    const FlowPtr flow = document_.flow();
    QStringList backends;  // in the colours that they have on the canvas
    for (const BackendPtr& backend : document_.choice().backends) backends << shown_name(backend->name);
    job_ = document_.jobs().start<Compared>(
        tr("Comparing"), this,
        [before, after, first = flow ? flow->input : nullptr, backends](const JobContext&) {
            const auto named = [&first](const ModulePtr& module) { return DiffedModule(*module, first.get()); };
            Compared compared;
            compared.diff = diff_modules(*before, *after);
            compared.marks[0] = diff_marks(compared.diff, *before, *after, DiffSideName::Before);
            compared.marks[1] = diff_marks(compared.diff, *before, *after, DiffSideName::After);
            compared.entries = diff_entries(compared.diff, named(before), named(after), kMostEntries);
            compared.functions = {DiffSide::functionsOf(*before), DiffSide::functionsOf(*after)};
            compared.places = {module_places(*before), module_places(*after)};
            compared.backends = backends;
            for (const ModulePlaces& places : compared.places)
                for (const std::string& name : places.backends)
                    if (!compared.backends.contains(shown_name(name))) compared.backends << shown_name(name);
            compared.summary = summary_of(compared.diff);
            return compared;
        },
        [this, before, after](Compared compared) { acceptCompared(before, after, std::move(compared)); });
}

void DiffPage::acceptCompared(const ModulePtr& before, const ModulePtr& after, Compared compared) {
    job_ = 0;
    open_.clear();
    result_ = std::move(compared);
    compared_[0] = before;
    compared_[1] = after;
    summary_->setText(result_.summary);
    summary_->setToolTip(result_.summary);
    for (int i = 0; i < 2; ++i)
        sides_[i]->show(compared_[i], result_.marks[size_t(i)], result_.functions[size_t(i)], result_.places[size_t(i)],
                        result_.backends, refusedIn(compared_[i]));
    fillList();
}

void DiffPage::fillList() {
    const QSignalBlocker block(list_);
    list_->clear();
    rows_.clear();
    icons_.clear();
    for (const DiffEntry& entry : result_.entries) {
        if (entry.alike.empty()) {
            addItem(entry, entry.text);
            continue;
        }
        const bool open = open_.count(&entry) > 0;
        addItem(entry, (open ? QStringLiteral("▾ %1") : QStringLiteral("▸ %1")).arg(entry.text));
        for (size_t i = 0; open && i < entry.alike.size(); ++i)
            addItem(entry.alike[i], QStringLiteral("      %1").arg(entry.alike[i].text));
    }
    if (const size_t more = count_of_entries(result_.diff) - count_of_entries(result_.entries))
        list_->addItem(tr("… and %1 more").arg(more));
}

void DiffPage::addItem(const DiffEntry& entry, const QString& text) {
    if (!icons_.contains(int(entry.mark))) icons_.insert(int(entry.mark), mark_icon(entry.mark, theme_));
    auto* item = new QListWidgetItem(icons_.value(int(entry.mark)), text);
    QString tip = QStringLiteral("%1: %2").arg(word_of(entry.mark), entry.text);
    item->setData(Qt::AccessibleTextRole, tip);
    if (!entry.alike.empty())
        tip += QLatin1Char('\n') + tr("Double-click or Enter: each of the %1").arg(entry.alike.size());
    item->setToolTip(tip);
    list_->addItem(item);
    rows_.push_back(&entry);
}

/// Of a row that stands for several.
void DiffPage::setOpen(int row, bool open) {
    if (row < 0 || size_t(row) >= rows_.size()) return;
    const DiffEntry* entry = rows_[size_t(row)];
    if (entry->alike.empty() || (open_.count(entry) > 0) == open) return;
    if (open) open_.insert(entry);
    else open_.erase(entry);
    fillList();
    list_->setCurrentRow(row);
}

/// The keys of a tree open and close.
bool DiffPage::eventFilter(QObject* watched, QEvent* event) {
    if (watched != list_ || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool open = key->key() == Qt::Key_Right;
    if ((!open && key->key() != Qt::Key_Left) || key->modifiers() != Qt::NoModifier) return false;
    const std::vector<DiffEntry>& entries = result_.entries;
    const auto below_another = [&](int row) {
        return row > 0 && size_t(row) < rows_.size() &&
               (rows_[size_t(row)] < entries.data() || rows_[size_t(row)] >= entries.data() + entries.size());
    };
    int row = list_->currentRow();
    while (!open && below_another(row)) --row;
    setOpen(row, open);
    return true;
}

void DiffPage::showEntry(int row) {
    if (row < 0 || size_t(row) >= rows_.size()) return;
    const DiffEntry& entry = *rows_[size_t(row)];
    following_ = true;  // each side shows its own; afterwards they go together again
    if (entry.before.valid()) sides_[0]->reveal(entry.before);
    if (entry.after.valid()) sides_[1]->reveal(entry.after);
    following_ = false;
    follow(entry.before.valid() ? 0 : 1, as_text_->isChecked());
}

void DiffPage::goToChange(int by) {
    const int count = list_->count();
    if (count == 0) return;
    const int now = list_->currentRow() < 0 && by < 0 ? 0 : list_->currentRow();  // before the first comes the last
    list_->setCurrentRow((now + by + count) % count);
}

void DiffPage::showText(bool text) {
    as_text_->setChecked(text);
    for (DiffSide* side : sides_) side->showText(text);
}

ExprId DiffPage::counterpart(int side, ExprId expr) const {
    const std::vector<ExprId>& other = side == 0 ? result_.diff.after_of : result_.diff.before_of;
    return expr.valid() && expr.value < other.size() ? other[expr.value] : ExprId();
}

/// Whichever side was laid out first: small graphs whole, others from their beginning, at the size at which both fit.
void DiffPage::lookAtBoth() {
    constexpr double kSmallestWhole = 0.35;
    if (!sides_[0]->graph().hasGraph() || !sides_[1]->graph().hasGraph()) return;
    following_ = true;
    double zoom[2];
    for (int side = 0; side < 2; ++side) {
        sides_[side]->graph().fit();
        zoom[side] = sides_[side]->graph().zoom();
    }
    const int leader = zoom[1] < zoom[0] ? 1 : 0;
    if (zoom[leader] < kSmallestWhole) {
        const double wide = std::min(sides_[0]->graph().firstZoom(), sides_[1]->graph().firstZoom());
        for (DiffSide* side : sides_) side->graph().lookAtBeginning(wide);
        following_ = false;
        return;
    }
    following_ = false;
    follow(leader, as_text_->isChecked());
}

/// The other side shows what this side shows: the same operators at the same height and size.
void DiffPage::follow(int side, bool text) {
    if (following_ || text != as_text_->isChecked()) return;
    following_ = true;
    DiffSide &leader = *sides_[side], &other = *sides_[1 - side];
    if (text) {
        if (const ExprId there = counterpart(side, leader.topExpression()); there.valid()) other.scrollTo(there);
    } else if (const auto [expr, place] =
                   leader.middle([&](ExprId here) { return other.shows(counterpart(side, here)); });
               expr.valid()) {
        other.placeAt(counterpart(side, expr), place, leader.graph().zoom());
    }
    following_ = false;
}

}  // namespace partita
