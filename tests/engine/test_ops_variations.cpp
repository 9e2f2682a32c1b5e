// Variations of each op's example: another type of one argument or another attribute at a time. If the type relation
// accepts one, kernel and C of the op agree or refuse it; otherwise the relation gives a message.
// tests/golden/op-variations.txt has, for each op, the number of accepted variations and the messages of the others.
//
// `PARTITA_UPDATE_GOLDEN=1 build/release/tests/test_ops_variations` updates the file.
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>

#include "tests/digest.h"
#include "tests/engine/op_c_testing.h"
#include "tests/engine/op_variations.h"
#include "tests/registry.h"

namespace test_ops_variations {

using namespace partita;
using namespace partita::testing;

namespace {

constexpr const char* kGoldenFile = PARTITA_SOURCE_DIR "/tests/golden/op-variations.txt";
/// The most variations of each op compiled as C: the compiler takes most of the test's time.
constexpr int kMostInC = 10;
constexpr int64_t kMostElements = 20000;

/// Returns result tensors of a type, filled with a value that no kernel writes; nothing if it is dynamic, or large.
std::optional<std::vector<Tensor>> results_of(const TypeTable& types, TypeId type) {
    std::vector<TypeId> fields{type};
    if (types.is_tuple(type)) fields.assign(types.parts(type).begin(), types.parts(type).end());
    std::vector<Tensor> results;
    for (TypeId field : fields) {
        if (!types.is_tensor(field)) return std::nullopt;
        std::vector<int64_t> shape(types.shape(field).begin(), types.shape(field).end());
        double elements = 1;
        for (int64_t dim : shape) elements = dim < 0 ? 1e300 : elements * double(dim);
        if (elements > double(kMostElements)) return std::nullopt;
        results.emplace_back(types.dtype(field), shape);
        std::fill_n(static_cast<uint8_t*>(results.back().bytes()), results.back().byte_size(), uint8_t(0xa5));
    }
    return results;
}

std::vector<TensorView> views_of(const std::vector<Tensor>& tensors) {
    std::vector<TensorView> views;
    for (const Tensor& tensor : tensors)
        views.push_back({const_cast<void*>(tensor.bytes()), tensor.dtype(), tensor.shape()});
    return views;
}

std::vector<Tensor> flat(const std::vector<Argument>& arguments) {
    std::vector<Tensor> tensors;
    for (const Argument& argument : arguments)
        tensors.insert(tensors.end(), argument.tensors.begin(), argument.tensors.end());
    return tensors;
}

bool is_in_c(DataType dtype) {
    for (DataType known : {kBool, kUInt8, kInt8, kInt32, kInt64, kFloat32, kFloat64})
        if (dtype == known) return true;
    return false;
}

/// Returns the op's C for these operands as a body for GeneratedLibrary; nothing if it has none.
std::optional<std::string> body_in_c(const OpRecord& op, const Variation& variation, const std::vector<Tensor>& inputs,
                                     const std::vector<Tensor>& results) {
    std::vector<CTensor> in, out;
    std::string body;
    auto declare = [&](std::vector<CTensor>& list, const std::string& letter, const Tensor& tensor,
                       const std::string& array) {
        std::string name = letter + std::to_string(list.size()), constant = letter == "x" ? "const " : "";
        body += "    " + constant + c_type(tensor.dtype()) + "* " + name + " = (" + constant + c_type(tensor.dtype()) +
                "*)" + array + "[" + std::to_string(list.size()) + "]; (void)" + name + ";\n";
        list.push_back({name, tensor.dtype(), tensor.shape()});
    };
    for (const Tensor& tensor : inputs) {
        if (!is_in_c(tensor.dtype())) return std::nullopt;
        declare(in, "x", tensor, "in");
    }
    for (const Tensor& tensor : results) {
        if (!is_in_c(tensor.dtype())) return std::nullopt;
        declare(out, "y", tensor, "out");
    }
    AttributesView attributes(op, variation.attributes);
    if (op.c_loops) return op.c_loops({in, out, attributes, body, 1}) ? std::optional(body) : std::nullopt;
    if (!op.c_element || in.empty()) return std::nullopt;
    std::vector<std::string> operands;
    for (const CTensor& tensor : in) {
        if (!std::ranges::equal(tensor.shape, out[0].shape)) return std::nullopt;
        operands.push_back(tensor.name + "[i]");
    }
    body += "    for (long i = 0; i < " + std::to_string(results[0].size()) + "; i++) y0[i] = (" +
            c_type(out[0].dtype) + ")" + op.c_element({operands, in[0].dtype, out[0].dtype, attributes}) + ";\n";
    return body;
}

/// An accepted variation with the results of the kernel, and the name of its function in C.
struct Computed {
    std::string name, function;
    std::vector<Tensor> inputs, expected;
};

std::string difference(const std::vector<Tensor>& results, const std::vector<Tensor>& expected) {
    for (size_t t = 0; t < results.size(); ++t)
        for (int64_t i = 0; i < results[t].size(); ++i) {
            double a = results[t].at(i), b = expected[t].at(i);
            if (std::isnan(a) && std::isnan(b)) continue;
            if (a != b && !(std::abs(a - b) <= 1e-4 * std::max(1.0, std::abs(b))))
                return "result " + std::to_string(t) + " at " + std::to_string(i) + ": " + std::to_string(a) +
                       " in C, " + std::to_string(b);
        }
    return {};
}

/// The results for an op's variations, in the format of the golden file.
class OpAnswers {
public:
    void accept(const std::string& what, const std::string& type) { ++accepted_, note(what + " " + type); }
    void refuse(const std::string& what, const std::string& message) {
        ++messages_[without_figures(message)], note(what + " " + message);
    }

    std::string text(const std::string& op) const {
        char digits[16];
        std::snprintf(digits, sizeof digits, "%08x", digest_);
        std::string lines = op + ": " + std::to_string(accepted_) + " accepted, " + digits + "\n";
        for (const auto& [message, count] : messages_) lines += "    " + std::to_string(count) + " x " + message + "\n";
        return lines;
    }
    const std::string& all() const { return all_; }

private:
    void note(const std::string& line) {
        digest_ = fnv_digest(line, digest_);
        all_ += "    " + line + "\n";
    }

    int accepted_ = 0;
    std::map<std::string, int> messages_;
    uint32_t digest_ = fnv_digest({});
    std::string all_;
};

}  // namespace

class TestOpsVariations : public QObject {
    Q_OBJECT

private slots:
    void relationsAnswerAsTheyDid() {
        std::map<std::string, std::string> known = golden_by_op(kGoldenFile);
        std::ostringstream now;
        int wrong = 0;
        for (const OpRecord& op : op_registry().records()) {
            OpAnswers answers;
            for (const Variation& variation : variations_of(op)) {
                TypeTable types;
                Result<TypeId> type = type_of(op, variation, types);
                if (type) answers.accept(variation.what, types.to_string(*type));
                else answers.refuse(variation.what, type.error().message);
            }
            std::string text = answers.text(op.name);
            now << text;
            if (known[op.name] == text || qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) continue;
            if (++wrong <= 5)
                qWarning("%s\nnot as in the golden file:\n%s\nall answers:\n%s", text.c_str(), known[op.name].c_str(),
                         answers.all().c_str());
        }
        if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) std::ofstream(kGoldenFile) << now.str();
        else QCOMPARE(wrong, 0);
    }

    /// Kernels compute with single numbers; they move vectors, such as TVM's float32x4, unchanged or refuse them.
    void vectorElementsAreMovedOrRefused() {
        ThreadPool threads(2);
        QStringList moved;
        for (const OpRecord& op : op_registry().records()) {
            std::optional<Variation> vectors = example_of(op);
            if (!vectors || !op.kernel) continue;
            bool changed = false;
            for (Argument& argument : vectors->arguments)
                for (Tensor& tensor : argument.tensors)
                    if (tensor.dtype() == kFloat32 && (changed = true))
                        tensor = Tensor({DataType::Code::Float, 32, 4}, tensor.shape());
            TypeTable types;
            Result<TypeId> type = type_of(op, *vectors, types);
            std::optional<std::vector<Tensor>> results = changed && type ? results_of(types, *type) : std::nullopt;
            if (!results) continue;
            std::vector<Tensor> inputs = flat(vectors->arguments);
            std::vector<TensorView> in = views_of(inputs), out = views_of(*results);
            if (op.kernel({in, out, AttributesView(op, vectors->attributes), threads}))
                moved << QString::fromStdString(op.name);
        }
        QCOMPARE(moved.join(' '),
                 "annotation.compiler_begin annotation.compiler_end annotation.stop_fusion annotation.cast_hint "
                 "annotation.bitpack_start annotation.bitpack_end annotation.checkpoint copy reshape "
                 "contrib_reverse_reshape "
                 "reshape_like expand_dims squeeze full arange one_hot shape_of ndarray_size take gather gather_nd "
                 "adv_index "
                 "nn.batch_flatten");
    }

    /// A relation that accepts too much leads to a kernel that reads past its operands, which the sanitizer build
    /// detects.
    void kernelsAndCAgreeOnWhatIsAccepted() {
        ThreadPool threads(2);
        GeneratedLibrary library;
        std::vector<Computed> computed;
        int ran = 0, refused = 0;
        for (const OpRecord& op : op_registry().records()) {
            int in_c = 0;
            for (const Variation& variation : variations_of(op)) {
                TypeTable types;
                Result<TypeId> type = type_of(op, variation, types);
                if (!type || !op.kernel) continue;
                std::optional<std::vector<Tensor>> results = results_of(types, *type);
                if (!results) continue;
                std::vector<Tensor> inputs = flat(variation.arguments);
                std::vector<TensorView> in = views_of(inputs), out = views_of(*results);
                bool done = bool(op.kernel({in, out, AttributesView(op, variation.attributes), threads}));
                done ? ++ran : ++refused;
                std::optional<std::string> body;
                if (done && in_c < kMostInC) body = body_in_c(op, variation, inputs, *results);
                if (!body) continue;
                ++in_c;
                computed.push_back({op.name + " " + variation.what, library.add(*body), inputs, *results});
            }
        }
        std::string said = library.compile();
        QVERIFY2(said.empty(), said.c_str());
        int wrong = 0;
        for (const Computed& one : computed) {
            std::vector<Tensor> results = one.expected;
            for (Tensor& result : results)
                std::fill_n(static_cast<uint8_t*>(result.bytes()), result.byte_size(), uint8_t(0xa5));
            std::vector<const void*> in;
            std::vector<void*> out;
            for (const Tensor& tensor : one.inputs) in.push_back(tensor.bytes());
            for (Tensor& tensor : results) out.push_back(tensor.bytes());
            if (library.function(one.function)(in.data(), out.data(), 0) != 0) continue;  // refused at run time
            std::string off = difference(results, one.expected);
            if (!off.empty() && ++wrong) qWarning("%s: %s", one.name.c_str(), off.c_str());
        }
        qInfo("%d variations ran, %d were refused by the kernel, %d in C", ran, refused, int(computed.size()));
        QCOMPARE(wrong, 0);
        QVERIFY(computed.size() > 1000);
    }
};

PARTITA_TEST(TestOpsVariations)

}  // namespace test_ops_variations

#include "test_ops_variations.moc"
