#include "engine/frontends/onnx/builder.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "engine/frontends/onnx/model.h"
#include "engine/ops/registry.h"
#include "engine/support/hash.h"
#include "engine/support/large_memory.h"

namespace partita::onnx {

namespace {

/// Limits of computed results; larger ones stay calls. The first is for one result, the others for their sum: a number
/// of bytes, and a multiple of the file's size.
constexpr int64_t kLargestComputed = int64_t(1) << 30, kMostComputed = int64_t(2) << 30, kMostTimesGiven = 4;
/// The number of operations computed while a model is read: some seconds.
constexpr double kMostWork = 4e9;
/// Smaller results are computed at once.
constexpr size_t kLeastDeferred = size_t(1) << 16;
/// Smaller results of constants are made as often as they are wanted.
constexpr size_t kLeastShared = size_t(1) << 12;
/// How many times the bytes of its operands a deferred result may have.
constexpr size_t kMostGrowth = 8;

TensorView view_of(const Tensor& tensor) { return {const_cast<void*>(tensor.bytes()), tensor.dtype(), tensor.shape()}; }

uint64_t hash_bytes(std::string_view bytes) {
    uint64_t hash = bytes.size();
    for (char byte : bytes) hash = hash_combine(hash, uint8_t(byte));
    return hash;
}

/// The value of a call of constants, computed when it is wanted: so a matrix that is only transposed is read by nobody
/// but a run. Once it is kept, the operands are given up.
class ComputedBytes : public DeferredBytes {
public:
    ComputedBytes(const OpRecord& op, AttributeList attributes, std::vector<Tensor> operands, DataType dtype,
                  Integers shape)
        : op_(op), attributes_(std::move(attributes)), operands_(std::move(operands)), dtype_(dtype),
          shape_(std::move(shape)), identity_(find_identity()) {}

    uint64_t identity() const override { return identity_; }

private:
    uint64_t find_identity() const {
        uint64_t hash = hash_bytes(op_.name);
        for (const AttributeValue& attribute : attributes_) hash = hash_combine(hash, attribute.hash());
        for (int64_t dimension : shape_) hash = hash_combine(hash, uint64_t(dimension));
        for (const Tensor& operand : operands_) {
            const uint64_t known = identity_of(operand);
            if (known == 0) return 0;
            hash = hash_combine(hash, known);
        }
        return hash | 1;
    }
    static uint64_t identity_of(const Tensor& operand) {
        if (!operand.in_memory() || operand.identity() != 0) return operand.identity();
        if (operand.byte_size() > kLeastDeferred) return 0;
        return hash_bytes({static_cast<const char*>(operand.bytes()), operand.byte_size()}) | 1;
    }

    std::shared_ptr<void> read() override {
        const size_t count = size_t(element_count(shape_).value_or(0)) * dtype_.bytes();
        std::shared_ptr<void> memory = allocate_large(count);
        std::vector<TensorView> inputs;
        std::vector<std::shared_ptr<const void>> lent;
        for (const Tensor& operand : operands_) {
            lent.push_back(operand.lent_bytes());
            inputs.push_back({const_cast<void*>(lent.back().get()), operand.dtype(), operand.shape()});
        }
        const TensorView output{memory.get(), dtype_, shape_};
        ThreadPool threads(1);
        const Status done = op_.kernel({inputs, std::span(&output, 1), AttributesView(op_, attributes_), threads});
        if (!done) throw DataLost("a constant can't be computed: " + op_.name + ": " + done.error().message);
        return memory;
    }
    void kept() override { operands_.clear(); }

    const OpRecord& op_;
    AttributeList attributes_;
    std::vector<Tensor> operands_;
    DataType dtype_;
    Integers shape_;
    const uint64_t identity_;
};

/// Estimates the operations that a call takes: at least one for each element of its result or, where it may read all of
/// them, of its operands.
double work_of(const Module& module, ExprId call, const OpRecord& record) {
    std::vector<TypeId> given;
    for (ExprId argument : module.arguments(call)) given.push_back(module.type(argument));
    const TypeTable& types = module.types();
    const auto elements = [&](TypeId type) {
        return types.is_tensor(type) ? double(element_count(types.shape(type)).value_or(0)) : 0;
    };
    double work = elements(module.type(call));
    if (record.pattern > OpPattern::Injective)
        for (TypeId type : given) work = std::max(work, elements(type));
    if (record.flops) work = std::max(work, record.flops(types, given, module.type(call), attributes_of(module, call)));
    return work;
}

}  // namespace

AttributeValue integer_attribute(std::span<const int64_t> values) {
    AttributeValue::List list;
    for (int64_t value : values) list.push_back(Integer{value, uint8_t(value == int32_t(value) ? 32 : 64)});
    return list;
}

ExprId Builder::constant(Tensor value) { return module_.add_constant(std::move(value)); }

ExprId Builder::constant(int64_t value, DataType dtype) {
    if (dtype != kInt64) return real(double(value), dtype);
    Tensor tensor(dtype, {});
    *tensor.data<int64_t>() = value;
    return constant(std::move(tensor));
}

ExprId Builder::real(double value, DataType dtype) {
    Tensor tensor(dtype, {});
    tensor.set(0, value);
    return constant(std::move(tensor));
}

ExprId Builder::integers(std::span<const int64_t> values, DataType dtype) {
    Tensor tensor(dtype, {int64_t(values.size())});
    for (size_t i = 0; i < values.size(); ++i) {
        if (dtype == kInt64) tensor.data<int64_t>()[i] = values[i];
        else tensor.set(int64_t(i), double(values[i]));
    }
    return constant(std::move(tensor));
}

ExprId Builder::call(std::string_view op_name, std::span<const ExprId> arguments,
                     std::initializer_list<AttributeInit> attributes) {
    OpId op = op_registry().find(op_name);
    if (!op.valid()) throw Fault{"Partita has no operator " + std::string(op_name), {}};
    const OpRecord& record = op_registry()[op];
    AttributeList list = record.default_attributes();
    for (const auto& [name, value] : attributes) {
        int index = record.attribute_index(name);
        if (index < 0) throw Fault{std::string(op_name) + " has no attribute " + std::string(name), {}};
        list[size_t(index)] = value;
    }
    std::vector<TypeId> argument_types;
    for (ExprId argument : arguments) argument_types.push_back(module_.type(argument));
    Result<TypeId> type = record.relation({module_.types(), argument_types, AttributesView(record, list)});
    if (!type) throw Fault{std::string(op_name) + ": " + type.error().message, {}};
    bounded(*type);
    const bool of_constants = (!arguments.empty() || op_name == "zeros" || op_name == "ones" || op_name == "arange") &&
                              std::all_of(arguments.begin(), arguments.end(), [&](ExprId a) { return is_known(a); });
    if (!is_shared(of_constants, *type)) return make(op, arguments, std::move(list), *type, of_constants);
    MadeCall wanted = description_of(op, list, arguments);
    const uint64_t hash = hash_of(wanted);
    for (auto [at, end] = shared_.equal_range(hash); at != end; ++at)
        if (are_same(at->second, wanted)) return at->second.result;
    wanted.result = make(op, arguments, std::move(list), *type, of_constants);
    return shared_.emplace(hash, std::move(wanted))->second.result;
}

ExprId Builder::foreign(const ForeignCall& call, std::span<const ExprId> arguments) {
    const TypeId type = call.results.size() == 1 ? call.results[0] : module_.types().tuple(call.results);
    bounded(type);
    return make(op_registry().foreign(call.op), arguments, foreign_attributes(types(), call), type, false);
}

ExprId Builder::make(OpId op, std::span<const ExprId> arguments, AttributeList attributes, TypeId type,
                     bool of_constants) {
    const OpRecord& record = op_registry()[op];
    const AttributesId id = record.attributes.empty() ? AttributesId() : module_.add_attributes(std::move(attributes));
    const ExprId made = module_.add_call(module_.add_op(op), arguments, id, type);
    if (of_constants && record.kernel)
        if (const ExprId value = fold(made); value != made) return value;
    if (!label_.empty()) module_.set_label(made, label_);
    return made;
}

/// Returns whether an argument is a constant, or a tuple of such.
bool Builder::is_known(ExprId argument) const {
    if (module_.kind(argument) != ExprKind::Tuple) return value(argument) != nullptr;
    const auto fields = module_.operands(argument);
    return std::all_of(fields.begin(), fields.end(), [&](ExprId field) { return value(field) != nullptr; });
}

bool Builder::is_shared(bool of_constants, TypeId type) const {
    if (sharing_ > 0) return true;
    if (!of_constants || !types().is_tensor(type)) return false;
    const int64_t count = element_count(types().shape(type)).value_or(0);
    return count >= int64_t(kLeastShared / types().dtype(type).bytes());
}

Builder::MadeCall Builder::description_of(OpId op, const AttributeList& attributes,
                                          std::span<const ExprId> arguments) const {
    MadeCall call{op, attributes, {}};
    for (ExprId argument : arguments) {
        if (module_.kind(argument) == ExprKind::Tuple)
            for (ExprId field : module_.operands(argument)) call.operands.push_back(field);
        else call.operands.push_back(argument);
        call.operands.push_back({});
    }
    return call;
}

/// Small constants that are in memory are the same if their values are.
static bool has_small_value(const Tensor* value) {
    return value && value->in_memory() && value->byte_size() <= kLeastDeferred;
}

uint64_t Builder::hash_of(const MadeCall& call) const {
    uint64_t hash = call.op.value;
    for (const AttributeValue& attribute : call.attributes) hash = hash_combine(hash, attribute.hash());
    for (ExprId operand : call.operands) {
        const Tensor* known = value(operand);
        const bool by_value = has_small_value(known);
        hash = hash_combine(hash, by_value ? hash_bytes({static_cast<const char*>(known->bytes()), known->byte_size()})
                                           : operand.value);
    }
    return hash;
}

bool Builder::are_same(const MadeCall& a, const MadeCall& b) const {
    const auto equal_operands = [this](ExprId x, ExprId y) {
        if (x == y) return true;
        const Tensor *left = value(x), *right = value(y);
        return has_small_value(left) && has_small_value(right) && module_.type(x) == module_.type(y) &&
               std::memcmp(left->bytes(), right->bytes(), left->byte_size()) == 0;
    };
    return a.op == b.op && a.attributes == b.attributes &&
           std::equal(a.operands.begin(), a.operands.end(), b.operands.begin(), b.operands.end(), equal_operands);
}

Builder::Builder(Module& module)
    : module_(module), bounds_(module.types()), threads_(1), most_computed_(kMostComputed) {}

bool Builder::may_hold(DataType dtype, std::span<const int64_t> shape) {
    std::optional<int64_t> count = element_count(shape);
    if (!count || *count > kLargestComputed / int64_t(dtype.bytes())) return false;
    return may_count(*count * int64_t(dtype.bytes()));
}

bool Builder::may_count(int64_t bytes) {
    if (computed_bytes_ > most_computed_ - bytes) return false;
    computed_bytes_ += bytes;
    return true;
}

void Builder::note_given(int64_t bytes) {
    const int64_t room = std::numeric_limits<int64_t>::max() - most_computed_;
    most_computed_ += std::min(bytes, room / kMostTimesGiven) * kMostTimesGiven;
}

/// Returns the value of a call of large constants, of which some were not read yet, as a constant that is computed when
/// it is wanted; invalid for other calls.
ExprId Builder::deferred(ExprId call, const OpRecord& record) {
    if (record.pattern > OpPattern::Injective || !types().is_tensor(module_.type(call))) return {};
    std::vector<Tensor> operands;
    bool unread = false;
    size_t given = 0;
    const auto take = [&](ExprId constant) {
        operands.push_back(module_.constant(constant));
        unread = unread || !operands.back().in_memory();
        given += operands.back().byte_size();
    };
    for (ExprId argument : module_.arguments(call)) {
        if (module_.kind(argument) == ExprKind::Constant) take(argument);
        else
            for (ExprId field : module_.operands(argument)) take(field);
    }
    const DataType dtype = types().dtype(module_.type(call));
    const auto dims = types().shape(module_.type(call));
    Integers shape(dims.begin(), dims.end());
    const std::optional<int64_t> count = element_count(shape);
    if (!unread || !count || *count > std::numeric_limits<int64_t>::max() / int64_t(dtype.bytes())) return {};
    const size_t bytes = size_t(*count) * dtype.bytes();
    if (bytes < kLeastDeferred || bytes / kMostGrowth > given || !may_count(int64_t(bytes))) return {};
    const AttributesView attributes = attributes_of(module_, call);
    auto value = std::make_shared<ComputedBytes>(record, attributes.values(), std::move(operands), dtype, shape);
    return constant(Tensor(dtype, std::move(shape), std::move(value)));
}

/// Returns the value of a call as a constant, or the call itself if it is too large or cannot be computed.
ExprId Builder::fold(ExprId call) {
    const OpRecord& record = *called_op_record(module_, call);
    if (const ExprId later = deferred(call, record); later.valid()) return later;
    const double work = work_of(module_, call, record);
    if (!(work <= kMostWork - work_)) return call;
    work_ += work;
    std::vector<TensorView> inputs, outputs;
    auto add_input = [&](ExprId expr) { inputs.push_back(view_of(module_.constant(expr))); };
    try {
        for (ExprId argument : module_.arguments(call)) {
            if (module_.kind(argument) == ExprKind::Constant) add_input(argument);
            else
                for (ExprId field : module_.operands(argument)) add_input(field);
        }
    } catch (const DataMissing&) {
        return call;
    }
    TypeId type = module_.type(call);
    std::vector<TypeId> result_types{type};
    if (types().is_tuple(type)) result_types.assign(types().parts(type).begin(), types().parts(type).end());
    std::vector<Tensor> results;
    for (TypeId result : result_types) {
        if (!types().is_tensor(result)) return call;
        auto shape = types().shape(result);
        if (!may_hold(types().dtype(result), shape)) return call;
        results.emplace_back(types().dtype(result), Integers(shape.begin(), shape.end()));
    }
    for (Tensor& result : results) outputs.push_back({result.bytes(), result.dtype(), result.shape()});
    if (Status status = record.kernel({inputs, outputs, attributes_of(module_, call), threads_}); !status) return call;
    if (types().is_tensor(type)) return constant(std::move(results[0]));
    std::vector<ExprId> fields;
    for (Tensor& result : results) fields.push_back(constant(std::move(result)));
    return tuple(fields);
}

TypeId Builder::bounded(TypeId type) {
    if (Status taken = bounds_.take(type); !taken) throw Fault{taken.error().message, {}};
    return type;
}

ExprId Builder::tuple(std::span<const ExprId> fields) {
    std::vector<TypeId> field_types;
    for (ExprId field : fields) field_types.push_back(module_.type(field));
    return module_.add_tuple(fields, bounded(module_.types().tuple(field_types)));
}

ExprId Builder::projection(ExprId tuple, uint32_t index) {
    if (module_.kind(tuple) == ExprKind::Tuple && index < module_.operands(tuple).size())
        return module_.operands(tuple)[index];
    TypeId type = module_.type(tuple);
    if (!types().is_tuple(type) || index >= types().parts(type).size()) throw Fault{"a result is missing", {}};
    return module_.add_projection(tuple, index, types().parts(type)[index]);
}

ExprId Builder::conditional(ExprId condition, ExprId then_value, ExprId else_value) {
    const ExprId made = module_.add_if(condition, then_value, else_value, module_.type(then_value));
    if (!label_.empty()) module_.set_label(made, label_);
    return made;
}

DataType Builder::dtype(ExprId expr) const {
    TypeId type = module_.type(expr);
    if (!types().is_tensor(type)) throw Fault{"a tensor is needed, but the value is a " + types().to_string(type), {}};
    return types().dtype(type);
}

Integers Builder::shape(ExprId expr) const {
    TypeId type = module_.type(expr);
    if (!types().is_tensor(type)) throw Fault{"a tensor is needed, but the value is a " + types().to_string(type), {}};
    auto shape = types().shape(type);
    return {shape.begin(), shape.end()};
}

Integers Builder::static_shape(ExprId expr) const {
    Integers dims = shape(expr);
    if (std::find(dims.begin(), dims.end(), kDynamicDim) != dims.end())
        throw Fault{"the shape " + shape_to_string(dims) + " must be known", {}};
    return dims;
}

const Tensor* Builder::value(ExprId expr) const {
    return expr.valid() && module_.kind(expr) == ExprKind::Constant ? &module_.constant(expr) : nullptr;
}

ExprId Builder::cast(ExprId expr, DataType wanted) {
    return dtype(expr) == wanted ? expr : call("cast", {expr}, {{"dtype", wanted}});
}

ExprId Builder::reshape(ExprId expr, std::span<const int64_t> wanted) {
    Integers now = shape(expr);
    if (std::equal(now.begin(), now.end(), wanted.begin(), wanted.end())) return expr;
    bool has_zero = std::find(wanted.begin(), wanted.end(), 0) != wanted.end();
    return call("reshape", {expr}, {{"newshape", integer_attribute(wanted)}, {"allowzero", has_zero}});
}

ExprId Builder::transpose(ExprId expr, std::span<const int64_t> axes) {
    return call("transpose", {expr}, {{"axes", integer_attribute(axes)}});
}

ExprId Builder::slice(ExprId expr, int64_t axis, int64_t begin, int64_t end) {
    return call("strided_slice", {expr},
                {{"begin", integer_attribute(std::span(&begin, 1))},
                 {"end", integer_attribute(std::span(&end, 1))},
                 {"strides", AttributeValue::List{1}},
                 {"axes", integer_attribute(std::span(&axis, 1))}});
}

ExprId Builder::concatenate(std::span<const ExprId> parts, int64_t axis) {
    return parts.size() == 1 ? parts[0] : call("concatenate", {tuple(parts)}, {{"axis", int(axis)}});
}

}  // namespace partita::onnx
