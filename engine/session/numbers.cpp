#include "engine/session/numbers.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <unordered_map>

#include "engine/flow/names.h"
#include "engine/graph/graph_of_module.h"
#include "engine/support/file.h"
#include "engine/support/in_file.h"
#include "engine/support/json_cursor.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"
#include "engine/support/source_file.h"
#include "engine/support/syntax_error.h"

namespace partita {

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// Finds the node that a key of a file means.
class NodeKeys {
public:
    explicit NodeKeys(const Graph& graph) {
        for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
            const std::string_view name = graph.nodes[i].name;
            nodes_.try_emplace(name, i);
            // A node of Model Explorer is named with its namespace here, and without it there.
            within_.try_emplace(name.substr(name.rfind('/') + 1), i);
        }
        for (const PlainValue& value : graph.values)
            if (value.producer.valid()) values_.try_emplace(value.name, value.producer.value);
    }

    const uint32_t* find(std::string_view key) const {
        for (const auto* table : {&nodes_, &values_, &within_})
            if (const auto found = table->find(key); found != table->end()) return &found->second;
        return nullptr;
    }

private:
    std::unordered_map<std::string_view, uint32_t> nodes_, values_, within_;
};

class ColumnsReader {
public:
    ColumnsReader(const Graph& graph, std::string_view text, std::string title)
        : graph_(graph), keys_(graph), text_(text), title_(std::move(title)) {}

    std::vector<NumberColumn> read() {
        const size_t begin = text_.find_first_not_of(" \t\r\n");
        if (begin == std::string_view::npos) throw SyntaxError{{1, 1}, "the file is empty"};
        if (text_[begin] == '{') read_node_data();
        else read_csv();
        return std::move(columns_);
    }

private:
    NumberColumn& add_column(std::string name) {
        columns_.push_back({std::move(name), std::vector<double>(graph_.nodes.size(), kNothing), {}});
        return columns_.back();
    }

    static void add(double& to, double value) { to = std::isnan(to) ? value : to + value; }

    void read_node_data() {
        std::deque<std::string> unescaped;
        JsonCursor json(text_, {1, 1}, unescaped, "bad node data: ");
        json.object("the node data", [&](std::string_view key) {
            if (key == "results") read_results(json, title_);
            else if (json.peek() == '{') read_graph_data(json, std::string(key));
            else json.skip_value();
        });
        if (columns_.empty()) json.fail({1, 1}, "there are no \"results\" in it");
    }

    /// Data of one graph of several, under the graph's name; thresholds and colours are another program's affair.
    void read_graph_data(JsonCursor& json, const std::string& graph) {
        json.object("a graph's data", [&](std::string_view key) {
            if (key == "results") read_results(json, graph);
            else json.skip_value();
        });
    }

    void read_results(JsonCursor& json, const std::string& name) {
        NumberColumn& column = add_column(name);
        json.object("the results", [&](std::string_view key) {
            const auto take = [&] {
                const bool number = json.peek() == '-' || (json.peek() >= '0' && json.peek() <= '9');
                if (!number) return json.skip_value();
                const double value = number_at_start(std::string(json.scalar()));
                if (const uint32_t* node = keys_.find(key)) add(column.values[*node], value);
                else column.unmatched.emplace_back(key);
            };
            if (json.peek() != '{') return take();
            json.object("a result", [&](std::string_view member) {
                if (member == "value") take();
                else json.skip_value();
            });
        });
    }

    void read_csv() {
        std::vector<std::string> header = next_row();
        if (header.size() < 2 || (header[0] != "name" && header[0] != "number"))
            throw SyntaxError{{1, 1},
                              "expected a line such as `name,time_us` or `number,cycles`, found " +
                                  in_quotes(header.empty() ? "" : header[0])};
        const bool by_name = header[0] == "name";
        for (size_t i = 1; i < header.size(); ++i)
            add_column(header.size() == 2 && header[1] == "value" ? title_ : header[i]);
        while (at_ < text_.size()) {
            const uint32_t line = line_;
            const std::vector<std::string> row = next_row();
            if (row.size() == 1 && row[0].empty()) continue;
            if (row.size() != header.size())
                throw SyntaxError{
                    {line, 1},
                    "expected " + std::to_string(header.size()) + " fields, found " + std::to_string(row.size())};
            take_row(row, by_name, line);
        }
    }

    void take_row(const std::vector<std::string>& row, bool by_name, uint32_t line) {
        std::optional<uint32_t> node;
        if (by_name) {
            if (const uint32_t* found = keys_.find(row[0])) node = *found;
        } else if (const double number = number_at_start(row[0]);
                   number >= 1 && number <= double(graph_.nodes.size())) {
            node = uint32_t(number) - 1;
        }
        for (size_t i = 1; i < row.size(); ++i) {
            if (row[i].empty()) continue;
            if (row[i].find_first_not_of("0123456789+-.eE") != std::string::npos)
                throw SyntaxError{{line, 1}, in_quotes(row[i]) + " is no number"};
            if (node) add(columns_[i - 1].values[*node], number_at_start(row[i]));
            else columns_[i - 1].unmatched.push_back(row[0]);
        }
    }

    /// Returns the fields of a line: RFC 4180, with or without quotes.
    std::vector<std::string> next_row() {
        std::vector<std::string> row{{}};
        bool quoted = false;
        for (; at_ < text_.size(); ++at_) {
            const char c = text_[at_];
            if (c == '\n') ++line_;
            if (quoted && c == '"' && text_.substr(at_ + 1).starts_with('"')) row.back() += text_[++at_];
            else if (c == '"') quoted = !quoted;
            else if (!quoted && c == ',') row.emplace_back();
            else if (!quoted && c == '\n') break;
            else if (c != '\r') row.back() += c;
        }
        ++at_;
        return row;
    }

    const Graph& graph_;
    NodeKeys keys_;
    std::string_view text_;
    std::string title_;
    size_t at_ = 0;
    uint32_t line_ = 1;
    std::vector<NumberColumn> columns_;
};

}  // namespace

size_t NumberColumn::matched() const {
    return size_t(std::count_if(values.begin(), values.end(), [](double value) { return !std::isnan(value); }));
}

double NumberColumn::sum() const {
    double sum = 0;
    for (double value : values)
        if (!std::isnan(value)) sum += value;
    return sum;
}

Result<std::vector<NumberColumn>> read_numbers(const Graph& graph, std::string_view text, const std::string& file) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    try {
        return ColumnsReader(graph, text, file.substr(file.rfind('/') + 1)).read();
    } catch (const SyntaxError& fault) {
        return in_file(error(fault.message, fault.position), file);
    }
}

Result<std::vector<NumberColumn>> read_number_files(const Graph& graph, const std::vector<std::string>& files) {
    std::vector<NumberColumn> all;
    for (const std::string& file : files) {
        Result<std::string> text = read_file(file);
        if (!text) return in_file(text.error(), file);
        Result<std::vector<NumberColumn>> columns = read_numbers(graph, *text, file);
        if (!columns) return columns.error();
        std::move(columns->begin(), columns->end(), std::back_inserter(all));
    }
    return all;
}

bool is_numbers_file(const std::string& path) {
    constexpr size_t kHead = 4096;
    const Result<std::shared_ptr<const SourceFile>> file = SourceFile::open(path);
    if (!file) return false;
    std::string head(std::min((*file)->size(), kHead), '\0');
    if (Status read = (*file)->read(0, head.size(), head.data()); !read) return false;
    std::string_view text = head;
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    for (const std::string_view first : {"name,", "number,", "\"name\",", "\"number\","})
        if (text.starts_with(first)) return true;
    const size_t begin = text.find_first_not_of(" \t\r\n");
    return begin != std::string_view::npos && text[begin] == '{' &&
           text.find("\"results\"") != std::string_view::npos &&
           text.find("\"ihv_type\"") == std::string_view::npos;  // those are winml's
}

Result<ModuleNumbers> numbers_of_module(const ModulePtr& module, std::shared_ptr<const Graph> plain,
                                        const std::vector<std::string>& files) {
    ModuleNumbers numbers{module, std::move(plain), {}};
    if (!numbers.graph) {
        const std::vector<std::string> names = node_names(*module);
        numbers.graph = std::make_shared<const Graph>(
            graph_of_module(*module, [&names](ExprId call) { return names[call.value]; }));
    }
    Result<std::vector<NumberColumn>> columns = read_number_files(*numbers.graph, files);
    if (!columns) return columns.error();
    numbers.columns = std::move(*columns);
    if (numbers.columns.size() == 2) numbers.columns.push_back(difference(numbers.columns[0], numbers.columns[1]));
    return numbers;
}

std::map<std::string, double> sums_over_blocks(const Graph& graph, const NumberColumn& column) {
    std::map<std::string, double> sums;
    for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
        if (std::isnan(column.values[i])) continue;
        const std::string& name = graph.nodes[i].name;
        const size_t slash = name.rfind('/');
        sums[slash == std::string::npos ? "" : name.substr(0, slash)] += column.values[i];
    }
    return sums;
}

NumberColumn difference(const NumberColumn& a, const NumberColumn& b) {
    NumberColumn made{b.name + " - " + a.name, a.values, {}};
    for (size_t i = 0; i < made.values.size(); ++i) made.values[i] = b.values[i] - a.values[i];
    return made;
}

}  // namespace partita
