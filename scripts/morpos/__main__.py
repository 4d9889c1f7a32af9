"""`python -m morpos`."""

import sys

from morpos.cli import main

sys.exit(main())
