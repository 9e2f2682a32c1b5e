"""Files of rules over torch.fx nodes, as PyTorch's and ExecuTorch's partitioners ask: classes with
`is_node_supported(submodules, node)` or `check_constraints(node, exported_program)`. Views of nodes, and as much of
`torch` and `executorch` as such files import."""
import importlib.machinery
import json
import operator
import sys
import types

from . import arrays, names
from .vela import Refusal

_KEYWORDS = {"dtype", "layout", "device", "pin_memory", "memory_format", "generator", "rounding_mode", "alpha", "beta",
             "out_dtype", "scale", "enable_gqa", "non_blocking", "dim_order"}


class _Named:
    """Equal to itself alone; there is one of each name."""

    _known = {}

    def __new__(cls, name, *_):
        key = (cls, name)
        if key not in _Named._known:
            _Named._known[key] = object.__new__(cls)
        return _Named._known[key]

    def __init__(self, name):
        self._name = name

    def __repr__(self):
        return self._name

    __str__ = __repr__

    def __reduce__(self):
        return type(self), (self._name,)


class DType(_Named):
    _BITS = {"bool": 8, "uint8": 8, "int8": 8, "int16": 16, "int32": 32, "int64": 64, "float16": 16, "bfloat16": 16,
             "float32": 32, "float64": 64}

    @property
    def itemsize(self):
        return self._BITS.get(self._name.split(".")[-1], 8) // 8

    @property
    def is_floating_point(self):
        return "float" in self._name

    is_complex = property(lambda self: "complex" in self._name)


class Token(_Named):
    """A layout or a memory format."""


_DTYPES = {1: "uint8", 2: "int8", 3: "int16", 4: "int32", 5: "int64", 6: "float16", 7: "float32", 8: "float64",
           9: "complex32", 10: "complex64", 11: "complex128", 12: "bool", 13: "bfloat16"}
_FORMATS = {1: "contiguous_format", 2: "channels_last", 3: "channels_last_3d", 4: "preserve_format"}


def dtype(name):
    return DType("torch." + name)


class Schema:
    """Of an operator only its name is known."""

    def __init__(self, name):
        self.name, self.overload_name = name.rpartition(".")[0].replace(".", "::"), name.rpartition(".")[2]
        self.arguments, self.returns = (), ()

    def __repr__(self):
        return self.name


class Overload(_Named):
    """`torch.ops.aten.add.Tensor`; of the edge dialect `exir_ops.edge.aten.add.Tensor`."""

    def __init__(self, path):
        super().__init__(path)
        namespace, _, rest = path.rpartition("ops.")[2].removeprefix("edge.").partition(".")
        self.namespace, self._full = namespace, namespace + "." + rest
        is_edge = ".edge." in path
        self.__name__ = self._full if is_edge else rest
        self.__qualname__, self.__module__ = self.__name__, "torch._ops." + namespace
        self._schema, self._overloadname = Schema(self._full), rest.rpartition(".")[2]
        self._op = Overload("torch.ops." + self._full) if is_edge else self

    def __repr__(self):
        return self._full

    __str__ = __repr__

    def name(self):
        return self._full.replace(".", "::", 1)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Overload(self._name + "." + name)

    @property
    def overloadpacket(self):
        return Overload(self._name.rpartition(".")[0])

    @property
    def default(self):
        return Overload(self._name + ".default")


class Namespace:
    """`torch.ops`, and all below it down to an overload."""

    def __init__(self, path):
        self._path = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        path = self._path + "." + name
        depth = path.rpartition("ops.")[2].removeprefix("edge").count(".")
        return Namespace(path) if name == "edge" or depth < (1 if ".edge" not in path else 2) else Overload(path)


def target_of(written):
    """The object that a target of the file is."""
    if written.startswith(("_operator.", "operator.")):
        return getattr(operator, written.rpartition(".")[2], written)
    if written.startswith("executorch."):
        return Overload("exir_ops.edge." + written.partition("ops.")[2].removeprefix("edge."))
    return Overload(written) if written.startswith("torch.ops.") else written


class SymInt:
    """A size that is not known."""

    def __init__(self):
        self.node = types.SimpleNamespace(hint=None, expr=self)

    def __repr__(self):
        return "?"


class Tensor:
    """A value's type: what `node.meta["val"]` is."""

    def __init__(self, type_):
        self.shape = tuple(dim.value if hasattr(dim, "value") else SymInt() for dim in type_.shape)
        self.dtype, self.device = dtype(type_.dtype), types.SimpleNamespace(type="cpu", index=None)
        self.layout, self.requires_grad = Token("torch.strided"), False

    ndim = property(lambda self: len(self.shape))

    def dim(self):
        return len(self.shape)

    def size(self, axis=None):
        return self.shape if axis is None else self.shape[axis]

    def numel(self):
        count = 1
        for dim in self.shape:
            count *= dim
        return count

    nelement = numel

    def stride(self, axis=None):
        made, step = [], 1
        for dim in reversed(self.shape):
            made.insert(0, step)
            step = step * dim if isinstance(dim, int) and isinstance(step, int) else SymInt()
        return tuple(made) if axis is None else made[axis]

    def dim_order(self):
        return tuple(range(len(self.shape)))

    def element_size(self):
        return self.dtype.itemsize

    def is_floating_point(self):
        return self.dtype.is_floating_point

    def is_contiguous(self, *args, **options):
        return True

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return "Tensor(%s, %s)" % (list(self.shape), self.dtype)


class Node:
    def __init__(self, graph, name, op, target):
        self.graph, self.name, self.op, self.target = graph, name, op, target
        self.args, self.kwargs, self.users, self.meta, self.type = (), {}, {}, {}, None
        self._input_nodes = {}

    @property
    def all_input_nodes(self):
        return list(self._input_nodes)

    def format_node(self):
        return "%%%s : %s[target=%s]" % (self.name, self.op, self.target)

    def is_impure(self):
        return self.op in ("placeholder", "output")

    def __repr__(self):
        return self.name

    __str__ = __repr__

    @property
    def next(self):
        nodes = self.graph.nodes
        return nodes[(nodes.index(self) + 1) % len(nodes)]

    @property
    def prev(self):
        return self.graph.nodes[self.graph.nodes.index(self) - 1]


class File:
    """The nodes of the module that was sent, by the ids of their calls; and the program that they are of."""

    def __init__(self, module):
        self.module, self.by_call, self.by_name, self.nodes = module, {}, {}, []
        self.owning_module = None
        self.graph_signature = types.SimpleNamespace(inputs_to_parameters={}, inputs_to_buffers={}, user_inputs=[],
                                                     inputs_to_lifted_tensor_constants={}, buffers_to_mutate={},
                                                     user_outputs=[], input_specs=[], output_specs=[])
        self.state_dict, self.constants = {}, {}
        self.graph = self
        self.graph_module = types.SimpleNamespace(graph=self, code="")
        for number in module.calls():
            self._add(number)

    def _add(self, number):
        module, raw = self.module, self.module.raw(number)
        attrs = module.plain_attributes(number)
        op = module.raw(raw["operands"][0])["name"]
        is_call = op not in ("placeholder", "get_attr", "output")
        node = Node(self, raw.get("name") or op, "call_function" if is_call else op, raw.get("name"))
        self.nodes.append(node)
        self.by_call[number] = self.by_name[node.name] = node
        written = json.loads(attrs["arguments"]) if attrs.get("arguments") else []
        operands = [self._node_of(operand) for operand in raw["operands"][1:]]
        operands = [operand for operand in operands if operand is not None]
        if op == "placeholder":
            self._add_input(node, written, number)
        elif is_call:
            node.target = target_of(op)
            if written:
                self._add_arguments(node, written)
            elif "index" in attrs:
                node.args = (operands[0] if operands else None, attrs["index"])
            else:
                node.args = tuple(operands)
        elif op == "output":
            node.args = (tuple(operands),)
        node._input_nodes = dict.fromkeys(operands)
        for operand in node._input_nodes:
            operand.users[node] = None
        self._add_meta(node, attrs, number)

    def _node_of(self, operand):
        while self.module.raw(operand)["kind"] == "projection":
            operand = self.module.raw(operand)["operands"][0]
        return self.by_call.get(operand)

    def _add_meta(self, node, attrs, number):
        type_ = self.module[number].checked_type
        if hasattr(type_, "shape"):
            node.meta["val"] = node.meta["tensor_meta"] = Tensor(type_)
        if "index" in attrs and node.target is operator.getitem and node.args[0] is not None:
            whole = node.args[0].meta.get("val")
            values = list(whole) if isinstance(whole, tuple) else []
            values += [None] * (attrs["index"] + 1 - len(values))
            values[attrs["index"]] = node.meta.get("val")
            node.args[0].meta["val"] = tuple(values)
        for key in ("stack_trace", "torch_fn", "source_fn_stack", "debug_handle"):
            if key in attrs:
                node.meta[key] = attrs[key]
        stack = {}
        for entry in str(attrs.get("nn_module_stack") or "").split(";"):
            parts = entry.split(",", 2)
            if len(parts) == 3:
                stack[parts[0]] = (parts[1], parts[2])
        node.meta["nn_module_stack"] = stack

    def _add_input(self, node, written, number):
        kind, target = (written.get("kind"), written.get("target")) if isinstance(written, dict) else (None, None)
        tables = {"parameter": self.graph_signature.inputs_to_parameters, "buffer": self.graph_signature.inputs_to_buffers,
                  "tensor_constant": self.graph_signature.inputs_to_lifted_tensor_constants}
        if kind not in tables:
            self.graph_signature.user_inputs.append(node.name)
            return
        tables[kind][node.name] = target
        type_ = self.module[number].checked_type
        (self.constants if kind == "tensor_constant" else self.state_dict)[target] = Tensor(type_)

    def _add_arguments(self, node, written):
        args, kwargs = [], {}
        for each in written:
            name, value = each.get("name") or "", self._value(each.get("arg") or {})
            is_keyword = each["kind"] == 2 if each.get("kind") else name in _KEYWORDS
            if is_keyword:
                kwargs[name] = value
            else:
                args.append(value)
        node.args, node.kwargs = tuple(args), kwargs

    def _named(self, value):
        return self.by_name.get(value.get("name") or value.get("as_name")) if isinstance(value, dict) else None

    def _value(self, union):
        for tag, value in union.items():
            if value is None or not tag.startswith("as_"):
                continue
            if tag in ("as_tensor", "as_custom_obj"):
                return self._named(value)
            if tag == "as_tensors":
                return [self._named(item) for item in value]
            if tag == "as_optional_tensor":
                return self._value(value)
            if tag in ("as_optional_tensors", "as_sym_ints", "as_sym_floats", "as_sym_bools"):
                return [self._value(item) for item in value]
            if tag in ("as_sym_int", "as_sym_float", "as_sym_bool"):
                return self._value(value) if "as_name" not in value or value["as_name"] is None else self._named(value)
            if tag == "as_scalar_type":
                return dtype(_DTYPES.get(value, "unknown"))
            if tag == "as_memory_format":
                return Token("torch." + _FORMATS.get(value, "unknown"))
            if tag == "as_layout":
                return Token("torch.strided")
            if tag == "as_device":
                return types.SimpleNamespace(type=value.get("type"), index=value.get("index"))
            if tag == "as_float" and isinstance(value, str):
                return float(value)
            if tag == "as_graph":
                return self.by_name.get(value.get("name"))
            return value if tag != "as_none" else None
        return None


# What such files import.

class OperatorSupportBase:
    def is_node_supported(self, submodules, node):
        raise NotImplementedError


class OperatorSupport(OperatorSupportBase):
    """Takes the targets of a table, and whatever is no call."""

    def __init__(self, support_dict=None):
        self._support_dict = support_dict or {}

    def is_node_supported(self, submodules, node):
        if node.op not in ("call_function", "call_module", "call_method"):
            return True
        target = "torch.ops." + str(node.target) if isinstance(node.target, Overload) else (
            "_operator.getitem" if node.target is operator.getitem else str(node.target))
        if target not in self._support_dict:
            return False
        wanted = self._support_dict[target]
        if wanted is None:
            return True
        args = [each.meta["val"].dtype for each in node.args if isinstance(each, Node) and
                isinstance(each.meta.get("val"), Tensor)]
        return all(not allowed or kind in allowed for kind, allowed in zip(args, wanted[0]))


class _Both(OperatorSupportBase):
    def __init__(self, how, parts):
        self._how, self._parts = how, parts

    def is_node_supported(self, submodules, node):
        return self._how(part.is_node_supported(submodules, node) if hasattr(part, "is_node_supported") else
                         part(submodules, node) for part in self._parts)


def chain(*parts):
    return _Both(all, parts)


def any_chain(*parts):
    return _Both(any, parts)


def create_op_support(function):
    made = OperatorSupportBase()
    made.is_node_supported = function
    return made


WORDS = []  # what WhyNoPartition and reporters were told of the node that is asked about


class WhyNoPartition:
    def __init__(self, logger=None):
        self.logger = logger

    def __call__(self, node, reason):
        WORDS.append(str(reason))


class Reporter:
    """Of whatever kind: `report_reject(node, reason)`."""

    def report_reject(self, node, reason):
        WORDS.append(str(reason))


class TosaSpecification:
    """All that a specification may support is supported."""

    is_U55_subset, version = False, "1.0"

    @staticmethod
    def all_versions_and_profiles():
        return [TosaSpecification()]

    @staticmethod
    def create_from_string(text):
        return TosaSpecification()

    def __getattr__(self, name):
        if name.startswith("support"):
            return lambda *args: True
        raise AttributeError(name)


class TargetCheck(OperatorSupportBase):
    """A check of the operators in `targets`, as Arm's are."""

    targets, tosa_specs = [], []

    def __init__(self, tosa_spec=None, reporter=None):
        self.tosa_spec, self.reporter = TosaSpecification(), Reporter()

    def is_node_supported(self, submodules, node):
        return node.target in self.targets and self.is_node_tosa_supported(node, self.tosa_spec)

    def is_node_tosa_supported(self, node, tosa_spec):
        return True


def first_tensor(node):
    value = node.meta.get("val")
    return value[0] if isinstance(value, tuple) else value


class PartitionerConfig:
    """The base of configurations: one for each operator, by its name without the dialect."""

    target_name, original_target_name = "", None

    force_non_static_weights_for_f32_linear = enable_bf16 = False

    def __init__(self, *args, **options):
        self.enabled_precision_types = options.get("enabled_precision_types") or self.supported_precision_types()

    def supported_precision_types(self):
        return []

    def check_constraints(self, node, ep):
        return True

    def check_common_constraints(self, node, ep):
        return True

    def get_original_aten(self):
        return None

    def get_partition(self, node, ep):
        return [node]


def format_target_name(name):
    return name.replace("aten.", "").replace("::", ".")


class _Enum(type):
    def __getattr__(cls, name):
        if name.startswith("_"):
            raise AttributeError(name)
        made = Token(cls.__name__ + "." + name)
        setattr(cls, name, made)
        return made


class ConfigPrecisionType(metaclass=_Enum):
    pass


def _in(table):
    return lambda ep, node: node.op == "placeholder" and node.name in getattr(ep.graph_signature, table)


def is_param_node(ep, node):
    return any(_in(table)(ep, node) for table in
               ("inputs_to_parameters", "inputs_to_buffers", "inputs_to_lifted_tensor_constants"))


def _data(table, of):
    def get(ep, node):
        return getattr(ep, of).get(getattr(ep.graph_signature, table).get(node.name))
    return get


def get_input_node(node, index):
    return node.args[index]


def get_relu_fused_node(node):
    users = list(node.users)
    return users[0] if len(users) == 1 and "relu" in str(users[0].target) else None


def _quantized(node, prefix):
    return node.op == "call_function" and "quantized_decomposed." + prefix in str(node.target)


class QuantParams:
    """Of what is not quantized there are none; others are not here."""

    @staticmethod
    def from_weights(node, ep=None):
        if isinstance(node, Node) and _quantized(node, "dequantize"):
            names.Missing("executorch.backends.xnnpack.operators.quant_params.QuantParams.from_weights")()
        return None

    from_inputs = from_outputs = from_bias = from_weights


def tables():
    """Module -> what is in it."""
    config = {"PartitionerConfig": PartitionerConfig, "format_target_name": format_target_name}
    xnn = {"XNNPartitionerConfig": PartitionerConfig, "ConfigPrecisionType": ConfigPrecisionType}
    why = {"WhyNoPartition": WhyNoPartition, "WhyNoPartitionReporter": Reporter, "tag_constant_data": names.Missing("tag_constant_data")}
    support = {"OperatorSupportBase": OperatorSupportBase, "OperatorSupport": OperatorSupport, "chain": chain,
               "any_chain": any_chain, "create_op_support": create_op_support}
    params = {"is_param": _in("inputs_to_parameters"), "is_buffer": _in("inputs_to_buffers"),
              "is_lifted_tensor_constant": _in("inputs_to_lifted_tensor_constants"),
              "get_param": _data("inputs_to_parameters", "state_dict"),
              "get_buffer": _data("inputs_to_buffers", "state_dict"),
              "get_lifted_tensor_constant": _data("inputs_to_lifted_tensor_constants", "constants")}
    utils = {"is_param_node": is_param_node, "get_input_node": get_input_node,
             "get_relu_fused_node": get_relu_fused_node, "is_node": lambda node: isinstance(node, Node),
             "is_getitem": lambda node: node.target is operator.getitem,
             "is_depthwise_conv": lambda shape, groups=1, transposed=False: groups > 1 and (
                 shape[0] == 1 if transposed else shape[1] == 1)}
    fx = {"Node": Node, "GraphModule": type("GraphModule", (), {}), "Graph": File}
    torch = {name: dtype(name) for name in _DTYPES.values()}
    torch.update({name: Token("torch." + name) for name in list(_FORMATS.values()) + ["strided"]})
    torch.update(Tensor=Tensor, dtype=DType, float=dtype("float32"), int=dtype("int32"), long=dtype("int64"),
                 half=dtype("float16"), double=dtype("float64"), short=dtype("int16"), ops=Namespace("torch.ops"),
                 SymInt=SymInt, Size=tuple, fx=None)
    node_checks = {"is_quant": lambda node: _quantized(node, "quantize"),
                   "is_dequant": lambda node: _quantized(node, "dequantize"),
                   "is_dynamic_qdq": lambda node: False, "is_per_channel": lambda node: "per_channel" in str(node.target)}
    return {
        "torch": torch, "torch.fx": fx, "torch.fx.node": {"Node": Node, "Argument": object},
        "torch.fx.graph_module": {"GraphModule": fx["GraphModule"]}, "torch.fx.graph": {"Graph": File},
        "torch.fx.passes.operator_support": support, "torch._export.utils": params,
        "torch._subclasses": {"FakeTensor": Tensor}, "torch._subclasses.fake_tensor": {"FakeTensor": Tensor},
        "torch.export": {"ExportedProgram": File}, "torch.export.exported_program": {"ExportedProgram": File},
        "torch._ops": {"OpOverload": Overload}, "executorch.exir.dialects._ops": {"ops": Namespace("exir_ops")},
        "executorch.exir.dialects.edge._ops": {"EdgeOpOverload": Overload},
        "executorch.exir.backend.utils": why, "executorch.exir.backend.canonical_partitioners.config_partitioner": config,
        "executorch.backends.xnnpack.partition.config.xnnpack_config": xnn,
        "executorch.backends.xnnpack.utils.utils": utils,
        "executorch.backends.xnnpack.operators.quant_params": {"QuantParams": QuantParams},
        "executorch.backends.xnnpack.utils.quant_utils": node_checks,
        "executorch.exir": {"ExportedProgram": File},
        "executorch.backends.transforms": {"get_shape": lambda node: first_tensor(node).shape},
        "executorch.backends.transforms.utils": {"is_param_node": is_param_node},
        "executorch.backends.arm.operator_support.tosa_supported_operators": {
            "SupportedTOSAOperatorCheck": TargetCheck, "register_tosa_support_check": lambda check: check},
        "executorch.backends.arm._passes.arm_pass_utils": {"get_first_fake_tensor": first_tensor},
        "executorch.backends.arm.tosa": {"TosaSpecification": TosaSpecification},
        "executorch.backends.arm.tosa.specification": {"TosaSpecification": TosaSpecification},
    }


class Module(names.Known):
    """What is not in it is missing, and says so where it is used."""


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def __init__(self):
        self.tables = tables()

    def find_spec(self, name, path, target=None):
        if name.split(".")[0] in ("torch", "executorch", "torch_tensorrt"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        made = Module(spec.name)
        made.__path__ = []
        vars(made).update({key: value for key, value in self.tables.get(spec.name, {}).items() if value is not None})
        return made

    def exec_module(self, module):
        pass


def install():
    sys.meta_path.insert(0, Finder())


def rule_of(checker):
    def rule(call):
        node = call._module.file(File).by_call[call._id]
        WORDS.clear()
        value = checker.is_node_supported({}, node)
        return value if value or not WORDS else Refusal(WORDS[0])

    return rule


def rule_of_checks(checks):
    """One rule of the checks of a file, by the targets that each of them names."""
    def rule(call):
        node = call._module.file(File).by_call[call._id]
        asked = [check for check in checks if node.target in check.targets]
        if not asked:
            return Refusal("no check names its target")
        WORDS.clear()
        value = all(check.is_node_supported({}, node) for check in asked)
        return value if value or not WORDS else Refusal(WORDS[0])

    return rule


def rule_of_configs(configs):
    """One rule of the configurations of a file, by the names of their operators."""
    def rule(call):
        file = call._module.file(File)
        node = file.by_call[call._id]
        name = getattr(node.target, "_full", None)
        config = configs.get(name.partition(".")[2]) if name and node.op == "call_function" else None
        if config is None:
            return Refusal("there is no configuration for it")
        WORDS.clear()
        value = config.check_constraints(node, file)
        if value and hasattr(config, "check_common_constraints"):
            value = config.check_common_constraints(node, file)
        return value if value or not WORDS else Refusal(WORDS[0])

    return rule
