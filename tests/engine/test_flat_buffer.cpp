// The reader of flatbuffers: what it reads, and that no bytes lead it out of the file or make it read for ever.
#include <QtTest>

#include <random>

#include <QTemporaryDir>

#include "engine/support/file.h"
#include "engine/support/flat_buffer.h"
#include "tests/engine/flat_writer.h"
#include "tests/registry.h"

namespace test_flat_buffer {

using namespace partita;
using flat_testing::Value;

std::string sample() {
    const Value child = Value::table({{0, Value::number(int64_t(-5))}});
    return Value::table({{0, Value::number(uint8_t(7))},
                         {2, Value::text("name")},
                         {3, Value::numbers(std::vector<int32_t>{1, 2, 3})},
                         {4, Value::list({child, child})},
                         {5, Value::list({Value::text("a"), Value::text("")})}})
        .file("TEST");
}

/// Returns all that a reader of `sample` finds, or the fault.
std::string read(flat::Bytes& bytes) {
    try {
        const flat::Table root = flat::Table::root(bytes, "TEST");
        std::string found = std::to_string(root.number<uint8_t>(0)) + "," + std::to_string(root.number<int16_t>(1, 9)) +
                            "," + std::string(root.text(2));
        for (int32_t number : root.vector(3).numbers<int32_t>()) found += "," + std::to_string(number);
        const flat::Vector children = root.vector(4), texts = root.vector(5);
        for (size_t i = 0; i < children.size(); ++i)
            found += "," + std::to_string(children.table(i).number<int64_t>(0));
        for (size_t i = 0; i < texts.size(); ++i) found += "," + std::string(texts.text(i));
        return found;
    } catch (const flat::Fault& fault) {
        return fault.message;
    }
}

std::string read(const std::string& text) {
    flat::Bytes bytes(text);
    return read(bytes);
}

class TestFlatBuffer : public QObject {
    Q_OBJECT
private slots:
    void fieldsAreRead() { QCOMPARE(read(sample()), std::string("7,9,name,1,2,3,-5,-5,a,")); }

    void ofAFileThePartsThatAreWantedAreRead() {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.bin").toStdString();
        QVERIFY(write_file(path, sample()));
        Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path);
        QVERIFY(file);
        flat::Bytes bytes(*file);
        QCOMPARE(read(bytes), std::string("7,9,name,1,2,3,-5,-5,a,"));
    }

    void anotherIdentifierIsRefused() {
        std::string text = sample();
        text[4] = 'X';
        QCOMPARE(read(text), std::string("its identifier at byte 4 is not TEST"));
    }

    void whatIsCutOffIsRefused() {
        const std::string text = sample();
        for (size_t size = 0; size < text.size() - 8; ++size) read(text.substr(0, size));
        QVERIFY(read(text.substr(0, 60)).find("beyond its end") != std::string::npos);
    }

    void aTableThatIsNamedAMillionTimesIsRefused() {
        const size_t count = 1000;
        std::string text = Value::table({{4, Value::list(std::vector<Value>(count, Value::table({})))}}).file("TEST");
        flat::Bytes bytes(text);
        const flat::Table root = flat::Table::root(bytes, "TEST");
        const auto read_all = [&] {
            const flat::Vector children = root.vector(4);
            for (size_t i = 0; i < count; ++i) children.table(i);
        };
        read_all();
        QVERIFY_THROWS_EXCEPTION(flat::Fault, for (int i = 0; i < 1000; ++i) read_all());
    }

    void noByteLeadsOutOfTheFile() {
        std::mt19937 random(1);
        const std::string good = sample();
        for (int i = 0; i < 20000; ++i) {
            std::string text = good;
            for (int change = 0; change < 3; ++change) text[random() % text.size()] = char(random());
            read(text);
        }
    }
};

PARTITA_TEST(TestFlatBuffer)

}  // namespace test_flat_buffer

#include "test_flat_buffer.moc"
