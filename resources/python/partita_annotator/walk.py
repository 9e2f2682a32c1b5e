"""Notes which lines of a file a rule reaches, in order, with the local names as they are before each, and with what it
printed there."""
import contextlib
import io
import sys

from . import trace

_MOST_STEPS = 2000
_MOST_NAMES = 24
_PRINTED = "print()"  # no local name


class Walk:
    """While a rule runs within it, lines are noted. `lines`: only these, each once and without values; True: all."""

    def __init__(self, path, lines):
        self.path, self.wanted = path, None if lines is True else set(lines)
        self.steps, self.seen = [], set()
        self.printed = io.StringIO()
        self.redirected = contextlib.redirect_stdout(self.printed)

    def __enter__(self):
        self.redirected.__enter__()
        sys.settrace(self._enter)
        return self

    def __exit__(self, *_):
        sys.settrace(None)
        self._note_printed()
        self.redirected.__exit__(None, None, None)

    def _note_printed(self):
        """Adds what was printed since the last line to that line."""
        text = self.printed.getvalue()
        if text and self.wanted is None and self.steps:
            self.steps[-1][1].append([_PRINTED, trace.shown_local(text.rstrip("\n"))])
        self.printed.seek(0)
        self.printed.truncate()

    def _enter(self, frame, event, _):
        return self._step if frame.f_code.co_filename == self.path else None

    def _step(self, frame, event, _):
        if event == "line" and len(self.steps) < _MOST_STEPS:
            self._note(frame)
        return self._step

    def _note(self, frame):
        line = frame.f_lineno
        self._note_printed()
        if self.wanted is None:
            values = [(name, trace.shown_local(value)) for name, value in list(frame.f_locals.items())[:_MOST_NAMES]]
            self.steps.append([line, [pair for pair in values if pair[1] is not None]])
        elif line in self.wanted and line not in self.seen:
            self.seen.add(line)
            self.steps.append([line, []])
