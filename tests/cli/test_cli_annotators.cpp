// Rules in Python, and in any language, on the command line: with permission only, and with the line that decided.
#include <pty.h>
#include <unistd.h>

#include <algorithm>

#include <QTest>

#include "tests/cli/cli_process.h"
#include "tests/registry.h"

namespace test_cli_annotators {

namespace {

QString own(const QString& name) { return QString(PARTITA_SOURCE_DIR "/tests/annotators/") + name; }

QStringList on_small(const QString& command, const QString& backends) {
    return {command, own("small.relay"), "--backends", backends};
}

const QStringList kAllowed{"--allow-commands"};

/// Backend of each call, by its number.
QStringList placement(const QString& backends) {
    const CliRun run = run_cli(on_small("explain", backends) + kAllowed + QStringList{"--json"});
    QStringList placed;
    for (const QJsonValue& call : run.json()["calls"].toArray()) placed << call.toObject()["backend"].toString();
    return placed;
}

}  // namespace

class TestCliAnnotators : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString path(const QString& name) const { return folder_.filePath(name); }

private slots:
    void nothingRunsWithoutPermission() {
        write_content(path("marking.py"), "open(\"" + path("ran").toUtf8() + "\", \"w\")\n");
        write_content(path("marking.json"), "{\"name\": \"m\", \"annotator\": \"python:marking.py\"}");
        for (const QString& file : {path("marking.py"), path("marking.json")}) {
            const CliRun refused = run_cli(on_small("coverage", file));
            QCOMPARE(refused.status, 1);
            QVERIFY2(refused.errors.startsWith(file.toUtf8() + ": "), refused.errors.constData());
            QVERIFY2(refused.errors.contains("python3 " + path("marking.py").toUtf8()) &&
                         refused.errors.contains("--allow-commands"),
                     refused.errors.constData());
            QCOMPARE(run_cli({"rules", "check", file}).status, 0);
            QVERIFY(!QFile::exists(path("ran")));
        }
        run_cli(on_small("coverage", path("marking.py")) + kAllowed);
        QVERIFY(QFile::exists(path("ran")));
    }

    /// On a terminal alone, and gone when the answer comes.
    void aLongCommandSaysWhatItIsAt() {
        write_content(path("slow.py"), "import time\ntime.sleep(3.2)\n");
        int terminal = -1, program = -1;
        QCOMPARE(openpty(&terminal, &program, nullptr, nullptr, nullptr), 0);
        QProcess process;
        process.setStandardErrorFile(QString::fromLocal8Bit(ttyname(program)), QIODevice::Append);
        process.start(PARTITA_CLI, on_small("explain", path("slow.py")) + kAllowed);
        QVERIFY(process.waitForFinished());
        close(program);  // then reading ends where there is no more; one read may give a part
        QByteArray said;
        char part[4096];
        for (ssize_t got = 0; (got = read(terminal, part, sizeof part)) > 0;) said.append(part, got);
        close(terminal);
        QVERIFY2(said.contains("\r\x1b[Kpartita-cli explain: dividing, 2 s"), said.constData());
        QVERIFY2(!said.mid(said.lastIndexOf("\x1b[K") + 3).contains("dividing"), said.constData());
        QVERIFY(!process.readAllStandardOutput().contains("dividing"));
    }

    void explainNamesTheLineThatRefused() {
        const CliRun run = run_cli(on_small("explain", own("tile_engine.py")) + kAllowed);
        QVERIFY2(run.status == 0, run.errors.constData());
        for (const char* said :
             {"tile_engine: ops.nn.conv2d refuses it: tile_engine.py:48: if attrs.groups != 1 or "
              "attrs[\"data_layout\"] != \"NCHW\": groups = 4\n",
              "tile_engine: pattern tile_engine.dense_bias: the check is false: tile_engine.py:67: return "
              "call.args[1].checked_type.shape[0] >= 8: call.args[1].checked_type.shape[0] = 6\n",
              "tile_engine: ops.nn.relu accepts it: the annotator accepts it\n"})
            QVERIFY2(run.output.contains(said), said);
        QVERIFY2(run.errors.contains("passes without an equivalent are left out: ConvertLayout"),
                 run.errors.constData());
    }

    void constantsAreFoldedAsTheFileSays_data() {
        QTest::addColumn<QByteArray>("passes");
        QTest::addColumn<bool>("folded");
        QTest::newRow("first") << QByteArray(
                                      "FoldConstant(), transform.AnnotateTarget('f'), transform.PartitionGraph()")
                               << true;
        QTest::newRow("last") << QByteArray("AnnotateTarget('f'), transform.PartitionGraph(), transform.FoldConstant()")
                              << false;
    }
    void constantsAreFoldedAsTheFileSays() {
        QFETCH(QByteArray, passes);
        QFETCH(bool, folded);
        write_content(path("sum.relay"),
                      "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n"
                      "  %0 = add(1f, 2f);\n  multiply(%x, %0)\n}\n");
        write_content(path("f.py"),
                      "import tvm.ir\nfrom tvm.relay import transform\n\n"
                      "@tvm.ir.register_op_attr('multiply', 'target.f')\ndef rule(call):\n    return True\n\n"
                      "def partition_for_f(mod, params=None):\n    return tvm.transform.Sequential([transform." +
                          passes + "])(mod)\n");
        const CliRun run = run_cli({"partition", path("sum.relay"), "--backends", path("f.py"), "--allow-commands"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QCOMPARE(!run.output.contains("add("), folded);
        QCOMPARE(run.output.contains("3f"), folded);
        QCOMPARE(run.errors.contains("are left out: FoldConstant after the division"), !folded);
        // A description that names the file tells of its lines, not of its own.
        write_content(path("f.json"), R"({"name": "f", "annotator": "python:f.py"})");
        const CliRun named =
            run_cli({"partition", path("sum.relay"), "--backends", path("f.json"), "--allow-commands"});
        QVERIFY2(named.errors.contains("f.py:8: note: as partition_for_f does"), named.errors.constData());
        // An override counts the calls of what is divided.
        const CliRun moved = run_cli({"explain", path("sum.relay"), "--backends", path("f.py"), "--allow-commands",
                                      "--override", folded ? "#1=default" : "#2=default"});
        QVERIFY2(moved.status == 0, moved.errors.constData());
        QVERIFY2(moved.output.contains("multiply"), moved.output.constData());
        QVERIFY2(!moved.output.contains("-> f"), moved.output.constData());
    }

    void coverageCountsRefusalsByLine() {
        const CliRun run = run_cli(on_small("coverage", own("tile_engine.py")) + kAllowed + QStringList{"--json"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QMap<QString, int> calls;
        for (const QJsonValue& cause : run.json()["causes"].toArray())
            calls[cause.toObject()["text"].toString()] = cause.toObject()["calls"].toInt();
        QCOMPARE(calls["nn.dense: tile_engine.py:35: return all([int(dim) % 4 == 0 for dim in shape])"], 1);
        QCOMPARE(calls["tile_engine.dense_bias: tile_engine.py:67: return call.args[1].checked_type.shape[0] >= 8"], 2);
    }

    void faultsOfAFileHaveAPlace() {
        write_content(path("broken.py"), "import tvm.ir\n\ndef rule(:\n");
        for (const QStringList& permission : {QStringList(), kAllowed}) {
            const CliRun run = run_cli(QStringList{"rules", "check", path("broken.py")} + permission);
            QCOMPARE(run.status, 1);
            QVERIFY2(run.errors.startsWith(path("broken.py").toUtf8() + ":3: error: syntax error: "),
                     run.errors.constData());
        }
        const CliRun good = run_cli({"rules", "check", own("tile_engine.py"), "--allow-commands"});
        QCOMPARE(good.output, QByteArray("tile_engine: 4 operators, 1 pattern, no fault\n"));
    }

    void aDescriptionMadeOfAFileGivesTheSameVerdicts() {
        const CliRun run =
            run_cli({"rules", "convert", own("tile_engine.py"), "-o", path("tile.json"), "--allow-commands"});
        QVERIFY2(run.status == 0, run.errors.constData());
        QCOMPARE(placement(path("tile.json")), placement(own("tile_engine.py")));
        // And back.
        const CliRun exported =
            run_cli({"rules", "export", path("tile.json"), "--form", "tvm-relay", "-o", path("tile.py")});
        QVERIFY2(exported.status == 0, exported.errors.constData());
        QCOMPARE(placement(path("tile.py")), placement(own("tile_engine.py")));
    }

    /// Flags that are put together, exceptions, short shapes, remainders: a rule is converted exactly, or named.
    void aConvertedRuleGivesTheSameVerdicts() {
        write_content(path("many.py"), R"(import logging
import tvm.ir

def rule_for(op):
    return tvm.ir.register_op_attr(op, "target.many")

def shape_of(call):
    return call.args[0].checked_type.shape

@rule_for("exp")
def joined(call):
    ok = True
    ok &= len(shape_of(call)) == 2
    ok &= bool(shape_of(call)[0] == 1)
    return ok

@rule_for("tanh")
def either(call):
    ok = shape_of(call)[0] == 2
    ok |= len(shape_of(call)) == 3
    return ok ^ False

@rule_for("sqrt")
def too_short(call):
    return shape_of(call)[2] == 4 or shape_of(call)[0] == 1

@rule_for("nn.relu")
def counted(call):
    ones = 0
    for dim in shape_of(call):
        ones += dim == 1
    logging.info(f"{shape_of(call)[0]} rows")
    return ones >= 1 and not (shape_of(call)[0] == 1) == True

@rule_for("sigmoid")
def raises(call):
    if len(shape_of(call)) == 3:
        raise TypeError("not these")
    return int(shape_of(call)[0]) % 2 == 0

@rule_for("nn.softmax")
def wraps_round(call):
    return call.attrs.axis % 2 == 1

@rule_for("negative")
def looked_up(call):
    return call.args[0].checked_type.dtype in {"float32"}
)");
        QByteArray text = "#[version = \"0.0.5\"]\ndef @main(";
        QByteArray body;
        const QByteArrayList shapes{"2", "1, 2", "2, 1", "1, 3, 4", "2, 1, 4", "3, 3, 3, 3"};
        for (qsizetype i = 0; i < shapes.size(); ++i) {
            const QByteArray name = "%x" + QByteArray::number(i);
            text += (i ? ", " : "") + name + ": Tensor[(" + shapes[i] + "), float32]";
            for (const char* op : {"exp", "tanh", "sqrt", "nn.relu", "sigmoid"})
                body += (body.isEmpty() ? "" : ", ") + QByteArray(op) + "(" + name + ")";
        }
        write_content(path("many.relay"), text + ") { (" + body + ") }\n");
        const CliRun run = run_cli({"rules", "convert", path("many.py"), "-o", path("many.json"), "--allow-commands"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.errors.contains("left out: ops.nn.softmax: it divides attrs.axis by 2, which may be negative") &&
                     run.errors.contains("left out: ops.negative: it looks args[0].dtype up in a set or a table"),
                 run.errors.constData());
        const auto placed = [&](const QString& backends) {
            const CliRun explained =
                run_cli({"explain", path("many.relay"), "--backends", backends, "--allow-commands", "--json"});
            QStringList said;
            for (const QJsonValue& call : explained.json()["calls"].toArray())
                said << call["name"].toString() + " " + call["backend"].toString();
            return said;
        };
        const QStringList by_python = placed(path("many.py"));
        QCOMPARE(by_python.size(), 30);
        QCOMPARE(placed(path("many.json")), by_python);
        QVERIFY(by_python.filter("many").size() > 5 && by_python.filter("default").size() > 5);
    }

    void functionsOfPatternsAreThere() {
        for (const char* imported : {"from tvm.relay.dataflow_pattern import *",
                                     "from tvm.relay.dataflow_pattern import is_op, wildcard, dominates, has_attr, "
                                     "has_dtype, has_shape, has_type"}) {
            write_content(path("free.py"), imported + QByteArray(R"(
from tvm.relay import TensorType
from tvm.relay.op.contrib.register import register_pattern_table

@register_pattern_table("free")
def table():
    conv = is_op("nn.conv2d")(wildcard(), wildcard())
    return [("free.relu", dominates(conv, wildcard(), is_op("nn.relu")(wildcard()))),
            ("free.one", has_attr({"groups": 1}, conv)),
            ("free.float", is_op("tanh")(has_dtype("float32"))),
            ("free.small", is_op("exp")(has_shape((1, 2)))),
            ("free.type", is_op("sqrt")(has_type(TensorType((1, 2), "float32"))))]
)"));
            const CliRun run = run_cli({"rules", "check", path("free.py"), "--allow-commands"});
            QCOMPARE(run.output, QByteArray("free: 0 operators, 5 patterns, no fault\n"));
        }
    }

    void whatWasNotCheckedIsNotCalledFaultless() {
        const CliRun run = run_cli({"rules", "check", own("tile_engine.py")});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.output.contains("its rules were not checked"), run.output.constData());
        QCOMPARE(run_cli({"rules", "test", "dnnl"}).status, 1);
    }

    void whatCantBeSaidIsNamed() {
        write_content(path("odd.py"),
                      "import tvm.ir\n\n@tvm.ir.register_op_attr(\"nn.conv2d\", \"target.odd\")\ndef rule(call):\n"
                      "    return call.attrs.kernel_layout.find(\"O\") == 0\n\n"
                      "@tvm.ir.register_op_attr(\"add\", \"target.odd\")\ndef other(call):\n    return True\n");
        const CliRun run = run_cli({"rules", "convert", path("odd.py"), "-o", path("odd.json"), "--allow-commands"});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.errors.contains("left out: ops.nn.conv2d: it takes attrs.kernel_layout apart"),
                 run.errors.constData());
        QVERIFY(content_of(path("odd.json")).contains("\"add\": true"));
    }

    void theShippedDnnlGoesToPythonAndBack() {
        const CliRun exported = run_cli({"rules", "export", "dnnl", "--form", "tvm-relay", "-o", path("dnnl.py")});
        QVERIFY2(exported.status == 0, exported.errors.constData());
        QCOMPARE(placement(path("dnnl.py")), placement("dnnl"));
        const CliRun back = run_cli({"rules", "convert", path("dnnl.py"), "-o", path("dnnl.json"), "--allow-commands"});
        QVERIFY2(back.status == 0 && !back.errors.contains("left out"), back.errors.constData());
        QCOMPARE(placement(path("dnnl.json")), placement("dnnl"));
    }

    void kindsOfOperandsGoToPython() {
        write_content(path("kinds.json"), R"({"name": "kinds", "ops": {"nn.dense": "args[0].kind != 'var'",
            "nn.bias_add": "args[0].kind == 'call' && args[1].kind in ['constant', 'var']"}, "codegen": "ccompiler"})");
        const CliRun run =
            run_cli({"rules", "export", path("kinds.json"), "--form", "tvm-relay", "-o", path("kinds.py")});
        QVERIFY2(run.status == 0 && run.errors.isEmpty(), run.errors.constData());
        QCOMPARE(placement(path("kinds.py")), placement(path("kinds.json")));
    }

    void aDescriptionBecomesPatternsOfRelax() {
        write_content(path("npu.json"), R"json({"name": "npu", "ops": {
            "nn.conv2d": "attrs.groups == 1 && args[1].is_constant && args.all(a, a.dtype == 'float32')",
            "nn.dense": "args[1].shape[0] % 4 == 0",
            "clip": true,
            "nn.relu": "op == 'nn.relu' && flops > 10.0",
            "nn.lrn": true},
          "patterns": [
            {"name": "npu.conv_bias_relu", "pattern": "nn.relu(nn.bias_add(conv: nn.conv2d(*, constant), *))",
             "check": "conv.attrs.strides == [1, 1] && conv.attrs.groups == 1"},
            {"name": "npu.either", "pattern": "d = nn.dense(*, *); tanh(d) | d"},
            {"name": "npu.twice", "pattern": "a = nn.relu(*); b = tanh(a) | a; add(b, a)"},
            {"name": "npu.sized", "pattern": "nn.conv2d(*, *).has_attr(kernel_size=[1, 1])"}],
          "limits": {"min_ops": 2}, "codegen": "ccompiler"})json");
        const CliRun run =
            run_cli({"rules", "export", path("npu.json"), "--form", "tvm-relax", "-o", path("relax.py")});
        QVERIFY2(run.status == 0, run.errors.constData());
        QStringList left_out;
        for (const QByteArray& line : run.errors.split('\n'))
            if (const qsizetype at = line.indexOf("left out: "); at >= 0) left_out += line.mid(at + 10);
        QCOMPARE(left_out, (QStringList{"ops.nn.lrn: Relax has no such operator",
                                        "ops.nn.relu: Python's form has no words for 'flops'",
                                        "npu.sized: Python's form has no words for the pattern "
                                        "'nn.conv2d(*, *).has_attr(kernel_size=[1, 1])'",
                                        "limits"}));
        QProcess python;
        python.start("python3", {PARTITA_SOURCE_DIR "/tests/annotators/read_relax.py", path("relax.py")});
        QVERIFY(python.waitForFinished());
        QCOMPARE(python.readAllStandardError(), QByteArray());
        // Single calls come first: the last pattern is tried first.
        QCOMPARE(
            python.readAllStandardOutput(),
            QByteArray("npu.clip relax.clip(...)\n"
                       "npu.nn.conv2d relax.nn.conv2d(...) True False\n"
                       "npu.nn.dense relax.matmul(*, relax.permute_dims(*)) True True\n"
                       "npu.twice relax.add((relax.tanh(relax.nn.relu(*)) | relax.nn.relu(*)), relax.nn.relu(*))\n"
                       "npu.either (relax.tanh(relax.matmul(*, relax.permute_dims(*))) | "
                       "relax.matmul(*, relax.permute_dims(*)))\n"
                       "npu.conv_bias_relu relax.nn.relu(relax.add(relax.nn.conv2d(*, constant), *)) True False\n"));
    }

    /// A file for today's TVM: its patterns divide a Relax module, its checks are asked with the parts that they name.
    void patternsOfRelaxRunInPython() {
        const QByteArray model =
            "from tvm.script import ir as I\nfrom tvm.script import relax as R\n\n@I.ir_module\nclass Module:\n"
            "    @R.function\n"
            "    def main(x: R.Tensor((4, 8), dtype=\"float32\"), w: R.Tensor((8, 16), dtype=\"float32\"), "
            "b: R.Tensor((16,), dtype=\"float32\")) -> R.Tensor((4, 16), dtype=\"float32\"):\n"
            "        with R.dataflow():\n"
            "            lv: R.Tensor((4, 16), dtype=\"float32\") = R.matmul(x, w)\n"
            "            lv1: R.Tensor((4, 16), dtype=\"float32\") = R.add(lv, b)\n"
            "            lv2: R.Tensor((4, 16), dtype=\"float32\") = R.nn.relu(lv1)\n"
            "            gv: R.Tensor((4, 16), dtype=\"float32\") = R.nn.gelu(lv2)\n"
            "            R.output(gv)\n        return gv\n";
        const auto rules = [](int most, const char* wanted) {
            return QStringLiteral(
                       "from tvm.relax.dpl import is_op, wildcard\n"
                       "from tvm.relax.backend.pattern_registry import register_patterns\n"
                       "from tvm.relax.backend.patterns import make_matmul_pattern\n"
                       "from tvm.relax.transform import PatternCheckContext\n\n"
                       "def _check(context: PatternCheckContext) -> bool:\n"
                       "    rhs = context.annotated_expr[\"rhs\"].struct_info\n"
                       "    return rhs.dtype == \"float32\" and rhs.ndim == 2 and rhs.shape.values[0] <= %1\n\n"
                       "def _check_gelu(context):\n"
                       "    return context.matched_expr.struct_info.shape[0] == 4 and %2\n\n"
                       "register_patterns([\n"
                       "    (\"npu.matmul\", *make_matmul_pattern(), _check),\n"
                       "    (\"npu.fused\", *make_matmul_pattern(True, \"relax.nn.relu\"), _check),\n"
                       "    (\"npu.gelu\", is_op(\"relax.nn.gelu\")(wildcard()), {}, _check_gelu),\n])\n")
                .arg(most)
                .arg(QLatin1String(wanted));
        };
        const auto divided = [&] {
            const CliRun run = run_cli({"divide", path("m.py"), "--partitioner", "relax", "--backends", path("npu.py"),
                                        "--allow-commands", "--json"});
            if (run.status != 0) qFatal("%s", run.errors.constData());
            return run.json()["regions"].toArray();
        };
        write_content(path("npu.py"), rules(8, "True").toUtf8());
        QJsonArray regions;
        for (const char* sum : {"R.add(b, lv)", "R.add(lv, b)"}) {  // both orders match
            write_content(path("m.py"), QByteArray(model).replace("R.add(lv, b)", sum));
            regions = divided();
            QCOMPARE(regions.size(), 1);
            QCOMPARE(regions[0].toObject()["nodes"].toArray().size(), 4);
        }
        write_content(path("npu.py"), rules(7, "context.used").toUtf8());  // too large a matrix, and a check that fails
        regions = divided();
        QCOMPARE(regions.size(), 0);
        const CliRun why = run_cli(
            {"explain", path("m.py"), "--partitioner", "relax", "--backends", path("npu.py"), "--allow-commands"});
        QVERIFY2(why.output.contains("pattern npu.gelu: the check is false: npu.py:"), why.output.constData());
        QVERIFY2(!why.output.contains("does not put all of it"), why.output.constData());
        // What the partitioner's own search took is told, also of an operator that Relay has not, and traced.
        write_content(path("npu.py"), rules(8, "True").toUtf8());
        const CliRun traced = run_cli({"explain", path("m.py"), "--partitioner", "relax", "--backends", path("npu.py"),
                                       "--allow-commands", "--trace", "--node", "op:*gelu"});
        QVERIFY2(traced.output.contains("npu: it is part of npu.gelu"), traced.output.constData());
        QVERIFY2(!traced.output.contains("no rule for"), traced.output.constData());
        QVERIFY2(traced.output.contains("asked npu, npu.gelu: yes\n      line "), traced.output.constData());
        const CliRun told =
            run_cli({"explain", path("m.py"), "--backends", path("npu.py"), "--allow-commands", "--json"});
        QStringList passes;  // one after the other, as Steps plays them
        for (const QJsonValue& decision : told.json()["decisions"].toArray())
            if (const QString pass = decision.toObject()["pass"].toString(); passes.isEmpty() || passes.last() != pass)
                passes << pass;
        QCOMPARE(passes.first(), QStringLiteral("composite"));
        QCOMPARE(passes.removeDuplicates(), 0);
    }

    void theSampleInPerlAnswers() {
        QProcess perl;
        perl.start("perl", {"-MJSON::PP", "-e", "1"});
        if (!perl.waitForFinished() || perl.exitCode() != 0) QSKIP("no perl with JSON::PP");
        const CliRun run = run_cli({"explain", sample("residual-block.relay"), "--backends",
                                    sample("annotator/whole_lines.json"), "--allow-commands"},
                                   PARTITA_SOURCE_DIR);
        QVERIFY2(run.status == 0, run.errors.constData());
        QVERIFY2(run.output.contains("whole_lines: ops.nn.relu") &&
                     run.output.contains("whole_lines.pl:16: no whole lines of 16 elements: innermost = "),
                 run.output.constData());
    }

    void testsOfRulesThatAreAProgramRunItWithPermission() {
        write_content(path("r.py"),
                      "import tvm.ir\n\n@tvm.ir.register_op_attr(\"add\", \"target.mine\")\ndef add(call):\n"
                      "    return call.args[0].checked_type.dtype == \"float32\"\n");
        write_content(path("m.relay"), "def @main(%x: Tensor[(2), float32]) { add(%x, %x) }");
        write_content(path("d.json"), R"({"name": "mine", "annotator": "python:r.py",
            "expect": [{"module": "m.relay", "node": "add", "supported": true}]})");
        const CliRun without = run_cli({"rules", "test", path("d.json")});
        QCOMPARE(without.status, 1);
        QVERIFY2(without.errors.contains("--allow-commands"), without.errors);
        const CliRun with = run_cli({"rules", "test", path("d.json"), "--allow-commands"});
        QVERIFY2(with.status == 0, with.errors);
        QCOMPARE(with.output, QByteArray("1 passed, 0 failed\n"));
    }
};

PARTITA_TEST(TestCliAnnotators)

}  // namespace test_cli_annotators

#include "test_cli_annotators.moc"
