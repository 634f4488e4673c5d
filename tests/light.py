"""A plugin for pytest, loaded before nbval's: without it `import nbformat` reads a grammar of addresses for 2 s."""

import sys

sys.modules["rfc3987_syntax"] = None  # jsonschema's, which does without where it is not installed
