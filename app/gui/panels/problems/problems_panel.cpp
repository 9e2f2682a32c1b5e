#include "app/gui/panels/problems/problems_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QStackedLayout>
#include <QTreeView>

#include "app/gui/style/foreign_text.h"

namespace partita {

namespace {

QString severity_text(Severity severity) {
    switch (severity) {
        case Severity::Error: return ProblemsModel::tr("Error");
        case Severity::Warning: return ProblemsModel::tr("Warning");
        case Severity::Note: return ProblemsModel::tr("Note");
    }
    return {};
}

QString place_text(const Problem& problem) {
    QString text = shown_name(problem.file.section(QLatin1Char('/'), -1));
    if (problem.position.line) text += QStringLiteral(":%1:%2").arg(problem.position.line).arg(problem.position.column);
    return text;
}

}  // namespace

ProblemsModel::ProblemsModel(Document& document, QObject* parent)
    : QAbstractTableModel(parent), document_(document), theme_(make_theme(false, PaletteChoice::OkabeIto)) {
    connect(&document_, &Document::problemsChanged, this, [this] {
        beginResetModel();
        endResetModel();
    });
}

void ProblemsModel::setTheme(const Theme& theme) {
    beginResetModel();
    theme_ = theme;
    endResetModel();
}

int ProblemsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(document_.problems().size());
}

int ProblemsModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : 3; }

QVariant ProblemsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || size_t(index.row()) >= document_.problems().size()) return {};
    const Problem& problem = document_.problems()[size_t(index.row())];
    if (role == Qt::ForegroundRole && index.column() == 0)
        return problem.severity == Severity::Error     ? theme_.error
               : problem.severity == Severity::Warning ? theme_.warning
                                                       : theme_.muted_text;
    if (role == Qt::ToolTipRole) return problem.text;
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
        case 0: return severity_text(problem.severity);
        case 1: return problem.text;
        default: return place_text(problem);
    }
}

QVariant ProblemsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == 0 ? tr("Kind") : section == 1 ? tr("Message") : tr("Place");
}

ProblemsPanel::ProblemsPanel(Document& document, QWidget* parent)
    : QWidget(parent), model_(document), view_(new QTreeView) {
    auto* stack = new QStackedLayout(this);
    auto* nothing = new QLabel(tr("No problems."));
    nothing->setAlignment(Qt::AlignCenter);
    nothing->setEnabled(false);
    stack->addWidget(nothing);
    stack->addWidget(view_);
    view_->setModel(&model_);
    view_->setRootIsDecorated(false);
    view_->setUniformRowHeights(true);
    view_->setAccessibleName(tr("Problems"));
    view_->header()->setStretchLastSection(false);
    view_->header()->setSectionResizeMode(1, QHeaderView::Stretch);
    connect(view_, &QTreeView::activated, this, [this, &document](const QModelIndex& index) {
        const Problem problem = document.problems()[size_t(index.row())];  // it may be withdrawn meanwhile
        emit problemChosen(problem);
    });
    connect(&model_, &QAbstractItemModel::modelReset, this,
            [this, stack] { stack->setCurrentIndex(model_.rowCount() ? 1 : 0); });
}

}  // namespace partita
