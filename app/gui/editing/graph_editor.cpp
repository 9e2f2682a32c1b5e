#include "app/gui/editing/graph_editor.h"

#include <algorithm>

#include <QApplication>
#include <QClipboard>
#include <QMimeData>

#include "app/gui/editing/function_attribute_dialog.h"
#include "app/gui/style/foreign_text.h"
#include "engine/ir/called_function.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

/// Text beyond this is not read from the clipboard.
constexpr qsizetype kLongestPastedText = 64 << 20;

std::string function_name(const Module& module, ExprId function) {
    for (const GlobalFunction& global : module.functions())
        if (global.function == function) return "@" + std::string(module.names().text(global.name));
    return "fn";
}

}  // namespace

GraphEditor::GraphEditor(Document& document, std::function<GraphPage*()> page, QWidget* window)
    : QObject(window), document_(document), page_(std::move(page)), window_(window) {
    connect(&document_, &Document::selectionChanged, this, &GraphEditor::changed);
    connect(&document_, &Document::edited, this, &GraphEditor::changed);
}

void GraphEditor::watch(GraphPage* page) {
    const bool editable = page->target().source == PageTarget::Source::Shown;
    page->view().edges().setEditable(editable);
    connect(&page->view(), &GraphView::currentEdgeChanged, this, &GraphEditor::changed);
    page->view().edges().setInputFinder(
        [this, page](quint32 edge, quint32 node, double across) { return inputAt(*page, edge, node, across); });
    page->view().edges().setSourceObstacle(
        [this, page](quint32 edge, quint32 node) { return obstacleToSource(*page, edge, node); });
    connect(&page->view(), &GraphView::edgeHeadDropped, this,
            [this, page](quint32 edge, quint32 node, quint32 input) { feed(*page, edge, node, input); });
    connect(&page->view(), &GraphView::edgeDropped, this,
            [this, page](quint32 edge, quint32 node) { rewire(*page, edge, node); });
}

ExprId GraphEditor::single() const {
    return document_.selection().size() == 1 ? document_.selection().front() : ExprId();
}

std::optional<EditEdge> GraphEditor::edgeOf(const GraphPage& page, quint32 index) const {
    const GraphModelPtr& model = page.view().model();
    if (!model || model->module != document_.shownModule() || index >= model->edges.size()) return {};
    const GraphEdge& edge = model->edges[index];
    if (model->nodes[edge.to].kind == GraphNodeKind::Group) return {};  // several edges in one
    const EditEdge result{model->nodes[edge.to].expr, edge.argument};
    if (!result.user.valid() || edge.argument >= model->module->operands(result.user).size()) return {};
    return result;
}

std::optional<EditEdge> GraphEditor::chosenEdge() const {
    GraphPage* page = page_();
    if (!page || page->view().currentEdge() < 0) return {};
    return edgeOf(*page, quint32(page->view().currentEdge()));
}

/// The global function that the page in front shows.
ExprId GraphEditor::shownFunction() const {
    GraphPage* page = page_();
    const ModulePtr module = document_.shownModule();
    if (!page || !module) return {};
    const ExprId function = module->find_function(page->target().function.toStdString());
    return function.valid() || module->functions().empty() ? function : module->functions().front().function;
}

// --- what stands in the way ---

QString GraphEditor::obstacleToEdit() const {
    if (!document_.isOpen()) return tr("Open a module first");
    if (document_.isEditing()) return tr("An edit is going on");
    GraphPage* page = page_();
    if (page && page->target().source != PageTarget::Source::Shown)
        return tr("The partitioned module follows from the other: edit that one");
    return {};
}

QString GraphEditor::obstacleToSelection() const {
    if (QString obstacle = obstacleToEdit(); !obstacle.isEmpty()) return obstacle;
    return document_.selection().empty() ? tr("Select operators first") : QString();
}

QString GraphEditor::obstacleToEdge() const {
    if (QString obstacle = obstacleToEdit(); !obstacle.isEmpty()) return obstacle;
    return chosenEdge() ? QString() : tr("Choose an edge first: click it, or press E on a node");
}

QString GraphEditor::obstacleToInsert() const {
    if (QString obstacle = obstacleToEdit(); !obstacle.isEmpty()) return obstacle;
    return chosenEdge() || !document_.selection().empty() ? QString()
                                                          : tr("Select an operator or choose an edge first");
}

QString GraphEditor::obstacleToExchange() const {
    if (QString obstacle = obstacleToEdit(); !obstacle.isEmpty()) return obstacle;
    const ExprId id = single();
    return id.valid() && called_op_record(*document_.shownModule(), id) ? QString() : tr("Select one operator first");
}

QString GraphEditor::obstacleToRename() const {
    if (QString obstacle = obstacleToEdit(); !obstacle.isEmpty()) return obstacle;
    return document_.selection().size() <= 1 ? QString()
                                             : tr("Select one operator or parameter, or nothing for the function");
}

QString GraphEditor::obstacleToOutput() const {
    if (QString obstacle = obstacleToEdit(); !obstacle.isEmpty()) return obstacle;
    const Module& module = *document_.shownModule();
    const ExprId main = module.find_function("main");
    return main.valid() && output_of(module, main, single()) ? QString()
                                                             : tr("Select an operator that is a result of the module");
}

QString GraphEditor::obstacleToType() const {
    if (QString obstacle = obstacleToEdit(); !obstacle.isEmpty()) return obstacle;
    const ExprId id = single();
    return id.valid() && document_.shownModule()->kind(id) == ExprKind::Var ? QString()
                                                                            : tr("Select a parameter first");
}

QString GraphEditor::obstacleToExtract() const {
    if (QString obstacle = obstacleToSelection(); !obstacle.isEmpty()) return obstacle;
    return document_.hasSelectedOperators() ? QString() : tr("Select operators first");
}

QString GraphEditor::obstacleToInline() const {
    if (QString obstacle = obstacleToEdit(); !obstacle.isEmpty()) return obstacle;
    const ExprId id = single();
    return id.valid() && called_function(*document_.shownModule(), id).valid()
               ? QString()
               : tr("Select a call of a function first");
}

QString GraphEditor::obstacleToRegions() const {
    if (!document_.isOpen()) return tr("Open a module first");
    if (document_.annotated()) return tr("The file carries its annotations already");
    if (!document_.flow()) return tr("Annotate first, or give operators to a backend");
    if (!document_.hasSelectedOperators()) return tr("Select operators first");
    const std::vector<ExprId>& selection = document_.selection();
    const bool on_backend =
        std::any_of(selection.begin(), selection.end(), [this](ExprId id) { return document_.backendOf(id) >= 0; });
    return on_backend ? QString() : tr("Regions are of backends: all that is selected is on default");
}

// --- commands ---

void GraphEditor::splitRegion() {
    if (obstacleToRegions().isEmpty()) document_.separateRegion(document_.selectedOperators());
}

void GraphEditor::joinRegions() {
    if (obstacleToRegions().isEmpty()) document_.joinRegions(document_.selectedOperators());
}

std::vector<OperatorPlace> GraphEditor::places() const {
    std::vector<OperatorPlace> places;
    const ModulePtr module = document_.shownModule();
    const ExpressionNames& names = document_.names();
    const auto name = [&](ExprId id) {
        return module->kind(id) == ExprKind::Function ? tr("the output") : shown_name(names.name(id));
    };
    if (const std::optional<EditEdge> edge = chosenEdge()) {
        const ExprId data = module->operands(edge->user)[edge->index];
        places.push_back(
            {OperatorPlace::Kind::Edge, *edge, {}, {data}, tr("between %1 and %2").arg(name(data), name(edge->user))});
    }
    const std::vector<ExprId>& selection = document_.selection();
    if (!selection.empty()) {
        const QString first = name(selection.front());
        places.push_back(
            {OperatorPlace::Kind::After, {}, {}, selection, tr("after %1, before all that use it").arg(first)});
        if (selection.size() == 1) {
            // Each single user, so that one branch of several can be chosen without the mouse.
            for (uint32_t i = selection[0].value + 1; i < module->size() && places.size() < 12; ++i) {
                const ExprId user(i);
                if (module->kind(user) == ExprKind::Call && names.number(user) == 0) continue;  // nothing leads to it
                const std::span<const ExprId> operands = module->operands(user);
                for (uint32_t k = 0; k < operands.size(); ++k)
                    if (operands[k] == selection[0] &&
                        !(module->kind(user) == ExprKind::Function && k + 1 < operands.size()))
                        places.push_back({OperatorPlace::Kind::Edge,
                                          {user, k},
                                          {},
                                          selection,
                                          tr("only between %1 and %2").arg(first, name(user))});
            }
        }
        places.push_back({OperatorPlace::Kind::Output, {}, shownFunction(), selection, tr("as a new output")});
    }
    // Several selected ones are operands of something new; one is passed through.
    if (selection.size() > 1) std::swap(places.front(), places.back());
    return places;
}

void GraphEditor::insertOperator() {
    if (!obstacleToInsert().isEmpty()) return;
    auto* dialog = new OperatorDialog(document_.shownModule(), places(), window_);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWork(
        [this, dialog] { document_.editModule(tr("insert %1").arg(dialog->operatorName()), dialog->edit()); });
    follow(*dialog);
}

void GraphEditor::removeSelection() {
    if (!obstacleToSelection().isEmpty()) return;
    const std::vector<ExprId> selection = document_.selection();
    const QString name = selection.size() == 1 ? tr("delete %1").arg(shown_name(document_.names().name(selection[0])))
                                               : tr("delete %n expression(s)", nullptr, int(selection.size()));
    document_.editModule(name, [selection](const Module& module) { return remove_expressions(module, selection); });
}

void GraphEditor::exchangeOperator() {
    if (!obstacleToExchange().isEmpty()) return;
    const ExprId call = single();
    const OpRecord& now = *called_op_record(*document_.shownModule(), call);
    QStringList fitting;
    for (const OpRecord& record : op_registry().records())
        if (record.inputs.size() == now.inputs.size() && record.metadata_key.empty())
            fitting << QString::fromUtf8(record.name);
    fitting.sort();
    auto* dialog = new AskDialog(tr("Exchange the operator"),
                                 tr("Call instead of %1, with the same operands:").arg(QString::fromUtf8(now.name)),
                                 QString(), window_);
    dialog->setComboBoxEditable(true);
    dialog->setComboBoxItems(fitting);
    dialog->setTextValue(QString::fromUtf8(now.name));
    ask(*dialog, [this, call](const QString& text) {
        const OpId op = op_registry().find(text.toStdString());
        if (!op.valid()) {
            emit document_.editRefused(tr("There is no operator %1").arg(text), call);
            return;
        }
        document_.editModule(tr("exchange for %1").arg(text),
                             [call, op](const Module& module) { return change_op(module, call, op); });
    });
}

void GraphEditor::cutEdge() {
    const std::optional<EditEdge> edge = chosenEdge();
    if (!edge || !obstacleToEdge().isEmpty()) return;
    document_.editModule(tr("make an input"),
                         [edge = *edge](const Module& module) { return cut_edge(module, edge, "input"); });
}

void GraphEditor::rewire(GraphPage& page, quint32 index, quint32 node) {
    const std::optional<EditEdge> edge = edgeOf(page, index);
    const GraphModelPtr& model = page.view().model();
    if (!edge || !obstacleToEdit().isEmpty() || node >= model->nodes.size()) return;
    if (model->nodes[node].kind == GraphNodeKind::Group) return;
    const ExprId by = model->nodes[node].expr;
    if (by == edge->user || by == model->module->operands(edge->user)[edge->index]) return;
    document_.editModule(tr("rewire to %1").arg(shown_name(document_.names().name(by))),
                         [edge = *edge, by](const Module& module) { return replace_operand(module, edge, by); });
}

QString GraphEditor::obstacleToSource(const GraphPage& page, quint32 index, quint32 node) const {
    const std::optional<EditEdge> edge = edgeOf(page, index);
    const GraphModelPtr& model = page.view().model();
    if (!edge || node >= model->nodes.size()) return tr("this edge can't be dragged");
    if (model->nodes[node].kind == GraphNodeKind::Group) return tr("open the group first");
    return connectedTo(model, model->edges[index].to, true)[node] ? tr("it would depend on itself") : QString();
}

std::optional<InputSlot> GraphEditor::inputAt(const GraphPage& page, quint32 index, quint32 node, double across) const {
    const std::optional<EditEdge> edge = edgeOf(page, index);
    const GraphModelPtr& model = page.view().model();
    if (!edge || node >= model->nodes.size() || model->nodes[node].kind == GraphNodeKind::Group) return {};
    const Module& module = *model->module;
    const ExprId user = model->nodes[node].expr, value = module.operands(edge->user)[edge->index];
    const bool is_call = module.kind(user) == ExprKind::Call;
    if (!is_call && module.kind(user) != ExprKind::Tuple && module.kind(user) != ExprKind::Projection) return {};
    const std::span<const ExprId> operands = module.operands(user);
    const uint32_t first = is_call ? 1 : 0, count = uint32_t(operands.size()) - first;
    if (count == 0) return {};
    const bool cycle = connectedTo(model, model->edges[index].from, false)[node];
    const auto fits = [&](uint32_t i) {
        return !cycle && operands[first + i] != value && module.type(operands[first + i]) == module.type(value);
    };
    const uint32_t there = uint32_t(std::clamp(across, 0.0, 0.999) * count);
    uint32_t best = there;
    for (uint32_t i = 0; i < count && !fits(there); ++i)
        if (fits(i) && (!fits(best) || std::abs(int(i) - int(there)) < std::abs(int(best) - int(there)))) best = i;
    const OpRecord* op = called_op_record(module, user);
    const QString name =
        op && best < op->inputs.size() ? QString::fromStdString(op->inputs[best]) : tr("input %1").arg(best + 1);
    return InputSlot{first + best, cycle ? tr("%1: it would depend on itself").arg(name) : name, fits(best)};
}

const std::vector<bool>& GraphEditor::connectedTo(const GraphModelPtr& model, uint32_t start, bool users) const {
    if (connected_.model.lock() == model && connected_.node == start && connected_.users == users)
        return connected_.reached;
    connected_ = {model, start, users, std::vector<bool>(model->nodes.size(), false)};
    std::vector<uint32_t> open{start};
    connected_.reached[start] = true;
    while (!open.empty()) {
        const uint32_t node = open.back();
        open.pop_back();
        for (uint32_t edge : users ? model->outgoing(node) : model->incoming(node)) {
            const uint32_t next = users ? model->edges[edge].to : model->edges[edge].from;
            if (connected_.reached[next]) continue;
            connected_.reached[next] = true;
            open.push_back(next);
        }
    }
    return connected_.reached;
}

void GraphEditor::feed(GraphPage& page, quint32 index, quint32 node, quint32 input) {
    const std::optional<EditEdge> edge = edgeOf(page, index);
    const GraphModelPtr& model = page.view().model();
    if (!edge || !obstacleToEdit().isEmpty() || node >= model->nodes.size()) return;
    const ExprId user = model->nodes[node].expr, value = model->module->operands(edge->user)[edge->index];
    if (input >= model->module->operands(user).size() || model->module->operands(user)[input] == value) return;
    document_.editModule(
        tr("feed %1 by %2").arg(shown_name(document_.names().name(user)), shown_name(document_.names().name(value))),
        [user, input, value](const Module& module) {
            return replace_operand(module, {user, input}, value);
        });
}

void GraphEditor::ask(const QString& title, const QString& label, const QString& text,
                      std::function<void(const QString&)> done) {
    ask(*new AskDialog(title, label, text, window_), std::move(done));
}

/// The dialog stays until the edit that it leads to is made, or it is cancelled.
template <typename Dialog>
void GraphEditor::follow(Dialog& dialog) {
    asking_ = &dialog;
    connect(&document_, &Document::edited, &dialog, [&dialog] { dialog.succeed(); });
    connect(&document_, &Document::editRefused, &dialog, [&dialog](const QString& why) { dialog.refuse(why); });
    connect(&document_.jobs(), &JobRunner::jobCancelled, &dialog, [&dialog] { dialog.stopWaiting(); });
    dialog.open();
}

void GraphEditor::ask(AskDialog& dialog, std::function<void(const QString&)> done) {
    dialog.setWork([this, &dialog, done = std::move(done)](const QString& answer) {
        done(answer);
        if (!document_.isEditing() && dialog.fault().isEmpty()) dialog.succeed();  // there was nothing to change
    });
    follow(dialog);
}

void GraphEditor::rename() {
    if (!obstacleToRename().isEmpty()) return;
    const ModulePtr module = document_.shownModule();
    const ExprId id = single();
    if (!id.valid() || called_function(*module, id).valid()) {
        QString function = page_() ? page_()->target().function : QStringLiteral("main");
        if (id.valid() && module->kind(module->callee(id)) == ExprKind::GlobalVar)
            function = QString::fromUtf8(module->name(module->callee(id)));
        ask(tr("Rename the function"), tr("New name of @%1:").arg(shown_name(function)), function,
            [this, function](const QString& name) {
                if (name == function) return;
                document_.editModule(tr("rename @%1").arg(function),
                                     [from = function.toStdString(), to = name.toStdString()](const Module& in) {
                                         return rename_function(in, from, to);
                                     });
            });
        return;
    }
    const bool var = module->kind(id) == ExprKind::Var;
    const QString now = QString::fromUtf8(var ? module->name(id) : module->label(id));
    ask(tr("Rename"),
        var ? tr("New name of %%1:").arg(shown_name(now))
            : tr("Name for %1:").arg(shown_name(document_.names().name(id))),
        now, [this, id, now](const QString& name) {
            if (name == now) return;
            document_.editModule(
                tr("rename to %1").arg(shown_name(name)),
                [id, to = name.toStdString()](const Module& in) { return rename_expression(in, id, to); });
        });
}

void GraphEditor::renameOutput() {
    if (!obstacleToOutput().isEmpty()) return;
    const ModulePtr module = document_.shownModule();
    const ExprId main = module->find_function("main");
    const size_t output = *output_of(*module, main, single());
    const QString now = QString::fromStdString(output_names(*module, main)[output]);
    ask(tr("Name of the output"), tr("New name of the output %1:").arg(shown_name(now)), now,
        [this, main, output, now](const QString& name) {
            if (name == now) return;
            document_.editModule(tr("rename the output %1").arg(shown_name(name)),
                                 [main, output, to = name.toStdString()](const Module& in) {
                                     return rename_output(in, main, output, to);
                                 });
        });
}

void GraphEditor::changeParameterType() {
    if (!obstacleToType().isEmpty()) return;
    const ExprId id = single();
    const ModulePtr module = document_.shownModule();
    const QString now = QString::fromUtf8(module->types().to_string(module->type(id)));
    ask(tr("Type of the parameter"), tr("Type of %%1:").arg(shown_name(module->name(id))), now,
        [this, id, now](const QString& type) {
            if (type == now) return;
            document_.editModule(tr("change a type"), [id, to = type.toStdString()](const Module& in) {
                return set_parameter_type(in, id, to);
            });
        });
}

void GraphEditor::extractFunction() {
    if (!obstacleToExtract().isEmpty()) return;
    const std::vector<ExprId> selection = document_.selection();
    const QString proposal = QString::fromUtf8(free_function_name(*document_.shownModule(), "part"));
    ask(tr("Make a function of the selection"), tr("Name of the function:"), proposal,
        [this, selection](const QString& name) {
            document_.editModule(
                tr("make @%1").arg(shown_name(name)),
                [selection, to = name.toStdString()](const Module& in) { return extract_function(in, selection, to); });
        });
}

void GraphEditor::inlineCall() {
    if (!obstacleToInline().isEmpty()) return;
    document_.editModule(tr("inline %1").arg(shown_name(document_.names().name(single()))),
                         [call = single()](const Module& module) { return inline_call(module, call); });
}

void GraphEditor::changeFunctionAttribute() {
    if (!obstacleToEdit().isEmpty()) return;
    const ModulePtr module = document_.shownModule();
    ExprId function = shownFunction();
    if (const ExprId id = single(); id.valid())
        if (const ExprId called = called_function(*module, id); called.valid()) function = called;
    if (!function.valid()) return;
    auto* dialog = new FunctionAttributeDialog(shown_name(function_name(*module, function)),
                                               module->function_info(function).attributes, window_);
    connect(dialog, &QDialog::accepted, this, [this, dialog, function] {
        const QString name = dialog->name();
        document_.editModule(
            dialog->value() ? tr("set attribute %1").arg(name) : tr("take attribute %1 away").arg(name),
            [function, name = name.toStdString(), value = dialog->value()](const Module& in) {
                return set_function_attribute(in, function, name, value);
            });
    });
    dialog->open();
}

bool GraphEditor::copy() {
    if (document_.selection().empty() || !document_.isOpen()) return false;
    const Result<std::string> text = copy_as_text(*document_.shownModule(), document_.selection());
    if (!text) {
        emit document_.editRefused(QString::fromStdString(text.error().message), document_.selection().front());
        return false;
    }
    auto* data = new QMimeData;
    data->setText(QString::fromStdString(*text));
    data->setData(QStringLiteral("text/x-relay"), QByteArray::fromStdString(*text));
    QApplication::clipboard()->setMimeData(data);
    return true;
}

void GraphEditor::paste(PasteAs as) {
    if (!obstacleToEdit().isEmpty()) return;
    const QString text = QApplication::clipboard()->text();
    if (text.trimmed().isEmpty() || text.size() > kLongestPastedText) {
        emit document_.editRefused(tr("There is no Relay text on the clipboard"), ExprId());
        return;
    }
    document_.editModule(as == PasteAs::Output ? tr("paste") : tr("paste after the selection"),
                         [function = shownFunction(), relay = text.toStdString(), arguments = document_.selection(),
                          as](const Module& in) { return paste_text(in, function, relay, arguments, as); });
}

}  // namespace partita
