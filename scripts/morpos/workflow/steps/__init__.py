"""The steps of the workflow, one module each: files in, files out.

A step bears the name of its rule and has `arguments(parser)` and `run(args)`; its logic lies in
the library.
"""
