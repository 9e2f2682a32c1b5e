#include "engine/lessons/lesson_graph.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/flow/weights.h"
#include "engine/ops/annotations.h"
#include "engine/ops/cost.h"
#include "engine/session/session.h"
#include "engine/support/json_reader.h"
#include "engine/support/json_text.h"

namespace partita {

namespace {

/// A lesson's graph is small; each question costs a flow.
constexpr size_t kMostExpressions = 20000;
constexpr size_t kLongestRule = 10000;

const BackendPtr* of_name(const std::vector<BackendPtr>& backends, const std::string& name) {
    for (const BackendPtr& backend : backends)
        if (backend->name == name) return &backend;
    return nullptr;
}

/// Returns the text of an operator's rule; "false" where there is none.
std::string rule_of(const BackendDescription& backend, const std::string& op) {
    const auto rule = backend.ops.find(op);
    return rule == backend.ops.end() ? "false" : rule->second.text;
}

}  // namespace

Result<BackendPtr> with_rule(const BackendPtr& backend, const std::vector<std::string>& place,
                             const std::string& rule) {
    if (rule.size() > kLongestRule) return error("a rule has at most 10000 bytes");
    const std::string value = rule == "true" ? rule : json_text(nlohmann::json(rule));
    Result<BackendDescription> changed =
        parse_backend_description(with_json_value(backend->source, place, value), std::string());
    if (!changed) return error(changed.error().message);
    return BackendPtr(std::make_shared<const BackendDescription>(std::move(*changed)));
}

Result<std::vector<BackendPtr>> with_rules(std::vector<BackendPtr> backends, const ChangedRules& rules) {
    for (const auto& [name, ops] : rules) {
        const auto place = std::find_if(backends.begin(), backends.end(),
                                        [&name = name](const BackendPtr& each) { return each->name == name; });
        if (place == backends.end()) return error("the lesson has no backend \"" + name + "\"");
        for (const auto& [op, rule] : ops) {
            Result<BackendPtr> changed = with_rule(*place, {"ops", op}, rule);
            if (!changed) return changed.error();
            *place = std::move(*changed);
        }
    }
    return backends;
}

ChangedRules changed_rules(const std::vector<BackendPtr>& before, const std::vector<BackendPtr>& after) {
    ChangedRules changed;
    for (const BackendPtr& now : after) {
        const BackendPtr* then = of_name(before, now->name);
        if (!then || *then == now) continue;
        for (const auto& [op, rule] : now->ops)
            if (rule.text != rule_of(**then, op)) changed[now->name][op] = rule.text;
        for (const auto& [op, rule] : (*then)->ops)
            if (!now->ops.contains(op)) changed[now->name][op] = "false";
    }
    return changed;
}

Result<std::shared_ptr<const LessonGraph>> LessonGraph::of(const Lesson& lesson) {
    Result<OpenedModule> opened = open_text(lesson.graph, "the lesson's graph");
    if (!opened) return opened.error();
    return of(std::move(opened->module), lesson.backends, lesson.speeds);
}

Result<std::shared_ptr<const LessonGraph>> LessonGraph::of(ModulePtr module, std::vector<BackendPtr> backends,
                                                           const std::optional<LessonSpeeds>& speeds) {
    if (module->size() > kMostExpressions) return error("a lesson's graph has at most 20000 expressions");
    std::shared_ptr<LessonGraph> graph(new LessonGraph(std::move(module), std::move(backends), speeds));
    if (Status divided = graph->divide({}); !divided) return divided.error();
    return std::shared_ptr<const LessonGraph>(std::move(graph));
}

Result<std::shared_ptr<const LessonGraph>> LessonGraph::with(const LessonSetting& setting) const {
    std::vector<BackendPtr> ordered;
    for (const std::string& name : setting.order) {
        const auto found = std::find_if(backends_.begin(), backends_.end(),
                                        [&](const BackendPtr& backend) { return backend->name == name; });
        if (found == backends_.end()) return error("the lesson has no backend \"" + name + "\"");
        if (std::find(ordered.begin(), ordered.end(), *found) == ordered.end()) ordered.push_back(*found);
    }
    for (const BackendPtr& backend : backends_)
        if (std::find(ordered.begin(), ordered.end(), backend) == ordered.end()) ordered.push_back(backend);
    Result<std::vector<BackendPtr>> changed = with_rules(std::move(ordered), setting.rules);
    if (!changed) return changed.error();
    std::shared_ptr<LessonGraph> graph(new LessonGraph(module_, std::move(*changed), speeds_));
    if (Status divided = graph->divide(setting); !divided) return divided.error();
    return std::shared_ptr<const LessonGraph>(std::move(graph));
}

Result<std::shared_ptr<const LessonGraph>> LessonGraph::with_backend(const BackendPtr& backend) const {
    std::vector<BackendPtr> backends = backends_;
    for (BackendPtr& each : backends)
        if (each->name == backend->name) each = backend;
    std::shared_ptr<LessonGraph> graph(new LessonGraph(module_, std::move(backends), speeds_));
    if (Status divided = graph->divide(setting_); !divided) return divided.error();
    return std::shared_ptr<const LessonGraph>(std::move(graph));
}

Result<std::shared_ptr<const LessonGraph>> LessonGraph::of(const std::shared_ptr<const LessonGraph>& graph,
                                                           const LessonPage& page) {
    if (page.with.empty()) return graph;
    return graph->with(page.with);
}

Status LessonGraph::divide(const LessonSetting& setting) {
    FlowChoice choice;
    choice.backends = backends_;
    choice.annotate = choice.merge = true;
    choice.partitioner = setting.partitioner;
    FlowOptions options = flow_options(choice, has_annotations(*module_), CancelToken());
    for (const auto& [call, backend] : setting.backends) {
        if (!has(call)) return error("there is no call #" + std::to_string(call));
        if (backend != "default" && !this->backend(backend))
            return error("the lesson has no backend \"" + backend + "\"");
        options.overrides[id(call)] = backend;
    }
    Result<FlowResult> flow = run_flow(module_, options);
    if (!flow) return flow.error();
    flow_ = std::make_shared<const FlowResult>(std::move(*flow));
    setting_ = setting;
    return Nothing();
}

std::vector<uint32_t> LessonGraph::calls() const {
    std::vector<uint32_t> numbers;
    for (ExprId call : names_.calls())
        if (module_->called_op(call).valid()) numbers.push_back(names_.number(call));
    return numbers;
}

int LessonGraph::region_of(uint32_t call) const {
    const ExprId found = id(call);
    return found.valid() ? flow_->region_of[found.value] : -1;
}

std::string LessonGraph::backend_of(uint32_t call) const {
    const ExprId found = id(call);
    const int backend = found.valid() ? flow_->backend_of[found.value] : -1;
    return backend < 0 ? "default" : backends_[size_t(backend)]->name;
}

std::vector<uint32_t> LessonGraph::calls_of(int region) const {
    std::vector<uint32_t> numbers;
    if (region < 0) return numbers;
    for (ExprId id : flow_->regions[size_t(region)].expressions)
        if (module_->called_op(id).valid()) numbers.push_back(names_.number(id));
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

std::vector<std::vector<uint32_t>> LessonGraph::regions() const {
    std::vector<std::vector<uint32_t>> all;
    for (size_t region = 0; region < flow_->regions.size(); ++region)
        if (std::vector<uint32_t> calls = calls_of(int(region)); !calls.empty()) all.push_back(std::move(calls));
    std::sort(all.begin(), all.end());
    return all;
}

double LessonGraph::moved_bytes() const {
    double bytes = 0;
    for (const RegionInfo& region : flow_->regions) bytes += region.boundary_bytes;
    return bytes;
}

DivisionFigures LessonGraph::figures() const {
    DivisionFigures figures;
    const Weights weights(*module_);
    double on_backends = 0, all = 0;
    for (ExprId call : names_.calls()) all += call_flops(*module_, call);
    for (const RegionInfo& region : flow_->regions) {
        const double bytes = weights.bytes_of(region.expressions);
        on_backends += region.flops;
        figures.weight_bytes = std::max(figures.weight_bytes, bytes);
        figures.values_bytes += region.boundary_bytes - bytes;
    }
    figures.regions = int(flow_->regions.size());
    figures.moved_bytes = moved_bytes();
    figures.share = all > 0 ? 100 * on_backends / all : 0;
    if (speeds_) figures.time_us = time_us(figures);
    return figures;
}

/// Each operator takes as long as its operations or its bytes, whichever takes longer; then come calls of regions and
/// what crosses their boundaries. Weights stay where they are used.
double LessonGraph::time_us(const DivisionFigures& figures) const {
    const auto speed_of = [&](const std::string& name) {
        const auto found = speeds_->backends.find(name);
        return found == speeds_->backends.end() ? BackendSpeed() : found->second;
    };
    constexpr double kPerMicrosecond = 1e3;  // of what is 1e9 in a second
    double time = figures.values_bytes / (speeds_->link_gbytes * kPerMicrosecond);
    for (const RegionInfo& region : flow_->regions) time += speed_of(region.backend_name).call_us;
    for (ExprId call : names_.calls()) {
        if (!module_->called_op(call).valid()) continue;
        const int backend = flow_->backend_of[call.value];
        const BackendSpeed speed = speed_of(backend < 0 ? "default" : backends_[size_t(backend)]->name);
        double bytes = type_bytes(module_->types(), module_->type(call));
        for (ExprId operand : module_->operands(call)) bytes += type_bytes(module_->types(), module_->type(operand));
        time += std::max(call_flops(*module_, call) / speed.gflops, bytes / speed.gbytes) / kPerMicrosecond;
    }
    return time;
}

const BackendDescription* LessonGraph::backend(std::string_view name) const {
    for (const BackendPtr& backend : backends_)
        if (backend->name == name) return backend.get();
    return nullptr;
}

}  // namespace partita
