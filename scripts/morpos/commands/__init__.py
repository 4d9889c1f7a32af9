"""The verbs of the command line: what people type, one module each.

A verb has `arguments(parser)`, `run(args)` and, for its help, `EXAMPLES`; what it does lies in
the library, mostly in `morpos.api`. Results go to standard output, all that is said about them to
standard error.
"""
