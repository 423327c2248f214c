"""`python -m mcplab` is the same as `mcplab`."""

import sys

from mcplab.cli import main

sys.exit(main())
