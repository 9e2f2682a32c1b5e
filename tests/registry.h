// All tests of a folder are one program, which is built in half the time that a program for each takes. Beside it
// stands a link for each test, and the name by which the program is started says which test runs.
#pragma once

#include <QtTest>

#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

namespace partita::testing {

using TestMain = int (*)(int count, char** arguments);

/// Puts a test on the list of its program, before main() begins.
class RegisteredTest {
public:
    /// `file`: of the test, test_NAME.cpp.
    RegisteredTest(const char* file, TestMain main);
};

/// The test that runs, test_NAME.
QString name_of_test();

/// What a process is started by to run the same test.
QString program_of_test();

template <class Test>
int main_of_test(int count, char** arguments) {
#ifdef QT_WIDGETS_LIB
    QApplication application(count, arguments);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);  // whatever the desktop has
#else
    QCoreApplication application(count, arguments);
#endif
    Test test;
    return QTest::qExec(&test, count, arguments);
}

}  // namespace partita::testing

/// Names the function that is the test of this file; PARTITA_TEST the class whose slots are its cases.
#define PARTITA_TEST_MAIN(main) static const partita::testing::RegisteredTest registered(__FILE__, main);
#define PARTITA_TEST(Test) PARTITA_TEST_MAIN(partita::testing::main_of_test<Test>)
