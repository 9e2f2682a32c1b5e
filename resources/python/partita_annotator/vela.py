"""Files of rules as Vela (Arm Ethos-U) has them: a class with `is_operator_supported(op)` or
`is_operator_semantic_valid(op)`, over operators and tensors of a TFLite file. Views of these, and the modules that such
files import."""
import re
import types

from . import arrays

_NAMES = {
    "ADD_N": "AddN", "AVERAGE_POOL_2D": "AvgPool", "BATCH_MATMUL": "BatchMatMul",
    "BATCH_TO_SPACE_ND": "BatchToSpaceND", "CONCATENATION": "ConcatTFLite", "CONV_2D": "Conv2DBias",
    "DEPTHWISE_CONV_2D": "DepthwiseConv2DBias", "GATHER": "GatherV2", "L2_NORMALIZATION": "L2Norm",
    "LOGISTIC": "Sigmoid", "MAX_POOL_2D": "MaxPool", "RELU_N1_TO_1": "ReluN1To1", "RELU_0_TO_1": "Relu0To1",
    "SPACE_TO_BATCH_ND": "SpaceToBatchND", "TRANSPOSE_CONV": "Conv2DBackpropInput", "PADV2": "PadV2",
    "SELECT_V2": "SelectV2", "REVERSE_V2": "ReverseV2", "TOPK_V2": "TopKV2", "SPLIT_V": "SplitV",
}
_WEIGHTED = {"CONV_2D": (0, 1, 2), "DEPTHWISE_CONV_2D": (0, 1, 2), "FULLY_CONNECTED": (0, 1, 2),
             "TRANSPOSE_CONV": (2, 1, 3)}
_BINARY = {"ADD", "SUB", "MUL", "MINIMUM", "MAXIMUM", "SQUARED_DIFFERENCE", "CONCATENATION", "PACK"}
_NO_INPUT = {"WHILE", "IF", "CALL_ONCE", "CALL"}
UNKNOWN = "UNKNOWN"
_KINDS = ("Conv2D Conv2DBias QuantizedConv2D DepthwiseConv2DBias Conv2DBackpropInput AvgPool QuantizedAvgPool MaxPool "
          "QuantizedMaxPool Tanh Sigmoid Softmax LUT HardSwish Relu Relu6 ReluN1To1 Relu0To1 LeakyRelu Prelu Clip ResizeBilinear ResizeNearestNeighbor Add "
          "Sub Mul Minimum Maximum Abs CLZ SHL SHR").split()


def _vela_name(tflite):
    return _NAMES.get(tflite) or "".join(word[:1] + word[1:].lower() for word in tflite.split("_"))


_TFLITE = {name: tflite for tflite, name in _NAMES.items()}


class _Members(type):
    """Every name of the class is a member, made when it is first used."""

    def __getattr__(cls, name):
        if name.startswith(("_", "is_")):
            raise AttributeError(name)
        made = cls(name)
        setattr(cls, name, made)
        return made


class Op(metaclass=_Members):
    """A kind of operator."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "Op." + self.name

    def __lt__(self, other):
        return self.name < other.name

    def _is(self, *names):
        return self.name in names

    @classmethod
    def op_set(cls, holds):
        """The kinds for which a predicate holds, of those that it may hold for."""
        return {kind for kind in map(lambda name: getattr(cls, name), _KINDS) if holds(kind)}

    def is_conv2d_op(self):
        return self._is("Conv2D", "Conv2DBias", "QuantizedConv2D")

    def is_depthwise_conv2d_op(self):
        return self._is("DepthwiseConv2D", "DepthwiseConv2DBias")

    def is_avgpool_op(self):
        return self._is("AvgPool", "QuantizedAvgPool")

    def is_maxpool_op(self):
        return self._is("MaxPool", "QuantizedMaxPool")

    def is_pool_op(self):
        return self.is_avgpool_op() or self.is_maxpool_op()

    def is_relu_op(self):
        return self.name.startswith("Relu") or self._is("LeakyRelu", "Prelu", "Clip")

    def is_resize_op(self):
        return self._is("ResizeBilinear", "ResizeNearestNeighbor")

    def is_unary_elementwise_op(self):
        return self._is("Abs", "LeakyRelu", "CLZ")

    def is_binary_elementwise_op(self):
        return self._is("Add", "Sub", "Mul", "Minimum", "Maximum", "SHL", "SHR")

    def is_elementwise_op(self):
        return self.is_unary_elementwise_op() or self.is_binary_elementwise_op()

    def is_activation_op(self):
        return self.is_relu_op() or self._is("Tanh", "Sigmoid", "Softmax", "LUT", "HardSwish")

    def is_split_op(self):
        return self._is("Split", "SplitV", "StridedSlice", "Slice", "UnpackReshaped")

    def is_concat_op(self):
        return self._is("Concat", "ConcatTFLite", "PackReshaped", "Pack")


class Padding(metaclass=_Members):
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "Padding." + self.name


class DataType(metaclass=_Members):
    """An element type: `DataType.int8`."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return self.name

    def __lt__(self, other):
        return self.name < other.name

    def size_in_bits(self):
        digits = re.sub(r"\D", "", self.name)
        return int(digits) if digits else 8

    def size_in_bytes(self):
        return self.size_in_bits() // 8

    @property
    def bits(self):
        return self.size_in_bits()

    @property
    def type(self):
        return BaseType.SignedInt if self.name.startswith("int") else (
            BaseType.UnsignedInt if self.name.startswith("uint") else getattr(BaseType, self.name))


class BaseType(metaclass=_Members):
    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return "BaseType." + self.name

    def __and__(self, other):
        return self if other.name in ("Int", self.name) and self.name in ("SignedInt", "UnsignedInt") else None


class Quantization:
    def __init__(self, scales, zero_points):
        self._scales, self._zeros = scales, zero_points
        self.scale_f32, self.zero_point = (_one_or_more(values) for values in (scales, zero_points))
        self.quant_dim, self.min, self.max, self.quant_min, self.quant_max = 0, None, None, None, None

    def is_per_axis(self):
        return len(self._scales) > 1 or len(self._zeros) > 1

    def is_valid(self):
        return bool(self._scales)

    def is_scaling_equal(self, other):
        return other is not None and self._scales == other._scales and self._zeros == other._zeros


def _one_or_more(values):
    if not values:
        return None
    if len(values) == 1:
        return values[0]
    numpy = arrays.real_numpy()
    kind = "float32" if isinstance(values[0], float) else "int64"
    return numpy.array(values) if numpy is not None else arrays.SmallArray((len(values),), kind, list(values))


class Tensor:
    def __init__(self, name, type_, quantization, constant=None, axes=None):
        self.name, self._constant, self._axes = name, constant, axes
        shape = [dim if isinstance(dim, int) else int(dim) for dim in type_.shape] if type_ is not None else []
        self.shape = [shape[axis] for axis in axes] if axes else shape
        self.dtype = getattr(DataType, type_.dtype if type_ is not None else "unknown")
        self.quantization = quantization
        self.ops, self.consumer_list = [], []
        self._values = False

    @property
    def values(self):
        if self._values is False:
            self._values = None if self._constant is None else self._constant.data.numpy()
            if self._axes and self._values is not None:
                self._values = _turned(self._values, self._axes)
            elif self._values is not None and not self.shape:
                self._values = self._values.item()
        return self._values

    def has_fully_defined_shape(self):
        return all(dim >= 0 for dim in self.shape)

    def element_size(self):
        return self.dtype.size_in_bits() / 8

    def is_quantized(self):
        return self.quantization is not None and self.quantization.is_valid()

    def get_shape_as_2d(self, last):
        rows, rest = divmod(self.elements(), last)
        return [rows, last] if not rest else None

    def elements(self):
        return shape_num_elements(self.shape)

    def __repr__(self):
        return "tensor %s of %s %s" % (self.name, self.dtype, self.shape)


def _turned(values, axes):
    if hasattr(values, "transpose"):
        return values.transpose(axes)
    shape, flat = list(values.shape), values.flatten().tolist()
    strides, step = [], 1
    for dim in reversed(shape):
        strides.insert(0, step)
        step *= dim
    turned, made = [shape[axis] for axis in axes], []
    for index in range(len(flat)):
        place, rest = 0, index
        for axis in reversed(range(len(turned))):
            place += rest % turned[axis] * strides[axes[axis]]
            rest //= turned[axis]
        made.append(flat[place])
    return arrays.SmallArray(turned, values.dtype, made)


class Kernel:
    def __init__(self, width, height, stride, dilation):
        self.width, self.height = width, height
        self.stride = types.SimpleNamespace(x=stride[0], y=stride[1])
        self.dilation = types.SimpleNamespace(x=dilation[0], y=dilation[1])

    def elements_wh(self):
        return self.width * self.height

    def area_width(self):
        return (self.width - 1) * self.dilation.x + 1

    def area_height(self):
        return (self.height - 1) * self.dilation.y + 1

    def dilated_wh(self):
        return self.area_width(), self.area_height()


class Operation:
    """An operator of the file."""

    def __init__(self, name, tflite, attrs, inputs, outputs):
        self.name, self.tflite, self.type = name, tflite, getattr(Op, _vela_name(tflite))
        self.attrs, self.inputs, self.outputs = attrs, inputs, outputs
        self.intermediates, self.activation, self.version = [], None, attrs.get("version", 1)
        fused = attrs.get("fused_activation_function", "NONE")
        if isinstance(fused, str) and fused != "NONE":
            self.activation = types.SimpleNamespace(op_type=getattr(Op, _vela_name(fused)))
        places = _WEIGHTED.get(tflite)
        self.ifm = self.weights = self.bias = self.ifm2 = None
        if places:
            self.ifm, self.weights, self.bias = (self._input(place) for place in places)
        elif tflite not in _NO_INPUT:
            self.ifm = self._input(1 if tflite == "SPLIT" else 0)
            self.ifm2 = self._input(1) if tflite in _BINARY else None
        self.ofm = outputs[0] if outputs else None
        self.kernel = self._kernel()

    original_type = property(lambda self: self.type)
    ifm_shapes = property(lambda self: [tensor.shape for tensor in (self.ifm, self.ifm2) if tensor])
    ofm_shapes = property(lambda self: [tensor.shape for tensor in self.outputs])

    def _input(self, place):
        return self.inputs[place] if place < len(self.inputs) else None

    def _kernel(self):
        attrs = self.attrs
        width, height = attrs.get("filter_width", 1), attrs.get("filter_height", 1)
        if self.weights is not None and len(self.weights.shape) >= 4:
            height, width = self.weights.shape[:2]
        return Kernel(width, height, (attrs.get("stride_w", 1), attrs.get("stride_h", 1)),
                      (attrs.get("dilation_w_factor", 1), attrs.get("dilation_h_factor", 1)))

    def get_kernel_stride(self):
        return self.kernel.stride.x, self.kernel.stride.y

    def get_kernel_size(self):
        return self.kernel.width, self.kernel.height

    def get_kernel_dilation(self):
        return self.kernel.dilation.x, self.kernel.dilation.y

    def get_ifm_ifm2_weights_ofm(self):
        return self.ifm, self.ifm2, self.weights, self.ofm

    def get_ifm_weights_ofm(self):
        return self.ifm, self.weights, self.ofm

    def get_ifm_weights_biases_ofm(self):
        return self.ifm, self.weights, self.bias, self.ofm

    def get_ifm_ofm(self):
        return self.ifm, self.ofm

    def get_ifm_ifm2_ofm(self):
        return self.ifm, self.ifm2, self.ofm

    def __repr__(self):
        return "%s %s" % (self.tflite, self.name)


_CONSTANT_MAKER = types.SimpleNamespace(type=Op.Const, name="", inputs=[], outputs=[])


class File:
    """The operators of the module that was sent, by the ids of their calls."""

    def __init__(self, module):
        self.module, self.operations, self.tensors = module, {}, {}
        for number in module.calls():
            self._add(number)

    def _quantization(self, attrs, of, place):
        scales, zeros = attrs.get(of + "scales") or [], attrs.get(of + "zero_points") or []
        if place >= len(scales) or not scales[place]:
            return None
        return Quantization(list(scales[place]), list(zeros[place]) if place < len(zeros) else [])

    def _tensor(self, number, quantization, axes):
        key = (number, axes)
        if key not in self.tensors:
            view = self.module[number]
            raw = self.module.raw(number)
            is_constant = raw["kind"] == "constant"
            made = Tensor(raw.get("name") or "constant %d" % number, view.checked_type, quantization,
                          view if is_constant else None, axes)
            if is_constant:
                made.ops = [_CONSTANT_MAKER]
            self.tensors[key] = made
        return self.tensors[key]

    def _add(self, number):
        module, raw = self.module, self.module.raw(number)
        attrs = dict(module.plain_attributes(number))
        tflite = module.raw(raw["operands"][0])["name"]
        places = _WEIGHTED.get(tflite)
        inputs, absent = [], list(attrs.pop("absent", []))
        for place, operand in enumerate(raw["operands"][1:]):
            while len(inputs) in absent:
                inputs.append(None)
            if module.raw(operand)["kind"] == "tuple":
                continue
            axes = None
            if places and len(inputs) == places[1]:
                rank = len(module[operand].checked_type.shape)
                axes = {4: (1, 2, 3, 0), 2: (1, 0)}.get(rank)
            inputs.append(self._tensor(operand, self._quantization(attrs, "", place), axes))
        while len(inputs) in absent:
            inputs.append(None)
        for name in ("padding",):
            if isinstance(attrs.get(name), str):
                attrs[name] = getattr(Padding, attrs[name])
        if "stride_w" in attrs:
            attrs["strides"] = (1, attrs["stride_h"], attrs["stride_w"], 1)
        if "filter_width" in attrs:
            attrs["ksize"] = (1, attrs["filter_height"], attrs["filter_width"], 1)
        if "dilation_w_factor" in attrs:
            attrs["dilation"] = (1, attrs["dilation_h_factor"], attrs["dilation_w_factor"], 1)
        outputs = []
        for place, made in enumerate(module.results_of(number)):
            tensor = self._tensor(made, self._quantization(attrs, "result_", place), None)
            outputs.append(tensor)
        for name in ("scales", "zero_points", "result_scales", "result_zero_points"):
            attrs.pop(name, None)
        made = Operation(raw.get("name") or tflite, tflite, attrs, inputs, outputs)
        for tensor in outputs:
            tensor.ops = [made]
            tensor.name = tensor.name if tensor.name != "constant" else made.name
        for tensor in inputs:
            if tensor is not None:
                tensor.consumer_list.append(made)
        self.operations[number] = made


# What such files import.

def docstring_format_args(args):
    def decorate(function):
        inner = getattr(function, "__func__", function)
        inner.__doc__ = (inner.__doc__ or "").format(*args)
        return function

    return decorate


def list_formatter(values):
    return ", ".join(sorted(str(value) for value in values))


def optype_to_builtintype(kind):
    if kind.name in _TFLITE:
        return _TFLITE[kind.name]
    words = re.findall(r"[A-Z][a-z0-9]*", kind.name)
    return "_".join(word.upper() for word in words) or UNKNOWN


def check_quantized_tens_scaling_equal(a, b):
    return bool(a.quantization and b.quantization and a.quantization.is_scaling_equal(b.quantization))


def shape_num_elements(shape):
    count = 1
    for dim in shape:
        count *= dim
    return count


def calc_resize_factor(width, stride):
    for rest in (2, 3):
        if stride % rest == 0 and width % (stride // rest) == 0:
            return stride // rest, rest
    return 1, stride


def full_shape(rank, shape, fill):
    return [fill] * (rank - len(shape)) + list(shape)


def get_slice_offsets(shape, offsets, mask, is_begin=True):
    values = [int(value) for value in offsets.values]
    made = []
    for axis, dim in enumerate(shape):
        value = values[axis] if axis < len(values) else (0 if is_begin else dim)
        if mask >> axis & 1:
            value = 0 if is_begin else dim
        made.append(min(max(value + dim if value < 0 else value, 0), dim))
    return made


def modules():
    """Name -> what is in it, of the modules beside a file of rules."""
    return {
        "data_type": {"DataType": DataType, "BaseType": BaseType},
        "operation": {"Op": Op, "Padding": Padding, "Operation": Operation, "get_slice_offsets": get_slice_offsets},
        "numeric_util": {"full_shape": full_shape, "is_integer": lambda number: number == int(number)},
        "supported_operators_util": {"docstring_format_args": docstring_format_args, "list_formatter": list_formatter},
        "tensor": {"check_quantized_tens_scaling_equal": check_quantized_tens_scaling_equal, "Tensor": Tensor,
                   "shape_num_elements": shape_num_elements,
                   "QuantizationParameters": Quantization},
        "tflite_mapping": {"BUILTIN_OPERATOR_UNKNOWN": UNKNOWN, "optype_to_builtintype": optype_to_builtintype},
        "utils": {"calc_resize_factor": calc_resize_factor},
    }


class Refusal:
    """A verdict that is no, with the words of the file."""

    def __init__(self, words):
        self.words = words

    def __bool__(self):
        return False


def _failing(checker, operation):
    """The constraint that an operator does not meet, with its value; nothing where its kind alone decides."""
    exceptions = getattr(checker, "generic_constraints_exceptions", {}).get(operation.type, ())
    generic = [each for each in getattr(checker, "generic_constraints", ()) if each not in exceptions]
    specific = getattr(checker, "specific_constraints", {})
    for constraint in generic + list(specific[operation.type] if operation.type in specific else ()):
        value = constraint(operation)
        if not (value[0] if isinstance(value, tuple) else value):
            return constraint, value
    return None


def rule_of(checker, method):
    """A rule over calls of a class that has one over operations."""
    def rule(call):
        operation = call._module.file(File).operations[call._id]
        if getattr(checker, method)(operation):
            return True
        found = _failing(checker, operation)
        if found is None:
            getattr(checker, method)(operation)  # what was called last is what is traced
            return Refusal("%s is not supported" % operation.tflite)
        said = (found[0].__doc__ or "").strip()
        extra = found[1][1] if isinstance(found[1], tuple) and len(found[1]) > 1 else ""
        return Refusal("%s%s" % (said, " (%s)" % extra if extra else ""))

    return rule
