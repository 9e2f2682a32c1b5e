// Proposes operands and attributes for a new call by trying them against the op's type relation.
#include <array>
#include <functional>

#include "engine/edits/edit_support.h"
#include "engine/frontends/relay/parser.h"
#include "engine/ops/registry.h"
#include "engine/passes/infer_types.h"

namespace partita {

namespace {

/// The call in the op's example, with its module.
struct Example {
    std::optional<Module> module;
    ExprId call;
};

Example read_example(const OpRecord& record) {
    Example example;
    if (record.example.empty()) return example;
    Result<Module> read = parse_relay(record.example);
    if (!read || !infer_types(*read)) return example;
    for (uint32_t i = 0; i < read->size() && !example.call.valid(); ++i)
        if (const OpRecord* called = called_op_record(*read, ExprId(i));
            called == &record || (called && called->foreign && record.name == "opaque"))
            example.call = ExprId(i);
    if (example.call.valid()) example.module = std::move(*read);
    return example;
}

class Proposal {
public:
    Proposal(TypeTable& types, const Module& module, OpId op, std::span<const ExprId> data)
        : types_(types), module_(module), record_(op_registry()[op]), data_(data), example_(read_example(record_)) {
        call_.op = op;
    }

    /// Tries None for required lists and objects that allow it, then the attributes of the example.
    NewCall make() {
        std::optional<NewCall> fallback;
        for (bool from_example : {false, true}) {
            choose_attributes(from_example);
            call_.operands.clear();
            if (choose_operands()) return call_;
            if (!fallback || complete_) fallback = call_;
        }
        return *fallback;
    }

private:
    /// Chooses operands. Returns whether the type relation accepts them.
    bool choose_operands() {
        const size_t arity = record_.inputs.size();
        // An op with a single tuple operand takes the selection as its fields.
        if (arity == 1 && !data_.empty() && (data_.size() > 1 || !fits({module_.type(data_[0])}))) {
            NewOperand tuple;
            tuple.kind = NewOperand::Kind::Tuple;
            tuple.fields.assign(data_.begin(), data_.end());
            std::vector<TypeId> fields;
            for (ExprId field : data_) fields.push_back(module_.type(field));
            if (fits({types_.tuple(fields)})) {
                call_.operands = {tuple};
                return true;
            }
        }
        std::vector<TypeId> known;
        for (size_t i = 0; i < data_.size() && (i < arity || record_.variadic); ++i) {
            NewOperand operand;
            operand.value = data_[i];
            call_.operands.push_back(operand);
            known.push_back(module_.type(data_[i]));
        }
        const bool may_lack_last = record_.variadic && arity > 1;
        const std::vector<TypeId> chosen = complete(known, may_lack_last ? arity - 1 : arity);
        for (size_t i = known.size(); i < chosen.size(); ++i) {
            NewOperand operand;
            operand.kind = NewOperand::Kind::Parameter;
            operand.type = chosen[i];
            operand.name = record_.inputs[i];
            call_.operands.push_back(operand);
        }
        return fits(chosen);
    }

    void choose_attributes(bool from_example) {
        call_.attributes = record_.default_attributes();
        complete_ = true;
        for (size_t i = 0; i < call_.attributes.size(); ++i) {
            if (!record_.attributes[i].required || !call_.attributes[i].is_none()) continue;
            if (!from_example && may_be_none(record_.attributes[i])) continue;
            const AttributesId known = example_.module ? example_.module->attributes_id(example_.call) : AttributesId();
            if (known.valid()) call_.attributes[i] = example_.module->attributes(known)[i];
            complete_ &= known.valid();
        }
    }

    bool fits(std::vector<TypeId> arguments) {
        if (!complete_) return false;
        for (TypeId type : arguments)
            if (!type.valid()) return false;
        return bool(record_.relation({types_, arguments, AttributesView(record_, call_.attributes)}));
    }

    TypeId vector_of(DataType dtype, int64_t length) { return types_.tensor(dtype, {length}); }

    /// Returns likely types for an operand beside `data`, the likeliest first.
    std::vector<TypeId> candidates(TypeId data) {
        if (!types_.is_tensor(data)) return {data};
        std::vector<TypeId> found;
        const DataType dtype = types_.dtype(data);
        const std::vector<int64_t> shape(types_.shape(data).begin(), types_.shape(data).end());
        const size_t rank = shape.size();
        // Kernels come first where the op has one: data of the same shape would fit, too.
        if (rank > 1 && record_.inputs.size() > 1 && record_.inputs[1] == "weight") {
            for (int64_t channels : {shape[1], shape[rank - 1]}) {
                std::vector<int64_t> kernel(rank, 1);
                kernel[0] = kernel[1] = channels;
                found.push_back(types_.tensor(dtype, kernel));
            }
            found.push_back(types_.tensor(dtype, {shape[rank - 1], shape[rank - 1]}));
        }
        found.push_back(data);
        if (rank > 1) found.push_back(vector_of(dtype, shape[1]));
        if (rank > 0) found.push_back(vector_of(dtype, shape[rank - 1]));
        found.push_back(types_.tensor(dtype, {}));
        if (rank > 2) {
            std::vector<int64_t> turned = shape;
            std::swap(turned[rank - 1], turned[rank - 2]);
            found.push_back(types_.tensor(dtype, turned));
        }
        for (DataType other : {kInt32, kInt64, kBool, kFloat32}) {
            found.push_back(types_.tensor(other, shape));
            found.push_back(vector_of(other, rank ? shape[0] : 1));
            found.push_back(types_.tensor(other, {}));
        }
        return found;
    }

    TypeId example_type(size_t index) {
        if (!example_.module || index >= example_.module->arguments(example_.call).size()) return {};
        return import_type(example_.module->types(),
                           example_.module->type(example_.module->arguments(example_.call)[index]), types_);
    }

    /// Returns types for operands whose name determines them.
    TypeId by_name(const std::string& input) {
        if (input.ends_with("scale")) return types_.tensor(kFloat32, {});
        if (input.ends_with("zero_point")) return types_.tensor(kInt32, {});
        return {};
    }

    std::vector<TypeId> complete(const std::vector<TypeId>& known, size_t arity) {
        if (known.size() >= arity) return known;
        const TypeId data = known.empty() ? example_type(0) : known[0];
        const auto with = [&](TypeId rest, bool names) {
            std::vector<TypeId> types = known;
            for (size_t i = known.size(); i < arity; ++i) {
                const TypeId named = names ? by_name(record_.inputs[i]) : TypeId();
                types.push_back(named.valid() ? named : rest);
            }
            return types;
        };
        if (!known.empty())
            for (bool names : {true, false})
                for (TypeId candidate : candidates(data))
                    if (std::vector<TypeId> types = with(candidate, names); fits(types)) return types;
        std::vector<TypeId> types = known;
        for (size_t i = known.size(); i < arity; ++i) {
            const TypeId type = example_type(i);
            types.push_back(type.valid() ? type : data);
        }
        return types;
    }

    TypeTable& types_;
    const Module& module_;
    const OpRecord& record_;
    std::span<const ExprId> data_;
    Example example_;
    NewCall call_;
    bool complete_ = false;  ///< whether all required attributes are set
};

}  // namespace

NewCall propose_call(TypeTable& types, const Module& module, OpId op, std::span<const ExprId> data) {
    return Proposal(types, module, op, data).make();
}

Result<TypeId> type_of_call(TypeTable& types, const Module& module, const NewCall& call) {
    const OpRecord& record = op_registry()[call.op];
    const size_t arity = record.inputs.size();
    if (record.variadic ? call.operands.size() + 1 < arity : call.operands.size() != arity)
        return error(record.name + " takes " + std::to_string(arity) + " operands");
    AttributeList attributes = call.attributes.empty() ? record.default_attributes() : call.attributes;
    for (size_t i = 0; i < attributes.size(); ++i)
        if (attributes[i].is_none() && !may_be_none(record.attributes[i]))
            return error(record.name + " needs the attribute " + record.attributes[i].name);
    std::vector<TypeId> arguments;
    for (const NewOperand& operand : call.operands) {
        TypeId type = operand.type;
        if (operand.kind == NewOperand::Kind::Value) type = module.type(operand.value);
        if (operand.kind == NewOperand::Kind::Tuple) {
            std::vector<TypeId> fields;
            for (ExprId field : operand.fields) fields.push_back(module.type(field));
            type = types.tuple(fields);
        }
        if (!type.valid()) return error("the type of an operand is not known");
        arguments.push_back(type);
    }
    return record.relation({types, arguments, AttributesView(record, attributes)});
}

NewCall propose_call(TypeTable& types, const Module& module, OpId op, ExprId data) {
    return propose_call(types, module, op, std::span<const ExprId>(&data, 1));
}

}  // namespace partita
