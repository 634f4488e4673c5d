"""Speed and memory of the package, compared with a textbook loop."""
