// Steps on kernels of the program's own: attention and normalizations that are written as single operators, which
// oneDNN 2.6 does not have, and where it is slow: products with packed weights, convolutions by Winograd's algorithm,
// and on AVX2 maximum pools.
#include "engine/backends/dnnl/lowering.h"
#include "engine/backends/dnnl/openmp_threads.h"
#include "engine/backends/dnnl/winograd.h"
#include "engine/ops/blocked_pooling.h"
#include "engine/ops/convolution_patches.h"
#include "engine/ops/packed_product.h"
#include "engine/ops/pointwise_convolution.h"
#include "engine/ops/quantized_product.h"
#include "engine/ops/registry.h"
#include "engine/ops/row_normalization.h"
#include "engine/ops/vector_units.h"
#include "engine/ops/winograd_convolution.h"

namespace partita::onednn {

using dnnl::memory;

/// Of weights, when the region is compiled.
static ParallelLoop on_all_threads() {
    return [](int64_t count, const auto& body) {
        constexpr double kWorkOfTask = 1e3;
        on_openmp_threads(omp_get_max_threads(), kWorkOfTask * double(count), count, body);
    };
}

/// Returns the operation after a product; nothing if there is none for the kernel.
static std::optional<ProductStep> product_step_of(const ChainLink& link) {
    using dnnl::algorithm;
    const auto make = [&](ProductStep::Kind kind) { return ProductStep{kind, link.alpha, link.beta}; };
    if (link.kind == ChainLink::Kind::Sum) return make(ProductStep::Kind::Sum);
    switch (algorithm(link.algorithm)) {
        case algorithm::eltwise_relu: return make(ProductStep::Kind::Relu);
        case algorithm::eltwise_linear: return make(ProductStep::Kind::Linear);
        case algorithm::eltwise_clip: return make(ProductStep::Kind::Clip);
        case algorithm::eltwise_logistic: return make(ProductStep::Kind::Sigmoid);
        case algorithm::eltwise_swish: return make(ProductStep::Kind::Swish);
        case algorithm::eltwise_hardswish: return make(ProductStep::Kind::HardSwish);
        case algorithm::eltwise_gelu_erf: return make(ProductStep::Kind::Gelu);
        case algorithm::eltwise_gelu_tanh: return make(ProductStep::Kind::GeluTanh);
        default: return std::nullopt;
    }
}

static bool is_after_product(const ChainLink& link) {
    return link.kind == ChainLink::Kind::Eltwise || link.kind == ChainLink::Kind::Sum;
}

static void add_floats(ProgramStep& made, std::span<const int64_t> shape, BufferId buffer) {
    made.views.push_back({nullptr, kFloat32, shape});
    made.view_buffers.push_back(buffer);
}

/// Describes a dense layer on a kernel of the program's own: its views are the data, what its steps take, and the
/// result. Nothing if a step of the chain is not the kernels'.
std::optional<Lowering::OwnProduct> Lowering::own_product(const Step& step, Links links, const Affine& affine) {
    for (const ChainLink& link : links)
        if (is_after_product(link) && !product_step_of(link)) return std::nullopt;
    const ValueId data = step.inputs[0];
    OwnProduct own;
    const auto add_value = [&](ValueId value, BufferId buffer) { add_floats(own.made, shape_of(value), buffer); };
    const auto add_step = [&](ProductStep next) {
        next.operand = own.made.views.size();  // if it has one, it comes next
        own.steps.push_back(next);
    };
    add_value(data, plain_buffer(data));
    if (affine.has_bias()) {
        add_step({ProductStep::Kind::Bias});
        const SlotId bias = bias_slot(affine, row_major({shape_of(step.output)[1]}, memory::data_type::f32));
        add_value(step.output, program_.slot(bias).buffer);
    }
    for (const ChainLink& link : links) {
        if (!is_after_product(link)) continue;
        add_step(*product_step_of(link));
        if (link.kind == ChainLink::Kind::Sum) add_value(link.operand, plain_buffer(link.operand));
    }
    own.made.input_count = uint32_t(own.made.views.size());
    const ValueId result = links.empty() ? step.output : step_of(links.back().step).output;
    add_value(result, define_plain(result));
    return own;
}

static std::vector<const float*> floats_of(const OwnKernelCall& call) {
    std::vector<const float*> operands;
    for (const TensorView& view : call.views) operands.push_back(static_cast<const float*>(view.data));
    return operands;
}

/// Computes the product of a call: `multiply` gets the data and the result.
template <class Multiply>
static void run_own_product(const OwnKernelCall& call, int64_t columns, std::span<const ProductStep> steps,
                            const Multiply& multiply) {
    const std::vector<const float*> operands = floats_of(call);
    multiply(operands.front(), ProductResult{static_cast<float*>(call.views.back().data), columns, steps, operands});
}

bool Lowering::lower_packed(const Step& step, Links links, const Affine& affine) {
    constexpr int64_t kFewestRows = 4;  // oneDNN reads the weights in place for fewer
    const ValueId data = step.inputs[0], weight = step.inputs[1];
    const int64_t rows = shape_of(data)[0], depth = shape_of(data)[1], columns = shape_of(step.output)[1];
    if (dtype_of(data) != kFloat32 || !known_floats(weight) || rows < kFewestRows) return false;
    std::optional<OwnProduct> own = own_product(step, links, affine);
    if (!own) return false;
    const float* scale = affine.scale.empty() ? nullptr : affine.scale.data();
    const float* weights = packed_weights(known_floats(weight), depth, columns, scale);
    const double work = double(rows) * double(depth) * double(columns);
    own->made.compute = [=, steps = std::move(own->steps)](const OwnKernelCall& call) {
        run_own_product(call, columns, steps, [&](const float* first, const ProductResult& result) {
            multiply_packed({rows, depth, first, weights, result}, [&](int64_t count, const auto& body) {
                on_openmp_threads(call.threads, work, count, body);
            });
        });
    };
    add_own_kernel(std::move(own->made), step, links, "packed weights");
    return true;
}

bool Lowering::lower_quantized(const Step& step, Links links, const Affine& affine) {
    constexpr int64_t kMostRows = 8;  // with more, a float that is unpacked once is used often enough
    const FlatValue& weight = graph_.values[step.inputs[1]];
    const int64_t rows = shape_of(step.inputs[0])[0], columns = shape_of(step.output)[1];
    if (rows > kMostRows || weight.source != FlatValue::Source::Constant || !affine.scale.empty()) return false;
    const QuantizedMatrix* matrix = module_.constant_value(ConstantId(weight.index)).quantized();
    if (!matrix || !QuantizedWeights::takes(*matrix)) return false;
    std::optional<OwnProduct> own = own_product(step, links, affine);
    if (!own) return false;
    const double work = double(rows) * double(matrix->depth) * double(columns);
    const auto weights = std::make_shared<const QuantizedWeights>(*matrix);
    own->made.compute = [=, steps = std::move(own->steps)](const OwnKernelCall& call) {
        run_own_product(call, columns, steps, [&](const float* first, const ProductResult& result) {
            weights->multiply(rows, first, result, [&](int64_t count, const auto& body) {
                on_openmp_threads(call.threads, work, count, body);
            });
        });
    };
    add_own_kernel(std::move(own->made), step, links, "weights of four bits");
    return true;
}

/// Returns what is done to the sums of a convolution on a kernel of the program's own; nothing if a step of the chain
/// is not the kernels'.
std::optional<std::vector<ProductStep>> Lowering::convolution_steps(const Convolution& convolution) const {
    const Affine& affine = convolution.folded.affine;
    if (bias_type(affine) != memory::data_type::f32) return std::nullopt;
    std::vector<ProductStep> steps;
    if (affine.has_bias()) steps.push_back({ProductStep::Kind::Bias, 0, 0, 1});
    const size_t result = affine.has_bias() ? 2 : 1;  // its place among the views
    size_t sums = 0;
    for (const ChainLink& link : convolution.links) {
        if (!is_after_product(link)) continue;
        std::optional<ProductStep> step = product_step_of(link);
        if (!step) return std::nullopt;
        if (step->kind == ProductStep::Kind::Sum && ++sums > 1) return std::nullopt;
        step->operand = result;  // a tensor that is added is where the result will be
        steps.push_back(*step);
    }
    return steps;
}

/// Describes a convolution on a kernel of the program's own: its views are the data, the bias if there is one, and the
/// result. Data and result are in blocks of product_block() channels.
ProgramStep Lowering::own_convolution(const Convolution& convolution, int64_t workspace_floats) {
    const ConvolutionGeometry& geometry = convolution.geometry;
    const ValueId data = convolution.step.inputs[0];
    const Affine& affine = convolution.folded.affine;
    ProgramStep made;
    const auto add_value = [&](ValueId value, SlotId slot) {
        add_floats(made, shape_of(value), program_.slot(slot).buffer);
    };
    const auto tag = product_block() == 16 ? memory::format_tag::nChw16c : memory::format_tag::nChw8c;
    const auto in_blocks = [&](const Desc& desc, const Layout& layout) {
        return Desc(desc.dims(), memory::data_type::f32, tag)
            .permute_axes(permutation(geometry.data_axes, layout.text()));
    };
    add_value(data, in_layout(data, in_blocks(convolution.data, geometry.data_layout)));
    const int64_t filled = filled_channels(geometry.out_channels);
    if (affine.runtime_bias != kNone) {
        add_value(convolution.result, bias_slot(affine, convolution.bias));
    } else if (affine.has_bias()) {
        const memory bias = program_.fixed_memory(row_major({filled}, memory::data_type::f32));
        auto* floats = static_cast<float*>(bias.get_data_handle());
        std::fill(std::copy(affine.bias.begin(), affine.bias.end(), floats), floats + filled, 0.0F);
        add_value(convolution.result, program_.add_fixed(bias));
    }
    made.input_count = uint32_t(made.views.size());
    add_value(convolution.result, destination(convolution.result, in_blocks(convolution.target, geometry.out_layout),
                                              convolution.links, convolution.step.expr));
    Buffer workspace;
    workspace.bytes = size_t(workspace_floats) * sizeof(float);
    made.workspace = program_.add_buffer(workspace);
    return made;
}

/// What fills a block of channels up is 0 before the steps, and must be after them.
static bool keep_zero(std::span<const ProductStep> steps) {
    return std::all_of(steps.begin(), steps.end(), [](const ProductStep& step) {
        if (step.kind == ProductStep::Kind::Linear) return step.beta == 0;
        if (step.kind == ProductStep::Kind::Clip) return step.alpha <= 0 && step.beta >= 0;
        return step.kind != ProductStep::Kind::Sigmoid;
    });
}

bool Lowering::lower_winograd(const Convolution& convolution, int tile) {
    const ConvolutionGeometry& geometry = convolution.geometry;
    std::optional<std::vector<ProductStep>> steps = convolution_steps(convolution);
    if (!steps) return false;
    const bool fills = filled_channels(geometry.out_channels) == geometry.out_channels;
    if (!fills && (!keep_zero(*steps) || convolution.folded.affine.runtime_bias != kNone)) return false;
    const WinogradConvolution shape{tile,
                                    product_block(),
                                    geometry.batch,
                                    filled_channels(geometry.in_channels),
                                    filled_channels(geometry.out_channels),
                                    geometry.input[1],
                                    geometry.input[2],
                                    geometry.window.pad_before[1],
                                    geometry.window.pad_before[2],
                                    geometry.output[1],
                                    geometry.output[2]};
    const int64_t most_parts = omp_get_num_procs();
    ProgramStep made = own_convolution(convolution, shape.workspace_elements(most_parts));
    const float* weights = winograd_weights(convolution, shape);
    const double work = winograd_work(geometry, tile) / 2;  // few tiles take three forks
    made.compute = [=, steps = std::move(*steps)](const OwnKernelCall& call) {
        const std::vector<const float*> operands = floats_of(call);
        const WinogradRun run{operands.front(),
                              weights,
                              static_cast<float*>(call.views.back().data),
                              steps,
                              operands,
                              static_cast<float*>(call.workspace),
                              std::min<int64_t>(call.threads, most_parts)};
        convolve_by_winograd(
            shape, run, [&](int64_t count, const auto& body) { on_openmp_threads(call.threads, work, count, body); });
    };
    program_.note_mixing();
    const std::string implementation = "Winograd, tiles of " + std::to_string(tile);
    add_own_kernel(std::move(made), convolution.step, convolution.links, implementation.c_str());
    return true;
}

/// Few windows and many weights: oneDNN waits for the weights where data are in blocks of channels.
static bool suits_patches(const ConvolutionGeometry& geometry) {
    constexpr int64_t kMostWindows = 64, kFewestWeights = int64_t(1) << 18;
    const Window& window = geometry.window;
    if (vector_unit() == VectorUnit::Baseline || geometry.rank != 2 || geometry.batch != 1 || geometry.groups != 1 ||
        geometry.transposed)
        return false;
    const int64_t weights = geometry.in_channels * geometry.out_channels * window.size[1] * window.size[2];
    const int64_t block = product_block();
    return geometry.in_channels % block == 0 && geometry.out_channels % block == 0 && weights >= kFewestWeights &&
           geometry.output[1] * geometry.output[2] <= kMostWindows;
}

/// A sum with a tensor is done first, as the product is added to what is there.
static bool take_sum_first(std::vector<ProductStep>& steps) {
    using Kind = ProductStep::Kind;
    const auto sum = std::find_if(steps.begin(), steps.end(), [](const auto& step) { return step.kind == Kind::Sum; });
    if (sum == steps.end()) return true;
    if (std::any_of(steps.begin(), sum, [](const auto& step) { return step.kind != Kind::Bias; })) return false;
    steps.erase(sum);
    return true;
}

bool Lowering::lower_patches(const Convolution& convolution) {
    const ConvolutionGeometry& geometry = convolution.geometry;
    if (!suits_patches(geometry)) return false;
    std::optional<std::vector<ProductStep>> steps = convolution_steps(convolution);
    if (!steps) return false;
    const size_t count = steps->size();
    if (!take_sum_first(*steps)) return false;
    const bool add = steps->size() < count;
    const auto pair = [](const auto& all) { return ConvolutionPatches::Pair{all[1], all[2]}; };
    const Window& window = geometry.window;
    const ConvolutionPatches patches{product_block(),       geometry.in_channels,   pair(geometry.input),
                                     pair(geometry.output), pair(window.size),      pair(window.stride),
                                     pair(window.dilation), pair(window.pad_before)};
    ProgramStep made = own_convolution(convolution, patches.rows() * patches.depth());
    const float* weights = patch_weights(convolution);
    const double work = geometry.multiplications();
    made.compute = [=, columns = geometry.out_channels, steps = std::move(*steps)](const OwnKernelCall& call) {
        const ParallelLoop parallel = [&](int64_t count, const auto& body) {
            on_openmp_threads(call.threads, work, count, body);
        };
        const std::vector<const float*> operands = floats_of(call);
        auto* rows = static_cast<float*>(call.workspace);
        parallel(patches.rows(),
                 [&](int64_t begin, int64_t end) { gather_patches(patches, operands.front(), rows, begin, end); });
        const ProductResult result{static_cast<float*>(call.views.back().data), columns, steps, operands};
        multiply_packed({patches.rows(), patches.depth(), rows, weights, result, patches.rows() * patches.block, add},
                        parallel);
    };
    add_own_kernel(std::move(made), convolution.step, convolution.links, "packed weights");
    return true;
}

/// The weights' rows have the channels of an element of the window together, as patches do.
const float* Lowering::patch_weights(const Convolution& convolution) {
    const ConvolutionGeometry& geometry = convolution.geometry;
    const memory scaled = scaled_rows(*convolution.known_weights, convolution.folded.affine.scale);
    const auto* from = static_cast<const float*>(scaled.get_data_handle());
    const int64_t in = geometry.in_channels, out = geometry.out_channels;
    const int64_t elements = geometry.window.size[1] * geometry.window.size[2], depth = in * elements;
    const memory made = program_.fixed_memory(row_major({packed_weight_elements(depth, out)}, memory::data_type::f32));
    auto* packed = static_cast<float*>(made.get_data_handle());
    std::vector<float> rows(size_t(out * depth));
    for (int64_t row = 0; row < out * in; ++row)
        for (int64_t e = 0; e < elements; ++e)
            rows[size_t(row / in * depth + e * in + row % in)] = from[row * elements + e];
    pack_weights(rows.data(), 1, depth, depth, out, nullptr, packed, on_all_threads());
    return packed;
}

const float* Lowering::winograd_weights(const Convolution& convolution, const WinogradConvolution& shape) {
    const memory rows = scaled_rows(*convolution.known_weights, convolution.folded.affine.scale);
    const memory made = program_.fixed_memory(row_major({shape.weight_elements()}, memory::data_type::f32));
    const auto* from = static_cast<const float*>(rows.get_data_handle());
    const int64_t row = shape.in_channels * 9, given = convolution.geometry.in_channels * 9;
    std::vector<float> filled(size_t(shape.out_channels * row));
    for (int64_t out = 0; out < convolution.geometry.out_channels; ++out)
        std::copy_n(from + out * given, given, filled.data() + out * row);
    auto* floats = static_cast<float*>(made.get_data_handle());
    transform_winograd_weights(shape, filled.data(), floats, on_all_threads());
    return floats;
}

/// oneDNN is slow where a group has fewer channels than a block; without AVX-512 also where they fill no blocks, most
/// of all if a sum follows, and half as fast as the own kernel where they do.
static bool suits_pointwise(const ConvolutionGeometry& geometry) {
    constexpr int64_t kFewestChannels = 4;
    const Window& window = geometry.window;
    const Extents one{1, 1, 1};
    const int64_t given = geometry.in_channels / geometry.groups, made = geometry.out_channels / geometry.groups;
    if (vector_unit() == VectorUnit::Avx512 && std::min(given, made) >= product_block()) return false;
    return geometry.groups > 1 && given >= kFewestChannels && window.size == one && window.stride == one &&
           geometry.input == geometry.output && geometry.data_layout.text() == geometry.data_axes &&
           geometry.out_layout.text() == geometry.data_axes;
}

bool Lowering::lower_pointwise(const Convolution& convolution) {
    const ConvolutionGeometry& geometry = convolution.geometry;
    const Affine& affine = convolution.folded.affine;
    if (!suits_pointwise(geometry) || affine.runtime_bias != kNone || vector_unit() == VectorUnit::Baseline)
        return false;
    std::optional<OwnProduct> own = own_product(convolution.step, convolution.links, {});  // weights have the bias
    if (!own) return false;
    const int64_t plane = geometry.output[0] * geometry.output[1] * geometry.output[2];
    const PointwiseConvolution shape{geometry.batch,
                                     geometry.groups,
                                     geometry.in_channels / geometry.groups,
                                     geometry.out_channels / geometry.groups,
                                     plane,
                                     affine.has_bias()};
    const float* weights = pointwise_weights(convolution, shape);
    own->made.compute = [=, steps = std::move(own->steps)](const OwnKernelCall& call) {
        run_own_product(call, plane, steps, [&](const float* data, const ProductResult& result) {
            convolve_pointwise(shape, data, weights, result, [&](int64_t count, const auto& body) {
                on_openmp_threads(call.threads, shape.multiplications(), count, body);
            });
        });
    };
    add_own_kernel(std::move(own->made), convolution.step, convolution.links, "products of groups");
    return true;
}

/// Each row is scaled, and ends with its bias if there is one.
const float* Lowering::pointwise_weights(const Convolution& convolution, const PointwiseConvolution& shape) {
    const Affine& affine = convolution.folded.affine;
    const memory scaled = scaled_rows(*convolution.known_weights, affine.scale);
    const auto* from = static_cast<const float*>(scaled.get_data_handle());
    const int64_t rows = shape.groups * shape.made;
    const memory made = program_.fixed_memory(row_major({rows * shape.weight_row()}, memory::data_type::f32));
    auto* to = static_cast<float*>(made.get_data_handle());
    for (int64_t row = 0; row < rows; ++row) {
        float* end = std::copy_n(from + row * shape.given, shape.given, to + row * shape.weight_row());
        if (shape.bias) *end = affine.bias[size_t(row)];
    }
    return static_cast<const float*>(made.get_data_handle());
}

bool Lowering::lower_blocked_pool(const Step& step, const PoolWindow& window) {
    const ValueId data = step.inputs[0];
    const Dims from = dims_of(data), to = dims_of(step.output);
    if (vector_unit() != VectorUnit::Avx2 || window.algorithm != dnnl::algorithm::pooling_max || from.size() != 4 ||
        dtype_of(data) != kFloat32 || from[1] % kPooledChannels != 0 || window.dilation != Dims{0, 0})
        return false;
    const auto in_blocks = [](const Dims& dims) {
        return Desc(dims, memory::data_type::f32, memory::format_tag::nChw8c);
    };
    if (current(data) != in_blocks(from)) return false;
    const auto pair = [](const Dims& dims, size_t first) { return BlockedPooling::Pair{dims[first], dims[first + 1]}; };
    const BlockedPooling pooling{pair(from, 2), pair(to, 2), pair(window.size, 0), pair(window.strides, 0),
                                 pair(window.before, 0)};
    ProgramStep made;
    const auto add_value = [&](ValueId value, SlotId slot) {
        add_floats(made, shape_of(value), program_.slot(slot).buffer);
    };
    add_value(data, in_layout(data, in_blocks(from)));
    made.input_count = 1;
    add_value(step.output, define(step.output, in_blocks(to)));
    const int64_t planes = from[0] * from[1] / kPooledChannels;
    const double work = double(planes * to[2] * to[3]) * double(window.size[0] * window.size[1] * kPooledChannels);
    made.compute = [=](const OwnKernelCall& call) {
        on_openmp_threads(call.threads, work, planes, [&](int64_t begin, int64_t end) {
            max_pool_blocked(pooling, static_cast<const float*>(call.views[0].data),
                             static_cast<float*>(call.views[1].data), begin, end);
        });
    };
    add_own_kernel(std::move(made), step, {}, "in blocks of eight channels");
    return true;
}

/// Rows of `weights` are columns of the product.
const float* Lowering::packed_weights(const float* weights, int64_t depth, int64_t columns, const float* scale) {
    const memory packed =
        program_.fixed_memory(row_major({packed_weight_elements(depth, columns)}, memory::data_type::f32));
    auto* floats = static_cast<float*>(packed.get_data_handle());
    pack_weights(weights, 1, depth, depth, columns, scale, floats, on_all_threads());
    return floats;
}

void Lowering::add_own_kernel(ProgramStep made, const Step& step, Links links, const char* implementation) {
    made.expr = step.expr;
    made.region = region_;
    made.what = step.op.name;
    for (const ChainLink& link : links) made.what += " + " + op_registry()[graph_.steps[link.step].op].name;
    made.what += std::string(" (") + implementation + ")";
    for (BufferId buffer : made.view_buffers) program_.touch(buffer);
    if (made.workspace != kNone) program_.touch(made.workspace);
    program_.add_step(std::move(made));
}

/// The products and the softmax get of the time what they have of the work, so that each can be judged by itself.
void Lowering::share_time(ProgramStep& made, const AttentionChain& chain) const {
    constexpr double kSoftmaxWork = 10;  // operations for a score
    double sum = 0;
    for (uint32_t number : chain.steps) {
        const Step step = step_of(number);
        const bool product = step.op.name == "nn.batch_matmul";
        if (!product && step.op.name != "nn.softmax") continue;
        const bool first = product && made.shares.empty();
        const double work = !product ? kSoftmaxWork : 2.0 * double(first ? chain.shape.depth : chain.shape.width);
        made.shares.emplace_back(step.expr, work);
        sum += work;
    }
    for (auto& [expr, share] : made.shares) share /= sum;
}

void Lowering::lower_attention(const AttentionChain& chain) {
    ProgramStep made;
    std::vector<ValueId> operands{chain.query, chain.key, chain.value};
    operands.insert(operands.end(), chain.matrices.begin(), chain.matrices.end());
    for (ValueId value : operands) {
        made.views.push_back({nullptr, dtype_of(value), shape_of(value)});
        made.view_buffers.push_back(plain_buffer(value));
    }
    made.input_count = uint32_t(operands.size());
    made.views.push_back({nullptr, kFloat32, shape_of(chain.result)});
    made.view_buffers.push_back(define_plain(chain.result));
    if (const int64_t elements = chain.shape.packed_elements(); elements > 0) {
        Buffer packed;
        packed.bytes = size_t(elements) * sizeof(float);
        made.workspace = program_.add_buffer(packed);
    }
    const double work =
        double(chain.shape.items) * double(chain.shape.rows) * double(chain.shape.keys) * double(chain.shape.depth);
    made.keeps_nan = true;
    made.compute = [work, shape = chain.shape](const OwnKernelCall& call) {
        const auto floats = [&](size_t i) { return static_cast<float*>(call.views[i].data); };
        std::vector<const float*> matrices;
        for (size_t i = 3; i + 1 < call.views.size(); ++i) matrices.push_back(floats(i));
        AttentionData<float> data{floats(0), floats(1),
                                  floats(2), floats(call.views.size() - 1),
                                  matrices,  static_cast<float*>(call.workspace)};
        if (call.views[3].dtype.is_bool()) data.seen = static_cast<const uint8_t*>(call.views[3].data);
        attend(shape, data,
               [&](int64_t count, const auto& body) { on_openmp_threads(call.threads, work, count, body); });
    };
    share_time(made, chain);
    add_own_kernel(std::move(made), step_of(chain.call), {}, "attention in blocks of rows");
    forget_inputs(chain.steps);
}

void Lowering::forget_inputs(std::span<const uint32_t> steps) {
    for (uint32_t step : steps)
        for (ValueId value : step_of(step).inputs) --uses_left_[value];
}

void Lowering::lower_normalization(const NormalizationChain& chain) {
    const Step last = step_of(chain.steps.back());
    const std::span<const int64_t> shape = shape_of(chain.data);
    ProgramStep made;
    const auto add_operand = [&](ValueId value) { add_floats(made, shape_of(value), plain_buffer(value)); };
    add_operand(chain.data);
    if (chain.scale) add_operand(*chain.scale);
    if (chain.shift) add_operand(*chain.shift);
    made.input_count = uint32_t(made.views.size());
    add_floats(made, shape, define_plain(last.output));
    const int64_t columns = shape.back(), rows = *element_count(shape) / columns;
    made.compute = [=, centered = chain.centered, epsilon = chain.epsilon, scaled = chain.scale.has_value(),
                    shifted = chain.shift.has_value()](const OwnKernelCall& call) {
        constexpr double kWorkOfElement = 4;  // as many multiplications take as long
        const auto floats = [&](size_t i) { return static_cast<float*>(call.views[i].data); };
        const RowNormalization normalization{columns, centered, epsilon, scaled ? floats(1) : nullptr,
                                             shifted ? floats(scaled ? 2 : 1) : nullptr};
        on_openmp_threads(call.threads, kWorkOfElement * double(rows * columns), rows, [&](int64_t begin, int64_t end) {
            normalize_rows(normalization, floats(0), floats(call.views.size() - 1), begin, end);
        });
    };
    add_own_kernel(std::move(made), last, {}, "normalization of rows");
    forget_inputs(chain.steps);
}

/// In any layout; what fills blocks of channels up must stay 0.
void Lowering::lower_elementwise(const ElementwiseChain& chain) {
    const Step last = step_of(chain.steps.back());
    std::vector<ChainLink> rest;
    if (chain.steps.size() > 1) rest.push_back({ChainLink::Kind::Eltwise, last.number});
    if (!rest.empty()) rest.front().inner.assign(chain.steps.begin() + 1, chain.steps.end() - 1);
    const Given given = given_layouts(chain.steps.front(), rest);
    taken_.clear();
    const bool keeps_zero = (*chain.program)(0) == 0;
    const Desc layout = has_padding(chain.data) && !keeps_zero ? plain(chain.data) : current(chain.data);
    ProgramStep made;
    add_floats(made, shape_of(chain.data), program_.slot(in_layout(chain.data, layout)).buffer);
    made.input_count = 1;
    add_floats(made, shape_of(last.output), program_.slot(define(last.output, layout)).buffer);
    made.compute = [program = chain.program,
                    elements = int64_t(layout.get_size() / sizeof(float))](const OwnKernelCall& call) {
        constexpr int64_t kPart = 1024;  // a few of the program's blocks
        constexpr double kWorkOfStep = 4;
        const auto* from = static_cast<const float*>(call.views[0].data);
        auto* to = static_cast<float*>(call.views[1].data);
        const double work = kWorkOfStep * double(program->steps().size()) * double(elements);
        on_openmp_threads(call.threads, work, (elements + kPart - 1) / kPart, [&](int64_t begin, int64_t end) {
            const int64_t first = begin * kPart;
            program->run(from + first, to + first, std::min(elements, end * kPart) - first);
        });
    };
    add_own_kernel(std::move(made), last, {}, "a function of single elements");
    forget_inputs(chain.steps);
    note_layouts(chain.steps.front(), rest, given);
}

}  // namespace partita::onednn
