# Rules in the form of a compiler for an NPU: constraints with a sentence each, over operators of a TFLite file.
from collections import defaultdict

from .data_type import DataType
from .operation import Op
from .operation import Padding
from .supported_operators_util import docstring_format_args
from .supported_operators_util import list_formatter
from .tflite_mapping import optype_to_builtintype


class SmallNpu:
    convolutions = set((Op.Conv2DBias,))
    supported = convolutions | set((Op.Add, Op.Relu))
    dtypes = set((DataType.int8, DataType.float32))
    largest_kernel = (1, 3)

    def __init__(self):
        self.generic_constraints = [SmallNpu.constraint_dtype]
        self.generic_constraints_exceptions = defaultdict(list)
        self.specific_constraints = defaultdict(list)
        for kind in SmallNpu.convolutions:
            self.specific_constraints[kind].append(SmallNpu.constraint_kernel)
            self.specific_constraints[kind].append(SmallNpu.constraint_weights)

    def is_operator_supported(self, op):
        name = optype_to_builtintype(op.type)
        if op.type not in SmallNpu.supported:
            print(f"Info: {name} '{op.name}' is a CPU only op")
            return False
        for constraint in self.generic_constraints + self.specific_constraints[op.type]:
            valid, extra = constraint(op)
            if not valid:
                print(f"Warning: {name} '{op.name}' is not supported: {constraint.__doc__} {extra}")
                return False
        return True

    @classmethod
    @docstring_format_args([list_formatter(dtypes)])
    def constraint_dtype(cls, op):
        "Tensors must be of type: {}"
        valid = all(tensor.dtype in cls.dtypes for tensor in (op.ifm, op.ofm))
        return valid, f"input {op.ifm.dtype}"

    @classmethod
    @docstring_format_args(largest_kernel)
    def constraint_kernel(cls, op):
        "The kernel's height must be in the range [{}, {}]"
        least, most = cls.largest_kernel
        valid = least <= op.kernel.height <= most
        return valid, f"height {op.kernel.height}"

    @staticmethod
    def constraint_weights(op):
        "Weights must be constant"
        return op.weights.values is not None and op.attrs["padding"] in (Padding.SAME, Padding.VALID), op.weights.name
