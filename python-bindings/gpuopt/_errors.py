"""What goes wrong, as exceptions that a program can look into."""

import dataclasses
import logging
import re

_LINE = re.compile(r"^(?P<file>.*?):(?:(?P<line>\d+):)?(?:(?P<column>\d+):)? (?:fatal )?(?P<kind>error|warning): (?P<text>.*)$")
_log = logging.getLogger("gpuopt")


class CompileError(ValueError):
    """The input cannot be compiled.

    `file`, `line` and `column` (from 1 on, None where unknown) say where, `text` says what; `diagnostics` is all that the
    compiler has said, with the source's line and notes.
    """

    def __init__(self, diagnostics: str):
        self.diagnostics = diagnostics
        first = next(_parsed(diagnostics, "error"), None)
        # What is about no file is said by the program.
        self.file = first["file"] if first and first["file"] != "gpuopt" else None
        self.line = _number(first, "line")
        self.column = _number(first, "column")
        self.text = first["text"] if first else diagnostics.strip()
        super().__init__(diagnostics.strip())

    def __reduce__(self):
        return CompileError, (self.diagnostics,)


@dataclasses.dataclass(frozen=True)
class Fault:
    """Something wrong that a kernel did: `kind` is "out of bounds", "barrier divergence", …; `location` is
    `file:line:column`, or empty."""

    kind: str
    message: str
    location: str

    def __str__(self) -> str:
        place = f"{self.location}: " if self.location else ""
        return f"{place}{self.kind}: {self.message}"


class LaunchError(RuntimeError):
    """A kernel ran and did something wrong; `faults` has each place once. Arrays may have been changed."""

    def __init__(self, faults: list[Fault]):
        self.faults = faults
        super().__init__("\n".join(map(str, faults)))

    def __reduce__(self):
        return LaunchError, (self.faults,)


def _parsed(diagnostics, kind):
    for line in diagnostics.splitlines():
        match = _LINE.match(line)
        if match and match["kind"] == kind:
            yield match


def _number(match, group):
    return int(match[group]) if match and match[group] else None


def log_warnings(diagnostics: str) -> None:
    """Passes warnings on to the logger `gpuopt`."""
    for match in _parsed(diagnostics, "warning"):
        _log.warning("%s", match[0])
