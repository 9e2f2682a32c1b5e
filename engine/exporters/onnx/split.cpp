#include "engine/exporters/onnx/split.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/exporters/onnx/model_writer.h"
#include "engine/ir/called_function.h"
#include "engine/support/json_text.h"

namespace partita::onnx_export {

namespace {

using Json = nlohmann::ordered_json;

class Splitter {
public:
    Splitter(const Module& module, const CancelToken& cancel, const std::map<std::string, std::string>& short_names)
        : module_(module), cancel_(cancel), short_names_(short_names) {}

    std::vector<SplitFile> split();

private:
    ExprId function_of(const std::string& domain, ExprId origin) const;
    ExprId function_of(const Node& node) const { return function_of(node.domain, node.origin); }
    bool is_region(const Node& node) const;
    void find_levels();
    void find_stretches();
    void add_files(const std::string& file, const std::function<Message(ExternalFile*)>& build);
    void write_stretch(int level);
    void write_region(const Node& node);
    std::vector<Value> with_types(const std::set<std::string>& names) const;
    Json described(const std::vector<Value>& values) const;

    const Module& module_;
    CancelToken cancel_;
    const std::map<std::string, std::string>& short_names_;
    Graph graph_{false};
    std::vector<int> levels_;  ///< by node; that of a region equals that of its operands
    /// The nodes between regions at one level, with the values that enter and leave.
    struct Stretch {
        std::vector<size_t> nodes, regions;
        std::set<std::string> inputs, outputs;
    };
    std::vector<Stretch> stretches_;
    std::map<std::string, TypeId> types_;
    std::map<std::string, std::string> file_of_function_;
    std::set<std::string> file_names_;
    Json models_ = Json::array();
    std::vector<SplitFile> files_;
};

/// Returns the function that a node calls; invalid if there is none.
ExprId Splitter::function_of(const std::string& domain, ExprId origin) const {
    return domain.empty() || !origin.valid() ? ExprId() : called_function(module_, origin);
}

bool Splitter::is_region(const Node& node) const {
    ExprId function = function_of(node);
    return function.valid() && !module_.function_info(function).string_attribute("Compiler").empty();
}

/// Assigns levels. All nodes of one expression share a level, so that only its results cross between models.
void Splitter::find_levels() {
    std::unordered_map<std::string_view, int> of_value;
    std::unordered_map<ExprId, int> of_origin;
    const std::vector<Node>& nodes = graph_.nodes();
    levels_.assign(nodes.size(), 0);
    for (size_t begin = 0; begin < nodes.size();) {
        size_t end = begin;
        int level = 0;
        for (; end < nodes.size() && nodes[end].origin == nodes[begin].origin; ++end)
            for (const auto* list : {&nodes[end].inputs, &nodes[end].captured})
                for (const std::string& input : *list)
                    if (auto it = of_value.find(input); it != of_value.end()) level = std::max(level, it->second);
        for (size_t i = begin; i < end; ++i) {
            levels_[i] = level;
            for (const std::string& output : nodes[i].outputs) of_value[output] = level + (is_region(nodes[i]) ? 1 : 0);
        }
        begin = end;
    }
}

std::vector<Value> Splitter::with_types(const std::set<std::string>& names) const {
    std::vector<Value> values;
    for (const std::string& name : names) values.push_back({name, types_.at(name)});
    return values;
}

Json Splitter::described(const std::vector<Value>& values) const {
    Json list = Json::array();
    for (const Value& value : values) {
        auto shape = module_.types().shape(value.type);
        list.push_back({{"name", value.name},
                        {"type", module_.types().dtype(value.type).to_string()},
                        {"shape", std::vector<int64_t>(shape.begin(), shape.end())}});
    }
    return list;
}

void Splitter::find_stretches() {
    const std::vector<Node>& nodes = graph_.nodes();
    constexpr int kOutside = -1;  // computed by a region, or an input of the module
    std::unordered_map<std::string_view, int> made_in;
    stretches_.resize(nodes.empty() ? 0 : size_t(*std::max_element(levels_.begin(), levels_.end())) + 1);
    auto use = [&](const std::string& value, int where) {
        if (value.empty() || graph_.is_constant(value)) return;
        auto it = made_in.find(value);
        int from = it == made_in.end() ? kOutside : it->second;
        if (from == where && from != kOutside) return;
        if (from != kOutside) stretches_[size_t(from)].outputs.insert(value);
        if (where != kOutside) stretches_[size_t(where)].inputs.insert(value);
    };
    for (size_t i = 0; i < nodes.size(); ++i) {
        int where = is_region(nodes[i]) ? kOutside : levels_[i];
        for (const auto* list : {&nodes[i].inputs, &nodes[i].captured})
            for (const std::string& input : *list) use(input, where);
        for (const std::string& output : nodes[i].outputs) made_in[output] = where;
        Stretch& stretch = stretches_[size_t(levels_[i])];
        (where == kOutside ? stretch.regions : stretch.nodes).push_back(i);
    }
    for (const Value& output : graph_.outputs()) use(output.name, kOutside);
}

void Splitter::add_files(const std::string& file, const std::function<Message(ExternalFile*)>& build) {
    ModelFiles made = model_files(build, file);
    if (!made.weights_name.empty()) files_.push_back({made.weights_name, std::move(made.weights)});
    files_.push_back({file, std::move(made.model)});
}

void Splitter::write_stretch(int level) {
    const Stretch& stretch = stretches_[size_t(level)];
    if (stretch.nodes.empty()) return;
    std::string file = "default_" + std::to_string(level) + ".onnx";
    add_files(file, [&](ExternalFile* external) {
        Graph part = graph_.part(stretch.nodes, with_types(stretch.inputs), with_types(stretch.outputs));
        ModelWriter writer(module_, cancel_, external);
        // A region in a branch stays there: which models run is known before the run.
        for (const InnerNode& node : part.foreign_nodes()) {
            ExprId function = function_of(node.domain, node.origin);
            if (function.valid() && writer.function(function, node.op_type, node.domain).name != node.op_type)
                throw Refusal{"two functions are named " + node.op_type};
        }
        return writer.model(part, file);
    });
    Json entry{{"file", file}, {"backend", "default"}, {"inputs", Json::object()}, {"outputs", Json::object()}};
    for (const std::string& name : stretch.inputs) entry["inputs"][name] = name;
    for (const std::string& name : stretch.outputs) entry["outputs"][name] = name;
    models_.push_back(std::move(entry));
}

void Splitter::write_region(const Node& node) {
    ExprId function = function_of(node);
    std::string& file = file_of_function_[node.domain + ":" + node.op_type];
    Graph graph = ModelWriter(module_, cancel_).graph_of(function);
    std::string backend(module_.function_info(function).string_attribute("Compiler"));
    if (file.empty()) {
        file = node.op_type + ".onnx";
        if (!file_names_.insert(file).second) file = std::to_string(files_.size()) + "_" + file;
        add_files(file, [&](ExternalFile* external) {
            ModelWriter writer(module_, cancel_, external);
            Graph whole = writer.graph_of(function);
            writer.add_metadata("partita.backend", backend);
            return writer.model(whole, node.op_type);
        });
    }
    Json entry{{"file", file}, {"backend", backend}, {"function", node.op_type}};
    if (const auto named = short_names_.find(node.op_type); named != short_names_.end())
        entry["short_name"] = named->second;
    for (const char* list : {"inputs", "outputs"}) entry[list] = Json::object();
    for (size_t i = 0; i < node.inputs.size(); ++i) entry["inputs"][graph.inputs()[i].name] = node.inputs[i];
    for (size_t i = 0; i < node.outputs.size(); ++i) entry["outputs"][graph.outputs()[i].name] = node.outputs[i];
    models_.push_back(std::move(entry));
}

std::vector<SplitFile> Splitter::split() {
    ModelWriter whole(module_, cancel_);
    graph_ = whole.graph_of(entry_function(module_));
    graph_.drop_unused();
    for (const auto* list : {&graph_.types(), &graph_.inputs(), &graph_.outputs()})
        for (const Value& value : *list) types_.emplace(value.name, value.type);
    find_levels();
    find_stretches();
    for (size_t level = 0; level < stretches_.size(); ++level) {
        write_stretch(int(level));
        for (size_t i : stretches_[level].regions) write_region(graph_.nodes()[i]);
    }
    Json manifest{{"format", "partita-onnx-split"},
                  {"version", 1},
                  {"inputs", described(graph_.inputs())},
                  {"outputs", described(graph_.outputs())},
                  {"models", std::move(models_)}};
    Piece text;
    text.text = json_text(manifest, 1, JsonLetters::Ascii) + "\n";
    files_.push_back({"manifest.json", {std::move(text)}});
    return std::move(files_);
}

}  // namespace

Result<std::vector<SplitFile>> split_models(const Module& module, const CancelToken& cancel,
                                            const std::map<std::string, std::string>& short_names) {
    try {
        return Splitter(module, cancel, short_names).split();
    } catch (const Refusal& refusal) {
        return error(refusal.message);
    }
}

}  // namespace partita::onnx_export
