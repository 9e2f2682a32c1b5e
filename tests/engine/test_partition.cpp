// PartitionGraph beyond the reference data: options, styles, what TVM does not do, refusals.
#include "tests/engine/pass_testing.h"

#include "engine/ir/traversal.h"
#include "tests/engine/same_outputs.h"
#include "tests/registry.h"

namespace test_partition {

using namespace partita;
using namespace partita::testing;

namespace {

const std::string kT = "Tensor[(2, 4), float32]";
const std::vector<BackendOps> kExp = {{"a", {"exp", "sqrt"}}};

Module flow(const std::string& text, const std::vector<BackendOps>& backends, const PartitionOptions& options = {}) {
    return partitioned(merged(annotated(module_of(text), backends)), options);
}

}  // namespace

class TestPartition : public QObject {
    Q_OBJECT

private slots:
    void aRegionBecomesAFunction() {
        QCOMPARE(text_of(flow("def @main(%x: " + kT + ") { abs(exp(%x)) }", kExp)),
                 "def @main(%x: " + kT + ") -> " + kT +
                     " {\n"
                     "  %0 = @tvmgen_default_a_main_0(%x);\n"
                     "  abs(%0)\n"
                     "}\n\n"
                     "def @tvmgen_default_a_main_0(%a_0_i0: " +
                     kT + ", Inline=1, Compiler=\"a\", global_symbol=\"tvmgen_default_a_main_0\", Primitive=1) -> " +
                     kT +
                     " {\n"
                     "  exp(%a_0_i0)\n"
                     "}\n");
    }

    void namesAreMangledWithTheModulesName() {
        QCOMPARE(mangled_function_name("default", "dnnl_main_0"), std::string("tvmgen_default_dnnl_main_0"));
        QCOMPARE(mangled_function_name("", "dnnl_main_0"), std::string("tvmgen_dnnl_main_0"));
        QCOMPARE(mangled_function_name("my-net", "a.b_main_0"), std::string("tvmgen_my_net_a_b_main_0"));
        PartitionOptions options;
        options.mangle_names = false;
        QVERIFY(flow("def @main(%x: " + kT + ") { abs(exp(%x)) }", kExp, options).find_function("a_main_0").valid());
    }

    void constantsGoIntoTheFunctionUnlessAskedNotTo() {
        std::string text = "def @main(%x: float32) { abs(add(%x, 2f)) }";
        std::vector<BackendOps> backends = {{"a", {"add"}}};
        Module bound = flow(text, backends);
        QCOMPARE(bound.parameters(bound.find_function("tvmgen_default_a_main_0")).size(), size_t(1));
        PartitionOptions options;
        options.bind_constants = false;
        Module passed = flow(text, backends, options);
        QCOMPARE(passed.parameters(passed.find_function("tvmgen_default_a_main_0")).size(), size_t(2));
    }

    void theInlineStyleBindsFunctionsInTheCaller() {
        PartitionOptions options;
        options.style = PartitionStyle::Inline;
        Module module = flow("def @main(%x: " + kT + ", %y: " + kT + ") { abs(exp(%x)) + sqrt(%y) }", kExp, options);
        QCOMPARE(module.functions().size(), size_t(1));
        std::string text = text_of(module);
        for (const char* part : {"fn (%a_input0: ", "fn (%a_input1: ",
                                 "Compiler=\"a\", ExternalSymbol=\"a_0\", Primitive=1", "ExternalSymbol=\"a_1\""})
            QVERIFY2(text.find(part) != std::string::npos, text.c_str());
    }

    /// TVM leaves the parameter of a region behind in the caller.
    void theValueOfALetNeedsNoBegin() {
        std::string text = text_of(flow("def @main(%x: " + kT + ") { let %v = exp(%x); abs(%v) }", kExp));
        QVERIFY2(text.find("= @tvmgen_default_a_main_0(%x);") != std::string::npos, text.c_str());
    }

    void valuesThatLeaveOrEnterWithoutMarksAreOutputsAndParametersAllTheSame() {
        Module module = module_of("def @main(%x: " + kT + ", %y: " + kT + R"() {
            %0 = annotation.compiler_begin(%x, compiler="a");
            %1 = add(%0, %y);
            abs(%1)
        })");
        std::string text = text_of(partitioned(module));
        QVERIFY2(text.find("  @tvmgen_default_a_main_0(%x, %y)\n") != std::string::npos, text.c_str());
        QVERIFY2(text.find("add(%a_0_i0, %a_0_i1)") != std::string::npos, text.c_str());
    }

    void aRegionThatDependsOnItselfIsRefusedByName() {
        Result<Module> made = partition_graph(module_of("def @main(%x: " + kT + R"() {
            %0 = annotation.compiler_begin(%x, compiler="a");
            %1 = exp(%0);
            %2 = annotation.compiler_end(%1, compiler="a");
            %3 = sqrt(%2);
            %4 = annotation.compiler_begin(%3, compiler="a");
            %5 = add(%1, %4);
            annotation.compiler_end(%5, compiler="a")
        })"));
        QVERIFY(!made);
        QCOMPARE(QString::fromStdString(made.error().message),
                 QString("region 0 of @main (a) depends on itself through sqrt: it would have to run before and "
                         "after itself"));
        QVERIFY(made.error().position.line > 0);
    }

    /// Its function would divide by zero where the branch is not taken.
    void aRegionOfABranchAndOthersIsRefusedByName() {
        const auto message =
            [](const std::string& then, const std::string& otherwise) {
                Result<Module> made = partition_graph(module_of("def @main(%p: bool, %x: " + kT + ", %y: " + kT + R"() {
                %0 = annotation.compiler_begin(%x, compiler="a");
                %1 = exp(%0);
                if (%p) { )" + then + " } else { " + otherwise + " } }"));
                return QString::fromStdString(made ? "" : made.error().message);
            };
        const std::string divided =
                              "annotation.compiler_end(divide(%1, annotation.compiler_begin(%y, "
                              "compiler=\"a\")), compiler=\"a\")",
                          whole = "annotation.compiler_end(%1, compiler=\"a\")";
        const QString refusal =
            "region 0 of @main (a) has operators of a branch together with others: the branch would run where it is "
            "not taken";
        QCOMPARE(message(divided, whole), refusal);
        QCOMPARE(message(divided, divided), refusal);
        QCOMPARE(message("sqrt(" + whole + ")", whole), QString());
        QCOMPARE(message(divided, "%y"), QString());
    }

    void marksThatDoNotFitAreRefused() {
        auto message = [](const std::string& body) {
            Result<Module> made = partition_graph(module_of("def @main(%x: " + kT + ") { " + body + " }"));
            return made ? std::string() : made.error().message;
        };
        QCOMPARE(message("annotation.compiler_end(exp(%x), compiler=\"a\")"),
                 std::string("a compiler_end has no matching compiler_begin"));
        QVERIFY(message("annotation.compiler_end(exp(annotation.compiler_begin(%x, compiler=\"b\")), compiler=\"a\")")
                    .find("another compiler") != std::string::npos);
        QVERIFY(message("annotation.compiler_end(add(annotation.compiler_begin(%x, compiler=\"a\"), "
                        "annotation.compiler_begin(%x, compiler=\"b\")), compiler=\"a\")")
                    .find("different compilers") != std::string::npos);
    }

    void functionsOfBackendsAreLeftAlone() {
        Module once = flow("def @main(%x: " + kT + ") { abs(exp(%x)) }", kExp);
        Module twice = partitioned(merged(annotated(once, {{"b", {"exp", "abs"}}})));
        ExprId first = twice.find_function("tvmgen_default_a_main_0");
        QVERIFY(first.valid());
        QCOMPARE(ops_of(twice, {twice.body(first)}), std::string("exp"));
        QCOMPARE(std::string(twice.function_info(first).string_attribute("Compiler")), std::string("a"));
        QVERIFY(text_of(twice).find("b_main_") != std::string::npos);
    }

    /// The regions of a second partition get unused numbers.
    void regionsOfAnEarlierPartitionKeepTheirNames() {
        Module once = flow("def @main(%x: " + kT + ") { abs(exp(%x)) }", kExp);
        Module twice = partitioned(merged(annotated(once, {{"a", {"abs"}}})));
        ExprId first = twice.find_function("tvmgen_default_a_main_0"),
               second = twice.find_function("tvmgen_default_a_main_1");
        QVERIFY(first.valid() && second.valid());
        QCOMPARE(ops_of(twice, {twice.body(first)}), std::string("exp"));
        QCOMPARE(ops_of(twice, {twice.body(second)}), std::string("abs"));
        QCOMPARE(std::string(twice.function_info(second).string_attribute("global_symbol")),
                 std::string("tvmgen_default_a_main_1"));
    }

    void aNameThatIsTakenIsRefused() {
        Module module =
            annotated(module_of("def @main(%x: " + kT + ") { exp(%x) }\n\ndef @tvmgen_default_a_main_0(%x: " + kT +
                                ") { abs(%x) }"),
                      kExp);
        Result<Module> made = partition_graph(module);
        QVERIFY(!made);
        QVERIFY(made.error().message.find("there is a @tvmgen_default_a_main_0 already") != std::string::npos);
    }

    void transparentOpsJoinTheirNeighboursAndVanish() {
        std::string text = "def @main(%x: " + kT + ") { exp(annotation.stop_fusion(exp(%x))) }";
        std::vector<BackendDescription> backends = backends_of(kExp);
        Module module = module_of(text);
        auto partition = [&](const PartitionOptions& options) {
            return partitioned(merged(*annotate_target(module, place(module, backends))), options);
        };
        QCOMPARE(partition({}).functions().size(), size_t(3));
        backends[0].transparent = {"annotation.stop_fusion"};
        PartitionOptions options;
        options.transparent = {{"a", {"annotation.stop_fusion"}}};
        Module result = partition(options);
        QCOMPARE(result.functions().size(), size_t(2));
        QVERIFY(text_of(result).find("stop_fusion") == std::string::npos);
    }

    void everyConstructIsDividedAndComputesTheSame_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("regions");
        auto row = [](const char* name, int regions, const std::string& text) {
            QTest::newRow(name) << QString::fromStdString(text).replace("$T", QString::fromStdString(kT)) << regions;
        };
        row("tuples and projections", 2,
            "def @main(%x: $T) { %0 = (exp(%x), abs(%x)); %1 = (%0, sqrt(%0.0)); (%1.0, %1.1) }");
        row("let", 2, "def @main(%x: $T) { let %v = exp(%x); let %w = abs(%v); sqrt(add(%v, %w)) }");
        row("if", 2,
            "def @main(%x: $T, %c: float32) { %0 = less(%c, 0f); if (%0) { sqrt(abs(%x)) } else { exp(abs(%x)) } }");
        row("a recursive function", 1,
            "def @main(%x: $T, %n: float32) -> $T { %0 = less(%n, 0f); "
            "if (%0) { %x } else { %1 = exp(tanh(%x)); %2 = add(%n, -1f); @main(%1, %2) } }");
        row("references", 2,
            "def @main(%x: $T) { let %r = ref(exp(%x)); %0 = ref_read(%r); let %u = ref_write(%r, abs(%0)); "
            "%1 = ref_read(%r); sqrt(%1) }");
        row("several functions", 3,
            "def @f(%y: $T) { exp(sqrt(%y)) }\n\ndef @g(%y: $T) { abs(@f(%y)) }\n\n"
            "def @main(%x: $T) { %0 = exp(@g(%x)); add(sqrt(abs(%0)), @f(%x)) }");
        row("composites in composites", 1,
            "def @main(%x: $T) { %1 = fn (%p: $T, Composite=\"a.two\") { %0 = fn (%q: $T, Composite=\"a.one\") { "
            "exp(%q) }; "
            "sqrt(%0(%p)) }; abs(exp(%1(%x))) }");
        row("a function as a value", 2,
            "def @main(%x: $T) { let %f = fn (%y: $T) { sqrt(abs(%y)) }; %0 = %f(exp(%x)); abs(%0) }");
    }
    /// Both styles, with non-call values in regions and without; the result reads back.
    void everyConstructIsDividedAndComputesTheSame() {
        QFETCH(QString, text);
        QFETCH(int, regions);
        Module module = module_of(text.toStdString());
        for (int variant = 0; variant < 8; ++variant) {
            PartitionOptions options;
            if (variant & 1) options.style = PartitionStyle::Inline;
            options.bind_constants = variant & 2;
            Module made = partitioned(merged(annotated(module, kExp, variant & 4)), options);
            QCOMPARE(QString::fromStdString(difference_of_outputs(module, made)), QString());
            std::string printed = print_relay(made);
            QCOMPARE(
                QString::fromStdString(print_relay(module_of(printed.substr(printed.find('\n') + 1)))).section('\n', 1),
                QString::fromStdString(printed).section('\n', 1));
            int found = 0;
            for (uint32_t i = 0; i < made.size(); ++i)
                found +=
                    made.kind(ExprId(i)) == ExprKind::Function && made.function_info(ExprId(i)).attribute("Compiler");
            QVERIFY2(found == regions, printed.c_str());
        }
    }

    void fourCompilersDivideOneModule() {
        Module module = module_of("def @main(%x: " + kT + ") { abs(exp(tanh(sqrt(abs(negative(%x)))))) }");
        Module made = partitioned(merged(
            annotated(module, {{"a", {"abs"}}, {"b", {"exp", "abs"}}, {"c", {"tanh", "sqrt"}}, {"d", {"negative"}}})));
        QCOMPARE(made.functions().size(), size_t(6));
        QCOMPARE(QString::fromStdString(difference_of_outputs(module, made)), QString());
    }

    void everySubFunctionIsLogged() {
        DecisionLog log;
        partitioned(merged(annotated(module_of("def @main(%x: float32) { exp(abs(add(exp(%x), 2f))) }"),
                                     {{"a", {"exp", "add"}}})),
                    {}, &log);
        int made = 0, bound = 0;
        for (const Decision& decision : log.decisions()) {
            made += decision.kind == DecisionKind::SubFunctionMade;
            bound += decision.kind == DecisionKind::ConstantBound;
        }
        QCOMPARE(made, 2);
        QCOMPARE(bound, 1);
    }

    void aChainOfAMillionOperatorsNeedsNoStack() {
        Module module;
        TypeId type = module.types().tensor(kFloat32, {1});
        ExprId parameter = module.add_var("x", type), value = parameter;
        ExprId op = module.add_op(op_registry().find("exp"));
        for (int i = 0; i < 1'000'000; ++i) value = module.add_call(op, {value}, {}, type);
        TypeId types[] = {type};
        module.set_function("main", module.add_function({&parameter, 1}, value, FunctionInfo{type, {}},
                                                        module.types().function(types, type)));
        module.set_typed(true);
        Module result = partitioned(merged(annotated(module, kExp)));
        QCOMPARE(result.functions().size(), size_t(2));
    }
};

PARTITA_TEST(TestPartition)

}  // namespace test_partition

#include "test_partition.moc"
