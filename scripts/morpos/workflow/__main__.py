"""`python -m morpos.workflow <step>`: a step of the workflow, run by the server if there is one."""

import os
import sys

from morpos.io.streams import open_streams
from morpos.workflow.server.client import ADDRESS, run_remote

open_streams()
code = run_remote(os.environ[ADDRESS], sys.argv[1:]) if ADDRESS in os.environ else None
if code is None:
    from morpos.workflow.steps import main

    code = main()
sys.exit(code)
