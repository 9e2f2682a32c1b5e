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
from typing import (Any, BinaryIO, Callable, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, TextIO, Tuple,
                    Union)

import numpy
from numpy.typing import NDArray

from . import _engine, _html
from ._error import Error, GateError

__version__: str = _engine.version
__all__ = ["Backend", "Cause", "Coverage", "Culprit", "Diff", "Error", "Explanation", "GateError",
           "Module", "Partitioned", "Placement", "Region", "Run",
           "backend", "bisect", "builtin_backends", "diff", "from_text", "load_backend"]
"""Without `open`, which `from partita import *` must not replace."""

Backend = _engine.Backend
Path = Union[str, "os.PathLike[str]"]
BackendLike = Union[Backend, str, "os.PathLike[str]", Mapping[str, Any]]
Inputs = Mapping[str, Any]

Array = NDArray[Any]
Selectors = Union[str, Sequence[str]]

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

    def to_dataframe(self) -> Any:
        """A row for each operator and backend: `op`, `backend`, `calls`, `flops`, `parameter_bytes`. Needs pandas."""
        return _frame({"op": row["op"], "backend": name, **share}
                      for row in self.ops for name, share in row["backends"].items())

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
        self.outputs: List[Array] = found["outputs"]
        """The result of @main, tuples flattened; each owns its memory. bfloat16 comes as its bits, in uint16."""
        self.output_names: List[str] = found["output_names"]
        """Those of the file's own results, in the order of `outputs`."""
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

    def __getitem__(self, output: Union[int, str]) -> Array:
        """An output by its name or its place."""
        if isinstance(output, str):
            if output not in self.output_names:
                raise KeyError("no output %r; there are %s" % (output, ", ".join(self.output_names)))
            output = self.output_names.index(output)
        return self.outputs[output]

    def __len__(self) -> int:
        return len(self.outputs)

    def __iter__(self) -> Iterator[Array]:
        return iter(self.outputs)

    def to_dataframe(self) -> Any:
        """A row for each region and for what stayed on default, with times in milliseconds. Needs pandas."""
        return _frame({**{key: value for key, value in each.items() if key not in ("time", "ops")},
                       "median_ms": each["time"]["median"], "minimum_ms": each["time"]["minimum"]}
                      for each in self.regions)

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
        self.inputs: Dict[str, Array] = found["inputs"]

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


def _arrays(inputs: Optional[Inputs]) -> Dict[str, Array]:
    """Arrays that can be used where they lie: contiguous and aligned ones as they are, others copied."""
    if inputs is not None and not isinstance(inputs, Mapping):
        raise TypeError("inputs are arrays by the names of parameters, as {\"x\": array}, not %s"
                        % type(inputs).__name__)
    return {str(name): numpy.require(value, requirements=("C", "A")) for name, value in (inputs or {}).items()}


class _Shown:
    """What modules and divided modules have in common: text, picture, files."""

    _engine: Union[_engine.Module, _engine.Division]

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

    def graph(self) -> Dict[str, Any]:
        """The plain graph, as `partita-cli export --form graph` writes it: `inputs`, `outputs`, `nodes`, `values`."""
        found: Dict[str, Any] = json.loads(self._engine.graph())
        return found

    def nodes(self) -> List[Dict[str, Any]]:
        """The nodes in order: `name`, `op`, `inputs`, `outputs`, `attributes`, and `dtype` and `shape` of the first output."""
        graph = self.graph()
        return [{**node, **graph.get("values", {}).get((node["outputs"] or [""])[0], {})} for node in graph["nodes"]]

    def edges(self) -> List[Dict[str, str]]:
        """What nodes hand to nodes: `source`, `target`, `value`, by names."""
        nodes = self.nodes()
        maker = {value: node["name"] for node in nodes for value in node["outputs"]}
        return [{"source": maker[value], "target": node["name"], "value": value}
                for node in nodes for value in node["inputs"] if value in maker]

    def to_networkx(self) -> Any:
        """A networkx.MultiDiGraph of `nodes` and `edges`; networkx must be installed."""
        import networkx  # type: ignore[import]

        graph = networkx.MultiDiGraph()
        for node in self.nodes():
            graph.add_node(node["name"], **{key: value for key, value in node.items() if key != "name"})
        for edge in self.edges():
            graph.add_edge(edge["source"], edge["target"], value=edge["value"])
        return graph

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


def _frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """A pandas.DataFrame of flat rows; pandas must be installed."""
    import pandas  # type: ignore[import]

    return pandas.DataFrame(list(rows))


def _list(texts: Selectors) -> List[str]:
    return [texts] if isinstance(texts, str) else list(texts)


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

    def __init__(self, engine: _engine.Module) -> None:
        self._engine: _engine.Module = engine

    def __reduce__(self) -> Any:
        # As a module in JSON, which has all that was read, weights included.
        return _module_of_json, (self._engine.written("json").decode(), self.path)

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
        found: Dict[str, Any] = json.loads(self._engine.info())
        return found

    def _calls(self) -> int:
        return int(self.info()["calls"])

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
                  overrides: Optional[Mapping[Union[int, str], str]] = None, allow_commands: bool = False,
                  partitioner: str = "", options: Optional[Mapping[str, Any]] = None,
                  reports: Union[Path, Sequence[Path]] = ()) -> "Partitioned":
        """Divides the module among backends, the first have priority.

        A backend is a shipped one's name, a file (description in JSON, or rules in Python as written for TVM), a
        description as a dict, or what `backend` or `load_backend` returned. None: those that the module or the project
        names. `allow_commands` lets descriptions run the code that they name, and files in Python their rules.
        `lower`: first writes operators that Relay does not have, such as nn.attention, as Relay's own.
        `simplify`: first decomposes batch_norm, removes dropout and folds constants. `fold`: only folds constants.
        `composite`: matches patterns.
        `merge`: joins neighbouring regions. `overrides`: backends by numbers or selectors of calls: 12,
        "op:nn.conv2d*", "name:GLOB".
        `partitioner`: the algorithm, as `partita-cli partitioners` lists them, with its `options`; "" is TVM's.
        `reports`: files in which another program says what it did with the model.
        """
        made = {key: value for key, value in locals().items() if key != "self"}
        given = [backends] if isinstance(backends, (str, os.PathLike, Mapping, Backend)) else list(backends)
        wanted = _engine.DivideOptions()
        wanted.backends = [_backend_of(each, allow_commands) for each in given]
        wanted.overrides = [(str(selector), name) for selector, name in (overrides or {}).items()]
        wanted.lower = lower
        wanted.simplify, wanted.fold, wanted.composite, wanted.merge = simplify, fold, composite, merge
        wanted.non_call_ops, wanted.allow_commands = non_call_ops, allow_commands
        wanted.reports = [os.fspath(each) for each in ([reports] if isinstance(reports, (str, os.PathLike)) else reports)]
        if partitioner or options:
            wanted.set_partitioner(partitioner or "", {key: str(value) for key, value in (options or {}).items()})
        return Partitioned(_engine.partition(self._engine, wanted), self, made)


class Partitioned(_Shown):
    """A module divided among backends. `Module.partition` makes it."""

    def __init__(self, engine: _engine.Division, source: Module, made: Mapping[str, Any]) -> None:
        self._engine: _engine.Division = engine
        self._source, self._made = source, made

    def __reduce__(self) -> Any:
        # Divided anew: by the same rules, the same division. Rules that are functions can't be kept.
        if any(isinstance(each, Backend) for each in _backends_in(self._made)):
            raise Error("a division by a Backend object can't be pickled; give names, files or dicts to partition")
        return _partitioned_again, (self._source, dict(self._made))

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
        return int(self.coverage().total["calls"])

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

    def nodes(self) -> List[Dict[str, Any]]:
        """As `Module.nodes`, and for those that are calls `number`, `call`, `backend` and `region`."""
        placed = {each["name"]: each for each in self.calls()}
        return [{**node, **{key: value for key, value in placed.get(node["name"], {}).items() if key not in ("name", "op")}}
                for node in super().nodes()]

    def calls(self, query: str = "") -> List[Dict[str, Any]]:
        """The calls that a query selects, in the language of *Find* ("op:nn.conv2d backend:default flops:>1G"); all
        without one: `name`, `number`, `call` ("nn.conv2d #12"), `op`, `backend`, `region` ("dnnl #12" or None)."""
        found: List[Dict[str, Any]] = json.loads(self._engine.calls(query))
        return found

    def to_dataframe(self) -> Any:
        """The decisions: a row for each call and backend that was asked, or took it. Needs pandas."""
        return _frame({"number": each.number, "call": each.call, "on": each.backend, "region": each.region,
                       **cause._asdict()} for each in self.explain_all() for cause in each.causes)

    def gate(self, *, at_least: Union[Selectors, Mapping[str, float]] = (),
             most_regions: Union[int, Selectors, Mapping[str, int], None] = None, forbid: Selectors = (),
             require: Selectors = (), baseline: Optional[Path] = None, write_baseline: Optional[Path] = None) -> None:
        """Raises `GateError` unless the division meets all conditions, which are those of `partita-cli coverage`.

        `at_least`: percent of the calls by backend, {"dnnl": 90, "*": 95}, or texts ("dnnl=90%:work").
        `most_regions`: a number, or numbers by backend. `forbid`: queries that no call may match. `require`:
        "BACKEND=SELECTOR". `baseline`: a file that `write_baseline` wrote; fails where the division is worse.
        """
        texts = _engine.GateTexts()
        texts.at_least = (["%s=%r" % each for each in at_least.items()] if isinstance(at_least, Mapping)
                          else _list(at_least))
        if isinstance(most_regions, int):
            texts.most_regions = [str(most_regions)]
        elif isinstance(most_regions, Mapping):
            texts.most_regions = ["%s=%d" % each for each in most_regions.items()]
        elif most_regions is not None:
            texts.most_regions = _list(most_regions)
        texts.forbid, texts.require = _list(forbid), _list(require)
        texts.baseline = os.fspath(baseline) if baseline is not None else ""
        texts.write_baseline = os.fspath(write_baseline) if write_baseline is not None else ""
        faults = [fault["text"] for each in json.loads(self._engine.check_gates(texts)) for fault in each["faults"]]
        if faults:
            raise GateError(faults)

    def require(self, backend: str, selector: str = "") -> None:
        """Raises `GateError` unless the calls that a selector matches, or all, go to a backend."""
        self.gate(require=backend + ("=" + selector if selector else ""))

    def what_if(self, *, best: int = 0, by: str = "regions") -> List[Dict[str, Any]]:
        """What would change without each cause, limit or choice of backend, the best first by "regions", "boundary",
        "calls" or "work"; or, with `best`, the changes of the rules that together gain most. Dicts as `partita-cli
        coverage --what-if --json` writes them; each figure is that of a division that was made so."""
        found: List[Dict[str, Any]] = json.loads(self._engine.what_if(best, by))
        return found

    def place(self, *, seconds: float = 60, threads: int = 0, costs: Optional[Path] = None) -> "Placement":
        """Measures the parts of the module on the backends and chooses where a run takes least. `seconds`: how long
        to measure; 0: predict from `costs`, the table of measured costs (the user's own where none is given)."""
        settings = _engine.PlaceSettings()
        settings.seconds, settings.threads = seconds, threads
        settings.costs = os.fspath(costs) if costs is not None else ""
        return Placement(json.loads(self._engine.place(settings)), self._source, self._made)

    def report(self, path: Path) -> None:
        """Writes one page: picture, what goes where and why. .html or .md."""
        self.export(path, form="report")

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


class Placement:
    """Which backend each operator goes to, chosen by measured cost. `Partitioned.place` makes it."""

    def __init__(self, found: Mapping[str, Any], source: Module, made: Mapping[str, Any]) -> None:
        self.predicted_ms: float = found["predicted_ms"]
        self.measured_ms: Optional[float] = found["chosen_ms"]
        self.bound_ms: float = found["bound_ms"]
        """By the measured costs of operators, no placement takes less."""
        self.gap: float = found["gap"]
        self.rules_stay: bool = found["rules_stay"]
        """The placement by the rules stays: none was faster by more than the noise."""
        self.overrides: Dict[int, str] = {each["number"]: each["backend"] for each in found["operators"]}
        """Backends by numbers of calls, for `Module.partition`."""
        self._source, self._made = source, made

    @property
    def partitioned(self) -> Partitioned:
        """The module divided so."""
        made: Dict[str, Any] = {**self._made, "overrides": self.overrides}
        return self._source.partition(**made)

    def __repr__(self) -> str:
        return "<Placement %.3g ms predicted, at least %.3g ms>" % (self.predicted_ms, self.bound_ms)


def _backends_in(made: Mapping[str, Any]) -> List[Any]:
    given = made["backends"]
    return [given] if isinstance(given, (str, os.PathLike, Mapping, Backend)) else list(given)


def _module_of_json(text: str, path: str) -> Module:
    return Module(_engine.parse(text, path, ""))


def _partitioned_again(source: Module, made: Mapping[str, Any]) -> Partitioned:
    return source.partition(**made)


def open(source: Union[Path, bytes, "BinaryIO", "TextIO", Any], *, dimensions: Optional[Mapping[str, int]] = None,
         strict: bool = False, compiler: str = "", float16: Iterable[str] = ()) -> Module:
    """Reads Relay text, ONNX, a module as JSON, or a project of the window (.partita).

    `source`: a path; or the content of such a file as bytes, as an open file or `io.BytesIO`, or as onnx's ModelProto.
    Weights beside a model are found only where a path is given.
    `dimensions`: sizes of an ONNX model's symbolic dimensions; those that follow from others need not be given. `strict`: refuses unsupported operators of ONNX.
    `compiler`: that of annotations in a text without a metadata section.
    `float16`: constants of a LiteRT model that are read as if the file had them in 16 bits, behind a DEQUANTIZE: names, or patterns like "*".
    """
    sizes = dict(dimensions or {})
    narrowed = [float16] if isinstance(float16, str) else list(float16)
    content = _content_of(source)
    if content is None:
        path: Any = source
        return Module(_engine.open(os.fspath(path), compiler, strict, sizes, narrowed))
    with tempfile.NamedTemporaryFile(prefix="partita-", suffix=_ending_of(content)) as file:
        file.write(content)
        file.flush()
        return Module(_engine.open(file.name, compiler, strict, sizes, narrowed))


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
    def side(given: Union[Module, Partitioned]) -> Tuple[Optional[_engine.Module], Optional[_engine.Division]]:
        return (None, given._engine) if isinstance(given, Partitioned) else (given._engine, None)

    found, text = _engine.diff(*side(before), *side(after))
    return Diff(json.loads(found), text)
