// Makes random ONNX graphs node by node: values that later nodes may read, inputs with odd contents, initializers.
//
// A graph follows from its seed and its number of steps alone, on every machine. A graph of fewer steps is the
// beginning of the same graph with more: what fails is shrunk by leaving out the last steps.
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
    bool exact = true;  ///< holds the same bits whatever computed it: what jumps may follow
    bool tame = true;   ///< holds no NaN, no infinity and nothing huge
    int rank() const { return int(shape.size()); }
};

/// What a node does to the flags of what it reads.
enum class Effect : uint8_t {
    Exact,    ///< moves elements, or computes them without rounding
    Rounded,  ///< rounds, but keeps what is tame tame
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
    std::string model;
    int opset = 13;
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    std::vector<std::string> operators;  ///< the node's types, each once, inner graphs included
};

class GraphMaker {
public:
    GraphMaker(uint64_t seed, uint64_t number);

    int opset() const { return opset_; }

    // Choices. Equal on every machine, unlike the standard library's distributions.
    int64_t between(int64_t low, int64_t high);  ///< both included
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

    /// An extent; rarely 0 where that is allowed.
    int64_t extent(bool may_be_empty = true);
    Shape shape(int least_rank, int greatest_rank, bool may_be_empty = true);
    /// A shape that broadcasts with another one.
    Shape broadcastable(const Shape& other);
    /// An axis of a rank, counted from either end.
    int64_t axis(int rank, bool may_be_negative = true);

    struct Want {
        std::vector<int> types = {kReal};
        int least_rank = 0, greatest_rank = 4;
        bool exact = false;  ///< what reads it jumps
        bool tame = false;
        bool non_empty = false;
    };
    /// A value that is there already, or a new one.
    Value data(const Want& want);
    Value data(std::initializer_list<int> types, int least_rank = 0, int greatest_rank = 4);
    Value real_data(int least_rank = 0, int greatest_rank = 4) { return data({kReal}, least_rank, greatest_rank); }

    /// A new value: an input of the graph, or an initializer.
    Value fresh(int type, const Shape& shape, bool tame = false);
    Value weight(int type, const Shape& shape);  ///< mostly an initializer, and tame
    Value positive(const Shape& shape);          ///< floats well above 0
    Value filled(int type, const Shape& shape, std::function<double(int64_t)> element, bool known = true);
    /// Known integers of rank 1 (int64), as axes and shapes are given.
    Value integers(const Shape& values);
    Value scalar(int type, double value);

    /// Adds a node; outputs get new names. What comes out is known to later steps.
    std::vector<std::string> node(std::string_view op, const std::vector<std::string>& inputs,
                                  const std::vector<std::string>& attributes = {}, Effect effect = Effect::Rounded,
                                  int outputs = 1);
    /// Notes an operator within a subgraph.
    void note(std::string_view op);
    /// That an output of the current step is no tensor, or is wanted by nobody.
    void hide(const std::string& output);
    /// Results below differ from others in their last bit, whatever is read.
    void inexact() { step_exact_ = false; }
    std::string new_name(std::string_view prefix) { return std::string(prefix) + std::to_string(names_++); }

    /// Ends a step: learns what its nodes gave. False where Partita refuses it: the graph ends there.
    bool finish_step();
    GeneratedGraph finish();

private:
    void fill(Tensor& tensor, bool tame);
    std::string model_with(const std::vector<std::pair<std::string, int>>& outputs) const;
    Value add(int type, const Shape& shape, const Tensor& tensor, bool known, bool tame);

    std::mt19937_64 random_;
    int opset_;
    uint64_t names_ = 0;
    std::vector<std::string> nodes_, initializers_, input_infos_;
    std::vector<GeneratedGraph::Input> inputs_;
    std::vector<Value> values_;  ///< that nodes gave
    std::vector<std::string> read_;
    struct Made {
        std::string name;
        bool exact, tame;
    };
    std::vector<Made> made_;  ///< by the current step
    std::vector<std::string> hidden_;
    std::vector<std::string> operators_;
    std::vector<Value> known_flags_;  ///< of inputs and initializers
    bool step_exact_ = true;
};

/// A way to make one step, and the operators that it makes nodes of.
struct Recipe {
    std::vector<std::string_view> operators;
    int oldest_opset = 7;
    void (*add)(GraphMaker& maker, std::string_view op);
    int newest_opset = 18;
};

// One list for each family; recipes_*.cpp.
std::span<const Recipe> elementwise_recipes();
std::span<const Recipe> network_recipes();
std::span<const Recipe> shape_recipes();
std::span<const Recipe> other_recipes();

/// A graph of at most `steps` steps (0: one to six, as the seed says).
GeneratedGraph make_graph(uint64_t seed, uint64_t number, int steps = 0);
/// How many steps make_graph takes where it isn't told.
int steps_of(uint64_t seed, uint64_t number);
/// All operators that a recipe makes, sorted.
std::vector<std::string> operators_with_recipes();

}  // namespace partita::fuzz
