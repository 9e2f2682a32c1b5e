"""What the package raises."""
from typing import Any, List, Optional


class Error(ValueError):
    """What is wrong with a file, a backend, a value or a run.

    `file` is None where it is no file's fault; `line` and `column` count from 1 and are None where they are unknown.
    """

    def __init__(self, message: str, file: Optional[str] = None, line: Optional[int] = None,
                 column: Optional[int] = None) -> None:
        super().__init__(message, file, line, column)
        self.message, self.file, self.line, self.column = message, file, line, column

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part is not None)
        return "%s: %s" % (place, self.message) if place else self.message


class GateError(Error):
    """A division that does not meet its conditions."""

    def __init__(self, faults: List[str]) -> None:
        super().__init__("; ".join(faults[:5]) + ("; and %d more" % (len(faults) - 5) if len(faults) > 5 else ""))
        self.faults = faults
        """One for each call, or figure, that violates a gate, with the cause."""

    def __reduce__(self) -> Any:
        return GateError, (self.faults,)


Error.__module__ = GateError.__module__ = "partita"
