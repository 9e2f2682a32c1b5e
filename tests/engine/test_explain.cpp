// Explanations are true: removing a reported cause changes the placement; a path reported to forbid a merge exists.
#include "explain_testing.h"
#include "reference_data.h"

#include "engine/explain/explain.h"
#include "engine/rules/pattern.h"
#include "engine/rules/pattern_matcher.h"
#include "tests/registry.h"

namespace test_explain {

using namespace partita;
using namespace partita::testing;

class TestExplain : public QObject {
    Q_OBJECT

private slots:
    void anOperatorLeadsToThePatternsThatItCouldBeIn_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("said");
        QTest::newRow("the next operator is another")
            << "nn.relu(add(nn.conv2d(*, *), *))"
            << "npu, npu.p: as nn.conv2d(*, *), 2 of 3 operators: it expects nn.relu after add #2; here is clip #3";
        QTest::newRow("the operator itself is another") << "add(nn.conv2d(*, *).has_attr(groups=4), *)"
                                                        << "npu, npu.p: as nn.conv2d(*, *), 1 of 2 operators: at "
                                                           "nn.conv2d #1: 'nn.conv2d(*, *).has_attr(groups=4)' "
                                                           "does not match: its groups is 1";
        QTest::newRow("what is optional is not there")
            << "add(nn.conv2d(*, *), *).optional(nn.relu(_))"
            << "npu, npu.p: as nn.conv2d(*, *), 2 of 3 operators, it matches: it expects nn.relu after add #2; here is "
               "clip #3";
        QTest::newRow("all of it is there") << "clip(add(nn.conv2d(*, *), *))"
                                            << "npu, npu.p: as nn.conv2d(*, *), 3 of 3 operators, it matches";
        QTest::newRow("another operand is another")
            << "add(nn.conv2d(*, *), constant)"
            << "npu, npu.p: as nn.conv2d(*, *), 1 of 2 operators: at %b: 'constant' does not match: expected a "
               "constant, found the variable %b";
    }
    void anOperatorLeadsToThePatternsThatItCouldBeIn() {
        QFETCH(QString, pattern);
        QFETCH(QString, said);
        const ModulePtr module = parse(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 4, 8, 8), float32], %w: Tensor[(4, 4, 1, 1), float32], %b: Tensor[(4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  clip(add(%0, %b), a_min=0f, a_max=6f)
}
)");
        const std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"npu\", \"patterns\": [{\"name\": \"npu.p\", \"pattern\": \"" +
                             pattern.toStdString() + "\"}]}")};
        const FlowResult result = flow(module, backends);
        FlowExplainer explainer(result, backends);
        const std::vector<PatternPlace> places = explainer.pattern_places(explainer.names().calls()[0]);
        QCOMPARE(places.size(), size_t(1));
        QCOMPARE(QString::fromStdString(explainer.to_text(places[0])), said);
    }

    /// A pattern is whole around a call exactly where the matcher finds a root whose match has it.
    void placesInPatternsAreThoseOfTheMatcher() {
        const char* const texts[] = {"a = add(*, *) | multiply(*, *); sqrt(a) | abs(a) | tanh(a)",
                                     "exp(tanh(*)) | exp(*)", "maximum(add(*, *), *)", "tanh(*).optional(exp(_))",
                                     "subtract(a: tanh(*), *)"};
        std::string patterns;
        for (size_t i = 0; i < std::size(texts); ++i)
            patterns += std::string(i ? ", " : "") + "{\"name\": \"npu.p" + std::to_string(i) + "\", \"pattern\": \"" +
                        texts[i] + "\"}";
        const std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"npu\", \"patterns\": [" + patterns + "]}")};
        int whole = 0, part = 0;
        for (uint64_t seed = 1; seed <= seeds(40); ++seed) {
            auto made = generate_graph(GraphKind::Random, 60, seed);
            QVERIFY(made);
            const auto module = std::make_shared<const Module>(std::move(*made));
            const FlowResult result = flow(module, backends);
            FlowExplainer explainer(result, backends);
            std::map<std::string, std::set<ExprId>> inside;
            for (const CompositePattern& composite : backends[0].patterns)
                for (ExprId root : explainer.names().calls()) {
                    PatternMatcher matcher(*composite.pattern, *module);
                    if (!matcher.match(root)) continue;
                    for (uint32_t node = 0; node < composite.pattern->nodes().size(); ++node)
                        if (composite.pattern->nodes()[node].kind == PatternKind::Call)
                            for (ExprId id : matcher.matches(node)) inside[composite.name].insert(id);
                }
            for (ExprId call : explainer.names().calls())
                for (const PatternPlace& place : explainer.pattern_places(call)) {
                    QCOMPARE(place.whole, inside[place.pattern].contains(call));
                    QVERIFY(place.whole || !place.reason.empty());
                    ++(place.whole ? whole : part);
                }
        }
        qInfo("%d whole, %d in part", whole, part);
        QVERIFY(whole > 50 && part > 50);
    }

    void everyStatedCauseIsReal() {
        int rules = 0, missing = 0;
        for (uint64_t seed = 1; seed <= seeds(150); ++seed) {
            Random random(seed);
            auto made = generate_graph(GraphKind::Random, 1 + random(40), seed);
            QVERIFY(made);
            auto module = std::make_shared<const Module>(std::move(*made));
            nlohmann::json texts[] = {random_backend(random, *module, "first"),
                                      random_backend(random, *module, "second")};
            std::vector<BackendDescription> backends{describe_backend(texts[0].dump()),
                                                     describe_backend(texts[1].dump())};
            FlowResult result = flow(module, backends);
            FlowExplainer explainer(result, backends);
            for (ExprId call : explainer.names().calls()) {
                if (result.backend_of[call.value] >= 0) continue;
                const OpRecord* op = called_op_record(*module, call);
                for (const CallCause& cause : explainer.explain_call(call).causes) {
                    QVERIFY(cause.kind == CallCause::Kind::RuleFailed || cause.kind == CallCause::Kind::NoRule);
                    nlohmann::json changed = texts[cause.backend];
                    int alternatives = 1;
                    if (cause.kind == CallCause::Kind::RuleFailed) alternatives = cause.terms.back().alternative + 1;
                    for (int alternative = 0; alternative < alternatives; ++alternative) {
                        if (cause.kind == CallCause::Kind::NoRule) changed["ops"][op->name] = true;
                        else
                            changed["ops"][op->name] =
                                mended(texts[cause.backend]["ops"][op->name], cause.terms, alternative);
                        std::vector<BackendDescription> now = backends;
                        now[size_t(cause.backend)] = describe_backend(changed.dump());
                        Placement placement = place(*module, now);
                        QVERIFY2(placement.backend_of[call.value] == cause.backend,
                                 (explainer.names().name(call) + ": " + cause.reason.text() + "\n" + changed.dump())
                                     .c_str());
                        ++(cause.kind == CallCause::Kind::NoRule ? missing : rules);
                    }
                }
            }
        }
        qInfo("%d failed rules and %d missing rules, each changed the placement", rules, missing);
        QVERIFY(rules > 300 && missing > 300);
    }

    // With composites the rules apply to the remaining calls; a corrected rule then accepts the call.
    void causesHoldBesideComposites() {
        int mended_rules = 0, composites = 0;
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            CompositeCase made(seed);
            FlowExplainer explainer(made.result, made.backends);
            for (ExprId call : explainer.names().calls()) {
                CallExplanation explanation = explainer.explain_call(call);
                QVERIFY(!explanation.causes.empty());
                for (const CallCause& cause : explanation.causes) {
                    if (cause.kind == CallCause::Kind::Composite) {
                        QCOMPARE(int(made.result.backend_of[call.value]), 0);
                        ++composites;
                    }
                    if (cause.kind != CallCause::Kind::RuleFailed || made.result.backend_of[call.value] >= 0) continue;
                    std::string op = called_op_record(*made.module, call)->name;
                    for (int alternative = 0; alternative <= cause.terms.back().alternative; ++alternative) {
                        nlohmann::json changed = made.text;
                        changed["ops"][op] = mended(made.text["ops"][op], cause.terms, alternative);
                        FlowResult now = flow(made.module, {describe_backend(changed.dump())});
                        QVERIFY2(now.backend_of[call.value] == 0,
                                 (explainer.names().name(call) + ": " + cause.reason.text()).c_str());
                        ++mended_rules;
                    }
                }
            }
        }
        qInfo("%d mended rules, %d calls in composites", mended_rules, composites);
        QVERIFY(mended_rules > 50 && composites > 50);
    }

    // Correcting a false check makes the composite; an expression reported as used elsewhere is; a pattern reported to
    // have matched a part of it has; and a reported mismatch is one.
    void everyStatedFailureOfACompositeIsReal() {
        int checks = 0, used_elsewhere = 0, taken = 0, mismatches = 0, missing_users = 0;
        for (uint64_t seed = 1; seed <= seeds(200); ++seed) {
            CompositeCase made(seed);
            FlowExplainer explainer(made.result, made.backends);
            for (ExprId call : explainer.names().calls()) {
                for (const CallCause& cause : explainer.explain_call(call).causes) {
                    if (cause.kind != CallCause::Kind::PatternFailed) continue;
                    std::string what = explainer.names().name(call) + ": " + cause.rule + ": " + cause.reason.text();
                    size_t pattern = cause.rule == made.backends[0].patterns[0].name ? 0 : 1;
                    if (!cause.terms.empty()) {
                        QVERIFY2(cause.reason.text().starts_with("the check is false"), what.c_str());
                        checks += mended_checks(made, call, cause, pattern);
                    } else if (cause.refusal == PatternRefusal::UsedElsewhere) {
                        QVERIFY2(is_used_outside(made, call, cause.at), what.c_str());
                        ++used_elsewhere;
                    } else if (cause.refusal == PatternRefusal::InOtherMatch) {
                        QVERIFY2(made.is_in_match(cause.at, cause.rule, call), what.c_str());
                        ++taken;
                    } else if (cause.refusal == PatternRefusal::TakenBefore) {
                        QVERIFY2(made.takes_part_of(call), what.c_str());
                        ++taken;
                    } else if (cause.refusal == PatternRefusal::MissingUser) {
                        const std::string wanted =
                            cause.reason.text().substr(11, cause.reason.text().find(" after ") - 11);
                        for (ExprId user : explainer.names().calls()) {
                            const OpRecord* op = called_op_record(*made.module, user);
                            std::span<const ExprId> arguments = made.module->arguments(user);
                            const bool uses =
                                std::find(arguments.begin(), arguments.end(), cause.at) != arguments.end();
                            QVERIFY2(!uses || !op ||
                                         (" | " + wanted + " | ").find(" | " + op->name + " | ") == std::string::npos,
                                     what.c_str());
                        }
                        ++missing_users;
                    } else {
                        PatternMatcher matcher(*made.backends[0].patterns[pattern].pattern, *made.module);
                        QVERIFY2(!matcher.match(call), what.c_str());
                        QVERIFY2(cause.at.valid() && cause.reason.text().find("does not match: ") != std::string::npos,
                                 what.c_str());
                        ++mismatches;
                    }
                }
            }
        }
        qInfo("%d mended checks, %d uses from outside, %d parts taken, %d mismatches, %d missing users", checks,
              used_elsewhere, taken, mismatches, missing_users);
        QVERIFY(checks > 50 && used_elsewhere > 20 && taken > 3 && mismatches > 200 && missing_users > 20);
    }

    // Rules, patterns and limits at once: removing the first cause either places the call or leaves another cause, so
    // that it is placed after at most as many steps as there are kinds of causes. No cause is named twice.
    void causesMendedInTurnPlaceTheCall() {
        int placed = 0, steps = 0, limits = 0;
        for (uint64_t seed = 1; seed <= seeds(60); ++seed) {
            CompositeCase made(seed);
            Random random(seed + 1000);
            made.text["limits"] = {{"min_ops", random(4)}, {"max_inputs", 2 + random(4)}, {"max_outputs", random(3)}};
            if (random(2)) made.text["limits"]["min_flops"] = random(100);
            FlowResult first = flow(made.module, {describe_backend(made.text.dump())});
            std::vector<ExprId> calls = ExpressionNames(*made.module).calls();
            for (ExprId call : calls) {
                if (first.backend_of[call.value] >= 0) continue;
                nlohmann::json text = made.text;
                std::set<std::string> named;
                for (;;) {
                    std::vector<BackendDescription> backends{describe_backend(text.dump())};
                    FlowResult now = flow(made.module, backends);
                    if (now.backend_of[call.value] == 0) break;
                    FlowExplainer explainer(now, backends);
                    const CallCause cause = explainer.explain_call(call).causes.at(0);
                    std::string key = std::string(cause_name(cause.kind)) +
                                      (cause.kind == CallCause::Kind::SizeLimit ? cause.reason.text() : std::string());
                    QVERIFY2(named.insert(key).second,
                             (explainer.names().name(call) + ": " + cause.reason.text()).c_str());
                    mend(text, *made.module, call, cause);
                    limits += cause.kind == CallCause::Kind::SizeLimit;
                    ++steps;
                }
                ++placed;
            }
        }
        qInfo("%d calls placed by mending %d causes, %d of them limits", placed, steps, limits);
        QVERIFY(placed > 200 && limits > 100);
    }

    void everyStatedPathExistsAndWouldCloseACycle() {
        int paths = 0, different = 0, unmerged = 0, taken_apart = 0;
        for (uint64_t seed = 1; seed <= seeds(300); ++seed) {
            Random random(seed);
            auto made = generate_graph(GraphKind::Random, 10 + random(60), seed);
            QVERIFY(made);
            auto module = std::make_shared<const Module>(std::move(*made));
            std::vector<BackendDescription> backends{
                describe_backend(random_backend(random, *module, "first").dump()),
                describe_backend(random_backend(random, *module, "second").dump())};
            FlowResult result = flow(module, backends);
            FlowExplainer explainer(result, backends);
            for (const RegionPairExplanation& pair : explainer.explain_neighbours()) {
                const nlohmann::json said = explainer.to_json(pair);
                for (auto [key, expressions] :
                     {std::pair("edge", pair.edge.size()), std::pair("path", pair.path.size()),
                      std::pair("cycle", pair.cycle.size())})
                    QCOMPARE(said.value(key, nlohmann::json::array()).size(), expressions);
                if (pair.kind == RegionPairExplanation::Kind::DifferentBackend) {
                    QVERIFY(result.regions[size_t(pair.producer)].backend !=
                            result.regions[size_t(pair.consumer)].backend);
                    ++different;
                } else if (pair.kind == RegionPairExplanation::Kind::WouldCloseCycle) {
                    std::vector<int> regions(result.region_of.begin(), result.region_of.end());
                    QVERIFY(is_way_around(*module, regions, pair.path, pair.producer, pair.consumer));
                    QVERIFY(has_way_around(*module, regions, pair.producer, pair.consumer));
                    ++paths;
                } else {
                    QVERIFY(!has_way_around(*module, result, pair.producer, pair.consumer));
                    bool apart = pair.kind == RegionPairExplanation::Kind::TakenApart;
                    QVERIFY(apart || pair.kind == RegionPairExplanation::Kind::Unmerged);
                    PlainRegions regions(apart ? *result.stage("annotated") : *result.stage("merged"));
                    if (apart) regions.merge_as_tvm();
                    std::vector<int> together = regions.by_origin(module->size());
                    int from = together[pair.edge[0].value], to = together[pair.edge[1].value];
                    QVERIFY2(is_way_around(*module, together, pair.path, from, to), pair.reason.text().c_str());
                    ++(apart ? taken_apart : unmerged);
                    if (!apart) continue;
                    std::vector<int> alone = regions.by_origin(module->size(), false);
                    int around = alone[pair.cycle.at(0).value];
                    QVERIFY(around == from || around == to);
                    QVERIFY2(is_way_around(*module, alone, pair.cycle, around, around), pair.reason.text().c_str());
                }
            }
        }
        qInfo(
            "%d paths, %d of different backends, %d left apart because of regions on default, %d of regions taken "
            "apart",
            paths, different, unmerged, taken_apart);
        QVERIFY(paths > 50 && different > 100);
    }

    // A region that went back to default due to a limit goes to its backend without the limit; no region is outside the
    // limits; and two regions separated by a limit are one without it, or another cause is named.
    void everyStatedLimitIsReal() {
        int dropped = 0, apart = 0, limited_bytes = 0;
        for (uint64_t seed = 1; seed <= seeds(240); ++seed) {
            Random random(seed);
            auto made = generate_graph(GraphKind::Random, 10 + random(60), seed);
            QVERIFY(made);
            auto module = std::make_shared<const Module>(std::move(*made));
            std::vector<BackendDescription> free{describe_backend(random_backend(random, *module, "v").dump())};
            std::vector<BackendDescription> limited = free;
            RegionLimits& limits = limited[0].limits;
            const double live = 128 * (2 + random(6));
            switch (seed % 5) {
                case 0: limits.min_ops = 2 + int(random(3)); break;
                case 1: limits.min_flops = 1 + random(200); break;
                case 2: limits.max_inputs = 2 + int(random(3)); break;
                case 3: limits.max_live_bytes = live; break;
                default: limits.max_outputs = 1 + int(random(2)); break;
            }
            FlowResult with = flow(module, limited), without = flow(module, free);
            for (const RegionInfo& region : with.regions) {
                auto is_call = [&](ExprId id) { return module->kind(id) == ExprKind::Call; };
                QVERIFY(std::count_if(region.expressions.begin(), region.expressions.end(), is_call) >= limits.min_ops);
                if (limits.max_inputs) QVERIFY(region.inputs <= limits.max_inputs);
                if (limits.max_outputs) QVERIFY(region.outputs <= limits.max_outputs);
                QVERIFY(region.flops >= limits.min_flops);
                const std::vector<int> group_of(with.region_of.begin(), with.region_of.end());
                const int number = int(&region - with.regions.data());
                if (limits.max_live_bytes > 0)
                    QVERIFY(bytes_alive(*module, group_of, number, number) <= limits.max_live_bytes);
            }
            FlowExplainer explainer(with, limited);
            for (ExprId call : explainer.names().calls()) {
                for (const CallCause& cause : explainer.explain_call(call).causes) {
                    if (cause.kind != CallCause::Kind::SizeLimit) continue;
                    QCOMPARE(int(with.backend_of[call.value]), -1);
                    QCOMPARE(cause.backend, 0);
                    QCOMPARE(int(without.backend_of[call.value]), 0);
                    // Merged regions stay within the limits: only single regions outside them are dropped.
                    std::vector<int> alone(module->size(), -1);
                    alone[call.value] = 0;
                    auto [inputs, outputs] = inputs_and_outputs(*module, alone, 0, 0);
                    if (limits.max_inputs) QVERIFY2(inputs > limits.max_inputs, cause.reason.text().c_str());
                    if (limits.max_outputs) QVERIFY2(outputs > limits.max_outputs, cause.reason.text().c_str());
                    if (limits.max_live_bytes > 0) QVERIFY(bytes_alive(*module, alone, 0, 0) > limits.max_live_bytes);
                    ++dropped;
                }
            }
            FlowExplainer free_explainer(without, free);
            for (const RegionPairExplanation& pair : explainer.explain_neighbours()) {
                if (pair.kind != RegionPairExplanation::Kind::Limit) continue;
                QVERIFY(limits.max_inputs || limits.max_outputs || limits.max_live_bytes);
                QVERIFY(!has_way_around(*module, with, pair.producer, pair.consumer));
                QVERIFY2(pair.reason.text().find("at most") != std::string::npos, pair.reason.text().c_str());
                std::vector<int> together = PlainRegions(*with.stage("merged")).by_origin(module->size());
                auto [inputs, outputs] =
                    inputs_and_outputs(*module, together, together[pair.edge[0].value], together[pair.edge[1].value]);
                const double alive =
                    bytes_alive(*module, together, together[pair.edge[0].value], together[pair.edge[1].value]);
                QVERIFY2(limits.max_live_bytes > 0 ? alive > limits.max_live_bytes
                         : limits.max_inputs > 0   ? inputs > limits.max_inputs
                                                   : outputs > limits.max_outputs,
                         pair.reason.text().c_str());
                limited_bytes += limits.max_live_bytes > 0;
                int one = without.region_of[pair.edge[0].value], other = without.region_of[pair.edge[1].value];
                if (one != other) {
                    auto kind = free_explainer.explain_regions(one, other).kind;
                    QVERIFY(kind == RegionPairExplanation::Kind::WouldCloseCycle ||
                            kind == RegionPairExplanation::Kind::Unmerged ||
                            kind == RegionPairExplanation::Kind::TakenApart);
                }
                ++apart;
            }
        }
        qInfo("%d calls dropped by a limit, %d pairs kept apart by one", dropped, apart);
        qInfo("%d calls dropped, %d pairs apart, %d of them for their bytes", dropped, apart, limited_bytes);
        QVERIFY(dropped > 100 && apart > 30 && limited_bytes > 5);
    }

    // A pattern fails at the reported part: with that part replaced by '*' the match gets further.
    void everyStatedFailureOfAPatternIsReal() {
        const char* kPatterns[] = {"nn.relu(add(tanh(*), *))", "add(multiply(*, *), x: tanh(*) | nn.relu(*))",
                                   "multiply(add(*, *), constant)", "tanh(add(*, *).has_dtype(\"int8\"))"};
        int failures = 0, mended_whole = 0;
        for (uint64_t seed = 1; seed <= 60; ++seed) {
            auto made = generate_graph(GraphKind::Random, 30, seed);
            QVERIFY(made);
            for (const char* text : kPatterns) {
                auto pattern = Pattern::parse(text);
                QVERIFY(pattern);
                for (uint32_t i = 0; i < made->size(); ++i) {
                    ExprId call(i);
                    const std::vector<OpId>& roots = (*pattern)->root_ops();
                    if (std::find(roots.begin(), roots.end(), made->called_op(call)) == roots.end()) continue;
                    PatternMatcher matcher(**pattern, *made);
                    if (matcher.match(call)) continue;
                    PatternFailure failure = matcher.explain(call);
                    const PatternNode& node = (*pattern)->nodes()[failure.node];
                    std::string changed(text);
                    changed.replace(node.begin, node.end - node.begin, "*");
                    auto mended = Pattern::parse(changed);
                    QVERIFY2(mended, changed.c_str());
                    ++failures;
                    PatternMatcher again(**mended, *made);
                    if (again.match(call)) {
                        ++mended_whole;
                        continue;
                    }
                    PatternFailure next = again.explain(call);
                    std::string next_place((*mended)->source(next.node));
                    QVERIFY2(next.expr != failure.expr || next_place != std::string((*pattern)->source(failure.node)),
                             (changed + ": " + next.reason.text()).c_str());
                }
            }
        }
        qInfo("%d failures of patterns, %d mended by one change", failures, mended_whole);
        QVERIFY(failures > 200 && mended_whole > 50);
    }

    void whyACallOfNoOperatorStaysIsSaid() {
        auto module = parse(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) {\n"
            "  %0 = fn (%a: Tensor[(1, 8), float32], Composite=\"v.p\") -> Tensor[(1, 8), float32] { nn.relu(%a) };\n"
            "  %1 = fn (%b: Tensor[(1, 8), float32]) -> Tensor[(1, 8), float32] { tanh(%b) };\n"
            "  %2 = %0(%x);\n  %1(%2)\n}");
        std::vector<BackendDescription> backends{describe_backend(R"({"name": "w", "ops": {"nn.relu": true}})")};
        FlowResult result = flow(module, backends);
        FlowExplainer explainer(result, backends);
        QStringList reasons;
        for (ExprId call : explainer.names().calls())
            if (!module->called_op(call).valid())
                reasons << QString::fromStdString(explainer.explain_call(call).causes.at(0).reason.text());
        QCOMPARE(reasons,
                 (QStringList{"it calls the composite v.p, which goes to the backend that its name begins with",
                              "it calls a function, and rules are for operators"}));
    }

    void theChecksTermsStandWithTheMatch() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(tanh(%x)) }");
        auto explain = [&](const std::string& check) {
            std::vector<BackendDescription> backends{
                describe_backend("{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"nn.relu(t: "
                                 "tanh(*))\", \"check\": \"" +
                                 check + "\"}]}")};
            FlowResult result = flow(module, backends);
            FlowExplainer explainer(result, backends);
            for (const Decision& decision : result.log.decisions())
                if (decision.pass == PassKind::Composite) return explainer.explain_match(decision);
            return CallCause{};
        };
        CallCause refused = explain("t.rank == 3 && t.op == 'tanh'");
        QCOMPARE(refused.kind, CallCause::Kind::PatternFailed);
        QCOMPARE(refused.terms.size(), size_t(1));
        QCOMPARE(QString::fromStdString(refused.terms[0].to_string(false)), "t.rank == 3: t.rank is 2");
        CallCause taken = explain("t.rank == 2 && t.op == 'tanh'");
        QCOMPARE(taken.kind, CallCause::Kind::Composite);
        QCOMPARE(taken.terms.size(), size_t(2));
        QCOMPARE(QString::fromStdString(taken.reason.text()), "t.rank == 2 && t.op == 'tanh'");
    }

    // A document written in pieces equals the whole: nested, empty and large, with any text.
    void aStreamedDocumentIsTheDumpOfTheWhole() {
        using Json = nlohmann::ordered_json;
        Json item{
            {"name", "caf\u00e9 \"x\"\nline"}, {"list", Json::array()}, {"nested", {{"a", {1, 2}}, {"b", nullptr}}}};
        for (int count : {0, 1, 5000}) {
            Json whole{{"file", "f"}, {"empty", Json::array()}, {"object", {{"inner", 1}}}, {"items", Json::array()}};
            std::string text;
            size_t largest = 0;
            JsonStream json(
                [&](std::string_view piece) {
                    text += piece;
                    largest = std::max(largest, piece.size());
                },
                2, true);
            json.begin_object();
            json.member("file", Json("f"));
            json.begin_list("empty");
            json.end();
            json.begin_object("object");
            json.member("inner", Json(1));
            json.end();
            json.begin_list("items");
            for (int i = 0; i < count; ++i) {
                whole["items"].push_back(item);
                json.item(item);
            }
            json.end();
            json.end();
            QVERIFY(text == whole.dump(2, ' ', true) + "\n");
            QVERIFY(largest < 100000);
        }
    }

    // The last tuple is a region of its own: merged with the source of its fields, it would depend on itself.
    void aRegionOfATupleAloneHasNoCalls() {
        auto module = parse(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) {\n  %0 = tanh(%x);\n  %1 = tanh(%0);\n"
            "  %2 = nn.relu(%1);\n  %3 = tanh(%2);\n  %4 = tanh(%3);\n  %5 = (%1, %4);\n  %6 = concatenate(%5);\n"
            "  (%5, %6)\n}");
        auto regions = [&](const std::string& limits) {
            std::vector<BackendDescription> backends{
                describe_backend("{\"name\": \"v\", \"ops\": {\"tanh\": true}, \"limits\": {" + limits + "}}")};
            FlowResult result = flow(module, backends);
            QStringList found;
            for (const RegionInfo& region : result.regions) {
                int calls = 0;
                for (ExprId id : region.expressions) calls += module->kind(id) == ExprKind::Call;
                found << QString::number(calls);
            }
            for (const Decision& decision : result.log.decisions())
                if (decision.kind == DecisionKind::SizeLimit && module->kind(decision.subject) == ExprKind::Tuple)
                    found << QString::fromStdString(decision.detail.text());
            found.sort();
            return found.join(", ");
        };
        QCOMPARE(regions(""), "0, 2, 2");
        QCOMPARE(regions("\"min_ops\": 1"), "2, 2, its region has 0 calls, at least 1 is required");
    }

    void allOfAReasonCanBeSaidInAnotherLanguage() {
        const std::map<std::string, std::string> german{{"it is %1", "es ist %1"},
                                                        {"a call of %1", "ein Aufruf von %1"}};
        const Sentence reason{"it is %1", {Sentence{"a call of %1", {"add"}}}};
        QCOMPARE(reason.text(), std::string("it is a call of add"));
        QCOMPARE(reason.in([&](const char* form) { return german.at(form); }),
                 std::string("es ist ein Aufruf von add"));
        // A name that looks like a placeholder stays unchanged.
        QCOMPARE((Sentence{"%1 and %2", {"%2", "%1"}}.text()), std::string("%2 and %1"));
        QVERIFY(as_it_is("").empty());
    }

    void aRegionOutsideSeveralLimitsNamesThemAll() {
        auto module = parse(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32], %y: Tensor[(1, 8), float32]) { add(%x, %y) "
            "}");
        std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"v\", \"ops\": {\"add\": true}, \"limits\": {\"min_ops\": 2, \"min_flops\": "
                             "9, \"max_inputs\": 1}}")};
        FlowResult result = flow(module, backends);
        QString text = QString::fromStdString(explain_text(result, backends));
        QVERIFY2(text.contains("v: its region has 1 call, at least 2 are required, and takes 8 operations, at least 9 "
                               "are required, and "
                               "has 2 inputs, at most 1 is allowed"),
                 qPrintable(text));
    }

    void aTransparentCallThatFollowsHasNoOtherCause() {
        auto module =
            parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(copy(tanh(%x))) }");
        std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"v\", \"ops\": {\"tanh\": true}, \"transparent\": [\"copy\"]}")};
        FlowResult result = flow(module, backends);
        for (uint32_t i = 0; i < module->size(); ++i) QCOMPARE(result.region_of[i] >= 0, result.backend_of[i] >= 0);
        QString text = QString::fromStdString(explain_text(result, backends));
        QVERIFY2(text.contains("copy #2 -> v") && text.contains("it goes where its neighbours go") &&
                     !text.contains("no rule for copy"),
                 qPrintable(text));
    }

    void aCallThatAPatternTookSaysWhoWasNotAsked() {
        ModulePtr module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { tanh(exp(%x)) }");
        const std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"npu\", \"ops\": {\"exp\": true, \"tanh\": true}}"),
            describe_backend(
                "{\"name\": \"dsp\", \"patterns\": [{\"name\": \"dsp.both\", \"pattern\": \"tanh(exp(*))\"}]}")};
        FlowResult result = flow(module, backends);
        FlowExplainer explainer(result, backends);
        for (ExprId call : explainer.names().calls()) {
            const CallExplanation explanation = explainer.explain_call(call);
            QCOMPARE(explanation.backend, 1);
            QCOMPARE(int(explanation.causes.size()), 2);
            QVERIFY(explanation.causes[0].kind == CallCause::Kind::NotAsked);
            QCOMPARE(explanation.causes[0].rule, std::string("dsp.both"));
            QVERIFY(explanation.causes[1].kind == CallCause::Kind::Composite);
        }
    }

    void withoutTheCompositePassNoPatternIsSaidToHaveFailed() {
        ModulePtr module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) { tanh(exp(%x)) }");
        FlowOptions options;
        options.backends = {describe_backend(
            "{\"name\": \"dsp\", \"patterns\": [{\"name\": \"dsp.both\", \"pattern\": \"tanh(exp(*))\"}]}")};
        options.composite = false;
        auto result = run_flow(module, options);
        QVERIFY(result);
        FlowExplainer explainer(*result, options.backends);
        for (ExprId call : explainer.names().calls())
            for (const CallCause& cause : explainer.explain_call(call).causes)
                QVERIFY(cause.kind == CallCause::Kind::NoRule || cause.kind == CallCause::Kind::NotAsked);
    }

    void aFailedTermStandsWithItsValue() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), int8]) { nn.relu(%x) }");
        std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"v\", \"ops\": {\"nn.relu\": \"args[0].dtype == 'float32'\"}}")};
        FlowResult result = flow(module, backends);
        QCOMPARE(QString::fromStdString(explain_text(result, backends)),
                 "nn.relu #1 -> default\n    v: ops.nn.relu refuses it: args[0].dtype == 'float32': args[0].dtype is "
                 "'int8'\n");
    }

    void aPatternThatFailedSaysAtWhichNode() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(tanh(%x)) }");
        std::vector<BackendDescription> backends{describe_backend(
            "{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"nn.relu(sigmoid(*))\"}]}")};
        FlowResult result = flow(module, backends);
        QString text = QString::fromStdString(explain_text(result, backends));
        QVERIFY2(text.contains("pattern v.p: at tanh #1: 'sigmoid' does not match: it is a call of tanh"),
                 qPrintable(text));
    }

    void nearMissesOfAPatternAreItsRefusals() {
        auto module = parse(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(tanh(nn.relu(exp("
            "nn.relu(sigmoid(%x)))))) }");
        std::vector<BackendDescription> backends{
            describe_backend("{\"name\": \"u\", \"ops\": {\"tanh\": true}}"),
            describe_backend(
                "{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"nn.relu(sigmoid(*))\"}]}")};
        const FlowResult result = flow(module, backends);
        const std::vector<ExprId> calls = ExpressionNames(*module).calls();  // sigmoid, relu, exp, relu, tanh, relu
        FlowExplainer explainer(result, backends);
        const std::vector<Decision> misses = explainer.explain_near_misses("v.p", 10);
        QCOMPARE(misses.size(), size_t(2));
        for (size_t i = 0; i < 2; ++i) {
            const Decision& miss = misses[i];
            QVERIFY(miss.pass == PassKind::Composite && miss.kind == DecisionKind::PatternRefused);
            QCOMPARE(miss.subject, calls[2 * i + 3]);
            QCOMPARE(miss.other, calls[2 * i + 2]);
            QCOMPARE(miss.backend, 1);
            QCOMPARE(miss.rule, std::string("v.p"));
            QVERIFY(miss.detail.text().find("'sigmoid' does not match") != std::string::npos);
        }
        QCOMPARE(explainer.explain_near_misses("v.p", 1).size(), size_t(1));
        QVERIFY(explainer.explain_near_misses("v.q", 10).empty());
    }

    /// The op concerned states what a pattern expects that begins nowhere in the graph, and what is there instead.
    void aPatternWhoseRootIsMissingSaysWhatItExpects() {
        auto module = parse(R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 8, 8), float32], %w: Tensor[(4, 3, 1, 1), float32], %b: Tensor[(4, 1, 1), float32]) {
  %0 = nn.conv2d(%x, %w, padding=[0, 0, 0, 0], channels=4, kernel_size=[1, 1]);
  tanh(add(%0, %b))
}
)");
        std::vector<BackendDescription> backends{describe_backend(
            R"json({"name": "npu", "ops": {"nn.conv2d": true}, "patterns": [
               {"name": "npu.conv_bias", "pattern": "nn.bias_add(nn.conv2d(*, *), *)"},
               {"name": "npu.conv_add_relu", "pattern": "nn.relu(add(nn.conv2d(*, *), *))"},
               {"name": "npu.pool", "pattern": "nn.relu(nn.max_pool2d(*))"}]})json")};
        FlowResult result = flow(module, backends);
        const std::vector<ExprId> all = ExpressionNames(*module).calls();
        QString text = QString::fromStdString(explain_text(result, backends, all));
        QVERIFY2(text.contains("pattern npu.conv_bias: it expects nn.bias_add after nn.conv2d #1; here is add #2"),
                 qPrintable(text));
        QVERIFY2(text.contains("pattern npu.conv_add_relu: it expects nn.relu after add #2; here is tanh #3"),
                 qPrintable(text));
        QCOMPARE(text.count("npu.conv_bias:"), 2);      // at the convolution and at the add
        QCOMPARE(text.count("npu.conv_add_relu:"), 2);  // at the add and at the tanh
        QVERIFY(!text.contains("npu.pool"));
        FlowExplainer explainer(result, backends);
        const auto absence = [&](size_t pattern) {
            return QString::fromStdString(explainer.explain_absence(backends[0].patterns[pattern]).text());
        };
        QCOMPARE(absence(0),
                 "nothing in this graph calls nn.bias_add; after nn.conv2d it expects nn.bias_add, there is add");
        QCOMPARE(absence(2), "nothing in this graph calls nn.relu");
    }

    void aCompositeIsNamed() {
        auto module = parse("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 8), float32]) { nn.relu(tanh(%x)) }");
        std::vector<BackendDescription> backends{describe_backend(
            "{\"name\": \"v\", \"patterns\": [{\"name\": \"v.p\", \"pattern\": \"nn.relu(tanh(*))\"}]}")};
        FlowResult result = flow(module, backends);
        QString text = QString::fromStdString(explain_text(result, backends));
        QVERIFY2(text.contains("tanh #1 -> v") && text.contains("v: it is part of v.p"), qPrintable(text));
    }

    void modelsAreExplainedInWhole_data() {
        QTest::addColumn<QString>("name");
        for (const char* name : {"mobilenet_v1_int8.input", "resnet18.simplified", "squeezenet.simplified"})
            QTest::newRow(name) << name;
    }
    void modelsAreExplainedInWhole() {
        if (reference_folder().isEmpty()) QSKIP("the reference data is not here");
        QFETCH(QString, name);
        auto module = parse(read_text(reference_folder() + "/relay-models/" + name + ".relay"));
        std::vector<BackendDescription> backends{*builtin_backend("dnnl")};
        FlowResult result = flow(module, backends);
        FlowExplainer explainer(result, backends);
        for (ExprId call : explainer.names().calls()) {
            CallExplanation explanation = explainer.explain_call(call);
            QVERIFY(!explanation.causes.empty());
            if (explanation.backend >= 0) {
                bool stated =
                    std::any_of(explanation.causes.begin(), explanation.causes.end(), [](const CallCause& cause) {
                        return cause.kind == CallCause::Kind::Accepted || cause.kind == CallCause::Kind::Composite;
                    });
                QVERIFY2(stated, explainer.to_text(explanation).c_str());
            }
            QVERIFY(!explainer.to_json(explanation).dump().empty());
        }
    }
};

PARTITA_TEST(TestExplain)

}  // namespace test_explain

#include "test_explain.moc"
