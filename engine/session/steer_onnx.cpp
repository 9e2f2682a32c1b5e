#include "engine/session/steer_onnx.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "engine/frontends/onnxruntime/steering.h"
#include "engine/support/file.h"
#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

using onnxruntime::LayerRule;
using onnxruntime::LayerRules;

constexpr std::string_view kRest = "CPUExecutionProvider";

/// Providers that take node by node: no rule hides a node from a search for groups.
bool takes_single_nodes(std::string_view provider) {
    static const std::set<std::string_view> names = {"CPUExecutionProvider",    "CUDAExecutionProvider",
                                                     "WebGpuExecutionProvider", "DmlExecutionProvider",
                                                     "JsExecutionProvider",     "ROCMExecutionProvider"};
    return names.contains(provider);
}

class Steerer {
public:
    Steerer(const FileGraph& file, const Division& division) : file_(file), stage_(file.nodes.size()) {
        for (size_t i = 0; i < file.nodes.size(); ++i) count_ += file.nodes[i].part_of < 0;
        provider_.assign(file.nodes.size(), std::string(kRest));
        for (size_t i = 0; i < division.regions.size(); ++i)
            for (NodeId node : division.regions[i].nodes) {
                provider_[node.value] = division.regions[i].backend;
                stage_[node.value] = i + 1;
            }
        warn_of_parts();
    }

    Result<Steering> steer(const std::string& path, std::string_view form) {
        onnxruntime::ModelAdditions additions;
        if (form == "names") made_.settings = rules_by_name();
        if (form == "openvino") made_.settings = map_of_openvino();
        if (form == "layers") made_.settings = annotate(additions);
        if (form == "devices") add_devices(additions);
        if (additions.to_nodes.empty()) return std::move(made_);
        const Result<std::string> bytes = read_file(path);
        if (!bytes) return bytes.error();
        Result<std::string> model = onnxruntime::with_additions(*bytes, additions);
        if (!model) return model.error();
        made_.model = std::move(*model);
        return std::move(made_);
    }

private:
    void warn(std::string text) { made_.warnings.push_back(std::move(text)); }
    std::string named(size_t node) const { return in_quotes(file_.nodes[node].name); }

    /// What is told of a call holds for all that it consists of.
    void warn_of_parts() {
        for (size_t i = 0; i < file_.nodes.size(); ++i) {
            const int64_t call = file_.nodes[i].part_of;
            if (call < 0 || stage_[i] == 0) continue;
            if (stage_[size_t(call)] == 0) provider_[size_t(call)] = provider_[i], stage_[size_t(call)] = stage_[i];
            else if (provider_[size_t(call)] != provider_[i])
                warn("the parts of " + named(size_t(call)) + " are divided among providers, which can't be told");
        }
    }

    /// The providers in the order of their first nodes.
    std::vector<std::string> providers() const {
        std::vector<std::string> list;
        for (size_t i = 0; i < count_; ++i)
            if (std::find(list.begin(), list.end(), provider_[i]) == list.end()) list.push_back(provider_[i]);
        return list;
    }

    void warn_of_providers() {
        for (const std::string& provider : providers()) {
            if (!provider.ends_with("ExecutionProvider"))
                warn("ONNX Runtime has no provider of the name " + in_quotes(provider) +
                     ": it logs an error and passes the rule over");
            else if (!takes_single_nodes(provider))
                warn(provider +
                     " compiles groups: ONNX Runtime 1.30.0 ends with \"partitioning_utils.cc:252 ... Processed ... "
                     "Expected to process ...\" where a rule hides a node from it; no public issue is known");
        }
    }

    /// After fusing, a Gemm has the annotation, or the name, of its MatMul.
    void warn_of_fusions() {
        std::unordered_map<std::string_view, std::vector<size_t>> users;
        for (size_t i = 0; i < count_; ++i)
            for (const std::string& input : file_.nodes[i].inputs) users[input].push_back(i);
        for (size_t i = 0; i < count_; ++i) {
            if (file_.nodes[i].op != "MatMul" || file_.nodes[i].outputs.empty()) continue;
            const std::vector<size_t>& of = users[file_.nodes[i].outputs[0]];
            if (of.size() == 1 && file_.nodes[of[0]].op == "Add" && provider_[of[0]] != provider_[i])
                warn(named(of[0]) + " goes with " + named(i) +
                     " where the runtime makes them one Gemm, which it does unless its optimization is off");
        }
    }

    /// One annotation for each provider, and rules that are exact: a prefix would beat them.
    std::string annotate(onnxruntime::ModelAdditions& additions) {
        LayerRules rules;
        for (const std::string& provider : providers()) rules.rules.push_back({provider, provider, true});
        additions.least_ir = 10;
        for (size_t i = 0; i < count_; ++i) additions.to_nodes.push_back(onnxruntime::layer_annotation(provider_[i]));
        warn_of_providers();
        warn_of_fusions();
        play(rules);
        return rules.text();
    }

    void play(const LayerRules& rules) {
        for (size_t i = 0; i < count_; ++i) {
            const std::string& asked = rules.by_name ? file_.nodes[i].name : provider_[i];
            if (rules.by_name && !file_.nodes[i].is_named) continue;
            const int rule = rules.rule_of(asked);
            if (rule < 0 || rules.rules[size_t(rule)].device != provider_[i])
                warn(named(i) + " falls under " +
                     (rule < 0 ? "no rule" : "the rule of " + rules.rules[size_t(rule)].device));
        }
    }

    /// A pattern is a part of names: the whole name of a node is longer than any other that stands in it. Where all
    /// nodes with a path in their names go to one provider, the path says it for them.
    std::string rules_by_name() {
        std::map<std::string, std::string, std::less<>> patterns;  // providers
        const std::map<std::string, std::string, std::less<>> paths = paths_of_one_provider();
        size_t unnamed = 0, unsaid = 0;
        std::map<std::string_view, size_t> first;
        for (size_t i = 0; i < count_; ++i) {
            const FileNode& node = file_.nodes[i];
            if (!node.is_named || !LayerRules::can_say(node.name)) {
                ++(node.is_named ? unsaid : unnamed);
                continue;
            }
            const auto [same, is_new] = first.try_emplace(node.name, i);
            if (!is_new && provider_[same->second] != provider_[i])
                warn(named(i) + " stands in two graphs with one name, and goes to " + provider_[same->second] +
                     " in both");
            if (!is_new) continue;
            std::string pattern = node.name;
            for (size_t at = node.name.find('/', 1); at != std::string::npos; at = node.name.find('/', at + 1))
                if (const auto path = paths.find(std::string_view(node.name).substr(0, at + 1)); path != paths.end()) {
                    pattern = path->first;
                    break;
                }
            patterns.emplace(pattern, provider_[i]);
        }
        if (unnamed) warn(std::to_string(unnamed) + " nodes have no name, so that no rule speaks of them");
        if (unsaid) warn(std::to_string(unsaid) + " names hold letters that the rules' grammar can't write");
        LayerRules rules;
        rules.by_name = true;
        for (const std::string& provider : providers())
            for (const auto& [pattern, of] : patterns)
                if (of == provider) rules.rules.push_back({provider, pattern, false});
        warn_of_providers();
        warn_of_fusions();
        play(rules);
        return rules.text();
    }

    std::map<std::string, std::string, std::less<>> paths_of_one_provider() const {
        constexpr size_t kMostCompared = 20'000'000;
        std::map<std::string, std::string, std::less<>> paths;
        for (size_t i = 0; i < count_; ++i) {
            const std::string& name = file_.nodes[i].name;
            for (size_t at = name.find('/', 1); at != std::string::npos; at = name.find('/', at + 1))
                if (LayerRules::can_say(name.substr(0, at + 1))) paths.emplace(name.substr(0, at + 1), provider_[i]);
        }
        if (paths.size() * count_ > kMostCompared) return {};
        std::erase_if(paths, [this](const auto& path) {
            for (size_t i = 0; i < count_; ++i)
                if (file_.nodes[i].name.find(path.first) != std::string::npos && provider_[i] != path.second)
                    return true;
            return false;
        });
        return paths;
    }

    void add_devices(onnxruntime::ModelAdditions& additions) {
        const std::vector<std::string> all = providers();
        additions.least_ir = 11;
        additions.to_model = onnxruntime::device_list(all);
        for (size_t i = 0; i < count_; ++i) {
            const auto device = std::find(all.begin(), all.end(), provider_[i]);
            additions.to_nodes.push_back(
                onnxruntime::device_of_node(file_.nodes[i], size_t(device - all.begin()), stage_[i]));
        }
        warn("ONNX Runtime 1.30 does not read device_configurations: they are for programs that do");
    }

    std::string map_of_openvino() {
        nlohmann::ordered_json map = nlohmann::ordered_json::object();
        std::set<std::string> unknown;
        for (size_t i = 0; i < count_; ++i) {
            std::string device;
            for (std::string_view kind : {"CPU", "GPU", "NPU"}) {
                std::string upper = provider_[i];
                std::transform(upper.begin(), upper.end(), upper.begin(),
                               [](unsigned char c) { return std::toupper(c); });
                if (upper.find(kind) != std::string::npos) device = kind;
            }
            if (device.empty()) unknown.insert(provider_[i]);
            else map[file_.nodes[i].name] = device;
        }
        for (const std::string& provider : unknown)
            warn(in_quotes(provider) + " names no device of OpenVINO: its nodes are left out");
        warn("OpenVINO names operators anew as it reads a model: those that it renames are not found by these names");
        return json_text(map, 1, JsonLetters::Ascii);
    }

    const FileGraph& file_;
    size_t count_ = 0;                   ///< of nodes that stand in the file; parts come behind them
    std::vector<std::string> provider_;  ///< by node
    std::vector<size_t> stage_;          ///< by node: its region from 1; 0: none
    Steering made_;
};

}  // namespace

Result<Steering> steer_onnx(const std::string& path, const FileGraph& file, const Division& division,
                            std::string_view form) {
    if (file.nodes.empty()) return error("there is nothing to steer");
    return Steerer(file, division).steer(path, form);
}

}  // namespace partita
