"""The cache of searches under several processes, kills and damage."""
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time

SOURCE, DIRECTORY = sys.argv[1], pathlib.Path(sys.argv[2])
CACHE = DIRECTORY / "designs-v1.sqlite3"
COMMAND = ["gpuopt", "tune", SOURCE, "--target", "nvidia-gtx480"]


def start(size: int) -> subprocess.Popen:
    environment = dict(os.environ, GPUOPT_CACHE_DIR=str(DIRECTORY))
    return subprocess.Popen([*COMMAND, "--size", f"n={size}"], env=environment, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def tune(size: int) -> tuple[str, str]:
    process = start(size)
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out, err


def rows() -> int:
    with sqlite3.connect(CACHE) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return database.execute("SELECT COUNT(*) FROM designs").fetchone()[0]


# Two at once: the same answer, one row.
both = [start(4096), start(4096)]
results = [process.communicate() for process in both]
assert all(process.returncode == 0 for process in both), results
assert results[0] == results[1], results
assert not results[0][1], results[0][1]
assert rows() == 1

# From the cache: the same answer, at once.
begin = time.monotonic()
assert tune(4096) == results[0]
assert time.monotonic() - begin < 1 or os.getloadavg()[0] > os.cpu_count()
assert rows() == 1

# Killed at any moment: the cache is whole, and the next one goes on with it.
for number in range(4):
    other, killed = start(1000 + number), start(2000 + number)
    time.sleep(0.1 * number)
    killed.send_signal(signal.SIGKILL)
    killed.communicate()
    assert other.communicate()[1] == ""
    assert rows() >= 2 + number
assert tune(4096) == results[0]

# Damaged, at its beginning or later: set aside and begun anew.
for number, offset in enumerate((0, 4096), start=1):
    for ending in ("-wal", "-shm"):
        pathlib.Path(f"{CACHE}{ending}").unlink(missing_ok=True)
    with open(CACHE, "r+b") as file:
        file.seek(offset)
        file.write(b"no database" * 300)
    out, err = tune(4096)
    assert out == results[0][0]
    assert "warning: cache" in err and "is damaged" in err, err
    aside = pathlib.Path(f"{CACHE}.damaged-{number}")
    assert aside.exists() and str(aside) in err, err
    assert rows() == 1
    assert tune(4096) == results[0]

# A row that is not what was stored is made again.
with sqlite3.connect(CACHE) as database:
    database.execute("UPDATE designs SET result = replace(result, 'chosen', 'legal')")
out, err = tune(4096)
assert out == results[0][0] and "it is made again" in err, err
assert tune(4096) == results[0]

# No directory to be had: one warning, and the answer all the same.
DIRECTORY = CACHE
out, err = tune(4096)
assert out == results[0][0]
assert err.count("warning") == 1 and "it is not used" in err, err
print("cache is whole")
