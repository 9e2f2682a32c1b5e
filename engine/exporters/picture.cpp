#include "engine/exporters/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

#include "engine/ops/registry.h"
#include "engine/support/utf8.h"

namespace partita {
namespace {

constexpr double kLetterWidth = 7.1;  // points, average of the 11-point font
constexpr double kDetailWidth = 5.5;  // points, average of the 9-point font
constexpr double kNodeMargin = 14;
constexpr double kNodeHeight = 34;
constexpr double kDataHeight = 30;
constexpr size_t kLongestLabel = 40;
constexpr size_t kLongestDetail = 48;
/// In modules with more parameters than this, those that are weights are not drawn.
constexpr size_t kFewParameters = 24;

/// Returns the width in characters of average width.
double letters(std::string_view text) {
    constexpr double kWide = 1.5, kIdeograph = 1.7;
    double count = 0;
    for_each_letter(text, [&](std::string_view letter, char32_t code) {
        count += std::string_view("mwMW%@&").find(letter) != std::string_view::npos ? kWide
                 : code >= 0x3000                                                   ? kIdeograph
                                                                                    : 1;
    });
    return count;
}

/// Returns "(1, 64, 56, 56) float32".
std::string short_type(const TypeTable& types, TypeId type) {
    if (!types.is_tensor(type)) return type.valid() ? types.to_string(type) : "";
    std::string dtype = types.dtype(type).to_string();
    if (types.shape(type).empty()) return dtype;
    return shape_to_string(types.shape(type)) + " " + dtype;
}

class PictureBuilder {
public:
    explicit PictureBuilder(const ExportSubject& subject)
        : subject_(subject), module_(*subject.graph), node_of_(module_.size(), kNone), let_value_(module_.size()) {}

    Picture build() {
        for (const ExportRegion& region : subject_.regions) {
            picture_.clusters.push_back({region.name, region.backend_index, {}});
        }
        ExprId main = module_.find_function("main");
        if (main.valid()) add_function(main, -1, -1);
        for (const GlobalFunction& global : module_.functions_by_name()) {
            if (global.function == main) continue;
            std::string name(module_.names().text(global.name));
            std::string compiler(module_.function_info(global.function).string_attribute("Compiler"));
            picture_.clusters.push_back({"@" + name, backend_of_name(compiler), {}});
            add_function(global.function, int(picture_.clusters.size()) - 1, backend_of_name(compiler));
        }
        return std::move(picture_);
    }

private:
    static constexpr uint32_t kNone = UINT32_MAX;

    int backend_of_name(const std::string& name) {
        if (name.empty()) return -1;
        auto [found, added] = colour_of_name_.try_emplace(name, int(subject_.backends.size() + colour_of_name_.size()));
        for (size_t i = 0; i < subject_.backends.size() && added; i++) {
            if (subject_.backends[i] == name) found->second = int(i);
        }
        return found->second;
    }

    void add_function(ExprId function, int cluster, int backend) {
        cluster_ = cluster;
        backend_ = backend;
        std::vector<ExprId> order = walk(module_.body(function));
        for (ExprId id : order) {
            if (module_.kind(id) == ExprKind::Let) let_value_[module_.operands(id)[0].value] = module_.operands(id)[1];
        }
        find_weights(function, order);
        for (ExprId id : order) add(id);
    }

    /// Returns operands before users, without the content of function literals.
    std::vector<ExprId> walk(ExprId root) {
        std::vector<ExprId> order;
        std::vector<std::pair<ExprId, uint32_t>> stack{{root, 0}};
        std::vector<bool> seen(module_.size(), false);
        seen[root.value] = true;
        while (!stack.empty()) {
            auto& [id, next] = stack.back();
            auto operands = module_.operands(id);
            bool leaf = module_.kind(id) == ExprKind::Function;
            if (leaf || next == operands.size()) {
                order.push_back(id);
                stack.pop_back();
                continue;
            }
            ExprId operand = operands[next++];
            if (seen[operand.value]) continue;
            seen[operand.value] = true;
            stack.emplace_back(operand, 0);
        }
        return order;
    }

    /// Finds weights: parameters that are never the first argument of a call. They are not drawn if there are many.
    void find_weights(ExprId function, const std::vector<ExprId>& order) {
        hidden_.assign(module_.size(), false);
        if (module_.parameters(function).size() <= kFewParameters) return;
        for (ExprId parameter : module_.parameters(function)) hidden_[parameter.value] = true;
        for (ExprId id : order) {
            bool call = module_.kind(id) == ExprKind::Call;
            auto operands = module_.operands(id);
            size_t shown = call ? std::min<size_t>(operands.size(), 2) : operands.size();
            for (size_t i = 0; i < shown; i++) hidden_[operands[i].value] = false;
        }
    }

    bool is_annotation(ExprId id) const {
        const OpRecord* op = called_op_record(module_, id);
        return op && (op->name == "annotation.compiler_begin" || op->name == "annotation.compiler_end");
    }

    /// Returns the expression that stands for one that is not drawn.
    ExprId look_through(ExprId id) const {
        while (true) {
            if (module_.kind(id) == ExprKind::Let) id = module_.operands(id)[2];
            else if (module_.kind(id) == ExprKind::Var && let_value_[id.value].valid()) id = let_value_[id.value];
            else if (is_annotation(id)) id = module_.arguments(id)[0];
            else return id;
        }
    }

    void add(ExprId id) {
        switch (module_.kind(id)) {
            case ExprKind::Op:
            case ExprKind::Constant:
            case ExprKind::GlobalVar:
            case ExprKind::Let:
            case ExprKind::Function: return;
            case ExprKind::Var:
                if (!let_value_[id.value].valid() && !hidden_[id.value]) add_node(id);
                return;
            default:
                if (!is_annotation(id)) add_node(id);
        }
    }

    void add_node(ExprId id) {
        PictureNode node;
        node.expr = id;
        node.is_data = module_.kind(id) == ExprKind::Var;
        node.name = shortened(clean_text(name_of(id)), kLongestLabel);
        node.detail = shortened(clean_text(short_type(module_.types(), module_.type(id))), kLongestDetail);
        node.cluster = cluster_;
        node.backend = backend_;
        if (cluster_ < 0 && id.value < subject_.region_of.size()) node.cluster = subject_.region_of[id.value];
        if (cluster_ < 0 && id.value < subject_.backend_of.size()) node.backend = subject_.backend_of[id.value];
        if (node.cluster >= 0 && node.backend < 0) node.backend = picture_.clusters[size_t(node.cluster)].backend;
        if (node.backend < 0) node.backend = backend_of_callee(id);
        if (!node.is_data) node.badge = shortened(clean_text(badge_of(node)), kLongestLabel);
        double text_width = std::max(kLetterWidth * letters(node.name), kDetailWidth * letters(node.detail));
        node.width = text_width + kNodeMargin + kDetailWidth * (node.badge.empty() ? 0 : letters(node.badge) + 2);
        node.height = node.is_data ? kDataHeight : kNodeHeight;
        node_of_[id.value] = uint32_t(picture_.nodes.size());
        picture_.nodes.push_back(std::move(node));
        add_edges(id);
    }

    void add_edges(ExprId id) {
        auto operands = module_.operands(id);
        size_t first = module_.kind(id) == ExprKind::Call ? 1 : 0;
        for (size_t i = first; i < operands.size(); i++) {
            uint32_t from = node_of_[look_through(operands[i]).value];
            if (from != kNone) picture_.edges.push_back({from, node_of_[id.value], {}});
        }
    }

    /// Returns the backend of a call of a sub-function: that of the function.
    int backend_of_callee(ExprId id) {
        if (module_.kind(id) != ExprKind::Call) return -1;
        ExprId callee = look_through(module_.callee(id));
        if (module_.kind(callee) == ExprKind::GlobalVar) callee = module_.find_function(module_.name(callee));
        if (!callee.valid() || module_.kind(callee) != ExprKind::Function) return -1;
        return backend_of_name(std::string(module_.function_info(callee).string_attribute("Compiler")));
    }

    std::string badge_of(const PictureNode& node) const {
        if (node.backend < 0) return "";
        if (size_t(node.backend) < subject_.backends.size()) return subject_.backends[size_t(node.backend)];
        for (const auto& [name, colour] : colour_of_name_) {
            if (colour == node.backend) return name;
        }
        return node.cluster >= 0 && size_t(node.cluster) < subject_.regions.size()
                   ? subject_.regions[size_t(node.cluster)].backend
                   : "";
    }

    std::string name_of(ExprId id) const {
        switch (module_.kind(id)) {
            case ExprKind::Var: return "%" + std::string(module_.name(id));
            case ExprKind::Tuple: return "tuple";
            case ExprKind::Projection: return "field " + std::to_string(module_.projection_index(id));
            case ExprKind::If: return "if";
            case ExprKind::RefCreate: return "ref";
            case ExprKind::RefRead: return "ref_read";
            case ExprKind::RefWrite: return "ref_write";
            default: return callee_name(module_.callee(id));
        }
    }

    std::string callee_name(ExprId callee) const {
        switch (module_.kind(callee)) {
            case ExprKind::Op: return op_registry()[OpId(module_[callee].payload)].name;
            case ExprKind::GlobalVar: return "@" + std::string(module_.name(callee));
            case ExprKind::Var: return "%" + std::string(module_.name(callee));
            case ExprKind::Function: {
                const FunctionInfo& info = module_.function_info(callee);
                std::string composite(info.string_attribute("Composite"));
                return composite.empty() ? "fn" : composite;
            }
            default: return "call";
        }
    }

    const ExportSubject& subject_;
    const Module& module_;
    Picture picture_;
    std::vector<uint32_t> node_of_;
    std::vector<ExprId> let_value_;
    std::vector<bool> hidden_;
    std::unordered_map<std::string, int> colour_of_name_;
    int cluster_ = -1, backend_ = -1;
};

}  // namespace

Picture picture_graph(const ExportSubject& subject) { return PictureBuilder(subject).build(); }

LayoutGraph layout_graph(const Picture& picture) {
    LayoutGraph graph;
    graph.nodes.reserve(picture.nodes.size());
    for (const PictureNode& node : picture.nodes) graph.nodes.push_back({node.width, node.height, node.cluster});
    for (const PictureEdge& edge : picture.edges) graph.edges.push_back({edge.from, edge.to});
    for (const PictureCluster& cluster : picture.clusters) graph.clusters.push_back(cluster.label);
    return graph;
}

Result<Picture> make_picture(const ExportSubject& subject) {
    Picture picture = picture_graph(subject);
    Result<LayoutResult> layout = lay_out(layout_graph(picture), LayoutEngine::Auto, subject.cancel);
    if (!layout) return layout.error();
    for (size_t i = 0; i < picture.nodes.size(); i++) picture.nodes[i].place = layout->nodes[i];
    for (size_t i = 0; i < picture.edges.size(); i++) picture.edges[i].points = std::move(layout->edges[i]);
    for (size_t i = 0; i < picture.clusters.size(); i++) picture.clusters[i].box = layout->clusters[i];
    picture.width = layout->width;
    picture.height = layout->height;
    return picture;
}

std::array<LayoutPoint, 2> arrow_corners(const PictureEdge& edge) {
    constexpr double length = 6, half_width = 3;
    const LayoutPoint& tip = edge.points.back();
    const LayoutPoint& before = edge.points[edge.points.size() - 2];
    double x = tip.x - before.x, y = tip.y - before.y, distance = std::hypot(x, y);
    if (distance < 1e-6) x = 0, y = distance = 1;
    x /= distance;
    y /= distance;
    LayoutPoint back{tip.x - length * x, tip.y - length * y};
    return {LayoutPoint{back.x - half_width * y, back.y + half_width * x},
            LayoutPoint{back.x + half_width * y, back.y - half_width * x}};
}

PictureColour picture_colour(int backend) {
    static constexpr std::array<PictureColour, 7> kColours{{{"#cfe8f7", "#0072b2"},
                                                            {"#fde2c0", "#d55e00"},
                                                            {"#cdeee2", "#009e73"},
                                                            {"#f3d9e8", "#cc79a7"},
                                                            {"#faf5c4", "#9a8a00"},
                                                            {"#dff2fc", "#56b4e9"},
                                                            {"#ffedcc", "#e69f00"}}};
    if (backend < 0) return {"#eeeeee", "#777777"};
    return kColours[size_t(backend) % kColours.size()];
}

std::string shortened(std::string_view text, size_t limit) {
    if (letters(text) <= limit) return std::string(text);
    size_t end = 0, count = 0;
    for_each_letter(text, [&](std::string_view letter, char32_t) { end += ++count < limit ? letter.size() : 0; });
    return std::string(text.substr(0, end)) + "…";
}

}  // namespace partita
