"""The values of constants: as numpy's arrays where it is installed, else as small ones of our own."""
import math
import struct
import sys

_FORMATS = {
    "bool": "?", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H", "int32": "i", "uint32": "I", "int64": "q",
    "uint64": "Q", "float16": "e", "float32": "f", "float64": "d",
}


def real_numpy():
    """The numpy that is installed, or None."""
    loaded = sys.modules.get("numpy")
    if loaded is not None:
        return None if getattr(loaded, "is_stand_in", False) else loaded
    try:
        import numpy
    except ImportError:
        return None
    return None if getattr(numpy, "is_stand_in", False) else numpy


def array_from(dtype, shape, data):
    numpy = real_numpy()
    if numpy is not None:
        kind = numpy.uint16 if dtype == "bfloat16" else numpy.dtype(dtype)
        return numpy.frombuffer(data, dtype=kind).reshape(shape)
    if dtype not in _FORMATS:
        raise TypeError("values of %s need python3-numpy" % dtype)
    return SmallArray(shape, dtype, list(struct.unpack("<%d%s" % (math.prod(shape), _FORMATS[dtype]), data)))


class SmallArray:
    """As much of an array as rules ask for, where there is no numpy. Elementwise only with numbers and equal shapes."""

    def __init__(self, shape, dtype, values):
        self.shape, self.dtype, self._values = tuple(int(dim) for dim in shape), dtype, values

    ndim = property(lambda self: len(self.shape))
    size = property(lambda self: len(self._values))

    def item(self, index=None):
        if index is None and len(self._values) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._values[index or 0]

    def tolist(self):
        if not self.shape:
            return self._values[0]
        return [part.tolist() if isinstance(part, SmallArray) else part for part in self]

    def flatten(self):
        return SmallArray((len(self._values),), self.dtype, list(self._values))

    ravel = flatten

    def reshape(self, *shape):
        shape = list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape)
        if -1 in shape:
            shape[shape.index(-1)] = self.size // max(1, -math.prod(shape))
        return SmallArray(shape, self.dtype, self._values)

    def astype(self, dtype):
        dtype = getattr(dtype, "__name__", str(dtype))
        convert = float if dtype.startswith("float") else bool if dtype == "bool" else int
        return SmallArray(self.shape, dtype, [convert(value) for value in self._values])

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __getitem__(self, index):
        if isinstance(index, tuple):
            part = self
            for each in index:
                part = part[each]
            return part
        if not self.shape:
            raise IndexError("too many indices for array")
        if isinstance(index, slice):
            parts = [self[i] for i in range(*index.indices(self.shape[0]))]
            values = [v for p in parts for v in (p._values if isinstance(p, SmallArray) else [p])]
            return SmallArray((len(parts),) + self.shape[1:], self.dtype, values)
        index = int(index)
        if not -self.shape[0] <= index < self.shape[0]:
            raise IndexError("index %d is out of bounds" % index)
        index %= self.shape[0]
        if len(self.shape) == 1:
            return self._values[index]
        step = math.prod(self.shape[1:])
        return SmallArray(self.shape[1:], self.dtype, self._values[index * step:(index + 1) * step])

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def _each(self, other, operation, dtype=None):
        values = other._values if isinstance(other, SmallArray) else [other] * len(self._values)
        if len(values) == 1:
            values = values * len(self._values)
        if len(values) != len(self._values):
            raise Exception("arrays of different shapes need python3-numpy")
        return SmallArray(self.shape, dtype or self.dtype, [operation(a, b) for a, b in zip(self._values, values)])

    def __eq__(self, other):
        return self._each(other, lambda a, b: a == b, "bool")

    def __ne__(self, other):
        return self._each(other, lambda a, b: a != b, "bool")

    def __lt__(self, other):
        return self._each(other, lambda a, b: a < b, "bool")

    def __le__(self, other):
        return self._each(other, lambda a, b: a <= b, "bool")

    def __gt__(self, other):
        return self._each(other, lambda a, b: a > b, "bool")

    def __ge__(self, other):
        return self._each(other, lambda a, b: a >= b, "bool")

    def __add__(self, other):
        return self._each(other, lambda a, b: a + b)

    def __sub__(self, other):
        return self._each(other, lambda a, b: a - b)

    def __mul__(self, other):
        return self._each(other, lambda a, b: a * b)

    def __truediv__(self, other):
        return self._each(other, lambda a, b: a / b, "float64")

    def __abs__(self):
        return SmallArray(self.shape, self.dtype, [abs(value) for value in self._values])

    def __bool__(self):
        if len(self._values) != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous")
        return bool(self._values[0])

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def all(self):
        return all(self._values)

    def any(self):
        return any(self._values)

    def max(self):
        return max(self._values)

    def min(self):
        return min(self._values)

    def sum(self):
        return sum(self._values)

    def __repr__(self):
        return repr(self.tolist())

    __hash__ = None


def _values(data):
    if isinstance(data, SmallArray):
        return data._values
    return list(data) if hasattr(data, "__iter__") else [data]


def _flat(data, shape, values, level=0):
    if not hasattr(data, "__iter__"):
        values.append(data)
        return
    items = list(data)
    if level == len(shape):
        shape.append(len(items))
    for item in items:
        _flat(item, shape, values, level + 1)


def _array(data, dtype=None):
    if isinstance(data, SmallArray):
        return data.astype(dtype) if dtype else data
    shape, values = [], []
    _flat(data, shape, values)
    real = any(isinstance(value, float) for value in values)
    made = SmallArray(shape, "float64" if real else "int64", values)
    return made.astype(dtype) if dtype else made


def _close(a, b, rtol=1e-5, atol=1e-8):
    a, b = _values(a), _values(b)
    b = b * len(a) if len(b) == 1 else b
    a = a * len(b) if len(a) == 1 else a
    return len(a) == len(b) and all(abs(x - y) <= atol + rtol * abs(y) for x, y in zip(a, b))


def stand_in(module):
    """Fills the module that a file gets for `import numpy` on a machine that has none."""
    def prod(data):
        result = 1
        for value in _values(data):
            result = result * value
        return result

    module.is_stand_in = True
    module.ndarray = SmallArray
    module.array = module.asarray = _array
    module.prod, module.product = prod, prod
    module.sum = lambda data: sum(_values(data))
    module.all = lambda data: all(_values(data))
    module.any = lambda data: any(_values(data))
    module.max = module.amax = lambda data: max(_values(data))
    module.min = module.amin = lambda data: min(_values(data))
    module.abs = abs
    module.allclose = _close
    module.isclose = _close
    module.array_equal = lambda a, b: _values(a) == _values(b)
    module.isscalar = lambda value: not hasattr(value, "__iter__")
    module.size = lambda data: len(_values(data))
    module.ceil, module.floor, module.sqrt, module.log2 = math.ceil, math.floor, math.sqrt, math.log2
    module.inf, module.pi, module.nan = math.inf, math.pi, math.nan
    for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        setattr(module, name, type(name, (int,), {}))
    for name in ("float16", "float32", "float64"):
        setattr(module, name, type(name, (float,), {}))
    module.dtype = lambda kind: getattr(kind, "__name__", str(kind))

    def missing(name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise AttributeError("no numpy.%s: python3-numpy is not installed" % name)

    module.__getattr__ = missing
    return module
