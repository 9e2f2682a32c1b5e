#include "engine/backends/dnnl/fusion.h"

#include <algorithm>
#include <cmath>

#include <dnnl.hpp>

#include "engine/backends/dnnl/library_faults.h"
#include "engine/ops/registry.h"

namespace partita::onednn {

namespace {

constexpr uint32_t kNoUser = UINT32_MAX;
/// oneDNN's kernels do not support more operations after one primitive.
constexpr size_t kMostLinks = 8;

bool is_convolution(std::string_view op) { return op.starts_with("nn.conv"); }
bool is_product(std::string_view op) { return op == "nn.dense" || op == "nn.matmul" || op == "nn.batch_matmul"; }

class Fuser {
public:
    Fuser(const Module& module, const FlatGraph& graph, bool plan)
        : module_(module), plan_(plan), types_(module.types()), graph_(graph), uses_(graph.use_counts()),
          user_(graph.values.size(), kNoUser) {
        for (uint32_t i = 0; i < graph.steps.size(); ++i)
            for (ValueId value : graph.step_inputs(graph.steps[i])) user_[value] = i;
    }

    std::vector<FusedStep> run() {
        std::vector<bool> taken(graph_.steps.size());
        std::vector<FusedStep> list;
        take_own_kernels(list, taken);
        for (uint32_t i = 0; i < graph_.steps.size(); ++i) {
            if (taken[i]) continue;
            FusedStep fused{i, {}};
            if ((fused.elementwise = take_elementwise(i, taken))) list.push_back(std::move(fused));
            if (taken[i]) continue;
            if (starts_chain(i)) follow(fused, taken);
            else if (starts_integer_chain(i)) follow_integers(fused, taken);
            list.push_back(std::move(fused));
        }
        std::stable_sort(list.begin(), list.end(), [](auto& a, auto& b) { return a.last() < b.last(); });
        return list;
    }

private:
    const std::string& op(uint32_t step) const { return op_registry()[graph_.steps[step].op].name; }
    bool is_float(ValueId value) const { return types_.dtype(graph_.values[value].type).is_float(); }

    /// Takes the chains that the backend has kernels of its own for.
    void take_own_kernels(std::vector<FusedStep>& list, std::vector<bool>& taken) const {
        for (uint32_t i = 0; i < graph_.steps.size(); ++i) {
            const FlatStep& step = graph_.steps[i];
            if (!step.op.valid() || (plan_ && step.region == FlatGraph::kNoGroup)) continue;
            FusedStep fused{i, {}};
            if (op(i) == "nn.softmax" || op(i) == "nn.attention")
                fused.attention = take_chain(attention_of(module_, graph_, {uses_, user_}, i), taken);
            else if (op(i) == "sqrt" || op(i) == "nn.rms_norm")
                fused.normalization = take_chain(normalization_of(module_, graph_, {uses_, user_}, i), taken);
            if (fused.attention || fused.normalization) list.push_back(std::move(fused));
        }
    }

    /// Takes the longest function of single elements that begins with a step, unless oneDNN computes it as well.
    std::shared_ptr<const ElementwiseChain> take_elementwise(uint32_t step, std::vector<bool>& taken) const {
        const FlatStep& flat = graph_.steps[step];
        if (!flat.op.valid() || (plan_ && flat.region == FlatGraph::kNoGroup)) return nullptr;
        const OpPattern pattern = op_registry()[flat.op].pattern;
        if (pattern != OpPattern::Elementwise && pattern != OpPattern::Broadcast) return nullptr;
        for (ValueId value : graph_.step_inputs(flat)) {
            if (graph_.values[value].source == FlatValue::Source::Constant) continue;
            std::vector<ElementwiseChain> chains =
                elementwise_chains(module_, graph_, {uses_, user_}, {value, step, step, false});
            std::erase_if(chains, [&](const auto& chain) {
                return chain.steps.front() != step || (chain.steps.size() == 1 && has_fast_primitive(step));
            });
            return chains.empty() ? nullptr : take_chain(std::optional(std::move(chains.back())), taken);
        }
        return nullptr;
    }

    bool has_fast_primitive(uint32_t step) const {
        const std::string& name = op(step);
        return name != "power" &&
               (name == "divide" || name == "maximum" || name == "minimum" || eltwise_of(module_, graph_, step));
    }

    template <class Chain>
    static std::shared_ptr<const Chain> take_chain(std::optional<Chain> chain, std::vector<bool>& taken) {
        if (!chain || std::any_of(chain->steps.begin(), chain->steps.end(), [&](uint32_t step) { return taken[step]; }))
            return nullptr;
        for (uint32_t step : chain->steps) taken[step] = true;
        return std::make_shared<const Chain>(std::move(*chain));
    }

    bool starts_chain(uint32_t step) const {
        if (!graph_.steps[step].op.valid() || (plan_ && graph_.steps[step].region == FlatGraph::kNoGroup)) return false;
        const std::string& name = op(step);
        if (!is_float(graph_.steps[step].first_output) || is_requantization(step)) return false;
        return is_convolution(name) || is_product(name) || name == "add" || name == "multiply" || name == "subtract" ||
               name == "nn.bias_add" || name == "nn.batch_norm";
    }

    /// Returns true for real arithmetic that ends in a conversion to integers. Fusing would change last bits, which the
    /// conversion turns into different integers, so it is computed op by op.
    bool is_requantization(uint32_t step) const {
        uint32_t group = graph_.steps[step].group;
        return group != FlatGraph::kNoGroup && graph_.groups[group].name.find(".qnn.") != std::string::npos;
    }

    bool is_of(ValueId value, std::initializer_list<DataType> types) const {
        return std::find(types.begin(), types.end(), types_.dtype(graph_.values[value].type)) != types.end();
    }

    bool starts_integer_chain(uint32_t step) const {
        const FlatStep& flat = graph_.steps[step];
        if (!flat.op.valid() || (plan_ && flat.region == FlatGraph::kNoGroup)) return false;
        const std::string& name = op(step);
        bool product = is_convolution(name) || name == "nn.dense" || name == "qnn.conv2d" || name == "qnn.dense";
        return product && is_of(flat.first_output, {kInt32}) && is_of(graph_.step_inputs(flat)[0], {kInt8, kUInt8});
    }

    void follow_integers(FusedStep& fused, std::vector<bool>& taken) const {
        ValueId current = graph_.steps[fused.root].first_output;
        while (fused.links.size() < kMostLinks && uses_[current] == 1 && user_[current] != kNoUser) {
            uint32_t next = user_[current];
            const FlatStep& flat = graph_.steps[next];
            if (!flat.op.valid() || flat.region != graph_.steps[fused.root].region || taken[next] ||
                graph_.step_inputs(flat)[0] != current)
                break;
            const std::string& name = op(next);
            bool converts = name == "cast" && is_of(flat.first_output, {kInt8, kUInt8});
            bool binary = name == "add" || name == "nn.bias_add" || name == "right_shift";
            if (!converts && !binary && name != "nn.relu" && name != "clip") break;
            if (!converts && !same_type(current, flat.first_output)) break;
            fused.links.push_back({ChainLink::Kind::Integer, next, binary ? graph_.step_inputs(flat)[1] : ValueId(0)});
            taken[next] = true;
            current = flat.first_output;
            if (converts) break;
        }
    }

    void follow(FusedStep& fused, std::vector<bool>& taken) const {
        bool linear = is_convolution(op(fused.root)) || is_product(op(fused.root));
        bool channelwise = channel_axis(fused.root) >= 0;
        ValueId current = graph_.steps[fused.root].first_output;
        bool has_sum = false, has_eltwise = false;
        while (fused.links.size() < kMostLinks) {
            std::optional<ChainLink> link = next_link(current, fused.root);
            if (!link) link = link_behind_reshape(current, fused.root);
            if (!link || taken[link->step]) break;
            uint32_t next = link->step;
            bool affine = link->kind != ChainLink::Kind::Eltwise && link->kind != ChainLink::Kind::Sum;
            if (affine ? !channelwise : !linear && link->kind == ChainLink::Kind::Sum) break;
            if (affine && (has_sum || has_eltwise)) break;
            if (link->kind == ChainLink::Kind::Sum && has_sum) break;
            const bool joins = is_linear(*link) && !fused.links.empty() && is_linear(fused.links.back());
            if (joins) link = joined(fused.links.back(), *std::move(link));
            const size_t kept = fused.links.size() - (joins ? 1 : 0);
            if (shares_constants(std::span(fused.links).first(kept), *link)) break;
            has_sum |= link->kind == ChainLink::Kind::Sum;
            has_eltwise |= link->kind == ChainLink::Kind::Eltwise;
            fused.links.resize(kept);
            fused.links.push_back(*link);
            for (uint32_t inner : link->inner) taken[inner] = true;
            taken[next] = true;
            current = graph_.steps[next].first_output;
        }
    }

    std::optional<ChainLink> next_link(ValueId current, uint32_t root) const {
        if (user_[current] == kNoUser) return std::nullopt;
        return uses_[current] == 1 ? link_of(user_[current], current, root) : activation_of(current, root);
    }

    /// An activation that several operators compute together.
    std::optional<ChainLink> activation_of(ValueId x, uint32_t root) const {
        const uint32_t first = graph_.values[x].index + 1;  // behind the step that makes it
        for (const ElementwiseChain& chain :
             elementwise_chains(module_, graph_, {uses_, user_}, {x, first, root, true}))
            if (const std::optional<Eltwise> known = known_activation(*chain.program))
                return ChainLink{ChainLink::Kind::Eltwise,
                                 chain.steps.back(),
                                 0,
                                 known->algorithm,
                                 known->alpha,
                                 known->beta,
                                 {chain.steps.begin(), chain.steps.end() - 1},
                                 std::make_shared<const ElementwiseChain>(chain)};
        return std::nullopt;
    }

    /// Rows of a dense layer may be made to several dimensions: what follows is still done to each row.
    std::optional<ChainLink> link_behind_reshape(ValueId current, uint32_t root) const {
        if (op(root) != "nn.dense" || uses_[current] != 1 || user_[current] == kNoUser) return std::nullopt;
        const uint32_t reshape = user_[current];
        const FlatStep& step = graph_.steps[reshape];
        if (!step.op.valid() || step.region != graph_.steps[root].region || step.output_count != 1 ||
            !op_registry()[step.op].same_bytes)
            return std::nullopt;
        const std::span<const int64_t> from = types_.shape(graph_.values[current].type);
        const std::span<const int64_t> to = types_.shape(graph_.values[step.first_output].type);
        if (to.empty() || to.back() != from.back()) return std::nullopt;
        std::optional<ChainLink> link = next_link(step.first_output, root);
        if (link) link->inner.insert(link->inner.begin(), reshape);
        return link;
    }

    static bool is_linear(const ChainLink& link) {
        return link.kind == ChainLink::Kind::Eltwise && link.algorithm == int(dnnl::algorithm::eltwise_linear);
    }
    /// Two linear functions, one after the other, are one.
    static ChainLink joined(const ChainLink& first, ChainLink second) {
        second.inner.insert(second.inner.begin(), first.step);
        second.inner.insert(second.inner.begin(), first.inner.begin(), first.inner.end());
        second.beta += second.alpha * first.beta;
        second.alpha *= first.alpha;
        return second;
    }

    std::optional<ChainLink> link_of(uint32_t step, ValueId current, uint32_t root) const {
        const FlatStep& flat = graph_.steps[step];
        if (!flat.op.valid() || flat.region != graph_.steps[root].region) return std::nullopt;
        const std::string& name = op(step);
        std::span<const ValueId> inputs = graph_.step_inputs(flat);
        if (!same_type(current, flat.first_output)) return std::nullopt;
        if (std::optional<Eltwise> eltwise = eltwise_of(module_, graph_, step); eltwise && inputs[0] == current)
            return ChainLink{ChainLink::Kind::Eltwise, step, 0, eltwise->algorithm, eltwise->alpha, eltwise->beta};
        if (name == "nn.batch_norm" && inputs[0] == current) {
            bool others_used = uses_[flat.first_output + 1] || uses_[flat.first_output + 2];
            if (others_used || channel_axis(root, current) != normalized_axis(step)) return std::nullopt;
            return ChainLink{ChainLink::Kind::BatchNorm, step};
        }
        if (name != "nn.bias_add" && name != "add" && name != "multiply") return std::nullopt;
        if (inputs[0] == inputs[1]) return std::nullopt;
        if (name == "nn.bias_add" && inputs[0] != current) return std::nullopt;
        ValueId other = inputs[0] == current ? inputs[1] : inputs[0];
        if (name == "add" && same_type(other, current)) return ChainLink{ChainLink::Kind::Sum, step, other};
        std::optional<size_t> axis = channel_axis_of(module_, graph_, step, other);
        if (!axis || int64_t(*axis) != channel_axis(root, current)) return std::nullopt;
        return ChainLink{name == "multiply" ? ChainLink::Kind::Scale : ChainLink::Kind::Bias, step, other};
    }

    bool same_type(ValueId a, ValueId b) const { return graph_.values[a].type == graph_.values[b].type; }

    /// Returns the channel axis of a value that follows from a root's result.
    int64_t channel_axis(uint32_t root, ValueId value) const {
        return is_product(op(root)) ? int64_t(types_.shape(graph_.values[value].type).size()) - 1 : channel_axis(root);
    }

    /// Returns the channel axis of a root's result; -1 if it has none.
    int64_t channel_axis(uint32_t root) const {
        const std::string& name = op(root);
        auto rank = int64_t(types_.shape(graph_.values[graph_.steps[root].first_output].type).size());
        if (is_product(name)) return rank - 1;
        if (name == "nn.batch_norm") return normalized_axis(root);
        if (name == "multiply" || name == "add" || name == "nn.bias_add") {
            std::optional<size_t> axis = channel_axis_of(module_, graph_, root, channel_operand(root));
            return axis ? int64_t(*axis) : -1;
        }
        if (!is_convolution(name)) return -1;
        AttributesView attributes = attributes_of(module_, graph_.steps[root].expr);
        const std::string& out = attributes.string("out_layout");
        size_t at = (out.empty() ? attributes.string("data_layout") : out).find('C');
        return at == std::string::npos ? -1 : int64_t(at);
    }

    ValueId channel_operand(uint32_t step) const {
        std::span<const ValueId> inputs = graph_.step_inputs(graph_.steps[step]);
        return same_type(inputs[0], graph_.steps[step].first_output) ? inputs[1] : inputs[0];
    }

    int64_t normalized_axis(uint32_t step) const {
        int64_t axis = attributes_of(module_, graph_.steps[step].expr).integer("axis");
        auto rank = int64_t(types_.shape(graph_.values[graph_.steps[step].first_output].type).size());
        return axis < 0 ? axis + rank : axis;
    }

    const Module& module_;
    const bool plan_;
    const TypeTable& types_;
    const FlatGraph& graph_;
    std::vector<uint32_t> uses_, user_;
};

}  // namespace

namespace {

/// Returns an op of a tensor and a constant of one element.
std::optional<Eltwise> linear_of(const Module& module, const FlatGraph& graph, const FlatStep& step,
                                 const std::string& name) {
    std::span<const ValueId> inputs = graph.step_inputs(step);
    if (graph.values[inputs[0]].type != graph.values[step.first_output].type) return std::nullopt;
    std::optional<float> constant = scalar_constant(module, graph, inputs[1]);
    if (!constant) return std::nullopt;
    auto make = [](float alpha, float beta) { return Eltwise{int(dnnl::algorithm::eltwise_linear), alpha, beta}; };
    if (name == "multiply") return make(*constant, 0);
    if (name == "add") return make(1, *constant);
    if (name == "subtract") return make(1, -*constant);
    if (name == "power") return Eltwise{int(dnnl::algorithm::eltwise_pow), 1, *constant};
    return std::nullopt;
}

}  // namespace

std::optional<Eltwise> eltwise_of(const Module& module, const FlatGraph& graph, uint32_t step) {
    using dnnl::algorithm;
    const FlatStep& flat = graph.steps[step];
    const std::string& name = op_registry()[flat.op].name;
    if (flat.output_count != 1) return std::nullopt;
    if (flat.input_count == 2) return linear_of(module, graph, flat, name);
    if (flat.input_count != 1) return std::nullopt;
    if (!module.types().dtype(graph.values[flat.first_output].type).is_float()) return std::nullopt;
    auto make = [](algorithm a, double alpha = 0, double beta = 0) {
        return Eltwise{int(a), float(alpha), float(beta)};
    };
    if (name == "nn.relu") return make(algorithm::eltwise_relu);
    if (name == "nn.leaky_relu") return make(algorithm::eltwise_relu, attributes_of(module, flat.expr).real("alpha"));
    if (name == "clip") {
        AttributesView attributes = attributes_of(module, flat.expr);
        if (attributes.real("a_min") > attributes.real("a_max"))
            return std::nullopt;  // oneDNN would return the upper one
        return make(algorithm::eltwise_clip, attributes.real("a_min"), attributes.real("a_max"));
    }
    if (name == "sigmoid") return make(algorithm::eltwise_logistic);
    if (name == "tanh") return make(algorithm::eltwise_tanh);
    // Not exp and log: in oneDNN 2.6, exp(NaN) is infinity, and log(1) is -1.4e-6.
    if (name == "sqrt") return make(algorithm::eltwise_sqrt);
    if (name == "abs") return make(algorithm::eltwise_abs);
    return std::nullopt;
}

std::optional<size_t> channel_axis_of(const Module& module, const FlatGraph& graph, uint32_t step, ValueId operand) {
    const TypeTable& types = module.types();
    std::span<const int64_t> result = types.shape(graph.values[graph.steps[step].first_output].type);
    std::span<const int64_t> own = types.shape(graph.values[operand].type);
    const OpRecord& op = op_registry()[graph.steps[step].op];
    if (op.name == "nn.bias_add") {
        int64_t axis = attributes_of(module, graph.steps[step].expr).integer("axis");
        return size_t(axis < 0 ? axis + int64_t(result.size()) : axis);
    }
    if (own.size() > result.size()) return std::nullopt;
    std::optional<size_t> found;
    for (size_t d = 0; d < own.size(); ++d) {
        size_t axis = d + result.size() - own.size();
        if (own[d] == 1) continue;
        if (found || own[d] != result[axis]) return std::nullopt;
        found = axis;
    }
    return found;
}

std::vector<FusedStep> fuse(const Module& module, const FlatGraph& graph, bool plan) {
    return Fuser(module, graph, plan).run();
}

}  // namespace partita::onednn
