"""The names that files written for TVM 0.9 import from `tvm`. What is known does its work on views; anything else can be
imported, and says `no tvm.X` where it is used."""
import builtins
import contextlib
import importlib.abc
import importlib.machinery
import re
import sys
import types
import typing

from . import flow, patterns, relax, views
from .views import Lacks


class Missing:
    """A name of TVM's that is not here. Using it says so; a flow that is recorded takes it for a pass."""

    def __init__(self, path):
        self.__dict__.update(_path=path, __name__=path.split(".")[-1], __module__=path.rpartition(".")[0])

    def _lack(self, *args, **options):
        raise Lacks("no " + self._path)

    def __call__(self, *args, **options):
        if flow.RECORDING and self._path.split(".")[-1][:1].isupper():
            return flow.Pass(self._path.split(".")[-1], args, options)
        self._lack()

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(self._path + "." + name)

    def __mro_entries__(self, bases):
        return (MissingBase,)

    def __or__(self, other):  # in annotations
        return self

    __ror__ = __or__

    def __repr__(self):
        return "no " + self._path

    __setattr__ = __getitem__ = __iter__ = __len__ = __bool__ = __contains__ = __enter__ = _lack
    __instancecheck__ = __subclasscheck__ = _lack

    def __exit__(self, *fault):
        return False


class MissingBase:
    """What a class inherits from where its base is not here."""

    def __init__(self, *args, **options):
        raise Lacks("no base class of %s" % type(self).__name__)


class Registry:
    """What a file has registered."""

    def __init__(self):
        self.ops, self.tables, self.warnings = {}, {}, []
        """target -> operator -> function; target -> table; what was passed over"""

    def targets(self):
        return list(dict.fromkeys(list(self.tables) + list(self.ops)))


REGISTRY = Registry()


def register_op_attr(op_name, attr_key, value=None, level=10):
    def register(function):
        if attr_key.startswith("target."):
            REGISTRY.ops.setdefault(attr_key[len("target."):], {})[op_name] = function
        else:
            views.Op.get(op_name).set_attr(attr_key, function)
        return function

    return register(value) if value is not None else register


def register_pattern_table(compiler, table=None):
    def register(function):
        REGISTRY.tables[compiler] = function()
        return function

    return register(table) if table is not None else register


def register_patterns(entries):
    relax.register_patterns(entries, REGISTRY)


def get_patterns_with_prefix(prefix):
    """As Relax's registry gives them: those that were registered later come first."""
    return [relax.FusionPattern(*row[:2], check=row[2]) for table in REGISTRY.tables.values() for row in table
            if row[0].startswith(prefix)]


def get_pattern_table(compiler):
    return REGISTRY.tables.get(compiler)


def passes_through(name=None, *args, **options):
    """A decorator whose effect is of no concern here."""
    if callable(name):
        return name
    function = args[0] if args and callable(args[0]) else options.get("f")
    return function if function is not None else lambda decorated: decorated


def get_global_func(name, allow_missing=False):
    known = {"relay.op.get_tensorrt_version": lambda: []}
    if name in known:
        return known[name]
    if allow_missing:
        return None
    raise ValueError("Cannot find global function %s" % name)


def init_api(namespace, target_module_name=None):
    """Names of the file that nothing defines are taken for functions of the library that it asks for."""
    from . import loader
    for name in loader.undefined_names(target_module_name):
        setattr(sys.modules[target_module_name], name, Missing(namespace + "." + name))


# Helpers of TVM's operators.

def get_const_int(value):
    return int(value)


def get_const_tuple(values):
    return tuple(value if isinstance(value, views.Any) else int(value) for value in values)


def _channel(shape, layout, letter, plain, packed):
    if len(shape) == 4:
        place = layout.find(letter)
        if place < 0:
            raise AssertionError("no %s in the layout %s" % (letter, layout))
        return shape[place]
    for form, axes in packed.items():
        if re.match(form + "$", layout):
            product = 1
            for axis in axes:
                product = product * shape[axis]
            return product
    raise ValueError("not support this layout %s yet" % layout)


def get_conv2d_in_channels(data_shape, data_layout):
    return _channel(get_const_tuple(data_shape), data_layout, "C", 4, {r"NCHW\d+c": (1, 4)})


def get_conv2d_out_channels(kernel_shape, kernel_layout):
    packed = {r"OIHW\d+i\d+o": (0, 5), r"OIHW\d*o": (0, 4)}
    return _channel(get_const_tuple(kernel_shape), kernel_layout, "O", 4, packed)


def is_depthwise_conv2d(data_shape, data_layout, kernel_shape, kernel_layout, groups):
    inputs = get_conv2d_in_channels(data_shape, data_layout)
    return inputs == get_conv2d_out_channels(kernel_shape, kernel_layout) == groups


def post_order_visit(expr, visit):
    """Calls `visit` on every expression below, operands first, each once."""
    seen, stack = set(), [(expr, None)]
    while stack:
        node, rest = stack.pop()
        if rest is None:
            if id(node) in seen:
                continue
            seen.add(id(node))
            rest = iter(_below(node))
        for child in rest:
            stack.append((node, rest))
            stack.append((child, None))
            break
        else:
            visit(node)


def _below(node):
    if isinstance(node, views.Call):
        return [node.op] + list(node.args)
    return node._operands() if isinstance(node, views.RelayExpr) else []


class ExprFunctor:
    """Calls the method for the kind of an expression; each expression once."""

    _METHODS = {
        views.Call: "visit_call", views.Var: "visit_var", views.Constant: "visit_constant", views.Op: "visit_op",
        views.Tuple: "visit_tuple", views.TupleGetItem: "visit_tuple_getitem", views.Function: "visit_function",
        views.GlobalVar: "visit_global_var", views.Let: "visit_let", views.If: "visit_if",
        views.RefCreate: "visit_ref_create", views.RefRead: "visit_ref_read", views.RefWrite: "visit_ref_write",
    }

    def __init__(self):
        self.memo_map = {}

    def visit(self, expr):
        if expr not in self.memo_map:
            method = next(name for kind, name in self._METHODS.items() if isinstance(expr, kind))
            self.memo_map[expr] = getattr(self, method)(expr)
        return self.memo_map[expr]


class ExprVisitor(ExprFunctor):
    """Visits every expression below."""

    def _visit_below(self, expr):
        for child in _below(expr):
            self.visit(child)

    visit_call = visit_tuple = visit_tuple_getitem = visit_function = visit_let = visit_if = _visit_below
    visit_ref_create = visit_ref_read = visit_ref_write = visit_var = visit_constant = visit_op = _visit_below
    visit_global_var = _visit_below


class ExprMutator(ExprFunctor):
    """The base of rewrites. They are loaded, and not run."""

    def visit(self, expr):
        raise Lacks("no tvm.relay.ExprMutator.visit: no expressions are made here")


class UMABackend:
    """A backend that names its patterns itself (`tvm.relay.backend.contrib.uma`)."""

    def __init__(self, merge_compiler_regions=True):
        self.patterns = []

    target_name = property(lambda self: self._target_name)

    def _register_target_attr(self, name, default=""):
        pass

    def _register_pattern(self, name, pattern, check=None):
        self.patterns.append((self.target_name + "." + name, pattern, check or (lambda call: True)))

    def _ignore(self, *args, **options):
        pass

    _register_relay_pass = _register_tir_pass = _register_operator_strategy = _register_codegen = _ignore


class Target:
    """Of no kind."""

    def __init__(self, *args, **options):
        self.kind, self.attrs = args[0] if args else "llvm", {}

    @staticmethod
    def current(allow_none=True):
        return None

    @staticmethod
    def list_kinds():
        return ["c", "llvm"]


def structural_equal(left, right, map_free_vars=False):
    return left is right or (isinstance(left, views.Type) and left == right)


class Passes(types.ModuleType):
    """`tvm.relay.transform`: every name of a pass makes one."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        made = flow.PassFactory(name) if name[:1].isupper() else Missing("tvm.relay.transform." + name)
        setattr(self, name, made)
        return made


class Known(types.ModuleType):
    """A module of TVM's: what is not in it is missing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        path = self.__name__ + "." + name
        if path in _MODULES:
            return _module(path)
        with contextlib.suppress(ImportError):
            if self.__name__ == _PACKAGE:
                return __import__("importlib").import_module(path)
        return Missing(path)


class Attributes(types.ModuleType):
    """`tvm.relay.op.op_attrs`: the classes of attributes."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return views.attrs_class(name)


_PACKAGE = "tvm.relay.op.contrib"
_CORE_ML = ("add", "multiply", "clip", "expand_dims", "nn.relu", "nn.batch_flatten", "nn.softmax", "nn.conv2d",
            "nn.global_avg_pool2d")


def _classes(source, names):
    return {name: getattr(source, name) for name in names.split()}


def _tables():
    """Module -> what is in it."""
    exprs = _classes(views, "Call Var GlobalVar Constant Tuple TupleGetItem Let If RefCreate RefRead RefWrite")
    exprs.update(Expr=views.RelayExpr, RelayExpr=views.RelayExpr, ExprWithOp=views.RelayExpr, const=patterns.const)
    kinds = _classes(views, "TensorType TupleType FuncType Type RelayRefType")
    functions = {"Function": views.Function, "BaseFunc": views.BaseFunc}
    pattern_names = {name: value for name, value in vars(patterns).items()
                     if name.endswith(("Pattern", "Callback")) or name.startswith(("is_", "has_", "wildcard"))}
    # Names of its own imports, which `import *` gives.
    pattern_names.update(dominates=patterns.dominates, Expr=views.RelayExpr, Callable=typing.Callable,
                         Dict=typing.Dict, List=typing.List, Optional=typing.Optional)
    for name in ("rewrite", "partition"):
        pattern_names[name] = Missing("tvm.relay.dataflow_pattern." + name)
    relax_patterns = dict(pattern_names, is_op=relax.is_op, is_const=relax.is_const)
    relax_registry = {"register_patterns": register_patterns, "get_patterns_with_prefix": get_patterns_with_prefix,
                      "FusionPattern": relax.FusionPattern}
    relax_helpers = _classes(relax, "make_fused_bias_activation_pattern make_matmul_pattern")
    relax_check = {"PatternCheckContext": relax.PatternCheckContext, "FusionPattern": relax.FusionPattern}
    register = {"register_pattern_table": register_pattern_table, "get_pattern_table": get_pattern_table,
                "_PATTERN_TABLES": REGISTRY.tables}
    passes = {"PassContext": flow.PassContext, "Sequential": flow.Sequential, "function_pass": flow.own_pass,
              "module_pass": flow.own_pass, "Pass": flow.Pass, "ModulePass": flow.Pass, "FunctionPass": flow.Pass}
    relay_passes = dict(passes, InferTypeLocal=Missing("tvm.relay.transform.InferTypeLocal"))
    op = {"Op": views.Op, "get": views.Op.get, "register_attr": register_op_attr}
    prims = {"IntImm": views.IntImm, "FloatImm": views.FloatImm, "Any": views.Any, "PrimExpr": views.PrimExpr}
    containers = {"Array": views.Array, "Map": dict}
    decorators = {"register_func": passes_through, "register_object": passes_through, "get_global_func": get_global_func}
    functors = {"ExprFunctor": ExprFunctor, "ExprVisitor": ExprVisitor, "ExprMutator": ExprMutator,
                "MixedModeVisitor": ExprVisitor, "MixedModeMutator": ExprMutator}
    depthwise = {"is_depthwise_conv2d": is_depthwise_conv2d, "get_conv2d_in_channels": get_conv2d_in_channels,
                 "get_conv2d_out_channels": get_conv2d_out_channels}
    visits = {"post_order_visit": post_order_visit}
    utils = {"get_const_tuple": get_const_tuple, "get_const_int": get_const_int}
    bind = {"bind_params_by_name": lambda function, params: function}
    relay = {**exprs, **kinds, **functions, **functors, "TypeVar": views.Type, "Any": views.Any, "ShapeVar": views.Any,
             "bind": lambda function, params: function}
    nd = {"NDArray": views.NDArray, "array": patterns.const}
    return {
        "tvm": {**decorators, "transform": None, "target": None, "PrimExpr": views.PrimExpr, "__version__": "0.9.0",
                "TVMError": Lacks},
        "tvm._ffi": {**decorators, "_init_api": init_api},
        "tvm._ffi.base": {"TVMError": Lacks}, "tvm.error": {"TVMError": Lacks, "OpError": Lacks},
        "tvm._ffi.registry": decorators, "tvm.contrib": {}, "tvm.contrib.target": {}, "tvm.driver": {},
        "tvm.contrib.target.coreml": {"_convert_map": dict.fromkeys(_CORE_ML)},
        "tvm.ir": {**prims, **containers, **kinds, "Op": views.Op, "register_op_attr": register_op_attr,
                   "RelayExpr": views.RelayExpr, "GlobalVar": views.GlobalVar, "BaseFunc": views.BaseFunc,
                   "structural_equal": structural_equal, "Attrs": views.Attrs, "DictAttrs": views.DictAttrs,
                   "register_intrin_lowering": passes_through, "transform": None, "Node": views.Object,
                   "make_node": Missing("tvm.ir.make_node")},
        "tvm.ir.op": {"Op": views.Op, "register_op_attr": register_op_attr}, "tvm.ir.attrs": {
            "Attrs": views.Attrs, "DictAttrs": views.DictAttrs}, "tvm.ir.expr": {
                "RelayExpr": views.RelayExpr, "GlobalVar": views.GlobalVar, "PrimExpr": views.PrimExpr},
        "tvm.ir.tensor_type": kinds, "tvm.ir.type": kinds, "tvm.ir.container": containers, "tvm.ir.transform": passes,
        "tvm.ir.function": functions, "tvm.ir.module": {}, "tvm.nd": nd, "tvm.runtime.ndarray": nd,
        "tvm.runtime": {"NDArray": views.NDArray, "Object": views.Object, "String": str},
        "tvm.runtime.container": {"String": str}, "tvm.transform": passes, "tvm.target": {"Target": Target},
        "tvm.tir": {**prims, "expr": None, "op": None}, "tvm.tir.transform": {"prim_func_pass": flow.own_pass}, "tvm.tir.expr": prims, "tvm.tir.op": {"Op": views.Op},
        "tvm.topi": utils, "tvm.topi.utils": utils, "tvm.topi.nn": {}, "tvm.topi.nn.qnn": {},
        "tvm.relax": {**exprs, **kinds, "dpl": None}, "tvm.relax.expr": exprs, "tvm.relax.dpl": relax_patterns,
        "tvm.relax.dpl.pattern": relax_patterns, "tvm.relax.backend": relax_registry,
        "tvm.relax.backend.pattern_registry": relax_registry, "tvm.relax.backend.patterns": relax_helpers,
        "tvm.relax.transform": relax_check,
        "tvm.relay": relay, "tvm.relay.expr": exprs, "tvm.relay.ty": {**kinds, "Any": views.Any},
        "tvm.relay.function": functions, "tvm.relay.expr_functor": functors, "tvm.relay.analysis": visits,
        "tvm.relay.analysis.analysis": visits, "tvm.relay.dataflow_pattern": pattern_names,
        "tvm.relay.transform": relay_passes, "tvm.relay.transform.transform": relay_passes,
        "tvm.relay.build_module": bind, "tvm.relay.type_functor": {}, "tvm.relay.testing": {},
        "tvm.relay.op": {**op, "register": passes_through}, "tvm.relay.op.op": op, "tvm.relay.op.op_attrs": {},
        "tvm.relay.op.nn": {}, "tvm.relay.op.nn.nn": {}, "tvm.relay.op.annotation": {}, "tvm.relay.op.strategy": {},
        "tvm.relay.op.strategy.generic": depthwise, _PACKAGE: register, _PACKAGE + ".register": register,
        "tvm.relay.nn": {}, "tvm.relay.qnn": {}, "tvm.relay.qnn.op": {}, "tvm.relay.frontend": {},
        "tvm.relay.frontend.common": {}, "tvm.relay.backend": {}, "tvm.relay.backend.contrib": {},
        "tvm.relay.backend.contrib.uma": {"UMABackend": UMABackend},
        "tvm.relay.backend.contrib.uma.backend": {"UMABackend": UMABackend},
        "tvm.relay.backend.contrib.uma.api": {"UMABackend": UMABackend},
    }


_MODULES = {}


def _module(name):
    """The module of that name, in sys.modules from then on."""
    if name in sys.modules:
        return sys.modules[name]
    kind = {"tvm.relay.transform": Passes, "tvm.relay.transform.transform": Passes, "tvm.transform": Passes,
            "tvm.ir.transform": Passes, "tvm.relay.op.op_attrs": Attributes}.get(name, Known)
    made = kind(name)
    made.__path__ = []
    made.__package__ = name
    contents = {key: value for key, value in _MODULES.get(name, {}).items() if value is not None}
    vars(made).update(contents)
    made.__all__ = list(contents)
    sys.modules[name] = made
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(_module(parent), last, made)
    return made


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `tvm` and all below it, and numpy's stand-in where there is none."""

    def find_spec(self, name, path, target=None):
        if name == "tvm" or name.startswith("tvm."):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return None if spec.name not in sys.modules else sys.modules[spec.name]

    def exec_module(self, module):
        pass


class TvmFinder(Finder):
    def create_module(self, spec):
        return _module(spec.name)


class NumpyFinder(Finder):
    """Asked after all others."""

    def find_spec(self, name, path, target=None):
        return importlib.machinery.ModuleSpec(name, self) if name == "numpy" else None

    def create_module(self, spec):
        from . import arrays
        return arrays.stand_in(types.ModuleType("numpy"))


def install():
    """Makes `import tvm` find what is here."""
    _MODULES.update(_tables())
    sys.meta_path.insert(0, TvmFinder())
    sys.meta_path.append(NumpyFinder())


def begin_registry():
    """Forgets what was registered, before a file is loaded."""
    global REGISTRY
    REGISTRY = Registry()
    for name in (_PACKAGE, _PACKAGE + ".register"):
        _MODULES[name]["_PATTERN_TABLES"] = REGISTRY.tables
        if name in sys.modules:
            sys.modules[name]._PATTERN_TABLES = REGISTRY.tables
    return REGISTRY


BUILTIN_NAMES = set(dir(builtins)) | {"__file__", "__name__", "__doc__", "__package__", "__path__"}
