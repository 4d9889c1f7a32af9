"""`python -m morpos`."""

import os
import sys

from morpos.workflow.server.client import ADDRESS, ask, open_streams

open_streams()
code = ask(os.environ[ADDRESS], sys.argv[1:]) if ADDRESS in os.environ else None
if code is None:
    from morpos.cli import main

    code = main()
sys.exit(code)
