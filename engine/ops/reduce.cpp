// Reductions along axes. Source: TVM 0.9, src/relay/op/tensor/reduce.cc and topi/reduction.h.
//
// Floating-point sums and products are accumulated in double, integers in their own type, where they wrap as in TVM.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/ops/broadcast.h"
#include "engine/ops/c_text.h"
#include "engine/ops/converted.h"
#include "engine/ops/elementwise.h"
#include "engine/ops/families.h"
#include "engine/ops/reduce_plan.h"
#include "engine/ops/relations.h"
#include "engine/ops/schema.h"
#include "engine/ops/strided_copy.h"

namespace partita {

namespace {

// ---- Reductions ----

template <class W>
using Wrapping =
    std::conditional_t<std::is_floating_point_v<W>, double, std::conditional_t<sizeof(W) == 8, uint64_t, uint32_t>>;

/// `Total` is the accumulator's type; `result` makes the element from the total and the number of values.
struct Sum {
    static constexpr bool kOfReals = false;
    template <class W>
    using Total = Wrapping<W>;
    template <class W>
    static Total<W> start() {
        return 0;
    }
    template <class R>
    static R combine(R a, R b) {
        return a + b;
    }
    template <class W>
    static W result(Total<W> total, int64_t) {
        return W(total);
    }
};

struct RealMean : Sum {
    static constexpr bool kOfReals = true;
    template <class W>
    static W result(Total<W> total, int64_t count) {
        return W(total / double(count));
    }
};

struct Product : Sum {
    template <class W>
    static Total<W> start() {
        return 1;
    }
    template <class R>
    static R combine(R a, R b) {
        return a * b;
    }
};

struct Largest {
    static constexpr bool kOfReals = false;
    template <class W>
    using Total = W;
    template <class W>
    static W start() {
        if constexpr (std::is_floating_point_v<W>) return -std::numeric_limits<W>::infinity();
        else return std::numeric_limits<W>::lowest();
    }
    template <class R>
    static R combine(R a, R b) {
        return larger(a, b);
    }
    /// Checks both values for NaN with one comparison: half the work of combining one after the other.
    template <class R>
    static R combine_two(R total, R a, R b) {
        R of_a = a > total ? a : total, found = b > of_a ? b : of_a;  // the total if that is NaN
        return std::isunordered(a, b) ? std::numeric_limits<R>::quiet_NaN() : found;
    }
    template <class W>
    static W result(W total, int64_t) {
        return total;
    }
};

struct Smallest : Largest {
    template <class W>
    static W start() {
        if constexpr (std::is_floating_point_v<W>) return std::numeric_limits<W>::infinity();
        else return std::numeric_limits<W>::max();
    }
    template <class R>
    static R combine(R a, R b) {
        return smaller(a, b);
    }
    template <class R>
    static R combine_two(R total, R a, R b) {
        R of_a = a < total ? a : total, found = b < of_a ? b : of_a;  // the total if that is NaN
        return std::isunordered(a, b) ? std::numeric_limits<R>::quiet_NaN() : found;
    }
};

// ---- Kernels ----
//
// On elements of Exact<T>; others are converted first.

constexpr int64_t kElementsWorthAThread = 1 << 15, kInCache = 1 << 20;

int64_t grain_of(int64_t count) { return std::max<int64_t>(1, kElementsWorthAThread / std::max<int64_t>(1, count)); }

/// Whether taking two values at a time pays off: if NaN is checked.
template <class F, class Total>
constexpr bool combines_two = std::is_floating_point_v<Total>&& requires(Total value) {
    F::combine_two(value, value, value);
};

/// Reduces neighbouring elements in several lanes, which the compiler keeps in vector registers.
template <class F, class T>
auto reduce_run(const T* values, int64_t count) {
    using Total = typename F::template Total<T>;
    constexpr int64_t kLanes = 16;
    Total lanes[kLanes];
    std::fill_n(lanes, kLanes, F::template start<T>());
    int64_t i = 0;
    auto at = [&](int64_t place) { return Total(values[place]); };
    if constexpr (combines_two<F, Total>)
        for (; i + 2 * kLanes <= count; i += 2 * kLanes)
            for (int64_t lane = 0; lane < kLanes; ++lane)
                lanes[lane] = F::combine_two(lanes[lane], at(i + lane), at(i + kLanes + lane));
    for (; i + kLanes <= count; i += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = F::combine(lanes[lane], at(i + lane));
    Total total = F::template start<T>();
    for (Total lane : lanes) total = F::combine(total, lane);
    for (; i < count; ++i) total = F::combine(total, at(i));
    return total;
}

/// Reduces the innermost dimension: one element of the result at a time.
template <class F, class T>
void reduce_rows(const ReducePlan& plan, const T* from, T* to, ThreadPool& threads) {
    int64_t run = plan.reduced_extents.back(), count = plan.reduced_count();
    size_t outer = plan.reduced_extents.size() - 1;
    threads.parallel_for(plan.kept_count(), grain_of(count), [&](int64_t begin, int64_t end) {
        StridedWalk kept(plan.kept_extents, plan.kept_strides);
        StridedWalk reduced(std::span(plan.reduced_extents).first(outer), std::span(plan.reduced_strides).first(outer));
        kept.go_to(begin);
        for (int64_t i = begin; i < end; ++i, kept.next()) {
            auto total = F::template start<T>();
            for (int64_t r = 0; r < reduced.count(); ++r, reduced.next())
                total = F::combine(total, reduce_run<F>(from + kept.offset() + reduced.offset(), run));
            to[i] = F::template result<T>(total, count);
        }
    });
}

/// Keeps the innermost dimension: accumulates whole rows element by element.
template <class F, class T>
void reduce_columns(const ReducePlan& plan, const T* from, T* to, ThreadPool& threads) {
    using Total = typename F::template Total<T>;
    constexpr int64_t kChunk = 512;
    int64_t columns = plan.kept_extents.back(), count = plan.reduced_count();
    size_t outer = plan.kept_extents.size() - 1;
    int64_t chunks = (columns + kChunk - 1) / kChunk;
    StridedWalk rows(std::span(plan.kept_extents).first(outer), std::span(plan.kept_strides).first(outer));
    // From memory, reading two rows alternately is slower than one after the other.
    [[maybe_unused]] const bool takes_two = count * columns * int64_t(sizeof(T)) <= kInCache;
    threads.parallel_for(
        rows.count() * chunks, grain_of(count * std::min(columns, kChunk)), [&](int64_t begin, int64_t end) {
            StridedWalk kept = rows;
            StridedWalk reduced(plan.reduced_extents, plan.reduced_strides);
            std::vector<Total> totals(kChunk);
            for (int64_t part = begin; part < end; ++part) {
                int64_t row = part / chunks, first = part % chunks * kChunk, width = std::min(kChunk, columns - first);
                kept.go_to(row);
                std::fill_n(totals.data(), width, F::template start<T>());
                const T* source = from + kept.offset() + first;
                Total* total = totals.data();
                int64_t r = 0;
                if constexpr (combines_two<F, Total>)
                    for (; takes_two && r + 2 <= count; r += 2, reduced.next()) {
                        const T* one = source + reduced.offset();
                        reduced.next();
                        const T* two = source + reduced.offset();
                        for (int64_t c = 0; c < width; ++c) total[c] = F::combine_two(total[c], one[c], two[c]);
                    }
                for (; r < count; ++r, reduced.next()) {
                    const T* one = source + reduced.offset();
                    for (int64_t c = 0; c < width; ++c) total[c] = F::combine(total[c], Total(one[c]));
                }
                for (int64_t c = 0; c < width; ++c)
                    to[row * columns + first + c] = F::template result<T>(totals[size_t(c)], count);
            }
        });
}

template <class F, class T>
void reduce_elements(const ReducePlan& plan, const T* from, T* to, ThreadPool& threads) {
    if (plan.reduced_extents.empty())
        for (int64_t i = 0; i < plan.kept_count(); ++i)
            to[i] = F::template result<T>(typename F::template Total<T>(from[i]), 1);
    else if (plan.reduced_strides.back() == 1) reduce_rows<F>(plan, from, to, threads);
    else reduce_columns<F>(plan, from, to, threads);
}

/// What is left of no elements.
template <class F>
void fill_with_start(const TensorView& output) {
    with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using W = Wide<T>;
        if constexpr (std::is_floating_point_v<W> || !F::kOfReals)
            std::fill_n(output.as<T>(), output.size(), T(F::template result<W>(F::template start<W>(), 0)));
    });
}

template <class F>
Status reduce_to(const KernelCall& call, const ReducePlan& plan) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    const bool known = with_exact_type(input.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        if (output.size() == 0) return;
        if (input.size() == 0) return fill_with_start<F>(output);
        if constexpr (std::is_floating_point_v<T> || !F::kOfReals) {
            const ConvertedInput<T> from(input, call.threads);
            ConvertedOutput<T> to(output);
            reduce_elements<F>(plan, from.data(), to.data(), call.threads);
            to.store(call.threads);
        }
    });
    if (!known) return unsupported_element(call.attributes.op(), input.dtype);
    return Nothing();
}

template <class F>
Status reduce_kernel(const KernelCall& call) {
    std::span<const int64_t> shape = call.inputs[0].shape;
    auto axes = reduced_axes(call.attributes, shape.size());
    if (!axes) return axes.error();
    return reduce_to<F>(call, make_reduce_plan(shape, *axes));
}

/// `all` is the smallest, `any` the largest of whether elements are not zero.
template <class F>
Status flag_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    auto axes = reduced_axes(call.attributes, input.shape.size());
    if (!axes) return axes.error();
    std::vector<int32_t> flags(size_t(input.size())), result(size_t(output.size()));
    const bool known = with_element_type(input.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        std::transform(input.as<T>(), input.as<T>() + input.size(), flags.begin(),
                       [](T element) { return int32_t(Wide<T>(element) != Wide<T>(0)); });
    });
    if (!known) return unsupported_element(call.attributes.op(), input.dtype);
    const ReducePlan plan = make_reduce_plan(input.shape, *axes);
    if (flags.empty()) std::fill(result.begin(), result.end(), std::is_same_v<F, Smallest>);
    else if (!result.empty()) reduce_elements<F>(plan, flags.data(), result.data(), call.threads);
    with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        std::transform(result.begin(), result.end(), output.as<T>(), [](int32_t flag) { return T(Wide<T>(flag)); });
    });
    return Nothing();
}

/// Of integers, the sum and the count that it is divided by wrap as the elements do.
Status mean_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    if (input.dtype.is_float()) return reduce_kernel<RealMean>(call);
    if (input.dtype.is_bool() && input.size() > 0) return flag_kernel<Smallest>(call);  // a part of them counts as 0
    if (Status summed = reduce_kernel<Sum>(call); !summed || output.size() == 0) return summed;
    const int64_t count = input.size() / output.size();
    with_element_type(output.dtype, [&](auto tag) {
        using T = typename decltype(tag)::type;
        using W = Wide<T>;
        if constexpr (std::is_integral_v<W>) {
            const W divisor = W(count);
            const auto quotient = [divisor](T sum) { return T(W(W(sum) / divisor)); };
            if (divisor == 0 || divisor == W(-1)) std::fill_n(output.as<T>(), output.size(), T(W(0)));
            else std::transform(output.as<T>(), output.as<T>() + output.size(), output.as<T>(), quotient);
        }
    });
    return Nothing();
}

/// Returns the index among neighbouring elements: first the extremum in several lanes, then where it is. NaN counts
/// where it is first.
template <bool WantsLargest, class T>
int64_t extremum_of_run(const T* values, int64_t count, bool last) {
    constexpr int64_t kLanes = 16;
    T lanes[kLanes];
    std::fill_n(lanes, kLanes, values[0]);
    const auto better = [](T value, T best) { return (WantsLargest ? value > best : value < best) ? value : best; };
    int64_t i = 0;
    for (; i + kLanes <= count; i += kLanes)
        for (int64_t lane = 0; lane < kLanes; ++lane) lanes[lane] = better(values[i + lane], lanes[lane]);
    T best = lanes[0];
    for (const T lane : lanes) best = better(lane, best);
    for (; i < count; ++i) best = better(values[i], best);
    if (last)
        for (int64_t at = count; at-- > 0;)
            if (values[at] == best) return at;
    const T* found = std::find(values, values + count, best);
    return found == values + count ? 0 : found - values;
}

/// The same of elements anywhere; `walk` comes back to its start.
template <bool WantsLargest, class T>
int64_t extremum_of_walk(const T* values, StridedWalk& walk, bool last) {
    int64_t index = 0;
    T best = values[0];
    for (int64_t at = 0; at < walk.count(); ++at, walk.next()) {
        const T value = values[walk.offset()];
        if ((WantsLargest ? value > best : value < best) || (last && value == best)) {
            best = value;
            index = at;
        }
    }
    return index;
}

/// Finds the indices of the first extrema, or of the last.
template <bool WantsLargest, class T>
void find_extrema(const ReducePlan& plan, bool last, const T* from, int32_t* to, ThreadPool& threads) {
    const int64_t count = plan.reduced_count();
    const bool in_runs = plan.reduced_extents.size() == 1 && plan.reduced_strides[0] == 1;
    threads.parallel_for(plan.kept_count(), grain_of(count), [&](int64_t begin, int64_t end) {
        StridedWalk kept(plan.kept_extents, plan.kept_strides);
        StridedWalk reduced(plan.reduced_extents, plan.reduced_strides);
        kept.go_to(begin);
        for (int64_t i = begin; i < end; ++i, kept.next()) {
            const T* values = from + kept.offset();
            to[i] = int32_t(in_runs ? extremum_of_run<WantsLargest>(values, count, last)
                                    : extremum_of_walk<WantsLargest>(values, reduced, last));
        }
    });
}

template <bool WantsLargest>
Status arg_kernel(const KernelCall& call) {
    const TensorView &input = call.inputs[0], &output = call.outputs[0];
    auto axes = reduced_axes(call.attributes, input.shape.size());
    if (!axes) return axes.error();
    const ReducePlan plan = make_reduce_plan(input.shape, *axes);
    if (plan.reduced_count() == 0 && output.size() > 0)
        return error(call.attributes.op().name + " of no elements has no result");
    const bool last = call.attributes.boolean("select_last_index");
    const bool known = with_exact_type(input.dtype, [&](auto tag) {
        const ConvertedInput<typename decltype(tag)::type> from(input, call.threads);
        find_extrema<WantsLargest>(plan, last, from.data(), output.as<int32_t>(), call.threads);
    });
    if (!known) return unsupported_element(call.attributes.op(), input.dtype);
    return Nothing();
}

// ---- Generated C ----

/// The parts of a reduction's C text. `%T` is the accumulator's type, `%t` the total, `%v` the value.
struct ReduceText {
    const char* name;
    const char* start_real;
    const char* start_integer;  ///< `%l` and `%h` are the ends of the element type's range
    const char* combine;
};

const ReduceText kTexts[] = {
    {"sum", "0", "0", "%t + %v"},
    {"mean", "0", "0", "%t + %v"},
    {"prod", "1", "1", "%t * %v"},
    {"max", "-INFINITY", "%l", "%t > %v ? %t : %v"},
    {"min", "INFINITY", "%h", "%t < %v ? %t : %v"},
    {"all", "1", "1", "%t != 0 && %v != 0"},
    {"any", "0", "0", "%t != 0 || %v != 0"},
};

std::string replaced(std::string text, std::string_view what, const std::string& with) {
    for (size_t at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

std::string sum_of_steps(char letter, const std::vector<int64_t>& strides) {
    std::string text;
    for (size_t d = 0; d < strides.size(); ++d)
        text += (text.empty() ? "" : " + ") + std::string(1, letter) + std::to_string(d) + " * " +
                std::to_string(strides[d]);
    return text.empty() ? "0" : text;
}

void open_loops(char letter, const std::vector<int64_t>& extents, std::string& code, int& indent) {
    for (size_t d = 0; d < extents.size(); ++d) {
        std::string index = letter + std::to_string(d);
        code += c_indent(indent++) + "for (int64_t " + index + " = 0; " + index + " < " + std::to_string(extents[d]) +
                "; ++" + index + ") {\n";
    }
}

void close_loops(size_t count, std::string& code, int& indent) {
    for (size_t d = 0; d < count; ++d) code += c_indent(--indent) + "}\n";
}

std::string kept_place(const ReducePlan& plan) {
    std::vector<int64_t> strides(plan.kept_extents.size());
    int64_t stride = 1;
    for (size_t d = strides.size(); d-- > 0;) {
        strides[d] = stride;
        stride *= plan.kept_extents[d];
    }
    return sum_of_steps('k', strides);
}

/// Returns the type of a total in C: as in the kernels.
std::string total_type(const std::string& op, DataType dtype) {
    bool adds = op == "sum" || op == "mean" || op == "prod";
    if (!adds) return c_type(dtype);
    if (dtype.is_float()) return "double";
    return dtype.bits == 64 ? "uint64_t" : "uint32_t";
}

std::string result_text(const std::string& op, DataType dtype, int64_t count) {
    std::string type = c_type(dtype), total = dtype.is_bool() ? "(total != 0)" : "total";
    if (op != "mean") return "(" + type + ")" + total;
    if (dtype.is_float()) return "(" + type + ")(total / " + c_constant(kFloat64, double(count)) + ")";
    int64_t divisor = count;
    // NOLINTNEXTLINE(bugprone-signed-char-misuse): the kernel's divisor wraps in the elements' type, too
    with_element_type(dtype, [&](auto tag) { divisor = int64_t(Wide<typename decltype(tag)::type>(count)); });
    if (divisor == 0 || divisor == -1) return "0";
    if (dtype.is_bool()) return "(" + type + ")(total / " + c_constant(kUInt32, divisor) + ")";  // a part counts as 0
    return "(" + type + ")((" + type + ")" + total + " / " + c_constant(dtype, divisor) + ")";
}

/// Writes the reduction with the text of `op`.
void write_reduction(const CLoops& loops, const ReducePlan& plan, const std::string& op) {
    const CTensor &input = loops.inputs[0], &output = loops.outputs[0];
    const ReduceText* text = kTexts;
    while (op != text->name) ++text;
    std::string type = total_type(op, input.dtype);
    std::string start =
        input.dtype.is_float() ? text->start_real : fill_c_template(text->start_integer, {}, input.dtype);
    std::string combine = replaced(replaced(text->combine, "%t", "total"), "%v", "value");
    if (input.dtype.is_float() && (op == "max" || op == "min")) combine = "total != total || " + combine;  // NaN stays
    int indent = loops.indent;
    std::string& code = loops.code;
    open_loops('k', plan.kept_extents, code, indent);
    if (plan.kept_extents.empty()) code += c_indent(indent++) + "{\n";
    code += c_indent(indent) + type + " total = " + start + ";\n";
    open_loops('r', plan.reduced_extents, code, indent);
    if (plan.reduced_extents.empty()) code += c_indent(indent++) + "{\n";
    std::string place = sum_of_steps('k', plan.kept_strides) + " + " + sum_of_steps('r', plan.reduced_strides);
    code += c_indent(indent) + "const " + type + " value = (" + type + ")" + input.name + "[" + place + "];\n";
    code += c_indent(indent) + "total = (" + type + ")(" + combine + ");\n";
    close_loops(std::max<size_t>(1, plan.reduced_extents.size()), code, indent);
    code += c_indent(indent) + output.name + "[" + kept_place(plan) +
            "] = " + result_text(op, input.dtype, plan.reduced_count()) + ";\n";
    close_loops(std::max<size_t>(1, plan.kept_extents.size()), code, indent);
}

Status reduce_in_c(const CLoops& loops) {
    auto axes = reduced_axes(loops.attributes, loops.inputs[0].shape.size());
    if (!axes) return axes.error();
    write_reduction(loops, make_reduce_plan(loops.inputs[0].shape, *axes), loops.attributes.op().name);
    return Nothing();
}

template <bool WantsLargest>
Status arg_in_c(const CLoops& loops) {
    const CTensor &input = loops.inputs[0], &output = loops.outputs[0];
    auto axes = reduced_axes(loops.attributes, input.shape.size());
    if (!axes) return axes.error();
    ReducePlan plan = make_reduce_plan(input.shape, *axes);
    std::string type = c_type(input.dtype), base = sum_of_steps('k', plan.kept_strides);
    std::string better = WantsLargest ? "value > best" : "value < best";
    if (loops.attributes.boolean("select_last_index")) better = WantsLargest ? "value >= best" : "value <= best";
    int indent = loops.indent;
    std::string& code = loops.code;
    open_loops('k', plan.kept_extents, code, indent);
    if (plan.kept_extents.empty()) code += c_indent(indent++) + "{\n";
    code += c_indent(indent) + type + " best = " + input.name + "[" + base + "];\n";
    code += c_indent(indent) + "int32_t best_index = 0, index = 0;\n";
    open_loops('r', plan.reduced_extents, code, indent);
    if (plan.reduced_extents.empty()) code += c_indent(indent++) + "{\n";
    code += c_indent(indent) + "const " + type + " value = " + input.name + "[" + base + " + " +
            sum_of_steps('r', plan.reduced_strides) + "];\n";
    code += c_indent(indent) + "if (" + better + ") { best = value; best_index = index; }\n";
    code += c_indent(indent) + "++index;\n";
    close_loops(std::max<size_t>(1, plan.reduced_extents.size()), code, indent);
    code += c_indent(indent) + output.name + "[" + kept_place(plan) + "] = best_index;\n";
    close_loops(std::max<size_t>(1, plan.kept_extents.size()), code, indent);
    return Nothing();
}

// ---- Records ----

Result<TypeId> reduce(const TypeQuery& query, DataType dtype) {
    std::vector<int64_t> shape = shape_copy(query.types, query.arguments[0]);
    auto axes = reduced_axes(query.attributes, shape.size());
    if (!axes) return axes.error();
    return checked_tensor(query.types, dtype, reduced_shape(shape, *axes, query.attributes.boolean("keepdims")));
}

Result<TypeId> reduce_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    return reduce(query, query.types.dtype(query.arguments[0]));
}

Result<TypeId> arg_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    if (query.types.shape(query.arguments[0]).empty()) return error("the operand must not be a scalar");
    return reduce(query, kInt32);
}

double reduce_flops(const TypeTable& types, std::span<const TypeId> arguments, TypeId, const AttributesView&) {
    return double(element_count(types.shape(arguments[0])).value_or(0));
}

OpRecord reduce_op(std::string name, std::string summary, Kernel kernel) {
    OpRecord op;
    op.example = "fn (%x: Tensor[(2, 3, 4), float32]) { " + name + "(%x, axis=[1], keepdims=True) }";
    op.name = std::move(name);
    op.summary = std::move(summary);
    op.inputs = {"data"};
    op.pattern = OpPattern::Reduction;
    op.attributes = {none_field("axis", AttributeKind::IntegerList, "the axes that are reduced; None: all"),
                     bool_field("keepdims", false, "reduced axes stay as dimensions of 1"),
                     bool_field("exclude", false, "the axes that are not given are reduced")};
    op.relation = reduce_relation;
    op.kernel = kernel;
    op.c_loops = reduce_in_c;
    op.flops = reduce_flops;
    return op;
}

OpRecord bool_reduce_op(std::string name, std::string summary, Kernel kernel) {
    OpRecord op = reduce_op(std::move(name), std::move(summary), kernel);
    op.example = "fn (%x: Tensor[(2, 3, 4), bool]) { " + op.name + "(%x, axis=[1], keepdims=True) }";
    return op;
}

template <bool WantsLargest>
OpRecord arg_op(std::string name, std::string summary) {
    OpRecord op = reduce_op(std::move(name), std::move(summary), arg_kernel<WantsLargest>);
    op.attributes.insert(op.attributes.begin() + 2,
                         bool_field("select_last_index", false, "of equal elements the last counts, else the first"));
    op.relation = arg_relation;
    op.c_loops = arg_in_c<WantsLargest>;
    return op;
}

// ---- variance ----

Result<TypeId> variance_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    TypeTable& types = query.types;
    std::span<const int64_t> data = types.shape(query.arguments[0]), mean = types.shape(query.arguments[1]);
    if (data.empty()) return error("the operand must not be a scalar");
    if (!(types.dtype(query.arguments[0]) == types.dtype(query.arguments[1])))
        return error("the data types of data and mean differ");
    auto common = broadcast_shapes(data, mean);
    if (data.size() != mean.size() || !common || !std::equal(data.begin(), data.end(), common->begin()))
        return error("the mean's shape " + shape_to_string(mean) + " can't be broadcast to the data's, " +
                     shape_to_string(data));
    return reduce(query, types.dtype(query.arguments[0]));
}

Status variance_kernel(const KernelCall& call) {
    const TensorView &data = call.inputs[0], &mean = call.inputs[1], &output = call.outputs[0];
    auto axes = reduced_axes(call.attributes, data.shape.size());
    if (!axes) return axes.error();
    ReducePlan plan = make_reduce_plan(data.shape, *axes);
    const std::span<const int64_t> shapes[] = {data.shape, mean.shape};
    BroadcastPlan broadcast(data.shape, shapes);
    const BroadcastSteps steps = broadcast.strides.back();
    const ConvertedInput<double> values(data, call.threads), means(mean, call.threads);
    ConvertedOutput<double> result(output);
    if (!values.data() || !means.data()) return unsupported_element(call.attributes.op(), data.dtype);
    std::vector<double> squares(size_t(data.size()));
    for_each_row(broadcast, call.threads, kCheapGrain,
                 [&](const BroadcastSteps& offsets, int64_t position, int64_t count) {
                     const double *x = values.data() + offsets[0], *m = means.data() + offsets[1];
                     for (int64_t i = 0; i < count; ++i) {
                         const double difference = x[i * steps[0]] - m[i * steps[1]];
                         squares[size_t(position + i)] = difference * difference;
                     }
                 });
    int64_t count = plan.reduced_count() - (call.attributes.boolean("unbiased") ? 1 : 0);
    StridedWalk kept(plan.kept_extents, plan.kept_strides), reduced(plan.reduced_extents, plan.reduced_strides);
    for (int64_t i = 0; i < output.size(); ++i, kept.next()) {
        double total = 0;
        for (int64_t r = 0; r < reduced.count(); ++r, reduced.next())
            total += squares[size_t(kept.offset() + reduced.offset())];
        const double mean_square = total / double(count);
        result.data()[i] = output.dtype.is_bool() ? std::trunc(mean_square) : mean_square;
    }
    result.store(call.threads);
    return Nothing();
}

Status variance_in_c(const CLoops& loops) {
    const CTensor &data = loops.inputs[0], &mean = loops.inputs[1], &output = loops.outputs[0];
    auto axes = reduced_axes(loops.attributes, data.shape.size());
    if (!axes) return axes.error();
    ReducePlan plan = make_reduce_plan(data.shape, *axes);
    std::vector<int64_t> strides = row_major_strides(data.shape), steps = row_major_strides(mean.shape);
    std::string place_of_mean = "0";
    bool is_empty = element_count(data.shape).value_or(0) == 0;  // the loops then run zero times, but are compiled
    for (size_t d = 0; d < data.shape.size(); ++d)
        if (mean.shape[d] != 1 && !is_empty)
            place_of_mean += " + place / " + std::to_string(strides[d]) + " % " + std::to_string(data.shape[d]) +
                             " * " + std::to_string(steps[d]);
    int64_t count = plan.reduced_count() - (loops.attributes.boolean("unbiased") ? 1 : 0);
    std::string result = "(total / " + c_constant(kFloat64, double(count)) + ")";
    int indent = loops.indent;
    std::string& code = loops.code;
    code += c_indent(indent++) + "{\n";
    open_loops('k', plan.kept_extents, code, indent);
    code += c_indent(indent) + "double total = 0;\n";
    open_loops('r', plan.reduced_extents, code, indent);
    code += c_indent(indent++) + "{\n";
    code += c_indent(indent) + "const int64_t place = " + sum_of_steps('k', plan.kept_strides) + " + " +
            sum_of_steps('r', plan.reduced_strides) + ";\n";
    code += c_indent(indent) + "const double distance = (double)" + data.name + "[place] - (double)" + mean.name + "[" +
            place_of_mean + "];\n";
    code += c_indent(indent) + "total += distance * distance;\n";
    close_loops(plan.reduced_extents.size() + 1, code, indent);
    code += c_indent(indent) + output.name + "[" + kept_place(plan) + "] = " +
            (output.dtype.is_float() ? "(" + c_type(output.dtype) + ")" + result
                                     : c_saturate(result, kFloat64, output.dtype)) +
            ";\n";
    close_loops(plan.kept_extents.size() + 1, code, indent);
    return Nothing();
}

OpRecord variance() {
    OpRecord op = reduce_op("variance", "Mean of the squared distances from a mean.", variance_kernel);
    op.inputs = {"data", "mean"};
    op.attributes.push_back(bool_field("unbiased", false, "divides by one less than the number of elements"));
    op.relation = variance_relation;
    op.c_loops = variance_in_c;
    op.flops = [](const TypeTable& types, std::span<const TypeId> arguments, TypeId, const AttributesView&) {
        return 3 * double(element_count(types.shape(arguments[0])).value_or(0));
    };
    op.example = "fn (%x: Tensor[(2, 3), float32], %m: Tensor[(2, 1), float32]) { variance(%x, %m, axis=[1]) }";
    return op;
}

// ---- collapse_sum_like ----

/// Returns the axes of `from` along which it is summed to become `to`, or an error if `to` does not broadcast to
/// `from`.
Result<std::vector<int64_t>> collapsed_axes(std::span<const int64_t> from, std::span<const int64_t> to) {
    auto common = broadcast_shapes(from, to);
    if (!common || common->size() != from.size() || !std::equal(from.begin(), from.end(), common->begin()))
        return error("the shape " + shape_to_string(from) + " can't be summed to " + shape_to_string(to));
    std::vector<int64_t> axes;
    for (size_t i = 0; i < from.size(); ++i) {
        size_t missing = from.size() - to.size();
        if (i < missing || (to[i - missing] == 1 && from[i] != 1)) axes.push_back(int64_t(i));
    }
    return axes;
}

Result<TypeId> collapse_sum_like_relation(const TypeQuery& query) {
    if (Status tensors = require_tensors(query); !tensors) return tensors.error();
    std::vector<int64_t> to = shape_copy(query.types, query.arguments[1]);
    auto axes = collapsed_axes(query.types.shape(query.arguments[0]), to);
    if (!axes) return axes.error();
    return checked_tensor(query.types, query.types.dtype(query.arguments[0]), to);
}

Status collapse_sum_like_kernel(const KernelCall& call) {
    auto axes = collapsed_axes(call.inputs[0].shape, call.outputs[0].shape);
    if (!axes) return axes.error();
    return reduce_to<Sum>(call, make_reduce_plan(call.inputs[0].shape, *axes));
}

Status collapse_sum_like_in_c(const CLoops& loops) {
    auto axes = collapsed_axes(loops.inputs[0].shape, loops.outputs[0].shape);
    if (!axes) return axes.error();
    write_reduction(loops, make_reduce_plan(loops.inputs[0].shape, *axes), "sum");
    return Nothing();
}

OpRecord collapse_sum_like() {
    OpRecord op;
    op.name = "collapse_sum_like";
    op.summary = "Sums over the axes along which another tensor would be broadcast.";
    op.inputs = {"data", "collapse_type"};
    op.pattern = OpPattern::Reduction;
    op.relation = collapse_sum_like_relation;
    op.kernel = collapse_sum_like_kernel;
    op.c_loops = collapse_sum_like_in_c;
    op.flops = reduce_flops;
    op.example = "fn (%x: Tensor[(4, 2, 3), float32], %y: Tensor[(2, 1), float32]) { collapse_sum_like(%x, %y) }";
    return op;
}

}  // namespace

std::vector<OpRecord> reduce_ops() {
    return {
        reduce_op("sum", "Sum over axes.", reduce_kernel<Sum>),
        reduce_op("mean", "Mean over axes.", mean_kernel),
        reduce_op("prod", "Product over axes.", reduce_kernel<Product>),
        reduce_op("max", "Largest element over axes.", reduce_kernel<Largest>),
        reduce_op("min", "Smallest element over axes.", reduce_kernel<Smallest>),
        bool_reduce_op("all", "Whether all elements are true.", flag_kernel<Smallest>),
        bool_reduce_op("any", "Whether one element or more is true.", flag_kernel<Largest>),
        arg_op<true>("argmax", "Index of the largest element over axes."),
        arg_op<false>("argmin", "Index of the smallest element over axes."),
        variance(),
        collapse_sum_like(),
    };
}

}  // namespace partita
