#include "app/gui/editing/element_editor.h"

#include <algorithm>
#include <unordered_set>

#include <QApplication>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QVBoxLayout>

#include "app/gui/editing/attribute_fields.h"
#include "app/gui/style/foreign_text.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

constexpr int kTallest = 260;

/// The op that all of them call, or null.
const OpRecord* common_op(const Module& module, const std::vector<ExprId>& selection) {
    const OpRecord* common = nullptr;
    for (ExprId id : selection) {
        const OpRecord* op = called_op_record(module, id);
        if (!op || (common && op != common)) return nullptr;
        common = op;
    }
    return common;
}

}  // namespace

ElementEditor::ElementEditor(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), heading_(new QLabel), scroll_(new QScrollArea),
      attributes_(new AttributeFields), parameter_(new QWidget), name_(new QLineEdit), type_(new QLineEdit),
      fault_(make_plain_label()) {
    fault_->setParent(parent);
    fault_->setWordWrap(true);
    fault_->setObjectName(QStringLiteral("fault"));
    fault_->setAccessibleName(tr("Why the value was refused"));
    fault_->hide();
    build();
    followDocument();
    followFields();
}

void ElementEditor::build() {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 6, 8, 8);
    column->setSpacing(4);
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setStyleSheet(QStringLiteral("color: palette(mid)"));
    column->addWidget(line);
    column->addWidget(heading_);
    auto* inside = new QWidget;
    auto* rows = new QVBoxLayout(inside);
    rows->setContentsMargins(0, 0, 4, 0);
    rows->addWidget(attributes_);
    auto* form = new QFormLayout(parameter_);
    form->setContentsMargins(0, 0, 0, 0);
    form->setHorizontalSpacing(12);
    name_->setObjectName(QStringLiteral("parameter-name"));
    type_->setObjectName(QStringLiteral("parameter-type-text"));
    for (QLineEdit* edit : {name_, type_}) edit->installEventFilter(attributes_);  // its keys of undo
    form->addRow(tr("Name"), name_);
    form->addRow(tr("Type"), type_);
    rows->addWidget(parameter_);
    rows->addStretch();
    scroll_->setWidget(inside);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column->addWidget(scroll_);
    hide();
}

void ElementEditor::followDocument() {
    later_.setSingleShot(true);
    later_.setInterval(0);
    connect(&later_, &QTimer::timeout, this, &ElementEditor::refresh);
    const auto soon = [this] { later_.start(); };
    connect(&document_, &Document::opened, this, soon);
    connect(&document_, &Document::selectionChanged, this, soon);
    connect(&document_, &Document::edited, this, soon);
    connect(&document_, &Document::flowChanged, this, soon);
    connect(&document_, &Document::edited, this, [this] { asked_.clear(); });
    connect(&document_, &Document::editRefused, this, &ElementEditor::refuse);
}

void ElementEditor::refuse(const QString& message, ExprId place) {
    if (asked_.isEmpty()) return;
    const std::vector<ExprId>& calls = document_.selection();
    const bool elsewhere = place.valid() && std::find(calls.begin(), calls.end(), place) == calls.end();
    attributes_->refuse(std::exchange(asked_, QString()),
                        elsewhere
                            ? message + QLatin1Char('\n') +
                                  tr("Operators that must change together: select them all, then set the value once.")
                            : message);
}

void ElementEditor::followFields() {
    connect(attributes_, &AttributeFields::faultChanged, this, &ElementEditor::showFault);
    connect(attributes_, &AttributeFields::changed, this, &ElementEditor::setAttribute);
    connect(name_, &QLineEdit::editingFinished, this, [this] {
        if (!name_->isModified() || document_.selection().size() != 1) return;
        name_->setModified(false);
        document_.editModule(tr("rename to %1").arg(name_->text()),
                             [id = document_.selection()[0], to = name_->text().trimmed().toStdString()](
                                 const Module& in) { return rename_expression(in, id, to); });
    });
    connect(type_, &QLineEdit::editingFinished, this, [this] {
        if (!type_->isModified() || document_.selection().size() != 1) return;
        type_->setModified(false);
        document_.editModule(tr("change a type"),
                             [id = document_.selection()[0], to = type_->text().trimmed().toStdString()](
                                 const Module& in) { return set_parameter_type(in, id, to); });
    });
}

void ElementEditor::setAttribute(const QString& attribute) {
    const std::vector<ExprId> calls = document_.selection();
    const ModulePtr module = document_.shownModule();
    const OpRecord* op = module ? common_op(*module, calls) : nullptr;
    const int index = op ? op->attribute_index(attribute.toStdString()) : -1;
    if (index < 0) return;
    const AttributeValue& wanted = attributes_->value(size_t(index));
    const bool is_so = std::all_of(calls.begin(), calls.end(), [&](ExprId call) {
        return module->attributes(module->attributes_id(call))[size_t(index)] == wanted;
    });
    if (is_so) return;  // what was refused before was taken back
    asked_ = attribute;
    document_.editModule(tr("set %1").arg(attribute),
                         [calls, name = attribute.toStdString(), value = wanted](const Module& in) {
                             return set_attribute(in, calls, name, value);
                         });
}

void ElementEditor::refresh() {
    const ModulePtr module = document_.shownModule();
    const std::vector<ExprId>& selection = document_.selection();
    // The fields are made anew: the keyboard's focus stays in the one of the same name.
    QWidget* focused = QApplication::focusWidget();
    const QString field = focused && isAncestorOf(focused) ? focused->objectName() : QString();
    hide();
    if (!module || selection.empty() || selection.back().value >= module->size()) return;
    if (selection.size() == 1 && module->kind(selection[0]) == ExprKind::Var) showParameter(selection[0]);
    else if (const OpRecord* op = common_op(*module, selection);
             op && !op->attributes.empty() && op->metadata_key.empty())
        showCalls(selection);
    if (QWidget* same = field.isEmpty() ? nullptr : findChild<QWidget*>(field)) same->setFocus();
}

/// By attribute: whether the calls, of one operator, have different values of it.
static std::vector<bool> differing_attributes(const Module& module, const std::vector<ExprId>& calls) {
    const AttributeList& first = module.attributes(module.attributes_id(calls[0]));
    std::vector<bool> differ(first.size());
    std::unordered_set<uint32_t> seen;
    for (ExprId call : calls) {
        if (!seen.insert(module.attributes_id(call).value).second) continue;
        const AttributeList& values = module.attributes(module.attributes_id(call));
        for (size_t i = 0; i < std::min(values.size(), differ.size()); ++i)
            if (!differ[i]) differ[i] = !(values[i] == first[i]);
    }
    return differ;
}

void ElementEditor::showCalls(const std::vector<ExprId>& calls) {
    const Module& module = *document_.shownModule();
    const OpRecord* op = called_op_record(module, calls[0]);
    heading_->setText(QStringLiteral("<b>%1</b>")
                          .arg(calls.size() == 1 ? tr("Change attributes")
                                                 : tr("Change attributes of %n calls of %1", nullptr, int(calls.size()))
                                                       .arg(QString::fromUtf8(op->name))));
    parameter_->hide();
    attributes_->show(op, AttributesPtr(document_.shownModule(), &module.attributes(module.attributes_id(calls[0]))),
                      differing_attributes(module, calls), areShown(calls));
    shown_in_ = document_.shownModule();
    shown_ = calls;
    attributes_->setVisible(true);
    setVisible(true);
    fitHeight();
    showFault();
}

bool ElementEditor::areShown(const std::vector<ExprId>& calls) const {
    const ModulePtr now = document_.shownModule();
    std::vector<ExprId> before = shown_;
    if (shown_in_ != now) {
        const std::vector<ExprId>* images = document_.imagesBetween(shown_in_, now);
        if (!images) return false;
        for (ExprId& call : before) call = call.value < images->size() ? (*images)[call.value] : ExprId();
    }
    return std::is_permutation(before.begin(), before.end(), calls.begin(), calls.end());
}

void ElementEditor::showFault() {
    const QString message = isVisible() ? attributes_->fault() : QString();
    fault_->setVisible(!message.isEmpty());
    if (message.isEmpty()) return;
    constexpr int kMargin = 8;
    fault_->setText(QStringLiteral("⚠ %1").arg(message));
    fault_->setFixedWidth(std::max(80, width() - 2 * kMargin));
    fault_->setFixedHeight(fault_->heightForWidth(fault_->width()));
    fault_->move(x() + kMargin, std::max(0, y() - fault_->height()));
}

void ElementEditor::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showFault();
}

void ElementEditor::moveEvent(QMoveEvent* event) {
    QWidget::moveEvent(event);
    showFault();
}

void ElementEditor::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    fault_->hide();
}

void ElementEditor::showParameter(ExprId parameter) {
    const Module& module = *document_.shownModule();
    heading_->setText(QStringLiteral("<b>%1</b>").arg(tr("Change the parameter")));
    attributes_->hide();
    attributes_->show(nullptr, {});
    shown_.clear();
    show_in_field(*name_, module.name(parameter));
    show_in_field(*type_, module.types().to_string(module.type(parameter)));
    parameter_->show();
    setVisible(true);
    fitHeight();
}

void ElementEditor::fitHeight() {
    const int wanted = scroll_->widget()->sizeHint().height() + 4;
    scroll_->setFixedHeight(std::min(wanted, kTallest));
}

}  // namespace partita
