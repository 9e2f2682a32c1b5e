#include "engine/runtime/lanes.h"

#include <algorithm>
#include <unordered_map>

#include "engine/ir/traversal.h"
#include "engine/ops/cost.h"
#include "engine/ops/registry.h"

namespace partita {

namespace {

/// The steps that make a step's operands, perhaps several times.
template <class Visit>
void for_each_dependence(const FlatGraph& graph, const FlatStep& step, Visit&& visit) {
    for (ValueId value : graph.step_inputs(step))
        if (graph.values[value].source == FlatValue::Source::Step) visit(graph.values[value].index);
}

bool costs_nothing(const FlatStep& step) { return step.op.valid() && op_registry()[step.op].same_bytes; }

/// The largest number of steps for which `counts` says so and that are equally many steps away from the beginning.
template <class Counts>
int width(const FlatGraph& graph, const Counts& counts) {
    std::vector<uint32_t> level(graph.steps.size(), 0);
    std::vector<int> widths(graph.steps.size() + 1, 0);
    int widest = 1;
    for (uint32_t i = 0; i < graph.steps.size(); ++i) {
        for_each_dependence(graph, graph.steps[i], [&](uint32_t before) { level[i] = std::max(level[i], level[before] + 1); });
        if (counts(graph.steps[i])) widest = std::max(widest, ++widths[level[i]]);
    }
    return widest;
}

/// What a step takes on one thread if it is computed well.
double estimated_seconds(const Module& module, const FlatGraph& graph, const FlatStep& step) {
    constexpr double kOperations = 100e9, kBandwidth = 20e9;  // of a core, a second
    double flops = 0, bytes = 0;
    if (step.op.valid()) flops = call_flops(module, step.expr);
    else
        for (ExprId expression : post_order(module, module.body(step.function))) flops += call_flops(module, expression);
    for (ValueId value : graph.step_inputs(step)) bytes += type_bytes(module.types(), graph.values[value].type);
    for (uint32_t k = 0; k < step.output_count; ++k) bytes += type_bytes(module.types(), graph.values[step.first_output + k].type);
    return std::max(flops / kOperations, bytes / kBandwidth);
}

}  // namespace

int useful_lanes(const FlatGraph& graph, int threads) {
    return std::min(width(graph, [](const FlatStep& step) { return !costs_nothing(step); }), threads);
}

bool pays_side_by_side(const Module& module) {
    constexpr double kWorthALane = 50e-6;
    ExprId main = module.find_function("main");
    if (!main.valid() || !module.typed()) return false;
    Result<FlatGraph> graph = flatten(module, main, true);
    if (!graph || !graph->straight_line) return false;
    return width(*graph, [&](const FlatStep& step) {
               return !costs_nothing(step) && estimated_seconds(module, *graph, step) >= kWorthALane;
           }) > 1;
}

Lanes::Lanes(const FlatGraph& graph, std::span<CompiledRegion* const> regions, int lanes)
    : users_(graph.steps.size()), dependences_(graph.steps.size(), 0) {
    std::unordered_map<CompiledRegion*, uint32_t> last_use;
    for (uint32_t i = 0; i < graph.steps.size(); ++i) {
        for_each_dependence(graph, graph.steps[i], [&](uint32_t before) { depend(i, before); });
        if (!regions[i]) continue;
        auto [use, first] = last_use.try_emplace(regions[i], i);
        if (!first) depend(i, use->second);
        use->second = i;
    }
    for (int lane = 1; lane < lanes; ++lane) workers_.emplace_back([this, lane] { work(lane); });
}

Lanes::~Lanes() {
    {
        std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    started_.notify_all();
    for (std::thread& worker : workers_) worker.join();
}

void Lanes::depend(uint32_t step, uint32_t on) {
    users_[on].push_back(step);
    ++dependences_[step];
}

Status Lanes::run(const std::function<Status(uint32_t step, int lane)>& body) {
    Lock lock(mutex_);
    body_ = &body;
    waiting_ = dependences_;
    left_ = dependences_.size();
    failed_ = UINT32_MAX;
    failure_ = Nothing();
    exception_ = nullptr;
    queue_ = {};
    for (uint32_t step = 0; step < waiting_.size(); ++step)
        if (waiting_[step] == 0) queue_.push(step);
    working_ = workers_.size();
    ++generation_;
    started_.notify_all();
    take_steps(lock, 0);
    finished_.wait(lock, [this] { return working_ == 0; });
    if (exception_) std::rethrow_exception(exception_);
    return failure_;
}

void Lanes::work(int lane) {
    Lock lock(mutex_);
    for (uint64_t seen = 0;;) {
        started_.wait(lock, [&] { return stopping_ || generation_ != seen; });
        if (stopping_) return;
        seen = generation_;
        take_steps(lock, lane);
        if (--working_ == 0) finished_.notify_one();
    }
}

void Lanes::take_steps(Lock& lock, int lane) {
    for (;;) {
        ready_.wait(lock, [this] { return over() || !queue_.empty(); });
        if (over()) return;
        uint32_t step = queue_.top();
        queue_.pop();
        lock.unlock();
        Status done = Nothing();
        std::exception_ptr thrown;
        try {
            done = (*body_)(step, lane);
        } catch (...) {
            thrown = std::current_exception();
        }
        lock.lock();
        if (thrown && !exception_) exception_ = thrown;
        finish(step, std::move(done));
    }
}

void Lanes::finish(uint32_t step, Status done) {
    --left_;
    if (!done && step < failed_) {
        failed_ = step;
        failure_ = std::move(done);
    }
    for (uint32_t user : users_[step])
        if (--waiting_[user] == 0) queue_.push(user);
    // This lane takes one of them itself.
    if (over() || queue_.size() > 2) ready_.notify_all();
    else if (queue_.size() == 2) ready_.notify_one();
}

}  // namespace partita
