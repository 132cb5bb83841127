"""Kernels that can be called."""

import contextlib
import dataclasses
import json
import numbers
import operator
import os
import tempfile
from collections.abc import Callable, Mapping
from typing import Any, Optional, Union

from . import _gpuopt
from ._errors import Fault, LaunchError
from ._results import Check, Launch, Profile, Sanity, Tuning
from ._source import Source

Extents = Union[int, tuple[int, ...]]
MOST_OF_A_LAUNCH = 2**31 - 1


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One parameter of a kernel: its name, its C type as written, and whether it takes an array."""

    name: str
    type: str
    is_array: bool


def _extents(name: str, extents: Optional[Extents]) -> Optional[list[int]]:
    """One to three integers that a launch can have."""
    if extents is None:
        return None
    entries = extents if isinstance(extents, (tuple, list)) else [extents]
    return [_integer(name, entry) for entry in entries]


def _integer(name, value):
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: expected integers, found {type(value).__name__}") from None
    if abs(number) > MOST_OF_A_LAUNCH:
        raise ValueError(f"{name}: {number} is too large")
    return number


class _Launcher:
    """A kernel with a launch, or without one."""

    def __init__(self, file: "_gpuopt.CompiledFile", index: int, name: str, parameters: tuple[Parameter, ...],
                 grid: Optional[Extents] = None, block: Optional[Extents] = None, shared_bytes: int = 0):
        self._file, self._index = file, index
        self._grid, self._block = _extents("grid", grid), _extents("block", block)
        self._shared_bytes = _integer("shared_bytes", shared_bytes)
        self.name = name
        """Name in the source, with template arguments."""
        self.parameters = parameters

    def __call__(self, /, *arguments: Any, **named: Any) -> None:
        """Runs the kernel on arrays in the host's memory, and waits for it.

        Arguments are in the order of the parameters, or named by them. Arrays are contiguous, of the parameter's type, and
        of anything that has DLPack or the buffer protocol (NumPy, PyTorch, JAX); they are not copied. For `float4 *` an
        array of floats will do; None is the null pointer. A structure is a dictionary of its members, or its bytes.

        Raises TypeError and ValueError before anything runs, LaunchError where the kernel does something wrong.
        """
        faults = self._file.launch(self._index, self._bound(arguments, named), self._grid, self._block, self._shared_bytes)
        if faults:
            raise LaunchError([Fault(*fault) for fault in faults])

    def check(self, arguments: Optional[Mapping[str, Any]] = None, /, *, values: str = "auto", from_: str = "auto",
              seed: int = 1, allow_fallback: bool = False, **named: Any) -> Check:
        """Compares the tuned kernel with the untouched source on the same inputs, bit for bit where nothing allows it to
        round otherwise, and looks for races, diverging barriers and accesses out of bounds.

        Arguments (by name, or as a dictionary) are numbers for scalars, dictionaries of numbers for structures, numbers of
        elements for arrays, or arrays, which are copied. What is left open is chosen, several launches of it. `values` of
        arrays that are made up are "ordinary", "extreme", "both" or "auto"; what runs as the tuned kernel is `from_` its
        "llvm" IR, the "ptx" that is written, read again, "both", or ("auto") the IR, and the text where that is cheap.
        `allow_fallback` lets launches pass that the tuned kernel does not take.

        Raises ValueError where the kernel cannot be run.
        """
        for name, option in (("values", values), ("from_", from_)):
            if not isinstance(option, str):
                raise TypeError(f"{name} is an option; a parameter of that name is given in a dictionary")
        with self._run({**(arguments or {}), **named}, seed) as run:
            passed, runs, text = self._file.check(self._index, run, values, from_, allow_fallback)
        return Check(passed, json.loads(runs), text)

    def profile(self, arguments: Optional[Mapping[str, Any]] = None, /, *, tuned: Optional[bool] = None, seed: int = 1,
                **named: Any) -> Profile:
        """Runs the kernel with each access noted, as it is written, `tuned`, or (None) both. Arguments as for `check`."""
        versions = [False, True] if tuned is None else [tuned]
        with self._run({**(arguments or {}), **named}, seed) as run:
            reports, text, page = self._file.profile(self._index, run, versions)
        return Profile(json.loads(reports), text, page)

    def sanitize(self, arguments: Optional[Mapping[str, Any]] = None, /, *, seed: int = 1, **named: Any) -> Sanity:
        """Looks for what is wrong in the kernel as it is written. Arguments as for `check`."""
        with self._run({**(arguments or {}), **named}, seed) as run:
            report, text = self._file.sanitize(self._index, run)
        return Sanity(json.loads(report)[0], text)

    def _bound(self, arguments, named):
        """All arguments in the order of the parameters."""
        if not named and len(arguments) == len(self.parameters):
            return arguments
        names = [parameter.name for parameter in self.parameters]
        if len(arguments) > len(names):
            raise TypeError(f"{self.name} takes {len(names)} arguments, {len(arguments)} were given")
        values = dict(zip(names, arguments))
        for name, value in named.items():
            self._check_name(name)
            if name in values:
                raise TypeError(f"{self.name} got argument '{name}' twice")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise TypeError(f"{self.name} lacks arguments: {', '.join(missing)}")
        return tuple(values[name] for name in names)

    def _check_name(self, name):
        if all(name != parameter.name for parameter in self.parameters):
            names = ", ".join(parameter.name for parameter in self.parameters)
            raise TypeError(f"{self.name} has no parameter '{name}'; it has {names}")

    @contextlib.contextmanager
    def _run(self, values, seed):
        """The run that these values describe; arrays lie in files as long as the context lasts."""
        run = _gpuopt.CompiledFile.Run()
        run.grid, run.block, run.shared_bytes, run.seed = self._grid, self._block, self._shared_bytes, seed
        sizes, inputs, same, arrays = {}, {}, {}, {}
        with tempfile.TemporaryDirectory() as folder:
            for name, value in values.items():
                self._check_name(name.partition(".")[0])
                if _is_number(value):
                    sizes[name] = _plain(value)
                    continue
                if isinstance(value, Mapping):
                    sizes.update({f"{name}.{member}": _plain(number) for member, number in value.items()})
                    continue
                import numpy  # only those who check their own arrays need it

                arrays[name] = numpy.asarray(value)
                same_as = _owner_of(name, arrays)
                if same_as:
                    same[name] = same_as
                else:
                    inputs[name] = os.path.join(folder, f"{name}.npy")
                    numpy.save(inputs[name], numpy.ascontiguousarray(value), allow_pickle=False)
            run.sizes, run.inputs, run.same_arrays = sizes, inputs, same
            yield run


class Kernel(_Launcher):
    """One kernel of a compiled file.

    `kernel(a, b, n)` launches it for all its work items, as far as its guards or its pragma tell; `kernel[grid, block](…)`
    and `kernel[grid, block, shared_bytes](…)` as host code would launch the source. What runs is the tuned kernel, or the
    original where a launch is none that the tuned one takes.
    """

    def __init__(self, source: Source, file: "_gpuopt.CompiledFile", index: int, description: Optional[tuple] = None):
        self._source = source
        display, self.source_name, self.symbol, path, self.line, parameters = description or file.kernels()[index]
        super().__init__(file, index, display, tuple(Parameter(*parameter) for parameter in parameters))
        self.path = path

    def __getitem__(self, launch: tuple) -> _Launcher:
        if not isinstance(launch, tuple) or len(launch) not in (2, 3):
            raise TypeError("expected kernel[grid, block] or kernel[grid, block, shared_bytes]")
        return _Launcher(self._file, self._index, self.name, self.parameters, *launch)

    def __repr__(self) -> str:
        return f"<gpuopt.Kernel {self.name}({', '.join(f'{p.type} {p.name}' for p in self.parameters)})>"

    def explain(self) -> str:
        """What the passes found and did, and why not more, each at its place in the source."""
        return self._file.explain(self._index)

    def report(self) -> dict:
        """The kernel's report; docs/report.md describes the fields."""
        return json.loads(self._file.report())[self._index]

    def tune(self, *, budget: float = 0, measure: Optional[Callable[[bytes, Launch], Optional[float]]] = None,
             cache: bool = True, **sizes: int) -> Tuning:
        """Searches for the best design of the kernel for a launch of these sizes (docs/search.md).

        Designs are ranked by the model, or, those that it ranks first, by `measure`, which gets the code (PTX or HSACO)
        and its launch, and returns the seconds that it takes, or None where it cannot tell. After `budget` seconds, if
        not 0, no new designs are begun. `cache` keeps and takes results of earlier searches.

        Raises ValueError where there is nothing to search.
        """
        for name in sizes:
            self._check_name(name)
        source = dataclasses.replace(self._source, sizes={**self._source.sizes, **sizes})

        def measured(code, symbol, grid, block, shared_bytes):
            return measure(code, Launch(symbol, grid, block, shared_bytes, False, ""))

        design, variants, text, reason = source.compile().search(self._index, budget, measured if measure else None, cache)
        if design is None:
            raise ValueError(f"nothing to search for {self.name}: {reason or 'no design is legal'}")
        source = dataclasses.replace(source, designs={**source.designs, self.symbol: design})
        return Tuning(Kernel(source, source.compile(), self._index), design, json.loads(variants), text)

    def launch_for(self, grid: Extents, block: Extents, shared_bytes: int = 0,
                   scalars: Optional[Mapping[str, int]] = None, /, **named: int) -> list[Launch]:
        """The launches of what `emit` gives that do what the source does in this launch, in order, for these values of the
        scalar parameters, by name or as a dictionary."""
        values = {**(scalars or {}), **named}
        for name in values:
            self._check_name(name)
        found = self._file.launches(self._index, _extents("grid", grid) or [], _extents("block", block) or [],
                                    _integer("shared_bytes", shared_bytes), values)
        return [Launch(**entry) for entry in found]


def _is_number(value):
    return isinstance(value, numbers.Number) or getattr(value, "shape", None) == ()


def _plain(value):
    """An integer, or a float where it is none."""
    try:
        return operator.index(value)
    except TypeError:
        return float(value)


def _owner_of(name, arrays):
    """The array before this one that is the same memory."""
    import numpy

    array = arrays[name]
    for other, before in arrays.items():
        if other == name or not numpy.shares_memory(array, before):
            continue
        if array.ctypes.data != before.ctypes.data or array.nbytes != before.nbytes:
            raise ValueError(f"'{name}' and '{other}' overlap in part, which a check on copies cannot repeat")
        return other
    return None
