#include "tests/fuzz/onnx/differential.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <regex>

#include "engine/frontends/onnx/importer.h"
#include "engine/frontends/onnx/model.h"
#include "engine/frontends/relay/printer.h"
#include "engine/session/session.h"

namespace partita::fuzz {

namespace {

constexpr double kTolerance = 1e-3;  ///< relative to an output's largest value
constexpr double kSmallestScale = 1e-2;
/// Some units in the last place, as sums of some numbers round.
constexpr double kRounding = 1e-6, kRoundingOfHalf = 1e-3;
/// The allowed deviation of a result, as a multiple of the change that perturbed inputs cause.
constexpr double kShakenShare = 4;
/// Of a value that lies between two steps of a quantization one alone may tell nothing.
constexpr int64_t kShakings = 4;
constexpr double kNearlyInfinite = 1e37;

const BackendDescription& backend(const std::string& name) {
    static std::vector<std::pair<std::string, BackendDescription>> loaded;
    for (const auto& [known, description] : loaded)
        if (known == name) return description;
    Result<BackendDescription> description = load_backend(name);
    if (!description) throw std::runtime_error(description.error().message);
    return loaded.emplace_back(name, std::move(*description)).second;
}

Answer refused(std::string message, bool at_run) { return {{}, std::move(message), at_run}; }

}  // namespace

std::vector<Way> all_ways() {
    std::vector<Way> ways;
    for (bool simplify : {false, true})
        for (const char* name : {"", "dnnl", "dnnl_all", "ccompiler_wide"}) ways.push_back({name, simplify});
    return ways;
}

ImportedGraph::ImportedGraph(const GeneratedGraph& graph, std::string cache_folder)
    : graph_(graph), cache_folder_(std::move(cache_folder)) {
    Result<Imported> imported = import(graph.model);
    if (imported) own_ = std::move(*imported);
    else refusal_ = imported.error().message;
}

Result<ImportedGraph::Imported> ImportedGraph::import(const std::string& model) {
    Result<OnnxImport> imported = import_onnx(model, {});
    if (!imported) return imported.error();
    if (!imported->unsupported.empty()) return error(imported->unsupported[0]);
    Imported result{std::make_shared<const Module>(std::move(imported->module)), {}};
    const Module& module = *result.module;
    for (size_t i = 0; i < imported->inputs.size(); ++i)
        result.parameters.emplace_back(module.name(module.parameters(module.find_function("main"))[i]));
    return result;
}

std::vector<Tensor> ImportedGraph::inputs(int64_t shaken) const {
    std::vector<Tensor> values;
    for (const GeneratedGraph::Input& input : graph_.inputs) {
        Tensor value = input.value;
        if (shaken && value.dtype().is_float()) {
            value = value.clone();
            for (int64_t k = 0; k < value.size(); ++k)
                value.set(k, value.at(k) * (k / shaken % 2 ? 1 + kRounding : 1 - kRounding));
        }
        values.push_back(value);
    }
    return values;
}

Answer ImportedGraph::run_module_of(const ModulePtr& module, const std::vector<std::string>& parameters,
                                    const std::vector<Tensor>& inputs, const std::string& backend_name) {
    RunOptions options;
    options.warmup = 0;
    options.repeat = 1;
    options.threads = 1;
    options.cache_folder = cache_folder_;
    if (!backend_name.empty()) options.codegen[backend_name] = backend(backend_name).codegen;
    for (size_t i = 0; i < parameters.size(); ++i) options.inputs[parameters[i]] = inputs[i];
    Result<RunReport> report = run_partitioned(module, options);
    if (!report) return refused(report.error().message, true);
    return {std::move(report->outputs), {}, false};
}

std::optional<Answer> ImportedGraph::run(const Way& way) {
    FlowOptions options;
    if (!way.backend.empty()) options.backends.push_back(backend(way.backend));
    options.simplify = way.simplify;
    options.log_decisions = false;
    Result<FlowResult> flow = run_flow(own_.module, options);
    if (!flow) return refused("flow: " + flow.error().message, true);
    std::string text = print_relay(*flow->last());
    if (std::find(seen_.begin(), seen_.end(), text) != seen_.end()) return std::nullopt;
    seen_.push_back(std::move(text));
    return run_module_of(flow->last(), own_.parameters, inputs(), way.backend);
}

Answer ImportedGraph::run_shaken(int64_t way) { return run_module_of(own_.module, own_.parameters, inputs(way)); }

namespace {

/// Returns what moves real numbers as rounding may, and integers by one, to where there is room.
Tensor noise_for(const Tensor& value, bool of_whole, int64_t way) {
    const DataType dtype = value.dtype();
    Tensor noise(dtype, value.shape());
    const double unit = dtype.bits == 16 ? kRoundingOfHalf : kRounding;
    double largest = 0;
    for (int64_t k = 0; k < value.size(); ++k)
        if (std::isfinite(value.at(k))) largest = std::max(largest, std::fabs(value.at(k)));
    const bool is_signed = dtype.code == DataType::Code::Int;
    const double highest = std::ldexp(1.0, dtype.bits - is_signed) - 1, lowest = is_signed ? -highest - 1 : 0;
    for (int64_t k = 0; k < value.size(); ++k) {
        const double x = value.at(k);
        double sign = k / way % 2 ? 1 : -1;
        if (!dtype.is_float()) noise.set(k, x >= highest ? -1 : x <= lowest ? 1 : sign);
        else if (std::isfinite(x)) noise.set(k, sign * unit * (of_whole ? largest : std::fabs(x)));
    }
    return noise;
}

}  // namespace

Answer ImportedGraph::run_noisy(int64_t way) {
    const Result<Imported> noisy = graph_.noise.empty() ? error("no noise") : import(graph_.noisy_model);
    if (!noisy) return run_shaken(way);
    std::vector<Tensor> values = inputs();
    const size_t own = values.size();
    for (const GeneratedGraph::Noise& noise : graph_.noise) {
        values.emplace_back(onnx::data_type_of(noise.type), noise.shape);
        std::memset(values.back().bytes(), 0, values.back().byte_size());
    }
    const Answer quiet = run_module_of(noisy->module, noisy->parameters, values);
    if (!quiet.refusal.empty()) return run_shaken(way);
    std::vector<Tensor> shaken = inputs(way);
    std::copy(shaken.begin(), shaken.end(), values.begin());
    for (size_t i = 0; i < graph_.noise.size(); ++i)
        values[own + i] = noise_for(quiet.outputs[graph_.outputs.size() + i], graph_.noise[i].of_whole, way);
    Answer answer = run_module_of(noisy->module, noisy->parameters, values);
    if (!answer.refusal.empty()) return run_shaken(way);
    answer.outputs.resize(graph_.outputs.size());
    return answer;
}

namespace {

/// Returns how far an element moves at most; NaN where it becomes NaN or ceases to be.
double movement(const Shaking& shaking, size_t output, int64_t element) {
    double most = 0;
    for (const Answer& after : shaking.after) {
        if (!after.refusal.empty() || output >= after.outputs.size()) continue;
        double moved = std::fabs(after.outputs[output].at(element) - shaking.before.outputs[output].at(element));
        if (std::isnan(moved)) return moved;
        most = std::max(most, moved);
    }
    return most;
}

}  // namespace

std::string difference(const GeneratedGraph& graph, const Answer& actual, const Answer& expected,
                       const Shaking* shaking) {
    if (!actual.refusal.empty() || !expected.refusal.empty()) {
        if (!actual.refusal.empty() && !expected.refusal.empty()) return "";
        return actual.refusal.empty() ? "gives what the other refuses: " + expected.refusal
                                      : "refuses: " + actual.refusal;
    }
    if (actual.outputs.size() != expected.outputs.size()) return "another number of outputs";
    for (size_t k = 0; k < actual.outputs.size(); ++k) {
        const Tensor &a = actual.outputs[k], &e = expected.outputs[k];
        const std::string where = "output " + std::to_string(k) + ": ";
        if (!(a.dtype() == e.dtype())) return where + a.dtype().to_string() + ", not " + e.dtype().to_string();
        if (a.shape() != e.shape()) return where + shape_to_string(a.shape()) + ", not " + shape_to_string(e.shape());
        const bool exact = graph.outputs[k].exact && !shaking;
        double scale = kSmallestScale;
        for (int64_t i = 0; i < e.size(); ++i)
            if (std::fabs(e.at(i)) < kNearlyInfinite) scale = std::max(scale, std::fabs(e.at(i)));
        for (int64_t i = 0; i < e.size(); ++i) {
            double x = a.at(i), y = e.at(i), allowed = kTolerance * scale;
            if (exact && !e.dtype().is_float()) {  // double does not hold all of 64 bits
                const size_t bytes = e.dtype().bytes(), at = size_t(i) * bytes;
                const auto* ours = static_cast<const char*>(a.bytes()) + at;
                if (std::memcmp(ours, static_cast<const char*>(e.bytes()) + at, bytes) != 0 && x == y)
                    return where + "element " + std::to_string(i) + " differs in its last bits";
            }
            if (x == y || (std::isnan(x) && std::isnan(y))) continue;
            if (std::fabs(x) > kNearlyInfinite && std::fabs(y) > kNearlyInfinite && std::signbit(x) == std::signbit(y))
                continue;
            if (!e.dtype().is_float()) allowed = exact ? 0 : e.dtype().is_bool() ? 0 : 1;
            if (shaking) {
                double moved = movement(*shaking, k, i);
                if (std::isnan(moved)) continue;
                allowed += kShakenShare * moved;
            }
            if (std::fabs(x - y) <= allowed) continue;
            char text[120];
            std::snprintf(text, sizeof text, "element %lld is %.9g, not %.9g (scale %.3g)", static_cast<long long>(i),
                          x, y, scale);
            return where + text;
        }
    }
    return "";
}

namespace {

/// Allowed differences, and their reasons.
struct Allowed {
    const char* op;
    const char* pattern;  ///< matches the text of the difference
    const char* reason;
    bool only_with_nan = false;  ///< only where an input or a constant has NaN or an infinity
};
constexpr Allowed kAllowed[] = {
    {"Shape", "^computed: ", "of what only the shape is wanted nothing is computed, and nothing refused"},
    {"Size", "^computed: ", "of what only the shape is wanted nothing is computed, and nothing refused"},
    {"EyeLike", "^computed: ", "of what only the shape is wanted nothing is computed, and nothing refused"},
    {"Clip", "inf, not -?3.4028",
     "the runtime takes a bound that Clip leaves out as the largest number, so that it cuts infinities"},
    {"MeanVarianceNormalization", "the runtime.*is -?[01], not -?nan",
     "of equal numbers the runtime's E(x^2) - E(x)^2 is below zero by rounding"},
    {"AffineGrid", "the runtime.*, not -?nan",
     "with aligned corners the runtime divides an axis of one element by zero"},
    {"Acosh", "the runtime.*is 0, not -?nan", "of 1, which rounding put below"},
    {"Softplus of a layer", "the runtime.*, not -?(nan|inf)", "the runtime's overflows above 88"},
    {"ReduceProd", "the runtime.*, not -?2.14748365e",
     "the runtime converts a product of integers that overflows from float"},
    {"ReduceSumSquare", "the runtime.*, not -?2.14748365e",
     "the runtime converts a sum of integers that overflows from float"},
    {"ScatterElements", "the runtime.*is -?nan, not", "the runtime forgets NaN where another update follows"},
    {"ScatterND", "the runtime.*is -?nan, not", "the runtime forgets NaN where another update follows"},
    {"Relu", "the runtime.*, not -?nan", "of NaN nn.relu is 0, as in TVM"},
    {"MaxPool", "the runtime: ", "the runtime's maximum of a window with NaN depends on where it stands", true},
    {"GlobalMaxPool", "the runtime.*, not -?nan", "the runtime's maximum of a map with NaN depends on where it stands"},
    {"MatMul", R"(^computed: .*matmul_helper.*cannot broadcast on dim [0-9]+ \[[^\]]*\b0\b)",
     "the runtime repeats no axis of one element zero times, as NumPy, and so ONNX, does"},
    {"LRN", "the runtime.*, not -?nan", "the runtime moves one sum along the channels, in which NaN stays"},
    {"com.microsoft.QLinearSoftmax", "the runtime.*is 255, not 0", "the runtime's 256 wraps to 0, ours ends at 255"},
};

bool has_special_values(const GeneratedGraph& graph) {
    return graph.has_special_constant ||
           std::any_of(graph.inputs.begin(), graph.inputs.end(), [](const GeneratedGraph::Input& input) {
               for (int64_t i = 0; input.value.dtype().is_float() && i < input.value.size(); ++i)
                   if (!std::isfinite(input.value.at(i))) return true;
               return false;
           });
}

const Allowed* allowed_difference(const GeneratedGraph& graph, const std::string& difference) {
    for (const Allowed& entry : kAllowed) {
        bool has = std::find(graph.operators.begin(), graph.operators.end(), entry.op) != graph.operators.end();
        if (entry.only_with_nan && !has_special_values(graph)) continue;
        if (has && std::regex_search(difference, std::regex(entry.pattern))) return &entry;
    }
    return nullptr;
}

/// A difference, and whether rounding alone explains it.
struct Doubt {
    std::string text;
    bool ill_conditioned = false;
};

/// `own`: that of the two which `default` gave.
Doubt doubt(const GeneratedGraph& graph, ImportedGraph& imported, const Answer& actual, const Answer& expected,
            const Answer& own) {
    std::string text = difference(graph, actual, expected);
    const bool exact =
        std::all_of(graph.outputs.begin(), graph.outputs.end(), [](const auto& output) { return output.exact; });
    if (text.empty() || exact || !actual.refusal.empty() || !expected.refusal.empty()) return {text};
    Shaking shaking{own, {}};
    for (int64_t way = 1; way <= kShakings; ++way) shaking.after.push_back(imported.run_noisy(way));
    return {text, difference(graph, actual, expected, &shaking).empty()};
}

Verdict with(Verdict verdict, Outcome outcome, std::string text) {
    verdict.outcome = outcome;
    verdict.text = std::move(text);
    return verdict;
}

/// Returns the verdict with the new difference; the previous verdict if there is none.
Verdict after(const GeneratedGraph& graph, Verdict verdict, Doubt doubt, const std::string& where) {
    if (doubt.text.empty()) return verdict;
    doubt.text = where + doubt.text;
    if (const Allowed* entry = allowed_difference(graph, doubt.text))
        return with(std::move(verdict), Outcome::Allowed, entry->reason);
    return with(std::move(verdict), doubt.ill_conditioned ? Outcome::IllConditioned : Outcome::Differs, doubt.text);
}

}  // namespace

Verdict agreement(const GeneratedGraph& graph, ImportedGraph& imported) {
    Verdict verdict;
    for (const Way& way : all_ways()) {
        std::optional<Answer> answer = imported.run(way);
        if (!answer) continue;
        if (++verdict.runs == 1) {
            verdict.first = std::move(*answer);
            continue;
        }
        verdict = after(graph, std::move(verdict), doubt(graph, imported, *answer, verdict.first, verdict.first),
                        way.name() + " against default: ");
        if (verdict.outcome == Outcome::Differs) return verdict;
    }
    return verdict;
}

Verdict against_runtime(const GeneratedGraph& graph, ImportedGraph& imported, Verdict verdict, const Answer& theirs) {
    const bool refused_at_run = imported.refusal().empty() && !verdict.first.refusal.empty();
    const std::string ours = refused_at_run ? "at the run: " + verdict.first.refusal : imported.refusal();
    if (!ours.empty())
        return with(std::move(verdict), theirs.refusal.empty() ? Outcome::RefusedByUs : Outcome::RefusedByBoth,
                    theirs.refusal.empty() ? ours : ours + " | " + theirs.refusal);
    if (!theirs.refusal.empty()) {
        const Allowed* entry = theirs.refused_run ? allowed_difference(graph, "computed: " + theirs.refusal) : nullptr;
        if (entry) return with(std::move(verdict), Outcome::Allowed, entry->reason);
        return with(std::move(verdict), theirs.refused_run ? Outcome::ComputedThoughRefused : Outcome::RefusedByRuntime,
                    theirs.refusal);
    }
    Doubt found = doubt(graph, imported, verdict.first, theirs, verdict.first);
    return after(graph, std::move(verdict), std::move(found), "default against the runtime: ");
}

// --- ONNX Runtime -----------------------------------------------------------------------------------------------

namespace {

void append(std::string& bytes, uint32_t value) { bytes.append(reinterpret_cast<const char*>(&value), sizeof value); }
void append_block(std::string& bytes, std::string_view block) {
    append(bytes, uint32_t(block.size()));
    bytes += block;
}

int onnx_type_of(DataType dtype) {
    for (int type = 1; type <= 13; ++type)
        if (onnx::data_type_of(type) == dtype) return type;
    return 0;
}

class AnswerReader {
public:
    explicit AnswerReader(std::string_view bytes) : bytes_(bytes) {}
    uint32_t number() {
        uint32_t value = 0;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view take(size_t count) {
        if (count > bytes_.size()) throw std::runtime_error("the runtime's answer is too short");
        std::string_view part = bytes_.substr(0, count);
        bytes_.remove_prefix(count);
        return part;
    }
    Tensor tensor() {
        take(number());
        DataType dtype = onnx::data_type_of(int32_t(number()));
        Shape shape(number());
        for (int64_t& dim : shape) std::memcpy(&dim, take(sizeof dim).data(), sizeof dim);
        Tensor tensor(dtype, shape);
        std::string_view data = take(number());
        std::memcpy(tensor.bytes(), data.data(), std::min(data.size(), tensor.byte_size()));
        return tensor;
    }

private:
    std::string_view bytes_;
};

}  // namespace

bool OnnxRuntime::start() {
    if (process_ > 0) return true;
    int to[2], from[2];
    if (::pipe2(to, O_CLOEXEC) != 0 || ::pipe2(from, O_CLOEXEC) != 0) return false;
    process_ = ::fork();
    if (process_ == 0) {
        ::dup2(to[0], 0);
        ::dup2(from[1], 1);
        ::execlp("node", "node", script_.c_str(), folder_.c_str(), nullptr);
        ::_exit(127);
    }
    ::close(to[0]);
    ::close(from[1]);
    to_ = to[1], from_ = from[0];
    ::signal(SIGPIPE, SIG_IGN);
    return process_ > 0;
}

void OnnxRuntime::stop() {
    if (process_ <= 0) return;
    ::close(to_);
    ::close(from_);
    ::waitpid(process_, nullptr, 0);
    process_ = -1;
}

bool OnnxRuntime::write(std::string_view bytes) {
    while (!bytes.empty()) {
        ssize_t count = ::write(to_, bytes.data(), bytes.size());
        if (count <= 0) return false;
        bytes.remove_prefix(size_t(count));
    }
    return true;
}

bool OnnxRuntime::read(char* to, size_t count) {
    while (count > 0) {
        ssize_t done = ::read(from_, to, count);
        if (done <= 0) return false;
        to += done;
        count -= size_t(done);
    }
    return true;
}

void OnnxRuntime::ask(const GeneratedGraph& graph) {
    std::string request;
    append_block(request, graph.model);
    append(request, uint32_t(graph.inputs.size()));
    for (const GeneratedGraph::Input& input : graph.inputs) {
        append_block(request, input.name);
        append(request, uint32_t(onnx_type_of(input.value.dtype())));
        append(request, uint32_t(input.value.rank()));
        for (int64_t dim : input.value.shape()) request.append(reinterpret_cast<const char*>(&dim), sizeof dim);
        append_block(request, {static_cast<const char*>(input.value.bytes()), input.value.byte_size()});
    }
    std::string framed;
    append_block(framed, request);
    if (!start() || !write(framed)) stop();
}

Answer OnnxRuntime::answer() {
    uint32_t length = 0;
    if (process_ <= 0 || !read(reinterpret_cast<char*>(&length), sizeof length)) {
        stop();
        return refused("the runtime's process ended", false);
    }
    std::string bytes(length, '\0');
    if (!read(bytes.data(), length)) {
        stop();
        return refused("the runtime's process ended", false);
    }
    AnswerReader reader(bytes);
    const char status = reader.take(1)[0];
    if (status != 0) return refused(bytes.substr(1), status == 2);
    Answer answer;
    for (uint32_t count = reader.number(); count > 0; --count) answer.outputs.push_back(reader.tensor());
    return answer;
}

}  // namespace partita::fuzz
