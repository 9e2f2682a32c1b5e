// Compares random ONNX graphs, run in every way in Partita, with ONNX Runtime; tests/fuzz/onnx_against_runtime
// describes its use.
//
// Each job is a process of its own, so that a crash costs one graph: the parent records which one and continues after
// it.
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <regex>
#include <set>

#include "engine/runtime/npy.h"
#include "engine/support/file.h"
#include "tests/fuzz/onnx/control_maker.h"
#include "tests/fuzz/onnx/differential.h"
#include "tests/fuzz/onnx/export_graphs.h"
#include "tests/fuzz/onnx/layer_graphs.h"
#include "tests/fuzz/onnx/round_trips.h"

using namespace partita;
using namespace partita::fuzz;

namespace {

namespace fs = std::filesystem;

constexpr unsigned kSecondsForAGraph = 60;
constexpr uint64_t kGraphsBetweenCleaning = 200;
/// Of layers: kernels choose their unit once in a process.
constexpr uint64_t kGraphsOfAUnit = 40;

struct Options {
    uint64_t seed = 1, graphs = 1000, first = 0;
    int steps = 0, jobs = 1;
    std::string runtime;  ///< "" for none
    std::string found = "found";
    bool verbose = false;
    bool control = false;      ///< graphs of functions and subgraphs
    bool round_trips = false;  ///< exports are read back and run, too
    bool layers = false;       ///< graphs of layer_graphs.h, on the vector units in turn
    bool exports = false;      ///< operators with element types as they are exported
    bool each = false;         ///< graphs of one operator each, those of tests/golden/onnx-results.txt
};

std::string on_a_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::replace(text.begin(), text.end(), '\t', ' ');
    return text.substr(0, 300);
}

std::string joined(const std::vector<std::string>& list) {
    std::string text;
    for (const std::string& one : list) text += (text.empty() ? "" : ",") + one;
    return text;
}

/// Compares all ways with each other and with the runtime's answer, if there is one.
Verdict judge(const GeneratedGraph& graph, const Options& options, OnnxRuntime* runtime,
              const std::string& cache_folder) {
    if (runtime) runtime->ask(graph);
    ImportedGraph imported(graph, cache_folder);
    Verdict verdict;
    if (imported.refusal().empty()) verdict = agreement(graph, imported);
    if (runtime) {
        const Answer theirs = runtime->answer();
        if (verdict.outcome == Outcome::Differs) return verdict;
        verdict = against_runtime(graph, imported, std::move(verdict), theirs);
    }
    if (!options.round_trips || verdict.outcome != Outcome::Agrees || !imported.refusal().empty()) return verdict;
    if (std::string lost = round_trip_difference(graph, verdict.first, runtime); !lost.empty()) {
        verdict.outcome = Outcome::Differs;
        verdict.text = std::move(lost);
    }
    return verdict;
}

/// Writes the model and its inputs. Returns the command that runs them.
std::string save(const GeneratedGraph& graph, const Options& options, uint64_t number) {
    const std::string stem = options.found + "/" + std::to_string(options.seed) + "-" + std::to_string(number);
    std::error_code ignored;
    fs::create_directories(options.found, ignored);
    if (Status written = write_file(stem + ".onnx", graph.model); !written) return written.error().message;
    std::string command = "partita-cli run " + stem + ".onnx";
    for (const GeneratedGraph::Input& input : graph.inputs) {
        const std::string path = stem + "-" + input.name + ".npy";
        if (Status written = write_npy(path, input.value); !written) return written.error().message;
        command += " --input " + input.name + "=" + path;
    }
    return command;
}

/// Chooses the C compiler: for most graphs tcc, if it is installed, which takes a tenth of the time; for some the
/// system's compiler with optimization. PARTITA_CC overrides this.
void choose_compiler(const Options& options, uint64_t number) {
    constexpr uint64_t kByTheSystem = 16;
    static const bool chosen = std::getenv("PARTITA_CC"), quick = fs::exists("/usr/bin/tcc");
    if (chosen) return;
    // tcc makes code of wide convolutions that crashes.
    const bool by_the_system = !quick || options.layers || number % kByTheSystem == 5;
    ::setenv("PARTITA_CC", by_the_system ? "cc" : "tcc", 1);
    ::setenv("PARTITA_CFLAGS", by_the_system ? "-O1 -fno-math-errno -fno-trapping-math -fopenmp" : "-O0", 1);
}

// --- a job ------------------------------------------------------------------------------------------------------

GeneratedGraph graph_of(const Options& options, uint64_t number, int steps) {
    if (options.control) return make_control_graph(options.seed, number);
    if (options.layers) return make_layer_graph(options.seed, number, steps);
    if (!options.each) return make_graph(options.seed, number, steps);
    static const std::vector<std::string> operators = operators_with_recipes();
    return make_graph_of(operators[number / kGraphsOfAnOperator % operators.size()], number % kGraphsOfAnOperator);
}

int most_steps(const Options& options, uint64_t number) {
    if (options.layers) return layers_of(options.seed, number);
    return options.each || options.control || options.exports ? 1 : steps_of(options.seed, number);
}

/// Returns the number behind the last one that a process takes which begins with `first`.
uint64_t end_of_job(const Options& options, uint64_t first) {
    const uint64_t end = options.first + options.graphs;
    return options.layers ? std::min(end, (first / kGraphsOfAUnit + 1) * kGraphsOfAUnit) : end;
}

void choose_unit(uint64_t number) {
    static constexpr const char* kUnits[][2] = {
        {"avx512", "ALL"}, {"avx2", "AVX2"}, {"baseline", "AVX"}, {"baseline", "SSE41"}};
    const auto& [own, library] = kUnits[number / kGraphsOfAUnit % 4];
    ::setenv("PARTITA_VECTOR_UNIT", own, 1);
    ::setenv("DNNL_MAX_CPU_ISA", library, 1);
}

/// Returns a failing graph reduced to the fewest steps that still fail.
GeneratedGraph shrunk(const Options& options, uint64_t number, OnnxRuntime* runtime, const std::string& cache_folder,
                      Verdict& verdict) {
    const int all = most_steps(options, number);
    for (int steps = 1; steps < all; ++steps) {
        GeneratedGraph graph = graph_of(options, number, steps);
        Verdict again = judge(graph, options, runtime, cache_folder);
        if (again.outcome != verdict.outcome) continue;
        verdict.text = again.text;
        return graph;
    }
    return graph_of(options, number, options.steps);
}

void say(FILE* out, const char* what, uint64_t number, const std::string& text) {
    std::fprintf(out, "%s\t%llu\t%s\n", what, static_cast<unsigned long long>(number), on_a_line(text).c_str());
    std::fflush(out);
}

void end_graph(FILE* out, uint64_t number, const Verdict& verdict) {
    say(out, "runs", number, std::to_string(verdict.runs));
    say(out, "end", number, std::to_string(int(verdict.outcome)) + " " + verdict.text);
}

void judge_export(const Options& options, uint64_t number, OnnxRuntime* runtime, FILE* out) {
    const ExportCase one = make_export_case(options.seed, number);
    const Verdict verdict = export_verdict(one, runtime);
    say(out, "operators", number, one.graph.operators[0].substr(0, one.graph.operators[0].find(' ')));
    say(out, "small", number, one.graph.operators[0]);
    end_graph(out, number, verdict);
}

void work(const Options& options, uint64_t first, uint64_t stride, FILE* out) {
    char pattern[] = "/tmp/partita-onnx-XXXXXX";
    const std::string cache = ::mkdtemp(pattern) ? pattern : "";
    std::optional<OnnxRuntime> runtime;
    if (!options.runtime.empty())
        runtime.emplace(options.runtime, PARTITA_SOURCE_DIR "/tests/fuzz/onnx/onnx_runtime.mjs");
    OnnxRuntime* asked = runtime ? &*runtime : nullptr;
    uint64_t done = 0;
    if (options.layers) choose_unit(first);
    for (uint64_t number = first; number < end_of_job(options, first); number += stride) {
        say(out, "begin", number, cache);
        ::alarm(kSecondsForAGraph);
        choose_compiler(options, number);
        if (options.exports) {
            judge_export(options, number, asked, out);
            continue;
        }
        GeneratedGraph graph = graph_of(options, number, options.steps);
        Verdict verdict = judge(graph, options, asked, cache);
        say(out, "operators", number, joined(graph.operators));
        if (verdict.outcome == Outcome::Differs || verdict.outcome == Outcome::ComputedThoughRefused) {
            GeneratedGraph small = shrunk(options, number, asked, cache, verdict);
            say(out, "small", number,
                joined(small.operators) + " | opset " + std::to_string(small.opset) + " | " +
                    save(small, options, number));
        }
        end_graph(out, number, verdict);
        if (++done % kGraphsBetweenCleaning == 0) {
            std::error_code ignored;
            for (const auto& entry : fs::directory_iterator(cache, ignored)) fs::remove_all(entry.path(), ignored);
        }
    }
    std::error_code ignored;
    fs::remove_all(cache, ignored);
}

// --- the parent -------------------------------------------------------------------------------------------------

struct Job {
    pid_t process = -1;
    int from = -1;
    std::string pending, cache, operators, small;
    uint64_t number = 0;
    bool busy = false;
};

struct Tally {
    std::map<Outcome, uint64_t> outcomes;
    std::map<std::string, uint64_t> operators;   ///< in compared graphs
    std::map<std::string, uint64_t> reasons[8];  ///< by outcome
    uint64_t graphs = 0, crashes = 0, runs = 0;
};

/// Removes numbers and names, which differ from graph to graph.
std::string reason_of(const std::string& text) {
    static const std::regex numbers("-?[0-9]+(\\.[0-9]+)?"), names("(input|node|name|Name)[: ]*'[^']*'");
    return std::regex_replace(std::regex_replace(text, names, "$1"), numbers, "#").substr(0, 160);
}

Job start_job(const Options& options, uint64_t first) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    Job job;
    job.process = ::fork();
    if (job.process == 0) {
        ::close(ends[0]);
        FILE* out = ::fdopen(ends[1], "w");
        work(options, first, uint64_t(options.jobs), out);
        std::fclose(out);
        ::_exit(0);
    }
    ::close(ends[1]);
    job.from = ends[0];
    job.number = first;
    return job;
}

void take_line(const Options& options, Job& job, Tally& tally, const std::string& line) {
    const size_t first = line.find('\t'), second = line.find('\t', first + 1);
    const std::string what = line.substr(0, first), text = line.substr(second + 1);
    job.number = std::stoull(line.substr(first + 1));
    if (what == "begin") job.busy = true, job.cache = text, job.small.clear(), job.operators.clear();
    if (what == "operators") job.operators = text;
    if (what == "small") job.small = text;
    if (what == "runs") tally.runs += std::stoull(text);
    if (what != "end") return;
    job.busy = false;
    ++tally.graphs;
    const auto outcome = Outcome(text[0] - '0');
    ++tally.outcomes[outcome];
    const std::string reason = text.substr(2);
    if (outcome != Outcome::Agrees) ++tally.reasons[size_t(outcome)][reason_of(reason)];
    const bool compared = outcome <= Outcome::IllConditioned;
    for (size_t begin = 0; begin < job.operators.size();) {
        size_t end = std::min(job.operators.find(',', begin), job.operators.size());
        if (compared) ++tally.operators[job.operators.substr(begin, end - begin)];
        begin = end + 1;
    }
    const bool fails = outcome == Outcome::Differs || outcome == Outcome::ComputedThoughRefused;
    if (fails || options.verbose)
        std::printf("%llu: %s: %s\n    %s\n", static_cast<unsigned long long>(job.number), kOutcomeNames[int(outcome)],
                    reason.c_str(), fails ? job.small.c_str() : job.operators.c_str());
    std::fflush(stdout);
}

/// Finds the fewest steps with which a graph still crashes, in processes of their own.
void report_crash(const Options& options, uint64_t number, int status) {
    const char* how = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "it left early";
    std::printf("%llu: CRASH: %s", static_cast<unsigned long long>(number), how);
    std::fflush(stdout);
    const int all = most_steps(options, number);
    for (int steps = 1; steps <= all; ++steps) {
        pid_t child = ::fork();
        if (child == 0) {
            ::alarm(kSecondsForAGraph);
            if (options.layers) choose_unit(number);
            GeneratedGraph graph = graph_of(options, number, steps);
            const std::string command = save(graph, options, number);
            judge(graph, options, nullptr, options.found);
            ::_exit(0);
        }
        int ended = 0;
        ::waitpid(child, &ended, 0);
        if (!WIFSIGNALED(ended)) continue;
        std::printf(" with %d steps: %s/%llu-%llu.onnx", steps, options.found.c_str(),
                    static_cast<unsigned long long>(options.seed), static_cast<unsigned long long>(number));
        break;
    }
    std::printf("\n");
    std::fflush(stdout);
}

void end_job(const Options& options, Job& job, Tally& tally, std::vector<Job>& again) {
    int status = 0;
    ::close(job.from);
    ::waitpid(job.process, &status, 0);
    job.process = -1;
    const uint64_t next = job.number + uint64_t(options.jobs);
    const bool more = next < options.first + options.graphs;
    if (!job.busy && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        if (more) again.push_back(start_job(options, next));
        return;
    }
    ++tally.crashes;
    std::error_code ignored;
    if (!job.cache.empty()) fs::remove_all(job.cache, ignored);
    report_crash(options, job.number, status);
    if (more) again.push_back(start_job(options, next));
}

Tally run_all(const Options& options) {
    Tally tally;
    std::vector<Job> jobs;
    for (int k = 0; k < options.jobs; ++k) jobs.push_back(start_job(options, options.first + uint64_t(k)));
    while (!jobs.empty()) {
        std::vector<pollfd> wanted;
        for (const Job& job : jobs) wanted.push_back({job.from, POLLIN, 0});
        ::poll(wanted.data(), wanted.size(), -1);
        std::vector<Job> again;
        for (size_t i = 0; i < jobs.size(); ++i) {
            if (!wanted[i].revents) continue;
            char bytes[65536];
            ssize_t count = ::read(jobs[i].from, bytes, sizeof bytes);
            if (count <= 0) {
                end_job(options, jobs[i], tally, again);
                continue;
            }
            jobs[i].pending.append(bytes, size_t(count));
            for (size_t end; (end = jobs[i].pending.find('\n')) != std::string::npos; jobs[i].pending.erase(0, end + 1))
                take_line(options, jobs[i], tally, jobs[i].pending.substr(0, end));
        }
        std::erase_if(jobs, [](const Job& job) { return job.process < 0; });
        for (Job& job : again) jobs.push_back(std::move(job));
    }
    return tally;
}

void print(const Tally& tally) {
    std::printf("\n%llu graphs, %llu runs, %llu crashes\n", static_cast<unsigned long long>(tally.graphs),
                static_cast<unsigned long long>(tally.runs), static_cast<unsigned long long>(tally.crashes));
    for (const auto& [outcome, count] : tally.outcomes) {
        std::printf("%8llu %s\n", static_cast<unsigned long long>(count), kOutcomeNames[int(outcome)]);
        std::vector<std::pair<uint64_t, std::string>> sorted;
        for (const auto& [reason, times] : tally.reasons[size_t(outcome)]) sorted.emplace_back(times, reason);
        std::sort(sorted.rbegin(), sorted.rend());
        for (const auto& [times, reason] : sorted)
            std::printf("          %6llu %s\n", static_cast<unsigned long long>(times), reason.c_str());
    }
    std::printf("\noperators in graphs that were compared:");
    size_t column = 0;
    for (const auto& [op, count] : tally.operators)
        std::printf("%s%s %llu", column++ % 8 ? ", " : "\n    ", op.c_str(), static_cast<unsigned long long>(count));
    std::string never;
    for (const std::string& op : operators_with_recipes())
        if (!tally.operators.contains(op)) never += " " + op;
    std::printf("\n%s%s\n", never.empty() ? "all operators of the importer" : "never compared:", never.c_str());
}

int usage() {
    std::fprintf(stderr,
                 "usage: onnx_against_runtime_program [--seed N] [--graphs N] [--first N] [--steps N] [--each] "
                 "[--control] [--layers] [--exports] "
                 "[--round-trips] [--jobs N] "
                 "[--runtime FOLDER] "
                 "[--found FOLDER] [--verbose]\n");
    return 2;
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string name = arguments[i];
        if (name == "--verbose") {
            options.verbose = true;
            continue;
        }
        if (name == "--control" || name == "--round-trips") {
            (name == "--control" ? options.control : options.round_trips) = true;
            continue;
        }
        if (name == "--exports") {
            options.exports = true;
            options.graphs = export_cases();
            continue;
        }
        if (name == "--layers") {
            options.layers = true;
            continue;
        }
        if (name == "--each") {
            options.each = true;
            options.graphs = kGraphsOfAnOperator * operators_with_recipes().size();
            continue;
        }
        if (i + 1 == count) return usage();
        const std::string value = arguments[++i];
        if (name == "--runtime") options.runtime = value;
        else if (name == "--found") options.found = value;
        else {
            char* end = nullptr;
            const uint64_t number = std::strtoull(value.c_str(), &end, 10);
            if (*end || value.empty()) return usage();
            if (name == "--seed") options.seed = number;
            else if (name == "--graphs") options.graphs = number;
            else if (name == "--first") options.first = number;
            else if (name == "--steps") options.steps = int(number);
            else if (name == "--jobs") options.jobs = int(std::clamp<uint64_t>(number, 1, 64));
            else return usage();
        }
    }
    Tally tally = run_all(options);
    print(tally);
    return tally.crashes || tally.outcomes[Outcome::Differs] || tally.outcomes[Outcome::ComputedThoughRefused];
}
