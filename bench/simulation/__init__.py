"""A multiprocessor that runs traces of `gpuopt profile --trace`: how blocks share workgroup memory over time."""
