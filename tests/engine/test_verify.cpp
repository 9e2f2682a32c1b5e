// Verification names the fault of an invalid module.
#include <QtTest>

#include "engine/frontends/relay/parser.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/verify.h"
#include "tests/registry.h"

namespace test_verify {

using namespace partita;

namespace {

constexpr const char* kText = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(3), float32]) { %0 = tanh(%x); add(%0, %y) }
)";

Module sound() {
    Result<Module> module = parse_relay(kText);
    if (!module || !infer_types(*module)) qFatal("the module is unsound from the beginning");
    return std::move(*module);
}

ExprId call_of(const Module& module, const char* op) {
    for (uint32_t i = 0; i < module.size(); ++i)
        if (const OpRecord* record = called_op_record(module, ExprId(i)); record && record->name == op)
            return ExprId(i);
    return ExprId();
}

}  // namespace

class TestVerify : public QObject {
    Q_OBJECT

    void refuses(const Module& module, const char* what, size_t root_size = 1000) {
        const Status status = verify(module, root_size);
        QVERIFY(!status);
        QVERIFY2(status.error().message.find(what) != std::string::npos, status.error().message.c_str());
    }

private slots:
    void aFunctionThatIsNotThereIsNotTakenOut() {
        Module module = sound();
        for (const char* name : {"nothing", "x", ""}) module.remove_function(name);
        QCOMPARE(module.functions().size(), size_t(1));
        module.remove_function("main");
        QVERIFY(module.functions().empty());
        module.remove_function("main");
    }

    void aSoundModulePasses() {
        const Module module = sound();
        QVERIFY(bool(verify(module, module.size())));
    }

    void aTypeThatIsNotTheInferredOne() {
        Module module = sound();
        const ExprId tanh = call_of(module, "tanh");
        module.set_type(tanh, module.type(module.parameters(module.find_function("main"))[1]));
        refuses(module, "has another type than the inferred one");
        module.set_type(tanh, TypeId());
        refuses(module, "has another type than the inferred one");
    }

    void aModuleWithoutTypes() {
        Module module = sound();
        module.set_typed(false);
        refuses(module, "it has no types");
    }

    void aNameOutsideItsFunction() {
        Module module = sound();
        const ExprId tanh = call_of(module, "tanh");
        const ExprId other = module.add_function({}, tanh);
        module.set_function("other", other);
        QVERIFY(bool(infer_types(module)));
        refuses(module, "uses %x where it isn't visible");
    }

    void aNameThatIsBoundTwice() {
        Module module = sound();
        const ExprId x = module.parameters(module.find_function("main"))[0];
        const ExprId twice[] = {x, x};
        module.set_function("main", module.add_function(twice, x));
        refuses(module, "binds %x again");
    }

    void anOriginThatTheRootHasNot() {
        const Module root = sound();
        Module module = copy_module(root);
        QVERIFY(bool(verify(module, root.size())));
        module.set_origin(call_of(module, "tanh"), ExprId(uint32_t(root.size())));
        refuses(module, "has no such origin", root.size());
    }
};

PARTITA_TEST(TestVerify)

}  // namespace test_verify

#include "test_verify.moc"
