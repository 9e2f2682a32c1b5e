// Blocks that come again and again: where they begin, blocks that differ, graphs without any.
#include <QtTest>

#include "engine/flow/names.h"
#include "engine/ir/block_runs.h"
#include "tests/engine/relay_testing.h"

using namespace partita;

namespace {

/// A chain: each operator uses the one before.
OperatorSequence chain(const std::string& letters) {
    OperatorSequence operators;
    for (uint32_t i = 0; i < letters.size(); ++i) {
        operators.kinds.push_back(uint64_t(letters[i]));
        operators.last_use.push_back(std::min(i + 1, uint32_t(letters.size()) - 1));
    }
    return operators;
}

QString blocks_of(const std::string& letters) {
    QStringList parts;
    for (const BlockRun& run : find_block_runs(chain(letters)))
        for (size_t block = 0; block < run.begins.size(); ++block)
            parts << QString::fromStdString(
                letters.substr(run.begins[block], run.end_of(block) - run.begins[block]));
    return parts.join(QLatin1Char(' '));
}

}  // namespace

class TestBlockRuns : public QObject {
    Q_OBJECT

private slots:
    void blocksOfAChain_data() {
        QTest::addColumn<QString>("letters");
        QTest::addColumn<QString>("blocks");
        QTest::newRow("nothing") << "" << "";
        QTest::newRow("no repeat") << "abcdefghijk" << "";
        QTest::newRow("two are too few") << "xabcdabcdy" << "";
        QTest::newRow("three") << "xabcdabcdabcdy" << "abcd abcd abcd";
        QTest::newRow("too small blocks") << "ababababab" << "";
        QTest::newRow("one more in the third") << "xabcdabcdabcxdabcdabcdy" << "abcd abcd abcxd abcd abcd";
        QTest::newRow("one less in the second") << "xabcdeabceabcdeabcdeabcdey" << "abcde abce abcde abcde abcde";
        QTest::newRow("two runs") << "xabcdabcdabcdyefgefgefgefgz" << "abcd abcd abcd efg efg efg efg";
    }
    void blocksOfAChain() {
        QFETCH(QString, letters);
        QFETCH(QString, blocks);
        QCOMPARE(blocks_of(letters.toStdString()), blocks);
    }

    void blocksBeginWhereFewValuesCross() {
        // Of "abcd", b's value is used by d, and a's by c: only d's goes on alone.
        const std::string letters = "xxabcdabcdabcdabcdyy";
        OperatorSequence operators = chain(letters);
        for (uint32_t i = 2; i + 3 < 18; i += 4) ++operators.last_use[i], ++operators.last_use[i + 1];
        const std::vector<BlockRun> runs = find_block_runs(operators);
        QCOMPARE(runs.size(), size_t(1));
        QCOMPARE(runs[0].begins, (std::vector<uint32_t>{2, 6, 10, 14}));
        QCOMPARE(runs[0].end, 18u);
    }

    void expressionsAtTheSamePlaceAreAlike() {
        std::string text = "def @main(%x: Tensor[(4), float32]) {\n  %0 = tanh(%x);\n";
        int last = 0;
        for (int block = 0; block < 5; ++block) {
            const auto add = [&](const std::string& call) {
                text += "  %" + std::to_string(last + 1) + " = " + call + ";\n";
                ++last;
            };
            const std::string in = "%" + std::to_string(last);
            add("exp(" + in + ")");
            add("multiply(%" + std::to_string(last) + ", 2f)");
            if (block == 2) add("cast(%" + std::to_string(last) + ", dtype=\"float32\")");
            add("exp(%" + std::to_string(last) + ")");
            add("add(%" + std::to_string(last) + ", " + in + ")");
        }
        text += "  negative(%" + std::to_string(last) + ")\n}\n";
        const Module module = typed_module(text);
        const ExpressionNames names(module);
        const ModuleBlocks blocks(module, names.calls());
        QVERIFY(!blocks.empty());
        const BlockPlace outside = blocks.place(names.numbered(1));
        QCOMPARE(outside.run, -1);
        const BlockPlace first = blocks.place(names.numbered(2)), second = blocks.place(names.numbered(6));
        QCOMPARE(blocks.blocks(first.run), 5u);
        QCOMPARE(first.block, 0u);
        QCOMPARE(second.block, 1u);
        QCOMPARE(first.like, second.like);
        QVERIFY(first.like != blocks.place(names.numbered(4)).like);  // the other exp
        // Behind the cast of the third block all is alike again.
        QCOMPARE(blocks.place(names.numbered(14)).block, 2u);
        QCOMPARE(blocks.place(names.numbered(14)).like, blocks.place(names.numbered(5)).like);
        const ExprId two = module.arguments(names.numbered(3))[1];
        QCOMPARE(blocks.place(two).block, 0u);
        QCOMPARE(blocks.place(two).like, blocks.place(module.arguments(names.numbered(7))[1]).like);
    }
};

QTEST_GUILESS_MAIN(TestBlockRuns)
#include "test_block_runs.moc"
