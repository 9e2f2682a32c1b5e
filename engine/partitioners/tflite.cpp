// What TensorFlow Lite gives to a delegate: the plan is divided into epochs of nodes of one kind, taken as soon as
// their inputs are there (tflite/graph_info.cc:69-329), and the N largest supported ones are delegated
// (tflite/delegates/utils.cc:104-130); the graph is then divided once more with only their nodes marked. Each backend
// of the verdicts is a delegate; a second one starts from the plan that the first one left.
//
// The epochs are found in O(n log n): what the original finds by scanning all nodes again and again is here the next
// node of a sorted set of those that are ready.
#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

#include "engine/partitioners/given.h"
#include "engine/partitioners/litert.h"
#include "engine/partitioners/partitioner.h"
#include "engine/support/file.h"
#include "engine/support/in_file.h"
#include "engine/support/json_reader.h"
#include "engine/support/one_line.h"

namespace partita {

namespace {

/// A step of the plan: a node of the file, or what a delegate took.
struct Step {
    std::vector<GraphValueId> inputs, outputs;
    std::vector<uint32_t> members;  ///< nodes of the file
    bool delegated = false;
};

struct Epoch {
    bool supported = false;
    std::vector<uint32_t> steps;  ///< of the plan, in the order taken
};

/// Divides one plan into epochs.
class Epochs {
public:
    Epochs(const std::vector<Step>& plan, const std::vector<std::pair<uint32_t, uint32_t>>& control, size_t values,
           std::vector<bool> supported, bool greedy)
        : plan_(plan), supported_(std::move(supported)), greedy_(greedy), waiting_(plan.size()), users_(plan.size()) {
        constexpr uint32_t kNone = UINT32_MAX;
        std::vector<uint32_t> producer(values, kNone);
        for (uint32_t i = 0; i < plan.size(); ++i)
            for (GraphValueId output : plan[i].outputs)
                if (output.valid()) producer[output.value] = i;
        const auto wait = [&](uint32_t before, uint32_t step) { users_[before].push_back(step), ++waiting_[step]; };
        for (uint32_t i = 0; i < plan.size(); ++i)
            for (GraphValueId input : plan[i].inputs)
                if (input.valid() && producer[input.value] != kNone) wait(producer[input.value], i);
        for (const auto& [before, step] : control) wait(before, step);
        for (uint32_t i = 0; i < plan.size(); ++i)
            if (!waiting_[i]) ready_[supported_[i]].insert(i);
    }

    /// Fails where nodes wait for each other.
    Result<std::vector<Epoch>> find() {
        std::vector<Epoch> epochs;
        for (size_t left = plan_.size(); left > 0; left -= epochs.back().steps.size()) {
            if (ready_[0].empty() && ready_[1].empty()) return error("nodes wait for each other");
            epochs.push_back(greedy_ ? next_greedy() : next_in_order());
        }
        return epochs;
    }

private:
    /// Returns the kind of the first step that is ready: it decides the kind of the epoch.
    bool first_kind() const {
        if (ready_[0].empty() || ready_[1].empty()) return ready_[0].empty();
        return *ready_[1].begin() < *ready_[0].begin();
    }

    void take(Epoch& epoch, uint32_t step) {
        ready_[epoch.supported].erase(step);
        epoch.steps.push_back(step);
        for (uint32_t user : users_[step])
            if (--waiting_[user] == 0) ready_[supported_[user]].insert(user);
    }

    /// Scans from the beginning to the end, again until a scan takes nothing.
    Epoch next_greedy() {
        Epoch epoch{first_kind(), {}};
        std::set<uint32_t>& ready = ready_[epoch.supported];
        for (auto at = ready.begin(); !ready.empty();) {
            const uint32_t step = at == ready.end() ? *ready.begin() : *at;
            take(epoch, step);
            at = ready.upper_bound(step);
        }
        return epoch;
    }

    /// Ends at the first step that can't be taken after one was; a scan that comes to the end of the plan begins again.
    Epoch next_in_order() {
        Epoch epoch{first_kind(), {}};
        std::set<uint32_t>& ready = ready_[epoch.supported];
        for (uint32_t step = 0; step < plan_.size() && !ready.empty();) {
            step = *ready.begin();
            do take(epoch, step);
            while (ready.count(++step));
            if (step == plan_.size()) step = 0;
            else break;
        }
        return epoch;
    }

    const std::vector<Step>& plan_;
    const std::vector<bool> supported_;
    const bool greedy_;
    std::vector<size_t> waiting_;
    std::vector<std::vector<uint32_t>> users_;
    std::set<uint32_t> ready_[2];  ///< by whether they are supported
};

class Interpreter {
public:
    explicit Interpreter(const PartitionerInput& input) : input_(input) {
        const Graph& graph = input.graph;
        for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
            plan_.push_back({graph.nodes[i].inputs, graph.nodes[i].outputs, {i}});
            for (NodeId before : graph.nodes[i].after) control_.emplace_back(before.value, i);
        }
        if (control_.empty() && greedy()) chain_stateful_nodes();
    }

    Result<Division> divide() {
        const std::string_view n = input_.option("n"), least = input_.option("min-nodes");
        size_t most = SIZE_MAX, least_nodes = 0;
        if (!n.empty() && n != "all" && !read(n, most)) return error("the option n can't be " + in_quotes(n));
        if (!least.empty() && !read(least, least_nodes))
            return error("the option min-nodes can't be " + in_quotes(least));
        if (Status counted = read_numbers(); !counted) return counted.error();
        for (const Verdicts::OfBackend& delegate : input_.verdicts.backends) {
            Result<std::vector<bool>> chosen = choose(delegate, most, least_nodes);
            if (!chosen) return broken(chosen.error());
            if (Status replaced = replace(delegate.name, std::move(*chosen)); !replaced)
                return broken(replaced.error());
        }
        return std::move(division_);
    }

private:
    static bool read(std::string_view text, size_t& number) {
        const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
        return failure == std::errc() && stop == text.data() + text.size();
    }

    /// What a node counts: 1, or what a file says.
    Status read_numbers() {
        const std::string path(input_.option("by"));
        numbers_.assign(input_.graph.nodes.size(), path.empty() ? 1 : 0);
        if (path.empty()) return Nothing();
        const Result<std::string> text = read_file(path);
        if (!text) return in_file(text.error(), path);
        const Result<JsonValue> json = read_json(*text);
        if (!json) return in_file(json.error(), path);
        if (!json->is(JsonValue::Kind::Object)) return in_file(error("expected an object of numbers"), path);
        const NodeNames names(input_.graph);
        for (const JsonMember& member : json->members) {
            JsonValue name;
            name.kind = JsonValue::Kind::String;
            name.text = member.key;
            name.position = member.key_position;
            const Result<std::vector<NodeId>> nodes = names.find(name);
            if (!nodes) return in_file(nodes.error(), path);
            if (!member.value.is(JsonValue::Kind::Number) || !(member.value.number >= 0))
                return in_file(error("expected a number from 0", member.value.position), path);
            for (NodeId node : *nodes) numbers_[node.value] = member.value.number;
        }
        return Nothing();
    }

    double sum_of(const Epoch& epoch) const {
        double sum = 0;
        for (uint32_t step : epoch.steps)
            for (uint32_t node : plan_[step].members) sum += numbers_[node];
        return sum;
    }

    /// If any delegate fails, all are undone.
    static Division broken(const Diagnostic& fault) {
        Division division;
        division.error = fault.message;
        return division;
    }

    bool greedy() const { return input_.option("order") != "execution"; }

    /// Without control edges in the file, nodes with a state run in the order of the file (graph_info.cc:314).
    void chain_stateful_nodes() {
        for (const auto& [before, node] : litert_state_edges(input_.graph))
            control_.emplace_back(before.value, node.value);
    }

    Result<std::vector<Epoch>> epochs_of(const std::vector<Step>& plan, std::vector<bool> supported) const {
        return Epochs(plan, control_of_plan(plan), input_.graph.values.size(), std::move(supported), greedy()).find();
    }

    /// Control edges are between nodes of the file; what a delegate took waits for all that its nodes wait for.
    std::vector<std::pair<uint32_t, uint32_t>> control_of_plan(const std::vector<Step>& plan) const {
        std::vector<uint32_t> step_of(input_.graph.nodes.size());
        for (uint32_t i = 0; i < plan.size(); ++i)
            for (uint32_t node : plan[i].members) step_of[node] = i;
        std::vector<std::pair<uint32_t, uint32_t>> edges;
        for (const auto& [before, node] : control_)
            if (step_of[before] != step_of[node]) edges.emplace_back(step_of[before], step_of[node]);
        return edges;
    }

    /// A DEQUANTIZE of a constant of 16 bits: delegates of that helper read the constant itself (utils.cc:201-320).
    bool is_unpacking(const Step& step) const {
        if (step.delegated || input_.option("fp16") != "yes") return false;
        const PlainNode& node = input_.graph.nodes[step.members.front()];
        if (node.op != "DEQUANTIZE" || node.inputs.empty() || !node.inputs[0].valid()) return false;
        const PlainValue& value = input_.graph[node.inputs[0]];
        return value.constant && value.dtype == "float16";
    }

    /// Returns which steps go to the delegate: those of the largest epochs, the earlier first among equals.
    Result<std::vector<bool>> choose(const Verdicts::OfBackend& delegate, size_t most, size_t least_nodes) {
        std::vector<bool> supported(plan_.size());
        size_t unpacking = 0, taken = 0;
        for (uint32_t i = 0; i < plan_.size(); ++i) {
            const bool unpacks = is_unpacking(plan_[i]);
            supported[i] = !unpacks && !plan_[i].delegated && delegate.takes[plan_[i].members.front()];
            unpacking += unpacks;
            taken += supported[i];
        }
        if (unpacking && taken + unpacking == plan_.size()) return std::vector<bool>(plan_.size(), true);
        Result<std::vector<Epoch>> epochs = epochs_of(plan_, std::move(supported));
        if (!epochs) return epochs.error();
        std::erase_if(*epochs, [](const Epoch& epoch) { return !epoch.supported; });
        std::stable_sort(epochs->begin(), epochs->end(),
                         [this](const Epoch& a, const Epoch& b) { return sum_of(a) > sum_of(b); });
        std::vector<bool> chosen(plan_.size());
        const bool by_nodes = input_.option("by").empty();
        if (!by_nodes) std::erase_if(*epochs, [&](const Epoch& epoch) { return epoch.steps.size() < least_nodes; });
        for (size_t i = 0; i < std::min(most, epochs->size()); ++i) {
            if (by_nodes && (*epochs)[i].steps.size() < least_nodes) break;
            for (uint32_t step : (*epochs)[i].steps) chosen[step] = true;
        }
        if (unpacking) read_packed_constants(chosen);
        return chosen;
    }

    void read_packed_constants(const std::vector<bool>& chosen) {
        std::vector<GraphValueId> packed(input_.graph.values.size());
        for (const Step& step : plan_)
            if (is_unpacking(step))
                for (GraphValueId output : step.outputs)
                    if (output.valid()) packed[output.value] = step.inputs[0];
        for (uint32_t i = 0; i < plan_.size(); ++i)
            for (GraphValueId& input : plan_[i].inputs)
                if (chosen[i] && input.valid() && packed[input.value].valid()) input = packed[input.value];
    }

    /// Divides once more with only the chosen steps marked; each epoch of them becomes one step.
    Status replace(const std::string& delegate, std::vector<bool> chosen) {
        if (std::none_of(chosen.begin(), chosen.end(), [](bool each) { return each; })) return Nothing();
        Result<std::vector<Epoch>> epochs = epochs_of(plan_, std::move(chosen));
        if (!epochs) return epochs.error();
        std::vector<Step> plan;
        for (const Epoch& epoch : *epochs) {
            if (epoch.supported) plan.push_back(delegated(delegate, epoch));
            else
                for (uint32_t step : epoch.steps) plan.push_back(std::move(plan_[step]));
        }
        plan_ = std::move(plan);
        return Nothing();
    }

    Step delegated(const std::string& delegate, const Epoch& epoch) {
        Step made;
        made.delegated = true;
        division_.regions.push_back({delegate, {}, {}, {}});
        for (uint32_t step : epoch.steps) {
            division_.regions.back().nodes.push_back(NodeId(plan_[step].members.front()));
            made.members.push_back(plan_[step].members.front());
            made.inputs.insert(made.inputs.end(), plan_[step].inputs.begin(), plan_[step].inputs.end());
            made.outputs.insert(made.outputs.end(), plan_[step].outputs.begin(), plan_[step].outputs.end());
        }
        // What is made inside is not waited for.
        std::vector<GraphValueId> own(made.outputs);
        std::sort(own.begin(), own.end());
        std::erase_if(made.inputs, [&](GraphValueId id) { return std::binary_search(own.begin(), own.end(), id); });
        return made;
    }

    const PartitionerInput& input_;
    std::vector<Step> plan_;
    std::vector<std::pair<uint32_t, uint32_t>> control_;  ///< nodes of the file: the first runs before the second
    std::vector<double> numbers_;                         ///< by node of the file
    Division division_;
};

}  // namespace

Result<Division> divide_as_tflite(const PartitionerInput& input) {
    Result<Division> division = Interpreter(input).divide();
    if (!division || !division->error.empty()) return division;
    const bool greedy = input.option("order") != "execution";
    note_borders(input, *division, [greedy](NodeId from, NodeId to) {
        return DivisionNote{{},
                            {},
                            greedy ? SENTENCE("Engine",
                                              "an epoch takes all that is ready: %1 was not ready yet when the epoch "
                                              "of %2 ended, for it waits for what the delegate does not take")
                                   : SENTENCE("Engine",
                                              "an epoch ends at the first node that it can't take: that of %2 ended "
                                              "before %1"),
                            {to, from}};
    });
    const std::vector<int32_t> region_of = regions_by_node(input.graph, *division);
    for (uint32_t i = 0; i < region_of.size(); ++i)
        if (region_of[i] < 0 && input.verdicts.first(NodeId(i)) >= 0)
            division->notes.push_back({NodeId(i),
                                       {},
                                       SENTENCE("Engine",
                                                "its epoch is not among those that are delegated: the largest ones, "
                                                "as the options n and min-nodes say"),
                                       {}});
    return division;
}

}  // namespace partita
