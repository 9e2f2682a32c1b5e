// Blocks that come again and again in a graph: where they begin and end, blocks that differ, and what holds of any
// graph.
#include <QElapsedTimer>
#include <QTest>

#include <random>

#include "engine/blocks/block_order.h"
#include "engine/blocks/module_graph.h"
#include "tests/block_properties.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_blocks {

using namespace partita;
using namespace partita::testing;

namespace {

/// A chain of operators behind an input: each uses the one before. `further`: edges beside those, by letter.
BlockGraph chain(const std::string& letters, const std::vector<std::pair<uint32_t, uint32_t>>& further = {}) {
    BlockGraph graph;
    std::vector<std::pair<uint32_t, uint32_t>> edges;
    graph.kind.push_back(0);
    for (char letter : letters) {
        edges.emplace_back(uint32_t(graph.kind.size()) - 1, uint32_t(graph.kind.size()));
        graph.kind.push_back(uint32_t(letter));
    }
    for (const auto& [from, to] : further) edges.emplace_back(from + 1, to + 1);
    graph.is_result.assign(graph.size(), false);
    graph.is_result.back() = true;
    graph.connect(edges);
    return graph;
}

/// "abcd abcd abcd": the blocks of outermost runs.
QString blocks_of(const BlockGraph& graph) {
    const FoundBlocks found = find_repeated_blocks(graph);
    QStringList parts;
    for (const RunBlocks& run : list_run_blocks(graph, block_groups(found), found.block_of)) {
        if (run.depth > 0 || found.blocks[size_t(run.run)].of_operators) continue;
        for (const BlockNodes& block : run.nodes) {
            parts << QString();
            for (uint32_t node : block) parts.back() += QChar(ushort(graph.kind[node]));
        }
    }
    return parts.join(QLatin1Char(' '));
}

std::string random_bytes(std::mt19937& random, size_t most) {
    const size_t count = random() % most;
    std::string bytes;
    while (bytes.size() < count) {
        // A word comes again and again, with a slip now and then: graphs without any repetition say little.
        std::string word;
        for (size_t length = 1 + random() % 30; word.size() < length;) word += char(random() % 256);
        if (random() % 2 == 0) {  // and blocks within it
            const std::string inner = word.substr(0, 1 + word.size() / 3);
            for (size_t inside = 2 + random() % 3; inside > 0; --inside) word += inner;
        }
        for (size_t times = 1 + random() % 8; times > 0; --times) {
            bytes += word;
            if (random() % 8 == 0) bytes += char(random() % 256);
        }
    }
    return bytes;
}

bool same_blocks(const FoundBlocks& a, const FoundBlocks& b) {
    const auto same = [](const FoundBlock& x, const FoundBlock& y) {
        return x.form == y.form && x.parent == y.parent && x.times == y.times && x.letter == y.letter &&
               x.of_operators == y.of_operators && x.first == y.first && x.last == y.last;
    };
    return a.block_of == b.block_of &&
           std::equal(a.blocks.begin(), a.blocks.end(), b.blocks.begin(), b.blocks.end(), same);
}

}  // namespace

class TestBlocks : public QObject {
    Q_OBJECT

private slots:
    void weightsAndConstantsAreNoNodesUnlessTheyAreResults() {
        const Module module = typed_module(
            "def @main(%x: Tensor[(2, 8), float32], %weight: Tensor[(8, 8), float32]) { "
            "(add(nn.dense(%x, %weight, units=8), 2f), 3f) }");
        std::vector<std::string> found;
        for (const ExprId expr : module_graph(module).exprs) {
            const OpRecord* op = called_op_record(module, expr);
            found.push_back(op                                        ? op->name
                            : module.kind(expr) == ExprKind::Constant ? "constant"
                            : module.kind(expr) == ExprKind::Var      ? std::string(module.name(expr))
                                                                      : "tuple");
        }
        QCOMPARE(found, (std::vector<std::string>{"x", "nn.dense", "add", "tuple"}));
    }

    /// Neither a tuple that an operator uses nor a result that is no tuple.
    void onlyATupleOfResultsGathers() {
        const auto gathering = [](const char* body) {
            const Module module = typed_module(std::string("def @main(%x: Tensor[(2, 8), float32]) { ") + body + " }");
            const ModuleGraph made = module_graph(module);
            return made.graph.gathering == UINT32_MAX                                 ? "none"
                   : module.kind(made.exprs[made.graph.gathering]) == ExprKind::Tuple ? "tuple"
                                                                                      : "another";
        };
        QCOMPARE(gathering("(exp(%x), abs(%x))"), "tuple");
        QCOMPARE(gathering("%0 = (exp(%x), %x); concatenate(%0, axis=0)"), "none");
        QCOMPARE(gathering("exp(%x)"), "none");
    }

    void blocksAreLetteredAsColumnsOfASheet() {
        const std::map<uint32_t, std::string> letters{{0, "A"},   {24, "Y"},   {25, "Z"},
                                                      {26, "AA"}, {701, "ZZ"}, {702, "AAA"}};
        for (const auto& [number, text] : letters) QCOMPARE(block_letter(number), text);
    }

    void blocksOfAChain_data() {
        QTest::addColumn<QString>("letters");
        QTest::addColumn<QString>("blocks");
        const auto row = [](const char* name, const char* letters, const char* blocks) {
            QTest::newRow(name) << QString(letters) << QString(blocks);
        };
        row("nothing", "", "");
        row("no repeat", "abcdefghijk", "");
        row("two", "xabcdabcdy", "abcd abcd");
        row("three", "xabcdabcdabcdy", "abcd abcd abcd");
        row("single operators are no blocks", "aaaaaaaaaa", "");
        row("one more in the third", "xabcdeabcdeabcxdeabcdeabcdey", "abcde abcde abcxde abcde abcde");
        row("one less in the fourth", "xabcdeabcdeabcdeabceabcdey", "abcde abcde abcde abce abcde");
        row("two runs", "xabcdabcdabcdyefgefgefgefgz", "abcd abcd abcd efg efg efg efg");
    }
    void blocksOfAChain() {
        QFETCH(QString, letters);
        QFETCH(QString, blocks);
        QCOMPARE(blocks_of(chain(letters.toStdString())), blocks);
    }

    void blocksBeginWhereFewValuesCross() {
        // Of "abcd", b's value is used by d, and a's by c: only d's goes on alone.
        std::vector<std::pair<uint32_t, uint32_t>> further;
        for (uint32_t i = 2; i + 3 < 18; i += 4) further.insert(further.end(), {{i, i + 2}, {i + 1, i + 3}});
        QCOMPARE(blocks_of(chain("xxabcdabcdabcdabcdyy", further)), "abcd abcd abcd abcd");
    }

    /// A mask that every block takes belongs to none.
    void whatAllBlocksShareIsInNone() {
        std::string letters = "mn";
        std::vector<std::pair<uint32_t, uint32_t>> further;
        for (int block = 0; block < 12; ++block) {
            letters += "abcdef";
            further.emplace_back(1, uint32_t(letters.size()) - 3);
        }
        QCOMPARE(blocks_of(chain(letters, further)), QStringList(12, QStringLiteral("abcdef")).join(' '));
    }

    void propertiesOfAnyGraph() {
        std::mt19937 random(1);
        int with_blocks = 0, with_runs_within = 0;
        for (int round = 0; round < 3000; ++round) {
            const std::string bytes = random_bytes(random, 400);
            const BlockGraph graph = block_graph_of(bytes);
            const FoundBlocks found = find_repeated_blocks(graph);
            const std::string fault = fault_of_blocks(graph, found);
            QVERIFY2(fault.empty(), qPrintable(QStringLiteral("round %1: %2").arg(round).arg(fault.c_str())));
            with_blocks += !found.blocks.empty();
            for (const FoundBlock& block : found.blocks)
                if (block.form == FoundForm::Run && block.parent >= 0 && ++with_runs_within) break;
        }
        QVERIFY2(with_blocks > 500, qPrintable(QString::number(with_blocks)));
        QVERIFY2(with_runs_within > 20, qPrintable(QString::number(with_runs_within)));
    }

    /// Which number a kind has, and inputs that feed nothing, change nothing.
    void numbersDoNotCount() {
        std::mt19937 random(2);
        for (int round = 0; round < 300; ++round) {
            const BlockGraph graph = block_graph_of(random_bytes(random, 400));
            const FoundBlocks found = find_repeated_blocks(graph);
            BlockGraph other = graph;
            for (uint32_t& kind : other.kind) kind = 1000003u * (kind + 5);
            QVERIFY(same_blocks(found, find_repeated_blocks(other)));
            BlockGraph wider;
            std::vector<std::pair<uint32_t, uint32_t>> edges;
            for (uint32_t node = 0; node < graph.size(); ++node) {
                wider.kind.insert(wider.kind.end(), {graph.kind[node], 77});
                wider.is_result.insert(wider.is_result.end(), {graph.is_result[node], false});
                for (uint32_t from : graph.producers(node)) edges.emplace_back(2 * from, 2 * node);
            }
            wider.connect(edges);
            FoundBlocks in_wider = find_repeated_blocks(wider);
            for (uint32_t node = 0; node < graph.size(); ++node)
                QCOMPARE(in_wider.block_of[2 * node], found.block_of[node]);
        }
    }

    void aBlockThatIsPlantedIsFound() {
        std::mt19937 random(3);
        for (int round = 0; round < 100; ++round) {
            // A shortcut round distinct operators: one stretch, whatever comes in it.
            const uint32_t length = 5 + random() % 20, times = 3 + random() % 30;
            std::string letters;
            std::vector<std::pair<uint32_t, uint32_t>> further;
            for (uint32_t block = 0; block < times; ++block) {
                for (uint32_t i = 0; i < length; ++i) letters += char('A' + i);
                if (block > 0) further.emplace_back(block * length - 1, (block + 1) * length - 1);
            }
            const FoundBlocks found = find_repeated_blocks(chain(letters, further));
            const auto run = std::find_if(found.blocks.begin(), found.blocks.end(), [](const FoundBlock& block) {
                return block.form == FoundForm::Run && block.parent < 0;
            });
            QVERIFY(run != found.blocks.end());
            QVERIFY2(run->times + 1 >= times && run->times <= times, qPrintable(QString::number(run->times)));
        }
    }

    /// What differs is told, and what is behind it corresponds again.
    void blocksThatDifferCorrespond() {
        const BlockGraph graph = chain("xabcdeabcdeabcxdeabcdeabcdey");
        const FoundBlocks found = find_repeated_blocks(graph);
        std::vector<RunBlocks> runs = list_run_blocks(graph, block_groups(found), found.block_of);
        compare_blocks(graph, runs);
        QCOMPARE(runs.size(), size_t(1));
        QVERIFY(runs[0].usual != 2);
        QVERIFY(runs[0].hashes[0] == runs[0].hashes[4] && runs[0].hashes[0] != runs[0].hashes[2]);
        const BlockNodes& usual = runs[0].nodes[runs[0].usual];
        const std::vector<KindDifference> more{{uint32_t('x'), 1}};
        QCOMPARE(differences(graph, usual, runs[0].nodes[2]), more);
        const std::vector<int32_t> places{0, 1, 2, -1, 3, 4};
        QCOMPARE(BlockMatcher(graph, usual).places_of(runs[0].nodes[2]), places);
    }

    /// By what their nodes are used by, too, if most are the same by that; else by their kinds alone.
    void blocksAreAlikeByTheirEdgesWhereMostAre() {
        using Edges = std::vector<std::pair<uint32_t, uint32_t>>;
        const auto hashes_with = [](const Edges& further) {
            const BlockGraph graph = chain("xabcdeabcdeabcdeabcdeabcdey", further);
            const FoundBlocks found = find_repeated_blocks(graph);
            std::vector<RunBlocks> runs = list_run_blocks(graph, block_groups(found), found.block_of);
            compare_blocks(graph, runs);
            return runs.size() == 1 ? runs[0].hashes : std::vector<uint64_t>();
        };
        const std::vector<uint64_t> one = hashes_with({{11, 14}});  // a to d, in the third
        QCOMPARE(one.size(), size_t(5));
        QVERIFY(one[0] == one[1] && one[0] == one[3] && one[0] == one[4] && one[0] != one[2]);
        const std::vector<uint64_t> most = hashes_with({{11, 14}, {16, 18}, {22, 24}});
        QCOMPARE(most.size(), size_t(5));
        QCOMPARE(std::set<uint64_t>(most.begin(), most.end()).size(), size_t(1));
    }

    /// A run that begins with a block that differs is one of the same blocks as others.
    void runsOfTheSameBlocksHaveOneLetter() {
        std::string letters;
        std::vector<std::pair<uint32_t, uint32_t>> further;
        for (const char* block :
             {"m", "abcxdef", "abcdef", "abcdef", "abcdef", "opq", "abcdef", "abcdef", "abcdef", "r"}) {
            const uint32_t first = uint32_t(letters.size());
            letters += block;
            for (uint32_t i = first; i + 2 < letters.size(); ++i) further.emplace_back(i, i + 2);
        }
        QStringList runs;
        for (const FoundBlock& block : find_repeated_blocks(chain(letters, further)).blocks)
            if (block.form == FoundForm::Run) runs << QStringLiteral("%1 %2").arg(block.letter).arg(block.times);
        QCOMPARE(runs.join(QStringLiteral(", ")), QStringLiteral("0 4, 0 3"));
    }

    void cancelStops() {
        CancelToken cancel;
        cancel.cancel();
        QVERIFY(find_repeated_blocks(chain("abcabcabcabc"), cancel).blocks.empty());
        QVERIFY(find_repeated_blocks(chain("abcabcabcabc"), cancel).block_of.empty());
    }

    void largeGraphsTakeLittle() {
        std::string letters;
        while (letters.size() < 400000) letters += "abcdefgh"[letters.size() % 7];
        QElapsedTimer clock;
        clock.start();
        const FoundBlocks found = find_repeated_blocks(chain(letters));
        QVERIFY(!found.blocks.empty());
        QVERIFY2(clock.elapsed() < 20000, qPrintable(QString::number(clock.elapsed())));
    }
};

PARTITA_TEST(TestBlocks)

}  // namespace test_blocks

#include "test_blocks.moc"
