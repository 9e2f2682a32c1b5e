// Runs a generated graph in every way that Partita has, and with ONNX Runtime, and says where results differ.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "tests/fuzz/onnx/graph_maker.h"

namespace partita::fuzz {

struct Answer {
    std::vector<Tensor> outputs;
    std::string refusal;       ///< "" where there are outputs
    bool refused_run = false;  ///< as a model it was accepted
};

/// A way through Partita.
struct Way {
    std::string backend;  ///< "" for `default` alone
    bool simplify = false;
    std::string name() const { return (backend.empty() ? "default" : backend) + (simplify ? " --simplify" : ""); }
};
std::vector<Way> all_ways();

/// A graph as Partita imports it.
class ImportedGraph {
public:
    /// `cache_folder` takes compiled C.
    ImportedGraph(const GeneratedGraph& graph, std::string cache_folder);
    /// "" where the whole graph can be run.
    const std::string& refusal() const { return refusal_; }
    /// Nothing where the way comes to a partitioned module that ran before.
    std::optional<Answer> run(const Way& way);
    /// Runs `default` on inputs that are off by about a millionth.
    Answer run_shaken();

private:
    Answer run_module_of(const ModulePtr& module, const std::string& backend, bool shaken = false);

    const GeneratedGraph& graph_;
    std::string cache_folder_, refusal_;
    ModulePtr module_;
    std::vector<std::string> parameters_;
    std::vector<std::string> seen_;
};

enum class Outcome : uint8_t {
    Agrees,
    Differs,
    Allowed,
    IllConditioned,
    RefusedByUs,
    RefusedByRuntime,
    RefusedByBoth,
    ComputedThoughRefused
};
inline constexpr const char* kOutcomeNames[] = {"agree",
                                                "DIFFER",
                                                "differ as allowed",
                                                "ill-conditioned",
                                                "refused by Partita",
                                                "refused by the runtime as a model",
                                                "refused by both",
                                                "COMPUTED though the runtime refuses the values"};

struct Verdict {
    Outcome outcome = Outcome::Agrees;
    std::string text;
    int runs = 0;
    Answer first = {};  ///< of `default`
};
/// Runs a graph in all ways and holds them against `default`.
Verdict agreement(const GeneratedGraph& graph, ImportedGraph& imported);
/// Holds what `default` gave against the runtime's answer. `verdict` is that of agreement().
Verdict against_runtime(const GeneratedGraph& graph, ImportedGraph& imported, Verdict verdict, const Answer& theirs);

/// "" where the two agree. `shaken`: how far rounding moves the expected outputs; may be null.
std::string difference(const GeneratedGraph& graph, const Answer& actual, const Answer& expected,
                       const Answer* shaken = nullptr);

/// ONNX Runtime in a Node.js process of its own.
class OnnxRuntime {
public:
    /// Of a folder with node_modules/onnxruntime-node; `script` is onnx_runtime.mjs.
    OnnxRuntime(std::string folder, std::string script) : folder_(std::move(folder)), script_(std::move(script)) {}
    ~OnnxRuntime() { stop(); }
    OnnxRuntime(const OnnxRuntime&) = delete;
    OnnxRuntime& operator=(const OnnxRuntime&) = delete;

    void ask(const GeneratedGraph& graph);
    /// Of the graph that was asked for last.
    Answer answer();

private:
    bool start();
    void stop();
    bool write(std::string_view bytes);
    bool read(char* to, size_t count);

    std::string folder_, script_;
    int process_ = -1, to_ = -1, from_ = -1;
};

}  // namespace partita::fuzz
