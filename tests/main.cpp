#include "tests/registry.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>

namespace partita::testing {

namespace {

std::map<std::string, TestMain>& tests() {
    static std::map<std::string, TestMain> tests;
    return tests;
}

std::filesystem::path started_as;

/// Where oneDNN is limited to older instructions, so are the program's own kernels: no machine has one without the
/// other.
void limit_own_kernels() {
    const char* limit = std::getenv("ONEDNN_MAX_CPU_ISA");
    if (!limit) limit = std::getenv("DNNL_MAX_CPU_ISA");
    const std::string_view isa = limit ? limit : "";
    if (isa.starts_with("AVX2")) setenv("PARTITA_VECTOR_UNIT", "avx2", 0);
    if (isa == "SSE41" || isa == "AVX") setenv("PARTITA_VECTOR_UNIT", "baseline", 0);
}

}  // namespace

RegisteredTest::RegisteredTest(const char* file, TestMain main) { tests()[std::filesystem::path(file).stem()] = main; }

QString name_of_test() { return QString::fromStdString(started_as.filename()); }

QString program_of_test() { return QString::fromStdString(started_as); }

}  // namespace partita::testing

int main(int count, char** arguments) {
    using namespace partita::testing;
    limit_own_kernels();
    started_as = std::filesystem::absolute(arguments[0]);
    const auto test = tests().find(started_as.filename());
    if (test != tests().end()) return test->second(count, arguments);
    std::fputs("Start it by the name of one of its tests, for each of which a link stands beside it:\n", stderr);
    for (const auto& [name, main] : tests()) std::fprintf(stderr, "%s\n", name.c_str());
    return 2;
}
