"""`python -m morpos`, the same as `morpos`."""

import sys

from morpos.commands import main

sys.exit(main())
