#include <algorithm>

#include "engine/partitioners/partitioner.h"
#include "engine/partitioners/scopes.h"
#include "engine/support/one_line.h"
#include "engine/support/spelling.h"

namespace partita {

namespace {

constexpr PartitionerOption kGivenOptions[] = {
    {"file", "FILE", SENTENCE("Engine", "the division, as `divide --json` prints one")}};

constexpr PartitionerOption kOnnxruntimeOptions[] = {
    {"kernel", "NAME,...",
     SENTENCE("Engine", "providers that take single nodes instead of compiling groups, such as CUDA")},
    {"units", "no|yes",
     SENTENCE("Engine",
              "whether a node with its DequantizeLinear before and its QuantizeLinear behind is asked "
              "for as one (QNN, NNAPI, XNNPACK)")},
    {"budget", "KIB,FILE",
     SENTENCE("Engine",
              "what session.resource_cuda_partitioning_settings is set to: CUDAExecutionProvider takes "
              "nodes, in order, up to the first that does not fit; KIB or FILE, its node statistics, "
              "may be empty, the comma is needed")},
    {"stop", "OP,...", SENTENCE("Engine", "operators that a provider does not take, nor anything behind them")},
    {"constants", "drop|keep",
     SENTENCE("Engine",
              "whether a fused node has constants among its inputs (plug-in providers) or not (the "
              "others)")}};

constexpr PartitionerOption kTfliteOptions[] = {
    {"n", "all|N", SENTENCE("Engine", "how many of the largest epochs are delegated")},
    {"min-nodes", "N", SENTENCE("Engine", "epochs of fewer nodes are not delegated")},
    {"by", "FILE",
     SENTENCE("Engine",
              "a JSON object of numbers by nodes, such as times: the n epochs of the largest sums, not "
              "those of most nodes (no delegate of LiteRT counts so)")},
    {"order", "greedy|execution",
     SENTENCE("Engine", "whether an epoch takes what is ready, or ends at the first node that it can't take")},
    {"fp16", "no|yes",
     SENTENCE("Engine",
              "whether constants of 16 bits are read as they are, behind a DEQUANTIZE (GPU, NNAPI, Core "
              "ML)")}};

constexpr PartitionerOption kLitertPluginOptions[] = {
    {"order", "file|fewest",
     SENTENCE("Engine",
              "whether the runs are those of the file's order, or of the order that gives the fewest "
              "(no tool of LiteRT's reorders)")}};

constexpr PartitionerOption kTorchFxOptions[] = {
    {"torch", "main|2.6|2.3|2.0|1.13", SENTENCE("Engine", "which release's text is played")},
    {"horizontal", "yes|no",
     SENTENCE("Engine", "whether nodes that don't use each other may be one partition (no: main only)")},
    {"single-nodes", "no|yes", SENTENCE("Engine", "whether a partition of one computing node is kept")},
    {"non-compute", "OP,...",
     SENTENCE("Engine", "operators that don't count as computing; a view, as 1.13 names it, and getitem never do")},
    {"allowed-single", "OP,...", SENTENCE("Engine", "operators that are worth a partition of their own")}};

constexpr PartitionerOption kExecutorchGroupsOptions[] = {
    {"groups", "FILE", SENTENCE("Engine", "JSON: a list of lists of nodes that are to stay together")},
    {"single-nodes", "yes|no", SENTENCE("Engine", "whether a partition of one computing node is kept")}};

constexpr PartitionerOption kTorchTensorrtOptions[] = {
    {"min-block-size", "N", SENTENCE("Engine", "parts of fewer nodes are left to PyTorch; 5 if it is not given")},
    {"mode", "adjacency|global", SENTENCE("Engine", "torch.fx's splitter, or its CapabilityBasedPartitioner")}};

constexpr PartitionerOption kRelaxOptions[] = {
    {"version", "0.25|0.26",
     SENTENCE("Engine", "whose rule for tuples: up to 0.25 a tuple ends a region, from 0.26 on it may be inside")},
    {"annotate-codegen", "no|yes",
     SENTENCE("Engine", "whether each match is a region of its own (yes), or matches merge")},
    {"bind-constants", "yes|no",
     SENTENCE("Engine", "whether constants stay in a composite or become parameters of it")}};

constexpr Partitioner kPartitioners[] = {
    {"each",
     "every node that is taken is a region of its own",
     "the finest division that there is",
     {},
     true,
     divide_each},
    {"components",
     "neighbours of one backend together, split until no region waits for itself",
     "OpenVINO's HETERO plugin: subgraph_collector.cpp",
     {},
     true,
     divide_into_components},
    {"onnxruntime", "what ONNX Runtime does: providers in order, groups in waves",
     "ONNX Runtime 1.30: core/providers/partitioning_utils.cc, core/framework/graph_partitioner.cc",
     kOnnxruntimeOptions, true, divide_as_onnxruntime, true},
    {"tflite", "what TensorFlow Lite delegates: the N largest epochs",
     "LiteRT f674577: tflite/graph_info.cc, tflite/delegates/utils.cc", kTfliteOptions, true, divide_as_tflite},
    {"litert-plugin", "what LiteRT gives to a compiler plug-in: runs of the file's order",
     "LiteRT f674577: litert/compiler/plugin/algo.cc:400", kLitertPluginOptions, true, divide_as_litert_plugin},
    {"litert-weak",
     "what LiteRT gives to a compiler plug-in that asks for connected parts; may be unsound",
     "LiteRT f674577: litert/compiler/plugin/algo.cc:98",
     {},
     true,
     divide_as_litert_weak},
    {"torch-fx", "what PyTorch's CapabilityBasedPartitioner proposes; may be unsound",
     "PyTorch: torch/fx/passes/infra/partitioner.py in five texts, 1.13 to 39bbd769", kTorchFxOptions, true,
     divide_as_torch_fx},
    {"executorch-groups", "what ExecuTorch's GroupBasedPartitioner proposes; may be unsound",
     "ExecuTorch cff6f4d: exir/backend/canonical_partitioners/group_partitioner.py", kExecutorchGroupsOptions, true,
     divide_as_executorch_groups},
    {"xnnpack-configs",
     "what ExecuTorch's partitioner for XNNPACK proposes: nodes with what they are quantized from and to; may be "
     "unsound",
     "ExecuTorch cff6f4d: exir/backend/canonical_partitioners/config_partitioner.py",
     std::span(kExecutorchGroupsOptions).last(1), true, divide_as_xnnpack_configs},
    {"torch-tensorrt", "what torch_tensorrt gives to TensorRT",
     "torch_tensorrt d7f2062: py/torch_tensorrt/dynamo/partitioning", kTorchTensorrtOptions, true,
     divide_as_torch_tensorrt},
    {"relax", "what TVM's Relax divides: FuseOpsByPattern, then MergeCompositeFunctions",
     "Apache TVM 0.26: src/relax/transform/fuse_ops.cc, merge_composite_functions.cc", kRelaxOptions, true,
     divide_as_relax, false, true},
    {"given", "a division from a file", "the file", kGivenOptions, false, divide_as_given},
};

/// Returns whether a list of values ("yes|no") allows `value`; a word in capitals and "..." allow any.
bool allows(std::string_view values, std::string_view value) {
    while (!values.empty()) {
        const size_t bar = std::min(values.find('|'), values.size());
        const std::string_view one = values.substr(0, bar);
        const bool open = one == "..." || std::all_of(one.begin(), one.end(), [](char c) {
                              return (c >= 'A' && c <= 'Z') || c == ',' || c == '.';
                          });
        if (open || one == value) return true;
        values.remove_prefix(std::min(bar + 1, values.size()));
    }
    return false;
}

Status check_options(const Partitioner& partitioner, const PartitionerInput& input) {
    for (const auto& [name, value] : input.options) {
        const auto known =
            std::find_if(partitioner.options.begin(), partitioner.options.end(),
                         [&name = name](const PartitionerOption& option) { return option.name == name; });
        if (known == partitioner.options.end()) {
            std::string list;
            for (const PartitionerOption& option : partitioner.options)
                list += (list.empty() ? "; it has " : ", ") + std::string(option.name);
            return error("the partitioner " + std::string(partitioner.name) + " has no option " + in_quotes(name) +
                         (list.empty() ? "; it has none" : list));
        }
        if (!allows(known->values, value))
            return error("the option " + std::string(name) + " can't be " + in_quotes(value) + "; expected " +
                         std::string(known->values));
    }
    return Nothing();
}

}  // namespace

int Verdicts::first(NodeId node) const {
    for (size_t i = 0; i < backends.size(); ++i)
        if (backends[i].takes[node.value]) return int(i);
    return -1;
}

std::string_view PartitionerInput::option(std::string_view name) const {
    const auto found = options.find(name);
    return found == options.end() ? std::string_view() : found->second;
}

std::span<const Partitioner> partitioners() { return kPartitioners; }

const Partitioner* find_partitioner(std::string_view name) {
    for (const Partitioner& partitioner : kPartitioners)
        if (partitioner.name == name) return &partitioner;
    return nullptr;
}

Result<Division> run_partitioner(const Partitioner& partitioner, const PartitionerInput& input) {
    if (Status options = check_options(partitioner, input); !options) return options.error();
    const bool is_plain = input.graph.scopes.empty() && input.graph.functions.empty();
    Result<Division> division =
        is_plain || !partitioner.asks_backends ? partitioner.run(input) : divide_scopes(partitioner, input);
    if (division) complete_boundaries(input.graph, *division);
    return division;
}

}  // namespace partita
