// Predicted effects of rule changes are the actual ones, and the best changes are found.
#include <QtTest>

#include "engine/explain/coverage.h"
#include "engine/explain/what_if.h"
#include "engine/frontends/relay/parser.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"
#include "engine/rules/annotated_backend.h"
#include "random_module.h"
#include "reference_data.h"
#include "tests/registry.h"

namespace test_what_if {

using namespace partita;
using namespace partita::testing;

namespace {

ModulePtr parse(const std::string& text) {
    auto module = parse_relay(text);
    if (!module) qFatal("%s", module.error().to_string().c_str());
    if (Status typed = infer_types(*module); !typed) qFatal("%s", typed.error().to_string().c_str());
    return std::make_shared<const Module>(std::move(*module));
}

BackendDescription description(const std::string& text) {
    auto read = parse_backend_description(text, "t.json");
    if (!read) qFatal("%s\n%s", read.error().to_string().c_str(), text.c_str());
    return *read;
}

/// A convolution as importers write it, then a depthwise one; a pattern would match both, except for its check.
const char* kConvolutions = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 1, 1), float32], %b: Tensor[(4, 1, 1), float32],
          %d: Tensor[(4, 1, 3, 3), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  %1 = clip(add(%0, %b), a_min=0f, a_max=6f);
  %2 = nn.conv2d(%1, %d, padding=[1, 1, 1, 1], groups=4, channels=4, kernel_size=[3, 3]);
  clip(add(%2, %b), a_min=0f, a_max=6f)
}
)";
const char* kNpu = R"json({
  "name": "npu",
  "ops": {
    "nn.conv2d": "attrs.groups == 1 && attrs.kernel_size.all(k, k <= 5)",
    "add": "args[0].shape == args[1].shape"
  },
  "patterns": [
    {"name": "npu.conv_bias_clip", "pattern": "conv = nn.conv2d(*, *); clip(add(conv, *))",
     "check": "conv.attrs.groups == 1 && conv.dtype == 'float32'"}
  ],
  "limits": {"min_ops": 2}
})json";

const WhatIf* row_of(const std::vector<WhatIf>& list, const std::string& reason) {
    for (const WhatIf& entry : list)
        if (entry.cause.reason.text() == reason) return &entry;
    return nullptr;
}

/// Random descriptions with rules, checks, limits and transparent ops, over the ops of RandomModule.
class RandomDescriptions {
public:
    explicit RandomDescriptions(RandomModule& random) : random_(random) {}

    std::vector<BackendDescription> make() {
        std::vector<BackendDescription> made;
        for (size_t count = 1 + random_.below(3); made.size() < count;) {
            name_ = std::string(1, char('a' + made.size()));
            made.push_back(description(text()));
        }
        return made;
    }

private:
    std::string pick(std::initializer_list<const char*> words) { return words.begin()[random_.below(words.size())]; }
    std::string op() {
        return pick({"sqrt", "tanh", "sigmoid", "abs", "negative", "exp", "add", "subtract", "multiply", "maximum",
                     "minimum", "split", "concatenate"});
    }
    std::string condition() {
        return pick({"args[0].is_var", "!(args[0].kind == 'call')", "users.size() == 1", "args.all(a, !a.is_constant)",
                     "args.exists(a, a.is_var)", "args[0].op == 'tanh' || users.size() > 1", "result.rank == 2",
                     "args[0].op != 'exp'", "args.size() > 1 ? args[0].is_var : true",
                     "args.exists(a, a.is_constant)"});
    }
    std::string rule() {
        std::string text = condition();
        if (random_.below(2)) text = "(" + text + ") && " + condition();
        return text;
    }
    std::string pattern(size_t number) {
        return "{\"name\": \"" + name_ + ".p" + std::to_string(number) + "\", \"pattern\": \"a = " +
               pick({"add(*, *) | multiply(*, *) | maximum(*, *)", "subtract(*, *) | minimum(*, *)",
                     "tanh(*) | exp(*) | sqrt(*)"}) +
               "; " +
               pick({"sqrt(a) | abs(a) | tanh(a)", "add(a, *) | multiply(a, *)", "maximum(a, *)",
                     "sigmoid(a) | negative(a)"}) +
               "\"" +
               (random_.below(4) ? ", \"check\": \"" +
                                       pick({"a.args.all(b, b.is_var)", "a.args[0].is_var && users.size() == 1",
                                             "a.args.exists(b, b.is_constant)", "users.size() > 1"}) +
                                       "\""
                                 : "") +
               "}";
    }
    std::string text() {
        std::map<std::string, std::string> ops;
        for (uint64_t i = random_.below(8); i > 0; --i) ops[op()] = random_.below(2) ? "true" : "\"" + rule() + "\"";
        std::string text = "{\"name\": \"" + name_ + "\"";
        if (!ops.empty()) {
            text += ", \"ops\": {";
            for (const auto& [op, rule] : ops) text += "\"" + op + "\": " + rule + ",";
            text.back() = '}';
        }
        if (random_.below(2)) {
            text += ", \"patterns\": [";
            for (size_t i = 0, count = 1 + random_.below(3); i < count; ++i) text += pattern(i) + ",";
            text.back() = ']';
        }
        if (random_.below(4) == 0) text += ", \"transparent\": [\"negative\"]";
        std::string limits;
        const auto limit = [&](const char* key, uint64_t value) {
            if (random_.below(2))
                limits += (limits.empty() ? "" : ", ") + ("\"" + std::string(key) + "\": ") + std::to_string(value);
        };
        limit("min_ops", 1 + random_.below(4));
        limit("max_inputs", 1 + random_.below(4));
        limit("max_outputs", 1 + random_.below(3));
        limit("min_flops", 8 * random_.below(6));
        if (random_.below(2)) return text + (limits.empty() ? "}" : ", \"limits\": {" + limits + "}}");
        limit("max_weight_bytes", 4 * (1 + random_.below(12)));
        limit("max_live_bytes", 4 * (1 + random_.below(24)));
        limit("weight_bytes", 4 * (1 + random_.below(24)));
        return text + (limits.empty() ? "}" : ", \"limits\": {" + limits + "}}");
    }

    RandomModule& random_;
    std::string name_;
};

}  // namespace

class TestWhatIf : public QObject {
    Q_OBJECT

    FlowOptions options;

    FlowResult flow(const ModulePtr& module) const {
        auto result = run_flow(module, options);
        if (!result) qFatal("%s", result.error().to_string().c_str());
        return std::move(*result);
    }
    /// Returns random overrides; these calls keep their backend, whatever the limits and rules.
    Overrides random_overrides(const Module& module, RandomModule& random) const {
        Overrides overrides;
        for (uint32_t i = 0; i < module.size(); ++i)
            if (called_op_record(module, ExprId(i)) && random.below(6) == 0)
                overrides[ExprId(i)] =
                    random.below(3) ? options.backends[random.below(options.backends.size())].name : "default";
        return overrides;
    }
    /// Runs the flow with the texts of the changed descriptions, read as from a file.
    FlowFigures really(const ModulePtr& module, std::span<const RuleChange> changes) const {
        auto changed = with_changes(options.backends, changes);
        if (!changed) qFatal("%s", changed.error().to_string().c_str());
        FlowOptions real = options;
        for (size_t i = 0; i < changed->size(); ++i) real.backends[i] = description((*changed)[i].source);
        auto result = run_flow(module, real);
        if (!result) qFatal("%s", result.error().to_string().c_str());
        return figures_of(*result);
    }

private slots:
    void init() { options = {}; }

    void aTextInPythonStaysPython() {
        const std::string text =
            "import tvm.ir\n\n\n@tvm.ir.register_op_attr(\"add\", \"target.npu\")\ndef add(e): return True";
        const BackendDescription npu = annotator_backend(text, "/nowhere/npu.py");
        QVERIFY(is_python(npu) && !is_python(description("{\"name\": \"a\", \"ops\": {}}")));
        const RuleChange limit{RuleChange::Kind::Limit, 0, "max_inputs", "", 4}, rule{RuleChange::Kind::Op, 0, "exp"},
            refusal{RuleChange::Kind::Op, 0, "exp", "false"};
        QVERIFY(can_be_written(npu, rule) && !can_be_written(npu, limit) && !can_be_written(npu, refusal));
        const auto limited = with_changes({&npu, 1}, {&limit, 1});
        QVERIFY(limited);
        QCOMPARE(limited->front().source, text);
        QCOMPARE(limited->front().limits.max_inputs, 4);
        const auto more = with_changes({&npu, 1}, {&rule, 1});
        QVERIFY(more && more->front().ops.contains("exp"));
        QCOMPARE(more->front().source, text +
                                           "\n\nimport tvm\n\n\n@tvm.ir.register_op_attr(\"exp\", \"target.npu\")\n"
                                           "def any_exp(expr):\n    return True\n");
        QVERIFY(!can_be_written(more->front(), rule));  // a second rule for an operator is a fault there
    }

    /// Every row of every kind, compared with rules that were actually changed, as text.
    void everyRowIsWhatTheChangedRulesGive() {
        int rows = 0, limits = 0, checks = 0, moves = 0, steps = 0;
        for (uint64_t seed = 1; seed <= 500; ++seed) {
            RandomModule random(seed, {14 + int(seed % 12), seed % 5 == 0});
            const ModulePtr module = std::make_shared<const Module>(random.make());
            options.backends = RandomDescriptions(random).make();
            options.overrides = seed % 3 ? Overrides() : random_overrides(*module, random);
            const FlowResult before = flow(module);
            auto list = what_if(before, options);
            QVERIFY2(list, list ? "" : list.error().to_string().c_str());
            const FlowFigures figures = figures_of(before);
            for (const WhatIf& entry : *list) {
                const std::string where = "seed " + std::to_string(seed) + ": " + entry.cause.words().text();
                QVERIFY2(entry.before == figures, where.c_str());
                QVERIFY2(entry.after == really(module, entry.changes), where.c_str());
                ++rows;
                limits += entry.changes[0].kind == RuleChange::Kind::Limit;
                checks += entry.changes[0].kind == RuleChange::Kind::Check;
                moves += entry.cause.reason.text().find("→") != std::string::npos;
            }
            if (seed % 5) continue;
            auto best = best_changes(before, options, 3);
            QVERIFY(best);
            std::vector<RuleChange> all;
            for (const WhatIf& step : *best) {
                QVERIFY(step.before == (all.empty() ? figures : really(module, all)));
                all.insert(all.end(), step.changes.begin(), step.changes.end());
                QVERIFY2(step.after == really(module, all), std::to_string(seed).c_str());
                ++steps;
            }
        }
        qInfo("%d rows: %d of limits, %d of checks, %d moves; %d steps of best changes", rows, limits, checks, moves,
              steps);
        QVERIFY(limits > 100 && checks > 100 && moves > 100 && steps > 50);
    }

    /// The check of a pattern decides about a call: the cause and the change that removes it are named, with the active
    /// limit.
    void aPatternsCheckIsACause() {
        options.backends = {description(kNpu)};
        const ModulePtr module = parse(kConvolutions);
        const FlowResult before = flow(module);
        const CoverageReport report = report_coverage(before, options.backends);
        QCOMPARE(QString::fromStdString(report.causes[0].words().text()),
                 "npu.conv_bias_clip: conv.attrs.groups == 1, 1 match");
        QCOMPARE(report.causes[0].calls.size(), size_t(3));
        QVERIFY(coverage_text(report).find("3      npu.conv_bias_clip: conv.attrs.groups == 1, 1 match\n") !=
                std::string::npos);
        QCOMPARE(coverage_json(report)["causes"][0]["matches"], 1);
        auto list = what_if(before, options);
        QVERIFY(list);
        const WhatIf* check = row_of(*list, "npu.conv_bias_clip: conv.attrs.groups == 1");
        QVERIFY(check);
        QCOMPARE(check->calls_gained(), 3);
        QCOMPARE(check->after.regions, 1);
        QCOMPARE(QString::fromStdString(check->changes[0].rule), "conv.dtype == 'float32'");
        // A convolution alone is a region of one call: the limit moves it back.
        const WhatIf* groups = row_of(*list, "nn.conv2d: attrs.groups == 1");
        QVERIFY(groups);
        QCOMPARE(groups->calls_gained(), 1);  // it joins the composite before it
        const WhatIf* clip = row_of(*list, "no rule for clip");
        QVERIFY(clip);
        QCOMPARE(clip->calls_gained(), 0);
        QVERIFY(what_if_text(*list, options.backends, report.total).find("gained") != std::string::npos);
        QCOMPARE(what_if_json(std::span(check, 1), options.backends)[0]["changes"][0]["text"],
                 "npu.conv_bias_clip, check: conv.dtype == 'float32'");
    }

    void limitsThatWereMetAreRows() {
        options.backends = {description(
            R"({"name": "b", "ops": {"add": true, "tanh": true}, "limits": {"min_ops": 2, "max_inputs": 2}})")};
        const ModulePtr module = parse(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32], %y: Tensor[(4), float32], %z: Tensor[(4), float32]) {
  %0 = tanh(tanh(add(%x, %y)));
  add(%0, %z)
}
)");
        auto list = what_if(flow(module), options);
        QVERIFY(list);
        const WhatIf* lower = row_of(*list, "lower min_ops to 1");
        const WhatIf* raise = row_of(*list, "raise max_inputs to 3");
        QVERIFY(lower && raise);
        QCOMPARE(lower->calls_gained(), 1);
        QCOMPARE(lower->after.regions, 2);
        QCOMPARE(raise->calls_gained(), 1);
        QCOMPARE(raise->after.regions, 1);
        QVERIFY(!row_of(*list, "drop max_inputs"));  // no region was dropped for it
    }

    /// Even if nothing is on default there is advice: what another backend could accept.
    void callsMayMoveBetweenBackends() {
        options.backends = {
            description(R"({"name": "a", "ops": {"add": true, "multiply": true}})"),
            description(R"({"name": "b", "ops": {"tanh": true, "multiply": "args.size() == 2", "exp": true}})")};
        const ModulePtr module = parse(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32]) {
  %0 = multiply(tanh(add(%x, %x)), %x);
  exp(multiply(tanh(%0), %x))
}
)");
        auto list = what_if(flow(module), options);
        QVERIFY(list);
        const WhatIf* asked = row_of(*list, "multiply: a → b");
        QVERIFY(asked);
        QCOMPARE(asked->before.regions, 6);
        QCOMPARE(asked->after.regions, 2);
        QCOMPARE(asked->changes.size(), size_t(1));
        const WhatIf* unasked = row_of(*list, "tanh: b → a, a new rule");
        QVERIFY(unasked);
        QCOMPARE(unasked->after.regions, 2);
        auto best = best_changes(flow(module), options, 5);
        QVERIFY(best);
        QCOMPARE(best->back().after.regions, 1);
    }

    /// Neither change helps alone: the regions between them stay separate.
    void aPairIsTriedWhereNoSingleChangeHelps() {
        options.backends = {description(R"({"name": "b", "ops": {"add": true}})")};
        const ModulePtr module = parse(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(4), float32]) {
  %0 = add(%x, %x);
  %1 = tanh(%0);
  %2 = exp(%1);
  add(%2, %x)
}
)");
        auto best = best_changes(flow(module), options, 2);
        QVERIFY(best);
        QCOMPARE(best->size(), size_t(2));
        QCOMPARE(best->front().before.regions, 2);
        QCOMPARE(best->back().after.regions, 1);
        QCOMPARE(best_changes(flow(module), options, 1)->size(), size_t(0));
        QCOMPARE(best_changes(flow(module), options, 1, WhatIfGoal::Calls)->size(), size_t(1));
    }

    void aRuleWithoutATermKeepsTheRest() {
        struct Case {
            const char *rule, *term, *left;
            bool value = false;
        };
        const Case cases[] = {{"a == 1", "a == 1", "true"},
                              {"a == 1 && b == 2", "a == 1", "b == 2"},
                              {"a == 1 && b == 2", "b == 2", "a == 1"},
                              {"(a == 1) && b == 2", "a == 1", "(true) && b == 2"},
                              {"c || a == 1 && b", "b", "c || a == 1"},
                              {"x && !b && c", "b", "x && !false && c", true},
                              {"!b && c", "b", "!true && c"},
                              {"a.all(v, v == 1) && b", "v == 1", "a.all(v, true) && b"}};
        for (const Case& each : cases) {
            RuleTerm term;
            const std::string rule = each.rule;
            term.begin = uint32_t(rule.rfind(each.term));
            term.end = term.begin + uint32_t(strlen(each.term));
            term.value = each.value;
            QCOMPARE(QString::fromStdString(without_terms(rule, {{term, term}})), QString(each.left));
        }
    }

    /// "Without line N" and "inverted" are what the file gives when a person changes it so.
    void changedConditionsInPythonComeTrue_data() {
        QTest::addColumn<QString>("file");
        const QString folder = QStringLiteral(PARTITA_SOURCE_DIR);
        for (const QString& file :
             {folder + "/samples/annotator/tile_npu.py", folder + "/tests/annotators/tile_engine.py"})
            QTest::newRow(qPrintable(QFileInfo(file).fileName())) << file;
        if (!reference_folder().isEmpty())
            for (const QFileInfo& file : QDir(reference_folder() + "/tvm-annotators").entryInfoList({"*.py"}))
                if (file.fileName() != "register.py") QTest::newRow(qPrintable(file.fileName())) << file.filePath();
    }
    void changedConditionsInPythonComeTrue() {
        QFETCH(QString, file);
        std::vector<ModulePtr> modules{parse(read_text(PARTITA_SOURCE_DIR "/tests/annotators/small.relay")),
                                       parse(kConvolutions)};
        if (!reference_folder().isEmpty())
            for (const char* name : {"mlp", "mobilenet_v1"}) {
                const QString model = reference_folder() + "/relay-models/" + name + ".input.relay";
                if (QFile::exists(model)) modules.push_back(parse(read_text(model)));
            }
        const std::string text = read_text(file);
        int compared = 0;
        for (const ModulePtr& module : modules) {
            FlowOptions options;
            options.backends = {python_backend(file)};
            const Result<FlowResult> flow = run_flow(module, options);
            QVERIFY(flow);
            const Result<std::vector<WhatIf>> list = what_if(*flow, options);
            QVERIFY2(bool(list), list ? "" : list.error().message.c_str());
            for (const WhatIf& entry : *list) {
                if (entry.changes.front().kind != RuleChange::Kind::Condition) continue;
                std::string changed = text;
                for (const RuleChange& change : entry.changes) {
                    QVERIFY(can_be_written(options.backends[0], change));
                    const size_t at = offset_of(changed, change.place.span[0], change.place.span[1]);
                    QCOMPARE(changed.substr(at, change.name.size()), change.name);
                    changed.replace(at, change.name.size(), change.rule);
                }
                const QTemporaryDir folder;
                const QString by_hand = folder.filePath(QFileInfo(file).fileName());
                QFile out(by_hand);
                QVERIFY(out.open(QIODevice::WriteOnly) && out.write(changed.c_str()) > 0);
                out.close();
                FlowOptions now;
                now.backends = {python_backend(by_hand)};
                const Result<FlowResult> actual = run_flow(module, now);
                QVERIFY(actual);
                QVERIFY2(figures_of(*actual) == entry.after, entry.cause.reason.text().c_str());
                const Result<std::vector<BackendDescription>> tried = with_changes(options.backends, entry.changes);
                QVERIFY(tried);
                QCOMPARE((*tried)[0].source, changed);
                ++compared;
            }
            QCOMPARE(read_text(file), text);
        }
        qInfo("%d changes", compared);
        if (compared == 0 && file.contains(QStringLiteral("/tvm-annotators/")))
            QSKIP("no condition of this file refuses a call of the models that are tried");
        QVERIFY(compared > 0);
    }

private:
    static BackendDescription python_backend(const QString& file) {
        Result<BackendDescription> backend = load_backend(file.toStdString());
        std::vector<Diagnostic> notes;
        if (!backend) qFatal("%s", backend.error().message.c_str());
        if (Status started = start_annotators({&*backend, 1}, notes); !started)
            qFatal("%s", started.error().message.c_str());
        return *backend;
    }
    static size_t offset_of(const std::string& text, int line, int byte) {
        size_t at = 0;
        for (int i = 1; i < line; ++i) at = text.find('\n', at) + 1;
        return at + size_t(byte);
    }
};

PARTITA_TEST(TestWhatIf)

}  // namespace test_what_if

#include "test_what_if.moc"
