"""What the parts of the benchmark share."""

import pathlib
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Absent(Exception):
    """Why something cannot be in a bundle."""


def run(command: list[str]) -> None:
    """Runs a command; Absent with what it said first where it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError as error:
        raise Absent(str(error)) from error
    if done.returncode:
        said = (done.stderr.strip() or f"exit code {done.returncode}").splitlines()[0]
        raise Absent(f"{pathlib.Path(command[0]).name} fails: {said.replace(f'{ROOT}/', '')}")


def find_nvcc() -> str | None:
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


def find_clang() -> str | None:
    return shutil.which("clang++-22") or shutil.which("clang++")
