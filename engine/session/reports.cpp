#include "engine/session/reports.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "engine/partitioners/partitioner.h"
#include "engine/session/report_readers.h"
#include "engine/support/file.h"

namespace partita {

namespace {

/// The name of a backend from a report, for whom it is a name only: it becomes part of names of functions.
std::string backend_name(std::string_view name) {
    constexpr size_t kLongest = 80;
    std::string plain(name.substr(0, kLongest));
    for (char& letter : plain)
        if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    return plain;
}

/// Puts together what several reports say of the nodes of one graph.
class Assembled {
public:
    explicit Assembled(const FileGraph& file, std::vector<ReadReport> read) : file_(file) {
        reports_.read = std::move(read);
        reports_.file = std::make_shared<const FileGraph>(file);
        made_.nodes.resize(file.nodes.size());
    }

    Result<std::shared_ptr<const Reports>> make() {
        list_backends();
        for (const ReadReport& report : reports_.read) add(report);
        join_parts();
        for (ReadReport& report : reports_.read)
            if (Status known = recompute(report.matched); !known) return known.error();
        if (Status divided = divide(); !divided) return divided.error();
        for (uint32_t i = 0; i < file_.nodes.size(); ++i) {
            const std::string& label = file_.nodes[i].label;
            if (!label.empty()) made_.by_label.emplace(label, i);
            if (label.empty() && (*file_.graph)[NodeId(i)].expression.valid())
                made_.by_expression.emplace((*file_.graph)[NodeId(i)].expression, i);
        }
        for (ReadReport& report : reports_.read)
            for (const ReportRow& row : report.matched.compiled)
                report.matched.unmatched.push_back(row.op + " " + row.name);
        reports_.reported = std::make_shared<const ReportedDivision>(std::move(made_));
        return std::make_shared<const Reports>(std::move(reports_));
    }

private:
    void list_backends() {
        constexpr std::string_view kRest = "CPUExecutionProvider";
        for (const ReadReport& report : reports_.read) {
            made_.files.push_back(report.file);
            if (made_.program.empty()) made_.program = report.program;
            if (report.has_times && !made_.has_times) made_.runs = std::max(report.matched.runs, 1);
            made_.has_times |= report.has_times;
            for (const ReportedGroup& group : report.matched.groups) backend(group.backend);
            for (const ReportRow& row : report.matched.compiled) backend(row.backend);
            for (const FileNode& node : file_.nodes)  // in the file's order
                if (const auto said = report.matched.nodes.find(node.name); said != report.matched.nodes.end()) {
                    backend(said->second.asked);
                    backend(said->second.backend);
                }
        }
        const auto rest = std::find(made_.backends.begin(), made_.backends.end(), kRest);
        if (rest != made_.backends.end()) std::rotate(rest, rest + 1, made_.backends.end());
    }

    int16_t backend(const std::string& said) {
        if (said.empty()) return -1;
        const std::string name = backend_name(said);
        const auto found = std::find(made_.backends.begin(), made_.backends.end(), name);
        if (found != made_.backends.end()) return int16_t(found - made_.backends.begin());
        if (made_.backends.size() >= size_t(INT16_MAX)) return -1;
        made_.backends.push_back(name);
        return int16_t(made_.backends.size() - 1);
    }

    void add(const ReadReport& report) {
        for (size_t i = 0; i < file_.nodes.size(); ++i) {
            const auto found = report.matched.nodes.find(file_.nodes[i].name);
            if (found == report.matched.nodes.end()) continue;
            const NodeReport& said = found->second;
            ReportedNode& node = made_.nodes[i];
            if (node.backend < 0) node.backend = backend(said.backend);
            if (node.reason.empty()) node.reason = said.reason;
            if (report.has_times && node.time_us < 0) node.time_us = said.time_us;
            if (report.has_times && node.row < 0 && !said.row.empty()) node.row = row(report, said.row);
            if (node.asked < 0 && !said.asked.empty()) {
                node.asked = backend(said.asked);
                node.verdict = said.verdict ? 1 : 0;
                made_.has_verdicts = true;
            }
        }
        for (const ReportedGroup& group : report.matched.groups) add_group(group);
    }

    int32_t row(const ReadReport& report, const std::string& title) {
        return rows_.try_emplace({&report, title}, int32_t(rows_.size())).first->second;
    }

    /// A call that the runtime put its parts in the place of is where all of them are, and took as long as they.
    void join_parts() {
        for (size_t i = 0; i < file_.nodes.size(); ++i)
            if (const int64_t call = file_.nodes[i].part_of; call >= 0 && file_.nodes[size_t(call)].has_late_parts)
                parts_[size_t(call)].push_back(i);
        std::erase_if(parts_, [this](const auto& call) {
            return made_.nodes[call.first].backend >= 0 ||
                   std::none_of(call.second.begin(), call.second.end(),
                                [this](size_t part) { return made_.nodes[part].backend >= 0; });
        });
        for (const auto& [call, parts] : parts_) {
            ReportedNode& whole = made_.nodes[call];
            whole.backend = common_of(parts, &ReportedNode::backend);
            for (size_t part : parts)
                if (made_.nodes[part].time_us >= 0)
                    whole.time_us = std::max(whole.time_us, 0.0) + made_.nodes[part].time_us;
        }
    }

    /// What is the same of all of these nodes, or -1.
    template <class Number>
    Number common_of(const std::vector<size_t>& nodes, Number ReportedNode::*member) const {
        const Number first = made_.nodes[nodes.front()].*member;
        const bool agree =
            std::all_of(nodes.begin(), nodes.end(), [&](size_t node) { return made_.nodes[node].*member == first; });
        return agree ? first : Number(-1);
    }

    /// What a provider compiled stands in profiles and logs without its members. They are found by dividing what the
    /// provider would take as the runtime does; believed if there are as many groups as the runtime made.
    Status recompute(MatchedReport& matched) {
        std::map<std::string, std::vector<ReportRow*>> compiled;
        for (ReportRow& row : matched.compiled) compiled[row.backend].push_back(&row);
        for (auto& [name, rows] : compiled) {
            const int16_t on = backend(name);
            const auto known = size_t(std::count(made_.regions.begin(), made_.regions.end(), on));
            size_t first = made_.regions.size();
            if (known == rows.size())
                first = size_t(std::find(made_.regions.begin(), made_.regions.end(), on) - made_.regions.begin());
            else if (known == 0) {
                Result<Division> division = recomputed(name);
                if (!division) return division.error();
                if (division->regions.size() != rows.size()) continue;
                for (const DividedRegion& region : division->regions) {
                    ReportedGroup group{name, {}, true};
                    for (NodeId node : region.nodes) group.nodes.push_back(node.value);
                    add_group(group);
                }
                matched.notes.push_back("members of what " + name + " compiled are recomputed, as the runtime divides");
            }
            if (first + rows.size() <= made_.regions.size()) take_rows(matched, rows, first);
        }
        return Nothing();
    }

    /// Where no line says what the provider would take, it is all that nothing else took.
    Result<Division> recomputed(const std::string& name) {
        Verdicts::OfBackend of{backend_name(name), {}};
        const int16_t on = backend(name);
        const bool says = std::any_of(made_.nodes.begin(), made_.nodes.end(),
                                      [on](const ReportedNode& node) { return node.asked == on; });
        const NodeLinks links(*file_.graph);
        for (uint32_t i = 0; i < made_.nodes.size(); ++i) {
            const ReportedNode& node = made_.nodes[i];
            const bool is_silent = node.backend < 0 && node.asked < 0;
            // A node of which nothing is said though all were asked went into another, or away: what it uses decides.
            const auto before = links.before(NodeId(i));
            const bool follows = !before.empty() && std::all_of(before.begin(), before.end(), [&](NodeId use) {
                return use.value < i && of.takes[use.value];
            });
            of.takes.push_back(!says ? node.backend < 0 : is_silent ? follows : node.asked == on && node.verdict > 0);
        }
        Verdicts verdicts;
        verdicts.backends.push_back(std::move(of));
        return run_partitioner(*find_partitioner("onnxruntime"), {*file_.graph, links, verdicts, {}, CancelToken()});
    }

    /// The time of what was compiled stands with the first of its nodes.
    void take_rows(MatchedReport& matched, const std::vector<ReportRow*>& rows, size_t first) {
        for (size_t i = 0; i < rows.size(); ++i) {
            const DividedRegion& region = reports_.division.regions[first + i];
            const auto number = int32_t(rows_.size());
            rows_.try_emplace({nullptr, rows[i]->backend + "/" + rows[i]->name}, number);
            for (NodeId node : region.nodes) {
                made_.nodes[node.value].row = number;
                NodeReport& of = matched.nodes[file_.nodes[node.value].name];
                of.backend = rows[i]->backend;
                of.row = rows[i]->name;
            }
            matched.matched_rows += rows[i]->count;
            matched.matched_time_us += rows[i]->total_us;
            NodeReport& bears = matched.nodes[file_.nodes[region.nodes.front().value].name];
            bears.time_us += rows[i]->time_us;
            ReportedNode& node = made_.nodes[region.nodes.front().value];
            if (rows[i]->time_us > 0) node.time_us = std::max(node.time_us, 0.0) + rows[i]->time_us;
        }
        const std::string backend = rows.front()->backend;
        std::erase_if(matched.compiled, [&](const ReportRow& row) { return row.backend == backend; });
    }

    void add_group(const ReportedGroup& group) {
        const int16_t on = backend(group.backend);
        DividedRegion region{group.backend, {}, {}, {}};
        for (size_t i : group.nodes) {
            ReportedNode& node = made_.nodes[i];
            if (node.region >= 0 || (node.backend >= 0 && node.backend != on)) continue;
            node.backend = on;
            node.region = int32_t(made_.regions.size());
            region.nodes.push_back(NodeId(uint32_t(i)));
        }
        if (on < 0 || region.nodes.empty()) return;
        region.backend = made_.backends[size_t(on)];
        made_.regions.push_back(on);
        reports_.division.regions.push_back(std::move(region));
    }

    /// Neighbours on one backend that were not made one are shown as one region.
    Status divide() {
        Verdicts verdicts;
        for (size_t i = 0; i < made_.backends.size(); ++i) {
            Verdicts::OfBackend of{made_.backends[i], std::vector<bool>(made_.nodes.size())};
            for (size_t k = 0; k < made_.nodes.size(); ++k)
                of.takes[k] = made_.nodes[k].region < 0 && made_.nodes[k].backend == int16_t(i) && !parts_.count(k);
            verdicts.backends.push_back(std::move(of));
        }
        std::vector<int32_t> made;
        for (const ReportedNode& node : made_.nodes) made.push_back(node.region);
        Result<Division> rest =
            divide_rest_into_components({*file_.graph, NodeLinks(*file_.graph), verdicts, {}, CancelToken()},
                                        with_contents(*file_.graph, std::move(made)));
        if (!rest) return rest.error();
        for (DividedRegion& region : rest->regions) {
            for (NodeId node : region.nodes) made_.nodes[node.value].region = int32_t(made_.regions.size());
            made_.regions.push_back(backend(region.backend));
            reports_.division.regions.push_back(std::move(region));
        }
        for (const auto& [call, parts] : parts_) made_.nodes[call].region = common_of(parts, &ReportedNode::region);
        complete_boundaries(*file_.graph, reports_.division);
        return Nothing();
    }

    const FileGraph& file_;
    std::map<std::pair<const ReadReport*, std::string>, int32_t> rows_;  ///< numbers of rows, by file and title
    std::map<size_t, std::vector<size_t>> parts_;  ///< by call: the parts in its place, of which the reports tell
    Reports reports_;
    ReportedDivision made_;
};

}  // namespace

Result<std::shared_ptr<const Reports>> read_reports(const OpenedInput& opened, const std::vector<std::string>& files) {
    Result<FileGraph> graph = file_graph(opened);
    if (!graph) return graph.error();
    std::vector<ReadReport> reports;
    for (const std::string& file : files) {
        const auto of_file = [&file](Diagnostic fault) {
            fault.file = file;
            return fault;
        };
        const Result<std::string> text = read_file(file);
        if (!text) return of_file(text.error());
        const ReportReader* reader = nullptr;
        const Result<ProgramReport> report = read_report(*text, file, reader);
        if (!report) return report.error();
        Result<MatchedReport> matched = reader->match(*report, graph->nodes);
        if (!matched) return of_file(matched.error());
        const std::string_view program = reader->program.empty() ? "the program" : reader->program;
        reports.push_back({file, report->kind, std::string(program), report->has_times, std::move(*matched)});
    }
    return Assembled(*graph, std::move(reports)).make();
}

}  // namespace partita
