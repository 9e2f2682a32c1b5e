"""`tvm.relax`, as far as files of patterns use it: register_patterns with checks. Source of the names: Apache TVM 0.20,
python/tvm/relax/dpl and python/tvm/relax/backend/pattern_registry.py."""
from . import patterns, views
from .views import Lacks

# Where the engine has an operator of Relax under another name.
_ENGINE_NAMES = {"astype": ("cast",), "concat": ("concatenate",), "matmul": ("nn.dense", "nn.matmul", "nn.batch_matmul"),
                 "nn.leakyrelu": ("nn.leaky_relu",), "permute_dims": ("transpose",), "add": ("add", "nn.bias_add")}


def is_op(op_name):
    """The name keeps its "relax.": the program's patterns know it so."""
    return patterns.ExprPattern(views.Op.get(str(op_name)))


def is_const():
    return patterns.ConstantPattern()


class PatternCheckContext:
    """What a check is asked about. Bindings and their uses are those of a Relax program, which is not here."""

    def __init__(self, matched_expr, annotated_expr):
        self.matched_expr, self.annotated_expr = matched_expr, annotated_expr

    def __getattr__(self, name):
        if name in ("matched_bindings", "var_usages", "value_to_bound_var"):
            raise Lacks("no tvm.relax.transform.PatternCheckContext.%s" % name)
        raise AttributeError(name)

    def __repr__(self):
        return "the match at %r" % (self.matched_expr,)


class FusionPattern:
    def __init__(self, name, pattern, annotation_patterns=None, check=None, attrs_getter=None):
        self.name, self.pattern, self.check = str(name), pattern, check
        self.annotation_patterns, self.attrs_getter = dict(annotation_patterns or {}), attrs_getter


class Check:
    """A check of Relax as one of a call: the parts that it names are found in the match."""

    def __init__(self, entry):
        self.entry = entry
        self.__name__ = getattr(entry.check, "__name__", "a check")
        if hasattr(entry.check, "__code__"):
            self.__code__ = entry.check.__code__

    def __call__(self, call):
        found = match(self.entry.pattern, call, {})
        if found is None:
            raise Lacks("the parts of the match of %s are not told apart here" % self.entry.name)
        named = {name: found[id(part)] for name, part in self.entry.annotation_patterns.items() if id(part) in found}
        return self.entry.check(PatternCheckContext(call, named))


def _names_op(pattern, call):
    """Whether the operator of a pattern may be that of a call."""
    if not isinstance(pattern, patterns.ExprPattern) or not isinstance(pattern.expr, views.Op):
        return True
    if not isinstance(call, views.Call) or not isinstance(call.op, views.Op):
        return False
    name = pattern.expr.name
    name = name[len("relax."):] if name.startswith("relax.") else name
    return call.op.name in (name, "relax." + name, *_ENGINE_NAMES.get(name, ()))


def _commutes(op):
    """The operators whose arguments TVM tries in both orders."""
    return isinstance(op, patterns.ExprPattern) and isinstance(op.expr, views.Op) and \
        op.expr.name in ("add", "multiply", "relax.add", "relax.multiply")


def match(pattern, expr, found):
    """What each part of a pattern stands for, by its id; None where it stands for nothing. That it matches is known."""
    found = dict(found)
    found[id(pattern)] = expr
    if isinstance(pattern, patterns.AltPattern):
        left = match(pattern.left, expr, found)
        return left if left is not None else match(pattern.right, expr, found)
    if isinstance(pattern, patterns._Condition):
        return match(pattern.pattern, expr, found)
    if isinstance(pattern, patterns.TupleGetItemPattern):
        is_part = isinstance(expr, views.TupleGetItem)
        return match(pattern.tuple, expr.tuple_value, found) if is_part else None
    if isinstance(pattern, patterns.TuplePattern):
        return _match_all(pattern.fields, list(expr.fields), found) if isinstance(expr, views.Tuple) else None
    if not isinstance(pattern, patterns.CallPattern):
        return found
    if not isinstance(expr, views.Call) or not _names_op(pattern.op, expr):
        return None
    args = list(expr.args)
    if isinstance(expr.op, views.Op) and expr.op.name == "nn.dense" and len(args) == 2:
        return _match_dense(pattern, args, found)
    matched = _match_all(pattern.args, args, found)
    if matched is None and len(args) == 2 and _commutes(pattern.op):
        matched = _match_all(pattern.args, args[::-1], found)
    return matched


def _match_all(parts, exprs, found):
    for part, expr in zip(parts or (), exprs):
        if found is not None:
            found = match(part, expr, found)
    return found


def _match_dense(pattern, args, found):
    """A product with a transposed matrix is one operator of the engine's."""
    parts = list(pattern.args or ())
    if len(parts) == 2 and isinstance(parts[1], patterns.CallPattern) and not _names_op(parts[1].op, args[1]):
        found[id(parts[1])] = args[1]
        parts[1] = (parts[1].args or [patterns.wildcard()])[0]
    return _match_all(parts, args, found)


def register_patterns(entries, registry):
    """The part of a name before its first dot is the target; what is registered later is tried first."""
    for entry in entries:
        if not isinstance(entry, FusionPattern):
            name, pattern, *rest = entry if isinstance(entry, (tuple, list)) else (entry,)
            if isinstance(pattern, tuple):  # (pattern, annotations) or (pattern, annotations, check)
                pattern, *rest = (*pattern, *rest)
            entry = FusionPattern(name, pattern, *rest[:2])
        row = (entry.name, entry.pattern, Check(entry) if entry.check is not None else None)
        registry.tables.setdefault(entry.name.partition(".")[0], []).insert(0, row)


def make_fused_bias_activation_pattern(op_name, with_bias=False, activation=None):
    """An operator with a bias and an activation behind it."""
    made = is_op(op_name)(patterns.wildcard(), patterns.wildcard())
    if with_bias:
        made = is_op("relax.add")(made, patterns.wildcard())
    return is_op(activation)(made) if activation else made


def make_matmul_pattern(with_bias=False, activation=None, transposed_rhs=False):
    """A product of matrices, and its parts by the names lhs, rhs, bias and root."""
    lhs, rhs, bias = patterns.wildcard(), patterns.wildcard(), patterns.wildcard()
    root = is_op("relax.matmul")(lhs, is_op("relax.permute_dims")(rhs) if transposed_rhs else rhs)
    parts = {"lhs": lhs, "rhs": rhs, "root": root}
    made = root
    if with_bias:
        parts["bias"] = bias
        made = is_op("relax.add")(root, bias)
    return (is_op(activation)(made) if activation else made), parts
