#include "engine/runtime/halved_region.h"

#include <numeric>
#include <utility>
#include <vector>

#include "engine/passes/region_alone.h"
#include "engine/program/straight_line.h"

namespace partita {

namespace {

using Units = std::vector<size_t>;

class HalvedRegion : public CompiledRegion {
public:
    explicit HalvedRegion(Module module) : module_(std::move(module)) {}

    Status make(Backend& backend, const CompileOptions& options) {
        Result<FlatGraph> graph = flatten(module_, module_.find_function("main"), true);
        if (!graph) return graph.error();
        std::vector<CompiledRegion*> regions(graph->steps.size());
        for (size_t i = 0; i < regions.size(); ++i) {
            if (graph->steps[i].op.valid()) continue;
            Result<std::unique_ptr<CompiledRegion>> part = backend.compile(module_, graph->steps[i].function, options);
            if (!part) return part.error();
            regions[i] = part->get();
            parts_.push_back(std::move(*part));
        }
        Result<std::unique_ptr<StraightLine>> line = StraightLine::make(module_, std::move(*graph), std::move(regions));
        if (!line) return line.error();
        line_ = std::move(*line);
        return Nothing();
    }
    void set_notice(std::string notice) { notice_ = std::move(notice); }

    Status run(const RegionRun& run) override {
        RegionRun inner = run;
        inner.op_times = nullptr;  // they would be of another module
        return line_->run(inner, nullptr);
    }
    size_t workspace_bytes() const override { return line_->workspace_bytes(); }
    std::vector<std::string> notices() const override { return {notice_}; }

private:
    const Module module_;
    std::vector<std::unique_ptr<CompiledRegion>> parts_;
    std::unique_ptr<StraightLine> line_;
    std::string notice_;
};

/// Finds the parts that are taken.
class Halving {
public:
    Halving(Backend& backend, const RegionAlone& region, const CompileOptions& options)
        : backend_(backend), region_(region), options_(options) {}

    std::vector<Units> find() {
        halve(0, region_.size());
        return std::move(parts_);
    }

private:
    static constexpr int kMostTried = 64;

    /// Of a range that is refused. It is as deep as the range can be halved.
    void halve(size_t begin, size_t end) {
        if (end - begin < 2) return;
        const size_t middle = begin + (end - begin) / 2;
        for (const auto& [first, last] : {std::pair(begin, middle), std::pair(middle, end)}) {
            if (tried_++ >= kMostTried || options_.cancel.cancelled()) return;
            Units units(last - first);
            std::iota(units.begin(), units.end(), first);
            if (takes(units)) parts_.push_back(std::move(units));
            else halve(first, last);
        }
    }

    bool takes(const Units& units) const {
        const Result<Module> divided = region_.divided({units}, false);
        if (!divided) return false;
        HalvedRegion tried(*divided);
        return bool(tried.make(backend_, options_));
    }

    Backend& backend_;
    const RegionAlone& region_;
    const CompileOptions& options_;
    std::vector<Units> parts_;
    int tried_ = 0;
};

}  // namespace

Result<std::unique_ptr<CompiledRegion>> compile_halved(Backend& backend, const Module& module, ExprId function,
                                                       const CompileOptions& options) {
    CompileOptions without_known = options;
    without_known.known_inputs.clear();  // they are of the whole
    const RegionAlone region(module, function,
                             std::string(module.function_info(function).string_attribute("Compiler")));
    const std::vector<Units> parts = Halving(backend, region, without_known).find();
    if (options.cancel.cancelled()) return error("cancelled");
    if (parts.empty()) return error("no part of it is taken either");
    Result<Module> divided = region.divided(parts, false);
    if (!divided) return divided.error();
    auto made = std::make_unique<HalvedRegion>(std::move(*divided));
    if (Status done = made->make(backend, without_known); !done) return done.error();
    size_t calls = 0;
    for (const Units& part : parts) calls += region.calls_in(part);
    made->set_notice(std::to_string(calls) + " of " + std::to_string(region.calls_in(region.all())) +
                     " operators run on it, in " + std::to_string(parts.size()) +
                     (parts.size() == 1 ? " part" : " parts") + "; the others on default");
    return std::unique_ptr<CompiledRegion>(std::move(made));
}

}  // namespace partita
