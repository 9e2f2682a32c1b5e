"""Partita: see and change how a neural network is divided among compilers.

>>> import partita
>>> module = partita.open("model.onnx")
>>> divided = module.partition(["dnnl"])
>>> divided.coverage()
>>> outputs = divided.run({"data": image}).outputs

Modules, backends and divided modules never change; every function may be called from several threads. Longer calls let
other threads run, and Ctrl+C cancels them.
"""
import json
import os
import tempfile
from typing import (Any, BinaryIO, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, TextIO, Tuple,
                    Union)

import numpy

from . import _engine, _html
from ._error import Error

__version__: str = _engine.version
__all__ = ["Backend", "Cause", "Coverage", "Culprit", "Diff", "Error", "Explanation", "Module", "Partitioned", "Region", "Run",
           "backend", "bisect", "builtin_backends", "diff", "from_text", "load_backend"]
"""Without `open`, which `from partita import *` must not replace."""

Backend = _engine.Backend
Path = Union[str, "os.PathLike[str]"]
BackendLike = Union[Backend, str, "os.PathLike[str]", Mapping[str, Any]]
Inputs = Mapping[str, Any]

_MOST_DRAWN = 1500
"""Calls of a module up to which Jupyter shows its picture: more are laid out for seconds, and nobody could read them."""


class Region(NamedTuple):
    """Calls that one backend compiles as one function."""

    name: str
    backend: str
    calls: List[str]
    """As `nn.conv2d #12`, numbered from 1 over the module that was divided."""
    inputs: int
    outputs: int
    flops: float
    boundary_bytes: float
    """Bytes of its inputs and outputs."""
    short_name: str = ""
    """`dnnl #17`, as in texts and pictures: the backend and the number of its first operator."""


class Cause(NamedTuple):
    """Why one backend does or does not take a call."""

    kind: str
    backend: str
    text: str
    """What decided, with its values."""
    rule: str
    place: str
    """Of a rule in Python: `FILE.py:12: the line`; else empty."""


class Explanation:
    """Why a call goes where it goes."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.call: str = found["name"]
        self.number: int = found.get("node", 0)
        self.backend: str = found["backend"]
        """`default` where no other backend takes it."""
        self.region: Optional[str] = found["region"]
        self.causes: List[Cause] = [Cause(each["kind"], each["backend"], each["text"], each.get("rule", ""),
                                          each.get("place", "")) for each in found["causes"]]
        self._text: str = found["text"]

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "<Explanation %s -> %s>" % (self.call, self.backend)

    def _repr_html_(self) -> str:
        return _html.table("%s → %s" % (self.call, self.backend), ("backend", "rule", "why"),
                           [(each.backend, each.rule, each.text) for each in self.causes])


class Coverage:
    """How much of a module goes to each backend, and what keeps the rest away.

    `backends`, `ops` and `causes` are lists of dicts, as `partita-cli coverage --json` writes them.
    """

    def __init__(self, found: Mapping[str, Any], text: str) -> None:
        self.total: Dict[str, Any] = found["total"]
        self.backends: List[Dict[str, Any]] = found["backends"]
        self.ops: List[Dict[str, Any]] = found["ops"]
        self.causes: List[Dict[str, Any]] = found["causes"]
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "<Coverage %s>" % ", ".join("%s: %d" % (each["backend"], each["calls"]) for each in self.backends)

    def _repr_html_(self) -> str:
        names = [each["backend"] for each in self.backends]
        return (
            _html.table("Coverage", ("backend", "calls", "FLOP", "bytes of parameters", "regions", "boundary bytes"),
                        [(each["backend"], each["calls"], each["flops"], each["parameter_bytes"], each["regions"],
                          each["boundary_bytes"]) for each in self.backends])
            + _html.table("Operators", ["operator", "calls"] + names,
                          [[each["op"], each["calls"]] + [each["backends"].get(name, {}).get("calls", 0)
                                                          for name in names] for each in self.ops])
            + _html.table("Why calls stayed on default", ("calls", "backend", "cause"),
                          [(each["calls"], each["backend"], each["text"]) for each in self.causes]))


class Run:
    """What a run computed and how long it took. Times are in milliseconds."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.outputs: List[numpy.ndarray] = found["outputs"]
        """The result of @main, tuples flattened; each owns its memory. bfloat16 comes as its bits, in uint16."""
        self.time: Dict[str, float] = found["time"]
        """Of whole runs: `median`, `minimum`, `spread` (the interquartile range), `samples`."""
        self.regions: List[Dict[str, Any]] = found["regions"]
        """First what stayed on default, then each region: `name`, `short_name`, `backend`, `executed_by`, `notice`, `time`,
        `compile_ms`, `calls`, `flops`, `bytes` of its inputs and outputs, `ops`."""
        self.differences: List[Dict[str, Any]] = found["differences"]
        """Of `compare`: for each output `max_abs_error`, `max_rel_error`, `tolerance`, `within_tolerance`."""
        self.peak_bytes: int = found["peak_bytes"]
        """Of intermediate values."""
        self.threads: int = found["threads"]
        self.compile_ms: float = found["compile_ms"]

    @property
    def equal(self) -> bool:
        """Of `compare`: whether all outputs are within the tolerance."""
        if not self.differences and self.outputs:
            raise Error("this run was not compared; use compare(...)")
        return all(each["within_tolerance"] for each in self.differences)

    def __repr__(self) -> str:
        shapes = ", ".join("%s%s" % (each.dtype, each.shape) for each in self.outputs)
        return "<Run %s in %.3g ms>" % (shapes, self.time["median"])

    def _repr_html_(self) -> str:
        rows = [(each["short_name"] or each["name"], each["backend"], each["executed_by"], each["calls"], each["time"]["median"],
                 each["compile_ms"], each["notice"]) for each in self.regions]
        rows.append(("whole run", "", "", "", self.time["median"], self.compile_ms, ""))
        text = _html.table("Run", ("region", "backend", "executed by", "calls", "median ms", "compile ms", "notice"),
                           rows)
        if self.differences:
            text += _html.table("Compared with default", ("output", "largest error", "relative", "within"),
                                [(each["output"], each["max_abs_error"], each["max_rel_error"],
                                  "yes" if each["within_tolerance"] else "no") for each in self.differences])
        return text


class Culprit:
    """What `bisect` found; true if there is a culprit."""

    def __init__(self, found: Mapping[str, Any]) -> None:
        self.calls: List[str] = found["calls"]
        """As `nn.conv2d #12`. Several: only together do they show the fault, or each is wrong by itself."""
        self.region: str = found["region"]
        self.backend: str = found["backend"]
        self.fault: str = found["fault"]
        """`wrong values`, `refused` by the backend's compiler, or empty."""
        self.notice: str = found["notice"]
        """What the compiler said."""
        self.runs: int = found["runs"]
        self.steps: List[str] = found["steps"]
        self.smallest: Optional["Module"] = Module(found["smallest"]) if found["smallest"] else None
        """The smallest region that shows the fault, with `inputs`."""
        self.inputs: Dict[str, numpy.ndarray] = found["inputs"]

    def __bool__(self) -> bool:
        return bool(self.fault)

    def __repr__(self) -> str:
        return "<Culprit %s in %s: %s>" % (", ".join(self.calls), self.region, self.fault) if self else "<Culprit none>"

    def _repr_html_(self) -> str:
        return _html.table(repr(self)[1:-1], ("", "step"), list(enumerate(self.steps, 1)))


class Diff:
    """The differences between two modules; lists of dicts, as `partita-cli diff --json` writes them."""

    def __init__(self, found: Mapping[str, Any], text: str) -> None:
        self.identical: bool = found["identical"]
        self.same: int = found["same"]
        self.removed: List[Dict[str, Any]] = found["removed"]
        self.added: List[Dict[str, Any]] = found["added"]
        self.changed: List[Dict[str, Any]] = found["changed"]
        self._text = text

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return "<Diff %s>" % (self._text.splitlines() or [""])[-1]


def _arrays(inputs: Optional[Inputs]) -> Dict[str, numpy.ndarray]:
    """Arrays that can be used where they lie: contiguous and aligned ones as they are, others copied."""
    if inputs is not None and not isinstance(inputs, Mapping):
        raise TypeError("inputs are arrays by the names of parameters, as {\"x\": array}, not %s"
                        % type(inputs).__name__)
    return {str(name): numpy.require(value, requirements=("C", "A")) for name, value in (inputs or {}).items()}


class _Shown:
    """What modules and divided modules have in common: text, picture, files."""

    _engine: Any

    def text(self) -> str:
        """Relay text."""
        return self._engine.written("relay").decode()

    def svg(self) -> str:
        """The graph's picture, coloured by backends; a deep graph by its repeated blocks."""
        return self._engine.written("svg").decode()

    def export(self, path: Path, form: str = "", force: bool = False) -> None:
        """Writes a file, as a whole or not at all. The ending tells the form (.relay, .json, .onnx, .svg, .png, .pdf,
        .dot, .html, ...); `form="c"` writes a folder with C sources. A folder that holds other
        files is refused unless `force`."""
        self._engine.write(os.fspath(path), form, force)

    def _calls(self) -> int:
        raise NotImplementedError

    def _repr_svg_(self) -> Optional[str]:
        if self._calls() > _MOST_DRAWN:
            return None
        picture = self.svg()
        return picture[picture.index("<svg"):]  # in a page stands the element alone

    def _repr_html_(self) -> Optional[str]:
        # Pages that nbconvert writes lose the colours of an <svg> element.
        picture = self._repr_svg_()
        return picture and _html.picture(picture)


def _settings(threads: int, seed: int, warmup: int, repeat: int, tolerance: Optional[float]) -> Any:
    if not 0 <= threads <= 1024 or warmup < 0 or repeat < 1:
        raise Error("threads is 0 to 1024, warmup at least 0, repeat at least 1")
    settings = _engine.RunSettings()
    settings.threads, settings.seed, settings.warmup, settings.repeat = threads, seed, warmup, repeat
    if tolerance is not None:
        settings.compare, settings.tolerance = True, tolerance
    return settings


class Module(_Shown):
    """A module that was read. `partita.open` makes it."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    @property
    def path(self) -> str:
        return self._engine.path

    @property
    def notes(self) -> List[str]:
        """What the reader noticed: operators that it does not know, and the like."""
        return self._engine.notes

    def info(self) -> Dict[str, Any]:
        """Sizes: `calls`, `functions`, `parameters`, `parameter_bytes`, `flops`, ...; `inputs` with their types,
        `operators` by number of calls."""
        return json.loads(self._engine.info())

    def _calls(self) -> int:
        return self.info()["calls"]

    def __repr__(self) -> str:
        return "<Module %s, %d calls>" % (self.path, self._calls())

    def run(self, inputs: Optional[Inputs] = None, *, threads: int = 0, seed: int = 0, warmup: int = 1,
            repeat: int = 1) -> Run:
        """Computes the outputs, as `partition().run(...)`: regions that the file or project has run on their
        backends, all else on default. Where such a backend brings code along, use
        `partition(allow_commands=True).run(...)`. The arguments are those of `Partitioned.run`."""
        return self.partition().run(inputs, threads=threads, seed=seed, warmup=warmup, repeat=repeat)

    def partition(self, backends: Union[BackendLike, Sequence[BackendLike]] = (), *, lower: bool = False,
                  simplify: bool = False, fold: bool = False, composite: bool = True, merge: bool = True, non_call_ops: bool = True,
                  overrides: Optional[Mapping[Union[int, str], str]] = None, allow_commands: bool = False) -> "Partitioned":
        """Divides the module among backends, the first have priority.

        A backend is a shipped one's name, a file (description in JSON, or rules in Python as written for TVM), a
        description as a dict, or what `backend` or `load_backend` returned. None: those that the module or the project
        names. `allow_commands` lets descriptions run the code that they name, and files in Python their rules.
        `lower`: first writes operators that Relay does not have, such as nn.attention, as Relay's own.
        `simplify`: first decomposes batch_norm, removes dropout and folds constants. `fold`: only folds constants.
        `composite`: matches patterns.
        `merge`: joins neighbouring regions. `overrides`: backends by numbers or selectors of calls: 12,
        "op:nn.conv2d*", "name:GLOB".
        """
        given = [backends] if isinstance(backends, (str, os.PathLike, Mapping, Backend)) else list(backends)
        options = _engine.DivideOptions()
        options.backends = [_backend_of(each, allow_commands) for each in given]
        options.overrides = [(str(selector), name) for selector, name in (overrides or {}).items()]
        options.lower = lower
        options.simplify, options.fold, options.composite, options.merge = simplify, fold, composite, merge
        options.non_call_ops, options.allow_commands = non_call_ops, allow_commands
        return Partitioned(_engine.partition(self._engine, options))


class Partitioned(_Shown):
    """A module divided among backends. `Module.partition` makes it."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine

    @property
    def module(self) -> Module:
        """The divided module, with a function for each region."""
        return Module(self._engine.result())

    @property
    def backends(self) -> List[str]:
        """Names, by priority."""
        return self._engine.backends

    @property
    def notes(self) -> List[str]:
        return self._engine.notes

    @property
    def regions(self) -> List[Region]:
        return [Region(**each) for each in json.loads(self._engine.regions())]

    def _calls(self) -> int:
        return self.coverage().total["calls"]

    def __repr__(self) -> str:
        return "<Partitioned %d regions, %r>" % (len(self.regions), self.coverage())

    def explain(self, node: Union[int, str]) -> Explanation:
        """Why a call goes where it goes. `node`: its number, or a selector ("#12", "op:nn.conv2d", "name:GLOB") of
        which the first call counts."""
        return self.explain_all(str(node))[0]

    def explain_all(self, selector: str = "") -> List[Explanation]:
        """The same for all calls that a selector matches; for all of the module without one."""
        return [Explanation(each) for each in json.loads(self._engine.explain(selector))]

    def coverage(self) -> Coverage:
        """How much goes to each backend, and what keeps the rest away."""
        found, text = self._engine.coverage()
        return Coverage(json.loads(found), text)

    def run(self, inputs: Optional[Inputs] = None, *, threads: int = 0, seed: int = 0, warmup: int = 1,
            repeat: int = 1) -> Run:
        """Computes the outputs.

        `inputs`: arrays by the names of @main's parameters (or those that an ONNX model gives them), of their shapes
        and types; bfloat16 as uint16. A C-contiguous array is used where it lies; others are copied once. Don't
        change them meanwhile. Parameters without a value get one generated from `seed`.
        `threads`: 0 means one for each core. `repeat`: measured runs, after `warmup` others.
        """
        return self._run(inputs, threads, seed, warmup, repeat)

    def _run(self, inputs: Optional[Inputs], threads: int, seed: int, warmup: int, repeat: int,
             tolerance: Optional[float] = None) -> Run:
        return Run(self._engine.run(_arrays(inputs), _settings(threads, seed, warmup, repeat, tolerance)))

    def compare(self, inputs: Optional[Inputs] = None, *, tolerance: float = 1e-4, threads: int = 0, seed: int = 0,
                warmup: int = 0, repeat: int = 1) -> Run:
        """As `run`; also runs the undivided module on default and compares the outputs: see `Run.equal`.

        An element may differ by tolerance * (|b| + scale / 20), where scale is the largest |b| of its output."""
        return self._run(inputs, threads, seed, warmup, repeat, tolerance)


def open(source: Union[Path, bytes, "BinaryIO", "TextIO", Any], *, dimensions: Optional[Mapping[str, int]] = None,
         strict: bool = False, compiler: str = "") -> Module:
    """Reads Relay text, ONNX, a module as JSON, or a project of the window (.partita).

    `source`: a path; or the content of such a file as bytes, as an open file or `io.BytesIO`, or as onnx's ModelProto.
    Weights beside a model are found only where a path is given.
    `dimensions`: sizes of an ONNX model's symbolic dimensions; those that follow from others need not be given. `strict`: refuses unsupported operators of ONNX.
    `compiler`: that of annotations in a text without a metadata section.
    """
    sizes = dict(dimensions or {})
    content = _content_of(source)
    if content is None:
        return Module(_engine.open(os.fspath(source), compiler, strict, sizes))
    with tempfile.NamedTemporaryFile(prefix="partita-", suffix=_ending_of(content)) as file:
        file.write(content)
        file.flush()
        return Module(_engine.open(file.name, compiler, strict, sizes))


def _content_of(source: Any) -> Optional[bytes]:
    """The bytes that stand in a file's place; None for a path."""
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    if isinstance(source, str):
        if "\n" in source or "\0" in source:
            raise ValueError("a path has no line ends; from_text reads a module's text")
        return None
    if isinstance(source, os.PathLike):
        return None
    for method in ("SerializeToString", "read"):
        if callable(getattr(source, method, None)):
            content = getattr(source, method)()
            return content.encode() if isinstance(content, str) else bytes(content)
    raise TypeError("open takes a path, bytes, an open file or an onnx.ModelProto, not %s" % type(source).__name__)


def _ending_of(content: bytes) -> str:
    """What a file of this content is named by: ONNX has no magic number, and all else is text."""
    head = content[:4096].lstrip()
    is_text = b"\0" not in head and head[:1] in (b"#", b"d", b"{", b"/")
    return ".json" if is_text and head[:1] == b"{" else ".relay" if is_text else ".onnx"


def from_text(text: str, name: str = "text", *, compiler: str = "") -> Module:
    """Reads Relay text, or a module as JSON; messages call it `name`."""
    return Module(_engine.parse(text, name, compiler))


def builtin_backends() -> List[str]:
    """The names of the backends that ship."""
    return _engine.builtin_backends()


def load_backend(source: Union[Path, Mapping[str, Any]], *, allow_commands: bool = False) -> Backend:
    """A shipped backend by its name, a file (JSON, or rules in Python as written for TVM), or a description as a dict.

    A file in Python runs in a process of its own, which `allow_commands` permits. It is read once: load it again, or
    give `partition` the path, after a change.
    """
    if isinstance(source, Mapping):
        return _engine.parse_backend(json.dumps(source), allow_commands)
    return _engine.load_backend(os.fspath(source), allow_commands)


def _backend_of(given: BackendLike, allow_commands: bool) -> Backend:
    return given if isinstance(given, Backend) else load_backend(given, allow_commands=allow_commands)


Rule = Union[bool, Callable[[Any], bool]]


def backend(name: str, ops: Optional[Mapping[str, Rule]] = None,
            patterns: Iterable[Tuple[Any, ...]] = (), **description: Any) -> Backend:
    """A backend whose rules are functions of this process.

    >>> npu = partita.backend("npu", {"nn.conv2d": lambda call: call.attrs.groups == 1, "nn.relu": True})

    `ops`: for each operator True, or a function that gets a read-only view of the call (see `partita.rules`) and
    returns a bool. `patterns`: ("npu.NAME", pattern) or ("npu.NAME", pattern, check), tried in order. `description`:
    further keys of a description, such as `codegen` or `limits`.

    A rule that raises, or returns no bool, refuses the call; the exception and its traceback are the reason that
    `explain` gives. Rules are called by a thread of the backend's own, one at a time, and their answers are kept. They
    must not divide a module with the same backend: they would wait for themselves.
    """
    from . import _functions

    rules, table = dict(ops or {}), [tuple(entry) for entry in patterns]
    for op, rule in rules.items():
        if rule is not True and not callable(rule):
            raise TypeError("the rule for %s is neither True nor a function" % op)
    if not all(2 <= len(entry) <= 3 for entry in table):
        raise TypeError("a pattern is (name, pattern) or (name, pattern, check)")
    text = json.dumps({"name": name, **description})
    return _engine.function_backend(text, _functions.service(name, rules, table))


def bisect(divided: Partitioned, inputs: Optional[Inputs] = None, *, tolerance: float = 1e-4, threads: int = 0,
           seed: int = 0) -> Culprit:
    """Searches the operator that a backend computes otherwise than default, or that its compiler refuses.

    `inputs`, `threads`, `seed`: as for `Partitioned.run`; `tolerance`: as for `compare`.
    """
    return Culprit(divided._engine.bisect(_arrays(inputs), _settings(threads, seed, 0, 1, tolerance)))


def diff(before: Union[Module, Partitioned], after: Union[Module, Partitioned]) -> Diff:
    """The operators that were added, removed and changed, and those that changed their backend or left a region."""
    for each in (before, after):
        if not isinstance(each, (Module, Partitioned)):
            raise TypeError("diff compares two modules, as open and partition return them, not %s"
                            % type(each).__name__)
    sides = (None, before._engine) if isinstance(before, Partitioned) else (before._engine, None)
    sides += (None, after._engine) if isinstance(after, Partitioned) else (after._engine, None)
    found, text = _engine.diff(*sides)
    return Diff(json.loads(found), text)
