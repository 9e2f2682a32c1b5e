#include "app/gui/canvas/graph_model.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include <QCoreApplication>
#include <QFontInfo>
#include <QFontMetricsF>
#include <QHash>

#include "app/gui/canvas/graph_bodies.h"
#include "app/gui/jobs/job_runner.h"
#include "app/gui/style/foreign_text.h"
#include "engine/exporters/graph_text.h"
#include "engine/ir/called_function.h"
#include "engine/ops/registry.h"
#include "engine/ops/weight_inputs.h"

namespace partita {

namespace {

struct GraphModelWords {
    Q_DECLARE_TR_FUNCTIONS(partita::GraphModel)
};

constexpr double kMinimalWidth = 92, kMaximalWidth = 236, kPadding = 26;
constexpr double kTitleHeight = 26, kLineHeight = 15, kBottomMargin = 5, kSmallHeight = 22;

constexpr std::string_view kAnnotations[] = {"annotation.compiler_begin", "annotation.compiler_end"};
constexpr std::string_view kCasts[] = {"cast", "cast_like"};
constexpr std::string_view kShapes[] = {"reshape",     "reshape_like",     "transpose",        "squeeze",
                                        "expand_dims", "nn.batch_flatten", "layout_transform", "broadcast_to"};
constexpr std::string_view kQuantization[] = {"qnn.quantize", "qnn.dequantize", "qnn.requantize"};

QString to_qstring(std::string_view text) { return shown_name(text); }

class Builder {
public:
    Builder(ModulePtr module, ExprId function, const GraphModelOptions& options, const Graph* file)
        : module_(*module), options_(options), file_(file), model_(freed_on_worker(std::make_unique<GraphModel>())) {
        model_->module = std::move(module);
        model_->function = function;
    }

    GraphModelPtr build() {
        mark_reachable();
        mark_folded();
        add_nodes();
        add_edges();
        model_->index_edges();
        find_branches();
        return model_;
    }

private:
    /// A branch is what nothing but that side of the condition uses.
    void find_branches() {
        constexpr size_t kMostWork = 100000;  // nodes, in branches within branches again
        size_t work = 0;
        for (uint32_t node = 0; node < model_->nodes.size() && work < kMostWork; ++node) {
            if (module_.kind(model_->nodes[node].expr) != ExprKind::If) continue;
            for (const uint32_t edge : model_->incoming(node)) {
                const uint32_t argument = model_->edges[edge].argument;
                if (argument == 0) continue;  // the condition
                GraphBranch branch{argument == 1 ? "then" : "else", nodes_behind(edge)};
                work += branch.nodes.size();
                if (!branch.nodes.empty()) model_->branches.push_back(std::move(branch));
            }
        }
        for (size_t i = bodies_.size(); i-- > 0;) {
            GraphBranch branch{bodies_[i].label, {}};
            for (uint32_t expr : bodies_[i].inside)
                if (const int32_t node = model_->node_of(ExprId(expr)); node >= 0)
                    branch.nodes.push_back(uint32_t(node));
            if (!branch.nodes.empty()) model_->branches.push_back(std::move(branch));
        }
        if (file_) add_frames_of_file();
        nest_branches();
    }

    void add_frames_of_file() {
        for (const NodeFrame& frame : file_->frames) {
            GraphBranch branch{frame.label, {}};
            for (const NodeId id : frame.nodes)
                if (const int32_t node = model_->node_of_origin((*file_)[id].expression); node >= 0)
                    branch.nodes.push_back(uint32_t(node));
            if (!branch.nodes.empty()) model_->branches.push_back(std::move(branch));
        }
    }

    void nest_branches() {
        std::vector<GraphBranch>& branches = model_->branches;
        std::stable_sort(branches.begin(), branches.end(),
                         [](const GraphBranch& a, const GraphBranch& b) { return a.nodes.size() < b.nodes.size(); });
        std::vector<int32_t> branch_of(model_->nodes.size(), -1);
        for (size_t i = 0; i < branches.size(); ++i) {
            std::sort(branches[i].nodes.begin(), branches[i].nodes.end());
            for (uint32_t node : branches[i].nodes)
                if (const int32_t inner = std::exchange(branch_of[node], int32_t(i)); inner >= 0)
                    branches[size_t(inner)].outer = int32_t(i);
        }
    }

    std::vector<uint32_t> nodes_behind(uint32_t last) const {
        std::vector<uint32_t> found;
        std::set<uint32_t> inside;
        const auto is_inside = [&](uint32_t edge) { return edge == last || inside.count(model_->edges[edge].to) > 0; };
        std::vector<uint32_t> open{model_->edges[last].from};
        while (!open.empty()) {
            const uint32_t node = open.back();
            open.pop_back();
            const GraphNodeKind kind = model_->nodes[node].kind;
            if (kind == GraphNodeKind::Parameter || kind == GraphNodeKind::Constant || inside.count(node)) continue;
            const std::span<const uint32_t> out = model_->outgoing(node);
            if (!std::all_of(out.begin(), out.end(), is_inside)) continue;  // asked again when its last user is inside
            inside.insert(node);
            found.push_back(node);
            for (const uint32_t edge : model_->incoming(node)) open.push_back(model_->edges[edge].from);
        }
        return found;
    }

    /// Operands before users: walking ids downward from the body visits users first, so one sweep suffices.
    void mark_reachable() {
        const ExprId body = module_.body(model_->function);
        reach(body);
        for (ExprId parameter : module_.parameters(model_->function)) reach(parameter);
        for (uint32_t i = body.value + 1; i-- > 0;)
            if (reached_[i]) reach_operands(ExprId(i));
        output_ = resolve(body);
        bodies_ = bodies_within(module_, model_->function);
        for (const GraphBody& inner : bodies_) {
            for (uint32_t expr : inner.inside) reach(ExprId(expr));
            for (uint32_t expr : inner.inside) reach_operands(ExprId(expr));
            const std::span<const ExprId> parameters = module_.parameters(inner.function);
            for (size_t i = parameters.size() - inner.captured; i < parameters.size(); ++i)
                alias_[parameters[i].value] = inner.from[i];  // what it takes from around it stands for itself
        }
    }

    void reach(ExprId id) {
        if (id.value >= reached_.size()) {
            reached_.resize(id.value + 1, false);
            alias_.resize(id.value + 1);
        }
        reached_[id.value] = true;
    }

    void reach_operands(ExprId id) {
        if (module_.kind(id) == ExprKind::Function) return;
        if (module_.kind(id) == ExprKind::Let) bind(id);
        if (is_passed_by(id)) alias_[id.value] = module_.operands(id)[1];
        for (ExprId operand : module_.operands(id)) reached_[operand.value] = true;
    }

    /// A let-bound name stands for its value, the let for its body.
    void bind(ExprId let) {
        std::span<const ExprId> operands = module_.operands(let);
        alias_[operands[0].value] = operands[1];
        alias_[let.value] = operands[2];
    }

    /// Whether a call is not shown and stands for its first operand.
    bool is_passed_by(ExprId id) const {
        const bool any =
            !options_.show_annotations || options_.hide_casts || options_.hide_shapes || options_.hide_quantization;
        const OpRecord* op = any ? called_op_record(module_, id) : nullptr;
        if (!op || module_.operands(id).size() < 2) return false;
        const auto is_one_of = [op](std::span<const std::string_view> names) {
            return std::find(names.begin(), names.end(), op->name) != names.end();
        };
        return (!options_.show_annotations && is_one_of(kAnnotations)) || (options_.hide_casts && is_one_of(kCasts)) ||
               (options_.hide_shapes && is_one_of(kShapes)) || (options_.hide_quantization && is_one_of(kQuantization));
    }

    ExprId resolve(ExprId id) const {
        while (alias_[id.value].valid()) id = alias_[id.value];
        return id;
    }

    bool is_callee_only(ExprId id) const {
        ExprKind kind = module_.kind(id);
        return kind == ExprKind::Op || kind == ExprKind::GlobalVar;
    }

    /// Weights and constants disappear into their users unless they are shown.
    void mark_folded() {
        folded_.assign(reached_.size(), false);
        if (options_.show_weights) return;
        const bool few_parameters = module_.parameters(model_->function).size() <= kFewParameters;
        std::vector<bool> used_as_data(reached_.size(), false), used(reached_.size(), false);
        for (uint32_t i = 0; i < reached_.size(); ++i) {
            if (!reached_[i] || module_.kind(ExprId(i)) == ExprKind::Function) continue;
            if (is_passed_by(ExprId(i))) continue;  // no users of their own
            const OpRecord* op = called_op_record(module_, ExprId(i));
            std::span<const ExprId> operands = module_.operands(ExprId(i));
            for (size_t k = 0; k < operands.size(); ++k) {
                const uint32_t operand = resolve(operands[k]).value;
                used[operand] = true;
                const size_t argument = k - 1;
                const bool weight =
                    op && k > 1 &&
                    (!few_parameters || (argument < op->inputs.size() && is_weight_name(op->inputs[argument])));
                if (!weight) used_as_data[operand] = true;
            }
        }
        for (const GraphBody& body : bodies_)  // a parameter that a body does not use is left out
            for (ExprId parameter : module_.parameters(body.function)) {
                used_as_data[parameter.value] = used[parameter.value];
                used[parameter.value] = true;
            }
        for (uint32_t i = 0; i < reached_.size(); ++i) {
            const ExprKind kind = module_.kind(ExprId(i));
            if (!reached_[i] || ExprId(i) == output_) continue;
            folded_[i] = kind == ExprKind::Constant || (kind == ExprKind::Var && used[i] && !used_as_data[i]);
        }
    }

    bool is_shown(ExprId id) const {
        const uint32_t i = id.value;
        return i < reached_.size() && reached_[i] && !folded_[i] && !alias_[i].valid() && !is_callee_only(id) &&
               !(module_.kind(id) == ExprKind::Function && is_callee(id));
    }

    bool is_callee(ExprId function) const { return function.value < callee_.size() && callee_[function.value]; }

    void add_nodes() {
        callee_.assign(reached_.size(), false);
        for (uint32_t i = 0; i < reached_.size(); ++i)
            if (reached_[i] && module_.kind(ExprId(i)) == ExprKind::Call)
                callee_[module_.callee(ExprId(i)).value] = true;
        model_->node_of_expr.assign(module_.size(), -1);
        uint32_t shown = 0;
        for (uint32_t i = 0; i < reached_.size(); ++i) shown += is_shown(ExprId(i));
        model_->nodes.reserve(shown);
        for (const GraphBody& body : bodies_) bodies_of_call_[body.call].push_back(&body);
        for (uint32_t i = 0; i < reached_.size(); ++i) add_node(ExprId(i));
    }

    /// What a call runs comes before it. Bodies are nested to a limited depth.
    void add_node(ExprId id) {
        if (!is_shown(id) || model_->node_of_expr[id.value] >= 0) return;
        if (const auto found = bodies_of_call_.find(id); found != bodies_of_call_.end())
            for (const GraphBody* body : found->second)
                for (uint32_t inside : body->inside) add_node(ExprId(inside));
        model_->node_of_expr[id.value] = int32_t(model_->nodes.size());
        model_->nodes.push_back(is_plain_call(id) ? describe_plain_call(id) : describe_node(id));
        if (!is_plain_call(id) && module_.kind(id) == ExprKind::Call) add_name(model_->nodes.back());
    }

    /// Calls of operators, most of a large graph: few of them differ in operator, attributes and type.
    bool is_plain_call(ExprId id) const { return module_.called_op(id).valid(); }

    GraphNode describe_plain_call(ExprId id) {
        const quint64 call = quint64(module_.called_op(id).value) << 32 | module_.attributes_id(id).value;
        const auto key = std::make_pair(call, module_.type(id).value);
        auto found = calls_.find(key);
        if (found == calls_.end()) found = calls_.insert(key, describe_node(id));
        GraphNode node = *found;
        node.expr = id;
        node.origin = module_.origin(id);
        node.is_output = id == output_;
        add_name(node);
        return node;
    }

    /// Writes the file's name on a node that has one, and makes room for it.
    void add_name(GraphNode& node) {
        if (!options_.show_names) return;
        node.name = shortened(to_qstring(module_.label(node.expr)));
        if (!node.name.isEmpty()) node.size = measure_.size_of(node);
    }

    GraphNode describe_node(ExprId id) {
        GraphNode node;
        node.expr = id;
        node.origin = module_.origin(id);
        node.is_output = id == output_;
        if (options_.show_types) node.type = short_type_of(module_.type(id));
        switch (module_.kind(id)) {
            case ExprKind::Call: describe_call(id, node); break;
            case ExprKind::Tuple:
                node.kind = GraphNodeKind::Tuple;
                node.title = tuple_title(module_.operands(id).size());
                node.type.clear();
                break;
            case ExprKind::Projection:
                node.kind = GraphNodeKind::Projection;
                node.title = field_title(module_.projection_index(id));
                node.type.clear();
                break;
            case ExprKind::Var:
                node.kind = GraphNodeKind::Parameter;
                node.title = QLatin1Char('%') + to_qstring(module_.name(id));
                break;
            case ExprKind::Constant:
                node.kind = GraphNodeKind::Constant;
                node.title = constant_text(id);
                break;
            case ExprKind::Function:
                node.kind = GraphNodeKind::Function;
                node.title = QStringLiteral("fn");
                break;
            default:
                node.kind = GraphNodeKind::Control;
                node.title = control_name(module_.kind(id));
                break;
        }
        // A node's texts are measured at each frame.
        for (QString* text : {&node.title, &node.detail, &node.type}) *text = shortened(*text);
        node.size = measure_.size_of(node);
        return node;
    }

    QString tuple_title(size_t fields) {
        QString& title = tuple_titles_[fields];
        if (title.isEmpty()) title = GraphModelWords::tr("tuple of %1").arg(fields);
        return title;
    }

    QString field_title(uint32_t index) {
        QString& title = field_titles_[index];
        if (title.isEmpty()) title = GraphModelWords::tr("field %1").arg(index);
        return title;
    }

    void describe_call(ExprId id, GraphNode& node) {
        const ExprId callee = module_.callee(id);
        switch (module_.kind(callee)) {
            case ExprKind::Op:
                node.title = to_qstring(called_op_record(module_, id)->name);
                node.detail = short_attributes(module_, id, options_);
                break;
            case ExprKind::GlobalVar:
                node.kind = GraphNodeKind::SubFunction;
                node.title = QLatin1Char('@') + to_qstring(module_.name(callee));
                node.detail = function_detail(called_function(module_, id));
                break;
            case ExprKind::Function:
                node.kind = GraphNodeKind::Composite;
                node.title = composite_name(callee);
                node.detail = GraphModelWords::tr("composite");
                break;
            default: node.title = QStringLiteral("call"); break;
        }
    }

    QString composite_name(ExprId function) const {
        const FunctionInfo& info = module_.function_info(function);
        if (std::string_view name = info.string_attribute("Composite"); !name.empty()) return to_qstring(name);
        if (std::string_view name = info.string_attribute("Compiler"); !name.empty()) return to_qstring(name);
        return QStringLiteral("fn");
    }

    QString function_detail(ExprId function) const {
        if (!function.valid()) return {};
        return to_qstring(module_.function_info(function).string_attribute("Compiler"));
    }

    QString constant_text(ExprId id) const {
        const Tensor& value = module_.constant(id);
        if (value.size() == 1) return QString::number(value.at(0));
        return QStringLiteral("constant");
    }

    static QString control_name(ExprKind kind) {
        switch (kind) {
            case ExprKind::If: return QStringLiteral("if");
            case ExprKind::RefCreate: return QStringLiteral("ref");
            case ExprKind::RefRead: return QStringLiteral("ref_read");
            case ExprKind::RefWrite: return QStringLiteral("ref_write");
            default: return QStringLiteral("?");
        }
    }

    QString short_type_of(TypeId type) {
        if (!type.valid()) return {};
        auto found = type_text_.find(type.value);
        if (found == type_text_.end()) found = type_text_.insert(type.value, short_type(module_, type));
        return *found;
    }

    float bytes_of(TypeId type) {
        if (!type.valid()) return 0;
        if (type.value >= type_bytes_.size()) type_bytes_.resize(type.value + 1, -1);
        if (type_bytes_[type.value] >= 0) return type_bytes_[type.value];
        double bytes = 0;
        const TypeTable& types = module_.types();
        if (types.is_tensor(type)) {
            bytes = double(types.dtype(type).bytes());
            for (int64_t dim : types.shape(type)) bytes *= double(std::max<int64_t>(dim, 1));
        } else if (types.is_tuple(type)) {
            for (TypeId part : types.parts(type))
                if (types.is_tensor(part)) bytes += double(bytes_of(part));
        }
        return type_bytes_[type.value] = float(bytes);
    }

    void add_edges() {
        for (uint32_t to = 0; to < model_->nodes.size(); ++to) {
            const ExprId id = model_->nodes[to].expr;
            if (module_.kind(id) == ExprKind::Function) continue;
            std::span<const ExprId> operands = module_.operands(id);
            const std::set<ExprId> into_bodies = bodies_of_call_.empty() ? std::set<ExprId>() : add_body_edges(to, id);
            for (uint32_t k = 0; k < operands.size(); ++k)
                if (!into_bodies.count(operands[k])) add_edge(operands[k], to, k);
        }
    }

    void add_edge(ExprId operand, uint32_t to, uint32_t argument) {
        const int32_t from = model_->node_of(resolve(operand));
        if (from >= 0 && to != uint32_t(from))
            model_->edges.push_back({uint32_t(from), to, argument, bytes_of(module_.type(operand))});
    }

    /// Leads a call's operands into its bodies, and their results to the call. Returns the operands that are in bodies.
    std::set<ExprId> add_body_edges(uint32_t to, ExprId call) {
        constexpr uint32_t kNoArgument = UINT32_MAX;
        std::set<ExprId> into;
        const auto found = bodies_of_call_.find(call);
        if (found == bodies_of_call_.end()) return into;
        for (const GraphBody* body : found->second) {
            const std::span<const ExprId> parameters = module_.parameters(body->function);
            for (size_t i = 0; i < parameters.size(); ++i) {
                if (!body->from[i].valid()) continue;
                const int32_t node = model_->node_of(parameters[i]);
                if (node >= 0) add_edge(body->from[i], uint32_t(node), kNoArgument);
                if (node >= 0 || alias_[parameters[i].value].valid()) into.insert(body->from[i]);
            }
            add_edge(module_.body(body->function), to, kNoArgument);
        }
        return into;
    }

    const Module& module_;
    const GraphModelOptions& options_;
    const Graph* file_;
    std::shared_ptr<GraphModel> model_;
    std::vector<bool> reached_, folded_, callee_;
    std::vector<ExprId> alias_;
    std::vector<GraphBody> bodies_;
    std::map<ExprId, std::vector<const GraphBody*>> bodies_of_call_;
    ExprId output_;
    NodeMeasure measure_;
    QHash<uint32_t, QString> type_text_, field_titles_;
    QHash<size_t, QString> tuple_titles_;
    std::vector<float> type_bytes_;  ///< by TypeId; negative where it is not known yet
    QHash<std::pair<quint64, uint32_t>, GraphNode> calls_;
};

}  // namespace

void GraphModel::index_edges() {
    const auto index = [this](auto end_of, std::vector<uint32_t>& begin, std::vector<uint32_t>& list) {
        begin.assign(nodes.size() + 1, 0);
        for (const GraphEdge& edge : edges) ++begin[end_of(edge) + 1];
        std::partial_sum(begin.begin(), begin.end(), begin.begin());
        list.resize(edges.size());
        std::vector<uint32_t> next(begin.begin(), begin.end() - 1);
        for (uint32_t i = 0; i < edges.size(); ++i) list[next[end_of(edges[i])]++] = i;
    };
    index([](const GraphEdge& edge) { return edge.from; }, out_begin, out_list);
    index([](const GraphEdge& edge) { return edge.to; }, in_begin, in_list);
    node_of_origin_.clear();
    const std::vector<GraphNode>& all = whole().nodes;
    uint32_t last = 0;
    for (const GraphNode& node : all)
        if (node.origin.valid()) last = std::max(last, node.origin.value + 1);
    node_of_origin_.assign(last, -1);
    for (size_t i = all.size(); i-- > 0;)
        if (all[i].origin.valid()) node_of_origin_[all[i].origin.value] = full ? node_of(all[i].expr) : int32_t(i);
}

NodeMeasure::NodeMeasure() {
    title_font_.setPointSizeF(10);
    title_font_.setBold(true);
    detail_font_.setPointSizeF(8.5);
}

double NodeMeasure::width_of(const QString& text, bool title) {
    QHash<QString, double>& cache = title ? title_width_ : detail_width_;
    auto found = cache.find(text);
    if (found != cache.end()) return *found;
    const QFont& font = title ? title_font_ : detail_font_;
    // Painted in pixels of the graph, however many dots the screen has to an inch.
    const double scale = (title ? 13.0 : 11.0) / std::max(1, QFontInfo(font).pixelSize());
    return *cache.insert(text, QFontMetricsF(font).horizontalAdvance(text) * scale);
}

QSizeF NodeMeasure::size_of(const GraphNode& node) {
    const bool small = node.kind == GraphNodeKind::Projection || node.kind == GraphNodeKind::Tuple;
    const double width = std::max({width_of(node.title, true), width_of(node.name, false), width_of(node.detail, false),
                                   width_of(node.type, false)});
    if (small) return {std::clamp(width + 18, 56.0, kMaximalWidth), kSmallHeight};
    const int lines = int(!node.name.isEmpty()) + int(!node.detail.isEmpty()) + int(!node.type.isEmpty());
    return {std::clamp(width + kPadding, kMinimalWidth, kMaximalWidth),
            kTitleHeight + lines * kLineHeight + kBottomMargin};
}

GraphModelPtr build_graph_model(ModulePtr module, ExprId function, const GraphModelOptions& options,
                                const Graph* file) {
    return Builder(std::move(module), function, options, file).build();
}

QString short_type(const Module& module, TypeId type) {
    const TypeTable& types = module.types();
    if (!type.valid()) return {};
    if (types.is_tuple(type)) {
        std::span<const TypeId> parts = types.parts(type);
        if (parts.empty()) return QStringLiteral("()");
        QString text = QLatin1Char('(') + short_type(module, parts[0]);
        if (parts.size() > 1) text += GraphModelWords::tr(", … %1 fields").arg(parts.size());
        return text + QLatin1Char(')');
    }
    if (!types.is_tensor(type)) return to_qstring(types.to_string(type));
    return to_qstring(short_tensor_type(types, type));
}

QString short_attributes(const Module& module, ExprId call, const GraphModelOptions& options) {
    constexpr int kMostLetters = 40;
    bool chosen = false;
    const auto choose = [&](const std::string& op, const std::string& attribute) {
        const auto found = options.attributes.find(QString::fromStdString(op + '.' + attribute));
        if (found == options.attributes.end())
            return options.show_attributes ? ShowAttribute::IfSet : ShowAttribute::Never;
        chosen = chosen || *found;
        return *found ? ShowAttribute::Always : ShowAttribute::Never;
    };
    const QString text =
        to_qstring(options.attributes.isEmpty() && options.show_attributes ? attribute_summary(module, call)
                                                                           : attribute_summary(module, call, choose));
    const int limit = chosen ? 2 * kMostLetters : kMostLetters;
    return text.size() > limit ? text.left(limit - 1) + QStringLiteral("…") : text;
}

}  // namespace partita
