// The rule language: valid rules, messages for faults, results of rules, and the deciding terms.
#include <QtTest>

#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/rules/rule.h"
#include "engine/rules/rule_trace.h"
#include "tests/engine/broken_texts.h"
#include "tests/registry.h"

namespace test_rule {

using namespace partita;

namespace {

/// fn (%data, %weight) { relu(conv2d(cast(%data, float32), %weight)) } and an added constant.
struct Sample {
    Module module;
    ExprId data, weight, cast, conv, relu, add;

    explicit Sample(DataType data_dtype = kInt8) {
        TypeTable& types = module.types();
        data = module.add_var("data", types.tensor(data_dtype, {1, 16, 32, 32}));
        weight = module.add_var("weight", types.tensor(kFloat32, {8, 16, 3, 3}));
        cast = call("cast", {data}, {{"dtype", kFloat32}});
        conv = call("nn.conv2d", {cast, weight},
                    {{"kernel_size", AttributeValue::List{3, 3}}, {"padding", AttributeValue::List{1, 1, 1, 1}}});
        relu = call("nn.relu", {conv}, {});
        Tensor two(kFloat32, {});
        two.data<float>()[0] = 2;
        ExprId constant = module.add_constant(two);
        add = call("add", {relu, constant}, {});
        module.set_label(conv, "/encoder/layer.3/Conv");
        ExprId parameters[] = {data, weight};
        FunctionInfo info;
        info.attributes = {{"Speed", 3}};
        module.set_function("main", module.add_function(parameters, add, info));
        Status typed = infer_types(module);
        if (!typed) qFatal("%s", typed.error().to_string().c_str());
    }

    ExprId call(const char* name, std::vector<ExprId> arguments,
                std::vector<std::pair<const char*, AttributeValue>> attributes) {
        OpId op = op_registry().find(name);
        if (!op.valid()) qFatal("no op %s", name);
        AttributeList list = op_registry()[op].default_attributes();
        for (auto& [key, value] : attributes) list[size_t(op_registry()[op].attribute_index(key))] = value;
        AttributesId id = list.empty() ? AttributesId() : module.add_attributes(list);
        return module.add_call(module.add_op(op), arguments, id);
    }
};

std::shared_ptr<const Rule> compile(const std::string& text, const char* op) {
    RuleContext context;
    if (op) context.op = &op_registry()[op_registry().find(op)];
    auto rule = Rule::compile(text, context);
    if (!rule) {
        qWarning("%s: %s", text.c_str(), rule.error().to_string().c_str());
        return nullptr;
    }
    return *rule;
}

}  // namespace

class TestRule : public QObject {
    Q_OBJECT

private slots:
    void aTraceHasWhatWasAskedInOrder_data() {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("asked");
        QTest::newRow("all of &&") << "attrs.groups == 1 && args[0].dtype == 'float32'"
                                   << "attrs.groups == 1: true; args[0].dtype == 'float32': true";
        QTest::newRow("the first false one ends &&") << "attrs.groups == 2 && args[0].dtype == 'float32'"
                                                     << "attrs.groups == 2: false";
        QTest::newRow("the first true one ends ||")
            << "(attrs.groups == 2 || result.rank == 4 || attrs.groups == 1) && !(result.rank == 5)"
            << "attrs.groups == 2: false; result.rank == 4: true; result.rank == 5: false";
        QTest::newRow("the branch that was taken") << "attrs.groups == 1 ? result.rank == 4 : false"
                                                   << "attrs.groups == 1: true; result.rank == 4: true";
        QTest::newRow("each element, as far as it was asked") << "args.all(a, a.dtype == 'int8')"
                                                              << "args[0].dtype == 'int8': false";
    }
    void aTraceHasWhatWasAskedInOrder() {
        QFETCH(QString, rule);
        QFETCH(QString, asked);
        const Sample sample;
        const auto compiled = compile(rule.toStdString(), "nn.conv2d");
        QVERIFY(compiled);
        RuleContext context;
        context.op = &op_registry()[op_registry().find("nn.conv2d")];
        QStringList said;
        for (const RuleTerm& term : trace_rule(*compiled, context, {sample.module, sample.conv}))
            said << QString::fromStdString(term.text) + (term.value ? ": true" : ": false");
        QCOMPARE(said.join("; "), asked);
    }

    void rulesGiveWhatCelGives_data() {
        QTest::addColumn<bool>("expected");
        for (const char* text : {"true",
                                 "!false",
                                 "1 + 2 * 3 == 7",
                                 "7 / 2 == 3",
                                 "-7 % 3 == -1",
                                 "-6 / -1 == 6",
                                 "2.5 > 2",
                                 "1 in [1, 2]",
                                 "!(3 in [1, 2])",
                                 "true ? true : false",
                                 "'abc'.startsWith('ab')",
                                 "'abc'.endsWith('bc')",
                                 "'abc'.contains('b')",
                                 "size('abc') == 3",
                                 "[1, 2].all(x, x > 0)",
                                 "[1, 2].exists(x, x == 2)",
                                 "[1, 2, 2].exists_one(x, x == 1)",
                                 "![1, 2, 2].exists_one(x, x == 2)",
                                 "[].all(x, false)",
                                 "'a' + 'b' == 'ab'",
                                 "0x10 == 16",
                                 "1e3 == 1000.0",
                                 "false && 1 / 0 == 1 ? false : true",
                                 "1 / 0 == 1 || true",
                                 "!(1 / 0 == 1 && false)",
                                 "r'\\n'.size() == 2",
                                 "int('12') == 12",
                                 "double(3) == 3.0",
                                 "string(3) == '3'",
                                 "[1, [2]] == [1, [2]]",
                                 "max([3, 1]) == 3",
                                 "min([3, 1]) == 1",
                                 "sum([3, 1]) == 4",
                                 "product([]) == 1",
                                 "- -1 == 1",
                                 "[1, 2][1] == 2",
                                 "[[1, 2], [3]].all(l, l.all(x, x > 0))",
                                 "// comment\ntrue",
                                 "op == 'nn.conv2d'",
                                 "attrs.kernel_size == [3, 3]",
                                 "attrs.kernel_size[0] == 3",
                                 "attrs['groups'] == 1",
                                 "attrs.channels == null",
                                 "!has(attrs.channels)",
                                 "has(attrs.kernel_size)",
                                 "attrs.out_dtype == ''",
                                 "args.size() == 2",
                                 "size(args) == 2",
                                 "args[0].dtype == 'float32'",
                                 "args[0].shape == [1, 16, 32, 32]",
                                 "args[0].rank == 4",
                                 "args[0].op == 'cast'",
                                 "args[0].attrs.dtype == 'float32'",
                                 "args[0].args[0].dtype == 'int8'",
                                 "args[0].args[0].name == 'data'",
                                 "args[1].is_var",
                                 "!args[1].is_constant",
                                 "args[0].skip(['cast']).name == 'data'",
                                 "args[0].chain(3) == ['cast']",
                                 "result.shape == [1, 8, 32, 32]",
                                 "product(result.shape) == 8192",
                                 "result.size == 8192",
                                 "result.bytes == 32768",
                                 "users.size() == 1",
                                 "users[0].op == 'nn.relu'",
                                 "users.exists(u, u.op == 'nn.relu')",
                                 "name == '/encoder/layer.3/Conv'",
                                 "scope == ['encoder', 'layer.3']",
                                 "'layer.3' in scope",
                                 "!('layer.30' in scope) && !('Conv' in scope)",
                                 "result.scope[0].startsWith('enc')",
                                 "has(result.scope) && !has(users[0].scope)",
                                 "function.name == 'main'",
                                 "function.attrs.Speed == 3",
                                 "function.attrs['Speed'] == 3",
                                 "!has(function.attrs['Slow'])",
                                 "!has(function.attrs.Slow)",
                                 "flops == 2.0 * 8192.0 * 144.0",
                                 "bytes == 65536 + 4608 + 32768",
                                 "args[0].kind == 'call'",
                                 "args[0] != args[1]",
                                 "args[0] == users[0].args[0].args[0]",
                                 "args[0].type == 'Tensor[(1, 16, 32, 32), float32]'",
                                 "args.all(a, a.dtype in ['float32', 'int8'])",
                                 "users[0].users[0].args[1].value == 2",
                                 "users[0].users[0].args[1].is_constant"})
            QTest::newRow(text) << true;
        for (const char* text :
             {"args[0].dtype == 'int8'", "1 / 0 == 1", "users[3].rank == 1", "args[0].args[0].attrs.dtype == ''",
              "'layer.3' in users[0].scope", "!('layer.3' in users[0].scope)", "scope[2] == 'Conv'",
              "9223372036854775807 + 1 > 0", "int('12x') == 12", "double('1.5x') == 1.5", "args[0].value == 1",
              "result.index == 0"})
            QTest::newRow(text) << false;
    }
    void rulesGiveWhatCelGives() {
        QFETCH(bool, expected);
        Sample sample;
        auto rule = compile(QTest::currentDataTag(), "nn.conv2d");
        QVERIFY(rule);
        ModuleFacts facts(sample.module);
        RuleSubject subject{sample.module, sample.conv, &facts};
        QCOMPARE(rule->evaluate(subject), expected);
        RuleExplanation explanation = rule->explain(subject);
        QCOMPARE(explanation.value, expected);
        QVERIFY(expected || !explanation.terms.empty());
    }

    void bytesThatNoIntegerHoldsAreAFault() {
        for (auto [rows, known] : {std::pair(2999999999, true), std::pair(3000000000, false)}) {
            Module module;
            const ExprId x = module.add_var("x", module.types().tensor(kUInt8, {1500000000, rows}));
            const ExprId call = module.add_call(module.add_op(op_registry().find("copy")), {{x}}, AttributesId());
            module.set_function("main", module.add_function({{x}}, call));
            QVERIFY(infer_types(module));
            ModuleFacts facts(module);
            QCOMPARE(compile("bytes > 0", "copy")->evaluate({module, call, &facts}), known);
        }
    }

    void faultsAreFoundWhenTheRuleIsWritten_data() {
        QTest::addColumn<QString>("message");
        auto row = [](const char* text, const char* message) { QTest::newRow(text) << message; };
        row("", "1:1: error: expected a value, found the end");
        row("true &&", "1:8: error: expected a value, found the end");
        row("true true", "1:6: error: expected an operator, found 'true'");
        row("true and false", "1:6: error: expected an operator (and is written &&), found 'and'");
        row("true or false", "1:6: error: expected an operator (or is written ||), found 'or'");
        row("attrs.stride == [1, 1]", "1:7: error: nn.conv2d has no attribute 'stride'; did you mean 'strides'?");
        row("true &&\n attrs['group'] == 1", "2:8: error: nn.conv2d has no attribute 'group'; did you mean 'groups'?");
        row("args[0].dtyp == 'int8'", "1:9: error: an expression has no 'dtyp'; did you mean 'dtype'?");
        row("args[0].dtype == 'flaot32'", "1:18: error: there is no dtype 'flaot32'; did you mean 'float32'?");
        row("args[0].op == 'nn.rleu'", "1:15: error: there is no operator 'nn.rleu'; did you mean 'nn.relu'?");
        row("arg[0].rank == 1", "1:1: error: there is no 'arg'; did you mean 'args'?");
        row("true &&\n block == 3", "2:2: error: there is no 'block'; name a block by its scope: 'layer.3' in scope");
        row("scop == []", "1:1: error: there is no 'scop'; did you mean 'scope'?");
        row("scope == 'layer.3'", "1:10: error: can't compare a list of strings with a string");
        row("groups == 1", "1:1: error: there is no 'groups'; did you mean 'attrs.groups'?");
        row("attrs.groups", "1:1: error: a rule is true or false; this is an integer");
        row("attrs.groups == '1'", "1:17: error: can't compare an integer with a string");
        row("attrs.groups == null", "1:17: error: can't compare an integer with null (it is never null)");
        row("args[2].rank == 1", "1:6: error: nn.conv2d has 2 arguments");
        row("args.rank == 1",
            "1:6: error: a list has no 'rank'; name an element ([0]) or use .all(x, ...) or .exists(x, ...)");
        row("args.all(a)", "1:6: error: 'all' takes 2 arguments, found 1: write list.all(x, condition)");
        row("args.each(a, true)", "1:6: error: there is no method 'each'");
        row("siz(args) == 1", "1:1: error: there is no function 'siz'; did you mean 'size'?");
        row("size() == 1", "1:1: error: 'size' takes 1 argument, found 0: write size(list)");
        row("flops > 1 + 1.5",
            "1:13: error: can't calculate with an integer and a floating-point number; convert one with "
            "double(...) or int(...)");
        row("op = 'add'", "1:4: error: '=' can't stand here; did you mean '=='?");
        row("op in ['a', @]", "1:13: error: the character '@' can't stand here");
        row("true & true", "1:6: error: '&' can't stand here; did you mean '&&'?");
        row("true | true", "1:6: error: '|' can't stand here; did you mean '||'?");
        row("1 < 2 < 3", "1:7: error: comparisons can't be chained: expected '&&', found '<'");
        row("'abc", "1:1: error: the string has no end");
        row("12ab == 1", "1:1: error: '12ab' is no number");
        row("1.5e999 == 1.0", "1:1: error: '1.5e999' is no number");
        row("99999999999999999999 == 1", "1:1: error: '99999999999999999999' does not fit into 64 bits");
        row("attrs && true", "1:1: error: expected true or false, found attributes");
        row("args[0].shape in 3", "1:18: error: expected a list, found an integer");
        row("'a' in args[0].dtype", "1:8: error: 'in' needs a list; for a string write text.contains(part)");
        row("args[0].rank.contains('b')", "1:1: error: expected a string, found an integer");
        row("args[0].dtype.contains(3)", "1:24: error: expected a string, found an integer");
        row("function.attrs[3] == 3", "1:16: error: expected an attribute's name in quotes");
        row("args.all(1, true)", "1:10: error: expected the name of a variable");
    }
    void whatMayBeNoneIsComparedWithNull() {
        const RuleContext context{&op_registry()[op_registry().find("nn.conv2d")], {}};
        for (const char* rule : {"attrs.channels == null", "attrs.kernel_size != null"}) {
            const auto compiled = Rule::compile(rule, context);
            QVERIFY2(bool(compiled), compiled ? "" : compiled.error().to_string().c_str());
        }
        // A part of a pattern that may be absent.
        const auto compiled = Rule::compile("bias != null && bias.rank == 1", {nullptr, {{"bias"}}});
        QVERIFY2(bool(compiled), compiled ? "" : compiled.error().to_string().c_str());
    }

    void faultsAreFoundWhenTheRuleIsWritten() {
        QFETCH(QString, message);
        RuleContext context{&op_registry()[op_registry().find("nn.conv2d")], {}};
        auto rule = Rule::compile(QTest::currentDataTag(), context);
        QVERIFY(!rule);
        QCOMPARE(QString::fromStdString(rule.error().to_string()), message);
    }

    void explanationNamesTheTermsThatDecided_data() {
        QTest::addColumn<QString>("expected");
        auto row = [](const char* text, const char* expected) { QTest::newRow(text) << expected; };
        row("args[0].dtype == 'int8'", "args[0].dtype == 'int8': args[0].dtype is 'float32'");
        row("attrs.groups == 1 && args[0].dtype == 'int8' && attrs.kernel_size == [1, 1]",
            "args[0].dtype == 'int8': args[0].dtype is 'float32'; and attrs.kernel_size == [1, 1]: attrs.kernel_size "
            "is "
            "[3, 3]");
        row("args.all(a, a.rank == 4 && a.dtype == 'int8')",
            "args[0].dtype == 'int8': args[0].dtype is 'float32'; and args[1].dtype == 'int8': args[1].dtype is "
            "'float32'");
        row("args[1].is_constant || attrs.groups > 1",
            "args[1].is_constant is false; or attrs.groups > 1: attrs.groups is 1");
        row("!(args[0].dtype == 'float32')", "!(args[0].dtype == 'float32'): args[0].dtype is 'float32'");
        row("'layer.2' in scope", "'layer.2' in scope: scope is ['encoder', 'layer.3']");
        row("'layer.2' in users[0].scope", "'layer.2' in users[0].scope: 'users[0].scope': it has no name in its file");
        row("users[2].rank == 1", "users[2].rank == 1: 'users[2]': there is no such element");
        row("attrs.groups == 1 || args[0].rank == 9", "attrs.groups == 1: attrs.groups is 1");
        row("(attrs.groups == 2) ? true : args[0].rank == 5",
            "args[0].rank == 5: args[0].rank is 4; or attrs.groups == 2: attrs.groups is 1");
        row("product(result.shape) < 10", "product(result.shape) < 10: product(result.shape) is 8192");
    }
    void explanationNamesTheTermsThatDecided() {
        QFETCH(QString, expected);
        Sample sample;
        auto rule = compile(QTest::currentDataTag(), "nn.conv2d");
        QVERIFY(rule);
        RuleExplanation explanation = rule->explain({sample.module, sample.conv});
        QCOMPARE(QString::fromStdString(explanation.to_string()), expected);
    }

    void aTermPointsToWhatItSpeaksOf() {
        Sample sample;
        auto rule = compile("args[0].args[0].dtype == 'int16'", "nn.conv2d");
        RuleExplanation explanation = rule->explain({sample.module, sample.conv});
        QCOMPARE(explanation.terms.size(), size_t(1));
        QCOMPARE(explanation.terms[0].operands[0].expr, sample.data);
    }

    // Random rules over boolean atoms: changing the reported terms, and nothing else, makes the rule true; and each of
    // them is needed.
    void changingTheStatedTermsMakesTheRuleTrue() {
        Sample sample;
        uint32_t state = 12345;
        auto random = [&](uint32_t limit) { return (state = state * 1664525 + 1013904223) / 65536 % limit; };
        std::function<std::string(int)> make = [&](int depth) -> std::string {
            static const char* kAtoms[] = {"args[0].rank == 4", "args[1].rank == 5",  "attrs.groups == 1",
                                           "attrs.groups == 2", "users[7].rank == 1", "args[0].dtype == 'int8'",
                                           "args[1].is_var",    "has(attrs.channels)"};
            switch (depth <= 0 ? 0 : random(8)) {
                case 1:
                case 2: return "(" + make(depth - 1) + " && " + make(depth - 1) + ")";
                case 3:
                case 4: return "(" + make(depth - 1) + " || " + make(depth - 1) + ")";
                case 5: return "!(" + make(depth - 1) + ")";
                case 6: return "(" + make(depth - 1) + " ? " + make(depth - 1) + " : " + make(depth - 1) + ")";
                case 7:
                    return std::string(random(2) ? "args.all" : "args.exists") +
                           "(a, a.rank == " + std::to_string(3 + random(3)) + " || " + make(depth - 2) + ")";
                default: return kAtoms[random(8)];
            }
        };
        int false_rules = 0, repaired = 0;
        for (int i = 0; i < 20000; ++i) {
            std::string text = make(4);
            auto rule = compile(text, "nn.conv2d");
            QVERIFY(rule);
            RuleSubject subject{sample.module, sample.conv};
            RuleExplanation explanation = rule->explain(subject);
            QCOMPARE(explanation.value, rule->evaluate(subject));
            if (explanation.value) continue;
            ++false_rules;
            QVERIFY2(!explanation.terms.empty(), text.c_str());
            for (int alternative = 0; alternative <= explanation.terms.back().alternative; ++alternative) {
                std::vector<RuleTerm> chosen;
                for (const RuleTerm& term : explanation.terms)
                    if (term.alternative == alternative) chosen.push_back(term);
                QVERIFY2(rule->evaluate_with_flipped(subject, chosen), (text + "\n" + explanation.to_string()).c_str());
                ++repaired;
            }
        }
        QVERIFY(false_rules > 5000);
        qInfo("%d false rules, %d alternatives, each made its rule true", false_rules, repaired);
    }

    void deepAndLongRulesAreRefusedNotCrashedOn() {
        auto repeated = [](const char* part, int times) {
            std::string text;
            for (int i = 0; i < times; ++i) text += part;
            return text;
        };
        // Not a braced list: GCC 12 warns wrongly about long strings in one.
        std::vector<std::string> texts(6);
        texts[0] = repeated("(", 5000);
        texts[1] = repeated("!", 5000) + "true";
        texts[2] = repeated("-", 5000) + "1 == 1";
        texts[3] = "[1]" + repeated("[0]", 4000) + " == 1";
        texts[4] = "1" + repeated("+1", 4000) + " > 0";
        texts[5] = repeated(" ", 100000) + "true";
        for (const std::string& text : texts) {
            auto rule = Rule::compile(text, {});
            QVERIFY(!rule && !rule.error().message.empty());
        }
        std::string conjunction = "true";
        for (int i = 0; i < 1000; ++i) conjunction += " && true";
        QVERIFY(Rule::compile(conjunction, {}));
    }

    // Randomly corrupted rules produce an error with a position.
    void brokenTextsAreAnsweredNotCrashedOn() {
        const char* kSeeds[] = {"attrs.groups == 1 && args.all(a, a.dtype in ['int8', 'uint8']) || has(attrs.channels)",
                                "(args[0].rank == 4 ? product(result.shape) : 3) > 1e3 && 'a'.startsWith(\"b\")",
                                "args[0].skip(['cast']).chain(3) == ['nn.relu'] && users.exists(u, u.op == 'add')"};
        Sample sample;
        testing::BrokenTexts broken(kSeeds);
        for (int i = 0; i < 30000; ++i) {
            std::string text = broken.next();
            auto rule = Rule::compile(text, {&op_registry()[op_registry().find("nn.conv2d")], {}});
            if (rule) (*rule)->explain({sample.module, sample.conv});
            else QVERIFY(!rule.error().message.empty());
        }
    }

    void nestedLoopsEndInAnError() {
        Sample sample;
        std::string list = "[0";
        for (int i = 1; i < 100; ++i) list += "," + std::to_string(i);
        list += "]";
        auto rule = compile(
            list + ".all(a, " + list + ".all(b, " + list + ".all(c, " + list + ".all(d, a+b+c+d >= 0))))", nullptr);
        QVERIFY(rule);
        QVERIFY(!rule->evaluate({sample.module, sample.conv}));
    }

    void aTypicalRuleCostsUnderAMicrosecond() {
        Sample sample;
        auto rule = compile(
            "attrs.groups == 1 && attrs.kernel_size == [3, 3] && args[0].dtype == 'float32' && "
            "args.all(a, a.rank == 4)",
            "nn.conv2d");
        RuleSubject subject{sample.module, sample.conv};
        // The best of many rounds counts, because other programs may run.
        constexpr int kRounds = 200, kTimes = 1000;
        double nanoseconds = 1e9;
        int accepted = 0;
        for (int round = 0; round < kRounds; ++round) {
            QElapsedTimer timer;
            timer.start();
            for (int i = 0; i < kTimes; ++i) accepted += rule->evaluate(subject);
            nanoseconds = std::min(nanoseconds, double(timer.nsecsElapsed()) / kTimes);
        }
        QCOMPARE(accepted, kRounds * kTimes);
        qInfo("%.0f ns", nanoseconds);
#ifdef NDEBUG
        QVERIFY(nanoseconds < 1000);
#endif
    }
};

PARTITA_TEST(TestRule)

}  // namespace test_rule

#include "test_rule.moc"
