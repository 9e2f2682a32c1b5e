#include "engine/frontends/torch/weights.h"

#include <algorithm>
#include <cstring>

#include "engine/frontends/onnx/model.h"
#include "engine/support/hash.h"
#include "engine/support/large_memory.h"
#include "engine/support/one_line.h"

namespace partita::torch {

namespace {

/// A strided view of a part of a file, read as a dense tensor.
class StoredBytes : public DeferredBytes {
public:
    StoredBytes(std::shared_ptr<const SourceFile> file, StoredTensor tensor, uint64_t elements)
        : file_(std::move(file)), tensor_(std::move(tensor)), elements_(elements) {}

    uint64_t identity() const override {
        uint64_t hash = hash_combine(file_->identity(), tensor_.place);
        hash = hash_combine(hash, uint64_t(tensor_.offset));
        for (const auto* list : {&tensor_.shape, &tensor_.strides})
            for (int64_t number : *list) hash = hash_combine(hash, uint64_t(number));
        return hash_combine(hash, tensor_.dtype.bytes()) | 1;
    }

private:
    std::shared_ptr<void> read() override {
        const size_t width = tensor_.dtype.bytes();
        std::shared_ptr<void> memory = allocate_large(elements_ * width);
        if (elements_ == 0) return memory;
        uint64_t last = 0, dense = 1;
        bool is_dense = true;
        for (size_t i = tensor_.shape.size(); i-- > 0;) {
            last += uint64_t(tensor_.shape[i] - 1) * uint64_t(tensor_.strides[i]);
            is_dense = is_dense && (tensor_.shape[i] == 1 || uint64_t(tensor_.strides[i]) == dense);
            dense *= uint64_t(tensor_.shape[i]);
        }
        std::shared_ptr<void> read = is_dense ? memory : allocate_large((last + 1) * width);
        const uint64_t begin = tensor_.place + uint64_t(tensor_.offset) * width;
        if (Status done = file_->read(begin, (last + 1) * width, read.get()); !done)
            throw DataLost("the data of " + in_quotes(file_->path()) +
                           " can't be read any more: " + done.error().message + "; open the model again");
        if (!is_dense) gather(static_cast<const char*>(read.get()), static_cast<char*>(memory.get()), width);
        return memory;
    }

    void gather(const char* from, char* to, size_t width) const {
        std::vector<int64_t> at(tensor_.shape.size());
        for (uint64_t i = 0, place = 0; i < elements_; ++i) {
            std::memcpy(to + i * width, from + place * width, width);
            for (size_t axis = at.size(); axis-- > 0;) {
                place += uint64_t(tensor_.strides[axis]);
                if (++at[axis] < tensor_.shape[axis]) break;
                place -= uint64_t(tensor_.shape[axis]) * uint64_t(tensor_.strides[axis]);
                at[axis] = 0;
            }
        }
    }

    std::shared_ptr<const SourceFile> file_;
    StoredTensor tensor_;
    uint64_t elements_;
};

/// Values that nobody has.
class NoBytes : public DeferredBytes {
public:
    explicit NoBytes(std::string why) : why_(std::move(why)) {}
    uint64_t identity() const override { return std::hash<std::string>()(why_) | 1; }

private:
    std::shared_ptr<void> read() override { throw onnx::DataMissing(why_); }

    std::string why_;
};

std::vector<int64_t> values(const std::vector<Size>& sizes) {
    std::vector<int64_t> list;
    for (const Size& size : sizes) list.push_back(size.expression.empty() ? size.value : -1);
    return list;
}

/// Returns what is wrong with a view of a storage; "" if all of it lies inside.
std::string fault_of(const StoredTensor& tensor, const TensorMeta& meta, const std::vector<int64_t>& shape) {
    if (!tensor.fault.empty()) return tensor.fault;
    if (tensor.shape != shape || !(tensor.dtype == meta.dtype))
        return "it is stored as " + tensor.dtype.to_string() + " " + shape_to_string(tensor.shape);
    if (tensor.strides.size() != shape.size()) return "it has not as many strides as dimensions";
    int64_t last = tensor.offset, reach = 0;
    bool is_empty = false, overflows = tensor.offset < 0;
    for (size_t i = 0; i < shape.size(); ++i) {
        is_empty = is_empty || shape[i] == 0;
        overflows = overflows || tensor.strides[i] < 0 ||
                    __builtin_mul_overflow(std::max<int64_t>(shape[i] - 1, 0), tensor.strides[i], &reach) ||
                    __builtin_add_overflow(last, reach, &last);
    }
    if (is_empty) return "";
    if (tensor.bytes == 0) return "it was saved without values";
    if (overflows || uint64_t(last) >= tensor.bytes / tensor.dtype.bytes()) return "it reaches out of its record";
    return "";
}

}  // namespace

Status Weights::add_config(const Member& config) {
    Result<std::string> text = archive_.read(config);
    if (!text) return text.error();
    const Result<JsonValue> json = read_python_json(*text);
    if (!json) return error(config.name + ": " + json.error().message);
    const JsonValue* entries = json->member("config");
    const std::string folder = config.name.substr(0, config.name.rfind('/') + 1);
    if (!entries) return error(config.name + " has no \"config\"");
    for (const JsonMember& entry : entries->members) {
        StoredTensor& tensor = tensors_[entry.key];
        const JsonValue *path = entry.value.member("path_name"), *pickled = entry.value.member("use_pickle"),
                        *described = entry.value.member("tensor_meta");
        const Member* member = path ? archive_.find(folder + path->text) : nullptr;
        if (pickled && pickled->boolean) tensor.fault = "its record is a pickle, and pickles are not run";
        else if (!member) tensor.fault = "there is no record " + in_quotes(path ? path->text : "");
        else if (!member->is_stored()) tensor.fault = "its record is compressed";
        else if (!described || !described->is(JsonValue::Kind::Object)) tensor.fault = "it is no tensor";
        if (!tensor.fault.empty()) continue;
        Layout layout;
        const TensorMeta meta = tensor_meta(*described, false, &layout);
        tensor.dtype = meta.dtype;
        tensor.shape = values(meta.sizes);
        tensor.strides = values(layout.strides);
        tensor.offset = layout.offset.value;
        tensor.place = member->place;
        tensor.bytes = member->size;
    }
    return Nothing();
}

Status Weights::add_pickle(const Member& member) {
    const Result<Archive> inner = archive_.inside(member);
    if (!inner) return error(member.name + ": " + inner.error().message);
    for (const Member& each : inner->members()) {
        if (!each.name.ends_with("/data.pkl")) continue;
        const Result<std::string> pickle = inner->read(each);
        if (!pickle) return pickle.error();
        Result<StoredTensors> read = read_pickle(*pickle, *inner, each.name.substr(0, each.name.size() - 8));
        if (!read) return error(member.name + ": " + read.error().message);
        tensors_.merge(*read);
        return Nothing();
    }
    return error(member.name + " holds no pickle of torch.save");
}

Tensor Weights::tensor(std::string_view name, const TensorMeta& meta, const std::vector<int64_t>& shape,
                       std::vector<std::string>& warnings) const {
    const auto found = tensors_.find(name);
    const std::string fault =
        found == tensors_.end() ? "the file does not hold them" : fault_of(found->second, meta, shape);
    if (fault.empty())
        return Tensor(
            meta.dtype, shape,
            std::make_shared<StoredBytes>(archive_.file(), found->second, uint64_t(element_count(shape).value_or(0))));
    warnings.push_back("the values of " + in_quotes(name) + " are missing: " + fault);
    return Tensor(meta.dtype, shape, std::make_shared<NoBytes>(warnings.back()));
}

}  // namespace partita::torch
