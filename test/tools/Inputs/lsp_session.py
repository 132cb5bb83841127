"""Opens a file with a wrong gpuopt attribute in the language server; prints the diagnostics it publishes."""

import json
import subprocess
import sys

TEXT = "module attributes {gpuopt.geometry = #gpuopt.geometry<block = [0, 1, 1], items_per_thread = [1, 1, 1], items_per_block = [1, 1, 1]>} {}\n"
URI = "file:///wrong.mlir"

messages = [
    {"id": 1, "method": "initialize",
     "params": {"processId": None, "rootUri": None, "capabilities": {}}},
    {"method": "textDocument/didOpen",
     "params": {"textDocument": {"uri": URI, "languageId": "mlir", "version": 1, "text": TEXT}}},
    {"id": 2, "method": "shutdown", "params": None},
    {"method": "exit", "params": None},
]
stream = b""
for message in messages:
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    stream += b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
answer = subprocess.run([sys.argv[1]], input=stream, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=60)
print(answer.stdout.decode())
