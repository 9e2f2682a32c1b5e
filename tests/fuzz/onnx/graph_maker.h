// Generates random ONNX graphs node by node: values for later nodes, inputs with unusual contents, initializers.
//
// A graph depends only on its seed and its number of steps, on every machine. A graph of fewer steps is the beginning
// of the same graph with more, so a failing one is reduced by omitting its last steps.
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ir/tensor.h"

namespace partita::fuzz {

/// ONNX's numbers of element types.
inline constexpr int kAnyType = 0, kReal = 1, kByte = 2, kSignedByte = 3, kShort16 = 5, kInteger = 6, kLong = 7,
                     kTruth = 9, kHalf = 10, kDouble = 11, kUnsigned32 = 12, kUnsigned64 = 13;

using Shape = std::vector<int64_t>;

struct Value {
    std::string name;
    int type = kReal;
    Shape shape;
    bool exact = true;  ///< bit-identical in every implementation: safe for discontinuous functions
    bool tame = true;   ///< contains no NaN, no infinity and nothing huge
    int rank() const { return int(shape.size()); }
};

/// The effect of a node on the flags of its operands.
enum class Effect : uint8_t {
    Exact,    ///< moves elements, or computes them without rounding
    Rounded,  ///< rounds, but keeps tame values tame
    Wild,     ///< may make NaN, infinities and huge values
};

struct GeneratedGraph {
    struct Input {
        std::string name;
        Tensor value;
    };
    struct Output {
        std::string name;
        bool exact = true;
    };
    /// What is added to a value that implementations may round differently.
    struct Noise {
        std::string value;
        int type = kReal;
        Shape shape;
        bool of_whole = false;  ///< in proportion to the largest element, not to each
    };
    std::string model;
    int opset = 13;
    std::vector<Input> inputs;
    bool has_special_constant = false;  ///< one with NaN or an infinity
    std::vector<Output> outputs;
    std::vector<std::string> operators;  ///< types of the nodes, each once, including inner graphs
    /// The model with noise: its inputs come after the model's, the values without it after the model's outputs. Nodes
    /// that have a definition are written out.
    std::string noisy_model = {};
    std::vector<Noise> noise = {};
};

class GraphMaker {
public:
    GraphMaker(uint64_t seed, uint64_t number);

    int opset() const { return opset_; }

    // Random choices. Equal on every machine, unlike the standard library's distributions.
    int64_t between(int64_t low, int64_t high);  ///< both inclusive
    bool chance(double probability);
    double real(double low, double high);
    template <class T>
    const T& one_of(const std::vector<T>& list) {
        return list[size_t(between(0, int64_t(list.size()) - 1))];
    }
    template <class T>
    T one_of(std::initializer_list<T> list) {
        return list.begin()[between(0, int64_t(list.size()) - 1)];
    }

    /// Returns an extent; rarely 0 if that is allowed.
    int64_t extent(bool may_be_empty = true);
    Shape shape(int least_rank, int greatest_rank, bool may_be_empty = true);
    /// Returns a shape that broadcasts with another one.
    Shape broadcastable(const Shape& other);
    /// Returns an axis of a rank, counted from either end.
    int64_t axis(int rank, bool may_be_negative = true);

    struct Want {
        std::vector<int> types = {kReal};
        int least_rank = 0, greatest_rank = 4;
        bool exact = false;  ///< the reading function is discontinuous
        bool tame = false;
        bool non_empty = false;
    };
    /// Returns an existing value, or a new one.
    Value data(const Want& want);
    Value data(std::initializer_list<int> types, int least_rank = 0, int greatest_rank = 4);
    Value real_data(int least_rank = 0, int greatest_rank = 4) { return data({kReal}, least_rank, greatest_rank); }

    /// Returns a new value: an input of the graph, or an initializer.
    Value fresh(int type, const Shape& shape, bool tame = false);
    Value weight(int type, const Shape& shape);  ///< usually an initializer, and tame
    Value positive(const Shape& shape);          ///< floats well above 0
    Value filled(int type, const Shape& shape, std::function<double(int64_t)> element, bool known = true);
    /// Returns known integers of rank 1 (int64), for axes and shapes.
    Value integers(const Shape& values);
    Value scalar(int type, double value);

    /// Adds a node; outputs get new names. Later steps can use its results. `op` may begin with "com.microsoft.".
    std::vector<std::string> node(std::string_view op, const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& attributes = {}, Effect effect = Effect::Rounded,
                                  int outputs = 1);
    /// Says by which nodes, and which of their results, ONNX defines the last node: noisy models contain them.
    void define(std::vector<std::string> nodes, std::string result) {
        nodes_.back().definition = std::move(nodes);
        nodes_.back().defined = std::move(result);
    }
    /// Records an operator within a subgraph.
    void note(std::string_view op);
    /// Excludes an output of the current step from later use: it is not a tensor, or unwanted.
    void hide(const std::string& output);
    /// Declares that results may differ in their last bit, whatever the operands.
    void inexact() { step_exact_ = false; }
    std::string new_name(std::string_view prefix) { return std::string(prefix) + std::to_string(names_++); }

    /// Begins a step. `elementwise`: each result rounds by itself, in proportion to its own size.
    void begin_step(bool elementwise) { elementwise_ = elementwise; }
    /// Ends a step and determines the results of its nodes. Returns false if Partita refuses it: the graph ends there.
    bool finish_step();
    GeneratedGraph finish();

private:
    struct Node {
        std::string op;
        std::vector<std::string> inputs, outputs, attributes;
        std::vector<std::string> definition = {};
        std::string defined = {};
        std::string text() const;
    };
    void fill(Tensor& tensor, bool tame);
    std::string model_with(const std::vector<std::pair<std::string, int>>& outputs) const;
    std::string model_of(const std::vector<std::string>& nodes, const std::vector<std::string>& inputs,
                         const std::vector<std::pair<std::string, int>>& outputs) const;
    std::string noisy_model(std::vector<std::pair<std::string, int>> outputs) const;
    Value add(int type, const Shape& shape, const Tensor& tensor, bool known, bool tame);

    std::mt19937_64 random_;
    int opset_;
    uint64_t names_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::string> initializers_, input_infos_;
    bool has_special_constant_ = false;
    std::vector<GeneratedGraph::Input> inputs_;
    std::vector<Value> values_;  ///< results of nodes
    std::vector<std::string> read_;
    struct Made {
        std::string name;
        bool exact, tame;
    };
    std::vector<Made> made_;  ///< made by the current step
    std::vector<GeneratedGraph::Noise> noise_;
    std::vector<std::string> hidden_;
    std::vector<std::string> operators_;
    std::vector<Value> known_flags_;  ///< of inputs and initializers
    bool step_exact_ = true, elementwise_ = false;
};

/// A way to make one step, with the operators of its nodes.
struct Recipe {
    std::vector<std::string_view> operators;
    int oldest_opset = 7;
    void (*add)(GraphMaker& maker, std::string_view op);
    int newest_opset = 24;
};

// One list for each family; recipes_*.cpp.
std::span<const Recipe> elementwise_recipes();
std::span<const Recipe> network_recipes();
std::span<const Recipe> shape_recipes();
std::span<const Recipe> other_recipes();
std::span<const Recipe> transformer_recipes();
std::span<const Recipe> runtime_recipes();
std::span<const Recipe> linear_attention_recipes();

/// Returns a graph of at most `steps` steps (0: one to six, determined by the seed).
GeneratedGraph make_graph(uint64_t seed, uint64_t number, int steps = 0);
/// Of each operator, those whose results stand in tests/golden/onnx-results.txt.
constexpr uint64_t kGraphsOfAnOperator = 24;
/// Returns the `number`-th graph of one step with this operator.
GeneratedGraph make_graph_of(std::string_view op, uint64_t number);
/// Returns the number of steps that make_graph uses by default.
int steps_of(uint64_t seed, uint64_t number);
/// Returns all operators that a recipe makes, sorted.
std::vector<std::string> operators_with_recipes();

}  // namespace partita::fuzz
