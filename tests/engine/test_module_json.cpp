// Modules as JSON: what is written is read back.
#include <QtTest>

#include "engine/exporters/module_json.h"
#include "engine/flow/flow.h"
#include "engine/frontends/json/module_reader.h"
#include "engine/ir/narrow_types.h"
#include "engine/rules/backend_description.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_module_json {

using namespace partita;

namespace {

void set_main(Module& module, const std::vector<ExprId>& parameters, ExprId body) {
    module.set_function("main", module.add_function(parameters, body));
}

/// Returns the JSON of a module that was read from JSON; the reason where it can't be read.
std::string read_and_written(const std::string& json) {
    Result<Module> module = read_module_json(json, "m.json");
    if (!module) return module.error().message;
    if (Status typed = infer_types(*module); !typed) return typed.error().message;
    return module_to_json(*module);
}

}  // namespace

class TestModuleJson : public QObject {
    Q_OBJECT

private slots:
    void constantsOfEveryTypeAreReadBack() {
        Module module;
        std::vector<ExprId> fields;
        for (const char* name : {"bool",
                                 "int2",
                                 "uint2",
                                 "int4",
                                 "uint4",
                                 "int8",
                                 "uint8",
                                 "int16",
                                 "uint16",
                                 "int32",
                                 "uint32",
                                 "int64",
                                 "uint64",
                                 "float16",
                                 "bfloat16",
                                 "float32",
                                 "float64",
                                 "float8_e4m3fn",
                                 "float8_e4m3fnuz",
                                 "float8_e5m2",
                                 "float8_e5m2fnuz",
                                 "float8_e8m0fnu",
                                 "float4_e2m1fn"}) {
            Tensor tensor(*DataType::parse(name), {2});
            tensor.set(0, 1);
            fields.push_back(module.add_constant(tensor));
        }
        set_main(module, {}, module.add_tuple(fields));
        QVERIFY(infer_types(module));
        const std::string json = module_to_json(module);
        QCOMPARE(QString::fromStdString(read_and_written(json)), QString::fromStdString(json));
    }

    /// Of an element of four bits a file may set all eight.
    void onlyTheBitsOfANarrowIntegerCount() {
        Module module;
        Tensor tensor(kInt4, {1});
        *tensor.data<uint8_t>() = 0x57;
        set_main(module, {}, module.add_constant(tensor));
        const Result<Module> read = read_module_json(module_to_json(module), "m.json");
        QVERIFY(read);
        QCOMPARE(read->constants()[0].at(0), 7.0);
    }

    void aDividedModuleStaysAsItIs() {
        const Module module = typed_module(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8, 8, 8), float32], %w: Tensor[(8, 8, 3, 3), float32]) "
            "{\n"
            "  %0 = nn.conv2d(%x, %w, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);\n"
            "  %1 = nn.relu(%0);\n  %2 = tanh(%1);\n"
            "  %3 = nn.conv2d(%2, %w, padding=[1, 1, 1, 1], channels=8, kernel_size=[3, 3]);\n  nn.relu(%3)\n}");
        FlowOptions options;
        options.backends = {*builtin_backend("dnnl")};
        const Result<FlowResult> flow = run_flow(std::make_shared<const Module>(module), options);
        QVERIFY2(flow, flow ? "" : flow.error().message.c_str());
        const std::string json = module_to_json(*flow->last());
        QVERIFY(json.find("FunctionVar_") != std::string::npos);
        QCOMPARE(QString::fromStdString(read_and_written(json)), QString::fromStdString(json));
    }

    void parametersOfOneNameAreRefused() {
        Module module;
        const TypeId type = module.types().tensor(kFloat32, {});
        const ExprId a = module.add_var("x", type), b = module.add_var("x", type);
        set_main(module, {a, b}, a);
        QCOMPARE(QString::fromStdString(read_and_written(module_to_json(module))),
                 QString("bad module: two parameters of a function are named `%x`"));
    }
};

PARTITA_TEST(TestModuleJson)

}  // namespace test_module_json

#include "test_module_json.moc"
