// What the operators of attention have in common: heads, masks by place, softmax(q k^T) v, rotary embedding.
#pragma once

#include <optional>

#include "engine/frontends/onnx/converter.h"

namespace partita::onnx {

/// Throws Fault if an input is given.
void refuse_input(const NodeContext& n, size_t index, const char* name);
/// Throws Fault if an attribute is given with another value.
void refuse_unless(NodeContext& n, const char* name, int64_t value);

/// The extent of the last axis.
int64_t width_of(const NodeContext& n, ExprId x);
/// [batch, rows, heads * size] as [batch, heads, rows, size], which may be given at once.
ExprId with_heads(NodeContext& n, ExprId x, int64_t heads);
/// The reverse of with_heads().
ExprId without_heads(NodeContext& n, ExprId x);
/// Keys or values of the past, an input or none, with fresh ones behind: [batch, heads, rows, size].
ExprId joined_cache(NodeContext& n, size_t past, ExprId fresh);
/// The attribute scale, or 1 / sqrt(size of a head).
double scale_of(NodeContext& n, ExprId q);

/// Which keys a query sees by its place.
struct Places {
    int64_t rows = 0, keys = 0;
    ExprId before;                  ///< keys before the first query, int64: a scalar, or [batch, 1, 1, 1]
    int64_t left = -1, right = -1;  ///< so many keys before and after its own at most; -1: all
};
/// Returns bool [rows, keys] or [batch, 1, rows, keys].
ExprId seen_by_place(NodeContext& n, const Places& places);
/// Returns bool [batch, 1, 1, keys]: the first `counts` keys of each of the batch, int32 or int64 [batch].
ExprId first_keys(NodeContext& n, ExprId counts, int64_t keys);
/// Both, where either may be none.
ExprId both(NodeContext& n, ExprId a, ExprId b);

struct Scores {
    double scale = 1, softcap = 0;
    ExprId bias;                           ///< added; none if invalid
    ExprId allowed;                        ///< bool; where false, a key is not seen. none if invalid
    std::optional<int64_t> causal_offset;  ///< row r sees the keys up to r + offset; none: all
    bool may_see_none = false;             ///< a query that sees no key gets zeros
    ExprId sink;                           ///< [heads]: takes a part of what a query has to give away. none if invalid
};
/// Steps of attention, each [batch, heads, rows, keys], but for what is allowed and the result [batch, heads, rows,
/// size].
struct Attended {
    ExprId allowed;  ///< as in Scores, with what is seen by place
    ExprId products, capped, masked, shares, result;
};
/// softmax(scale q k^T) v over the last two axes of [batch, heads, rows, size]; heads of keys and values may be shared
/// by several of the queries'. One call, but for a sink.
ExprId attend(NodeContext& n, ExprId q, ExprId k, ExprId v, const Scores& options);
/// The same as a call for each step, where an output shows one.
Attended attend_in_steps(NodeContext& n, ExprId q, ExprId k, ExprId v, Scores options);

/// Turns pairs of elements of [batch, heads, rows, size]; `cos` and `sin` are [batch or 1, 1, rows, half].
ExprId rotated(NodeContext& n, ExprId x, ExprId cos, ExprId sin, bool interleaved);
/// Rows of a table of cos or sin at positions [batch, rows], as [batch, 1, rows, half].
ExprId at_positions(NodeContext& n, ExprId table, ExprId positions);

/// Turns the first input, with heads or without; `size` of a head, 0 if the attribute num_heads says it.
ExprId rotary(NodeContext& n, ExprId cos, ExprId sin, int64_t size);

/// x / sqrt(mean(x^2) + epsilon) * scale over the axes from `axis` on; second, the factor of x. One call over the last
/// axis, where the second output is not wanted.
std::vector<ExprId> root_mean_square(NodeContext& n, ExprId x, ExprId scale, int64_t axis, double epsilon);

}  // namespace partita::onnx
