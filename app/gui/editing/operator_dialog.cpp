#include "app/gui/editing/operator_dialog.h"

#include <algorithm>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/gui/canvas/graph_model.h"
#include "app/gui/editing/attribute_fields.h"
#include "app/gui/style/foreign_text.h"
#include "app/gui/style/language.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

/// Those that people put in by hand; annotations and the like are the passes' business.
bool is_offered(const OpRecord& record) { return !record.inputs.empty() && record.metadata_key.empty(); }

/// How well an operator answers a search; negative: not at all.
int rank_of(const OpRecord& record, const QString& query) {
    if (query.isEmpty()) return 0;
    const QString name = QString::fromUtf8(record.name), last = name.section(QLatin1Char('.'), -1);
    if (name.compare(query, Qt::CaseInsensitive) == 0 || last.compare(query, Qt::CaseInsensitive) == 0) return 4;
    if (last.startsWith(query, Qt::CaseInsensitive) || name.startsWith(query, Qt::CaseInsensitive)) return 3;
    if (name.contains(query, Qt::CaseInsensitive)) return 2;
    return say_summary(record.summary).contains(query, Qt::CaseInsensitive) ||
                   QString::fromUtf8(record.summary).contains(query, Qt::CaseInsensitive)
               ? 1
               : -1;
}

}  // namespace

OperatorDialog::OperatorDialog(ModulePtr module, std::vector<OperatorPlace> places, QWidget* parent)
    : QDialog(parent), module_(std::move(module)), places_(std::move(places)), types_(module_->types()),
      search_(new QLineEdit), list_(new QListWidget), title_(make_plain_label()), summary_(make_plain_label()),
      verdict_(make_plain_label()), place_(new QComboBox), attributes_(new AttributeFields) {
    setWindowTitle(tr("Insert an operator"));
    setObjectName(QStringLiteral("operator-dialog"));
    auto* column = new QVBoxLayout(this);
    auto* row = new QHBoxLayout;
    row->setSpacing(14);
    column->addLayout(row, 1);
    row->addLayout(buildList());
    row->addLayout(buildCall(), 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    insert_ = buttons->addButton(tr("Insert"), QDialogButtonBox::AcceptRole);
    insert_->setDefault(true);
    column->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(search_, &QLineEdit::textChanged, this, &OperatorDialog::filter);
    connect(list_, &QListWidget::currentRowChanged, this, &OperatorDialog::chooseOperator);
    connect(list_, &QListWidget::itemDoubleClicked, this, [this] {
        if (insert_->isEnabled()) accept();
    });
    connect(place_, &QComboBox::currentIndexChanged, this, &OperatorDialog::propose);
    connect(attributes_, &AttributeFields::changed, this, [this] {
        call_.attributes = attributes_->values();
        check();
    });
    connect(attributes_, &AttributeFields::faultChanged, this, &OperatorDialog::check);
    resize(720, 470);
    filter();
    search_->setFocus();
}

QLayout* OperatorDialog::buildList() {
    auto* left = new QVBoxLayout;
    search_->setPlaceholderText(tr("Find an operator"));
    search_->setAccessibleName(tr("Find an operator"));
    search_->setObjectName(QStringLiteral("operator-search"));
    search_->setClearButtonEnabled(true);
    search_->installEventFilter(this);
    list_->setAccessibleName(tr("Operators"));
    list_->setMinimumWidth(230);
    left->addWidget(search_);
    left->addWidget(list_, 1);
    return left;
}

QLayout* OperatorDialog::buildCall() {
    auto* right = new QVBoxLayout;
    QFont large = title_->font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.2);
    title_->setFont(large);
    summary_->setWordWrap(true);
    right->addWidget(title_);
    right->addWidget(summary_);
    auto* where = new QFormLayout;
    where->addRow(tr("Where"), place_);
    place_->setObjectName(QStringLiteral("operator-place"));
    place_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    place_->setMinimumContentsLength(34);
    for (const OperatorPlace& place : places_) place_->addItem(place.text);
    right->addLayout(where);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    auto* inside = new QWidget;
    operands_column_ = new QVBoxLayout(inside);
    operands_column_->setContentsMargins(0, 0, 6, 0);
    operands_column_->addWidget(attributes_);
    operands_column_->addStretch();
    scroll->setWidget(inside);
    right->addWidget(scroll, 1);
    verdict_->setWordWrap(true);
    verdict_->setObjectName(QStringLiteral("operator-verdict"));
    right->addWidget(verdict_);
    return right;
}

const OperatorPlace& OperatorDialog::place() const { return places_[size_t(std::max(0, place_->currentIndex()))]; }

QString OperatorDialog::operatorName() const { return QString::fromUtf8(op_registry()[call_.op].name); }

void OperatorDialog::filter() {
    const QString query = search_->text().trimmed();
    std::vector<std::pair<int, uint32_t>> found;
    for (uint32_t i = 0; i < op_registry().records().size(); ++i) {
        const OpRecord& record = op_registry().records()[i];
        const int rank = is_offered(record) ? rank_of(record, query) : -1;
        if (rank >= 0) found.emplace_back(rank, i);
    }
    std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
        if (a.first != b.first) return a.first > b.first;
        return op_registry().records()[a.second].name < op_registry().records()[b.second].name;
    });
    list_->clear();
    for (const auto& [rank, index] : found) {
        const OpRecord& record = op_registry().records()[index];
        auto* item = new QListWidgetItem(QString::fromUtf8(record.name));
        item->setData(Qt::UserRole, index);
        item->setToolTip(say_summary(record.summary));
        list_->addItem(item);
    }
    list_->setCurrentRow(0);
    chooseOperator();
}

void OperatorDialog::chooseOperator() {
    QListWidgetItem* item = list_->currentItem();
    attributes_->setVisible(item);
    if (!item) {
        title_->setText(tr("No operator is called that"));
        summary_->clear();
        verdict_->clear();
        insert_->setEnabled(false);
        return;
    }
    call_.op = OpId(item->data(Qt::UserRole).toUInt());
    propose();
}

void OperatorDialog::propose() {
    if (!list_->currentItem()) return;
    const OpRecord& record = op_registry()[call_.op];
    title_->setText(QString::fromUtf8(record.name));
    summary_->setText(say_summary(record.summary));
    types_ = module_->types();
    call_ = propose_call(types_, *module_, call_.op, place().operands);
    attributes_->show(&record, std::make_shared<const AttributeList>(call_.attributes));
    buildOperands();
    check();
}

/// For each operand that is not there yet: a new parameter or a constant.
void OperatorDialog::buildOperands() {
    delete operands_;
    operands_ = new QWidget;
    auto* form = new QFormLayout(operands_);
    form->setContentsMargins(0, 8, 0, 0);
    form->setHorizontalSpacing(12);
    const OpRecord& record = op_registry()[call_.op];
    for (size_t i = 0; i < call_.operands.size(); ++i) {
        const NewOperand& operand = call_.operands[i];
        const QString name = QString::fromUtf8(record.inputs[std::min(i, record.inputs.size() - 1)]);
        if (operand.kind == NewOperand::Kind::Value) {
            form->addRow(name, make_plain_label(short_type(*module_, module_->type(operand.value))));
            continue;
        }
        if (operand.kind == NewOperand::Kind::Tuple) {
            form->addRow(name, new QLabel(tr("a tuple of the %n selected", nullptr, int(operand.fields.size()))));
            continue;
        }
        auto* source = new QComboBox;
        const QString type =
            operand.type.valid() ? QString::fromUtf8(types_.to_string(operand.type)) : tr("unknown type");
        source->addItem(tr("a new input, %1").arg(type));
        source->addItem(tr("a constant of zeros, %1").arg(type));
        source->addItem(tr("a constant of ones, %1").arg(type));
        source->setObjectName(QStringLiteral("operand-%1").arg(i));
        source->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        source->setMinimumContentsLength(26);
        connect(source, &QComboBox::currentIndexChanged, this, [this, i](int choice) {
            call_.operands[i].kind = choice == 0 ? NewOperand::Kind::Parameter : NewOperand::Kind::Constant;
            call_.operands[i].fill = choice == 2 ? 1 : 0;
            check();
        });
        form->addRow(name, source);
    }
    operands_column_->insertWidget(operands_column_->count() - 1, operands_);
}

void OperatorDialog::check() {
    Result<TypeId> type = type_of_call(types_, *module_, call_);
    const QString refused = attributes_->fault(), fault = !refused.isEmpty() ? refused
                                                          : type             ? QString()
                                                                             : shown_message(type.error().message);
    verdict_->setText(fault.isEmpty() ? tr("Gives %1").arg(QString::fromUtf8(types_.to_string(*type)))
                                      : QStringLiteral("⚠ %1").arg(fault));
    insert_->setEnabled(fault.isEmpty() && !waiting_);
    insert_->setToolTip(fault);
}

void OperatorDialog::done(int result) {
    if (result != Accepted || !work_) return QDialog::done(result);
    if (waiting_ || !insert_->isEnabled()) return;
    setWaiting(true);
    work_();
}

void OperatorDialog::setWaiting(bool waiting) {
    waiting_ = waiting;
    check();
}

void OperatorDialog::refuse(const QString& why) {
    setWaiting(false);
    verdict_->setText(QStringLiteral("⚠ %1").arg(shown_message(why)));
}

std::function<EditResult(const Module&)> OperatorDialog::edit() const {
    return [place = place(), call = call_, types = types_](const Module& module) {
        switch (place.kind) {
            case OperatorPlace::Kind::Edge: return insert_on_edge(module, place.edge, call, types);
            case OperatorPlace::Kind::After: return insert_after(module, place.operands.front(), call, types);
            case OperatorPlace::Kind::Output: break;
        }
        return add_output(module, place.function, call, types);
    };
}

bool OperatorDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == search_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int row = list_->currentRow();
        if (key == Qt::Key_Down) return list_->setCurrentRow(std::min(row + 1, list_->count() - 1)), true;
        if (key == Qt::Key_Up) return list_->setCurrentRow(std::max(row - 1, 0)), true;
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace partita
