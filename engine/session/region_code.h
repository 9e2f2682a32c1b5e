// The code that is made of a region, or what its backend is given instead, for people to read.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

struct RegionCode {
    enum class Form : uint8_t {
        C,      ///< source, which the system's compiler translates
        Json,   ///< the region as a plug-in is given it: what the plug-in makes of it is its own
        Steps,  ///< the primitives or kernels that are called, one a line: no code is made
    };
    struct Lines {
        uint32_t first = 0, last = 0;  ///< from 1
        ExprId origin;                 ///< what they compute, in the module that the flow started from
        bool operator==(const Lines&) const = default;
    };
    Form form = Form::Steps;
    std::string executor;  ///< the codegen that takes the region
    std::string refused;   ///< why the one that was asked for does not, so that `default` does; else ""
    std::string text;
    std::vector<Lines> lines;  ///< those that are known, in the order of the text
};

/// Lists the code of a sub-function. `codegen` as RunOptions::codegen: by the name of the backend. No code that the
/// user brought is started. Fails if there is no such sub-function, or if not even `default` takes it.
Result<RegionCode> region_code(const Module& partitioned, const std::string& function,
                               const std::map<std::string, std::string>& codegen, const CancelToken& cancel = {});

}  // namespace partita
