#include "engine/frontends/torch/pte.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <new>
#include <unordered_set>

#include <nlohmann/json.hpp>

#include "engine/frontends/torch/program.h"
#include "engine/support/flat_buffer.h"
#include "engine/support/json_text.h"
#include "engine/support/one_line.h"

namespace partita {

namespace torch {

namespace {

using flat::Table;
using flat::Vector;

constexpr size_t kMostItems = 64, kMostNamed = 8;
constexpr std::string_view kProgram = "ET12", kData = "FT01";

// Places of fields, and numbers of union members.
namespace program {
constexpr int kPlans = 1, kSegments = 4;
}
namespace plan {
constexpr int kName = 0, kValues = 2, kInputs = 3, kOutputs = 4, kChains = 5, kOperators = 6, kDelegates = 7;
}
namespace value {
enum : uint8_t {
    kNull = 1,
    kInt,
    kBool,
    kDouble,
    kTensor,
    kString,
    kIntList,
    kDoubleList,
    kBoolList,
    kTensorList,
    kOptionalList
};
}
namespace instruction {
enum : uint8_t { kKernel = 1, kDelegate, kMove, kJump, kFree };
}

/// c10's numbers of element types are one less than those of exported programs, and differ at the end.
TensorMeta type_of(int8_t number) {
    if (number <= 11) return element_type(number + 1, false);
    switch (number) {
        case 15: return element_type(13, false);  // bfloat16
        case 23: return element_type(30, false);
        case 24: return element_type(29, false);
        case 27: return element_type(28, false);
        case 28: return element_type(34, false);
        case 29: return element_type(35, false);
        default: return {"dtype " + std::to_string(number), kVoid, {}};
    }
}

/// Reads the instructions of one method, each value under the name of the instruction that wrote it last.
class PlanReader {
public:
    PlanReader(const Table& plan, partita::Graph& graph)
        : values_(plan.vector(plan::kValues)), operators_(plan.vector(plan::kOperators)),
          delegates_(plan.vector(plan::kDelegates)), graph_(graph), now_(values_.size()), lists_(values_.size()) {
        for (size_t i = 0; i < values_.size(); ++i) {
            tables_.push_back(values_.table(i));
            contents_.push_back(tables_.back().table(1));
        }
    }

    void read(const Table& plan) {
        const std::vector<int32_t> inputs = plan.vector(plan::kInputs).numbers<int32_t>();
        for (size_t i = 0; i < inputs.size(); ++i)
            if (is_tensor(inputs[i])) graph_.inputs.push_back(define(inputs[i], "input_" + std::to_string(i), {}));
        const Vector chains = plan.vector(plan::kChains);
        for (size_t c = 0; c < chains.size(); ++c) {
            const Vector instructions = chains.table(c).vector(2);
            for (size_t i = 0; i < instructions.size(); ++i) add(instructions.table(i), i);
        }
        for (int32_t output : plan.vector(plan::kOutputs).numbers<int32_t>())
            if (is_tensor(output)) graph_.outputs.push_back(use(output));
    }

private:
    uint8_t kind(int64_t at) const {
        if (at < 0 || at >= int64_t(tables_.size()))
            throw flat::Fault{"an instruction uses the value " + std::to_string(at) + " of " +
                              std::to_string(tables_.size())};
        return tables_[size_t(at)].number<uint8_t>(0);
    }
    const Table& content(int64_t at) const { return contents_[size_t(at)]; }
    bool is_tensor(int64_t at) const { return kind(at) == value::kTensor; }

    /// Known before the run: it has data, and no memory of its own to be written to.
    static bool is_constant(const Table& tensor) {
        const bool is_external = tensor.has(9) && tensor.table(9).number<int8_t>(2) == 1;
        return is_external || (tensor.number<uint32_t>(5) > 0 && !tensor.has(6));
    }

    GraphValueId define(int64_t at, std::string name, NodeId producer) {
        const Table& tensor = content(at);
        const GraphValueId id(uint32_t(graph_.values.size()));
        PlainValue& made = graph_.values.emplace_back();
        for (int i = 1; !taken_.insert(name).second; ++i)
            name = name.substr(0, name.find('~')) + "~" + std::to_string(i);
        made.name = std::move(name);
        made.dtype = type_of(tensor.number<int8_t>(0)).name;
        for (int32_t size : tensor.vector(2).numbers<int32_t>()) made.shape.push_back(size < 0 ? kDynamicDim : size);
        if (tensor.number<int8_t>(8) == 2) std::fill(made.shape.begin(), made.shape.end(), kDynamicDim);
        made.has_shape = true;
        made.producer = producer;
        now_[size_t(at)] = id;
        return id;
    }
    /// The value as it is now; one that nothing wrote is given: a constant, or a state.
    GraphValueId use(int64_t at) {
        if (now_[size_t(at)].valid()) return now_[size_t(at)];
        const Table& tensor = content(at);
        std::string name(tensor.table(9).text(1).substr(0, kLongest));
        if (name.empty()) name = (is_constant(tensor) ? "constant_" : "state_") + std::to_string(at);
        const GraphValueId id = define(at, std::move(name), {});
        graph_.values[id.value].constant = is_constant(tensor);
        return id;
    }

    /// The tensors of an argument: itself, or those of a list.
    std::vector<int32_t> tensors_of(int64_t at) {
        const uint8_t of = kind(at);
        if (of == value::kTensor) return {int32_t(at)};
        if (of != value::kTensorList && of != value::kOptionalList) return {};
        std::vector<int32_t>& list = lists_[size_t(at)];
        if (list.empty()) list = content(at).vector(0).numbers<int32_t>();
        std::vector<int32_t> tensors;
        for (int32_t item : list)
            if (item >= 0 && is_tensor(item)) tensors.push_back(item);
        return tensors;
    }

    nlohmann::ordered_json plain(int64_t at) {
        const Table& of = content(at);
        const auto list = [](auto numbers) {
            if (numbers.size() > kMostItems) numbers.resize(kMostItems);
            return nlohmann::ordered_json(numbers);
        };
        switch (kind(at)) {
            case value::kInt: return of.number<int64_t>(0);
            case value::kBool: return of.flag(0);
            case value::kDouble: return of.number<double>(0);
            case value::kString: return std::string(of.text(0).substr(0, kLongest));
            case value::kIntList: return list(of.vector(0, 8).numbers<int64_t>());
            case value::kDoubleList: return list(of.vector(0, 8).numbers<double>());
            case value::kBoolList: return list(of.vector(0, 1).numbers<uint8_t>());
            default: return nullptr;
        }
    }

    /// Adds a node. What it is given was written before; the rest, and the last tensor, it writes.
    void add_node(const std::string& op, size_t at, const std::vector<int32_t>& arguments,
                  nlohmann::ordered_json said) {
        const NodeId id(uint32_t(graph_.nodes.size()));
        PlainNode node;
        node.name = op + "@" + std::to_string(at);
        node.op = op;
        std::vector<int32_t> tensors, written;
        for (size_t i = 0; i < arguments.size(); ++i) {
            const std::vector<int32_t> of = tensors_of(arguments[i]);
            tensors.insert(tensors.end(), of.begin(), of.end());
            if (of.empty() && kind(arguments[i]) != value::kTensorList)
                if (nlohmann::ordered_json value = plain(arguments[i]); !value.is_null())
                    said["argument " + std::to_string(i)] = std::move(value);
        }
        for (size_t i = 0; i < tensors.size(); ++i) {
            const bool known = now_[size_t(tensors[i])].valid() || content(tensors[i]).number<uint32_t>(5) > 0 ||
                               is_constant(content(tensors[i]));
            const bool writes = !known || tensors[i] == tensors.back();
            if (!writes) node.inputs.push_back(use(tensors[i]));
            else if (std::find(written.begin(), written.end(), tensors[i]) == written.end())
                written.push_back(tensors[i]);
        }
        graph_.nodes.push_back(std::move(node));
        for (int32_t tensor : written) {
            const GraphValueId made = define(tensor, "value_" + std::to_string(tensor), id);
            graph_.nodes.back().outputs.push_back(made);
            if (const Table memory = content(tensor).table(6); memory)
                said["memory of " + graph_.values[made.value].name] = {
                    {"arena", memory.number<uint32_t>(0)},
                    {"offset", memory.number<uint32_t>(1) + (uint64_t(memory.number<uint32_t>(2)) << 32)}};
        }
        graph_.nodes.back().attributes = json_text(said);
    }

    void add(const Table& instruction, size_t at) {
        const Table of = instruction.table(1);
        nlohmann::ordered_json said{{"instruction", at}};
        switch (instruction.number<uint8_t>(0)) {
            case instruction::kKernel: {
                const Table op = operators_.table(inside(of.number<int32_t>(0), operators_.size(), "operator"));
                std::string name(op.text(0).substr(0, kLongest));
                if (!op.text(1).empty()) name += "." + std::string(op.text(1).substr(0, kLongest));
                return add_node(name, at, of.vector(1).numbers<int32_t>(), std::move(said));
            }
            case instruction::kDelegate: {
                const size_t index = inside(of.number<int32_t>(0), delegates_.size(), "delegate");
                const Table delegate = delegates_.table(index);
                const std::string backend(delegate.text(0).substr(0, kLongest));
                said["delegate"] = backend;
                const Vector specs = delegate.vector(2);
                for (size_t i = 0; i < std::min(specs.size(), kMostItems); ++i)
                    said["compile specs"].push_back(std::string(specs.table(i).text(0).substr(0, kLongest)));
                return add_node("delegate:" + backend, at, of.vector(1).numbers<int32_t>(), std::move(said));
            }
            case instruction::kMove:
                return add_node("move", at, {of.number<int32_t>(0), of.number<int32_t>(1)}, std::move(said));
            case instruction::kJump:
                said["to instruction"] = of.number<int32_t>(1);
                return add_use("jump_false", at, of.number<int32_t>(0), std::move(said));
            case instruction::kFree: return add_use("free", at, of.number<int32_t>(0), std::move(said));
            default: return add_node("unknown", at, {}, std::move(said));
        }
    }
    /// A node that writes nothing.
    void add_use(const std::string& op, size_t at, int64_t used, nlohmann::ordered_json said) {
        PlainNode node;
        node.name = op + "@" + std::to_string(at);
        node.op = op;
        if (is_tensor(used)) node.inputs.push_back(use(used));
        node.attributes = json_text(said);
        graph_.nodes.push_back(std::move(node));
    }
    static size_t inside(int64_t index, size_t count, const char* what) {
        if (index >= 0 && index < int64_t(count)) return size_t(index);
        throw flat::Fault{std::string("an instruction names the ") + what + " " + std::to_string(index) + " of " +
                          std::to_string(count)};
    }

    static constexpr size_t kLongest = 200;

    Vector values_, operators_, delegates_;
    partita::Graph& graph_;
    std::vector<Table> tables_, contents_;  ///< by value: what it is, and the member of the union
    std::vector<GraphValueId> now_;         ///< by value of the file: as it is after the instructions so far
    std::vector<std::vector<int32_t>> lists_;
    std::unordered_set<std::string> taken_;
};

size_t instructions_of(const Table& plan) {
    size_t count = 0;
    const Vector chains = plan.vector(plan::kChains);
    for (size_t c = 0; c < chains.size(); ++c) count += chains.table(c).vector(2).size();
    return count;
}

class PteReader {
public:
    PteReader(const std::shared_ptr<const SourceFile>& file) : file_(file), bytes_(file) {}

    PteImport read() {
        const Table root = Table::root(bytes_, kProgram);
        check_segments(root);
        const Vector plans = root.vector(program::kPlans);
        std::vector<Table> with_work;
        std::string others;
        size_t getters = 0;
        for (size_t i = 0; i < plans.size(); ++i) {
            const Table plan = plans.table(i);
            if (instructions_of(plan) == 0) ++getters;
            else if (plan.text(plan::kName) == "forward") with_work.insert(with_work.begin(), plan);
            else with_work.push_back(plan);
        }
        if (with_work.empty()) throw flat::Fault{"no method of the program has instructions"};
        for (size_t i = 1; i < std::min(with_work.size(), kMostNamed); ++i)
            others += (i > 1 ? ", " : "") + in_quotes(with_work[i].text(plan::kName));
        if (!others.empty() || getters > 0)
            note(Severity::Note,
                 "the method " + in_quotes(with_work[0].text(plan::kName)) + " is shown" +
                     (others.empty() ? "" : ", not " + others) +
                     (getters ? "; " + std::to_string(getters) + " more have no instructions and return what is known"
                              : ""));
        PlanReader(with_work[0], made_.graph).read(with_work[0]);
        return std::move(made_);
    }

private:
    void note(Severity severity, std::string text) {
        made_.notes.push_back({severity, file_->path(), {}, std::move(text)});
    }

    /// The extended header, behind the identifier: "eh00", its length, and where the segments begin.
    void check_segments(const Table& root) {
        constexpr uint64_t kHeader = 8, kBase = kHeader + 16;
        uint64_t base = 0, size = bytes_.size();
        if (size >= kBase + 8 && bytes_.part(kHeader, 4) == "eh00") std::memcpy(&base, bytes_.part(kBase, 8).data(), 8);
        const Vector segments = root.vector(program::kSegments);
        for (size_t i = 0; i < segments.size(); ++i) {
            const Table segment = segments.table(i);
            uint64_t begin = 0, end = 0;
            const bool wraps = __builtin_add_overflow(base, segment.number<uint64_t>(0), &begin) ||
                               __builtin_add_overflow(begin, segment.number<uint64_t>(1), &end);
            if (wraps || end > size)
                note(Severity::Warning, "the segment " + std::to_string(i) +
                                            " lies outside of the file: its weights or delegate are missing");
        }
    }

    std::shared_ptr<const SourceFile> file_;
    flat::Bytes bytes_;
    PteImport made_;
};

/// Reads `.ptd` (extension/flat_tensor/serialize/flat_tensor.fbs): names, types and shapes of weights.
PteImport read_data(const std::shared_ptr<const SourceFile>& file) {
    flat::Bytes bytes(file);
    const Table root = Table::root(bytes, kData);
    PteImport made;
    const Vector entries = root.vector(2);
    for (size_t i = 0; i < entries.size(); ++i) {
        const Table entry = entries.table(i), layout = entry.table(2);
        PlainValue& value = made.graph.values.emplace_back();
        value.name = std::string(entry.text(0).substr(0, 200));
        value.constant = true;
        if (layout) {
            value.dtype = type_of(layout.number<int8_t>(0)).name;
            for (int32_t size : layout.vector(1).numbers<int32_t>())
                value.shape.push_back(size < 0 ? kDynamicDim : size);
            value.has_shape = true;
        }
        made.graph.outputs.push_back(GraphValueId(uint32_t(i)));
    }
    if (entries.empty()) throw flat::Fault{"the file names no weights"};
    made.notes.push_back(
        {Severity::Note, file->path(), {}, "the file holds weights and no program: open the .pte that they belong to"});
    return made;
}

template <class Read>
Result<PteImport> read_or_refuse(const std::shared_ptr<const SourceFile>& file, Read read) {
    const auto refused = [&](const std::string& message) {
        Diagnostic diagnostic = error(message);
        diagnostic.file = file->path();
        return diagnostic;
    };
    try {
        return read();
    } catch (const flat::Fault& fault) {
        return refused(fault.message);
    } catch (const std::bad_alloc&) {
        return refused("the program needs more memory than there is");
    }
}

}  // namespace

}  // namespace torch

Result<PteImport> import_pte(const std::shared_ptr<const SourceFile>& file) {
    return torch::read_or_refuse(file, [&] { return torch::PteReader(file).read(); });
}
Result<PteImport> import_ptd(const std::shared_ptr<const SourceFile>& file) {
    return torch::read_or_refuse(file, [&] { return torch::read_data(file); });
}

bool looks_like_pte(std::string_view bytes) {
    if (bytes.size() < 8 || bytes.substr(4, 2) != "ET") return false;
    return std::isdigit(static_cast<unsigned char>(bytes[6])) && std::isdigit(static_cast<unsigned char>(bytes[7]));
}
bool looks_like_ptd(std::string_view bytes) { return bytes.size() >= 8 && bytes.substr(4, 4) == torch::kData; }

}  // namespace partita
