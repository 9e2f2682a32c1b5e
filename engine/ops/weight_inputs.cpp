#include "engine/ops/weight_inputs.h"

#include <algorithm>
#include <array>

namespace partita {

bool is_weight_name(std::string_view input) {
    static constexpr std::array<std::string_view, 14> names = {"weight",       "bias",
                                                               "gamma",        "beta",
                                                               "moving_mean",  "moving_var",
                                                               "kernel",       "alpha",
                                                               "input_scale",  "input_zero_point",
                                                               "output_scale", "output_zero_point",
                                                               "kernel_scale", "kernel_zero_point"};
    return std::find(names.begin(), names.end(), input) != names.end();
}

}  // namespace partita
