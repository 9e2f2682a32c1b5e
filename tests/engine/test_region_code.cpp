// What is read of regions: the code that is made of one, which of them are alike, and the values that they gave.
#include <QtTest>

#include "engine/flow/alike_regions.h"
#include "engine/runtime/compare_runs.h"
#include "engine/session/region_code.h"
#include "tests/engine/explain_testing.h"
#include "tests/registry.h"

namespace test_region_code {

using namespace partita;

namespace {

BackendDescription adder(const char* name) {
    return partita::testing::describe_backend(std::string(R"({"name": ")") + name + R"(", "ops": {"add": "true"}})");
}

/// Three adds that are alike but for the tuple's last one, between operators of default.
FlowResult three_adds() {
    return partita::testing::flow(partita::testing::parse("#[version = \"0.0.5\"]\n"
                                                          "def @main(%x: Tensor[(4), float32]) {\n"
                                                          "  %0 = exp(add(%x, %x));\n"
                                                          "  %1 = exp(add(%0, %x));\n"
                                                          "  %2 = add(%1, %x);\n"
                                                          "  (add(%2, %2), %1)\n"
                                                          "}\n"),
                                  {adder("npu")});
}

}  // namespace

class TestRegionCode : public QObject {
    Q_OBJECT

private slots:
    void regionsOfTheSameOperatorsAreAlike() {
        const FlowResult flow = three_adds();
        const std::vector<AlikeRegions> classes = alike_regions(flow);
        QCOMPARE(classes.size(), size_t(2));
        const AlikeRegions& single = classes[0].regions.size() == 2 ? classes[0] : classes[1];
        const AlikeRegions& joined = classes[0].regions.size() == 2 ? classes[1] : classes[0];
        QCOMPARE(single.regions.size(), size_t(2));
        QCOMPARE(single.operators, std::string("add"));
        QCOMPARE(joined.operators, std::string("add, add"));
        const std::vector<uint64_t> likeness = region_likeness(flow);
        QCOMPARE(likeness[single.regions[0]], likeness[single.regions[1]]);
        QVERIFY(likeness[single.regions[0]] != likeness[joined.regions[0]]);
    }

    void theCodeOfARegionNamesOperatorsOfTheInput() {
        const FlowResult flow = three_adds();
        const std::string& function = flow.regions.at(0).function;
        const Result<RegionCode> code = region_code(*flow.partitioned, function, {{"npu", "ccompiler"}});
        QVERIFY2(bool(code), code ? "" : code.error().to_string().c_str());
        QCOMPARE(code->executor, std::string("ccompiler"));
        QVERIFY(code->form == RegionCode::Form::C);
        QVERIFY(!code->lines.empty());
        for (const RegionCode::Lines& lines : code->lines) {
            QVERIFY(lines.first >= 1 && lines.first <= lines.last);
            QVERIFY(flow.region_of.at(lines.origin.value) == 0);
        }
    }

    void whatCannotBeListedIsSaid() {
        const FlowResult flow = three_adds();
        const std::string& function = flow.regions.at(0).function;
        const Result<RegionCode> unknown = region_code(*flow.partitioned, function, {{"npu", "no-such-codegen"}});
        QVERIFY(unknown);
        QCOMPARE(unknown->executor, std::string("default"));
        QVERIFY2(unknown->refused.find("no-such-codegen") != std::string::npos, unknown->refused.c_str());
        QVERIFY(!region_code(*flow.partitioned, "main", {}));
        QVERIFY(!region_code(*flow.partitioned, "nothing", {}));
    }

    void comparedRegionsKeepTheirValues() {
        const FlowResult flow = three_adds();
        RunOptions options;
        options.codegen = {{"npu", "default"}};
        const auto compared = compare_regions(flow.partitioned, options);
        QVERIFY2(bool(compared), compared ? "" : compared.error().to_string().c_str());
        QCOMPARE(compared->size(), flow.regions.size());
        for (const RegionDifference& region : *compared) {
            QCOMPARE(region.values.size(), region.outputs.size());
            for (const RegionValue& value : region.values) {
                QVERIFY(value.origin.valid());
                const OpRecord* op = called_op_record(*flow.input, value.origin);
                QVERIFY(op && op->name == "add");
                QVERIFY(value.own.identical(value.expected));
            }
        }
    }

    /// Blocks that are live at once do not overlap, and the plan is as large as its parts need.
    void theMemoryOfARunIsSound() {
        const FlowResult flow = three_adds();
        for (const char* codegen : {"default", "ccompiler", "dnnl"}) {
            RunOptions options;
            options.repeat = 1;
            options.codegen = {{"npu", codegen}};
            const Result<RunReport> report = run_module(flow.partitioned, options);
            QVERIFY2(bool(report), report ? "" : report.error().to_string().c_str());
            const MemoryUse& memory = report->memory;
            QVERIFY2(!memory.steps.empty() && !memory.blocks.empty(), codegen);
            const std::vector<size_t> live = memory.live_bytes();
            QVERIFY(live[memory.peak_step()] <= report->peak_bytes);
            for (size_t i = 0; i < memory.blocks.size(); ++i) {
                const MemoryUse::Block& a = memory.blocks[i];
                QVERIFY(a.first <= a.last && a.last <= memory.steps.size());
                QVERIFY(a.offset + a.bytes <= report->peak_bytes);
                QVERIFY(size_t(a.owner.region) < report->regions.size());
                for (size_t k = 0; k < i; ++k) {
                    const MemoryUse::Block& b = memory.blocks[k];
                    const bool at_once = a.first <= b.last && b.first <= a.last;
                    QVERIFY(!at_once || a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset);
                }
            }
            for (size_t step = 0; step < live.size(); ++step) {
                size_t sum = 0;
                for (const uint32_t block : memory.live_at(step)) sum += memory.blocks[block].bytes;
                QCOMPARE(sum, live[step]);
            }
        }
    }
};

PARTITA_TEST(TestRegionCode)

}  // namespace test_region_code

#include "test_region_code.moc"
