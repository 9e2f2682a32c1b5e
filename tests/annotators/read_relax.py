"""Runs a file of rules for Relax without TVM and prints what it registers: the patterns in order, and for each with a check
its verdict on two calls."""
import json
import sys
import types


class Pattern:
    def __init__(self, text):
        self.text = text

    def __call__(self, *operands, varg_default_wildcard=False):
        more = ["..."] if varg_default_wildcard else []
        return Pattern(f"{self.text}({', '.join([operand.text for operand in operands] + more)})")

    def __or__(self, other):
        return Pattern(f"({self.text} | {other.text})")

    def has_attr(self, attributes):
        return Pattern(f"{self.text}.has_attr({json.dumps(attributes)})")

    def has_dtype(self, dtype):
        return Pattern(f"{self.text}.has_dtype({dtype})")

    def has_shape(self, shape):
        return Pattern(f"{self.text}.has_shape({list(shape)})")


class IntImm(int):
    pass


class Constant:
    pass


def tensor(shape, dtype, kind=types.SimpleNamespace):
    made = kind()
    values = [IntImm(dim) for dim in shape]
    made.struct_info = types.SimpleNamespace(dtype=dtype, shape=types.SimpleNamespace(values=values))
    return made


def convolution(groups, dtype):
    call = tensor((1, 8, 4, 4), dtype)
    call.args = [tensor((1, 8, 4, 4), dtype), tensor((8, 8 // groups, 1, 1), dtype, Constant)]
    call.attrs = types.SimpleNamespace(groups=groups, strides=[IntImm(1), IntImm(1)], data_layout="NCHW", out_dtype="")
    return call


def verdict(check, call):
    places = {"call": call, "call.args[0]": call.args[0], "call.args[1]": call.args[1]}
    # The convolution below a bias and an activation.
    places["call.args[0].args[0]"] = call
    return check(types.SimpleNamespace(annotated_expr=places))


rows = []
names = {
    "tvm": {"tir": types.SimpleNamespace(IntImm=IntImm)},
    "tvm.relax": {"Constant": Constant, "const": lambda value, dtype="float32": f"{value}{dtype}"},
    "tvm.relax.backend": {},
    "tvm.relax.backend.pattern_registry": {"register_patterns": rows.extend},
    "tvm.relax.dpl": {
        "is_const": lambda: Pattern("constant"),
        "is_expr": lambda value: Pattern(value),
        "is_op": Pattern,
        "is_tuple": lambda fields: Pattern("tuple(" + ", ".join(field.text for field in fields) + ")"),
        "is_tuple_get_item": lambda value, index=None: Pattern(f"{value.text}.{index}"),
        "is_var": lambda: Pattern("var"),
        "wildcard": lambda: Pattern("*"),
    },
}
for name, content in names.items():
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(content)
sys.modules["tvm"].relax = sys.modules["tvm.relax"]
with open(sys.argv[1], encoding="utf-8") as file:
    exec(compile(file.read(), sys.argv[1], "exec"), {})
for name, pattern, annotations, *check in rows:
    verdicts = [verdict(check[0], call) for call in (convolution(1, "float32"), convolution(2, "int64"))] if check else []
    assert not check or pattern is annotations["call"]
    print(name, pattern.text, *verdicts)
