// The operators of a file as it states them: what a backend is asked about whose rules are those of the file's own
// format. A converted module may have several calls for one of them, other types, and other operators.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/ir/module.h"
#include "engine/support/cancel.h"
#include "engine/support/diagnostic.h"

namespace partita {

struct StatedOperators {
    Module module;                                    ///< a foreign call for each, with the file's types and constants
    std::unordered_map<std::string, ExprId> by_name;  ///< as calls of the converted module are labelled

    /// Returns the operator that a call of the converted module came from, of one in a body the operator that has the
    /// body: its name is "NAME/INNER". Invalid if none did.
    ExprId find(const Module& converted, ExprId call) const {
        for (std::string name(converted.label(call)); !name.empty(); name.resize(name.rfind('/'))) {
            if (const auto found = by_name.find(name); found != by_name.end()) return found->second;
            if (name.find('/') == std::string::npos) break;
        }
        return {};
    }
};

struct Graph;  // engine/graph/graph.h
class FileOperators;

/// What is divided of a file.
struct FileForm {
    ModulePtr module;
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const FileOperators> operators;
};

/// The constants that a file could have in 16 bits instead of 32: the names of their values in its graph.
struct NarrowableConstants {
    std::vector<std::string> names;
    std::function<Result<FileForm>(const std::vector<std::string>& names, const CancelToken&)> as_float16;
};

/// Makes them when they are first asked for. Any thread may ask.
class FileOperators {
public:
    explicit FileOperators(std::function<StatedOperators()> make, NarrowableConstants narrowable = {})
        : make_(std::move(make)), narrowable_(std::move(narrowable)) {}

    const NarrowableConstants& narrowable() const { return narrowable_; }

    const StatedOperators& get() const {
        std::call_once(once_, [this] { made_ = make_(); });
        return made_;
    }

private:
    const std::function<StatedOperators()> make_;
    const NarrowableConstants narrowable_;
    mutable std::once_flag once_;
    mutable StatedOperators made_;
};

}  // namespace partita
