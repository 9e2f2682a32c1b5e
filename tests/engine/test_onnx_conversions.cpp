// Conversions of single ONNX nodes. tests/golden/onnx-conversions.txt has a node on each unindented line, and below it
// the Relay expression and the first values that it computes, or the message with which the node is refused.
//
//   [DOMAIN.]OP[@OPSET] OPERAND ... [NAME=VALUE ...] [-> RESULTS]
//
// OPERAND: f32[2,3] is an input of the model, i64{1,2} is a constant (i64:2,1{1,2} one of another shape), _ is omitted.
// VALUE: 3, 0.5, [1,2], "text", ["text","text"]. `PARTITA_UPDATE_GOLDEN=1 build/release/tests/test_onnx_conversions`
// updates the file.
#include <QtTest>

#include <cmath>

#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/relay/printer.h"
#include "engine/runtime/run.h"
#include "tests/engine/onnx_writer.h"
#include "tests/registry.h"

namespace test_onnx_conversions {

using namespace partita;
namespace w = onnx_writer;

namespace {

const QString kFile = PARTITA_SOURCE_DIR "/tests/golden/onnx-conversions.txt";
constexpr int64_t kMostValues = 8;

struct ElementType {
    int number;  ///< of ONNX's TensorProto.DataType
    int bytes;
};
const std::map<QString, ElementType> kTypes = {{"f32", {1, 4}}, {"u8", {2, 1}},   {"i8", {3, 1}},  {"i32", {6, 4}},
                                               {"i64", {7, 8}}, {"bool", {9, 1}}, {"f64", {11, 8}}};

std::vector<int64_t> integers_of(const QString& text) {
    std::vector<int64_t> list;
    for (const QString& part : text.split(',', Qt::SkipEmptyParts)) list.push_back(part.toLongLong());
    return list;
}

std::string raw_of(const QString& values, const ElementType& type) {
    std::string raw;
    for (const QString& part : values.split(',', Qt::SkipEmptyParts)) {
        float single = part.toFloat();
        double real = part.toDouble();
        int64_t whole = part.toLongLong();
        const void* from = type.number == 1    ? static_cast<const void*>(&single)
                           : type.number == 11 ? static_cast<const void*>(&real)
                                               : &whole;
        raw.append(static_cast<const char*>(from), size_t(type.bytes));
    }
    return raw;
}

/// Returns `NAME=VALUE` as an AttributeProto.
std::string attribute_of(const QString& text) {
    QString name = text.section('=', 0, 0), value = text.section('=', 1);
    std::string message = w::bytes(1, name.toStdString());
    bool is_real = value.contains('.');
    if (value.startsWith('"'))
        return message + w::bytes(4, value.mid(1, value.size() - 2).toStdString()) + w::number(20, 3);
    if (value.startsWith('[')) {
        const bool is_text = value.startsWith("[\"");
        for (QString part : value.mid(1, value.size() - 2).split(',', Qt::SkipEmptyParts))
            message += is_text   ? w::bytes(9, part.remove('"').toStdString())
                       : is_real ? w::real(7, part.toFloat())
                                 : w::number(8, part.toLongLong());
        return message + w::number(20, is_text ? 8 : is_real ? 6 : 7);
    }
    return message + (is_real ? w::real(2, value.toFloat()) + w::number(20, 1)
                              : w::number(3, value.toLongLong()) + w::number(20, 2));
}

/// Returns a model with the one node that a line describes.
std::string model_of(const QString& line) {
    QStringList words = line.section(" -> ", 0, 0).split(' ', Qt::SkipEmptyParts);
    int results = line.contains(" -> ") ? line.section(" -> ", 1).toInt() : 1;
    QString op = words.takeFirst();
    w::GraphParts parts;
    std::vector<std::string> operands, outputs, attributes;
    for (const QString& word : words) {
        if (word.contains('=')) {
            attributes.push_back(attribute_of(word));
            continue;
        }
        operands.push_back(word == "_" ? "" : "x" + std::to_string(operands.size()));
        if (word == "_") continue;
        static const QRegularExpression form(R"((\w+)(?:\[([\d,]*)\]|(?::([\d,]*))?\{(.*)\}))");
        QRegularExpressionMatch match = form.match(word);
        if (!match.hasMatch() || !kTypes.contains(match.captured(1))) qFatal("no operand: %s", qPrintable(word));
        ElementType type = kTypes.at(match.captured(1));
        if (word.endsWith(']')) {
            parts.inputs.push_back(w::value_info(operands.back(), integers_of(match.captured(2)), type.number));
            continue;
        }
        std::vector<int64_t> shape = integers_of(match.captured(3));
        if (!word.contains(':')) shape = {match.captured(4).split(',', Qt::SkipEmptyParts).size()};
        std::string tensor;
        for (int64_t dim : shape) tensor += w::number(1, dim);
        parts.initializers.push_back(tensor + w::number(2, type.number) + w::bytes(8, operands.back()) +
                                     w::bytes(9, raw_of(match.captured(4), type)));
    }
    for (int i = 0; i < results; ++i) outputs.push_back("y" + std::to_string(i));
    const std::string name = op.section('@', 0, 0).toStdString();
    const size_t dot = name.rfind('.');  // after a domain
    const std::string domain = dot == std::string::npos ? "" : name.substr(0, dot);
    parts.nodes.push_back(w::node(name.substr(dot + 1), operands, outputs, attributes, "", domain));
    // Results have no declared type: the inferred one counts.
    for (const std::string& output : outputs) parts.outputs.push_back(w::bytes(1, output));
    return w::model(parts, op.contains('@') ? op.section('@', 1).toInt() : 13);
}

/// Returns the module's text without version line, types and weights.
QString text_of(const Module& module) {
    RelayPrintOptions options;
    options.types = false;
    options.show_metadata = false;
    QString text = QString::fromStdString(print_relay(module, options));
    return text.section('\n', 1).section("\n/* For debugging", 0, 0).section("\n#[metadata]", 0, 0).trimmed();
}

QString values_of(const Tensor& tensor) {
    QString text = QString::fromStdString(tensor.dtype().to_string() + shape_to_string(tensor.shape()) + ":");
    for (int64_t i = 0; i < std::min(tensor.size(), kMostValues); ++i)
        text += " " + (tensor.dtype() == kInt64 ? QString::number(tensor.data<int64_t>()[i])
                                                : QString::number(tensor.at(i), 'g', 6));
    return text;
}

RunOptions run_options(const Module& module) {
    RunOptions options;
    options.warmup = 0;
    for (ExprId parameter : module.parameters(module.find_function("main"))) {
        TypeId type = module.type(parameter);
        auto shape = module.types().shape(type);
        Tensor tensor(module.types().dtype(type), std::vector<int64_t>(shape.begin(), shape.end()));
        for (int64_t i = 0; i < tensor.size(); ++i)
            tensor.set(i, tensor.dtype().is_float() ? double(i * 7 % 11) * 0.125 - 0.25 : double(i % 3));
        options.inputs.emplace(std::string(module.name(parameter)), tensor);
    }
    options.repeat = 1;
    return options;
}

QStringList answer(const QString& line) {
    Result<OnnxImport> imported = import_onnx(model_of(line), {});
    if (!imported) return {"  refused: " + QString::fromStdString(imported.error().message)};
    QStringList lines;
    for (const std::string& one : imported->unsupported) lines << "  not supported: " + QString::fromStdString(one);
    if (!lines.isEmpty()) return lines;
    for (const QString& text : text_of(imported->module).split('\n')) lines << "  " + text;
    RunOptions options = run_options(imported->module);
    Result<RunReport> run = run_module(std::make_shared<const Module>(std::move(imported->module)), options);
    if (!run) return lines << "  run: " + QString::fromStdString(run.error().message);
    for (const Tensor& output : run->outputs) lines << "  " + values_of(output);
    return lines;
}

/// Compares two texts. Floating-point values may differ in the last digits, because other processors add in another
/// order.
bool same_words(const QString& a, const QString& b) {
    QStringList left = a.split(' '), right = b.split(' ');
    if (left.size() != right.size()) return false;
    const bool real = a.startsWith("  float");
    for (qsizetype i = 0; i < left.size(); ++i) {
        bool is_number = false, too = false;
        double x = left[i].toDouble(&is_number), y = right[i].toDouble(&too);
        if (left[i] != right[i] && !(real && is_number && too && std::abs(x - y) <= 1e-4 * std::max(1.0, std::abs(y))))
            return false;
    }
    return true;
}

}  // namespace

class TestOnnxConversions : public QObject {
    Q_OBJECT

private slots:
    void nodesBecomeWhatTheFileSays() {
        QFile file(kFile);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QStringList lines = QString::fromUtf8(file.readAll()).split('\n'), now;
        file.close();
        int nodes = 0, wrong = 0;
        for (qsizetype i = 0; i < lines.size(); ++i) {
            if (lines[i].startsWith("  ")) continue;
            now << lines[i];
            if (lines[i].isEmpty() || lines[i].startsWith('#')) continue;
            ++nodes;
            QStringList answers = answer(lines[i]);
            now << answers;
            bool same = true;
            qsizetype count = 0;
            while (i + 1 + count < lines.size() && lines[i + 1 + count].startsWith("  ")) ++count;
            for (qsizetype k = 0; k < count && count == answers.size(); ++k)
                same = same && same_words(answers[k], lines[i + 1 + k]);
            if (same && count == answers.size()) continue;
            ++wrong;
            if (!qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN"))
                qWarning("%s\n%s\ninstead of\n%s", qPrintable(lines[i]), qPrintable(answers.join('\n')),
                         qPrintable(lines.mid(i + 1, count).join('\n')));
        }
        qInfo("%d nodes", nodes);
        if (!qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) QCOMPARE(wrong, 0);
        else if (file.open(QIODevice::WriteOnly)) file.write(now.join('\n').toUtf8());
    }
};

PARTITA_TEST(TestOnnxConversions)

}  // namespace test_onnx_conversions

#include "test_onnx_conversions.moc"
