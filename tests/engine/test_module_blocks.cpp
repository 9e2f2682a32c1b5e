// What speaks in blocks that come again and again: steps, coverage, differences, names of regions.
#include <QtTest>

#include <QMap>

#include "engine/blocks/module_blocks.h"
#include "engine/explain/alike_calls.h"
#include "engine/explain/coverage.h"
#include "engine/flow/alike_steps.h"
#include "engine/flow/region_names.h"
#include "engine/ir/name_scope.h"
#include "engine/session/diff.h"
#include "engine/session/json.h"
#include "tests/deep_model.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_module_blocks {

using namespace partita;

namespace {

/// Divided for ccompiler, which takes multiply and add. Each exp goes to `exp_to`, if that is given.
FlowResult divided(int blocks, int odd = -1, const std::string& exp_to = {}) {
    FlowOptions options;
    options.backends = {*builtin_backend("ccompiler")};
    auto module = std::make_shared<const Module>(typed_module(deep_model(blocks, odd)));
    if (!exp_to.empty())
        for (ExprId call : ExpressionNames(*module).select("exp")) options.overrides[call] = exp_to;
    Result<FlowResult> flow = run_flow(module, options);
    if (!flow) qFatal("%s", flow.error().to_string().c_str());
    return std::move(*flow);
}

}  // namespace

class TestModuleBlocks : public QObject {
    Q_OBJECT

private slots:
    void expressionsAtTheSamePlaceAreAlike() {
        const Module module = typed_module(deep_model(5, 2));
        const ExpressionNames names(module);
        const ModuleBlocks blocks(module);
        QVERIFY(!blocks.empty());
        QCOMPARE(blocks.place(names.numbered(1)).run, -1);
        const BlockPlace first = blocks.place(names.numbered(2)), second = blocks.place(names.numbered(7));
        QCOMPARE(blocks.blocks(first.run), 5u);
        QCOMPARE(first.block, 0u);
        QCOMPARE(second.block, 1u);
        QCOMPARE(first.like, second.like);
        // Behind the cast of the third block all is alike again.
        QCOMPARE(blocks.place(names.numbered(15)).block, 2u);
        QCOMPARE(blocks.place(names.numbered(15)).like, blocks.place(names.numbered(4)).like);
        const ExprId two = module.arguments(names.numbered(3))[1];
        QCOMPARE(blocks.place(two).block, 0u);
        QCOMPARE(blocks.place(two).like, blocks.place(module.arguments(names.numbered(8))[1]).like);
    }

    void whatAllBlocksShareIsInNone() {
        // A mask that is made where the first block uses it.
        std::string text = "def @main(%x: Tensor[(4), float32], %m: Tensor[(4), float32]) {\n";
        text += "  %0 = negative(%m);\n  %1 = multiply(%0, 3f);\n";
        std::string in = "%x";
        for (int block = 0; block < 20; ++block) {
            const std::string first = "%" + std::to_string(10 * block + 10), second = first + "1", last = first + "2";
            text += "  " + first + " = exp(" + in + ");\n  " + second + " = add(" + first + ", %1);\n";
            text += "  " + last + " = tanh(" + second + ");\n";
            in = last;
        }
        const Module module = typed_module(text + "  sigmoid(" + in + ")\n}\n");
        const ExpressionNames names(module);
        const ModuleBlocks blocks(module);
        QStringList in_blocks;
        for (ExprId call : names.calls())
            if (blocks.place(call).block == 0 && blocks.place(call).run >= 0)
                in_blocks << QString::fromStdString(names.name(call));
        QCOMPARE(in_blocks.join(QLatin1Char(' ')), "exp #1 add #4 tanh #5");
    }

    void decisionsAreAlikeInBlocks() {
        const FlowResult flow = divided(5, 2);
        const ExpressionNames names(*flow.input);
        const AlikeSteps steps = alike_steps(flow, ModuleBlocks(*flow.input));
        QVERIFY(!steps.empty());
        size_t accepted = 0;
        for (const AlikeSteps::Group& group : steps.groups) {
            QCOMPARE(group.of, 5u);
            const Decision& first = flow.log.decisions()[group.decisions.front()];
            for (uint32_t decision : group.decisions) {
                QCOMPARE(int(flow.log.decisions()[decision].kind), int(first.kind));
                QCOMPARE(steps.first(decision), size_t(group.decisions.front()));
            }
            if (first.kind != DecisionKind::Accepted) continue;
            ++accepted;
            QCOMPARE(group.blocks, 5u);
            QCOMPARE(group.decisions.size(), size_t(5));
        }
        QCOMPARE(accepted, size_t(2));  // multiply, add
        // What is in no block, and the one cast, stay alone.
        for (size_t i = 0; i < flow.log.decisions().size(); ++i) {
            const std::string name = names.name(flow.log.decisions()[i].subject);
            if (name.starts_with("sigmoid") || name.starts_with("cast")) QCOMPARE(steps.group(i), -1);
        }
    }

    /// A rule that fails in each block for a reason of its own is told of each.
    void failuresForOtherReasonsAreNotAlike() {
        for (const bool same : {true, false}) {
            std::string text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = negative(%x);\n";
            std::string in = "%0";
            for (int block = 0; block < 5; ++block) {
                const std::string a = "%" + std::to_string(3 * block + 1), b = "%" + std::to_string(3 * block + 2),
                                  c = "%" + std::to_string(3 * block + 3);
                text += "  " + a + " = exp(" + in + ");\n  " + b + " = clip(" + a +
                        ", a_min=0f, a_max=" + std::to_string(same ? 6 : 2 + block) + "f);\n  " + c + " = add(" + b +
                        ", " + in + ");\n";
                in = c;
            }
            FlowOptions options;
            options.backends = {
                *parse_backend_description(R"({"name": "v", "ops": {"clip": "attrs.a_max < 0"}})", "v.json")};
            const auto module = std::make_shared<const Module>(typed_module(text + "  sigmoid(" + in + ")\n}\n"));
            const Result<FlowResult> flow = run_flow(module, options);
            QVERIFY(flow);
            const AlikeSteps steps = alike_steps(*flow, ModuleBlocks(*flow->input));
            const auto of_clip = std::ranges::count_if(steps.groups, [&](const AlikeSteps::Group& group) {
                return flow->log.decisions()[group.decisions.front()].kind == DecisionKind::RuleFailed;
            });
            QCOMPARE(of_clip, same ? 1 : 0);
        }
    }

    void callsAreToldByBlocks() {
        const Module module = typed_module(deep_model(5, 2));
        const ExpressionNames names(module);
        const ModuleBlocks blocks(module);
        const auto spread = [&](const char* selector) {
            return QString::fromStdString(spread_over_blocks(names.select(selector), blocks).text());
        };
        QCOMPARE(spread("exp"), "1 in each of 5 blocks");
        QCOMPARE(spread("*"), "5 in each of 5 blocks, 3 more");
        QCOMPARE(spread("cast"), "");
        std::vector<ExprId> four = names.select("exp");
        four.pop_back();
        QCOMPARE(QString::fromStdString(spread_over_blocks(four, blocks).text()), "in 4 of 5 blocks");
        QCOMPARE(alike_calls(names.select("*"), blocks).size(), size_t(8));
        const CoverageReport report = report_coverage(divided(5, 2), {{*builtin_backend("ccompiler")}});
        const QString text = QString::fromStdString(coverage_text(report));
        QVERIFY2(text.contains("5      1 in each of 5 blocks  no rule for tanh\n"), qPrintable(text));
        QVERIFY2(text.contains("1                             no rule for cast\n"), qPrintable(text));
        // Of a small network nothing is said of blocks.
        const CoverageReport small = report_coverage(divided(1), {{*builtin_backend("ccompiler")}});
        QCOMPARE(coverage_text(small).find("where"), std::string::npos);
    }

    void differencesAreToldByBlocks_data() {
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("line");
        const auto text = [](int odd, const char* activation) {
            return QString::fromStdString(deep_model(5, odd, activation));
        };
        QTest::newRow("one more cast") << text(2, "tanh") << "+ in block 3 of 5: cast #14: Tensor[(4, 4), float32]\n";
        QTest::newRow("another operator")
            << text(-1, "erf") << "~ in each of 5 blocks: tanh #4 = erf #4: operator: tanh → erf\n";
    }
    void differencesAreToldByBlocks() {
        QFETCH(QString, after);
        QFETCH(QString, line);
        const Module before = typed_module(deep_model(5)), now = typed_module(after.toStdString());
        const ModuleDiff diff = diff_modules(before, now);
        const QString said = QString::fromStdString(diff_text(diff, before, now));
        QVERIFY2(said.contains(line), qPrintable(said));
    }

    void divisionsAreComparedByBlocks() {
        const FlowResult before = divided(5), after = divided(5, -1, "ccompiler");
        const ModuleDiff diff = diff_modules(*before.partitioned, *after.partitioned);
        const QString said = QString::fromStdString(diff_text(diff, *before.partitioned, *after.partitioned));
        QVERIFY2(said.contains("~ in each of 5 blocks: exp #"), qPrintable(said));
        QVERIFY2(said.contains("backend: default → ccompiler"), qPrintable(said));
        // Called as in the module that was divided, as explain and run call them.
        const QString named = QString::fromStdString(diff_text(diff, DiffedModule(before), DiffedModule(after)));
        QVERIFY2(named.contains("~ in each of 5 blocks: exp #2: backend: default → ccompiler"), qPrintable(named));
        const auto json = diff_json(diff, DiffedModule(before), DiffedModule(after));
        QCOMPARE(json["changed"][0]["after"]["number"], json["changed"][0]["before"]["number"]);
    }

    /// A region keeps its name when others change, and while regions are merged.
    void namesOfRegionsStay() {
        const FlowResult apart = divided(5), joined = divided(5, -1, "ccompiler");
        const auto names_of = [](const FlowResult& flow) {
            const ExpressionNames names(*flow.input);
            QMap<QString, QString> found;
            for (const RegionInfo& region : flow.regions)
                found[QString::fromStdString(region_name(region, names))] =
                    QString::fromStdString(region_content(region, names));
            return found;
        };
        const QMap<QString, QString> first = names_of(apart), second = names_of(joined);
        QCOMPARE(int(first.size()), int(apart.regions.size()));
        QCOMPARE(first.value(QStringLiteral("ccompiler #3")), QStringLiteral("multiply"));
        QCOMPARE(first.value(QStringLiteral("ccompiler #6")), QStringLiteral("add"));
        QCOMPARE(second.value(QStringLiteral("ccompiler #2")), QStringLiteral("exp +1"));
        QCOMPARE(second.value(QStringLiteral("ccompiler #6")), QStringLiteral("add +2"));
        const ExpressionNames names(*apart.input);
        const RegionInfo without{0, "dnnl", "dnnl_0", {}, 0, 0, 0, 0};
        QCOMPARE(region_name(without, names), std::string("dnnl_0"));
        QCOMPARE(region_content(without, names), std::string());
    }

    void scopesOfNames() {
        const auto of = [](const char* name) {
            QStringList parts;
            for (std::string_view part : scopes_of_name(name))
                parts << QString::fromUtf8(part.data(), qsizetype(part.size()));
            return parts.join(QLatin1Char('|'));
        };
        QCOMPARE(of("/encoder/layer.3/MatMul"), "encoder|layer.3");
        QCOMPARE(of("layer1.conv.weight"), "layer1|conv");
        QCOMPARE(of("//a//b/"), "a");
        QCOMPARE(of("MatMul_3"), "");
        QCOMPARE(of(""), "");
    }
};

PARTITA_TEST(TestModuleBlocks)

}  // namespace test_module_blocks

#include "test_module_blocks.moc"
