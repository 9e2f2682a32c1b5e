// Verbose logs of ONNX Runtime: which provider each node was placed on (session_state.cc,
// VerifyEachNodeIsAssignedToAnEp), and what providers say of nodes that they do not take.
#include <charconv>

#include "engine/frontends/onnxruntime/reports.h"

namespace partita::onnxruntime {

namespace {

constexpr std::string_view kPlacer = "VerifyEachNodeIsAssignedToAnEp]";

/// Drops the colours of warnings and errors (ECMA-48 sequences), and a line's end.
std::string plain(std::string_view line) {
    std::string text;
    for (size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '\x1b' && i + 1 < line.size() && line[i + 1] == '[') {
            i = line.find_first_of("mK", i);
            if (i == std::string_view::npos) break;
        } else if (line[i] != '\r') {
            text += line[i];
        }
    }
    return text;
}

/// Returns what stands between two texts; "" if they are not there.
std::string between(std::string_view text, std::string_view before, std::string_view after) {
    const size_t begin = text.find(before);
    if (begin == std::string_view::npos) return {};
    text.remove_prefix(begin + before.size());
    const size_t end = text.find(after);
    return end == std::string_view::npos ? std::string() : std::string(text.substr(0, end));
}

class LogReader {
public:
    ProgramReport read(std::string_view text) {
        while (!text.empty()) {
            const size_t end = std::min(text.find('\n'), text.size());
            read_line(plain(text.substr(0, end)));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
        return std::move(report_);
    }

private:
    void read_line(const std::string& line) {
        if (const size_t placer = line.find(kPlacer); placer != std::string::npos)
            return read_placement(std::string_view(line).substr(placer + kPlacer.size()));
        for (std::string_view form : {"Operator type: [", "Node supported: ["})
            if (line.find(form) != std::string::npos) return read_support(line);
        read_reason(line);
    }

    void read_placement(std::string_view text) {
        const std::string line(text);
        if (const std::string all = between(line, " All nodes placed on [", "]. Number of nodes"); !all.empty()) {
            report_.all_on = all;
        } else if (const std::string on = between(line, " Node(s) placed on [", "]. Number of nodes"); !on.empty()) {
            provider_ = on;
        } else if (line.starts_with("   ") && line.ends_with(")") && line.find(" (") != std::string::npos) {
            ReportRow row;
            const size_t name = line.find(" (", 3);
            row.op = line.substr(3, name - 3);
            row.name = line.substr(name + 2, line.size() - name - 3);
            row.backend = provider_;
            report_.rows.push_back(std::move(row));
        }
    }

    /// WebNN and CoreML, QNN and NNAPI: what they would take of each node.
    void read_support(const std::string& line) {
        ReportRow row;
        row.op = between(line, "perator type: [", "]");
        row.name = between(line, "name: [", "] supported: [");
        if (row.name.empty()) row.name = between(line, "name: [", "]");
        const std::string index = between(line, "index: [", "]");
        (void)std::from_chars(index.data(), index.data() + index.size(), row.index);
        if (between(line, "upported: [", "]") == "0") row.reason = "supported: [0]";
        report_.rows.push_back(std::move(row));
    }

    void add_reason(std::string op, std::string name, std::string reason) {
        ReportRow row;
        row.op = std::move(op);
        row.name = std::move(name);
        row.reason = std::move(reason);
        report_.rows.push_back(std::move(row));
    }

    void read_reason(const std::string& line) {
        constexpr std::string_view kNoKernel = "kernel not found in registries for Op type: ", kName = " node name: ";
        constexpr std::string_view kForced = "Force fallback to CPU execution for node: ", kBecause = " because ";
        constexpr std::string_view kQnn = "Unsupported nodes in QNN EP: ";
        if (const size_t at = line.find(kNoKernel); at != std::string::npos) {
            const size_t name = line.find(kName, at);
            if (name == std::string::npos) return;
            add_reason(line.substr(at + kNoKernel.size(), name - at - kNoKernel.size()),
                       line.substr(name + kName.size()), "the provider has no kernel for it");
        } else if (const size_t forced = line.find(kForced); forced != std::string::npos) {
            const size_t because = line.find(kBecause, forced);
            if (because == std::string::npos) return;
            add_reason("", line.substr(forced + kForced.size(), because - forced - kForced.size()),
                       line.substr(because + 1));
        } else if (size_t qnn = line.find(kQnn); qnn != std::string::npos) {
            for (qnn = line.find('{', qnn); qnn != std::string::npos; qnn = line.find('{', qnn + 1)) {
                const std::string_view rest = std::string_view(line).substr(qnn);
                add_reason(between(rest, ", type: ", " }"), between(rest, "name: ", ", type: "),
                           "QNN does not support it");
            }
        }
    }

    ProgramReport report_;
    std::string provider_;
};

}  // namespace

bool is_log(std::string_view text) {
    for (std::string_view word : {"onnxruntime", "[QNN", "QNN EP", "Vitis AI EP", "[OpenVINO-EP]", "[TensorRT EP]"})
        if (text.find(word) != std::string_view::npos) return true;
    return text.find(kPlacer) != std::string_view::npos;
}

Result<ProgramReport> read_log(std::string_view text) { return LogReader().read(text); }

}  // namespace partita::onnxruntime
