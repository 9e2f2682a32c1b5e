#include <QtTest>

#include <QFile>

#include "engine/ir/traversal.h"
#include "engine/ops/registry.h"
#include "engine/passes/simplify_inference.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_simplify_inference {

using namespace partita;

namespace {

std::string simplified(const std::string& text) {
    Result<Module> result = simplify_inference(typed_module(text));
    return result ? print_relay(*result) : result.error().to_string();
}

/// Returns the text printed after inference.
std::string printed(const std::string& text) { return print_relay(typed_module(text)); }

std::string read_text(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

}  // namespace

class TestSimplifyInference : public QObject {
    Q_OBJECT

private slots:
    void referenceModelsComeOutAsTvmGivesThem_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"mlp", "mobilenet_v1", "resnet18", "squeezenet", "vgg16"}) QTest::newRow(name) << name;
    }
    void referenceModelsComeOutAsTvmGivesThem() {
        QFETCH(QString, name);
        QString folder = reference_folder() + "/relay-models/";
        if (!QFile::exists(folder + name + ".input.relay")) QSKIP("the reference models are not there");
        std::string expected = read_text(folder + name + ".simplified.relay");
        while (expected.ends_with('\n')) expected.pop_back();
        std::string actual = simplified(read_text(folder + name + ".input.relay"));
        while (actual.ends_with('\n')) actual.pop_back();
        QCOMPARE(actual, expected);
    }

    void batchNormBecomesMultiplyAndAdd() {
        QCOMPARE(
            simplified(
                "def @main(%x: Tensor[(1, 3, 4, 4), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32], "
                "%m: Tensor[(3), float32], %v: Tensor[(3), float32]) {\n"
                "  %0 = nn.batch_norm(%x, %g, %b, %m, %v, epsilon=0.001f);\n"
                "  %0.0\n"
                "}\n"),
            printed("def @main(%x: Tensor[(1, 3, 4, 4), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32], "
                    "%m: Tensor[(3), float32], %v: Tensor[(3), float32]) {\n"
                    "  %0 = add(%v, 0.001f);\n"
                    "  %1 = sqrt(%0);\n"
                    "  %2 = divide(1f, %1);\n"
                    "  %3 = multiply(%2, %g);\n"
                    "  %4 = expand_dims(%3, axis=1, num_newaxis=2);\n"
                    "  %5 = negative(%m);\n"
                    "  %6 = multiply(%5, %3);\n"
                    "  %7 = add(%6, %b);\n"
                    "  %8 = multiply(%x, %4);\n"
                    "  %9 = expand_dims(%7, axis=1, num_newaxis=2);\n"
                    "  add(%8, %9)\n"
                    "}\n"));
    }

    void withoutScaleAndCenterGammaAndBetaVanish() {
        QCOMPARE(
            simplified("def @main(%x: Tensor[(2, 3), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32], "
                       "%m: Tensor[(3), float32], %v: Tensor[(3), float32]) {\n"
                       "  %0 = nn.batch_norm(%x, %g, %b, %m, %v, axis=-1, epsilon=0.5f, center=False, scale=False);\n"
                       "  %0.0\n"
                       "}\n"),
            printed("def @main(%x: Tensor[(2, 3), float32], %g: Tensor[(3), float32], %b: Tensor[(3), float32], "
                    "%m: Tensor[(3), float32], %v: Tensor[(3), float32]) {\n"
                    "  %0 = add(%v, 0.5f);\n"
                    "  %1 = sqrt(%0);\n"
                    "  %2 = divide(1f, %1);\n"
                    "  %3 = negative(%m);\n"
                    "  %4 = multiply(%x, %2);\n"
                    "  %5 = multiply(%3, %2);\n"
                    "  add(%4, %5)\n"
                    "}\n"));
    }

    void aBatchNormWhoseMeanIsUsedStays() {
        std::string text =
            "def @main(%x: Tensor[(2, 3), float32], %g: Tensor[(3), float32]) {\n"
            "  %0 = nn.batch_norm(%x, %g, %g, %g, %g);\n"
            "  %0.1\n"
            "}\n";
        QCOMPARE(simplified(text), printed(text));
    }

    void dropoutVanishes() {
        QCOMPARE(
            simplified(
                "def @main(%x: Tensor[(2, 3), float32]) {\n  %0 = nn.dropout(%x);\n  %1 = %0.0;\n  nn.relu(%1)\n}\n"),
            printed("def @main(%x: Tensor[(2, 3), float32]) {\n  nn.relu(%x)\n}\n"));
    }

    void layerNormBecomesMeanAndVariance() {
        if (!op_registry().find("variance").valid()) QSKIP("there is no op variance");
        QCOMPARE(
            simplified(
                "def @main(%x: Tensor[(2, 3, 4), float32], %g: Tensor[(4), float32], %b: Tensor[(4), float32]) {\n"
                "  nn.layer_norm(%x, %g, %b, epsilon=0.5f)\n"
                "}\n"),
            printed("def @main(%x: Tensor[(2, 3, 4), float32], %g: Tensor[(4), float32], %b: Tensor[(4), float32]) {\n"
                    "  %0 = mean(%x, axis=[-1], keepdims=True);\n"
                    "  %1 = subtract(%x, %0);\n"
                    "  %2 = variance(%x, %0, axis=[-1], keepdims=True);\n"
                    "  %3 = add(%2, 0.5f);\n"
                    "  %4 = sqrt(%3);\n"
                    "  %5 = divide(%1, %4);\n"
                    "  %6 = multiply(%5, %g);\n"
                    "  add(%6, %b)\n"
                    "}\n"));
    }

    /// Over all axes but the first and the channels'.
    void instanceNormBecomesMeanAndVariance() {
        const std::string head =
            "def @main(%x: Tensor[(2, 3, 4, 5), float32], %g: Tensor[(4), float32], %b: Tensor[(4), float32]) {\n";
        QCOMPARE(simplified(head + "  nn.instance_norm(%x, %g, %b, axis=2)\n}\n"),
                 printed(head + "  %0 = mean(%x, axis=[1, 3], keepdims=True);\n"
                                "  %1 = subtract(%x, %0);\n"
                                "  %2 = variance(%x, %0, axis=[1, 3], keepdims=True);\n"
                                "  %3 = add(%2, 1e-05f);\n"
                                "  %4 = sqrt(%3);\n"
                                "  %5 = divide(%1, %4);\n"
                                "  %6 = expand_dims(%g, axis=1);\n"
                                "  %7 = multiply(%5, %6);\n"
                                "  %8 = expand_dims(%b, axis=1);\n"
                                "  add(%7, %8)\n"
                                "}\n"));
    }

    /// Over the channels of a group and all axes behind them.
    void groupNormBecomesMeanAndVariance() {
        const std::string head =
            "def @main(%x: Tensor[(2, 6, 5), float32], %g: Tensor[(6), float32], %b: Tensor[(6), float32]) {\n";
        QCOMPARE(simplified(head + "  nn.group_norm(%x, %g, %b, num_groups=3, scale=False)\n}\n"),
                 printed(head + "  %0 = reshape(%x, newshape=[2, 3, 2, 5]);\n"
                                "  %1 = mean(%0, axis=[2, 3], keepdims=True);\n"
                                "  %2 = subtract(%0, %1);\n"
                                "  %3 = variance(%0, %1, axis=[2, 3], keepdims=True);\n"
                                "  %4 = add(%3, 1e-05f);\n"
                                "  %5 = sqrt(%4);\n"
                                "  %6 = divide(%2, %5);\n"
                                "  %7 = reshape(%6, newshape=[2, 6, 5]);\n"
                                "  %8 = expand_dims(%b, axis=1, num_newaxis=1);\n"
                                "  add(%7, %8)\n"
                                "}\n"));
    }

    void l2NormalizeBecomesADivision() {
        if (!op_registry().find("sum").valid()) QSKIP("there is no op sum");
        QCOMPARE(simplified("def @main(%x: Tensor[(2, 3), float32]) {\n  nn.l2_normalize(%x, eps=0.5f, axis=[1])\n}\n"),
                 printed("def @main(%x: Tensor[(2, 3), float32]) {\n"
                         "  %0 = multiply(%x, %x);\n"
                         "  %1 = sum(%0, axis=[1], keepdims=True);\n"
                         "  %2 = maximum(%1, 0.5f);\n"
                         "  %3 = sqrt(%2);\n"
                         "  divide(%x, %3)\n"
                         "}\n"));
    }

    void functionsOfBackendsAreLeftAlone() {
        std::string text =
            "def @main(%x: Tensor[(2, 3), float32]) {\n  @other(%x)\n}\n\n"
            "def @other(%y: Tensor[(2, 3), float32], Compiler=\"vendor\") {\n"
            "  %0 = nn.dropout(%y);\n  %0.0\n}\n";
        QCOMPARE(simplified(text), printed(text));
    }

    void everyExpressionIsTypedAndKnowsWhereItCameFrom() {
        Module module = typed_module(
            "def @main(%x: Tensor[(1, 3, 4, 4), float32], %g: Tensor[(3), float32]) {\n"
            "  %0 = nn.batch_norm(%x, %g, %g, %g, %g);\n  %0.0\n}\n");
        DecisionLog log;
        Module result = std::move(simplify_inference(module, &log).value());
        QCOMPARE(log.decisions().size(), size_t(1));
        ExprId subject = log.decisions()[0].subject;
        QCOMPARE(called_op_record(module, subject)->name, std::string("nn.batch_norm"));
        for (ExprId id : post_order(result, result.find_function("main"))) {
            if (result.kind(id) == ExprKind::Op) continue;
            QVERIFY(result.type(id).valid());
            if (result.kind(id) != ExprKind::Call) continue;
            QCOMPARE(result.origin(id), subject);
            QCOMPARE(result.position(id).line, module.position(subject).line);
        }
        QVERIFY(result.typed());
        Module again = copy_module(result);
        QVERIFY(bool(infer_types(again)));
        QCOMPARE(print_relay(again), print_relay(result));
    }

    void aLongChainDoesNotExhaustTheStack() {
        std::string text = "def @main(%x: Tensor[(2), float32]) {\n  %0 = nn.dropout(%x);\n";
        for (int i = 1; i < 200000; i += 2)
            text += "  %" + std::to_string(i) + " = %" + std::to_string(i - 1) + ".0;\n  %" + std::to_string(i + 1) +
                    " = nn.dropout(%" + std::to_string(i) + ");\n";
        text += "  %200000.0\n}\n";
        QCOMPARE(simplified(text), printed("def @main(%x: Tensor[(2), float32]) {\n  %x\n}\n"));
    }
};

PARTITA_TEST(TestSimplifyInference)

}  // namespace test_simplify_inference

#include "test_simplify_inference.moc"
