// Of the rules panel: the list of rules, with what each decides and where play stops.
#include "app/gui/panels/rules/rules_panel.h"

#include <algorithm>

#include <QHeaderView>
#include <QMouseEvent>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTreeWidget>

#include "app/gui/panels/rules/description_edit.h"
#include "app/gui/panels/rules/description_texts.h"
#include "app/gui/style/fitted_columns.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/explain/explain.h"

namespace partita {

namespace {

constexpr int kRowHeight = 22;
constexpr int kRuleRole = Qt::UserRole, kLineRole = Qt::UserRole + 1;

/// Shows the check of a rule as the margin of the text does: a dot, filled where play stops.
class BreakpointDelegate : public QStyledItemDelegate {
public:
    BreakpointDelegate(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->features &= ~QStyleOptionViewItem::HasCheckIndicator;
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = QSize(kDot, kDot);
        option->icon = dot(option->checkState == Qt::Checked, option->widget ? option->widget->devicePixelRatioF() : 1);
    }
    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override {
        bool toggles = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Space;
        if (event->type() == QEvent::MouseButtonRelease) {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            toggles = mouse->button() == Qt::LeftButton && mouse->pos().x() < option.rect.left() + kDot + 12;
        }
        if (!toggles) return false;
        const bool on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        return model->setData(index, on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    }

private:
    static constexpr int kDot = 11;

    QIcon dot(bool on, qreal ratio) const {
        QPixmap picture(QSize(kDot, kDot) * ratio);
        picture.setDevicePixelRatio(ratio);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(on ? QPen(Qt::NoPen) : QPen(theme_.muted_text, 1.2));
        painter.setBrush(on ? QBrush(theme_.error) : QBrush(Qt::NoBrush));
        painter.drawEllipse(QRectF(1.5, 1.5, kDot - 3, kDot - 3));
        return QIcon(picture);
    }

    const Theme& theme_;  ///< the panel's
};

}  // namespace

QWidget* RulesPanel::buildRules() {
    rules_ = new QTreeWidget;
    rules_->setAccessibleName(tr("Rules"));
    rules_->setRootIsDecorated(false);
    rules_->setIndentation(0);
    rules_->setUniformRowHeights(true);
    rules_->setStyleSheet(
        QStringLiteral("QTreeView::item { padding: 0; }"));  // with padding the style draws icons twice
    rules_->setItemDelegateForColumn(0, new BreakpointDelegate(theme_, rules_));
    rules_->setHeaderLabels({tr("Rule"), tr("takes"), tr("refuses")});
    rules_->headerItem()->setToolTip(0, tr("A click on the dot: play stops at each operator that the rule looks at"));
    rules_->header()->setStretchLastSection(false);
    rules_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    for (int i : {1, 2}) {
        rules_->header()->setSectionResizeMode(i, QHeaderView::Fixed);
        rules_->headerItem()->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
    }
    const auto go = [this](QTreeWidgetItem* item) { edit_->goTo({uint32_t(item->data(0, kLineRole).toInt()), 1}); };
    connect(rules_, &QTreeWidget::itemActivated, this, go);
    connect(rules_, &QTreeWidget::itemDoubleClicked, this, go);
    rules_->setMouseTracking(true);  // so that it is told which item the pointer is on
    connect(rules_, &QTreeWidget::itemEntered, this, &RulesPanel::tellAbsence);
    // One click shows the line; the keys stay with the list.
    connect(rules_, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item && !setting_ && rules_->hasFocus()) edit_->look({uint32_t(item->data(0, kLineRole).toInt()), 1});
    });
    connect(rules_, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item, int) {
        if (setting_ || !shown_.description) return;
        breakpoints_.set(QString::fromStdString(shown_.description->name), item->data(0, kRuleRole).toString(),
                         item->checkState(0) == Qt::Checked);
    });
    return rules_;
}

/// The rules with what they took and refused in the flow at hand.
void RulesPanel::fillRules() {
    const RuleCountsPtr counts = document_.ruleCounts();
    const auto asks_one = [this](const auto& entry) {
        return entry.first.first == shown_.index || entry.first.first == kAnyBackend;
    };
    const bool any = counts && shown_.description && std::any_of(counts->begin(), counts->end(), asks_one);
    setting_ = true;
    rules_->clear();
    for (const RulePlace& place : shown_.places) {
        const QString rule = QString::fromStdString(place.rule);
        auto* item = new QTreeWidgetItem({shown_name(rule.startsWith(QLatin1String("ops.")) ? rule.mid(4) : rule)});
        item->setData(0, kRuleRole, rule);
        item->setSizeHint(0, QSize(0, kRowHeight));
        item->setData(0, kLineRole, int(place.position.line));
        item->setFlags(item->flags() | Qt::ItemIsUserCheckable);
        item->setCheckState(0, Qt::Unchecked);
        item->setSizeHint(0, QSize(0, rules_->fontMetrics().height() + 8));
        item->setToolTip(0, tr("%1, line %2").arg(shown_name(rule), QString::number(place.position.line)));
        const auto found =
            any ? counts->find({rule.startsWith(QLatin1String("ops.")) ? shown_.index : kAnyBackend, place.rule})
                : RuleCounts::const_iterator();
        if (any && found != counts->end()) {
            const RuleCount& count = found->second;
            item->setText(1, count.takes == count.accepted ? QString::number(count.takes)
                                                           : tr("%1 of %2").arg(count.takes).arg(count.accepted));
            if (count.takes != count.accepted)
                item->setToolTip(1, tr("%1 accepted; a limit or a choice by hand left %2 of them")
                                        .arg(count.accepted)
                                        .arg(count.takes));
            item->setText(2, QString::number(found->second.refuses));
            if (found->second.refuses) item->setForeground(2, theme_.refused);
        } else if (any) {
            item->setForeground(0, theme_.muted_text);
            item->setToolTip(0, item->toolTip(0) + QLatin1Char('\n') + tr("Nothing in this graph asks it"));
        }
        for (int i : {1, 2}) item->setTextAlignment(i, Qt::AlignRight | Qt::AlignVCenter);
        rules_->addTopLevelItem(item);
    }
    for (int i : {1, 2}) {
        rules_->resizeColumnToContents(i);
        rules_->setColumnWidth(i, std::max(rules_->columnWidth(i), header_width(*rules_, i)));
    }
    setting_ = false;
    edit_->setRuleLines(shown_.places);
    showBreakpoints();
    showCounts();
}

/// Why a pattern matches nowhere, where it could begin nowhere: looked for when somebody asks.
void RulesPanel::tellAbsence(QTreeWidgetItem* item) {
    constexpr size_t kLookedAt = 100000;  // of more expressions it would take longer than a frame
    const FlowPtr flow = document_.flow();
    if (!flow || !shown_.description || flow->annotated_before || flow->input->size() > kLookedAt ||
        !item->text(1).isEmpty())
        return;
    const std::string rule = item->data(0, kRuleRole).toString().toStdString();
    const auto pattern = std::find_if(shown_.description->patterns.begin(), shown_.description->patterns.end(),
                                      [&](const CompositePattern& each) { return each.name == rule; });
    if (pattern == shown_.description->patterns.end()) return;
    const Sentence why = FlowExplainer(*flow, std::span(shown_.description.get(), 1)).explain_absence(*pattern);
    const QString place =
        tr("%1, line %2")
            .arg(shown_name(item->data(0, kRuleRole).toString()), QString::number(item->data(0, kLineRole).toInt()));
    if (!why.empty()) item->setToolTip(0, place + QLatin1Char('\n') + shown_name(partita::say(why)));
}

void RulesPanel::showBreakpoints() {
    std::map<int, QString> lines, python_lines;
    const QString backend = shown_.description ? QString::fromStdString(shown_.description->name) : QString();
    setting_ = true;
    for (int i = 0; i < rules_->topLevelItemCount(); ++i) {
        QTreeWidgetItem* item = rules_->topLevelItem(i);
        const BreakpointCondition* on = breakpoints_.find(backend, item->data(0, kRuleRole).toString());
        item->setCheckState(0, on ? Qt::Checked : Qt::Unchecked);
        if (on) lines.emplace(item->data(0, kLineRole).toInt(), on->text());
    }
    setting_ = false;
    if (!edit_->isPython()) edit_->setBreakpointLines(std::move(lines));
    for (const auto& [line, condition] : breakpoints_.conditionsOf(backend))
        python_lines.emplace(line, condition.text());
    if (texts_->lines().isPython()) texts_->lines().setBreakpointLines(std::move(python_lines));
}

void RulesPanel::showRule(int backend, const QString& rule) {
    if (backend < 0 || size_t(backend) >= document_.choice().backends.size()) return;
    chosen_ = true;
    show(backend);
    for (int i = 0; i < rules_->topLevelItemCount(); ++i)
        if (rules_->topLevelItem(i)->data(0, kRuleRole).toString() == rule)
            rules_->setCurrentItem(rules_->topLevelItem(i));
    for (const RulePlace& place : shown_.places)
        if (place.rule == rule.toStdString()) return edit_->goTo(place.position);
}

}  // namespace partita
