#include "engine/frontends/relax/batch_norm.h"

#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "engine/frontends/relax/operators.h"
#include "engine/ops/registry.h"

namespace partita::relax {

namespace {

struct Settings {
    int64_t axis = 1;
    double epsilon = 1e-5;
    bool center = true, scale = true, training = false;
};

std::optional<Settings> read_settings(std::span<const Keyword> keywords) {
    Settings settings;
    for (const Keyword& keyword : keywords) {
        const std::optional<AttributeValue> value = read_value(keyword.text);
        if (!value) return std::nullopt;
        const Integer* whole = value->as_integer();
        const double* real = value->as_double();
        const bool* flag = value->as_bool();
        if (keyword.name == "axis" && whole) settings.axis = whole->value;
        else if (keyword.name == "epsilon" && (real || whole)) settings.epsilon = real ? *real : double(whole->value);
        else if (keyword.name == "center" && flag) settings.center = *flag;
        else if (keyword.name == "scale" && flag) settings.scale = *flag;
        else if (keyword.name == "training" && flag) settings.training = *flag;
        else if (keyword.name != "momentum") return std::nullopt;
    }
    return settings;
}

class Builder {
public:
    Builder(Module& module, std::vector<ExprId>& made) : module_(module), made_(made) {}

    ExprId apply(std::string_view name, std::vector<ExprId> arguments,
                 std::vector<std::pair<std::string_view, AttributeValue>> given = {}) {
        for (ExprId argument : arguments)
            if (!argument.valid()) return {};
        const OpId op = op_registry().find(name);
        const OpRecord& record = op_registry()[op];
        AttributeList attributes = record.default_attributes();
        for (auto& [field, value] : given) attributes[size_t(record.attribute_index(field))] = std::move(value);
        std::vector<TypeId> types;
        for (ExprId argument : arguments) types.push_back(module_.type(argument));
        const Result<TypeId> type = record.relation({module_.types(), types, AttributesView(record, attributes)});
        if (!type) return {};
        made_.push_back(
            module_.add_call(module_.add_op(op), arguments, module_.add_attributes(std::move(attributes)), *type));
        return made_.back();
    }

private:
    Module& module_;
    std::vector<ExprId>& made_;
};

}  // namespace

ExprId normalized_by_batch(Module& module, std::span<const ExprId> arguments, std::span<const Keyword> keywords,
                           std::vector<ExprId>& helpers) {
    const std::optional<Settings> settings = read_settings(keywords);
    const ExprId data = arguments[0];
    TypeTable& types = module.types();
    if (!settings || !settings->training || !types.is_tensor(module.type(data)) ||
        types.dtype(module.type(data)) != kFloat32)
        return {};
    for (ExprId argument : arguments.subspan(1))
        if (module.kind(argument) != ExprKind::Var && module.kind(argument) != ExprKind::Constant) return {};
    const std::span<const int64_t> sizes = types.shape(module.type(data));
    const int64_t rank = int64_t(sizes.size()), axis = settings->axis < 0 ? settings->axis + rank : settings->axis;
    if (axis < 0 || axis >= rank || sizes[size_t(axis)] == kDynamicDim) return {};
    AttributeValue::List others, beside;  // the axes but one; the sizes of what is of that one
    for (int64_t i = 0; i < rank; ++i) {
        if (i != axis) others.emplace_back(int(i));
        beside.emplace_back(i == axis ? int(sizes[size_t(i)]) : 1);
    }
    const size_t first = helpers.size();
    Builder build(module, helpers);
    const auto mean = [&](ExprId of) {
        return build.apply("mean", {of}, {{"axis", AttributeValue(others)}, {"keepdims", AttributeValue(true)}});
    };
    const ExprId epsilon = module.add_constant(Tensor::scalar(kFloat32, float(settings->epsilon)));
    module.set_type(epsilon, types.tensor(kFloat32, {}));
    const ExprId centred = build.apply("subtract", {data, mean(data)});
    const ExprId variance = mean(build.apply("multiply", {centred, centred}));
    ExprId made = build.apply("divide", {centred, build.apply("sqrt", {build.apply("add", {variance, epsilon})})});
    for (const auto& [op, wanted, argument] :
         {std::tuple("multiply", settings->scale, arguments[1]), std::tuple("add", settings->center, arguments[2])})
        if (wanted && made.valid())
            made = build.apply(op, {made, build.apply("reshape", {argument}, {{"newshape", AttributeValue(beside)}})});
    if (made.valid()) helpers.pop_back();  // it is the node itself
    else helpers.resize(first);
    return made;
}

}  // namespace partita::relax
