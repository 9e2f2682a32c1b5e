#include "engine/frontends/litert/model.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "engine/ir/file_part.h"
#include "engine/support/available_memory.h"
#include "engine/support/one_line.h"

namespace partita::litert {

namespace {

using flat::Bytes;
using flat::Fault;
using flat::Table;
using flat::Vector;

constexpr size_t kMostTensors = 4'000'000, kMostNotes = 50, kMostRank = 64;
constexpr int32_t kCustom = 32;

struct OperatorCode {
    std::string_view kind;
    bool custom = false;
    int version = 1;
};

std::string unknown_kind(int32_t code) { return "BUILTIN_" + std::to_string(code); }

/// Numbers of variable length, as protocol buffers have them.
class Varints {
public:
    explicit Varints(std::string_view bytes) : bytes_(bytes) {}

    std::optional<uint64_t> next() {
        uint64_t number = 0;
        for (int shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
            const uint8_t byte = uint8_t(bytes_.front());
            bytes_.remove_prefix(1);
            number |= uint64_t(byte & 0x7F) << shift;
            if (byte < 0x80) return number;
        }
        return std::nullopt;
    }
    /// Of either sign: 0, -1, 1, -2, ...
    std::optional<int64_t> next_signed() {
        const std::optional<uint64_t> number = next();
        if (!number) return std::nullopt;
        return int64_t(*number >> 1) ^ -int64_t(*number & 1);
    }
    size_t left() const { return bytes_.size(); }

private:
    std::string_view bytes_;
};

class ModelReader {
public:
    ModelReader(Bytes& bytes, const CancelToken& cancel) : bytes_(bytes), cancel_(cancel) {}

    Model read() {
        root_ = Table::root(bytes_, "TFL3");
        if (const uint32_t version = root_.number<uint32_t>(0); version != 3)
            throw Fault{"its schema has version " + std::to_string(version) + ", and 3 is the one that there is"};
        if (!root_.has(2)) throw Fault{"it has no list of subgraphs"};
        if (!root_.has(4)) throw Fault{"it has no list of buffers"};
        model_.description = root_.text(3);
        buffers_ = root_.vector(4);
        read_codes();
        read_external_buffers();
        const Vector subgraphs = root_.vector(2);
        if (subgraphs.empty()) throw Fault{"it has no subgraph"};
        count_ = subgraphs.size();
        for (size_t i = 0; i < count_; ++i) {
            append_checked(model_.subgraphs, Subgraph());
            read_subgraph(subgraphs.table(i), i);
        }
        read_signatures();
        read_metadata();
        return std::move(model_);
    }

private:
    void note(std::string text) {
        if (model_.notes.size() < kMostNotes) model_.notes.push_back(std::move(text));
    }

    void read_codes() {
        const Vector codes = root_.vector(1);
        for (size_t i = 0; i < codes.size(); ++i) {
            const Table code = codes.table(i);
            // Old files have the first, new ones both where it fits.
            const int32_t number = std::max<int32_t>(code.number<int8_t>(0), code.number<int32_t>(3));
            OperatorCode made{operator_name(number), number == kCustom, code.number<int32_t>(2, 1)};
            if (made.custom) made.kind = code.text(1).empty() ? "CUSTOM" : code.text(1);
            if (made.kind.empty()) {
                model_.made_names.push_back(unknown_kind(number));
                made.kind = model_.made_names.back();
                note("there is no operator of number " + std::to_string(number) +
                     ": the file is newer than this program, or broken");
            }
            append_checked(codes_, made);
        }
    }

    void read_external_buffers() {
        const Vector groups = root_.vector(8), buffers = root_.vector(9);
        for (size_t i = 0; i < buffers.size(); ++i) {
            const Table buffer = buffers.table(i);
            const uint32_t id = buffer.number<uint32_t>(0), group = buffer.number<uint32_t>(1);
            ExternalPlace place{{}, {buffer.number<uint64_t>(2), buffer.number<uint64_t>(3)}, buffer.text(4)};
            if (group < groups.size()) place.file = groups.table(group).text(0);
            else
                note("external buffer " + std::to_string(id) + " stands in group " + std::to_string(group) + " of " +
                     std::to_string(groups.size()));
            external_.emplace(id, place);
        }
    }

    /// Returns where the data of a buffer stand; nothing for a buffer without data.
    std::optional<DataPlace> data_of(uint32_t index, const std::string& whose) {
        if (index >= buffers_.size())
            throw Fault{whose + " is said to stand in buffer " + std::to_string(index) + " of " +
                        std::to_string(buffers_.size())};
        const Table buffer = buffers_.table(index);
        if (const Vector data = buffer.vector(0, 1); !data.empty()) return DataPlace{data.place(), data.size()};
        const uint64_t offset = buffer.number<uint64_t>(1), size = buffer.number<uint64_t>(2);
        if (offset <= 1 || size == 0) return std::nullopt;
        bytes_.require_inside(offset, size);
        return DataPlace{offset, size};
    }

    void read_subgraph(const Table& table, size_t index) {
        Subgraph& subgraph = model_.subgraphs[index];
        subgraph.name = table.text(4);
        where_ = count_ > 1 ? " of subgraph " + std::to_string(index) : "";
        if (!table.has(0)) throw Fault{"there is no list of tensors" + where_};
        const Vector tensors = table.vector(0);
        if ((tensors_ += tensors.size()) > kMostTensors)
            throw Fault{"it has more than " + std::to_string(kMostTensors) + " tensors"};
        for (size_t i = 0; i < tensors.size(); ++i) append_checked(subgraph.tensors, tensor(tensors.table(i), i));
        subgraph.inputs = table.vector(1).numbers<int32_t>();
        subgraph.outputs = table.vector(2).numbers<int32_t>();
        require_tensors(subgraph, subgraph.inputs, "the inputs" + where_, false);
        require_tensors(subgraph, subgraph.outputs, "the outputs" + where_, false);
        const Vector operators = table.vector(3);
        for (size_t i = 0; i < operators.size(); ++i) {
            if (cancel_.cancelled()) throw Fault{"cancelled"};
            append_checked(subgraph.operators, read_operator(operators.table(i), subgraph, i));
        }
        check_producers(subgraph);
    }

    void require_tensors(const Subgraph& subgraph, const std::vector<int32_t>& list, const std::string& what,
                         bool may_lack) const {
        for (int32_t tensor : list)
            if (tensor < (may_lack ? -1 : 0) || (tensor >= 0 && size_t(tensor) >= subgraph.tensors.size()))
                throw Fault{what + " name tensor " + std::to_string(tensor) + " of " +
                            std::to_string(subgraph.tensors.size())};
    }

    TensorInfo tensor(const Table& table, size_t index) {
        TensorInfo info;
        info.name = table.text(3);
        const std::string whose = "tensor " + std::to_string(index) + where_ + " " + in_quotes(info.name);
        info.type = table.number<int8_t>(1);
        const std::vector<int32_t> shape = table.vector(0).numbers<int32_t>();
        const std::vector<int32_t> open = table.vector(7).numbers<int32_t>();
        if (shape.size() > kMostRank) throw Fault{whose + " has " + std::to_string(shape.size()) + " dimensions"};
        info.shape.assign(shape.begin(), shape.end());
        for (int32_t dim : shape)
            if (dim < 0) throw Fault{whose + " has the dimension " + std::to_string(dim)};
        if (open.size() == shape.size() && std::count(open.begin(), open.end(), -1) > 0)
            for (int32_t dim : open) info.open_dims.push_back(dim == -1);
        info.variable = table.flag(5);
        const DataType dtype = data_type(info.type);
        const std::optional<int64_t> count = element_count(info.shape);
        if (!count || *count > INT64_MAX / 16) throw Fault{whose + " has an impossible shape"};
        if (const Table sparsity = table.table(6)) info.sparsity = read_sparsity(sparsity);
        info.data = data_of(table.number<uint32_t>(2), whose);
        if (const uint32_t id = table.number<uint32_t>(10)) read_external(info, id, whose);
        if (info.data && !info.sparsity && !dtype.is_void() && stored_bytes(dtype, *count) > info.data->bytes)
            throw Fault{whose + " of shape " + shape_to_string(info.shape) + " needs " +
                        std::to_string(stored_bytes(dtype, *count)) + " bytes, and its buffer has " +
                        std::to_string(info.data->bytes)};
        if (const Table quantization = table.table(4)) read_quantization(quantization, info, whose);
        return info;
    }

    void read_external(TensorInfo& info, uint32_t id, const std::string& whose) {
        const auto found = external_.find(id);
        info.external = found == external_.end() ? ExternalPlace() : found->second;
        if (info.external->file.empty())
            note(whose + " stands in external buffer " + std::to_string(id) + ", which is not there");
    }

    Sparsity read_sparsity(const Table& table) {
        Sparsity sparsity;
        sparsity.order = table.vector(0).numbers<int32_t>();
        sparsity.blocks = table.vector(1).numbers<int32_t>();
        const Vector dimensions = table.vector(2);
        for (size_t i = 0; i < dimensions.size(); ++i) {
            const Table dimension = dimensions.table(i);
            Sparsity::Dimension made;
            made.compressed = dimension.number<int8_t>(0) == 1;
            made.size = dimension.number<int32_t>(1);
            made.segments = index_list(dimension, 2);
            made.indices = index_list(dimension, 4);
            append_checked(sparsity.dimensions, std::move(made));
        }
        return sparsity;
    }

    /// A list of integers in one of three widths: its kind, and behind it the table.
    static std::vector<int64_t> index_list(const Table& dimension, int field) {
        const Table list = dimension.table(field + 1);
        std::vector<int64_t> made;
        const auto widen = [&](const auto& numbers) { made.assign(numbers.begin(), numbers.end()); };
        switch (dimension.number<uint8_t>(field)) {
            case 1: widen(list.vector(0, 4).numbers<int32_t>()); break;
            case 2: widen(list.vector(0, 2).numbers<uint16_t>()); break;
            case 3: widen(list.vector(0, 1).numbers<uint8_t>()); break;
            default: break;
        }
        return made;
    }

    void read_quantization(const Table& table, TensorInfo& info, const std::string& whose) {
        Quantization& made = info.quantization;
        if (const int details = table.number<uint8_t>(4)) {
            made.details = details == 1   ? "custom"
                           : details == 2 ? "blockwise"
                           : details == 3 ? "multi-axis"
                                          : "unknown";
            if (details == 2 || details == 3) made.block_size = table.table(5).number<int32_t>(2);
            return;
        }
        made.scales = table.vector(2).numbers<float>();
        made.zero_points = table.vector(3, 8).numbers<int64_t>();
        made.axis = table.number<int32_t>(6);
        if (made.scales.empty()) return;
        if (made.zero_points.size() != made.scales.size())
            throw Fault{whose + " has " + std::to_string(made.scales.size()) + " scales and " +
                        std::to_string(made.zero_points.size()) + " zero points"};
        if (made.scales.size() == 1) return;
        if (made.axis > 0 && info.shape.size() == 1) {  // old converters gave biases the dimension of their weights
            if (vectors_with_axes_++ == 0)
                note(whose + " has scales along dimension " + std::to_string(made.axis) +
                     " of 1: they are taken along the only one, here and in other vectors");
            made.axis = 0;
        }
        if (made.axis < 0 || size_t(made.axis) >= info.shape.size())
            throw Fault{whose + " has scales along dimension " + std::to_string(made.axis) + " of " +
                        std::to_string(info.shape.size())};
        if (int64_t(made.scales.size()) != info.shape[size_t(made.axis)])
            throw Fault{whose + " has " + std::to_string(made.scales.size()) + " scales along a dimension of " +
                        std::to_string(info.shape[size_t(made.axis)])};
    }

    Operator read_operator(const Table& table, const Subgraph& subgraph, size_t index) {
        Operator op;
        const uint32_t code = table.number<uint32_t>(0);
        if (code >= codes_.size())
            throw Fault{"operator " + std::to_string(index) + where_ + " has code " + std::to_string(code) + " of " +
                        std::to_string(codes_.size())};
        op.kind = codes_[code].kind;
        op.custom = codes_[code].custom;
        op.version = codes_[code].version;
        const std::string title = operator_title(op, index) + where_;
        op.inputs = table.vector(1).numbers<int32_t>();
        op.outputs = table.vector(2).numbers<int32_t>();
        op.intermediates = table.vector(8).numbers<int32_t>();
        require_tensors(subgraph, op.inputs, "the inputs of " + title, true);
        require_tensors(subgraph, op.outputs, "the outputs of " + title, true);
        if (op.custom) {
            op.custom_options = custom_options(table);
            op.options = read_custom_options(op.custom_options);
        } else if (table.number<uint8_t>(3) || !table.number<uint8_t>(11))
            op.options = read_options(table.table(4), table.number<uint8_t>(3), false);
        else read_second_options(table, op);
        collect_uses(op, title);
        return op;
    }

    std::string_view custom_options(const Table& table) {
        if (const Vector options = table.vector(5, 1); !options.empty()) return options.bytes();
        const uint64_t offset = table.number<uint64_t>(9), size = table.number<uint64_t>(10);
        if (offset <= 1 || size == 0) return {};
        bytes_.require_inside(offset, size);
        constexpr uint64_t kMostRead = 1 << 20;
        return size > kMostRead ? std::string_view() : bytes_.part(offset, size);
    }

    static void read_second_options(const Table& table, Operator& op) {
        constexpr int kComposite = 21;
        const Table options = table.table(12);
        const int number = table.number<uint8_t>(11);
        op.options = read_options(options, number, true);
        if (number != kComposite) return;
        std::erase_if(op.options.list, [](const Option& option) { return option.name == "composite_attributes"; });
        for (Option& each : read_custom_options(options.vector(2, 1).bytes()).list) {
            each.name = "composite." + each.name;
            op.options.list.push_back(std::move(each));
        }
    }

    /// What the options say of subgraphs: "cond_subgraph_index", "branch_subgraph_indices", "subgraph".
    void collect_uses(Operator& op, const std::string& title) {
        for (const Option& option : op.options.list) {
            const std::string_view name = option.name;
            const size_t at = name.find("subgraph");
            if (op.custom || at == std::string_view::npos || name.starts_with("composite.")) continue;
            const std::string_view role =
                at == 0 ? std::string_view("body") : std::string_view(option.name).substr(0, at - 1);
            for (int64_t index : option.integers) {
                if (index >= 0 && size_t(index) < count_) op.uses.push_back({role, uint32_t(index)});
                else note(title + " runs subgraph " + std::to_string(index) + " of " + std::to_string(count_));
            }
        }
    }

    void check_producers(const Subgraph& subgraph) const {
        constexpr uint32_t kNone = UINT32_MAX;
        std::vector<uint32_t> producer(subgraph.tensors.size(), kNone);
        for (uint32_t i = 0; i < subgraph.operators.size(); ++i)
            for (int32_t output : subgraph.operators[i].outputs) {
                if (output < 0) continue;
                const std::string title = operator_title(subgraph.operators[i], i) + where_;
                if (producer[size_t(output)] != kNone)
                    throw Fault{"tensor " + std::to_string(output) + " is made by operator " +
                                std::to_string(producer[size_t(output)]) + " and by " + title};
                if (subgraph.tensors[size_t(output)].constant())
                    throw Fault{title + " writes tensor " + std::to_string(output) + ", which is a constant"};
                producer[size_t(output)] = i;
            }
        for (int32_t input : subgraph.inputs)
            if (producer[size_t(input)] != kNone)
                throw Fault{"the input " + std::to_string(input) + where_ + " is made by operator " +
                            std::to_string(producer[size_t(input)])};
    }

    void read_signatures() {
        const Vector signatures = root_.vector(7);
        for (size_t i = 0; i < signatures.size(); ++i) {
            const Table table = signatures.table(i);
            Signature made{table.text(2), table.number<uint32_t>(4), {}, {}};
            const bool known = made.subgraph < count_;
            const size_t tensors = known ? model_.subgraphs[made.subgraph].tensors.size() : 0;
            const bool good = known && read_names(table.vector(0), tensors, made.inputs) &&
                              read_names(table.vector(1), tensors, made.outputs);
            if (good) model_.signatures.push_back(std::move(made));
            else note("signature " + in_quotes(made.key) + " names subgraphs or tensors that do not exist");
        }
    }

    static bool read_names(const Vector& maps, size_t tensors,
                           std::vector<std::pair<std::string_view, uint32_t>>& names) {
        for (size_t i = 0; i < maps.size(); ++i) {
            const Table map = maps.table(i);
            names.emplace_back(map.text(0), map.number<uint32_t>(1));
            if (names.back().second >= tensors) return false;
        }
        return true;
    }

    void read_metadata() {
        const Vector metadata = root_.vector(6);
        for (size_t i = 0; i < metadata.size(); ++i) {
            const Table each = metadata.table(i);
            const std::string_view name = each.text(0);
            model_.metadata.push_back(on_one_line(name));
            if (name != "model_control_dependencies" && name != "LiteRtStamp") continue;
            const uint32_t buffer = each.number<uint32_t>(1);
            if (buffer >= buffers_.size()) {
                note("the metadata " + in_quotes(name) + " are said to stand in buffer " + std::to_string(buffer) +
                     " of " + std::to_string(buffers_.size()));
                continue;
            }
            const std::optional<DataPlace> place = data_of(buffer, "metadata");
            const std::string_view data = place ? bytes_.part(place->begin, place->bytes) : std::string_view();
            if (name == "LiteRtStamp") read_stamp(data);
            else if (!read_control_edges(data)) {
                for (Subgraph& subgraph : model_.subgraphs) subgraph.control_edges.reset();
                note("the list of operators that wait for others is broken, and not used");
            }
        }
    }

    /// Two names of 125 bytes each.
    void read_stamp(std::string_view data) {
        constexpr size_t kName = 125;
        const auto name = [](std::string_view field) { return on_one_line(field.substr(0, field.find('\0'))); };
        model_.compiled_for = name(data.substr(0, kName));
        if (data.size() > kName) model_.compiled_for += " " + name(data.substr(kName, kName));
    }

    bool read_control_edges(std::string_view data) {
        Varints numbers(data);
        if (numbers.next() != 1) return false;
        const std::optional<uint64_t> subgraphs = numbers.next();
        if (!subgraphs || *subgraphs > numbers.left()) return false;
        for (uint64_t i = 0; i < *subgraphs; ++i) {
            const std::optional<uint64_t> count = numbers.next();
            if (!count || *count > numbers.left() / 2) return false;
            std::vector<std::pair<uint32_t, uint32_t>> edges;
            const int64_t operators = i < count_ ? int64_t(model_.subgraphs[i].operators.size()) : 0;
            for (uint64_t edge = 0; edge < *count; ++edge) {
                const std::optional<int64_t> from = numbers.next_signed(), to = numbers.next_signed();
                if (!from || !to) return false;
                if (*from < 0 || *to < 0 || *from >= operators || *to >= operators) return false;
                edges.emplace_back(uint32_t(*from), uint32_t(*to));
            }
            if (i < count_) model_.subgraphs[i].control_edges = std::move(edges);
        }
        return true;
    }

    Bytes& bytes_;
    const CancelToken& cancel_;
    Table root_;
    Vector buffers_;
    std::vector<OperatorCode> codes_;
    std::unordered_map<uint32_t, ExternalPlace> external_;
    size_t count_ = 0, tensors_ = 0;
    std::string where_;          ///< " of subgraph 2", where there are several
    int vectors_with_axes_ = 0;  ///< whose scales are said to lie along a dimension that they have not
    Model model_;
};

}  // namespace

Model read_model(Bytes& bytes, const CancelToken& cancel) { return ModelReader(bytes, cancel).read(); }

std::string operator_title(const Operator& op, size_t index) {
    return on_one_line(op.kind) + " #" + std::to_string(index);
}

}  // namespace partita::litert
