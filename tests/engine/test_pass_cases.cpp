// Each pass as text: tests/passes/PASS/CASE.relay is what it is given, CASE.expected.relay what it makes of it. A
// backend's description beside them, CASE.json, is what it asks.
#include <QDir>
#include <QDirIterator>
#include <QtTest>

#include "engine/frontends/relay/printer.h"
#include "engine/session/passes.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/registry.h"

namespace test_pass_cases {

using namespace partita;

namespace {

const QString kFolder = QStringLiteral(PARTITA_SOURCE_DIR "/tests/passes/");

/// What the pass makes of the case, or its error.
std::string made_of(const NamedPass& pass, const QString& stem) {
    const Result<OpenedModule> input = open_module((stem + ".relay").toStdString());
    if (!input) return QString::fromStdString(input.error().to_string()).remove(kFolder).toStdString() + "\n";
    std::vector<BackendDescription> backends;
    if (QFile::exists(stem + ".json")) {
        const Result<BackendDescription> backend = load_backend((stem + ".json").toStdString());
        if (!backend) return backend.error().to_string();
        backends.push_back(*backend);
    }
    const Result<Module> made = pass.run(*input->module, backends);
    return made ? print_relay(*made) : made.error().to_string() + "\n";
}

}  // namespace

class TestPassCases : public QObject {
    Q_OBJECT private slots : void eachPassHasCases() {
        for (const NamedPass& pass : named_passes()) {
            const QDir folder(kFolder + QString::fromUtf8(pass.name.data(), qsizetype(pass.name.size())));
            QVERIFY2(!folder.entryList({"*.expected.relay"}).isEmpty(), qPrintable(folder.path()));
        }
        QCOMPARE(size_t(QDir(kFolder).entryList(QDir::Dirs | QDir::NoDotAndDotDot).size()), named_passes().size());
    }

    void aPassMakesOfItsTextWhatIsExpected_data() {
        QTest::addColumn<QString>("pass");
        QTest::addColumn<QString>("stem");
        for (QDirIterator files(kFolder, {"*.relay"}, QDir::Files, QDirIterator::Subdirectories); files.hasNext();) {
            const QString file = files.next();
            if (file.endsWith(".expected.relay")) continue;
            const QString stem = file.chopped(6);
            QTest::newRow(qPrintable(stem.mid(kFolder.size()))) << QFileInfo(file).dir().dirName() << stem;
        }
    }
    void aPassMakesOfItsTextWhatIsExpected() {
        QFETCH(QString, pass);
        QFETCH(QString, stem);
        const NamedPass* named = find_pass(pass.toStdString());
        QVERIFY(named);
        const std::string made = made_of(*named, stem), file = (stem + ".expected.relay").toStdString();
        if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) QVERIFY(bool(write_file(file, made)));
        const Result<std::string> expected = read_file(file);
        QVERIFY2(bool(expected), file.c_str());
        QCOMPARE(QString::fromStdString(made), QString::fromStdString(*expected));
    }
};

PARTITA_TEST(TestPassCases)

}  // namespace test_pass_cases

#include "test_pass_cases.moc"
