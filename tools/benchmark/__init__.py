"""Speed and memory of the package, beside a textbook loop and the machine's own matrix products."""
