// The parameters of a module's @main, as whoever gives values for them names them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/diagnostic.h"

namespace partita {

/// The parameters of @main by name, also by the names of an ONNX model. The module must outlive it.
class ParameterNames {
public:
    explicit ParameterNames(const Module& module);

    /// Returns the parameter of a name. Fails for an unknown one, and names those that there are, because generated
    /// values would silently replace the input.
    Result<ExprId> find(const std::string& name) const;
    /// Refuses a value whose shape does not fit its parameter.
    Status accept(const std::string& name, const std::vector<int64_t>& shape) const;
    /// Also refuses a value of another type of elements.
    Status accept(const std::string& name, const std::vector<int64_t>& shape, DataType dtype) const;

private:
    std::string known(const std::string& name) const;

    const Module& module_;
    std::map<std::string, ExprId, std::less<>> by_name_;
};

}  // namespace partita
