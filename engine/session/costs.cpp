#include "engine/session/costs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "engine/backends/ccompiler/shared_library.h"
#include "engine/support/file.h"
#include "engine/support/thread_pool.h"

namespace partita {

namespace {

constexpr size_t kShownMisfits = 3;

/// Reads a file; the fault names it.
Result<std::string> read_text(const std::string& path) {
    Result<std::string> text = read_file(path);
    if (text || !text.error().file.empty()) return text;
    Diagnostic fault = text.error();
    fault.file = path;
    return fault;
}

std::string list_misfits(const std::vector<std::string>& missing) {
    std::string text;
    for (size_t i = 0; i < std::min(missing.size(), kShownMisfits); ++i) text += (i > 0 ? "; " : "") + missing[i];
    if (missing.size() > kShownMisfits) text += "; and " + std::to_string(missing.size() - kShownMisfits) + " more";
    return text;
}

}  // namespace

Result<std::string> default_cost_file(const std::string& cache_folder) {
    Result<std::string> folder = user_cache_folder(cache_folder);
    if (!folder) return folder.error();
    return *folder + "/costs-by-layout.json";
}

Result<CostTable> load_costs(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::exists(path, failure)) return CostTable();
    Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return parse_cost_table(*text, path);
}

Status save_costs(const std::string& path, const CostTable& table) {
    return write_file(path, format_cost_table(table));
}

std::string processor_name() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            if (const size_t colon = line.find(": "); colon != std::string::npos) return line.substr(colon + 2);
    return "";
}

CostTable table_for_this_machine(CostTable kept, int threads) {
    const int used = ThreadPool(threads).threads();
    if (kept.threads == used && kept.processor == processor_name()) return kept;
    CostTable fresh;
    fresh.processor = processor_name();
    fresh.threads = used;
    return fresh;
}

Result<PlacementFile> load_placement(const std::string& path) {
    Result<std::string> text = read_text(path);
    if (!text) return text.error();
    return parse_placement(*text, path);
}

Status save_placement(const std::string& path, const PlacementFile& placement) {
    return write_file(path, format_placement(placement));
}

Status apply_placement(const PlacementFile& placement, const std::string& path, const Module& input, bool partly,
                       FlowOptions& options, std::vector<Diagnostic>& notes) {
    FittedPlacement fitted = fit_placement(placement, input);
    const auto fault = [&](Severity severity, std::string message) {
        return Diagnostic{severity, path, {}, std::move(message)};
    };
    for (const auto& [call, backend] : fitted.overrides) {
        const auto known = [&, &name = backend](const BackendDescription& each) { return each.name == name; };
        if (backend != "default" && std::none_of(options.backends.begin(), options.backends.end(), known))
            return fault(Severity::Error, "the placement uses the backend " + backend + ", which is not given");
    }
    if (!fitted.missing.empty()) {
        const std::string what = "the placement is of another module: " + list_misfits(fitted.missing);
        if (!partly) return fault(Severity::Error, what + "\n  give --placement-partly to apply what fits");
        notes.push_back(fault(Severity::Warning, what));
    }
    if (fitted.moved > 0)
        notes.push_back(fault(Severity::Note, std::to_string(fitted.moved) +
                                                  " operators were found under other numbers, by name or kind"));
    if (fitted.resized > 0)
        notes.push_back(fault(Severity::Note, std::to_string(fitted.resized) +
                                                  " operators have other sizes or attributes than when it was made"));
    options.overrides = std::move(fitted.overrides);
    options.by_cost = true;
    return Nothing();
}

}  // namespace partita
