#include <QtTest>

#include "engine/frontends/relay/parser.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "tests/registry.h"

namespace test_ops_example_kernels {

using namespace partita;

namespace {

Result<Module> typed_example(const OpRecord& op) {
    Result<Module> module = parse_relay(op.example);
    if (!module) return module;
    if (Status typed = infer_types(*module); !typed) return typed.error();
    return module;
}

/// Returns the first call of the example's op.
ExprId call_of(const Module& module, const OpRecord& op) {
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* called = called_op_record(module, ExprId(i)); called && called->name == op.name)
            return ExprId(i);
    return {};
}

/// Returns small positive numbers, which are valid inputs of every op.
Tensor some_tensor(const TypeTable& types, TypeId type) {
    std::span<const int64_t> shape = types.shape(type);
    Tensor tensor(types.dtype(type), std::vector<int64_t>(shape.begin(), shape.end()));
    for (int64_t i = 0; i < tensor.size(); ++i)
        tensor.set(i, types.dtype(type).is_float() ? double(i % 2) * 0.5 + 0.25 : 1.0);
    return tensor;
}

/// Appends the tensors of an argument, tuples flattened; constants keep their values.
bool append_tensors(const Module& module, ExprId argument, std::vector<Tensor>& tensors) {
    if (module.kind(argument) == ExprKind::Constant) return tensors.push_back(module.constant(argument)), true;
    std::vector<TypeId> fields{module.type(argument)};
    if (module.types().is_tuple(fields[0])) {
        std::span<const TypeId> parts = module.types().parts(fields[0]);
        fields.assign(parts.begin(), parts.end());
    }
    for (TypeId field : fields) {
        if (!module.types().is_tensor(field)) return false;
        for (int64_t dim : module.types().shape(field))
            if (dim == kDynamicDim) return false;
        tensors.push_back(some_tensor(module.types(), field));
    }
    return true;
}

std::vector<TensorView> views_of(std::vector<Tensor>& tensors) {
    std::vector<TensorView> views;
    for (Tensor& tensor : tensors) views.push_back({tensor.bytes(), tensor.dtype(), tensor.shape()});
    return views;
}

}  // namespace

/// Kernel and cost of each op, for the example in its record.
class TestOpsExampleKernels : public QObject {
    Q_OBJECT

private slots:
    void everyKernelRunsItsExample() {
        ThreadPool threads(2);
        int ran = 0;
        for (const OpRecord& op : op_registry().records()) {
            Result<Module> module = typed_example(op);
            QVERIFY2(bool(module), op.name.c_str());
            if (op.name == "opaque") continue;  // stands for unknown operators
            ExprId call = call_of(*module, op);
            std::vector<Tensor> inputs, outputs;
            bool known = true;
            for (ExprId argument : module->arguments(call)) known = known && append_tensors(*module, argument, inputs);
            known = known && append_tensors(*module, call, outputs);
            if (!known) continue;
            std::vector<TensorView> input_views = views_of(inputs), output_views = views_of(outputs);
            Status done = op.kernel({input_views, output_views, attributes_of(*module, call), threads});
            QVERIFY2(bool(done), (op.name + ": " + (done ? "" : done.error().message)).c_str());
            ++ran;
        }
        qInfo("%d of %d ops ran", ran, int(op_registry().records().size()));
        QVERIFY(ran > int(op_registry().records().size()) * 9 / 10);
    }

    void flopsOfEveryExampleAreCounted() {
        for (const OpRecord& op : op_registry().records()) {
            if (!op.flops) continue;
            Result<Module> module = typed_example(op);
            QVERIFY2(bool(module), op.name.c_str());
            ExprId call = call_of(*module, op);
            std::vector<TypeId> types;
            for (ExprId argument : module->arguments(call)) types.push_back(module->type(argument));
            double flops = op.flops(module->types(), std::span<const TypeId>(types), module->type(call),
                                    attributes_of(*module, call));
            QVERIFY2(flops >= 0 && flops < 1e9, op.name.c_str());
        }
    }
};

PARTITA_TEST(TestOpsExampleKernels)

}  // namespace test_ops_example_kernels

#include "test_ops_example_kernels.moc"
