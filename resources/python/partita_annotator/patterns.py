"""Dataflow patterns under TVM's names, and their text in the program's own pattern language (engine/rules/pattern.h)."""
import json

from . import views
from .views import Lacks


class DFPattern(views.Object):
    """A part of a pattern. One that is used twice stands for the same expression."""

    children = ()

    def __call__(self, *args, varg_default_wildcard=False):
        """With `varg_default_wildcard`, which Relax has, and no arguments: any."""
        is_any = args == (None,) or (varg_default_wildcard and not args)
        return CallPattern(self, None if is_any else list(args))

    def __or__(self, other):
        return AltPattern(self, other)

    def __add__(self, other):
        return is_op("add")(self, other)

    def __sub__(self, other):
        return is_op("subtract")(self, other)

    def __mul__(self, other):
        return is_op("multiply")(self, other)

    def __truediv__(self, other):
        return is_op("divide")(self, other)

    def optional(self, option_constructor):
        return option_constructor(self) | self

    def has_attr(self, attrs):
        return AttrPattern(self, attrs)

    def has_type(self, ttype):
        return TypePattern(self, ttype)

    def has_dtype(self, dtype):
        return DataTypePattern(self, dtype)

    def has_shape(self, shape):
        return ShapePattern(self, shape)

    def dominates(self, parent, path=None):
        return DominatorPattern(parent, path, self)

    def match(self, expr):
        raise Lacks("no tvm.relay.dataflow_pattern.DFPattern.match: patterns are matched outside of the file")

    def partition(self, expr, attrs=None, check=lambda x: True):
        raise Lacks("no tvm.relay.dataflow_pattern.DFPattern.partition: no expressions are made here")

    def rewrite(self, callback, expr):
        raise Lacks("no tvm.relay.dataflow_pattern.rewrite: no expressions are made here")

    def text(self, write):
        """The pattern's text; `write` gives that of a child, as an operand of a suffix where it is asked so."""
        raise Lacks("no pattern in the program's language for %s" % type(self).__name__)


class WildcardPattern(DFPattern):
    def text(self, write):
        return "*"


class ConstantPattern(DFPattern):
    def text(self, write):
        return "constant"


class VarPattern(DFPattern):
    def __init__(self, name_hint=""):
        self.name = name_hint

    def text(self, write):
        return "var(%s)" % json.dumps(self.name) if self.name else "var"


class ExprPattern(DFPattern):
    def __init__(self, expr):
        self.expr = expr

    def text(self, write):
        expr = self.expr
        if isinstance(expr, views.Op):
            return expr.name
        if isinstance(expr, views.GlobalVar):
            return "@" + expr.name_hint
        if isinstance(expr, LiteralConstant):
            return expr.text()
        raise Lacks("no pattern in the program's language for is_expr of %r" % (expr,))


class LiteralConstant(views.Constant):
    """What `relay.const` makes: no part of a module."""

    __slots__ = ("value", "dtype", "shape")
    _SUFFIXES = {"int32": "", "int64": "i64", "int16": "i16", "float32": "f", "float64": "f64", "float16": "f16"}

    def __init__(self, value, dtype=None):
        self._module, self._id, self._data = None, -1, None
        self.value, self.shape = value, ()
        if hasattr(value, "tolist"):
            dtype = dtype or str(value.dtype)
            self.shape, self.value = tuple(value.shape), value.tolist()
        elif isinstance(value, (list, tuple)):
            self.shape = (len(value),)
            dtype = dtype or self._dtype_of(value[0] if value else 0.0)
        self.dtype = str(dtype) if dtype else self._dtype_of(value)
        self._raw = {"kind": "constant", "data": ""}
        self._type = views.TensorType(self.shape, self.dtype)

    @staticmethod
    def _dtype_of(value):
        return "bool" if isinstance(value, bool) else "float32" if isinstance(value, float) else "int32"

    def _bytes(self):
        import struct
        from . import arrays
        values = arrays._array(self.value) if self.shape else arrays.SmallArray((), self.dtype, [self.value])
        return struct.pack("<%d%s" % (values.size, arrays._FORMATS[self.dtype]), *values.flatten())

    def text(self):
        if self.shape:
            raise Lacks("no pattern in the program's language for a constant of shape %s" % (self.shape,))
        if self.dtype == "bool":
            return "True" if self.value else "False"
        if self.dtype not in self._SUFFIXES:
            raise Lacks("no pattern in the program's language for a constant of type %s" % self.dtype)
        value = float(self.value) if self.dtype.startswith("float") else int(self.value)
        return repr(value) + self._SUFFIXES[self.dtype]

    def __repr__(self):
        return "the constant %s" % (self.value,)


class CallPattern(DFPattern):
    def __init__(self, op, args):
        self.op, self.args = op, args
        self.children = [op] + list(args or ())

    def text(self, write):
        operands = "..." if self.args is None else ", ".join(write(arg) for arg in self.args)
        return "%s(%s)" % (write(self.op, True), operands)


class FunctionPattern(DFPattern):
    def __init__(self, params, body):
        self.params, self.body = params, body
        self.children = list(params or ()) + [body]

    def text(self, write):
        params = "..." if self.params is None else ", ".join(write(param) for param in self.params)
        return "fn(%s) { %s }" % (params, write(self.body))


class TuplePattern(DFPattern):
    def __init__(self, fields):
        self.fields = fields
        self.children = list(fields or ())

    def text(self, write):
        if self.fields is None:
            return "tuple(...)"
        fields = [write(field) for field in self.fields]
        return "(%s,)" % fields[0] if len(fields) == 1 else "(%s)" % ", ".join(fields)


class TupleGetItemPattern(DFPattern):
    def __init__(self, tuple_value, index=None):
        self.tuple, self.index = tuple_value, index
        self.children = [tuple_value]

    def text(self, write):
        return "%s.%s" % (write(self.tuple, True), "*" if self.index in (None, -1) else int(self.index))


class IfPattern(DFPattern):
    def __init__(self, cond, true_branch, false_branch):
        self.children = [cond, true_branch, false_branch]

    def text(self, write):
        return "if(%s)" % ", ".join(write(child) for child in self.children)


class LetPattern(DFPattern):
    def __init__(self, var, value, body):
        self.children = [var, value, body]

    def text(self, write):
        return "let(%s)" % ", ".join(write(child) for child in self.children)


class AltPattern(DFPattern):
    def __init__(self, left, right):
        self.left, self.right = left, right
        self.children = [left, right]

    def text(self, write):
        return "%s | %s" % (write(self.left, "left"), write(self.right, True))


class _Condition(DFPattern):
    """What a pattern has to fulfil besides."""

    def __init__(self, pattern, value):
        self.pattern, self.value = pattern, value
        self.children = [pattern]

    def text(self, write):
        return write(self.pattern, True) + self.condition()


class AttrPattern(_Condition):
    def condition(self):
        pairs = ["%s=%s" % (key, self._value(value)) for key, value in dict(self.value).items()]
        return ".has_attr(%s)" % ", ".join(pairs)

    def _value(self, value):
        if isinstance(value, (str, bool, int, float)) or value is None:
            return repr(value) if not isinstance(value, str) else json.dumps(value)
        if isinstance(value, views._Const):
            return repr(value.value)
        if isinstance(value, (list, tuple, views.Array)):
            return "[%s]" % ", ".join(self._value(item) for item in value)
        raise Lacks("no pattern in the program's language for has_attr of %r" % (value,))


class TypePattern(_Condition):
    def condition(self):
        return ".has_type(%s)" % json.dumps(repr(self.value))


class DataTypePattern(_Condition):
    def condition(self):
        return ".has_dtype(%s)" % json.dumps(str(self.value))


class ShapePattern(_Condition):
    def condition(self):
        return ".has_shape(%s)" % ", ".join(repr(dim) for dim in self.value)


class DominatorPattern(DFPattern):
    def __init__(self, parent, path, child):
        self.parent, self.path, self.child = parent, path or wildcard(), child
        self.children = [self.parent, self.path, self.child]

    def text(self, write):
        return "%s.dominates(%s, %s)" % (write(self.parent, True), write(self.child), write(self.path))


class DFPatternCallback:
    """The base of rewrites. They are loaded, and not run."""

    def __init__(self, require_type=False, rewrite_once=False):
        self.pattern, self.require_type, self.rewrite_once = None, require_type, rewrite_once


def wildcard():
    return WildcardPattern()


def is_constant():
    return ConstantPattern()


def is_var(name=""):
    return VarPattern(name)


def is_expr(expr):
    return ExprPattern(expr)


def is_op(op_name):
    return ExprPattern(views.Op.get(str(op_name)))


def is_tuple(fields):
    return TuplePattern(fields)


def is_tuple_get_item(tuple_value, index=None):
    return TupleGetItemPattern(tuple_value, index)


def is_if(cond, true_branch, false_branch):
    return IfPattern(cond, true_branch, false_branch)


def is_let(var, value, body):
    return LetPattern(var, value, body)


def dominates(parent, path, child):
    return DominatorPattern(parent, path, child)


def has_attr(attrs, pattern=None):
    return AttrPattern(wildcard() if pattern is None else pattern, attrs)


def has_type(ttype, pattern=None):
    return TypePattern(wildcard() if pattern is None else pattern, ttype)


def has_dtype(dtype, pattern=None):
    return DataTypePattern(wildcard() if pattern is None else pattern, dtype)


def has_shape(shape, pattern=None):
    return ShapePattern(wildcard() if pattern is None else pattern, shape)


def const(value, dtype=None):
    return LiteralConstant(value, dtype)


def _uses(root):
    """How often each node is used, and the nodes in the order operands before users."""
    count, order, stack = {id(root): 1}, [], [(root, iter(root.children))]
    while stack:
        node, rest = stack[-1]
        for child in rest:
            if not isinstance(child, DFPattern):
                raise Lacks("%r stands in a pattern, and is none" % (child,))
            count[id(child)] = count.get(id(child), 0) + 1
            if count[id(child)] == 1:
                stack.append((child, iter(child.children)))
                break
        else:
            order.append(node)
            stack.pop()
    return count, order


def pattern_text(root):
    """The text of a pattern: what is used more than once is defined first, under a name."""
    count, order = _uses(root)
    names, texts = {}, {}

    def write(node, as_operand=False):
        if id(node) in names:
            return names[id(node)]
        text = texts[id(node)]
        needs = isinstance(node, AltPattern) and as_operand and as_operand != "left"
        return "(%s)" % text if needs else text

    definitions = []
    for node in order:
        texts[id(node)] = node.text(write)
        is_name = isinstance(node, ExprPattern) and isinstance(node.expr, views.Op)
        if count[id(node)] > 1 and not is_name and node is not root:
            definitions.append("p%d = %s; " % (len(definitions), texts[id(node)]))
            names[id(node)] = "p%d" % (len(definitions) - 1)
    return "".join(definitions) + texts[id(root)]
