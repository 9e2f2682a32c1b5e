// A function of one float as a list of operations, computed on a block of elements at a time: what several operators do
// one after the other then reads and writes memory once.
//
// Truth values are 0 and 1, and integers are floats, so that comparisons, roundings and conversions are operations too.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace partita {

class ElementwiseProgram {
public:
    enum class Op : uint8_t {
        Relu,  ///< negative ones times alpha
        Clip,  ///< to [alpha, beta]; NaN stays
        Absolute,
        Root,
        Error,    ///< the error function
        Tangent,  ///< the hyperbolic one
        Sigmoid,
        Floor,
        Ceiling,
        Rounding,  ///< halves to the even neighbour
        Truncation,
        Conversion,  ///< to an integer in [alpha, beta]; 0 for NaN
        Sum,         ///< this and what follows are of two operands
        Difference,
        Product,
        Quotient,
        Maximum,  ///< the second one if it can't be compared
        Minimum,
        Equal,
        NotEqual,
        Greater,
        Less,
        And,
        Or,
    };
    static constexpr uint8_t kConstant = 255;
    /// `a` and `b` are values: 0 is the argument, i + 1 the result of step i; kConstant is alpha, of one of the two.
    struct Step {
        Op op;
        uint8_t a = 0, b = 0;
        float alpha = 0, beta = 0;
    };
    static constexpr size_t kMostSteps = 48;

    /// The result is that of the last of 1 to kMostSteps steps. Those that nothing takes are left out.
    explicit ElementwiseProgram(std::vector<Step> steps);
    std::span<const Step> steps() const { return steps_; }

    /// Computes `count` elements. `from` and `to` may be the same.
    void run(const float* from, float* to, int64_t count) const;
    float operator()(float x) const;

private:
    std::vector<Step> steps_;      ///< `a` and `b` are places: 0 is the argument
    std::vector<uint8_t> places_;  ///< of the steps' results
};

}  // namespace partita
