// Decoding token by token with a cache: equal to one run of the whole sequence; what is not clear is refused by name.
#include <QtTest>

#include "engine/frontends/onnx/importer.h"
#include "engine/session/decode.h"
#include "engine/support/file.h"
#include "tests/engine/tiny_decoder.h"
#include "tests/registry.h"

namespace test_decode {

using namespace partita;
namespace w = onnx_writer;

namespace {

Tensor tokens(const std::vector<int64_t>& values, int64_t rows = 1) {
    Tensor tensor(kInt64, {rows, int64_t(values.size()) / rows});
    for (size_t i = 0; i < values.size(); ++i) tensor.set(int64_t(i), double(values[i]));
    return tensor;
}

std::string replaced(std::string text, const std::string& before, const std::string& after) {
    for (size_t at = 0; (at = text.find(before, at)) != std::string::npos; at += after.size())
        text.replace(at, before.size(), after);
    return text;
}

}  // namespace

class TestDecode : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string write(const std::string& model) const {
        const std::string path = folder_.filePath("m.onnx").toStdString();
        if (!write_file(path, model)) qFatal("can't write the model");
        return path;
    }

    static OpenedModule open(const std::string& path, const std::map<std::string, int64_t>& sizes) {
        OpenOptions options;
        options.dimensions = sizes;
        Result<OpenedModule> opened = open_module(path, options);
        if (!opened) qFatal("%s", opened.error().message.c_str());
        return std::move(*opened);
    }

    static std::vector<Tensor> run(const OpenedModule& opened, const std::map<std::string, Tensor>& inputs) {
        RunOptions options;
        options.inputs = inputs;
        options.warmup = 0;
        options.repeat = 1;
        Result<RunReport> report = run_module(opened.module, options);
        if (!report) qFatal("%s", report.error().message.c_str());
        return report->outputs;
    }

    std::string refusal(const std::string& model, const std::map<std::string, Tensor>& given = {}) const {
        const OpenedModule opened = open(write(model), {});
        Result<Decoder> decoder = Decoder::make(opened, given, 0);
        if (!decoder) return decoder.error().message;
        const OpenedModule first = open(write(model), decoder->sizes());
        const auto inputs = decoder->inputs(*first.module);
        return inputs ? "" : inputs.error().message;
    }

private slots:
    void tokenByTokenEqualsTheWholeSequence() {
        const std::string path = write(tiny_decoder::model());
        // Two rows with different prompts.
        const std::vector<int64_t> prompt{3, 1, 4, 1, 5, 9, 2, 6};
        const std::map<std::string, int64_t> batch{{"batch", 2}};
        Result<Decoder> decoder = Decoder::make(open(path, batch), {{"input_ids", tokens(prompt, 2)}}, 0);
        QVERIFY2(decoder, decoder ? "" : decoder.error().message.c_str());
        std::vector<std::vector<int64_t>> rows{{3, 1, 4, 1}, {5, 9, 2, 6}};
        std::vector<Tensor> last;
        for (int i = 0; i < 6; ++i) {
            QCOMPARE(decoder->past(), int64_t(i == 0 ? 0 : 3 + i));
            std::map<std::string, int64_t> sizes = decoder->sizes();
            sizes["batch"] = 2;
            const OpenedModule opened = open(path, sizes);
            const auto inputs = decoder->inputs(*opened.module);
            QVERIFY2(inputs, inputs ? "" : inputs.error().message.c_str());
            last = run(opened, *inputs);
            const auto next = decoder->take(last);
            QVERIFY(next);
            if (i < 5) rows[0].push_back((*next)[0]), rows[1].push_back((*next)[1]);
        }
        std::vector<int64_t> all = rows[0];
        all.insert(all.end(), rows[1].begin(), rows[1].end());
        Result<Decoder> whole = Decoder::make(open(path, batch), {{"input_ids", tokens(all, 2)}}, 0);
        const OpenedModule opened = open(path, {{"batch", 2}, {"seq", 9}, {"past", 0}});
        const std::vector<Tensor> expected = run(opened, *whole->inputs(*opened.module));
        for (int64_t row = 0; row < 2; ++row)
            for (int64_t word = 0; word < tiny_decoder::kWords; ++word)
                QVERIFY(std::abs(expected[0].at((row * 9 + 8) * tiny_decoder::kWords + word) -
                                 last[0].at(row * tiny_decoder::kWords + word)) < 1e-4);
        for (const auto& difference : compare_outputs({last[1], last[2]}, {expected[1], expected[2]}))
            QVERIFY(difference.within_tolerance);
        // The model must react to what the cache holds, or the test would show nothing.
        QVERIFY(std::set<int64_t>(all.begin(), all.end()).size() > 8);
    }

    void withoutAPromptOneIsMade() {
        const OpenedModule opened = open(write(tiny_decoder::model()), {{"seq", 5}});
        const Result<Decoder> decoder = Decoder::make(opened, {}, 7);
        QVERIFY(decoder);
        QCOMPARE(decoder->length(), int64_t(5));
        QCOMPARE(decoder->sizes(), (std::map<std::string, int64_t>{{"past", 0}, {"seq", 5}}));
        QCOMPARE(decoder->dimensions(), (std::vector<std::string>{"past", "seq"}));
    }

    /// As com.microsoft's GroupQueryAttention wants them.
    void lengthsOfTheCacheAreGiven() {
        const Result<Decoder> decoder =
            Decoder::make(open(write(tiny_decoder::model()), {}), {{"input_ids", tokens({3, 1, 4})}}, 0);
        QVERIFY(decoder);
        const Result<OpenedModule> asked = open_text(
            "#[version = \"0.0.5\"]\ndef @main(%seqlens_k: Tensor[(1), int32], %total_sequence_length: int32) {\n"
            "  add(%seqlens_k, %total_sequence_length)\n}\n",
            "asked");
        QVERIFY(asked);
        const auto inputs = decoder->inputs(*asked->module);
        QVERIFY2(inputs, inputs ? "" : inputs.error().message.c_str());
        QCOMPARE(inputs->at("seqlens_k").at(0), 2.0);
        QCOMPARE(inputs->at("total_sequence_length").at(0), 3.0);
    }

    void whatIsNotClearIsRefusedByName_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<QString>("reason");
        // Names of the same length, because messages of the format state their sizes.
        QTest::newRow("no cache") << "past_key_values"
                                  << "pist_key_values"
                                  << "no input is called past";
        QTest::newRow("no output for it") << "present.0.key"
                                          << "presont.0.key"
                                          << "none is called 'present.0.key'";
        QTest::newRow("no logits") << "logits"
                                   << "lagits"
                                   << "no output is called 'logits'";
        QTest::newRow("no tokens") << "input_ids"
                                   << "input_ibs"
                                   << "no input is called 'input_ids'";
        QTest::newRow("another input") << "position_ids"
                                       << "position_ibs"
                                       << "what to give the input 'position_ibs'";
    }

    void whatIsNotClearIsRefusedByName() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(QString, reason);
        const std::string refused = refusal(replaced(tiny_decoder::model(), before.toStdString(), after.toStdString()));
        QVERIFY2(refused.find(reason.toStdString()) != std::string::npos, refused.c_str());
    }

    void lengthsThatAreFixedOrSharedAreRefused() {
        QVERIFY(refusal(tiny_decoder::model({"4", "past", "total", "total"})).find("always takes 4 tokens") !=
                std::string::npos);
        const std::string fixed = refusal(tiny_decoder::model({"seq", "3", "total", "total"}));
        QVERIFY2(fixed.find("'past_key_values.0.key' has no name of its own") != std::string::npos, fixed.c_str());
        const std::string shared = refusal(tiny_decoder::model({"n", "n", "total", "total"}));
        QVERIFY2(shared.find("has no name of its own") != std::string::npos, shared.c_str());
        QCOMPARE(refusal(tiny_decoder::model({"1", "past", "total", "total"})), std::string());
    }

    void valuesThatDoNotFitAreRefused() {
        const std::string model = tiny_decoder::model();
        QVERIFY(refusal(model, {{"past_key_values_0_key", Tensor(kFloat32, {1, 1, 2, 8})}}).find("starts empty") !=
                std::string::npos);
        QVERIFY(refusal(model, {{"input_ids", Tensor(kFloat32, {1, 2})}}).find("must be a matrix of integers") !=
                std::string::npos);
        QVERIFY(refusal(model, {{"input_ids", Tensor(kInt64, {1, 0})}}).find("must be a matrix of integers") !=
                std::string::npos);
        // A prompt of two rows for a batch of one.
        const std::string rows = refusal(model, {{"input_ids", tokens({1, 2, 3, 4}, 2)}});
        QVERIFY2(rows.find("the input 'input_ids' is Tensor[(1, 2), int64]") != std::string::npos, rows.c_str());
        Result<Decoder> decoder = Decoder::make(open(write(model), {}), {}, 0);
        QVERIFY(!decoder->take({}));
        QVERIFY(!decoder->take({Tensor(kFloat32, {3, 1, 17})}));
        QVERIFY(!decoder->take({Tensor(kFloat32, {1, 1, 17})}));
    }
};

PARTITA_TEST(TestDecode)

}  // namespace test_decode

#include "test_decode.moc"
