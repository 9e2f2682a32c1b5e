// Each op's example, varied: one argument's type or one attribute at a time. What the type relation accepts, the kernel
// computes as the C of the op does, or refuses; what it refuses, it refuses in words. tests/golden/op-variations.txt holds,
// for each op, how many variations are accepted and the messages of the others.
//
// `PARTITA_UPDATE_GOLDEN=1 build/release/tests/test_ops_variations` writes the file anew.
#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "engine/frontends/relay/parser.h"
#include "engine/passes/infer_types.h"
#include "tests/engine/op_c_testing.h"
#include "tests/engine/op_testing.h"

using namespace partita;
using namespace partita::testing;

namespace {

constexpr const char* kGoldenFile = PARTITA_SOURCE_DIR "/tests/golden/op-variations.txt";
/// Of each op, that many accepted variations are compiled as C: the compiler takes most of the test's time.
constexpr int kMostInC = 10;
constexpr int64_t kMostElements = 20000;

/// A call of an op, with its arguments' values.
struct Variation {
    std::string what;
    std::vector<Argument> arguments;
    AttributeList attributes;
};

/// Whole numbers suit indices and lengths; the others are uneven, so that a value from a wrong place shows.
Tensor some_tensor(DataType dtype, std::vector<int64_t> shape) {
    Tensor tensor(dtype, std::move(shape));
    for (int64_t i = 0; i < tensor.size(); ++i) tensor.set(i, dtype.is_float() ? double(i * 7 % 11) * 0.0625 + 0.125 : double(i % 2));
    return tensor;
}

/// The example of an op's record; nothing where an argument has no static tensor type.
std::optional<Variation> example_of(const OpRecord& op) {
    Result<Module> module = parse_relay(op.example);
    if (!module || !infer_types(*module)) return std::nullopt;
    for (uint32_t i = 0; i < module->size(); ++i) {
        const OpRecord* called = called_op_record(*module, ExprId(i));
        if (!called || called->name != op.name) continue;
        Variation example{"example", {}, attributes_of(*module, ExprId(i)).values()};
        for (ExprId argument : module->arguments(ExprId(i))) {
            const TypeTable& types = module->types();
            if (module->kind(argument) == ExprKind::Constant) {
                example.arguments.emplace_back(module->constant(argument));
                continue;
            }
            bool is_tuple = types.is_tuple(module->type(argument));
            std::vector<TypeId> fields{module->type(argument)};
            if (is_tuple) fields.assign(types.parts(fields[0]).begin(), types.parts(module->type(argument)).end());
            std::vector<Tensor> tensors;
            for (TypeId field : fields) {
                if (!types.is_tensor(field)) return std::nullopt;
                std::vector<int64_t> shape(types.shape(field).begin(), types.shape(field).end());
                for (int64_t dim : shape)
                    if (dim == kDynamicDim) return std::nullopt;
                tensors.push_back(some_tensor(types.dtype(field), shape));
            }
            if (is_tuple) example.arguments.emplace_back(tensors);
            else example.arguments.emplace_back(tensors[0]);
        }
        return example;
    }
    return std::nullopt;
}

std::vector<std::vector<int64_t>> other_shapes(const std::vector<int64_t>& shape) {
    std::vector<std::vector<int64_t>> others{shape, shape};
    others[0].push_back(1);
    others[1].insert(others[1].begin(), 2);
    if (shape.empty()) return others;
    others.emplace_back(shape.begin() + 1, shape.end());
    for (size_t axis = 0; axis < shape.size(); ++axis) {
        others.push_back(shape);
        others.back()[axis] += 1;
        others.push_back(shape);
        others.back()[axis] = 1;
    }
    others.push_back(shape);
    others.back().back() = 0;
    return others;
}

std::vector<AttributeValue> other_values(const AttributeValue& value, const std::set<std::string>& words) {
    std::vector<AttributeValue> others;
    auto integers_like = [](const Integer& integer) {
        std::vector<AttributeValue> near;
        for (int64_t other : {int64_t(-5), int64_t(-2), int64_t(-1), int64_t(0), int64_t(1), int64_t(2), int64_t(3), int64_t(4), int64_t(1) << 40})
            if (other != integer.value) near.push_back(Integer{other, integer.bits});
        return near;
    };
    if (const bool* flag = value.as_bool()) others = {!*flag};
    else if (const Integer* integer = value.as_integer()) others = integers_like(*integer);
    else if (const double* real = value.as_double()) others = {*real + 0.5, -*real - 0.25, 0.0};
    else if (value.as_string()) others.assign(words.begin(), words.end());
    else if (value.as_dtype()) others = {kInt32, kFloat64, kBool};
    else if (value.is_none()) others = {AttributeValue(1), AttributeValue(AttributeValue::List{AttributeValue(0)})};
    else if (const AttributeValue::List* list = value.as_list()) {
        AttributeValue::List longer = *list, shorter = *list;
        longer.push_back(list->empty() ? AttributeValue(1) : list->back());
        others.push_back(longer);
        if (list->empty()) return others;
        shorter.pop_back();
        others.push_back(shorter);
        for (size_t i = 0; i < list->size(); ++i) {
            AttributeValue::List changed = *list;
            const Integer* integer = (*list)[i].as_integer();
            for (int64_t step : {-1, 1, -9}) {
                if (!integer) continue;
                changed[i] = Integer{integer->value + step, integer->bits};
                others.push_back(changed);
            }
        }
    }
    return others;
}

/// What an attribute of this kind and name is set to anywhere in an example, and a word that none knows.
std::set<std::string> words_of(const std::string& attribute) {
    static const std::map<std::string, std::set<std::string>> all = [] {
        std::map<std::string, std::set<std::string>> found;
        for (const OpRecord& op : op_registry().records()) {
            std::optional<Variation> example = example_of(op);
            for (size_t i = 0; example && i < op.attributes.size(); ++i) {
                if (const std::string* word = example->attributes[i].as_string()) found[op.attributes[i].name].insert(*word);
                if (const std::string* word = op.attributes[i].default_value.as_string()) found[op.attributes[i].name].insert(*word);
            }
        }
        return found;
    }();
    std::set<std::string> words = all.contains(attribute) ? all.at(attribute) : std::set<std::string>{};
    words.insert({"bogus", ""});
    if (attribute.find("layout") != std::string::npos) words.insert({"NCHW", "NHWC", "OIHW", "HWIO", "NCHW4c", "NCW"});
    if (attribute == "mode" || attribute == "pad_mode")
        words.insert({"wrap", "clip", "fast", "constant", "edge", "reflect", "SYMMETRIC", "REFLECT", "update", "add", "mul", "min", "max"});
    if (attribute == "method") words.insert({"nearest_neighbor", "linear", "cubic"});
    if (attribute == "coordinate_transformation_mode") words.insert({"half_pixel", "align_corners", "asymmetric"});
    if (attribute == "rounding_method") words.insert({"round", "floor", "ceil", "round_prefer_floor", "round_prefer_ceil"});
    return words;
}

std::vector<Variation> variations_of(const OpRecord& op) {
    std::optional<Variation> example = example_of(op);
    if (!example) return {};
    std::vector<Variation> all{*example};
    for (size_t i = 0; i < op.attributes.size(); ++i)
        for (const AttributeValue& value : other_values(example->attributes[i], words_of(op.attributes[i].name))) {
            all.push_back(*example);
            all.back().what = op.attributes[i].name + "=" + value.to_string();
            all.back().attributes[i] = value;
        }
    for (size_t a = 0; a < example->arguments.size(); ++a)
        for (size_t t = 0; t < example->arguments[a].tensors.size(); ++t) {
            const Tensor& given = example->arguments[a].tensors[t];
            auto put = [&](const Tensor& tensor) {
                all.push_back(*example);
                all.back().what = "argument " + std::to_string(a) + "." + std::to_string(t) + " " + tensor.dtype().to_string() +
                                  shape_to_string(tensor.shape());
                all.back().arguments[a].tensors[t] = tensor;
            };
            for (const std::vector<int64_t>& shape : other_shapes(given.shape())) put(some_tensor(given.dtype(), shape));
            for (DataType dtype : {kBool, kUInt8, kInt8, kInt32, kInt64, kFloat16, kFloat32, kFloat64})
                if (!(dtype == given.dtype())) put(some_tensor(dtype, given.shape()));
        }
    return all;
}

Result<TypeId> type_of(const OpRecord& op, const Variation& variation, TypeTable& types) {
    std::vector<TypeId> arguments;
    for (const Argument& argument : variation.arguments) {
        std::vector<TypeId> fields;
        for (const Tensor& tensor : argument.tensors) fields.push_back(types.tensor(tensor.dtype(), tensor.shape()));
        arguments.push_back(argument.is_tuple ? types.tuple(fields) : fields[0]);
    }
    return op.relation({types, arguments, AttributesView(op, variation.attributes)});
}

/// Result tensors of a type, filled with what no kernel writes; nothing where it is dynamic, or large.
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
    for (const Tensor& tensor : tensors) views.push_back({const_cast<void*>(tensor.bytes()), tensor.dtype(), tensor.shape()});
    return views;
}

std::vector<Tensor> flat(const std::vector<Argument>& arguments) {
    std::vector<Tensor> tensors;
    for (const Argument& argument : arguments) tensors.insert(tensors.end(), argument.tensors.begin(), argument.tensors.end());
    return tensors;
}

bool is_in_c(DataType dtype) {
    for (DataType known : {kBool, kUInt8, kInt8, kInt32, kInt64, kFloat32, kFloat64})
        if (dtype == known) return true;
    return false;
}

/// The op's C for these operands as a body for GeneratedLibrary; nothing where it has none.
std::optional<std::string> body_in_c(const OpRecord& op, const Variation& variation, const std::vector<Tensor>& inputs,
                                     const std::vector<Tensor>& results) {
    std::vector<CTensor> in, out;
    std::string body;
    auto declare = [&](std::vector<CTensor>& list, const std::string& letter, const Tensor& tensor, const std::string& array) {
        std::string name = letter + std::to_string(list.size()), constant = letter == "x" ? "const " : "";
        body += "    " + constant + c_type(tensor.dtype()) + "* " + name + " = (" + constant + c_type(tensor.dtype()) + "*)" + array + "[" +
                std::to_string(list.size()) + "]; (void)" + name + ";\n";
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
    body += "    for (long i = 0; i < " + std::to_string(results[0].size()) + "; i++) y0[i] = (" + c_type(out[0].dtype) + ")" +
            op.c_element({operands, in[0].dtype, out[0].dtype, attributes}) + ";\n";
    return body;
}

/// An accepted variation with what the kernel computes, and the name of its function in C.
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
                return "result " + std::to_string(t) + " at " + std::to_string(i) + ": " + std::to_string(a) + " in C, " + std::to_string(b);
        }
    return {};
}

uint32_t digest(uint32_t seed, const std::string& text) {
    for (unsigned char c : text) seed = (seed ^ c) * 16777619u;
    return seed;
}

/// How an op answers its variations, in the golden file's words.
class OpAnswers {
public:
    void accept(const std::string& what, const std::string& type) { ++accepted_, note(what + " " + type); }
    void refuse(const std::string& what, const std::string& message) { ++messages_[without_figures(message)], note(what + " " + message); }

    std::string text(const std::string& op) const {
        char digits[16];
        std::snprintf(digits, sizeof digits, "%08x", digest_);
        std::string lines = op + ": " + std::to_string(accepted_) + " accepted, " + digits + "\n";
        for (const auto& [message, count] : messages_) lines += "    " + std::to_string(count) + " x " + message + "\n";
        return lines;
    }
    const std::string& all() const { return all_; }

private:
    static std::string without_figures(const std::string& message) {
        std::string text;
        for (char c : message)
            if (!std::isdigit(static_cast<unsigned char>(c))) text += c;
            else if (!text.ends_with('#')) text += '#';
        return text;
    }

    void note(const std::string& line) {
        digest_ = digest(digest_, line);
        all_ += "    " + line + "\n";
    }

    int accepted_ = 0;
    std::map<std::string, int> messages_;
    uint32_t digest_ = 2166136261u;
    std::string all_;
};

}  // namespace

class TestOpsVariations : public QObject {
    Q_OBJECT

private slots:
    void relationsAnswerAsTheyDid() {
        std::map<std::string, std::string> known;
        std::ifstream file(kGoldenFile);
        std::string op_name;
        for (std::string line; std::getline(file, line);) {
            if (!line.starts_with(" ")) op_name = line.substr(0, line.find(':'));
            known[op_name] += line + "\n";
        }
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
            if (++wrong <= 5) qWarning("%s\nnot as in the golden file:\n%s\nall answers:\n%s", text.c_str(), known[op.name].c_str(), answers.all().c_str());
        }
        if (qEnvironmentVariableIsSet("PARTITA_UPDATE_GOLDEN")) std::ofstream(kGoldenFile) << now.str();
        else QCOMPARE(wrong, 0);
    }

    /// A relation that accepts too much leads to a kernel that reads past its operands: the sanitizer's build sees it.
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
            for (Tensor& result : results) std::fill_n(static_cast<uint8_t*>(result.bytes()), result.byte_size(), uint8_t(0xa5));
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

QTEST_GUILESS_MAIN(TestOpsVariations)
#include "test_ops_variations.moc"
