"""What maintainers use besides the package: `python -m tools.benchmark`, `.results`, `.ablations` and scripts."""
