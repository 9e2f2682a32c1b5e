// Small things of engine/support and engine/ir that have no test of their own elsewhere.
#include <QtTest>

#include "engine/ir/data_type.h"
#include "engine/support/natural_order.h"
#include "engine/support/spelling.h"

using namespace partita;

class TestSupport : public QObject {
    Q_OBJECT

private slots:
    /// Each name stands before all that follow it, and not before itself or those that precede it.
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

    /// A word of some length costs its square: beyond 64 letters nothing is looked for.
    void onlyShortWordsAreSpelt() {
        for (size_t length : {4, 64, 65}) {
            const std::string word(length, 'a'), like = word.substr(1) + "b";
            const std::string_view candidates[] = {"zzzz", like};
            QCOMPARE(std::string(nearest_spelling(word, candidates)), length > 64 ? "" : like);
        }
    }
};

QTEST_GUILESS_MAIN(TestSupport)
#include "test_support.moc"
