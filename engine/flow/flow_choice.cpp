#include "engine/flow/flow_choice.h"

#include <algorithm>

#include "engine/annotators/annotator.h"
#include "engine/flow/reported_division.h"
#include "engine/ops/annotations.h"

namespace partita {

void FlowChoice::find_missing(size_t index, BackendPtr backend) {
    // Missing backends before it do not count among the loaded ones.
    const size_t place = std::min(missing[index].place - index, backends.size());
    backends.insert(backends.begin() + ptrdiff_t(place), std::move(backend));
    missing.erase(missing.begin() + ptrdiff_t(index));
}

FlowChoice FlowChoice::after_rewriting() const {
    FlowChoice choice = *this;
    choice.lower = choice.simplify = choice.fold = false;
    return choice;
}

int FlowChoice::backend_index(std::string_view name) const {
    for (size_t i = 0; i < backends.size(); ++i)
        if (backends[i]->name == name) return int(i);
    return -1;
}

std::string FlowChoice::backend_name(int backend) const {
    return backend < 0 || size_t(backend) >= backends.size() ? "default" : backends[size_t(backend)]->name;
}

bool add_backends_of_module(FlowChoice& choice, const Module& module) {
    choice.carries_regions = carries_regions(module);
    bool added = false;
    for (const std::string& name : backends_of_module(module)) {
        if (choice.backend_index(name) >= 0) continue;
        // A module may name a backend, but never a file: descriptions bring code along.
        Result<BackendDescription> builtin = builtin_backend(name);
        BackendDescription description = builtin ? std::move(*builtin) : BackendDescription();
        if (!builtin) {
            description.name = name;
            description.codegen.clear();
        }
        choice.backends.push_back(std::make_shared<BackendDescription>(std::move(description)));
        added = true;
    }
    return added;
}

void choose_reported(FlowChoice& choice, const ReportedPtr& reported) {
    choice.backends.clear();
    choice.missing.clear();
    for (const std::string& name : reported->backends) {
        auto bare = std::make_shared<BackendDescription>();
        bare->name = name;
        choice.backends.push_back(std::move(bare));
    }
    choice.reported = reported;
}

const AnnotatorFlow* own_flow(const std::vector<BackendPtr>& backends) {
    if (backends.size() != 1 || !backends.front()->running) return nullptr;
    const std::optional<AnnotatorFlow>& flow = backends.front()->running->self().flow;
    return flow ? &*flow : nullptr;
}

void choose_flow(FlowChoice& choice, const AnnotatorFlow& flow) {
    choice.simplify |= flow.simplify;
    choice.fold |= flow.fold;
    choice.composite = flow.composite;
    choice.merge = flow.merge;
    choice.include_non_call_ops = flow.include_non_call_ops;
    choice.bind_constants = flow.bind_constants;
}

std::vector<BackendDescription> descriptions_of(const FlowChoice& choice) {
    std::vector<BackendDescription> descriptions;
    for (const BackendPtr& backend : choice.backends) {
        descriptions.push_back(*backend);
        if (backend->of_file) descriptions.back().operators = choice.operators;
    }
    return descriptions;
}

FlowOptions flow_options(const FlowChoice& choice, bool annotated, const CancelToken& cancel) {
    FlowOptions options;
    options.backends = descriptions_of(choice);
    if (!choice.annotate)
        for (BackendDescription& description : options.backends) {
            description.ops.clear();
            description.patterns.clear();
            description.whole_graph = false;
        }
    options.overrides = choice.overrides->overrides();
    options.by_cost = choice.by_cost && !options.overrides.empty();
    options.region_groups = RegionGroups(choice.groups->begin(), choice.groups->end());
    options.partitioner = choice.partitioner;
    options.reported = choice.reported;
    options.graph = choice.graph;
    options.graph_of_file = choice.graph_of_file;
    options.lower = choice.lower;
    options.simplify = choice.simplify;
    options.fold = choice.fold;
    options.composite = choice.composite && choice.annotate && !annotated;
    options.annotate = !annotated;
    options.merge = choice.merge;
    options.annotate_options.include_non_call_ops = choice.include_non_call_ops;
    options.partition_options.mangle_names = choice.mangle_names;
    options.partition_options.bind_constants = choice.bind_constants;
    options.until = FlowStage::Partition;
    options.cancel = cancel;
    return options;
}

}  // namespace partita
