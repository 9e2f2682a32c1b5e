#include "engine/session/gates.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "engine/explain/explain.h"
#include "engine/exporters/graph_text.h"
#include "engine/exporters/xml.h"
#include "engine/flow/region_names.h"
#include "engine/flow/reported_division.h"
#include "engine/ops/cost.h"
#include "engine/session/json.h"
#include "engine/support/file.h"
#include "engine/support/in_file.h"
#include "engine/support/json_fields.h"
#include "engine/support/number_text.h"
#include "engine/support/one_line.h"
#include "engine/support/spelling.h"

namespace partita {

namespace {

/// A call of the flow's input, as the window shows it.
class CallSubject : public QuerySubject {
public:
    CallSubject(const FlowResult& flow, std::span<const BackendDescription> backends)
        : flow_(flow), backends_(backends), module_(*flow.input), names_(module_), regions_(module_.size()) {
        for (const RegionInfo& region : flow.regions)
            for (const ExprId id : region.expressions)
                if (id.value < regions_.size()) regions_[id.value] = &region;
    }

    const ExpressionNames& names() const { return names_; }
    void set_call(ExprId call) { call_ = call; }

    void texts(QueryKey key, std::vector<std::string>& found) const override {
        const TypeId type = module_.type(call_);
        const std::string label(module_.label(call_));
        const std::string short_type = type.valid() ? short_type_text(module_.types(), type) : "";
        switch (key) {
            case QueryKey::Op: found.push_back(names_.callee(call_)); break;
            case QueryKey::Name: found.push_back(label); break;
            case QueryKey::Backend: found.push_back(backend()); break;
            case QueryKey::Shape: found.push_back(short_type.substr(0, short_type.find(' '))); break;
            case QueryKey::Type:
                found.push_back(short_type);
                if (type.valid()) found.push_back(module_.types().to_string(type));
                break;
            case QueryKey::Attribute: found.push_back(attribute_summary(module_, call_)); break;
            case QueryKey::Region:
                if (regions_[call_.value]) found.push_back(region_name(*regions_[call_.value], names_));
                break;
            default: found = {names_.callee(call_), attribute_summary(module_, call_), short_type, label};
        }
        std::erase(found, "");
    }

    std::optional<double> number(QueryKey key) const override {
        if (key == QueryKey::Flops) return call_flops(module_, call_);
        return type_bytes(module_.types(), module_.type(call_));
    }

private:
    std::string backend() const {
        const int backend = flow_.backend_of[call_.value];
        return backend < 0 ? "default" : backends_[size_t(backend)].name;
    }

    const FlowResult& flow_;
    const std::span<const BackendDescription> backends_;
    const Module& module_;
    const ExpressionNames names_;
    std::vector<const RegionInfo*> regions_;  ///< by ExprId
    ExprId call_;
};

/// Whether a backend takes what nothing else takes.
bool takes_rest(const FlowResult& flow, std::string_view backend) {
    return backend == "default" || (flow.reported && backend == flow.reported->last_resort());
}

void add_share(CoverageShare& to, const CoverageShare& share) {
    to.calls += share.calls;
    to.flops += share.flops;
    to.parameter_bytes += share.parameter_bytes;
}

CoverageShare share_of(const CoverageReport& coverage, const FlowResult& flow, std::string_view backend) {
    CoverageShare sum;
    for (const BackendCoverage& each : coverage.backends)
        if (backend == "*" ? !takes_rest(flow, each.backend) : each.backend == backend) add_share(sum, each.share);
    return sum;
}

double amount(const CoverageShare& share, ShareGate::Of of) {
    switch (of) {
        case ShareGate::Of::Calls: return share.calls;
        case ShareGate::Of::Work: return share.flops;
        default: return share.parameter_bytes;
    }
}

constexpr std::array<std::string_view, 3> kShares = {"calls", "work", "weights"};
constexpr std::array<std::string_view, 3> kShareWords = {"calls", "operations", "weights' bytes"};

double percent(const CoverageShare& part, const CoverageShare& whole, ShareGate::Of of) {
    return amount(whole, of) > 0 ? 100 * amount(part, of) / amount(whole, of) : 100;
}

std::string percent_text(double value, int digits = 4) { return general_text(value, digits) + " %"; }

/// Returns a share that is too small with as many digits as tell it from the least.
std::string too_small(double value, double least) {
    int digits = 4;
    while (digits < 12 && general_text(value, digits) == general_text(least, digits)) ++digits;
    return percent_text(value, digits);
}

std::optional<double> whole_number(std::string_view text, bool fraction) {
    double value = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool read = fault == std::errc() && end == text.data() + text.size() && std::isfinite(value) && value >= 0;
    return read && (fraction || value == std::floor(value)) ? std::optional(value) : std::nullopt;
}

Status check_backend(const std::string& backend, const CoverageReport& coverage, const std::string& gate) {
    if (backend.empty() || backend == "*") return Nothing();
    std::vector<std::string_view> known;
    for (const BackendCoverage& each : coverage.backends) known.push_back(each.backend);
    if (std::find(known.begin(), known.end(), backend) != known.end()) return Nothing();
    const std::string_view near = nearest_spelling(backend, known);
    return error(in_quotes(gate) + " names no backend of this division" +
                 (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
}

/// Says why calls are where they are.
class Reasons {
public:
    Reasons(const FlowResult& flow, std::span<const BackendDescription> backends) : explainer_(flow, backends) {}

    std::string of(ExprId call) {
        using Kind = CallCause::Kind;
        const CallExplanation explanation = explainer_.explain_call(call, FlowExplainer::Patterns::None);
        for (const CallCause& cause : explanation.causes) {
            const bool takes =
                cause.kind == Kind::Accepted || cause.kind == Kind::Composite || cause.kind == Kind::Transparent;
            if (takes == (explanation.backend >= 0) && !cause.reason.empty()) return cause.reason.text();
        }
        return "it is on " + explainer_.backend_name(explanation.backend);
    }

private:
    FlowExplainer explainer_;
};

GateResult check_share(const ShareGate& gate, const FlowResult& flow, const CoverageReport& coverage) {
    const double found = percent(share_of(coverage, flow, gate.backend), coverage.total, gate.of);
    GateResult result{"at least " + gate.text, {}};
    if (found < gate.percent)
        result.faults.push_back({too_small(found, gate.percent) + " of the " +
                                     std::string(kShareWords[size_t(gate.of)]) +
                                     (gate.backend == "*" ? " are on backends" : " are on " + gate.backend) +
                                     ", fewer than " + percent_text(gate.percent),
                                 {}});
    return result;
}

GateResult check_regions(const RegionGate& gate, const CoverageReport& coverage) {
    int found = 0;
    for (const BackendCoverage& each : coverage.backends)
        if (gate.backend.empty() || each.backend == gate.backend) found += each.regions;
    GateResult result{"most regions " + gate.text, {}};
    if (found > gate.most)
        result.faults.push_back({std::to_string(found) + " regions" +
                                     (gate.backend.empty() ? "" : " of " + gate.backend) + ", more than " +
                                     general_text(gate.most),
                                 {}});
    return result;
}

GateResult check_forbidden(const ForbiddenCalls& gate, const FlowResult& flow,
                           std::span<const BackendDescription> backends) {
    GateResult result{"forbid " + gate.text, {}};
    const ExpressionNames names(*flow.input);
    std::optional<Reasons> reasons;
    for (const ExprId call : find_calls(flow, backends, gate.query)) {
        if (!reasons) reasons.emplace(flow, backends);
        const int backend = flow.backend_of[call.value];
        result.faults.push_back({names.name(call) + " is on " +
                                     (backend < 0 ? "default" : backends[size_t(backend)].name) + ": " +
                                     reasons->of(call),
                                 call});
    }
    return result;
}

/// The calls that no longer go to the backend, or to another, that they went to.
void add_fallen(const Baseline& baseline, const FlowResult& flow, std::span<const BackendDescription> backends,
                std::vector<GateFault>& faults) {
    const ExpressionNames names(*flow.input);
    const std::vector<std::string> by_node = node_names(*flow.input);
    std::optional<Reasons> reasons;
    for (const ExprId call : names.calls()) {
        const auto before = baseline.backend_of.find(by_node[call.value]);
        if (before == baseline.backend_of.end() || !computed_op(*flow.input, call)) continue;
        const int backend = flow.backend_of[call.value];
        if (backend >= 0 && !takes_rest(flow, backends[size_t(backend)].name)) continue;
        if (!reasons) reasons.emplace(flow, backends);
        faults.push_back({names.name(call) + " was on " + before->second + ", and is on " +
                              (backend < 0 ? "default" : backends[size_t(backend)].name) + ": " + reasons->of(call),
                          call});
    }
}

GateResult check_baseline(const Baseline& baseline, const FlowResult& flow,
                          std::span<const BackendDescription> backends, const CoverageReport& coverage) {
    GateResult result{"baseline " + baseline.file, {}};
    const CoverageShare now = share_of(coverage, flow, "*");
    for (size_t i = 0; i < kShares.size(); ++i) {
        const double before = percent(baseline.on_backends, baseline.total, ShareGate::Of(i));
        const double after = percent(now, coverage.total, ShareGate::Of(i));
        if (after < before - 1e-6)
            result.faults.push_back({too_small(after, before) + " of the " + std::string(kShareWords[i]) +
                                         " are on backends, in the baseline " + percent_text(before),
                                     {}});
    }
    const auto regions = int(flow.regions.size());
    if (regions > baseline.regions)
        result.faults.push_back(
            {std::to_string(regions) + " regions, in the baseline " + std::to_string(baseline.regions), {}});
    double bytes = 0;
    for (const BackendCoverage& each : coverage.backends) bytes += each.boundary_bytes;
    if (bytes > baseline.boundary_bytes)
        result.faults.push_back({general_text(bytes, 12) + " bytes cross boundaries of regions, in the baseline " +
                                     general_text(baseline.boundary_bytes, 12),
                                 {}});
    add_fallen(baseline, flow, backends, result.faults);
    return result;
}

nlohmann::ordered_json share_json(const CoverageShare& share) {
    return {{"calls", share.calls}, {"flops", share.flops}, {"parameter_bytes", share.parameter_bytes}};
}

CoverageShare read_share(JsonFields& fields, const JsonValue& document, std::string_view key) {
    const JsonValue& share = fields.part(document, key, JsonValue::Kind::Object);
    if (fields.fault()) return {};
    return {fields.whole(share, "calls"), fields.number(share, "flops"), fields.number(share, "parameter_bytes")};
}

/// A text for a command of GitHub's workflows.
std::string github_text(std::string_view text, bool property) {
    std::string made;
    for (const char c : text) {
        if (c == '%') made += "%25";
        else if (c == '\r') made += "%0D";
        else if (c == '\n') made += "%0A";
        else if (property && c == ':') made += "%3A";
        else if (property && c == ',') made += "%2C";
        else made += c;
    }
    return made;
}

}  // namespace

std::vector<ExprId> find_calls(const FlowResult& flow, std::span<const BackendDescription> backends,
                               const Query& query) {
    CallSubject subject(flow, backends);
    std::vector<ExprId> found;
    for (const ExprId call : subject.names().calls()) {
        if (!computed_op(*flow.input, call)) continue;
        subject.set_call(call);
        if (query.matches(subject)) found.push_back(call);
    }
    return found;
}

Result<ShareGate> read_share_gate(std::string_view text) {
    ShareGate gate;
    gate.text = text;
    const Diagnostic wrong =
        error("expected BACKEND=PERCENT, as dnnl=90%, or with :work or :weights behind it, not " + in_quotes(text));
    const size_t equals = text.rfind('=');
    if (equals == std::string_view::npos || equals == 0) return wrong;
    gate.backend = text.substr(0, equals);
    std::string_view figure = text.substr(equals + 1);
    if (const size_t colon = figure.find(':'); colon != std::string_view::npos) {
        const auto of = std::find(kShares.begin(), kShares.end(), figure.substr(colon + 1));
        if (of == kShares.end()) return wrong;
        gate.of = ShareGate::Of(of - kShares.begin());
        figure = figure.substr(0, colon);
    }
    if (figure.ends_with('%')) figure.remove_suffix(1);
    const std::optional<double> percent = whole_number(figure, true);
    if (!percent || *percent > 100) return wrong;
    gate.percent = *percent;
    return gate;
}

Result<RegionGate> read_region_gate(std::string_view text) {
    RegionGate gate;
    gate.text = text;
    const size_t equals = text.rfind('=');
    if (equals != std::string_view::npos) gate.backend = text.substr(0, equals);
    const std::optional<double> most =
        whole_number(equals == std::string_view::npos ? text : text.substr(equals + 1), false);
    if (!most || equals == 0) return error("expected N or BACKEND=N, not " + in_quotes(text));
    gate.most = *most;
    return gate;
}

Result<ForbiddenCalls> read_forbidden(std::string_view text) {
    ForbiddenCalls gate{std::string(text), Query(text)};
    if (gate.query.empty()) return error("an empty query forbids nothing; give one, as 'op:nn.conv2d backend:default'");
    if (const std::string word = gate.query.unreadable(); !word.empty())
        return error(in_quotes(word) + " can't be read");
    if (const std::string key = gate.query.unknown_key(); !key.empty())
        return error(in_quotes(key + ":") +
                     " is no key of a query; there are op, name, backend, shape, type, attr, region, flops and bytes");
    return gate;
}

Result<Baseline> read_baseline(const std::string& path) {
    const Result<std::string> text = read_file(path);
    if (!text) return in_file(text.error(), path);
    const Result<JsonValue> document = read_json(*text, path);
    if (!document) return document.error();
    JsonFields fields("a baseline", path);
    fields.kind_and_version(*document, "partita_baseline", 1);
    if (fields.fault()) return *fields.fault();
    Baseline baseline;
    baseline.file = path;
    baseline.total = read_share(fields, *document, "total");
    baseline.on_backends = read_share(fields, *document, "on_backends");
    baseline.regions = fields.whole(*document, "regions");
    baseline.boundary_bytes = fields.number(*document, "boundary_bytes");
    for (const JsonMember& call : fields.part(*document, "backend_of", JsonValue::Kind::Object).members) {
        if (!call.value.is(JsonValue::Kind::String)) fields.fail(call.value, "expected the name of a backend");
        baseline.backend_of[call.key] = call.value.text;
    }
    if (fields.fault()) return *fields.fault();
    return baseline;
}

std::string baseline_text(const FlowResult& flow, std::span<const BackendDescription> backends,
                          const CoverageReport& coverage, const std::string& model) {
    nlohmann::ordered_json calls = nlohmann::ordered_json::object();
    const std::vector<std::string> by_node = node_names(*flow.input);
    const ExpressionNames names(*flow.input);
    for (const ExprId call : names.calls()) {
        if (!computed_op(*flow.input, call)) continue;
        const int backend = flow.backend_of[call.value];
        if (backend < 0 || takes_rest(flow, backends[size_t(backend)].name)) continue;
        calls[by_node[call.value]] = backends[size_t(backend)].name;
    }
    double bytes = 0;
    for (const BackendCoverage& each : coverage.backends) bytes += each.boundary_bytes;
    const nlohmann::ordered_json document = {{"partita_baseline", 1},
                                             {"model", model},
                                             {"total", share_json(coverage.total)},
                                             {"on_backends", share_json(share_of(coverage, flow, "*"))},
                                             {"regions", flow.regions.size()},
                                             {"boundary_bytes", bytes},
                                             {"backend_of", std::move(calls)}};
    return json_text(document, 1) + "\n";
}

Result<std::vector<GateResult>> check_gates(const Gates& gates, const FlowResult& flow,
                                            std::span<const BackendDescription> backends,
                                            const CoverageReport& coverage) {
    std::vector<GateResult> results;
    for (const ShareGate& gate : gates.shares) {
        if (Status known = check_backend(gate.backend, coverage, gate.text); !known) return known.error();
        results.push_back(check_share(gate, flow, coverage));
    }
    for (const RegionGate& gate : gates.regions) {
        if (Status known = check_backend(gate.backend, coverage, gate.text); !known) return known.error();
        results.push_back(check_regions(gate, coverage));
    }
    for (const ForbiddenCalls& gate : gates.forbidden) results.push_back(check_forbidden(gate, flow, backends));
    if (gates.baseline) results.push_back(check_baseline(*gates.baseline, flow, backends, coverage));
    return results;
}

Result<GateResult> check_requirement(const std::string& text, const FlowResult& flow,
                                     std::span<const BackendDescription> backends, const DivideWords& words) {
    const size_t equals = text.find('=');
    const std::string backend = text.substr(0, equals);
    const std::string selector = equals == std::string::npos ? "" : text.substr(equals + 1);
    if (std::string fault = unknown_backend(backend, backends, words); !fault.empty()) return error(std::move(fault));
    GateResult result{"require " + text, {}};
    if (!selector.empty() && ExpressionNames(*flow.input).select(selector).empty())
        result.faults.push_back({"require " + text + ": the selector matches no call", {}});
    else
        for (UnmetRequirement& unmet : check_required(flow, backends, backend, selector))
            result.faults.push_back({std::move(unmet.text), unmet.call});
    return result;
}

std::string gates_junit(std::span<const GateResult> results, const std::string& file) {
    const auto failed = [](const GateResult& result) { return !result.faults.empty(); };
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"partita\" tests=\"" +
                       std::to_string(results.size()) + "\" failures=\"" +
                       std::to_string(std::count_if(results.begin(), results.end(), failed)) + "\">\n";
    for (const GateResult& result : results) {
        text += "  <testcase classname=\"" + xml_text(file) + "\" name=\"" + xml_text(result.gate) + "\"";
        if (!failed(result)) {
            text += "/>\n";
            continue;
        }
        std::string all;
        for (const GateFault& fault : result.faults) all += xml_text(fault.text) + "\n";
        text += ">\n    <failure message=\"" + xml_text(result.faults.front().text) + "\">" + all +
                "</failure>\n  </testcase>\n";
    }
    return text + "</testsuite>\n";
}

std::string gates_github(std::span<const GateResult> results, const Module& input, const std::string& file) {
    std::string text;
    for (const GateResult& result : results)
        for (const GateFault& fault : result.faults) {
            const SourcePosition at = fault.call.valid() ? input.position(fault.call) : SourcePosition();
            text += "::error file=" + github_text(file, true);
            if (at.line) text += ",line=" + std::to_string(at.line) + ",col=" + std::to_string(at.column);
            text += ",title=" + github_text(result.gate, true) + "::" + github_text(fault.text, false) + "\n";
        }
    return text;
}

}  // namespace partita
