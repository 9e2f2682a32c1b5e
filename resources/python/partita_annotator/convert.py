"""Writes rules in Python as rules of a description, where that can be done.

A rule is run on a call of which nothing is known. Each condition that it asks about is taken both ways, one after the
other; what it answers on each way makes a tree, and the tree a rule. What looks at more than the rule language can say
is named instead.
"""
import ast
import dis
import logging
import re
import sys
import time

from . import loader, names, patterns, views

_MOST_WAYS, _MOST_SECONDS, _LONGEST_LIST, _DEEPEST = 4000, 3, 6, 16


class CannotSay(BaseException):
    """What the rule language has no words for. No handler in a file catches it, and `said` tells that it was raised
    should one do so after all."""

    said = []

    def __init__(self, why):
        super().__init__(why)
        self.said.append(self)


class Beyond(BaseException):
    """Beyond what a match can hold: no such call."""


class Ways:
    """The conditions on the way at hand, and those ways that are still to go."""

    def __init__(self):
        self.todo, self.taken, self.chosen, self.values = [[]], [], {}, {}
        self.not_said = []  # calls that are refused because there are no words for them
        self.begun, self.deadline = 0, time.monotonic() + _MOST_SECONDS

    def begin(self):
        self.begun += 1
        if self.begun > _MOST_WAYS or time.monotonic() > self.deadline:
            raise CannotSay("it has too many cases")
        self.prefix, self.taken, self.chosen, self.values = self.todo.pop(), [], {}, {}

    def leave(self, calls):
        if calls not in self.not_said:
            self.not_said.append(calls)
        raise Beyond

    def decide(self, text):
        if text in self.chosen:
            return self.chosen[text]
        at = len(self.taken)
        if at < len(self.prefix):
            choice = self.prefix[at]
        else:
            choice = True
            self.todo.append([each for _, each in self.taken] + [False])
        self.taken.append((text, choice))
        self.chosen[text] = choice
        return choice


def literal(value):
    if isinstance(value, (bool, views.IntImm)) and not isinstance(value, bool):
        value = value.value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return "'%s'" % value.replace("\\", "\\\\").replace("'", "\\'")
    if isinstance(value, (int, float)):
        return repr(value)
    if value is None:
        return "null"
    raise CannotSay("it compares with %r" % (value,))


class Symbol:
    """A value that is not known: a number, a text or a flag."""

    def __init__(self, ways, text, kind):
        self._ways, self._text, self._kind = ways, text, kind

    def _known(self):
        """The value that a condition on the way gave it."""
        if self._text in self._ways.values:
            return self._ways.values[self._text]
        raise CannotSay("it takes %s apart" % self._text)

    def _other(self, other):
        return other._text if isinstance(other, Symbol) else literal(other)

    def _compared(self, operator, other):
        if other is None:
            return operator == "!="
        if self._kind == "bool":
            return _COMPARE[operator](int(bool(self)), other)
        if self._text in self._ways.values and not isinstance(other, Symbol) and operator == "==":
            return self._ways.values[self._text] == other
        if isinstance(other, str) != (self._kind == "str") and not isinstance(other, Symbol) or \
                isinstance(other, (list, tuple)):
            if operator not in ("==", "!="):
                raise CannotSay("it compares %s with %r" % (self._text, other))
            return operator == "!="
        return Condition(self._ways, "%s %s %s" % (self._text, operator, self._other(other)))

    def __eq__(self, other):
        if other is self:
            return True
        if isinstance(other, Symbol) and other._kind == "bool":
            other = int(bool(other))
        found = self._compared("==", other)
        if isinstance(found, Condition) and not isinstance(other, Symbol):
            found.gives = (self._text, other)
        return found

    def __ne__(self, other):
        found = self._compared("!=", other)
        return found if isinstance(found, bool) else Negation(self == other)

    def __lt__(self, other):
        return self._compared("<", other)

    def __le__(self, other):
        return self._compared("<=", other)

    def __gt__(self, other):
        return self._compared(">", other)

    def __ge__(self, other):
        return self._compared(">=", other)

    def _made(self, operator, left, right):
        left, right = [int(bool(each)) if getattr(each, "_kind", "") == "bool" else each for each in (left, right)]
        if self._kind == "bool":
            return _COMPUTE[operator](left, right)
        if operator in ("/", "%"):
            return self._divided(operator, left, right)
        kind = "float" if "float" in (self._kind, getattr(left, "_kind", ""), getattr(right, "_kind", "")) else "int"
        if self._kind == "str":
            raise CannotSay("it computes with %s" % self._text)
        return Symbol(self._ways, "(%s %s %s)" % (self._other(left), operator, self._other(right)), kind)

    def _divided(self, operator, left, right):
        """Python rounds down, the rule language towards zero: the same where nothing is negative."""
        if not self._counts(left) or not self._counts(right) or "float" in (
                getattr(left, "_kind", ""), getattr(right, "_kind", "")):
            raise CannotSay("it divides %s by %s, which may be negative"
                            % tuple(each._text if isinstance(each, Symbol) else each for each in (left, right)))
        return Symbol(self._ways, "(%s %s %s)" % (self._other(left), operator, self._other(right)), "int")

    @staticmethod
    def _counts(value):
        if isinstance(value, Symbol):
            return bool(_NEVER_NEGATIVE.search(value._text))
        return isinstance(value, (int, views.IntImm)) and int(value) >= 0

    def __add__(self, other):
        return self._made("+", self, other)

    def __radd__(self, other):
        return self._made("+", other, self)

    def __sub__(self, other):
        return self._made("-", self, other)

    def __rsub__(self, other):
        return self._made("-", other, self)

    def __mul__(self, other):
        return self._made("*", self, other)

    def __rmul__(self, other):
        return self._made("*", other, self)

    def __mod__(self, other):
        return self._made("%", self, other)

    def __rmod__(self, other):
        return self._made("%", other, self)

    def __floordiv__(self, other):
        return self._made("/", self, other)

    def __rfloordiv__(self, other):
        return self._made("/", other, self)

    def __neg__(self):
        return self._made("-", 0, self)

    def __hash__(self):
        if self._kind == "bool":
            return hash(bool(self))
        if self._text not in self._ways.values:
            raise CannotSay("it looks %s up in a set or a table" % self._text)
        return hash(self._ways.values[self._text])

    def __bool__(self):
        if self._kind == "bool":
            return self._ways.decide(self._text)
        return bool(self != ("" if self._kind == "str" else 0))

    def is_a(self, kind):
        if kind in (str, bool, float, list, tuple, dict, views.Array):
            return kind is str and self._kind == "str" or kind is float and self._kind == "float"
        is_number = kind in (int, views.IntImm, views.PrimExpr, views.FloatImm, views.Object)
        if is_number and self._kind not in ("str", "float"):
            # An attribute is a number of Python, a dimension and an item of a list one of TVM's.
            is_item = self._text.endswith("]")
            return (kind is not int) == is_item if kind is not views.FloatImm else False
        return False

    def __str__(self):
        return self._known() if self._kind == "str" else _unsayable(self)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        if name in ("value", "dtype"):
            return self if name == "value" else "int32"
        if self._kind == "str":
            if name == "startswith":
                return lambda part: Condition(self._ways, "%s.startsWith(%s)" % (self._text, literal(part)))
            if name == "endswith":
                return lambda part: Condition(self._ways, "%s.endsWith(%s)" % (self._text, literal(part)))
            return getattr(self._known(), name)
        raise CannotSay("it asks for .%s of %s" % (name, self._text))

    def __format__(self, how):
        if self._text in self._ways.values:
            return format(self._ways.values[self._text], how)
        return "<%s>" % self._text if _is_only_said(sys._getframe(1)) else _unsayable(self)

    def __contains__(self, part):
        return bool(Condition(self._ways, "%s.contains(%s)" % (self._text, literal(part))))

    def __len__(self):
        return len(self._known())

    def __getitem__(self, index):
        return self._known()[index]

    def __iter__(self):
        return iter(self._known())

    def _fail(self, *args):
        raise CannotSay("it computes with %s" % self._text)

    def _bits(self, other, operator):
        """`ok &= x`: of flags that are not known each is decided, as Python evaluates both sides."""
        if self._kind != "bool":
            self._fail()
        return _BITS[operator](bool(self), bool(other) if isinstance(other, Symbol) else other)

    def __and__(self, other):
        return self._bits(other, "&")

    def __or__(self, other):
        return self._bits(other, "|")

    def __xor__(self, other):
        return self._bits(other, "^")

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def _as_number(self):
        return int(bool(self)) if self._kind == "bool" else self._fail()

    __int__ = __index__ = _as_number
    __float__ = __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __invert__ = __abs__ = __round__ = _fail
    __lshift__ = __rshift__ = __rlshift__ = __rrshift__ = __divmod__ = __rdivmod__ = __matmul__ = _fail


_BITS = {"&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b}
_COMPARE = {"==": lambda a, b: a == b, "!=": lambda a, b: a != b, "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
            ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
_COMPUTE = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a // b,
            "%": lambda a, b: a % b}
_NEVER_NEGATIVE = re.compile(r"^[\w.\[\]]*(\.shape\[\d+\]|\.rank|attrs\.(groups|channels|units)|attrs\.(strides|dilation|"
                             r"kernel_size|pool_size)\[\d+\])$|^size\([^()]*\)$")
"""Texts of numbers that are counts."""


def _is_only_said(frame):
    """Whether a frame stands in a statement whose value nothing takes: what is logged, and what is raised."""
    tree = loader._TREES.get(frame.f_globals.get("__name__"))
    return tree is not None and any(
        isinstance(node, (ast.Expr, ast.Raise, ast.Assert)) and node.lineno <= frame.f_lineno <= node.end_lineno
        for node in ast.walk(tree))


def _unsayable(symbol):
    raise CannotSay("it writes %s as a text" % symbol._text)


class Condition(Symbol):
    """A flag that is not known."""

    gives = None

    def __init__(self, ways, text):
        super().__init__(ways, text, "bool")

    def __bool__(self):
        choice = self._ways.decide(self._text)
        if choice and self.gives:
            self._ways.values[self.gives[0]] = self.gives[1]
        return choice


class Negation(Condition):
    def __init__(self, condition):
        super().__init__(condition._ways, condition._text)
        self._condition = condition

    def __bool__(self):
        return not bool(self._condition)


class Items:
    """A list that is not known."""

    def __init__(self, ways, text, size, item):
        self._ways, self._text, self._size, self._item = ways, text, size, item

    def _length(self):
        for length in range(_LONGEST_LIST + 1):
            if self._ways.decide("%s == %d" % (self._size, length)):
                return length
        self._ways.leave("where %s is more than %d" % (self._size, _LONGEST_LIST))

    def size(self):
        for length in range(_LONGEST_LIST + 1):
            if self._ways.chosen.get("%s == %d" % (self._size, length)):
                return length
        return Symbol(self._ways, self._size, "int")

    def __iter__(self):
        return iter([self._item(i) for i in range(self._length())])

    def __getitem__(self, index):
        if isinstance(index, slice) or index < 0:
            return list(self)[index]
        length = self.size()
        if length <= index if isinstance(length, int) else not self._ways.decide("%s > %d" % (self._size, index)):
            raise IndexError("list index out of range")
        return self._item(index)

    def __bool__(self):
        return bool(Condition(self._ways, self._size + " > 0"))

    def __add__(self, other):
        return list(self) + list(other)

    @property
    def _items(self):
        return tuple(self)


class SymbolicType:
    def __init__(self, ways, path, is_tensor=False):
        self._ways, self._path, self._is_tensor = ways, path, is_tensor
        self.dtype = Symbol(ways, path + ".dtype", "str")
        self.shape = Items(ways, path + ".shape", path + ".rank",
                           lambda i: Symbol(ways, "%s.shape[%d]" % (path, i), "int"))

    concrete_shape = property(lambda self: tuple(self.shape))

    def is_a(self, kind):
        if self._is_tensor:
            return kind is views.TensorType
        if kind is views.TensorType:
            return not self._ways.decide("%s.type.startsWith('(')" % self._path)
        if kind is views.TupleType:
            return self._ways.decide("%s.type.startsWith('(')" % self._path)
        return False

    def __getattr__(self, name):
        raise CannotSay("it asks for .%s of a type" % name)


class SymbolicOp:
    def __init__(self, call):
        self._call = call

    @property
    def name(self):
        return self._call._op_name()

    def __str__(self):
        return str(self.name)

    def __eq__(self, other):
        return self.name == other.name if isinstance(other, (views.Op, SymbolicOp)) else False

    def __ne__(self, other):
        return not self == other

    __hash__ = None


class SymbolicAttrs:
    def __init__(self, call):
        self._call = call

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        call, ways = self._call, self._call._ways
        path = "%sattrs.%s" % (call._prefix, name)
        kinds = call._schema()["attributes"]
        if name not in kinds:
            raise AttributeError(name)
        kind = kinds[name]
        if kind in ("object", "integers"):
            if not ways.decide("has(%s)" % path):
                return None
            if name in _LISTS or kind == "integers":
                return Items(ways, path, "size(%s)" % path, lambda i: Symbol(ways, "%s[%d]" % (path, i), "int"))
            return Symbol(ways, path, "int")
        return Symbol(ways, path, {"int": "int", "bool": "bool", "double": "float"}.get(kind, "str"))

    __getitem__ = __getattr__

    def get_int_tuple(self, name):
        return tuple(getattr(self, name))

    def get_int(self, name):
        return getattr(self, name)

    get_str = get_int


_LISTS = {"strides", "padding", "dilation", "kernel_size", "pool_size", "axis", "axes", "newshape", "begin", "end",
          "output_padding", "output_size", "pad_width", "shape", "reps"}


def parts_in(pattern):
    """The parts of a pattern that may match in its place: without alternatives and conditions."""
    if isinstance(pattern, patterns.AltPattern):
        return parts_in(pattern.left) + parts_in(pattern.right)
    return parts_in(pattern.pattern) if isinstance(pattern, patterns._Condition) else [pattern]


def ops_of_part(part):
    """The operators that a part may be a call of; None where it may be anything."""
    if not isinstance(part, patterns.CallPattern):
        return None
    callees = [callee.expr for callee in parts_in(part.op) if isinstance(callee, patterns.ExprPattern)]
    return [op.name for op in callees if isinstance(op, views.Op)] or None


def op_of_parts(parts):
    """The one operator that all parts are calls of."""
    ops = [ops_of_part(part) for part in parts or [None]]
    names_of_ops = set() if None in ops else {name for each in ops for name in each}
    return names_of_ops.pop() if len(names_of_ops) == 1 else None


def parts_of_argument(parts, index, op):
    """What a pattern has in the place of an argument; add and multiply are matched either way."""
    found = []
    for part in parts or ():
        ops = ops_of_part(part)
        if ops is None:
            return None
        if op is not None and op not in ops:
            continue
        if part.args is None:
            return None
        both = any(name in ("add", "multiply") for name in ops)
        for i, arg in enumerate(part.args):
            if i == index or both:
                found += parts_in(arg)
    return found or None


_OF_TUPLES = {"concatenate", "stack", "meshgrid", "einsum", "qnn.concatenate", "vision.multibox_transform_loc"}


class SymbolicExpr:
    """An expression at a path from the call: `args[0]`."""

    def __init__(self, convert, path, depth=0, op=None, parts=None):
        self._convert, self._ways, self._path, self._depth = convert, convert.ways, path, depth
        self._parts, self._fixed_op, self._is_tensor = parts, op or op_of_parts(parts), False
        self._prefix = path + "." if path else ""
        self._of_result = path or "result"
        if depth > convert.deepest:
            raise Beyond

    @property
    def _known_op(self):
        return self._fixed_op or self._ways.values.get(self._prefix + "op") or self._only_op_left()

    def _only_op_left(self):
        """Of the operators that the pattern has here, the one that no condition has ruled out."""
        ops = [ops_of_part(part) for part in self._parts or [None]]
        if None in ops:
            return None
        chosen = self._ways.chosen
        left = {op for each in ops for op in each if chosen.get("%sop == '%s'" % (self._prefix, op)) is not False}
        return left.pop() if len(left) == 1 else None

    def _op_name(self):
        return self._fixed_op or Symbol(self._ways, self._prefix + "op", "str")

    def _schema(self):
        op = self._known_op
        if op is None:
            raise CannotSay("it asks for the attributes of %s, whose operator is not known" % self._of_result)
        return self._convert.schemas.get(op, {"attributes": {}, "inputs": 0, "variadic": False})

    @property
    def op(self):
        return SymbolicOp(self)

    @property
    def attrs(self):
        known = self._known_op
        return SymbolicAttrs(self) if known is None or self._schema()["attributes"] else None

    @property
    def args(self):
        def at(index):
            parts = parts_of_argument(self._parts, index, known)
            path = "%sargs[%d]" % (self._prefix, index)
            arg = SymbolicExpr(self._convert, path, self._depth + 1, None, parts)
            arg._is_tensor = known is not None and known not in _OF_TUPLES
            return arg

        known = self._known_op
        if known is not None and not self._schema()["variadic"]:
            return [at(i) for i in range(self._schema()["inputs"])]
        text = self._prefix + "args"
        return Items(self._ways, text, "size(%s)" % text, at)

    @property
    def checked_type(self):
        return SymbolicType(self._ways, self._of_result, self._is_tensor)

    type_annotation = _checked_type_ = checked_type

    @property
    def type_args(self):
        args = self.args
        return [arg.checked_type for arg in args]

    @property
    def data(self):
        return SymbolicData(self)

    def is_a(self, kind):
        ways, path = self._ways, self._of_result
        words = {views.Call: "call", views.Tuple: "tuple", views.TupleGetItem: "projection", views.Function: "function",
                 views.Let: "let", views.If: "if", views.Constant: "constant", views.Var: "var"}
        if kind in (views.RelayExpr, views.Object):
            return True
        if kind is views.Constant:
            return ways.decide(path + ".is_constant")
        if kind is views.Var:
            return ways.decide(path + ".is_var")
        if kind not in words:
            return False
        return not self._path and kind is views.Call or ways.decide("%s.kind == '%s'" % (path, words[kind]))

    def same_as(self, other):
        return self == other

    def __eq__(self, other):
        if isinstance(other, SymbolicExpr) and other._path == self._path:
            return True
        raise CannotSay("it asks whether two expressions are the same")

    __hash__ = None

    def __getattr__(self, name):
        raise CannotSay("it asks for .%s of an expression" % name)


class SymbolicData:
    def __init__(self, expr):
        self._expr = expr

    def numpy(self):
        return self

    asnumpy = numpy

    def item(self, *index):
        path = self._expr._of_result
        if index and not self._expr._ways.decide(path + ".rank == 0"):
            self._expr._ways.leave("where %s has more than one value" % path)
        return Symbol(self._expr._ways, self._expr._of_result + ".value", "float")

    shape = property(lambda self: self._expr.checked_type.shape)
    dtype = property(lambda self: self._expr.checked_type.dtype)

    def __getattr__(self, name):
        raise CannotSay("it asks for .%s of a constant's values" % name)


def _isinstance(value, kind):
    kinds = tuple(_KINDS.get(each, each) for each in (kind if isinstance(kind, tuple) else (kind,)))
    if isinstance(value, Items):
        kinds_of_lists = (views.Array, views.Object)
        return any(each in kinds_of_lists for each in kinds)
    if not isinstance(value, (SymbolicExpr, SymbolicType, SymbolicOp, Symbol)):
        return isinstance(value, kinds)
    for each in kinds:
        if isinstance(value, SymbolicOp):
            found = each is views.Op
        elif isinstance(value, Symbol):
            found = value.is_a(each)
        else:
            found = value.is_a(each)
        if found:
            return True
    return False


def _len(value):
    return value.size() if isinstance(value, Items) else len(value)


class _Int(int):
    def __new__(cls, value=0, *args):
        if not isinstance(value, Symbol):
            return int(value, *args)
        if value._kind in ("int", "bool"):
            return int(value) if value._kind == "bool" else value
        raise CannotSay("it makes a whole number of %s" % value._text)


class _Str(str):
    def __new__(cls, value=""):
        return value if isinstance(value, Symbol) and value._kind == "str" else value.name \
            if isinstance(value, SymbolicOp) else str(value)


class _Float(float):
    def __new__(cls, value=0.0):
        return value if isinstance(value, Symbol) and value._kind != "str" else float(value)


_KINDS = {_Int: int, _Str: str, _Float: float}
_WORDS = {"isinstance": _isinstance, "len": _len, "int": _Int, "str": _Str, "float": _Float}


def tree_of(results):
    """The ways as (condition, tree where it holds, tree where not)."""
    def build(ways, level):
        if len(ways) == 1 and len(ways[0][0]) == level:
            return ways[0][1]
        text = ways[0][0][level][0]
        held = [way for way in ways if way[0][level][1]]
        rest = [way for way in ways if not way[0][level][1]]
        return (text, build(held, level + 1), build(rest, level + 1))

    return build(results, 0)


_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_ATOM, _ALL, _ANY, _CHOICE = range(4)
"""How loosely a text binds: a term, with &&, with ||, with ?:."""


def negated(said):
    text, loose = said
    simple = loose == _ATOM and re.fullmatch(r"([\w.\[\]()]+) (==|!=|<=|>=|<|>) ('(?:[^'\\]|\\.)*'|[\w.\-]+)", text)
    if simple:
        return "%s %s %s" % (simple.group(1), _OPPOSITE[simple.group(2)], simple.group(3)), _ATOM
    bare = loose == _ATOM and re.fullmatch(r"[\w.]+(\[\d+\])*[\w.]*(\([^()]*\))?", text)
    return ("!" + text if bare else "!(%s)" % text), _ATOM


def joined(operator, left, right):
    loose = _ALL if operator == "&&" else _ANY
    parts = [text if inner <= loose else "(%s)" % text for text, inner in (left, right)]
    return "%s %s %s" % (parts[0], operator, parts[1]), loose


def either(left, right):
    """`x == 1 || x == 2` as `x in [1, 2]`."""
    equal = re.compile(r"([\w.\[\]]+) == ('(?:[^'\\]|\\.)*'|-?[\d.]+)$")
    listed = re.compile(r"([\w.\[\]]+) in \[(.*)\]$")
    first, last = equal.match(left[0]), equal.match(right[0]) or listed.match(right[0])
    if first and last and first.group(1) == last.group(1) and left[1] == right[1] == _ATOM:
        return "%s in [%s, %s]" % (first.group(1), first.group(2), last.group(2)), _ATOM
    return joined("||", left, right)


def simplified(tree):
    """The tree with ways that end alike joined: its conditions are texts with how loosely they bind."""
    if isinstance(tree, bool):
        return tree
    said, held, rest = (tree[0], _ATOM), simplified(tree[1]), simplified(tree[2])
    while True:
        if held == rest:
            return held
        if isinstance(rest, tuple) and rest[1] == held:
            said, rest = either(said, rest[0]), rest[2]
        elif isinstance(rest, tuple) and rest[2] == held:
            said, rest = either(said, negated(rest[0])), rest[1]
        elif isinstance(held, tuple) and held[2] == rest:
            said, held = joined("&&", said, held[0]), held[1]
        elif isinstance(held, tuple) and held[1] == rest:
            said, held = joined("&&", said, negated(held[0])), held[2]
        else:
            return (said, held, rest)


def text_of(tree):
    """The text of a simplified tree, and how loosely it binds."""
    if isinstance(tree, bool):
        return ("true" if tree else "false"), _ATOM
    said, held, rest = tree
    if held is True and rest is False:
        return said
    if held is False and rest is True:
        return negated(said)
    if rest is False:
        return joined("&&", said, text_of(held))
    if held is False:
        return joined("&&", negated(said), text_of(rest))
    if held is True:
        return joined("||", said, text_of(rest))
    if rest is True:
        return joined("||", negated(said), text_of(held))
    parts = [("(%s)" % text if loose == _CHOICE else text) for text, loose in map(text_of, (held, rest))]
    condition = "(%s)" % said[0] if said[1] == _CHOICE else said[0]
    return "%s ? %s : %s" % (condition, *parts), _CHOICE


def _would_refuse(fault):
    """Whether a fault is the rule's own, so that it refuses the call, or comes of what stands for the call here."""
    if not isinstance(fault, (TypeError, RecursionError)):
        return True
    own = "|".join(name for name, value in globals().items() if isinstance(value, type))
    if isinstance(fault, TypeError) and not re.search(r"\b(%s)\b" % own, str(fault)):
        return True
    place = fault.__traceback__
    while place.tb_next:
        place = place.tb_next
    return place.tb_frame.f_code.co_code[place.tb_lasti] == dis.opmap["RAISE_VARARGS"]


def without_needless_guards(text):
    """`x.rank > 1 && x.shape[1] == 4` as its second half: where there is no such dimension, neither is true."""
    parts = text.split(" && ")
    if "||" in text or "?" in text or any(part.count("(") != part.count(")") for part in parts):
        return text
    guard = re.compile(r"([\w.\[\]]+)\.rank > (\d+)$")
    kept = []
    parts = [part for i, part in enumerate(parts) if not (
        (one := guard.match(part)) and (next_one := guard.match((parts + [""])[i + 1])) and
        one.group(1) == next_one.group(1) and int(one.group(2)) <= int(next_one.group(2)))]
    for i, part in enumerate(parts):
        found = guard.match(part)
        if not found or not any("%s.shape[%s]" % found.groups() in later for later in parts[i + 1:]):
            kept.append(part)
    return " && ".join(kept)


class Converter:
    def __init__(self, annotator, target, table, schemas):
        self.annotator, self.target, self.table, self.schemas = annotator, target, table, schemas
        self.deepest, self.left = _DEEPEST, []

    def rule(self, where, function, op=None, parts=None, deepest=_DEEPEST):
        self.deepest, self.ways, results = deepest, Ways(), []
        while self.ways.todo:
            self.ways.begin()
            CannotSay.said.clear()
            try:
                answer = bool(function(SymbolicExpr(self, "", 0, op, parts)))
            except Beyond:
                answer = False
            except Exception as fault:
                if not _would_refuse(fault):
                    raise CannotSay("of a call that is not known it raises %s" % loader.words_of(fault)) from None
                answer = False
            if CannotSay.said:
                raise CannotSay.said[0]
            results.append((list(self.ways.taken), answer))
        if self.ways.not_said:
            self.left.append({"rule": where, "why": "calls " + ", or ".join(self.ways.not_said)})
        return without_needless_guards(text_of(simplified(tree_of(results)))[0])

    def _say(self, where, make):
        try:
            return make()
        except CannotSay as fault:
            self.left.append({"rule": where, "why": str(fault)})
            return None

    def description(self, name):
        logging.disable()  # what a rule says of a call that is not known tells nobody anything
        shared = [vars(self.annotator.module), vars(names)]
        before = [{word: module[word] for word in _WORDS if word in module} for module in shared]
        for module in shared:
            module.update({word: value for word, value in _WORDS.items() if word not in module})
        try:
            made = {"name": name, "ops": {}, "patterns": []}
            for op, function in self.annotator.rules_of(self.target).items():
                if op not in self.schemas:
                    self.left.append({"rule": "ops." + op, "why": "there is no such operator"})
                    continue
                text = self._say("ops." + op, lambda: self.rule("ops." + op, function, op))
                if text is not None and text != "false":
                    made["ops"][op] = True if text == "true" else text
            self._add_patterns(made["patterns"])
            return made
        finally:
            for module, old in zip(shared, before):
                for word in _WORDS:
                    module.pop(word, None)
                module.update(old)

    def _fault_of(self, pattern):
        """Why a pattern can match nothing, or None."""
        for part in patterns._uses(pattern)[1]:
            if not isinstance(part, patterns.CallPattern) or part.args is None:
                continue
            for op in ops_of_part(part) or ():
                schema = self.schemas.get(op)
                if schema is None:
                    return "there is no operator %s" % op
                if not schema["variadic"] and schema["inputs"] != len(part.args):
                    return "%s has %d arguments, not %d" % (op, schema["inputs"], len(part.args))
        return None

    def _add_patterns(self, made):
        warnings, taken = [], set()
        for name, text, check, pattern in loader.entries_of(self.table, warnings, self.annotator.path):
            if name in taken:
                self.left.append({"rule": name, "why": "another pattern has this name"})
                continue
            fault = self._fault_of(pattern)
            if fault:
                self.left.append({"rule": name, "why": fault})
                continue
            entry = {"name": name, "pattern": text}
            if check is not None:
                calls = text.count("(")
                said = self._say(name, lambda: self.rule(name, check, None, parts_in(pattern), min(calls, _DEEPEST)))
                if said is None or said == "false":
                    continue
                if said != "true":
                    entry["check"] = said
            taken.add(name)
            made.append(entry)
        self.left += [{"rule": "", "why": warning["text"]} for warning in warnings]
