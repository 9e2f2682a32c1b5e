#include "engine/backends/dnnl/lowering.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "engine/ops/cost.h"
#include "engine/ops/quiet_nan.h"
#include "engine/ops/registry.h"
#include "engine/support/stopwatch.h"

namespace partita::onednn {

using dnnl::memory;

/// Elementwise operations and copies of fewer bytes take no longer than a fork and a join.
static constexpr double kSmallBytes = 1 << 20;

/// Primitives that are made meanwhile run on one thread, if they are small.
class ThreadsOfPrimitives {
public:
    explicit ThreadsOfPrimitives(bool small) : before_(omp_get_max_threads()) {
        if (small) omp_set_num_threads(1);
    }
    ~ThreadsOfPrimitives() { omp_set_num_threads(before_); }
    ThreadsOfPrimitives(const ThreadsOfPrimitives&) = delete;
    ThreadsOfPrimitives& operator=(const ThreadsOfPrimitives&) = delete;

private:
    const int before_;
};

std::optional<memory::data_type> data_type_of(DataType dtype) {
    if (dtype == kFloat32) return memory::data_type::f32;
    if (dtype == kBFloat16) return memory::data_type::bf16;
    if (dtype == kInt8) return memory::data_type::s8;
    if (dtype == kUInt8) return memory::data_type::u8;
    if (dtype == kInt32) return memory::data_type::s32;
    return std::nullopt;
}

Lowering::Lowering(const Module& module, const FlatGraph& graph, std::span<const TensorView> known_inputs,
                   Program& program)
    : module_(module), graph_(graph), program_(program), states_(graph.values.size()), uses_(graph.use_counts()),
      uses_left_(uses_) {
    start_values(known_inputs);
}

Lowering::Lowering(const Module& module, const FlatGraph& graph, std::span<CompiledRegion* const> kept,
                   std::span<const TensorView> known_inputs, Program& program)
    : module_(module), graph_(graph), program_(program), states_(graph.values.size()), uses_(graph.use_counts()),
      uses_left_(uses_), plan_(true), kept_(kept) {
    start_values(known_inputs);
}

Status Lowering::run() {
    try {
        for (uint32_t i = 0; i < graph_.observed.size(); ++i)
            observed_.emplace(graph_.observed[i], uint32_t(graph_.outputs.size()) + i);
        for (const FusedStep& fused : fuse(module_, graph_, plan_)) {
            lower(fused);
            copy_observed_results(fused.last());
        }
        for (ValueId value : graph_.observed)
            if (graph_.values[value].source != FlatValue::Source::Step) copy_observed(value);
        if (!observed_.empty()) return error("a value to be observed is not computed");
        finish_outputs();
        if (program_.mixes() && knows_nan()) program_.note_known_nan();
        program_.finish();
    } catch (const dnnl::error& failure) {
        return error(std::string("oneDNN: ") + failure.what());
    }
    for (const ProgramStep& step : program_.steps())
        if (step.op && !step.op->kernel) return error(step.op->name + " has no kernel on default");
    return Nothing();
}

std::vector<std::string> Lowering::notices(uint32_t region) const {
    auto names = on_default_.find(region);
    if (names == on_default_.end()) return {};
    std::string list;
    for (const std::string& name : names->second) list += (list.empty() ? "" : ", ") + name;
    return {"on default inside the region: " + list};
}

double Lowering::milliseconds(uint32_t region) const {
    auto time = milliseconds_.find(region);
    return time == milliseconds_.end() ? 0 : time->second;
}

void Lowering::start_values(std::span<const TensorView> known_inputs) {
    for (ValueId id = 0; id < graph_.values.size(); ++id) {
        const FlatValue& value = graph_.values[id];
        if (value.source == FlatValue::Source::Step) continue;
        ValueState& state = states_[id];
        Buffer buffer;
        buffer.kind = Buffer::Kind::Fixed;
        if (value.source == FlatValue::Source::Constant) {
            const Tensor& constant = module_.constant_value(ConstantId(value.index));
            state.deferred = constant.quantized() != nullptr;
            if (!state.deferred) buffer.data = constant.bytes();
        } else if (value.source == FlatValue::Source::Folded) buffer.data = graph_.folded[value.index].bytes();
        else if (value.index < known_inputs.size()) buffer.data = known_inputs[value.index].data;
        if (value.source == FlatValue::Source::Input && !buffer.data) {
            buffer.kind = Buffer::Kind::Input;
            buffer.index = value.index;
        }
        state.known = buffer.data;
        state.shared = true;
        state.buffer = program_.add_buffer(buffer);
        if (data_type_of(dtype_of(id))) state.desc = plain(id);
    }
}

Lowering::Step Lowering::step_of(uint32_t number) const {
    const FlatStep& flat = graph_.steps[number];
    return {op_registry()[flat.op],
            attributes_of(module_, flat.expr),
            graph_.step_inputs(flat),
            flat.first_output,
            flat.expr,
            number};
}

Lowering::Dims Lowering::dims_of(ValueId value) const {
    std::span<const int64_t> shape = shape_of(value);
    return shape.empty() ? Dims{1} : Dims(shape.begin(), shape.end());
}

memory::data_type Lowering::type_of(ValueId value) const {
    return data_type_of(dtype_of(value)).value_or(memory::data_type::undef);
}

/// Returns the bytes of a known value; null for others.
const void* Lowering::known_bytes(ValueId value) const {
    if (!states_[value].deferred) return states_[value].known;
    return module_.constant_value(ConstantId(graph_.values[value].index)).bytes();
}

const float* Lowering::known_floats(ValueId value) const {
    return dtype_of(value) == kFloat32 ? static_cast<const float*>(known_bytes(value)) : nullptr;
}

bool Lowering::knows_nan() const {
    for (ValueId value = 0; value < graph_.values.size(); ++value)
        if (states_[value].known &&
            has_nan({const_cast<void*>(states_[value].known), dtype_of(value), shape_of(value)}))
            return true;
    return false;
}

/// Makes the bytes of a value that is used as it is, if it is known.
void Lowering::make_known(ValueId value) {
    ValueState& state = states_[value];
    if (!state.deferred) return;
    state.known = program_.buffer(state.buffer).data = known_bytes(value);
    state.deferred = false;
}

void Lowering::lower(const FusedStep& fused) {
    region_ = graph_.steps[fused.root].region;
    Stopwatch watch;
    const uint32_t root = fused.root;
    const Links links(fused.links);
    if (fused.attention || fused.normalization || fused.elementwise) {
        if (fused.attention) lower_attention(*fused.attention);
        else if (fused.normalization) lower_normalization(*fused.normalization);
        else lower_elementwise(*fused.elementwise);
        milliseconds_[region_] += watch.milliseconds();
        return;
    }
    // As much of the chain as oneDNN supports in one primitive; the rest follows.
    size_t done = lower_longest(root, links);
    while (done < links.size()) {
        const ChainLink& next = links[done++];
        const std::span<const uint32_t> together =
            next.chain ? std::span(next.chain->steps) : std::span<const uint32_t>();
        for (uint32_t inner : next.inner)
            if (std::find(together.begin(), together.end(), inner) == together.end()) lower_longest(inner, {});
        if (next.chain) lower_elementwise(*next.chain);
        else done += lower_longest(next.step, links.subspan(done));
    }
    milliseconds_[region_] += watch.milliseconds();
}

/// Lowers a step with as many links as go into one primitive. Returns their number.
size_t Lowering::lower_longest(uint32_t root, Links links) {
    const Given given = given_layouts(root, links);
    size_t count = links.size();
    while (count > 0 && !lower_chain(root, links.first(count))) --count;
    if (count == 0) lower_alone(root);
    note_layouts(root, links.first(count), given);
    return count;
}

bool Lowering::is_small(const Step& step) const {
    constexpr double kSmallOperations = 1e6, kSmallWeights = 256 << 10;
    const auto bytes = [&](ValueId value) { return type_bytes(module_.types(), graph_.values[value].type); };
    const std::string& name = step.op.name;
    if (name.find("conv") != std::string::npos || name.find("dense") != std::string::npos ||
        name.find("matmul") != std::string::npos)
        return call_flops(module_, step.expr) < kSmallOperations && bytes(step.inputs[1]) < kSmallWeights;
    double sum = bytes(step.output);
    for (ValueId value : step.inputs) sum += bytes(value);
    return sum < kSmallBytes;
}

bool Lowering::lower_chain(uint32_t root, Links links) {
    taken_.clear();
    const ThreadsOfPrimitives threads(is_small(step_of(root)));
    try {
        if (!lower_primitive(step_of(root), links)) return false;
    } catch (const dnnl::error&) {
        return false;  // oneDNN has no such primitive
    }
    for (ValueId value : step_of(root).inputs) --uses_left_[value];
    for (const ChainLink& link : links) {
        for (ValueId value : step_of(link.step).inputs) --uses_left_[value];
        for (uint32_t inner : link.inner)
            for (ValueId value : step_of(inner).inputs) --uses_left_[value];
    }
    return true;
}

void Lowering::lower_alone(uint32_t number) {
    if (!graph_.steps[number].op.valid()) return lower_to_other_backend(number);
    Step step = step_of(number);
    if (step.op.same_bytes && graph_.steps[number].output_count == 1) {
        share_memory(step);
        for (ValueId value : step.inputs) --uses_left_[value];
        return;
    }
    if (step.op.name == "split" && lower_split(step, graph_.steps[number].output_count)) return;
    if (is_on_default(number) ? lower_on_default(step) : lower_chain(number, {}) || lower_by_element(step)) return;
    Status done = lower_to_kernel(step, graph_.steps[number].output_count);
    if (done)
        for (ValueId value : step.inputs) --uses_left_[value];
}

/// Lowers steps that need no layout of their own. Returns false if the op's kernel has to run, on row-major values.
bool Lowering::lower_on_default(const Step& step) {
    if (!is_typed(step.output) ||
        !std::all_of(step.inputs.begin(), step.inputs.end(), [this](ValueId value) { return is_typed(value); }))
        return false;
    bool lowered =
        step.op.name == "concatenate" ? lower_concatenation_on_default(step) : lower_to_kernel_in_layout(step);
    if (lowered)
        for (ValueId value : step.inputs) --uses_left_[value];
    return lowered;
}

/// Lowers steps without a primitive to the kernel of `default`, without a change of layout.
bool Lowering::lower_by_element(const Step& step) {
    if (step.inputs.empty() || !is_typed(step.output)) return false;
    if (!std::all_of(step.inputs.begin(), step.inputs.end(), [this](ValueId value) { return is_typed(value); }))
        return false;
    if (!lower_to_kernel_in_layout(step)) return false;
    on_default_[region_].insert(step.op.name);
    for (ValueId value : step.inputs) --uses_left_[value];
    return true;
}

/// Elements that are computed one by one from operands in the same layout may be in any order.
bool Lowering::lower_to_kernel_in_layout(const Step& step) {
    if (step.op.pattern != OpPattern::Elementwise && step.op.pattern != OpPattern::Broadcast) return false;
    if (graph_.steps[step.number].output_count != 1 || current(step.inputs[0]) == plain(step.inputs[0])) return false;
    Desc desc = current(step.inputs[0]);
    for (ValueId value : step.inputs)
        if (current(value) != desc || has_padding(value)) return false;
    if (type_of(step.output) != type_of(step.inputs[0]) || dims_of(step.output) != dims_of(step.inputs[0]))
        return false;
    ProgramStep made;
    made.op = &step.op;
    made.attributes = &step.attributes.values();
    made.input_count = uint32_t(step.inputs.size());
    made.expr = step.expr;
    made.region = region_;
    made.what = step.op.name + " on default, in blocks";
    for (ValueId value : step.inputs) {
        made.views.push_back({nullptr, dtype_of(value), shape_of(value)});
        made.view_buffers.push_back(program_.slot(in_layout(value, desc)).buffer);
    }
    made.views.push_back({nullptr, dtype_of(step.output), shape_of(step.output)});
    made.view_buffers.push_back(program_.slot(define(step.output, desc)).buffer);
    for (BufferId buffer : made.view_buffers) program_.touch(buffer);
    program_.add_step(std::move(made));
    return true;
}

void Lowering::lower_to_other_backend(uint32_t number) {
    const FlatStep& step = graph_.steps[number];
    ProgramStep made;
    made.other = kept_[number];
    made.input_count = step.input_count;
    made.expr = step.expr;
    made.what = "a region of another backend";
    Buffer workspace;
    workspace.bytes = made.other->workspace_bytes();
    made.workspace = program_.add_buffer(workspace);
    auto add_view = [&](ValueId value, BufferId buffer) {
        made.views.push_back({nullptr, dtype_of(value), shape_of(value)});
        made.view_buffers.push_back(buffer);
    };
    for (ValueId value : graph_.step_inputs(step)) add_view(value, plain_buffer(value));
    for (uint32_t k = 0; k < step.output_count; ++k)
        add_view(step.first_output + k, define_plain(step.first_output + k));
    for (BufferId buffer : made.view_buffers) program_.touch(buffer);
    program_.touch(made.workspace);
    for (ValueId value : graph_.step_inputs(step)) --uses_left_[value];
    program_.add_step(std::move(made));
}

/// Returns the region of the step that makes a value; none for an input or a known value.
uint32_t Lowering::region_of(ValueId value) const {
    const FlatValue& made = graph_.values[value];
    return made.source == FlatValue::Source::Step ? graph_.steps[made.index].region : FlatGraph::kNoGroup;
}

bool Lowering::is_typed(ValueId value) const {
    return data_type_of(dtype_of(value)) && element_count(shape_of(value)).value_or(0) > 0;
}

BufferId Lowering::plain_buffer(ValueId value) {
    make_known(value);
    return is_typed(value) ? program_.slot(in_plain_layout(value)).buffer : states_[value].buffer;
}

BufferId Lowering::define_plain(ValueId value) {
    if (is_typed(value)) return program_.slot(define(value, plain(value))).buffer;
    Buffer buffer;
    buffer.bytes = size_t(element_count(shape_of(value)).value_or(0)) * dtype_of(value).bytes();
    states_[value].buffer = program_.add_buffer(buffer);
    return states_[value].buffer;
}

bool Lowering::lower_primitive(const Step& step, Links links) {
    using dnnl::algorithm;
    const std::string& name = step.op.name;
    if (!is_typed(step.output) ||
        !std::all_of(step.inputs.begin(), step.inputs.end(), [this](ValueId value) { return is_typed(value); }))
        return false;
    if (name.starts_with("nn.conv")) return lower_convolution(step, links);
    if (name == "qnn.conv2d") return lower_convolution(step, links);
    if (name == "nn.dense" || name == "qnn.dense") return lower_dense(step, links);
    if (name == "nn.matmul" || name == "nn.batch_matmul") return lower_matmul(step, links);
    if (name == "nn.batch_norm") return lower_batch_norm(step, links);
    if (!dtype_of(step.output).is_float()) return name == "concatenate" && links.empty() && lower_concatenate(step);
    if (name == "add" || name == "nn.bias_add") return lower_binary(step, algorithm::binary_add, links);
    if (name == "multiply") return lower_binary(step, algorithm::binary_mul, links);
    if (name == "subtract") return lower_binary(step, algorithm::binary_sub, links);
    if (!links.empty()) return false;
    if (name == "divide") return lower_binary(step, algorithm::binary_div, links);
    if (name == "maximum") return lower_binary(step, algorithm::binary_max, links);
    if (name == "minimum") return lower_binary(step, algorithm::binary_min, links);
    if (name == "concatenate") return lower_concatenate(step);
    if (name == "transpose") return lower_transpose(step);
    if (name == "nn.softmax") return lower_softmax(step);  // its logarithm is off by 1.4e-6, as eltwise_of says
    if (name == "nn.layer_norm") return lower_layer_norm(step);
    if (name == "nn.lrn") return lower_lrn(step);
    if (name.find("pool") != std::string::npos) return lower_pool(step);
    return lower_eltwise(step);
}

Status Lowering::lower_to_kernel(const Step& step, uint32_t output_count) {
    const bool own = step.op.name == "nn.expert_dense";  // oneDNN has nothing that could do better
    ProgramStep made;
    made.op = &step.op;
    made.attributes = &step.attributes.values();
    made.input_count = uint32_t(step.inputs.size());
    made.expr = step.expr;
    made.region = region_;
    made.what = own ? "products with the experts chosen" : step.op.name + " on default";
    auto add_view = [&](ValueId value, BufferId buffer) {
        made.views.push_back({nullptr, dtype_of(value), shape_of(value)});
        made.view_buffers.push_back(buffer);
    };
    for (ValueId value : step.inputs) add_view(value, plain_buffer(value));
    for (uint32_t k = 0; k < output_count; ++k) add_view(step.output + k, define_plain(step.output + k));
    for (BufferId buffer : made.view_buffers) program_.touch(buffer);
    if (!own && !is_on_default(step.number)) on_default_[region_].insert(step.op.name);
    program_.add_step(std::move(made));
    return Nothing();
}

void Lowering::share_memory(const Step& step) {
    ValueId source = step.inputs[0];
    make_known(source);
    ValueState& target = states_[step.output];
    if (graph_.values[source].type == graph_.values[step.output].type) {
        target = states_[source];  // in any layout
        target.versions.clear();
        target.known = nullptr;
    } else if (keeps_planes(source, step.output)) {
        target.buffer = states_[source].buffer;
        target.planes = states_[source].planes;
        target.desc = plain(step.output);
    } else if (is_typed(source)) {
        target.buffer = program_.slot(in_plain_layout(source)).buffer;
        target.desc = plain(step.output);
    } else {
        target.buffer = states_[source].buffer;
    }
    target.shared = states_[source].shared = true;
}

SlotId Lowering::in_layout(ValueId value, const Desc& desc) {
    if (plan_) taken_.emplace_back(value, desc);
    return slot_in(value, desc);
}

SlotId Lowering::slot_in(ValueId value, const Desc& desc) {
    make_known(value);
    ValueState& state = states_[value];
    for (const auto& [have, slot] : state.versions)
        if (have == desc) return slot;
    SlotId slot = kNone;
    if (state.planes && !makes_blocks_of_planes(value, desc)) settle(value);
    if (state.desc == desc) {
        slot = program_.add_slot(desc, state.buffer);
    } else if (state.known) {
        memory from(state.desc, program_.engine(), const_cast<void*>(state.known)), to = program_.fixed_memory(desc);
        dnnl::reorder(from, to).execute(program_.stream(), from, to);
        program_.stream().wait();
        slot = program_.add_fixed(to);
    } else {
        const SlotId from = state.planes ? program_.add_slot(state.desc, state.buffer) : slot_in(value, state.desc);
        Buffer buffer;
        buffer.bytes = desc.get_size();
        slot = program_.add_slot(desc, program_.add_buffer(buffer));
        // A change of layout counts for the region that needs it, else for the one that made the value.
        uint32_t region = region_;
        if (plan_ && region_ == FlatGraph::kNoGroup) region_ = region_of(value);
        emit_reorder(from, slot, ExprId(), note_change(value, desc, false), state.planes);
        region_ = region;
    }
    state.versions.push_back({desc, slot});
    return slot;
}

SlotId Lowering::view(SlotId slot, const Desc& desc) {
    const Slot& given = program_.slot(slot);
    if (given.memory.get_desc() == desc) return slot;
    return program_.add_slot(desc, given.buffer);
}

SlotId Lowering::define(ValueId value, const Desc& desc) {
    Buffer buffer;
    buffer.bytes = desc.get_size();
    return define_in(value, desc, program_.add_buffer(buffer));
}

SlotId Lowering::define_in(ValueId value, const Desc& desc, BufferId buffer) {
    ValueState& state = states_[value];
    state.desc = desc;
    state.buffer = buffer;
    SlotId slot = program_.add_slot(desc, buffer);
    state.versions.push_back({desc, slot});
    return slot;
}

void Lowering::emit(const dnnl::primitive& primitive, Arguments arguments, const Desc& scratchpad, const Step& step,
                    Links links) {
    ProgramStep made;
    made.primitive = primitive;
    made.expr = step.expr;
    made.region = region_;
    made.is_small = is_small(step);
    made.what = step.op.name;
    for (const ChainLink& link : links) made.what += " + " + op_registry()[graph_.steps[link.step].op].name;
    const char* implementation = nullptr;
    if (dnnl_primitive_desc_query(primitive.get_primitive_desc(), dnnl_query_impl_info_str, 0, &implementation) ==
            dnnl_success &&
        implementation)
        made.what += std::string(" (") + implementation + ")";
    if (scratchpad.get_size() > 0) {
        Buffer buffer;
        buffer.bytes = scratchpad.get_size();
        arguments.push_back({DNNL_ARG_SCRATCHPAD, program_.add_slot(scratchpad, program_.add_buffer(buffer))});
    }
    for (auto [argument, slot] : arguments) {
        made.arguments[argument] = program_.slot(slot).memory;
        program_.touch(program_.slot(slot).buffer);
    }
    program_.add_step(std::move(made));
}

void Lowering::emit_reorder(SlotId from, SlotId to, ExprId expr, uint32_t change,
                            std::shared_ptr<const PlaneOrder> order) {
    ProgramStep made;
    made.change = change;
    made.expr = expr;
    made.region = region_;
    program_.touch(program_.slot(from).buffer);
    program_.touch(program_.slot(to).buffer);
    if (change_blocks(from, to, std::move(order), made)) return program_.add_step(std::move(made));
    made.is_small = double(program_.slot(from).memory.get_desc().get_size()) < kSmallBytes / 2;
    const ThreadsOfPrimitives threads(made.is_small);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    dnnl::engine engine = program_.engine();
    dnnl::reorder::primitive_desc description(engine, program_.slot(from).memory.get_desc(), engine,
                                              program_.slot(to).memory.get_desc(), attributes);
    made.primitive = dnnl::reorder(description);
    made.arguments = {{DNNL_ARG_FROM, program_.slot(from).memory}, {DNNL_ARG_TO, program_.slot(to).memory}};
    if (description.scratchpad_desc().get_size() > 0) {
        Buffer buffer;
        buffer.bytes = description.scratchpad_desc().get_size();
        BufferId scratch = program_.add_buffer(buffer);
        made.arguments[DNNL_ARG_SCRATCHPAD] =
            program_.slot(program_.add_slot(description.scratchpad_desc(), scratch)).memory;
        program_.touch(scratch);
    }
    made.what = std::string("reorder (") + description.impl_info_str() + ")";
    program_.add_step(std::move(made));
}

dnnl::primitive_attr Lowering::attributes_with(Links links) const {
    dnnl::post_ops post;
    for (const ChainLink& link : links) {
        if (link.kind == ChainLink::Kind::Eltwise)
            post.append_eltwise(1, dnnl::algorithm(link.algorithm), link.alpha, link.beta);
        if (link.kind == ChainLink::Kind::Sum) post.append_sum(1);
    }
    return attributes_with(post);
}

dnnl::primitive_attr Lowering::attributes_with(const dnnl::post_ops& post_ops) const {
    dnnl::primitive_attr attributes;
    attributes.set_post_ops(post_ops);
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    return attributes;
}

void Lowering::finish_outputs() {
    for (uint32_t k = 0; k < graph_.outputs.size(); ++k) {
        ValueId value = graph_.outputs[k];
        ValueState& state = states_[value];
        region_ = region_of(value);
        settle(value);
        bool typed = is_typed(value);
        Buffer& buffer = program_.buffer(state.buffer);
        bool whole = buffer.kind == Buffer::Kind::Arena && buffer.parent == kNone;
        bool right = typed ? state.desc == plain(value) && buffer.bytes == plain(value).get_size() : true;
        if (whole && right) {
            buffer.kind = Buffer::Kind::Output;
            buffer.index = k;
            continue;
        }
        copy_to_output(value, k);
    }
}

void Lowering::copy_to_output(ValueId value, uint32_t output) {
    ValueState& state = states_[value];
    Buffer target;
    target.kind = Buffer::Kind::Output;
    target.index = output;
    if (is_typed(value)) {
        SlotId from = in_layout(value, state.desc);
        const bool is_copy = state.desc == plain(value);
        emit_reorder(from, program_.add_slot(plain(value), program_.add_buffer(target)), ExprId(),
                     is_copy ? kNone : note_change(value, plain(value), true));
        program_.steps().back().is_copy = is_copy;
        return;
    }
    // Nothing to reorder: copies with the kernel of the op `copy`.
    const OpRecord& copy = op_registry()[op_registry().find("copy")];
    static const AttributeList none;
    ProgramStep made;
    made.op = &copy;
    made.attributes = &none;
    made.input_count = 1;
    made.views = {{nullptr, dtype_of(value), shape_of(value)}, {nullptr, dtype_of(value), shape_of(value)}};
    made.view_buffers = {state.buffer, program_.add_buffer(target)};
    made.region = region_;
    made.what = "copy on default";
    made.is_copy = true;
    program_.touch(state.buffer);
    program_.add_step(std::move(made));
}

/// Copies immediately, because its memory may be reused. The time counts for no region.
void Lowering::copy_observed(ValueId value) {
    if (states_[value].buffer == kNone) return;  // not made yet
    region_ = FlatGraph::kNoGroup;
    auto [begin, end] = observed_.equal_range(value);
    for (auto it = begin; it != end; ++it) copy_to_output(value, it->second);
    observed_.erase(begin, end);
}

void Lowering::copy_observed_results(uint32_t number) {
    const FlatStep& step = graph_.steps[number];
    for (uint32_t k = 0; k < step.output_count; ++k) copy_observed(step.first_output + k);
}

}  // namespace partita::onednn
