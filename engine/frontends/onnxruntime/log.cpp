// Verbose logs of ONNX Runtime: which provider each node was placed on (session_state.cc,
// VerifyEachNodeIsAssignedToAnEp), and what providers say of nodes that they do not take.
#include <algorithm>
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
        name_asked(only_other_);
        // Behind the last placement no other session is known to follow.
        for (ReportRow& row : report_.rows) row.session = std::min(row.session, std::max(session_, 1));
        return std::move(report_);
    }

private:
    void read_line(const std::string& line) {
        const size_t placer = line.find(kPlacer);
        note_fault(line);
        if (placer != std::string::npos && line.ends_with("Node placements")) ++session_;
        if (placer != std::string::npos) return read_placement(std::string_view(line).substr(placer + kPlacer.size()));
        for (std::string_view form : {"Operator type: [", "Node supported: ["})
            if (line.find(form) != std::string::npos) return read_support(line);
        if (!read_sum(line)) read_reason(line);
    }

    void read_placement(std::string_view text) {
        const std::string line(text);
        if (const std::string all = between(line, " All nodes placed on [", "]. Number of nodes"); !all.empty()) {
            report_.all_on = all;
        } else if (const std::string on = between(line, " Node(s) placed on [", "]. Number of nodes"); !on.empty()) {
            provider_ = on;
            if (on != "CPUExecutionProvider") only_other_ = only_other_.empty() || only_other_ == on ? on : "several";
        } else if (line.starts_with("   ") && line.ends_with(")") && line.find(" (", 3) != std::string::npos) {
            ReportRow row;
            const size_t name = line.find(" (", 3);
            row.op = line.substr(3, name - 3);
            row.name = line.substr(name + 2, line.size() - name - 3);
            row.backend = provider_;
            add(std::move(row), std::max(session_, 1));
        }
    }

    /// What is said before the nodes are placed belongs to the session that places them.
    void add(ReportRow row, int session) {
        row.session = session;
        report_.rows.push_back(std::move(row));
    }

    static constexpr std::string_view kSum = "umber of partitions supported by ";

    /// Warnings and errors tell of the whole session.
    void note_fault(const std::string& line) {
        constexpr size_t kMostNotes = 50;
        const bool is_fault =
            line.find(" [W:onnxruntime") != std::string::npos || line.find(" [E:onnxruntime") != std::string::npos;
        const size_t text = line.find("] ");
        const bool is_told = line.find(kSum) != std::string::npos;  // see read_sum
        if (is_fault && !is_told && text != std::string::npos && report_.notes.size() < kMostNotes)
            report_.notes.push_back(line.substr(text + 2));
    }

    /// WebNN and CoreML, QNN and NNAPI: what they would take of each node.
    void read_support(const std::string& line) {
        ReportRow row;
        row.op = between(line, "perator type: [", "]");
        row.name = between(line, "name: [", "] supported: [");
        if (row.name.empty()) row.name = between(line, "name: [", "]");
        const std::string index = between(line, "index: [", "]");
        (void)std::from_chars(index.data(), index.data() + index.size(), row.index);
        row.verdict = between(line, "upported: [", "]") == "1";
        if (!row.verdict) row.reason = "supported: [0]";
        asked_.push_back(report_.rows.size());
        add(std::move(row), session_ + 1);
    }

    /// The lines of verdicts don't say whose they are: the sum behind them does, or the only provider but the CPU's.
    void name_asked(const std::string& provider) {
        for (size_t row : asked_)
            if (report_.rows[row].asked.empty()) report_.rows[row].asked = provider.empty() ? "provider" : provider;
        asked_.clear();
    }

    /// "number of partitions supported by WebNN: 2 number of nodes in the graph: 14 number of nodes supported ...".
    bool read_sum(const std::string& line) {
        const size_t at = line.find(kSum);
        if (at == std::string::npos) return false;
        const std::string_view rest = std::string_view(line).substr(at + kSum.size());
        std::string name(rest.substr(0, rest.find_first_of(" :")));
        if (name.starts_with("NNAPI")) name = "Nnapi";
        name_asked(name + "ExecutionProvider");
        report_.notes.push_back(line.substr(at - std::min<size_t>(at, 1)));  // from the letter before on
        return true;
    }

    void add_reason(std::string op, std::string name, std::string reason) {
        ReportRow row;
        row.op = std::move(op);
        row.name = std::move(name);
        row.reason = std::move(reason);
        add(std::move(row), session_ + 1);
    }

    /// Reasons of which each line has one form: the name of a node stands between two texts.
    bool read_form(const std::string& line) {
        struct Form {
            std::string_view before, after, reason;  ///< no reason: the rest of the line
        };
        static constexpr Form forms[] = {
            {"Force CPU execution for node: ", "", "an option of the provider keeps it on the CPU"},
            {"Candidate for fallback CPU execution: ", "", "it computes shapes, which the CPU does better"},
            {"QNN.backendValidateOpConfig() failed for node `", "`", ""},
            {"Could not find an implementation for ", "", "no provider has a kernel for it"},
        };
        for (const Form& form : forms) {
            const size_t at = line.find(form.before);
            if (at == std::string::npos) continue;
            const size_t begin = at + form.before.size();
            const size_t end = form.after.empty() ? line.size() : std::min(line.find(form.after, begin), line.size());
            std::string name = line.substr(begin, end - begin);
            if (const std::string quoted = between(name, "node with name '", "'"); !quoted.empty()) name = quoted;
            add_reason("", name, std::string(form.reason.empty() ? line.substr(at) : form.reason));
            return true;
        }
        return false;
    }

    /// "xir::Op{name = (t_Output)_replaced_input9, type = gather} is partitioned to CPU as :  doesn't supported by
    /// target [T].": the name is a tensor's, of a graph of its own.
    bool read_vitis(const std::string& line) {
        constexpr std::string_view kPlaced = "} is partitioned to CPU as :";
        const size_t reason = line.find(kPlaced);
        if (reason == std::string::npos) return false;
        std::string name = between(line, "xir::Op{name = ", ", type = ");
        if (const std::string inner = between(name, "(", ")"); !inner.empty()) name = inner;
        std::string why = line.substr(reason + kPlaced.size());
        why.erase(0, std::min(why.find_first_not_of(' '), why.size()));
        ReportRow row;
        row.name = std::move(name);
        row.backend = "CPUExecutionProvider";
        row.reason = "Vitis AI: " + why;
        add(std::move(row), session_ + 1);
        return true;
    }

    /// What is said of the whole graph.
    bool read_whole(const std::string& line) {
        for (std::string_view begin : {"[OpenVINO-EP]", "[TensorRT EP]", "[Vitis AI EP]"}) {
            const size_t at = line.find(begin);
            if (at == std::string::npos) continue;
            report_.notes.push_back(line.substr(at));
            if (line.find("fully supported by OpenVINO") != std::string::npos)
                report_.all_on = "OpenVINOExecutionProvider";
            if (line.find("Whole graph will run") != std::string::npos) report_.all_on = "TensorrtExecutionProvider";
            return true;
        }
        return false;
    }

    void read_reason(const std::string& line) {
        if (read_form(line) || read_vitis(line) || read_whole(line)) return;
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
                ReportRow row;
                row.op = between(rest, ", type: ", " }");
                row.name = between(rest, "name: ", ", type: ");
                row.reason = "QNN does not support it";
                row.asked = "QNNExecutionProvider";
                add(std::move(row), session_ + 1);
            }
        }
    }

    ProgramReport report_;
    std::string provider_, only_other_;
    int session_ = 0;
    std::vector<size_t> asked_;  ///< rows of verdicts whose provider is not known yet
};

}  // namespace

bool is_log(std::string_view text) {
    if (const size_t begin = text.find_first_not_of(" \t\r\n"); begin == text.npos || text[begin] == '{') return false;
    for (std::string_view word :
         {std::string_view(":onnxruntime:"), std::string_view("[ONNXRuntimeError]"), kPlacer,
          std::string_view("ExecutionProvider"), std::string_view("QNN EP"),
          std::string_view("QNN.backendValidateOpConfig"), std::string_view("xir::Op{"),
          std::string_view("[Vitis AI EP]"), std::string_view("[OpenVINO-EP]"), std::string_view("[TensorRT EP]")})
        if (text.find(word) != std::string_view::npos) return true;
    return false;
}

Result<ProgramReport> read_log(std::string_view text) { return LogReader().read(text); }

}  // namespace partita::onnxruntime
