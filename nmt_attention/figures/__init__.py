"""Heatmaps, diagrams, curves, a player of pictures, and the fonts that draw every script."""
