// AnnotateTarget for each construct: which expressions get marks, of which compiler, with include_non_call_ops and
// without. src/relay/transforms/annotate_target.cc defines what TVM 0.9 does.
#include "tests/engine/pass_testing.h"

#include <regex>

#include "tests/registry.h"

namespace test_annotate_target {

using namespace partita;
using namespace partita::testing;

namespace {

const std::string kT = "Tensor[(2, 4), float32]";
const std::vector<BackendOps> kA = {{"a", {"exp", "add", "split", "concatenate", "less", "zeros"}}};

/// Returns the text with `begin_a(%x)` for `annotation.compiler_begin(%x, compiler="a")`, so that a case fits on the
/// screen.
std::string marks_of(const Module& module) {
    static const std::regex mark("annotation\\.compiler_(begin|end)\\(([^,]*), compiler=\"([^\"]*)\"\\)");
    return std::regex_replace(text_of(module), mark, "$1_$3($2)");
}

/// Returns the body of @main after the pass.
std::string body_of(const Module& module) {
    std::string text = marks_of(module);
    size_t begin = text.find("def @main");
    begin = text.find("{\n", begin) + 2;
    return text.substr(begin, text.find("\n}\n", begin) + 1 - begin);
}

/// Compares two texts and prints both if they differ.
bool same(const std::string& found, const std::string& expected) {
    if (found != expected) qWarning("found\n%s\nexpected\n%s", found.c_str(), expected.c_str());
    return found == expected;
}

std::string run(const std::string& parameters, const std::string& body, bool non_call_ops,
                const std::vector<BackendOps>& backends = kA) {
    return body_of(annotated(module_of("def @main(" + parameters + ") { " + body + " }"), backends, non_call_ops));
}

}  // namespace

class TestAnnotateTarget : public QObject {
    Q_OBJECT

private slots:
    void everyUseHasAPairOfItsOwn() {
        QVERIFY(same(run("%x: " + kT, "%0 = exp(%x); add(%0, %0)", true),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = exp(%0);\n"
                     "  %2 = end_a(%1);\n"
                     "  %3 = end_a(%1);\n"
                     "  %4 = begin_a(%2);\n"
                     "  %5 = begin_a(%3);\n"
                     "  %6 = add(%4, %5);\n"
                     "  end_a(%6)\n"));
    }

    void defaultMarksStay() {
        for (bool non_call_ops : {true, false})
            QVERIFY(same(run("%x: " + kT, "exp(abs(%x))", non_call_ops),
                         "  %0 = begin_default(%x);\n"
                         "  %1 = abs(%0);\n"
                         "  %2 = end_default(%1);\n"
                         "  %3 = begin_a(%2);\n"
                         "  %4 = exp(%3);\n"
                         "  end_a(%4)\n"));
    }

    void theFirstBackendInTheListWins() {
        QVERIFY(run("%x: " + kT, "exp(%x)", true, {{"b", {"exp"}}, {"a", {"exp"}}}).find("begin_b") !=
                std::string::npos);
    }

    void constantsGetABeginAndNoEnd() {
        QVERIFY(same(run("%x: float32", "add(%x, 2f)", true),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = begin_a(2f);\n"
                     "  %2 = add(%0, %1);\n"
                     "  end_a(%2)\n"));
    }

    void callsWithoutArgumentsAreLikeInputs() {
        QVERIFY(same(run("", "exp(zeros(shape=[2, 4], dtype=\"float32\"))", true),
                     "  %0 = zeros(shape=[2, 4], dtype=\"float32\");\n"
                     "  %1 = begin_a(%0);\n"
                     "  %2 = exp(%1);\n"
                     "  end_a(%2)\n"));
        QVERIFY(same(run("", "zeros(shape=[2, 4], dtype=\"float32\")", true),
                     "  zeros(shape=[2, 4], dtype=\"float32\")\n"));
    }

    void aTupleGoesWhereAllItsFieldsGo() {
        QVERIFY(same(run("%x: " + kT, "(exp(%x), exp(%x))", true),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = exp(%0);\n"
                     "  %2 = end_a(%1);\n"
                     "  %3 = begin_a(%x);\n"
                     "  %4 = exp(%3);\n"
                     "  %5 = end_a(%4);\n"
                     "  %6 = begin_a(%2);\n"
                     "  %7 = begin_a(%5);\n"
                     "  %8 = (%6, %7);\n"
                     "  end_a(%8)\n"));
        QVERIFY(same(run("%x: " + kT, "(exp(%x), exp(%x))", false),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = exp(%0);\n"
                     "  %2 = begin_a(%x);\n"
                     "  %3 = exp(%2);\n"
                     "  %4 = end_a(%1);\n"
                     "  %5 = end_a(%3);\n"
                     "  (%4, %5)\n"));
    }

    void aTupleWithAnInputInItIsDefault() {
        QVERIFY(same(run("%x: " + kT, "(exp(%x), %x)", true),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = exp(%0);\n"
                     "  %2 = end_a(%1);\n"
                     "  %3 = begin_default(%2);\n"
                     "  %4 = begin_default(%x);\n"
                     "  %5 = (%3, %4);\n"
                     "  end_default(%5)\n"));
    }

    void aTupleOfInputsIsDefaultAndSoIsItsConcatenationsBegin() {
        QVERIFY(same(run("%x: " + kT, "concatenate((%x, %x), axis=1)", true),
                     "  %0 = begin_default(%x);\n"
                     "  %1 = begin_default(%x);\n"
                     "  %2 = (%0, %1);\n"
                     "  %3 = end_default(%2);\n"
                     "  %4 = begin_a(%3);\n"
                     "  %5 = concatenate(%4, axis=1);\n"
                     "  end_a(%5)\n"));
        QVERIFY(same(run("%x: " + kT, "concatenate((%x, %x), axis=1)", false),
                     "  %0 = (%x, %x);\n"
                     "  %1 = begin_a(%0);\n"
                     "  %2 = concatenate(%1, axis=1);\n"
                     "  end_a(%2)\n"));
    }

    void aProjectionGoesWithItsTuple() {
        QVERIFY(same(run("%x: " + kT, "%0 = split(%x, indices_or_sections=2, axis=1); abs(%0.0)", true),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = split(%0, indices_or_sections=2, axis=1);\n"
                     "  %2 = end_a(%1);\n"
                     "  %3 = begin_a(%2);\n"
                     "  %4 = %3.0;\n"
                     "  %5 = end_a(%4);\n"
                     "  %6 = begin_default(%5);\n"
                     "  %7 = abs(%6);\n"
                     "  end_default(%7)\n"));
        QVERIFY(same(run("%x: " + kT, "%0 = split(%x, indices_or_sections=2, axis=1); abs(%0.0)", false),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = split(%0, indices_or_sections=2, axis=1);\n"
                     "  %2 = end_a(%1);\n"
                     "  %3 = %2.0;\n"
                     "  %4 = begin_default(%3);\n"
                     "  %5 = abs(%4);\n"
                     "  end_default(%5)\n"));
    }

    void aProjectionOfAnInputIsDefault() {
        QVERIFY(same(run("%p: (" + kT + ", " + kT + ")", "%p.1", true),
                     "  %0 = begin_default(%p);\n  %1 = %0.1;\n  end_default(%1)\n"));
        QVERIFY(same(run("%p: (" + kT + ", " + kT + ")", "%p.1", false), "  %p.1\n"));
    }

    void theEmptyTupleGetsNothing() {
        for (bool non_call_ops : {true, false}) QVERIFY(same(run("", "()", non_call_ops), "  ()\n"));
    }

    void theBodyOfALetIsClosedAndItsValueIsMarked() {
        QVERIFY(same(run("%x: " + kT, "let %v = exp(%x); exp(%v)", true),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = exp(%0);\n"
                     "  %2 = end_a(%1);\n"
                     "  let %v: " +
                         kT +
                         " = begin_a(%2);\n"
                         "  %3 = begin_a(%v);\n"
                         "  %4 = exp(%3);\n"
                         "  end_a(%4)\n"));
    }

    void branchesAndConditionsAreClosed() {
        for (bool non_call_ops : {true, false})
            QVERIFY(same(
                run("%x: " + kT + ", %c: float32", "%0 = less(%c, %c); if (%0) { exp(%x) } else { %x }", non_call_ops),
                "  %0 = begin_a(%c);\n"
                "  %1 = begin_a(%c);\n"
                "  %2 = less(%0, %1);\n"
                "  %3 = end_a(%2);\n"
                "  if (%3) {\n"
                "    %4 = begin_a(%x);\n"
                "    %5 = exp(%4);\n"
                "    end_a(%5)\n"
                "  } else {\n"
                "    %x\n"
                "  }\n"));
    }

    /// TVM stores no target for an if, which therefore gets a begin and no end.
    void theUserOfAnIfGetsABeginOnly() {
        QVERIFY(run("%x: " + kT + ", %c: bool", "exp(if (%c) { %x } else { %x })", true)
                    .find("  %1 = begin_a(%0);\n  %2 = exp(%1);\n") != std::string::npos);
    }

    void referencesGoWithTheirValues() {
        QVERIFY(same(run("%x: " + kT, "ref_read(ref(exp(%x)))", true),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = exp(%0);\n"
                     "  %2 = end_a(%1);\n"
                     "  %3 = begin_a(%2);\n"
                     "  %4 = ref(%3);\n"
                     "  %5 = end_a(%4);\n"
                     "  %6 = begin_a(%5);\n"
                     "  %7 = ref_read(%6);\n"
                     "  end_a(%7)\n"));
        QVERIFY(same(run("%x: " + kT, "ref_read(ref(exp(%x)))", false),
                     "  %0 = begin_a(%x);\n"
                     "  %1 = exp(%0);\n"
                     "  %2 = end_a(%1);\n"
                     "  %3 = ref(%2);\n"
                     "  ref_read(%3)\n"));
    }

    void callsOfGlobalFunctionsAreDefaultAndTheirBodiesAreMarked() {
        for (bool non_call_ops : {true, false}) {
            Module module =
                module_of("def @f(%y: " + kT + ") { exp(%y) }\n\ndef @main(%x: " + kT + ") { @f(exp(%x)) }");
            QVERIFY(same(marks_of(annotated(module, kA, non_call_ops)), "def @f(%y: " + kT + ") -> " + kT +
                                                                            " {\n"
                                                                            "  %0 = begin_a(%y);\n"
                                                                            "  %1 = exp(%0);\n"
                                                                            "  end_a(%1)\n"
                                                                            "}\n\n"
                                                                            "def @main(%x: " +
                                                                            kT + ") -> " + kT +
                                                                            " {\n"
                                                                            "  %2 = begin_a(%x);\n"
                                                                            "  %3 = exp(%2);\n"
                                                                            "  %4 = end_a(%3);\n"
                                                                            "  %5 = begin_default(%4);\n"
                                                                            "  %6 = @f(%5);\n"
                                                                            "  end_default(%6)\n"
                                                                            "}\n"));
        }
    }

    void callsOfVarsAreDefaultOrOutside() {
        std::string body = "let %f = fn (%y: " + kT + ") { exp(%y) }; %f(exp(%x))";
        std::string literal = "  let %f: fn (" + kT + ") -> " + kT + " = fn (%y: " + kT + ") -> " + kT +
                              " {\n"
                              "    %0 = begin_a(%y);\n"
                              "    %1 = exp(%0);\n"
                              "    end_a(%1)\n"
                              "  };\n"
                              "  %2 = begin_a(%x);\n"
                              "  %3 = exp(%2);\n"
                              "  %4 = end_a(%3);\n";
        auto without_type = [](std::string text) {
            size_t begin = text.find("let %f") + 6, end = text.find(" = fn");
            return text.erase(begin, end - begin);
        };
        QCOMPARE(without_type(run("%x: " + kT, body, true)),
                 without_type(literal) + "  %5 = begin_default(%4);\n  %6 = %f(%5);\n  end_default(%6)\n");
        QCOMPARE(without_type(run("%x: " + kT, body, false)), without_type(literal) + "  %f(%4)\n");
    }

    void aRecursiveFunctionIsMarkedLikeAnyOther() {
        Module module =
            module_of("def @main(%x: " + kT + ", %n: float32) -> " + kT +
                      " { %0 = less(%n, 0f); if (%0) { %x } else { %1 = exp(%x); %2 = add(%n, -1f); @main(%1, %2) } }");
        for (bool non_call_ops : {true, false})
            QVERIFY(same(body_of(annotated(module, kA, non_call_ops)),
                         "  %0 = begin_a(%n);\n"
                         "  %1 = begin_a(0f);\n"
                         "  %2 = less(%0, %1);\n"
                         "  %3 = end_a(%2);\n"
                         "  if (%3) {\n"
                         "    %x\n"
                         "  } else {\n"
                         "    %4 = begin_a(%x);\n"
                         "    %5 = exp(%4);\n"
                         "    %6 = end_a(%5);\n"
                         "    %7 = begin_a(%n);\n"
                         "    %8 = begin_a(-1f);\n"
                         "    %9 = add(%7, %8);\n"
                         "    %10 = end_a(%9);\n"
                         "    %11 = begin_default(%6);\n"
                         "    %12 = begin_default(%10);\n"
                         "    %13 = @main(%11, %12);\n"
                         "    end_default(%13)\n"
                         "  }\n"));
    }

    void compositesGoToTheBackendTheirNameBeginsWith() {
        std::string function =
            "%0 = fn (%p: " + kT + ", PartitionedFromPattern=\"exp_\", Composite=\"a.exp\") { exp(%p) }; ";
        std::string marked = "  %1 = fn (%p: " + kT + ", PartitionedFromPattern=\"exp_\", Composite=\"a.exp\") -> " +
                             kT + " {\n    exp(%p)\n  };\n";
        for (bool non_call_ops : {true, false}) {
            QVERIFY(same(run("%x: " + kT, function + "%0(%x)", non_call_ops),
                         "  %0 = begin_a(%x);\n" + marked + "  %2 = %1(%0);\n  end_a(%2)\n"));
            QVERIFY(same(run("%x: " + kT, function + "%0(%x)", non_call_ops, {{"b", {"exp"}}}),
                         "  %0 = begin_default(%x);\n" + marked + "  %2 = %1(%0);\n  end_default(%2)\n"));
        }
    }

    /// The pass does not enter a composite inside a composite.
    void compositesInCompositesAreLeftAsTheyAre() {
        std::string text = run("%x: " + kT,
                               "%1 = fn (%p: " + kT + ", Composite=\"a.two\") { %0 = fn (%q: " + kT +
                                   ", Composite=\"a.one\") { exp(%q) }; exp(%0(%p)) }; %1(%x)",
                               true);
        QCOMPARE(text.find("begin"), text.find("begin_a(%x)"));
        QCOMPARE(text.find("begin", text.find("begin") + 1), std::string::npos);
        QVERIFY(text.find("end_a(%") != std::string::npos);
    }

    void aSecondRunTakesWhatTheFirstLeftToDefault() {
        Module first = annotated(module_of("def @main(%x: " + kT + ") { exp(abs(%x)) }"), {{"a", {"exp"}}});
        QVERIFY(same(body_of(annotated(first, {{"b", {"abs", "exp"}}})),
                     "  %0 = begin_b(%x);\n"
                     "  %1 = abs(%0);\n"
                     "  %2 = end_default(%1);\n"
                     "  %3 = begin_a(%2);\n"
                     "  %4 = exp(%3);\n"
                     "  end_a(%4)\n"));
    }

    void functionsOfBackendsAndSkippedOnesAreLeftAlone() {
        for (const char* attribute : {"Compiler=\"b\"", "SkipOptimization=1"}) {
            Module module = module_of("def @f(%y: " + kT + ", " + attribute + ") { exp(%y) }\n\ndef @main(%x: " + kT +
                                      ") { @f(%x) }");
            std::string text = marks_of(annotated(module, kA));
            QVERIFY2(text.find("{\n  exp(%y)\n}") != std::string::npos, text.c_str());
        }
    }
};

PARTITA_TEST(TestAnnotateTarget)

}  // namespace test_annotate_target

#include "test_annotate_target.moc"
