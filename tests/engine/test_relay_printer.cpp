// The Relay printer: the exact bytes that TVM prints.
#include "relay_testing.h"

#include "engine/ops/registry.h"
#include "tests/registry.h"

namespace test_relay_printer {

using namespace partita;

namespace {

constexpr const char* kVersion = "#[version = \"0.0.5\"]\n";

/// Returns a call of an op with default attributes.
ExprId call(Module& module, const char* name, std::initializer_list<ExprId> arguments) {
    OpId op = op_registry().find(name);
    AttributeList values = op_registry()[op].default_attributes();
    AttributesId attributes = values.empty() ? AttributesId() : module.add_attributes(std::move(values));
    return module.add_call(module.add_op(op), arguments, attributes);
}

void set_main(Module& module, std::initializer_list<ExprId> parameters, ExprId body) {
    module.set_function("main", module.add_function({parameters.begin(), parameters.size()}, body));
}

}  // namespace

class TestRelayPrinter : public QObject {
    Q_OBJECT

private slots:
    void temporariesAreNumberedWhenTheirFirstUserIsRendered() {
        Module module;
        ExprId a = module.add_var("a"), b = module.add_var("b");
        ExprId relu = call(module, "nn.relu", {a});
        ExprId tanh = call(module, "tanh", {call(module, "exp", {b})});
        set_main(module, {a, b}, call(module, "add", {relu, tanh}));
        QCOMPARE(q(print_relay(module)),
                 q(std::string(kVersion) +
                   "def @main(%a, %b) {\n  %0 = exp(%b);\n  %1 = nn.relu(%a);\n  %2 = tanh(%0);\n  add(%1, %2)\n}\n"));
    }

    /// Copying each into the next took a minute for 2000, and indentation is quadratic.
    void whatNestsDeeplyIsNeitherCopiedNorIndentedEachTime() {
        const auto nested = [](int depth) {
            Module module;
            ExprId condition = module.add_var("c"), x = module.add_var("x"), value = x;
            for (int i = 0; i < depth; ++i) value = module.add_if(condition, call(module, "nn.relu", {value}), x);
            set_main(module, {condition, x}, value);
            return print_relay(module);
        };
        QCOMPARE(q(nested(2)), q(std::string(kVersion) + "def @main(%c, %x) {\n  if (%c) {\n    %0 = if (%c) {\n      "
                                                         "nn.relu(%x)\n    } else {\n      %x\n    };\n"
                                                         "    nn.relu(%0)\n  } else {\n    %x\n  }\n}\n"));
        const std::string text = nested(700);  // long ones are assembled from pieces
        const Result<Module> read = parse_relay(text);
        QVERIFY2(read, read ? "" : read.error().to_string().c_str());
        QCOMPARE(q(print_relay(*read)), q(text));
        QVERIFY(text.find("\n" + std::string(1402, ' ') + "nn.relu(%x)\n") != std::string::npos);
        const std::string deep = nested(20000);
        QVERIFY2(deep.size() < 200'000'000, std::to_string(deep.size()).c_str());
        QVERIFY(deep.ends_with("  } else {\n    %x\n  }\n}\n"));
    }

    void aSharedLastExpressionGetsANumber() {
        Module module;
        ExprId a = module.add_var("a");
        ExprId exp = call(module, "exp", {a});
        ExprId fields[] = {exp, exp};
        set_main(module, {a}, module.add_projection(module.add_tuple(fields), 0));
        QCOMPARE(q(print_relay(module)),
                 q(std::string(kVersion) + "def @main(%a) {\n  %0 = exp(%a);\n  %1 = (%0, %0);\n  %1.0\n}\n"));
    }

    void variablesAreUniqueOverTheModule() {
        Module module;
        for (const char* function : {"f", "g", "h"}) {
            ExprId x = module.add_var("x"), odd = module.add_var("1.y"), none = module.add_var("");
            ExprId parameters[] = {x, odd, none};
            module.set_function(function, module.add_function(parameters, x));
        }
        QCOMPARE(q(print_relay(module)),
                 q(std::string(kVersion) + "def @f(%x, %v1_y, %v) {\n  %x\n}\n\ndef @g(%x1, %v1_y1, %v1) {\n  "
                                           "%x1\n}\n\ndef @h(%x2, %v1_y2, %v2) {\n  %x2\n}\n"));
    }

    void functionsStandInByteOrder() {
        Module module;
        for (const char* name : {"main", "f_2", "f_10", "Z"})
            module.set_function(name, module.add_function({}, module.add_tuple({})));
        QCOMPARE(
            q(print_relay(module)),
            q(std::string(kVersion) +
              "def @Z() {\n  ()\n}\n\ndef @f_10() {\n  ()\n}\n\ndef @f_2() {\n  ()\n}\n\ndef @main() {\n  ()\n}\n"));
    }

    void functionLiteralsStandAfterTheArgumentsOfTheirCall() {
        Module module;
        ExprId x = module.add_var("x"), y = module.add_var("y");
        FunctionInfo info;
        info.attributes = {{"PartitionedFromPattern", "nn.relu_"}, {"Composite", "dnnl.relu"}, {"Primitive", 1}};
        ExprId literal = module.add_function({&y, 1}, call(module, "nn.relu", {call(module, "exp", {y})}), info);
        ExprId argument = call(module, "exp", {x});
        set_main(module, {x}, module.add_call(literal, {argument}));
        QCOMPARE(
            q(print_relay(module)),
            q(std::string(kVersion) + "def @main(%x) {\n  %1 = exp(%x);\n  %2 = fn (%y, "
                                      "PartitionedFromPattern=\"nn.relu_\", Composite=\"dnnl.relu\", Primitive=1) {\n"
                                      "    %0 = exp(%y);\n    nn.relu(%0)\n  };\n  %2(%1)\n}\n"));
    }

    void ifAndLetHaveScopes() {
        std::string text = std::string(kVersion) +
                           "def @main(%c: bool, %x: float32) {\n"
                           "  %0 = exp(%x);\n"
                           "  let %y = log(%0);\n"
                           "  %1 = logical_not(%c);\n"
                           "  let %z = if (%1) {\n"
                           "    %2 = add(%y, %x);\n"
                           "    tanh(%2)\n"
                           "  } else {\n"
                           "    let %w = sqrt(%y);\n"
                           "    add(%w, 1f)\n"
                           "  };\n"
                           "  %3 = add(%z, %y);\n"
                           "  abs(%3)\n"
                           "}\n";
        QCOMPARE(q(reprinted(text)), q(text));
    }

    void aLetInsideAnExpressionStandsInParentheses() {
        Module module;
        ExprId x = module.add_var("x"), y = module.add_var("y");
        ExprId let = module.add_let(y, call(module, "exp", {call(module, "log", {x})}),
                                    call(module, "sqrt", {call(module, "abs", {y})}));
        set_main(module, {x}, call(module, "tanh", {let}));
        std::string text = std::string(kVersion) +
                           "def @main(%x) {\n  %0 = log(%x);\n  %2 = (\n    let %y = exp(%0);\n    %1 = abs(%y);\n    "
                           "sqrt(%1)\n  );\n  tanh(%2)\n}\n";
        QCOMPARE(q(print_relay(module)), q(text));
        // Numbers follow the order of the text once it is read.
        std::string again = reprinted(text);
        QCOMPARE(q(reprinted(again)), q(again));
    }

    void referencesArePrinted() {
        std::string text = std::string(kVersion) +
                           "def @main(%x: float32) {\n  %0 = ref(%x);\n  %1 = ref_read(%0);\n  %2 = nn.relu(%1);\n  "
                           "ref_write(%0, %2)\n}\n";
        QCOMPARE(q(reprinted(text)), q(text));
    }

    void freeVariablesAreDeclaredBeforeTheirFirstUse() {
        Module module;
        ExprId x = module.add_var("x", module.types().tensor(kFloat32, {2}));
        set_main(module, {}, call(module, "exp", {call(module, "add", {x, x})}));
        QCOMPARE(q(print_relay(module)),
                 q(std::string(kVersion) +
                   "def @main() {\n  free_var %x: Tensor[(2), float32];\n  %0 = add(%x, %x);\n  exp(%0)\n}\n"));
    }

    /// Six where these are enough, as TVM writes all.
    void literalsHaveTheDigitsThatReadThemBack() {
        Module module;
        std::vector<ExprId> fields = {module.add_constant(Tensor::scalar(kFloat32, 0.1f)),
                                      module.add_constant(Tensor::scalar(kFloat32, 16.0f)),
                                      module.add_constant(Tensor::scalar(kFloat32, 1e-5f)),
                                      module.add_constant(Tensor::scalar(kFloat32, 123456789.0f)),
                                      module.add_constant(Tensor::scalar(kFloat32, std::sqrt(2.0f))),
                                      module.add_constant(Tensor::scalar(kFloat32, 16777215.0f)),
                                      module.add_constant(Tensor::scalar(kFloat32, 3.40282347e38f)),
                                      module.add_constant(Tensor::scalar(kFloat32, -INFINITY)),
                                      module.add_constant(Tensor::scalar(kFloat64, std::sqrt(2.0))),
                                      module.add_constant(Tensor::scalar(kFloat64, double(INFINITY))),
                                      module.add_constant(Tensor::scalar(kFloat16, float_to_half(65504.0f))),
                                      module.add_constant(Tensor::scalar(kFloat64, 1.0 / 3)),
                                      module.add_constant(Tensor::scalar(kFloat16, float_to_half(1.5f))),
                                      module.add_constant(Tensor::scalar(kInt16, int16_t(-7))),
                                      module.add_constant(Tensor::scalar(kInt32, int32_t(7))),
                                      module.add_constant(Tensor::scalar(kInt64, int64_t(7))),
                                      module.add_constant(Tensor::scalar(kBool, uint8_t(1)))};
        set_main(module, {}, module.add_tuple(fields));
        QCOMPARE(
            q(print_relay(module)),
            q(std::string(kVersion) + "def @main() {\n  (0.1f, 16f, 1e-05f, 1.2345679e+08f, 1.4142135f, 16777215f, "
                                      "3.4028235e+38f, -inff, 1.4142135623730951f64, inff64, 65504f16, "
                                      "0.3333333333333333f64, 1.5f16, -7i16, 7, 7i64, True)\n}\n"));
        std::string printed = print_relay(module);
        QCOMPARE(q(reprinted(printed)), q(printed));
    }

    void attributesThatDifferFromTheirDefaultArePrinted() {
        auto body = [](const char* call) {
            return std::string(kVersion) + "def @main(%x: Tensor[(2, 3), float32]) {\n  " + call + "\n}\n";
        };
        for (const char* call : {"arange(0f, 6f, 2f, start=0f, stop=6f, step=2f, dtype=\"float32\")",
                                 "arange(0f, 6f, 2f, dtype=\"float32\")", "take(%x, 1, axis=0)", "take(%x, 1)",
                                 "nn.leaky_relu(%x, alpha=0.1f)", "nn.leaky_relu(%x)", "nn.batch_flatten(%x)",
                                 "reshape(%x, newshape=[[3, 2], [1]])"})
            QCOMPARE(q(reprinted(body(call))), q(body(call)));
        QCOMPARE(q(reprinted(body("nn.leaky_relu(%x, alpha=0.2500000001f)"))), q(body("nn.leaky_relu(%x)")));
    }

    void otherConstantsStandInTheMetadata() {
        Module module;
        Tensor tensor(kFloat32, {2});
        tensor.set(0, 1);
        tensor.set(1, 2);
        ExprId constant = module.add_constant(tensor), byte = module.add_constant(Tensor::scalar(kInt8, int8_t(3)));
        set_main(module, {}, call(module, "add", {constant, byte}));
        std::string printed = print_relay(module);
        QVERIFY(q(printed).startsWith(q(std::string(kVersion) +
                                        "def @main() {\n  add(meta[relay.Constant][0], "
                                        "meta[relay.Constant][1])\n}\n\n#[metadata]\n{\n  \"root\": 1, \n")));
        QVERIFY(
            q(printed).contains("\"P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA=\""));
        QCOMPARE(q(reprinted(printed)), q(printed));
        std::string older = printed;  // before TVM 0.7
        older.replace(older.find("#[metadata]"), std::string("#[metadata]").size(), "METADATA:");
        QCOMPARE(q(reprinted(older)), q(printed));
    }

    void constantsOfEveryTypeAreReadBack() {
        for (DataType dtype : {kInt8, kInt16, kInt32, kInt64, kUInt8, kUInt16, kUInt32, kUInt64, kBool, kFloat16,
                               kFloat32, kFloat64, kBFloat16}) {
            Module module;
            Tensor tensor(dtype, {2});
            tensor.set(1, 1);
            set_main(module, {}, module.add_constant(tensor));
            const std::string printed = print_relay(module);
            const Result<Module> read = parse_relay(printed);
            QVERIFY2(bool(read), (dtype.to_string() + ": " + (read ? "" : read.error().to_string())).c_str());
            QVERIFY2(read->constant_value(ConstantId(0)).identical(tensor), dtype.to_string().c_str());
            QCOMPARE(q(print_relay(*read)), q(printed));
        }
    }

    void withoutMetadataAnnotationsNameTheirCompiler() {
        std::string text =
            std::string(kVersion) + "def @main(%x: float32) {\n  annotation.compiler_begin(%x, compiler=\"a\")\n}\n";
        RelayPrintOptions print;
        print.show_metadata = false;
        QCOMPARE(q(reprinted(text, false, print)), q(text));
        QCOMPARE(q(reprinted(text)).section("\n\n", 0, 0),
                 q(std::string(kVersion) +
                   "def @main(%x: float32) {\n  annotation.compiler_begin(%x, meta[relay.attrs.CompilerAttrs][0])\n}"));
    }

    void stringsAreEscapedAndReadBack() {
        Module module;
        FunctionInfo info;
        info.attributes = {{"note", std::string("a \"b\" \\ \n\t\x01\xff")}};
        module.set_function("main", module.add_function({}, module.add_tuple({}), info));
        std::string printed = print_relay(module);
        QCOMPARE(q(printed),
                 q(std::string(kVersion) + "def @main(note=\"a \\\"b\\\" \\\\ \\n\\t\\x01\\xFF\") {\n  ()\n}\n"));
        QCOMPARE(q(reprinted(printed)), q(printed));
    }

    void typesStandInComments() {
        std::string text = std::string(kVersion) +
                           "def @main(%x: Tensor[(2, 4), float32]) {\n  %0 = split(%x, indices_or_sections=2, "
                           "axis=1);\n  %1 = %0.0;\n  add(%1, 1f)\n}\n";
        QCOMPARE(
            q(reprinted(text, true)),
            q(std::string(kVersion) +
              "def @main(%x: Tensor[(2, 4), float32] /* ty=Tensor[(2, 4), float32] */) -> Tensor[(2, 2), float32] {\n"
              "  %0 = split(%x, indices_or_sections=2, axis=1) /* ty=(Tensor[(2, 2), float32], Tensor[(2, 2), "
              "float32]) */;\n"
              "  %1 = %0.0 /* ty=Tensor[(2, 2), float32] */;\n"
              "  add(%1, 1f /* ty=float32 */) /* ty=Tensor[(2, 2), float32] */\n}\n"));
        RelayPrintOptions print;
        print.types = false;
        QVERIFY(!q(reprinted(text, true, print)).contains("ty="));
    }

    void anExpressionSharedByTwoBranchesKeepsItsNumber() {
        Module module;
        ExprId c = module.add_var("c"), x = module.add_var("x");
        ExprId shared = call(module, "exp", {x});
        ExprId branch = module.add_if(c, call(module, "log", {shared}), call(module, "sqrt", {shared}));
        set_main(module, {c, x}, branch);
        std::string printed = print_relay(module);
        QCOMPARE(
            q(printed),
            q(std::string(kVersion) +
              "def @main(%c, %x) {\n  if (%c) {\n    %0 = exp(%x);\n    log(%0)\n  } else {\n    sqrt(%0)\n  }\n}\n"));
        QCOMPARE(q(reprinted(printed)), q(printed));
    }

    void anExpressionThatEndsTwoBranchesIsWrittenOnce() {
        Module module;
        ExprId c = module.add_var("c"), x = module.add_var("x");
        ExprId shared = call(module, "exp", {x});
        set_main(module, {c, x}, module.add_if(c, shared, shared));
        QCOMPARE(q(print_relay(module)),
                 q(std::string(kVersion) +
                   "def @main(%c, %x) {\n  if (%c) {\n    %0 = exp(%x);\n    %0\n  } else {\n    %0\n  }\n}\n"));
    }

    /// TVM prints `log(%0)` before the branch that defines %0: nothing can read that back.
    void aBranchStandsBeforeWhatUsesAnExpressionOfIts() {
        Module module;
        ExprId c = module.add_var("c"), x = module.add_var("x");
        ExprId shared = call(module, "exp", {x});
        ExprId branch = module.add_if(c, call(module, "tanh", {shared}), x);
        ExprId other = call(module, "sqrt", {call(module, "log", {shared})});
        set_main(module, {c, x}, call(module, "add", {branch, other}));
        std::string printed = print_relay(module);
        QCOMPARE(q(printed), q(std::string(kVersion) +
                               "def @main(%c, %x) {\n"
                               "  %1 = if (%c) {\n    %0 = exp(%x);\n    tanh(%0)\n  } else {\n    %x\n  };\n"
                               "  %2 = log(%0);\n"
                               "  %3 = sqrt(%2);\n"
                               "  add(%1, %3)\n"
                               "}\n"));
        QCOMPARE(q(reprinted(printed)), q(printed));
    }

    /// The same if the user itself is in a branch, and is needed before the first branch.
    void aBranchStandsBeforeABranchThatUsesAnExpressionOfIts() {
        Module module;
        ExprId c = module.add_var("c"), x = module.add_var("x");
        ExprId shared = call(module, "exp", {x});
        ExprId first = module.add_if(c, call(module, "tanh", {shared}), x);
        ExprId second = module.add_if(c, call(module, "log", {shared}), x);
        set_main(module, {c, x}, call(module, "add", {first, call(module, "sqrt", {second})}));
        std::string printed = print_relay(module);
        size_t definition = printed.find("%0 = exp"), use = printed.find("log(%0)");
        QVERIFY2(definition != std::string::npos && definition < use, printed.c_str());
        QCOMPARE(q(reprinted(printed)), q(printed));
    }

    /// The branch was visited outside, but its text became part of a second one: that one has to come first.
    void aBranchInsideABranchStandsBeforeWhatUsesAnExpressionOfIts() {
        Module module;
        ExprId c = module.add_var("c"), x = module.add_var("x");
        ExprId shared = call(module, "exp", {x});
        ExprId inner = module.add_if(c, call(module, "tanh", {shared}), x);
        ExprId outer = module.add_if(c, call(module, "sqrt", {inner}), x);
        ExprId other = call(module, "abs", {call(module, "log", {shared})});
        std::vector<ExprId> fields{inner, outer, other};
        set_main(module, {c, x}, module.add_tuple(fields));
        std::string printed = print_relay(module);
        size_t definition = printed.find("%0 = exp"), use = printed.find("log(%0)");
        QVERIFY2(definition != std::string::npos && definition < use, printed.c_str());
        QCOMPARE(q(reprinted(printed)), q(printed));
    }

    /// Each of many branches uses an expression defined in the previous one, and the last is needed first.
    void aLongChainOfBranchesIsPrintedInOrder() {
        Module module;
        ExprId c = module.add_var("c"), x = module.add_var("x"), shared = call(module, "exp", {x}), sum = x;
        std::vector<ExprId> branches;
        for (int i = 0; i < 400; ++i) {
            ExprId next = call(module, "tanh", {shared});
            branches.push_back(module.add_if(c, next, x));
            shared = next;
        }
        ExprId tuple = module.add_tuple(branches);
        sum = call(module, "add", {module.add_projection(tuple, 0), call(module, "sqrt", {branches.back()})});
        set_main(module, {c, x}, sum);
        std::string printed = print_relay(module);
        QCOMPARE(q(reprinted(printed)), q(printed));
    }
};

PARTITA_TEST(TestRelayPrinter)

}  // namespace test_relay_printer

#include "test_relay_printer.moc"
