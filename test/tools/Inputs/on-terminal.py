"""Runs a command whose standard error is a terminal, and prints that with ^[ for escapes."""
import os
import pty
import subprocess
import sys

ours, theirs = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=theirs, env={**os.environ, "TERM": "xterm-256color"})
os.close(theirs)
said = b""
try:
    while part := os.read(ours, 4096):
        said += part
except OSError:
    pass  # the other end is closed
process.wait()
print(said.decode().replace("\x1b", "^["))
