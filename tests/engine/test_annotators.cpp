// Annotators: programs that say which calls a backend takes. What they answer, what becomes of answers that are none,
// and which condition of a file in Python decided.
#include <QtTest>

#include <atomic>
#include <map>
#include <thread>

#include "engine/annotators/annotator.h"
#include "engine/explain/explain.h"
#include "engine/flow/flow.h"
#include "engine/flow/flow_choice.h"
#include "engine/ir/traversal.h"
#include "engine/passes/merge_composite.h"
#include "engine/rules/annotated_backend.h"
#include "engine/rules/pattern_matcher.h"
#include "engine/support/stopwatch.h"
#include "tests/engine/reference_data.h"
#include "tests/engine/relay_testing.h"
#include "tests/registry.h"

namespace test_annotators {

using namespace partita;

namespace {

const char* const kAdds = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2, 3), float32], %y: Tensor[(2, 3), float32]) {
  %0 = add(%x, %y);
  %1 = add(%0, %y);
  %2 = add(%1, %y);
  add(%2, %y)
}
)";

std::vector<ExprId> calls_of(const Module& module) {
    std::vector<ExprId> calls;
    for (ExprId id : post_order(module, module.find_function("main")))
        if (called_op_record(module, id)) calls.push_back(id);
    return calls;
}

std::vector<AnnotatorQuestion> questions_about(const Module& module, const AnnotatorSelf& self) {
    std::vector<AnnotatorQuestion> questions;
    for (ExprId call : calls_of(module))
        if (self.all_ops || std::ranges::find(self.ops, called_op_record(module, call)->name) != self.ops.end())
            questions.push_back({{module.called_op(call), -1}, call});
    return questions;
}

/// Takes part in the protocol with lines that are given: first those about itself, then those about the questions.
class Script {
public:
    explicit Script(const QByteArray& answers, const QByteArray& itself = "{\"ops\": [\"add\"]}") {
        QFile file(path());
        file.open(QIODevice::WriteOnly);
        file.write("read line\ncat <<'END'\n" + itself + "\nEND\nread line\nread line\n" + answers + "\n");
    }
    QString path() const { return folder_.filePath("script.sh"); }
    std::string annotator() const { return "command:sh " + path().toStdString(); }

private:
    QTemporaryDir folder_;
};

BackendDescription backend_of(const std::string& file) {
    Result<BackendDescription> backend = load_backend(file);
    if (!backend) qFatal("%s", backend.error().to_string().c_str());
    std::vector<Diagnostic> notes;
    if (Status started = start_annotators({&*backend, 1}, notes); !started)
        qFatal("%s", started.error().to_string().c_str());
    return std::move(*backend);
}

std::string in_folder(const QTemporaryDir& folder, const QByteArray& text, const char* name = "rules.py") {
    const QString path = folder.filePath(name);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) qFatal("can't write");
    file.write(text);
    return path.toStdString();
}

std::string own_file(const char* name) { return std::string(PARTITA_SOURCE_DIR "/tests/annotators/") + name; }

FlowResult flow_of(const Module& module, const BackendDescription& backend) {
    FlowOptions options;
    options.backends = {backend};
    Result<FlowResult> flow = run_flow(std::make_shared<const Module>(copy_module(module)), options);
    if (!flow) qFatal("%s", flow.error().to_string().c_str());
    return std::move(*flow);
}

/// A call that the file's condition at `span` refused, and what was said of it.
struct Refusal {
    AnnotatorQuestion question;
    AnnotatorAnswer answer;
};

std::string with_negated(const std::string& text, const std::vector<int>& span) {
    const auto offset = [&](int line, int column) {
        size_t at = 0;
        for (int i = 1; i < line; ++i) at = text.find('\n', at) + 1;
        return at + size_t(column);
    };
    const size_t begin = offset(span[0], span[1]), end = offset(span[2], span[3]);
    return text.substr(0, begin) + "(not (" + text.substr(begin, end - begin) + "))" + text.substr(end);
}

}  // namespace

class TestAnnotators : public QObject {
    Q_OBJECT

private slots:
    void aFileInPythonAnswersWithTheLineThatDecided();
    void theConditionThatIsNamedDecides_data();
    void theConditionThatIsNamedDecides();
    void aWalkNamesTheLinesThatARuleReaches();
    void aWalkTellsAttributesAndArguments();
    void aWalkNamesTheLinesThatAPatternsCheckReaches();
    void whatIsLackingIsSaidWhereItIsUsed();
    void aRuleThatRaisesShowsWhere();
    void rulesThatFailAreNamedWithTheirCalls();
    void aFileThatPrintsDisturbsNothing();
    void whatWasStartedRunsThoughTheFileChanges();
    void patternsBecomeTheProgramsOwn_data();
    void patternsBecomeTheProgramsOwn();
    void aFilesOwnFlowIsRead();
    void answersThatAreNoneLeaveTheirCallsAlone_data();
    void answersThatAreNoneLeaveTheirCallsAlone();
    void ofAWalkOnlyWhatIsAStepIsTaken();
    void whatAnsweredBeforeACrashStays();
    void whatEndsTheProcessCostsItsCallAlone_data();
    void whatEndsTheProcessCostsItsCallAlone();
    void aRuleThatNeverAnswersIsStopped();
    void aLineThatIsNeverEndedIsNotWaitedFor();
    void silenceAndFloodEnd_data();
    void silenceAndFloodEnd();
    void aCancelEndsAQuestionWithinAFifthOfASecond();
    void onlyWhatChangedIsAskedAgain();
    void sharedOperandsAreToldApart();
    void annotatorsMakeRegionsOfTheirOwn();
    void whatAnAnnotatorPutsInNoRegionJoinsOthers();
    void theFileOfDnnlGivesWhatTheShippedOneGives();
    void theReferenceFilesAnswerForEveryCall_data();
    void theReferenceFilesAnswerForEveryCall();
};

void TestAnnotators::aFileInPythonAnswersWithTheLineThatDecided() {
    const BackendDescription backend = backend_of(own_file("tile_engine.py"));
    const Module module = typed_module(testing::read_text(PARTITA_SOURCE_DIR "/tests/annotators/small.relay"));
    QCOMPARE(backend.name, std::string("tile_engine"));
    AnnotatorSession session(backend.running, module);
    std::vector<std::string> said;
    const std::vector<AnnotatorQuestion> questions = questions_about(module, backend.running->self());
    for (const AnnotatorAnswer& answer : session.ask(questions, true))
        said.push_back(answer.accepted ? "" : answer.to_string());
    const std::vector<std::string> expected{
        "tile_engine.py:35: return all([int(dim) % 4 == 0 for dim in shape]): int(dim) = 6",
        "",
        "tile_engine.py:61: return expr.attrs.temperature > 0: AttributeError: relay.attrs.SoftmaxAttrs has no "
        "attribute temperature",
        "",
        "tile_engine.py:48: if attrs.groups != 1 or attrs[\"data_layout\"] != \"NCHW\": groups = 4",
        "",
        "tile_engine.py:51: return kernel in [(1, 1), (3, 3)] and float_only(expr): kernel = (5, 5)"};
    std::vector<std::string> found = said;
    std::ranges::sort(found);
    std::vector<std::string> wanted = expected;
    std::ranges::sort(wanted);
    QCOMPARE(found, wanted);
    // Without a trace the verdicts are the same.
    const std::vector<AnnotatorAnswer> plain = AnnotatorSession(backend.running, module).ask(questions, false);
    for (size_t i = 0; i < plain.size(); ++i) QCOMPARE(plain[i].accepted, said[i].empty());
}

void TestAnnotators::theConditionThatIsNamedDecides_data() {
    QTest::addColumn<QByteArray>("rule");
    QTest::addColumn<QString>("decision");
    const auto add = [](const char* rule, const char* decision) {
        QTest::newRow(decision) << QByteArray(rule) << QString(decision);
    };
    add("    if len(call.args) == 2:\n        return False\n    return True\n",
        "5: if len(call.args) == 2: len(call.args) = 2");
    add("    if len(call.args) == 3:\n        return True\n    return False\n",
        "5: if len(call.args) == 3: len(call.args) = 2");
    add("    a = 1\n    if a == 1:\n        if a == 3:\n            a = 4\n        return False\n    return True\n",
        "6: if a == 1: a = 1");
    add("    a = 1\n    if a == 1:\n        if a == 3:\n            return True\n        return False\n    return "
        "True\n",
        "7: if a == 3: a = 1");
    add("    a, b = 1, 2\n    return a == 1 and b == 3 and a == 7\n", "6: return a == 1 and b == 3 and a == 7: b = 2");
    add("    a, b = 1, 2\n    return not (a == 4 or b == 2)\n", "6: return not (a == 4 or b == 2): b = 2");
    add("    a = 4\n    return (\n        a == 4\n        and a < 3\n    )\n", "8: a < 3: a = 4");
    add("    for arg in call.args:\n        if arg.checked_type.dtype != \"int8\":\n            return False\n    "
        "return "
        "True\n",
        "6: if arg.checked_type.dtype != \"int8\": arg.checked_type.dtype = 'float32'");
    add("    ok = True\n    if len(call.args) > 1:\n        ok = False\n    return ok\n",
        "6: if len(call.args) > 1: len(call.args) = 2");
    add("    ok = len(call.args) > 2\n    return ok\n", "5: ok = len(call.args) > 2: len(call.args) = 2");
    add("    return inner(call, 5)\n\n\ndef inner(call, least):\n    return len(call.args) >= least\n",
        "9: return len(call.args) >= least: len(call.args) = 2, least = 5");
    add("    return False\n", "5: return False");
    add("    return any(arg.checked_type.dtype == kind for arg in call.args for kind in ('int8', 'bool'))\n",
        "5: return any(arg.checked_type.dtype == kind for arg in call.args for kind in ('int8', 'bool')): "
        "arg.checked_type.dtype = 'float32', kind = 'bool'");
    add("    check = lambda n: n > 3\n    return check(len(call.args))\n", "5: n > 3: n = 2");
    add("    return len(call.args) > 2 if call.attrs is None else True\n",
        "5: return len(call.args) > 2 if call.attrs is None else True: len(call.args) = 2");
    add("    try:\n        if len(call.args) > 1:\n            return False\n    finally:\n        pass\n    return "
        "True\n",
        "6: if len(call.args) > 1: len(call.args) = 2");
    add("    pass\n", "4: the end of rule, without a return");
}

void TestAnnotators::theConditionThatIsNamedDecides() {
    QFETCH(QByteArray, rule);
    QFETCH(QString, decision);
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(
        folder, "import tvm.ir\n\n@tvm.ir.register_op_attr(\"add\", \"target.x\")\ndef rule(call):\n" + rule));
    const Module module = typed_module(kAdds);
    const ExprId call = calls_of(module).front();
    const AnnotatorQuestion question{{module.called_op(call), -1}, call};
    const AnnotatorAnswer answer = AnnotatorSession(backend.running, module).ask({&question, 1}, true).front();
    QCOMPARE(q(answer.to_string()), "rules.py:" + decision);
    QVERIFY(!answer.accepted);
}

void TestAnnotators::aWalkNamesTheLinesThatARuleReaches() {
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(import tvm.ir


def large(shape):
    return int(shape[0]) > 2


@tvm.ir.register_op_attr("add", "target.mine")
def add(call):
    shape = call.args[0].checked_type.shape
    if large(shape):
        return True
    return False
)"));
    const Module module = typed_module(kAdds);
    const ExprId call = calls_of(module).front();
    const AnnotatorQuestion question{{module.called_op(call), -1}, call};
    AnnotatorSession session(backend.running, module);
    const std::vector<AnnotatorStep> all = session.walk({&question, 1}, {}).front().walk;
    std::vector<int> lines;
    for (const AnnotatorStep& step : all) lines.push_back(step.line);
    QCOMPARE(lines, (std::vector{10, 11, 5, 13}));
    // Each stands before its line: what the line gives a name has a value at the next one.
    const auto shape = [](const AnnotatorStep& step) {
        const auto found = std::ranges::find(step.values, "shape", [](const auto& value) { return value.first; });
        return found == step.values.end() ? std::string() : found->second;
    };
    QCOMPARE(shape(all[0]), std::string());
    QVERIFY2(shape(all[1]).find('2') != std::string::npos, shape(all[1]).c_str());
    // Of some lines only whether they are reached.
    const std::vector<int> wanted{5, 13}, unreached{12};
    QVERIFY(!session.walk({&question, 1}, wanted).front().walk.empty());
    QVERIFY(session.walk({&question, 1}, unreached).front().walk.empty());
}

void TestAnnotators::aWalkTellsAttributesAndArguments() {
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(import tvm.ir

@tvm.ir.register_op_attr("nn.dense", "target.x")
def dense(call):
    attrs, args = call.attrs, call.args
    data = args[0]
    return attrs.units == 8 and args[1].checked_type.shape[0] == 8
)"));
    const Module module = typed_module(
        "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 4), float32], %w: Tensor[(8, 4), float32]) {\n"
        "  nn.dense(exp(%x), %w, units=8)\n}\n");
    const AnnotatorQuestion question{{module.called_op(calls_of(module).back()), -1}, calls_of(module).back()};
    const AnnotatorStep last = AnnotatorSession(backend.running, module).walk({&question, 1}, {}).front().walk.back();
    QStringList names;
    for (const auto& [name, value] : last.values) names << q(name + " = " + value);
    QVERIFY2(names.filter(QRegularExpression("^attrs = .*'units', 8")).size() == 1, qPrintable(names.join("; ")));
    QVERIFY2(names.contains("args = [a call of exp, %w]"), qPrintable(names.join("; ")));
}

void TestAnnotators::aWalkNamesTheLinesThatAPatternsCheckReaches() {
    const BackendDescription backend = backend_of(own_file("tile_engine.py"));
    const FlowResult flow = flow_of(
        typed_module("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 4), float32], %w: Tensor[(8, 4), float32], "
                     "%b: Tensor[(8), float32]) { nn.bias_add(nn.dense(%x, %w, units=8), %b) }\n"),
        backend);
    FlowExplainer explainer(flow, {&backend, 1});
    int walks = 0;
    for (const Decision& decision : flow.log.decisions()) {
        if (decision.pass != PassKind::Composite) continue;
        const std::vector<AnnotatorStep> steps = explainer.walk(decision);
        QCOMPARE(steps.size(), size_t(decision.kind == DecisionKind::PatternMatched));  // its only line
        walks += int(steps.size());
    }
    QCOMPARE(walks, 1);
}

void TestAnnotators::whatIsLackingIsSaidWhereItIsUsed() {
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(import tvm.ir
from tvm.relay.backend.contrib.nowhere import helper

@tvm.ir.register_op_attr("add", "target.x")
def rule(call):
    return helper(call)
)"));
    const Module module = typed_module(kAdds);
    const FlowResult flow = flow_of(module, backend);
    FlowExplainer explainer(flow, {&backend, 1});
    const CallExplanation why = explainer.explain_call(calls_of(*flow.input).front());
    QCOMPARE(q(why.causes.front().reason.text()),
             QString("rules.py:6: return helper(call): no tvm.relay.backend.contrib.nowhere.helper"));
    // At the top of a file it is what is wrong with the file.
    Result<BackendDescription> broken = load_backend(in_folder(folder, "import tvm\n\ntvm.nowhere.run()\n"));
    std::vector<Diagnostic> notes;
    const Status started = start_annotators({&*broken, 1}, notes);
    QVERIFY(!started);
    QVERIFY2(q(started.error().to_string()).endsWith("rules.py:3: error: no tvm.nowhere.run"),
             started.error().to_string().c_str());
}

void TestAnnotators::aRuleThatRaisesShowsWhere() {
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(import tvm.ir

def third(call):
    return call.args[2].checked_type

@tvm.ir.register_op_attr("add", "target.x")
def rule(call):
    return third(call).dtype == "int8"
)"));
    const Module module = typed_module(kAdds);
    const std::vector<AnnotatorQuestion> questions = questions_about(module, backend.running->self());
    const AnnotatorAnswer answer = AnnotatorSession(backend.running, module).ask(questions, true).front();
    QCOMPARE(q(answer.place()),
             QString("rules.py:4: return call.args[2].checked_type: IndexError: tuple index out of range"));
    QCOMPARE(answer.traceback.size(), size_t(2));
    QVERIFY(q(answer.traceback[0]).contains("rules.py:8: in rule"));
}

/// A condition that is false is no fault; what raises is one, whether or not the rule was entered.
void TestAnnotators::rulesThatFailAreNamedWithTheirCalls() {
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(import tvm.ir

@tvm.ir.register_op_attr("add", "target.x")
def add(call):
    return unknown > 3

@tvm.ir.register_op_attr("exp", "target.x")
def exp():
    return True

@tvm.ir.register_op_attr("tanh", "target.x")
def tanh(call):
    return call.checked_type.dtype == "int8"
)"));
    const FlowResult flow = flow_of(typed_module("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 3), float32]) {\n"
                                                 "  tanh(exp(add(add(%x, %x), %x)))\n}\n"),
                                    backend);
    QStringList told;
    for (const RuleFault& fault : FlowExplainer(flow, {&backend, 1}).rule_faults())
        told << QString("%1 %2 %3 %4: %5")
                    .arg(q(fault.rule))
                    .arg(fault.calls.size())
                    .arg(q(fault.place))
                    .arg(fault.line)
                    .arg(q(fault.reason).section(':', 0, 0));
    told.sort();
    QCOMPARE(told, (QStringList{"ops.add 2 rules.py:5 5: NameError", "ops.exp 1 rules.py:7 7: TypeError"}));
}

void TestAnnotators::aFileThatPrintsDisturbsNothing() {
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(import os, sys
import tvm.ir
print("{\"done\": 1}")

@tvm.ir.register_op_attr("add", "target.x")
def rule(call):
    print("{\"call\": 1, \"accepted\": false}", flush=True)
    os.write(1, b"no JSON\n")
    assert sys.stdin.read() == ""
    return True
)"));
    const Module module = typed_module(kAdds);
    for (const AnnotatorAnswer& answer :
         AnnotatorSession(backend.running, module).ask(questions_about(module, backend.running->self()), false))
        QVERIFY2(answer.accepted, answer.to_string().c_str());
}

void TestAnnotators::whatWasStartedRunsThoughTheFileChanges() {
    QTemporaryDir folder;
    // The first question ends the process once; the one that is started for the rest finds another file.
    const BackendDescription backend = backend_of(in_folder(folder, R"(import os
import tvm.ir

@tvm.ir.register_op_attr("add", "target.x")
def rule(call):
    if not os.path.exists(__file__ + ".ended"):
        open(__file__ + ".ended", "w").close()
        os._exit(1)
    return call.checked_type.dtype == "int8"
)"));
    in_folder(folder, R"(import tvm.ir

@tvm.ir.register_op_attr("add", "target.x")
def rule(call):
    return True
)");
    const Module module = typed_module(kAdds);
    AnnotatorSession session(backend.running, module);
    const std::vector<AnnotatorAnswer> answers = session.ask(questions_about(module, backend.running->self()), true);
    QVERIFY(answers.size() >= 2);
    QCOMPARE(q(answers.back().place()), QString("rules.py:9: return call.checked_type.dtype == \"int8\""));
}

void TestAnnotators::patternsBecomeTheProgramsOwn_data() {
    QTest::addColumn<QByteArray>("pattern");
    QTest::addColumn<QString>("text");
    const auto add = [](const char* pattern, const char* text) {
        QTest::newRow(pattern) << QByteArray(pattern) << QString(text);
    };
    add("is_op('nn.relu')(wildcard())", "nn.relu(*)");
    add("is_op('concatenate')(is_tuple(None))", "concatenate(tuple(...))");
    add("is_op('concatenate')(is_tuple([wildcard()]))", "concatenate((*,))");
    add("is_tuple_get_item(is_op('nn.batch_norm')(None), 0)", "nn.batch_norm(...).0");
    add("is_tuple_get_item(is_op('split')(wildcard()))", "split(*).*");
    add("(is_op('add') | is_op('subtract'))(wildcard(), is_constant())", "(add | subtract)(*, constant)");
    add("is_op('abs')(is_var('x')) | is_op('exp')(is_var())", "abs(var(\"x\")) | exp(var)");
    add("wildcard() + is_expr(const(2.0))", "add(*, 2.0f)");
    add("is_op('power')(wildcard(), is_expr(const(1e-5)))", "power(*, 1e-05f)");
    add("is_op('nn.conv2d')(wildcard(), wildcard()).has_attr({'groups': 1, 'data_layout': 'NHWC'})",
        "nn.conv2d(*, *).has_attr(groups=1, data_layout=\"NHWC\")");
    add("is_op('add')(wildcard().has_dtype('int8'), wildcard().has_shape((1, 3)))",
        "add(*.has_dtype(\"int8\"), *.has_shape(1, 3))");
    add("is_op('add')(wildcard(), wildcard()).optional(is_op('nn.relu'))", "p0 = add(*, *); nn.relu(p0) | p0");
    add("is_op('nn.relu')(wildcard()).dominates(is_op('abs')(wildcard()))", "abs(*).dominates(nn.relu(*), *)");
    add("(lambda x: is_op('multiply')(x, is_op('sigmoid')(x)))(wildcard())", "p0 = *; multiply(p0, sigmoid(p0))");
}

void TestAnnotators::patternsBecomeTheProgramsOwn() {
    QFETCH(QByteArray, pattern);
    QFETCH(QString, text);
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(
from tvm.relay import const
from tvm.relay.dataflow_pattern import *
from tvm.relay.op.contrib.register import register_pattern_table

@register_pattern_table("x")
def table():
    return [("x.y", )" + pattern + R"()]
)"));
    QCOMPARE(backend.patterns.size(), size_t(1));
    QCOMPARE(q(backend.patterns.front().pattern_text), text);
}

void TestAnnotators::aFilesOwnFlowIsRead() {
    const BackendDescription backend = backend_of(own_file("tile_engine.py"));
    const std::optional<AnnotatorFlow>& flow = backend.running->self().flow;
    QVERIFY(flow);
    QCOMPARE(flow->function, std::string("partition_for_tile_engine"));
    QCOMPARE(flow->left_out, std::vector<std::string>{"ConvertLayout"});
    QVERIFY(flow->merge && flow->composite && flow->include_non_call_ops && !flow->simplify);
    QTemporaryDir folder;
    const BackendDescription another = backend_of(in_folder(folder, R"(import tvm
from tvm.relay import transform

@tvm.ir.register_op_attr("add", "target.x")
def rule(call):
    return True

def partition_for_x(mod):
    return tvm.transform.Sequential([
        transform.SimplifyInference(),
        transform.FoldConstant(),
        transform.AnnotateTarget("x"),
        transform.PartitionGraph(),
    ])(mod)
)"));
    const std::optional<AnnotatorFlow>& other = another.running->self().flow;
    QVERIFY(other);
    QVERIFY(other->simplify && other->fold && !other->merge && !other->composite);
}

void TestAnnotators::answersThatAreNoneLeaveTheirCallsAlone_data() {
    QTest::addColumn<QByteArray>("answers");
    QTest::addColumn<QString>("why");
    QTest::newRow("no JSON") << QByteArray("echo hello") << "it wrote what is no JSON: 'hello'";
    QTest::newRow("no object") << QByteArray("echo '[1]'") << "it wrote what is no JSON object: '[1]'";
    QTest::newRow("no answer") << QByteArray("echo '{}'") << "it wrote what is no answer: '{}'";
    QTest::newRow("a call that is not there")
        << QByteArray("echo '{\"call\": 999999, \"accepted\": true}'\necho '{\"done\": 1}'")
        << "it gave no answer; it answered about calls that it was not asked about";
    QTest::newRow("an end without answers") << QByteArray("echo '{\"done\": 1}'") << "it gave no answer";
    QTest::newRow("a fault") << QByteArray("echo '{\"error\": \"out of paper\"}'") << "out of paper";
    QTest::newRow("an exit") << QByteArray("exit 3") << "it ended with status 3";
    QTest::newRow("an exit with words") << QByteArray("echo worn out >&2; exit 3")
                                        << "it ended with status 3: worn out";
    QTest::newRow("a signal") << QByteArray("kill -SEGV $$") << "it was ended by a signal: Segmentation fault";
    QTest::newRow("a constant that is none")
        << QByteArray("echo '{\"need\": 3}'") << "it asked for the values of a constant that is not there";
    QTest::newRow("the expression behind the last")
        << QByteArray("echo '{\"need\": ") + QByteArray::number(qulonglong(typed_module(kAdds).size())) + "}'"
        << "it asked for the values of a constant that is not there";
}

void TestAnnotators::answersThatAreNoneLeaveTheirCallsAlone() {
    QFETCH(QByteArray, answers);
    QFETCH(QString, why);
    const Script script(answers);
    Result<std::shared_ptr<Annotator>> annotator = Annotator::start(script.annotator(), "x");
    QVERIFY2(annotator, annotator ? "" : annotator.error().to_string().c_str());
    const Module module = typed_module(kAdds);
    const std::vector<AnnotatorAnswer> said =
        AnnotatorSession(*annotator, module).ask(questions_about(module, (*annotator)->self()), true);
    QCOMPARE(said.size(), size_t(4));
    for (const AnnotatorAnswer& answer : said) {
        QVERIFY(!answer.accepted);
        QCOMPARE(q(answer.reason), why);
    }
}

void TestAnnotators::ofAWalkOnlyWhatIsAStepIsTaken() {
    const Module module = typed_module(kAdds);
    const ExprId call = calls_of(module).front();
    const Script script(
        "echo '{\"call\": " + QByteArray::number(call.value) +
        ", \"accepted\": true, \"walk\": [7, [], [1], [0, {}], [\"4\", {}], [2, {\"a\": 1}], [5, {}, 6],"
        " {}, [-3, {}], [99999999999, {}], [3, [[\"b\", 2], [\"c\"], [4, 5]]]]}'\necho '{\"done\": 1}'");
    Result<std::shared_ptr<Annotator>> annotator = Annotator::start(script.annotator(), "x");
    QVERIFY(annotator);
    const AnnotatorQuestion question{{module.called_op(call), -1}, call};
    QStringList steps;
    const std::vector<AnnotatorAnswer> answers = AnnotatorSession(*annotator, module).walk({&question, 1}, {});
    for (const AnnotatorStep& step : answers.front().walk) {
        steps << QString::number(step.line);
        for (const auto& [name, value] : step.values) steps.last() += q(" " + name + "=" + value);
    }
    QCOMPARE(steps.join("; "), QString("2 a=1; 3 b=2"));
}

void TestAnnotators::whatAnsweredBeforeACrashStays() {
    const Module module = typed_module(kAdds);
    const std::vector<ExprId> calls = calls_of(module);
    // Answers two calls, and ends; started again it is asked about the one after the next.
    QByteArray answers;
    for (ExprId call : calls)
        if (call != calls[1])
            answers += "case \"$line\" in *," + QByteArray::number(call.value) +
                       "]*) echo '{\"call\": " + QByteArray::number(call.value) +
                       ", \"accepted\": true, \"depth\": 1}';; esac\n";
    const Script script("case \"$line\" in *," + QByteArray::number(calls[1].value) +
                        "]*) echo '{\"call\": " + QByteArray::number(calls[0].value) +
                        ", \"accepted\": true}'; exit 7;; esac\n" + answers + "echo '{\"done\": 4}'");
    Result<std::shared_ptr<Annotator>> annotator = Annotator::start(script.annotator(), "x");
    QVERIFY(annotator);
    const std::vector<AnnotatorAnswer> said =
        AnnotatorSession(*annotator, module).ask(questions_about(module, (*annotator)->self()), true);
    QCOMPARE(said.size(), size_t(4));
    QVERIFY(said[0].accepted && !said[1].accepted && said[2].accepted && said[3].accepted);
    QCOMPARE(q(said[1].reason), QString("it ended with status 7"));
}

/// A rule for `add` that accepts all but the first call, at which it runs `crash`.
static BackendDescription crashing_at_the_first(const QTemporaryDir& folder, const QByteArray& crash) {
    return backend_of(in_folder(folder,
                                "import ctypes, os, sys\nimport tvm.ir\nfrom tvm import relay\n\n"
                                "@tvm.ir.register_op_attr('add', 'target.c')\ndef rule(call):\n"
                                "    if isinstance(call.args[0], relay.Var):\n        " +
                                    crash + "\n    return True\n"));
}

void TestAnnotators::whatEndsTheProcessCostsItsCallAlone_data() {
    QTest::addColumn<QByteArray>("crash");
    QTest::addColumn<QString>("why");
    QTest::newRow("exit") << QByteArray("sys.exit(3)") << "SystemExit: 3";
    QTest::newRow("interrupt") << QByteArray("raise KeyboardInterrupt") << "KeyboardInterrupt";
    QTest::newRow("at once") << QByteArray("os._exit(3)") << "it ended with status 3";
    QTest::newRow("signal") << QByteArray("ctypes.string_at(0)") << "it was ended by a signal";
    QTest::newRow("long words") << QByteArray("raise ValueError('x' * 5000000)") << "ValueError: xxx";
}

void TestAnnotators::whatEndsTheProcessCostsItsCallAlone() {
    QFETCH(QByteArray, crash);
    QFETCH(QString, why);
    const QTemporaryDir folder;
    const BackendDescription backend = crashing_at_the_first(folder, crash);
    const Module module = typed_module(kAdds);
    const std::vector<AnnotatorQuestion> questions = questions_about(module, backend.running->self());
    for (const bool explain : {false, true}) {
        AnnotatorSession session(backend.running, module);
        const std::vector<AnnotatorAnswer> said = session.ask(questions, explain);
        QVERIFY(!said[0].accepted && said[1].accepted && said[2].accepted && said[3].accepted);
        QVERIFY2(q(said[0].reason).startsWith(why), said[0].reason.c_str());
        QCOMPARE(said[0].reason.size() < 5000, true);
    }
    // It is known by then, as are the others.
    const size_t asked = backend.running->asked();
    AnnotatorSession(backend.running, module).ask(questions, true);
    QCOMPARE(backend.running->asked(), asked);
    const FlowResult flow = flow_of(module, backend);
    QCOMPARE(flow.regions.size(), size_t(1));
    const std::string text = explain_text(flow, {&backend, 1});
    QCOMPARE(q(text).count("refuses it"), 1);
    QCOMPARE(q(text).count("the annotator accepts it\n      rules.py:9: return True"), 3);
}

void TestAnnotators::aRuleThatNeverAnswersIsStopped() {
    qputenv("PARTITA_ANNOTATOR_SECONDS", "0.5");
    const QTemporaryDir folder;
    for (const QByteArray loop : {"while True: pass",
                                  "while True:\n            try: sum(range(10 ** 9))\n"
                                  "            except BaseException: pass"}) {
        const BackendDescription backend = crashing_at_the_first(folder, loop);
        const Module module = typed_module(kAdds);
        const Stopwatch watch;
        const std::vector<AnnotatorAnswer> said =
            AnnotatorSession(backend.running, module).ask(questions_about(module, backend.running->self()), true);
        QVERIFY(!said[0].accepted && said[1].accepted && said[2].accepted && said[3].accepted);
        QVERIFY2(q(said[0].reason).contains("it did not end within 0.5 s") || !said[0].answered,
                 said[0].reason.c_str());
        QVERIFY2(watch.milliseconds() < 15000, qPrintable(QString::number(watch.milliseconds())));
    }
    qunsetenv("PARTITA_ANNOTATOR_SECONDS");
}

void TestAnnotators::aLineThatIsNeverEndedIsNotWaitedFor() {
    const Script script("while :; do printf ' '; sleep 0.1; done");
    CoprocessLimits limits;
    limits.silence_seconds = 1;
    const auto annotator = Annotator::start(script.annotator(), "x", {}, limits);
    QVERIFY(annotator);
    const Module module = typed_module(kAdds);
    const std::vector<AnnotatorAnswer> said =
        AnnotatorSession(*annotator, module).ask(questions_about(module, (*annotator)->self()), true);
    for (const AnnotatorAnswer& answer : said) QVERIFY(!answer.answered);
    QVERIFY2(q(said[0].reason).contains("it did not end a line within 1 s"), said[0].reason.c_str());
}

void TestAnnotators::silenceAndFloodEnd_data() {
    QTest::addColumn<QByteArray>("answers");
    QTest::addColumn<QString>("why");
    QTest::newRow("silence") << QByteArray("sleep 100") << "it was silent for 1 s; it was ended";
    QTest::newRow("an endless line") << QByteArray("cat /dev/zero")
                                     << "it wrote a line of more than 4194304 bytes; it was ended";
    QTest::newRow("endless lines") << QByteArray("yes '{\"call\": 999999}'")
                                   << "it answers on and on about calls that it was not asked about";
}

void TestAnnotators::silenceAndFloodEnd() {
    QFETCH(QByteArray, answers);
    QFETCH(QString, why);
    const Script script(answers);
    CoprocessLimits limits;
    limits.silence_seconds = 1;
    Result<std::shared_ptr<Annotator>> annotator = Annotator::start(script.annotator(), "x", {}, limits);
    QVERIFY(annotator);
    const Module module = typed_module(kAdds);
    for (const AnnotatorAnswer& answer :
         AnnotatorSession(*annotator, module).ask(questions_about(module, (*annotator)->self()), true))
        QVERIFY2(q(answer.reason).startsWith(why), answer.reason.c_str());
}

void TestAnnotators::aCancelEndsAQuestionWithinAFifthOfASecond() {
    const Script script("while :; do :; done");
    Result<std::shared_ptr<Annotator>> annotator = Annotator::start(script.annotator(), "x");
    QVERIFY(annotator);
    const Module module = typed_module(kAdds);
    const CancelToken cancel;
    std::atomic<double> cancelled_at = 0;
    const Stopwatch watch;
    std::thread later([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        cancelled_at = watch.milliseconds();
        cancel.cancel();
    });
    const std::vector<AnnotatorAnswer> said =
        AnnotatorSession(*annotator, module).ask(questions_about(module, (*annotator)->self()), true, cancel);
    const double took = watch.milliseconds() - cancelled_at;
    later.join();
    QCOMPARE(q(said.front().reason), QString("cancelled"));
    const double limit = qEnvironmentVariableIsSet("PARTITA_SLOW_MACHINE") ? 2000 : 200;
    QVERIFY2(took < limit, qPrintable(QString::number(took)));
}

void TestAnnotators::onlyWhatChangedIsAskedAgain() {
    const BackendDescription backend = backend_of(own_file("tile_engine.py"));
    const std::string text = testing::read_text(PARTITA_SOURCE_DIR "/tests/annotators/small.relay");
    const Module module = typed_module(text);
    flow_of(module, backend);
    const size_t first = backend.running->asked();
    QVERIFY(first > 0);
    flow_of(module, backend);
    QCOMPARE(backend.running->asked(), first);
    // One weight of another shape: one dense layer, and what is computed from it.
    const Module other = typed_module(QString::fromStdString(text)
                                          .replace("%v: Tensor[(12, 8)", "%v: Tensor[(16, 8)")
                                          .replace("%c: Tensor[(12)", "%c: Tensor[(16)")
                                          .toStdString());
    flow_of(other, backend);
    const size_t second = backend.running->asked() - first;
    QVERIFY2(second >= 1 && second <= 2, qPrintable(QString::number(second)));
}

void TestAnnotators::sharedOperandsAreToldApart() {
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(import tvm.ir

@tvm.ir.register_op_attr("add", "target.x")
def rule(call):
    return call.args[0] == call.args[1]
)"));
    const char* const text = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(2), float32]) {
  %0 = nn.relu(%x);
  %1 = nn.relu(%x);
  %2 = add(%0, %1);
  %3 = add(%0, %0);
  (%2, %3)
}
)";
    const FlowResult flow = flow_of(typed_module(text), backend);
    std::vector<int> taken;
    for (ExprId call : calls_of(*flow.input))
        if (called_op_record(*flow.input, call)->name == "add") taken.push_back(flow.backend_of[call.value]);
    QCOMPARE(taken, (std::vector<int>{-1, 0}));
}

void TestAnnotators::annotatorsMakeRegionsOfTheirOwn() {
    const Module module = typed_module(kAdds);
    const std::vector<ExprId> calls = calls_of(module);
    QByteArray answers;
    for (size_t i = 0; i < calls.size(); ++i)
        answers += "echo '{\"call\": " + QByteArray::number(calls[i].value) +
                   ", \"accepted\": true, \"group\": " + QByteArray::number(int(i / 2) + 1) + "}'\n";
    const Script script(answers + "echo '{\"done\": 4}'");
    Result<BackendDescription> backend =
        parse_backend_description("{\"name\": \"x\", \"annotator\": \"" + script.annotator() + "\"}", "x.json");
    QVERIFY(backend);
    std::vector<Diagnostic> notes;
    QVERIFY(start_annotators({&*backend, 1}, notes));
    const FlowResult flow = flow_of(module, *backend);
    QCOMPARE(flow.regions.size(), size_t(2));
    QCOMPARE(flow.region_of[calls_of(*flow.input)[0].value], flow.region_of[calls_of(*flow.input)[1].value]);
}

void TestAnnotators::whatAnAnnotatorPutsInNoRegionJoinsOthers() {
    QTemporaryDir folder;
    const BackendDescription backend = backend_of(in_folder(folder, R"(import tvm.ir

@tvm.ir.register_op_attr("add", "target.x")
def rule(call):
    return True
)"));
    const auto module = std::make_shared<const Module>(
        typed_module("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { exp(add(add(%x, %x), %x)) }\n"));
    FlowOptions options;
    options.backends = {backend};
    const ExprId exp = module->body(module->find_function("main"));
    options.overrides[exp] = backend.name;
    const Result<FlowResult> flow = run_flow(module, options);
    QVERIFY(flow);
    QCOMPARE(flow->regions.size(), size_t(1));
    QVERIFY(flow->region_of[exp.value] == 0);
}

void TestAnnotators::theFileOfDnnlGivesWhatTheShippedOneGives() {
    if (testing::reference_folder().isEmpty()) QSKIP("no reference data");
    const QString folder = testing::reference_folder();
    const BackendDescription file = backend_of((folder + "/tvm-annotators/dnnl.py").toStdString());
    const Result<BackendDescription> shipped = builtin_backend("dnnl");
    QVERIFY(shipped);
    int compared = 0;
    const auto compare = [&](const std::string& text, const std::string& name) {
        Result<Module> module = parse_relay(text);
        if (!module || !infer_types(*module)) return;
        const FlowResult a = flow_of(*module, file), b = flow_of(*module, *shipped);
        QVERIFY2(print_relay(*a.last()) == print_relay(*b.last()), name.c_str());
        ++compared;
    };
    for (const QFileInfo& model : QDir(folder + "/relay-models").entryInfoList({"*.input.relay", "*.simplified.relay"}))
        compare(testing::read_text(model.filePath()), model.fileName().toStdString());
    for (const nlohmann::json& graph : testing::read_own_data("random_graphs"))
        compare(graph["input"], "seed " + graph["seed"].dump());
    qInfo("%d modules divided alike", compared);
    QVERIFY(compared > 200);
}

void TestAnnotators::theReferenceFilesAnswerForEveryCall_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"arm_compute_lib", "cmsisnn", "cutlass", "dnnl", "tensorrt"}) QTest::newRow(name) << name;
}

/// Each call and match of each model has an answer, and each refusal a condition that decided: with that condition
/// negated in the file the call is accepted, or another cause is found.
void TestAnnotators::theReferenceFilesAnswerForEveryCall() {
    if (testing::reference_folder().isEmpty()) QSKIP("no reference data");
    QFETCH(QString, name);
    const QString folder = testing::reference_folder();
    const QString path = folder + "/tvm-annotators/" + name + ".py";
    const BackendDescription backend = backend_of(path.toStdString());
    const std::string text = testing::read_text(path);
    std::map<std::vector<int>, std::pair<std::shared_ptr<const Module>, Refusal>> by_condition;
    int answered = 0, refused = 0, without_condition = 0, raised = 0;
    for (const QFileInfo& model :
         QDir(folder + "/relay-models").entryInfoList({"*.input.relay", "*.simplified.relay"})) {
        const auto module = std::make_shared<const Module>(typed_module(testing::read_text(model.filePath())));
        std::vector<AnnotatorQuestion> questions = questions_about(*module, backend.running->self());
        for (ExprId call : calls_of(*module))
            for (size_t i = 0; i < backend.patterns.size(); ++i) {
                const std::vector<OpId>& roots = backend.patterns[i].pattern->root_ops();
                if (backend.patterns[i].annotator && std::ranges::find(roots, module->called_op(call)) != roots.end() &&
                    PatternMatcher(*backend.patterns[i].pattern, *module).match(call))
                    questions.push_back({{OpId(), backend.patterns[i].annotator_check}, call});
            }
        const std::vector<AnnotatorAnswer> answers = AnnotatorSession(backend.running, *module).ask(questions, true);
        for (size_t i = 0; i < answers.size(); ++i) {
            QVERIFY2(!answers[i].reason.starts_with("it "), answers[i].to_string().c_str());
            ++answered;
            if (answers[i].accepted) continue;
            ++refused;
            if (!answers[i].reason.empty()) ++raised;
            else if (answers[i].span.size() != 4 || answers[i].line == 0) ++without_condition;
            else by_condition.try_emplace(answers[i].span, module, Refusal{questions[i], answers[i]});
        }
    }
    qInfo("%s: %d answers, %d refusals at %zu conditions, %d raised", qPrintable(name), answered, refused,
          by_condition.size(), raised);
    QCOMPARE(without_condition, 0);
    for (const auto& [span, found] : by_condition) {
        QTemporaryDir changed;
        const std::string other = with_negated(text, span);
        const BackendDescription negated =
            backend_of(in_folder(changed, QByteArray::fromStdString(other), qPrintable(name + ".py")));
        const AnnotatorAnswer now =
            AnnotatorSession(negated.running, *found.first).ask({&found.second.question, 1}, true).front();
        const AnnotatorAnswer& before = found.second.answer;
        QVERIFY2(now.accepted || now.line != before.line || now.values != before.values || !now.reason.empty(),
                 before.to_string().c_str());
    }
}

PARTITA_TEST(TestAnnotators)

}  // namespace test_annotators

#include "test_annotators.moc"
