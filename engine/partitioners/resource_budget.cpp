#include "engine/partitioners/resource_budget.h"

#include <charconv>

#include "engine/support/file.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

double number_of(std::string_view text) {
    double number = 0;
    (void)std::from_chars(text.data(), text.data() + text.size(), number);
    return number > 0 ? number : 0;
}

/// The bytes of a value of known shape; 0 for others.
double bytes_of(const PlainValue& value) {
    if (!value.has_shape) return 0;
    const size_t digits = value.dtype.find_last_not_of("0123456789") + 1;
    double bytes = value.dtype == "bool" ? 1 : number_of(std::string_view(value.dtype).substr(digits)) / 8;
    for (int64_t size : value.shape) bytes *= size > 0 ? double(size) : 0;
    return bytes;
}

/// "#name,input_sizes,initializers_sizes,total_dynamic_sizes,total_temp_allocations": the name of a node has a hash of
/// the names of its tensors behind it.
std::map<std::string, double, std::less<>> read_statistics(std::string_view text) {
    std::map<std::string, double, std::less<>> costs;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.starts_with('#')) continue;
        std::string_view name = line.substr(0, line.find(','));
        line.remove_prefix(std::min(name.size() + 1, line.size()));
        name = name.substr(0, name.rfind('_'));
        double& cost = costs[std::string(name)];
        while (!line.empty()) {
            const std::string_view column = line.substr(0, line.find(','));
            cost += number_of(column);
            line.remove_prefix(std::min(column.size() + 1, line.size()));
        }
    }
    return costs;
}

}  // namespace

Result<ResourceBudget> ResourceBudget::read(std::string_view setting) {
    ResourceBudget budget;
    if (setting.empty()) return budget;
    const size_t comma = setting.find(',');
    if (comma == std::string_view::npos)
        return error("a budget is KIB,FILE, of which either may be empty; the comma is missing");
    const std::string_view amount = setting.substr(0, comma), file = setting.substr(comma + 1);
    if (!amount.empty()) {
        constexpr double kKibibyte = 1024;
        uint64_t kibibytes = 0;
        const auto [end, fault] = std::from_chars(amount.data(), amount.data() + amount.size(), kibibytes);
        if (fault != std::errc() || end != amount.data() + amount.size())
            return error("the budget " + in_quotes(std::string(amount)) + " is no number of KiB");
        budget.bytes_ = double(kibibytes) * kKibibyte;
    }
    if (file.empty()) return budget;
    const Result<std::string> text = read_file(std::string(file));
    if (!text) return text.error();
    budget.statistics_ = read_statistics(*text);
    return budget;
}

Result<double> ResourceBudget::needed(const Graph& graph, const std::string& file) {
    Result<ResourceBudget> budget = read("," + file);
    if (!budget) return budget.error();
    double bytes = 0;
    for (uint32_t node = 0; node < graph.nodes.size(); ++node) bytes += budget->cost(graph, NodeId(node));
    return bytes;
}

bool ResourceBudget::take(const Graph& graph, const std::vector<NodeId>& nodes) {
    if (!bytes_) return true;
    double wanted = 0;
    for (NodeId node : nodes) wanted += cost(graph, node);
    is_over_ = is_over_ || used_ + wanted > *bytes_;
    if (!is_over_) used_ += wanted;
    return !is_over_;
}

/// Without statistics half as much again as its constants, each once, and its results of known shape.
double ResourceBudget::cost(const Graph& graph, NodeId node) {
    if (statistics_) {
        const auto known = statistics_->find(graph[node].name);
        return known == statistics_->end() ? 0 : known->second;
    }
    constexpr double kReserve = 1.5;
    double bytes = 0;
    for (GraphValueId input : graph[node].inputs)
        if (input.valid() && graph[input].constant && counted_.insert(input).second) bytes += bytes_of(graph[input]);
    for (GraphValueId output : graph[node].outputs)
        if (output.valid()) bytes += bytes_of(graph[output]);
    return kReserve * bytes;
}

}  // namespace partita
