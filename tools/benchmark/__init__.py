"""Speed and memory of the package, compared with a textbook loop and the machine's own matrix products."""
