"""Looking closer at scores: significance, breakdowns, alignment error rate, and their tables as text."""
