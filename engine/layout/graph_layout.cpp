#include "engine/layout/graph_layout.h"

#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>

#include "engine/layout/engines.h"

namespace partita {
namespace {

// Measured: dot takes about 0.2 s for a partitioned ResNet-18 (100 nodes) and grows faster than the square.
constexpr size_t kAutoDotNodes = 250;
constexpr size_t kAutoDotEdges = 400;
// dot walks chains of nodes recursively. Only touched pages cost memory.
constexpr size_t kDotStackBytes = size_t(512) << 20;
// Auto falls back on Layers when dot takes longer (many edges between few clusters).
constexpr auto kAutoDotTime = std::chrono::milliseconds(2500);
constexpr auto kCancelPoll = std::chrono::milliseconds(5);

Diagnostic cancelled() { return error("the layout was cancelled"); }

Status check(const LayoutGraph& graph) {
    for (const LayoutNode& node : graph.nodes) {
        if (node.cluster >= 0 && size_t(node.cluster) >= graph.clusters.size()) {
            return error("a node is in a cluster that does not exist");
        }
    }
    for (const LayoutEdge& edge : graph.edges) {
        if (edge.from >= graph.nodes.size() || edge.to >= graph.nodes.size()) {
            return error("an edge joins a node that does not exist");
        }
    }
    return Nothing();
}

/// Exclusive use of Graphviz, which keeps global state: one layout at a time. Waiting can be cancelled.
class GraphvizTurn {
public:
    template <class Cancelled>
    bool take(Cancelled cancelled) {
        std::unique_lock guard(lock_);
        while (taken_) {
            if (cancelled()) return false;
            given_back_.wait_for(guard, kCancelPoll);
        }
        return taken_ = true;
    }
    void give_back() {
        std::lock_guard guard(lock_);
        taken_ = false;
        given_back_.notify_one();
    }

private:
    std::mutex lock_;
    std::condition_variable given_back_;
    bool taken_ = false;
};

/// Returns the lock, which is never freed: an abandoned thread may wait for it while the program ends.
GraphvizTurn& graphviz_turn() {
    static GraphvizTurn& turn = *new GraphvizTurn;
    return turn;
}

/// State shared by the waiting thread and the one that runs dot. The last owner frees it.
struct DotJob {
    LayoutGraph graph;
    CancelToken cancel, abandoned;
    std::mutex lock;
    std::condition_variable changed;
    std::optional<Result<LayoutResult>> result;
};

void run_job(DotJob& job) {
    const auto given_up = [&job] { return job.cancel.cancelled() || job.abandoned.cancelled(); };
    if (!graphviz_turn().take(given_up)) return;
    std::optional<Result<LayoutResult>> result;
    if (!given_up()) result = lay_out_with_dot(job.graph);
    graphviz_turn().give_back();
    if (!result) return;
    std::lock_guard guard(job.lock);
    job.result = std::move(result);
    job.changed.notify_all();
}

void* thread_main(void* argument) {
    std::unique_ptr<std::shared_ptr<DotJob>> job(static_cast<std::shared_ptr<DotJob>*>(argument));
    run_job(**job);
    return nullptr;
}

bool start_thread(const std::shared_ptr<DotJob>& job) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, kDotStackBytes);
    auto argument = std::make_unique<std::shared_ptr<DotJob>>(job);
    pthread_t thread;
    bool started = pthread_create(&thread, &attributes, thread_main, argument.get()) == 0;
    if (started) static_cast<void>(argument.release());  // the thread owns it now
    pthread_attr_destroy(&attributes);
    return started;
}

/// Runs dot on a thread of its own, because it cannot be interrupted: on cancel the thread is abandoned and its result
/// dropped. Returns nothing if it takes longer than `limit`.
std::optional<Result<LayoutResult>> lay_out_with_dot_cancellable(const LayoutGraph& graph, const CancelToken& cancel,
                                                                 std::chrono::milliseconds limit) {
    auto job = std::make_shared<DotJob>();
    job->graph = graph;
    job->cancel = cancel;
    if (!start_thread(job)) return Result<LayoutResult>(error("no thread could be started for the layout"));
    const auto end = std::chrono::steady_clock::now() + limit;
    std::unique_lock guard(job->lock);
    while (!job->result) {
        if (cancel.cancelled()) return Result<LayoutResult>(cancelled());
        if (std::chrono::steady_clock::now() > end) {
            job->abandoned.cancel();
            return std::nullopt;
        }
        job->changed.wait_for(guard, kCancelPoll);
    }
    return std::move(job->result);
}

}  // namespace

Result<LayoutResult> lay_out(const LayoutGraph& graph, LayoutEngine engine, const CancelToken& cancel) {
    if (Status valid = check(graph); !valid) return valid.error();
    if (cancel.cancelled()) return cancelled();
    const bool automatic = engine == LayoutEngine::Auto;
    if (automatic) {
        bool small = graph.nodes.size() <= kAutoDotNodes && graph.edges.size() <= kAutoDotEdges;
        engine = small ? LayoutEngine::Dot : LayoutEngine::Layers;
    }
    if (engine == LayoutEngine::Dot && !graph.nodes.empty()) {
        const auto limit = automatic ? kAutoDotTime : std::chrono::milliseconds(std::chrono::hours(24));
        if (auto result = lay_out_with_dot_cancellable(graph, cancel, limit)) return std::move(*result);
    }
    return lay_out_in_layers(graph, cancel);
}

}  // namespace partita
