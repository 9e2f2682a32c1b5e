// Edits: the result of each as Relay text before and after.
#include <QtTest>

#include "engine/edits/edits.h"
#include "engine/frontends/generate.h"
#include "engine/frontends/relay/parser.h"
#include "engine/frontends/relay/printer.h"
#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/annotate_target.h"
#include "engine/passes/infer_types.h"
#include "engine/passes/merge_compiler_regions.h"
#include "engine/passes/partition_graph.h"
#include "engine/session/session.h"
#include "tests/engine/edit_testing.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_edits {

using namespace partita;

namespace {

NewCall new_call(const Module& module, const char* op, ExprId data, TypeTable& types) {
    return propose_call(types, module, op_registry().find(op), data);
}

#define COMPARE_TEXT(result, expected)                                                             \
    do {                                                                                           \
        if (!(result)) QFAIL((result).fault().diagnostic.to_string().c_str());                     \
        QCOMPARE(QString::fromStdString(text_of(*(result)->module)), QString::fromUtf8(expected)); \
    } while (false)

const char* const kTwoOps =
    R"(def @main(%x: Tensor[(2, 8), float32], %y: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = add(%x, %y);
  nn.relu(%0)
}
)";

const char* const kDiamond = R"(def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = nn.relu(%x);
  %1 = tanh(%0);
  %2 = exp(%0);
  add(%1, %2)
}
)";

}  // namespace

class TestEdits : public QObject {
    Q_OBJECT

private slots:
    void insertsAnOperatorOnAnEdge() {
        Module module = typed_module(kTwoOps);
        TypeTable types = module.types();
        NewCall call = new_call(module, "tanh", call_of(module, "add"), types);
        EditResult result = insert_on_edge(module, {call_of(module, "nn.relu"), 1}, call, types);
        COMPARE_TEXT(result,
                     R"(def @main(%x: Tensor[(2, 8), float32], %y: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = add(%x, %y);
  %1 = tanh(%0);
  nn.relu(%1)
}
)");
        QCOMPARE(result->made.size(), size_t(1));
        QCOMPARE(op_registry()[result->module->called_op(result->made[0])].name, std::string("tanh"));
        QCOMPARE(op_registry()[result->module->called_op(result->image[call_of(module, "add").value])].name,
                 std::string("add"));
    }

    void theOutputIsAnEdgeToo() {
        Module module = typed_module(kTwoOps);
        TypeTable types = module.types();
        NewCall call = new_call(module, "nn.dense", call_of(module, "nn.relu"), types);
        EditResult result = insert_on_edge(module, {main_of(module), 2}, call, types);
        COMPARE_TEXT(
            result,
            R"(def @main(%x: Tensor[(2, 8), float32], %y: Tensor[(2, 8), float32], %weight: Tensor[(8, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = add(%x, %y);
  %1 = nn.relu(%0);
  nn.dense(%1, %weight, units=None)
}
)");
    }

    void anOperatorAfterAValueGoesBeforeAllItsUsers() {
        Module module = typed_module(kDiamond);
        TypeTable types = module.types();
        ExprId relu = call_of(module, "nn.relu");
        EditResult result = insert_after(module, relu, new_call(module, "add", relu, types), types);
        COMPARE_TEXT(
            result,
            R"(def @main(%x: Tensor[(2, 8), float32], %rhs: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = nn.relu(%x);
  %1 = add(%0, %rhs);
  %2 = tanh(%1);
  %3 = exp(%1);
  add(%2, %3)
}
)");
    }

    void anOutputIsAdded() {
        Module module = typed_module(kTwoOps);
        TypeTable types = module.types();
        ExprId add = call_of(module, "add");
        EditResult result = add_output(module, main_of(module), new_call(module, "exp", add, types), types);
        COMPARE_TEXT(
            result,
            R"(def @main(%x: Tensor[(2, 8), float32], %y: Tensor[(2, 8), float32]) -> (Tensor[(2, 8), float32], Tensor[(2, 8), float32]) {
  %0 = add(%x, %y);
  %1 = nn.relu(%0);
  %2 = exp(%0);
  (%1, %2)
}
)");
    }

    void aNewConvolutionGetsAFittingWeight() {
        Module module = typed_module("def @main(%x: Tensor[(1, 3, 8, 8), float32]) { nn.relu(%x) }");
        TypeTable types = module.types();
        ExprId relu = call_of(module, "nn.relu");
        EditResult result = insert_after(module, relu, new_call(module, "nn.conv2d", relu, types), types);
        if (!result) QFAIL(result.fault().diagnostic.message.c_str());
        QVERIFY(text_of(*result->module).find("%weight: Tensor[(3, 3, 1, 1), float32]") != std::string::npos);
    }

    void aNewWeightGetsANameThatIsFree() {
        Module module = typed_module(
            "def @main(%x: Tensor[(2, 8), float32], %weight: Tensor[(8, 8), float32]) { "
            "nn.relu(nn.dense(%x, %weight, units=8)) }");
        TypeTable types = module.types();
        ExprId relu = call_of(module, "nn.relu");
        EditResult result = insert_after(module, relu, new_call(module, "nn.dense", relu, types), types);
        if (!result) QFAIL(result.fault().diagnostic.message.c_str());
        // In the module itself: a printer would tell equal names apart.
        const Module& made = *result->module;
        std::vector<std::string> names;
        for (ExprId parameter : made.parameters(main_of(made))) names.emplace_back(made.name(parameter));
        QCOMPARE(names, (std::vector<std::string>{"x", "weight", "weight1"}));
    }

    void severalSelectedOnesBecomeATuple() {
        Module module = typed_module(kDiamond);
        TypeTable types = module.types();
        std::vector<ExprId> both = {call_of(module, "tanh"), call_of(module, "exp")};
        EditResult result = add_output(module, main_of(module),
                                       propose_call(types, module, op_registry().find("concatenate"), both), types);
        if (!result) QFAIL(result.fault().diagnostic.message.c_str());
        QVERIFY(text_of(*result->module).find("concatenate(") != std::string::npos);
    }

    void removingRewires() {
        Module module = typed_module(kDiamond);
        std::vector<ExprId> both = {call_of(module, "tanh"), call_of(module, "nn.relu")};
        EditResult result = remove_expressions(module, both);
        COMPARE_TEXT(result, R"(def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = exp(%x);
  add(%x, %0)
}
)");
        QVERIFY(!result->image[both[0].value].valid());
    }

    void removingATupleGivesItsFieldsToThoseThatTookThem() {
        Module module = typed_module(R"(def @main(%x: Tensor[(2, 8), float32]) {
  %0 = exp(%x);
  %1 = (%0, %x);
  %2 = %1.1;
  %3 = %1.0;
  add(%2, %3)
}
)");
        ExprId tuple;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Tuple) tuple = ExprId(i);
        EditResult result = remove_expressions(module, {{tuple}});
        COMPARE_TEXT(result, R"(def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = exp(%x);
  add(%x, %0)
}
)");
    }

    void aParameterThatIsUsedStays() {
        Module module = typed_module(kTwoOps);
        ExprId y = module.parameters(main_of(module))[1];
        EditResult result = remove_expressions(module, {{y}});
        QVERIFY(!result);
        QCOMPARE(result.fault().diagnostic.message, std::string("%y is still used"));
        QCOMPARE(result.fault().place, call_of(module, "add"));
        EditResult both = remove_expressions(module, {{y, call_of(module, "add")}});
        COMPARE_TEXT(both, R"(def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  nn.relu(%x)
}
)");
    }

    void anInputIsReplaced() {
        Module module = typed_module(kDiamond);
        EditResult result = replace_operand(module, {call_of(module, "add"), 1}, module.parameters(main_of(module))[0]);
        COMPARE_TEXT(result, R"(def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = nn.relu(%x);
  %1 = exp(%0);
  add(%x, %1)
}
)");
    }

    void anEdgeThatWouldCloseACycleIsRefusedAtItsPlace() {
        Module module = typed_module(kDiamond);
        EditResult result = replace_operand(module, {call_of(module, "nn.relu"), 1}, call_of(module, "add"));
        QVERIFY(!result);
        QCOMPARE(result.fault().diagnostic.message, std::string("the result would depend on itself"));
        QVERIFY(result.fault().place.valid());
    }

    void anEdgeThatDoesNotFitIsRefusedAtItsPlace() {
        Module module = typed_module(
            "def @main(%x: Tensor[(2, 8), float32], %w: Tensor[(4, 8), float32]) { nn.relu(nn.dense(%x, %w, "
            "units=None)) }");
        ExprId dense = call_of(module, "nn.dense");
        EditResult result = replace_operand(module, {dense, 2}, module.parameters(main_of(module))[0]);
        QVERIFY(bool(result));  // (2, 8) is a weight, too
        EditResult wrong = set_parameter_type(module, module.parameters(main_of(module))[0], "Tensor[(2, 7), float32]");
        QVERIFY(!wrong);
        QCOMPARE(wrong.fault().place, dense);
        QVERIFY(wrong.fault().diagnostic.message.find("nn.dense") != std::string::npos);
    }

    void anOperatorIsNoValue() {
        Module module = typed_module(
            "def @main(%x: Tensor[(2, 8), float32]) { @f(nn.relu(add(%x, %x))) } def @f(%y: Tensor[(2, 8), float32]) { "
            "%y }");
        ExprId operation = module.callee(call_of(module, "add")), relu = call_of(module, "nn.relu");
        EditResult result = replace_operand(module, {relu, 1}, operation);
        QVERIFY(!result);
        QCOMPARE(result.fault().diagnostic.message, std::string("nn.relu takes values, but is given the operator add"));
        EditResult argument = replace_operand(module, {module.body(main_of(module)), 1}, operation);
        QVERIFY(!argument);
        QCOMPARE(argument.fault().diagnostic.message,
                 std::string("@f: argument 0 is the operator add, but the parameter has type Tensor[(2, 8), float32]"));
    }

    void typesAreInferredAtOnce() {
        Module module = typed_module(
            "def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] { let %a = tanh(%x); nn.relu(%a) }");
        EditResult result =
            set_parameter_type(module, module.parameters(main_of(module))[0], "Tensor[(5, 3), float16]");
        COMPARE_TEXT(result, R"(def @main(%x: Tensor[(5, 3), float16]) -> Tensor[(5, 3), float16] {
  let %a: Tensor[(5, 3), float16] = tanh(%x);
  nn.relu(%a)
}
)");
    }

    void anEdgeIsCut() {
        Module module = typed_module(kDiamond);
        EditResult result = cut_edge(module, {call_of(module, "add"), 2}, "x");
        COMPARE_TEXT(
            result, R"(def @main(%x: Tensor[(2, 8), float32], %x1: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = nn.relu(%x);
  %1 = tanh(%0);
  add(%1, %x1)
}
)");
    }

    void anAttributeIsTypedByTheOpsSchema() {
        Module module = typed_module("def @main(%x: Tensor[(2, 8), float32]) { nn.softmax(%x) }");
        ExprId softmax = call_of(module, "nn.softmax");
        const AttributeField& axis = called_op_record(module, softmax)->attributes[0];
        Result<AttributeValue> value = read_attribute(axis, " 0 ");
        QVERIFY(bool(value));
        EditResult result = set_attribute(module, {{softmax}}, "axis", *value);
        COMPARE_TEXT(
            result,
            "def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {\n  nn.softmax(%x, axis=0)\n}\n");
        QCOMPARE(int(read_attribute(axis, "-2147483648")->as_integer()->bits), 32);
        QCOMPARE(int(read_attribute(axis, "-2147483649")->as_integer()->bits), 64);
        QVERIFY(!read_attribute(axis, "north"));
        QVERIFY(!set_attribute(module, {{softmax}}, "axis", AttributeValue("north")));
        EditResult outside = set_attribute(module, {{softmax}}, "axis", AttributeValue(7));
        QVERIFY(!outside);
        QCOMPARE(outside.fault().place, softmax);
    }

    void attributesReadAsTheyAreWritten() {
        for (const OpRecord& record : op_registry().records())
            for (const AttributeField& field : record.attributes) {
                if (field.required || field.kind == AttributeKind::Object) continue;
                const std::string text = write_attribute(field, field.default_value);
                Result<AttributeValue> again = read_attribute(field, text);
                if (!again) QFAIL((record.name + ": " + again.error().message).c_str());
                if (!(*again == field.default_value)) QFAIL((record.name + "." + field.name + ": " + text).c_str());
            }
    }

    void anIntegerKeepsItsWidth() {
        const AttributeField field{"n", AttributeKind::Object, {}, false, ""};
        for (const char* text : {"0", "-7", "7i64", "2147483647", "2147483648i64", "[1, 2i64]"}) {
            Result<AttributeValue> value = read_attribute(field, text);
            if (!value) QFAIL(value.error().message.c_str());
            QCOMPARE(write_attribute(field, *value), std::string(text));
        }
    }

    void aListIsNestedToADepth() {
        const AttributeField field{"n", AttributeKind::Object, {}, false, ""};
        for (int depth : {1, 2, 15, 16, 17, 100}) {
            const std::string text = std::string(size_t(depth), '[') + "1" + std::string(size_t(depth), ']');
            Result<AttributeValue> value = read_attribute(field, text);
            QVERIFY2(bool(value) == (depth <= 16), qPrintable(QString::number(depth)));
            if (value) QCOMPARE(write_attribute(field, *value), text);
        }
    }

    void anOperatorIsExchanged() {
        Module module = typed_module(kTwoOps);
        EditResult result = change_op(module, call_of(module, "nn.relu"), op_registry().find("sigmoid"));
        COMPARE_TEXT(result,
                     R"(def @main(%x: Tensor[(2, 8), float32], %y: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = add(%x, %y);
  sigmoid(%0)
}
)");
        QVERIFY(!change_op(module, call_of(module, "nn.relu"), op_registry().find("add")));
    }

    void namesAreChangedEverywhere() {
        Module module = typed_module(kTwoOps);
        ExprId x = module.parameters(main_of(module))[0];
        EditResult result = rename_expression(module, x, "image");
        QVERIFY(bool(result));
        QVERIFY(text_of(*result->module).find("add(%image, %y)") != std::string::npos);
        QVERIFY(!rename_expression(module, x, "y"));
        QVERIFY(!rename_expression(module, x, "a b"));
        QVERIFY(bool(rename_expression(module, x, "x")));  // as it is named already
        Module bound = typed_module("def @main(%x: float32) { let %y = exp(%x); %y }");
        for (uint32_t i = 0; i < bound.size(); ++i)
            if (bound.kind(ExprId(i)) == ExprKind::Var && bound.name(ExprId(i)) == "y")
                QVERIFY(text_of(*rename_expression(bound, ExprId(i), "z")->module).find("let %z") != std::string::npos);
        Module calls =
            typed_module("def @f(%a: float32) -> float32 { exp(%a) }\ndef @main(%x: float32) { @f(@f(%x)) }");
        EditResult renamed = rename_function(calls, "f", "g");
        COMPARE_TEXT(renamed,
                     "def @g(%a: float32) -> float32 {\n  exp(%a)\n}\n\n"
                     "def @main(%x: float32) -> float32 {\n  %0 = @g(%x);\n  @g(%0)\n}\n");
        QVERIFY(!rename_function(calls, "f", "main"));
    }

    void aSelectionBecomesAFunctionAndGoesBack() {
        Module module = typed_module(kDiamond);
        std::vector<ExprId> selection = {call_of(module, "nn.relu"), call_of(module, "exp")};
        EditResult result = extract_function(module, selection, "part");
        COMPARE_TEXT(result, R"(def @main(%x: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = @part(%x);
  %1 = %0.0;
  %2 = tanh(%1);
  %3 = %0.1;
  add(%2, %3)
}

def @part(%x1: Tensor[(2, 8), float32]) -> (Tensor[(2, 8), float32], Tensor[(2, 8), float32]) {
  %4 = nn.relu(%x1);
  %5 = exp(%4);
  (%4, %5)
}
)");
        EditResult back = inline_call(*result->module, result->made[0]);
        if (!back) QFAIL(back.fault().diagnostic.message.c_str());
        QCOMPARE(back->module->functions().size(), size_t(1));
        COMPARE_TEXT(back, text_of(module).c_str());
    }

    void inliningTakesWhatATuplesFirstFieldIsMadeOf() {
        Module module = typed_module(R"(def @part(%a: Tensor[(2), float32]) {
  %0 = (exp(%a), %a);
  tanh(%0.0)
}
def @main(%x: Tensor[(2), float32]) { nn.relu(@part(%x)) }
)");
        ExprId call;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Call &&
                module.kind(module.callee(ExprId(i))) == ExprKind::GlobalVar)
                call = ExprId(i);
        EditResult result = inline_call(module, call);
        COMPARE_TEXT(result, R"(def @main(%x: Tensor[(2), float32]) -> Tensor[(2), float32] {
  %0 = exp(%x);
  %1 = (%0, %x);
  %2 = %1.0;
  %3 = tanh(%2);
  nn.relu(%3)
}
)");
    }

    void inliningLeavesATupleThatIsReadWhole() {
        Module module =
            typed_module(R"(def @pair(%a: Tensor[(2), float32]) -> (Tensor[(2), float32], Tensor[(2), float32]) {
  (tanh(%a), exp(%a))
}
def @main(%x: Tensor[(2), float32]) {
  %0 = @pair(%x);
  %1 = %0.1;
  (%0, %1)
}
)");
        ExprId call;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Call && !module.called_op(ExprId(i)).valid()) call = ExprId(i);
        EditResult result = inline_call(module, call);
        COMPARE_TEXT(
            result,
            R"(def @main(%x: Tensor[(2), float32]) -> ((Tensor[(2), float32], Tensor[(2), float32]), Tensor[(2), float32]) {
  %0 = tanh(%x);
  %1 = exp(%x);
  %2 = (%0, %1);
  (%2, %1)
}
)");
    }

    void aSelectionThatAPathLeavesAndReentersIsRefused() {
        Module module = typed_module(kDiamond);
        std::vector<ExprId> selection = {call_of(module, "nn.relu"), call_of(module, "add")};
        EditResult result = extract_function(module, selection, "part");
        QVERIFY(!result);
        QCOMPARE(result.fault().place, call_of(module, "add"));
    }

    void aFunctionThatCallsItselfIsNotInlined() {
        Module module =
            typed_module(R"(def @f(%a: float32) -> float32 { if (less(%a, 1f)) { %a } else { @f(multiply(%a, 0.5f)) } }
def @main(%x: float32) { @f(%x) }
)");
        for (uint32_t i = 0; i < module.size(); ++i) {
            const ExprId id(i);
            if (module.kind(id) != ExprKind::Call || module.kind(module.callee(id)) != ExprKind::GlobalVar) continue;
            EditResult result = inline_call(module, id);
            QVERIFY(!result);
            QVERIFY(result.fault().diagnostic.message.find("calls itself") != std::string::npos);
        }
        // The types of a recursive function survive edits.
        EditResult renamed = rename_expression(module, module.parameters(main_of(module))[0], "z");
        if (!renamed) QFAIL(renamed.fault().diagnostic.message.c_str());
    }

    void aNameThatIsNotVisibleIsRefused() {
        Module module = typed_module(R"(def @main(%x: float32, %c: bool) {
  %0 = if (%c) { let %a = exp(%x); multiply(%a, %a) } else { %x };
  negative(%0)
}
)");
        ExprId a;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (module.kind(ExprId(i)) == ExprKind::Var && module.name(ExprId(i)) == "a") a = ExprId(i);
        EditResult result = replace_operand(module, {call_of(module, "negative"), 1}, a);
        QVERIFY(!result);
        QCOMPARE(result.fault().diagnostic.message, std::string("%a is not visible there"));
        QCOMPARE(result.fault().place, call_of(module, "negative"));
    }

    void functionAttributesAreSetAndTakenAway() {
        Module module = typed_module(kTwoOps);
        EditResult result = set_function_attribute(module, main_of(module), "Compiler", AttributeValue("ccompiler"));
        if (!result) QFAIL(result.fault().diagnostic.message.c_str());
        ExprId function = result->module->find_function("main");
        QCOMPARE(result->module->function_info(function).string_attribute("Compiler"), std::string_view("ccompiler"));
        EditResult back = set_function_attribute(*result->module, function, "Compiler", std::nullopt);
        QVERIFY(bool(back));
        QCOMPARE(text_of(*back->module), text_of(module));
    }

    void copiedTextCanBePasted() {
        Module module = typed_module(kDiamond);
        std::vector<ExprId> selection = {call_of(module, "tanh"), call_of(module, "exp")};
        Result<std::string> text = copy_as_text(module, selection);
        if (!text) QFAIL(text.error().message.c_str());
        Module other = typed_module(kTwoOps);
        ExprId add = call_of(other, "add");
        EditResult result = paste_text(other, main_of(other), *text, {{add}});
        COMPARE_TEXT(
            result,
            R"(def @main(%x: Tensor[(2, 8), float32], %y: Tensor[(2, 8), float32]) -> (Tensor[(2, 8), float32], Tensor[(2, 8), float32], Tensor[(2, 8), float32]) {
  %0 = add(%x, %y);
  %1 = nn.relu(%0);
  %2 = tanh(%0);
  %3 = exp(%0);
  (%1, %2, %3)
}
)");
        EditResult wrong = paste_text(other, main_of(other), "def @main(%a: float32) { nn.rellu(%a) }", {});
        QVERIFY(!wrong);
        QVERIFY(wrong.fault().diagnostic.position.line == 1);
    }

    void pastedTextFollowsTheSelection() {
        Module module = typed_module(kTwoOps);
        EditResult result = paste_text(module, main_of(module), "fn (%a: Tensor[(2, 8), float32]) { exp(%a) }",
                                       {{call_of(module, "add")}}, PasteAs::Successor);
        COMPARE_TEXT(result,
                     R"(def @main(%x: Tensor[(2, 8), float32], %y: Tensor[(2, 8), float32]) -> Tensor[(2, 8), float32] {
  %0 = add(%x, %y);
  %1 = exp(%0);
  nn.relu(%1)
}
)");
    }

    void otherFunctionsOfPastedTextGetFreeNames() {
        Module module = typed_module("def @f(%a: float32) -> float32 { exp(%a) }\ndef @main(%x: float32) { @f(%x) }");
        EditResult result =
            paste_text(module, main_of(module),
                       "def @f(%a: float32) -> float32 { tanh(%a) }\ndef @main(%x: float32) { @f(%x) }", {});
        if (!result) QFAIL(result.fault().diagnostic.message.c_str());
        QVERIFY(result->module->find_function("f_1").valid());
        QVERIFY(text_of(*result->module).find("(%0, %1)") != std::string::npos);
        QVERIFY(text_of(*result->module).find("@f_1(%x)") != std::string::npos);  // what is pasted calls its own
    }

    void typesOfAllKindsArePasted() {
        Module module = typed_module(kTwoOps);
        const std::string parameters =
            "%r: ref(Tensor[(2, 8), float32]), %p: (int32, (float32,)), "
            "%f: fn (int32, bool) -> float32";
        EditResult result = paste_text(module, main_of(module), "fn (" + parameters + ") { exp(ref_read(%r)) }", {});
        if (!result) QFAIL(result.fault().diagnostic.message.c_str());
        QVERIFY2(text_of(*result->module).find(parameters) != std::string::npos, text_of(*result->module).c_str());
    }

    /// Independent of the order of the functions, and of their expressions' ids.
    void anExpressionsFunctionIsFound() {
        Module module;
        const TypeId type = module.types().tensor(kFloat32, {});
        ExprId body[2], function[2];
        for (int i : {0, 1}) {
            body[i] = module.add_var("x", type);
            function[i] = module.add_function({{body[i]}}, body[i]);
        }
        module.set_function("second", function[1]);
        module.set_function("first", function[0]);
        for (int i : {0, 1}) QCOMPARE(function_of(module, body[i]), function[i]);
        QVERIFY(!function_of(module, module.add_var("y", type)).valid());
    }

    void aDeepGraphIsEditedWithoutRecursion() {
        Module chain = relu_chain(300000);
        EditResult result = remove_expressions(chain, {{chain.body(chain.find_function("main"))}});
        QVERIFY(bool(result));
        QCOMPARE(result->module->size(), chain.size() - 1);
    }
};

PARTITA_TEST(TestEdits)

}  // namespace test_edits

#include "test_edits.moc"
