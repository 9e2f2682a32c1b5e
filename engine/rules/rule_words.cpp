// The words of the rule language, each with a line of help.
#include "engine/rules/rule_checker.h"

namespace partita {

namespace {

constexpr RuleWord kNames[] = {
    {"op", "name of the operator that is called, or of the composite"},
    {"attrs", "attributes of the call: attrs.strides"},
    {"args", "arguments of the call: args[0].dtype"},
    {"result", "the call itself: result.shape"},
    {"users", "expressions that use the result"},
    {"flops", "floating-point operations of the call"},
    {"bytes", "bytes of the arguments and the result"},
    {"name", "name of the call in its file"},
    {"scope", "names around the call in its file: 'layer.3' in scope"},
    {"function", "the function around the call: function.name, function.attrs"},
};

constexpr std::string_view kDTypes[] = {"float32", "float64", "float16", "bfloat16", "int8",   "int16", "int32",
                                        "int64",   "uint8",   "uint16",  "uint32",   "uint64", "bool"};

constexpr FieldRecord kFieldRecords[] = {
    {{"dtype", "element type: 'float32'"}, RuleField::DType, kDTypeType},
    {{"shape", "dimensions; an unknown one is -1"}, RuleField::Shape, list_of(Types::Int)},
    {{"rank", "number of dimensions"}, RuleField::Rank, kIntType},
    {{"size", "number of elements"}, RuleField::Size, kIntType},
    {{"bytes", "bytes of the value"}, RuleField::Bytes, kIntType},
    {{"type", "the type as Relay prints it: 'Tensor[(1, 3), float32]'"}, RuleField::Type, kStringType},
    {{"is_constant", "whether it is a constant"}, RuleField::IsConstant, kBoolType},
    {{"is_var", "whether it is a parameter or variable"}, RuleField::IsVar, kBoolType},
    {{"kind", "'call', 'var', 'constant', 'tuple', 'projection', ..."}, RuleField::Kind, kStringType},
    {{"name", "name of a variable, or the label of a call"}, RuleField::Name, kStringType},
    {{"scope", "names around it in its file: ['encoder', 'layer.3']"}, RuleField::Scope, list_of(Types::String)},
    {{"value", "value of a constant of one element"}, RuleField::Value, kDoubleType},
    {{"values", "whole numbers of a constant of at most 64"}, RuleField::Values, list_of(Types::Int)},
    {{"flops", "floating-point operations of a call"}, RuleField::Flops, kDoubleType},
    {{"index", "which field a projection takes"}, RuleField::Index, kIntType},
    {{"fields", "fields of a tuple expression"}, RuleField::Fields, list_of(Types::Node)},
};
// Other members of an expression, which are not values but lead to further ones.
constexpr RuleWord kMembers[] = {
    {"op", "name of the operator that a producer calls, or \"\""},
    {"attrs", "attributes of a producer's call"},
    {"args", "arguments of a producer's call"},
    {"users", "expressions that use the value"},
};

constexpr RuleWord kMethods[] = {
    {"all", "list.all(x, condition): holds for every element"},
    {"exists", "list.exists(x, condition): holds for some element"},
    {"exists_one", "list.exists_one(x, condition): holds for exactly one element"},
    {"startsWith", "text.startsWith(prefix)"},
    {"endsWith", "text.endsWith(suffix)"},
    {"contains", "text.contains(part)"},
    {"size", "number of elements, or of letters"},
    {"chain", "expression.chain(n): names of n ops along first arguments, the nearest first"},
    {"skip", "expression.skip(['cast']): the producer behind calls of these ops"},
};
constexpr RuleWord kFunctions[] = {
    {"has", "has(attrs.channels): whether it is there and not null"},
    {"size", "size(list), size(text)"},
    {"product", "product(shape)"},
    {"sum", "sum(list)"},
    {"min", "min(list): the smallest element"},
    {"max", "max(list): the largest element"},
    {"int", "int(number)"},
    {"double", "double(number)"},
    {"string", "string(value)"},
};

}  // namespace

std::span<const FieldRecord> rule_field_records() { return kFieldRecords; }

std::span<const RuleWord> rule_names() { return kNames; }

std::span<const RuleWord> rule_fields() {
    static const std::vector<RuleWord> words = [] {
        std::vector<RuleWord> all;
        for (const FieldRecord& record : kFieldRecords) all.push_back(record.word);
        all.insert(all.end(), std::begin(kMembers), std::end(kMembers));
        return all;
    }();
    return words;
}

std::span<const RuleWord> rule_methods() { return kMethods; }
std::span<const RuleWord> rule_functions() { return kFunctions; }

std::span<const std::string_view> dtype_names() { return kDTypes; }
std::string dtype_suggestion(std::string_view word) {
    std::string_view near = nearest_spelling(word, kDTypes);
    return near.empty() ? std::string() : "; did you mean '" + std::string(near) + "'?";
}

}  // namespace partita
