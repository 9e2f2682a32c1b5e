#include "app/gui/panels/lessons/editor/claim_editor.h"

#include <algorithm>
#include <map>
#include <utility>

#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

#include "app/gui/panels/lessons/lesson_page.h"
#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

constexpr double kLargestNumber = 1e15;  ///< as the reader has it
constexpr double kUsualTimes = 1.1;

/// The two are of a claim about the same division. One about times is of two.
bool is_about(const LessonClaim& claim, const LessonSetting& setting) {
    return claim.with == setting && claim.times == 0;
}

bool says_nothing(const LessonClaim& claim) {
    return claim.regions < 0 && claim.moved_bytes < 0 && claim.backend_of.empty() && claim.together.empty() &&
           claim.apart.empty() && claim.times == 0;
}

void add_once(std::vector<std::vector<uint32_t>>& lists, std::vector<uint32_t> calls) {
    if (std::find(lists.begin(), lists.end(), calls) == lists.end()) lists.push_back(std::move(calls));
}

/// Claims which of some calls are in one region, and which are not.
void claim_regions_of(const std::vector<uint32_t>& calls, const LessonGraph& graph, LessonClaim& claim) {
    std::map<int, std::vector<uint32_t>> by_region;
    std::vector<uint32_t> firsts;
    for (uint32_t call : calls) {
        const int region = graph.region_of(call);
        std::vector<uint32_t>& others = by_region[region];
        if (others.empty() || region < 0) firsts.push_back(call);
        others.push_back(call);
    }
    for (const auto& [region, members] : by_region)
        if (region >= 0 && members.size() > 1) add_once(claim.together, members);
    // A list of what is apart compares the first of it with each other.
    for (size_t i = 0; i + 1 < firsts.size(); ++i) add_once(claim.apart, {firsts.begin() + ptrdiff_t(i), firsts.end()});
}

}  // namespace

ClaimEditor::ClaimEditor(LessonDraft& draft, Document& document, QWidget* parent)
    : QWidget(parent), draft_(draft), document_(document), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(8, 8, 8, 8);
    auto* words = new QLabel(
        tr("What the text says of the graph. Divide it in the window as the text has it, and press what is so: it is "
           "checked whenever the lesson is."));
    words->setWordWrap(true);
    column_->addWidget(words);
    buildButtons(*column_);
    column_->addStretch(1);
    for (auto signal : {&Document::selectionChanged, &Document::flowChanged})
        connect(&document_, signal, this, &ClaimEditor::refresh);
    connect(&draft_, &LessonDraft::wasChecked, this, &ClaimEditor::refresh);
}

void ClaimEditor::buildButtons(QVBoxLayout& column) {
    addButton(column, "claim-regions", tr("Number of regions"), {}, &ClaimEditor::claimRegions, false);
    addButton(column, "claim-bytes", tr("Bytes across boundaries"), {}, &ClaimEditor::claimBytes, false);
    addButton(column, "claim-together", tr("Regions of the selection"),
              tr("Which of the selected operators are in one region, and which are not"), &ClaimEditor::claimTogether,
              true);
    addButton(column, "claim-backends", tr("Backends of the selection"), {}, &ClaimEditor::claimBackends, true);
    addButton(column, "claim-times", tr("Faster than…"),
              tr("The graph as it is divided now, measured beside another division"), &ClaimEditor::claimTimes, false);
}

void ClaimEditor::addButton(QVBoxLayout& column, const char* name, const QString& text, const QString& tip,
                            void (ClaimEditor::*claim)(), bool of_selection) {
    auto* button = new QPushButton(text);
    button->setObjectName(QLatin1String(name));
    button->setProperty("tip", tip);
    column.addWidget(button, 0, Qt::AlignLeft);
    buttons_.emplace_back(button, of_selection);
    connect(button, &QPushButton::clicked, this, claim);
}

const std::vector<LessonClaim>& ClaimEditor::claims() const {
    static const std::vector<LessonClaim> none;
    const std::vector<LessonPage>& pages = draft_.lesson().pages;
    return page_ >= 0 && page_ < int(pages.size()) ? pages[size_t(page_)].claims : none;
}

void ClaimEditor::edit(const std::function<void(std::vector<LessonClaim>&)>& change) {
    if (page_ < 0 || page_ >= int(draft_.lesson().pages.size())) return;
    draft_.edit([&](Lesson& lesson) {
        std::vector<LessonClaim>& claims = lesson.pages[size_t(page_)].claims;
        change(claims);
        std::erase_if(claims, says_nothing);
    });
}

void ClaimEditor::add(const std::function<void(LessonClaim&, const LessonGraph&)>& change) {
    if (!draft_.isGraphShown()) return;
    const LessonSetting now = setting_of(draft_.lesson(), document_.choice(), document_.names());
    const Result<std::shared_ptr<const LessonGraph>> graph = draft_.checked().graph->with(now);
    if (!graph) return document_.report(graph.error());
    edit([&](std::vector<LessonClaim>& claims) {
        auto claim = std::find_if(claims.begin(), claims.end(), [&](const LessonClaim& c) { return is_about(c, now); });
        if (claim == claims.end()) {
            claim = claims.insert(claim, LessonClaim());
            claim->with = now;
        }
        change(*claim, **graph);
    });
    stale_ = true;  // a number that stands there may be another
    refresh();
}

void ClaimEditor::claimRegions() {
    add([](LessonClaim& claim, const LessonGraph& graph) { claim.regions = int(graph.flow().regions.size()); });
}

void ClaimEditor::claimBytes() {
    add([](LessonClaim& claim, const LessonGraph& graph) { claim.moved_bytes = graph.moved_bytes(); });
}

void ClaimEditor::claimTogether() {
    add([this](LessonClaim& claim, const LessonGraph& graph) {
        claim_regions_of(draft_.selectedCalls(), graph, claim);
    });
}

void ClaimEditor::claimBackends() {
    add([this](LessonClaim& claim, const LessonGraph& graph) {
        for (uint32_t call : draft_.selectedCalls()) claim.backend_of[call] = graph.backend_of(call);
    });
}

void ClaimEditor::claimTimes() {
    if (!draft_.isGraphShown()) return;
    edit([this](std::vector<LessonClaim>& claims) {
        LessonClaim claim;
        claim.with = setting_of(draft_.lesson(), document_.choice(), document_.names());
        claim.times = kUsualTimes;
        claims.push_back(std::move(claim));
    });
    refresh();
}

/// The window shows the division that is slower.
void ClaimEditor::recordOther(size_t claim) {
    if (!draft_.isGraphShown()) return;
    edit([this, claim](std::vector<LessonClaim>& claims) {
        if (claim < claims.size())
            claims[claim].than = setting_of(draft_.lesson(), document_.choice(), document_.names());
    });
    refresh();
}

QString ClaimEditor::stateText(const LessonSetting& setting) const {
    if (setting.empty() || !draft_.checked().graph) return tr("divided by the rules");
    return shown_setting(setting, *draft_.checked().graph);
}

std::vector<ClaimEditor::Row> ClaimEditor::rowsNow() const {
    std::vector<Row> rows;
    const LessonGraph* graph = draft_.checked().graph.get();
    for (size_t i = 0; i < claims().size(); ++i) {
        const LessonClaim& claim = claims()[i];
        const QString state = stateText(claim.with);
        const auto row = [&](const QString& text, std::function<void(LessonClaim&)> remove) -> Row& {
            rows.push_back({QStringLiteral("%1: %2").arg(state, text), i, std::move(remove)});
            return rows.back();
        };
        if (claim.regions >= 0)
            row(tr("number of regions"), [](LessonClaim& c) { c.regions = -1; }).whole = &LessonClaim::regions;
        if (claim.moved_bytes >= 0)
            row(tr("bytes across boundaries"), [](LessonClaim& c) { c.moved_bytes = -1; }).number =
                &LessonClaim::moved_bytes;
        QStringList backends;
        for (const auto& [call, backend] : claim.backend_of)
            backends << QStringLiteral("%1 → %2").arg(call_names({call}, graph), shown_name(backend));
        if (!backends.isEmpty()) row(backends.join(QStringLiteral(", ")), [](LessonClaim& c) { c.backend_of.clear(); });
        for (size_t k = 0; k < claim.together.size(); ++k)
            row(tr("%1 are in one region").arg(call_names(claim.together[k], graph)),
                [k](LessonClaim& c) { c.together.erase(c.together.begin() + ptrdiff_t(k)); });
        for (size_t k = 0; k < claim.apart.size(); ++k)
            row(tr("%1 are in different regions").arg(call_names(claim.apart[k], graph)),
                [k](LessonClaim& c) { c.apart.erase(c.apart.begin() + ptrdiff_t(k)); });
        if (claim.times > 0) {
            Row& measured =
                row(tr("so many times as fast as %1").arg(stateText(claim.than)), [](LessonClaim& c) { c.times = 0; });
            measured.number = &LessonClaim::times;
            measured.measured = true;
        }
    }
    return rows;
}

void ClaimEditor::showPage(int page) {
    page_ = page;
    stale_ = true;
    fill();
}

void ClaimEditor::refresh() {
    const bool shown = draft_.isGraphShown(), any = !draft_.selectedCalls().empty();
    for (const auto& [button, of_selection] : buttons_) {
        const QString obstacle = !shown                 ? tr("Another graph is open than the lesson's")
                                 : of_selection && !any ? tr("Select operators on the graph first")
                                                        : QString();
        button->setEnabled(obstacle.isEmpty());
        button->setToolTip(obstacle.isEmpty() ? button->property("tip").toString() : obstacle);
    }
    fill();
}

void ClaimEditor::fill() {
    std::vector<Row> rows = rowsNow();
    if (!std::exchange(stale_, false) && rows == shown_) return;  // whoever types goes on
    shown_ = std::move(rows);
    if (rows_) rows_->deleteLater();
    rows_ = new QWidget;
    auto* column = new QVBoxLayout(rows_);
    column->setContentsMargins(0, 0, 0, 0);
    for (const Row& row : shown_) column->addWidget(makeRow(row));
    column_->insertWidget(column_->count() - 1, rows_);
}

QWidget* ClaimEditor::makeRow(const Row& row) {
    auto* widget = new QWidget;
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(3);
    QLabel* words = make_plain_label(row.text);
    words->setWordWrap(true);
    words->setObjectName(QStringLiteral("claim-text"));
    column->addWidget(words);
    auto* tools = new QHBoxLayout;
    if (row.number || row.whole) tools->addWidget(makeNumber(row));
    if (row.measured) {
        auto* other = new QPushButton(tr("Than now"));
        other->setObjectName(QStringLiteral("claim-other"));
        other->setToolTip(tr("What the window shows now is the slower one"));
        connect(other, &QPushButton::clicked, this, [this, claim = row.claim] { recordOther(claim); });
        tools->addWidget(other);
        auto* measure = new QPushButton(tr("Measure"));
        measure->setObjectName(QStringLiteral("claim-measure"));
        measure->setToolTip(tr("Run both, some seconds long"));
        connect(measure, &QPushButton::clicked, &draft_, &LessonDraft::measure);
        tools->addWidget(measure);
    }
    auto* remove = new QPushButton(tr("Remove"));
    remove->setObjectName(QStringLiteral("claim-remove"));
    remove->setAccessibleDescription(row.text);
    connect(remove, &QPushButton::clicked, this, [this, row] {
        edit([&row](std::vector<LessonClaim>& claims) {
            if (row.claim < claims.size()) row.remove(claims[row.claim]);
        });
        refresh();
    });
    tools->addWidget(remove);
    tools->addStretch(1);
    column->addLayout(tools);
    return widget;
}

QWidget* ClaimEditor::makeNumber(const Row& row) {
    const LessonClaim& claim = claims()[row.claim];
    auto* number = new QDoubleSpinBox;
    number->setObjectName(QStringLiteral("claim-number"));
    number->setAccessibleName(row.text);
    number->setDecimals(row.measured ? 2 : 0);
    number->setRange(row.measured ? 0.01 : 0, row.whole ? 1e6 : kLargestNumber);
    number->setSingleStep(row.measured ? 0.1 : 1);
    number->setValue(row.whole ? claim.*row.whole : claim.*row.number);
    connect(number, &QDoubleSpinBox::valueChanged, this, [this, row](double value) {
        edit([&](std::vector<LessonClaim>& claims) {
            if (row.claim >= claims.size()) return;
            if (row.whole) claims[row.claim].*row.whole = int(value);
            else claims[row.claim].*row.number = value;
        });
    });
    return number;
}

}  // namespace partita
