"""What maintainers use besides the package: `python -m tools.benchmark`, `python -m tools.results` and scripts."""
