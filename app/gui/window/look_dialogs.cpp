#include "app/gui/window/look_dialogs.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include "app/gui/canvas/graph_search.h"
#include "app/gui/document/document.h"
#include "app/gui/style/foreign_text.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

Qt::CheckState state_of(const QMap<QString, bool>& chosen, const QString& key) {
    const auto found = chosen.find(key);
    if (found == chosen.end()) return Qt::PartiallyChecked;
    return *found ? Qt::Checked : Qt::Unchecked;
}

QString key_of(const QTreeWidgetItem& attribute) { return attribute.parent()->text(0) + '.' + attribute.text(0); }

}  // namespace

NodeAttributesDialog::NodeAttributesDialog(const Document& document, QMap<QString, bool> chosen, ChangeLook change,
                                           QWidget* parent)
    : QDialog(parent), chosen_(std::move(chosen)), change_(std::move(change)), tree_(new QTreeWidget) {
    setObjectName(QStringLiteral("node-attributes"));
    setWindowTitle(tr("Attributes on nodes"));
    resize(420, 460);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    auto* words = new QLabel(tr("A tick: always on the node. A line: where it is not at its default. Empty: never."));
    words->setWordWrap(true);
    column->addWidget(words);
    tree_->setHeaderHidden(true);
    tree_->setUniformRowHeights(true);
    tree_->setAccessibleName(windowTitle());
    column->addWidget(tree_, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QPushButton* usual = buttons->addButton(tr("&As usual"), QDialogButtonBox::ResetRole);
    usual->setAutoDefault(false);
    usual->setToolTip(tr("All attributes where they are not at their defaults"));
    column->addWidget(buttons);
    QStringList operators;
    for (const OpCount& count : document.summary().ops)
        if (!count.op.empty()) operators << QString::fromStdString(count.op);
    for (auto attribute = chosen_.begin(); attribute != chosen_.end(); ++attribute)
        operators << attribute.key().section(QLatin1Char('.'), 0, -2);
    operators.removeDuplicates();
    fill(operators);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    connect(tree_, &QTreeWidget::itemChanged, this, &NodeAttributesDialog::take);
    connect(usual, &QPushButton::clicked, this, [this, operators] {
        chosen_.clear();
        fill(operators);
        take();
    });
}

void NodeAttributesDialog::fill(const QStringList& operators) {
    filling_ = true;
    tree_->clear();
    for (const QString& name : operators) {
        const OpId op = op_registry().find(name.toStdString());
        if (!op.valid() || op_registry()[op].attributes.empty()) continue;
        auto* item = new QTreeWidgetItem(tree_, {name});
        for (const AttributeField& field : op_registry()[op].attributes) {
            auto* attribute = new QTreeWidgetItem(item, {QString::fromStdString(field.name)});
            attribute->setFlags(attribute->flags() | Qt::ItemIsUserCheckable | Qt::ItemIsUserTristate);
            attribute->setCheckState(0, state_of(chosen_, key_of(*attribute)));
        }
        item->setExpanded(operators.size() <= 4);
    }
    filling_ = false;
}

void NodeAttributesDialog::take() {
    if (filling_) return;
    chosen_.clear();
    for (int i = 0; i < tree_->topLevelItemCount(); ++i)
        for (int k = 0; k < tree_->topLevelItem(i)->childCount(); ++k) {
            const QTreeWidgetItem& attribute = *tree_->topLevelItem(i)->child(k);
            if (attribute.checkState(0) != Qt::PartiallyChecked)
                chosen_[key_of(attribute)] = attribute.checkState(0) == Qt::Checked;
        }
    change_([this](CanvasOptions& options) { options.model.attributes = chosen_; });
}

QueryColoursDialog::QueryColoursDialog(const QStringList& queries, const Theme& theme, ChangeLook change,
                                       QWidget* parent)
    : QDialog(parent), change_(std::move(change)), fault_(make_plain_label()) {
    setObjectName(QStringLiteral("query-colours"));
    setWindowTitle(tr("Colours by query"));
    setMinimumWidth(460);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(10);
    auto* words =
        new QLabel(tr("Nodes that a query finds have its colour; of several, the first. Queries are those of "
                      "Find (Ctrl+F): op:nn.conv2d shape:*x3x*, flops:>1G, name:/layer[0-3]/"));
    words->setWordWrap(true);
    column->addWidget(words);
    auto* form = new QFormLayout;
    for (int i = 0; i < Theme::kTints; ++i) {
        auto* swatch = new QLabel;
        swatch->setFixedSize(22, 22);
        swatch->setStyleSheet(QStringLiteral("background:%1; border-radius:4px").arg(theme.tint(i).name()));
        auto* field = new QLineEdit(queries.value(i));
        field->setAccessibleName(tr("Query of colour %1").arg(i + 1));
        field->setClearButtonEnabled(true);
        form->addRow(swatch, field);
        fields_.push_back(field);
        connect(field, &QLineEdit::editingFinished, this, &QueryColoursDialog::take);
    }
    column->addLayout(form);
    fault_->setWordWrap(true);
    column->addWidget(fault_);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);  // Return ends a field
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, [this] {
        take();
        accept();
    });
}

void QueryColoursDialog::take() {
    QStringList queries;
    QString fault;
    for (const QLineEdit* field : fields_) {
        const QString query = field->text().trimmed();
        if (const QString key = unknown_search_key(query); !key.isEmpty())
            fault = tr("There is no key “%1:”").arg(shown_name(key));
        else if (const QString word = unreadable_search_word(query); !word.isEmpty())
            fault = tr("“%1” can't be read").arg(shown_name(word));
        queries << query;
    }
    fault_->setText(fault);
    while (!queries.isEmpty() && queries.last().isEmpty()) queries.removeLast();
    change_([&queries](CanvasOptions& options) { options.query_colours = queries; });
}

}  // namespace partita
