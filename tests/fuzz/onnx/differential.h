// Runs a generated graph in every way that Partita has, and with ONNX Runtime, and reports differences of the results.
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
    std::string refusal;       ///< "" if there are outputs
    bool refused_run = false;  ///< the model was accepted, but not the run
};

/// A way to run a graph in Partita.
struct Way {
    std::string backend;  ///< "" for `default` only
    bool simplify = false;
    std::string name() const { return (backend.empty() ? "default" : backend) + (simplify ? " --simplify" : ""); }
};
std::vector<Way> all_ways();

/// A graph imported by Partita.
class ImportedGraph {
public:
    /// `cache_folder` receives compiled C.
    ImportedGraph(const GeneratedGraph& graph, std::string cache_folder);
    /// Returns why the graph cannot run; "" if it can.
    const std::string& refusal() const { return refusal_; }
    /// Runs a graph in one way. Returns nothing if its partitioned module has run before.
    std::optional<Answer> run(const Way& way);
    /// Runs `default` on inputs perturbed by about a millionth, in one of several ways from 1 on.
    Answer run_shaken(int64_t way);
    /// The same with noise on the values between the nodes, too, where the graph has a noisy model.
    Answer run_noisy(int64_t way);

private:
    struct Imported {
        ModulePtr module;
        std::vector<std::string> parameters;
    };
    static Result<Imported> import(const std::string& model);
    std::vector<Tensor> inputs(int64_t shaken = 0) const;
    Answer run_module_of(const ModulePtr& module, const std::vector<std::string>& parameters,
                         const std::vector<Tensor>& inputs, const std::string& backend = "");

    const GeneratedGraph& graph_;
    std::string cache_folder_, refusal_;
    Imported own_;
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
/// Runs a graph in all ways and compares them with `default`.
Verdict agreement(const GeneratedGraph& graph, ImportedGraph& imported);
/// Compares the results of `default` with the runtime's. `verdict` is that of agreement().
Verdict against_runtime(const GeneratedGraph& graph, ImportedGraph& imported, Verdict verdict, const Answer& theirs);

/// What `default` gives, and what it gives for perturbed inputs: shows the effect of rounding.
struct Shaking {
    const Answer& before;
    std::vector<Answer> after;
};

/// Returns the difference of two answers beyond what shaking explains; "" if they agree.
std::string difference(const GeneratedGraph& graph, const Answer& actual, const Answer& expected,
                       const Shaking* shaking = nullptr);

/// ONNX Runtime in a Node.js process of its own.
class OnnxRuntime {
public:
    /// `folder` contains node_modules/onnxruntime-node; `script` is onnx_runtime.mjs.
    OnnxRuntime(std::string folder, std::string script) : folder_(std::move(folder)), script_(std::move(script)) {}
    ~OnnxRuntime() { stop(); }
    OnnxRuntime(const OnnxRuntime&) = delete;
    OnnxRuntime& operator=(const OnnxRuntime&) = delete;

    void ask(const GeneratedGraph& graph);
    /// Returns the answer for the graph requested last.
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
