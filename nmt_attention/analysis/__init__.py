"""Significance, breakdowns, everyday sentences, and the lines in which `evaluate` prints scores."""
