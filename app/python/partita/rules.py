"""What rules in Python are written with: views of a call, and patterns.

A rule gets a read-only view of a call, with the names of TVM 0.9: `call.op.name`, `call.args`, `call.attrs.groups`,
`call.checked_type.shape`, `call.checked_type.dtype`, `isinstance(call.args[1], Constant)`, `constant.data.numpy()`. It
returns a bool, and the same one for the same question, because answers are kept.

Patterns: `is_op("nn.relu")(is_op("nn.conv2d")(wildcard(), is_constant()))`.
"""
from ._annotator.patterns import (is_constant, is_expr, is_if, is_let, is_op, is_tuple, is_tuple_get_item,  # noqa: F401
                                  is_var, wildcard)
from ._annotator.views import Call, Constant, Function, Op, Tuple, TupleGetItem, TupleType, Var  # noqa: F401
from ._annotator.views import TensorType  # noqa: F401
