#include "engine/lessons/lesson_graph.h"

#include <algorithm>

#include "engine/ops/annotations.h"
#include "engine/session/session.h"

namespace partita {

namespace {

/// A lesson's graph is small; each question costs a flow.
constexpr size_t kMostExpressions = 20000;

}  // namespace

Result<std::shared_ptr<const LessonGraph>> LessonGraph::of(const Lesson& lesson) {
    Result<OpenedModule> opened = open_text(lesson.graph, "the lesson's graph");
    if (!opened) return opened.error();
    return of(std::move(opened->module), lesson.backends);
}

Result<std::shared_ptr<const LessonGraph>> LessonGraph::of(ModulePtr module, std::vector<BackendPtr> backends) {
    if (module->size() > kMostExpressions) return error("a lesson's graph has at most 20000 expressions");
    std::shared_ptr<LessonGraph> graph(new LessonGraph(std::move(module), std::move(backends)));
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
    std::shared_ptr<LessonGraph> graph(new LessonGraph(module_, std::move(ordered)));
    if (Status divided = graph->divide(setting); !divided) return divided.error();
    return std::shared_ptr<const LessonGraph>(std::move(graph));
}

Result<std::shared_ptr<const LessonGraph>> LessonGraph::with_backend(const BackendPtr& backend) const {
    std::vector<BackendPtr> backends = backends_;
    for (BackendPtr& each : backends)
        if (each->name == backend->name) each = backend;
    std::shared_ptr<LessonGraph> graph(new LessonGraph(module_, std::move(backends)));
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

const BackendDescription* LessonGraph::backend(std::string_view name) const {
    for (const BackendPtr& backend : backends_)
        if (backend->name == name) return backend.get();
    return nullptr;
}

}  // namespace partita
