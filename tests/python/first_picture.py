"""usage: first_picture.py FILE [run]: draws a module; what tests/package does with the package partita where it is installed.

With `run`, the module is samples/one-divide.relay, and what it computes of numpy's arrays is held against numpy.
"""
import sys

import numpy
import partita

divided = partita.open(sys.argv[1]).partition(["dnnl", "ccompiler"])
if sys.argv[2:] == ["run"]:
    random = numpy.random.default_rng(1)
    arrays = {name: random.uniform(1, 2, (8, 16)).astype(numpy.float32)
              for name in ("x", "scale", "shift", "mean", "offset", "unit")}
    x, scale, shift, mean, offset, unit = arrays.values()
    (output,) = divided.run(arrays).outputs
    assert numpy.allclose(output, (x * scale / (x + shift - mean) + offset) / unit, rtol=1e-5)
assert "<svg" in divided.svg()
