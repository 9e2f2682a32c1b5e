"""`partition_for_X` of a file as a list of passes: the function is run on a module of no content, and the passes that
it applies are noted."""
from .views import Lacks

RECORDING = []
"""The recording that is under way, if any, and no more than one."""

_KNOWN = {
    "InferType", "MergeComposite", "AnnotateTarget", "MergeCompilerRegions", "PartitionGraph", "SimplifyInference",
    "FoldConstant", "RemoveUnusedFunctions",
}


class AttrDict(dict):
    """The options of a pass context: `config["relay.ext.x.options"].use_fp16`."""

    def __getattr__(self, name):
        if name in self:
            return self[name]
        raise AttributeError("the options have no %s" % name)


class PassContext:
    """The context that was entered last holds."""

    _stack = []

    def __init__(self, opt_level=2, required_pass=None, disabled_pass=None, instruments=None, config=None, **others):
        self.opt_level, self.disabled_pass = opt_level, disabled_pass or []
        self.config = {
            key: AttrDict(value) if isinstance(value, dict) else value for key, value in (config or {}).items()
        }

    @staticmethod
    def current():
        return PassContext._stack[-1] if PassContext._stack else PassContext()

    def __enter__(self):
        PassContext._stack.append(self)
        return self

    def __exit__(self, *fault):
        PassContext._stack.pop()


class Pass:
    """A pass with what it was made with. Applying it notes it."""

    def __init__(self, name, args=(), options=None):
        self.name, self.args, self.options = name, args, options or {}

    def option(self, position, name, default):
        return self.args[position] if len(self.args) > position else self.options.get(name, default)

    def __call__(self, mod):
        if not RECORDING:
            raise Lacks("no tvm.relay.transform.%s: no module is changed here" % self.name)
        RECORDING[-1].note(self)
        return mod


class Sequential(Pass):
    def __init__(self, passes=None, opt_level=0, name="sequential", required=None, traceable=False):
        super().__init__(name)
        self.passes = list(passes or [])

    def __call__(self, mod):
        for each in self.passes:
            mod = each(mod)
        return mod


class PassFactory:
    """`tvm.relay.transform.X`."""

    def __init__(self, name):
        self.name = name

    def __call__(self, *args, **options):
        return Pass(self.name, args, options)


def own_pass(pass_func=None, opt_level=None, name=None, required=None, traceable=False):
    """`function_pass` and `module_pass`: what they decorate makes a pass."""
    def decorate(decorated):
        return PassFactory(name or decorated.__name__)

    return decorate(pass_func) if pass_func is not None else decorate


class FlowModule:
    """The module of no content that `partition_for_X` is given."""

    def __init__(self):
        self.attrs, self.functions, self.type_definitions = None, {}, {}

    def __getitem__(self, name):
        return self

    def __setitem__(self, name, function):
        pass

    def get_global_vars(self):
        return []

    def with_attr(self, *args):
        return self

    def update(self, *args):
        pass

    def __contains__(self, name):
        return False


def _folds_first(names):
    """Whether constants are folded before anything is placed: what comes later has no equivalent."""
    before = []
    for name in names:
        if name in ("MergeComposite", "AnnotateTarget", "MergeCompilerRegions", "PartitionGraph"):
            break
        before.append(name)
    return "FoldConstant" in before


class Recording:
    """What a run of `partition_for_X` applied."""

    def __init__(self):
        self.passes, self.config, self.table = [], {}, None

    def note(self, each):
        self.passes.append(each)
        if each.name in ("MergeComposite", "AnnotateTarget"):
            self.config = PassContext.current().config
        if each.name == "MergeComposite":
            self.table = each.option(0, "pattern_table", None)

    def describe(self, function):
        names = [each.name for each in self.passes]
        by_name = {each.name: each for each in self.passes}
        annotate, partition = by_name.get("AnnotateTarget"), by_name.get("PartitionGraph")
        simplifies, folds = "SimplifyInference" in names, _folds_first(names)
        left_out = [name for name in names if name not in _KNOWN]
        if "FoldConstant" in names and not simplifies and not folds:
            left_out.append("FoldConstant after the division")
        targets = annotate.option(0, "targets", []) if annotate else []
        return {
            "function": function.__name__,
            "line": function.__code__.co_firstlineno,
            "passes": names,
            "left_out": list(dict.fromkeys(left_out)),
            "targets": [targets] if isinstance(targets, str) else [str(target) for target in targets],
            "simplify": simplifies,
            "fold": folds,
            "composite": "MergeComposite" in names,
            "annotate": annotate is not None,
            "include_non_call_ops": bool(annotate.option(1, "include_non_call_ops", True)) if annotate else True,
            "merge": "MergeCompilerRegions" in names,
            "bind_constants": bool(partition.option(1, "bind_constants", True)) if partition else True,
        }


def record(function):
    """Runs `function` and returns what it applied. Raises what the function raises."""
    recording = Recording()
    RECORDING.append(recording)
    depth = len(PassContext._stack)
    try:
        function(FlowModule())
    finally:
        RECORDING.clear()
        del PassContext._stack[depth:]
    return recording
