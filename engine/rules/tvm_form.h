// A form in which a backend's rules are written for TVM.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "engine/rules/backend_description.h"

namespace partita {

class TvmForm {
public:
    virtual ~TvmForm() = default;

    /// What the file begins with: imports and functions for the rules.
    virtual std::string head() const = 0;
    /// An operator's rule, and its row of the table where it has one; refuses by name what the form has no words for.
    virtual Result<std::string> op(const BackendDescription& backend, const OpRecord& op, const OpRule& rule,
                                   std::string& row) const = 0;
    /// A pattern with its check, as functions called `name`, and its row.
    virtual Result<std::string> pattern(const CompositePattern& composite, const std::string& name,
                                        std::string& row) const = 0;
    virtual std::string table(const BackendDescription& backend, std::span<const std::string> ops,
                              std::span<const std::string> patterns) const = 0;
};

std::unique_ptr<TvmForm> tvm_relay_form();
std::unique_ptr<TvmForm> tvm_relax_form();

}  // namespace partita
