// The weights, buffers and constants of a program: places in its file, read when somebody wants them. A name is a view
// of a storage, with strides; several names may share one.
//
// Before PyTorch 2.9 the places stand in a pickle. None is run: the few forms that torch.save writes are read, and what
// else one calls leaves its tensors without values.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/frontends/torch/archive.h"
#include "engine/frontends/torch/program.h"
#include "engine/ir/tensor.h"

namespace partita::torch {

/// A view of the bytes of a member.
struct StoredTensor {
    DataType dtype;
    std::vector<int64_t> shape, strides;
    int64_t offset = 0;             ///< in elements
    uint64_t place = 0, bytes = 0;  ///< of the storage in the file
    std::string fault;              ///< why it has no values; "" if it has
};

using StoredTensors = std::map<std::string, StoredTensor, std::less<>>;

class Weights {
public:
    explicit Weights(const Archive& archive) : archive_(archive) {}

    /// Adds what a config of PyTorch 2.9 names; its records stand beside it.
    Status add_config(const Member& config);
    /// Adds the tensors of the dictionary that a member holds, which torch.save wrote.
    Status add_pickle(const Member& member);

    bool has(std::string_view name) const { return tensors_.contains(name); }
    /// Returns the tensor of a name, whose values are read later; of a type that the program states. What can't be read
    /// is noted once.
    Tensor tensor(std::string_view name, const TensorMeta& meta, const std::vector<int64_t>& shape,
                  std::vector<std::string>& warnings) const;

private:
    const Archive& archive_;
    StoredTensors tensors_;
};

/// Reads the dictionary of tensors that a pickle of torch.save holds. Fails for one that does anything else.
Result<StoredTensors> read_pickle(std::string_view pickle, const Archive& archive, const std::string& root);

}  // namespace partita::torch
