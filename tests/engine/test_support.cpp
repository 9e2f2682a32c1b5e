// Parts of engine/support and engine/ir that have no test of their own elsewhere.
#include <QtTest>

#include <QElapsedTimer>
#include <QFile>

#include <chrono>

#include "engine/ir/data_type.h"
#include "engine/ir/expression_map.h"
#include "engine/ir/module.h"
#include "engine/support/amount.h"
#include "engine/support/file.h"
#include "engine/support/json_cursor.h"
#include "engine/support/json_reader.h"
#include "engine/support/natural_order.h"
#include "engine/support/place_link.h"
#include "engine/support/process.h"
#include "engine/support/query.h"
#include "engine/support/spelling.h"
#include "engine/support/utf8.h"
#include "tests/registry.h"

namespace test_support {

using namespace partita;

class TestSupport : public QObject {
    Q_OBJECT

    static QString refusal(const std::string& text) {
        Result<JsonValue> read = read_json(text);
        return read ? QStringLiteral("accepted") : QString::fromStdString(read.error().to_string());
    }

private slots:
    /// Files of the system say they are as long as a page.
    void aFileIsAsLongAsWhatIsRead() {
        const std::string path = "/sys/devices/system/cpu/online";
        if (!QFile::exists(QString::fromStdString(path))) QSKIP("no such file here");
        const Result<std::string> text = read_file(path);
        QVERIFY(text);
        QVERIFY(!text->empty() && text->find('\0') == std::string::npos);
    }

    void aModuleCountsItsOperands() {
        Module module;
        const std::vector<ExprId> fields(100000, module.add_var("x"));
        const size_t before = module.memory_bytes();
        module.add_tuple(fields);
        QVERIFY(module.memory_bytes() >= before + fields.size() * sizeof(ExprId));
        QVERIFY(module.memory_bytes() < before + 8 * fields.size() * sizeof(ExprId));
    }

    /// Three digits that count, and never "0.0000" or "1000 µs".
    void timesHaveTheUnitThatFits() {
        for (auto [milliseconds, text] :
             {std::pair(0.0, "0 ms"), std::pair(0.0029, "2.90 µs"), std::pair(0.0000415, "41.5 ns"),
              std::pair(0.99949, "999 µs"), std::pair(0.9999, "1.00 ms"), std::pair(9.996, "10.0 ms"),
              std::pair(12.5, "12.5 ms"), std::pair(-0.25, "-250 µs"), std::pair(61000.0, "61.0 s")})
            QCOMPARE(QString::fromStdString(time_text(milliseconds)), QString::fromUtf8(text));
    }

    void faultsOfJsonHaveTheirPlace_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("message");
        auto row = [](const char* text, const char* message) { QTest::newRow(text) << text << message; };
        row("[1, -2.5e+3, true, null, \"\\u00e9\", {}, []]", "accepted");
        row("", "1:1: error: expected a value, found the end of the text");
        row("[1,]", "1:4: error: expected a value, found `]`");
        row("[1\n 2]", "2:2: error: expected `]` in an array, found `2`");
        row("{\"a\": 1,}", "1:9: error: expected a key in quotes");
        row("{\"a\" 1}", "1:6: error: expected `:` in an object, found `1`");
        row("[1}", "1:3: error: expected `]` in an array, found `}`");
        row("1 2", "1:3: error: expected the end of the text after the value");
        for (const char* number : {"01", "1.", ".5", "1e", "+1", "nan", "inf", "0x1", "-", "tru"})
            row(number, (std::string("1:1: error: expected a value, found `") + number[0] + "`").c_str());
        row("1e999", "1:1: error: the number is out of range");
        row("\"a\tb\"", "1:3: error: a string can't hold a line break or control character; write \\n");
        row("\"0123456789\tb\"", "1:12: error: a string can't hold a line break or control character; write \\n");
        row("\"a\\q\"", "1:3: error: unknown escape in a string");
        row("\"\\u12g4\"", "1:2: error: expected four hexadecimal digits after `\\u`");
        row("\"\\ud83d\"", "1:2: error: a surrogate stands alone");
        row("\"\\ude00\"", "1:2: error: a surrogate stands alone");
        row("\"\\ud83dx\\ude00\"", "1:2: error: a surrogate stands alone");
        row("{\"\\u0061\": 1,\n \"b\": 2, \"a\": {}}", "2:10: error: the key \"a\" appears twice");
        row("[{\"a\": {\"a\": 1}}, {\"a\": 2}]", "accepted");
    }
    void faultsOfJsonHaveTheirPlace() {
        QFETCH(QString, text);
        QTEST(refusal(text.toStdString()), "message");
    }

    void controlCharactersAreTakenWhereTheyAreAllowed() {
        std::deque<std::string> storage;
        JsonCursor cursor("\"a\x01\tb\\n\"", {1, 1}, storage);
        cursor.allow_control_characters();
        QCOMPARE(QByteArray::fromStdString(std::string(cursor.string())), QByteArray("a\x01\tb\n"));
    }

    void jsonNestsToABound() {
        const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
        QCOMPARE(refusal(nested(60)), QStringLiteral("accepted"));
        QCOMPARE(refusal(nested(1000000)), QStringLiteral("1:66: error: nested more than 64 deep"));
    }

    void anEscapedPairAtTheEndOfAStringIsOneLetter() {
        std::deque<std::string> decoded;
        JsonCursor json(R"("a\ud83d\ude00")", {1, 1}, decoded);
        QCOMPARE(std::string(json.string()), std::string("a\xF0\x9F\x98\x80"));
        QCOMPARE(json.position().column, 16u);
    }

    void keysThatStandTwiceAreFoundInLittleTime() {
        std::string text = "{";
        for (int i = 0; i < 300000; ++i) text += "\"key" + std::to_string(i) + "\": 0,\n";
        const auto begin = std::chrono::steady_clock::now();
        QCOMPARE(refusal(text + "\"key7\": 1}"), QStringLiteral("300001:1: error: the key \"key7\" appears twice"));
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
        QVERIFY(seconds.count() < (qEnvironmentVariableIsSet("PARTITA_SLOW_MACHINE") ? 50 : 5));
    }

    void textIsCutBetweenLetters() {
        for (size_t bytes = 0; bytes < 9; ++bytes)
            QCOMPARE(letter_count(cut_to_bytes("aé€😀", bytes)), bytes / 10 + (bytes > 0) + (bytes > 2) + (bytes > 5));
        QCOMPARE(letter_count(cut_to_bytes("aé€😀", 10)), size_t(4));
        QCOMPARE(letter_count("\xff\xe2\x82("), size_t(4));
        QCOMPARE(std::string(cut_to_bytes("abcdef", 3)), std::string("abc"));
    }

    /// Each name is less than all that follow it, and not less than itself or those before.
    void namesAreInNaturalOrder() {
        const std::vector<std::string> names = {"",          "01",       "1",          "2",         "10",          "a",
                                                "a1",        "a1b",      "a2",         "a10",       "aB",          "ab",
                                                "region_02", "region_2", "region_2_b", "region_10", "region_10_1", "z"};
        for (size_t i = 0; i < names.size(); ++i)
            for (size_t j = 0; j < names.size(); ++j)
                QVERIFY2(natural_less(names[i], names[j]) == (i < j), (names[i] + " < " + names[j]).c_str());
    }

    void elementTypesReadAsTheyAreWritten() {
        for (const char* text : {"int8", "uint16", "float32", "bfloat16", "bool", "int8x4", "uint1x16", "float32x2"}) {
            std::optional<DataType> type = DataType::parse(text);
            QVERIFY2(type, text);
            QCOMPARE(type->to_string(), std::string(text));
        }
        for (const char* text : {"int0", "int8x", "int8x0", "int8x4x", "int8y4", "int8x99999", "floats", "float32 "})
            QVERIFY2(!DataType::parse(text), text);
    }

    void whatIsSaidOfExpressionsComesInAnyOrder() {
        ExpressionMap<int> table;
        table.set({ExprId(7), ExprId(2), ExprId(5), ExprId(2)}, 1);
        table.set({ExprId(9), ExprId(5)}, 3);
        table.set({ExprId(7), ExprId(1)}, 0);
        std::vector<std::pair<ExprId, int>> said(table.begin(), table.end());
        QVERIFY((said == std::vector<std::pair<ExprId, int>>{{ExprId(2), 1}, {ExprId(5), 3}, {ExprId(9), 3}}));
        QVERIFY(table.find(ExprId(5)) && !table.find(ExprId(7)));
        table.assign({{ExprId(4), 2}, {ExprId(3), 1}, {ExprId(4), 8}});
        QCOMPARE(table.size(), size_t(2));
        QCOMPARE(*table.find(ExprId(4)), 2);
    }

    /// What it started may keep its pipes.
    void aProgramEndsWithItselfNotWithWhatItStarted() {
        QElapsedTimer timer;
        timer.start();
        Result<ProcessResult> result = run_process({"sh", "-c", "sleep 20 & echo done; exit 3"}, {});
        QVERIFY(result);
        QCOMPARE(result->output, std::string("done\n"));
        QCOMPARE(result->exit_status, 3);
        QVERIFY(timer.elapsed() < 10000);
    }

    /// The cost is quadratic in the length of a word: beyond 64 letters there is no suggestion.
    void onlyShortWordsAreSpelt() {
        for (size_t length : {4, 64, 65}) {
            const std::string word(length, 'a'), like = word.substr(1) + "b";
            const std::string_view candidates[] = {"zzzz", like};
            QCOMPARE(std::string(nearest_spelling(word, candidates)), length > 64 ? "" : like);
        }
    }

    void linksReadBackAsTheyWere() {
        const PlaceLink link{"a b/\xff#?.onnx", {"my,npu.json", "dnnl"}, "tvm", "merge", "name:x & y=%41#1\n", "why"};
        const std::string text = place_link_text(link);
        QVERIFY2(text.find_first_of(" \n\xff#") == std::string::npos, text.c_str());
        const std::optional<PlaceLink> read = read_place_link(text);
        QVERIFY(read);
        QCOMPARE(read->file, link.file);
        QVERIFY(read->backends == link.backends);
        QCOMPARE(read->partitioner + read->until + read->select + read->panel,
                 link.partitioner + link.until + link.select + link.panel);
        QCOMPARE(place_link_text({"x.relay", {}, {}, {}, {}, {}}), std::string("partita:x.relay"));
        QVERIFY(!read_place_link("x.relay") && !read_place_link(""));
        QCOMPARE(read_place_link("partita:a?select=%&x&=&select=%4&&backends=,,b")->select, std::string("%4"));
    }

    /// A regular expression of somebody's may be as bad as it likes: it ends, and matches or does not.
    void queriesEndWhateverTheyAsk() {
        struct Text : QuerySubject {
            std::string text;
            void texts(QueryKey, std::vector<std::string>& found) const override { found.push_back(text); }
            std::optional<double> number(QueryKey) const override { return 4096; }
        } subject;
        subject.text = std::string(5000, 'a') + "!";
        QVERIFY(!Query("op:/^(a+)+$/").matches(subject));
        QVERIFY(!Query(std::string("op:/") + std::string(100000, '(') + "/").matches(subject));
        QVERIFY(Query("op:a*! -op:b").matches(subject));
        QVERIFY(Query("bytes:4k..5k bytes:>=4.096k").matches(subject));
        QVERIFY(!Query("bytes:>nan").matches(subject));
        subject.text = "layer/\xff/MatMul";
        QVERIFY(Query("name:LAYER").matches(subject));
        QVERIFY(Query("name:layer*matmul").matches(subject));
        QVERIFY(!Query("name:\xff").matches(subject));
        QCOMPARE(Query("name:\xff").unreadable(), std::string("name:\xff"));
        QCOMPARE(Query("op:/a b/ -colour:red").unknown_key(), std::string("colour"));
        QVERIFY(Query("").empty() && !Query("").matches(subject));
    }
};

PARTITA_TEST(TestSupport)

}  // namespace test_support

#include "test_support.moc"
