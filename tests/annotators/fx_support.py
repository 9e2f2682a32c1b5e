# A table of targets and a check of its own, as torch.fx's partitioners ask.
import torch
from torch.fx.passes.operator_support import OperatorSupport


class SmallSupport(OperatorSupport):
    def __init__(self):
        super().__init__({"torch.ops.aten.relu.default": None, "torch.ops.aten.add.Tensor": None})

    def is_node_supported(self, submodules, node):
        if node.target == torch.ops.aten.sum.dim_IntList:
            dims = node.args[1]
            if len(dims) != 1:
                return False
            return node.kwargs.get("dtype") in (None, torch.float32)
        if len(node.users) > 1:
            return False
        return super().is_node_supported(submodules, node)
