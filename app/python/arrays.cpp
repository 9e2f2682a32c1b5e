#include "app/python/arrays.h"

#include <memory>
#include <string>
#include <vector>

namespace py = pybind11;

namespace partita::python {
namespace {

/// The bytes of an array, which any thread may let go of.
class ArrayBytes : public DeferredBytes {
public:
    explicit ArrayBytes(const py::array& array)
        : bytes_of_array_(const_cast<void*>(array.data()), [owner = array.inc_ref().ptr()](void*) {
              const py::gil_scoped_acquire lock;
              Py_DECREF(owner);
          }) {}

protected:
    std::shared_ptr<void> read() override { return bytes_of_array_; }

private:
    std::shared_ptr<void> bytes_of_array_;
};

DataType data_type_of(const py::dtype& dtype, bool bfloat16) {
    if (!py::cast<bool>(dtype.attr("isnative")))
        throw py::type_error(
            "the elements' byte order is not this machine's; give array.astype(array.dtype.newbyteorder('='))");
    const auto bits = uint8_t(dtype.itemsize() * 8);
    if (bfloat16 && dtype.kind() == 'u' && bits == 16) return kBFloat16;
    switch (dtype.kind()) {
        case 'b': return kBool;
        case 'i': return {DataType::Code::Int, bits, 1};
        case 'u': return {DataType::Code::UInt, bits, 1};
        case 'f':
            if (bits >= 16 && bits <= 64) return {DataType::Code::Float, bits, 1};
            break;
        default: break;
    }
    throw py::type_error("no tensor has elements of type " +
                         py::cast<std::string>(py::str(static_cast<const py::object&>(dtype))));
}

py::dtype dtype_of(DataType type) { return py::dtype(type == kBFloat16 ? "uint16" : type.to_string()); }

}  // namespace

Tensor tensor_of(const py::array& array, bool bfloat16) {
    std::vector<int64_t> shape(array.shape(), array.shape() + array.ndim());
    const DataType type = data_type_of(array.dtype(), bfloat16);
    return {type, std::move(shape), std::make_shared<ArrayBytes>(array)};
}

py::array array_of(const Tensor& tensor) {
    auto owner = std::make_unique<Tensor>(tensor);
    void* bytes = owner->bytes();
    const py::capsule keeper(owner.release(), [](void* kept) { delete static_cast<Tensor*>(kept); });
    return {dtype_of(tensor.dtype()), tensor.shape(), bytes, keeper};
}

}  // namespace partita::python
