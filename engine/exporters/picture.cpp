#include "engine/exporters/picture.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/exporters/graph_text.h"
#include "engine/exporters/picture_groups.h"
#include "engine/flow/names.h"
#include "engine/flow/region_names.h"
#include "engine/ir/called_function.h"
#include "engine/ops/registry.h"
#include "engine/ops/weight_inputs.h"
#include "engine/support/utf8.h"

namespace partita {
namespace {

// Sizes of the window's nodes, and the widths of letters in a font as wide as any that a desktop uses: what is written
// here is shown by viewers with fonts of their own.
constexpr double kSmallestWidth = 92, kLargestWidth = 236, kNodeMargin = 26;
constexpr double kTitleHeight = 26, kLineHeight = 15, kBottomMargin = 5, kSmallHeight = 22;
constexpr double kBoldLetter = 1.1;
constexpr double kShareBar = 8;
constexpr size_t kLongestRegion = 60;

double letter_width(std::string_view letter, char32_t code) {
    constexpr double kNarrow = 0.38, kUsual = 0.61, kCapital = 0.66, kWide = 0.95, kIdeograph = 1.05;
    if (code >= 0x2E80) return kIdeograph;
    if (letter.size() > 1) return kCapital;
    if (std::string_view("iljtf.,:;'|!()[] /").find(letter) != std::string_view::npos) return kNarrow;
    if (std::string_view("mwMW%@").find(letter) != std::string_view::npos) return kWide;
    return code >= 'A' && code <= 'Z' ? kCapital : kUsual;
}

class PictureBuilder {
public:
    explicit PictureBuilder(const ExportSubject& subject)
        : subject_(subject), module_(*subject.graph), names_(module_), node_of_(module_.size(), kNone),
          let_value_(module_.size()) {}

    Picture build() {
        for (const ExportRegion& region : subject_.regions)
            picture_.clusters.push_back({region.short_name, region.backend_index, {}});
        ExprId main = module_.find_function("main");
        if (main.valid()) add_function(main, -1, -1);
        for (const GlobalFunction& global : module_.functions_by_name()) {
            if (global.function == main) continue;
            std::string name(module_.names().text(global.name));
            std::string compiler(module_.function_info(global.function).string_attribute("Compiler"));
            picture_.clusters.push_back({"@" + name, backend_of_name(compiler), {}});
            add_function(global.function, int(picture_.clusters.size()) - 1, backend_of_name(compiler));
        }
        name_regions();
        mark_refused();
        add_legend();
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

    /// Finds weights: parameters that operators use by a weight's name only, or of many those that are never the first
    /// argument. They are not drawn, as in the window.
    void find_weights(ExprId function, const std::vector<ExprId>& order) {
        hidden_.assign(module_.size(), false);
        const bool few = module_.parameters(function).size() <= kFewParameters;
        std::vector<bool> used_as_data(module_.size(), false), used(module_.size(), false);
        for (ExprId id : order) {
            if (module_.kind(id) == ExprKind::Function || is_annotation(id)) continue;
            const OpRecord* op = called_op_record(module_, id);
            const auto operands = module_.operands(id);
            for (size_t k = 0; k < operands.size(); ++k) {
                const uint32_t operand = look_through(operands[k]).value;
                const bool named = op && k > 0 && k - 1 < op->inputs.size() && is_weight_name(op->inputs[k - 1]);
                used[operand] = true;
                if (!op || k < 2 || (few && !named)) used_as_data[operand] = true;
            }
        }
        for (ExprId parameter : module_.parameters(function))
            hidden_[parameter.value] = used[parameter.value] && !used_as_data[parameter.value];
        output_ = look_through(module_.body(function));
        hidden_[output_.value] = false;
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
        const ExprKind kind = module_.kind(id);
        node.is_data = kind == ExprKind::Var;
        node.is_small = kind == ExprKind::Tuple || kind == ExprKind::Projection;
        node.is_output = id == output_;
        node.operators = operators_in(module_, id);
        node.name = clean_text(name_of(id));
        if (kind == ExprKind::Call) node.attributes = attributes_of_call(id);
        if (!node.is_small) node.type = clean_text(short_type_text(module_.types(), module_.type(id)));
        node.cluster = cluster_;
        node.backend = backend_;
        if (cluster_ < 0 && id.value < subject_.region_of.size()) node.cluster = subject_.region_of[id.value];
        if (cluster_ < 0 && id.value < subject_.backend_of.size()) node.backend = subject_.backend_of[id.value];
        if (node.cluster >= 0 && node.backend < 0) node.backend = picture_.clusters[size_t(node.cluster)].backend;
        if (node.backend < 0) node.backend = backend_of_callee(id);
        if (node.is_data) node.backend = -1;
        else if (kind != ExprKind::Projection)
            node.badge = short_backend_name(node);  // a field goes where its tuple goes
        measure(node);
        node_of_[id.value] = uint32_t(picture_.nodes.size());
        picture_.nodes.push_back(std::move(node));
        add_edges(id);
    }

    void measure(PictureNode& node) const {
        if (subject_.numbered && names_.number(node.expr) > 0)
            node.name += " #" + std::to_string(names_.number(node.expr));
        const double most = kLargestWidth - kNodeMargin;
        node.name = shortened_to(node.name, kTitleText, most);
        node.attributes = shortened_to(node.attributes, kDetailText, most);
        node.type = shortened_to(node.type, kDetailText, most);
        const double width = std::max({text_width(node.name, kTitleText), text_width(node.attributes, kDetailText),
                                       text_width(node.type, kDetailText)});
        node.width = node.is_small ? std::clamp(width + 18, 56.0, kLargestWidth)
                                   : std::clamp(width + kNodeMargin, kSmallestWidth, kLargestWidth);
        const int lines = int(!node.attributes.empty()) + int(!node.type.empty());
        node.height = node.is_small ? kSmallHeight : kTitleHeight + lines * kLineHeight + kBottomMargin;
    }

    std::string attributes_of_call(ExprId id) const {
        const ExprId callee = module_.callee(id);
        if (module_.kind(callee) == ExprKind::Function) return "composite";
        if (module_.kind(callee) != ExprKind::GlobalVar) return clean_text(attribute_summary(module_, id));
        const ExprId function = called_function(module_, id);
        return function.valid() ? clean_text(module_.function_info(function).string_attribute("Compiler")) : "";
    }

    /// "dnnl #17 · 3 ops"; the badge of a single operator says it already.
    void name_regions() {
        std::vector<int> ops(subject_.regions.size(), 0), nodes(subject_.regions.size(), 0);
        for (const PictureNode& node : picture_.nodes) {
            if (node.cluster < 0 || size_t(node.cluster) >= ops.size()) continue;
            ++nodes[size_t(node.cluster)];
            ops[size_t(node.cluster)] += node.operators;
        }
        for (size_t i = 0; i < ops.size(); ++i) {
            std::string& label = picture_.clusters[i].label;
            label = nodes[i] < 2 ? std::string()
                                 : shortened(clean_text(label), kLongestRegion) + " · " + std::to_string(ops[i]) +
                                       (ops[i] == 1 ? " op" : " ops");
        }
    }

    /// Marks the edges between two regions whose merge was refused because of a cycle.
    void mark_refused() {
        std::set<std::pair<int, int>> refused;
        const auto region_of = [this](ExprId expr) {
            const uint32_t node = expr.valid() && expr.value < node_of_.size() ? node_of_[expr.value] : kNone;
            return node == kNone ? -1 : picture_.nodes[node].cluster;
        };
        for (const auto& [from, to] : subject_.refused) {
            const int producer = region_of(from), consumer = region_of(to);
            if (producer >= 0 && consumer >= 0 && producer != consumer) refused.insert({producer, consumer});
        }
        for (PictureEdge& edge : picture_.edges)
            edge.refused = refused.count({picture_.nodes[edge.from].cluster, picture_.nodes[edge.to].cluster}) > 0;
    }

    /// The backends that occur, in their order, then what no backend takes.
    void add_legend() {
        std::map<int, std::string> names;
        bool some_default = false;
        for (const PictureNode& node : picture_.nodes) {
            if (node.backend >= 0)
                names.try_emplace(node.backend, shortened_to(clean_text(badge_of(node)), kDetailText, kLargestWidth));
            else some_default |= !node.is_data;
        }
        for (const auto& [backend, name] : names) picture_.legend.push_back({name, backend});
        if (!names.empty() && some_default) picture_.legend.push_back({"default", -1});
    }

    void add_edges(ExprId id) {
        auto operands = module_.operands(id);
        size_t first = module_.kind(id) == ExprKind::Call ? 1 : 0;
        for (size_t i = first; i < operands.size(); i++) {
            uint32_t from = node_of_[look_through(operands[i]).value];
            if (from != kNone) picture_.edges.push_back({from, node_of_[id.value], {}, false});
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

    std::string short_backend_name(const PictureNode& node) const {
        return shortened_to(clean_text(badge_text(badge_of(node))), kBadgeText, kLargestWidth / 2);
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
            case ExprKind::Tuple: return "tuple of " + std::to_string(module_.operands(id).size());
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
                for (const char* attribute : {"Composite", "Compiler"})
                    if (const std::string_view name = info.string_attribute(attribute); !name.empty())
                        return std::string(name);
                return "fn";
            }
            default: return "call";
        }
    }

    const ExportSubject& subject_;
    const Module& module_;
    const ExpressionNames names_;
    Picture picture_;
    std::vector<uint32_t> node_of_;
    std::vector<ExprId> let_value_;
    std::vector<bool> hidden_;
    ExprId output_;
    std::unordered_map<std::string, int> colour_of_name_;
    int cluster_ = -1, backend_ = -1;
};

}  // namespace

std::string_view badge_text(std::string_view backend) {
    constexpr std::string_view kProvider = "ExecutionProvider";
    if (backend.size() > kProvider.size() && backend.ends_with(kProvider)) backend.remove_suffix(kProvider.size());
    return backend;
}

Picture picture_graph(const ExportSubject& subject) { return PictureBuilder(subject).build(); }

LayoutGraph layout_graph(const Picture& picture) {
    LayoutGraph graph;
    graph.nodes.reserve(picture.nodes.size());
    for (const PictureNode& node : picture.nodes) graph.nodes.push_back({node.width, node.height, node.cluster});
    for (const PictureEdge& edge : picture.edges) graph.edges.push_back({edge.from, edge.to});
    for (const PictureCluster& cluster : picture.clusters) graph.clusters.push_back(cluster.label);
    return graph;
}

void measure_group(PictureNode& node) {
    constexpr double kWidestGroup = 300;
    const double most = kWidestGroup - kNodeMargin;
    double width = text_width(node.name = shortened_to(node.name, kTitleText, most), kTitleText);
    node.height = kTitleHeight + kBottomMargin + (node.shares.empty() ? 0 : kShareBar);
    for (std::string* line : {&node.attributes, &node.type, &node.shared}) {
        *line = shortened_to(*line, kDetailText, most);
        width = std::max(width, text_width(*line, kDetailText));
        node.height += line->empty() ? 0 : kLineHeight;
    }
    node.width = std::max(width + kNodeMargin, kSmallestWidth);
}

Result<Picture> make_picture(const ExportSubject& subject) {
    Picture picture = grouped_picture(subject, picture_graph(subject));
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
    // Okabe and Ito's, as the window's light theme has them: test_pictures holds the two together.
    static constexpr std::array<PictureColour, 8> kColours{{{"#d4e7f2", "#0072b2", "#ffffff", "#56616e"},
                                                            {"#fbefd4", "#e69f00", "#15191f", "#5c6875"},
                                                            {"#d4efe7", "#009e73", "#15191f", "#5c6875"},
                                                            {"#f6e8f0", "#cc79a7", "#15191f", "#5c6875"},
                                                            {"#f8e4d4", "#d55e00", "#15191f", "#5c6875"},
                                                            {"#e2f2fb", "#56b4e9", "#15191f", "#5c6875"},
                                                            {"#f3f0d4", "#b8a600", "#15191f", "#5c6875"},
                                                            {"#e8e3f4", "#7a5cc0", "#ffffff", "#5c6875"}}};
    if (backend < 0) return {"#ffffff", "#b6bfca", "#ffffff", "#5c6875"};
    return kColours[size_t(backend) % kColours.size()];
}

double text_width(std::string_view text, const PictureText& style) {
    double width = 0;
    for_each_letter(text, [&](std::string_view letter, char32_t code) { width += letter_width(letter, code); });
    return width * style.size * (style.bold ? kBoldLetter : 1);
}

std::string shortened_to(const std::string& text, const PictureText& style, double width) {
    if (text_width(text, style) <= width) return text;
    const double room = width - text_width("…", style);
    double used = 0;
    size_t end = 0;
    bool fits = true;
    for_each_letter(text, [&](std::string_view letter, char32_t) {
        used += text_width(letter, style);
        fits = fits && used <= room;
        if (fits) end += letter.size();
    });
    return text.substr(0, end) + "…";
}

std::string shortened(std::string_view text, size_t limit) {
    if (letter_count(text) <= limit) return std::string(text);
    size_t end = 0, count = 0;
    for_each_letter(text, [&](std::string_view letter, char32_t) { end += ++count < limit ? letter.size() : 0; });
    return std::string(text.substr(0, end)) + "…";
}

}  // namespace partita
