// Generated graphs have the requested number of operators and the inferred types, and are the same each time.
#include "relay_testing.h"

#include <functional>
#include <set>

#include "engine/frontends/generate.h"
#include "engine/ir/traversal.h"
#include "tests/registry.h"

namespace test_generate {

using namespace partita;

namespace {

int64_t calls_of(const Module& module) {
    int64_t calls = 0;
    for (ExprId id : post_order(module, module.find_function("main"))) calls += module.kind(id) == ExprKind::Call;
    return calls;
}

}  // namespace

class TestGenerate : public QObject {
    Q_OBJECT

private slots:
    void aShortWalkGivesTheSameOrderAsALongOne() {
        const Module module = *generate_graph(GraphKind::Random, 5000, 3);
        for (uint32_t root = 0; root < module.size(); root += 7) {
            std::vector<ExprId> expected;
            std::set<ExprId> entered;
            const std::function<void(ExprId)> walk = [&](ExprId id) {
                if (!entered.insert(id).second) return;
                for (ExprId operand : module.operands(id)) walk(operand);
                expected.push_back(id);
            };
            walk(ExprId(root));
            QVERIFY(post_order(module, ExprId(root)) == expected);
        }
    }

    void everyOperatorCounts() {
        for (GraphKind kind : {GraphKind::Random, GraphKind::Chain, GraphKind::Ladder, GraphKind::Wide}) {
            for (int64_t operators : {1, 2, 3, 4, 5, 7, 10, 31, 100, 1000, 20'000}) {
                Result<Module> module = generate_graph(kind, operators, uint64_t(operators));
                QVERIFY2(module, module ? "" : module.error().to_string().c_str());
                QCOMPARE(calls_of(*module), operators);
            }
        }
    }

    void theSameSeedGivesTheSameGraph() {
        QCOMPARE(q(print_relay(*generate_graph(GraphKind::Random, 500, 3))),
                 q(print_relay(*generate_graph(GraphKind::Random, 500, 3))));
        QVERIFY(print_relay(*generate_graph(GraphKind::Random, 500, 3)) !=
                print_relay(*generate_graph(GraphKind::Random, 500, 4)));
    }

    void typesAreThoseOfInference() {
        for (GraphKind kind : {GraphKind::Random, GraphKind::Chain, GraphKind::Ladder, GraphKind::Wide}) {
            Result<Module> module = generate_graph(kind, 400, 5);
            QVERIFY(module);
            std::string before = print_relay(*module);
            Status status = infer_types(*module);
            QVERIFY2(status, status ? "" : status.error().to_string().c_str());
            QCOMPARE(q(print_relay(*module)), q(before));
        }
    }

    void severalOutputsMakeATuple() {
        GenerateOptions options;
        options.outputs = 3;
        Result<Module> module = generate_graph(GraphKind::Random, 200, 9, options);
        QVERIFY(module);
        ExprId body = module->body(module->find_function("main"));
        QCOMPARE(module->kind(body), ExprKind::Tuple);
        QCOMPARE(module->operands(body).size(), size_t(3));
    }

    void namesAreRead() {
        QVERIFY(!parse_graph_name("model.relay"));
        QVERIFY(!parse_graph_name("C:chain"));
        QCOMPARE((*parse_graph_name("ladder:12"))->operators, 12);
        QVERIFY((*parse_graph_name("wide:3"))->kind == GraphKind::Wide);
        for (const char* wrong : {"random:", "random:0", "random:-1", "random:1x", "random:99999999999", "random: 3"}) {
            QVERIFY(parse_graph_name(wrong));
            QVERIFY(!*parse_graph_name(wrong));
        }
    }
};

PARTITA_TEST(TestGenerate)

}  // namespace test_generate

#include "test_generate.moc"
