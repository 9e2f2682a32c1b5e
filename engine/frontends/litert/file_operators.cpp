#include "engine/frontends/litert/file_operators.h"

#include <algorithm>

namespace partita::litert {

namespace {

constexpr size_t kMostScales = 64;

class Maker {
public:
    Maker(const Subgraph& subgraph, const std::function<Tensor(const TensorInfo&)>& constant)
        : subgraph_(subgraph), constant_(constant), values_(subgraph.tensors.size()), is_read_(values_.size()) {}

    void add(const Operator& op, const std::string& name) {
        ForeignCall call{std::string(op.kind.substr(0, 200)), {}, op.version, {}, kept_attributes(op), {}};
        std::vector<ExprId> arguments;
        std::vector<int32_t> results;
        for (size_t i = 0; i < op.inputs.size(); ++i) {
            if (op.inputs[i] < 0) {
                call.absent.push_back(int64_t(i));
                continue;
            }
            arguments.push_back(value(op.inputs[i]));
            is_read_[size_t(op.inputs[i])] = true;
        }
        for (int32_t output : op.outputs)
            if (output >= 0) results.push_back(output);
        add_quantization(call, "", op.inputs);
        add_quantization(call, "result_", op.outputs);
        for (int32_t result : results) call.results.push_back(type(result));
        const ExprId made = add_foreign_call(made_.module, call, arguments);
        made_.module.set_label(made, name);
        made_.by_name.emplace(name, made);
        for (uint32_t i = 0; i < results.size(); ++i)
            values_[size_t(results[i])] =
                results.size() == 1 ? made : made_.module.add_projection(made, i, call.results[i]);
        if (results.empty()) unused_.push_back(made);
    }

    /// The results are those of the file, and what nothing reads.
    StatedOperators take() {
        std::vector<ExprId> results = std::move(unused_);
        for (int32_t output : subgraph_.outputs)
            if (output >= 0) is_read_[size_t(output)] = false;
        for (size_t i = 0; i < values_.size(); ++i)
            if (values_[i].valid() && !is_read_[i] && made_.module.kind(values_[i]) != ExprKind::Constant &&
                made_.module.kind(values_[i]) != ExprKind::Var)
                results.push_back(values_[i]);
        made_.module.set_function("main", made_.module.add_function(parameters_, made_.module.add_tuple(results)));
        return std::move(made_);
    }

private:
    TypeId type(int32_t tensor) {
        const TensorInfo& info = subgraph_.tensors[size_t(tensor)];
        return made_.module.types().tensor(data_type(info.type), info.shape);
    }

    ExprId value(int32_t tensor) {
        ExprId& known = values_[size_t(tensor)];
        if (known.valid()) return known;
        const TensorInfo& info = subgraph_.tensors[size_t(tensor)];
        if (info.data && !data_type(info.type).is_void()) return known = made_.module.add_constant(constant_(info));
        known = made_.module.add_var(std::string(info.name.substr(0, 200)), type(tensor));
        parameters_.push_back(known);
        return known;
    }

    void add_quantization(ForeignCall& call, const std::string& of, const std::vector<int32_t>& tensors) {
        AttributeValue::List scales, zero_points;
        bool any = false;
        for (int32_t tensor : tensors) {
            if (tensor < 0) continue;
            const Quantization& found = subgraph_.tensors[size_t(tensor)].quantization;
            AttributeValue::List each, zeros;
            for (float scale : found.scales)
                if (each.size() < kMostScales) each.push_back(double(scale));
            for (int64_t zero : found.zero_points)
                if (zeros.size() < kMostScales) zeros.push_back(zero);
            any = any || !each.empty();
            scales.push_back(std::move(each));
            zero_points.push_back(std::move(zeros));
        }
        if (!any) return;
        call.attributes.emplace_back(of + "scales", std::move(scales));
        call.attributes.emplace_back(of + "zero_points", std::move(zero_points));
    }

    const Subgraph& subgraph_;
    const std::function<Tensor(const TensorInfo&)>& constant_;
    StatedOperators made_;
    std::vector<ExprId> values_;
    std::vector<bool> is_read_;  ///< by an operator
    std::vector<ExprId> parameters_, unused_;
};

}  // namespace

StatedOperators file_operators(const Subgraph& subgraph, const Graph& graph, std::span<const NodeId> order,
                               const std::function<Tensor(const TensorInfo&)>& constant) {
    Maker maker(subgraph, constant);
    for (NodeId node : order) maker.add(subgraph.operators[node.value], graph[node].name);
    return maker.take();
}

}  // namespace partita::litert
