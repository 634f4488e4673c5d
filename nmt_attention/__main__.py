"""`python -m nmt_attention`: the command line of `cli.main`."""

import sys

from .cli.main import main

if __name__ == "__main__":
    sys.exit(main())
