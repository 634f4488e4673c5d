"""What maintainers use beside the package: `python -m tools.benchmark`, `python -m tools.results` and scripts."""
