// A lesson's graph, divided by its backends: what questions are judged by and claims are checked with.
//
// Building costs a flow; so does each question or claim with another setting. Belongs to one thread.
#pragma once

#include <memory>

#include "engine/flow/names.h"
#include "engine/lessons/lesson.h"

namespace partita {

/// What a division reaches.
struct DivisionFigures {
    int regions = 0;
    double share = 0;         ///< percentage of the operations that is on backends
    double moved_bytes = 0;   ///< across boundaries of regions
    double values_bytes = 0;  ///< of it: what is no weight
    double weight_bytes = 0;  ///< of the region with the most
    double time_us = -1;      ///< by the lesson's speeds; negative: it has none
};

/// Returns a backend with another rule at a place in its description. Fails for a rule with a fault.
Result<BackendPtr> with_rule(const BackendPtr& backend, const std::vector<std::string>& place, const std::string& rule);
/// Returns backends with other rules for some operators. Fails for a rule with a fault and a backend that is not there.
Result<std::vector<BackendPtr>> with_rules(std::vector<BackendPtr> backends, const ChangedRules& rules);
/// Returns the rules of operators that differ, for backends of the same names.
ChangedRules changed_rules(const std::vector<BackendPtr>& before, const std::vector<BackendPtr>& after);

class LessonGraph {
public:
    /// Divides the lesson's graph. Fails if the text or the flow does.
    static Result<std::shared_ptr<const LessonGraph>> of(const Lesson& lesson);
    /// Divides a module by backends in order of priority.
    static Result<std::shared_ptr<const LessonGraph>> of(ModulePtr module, std::vector<BackendPtr> backends,
                                                         const std::optional<LessonSpeeds>& speeds = {});

    const Module& module() const { return *module_; }
    const FlowResult& flow() const { return *flow_; }
    const std::vector<BackendPtr>& backends() const { return backends_; }

    /// Returns the same graph with other assignments and another order.
    Result<std::shared_ptr<const LessonGraph>> with(const LessonSetting& setting) const;
    /// Returns the graph of a page, which may begin with another setting; `graph` itself if it does not.
    static Result<std::shared_ptr<const LessonGraph>> of(const std::shared_ptr<const LessonGraph>& graph,
                                                         const LessonPage& page);
    /// Returns the same graph with another description in place of the one of that name.
    Result<std::shared_ptr<const LessonGraph>> with_backend(const BackendPtr& backend) const;

    /// Returns whether there is such a call.
    bool has(uint32_t call) const { return names_.numbered(call).valid(); }
    ExprId id(uint32_t call) const { return names_.numbered(call); }
    /// Returns the numbers of the calls of ops in the module, sorted.
    std::vector<uint32_t> calls() const;
    /// Returns a call's region, or -1.
    int region_of(uint32_t call) const;
    std::string backend_of(uint32_t call) const;
    /// Returns the calls of a region, sorted.
    std::vector<uint32_t> calls_of(int region) const;
    /// Returns the calls of each region that has any.
    std::vector<std::vector<uint32_t>> regions() const;
    /// Returns the bytes that cross the boundaries of regions.
    double moved_bytes() const;
    /// Costs a walk over the graph.
    DivisionFigures figures() const;
    const BackendDescription* backend(std::string_view name) const;

private:
    LessonGraph(ModulePtr module, std::vector<BackendPtr> backends, const std::optional<LessonSpeeds>& speeds)
        : module_(std::move(module)), backends_(std::move(backends)), names_(*module_), speeds_(speeds) {}
    Status divide(const LessonSetting& setting);
    double time_us(const DivisionFigures& figures) const;

    ModulePtr module_;
    std::vector<BackendPtr> backends_;
    ExpressionNames names_;
    std::optional<LessonSpeeds> speeds_;
    LessonSetting setting_;
    std::shared_ptr<const FlowResult> flow_;
};

}  // namespace partita
