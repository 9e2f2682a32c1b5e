// Generates tokens with a decoder: its outputs `present...` go back in as `past...`, and the most likely token as the
// next of `input_ids`.
//
// Shapes are static, so each length of the cache is a module of its own: whoever runs the decoder reads the model again
// with sizes() for each step, gives that module inputs(), and hands its outputs to take().
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/session/session.h"

namespace partita {

class Decoder {
public:
    /// Reads what inputs and outputs mean from their names, as exporters of language models give them (Optimum, ONNX
    /// Runtime GenAI): input_ids, attention_mask, position_ids, seqlens_k, total_sequence_length, past*, logits,
    /// present*. `given` has values by parameter name: of input_ids the prompt, of others what each step gets. Without
    /// a prompt one is made from the seed, as long as the module's input_ids. Refuses by name what is not clear.
    static Result<Decoder> make(const OpenedModule& opened, const std::map<std::string, Tensor>& given, uint64_t seed);

    /// Returns the names of the dimensions that sizes() sets.
    std::vector<std::string> dimensions() const;
    /// Returns the sizes for the next step.
    std::map<std::string, int64_t> sizes() const;
    /// Returns the values of all parameters for the next step, by parameter name. Refuses a module that does not fit.
    Result<std::map<std::string, Tensor>> inputs(const Module& module) const;
    /// Takes the outputs of a step and makes the next one. Returns the new token of each row of the batch.
    Result<std::vector<int64_t>> take(const std::vector<Tensor>& outputs);

    int64_t past() const { return past_; }                 ///< length of the cache
    int64_t length() const { return tokens_.shape()[1]; }  ///< tokens that the next step reads

private:
    struct Cache {
        size_t output = 0;
        Tensor value;  ///< undefined before the first step
    };

    Status find_caches(const OpenedModule& opened);
    Status find_lengths(const OpenedModule& opened);
    Status find_prompt(const OpenedModule& opened, const std::map<std::string, Tensor>& given, uint64_t seed);
    Result<Tensor> value_of(const Module& module, ExprId parameter) const;

    std::map<std::string, Cache> caches_;  ///< by the ONNX name of the input
    std::map<std::string, Tensor> given_;  ///< by ONNX name
    size_t logits_ = 0;
    std::string length_name_, past_name_;  ///< of dimensions; no name of the length if it is 1
    Tensor tokens_;                        ///< (batch, length)
    int64_t past_ = 0;
};

}  // namespace partita
