// The Relay parser: valid texts, and messages for invalid ones.
#include "relay_testing.h"

#include "engine/ops/registry.h"
#include "tests/registry.h"

namespace test_relay_parser {

using namespace partita;

namespace {

std::string main_of(const std::string& body, const std::string& parameters = "%x: Tensor[(2, 3), float32]") {
    return "#[version = \"0.0.5\"]\ndef @main(" + parameters + ") {\n  " + body + "\n}\n";
}

std::string nested(const std::string& open, const std::string& middle, const std::string& close, int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += middle;
    for (int i = 0; i < depth; ++i) text += close;
    return text;
}

}  // namespace

class TestRelayParser : public QObject {
    Q_OBJECT

private slots:
    void marksOfSectionsAreSearchedInOneWalk() {
        std::string text = "#[version = \"0.0.5\"]\n";
        for (int i = 0; i < 2'000'000; ++i) text += "#[";
        QElapsedTimer timer;
        timer.start();
        QVERIFY(!parse_relay(text + "]\n"));
        QVERIFY2(timer.elapsed() < 10'000, QByteArray::number(timer.elapsed()));
        QVERIFY(!parse_relay("def @main(%x: float32) { %x } #[metadata]\n"));  // not at the beginning of a line
        QVERIFY(parse_relay("def @main(%x: float32) { %x }\n\t#[ metadata\t]\n{\"root\": 0, \"nodes\": [{}]}"));
    }

    void faultsAreNamedWithTheirPlace_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        auto row = [](const char* name, const std::string& text, const char* message) {
            QTest::newRow(name) << QString::fromStdString(text) << QString("m.relay:") + message;
        };
        row("empty", "",
            "1:1: error: the text is empty: expected a module, such as `def @main(%x: Tensor[(2, 3), float32]) { "
            "nn.relu(%x) }`");
        row("only space", " \n\t\n",
            "1:1: error: the text is empty: expected a module, such as `def @main(%x: Tensor[(2, 3), float32]) { "
            "nn.relu(%x) }`");
        row("binary",
            std::string("\x7f"
                        "ELF\x02\x01\0\0",
                        8),
            "1:7: error: this is a binary file: expected Relay text");
        row("odd byte", main_of("add(%x, \xc3\xa4)"), "3:11: error: the byte 0xc3 is not allowed in Relay text");
        row("only version", "#[version = \"0.0.5\"]\n",
            "2:1: error: expected a definition such as `def @main(...) {...}`, found the end of the text");
        row("newer version", "#[version = \"0.1.0\"]\n",
            "1:1: error: unknown version `0.1.0`: expected 0.0.5 or an older one");
        row("no version", "#[version = \"0.0-5\"]\n",
            "1:1: error: unknown version `0.0-5`: expected 0.0.5 or an older one");
        row("unknown op", main_of("ad(%x, %x)"), "3:3: error: unknown operator `ad`: did you mean `add`?");
        row("unknown op, no call", main_of("frobnicate_all"),
            "3:3: error: unknown operator `frobnicate_all`: expected the name of an operator");
        row("op without call", main_of("add"), "4:1: error: expected `(` after the operator `add`, found `}`");
        row("too many arguments", main_of("add(%x, %x, %x)"),
            "3:3: error: `add` takes 2 arguments (lhs, rhs), found 3");
        row("too few arguments", main_of("nn.relu()"), "3:3: error: `nn.relu` takes 1 argument (data), found 0");
        row("unbound", main_of("add(%x, %y1)"),
            "3:11: error: `%y1` is not bound: expected a parameter or a let of that name");
        row("unbound, near", main_of("%weigth", "%weight: float32"),
            "3:3: error: `%weigth` is not bound: did you mean `%weight`?");
        row("unbound temporary", main_of("add(%x, %7)"),
            "3:11: error: `%7` is not bound: expected `%7 = ...;` before its use");
        row("use before definition", main_of("%1 = exp(%0);\n  %0 = exp(%x);\n  %1"),
            "3:12: error: `%0` is used before its definition on line 4");
        row("use before let", main_of("%1 = exp(%y);\n  let %y = exp(%x);\n  %1"),
            "3:12: error: `%y` is used before its definition on line 4");
        row("use of itself", main_of("let %y = exp(%y);\n  %y"), "3:16: error: `%y` is not bound: did you mean `%x`?");
        row("function twice", "def @f() { 1 }\ndef @g() { 2 }\ndef @f() { 3 }",
            "3:5: error: `@f` is defined twice: expected another name, the first definition is on line 1");
        row("parameter twice", "def @main(%x: float32, %x: float32) { %x }",
            "1:24: error: the parameter `%x` is defined twice: expected another name");
        row("temporary twice", main_of("%0 = exp(%x);\n  %0 = log(%x);\n  %0"),
            "4:3: error: `%0` is defined twice in one scope: expected another number, the value of the first "
            "definition is on line 3");
        row("temporary beyond its function", main_of("%1 = fn (%a) { %0 = exp(%a); %0 };\n  add(%1(%x), %0)"),
            "4:15: error: `%0` is used beyond its scope: it depends on `%a`, which is not bound here");
        row("temporary of another function", "def @f(%a: int32) { %0 = exp(%a); %0 }\ndef @main() { %0 }",
            "2:15: error: `%0` is used beyond its scope: it depends on `%a`, which is not bound here");
        row("function not defined", main_of("@man(%x)"),
            "3:3: error: the function `@man` is not defined in this module: did you mean `@main`?");
        row("arity of a function", "def @f(%a: float32) { %a }\ndef @main(%x: float32) { @f(%x, %x) }",
            "2:26: error: `@f` takes 1 argument, found 2");
        row("unknown attribute", main_of("nn.softmax(%x, axs=1)"),
            "3:18: error: `nn.softmax` has no attribute `axs`: did you mean `axis`?");
        row("attribute of none", main_of("exp(%x, axis=1)"),
            "3:11: error: `exp` has no attribute `axis`: expected none");
        row("kind of attribute", main_of("nn.softmax(%x, axis=\"1\")"),
            "3:23: error: the attribute `axis` of `nn.softmax` is wrong: expected an integer, found `\"1\"`");
        row("element type", main_of("cast(%x, dtype=\"float33x\")"),
            "3:18: error: the attribute `dtype` of `cast` is wrong: expected an element type such as \"float32\", "
            "found `\"float33x\"`");
        row("attribute twice", main_of("nn.softmax(%x, axis=1, axis=1)"),
            "3:26: error: the attribute `axis` is given twice");
        row("attribute missing", main_of("clip(%x, a_min=1f)"),
            "3:12: error: `clip` needs the attribute `a_max`, expected a number such as `0.1f`");
        row("all attributes missing", main_of("clip(%x)"),
            "3:3: error: `clip` needs the attribute `a_min`, expected a number such as `0.1f`");
        row("truncated in a call", "def @main(%x: float32) {\n  add(%x, ",
            "2:11: error: expected an expression here, found the end of the text");
        row("truncated in a type", "def @main(%x: Tensor[(2, ",
            "1:26: error: expected the size of a dimension such as `3`, or `?`, found the end of the text");
        row("truncated body", "def @main(%x: float32) {\n  %0 = exp(%x);\n",
            "3:1: error: expected an expression here, found the end of the text");
        row("no semicolon", main_of("%0 = exp(%x)\n  log(%0)"),
            "4:3: error: expected `;` after a binding, found `log`");
        row("no brace", "def @main(%x: float32) { %x",
            "1:28: error: expected `}` after a body, found the end of the text");
        row("comment", "def @main() { /* no end", "1:15: error: this comment does not end: expected `*/`");
        row("string", main_of("cast(%x, dtype=\"float32)"), "3:18: error: this string does not end: expected `\"`");
        row("float without f", main_of("add(%x, 0.5)"),
            "3:11: error: `0.5` is no integer: a floating-point number is written with an f, as `0.5f`");
        row("float without digits and f", main_of("add(%x, 2.)"),
            "3:11: error: `2.` is no integer: a floating-point number is written with an f, as `2.f`");
        row("large integer", main_of("add(%x, 99999999999999999999)"),
            "3:11: error: `99999999999999999999` is too large for an integer");
        row("large int32", main_of("add(%x, 3000000000i32)"), "3:11: error: `3000000000` is too large for an int32");
        row("large float", main_of("add(%x, 1e39f)"), "3:11: error: `1e39` is too large for a float32");
        row("large float64", main_of("add(1f, 1e999f64)"), "3:11: error: `1e999` is too large for a float64");
        row("a text in a list of lists", main_of("reshape(%x, newshape=[[1, \"a\"]])"),
            "3:24: error: the attribute `newshape` of `reshape` is wrong: expected a list of integers such as `[1, "
            "1]`, found `[[1, \"a\"]]`");
        row("odd width", main_of("add(%x, 1i12)"),
            "3:11: error: the suffix `i12` is invalid: expected a width of 16, 32 or 64");
        row("unknown type", "def @main(%x: List[float32]) { %x }",
            "1:15: error: unknown type `List`: expected `Tensor[(2, 3), float32]`, a name such as `float32`, a tuple "
            "or a function type (algebraic data types are not supported)");
        row("unknown element type", "def @main(%x: Tensor[(2), floot32]) { %x }",
            "1:27: error: unknown element type `floot32`: expected one such as `float32`, `int8`, `bool`");
        row("huge shape", "def @main(%x: Tensor[(9000000000, 9000000000), float32]) { %x }",
            "1:22: error: the shape (9000000000, 9000000000) has too many elements");
        row("negative shape", "def @main(%x: Tensor[(-2), float32]) { %x }",
            "1:23: error: expected the size of a dimension such as `3`, or `?`, found the number `-2`");
        row("data types", "type List[A] { Nil }",
            "1:1: error: algebraic data types are not supported: expected only functions, `def @name(...) {...}`");
        row("match", main_of("match (%x) { }"), "3:3: error: `match` and algebraic data types are not supported");
        row("type parameters", "def @f[A](%x: A) { %x }",
            "1:7: error: type parameters are not supported: expected `(`");
        row("tuple index", main_of("(%x, %x).2"),
            "3:12: error: the tuple has 2 fields, there is none with the index 2");
        std::string many = "k0=0";
        for (int i = 1; i < 40; ++i) many += ", k" + std::to_string(i) + "=0";
        for (const char* again : {"k0", "k3", "k16", "k17", "k39"})
            row((std::string(again) + " again").c_str(), "def @main(%x: int32, " + many + ",\n" + again + "=1) { %x }",
                ("2:1: error: the function attribute `" + std::string(again) + "` is given twice").c_str());
        const std::string few = many.substr(0, many.find(", k17="));  // 17 are no longer looked up one by one
        row("k0 again, after 17", "def @main(%x: int32, " + few + ",\nk0=1) { %x }",
            "2:1: error: the function attribute `k0` is given twice");
        row("carriage return", "def @main() {\r 1 }", "1:14: error: a carriage return must be followed by a newline");
        row("garbage after", main_of("%x") + "garbage",
            "5:1: error: expected `def` to begin a definition, found `garbage`");
        row("hash", "#[versoin = \"0.0.5\"]",
            "1:1: error: expected `#[version = \"0.0.5\"]` or `#[metadata]` after `#`");
        row("no section", main_of("annotation.compiler_begin(%x, meta[relay.attrs.CompilerAttrs][0])"),
            "3:33: error: the text has no metadata section, so `meta[relay.attrs.CompilerAttrs][0]` has no value: "
            "expected the compiler's name, give it with --compiler");
        row("no section, constant", main_of("add(%x, meta[relay.Constant][0])"),
            "3:11: error: the text has no metadata section, so `meta[relay.Constant][0]` has no value: expected "
            "`#[metadata]` at the end of the text");
    }
    void theLackOfACompilersNameIsTold() {
        const auto lacks = [](const char* text, const char* compiler) {
            bool told = false;
            RelayParseOptions options;
            options.compiler = compiler;
            options.lacks_compiler = &told;
            (void)parse_relay(text, options);
            return told;
        };
        const char* const kMarked =
            "def @main(%x: float32) { annotation.compiler_begin(%x, meta[relay.attrs.CompilerAttrs][0]) }";
        QVERIFY(lacks(kMarked, ""));
        QVERIFY(!lacks(kMarked, "dnnl"));
        QVERIFY(lacks("def @main(%x: float32) { annotation.compiler_begin(%x) }", ""));
        QVERIFY(!lacks("def @main(%x: float32) { add(%x, meta[relay.Constant][0]) }", ""));
        QVERIFY(!lacks("def @main(", ""));
    }

    void faultsAreNamedWithTheirPlace() {
        QFETCH(QString, text);
        QFETCH(QString, message);
        RelayParseOptions options;
        options.file = "m.relay";
        QCOMPARE(q(refusal(text.toStdString(), options)), message);
    }

    /// An escaped surrogate pair at the end of a text is one character, as in its middle.
    void anEscapedPairEndsAText() {
        auto module = parse_relay(
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32]) {\n"
            "  annotation.compiler_begin(%x, meta[relay.attrs.CompilerAttrs][0])\n}\n\n#[metadata]\n"
            "{\"root\": 1, \"nodes\": [{\"type_key\": \"\"}, {\"type_key\": \"Map\", \"keys\": "
            "[\"relay.attrs.CompilerAttrs\"], \"data\": [2]},"
            "{\"type_key\": \"Array\", \"data\": [3]}, {\"type_key\": \"relay.attrs.CompilerAttrs\", \"attrs\": "
            "{\"compiler\": \"a\\ud83d\\ude00\"}}]}");
        QVERIFY2(module, module ? "" : module.error().to_string().c_str());
        const std::string text = print_relay(*module);
        QVERIFY2(
            text.find("a\xF0\x9F\x98\x80") != std::string::npos || text.find("a\\ud83d\\ude00") != std::string::npos,
            text.c_str());
    }

    void faultsOfMetadataAreNamedWithTheirPlace_data() {
        QTest::addColumn<QString>("section");
        QTest::addColumn<QString>("message");
        auto nodes = [](const std::string& list, const std::string& tensors = "") {
            return QString::fromStdString("{\"root\": 1, \"nodes\": [{\"type_key\": \"\"},\n" + list +
                                          "],\n\"b64ndarrays\": [" + tensors + "]}");
        };
        const std::string lists =
            "{\"type_key\": \"Map\", \"keys\": [\"relay.Constant\"], \"data\": [2]}, {\"type_key\": \"Array\", "
            "\"data\": [3]},\n";
        const std::string constant = "{\"type_key\": \"relay.Constant\", \"attrs\": {\"data\": \"0\"}}";
        QTest::newRow("no JSON") << "hello"
                                 << "6:1: error: bad metadata: expected `{` in the metadata section, found `h`";
        QTest::newRow("cut") << "{\"root\": 1, \"nodes\": ["
                             << "6:23: error: bad metadata: expected `{` in a node, found the end of the text";
        QTest::newRow("no root") << "{\"nodes\": [{\"type_key\": \"\"}]}"
                                 << "6:1: error: bad metadata: expected `\"root\"` to be the index of a node";
        QTest::newRow("root too large") << "{\"root\": 4, \"nodes\": [{\"type_key\": \"\"}]}"
                                        << "6:1: error: bad metadata: expected `\"root\"` to be the index of a node";
        QTest::newRow("index too large") << nodes("{\"type_key\": \"Array\", \"data\": [77]}")
                                         << "6:1: error: bad metadata: node 77 is referred to, but there are 2";
        QTest::newRow("no such key") << nodes("{\"type_key\": \"Map\"}")
                                     << "3:11: error: the metadata section has no entries of `relay.Constant`, so "
                                        "`meta[relay.Constant][0]` has no value";
        QTest::newRow("no such entry")
            << nodes(
                   "{\"type_key\": \"Map\", \"keys\": [\"relay.Constant\"], \"data\": [2]}, {\"type_key\": \"Array\"}")
            << "3:11: error: the metadata section has 0 entries of `relay.Constant`, there is none with the index 0";
        QTest::newRow("other node") << nodes(lists + "{\"type_key\": \"IntImm\"}")
                                    << "8:1: error: bad metadata: expected a relay.Constant, found `IntImm`";
        QTest::newRow("no tensor") << nodes(lists + constant)
                                   << "8:1: error: bad metadata: tensor `0` is referred to, but there are 0";
        QTest::newRow("no base64") << nodes(lists + constant, "\"****\"")
                                   << "9:17: error: bad metadata: this tensor is no base64, or is cut short";
        QTest::newRow("no magic") << nodes(lists + constant, "\"" + std::string(64, 'A') + "\"")
                                  << "9:17: error: bad metadata: this tensor does not begin with TVM's magic number";
        // (2) float32 with 8 bytes, and then one character less.
        const std::string tensor = "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA=";
        QTest::newRow("a tensor") << nodes(lists + constant, "\"" + tensor + "\"") << "accepted";
        QTest::newRow("cut tensor")
            << nodes(lists + constant, "\"" + tensor.substr(0, tensor.size() - 4) + "\"")
            << "9:17: error: bad metadata: this tensor's shape (2) of float32 does not fit its 6 bytes of data";
        std::string rank = tensor;
        rank.replace(32, 4, "////");
        std::string fields = "\"k0\": \"\"";
        for (int i = 1; i <= 1000; ++i) fields += ", \"k" + std::to_string(i) + "\": \"\"";
        QTest::newRow("fields") << nodes("{\"type_key\": \"relay.Constant\", \"attrs\": {" + fields + "}}")
                                << "7:1: error: bad metadata: this node has over 1000 fields";
        QTest::newRow("rank") << nodes(lists + constant, "\"" + rank + "\"")
                              << "9:17: error: bad metadata: this tensor's rank is 16777215";
    }
    void faultsOfMetadataAreNamedWithTheirPlace() {
        QFETCH(QString, section);
        QFETCH(QString, message);
        std::string text = main_of("add(%x, meta[relay.Constant][0])") + "#[metadata]\n" + section.toStdString();
        QCOMPARE(q(refusal(text)), message);
    }

    // A few kilobytes that expand to gigabytes: lists that share their items, and a long text, each referenced often.
    void whatTheMetadataMeansIsBounded_data() {
        QTest::addColumn<QString>("nodes");
        QString nested = QStringLiteral("{\"type_key\": \"Array\", \"data\": [4, 4, 4, 4, 4, 4, 4, 4, 4, 4]}");
        for (int level = 5; level < 9; ++level) {
            const QString items = QString("%1, ").arg(level).repeated(10);
            nested += ",\n{\"type_key\": \"Array\", \"data\": [" + items.left(items.size() - 2) + "]}";
        }
        QTest::newRow("lists") << nested + ",\n{\"type_key\": \"\"}";
        QTest::newRow("text") << "{\"type_key\": \"runtime.String\", \"repr_str\": \"" + QString(20000, 'a') + "\"}";
    }
    void whatTheMetadataMeansIsBounded() {
        QFETCH(QString, nodes);
        QString attributes = "Name=meta[Value][0]";
        for (int i = 0; i < 100; ++i) attributes += QString(", k%1=meta[Value][0]").arg(i);
        const QString text = "def @main(%x: float32, " + attributes + ") { %x }\n#[metadata]\n" +
                             "{\"root\": 1, \"nodes\": [{\"type_key\": \"\"}, {\"type_key\": \"Map\", \"keys\": "
                             "[\"Value\"], \"data\": [2]},\n" +
                             "{\"type_key\": \"Array\", \"data\": [3]}," + nodes + "]}";
        QVERIFY(q(refusal(text.toStdString())).contains("the values that the text uses are too large in total"));
    }

    void anExpressionAloneIsMainAndMayCallItself() {
        QCOMPARE(q(refusal("fn (%n: int32) -> int32 { if (less(%n, 9)) { @main(add(%n, 1)) } else { %n } }")),
                 QString("accepted"));
        QVERIFY(refusal("fn (%n: int32) -> int32 { @mein(%n) }").find("did you mean `@main`?") != std::string::npos);
    }

    void toleranceOfTheLanguage_data() {
        QTest::addColumn<QString>("body");
        QTest::addColumn<QString>("printed");
        auto row = [](const char* name, const char* body, const char* printed) {
            QTest::newRow(name) << body << printed;
        };
        row("infix", "%x * %x + %x / 2f - %x",
            "  %0 = multiply(%x, %x);\n  %1 = divide(%x, 2f);\n  %2 = add(%0, %1);\n  subtract(%2, %x)");
        row("comparison", "%x + 1f <= %x == %x > 2f",
            "  %0 = add(%x, 1f);\n  %1 = less_equal(%0, %x);\n  %2 = greater(%x, 2f);\n  equal(%1, %2)");
        row("minus without space", "%x -1f", "  subtract(%x, 1f)");
        row("signs", "(--1f, ---2f, -3, -inff, nanf)", "  (1f, -2f, -3, -inff, nanf)");
        row("widths", "(1i16, 2i64, 3, 4000000000, 1.5f16, 2.5f64)",
            "  (1i16, 2i64, 3, 4000000000i64, 1.5f16, 2.5f64)");
        row("booleans", "(True, False)", "  (True, False)");
        row("comments", "/* a /* nested */ one */ exp(/**/ %x /***/) // end\n", "  exp(%x)");
        row("grouping", "((%x))", "  %x");
        row("one field", "(%x,)", "  (%x,)");
        row("no field", "()", "  ()");
        row("trailing comma", "add(%x, %x,)", "  add(%x, %x)");
        row("projection", "%0 = (%x, %x);\n%0.1", "  %0 = (%x, %x);\n  %0.1");
        row("statement", "exp(%x); log(%x)", "  let %v = exp(%x);\n  log(%x)");
        row("scope", "%0 = { let %y = exp(%x); %y };\n%0", "  let %y = exp(%x);\n  %y");
        row("shadowing let", "let %x = exp(%x); let %x = log(%x); %x",
            "  let %x1 = exp(%x);\n  let %x2 = log(%x1);\n  %x2");
        row("recursive let", "let %f = fn (%a) { %f(%a) }; %f(%x)", "  let %f = fn (%a) {\n    %f(%a)\n  };\n  %f(%x)");
        row("curried call", "%0 = fn (%a) { fn (%b) { add(%a, %b) } };\n%0(%x)(%x)",
            "  %0 = fn (%a) {\n    fn (%b) {\n      add(%a, %b)\n    }\n  };\n  %1 = %0(%x);\n  %1(%x)");
        row("free variable", "free_var %y: float32; add(%x, %y)", "  free_var %y: float32;\n  add(%x, %y)");
        row("list in parentheses", "reshape(%x, newshape=([3, 2]))", "  reshape(%x, newshape=[3, 2])");
        row("bare element type", "cast(%x, dtype=int8)", "  cast(%x, dtype=\"int8\")");
        row("integer for a real", "clip(%x, a_min=0, a_max=6)", "  clip(%x, a_min=0f, a_max=6f)");
        row("default attribute", "nn.softmax(%x, axis=-1)", "  nn.softmax(%x)");
        row("compiler as attribute",
            "annotation.compiler_end(annotation.compiler_begin(%x, compiler=\"a\"), compiler=\"a\")",
            "  %0 = annotation.compiler_begin(%x, compiler=\"a\");\n  annotation.compiler_end(%0, compiler=\"a\")");
    }
    void toleranceOfTheLanguage() {
        QFETCH(QString, body);
        QFETCH(QString, printed);
        RelayPrintOptions print;
        print.show_metadata = false;
        std::string expected =
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 3), float32]) {\n" + printed.toStdString() + "\n}\n";
        std::string once = reprinted(main_of(body.toStdString()), false, print);
        QVERIFY2(once.starts_with(expected), once.c_str());
        QCOMPARE(q(reprinted(once, false, print)), q(once));
    }

    void olderFormsAreReadWithANote() {
        struct Form {
            const char* text;
            const char* note;
        };
        const Form forms[] = {
            {"v0.0.4\ndef @main(%x: float32) { %x }",
             "1:1: note: the text is of version 0.0.4, it is read as version 0.0.5"},
            {"#[version = \"0.0.4\"]\ndef @main(%x: float32) { %x }",
             "1:1: note: the text is of version 0.0.4, it is read as version 0.0.5"},
            {"def @main(%x: float32) { %x }", "1:1: note: the text has no version line: it is read as version 0.0.5"},
            {"fn (%x: float32) { %x }", "1:1: note: the text has no version line: it is read as version 0.0.5"},
            {"free_var %x: float32;\n%x", "1:1: note: the text has no version line: it is read as version 0.0.5"},
        };
        for (const Form& form : forms) {
            std::vector<Diagnostic> notes;
            RelayParseOptions options;
            options.notes = &notes;
            QCOMPARE(q(reprinted(form.text, false, {}, options)),
                     q("#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n  %x\n}\n"));
            QCOMPARE(notes.size(), size_t(1));
            QCOMPARE(q(notes[0].to_string()), q(form.note));
        }
    }

    void temporariesMayCountFromZeroInEachScope() {
        std::string text =
            "def @f(%x: float32) {\n  %0 = exp(%x);\n  log(%0)\n}\n"
            "def @g(%y: float32) {\n  %0 = tanh(%y);\n  sqrt(%0)\n}\n";
        QCOMPARE(q(reprinted(text)),
                 q("#[version = \"0.0.5\"]\ndef @f(%x: float32) {\n  %0 = exp(%x);\n  log(%0)\n}\n\n"
                   "def @g(%y: float32) {\n  %1 = tanh(%y);\n  sqrt(%1)\n}\n"));
    }

    void metadataEntriesAreShared() {
        std::string tensor = "P6G0lvBAXt0AAAAAAAAAAAEAAAAAAAAAAQAAAAIgAQACAAAAAAAAAAgAAAAAAAAAAACAPwAAAEA=";
        std::string text =
            "def @main() {\n  %0 = add(meta[relay.Constant][0], meta[relay.Constant][0]);\n  add(%0, "
            "meta[relay.Constant][1])\n}\n"
            "#[metadata]\n{\"root\": 1, \"nodes\": [{\"type_key\": \"\"}, {\"type_key\": \"Map\", \"keys\": "
            "[\"relay.Constant\"], \"data\": [2]},"
            "{\"type_key\": \"Array\", \"data\": [3, 4]}, {\"type_key\": \"relay.Constant\", \"attrs\": {\"data\": "
            "\"0\"}},"
            "{\"type_key\": \"relay.Constant\", \"attrs\": {\"data\": \"0\"}}], \"b64ndarrays\": [\"" +
            tensor + "\"], \"attrs\": {}}";
        Result<Module> module = parse_relay(text);
        QVERIFY2(module, module ? "" : module.error().to_string().c_str());
        ExprId body = module->body(module->find_function("main"));
        ExprId first = module->arguments(module->arguments(body)[0])[0];
        QCOMPARE(first, module->arguments(module->arguments(body)[0])[1]);
        ExprId second = module->arguments(body)[1];
        QVERIFY(first != second);
        QCOMPARE(module->constant_id(first), module->constant_id(second));
        QCOMPARE(module->constant(first).at(0), 1.0);
        QCOMPARE(module->constant(first).at(1), 2.0);
    }

    void constantsWithoutSectionAreZerosOfTheTypeInTheComment() {
        std::vector<Diagnostic> notes;
        RelayParseOptions options;
        options.notes = &notes;
        Result<Module> module = parse_relay(
            main_of(
                "add(%x, meta[relay.Constant][0] /* ty=Tensor[(2, 3), float32] */) /* ty=Tensor[(2, 3), float32] */"),
            options);
        QVERIFY2(module, module ? "" : module.error().to_string().c_str());
        const Tensor& constant = module->constant(module->arguments(module->body(module->find_function("main")))[1]);
        QCOMPARE(q(shape_to_string(constant.shape())), QString("(2, 3)"));
        QCOMPARE(notes.size(), size_t(1));
        QCOMPARE(notes[0].severity, Severity::Warning);
        QVERIFY(refusal(main_of("add(%x, meta[relay.Constant][0] /* ty=Tensor[(2000000, 2000000), float32] */)")) !=
                "accepted");
    }

    void constantsWithoutValuesArePrintedWithoutValues() {
        std::string text =
            "#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2), float32] /* ty=Tensor[(2), float32] */) -> Tensor[(2), "
            "float32] {\n"
            "  add(%x, meta[relay.Constant][0] /* ty=Tensor[(2), float32] */) /* ty=Tensor[(2), float32] */\n}\n";
        QCOMPARE(q(reprinted(text, true)), q(text));
    }

    void positionsOfExpressionsAreKept() {
        Result<Module> module = parse_relay("def @main(%x: float32) {\n  %0 = exp(%x);\n\n    log(%0)\n}\n");
        QVERIFY(module);
        ExprId body = module->body(module->find_function("main"));
        QCOMPARE(module->position(body).line, 4u);
        QCOMPARE(module->position(body).column, 5u);
        QCOMPARE(module->position(module->arguments(body)[0]).line, 2u);
        QCOMPARE(module->position(module->arguments(body)[0]).column, 8u);
    }

    void attributesAreStoredInSchemaOrderWithDefaults() {
        Result<Module> module = parse_relay(main_of("nn.conv2d(%x, %x, kernel_size=[3, 3], strides=[2, 2])"));
        QVERIFY2(module, module ? "" : module.error().to_string().c_str());
        AttributesView attributes = attributes_of(*module, module->body(module->find_function("main")));
        QCOMPARE(attributes.values().size(), attributes.op().attributes.size());
        QVERIFY(attributes.integers("strides") == std::vector<int64_t>({2, 2}));
        QVERIFY(attributes.integers("kernel_size") == std::vector<int64_t>({3, 3}));
        QCOMPARE(attributes.integer("groups"), 1);
        QCOMPARE(q(attributes.string("data_layout")), QString("NCHW"));
        // Without attributes in the text the defaults apply.
        module = parse_relay(main_of("nn.softmax(%x)"));
        QCOMPARE(attributes_of(*module, module->body(module->find_function("main"))).integer("axis"), -1);
    }

    void widthsOfIntegersSurvive() {
        std::string text = main_of(
            "%0 = split(%x, indices_or_sections=[1]);\n  %1 = split(%x, indices_or_sections=[1i64]);\n  (%0, %1)");
        QCOMPARE(q(reprinted(text)), q(text));
    }

    void nestingIsBounded() {
        auto calls = [](int depth) { return main_of(nested("exp(", "%x", ")", depth)); };
        QCOMPARE(q(refusal(calls(kDeepestNesting - 10))), QString("accepted"));
        QVERIFY(q(refusal(calls(1'000'000))).contains("brackets nest deeper than"));
        QVERIFY(q(refusal(main_of(nested("(", "%x", ")", 1'000'000)))).contains("brackets nest deeper than"));
        QVERIFY(q(refusal(main_of(nested("(", "", "", 1'000'000)))).contains("brackets nest deeper than"));
        QVERIFY(q(refusal(main_of(nested("{", "%x", "}", 1'000'000)))).contains("brackets nest deeper than"));
        QVERIFY(q(refusal(main_of(nested("fn () {", "%x", "}", 1'000'000)))).contains("brackets nest deeper than"));
        QVERIFY(q(refusal(main_of(nested("if (%x) {", "%x", "} else { %x }", 1'000'000))))
                    .contains("brackets nest deeper than"));
        QVERIFY(q(refusal("def @f(%x: " + nested("(", "", ",)", 1'000'000) + ") { %x }"))
                    .contains("brackets nest deeper than"));
        QVERIFY(q(refusal("def @f(%x: " + nested("ref(", "int8", ")", 1'000'000) + ") { %x }"))
                    .contains("brackets nest deeper than"));
        QVERIFY(q(refusal("def @f(%x: " + nested("fn () -> ", "int8", "", 1'000'000) + ") { %x }"))
                    .contains("brackets nest deeper than"));
        QVERIFY(q(refusal(main_of("reshape(%x, newshape=" + nested("[", "", "]", 1'000'000) + ")")))
                    .contains("brackets nest deeper than"));
    }

    void deepestNestingIsPrintedAndReadAgain() {
        std::string text = main_of(nested("if (True) {", "%x", "} else { %x }", 500));
        std::string printed = reprinted(text);
        QCOMPARE(q(reprinted(printed)), q(printed));
    }

    void chainsOfAMillionAreRead() {
        constexpr int kLength = 1'000'000;
        std::string bindings, lets, sum = "%x";
        for (int i = 0; i < kLength; ++i) {
            std::string before = std::to_string(i - 1), own = std::to_string(i);
            bindings += "  %" + own + " = exp(" + (i ? "%" + before : std::string("%x")) + ");\n";
            lets += "  let %y" + own + " = exp(" + (i ? "%y" + before : std::string("%x")) + ");\n";
            sum += " + %x";
        }
        std::string last = std::to_string(kLength - 1);
        std::string text =
            "#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n" + bindings + "  log(%" + last + ")\n}\n";
        QVERIFY(reprinted(text) == text);
        text = "#[version = \"0.0.5\"]\ndef @main(%x: float32) {\n" + lets + "  log(%y" + last + ")\n}\n";
        QVERIFY(reprinted(text) == text);
        QCOMPARE(q(refusal("fn (%x: float32) { " + sum + " }")), QString("accepted"));
    }

    void readingCanBeCancelled() {
        std::string text = "def @main(%x: float32) {\n";
        for (int i = 0; i < 5000; ++i) text += "  %" + std::to_string(i) + " = exp(%x);\n";
        RelayParseOptions options;
        options.cancel.cancel();
        QVERIFY(q(refusal(text + "  %x\n}\n", options)).contains("cancelled"));
    }
};

PARTITA_TEST(TestRelayParser)

}  // namespace test_relay_parser

#include "test_relay_parser.moc"
