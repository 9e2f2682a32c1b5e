# Rules for an imaginary accelerator, as they are written for TVM 0.9: see samples/from-python.ipynb.
import tvm.ir
from tvm.relay.dataflow_pattern import is_op, wildcard
from tvm.relay.op.contrib.register import register_pattern_table


@tvm.ir.register_op_attr("nn.conv2d", "target.tile_npu")
def conv2d(call):
    attrs, data = call.attrs, call.args[0].checked_type
    if attrs.groups != 1 or data.dtype != "float32":
        return False
    height, width = data.shape[2], data.shape[3]
    if height > 16 or width > 16:
        return False
    return True


@tvm.ir.register_op_attr("nn.batch_norm", "target.tile_npu")
def batch_norm(call):
    return call.checked_type.fields[0].dtype == "float32"


@register_pattern_table("tile_npu")
def pattern_table():
    return [("tile_npu.add_relu", is_op("nn.relu")(is_op("add")(wildcard(), wildcard())))]
