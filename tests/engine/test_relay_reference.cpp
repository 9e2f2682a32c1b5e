// Every Relay text of the reference data prints with TVM's own bytes, and prints the same after reading it again.
#include "relay_testing.h"
#include "tests/registry.h"

namespace test_relay_reference {

using namespace partita;

class TestRelayReference : public QObject {
    Q_OBJECT

private slots:
    void everyReferenceTextIsPrintedByteForByte() {
        if (reference_folder().isEmpty()) QSKIP("there is no reference data beside the project");
        int count = 0;
        RelayParseOptions options;
        options.compiler = "ccompiler";
        for (const auto& [name, text] : reference_texts()) {
            ++count;
            bool typed = text.find("/* ty=") != std::string::npos;
            std::string printed = reprinted(text, typed, {}, options);
            // One text was written by hand, with annotations but without their metadata section.
            if (name != "examples/three-branches.annotated.relay")
                QVERIFY2(printed == text, (name + "\n" + printed.substr(0, 2000)).c_str());
            QVERIFY2(reprinted(printed, typed) == printed, name.c_str());
        }
        QVERIFY(count > 1000);
    }
};

PARTITA_TEST(TestRelayReference)

}  // namespace test_relay_reference

#include "test_relay_reference.moc"
