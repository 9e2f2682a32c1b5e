"""Rules that are functions of this process, asked in the protocol of annotators by a thread of their own."""
# mypy: allow-untyped-calls
import contextlib
import functools
import gc
import json
import linecache
import os
import threading
from typing import Any, Callable, Mapping, Sequence

from ._annotator import host, patterns, views

_OWN_FOLDER = os.path.dirname(os.path.abspath(__file__)) + os.sep


class _Rules:
    """What a file is to the host: rules by operator, checks of patterns."""

    runtime = None  # functions are not instrumented
    of_file = False  # they are asked about calls, not about the file's own operators

    def __init__(self, functions: Mapping[str, Callable[..., Any]], checks: Sequence[Callable[..., Any]]) -> None:
        self.functions, self.checks = functions, checks

    def function(self, rule: Any) -> Callable[..., Any]:
        return self.checks[rule] if isinstance(rule, int) else self.functions[rule]

    def holds(self, filename: str) -> bool:
        return not filename.startswith((_OWN_FOLDER, "<frozen"))


def _strict(function: Callable[[Any], Any]) -> Callable[[Any], bool]:
    """The same function; what it returns must be a bool."""

    def ask(call: Any) -> bool:
        verdict = function(call)
        if isinstance(verdict, (bool, views.IntImm)) or type(verdict).__name__ in ("bool_", "bool"):
            return bool(verdict)
        raise TypeError("the rule returned %.80r, which is no bool" % (verdict,))

    ask.__wrapped__ = function  # type: ignore[attr-defined]
    return ask


def _read(line: str) -> Any:
    """A module is many objects, none of them garbage: looking for it among them would take as long as the rest."""
    collects = gc.isenabled()
    gc.disable()
    try:
        return json.loads(line)
    finally:
        if collects:
            gc.enable()


class _Host(host.Host):
    def __init__(self, requests: Any, replies: Any, described: Mapping[str, Any], rules: _Rules) -> None:
        super().__init__(requests, replies)
        self.described, self.rules, self.explains = described, rules, False

    def run(self) -> None:
        for line in self.requests:
            if not line.endswith("\n"):
                return  # cancelled in its midst
            self.reply(_read(line))

    def do_describe(self, request: Mapping[str, Any]) -> None:
        self.send(**self.described)

    def do_ask(self, request: Mapping[str, Any]) -> None:
        self.explains = request.get("trace", False)
        super().do_ask(request)

    def _load(self, runtime: Any) -> _Rules:
        return self.rules

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def members_of(function: Callable[..., Any]) -> str:
        """Returns the function's place as members of a JSON object: the same for all calls that it refuses."""
        code = getattr(getattr(function, "__wrapped__", function), "__code__", None)
        if code is None:
            return ""
        text = linecache.getline(code.co_filename, code.co_firstlineno).strip()
        return json.dumps({"file": code.co_filename, "line": code.co_firstlineno, "text": text})[1:-1]

    def refused(self, annotator: Any, function: Callable[..., Any], value: Any) -> str:
        return self.members_of(function) if self.explains else ""


def service(name: str, ops: Mapping[str, Any], table: Sequence[Sequence[Any]]) -> Callable[[int, int], None]:
    """What starts a thread that answers for these rules; the engine calls it with two descriptors.

    A rule is a function or True. `table` has (name, pattern) or (name, pattern, check); a pattern is one of
    `partita.rules` or a text.
    """
    entries = [(str(entry[0]), entry[1] if isinstance(entry[1], str) else patterns.pattern_text(entry[1]),
                entry[2] if len(entry) > 2 else None) for entry in table]
    functions = {op: _strict(rule) if callable(rule) else (lambda call: True) for op, rule in ops.items()}
    checks = [_strict(check) if check is not None else (lambda call: True) for _, _, check in entries]
    described = {"name": name, "ops": sorted(functions),
                 "patterns": [{"name": each, "pattern": text, "check": check is not None}
                              for each, text, check in entries]}

    def serve(requests: int, replies: int) -> None:
        def answer() -> None:
            with contextlib.suppress(BrokenPipeError):  # cancelled: also what is left to write when it is closed
                with os.fdopen(requests, "r", encoding="utf-8", buffering=1 << 20) as lines:
                    with os.fdopen(replies, "w", encoding="utf-8", buffering=1 << 20) as answers:
                        _Host(lines, answers, described, _Rules(functions, checks)).run()

        threading.Thread(target=answer, name="partita backend " + name, daemon=True).start()

    return serve
