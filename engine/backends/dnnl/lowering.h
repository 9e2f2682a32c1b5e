// Lowers a flat graph to a Program: chooses a primitive for each step, or a chain of steps, lets it choose the layouts
// of its operands, and inserts reorders where a value has another layout.
//
// Steps without a primitive, or whose types and shapes oneDNN does not support, run on the kernels of `default`, in the
// same program. Values that are known when the region is compiled are reordered then.
//
// A plan of several regions is one graph. Steps in no region run on the kernels of `default`, too; the plan only moves
// data itself: the parts of a concatenation are made in place, or copied in their layout, and elementwise ops run over
// any layout.
#pragma once

#include <map>
#include <set>
#include <string>
#include <unordered_map>

#include "engine/backends/dnnl/fusion.h"
#include "engine/backends/dnnl/integer_chain.h"
#include "engine/backends/dnnl/layout_text.h"
#include "engine/backends/dnnl/program.h"
#include "engine/ops/channel_blocks.h"
#include "engine/ops/convolution.h"
#include "engine/ops/pointwise_convolution.h"
#include "engine/ops/product_steps.h"
#include "engine/ops/winograd_convolution.h"

namespace partita::onednn {

/// Returns nothing if oneDNN has no such type.
std::optional<dnnl::memory::data_type> data_type_of(DataType dtype);

/// Returns where each letter of `from` is in `to`, for permute_axes.
std::vector<int> permutation(std::string_view from, std::string_view to);

/// Describes a layout of images for the own kernels that change it from and to row-major ones; nothing if they don't.
std::optional<ChannelBlocks> channel_blocks(const dnnl::memory::desc& desc);

/// That oneDNN is told for images; nothing if it may choose.
using ImageLayout = std::optional<dnnl::memory::format_tag>;

class Lowering {
public:
    Lowering(const Module& module, const FlatGraph& graph, std::span<const TensorView> known_inputs, Program& program);
    /// For a plan of several regions; `kept` as in Backend::compile_plan.
    Lowering(const Module& module, const FlatGraph& graph, std::span<CompiledRegion* const> kept,
             std::span<const TensorView> known_inputs, Program& program);

    Status run();
    /// Returns what runs on `default` inside a region of a plan; without a plan, inside the region.
    std::vector<std::string> notices(uint32_t region = FlatGraph::kNoGroup) const;
    /// Returns the time it took to lower a region of a plan.
    double milliseconds(uint32_t region) const;
    /// Returns how the steps of a plan take and make their values.
    PlanLayouts take_layouts() { return std::move(layouts_); }

private:
    using Desc = dnnl::memory::desc;
    using Dims = dnnl::memory::dims;
    using Links = std::span<const ChainLink>;
    using Arguments = std::vector<std::pair<int, SlotId>>;

    /// Planes of a row-major value that are in its memory in another order, until something needs them in theirs.
    struct PlaneOrder {
        int64_t plane;               ///< elements of a plane
        std::vector<int64_t> order;  ///< where each of them is, in planes from the buffer's begin
        ExprId expr;                 ///< of what changes the order, and its region
        uint32_t region;
    };
    /// The place and layouts of a value. `desc` has the tensor's dimensions, in its order.
    struct ValueState {
        Desc desc;
        BufferId buffer = kNone;
        const void* known = nullptr;
        /// Known, but its bytes are made from weights of a few bits when something asks for them.
        bool deferred = false;
        bool shared = false;  ///< other values use its memory, so it must not be overwritten
        std::shared_ptr<const PlaneOrder> planes = nullptr;  ///< if they are not in order; `desc` is row-major
        std::vector<std::pair<Desc, SlotId>> versions;
    };
    struct Step {
        const OpRecord& op;
        AttributesView attributes;
        std::span<const ValueId> inputs;
        ValueId output;
        ExprId expr;
        uint32_t number;
    };

    // lowering.cpp
    void start_values(std::span<const TensorView> known_inputs);
    void lower(const FusedStep& fused);
    size_t lower_longest(uint32_t root, Links links);
    bool lower_chain(uint32_t root, Links links);
    /// Returns whether a step takes no longer than a fork and a join of threads.
    bool is_small(const Step& step) const;
    bool is_on_default(uint32_t step) const { return plan_ && graph_.steps[step].region == FlatGraph::kNoGroup; }
    bool lower_on_default(const Step& step);
    bool lower_by_element(const Step& step);
    bool lower_to_kernel_in_layout(const Step& step);
    void lower_to_other_backend(uint32_t step);
    uint32_t region_of(ValueId value) const;
    /// Returns whether oneDNN supports its type, and it has elements.
    bool is_typed(ValueId value) const;
    BufferId plain_buffer(ValueId value);
    BufferId define_plain(ValueId value);
    void lower_alone(uint32_t step);
    bool lower_primitive(const Step& step, Links links);
    Status lower_to_kernel(const Step& step, uint32_t output_count);
    void share_memory(const Step& step);
    void finish_outputs();
    void copy_to_output(ValueId value, uint32_t output);
    void copy_observed(ValueId value);
    void copy_observed_results(uint32_t step);
    Step step_of(uint32_t number) const;
    DataType dtype_of(ValueId value) const { return module_.types().dtype(graph_.values[value].type); }
    std::span<const int64_t> shape_of(ValueId value) const { return module_.types().shape(graph_.values[value].type); }
    Dims dims_of(ValueId value) const;
    dnnl::memory::data_type type_of(ValueId value) const;
    Desc plain(ValueId value) const { return row_major(dims_of(value), type_of(value)); }
    Desc any(const Dims& dims, dnnl::memory::data_type type) const {
        return Desc(dims, type, dnnl::memory::format_tag::any);
    }
    Desc current(ValueId value) const { return states_[value].desc; }
    bool is_known(ValueId value) const { return states_[value].known || states_[value].deferred; }
    const void* known_bytes(ValueId value) const;
    const float* known_floats(ValueId value) const;
    void make_known(ValueId value);
    bool knows_nan() const;
    /// Returns the value in a layout, reordered if necessary.
    SlotId in_layout(ValueId value, const Desc& desc);
    SlotId slot_in(ValueId value, const Desc& desc);
    SlotId in_plain_layout(ValueId value) { return in_layout(value, plain(value)); }
    /// Returns a slot with the same bytes and another description.
    SlotId view(SlotId slot, const Desc& desc);
    /// Returns memory for a value that the next step makes.
    SlotId define(ValueId value, const Desc& desc);
    /// Returns memory for a value that is made in the memory of another one.
    SlotId define_in(ValueId value, const Desc& desc, BufferId buffer);
    void emit(const dnnl::primitive& primitive, Arguments arguments, const Desc& scratchpad, const Step& step,
              Links links);
    /// `order`: of the planes of `from`, of which blocks of channels are made.
    void emit_reorder(SlotId from, SlotId to, ExprId expr, uint32_t change = kNone,
                      std::shared_ptr<const PlaneOrder> order = nullptr);
    dnnl::primitive_attr attributes_with(Links links) const;
    dnnl::primitive_attr attributes_with(const dnnl::post_ops& post_ops) const;

    // noted_layouts.cpp
    using Given = std::unordered_map<ValueId, std::string>;  ///< layouts of operands
    Given given_layouts(uint32_t root, Links links) const;
    void note_layouts(uint32_t root, Links links, const Given& given);
    std::string taken_layout(ValueId value, const Given& given) const;
    /// Returns the number of the change among the noted.
    uint32_t note_change(ValueId value, const Desc& to, bool is_output);

    // lower_products.cpp
    bool lower_convolution(const Step& step, Links links);
    bool lower_dense(const Step& step, Links links);
    bool lower_matmul(const Step& step, Links links);
    struct Affine {
        bool folds = true;               ///< whether weights and bias can include the links
        std::vector<float> scale, bias;  ///< empty: none
        ValueId runtime_bias = kNone;    ///< a bias that is unknown before the run

        bool has_bias() const { return runtime_bias != kNone || !bias.empty(); }
    };
    Affine fold_affine(Links links, int64_t channels, bool weights_known) const;
    /// A convolution or dense layer of 8-bit integers, with its chain.
    struct IntegerProduct {
        IntegerChain chain;
        std::optional<dnnl::memory>
            weights;            ///< without their zero points, as rows; none: given at the run, without any
        int32_t data_zero = 0;  ///< that the primitive subtracts from the data
    };
    enum class DataZero : uint8_t { ByPrimitive, InBias };
    /// What a product takes in of its chain.
    struct FoldedProduct {
        Affine affine;
        std::optional<IntegerProduct> integers;  ///< of a product of 8-bit integers
        dnnl::primitive_attr attributes;
    };
    bool is_integer(ValueId value) const;
    bool is_float_product(const Step& step) const;
    /// Returns nothing if weights and bias can't include the chain. `weight` as in fold_integers().
    std::optional<FoldedProduct> fold_product(const Step& step, Links links, const Desc& weight, size_t channel_axis,
                                              int64_t channels, DataZero data_zero);
    SlotId weights_of(const FoldedProduct& folded, ValueId weight, const Desc& given, const Desc& wanted);
    /// A convolution and its chain, as oneDNN describes it.
    struct Convolution {
        const Step& step;
        Links links;
        const ConvolutionGeometry& geometry;
        FoldedProduct folded;
        ValueId result;
        size_t rank;
        Desc given_weight;
        std::optional<dnnl::memory> known_weights;  ///< of float32, as given_weight says
        Desc data, weight, bias, target;            ///< in any layout
        Dims strides, dilation, before, after;
    };
    dnnl::memory in_one_group(const ConvolutionGeometry& geometry, const dnnl::memory& weights);
    bool lower_direct(const Convolution& convolution);
    bool lower_to_own_convolution(const Convolution& convolution, ImageLayout layout);
    bool prefers_blocks(const Convolution& convolution) const;
    bool lower_to_primitive(const Convolution& convolution, ImageLayout layout);
    bool lower_transposed(const Convolution& convolution);
    template <class Description>
    void emit_convolution(const Convolution& convolution, const Description& chosen, const dnnl::primitive& primitive);
    /// `weight` describes their given form. Returns nothing if float32 cannot represent the integers exactly.
    std::optional<IntegerProduct> fold_integers(const Step& step, Links links, const Desc& weight, size_t channel_axis,
                                                DataZero data_zero);
    bool take_integer_link(IntegerChainBuilder& chain, const Step& step, const ChainLink& link,
                           size_t channel_axis) const;
    /// Returns the zero points of a quantized op's operand, {0} for other ops; nothing if they are unknown.
    std::optional<std::vector<int32_t>> zero_points(const Step& step, size_t operand) const;
    /// Returns int8 numbers without their zero points, as consecutive rows, one per output channel. Nothing if they do
    /// not fit.
    std::optional<dnnl::memory> centered_weights(const Step& step, const Desc& described,
                                                 const std::vector<int32_t>& zeros, int64_t channels);
    /// Returns the scaled weights in the layout that the primitive requires; `described` is their given form.
    SlotId weights_in(ValueId value, const Desc& described, const Desc& wanted, const std::vector<float>& scale);
    dnnl::memory scaled_rows(const dnnl::memory& from, const std::vector<float>& scale);
    SlotId fixed_in(const dnnl::memory& from, const Desc& wanted, const std::vector<float>& scale);
    dnnl::memory::data_type bias_type(const Affine& affine) const;
    SlotId bias_slot(const Affine& affine, const Desc& desc);
    SlotId destination(ValueId value, const Desc& tensor_desc, Links links, ExprId expr);

    // lower_layers.cpp
    bool lower_eltwise(const Step& step);
    bool lower_binary(const Step& step, dnnl::algorithm algorithm, Links links);
    /// By spatial axis.
    struct PoolWindow {
        dnnl::algorithm algorithm;
        Dims size, strides, dilation, before, after;
    };
    std::optional<PoolWindow> pool_window(const Step& step) const;
    bool lower_pool(const Step& step);
    bool lower_softmax(const Step& step);
    bool lower_batch_norm(const Step& step, Links links);
    bool lower_channelwise(const Step& step, Links links);
    bool lower_layer_norm(const Step& step);
    bool lower_lrn(const Step& step);
    bool lower_transpose(const Step& step);
    bool lower_concatenate(const Step& step);
    bool lower_concatenation_on_default(const Step& step);
    bool has_padding(ValueId value) const;
    bool place_side_by_side(const Step& step, size_t axis);
    bool change_side_by_side(const Step& step, size_t axis);
    SlotId part_of(BufferId whole, size_t offset, const Desc& desc);
    bool lower_split(const Step& step, uint32_t outputs);

    // lower_planes.cpp
    bool defer_transpose(const Step& step, std::span<const size_t> axes);
    bool keeps_planes(ValueId from, ValueId to) const;
    bool split_planes(const Step& step, uint32_t outputs);
    /// Returns whether a layout can be made of the planes of a value where they are: they are those of its channels.
    bool makes_blocks_of_planes(ValueId value, const Desc& desc) const;
    /// Puts the planes of a value in order if they are not.
    void settle(ValueId value);
    /// Copies a value, in order, to a row-major slot.
    void copy_plain(ValueId value, SlotId to, ExprId expr);
    void copy_planes_to(ValueId value, SlotId to);
    /// Makes a change between row-major and what channel_blocks() describes; false for other layouts. `order`: of the
    /// planes.
    bool change_blocks(SlotId from, SlotId to, std::shared_ptr<const PlaneOrder> order, ProgramStep& made) const;

    // lower_own_kernels.cpp
    void lower_attention(const AttentionChain& chain);
    void lower_normalization(const NormalizationChain& chain);
    void lower_elementwise(const ElementwiseChain& chain);
    /// Counts what the steps of a chain use as used.
    void forget_inputs(std::span<const uint32_t> steps);
    void share_time(ProgramStep& made, const AttentionChain& chain) const;
    /// Lowers a dense layer with constant weights. Returns false if the kernel lacks an operation of the chain, or the
    /// type.
    bool lower_packed(const Step& step, Links links, const Affine& affine);
    /// The same for a few rows times weights that are quantized in blocks.
    bool lower_quantized(const Step& step, Links links, const Affine& affine);
    /// Lowers a convolution to Winograd's algorithm with tiles of `tile` x `tile` results.
    bool lower_winograd(const Convolution& convolution, int tile);
    /// Lowers a convolution in groups whose windows are single elements, of plain images.
    bool lower_pointwise(const Convolution& convolution);
    const float* pointwise_weights(const Convolution& convolution, const PointwiseConvolution& shape);
    /// Lowers a maximum pool of data that is in blocks of eight channels.
    bool lower_blocked_pool(const Step& step, const PoolWindow& window);
    const float* winograd_weights(const Convolution& convolution, const WinogradConvolution& shape);
    /// Lowers a convolution of few windows to a product with packed weights.
    bool lower_patches(const Convolution& convolution);
    const float* patch_weights(const Convolution& convolution);
    struct OwnProduct {
        ProgramStep made;
        std::vector<ProductStep> steps;
    };
    std::optional<OwnProduct> own_product(const Step& step, Links links, const Affine& affine);
    std::optional<std::vector<ProductStep>> convolution_steps(const Convolution& convolution) const;
    ProgramStep own_convolution(const Convolution& convolution, int64_t workspace_floats);
    const float* packed_weights(const float* weights, int64_t depth, int64_t columns, const float* scale);
    void add_own_kernel(ProgramStep made, const Step& step, Links links, const char* implementation);

    const Module& module_;
    const FlatGraph& graph_;
    Program& program_;
    std::vector<ValueState> states_;
    const std::vector<uint32_t> uses_;
    std::vector<uint32_t> uses_left_;  ///< by value: number of outputs and steps not lowered yet that use it
    const bool plan_ = false;
    const std::span<CompiledRegion* const> kept_;
    uint32_t region_ = FlatGraph::kNoGroup;                 ///< of the step being lowered
    std::multimap<ValueId, uint32_t> observed_;             ///< values still to be copied, with the output
    std::map<uint32_t, std::set<std::string>> on_default_;  ///< by region
    std::map<uint32_t, double> milliseconds_;               ///< by region
    PlanLayouts layouts_;                                   ///< of a plan
    std::vector<std::pair<ValueId, Desc>> taken_;           ///< by the step being lowered; the last one holds
};

}  // namespace partita::onednn
