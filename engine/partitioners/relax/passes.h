// What TVM's two passes for compilers of regions make of a Relax program (v0.16 to v0.26): FuseOpsByPattern
// (src/relax/transform/fuse_ops.cc) and MergeCompositeFunctions (merge_composite_functions.cc), with names, attributes,
// parameters and order. Where TVM throws, or makes a module that uses a value before it is defined, the match or merge
// is refused and noted.
//
// Fusing costs the patterns times the bindings. Merging searches for a path only among what stands between two groups
// in an order of the groups that is kept while they merge.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "engine/partitioners/relax/fusor.h"
#include "engine/partitioners/relax/matcher.h"
#include "engine/support/cancel.h"

namespace partita::relax {

struct FusionPattern {
    std::string name;  ///< "dnnl.conv2d_relu"; the compiler stands before the point
    const Pattern* pattern = nullptr;
    /// Returns whether a match becomes a composite; null: always.
    std::function<bool(const Binding& root, const TextMatcher& matcher)> check;
    /// Returns why the binding of this number in the text is not the compiler's to take, as the form of a note that
    /// names it; null if it is. Null itself: always.
    std::function<const char*(uint32_t source)> obstacle = nullptr;
};

struct PassOptions {
    bool binds_constants = true;
    bool annotates_codegen = false;
    bool version_26 = false;
    CancelToken cancel;
    /// Returns the group in which a person keeps the binding of this number in the text; null: all are in one.
    std::function<int(uint32_t source)> group_of = nullptr;
};

/// Why something is as it is; bindings by their numbers in the text.
struct PassNote {
    uint32_t subject = kNone, other = kNone;
    const char* form = "";
    std::vector<uint32_t> named;
};

/// What a pattern took, or what it matched where its check is false; bindings by their numbers in the text.
struct PassMatch {
    std::string pattern;
    uint32_t root = kNone;
    std::vector<uint32_t> sources;  ///< with the root
    bool taken = false;
};

/// A call of a function that goes to a compiler, in @main.
struct CompilerRegion {
    std::string compiler;
    std::vector<uint32_t> sources;
};

struct PassResult {
    Program program;
    std::vector<CompilerRegion> regions;  ///< in the order of their calls
    std::vector<PassMatch> matches;
    std::vector<PassNote> notes;
};

/// Matches the patterns, in order. Adds to the result's matches and notes.
void fuse_by_pattern(Rewriting& rewriting, std::span<const FusionPattern> patterns, const PassOptions& options,
                     PassResult& result);
void annotate_codegen(Rewriting& rewriting);
/// Merges composites of @main into functions for their compilers.
void merge_composites(Rewriting& rewriting, const PassOptions& options, std::vector<PassNote>& notes);

/// Both, in order. Fails with "cancelled".
Result<PassResult> run_passes(const Program& program, std::span<const FusionPattern> patterns,
                              const PassOptions& options);

/// Returns the compiler of a composite: what stands before the point of its name.
std::string compiler_of(std::string_view composite);

}  // namespace partita::relax
