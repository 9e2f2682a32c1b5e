#include "engine/ops/cost.h"

#include "engine/ops/registry.h"

namespace partita {

namespace {

double elements(const TypeTable& types, TypeId tensor) {
    double count = 1;
    for (int64_t dim : types.shape(tensor)) count *= dim < 0 ? 1 : double(dim);
    return count;
}

// The creator of a type bounds its depth.
template <class OfTensor>
double sum_over_tensors(const TypeTable& types, TypeId type, const OfTensor& of_tensor) {
    if (types.is_tensor(type)) return of_tensor(type);
    if (!types.is_tuple(type)) return 0;
    double sum = 0;
    for (TypeId field : types.parts(type)) sum += sum_over_tensors(types, field, of_tensor);
    return sum;
}

}  // namespace

double type_bytes(const TypeTable& types, TypeId type) {
    return sum_over_tensors(
        types, type, [&](TypeId tensor) { return elements(types, tensor) * double(types.dtype(tensor).bytes()); });
}

int tensor_count(const TypeTable& types, TypeId type) {
    return int(sum_over_tensors(types, type, [](TypeId) { return 1.0; }));
}

double call_flops(const Module& module, ExprId call) {
    const OpRecord* op = called_op_record(module, call);
    if (!op || !module.type(call).valid()) return 0;
    const TypeTable& types = module.types();
    if (!op->flops) {
        if (op->pattern == OpPattern::Injective || op->pattern == OpPattern::Opaque) return 0;
        return sum_over_tensors(types, module.type(call), [&](TypeId tensor) { return elements(types, tensor); });
    }
    std::vector<TypeId> arguments;
    for (ExprId argument : module.arguments(call)) arguments.push_back(module.type(argument));
    return op->flops(types, arguments, module.type(call), attributes_of(module, call));
}

}  // namespace partita
