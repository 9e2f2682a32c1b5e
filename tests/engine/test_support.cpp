// Small things of engine/support that have no test of their own elsewhere.
#include <QtTest>

#include "engine/support/natural_order.h"

using namespace partita;

class TestSupport : public QObject {
    Q_OBJECT

private slots:
    /// Each name stands before all that follow it, and not before itself or those that precede it.
    void namesAreInNaturalOrder() {
        const std::vector<std::string> names = {"",    "01", "1",  "2",        "10",        "a",        "a1",         "a1b",       "a2",
                                                "a10", "aB", "ab", "region_02", "region_2", "region_2_b", "region_10", "region_10_1", "z"};
        for (size_t i = 0; i < names.size(); ++i)
            for (size_t j = 0; j < names.size(); ++j)
                QVERIFY2(natural_less(names[i], names[j]) == (i < j), (names[i] + " < " + names[j]).c_str());
    }
};

QTEST_GUILESS_MAIN(TestSupport)
#include "test_support.moc"
