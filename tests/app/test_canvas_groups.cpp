// Groups of nodes: repeated structure, scopes, regions, parts of what is too large; and the model that shows them.
#include <QtTest>

#include <QApplication>

#include "app/gui/canvas/alike_blocks.h"
#include "app/gui/canvas/decorate_graph.h"
#include "app/gui/canvas/graph_groups.h"
#include "app/gui/document/layout_cache.h"
#include "engine/flow/region_names.h"
#include "engine/frontends/generate.h"
#include "engine/session/session.h"
#include "tests/app/own_fonts.h"
#include "tests/registry.h"

namespace test_canvas_groups {

using namespace partita;

namespace {

ModulePtr read(const std::string& text) {
    Result<OpenedModule> opened = open_text(text, "test");
    if (!opened) qFatal("%s", opened.error().to_string().c_str());
    return opened->module;
}

GraphModelPtr model_of(const ModulePtr& module) { return build_graph_model(module, module->find_function("main")); }

GraphModelPtr generated(GraphKind kind, int64_t operators) {
    Result<Module> module = generate_graph(kind, operators, 1);
    if (!module) qFatal("%s", module.error().message.c_str());
    return model_of(std::make_shared<const Module>(std::move(*module)));
}

/// `count` residual blocks: x + relu(exp(x) * x), with a tanh after each.
std::string residual_blocks(int count) {
    std::string text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = sqrt(%x);\n";
    int next = 1, value = 0;
    for (int i = 0; i < count; ++i) {
        const auto name = [](int n) { return "%" + std::to_string(n); };
        text += "  " + name(next) + " = exp(" + name(value) + ");\n";
        text += "  " + name(next + 1) + " = multiply(" + name(next) + ", " + name(value) + ");\n";
        text += "  " + name(next + 2) + " = nn.relu(" + name(next + 1) + ");\n";
        text += "  " + name(next + 3) + " = add(" + name(next + 2) + ", " + name(value) + ");\n";
        text += "  " + name(next + 4) + " = tanh(" + name(next + 3) + ");\n";
        value = next + 4;
        next += 5;
    }
    return text + "  sigmoid(%" + std::to_string(value) + ")\n}\n";
}

/// Layers of nine operators: block number `odd` has one more cast, block number `short_one` no tanh (-1: none does).
std::string layers(int count, int odd, int short_one = -1) {
    std::string text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = sqrt(%x);\n";
    int last = 0;
    const auto call = [&](const std::string& op, int a, int b = -1) {
        const std::string second = b < 0 ? "" : ", %" + std::to_string(b);
        const std::string dtype = op == "cast" ? ", dtype=\"float32\"" : "";
        text += "  %" + std::to_string(last + 1) + " = " + op + "(%" + std::to_string(a) + second + dtype + ");\n";
        return ++last;
    };
    for (int i = 0; i < count; ++i) {
        const int input = last;
        call("exp", input);
        if (i == odd) call("cast", last);
        const int key = call("nn.relu", last), query = call("sigmoid", input);
        call("multiply", key, query);
        call("cast", last);
        if (i != short_one) call("tanh", last);
        call("ceil", last);
        call("floor", last);
        call("add", last, input);
    }
    return text + "  sigmoid(%" + std::to_string(last) + ")\n}\n";
}

/// Blocks that share a mask, made in the first of them, and that each give a result of their own beside the last one's.
std::string blocks_with_mask(int count) {
    std::string text =
        "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32], %m: Tensor[(4), float32]) {\n"
        "  %0 = sqrt(%m);\n  %1 = negative(%0);\n  %2 = sqrt(%x);\n";
    int next = 3, value = 2;
    std::string side;
    for (int i = 0; i < count; ++i) {
        const auto name = [](int n) { return "%" + std::to_string(n); };
        text += "  " + name(next) + " = exp(" + name(value) + ");\n";
        text += "  " + name(next + 1) + " = multiply(" + name(next) + ", %1);\n";
        text += "  " + name(next + 2) + " = nn.relu(" + name(next + 1) + ");\n";
        text += "  " + name(next + 3) + " = add(" + name(next + 2) + ", " + name(value) + ");\n";
        text += "  " + name(next + 4) + " = tanh(" + name(next + 3) + ");\n";
        text += "  " + name(next + 5) + " = ceil(" + name(next) + ");\n";
        side += ", " + name(next + 5);
        value = next + 4;
        next += 6;
    }
    return text + "  %" + std::to_string(next) + " = sigmoid(%" + std::to_string(value) + ");\n  (%" +
           std::to_string(next) + side + ")\n}\n";
}

QStringList titles(const GraphModel& model) {
    QStringList list;
    for (const GraphNode& node : model.nodes) list << node.title;
    return list;
}

}  // namespace

class TestCanvasGroups : public QObject {
    Q_OBJECT

private slots:
    void aBlockThatComesAgainAndAgainIsOneGroup() {
        const GraphModelPtr full = model_of(read(residual_blocks(8)));
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Structure, nullptr));
        const GraphModelPtr closed = collapse_graph(full, tree, {});
        QCOMPARE(titles(*closed), (QStringList{"%x", "sqrt", "Block A ×8", "sigmoid"}));
        QCOMPARE(closed->members(2).size(), size_t(40));
        QCOMPARE(closed->edges.size(), size_t(3));
        // Opened, each time is a group; opened again, its operators.
        OpenGroups open{group_key(*full, tree->groups[size_t(closed->nodes[2].group)])};
        const GraphModelPtr blocks = collapse_graph(full, tree, open);
        QCOMPARE(blocks->nodes.size(), size_t(11));
        QCOMPARE(blocks->frames.size(), size_t(1));
        QCOMPARE(blocks->frame_of[3], 0);
        for (const GraphGroup& group : tree->groups) open.insert(group_key(*full, group));
        const GraphModelPtr all = collapse_graph(full, tree, open);
        QCOMPARE(all->nodes.size(), full->nodes.size());
        QCOMPARE(all->edges.size(), full->edges.size());
    }

    void blocksThatDifferALittleAreOneRun_data() {
        QTest::addColumn<int>("odd");
        QTest::addColumn<int>("short_one");
        QTest::addColumn<QString>("said");
        QTest::newRow("none") << -1 << -1 << "";
        QTest::newRow("the first") << 0 << -1 << "11 alike; block 1: 1 more cast";
        QTest::newRow("in the middle") << 6 << -1 << "11 alike; block 7: 1 more cast";
        QTest::newRow("the last") << 11 << -1 << "11 alike; block 12: 1 more cast";
        QTest::newRow("one fewer") << -1 << 5 << "11 alike; block 6: 1 fewer tanh";
        QTest::newRow("two") << 3 << 8 << "10 alike; block 4: 1 more cast; block 9: 1 fewer tanh";
    }
    void blocksThatDifferALittleAreOneRun() {
        QFETCH(int, odd);
        QFETCH(int, short_one);
        QFETCH(QString, said);
        const GraphModelPtr full = model_of(read(layers(12, odd, short_one)));
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Structure, nullptr));
        const GraphModelPtr closed = collapse_graph(full, tree, {});
        QCOMPARE(titles(*closed), (QStringList{"%x", "sqrt", "Block A ×12", "sigmoid"}));
        const GraphGroup& run = tree->groups[size_t(closed->nodes[2].group)];
        QCOMPARE(run.times, 12u);
        QCOMPARE(run.difference, said);
        QCOMPARE(closed->nodes[2].type.contains("alike"), !said.isEmpty());
        // Opened, the block that differs says so.
        QStringList differing;
        for (const GraphGroup& group : tree->groups)
            if (group.times == 0 && !group.difference.isEmpty()) differing << group.difference;
        QCOMPARE(differing.size(), (odd >= 0) + (short_one >= 0));
    }

    /// Blocks within blocks, by structure alone: the experts of a layer, side by side.
    void branchesThatAreAlikeAreBlocksWithinABlock() {
        std::string text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = sqrt(%x);\n";
        int last = 0;
        const auto call = [&](const std::string& op, int a, int b = -1) {
            const std::string second = b < 0 ? "" : ", %" + std::to_string(b);
            text += "  %" + std::to_string(last + 1) + " = " + op + "(%" + std::to_string(a) + second + ");\n";
            return ++last;
        };
        for (int layer = 0; layer < 6; ++layer) {
            const int input = last, norm = call("negative", input);
            int sum = -1;
            for (int expert = 0; expert < 5; ++expert) {
                const int made = call("tanh", call("nn.relu", call("exp", norm)));
                sum = sum < 0 ? made : call("add", sum, made);
            }
            call("multiply", last, input);
        }
        const GraphModelPtr full = model_of(read(text + "  sigmoid(%" + std::to_string(last) + ")\n}\n"));
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Structure, nullptr));
        const GraphModelPtr closed = collapse_graph(full, tree, {});
        QCOMPARE(titles(*closed), (QStringList{"%x", "sqrt", "Block A ×6", "sigmoid"}));
        int experts = 0, alone = 0;
        for (const GraphGroup& group : tree->groups) {
            experts +=
                group.title == "Block B ×5" && group.times == 5 && group.size == 15 && group.difference.isEmpty();
            alone += group.title == "Block B" && group.size == 3;
        }
        QCOMPARE(experts, 6);
        QCOMPARE(alone, 30);
        // The same expert of all layers, and all experts of them.
        uint32_t relu = 0;
        while (full->nodes[relu].title != "nn.relu") ++relu;
        const AlikeNodes alike = alike_in_blocks(*full, *tree, {relu});
        QVERIFY2(alike.nodes.size() >= 5, qPrintable(QString::number(alike.nodes.size())));
    }

    /// What is done to all blocks is done to what corresponds, not to what stands at the same count.
    void whatCorrespondsInBlocksThatDiffer() {
        const GraphModelPtr full = model_of(read(layers(12, 3, 5)));
        const GroupTree tree = make_groups(*full, Grouping::Structure, nullptr);
        std::vector<uint32_t> casts, tanhs, exps;
        for (uint32_t i = 0; i < full->nodes.size(); ++i) {
            if (full->nodes[i].title == "cast") casts.push_back(i);
            if (full->nodes[i].title == "tanh") tanhs.push_back(i);
            if (full->nodes[i].title == "exp") exps.push_back(i);
        }
        QCOMPARE(casts.size(), size_t(13));
        const AlikeNodes usual = alike_in_blocks(*full, tree, {casts[0]});
        QCOMPARE(usual.nodes.size(), size_t(12));
        QCOMPARE(usual.blocks, 12u);
        QCOMPARE(usual.without, 0u);
        QVERIFY(!std::count(usual.nodes.begin(), usual.nodes.end(), casts[3]));  // that of block 3 alone
        const AlikeNodes begins = alike_in_blocks(*full, tree, {exps[2]});       // the first node of each block
        QCOMPARE(begins.nodes, exps);
        const AlikeNodes own = alike_in_blocks(*full, tree, {casts[3]});
        QCOMPARE(own.nodes, std::vector<uint32_t>{casts[3]});
        QCOMPARE(own.blocks, 1u);
        QCOMPARE(own.without, 11u);
        const AlikeNodes some = alike_in_blocks(*full, tree, {tanhs[7]});
        QCOMPARE(some.nodes, tanhs);
        QCOMPARE(some.without, 1u);
        const AlikeNodes both = alike_in_blocks(*full, tree, {casts[0], tanhs[0]});
        QCOMPARE(both.nodes.size(), size_t(23));
        QCOMPARE(both.partly, 1u);
        QCOMPARE(both.without, 0u);
    }

    /// Names make a run only of what is alike: layers of experts after plain ones are another.
    void numberedNamesThatHoldOtherOperatorsAreAnotherRun() {
        Module module = *read(layers(4, -1));
        const GraphModelPtr before = model_of(std::make_shared<const Module>(module));
        const auto name = [&](size_t node, int layer) {
            module.set_label(before->nodes[node].expr,
                             "net/layers." + std::to_string(layer) + "/op" + std::to_string(node));
        };
        // Two of nine operators, two of nine that are cut into four and five: other kinds.
        for (size_t i = 2; i < 20; ++i) name(i, int(i - 2) / 9);
        for (size_t i = 20; i < 24; ++i) name(i, 2);
        for (size_t i = 24; i < 29; ++i) name(i, 3);
        const GraphModelPtr full = model_of(std::make_shared<const Module>(std::move(module)));
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Scopes, nullptr));
        QStringList names;
        for (const GraphGroup& group : tree->groups) names << group.title;
        QVERIFY2(names.contains("layers 0–1 ×2"), qPrintable(names.join(", ")));
        QVERIFY2(names.contains("layers.2") && names.contains("layers.3"), qPrintable(names.join(", ")));
    }

    void whatAllBlocksShareHidesNone() {
        const GraphModelPtr full = model_of(read(blocks_with_mask(10)));
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Structure, nullptr));
        const GraphModelPtr closed = collapse_graph(full, tree, {});
        const QStringList shown = titles(*closed);
        QVERIFY2(shown.contains("Block B ×10") || shown.contains("Block A ×10"), qPrintable(shown.join(", ")));
        QVERIFY2(shown.size() <= 8, qPrintable(shown.join(", ")));
        // Each block has its side result.
        for (const GraphGroup& group : tree->groups)
            if (group.depth == 1) QCOMPARE(group.size, 6u);
    }

    void aDeepGraphIsShownByBlocksAtOnce() {
        const GraphModelPtr deep = model_of(read(blocks_with_mask(60)));
        const auto tree = std::make_shared<GroupTree>(make_groups(*deep, Grouping::Automatic, nullptr));
        QVERIFY(!tree->empty());
        const OpenGroups open = open_at_first(*deep, *tree);
        const size_t shown = collapse_graph(deep, tree, open)->nodes.size();
        QCOMPARE(shown_nodes(*deep, *tree, open), shown);
        QVERIFY2(shown <= 70, qPrintable(QString::number(shown)));
        // One that can be read is shown as it is, and one that has no blocks.
        for (const GraphModelPtr& plain : {model_of(read(blocks_with_mask(10))), generated(GraphKind::Random, 2000)})
            QVERIFY(make_groups(*plain, Grouping::Automatic, nullptr).empty());
    }

    /// Not by its number of nodes alone: one that is as wide as the window is read.
    void aGraphIsGroupedWhereItsWholeCannotBeRead() {
        const ReadingRoom wide{QSizeF(1600, 900)}, narrow{QSizeF(400, 200)};
        QVERIFY(is_read_as_a_whole(*generated(GraphKind::Chain, 12), wide));
        QVERIFY(!is_read_as_a_whole(*generated(GraphKind::Chain, 12), narrow));
        QVERIFY(!is_read_as_a_whole(*generated(GraphKind::Chain, 120), wide));
        const GraphModelPtr chain = generated(GraphKind::Chain, 240);
        QVERIFY(!make_groups(*chain, Grouping::Automatic, nullptr).empty());
        // A small one never is.
        GraphModelPtr least, more;
        for (int operators = 240; operators > 20 && !least; --operators) {
            const GraphModelPtr shorter = generated(GraphKind::Chain, operators);
            (shorter->nodes.size() > kLargestReadGraph ? more : least) = shorter;
        }
        QVERIFY(least && more);
        QCOMPARE(least->nodes.size(), kLargestReadGraph);
        QVERIFY(make_groups(*least, Grouping::Automatic, nullptr).empty());
        QVERIFY(!make_groups(*more, Grouping::Automatic, nullptr).empty());
    }

    void everyNodeIsShownOnceWhateverIsOpen() {
        for (const GraphKind kind : {GraphKind::Random, GraphKind::Ladder, GraphKind::Wide, GraphKind::Chain}) {
            const GraphModelPtr full = generated(kind, 6000);
            const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Automatic, nullptr));
            QVERIFY(!tree->empty());
            for (const GraphGroup& group : tree->groups) {
                QVERIFY2(group.parts <= kMostPartsOfGroup, qPrintable(QString::number(group.parts)));
                QVERIFY(group.parts >= 2);
                QVERIFY(group.parent < int32_t(&group - tree->groups.data()));
            }
            OpenGroups open = open_at_first(*full, *tree);
            for (int round = 0; round < 3; ++round) {
                const GraphModelPtr shown = collapse_graph(full, tree, open);
                std::vector<uint32_t> members = shown->member_list;
                std::sort(members.begin(), members.end());
                QCOMPARE(members.size(), full->nodes.size());
                QVERIFY(std::adjacent_find(members.begin(), members.end()) == members.end());
                if (round == 0)
                    QVERIFY2(shown->nodes.size() <= 60 + 48, qPrintable(QString::number(shown->nodes.size())));
                for (const GraphNode& node : shown->nodes)
                    QCOMPARE(shown->node_of(node.expr), int32_t(&node - shown->nodes.data()));
                for (size_t i = 0; i < tree->groups.size(); i += 2) open.insert(group_key(*full, tree->groups[i]));
            }
        }
    }

    void closedPartsOfAGraphWithoutCyclesHaveNone() {
        const GraphModelPtr full = generated(GraphKind::Random, 9000);
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Structure, nullptr));
        const GraphModelPtr shown = collapse_graph(full, tree, open_at_first(*full, *tree));
        std::vector<uint32_t> waiting(shown->nodes.size(), 0), order;
        for (const GraphEdge& edge : shown->edges) ++waiting[edge.to];
        for (uint32_t i = 0; i < waiting.size(); ++i)
            if (waiting[i] == 0) order.push_back(i);
        for (size_t i = 0; i < order.size(); ++i)
            for (uint32_t edge : shown->outgoing(order[i]))
                if (--waiting[shown->edges[edge].to] == 0) order.push_back(shown->edges[edge].to);
        QCOMPARE(order.size(), shown->nodes.size());
    }

    void groupsAreNotMadeOnceTheyAreCancelled() {
        const GraphModelPtr full = generated(GraphKind::Chain, 9000);
        CancelToken cancelled;
        cancelled.cancel();
        for (const Grouping grouping : {Grouping::Automatic, Grouping::Scopes, Grouping::Structure}) {
            QVERIFY(make_groups(*full, grouping, nullptr, cancelled).group_of.empty());
            QVERIFY(!make_groups(*full, grouping, nullptr).group_of.empty());
        }
        // The longest of the steps stop by themselves.
        QVERIFY(group_by_structure(*full, cancelled).groups.empty());
    }

    void aSmallGraphIsShownAsItIs() {
        const GraphModelPtr full = generated(GraphKind::Random, 500);
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Automatic, nullptr));
        QVERIFY(tree->empty());
        QVERIFY(collapse_graph(full, tree, {}) == full);
    }

    void namesMakeScopes() {
        Module module = *read(residual_blocks(2));
        const GraphModelPtr before = model_of(std::make_shared<const Module>(module));
        for (size_t i = 2; i < 7; ++i) module.set_label(before->nodes[i].expr, "net/block1/op" + std::to_string(i));
        for (size_t i = 7; i < 12; ++i) module.set_label(before->nodes[i].expr, "net/block2/op" + std::to_string(i));
        const GraphModelPtr full = model_of(std::make_shared<const Module>(std::move(module)));
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Scopes, nullptr));
        QCOMPARE(titles(*collapse_graph(full, tree, {})), (QStringList{"%x", "sqrt", "net", "sigmoid"}));
        const OpenGroups open{group_key(*full, tree->groups[0])};
        QCOMPARE(titles(*collapse_graph(full, tree, open)), (QStringList{"%x", "sqrt", "block1", "block2", "sigmoid"}));
    }

    void numberedNamesAreARunOfBlocks_data() {
        QTest::addColumn<QString>("form");
        QTest::addColumn<QStringList>("closed");
        QTest::newRow("one part") << "net/layers.%1/op" << QStringList{"%x", "sqrt", "layers ×4", "sigmoid"};
        QTest::newRow("two parts") << "net/layers/%1/op" << QStringList{"%x", "sqrt", "layers ×4", "sigmoid"};
        QTest::newRow("numbers alone") << "%1/op" << QStringList{"%x", "sqrt", "Block ×4", "sigmoid"};
    }
    void numberedNamesAreARunOfBlocks() {
        QFETCH(QString, form);
        QFETCH(QStringList, closed);
        Module module = *read(residual_blocks(4));
        const GraphModelPtr before = model_of(std::make_shared<const Module>(module));
        for (size_t i = 2; i < 22; ++i)
            module.set_label(before->nodes[i].expr, (form.arg((i - 2) / 5) + QString::number(i)).toStdString());
        const GraphModelPtr full = model_of(std::make_shared<const Module>(std::move(module)));
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Scopes, nullptr));
        // `net` holds nothing else, so the run stands in its place; and a run is not opened at first.
        QCOMPARE(titles(*collapse_graph(full, tree, open_at_first(*full, *tree))), closed);
        QCOMPARE(tree->groups.front().times, 4u);
        const OpenGroups open{group_key(*full, tree->groups.front())};
        QCOMPARE(collapse_graph(full, tree, open)->nodes.size(), size_t(7));
    }

    void whatHasNoNameGoesWithItsUsers() {
        std::string text =
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32], %past: Tensor[(4), float32]) {\n"
            "  %0 = sqrt(%x);\n  %1 = exp(%0);\n  %2 = (%1, %past);\n  %3 = concatenate(%2);\n  sigmoid(%3)\n}\n";
        Module module = *read(text);
        const GraphModelPtr before = model_of(std::make_shared<const Module>(module));
        for (const GraphNode& node : before->nodes)
            if (node.kind == GraphNodeKind::Call)
                module.set_label(node.expr, node.title == "exp" || node.title == "concatenate" ? "layer/op" : "op");
            else if (node.title == "%past") module.set_label(node.expr, "past/0");
        const GraphModelPtr full = model_of(std::make_shared<const Module>(std::move(module)));
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Scopes, nullptr));
        // %past, which is used there alone, lies in the layer, too.
        QCOMPARE(titles(*collapse_graph(full, tree, {})), (QStringList{"%x", "layer", "sqrt", "sigmoid"}));
    }

    /// Where these lie in several groups, it lies in the one that holds them all.
    void whatHasNoNameAndSeveralUsersGoesAboveThem() {
        Module module = *read(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = exp(%x);\n  %1 = sqrt(%0);\n"
            "  %2 = (%0, %1);\n  %3 = concatenate(%2);\n  %4 = tanh(%3);\n  %5 = stack(%2, axis=0);\n  %6 = "
            "sigmoid(%5);\n  (%4, %6)\n}\n");
        const GraphModelPtr before = model_of(std::make_shared<const Module>(module));
        const std::map<QString, const char*> scopes = {{"exp", "net/first/op"},          {"sqrt", "net/first/op"},
                                                       {"concatenate", "net/second/op"}, {"tanh", "net/second/op"},
                                                       {"stack", "net/third/op"},        {"sigmoid", "net/third/op"}};
        uint32_t tuple = 0;
        for (uint32_t i = 0; i < before->nodes.size(); ++i) {
            const GraphNode& node = before->nodes[i];
            if (node.kind == GraphNodeKind::Call) module.set_label(node.expr, scopes.at(node.title));
            if (node.kind == GraphNodeKind::Tuple && before->outgoing(i).size() == 2) tuple = i;
        }
        QVERIFY(tuple > 0);
        const GraphModelPtr full = model_of(std::make_shared<const Module>(std::move(module)));
        const GroupTree tree = make_groups(*full, Grouping::Scopes, nullptr);
        const QStringList all = titles(*full);
        const int32_t second = tree.group_of[size_t(all.indexOf("tanh"))],
                      third = tree.group_of[size_t(all.indexOf("sigmoid"))];
        QVERIFY(second >= 0 && third >= 0 && second != third);
        QCOMPARE(tree.group_of[tuple], tree.groups[size_t(second)].parent);
        QCOMPARE(tree.groups[size_t(third)].parent, tree.groups[size_t(second)].parent);
    }

    /// What has a name of its own does not, though nothing feeds it.
    void whatHasANameStaysInItsScope() {
        Module module = *read(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n"
            "  %0 = zeros(shape=[4], dtype=\"float32\");\n  %1 = exp(%x);\n  %2 = sqrt(%1);\n"
            "  %3 = add(%2, %0);\n  %4 = tanh(%3);\n  sigmoid(%4)\n}\n");
        const GraphModelPtr before = model_of(std::make_shared<const Module>(module));
        const QStringList first = {"zeros", "exp", "sqrt"};
        for (const GraphNode& node : before->nodes)
            if (node.kind == GraphNodeKind::Call)
                module.set_label(node.expr, first.contains(node.title) ? "first/op" : "second/op");
        const GraphModelPtr full = model_of(std::make_shared<const Module>(std::move(module)));
        const GroupTree tree = make_groups(*full, Grouping::Scopes, nullptr);
        const QStringList all = titles(*full);
        QVERIFY(tree.group_of[size_t(all.indexOf("exp"))] >= 0);
        QCOMPARE(tree.group_of[size_t(all.indexOf("zeros"))], tree.group_of[size_t(all.indexOf("exp"))]);
        QVERIFY(tree.group_of[size_t(all.indexOf("zeros"))] != tree.group_of[size_t(all.indexOf("add"))]);
    }

    /// What the largest run lies in is opened, unless too much would be seen at once.
    void theWayToTheLargestRunIsOpenedWhereItHasRoom() {
        for (const auto& [around, open] : {std::pair(30, true), std::pair(55, false)}) {
            std::string text = "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n  %0 = sqrt(%x);\n";
            const int calls = around + 10 + 4 * 5;
            for (int i = 1; i < calls; ++i)
                text += "  %" + std::to_string(i) + " = tanh(%" + std::to_string(i - 1) + ");\n";
            Module module = *read(text + "  sigmoid(%" + std::to_string(calls - 1) + ")\n}\n");
            const GraphModelPtr before = model_of(std::make_shared<const Module>(module));
            int next = 0;
            for (const GraphNode& node : before->nodes) {
                if (node.kind != GraphNodeKind::Call || next++ < around) continue;
                const int inside = next - 1 - around;
                if (inside < 10) module.set_label(node.expr, "net/op" + std::to_string(inside));
                else if (inside < 30)
                    module.set_label(node.expr, "net/layers." + std::to_string((inside - 10) / 5) + "/op");
            }
            const GraphModelPtr full = model_of(std::make_shared<const Module>(std::move(module)));
            const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Scopes, nullptr));
            const QStringList shown = titles(*collapse_graph(full, tree, open_at_first(*full, *tree)));
            QVERIFY2(shown.contains(open ? "layers ×4" : "net"), qPrintable(shown.join(' ')));
            QVERIFY(shown.size() <= qsizetype(kShownAtFirst));
        }
    }

    void regionsAreGroupsAndAGroupIsMarkedAsItsNodesAre() {
        const ModulePtr module = read(residual_blocks(3));
        FlowOptions options;
        Result<BackendDescription> backend = load_backend("ccompiler");
        QVERIFY(bool(backend));
        options.backends.push_back(*backend);
        Result<FlowResult> result = run_flow(module, options);
        QVERIFY(bool(result));
        const FlowPtr flow = std::make_shared<const FlowResult>(std::move(*result));
        const GraphModelPtr full = model_of(module);
        DecorationInput input;
        input.flow = flow;
        input.backends = {"ccompiler"};
        const auto structure = std::make_shared<GroupTree>(make_groups(*full, Grouping::Structure, nullptr));
        const GraphModelPtr shown = collapse_graph(full, structure, {});
        const GraphDecoration decoration = decorate_graph(*shown, input);
        QCOMPARE(int(decoration.backend[2]), -1);
        QCOMPARE(decoration.shares.value(2).size(), size_t(2));
        QCOMPARE(decoration.shares.value(2)[1].share, 0.4f);  // multiply and add, of five operators
        const auto regions = std::make_shared<GroupTree>(make_groups(*full, Grouping::Regions, flow.get()));
        for (const GraphGroup& group : regions->groups) QVERIFY(group.size >= 2);
    }

    /// As the outline and the command line count, whatever of it lies in closed groups, and what composites stand for.
    void aRegionSaysHowManyOperatorsItHas() {
        FlowOptions options;
        options.backends.push_back(*builtin_backend("dnnl_all"));
        const ModulePtr module = read(residual_blocks(3));
        Result<FlowResult> result = run_flow(module, options);
        QVERIFY(bool(result));
        DecorationInput input;
        input.flow = std::make_shared<const FlowResult>(std::move(*result));
        input.named = std::make_shared<const NamedModule>(input.flow->input);
        input.backends = {"dnnl_all"};
        QCOMPARE(input.flow->regions.size(), size_t(1));
        const GraphModelPtr full = model_of(input.flow->input);
        const auto structure = std::make_shared<GroupTree>(make_groups(*full, Grouping::Structure, nullptr));
        const QString expected = QStringLiteral("dnnl_all #1 · 17 op(s)");
        QCOMPARE(decorate_graph(*full, input).regions.at(0).label, expected);
        QCOMPARE(decorate_graph(*collapse_graph(full, structure, {}), input).regions.at(0).label, expected);

        const ModulePtr composed = read(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(4), float32]) {\n"
            "  %0 = fn (%a: Tensor[(4), float32], Composite=\"n.two\") {\n"
            "    %1 = exp(%a);\n    nn.relu(%1)\n  };\n  %0(%x)\n}\n");
        QCOMPARE(operators_in(*composed, composed->body(composed->find_function("main"))), 2);
    }

    void theSameGraphIsLaidOutOnce() {
        const GraphModelPtr full = generated(GraphKind::Random, 300);
        const LayoutGraph graph = layout_graph(*full, GraphDecoration());
        LayoutCache cache;
        const auto first = cache.layOut(graph, LayoutEngine::Auto, CancelToken()),
                   second = cache.layOut(graph, LayoutEngine::Auto, CancelToken());
        QVERIFY(*first == *second);
        QCOMPARE(cache.hits(), size_t(1));
        LayoutGraph other = graph;
        other.nodes[5].width += 1;
        QVERIFY(*cache.layOut(other, LayoutEngine::Auto, CancelToken()) != *first);
        // Where another node lies in the frame it is another graph, too.
        LayoutGraph framed = graph, framed_otherwise = graph;
        framed.clusters = framed_otherwise.clusters = {"a"};
        framed.nodes[5].cluster = framed_otherwise.nodes[6].cluster = 0;
        QVERIFY(*cache.layOut(framed, LayoutEngine::Auto, CancelToken()) !=
                *cache.layOut(framed_otherwise, LayoutEngine::Auto, CancelToken()));
        CancelToken cancelled;
        cancelled.cancel();
        other.nodes[5].width += 1;
        QVERIFY(!cache.layOut(other, LayoutEngine::Auto, cancelled));
    }

    void aMillionOperatorsAreGroupedWithinSeconds() {
        QElapsedTimer timer;
        timer.start();
        const GraphModelPtr full = generated(GraphKind::Chain, 1000000);
        qInfo("model of a chain of 1,000,000: %lld ms", (long long)timer.restart());
        const auto tree = std::make_shared<GroupTree>(make_groups(*full, Grouping::Automatic, nullptr));
        qInfo("groups: %lld ms, %zu", (long long)timer.restart(), tree->groups.size());
        const GraphModelPtr shown = collapse_graph(full, tree, open_at_first(*full, *tree));
        qInfo("shown: %lld ms, %zu nodes", (long long)timer.elapsed(), shown->nodes.size());
        QVERIFY(shown->nodes.size() < 200);
    }
};

PARTITA_TEST(TestCanvasGroups)

}  // namespace test_canvas_groups

#include "test_canvas_groups.moc"
