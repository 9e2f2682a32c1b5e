"""Read-only views of the module's expressions, with the names, types and spellings of TVM 0.9's Relay.

A view is made when it is first asked for. `ModuleView.touched` collects the expressions whose operands a rule looked
at, so that the host can tell on how much of the graph a verdict depends.
"""
import base64


class Lacks(Exception):
    """Raised where a file uses what is not there: `no tvm.relay.X`."""


class Object:
    """What is equal to itself alone, as TVM's objects are."""

    __slots__ = ()

    def same_as(self, other):
        return self is other


# Numbers.

def _number(value):
    return value.value if isinstance(value, (IntImm, FloatImm)) else value


class PrimExpr(Object):
    __slots__ = ()


class _Const(PrimExpr):
    __slots__ = ("value", "dtype")

    def __init__(self, dtype, value):
        self.dtype, self.value = dtype, value

    def __hash__(self):
        return hash(self.value)

    def __eq__(self, other):
        return not isinstance(other, Any) and self.value == _number(other)

    def __ne__(self, other):
        return not self == other

    def __lt__(self, other):
        return self.value < _number(other)

    def __le__(self, other):
        return self.value <= _number(other)

    def __gt__(self, other):
        return self.value > _number(other)

    def __ge__(self, other):
        return self.value >= _number(other)

    def __bool__(self):
        return bool(self.value)

    def __int__(self):
        return int(self.value)

    def __float__(self):
        return float(self.value)

    def __repr__(self):
        return repr(self.value)

    def _made(self, value):
        return type(self)(self.dtype, value) if isinstance(value, (int, float)) else value

    def __add__(self, other):
        return self._made(self.value + _number(other))

    def __radd__(self, other):
        return self._made(_number(other) + self.value)

    def __sub__(self, other):
        return self._made(self.value - _number(other))

    def __rsub__(self, other):
        return self._made(_number(other) - self.value)

    def __mul__(self, other):
        return self._made(self.value * _number(other))

    def __rmul__(self, other):
        return self._made(_number(other) * self.value)

    def __floordiv__(self, other):
        return self._made(self.value // _number(other))

    def __rfloordiv__(self, other):
        return self._made(_number(other) // self.value)

    def __mod__(self, other):
        return self._made(self.value % _number(other))

    def __rmod__(self, other):
        return self._made(_number(other) % self.value)

    def __truediv__(self, other):
        return self.value / _number(other)

    def __rtruediv__(self, other):
        return _number(other) / self.value

    def __neg__(self):
        return self._made(-self.value)

    def __abs__(self):
        return self._made(abs(self.value))


class IntImm(_Const):
    __slots__ = ()

    def __index__(self):
        return int(self.value)


class FloatImm(_Const):
    __slots__ = ()


class Any(PrimExpr):
    """A dimension that is not known."""

    __slots__ = ()
    dtype = "int32"

    def __repr__(self):
        return "?"

    def _refuse(self, other=None):
        raise ValueError("a dimension that is not known has no value here")

    __lt__ = __le__ = __gt__ = __ge__ = __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __int__ = __index__ = __float__ = __bool__ = _refuse


_INTS = {}


def int_imm(value, dtype="int32"):
    made = _INTS.get((value, dtype))
    if made is None:
        made = _INTS[(value, dtype)] = IntImm(dtype, value)
    return made


class Array(Object):
    """A list that can't be changed. As TVM's it is equal to itself alone: `list(array) == [1, 1]`."""

    __slots__ = ("_items",)

    def __init__(self, items):
        self._items = tuple(items)

    def __len__(self):
        return len(self._items)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return list(self._items[index])
        return self._items[int(index)]

    def __iter__(self):
        return iter(self._items)

    def __contains__(self, value):
        return any(item is value or item == value for item in self._items)

    def __add__(self, other):
        return list(self._items) + list(other)

    def __radd__(self, other):
        return list(other) + list(self._items)

    def __repr__(self):
        return "[" + ", ".join(map(repr, self._items)) + "]"


def array_of(values):
    return Array(attribute_item(value) for value in values)


def attribute_item(value):
    """What stands in a list, or in a field of TVM's type Object."""
    if isinstance(value, bool):
        return int_imm(int(value), "bool")
    if isinstance(value, int):
        return int_imm(value)
    if isinstance(value, float):
        return FloatImm("float64", value)
    if isinstance(value, list):
        return array_of(value)
    return value


# Types.

class Type(Object):
    __slots__ = ()

    def __eq__(self, other):
        return isinstance(other, Type) and repr(self) == repr(other)

    def __hash__(self):
        return hash(repr(self))


class TensorType(Type):
    __slots__ = ("shape", "dtype")

    def __init__(self, shape, dtype="float32"):
        self.shape = shape if isinstance(shape, Array) else Array(
            int_imm(dim) if isinstance(dim, int) else dim for dim in shape)
        self.dtype = dtype

    @property
    def concrete_shape(self):
        return tuple(int(dim) for dim in self.shape)

    def __repr__(self):
        if not len(self.shape):
            return self.dtype
        return "Tensor[(%s), %s]" % (", ".join(map(repr, self.shape)), self.dtype)


class TupleType(Type):
    __slots__ = ("fields",)

    def __init__(self, fields):
        self.fields = Array(fields)

    def __repr__(self):
        return "(" + ", ".join(map(repr, self.fields)) + ("," if len(self.fields) == 1 else "") + ")"


class FuncType(Type):
    __slots__ = ("arg_types", "ret_type")

    def __init__(self, arg_types, ret_type, type_params=None, type_constraints=None):
        self.arg_types, self.ret_type = Array(arg_types), ret_type

    def __repr__(self):
        return "fn (%s) -> %r" % (", ".join(map(repr, self.arg_types)), self.ret_type)


class RelayRefType(Type):
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return "ref(%r)" % (self.value,)


_ANY = Any()


def type_of(raw):
    """The type of a JSON object."""
    if raw is None:
        return None
    if "dtype" in raw:
        return TensorType(Array(_ANY if dim is None else int_imm(dim) for dim in raw["shape"]), raw["dtype"])
    if "tuple" in raw:
        return TupleType(type_of(part) for part in raw["tuple"])
    if "reference" in raw:
        return RelayRefType(type_of(raw["reference"]))
    return FuncType([type_of(part) for part in raw["parameters"]], type_of(raw["result"]))


# Attributes.

class Attrs(Object):
    """The attributes of a call: `attrs.groups`, `attrs["groups"]`."""

    __slots__ = ("_values", "_kinds", "_made")

    def __init__(self, values, kinds):
        self._values, self._kinds, self._made = values, kinds, {}

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = self._made
        if name in made:
            return made[name]
        if name not in self._values:
            raise AttributeError("relay.attrs.%s has no attribute %s" % (type(self).__name__, name))
        made[name] = value = self._convert(name)
        return value

    def _convert(self, name):
        value = self._values[name]
        if isinstance(value, bool):  # TVM hands out a number
            return int(value)
        if isinstance(value, list):
            return array_of(value)
        return attribute_item(value) if self._kinds.get(name) == "object" else value

    def __getitem__(self, name):
        try:
            return getattr(self, name)
        except AttributeError as fault:
            raise KeyError(str(fault)) from None

    def __contains__(self, name):
        return name in self._values

    def __len__(self):
        return len(self._values)

    def keys(self):
        return list(self._values)

    def values(self):
        return [self[key] for key in self._values]

    def items(self):
        return [(key, self[key]) for key in self._values]

    def get(self, name, default=None):
        return self[name] if name in self._values else default

    def get_int_tuple(self, name):
        return tuple(int(value) for value in self[name])

    def get_int(self, name):
        return int(self[name])

    def get_str(self, name):
        return str(self[name])

    def __iter__(self):
        return iter(self._values)

    def __repr__(self):
        return type(self).__name__ + repr(self._values)


class DictAttrs(Attrs):
    """The attributes of a function."""

    __slots__ = ()


_ATTRS_CLASSES = {"DictAttrs": DictAttrs}


def attrs_class(name):
    if name not in _ATTRS_CLASSES:
        _ATTRS_CLASSES[name] = type(name, (Attrs,), {"__slots__": ()})
    return _ATTRS_CLASSES[name]


def _attrs_names():
    """TVM's name for the attributes of an operator, where it is not made of the operator's own."""
    names = {}
    for name, ops in {
        "Conv2DAttrs": "nn.conv2d qnn.conv2d nn.conv2d_backward_weight",
        "MaxPool1DAttrs": "nn.max_pool1d", "MaxPool2DAttrs": "nn.max_pool2d", "MaxPool3DAttrs": "nn.max_pool3d",
        "AvgPool1DAttrs": "nn.avg_pool1d", "AvgPool2DAttrs": "nn.avg_pool2d", "AvgPool3DAttrs": "nn.avg_pool3d",
        "GlobalPool2DAttrs": "nn.global_max_pool2d nn.global_avg_pool2d",
        "AdaptivePool1DAttrs": "nn.adaptive_avg_pool1d nn.adaptive_max_pool1d",
        "AdaptivePool2DAttrs": "nn.adaptive_avg_pool2d nn.adaptive_max_pool2d",
        "AdaptivePool3DAttrs": "nn.adaptive_avg_pool3d nn.adaptive_max_pool3d",
        "Conv1DAttrs": "nn.conv1d", "Conv3DAttrs": "nn.conv3d", "Conv1DTransposeAttrs": "nn.conv1d_transpose",
        "Conv2DTransposeAttrs": "nn.conv2d_transpose qnn.conv2d_transpose",
        "Conv3DTransposeAttrs": "nn.conv3d_transpose",
        "Conv2DWinogradAttrs": "nn.contrib_conv2d_winograd_without_weight_transform",
        "DenseAttrs": "nn.dense qnn.dense", "LRNAttrs": "nn.lrn", "L2NormalizeAttrs": "nn.l2_normalize",
        "ReduceAttrs": "sum prod max min mean all any", "ArgReduceAttrs": "argmax argmin",
        "VarianceAttrs": "variance", "InitOpAttrs": "zeros ones full", "RequantizeAttrs": "qnn.requantize",
        "BroadcastAttrs": "qnn.add qnn.subtract qnn.mul", "SoftmaxAttrs": "nn.softmax nn.log_softmax nn.fast_softmax",
    }.items():
        names.update(dict.fromkeys(ops.split(), name))
    return names


_ATTRS_OF_OP = _attrs_names()


def attrs_name(op):
    if op not in _ATTRS_OF_OP:
        words = op.split(".")[-1].split("_")
        _ATTRS_OF_OP[op] = "".join(word[:1].upper() + word[1:] for word in words) + "Attrs"
    return _ATTRS_OF_OP[op]


# Constants.

class NDArray(Object):
    """The values of a constant: `.numpy()` fetches them."""

    __slots__ = ("shape", "dtype", "_bytes", "_array")

    def __init__(self, shape, dtype, data):
        self.shape, self.dtype, self._bytes, self._array = shape, dtype, data, None

    def numpy(self):
        if self._array is None:
            from . import arrays
            self._array = arrays.array_from(self.dtype, self.shape, self._bytes())
        return self._array

    asnumpy = numpy

    def __repr__(self):
        return repr(self.numpy())


# Expressions.

class RelayExpr(Object):
    __slots__ = ("_module", "_raw", "_id", "_type")
    kind = "an expression"

    def __init__(self, module, raw, number):
        self._module, self._raw, self._id, self._type = module, raw, number, False

    @property
    def checked_type(self):
        if self._type is False:
            self._type = self._module.type(self._raw.get("type"))
        if self._type is None:
            raise ValueError("The type checker has not populated the checked_type for this node")
        return self._type

    _checked_type_ = checked_type

    @property
    def span(self):
        return None

    @property
    def virtual_device_(self):
        return None

    @property
    def struct_info(self):
        """The type in Relax's words."""
        return StructInfo(self.checked_type)

    def _operands(self):
        self._module.touched.append(self._id)
        return [self._module[i] for i in self._raw.get("operands", ())]

    def __repr__(self):
        return self.kind


class StructInfo(Object):
    """A type as Relax has it: `shape.values`, `ndim`, `dtype`; of a tuple its `fields`."""

    __slots__ = ("_type",)

    def __init__(self, kind):
        self._type = kind

    @property
    def shape(self):
        return self

    @property
    def values(self):
        return list(self._type.shape)

    def __iter__(self):
        return iter(self.values)

    def __len__(self):
        return len(self.values)

    def __getitem__(self, place):
        return self.values[place]

    @property
    def ndim(self):
        return len(self.values)

    @property
    def dtype(self):
        return self._type.dtype

    @property
    def fields(self):
        return [StructInfo(field) for field in self._type.fields]

    def __repr__(self):
        if isinstance(self._type, TupleType):
            return "R.Tuple(%s)" % ", ".join(map(repr, self.fields))
        return 'R.Tensor((%s), dtype="%s")' % (", ".join(map(repr, self.values)), self.dtype)


class Var(RelayExpr):
    __slots__ = ()

    @property
    def name_hint(self):
        return self._raw["name"]

    @property
    def type_annotation(self):
        return self.checked_type

    def __repr__(self):
        return "%" + self._raw["name"]


class GlobalVar(RelayExpr):
    __slots__ = ()

    @property
    def name_hint(self):
        return self._raw["name"]

    def __repr__(self):
        return "@" + self._raw["name"]


class Constant(RelayExpr):
    __slots__ = ("_data",)

    def __init__(self, module, raw, number):
        super().__init__(module, raw, number)
        self._data = None

    @property
    def data(self):
        if self._data is None:
            kind = self.checked_type
            self._data = NDArray(kind.concrete_shape, kind.dtype, self._bytes)
        return self._data

    def _bytes(self):
        if "data" in self._raw:
            return base64.b64decode(self._raw["data"])
        return self._module.fetch_data(self._id)

    def __repr__(self):
        if not len(self.checked_type.shape) and "data" in self._raw:
            return "the constant %s" % self.data.numpy().item()
        return "a constant"


class Op(Object):
    """An operator. There is one for each name."""

    __slots__ = ("name", "_attributes", "__weakref__")
    _known = {}

    def __init__(self, name):
        self.name, self._attributes = name, {}

    @staticmethod
    def get(name):
        if name not in Op._known:
            Op._known[name] = Op(name)
        return Op._known[name]

    def get_attr(self, key):
        return self._attributes.get(key)

    def has_attr(self, key):
        return key in self._attributes

    def set_attr(self, key, value, plevel=10):
        self._attributes[key] = value

    def reset_attr(self, key):
        self._attributes.pop(key, None)

    def __str__(self):
        return self.name

    __repr__ = __str__


class Call(RelayExpr):
    __slots__ = ("_op", "_args", "_attrs")
    kind = "a call"

    def __init__(self, module, raw, number):
        super().__init__(module, raw, number)
        self._op = self._args = None
        self._attrs = False

    @property
    def op(self):
        if self._op is None:
            callee = self._module.raw(self._raw["operands"][0])
            if callee["kind"] == "op":
                self._op = Op.get(callee["name"])
            else:
                self._module.touched.append(self._id)
                self._op = self._module[self._raw["operands"][0]]
        elif not isinstance(self._op, Op):
            self._module.touched.append(self._id)
        return self._op

    @property
    def args(self):
        self._module.touched.append(self._id)
        if self._args is None:
            self._args = Array(map(self._module.__getitem__, self._raw["operands"][1:]))
        return self._args

    @property
    def attrs(self):
        if self._attrs is False:
            callee = self._module.raw(self._raw["operands"][0])
            kinds = callee.get("attributes")
            if callee["kind"] == "op" and kinds:
                self._attrs = self._module.attrs(self._raw.get("attributes"), callee["name"], kinds)
            else:
                self._attrs = None
        return self._attrs

    @property
    def type_args(self):
        return Array(arg.checked_type for arg in self.args)

    def __repr__(self):
        op = self._module.raw(self._raw["operands"][0])
        if op["kind"] == "function":
            return "a call of %s" % op.get("attributes", {}).get("Composite", "a function")
        return "a call of %s" % op.get("name", "a function")


class Tuple(RelayExpr):
    __slots__ = ()
    kind = "a tuple"

    @property
    def fields(self):
        return Array(self._operands())

    def __len__(self):
        return len(self._raw.get("operands", ()))

    def __getitem__(self, index):
        return self.fields[index]


class TupleGetItem(RelayExpr):
    __slots__ = ()

    @property
    def tuple_value(self):
        return self._operands()[0]

    tuple = tuple_value

    @property
    def index(self):
        return self._raw["index"]

    def __repr__(self):
        return "field %d of %r" % (self.index, self._module[self._raw["operands"][0]])


class Let(RelayExpr):
    __slots__ = ()
    kind = "a let"
    var = property(lambda self: self._operands()[0])
    value = property(lambda self: self._operands()[1])
    body = property(lambda self: self._operands()[2])


class If(RelayExpr):
    __slots__ = ()
    kind = "an if"
    cond = property(lambda self: self._operands()[0])
    true_branch = property(lambda self: self._operands()[1])
    false_branch = property(lambda self: self._operands()[2])


class BaseFunc(RelayExpr):
    __slots__ = ()


class Function(BaseFunc):
    __slots__ = ()
    kind = "a function"

    @property
    def params(self):
        return Array(self._operands()[:-1])

    @property
    def body(self):
        return self._operands()[-1]

    @property
    def ret_type(self):
        return self.checked_type.ret_type

    @property
    def attrs(self):
        values = self._raw.get("attributes")
        return DictAttrs(values, {}) if values else None


class RefCreate(RelayExpr):
    __slots__ = ()
    value = property(lambda self: self._operands()[0])


class RefRead(RelayExpr):
    __slots__ = ()
    ref = property(lambda self: self._operands()[0])


class RefWrite(RelayExpr):
    __slots__ = ()
    ref = property(lambda self: self._operands()[0])
    value = property(lambda self: self._operands()[1])


_KINDS = {
    "var": Var, "constant": Constant, "global_var": GlobalVar, "call": Call, "tuple": Tuple,
    "projection": TupleGetItem, "let": Let, "if": If, "function": Function, "ref_create": RefCreate,
    "ref_read": RefRead, "ref_write": RefWrite,
}


class ModuleView:
    """The expressions that the host has sent, by their ids."""

    def __init__(self, fetch_data):
        self._raw, self._views, self._fetch = {}, {}, fetch_data
        self._types, self._attributes, self._attrs = [], [], {}
        self.fetched = False
        self._files, self._counted, self._found = {}, -1, {}
        self.touched = []  # ids of expressions whose operands were read since the list was last cleared

    def add(self, expressions, types, attributes):
        self._types += map(type_of, types)
        self._attributes += attributes
        for raw in expressions:
            if "operands" in raw:
                raw["operands"] = tuple(raw["operands"])  # the garbage collector stops visiting tuples of numbers
            self._raw[raw["id"]] = raw

    def type(self, number):
        return None if number is None else self._types[number]

    def attrs(self, number, op, kinds):
        """Calls of one op with the same attributes share what stands for them."""
        made = self._attrs.get((number, op))
        if made is None:
            values = {} if number is None else self._attributes[number]
            made = self._attrs[(number, op)] = attrs_class(attrs_name(op))(values, kinds)
        return made

    def raw(self, number):
        return self._raw[number]

    def __getitem__(self, number):
        view = self._views.get(number)
        if view is None:
            raw = self._raw[number]
            view = Op.get(raw["name"]) if raw["kind"] == "op" else _KINDS[raw["kind"]](self, raw, number)
            self._views[number] = view
        return view

    # What files of rules about operators of a file want.

    def calls(self):
        return sorted(number for number, raw in self._raw.items() if raw["kind"] == "call")

    def plain_attributes(self, number):
        place = self._raw[number].get("attributes")
        return {} if place is None else self._attributes[place]

    def results_of(self, number):
        """The expressions that stand for the results of a call."""
        if not isinstance(self[number].checked_type, TupleType):
            return [number]
        found = self._projections().get(number, {})
        return [found[index] for index in sorted(found)]

    def _projections(self):
        if len(self._raw) != self._counted:
            self._counted, self._found = len(self._raw), {}
            for number, raw in self._raw.items():
                if raw["kind"] == "projection":
                    self._found.setdefault(raw["operands"][0], {})[raw["index"]] = number
        return self._found

    def file(self, kind):
        """What `kind` makes of the module, once."""
        if self._files.get(kind, (0, 0))[0] != len(self._raw):
            self._files[kind] = len(self._raw), kind(self)
        return self._files[kind][1]

    def fetch_data(self, number):
        self.fetched = True
        return base64.b64decode(self._fetch(number))

    def depth(self, root, touched):
        """How many levels of operands below `root` hold all that was touched."""
        touched = set(touched)
        if not touched:
            return 0
        if touched == {root}:
            return 1
        seen, level, depth, found = {root}, [root], 0, 0
        left = len(touched)
        while level and left:
            depth += 1
            below = []
            for number in level:
                if number in touched:
                    left -= 1
                    found = depth
                for operand in self._raw[number].get("operands", ()):
                    if operand not in seen:
                        seen.add(operand)
                        below.append(operand)
            level = below
        return -1 if left else found
