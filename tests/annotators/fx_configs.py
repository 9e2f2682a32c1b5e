# Configurations of single operators, as ExecuTorch's partitioners ask.
import torch
from executorch.exir.backend.canonical_partitioners.config_partitioner import PartitionerConfig
from executorch.exir.backend.utils import WhyNoPartition

why = WhyNoPartition()


class ReluConfig(PartitionerConfig):
    target_name = "relu.default"


class AddConfig(PartitionerConfig):
    target_name = "add.Tensor"

    def check_constraints(self, node, ep):
        value = node.meta["val"]
        if value.dtype != torch.float32 or value.dim() > 2:
            why(node=node, reason="at most two dimensions of float32")
            return False
        return True
