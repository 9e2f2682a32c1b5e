"""usage: first_picture.py FILE [CODEGEN.json]: draws a module; what tests/package does where partita is installed.

With the samples' code generator, of samples/one-divide.relay: what is computed of numpy's arrays is held against numpy.
"""
import sys

import numpy
import partita

divided = partita.open(sys.argv[1]).partition(["dnnl", "ccompiler"])
if sys.argv[2:]:
    random = numpy.random.default_rng(1)
    arrays = {name: random.uniform(1, 2, (8, 16)).astype(numpy.float32)
              for name in ("x", "scale", "shift", "mean", "offset", "unit")}
    x, scale, shift, mean, offset, unit = arrays.values()
    generated = partita.open(sys.argv[1]).partition(sys.argv[2:], allow_commands=True)
    for each in (divided, generated):
        run = each.run(arrays)
        assert numpy.allclose(run.outputs[0], (x * scale / (x + shift - mean) + offset) / unit, rtol=1e-5)
    assert all(region["executed_by"].startswith("command:") for region in run.regions[1:]), run.regions
assert "<svg" in divided.svg()
