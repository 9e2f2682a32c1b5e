"""A backend of these tests, written as files for TVM 0.9 are."""
import tvm.ir
from tvm import relay
from tvm.relay import transform
from tvm.relay.build_module import bind_params_by_name

from ...dataflow_pattern import is_constant, is_op, wildcard
from .register import register_pattern_table

NAME = "tile_engine"


def partition_for_tile_engine(mod, params=None):
    if params:
        mod["main"] = bind_params_by_name(mod["main"], params)
    passes = tvm.transform.Sequential([
        transform.InferType(),
        transform.ConvertLayout({"nn.conv2d": ["NHWC", "default"]}),
        transform.MergeComposite(pattern_table()),
        transform.AnnotateTarget(NAME),
        transform.MergeCompilerRegions(),
        transform.PartitionGraph(),
    ])
    return passes(mod)


def float_only(expr):
    for arg in expr.args:
        if arg.checked_type.dtype not in ("float32", "float16"):
            return False
    return True


def whole_tiles(shape):
    return all([int(dim) % 4 == 0 for dim in shape])


@tvm.ir.register_op_attr("nn.dense", "target.tile_engine")
def dense(expr):
    if not float_only(expr):
        return False
    return whole_tiles(expr.args[1].checked_type.shape)


@tvm.ir.register_op_attr("nn.conv2d", "target.tile_engine")
def conv2d(expr):
    attrs = expr.attrs
    if attrs.groups != 1 or attrs["data_layout"] != "NCHW":
        return False
    kernel = tuple(attrs.kernel_size)
    return kernel in [(1, 1), (3, 3)] and float_only(expr)


@tvm.ir.register_op_attr("nn.relu", "target.tile_engine")
def relu(expr):
    return expr.args[0].checked_type.shape[0] > 0


@tvm.ir.register_op_attr("nn.softmax", "target.tile_engine")
def softmax(expr):
    return expr.attrs.temperature > 0


@register_pattern_table("tile_engine")
def pattern_table():
    def bias_check(call):
        return call.args[1].checked_type.shape[0] >= 8

    biased = is_op("nn.bias_add")(is_op("nn.dense")(wildcard(), wildcard()), wildcard())
    return [("tile_engine.dense_bias", biased, bias_check)]
