#include "tests/registry.h"

#include <cstdio>
#include <filesystem>
#include <map>

namespace partita::testing {

namespace {

std::map<std::string, TestMain>& tests() {
    static std::map<std::string, TestMain> tests;
    return tests;
}

std::filesystem::path started_as;

}  // namespace

RegisteredTest::RegisteredTest(const char* file, TestMain main) { tests()[std::filesystem::path(file).stem()] = main; }

QString name_of_test() { return QString::fromStdString(started_as.filename()); }

QString program_of_test() { return QString::fromStdString(started_as); }

}  // namespace partita::testing

int main(int count, char** arguments) {
    using namespace partita::testing;
    started_as = std::filesystem::absolute(arguments[0]);
    const auto test = tests().find(started_as.filename());
    if (test != tests().end()) return test->second(count, arguments);
    std::fputs("Start it by the name of one of its tests, for each of which a link stands beside it:\n", stderr);
    for (const auto& [name, main] : tests()) std::fprintf(stderr, "%s\n", name.c_str());
    return 2;
}
