// Files with values for inputs: arrays and images, found, read, refused by name, and kept in a project.
#include <QTemporaryDir>
#include <QtTest>

#include <zip.h>

#include "engine/runtime/npy.h"
#include "engine/session/input_files.h"
#include "engine/session/project.h"
#include "engine/session/session.h"
#include "engine/support/file.h"
#include "tests/registry.h"

namespace test_input_files {

using namespace partita;

namespace {

const char* const kTwoInputs = R"(#[version = "0.0.5"]
def @main(%x: Tensor[(1, 3, 2, 2), float32], %mask: Tensor[(2), int64], %w: Tensor[(3), float32]) {
  (nn.bias_add(%x, %w), add(%mask, %mask))
}
)";

ModulePtr module_of(const char* text) {
    Result<OpenedModule> opened = open_text(text, "m.relay");
    if (!opened) qFatal("%s", opened.error().to_string().c_str());
    return opened->module;
}

/// Red, green, blue and white.
Result<Pixels> four_pixels(const std::string&, int64_t width, int64_t height) {
    if (width != 2 || height != 2) return error("asked for another size");
    return Pixels("\xff\x00\x00\x00\xff\x00\x00\x00\xff\xff\xff\xff", 12);
}

}  // namespace

class TestInputFiles : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    ModulePtr module_ = module_of(kTwoInputs);

    std::string path(const char* name) const { return folder_.filePath(QLatin1String(name)).toStdString(); }
    std::string array(const char* name, DataType dtype, const std::vector<int64_t>& shape) const {
        Tensor tensor(dtype, shape);
        for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, double(i));
        if (!write_npy(path(name), tensor)) qFatal("can't write");
        return path(name);
    }
    std::string archive(const char* name, const std::map<std::string, Tensor>& tensors) const {
        zip_t* zip = zip_open(path(name).c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
        std::vector<std::string> contents;
        contents.reserve(tensors.size());
        for (const auto& [member, tensor] : tensors) {
            const std::string& content = contents.emplace_back(format_npy(tensor));
            zip_file_add(zip, (member + ".npy").c_str(), zip_source_buffer(zip, content.data(), content.size(), 0), 0);
        }
        if (zip_close(zip) != 0) qFatal("can't write");
        return path(name);
    }
    static void checkRefused(const std::string& message, std::initializer_list<const char*> parts) {
        for (const char* part : parts)
            QVERIFY2(message.find(part) != std::string::npos, (std::string(part) + " in " + message).c_str());
    }

private slots:
    void anArrayFindsTheOnlyInputThatItFits() {
        const std::string file = array("ids.npy", kInt64, {2});
        const Result<std::vector<InputFile>> found = assign_input_file(*module_, file);
        QVERIFY(found);
        QCOMPARE(found->size(), size_t(1));
        QCOMPARE(found->front().parameter, std::string("mask"));
        const auto values = read_input_files(*module_, *found);
        QVERIFY(values);
        QCOMPARE(values->at("mask").at(1), 1.0);
    }

    void whatDoesNotFitIsRefusedWithWhatWasWanted() {
        const Result<std::vector<InputFile>> none = assign_input_file(*module_, array("none.npy", kFloat32, {7}));
        QVERIFY(!none);
        checkRefused(none.error().to_string(), {"none.npy", "float32(7)", "mask: Tensor[(2), int64]"});
        const Result<std::vector<InputFile>> wrong_type =
            assign_input_file(*module_, array("type.npy", kInt32, {2}), "mask");
        QVERIFY(!wrong_type);
        checkRefused(wrong_type.error().to_string(), {"type.npy", "input mask", "int32", "Tensor[(2), int64]"});
        const Result<std::vector<InputFile>> unknown =
            assign_input_file(*module_, array("ids.npy", kInt64, {2}), "musk");
        QVERIFY(!unknown);
        checkRefused(unknown.error().to_string(), {"did you mean 'mask'"});
        QVERIFY(write_file(path("text.npy"), "not an array"));
        QVERIFY(!assign_input_file(*module_, path("text.npy"), "mask"));
        QVERIFY(!assign_input_file(*module_, path("gone.npy"), "mask"));
    }

    /// The file has changed since it was chosen.
    void aFileIsHeldAgainstItsInputAgainWhenItIsRead() {
        const std::vector<InputFile> chosen{{"mask", array("later.npy", kInt64, {3}), {}, {}}};
        const auto values = read_input_files(*module_, chosen);
        QVERIFY(!values);
        checkRefused(values.error().to_string(), {"later.npy", "input mask", "(3)"});
    }

    void anArchiveGivesEachArrayToTheInputOfItsName() {
        Tensor mask(kInt64, {2}), weight(kFloat32, {3});
        weight.set(2, 5);
        const std::string file = archive("all.npz", {{"mask", mask}, {"w", weight}});
        const Result<std::vector<InputFile>> found = assign_input_file(*module_, file);
        QVERIFY(found);
        QCOMPARE(found->size(), size_t(2));
        const auto values = read_input_files(*module_, *found);
        QVERIFY(values);
        QCOMPARE(values->at("w").at(2), 5.0);
        const Result<std::vector<InputFile>> stray =
            assign_input_file(*module_, archive("stray.npz", {{"masc", mask}}));
        QVERIFY(!stray);
        checkRefused(stray.error().to_string(), {"stray.npz", "masc", "'mask'"});
        // Of one array the name does not matter where the input is said.
        QVERIFY(assign_input_file(*module_, path("stray.npz"), "mask"));
    }

    void anImageBecomesATensorOfItsLayout() {
        const Result<std::vector<InputFile>> found = assign_input_file(*module_, path("cat.png"), {}, four_pixels);
        QVERIFY2(bool(found), found ? "" : found.error().to_string().c_str());
        QCOMPARE(found->front().parameter, std::string("x"));
        const auto values = read_input_files(*module_, *found, four_pixels);
        QVERIFY(values);
        const Tensor& x = values->at("x");  // red is 1 in the first pixel and the last one, then green, then blue
        const std::vector<double> wanted{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1};
        for (int64_t i = 0; i < 12; ++i) QCOMPARE(x.at(i), wanted[size_t(i)]);
    }

    void anInputOfOneChannelTakesTheLuma() {
        ModulePtr grey =
            module_of("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(1, 1, 2, 2), float32]) { nn.relu(%x) }\n");
        const TypeId type = grey->type(grey->parameters(grey->find_function("main"))[0]);
        ImageForm form;
        form.mean = {0, 0, 0};
        form.scale = {255, 1, 1};
        const Result<Tensor> tensor = tensor_of_pixels(*four_pixels("", 2, 2), grey->types(), type, form);
        QVERIFY2(tensor, tensor ? "" : tensor.error().message.c_str());
        const std::vector<double> wanted{0.299, 0.587, 0.114, 1};  // red, green, blue, white
        for (int64_t i = 0; i < 4; ++i) QVERIFY(std::abs(tensor->at(i) - wanted[size_t(i)]) < 1e-6);
    }

    void meanScaleAndRoundingAreApplied() {
        ModulePtr rows = module_of("#[version = \"0.0.5\"]\ndef @main(%x: Tensor[(2, 2, 3), int8]) { nn.relu(%x) }\n");
        const TypeId type = rows->type(rows->parameters(rows->find_function("main"))[0]);
        ImageForm form;
        form.layout = ImageForm::Layout::NHWC;
        form.mean = {128, 0, 250};
        form.scale = {1, 2, 1};
        const Result<Tensor> tensor = tensor_of_pixels(*four_pixels("", 2, 2), rows->types(), type, form);
        QVERIFY(tensor);
        QCOMPARE(tensor->at(0), 127.0);   // red: 255 - 128
        QCOMPARE(tensor->at(2), -128.0);  // -250 does not fit
        QCOMPARE(tensor->at(4), 127.0);   // 127.5 does not fit
        form.layout = ImageForm::Layout::NCHW;
        QVERIFY(!tensor_of_pixels(*four_pixels("", 2, 2), rows->types(), type, form));
        QVERIFY(!tensor_of_pixels("short", rows->types(), type, form));
    }

    void imagesAreForInputsOfImagesAlone() {
        const Result<std::vector<InputFile>> mask = assign_input_file(*module_, path("cat.png"), "mask", four_pixels);
        QVERIFY(!mask);
        checkRefused(mask.error().to_string(), {"input mask", "(N, C, H, W)", "Tensor[(2), int64]"});
        const std::vector<InputFile> chosen{{"x", path("cat.png"), {}, ImageForm()}};
        const auto without_reader = read_input_files(*module_, chosen);
        QVERIFY(!without_reader);
        checkRefused(without_reader.error().to_string(), {"cat.png", "only the window"});
    }

    void aProjectKeepsThemRelativeToItself() {
        Project project;
        project.module_path = path("m.relay");
        ImageForm form;
        form.mean = {1, 2, 3};
        project.inputs = {{"x", path("cat.png"), {}, form}, {"mask", path("sub/all.npz"), "ids", {}}};
        const std::string text = write_project(project, path("p.partita"));
        QVERIFY(text.find("\"sub/all.npz\"") != std::string::npos);
        const Result<Project> read = read_project(text, path("p.partita"));
        QVERIFY2(bool(read), read ? "" : read.error().to_string().c_str());
        QVERIFY(read->inputs == project.inputs);
    }

    void hostileInputsOfAProjectAreRefused_data() {
        QTest::addColumn<QString>("input");
        QTest::newRow("no object") << "3";
        QTest::newRow("no file") << R"({"parameter": "x"})";
        QTest::newRow("layout") << R"({"parameter": "x", "file": "a.png", "layout": "NXYZ"})";
        QTest::newRow("no mean") << R"({"parameter": "x", "file": "a.png", "layout": "NCHW", "scale": [1, 1, 1]})";
        QTest::newRow("scale 0")
            << R"({"parameter": "x", "file": "a", "layout": "NCHW", "mean": [0, 0, 0], "scale": [1, 0, 1]})";
        QTest::newRow("text")
            << R"({"parameter": "x", "file": "a", "layout": "NCHW", "mean": "0", "scale": [1, 1, 1]})";
    }
    void hostileInputsOfAProjectAreRefused() {
        QFETCH(QString, input);
        const std::string text =
            R"({"format": "partita", "version": 2, "module": "m.relay", "inputs": [)" + input.toStdString() + "]}";
        QVERIFY(!read_project(text, path("p.partita")));
    }
};

PARTITA_TEST(TestInputFiles)

}  // namespace test_input_files

#include "test_input_files.moc"
